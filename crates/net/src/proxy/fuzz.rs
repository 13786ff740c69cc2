//! Invariants of the proxy's parsers, for fuzzing: a panic here is a finding.
//!
//! Not part of the interface. The parsers stay private; only these checks can be called from outside.

use super::head::{Framing, RequestHead, parse_request, parse_response, write_headers};
use super::hello::{Hello, read};

/// The first bytes of a tunnel, as they arrive: once they were classified, more bytes don't change the result.
/// Otherwise the proxy could judge one name and forward a hello with another.
///
/// # Panics
/// If that doesn't hold.
pub fn client_hello(bytes: &[u8]) {
    let whole = read(bytes);
    for end in [bytes.len() / 4, bytes.len() / 2, bytes.len().saturating_sub(1)] {
        let early = read(bytes.get(..end).unwrap_or_default());
        assert!(early == Hello::Incomplete || early == whole, "{early:?} at {end} bytes, then {whole:?}");
    }
    if let Hello::Tls(Some(name)) = whole {
        assert!(!name.is_empty() && name.is_ascii(), "{name:?}");
    }
}

/// An accepted request head is written in a form that parses to the same again, so that no other server can frame
/// or route it differently.
///
/// # Panics
/// If that doesn't hold.
pub fn request_head(bytes: &[u8]) {
    let Ok(head) = parse_request(bytes) else { return };
    let again = parse_request(&written(&head)).unwrap_or_else(|why| panic!("{head:?} is written as {why}"));
    assert_eq!((&again.method, &again.uri, again.framing), (&head.method, &head.uri, head.framing));
    // Empty lines before the request line are ignored (RFC 9112 section 2.2).
    let mut bytes = bytes;
    while let Some(rest) = bytes.strip_prefix(b"\r\n") {
        bytes = rest;
    }
    let lines = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    // The request line and the empty one.
    assert_eq!(head.headers.len() + 2, lines, "a line that is no header: {head:?}");
}

/// The head as the proxy forwards it.
fn written(head: &RequestHead) -> Vec<u8> {
    let mut out = format!("{} {} HTTP/1.1\r\nhost: h\r\n", head.method, head.uri).into_bytes();
    write_headers(&mut out, &head.headers, head.framing);
    out
}

/// The same for a response head.
///
/// # Panics
/// If that doesn't hold.
pub fn response_head(bytes: &[u8]) {
    for method in ["GET", "HEAD"] {
        let Ok(head) = parse_response(bytes, method) else { continue };
        let mut out = format!("HTTP/1.1 {} {}\r\n", head.status, head.reason).into_bytes();
        write_headers(&mut out, &head.headers, head.framing);
        let again = parse_response(&out, method).unwrap_or_else(|why| panic!("{head:?} is written as {why}"));
        assert_eq!(again.status, head.status);
        let until_end = |framing| matches!(framing, Framing::UntilEnd | Framing::Empty);
        assert!(again.framing == head.framing || (until_end(again.framing) && until_end(head.framing)));
    }
}

/// The name in a complete hello, for testing the fuzzers' seeds.
#[must_use]
pub fn name_asked_for(bytes: &[u8]) -> Option<String> {
    if let Hello::Tls(name) = read(bytes) { name } else { None }
}
