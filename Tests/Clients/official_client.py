"""Lets the official Python client speak to get-bananas, in each way it has to begin a conversation.

    python official_client.py PATH-OF-GET-BANANAS

For every mode ("auto" asks with server/discover and falls back to initialize, "legacy" begins with initialize,
"2026-07-28" begins with neither) the client lists the tools, calls each of them, reads each resource, and ends the
conversation. The client checks every message against its own model of the protocol, and every structured result
against the tool's output schema. After it this script checks that the server ended by itself with status 0 and said
nothing on standard error.

Prints one line per conversation. Exits with 1 at the first thing that is not as it should be.
"""

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

TOOLS = {"get_shopping_list", "add_item", "remove_item", "update_item", "update_shopping_list"}
MODES = {"auto": "2026-07-28", "legacy": "2025-11-25", "2026-07-28": "2026-07-28"}

# The client does not tell how its server ended, so a shell between them writes it down.
LAUNCHER = '"$1" --file "$2"; echo $? >"$3"'


class Failure(Exception):
    """Something is not as it should be."""


def check(condition: object, what: str) -> None:
    """Ends the run with a message unless the condition holds."""
    if not condition:
        raise Failure(what)


async def call(client: Client, tool: str, arguments: dict[str, object], fails: bool = False) -> str:
    """Calls a tool and returns its text; the structured result must be there exactly when it did not fail."""
    result = await client.call_tool(tool, arguments)
    text = "\n".join(block.text for block in result.content)
    check(bool(result.is_error) == fails, f"{tool}: is_error is {result.is_error}: {text}")
    check((result.structured_content is None) == fails, f"{tool}: structured result of {text}")
    return text


async def converse(client: Client, path: Path) -> None:
    """What a host does: look at the tools, use them, read what there is to read."""
    tools = (await client.list_tools()).tools
    check({tool.name for tool in tools} == TOOLS and len(tools) == 5, f"the tools are {[tool.name for tool in tools]}")

    await call(client, "add_item", {"items": ["Milk", "Bread", {"name": "Eggs", "amount": "10", "section": "Dairy"}]})
    await call(client, "update_item", {"name": "milk", "checked": True, "section": "Dairy"})
    await call(client, "remove_item", {"name": "Bread"})
    await call(client, "remove_item", {"name": "Breda"}, fails=True)
    listed = await call(client, "get_shopping_list", {})
    check("Milk" in listed and "Eggs" in listed and "Bread" not in listed, f"the list is {listed}")

    replacing = {"items": ["Tea"]}
    await call(client, "update_shopping_list", replacing, fails=True)
    check(names(path) == ["Milk", "Eggs"], f"a replace that was refused changed the list to {names(path)}")
    whole = await client.call_tool("get_shopping_list", {})
    replacing["expected_revision"] = whole.structured_content["revision"]
    await call(client, "update_shopping_list", replacing)
    check(names(path) == ["Tea"], f"the replace made the list {names(path)}")

    resources = (await client.list_resources()).resources
    for resource in resources:
        contents = (await client.read_resource(str(resource.uri))).contents
        check(len(contents) == 1 and contents[0].text, f"{resource.uri} is empty")
        if str(resource.uri) == "shopping-list://current":
            check(contents[0].text == path.read_text(), "the resource differs from the file")
    check("shopping-list://current" in [str(resource.uri) for resource in resources], "the list is no resource")
    templates = (await client.list_resource_templates()).resource_templates
    check(templates == [], f"the templates are {templates}")


def names(path: Path) -> list[str]:
    """The names in the list's file."""
    return [row["name"] for row in json.loads(path.read_text())["items"]]


async def conversation(server: str, mode: str) -> None:
    """One server from start to end."""
    with tempfile.TemporaryDirectory() as folder:
        path, status = Path(folder, "BananaList.json"), Path(folder, "status")
        parameters = StdioServerParameters(
            command="/bin/sh",
            args=["-c", LAUNCHER, "sh", server, str(path), str(status)],
            env={"XDG_STATE_HOME": str(Path(folder, "state"))},
        )
        with open(Path(folder, "noise"), "w+") as noise:
            client = Client(stdio_client(parameters, noise), mode=mode)
            async with client:
                check(client.protocol_version == MODES[mode], f"{mode} became {client.protocol_version}")
                await converse(client, path)
            noise.seek(0)
            said = noise.read()
        check(said == "", f"on standard error: {said}")
        check(status.exists(), "the server had to be killed")
        check(status.read_text().strip() == "0", f"the server ended with {status.read_text()}")


def reason(error: BaseException) -> BaseException:
    """The one error inside the groups that task groups wrap it in."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def main() -> None:
    """Runs every mode."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    server = os.path.abspath(sys.argv[1])
    for mode, version in MODES.items():
        try:
            asyncio.run(asyncio.wait_for(conversation(server, mode), 60))
        except Exception as error:
            raise SystemExit(f"official Python client, mode {mode}: {reason(error)!r}")
        print(f"official Python client, mode {mode}, speaks {version}: all well")


if __name__ == "__main__":
    main()
