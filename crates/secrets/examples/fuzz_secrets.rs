//! Fuzzes the detector and the redactor with generated text for a given time: `cargo run --release -p
//! doorward-secrets --example fuzz_secrets -- SECONDS`.
//!
//! Nothing may panic; hits lie within the text, in order, without overlap; and a stream's result doesn't depend on
//! how it is cut. A failure prints the seed of its text; `fuzz SECONDS SEED` starts there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::time::{Duration, Instant};

use doorward_secrets::{Detector, MASK, Redactor, Style, rules};
use texts::{Random, made_up, masked};

#[path = "../tests/it/texts/mod.rs"]
mod texts;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10);
    let mut seed: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let rules: Vec<_> =
        rules::all().filter(|rule| rule.words.is_empty() && !rule.shapes.is_empty()).collect();
    let tokens = |random: &mut Random, seed: u64| {
        let examples = rules[random.next(rules.len())].examples(seed);
        examples[random.next(examples.len())].clone()
    };
    let (until, mut runs, mut bytes, mut hits) =
        (Instant::now() + Duration::from_secs(seconds), 0_u64, 0_u64, 0_u64);
    while Instant::now() < until {
        let text = made_up(seed, &tokens);
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
    // Generated lines are short enough to be held whole, so the stream must agree with a search of the whole text.
    let masks: Vec<_> = detector
        .search(text, Style::Unknown)
        .masks()
        .iter()
        .map(|mask| (mask.start, mask.end, mask.shown))
        .collect();
    let whole = masked(text, &masks, MASK);
    let sizes: [&mut dyn FnMut() -> usize; 3] = [&mut || usize::MAX, &mut || 1, &mut || 1 + random.next(64)];
    for size in sizes {
        let cut = stream(text, size);
        if cut != whole {
            // The text and its tokens are generated, so they may be shown.
            let same = cut.iter().zip(&whole).take_while(|(left, right)| left == right).count();
            let around = |out: &[u8]| {
                out[same.saturating_sub(200)..(same + 80).min(out.len())].escape_ascii().to_string()
            };
            panic!("the cut makes a difference:\nwhole {}\n  cut {}", around(&whole), around(&cut));
        }
    }
    // The same with lines too long to hold: there the pieces decide, and again not the cut.
    if seed.is_multiple_of(64) {
        let long: Vec<u8> =
            text.iter().map(|byte| if *byte == b'\n' { b' ' } else { *byte }).cycle().take(40_000).collect();
        let whole = stream(&long, || usize::MAX);
        assert!(
            stream(&long, || 1 + random.next(9000)) == whole,
            "the cut of a long line makes a difference"
        );
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
