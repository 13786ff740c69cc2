//! Keys in their providers' documented formats, and look-alikes. Generated at run time.

use doorward_secrets::{Detector, redact_text};

/// Pseudo-random characters, the same each time.
fn random(alphabet: &str, length: usize, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let letters: Vec<char> = alphabet.chars().collect();
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        letters[((state >> 11) % letters.len() as u64) as usize]
    };
    (0..length).map(|_| next()).collect()
}

const WORD: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
const ALNUM: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const HEX: &str = "0123456789abcdef";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// A pattern in which `«w40»` is replaced by 40 word characters, `«h…»` by hex, `«n…»` by letters and digits,
/// `«u…»` by capitals and digits.
fn filled(pattern: &str, seed: u64) -> String {
    let mut out = String::new();
    for (at, part) in pattern.split(['«', '»']).enumerate() {
        let (class, count) = part.split_at(part.len().min(1));
        match (at % 2, class) {
            (1, "w") => out.push_str(&random(WORD, count.parse().unwrap(), seed + at as u64)),
            (1, "h") => out.push_str(&random(HEX, count.parse().unwrap(), seed + at as u64)),
            (1, "n") => out.push_str(&random(ALNUM, count.parse().unwrap(), seed + at as u64)),
            (1, "u") => out.push_str(&random(UPPER, count.parse().unwrap(), seed + at as u64)),
            _ => out.push_str(part),
        }
    }
    out
}

#[test]
fn keys_are_found_in_every_documented_form() {
    let jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0";
    let mut missed = Vec::new();
    for (at, pattern) in [
        "key: AIzaSy«w33»",
        "GOOGLE_API_KEY=AIzaSyB«w32»",
        "see AIzaSyZ«w32» there",
        "GEMINI_API_KEY=AQ.Ab8RN6«w44»",
        "use AQ.Ab8«w47» for it",
        "client_secret: GOCSPX-«w28»",
        "Authorization: Bearer ya29.a0«w120»",
        "refresh_token=1//0«w60»",
        "code=4/0A«w70»",
        "FCM=AAAA«n7»:APA91b«w134»",
        "GOOG1E«u55»",
        "RECAPTCHA_SECRET_KEY=6L«w38»",
        "PRIVATE_KEY=0x«h64»",
        "private_key: \"0x«h64»\"",
        "{\"privateKey\":\"0x«h64»\"}",
        "DEPLOYER_KEY=0x«h64»",
        "cast send --private-key 0x«h64»",
        "token: v4.local.«w90».«w20»",
        "v2.public.«w120»",
        "api_token: «n24».«n24».«n24».«n24»",
    ]
    .into_iter()
    .enumerate()
    {
        for seed in 0..5 {
            let text = filled(pattern, seed * 1_000 + at as u64 * 10 + 1);
            if Detector::shared().find(&text).is_empty() {
                missed.push(text);
            }
        }
    }
    for more in ["«n43».«w30»", "«w43».«w40».«w22»"] {
        let text = filled(&format!("sent {jwt}.{more} along"), 7);
        let hits = Detector::shared().find(&text);
        if hits.len() != 1 || &text[hits[0].end..] != " along" {
            missed.push(format!("{text}: {hits:?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn public_keys_hashes_and_samples_are_clean() {
    let mut wrong = Vec::new();
    for pattern in [
        "gtag('config', 'G-«u10»');",
        "posthog.init('phc_«n43»', {api_host: 'https://eu.posthog.com'})",
        "MIXPANEL_TOKEN=«h32»",
        "AMPLITUDE_API_KEY=«h32»",
        "SEGMENT_WRITE_KEY=«n32»",
        "bugsnag.start({ apiKey: '«h32»' })",
        "rollbar_client_token = \"«h32»\"",
        "postgres://user:password@localhost:5432/db",
        "mysql://root:password@localhost/app",
        "redis://:password@127.0.0.1:6379/0",
        "amqp://guest:guest@localhost:5672",
        "mongodb://user:password@localhost:27017/test",
        "DATABASE_URL=postgres://myuser:mypassword@localhost:5432/mydb",
        "tx hash 0x«h64»",
        "blockHash: \"0x«h64»\"",
        "bytes32 root = 0x«h64»;",
        "merkle_root: 0x«h64»",
    ] {
        let text = filled(pattern, 3);
        let hits = Detector::shared().find(&text);
        if !hits.is_empty() {
            wrong.push(format!("{text}: {hits:?}"));
        }
    }
    for pattern in ["AMPLITUDE_SECRET_KEY=«h32»", "MIXPANEL_API_SECRET=«h32»", "SEGMENT_ACCESS_TOKEN=«n43»"]
    {
        let text = filled(pattern, 3);
        if Detector::shared().find(&text).is_empty() {
            wrong.push(format!("not found: {text}"));
        }
    }
    let local = "postgres://user:password@localhost:5432/db";
    assert_ne!(redact_text(local), local, "masked all the same");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
