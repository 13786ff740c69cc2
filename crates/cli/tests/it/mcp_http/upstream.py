"""A server for the official conformance suite, over HTTP: revisions 2025-11-25 (sessions, streams that are taken up
again) and 2026-07-28 (every request by itself) at one endpoint. Only Python's own library is used, so that nothing of a
kit stands between the suite and the bytes.

It listens on a free port of the loopback and writes the port to its standard output.
"""
import base64
import json
import queue
import re
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NEW = "2026-07-28"
META = "io.modelcontextprotocol/"
IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
SOUND = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="


def text(words):
    return {"type": "text", "text": words}


def embedded(uri, words, kind="text/plain"):
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": words}}


def picture():
    return {"type": "image", "data": IMAGE, "mimeType": "image/png"}


def tool(name, about, properties=None, required=None, **more):
    schema = {"type": "object", "properties": properties or {}}
    if required:
        schema["required"] = required
    return {"name": name, "description": about, "inputSchema": schema, **more}


STRING = {"type": "string"}
PLAIN = {
    "test_simple_text": [text("This is a simple text response for testing.")],
    "test_image_content": [picture()],
    "test_audio_content": [{"type": "audio", "data": SOUND, "mimeType": "audio/wav"}],
    "test_embedded_resource": [embedded("test://embedded-resource", "This is an embedded resource content.")],
    "test_multiple_content_types": [
        text("Multiple content types test:"), picture(),
        embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")],
}
FORM = {"type": "object", "properties": {"name": STRING}, "required": ["name"]}
ASKS = {
    "elicitation": {"method": "elicitation/create", "params": {
        "mode": "form", "message": "What is your name?", "requestedSchema": FORM}},
    "sampling": {"method": "sampling/createMessage", "params": {
        "messages": [{"role": "user", "content": text("What is the capital of France?")}], "maxTokens": 100}},
    "list_roots": {"method": "roots/list", "params": {}},
}
DEFAULTS = {"type": "object", "properties": {
    "name": {"type": "string", "description": "User name", "default": "John Doe"},
    "age": {"type": "integer", "description": "User age", "default": 30},
    "score": {"type": "number", "description": "User score", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "description": "Verification status", "default": True}}, "required": []}
ENUMS = {"type": "object", "properties": {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {"type": "string", "oneOf": [
        {"const": "value1", "title": "First Option"}, {"const": "value2", "title": "Second Option"},
        {"const": "value3", "title": "Third Option"}]},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
                   "enumNames": ["Option One", "Option Two", "Option Three"]},
    "untitledMulti": {"type": "array", "minItems": 1, "maxItems": 3,
                      "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
    "titledMulti": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"anyOf": [
        {"const": "value1", "title": "First Choice"}, {"const": "value2", "title": "Second Choice"},
        {"const": "value3", "title": "Third Choice"}]}}}, "required": []}
DRAFT = {
    "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object",
                          "properties": {"street": STRING, "city": STRING}}},
    "properties": {"name": STRING, "address": {"$ref": "#/$defs/address"},
                   "contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": STRING, "email": STRING},
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]}, "else": {"required": ["email"]}, "additionalProperties": False}
ROUNDS = ["elicitation", "sampling", "list_roots", "request_state", "multiple_inputs", "multi_round", "tampered_state",
          "capabilities"]


def tools():
    listed = [tool(name, "Answers with fixed content.") for name in PLAIN]
    listed += [
        tool("test_error_handling", "Answers with an error."),
        tool("test_tool_with_logging", "Writes log messages while it runs."),
        tool("test_tool_with_progress", "Tells its progress while it runs."),
        tool("test_reconnection", "Closes its stream and answers on the next one."),
        tool("test_sampling", "Asks the client's model.", {"prompt": STRING}, ["prompt"]),
        tool("test_elicitation", "Asks the user.", {"message": STRING}, ["message"]),
        tool("test_elicitation_sep1034_defaults", "Asks with defaults."),
        tool("test_elicitation_sep1330_enums", "Asks with choices."),
        {"name": "json_schema_2020_12_tool", "description": "Has a schema of the whole draft.", "inputSchema": DRAFT},
        tool("test_missing_capability", "Needs a client that samples."),
        tool("test_streaming_elicitation", "Streams, and answers."),
        tool("test_logging_tool", "Logs where the request asks for it."),
        tool("test_trigger_tool_change", "Says that the tools changed."),
        tool("test_trigger_prompt_change", "Says that the prompts changed."),
        tool("test_header_tool", "Repeats a parameter in a header.", {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "priority": {"type": "integer", "x-mcp-header": "Priority"},
            "urgent": {"type": "boolean", "x-mcp-header": "Urgent"}, "query": STRING}),
    ]
    listed += [tool("test_input_required_result_" + one, "Needs more before it answers.") for one in ROUNDS]
    return listed


PROMPTS = [
    {"name": "test_simple_prompt", "description": "Simple"},
    {"name": "test_prompt_with_arguments", "description": "With arguments", "arguments": [
        {"name": "arg1", "description": "One", "required": True},
        {"name": "arg2", "description": "Another", "required": True}]},
    {"name": "test_prompt_with_embedded_resource", "description": "With a resource", "arguments": [
        {"name": "resourceUri", "description": "Which", "required": True}]},
    {"name": "test_prompt_with_image", "description": "With an image"},
    {"name": "test_input_required_result_prompt", "description": "Asks before it answers"},
]
RESOURCES = [
    {"uri": "test://static-text", "name": "Text", "mimeType": "text/plain"},
    {"uri": "test://static-binary", "name": "Binary", "mimeType": "image/png"},
    {"uri": "test://watched-resource", "name": "Watched", "mimeType": "text/plain"},
]
TEMPLATES = [{"uriTemplate": "test://template/{id}/data", "name": "Template", "mimeType": "application/json"}]
HEADERS = {"region": "region", "priority": "priority", "urgent": "urgent"}


class Refusal(Exception):
    """An error answer."""

    def __init__(self, code, why, data=None, status=200):
        super().__init__(why)
        self.error = {"code": code, "message": why, **({"data": data} if data is not None else {})}
        self.status = status


class Session:
    def __init__(self):
        self.name = uuid.uuid4().hex
        self.waiting = {}
        self.listening = queue.Queue()
        self.events = []
        self.lock = threading.Lock()


SESSIONS = {}
LISTENERS = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    # What both revisions have in common

    def is_own(self):
        port = self.server.server_port
        own = {f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}"}
        origin = self.headers.get("Origin")
        return self.headers.get("Host") in own and (origin is None or origin.removeprefix("http://") in own)

    def document(self, status, body=None, **headers):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        if body is not None:
            self.send_header("Content-Type", "application/json")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def begin(self, **headers):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def raw(self, lines):
        data = lines.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def event(self, message, identity=None):
        mark = f"id: {identity}\n" if identity else ""
        self.raw(f"event: message\n{mark}data: {json.dumps(message)}\n\n")

    def end(self):
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self.is_own():
            return self.document(403, {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "no"}})
        try:
            message = json.loads(body)
        except ValueError:
            return self.document(400, {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no JSON"}})
        meta = (message.get("params") or {}).get("_meta") or {}
        version = meta.get(META + "protocolVersion")
        header = self.headers.get("MCP-Protocol-Version", "")
        if version is None and header < NEW:
            return self.old(message)
        try:
            self.new(message, meta, version)
        except Refusal as refused:
            answer = {"jsonrpc": "2.0", "id": message.get("id"), "error": refused.error}
            self.document(refused.status, answer)

    def do_GET(self):
        session = SESSIONS.get(self.headers.get("Mcp-Session-Id", ""))
        if not self.is_own():
            return self.document(403)
        if session is None:
            return self.document(405, Allow="POST")
        self.begin(Mcp_Session_Id=session.name)
        try:
            last = self.headers.get("Last-Event-ID")
            if last:
                stream = last.split("-")[0]
                until = time.time() + 3
                sent = 0
                while time.time() < until:
                    with session.lock:
                        left = [one for one in session.events if one[0].startswith(stream + "-")][sent:]
                    for identity, message in left:
                        sent += 1
                        if int(identity.split("-")[1]) > int(last.split("-")[1]):
                            self.event(message, identity)
                            if "id" in message:
                                return self.end()
                    time.sleep(0.02)
                return self.end()
            while True:
                try:
                    self.event(session.listening.get(timeout=0.5))
                except queue.Empty:
                    self.raw(": still here\n\n")
        except OSError:
            self.close_connection = True

    def do_DELETE(self):
        gone = SESSIONS.pop(self.headers.get("Mcp-Session-Id", ""), None)
        self.document(200 if gone else 404)

    # 2025-11-25

    def old(self, message):
        method, identity = message.get("method"), message.get("id")
        if method == "initialize":
            session = Session()
            SESSIONS[session.name] = session
            wanted = message["params"].get("protocolVersion")
            known = wanted if wanted in ("2025-11-25", "2025-06-18", "2025-03-26") else "2025-11-25"
            result = {"protocolVersion": known, "serverInfo": {"name": "conformance", "version": "1"},
                      "capabilities": {"tools": {"listChanged": True}, "prompts": {"listChanged": True}, "logging": {},
                                       "resources": {"subscribe": True, "listChanged": True}, "completions": {}}}
            answer = {"jsonrpc": "2.0", "id": identity, "result": result}
            return self.document(200, answer, Mcp_Session_Id=session.name)
        name = self.headers.get("Mcp-Session-Id")
        session = SESSIONS.get(name or "")
        if session is None:
            error = {"code": -32000, "message": "no such session"}
            return self.document(404 if name else 400, {"jsonrpc": "2.0", "id": None, "error": error})
        if method is None or identity is None:
            if method is None and identity in session.waiting:
                session.waiting[identity].put(message)
            return self.document(202)
        try:
            if method == "tools/call":
                return self.old_call(session, identity, message["params"])
            result = self.answer(method, message.get("params") or {})
            self.document(200, {"jsonrpc": "2.0", "id": identity, "result": result})
        except Refusal as refused:
            self.document(200, {"jsonrpc": "2.0", "id": identity, "error": refused.error})

    def old_call(self, session, identity, params):
        stream = uuid.uuid4().hex[:8]
        count = iter(range(1, 1000))
        self.begin(Mcp_Session_Id=session.name)
        self.raw(f"id: {stream}-0\nretry: 500\ndata: \n\n")
        open_ = [True]

        def say(message):
            mark = f"{stream}-{next(count)}"
            with session.lock:
                session.events.append((mark, message))
            if open_[0]:
                self.event(message, mark)

        def ask(method, asked):
            own = uuid.uuid4().hex
            session.waiting[own] = queue.Queue()
            say({"jsonrpc": "2.0", "id": own, "method": method, "params": asked})
            answered = session.waiting[own].get(timeout=20)
            return answered.get("result") or {}

        name, given = params["name"], params.get("arguments") or {}
        try:
            result = self.old_tool(name, given, params, say, ask, open_)
            answer = {"jsonrpc": "2.0", "id": identity, "result": result}
        except Refusal as refused:
            answer = {"jsonrpc": "2.0", "id": identity, "error": refused.error}
        say(answer)
        if open_[0]:
            self.end()

    def old_tool(self, name, given, params, say, ask, open_):
        def log(words):
            say({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": words}})

        if name == "test_tool_with_logging":
            for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
                log(words)
                time.sleep(0.05)
        elif name == "test_tool_with_progress":
            token = (params.get("_meta") or {}).get("progressToken", 0)
            for step in (0, 50, 100):
                say({"jsonrpc": "2.0", "method": "notifications/progress",
                     "params": {"progressToken": token, "progress": step, "total": 100}})
                time.sleep(0.05)
            return {"content": [text(str(token))]}
        elif name == "test_sampling":
            said = ask("sampling/createMessage", {"maxTokens": 100, "messages": [
                {"role": "user", "content": text(given.get("prompt", ""))}]})
            return {"content": [text("LLM response: " + str(said.get("content", {}).get("text")))]}
        elif name.startswith("test_elicitation"):
            form = {"type": "object", "properties": {"response": STRING}, "required": ["response"]}
            form = DEFAULTS if "1034" in name else ENUMS if "1330" in name else form
            said = ask("elicitation/create", {"message": given.get("message", "Please fill this in"),
                                              "requestedSchema": form})
            words = f"action={said.get('action')}, content={json.dumps(said.get('content') or {})}"
            return {"content": [text("User response: " + words)]}
        elif name == "test_reconnection":
            self.end()
            open_[0] = False
            self.wfile.flush()
            threading.Event().wait(0.1)
            return {"content": [text("Reconnection test completed successfully")]}
        return self.tool(name)

    # 2026-07-28

    def header(self, name):
        value = self.headers.get(name)
        if value is None:
            return None
        value = value.strip(" \t")
        if value.startswith("=?base64?") and value.endswith("?="):
            inner = value[9:-2]
            try:
                if base64.b64encode(base64.b64decode(inner, validate=True)).decode() != inner:
                    raise ValueError
                return base64.b64decode(inner).decode()
            except ValueError:
                raise Refusal(-32020, f"{name} is no Base64", status=400) from None
        if any(not 0x20 <= ord(c) < 0x7F for c in value):
            raise Refusal(-32020, f"{name} isn't visible ASCII", status=400)
        return value

    def new(self, message, meta, version):
        method, identity, params = message.get("method"), message.get("id"), message.get("params") or {}
        if identity is None:
            return self.document(202)
        told = self.headers.get("MCP-Protocol-Version")
        if version is None:
            raise Refusal(-32602, "params._meta names no protocolVersion", status=400)
        if told != version or self.header("Mcp-Method") != method:
            raise Refusal(-32020, "headers and body disagree", status=400)
        if version != NEW:
            raise Refusal(-32022, "no such revision", {"supported": [NEW], "requested": version}, 400)
        if META + "clientCapabilities" not in meta:
            raise Refusal(-32602, "params._meta lacks clientCapabilities", status=400)
        named = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}.get(method)
        if named and self.header("Mcp-Name") != params.get(named):
            raise Refusal(-32020, "Mcp-Name and the body disagree", status=400)
        if method == "tools/call" and params.get("name") == "test_header_tool":
            for property_, header in HEADERS.items():
                value = (params.get("arguments") or {}).get(property_)
                wanted = None if value is None else str(value).lower() if isinstance(value, bool) else str(value)
                if self.header("Mcp-Param-" + header) != wanted:
                    raise Refusal(-32020, f"Mcp-Param-{header} and the body disagree", status=400)
        if method == "subscriptions/listen":
            return self.listen(identity, params)
        if method in ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "initialize"):
            raise Refusal(-32601, "no such method in this revision", status=404)
        if method == "tools/call" and params.get("name") in ("test_streaming_elicitation", "test_logging_tool",
                                                              "test_tool_with_progress", "test_tool_with_logging"):
            return self.new_stream(identity, params, meta)
        result = self.new_answer(method, params, meta)
        result.setdefault("resultType", "complete")
        result.setdefault("_meta", {})[META + "serverInfo"] = {"name": "conformance", "version": "1"}
        if method.endswith("/list") or method in ("resources/read", "server/discover"):
            result.update(ttlMs=1000, cacheScope="private")
        self.document(200, {"jsonrpc": "2.0", "id": identity, "result": result})

    def new_stream(self, identity, params, meta):
        self.begin()
        if meta.get(META + "logLevel") or params["name"] == "test_tool_with_logging":
            for words in ("one", "two", "three"):
                if meta.get(META + "logLevel"):
                    self.event({"jsonrpc": "2.0", "method": "notifications/message",
                                "params": {"level": "info", "data": words}})
        if params["name"] == "test_tool_with_progress" and "progressToken" in meta:
            for step in (0, 50, 100):
                self.event({"jsonrpc": "2.0", "method": "notifications/progress",
                            "params": {"progressToken": meta["progressToken"], "progress": step, "total": 100}})
        result = {"resultType": "complete", "content": [text("done")],
                  "_meta": {META + "serverInfo": {"name": "conformance", "version": "1"}}}
        if params["name"] == "test_streaming_elicitation":
            result.pop("content")
            result.update(resultType="input_required", inputRequests={"ask": ASKS["elicitation"]})
            if "elicitation" not in meta.get(META + "clientCapabilities", {}):
                result = {"resultType": "complete", "content": [text("nobody to ask")]}
        self.event({"jsonrpc": "2.0", "id": identity, "result": result})
        self.end()

    def listen(self, identity, params):
        wanted = params.get("notifications") or {}
        mine = queue.Queue()
        LISTENERS.append((mine, wanted))
        self.begin()
        mark = {META + "subscriptionId": identity}
        honoured = {key: value for key, value in wanted.items() if value}
        try:
            self.event({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
                        "params": {"notifications": honoured, "_meta": mark}})
            while True:
                try:
                    method = mine.get(timeout=0.3)
                    self.event({"jsonrpc": "2.0", "method": method, "params": {"_meta": mark}})
                except queue.Empty:
                    self.raw(": still here\n\n")
        except OSError:
            self.close_connection = True

    def new_answer(self, method, params, meta):
        if method == "server/discover":
            return {"supportedVersions": [NEW], "instructions": "A server for tests.", "capabilities": {
                "tools": {"listChanged": True}, "prompts": {"listChanged": True}, "completions": {},
                "resources": {"listChanged": True, "subscribe": True}}}
        if method == "tools/call":
            return self.new_tool(params, meta)
        if method == "prompts/get" and params.get("name") == "test_input_required_result_prompt":
            said = (params.get("inputResponses") or {}).get("user_context")
            if not said:
                ask = {"method": "elicitation/create", "params": {
                    "mode": "form", "message": "What context?", "requestedSchema": {
                        "type": "object", "properties": {"context": STRING}, "required": ["context"]}}}
                return {"resultType": "input_required", "inputRequests": {"user_context": ask}}
            return {"messages": [{"role": "user", "content": text("Context: " + json.dumps(said))}]}
        return self.answer(method, params)

    def new_tool(self, params, meta):
        name, said = params.get("name"), params.get("inputResponses") or {}
        state, can = params.get("requestState"), meta.get(META + "clientCapabilities", {})

        def more(requests, state=None):
            result = {"resultType": "input_required"}
            if requests:
                result["inputRequests"] = requests
            if state is not None:
                result["requestState"] = state
            return result

        if name == "test_missing_capability":
            if "sampling" not in can:
                raise Refusal(-32021, "needs sampling", {"requiredCapabilities": {"sampling": {}}}, 400)
            return {"content": [text("done")]}
        if name in ("test_trigger_tool_change", "test_trigger_prompt_change"):
            kind = "tools" if "tool" in name.removeprefix("test_trigger_") else "prompts"
            for mine, wanted in LISTENERS:
                if wanted.get(kind + "ListChanged"):
                    mine.put(f"notifications/{kind}/list_changed")
            return {"content": [text("changed")]}
        if not name or not name.startswith("test_input_required_result_"):
            return self.tool(name)
        kind = name.removeprefix("test_input_required_result_")
        if kind in ("elicitation", "sampling", "list_roots"):
            key = {"elicitation": "user_name", "sampling": "capital_question", "list_roots": "client_roots"}[kind]
            answered = said.get(key)
            fits = isinstance(answered, dict) and {
                "elicitation": answered.get("action") != "accept" or isinstance(
                    (answered.get("content") or {}).get("name"), str),
                "sampling": "content" in answered, "list_roots": "roots" in answered}[kind]
            if not fits:
                return more({key: ASKS[kind]})
            return {"content": [text(f"Answered: {json.dumps(answered)}")]}
        if kind in ("request_state", "tampered_state"):
            if state is None or "confirm" not in said:
                ask = {"method": "elicitation/create", "params": {"mode": "form", "message": "Please confirm",
                       "requestedSchema": {"type": "object", "properties": {"ok": {"type": "boolean"}},
                                           "required": ["ok"]}}}
                return more({"confirm": ask}, "sealed-state-1")
            if state != "sealed-state-1":
                raise Refusal(-32602, "requestState isn't ours", status=400)
            return {"content": [text("state-ok")]}
        if kind == "multiple_inputs":
            wanted = {"user_name": ASKS["elicitation"], "greeting": ASKS["sampling"], "client_roots": ASKS["list_roots"]}
            left = {key: value for key, value in wanted.items() if key not in said}
            return more(left, "several") if left else {"content": [text("all of it")]}
        if kind == "multi_round":
            if state == "round-2" and said:
                return {"content": [text("both rounds")]}
            if state == "round-1" and said:
                return more({"step2": ASKS["elicitation"]}, "round-2")
            return more({"step1": ASKS["elicitation"]}, "round-1")
        wanted = {key: ASKS[ask] for key, ask, needs in (
            ("ask", "elicitation", "elicitation"), ("sample", "sampling", "sampling"), ("roots", "list_roots", "roots"))
            if needs in can}
        return more(wanted) if wanted and not said else {"content": [text("nothing more is needed")]}

    # The same in both

    def tool(self, name):
        if name in PLAIN:
            return {"content": PLAIN[name]}
        if name == "test_error_handling":
            return {"content": [text("This tool intentionally returns an error for testing")], "isError": True}
        if name in {one["name"] for one in tools()}:
            return {"content": [text(name + " ran")]}
        raise Refusal(-32602, f"Unknown tool: {name}")

    def answer(self, method, params):
        if method == "ping" or method in ("logging/setLevel", "resources/subscribe", "resources/unsubscribe"):
            return {}
        if method == "tools/list":
            return {"tools": tools()}
        if method == "prompts/list":
            return {"prompts": PROMPTS}
        if method == "resources/list":
            return {"resources": RESOURCES}
        if method == "resources/templates/list":
            return {"resourceTemplates": TEMPLATES}
        if method == "completion/complete":
            return {"completion": {"values": [], "total": 0, "hasMore": False}}
        if method == "resources/read":
            return {"contents": [self.resource(params.get("uri", ""))]}
        if method == "prompts/get":
            return {"messages": self.prompt(params.get("name"), params.get("arguments") or {})}
        raise Refusal(-32601, "no such method", status=404)

    def resource(self, uri):
        if uri == "test://static-text":
            return {"uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource."}
        if uri == "test://static-binary":
            return {"uri": uri, "mimeType": "image/png", "blob": IMAGE}
        if uri == "test://watched-resource":
            return {"uri": uri, "mimeType": "text/plain", "text": "Watched."}
        found = re.fullmatch(r"test://template/([^/]+)/data", uri)
        if found:
            data = {"id": found[1], "templateTest": True, "data": f"Data for ID: {found[1]}"}
            return {"uri": uri, "mimeType": "application/json", "text": json.dumps(data)}
        raise Refusal(-32602, f"Resource not found: {uri}", {"uri": uri})

    def prompt(self, name, given):
        def user(content):
            return {"role": "user", "content": content}

        if name == "test_simple_prompt":
            return [user(text("This is a simple prompt for testing."))]
        if name == "test_prompt_with_arguments":
            return [user(text(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'"))]
        if name == "test_prompt_with_embedded_resource":
            return [user(embedded(given.get("resourceUri", ""), "Embedded resource content for testing.")),
                    user(text("Please process the embedded resource above."))]
        if name == "test_prompt_with_image":
            return [user(picture()), user(text("Please analyze the image above."))]
        raise Refusal(-32602, f"Unknown prompt: {name}")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_port, flush=True)
server.serve_forever()
