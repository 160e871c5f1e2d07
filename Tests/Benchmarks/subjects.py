"""What is measured: the release, the floor and the peers, each behind a driver of its own, and what they are asked."""

import json
import os
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import lists

# How the columns are called.
TITLES = {"ours": "get-bananas", "floor": "floor", "node": "Node.js", "sdk": "Python SDK"}

INITIALIZE = json.dumps({
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}})
INITIALIZED = '{"jsonrpc": "2.0", "method": "notifications/initialized"}'


class Failure(Exception):
    """A server did not do what it was asked, so its times mean nothing."""


class Driver:
    """The program of driver.c, which starts one server and takes its times."""

    def __init__(self, driver: Path, command: list[str], folder: Path) -> None:
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"),
            "LC_ALL": "C.UTF-8"}
        self.said = folder / "stderr"
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(
                [driver, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, env=environment,
                cwd=folder)

    def order(self, order: str, *lines: str) -> dict:
        """Gives one order and returns its report. No answer of a server may be an error."""
        try:
            self.process.stdin.write("".join(f"{line}\n" for line in (order, *lines)).encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self.process.stdout.readline()
        if not line:
            status = self.process.wait()
            said = self.said.read_text(errors="replace")[-2000:]
            raise Failure(f"{order.split()[0]}: the driver ended with {status}: {said}")
        report = json.loads(line.decode(errors="replace"), strict=False)
        if report.get("failed"):
            raise Failure(f"{report['failed']} calls failed; the first was answered: {report['shown']}")
        return report

    def __enter__(self) -> "Driver":
        return self

    def __exit__(self, *_) -> None:
        """Ends the orders; the driver ends its server, and then itself."""
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        self.process.stdout.close()


@dataclass
class Subject:
    """One server, and how it is started."""

    name: str
    # Before the list's path.
    command: list[str]

    @property
    def is_floor(self) -> bool:
        return self.name == "floor"


@dataclass
class Session:
    """One server that runs on a list of its own."""

    subject: Subject
    driver: Driver
    path: Path
    size: int
    pid: int = 0
    # What the last replacement and the number of requests so far make the next ones differ from.
    count: int = 0
    rows: list[dict] = field(default_factory=list)

    def begin(self) -> None:
        self.pid = self.driver.order("start")["pid"]
        self.driver.order("call 1", INITIALIZE)
        if not self.subject.is_floor:
            self.driver.order(f"say {INITIALIZED}")

    def lines(self, operation: str, count: int) -> list[str]:
        """So many requests; of `edit` so many pairs: an item is added, and removed again."""
        if self.subject.is_floor:
            letter = {"get": "r", "get part": "r", "burst": "r", "echo": "e"}.get(operation, "w")
            return [letter] * (2 * count if operation == "edit" else count)
        return [line for _ in range(count) for line in self.requests(operation)]

    def requests(self, operation: str) -> list[str]:
        self.count += 1
        match operation:
            case "get" | "burst":
                # Ours shows 100 items if not told otherwise; the peers show all and know no limit.
                arguments = {"limit": self.size} if self.subject.name == "ours" else {}
                return [self.call("get_shopping_list", arguments)]
            case "get part":
                return [self.call("get_shopping_list", {})]
            case "update":
                # All over the list, and another amount every time.
                name = lists.name(self.count * 7919 % self.size)
                return [self.call("update_item", {"name": name, "amount": f"{self.count} pieces"})]
            case "edit":
                name = f"Something new {self.count}"
                return [
                    self.call("add_item", {"name": name, "amount": "1", "section": "Produce"}),
                    self.call("remove_item", {"name": name})]
            case "replace":
                # The whole list, one amount another than before.
                if not self.rows:
                    self.rows = [
                        {key: row[key] for key in ("name", "amount", "section")} for row in lists.rows(self.size)]
                self.rows[self.size // 2]["amount"] = f"{self.count} pieces"
                return [self.call("update_shopping_list", {"items": self.rows})]
        raise ValueError(operation)

    def call(self, tool: str, arguments: dict) -> str:
        return json.dumps({
            "jsonrpc": "2.0", "id": self.count, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}})

    def check(self, replaced: bool) -> None:
        """The list says what was asked for: who did nothing was not fast."""
        rows = json.loads(self.path.read_bytes())["items"]
        if [row["name"] for row in rows] != [lists.name(number) for number in range(self.size)]:
            raise Failure(f"{self.subject.name}: the list has {len(rows)} items after all, or other ones")
        amount = rows[self.size // 2]["amount"]
        if replaced and not self.subject.is_floor and amount != self.rows[self.size // 2]["amount"]:
            raise Failure(f"{self.subject.name}: the amount is {amount!r} after the last replacement")

    def memory(self) -> dict[str, int]:
        """Resident now and at most, in bytes; nothing where there is no /proc."""
        status = Path(f"/proc/{self.pid}/status")
        if not status.exists():
            return {}
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return {name: int(fields[key].split()[0]) * 1024 for name, key in (("now", "VmRSS"), ("peak", "VmHWM"))}

    def wake_ups(self) -> int | None:
        """How often a thread of it has gone to sleep so far."""
        count = 0
        threads = list(Path(f"/proc/{self.pid}/task").glob("*/status"))
        for status in threads:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
            count += int(fields["voluntary_ctxt_switches"])
        return count if threads else None
