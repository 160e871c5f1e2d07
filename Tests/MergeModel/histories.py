"""Random lists and what random writers do to them: this server, an app's export, a person with an editor.

All values come from small sets, so that two writers often touch the same row and often stamp alike.
"""
import copy
import json

from reading import Listing, Number, canonical, folded, id_key, stamp, stamp_and_kind, text, truth, written_stamp

START = 1_796_071_272_000  # 2026-11-30T20:41:12Z
NAMES = ["Milk", "Bread", "milk", "Caf\u00e9", "Eggs"]
AMOUNTS = ["", "2 l", "3", Number("3"), Number("1.50")]
SECTIONS = ["Dairy", "Produce", "dairy", "Bakery", ""]
IDS = ["7D0C4E0A-2B7C-4D1B-9A55-0D8E5B1F3C11", "0b9e0b5e-75bb-4c3f-8d0e-1d8b2a6f9c20", "eggs-1", Number("5"), "a/b",
       "F0000000-0000-4000-8000-00000000000A"]
UNKNOWN = [Number("1"), Number("1.0"), None, "x", "\ud83d", ["a", {"b": Number("2")}], {"z": True, "a": "\u00e9"}]


def dump(value, random=None):
    """JSON text with the members in their order; with a source of randomness some characters are escaped, spaces strewn in."""
    if isinstance(value, Number):
        return str(value)
    space = " " if random and random.random() < 0.2 else ""
    if isinstance(value, dict):
        return "{" + space + ",".join(f"{dump(k, random)}:{space}{dump(v, random)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ("," + space).join(dump(element, random) for element in value) + space + "]"
    result = json.dumps(value, ensure_ascii=not random or random.random() < 0.5 or value == "\ud83d")
    return result.replace("/", "\\/") if random and random.random() < 0.5 else result


def pick_stamp(random, kind=None):
    kind = kind or random.choice(["iso"] * 6 + ["iso-seconds", "2001", "unix", "whole", "ms"])
    return written_stamp(START + random.choice([0, 1, 2, 3, 5, 999, 1000, 1001]), kind)


def random_row(random, id=None):
    row = {"id": id or random.choice(IDS), "name": random.choice(NAMES), "amount": random.choice(AMOUNTS),
           "section": random.choice(SECTIONS), "optional": random.random() < 0.2, "checked": random.random() < 0.5}
    for key in list(row)[2:]:
        if random.random() < 0.1:
            del row[key]
    if random.random() < 0.8:
        row["lastModified"] = pick_stamp(random)
    if random.random() < 0.3:
        row[random.choice(["note", "a"])] = random.choice(UNKNOWN)
    return row


def random_list(random):
    root = {"schemaVersion": Number("1"), "sections": random.sample(SECTIONS[:4], random.randint(0, 3)),
            "items": [random_row(random, id) for id in random.sample(IDS, random.randint(0, 4))]}
    if random.random() < 0.5:
        root["deletedItems"] = [{"id": random.choice(IDS), "lastModified": pick_stamp(random)}
                                for _ in range(random.randint(0, 2))]
    if random.random() < 0.2:
        root["note"] = random.choice(UNKNOWN)
    return scribbled(random, root) if random.random() < 0.3 else root


class Server:
    """Edits as this program makes them. `now` moves on; the clock is off by what it was made with."""

    def __init__(self, random, offset=0):
        self.random, self.now = random, START + offset

    def edited(self, root, count=1):
        root = Listing(copy.deepcopy(root)).written()
        root = {key: [] if value is None and key == "items" else value for key, value in root.items()}
        for _ in range(count):
            self.now += self.random.choice([0, 1, 1, 2, 1000])
            self.random.choice([self.add, self.change, self.change, self.remove, self.move, self.arrange])(root)
        return root

    def stamped(self, row):
        kind = stamp_and_kind(row)[1] or "iso"
        row["lastModified"] = written_stamp(max(self.now, stamp(row) + 1), kind)

    def rows(self, root):
        return [row for row in root.get("items", []) if isinstance(row, dict) and folded(text(row.get("name")))
                and isinstance(row.get("id"), str)]

    def add(self, root):
        bits = self.random.getrandbits(48)
        row = random_row(self.random, f"{bits >> 16:08X}-0000-4000-8000-{bits:012X}")
        row["lastModified"] = written_stamp(self.now, "iso")
        root.setdefault("items", []).append(row)

    def change(self, root):
        if rows := self.rows(root):
            row = self.random.choice(rows)
            key, value = self.random.choice([
                ("checked", not truth(row.get("checked"))), ("amount", self.random.choice(["4", "5"])),
                ("section", self.random.choice(SECTIONS)), ("name", self.random.choice(NAMES))])
            row[key] = value
            self.stamped(row)

    def remove(self, root):
        if rows := self.rows(root):
            row = self.random.choice(rows)
            root["items"] = [other for other in root["items"] if other is not row]
            entry = {"id": row["id"], "lastModified": written_stamp(max(self.now, stamp(row)), "iso")}
            graves = [grave for grave in root.get("deletedItems") or []
                      if not isinstance(grave, dict) or id_key(text(grave.get("id"))) != id_key(row["id"])]
            root["deletedItems"] = [*graves, entry]

    def move(self, root):
        if len(root.get("items", [])) > 1:
            row = root["items"].pop(self.random.randrange(len(root["items"])))
            root["items"].insert(self.random.randint(0, len(root["items"])), row)

    def arrange(self, root):
        used = {folded(text(row.get("section"))) for row in self.rows(root)}
        names = [name for name in root.get("sections") or []
                 if not isinstance(name, str) or folded(name) in used or self.random.random() < 0.5]
        self.random.shuffle(names)
        if self.random.random() < 0.5:
            names.insert(self.random.randint(0, len(names)), self.random.choice(["Bakery", "Frozen", "Drinks"]))
        if "sections" in root:
            root["sections"] = names


def exported(random, root):
    """The list as an app writes that knows rows and sections and nothing else."""
    result = {"items": [], "schemaVersion": Number("1"), "sections": Listing(root).written().get("sections") or []}
    keeps_stamps = random.random() < 0.5
    for row in Listing(root).visible().values():
        id = text(row["id"]) if isinstance(row["id"], str) else "strange"
        new = {"amount": text(row.get("amount")), "checked": truth(row.get("checked")), "id": id.upper(),
               "name": text(row.get("name")), "optional": truth(row.get("optional")), "section": text(row.get("section"))}
        if random.random() < 0.15:
            continue
        if random.random() < 0.3:
            new["checked"] = not new["checked"]
        if keeps_stamps and "lastModified" in row:
            new["lastModified"] = row["lastModified"]
        result["items"].append(new)
    if random.random() < 0.3:
        random.shuffle(result["items"])
    return result


def scribbled(random, root):
    """The list after a person, or a program that knows less than it thinks, was at it."""
    root = {key: value for key, value in copy.deepcopy(root).items() if value is not None or key == "note"}
    items = root.get("items", [])
    for _ in range(random.randint(1, 4)):
        row = random.choice(items) if items else None
        match random.randrange(16):
            case 0: items.insert(0, random.choice([None, Number("7"), "text", {"id": "eggs-1"}, {"name": " ", "id": "eggs-1"}]))
            case 1: items.append(random_row(random))
            case 2: root.setdefault("deletedItems", []).append(random.choice([None, {}, {"id": "eggs-1"}, {"id": ""}]))
            case 3 if isinstance(row, dict): row.pop("id", None)
            case 4 if isinstance(row, dict): row["id"] = random.choice([None, True, [Number("1")], "", random.choice(IDS)])
            case 5 if isinstance(row, dict): row["note"] = random.choice(UNKNOWN)
            case 6 if isinstance(row, dict): row.pop(random.choice(list(row) or [""]), None)
            case 7 if isinstance(row, dict): row["lastModified"] = random.choice([None, "soon", Number("-1"), pick_stamp(random)])
            case 8 if isinstance(row, dict): row["checked"] = random.choice(["yes", Number("1"), "no", None, True])
            case 9 if row is not None: items.append(copy.deepcopy(row))
            case 10 if isinstance(row, dict): root.setdefault("deletedItems", []).append(
                {"id": row.get("id"), "lastModified": pick_stamp(random), "by": "x"})
            case 11 if isinstance(root.get("sections"), list): root["sections"].insert(0, random.choice(
                [None, Number("2"), "", "DAIRY", "Bakery"]))
            case 12: root.pop(random.choice(["schemaVersion", "sections", "deletedItems", "note"]), None)
            case 13: root[random.choice(["note", "other"])] = random.choice(UNKNOWN)
            case 14: root["schemaVersion"] = random.choice([None, Number("1.0"), Number("1")])
            case 15 if items: items.pop(random.randrange(len(items)))
    strange = set()
    for row in items:
        # Of several rows with one unusable id the second is known by its number, so it is another when the first is gone.
        if isinstance(row, dict) and isinstance(row.get("id"), (bool, list)):
            if canonical(row["id"]) in strange:
                row["id"] = None
            strange.add(canonical(row["id"]))
    if random.random() < 0.03:
        for name in ("items", "sections", "deletedItems"):
            if random.random() < 0.5:
                root[name] = None
            elif random.random() < 0.3 and name != "items":
                root.pop(name, None)
    else:
        root["items"] = items
    return root


def random_triple(random):
    """A base (None in half of all cases) and two lists that were made from it; sometimes from nothing in common."""
    base = random_list(random)

    def changed():
        root = base if random.random() < 0.9 else random_list(random)
        for _ in range(random.choice([0, 1, 1, 1, 2])):
            match random.randrange(5):
                case 0: root = exported(random, root)
                case 1: root = scribbled(random, root)
                case _: root = Server(random, random.choice([0, 0, 1, 2000])).edited(root, random.randint(1, 3))
        return root
    ours, theirs = changed(), changed()
    return (None if random.random() < 0.5 else base), ours, theirs


def says(root):
    return canonical(Listing(root).written())
