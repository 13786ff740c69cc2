//! The log as used by the service: opened once, appended to by any thread, signed when closed.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use doorward_core::id::{DecisionId, RecordId};
use doorward_core::record::{LedgerError, NoteRecord, Record, Told};
use doorward_core::{Boxed, Ledger};

use crate::content;
use crate::disk::{Disk, System};
use crate::entry::{ArgsKept, Entry};
use crate::files::{Files, names};
use crate::keeping;
use crate::note::Key;
use crate::publish::{Published, Publisher};
use crate::queue::{Append, Queue, lock};
use crate::recover::{self, OpenError, Recovery};
use crate::tile::WIDTH;
use crate::verify::Anchor;
use crate::writer::{OpenPermits, Writer, closings};

/// Stores a checkpoint outside the log. An error is shown in [`LogHealth`]; the log continues.
pub type Remember = dyn Fn(&Anchor) -> Result<(), String> + Send + Sync;

/// Options of a log.
#[derive(Clone)]
pub struct Options {
    /// Name of a newly created log: `host/path`, no white space, no plus. Default: random.
    pub origin: Option<String>,
    /// Seed of a newly created log's key. Default: random.
    pub seed: Option<[u8; 32]>,
    /// Most records between two checkpoints.
    pub checkpoint_records: u64,
    /// Longest time between two checkpoints while there are new records.
    pub checkpoint_every: Duration,
    /// Most waiting records; further ones are refused with `ledger.overloaded`.
    pub queue: usize,
    /// Longest time for a record to become durable.
    pub deadline: Duration,
    /// Size in bytes after which a journal segment is full.
    pub segment_bytes: u64,
    /// What records contain of the arguments.
    pub args: ArgsKept,
    /// Checkpoints of this log that are stored elsewhere. If the log is missing, older or another one, it isn't
    /// opened.
    pub anchors: Vec<Anchor>,
    /// Stores new checkpoints elsewhere.
    pub anchor: Option<Arc<Remember>>,
    /// Number of latest entries that are verified at start; a log that isn't longer is verified completely.
    pub start_check: u64,
    /// The file system.
    pub disk: Arc<dyn Disk>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            origin: None,
            seed: None,
            checkpoint_records: 4096,
            checkpoint_every: Duration::from_secs(1),
            queue: 4096,
            deadline: Duration::from_secs(5),
            segment_bytes: 16 << 20,
            args: ArgsKept::default(),
            anchors: Vec::new(),
            anchor: None,
            start_check: 262_144,
            disk: Arc::new(System),
        }
    }
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("origin", &self.origin).finish_non_exhaustive()
    }
}

/// State of a log, for health checks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogHealth {
    /// Error of the last write. Appends are refused with `ledger.unwritable` until a write succeeds.
    pub unwritable: Option<String>,
    /// Error of the last checkpoint.
    pub unsigned: Option<String>,
    /// Error of the last attempt to store a checkpoint elsewhere.
    pub unanchored: Option<String>,
    /// Number of durable records.
    pub size: u64,
    /// Number of records covered by the latest checkpoint.
    pub signed: u64,
    /// Number of records waiting to be written.
    pub waiting: usize,
}

/// The result of dropping contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dropped {
    /// Index of the note that announces it. `None` if there was nothing to drop.
    pub index: Option<u64>,
    /// Number of content bundles removed.
    pub bundles: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

/// State shared by the threads of a log.
pub(crate) struct Shared {
    pub(crate) files: Files,
    pub(crate) origin: String,
    pub(crate) vkey: String,
    pub(crate) key: Key,
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) queue: Arc<Queue>,
    pub(crate) durable: AtomicU64,
    pub(crate) published: Published,
    pub(crate) open: Mutex<OpenPermits>,
    pub(crate) anchor: Option<Arc<Remember>>,
    pub(crate) checkpoint_records: u64,
    pub(crate) segment_bytes: u64,
    /// Device and inode of the lock file.
    pub(crate) lock_id: (u64, u64),
    health: Mutex<LogHealth>,
}

impl Shared {
    /// Fails if the log's folder is no longer the one that was opened. Data appended to a deleted file would be lost
    /// when the process ends, and a checkpoint over it would begin a second log.
    pub(crate) fn in_place(&self) -> io::Result<()> {
        match std::fs::symlink_metadata(self.files.path(names::LOCK)) {
            Ok(lock) if (lock.dev(), lock.ino()) == self.lock_id => Ok(()),
            Ok(_) => {
                Err(io::Error::other("ledger.replaced: another log was put in place of the one that is open"))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(io::Error::other("ledger.wiped: the log was removed while the service has it open"))
            }
            Err(error) => Err(error),
        }
    }

    /// Records the result of the last write.
    pub(crate) fn health(&self, error: Option<String>) {
        lock(&self.health).unwritable = error;
    }

    pub(crate) fn publishing(&self, error: Option<String>) {
        lock(&self.health).unsigned = error;
    }

    pub(crate) fn anchoring(&self, error: Option<String>) {
        lock(&self.health).unanchored = error;
    }
}

/// An open log. One per directory and machine; all other processes only read.
pub struct Log {
    shared: Arc<Shared>,
    args: ArgsKept,
    recovery: Recovery,
    threads: Mutex<Option<Threads>>,
}

struct Threads {
    writer: JoinHandle<()>,
    publisher: JoinHandle<()>,
    clock: Arc<ClockStop>,
    /// Held until the end: a second service is refused with `ledger.locked`.
    _lock: File,
}

type ClockStop = (Mutex<bool>, std::sync::Condvar);

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Log").field("origin", &self.shared.origin).field("health", &self.health()).finish()
    }
}

impl Log {
    /// Opens the log in `dir`; creates it if there is none. Verifies the files, removes an incomplete last write, and
    /// closes the permits that a crash left open.
    ///
    /// # Errors
    /// [`OpenError`] with `ledger.locked`, `ledger.unwritable`, or the code of the damage found.
    pub fn open(dir: impl AsRef<Path>, options: Options) -> Result<Self, OpenError> {
        let ready = recover::ready(dir.as_ref(), &options)?;
        let locked = ready.lock.metadata()?;
        let queue = Arc::new(Queue::new(options.queue, options.deadline));
        let shared = Arc::new(Shared {
            files: Files::new(dir.as_ref()),
            vkey: ready.key.verifier().to_string(),
            origin: ready.origin,
            key: ready.key,
            queue,
            durable: AtomicU64::new(ready.next),
            published: Published::starting_at(ready.signed),
            open: Mutex::default(),
            anchor: options.anchor.clone(),
            disk: options.disk,
            checkpoint_records: options.checkpoint_records.max(1),
            segment_bytes: options.segment_bytes,
            lock_id: (locked.dev(), locked.ino()),
            health: Mutex::default(),
        });
        let publisher = Publisher::load(Arc::clone(&shared), ready.signed)
            .map_err(|error| OpenError::new("ledger.missing_file", error.to_string()))?;
        let writer = Writer::new(Arc::clone(&shared), ready.next);
        let every = options.checkpoint_every;
        let clock = Arc::new(ClockStop::default());
        let threads = Threads {
            writer: spawn("ledger-writer", move || writer.run())?,
            publisher: spawn("ledger-publisher", move || publisher.run(every))?,
            clock: Arc::clone(&clock),
            _lock: ready.lock,
        };
        let ticking = Arc::clone(&shared.queue);
        drop(spawn("ledger-clock", move || tick(&ticking, &clock, options.deadline / 4))?);
        let log =
            Self { shared, args: options.args, recovery: ready.recovery, threads: Mutex::new(Some(threads)) };
        log.tell_recovery(ready.open)?;
        Ok(log)
    }

    /// Records the repairs made at start.
    fn tell_recovery(&self, open: OpenPermits) -> Result<(), OpenError> {
        let mut entries = closings(open);
        if self.recovery.torn_bytes > 0 {
            let message = format!("{} bytes of an unfinished write were cut", self.recovery.torn_bytes);
            let note = NoteRecord {
                v: 1,
                id: RecordId::fresh(),
                time: jiff::Timestamp::now(),
                code: "ledger.torn_tail".to_owned(),
                message,
                detail: None,
            };
            entries.extend(Entry::new(Record::Note(note), self.args));
        }
        let refused = |error: LedgerError| OpenError::new("ledger.unwritable", error.to_string());
        let waits: Vec<_> = entries
            .into_iter()
            .map(|entry| self.shared.queue.push(entry, true))
            .collect::<Result<_, _>>()
            .map_err(refused)?;
        waits.into_iter().try_for_each(|wait| wait.wait().map(drop).map_err(refused))
    }

    /// Queues a record; the future resolves to its index once it is on disk.
    ///
    /// # Errors
    /// Immediately, if it can't be queued.
    pub fn append(&self, record: Record) -> Result<Append, LedgerError> {
        self.append_entry(Entry::new(record, self.args)?)
    }

    /// As [`Log::append`], for a record with content: both are durable when the future resolves to an index.
    ///
    /// # Errors
    /// Immediately, if it can't be queued, or the content doesn't match the record.
    pub fn append_with(&self, record: Record, content: Vec<u8>) -> Result<Append, LedgerError> {
        self.append_entry(Entry::with_content(record, self.args, content)?)
    }

    /// As [`Log::append`], for a prepared entry.
    ///
    /// # Errors
    /// Immediately, if it can't be queued.
    pub fn append_entry(&self, entry: Entry) -> Result<Append, LedgerError> {
        self.shared.queue.push(entry, false)
    }

    /// Appends and blocks until the record is durable.
    ///
    /// # Errors
    /// As [`Ledger::append`].
    pub fn append_blocking(&self, record: Record) -> Result<u64, LedgerError> {
        self.append(record)?.wait()
    }

    /// Signs all durable records, and waits for the checkpoint. Returns the signed size.
    ///
    /// # Errors
    /// [`LedgerError::Unwritable`].
    pub fn checkpoint(&self) -> Result<u64, LedgerError> {
        self.shared.published.request().map_err(LedgerError::Unwritable)
    }

    /// Drops the contents of the records below `before`: only whole bundles of 256 signed records. The log announces
    /// that before anything is removed; the records themselves stay. With nothing to drop, it writes nothing and
    /// succeeds.
    ///
    /// # Errors
    /// [`LedgerError::Unwritable`] if the note can't be recorded, or a bundle can't be removed.
    pub fn drop_contents(&self, before: u64, why: &str) -> Result<Dropped, LedgerError> {
        let bundles = before.min(self.shared.published.signed()) / WIDTH;
        let paths = (0..bundles).map(|number| self.shared.files.path(&content::bundle_path(number)));
        let found: Vec<_> =
            paths.filter_map(|path| Some((std::fs::metadata(&path).ok()?.len(), path))).collect();
        if found.is_empty() {
            return Ok(Dropped::default());
        }
        let index = self.append_blocking(keeping::dropping(bundles * WIDTH, why))?;
        let mut dropped = Dropped { index: Some(index), ..Dropped::default() };
        for (bytes, path) in found {
            self.shared.disk.remove(&path).map_err(|error| LedgerError::Unwritable(error.to_string()))?;
            dropped.bundles += 1;
            dropped.bytes += bytes;
        }
        Ok(dropped)
    }

    /// Number of durable records.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.shared.durable.load(Ordering::Acquire)
    }

    /// The log's name.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.shared.origin
    }

    /// The log's verifier key, as a vkey line; verifiers need it.
    #[must_use]
    pub fn vkey(&self) -> &str {
        &self.shared.vkey
    }

    /// A seal by this log's key for a text that is stored elsewhere ([`crate::VerifierKey::knows_seal`]).
    #[must_use]
    pub fn seal(&self, text: &str) -> String {
        self.shared.key.seal(text)
    }

    /// The directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.shared.files.dir
    }

    /// The repairs made at start.
    #[must_use]
    pub const fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    /// Whether a decision's permit is open.
    #[must_use]
    pub fn is_open(&self, decision: &DecisionId) -> bool {
        lock(&self.shared.open).contains_key(decision)
    }

    /// State of the log.
    #[must_use]
    pub fn health(&self) -> LogHealth {
        LogHealth {
            size: self.size(),
            signed: self.shared.published.signed(),
            waiting: self.shared.queue.len(),
            ..lock(&self.shared.health).clone()
        }
    }

    /// Writes all waiting records, closes open permits, records the service's stop (if its start was recorded), and
    /// signs. Later appends are refused. Idempotent.
    pub fn close(&self) {
        let Some(threads) = lock(&self.threads).take() else { return };
        self.shared.queue.close();
        let _ = threads.writer.join();
        self.shared.published.close();
        let _ = threads.publisher.join();
        *lock(&threads.clock.0) = true;
        threads.clock.1.notify_all();
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.close();
    }
}

impl Ledger for Log {
    fn append(&self, record: Record) -> Boxed<'_, Result<u64, LedgerError>> {
        match Self::append(self, record) {
            Ok(append) => Box::pin(append),
            Err(error) => Box::pin(std::future::ready(Err(error))),
        }
    }

    fn append_with(&self, record: Record, content: Vec<u8>) -> Boxed<'_, Result<u64, LedgerError>> {
        match Self::append_with(self, record, content) {
            Ok(append) => Box::pin(append),
            Err(error) => Box::pin(std::future::ready(Err(error))),
        }
    }

    fn append_later(&self, record: Record, told: Told) {
        match Entry::new(record, self.args) {
            Ok(entry) => self.shared.queue.push_later(entry, told),
            Err(error) => told(Err(error)),
        }
    }

    fn is_writable(&self) -> bool {
        lock(&self.shared.health).unwritable.is_none()
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, OpenError> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(run)
        .map_err(|error| OpenError::new("ledger.unwritable", error.to_string()))
}

fn tick(queue: &Queue, stop: &ClockStop, every: Duration) {
    let mut stopped = lock(&stop.0);
    while !*stopped {
        stopped = stop
            .1
            .wait_timeout(stopped, every.max(Duration::from_millis(1)))
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .0;
        queue.expire();
    }
}
