//! The alarm about rows of the store that no service known here sealed: a yes, and in a shared store a role, a pin or
//! the end of a stop. They count for nothing.

use std::time::{Duration, Instant};

use doorward_core::approval::Binding;

use super::{Broker, lock};

impl Broker {
    /// What nobody sealed, for people.
    pub(super) fn forged(&self) -> Option<String> {
        let rows = self.store().forged();
        let rows = (!rows.is_empty()).then(|| unsealed(&rows.into_iter().collect::<Vec<_>>().join("; ")));
        let yes = || lock(&self.alarm).as_ref().map(|(_, why)| why.clone());
        rows.or_else(yes).map(|why| format!("grant.forged: {why}"))
    }

    /// Notes each row that nobody sealed, once.
    pub(super) async fn tell_forged_rows(&self) {
        for row in self.store().forged() {
            if lock(&self.told).insert(row.clone()) {
                let why = unsealed(&row);
                tracing::error!("grant.forged: {why}");
                if let Err(error) = self.note("forged", &why).await {
                    tracing::error!("{error}");
                }
            }
        }
    }

    /// A row of the store says yes to this call, and no service that is known here saw the person: an alarm, at
    /// most once a minute.
    pub(super) async fn tell_forged(&self, binding: &Binding) {
        let why = format!(
            "the store holds a yes to a call of {} ({}) that neither this service nor one of `store.signers` sealed: \
             somebody wrote it there, or another service on the same store isn't listed",
            binding.caller, binding.tool
        );
        let is_new = {
            let mut alarm = lock(&self.alarm);
            let last = alarm.as_ref().map(|(at, _)| at.elapsed());
            *alarm = Some((Instant::now(), why.clone()));
            last.is_none_or(|last| last > Duration::from_secs(60))
        };
        if is_new {
            tracing::error!("grant.forged: {why}");
            if let Err(error) = self.note("forged", &why).await {
                tracing::error!("{error}");
            }
        }
    }
}

fn unsealed(rows: &str) -> String {
    format!(
        "the store says what neither this service nor one of `store.signers` sealed, so it counts for nothing: {rows}"
    )
}
