"""Plays an MCP host in a browser: shows the view in a frame, and stands between it and the server.

    host = Host(browser, server, messages, theme="dark", locale="pl")
    await host.open()                        # the frame is there, the model has called get_shopping_list, it is shown
    await host.box("Milk").check()           # what a person does
    await host.quiet()                       # everything is sent, answered, and read again
    await host.close()                       # tears down; fails if any message was wrong

The frame is `sandbox="allow-scripts"` and nothing more, and is served with the content security policy that the
specification demands for a view that declares no domains. Every request to a network is refused and counted as wrong;
so is every error that the browser reports. Every message, either way, is checked (schemas.py).

`host.on_call` decides what becomes of a call of the view: None hands it on to the server.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.async_api import Browser, Frame, Locator, Page, expect
from schemas import Messages
from server import Server

HERE = Path(__file__).resolve().parent
MIME_TYPE = "text/html;profile=mcp-app"

# Section "UI Resource Format" of the specification, without 'self': a sandboxed frame has no origin of its own.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; media-src data:; "
    "connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'"
)
# All that this host can do.
CAPABILITIES = {"serverTools": {}, "updateModelContext": {"text": {}}, "logging": {}}
SETTLED = """() => new Promise((done) => {
  const look = () => !working && !jobs.length && !waiting.size ? done() : setTimeout(look, 5);
  look();
})"""

DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


class Refused(Exception):
    """The host's own error answer to a call."""


class Host:
    def __init__(self, browser: Browser, server: Server, messages: Callable[[], Messages], *, width: int = 700,
                 height: int = 900, capabilities: dict | None = None, clock: bool = False, reduced: bool = True,
                 scheme: str = "light", scale: float = 1, **context: object) -> None:
        self.browser, self.server, self.messages = browser, server, messages()
        self.size = {"width": width, "height": height}
        self.capabilities = CAPABILITIES if capabilities is None else capabilities
        self.clock, self.reduced, self.scheme, self.scale = clock, reduced, scheme, scale
        self.context = {"theme": "light", "locale": "en", "displayMode": "inline", "containerDimensions": {"maxHeight": 5000},
                        "timeZone": "UTC"} | context
        self.log: list[tuple[str, dict]] = []
        self.problems: list[str] = []
        self.calls: list[dict] = []
        self.told: list[dict] = []
        self.on_call: Callable[[dict], Awaitable[dict | None]] | None = None
        self.frame_height = 0
        self.initialized = asyncio.Event()
        self.answers: dict[object, asyncio.Future] = {}
        self.tasks: set[asyncio.Task] = set()
        self.answers_initialize = True
        self.page: Page
        self.frame: Frame

    # The view's frame.

    async def load(self) -> None:
        """Reads the view from the server and opens it; ends when the view has said that it is ready."""
        tools = (await self.server.request("tools/list"))["tools"]
        views = {tool["name"]: tool["_meta"]["ui"]["resourceUri"] for tool in tools if "ui" in tool.get("_meta", {})}
        assert list(views) == ["get_shopping_list"], f"the tools with a view are {views}"
        (contents,) = (await self.server.request("resources/read", {"uri": views["get_shopping_list"]}))["contents"]
        assert contents["mimeType"] == MIME_TYPE, contents["mimeType"]
        assert "csp" not in contents["_meta"]["ui"], "the view declares domains"
        browsing = await self.browser.new_context(
            viewport=self.size, reduced_motion="reduce" if self.reduced else "no-preference", color_scheme=self.scheme,
            device_scale_factor=self.scale, locale="en-US")
        browsing.set_default_timeout(10_000)
        if self.clock:
            await browsing.clock.install()
        await browsing.expose_function("fromView", self.heard)

        async def serve(route) -> None:
            url = route.request.url
            if url == "https://host.example/":
                await route.fulfill(body=(HERE / "host.html").read_text(), content_type="text/html")
            elif url == "https://view.example/list.html":
                await route.fulfill(body=contents["text"], content_type="text/html; charset=utf-8",
                                    headers={"Content-Security-Policy": POLICY})
            else:
                if not url.endswith("/favicon.ico"):
                    self.problems.append(f"asks the network for {url}")
                await route.abort()

        await browsing.route("**/*", serve)
        self.page = await browsing.new_page()
        self.page.on("pageerror", lambda error: self.problems.append(f"an error in the page: {error}"))
        self.page.on("console", lambda said: said.type in ("error", "warning") and "favicon" not in said.location["url"]
                     and self.problems.append(f"the browser says: {said.text}"))
        await self.page.goto("https://host.example/")
        self.frame = next(frame for frame in self.page.frames if frame != self.page.main_frame)
        if self.answers_initialize:
            await asyncio.wait_for(self.initialized.wait(), 20)

    async def open(self, **arguments: object) -> "Host":
        """Opens the view for a call of the model with these arguments, and waits until the list is there."""
        result = await self.server.call("get_shopping_list", arguments)
        await self.load()
        await self.send("ui/notifications/tool-input", {"arguments": arguments})
        await self.send("ui/notifications/tool-result", result)
        await self.quiet()
        return self

    async def close(self) -> None:
        """Asks the view to end, as a host must, and looks at what has passed."""
        if self.initialized.is_set():
            answer = await self.ask("ui/resource-teardown", {})
            assert answer == {"result": {}}, answer
            heard = len(self.log)
            await self.frame.evaluate("refresh()")
            await self.page.evaluate("0")
            if len(self.log) != heard:
                self.problems.append("speaks after its end")
        await self.page.context.close()
        assert not self.problems, "\n".join(self.problems)

    # Messages.

    async def send(self, method: str, params: dict) -> None:
        await self.post({"jsonrpc": "2.0", "method": method, "params": params})

    async def ask(self, method: str, params: dict | None = None) -> dict:
        """What the view answers to a request of the host."""
        identity = f"host-{len(self.log)}"
        future = self.answers[identity] = asyncio.get_running_loop().create_future()
        await self.post({"jsonrpc": "2.0", "id": identity, "method": method, **({"params": params} if params is not None else {})})
        message = await asyncio.wait_for(future, 20)
        return {key: message[key] for key in message if key not in ("jsonrpc", "id")}

    async def post(self, message: dict) -> None:
        self.note("host", message)
        await self.page.evaluate("(message) => toView(message)", message)

    def note(self, sender: str, message: dict) -> None:
        self.log.append((sender, message))
        self.problems += [f"{sender}: {problem}" for problem in self.messages.problems(sender, message)]

    def heard(self, message: dict) -> None:
        """A message of the view."""
        self.note("view", message)
        method = message.get("method")
        if not self.initialized.is_set() and method not in ("ui/initialize", "ui/notifications/initialized"):
            self.problems.append(f"sends {method} before it is initialized")
        if method is None:
            if (future := self.answers.pop(message.get("id"), None)) is not None:
                future.set_result(message)
        elif method == "ui/notifications/initialized":
            self.initialized.set()
        elif method == "ui/notifications/size-changed":
            self.frame_height = message["params"]["height"]
            self.start(self.page.evaluate("(height) => { frame.style.height = height + 'px' }", self.frame_height))
        elif "id" in message:
            self.start(self.answer(message))

    def start(self, work: Awaitable) -> None:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.ended)

    def ended(self, task: asyncio.Task) -> None:
        self.tasks.discard(task)
        # A page that was closed meanwhile hears nothing more.
        if not task.cancelled() and (error := task.exception()) and "closed" not in str(error):
            self.problems.append(f"the host itself: {error!r}")

    async def answer(self, message: dict) -> None:
        try:
            if (result := await self.result(message["method"], message.get("params", {}))) is None:
                return
            answer = {"result": result}
        except Refused as refusal:
            answer = {"error": {"code": -32000, "message": str(refusal)}}
        await self.post({"jsonrpc": "2.0", "id": message["id"], **answer})

    async def result(self, method: str, params: dict) -> dict | None:
        """What this host answers to a request of the view; None for nothing at all."""
        if method == "ui/initialize":
            return {"protocolVersion": "2026-01-26", "hostInfo": {"name": "view-test", "version": "1"},
                    "hostCapabilities": self.capabilities, "hostContext": self.context} if self.answers_initialize else None
        if method == "ui/update-model-context":
            self.told.append(params)
            return {}
        assert method == "tools/call", method
        self.calls.append(params)
        if self.on_call is not None and (made := await self.on_call(params)) is not None:
            return None if made == "silence" else made
        return await self.server.call(params["name"], params.get("arguments", {}))

    @property
    def writes(self) -> list[dict]:
        return [call for call in self.calls if call["name"] != "get_shopping_list"]

    # What a person sees and does.

    async def quiet(self) -> None:
        """Nothing is on its way any more, and the host has done what it was told."""
        await self.ask("ping")
        await self.frame.evaluate(SETTLED)
        while self.tasks:
            await asyncio.gather(*self.tasks, return_exceptions=True)
            await self.frame.evaluate(SETTLED)
        # Both pages are drawn anew: what is clicked on next stays where it is.
        await self.page.evaluate(DRAWN)
        await self.frame.evaluate(DRAWN)

    def find(self, selector: str) -> Locator:
        return self.frame.locator(selector)

    def row(self, name: str) -> Locator:
        return self.find("li").filter(has=self.frame.locator(".name", has_text=name))

    def box(self, name: str) -> Locator:
        return self.row(name).locator(".row .tick")

    def button(self, name: str) -> Locator:
        return self.frame.get_by_role("button", name=name, exact=True)

    async def edit(self, row: str) -> Locator:
        await self.row(row).locator(".more").click()
        return self.find("#editor")

    async def add(self, name: str, amount: str = "", section: str = "") -> None:
        await self.find("#name").fill(name)
        if amount:
            await self.find("#amount").fill(amount)
        if section:
            await self.find("#section").fill(section)
        await self.find("#name").press("Enter")

    async def names(self) -> list[str]:
        return await self.find("li .name").all_text_contents()

    async def said(self) -> str:
        return (await self.find("#said").text_content()).replace("\u2068", "").replace("\u2069", "")

    async def shows(self, selector: str, text: str) -> None:
        """The text stands there, whatever isolates the names in it."""
        isolated = re.compile("[\u2068\u2069]*".join(map(re.escape, text)))
        await expect(self.find(selector)).to_contain_text(isolated)

    def sees(self, locator: Locator):
        return expect(locator)
