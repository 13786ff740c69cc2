//! Writes git's state on behalf of a program inside, which sees the git directory read-only.
//!
//! The seccomp filter notifies the keeper of calls that open a file for writing, rename, remove, or make a
//! directory. A call on a state file of a known git directory ([`names`](super::names)) is carried out here, on
//! descriptors of that directory and without following links, and the caller gets the result. The kernel carries
//! out every other call unchanged. So protection doesn't depend on this code: if a path changes after it was read
//! here, the mount is still read-only.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::config;
use super::names::{self, FileAccess};
use crate::plan::PinnedPlace;
use crate::sys::{self, Notification};

const BELOW: u64 = libc::RESOLVE_BENEATH | libc::RESOLVE_NO_SYMLINKS | libc::RESOLVE_NO_MAGICLINKS;
/// The file that says what git runs.
const CONFIG: &str = "config";
const LONGEST: usize = libc::PATH_MAX as usize;
/// The low half of a register that holds `AT_FDCWD`.
pub(crate) const HERE: u32 = libc::AT_FDCWD as u32;
/// Flags of `open(2)` that can write.
pub(crate) const WRITES: i32 = libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC;

/// The broker's answer to a call.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The kernel carries it out as it is.
    GoOn,
    /// The kernel carries it out, and a mount will refuse it; holds the path of the attempted write.
    Withheld(PathBuf),
    /// It was carried out here: 0 or an errno.
    Done(i32),
    /// It was carried out here: an open file, closed on exec or not.
    Opened(OwnedFd, bool),
}

/// A git directory whose state the keeper writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Served {
    pub(crate) git: PinnedPlace,
}

#[derive(Debug)]
struct Repository {
    path: PathBuf,
    place: OwnedFd,
    owner: (u32, u32),
}

/// All git directories whose state the keeper writes in one run.
#[derive(Debug)]
pub(crate) struct Broker {
    repositories: Vec<Repository>,
    /// Places that mounts keep unchanged.
    held: Vec<PathBuf>,
    own: (u32, u32),
}

/// A decoded system call. Paths are absolute and the same inside and on the host.
#[derive(Debug, PartialEq, Eq)]
enum Request {
    Open { path: PathBuf, flags: i32, mode: u32 },
    Rename { from: PathBuf, to: PathBuf, flags: u32 },
    Remove { path: PathBuf, directory: bool },
    MakeDirectory { path: PathBuf, mode: u32 },
    SetMode { path: PathBuf, mode: u32 },
}

impl Broker {
    /// Opens the git directories of a plan. One that was replaced since then isn't served: it stays read-only.
    pub(crate) fn open(served: &[Served], held: Vec<PathBuf>) -> Self {
        let repositories = served
            .iter()
            .filter_map(|served| {
                let path = served.git.path.path();
                let flags = libc::O_PATH | libc::O_DIRECTORY;
                let place = sys::open_at(None, &path, flags, libc::RESOLVE_NO_SYMLINKS).ok()?;
                let found = sys::stat(place.as_fd()).ok()?;
                let same = (found.device, found.inode) == (served.git.device, served.git.inode);
                same.then_some(Repository { path, place, owner: (served.git.uid, served.git.gid) })
            })
            .collect();
        Self { repositories, held, own: sys::ids() }
    }

    /// Carries out a call on a served git directory. `holds` says whether the caller still waits, which proves that
    /// the memory read was the caller's.
    pub(crate) fn answer(&self, call: &Notification, holds: impl Fn() -> bool) -> Answer {
        let Some(request) = request(call) else { return Answer::GoOn };
        if !self.concerns(&request) {
            let held = self.withheld(&request).filter(|_| holds());
            return held.map_or(Answer::GoOn, Answer::Withheld);
        }
        if !holds() {
            return Answer::GoOn;
        }
        let mask = match request {
            Request::Open { .. } | Request::MakeDirectory { .. } => umask(call.pid),
            Request::Rename { .. } | Request::Remove { .. } | Request::SetMode { .. } => 0,
        };
        match self.carry_out(&request, mask) {
            Ok(Answer::GoOn) => self.withheld(&request).map_or(Answer::GoOn, Answer::Withheld),
            Ok(answer) => answer,
            Err(error) => Answer::Done(error.raw_os_error().unwrap_or(libc::EIO)),
        }
    }

    /// The protected place that a call tries to change, judged by its path text alone.
    fn withheld(&self, request: &Request) -> Option<PathBuf> {
        let (path, other) = match request {
            Request::Open { path, .. }
            | Request::Remove { path, .. }
            | Request::MakeDirectory { path, .. }
            | Request::SetMode { path, .. } => (path, None),
            Request::Rename { from, to, .. } => (to, Some(from)),
        };
        let is_held = |path: &&PathBuf| {
            let closed = |below| names::file(below) == FileAccess::Closed && !names::directory(below);
            self.held.iter().any(|place| path.starts_with(place))
                || self.find(path).is_some_and(|(_, below)| closed(below))
        };
        let path = std::iter::once(path).chain(other).find(is_held)?;
        // Git writes the lock file first; report the file that the lock is for.
        let name = path.to_str().and_then(|path| path.strip_suffix(".lock"));
        Some(name.map_or_else(|| path.clone(), PathBuf::from))
    }

    fn concerns(&self, request: &Request) -> bool {
        match request {
            Request::Open { path, .. }
            | Request::Remove { path, .. }
            | Request::MakeDirectory { path, .. }
            | Request::SetMode { path, .. } => self.find(path).is_some(),
            Request::Rename { from, to, .. } => self.find(from).is_some() && self.find(to).is_some(),
        }
    }

    /// The innermost git directory that contains a path, and the path below it.
    fn find<'a>(&self, path: &'a Path) -> Option<(&Repository, &'a Path)> {
        self.repositories
            .iter()
            .filter_map(|repository| Some((repository, path.strip_prefix(&repository.path).ok()?)))
            .filter(|(_, below)| !below.as_os_str().is_empty())
            .max_by_key(|(repository, _)| repository.path.as_os_str().len())
    }

    fn carry_out(&self, request: &Request, mask: u32) -> io::Result<Answer> {
        match request {
            Request::Open { path, flags, mode } => match self.find(path) {
                Some((repository, below)) => self.open_file(repository, below, *flags, mode & 0o777 & !mask),
                None => Ok(Answer::GoOn),
            },
            Request::Rename { from, to, flags } => match (self.find(from), self.find(to)) {
                (Some(from), Some(to)) => self.rename(from, to, *flags),
                _ => Ok(Answer::GoOn),
            },
            Request::Remove { path, directory } => match self.find(path) {
                Some((repository, below)) if may_remove(below, *directory) => {
                    self.as_owner(repository, || {
                        let (parent, name) = parent(repository, below)?;
                        sys::unlink_at(parent.as_fd(), name, *directory).map(|()| Answer::Done(0))
                    })
                }
                _ => Ok(Answer::GoOn),
            },
            // Git gives the draft of a configuration the mode of the old one.
            Request::SetMode { path, mode } => match self.find(path) {
                Some((repository, below)) if names::file(below) == FileAccess::Draft => {
                    self.as_owner(repository, || {
                        let flags = libc::O_RDONLY | libc::O_NOFOLLOW | libc::O_NONBLOCK;
                        let file = sys::open_at(Some(repository.place.as_fd()), below, flags, BELOW)?;
                        sys::set_mode(file.as_fd(), mode & 0o777).map(|()| Answer::Done(0))
                    })
                }
                _ => Ok(Answer::GoOn),
            },
            Request::MakeDirectory { path, mode } => match self.find(path) {
                Some((repository, below)) if names::directory(below) => self.as_owner(repository, || {
                    let (parent, name) = parent(repository, below)?;
                    sys::make_directory_at(parent.as_fd(), name, mode & 0o777 & !mask)
                        .map(|()| Answer::Done(0))
                }),
                _ => Ok(Answer::GoOn),
            },
        }
    }

    fn open_file(&self, repository: &Repository, below: &Path, flags: i32, mode: u32) -> io::Result<Answer> {
        let close_on_exec = flags & libc::O_CLOEXEC != 0;
        if flags & (libc::O_PATH | libc::O_DIRECTORY | libc::O_TMPFILE) != 0 {
            return Ok(Answer::GoOn);
        }
        match names::file(below) {
            FileAccess::Closed => Ok(Answer::GoOn),
            FileAccess::State | FileAccess::Draft => self.as_owner(repository, || {
                // Opening a pipe or device must not block the keeper.
                let asked = flags & !libc::O_CLOEXEC;
                let extra = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
                let file = sys::create_at(repository.place.as_fd(), below, asked | extra, mode, BELOW)?;
                if sys::stat(file.as_fd())?.mode & libc::S_IFMT != libc::S_IFREG {
                    return Ok(Answer::GoOn);
                }
                sys::set_status_flags(file.as_fd(), asked & !libc::O_ACCMODE)?;
                Ok(Answer::Opened(file, close_on_exec))
            }),
            FileAccess::Fixed(content) => self.as_owner(repository, || {
                write_fixed(repository, below, content, mode)?;
                // The content is fixed, so what the program writes is discarded.
                let nowhere = fs::OpenOptions::new().write(true).open("/dev/null")?;
                Ok(Answer::Opened(OwnedFd::from(nowhere), close_on_exec))
            }),
        }
    }

    fn rename(&self, from: (&Repository, &Path), to: (&Repository, &Path), flags: u32) -> io::Result<Answer> {
        let state = |below: &Path| names::file(below) == FileAccess::State;
        if from.0.path == to.0.path
            && names::file(from.1) == FileAccess::Draft
            && to.1 == Path::new(CONFIG)
            && flags == 0
        {
            return self.as_owner(from.0, || configure(from.0, from.1));
        }
        if from.0.path != to.0.path || !state(from.1) || !state(to.1) || flags & !libc::RENAME_NOREPLACE != 0
        {
            return Ok(Answer::GoOn);
        }
        self.as_owner(from.0, || {
            let ((old, name), (new, fresh)) = (parent(from.0, from.1)?, parent(to.0, to.1)?);
            // A directory could contain files that aren't allowed at the target.
            let flags_of_look = libc::O_PATH | libc::O_NOFOLLOW;
            let found = sys::open_at(Some(old.as_fd()), Path::new(name), flags_of_look, BELOW)?;
            if sys::stat(found.as_fd())?.mode & libc::S_IFMT != libc::S_IFREG {
                return Ok(Answer::GoOn);
            }
            sys::rename_between((old.as_fd(), name), (new.as_fd(), fresh), flags).map(|()| Answer::Done(0))
        })
    }

    /// Acts as the owner of the repository: a keeper started by uid 0 could otherwise write what the owner can't.
    fn as_owner(
        &self,
        repository: &Repository,
        what: impl FnOnce() -> io::Result<Answer>,
    ) -> io::Result<Answer> {
        if self.own.0 != 0 {
            return what();
        }
        let (uid, gid) = repository.owner;
        let done = if sys::file_ids(uid, gid) { what() } else { Ok(Answer::GoOn) };
        sys::file_ids(self.own.0, self.own.1);
        done
    }
}

fn may_remove(below: &Path, directory: bool) -> bool {
    if directory { names::directory(below) } else { names::file(below) != FileAccess::Closed }
}

/// The open directory that holds `below`, and the last name.
fn parent<'a>(repository: &Repository, below: &'a Path) -> io::Result<(OwnedFd, &'a OsStr)> {
    let name = below.file_name().ok_or(io::Error::from_raw_os_error(libc::EINVAL))?;
    let above = below.parent().unwrap_or(Path::new(""));
    let flags = libc::O_PATH | libc::O_DIRECTORY;
    Ok((sys::open_at(Some(repository.place.as_fd()), above, flags, BELOW)?, name))
}

/// Replaces the configuration by a draft that changes only what branches track. What was judged is written anew: the
/// program may still hold the draft open.
fn configure(repository: &Repository, draft: &Path) -> io::Result<Answer> {
    let place = repository.place.as_fd();
    let text = |name: &Path| config::text(place, name).ok().flatten();
    let (Some(old), Some(new)) = (text(Path::new(CONFIG)), text(draft)) else { return Ok(Answer::GoOn) };
    if !config::changes_only_tracking(&old, &new) {
        return Ok(Answer::GoOn);
    }
    let before = sys::open_at(Some(place), Path::new(CONFIG), libc::O_PATH | libc::O_NOFOLLOW, BELOW)?;
    let mode = sys::stat(before.as_fd())?.mode & 0o777;
    let judged = OsStr::new("config.doorward");
    let _ = sys::unlink_at(place, judged, false);
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW;
    let file = sys::create_at(place, Path::new(judged), flags, mode, BELOW)?;
    io::Write::write_all(&mut fs::File::from(file), &new)?;
    sys::rename_between((place, judged), (place, OsStr::new(CONFIG)), 0)?;
    sys::unlink_at(place, draft.as_os_str(), false)?;
    Ok(Answer::Done(0))
}

fn write_fixed(repository: &Repository, below: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW;
    match sys::create_at(repository.place.as_fd(), below, flags, mode, BELOW) {
        Ok(file) => io::Write::write_all(&mut fs::File::from(file), content),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Decodes a call's arguments. `None` for calls without a path, and if memory can't be read.
fn request(call: &Notification) -> Option<Request> {
    let [first, second, third, fourth, fifth, _] = call.arguments;
    let path = |at: u64| absolute(call.pid, at);
    let open = |at: u64, flags: u64, mode: u64| {
        Some(Request::Open { path: path(at)?, flags: flags as u32 as i32, mode: mode as u32 })
    };
    let remove = |at: u64, directory: bool| Some(Request::Remove { path: path(at)?, directory });
    let rename = |from: u64, to: u64, flags: u64| {
        Some(Request::Rename { from: path(from)?, to: path(to)?, flags: flags as u32 })
    };
    let make = |at: u64, mode: u64| Some(Request::MakeDirectory { path: path(at)?, mode: mode as u32 });
    let set_mode = |at: u64, mode: u64| Some(Request::SetMode { path: path(at)?, mode: mode as u32 });
    let here = |directory: u64| directory as u32 == HERE;
    match call.number {
        libc::SYS_openat if here(first) => open(second, third, fourth),
        libc::SYS_unlinkat if here(first) => remove(second, third as u32 as i32 & libc::AT_REMOVEDIR != 0),
        libc::SYS_renameat2 if here(first) && here(third) => rename(second, fourth, fifth),
        libc::SYS_renameat if here(first) && here(third) => rename(second, fourth, 0),
        libc::SYS_mkdirat if here(first) => make(second, third),
        libc::SYS_fchmodat if here(first) => set_mode(second, third),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chmod => set_mode(first, second),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_open => open(first, second, third),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_creat => open(first, (libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC) as u64, second),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_unlink => remove(first, false),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_rmdir => remove(first, true),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_rename => rename(first, second, 0),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_mkdir => make(first, second),
        _ => None,
    }
}

/// Reads the path at an address and makes it absolute, without `.` and `..`.
fn absolute(pid: u32, at: u64) -> Option<PathBuf> {
    let text = path_at(pid, at)?;
    let path = Path::new(OsStr::from_bytes(&text));
    if path.is_absolute() {
        return Some(plain(path));
    }
    Some(plain(&fs::read_link(format!("/proc/{pid}/cwd")).ok()?.join(path)))
}

/// Reads the path at an address of a process.
pub(crate) fn path_at(pid: u32, at: u64) -> Option<Vec<u8>> {
    const PAGE: u64 = 4096;
    let mut text = Vec::new();
    let mut buffer = [0; 256];
    while text.len() < LONGEST {
        let from = at.checked_add(text.len() as u64)?;
        // A read that touches an unmapped page fails as a whole, so read up to the page's end.
        let to_page_end = usize::try_from(PAGE - from % PAGE).ok()?.min(buffer.len());
        let part = buffer.get_mut(..to_page_end)?;
        let length = sys::read_memory(pid, from, part).ok().filter(|length| *length > 0)?;
        let part = part.get(..length)?;
        match part.iter().position(|byte| *byte == 0) {
            Some(end) => {
                text.extend(part.get(..end)?);
                return Some(text);
            }
            None => text.extend(part),
        }
    }
    None
}

/// Removes `.` and `..` lexically. With links the result can differ from the kernel's: then either the call isn't
/// served, or another file of the same git directory is meant, which the program could have named directly.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => {
                plain.pop();
            }
            _ => {}
        }
    }
    plain
}

/// The file mode mask of a process (`Umask:` since Linux 4.7).
fn umask(pid: u32) -> u32 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    mask.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok()).unwrap_or(0o077)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan;

    fn repository() -> (tempfile::TempDir, PathBuf, Broker) {
        let folder = tempfile::tempdir().unwrap();
        let git = folder.path().canonicalize().unwrap().join(".git");
        for name in ["hooks", "modules/m", "worktrees"] {
            fs::create_dir_all(git.join(name)).unwrap();
        }
        fs::write(git.join("config"), "[core]\n").unwrap();
        let served =
            [git.clone(), git.join("modules/m")].map(|path| Served { git: plan::pin(&path).unwrap().1 });
        (folder, git, Broker::open(&served, Vec::new()))
    }

    fn errno(answer: io::Result<Answer>) -> Option<i32> {
        match answer.unwrap_or_else(|error| Answer::Done(error.raw_os_error().unwrap())) {
            Answer::GoOn | Answer::Withheld(_) => None,
            Answer::Done(errno) => Some(errno),
            Answer::Opened(..) => Some(0),
        }
    }

    #[test]
    fn state_is_written_and_everything_else_is_left_to_the_kernel() {
        let (_folder, git, broker) = repository();
        let create = libc::O_CREAT | libc::O_EXCL | libc::O_RDWR;
        let open = |name: &str| {
            errno(
                broker.carry_out(&Request::Open { path: git.join(name), flags: create, mode: 0o666 }, 0o022),
            )
        };
        assert_eq!(open("index.lock"), Some(0));
        assert_eq!(open("index.lock"), Some(libc::EEXIST));
        assert_eq!(open("modules/m/HEAD.lock"), Some(0));
        for name in
            ["config.lock.x", "commondir", "hooks/x", "modules/m/config", "modules/n/config", "config"]
        {
            assert_eq!(open(name), None, "{name}");
        }
        let rename = |from: &str, to: &str| {
            let request = Request::Rename { from: git.join(from), to: git.join(to), flags: 0 };
            errno(broker.carry_out(&request, 0))
        };
        assert_eq!(rename("index.lock", "commondir"), None);
        assert_eq!(rename("index.lock", "config"), None);
        assert_eq!(rename("index.lock", "modules/m/index"), None, "another repository's");
        assert_eq!(rename("index.lock", "index"), Some(0));
        let make = |name: &str| {
            errno(broker.carry_out(&Request::MakeDirectory { path: git.join(name), mode: 0o777 }, 0o022))
        };
        assert_eq!(
            (make("rebase-merge"), make("rebase-merge/x"), make("modules/x")),
            (Some(0), Some(0), None)
        );
        assert_eq!(open("rebase-merge/x/config"), Some(0), "no configuration there");
        assert_eq!(make("worktrees/w"), Some(0));
        assert_eq!(rename("rebase-merge/x", "worktrees/w/logs"), None, "a directory isn't moved");
        assert_eq!(rename("rebase-merge/x", "rebase-merge/y"), None);
        assert_eq!(rename("rebase-merge/x/config", "worktrees/w/config"), None);
        let remove = |name: &str, directory| {
            errno(broker.carry_out(&Request::Remove { path: git.join(name), directory }, 0))
        };
        assert_eq!((remove("config", false), remove("hooks", true)), (None, None));
        assert_eq!(remove("index", false), Some(0));
        assert!(git.join("config").exists() && git.join("hooks").exists());
    }

    #[test]
    fn a_configuration_is_replaced_only_where_branches_track_something_else() {
        let (_folder, git, broker) = repository();
        let old = "[remote \"origin\"]\n\turl = x\n";
        let tracking = format!("{old}[branch \"b\"]\n\tremote = origin\n\tmerge = refs/heads/b\n");
        let rename = Request::Rename { from: git.join("config.lock"), to: git.join("config"), flags: 0 };
        for (new, answer) in [(tracking.as_str(), Some(0)), ("[core]\n\tpager = evil\n", None)] {
            fs::write(git.join("config"), old).unwrap();
            let flags = libc::O_CREAT | libc::O_EXCL | libc::O_WRONLY;
            let open = Request::Open { path: git.join("config.lock"), flags, mode: 0o666 };
            let Answer::Opened(file, _) = broker.carry_out(&open, 0o022).unwrap() else { panic!("{new}") };
            let mut file = fs::File::from(file);
            io::Write::write_all(&mut file, new.as_bytes()).unwrap();
            assert_eq!(errno(broker.carry_out(&rename, 0)), answer, "{new}");
            io::Write::write_all(&mut file, b"[core]\n\tpager = late\n").unwrap();
            let is = fs::read_to_string(git.join("config")).unwrap();
            assert_eq!(is, if answer.is_some() { new } else { old });
            let _ = fs::remove_file(git.join("config.lock"));
        }
        assert!(matches!(broker.withheld(&rename), Some(path) if path.ends_with("config")));
    }

    #[test]
    fn a_worktree_always_leads_back_to_its_repository() {
        let (_folder, git, broker) = repository();
        fs::create_dir(git.join("worktrees/w")).unwrap();
        let path = git.join("worktrees/w/commondir");
        let flags = libc::O_CREAT | libc::O_TRUNC | libc::O_WRONLY;
        for _ in 0..2 {
            match broker.carry_out(&Request::Open { path: path.clone(), flags, mode: 0o666 }, 0o022).unwrap()
            {
                Answer::Opened(file, _) => {
                    io::Write::write_all(&mut fs::File::from(file), b"/evil\n").unwrap()
                }
                other => panic!("{other:?}"),
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), "../..\n");
        }
    }

    #[test]
    fn links_lead_nowhere() {
        let (folder, git, broker) = repository();
        let target = folder.path().join("target");
        fs::write(&target, "safe").unwrap();
        std::os::unix::fs::symlink(&target, git.join("index")).unwrap();
        std::os::unix::fs::symlink(folder.path(), git.join("rebase-merge")).unwrap();
        let flags = libc::O_WRONLY | libc::O_TRUNC;
        for name in ["index", "rebase-merge/target"] {
            let request = Request::Open { path: git.join(name), flags, mode: 0 };
            assert_eq!(errno(broker.carry_out(&request, 0)), Some(libc::ELOOP), "{name}");
        }
        assert_eq!(fs::read_to_string(&target).unwrap(), "safe");
    }

    #[test]
    fn paths_are_read_from_memory_and_made_plain() {
        let pid = std::process::id();
        let text = format!("{}\0", "/a/./b/../".to_owned() + &"c".repeat(700));
        assert_eq!(
            absolute(pid, text.as_ptr() as u64),
            Some(PathBuf::from("/a/".to_owned() + &"c".repeat(700)))
        );
        let here = std::env::current_dir().unwrap();
        assert_eq!(absolute(pid, c".git/index".as_ptr() as u64), Some(here.join(".git/index")));
        assert_eq!(absolute(pid, 0), None);
    }
}
