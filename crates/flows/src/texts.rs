//! Splits other people's text into passages: the strings of a JSON document, or the text itself. Members without
//! blanks, such as identifiers (`"id": "itm_204"`), can't carry instructions and are skipped.

use doorward_core::json::Value;

/// Limit on JSON nested in JSON: a client's event contains a tool's result, which may contain another one.
const DEEPEST: usize = 3;
/// Limit on passages of one text.
const MOST: usize = 2_048;

/// The passages of a text.
pub(crate) fn passages(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    add(text, 0, &mut all);
    all
}

fn add(text: &str, depth: usize, all: &mut Vec<String>) {
    let trimmed = text.trim_start();
    let document = (depth < DEEPEST && trimmed.starts_with(['{', '[']))
        .then(|| Value::parse(text.trim()).ok())
        .flatten();
    match document {
        Some(document) => members(&document, depth + 1, all),
        None if all.len() < MOST => all.push(text.to_owned()),
        None => {}
    }
}

fn members(value: &Value, depth: usize, all: &mut Vec<String>) {
    match value {
        Value::String(text) if text.trim().contains(char::is_whitespace) => add(text, depth, all),
        Value::Array(items) => items.iter().for_each(|item| members(item, depth, all)),
        Value::Object(object) => object.values().for_each(|item| members(item, depth, all)),
        _ => {}
    }
}

/// Whether a line has at least three plain words, not counting member names (`subject:`).
pub(crate) fn is_prose(line: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_end_matches(['.', ',', '!', '?', ';']);
        !word.is_empty() && word.chars().all(|letter| letter.is_alphabetic() || letter == '\'')
    };
    line.split_whitespace().filter(|word| is_word(word)).nth(2).is_some()
}

/// A text in lower case with single blanks, for matching phrases.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        plain.push_str(&word.to_lowercase());
        plain.push(' ');
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_with_blanks_are_passages_and_identifiers_are_none() {
        let inner =
            r#"{"id":"itm_20411_alpha","title":"A blue lamp","self":"https://a.example/itm_20411_alpha"}"#;
        assert_eq!(passages(inner), ["A blue lamp"]);
        let event = Value::Object([("stdout".to_owned(), Value::from(format!("{inner} ").as_str()))].into());
        assert_eq!(passages(&event.canonical()), ["A blue lamp"], "a document inside an event");
        assert_eq!(passages("run this first"), ["run this first"]);
        assert_eq!(passages("{not json at all"), ["{not json at all"]);
    }

    #[test]
    fn prose_has_words() {
        assert!(is_prose("please deploy it today"));
        assert!(!is_prose("id: 41, ref: feature/x_y"));
    }
}
