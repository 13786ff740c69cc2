//! A gateway without a service: a door with a durable record of its own, pins in the user's own store, and the client's
//! dialog as the only place where a person is asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use doorward_core::Boxed;
use doorward_core::approval::{Answer, Approver, Ask, Binding, Grant, Presence, Reach};
use doorward_core::finding::Severity;
use doorward_core::id::{QuestionId, RecordId};
use doorward_core::record::{ApprovalEvent, ApprovalRecord, Record, UserDecision};
use doorward_store::{Stamp, Store};
use jiff::{SignedDuration, Timestamp};

use super::calls::{self, asked};
use super::gatekeeper::Gatekeeper;
use super::{Came, Finished, Offered, Offering, Refused, Said, Seeing, Seen, watch};
use crate::door::{Door, OpenError};
use crate::hook::Peer;
use crate::installation::Options;
use crate::service::store_of;

/// How long a yes in the client's dialog is good for: the call enters the gate again at once.
const GOOD: SignedDuration = SignedDuration::from_secs(60);

/// A gateway's own gate.
pub struct Own {
    door: Arc<Door>,
    store: Store,
    dialog: Arc<Dialog>,
    /// State of the store when the stops were read last. Held while they are read and taken over: two that do so at
    /// once could put an older state over a newer one, and so undo a stop.
    stops_of: tokio::sync::Mutex<Option<Stamp>>,
}

impl Own {
    /// Opens a record in a folder of its own, and the store in the state folder of the service that doesn't run.
    ///
    /// # Errors
    /// As [`Door::open`]; or the store can't be opened.
    pub async fn open(service: &Options, own: Options) -> Result<Self, OpenError> {
        let state = service.state.clone().unwrap_or_default();
        let unwritable = |source| OpenError::State { path: state.clone(), source };
        use std::os::unix::fs::DirBuilderExt as _;
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&state).map_err(unwritable)?;
        let (place, _) = store_of(&state, service);
        let store = if place.contains("://") {
            Store::open(&place).await?
        } else {
            Store::open_file(place.as_ref()).await?
        };
        let dialog = Arc::<Dialog>::default();
        let door = Door::open_with(own, Arc::clone(&dialog) as Arc<dyn Approver>)?;
        Ok(Self { door, store, dialog, stops_of: tokio::sync::Mutex::default() })
    }

    /// The door.
    #[must_use]
    pub const fn door(&self) -> &Arc<Door> {
        &self.door
    }

    /// As [`watch::seen`].
    ///
    /// # Errors
    /// [`Refused`].
    pub async fn seen(&self, seeing: &Seeing) -> Result<Vec<Seen>, Refused> {
        let project = self.door.project(Some(seeing.cwd.as_ref()));
        watch::seen(&self.store, project.settings(), seeing).await
    }

    /// As [`calls::offer`].
    ///
    /// # Errors
    /// [`Refused`].
    pub async fn offer(&self, offering: Offering) -> Result<Offered, Refused> {
        self.take_stops().await?;
        calls::offer(&self.door, &self.store, own_process(), offering).await
    }

    /// What a person stopped is in the shared store, also where a service was started after this gateway. Where that
    /// can't be read, something may have been stopped, and nothing passes.
    async fn take_stops(&self) -> Result<(), Refused> {
        let mut read = self.stops_of.lock().await;
        let stamp = self.store.stamp();
        if stamp.is_some() && *read == stamp {
            return Ok(());
        }
        let stored = self.store.stops().await.map_err(|error| {
            let why = format!("it can't be read whether a person stopped this: {error}");
            Refused::new("kill_switch.unknown", why)
        })?;
        let own = self.door.approvals().stops();
        for scope in own.all().into_keys().filter(|scope| stored.iter().all(|stop| stop.scope != *scope)) {
            own.lift(&scope);
        }
        for stop in stored {
            own.stop(&stop.scope, &stop.by);
        }
        *read = stamp;
        Ok(())
    }

    /// Takes the word of the client's dialog, and records it.
    ///
    /// # Errors
    /// [`Refused`]: no such question, or the answer can't be recorded.
    pub async fn answered(&self, said: &Said) -> Result<(), Refused> {
        let unknown = || Refused::new("mcp.question", "there is no such question, or it lapsed");
        let ask = self.dialog.questions().remove(&said.question).ok_or_else(unknown)?;
        if !matches!(asked(&ask, &self.door.settings()), Offered::Asked { by_client: true, .. }) {
            return Err(Refused::new(
                "mcp.question",
                "this question isn't one that a client's dialog answers",
            ));
        }
        let by = Gatekeeper::of(&self.door, own_process(), None)?.user;
        let event = ApprovalEvent::Answered;
        let decision = if said.yes { UserDecision::Allowed } else { UserDecision::Denied };
        self.record(&ask, event, Some(decision), Some(Presence::ClientDialog), &by).await?;
        if said.yes {
            self.dialog.yes().push(grant(&ask, &by));
        }
        Ok(())
    }

    /// Nobody waits for this question any longer.
    pub async fn withdrawn(&self, question: &str) {
        let ask = self.dialog.questions().remove(question);
        if let Some(ask) = ask
            && let Err(error) = self.record(&ask, ApprovalEvent::Cancelled, None, None, "").await
        {
            tracing::error!("{error}");
        }
    }

    /// As [`calls::ended`].
    ///
    /// # Errors
    /// [`Refused`].
    pub async fn ended(&self, finished: Finished) -> Result<(), Refused> {
        calls::ended(&self.door, own_process(), finished).await
    }

    /// As [`calls::came`].
    ///
    /// # Errors
    /// [`Refused`].
    pub fn came(&self, came: &Came) -> Result<(), Refused> {
        calls::came(&self.door, own_process(), came)
    }

    async fn record(
        &self,
        ask: &Ask,
        event: ApprovalEvent,
        decision: Option<UserDecision>,
        presence: Option<Presence>,
        by: &str,
    ) -> Result<(), Refused> {
        let records =
            self.door.records().ok_or_else(|| Refused::new("ledger.none", "nothing is recorded"))?;
        let record = ApprovalRecord {
            v: 1,
            id: RecordId::fresh(),
            time: Timestamp::now(),
            of: ask.decision.clone(),
            event,
            decision,
            by: by.to_owned(),
            presence,
            level: ask.confirm.level,
            via: "mcp".to_owned(),
        };
        let kept = records.append(Record::Approval(record)).await;
        kept.map(drop).map_err(|error| Refused::new(error.code(), error.to_string()))
    }
}

fn own_process() -> Peer {
    Peer { uid: rustix::process::getuid().as_raw(), pid: i32::try_from(std::process::id()).ok() }
}

fn grant(ask: &Ask, by: &str) -> Grant {
    let now = Timestamp::now();
    Grant {
        nonce: ask.id.to_string(),
        binding: ask.binding.clone(),
        level: ask.confirm.level.max(1),
        by: by.to_owned(),
        by_groups: Vec::new(),
        presence: Presence::ClientDialog,
        at: now,
        expires: now.checked_add(GOOD).unwrap_or(now),
        reach: Reach::Once,
        uses_left: Some(1),
    }
}

/// Questions that the client's dialog may answer, and its yeses until their calls come again.
#[derive(Default)]
struct Dialog {
    questions: Mutex<HashMap<QuestionId, Ask>>,
    yes: Mutex<Vec<Grant>>,
}

impl Dialog {
    fn questions(&self) -> MutexGuard<'_, HashMap<QuestionId, Ask>> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn yes(&self) -> MutexGuard<'_, Vec<Grant>> {
        self.yes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Approver for Dialog {
    fn ask<'a>(&'a self, ask: &'a Ask) -> Boxed<'a, Result<(), String>> {
        self.questions().insert(ask.id.clone(), ask.clone());
        Box::pin(std::future::ready(Ok(())))
    }

    fn wait<'a>(&'a self, _: &'a QuestionId, _: Timestamp) -> Boxed<'a, Answer> {
        Box::pin(std::future::ready(Answer::NoApprover))
    }

    fn redeem<'a>(&'a self, binding: &'a Binding, _: Severity, now: Timestamp) -> Boxed<'a, Option<Grant>> {
        let mut yes = self.yes();
        yes.retain(|grant| grant.expires > now);
        let fits = yes.iter().position(|grant| grant.mismatch(binding, now).is_none());
        let grant = fits.map(|at| yes.swap_remove(at));
        Box::pin(std::future::ready(grant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::installation::Options;

    /// Each round a person stops everything, while calls arrive. Once one call was refused for it, all that come after
    /// are, and the stop stays after the last of them.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn a_stop_that_comes_while_calls_arrive_is_not_undone_by_one_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let service = Options::usual(folder.path());
        let own = Options::usual(&folder.path().join("own"));
        let gate = Arc::new(Own::open(&service, own).await.unwrap());
        let (place, _) = store_of(folder.path(), &service);
        let person = Store::open_file(place.as_ref()).await.unwrap();
        for round in 0..60 {
            let calls: Vec<_> = (0..8)
                .map(|_| {
                    let gate = Arc::clone(&gate);
                    tokio::spawn(async move {
                        for _ in 0..4 {
                            gate.take_stops().await.unwrap();
                        }
                    })
                })
                .collect();
            person.stop("all", "ana", "").await.unwrap();
            gate.take_stops().await.unwrap();
            for _ in 0..20 {
                let stops = gate.door.approvals().stops().all();
                assert!(stops.contains_key("all"), "round {round}: the stop is gone");
                tokio::task::yield_now().await;
            }
            for call in calls {
                call.await.unwrap();
            }
            assert!(gate.door.approvals().stops().all().contains_key("all"), "round {round}: it was undone");
            person.lift("all").await.unwrap();
            gate.take_stops().await.unwrap();
        }
    }
}
