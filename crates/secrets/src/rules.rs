//! Every type of secret as a row: format, severity, check, remedy, and hosts.
//!
//! The rows are in the files below, by field; this file defines a row and finds one. A new provider is a new row.
//! Formats: the providers' documentation and public fixtures.

use doorward_core::Severity;

use crate::checksum::Check;
use crate::shape::Shape;

mod clouds;
mod code;
mod models;
mod payments;
mod services;
mod structures;

/// One type of secret in one of its formats. Several rows may share a slug.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The type: `github-token`. In the gate the code is `secret.<slug>`.
    pub slug: &'static str,
    /// Severity of a well-formed token.
    pub severity: Severity,
    /// Its title, as in "GitHub token".
    pub title: &'static str,
    /// Where it is revoked.
    pub revoke: &'static str,
    /// Formats, in the notation of the `shape` module.
    pub shapes: &'static [&'static str],
    /// The check besides the shape.
    pub check: Check,
    /// Words of which one must be in the name or just before the value; empty if the format suffices.
    pub words: &'static [&'static str],
    /// The provider's own hosts, exact names: the only places it may be sent to.
    pub hosts: &'static [&'static str],
}

/// A row without check and context.
const fn row(
    slug: &'static str,
    severity: Severity,
    title: &'static str,
    revoke: &'static str,
    shapes: &'static [&'static str],
    hosts: &'static [&'static str],
) -> Rule {
    Rule { slug, severity, title, revoke, shapes, check: Check::None, words: &[], hosts }
}

impl Rule {
    const fn checked(self, check: Check) -> Self {
        Self { check, ..self }
    }

    const fn near(self, words: &'static [&'static str]) -> Self {
        Self { words, ..self }
    }

    /// One sentence for a finding.
    #[must_use]
    pub fn description(&self) -> String {
        format!("{} in plain text", self.title)
    }

    /// What to do about it.
    #[must_use]
    pub fn suggestion(&self) -> String {
        format!(
            "Revoke it ({}), then refer to it through the environment or a secret store. A committed one stays in \
             the history: revoke first.",
            self.revoke
        )
    }

    /// Fictitious tokens of this format, generated at run time: they differ with every `seed` and are never live.
    #[must_use]
    pub fn examples(&self, seed: u64) -> Vec<String> {
        let mut state = seed | 1;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from((state >> 11) % (below.max(1) as u64)).unwrap_or(0)
        };
        let shapes = self.shapes.iter().filter_map(|shape| Shape::parse_value(shape));
        shapes
            .map(|shape| {
                let mut token = shape.generate(&mut random);
                self.check.complete(&mut token);
                String::from_utf8_lossy(&token).into_owned()
            })
            .collect()
    }
}

/// All rows.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [clouds::ROWS, code::ROWS, models::ROWS, payments::ROWS, services::ROWS, structures::ROWS]
        .into_iter()
        .flatten()
}

/// The first row of a type.
#[must_use]
pub fn rule(slug: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.slug == slug)
}

/// Whether one of a type's rows is critical: access to infrastructure, code, packages or money.
pub(crate) fn precious(slug: &str) -> bool {
    all().any(|rule| rule.slug == slug && rule.severity == Severity::Critical)
}

/// The exact hosts that a type's secrets belong to. Empty without a provider: they may be sent nowhere.
#[must_use]
pub fn credential_for(slug: &str) -> &'static [&'static str] {
    all()
        .filter(|rule| rule.slug == slug)
        .map(|rule| rule.hosts)
        .max_by_key(|hosts| hosts.len())
        .unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_complete_and_its_notation_is_well_formed() {
        for rule in all() {
            assert!(rule.severity >= Severity::Medium, "{}", rule.slug);
            assert!(
                rule.slug.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'),
                "{}",
                rule.slug
            );
            for shape in rule.shapes {
                let parsed =
                    if rule.words.is_empty() { Shape::parse(shape) } else { Shape::parse_value(shape) };
                assert!(parsed.is_some(), "{}: {shape}", rule.slug);
            }
            assert!(!rule.title.is_empty() && !rule.revoke.is_empty(), "{}", rule.slug);
            for host in rule.hosts {
                assert!(host.contains('.') && !host.contains('*') && !host.contains('/'), "{host}");
            }
        }
        assert!(all().map(|rule| rule.slug).collect::<std::collections::BTreeSet<_>>().len() >= 120);
    }

    #[test]
    fn the_eleven_groups_are_there() {
        for group in [
            "aws-",
            "github-",
            "gitlab-",
            "slack-",
            "stripe-",
            "google-",
            "jwt",
            "private-key",
            "password",
            "db-uri",
            "generic-",
        ] {
            assert!(all().any(|rule| rule.slug.starts_with(group)), "{group}");
        }
    }
}
