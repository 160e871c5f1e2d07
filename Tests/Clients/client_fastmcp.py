"""The client of fastmcp: python client_fastmcp.py GET-BANANAS FOLDER MODE, the modes being those of the SDK."""

import asyncio

import journey
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport
from fastmcp.exceptions import McpError, ToolError
from mcp.client.subscriptions import listen
from mcp_types import ResourceTemplateReference, ResourceUpdatedNotification

SERVER = journey.Server.from_arguments()
REVISION = {"auto": "2026-07-28", "legacy": "2025-11-25"}[SERVER.mode]
MODERN = REVISION == "2026-07-28"


class Host:
    def __init__(self, client: Client) -> None:
        self.client = client

    async def tools(self) -> list[str]:
        return [tool.name for tool in await self.client.list_tools()]

    async def call(self, tool: str, arguments: dict[str, object]) -> journey.Reply:
        result = await self.client.call_tool(tool, arguments, raise_on_error=False)
        text = "\n".join(block.text for block in result.content)
        return journey.Reply(text, result.structured_content, result.is_error)

    async def resources(self) -> list[str]:
        return [str(resource.uri) for resource in await self.client.list_resources()]

    async def read(self, uri: str) -> str:
        (contents,) = await self.client.read_resource(uri)
        return contents.text


def client(path, **handlers) -> Client:
    transport = StdioTransport(
        SERVER.command, SERVER.arguments(path), env=SERVER.environment(path), keep_alive=False
    )
    return Client(transport, mode=SERVER.mode, **handlers)


async def cannot_ask() -> None:
    with SERVER.list_file() as path:
        async with client(path) as connected:
            host = Host(connected)
            journey.check(connected.protocol_version == REVISION, f"speaks {connected.protocol_version}")
            await journey.shop(host, path)
            listed = await connected.list_resource_templates()
            await journey.templates([template.uri_template for template in listed], host.read)
            completed = await connected.complete(
                ResourceTemplateReference(uri=journey.TEMPLATE), {"name": "section", "value": "da"}
            )
            journey.check(completed.values == ["Dairy"], f"completed with {completed}")
            await journey.replace_unasked(host, path)
            await journey.refuses("an unknown tool", connected.call_tool("buy", {}), McpError, ToolError)
            await journey.refuses("an unknown resource", host.read("shopping-list://other"), McpError)


async def asks() -> None:
    user = journey.User()

    async def answer(message, form, _, __):
        action, content = user.answer(message)
        return ElicitResult(action=action, content=content and form(**content))

    with SERVER.list_file() as path:
        async with client(path, elicitation_handler=answer) as connected:
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
            # The client leaves subscriptions to the session below it.
            if MODERN:
                async with listen(connected.session, resource_subscriptions=[journey.CURRENT]) as subscription:

                    async def next_update() -> str:
                        return str((await anext(aiter(subscription))).uri)

                    await journey.follow(SERVER, path, next_update, lambda: host.read(journey.CURRENT))
            else:
                await connected.session.subscribe_resource(journey.CURRENT)
                await journey.follow(SERVER, path, updates.get, lambda: host.read(journey.CURRENT))
                await connected.session.unsubscribe_resource(journey.CURRENT)


journey.run(cannot_ask, asks, follows)
