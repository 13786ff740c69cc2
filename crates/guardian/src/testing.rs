//! Test helpers for this and higher crates: a bare inspected call, and a model server on loopback.
//!
//! [`ModelServer`] speaks all five wire formats and can be told to misbehave. It counts tokens and cached prefixes like
//! providers do, so that the cost of prompts can be measured locally.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::collections::VecDeque;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use doorward_core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, Settlement, Surface, ToolCall, Workplace,
};
use doorward_core::effect::{Effects, Inspected, SandboxFacts};
use doorward_core::id::Digest;
use doorward_core::json::Value as Strict;
use doorward_core::mode::PermissionMode;
use doorward_core::risk::SecurityRisk;
use doorward_core::session::SessionView;
use doorward_core::tool::{Client, ToolName};
use serde_json::{Value, json};

use crate::wire::Format;

/// A MEDIUM call without effects, in `/w`.
pub fn inspected(tool: &str, args: &str) -> Inspected {
    let Strict::Object(args) = Strict::parse(args).unwrap() else { panic!("arguments are an object") };
    let caller = Caller {
        principal: Principal { id: "u".into(), groups: vec![] },
        session: "s".into(),
        client: Client::from_word("claude-code").unwrap(),
        surface: Surface::Library,
        custody: Custody::Bound,
    };
    let workplace =
        Workplace { cwd: "/w".into(), roots: vec![Root::parse("/w")], outside: OutsideRoots::Ask };
    let settlement = Settlement { mode: PermissionMode::Default, prompt: Prompt::Queue };
    let mut call = ToolCall::new(caller, ToolName::new(tool).unwrap(), args, workplace, settlement);
    call.id = "1".into();
    Inspected {
        args_digest: call.args_digest(),
        call,
        effects: Effects::default(),
        findings: vec![],
        risk: SecurityRisk::Medium,
        score: Some(50),
        classes: Default::default(),
        session: Arc::new(SessionView { id: "s".into(), ..SessionView::default() }),
        session_digest: Digest::of(b""),
        sandbox: SandboxFacts::default(),
        now: jiff::Timestamp::UNIX_EPOCH,
    }
}

/// A verdict of the contract.
pub fn verdict(score: u8) -> String {
    json!({"risk_score": score, "user_authorization": "unknown", "injection_evidence": false, "risks": [],
        "decision": "approve", "reasoning": "builds the project"})
    .to_string()
}

/// How the server handles a request.
#[derive(Debug, Clone)]
pub enum Does {
    /// A valid response in the requested format, with this text.
    Answers(String),
    /// The same, cut at the output limit.
    Cuts(String),
    /// The model refuses.
    Refuses,
    /// The same valid response, cut off half-way.
    Breaks(String),
    /// A status, additional header lines, and a literal body.
    Says(u16, &'static str, String),
    /// No response for a minute.
    Hangs,
    /// One byte at a time, for a minute.
    Drips,
}

/// A status with an error body as providers send it.
pub fn status(status: u16, more: &'static str) -> Does {
    Does::Says(status, more, r#"{"error":{"message":"busy"}}"#.to_owned())
}

/// A received request.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Request line and headers, in lower case.
    pub head: String,
    /// The body's bytes.
    pub body: Vec<u8>,
}

impl Seen {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The wire format, from the path.
    pub fn format(&self) -> Format {
        let path = self.head.lines().next().unwrap_or_default();
        [
            ("/chat/completions", Format::OpenAiChat),
            ("/responses", Format::OpenAiResponses),
            ("/v1/messages", Format::Anthropic),
            (":generatecontent", Format::Gemini),
            ("/api/chat", Format::Ollama),
        ]
        .into_iter()
        .find(|(part, _)| path.contains(part))
        .map_or(Format::OpenAiChat, |(_, format)| format)
    }

    /// The texts of the prompt, system first.
    pub fn texts(&self) -> Vec<String> {
        let body = self.json();
        let mut texts = Vec::new();
        for at in ["/system", "/instructions", "/systemInstruction", "/messages", "/input", "/contents"] {
            collect(body.pointer(at).unwrap_or(&Value::Null), &mut texts);
        }
        texts
    }
}

/// Strings below `text` and `content`, or the value itself if it is a string.
fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(members) => {
            for key in ["text", "content", "parts"] {
                collect(members.get(key).unwrap_or(&Value::Null), texts);
            }
        }
        _ => {}
    }
}

/// A running server. It stops with the process.
#[derive(Debug)]
pub struct ModelServer {
    /// Its base URL.
    pub base: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl ModelServer {
    /// Follows the script, one entry per request; the last one repeats.
    pub fn start(script: Vec<Does>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::<Mutex<Vec<Seen>>>::default();
        let kept = Arc::clone(&seen);
        std::thread::spawn(move || {
            let script = Mutex::new(VecDeque::from(script));
            for stream in listener.incoming().flatten() {
                let Some(request) = read(&stream) else { continue };
                let does = {
                    let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
                    if script.len() > 1 { script.pop_front().unwrap() } else { script[0].clone() }
                };
                let usage = CountedTokens::of(&request, &kept.lock().unwrap());
                kept.lock().unwrap().push(request.clone());
                std::thread::spawn(move || answer(stream, &does, &request, usage));
            }
        });
        Self { base, seen }
    }

    /// The requests received so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

fn read(mut stream: &TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let mut part = [0; 65536];
    loop {
        let n = stream.read(&mut part).unwrap_or(0);
        if n == 0 {
            return None;
        }
        bytes.extend_from_slice(&part[..n]);
        let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..at]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.map_or(0, |text| text.trim().parse().unwrap());
        if bytes.len() >= at + 4 + length {
            return Some(Seen { head, body: bytes[at + 4..at + 4 + length].to_vec() });
        }
    }
}

fn answer(mut stream: TcpStream, does: &Does, request: &Seen, usage: CountedTokens) {
    let (status, more, body) = match does {
        Does::Says(status, more, body) => (*status, *more, body.clone()),
        Does::Answers(text) | Does::Breaks(text) => (200, "", response(request.format(), text, false, usage)),
        Does::Cuts(text) => (200, "", response(request.format(), text, true, usage)),
        Does::Refuses => (200, "", refusal(request.format())),
        Does::Hangs => {
            std::thread::sleep(Duration::from_secs(60));
            return;
        }
        Does::Drips => {
            let head = "HTTP/1.1 200 x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n";
            let _ = stream.write_all(head.as_bytes());
            for _ in 0..600 {
                if stream.write_all(b" ").and_then(|()| stream.flush()).is_err() {
                    return;
                }
                std::thread::sleep(Duration::from_millis(100));
            }
            return;
        }
    };
    let length = if matches!(does, Does::Breaks(_)) { body.len() * 2 } else { body.len() };
    let answer = format!(
        "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\n{more}content-length: {length}\r\n\
         connection: close\r\n\r\n{body}"
    );
    let _ = stream.write_all(answer.as_bytes());
}

/// Tokens of a request as counted by a provider: four bytes each, prefixes of 1,024 and more cached.
#[derive(Debug, Clone, Copy)]
struct CountedTokens {
    input: usize,
    cached: usize,
    written: usize,
}

/// The shortest prefix that is cached, in tokens.
const CACHED_FROM: usize = 1024;

impl CountedTokens {
    fn of(request: &Seen, before: &[Seen]) -> Self {
        let text = request.texts().concat();
        if request.format() == Format::Anthropic {
            let (cached, written) = marked(request, before);
            return Self { input: text.len().div_ceil(4), cached, written };
        }
        let before = before.last();
        let shared = before.map_or(0, |before| {
            text.bytes().zip(before.texts().concat().bytes()).take_while(|(a, b)| a == b).count() / 4
        });
        // In blocks of 128, as usual.
        let cached = if shared < CACHED_FROM { 0 } else { shared / 128 * 128 };
        Self { input: text.len().div_ceil(4), cached, written: 0 }
    }
}

/// Tokens read from and written to a cache with explicit marks: a request finds an earlier request's mark if it is at
/// most twenty blocks before a mark of its own.
fn marked(request: &Seen, before: &[Seen]) -> (usize, usize) {
    let kept: Vec<Vec<String>> = before.iter().flat_map(prefixes_at_marks).collect();
    let own = prefixes_at_marks(request);
    let tokens = |blocks: &[String]| blocks.iter().map(String::len).sum::<usize>() / 4;
    let cached = own
        .iter()
        .flat_map(|blocks| (0..20.min(blocks.len())).map(|back| &blocks[..blocks.len() - back]))
        .filter(|blocks| tokens(blocks) >= CACHED_FROM && kept.iter().any(|known| known == blocks))
        .map(tokens)
        .max()
        .unwrap_or(0);
    let last = own.last().map_or(0, |blocks| tokens(blocks));
    (cached, if last >= CACHED_FROM { last - cached } else { 0 })
}

/// For each mark, the blocks up to and including it.
fn prefixes_at_marks(request: &Seen) -> Vec<Vec<String>> {
    let body = request.json();
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let mut blocks: Vec<Value> = body["system"].as_array().cloned().unwrap_or_default();
    blocks.extend(
        messages.iter().flat_map(|message| message["content"].as_array().cloned().unwrap_or_default()),
    );
    let texts: Vec<String> =
        blocks.iter().map(|block| block["text"].as_str().unwrap_or_default().to_owned()).collect();
    let marks = blocks.iter().enumerate().filter(|(_, block)| block.get("cache_control").is_some());
    marks.map(|(at, _)| texts[..=at].to_vec()).collect()
}

fn response(
    format: Format,
    text: &str,
    cut: bool,
    CountedTokens { input, cached, written }: CountedTokens,
) -> String {
    let output = text.len().div_ceil(4);
    let why = |whole: &'static str, short: &'static str| if cut { short } else { whole };
    match format {
        Format::OpenAiChat => json!({
            "choices": [{"finish_reason": why("stop", "length"),
                "message": {"role": "assistant", "content": text, "refusal": null}}],
            "usage": {"prompt_tokens": input, "prompt_tokens_details": {"cached_tokens": cached},
                "completion_tokens": output}}),
        Format::OpenAiResponses => json!({
            "status": why("completed", "incomplete"), "error": null,
            "output": [{"type": "reasoning", "summary": []},
                {"type": "message", "content": [{"type": "output_text", "text": text}]}],
            "usage": {"input_tokens": input, "input_tokens_details": {"cached_tokens": cached},
                "output_tokens": output}}),
        Format::Anthropic => json!({
            "type": "message", "stop_reason": why("end_turn", "max_tokens"),
            "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": input - cached - written, "cache_read_input_tokens": cached,
                "cache_creation_input_tokens": written, "output_tokens": output}}),
        Format::Gemini => json!({
            "candidates": [{"finishReason": why("STOP", "MAX_TOKENS"), "content": {"parts": [{"text": text}]}}],
            "usageMetadata": {"promptTokenCount": input, "cachedContentTokenCount": cached,
                "candidatesTokenCount": output}}),
        Format::Ollama => json!({
            "message": {"role": "assistant", "content": text}, "done": true, "done_reason": why("stop", "length"),
            "prompt_eval_count": input, "eval_count": output}),
    }
    .to_string()
}

fn refusal(format: Format) -> String {
    match format {
        Format::OpenAiChat => json!({"choices": [{"finish_reason": "stop",
            "message": {"role": "assistant", "content": null, "refusal": "I can't help with that"}}]}),
        Format::OpenAiResponses => json!({"status": "completed", "output": [{"type": "message",
            "content": [{"type": "refusal", "refusal": "I can't help with that"}]}]}),
        Format::Anthropic => json!({"type": "message", "stop_reason": "refusal", "content": []}),
        Format::Gemini => json!({"promptFeedback": {"blockReason": "SAFETY"}}),
        Format::Ollama => json!({"message": {"role": "assistant", "content": ""}, "done_reason": "stop"}),
    }
    .to_string()
}
