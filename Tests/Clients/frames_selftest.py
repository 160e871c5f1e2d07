"""Each rule of frames.py tried on a recording that breaks it: python frames_selftest.py [FOLDER-OF-THE-SCHEMAS]"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from frames import Schemas, check

SCHEMAS = Schemas(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
TOOL = {"name": "t", "inputSchema": {"type": "object", "x-own": 1}}
LISTED = {"tools": [TOOL], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def client(value: object) -> dict:
    return {"from": "client", "line": value if isinstance(value, str) else json.dumps(value)}


def server(value: object) -> dict:
    return {"from": "server", "line": value if isinstance(value, str) else json.dumps(value)}


def request(method: str, identity: object = 1, **params: object) -> dict:
    return client({"jsonrpc": "2.0", "id": identity, "method": method, "params": params})


def result(value: object, identity: object = 1) -> dict:
    return server({"jsonrpc": "2.0", "id": identity, "result": value})


def error(code: int, **members: object) -> dict:
    return server({"jsonrpc": "2.0", "error": {"code": code, "message": "m"}, **members})


def settled(revision: str) -> list[dict]:
    answer = {"protocolVersion": revision, "capabilities": {}, "serverInfo": {"name": "n", "version": "1"}}
    return [request("initialize", "i", protocolVersion=revision), result(answer, "i")]


END = [{"from": "client", "end": True}, {"exit": 0}]
TOOLS = request("tools/list")
MODERN_TOOLS = request("tools/list", _meta=ENVELOPE)

GOOD = [
    [*settled("2024-11-05"), TOOLS, result({"tools": [TOOL]}), client("{"), error(-32700, id=None), *END],
    [*settled("2025-03-26"), client([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, 1]),
     server([{"jsonrpc": "2.0", "id": 1, "result": {}}, json.loads(error(-32600, id=None)["line"])]), *END],
    [MODERN_TOOLS, result(LISTED), client("{"), error(-32700), *END],
    [TOOLS, client({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}), *END],
    [TOOLS, {"signal": 15}, {"exit": 0}],
    [client('{"jsonrpc": "2.0", "method": "notifications/x", "params": 1}'), client(" "), *END],
]

# What is wrong, a recording of it, and a part of what has to be said.
BAD = [
    ("no JSON", [TOOLS, server("{")], "no JSON"),
    ("NaN", [TOOLS, server('{"jsonrpc": "2.0", "id": 1, "result": {"tools": NaN}}')], "NaN"),
    ("a member twice", [TOOLS, server('{"jsonrpc": "2.0", "id": 1, "id": 1, "result": {}}')], "twice"),
    ("a lone surrogate", [TOOLS, result({"tools": [], "_meta": {"a": "\ud800"}})], "no JSON"),
    ("a line without an end", [TOOLS, {**result({"tools": []}), "open": True}, *END], "no end"),
    ("an answer to nothing", [result({"tools": []})], "nobody waits"),
    ("an answer to a notification", [client({"jsonrpc": "2.0", "method": "m"}), error(-32601)], "without an id"),
    ("two answers", [TOOLS, result({"tools": []}), result({"tools": []})], "nobody waits"),
    ("another type of id", [TOOLS, result({"tools": []}, "1")], "nobody waits"),
    ("no answer", [TOOLS, *END], "never answered"),
    ("no answer to a mistake", [client("{"), *END], "never answered"),
    ("a batch", [TOOLS, server([{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}])], "neither an object"),
    ("a result for an unknown method", [request("buy"), result({})], "a result for buy"),
    ("an unknown revision", settled("2020-01-01"), "settled on"),
    ("standard error", [{"from": "noise", "line": "oops"}, *END], "standard error"),
    ("a status", [{"exit": 1}], "status 1"),
    ("a crash", [{"exit": -11}], "status -11"),
    ("no end", [TOOLS, result({"tools": []})], "killed"),
    ("no null id", [*settled("2025-06-18"), client("{"), error(-32700)], "not null"),
]

# The same for what only the schemas know.
BAD_SCHEMA = [
    ("an unknown member", [TOOLS, result({"tools": [], "count": 0})], "count"),
    ("an unknown member of an entry", [TOOLS, result({"tools": [{**TOOL, "price": 1}]})], "price"),
    ("a member of a later revision",
     [*settled("2025-03-26"), TOOLS, result({"tools": [{**TOOL, "title": "T"}]})], "title"),
    ("a modern member in a legacy answer", [TOOLS, result(LISTED)], "resultType"),
    ("a modern answer without its members", [MODERN_TOOLS, result({"tools": []})], "resultType"),
    ("an unknown member of an empty result", [request("ping"), result({"pong": True})], "pong"),
    ("an unknown member of the frame",
     [request("ping"), server({"jsonrpc": "2.0", "id": 1, "result": {}, "at": 0})], "at"),
    ("a missing member", [TOOLS, result({"tools": [{"name": "t"}]})], "inputSchema"),
    ("a wrong type", [request("tools/call", name="t"), result({"content": [{"type": "text", "text": 1}]})], "content"),
    ("an id of null", [client("{"), error(-32700, id=None)], "id"),
    ("an error's code", [TOOLS, server({"jsonrpc": "2.0", "id": 1, "error": {"code": "c", "message": "m"}})], "code"),
    ("an error's members", [MODERN_TOOLS, error(-32022, id=1)], "data"),
    ("an unknown notification", [server({"jsonrpc": "2.0", "method": "notifications/x"})], "no message"),
    ("a notification's members",
     [server({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "a:b", "by": 1}})],
     "by"),
    ("a question in a revision without",
     [*settled("2025-03-26"), server({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": {}})],
     "no message"),
]


def found(entries: list[dict]) -> list[str]:
    with TemporaryDirectory() as folder:
        recording = Path(folder, "recording.jsonl")
        recording.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        return check(recording, SCHEMAS)[0]


def main() -> None:
    wrong = [f"said of a good recording: {said}" for entries in GOOD if (said := found(entries))]
    for what, entries, part in [*BAD, *(BAD_SCHEMA if SCHEMAS.are_here else [])]:
        said = found(entries)
        if not any(part in problem for problem in said):
            wrong.append(f"not found: {what} ({said})")
    if wrong:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
