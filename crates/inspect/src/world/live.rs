//! The files of this machine. Looks are bounded and cached for a moment; nothing is run.
//!
//! What is seen here is judged, not trusted: executors resolve again on descriptors, and files whose content was
//! judged are compared by digest before anything runs.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use doorward_core::call::{Root, RootAccess};
use doorward_core::intent::Untracked;
use doorward_core::world::{FileKind, GitSetting, Lost, Unseen, VcsState, World};
use doorward_paths::{Roots, bounded};
use jiff::Timestamp;

use super::git::Repository;
use super::git_config;
use super::history::{History, stashed};

/// Repositories remembered.
const REPOSITORIES: usize = 16;

/// The world as it is.
#[derive(Debug)]
pub struct LiveWorld {
    tree: Option<Roots>,
    home: Option<String>,
    scratch: Vec<String>,
    repositories: Mutex<Vec<Arc<Repository>>>,
}

impl LiveWorld {
    /// With the home folder from the password database (never from the environment) and the user's temp folders.
    #[must_use]
    pub fn new(home: Option<String>, scratch: Vec<String>) -> Self {
        let top = Root { path: "/".to_owned(), access: RootAccess::Write };
        Self { tree: Roots::open(&[top]).ok(), home, scratch, repositories: Mutex::default() }
    }

    fn repository(&self, path: &Path) -> Result<Arc<Repository>, Unseen> {
        let mut known = self.repositories.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|repository| repository.is_current());
        let around = known
            .iter()
            .filter(|repository| path.starts_with(repository.work()))
            .max_by_key(|repository| repository.work().as_os_str().len());
        if let Some(repository) = around {
            return Ok(Arc::clone(repository));
        }
        let repository = Arc::new(Repository::around(path)?);
        if known.len() >= REPOSITORIES {
            known.remove(0);
        }
        known.push(Arc::clone(&repository));
        Ok(repository)
    }
}

impl World for LiveWorld {
    fn kind(&self, path: &str) -> Result<FileKind, Unseen> {
        let meta = std::fs::symlink_metadata(path).map_err(|error| unseen(&error))?;
        Ok(match meta.file_type() {
            kind if kind.is_file() => FileKind::File(meta.len()),
            kind if kind.is_dir() => FileKind::Directory,
            kind if kind.is_symlink() => FileKind::Link,
            _ => FileKind::Special,
        })
    }

    fn enters(&self, path: &str) -> Result<bool, Unseen> {
        match std::fs::metadata(path) {
            // The dot asks for the right to enter too.
            Ok(meta) => Ok(meta.is_dir() && std::fs::metadata(format!("{path}/.")).is_ok()),
            Err(error) if std::fs::symlink_metadata(path).is_ok() => {
                // A link that leads nowhere.
                if error.kind() == std::io::ErrorKind::NotFound { Ok(false) } else { Err(unseen(&error)) }
            }
            Err(error) => Err(unseen(&error)),
        }
    }

    fn names_of_file(&self, path: &str) -> u64 {
        use std::os::unix::fs::MetadataExt as _;
        std::fs::symlink_metadata(path).map_or(1, |meta| if meta.is_file() { meta.nlink() } else { 1 })
    }

    fn changed_at(&self, path: &str) -> Result<Timestamp, Unseen> {
        use std::os::unix::fs::MetadataExt as _;
        // The time of the last status change, which no program sets to what it likes.
        let meta = std::fs::metadata(path).map_err(|error| unseen(&error))?;
        let nanoseconds = i32::try_from(meta.ctime_nsec()).unwrap_or_default();
        Timestamp::new(meta.ctime(), nanoseconds).map_err(|_| Unseen::Unreadable)
    }

    fn real_path(&self, path: &str) -> Result<String, Unseen> {
        let tree = self.tree.as_ref().ok_or(Unseen::NotLooked)?;
        let real: PathBuf = tree.real_path(Path::new(path)).ok_or(Unseen::Unreadable)?;
        real.into_os_string().into_string().map_err(|_| Unseen::Unreadable)
    }

    fn read_text(&self, path: &str, limit: u64) -> Result<String, Unseen> {
        let tree = self.tree.as_ref().ok_or(Unseen::NotLooked)?;
        let file = tree.open_for_look(Path::new(path)).ok_or(Unseen::Missing)?;
        let mut file = std::fs::File::from(file);
        let length = file.metadata().map_err(|error| unseen(&error))?.len();
        if length > limit {
            return Err(Unseen::TooLarge);
        }
        let mut text = String::new();
        // A file that grows while it is read stays bounded.
        file.by_ref().take(limit).read_to_string(&mut text).map_err(|_| Unseen::Unreadable)?;
        Ok(text)
    }

    fn names(&self, path: &str, limit: usize) -> Result<Vec<String>, Unseen> {
        let entries = std::fs::read_dir(path).map_err(|error| unseen(&error))?;
        // A list with a gap would be taken for the whole.
        entries
            .take(limit)
            .map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect::<Option<Vec<String>>>()
            .ok_or(Unseen::Unreadable)
    }

    fn vcs(&self, path: &str) -> Result<VcsState, Unseen> {
        self.repository(Path::new(path))?.state(Path::new(path))
    }

    fn changed(&self, path: &str, everywhere: bool, limit: usize) -> Result<Vec<String>, Unseen> {
        let repository = self.repository(Path::new(path))?;
        let path = if everywhere { repository.work() } else { Path::new(path) };
        repository.changed(path, limit)
    }

    fn is_staged(&self, dir: &str) -> Result<bool, Unseen> {
        let repository = self.repository(Path::new(dir))?;
        let committed = History::of(&repository)?.tree()?;
        repository.tree().map(|indexed| indexed != committed)
    }

    fn left_behind(&self, dir: &str, target: &str) -> Result<Lost, Unseen> {
        History::of(self.repository(Path::new(dir))?.as_ref())?.left_behind(target)
    }

    fn only_in(&self, dir: &str, branches: &[String]) -> Result<Lost, Unseen> {
        History::of(self.repository(Path::new(dir))?.as_ref())?.only_in(branches)
    }

    fn stashed(&self, dir: &str) -> Result<Vec<String>, Unseen> {
        stashed(&self.repository(Path::new(dir))?.directories().1)
    }

    fn untracked(&self, path: &str, which: Untracked, limit: usize) -> Result<Vec<String>, Unseen> {
        self.repository(Path::new(path))?.untracked(Path::new(path), which, limit)
    }

    fn remote_url(&self, dir: &str, remote: &str) -> Result<String, Unseen> {
        self.repository(Path::new(dir))?.remote_url(remote)
    }

    fn git_settings(&self, dir: &str) -> Result<Vec<GitSetting>, Unseen> {
        let (work, directory) = git_config::discover(Path::new(dir)).ok_or(Unseen::Missing)?;
        let home = self.home.as_deref();
        let mut found = git_config::settings(&work, &directory, home, &bounded::read)?;
        // Git looks into the repositories that the index holds as links, too.
        let nested = self.repository(Path::new(dir)).map(|repository| repository.links()).unwrap_or_default();
        for work in nested {
            if let Some(directory) = super::git::git_directory(&work) {
                found.extend(git_config::settings(&work, &directory, home, &bounded::read)?);
            }
        }
        Ok(found)
    }

    fn home(&self) -> Option<String> {
        self.home.clone()
    }

    fn scratch(&self) -> Vec<String> {
        self.scratch.clone()
    }

    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

fn unseen(error: &std::io::Error) -> Unseen {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => Unseen::Missing,
        _ => Unseen::Unreadable,
    }
}
