"""Makes shopping lists for measuring, the same ones every time: python3 lists.py ITEMS LIST

As a Node.js server would write them: JSON.stringify(list, null, 2). A row takes about 240 bytes, so that 100,000 make
24 MB. Names differ, one in ten has letters beyond ASCII, one in four is bought.
"""

import json
import random
import sys
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path

SECTIONS = ["Produce", "Bakery", "Dairy", "Baking", "Sweets", "Frozen", "Household", "Getränke", "Drogerie", "Pets"]
THINGS = ["Milk", "Bread", "Bananas", "Coffee beans", "Olive oil", "Dish soap", "Crème fraîche", "Rice", "Tea", "Salt"]
KINDS = ["fresh", "organic", "large", "small", "red", "plain", "wholemeal", "frozen"]
AMOUNTS = ["", "", "1", "2 l", "500 g", "a bunch", "6", "3 packs"]
START = datetime(2026, 1, 1, tzinfo=timezone.utc)


def name(number: int) -> str:
    """The name of an item, each its own."""
    return f"{THINGS[number % len(THINGS)]} {KINDS[number // 10 % len(KINDS)]} {number}"


def rows(count: int) -> list[dict]:
    """The rows of a list."""
    source = random.Random(count)
    return [
        {
            "id": str(uuid.UUID(int=source.getrandbits(128), version=4)).upper(),
            "name": name(number),
            "amount": source.choice(AMOUNTS),
            "section": source.choice(SECTIONS),
            "optional": source.random() < 0.1,
            "checked": source.random() < 0.25,
            "lastModified": stamp(source.randrange(10_000_000_000)),
        }
        for number in range(count)
    ]


def stamp(milliseconds: int) -> str:
    """An instant as JavaScript writes it, in milliseconds since START."""
    instant = START + timedelta(milliseconds=milliseconds)
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def make(count: int, path: Path) -> None:
    """Writes a list of so many items, unless this script has made it already."""
    if path.exists() and path.stat().st_mtime > Path(__file__).stat().st_mtime:
        return
    shopping_list = {"schemaVersion": 1, "sections": SECTIONS, "items": rows(count)}
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(shopping_list, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    partial.rename(path)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    make(int(sys.argv[1]), Path(sys.argv[2]))
