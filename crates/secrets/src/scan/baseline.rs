//! Findings accepted earlier, by keyed fingerprint, so that the file reveals nothing about the secrets.

use std::collections::HashSet;
use std::io::Read as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::finding::Finding;

/// Why a baseline can't be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It can't be read or written.
    #[error("secrets.baseline_io: {0}")]
    Io(#[from] std::io::Error),
    /// Not a baseline file.
    #[error("secrets.baseline_syntax: not a baseline of version 1")]
    Syntax,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    findings: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    fingerprint: String,
    rule_id: String,
    path: String,
    /// For people; a finding that moved still matches.
    #[serde(default)]
    line: usize,
}

/// Findings accepted earlier.
#[derive(Debug, Clone, Default)]
pub struct Baseline {
    known: HashSet<(String, String)>,
}

/// Largest baseline in bytes; a longer file is refused.
const MOST: u64 = 64 << 20;

impl Baseline {
    /// Reads a baseline file.
    ///
    /// # Errors
    /// [`BaselineError`]: an unreadable baseline must not count as an empty one.
    pub fn load(path: &Path) -> Result<Self, BaselineError> {
        let mut text = Vec::new();
        super::walk::open(path)?.take(MOST).read_to_end(&mut text)?;
        let file: File = serde_json::from_slice(&text).map_err(|_| BaselineError::Syntax)?;
        if file.version != 1 {
            return Err(BaselineError::Syntax);
        }
        let entries = file.findings.into_iter().filter(|entry| !entry.fingerprint.is_empty());
        Ok(Self { known: entries.map(|entry| (entry.fingerprint, entry.path)).collect() })
    }

    /// Writes the findings as the new baseline.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn save(path: &Path, findings: &[Finding]) -> Result<(), BaselineError> {
        let entry = |finding: &Finding| Entry {
            fingerprint: finding.fingerprint.clone(),
            rule_id: finding.rule_id.clone(),
            path: finding.file_path.clone(),
            line: finding.line,
        };
        let file = File { version: 1, findings: findings.iter().map(entry).collect() };
        let mut text = serde_json::to_vec_pretty(&file).map_err(std::io::Error::other)?;
        text.push(b'\n');
        Ok(std::fs::write(path, text)?)
    }

    /// Whether a finding was accepted earlier.
    #[must_use]
    pub fn holds(&self, finding: &Finding) -> bool {
        !finding.fingerprint.is_empty()
            && self.known.contains(&(finding.fingerprint.clone(), finding.file_path.clone()))
    }
}
