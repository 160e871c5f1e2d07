"""Plays a host that installs the bundle, with the official Python client as its voice.

    python install_test.py BUNDLE

Hosts differ in what they do to a bundle, so it is unpacked as one does that keeps the modes, as one that gives every file
mode 0600, and into a folder that is not writable, by a user who does not own it. Each time the variables of the manifest
are put in as hosts do (a path that is set, one that is empty, one that stays the literal `${…}`), and the server is started
as `mcp_config` says: in the working directory /, with an environment that holds nothing but what the manifest gives. Then:

- the client lists the tools, adds an item and finds it in the file;
- the server ends by itself when its input ends, and on SIGTERM, each with status 0; after SIGKILL the next one works;
- two servers at once lose nothing.

The manifest is also checked against the official schema where that is at hand (../shared/mcpb-schema). Prints one line per
check. Exits with 1 at the first thing that is not as it should be.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import jsonschema
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

SCHEMA = Path(__file__).resolve().parents[3] / "shared/mcpb-schema/mcpb-manifest-v0.3.schema.json"
UNFILLED = "${user_config.list_file}"
NOBODY = 65534


class Failure(Exception):
    """Something is not as it should be."""


def check(condition: object, what: str) -> None:
    """Ends the run with a message unless the condition holds."""
    if not condition:
        raise Failure(what)


def unpack(bundle: Path, folder: Path, modes: str) -> dict:
    """Unpacks as a host does and returns the manifest. `modes`: kept, or dropped to 0600, or 0644 for another user."""
    with zipfile.ZipFile(bundle) as archive:
        for entry in archive.infolist():
            target = folder / entry.filename
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(entry))
            mode = {"kept": entry.external_attr >> 16 & 0o777, "dropped": 0o600, "another's": 0o644}[modes]
            target.chmod(mode)
    return json.loads((folder / "manifest.json").read_text())


class Installed:
    """A bundle that was unpacked, and how its manifest says to start it."""

    def __init__(self, manifest: dict, folder: Path, setting: str) -> None:
        config = manifest["server"]["mcp_config"]
        variables = {"${__dirname}": str(folder), UNFILLED: setting}

        def filled(text: str) -> str:
            for name, value in variables.items():
                text = text.replace(name, value)
            return text

        self.command = [filled(config["command"]), *map(filled, config["args"])]
        self.environment = {name: filled(value) for name, value in config["env"].items()}

    def client(self) -> Client:
        """The official client; `env -i` takes away what it would give the server besides."""
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        parameters = StdioServerParameters(command="/usr/bin/env", args=["-i", *variables, *self.command], cwd="/")
        return Client(stdio_client(parameters))

    def start(self, user: int | None = None) -> subprocess.Popen:
        """The server alone, for its end to be seen."""
        return subprocess.Popen(
            self.command, env=self.environment, cwd="/", user=user, group=user, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ask(server: subprocess.Popen, method: str, **params: object) -> dict:
    """One request and its answer."""
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
    server.stdin.flush()
    line = server.stdout.readline()
    check(line, f"no answer to {method}: {server.stderr.read() if not line else ''}")
    return json.loads(line)


def end(server: subprocess.Popen) -> tuple[int, str]:
    """How it ended, and what it had said on standard error."""
    _, said = server.communicate(timeout=30)
    return server.returncode, said


def names(path: Path) -> list[str]:
    """The names in the list's file."""
    return [row["name"] for row in json.loads(path.read_text())["items"]]


async def converse(installed: Installed, manifest: dict, path: Path, items: list[str]) -> None:
    """What a host does."""
    async with installed.client() as client:
        tools = (await client.list_tools()).tools
        declared = [(tool["name"], tool["description"]) for tool in manifest["tools"]]
        check([(tool.name, tool.description) for tool in tools] == declared, "the manifest's tools are others")
        for item in items:
            result = await client.call_tool("add_item", {"name": item})
            check(not result.is_error, f"add_item: {result.content}")
    check(set(items) <= set(names(path)), f"of {items} the list has only {names(path)}")


def started_by_a_host(bundle: Path, scratch: Path, modes: str) -> None:
    """Unpacked in one way: the client's conversation, and the ways to stop a server."""
    folder = scratch / f"Host's Extensions/{modes}" / "get-bananas"
    folder.mkdir(parents=True)
    manifest = unpack(bundle, folder, modes)
    path = scratch / f"my lists/{modes}.json"
    path.parent.mkdir(exist_ok=True)
    installed = Installed(manifest, folder, str(path))
    asyncio.run(asyncio.wait_for(converse(installed, manifest, path, ["Milk", "Bread"]), 60))

    server = installed.start()
    ask(server, "ping")
    server.stdin.close()
    server.stdin = None
    check(end(server) == (0, ""), f"after its input had ended: {server.returncode}")

    server = installed.start()
    ask(server, "ping")
    server.send_signal(signal.SIGTERM)
    check(end(server) == (0, ""), f"after SIGTERM: {server.returncode}")

    server = installed.start()
    ask(server, "tools/call", name="add_item", arguments={"name": "Eggs"})
    server.kill()
    check(end(server)[0] == -signal.SIGKILL, f"the pid that a host kills is not the server's: {server.returncode}")
    asyncio.run(asyncio.wait_for(converse(installed, manifest, path, ["Tea"]), 60))
    check(names(path) == ["Milk", "Bread", "Eggs", "Tea"], f"after SIGKILL: {names(path)}")

    async def two_at_once() -> None:
        halves = [[f"{half} {number}" for number in range(30)] for half in ("Left", "Right")]
        await asyncio.gather(*(converse(installed, manifest, path, half) for half in halves))

    asyncio.run(asyncio.wait_for(two_at_once(), 60))
    check(len(names(path)) == 64 == len(set(names(path))), f"two at once: {len(names(path))} items")
    print(f"modes {modes}: started, stopped in three ways, two at once: all well")


def unset_path(bundle: Path, scratch: Path) -> None:
    """A path that the user did not set leads to the usual place, whichever way the host says so."""
    folder = scratch / "unset"
    manifest = unpack(bundle, folder, "dropped")
    for number, setting in enumerate(["", UNFILLED]):
        installed = Installed(manifest, folder, setting)
        data = scratch / f"data {number}"
        installed.environment |= {"XDG_DATA_HOME": str(data), "XDG_STATE_HOME": str(scratch / "state")}
        asyncio.run(asyncio.wait_for(converse(installed, manifest, data / "get-bananas/BananaList.json", ["Milk"]), 60))
        print(f"path {setting!r}: the usual place")


def another_user(bundle: Path, scratch: Path) -> None:
    """Who may not give the server its bit back runs a copy, of which nothing is left."""
    if os.geteuid() != 0:
        print("not tried: a bundle of another user (only the superuser can become one)")
        return
    folder = scratch / "another user"
    manifest = unpack(bundle, folder, "another's")
    scratch.chmod(0o755)
    place = scratch / "temporary"
    place.mkdir()
    place.chmod(0o1777)
    installed = Installed(manifest, folder, str(place / "BananaList.json"))
    installed.environment |= {"TMPDIR": str(place), "XDG_STATE_HOME": str(place / "state")}
    server = installed.start(user=NOBODY)
    ask(server, "ping")
    check(list(place.iterdir()) == [], f"beside a running copy: {list(place.iterdir())}")
    answer = ask(server, "tools/call", name="add_item", arguments={"name": "Milk"})
    check(not answer["result"]["isError"] if "isError" in answer["result"] else True, f"{answer}")
    server.stdin.close()
    server.stdin = None
    check(end(server) == (0, ""), f"a copy: {server.returncode}")
    left = {entry.name for entry in place.iterdir()} - {"state"}
    check(left == {"BananaList.json"}, f"left: {left}")
    print("a bundle of another user, without execute bits: a private copy runs, nothing is left of it")


def follows_the_schema(bundle: Path) -> None:
    """The manifest inside, and that what it names is there."""
    with zipfile.ZipFile(bundle) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        for name in (manifest["icon"], manifest["server"]["entry_point"], "server/launch"):
            check(name in archive.namelist(), f"{name} is not in the bundle")
    if not SCHEMA.exists():
        print("not tried: the official schema, which is no part of this repository")
        return
    schema = json.loads(SCHEMA.read_text())
    checker = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())
    errors = [error.message for error in checker.iter_errors(manifest)]
    check(errors == [], f"manifest.json: {errors}")
    check(list(checker.iter_errors(manifest | {"homepag": ""})) != [], "the schema accepts a key that it does not know")
    print("manifest.json follows the official schema")


def main() -> None:
    """Runs every check."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    bundle = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        try:
            follows_the_schema(bundle)
            for modes in ("kept", "dropped"):
                started_by_a_host(bundle, scratch, modes)
            unset_path(bundle, scratch)
            another_user(bundle, scratch)
        except Exception as error:
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            raise SystemExit(f"install test: {error!r}")


if __name__ == "__main__":
    main()
