//! The door through which a detector of secrets plugs in. None is built in: without one nothing is found, which
//! is why the assembly always brings one.

use doorward_core::finding::Severity;

/// Finds secrets in text.
pub trait SecretFinder: Send + Sync {
    /// Every secret in `text`.
    fn find(&self, text: &str) -> Vec<SecretHit>;
}

/// A secret in a text: where, and what kind. Never the secret itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretHit {
    /// Kind (`github_pat`): the finding's code is `secret.<slug>`.
    pub slug: String,
    /// How much it matters.
    pub severity: Severity,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Exact hosts it may be sent to: its own provider's.
    pub provider_hosts: Vec<String>,
}

/// Finds nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSecrets;

impl SecretFinder for NoSecrets {
    fn find(&self, _text: &str) -> Vec<SecretHit> {
        Vec::new()
    }
}
