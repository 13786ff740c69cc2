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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_is_no_secret_and_hides_none() {
        let placeholder = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
        let real = ["ghp_", "Z9y8X7w6V5u4T3s2R1q0P9o8N7m6L5k4J3i2"].concat();
        let known = Arc::new(Placeholders::default());
        let secrets = Secrets::knowing(&known);
        let command =
            |token: &str| format!("curl -H 'Authorization: Bearer {token}' https://api.github.com/");
        assert!(!secrets.find(&command(&placeholder)).is_empty());
        known.know(&placeholder);
        assert_eq!(secrets.find(&command(&placeholder)).len(), 0);
        assert!(!secrets.find(&command(&real)).is_empty());
        assert!(!secrets.find(&format!("{} {}", command(&placeholder), command(&real))).is_empty());
        known.forget(&placeholder);
        assert!(!secrets.find(&command(&placeholder)).is_empty());
    }
}
