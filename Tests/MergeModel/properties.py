"""Tries the properties of the model over random histories: python3 properties.py [cases] [seed]

A case is either two lists that were made from one (with or without it as base), or several replicas that edit and then hear of
each other in any order. A failure prints its seed; `python3 properties.py 1 SEED` shows it again.
"""
import itertools
import random
import sys

from histories import Server, dump, exported, random_list, random_triple, says, scribbled
from merge import merge
from reading import ABSENT, KNOWN, Listing, canonical, folded, meaning, parse, stamp, text


def check(holds, what):
    if not holds:
        raise AssertionError(what)


def meanings(row, keys=None):
    return {key: meaning(key, row.get(key, ABSENT)) for key in keys or {*row, *KNOWN} if key != "lastModified"}


def in_order(keys, wanted):
    return [key for key in wanted if key in keys]


# Two lists

def check_triple(base, ours, theirs):
    merged = merge(base, ours, theirs)
    check(canonical(merged) == canonical(merge(base, theirs, ours)), "symmetric")
    check(canonical(merge(base, ours, ours)) == says(ours), "merge(x, x) is x")
    check(says(parse(dump(merged))) == canonical(merged), "the result reads as what it is")
    b, o, t, m = (Listing(root) if root is not None else None for root in (base, ours, theirs, merged))
    for side, other in ((o, t), (t, o)):
        check_rows(b, side, other, m)
        check_hidden(b, side, other, m)
        check_members(b, side, other, m)
        if b is not None:
            check_order(b, side, other, m)
            check_sections(b, side, other, m)
    if says(ours) != says(theirs):
        check_parents(b, o, t, m)


def check_rows(b, side, other, m):
    """No row is lost that the other did not delete; none is back that a newer tombstone deleted."""
    tombstones = other.tombstones()
    for key, row in side.visible().items():
        if key in other.rows:
            check(key in m.rows, "a row of both")
            continue
        is_known = b is not None and key in b.rows
        is_changed = is_known and meanings(row) != meanings(b.rows[key])
        tombstone = tombstones.get(key)
        brought_back = key in side.tombstones()
        if is_known:
            check((key in m.rows) == is_changed, "a row that one side lacks and base has")
        elif tombstone is None or stamp(row) > stamp(tombstone):
            check(key in m.rows, "a row that nobody deleted")
        elif not brought_back:
            check(key not in m.rows, "a row that a newer tombstone deleted")
        if key not in m.rows and tombstone is not None:
            check(stamp(m.tombstones()[key]) >= stamp(tombstone), "the tombstone of a deleted row")
    for key, tombstone in side.tombstones().items():
        if key[0] == "id" and key not in side.rows and key not in other.rows:
            check(key not in m.rows and stamp(m.tombstones()[key]) >= stamp(tombstone), "a tombstone of both")


def check_hidden(b, side, other, m):
    for key in side.rows.keys() - side.visible().keys():
        if b is None or key not in b.rows or key in other.rows:
            check(key in m.rows, "a hidden row")


def check_members(b, side, other, m):
    """A member that one side alone changed has that side's meaning; what nobody here knows stays."""
    for key in side.visible().keys() & other.rows.keys():
        row, twin, result = side.rows[key], other.rows[key], m.rows[key]
        for name in {*row, *twin} - {"lastModified"}:
            known = b.rows[key] if b is not None and key in b.rows else None
            if known is None:
                if name not in KNOWN and name in row:
                    check(name in result, "an unknown member, without a base")
                continue
            before, here, there = (meaning(name, each.get(name, ABSENT)) for each in (known, row, twin))
            if there == before:
                check(meaning(name, result.get(name, ABSENT)) == here, f"{name}, changed by one side or none")
            elif name not in KNOWN and here != before and name in row:
                check(name in result, "an unknown member, changed by one")


def check_order(b, side, other, m):
    """A move survives where the other side moved nothing."""
    known = [key for key in b.rows if key in other.rows]
    if known == [key for key in other.rows if key in b.rows]:
        common = [key for key in side.rows if key in b.rows]
        check(in_order(m.rows, common) == in_order(common, m.rows), "a move")


def check_sections(b, side, other, m):
    if any(listing.names is None for listing in (b, side, other)):
        return
    base, here, there, result = (listing.sections() for listing in (b, side, other, m))
    used = {("id", folded(text(row.get("section")))) for row in m.visible().values()}
    for key in base.keys() - here.keys() - used:
        check(key[0] == "=" or key not in result, "a removed section")
    if [key for key in base if key in there] == [key for key in there if key in base]:
        common = [key for key in here if key in base and key in there]
        check(in_order(result, common) == common, "the order of sections")
    for key in here.keys() - base.keys():
        check(key in result, "a new section")


def check_parents(b, o, t, m):
    """A merged row with a stamp outranks what it was merged from, also where no base is known."""
    for key, row in m.visible().items():
        for parent in filter(None, (o.rows.get(key), t.rows.get(key), b and b.rows.get(key))):
            if stamp(row) >= 0:
                again = Listing(merge(None, {"items": [row]}, {"items": [parent]})).rows[key]
                check(meanings(again, KNOWN) == meanings(row, KNOWN), "a merged row outranks its parents")


# Several replicas

def edited(random, root, server):
    """What one replica does to its list. Foreign writers are rarer than this server."""
    kind = random.random()
    return exported(random, root) if kind < 0.1 else scribbled(random, root) if kind < 0.2 else server.edited(root, 2)


def check_gossip(random):
    """Replicas that hear of each other without a base, pair by pair in any order, end up with one list."""
    start = random_list(random)
    replicas = [start] * random.choice([2, 3, 3, 4])
    servers = [Server(random, random.choice([0, 0, 500, 5000])) for _ in replicas]
    for place in random.choices(range(len(replicas)), k=random.randint(0, 6)):
        if random.random() < 0.3:
            replicas[place] = merge(None, replicas[place], random.choice(replicas))
        replicas[place] = edited(random, replicas[place], servers[place])
    check_any_order(replicas)
    pairs = list(itertools.combinations(range(len(replicas)), 2))
    for _ in range(12):
        if len({says(replica) for replica in replicas}) == 1:
            return
        random.shuffle(pairs)
        for one, two in pairs:
            replicas[one] = replicas[two] = merge(None, replicas[one], replicas[two])
    check(False, "replicas converge")


def check_any_order(replicas):
    """The rows do not depend on the order of merging. Uniting unknown members moves stamps on, so lists without such."""
    def plain(root):
        rows = [row for row in Listing(root).written().get("items", []) if isinstance(row, dict)]
        return {"items": [{key: row[key] for key in row if key in KNOWN} for row in rows],
                "deletedItems": Listing(root).written().get("deletedItems", [])}
    results = set()
    for order in list(itertools.permutations([plain(replica) for replica in replicas]))[::4]:
        merged = order[0]
        for other in order[1:]:
            merged = merge(None, merged, other)
        results.add(tuple(sorted(map(canonical, merged["items"]))))
    check(len(results) == 1, "rows in any order of merging")


def check_hub(random):
    """Writers that share one file: each merges what it has into the file, with what it read last as base."""
    file = random_list(random)
    seen = [file] * 3
    mine = list(seen)
    servers = [Server(random, random.choice([0, 0, 500, 5000])) for _ in seen]

    def exchange(place):
        nonlocal file
        merged = merge(seen[place], mine[place], file)
        check_triple(seen[place], mine[place], file)
        file = seen[place] = mine[place] = merged
    for place in random.choices(range(3), k=random.randint(1, 8)):
        if random.random() < 0.4:
            exchange(place)
        mine[place] = edited(random, mine[place], servers[place])
    for _ in range(2):
        for place in random.sample(range(3), 3):
            exchange(place)
    for place in range(3):
        exchange(place)
    check(len({says(root) for root in [file, *mine]}) == 1, "writers of one file converge")


def main(cases, first):
    for seed in range(first, first + cases):
        source = random.Random(seed)
        try:
            match seed % 4:
                case 0: check_gossip(source)
                case 1: check_hub(source)
                case _: check_triple(*random_triple(source))
        except Exception as error:
            print(f"seed {seed}: {error!r}")
            if cases == 1:
                raise
            return 1
    print(f"{cases} histories from seed {first}: all properties hold")
    return 0


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(*(arguments + [2000, 1][len(arguments):])))
