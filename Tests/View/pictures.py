"""Draws the list view anew: docs/list-view-….png.

    python pictures.py GET-BANANAS FOLDER

Each picture is a real view, between the real server and the host of the tests, light and dark, narrow and wide. Needs
Debian's chromium and fonts-inter.
"""

import asyncio
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import async_playwright
from world import Row, World

HERE = Path(__file__).resolve().parent
FONT = {"variables": {"--font-sans": "Inter, sans-serif"}}

SHOPPING: list[Row] = [
    ("Bananas", "6", "Produce", False, False), ("Lemons", "3", "Produce", False, True),
    ("Flat-leaf parsley", "1 bunch", "Produce", True, False), ("Milk", "2 l", "Dairy", False, True),
    ("Greek yoghurt", "500 g", "Dairy", False, False), ("Sourdough bread", "", "Bakery", False, False),
    ("Chickpeas", "2 tins", "Pantry", False, True), ("Olive oil", "750 ml", "Pantry", False, False),
    ("Candles", "", "", False, False),
]


async def main() -> None:
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    binary, target = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for theme in ("light", "dark"):
            for name, width, act in (("narrow", 360, tick), ("wide", 720, edit)):
                with TemporaryDirectory() as folder:
                    world = World(browser, binary, HERE.parent.parent, Path(folder))
                    host = await world.host(SHOPPING, width=width, scheme=theme, theme=theme, styles=FONT, scale=1.5)
                    await host.open()
                    await act(host)
                    await host.quiet()
                    await host.page.set_viewport_size({"width": width, "height": host.frame_height})
                    await host.page.mouse.move(0, 0)
                    await host.page.screenshot(path=target / f"list-view-{name}-{theme}.png", scale="device")
                    await world.close(gently=True)
        await browser.close()


async def tick(host) -> None:
    await host.box("Greek yoghurt").check()
    await host.quiet()
    await host.frame.evaluate("document.activeElement.blur()")


async def edit(host) -> None:
    await host.edit("Flat-leaf parsley")


if __name__ == "__main__":
    asyncio.run(main())
