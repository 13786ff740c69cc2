//! The walk over files, and its report.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use doorward_core::Severity;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{WalkBuilder, WalkState};
use serde::Serialize;

use super::archive;
use super::baseline::Baseline;
use super::file;
use super::finding::Finding;
use super::ignoring;
use crate::detect::Detector;
use crate::mask::FingerprintKey;

/// What to scan and what to report.
#[derive(Debug, Clone)]
pub struct Options {
    /// Files and folders to scan.
    pub paths: Vec<PathBuf>,
    /// Least severity reported.
    pub threshold: Severity,
    /// Key for fingerprints; without one they are valid in this process only, and no baseline matches.
    pub key: Option<FingerprintKey>,
    /// Findings accepted earlier.
    pub baseline: Option<Baseline>,
    /// Whether `doorward:allow` comments count. Never for agents' output.
    pub allow_comments: bool,
    /// Whether keys, passwords and tokens without a provider also count in tests, examples and manuals.
    pub samples: bool,
    /// Whether ignore files (`.gitignore`, `.ignore`) are honoured.
    pub ignore_files: bool,
    /// Recognises files whose names suggest secrets (`.env`): they are scanned even if an ignore file lists them.
    /// Folders that are ignored as a whole stay out.
    pub secret_names: fn(&str) -> bool,
    /// Globs of excluded paths, as in `.gitignore`.
    pub exclude: Vec<String>,
    /// Whether gzip, tar and zip files are scanned inside.
    pub archives: bool,
    /// Number of threads; 0 means one per core, at most eight.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            paths: vec![PathBuf::from(".")],
            threshold: Severity::Medium,
            key: None,
            baseline: None,
            allow_comments: true,
            samples: false,
            ignore_files: true,
            secret_names: |_| false,
            exclude: Vec::new(),
            archives: false,
            threads: 0,
        }
    }
}

/// A scanned file.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'p> {
    /// Its path.
    pub path: &'p Path,
    /// Its size in bytes.
    pub bytes: u64,
    /// Number of findings in it.
    pub findings: usize,
}

/// A file that was skipped or only partly scanned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Its path.
    pub path: String,
    /// The reason.
    pub reason: String,
    /// Whether something may have been missed, which makes the scan incomplete.
    #[serde(skip)]
    pub missed: bool,
}

/// A finding that doesn't count, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suppressed {
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
    /// The reason given.
    pub reason: String,
}

impl Suppressed {
    /// Whether its place is the reason: a test, an example or a manual.
    #[must_use]
    pub fn is_sample(&self) -> bool {
        self.reason == super::place::SAMPLE
    }
}

/// Statistics of a scan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Files scanned.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Skipped files.
    pub skipped: Vec<Skipped>,
}

/// Result of a scan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Findings by path, line and column.
    pub findings: Vec<Finding>,
    /// Findings that don't count.
    pub suppressed: Vec<Suppressed>,
    /// Statistics.
    pub stats: Stats,
}

impl Report {
    /// 0: nothing found; 1: findings; 2: incomplete, because "nothing found" must not hide unreadable files.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        if self.stats.skipped.iter().any(|skipped| skipped.missed) {
            2
        } else {
            u8::from(!self.findings.is_empty())
        }
    }

    /// Number of findings that don't count because they are in a test, an example or a manual.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.suppressed.iter().filter(|own| own.is_sample()).count()
    }

    /// Number of findings of each type.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for finding in &self.findings {
            *counts.entry(finding.slug.as_str()).or_default() += 1;
        }
        counts
    }

    pub(crate) fn add(&mut self, path: &str, scanned: file::Scanned) {
        self.stats.bytes += scanned.bytes;
        if scanned.note != Some("binary") {
            self.stats.files += 1;
        }
        if let Some(note) = scanned.note {
            let missed = note != "binary";
            self.stats.skipped.push(Skipped { path: path.to_owned(), reason: note.to_owned(), missed });
        }
        self.findings.extend(scanned.findings);
        self.suppressed.extend(scanned.suppressed);
    }

    pub(crate) fn skip(&mut self, path: &str, reason: &str) {
        self.stats.skipped.push(Skipped { path: path.to_owned(), reason: reason.to_owned(), missed: true });
    }

    pub(crate) fn settle(mut self) -> Self {
        let order = |finding: &Finding| (finding.file_path.clone(), finding.byte_start);
        self.findings.sort_by_cached_key(order);
        self.suppressed.sort_by_cached_key(|suppressed| order(&suppressed.finding));
        self.stats.skipped.sort_by(|left, right| left.path.cmp(&right.path));
        self
    }

    fn merge(&mut self, other: Self) {
        self.findings.extend(other.findings);
        self.suppressed.extend(other.suppressed);
        self.stats.files += other.stats.files;
        self.stats.bytes += other.stats.bytes;
        self.stats.skipped.extend(other.stats.skipped);
    }
}

/// Scans files and folders. The worker threads call `progress` once per file.
#[must_use]
pub fn run(detector: &Detector, options: &Options, progress: &(dyn Fn(Progress<'_>) + Sync)) -> Report {
    let total = Mutex::new(Report::default());
    let [first, rest @ ..] = options.paths.as_slice() else { return Report::default() };
    let mut walk = WalkBuilder::new(first);
    for path in rest {
        walk.add(path);
    }
    let workers = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, |cores| cores.get().min(8)),
        threads => threads,
    };
    // If an ignore file can't be read safely, ignore rules are switched off: rather scan more than less.
    let above = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let all_ordinary = options
        .paths
        .iter()
        .map(above)
        .all(|path| path.ancestors().all(|folder| ignoring::unreadable(folder).is_none()));
    let ignores = options.ignore_files && all_ordinary;
    let left_out = Arc::<Mutex<Vec<PathBuf>>>::default();
    let noted = Arc::clone(&left_out);
    walk.hidden(false)
        .ignore(ignores)
        .git_ignore(ignores)
        .git_exclude(ignores)
        .git_global(ignores)
        .parents(ignores)
        .require_git(false)
        .follow_links(false)
        .threads(workers)
        .filter_entry(move |entry| {
            let is_folder = ignores && entry.file_type().is_some_and(|kind| kind.is_dir());
            if let Some(file) = is_folder.then(|| ignoring::unreadable(entry.path())).flatten() {
                noted.lock().unwrap_or_else(PoisonError::into_inner).push(file);
                return false;
            }
            entry.file_name() != ".git" || entry.depth() == 0
        });
    let mut overrides = OverrideBuilder::new(first);
    for glob in &options.exclude {
        if overrides.add(&format!("!{glob}")).is_err() {
            let mut report = Report::default();
            report.skip(glob, "not a glob");
            return report;
        }
    }
    let excluded = overrides.build().unwrap_or_else(|_| Override::empty());
    walk.overrides(excluded.clone());
    walk.build_parallel().run(|| {
        let mut worker = Worker { own: Report::default(), buffer: Vec::new(), total: &total };
        let excluded = excluded.clone();
        Box::new(move |entry| {
            worker.entry(detector, options, &excluded, entry, progress);
            WalkState::Continue
        })
    });
    let mut total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    for file in left_out.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let reason = "not a regular file of at most 1 MiB, so its ignore rules are unknown and its folder wasn't \
            scanned";
        total.skip(&file.to_string_lossy(), reason);
    }
    total.settle()
}

/// Scans the content of a reader as the file `name`. A long input takes only time.
#[must_use]
pub fn stream(detector: &Detector, reader: impl std::io::Read, name: &str, options: &Options) -> Report {
    let mut report = Report::default();
    match file::scan(detector, reader, name, options, &mut Vec::new()) {
        Ok(scanned) => report.add(name, scanned),
        Err(error) => report.skip(name, &format!("can't be read: {}", error.kind())),
    }
    report.settle()
}

/// Results of one thread; merged when it ends.
struct Worker<'t> {
    own: Report,
    buffer: Vec<u8>,
    total: &'t Mutex<Report>,
}

impl Worker<'_> {
    fn entry(
        &mut self,
        detector: &Detector,
        options: &Options,
        excluded: &Override,
        entry: Result<ignore::DirEntry, ignore::Error>,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                self.own.skip(&path_of(&error), "can't be read");
                return;
            }
        };
        if entry.file_type().is_some_and(|kind| kind.is_dir()) {
            for path in named_secrets(entry.path(), options, excluded) {
                self.file(detector, options, &path, progress);
            }
            return;
        }
        // Scanned with its folder, whether ignored or not; a path given by the user is scanned itself.
        let done = entry.depth() > 0 && is_named(entry.path(), options);
        if entry.file_type().is_some_and(|kind| kind.is_file()) && !done {
            self.file(detector, options, entry.path(), progress);
        }
    }

    fn file(
        &mut self,
        detector: &Detector,
        options: &Options,
        path: &Path,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) {
        let shown = path.strip_prefix("./").unwrap_or(path).to_string_lossy().replace('\\', "/");
        let (before, found) = (self.own.stats.bytes, self.own.findings.len());
        let done = open(path).and_then(|opened| {
            if options.archives
                && archive::scan(detector, &opened, &shown, options, &mut self.own, &mut self.buffer)?
            {
                return Ok(());
            }
            let scanned = file::scan(detector, opened, &shown, options, &mut self.buffer)?;
            self.own.add(&shown, scanned);
            Ok(())
        });
        if let Err(error) = done {
            self.own.skip(&shown, &format!("can't be read: {}", error.kind()));
        }
        let bytes = self.own.stats.bytes - before;
        progress(Progress { path, bytes, findings: self.own.findings.len() - found });
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        let own = std::mem::take(&mut self.own);
        self.total.lock().unwrap_or_else(PoisonError::into_inner).merge(own);
    }
}

fn is_named(path: &Path, options: &Options) -> bool {
    (options.secret_names)(&path.to_string_lossy())
}

/// Files of a folder whose names suggest secrets and that aren't excluded. The walk reports an unreadable folder.
fn named_secrets(folder: &Path, options: &Options, excluded: &Override) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files
        .map(|entry| entry.path())
        .filter(|path| is_named(path, options) && !excluded.matched(path, false).is_ignore())
        .collect()
}

/// Opens a file that was a regular one during the walk. If it was replaced since, for example by a FIFO without a
/// writer, the scan must not block.
pub(super) fn open(path: &Path) -> std::io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY);
    let opened = options.open(path)?;
    if opened.metadata()?.is_file() { Ok(opened) } else { Err(std::io::ErrorKind::InvalidInput.into()) }
}

fn path_of(error: &ignore::Error) -> String {
    match error {
        ignore::Error::WithPath { path, .. } => path.to_string_lossy().into_owned(),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => "?".to_owned(),
    }
}
