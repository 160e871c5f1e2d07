"""Draws docs/growth.svg: the size of the file of an app that imports what it has exported, and of the same app as it is.

    python3 Tests/Simulate/curve.py PATH-OF-SIMULATE OUTPUT.svg

The numbers are those of `simulate growth`, three minutes of virtual time. Sizes are on a logarithmic scale.
"""

import math
import subprocess
import sys
from pathlib import Path

WIDTH, HEIGHT = 860, 420
LEFT, RIGHT, TOP, BOTTOM = 80, 30, 70, 56
LOW, HIGH = 1_000, 10_000_000
CURVES = [
    ("firstVersion", "#c0392b", "as the first version was: no layer, nothing met by its id"),
    ("unguarded", "#d68910", "the reconciler alone, without layers and revision check"),
    ("linked", "#1e8449", "as it is"),
]


def points(program: str) -> dict[str, list[tuple[int, int, int]]]:
    """Second, bytes and writes, by app."""
    found: dict[str, list[tuple[int, int, int]]] = {}
    for line in subprocess.run([program, "growth"], check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines():
        name, *numbers = line.split()
        found.setdefault(name, []).append(tuple(map(int, numbers)))
    return found


def human(count: int) -> str:
    """A size as people say it."""
    return f"{count / 1_000_000:.1f} MB" if count >= 1_000_000 else f"{count / 1_000:.1f} kB"


def picture(found: dict[str, list[tuple[int, int, int]]]) -> str:
    """The SVG document."""
    last = max(second for second, _, _ in found["linked"])

    def across(second: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * second / last

    def down(size: int) -> float:
        share = (math.log10(max(size, LOW)) - math.log10(LOW)) / (math.log10(HIGH) - math.log10(LOW))
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    parts = []
    for size in (1_000, 10_000, 100_000, 1_000_000, 10_000_000):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{down(size):.1f}" y2="{down(size):.1f}"/>')
        parts.append(f'<text class="end" x="{LEFT - 8}" y="{down(size) + 4:.1f}">{human(size).replace(".0", "")}</text>')
    for second in range(0, last + 1, 30):
        parts.append(f'<text class="middle" x="{across(second):.1f}" y="{HEIGHT - BOTTOM + 20}">{second} s</text>')
    for number, (name, colour, label) in enumerate(CURVES):
        curve = found[name]
        steps = [f"{across(curve[0][0]):.1f},{down(curve[0][1]):.1f}"]
        for (_, before, _), (second, size, _) in zip(curve, curve[1:]):
            if size != before:
                steps.append(f"{across(second):.1f},{down(before):.1f}")
            steps.append(f"{across(second):.1f},{down(size):.1f}")
        dashes = ' stroke-dasharray="7 5"' if name == "unguarded" else ""
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2.5"{dashes} points="{" ".join(steps)}"/>')
        _, size, writes = curve[-1]
        parts.append(f'<rect x="{LEFT + 14}" y="{TOP + 12 + 22 * number}" width="14" height="4" fill="{colour}"/>')
        parts.append(
            f'<text x="{LEFT + 36}" y="{TOP + 18 + 22 * number}">{label}: {human(size)} after {writes} '
            f'{"write" if writes == 1 else "writes"}</text>')
    body = "\n  ".join(parts)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">
  <title>The size of a shared list of 31 items over three minutes, with and without what keeps an app from importing its own exports</title>
  <style>
    text {{ font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #24292f }}
    .head {{ font-size: 16px; font-weight: 600 }}
    .end {{ text-anchor: end }}
    .middle {{ text-anchor: middle }}
    .grid {{ stroke: #d0d7de; stroke-width: 1 }}
  </style>
  <rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#ffffff"/>
  <text class="head" x="{LEFT}" y="30">One item was added, three minutes ago</text>
  <text x="{LEFT}" y="52">size of the file, simulated; a change of it is announced 17 s later</text>
  {body}
</svg>
"""


def main() -> None:
    """Runs and draws."""
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    Path(sys.argv[2]).write_text(picture(points(sys.argv[1])), encoding="utf-8")


if __name__ == "__main__":
    main()
