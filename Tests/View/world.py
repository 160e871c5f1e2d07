"""Where one scenario happens: a list in a folder of its own, servers on it, and views of it.

    @scenario("a tick goes into the file")
    async def ticking(world: World) -> None:
        view = await world.view(WEEKEND)
        …

Everything is ended when the scenario is, and every view and every server must have ended well.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from host import Host
from playwright.async_api import Browser
from schemas import Messages
from server import Server

SCENARIOS: list[tuple[str, Callable[["World"], Awaitable[None]]]] = []

# name, amount, section, optional, checked
Row = tuple[str, str, str, bool, bool]
WEEKEND: list[Row] = [
    ("Bananas", "6", "Produce", False, False), ("Apples", "", "Produce", False, True),
    ("Milk", "2 l", "Dairy", False, False), ("Cheese", "200 g", "Dairy", True, False),
    ("Bread", "", "Bakery", False, True), ("Candles", "", "", False, False),
]


def scenario(what: str):
    def keep(body: Callable[["World"], Awaitable[None]]):
        SCENARIOS.append((what, body))
        return body

    return keep


def file_text(rows: list[Row], sections: list[str] | None = None) -> str:
    if sections is None:
        sections = list(dict.fromkeys(row[2] for row in rows if row[2]))
    items = [
        {"id": f"00000000-0000-4000-8000-{number:012}", "name": name, "amount": amount, "section": section,
         "optional": optional, "checked": checked, "lastModified": "2026-11-30T20:41:12.345Z"}
        for number, (name, amount, section, optional, checked) in enumerate(rows)
    ]
    return json.dumps({"schemaVersion": 1, "sections": sections, "items": items}, ensure_ascii=False, indent=2)


@dataclass
class World:
    browser: Browser
    binary: Path
    root: Path
    folder: Path
    # What a scenario measured, to be reported.
    figures: list[str] = field(default_factory=list)
    hosts: list[Host] = field(default_factory=list)
    servers: list[Server] = field(default_factory=list)

    @property
    def path(self) -> Path:
        return self.folder / "BananaList.json"

    def save(self, text: str) -> None:
        """As another program does: by putting a new file in the place of the old."""
        new = self.folder / "new"
        new.write_text(text)
        new.rename(self.path)

    def rows(self) -> dict[str, dict]:
        """The file's rows by name."""
        return {item["name"]: item for item in json.loads(self.path.read_text())["items"]}

    async def server(self, **options: object) -> Server:
        self.servers.append(await Server.start(self.binary, self.path, **options))
        return self.servers[-1]

    async def host(self, rows: list[Row] | str | None = WEEKEND, *, server: Server | None = None, **options: object) -> Host:
        """A host whose view is not open yet; `rows` is the list, or the file's text, or None to leave it as it is."""
        if rows is not None:
            self.save(rows if isinstance(rows, str) else file_text(rows))
        host = Host(self.browser, server or await self.server(), lambda: Messages(self.root), **options)
        self.hosts.append(host)
        return host

    async def view(self, rows: list[Row] | str | None = WEEKEND, *, arguments: dict | None = None, **options: object) -> Host:
        """A view that shows the list."""
        return await (await self.host(rows, **options)).open(**(arguments or {}))

    async def close(self, *, gently: bool) -> None:
        """`gently`: nothing has failed, so everything must end well; else it is only ended."""
        for host in self.hosts:
            if gently:
                await host.close()
            elif hasattr(host, "page"):
                await host.page.context.close()
        for server in self.servers:
            await server.stop()
