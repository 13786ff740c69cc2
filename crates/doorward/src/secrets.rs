//! The secrets detector where the gate needs it: hits for `inspect`, redaction for everything that is kept or shown.

use doorward_inspect::{SecretFinder, SecretHit};
use doorward_secrets::Detector;

/// The shared detector.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Secrets;

impl SecretFinder for Secrets {
    fn find(&self, text: &str) -> Vec<SecretHit> {
        Detector::shared()
            .find(text)
            .into_iter()
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
