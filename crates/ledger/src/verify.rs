//! Verifies a whole log: entries against leaves, leaves against tiles, tiles against every signed root, the list of
//! checkpoints for consistency, the journal against both, then the meaning, then anchors and receipts stored
//! elsewhere.
//!
//! Trusts only the verifier key and never writes. The same check, limited to the latest part of the log, decides
//! whether the service may start.

use std::io;
use std::path::Path;

use rayon::prelude::*;

use crate::disk;
use crate::files::{Files, StoredNodes, names, nth_entry};
use crate::journal::{self, JournalFrame, SegmentEnd};
use crate::keeping::{BundleCheck, Kept};
use crate::meaning::Rows;
use crate::note::{Checkpoint, Notes, VerifierKey};
use crate::receipt::Receipt;
use crate::tile::{self, Entries, WIDTH};
use crate::tree::{self, Edge, Hash, root_of};

mod walk;

use walk::{BundleWalk, walk_journal};

/// A checkpoint stored outside the log's directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// The log's name.
    pub origin: String,
    /// Its verifier key, as a vkey line.
    pub vkey: String,
    /// Size of the log at that time.
    pub size: u64,
    /// Root hash at that size.
    pub root: Hash,
}

/// Options of a verification.
#[derive(Debug, Clone, Default)]
pub struct VerifyOptions {
    /// The trusted vkey lines, instead of the one in the directory. Several after a change of keys.
    pub vkeys: Vec<String>,
    /// Checkpoints of this log that are stored elsewhere. A checkpoint of another log means that this log replaced
    /// that one.
    pub anchors: Vec<Anchor>,
    /// Receipts stored by callers, as text.
    pub receipts: Vec<String>,
    /// The hashes of entries below this index are taken from tiles, without reading the entries.
    pub from: u64,
    /// Skips the meaning of records and their content.
    pub structure_only: bool,
    /// Skips the content of records.
    pub skip_contents: bool,
}

/// A finding of the verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Stable code.
    pub code: &'static str,
    /// Index of the first bad record; for `ledger.root_mismatch` and `ledger.fork` a size.
    pub at: Option<u64>,
    /// Explanation.
    pub message: String,
    /// Whether it is only a remark, not damage.
    pub harmless: bool,
}

/// The result of a verification.
#[derive(Debug, Clone, Default)]
pub struct VerifyReport {
    /// The log's name.
    pub origin: String,
    /// Size of the latest signed checkpoint.
    pub size: u64,
    /// Number of entries found, including those in the journal after the checkpoint.
    pub entries: u64,
    /// Largest size covered by a valid checkpoint that matches the entries.
    pub trustworthy: u64,
    /// Number of checkpoints verified.
    pub checkpoints: u64,
    /// Findings, damage first.
    pub faults: Vec<Fault>,
    /// Indices of admitted decisions without an outcome.
    pub open: Vec<u64>,
    /// Number of records with intact content. 0 if contents were skipped.
    pub contents: u64,
    /// Number of records whose content was dropped by retention, as the log announced.
    pub dropped: u64,
    /// Whether the service wrote during the verification.
    pub live: bool,
}

impl VerifyReport {
    /// Whether there is no damage.
    #[must_use]
    pub fn intact(&self) -> bool {
        self.faults.iter().all(|fault| fault.harmless)
    }

    /// The first damage by index; else the first remark.
    #[must_use]
    pub fn first(&self) -> Option<&Fault> {
        self.faults.first()
    }

    /// Adds a damage. Without an index, a second one with the same code adds nothing, so it is skipped.
    pub(crate) fn add(&mut self, code: &'static str, at: impl Into<Option<u64>>, message: impl Into<String>) {
        let at = at.into();
        if at.is_none() && self.faults.iter().any(|fault| fault.code == code) {
            return;
        }
        self.faults.push(Fault { code, at, message: message.into(), harmless: false });
    }

    pub(crate) fn note(
        &mut self,
        code: &'static str,
        at: impl Into<Option<u64>>,
        message: impl Into<String>,
    ) {
        self.faults.push(Fault { code, at: at.into(), message: message.into(), harmless: true });
    }
}

/// Verifies the log in `dir`.
///
/// # Errors
/// If the directory or an existing file in it can't be read. Missing files are findings.
pub fn verify(dir: &Path, options: &VerifyOptions) -> io::Result<VerifyReport> {
    if !dir.is_dir() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let live = disk::options()
        .read(true)
        .open(dir.join(names::LOCK))
        .is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(std::fs::TryLockError::WouldBlock)));
    examine(dir, options, live).map(|examined| examined.report)
}

/// Facts that the writer needs to continue.
pub(crate) struct Examined {
    pub(crate) report: VerifyReport,
    /// The journal's segments as read.
    pub(crate) segments: Vec<journal::Scan>,
    /// Length of the complete notes in the list of checkpoints.
    pub(crate) list_good: usize,
}

pub(crate) fn examine(dir: &Path, options: &VerifyOptions, live: bool) -> io::Result<Examined> {
    let files = Files::new(dir);
    let mut report = VerifyReport { live, ..VerifyReport::default() };
    let keys = keys(&files, options, &mut report)?;
    let (checkpoints, list_good) = checkpoints(&files, &keys, live, &mut report)?;
    report.size = checkpoints.last().map_or(0, |checkpoint| checkpoint.size);
    report.checkpoints = checkpoints.len() as u64;

    let mut walk = BundleWalk::new(&files, &checkpoints, options, report.size);
    walk.run(&mut report)?;
    let mut rows = std::mem::take(&mut walk.rows);
    let mut kept = std::mem::take(&mut walk.kept);
    let segments = walk_journal(&files, &mut report, &mut rows, &mut kept, walk.present)?;
    if walk.contents {
        kept.judge(&mut report);
    }
    if !options.structure_only {
        judge_meaning(&files, &mut report, rows, options.from);
    }
    check_anchors(&files, &keys, options, &mut report);
    // Damage first, in order of index.
    report.faults.sort_by_key(|fault| (fault.harmless, fault.at.is_none(), fault.at));
    Ok(Examined { report, segments, list_good })
}

fn keys(files: &Files, options: &VerifyOptions, report: &mut VerifyReport) -> io::Result<Vec<VerifierKey>> {
    match files.line(names::ORIGIN) {
        Ok(Some(origin)) => report.origin = origin,
        Ok(None) => report.add("ledger.missing_file", None, "origin is missing"),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            report.add("ledger.origin", None, "origin isn't one line of text");
        }
        Err(error) => return Err(error),
    }
    let lines = if options.vkeys.is_empty() {
        match disk::read_if_there(&files.path(names::VKEY))? {
            Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            None => {
                report.add("ledger.missing_file", None, "vkey is missing");
                String::new()
            }
        }
    } else {
        options.vkeys.iter().flat_map(|line| [line, "\n"]).collect()
    };
    let keys: Vec<VerifierKey> = lines.lines().filter_map(VerifierKey::parse).collect();
    if keys.len() != lines.lines().count() || !(lines.is_empty() || lines.ends_with('\n')) {
        report.add("ledger.unknown_key", None, "vkey can't be read");
    } else if keys.iter().any(|key| key.name() != report.origin) {
        report.add("ledger.origin", None, "the key's name isn't the log's origin");
    }
    // If the secret key is readable, it must be the one whose checkpoints are trusted.
    if let Ok(Some(seed)) = disk::read_if_there(&files.path(names::KEY)) {
        let own = <[u8; 32]>::try_from(seed).ok();
        let own = own.map(|seed| crate::note::Key::from_seed(&report.origin, &seed).verifier());
        if !own.is_some_and(|own| keys.contains(&own)) {
            report.add("ledger.unknown_key", None, "key and vkey don't belong together");
        }
    }
    Ok(keys)
}

/// All valid checkpoints of the list, in order, and the length of the list's valid part.
fn checkpoints(
    files: &Files,
    keys: &[VerifierKey],
    live: bool,
    report: &mut VerifyReport,
) -> io::Result<(Vec<Checkpoint>, usize)> {
    // Read the latest first: a service that appends meanwhile then makes the list longer, never shorter than
    // expected.
    let latest = disk::read_if_there(&files.path(names::CHECKPOINT))?;
    let Some(list) = disk::read_if_there(&files.path(names::LIST))? else {
        report.add("ledger.missing_file", None, "checkpoints.log is missing");
        let own = latest.and_then(|note| Checkpoint::open(&note, keys).ok());
        return Ok((own.into_iter().collect(), 0));
    };
    let mut notes = Notes::new(&list);
    let all: Vec<&[u8]> = notes.by_ref().collect();
    let rest = notes.rest().len();
    let opened: Vec<_> = all.par_iter().map(|note| Checkpoint::open(note, keys)).collect();

    let mut good: Vec<Checkpoint> = Vec::with_capacity(opened.len());
    for (number, opened) in opened.into_iter().enumerate() {
        let checkpoint = match opened {
            Ok(checkpoint) => checkpoint,
            Err(error) => {
                report.add(error.code(), None, format!("checkpoint {number} of the list: {error}"));
                continue;
            }
        };
        match good.last() {
            Some(before) if before.size > checkpoint.size => {
                report.add(
                    "ledger.checkpoint_regressed",
                    checkpoint.size,
                    format!("size shrinks at checkpoint {number}"),
                );
            }
            Some(before) if before.size == checkpoint.size && before.root != checkpoint.root => {
                report.add("ledger.fork", checkpoint.size, "two roots are signed for one size");
            }
            _ => good.push(checkpoint),
        }
    }
    compare_latest(latest.as_deref(), &all, &mut good, keys, (live, rest), report);
    Ok((good, list.len().saturating_sub(rest)))
}

/// The file `checkpoint` must equal the last note of the list.
fn compare_latest(
    latest: Option<&[u8]>,
    list: &[&[u8]],
    good: &mut Vec<Checkpoint>,
    keys: &[VerifierKey],
    (live, rest): (bool, usize),
    report: &mut VerifyReport,
) {
    let Some(latest) = latest else {
        report.add("ledger.missing_file", None, "checkpoint is missing");
        return;
    };
    let in_list = list.iter().rposition(|note| *note == latest).map(|at| list.len() - 1 - at);
    let opened = match Checkpoint::open(latest, keys) {
        Ok(opened) => opened,
        Err(error) => return report.add(error.code(), None, format!("checkpoint: {error}")),
    };
    match in_list {
        Some(0) if rest > 0 && !live => {
            report.note("ledger.torn_tail", None, "checkpoints.log ends in an unfinished note");
        }
        Some(0) => {}
        Some(_) if live => good.retain(|checkpoint| checkpoint.size <= opened.size),
        // A crash after writing the list leaves the file one checkpoint behind; the next start repairs that.
        Some(1) => report.note(
            "ledger.checkpoint_regressed",
            opened.size,
            "checkpoint is one behind checkpoints.log",
        ),
        Some(_) => {
            report.add("ledger.checkpoint_regressed", opened.size, "checkpoint is behind checkpoints.log")
        }
        None if good.iter().any(|own| own.size == opened.size && own.root != opened.root) => {
            report.add(
                "ledger.fork",
                opened.size,
                "checkpoint and checkpoints.log sign two roots for one size",
            );
        }
        None if rest > 0 => {
            report.add("ledger.checkpoint_malformed", None, "checkpoints.log ends in a broken note")
        }
        None => {
            report.add("ledger.truncated", opened.size, "checkpoint isn't in checkpoints.log");
            if good.last().is_none_or(|last| last.size < opened.size) {
                good.push(opened);
            }
        }
    }
}

fn judge_meaning(files: &Files, report: &mut VerifyReport, rows: Rows, from: u64) {
    let size = report.size;
    let id = |index: u64| -> Option<Vec<u8>> {
        let entry = entry_at(files, size, index)?;
        crate::skim::skim(&entry).map(|found| found.id.to_vec())
    };
    let faults = rows.judge(|one, other| match (id(one), id(other)) {
        (Some(one), Some(other)) => one == other,
        // One of them lies after the checkpoint: 64 equal bits are enough to report it.
        _ => true,
    });
    let lists = [
        ("ledger.duplicate_id", &faults.duplicate_ids, "id was used before"),
        ("ledger.orphan_outcome", &faults.orphans, "outcome of no earlier decision"),
        ("ledger.duplicate_outcome", &faults.duplicate_outcomes, "the permit had ended before"),
    ];
    for (code, list, message) in lists {
        // If verification begins in the middle, the decision may be before that.
        let known = code != "ledger.orphan_outcome" || from == 0;
        if let Some(first) = list.first().filter(|_| known) {
            report.add(code, *first, message);
        }
    }
    if let Some(first) = faults.regressed.first() {
        report.note(
            "ledger.time_regressed",
            *first,
            format!("time runs backwards, {} times", faults.regressed.len()),
        );
    }
    report.open = faults.open;
}

pub(crate) fn entry_at(files: &Files, size: u64, index: u64) -> Option<Vec<u8>> {
    let number = index / WIDTH;
    let width = size.checked_sub(number * WIDTH)?.min(WIDTH);
    let bundle = files.bundle(number, width).ok()??;
    (index < size).then(|| nth_entry(&bundle, index % WIDTH))?
}

/// Checks anchors and receipts against this log.
fn check_anchors(files: &Files, keys: &[VerifierKey], options: &VerifyOptions, report: &mut VerifyReport) {
    let size = report.size;
    for anchor in &options.anchors {
        if anchor.origin != report.origin {
            let message = format!(
                "the log {} is remembered with {} records; another log is in its place",
                anchor.origin, anchor.size
            );
            report.faults.push(fault("ledger.replaced", None, message));
            continue;
        }
        let known = VerifierKey::parse(&anchor.vkey).is_some_and(|key| keys.contains(&key));
        if !known {
            report.faults.push(fault("ledger.unknown_key", None, "the anchor was made under another key"));
        }
        compare_root(files, size, anchor.size, &anchor.root, "anchor", &mut report.faults);
    }
    for text in &options.receipts {
        let opened = Receipt::parse(text).and_then(|receipt| {
            let checkpoint = Checkpoint::open(receipt.checkpoint.as_bytes(), keys)?;
            Ok((receipt, checkpoint))
        });
        let (receipt, checkpoint) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                report.faults.push(fault(error.code(), None, format!("receipt: {error}")));
                continue;
            }
        };
        if compare_root(files, size, checkpoint.size, &checkpoint.root, "receipt", &mut report.faults)
            && let Some(entry) = entry_at(files, size, receipt.index)
            && let Err(error) = receipt.verify(&entry, keys)
        {
            report.faults.push(fault(error.code(), receipt.index, format!("receipt: {error}")));
        }
    }
}

fn compare_root(files: &Files, size: u64, at: u64, root: &Hash, what: &str, faults: &mut Vec<Fault>) -> bool {
    if at > size {
        faults.push(fault(
            "ledger.rollback",
            size,
            format!("{what} remembers size {at}, the log has {size}"),
        ));
        return false;
    }
    let own = tree::range(&StoredNodes::new(files, size), 0, at);
    let same = own.is_ok_and(|own| own == *root);
    if !same {
        faults.push(fault("ledger.fork", at, format!("{what} remembers another root")));
    }
    same
}

fn fault(code: &'static str, at: impl Into<Option<u64>>, message: impl Into<String>) -> Fault {
    Fault { code, at: at.into(), message: message.into(), harmless: false }
}
