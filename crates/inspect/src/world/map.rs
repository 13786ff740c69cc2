//! A world made of a map of files: for tests and for batch rows that bring their files along.

use std::collections::BTreeMap;

use doorward_core::world::{FileKind, Unseen, VcsState, World};
use doorward_paths::lexical;
use jiff::Timestamp;

/// Files by absolute path; folders are where files are. Links are followed once per component.
#[derive(Debug, Clone, Default)]
pub struct MapWorld {
    files: BTreeMap<String, String>,
    links: BTreeMap<String, String>,
    states: BTreeMap<String, VcsState>,
    remotes: BTreeMap<String, String>,
    home: Option<String>,
}

impl MapWorld {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With a home folder.
    #[must_use]
    pub fn home_at(mut self, home: impl Into<String>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// With a file.
    #[must_use]
    pub fn file(mut self, path: impl Into<String>, content: impl Into<String>) -> Self {
        self.files.insert(path.into(), content.into());
        self
    }

    /// With a symbolic link.
    #[must_use]
    pub fn link(mut self, path: impl Into<String>, target: impl Into<String>) -> Self {
        self.links.insert(path.into(), target.into());
        self
    }

    /// With the version control state of a path, and of everything below that has none of its own.
    #[must_use]
    pub fn state(mut self, path: impl Into<String>, state: VcsState) -> Self {
        self.states.insert(path.into(), state);
        self
    }

    /// With a git remote.
    #[must_use]
    pub fn remote(mut self, name: impl Into<String>, url: impl Into<String>) -> Self {
        self.remotes.insert(name.into(), url.into());
        self
    }

    fn is_folder(&self, path: &str) -> bool {
        let mut things = self.files.keys().chain(self.links.keys());
        path == "/" || things.any(|file| file != path && lexical::is_within(file, path))
    }
}

impl World for MapWorld {
    fn kind(&self, path: &str) -> Result<FileKind, Unseen> {
        let path = lexical::fold(path);
        if self.links.contains_key(&path) {
            return Ok(FileKind::Link);
        }
        let path = self.real_path(&path)?;
        match self.files.get(&path) {
            Some(content) => Ok(FileKind::File(u64::try_from(content.len()).unwrap_or(u64::MAX))),
            None if self.is_folder(&path) => Ok(FileKind::Directory),
            None => Err(Unseen::Missing),
        }
    }

    fn real_path(&self, path: &str) -> Result<String, Unseen> {
        let mut todo: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
        let mut at = String::new();
        let mut hops = 0;
        while let Some(name) = todo.pop() {
            match name.as_str() {
                "" | "." => continue,
                ".." => {
                    at.truncate(at.rfind('/').unwrap_or(0));
                    continue;
                }
                _ => {}
            }
            let next = format!("{at}/{name}");
            match self.links.get(&next) {
                Some(target) => {
                    hops += 1;
                    if hops > 40 {
                        return Err(Unseen::Unreadable);
                    }
                    if target.starts_with('/') {
                        at.clear();
                    }
                    todo.extend(target.split('/').rev().map(str::to_owned));
                }
                None => at = next,
            }
        }
        Ok(if at.is_empty() { "/".to_owned() } else { at })
    }

    fn read_text(&self, path: &str, limit: u64) -> Result<String, Unseen> {
        let content = self.files.get(&self.real_path(path)?).ok_or(Unseen::Missing)?;
        if u64::try_from(content.len()).unwrap_or(u64::MAX) > limit {
            return Err(Unseen::TooLarge);
        }
        Ok(content.clone())
    }

    fn names(&self, path: &str, limit: usize) -> Result<Vec<String>, Unseen> {
        let folder = self.real_path(path)?;
        if !self.is_folder(&folder) {
            return Err(Unseen::Missing);
        }
        let mut names: Vec<String> = self
            .files
            .keys()
            .chain(self.links.keys())
            .filter_map(|file| lexical::below(file, &folder))
            .filter_map(|rest| rest.split('/').next())
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect();
        names.sort_unstable();
        names.dedup();
        names.truncate(limit);
        Ok(names)
    }

    fn vcs(&self, path: &str) -> Result<VcsState, Unseen> {
        let path = lexical::fold(path);
        self.states
            .iter()
            .filter(|(place, _)| lexical::is_within(&path, place))
            .max_by_key(|(place, _)| place.len())
            .map(|(_, state)| *state)
            .ok_or(Unseen::NotLooked)
    }

    fn remote_url(&self, _dir: &str, remote: &str) -> Result<String, Unseen> {
        self.remotes.get(remote).cloned().ok_or(Unseen::Missing)
    }

    fn home(&self) -> Option<String> {
        self.home.clone()
    }

    fn scratch(&self) -> Vec<String> {
        vec!["/tmp".to_owned(), "/var/tmp".to_owned()]
    }

    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}
