//! Strict parser for HTTP/1 heads: refuses everything that two servers could frame or route differently.
//!
//! Refused: bare LF or CR, NUL, folded lines, two `Host`, two `Content-Length`, `Content-Length` beside
//! `Transfer-Encoding`, any transfer coding but `chunked`, `Transfer-Encoding` in HTTP/1.0. (RFC 9112 sections 2.2,
//! 5.2, 6.1, 6.3; request smuggling.)

/// Headers of one message, as a proxy keeps them.
pub(crate) type Headers = Vec<(String, Vec<u8>)>;

/// A request head.
#[derive(Debug)]
pub(crate) struct RequestHead {
    pub(crate) method: String,
    pub(crate) uri: String,
    /// HTTP/1.x
    pub(crate) minor: u8,
    pub(crate) headers: Headers,
    pub(crate) framing: Framing,
}

/// A response head.
#[derive(Debug)]
pub(crate) struct ResponseHead {
    pub(crate) status: u16,
    pub(crate) reason: String,
    pub(crate) headers: Headers,
    pub(crate) framing: Framing,
}

/// Framing of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Empty,
    Length(u64),
    Chunked,
    UntilEnd,
}

/// Reason why a head is refused.
pub(crate) type Malformed = &'static str;

const MAX_HEADERS: usize = 128;

pub(crate) fn parse_request(bytes: &[u8]) -> Result<RequestHead, Malformed> {
    check_lines(bytes)?;
    let mut storage = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut storage);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) if length == bytes.len() => {}
        _ => return Err("not an HTTP request"),
    }
    let (Some(method), Some(uri), Some(minor)) = (request.method, request.path, request.version) else {
        return Err("not an HTTP request");
    };
    let headers = owned(request.headers);
    let framing = framing(&headers, minor)?.unwrap_or(Framing::Empty);
    let hosts = count(&headers, "host");
    if hosts > 1 || (hosts == 0 && minor == 1) {
        return Err("not exactly one Host");
    }
    Ok(RequestHead { method: method.to_owned(), uri: uri.to_owned(), minor, headers, framing })
}

pub(crate) fn parse_response(bytes: &[u8], request_method: &str) -> Result<ResponseHead, Malformed> {
    check_lines(bytes)?;
    let mut storage = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut response = httparse::Response::new(&mut storage);
    match response.parse(bytes) {
        Ok(httparse::Status::Complete(length)) if length == bytes.len() => {}
        _ => return Err("not an HTTP response"),
    }
    let (Some(status), Some(minor)) = (response.code, response.version) else {
        return Err("not an HTTP response");
    };
    // RFC 9110 section 15: a status is at least 100. `000` would be forwarded as `0`.
    if status < 100 {
        return Err("not an HTTP status");
    }
    let headers = owned(response.headers);
    let bodiless = request_method == "HEAD" || matches!(status, 100..=199 | 204 | 304);
    let framing = framing(&headers, minor)?.unwrap_or(Framing::UntilEnd);
    Ok(ResponseHead {
        status,
        reason: response.reason.unwrap_or_default().to_owned(),
        headers,
        framing: if bodiless { Framing::Empty } else { framing },
    })
}

/// Every line ends in CR LF, none is folded, none holds a NUL.
fn check_lines(bytes: &[u8]) -> Result<(), Malformed> {
    let mut previous = b'\n';
    for pair in bytes.windows(2) {
        let [byte, next] = pair else { continue };
        let broken = match byte {
            0 => true,
            b'\r' => *next != b'\n',
            b'\n' => previous != b'\r' || matches!(next, b' ' | b'\t'),
            _ => false,
        };
        if broken {
            return Err("a bare line end, a folded line or a NUL");
        }
        previous = *byte;
    }
    // Ends the empty line that ends the head.
    if bytes.last() == Some(&b'\n') && previous != b'\r' {
        return Err("a bare line end, a folded line or a NUL");
    }
    Ok(())
}

fn owned(headers: &[httparse::Header<'_>]) -> Headers {
    headers.iter().map(|header| (header.name.to_ascii_lowercase(), header.value.to_vec())).collect()
}

fn count(headers: &Headers, name: &str) -> usize {
    headers.iter().filter(|(own, _)| own == name).count()
}

/// The only value of a header.
pub(crate) fn value<'h>(headers: &'h Headers, name: &str) -> Option<&'h str> {
    let (_, value) = headers.iter().find(|(own, _)| own == name)?;
    std::str::from_utf8(value).ok().map(str::trim)
}

fn framing(headers: &Headers, minor: u8) -> Result<Option<Framing>, Malformed> {
    match (count(headers, "transfer-encoding"), count(headers, "content-length")) {
        (0, 0) => Ok(None),
        (0, 1) => {
            let length =
                value(headers, "content-length").filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
            let length = length.and_then(|text| text.parse().ok()).ok_or("not a Content-Length")?;
            Ok(Some(if length == 0 { Framing::Empty } else { Framing::Length(length) }))
        }
        (1, 0) if minor == 1 => match value(headers, "transfer-encoding") {
            Some(coding) if coding.eq_ignore_ascii_case("chunked") => Ok(Some(Framing::Chunked)),
            _ => Err("a transfer coding other than chunked"),
        },
        _ => Err("a body that can be framed two ways"),
    }
}

/// Headers of this connection only.
const HOP_BY_HOP: &[&str] = words! {
    "connection" "keep-alive" "te" "trailer" "transfer-encoding" "content-length" "upgrade"
    "http2-settings" "host"
};

/// Headers to forward: without hop-by-hop headers, those named by `Connection`, and `Proxy-*`.
pub(crate) fn end_to_end(headers: &Headers) -> impl Iterator<Item = &(String, Vec<u8>)> {
    let connection = headers.iter().filter(|(name, _)| name == "connection");
    let named: Vec<String> = connection
        .flat_map(|(_, value)| {
            String::from_utf8_lossy(value)
                .split(',')
                .map(|name| name.trim().to_ascii_lowercase())
                .collect::<Vec<_>>()
        })
        .collect();
    headers.iter().filter(move |(name, _)| {
        !HOP_BY_HOP.contains(&name.as_str()) && !name.starts_with("proxy-") && !named.contains(name)
    })
}

/// Writes the forwarded headers and the framing, and ends the head. One message per connection.
pub(crate) fn write_headers(out: &mut Vec<u8>, headers: &Headers, framing: Framing) {
    for (name, value) in end_to_end(headers) {
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b": ");
        out.extend_from_slice(value);
        out.extend_from_slice(b"\r\n");
    }
    match framing {
        Framing::Length(length) => out.extend_from_slice(format!("content-length: {length}\r\n").as_bytes()),
        Framing::Chunked => out.extend_from_slice(b"transfer-encoding: chunked\r\n"),
        Framing::Empty | Framing::UntilEnd => {}
    }
    out.extend_from_slice(b"connection: close\r\n\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_frame_two_ways_are_refused() {
        for head in [
            "GET http://a/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n",
            "POST http://a/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nHost: a\r\n X: folded\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nHost: a\r\n\n",
            "GET http://a/ HTTP/1.1\nHost: a\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nHost: a\rX: y\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nHost: a\0\r\n\r\n",
            "GET http://a/ HTTP/2.0\r\nHost: a\r\n\r\n",
            "GET  http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
        ] {
            assert!(parse_request(head.as_bytes()).is_err(), "{head:?}");
        }
    }

    #[test]
    fn hop_headers_stay_behind() {
        let head = parse_request(
            b"POST http://a/ HTTP/1.1\r\nHost: a\r\nConnection: X-Own, close\r\nX-Own: 1\r\nX-Other: 2\r\n\
              Proxy-Authorization: Basic eA==\r\nTE: trailers\r\nContent-Length: 3\r\n\r\n",
        )
        .unwrap();
        let mut out = vec![];
        write_headers(&mut out, &head.headers, head.framing);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "x-other: 2\r\ncontent-length: 3\r\nconnection: close\r\n\r\n");
    }

    #[test]
    fn a_status_of_less_than_three_digits_is_refused() {
        // 000 would be parsed as 0 and written without its zeros.
        for head in ["HTTP/1.1 000 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n"] {
            assert!(parse_response(head.as_bytes(), "GET").is_err(), "{head:?}");
        }
        assert_eq!(parse_response(b"HTTP/1.1 100 \r\n\r\n", "GET").unwrap().status, 100);
    }
}
