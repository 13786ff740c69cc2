//! Differential fuzzing against the URL readers of other programs: `cargo run --release -p doorward-net --example
//! readers -- [rounds] [seed]`.
//!
//! Random host texts (spellings of addresses, names, and mutations of both) go to glibc's `inet_aton`, Python's
//! `ipaddress`, `urllib` and IDNA, and curl's URL parser through `readers.py`. If any of them would reach a denied
//! address or another host than the one we judged, we must have refused. One such row fails the run. Without
//! `python3` it reports that and exits 0; without libcurl's URL API, curl is left out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::io::{BufRead, BufReader, Write};
use std::net::IpAddr;
use std::process::{Command, ExitCode, Stdio};

use doorward_net::{Guard, Host, judge_address};
use serde_json::{Value, json};

struct Draw(u64);

impl Draw {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(below).unwrap()).unwrap()
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.next(choices.len())]
    }
}

const ADDRESSES: [[u8; 4]; 10] = [
    [127, 0, 0, 1],
    [169, 254, 169, 254],
    [10, 0, 0, 7],
    [192, 168, 1, 1],
    [100, 100, 100, 200],
    [0, 0, 0, 0],
    [8, 8, 8, 8],
    [93, 184, 215, 14],
    [172, 16, 9, 9],
    [224, 0, 0, 1],
];

fn number(draw: &mut Draw, value: u32) -> String {
    match draw.next(9) {
        0 => format!("0x{value:x}"),
        1 => format!("0X{value:X}"),
        2 => format!("0{value:o}"),
        3 => format!("00{value:o}"),
        4 => format!("0x0{value:x}"),
        5 => format!("0{value}"),
        6 => format!("{}", u64::from(value) + (1 << 32)),
        _ => value.to_string(),
    }
}

fn literal(draw: &mut Draw) -> String {
    let octets = ADDRESSES[draw.next(ADDRESSES.len())];
    let bits = u32::from_be_bytes(octets);
    match draw.next(8) {
        0 => number(draw, bits),
        1 => format!("{}.{}", number(draw, bits >> 24), number(draw, bits & 0x00ff_ffff)),
        2 => {
            let middle = number(draw, bits >> 16 & 0xff);
            format!("{}.{middle}.{}", number(draw, bits >> 24), number(draw, bits & 0xffff))
        }
        3 => format!("[::ffff:{}]", std::net::Ipv4Addr::from(octets)),
        4 => format!(
            "[{}:{:x}:{:x}]",
            draw.of(&["::ffff:0", "64:ff9b:", "::", "2002", "fe80:"]),
            bits >> 16,
            bits & 0xffff
        ),
        _ => octets.map(|octet| number(draw, octet.into())).join("."),
    }
}

const PIECES: &[&str] = &[
    "example",
    "com",
    "localhost",
    "internal",
    "local",
    "metadata",
    "a",
    "xn--bcher-kva",
    "bücher",
    "ß",
    "127",
    "0x7f",
    "ｌocalhost",
    "loc\u{ad}alhost",
    "①②⑦",
    "１２７",
    "٠",
    "\u{200d}",
    "K",
    "ſ",
    "℀",
    "…",
    "ｅxample",
    "-",
    "_",
    "org",
];
const JOINTS: &[&str] = &[".", ".", ".", ".", "..", "。", "．", "\u{2024}", "%2e", "\u{ff61}"];
const NOISE: &[&str] = &[
    "\0", " ", "\t", "\n", "@", "\\", "#", "?", "/", ":", "%", "%00", "[", "]", "\u{85}", "\u{a0}",
    "\u{feff}", "0", ".", "x", "+", "-", "é",
];

fn host(draw: &mut Draw) -> String {
    let mut host = match draw.next(5) {
        0 | 1 => literal(draw),
        2 => {
            let mut host = draw.of(PIECES).to_owned();
            for _ in 0..draw.next(4) {
                host = host + draw.of(JOINTS) + draw.of(PIECES);
            }
            host
        }
        3 => format!(
            "{}{}{}",
            literal(draw),
            draw.of(&[".", "@", ":80@", "\\@", "#@", "%20", "\u{3000}"]),
            draw.of(&["example.com", "127.0.0.1", "localhost"])
        ),
        _ => format!(
            "{}{}{}",
            draw.of(&["example.com", "a.example"]),
            draw.of(&["@", "\\@", "#@", "?@", ":@", "%40", ";", "&@"]),
            literal(draw)
        ),
    };
    for _ in 0..draw.next(3) {
        if draw.next(2) == 0 {
            let at = host
                .char_indices()
                .map(|(at, _)| at)
                .nth(draw.next(host.chars().count().max(1)))
                .unwrap_or(0);
            host.insert_str(at, draw.of(NOISE));
        }
    }
    host
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(200_000);
    let seed: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(0x5eed);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/readers.py");
    let started = Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = started else {
        eprintln!("SKIPPED: no python3, so no other readers to compare with");
        return ExitCode::SUCCESS;
    };
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap()).lines();
    let readers: Value = serde_json::from_str(&from.next().unwrap().unwrap()).unwrap();
    eprintln!("readers: {readers}");

    let (mut draw, guard) = (Draw(seed | 1), Guard::default());
    let (mut allowed, mut worse, mut stricter, mut compared, mut attacks) = (0, 0, 0, 0, 0);
    let mut left = rounds;
    while left > 0 {
        let batch: Vec<String> = (0..left.min(500)).map(|_| format!("http://{}/", host(&mut draw))).collect();
        left -= batch.len();
        writeln!(to, "{}", json!(batch)).unwrap();
        to.flush().unwrap();
        let answers: Vec<Vec<Value>> = serde_json::from_str(&from.next().unwrap().unwrap()).unwrap();
        for (url, answers) in batch.iter().zip(answers) {
            compared += answers.len();
            let verdict = guard.judge_url(url);
            let Ok(cleared) = &verdict else {
                stricter += 1;
                attacks += usize::from(answers.iter().any(reaches_denied));
                continue;
            };
            allowed += 1;
            for answer in answers {
                if disagrees(&cleared.target().host, &answer) {
                    worse += 1;
                    println!("TOWARDS ALLOW {url:?}: we {}, {answer}", cleared.target().host);
                }
            }
        }
    }
    println!(
        "{rounds} texts, {compared} readings: {allowed} allowed, {stricter} refused ({attacks} of them reach a denied \
         address for some reader), {worse} disagreements towards allow"
    );
    if worse == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn reaches_denied(answer: &Value) -> bool {
    let address = answer["address"].as_str().and_then(|text| text.parse().ok());
    address.is_some_and(|address| judge_address(address).is_some())
}

/// Whether a reader would reach a denied host, or another one than we permitted.
fn disagrees(ours: &Host, answer: &Value) -> bool {
    if let Some(address) = answer["address"].as_str() {
        let Ok(address) = address.parse::<IpAddr>() else { return true };
        let same = matches!(
            ours,
            Host::Address(own)
                if doorward_net::target::unmapped(*own) == doorward_net::target::unmapped(address)
        );
        return judge_address(address).is_some() || !same;
    }
    let Some(name) = answer["name"].as_str() else { return false };
    let Ok(theirs) = Host::parse(name) else { return true };
    // Another permitted name (IDNA 2003 against 2008) is harmless; a denied one isn't.
    let reachable = Guard::default().judge_url(&format!("http://{}/", theirs.in_authority())).is_ok();
    theirs != *ours && !(reachable && answer["idna"] == true)
}
