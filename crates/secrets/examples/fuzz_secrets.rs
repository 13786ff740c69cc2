//! Throws made-up text at the detector and the redactor for as long as asked: `cargo run --release -p doorward-secrets --example fuzz_secrets -- SECONDS`.
//!
//! Nothing may panic; hits lie within the text, in order and apart; and a stream says the same however it is cut. A failure
//! prints the seed of its text, `fuzz SECONDS SEED` starts there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::time::{Duration, Instant};

use doorward_secrets::{Detector, Redactor, Style, rules};

/// Marks and beginnings that rules wait for.
const MARKS: &[&str] = &[
    "password",
    "secret",
    "api_key",
    "token",
    "Authorization: Bearer ",
    "Cookie: sid=",
    "kind: Secret\ndata:\n  x: ",
    "=",
    ": ",
    "\"",
    "'",
    "\\n",
    "\\u0022",
    "%3D",
    "\\",
    "\n",
    "\r\n",
    " ",
    ",",
    "://",
    "@",
    ":",
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----END",
    "PuTTY-User-Key-File-2: ",
    "curl -u ",
    "identified by '",
    "mysql -p",
    "&sig=",
    "LS0tLS1CRUdJTi",
    "google.crypto.tink",
    "\"kty\"",
    "{",
    "}",
    "postgres",
    "${",
    "}}",
    "AKIA",
    "eyJ",
    "\u{feff}",
    "\u{0}",
    "é",
    "🔑",
];

struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as usize % below.max(1)
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10);
    let mut seed: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let rules: Vec<_> =
        rules::all().filter(|rule| rule.words.is_empty() && !rule.shapes.is_empty()).collect();
    let (until, mut runs, mut bytes, mut hits) =
        (Instant::now() + Duration::from_secs(seconds), 0_u64, 0_u64, 0_u64);
    while Instant::now() < until {
        let text = made_up(seed, &rules);
        let outcome = std::panic::catch_unwind(|| check(&text, seed));
        match outcome {
            Ok(found) => hits += found,
            Err(_) => {
                println!("fuzz: FAILED at seed {seed}");
                std::process::exit(1);
            }
        }
        (runs, bytes, seed) = (runs + 1, bytes + text.len() as u64, seed + 1);
    }
    println!("fuzz: {runs} texts, {:.1} MB, {hits} hits, no failure", bytes as f64 / 1e6);
}

/// Tokens, marks, noise and copies of what came before, then a few bytes changed.
fn made_up(seed: u64, rules: &[&rules::Rule]) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = Vec::new();
    for _ in 0..random.next(40) {
        match random.next(8) {
            0 => {
                let examples = rules[random.next(rules.len())].examples(seed);
                text.extend(examples[random.next(examples.len())].bytes());
            }
            1..=4 => text.extend(MARKS[random.next(MARKS.len())].bytes()),
            5 => {
                let alphabet = b"0123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZghijklmnopqrstuvwxyz+/=-_.";
                let kinds = [16, 62, alphabet.len()][random.next(3)];
                text.extend((0..random.next(120)).map(|_| alphabet[random.next(kinds)]).collect::<Vec<_>>());
            }
            6 => text.extend((0..random.next(12)).map(|_| random.next(256) as u8).collect::<Vec<_>>()),
            _ if !text.is_empty() => {
                let from = random.next(text.len());
                let to = (from + random.next(200)).min(text.len());
                text.extend_from_within(from..to);
            }
            _ => {}
        }
    }
    for _ in 0..random.next(4) {
        if let Some(place) = (!text.is_empty()).then(|| random.next(text.len())) {
            text[place] = random.next(256) as u8;
        }
    }
    text
}

fn check(text: &[u8], seed: u64) -> u64 {
    let detector = Detector::shared();
    let mut count = 0;
    for style in [Style::Source, Style::Config, Style::Unknown] {
        let hits = detector.search(text, style).hits;
        let mut last = 0;
        for hit in &hits {
            assert!(last <= hit.start && hit.start <= hit.end && hit.end <= text.len(), "{hit:?}");
            assert!(hit.shown <= hit.end - hit.start, "{hit:?}");
            last = hit.end;
        }
        count += hits.len() as u64;
    }
    let mut random = Random(seed | 1);
    let whole = stream(text, || usize::MAX);
    let cut = stream(text, || 1 + random.next(64));
    if cut != whole {
        // The text is made up and so are its tokens: it may be shown.
        let same = cut.iter().zip(&whole).take_while(|(left, right)| left == right).count();
        let around =
            |out: &[u8]| out[same.saturating_sub(200)..(same + 80).min(out.len())].escape_ascii().to_string();
        panic!("the cut makes a difference:\nwhole {}\n  cut {}", around(&whole), around(&cut));
    }
    count
}

fn stream(text: &[u8], mut cut: impl FnMut() -> usize) -> Vec<u8> {
    let mut redactor = Redactor::new(Detector::shared());
    let (mut out, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let (chunk, left) = rest.split_at(cut().min(rest.len()));
        out.extend(redactor.push(chunk));
        rest = left;
    }
    out.extend(redactor.finish());
    out
}
