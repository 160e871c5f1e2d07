"""Hand-written lines, in every revision: python client_lines.py GET-BANANAS FOLDER REVISION

What no library sends: every method whether declared or not, and the mistakes of docs and specification. The answers
are looked at here as far as their kind and error code go; their form is checked in the recording.
"""

import json
import signal
import subprocess

import journey

SERVER = journey.Server.from_arguments()
REVISION = SERVER.mode
MODERN = REVISION == "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    "io.modelcontextprotocol/clientInfo": {"name": "lines", "version": "1"},
}


class Pipe:
    """One server; a request gets the next id."""

    def __init__(self, path) -> None:
        self.process = subprocess.Popen(
            [SERVER.command, *SERVER.arguments(path)],
            env=SERVER.environment(path), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        self.last = 0

    def write(self, line: str | bytes | object) -> None:
        if not isinstance(line, str | bytes):
            line = json.dumps(line)
        self.process.stdin.write((line.encode() if isinstance(line, str) else line) + b"\n")
        self.process.stdin.flush()

    def read(self) -> object:
        line = self.process.stdout.readline()
        journey.check(line.endswith(b"\n"), "the server has ended")
        return json.loads(line)

    def send(self, method: str, params: dict | None = None, **members: object) -> object:
        """A request of the revision at hand; its id."""
        self.last += 1
        params = dict(params or {})
        if MODERN and "_meta" not in params:
            params["_meta"] = META
        self.write({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params, **members})
        return members.get("id", self.last)

    def ask(self, method: str, params: dict | None = None, **members: object) -> dict:
        """The result of a request."""
        answer = self.answer(self.send(method, params, **members))
        journey.check("result" in answer, f"{method} {params}: {answer}")
        return answer["result"]

    def answer(self, identity: object) -> dict:
        answer = self.read()
        same = isinstance(answer, dict) and json.dumps(answer.get("id")) == json.dumps(identity)
        journey.check(same, f"{answer} is no answer to {identity!r}")
        return answer

    def fails(self, code: int, method: str, params: dict | None = None, **members: object) -> dict:
        return self.error(code, self.answer(self.send(method, params, **members)))

    def mistake(self, code: int, line: str | bytes | object) -> None:
        """A line whose id cannot be read."""
        self.write(line)
        answer = self.read()
        journey.check(answer.get("id") is None, f"{line!r}: {answer}")
        self.error(code, answer)

    @staticmethod
    def error(code: int, answer: dict) -> dict:
        journey.check(answer.get("error", {}).get("code") == code, f"expected {code}: {answer}")
        return answer["error"]

    def end(self) -> list:
        """Closes the input; what was still said, and the status has to be 0."""
        rest = [json.loads(line) for line in self.process.communicate(timeout=journey.PATIENCE)[0].splitlines()]
        journey.check(self.process.returncode == 0, f"ended with {self.process.returncode}")
        return rest


def call(tool: str, **arguments: object) -> dict:
    return {"name": tool, "arguments": arguments}


def begin(path, capabilities: dict | None = None) -> Pipe:
    pipe = Pipe(path)
    if not MODERN:
        client = {"name": "lines", "version": "1"}
        settled = pipe.ask(
            "initialize",
            {"protocolVersion": REVISION, "capabilities": capabilities or {}, "clientInfo": client},
        )
        journey.check(settled["protocolVersion"] == REVISION, f"settled on {settled}")
        pipe.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return pipe


async def every_method() -> None:
    with SERVER.list_file() as path:
        pipe = begin(path)
        tools = pipe.ask("tools/list")["tools"]
        journey.check({tool["name"] for tool in tools} == journey.TOOLS, f"the tools are {tools}")
        pipe.ask("tools/call", call("add_item", items=["Milk", "Bread"], section="Dairy"))
        pipe.ask("tools/call", call("update_item", name="Milk", checked=True))
        pipe.ask("tools/call", call("remove_item", name="Bread"))
        pipe.ask("tools/call", call("get_shopping_list"))
        pipe.ask("tools/call", call("update_shopping_list", items=["Milk", "Tea"]))
        refused = pipe.ask("tools/call", call("remove_item", name="Gold"))
        journey.check(refused["isError"] is True, f"removed what is not there: {refused}")
        for resource in pipe.ask("resources/list")["resources"]:
            pipe.ask("resources/read", {"uri": resource["uri"]})
        pipe.ask("resources/templates/list")
        pipe.ask("resources/read", {"uri": "shopping-list://section/Dairy"})
        completed = pipe.ask(
            "completion/complete",
            {
                "ref": {"type": "ref/resource", "uri": journey.TEMPLATE},
                "argument": {"name": "section", "value": "d"},
            },
        )
        journey.check(completed["completion"]["values"] == ["Dairy"], f"completed with {completed}")
        for method in ("ping", "prompts/list", "logging/setLevel"):
            params = {"level": "debug"} if method == "logging/setLevel" else {}
            pipe.fails(-32601, method, params) if MODERN else pipe.ask(method, params)
        if MODERN:
            pipe.ask("server/discover")
            pipe.fails(-32601, "resources/subscribe", {"uri": journey.CURRENT})
        else:
            pipe.fails(-32602, "server/discover")
            pipe.fails(-32601, "subscriptions/listen", {"notifications": {}})
        journey.check(pipe.end() == [], "something was said at the end")


async def mistakes() -> None:
    with SERVER.list_file() as path:
        pipe = begin(path)
        pipe.fails(-32601, "buy")
        pipe.fails(-32602, "tools/call", call("buy"))
        pipe.fails(-32602, "tools/call", {})
        pipe.fails(-32602, "tools/call", {"name": "add_item", "arguments": [1]})
        pipe.fails(-32602, "tools/list", {"cursor": "2"})
        error = pipe.fails(-32602 if MODERN else -32002, "resources/read", {"uri": "shopping-list://other"})
        journey.check(error["data"]["uri"] == "shopping-list://other", f"the error is {error}")
        pipe.fails(-32602, "resources/read", {})
        pipe.fails(-32602, "completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}})
        pipe.fails(-32600, "tools/list", jsonrpc="1.0")
        pipe.write({"jsonrpc": "2.0", "id": "list", "method": "tools/list", "params": [1]})
        pipe.error(-32600, pipe.answer("list"))
        for identity in (0, "", "1", -7, 12345678901234567890, "\u00fc\u2028"):
            pipe.ask("tools/list", id=identity)

        for line in ("{", "nonsense", '{"jsonrpc": "2.0", "id": 1, "method": "ping"} {}', b'"\xff"', "[" * 600):
            pipe.mistake(-32700, line)
        for value in (1, '"text"', None, True, [], {}, {"jsonrpc": "2.0"}):
            pipe.mistake(-32600, value)
        for identity in (None, 1.5, True, [], {}):
            params = {"_meta": META} if MODERN else {}
            pipe.mistake(-32600, {"jsonrpc": "2.0", "id": identity, "method": "tools/list", "params": params})

        # Nothing of this is answered, or the next answer would not be the one that is waited for.
        for method in ("notifications/cancelled", "notifications/unheard-of", "tools/list"):
            pipe.write({"jsonrpc": "2.0", "method": method, "params": [1]})
        pipe.write({"jsonrpc": "2.0", "id": 99, "result": {}})
        pipe.write({"jsonrpc": "2.0", "id": None, "error": {"code": -1, "message": "no"}})
        pipe.write(" \t\r")
        pipe.write('\ufeff{"jsonrpc": "2.0", "id": "bom", "method": "tools/call", "params": {"name": 1}}\r')
        pipe.error(-32602, pipe.answer("bom"))
        if MODERN:
            envelopes(pipe)
        else:
            batches(pipe)
        journey.check(pipe.end() == [], "something was said at the end")


def envelopes(pipe: Pipe) -> None:
    """What may be wrong with an envelope."""
    prefix = "io.modelcontextprotocol/"
    for wrong in (None, 1, {}):
        pipe.fails(-32602, "tools/list", {"_meta": {**META, prefix + "protocolVersion": wrong}})
    for other in ("2025-11-25", "2027-01-01", ""):
        error = pipe.fails(-32022, "tools/list", {"_meta": {**META, prefix + "protocolVersion": other}})
        wanted = {"supported": [REVISION], "requested": other}
        journey.check(error["data"] == wanted, f"the error is {error}")
    for wrong in (None, [], "elicitation"):
        pipe.fails(-32602, "tools/list", {"_meta": {**META, prefix + "clientCapabilities": wrong}})
    pipe.fails(-32602, "buy", {"_meta": {prefix + "logLevel": "debug"}})


def batches(pipe: Pipe) -> None:
    """Several messages in a line: a matter of one revision."""
    batch = [
        {"jsonrpc": "2.0", "id": "a", "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/unheard-of"},
        1,
        {"jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": call("get_shopping_list")},
        {"jsonrpc": "2.0", "id": "c", "method": "buy"},
    ]
    if REVISION != "2025-03-26":
        pipe.mistake(-32600, batch)
        return
    pipe.write(batch)
    answers = pipe.read()
    found = {answer.get("id"): answer.get("error", {}).get("code") for answer in answers}
    journey.check(found == {"a": None, None: -32600, "b": None, "c": -32601}, f"the batch was answered {answers}")
    pipe.write([{"jsonrpc": "2.0", "method": "notifications/unheard-of"}])
    pipe.ask("ping")


async def changes() -> None:
    """Subscriptions, several at once, to the end of the input and to a signal."""
    with SERVER.list_file() as path:
        SERVER.other_writer(path, "add_item", {"name": "Milk", "section": "Dairy"})
        pipe = begin(path)
        if MODERN:
            for uris in ([journey.CURRENT], [journey.CHECKLIST, "shopping-list://other"], []):
                pipe.send("subscriptions/listen", {"notifications": {"resourceSubscriptions": uris}})
                acknowledged = pipe.read()
                journey.check(
                    acknowledged["method"] == "notifications/subscriptions/acknowledged", f"got {acknowledged}"
                )
            pipe.fails(-32602, "subscriptions/listen", {})
            pipe.fails(-32600, "subscriptions/listen", {"notifications": {}}, id=1)
        else:
            for uri in (journey.CURRENT, journey.CHECKLIST, "shopping-list://section/Dairy"):
                pipe.ask("resources/subscribe", {"uri": uri})
            pipe.ask("resources/unsubscribe", {"uri": "shopping-list://section/Dairy"})
            pipe.fails(-32002, "resources/subscribe", {"uri": "shopping-list://other"})
        SERVER.other_writer(path, "add_item", {"name": "Jam"})
        told = {pipe.read()["params"]["uri"] for _ in range(2)}
        journey.check(told == {journey.CURRENT, journey.CHECKLIST}, f"told of {told}")
        if MODERN:
            pipe.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}})
        rest = pipe.end()
        journey.check([answer.get("id") for answer in rest] == ([1, 2] if MODERN else []), f"at the end: {rest}")

    with SERVER.list_file() as path:
        pipe = begin(path)
        if MODERN:
            pipe.send("subscriptions/listen", {"notifications": {"resourceSubscriptions": [journey.CURRENT]}})
            pipe.read()
        else:
            pipe.ask("resources/subscribe", {"uri": journey.CURRENT})
        pipe.process.send_signal(signal.SIGTERM)
        pipe.process.wait(journey.PATIENCE)
        rest = pipe.end()
        journey.check(len(rest) == (1 if MODERN else 0), f"at the signal: {rest}")


async def questions() -> None:
    """The user is asked; other requests are served meanwhile; cancelling ends the question."""
    replace = call("update_shopping_list", items=["Tea"])
    with SERVER.list_file() as path:
        pipe = begin(path, {"elicitation": {}})
        pipe.ask("tools/call", call("add_item", name="Milk"))
        if MODERN:
            (key,) = pipe.ask("tools/call", replace)["inputRequests"]
            answer = {"action": "accept", "content": {"confirm": True}}
            pipe.fails(-32602, "tools/call", {**replace, "inputResponses": {key: {"action": "perhaps"}}})
            again = pipe.ask("tools/call", {**replace, "inputResponses": {"other": answer}})
            journey.check(list(again["inputRequests"]) == [key], f"asked {again}")
            declined = pipe.ask("tools/call", {**replace, "inputResponses": {key: {"action": "decline"}}})
            journey.check(declined["isError"], f"a no was {declined}")
            done = pipe.ask("tools/call", {**replace, "inputResponses": {key: answer}, "requestState": "?"})
            journey.check(not done["isError"], f"a yes was {done}")
        elif REVISION >= "2025-06-18":
            waiting = pipe.send("tools/call", replace)
            question = pipe.read()
            journey.check(question["method"] == "elicitation/create", f"asked {question}")
            pipe.ask("ping")
            pipe.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": waiting}})
            withdrawn = pipe.read()
            journey.check(withdrawn["params"]["requestId"] == question["id"], f"withdrawn {withdrawn}")
            waiting = pipe.send("tools/call", replace)
            question = pipe.read()
            pipe.write({"jsonrpc": "2.0", "id": question["id"], "error": {"code": -32603, "message": "no window"}})
            refused = pipe.answer(waiting)["result"]
            journey.check(refused["isError"], f"an error for an answer was {refused}")
            pipe.send("tools/call", replace)
            pipe.read()
        else:
            refused = pipe.ask("tools/call", replace)
            journey.check(refused["isError"], f"nobody was asked: {refused}")
        rest = pipe.end()
        if not MODERN and REVISION >= "2025-06-18":
            journey.check([answer["result"]["isError"] for answer in rest if "id" in answer] == [True], f"{rest}")
        names = ["Tea"] if MODERN else ["Milk"]
        journey.check(journey.names(path) == names, f"the file has {journey.names(path)}")


journey.run(every_method, mistakes, changes, questions)
