//! What the proxy itself says to a child: refusals that help, and nothing about the network behind.

use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use super::wire::{Stream, Wire};
use crate::code::{Code, Refusal};

/// A refusal as an HTTP response.
pub(crate) fn refusal(refusal: &Refusal, host: &str, port: u16) -> Vec<u8> {
    let code = refusal.public_code();
    let body = json!({
        "code": code,
        "host": host,
        "rule": refusal.rule,
        "why": refusal.why,
        "how_to_allow": refusal.how_to_allow(host, port),
    });
    let (status, extra) = match refusal.code {
        Code::AuthRequired => {
            ("407 Proxy Authentication Required", "Proxy-Authenticate: Basic realm=\"doorward\"\r\n")
        }
        Code::RateLimited => ("429 Too Many Requests", "Retry-After: 1\r\n"),
        _ => ("403 Forbidden", ""),
    };
    message(status, &format!("{extra}X-Doorward-Reason: {code}\r\n"), &body.to_string())
}

/// A plain failure.
pub(crate) fn failure(status: &str, why: &str) -> Vec<u8> {
    message(status, "", &json!({"why": why}).to_string())
}

fn message(status: &str, extra: &str, body: &str) -> Vec<u8> {
    let length = body.len() + 1;
    format!(
        "HTTP/1.1 {status}\r\n{extra}Content-Type: application/json\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}\n"
    )
    .into_bytes()
}

/// Sends the last message of a connection. What the child still sends is read for a moment and dropped, so
/// that the answer isn't lost to a reset.
pub(crate) async fn send_last<S: Stream>(wire: &mut Wire<S>, message: &[u8]) {
    if wire.send(message).await.is_err() || wire.stream.shutdown().await.is_err() {
        return;
    }
    let drain = async {
        for _ in 0..64 {
            wire.drain();
            if !matches!(wire.fill().await, Ok(1..)) {
                return;
            }
        }
    };
    // A child that neither reads nor closes is left alone.
    let _ = timeout(Duration::from_millis(500), drain).await;
}
