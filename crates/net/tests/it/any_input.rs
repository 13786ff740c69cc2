//! No text makes the judging panic, and clients' parsers read permitted texts as the guard does.

use std::net::IpAddr;

use doorward_net::config::{Entry, Grammar};
use doorward_net::{Guard, Host, Target, batch_line, judge_address, judge_host, judge_url};

const PIECES: &[&str] = &[
    "http",
    "https",
    "HTTP",
    "://",
    ":",
    "//",
    "/",
    "\\",
    "@",
    "#",
    "?",
    "%",
    "%2e",
    "[",
    "]",
    "::1",
    "::ffff:",
    "127.0.0.1",
    "0x7f",
    "0177",
    "2130706433",
    ".",
    "..",
    "。",
    "．",
    "①",
    "ｌocalhost",
    "localhost",
    "example.com",
    "bücher",
    "xn--",
    "ß",
    "\u{200d}",
    "\u{ad}",
    "\0",
    " ",
    "\t",
    "\r\n",
    "\u{85}",
    "\u{feff}",
    ":80",
    ":0",
    ":65536",
    "*",
    "**.",
    "=10.0.0.0/8",
    "/8",
    "fe80::1%25eth0",
    "metadata.google.internal",
    "-",
    "_",
    "…",
    "{",
    "\"",
    "é",
    "🦀",
];

/// A small generator with a fixed seed: every run draws the same texts.
struct Draw(u64);

impl Draw {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(below).unwrap()).unwrap()
    }

    fn text(&mut self) -> String {
        let count = self.next(9);
        let start = if self.next(2) == 0 { "http://" } else { "" };
        (0..count).fold(start.to_owned(), |text, _| text + PIECES[self.next(PIECES.len())])
    }
}

#[test]
fn nothing_aborts_and_parsers_agree() {
    let guard = Guard::default();
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    let mut permitted = 0;
    for _ in 0..30_000 {
        let text = draw.text();
        let _ = judge_url(&guard, &text);
        let _ = judge_host(&guard, &text, Some(443), "https");
        for grammar in [Grammar::Allow, Grammar::Block, Grammar::Egress] {
            let _ = Entry::parse(&text, grammar);
        }
        let base = Target::parse("https://example.com/a").unwrap();
        if let Ok(joined) = base.join(&text) {
            assert!(guard.judge(joined).is_ok() || text.len() > 1);
        }
        let Ok(cleared) = guard.judge_url(&text) else { continue };
        permitted += 1;
        let seen = url::Url::parse(&text).unwrap();
        match (&cleared.target().host, seen.host().unwrap()) {
            (Host::Address(own), url::Host::Ipv4(v4)) => assert_eq!(*own, IpAddr::V4(v4), "{text:?}"),
            (Host::Address(own), url::Host::Ipv6(v6)) => assert_eq!(*own, IpAddr::V6(v6), "{text:?}"),
            (Host::Name(own), url::Host::Domain(name)) => {
                assert_eq!(own, name.trim_end_matches('.'), "{text:?}")
            }
            (own, other) => panic!("{text:?}: {own} and {other}"),
        }
        if let Host::Address(address) = cleared.target().host {
            assert_eq!(judge_address(address), None, "{text:?}");
        }
    }
    assert!(permitted > 100, "only {permitted} texts were permitted");
    for _ in 0..5_000 {
        let answer = batch_line(&draw.text());
        assert!(answer.contains(r#""verdict":"block""#), "{answer}");
    }
}
