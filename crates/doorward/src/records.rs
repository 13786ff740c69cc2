//! The durable record of a service: its log, the permits that wait for an outcome, and the checkpoint that the store
//! has yet to take.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use doorward_core::id::{RecordId, SessionId};
use doorward_core::json::{Object, Value};
use doorward_core::record::{Ledger, LedgerError, NoteRecord, PolicyRecord, Posture, Record, StartRecord};
use doorward_gate::{OpenPermits, Outcomes};
use doorward_ledger::{ArgsKept, Log};
use doorward_settings::{LedgerArgs, Settings};
use jiff::Timestamp;

use crate::anchoring::{Anchoring, Pending};
use crate::door::OpenError;

/// Enclosed sessions that are remembered as recorded; beyond that they may be recorded once more.
const MOST_ENCLOSED: usize = 256;

/// The log with its open permits.
pub struct Records {
    log: Arc<Log>,
    open: Arc<OpenPermits>,
    /// The checkpoint that the store has yet to take.
    pending: Option<Pending>,
    /// Sessions of agents that run inside our sandbox, of which that is recorded.
    enclosed: Mutex<HashSet<SessionId>>,
    /// What came in lately and was no call.
    faults: Mutex<Flood>,
}

impl Records {
    /// Opens the log in a state directory. `sessions` hears what became of calls.
    ///
    /// # Errors
    /// [`OpenError`]: the ledger is damaged, in use, or not the one that is remembered.
    pub(crate) fn open_in(
        state: &Path,
        settings: &Settings,
        anchoring: Anchoring,
        sessions: Arc<dyn Outcomes>,
    ) -> Result<Self, OpenError> {
        let forgotten = anchoring.remember.is_some() && anchoring.known.is_empty();
        let options = doorward_ledger::Options {
            args: match settings.ledger.args {
                LedgerArgs::Redacted => ArgsKept::Redacted,
                LedgerArgs::Digest => ArgsKept::Digest,
                LedgerArgs::None => ArgsKept::None,
            },
            anchors: anchoring.known,
            anchor: anchoring.remember,
            ..doorward_ledger::Options::default()
        };
        let log = Log::open(state.join("ledger"), options)
            .map(Arc::new)
            .map_err(|error| OpenError::Ledger(Box::new(error)))?;
        if forgotten && log.size() > 0 {
            tell_forgotten(&log)?;
        }
        let open = OpenPermits::new(Arc::clone(&log) as Arc<dyn Ledger>, sessions);
        Ok(Self {
            log,
            open,
            pending: anchoring.pending,
            enclosed: Mutex::default(),
            faults: Mutex::default(),
        })
    }

    /// The log.
    #[must_use]
    pub const fn log(&self) -> &Arc<Log> {
        &self.log
    }

    /// The log, as the gate takes it.
    #[must_use]
    pub fn ledger(&self) -> Arc<dyn Ledger> {
        Arc::clone(&self.log) as Arc<dyn Ledger>
    }

    /// Permits without an outcome.
    #[must_use]
    pub const fn open(&self) -> &Arc<OpenPermits> {
        &self.open
    }

    /// Appends a record; resolves to its index when it is durable.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn append(&self, record: Record) -> Result<u64, LedgerError> {
        Ledger::append(&*self.log, record).await
    }

    /// Records that the service started, in this posture.
    pub(crate) fn started(&self, posture: Posture) -> Result<(), LedgerError> {
        self.log.append_blocking(start(posture)).map(drop)
    }

    /// Records, once a session, that its agent runs inside our sandbox.
    pub(crate) async fn enclosed(&self, session: &SessionId) -> Result<(), LedgerError> {
        let known = || self.enclosed.lock().unwrap_or_else(PoisonError::into_inner);
        if known().contains(session) {
            return Ok(());
        }
        self.append(start(Posture::Enclosed)).await?;
        let mut sessions = known();
        if sessions.len() >= MOST_ENCLOSED {
            sessions.clear();
        }
        sessions.insert(session.to_owned());
        Ok(())
    }

    /// Records that the policies `bundle` are in force after `previous`, or that they failed to load. Doesn't wait.
    pub(crate) fn policies(&self, failed: bool, bundle: String, previous: String) {
        let told = self.log.append(Record::Policy(PolicyRecord {
            v: 1,
            id: RecordId::fresh(),
            time: Timestamp::now(),
            event: if failed { "reload_failed" } else { "loaded" }.to_owned(),
            bundle,
            previous,
            by: String::new(),
        }));
        if let Err(error) = told {
            tracing::error!("{error}");
        }
    }

    /// Records what came in and was no call: a malformed request, an event that couldn't be read or judged. Doesn't
    /// wait. Of a flood some are kept and the rest is counted.
    pub fn fault(&self, code: &str, message: &str, from: &[(&str, String)]) {
        let Some(left_out) = self.faults().take(Instant::now()) else { return };
        let mut detail: Object =
            from.iter().map(|(name, value)| ((*name).to_owned(), Value::from(value.clone()))).collect();
        if left_out > 0 {
            detail.insert("left_out_before".to_owned(), Value::from(left_out.to_string()));
        }
        let message: String = doorward_secrets::redact_text(message).chars().take(LONGEST_FAULT).collect();
        self.note(code, message, detail);
    }

    /// Records something worth knowing. Doesn't wait.
    pub(crate) fn note(&self, code: &str, message: String, detail: Object) {
        let kept = self.log.append(Record::Note(NoteRecord {
            v: 1,
            id: RecordId::fresh(),
            time: Timestamp::now(),
            code: code.to_owned(),
            message,
            detail: Some(Value::Object(detail)),
        }));
        if let Err(error) = kept {
            tracing::error!("{error}");
        }
    }

    fn faults(&self) -> MutexGuard<'_, Flood> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes permits that were dropped, and those that waited longer than their limit. To be called every now and
    /// then.
    pub async fn sweep(&self) {
        if let Err(error) = self.open.sweep(Timestamp::now()).await {
            tracing::error!("{error}");
        }
    }

    /// Writes the outcomes that are owed and closes the log.
    pub async fn close(&self) {
        if let Err(error) = self.open.end_all().await {
            tracing::error!("{error}");
        }
        self.log.close();
        if let Some(pending) = &self.pending {
            pending.stored().await;
        }
    }
}

/// Characters kept of what was wrong.
const LONGEST_FAULT: usize = 500;
/// Faults that are kept of one minute.
const FAULTS_A_MINUTE: u32 = 60;

/// Faults of the current minute.
#[derive(Debug, Default)]
struct Flood {
    since: Option<Instant>,
    kept: u32,
    left_out: u64,
}

impl Flood {
    /// Whether one more is kept, with how many weren't since the last one that was.
    fn take(&mut self, now: Instant) -> Option<u64> {
        let over = |since: Instant| now.duration_since(since) >= Duration::from_secs(60);
        if self.since.is_none_or(over) {
            (self.since, self.kept) = (Some(now), 0);
        }
        if self.kept >= FAULTS_A_MINUTE {
            self.left_out = self.left_out.saturating_add(1);
            return None;
        }
        self.kept += 1;
        Some(std::mem::take(&mut self.left_out))
    }
}

fn start(posture: Posture) -> Record {
    Record::Start(StartRecord {
        v: 1,
        id: RecordId::fresh(),
        time: Timestamp::now(),
        posture,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// A ledger with records beside a database that has never heard of it: the database was removed or restored, or the
/// ledger was brought from elsewhere. Older records can't be compared with anything, and the record says so.
fn tell_forgotten(log: &Log) -> Result<(), LedgerError> {
    let message = format!(
        "the database remembers no checkpoint of this ledger, which held {} records when it was opened",
        log.size()
    );
    tracing::warn!("{message} (ledger.unremembered)");
    log.append_blocking(Record::Note(NoteRecord {
        v: 1,
        id: RecordId::fresh(),
        time: Timestamp::now(),
        code: "ledger.unremembered".to_owned(),
        message,
        detail: None,
    }))
    .map(drop)
}
