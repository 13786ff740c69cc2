//! The one door to files, version control, names and time. Each look has a cost; the budget is the deadline.

use jiff::Timestamp;

use crate::intent::Untracked;

/// What kind of thing a path is, without following the last link.
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

/// What version control says of a path.
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

/// Why a look gave nothing. A fact that can't be had is absent, not invented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unseen {
    /// Not there.
    #[error("not there")]
    Missing,
    /// Not permitted, or not text, or not a file.
    #[error("can't be read")]
    Unreadable,
    /// Larger than the limit given.
    #[error("too large")]
    TooLarge,
    /// The budget of this call is used up, or this world has no such thing (batch rows).
    #[error("not looked up")]
    NotLooked,
}

/// A setting of a repository's own git configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitSetting {
    /// Its key as `git config --list` writes it: `section.subsection.name`.
    pub key: String,
    /// Its value; empty where the key stands alone.
    pub value: String,
    /// The file that sets it.
    pub file: String,
    /// The work tree it is for.
    pub work: String,
}

/// The world as `inspect` may look at it. Implementations do the I/O; every method is bounded.
///
/// Paths are absolute. Implementations must not follow the agent's tricks: links are resolved on descriptors.
pub trait World: Send + Sync {
    /// Kind of the thing at `path`, last link not followed.
    ///
    /// # Errors
    /// [`Unseen`].
    fn kind(&self, path: &str) -> Result<FileKind, Unseen>;

    /// Whether a command may enter a path as its folder; links are followed. False where something else is there.
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

    /// How many names the file at `path` has, last link not followed; 1 where nobody looks.
    fn names_of_file(&self, _path: &str) -> u64 {
        1
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

    /// Files that were brought along with the call, by absolute path: the only ones known to be there without looking.
    fn brought(&self) -> Vec<String> {
        Vec::new()
    }

    /// Names in a folder, at most `limit`.
    ///
    /// # Errors
    /// [`Unseen`].
    fn names(&self, path: &str, limit: usize) -> Result<Vec<String>, Unseen>;

    /// What version control says of a path.
    ///
    /// # Errors
    /// [`Unseen`].
    fn vcs(&self, path: &str) -> Result<VcsState, Unseen>;

    /// Tracked files at or below `path`, or anywhere in its repository, that differ from the index, at most `limit`.
    ///
    /// # Errors
    /// [`Unseen`].
    fn changed(&self, _path: &str, _everywhere: bool, _limit: usize) -> Result<Vec<String>, Unseen> {
        Err(Unseen::NotLooked)
    }

    /// Whether the index of the repository around `dir` holds what its last commit doesn't.
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

    /// What git doesn't track below a folder, as `git clean` selects it. A folder of which nothing is tracked is one entry.
    ///
    /// # Errors
    /// [`Unseen`]: also [`Unseen::TooLarge`] where there is more than `limit`.
    fn untracked(&self, _path: &str, _which: Untracked, _limit: usize) -> Result<Vec<String>, Unseen> {
        Err(Unseen::NotLooked)
    }

    /// URL of a git remote of the repository around `dir`.
    ///
    /// # Errors
    /// [`Unseen`].
    fn remote_url(&self, dir: &str, remote: &str) -> Result<String, Unseen>;

    /// Settings that the repository around `dir` brings itself: its own config, what that includes, and the configs of
    /// the repositories nested in its index. Not the user's and the system's, which no repository can plant.
    ///
    /// # Errors
    /// [`Unseen`]: [`Unseen::Missing`] where `dir` is in no repository.
    fn git_settings(&self, _dir: &str) -> Result<Vec<GitSetting>, Unseen> {
        Err(Unseen::NotLooked)
    }

    /// Home folder of the user the call would run as, from the password database.
    fn home(&self) -> Option<String>;

    /// The user's temp folder.
    fn scratch(&self) -> Vec<String>;

    /// Our clock.
    fn now(&self) -> Timestamp;
}
