//! A model server that judges: OpenAI's wire format on loopback, with one answer for everything.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};

/// What the model says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(dead_code)]
pub enum Says {
    /// The Guardian's contract: a score.
    Score(u8),
    /// Prose instead of the contract.
    Garbled,
    /// This JSON as it stands.
    Json(&'static str),
    /// Every request ends with this status.
    Status(u16),
}

/// Starts it; its base address. It ends with the test process.
pub fn start(says: Says) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream, says));
        }
    });
    place
}

fn answer(mut stream: TcpStream, says: Says) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 || line == "\r\n" {
            break;
        }
        if let Some(number) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (status, words) = match says {
        Says::Score(score) => (
            200,
            json!({"risk_score": score, "reasoning": "It makes a file.", "risks": ["scope"]}).to_string(),
        ),
        Says::Garbled => (200, "Certainly! That looks fine to me: risk_score 5.".to_owned()),
        Says::Json(_) => (200, String::new()),
        Says::Status(status) => (status, String::new()),
    };
    let text = match says {
        Says::Json(text) => text.to_owned(),
        _ => completion(&words).to_string(),
    };
    let head = format!(
        "HTTP/1.1 {status} S\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(text.as_bytes())).ok()
}

fn completion(words: &str) -> Value {
    json!({"id": "x", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": words}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}})
}
