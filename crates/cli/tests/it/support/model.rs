//! A model server on loopback that speaks the real wire format and asks for tool calls, one after the other.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// The wire format.
#[derive(Clone, Copy, PartialEq)]
pub enum Wire {
    /// Anthropic messages, streamed.
    Anthropic,
    /// OpenAI responses, streamed.
    Responses,
}

/// A running server. It ends with the test process.
pub struct Model {
    pub port: u16,
    results: Arc<Mutex<Vec<String>>>,
}

impl Model {
    /// Asks for `tool` with `input` once in every conversation.
    pub fn start(wire: Wire, tool: &str, input: Value) -> Self {
        Self::asking(wire, vec![(tool.to_owned(), input)])
    }

    /// Asks for these calls in every conversation, each when the one before has its result.
    pub fn asking(wire: Wire, calls: Vec<(String, Value)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let results: Arc<Mutex<Vec<String>>> = Arc::default();
        let (calls, kept) = (Arc::new(calls), Arc::clone(&results));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (calls, kept) = (Arc::clone(&calls), Arc::clone(&kept));
                std::thread::spawn(move || answer(stream, wire, &calls, &kept));
            }
        });
        Self { port, results }
    }

    /// What came back as results of the tool.
    pub fn results(&self) -> Vec<String> {
        self.results.lock().unwrap().clone()
    }
}

fn answer(stream: TcpStream, wire: Wire, calls: &[(String, Value)], results: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    let mut first = String::new();
    if reader.read_line(&mut first).unwrap_or(0) == 0 {
        return;
    }
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let (kind, text) = if first.starts_with("HEAD") {
        ("text/plain", String::new())
    } else if first.contains("count_tokens") {
        ("application/json", json!({"input_tokens": 10}).to_string())
    } else {
        match wire {
            Wire::Anthropic => anthropic(&request, calls, results),
            Wire::Responses => responses(&request, calls, results),
        }
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        text.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(text.as_bytes()));
}

fn anthropic(
    request: &Value,
    calls: &[(String, Value)],
    results: &Mutex<Vec<String>>,
) -> (&'static str, String) {
    let messages = request["messages"].as_array().cloned().unwrap_or_default();
    let mut found = Vec::new();
    for block in messages.iter().filter_map(|message| message["content"].as_array()).flatten() {
        if block["type"] == "tool_result" {
            found.push(block["content"].to_string());
        }
    }
    let turn = found.len();
    let offered = |name: &str| {
        request["tools"].as_array().is_some_and(|tools| tools.iter().any(|offer| offer["name"] == name))
    };
    let next = calls.get(turn).filter(|(tool, _)| offered(tool));
    let done = next.is_none();
    let (tool, input) = next.cloned().unwrap_or_default();
    let id = format!("toolu_{turn}");
    keep(results, found);
    let (block, delta, stop) = if done {
        (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": "done"}), "end_turn")
    } else {
        (
            json!({"type": "tool_use", "id": id, "name": tool, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": input.to_string()}),
            "tool_use",
        )
    };
    let usage = json!({"input_tokens": 10, "output_tokens": 5});
    if request["stream"] != json!(true) {
        let content = if done {
            json!([{"type": "text", "text": "done"}])
        } else {
            json!([{"type": "tool_use", "id": id, "name": tool, "input": input}])
        };
        let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": request["model"],
            "content": content, "stop_reason": stop, "stop_sequence": null, "usage": usage});
        return ("application/json", message.to_string());
    }
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": request["model"],
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null}, "usage": {"output_tokens": 5}}),
        json!({"type": "message_stop"}),
    ];
    ("text/event-stream", stream_of(&events))
}

fn responses(
    request: &Value,
    calls: &[(String, Value)],
    results: &Mutex<Vec<String>>,
) -> (&'static str, String) {
    let items = request["input"].as_array().cloned().unwrap_or_default();
    let found: Vec<String> = items
        .iter()
        .filter(|item| item["type"] == "function_call_output")
        .map(|item| item["output"].to_string())
        .collect();
    let turn = found.len();
    let item = match calls.get(turn) {
        Some((tool, input)) => {
            let mut item = json!({"type": "function_call", "id": format!("fc_{turn}"),
                "call_id": format!("call_{turn}"), "name": tool, "arguments": input.to_string()});
            // Codex gives the tools of each MCP server a namespace of their own.
            if let Some((namespace, name)) = tool.rsplit_once('/') {
                item["namespace"] = json!(namespace);
                item["name"] = json!(name);
            }
            item
        }
        None => {
            json!({"type": "message", "id": "m_1", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]})
        }
    };
    keep(results, found);
    let usage = json!({"input_tokens": 10, "input_tokens_details": null, "output_tokens": 5, "output_tokens_details": null, "total_tokens": 15});
    let events = [
        json!({"type": "response.created", "response": {"id": "resp_1"}}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": {"id": "resp_1", "usage": usage}}),
    ];
    ("text/event-stream", stream_of(&events))
}

/// Keeps what is new: a conversation repeats its earlier results in every request.
fn keep(results: &Mutex<Vec<String>>, found: Vec<String>) {
    let mut kept = results.lock().unwrap();
    if found.len() > kept.len() {
        *kept = found;
    }
}

fn stream_of(events: &[Value]) -> String {
    events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default()))
        .collect()
}
