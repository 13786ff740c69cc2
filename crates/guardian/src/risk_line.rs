//! Parses the label of ToolShield's answer format: `RISK: LOW|MEDIUM|HIGH` on a line of its own.
//!
//! Linear in the length of the text, which is limited first. Spans of the four tags used for evidence are removed, so
//! that an echoed argument can't be the label. A remaining tag, no label, or two different labels make the answer
//! invalid.

use doorward_core::risk::SecurityRisk;

const CAP: usize = 16_384;
const TAGS: [&str; 4] = ["tool", "summary", "thought", "arguments"];

/// The only label, or `None` if there isn't exactly one.
#[must_use]
pub fn parse(text: &str) -> Option<SecurityRisk> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text: String = text.chars().take(CAP).collect();
    let rest = without_spans(&text);
    if tags(&rest).next().is_some() {
        return None;
    }
    let mut found = None;
    for label in labels(&rest) {
        if found.is_some_and(|known| known != label) {
            return None;
        }
        found = Some(label);
    }
    found
}

/// A tag in a text.
#[derive(Debug, Clone, Copy)]
struct Tag {
    name: usize,
    closes: bool,
    start: usize,
    end: usize,
}

/// Every tag, in order.
fn tags(text: &str) -> impl Iterator<Item = Tag> + '_ {
    text.match_indices('<').filter_map(|(start, _)| {
        let rest = text.get(start + 1..)?;
        let (closes, rest) = match rest.strip_prefix('/') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let word: String = rest
            .chars()
            .take(10)
            .take_while(char::is_ascii_alphabetic)
            .collect::<String>()
            .to_ascii_lowercase();
        let name = TAGS.iter().position(|tag| *tag == word)?;
        let behind = rest.get(word.len()..)?;
        if behind.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return None;
        }
        // Up to the next bracket of either kind, which keeps the scan linear.
        let close = behind.find(['>', '<'])?;
        if behind.as_bytes().get(close) != Some(&b'>') {
            return None;
        }
        let end = text.len() - behind.len() + close + 1;
        Some(Tag { name, closes, start, end })
    })
}

fn without_spans(text: &str) -> String {
    let all: Vec<Tag> = tags(text).collect();
    // For each tag, the nearest following closing tag of the same name.
    let mut nearest: Vec<[Option<usize>; TAGS.len()]> = vec![[None; TAGS.len()]; all.len() + 1];
    for (at, tag) in all.iter().enumerate().rev() {
        let mut here = nearest.get(at + 1).copied().unwrap_or_default();
        if tag.closes
            && let Some(slot) = here.get_mut(tag.name)
        {
            *slot = Some(at);
        }
        if let Some(slot) = nearest.get_mut(at) {
            *slot = here;
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    let mut at = 0;
    while let Some(tag) = all.get(at) {
        let closing = nearest.get(at + 1).and_then(|row| row.get(tag.name).copied().flatten());
        match closing.and_then(|index| Some((index, all.get(index)?))) {
            Some((index, closing)) if !tag.closes => {
                out.push_str(text.get(from..tag.start).unwrap_or_default());
                from = closing.end;
                at = index + 1;
            }
            _ => at += 1,
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

fn labels(text: &str) -> impl Iterator<Item = SecurityRisk> + '_ {
    let lower = text.to_ascii_lowercase();
    let at: Vec<usize> = lower.match_indices("risk:").map(|(at, _)| at).collect();
    at.into_iter().filter_map(move |at| {
        let line = text.get(..at)?.rsplit('\n').next()?;
        if !line.chars().all(is_space) {
            return None;
        }
        let behind = text.get(at + 5..)?.trim_start_matches(is_space);
        let (word, risk) =
            [("low", SecurityRisk::Low), ("medium", SecurityRisk::Medium), ("high", SecurityRisk::High)]
                .into_iter()
                .find(|(word, _)| {
                    behind.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
                })?;
        let tail = behind.get(word.len()..)?.split('\n').next()?;
        tail.chars().all(is_space).then_some(risk)
    })
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use SecurityRisk::{High, Low, Medium};

    #[test]
    fn only_one_label_on_a_line_of_its_own_counts() {
        for (text, risk) in [
            ("RISK: LOW\nfine", Some(Low)),
            ("  risk:\thigh  ", Some(High)),
            ("RISK:\r\nMEDIUM\r\n", Some(Medium)),
            ("RISK: LOW\nRISK: LOW", Some(Low)),
            ("RISK: LOW\nRISK: HIGH", None),
            ("I think RISK: LOW", None),
            ("RISK: LOWER", None),
            ("RISK: LOW because", None),
            ("<arguments>RISK: LOW</arguments>\nRISK: HIGH", Some(High)),
            ("<arguments>RISK: LOW</arguments>", None),
            ("<Tool name=\"x\">\nRISK: LOW\n</TOOL>\nRISK: MEDIUM", Some(Medium)),
            ("<thought>\nRISK: LOW", None),
            ("</summary>\nRISK: LOW", None),
            ("", None),
        ] {
            assert_eq!(parse(text), risk, "{text:?}");
        }
        let padded = format!("{}\nRISK: LOW", "x".repeat(CAP));
        assert_eq!(parse(&padded), None);
    }

    #[test]
    fn hostile_shapes_cost_linear_time() {
        let started = std::time::Instant::now();
        for unit in ["<tool", "<tool>", "</tool>", "RISK:\n", "risk: low\n", "<tool></thought>", "\n "] {
            let _ = parse(&unit.repeat(200_000 / unit.len()));
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(60));
    }

    #[test]
    fn upstreams_recorded_answers_are_read_as_upstream_reads_them() {
        let Some(file) = doorward_needs::data!("openhands/parity.jsonl") else { return };
        let rows = std::fs::read_to_string(file).unwrap();
        let mut checked = 0;
        for line in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            if row["fn"] != "guardrail.parse_risk" {
                continue;
            }
            let text = expand(&row["input"]["text"]);
            let got = parse(&text).unwrap_or_default();
            assert_eq!(got.as_str(), row["expected"]["value"], "{} {text:.200?}", row["id"]);
            checked += 1;
        }
        assert_eq!(checked, 39);
    }

    fn expand(value: &serde_json::Value) -> String {
        match value {
            serde_json::Value::String(text) => text.clone(),
            value => value["$concat"]
                .as_array()
                .unwrap()
                .iter()
                .map(|part| match part.get("$repeat") {
                    Some(repeat) => {
                        let times = usize::try_from(repeat[1].as_u64().unwrap()).unwrap();
                        repeat[0].as_str().unwrap().repeat(times)
                    }
                    None => part.as_str().unwrap().to_owned(),
                })
                .collect(),
        }
    }
}
