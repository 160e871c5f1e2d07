"""The toolset of Pydantic AI: python client_pydantic_ai.py GET-BANANAS FOLDER

Beside the toolset itself, an agent uses it: a scripted model stands where a language model would.
"""

import asyncio

import journey
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport
from fastmcp.exceptions import ToolError
from mcp.client.subscriptions import listen
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPError, MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

SERVER = journey.Server.from_arguments()


class Host:
    def __init__(self, toolset: MCPToolset) -> None:
        self.toolset = toolset

    async def tools(self) -> list[str]:
        return [tool.name for tool in await self.toolset.list_tools()]

    async def call(self, tool: str, arguments: dict[str, object]) -> journey.Reply:
        try:
            # The toolset gives the structure where there is one.
            return journey.Reply(None, await self.toolset.direct_call_tool(tool, arguments))
        except ToolError as error:
            return journey.Reply(str(error), None, failed=True)

    async def resources(self) -> list[str]:
        return [resource.uri for resource in await self.toolset.list_resources()]

    async def read(self, uri: str) -> str:
        return await self.toolset.read_resource(uri)


def toolset(path, **options) -> MCPToolset:
    transport = StdioTransport(
        SERVER.command, SERVER.arguments(path), env=SERVER.environment(path), keep_alive=False
    )
    return MCPToolset(transport, tool_error_behavior="error", **options)


async def cannot_ask() -> None:
    with SERVER.list_file() as path:
        async with toolset(path) as connected:
            host = Host(connected)
            await journey.shop(host, path)
            listed = [template.uri_template for template in await connected.list_resource_templates()]
            await journey.templates(listed, host.read)
            await journey.replace_unasked(host, path)
            await journey.refuses("an unknown resource", host.read("shopping-list://other"), MCPError)


async def asks() -> None:
    user = journey.User()

    async def answer(message, form, _, __):
        action, content = user.answer(message)
        return ElicitResult(action=action, content=content and form(**content))

    with SERVER.list_file() as path:
        async with toolset(path, elicitation_handler=answer) as connected:
            host = Host(connected)
            await journey.shop(host, path)
            await journey.replace_asked(host, path, user)


async def follows() -> None:
    with SERVER.list_file() as path:
        async with toolset(path) as connected:
            host = Host(connected)
            async with listen(connected.client.session, resource_subscriptions=[journey.CURRENT]) as subscription:

                async def next_update() -> str:
                    return str((await anext(aiter(subscription))).uri)

                await journey.follow(SERVER, path, next_update, lambda: host.read(journey.CURRENT))


async def agent_shops() -> None:
    steps = [
        ("add_item", {"items": [{"name": "Milk"}, {"name": "Eggs", "amount": "10"}]}),
        ("update_item", {"items": ["Milk", "Eggs"], "checked": True}),
        ("remove_item", {"all_checked": True}),
        ("get_shopping_list", {}),
    ]

    async def model(messages, info) -> ModelResponse:
        journey.check({tool.name for tool in info.function_tools} == journey.TOOLS, "the agent lacks tools")
        done = sum(isinstance(message, ModelResponse) for message in messages)
        if done < len(steps):
            tool, arguments = steps[done]
            return ModelResponse(parts=[ToolCallPart(tool, arguments)])
        return ModelResponse(parts=[TextPart(str(messages[-1].parts[0].content))])

    with SERVER.list_file() as path:
        answered = await Agent(FunctionModel(model), toolsets=[toolset(path)]).run("clear what I bought")
        journey.check("'total': 0" in answered.output, f"the agent ended with {answered.output}")
        journey.check(journey.names(path) == [], f"the file has {journey.names(path)}")


journey.run(cannot_ask, asks, follows, agent_shops)
