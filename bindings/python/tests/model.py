"""A scripted model on loopback that speaks the real wire formats: OpenAI chat completions and responses, Anthropic
messages; streamed where the client asks for it.

It asks for the scripted tool calls one after the other, each when the one before has its result, and then says "Done.".
What came back as results is kept in ``results``.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


class Model:
    """A running model."""

    def __init__(self, *calls: tuple[str, Json]) -> None:
        self.calls = list(calls)
        self.results: list[str] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_HEAD(self) -> None:
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
                path = self.path.split("?")[0]
                streamed = bool(body.get("stream"))
                if path.endswith("/chat/completions"):
                    answer = model.chat(body, streamed)
                elif path.endswith("/responses"):
                    answer = model.responses(body, streamed)
                elif path.endswith("/messages"):
                    answer = model.messages(body, streamed)
                elif path.endswith("/count_tokens"):
                    answer = [json.dumps({"input_tokens": 1})]
                    streamed = False
                else:
                    self.send_error(404)
                    return
                data = "".join(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream" if streamed else "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.root = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.url = f"{self.root}/v1"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def next(self, results: list[str]) -> tuple[str, Json] | None:
        """The call that follows on these results."""
        self.results = results or self.results
        return self.calls[len(results)] if len(results) < len(self.calls) else None

    def chat(self, body: Json, streamed: bool) -> Iterator[str]:
        said = [(m["role"], text(m.get("content"))) for m in body["messages"]]
        # smolagents gives results back as what a user says.
        results = [
            told for role, told in said if role == "tool" or (role == "user" and told.startswith("Observation:"))
        ]
        call = self.next(results) if body.get("tools") else None
        message: Json = {"role": "assistant", "content": None if call else "Done."}
        if call:
            function = {"name": call[0], "arguments": json.dumps(call[1])}
            message["tool_calls"] = [{"id": f"call_{len(results)}", "type": "function", "function": function}]
        reason = "tool_calls" if call else "stop"
        known = {"id": "c", "created": 1, "model": body["model"]}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        if not streamed:
            choice = {"index": 0, "message": message, "finish_reason": reason}
            yield json.dumps({**known, "object": "chat.completion", "choices": [choice], "usage": usage})
            return
        for part in message.get("tool_calls", []):
            part["index"] = 0
        chunk = {**known, "object": "chat.completion.chunk"}
        yield sse({**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]})
        yield sse({**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage})
        yield "data: [DONE]\n\n"

    def responses(self, body: Json, streamed: bool) -> Iterator[str]:
        given = body["input"] if isinstance(body["input"], list) else []
        results = [text(item["output"]) for item in given if item.get("type") == "function_call_output"]
        call = self.next(results)
        if call:
            item: Json = {
                "type": "function_call",
                "id": f"fc_{len(results)}",
                "call_id": f"call_{len(results)}",
                "name": call[0],
                "arguments": json.dumps(call[1]),
                "status": "completed",
            }
        else:
            part = {"type": "output_text", "text": "Done.", "annotations": []}
            item = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}
        usage = {
            "input_tokens": 1,
            "output_tokens": 1,
            "total_tokens": 2,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        }
        response = {
            "id": "r",
            "object": "response",
            "created_at": 1,
            "status": "completed",
            "model": body["model"],
            "output": [item],
            "parallel_tool_calls": False,
            "tool_choice": "auto",
            "tools": [],
            "usage": usage,
        }
        if not streamed:
            yield json.dumps(response)
            return
        yield sse({"type": "response.created", "sequence_number": 0, "response": {**response, "output": []}})
        yield sse({"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": item})
        yield sse({"type": "response.output_item.done", "sequence_number": 2, "output_index": 0, "item": item})
        yield sse({"type": "response.completed", "sequence_number": 3, "response": response})

    def messages(self, body: Json, streamed: bool) -> Iterator[str]:
        parts = [part for m in body["messages"] if isinstance(m["content"], list) for part in m["content"]]
        results = [text(part.get("content")) for part in parts if part["type"] == "tool_result"]
        named = {tool["name"] for tool in body.get("tools", [])}
        call = self.next(results) if body.get("tools") else None
        block: Json = {"type": "text", "text": "Done."}
        if call and call[0] in named:
            block = {"type": "tool_use", "id": f"toolu_{len(results)}", "name": call[0], "input": call[1]}
        reason = "tool_use" if block["type"] == "tool_use" else "end_turn"
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [block],
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": usage,
        }
        if not streamed:
            yield json.dumps(message)
            return
        begun = {**block, "input": {}} if reason == "tool_use" else {**block, "text": ""}
        delta = (
            {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            if reason == "tool_use"
            else {"type": "text_delta", "text": block["text"]}
        )
        for event in (
            {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": begun},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
            {"type": "message_stop"},
        ):
            yield f"event: {event['type']}\n{sse(event)}"


class Judge:
    """A server on loopback with one answer to everything: a reviewer, a guardrail or a policy engine."""

    def __init__(self, answer: Json | str, status: int = 200) -> None:
        data = (answer if isinstance(answer, str) else json.dumps(answer)).encode()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    @staticmethod
    def completion(words: str) -> Json:
        """Words of a model, as OpenAI's chat format has them."""
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": words}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def sse(event: Json) -> str:
    return f"data: {json.dumps(event)}\n\n"


def text(content: Any) -> str:
    """A result as text, whatever shape the format gives it."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(part.get("text", part)) if isinstance(part, dict) else str(part) for part in content)
    return json.dumps(content)
