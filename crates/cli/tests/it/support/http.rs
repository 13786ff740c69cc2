//! The smallest HTTP client that a test needs: JSON over a kept connection, to the service's socket or port.

use std::io::{BufRead as _, BufReader, Read as _, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use serde_json::Value;

/// A kept connection.
pub struct Http<S> {
    stream: BufReader<S>,
    host: String,
    token: Option<String>,
}

impl Http<UnixStream> {
    /// To the service in a state directory.
    pub fn local(state: &Path) -> Self {
        Self::over(UnixStream::connect(state.join("doorward.sock")).unwrap(), "localhost", None)
    }
}

impl<S: std::io::Read + Write> Http<S> {
    /// Over a connection to `host`.
    pub fn over(stream: S, host: &str, token: Option<String>) -> Self {
        Self { stream: BufReader::new(stream), host: host.to_owned(), token }
    }

    /// Status and JSON of the answer; `Null` where it has none.
    pub fn send(&mut self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let token =
            self.token.iter().map(|token| format!("Authorization: Bearer {token}\r\n")).collect::<String>();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{token}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.host,
            body.len()
        );
        self.stream.get_mut().write_all((head + &body).as_bytes()).unwrap();
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            assert_ne!(self.stream.read_line(&mut line).unwrap(), 0, "the connection ended");
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest.split(' ').next().unwrap().parse().unwrap();
            } else if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            } else if line.is_empty() {
                break;
            }
        }
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).unwrap();
        (status, serde_json::from_slice(&bytes).unwrap_or_default())
    }
}
