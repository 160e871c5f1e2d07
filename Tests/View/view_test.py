"""Tries the list view in a browser, between a host of ours and the real server.

    python view_test.py GET-BANANAS [PART]                       run the scenarios, or those that have PART in their line

Prints a line for each scenario, then what was wrong, what was measured, and the count; exits with 1 if anything was wrong,
or if fewer scenarios ran than are written in the files beside this one. Needs Debian's chromium.
"""

import asyncio
import re
import shutil
import sys
import time
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import async_playwright
from schemas import Messages
from world import SCENARIOS, World

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# How long a scenario may take, in seconds.
LIMIT = 120


def written() -> int:
    """How many scenarios the files have, by their text."""
    return sum(len(re.findall(r"^@scenario\(", file.read_text(), re.MULTILINE)) for file in HERE.glob("scenarios_*.py"))


async def attempt(browser, binary: Path, body) -> tuple[str | None, list[str]]:
    """Runs one scenario; what was wrong, and what it measured."""
    with TemporaryDirectory() as folder:
        world = World(browser, binary, ROOT, Path(folder))
        failure = None
        try:
            await asyncio.wait_for(body(world), LIMIT)
        except Exception as error:
            problems = [problem for host in world.hosts for problem in host.problems]
            failure = "\n".join([traceback.format_exc(limit=-4).strip(), *problems]) or repr(error)
        try:
            await asyncio.wait_for(world.close(gently=failure is None), LIMIT)
        except Exception as error:
            failure = failure or str(error) or repr(error)
        return failure, world.figures


async def main() -> int:
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    binary, part = Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else ""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("this needs a browser: apt-get install chromium")
    if not Messages(ROOT).are_here:
        print("the official schemas are not here (shared/apps-schema beside the checkout): messages' forms are not checked")
    failures, figures, ran = {}, [], 0
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium)
        print(f"Chromium {browser.version}")
        for what, body in SCENARIOS:
            if part not in what:
                continue
            before = time.monotonic()
            failure, measured = await attempt(browser, binary, body)
            ran += 1
            figures += [f"{what}: {figure}" for figure in measured]
            if failure:
                failures[what] = failure
            print(f"{'FAILED' if failure else 'passed'}  {time.monotonic() - before:5.1f} s  {what}", flush=True)
        await browser.close()
    for what, failure in failures.items():
        print(f"\n{what}:\n  " + failure.replace("\n", "\n  ")[:4000])
    print("\n" + "\n".join(figures) if figures else "")
    if not part and ran < written():
        print(f"only {ran} scenarios of {written()} ran")
        return 1
    print(f"{ran - len(failures)} passed, {len(failures)} failed" + ("" if Messages(ROOT).are_here else ", 1 skipped"))
    return 1 if failures or not ran else 0


for file in sorted(HERE.glob("scenarios_*.py")):
    __import__(file.stem)

if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
