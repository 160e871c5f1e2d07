"""Measures the release beside the floor and the peers, and prints one table; `make bench` runs it.

    python3 bench.py [--quick] [--sizes 30,1000,…] [--rounds N] [--only WORD…]

Everything takes turns: in each round, for each size, all servers run at once on lists of their own, and are asked in
short blocks, one server after the other, each round in another order. A ratio is made of the medians of one round; the
table shows the median of the rounds' ratios, so what slows the machine for a while slows both sides of it. Before a
block of writes the disk is let to come to rest, so that nobody pays for what another left to be written.

WORD is a measure: start get burst update edit (add and remove) replace memory idle size json. The figures of the last
run lie in .build/benchmarks/results.json; page.py writes docs/benchmarks.md and docs/benchmarks.svg from those of a
whole run. Nothing is asserted about time. That every server did what it was asked is checked.
"""

import argparse
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import lists
import report
from subjects import INITIALIZE, Driver, Session, Subject

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILT = ROOT / ".build/benchmarks"
RELEASE = ROOT / ".build/release"

MEASURES = ["size", "start", "get", "update", "edit", "replace", "burst", "memory", "idle", "json"]
SIZES = [30, 1000, 10_000, 100_000]
# How many requests a block has at most, and how long it may take by what is known of the server, in seconds.
MOST = {"echo": 200, "get": 200, "get part": 200, "update": 20, "edit": 10, "replace": 10}
BUDGET = 0.2
BLOCKS = 2
# A process of ours with many edits leaves the list to others for an eighth of the time that it held it, 5 ms at once. Single
# edits, which is what a host makes, do not wait for that: the driver pauses between them, for hundredths of what the
# last one took, with every server. Updates and replacements follow one another without a pause, and pay for it.
PAUSE = {"edit": 30}
BURST = 1000
STARTS = 7
IDLE = 10


class Bench:
    """One run: its options and what came out so far."""

    def __init__(self, options: argparse.Namespace, scratch: Path) -> None:
        self.options = options
        self.scratch = scratch
        self.subjects = self.present()
        # What a request of a kind took last, in seconds.
        self.cost: dict[tuple[str, str, int], float] = {}
        # operation, size, subject: the times of each round in nanoseconds.
        self.times: dict[str, dict[int, dict[str, list[list[int]]]]] = {}
        self.memory: dict[int, dict[str, list[dict[str, int]]]] = {}
        self.idle: dict[str, int] = {}

    def wants(self, measure: str) -> bool:
        return not self.options.only or measure in self.options.only

    def copied(self, program: Path) -> Path:
        """A copy: how a linker wrote a file tells in how fast its pages come."""
        target = self.scratch / program.name
        if not target.exists():
            shutil.copy(program, target)
        return target

    def present(self) -> list[Subject]:
        """The servers that this machine has."""
        subjects = [
            Subject("ours", [str(self.copied(RELEASE / "get-bananas")), "--file"]),
            Subject("floor", [str(self.copied(BUILT / "floor"))])]
        if node := shutil.which("node"):
            subjects.append(Subject("node", [node, str(HERE / "node_server.mjs")]))
        else:
            print("skipped: Node.js, which is not on this machine")
        python = BUILT / "sdk/bin/python"
        if self.options.quick:
            print("left out of a quick run: the Python SDK, most sizes")
        elif python.exists():
            subjects.append(Subject("sdk", [str(python), str(HERE / "sdk_server.py")]))
        else:
            print("skipped: the Python SDK, whose environment is not there")
        return subjects

    def turn(self, number: int) -> list[Subject]:
        """The servers, in another order every time."""
        number %= len(self.subjects)
        return self.subjects[number:] + self.subjects[:number]

    def note(self, operation: str, size: int, subject: str, number: int, times: list[int]) -> None:
        rounds = self.times.setdefault(operation, {}).setdefault(size, {}).setdefault(subject, [])
        while len(rounds) <= number:
            rounds.append([])
        rounds[number] += times

    # Starts

    def start_round(self, number: int) -> None:
        """From the start of each program to its first line; the bare one prints it unasked."""
        with ExitStack() as stack:
            drivers = []
            commands = [("bare", [str(self.copied(BUILT / "bare"))])]
            for subject in self.turn(number):
                folder = self.folder(f"start-{subject.name}")
                commands.append((subject.name, [*subject.command, str(self.seed(30, folder))]))
            for name, command in commands:
                driver = Driver(self.copied(BUILT / "driver"), command, self.folder(f"start-{name}"))
                drivers.append((name, stack.enter_context(driver)))
            for turn in range(STARTS):
                for name, driver in drivers:
                    # A start of the SDK takes a second.
                    if name != "sdk" or turn == 0:
                        self.note("start", 30, name, number, driver.order("first 1", INITIALIZE)["ns"])

    # Conversations

    def folder(self, name: str) -> Path:
        folder = self.scratch / name
        folder.mkdir(exist_ok=True)
        return folder

    def seed(self, size: int, folder: Path) -> Path:
        """A fresh list."""
        source, path = BUILT / f"lists/{size}.json", folder / "BananaList.json"
        lists.make(size, source)
        shutil.copy(source, path)
        return path

    def round(self, size: int, number: int) -> None:
        """One conversation with every server, at the same time."""
        with ExitStack() as stack:
            sessions = []
            for subject in self.turn(number):
                folder = self.folder(f"{size}-{number}-{subject.name}")
                path = self.seed(size, folder)
                driver = stack.enter_context(
                    Driver(self.copied(BUILT / "driver"), [*subject.command, str(path)], folder))
                sessions.append(Session(subject, driver, path, size))
            for session in sessions:
                session.begin()
            os.sync()
            for session in sessions:
                self.warm_up(session)
            self.ask(sessions, number)
            if size == 30 and self.wants("burst"):
                for session in sessions:
                    times = session.driver.order(f"burst {BURST}", *session.lines("burst", BURST))["ns"]
                    self.note("burst", size, session.subject.name, number, times)
            for session in sessions:
                memory = session.memory()
                if memory and self.wants("memory"):
                    self.memory.setdefault(size, {}).setdefault(session.subject.name, []).append(memory)
            if size == 30 and number == 0 and self.wants("idle"):
                self.rest(sessions)
            for session in sessions:
                session.check(replaced=self.wants("replace"))
        for session in sessions:
            shutil.rmtree(session.path.parent)

    def warm_up(self, session: Session) -> None:
        """Compilers have seen the code, and the history is as full as it gets in use."""
        least = 6 if session.subject.name == "ours" else 1
        for operation, most, seconds in (("get", 200, 0.3), ("update", 60, 1)):
            begin, done = time.monotonic(), 0
            while done < least or (done < most and time.monotonic() - begin < seconds):
                self.block(session, operation, 1)
                done += 1

    def ask(self, sessions: list[Session], number: int) -> None:
        """The blocks, each server in its turn."""
        for operation in ["echo", "get", "get part", "update", "edit", "replace"]:
            measure = {"echo": "get", "get part": "get"}.get(operation, operation)
            # What the pipe costs does not depend on the list.
            if not self.wants(measure) or (operation == "echo" and sessions[0].size != self.options.sizes[0]):
                continue
            for _ in range(BLOCKS):
                for session in sessions:
                    name = session.subject.name
                    # Only ours has a part to show; only the floor repeats nothing but "ok".
                    if (operation == "get part" and name != "ours") or (operation == "echo" and name != "floor"):
                        continue
                    if operation in ("update", "edit", "replace"):
                        os.sync()
                    times = self.block(session, operation, self.count(session, operation))
                    if operation == "edit":
                        self.note("add", session.size, name, number, times[0::2])
                        self.note("remove", session.size, name, number, times[1::2])
                    else:
                        self.note(operation, session.size, name, number, times)

    def count(self, session: Session, operation: str) -> int:
        cost = self.cost.get((session.subject.name, operation, session.size))
        if cost is None:
            return 1 if session.size >= 10_000 else 5
        return max(1, min(MOST[operation], int(BUDGET / cost)))

    def block(self, session: Session, operation: str, count: int) -> list[int]:
        lines = session.lines(operation, count)
        times = session.driver.order(f"call {len(lines)} {PAUSE.get(operation, 0)}", *lines)["ns"]
        self.cost[session.subject.name, operation, session.size] = sum(times) / count / 1e9
        return times

    def rest(self, sessions: list[Session]) -> None:
        """How often each wakes up while nobody asks."""
        time.sleep(1)
        before = {session.subject.name: session.wake_ups() for session in sessions}
        time.sleep(IDLE)
        for session in sessions:
            count = session.wake_ups()
            if count is not None:
                self.idle[session.subject.name] = count - before[session.subject.name]

    # All of it

    def json(self) -> dict:
        """Reading and writing without a server."""
        size = max(self.options.sizes)
        lists.make(size, path := BUILT / f"lists/{size}.json")
        program = self.copied(RELEASE / "json-bench")
        done = subprocess.run(
            [program, path, str(self.options.rounds)], stdout=subprocess.PIPE, check=True, text=True)
        return {"items": size} | json.loads(done.stdout)

    def run(self) -> dict:
        load = os.getloadavg()[0]
        conversations = any(map(self.wants, ["get", "update", "edit", "replace", "burst", "memory", "idle"]))
        for number in range(self.options.rounds):
            if self.wants("start"):
                self.tell(number, "starts")
                self.start_round(number)
            for size in self.options.sizes if conversations else []:
                self.tell(number, f"{size:,} items")
                self.round(size, number)
        results = {
            "machine": machine(), "rounds": self.options.rounds, "sizes": self.options.sizes,
            "subjects": [subject.name for subject in self.subjects],
            "is_whole": not (self.options.quick or self.options.only) and self.options.sizes == SIZES,
            "load": [round(load, 2), round(os.getloadavg()[0], 2)],
            "file_size": {size: (BUILT / f"lists/{size}.json").stat().st_size
                          for size in self.options.sizes if (BUILT / f"lists/{size}.json").exists()},
            "times": self.times, "memory": self.memory, "idle": self.idle}
        if self.wants("size"):
            results["size"] = {
                "ours": (RELEASE / "get-bananas").stat().st_size, "bare": (BUILT / "bare").stat().st_size}
        if self.wants("json"):
            self.tell(None, "JSON")
            results["json"] = self.json()
        self.tell(None, "")
        # Keys become text, as they are when the file is read.
        return json.loads(json.dumps(results))

    def tell(self, number: int | None, what: str) -> None:
        """Where the run is, on a terminal."""
        if sys.stderr.isatty():
            place = "" if number is None else f"round {number + 1} of {self.options.rounds}: "
            print(f"\r\033[K{place if what else ''}{what}", end="", file=sys.stderr, flush=True)


def machine() -> dict:
    """The kind of machine; nothing that tells which one it is."""
    model = platform.processor() or platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return {
        "processor": model, "cores": os.cpu_count(), "memory_gb": round(memory / 2**30),
        "system": f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}"}


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def in_memory(path: Path) -> bool:
    """Whether what is written there never meets a disk."""
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return False
    fields = [line.split() for line in mounts.read_text().splitlines()]
    matching = [(len(mount), kind) for _, mount, kind, *_ in fields if path.is_relative_to(mount)]
    return max(matching, default=(0, ""))[1] in ("tmpfs", "ramfs")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="3 rounds, 30 and 100,000 items, without the Python SDK")
    parser.add_argument("--sizes", default="", help="numbers of items, with commas between")
    parser.add_argument("--rounds", type=int, help="default 7")
    parser.add_argument("--only", nargs="*", default=[], choices=MEASURES, metavar="WORD")
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.quick else 7)
    sizes = [int(size) for size in options.sizes.replace(",", " ").split()]
    options.sizes = sizes or ([30, 100_000] if options.quick else SIZES)
    if options.rounds < 1 or min(options.sizes) < 10:
        parser.error("at least one round, and at least 10 items")
    return options


def main() -> None:
    options = arguments()
    # An interruption ends by way of every `with`, and so with no driver and no server left.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    # A run that was killed leaves its folder; nothing else does.
    for left in BUILT.glob("scratch-*"):
        if not is_running(int(left.name.removeprefix("scratch-"))):
            shutil.rmtree(left)
    scratch = BUILT / f"scratch-{os.getpid()}"
    scratch.mkdir(parents=True)
    try:
        if in_memory(scratch):
            print("the scratch folder is in memory: what is said of durable writes means nothing")
        results = Bench(options, scratch).run()
    finally:
        shutil.rmtree(scratch)
    (BUILT / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    print(report.text(results))


if __name__ == "__main__":
    main()
