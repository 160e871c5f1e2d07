"""The merge of two lists, with or without the list that both come from, as a model: written from the rules of the page on the
file's format ("Merging"), to be compared with the Swift code and to have its properties tried. It is slow and it is short.

Where the page leaves something open it is decided here. Ranks: a row's is its stamp, then its canonical encoding; a list's is
the latest stamp of its visible rows and tombstones, then its canonical encoding. The greater leads.

Rows
 1. Whether a member was changed goes by what it is read as: an absent `checked`, `false` and `"no"` are no change, nor is
    another spelling of a UUID. An app that fills in defaults has changed nothing. Which text is kept: the side's that differs
    from base; where both differ in text only, the leading row's.
 2. Where both sides changed a member that is not ours, and one removed it, the other's stays: an edit beats a deletion.
    Without a base the leading row's value counts where both have the member.
 3. A result keeps the stamp of the side it equals only if it outranks whichever of base, ours and theirs says something else,
    and is later than the tombstone; else it is stamped 1 ms after the latest of them. So an edit that won because of
    the base does not lose later, where no base is known, to the very row that it won over. Where nothing has a stamp, none is made.
 4. A new stamp is spelled as in the row that the result is made from, else the other, the base, the tombstone.
 5. A row beside its own tombstone was brought back by a writer that knows no tombstones: before merging it is
    stamped 1 ms after the tombstone if it is not later already. Until then an edit that is written keeps the tombstone.
 6. A deletion that only the base shows makes no tombstone: merging has no clock.
 7. Hidden rows, and entries of the other arrays that cannot be named, meet by content and their number among equal ones:
    with a base a side that added or removed some wins, if both did or without a base the greater number stays.
Order
 8. Rows, hidden ones included: the list of higher rank leads where both or neither changed the order. What has no predecessor
    there comes first. Tombstones follow the list that gives the rows' order; of two for one id the greater rank stays.
 9. A list without `sections` says nothing about them: the other's stand. A removed section that a row of the result names
    comes last, as any section that only a row names. A section's spelling merges as a member does; a name that
    stands twice counts where it stands first.
Members of the list: those of the list that gives the order, merged as a row's unknown ones, the list of higher rank leading;
`schemaVersion` is left to it; `items` and `deletedItems` are there where either has them, `items` also where nothing else
would show that this is a list.
Equal lists: that list. A result that says what one of the two says is that one, with its text.
"""
from reading import ABSENT, KNOWN, LAST, Listing, canonical, meaning, stamp, stamp_and_kind, written_stamp


def merge(base, ours, theirs):
    """The merged list; `base` is None where it is not known. All are parsed JSON objects."""
    b, o, t = (None if root is None else Listing(root) for root in (base, ours, theirs))
    if canonical(o.written()) == canonical(t.written()):
        return o.written()
    for listing in (o, t) if b is None else (b, o, t):
        bring_back(listing)
    lead, other = (o, t) if o.rank() >= t.rank() else (t, o)
    frame = leader(b, o, t, lead, lambda listing: listing.rows)
    follower = t if frame is o else o

    rows, buried = {}, {o: o.tombstones(), t: t.tombstones()}
    for key in {**o.rows, **t.rows}:
        row = (None if b is None else b.rows.get(key)), o.rows.get(key), t.rows.get(key)
        if key[0] == "id":
            rows[key] = merged_row(*row, buried[o].get(key), buried[t].get(key))
        elif stays(key, b and b.rows, o.rows, t.rows):
            rows[key] = (frame if key in frame.rows else follower).rows[key]
    rows = {key: row for key, row in rows.items() if row is not None or key[0] == "="}

    graves = {}
    for key in {**buried[o], **buried[t]}:
        entries = [entries[key] for entries in (buried[frame], buried[follower]) if key in entries]
        if key[0] == "id" and key not in rows or key[0] == "=" and stays(key, b and b.tombstones(), buried[o], buried[t]):
            graves[key] = max(entries, key=rank)

    result = Listing({"items": []})
    result.root = merged_root(b, frame, lead, other)
    result.rows = arranged(rows, frame.rows, follower.rows)
    result.graves = list(arranged(graves, buried[frame], buried[follower]).values())
    result.names = merged_sections(b, o, t, lead)
    result.list_used_sections()
    return result.written()


def rank(row):
    return stamp(row), canonical(row)


def bring_back(listing):
    """Ends the tombstones beside their rows."""
    tombstones = listing.tombstones()
    for key, row in listing.visible().items():
        if key in tombstones:
            listing.rows[key] = settled(row, row, [row], [], tombstones[key])
    listing.graves = [entry for key, entry in tombstones.items() if key not in listing.visible()]


def merged_row(b, o, t, our_tombstone, their_tombstone):
    """The row of one id; None where it is deleted."""
    if o is None or t is None:
        row, tombstone = (o, their_tombstone) if t is None else (t, our_tombstone)
        if b is not None:
            if all(meaning(key, row.get(key, ABSENT)) == meaning(key, b.get(key, ABSENT))
                   for key in row.keys() | b.keys() if key != "lastModified"):
                return None
        elif tombstone is not None and stamp(tombstone) >= stamp(row):
            return None
        return settled(row, row, [row], [] if b is None else [b], tombstone)
    lead, other = (o, t) if rank(o) >= rank(t) else (t, o)
    members = dict(lead)
    for key in [*lead, *(key for key in other if key not in lead), *(b or {})]:
        if b is None and key not in KNOWN:
            value = lead.get(key, other.get(key))
        elif b is not None and key != "lastModified":
            value = merged_member(key, *(row.get(key, ABSENT) for row in (b, lead, other)))
        else:
            continue
        members.pop(key, None) if value is ABSENT else members.update({key: value})
    return settled(members, lead, [lead, other], [] if b is None else [b], None)


def merged_member(key, base, lead, other):
    b, l, o = (meaning(key, value) for value in (base, lead, other))
    if l == b and o != b:
        return other
    if l == b and o == b and same(lead, base):
        return other
    if l != b and o != b and lead is ABSENT and key not in KNOWN:
        return other
    return lead


def same(one, two):
    return one is two or (one is not ABSENT and two is not ABSENT and canonical(one) == canonical(two))


def settled(members, lead, sides, bases, tombstone):
    """The result with its stamp: that of a side if it equals the side and outranks the rest, else 1 ms after the latest."""
    def said(row):
        return canonical({key: value for key, value in row.items() if key != "lastModified"})
    equal = [row for row in sides if said(row) == said(members)]
    made_from = max(equal, key=rank) if equal else lead
    result = members if not equal else made_from
    others = [row for row in [*sides, *bases] if said(row) != said(members)]
    if equal and all(rank(made_from) >= rank(row) for row in others) and (
            tombstone is None or stamp(tombstone) < stamp(made_from)):
        return made_from
    sources = [made_from, *(row for row in sides if row is not made_from), *bases, *([tombstone] if tombstone else [])]
    latest = max(map(stamp, sources))
    if latest < 0:
        return result
    kind = next(kind for kind in (stamp_and_kind(row)[1] for row in sources) if kind)
    return result | {"lastModified": written_stamp(min(latest + 1, LAST), kind)}


def stays(key, base, ours, theirs):
    """Whether an entry that meets by content is among those that stay."""
    def count(entries):
        return sum(1 for other in entries if other[:2] == key[:2])
    counts = count(ours), count(theirs)
    if base is not None and count(base) in counts:
        return key[2] < (counts[1] if counts[0] == count(base) else counts[0])
    return key[2] < max(counts)


def leader(b, o, t, lead, entries):
    """The list whose order counts: the one that alone changed it, else the one of higher rank."""
    if b is not None:
        def changed(side):
            before, now = entries(b), entries(side)
            return [key for key in before if key in now] != [key for key in now if key in before]
        if changed(o) != changed(t):
            return o if changed(o) else t
    return lead


def arranged(entries, leading, following):
    """The entries in the leading order; what only the other has comes after its nearest predecessor there."""
    behind, place = {None: []}, None
    for key in following:
        if key in leading and key in entries:
            place = key
        elif key in entries:
            behind.setdefault(place, []).append(key)
    order = [*behind[None]]
    for key in leading:
        if key in entries:
            order += [key, *behind.get(key, [])]
    return {key: entries[key] for key in order}


def merged_sections(b, o, t, lead):
    """The entries of `sections`; None where no list has them."""
    if o.names is None or t.names is None:
        return o.names if t.names is None else t.names
    b = None if b is None or b.names is None else b
    frame = leader(b, o, t, lead, Listing.sections)
    base, ours, theirs = (None if listing is None else listing.sections() for listing in (b, o, t))
    leading, following = (ours, theirs) if frame is o else (theirs, ours)
    entries = {}
    for key in {**leading, **following}:
        if key[0] == "=":
            is_kept = stays(key, base, ours, theirs)
        else:
            is_kept = base is None or key not in base or (key in ours and key in theirs)
        if is_kept:
            first, second = leading.get(key, ABSENT), following.get(key, ABSENT)
            is_respelled = first is ABSENT or base is not None and key in base and same(first, base[key])
            entries[key] = second if is_respelled and second is not ABSENT else first
    return list(arranged(entries, leading, following).values())


def merged_root(b, frame, lead, other):
    ours = ("schemaVersion", "items", "sections", "deletedItems")
    root = dict(frame.root)
    for key in [*lead.root, *other.root, *(b.root if b is not None else {})]:
        if key in ours:
            continue
        values = [listing.root.get(key, ABSENT) for listing in (lead, other)]
        if b is not None:
            value = merged_member("", b.root.get(key, ABSENT), *values)
        else:
            value = values[1] if values[0] is ABSENT else values[0]
        root.pop(key, None) if value is ABSENT else root.update({key: value})
    if "items" in other.root or "items" in lead.root or "sections" not in root:
        root.setdefault("items", [])
    if "deletedItems" in other.root or "deletedItems" in lead.root:
        root.setdefault("deletedItems", [])
    return root
