"""The adapters of LangChain: python client_langchain.py GET-BANANAS FOLDER

They load the tools as LangChain's own, once with a server for each call and once with one session for all.
"""

import asyncio

import journey
import mcp.types as types
from langchain_mcp_adapters.callbacks import Callbacks
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.resources import get_mcp_resource
from langchain_mcp_adapters.tools import load_mcp_tools
from mcp import ClientSession
from pydantic import AnyUrl

SERVER = journey.Server.from_arguments()


class Host:
    """Tools as LangChain's agents call them, and resources through the same session, or each through its own."""

    def __init__(self, client: MultiServerMCPClient, session: ClientSession | None = None) -> None:
        self.client, self.session = client, session

    async def load(self) -> dict:
        tools = await (load_mcp_tools(self.session) if self.session else self.client.get_tools())
        return {tool.name: tool for tool in tools}

    async def tools(self) -> list[str]:
        self.loaded = await self.load()
        return list(self.loaded)

    async def call(self, tool: str, arguments: dict[str, object]) -> journey.Reply:
        message = await self.loaded[tool].ainvoke(
            {"type": "tool_call", "id": "1", "name": tool, "args": arguments}
        )
        text = "\n".join(block["text"] for block in message.content)
        structured = message.artifact and message.artifact["structured_content"]
        return journey.Reply(text, structured, message.status == "error")

    async def resources(self) -> list[str]:
        if self.session:
            return [str(resource.uri) for resource in (await self.session.list_resources()).resources]
        return [str(blob.metadata["uri"]) for blob in await self.client.get_resources("bananas")]

    async def read(self, uri: str) -> str:
        if self.session:
            (blob,) = await get_mcp_resource(self.session, uri)
        else:
            (blob,) = await self.client.get_resources("bananas", uris=uri)
        return blob.as_string()


def client(path, callbacks: Callbacks | None = None, **session) -> MultiServerMCPClient:
    connection = {
        "transport": "stdio",
        "command": SERVER.command,
        "args": SERVER.arguments(path),
        "env": SERVER.environment(path),
        "session_kwargs": session,
    }
    return MultiServerMCPClient({"bananas": connection}, callbacks=callbacks)


async def server_for_each_call() -> None:
    with SERVER.list_file() as path:
        host = Host(client(path))
        await journey.shop(host, path)
        await journey.replace_unasked(host, path)


async def asks() -> None:
    user = journey.User()

    async def answer(_, params, __):
        action, content = user.answer(params.message)
        return types.ElicitResult(action=action, content=content)

    with SERVER.list_file() as path:
        connected = client(path, Callbacks(on_elicitation=answer))
        async with connected.session("bananas") as session:
            host = Host(connected, session)
            await journey.shop(host, path)
            await journey.replace_asked(host, path, user)


async def follows() -> None:
    updates: asyncio.Queue[str] = asyncio.Queue()

    async def hear(message):
        if isinstance(message, types.ServerNotification):
            if isinstance(message.root, types.ResourceUpdatedNotification):
                updates.put_nowait(str(message.root.params.uri))

    with SERVER.list_file() as path:
        connected = client(path, message_handler=hear)
        async with connected.session("bananas") as session:
            host = Host(connected, session)
            await session.subscribe_resource(AnyUrl(journey.CURRENT))
            await journey.follow(SERVER, path, updates.get, lambda: host.read(journey.CURRENT))


journey.run(server_for_each_call, asks, follows)
