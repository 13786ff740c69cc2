//! Properties of the redactor: whatever the text and however it is cut, the output is the same and holds no secret.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use doorward_secrets::{Detector, Redactor, rules};
use proptest::prelude::*;

fn stream(text: &[u8], cuts: &[usize]) -> Vec<u8> {
    let mut redactor = Redactor::new(Detector::shared());
    let (mut out, mut pos) = (vec![], 0);
    for cut in cuts {
        let end = (pos + cut).min(text.len());
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
        1 => ("(password|api_key|token|secret)(=|: |: \")", "[A-Za-z0-9!#%]{8,24}").prop_map(|(name, value)| format!("{name}{value}")),
        1 => "[A-Za-z0-9+/]{1,200}",
        1 => "postgres://app:[a-z0-9]{4,12}@db.corp.net/x",
        1 => Just("\n-----BEGIN RSA ".to_owned()),
        1 => "\\PC{0,10}",
        1 => Just("\n".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_cut_makes_no_difference(pieces in prop::collection::vec(piece(), 0..30), cuts in prop::collection::vec(0_usize..200, 0..40)) {
        let text = pieces.concat();
        let whole = stream(text.as_bytes(), &[]);
        let shown = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let whole = shown(whole);
        prop_assert_eq!(shown(stream(text.as_bytes(), &cuts)), whole.clone());
        prop_assert_eq!(shown(stream(text.as_bytes(), &vec![1; text.len()])), whole);
    }

    #[test]
    fn a_found_token_never_leaves(before in "[ -~\n]{0,60}", token in token(), after in "[ -~\n]{0,60}", cut in any::<prop::sample::Index>()) {
        let text = format!("{before} {token} {after}");
        let start = before.len() + 1;
        let caught = Detector::shared().find(&text).iter().any(|hit| hit.start <= start && hit.end >= start + token.len());
        prop_assume!(caught && token.len() >= 16);
        let out = String::from_utf8_lossy(&stream(text.as_bytes(), &[cut.index(text.len())])).into_owned();
        prop_assert!(!out.contains(&token[5..]));
    }
}
