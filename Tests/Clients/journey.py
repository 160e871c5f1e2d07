"""What every client does with the server, and what has to come of it.

A client's script wraps its library in a `Host`, starts the server through `Server`, and hands both to the steps below.
Each step asserts what came back and what the file holds. The scripts are run by `conformance`, which then checks the
recordings of what went over the wire.

    server = Server.from_arguments()        # script.py GET-BANANAS FOLDER [MODE]
    with server.list_file() as path: …
        await shop(host, path)
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

TOOLS = {"get_shopping_list", "add_item", "remove_item", "update_item", "update_shopping_list"}
CURRENT, CHECKLIST = "shopping-list://current", "shopping-list://current.md"
TEMPLATE = "shopping-list://section/{section}"

# How long anything may take that is waited for, in seconds. Machines are shared.
PATIENCE = 30


class Failure(Exception):
    """Something is not as it should be."""


def check(condition: object, what: str) -> None:
    if not condition:
        raise Failure(what)


@dataclass
class Reply:
    """What a tool call came to. Some hosts show only one of text and structure; the other is None then."""

    text: str | None
    structured: dict | None
    failed: bool = False

    @property
    def all(self) -> str:
        return "\n".join(part for part in (self.text, self.structured and json.dumps(self.structured)) if part)


class Host(Protocol):
    """A client library, as far as all of them go."""

    async def tools(self) -> list[str]: ...

    async def call(self, tool: str, arguments: dict[str, object]) -> Reply: ...

    async def resources(self) -> list[str]: ...

    async def read(self, uri: str) -> str: ...


@dataclass
class User:
    """Who is asked. `answers` are given one after the other: the action, and the content of an accepted form."""

    answers: list[tuple[str, dict[str, object] | None]] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)

    def answer(self, question: str) -> tuple[str, dict[str, object] | None]:
        self.questions.append(question)
        check(self.answers, f"asked once more than expected: {question}")
        return self.answers.pop(0)


@dataclass
class Server:
    """The program under test, behind the recorder."""

    binary: str
    recordings: str
    mode: str | None

    @classmethod
    def from_arguments(cls) -> "Server":
        return cls(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)

    def arguments(self, path: Path) -> list[str]:
        """What to run instead of the server, after the name of the interpreter."""
        recorder = str(Path(__file__).with_name("recorder.py"))
        return ["-I", "-S", recorder, self.recordings, self.binary, "--file", str(path)]

    @property
    def command(self) -> str:
        return sys.executable

    def environment(self, path: Path) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "HOME": str(path.parent), "XDG_STATE_HOME": str(path.parent / "state")}

    @contextmanager
    def list_file(self):
        """The path of a list that does not exist yet."""
        with TemporaryDirectory() as folder:
            yield Path(folder, "BananaList.json")

    def other_writer(self, path: Path, tool: str, arguments: dict[str, object]) -> None:
        """Changes the list from outside, as a second host would."""
        done = subprocess.run(
            [self.binary, "call", tool, json.dumps(arguments), "--file", str(path)],
            env=self.environment(path), capture_output=True, text=True, timeout=PATIENCE,
        )
        check(done.returncode == 0, f"{tool} of another process: {done.stdout}{done.stderr}")


def names(path: Path) -> list[str]:
    """The names in the list's file."""
    return [row["name"] for row in json.loads(path.read_text())["items"]]


async def call(host: Host, tool: str, arguments: dict[str, object], fails: bool = False) -> Reply:
    reply = await host.call(tool, arguments)
    check(reply.failed == fails, f"{tool} {arguments}: failed is {reply.failed}: {reply.all}")
    return reply


async def revision(host: Host) -> str:
    """The list's revision, from the structure or from the last line of the text."""
    reply = await call(host, "get_shopping_list", {})
    if reply.structured and "revision" in reply.structured:
        return reply.structured["revision"]
    return reply.text.rsplit("Revision ", 1)[1].split(".")[0]


async def shop(host: Host, path: Path) -> None:
    """The five tools and the resources, from an empty list on. Leaves Milk and Eggs, both in Dairy."""
    tools = await host.tools()
    check(len(tools) == 5 and set(tools) == TOOLS, f"the tools are {tools}")
    listed = await call(host, "get_shopping_list", {})
    check(not path.exists(), f"reading made a file; the answer was {listed.all}")

    items = ["Milk", "Bread", {"name": "Eggs", "amount": "10", "section": "Dairy"}]
    await call(host, "add_item", {"items": items})
    await call(host, "update_item", {"name": "milk", "checked": True, "section": "Dairy"})
    await call(host, "remove_item", {"name": "Bread"})
    refused = await call(host, "remove_item", {"name": "Mlk"}, fails=True)
    check("Milk" in refused.all, f"the refusal names nothing near: {refused.all}")
    again = await call(host, "add_item", {"name": "Eggs"})
    check(again.text is None or again.text.startswith("NOT ADDED"), f"a second Eggs: {again.text}")
    listed = await call(host, "get_shopping_list", {})
    for name, there in (("Milk", True), ("Eggs", True), ("Bread", False)):
        check((name in listed.all) == there, f"{name}: {listed.all}")
    check(names(path) == ["Milk", "Eggs"], f"the file has {names(path)}")
    await read(host, path)


async def read(host: Host, path: Path) -> None:
    """Every resource."""
    resources = await host.resources()
    check({CURRENT, CHECKLIST} <= set(resources), f"the resources are {resources}")
    for uri in resources:
        text = await host.read(uri)
        check(text, f"{uri} is empty")
        if uri == CURRENT:
            check(text == path.read_text(), "the resource differs from the file")
        if uri == CHECKLIST:
            check("- [x] Milk" in text and "- [ ] Eggs" in text, f"the checklist is {text}")


async def replace_unasked(host: Host, path: Path) -> None:
    """A host that cannot ask its user: the whole list is replaced only with its present revision."""
    before = path.read_bytes()
    refused = await call(host, "update_shopping_list", {"items": ["Tea"]}, fails=True)
    check("Milk" in refused.all, f"the refusal does not say what would go: {refused.all}")
    check(path.read_bytes() == before, "a refused replace changed the file")
    await call(host, "update_shopping_list", {"items": ["Tea"], "expected_revision": await revision(host)})
    check(names(path) == ["Tea"], f"the replace made {names(path)}")


async def replace_asked(host: Host, path: Path, user: User) -> None:
    """A host that asks its user: nothing but a yes removes anything."""
    before = path.read_bytes()
    for answer in (("decline", None), ("cancel", None), ("accept", {"confirm": False})):
        user.answers, user.questions = [answer], []
        await call(host, "update_shopping_list", {"items": ["Tea"]}, fails=True)
        check(len(user.questions) == 1, f"asked {user.questions}")
        check("Milk" in user.questions[0] and "Eggs" in user.questions[0], f"the question was {user.questions[0]}")
        check(path.read_bytes() == before, f"{answer} changed the file")
    user.answers, user.questions = [("accept", {"confirm": True})], []
    await call(host, "update_shopping_list", {"items": ["Tea"]})
    check(names(path) == ["Tea"], f"the replace made {names(path)}")


async def follow(
    server: Server, path: Path, next_update: Callable[[], Awaitable[str]], read_current: Callable[[], Awaitable[str]]
) -> None:
    """With a subscription to the list open: a change from outside is told, and what is read then has it."""
    server.other_writer(path, "add_item", {"name": "Jam"})
    uri = await asyncio.wait_for(next_update(), PATIENCE)
    check(uri == CURRENT, f"told of {uri}")
    text = await read_current()
    check("Jam" in text, "what was read after the news is old")


async def templates(listed: list[str], read_uri: Callable[[str], Awaitable[str]]) -> None:
    """The template of the sections."""
    check(listed == [TEMPLATE], f"the templates are {listed}")
    text = await read_uri("shopping-list://section/dairy")
    check("Eggs" in text, f"the section is {text}")


async def refuses(what: str, attempt: Awaitable[object], *kinds: type[BaseException]) -> None:
    """The attempt has to end in one of the errors."""
    try:
        got = await attempt
    except kinds:
        return
    raise Failure(f"{what} was answered with {got}")


def reason(error: BaseException) -> str:
    """The errors inside the groups that task groups wrap them in."""
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(reason(inner) for inner in error.exceptions)
    return f"{type(error).__name__}: {error}"


def run(*stories: Callable[[], Awaitable[None]]) -> None:
    """Runs the stories one after the other; exits with 1 and a line that says why at the first that fails."""
    for story in stories:
        try:
            asyncio.run(asyncio.wait_for(story(), 4 * PATIENCE))
        except Exception as error:
            raise SystemExit(f"{story.__name__}: {reason(error)}") from None
