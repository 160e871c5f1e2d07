"""The official schemas of what passes between a host and its view, where they lie beside the checkout.

    problems = Messages(root).problems("view", message)        # a list of texts, empty if the message is right

Messages that MCP Apps has on its own are in ext-apps-….json; what they hand on, a tool's call and its result, is in the
schema of the protocol. Without the schemas only what JSON-RPC itself wants is checked, and `are_here` is false.
"""

import json
from pathlib import Path

import jsonschema
from referencing import Registry
from referencing.jsonschema import DRAFT202012

REQUESTS = {
    "ui/initialize": ("McpUiInitializeRequest", "McpUiInitializeResult"),
    "ui/update-model-context": ("McpUiUpdateModelContextRequest", None),
    "ui/resource-teardown": ("McpUiResourceTeardownRequest", "McpUiResourceTeardownResult"),
    "tools/call": ("CallToolRequest", "CallToolResult"),
    "ping": ("PingRequest", "EmptyResult"),
}
NOTIFICATIONS = {
    "ui/notifications/initialized": "McpUiInitializedNotification",
    "ui/notifications/size-changed": "McpUiSizeChangedNotification",
    "ui/notifications/tool-input": "McpUiToolInputNotification",
    "ui/notifications/tool-input-partial": "McpUiToolInputPartialNotification",
    "ui/notifications/tool-result": "McpUiToolResultNotification",
    "ui/notifications/tool-cancelled": "McpUiToolCancelledNotification",
    "ui/notifications/host-context-changed": "McpUiHostContextChangedNotification",
}
# What each side may send first.
SENT_BY = {
    "view": {"ui/initialize", "ui/update-model-context", "tools/call", "ui/notifications/initialized",
             "ui/notifications/size-changed"},
    "host": {"ui/resource-teardown", "ping"} | {name for name in NOTIFICATIONS if name not in
             ("ui/notifications/initialized", "ui/notifications/size-changed")},
}

# Where the schema asks for more than the specification, both times since it was made from types that JSON has no word for:
# the two halves of containerDimensions are closed, so that only {} fits; all of the optional style variables are required.
TOO_STRICT = [("hostContext.containerDimensions", "anyOf"), ("params.containerDimensions", "anyOf"),
              ("styles.variables", "required")]


class Messages:
    def __init__(self, root: Path) -> None:
        shared = next((folder for up in ("..", "../..") if (folder := root / up / "shared").is_dir()), None)
        files = [*shared.glob("apps-schema/ext-apps-*.json"), shared / "mcp-schema/schema-2025-11-25.json"] if shared else []
        self.are_here = len(files) == 2 and all(file.is_file() for file in files)
        self.types: dict[str, str] = {}
        resources = []
        for file in files if self.are_here else []:
            schema = json.loads(file.read_text())
            resources.append((file.name, DRAFT202012.create_resource(schema)))
            for name in schema["$defs"]:
                self.types.setdefault(name, f"{file.name}#/$defs/{name}")
        self.registry = Registry().with_resources(resources)
        # Which requests wait for their answers, by who is to answer and by id.
        self.open: dict[tuple[str, object], str] = {}

    def misfits(self, value: object, name: str | None) -> list[str]:
        if name is None or not self.are_here:
            return []
        validator = jsonschema.Draft202012Validator({"$ref": self.types[name]}, registry=self.registry)
        return [
            f"{name} {error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)
            if not any(error.json_path.endswith(place) and error.validator == rule for place, rule in TOO_STRICT)
        ]

    def problems(self, sender: str, message: object) -> list[str]:
        """What is wrong with a message of the "view" or the "host"."""
        other = "host" if sender == "view" else "view"
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return [f"no JSON-RPC: {str(message)[:200]}"]
        method, identity = message.get("method"), message.get("id")
        if method is None:
            asked = self.open.pop((sender, identity), None)
            if asked is None:
                return [f"answers {identity!r}, which nobody asked"]
            if ("result" in message) == ("error" in message):
                return ["an answer has either a result or an error"]
            return self.misfits(message["result"], REQUESTS[asked][1]) if "result" in message else []
        if method not in SENT_BY[sender]:
            return [f"{method} is nothing that the {sender} may send"]
        # The schema of the protocol wants the envelope, those of the extension do not know it.
        bare = {key: value for key, value in message.items() if key not in ("jsonrpc", "id")}
        if method in NOTIFICATIONS:
            return ["a notification with an id"] if "id" in message else self.misfits(bare, NOTIFICATIONS[method])
        if not isinstance(identity, int | str) or (other, identity) in self.open:
            return [f"a request needs an id of its own, not {identity!r}"]
        self.open[(other, identity)] = method
        return self.misfits(message if method in ("tools/call", "ping") else bare, REQUESTS[method][0])
