"""The MCP server class of the OpenAI Agents SDK: python client_openai_agents.py GET-BANANAS FOLDER

It has no way to ask a user. Beside its own calls the tools are used as an agent's function tools, with their schemas
made strict: every argument is required there, and what is not meant is null.
"""

import asyncio
import json

import journey
from agents import Agent, RunContextWrapper
from agents.mcp import MCPServerStdio, MCPUtil
from agents.tool_context import ToolContext
from mcp import MCPError
from mcp.client.subscriptions import listen

SERVER = journey.Server.from_arguments()


class Host:
    def __init__(self, server: MCPServerStdio) -> None:
        self.server = server

    async def tools(self) -> list[str]:
        return [tool.name for tool in await self.server.list_tools()]

    async def call(self, tool: str, arguments: dict[str, object]) -> journey.Reply:
        result = await self.server.call_tool(tool, arguments)
        text = "\n".join(block.text for block in result.content)
        return journey.Reply(text, result.structured_content, bool(result.is_error))

    async def resources(self) -> list[str]:
        return [str(resource.uri) for resource in (await self.server.list_resources()).resources]

    async def read(self, uri: str) -> str:
        (contents,) = (await self.server.read_resource(uri)).contents
        return contents.text


class FunctionTools(Host):
    """The tools as an agent has them."""

    async def tools(self) -> list[str]:
        context = RunContextWrapper(None)
        tools = await MCPUtil.get_function_tools(self.server, True, context, Agent("shopper"))
        self.loaded = {tool.name: tool for tool in tools}
        return list(self.loaded)

    async def call(self, tool: str, arguments: dict[str, object]) -> journey.Reply:
        function = self.loaded[tool]
        journey.check(
            set(function.params_json_schema["required"]) == set(function.params_json_schema["properties"]),
            f"the schema of {tool} could not be made strict",
        )
        filled = {name: arguments.get(name) for name in function.params_json_schema["required"]}
        text = json.dumps(filled)
        context = ToolContext(None, tool_name=tool, tool_call_id="1", tool_arguments=text)
        result = await function.on_invoke_tool(context, text)
        text = result["text"] if isinstance(result, dict) else "\n".join(part["text"] for part in result)
        # An agent sees the text alone; what it says is the only sign of a refusal.
        failed = text.startswith(("Nothing was changed", "REFUSED"))
        return journey.Reply(text, None, failed)


def server(path) -> MCPServerStdio:
    parameters = {
        "command": SERVER.command,
        "args": SERVER.arguments(path),
        "env": SERVER.environment(path),
    }
    return MCPServerStdio(parameters, client_session_timeout_seconds=journey.PATIENCE)


async def cannot_ask() -> None:
    with SERVER.list_file() as path:
        async with server(path) as connected:
            host = Host(connected)
            await journey.shop(host, path)
            listed = (await connected.list_resource_templates()).resource_templates
            await journey.templates([template.uri_template for template in listed], host.read)
            await journey.replace_unasked(host, path)
            await journey.refuses("an unknown tool", connected.call_tool("buy", {}), MCPError)
            await journey.refuses("an unknown resource", host.read("shopping-list://other"), MCPError)


async def function_tools() -> None:
    with SERVER.list_file() as path:
        async with server(path) as connected:
            host = FunctionTools(connected)
            await journey.shop(host, path)
            await journey.replace_unasked(host, path)


async def follows() -> None:
    with SERVER.list_file() as path:
        async with server(path) as connected:
            host = Host(connected)
            async with listen(connected.session, resource_subscriptions=[journey.CURRENT]) as subscription:

                async def next_update() -> str:
                    return str((await anext(aiter(subscription))).uri)

                await journey.follow(SERVER, path, next_update, lambda: host.read(journey.CURRENT))


journey.run(cannot_ask, function_tools, follows)
