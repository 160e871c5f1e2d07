"""Checks a recorded conversation: every frame of the server against the official schema of its revision, read strictly.

    problems, counts = check(path_of_a_recording, Schemas(folder))

Which revision a frame belongs to follows from what it answers: a request with an envelope in params._meta is modern,
and its answer is 2026-07-28; any other is legacy, and its answer is of the revision that the last initialize settled,
2025-11-25 before one. Notifications and requests of the server carry a subscription id where they are modern.

Strictly means that a member which the revision does not define is an error, although the schemas let it pass: clients
that were generated from a schema do not always. Left out are the insides of what is open by its nature (OPEN).

Beyond the schema: each line is one JSON text without NaN, duplicate members or a lone surrogate; every request is
answered exactly once, if the conversation was ended by the client and the request was not cancelled; nothing else is
answered.

Without the schemas, `Schemas(None)` checks what does not need them.
"""

import json
from collections import Counter
from pathlib import Path

import jsonschema
from referencing import Registry
from referencing.jsonschema import DRAFT7, DRAFT202012

MODERN = "2026-07-28"
NEWEST_LEGACY = "2025-11-25"
LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", NEWEST_LEGACY]
PREFIX = "io.modelcontextprotocol/"
ENVELOPE = [PREFIX + name for name in ("protocolVersion", "clientCapabilities", "clientInfo", "logLevel")]

# Members whose insides are not the protocol's to define.
OPEN = {"inputSchema", "outputSchema", "structuredContent", "_meta", "data", "extensions"}

ENVELOPES = ("JSONRPCRequest", "JSONRPCNotification", "JSONRPCResponse", "JSONRPCResultResponse")

RESULTS = {
    "initialize": "InitializeResult",
    "ping": "EmptyResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
    "resources/subscribe": "EmptyResult",
    "resources/unsubscribe": "EmptyResult",
    "subscriptions/listen": "SubscriptionsListenResult",
    "completion/complete": "CompleteResult",
    "prompts/list": "ListPromptsResult",
    "logging/setLevel": "EmptyResult",
}

# What the server reads at most: a line, and levels of nesting.
LONGEST_LINE = 16 * 1024 * 1024
DEEPEST = 512


class Schemas:
    """The schemas of all revisions; of none where there is no folder. `strictly`: closed against unknown members."""

    def __init__(self, folder: Path | None, strictly: bool = True) -> None:
        self._definitions: dict[str, dict] = {}
        self._validators: dict[tuple[str, str], jsonschema.protocols.Validator] = {}
        self._registry = Registry()
        for revision in [*LEGACY, MODERN] if folder else []:
            schema = json.loads((folder / f"schema-{revision}.json").read_text())
            key = "$defs" if "$defs" in schema else "definitions"
            for name, definition in schema[key].items():
                if strictly and not name.endswith("MetaObject"):
                    schema[key][name] = closed(definition)
            for envelope in ENVELOPES:  # what they carry is looked at by itself
                for member in {"params", "result"} & schema[key].get(envelope, {}).get("properties", {}).keys():
                    schema[key][envelope]["properties"][member] = True
            self._definitions[revision] = schema[key]
            draft = DRAFT202012 if key == "$defs" else DRAFT7
            self._registry = self._registry.with_resource(revision, draft.create_resource(schema))

    @property
    def are_here(self) -> bool:
        return bool(self._definitions)

    def defines(self, revision: str, name: str) -> bool:
        return name in self._definitions[revision]

    def method(self, revision: str, name: str) -> str | None:
        """The method of a type of message; None without the schemas."""
        return self._definitions[revision][name]["properties"]["method"]["const"] if self.are_here else None

    def problems(self, value: object, revision: str, name: str) -> list[str]:
        """What is wrong with a value of the named type."""
        if not self.are_here:
            return []
        if not self.defines(revision, name):
            return [f"{revision} has no {name}"]
        key = (revision, name)
        if key not in self._validators:
            modern = revision >= NEWEST_LEGACY
            validator = jsonschema.Draft202012Validator if modern else jsonschema.Draft7Validator
            reference = f"{revision}#/{'$defs' if modern else 'definitions'}/{name}"
            self._validators[key] = validator({"$ref": reference}, registry=self._registry)
        found = []
        for error in self._validators[key].iter_errors(value):
            deepest = jsonschema.exceptions.best_match([error])
            found.append(f"{revision} {name} at {deepest.json_path}: {deepest.message[:300]}")
        return found

    def message(self, frame: dict, revision: str) -> list[str]:
        """What is wrong with a notification or a request."""
        if not self.are_here:
            return []
        for name, definition in self._definitions[revision].items():
            properties = definition.get("properties", {})
            if properties.get("method", {}).get("const") == frame["method"]:
                envelope = "JSONRPCRequest" if "id" in frame else "JSONRPCNotification"
                # Older revisions describe a message without its JSON-RPC members.
                inside = {key: frame[key] for key in frame if key in properties or key not in ("jsonrpc", "id")}
                return self.problems(frame, revision, envelope) + self.problems(inside, revision, name)
        return [f"{revision} has no message {frame['method']}"]


def closed(node: object, in_parts: bool = False) -> object:
    """The schema with every object that has properties closed, but for the insides of open members."""
    if isinstance(node, list):
        return [closed(entry) for entry in node]
    if not isinstance(node, dict):
        return node
    result = {}
    for key, value in node.items():
        if key == "properties":
            result[key] = {name: value[name] if name in OPEN else closed(value[name]) for name in value}
        elif key == "allOf":  # a part does not know the members of the others
            result[key] = [closed(part, in_parts=True) for part in value]
        else:
            result[key] = closed(value)
    if node.get("properties") and node.get("additionalProperties", {}) in ({}, True) and not in_parts:
        result["additionalProperties"] = False
    return result


def strict_json(text: str) -> object:
    """A JSON text as RFC 8259 and the protocol have it; raises ValueError for all else."""

    def members(pairs: list[tuple[str, object]]) -> dict:
        if len({key for key, _ in pairs}) != len(pairs):
            raise ValueError(f"a member occurs twice in {[key for key, _ in pairs]}")
        return dict(pairs)

    def constant(name: str) -> None:
        raise ValueError(f"{name} is no JSON")

    text.encode("utf-8")  # a lone surrogate stands for a byte that is no UTF-8
    value = json.loads(text, object_pairs_hook=members, parse_constant=constant)
    json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


def lenient_json(line: str) -> object:
    """What the server makes of a client's line; raises ValueError where it is none."""

    def constant(name: str) -> None:
        raise ValueError(name)

    if len(line.encode("utf-8", "surrogateescape")) > LONGEST_LINE:
        raise ValueError("too long")
    line.encode("utf-8")
    try:
        value = json.loads(line.removeprefix("\ufeff"), parse_constant=constant)
    except RecursionError:
        raise ValueError("too deep") from None
    if depth(value) > DEEPEST:
        raise ValueError("too deep")
    return value


def depth(value: object) -> int:
    """How deeply lists and objects are nested."""
    level, deep = [value], 0
    while level := [entry for entry in level if isinstance(entry, dict | list)]:
        deep += 1
        level = [inner for entry in level for inner in (entry.values() if isinstance(entry, dict) else entry)]
    return deep


def is_id(value: object) -> bool:
    return isinstance(value, str) or (
        isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
    )


def id_key(value: object) -> str:
    """Ids are the same if they have the same type and value."""
    return json.dumps(int(value) if isinstance(value, float) else value)


def has_envelope(request: dict) -> bool:
    params = request.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and any(name in meta for name in ENVELOPE)


class Conversation:
    """What was asked so far and what has been settled."""

    def __init__(self, schemas: Schemas) -> None:
        self.schemas = schemas
        self.negotiated: str | None = None
        # By id, the requests that wait for an answer: method, and whether they came in an envelope.
        self.waiting: dict[str, list[tuple[str | None, bool]]] = {}
        self.cancelled: set[str] = set()
        # Mistakes whose id cannot be read; true where they came in an envelope.
        self.nameless: list[bool] = []
        self.counts: Counter[str] = Counter()

    @property
    def legacy(self) -> str:
        return self.negotiated or NEWEST_LEGACY

    # What the client says

    def client(self, line: str) -> None:
        if not line.strip(" \t\r\n"):
            return
        try:
            value = lenient_json(line)
        except ValueError:
            self.nameless.append(False)
            return
        if isinstance(value, list) and value and self.legacy == "2025-03-26":
            for entry in value:
                self.client_message(entry)
        else:
            self.client_message(value)

    def client_message(self, value: object) -> None:
        if not isinstance(value, dict):
            self.nameless.append(False)
            return
        method = value.get("method")
        if "id" not in value and isinstance(method, str):
            params = value.get("params")
            if method == "notifications/cancelled" and isinstance(params, dict) and is_id(params.get("requestId")):
                self.cancelled.add(id_key(params["requestId"]))
        elif "method" not in value and ("result" in value or "error" in value):
            pass
        elif is_id(value.get("id")):
            method = method if isinstance(method, str) else None
            self.waiting.setdefault(id_key(value["id"]), []).append((method, has_envelope(value)))
        else:
            self.nameless.append(has_envelope(value))

    # What the server says

    def server(self, line: str) -> list[str]:
        try:
            value = strict_json(line)
        except ValueError as error:
            return [f"no JSON: {error}"]
        if isinstance(value, dict):
            return self.frame(value)
        if isinstance(value, list) and value and self.legacy == "2025-03-26":
            return [problem for entry in value for problem in self.frame(entry)]
        return ["neither an object nor a batch of 2025-03-26"]

    def frame(self, frame: dict) -> list[str]:
        if not isinstance(frame, dict):
            return ["an entry of a batch is no object"]
        if "method" in frame:
            params = frame.get("params", {})
            modern = PREFIX + "subscriptionId" in params.get("_meta", {})
            revision = MODERN if modern else self.legacy
            self.counts[revision] += 1
            return self.schemas.message(frame, revision)
        if frame.get("id") is None:
            return self.nameless_error(frame)
        requests = self.waiting.get(id_key(frame["id"]))
        if not requests:
            return [f"answers id {frame['id']!r}, which nobody waits for"]
        method, modern = requests.pop(0)
        modern = modern and method != "initialize"
        if method == "initialize" and "result" in frame:
            self.negotiated = frame["result"].get("protocolVersion")
            if self.negotiated not in LEGACY:
                return [f"settled on {self.negotiated!r}"]
        revision = MODERN if modern else self.legacy
        self.counts[revision] += 1
        if "error" in frame:
            return self.error(frame, revision)
        return self.result(frame, method, revision)

    def result(self, frame: dict, method: str | None, revision: str) -> list[str]:
        if method not in RESULTS:
            return [f"a result for {method}"]
        name = RESULTS[method]
        if frame["result"].get("resultType") == "input_required":
            name = "InputRequiredResult"
        envelope = "JSONRPCResultResponse" if revision >= NEWEST_LEGACY else "JSONRPCResponse"
        return self.schemas.problems(frame, revision, envelope) + self.schemas.problems(
            frame["result"], revision, name
        )

    def error(self, frame: dict, revision: str) -> list[str]:
        name = "JSONRPCErrorResponse" if revision >= NEWEST_LEGACY else "JSONRPCError"
        if revision == MODERN and frame["error"].get("code") == -32022:
            name = "UnsupportedProtocolVersionError"
        return self.schemas.problems(frame, revision, name)

    def nameless_error(self, frame: dict) -> list[str]:
        if not self.nameless:
            return ["an answer without an id, and nobody made a mistake without one"]
        revision = MODERN if self.nameless.pop(0) else self.legacy
        self.counts[revision] += 1
        if revision < NEWEST_LEGACY:
            # JSON-RPC 2.0 wants null here, and these schemas have no way to answer at all.
            if frame.get("id", "") is not None:
                return [f"{revision}: the id of an answer to an unreadable request is not null"]
            frame = {**frame, "id": 0}
        if "error" not in frame:
            return ["a result without an id"]
        return self.error(frame, revision)

    def left_over(self) -> list[str]:
        """What was never answered."""
        ids = [key for key, requests in self.waiting.items() if requests and key not in self.cancelled]
        return [f"id {key} was never answered" for key in ids] + [
            "a mistake without an id was never answered" for _ in self.nameless
        ]


def check(recording: Path, schemas: Schemas, may_be_killed: bool = False) -> tuple[list[str], Counter[str]]:
    """The problems of a recording, each with its line, and how many frames of each revision it has.

    The server has to end with status 0 and without a word on standard error, whether its input ended or a signal came.
    `may_be_killed`: the client is known to kill its servers, so that status and end may be missing.
    """
    conversation = Conversation(schemas)
    problems: list[str] = []
    status, ended_by_client, signalled = None, False, False
    for number, text in enumerate(recording.read_text().splitlines(), 1):
        entry = json.loads(text)
        found = []
        match entry.get("from"):
            case "client" if "end" in entry:
                ended_by_client = True
            case "client":
                conversation.client(entry["line"])
            case "server":
                if entry.get("open"):
                    found.append("the last line has no end")
                found += conversation.server(entry["line"])
            case "noise":
                found.append(f"on standard error: {entry['line']}")
            case _:
                signalled = signalled or "signal" in entry
                status = entry.get("exit", status)
        problems += [f"{recording.name}:{number}: {problem}" for problem in found]
    if status is None and not may_be_killed:
        problems.append(f"{recording.name}: the client killed the server")
    elif status not in (None, 0):
        problems.append(f"{recording.name}: the server ended with status {status}")
    elif status == 0 and ended_by_client and not signalled:
        problems += [f"{recording.name}: {problem}" for problem in conversation.left_over()]
    return problems, conversation.counts
