//! Canaries: values planted by the user where only an intruder would find them. They are recognised in the
//! same forms as secrets.

use doorward_core::effect::Inspected;
use doorward_core::finding::Finding;

use crate::facts;
use crate::fingerprint::{Key, normalised};
use crate::prose::Texts;
use crate::source::{Label, Source};
use crate::table::{Table, TableError};
use crate::values::Values;

/// Least number of letters and digits in a canary; a shorter one would match by accident.
const SHORTEST: usize = 8;
/// Facts of calls that send data.
const SENDING: &[&str] = &["sent", "contacted", "messaged", "published"];

/// Planted values, as fingerprints.
pub struct Canaries {
    key: Key,
    values: Values,
}

impl std::fmt::Debug for Canaries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Canaries").finish_non_exhaustive()
    }
}

impl Canaries {
    /// Fingerprints these values.
    #[must_use]
    pub fn of(planted: &[String]) -> Self {
        // These fingerprints are never stored, so the key needn't be secret.
        let key = Key::new(b"canaries of the settings");
        let mut values = Values::default();
        for (turn, canary) in (0..).zip(planted) {
            let from = format!("canary {turn}");
            if let Some(source) =
                values.add_source(Source { label: Label::Secret, from, turn, hosts: Vec::new() })
            {
                values.add_planted(&key, source, canary);
            }
        }
        Self { key, values }
    }

    /// Whether some values didn't fit.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.values.full
    }

    /// Index of the first value that is too short to be recognised reliably.
    #[must_use]
    pub fn too_short(planted: &[String]) -> Option<usize> {
        planted.iter().position(|canary| normalised(canary.as_bytes()).len() < SHORTEST)
    }

    /// The finding for a call that sends a canary in any form.
    ///
    /// # Errors
    /// [`TableError`] if the built-in table can't be read.
    pub fn sent_by(&self, inspected: &Inspected) -> Result<Option<Finding>, TableError> {
        if self.values.is_empty() {
            return Ok(None);
        }
        let table = Table::shipped()?;
        let sends = inspected.call.tool.mcp_parts().is_some()
            || facts::of(table, inspected).iter().any(|fact| SENDING.contains(&table.name(fact.kind)));
        if !sends {
            return Ok(None);
        }
        let words: Vec<&str> = inspected
            .effects
            .executes
            .iter()
            .flat_map(|command| &command.words)
            .map(String::as_str)
            .collect();
        let expanded = words.join(" ");
        let texts = Texts::of(table, inspected);
        let joined = texts.joined(&texts.all);
        let mut all: Vec<&str> = texts.all.iter().chain(&texts.names).copied().collect();
        all.extend(joined.as_deref().into_iter().chain([expanded.as_str()]));
        let hit = self.values.search(&self.key, &all, &[]).hits.into_iter().next();
        Ok(hit.map(|hit| {
            let message = format!("sends a canary value of your settings, {}", hit.form.as_str());
            let mut finding = Finding::new("flow.canary", message);
            finding.blocking = true;
            finding
        }))
    }
}
