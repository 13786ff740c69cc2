//! A world with further files in it: what a batch row brings along for the command that it judges.

use std::collections::BTreeMap;
use std::sync::Arc;

use doorward_core::intent::Untracked;
use doorward_core::world::{FileKind, GitSetting, Lost, Unseen, VcsState, World};
use jiff::Timestamp;

use super::git_config::{self, CONFIG_LIMIT};

/// Files by absolute path, in front of another world.
pub struct GivenFiles {
    behind: Arc<dyn World>,
    files: BTreeMap<String, String>,
}

impl GivenFiles {
    /// These files in front of a world.
    #[must_use]
    pub fn over(behind: Arc<dyn World>, files: BTreeMap<String, String>) -> Self {
        Self { behind, files }
    }
}

impl World for GivenFiles {
    fn kind(&self, path: &str) -> Result<FileKind, Unseen> {
        match self.files.get(path) {
            Some(text) => Ok(FileKind::File(u64::try_from(text.len()).unwrap_or(u64::MAX))),
            None if self.files.keys().any(|file| is_below(file, path)) => Ok(FileKind::Directory),
            None => self.behind.kind(path),
        }
    }

    fn names_of_file(&self, path: &str) -> u64 {
        if self.files.contains_key(path) { 1 } else { self.behind.names_of_file(path) }
    }

    fn changed_at(&self, path: &str) -> Result<Timestamp, Unseen> {
        if self.files.contains_key(path) { Err(Unseen::NotLooked) } else { self.behind.changed_at(path) }
    }

    fn real_path(&self, path: &str) -> Result<String, Unseen> {
        if self.files.contains_key(path) { Ok(path.to_owned()) } else { self.behind.real_path(path) }
    }

    fn read_text(&self, path: &str, limit: u64) -> Result<String, Unseen> {
        match self.files.get(path) {
            Some(text) if u64::try_from(text.len()).is_ok_and(|length| length <= limit) => Ok(text.clone()),
            Some(_) => Err(Unseen::TooLarge),
            None => self.behind.read_text(path, limit),
        }
    }

    fn brought(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    fn names(&self, path: &str, limit: usize) -> Result<Vec<String>, Unseen> {
        let own =
            self.files.keys().filter_map(|file| below(file, path)?.split('/').next().map(str::to_owned));
        let mut names: Vec<String> = own.collect();
        match self.behind.names(path, limit) {
            Ok(more) => names.extend(more),
            Err(error) if names.is_empty() => return Err(error),
            Err(_) => {}
        }
        names.sort();
        names.dedup();
        names.truncate(limit);
        Ok(names)
    }

    fn vcs(&self, path: &str) -> Result<VcsState, Unseen> {
        // What a row brings is there, and nothing says that it was ever committed.
        if self.files.contains_key(path) { Err(Unseen::NotLooked) } else { self.behind.vcs(path) }
    }

    fn changed(&self, path: &str, everywhere: bool, limit: usize) -> Result<Vec<String>, Unseen> {
        self.behind.changed(path, everywhere, limit)
    }

    fn is_staged(&self, dir: &str) -> Result<bool, Unseen> {
        self.behind.is_staged(dir)
    }

    fn left_behind(&self, dir: &str, target: &str) -> Result<Lost, Unseen> {
        self.behind.left_behind(dir, target)
    }

    fn only_in(&self, dir: &str, branches: &[String]) -> Result<Lost, Unseen> {
        self.behind.only_in(dir, branches)
    }

    fn stashed(&self, dir: &str) -> Result<Vec<String>, Unseen> {
        self.behind.stashed(dir)
    }

    fn untracked(&self, path: &str, which: Untracked, limit: usize) -> Result<Vec<String>, Unseen> {
        self.behind.untracked(path, which, limit)
    }

    fn remote_url(&self, dir: &str, remote: &str) -> Result<String, Unseen> {
        self.behind.remote_url(dir, remote)
    }

    fn git_settings(&self, dir: &str) -> Result<Vec<GitSetting>, Unseen> {
        let is_given = |path: &str| self.files.contains_key(path);
        // What it includes may lie in the world behind, too.
        let read_text = |path: &str| self.read_text(path, CONFIG_LIMIT);
        git_config::settings_among(dir, self.home().as_deref(), &is_given, &read_text)
            .unwrap_or_else(|| self.behind.git_settings(dir))
    }

    fn home(&self) -> Option<String> {
        self.behind.home()
    }

    fn scratch(&self) -> Vec<String> {
        self.behind.scratch()
    }

    fn now(&self) -> Timestamp {
        self.behind.now()
    }
}

fn below<'f>(file: &'f str, folder: &str) -> Option<&'f str> {
    file.strip_prefix(folder.trim_end_matches('/'))?.strip_prefix('/')
}

fn is_below(file: &str, folder: &str) -> bool {
    below(file, folder).is_some()
}
