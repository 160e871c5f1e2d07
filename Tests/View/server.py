"""The server under test, spoken to in JSON lines as a host does.

    server = await Server.start(binary, path_of_the_list)
    result = await server.call("get_shopping_list", {})
    await server.stop()                                       # fails if it did not end well

The handshake says that this host has MCP Apps. Answers come in order, so the oldest call that waits is the one answered.
"""

import asyncio
import json
from pathlib import Path

APPS = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}


class ServerError(Exception):
    """An error of the protocol."""


class Server:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.last = 0
        self.waiting: dict[int, asyncio.Future] = {}
        self.reader = asyncio.create_task(self.read())
        # Answers a question to the user; None for a host that cannot ask.
        self.on_question = None

    @classmethod
    async def start(cls, binary: Path, path: Path, can_ask: bool = False) -> "Server":
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(path.parent), "XDG_STATE_HOME": str(path.parent / "state")}
        process = await asyncio.create_subprocess_exec(
            str(binary), "--file", str(path), env=environment, limit=1 << 26,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )
        server = cls(process)
        capabilities = {"extensions": APPS} | ({"elicitation": {}} if can_ask else {})
        await server.request("initialize", {
            "protocolVersion": "2025-11-25", "capabilities": capabilities,
            "clientInfo": {"name": "view-test", "version": "1"},
        })
        server.write({"method": "notifications/initialized"})
        return server

    def write(self, message: dict) -> None:
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def read(self) -> None:
        while line := await self.process.stdout.readline():
            message = json.loads(line)
            if message.get("method") == "elicitation/create":
                self.write({"id": message["id"], "result": await self.on_question(message["params"])})
            elif "id" in message:
                self.waiting.pop(message["id"]).set_result(message)

    async def request(self, method: str, params: dict | None = None) -> dict:
        self.last += 1
        future = self.waiting[self.last] = asyncio.get_running_loop().create_future()
        self.write({"id": self.last, "method": method, "params": params or {}})
        answer = await asyncio.wait_for(future, 30)
        if "error" in answer:
            raise ServerError(answer["error"]["message"])
        return answer["result"]

    async def call(self, tool: str, arguments: dict) -> dict:
        return await self.request("tools/call", {"name": tool, "arguments": arguments})

    async def stop(self) -> None:
        self.process.stdin.close()
        status = await asyncio.wait_for(self.process.wait(), 30)
        await self.reader
        said = (await self.process.stderr.read()).decode()
        assert status == 0 and not said, f"the server ended with {status} and said: {said}"
