//! The walk over files, and the report it ends in.

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
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Least severity that is reported.
    pub threshold: Severity,
    /// Key of fingerprints; without one they last for this process, and no baseline matches.
    pub key: Option<FingerprintKey>,
    /// Findings accepted before.
    pub baseline: Option<Baseline>,
    /// Whether `doorward:allow` comments count. Never in the agent's path.
    pub allow_comments: bool,
    /// Whether keys, passwords and tokens of no provider count in tests, examples and manuals, too.
    pub samples: bool,
    /// Whether ignore files (`.gitignore`, `.ignore`) are honoured.
    pub ignore_files: bool,
    /// Which paths hold secrets by their names (`.env`): such files are scanned though an ignore file names them.
    /// Folders that are ignored as a whole stay out.
    pub secret_names: fn(&str) -> bool,
    /// Globs of paths left out, as in `.gitignore`.
    pub exclude: Vec<String>,
    /// Whether gzip, tar and zip files are looked into.
    pub archives: bool,
    /// Workers; 0 means one per core, at most eight.
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

/// A file that was done.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'p> {
    /// Its path.
    pub path: &'p Path,
    /// Its bytes.
    pub bytes: u64,
    /// What was found in it.
    pub findings: usize,
}

/// A file that wasn't looked at, or not wholly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Its path.
    pub path: String,
    /// Why.
    pub reason: String,
    /// Whether something may have been missed: makes the scan incomplete.
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

/// What was looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Files looked at.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// What was left out.
    pub skipped: Vec<Skipped>,
}

/// What a scan came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Findings by path, line and column.
    pub findings: Vec<Finding>,
    /// Those that don't count.
    pub suppressed: Vec<Suppressed>,
    /// What was looked at.
    pub stats: Stats,
}

impl Report {
    /// 0 nothing found, 1 findings, 2 incomplete: "nothing found" must not hide what couldn't be read.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        if self.stats.skipped.iter().any(|skipped| skipped.missed) {
            2
        } else {
            u8::from(!self.findings.is_empty())
        }
    }

    /// How many findings don't count because they stand in a test, an example or a manual.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.suppressed.iter().filter(|own| own.is_sample()).count()
    }

    /// How many findings of each type.
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

/// Scans files and folders. `progress` is called from the workers, once a file.
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
    // Where what the walk itself would read can't be read, nothing is ignored: more is looked at rather than less.
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
        let reason =
            "no regular file of at most 1 MiB, so what it ignores is unknown and its folder wasn't scanned";
        total.skip(&file.to_string_lossy(), reason);
    }
    total.settle()
}

/// Scans what a reader gives, as the file `name`. Its length bounds nothing but time.
#[must_use]
pub fn stream(detector: &Detector, reader: impl std::io::Read, name: &str, options: &Options) -> Report {
    let mut report = Report::default();
    match file::scan(detector, reader, name, options, &mut Vec::new()) {
        Ok(scanned) => report.add(name, scanned),
        Err(error) => report.skip(name, &format!("can't be read: {}", error.kind())),
    }
    report.settle()
}

/// One worker's share; handed over when it ends.
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
        // Its folder scans it, whether it is ignored or not; a path that was named stands for itself.
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

/// The files of a folder that hold secrets by their names and aren't excluded. The walk reports a folder that can't
/// be read.
fn named_secrets(folder: &Path, options: &Options, excluded: &Override) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files
        .map(|entry| entry.path())
        .filter(|path| is_named(path, options) && !excluded.matched(path, false).is_ignore())
        .collect()
}

/// Opens a file that was a regular one when the walk saw it. One that was put in its place since, a FIFO without a
/// writer for one, must not keep the scan waiting.
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
