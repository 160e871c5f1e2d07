"""How the model reads a list: JSON with the text of its numbers, stamps, ids, hidden rows. The rules of merging are in merge.py.

Written from the format's page, not from the Swift code, so that a comparison of the two means something. Python 3.11, standard
library only.
"""
import hashlib
import json
import re
import unicodedata
from datetime import datetime, timedelta, timezone
from decimal import Decimal, ROUND_CEILING
from functools import lru_cache

ABSENT = object()  # a member that is not there; None is JSON's null
ARRAYS = ("items", "sections", "deletedItems")
KNOWN = ("id", "name", "amount", "section", "optional", "checked", "lastModified")


class Number(str):
    """A number as it is written: 1 and 1.0 are two."""


def parse(text):
    return json.loads(text, parse_int=Number, parse_float=Number)


def canonical(value):
    """Bytes that are equal where two values say the same: members sorted, strings decoded, numbers as written."""
    if isinstance(value, Number):
        return value.encode()
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-8", "surrogatepass"))
        return b"{" + b",".join(quoted(key) + b":" + canonical(value[key]) for key in keys) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(canonical, value)) + b"]"
    return quoted(value) if isinstance(value, str) else json.dumps(value).encode()


@lru_cache(None)
def quoted(string):
    text = json.dumps(string, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda half: "\\u%04x" % ord(half[0]), text).encode()


# Readings of single members

def text(value):
    return re.sub("[\ud800-\udfff]", "\ufffd", value) if isinstance(value, str) else ""


def truth(value):
    return value if isinstance(value, bool) else text(value).lower() in ("true", "yes", "1", "1.0")


@lru_cache(None)
def folded(name):
    """A name as people mean it: without case, and with one space where there is white space."""
    ignored = "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
    spaced = "".join(" " if c.isspace() or unicodedata.category(c) == "Cc" else c for c in re.sub(ignored, "", name))
    return unicodedata.normalize("NFC", " ".join(spaced.split()).upper().lower())


def meaning(key, value):
    """What a member of a row is read as: two spellings that mean the same are no change."""
    value = None if value is ABSENT and key in KNOWN else value
    if key == "id":
        return id_key(text(value))
    if key in ("name", "amount"):
        return text(value)
    if key == "section":
        return text(value) if folded(text(value)) else ""
    if key in ("optional", "checked"):
        return truth(value)
    return value if value is ABSENT else canonical(value)


# Stamps: Unix milliseconds, -1 for none

LAST = 253_402_300_799_999
EPOCH_2001 = 978_307_200_000
ISO = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)([.,]\d+)?([Zz]|[+-]\d\d(?::?\d\d)?)", re.ASCII)


def stamp_and_kind(row):
    value = row.get("lastModified") if isinstance(row, dict) else None
    if isinstance(value, Number):
        number = Decimal(value)
        if number < 0:
            return -1, None
        if number < Decimal("1.5e9"):
            kind, count = "2001", number * 1000 + EPOCH_2001
        elif number < Decimal("1e11"):
            kind, count = "whole" if value.isdigit() else "unix", number * 1000
        else:
            kind, count = "ms", number
        count = int(count.to_integral_value(ROUND_CEILING)) if number < Decimal("1e18") else LAST + 1
    elif isinstance(value, str) and (match := ISO.fullmatch(value)):
        date, time, fraction, zone = match.groups()
        kind = "iso" if "." in value else "iso-seconds"
        try:
            second = datetime.fromisoformat(f"{date}T{time}+00:00").timestamp()
        except ValueError:
            return -1, None
        digits = zone[1:].replace(":", "") if zone not in "Zz" else "0000"
        hours, minutes = int(digits[:2]), int(digits[2:] or 0)
        if hours > 23 or minutes > 59:
            return -1, None
        second -= (hours * 60 + minutes) * 60 * (-1 if zone[0] == "-" else 1)
        part = Decimal("0" + (fraction or ".0").replace(",", ".")) * 1000
        count = int(second) * 1000 + int(part.to_integral_value(ROUND_CEILING))
    else:
        return -1, None
    return (count, kind) if 0 <= count <= LAST else (-1, None)


def stamp(row):
    return stamp_and_kind(row)[0]


def written_stamp(count, kind):
    """A stamp in this spelling, rounded up where it is coarser; ISO text where a number would read as another kind."""
    def iso(format_milliseconds):
        whole = count if format_milliseconds else -(-count // 1000) * 1000
        moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=whole // 1000)
        return moment.strftime("%Y-%m-%dT%H:%M:%S") + (f".{whole % 1000:03}Z" if format_milliseconds else "Z")

    def seconds(milliseconds):
        return Number(f"{milliseconds // 1000}.{milliseconds % 1000:03}".rstrip("0").rstrip("."))
    if kind == "iso-seconds":
        value = iso(False) if -(-count // 1000) * 1000 <= LAST else ""
    elif kind in ("2001", "unix"):
        value = seconds(count - (EPOCH_2001 if kind == "2001" else 0))
    elif kind == "whole":
        value = Number(-(-count // 1000))
    else:
        value = Number(count) if kind == "ms" else iso(True)
    back, found = stamp_and_kind({"lastModified": value})
    same = found == kind or {found, kind} == {"unix", "whole"}
    return value if same and back >= count else iso(True)


# Ids

UUID = re.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


def id_key(id):
    return id.lower() if UUID.fullmatch(id) else id


def derived(seed):
    """A UUID of version 8 hashed from `seed`."""
    digest = bytearray(hashlib.sha256(seed).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    digits = digest.hex().upper()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def content(row):
    """What a row says but for its id and stamp."""
    return canonical({key: value for key, value in row.items() if key not in ("id", "lastModified")})


def identified(entries):
    """The entries as pairs of an id and a row; a hidden row has no id. Rows that share an id are told apart."""
    pairs, equals = [], {}
    for row in entries:
        if not isinstance(row, dict) or not folded(text(row.get("name"))):
            pairs.append((None, row))
            continue
        id = row.get("id")
        is_strange = isinstance(id, (bool, list, dict))
        if not is_strange and folded(text(id)):
            pairs.append((text(id), row))
            continue
        seed = canonical(id) if is_strange else content(row)
        number = equals[seed] = equals.get(seed, -1) + 1
        new = derived(seed + b"\0%d" % number)
        pairs.append((new, row if is_strange else row | {"id": new}))
    while True:
        groups = {}
        for place, (id, _) in enumerate(pairs):
            if id is not None:
                groups.setdefault(id_key(id), []).append(place)
        shared = [group for group in groups.values() if len(group) > 1]
        if not shared:
            return pairs
        gone = set()
        for group in shared:
            latest, different = max(stamp(pairs[place][1]) for place in group), {}
            for place in group:
                if stamp(pairs[place][1]) != latest or content(pairs[place][1]) in different:
                    gone.add(place)
                else:
                    different[content(pairs[place][1])] = place
            for said, place in sorted(different.items())[1:]:
                id, row = pairs[place]
                new = derived(id.lower().encode() + b"\0" + said)
                pairs[place] = (new, row if isinstance(row["id"], (bool, list, dict)) else row | {"id": new})
        pairs = [pair for place, pair in enumerate(pairs) if place not in gone]


# The list

class Listing:
    """A list as it is read. Each array is a dict in the array's order: entries that can be named by their key, others (rows that
    are hidden, sections that are no names, tombstones without an id) by content and their number among equal ones."""

    def __init__(self, root):
        version = root.get("schemaVersion")
        if version is not None and not (isinstance(version, Number) and Decimal(version) == 1):
            raise ValueError("another version")
        if any(not isinstance(root.get(name, []), list | None) for name in ARRAYS):
            raise ValueError("no array")
        if "items" not in root and "sections" not in root and not root.keys() <= {"schemaVersion", "deletedItems"}:
            raise ValueError("no list")
        self.root = root
        self.rows = keyed((None if id is None else id_key(id), row) for id, row in identified(root.get("items") or []))
        self.names = root.get("sections")
        self.graves = root.get("deletedItems") or []
        self.list_used_sections()

    def visible(self):
        return {key: row for key, row in self.rows.items() if key[0] == "id"}

    def tombstones(self):
        return keyed((buried_id(entry), entry) for entry in self.graves)

    def sections(self):
        return keyed((section_key(name), name) for name in self.names)

    def list_used_sections(self):
        """Sections that only rows name come last, where the file lists sections."""
        if self.names is None:
            return
        listed = {section_key(name) for name in self.names}
        for row in self.visible().values():
            name = text(row.get("section"))
            if folded(name) and folded(name) not in listed:
                listed.add(folded(name))
                self.names = [*self.names, name]

    def written(self):
        root = dict(self.root)
        if root.get("schemaVersion") is None:
            root["schemaVersion"] = Number("1")
        if self.names is not None:
            root["sections"] = self.names
        if self.rows or "items" in root:
            root["items"] = list(self.rows.values())
        lasting = [entry for entry in self.graves if buried_id(entry) is None
                   or stamp(self.rows.get(("id", buried_id(entry)))) <= stamp(entry)]
        if lasting or "deletedItems" in root:
            root["deletedItems"] = lasting
        return root

    def rank(self):
        """The list's latest stamp, then its canonical encoding: the greater of two lists leads."""
        readable = [entry for entry in self.graves if buried_id(entry) is not None]
        return max(map(stamp, [*self.visible().values(), *readable]), default=-1), canonical(self.written())


def buried_id(entry):
    """The id that a tombstone names; None for an entry that names none."""
    id = text(entry.get("id")) if isinstance(entry, dict) else ""
    return id_key(id) if id else None


def section_key(entry):
    """The name of a section as it is compared; None for an entry that is no name."""
    return folded(text(entry)) or None if isinstance(entry, str) and not isinstance(entry, Number) else None


def keyed(pairs):
    """Of entries with one key the first keeps the place and the later stamped one counts; of names the first."""
    result, equals = {}, {}
    for name, entry in pairs:
        key = ("id", name)
        if name is None:
            said = canonical(entry)
            equals[said] = equals.get(said, -1) + 1
            key = ("=", said, equals[said])
        is_later = key in result and isinstance(entry, dict) and (
            (stamp(entry), canonical(entry)) > (stamp(result[key]), canonical(result[key])))
        if key not in result or is_later:
            result[key] = entry
    return result
