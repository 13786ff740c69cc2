"""A client on pipes for the client scenarios of the official conformance suite: it starts the gateway before the suite's
test server, whose address is the last argument, and does what the scenario is about. What goes over HTTP is the gateway's
own, and that is what the suite checks.

Usage: client.py DOORWARD STATE URL
"""
import json
import os
import subprocess
import sys

doorward, state, url = sys.argv[1:4]
scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
is_new = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", sys.argv[4] if len(sys.argv) > 4 else "") >= "2026"
META = "io.modelcontextprotocol/"
gateway = subprocess.Popen(
    [doorward, "mcp", "--state", state, "--name", "conf", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
count = iter(range(1, 1000))


def send(message):
    gateway.stdin.write(json.dumps(message) + "\n")
    gateway.stdin.flush()


def defaults(schema):
    return {name: one["default"] for name, one in schema.get("properties", {}).items() if "default" in one}


def reply(asked):
    if asked["method"] == "elicitation/create":
        return {"action": "accept", "content": defaults(asked["params"].get("requestedSchema", {}))}
    if asked["method"] == "sampling/createMessage":
        return {"role": "assistant", "content": {"type": "text", "text": "sampled"}, "model": "m"}
    return {"roots": []}


def request(method, params=None):
    identity = next(count)
    params = dict(params or {})
    if is_new:
        params["_meta"] = {META + "protocolVersion": "2026-07-28", META + "clientInfo": {"name": "c", "version": "1"},
                           META + "clientCapabilities": {"elicitation": {}, "sampling": {}, "roots": {}}}
    send({"jsonrpc": "2.0", "id": identity, "method": method, "params": params})
    for line in gateway.stdout:
        message = json.loads(line)
        if "method" in message and "id" in message:
            send({"jsonrpc": "2.0", "id": message["id"], "result": reply(message)})
        elif message.get("id") == identity:
            result = message.get("result", {})
            print(method, params.get("name", ""), line[:300].strip(), file=sys.stderr)
            if result.get("resultType") == "input_required":
                again = {key: value for key, value in params.items() if key not in ("inputResponses", "requestState")}
                again["inputResponses"] = {
                    key: reply(asked) for key, asked in (result.get("inputRequests") or {}).items()}
                if "requestState" in result:
                    again["requestState"] = result["requestState"]
                return request(method, again)
            return result
    raise SystemExit("the gateway ended")


def example(schema):
    kinds = {"string": "text", "integer": 3, "number": 2, "boolean": True, "array": [], "object": {}}
    if "enum" in schema:
        return schema["enum"][0]
    return kinds.get(schema.get("type"), "text")


def call_all():
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    wanted = context.get("toolCalls")
    tools = request("tools/list").get("tools", [])
    if wanted:
        for one in wanted:
            # No parameter of these tools may be null; one without a value is left out.
            given = {name: value for name, value in one.get("arguments", {}).items() if value is not None}
            request("tools/call", {"name": one["name"], "arguments": given})
        return
    schemas = {tool["name"]: tool["inputSchema"] for tool in tools}
    if "json_schema_echo" in schemas:
        given = {"schema": schemas["json_schema_2020_12_tool"]}
        request("tools/call", {"name": "json_schema_echo", "arguments": given})
        return
    for tool in tools:
        properties = tool.get("inputSchema", {}).get("properties", {})
        request("tools/call", {"name": tool["name"],
                               "arguments": {name: example(one) for name, one in properties.items()}})


if is_new:
    request("server/discover")
else:
    request("initialize", {"protocolVersion": "2025-11-25", "clientInfo": {"name": "c", "version": "1"},
                           "capabilities": {"elicitation": {"form": {"applyDefaults": True}}, "sampling": {}}})
    send({"jsonrpc": "2.0", "method": "notifications/initialized"})
call_all()
if is_new and scenario.startswith("http-"):
    for prompt in request("prompts/list").get("prompts", []):
        request("prompts/get", {"name": prompt["name"]})
    for resource in request("resources/list").get("resources", []):
        request("resources/read", {"uri": resource["uri"]})
gateway.stdin.close()
gateway.wait(20)
