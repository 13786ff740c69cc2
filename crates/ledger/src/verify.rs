//! Verification of a whole log: entries against leaves, leaves against tiles, tiles against every signed root,
//! the list of checkpoints against itself, the journal against both, then the meaning, then anchors and
//! receipts kept elsewhere.
//!
//! Trusts nothing but the verifier key. Never writes. The same walk, cut to the youngest part of the log,
//! decides whether the service may start.

use std::io;
use std::path::Path;

use rayon::prelude::*;

use crate::disk;
use crate::files::{Files, StoredNodes, names, nth_entry};
use crate::journal::{self, End, Frame};
use crate::keeping::{BundleCheck, Kept};
use crate::meaning::Rows;
use crate::note::{Checkpoint, Notes, VerifierKey};
use crate::receipt::Receipt;
use crate::tile::{self, Entries, WIDTH};
use crate::tree::{self, Edge, Hash, root_of};

/// A remembered checkpoint, kept outside the log's directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// The log's name.
    pub origin: String,
    /// Its verifier key, as a vkey line.
    pub vkey: String,
    /// Size it had.
    pub size: u64,
    /// Root at that size.
    pub root: Hash,
}

/// What to verify against, and how much.
#[derive(Debug, Clone, Default)]
pub struct VerifyOptions {
    /// The vkey line to trust instead of the one in the directory. More than one after a change of keys.
    pub vkeys: Vec<String>,
    /// Checkpoints of this log that are remembered elsewhere. One of another log says that this log was put in that
    /// one's place.
    pub anchors: Vec<Anchor>,
    /// Receipts kept by callers, as text.
    pub receipts: Vec<String>,
    /// Entries below this index are taken from their tiles, unread.
    pub from: u64,
    /// Leave out what the records mean and the content that they name.
    pub structure_only: bool,
    /// Leave out the content that the records name.
    pub skip_contents: bool,
}

/// One thing found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Stable code.
    pub code: &'static str,
    /// Index of the first bad record; for `ledger.root_mismatch` and `ledger.fork` a size.
    pub at: Option<u64>,
    /// In words.
    pub message: String,
    /// Worth knowing, but no damage.
    pub harmless: bool,
}

/// What verification found.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The log's name.
    pub origin: String,
    /// Size of the latest signed checkpoint.
    pub size: u64,
    /// Entries found, those in the journal behind the checkpoint included.
    pub entries: u64,
    /// Largest size that a good checkpoint covers and that agrees with the entries.
    pub trustworthy: u64,
    /// Checkpoints verified.
    pub checkpoints: u64,
    /// What is wrong, the damage first.
    pub faults: Vec<Fault>,
    /// Indices of admitted decisions without an outcome.
    pub open: Vec<u64>,
    /// Records whose content is there and is what they name. 0 where the contents were left out.
    pub contents: u64,
    /// Records whose content was dropped by retention, as the log itself says.
    pub dropped: u64,
    /// The service was writing meanwhile.
    pub live: bool,
}

impl Report {
    /// Whether nothing but harmless things was found.
    #[must_use]
    pub fn intact(&self) -> bool {
        self.faults.iter().all(|fault| fault.harmless)
    }

    /// The first damage, by index; else the first harmless thing.
    #[must_use]
    pub fn first(&self) -> Option<&Fault> {
        self.faults.first()
    }

    /// One damage; a second of the same code at no place of its own says nothing new.
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
/// When the directory or a file in it can't be read at all (not when it isn't there: that is a finding).
pub fn verify(dir: &Path, options: &VerifyOptions) -> io::Result<Report> {
    if !dir.is_dir() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let live = disk::options()
        .read(true)
        .open(dir.join(names::LOCK))
        .is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(std::fs::TryLockError::WouldBlock)));
    examine(dir, options, live).map(|examined| examined.report)
}

/// What the writer needs to go on from.
pub(crate) struct Examined {
    pub(crate) report: Report,
    /// The journal's segments as read.
    pub(crate) segments: Vec<journal::Scan>,
    /// Bytes of the list of checkpoints that are whole notes.
    pub(crate) list_good: usize,
}

pub(crate) fn examine(dir: &Path, options: &VerifyOptions, live: bool) -> io::Result<Examined> {
    let files = Files::new(dir);
    let mut report = Report { live, ..Report::default() };
    let keys = keys(&files, options, &mut report)?;
    let (checkpoints, list_good) = checkpoints(&files, &keys, live, &mut report)?;
    report.size = checkpoints.last().map_or(0, |checkpoint| checkpoint.size);
    report.checkpoints = checkpoints.len() as u64;

    let mut walk = Walk::new(&files, &checkpoints, options, report.size);
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
    // Damage first, and the first by index in front: that is what a reader must see.
    report.faults.sort_by_key(|fault| (fault.harmless, fault.at.is_none(), fault.at));
    Ok(Examined { report, segments, list_good })
}

fn keys(files: &Files, options: &VerifyOptions, report: &mut Report) -> io::Result<Vec<VerifierKey>> {
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
    // Where the secret key can be read it must be the one whose checkpoints are trusted.
    if let Ok(Some(seed)) = disk::read_if_there(&files.path(names::KEY)) {
        let own = <[u8; 32]>::try_from(seed).ok();
        let own = own.map(|seed| crate::note::Key::from_seed(&report.origin, &seed).verifier());
        if !own.is_some_and(|own| keys.contains(&own)) {
            report.add("ledger.unknown_key", None, "key and vkey don't belong together");
        }
    }
    Ok(keys)
}

/// All good checkpoints of the list, in order, and the length of its good part.
fn checkpoints(
    files: &Files,
    keys: &[VerifierKey],
    live: bool,
    report: &mut Report,
) -> io::Result<(Vec<Checkpoint>, usize)> {
    // The latest first: what the service appends to the list meanwhile is then ahead, never behind.
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

/// The file `checkpoint` must be the last of the list.
fn compare_latest(
    latest: Option<&[u8]>,
    list: &[&[u8]],
    good: &mut Vec<Checkpoint>,
    keys: &[VerifierKey],
    (live, rest): (bool, usize),
    report: &mut Report,
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
        // A crash between the list and the file leaves the file one behind; the start puts it right.
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

/// The walk over bundles and tiles up to the signed size.
struct Walk<'a> {
    files: &'a Files,
    checkpoints: &'a [Checkpoint],
    from: u64,
    meaning: bool,
    contents: bool,
    size: u64,
    /// The tree as the entries tell it, and as the stored leaf hashes do.
    by_entry: Edge,
    by_tile: Edge,
    /// Roots of full tiles, as the entries and as the stored leaf hashes tell them.
    roots: Vec<[Hash; 2]>,
    /// Disagreements between entry and stored hash that no signed root has settled yet.
    unsettled: Vec<u64>,
    next_checkpoint: usize,
    root_mismatch: bool,
    rows: Rows,
    kept: Kept,
    /// Entries there are without a break.
    present: u64,
}

/// What one bundle and its tile hold.
struct Bundle {
    computed: Vec<Option<Hash>>,
    stored: Vec<Option<Hash>>,
    root: Option<Hash>,
    rows: Rows,
    kept: Kept,
    has_entries: bool,
    has_tile: bool,
    excess_entries: bool,
    bad_length: bool,
    skipped: bool,
}

impl<'a> Walk<'a> {
    fn new(files: &'a Files, checkpoints: &'a [Checkpoint], options: &VerifyOptions, size: u64) -> Self {
        let from = options.from.min(size) / WIDTH * WIDTH;
        Self {
            files,
            checkpoints,
            from,
            meaning: !options.structure_only,
            contents: !options.structure_only && !options.skip_contents,
            size,
            by_entry: Edge::default(),
            by_tile: Edge::default(),
            roots: Vec::new(),
            unsettled: Vec::new(),
            next_checkpoint: checkpoints.partition_point(|checkpoint| checkpoint.size < from),
            root_mismatch: false,
            rows: Rows::default(),
            kept: Kept::default(),
            present: 0,
        }
    }

    fn run(&mut self, report: &mut Report) -> io::Result<()> {
        let bundles = self.size.div_ceil(WIDTH);
        let mut missing: Option<(u64, &'static str)> = None;
        let mut after_missing = false;
        self.settle(report);
        // Parallel in stretches, so that memory stays flat whatever the size of the log.
        for stretch in (0..bundles).step_by(128) {
            let end = bundles.min(stretch + 128);
            let read: Vec<Bundle> =
                (stretch..end).into_par_iter().map(|number| self.read(number)).collect::<io::Result<_>>()?;
            for (number, bundle) in (stretch..end).zip(read) {
                let first = number * WIDTH;
                after_missing |= missing.is_some() && (bundle.has_entries || bundle.has_tile);
                if missing.is_none() {
                    missing = first_missing(&bundle, first);
                    self.take(bundle, first, report);
                }
            }
            if missing.is_some() && after_missing {
                break;
            }
        }
        self.present = self.size;
        if let Some((at, what)) = missing {
            self.present = at;
            match (after_missing, what) {
                (false, "both") => report.add(
                    "ledger.truncated",
                    at,
                    format!("signed size is {}, entries end here", self.size),
                ),
                (_, "entries") => report.add("ledger.missing_file", at, "entry bundle is missing"),
                (_, "tile") => report.add("ledger.missing_file", at, "tile is missing"),
                _ => report.add("ledger.missing_file", at, "entry bundle and tile are missing"),
            }
            self.flush_unsettled(report, "ledger.entry_mismatch");
            return Ok(());
        }
        self.flush_unsettled(report, "ledger.entry_mismatch");
        self.check_upper_tiles(report)
    }

    fn read(&self, number: u64) -> io::Result<Bundle> {
        let first = number * WIDTH;
        let width = (self.size - first).min(WIDTH);
        if first < self.from {
            let root = StoredNodes::new(self.files, self.size);
            let root = tree::Nodes::subtree(&root, 8, number).ok();
            let present = root.is_some();
            return Ok(Bundle {
                computed: Vec::new(),
                stored: Vec::new(),
                root,
                rows: Rows::default(),
                kept: Kept::default(),
                has_entries: true,
                has_tile: present,
                excess_entries: false,
                bad_length: false,
                skipped: true,
            });
        }
        let entries = self.files.bundle(number, width)?;
        let tile = self.files.tile(0, number, width)?;
        let mut rows = Rows::default();
        let bytes = entries.as_deref().unwrap_or_default();
        let mut kept = Kept::default();
        let contents = if self.contents { self.files.contents(number)? } else { None };
        let mut contents = BundleCheck::new(number, contents.as_deref());
        let mut parts = Entries::new(bytes);
        let mut computed = Vec::with_capacity(width as usize);
        for (index, entry) in (first..first + width).zip(parts.by_ref()) {
            computed.push(Some(tree::leaf(entry)));
            if self.meaning {
                rows.add(index, entry);
            }
            if self.contents {
                contents.take(index, entry, &mut kept);
            }
        }
        contents.end(self.size, &mut kept);
        // A wider partial bundle than asked for is fine; a full one with more than 256 entries isn't.
        let excess = parts.by_ref().take((WIDTH - width) as usize).count() as u64;
        let excess_entries = !parts.rest().is_empty() && (computed.len() as u64 + excess) >= width;
        computed.resize(width as usize, None);
        let hashes = tile.as_deref().unwrap_or_default();
        let mut stored: Vec<_> = tile::hashes(hashes).take(width as usize).map(Some).collect();
        stored.resize(width as usize, None);
        let root = computed.iter().copied().collect::<Option<Vec<Hash>>>().filter(|all| all.len() == 256);
        Ok(Bundle {
            root: root.as_deref().map(root_of),
            computed,
            stored,
            rows,
            kept,
            has_entries: entries.is_some(),
            has_tile: tile.is_some(),
            excess_entries,
            bad_length: hashes.len() % 32 != 0 || hashes.len() > 8192,
            skipped: false,
        })
    }

    /// Takes one bundle into both trees and compares with every checkpoint that ends in it.
    fn take(&mut self, bundle: Bundle, first: u64, report: &mut Report) {
        if bundle.skipped {
            let root = bundle.root.unwrap_or_else(tree::empty);
            self.by_entry.push_subtree(8, root);
            self.by_tile.push_subtree(8, root);
            self.roots.push([root, root]);
            return;
        }
        if bundle.bad_length {
            report.add("ledger.tile_mismatch", first, "tile has a wrong length");
        }
        let before = self.unsettled.len();
        let pairs = || (first..).zip(bundle.computed.iter().zip(&bundle.stored));
        self.unsettled
            .extend(pairs().filter(|(_, (computed, stored))| computed != stored).map(|(index, _)| index));
        let end = first + bundle.computed.len() as u64;
        let checkpoints_inside =
            self.checkpoints.get(self.next_checkpoint).is_some_and(|checkpoint| checkpoint.size < end);
        let either = |first: &Option<Hash>, second: &Option<Hash>| first.or(*second).unwrap_or_default();
        let there = pairs().take_while(|(_, (own, tile))| own.is_some() || tile.is_some()).count();
        let roots = (there == 256).then(|| {
            let same = bundle.root.filter(|_| self.unsettled.len() == before);
            same.map_or_else(
                || {
                    let by_entry: Vec<Hash> = pairs().map(|(_, (own, tile))| either(own, tile)).collect();
                    let by_tile: Vec<Hash> = pairs().map(|(_, (own, tile))| either(tile, own)).collect();
                    [root_of(&by_entry), root_of(&by_tile)]
                },
                |root| [root, root],
            )
        });
        match roots {
            Some([by_entry, by_tile]) if !checkpoints_inside => {
                self.by_entry.push_subtree(8, by_entry);
                self.by_tile.push_subtree(8, by_tile);
                self.settle(report);
            }
            _ => {
                for (_, (computed, stored)) in pairs().take(there) {
                    self.by_entry.push(either(computed, stored));
                    self.by_tile.push(either(stored, computed));
                    self.settle(report);
                }
            }
        }
        self.roots.extend(roots);
        // A bundle that was shifted is reported where that begins.
        if bundle.excess_entries
            && self.unsettled.len() == before
            && self.by_entry.root() == self.by_tile.root()
        {
            report.add("ledger.entry_mismatch", end, "bundle holds more than its entries");
        }
        self.rows.join(bundle.rows);
        self.kept.join(bundle.kept);
    }

    /// Compares with the checkpoints of the size reached.
    fn settle(&mut self, report: &mut Report) {
        while let Some(checkpoint) = self
            .checkpoints
            .get(self.next_checkpoint)
            .filter(|checkpoint| checkpoint.size == self.by_entry.size())
        {
            self.next_checkpoint += 1;
            let entries_agree = self.by_entry.root() == checkpoint.root;
            let tiles_agree = self.by_tile.root() == checkpoint.root;
            match (entries_agree, tiles_agree) {
                (true, true) => report.trustworthy = report.trustworthy.max(checkpoint.size),
                (true, false) => {
                    report.trustworthy = report.trustworthy.max(checkpoint.size);
                    self.flush_unsettled(report, "ledger.tile_mismatch");
                }
                (false, true) => self.flush_unsettled(report, "ledger.entry_mismatch"),
                (false, false) if self.unsettled.is_empty() => {
                    let known = report
                        .faults
                        .iter()
                        .any(|fault| !fault.harmless && fault.at.is_some_and(|at| at < checkpoint.size));
                    if !self.root_mismatch && !known {
                        report.add(
                            "ledger.root_mismatch",
                            checkpoint.size,
                            "entries and tiles agree, the signed root doesn't",
                        );
                    }
                    self.root_mismatch = true;
                }
                (false, false) => self.flush_unsettled(report, "ledger.entry_mismatch"),
            }
        }
    }

    fn flush_unsettled(&mut self, report: &mut Report, code: &'static str) {
        let message = match code {
            "ledger.tile_mismatch" => "stored hash isn't the entry's",
            _ => "entry doesn't hash to its leaf",
        };
        if let Some(first) = self.unsettled.first() {
            let more = self.unsettled.len() - 1;
            let more = if more > 0 { format!(", and {more} more behind it") } else { String::new() };
            report.add(code, *first, format!("{message}{more}"));
        }
        self.unsettled.clear();
    }

    /// The tiles above level 0 must hold the roots of the full tiles below. Where entries and leaf hashes
    /// disagree, that is reported already; a hash that agrees with either is no second fault.
    fn check_upper_tiles(&self, report: &mut Report) -> io::Result<()> {
        let mut below = self.roots.clone();
        for level in 1..tile::LEVELS {
            let mut above = Vec::new();
            for (number, roots) in (0_u64..).zip(below.chunks(256)) {
                let span = 1_u64.checked_shl(8 * u32::from(level)).unwrap_or(0);
                let at = |position: usize| (number * WIDTH + position as u64).saturating_mul(span);
                match self.files.tile(level, number, roots.len() as u64)? {
                    None => {
                        report.add("ledger.missing_file", at(0), format!("tile of level {level} is missing"))
                    }
                    Some(bytes) => {
                        let stored: Vec<Hash> = tile::hashes(&bytes).collect();
                        let fits =
                            |n: usize, own: &[Hash; 2]| stored.get(n).is_some_and(|hash| own.contains(hash));
                        if let Some(position) = roots.iter().enumerate().position(|(n, own)| !fits(n, own)) {
                            let message = format!("stored hash of level {level} is wrong");
                            report.add("ledger.tile_mismatch", at(position), message);
                        } else if bytes.len() % 32 != 0 || bytes.len() > 8192 {
                            report.add(
                                "ledger.tile_mismatch",
                                at(0),
                                format!("tile of level {level} has a wrong length"),
                            );
                        }
                    }
                }
                let root = |side: usize| {
                    root_of(&roots.iter().filter_map(|pair| pair.get(side).copied()).collect::<Vec<_>>())
                };
                above.extend((roots.len() == 256).then(|| [root(0), root(1)]));
            }
            below = above;
        }
        Ok(())
    }
}

/// Where entry, stored hash or both end before they should.
fn first_missing(bundle: &Bundle, first: u64) -> Option<(u64, &'static str)> {
    if bundle.skipped {
        return (!bundle.has_tile).then_some((first, "tile"));
    }
    let gap = |list: &[Option<Hash>]| list.iter().position(Option::is_none).map(|n| first + n as u64);
    match (gap(&bundle.computed), gap(&bundle.stored)) {
        (None, None) => None,
        (Some(at), None) if !bundle.has_entries => Some((at, "entries")),
        // The entry that is missing differs from its leaf, and is reported as that.
        (Some(_), None) => None,
        (None, Some(at)) if !bundle.has_tile => Some((at, "tile")),
        (None, Some(_)) => None,
        (Some(entries), Some(tiles)) => Some((entries.min(tiles), "both")),
    }
}

/// The journal: what it still holds of the signed part must be the same, and what is behind must follow on.
fn walk_journal(
    files: &Files,
    report: &mut Report,
    rows: &mut Rows,
    kept: &mut Kept,
    present: u64,
) -> io::Result<Vec<journal::Scan>> {
    let names = files.segments()?;
    let size = report.size;
    report.entries = present;
    let (origin, live) = (report.origin.clone(), report.live);
    let stored = StoredNodes::new(files, size);
    let mut scans: Vec<journal::Scan> = Vec::new();
    for (position, first) in names.iter().enumerate() {
        let last = position + 1 == names.len();
        let Some(bytes) = disk::read_if_there(&files.segment_path(*first))? else { continue };
        if let Some(before) = scans.last().filter(|before| before.next != *first) {
            report.add(
                "ledger.gap",
                before.next.min(*first),
                "the journal's segments don't follow one another",
            );
        }
        let mut differing = None;
        let scan = journal::scan(&bytes, &origin, *first, last, |Frame { index, entry, contents }| {
            if index >= size {
                rows.add(index, entry);
                kept.check(index, entry, Some(contents).filter(|packed| !packed.is_empty()));
            } else if differing.is_none()
                && tree::Nodes::subtree(&stored, 0, index).is_ok_and(|leaf| leaf != tree::leaf(entry))
            {
                differing = Some(index);
            }
        });
        if let Some(index) =
            differing.filter(|index| !report.faults.iter().any(|fault| fault.at == Some(*index)))
        {
            report.add("ledger.entry_mismatch", index, "journal and tile disagree");
        }
        match scan.end {
            End::Clean => {}
            End::Torn if live => {}
            End::Torn if scan.next >= size || (scan.good == 0 && scan.first == scan.next) => {
                report.note("ledger.torn_tail", scan.next, "unfinished write at the end of the journal");
            }
            End::Torn | End::Bad => report.add("ledger.bad_frame", scan.next, "frame is broken"),
            End::Gap => report.add("ledger.gap", scan.next, "frame of another index"),
            End::Old => report.add(
                "ledger.old_format",
                scan.next,
                "an earlier version of Doorward wrote this journal and wasn't closed; start and stop that version once, \
                 then this one reads the log",
            ),
        }
        scans.push(scan);
    }
    let Some((begin, end)) = scans.first().zip(scans.last()).map(|(begin, end)| (begin.first, end.next))
    else {
        return Ok(scans);
    };
    if begin > size && !live {
        report.add("ledger.gap", size, "the journal begins behind the signed part");
    }
    if end < size && !report.faults.iter().any(|fault| !fault.harmless) {
        report.add("ledger.truncated", end, "the journal ends before the signed size");
    }
    report.entries = report.entries.max(end);
    if rows.stopped && end > size && !live {
        report.add("ledger.unsigned_tail", size, "the log was closed, but its end isn't signed");
    }
    Ok(scans)
}

fn judge_meaning(files: &Files, report: &mut Report, rows: Rows, from: u64) {
    let size = report.size;
    let id = |index: u64| -> Option<Vec<u8>> {
        let entry = entry_at(files, size, index)?;
        crate::skim::skim(&entry).map(|found| found.id.to_vec())
    };
    let faults = rows.judge(|one, other| match (id(one), id(other)) {
        (Some(one), Some(other)) => one == other,
        // One of them is behind the checkpoint: 64 equal bits are enough to report it.
        _ => true,
    });
    let lists = [
        ("ledger.duplicate_id", &faults.duplicate_ids, "id was used before"),
        ("ledger.orphan_outcome", &faults.orphans, "outcome of no earlier decision"),
        ("ledger.duplicate_outcome", &faults.duplicate_outcomes, "the permit had ended before"),
    ];
    for (code, list, message) in lists {
        // With a start in the middle, the decision may lie before it.
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

/// What was kept elsewhere must still be true here.
fn check_anchors(files: &Files, keys: &[VerifierKey], options: &VerifyOptions, report: &mut Report) {
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
