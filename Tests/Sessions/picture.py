"""Draws docs/session.svg: a terminal in which a real session was played.

    python3 Tests/Sessions/picture.py PATH-OF-GET-BANANAS OUTPUT.svg

The commands below are run by a shell on a temporary list, and what they print is drawn, standard output and errors in the
order they came. Nothing is made up: when the program says something else, so does the picture.
"""

import os
import subprocess
import sys
import tempfile
import textwrap
from html import escape
from pathlib import Path

COMMANDS = [
    """get-bananas call add_item '{"items": ["Milk", {"name": "Bananas", "amount": "6", "section": "Produce"}]}'""",
    """get-bananas call update_item '{"name": "milk", "checked": true}'""",
    """get-bananas call add_item '{"name": "bananas"}'""",
    """get-bananas call remove_item '{"name": "Chocolate"}'""",
    "get-bananas list",
]
COLUMNS = 100
FONT_SIZE = 14
LINE_HEIGHT = 20
CHARACTER_WIDTH = 8.43
MARGIN = 22
TOP = 58


def session(program: Path) -> list[tuple[str, str]]:
    """The lines of the terminal, each with its kind: command, said or failed."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "HOME": folder, "BANANA_LIST_FILE": f"{folder}/BananaList.json", "PATH": f"{program.parent}:{os.defpath}"}
        for command in COMMANDS:
            played = subprocess.run(
                ["/bin/sh", "-c", command], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            lines.append(("command", f"$ {command}"))
            kind = "said" if played.returncode == 0 else "failed"
            for line in played.stdout.rstrip("\n").split("\n"):
                lines += [(kind, part) for part in textwrap.wrap(line, COLUMNS, subsequent_indent="  ") or [""]]
            lines.append(("said", ""))
    return lines[:-1]


def picture(lines: list[tuple[str, str]]) -> str:
    """The SVG document."""
    width = round(2 * MARGIN + max(COLUMNS, *(len(line) for _, line in lines)) * CHARACTER_WIDTH)
    height = TOP + LINE_HEIGHT * len(lines) + MARGIN // 2
    rows = "\n".join(
        f'    <text class="{kind}" y="{TOP + LINE_HEIGHT * number}" xml:space="preserve">{escape(line, quote=False)}</text>'
        for number, (kind, line) in enumerate(lines) if line)
    lights = "\n".join(
        f'  <circle cx="{MARGIN + 20 * number}" cy="22" r="6" fill="{colour}"/>'
        for number, colour in enumerate(["#e2665c", "#e6b450", "#5faf68"]))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">
  <title>A session at a terminal: items are added, one is ticked off, and the list is shown</title>
  <style>
    text {{ font: {FONT_SIZE}px ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; fill: #c9d1d9 }}
    .command {{ fill: #ffd84a; font-weight: bold }}
    .failed {{ fill: #ff9d8f }}
  </style>
  <rect width="{width}" height="{height}" rx="10" fill="#14211a"/>
{lights}
  <g transform="translate({MARGIN} 0)">
{rows}
  </g>
</svg>
"""


def main() -> None:
    """Plays and draws."""
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    Path(sys.argv[2]).write_text(picture(session(Path(sys.argv[1]).resolve())), encoding="utf-8")


if __name__ == "__main__":
    main()
