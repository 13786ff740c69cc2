//! The proxy's own messages to a child: refusals with a hint, without details of the network.

use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use super::wire::{ByteStream, Wire};
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

/// A failure other than a refusal.
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

/// Sends the last message of a connection. Then reads and drops input for a moment, because a reset could otherwise
/// discard the message.
pub(crate) async fn send_last<S: ByteStream>(wire: &mut Wire<S>, message: &[u8]) {
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
    // A child that neither reads nor closes isn't waited for.
    let _ = timeout(Duration::from_millis(500), drain).await;
}
