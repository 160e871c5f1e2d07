"""Two Syncthing nodes on this machine, each with a folder, a get-bananas server and an app on the list in it.

    python3 Tests/Syncthing/run.py GET-BANANAS SAMPLE-APP [ROUNDS] [SEED]

In each round the nodes are cut apart (their devices paused, or one of them stopped), both sides are edited by the server and
by the app, and joined again. Then, within two minutes:
- both folders hold the same bytes of the same list, both apps show it, and nothing lies beside it: no conflict copy;
- every edit is there: rows that one side added, changed or removed are what it made of them, and a row that both changed
  is what one of them made of it;
- the network becomes quiet, and what went over it is bounded (TRAFFIC bytes a round).

The nodes talk over loopback only, each with a home and ports of its own; discovery, relays, NAT traversal, upgrades and
reports are off. Needs syncthing and nothing else. Ends its own processes by their ids. Where KEEP names a folder, a run that
fails leaves everything there.
"""

import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid
import xml.etree.ElementTree as ElementTree
from pathlib import Path

FOLDER = "shopping"
LIST = "BananaList.json"
# How long joining may take, and how long nothing may happen afterwards, in seconds.
PATIENCE = 120
QUIET = 3
# What may go over the wire in a round, both ways and counted at one end, in bytes: a list of 60 items, its conflict copy
# and their merge come to about 30,000.
TRAFFIC = 100_000
# What the other program's temporary files and locks are called: nobody else's business.
IGNORED = "(?d).*.tmp\n(?d)*.lock\n"


class Failure(Exception):
    """Something is otherwise than promised."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Talker:
    """A child that answers lines with lines."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, request: dict) -> dict:
        """The answer to one request."""
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Failure(f"{self.process.args[0]} has ended")
        return json.loads(line)

    def end(self) -> None:
        """Ends its input, and waits for it."""
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure(f"{self.process.args[0]} does not end") from None


class Node:
    """One of the two: a folder, Syncthing, a server, an app."""

    def __init__(self, name: str, place: Path, programs: tuple[str, str]) -> None:
        self.name = name
        self.home = place / f"{name}-home"
        self.folder = place / f"{name}-list"
        self.folder.mkdir()
        (self.folder / ".stignore").write_text(IGNORED)
        self.port, self.listening = free_port(), free_port()
        self.key = uuid.uuid4().hex
        self.syncthing = None
        subprocess.run(
            ["syncthing", "generate", f"--home={self.home}", "--no-default-folder"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment(place))
        self.id = ElementTree.parse(self.home / "config.xml").find("device").get("id")
        environment = self.environment(place)
        self.server = Talker([programs[0], "--file", str(self.folder / LIST)], environment)
        self.app = Talker([programs[1], str(self.folder / LIST), str(place / f"{name}-app")], environment)
        self.requests = 0
        self.server.ask({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}})
        self.server.process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def environment(self, place: Path) -> dict[str, str]:
        """A home of its own, no upgrades."""
        return {"HOME": str(place / f"{self.name}-user"), "XDG_STATE_HOME": str(place / f"{self.name}-state"),
                "PATH": os.environ.get("PATH", os.defpath), "STNOUPGRADE": "1", "STNODEFAULTFOLDER": "1",
                "STHASHING": "standard"}

    # ---- Syncthing ----

    def configure(self, other: "Node") -> None:
        """Writes the configuration: this folder, the other node, nothing of the world."""
        devices = "".join(
            f'<device id="{node.id}" name="{node.name}" compression="never"><address>{address}</address></device>'
            for node, address in [(self, "dynamic"), (other, f"tcp://127.0.0.1:{other.listening}")])
        members = "".join(f'<device id="{node.id}"/>' for node in (self, other))
        (self.home / "config.xml").write_text(f"""<configuration version="36">
  <folder id="{FOLDER}" label="{FOLDER}" path="{self.folder}" type="sendreceive" rescanIntervalS="3600"
      fsWatcherEnabled="true" fsWatcherDelayS="1" autoNormalize="true"><maxConflicts>-1</maxConflicts>{members}</folder>
  {devices}
  <gui enabled="true" tls="false"><address>127.0.0.1:{self.port}</address><apikey>{self.key}</apikey></gui>
  <options>
    <listenAddress>tcp://127.0.0.1:{self.listening}</listenAddress>
    <globalAnnounceEnabled>false</globalAnnounceEnabled><localAnnounceEnabled>false</localAnnounceEnabled>
    <relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled><startBrowser>false</startBrowser>
    <reconnectionIntervalS>1</reconnectionIntervalS><urAccepted>-1</urAccepted>
    <autoUpgradeIntervalH>0</autoUpgradeIntervalH><crashReportingEnabled>false</crashReportingEnabled>
    <announceLANAddresses>false</announceLANAddresses><setLowPriority>false</setLowPriority>
  </options>
</configuration>
""")

    def start(self, place: Path) -> None:
        """Starts Syncthing, and waits until it answers."""
        self.syncthing = subprocess.Popen(
            ["syncthing", "serve", f"--home={self.home}", "--no-browser", "--no-restart", "--no-default-folder"],
            env=self.environment(place), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait(f"{self.name}: syncthing answers", lambda: self.get("system/ping", quietly=True) is not None)

    def stop(self) -> None:
        """Stops Syncthing."""
        if self.syncthing is None:
            return
        self.syncthing.terminate()
        try:
            self.syncthing.wait(20)
        except subprocess.TimeoutExpired:
            self.syncthing.kill()
            self.syncthing.wait()
        self.syncthing = None

    def call(self, method: str, path: str) -> dict:
        """One call of the REST API."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/rest/{path}", method=method, headers={"X-API-Key": self.key})
        with urllib.request.urlopen(request, timeout=20) as answer:
            text = answer.read()
        return json.loads(text) if text.strip() else {}

    def get(self, path: str, quietly: bool = False) -> dict | None:
        """What the API says; None where nobody answers and that may be."""
        try:
            return self.call("GET", path)
        except (urllib.error.URLError, OSError):
            if quietly:
                return None
            raise

    def traffic(self) -> int:
        """Bytes to and from the other node since Syncthing was started here."""
        total = self.get("system/connections")["total"]
        return total["inBytesTotal"] + total["outBytesTotal"]

    def is_connected(self) -> bool:
        """Whether the other node is there."""
        return any(one["connected"] for one in self.get("system/connections")["connections"].values())

    def sequence(self) -> tuple:
        """Changes with every change of the folder that Syncthing knows of; None in it while it is busy."""
        status = self.get(f"db/status?folder={FOLDER}")
        idle = status["state"] == "idle" and status["needTotalItems"] == 0
        return (status["sequence"] if idle else None, status["globalBytes"])

    # ---- The list ----

    def tool(self, name: str, arguments: dict) -> None:
        """One edit by the server."""
        self.requests += 1
        answer = self.server.ask({
            "jsonrpc": "2.0", "id": self.requests, "method": "tools/call",
            "params": {"name": name, "arguments": arguments}})
        if "error" in answer or answer["result"].get("isError"):
            raise Failure(f"{self.name}: {name} {arguments}: {answer}")

    def tap(self, **command: object) -> None:
        """One edit by the app's user."""
        if not self.app.ask(command).get("ok"):
            raise Failure(f"{self.name}: the app knows no such row: {command}")

    def shown(self) -> tuple[dict[str, tuple], bool]:
        """What the app shows by name, and whether it is at rest."""
        answer = self.app.ask({"do": "show"})
        if "problem" in answer:
            raise Failure(f"{self.name}: {answer['problem']}")
        return {row["name"]: (row["amount"], row["checked"]) for row in answer["items"]}, answer["quiet"]

    def rows(self) -> dict[str, tuple]:
        """What the file says, by name."""
        items = json.loads((self.folder / LIST).read_bytes())["items"]
        names = [row["name"] for row in items]
        if len(set(names)) < len(names):
            raise Failure(f"{self.name}: twice on the list: {sorted(names)}")
        return {row["name"]: (row.get("amount", ""), row.get("checked", False)) for row in items}

    def beside(self) -> list[str]:
        """What lies beside the list, less Syncthing's own."""
        return sorted(
            name for name in os.listdir(self.folder)
            if name not in (LIST, ".stfolder", ".stignore") and not name.startswith((".syncthing.", "~syncthing~")))


def wait(what: str, is_so, patience: float = PATIENCE) -> None:
    """Waits until it is so."""
    end = time.monotonic() + patience
    while not is_so():
        if time.monotonic() > end:
            raise Failure(f"not within {patience} s: {what}")
        time.sleep(0.05)


class Pair:
    """The two nodes and what has to be on the list."""

    def __init__(self, place: Path, programs: tuple[str, str], chance: random.Random) -> None:
        self.place = place
        self.chance = chance
        self.nodes: list[Node] = []
        for name in ("one", "two"):
            self.nodes.append(Node(name, place, programs))
        self.expected: dict[str, tuple | None] = {}
        self.shared: dict[str, set[tuple]] = {}
        self.conflicts = 0
        self.edits = 0

    def start(self) -> None:
        """A list of 20 items on one, then Syncthing on both."""
        one, two = self.nodes
        for number in range(20):
            one.tool("add_item", {"name": f"Old {number}", "amount": "1"})
            self.expected[f"Old {number}"] = ("1", False)
        for name in ("Both A", "Both B"):
            one.tool("add_item", {"name": name, "amount": "1"})
            self.shared[name] = {("1", False)}
        one.configure(two)
        two.configure(one)
        for node in self.nodes:
            node.start(self.place)
        self.settle("the first sync")

    def edit(self, node: Node, number: int) -> None:
        """An edit of a row that the other side does not touch, or of one that both change."""
        self.edits += 1
        side = self.nodes.index(node)
        mine = [name for name, row in self.expected.items() if row and hash_side(name) == side]
        amount = f"{number} of {node.name}"
        by_app = self.chance.random() < 0.5
        kind = self.chance.choice(["add", "add", "amount", "amount", "check", "remove", "both"])
        shown = node.shown()[0] if by_app else node.rows()
        name = self.chance.choice(sorted(mine)) if mine else None
        if kind == "both":
            name = self.chance.choice(sorted(self.shared))
            self.shared[name].add((amount, False))
        elif kind == "add" or name is None or name not in shown:
            kind, name = "add", f"{side} {'app' if by_app else 'server'} {self.edits}"
            self.expected[name] = (amount, False)
        elif kind == "amount":
            self.expected[name] = (amount, self.expected[name][1])
        elif kind == "check":
            self.expected[name] = (self.expected[name][0], True)
        else:
            self.expected[name] = None
        if kind == "add":
            node.tap(do="add", name=name, amount=amount) if by_app else node.tool("add_item", {"name": name, "amount": amount})
        elif kind == "remove":
            node.tap(do="remove", name=name) if by_app else node.tool("remove_item", {"name": name})
        else:
            change = {"checked": True} if kind == "check" else {"amount": amount}
            node.tap(do="set", name=name, **change) if by_app else node.tool("update_item", {"name": name, **change})
        # App and server of one side take turns, as one person's two hands do: each sees what the other did.
        self.rest(node)

    def rest(self, node: Node) -> None:
        """Waits until the node's app and file say the same and nothing is due."""
        def is_at_rest() -> bool:
            shown, quiet = node.shown()
            return quiet and shown == node.rows()
        wait(f"{node.name}: the app is in step with the file", is_at_rest)

    def round(self, number: int) -> None:
        """Cuts apart, edits both, joins."""
        one, two = self.nodes
        before = one.traffic()
        stops = number % 2 == 1
        if stops:
            two.stop()
        else:
            for node, other in ((one, two), (two, one)):
                node.call("POST", f"system/pause?device={other.id}")
        wait("the nodes are apart", lambda: not one.is_connected())
        for step in range(self.chance.randint(2, 6)):
            self.edit(self.chance.choice(self.nodes), number * 100 + step)
        self.edit(one, number * 100 + 90)
        self.edit(two, number * 100 + 91)
        began = time.monotonic()
        if stops:
            two.start(self.place)
        else:
            for node, other in ((one, two), (two, one)):
                node.call("POST", f"system/resume?device={other.id}")
        self.settle(f"round {number}")
        bytes_sent = one.traffic() - before
        if bytes_sent > TRAFFIC:
            raise Failure(f"round {number}: {bytes_sent} bytes went over the wire")
        print(f"round {number}: {'stopped' if stops else 'paused'}, joined again after {time.monotonic() - began:.1f} s, "
              f"{bytes_sent} bytes, {(one.folder / LIST).stat().st_size} bytes of list", flush=True)

    def settle(self, what: str) -> None:
        """Waits until both are the same and at rest, then looks at what became of the edits."""
        one, two = self.nodes
        state: dict[str, object] = {}
        since = [time.monotonic()]

        def is_settled() -> bool:
            for node in self.nodes:
                self.conflicts += sum(1 for name in node.beside() if "sync-conflict" in name and self.is_new(name))
            if not one.is_connected():
                return False
            now = {node.name: (node.sequence(), (node.folder / LIST).exists() and (node.folder / LIST).read_bytes(),
                               node.beside(), node.shown()) for node in self.nodes}
            if now != state:
                state.clear()
                state.update(now)
                since[0] = time.monotonic()
            same = (now["one"][1] == now["two"][1] and now["one"][1]
                    and all(said[0][0] is not None and not said[2] and said[3][1] for said in now.values()))
            return bool(same) and time.monotonic() - since[0] >= QUIET

        try:
            wait(f"{what}: both are the same and at rest", is_settled)
        except Failure as failure:
            told = {name: (said[0], said[2], said[3][1]) for name, said in state.items()}
            raise Failure(f"{failure} {told}") from None
        rows = one.rows()
        complaints = []
        for node in self.nodes:
            if node.shown()[0] != rows:
                complaints.append(f"the app of {node.name} shows something else")
        for name, row in self.expected.items():
            if rows.get(name) != row:
                complaints.append(f"{name} is {rows.get(name)}, not {row}")
        for name, values in self.shared.items():
            if rows.get(name) not in values:
                complaints.append(f"{name} is {rows.get(name)}, not one of {values}")
        if complaints:
            raise Failure(f"{what}: " + "; ".join(complaints))

    _seen: set[str] = set()

    def is_new(self, name: str) -> bool:
        """Whether the conflict copy was not seen before."""
        if name in self._seen:
            return False
        self._seen.add(name)
        return True

    def end(self) -> None:
        """Ends everything that was started."""
        failure = None
        for node in self.nodes:
            node.stop()
            for talker in (node.server, node.app):
                try:
                    talker.end()
                except Failure as error:
                    failure = error
        if failure:
            raise failure


def hash_side(name: str) -> int:
    """Which side edits a row."""
    found = re.match(r"(\d) (app|server) ", name)
    return int(found.group(1)) if found else int(name.split()[1]) % 2


def main() -> int:
    """Runs the rounds."""
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 32)
    if shutil.which("syncthing") is None:
        raise SystemExit("this needs syncthing: apt-get install syncthing")
    programs = (os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
    with tempfile.TemporaryDirectory() as place:
        pair = None
        try:
            pair = Pair(Path(place), programs, random.Random(seed))
            pair.start()
            for number in range(1, rounds + 1):
                pair.round(number)
        except Failure as failure:
            print(f"FAILED with seed {seed}: {failure}")
            if "KEEP" in os.environ:
                shutil.copytree(place, os.environ["KEEP"], dirs_exist_ok=True)
            return 1
        finally:
            if pair:
                pair.end()
    print(f"syncthing: {rounds} rounds, {pair.edits} edits on two sides, {pair.conflicts} conflict copies: the same list on both "
          "each time, nothing lost, nothing left beside it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
