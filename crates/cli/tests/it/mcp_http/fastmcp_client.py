"""The client of the Python package fastmcp, through the gateway: `fastmcp_client.py URL`, or `- COMMAND…` for one that it
starts itself. Calls the tools that stand on standard input, a JSON list of [tool, arguments] a run, and answers a dialog with
what the variable SAID holds. Writes what it read as JSON.
"""
import asyncio
import json
import os
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

said = json.loads(os.environ["SAID"])
asked = []


async def dialog(message, response_type, params, context):
    asked.append(message)
    from fastmcp.client.elicitation import ElicitResult
    if said.get("action") != "accept":
        return ElicitResult(action=said.get("action", "decline"))
    return ElicitResult(action="accept", content=said["content"])


async def main():
    where = sys.argv[1] if sys.argv[1] != "-" else StdioTransport(command=sys.argv[2], args=sys.argv[3:])
    async with Client(where, elicitation_handler=dialog) as client:
        listed = [tool.name for tool in await client.list_tools()]
        results = []
        for tool, arguments in json.load(sys.stdin):
            result = await client.call_tool(tool, arguments, raise_on_error=False)
            results.append({"failed": result.is_error, "text": "".join(getattr(one, "text", "") for one in result.content)})
    print(json.dumps({"tools": listed, "results": results, "asked": asked}))


asyncio.run(main())
