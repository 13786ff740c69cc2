//! Counters of `[counters]`: how often a session did something, for policies (`context.count.NAME`). A counter of a
//! fact that doesn't exist is an error of the settings, so that no policy waits for something that can't happen.

use std::collections::BTreeMap;

use doorward_flows::{Kind, Memory, Step, Table};
use doorward_settings::{Counter, Settings};

/// The declared counters, ready to be read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counting(Vec<(String, Kind, u64)>);

/// Whether every counter counts a fact that there is.
///
/// # Errors
/// Which doesn't, and what there is.
pub(crate) fn check(settings: &Settings) -> Result<(), String> {
    let table = Table::shipped().map_err(|error| error.to_string())?;
    for (name, Counter { fact, .. }) in &settings.counters.0 {
        if table.kind(fact).is_none() {
            let known: Vec<&str> = table.kinds().collect();
            return Err(format!("counters.{name}: `{fact}` is no fact; it is one of {}", known.join(", ")));
        }
    }
    Ok(())
}

impl Counting {
    pub(crate) fn of(settings: &Settings) -> Self {
        let Ok(table) = Table::shipped() else { return Self::default() };
        let counters = settings.counters.0.iter();
        Self(
            counters
                .filter_map(|(name, counter)| {
                    Some((name.clone(), table.kind(&counter.fact)?, counter.within))
                })
                .collect(),
        )
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The values at a call: what ran, what is under way, and the call itself.
    pub(crate) fn values(&self, memory: &Memory, pending: &[&Step], now: &Step) -> BTreeMap<String, i64> {
        let value = |kind: Kind, within: u64| i64::try_from(memory.count(kind, within, pending, now));
        self.0
            .iter()
            .map(|(name, kind, within)| (name.clone(), value(*kind, *within).unwrap_or(i64::MAX)))
            .collect()
    }
}
