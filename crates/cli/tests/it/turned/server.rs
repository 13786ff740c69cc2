//! A local server: what pages, webhooks and a model answer, and what it was asked.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::json;

pub struct Server {
    pub address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || answer(stream, &kept));
            }
        });
        Self { address, seen }
    }

    /// Every request: its first line, its headers and its body.
    pub fn seen(&self) -> String {
        let seen = self.seen.lock().unwrap();
        if seen.is_empty() { "nothing".to_owned() } else { seen.join("\n---\n") }
    }
}

fn answer(mut stream: TcpStream, seen: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut head = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 || line == "\r\n" {
            break;
        }
        if let Some(number) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().ok()?;
        }
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8_lossy(&body).into_owned();
    seen.lock().unwrap().push(format!("{head}{body}"));
    let first = head.lines().next().unwrap_or_default();
    if first.starts_with("CONNECT") {
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").ok()?;
        return answer(stream, seen);
    }
    let (status, more, text) = if first.contains("/redirect") {
        ("302 Found", "Location: /hello\r\n", String::new())
    } else if first.contains("/slow") {
        std::thread::sleep(std::time::Duration::from_secs(2));
        ("200 OK", "", evaluation(70))
    } else if first.starts_with("POST") {
        ("200 OK", "", evaluation(70))
    } else {
        ("200 OK", "", "hello from the server".to_owned())
    };
    let head = format!(
        "HTTP/1.1 {status}\r\n{more}Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(text.as_bytes())).ok()
}

/// What a model with OpenAI's format says: this score.
fn evaluation(score: u8) -> String {
    let words =
        json!({"risk_score": score, "reasoning": "It changes a file.", "risks": ["a change"]}).to_string();
    json!({"id": "x", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": words}}],
        "usage": {"prompt_tokens": 1_000, "completion_tokens": 10, "total_tokens": 1_010}})
    .to_string()
}
