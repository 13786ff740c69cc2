//! Finds what a run left in its writable roots that other programs would run later.
//!
//! A name that exists when a run begins is mounted over. But a directory made inside can hold a repository or an
//! editor's settings of its own, so the roots are searched during the run and when it is over. A new or changed
//! repository that would run programs is quarantined by renaming: git no longer finds it, nothing is lost, and the
//! user can rename it back. Other names that programs read are only reported: tools create them all the time, and
//! the programs that read them (editors, direnv) ask about an unknown folder.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use doorward_paths::{PROTECTED, protection};
use serde::{Deserialize, Serialize};

use crate::git::{config, find, operations};
use crate::report::readable;
use crate::sys::{self, Stat};

const BELOW: u64 = libc::RESOLVE_BENEATH | libc::RESOLVE_NO_SYMLINKS | libc::RESOLVE_NO_MAGICLINKS;
/// Suffix of a quarantined name.
const QUARANTINED: &str = ".quarantined-by-doorward";
/// Limit on names reported for one run.
const MOST: usize = 100;
/// Time limit of a search; what it didn't reach is reported.
const LONGEST_SEARCH: Duration = Duration::from_secs(3);
/// The parts of a git directory that can make git run programs.
const ARMED_BY: &[&str] = &["config", "config.worktree", "commondir", "hooks"];
/// Index of `commondir` among the marks of a git directory; the directory itself has index 0.
const COMMON: usize = 3;
/// Index of `config` among them.
const CONFIG_MARK: usize = 1;

/// A leftover of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Leftover {
    /// Its kind.
    pub code: LeftoverCode,
    /// Where.
    #[serde(serialize_with = "readable::path")]
    pub path: PathBuf,
    /// Why it matters, as a sentence.
    pub message: String,
    /// What it is called now, where it was put out of effect.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "readable::option")]
    pub moved_to: Option<PathBuf>,
}

/// The kind of a leftover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LeftoverCode {
    /// A repository that would run programs; it was quarantined.
    #[serde(rename = "sandbox.repository_quarantined")]
    Quarantined,
    /// A repository that would run programs and either couldn't be quarantined or existed before the run.
    #[serde(rename = "sandbox.repository_armed")]
    Armed,
    /// A file was made or changed that another program will run.
    #[serde(rename = "sandbox.runs_later")]
    RunsLater,
    /// The search stopped before it had seen everything.
    #[serde(rename = "sandbox.unsearched")]
    Unsearched,
}

impl LeftoverCode {
    /// The wire word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Quarantined => "sandbox.repository_quarantined",
            Self::Armed => "sandbox.repository_armed",
            Self::RunsLater => "sandbox.runs_later",
            Self::Unsearched => "sandbox.unsearched",
        }
    }
}

/// State of the roots when the run began.
#[derive(Debug, Default)]
pub(crate) struct Before {
    roots: Vec<Root>,
    since: i128,
    found: BTreeSet<Leftover>,
}

#[derive(Debug)]
struct Root {
    path: PathBuf,
    /// Mounted names, relative to the root: nothing inside can have changed them.
    held: BTreeSet<PathBuf>,
    /// Git directories that existed.
    known: BTreeMap<PathBuf, KnownGit>,
    /// Quarantined paths.
    moved: BTreeSet<PathBuf>,
}

/// A git directory as it was.
#[derive(Debug)]
struct KnownGit {
    marks: Vec<Option<FileIdentity>>,
    config: Option<Vec<u8>>,
}

impl KnownGit {
    fn of(root: &OwnedFd, git: &Path) -> Self {
        Self { marks: marks(root, git), config: Self::config(root, git) }
    }

    fn config(root: &OwnedFd, git: &Path) -> Option<Vec<u8>> {
        config::text(root.as_fd(), &git.join("config")).ok().flatten()
    }

    /// Whether it is unchanged, but for what branches track: git inside may change that.
    fn is_as_before(&self, root: &OwnedFd, git: &Path) -> bool {
        let now = marks(root, git);
        let same = |(at, (before, now))| before == now || at == CONFIG_MARK;
        self.marks.iter().zip(&now).enumerate().all(same)
            && (self.marks.get(CONFIG_MARK) == now.get(CONFIG_MARK)
                || self
                    .config
                    .as_ref()
                    .zip(Self::config(root, git).as_ref())
                    .is_some_and(|(old, new)| config::changes_only_tracking(old, new)))
    }
}

/// Identity of a file: inode, size and time of the last change.
type FileIdentity = (u64, i64, i128);

impl Before {
    /// `since` is the start of the run in file timestamps.
    pub(crate) fn new(since: i128) -> Self {
        Self { since, ..Self::default() }
    }

    /// Adds a writable root with the repositories found in it; `held` are the names that mounts keep unchanged.
    pub(crate) fn add(&mut self, path: &Path, found: &find::Found, held: BTreeSet<PathBuf>) {
        if self.roots.iter().any(|root| path.starts_with(&root.path)) {
            return;
        }
        let mut known = BTreeMap::new();
        if let Ok(root) = open_root(path) {
            let trees = found.trees.iter().map(|tree| tree.join(".git"));
            for git in trees.chain(found.bare.iter().cloned()) {
                if at(&root, &git).is_some() {
                    let was = KnownGit::of(&root, &git);
                    known.insert(git, was);
                }
            }
        }
        self.roots.push(Root { path: path.to_owned(), held, known, moved: BTreeSet::new() });
    }

    /// Marks a protected place that was briefly unprotected: changes there are reported.
    pub(crate) fn lift(&mut self, place: &Path) {
        for root in &mut self.roots {
            if let Ok(below) = place.strip_prefix(&root.path) {
                root.held.remove(below);
            }
        }
    }

    /// Adds a protected name that the run created although it was to stay missing, and that was renamed.
    pub(crate) fn moved(&mut self, place: &Path, to: &Path) {
        let name = place.file_name().unwrap_or_default();
        let message = format!(
            "`{}` is {}. The run created it nevertheless, so it was put out of effect. To use it, rename `{}` back.",
            name.display(),
            why(&name.to_string_lossy()),
            to.display()
        );
        let (code, path, moved_to) = (LeftoverCode::RunsLater, place.to_owned(), Some(to.to_owned()));
        self.found.insert(Leftover { code, path, message, moved_to });
    }

    /// Searches the roots during the run. Git inside may be in the middle of an operation.
    pub(crate) fn look(&mut self) {
        self.search_for(false);
    }

    /// Searches the roots after the run. Also returns what earlier searches of this run found.
    pub(crate) fn search(&mut self) -> Vec<Leftover> {
        self.search_for(true);
        self.found.iter().take(MOST).cloned().collect()
    }

    fn search_for(&mut self, over: bool) {
        let until = Instant::now() + LONGEST_SEARCH;
        for root in &mut self.roots {
            let Ok(place) = open_root(&root.path) else { continue };
            let mut search =
                LeftoverSearch { place, root, since: self.since, until, over, found: Vec::new() };
            search.walk();
            let found = search.found;
            self.found.extend(found);
        }
    }
}

struct LeftoverSearch<'a> {
    place: OwnedFd,
    root: &'a mut Root,
    since: i128,
    until: Instant,
    over: bool,
    found: Vec<Leftover>,
}

impl LeftoverSearch<'_> {
    fn walk(&mut self) {
        // Each directory with the protected name it lies in, if any.
        let mut waiting: Vec<(PathBuf, Option<PathBuf>)> = vec![(PathBuf::new(), None)];
        while let Some((below, inside)) = waiting.pop() {
            if Instant::now() >= self.until {
                let message =
                    "The search for leftovers of the run ended early; not every folder was searched.";
                self.tell(LeftoverCode::Unsearched, Path::new(""), message.to_owned(), None);
                return;
            }
            let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW;
            let opened = sys::open_at(Some(self.place.as_fd()), &below, flags, BELOW);
            let opened = opened.or_else(|error| self.unlocked(&below, error, flags));
            let entries = match opened.and_then(|folder| sys::read_directory(folder.as_fd())) {
                Ok(entries) => entries,
                // It went away meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    let name = below.display();
                    let message =
                        format!("`{name}` couldn't be looked into ({error}), so what lies there wasn't.");
                    self.tell(LeftoverCode::Unsearched, &below, message, None);
                    continue;
                }
            };
            self.repository(&below, &entries);
            for (name, kind) in entries {
                let directory = kind == libc::DT_DIR;
                let special = is_special(&name);
                if special && (name == ".git" || self.root.held.contains(&below.join(&name))) {
                    continue;
                }
                let inside = inside.clone().or_else(|| protected(&below, &name, special));
                if !directory && let Some(protected) = &inside {
                    self.protected(&below.join(&name), protected);
                } else if directory || kind == libc::DT_UNKNOWN {
                    waiting.push((below.join(name), inside));
                }
            }
        }
    }

    /// Opens a folder that its owner may not list: the run can have taken that right away so that nobody looks, while
    /// who knows its content's names still gets there.
    fn unlocked(&self, below: &Path, error: io::Error, flags: i32) -> io::Result<OwnedFd> {
        if error.kind() != io::ErrorKind::PermissionDenied {
            return Err(error);
        }
        let place = sys::open_at(Some(self.place.as_fd()), below, libc::O_PATH | libc::O_NOFOLLOW, BELOW)?;
        let found = sys::stat(place.as_fd())?;
        if !found.is_directory() || found.changed < self.since {
            return Err(error);
        }
        sys::set_mode(place.as_fd(), found.mode | 0o700)?;
        sys::open_at(Some(self.place.as_fd()), below, flags, BELOW)
    }

    /// A file with a protected name, or in a directory of one.
    fn protected(&mut self, file: &Path, protected: &Path) {
        if at(&self.place, file).is_none_or(|found| found.changed < self.since) {
            return;
        }
        let text = protected.to_string_lossy();
        let message = format!("`{text}` was made or changed: {}. Look at it before you use it.", why(&text));
        self.tell(LeftoverCode::RunsLater, protected, message, None);
    }

    /// Checks whether a directory is a repository, and what it would run.
    fn repository(&mut self, below: &Path, entries: &[(OsString, u8)]) {
        let has = |name: &str| entries.iter().any(|(own, _)| own == name);
        if has(".git") {
            self.git(&below.join(".git"), &below.join(".git"));
        } else if has("HEAD") && ((has("objects") && has("refs")) || has("commondir")) {
            // Git ignores a directory without HEAD.
            self.git(below, &below.join("HEAD"));
        }
    }

    /// `git` is a git directory or a file that names one; renaming `effective` disables it.
    fn git(&mut self, git: &Path, effective: &Path) {
        if self.root.moved.contains(git) {
            return;
        }
        if self.root.known.contains_key(git) {
            self.known_repository(git);
            return;
        }
        if !self.is_recent(git) {
            return;
        }
        let Some(reason) = self.reason(git) else { return self.operations(git) };
        match quarantine(&self.place, effective) {
            Ok(moved) => {
                let message = format!(
                    "A repository that the run made or changed was put out of effect, because {reason}. To use it \
                     nevertheless, rename `{}` back.",
                    moved.display()
                );
                // The renamed one is still a git directory.
                self.root.moved.extend([git.to_owned(), moved.clone()]);
                let full = self.root.path.join(&moved);
                self.tell(LeftoverCode::Quarantined, effective, message, Some(full));
            }
            Err(error) => {
                let message = format!(
                    "The run left a repository, and {reason}. It couldn't be renamed ({error}): remove it."
                );
                self.tell(LeftoverCode::Armed, git, message, None);
            }
        }
    }

    /// Checks a repository that existed before. Mounts keep it unchanged, except for a moment after it was removed
    /// or replaced from outside; below the full tier there are no mounts.
    fn known_repository(&mut self, git: &Path) {
        self.operations(git);
        let common = git.join("commondir");
        let had_common =
            self.root.known.get(git).and_then(|known| known.marks.get(COMMON)).is_some_and(Option::is_some);
        // Git never creates a `commondir` in a normal repository, so removing it loses nothing.
        if !had_common
            && at(&self.place, &common).is_some()
            && let Ok(moved) = quarantine(&self.place, &common)
        {
            let message = "A `commondir`, which would make git use the configuration of another directory, was put \
                out of effect.";
            let full = self.root.path.join(moved);
            self.tell(LeftoverCode::Quarantined, &common, message.to_owned(), Some(full));
        }
        if self.root.known.get(git).is_some_and(|before| before.is_as_before(&self.place, git)) {
            return;
        }
        if let Some(reason) = self.reason(git) {
            let message = format!(
                "The repository was changed while the run lasted, and {reason}. Look at it before you use git there."
            );
            self.tell(LeftoverCode::Armed, git, message, None);
        }
    }

    /// Quarantines state that would run a program, or lead outside the root, when git goes on there.
    fn operations(&mut self, git: &Path) {
        let recent = |path: &Path| at(&self.place, path).is_some_and(|found| found.changed >= self.since);
        let mut armed = operations::armed(self.place.as_fd(), git, self.over, &recent);
        armed.extend(self.borrowed(git));
        // A name of which git makes no use.
        let has_gone = |place: &Path| place.to_string_lossy().contains(QUARANTINED);
        armed.retain(|state| !has_gone(&state.place));
        for operations::ArmedState { place, why } in armed {
            let name = place.display();
            let (code, message, moved) = match quarantine(&self.place, &place) {
                Ok(moved) => {
                    let message = format!("`{name}` was put out of effect, because {why}.");
                    (LeftoverCode::Quarantined, message, Some(self.root.path.join(moved)))
                }
                Err(error) => {
                    (LeftoverCode::Armed, format!("`{name}` stays ({error}), and {why}. Remove it."), None)
                }
            };
            self.tell(code, &place, message, moved);
        }
    }

    /// Objects of a repository outside the root, which the run made git use.
    fn borrowed(&self, git: &Path) -> Option<operations::ArmedState> {
        let place = git.join("objects/info/alternates");
        at(&self.place, &place).filter(|found| found.changed >= self.since)?;
        let text = config::text(self.place.as_fd(), &place).ok().flatten().unwrap_or_default();
        let folder = git.join("objects");
        let mut lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let inside = lines.all(|line| self.below(&folder, Path::new(OsStr::from_bytes(line))).is_some());
        let why = "git would read the objects of a repository outside".to_owned();
        (!inside || text.is_empty()).then_some(operations::ArmedState { place, why })
    }

    /// Whether a git directory, or what of it makes git run programs, was changed since the run began.
    fn is_recent(&self, git: &Path) -> bool {
        let recent = |path: &Path| at(&self.place, path).is_some_and(|found| found.changed >= self.since);
        let hooks = git.join("hooks");
        let in_hooks = || {
            let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW;
            let folder = sys::open_at(Some(self.place.as_fd()), &hooks, flags, BELOW).ok();
            let entries =
                folder.and_then(|folder| sys::read_directory(folder.as_fd()).ok()).unwrap_or_default();
            entries.iter().any(|(name, _)| recent(&hooks.join(name)))
        };
        recent(git)
            || recent(&git.join("HEAD"))
            || ARMED_BY.iter().any(|name| recent(&git.join(name)))
            || in_hooks()
            || self.target(git).is_some_and(|target| target.is_none_or(|target| self.is_recent(&target)))
    }

    /// Why git would run programs there, as the end of a sentence.
    fn reason(&self, git: &Path) -> Option<String> {
        match self.target(git) {
            None => config::runs_programs(self.place.as_fd(), git),
            Some(None) => Some("its `.git` leads to a place that can't be judged".to_owned()),
            Some(Some(target)) => {
                let git = self.known(&target).unwrap_or(target);
                // The project's own repository runs what its owner configured, and nothing inside could change
                // that. Another one that existed, such as a bare one among the files of a clone, hasn't been used
                // by git yet.
                let own = git.starts_with(".git") && self.root.known.contains_key(Path::new(".git"));
                if own { None } else { config::runs_programs(self.place.as_fd(), &git) }
            }
        }
    }

    /// Where a `.git` that isn't a directory leads, relative to the root; `Some(None)` if unknown.
    fn target(&self, git: &Path) -> Option<Option<PathBuf>> {
        let found = at(&self.place, git)?;
        if found.is_directory() {
            return None;
        }
        let text = config::text(self.place.as_fd(), git).ok().flatten();
        let written = text.and_then(|text| config::pointed_at(&text));
        Some(written.and_then(|written| self.below(git.parent().unwrap_or(Path::new("")), &written)))
    }

    /// A path as written in `folder`, made relative to the root; `None` if it leads outside.
    fn below(&self, folder: &Path, written: &Path) -> Option<PathBuf> {
        let (mut path, rest) = match written.strip_prefix(&self.root.path) {
            Ok(rest) => (PathBuf::new(), rest),
            Err(_) if written.is_absolute() => return None,
            Err(_) => (folder.to_owned(), written),
        };
        for part in rest.components() {
            match part {
                Component::Normal(name) => path.push(name),
                Component::ParentDir if path.pop() => {}
                Component::CurDir => {}
                _ => return None,
            }
        }
        // An empty path would be the root itself, which can't be a git directory.
        (!path.as_os_str().is_empty()).then_some(path)
    }

    /// The existing git directory whose configuration applies at `target`: a linked working tree uses its
    /// repository's, a submodule its own.
    fn known(&self, target: &Path) -> Option<PathBuf> {
        self.root.known.keys().find_map(|git| {
            let mut parts = target.strip_prefix(git).ok()?.components().map(|part| part.as_os_str());
            match parts.next() {
                None => Some(git.clone()),
                Some(name) if name == "worktrees" => (parts.count() == 1).then(|| git.clone()),
                Some(name) if name == "modules" => parts.next().map(|_| target.to_owned()),
                Some(_) => None,
            }
        })
    }

    fn tell(&mut self, code: LeftoverCode, below: &Path, message: String, moved_to: Option<PathBuf>) {
        let path = self.root.path.join(below);
        if self.found.len() < MOST {
            self.found.push(Leftover { code, path, message, moved_to });
        }
    }
}

/// What reads a protected name, by the path that ends in it.
fn why(path: &str) -> &'static str {
    let row = PROTECTED.iter().find(|row| {
        let names = row.names.join("/");
        let end = path.len().checked_sub(names.len()).and_then(|from| path.get(from..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(&names))
    });
    row.map_or("read by other programs", |row| row.why)
}

fn open_root(path: &Path) -> io::Result<OwnedFd> {
    sys::open_at(None, path, libc::O_PATH | libc::O_DIRECTORY, libc::RESOLVE_NO_SYMLINKS)
}

/// The file at a path below the root, without following a final link.
fn at(root: &OwnedFd, below: &Path) -> Option<Stat> {
    let place = sys::open_at(Some(root.as_fd()), below, libc::O_PATH | libc::O_NOFOLLOW, BELOW).ok()?;
    sys::stat(place.as_fd()).ok()
}

fn marks(root: &OwnedFd, git: &Path) -> Vec<Option<FileIdentity>> {
    let mark = |path: &Path| {
        let found = at(root, path).filter(|found| !found.is_directory() || path.ends_with("hooks"))?;
        Some((found.inode, found.size, found.changed))
    };
    std::iter::once(mark(git)).chain(ARMED_BY.iter().map(|name| mark(&git.join(name)))).collect()
}

/// Renames the file or folder that makes a directory a repository.
pub(crate) fn quarantine(root: &OwnedFd, effective: &Path) -> io::Result<PathBuf> {
    let above = effective.parent().unwrap_or(Path::new(""));
    let name = effective.file_name().ok_or(io::Error::from_raw_os_error(libc::EINVAL))?;
    let folder = sys::open_at(Some(root.as_fd()), above, libc::O_PATH | libc::O_DIRECTORY, BELOW)?;
    for number in 1..=100 {
        let mut fresh = name.to_owned();
        fresh.push(QUARANTINED);
        if number > 1 {
            fresh.push(format!("-{number}"));
        }
        let at = folder.as_fd();
        match sys::rename_between((at, name), (at, &fresh), libc::RENAME_NOREPLACE) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(()) => return Ok(above.join(fresh)),
        }
    }
    Err(io::Error::from_raw_os_error(libc::EEXIST))
}

/// Whether a name could be protected: it begins with a dot, or is one of the few others.
fn is_special(name: &OsStr) -> bool {
    static WITHOUT_DOT: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let first = PROTECTED.iter().filter_map(|row| row.names.first().copied());
        first.filter(|name| !name.starts_with('.')).collect()
    });
    name.as_bytes().first() == Some(&b'.') || WITHOUT_DOT.iter().any(|own| name.eq_ignore_ascii_case(own))
}

/// The protected name that `name` in `folder` is, or lies in, by the table of the paths crate.
fn protected(folder: &Path, name: &OsStr, special: bool) -> Option<PathBuf> {
    let above = folder.file_name().filter(|above| above.as_bytes().first() == Some(&b'.'));
    if !special && above.is_none() {
        return None;
    }
    // Checks the last two components only: those above have been checked before.
    let short = above.map_or_else(|| PathBuf::from(name), |above| Path::new(above).join(name));
    protection(&short.to_string_lossy()).map(|_| folder.join(name))
}

#[cfg(test)]
mod tests;
