//! Properties of the redactor: the output doesn't depend on how the text is cut and contains no secret.

use doorward_secrets::{Detector, KnownValues, MASK, Redactor, Style, rules};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::texts::{Random, made_up, masked};

fn stream(text: &[u8], cuts: &[usize]) -> Vec<u8> {
    let mut redactor = Redactor::new(Detector::shared());
    let (mut out, mut pos) = (vec![], 0_usize);
    for cut in cuts {
        let end = pos.saturating_add(*cut).min(text.len());
        out.extend(redactor.push(&text[pos..end]));
        pos = end;
    }
    out.extend(redactor.push(&text[pos..]));
    out.extend(redactor.finish());
    out
}

fn token() -> impl Strategy<Value = String> {
    let rules: Vec<_> =
        rules::all().filter(|rule| rule.words.is_empty() && !rule.shapes.is_empty()).collect();
    (0..rules.len(), any::<u64>(), any::<prop::sample::Index>()).prop_map(move |(rule, seed, which)| {
        let examples = rules[rule].examples(seed);
        which.get(&examples).clone()
    })
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ -~\n\t]{0,40}",
        2 => token(),
        1 => ("(password|api_key|token|secret)(=|: |: \")", "[A-Za-z0-9!#%]{8,24}")
            .prop_map(|(name, value)| format!("{name}{value}")),
        1 => "[A-Za-z0-9+/]{1,200}",
        1 => "postgres://app:[a-z0-9]{4,12}@db.corp.net/x",
        1 => Just("\n-----BEGIN RSA ".to_owned()),
        1 => "\\PC{0,10}",
        1 => Just("\n".to_owned()),
    ]
}

/// The redactor agrees with the search over the whole text, however it is cut. The texts are the fuzzer's. Seed 36
/// showed a rule that read past white space into text that hadn't arrived, 9,311,114 one that recognised a key by
/// how much of it had arrived, and 77,178,805 a name that was skipped because of the next line.
#[test]
fn a_stream_says_what_a_search_of_the_whole_says() {
    let rules: Vec<_> =
        rules::all().filter(|rule| rule.words.is_empty() && !rule.shapes.is_empty()).collect();
    let tokens = |random: &mut Random, seed: u64| {
        let examples = rules[random.next(rules.len())].examples(seed);
        examples[random.next(examples.len())].clone()
    };
    for seed in (0..150).chain([100_036, 9_311_114, 77_178_805]) {
        let text = made_up(seed, &tokens);
        let search = Detector::shared().search(&text, Style::Unknown);
        let masks: Vec<_> = search.masks().iter().map(|mask| (mask.start, mask.end, mask.shown)).collect();
        let whole = masked(&text, &masks, MASK);
        for size in [usize::MAX, 1, 2, 7, 61] {
            let cuts = vec![size; text.len() / size.min(text.len().max(1)) + 1];
            let cut = stream(&text, &cuts);
            assert!(
                cut == whole,
                "seed {seed}, pieces of {size}:\n{}\n{}",
                whole.escape_ascii(),
                cut.escape_ascii()
            );
        }
    }
}

/// Lines too long to hold are decided in pieces chosen by the text alone: tokens at every position around the first
/// cuts.
#[test]
fn the_pieces_of_a_long_line_depend_on_the_text_alone() {
    let rule = rules::rule("github-token").unwrap();
    let token = rule.examples(5)[0].clone();
    let encoded = |text: &str| {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.encode(text)
    };
    for (filler, encode) in [("aB3,", false), ("lorem ipsum ", false), ("dolor sit amet ", true)] {
        for place in (5_000..7_500).step_by(173) {
            let mut text = filler.repeat(40_000 / filler.len());
            text.insert_str(place / filler.len() * filler.len(), &format!(" {token} "));
            let text = if encode { encoded(&text) } else { text };
            let whole = stream(text.as_bytes(), &[]);
            assert!(!String::from_utf8_lossy(&whole).contains(&token), "{place}");
            assert!(whole.len() < text.len() - 20, "{place}: nothing was masked");
            for size in [311, 5000, 13_000] {
                assert!(stream(text.as_bytes(), &vec![size; text.len() / size]) == whole, "{place}, {size}");
            }
        }
    }
}

/// A key longer than the buffer leaves one mask, and the text after it is released.
#[test]
fn a_key_of_any_length_is_swallowed_whole() {
    let line = "Ab3dEf6hIj9l+/QrAb3dEf6hIj9l+/QrAb3dEf6hIj9l+/QrAb3dEf6hIj9l+/Qx";
    let label = ["RSA PRIVATE", " KEY-----"].concat();
    for (lines, separator) in [(20, "\n"), (2_000, "\n"), (2_000, "\r\n"), (1_000, "\\n")] {
        let body = [line].repeat(lines).join(separator);
        let text = format!("a\n-----BEGIN {label}{separator}{body}{separator}-----END {label}\nlast words\n");
        let expected = format!("a\n-----BEGIN {label}****\nlast words\n");
        for size in [1, 70, 5_000, usize::MAX] {
            let cuts = vec![size; text.len() / size.min(text.len()) + 1];
            let out = String::from_utf8(stream(text.as_bytes(), &cuts)).unwrap();
            assert_eq!(out, expected, "{lines} lines, pieces of {size}");
        }
    }
}

/// Values known to be secret, over lines and cuts.
#[test]
fn known_values_are_found_over_every_cut() {
    let value = "correct horse\nbattery staple";
    let known = std::sync::Arc::new(KnownValues::new([value, "hunter2hunter2"]).unwrap());
    let text = format!("one {value} two\nhunter2hunter2\n{} tail", "x y ".repeat(8_000));
    let run = |size: usize| {
        let mut redactor = Redactor::new(Detector::shared()).with_known(std::sync::Arc::clone(&known));
        let mut out: Vec<u8> = text.as_bytes().chunks(size).flat_map(|piece| redactor.push(piece)).collect();
        out.extend(redactor.finish());
        String::from_utf8(out).unwrap()
    };
    let whole = run(text.len());
    assert!(whole.starts_with("one corr**** two\nhun****\nx y "), "{}", &whole[..60]);
    for size in [1, 2, 3, 5, 17, 4_000] {
        assert_eq!(run(size), whole, "{size}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        // A failure must be reproducible; random exploration is the fuzzer's task.
        rng_seed: RngSeed::Fixed(7),
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_cut_makes_no_difference(
        pieces in prop::collection::vec(piece(), 0..30),
        cuts in prop::collection::vec(0_usize..200, 0..40),
    ) {
        let text = pieces.concat();
        let whole = stream(text.as_bytes(), &[]);
        let shown = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let whole = shown(whole);
        prop_assert_eq!(shown(stream(text.as_bytes(), &cuts)), whole.clone());
        prop_assert_eq!(shown(stream(text.as_bytes(), &vec![1; text.len()])), whole);
    }

    #[test]
    fn a_found_token_never_leaves(
        before in "[ -~\n]{0,60}",
        token in token(),
        after in "[ -~\n]{0,60}",
        cut in any::<prop::sample::Index>(),
    ) {
        let text = format!("{before} {token} {after}");
        let start = before.len() + 1;
        let hits = Detector::shared().find(&text);
        let caught = hits.iter().any(|hit| hit.start <= start && hit.end >= start + token.len());
        prop_assume!(caught && token.len() >= 16);
        let out = String::from_utf8_lossy(&stream(text.as_bytes(), &[cut.index(text.len())])).into_owned();
        prop_assert!(!out.contains(&token[5..]));
    }
}
