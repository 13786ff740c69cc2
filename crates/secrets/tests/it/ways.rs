//! Ways of writing a secret in configuration syntaxes, languages, command lines and providers' formats
//! (`texts/holding.txt`), and texts without secrets (`texts/harmless.txt`). Text in `‹…›` is generated, anew for
//! every entry.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorward_secrets::{Detector, redact_text, rules};

const DIGITS: &str = "0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";

/// An entry: what it shows, whether it is a known shortcoming (`%?`), the text.
struct Entry {
    title: &'static str,
    open: bool,
    text: &'static str,
}

fn entries(file: &'static str) -> Vec<Entry> {
    file.split("\n%")
        .map(|entry| entry.trim_start_matches('%'))
        .filter_map(|entry| {
            let (title, text) = entry.split_once('\n')?;
            let open = title.starts_with('?');
            Some(Entry { title: title.trim_start_matches('?').trim(), open, text })
        })
        .collect()
}

struct Made(u64);

impl Made {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % count
    }

    fn of(&mut self, alphabet: &str, count: usize) -> String {
        let alphabet = alphabet.as_bytes();
        (0..count).map(|_| char::from(alphabet[self.below(alphabet.len())])).collect()
    }

    fn password(&mut self) -> String {
        let (upper, lower) = (self.of(UPPER, 2), self.of(LOWER, 6));
        format!("{upper}{lower}{}{}", self.of(DIGITS, 3), self.of(LOWER, 2))
    }

    fn base64(&mut self, count: usize) -> String {
        self.of(&[UPPER, LOWER, DIGITS, "+/"].concat(), count)
    }

    /// The value for a placeholder.
    fn fill(&mut self, hole: &str) -> String {
        let (kind, rest) = hole.split_once(' ').unwrap_or((hole, ""));
        let count = rest.parse().unwrap_or(0);
        let lines =
            |own: &mut Self, joint: &str| (0..count).map(|_| own.base64(64)).collect::<Vec<_>>().join(joint);
        match kind {
            "priv" => "PRIVATE".to_owned(),
            "pw" => self.password() + &self.of("!#%", 1),
            "pwu" => self.password(),
            "b62" => self.of(&[UPPER, LOWER, DIGITS].concat(), count),
            "b36" => self.of(&[LOWER, DIGITS].concat(), count),
            "b36u" => self.of(&[UPPER, DIGITS].concat(), count),
            "b32" => self.of(&[UPPER, "234567"].concat(), count),
            "hex" => self.of("0123456789abcdef", count),
            "dig" => self.of("123456789", count),
            "b64" => self.base64(count),
            "b64u" => self.base64(count).replace('+', "-").replace('/', "_"),
            "uuid" => [8, 4, 4, 4, 12].map(|part| self.of("0123456789abcdef", part)).join("-"),
            "pem" => lines(self, "\n"),
            "peme" => lines(self, "\\n"),
            "ex" => rules::rule(rest).unwrap().examples(self.0).remove(0),
            "enc" => STANDARD.encode(format!("{rest}{}", self.password())),
            "b64of" => STANDARD.encode(format!("{}{}\n", rest.replace('¶', "\n"), self.password())),
            other => panic!("no hole is called {other}"),
        }
    }

    fn text(&mut self, entry: &Entry) -> String {
        let mut pieces = entry.text.split('‹');
        let mut text = pieces.next().unwrap().to_owned();
        for piece in pieces {
            let (hole, rest) = piece.split_once('›').unwrap();
            text += &self.fill(hole);
            text += rest;
        }
        text
    }
}

/// Unmarked entries for which `holds` fails. An entry passes if it holds in four of five tries with new values,
/// because random values sometimes look like words.
fn wrong(file: &'static str, holds: impl Fn(&str) -> bool) -> Vec<String> {
    const TIMES: usize = 5;
    let mut wrong = Vec::new();
    let entries = entries(file);
    for entry in &entries {
        let seed = entry.title.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let mut made = Made(seed | 1);
        let held = (0..TIMES).filter(|_| holds(&made.text(entry))).count();
        if held + 1 < TIMES && !entry.open {
            wrong.push(format!("{} ({held} of {TIMES})", entry.title));
        }
    }
    let open = entries.iter().filter(|entry| entry.open).count();
    println!("{} entries, {open} of them known to fall short, {} others do", entries.len(), wrong.len());
    wrong
}

#[test]
fn every_way_of_writing_a_secret_is_found_and_masked() {
    let wrong = wrong(include_str!("texts/holding.txt"), |text| {
        !Detector::shared().find(text).is_empty() && redact_text(text) != text
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_holds_none_is_left_alone() {
    let wrong = wrong(include_str!("texts/harmless.txt"), |text| Detector::shared().find(text).is_empty());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A provider's prefix or name before a value of another shape: the generic rules still apply.
#[test]
fn a_prefix_switches_nothing_off() {
    let wrong = wrong(include_str!("texts/fallback.txt"), |text| {
        !Detector::shared().find(text).is_empty() && redact_text(text) != text
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Harmless look-alikes, and identifiers: UUIDs, names of pods, digests.
#[test]
fn what_only_looks_like_one_is_left_alone() {
    let wrong = wrong(include_str!("texts/lookalikes.txt"), |text| Detector::shared().find(text).is_empty());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn rows_of_utf_16_are_read() {
    let secret = Made(7).of(&[UPPER, LOWER, DIGITS].concat(), 36);
    for (count, text) in [
        (1, format!("GITHUB_TOKEN=ghp_{secret}\r\n")),
        (1, format!("größe = 1\npassword = \"{}x!\"\n", Made(9).password())),
        (0, "nothing is in here but words\n".to_owned()),
    ] {
        for (big, mark) in [(false, true), (true, true), (false, false), (true, false)] {
            let units = mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
            let bytes: Vec<u8> = units
                .flat_map(|unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect();
            let row = serde_json::json!({"id": "1", "text_b64": STANDARD.encode(&bytes)});
            let answer: serde_json::Value =
                serde_json::from_str(&doorward_secrets::batch_line(&row.to_string())).unwrap();
            let findings = answer["findings"].as_array().unwrap();
            assert_eq!(findings.len(), count, "{big} {mark} {text}");
            for finding in findings {
                let place = |key: &str| usize::try_from(finding[key].as_u64().unwrap()).unwrap();
                let found = &bytes[place("byteStart")..place("byteEnd")];
                assert!(found.len().is_multiple_of(2) && found.len() >= 26, "{finding}");
            }
        }
    }
}
