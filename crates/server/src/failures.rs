//! Failed authentications: counted for the metrics at once, and told to the ledger in sums, so that whoever tries
//! tokens is on record and can't fill it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::response::Response;

use crate::api::Service;

/// What marks an answer to a failed authentication: `token`, `login`, `passphrase`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Failed(pub(crate) &'static str);

/// How often sums are told.
const EVERY: Duration = Duration::from_secs(2);
/// Kinds and accounts told apart; beyond these only the kind.
const MOST: usize = 64;

/// Failures that aren't told yet, by kind and account.
#[derive(Debug, Default)]
pub(crate) struct Failures {
    waiting: Mutex<BTreeMap<(&'static str, String), u64>>,
}

impl Failures {
    /// Counts one.
    pub(crate) fn count(&self, kind: &'static str, account: &str) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let known = waiting.contains_key(&(kind, account.to_owned()));
        let account = if known || waiting.len() < MOST { account } else { "" };
        let count = waiting.entry((kind, account.to_owned())).or_default();
        *count = count.saturating_add(1);
    }

    fn take(&self) -> BTreeMap<(&'static str, String), u64> {
        std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The kind of failure behind a problem's code.
pub(crate) fn of_code(code: &str) -> Option<Failed> {
    match code {
        "login.used" => Some(Failed("login")),
        "passphrase.wrong" => Some(Failed("passphrase")),
        _ => None,
    }
}

/// The failure an answer tells of.
pub(crate) fn of(response: &Response) -> Option<Failed> {
    response.extensions().get::<Failed>().copied()
}

/// Tells sums to the ledger until the service ends.
pub(crate) async fn tell(service: Arc<Service>) {
    let mut closing = service.closing.clone();
    loop {
        let ends = tokio::select! {
            () = tokio::time::sleep(EVERY) => false,
            _ = closing.wait_for(|closing| *closing) => true,
        };
        let Some(broker) = &service.broker else { return };
        for ((kind, account), count) in service.failures.take() {
            let whose = if account.is_empty() { String::new() } else { format!(" of {account}") };
            let told = format!("{count} failed authentications: {kind}{whose}");
            if let Err(error) = broker.note("authentication_failed", &told).await {
                tracing::error!("{error}");
            }
        }
        if ends {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_summed_by_kind_and_account_and_bounded() {
        let failures = Failures::default();
        for at in 0..1_000 {
            failures.count("token", "");
            failures.count("passphrase", &format!("name-{at}"));
        }
        let taken = failures.take();
        assert!(taken.len() <= MOST + 1);
        assert_eq!(taken.get(&("token", String::new())), Some(&1_000));
        assert_eq!(taken.values().sum::<u64>(), 2_000);
        assert!(failures.take().is_empty());
    }
}
