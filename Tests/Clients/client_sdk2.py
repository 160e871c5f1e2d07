"""The official Python SDK 2: python client_sdk2.py GET-BANANAS FOLDER MODE

MODE is how a conversation begins: "auto" asks with server/discover and falls back to initialize, "legacy" begins with
initialize, "2026-07-28" with neither. The SDK checks every message against its own model of the protocol, and every
structured result against the tool's output schema.
"""

import asyncio

import journey
from mcp import MCPError
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitResult, ResourceTemplateReference, ResourceUpdatedNotification

SERVER = journey.Server.from_arguments()
REVISION = {"auto": "2026-07-28", "legacy": "2025-11-25", "2026-07-28": "2026-07-28"}[SERVER.mode]
MODERN = REVISION == "2026-07-28"


class Host:
    def __init__(self, client: Client) -> None:
        self.client = client

    async def tools(self) -> list[str]:
        return [tool.name for tool in (await self.client.list_tools()).tools]

    async def call(self, tool: str, arguments: dict[str, object]) -> journey.Reply:
        result = await self.client.call_tool(tool, arguments)
        text = "\n".join(block.text for block in result.content)
        structured = result.structured_content
        journey.check((structured is None) == bool(result.is_error), f"{tool}: the structure is {structured}")
        return journey.Reply(text, structured, bool(result.is_error))

    async def resources(self) -> list[str]:
        return [str(resource.uri) for resource in (await self.client.list_resources()).resources]

    async def read(self, uri: str) -> str:
        (contents,) = (await self.client.read_resource(uri, cache_mode="refresh")).contents
        return contents.text


def client(path, **callbacks) -> Client:
    parameters = StdioServerParameters(
        command=SERVER.command, args=SERVER.arguments(path), env=SERVER.environment(path)
    )
    return Client(parameters, mode=SERVER.mode, **callbacks)


async def cannot_ask() -> None:
    with SERVER.list_file() as path:
        async with client(path) as connected:
            host = Host(connected)
            journey.check(connected.protocol_version == REVISION, f"speaks {connected.protocol_version}")
            journey.check(connected.instructions, "no instructions") if SERVER.mode != "2026-07-28" else None
            await journey.shop(host, path)
            listed = (await connected.list_resource_templates()).resource_templates
            await journey.templates([template.uri_template for template in listed], host.read)
            completed = await connected.complete(
                ResourceTemplateReference(uri=journey.TEMPLATE), {"name": "section", "value": "da"}
            )
            journey.check(completed.completion.values == ["Dairy"], f"completed with {completed.completion}")
            await journey.replace_unasked(host, path)
            await journey.refuses("an unknown tool", connected.call_tool("buy", {}), MCPError)
            await journey.refuses("an unknown resource", host.read("shopping-list://other"), MCPError)
            if not MODERN:
                await connected.send_ping()


async def asks() -> None:
    user = journey.User()

    async def answer(_, params):
        action, content = user.answer(params.message)
        return ElicitResult(action=action, content=content)

    with SERVER.list_file() as path:
        async with client(path, elicitation_callback=answer) as connected:
            host = Host(connected)
            await journey.shop(host, path)
            await journey.replace_asked(host, path, user)


async def follows() -> None:
    updates: asyncio.Queue[str] = asyncio.Queue()

    async def hear(message):
        if isinstance(message, ResourceUpdatedNotification):
            updates.put_nowait(str(message.params.uri))

    with SERVER.list_file() as path:
        async with client(path, message_handler=hear) as connected:
            host = Host(connected)
            if MODERN:
                async with connected.listen(resource_subscriptions=[journey.CURRENT]) as subscription:

                    async def next_update() -> str:
                        return str((await anext(aiter(subscription))).uri)

                    await journey.follow(SERVER, path, next_update, lambda: host.read(journey.CURRENT))
            else:
                await connected.session.subscribe_resource(journey.CURRENT)
                await journey.follow(SERVER, path, updates.get, lambda: host.read(journey.CURRENT))
                await connected.session.unsubscribe_resource(journey.CURRENT)


journey.run(cannot_ask, asks, follows)
