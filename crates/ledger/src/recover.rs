//! Opening a log: lock, identity, verification, and repair of damage that a crash (and nothing else) can cause.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use doorward_core::Custody;

use crate::disk::{self, Disk};
use crate::files::{Files, names};
use crate::journal::{self, SegmentEnd};
use crate::log::Options;
use crate::note::{Key, valid_name};
use crate::skim::skim;
use crate::sweep::sweep;
use crate::tree;
use crate::verify::{Anchor, Examined, VerifyOptions, VerifyReport, entry_at, examine};
use crate::writer::OpenPermits;

/// Why a log wasn't opened.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{code}: {message}")]
pub struct OpenError {
    /// Stable code.
    pub code: &'static str,
    /// Explanation.
    pub message: String,
    /// The result of verification, if that is the reason.
    pub report: Option<Box<VerifyReport>>,
}

impl OpenError {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), report: None }
    }
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        Self::new("ledger.unwritable", error.to_string())
    }
}

/// The repairs made at start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Bytes of an incomplete last write that were removed from the journal.
    pub torn_bytes: u64,
    /// Number of records after the latest checkpoint.
    pub unsigned: u64,
    /// Number of open permits that were closed.
    pub closed: u64,
    /// Whether the list of checkpoints, or the latest checkpoint, was incomplete.
    pub checkpoint_mended: bool,
}

/// A log that may be written to.
pub(crate) struct Ready {
    pub(crate) lock: File,
    pub(crate) origin: String,
    pub(crate) key: Key,
    pub(crate) signed: u64,
    pub(crate) next: u64,
    pub(crate) open: OpenPermits,
    pub(crate) recovery: Recovery,
}

pub(crate) fn ready(dir: &Path, options: &Options) -> Result<Ready, OpenError> {
    let disk = options.disk.as_ref();
    let files = Files::new(dir);
    disk.make_dir(dir)?;
    let lock = take_lock(&files)?;
    if is_new(&files)? {
        if let Some(anchor) = options.anchors.first() {
            return Err(OpenError::new("ledger.wiped", wiped(anchor)));
        }
        create(&files, disk, options)?;
    }
    let size = latest_size(&files);
    let verify = VerifyOptions {
        anchors: options.anchors.clone(),
        from: size.saturating_sub(options.start_check),
        skip_contents: true,
        ..VerifyOptions::default()
    };
    let examined = examine(dir, &verify, false)?;
    if let Some(fault) = examined.report.first().filter(|fault| !fault.harmless) {
        return Err(OpenError {
            code: fault.code,
            message: fault.message.clone(),
            report: Some(Box::new(examined.report)),
        });
    }
    let mut recovery = Recovery::default();
    mend_journal(&files, disk, &examined, &mut recovery)?;
    mend_checkpoint(&files, disk, &examined, &mut recovery)?;

    let signed = examined.report.size;
    sweep(&files, disk, signed);
    let next = examined.segments.last().map_or(signed, |last| last.next.max(signed));
    recovery.unsigned = next - signed;
    let open = open_permits(&files, &examined)?;
    recovery.closed = open.len() as u64;
    let origin = examined.report.origin;
    let seed = disk::read(&files.path(names::KEY))?;
    let seed = seed.try_into().map_err(|_| OpenError::new("ledger.unknown_key", "key isn't 32 bytes"))?;
    Ok(Ready { lock, key: Key::from_seed(&origin, &seed), origin, signed, next, open, recovery })
}

/// The message for a log that has an anchor elsewhere but is missing.
#[must_use]
pub fn wiped(anchor: &Anchor) -> String {
    format!(
        "the log {} is remembered with {} records; there is no log in its place",
        anchor.origin, anchor.size
    )
}

fn take_lock(files: &Files) -> Result<File, OpenError> {
    let lock = disk::options().create(true).write(true).open(files.path(names::LOCK))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            Err(OpenError::new("ledger.locked", "another service writes this log"))
        }
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Whether nothing was ever signed or written here, or only the very first checkpoint was being made.
fn is_new(files: &Files) -> io::Result<bool> {
    let list = disk::read_if_there(&files.path(names::LIST))?.unwrap_or_default();
    let notes = crate::note::Notes::new(&list).count();
    Ok(notes <= 1
        && !files.path(names::CHECKPOINT).exists()
        && !files.path("tile").exists()
        && files.segments()?.is_empty())
}

fn create(files: &Files, disk: &dyn Disk, options: &Options) -> Result<(), OpenError> {
    let random = || {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)
            .map_err(|error| OpenError::new("ledger.unwritable", error.to_string()))?;
        Ok::<_, OpenError>(bytes)
    };
    let origin = match (&options.origin, files.line(names::ORIGIN)) {
        (_, Ok(Some(origin))) => origin,
        (Some(origin), _) => origin.clone(),
        (None, _) => {
            let tail: String = random()?.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
            format!("doorward.local/ledger/{tail}")
        }
    };
    if !valid_name(&origin) {
        return Err(OpenError::new("ledger.origin", "the origin must be a name without white space or plus"));
    }
    let kept = disk::read_if_there(&files.path(names::KEY))?.and_then(|seed| seed.try_into().ok());
    let seed: [u8; 32] = match kept.or(options.seed) {
        Some(seed) => seed,
        None => random()?,
    };
    let key = Key::from_seed(&origin, &seed);
    disk.make_dir(&files.path(names::JOURNAL))?;
    disk::replace(disk, &files.dir, names::KEY, &seed)?;
    disk::replace(disk, &files.dir, names::VKEY, format!("{}\n", key.verifier()).as_bytes())?;
    disk::replace(disk, &files.dir, names::ORIGIN, format!("{origin}\n").as_bytes())?;
    let note = key.sign(0, &tree::empty());
    disk::replace(disk, &files.dir, names::LIST, format!("{note}\n").as_bytes())?;
    disk::replace(disk, &files.dir, names::CHECKPOINT, note.as_bytes())?;
    Ok(())
}

/// Claimed size of the latest checkpoint, to know how much to verify.
fn latest_size(files: &Files) -> u64 {
    disk::read(&files.path(names::CHECKPOINT))
        .ok()
        .and_then(|note| crate::note::Checkpoint::read_unverified(&note).ok())
        .map_or(0, |checkpoint| checkpoint.size)
}

fn mend_journal(
    files: &Files,
    disk: &dyn Disk,
    examined: &Examined,
    recovery: &mut Recovery,
) -> io::Result<()> {
    disk.make_dir(&files.path(names::JOURNAL))?;
    let Some(last) = examined.segments.last().filter(|last| last.end == SegmentEnd::Torn) else {
        return Ok(());
    };
    let path = files.segment_path(last.first);
    let length = std::fs::metadata(&path)?.len();
    recovery.torn_bytes = length.saturating_sub(last.good as u64).max(1);
    if last.good < journal::HEADER {
        disk.remove(&path)?;
        disk.sync_dir(&files.path(names::JOURNAL))
    } else {
        disk.truncate(&path, last.good as u64)
    }
}

fn mend_checkpoint(
    files: &Files,
    disk: &dyn Disk,
    examined: &Examined,
    recovery: &mut Recovery,
) -> io::Result<()> {
    let list = disk::read(&files.path(names::LIST))?;
    if list.len() > examined.list_good {
        disk.truncate(&files.path(names::LIST), examined.list_good as u64)?;
        recovery.checkpoint_mended = true;
    }
    let last = crate::note::Notes::new(&list).last().unwrap_or_default();
    if disk::read(&files.path(names::CHECKPOINT))? != last {
        disk::replace(disk, &files.dir, names::CHECKPOINT, last)?;
        recovery.checkpoint_mended = true;
    }
    Ok(())
}

/// The admitted decisions without outcome, from their records.
fn open_permits(files: &Files, examined: &Examined) -> io::Result<OpenPermits> {
    let wanted = &examined.report.open;
    let mut open = OpenPermits::new();
    let mut take = |index: u64, entry: &[u8]| {
        if let Some(found) = skim(entry) {
            let custody = match found.custody {
                b"advised" => Custody::Advised,
                b"relayed" => Custody::Relayed,
                _ => Custody::Bound,
            };
            open.insert(String::from_utf8_lossy(found.id).into_owned().into(), (index, custody));
        }
    };
    let size = examined.report.size;
    for index in wanted.iter().copied().filter(|index| *index < size) {
        if let Some(entry) = entry_at(files, size, index) {
            take(index, &entry);
        }
    }
    if wanted.iter().any(|index| *index >= size) {
        for segment in &examined.segments {
            // A segment with an incomplete header was removed above; it contains nothing.
            let path = files.segment_path(segment.first);
            let Some(bytes) = disk::read_if_there(&path)? else { continue };
            journal::scan(&bytes, &examined.report.origin, segment.first, true, |frame| {
                if frame.index >= size && wanted.binary_search(&frame.index).is_ok() {
                    take(frame.index, frame.entry);
                }
            });
        }
    }
    Ok(open)
}
