"""Lets the official Python client speak to get-bananas, in each way it has to begin a conversation.

    python official_client.py PATH-OF-GET-BANANAS

For every mode ("auto" asks with server/discover and falls back to initialize, "legacy" begins with initialize,
"2026-07-28" begins with neither) and with a user who can be asked and one who cannot: the client lists the tools,
calls each of them, reads each resource, and ends the conversation. The client checks every message against its own
model of the protocol, and every structured result against the tool's output schema. After it this script checks that
the server ended by itself with status 0 and said nothing on standard error.

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
from mcp.types import ElicitResult

TOOLS = {"get_shopping_list", "add_item", "remove_item", "update_item", "update_shopping_list"}
MODES = {"auto": "2026-07-28", "legacy": "2025-11-25", "2026-07-28": "2026-07-28"}

# The client does not tell how its server ended, so a shell between them writes it down.
LAUNCHER = '"$1" --file "$2"; echo $? >"$3"'


def check(condition: object, what: str) -> None:
    """Ends the run with a message unless the condition holds."""
    if not condition:
        raise SystemExit(f"official_client: {what}")


class User:
    """Answers the server's questions: no to the first, yes to every other."""

    def __init__(self) -> None:
        self.questions: list[str] = []

    async def __call__(self, context: object, params: object) -> ElicitResult:
        self.questions.append(params.message)
        if len(self.questions) == 1:
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content={"confirm": True})


async def call(client: Client, tool: str, arguments: dict[str, object], fails: bool = False) -> str:
    """Calls a tool and returns its text; the structured result must be there exactly when it did not fail."""
    result = await client.call_tool(tool, arguments)
    text = "\n".join(block.text for block in result.content)
    check(bool(result.is_error) == fails, f"{tool}: is_error is {result.is_error}: {text}")
    check((result.structured_content is None) == fails, f"{tool}: structured result of {text}")
    return text


async def converse(client: Client, path: Path, user: User | None) -> None:
    """What a host does: look at the tools, use them, read what there is to read."""
    tools = (await client.list_tools()).tools
    check({tool.name for tool in tools} == TOOLS and len(tools) == 5, f"the tools are {[tool.name for tool in tools]}")

    await call(client, "add_item", {"items": ["Milk", "Bread", {"name": "Eggs", "amount": "10", "section": "Dairy"}]})
    await call(client, "update_item", {"name": "milk", "checked": True, "section": "Dairy"})
    await call(client, "remove_item", {"name": "Bread"})
    await call(client, "remove_item", {"name": "Breda"}, fails=True)
    listed = await call(client, "get_shopping_list", {})
    check("Milk" in listed and "Eggs" in listed and "Bread" not in listed, f"the list is {listed}")

    emptying = {"items": ["Tea"]}
    await call(client, "update_shopping_list", emptying, fails=True)
    check(len(json.loads(path.read_text())["items"]) == 2, "a replace that was not agreed to changed the list")
    if user is not None:
        await call(client, "update_shopping_list", emptying)
        check(len(user.questions) == 2, f"the user was asked {user.questions}")
        check([row["name"] for row in json.loads(path.read_text())["items"]] == ["Tea"], "the agreed replace is not there")

    resources = (await client.list_resources()).resources
    for resource in resources:
        contents = (await client.read_resource(str(resource.uri))).contents
        check(len(contents) == 1 and contents[0].text, f"{resource.uri} is empty")
        if str(resource.uri) == "shopping-list://current":
            check(contents[0].text == path.read_text(), "the resource differs from the file")
    check("shopping-list://current" in [str(resource.uri) for resource in resources], "the list is no resource")
    templates = (await client.list_resource_templates()).resource_templates
    check(len(templates) == 1, "there is one template")
    if user is None:
        section = await client.read_resource("shopping-list://section/dairy")
        check("Eggs" in section.contents[0].text, "the section has no Eggs")


async def conversation(server: str, mode: str, asks: bool) -> None:
    """One server from start to end."""
    with tempfile.TemporaryDirectory() as folder:
        path, status = Path(folder, "BananaList.json"), Path(folder, "status")
        parameters = StdioServerParameters(
            command="/bin/sh",
            args=["-c", LAUNCHER, "sh", server, str(path), str(status)],
            env={"XDG_STATE_HOME": str(Path(folder, "state"))},
        )
        user = User() if asks else None
        with open(Path(folder, "noise"), "w+") as noise:
            client = Client(stdio_client(parameters, noise), mode=mode, elicitation_callback=user)
            async with client:
                check(client.protocol_version == MODES[mode], f"{mode} became {client.protocol_version}")
                await converse(client, path, user)
            noise.seek(0)
            said = noise.read()
        check(said == "", f"on standard error: {said}")
        check(status.exists(), "the server had to be killed")
        check(status.read_text().strip() == "0", f"the server ended with {status.read_text()}")


def main() -> None:
    """Runs every mode, with and without a user who can be asked."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    server = os.path.abspath(sys.argv[1])
    for mode, version in MODES.items():
        for asks in (False, True):
            asyncio.run(asyncio.wait_for(conversation(server, mode, asks), 60))
            asked = "asks its user" if asks else "cannot ask its user"
            print(f"official Python client, mode {mode}, speaks {version}, {asked}: all well")


if __name__ == "__main__":
    main()
