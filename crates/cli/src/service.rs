//! Asking the running service over its socket.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::output::Failure;

/// One request; the status and the body.
pub(crate) fn call(
    socket: &Path,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> Result<(u16, Value), Failure> {
    let gone = |error: std::io::Error| {
        Failure::new(
            "service.unreachable",
            format!("{}: {error}; start it: doorward serve", socket.display()),
        )
    };
    let mut stream = UnixStream::connect(socket).map_err(gone)?;
    stream.set_read_timeout(Some(Duration::from_secs(90))).map_err(gone)?;
    let text = body.map(Value::to_string).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: doorward\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes()).map_err(gone)?;
    stream.write_all(text.as_bytes()).map_err(gone)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).map_err(gone)?;
    let answer = String::from_utf8_lossy(&answer);
    let broken = || Failure::new("service.answer", "the service's answer can't be read");
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(broken)?;
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).ok_or_else(broken)?;
    Ok((status, serde_json::from_str(body).unwrap_or(Value::Null)))
}

/// As [`call`], where anything but a 2xx is a failure under the service's own code.
pub(crate) fn expect(
    socket: &Path,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> Result<Value, Failure> {
    let (status, answer) = call(socket, method, path, body)?;
    if (200..300).contains(&status) {
        return Ok(answer);
    }
    let text = |key: &str| answer.get(key).and_then(Value::as_str);
    Err(Failure::new(
        text("code").unwrap_or("service.refused"),
        text("message").map_or_else(|| format!("status {status}: {answer}"), str::to_owned),
    ))
}
