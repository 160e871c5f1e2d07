"""The official Python SDK of 2025: python client_sdk1.py GET-BANANAS FOLDER REVISION

It begins with initialize and asks for its newest revision. For the older ones, which it still speaks, it is told that
REVISION is the newest.
"""

import asyncio

import journey
import mcp.types as types
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from pydantic import AnyUrl

SERVER = journey.Server.from_arguments()
types.LATEST_PROTOCOL_VERSION = SERVER.mode
HAS_STRUCTURE = SERVER.mode >= "2025-06-18"


class Host:
    def __init__(self, session: ClientSession) -> None:
        self.session = session

    async def tools(self) -> list[str]:
        return [tool.name for tool in (await self.session.list_tools()).tools]

    async def call(self, tool: str, arguments: dict[str, object]) -> journey.Reply:
        result = await self.session.call_tool(tool, arguments)
        text = "\n".join(block.text for block in result.content)
        structured = result.structuredContent
        expected = HAS_STRUCTURE and not result.isError
        journey.check((structured is not None) == expected, f"{tool}: the structure is {structured}")
        return journey.Reply(text, structured, result.isError)

    async def resources(self) -> list[str]:
        return [str(resource.uri) for resource in (await self.session.list_resources()).resources]

    async def read(self, uri: str) -> str:
        (contents,) = (await self.session.read_resource(AnyUrl(uri))).contents
        return contents.text


class Connection:
    """A session on a list of its own."""

    def __init__(self, path, **callbacks) -> None:
        self.path, self.callbacks = path, callbacks

    async def __aenter__(self) -> ClientSession:
        parameters = StdioServerParameters(
            command=SERVER.command, args=SERVER.arguments(self.path), env=SERVER.environment(self.path)
        )
        self.transport = stdio_client(parameters)
        self.session = ClientSession(*await self.transport.__aenter__(), **self.callbacks)
        await self.session.__aenter__()
        settled = await self.session.initialize()
        journey.check(settled.protocolVersion == SERVER.mode, f"speaks {settled.protocolVersion}")
        return self.session

    async def __aexit__(self, *error) -> None:
        await self.session.__aexit__(*error)
        await self.transport.__aexit__(*error)


async def cannot_ask() -> None:
    with SERVER.list_file() as path:
        async with Connection(path) as session:
            host = Host(session)
            await session.set_logging_level("info")
            await journey.shop(host, path)
            listed = (await session.list_resource_templates()).resourceTemplates
            await journey.templates([template.uriTemplate for template in listed], host.read)
            completed = await session.complete(
                types.ResourceTemplateReference(type="ref/resource", uri=journey.TEMPLATE),
                {"name": "section", "value": "da"},
            )
            journey.check(completed.completion.values == ["Dairy"], f"completed with {completed.completion}")
            await journey.replace_unasked(host, path)
            await journey.refuses("an unknown tool", session.call_tool("buy", {}), McpError)
            await journey.refuses("an unknown resource", host.read("shopping-list://other"), McpError)
            journey.check((await session.list_prompts()).prompts == [], "there are prompts")
            await session.send_ping()


async def asks() -> None:
    user = journey.User()

    async def answer(_, params):
        action, content = user.answer(params.message)
        return types.ElicitResult(action=action, content=content)

    with SERVER.list_file() as path:
        async with Connection(path, elicitation_callback=answer) as session:
            host = Host(session)
            await journey.shop(host, path)
            if SERVER.mode >= "2025-06-18":
                await journey.replace_asked(host, path, user)
            else:
                # These revisions have no questions, whatever the client declares.
                await journey.replace_unasked(host, path)
                journey.check(not user.questions, f"asked {user.questions}")


async def follows() -> None:
    updates: asyncio.Queue[str] = asyncio.Queue()

    async def hear(message):
        if isinstance(message, types.ServerNotification):
            if isinstance(message.root, types.ResourceUpdatedNotification):
                updates.put_nowait(str(message.root.params.uri))

    with SERVER.list_file() as path:
        async with Connection(path, message_handler=hear) as session:
            await session.subscribe_resource(AnyUrl(journey.CURRENT))
            await journey.follow(SERVER, path, updates.get, lambda: Host(session).read(journey.CURRENT))
            await session.unsubscribe_resource(AnyUrl(journey.CURRENT))


journey.run(cannot_ask, asks, follows)
