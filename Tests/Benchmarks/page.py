"""Writes the figures of the last whole run of bench.py into docs/benchmarks.md and draws docs/benchmarks.svg.

    python3 page.py

What stands between `<!-- NAME -->` and `<!-- /NAME -->` is made anew; the rest of the page is written by hand.
"""

import json
import re
from pathlib import Path

import plot
import report
from report import Figures

ROOT = Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / ".build/benchmarks/results.json"
PAGE = ROOT / "docs/benchmarks.md"
PICTURE = ROOT / "docs/benchmarks.svg"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown, what has a title to the right."""
    rules = ["---"] + ["---:" if title else "---" for title in head[1:]]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rules, *rows])


def machine(results: dict) -> str:
    kind, load = results["machine"], results["load"]
    return (
        f"{kind['cores']} cores, {kind['processor']}, {kind['memory_gb']} GB of memory, {kind['system']}; "
        f"{results['rounds']} rounds; the load was {load[0]} before and {load[1]} after the run.")


def sections(figures: Figures) -> dict[str, str]:
    """What stands between the marks, by their names."""
    json_head = [f"on a list of {figures.results['json']['items']:,} items", "throughput", "to Foundation"]
    goals = [[one.what, one.wanted, one.found, one.verdict] for one in report.targets(figures)]
    return {
        "machine": machine(figures.results),
        "targets": table(["target", "wanted", "found", ""], goals),
        "times": table(report.header(figures), report.time_rows(figures)),
        "others": table(report.header(figures), report.other_rows(figures)),
        "json": table(json_head, report.json_rows(figures)),
    }


def filled(page: str, parts: dict[str, str]) -> str:
    for name, text in parts.items():
        marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        page, count = marks.subn(lambda found: f"{found[1]}{text}\n{found[2]}", page)
        if count != 1:
            raise SystemExit(f"{PAGE.name} has the marks of {name} {count} times")
    return page


def main() -> None:
    if not RESULTS.exists():
        raise SystemExit("nothing was measured yet: make bench")
    results = json.loads(RESULTS.read_text())
    if not results["is_whole"] or len(results["subjects"]) < 4:
        raise SystemExit("the last run was not a whole one, with all sizes, measures and peers: make bench")
    figures = Figures(results)
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), sections(figures)), encoding="utf-8")
    PICTURE.write_text(plot.picture(figures), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)} and {PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
