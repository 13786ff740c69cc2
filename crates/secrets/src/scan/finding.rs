//! A finding for reports: place, type and mask, never the secret.

use doorward_core::Severity;
use serde::Serialize;

use crate::assign::Style;
use crate::detect::{Detector, Hit};
use crate::mask::{self, FingerprintKey};

/// A secret in a file. The JSON names are a contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Path as given, `/` between components.
    pub file_path: String,
    /// Starting from 1.
    pub line: usize,
    /// Starting from 1, in Unicode scalar values.
    pub column: usize,
    /// Line of the last byte.
    pub end_line: usize,
    /// Column after the last character.
    pub end_column: usize,
    /// First byte in the file.
    pub byte_start: usize,
    /// One past the last byte.
    pub byte_end: usize,
    /// Type of secret.
    #[serde(rename = "type")]
    pub slug: String,
    /// `critical`, `high` or `medium`.
    #[serde(serialize_with = "lower_case")]
    pub severity: Severity,
    /// At most four characters, then a mask.
    #[serde(rename = "match")]
    pub masked: String,
    /// Description.
    pub description: String,
    /// What to do.
    pub suggestion: String,
    /// `secret.<type>`.
    pub rule_id: String,
    /// Keyed fingerprint of type and secret. Without the installation's key, a key of this process is used.
    pub fingerprint: String,
    /// `verified-format`, `likely` or `possible`.
    pub confidence: &'static str,
    /// Overrides an allow rule.
    pub blocking: bool,
    /// `checksum:valid`, `decoded:base64`, …
    pub tags: Vec<String>,
    /// First commit that contains it, for history scans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

fn lower_case<S: serde::Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(word(*severity))
}

/// The severity's word in reports.
pub(crate) fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "critical",
        Severity::High => "high",
        Severity::Medium | Severity::Low => "medium",
    }
}

/// Findings in one text.
#[must_use]
pub fn find_in(
    detector: &Detector,
    text: &[u8],
    path: &str,
    style: Style,
    key: Option<&FingerprintKey>,
) -> Vec<Finding> {
    let mut hits = detector.search_whole(text, style).hits;
    hits.retain(|hit| !hit.quiet);
    let mut places = Places::new(text, 1, 1);
    hits.iter().map(|hit| from_hit(hit, text, path, key, &mut places)).collect()
}

pub(crate) fn from_hit(
    hit: &Hit,
    text: &[u8],
    path: &str,
    key: Option<&FingerprintKey>,
    places: &mut Places<'_>,
) -> Finding {
    let secret = text.get(hit.start..hit.end).unwrap_or_default();
    let (line, column) = places.at(hit.start);
    let (end_line, end_column) = places.clone().at(hit.end);
    let head = secret.get(..hit.shown.min(4)).unwrap_or_default();
    Finding {
        file_path: path.to_owned(),
        line,
        column,
        end_line,
        end_column,
        byte_start: hit.start,
        byte_end: hit.end,
        slug: hit.slug.to_string(),
        severity: hit.severity,
        masked: format!("{}{}", String::from_utf8_lossy(head), mask::MASK),
        description: hit.describe().into_owned(),
        suggestion: hit.suggestion().into_owned(),
        rule_id: format!("secret.{}", hit.slug),
        fingerprint: key
            .or(FingerprintKey::of_this_process())
            .map(|key| key.fingerprint(&hit.slug, secret))
            .unwrap_or_default(),
        confidence: hit.confidence.as_str(),
        blocking: false,
        tags: hit.tags.iter().map(|tag| (*tag).to_owned()).collect(),
        commit: None,
    }
}

/// Computes lines and columns on demand, for increasing positions.
#[derive(Clone)]
pub(crate) struct Places<'t> {
    text: &'t [u8],
    line: usize,
    line_start: usize,
    /// Column of the text's first byte.
    first_column: usize,
    done: usize,
}

impl<'t> Places<'t> {
    /// For a text that begins at this line and column of its file.
    pub(crate) fn new(text: &'t [u8], line: usize, column: usize) -> Self {
        Self { text, line, line_start: 0, first_column: column, done: 0 }
    }

    pub(crate) fn at(&mut self, pos: usize) -> (usize, usize) {
        let gap = self.text.get(self.done..pos).unwrap_or_default();
        for newline in memchr::memchr_iter(b'\n', gap) {
            self.line += 1;
            self.line_start = self.done + newline + 1;
            self.first_column = 1;
        }
        self.done = self.done.max(pos);
        let head = self.text.get(self.line_start..pos).unwrap_or_default();
        // Continuation bytes of UTF-8 aren't counted as characters.
        (self.line, self.first_column + head.iter().filter(|byte| **byte & 0xc0 != 0x80).count())
    }
}
