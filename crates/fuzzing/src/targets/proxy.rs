//! Bytes from peers and clients of the egress proxy, before they are authenticated.

use doorward_net::proxy::fuzz::{request_head, response_head};
use doorward_net::{Host, Target};

use crate::mutate::Mutator;

const HEAD_WORDS: &[&str] = &[
    "GET ",
    "POST ",
    "CONNECT ",
    "HEAD ",
    "/",
    "http://a/",
    "a:443",
    " HTTP/1.1",
    " HTTP/1.0",
    "\r\n",
    "\r\n\r\n",
    "\n",
    "\r",
    "\0",
    " ",
    "\t",
    "Host: a",
    "Host: b",
    "Content-Length: 1",
    "Content-Length: 0",
    "Content-Length: +1",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Connection: close, x-y",
    "Connection: host",
    "Proxy-Authorization: Basic YTpi",
    "X-Y: z",
    ":",
    ",",
    ";",
    "Content-Length : 2",
    "Expect: 100-continue",
    "Upgrade: h2c",
    "HTTP/1.1 200 OK",
    "HTTP/1.1 100 Continue",
    "HTTP/1.1 204 ",
    "é",
    "\u{7f}",
    "18446744073709551616",
    "http://[::1]:80/",
    "http://a@b/",
    "http://a\\@b/",
    "%2e%2e/",
    "#",
    "?",
];

const HELLO_WORDS: &[&str] = &[
    "\x16\x03\x01",
    "\x16\x03\x03",
    "\x01",
    "\x00",
    "\x00\x00",
    "\x00\x01",
    "\x00\x03",
    "a.example",
    "b.example",
    "\x00\x00\x09",
    "\x02",
    "\x15\x03\x03",
    "\x00\x0b",
    "\x7f",
    "localhost",
    "127.0.0.1",
];

pub(super) fn check(bytes: &[u8]) {
    request_head(bytes);
    response_head(bytes);
    let text = String::from_utf8_lossy(bytes);
    if let Ok(target) = Target::parse(&text) {
        let again = target.host_header();
        assert!(!again.contains(['\r', '\n', ' ', '@', '/']), "{again:?}");
    }
    let _ = Host::parse(&text);
}

pub(super) fn heads() -> Mutator {
    let seeds = [
        "GET http://a.example/x?y=1 HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\nProxy-Connection: keep-alive\r\n\r\n",
        "POST http://a.example/ HTTP/1.1\r\nHost: a.example\r\nContent-Length: 12\r\nConnection: x-one\r\n\
        X-One: 1\r\n\r\n",
        "POST http://a.example/ HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n",
        "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\nProxy-Authorization: Basic YTpi\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nServer: x\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n",
        "https://user@a.example:8443/p?q#f",
    ];
    Mutator::new(seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect(), HEAD_WORDS)
}

pub(super) fn hellos() -> Mutator {
    let seeds = vec![
        hello(&[b"a.example"], usize::MAX),
        hello(&[b"a.example"], 20),
        hello(&[b"a.example"], 1),
        hello(&[b"a.example", b"b.example"], usize::MAX),
        hello(&[], usize::MAX),
    ];
    Mutator::new(seeds, HELLO_WORDS)
}

/// A ClientHello that asks for these names, in records of at most `size` bytes each.
fn hello(names: &[&[u8]], size: usize) -> Vec<u8> {
    let two = |length: usize| u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes();
    let list: Vec<u8> = names.iter().flat_map(|name| [&[0][..], &two(name.len()), name].concat()).collect();
    let mut extensions = [&[0, 0x2b][..], &two(3), &[2, 3, 4]].concat();
    if !names.is_empty() {
        extensions.extend([&[0, 0][..], &two(list.len() + 2), &two(list.len()), &list].concat());
    }
    let body =
        [&[3, 3][..], &[7; 32], &[0], &two(2), &[0x13, 0x01], &[1, 0], &two(extensions.len()), &extensions]
            .concat();
    let message = [&[1, 0][..], &two(body.len()), &body].concat();
    let records = message.chunks(size.min(message.len()));
    records.flat_map(|record| [&[22, 3, 1][..], &two(record.len()), record].concat()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_seeds_reach_the_name() {
        // A seed that is refused at its first byte would test nothing.
        for seed in [super::hello(&[b"a.example"], usize::MAX), super::hello(&[b"a.example"], 1)] {
            assert_eq!(doorward_net::proxy::fuzz::name_asked_for(&seed).as_deref(), Some("a.example"));
        }
    }
}
