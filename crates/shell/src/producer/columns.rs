//! Columns of lines, as `awk` prints them.

use super::text::{lines_of, plain};
use super::{Input, Produced};

/// `awk '{print $N}'` with the usual separators; anything else is unknown.
pub(super) fn awk(input: &Input<'_>) -> Option<Produced> {
    let mut separator = None;
    let mut program = None;
    let mut words = input.words.iter();
    while let Some(word) = words.next() {
        if let Some(rest) = word.strip_prefix("-F") {
            separator = Some(if rest.is_empty() { (*words.next()?).to_owned() } else { rest.to_owned() });
        } else if word.starts_with('-') || program.is_some() {
            return None;
        } else {
            program = Some(*word);
        }
    }
    let body = program?.trim().strip_prefix('{')?.strip_suffix('}')?.trim().trim_end_matches(';');
    let list = body.strip_prefix("print")?.trim();
    let fields: Option<Vec<usize>> = list
        .split(',')
        .map(|field| field.trim().strip_prefix('$').and_then(|number| number.parse().ok()))
        .collect();
    let fields = fields?;
    let text = input.filtered(&[])?;
    if separator.as_ref().is_some_and(|separator| separator.chars().count() != 1) {
        return None;
    }
    let mut lines = Vec::new();
    for line in text.lines() {
        let parts: Vec<&str> = match &separator {
            Some(separator) if separator != " " => line.split(separator.as_str()).collect(),
            _ => line.split_whitespace().collect(),
        };
        let picked: Vec<&str> = fields
            .iter()
            .map(|&field| if field == 0 { line } else { parts.get(field - 1).copied().unwrap_or_default() })
            .collect();
        lines.push(picked.join(" "));
    }
    plain(lines_of(&lines))
}
