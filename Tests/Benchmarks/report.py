"""From the times of a run to a table: medians, ratios, and the targets beside them."""

from dataclasses import dataclass
from statistics import median

from subjects import TITLES

# What the rows are called, in their order.
OPERATIONS = {
    "start": "start to first answer", "echo": "driver floor", "get": "get, whole list", "get part": "get, first 100",
    "add": "add", "remove": "remove", "update": "update, back to back", "replace": "replace, back to back"}
# Fewer times than these have no 99th percentile worth the name.
ENOUGH = 100


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def ratio(above: list[list[int]], below: list[list[int]]) -> float | None:
    """The median over the rounds of the ratio of both sides' medians in that round."""
    ratios = [median(one) / median(other) for one, other in zip(above, below) if one and other]
    return median(ratios) if ratios else None


def duration(nanoseconds: float | None) -> str:
    if nanoseconds is None:
        return "–"
    for unit, size in (("s", 1e9), ("ms", 1e6)):
        if nanoseconds >= size:
            return f"{three_digits(nanoseconds / size)} {unit}"
    return f"{three_digits(nanoseconds / 1e3)} µs"


def megabytes(size: float | None) -> str:
    return "–" if size is None else f"{three_digits(size / 1e6)} MB"


def three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def times(value: float | None) -> str:
    return "–" if value is None else f"{three_digits(value)} ×"


class Figures:
    """The results of a run, looked up."""

    def __init__(self, results: dict) -> None:
        self.results = results
        self.peers = [name for name in results["subjects"] if name not in ("ours", "floor")]

    def rounds(self, operation: str, size: int, subject: str) -> list[list[int]]:
        """The times of each round; none if it was not measured."""
        return self.results["times"].get(operation, {}).get(str(size), {}).get(subject, [])

    def all(self, operation: str, size: int, subject: str) -> list[int]:
        return [time for one in self.rounds(operation, size, subject) for time in one]

    def p50(self, operation: str, size: int, subject: str) -> float | None:
        values = self.all(operation, size, subject)
        return median(values) if values else None

    def p99(self, operation: str, size: int, subject: str) -> float | None:
        values = self.all(operation, size, subject)
        return percentile(values, 0.99) if len(values) >= ENOUGH else None

    def ratio(self, operation: str, size: int, above: str, below: str) -> float | None:
        return ratio(self.rounds(operation, size, above), self.rounds(operation, size, below))

    def memory(self, size: int, subject: str, kind: str) -> float | None:
        values = [one[kind] for one in self.results["memory"].get(str(size), {}).get(subject, [])]
        return median(values) if values else None

    def json(self, measure: str) -> float | None:
        """In MB a second."""
        if "json" not in self.results:
            return None
        taken = self.results["json"]["measures"][measure]
        return taken["bytes"] * 1e3 / median(taken["ns"])

    def rate(self, subject: str) -> float | None:
        """Pipelined gets in a second."""
        taken = self.p50("burst", 30, subject)
        return None if taken is None else 1000 * 1e9 / taken


def header(figures: Figures) -> list[str]:
    row = ["measure", "items", TITLES["ours"], "p99", TITLES["floor"], "above it"]
    for peer in figures.peers:
        row += [TITLES[peer], "p99", "to ours"]
    return row


def time_rows(figures: Figures) -> list[list[str]]:
    """A row for each operation and size: medians, ours beside the floor, and each peer beside ours."""
    rows = []
    for operation, title in OPERATIONS.items():
        for size in sorted(map(int, figures.results["times"].get(operation, {}))):
            floor = "bare" if operation == "start" else "floor"
            row = [title, f"{size:,}"]
            for subject in ["ours", *figures.peers]:
                row += [duration(one(operation, size, subject)) for one in (figures.p50, figures.p99)]
                if subject == "ours":
                    row += [duration(figures.p50(operation, size, floor)),
                            times(figures.ratio(operation, size, "ours", floor))]
                else:
                    row.append(times(figures.ratio(operation, size, subject, "ours")))
            rows.append(row)
    return rows


def other_rows(figures: Figures) -> list[list[str]]:
    """What is no time of a request, in the same columns."""
    results = figures.results

    def row(title: str, size: str, values: dict[str, float | None], shown, compare=None) -> list[str]:
        def quotient(above: str, below: str) -> float | None:
            one, other = values.get(above), values.get(below)
            return one / other if one and other else None

        compare = compare or quotient
        cells = [title, size, shown(values.get("ours")), "–"]
        cells += [shown(values.get("floor")), times(compare("ours", "floor"))]
        for peer in figures.peers:
            cells += [shown(values.get(peer)), "–", times(compare(peer, "ours"))]
        return cells

    rows = []
    names = results["subjects"]
    if any(figures.rate(name) for name in names):
        rows.append(row("1,000 pipelined gets", "30", {name: figures.rate(name) for name in names},
                        lambda rate: "–" if rate is None else f"{rate:,.0f}/s",
                        lambda above, below: figures.ratio("burst", 30, above, below)))
    for kind, title in (("now", "memory after all that"), ("peak", "memory at most")):
        for size in results["sizes"]:
            values = {name: figures.memory(size, name, kind) for name in names}
            if any(values.values()):
                rows.append(row(title, f"{size:,}", values, megabytes))
    if results["idle"]:
        rows.append(row("wake-ups in 10 idle seconds", "30", results["idle"],
                        lambda count: "–" if count is None else f"{count}"))
    if "size" in results:
        rows.append(row("size of the program", "", {"ours": results["size"]["ours"], "floor": results["size"]["bare"]},
                        megabytes))
    return rows


JSON_TITLES = {
    "check and index": "check and index", "decode": "decode into items (checks and indexes, too)",
    "write, made values": "write, values all made, no list around them",
    "write, every row new": "write a list of new rows",
    "write, one row changed": "write a list with one row changed", "change one row": "change one row, without writing",
    "revision": "the list's revision", "Foundation reads": "Foundation, JSONSerialization: read",
    "Foundation writes": "Foundation, JSONSerialization: write, pretty"}


def json_rows(figures: Figures) -> list[list[str]]:
    if "json" not in figures.results:
        return []
    reads, writes = figures.json("Foundation reads"), figures.json("Foundation writes")
    rows = []
    for measure, title in JSON_TITLES.items():
        rate = figures.json(measure)
        beside = writes if "write" in measure else reads
        rows.append([title, f"{rate:,.0f} MB/s", "–" if measure.startswith("Foundation") else times(rate / beside)])
    return rows


@dataclass
class Target:
    """What the program is to reach, and what it did; nothing where it was not measured."""

    what: str
    wanted: str
    found: str
    is_reached: bool | None

    @property
    def verdict(self) -> str:
        return {None: "not measured", True: "reached", False: "not reached"}[self.is_reached]


def targets(figures: Figures) -> list[Target]:
    largest = 100_000
    file_size = figures.results["file_size"].get(str(largest))

    def most(what: str, found: float | None, limit: float, shown, wanted: str) -> Target:
        return Target(what, f"at most {wanted}", shown(found), None if found is None else found <= limit)

    def least(what: str, found: float | None, limit: float, shown, wanted: str) -> Target:
        return Target(what, f"at least {wanted}", shown(found), None if found is None else found >= limit)

    def rate(value: float | None) -> str:
        return "–" if value is None else f"{value:,.0f} MB/s"

    peak = figures.memory(largest, "ours", "peak")
    return [
        most("start to first answer, to a bare print", figures.ratio("start", 30, "ours", "bare"), 1.5, times, "1.5 ×"),
        most("get, 30 items", figures.p50("get", 30, "ours"), 60_000, duration, "60 µs"),
        least("get, 30 items: Node.js takes", figures.ratio("get", 30, "node", "ours"), 3, times, "3 ×"),
        most("add, 30 items, to a raw durable write", figures.ratio("add", 30, "ours", "floor"), 1.5, times, "1.5 ×"),
        most("add, 100,000 items, to reading and durably writing the bytes",
             figures.ratio("add", largest, "ours", "floor"), 2.5, times, "2.5 ×"),
        least("check and index", figures.json("check and index"), 600, rate, "600 MB/s"),
        least("decode into items", figures.json("decode"), 300, rate, "300 MB/s"),
        least("write a list of new rows", figures.json("write, every row new"), 800, rate, "800 MB/s"),
        least("write a list with one row changed", figures.json("write, one row changed"), 800, rate, "800 MB/s"),
        least("pipelined gets, 30 items", figures.rate("ours"), 20_000,
              lambda value: "–" if value is None else f"{value:,.0f}/s", "20,000/s"),
        most("memory at most, 30 items", figures.memory(30, "ours", "peak"), 12e6, megabytes, "12 MB"),
        most("memory at most, 100,000 items, to the file", peak and file_size and peak / file_size, 8, times, "8 ×"),
        most("wake-ups in 10 idle seconds, but one look for the parent every 30 s",
             figures.results["idle"].get("ours"), 1, lambda count: "–" if count is None else f"{count}", "1"),
    ]


def aligned(rows: list[list[str]]) -> str:
    """Columns for a terminal: words to the left, figures to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))])
        for row in rows)


def text(results: dict) -> str:
    """All of it, for a terminal."""
    figures = Figures(results)
    parts = []
    rows = time_rows(figures) + other_rows(figures)
    if rows:
        parts.append(aligned([header(figures), *rows]))
    if throughput := json_rows(figures):
        parts.append(aligned([[f"JSON, {figures.results['json']['items']:,} items", "", "to Foundation"], *throughput]))
    measured = [target for target in targets(figures) if target.is_reached is not None]
    if measured:
        parts.append(aligned(
            [["target", "wanted", "found", ""]] + [[one.what, one.wanted, one.found, one.verdict] for one in measured]))
    load = results["load"]
    parts.append(
        f"Medians of {results['rounds']} rounds; load {load[0]} before, {load[1]} after. \"above it\": ours to the "
        "floor (of the start: a bare print). \"to ours\": what the peer takes, in times of ours.")
    return "\n\n".join(parts)
