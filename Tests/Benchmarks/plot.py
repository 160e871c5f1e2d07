"""Draws what a call costs against the size of the list: docs/benchmarks.svg, two panels, both axes logarithmic."""

import math
from dataclasses import dataclass

from report import Figures, duration
from subjects import TITLES

PANELS = {"get": "get, the whole list", "add": "add one item (the peers do not fsync)"}
WIDTH, HEIGHT = 1015, 430
PANEL_WIDTH, PANEL_HEIGHT = 330, 300
LEFT, GAP, TOP = 70, 165, 70
# How far apart two labels are at least, in pixels.
LABEL_HEIGHT = 16

STYLE = """
    text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #24292f }
    .title { font-weight: 600; font-size: 15px }
    .quiet { fill: #57606a; font-size: 12px }
    .page { fill: #ffffff; stroke: #d0d7de }
    .grid { stroke: #d8dee4; stroke-width: 1 }
    .line { fill: none; stroke-width: 2 }
    .ours { stroke: #9a6700; fill: #9a6700 } .floor { stroke: #6e7781; fill: #6e7781 }
    .node { stroke: #1a7f37; fill: #1a7f37 } .sdk { stroke: #0969da; fill: #0969da }
    .line.ours { stroke-width: 3 } .line.floor { stroke-dasharray: 5 4 }
    .line.ours, .line.floor, .line.node, .line.sdk { fill: none }
    text.ours, text.floor, text.node, text.sdk { stroke: none } text.ours { font-weight: 600 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .quiet { fill: #9198a1 } .page { fill: #0d1117; stroke: #30363d } .grid { stroke: #262c36 }
      .ours { stroke: #ffd84a; fill: #ffd84a } .floor { stroke: #9198a1; fill: #9198a1 }
      .node { stroke: #57d364; fill: #57d364 } .sdk { stroke: #79b8ff; fill: #79b8ff }
    }"""


@dataclass
class Scale:
    """A logarithmic axis: from values to pixels."""

    low: float
    high: float
    start: float
    length: float

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - math.log10(self.low)) / (math.log10(self.high) - math.log10(self.low))
        return round(self.start + share * self.length, 1)

    def decades(self) -> list[float]:
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        return [10.0**power for power in range(first, last + 1)]


def spread(places: dict[str, float]) -> dict[str, float]:
    """Labels near their lines, none over another."""
    placed: dict[str, float] = {}
    lowest = -math.inf
    for name, place in sorted(places.items(), key=lambda entry: entry[1]):
        lowest = max(place, lowest + LABEL_HEIGHT)
        placed[name] = lowest
    return placed


def panel(figures: Figures, operation: str, left: float, heights: tuple[float, float]) -> str:
    sizes = figures.results["sizes"]
    across = Scale(min(sizes), max(sizes), left, PANEL_WIDTH)
    down = Scale(*heights, TOP + PANEL_HEIGHT, -PANEL_HEIGHT)
    right, bottom = left + PANEL_WIDTH, TOP + PANEL_HEIGHT

    def line(x1: float, y1: float, x2: float, y2: float) -> str:
        return f'  <line class="grid" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'

    def quiet(x: float, y: float, anchor: str, text: str) -> str:
        return f'  <text class="quiet" x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>'

    parts = [f'  <text class="title" x="{left}" y="{TOP - 18}">{PANELS[operation]}</text>']
    for value in down.decades():
        label = duration(value).replace(".00", "").replace(".0", "")
        parts += [line(left, down(value), right, down(value)), quiet(left - 8, down(value) + 4, "end", label)]
    for size in sizes:
        parts.append(line(across(size), TOP, across(size), bottom))
        parts.append(quiet(across(size), bottom + 20, "middle", f"{size:,}"))
    parts.append(quiet(left + PANEL_WIDTH / 2, bottom + 40, "middle", "items"))
    ends = {}
    for subject in ["floor", *figures.peers, "ours"]:
        points = [(across(size), down(cost)) for size in sizes if (cost := figures.p50(operation, size, subject))]
        path = " ".join(f"{x},{y}" for x, y in points)
        parts.append(f'  <polyline class="line {subject}" points="{path}"/>')
        parts += [f'  <circle class="{subject}" cx="{x}" cy="{y}" r="3"/>' for x, y in points]
        ends[subject] = points[-1][1]
    for subject, place in spread(ends).items():
        title = TITLES[subject] if subject != "floor" else {"get": "read the file", "add": "durable write"}[operation]
        parts.append(f'  <text class="{subject}" x="{right + 10}" y="{round(place + 4, 1)}">{title}</text>')
    return "\n".join(parts)


def picture(figures: Figures) -> str:
    """The SVG document."""
    costs = [
        cost for operation in PANELS for subject in figures.results["subjects"] for size in figures.results["sizes"]
        if (cost := figures.p50(operation, size, subject))]
    heights = (10 ** math.floor(math.log10(min(costs))), 10 ** math.ceil(math.log10(max(costs))))
    panels = "\n".join(
        panel(figures, operation, LEFT + number * (PANEL_WIDTH + GAP), heights)
        for number, operation in enumerate(PANELS))
    said = ", ".join(TITLES[name] for name in figures.results["subjects"])
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f"""<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">
  <title>The median time of a get and of an add against the number of items, both axes logarithmic: {said}</title>
  <style>{STYLE}
  </style>
  <rect class="page" x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8"/>
  <text class="quiet" x="{LEFT}" y="24">Median round trip, both axes logarithmic. Lower is faster.</text>
{panels}
</svg>
"""
