"""An MCP server with three tools, for the suite: what they are asked for is what the gateway is to judge. They do nothing."""
import json
import sys


def tool(name, description, **properties):
    schema = {"type": "object", "properties": {key: {"type": "string"} for key in properties}}
    return {"name": name, "description": description, "inputSchema": schema}


TOOLS = [
    tool("run_command", "Runs a command line.", command=1),
    tool("write_file", "Writes a file.", path=1, content=1),
    tool("fetch", "Fetches a page.", url=1),
]

for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    if request["method"] == "initialize":
        result = {"protocolVersion": request["params"]["protocolVersion"], "capabilities": {"tools": {}},
                  "serverInfo": {"name": "suite", "version": "1"}}
    elif request["method"] == "tools/list":
        result = {"tools": TOOLS}
    else:
        result = {"content": [{"type": "text", "text": "done"}]}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
