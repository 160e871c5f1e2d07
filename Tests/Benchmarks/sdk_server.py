"""A small server on the official Python SDK: python sdk_server.py LIST

The least that does the five tools with the SDK's own means. It reads and parses the whole list at every call, writes it
beside and renames it: no lock, no fsync, no history, no merge. Its answers are text alone.
"""

import json
import os
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

from mcp.server import MCPServer

PATH = Path(sys.argv[1])
server = MCPServer("sdk-server")


def read() -> dict:
    return json.loads(PATH.read_bytes())


def write(shopping_list: dict) -> None:
    temporary = PATH.with_suffix(".tmp")
    temporary.write_text(json.dumps(shopping_list, indent=2, ensure_ascii=False), encoding="utf-8")
    os.replace(temporary, PATH)


def now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def find(shopping_list: dict, name: str) -> int:
    wanted = name.lower()
    for index, item in enumerate(shopping_list["items"]):
        if item["name"].lower() == wanted:
            return index
    raise ValueError(f"{name} is not on the list")


@server.tool(structured_output=False)
def get_shopping_list() -> str:
    """Shows the shopping list."""
    sections: dict[str, list[str]] = {}
    for item in read()["items"]:
        amount = f" ({item['amount']})" if item["amount"] else ""
        sections.setdefault(item["section"], []).append(f"- [{'x' if item['checked'] else ' '}] {item['name']}{amount}")
    return "\n\n".join("\n".join([name or "No section", *lines]) for name, lines in sections.items())


@server.tool(structured_output=False)
def add_item(name: str, amount: str = "", section: str = "") -> str:
    """Adds an item."""
    shopping_list = read()
    wanted = name.lower()
    if any(item["name"].lower() == wanted for item in shopping_list["items"]):
        raise ValueError(f"{name} is already there")
    if section and section not in shopping_list["sections"]:
        shopping_list["sections"].append(section)
    shopping_list["items"].append({
        "id": str(uuid.uuid4()).upper(), "name": name, "amount": amount, "section": section, "optional": False,
        "checked": False, "lastModified": now()})
    write(shopping_list)
    return f"Added {name}."


@server.tool(structured_output=False)
def update_item(name: str, amount: str | None = None, checked: bool | None = None) -> str:
    """Changes an item."""
    shopping_list = read()
    item = shopping_list["items"][find(shopping_list, name)]
    changes = {"amount": amount, "checked": checked}
    item |= {key: value for key, value in changes.items() if value is not None} | {"lastModified": now()}
    write(shopping_list)
    return f"Changed {name}."


@server.tool(structured_output=False)
def remove_item(name: str) -> str:
    """Removes an item."""
    shopping_list = read()
    del shopping_list["items"][find(shopping_list, name)]
    write(shopping_list)
    return f"Removed {name}."


@server.tool(structured_output=False)
def update_shopping_list(items: list[dict]) -> str:
    """Replaces the list."""
    shopping_list = read()
    known = {item["name"].lower(): item for item in shopping_list["items"]}
    rows = []
    for item in items:
        before = known.get(item["name"].lower())
        if before is None:
            before = {"id": str(uuid.uuid4()).upper(), "optional": False, "checked": False}
        is_same = all(before.get(key) == value for key, value in item.items())
        rows.append(before if is_same else before | item | {"lastModified": now()})
    shopping_list["items"] = rows
    write(shopping_list)
    return f"The list has {len(rows)} items."


server.run("stdio")
