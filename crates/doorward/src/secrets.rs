//! The secrets detector where the gate needs it: hits for `inspect`, redaction for everything that is kept or shown.

use std::sync::Arc;

use doorward_inspect::{SecretFinder, SecretHit};
use doorward_secrets::Detector;

use crate::placeholders::Placeholders;

/// The shared detector, with what only looks like a secret.
#[derive(Debug, Clone, Default)]
pub(crate) struct Secrets {
    placeholders: Arc<Placeholders>,
}

impl Secrets {
    pub(crate) fn knowing(placeholders: &Arc<Placeholders>) -> Self {
        Self { placeholders: Arc::clone(placeholders) }
    }
}

impl SecretFinder for Secrets {
    fn find(&self, text: &str) -> Vec<SecretHit> {
        let placeholders = self.placeholders.within(text);
        Detector::shared()
            .find(text)
            .into_iter()
            // Part of a placeholder is no secret; a longer text around one may be.
            .filter(|hit| !placeholders.iter().any(|range| range.start <= hit.start && hit.end <= range.end))
            .map(|hit| SecretHit {
                slug: hit.slug.to_string(),
                severity: hit.severity,
                start: hit.start,
                end: hit.end,
                provider_hosts: hit.provider_hosts.iter().map(|host| (*host).to_owned()).collect(),
            })
            .collect()
    }
}

/// A text with every secret masked.
pub(crate) fn redact(text: &str) -> String {
    doorward_secrets::redact_text(text)
}
