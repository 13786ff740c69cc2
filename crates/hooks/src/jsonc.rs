//! JSON with comments and trailing commas, as in many agents' settings. Converted to plain JSON of the same length,
//! so that positions stay valid.

use std::ops::Range;

/// The text with comments and trailing commas replaced by spaces. All other bytes keep their positions.
#[must_use]
pub fn blanked(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut blank = |range: Range<usize>| {
        for byte in bytes.get_mut(range).into_iter().flatten().filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
    };
    for part in parts(text) {
        blank(part.range());
    }
    // Whole characters were replaced, each by one space per byte.
    String::from_utf8(bytes).unwrap_or_default()
}

/// The comments in a text.
pub fn comments(text: &str) -> impl Iterator<Item = &str> {
    parts(text).into_iter().filter_map(|part| match part {
        Part::Comment(range) => text.get(range),
        Part::Comma(_) => None,
    })
}

/// The parts that plain JSON doesn't allow.
enum Part {
    Comment(Range<usize>),
    Comma(usize),
}

impl Part {
    const fn range(&self) -> Range<usize> {
        match self {
            Self::Comment(range) => range.start..range.end,
            Self::Comma(at) => *at..*at + 1,
        }
    }
}

fn parts(text: &str) -> Vec<Part> {
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    // The last comma, as long as only white space and comments followed it.
    let mut comma = None;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let after = bytes.get(at + 1);
        let from = at;
        at += 1;
        match (byte, after) {
            (b'"', _) => {
                comma = None;
                at = end_of_string(bytes, at);
            }
            (b'/', Some(b'/')) => {
                let rest = text.get(from..).unwrap_or_default();
                let line = rest.find('\n').unwrap_or(rest.len());
                at = from + rest.get(..line).unwrap_or_default().trim_end_matches('\r').len();
                parts.push(Part::Comment(from..at));
            }
            (b'/', Some(b'*')) => {
                let rest = text.get(from + 2..).unwrap_or_default();
                at = rest.find("*/").map_or(bytes.len(), |end| from + 2 + end + 2);
                parts.push(Part::Comment(from..at));
            }
            (b',', _) => comma = Some(from),
            (b'}' | b']', _) => parts.extend(comma.take().map(Part::Comma)),
            (byte, _) if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
    }
    parts
}

/// The position after the closing quote of a string that starts at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\\' => at += 1,
            b'"' => break,
            _ => {}
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_stays_at_its_place() {
        let text = "// Ünïcode\r\n{\"a\": \"no // comment, \\\"}\", /* two\nlines , ] */ \"b\": [1, 2, // last\n ], }";
        let plain = blanked(text);
        assert_eq!(plain.len(), text.len());
        let value: serde_json::Value = serde_json::from_str(&plain).unwrap();
        assert_eq!(value, serde_json::json!({"a": "no // comment, \"}", "b": [1, 2]}));
        assert_eq!(plain.find("\"b\""), text.find("\"b\""));
        assert_eq!(plain.matches('\n').count(), text.matches('\n').count());
        assert_eq!(comments(text).collect::<Vec<_>>(), ["// Ünïcode", "/* two\nlines , ] */", "// last"]);
        for same in ["{}", "[1,2]", "\"/* x */\"", "{\"a\":{},\"b\":[[]]}", ""] {
            assert_eq!(blanked(same), same);
        }
        // Unterminated parts give invalid JSON.
        for open in ["{ /* ", "{\"a", "{\"a\\"] {
            assert!(serde_json::from_str::<serde_json::Value>(&blanked(open)).is_err());
        }
    }
}
