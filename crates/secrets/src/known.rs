//! Finds values known to be secret (from the environment or a vault) in any encoding: plain, base64, hex, percent,
//! JSON.

use aho_corasick::{AhoCorasick, MatchKind};
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use crate::charset::{self, at, before, is};
use crate::name;

/// Shorter values would occur in ordinary text.
const SHORTEST: usize = 8;
/// Longer values are cut: the part found is enough to mask the rest of the run.
const LONGEST: usize = 4096;

/// Known secrets in all encodings.
#[derive(Clone)]
pub struct KnownValues {
    forms: AhoCorasick,
    encoded: Vec<bool>,
    longest: usize,
    spans_lines: bool,
}

impl std::fmt::Debug for KnownValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KnownValues({} forms)", self.encoded.len())
    }
}

impl KnownValues {
    /// Builds the search from values. Those shorter than eight bytes are ignored.
    ///
    /// # Errors
    /// If there are more values than an automaton can hold.
    pub fn new<I: IntoIterator<Item = V>, V: AsRef<[u8]>>(values: I) -> Result<Self, std::io::Error> {
        let (mut forms, mut encoded) = (Vec::new(), Vec::new());
        for value in values {
            let value = value.as_ref();
            let value = value.get(..value.len().min(LONGEST)).unwrap_or_default();
            if value.len() < SHORTEST {
                continue;
            }
            let mut add = |form: Vec<u8>, is_encoded: bool| {
                if form.len() >= SHORTEST && !forms.contains(&form) {
                    forms.push(form);
                    encoded.push(is_encoded);
                }
            };
            add(value.to_vec(), false);
            add(escaped(value), false);
            for upper in [false, true] {
                add(hex(value, upper), false);
                add(percent(value, upper), false);
            }
            for alignment in 0..3 {
                add(aligned(&STANDARD_NO_PAD, value, alignment), true);
                add(aligned(&URL_SAFE_NO_PAD, value, alignment), true);
            }
        }
        let longest = forms.iter().map(Vec::len).max().unwrap_or(0);
        let spans_lines = forms.iter().any(|form| form.contains(&b'\n'));
        let forms = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(&forms)
            .map_err(std::io::Error::other)?;
        Ok(Self { forms, encoded, longest, spans_lines })
    }

    /// From an environment: values of at least eight bytes with a secret-sounding name.
    ///
    /// # Errors
    /// As [`KnownValues::new`].
    pub fn from_environment<I: IntoIterator<Item = (String, String)>>(
        variables: I,
    ) -> Result<Self, std::io::Error> {
        Self::new(variables.into_iter().filter_map(|(name, value)| {
            name::classify(name.as_bytes()).filter(|kind| *kind != name::Kind::Weak).map(|_| value)
        }))
    }

    /// Spans of the text that contain a known value in some encoding. They may overlap.
    pub(crate) fn spans(&self, text: &[u8]) -> Vec<(usize, usize)> {
        let found = self.forms.find_overlapping_iter(text);
        found
            .map(|found| {
                let (mut start, mut end) = (found.start(), found.end());
                if self.encoded.get(found.pattern().as_usize()).copied().unwrap_or(false) {
                    // The first and last characters of an alignment also encode neighbouring bytes.
                    for _ in 0..2 {
                        start -= usize::from(is(before(text, start), charset::ANY_BASE64));
                        end += usize::from(is(at(text, end), charset::ANY_BASE64));
                    }
                }
                (start, end)
            })
            .collect()
    }

    /// Whether a value contains a newline.
    pub(crate) fn spans_lines(&self) -> bool {
        self.spans_lines
    }

    /// Length of the longest encoding in bytes.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }
}

fn escaped(value: &[u8]) -> Vec<u8> {
    let text = serde_json::to_vec(&String::from_utf8_lossy(value)).unwrap_or_default();
    text.get(1..text.len().saturating_sub(1)).unwrap_or_default().to_vec()
}

fn hex(value: &[u8], upper: bool) -> Vec<u8> {
    let text: String =
        value.iter().map(|byte| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") }).collect();
    text.into_bytes()
}

fn percent(value: &[u8], upper: bool) -> Vec<u8> {
    value
        .iter()
        .flat_map(|byte| {
            if byte.is_ascii_alphanumeric() || b"-_.~".contains(byte) {
                vec![*byte]
            } else if upper {
                format!("%{byte:02X}").into_bytes()
            } else {
                format!("%{byte:02x}").into_bytes()
            }
        })
        .collect()
}

/// The part of base64 that is the same for any text with `value` at an offset of `alignment` modulo three.
fn aligned(engine: &impl base64::Engine, value: &[u8], alignment: usize) -> Vec<u8> {
    let padded: Vec<u8> = std::iter::repeat_n(0, alignment).chain(value.iter().copied()).collect();
    let text = engine.encode(&padded).into_bytes();
    let from = [0, 2, 3].get(alignment).copied().unwrap_or(0);
    let to = padded.len() / 3 * 4;
    text.get(from..to).unwrap_or_default().to_vec()
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use super::*;

    #[test]
    fn a_value_is_found_in_every_writing_and_at_every_alignment() {
        let value = "Corr\"ect horse/battery+1";
        let known = KnownValues::new([value]).unwrap();
        for lead in ["", "a", "ab", "abc"] {
            let inner = format!("{lead}{value}tail");
            for text in [
                inner.clone(),
                STANDARD_NO_PAD.encode(&inner),
                URL_SAFE_NO_PAD.encode(&inner),
                String::from_utf8(hex(inner.as_bytes(), false)).unwrap(),
                String::from_utf8(hex(inner.as_bytes(), true)).unwrap(),
                String::from_utf8(percent(inner.as_bytes(), true)).unwrap(),
                serde_json::to_string(&inner).unwrap(),
            ] {
                assert!(!known.spans(text.as_bytes()).is_empty(), "{text}");
            }
        }
    }

    #[test]
    fn environments_give_the_values_of_telling_names_only() {
        let pairs = [("DB_PASSWORD", "swordfish-77"), ("PATH", "/usr/bin:/bin"), ("API_TOKEN", "short")];
        let known =
            KnownValues::from_environment(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())))
                .unwrap();
        assert_eq!(known.spans(b"x swordfish-77 y").len(), 1);
        assert!(known.spans(b"/usr/bin:/bin short").is_empty());
    }
}
