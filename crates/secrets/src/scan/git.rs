//! Scans git: the changes a commit would add, and every blob of the history once.
//!
//! Runs git (`diff`, `log`, `cat-file --batch`) with all configured external programs disabled.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::walk::{Options, Report};
use super::{file, ignoring};
use crate::detect::Detector;

/// Why git gave no result.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// Git can't be run, or its output read.
    #[error("secrets.git_io: {0}")]
    Io(#[from] std::io::Error),
    /// A file of the repository on which git would block, or which has no end.
    #[error("secrets.git_file: {0}: no regular file, or too long; git can't read this repository")]
    File(std::path::PathBuf),
    /// Git failed.
    #[error("secrets.git_failed: git {command} failed")]
    Failed {
        /// Which command.
        command: &'static str,
    },
}

/// Configuration that overrides the repository's, so that it can't make git run anything: no monitor, hook,
/// external diff, signature check, helper or transport. Driver keys (`diff.X.command`, `diff.X.textconv`) are
/// disabled by options of each command. Source: git-config(1), git 2.51.
const OVERRULED: &[&str] = &[
    "core.quotepath=off",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.gitProxy=",
    "credential.helper=",
    "diff.external=",
    "diff.noprefix=false",
    "gpg.program=false",
    "gpg.ssh.program=false",
    "gpg.x509.program=false",
    "log.showSignature=false",
    "protocol.allow=never",
    // The user may read these files anyway, and none of them is executed.
    "safe.directory=*",
];

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(["--no-pager", "--no-replace-objects"]);
    for pair in OVERRULED {
        command.args(["-c", pair]);
    }
    // Relative entries of the search path would be resolved inside the repository.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let absolute = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    command
        .env_clear()
        .env("PATH", std::env::join_paths(absolute).unwrap_or_default())
        .env("LC_ALL", "C")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Git with a repository's index only. The working tree is hidden, because git would read its `.gitattributes`,
/// which can be a FIFO, and apply them.
fn index_only(repository: &OsStr) -> Command {
    let mut command = git(Path::new("/"));
    command.env("GIT_DIR", repository).env("GIT_WORK_TREE", "/");
    command
}

fn output(mut command: Command, name: &'static str) -> Result<Vec<u8>, GitError> {
    let output = command.stdout(Stdio::piped()).output()?;
    if output.status.success() { Ok(output.stdout) } else { Err(GitError::Failed { command: name }) }
}

/// Finds secrets in lines that the index adds to HEAD. The whole staged file is searched, so that context counts.
///
/// # Errors
/// [`GitError`]; a commit hook must then refuse.
pub fn staged(detector: &Detector, folder: &Path, options: &Options) -> Result<Report, GitError> {
    if let Some(file) = ignoring::unreadable_repository(folder) {
        return Err(GitError::File(file));
    }
    let mut command = git(folder);
    command.args(["rev-parse", "--absolute-git-dir"]);
    let mut repository = output(command, "rev-parse")?;
    while repository.pop_if(|byte| *byte == b'\n').is_some() {}
    let repository = OsStr::from_bytes(&repository);
    let mut command = index_only(repository);
    command.args([
        "diff",
        "--cached",
        "--name-only",
        "-z",
        "--no-ext-diff",
        "--no-textconv",
        "--diff-filter=ACMRT",
    ]);
    let names = output(command, "diff")?;
    let mut report = Report::default();
    let mut buffer = Vec::new();
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let path = String::from_utf8_lossy(name).into_owned();
        let mut command = index_only(repository);
        command
            // As text regardless of attributes: a file marked binary would have no lines.
            .args(["diff", "--cached", "-U0", "--text", "--no-color", "--no-ext-diff", "--no-textconv", "--"])
            .arg(&path);
        let added = added_lines(&output(command, "diff")?);
        let mut command = index_only(repository);
        command.arg("cat-file").arg("blob").arg(format!(":{path}"));
        let Ok(blob) = output(command, "cat-file") else {
            report.skip(&path, "not a blob");
            continue;
        };
        let mut scanned = file::scan(detector, blob.as_slice(), &path, options, &mut buffer)?;
        let touches = |line: usize, end: usize| added.iter().any(|(from, to)| line < *to && end >= *from);
        scanned.findings.retain(|finding| touches(finding.line, finding.end_line));
        scanned.suppressed.retain(|suppressed| touches(suppressed.finding.line, suppressed.finding.end_line));
        report.add(&path, scanned);
    }
    Ok(report.settle())
}

/// Line ranges (half open) of the new side of a diff without context.
fn added_lines(diff: &[u8]) -> Vec<(usize, usize)> {
    let hunk = |line: &[u8]| {
        let text = std::str::from_utf8(line).ok()?.strip_prefix("@@ -")?;
        let new = text.split(' ').nth(1)?.strip_prefix('+')?;
        let (start, count) = new.split_once(',').unwrap_or((new, "1"));
        let (start, count): (usize, usize) = (start.parse().ok()?, count.parse().ok()?);
        Some((start, start + count))
    };
    diff.split(|byte| *byte == b'\n').filter_map(hunk).filter(|(from, to)| to > from).collect()
}

/// Finds secrets in every blob of the history, each searched once and reported with the first commit and path that
/// contain it. `range` as for `git log`; `None` for everything.
///
/// # Errors
/// [`GitError`].
pub fn history(
    detector: &Detector,
    folder: &Path,
    range: Option<&str>,
    options: &Options,
) -> Result<Report, GitError> {
    if let Some(file) = ignoring::unreadable_repository(folder) {
        return Err(GitError::File(file));
    }
    let mut log = git(folder);
    log.args(["log", "--reverse", "--raw", "--no-abbrev", "--no-renames", "--no-show-signature"]);
    log.args(["--no-ext-diff", "--no-textconv", "-m", "--format=commit %H"]);
    match range {
        Some(range) if !range.starts_with('-') => log.arg(range),
        Some(_) => return Err(GitError::Failed { command: "log" }),
        None => log.arg("--all"),
    };
    log.arg("--");
    let log = output(log, "log")?;
    let mut reader = git(folder);
    let mut batch =
        reader.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(mut ask), Some(answer)) = (batch.stdin.take(), batch.stdout.take()) else {
        return Err(GitError::Failed { command: "cat-file" });
    };
    let mut answer = BufReader::with_capacity(64 * 1024, answer);
    let (mut seen, mut report, mut buffer) = (HashSet::new(), Report::default(), Vec::new());
    let mut commit = String::new();
    for line in log.split(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(line);
        if let Some(id) = line.strip_prefix("commit ") {
            id.clone_into(&mut commit);
            continue;
        }
        let Some((meta, path)) = line.strip_prefix(':').and_then(|row| row.split_once('\t')) else {
            continue;
        };
        let Some(blob) = meta.split(' ').nth(3) else { continue };
        let submodule = meta.split(' ').nth(1) == Some("160000");
        if submodule || blob.bytes().all(|byte| byte == b'0') || !seen.insert(blob.to_owned()) {
            continue;
        }
        writeln!(ask, "{blob}")?;
        ask.flush()?;
        let mut header = String::new();
        answer.read_line(&mut header)?;
        let Some(size) = header.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok())
        else {
            report.skip(path, "object is missing");
            continue;
        };
        let mut body = answer.by_ref().take(size);
        let mut scanned = file::scan(detector, &mut body, path, options, &mut buffer)?;
        std::io::copy(&mut body, &mut std::io::sink())?;
        answer.read_exact(&mut [0])?;
        for finding in
            scanned.findings.iter_mut().chain(scanned.suppressed.iter_mut().map(|own| &mut own.finding))
        {
            finding.commit = Some(commit.clone());
        }
        report.add(path, scanned);
    }
    drop(ask);
    batch.wait()?;
    Ok(report.settle())
}
