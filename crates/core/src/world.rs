//! The only access to files, version control, names and time. Each look-up has a cost; the budget replaces a
//! deadline.

use jiff::Timestamp;

use crate::intent::Untracked;

/// The kind of file at a path, without following a final link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file of this many bytes.
    File(u64),
    /// A folder.
    Directory,
    /// A symbolic link.
    Link,
    /// A device, pipe or socket.
    Special,
}

/// Commits that would be lost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lost {
    /// Their short names, newest first.
    pub commits: Vec<String>,
    /// Whether the walk ended early, so that some of them may still be reached.
    pub at_most: bool,
}

/// State of a path in version control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VcsState {
    /// Tracked and unchanged.
    Clean,
    /// Tracked and changed.
    Modified,
    /// Not tracked.
    Untracked,
    /// Ignored.
    Ignored,
}

/// Why a look-up gave nothing. An unavailable fact is absent, never invented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unseen {
    /// Not there.
    #[error("not there")]
    Missing,
    /// Not permitted, not text, or not a file.
    #[error("can't be read")]
    Unreadable,
    /// Larger than the given limit.
    #[error("too large")]
    TooLarge,
    /// The call's look-up budget is used up, or this world doesn't support the look-up (batch rows).
    #[error("not looked up")]
    NotLooked,
}

/// A setting in a repository's own git configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitSetting {
    /// Key as printed by `git config --list`: `section.subsection.name`.
    pub key: String,
    /// Value; empty if the key has none.
    pub value: String,
    /// The file that sets it.
    pub file: String,
    /// The work tree it applies to.
    pub work: String,
}

/// What `inspect` may ask about the machine. Implementations do the I/O; every method is bounded.
///
/// Paths are absolute. Implementations must resolve links on descriptors, so that the agent can't redirect them.
pub trait World: Send + Sync {
    /// Kind of the file at `path`; a final link isn't followed.
    ///
    /// # Errors
    /// [`Unseen`].
    fn kind(&self, path: &str) -> Result<FileKind, Unseen>;

    /// Whether a command can use the path as its working directory; links are followed. False if it isn't a folder.
    ///
    /// # Errors
    /// [`Unseen`].
    fn enters(&self, path: &str) -> Result<bool, Unseen> {
        match self.kind(path)? {
            FileKind::Directory => Ok(true),
            FileKind::Link => Ok(self.kind(&self.real_path(path)?) == Ok(FileKind::Directory)),
            FileKind::File(_) | FileKind::Special => Ok(false),
        }
    }

    /// Number of hard links of the file at `path`; a final link isn't followed. 1 if not implemented.
    fn names_of_file(&self, _path: &str) -> u64 {
        1
    }

    /// When the content, the owner or the rights of the thing at `path` changed last.
    ///
    /// # Errors
    /// [`Unseen`].
    fn changed_at(&self, _path: &str) -> Result<Timestamp, Unseen> {
        Err(Unseen::NotLooked)
    }

    /// The path with every link in it resolved; the last component may be missing.
    ///
    /// # Errors
    /// [`Unseen`].
    fn real_path(&self, path: &str) -> Result<String, Unseen>;

    /// Content of a text file of at most `limit` bytes.
    ///
    /// # Errors
    /// [`Unseen`].
    fn read_text(&self, path: &str, limit: u64) -> Result<String, Unseen>;

    /// Absolute paths of the files supplied with the call. Only these are known to exist without a look-up.
    fn brought(&self) -> Vec<String> {
        Vec::new()
    }

    /// Names in a folder, at most `limit`.
    ///
    /// # Errors
    /// [`Unseen`].
    fn names(&self, path: &str, limit: usize) -> Result<Vec<String>, Unseen>;

    /// State of a path in version control.
    ///
    /// # Errors
    /// [`Unseen`].
    fn vcs(&self, path: &str) -> Result<VcsState, Unseen>;

    /// Tracked files that differ from the index, at or below `path` or in its whole repository; at most `limit`.
    ///
    /// # Errors
    /// [`Unseen`].
    fn changed(&self, _path: &str, _everywhere: bool, _limit: usize) -> Result<Vec<String>, Unseen> {
        Err(Unseen::NotLooked)
    }

    /// Whether the index of the repository around `dir` has changes that aren't committed.
    ///
    /// # Errors
    /// [`Unseen`].
    fn is_staged(&self, _dir: &str) -> Result<bool, Unseen> {
        Err(Unseen::NotLooked)
    }

    /// Commits that nothing reaches any more once the branch that is checked out stands at `target`, newest first, by
    /// their short names. Other branches, remote branches and tags are looked through only so far.
    ///
    /// # Errors
    /// [`Unseen`]: also where the target can't be told.
    fn left_behind(&self, _dir: &str, _target: &str) -> Result<Lost, Unseen> {
        Err(Unseen::NotLooked)
    }

    /// The same, once these branches are gone. One that isn't there holds nothing.
    ///
    /// # Errors
    /// [`Unseen`].
    fn only_in(&self, _dir: &str, _branches: &[String]) -> Result<Lost, Unseen> {
        Err(Unseen::NotLooked)
    }

    /// What the entries of the stash say, newest first.
    ///
    /// # Errors
    /// [`Unseen`].
    fn stashed(&self, _dir: &str) -> Result<Vec<String>, Unseen> {
        Err(Unseen::NotLooked)
    }

    /// Untracked files below a folder, as `git clean` selects them. A wholly untracked folder is one entry.
    ///
    /// # Errors
    /// [`Unseen`]; [`Unseen::TooLarge`] if there are more than `limit`.
    fn untracked(&self, _path: &str, _which: Untracked, _limit: usize) -> Result<Vec<String>, Unseen> {
        Err(Unseen::NotLooked)
    }

    /// URL of a git remote of the repository around `dir`.
    ///
    /// # Errors
    /// [`Unseen`].
    fn remote_url(&self, dir: &str, remote: &str) -> Result<String, Unseen>;

    /// Settings that the repository around `dir` contains: its own config, files that it includes, and the configs of
    /// repositories nested in its index. Excludes the user's and the system's config, which a repository can't plant.
    ///
    /// # Errors
    /// [`Unseen`]; [`Unseen::Missing`] if `dir` isn't in a repository.
    fn git_settings(&self, _dir: &str) -> Result<Vec<GitSetting>, Unseen> {
        Err(Unseen::NotLooked)
    }

    /// Home folder of the user that the call would run as, from the password database.
    fn home(&self) -> Option<String>;

    /// The user's temp folder.
    fn scratch(&self) -> Vec<String>;

    /// Doorward's clock.
    fn now(&self) -> Timestamp;
}
