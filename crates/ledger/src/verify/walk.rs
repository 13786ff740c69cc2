//! Walks over entry bundles, content bundles and the journal, hashing every entry again.

use super::*;

/// Walks over bundles and tiles up to the signed size.
pub(super) struct BundleWalk<'a> {
    files: &'a Files,
    checkpoints: &'a [Checkpoint],
    from: u64,
    meaning: bool,
    pub(super) contents: bool,
    size: u64,
    /// The tree built from the entries, and the one built from the stored leaf hashes.
    by_entry: Edge,
    by_tile: Edge,
    /// Roots of full tiles, computed from the entries and from the stored leaf hashes.
    roots: Vec<[Hash; 2]>,
    /// Indices at which entry and stored hash differ, until a signed root shows which is wrong.
    unsettled: Vec<u64>,
    next_checkpoint: usize,
    root_mismatch: bool,
    pub(super) rows: Rows,
    pub(super) kept: Kept,
    /// Number of entries from the start up to the first gap.
    pub(super) present: u64,
}

/// Content of one bundle and its tile.
struct Bundle {
    computed: Vec<Option<Hash>>,
    stored: Vec<Option<Hash>>,
    root: Option<Hash>,
    pub(super) rows: Rows,
    pub(super) kept: Kept,
    has_entries: bool,
    has_tile: bool,
    excess_entries: bool,
    bad_length: bool,
    skipped: bool,
}

impl<'a> BundleWalk<'a> {
    pub(super) fn new(
        files: &'a Files,
        checkpoints: &'a [Checkpoint],
        options: &VerifyOptions,
        size: u64,
    ) -> Self {
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

    pub(super) fn run(&mut self, report: &mut VerifyReport) -> io::Result<()> {
        let bundles = self.size.div_ceil(WIDTH);
        let mut missing: Option<(u64, &'static str)> = None;
        let mut after_missing = false;
        self.settle(report);
        // In parallel, in stretches, so that memory use doesn't grow with the log.
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
        // A partial bundle may have more entries than requested; a full one must not have more than 256.
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

    /// Adds one bundle to both trees and compares with every checkpoint that ends in it.
    fn take(&mut self, bundle: Bundle, first: u64, report: &mut VerifyReport) {
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
        // A shifted bundle is reported where the shift begins instead.
        if bundle.excess_entries
            && self.unsettled.len() == before
            && self.by_entry.root() == self.by_tile.root()
        {
            report.add("ledger.entry_mismatch", end, "bundle holds more than its entries");
        }
        self.rows.join(bundle.rows);
        self.kept.join(bundle.kept);
    }

    /// Compares with the checkpoints of the current size.
    fn settle(&mut self, report: &mut VerifyReport) {
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

    fn flush_unsettled(&mut self, report: &mut VerifyReport, code: &'static str) {
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

    /// Tiles above level 0 must contain the roots of the full tiles below. Differences between entries and leaf
    /// hashes are reported already, so a root that matches either is accepted.
    fn check_upper_tiles(&self, report: &mut VerifyReport) -> io::Result<()> {
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

/// The first index at which the entries, the stored hashes or both are missing.
fn first_missing(bundle: &Bundle, first: u64) -> Option<(u64, &'static str)> {
    if bundle.skipped {
        return (!bundle.has_tile).then_some((first, "tile"));
    }
    let gap = |list: &[Option<Hash>]| list.iter().position(Option::is_none).map(|n| first + n as u64);
    match (gap(&bundle.computed), gap(&bundle.stored)) {
        (None, None) => None,
        (Some(at), None) if !bundle.has_entries => Some((at, "entries")),
        // The missing entry differs from its leaf hash and is reported as such.
        (Some(_), None) => None,
        (None, Some(at)) if !bundle.has_tile => Some((at, "tile")),
        (None, Some(_)) => None,
        (Some(entries), Some(tiles)) => Some((entries.min(tiles), "both")),
    }
}

/// Checks the journal: its signed part must equal the log, and the rest must continue it.
pub(super) fn walk_journal(
    files: &Files,
    report: &mut VerifyReport,
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
        let scan = journal::scan(&bytes, &origin, *first, last, |JournalFrame { index, entry, contents }| {
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
            SegmentEnd::Clean => {}
            SegmentEnd::Torn if live => {}
            SegmentEnd::Torn if scan.next >= size || (scan.good == 0 && scan.first == scan.next) => {
                report.note("ledger.torn_tail", scan.next, "unfinished write at the end of the journal");
            }
            SegmentEnd::Torn | SegmentEnd::Bad => report.add("ledger.bad_frame", scan.next, "frame is broken"),
            SegmentEnd::Gap => report.add("ledger.gap", scan.next, "frame of another index"),
            SegmentEnd::Old => report.add(
                "ledger.old_format",
                scan.next,
                "an earlier version of Doorward wrote this journal and wasn't closed; start and stop that version \
                 once, then this one reads the log",
            ),
        }
        scans.push(scan);
    }
    let Some((begin, end)) = scans.first().zip(scans.last()).map(|(begin, end)| (begin.first, end.next))
    else {
        return Ok(scans);
    };
    if begin > size && !live {
        report.add(
            "ledger.gap",
            size,
            "the journal begins after the end of the signed part, so records are missing",
        );
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
