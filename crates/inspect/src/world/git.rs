//! What git's own files say of a path, without running git: the index for tracked and changed, ignore files for
//! ignored, the config for remotes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use doorward_core::intent::Untracked;
use doorward_core::world::{Unseen, VcsState};
use doorward_paths::bounded;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// An index larger than this isn't read.
const MAX_INDEX: u64 = 64 << 20;

/// Memory that decoding an index may take.
const ALLOCATED: usize = 512 << 20;

/// Files and folders of a work tree that one question looks at.
const MOST_LOOKED_AT: usize = 20_000;

/// A repository as its files were when it was read.
#[derive(Debug)]
pub(crate) struct Repository {
    work: PathBuf,
    directory: PathBuf,
    stamp: Option<(SystemTime, u64)>,
    tracked: HashMap<Vec<u8>, Entry>,
    folders: std::collections::HashSet<Vec<u8>>,
    links: Vec<Vec<u8>>,
    /// The tree that the index would be committed as, where git wrote it down and nothing changed since.
    tree: Option<gix_index::hash::ObjectId>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    seconds: u32,
    nanoseconds: u32,
    size: u32,
}

impl Repository {
    /// The repository around a path.
    pub(crate) fn around(path: &Path) -> Result<Self, Unseen> {
        let (work, directory) = path
            .ancestors()
            .take(64)
            .find_map(|folder| git_directory(folder).map(|git| (folder.to_path_buf(), git)))
            .ok_or(Unseen::Missing)?;
        let index = directory.join("index");
        let stamp = stamp(&index);
        let (tracked, links, tree, folders) = match stamp {
            Some((_, length)) if length <= MAX_INDEX => {
                let bytes = bounded::read_to(&index, MAX_INDEX).map_err(|_| Unseen::Unreadable)?;
                let Parsed { tracked, links, tree } = parse(&bytes).ok_or(Unseen::Unreadable)?;
                let folders = tracked.keys().flat_map(|name| folders_of(name)).collect();
                (tracked, links, tree, folders)
            }
            Some(_) => return Err(Unseen::TooLarge),
            None => Default::default(),
        };
        Ok(Self { work, directory, stamp, tracked, folders, links, tree })
    }

    pub(crate) fn work(&self) -> &Path {
        &self.work
    }

    /// Work trees of the repositories that the index holds as links, at most 64.
    pub(crate) fn links(&self) -> Vec<PathBuf> {
        use std::os::unix::ffi::OsStrExt as _;
        self.links.iter().take(64).map(|name| self.work.join(std::ffi::OsStr::from_bytes(name))).collect()
    }

    /// The index is still the one that was read.
    pub(crate) fn is_current(&self) -> bool {
        stamp(&self.directory.join("index")) == self.stamp
    }

    pub(crate) fn state(&self, path: &Path) -> Result<VcsState, Unseen> {
        use std::os::unix::ffi::OsStrExt as _;
        let below = path.strip_prefix(&self.work).map_err(|_| Unseen::Missing)?;
        let name = below.as_os_str().as_bytes();
        if let Some(entry) = self.tracked.get(name) {
            let unchanged = std::fs::symlink_metadata(path).is_ok_and(|meta| entry.fits(&meta));
            return Ok(if unchanged { VcsState::Clean } else { VcsState::Modified });
        }
        if self.folders.contains(name) || name.is_empty() {
            return Ok(self.folder_state(path, name));
        }
        Ok(if self.is_ignored(path) { VcsState::Ignored } else { VcsState::Untracked })
    }

    /// Clean only if everything tracked below is unchanged and nothing untracked lies there.
    fn folder_state(&self, path: &Path, name: &[u8]) -> VcsState {
        let within = |file: &&Vec<u8>| {
            name.is_empty() || (file.starts_with(name) && file.get(name.len()) == Some(&b'/'))
        };
        let mut count = 0;
        for file in self.tracked.keys().filter(within) {
            use std::os::unix::ffi::OsStrExt as _;
            count += 1;
            let full = self.work.join(std::ffi::OsStr::from_bytes(file));
            let unchanged = self
                .tracked
                .get(file)
                .is_some_and(|entry| std::fs::symlink_metadata(&full).is_ok_and(|meta| entry.fits(&meta)));
            if count > 2_000 || !unchanged {
                return VcsState::Modified;
            }
        }
        let mut budget = 4_000_usize;
        if self.holds_untracked(path, &mut budget) { VcsState::Modified } else { VcsState::Clean }
    }

    fn holds_untracked(&self, folder: &Path, budget: &mut usize) -> bool {
        use std::os::unix::ffi::OsStrExt as _;
        let Ok(entries) = std::fs::read_dir(folder) else { return true };
        for entry in entries.filter_map(Result::ok) {
            *budget = budget.saturating_sub(1);
            let path = entry.path();
            let Ok(below) = path.strip_prefix(&self.work) else { return true };
            let name = below.as_os_str().as_bytes();
            if *budget == 0 {
                return true;
            }
            if name == b".git" || self.tracked.contains_key(name) || self.is_ignored(&path) {
                continue;
            }
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if !is_folder || !self.folders.contains(name) || self.holds_untracked(&path, budget) {
                return true;
            }
        }
        false
    }

    /// Tracked files at or below a path that differ from the index; a file that is gone differs.
    pub(crate) fn changed(&self, path: &Path, limit: usize) -> Result<Vec<String>, Unseen> {
        use std::os::unix::ffi::OsStrExt as _;
        let below = path.strip_prefix(&self.work).map_err(|_| Unseen::Missing)?;
        let name = below.as_os_str().as_bytes();
        let within = |file: &[u8]| {
            name.is_empty() || file == name || (file.starts_with(name) && file.get(name.len()) == Some(&b'/'))
        };
        let mut changed = Vec::new();
        for (file, entry) in self.tracked.iter().filter(|(file, _)| within(file)).take(MOST_LOOKED_AT + 1) {
            let full = self.work.join(std::ffi::OsStr::from_bytes(file));
            if !std::fs::symlink_metadata(&full).is_ok_and(|meta| entry.fits(&meta)) {
                changed.push(full.to_string_lossy().into_owned());
            }
        }
        if self.tracked.len() > MOST_LOOKED_AT {
            return Err(Unseen::TooLarge);
        }
        changed.sort_unstable();
        changed.truncate(limit);
        Ok(changed)
    }

    /// The tree of the index, where git wrote it down.
    pub(crate) fn tree(&self) -> Result<gix_index::hash::ObjectId, Unseen> {
        self.tree.ok_or(Unseen::NotLooked)
    }

    /// The repository's own folder, and the one that its work trees share.
    pub(crate) fn directories(&self) -> (PathBuf, PathBuf) {
        let common = bounded::read_text(&self.directory.join("commondir"))
            .map_or_else(|_| self.directory.clone(), |text| self.directory.join(text.trim()));
        (self.directory.clone(), common)
    }

    /// What isn't tracked below a folder; a folder without anything tracked is one entry.
    pub(crate) fn untracked(
        &self,
        folder: &Path,
        which: Untracked,
        limit: usize,
    ) -> Result<Vec<String>, Unseen> {
        let mut found = Vec::new();
        let mut budget = MOST_LOOKED_AT;
        let mut todo = vec![folder.to_path_buf()];
        while let Some(folder) = todo.pop() {
            use std::os::unix::ffi::OsStrExt as _;
            for entry in std::fs::read_dir(&folder).map_err(|_| Unseen::Unreadable)? {
                let entry = entry.map_err(|_| Unseen::Unreadable)?;
                budget = budget.checked_sub(1).ok_or(Unseen::TooLarge)?;
                let path = entry.path();
                let name = path.strip_prefix(&self.work).map_err(|_| Unseen::Missing)?.as_os_str().as_bytes();
                if name == b".git" || self.tracked.contains_key(name) {
                    continue;
                }
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if is_folder && self.folders.contains(name) {
                    todo.push(path);
                    continue;
                }
                let taken = match (which, self.is_ignored(&path)) {
                    (Untracked::AndIgnored, _)
                    | (Untracked::NotIgnored, false)
                    | (Untracked::OnlyIgnored, true) => true,
                    // What it ignores may lie deeper.
                    (Untracked::OnlyIgnored, false) => {
                        if is_folder {
                            todo.push(path.clone());
                        }
                        false
                    }
                    (Untracked::NotIgnored, true) => false,
                };
                // git clean leaves a repository inside alone unless `-f` is given twice.
                if taken && !(is_folder && path.join(".git").exists()) {
                    found.push(path.to_str().ok_or(Unseen::Unreadable)?.to_owned());
                }
            }
            if found.len() > limit {
                return Err(Unseen::TooLarge);
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// By the ignore files from the top down to the path; a folder that is ignored takes everything below along.
    fn is_ignored(&self, path: &Path) -> bool {
        let Ok(below) = path.strip_prefix(&self.work) else { return false };
        let mut files = vec![
            self.rules(&self.work, &[self.directory.join("info/exclude"), self.work.join(".gitignore")]),
        ];
        let mut at = self.work.clone();
        let parts: Vec<_> = below.components().collect();
        for (index, part) in parts.iter().enumerate() {
            at.push(part);
            let is_folder = index + 1 < parts.len() || at.is_dir();
            let decided = files
                .iter()
                .rev()
                .map(|rules| rules.matched(&at, is_folder))
                .find(|matched| !matched.is_none());
            if decided.is_some_and(|matched| matched.is_ignore()) {
                return true;
            }
            if is_folder && index + 1 < parts.len() && at.join(".gitignore").is_file() {
                files.push(self.rules(&at, &[at.join(".gitignore")]));
            }
        }
        false
    }

    fn rules(&self, base: &Path, files: &[PathBuf]) -> Gitignore {
        let mut builder = GitignoreBuilder::new(base);
        for file in files {
            let text = bounded::read_text(file).unwrap_or_default();
            for line in text.lines() {
                // A pattern that can't be read ignores nothing.
                let _ = builder.add_line(Some(file.clone()), line);
            }
        }
        builder.build().unwrap_or_else(|_| Gitignore::empty())
    }

    /// URL of a remote, from the repository's own config.
    pub(crate) fn remote_url(&self, remote: &str) -> Result<String, Unseen> {
        let common = bounded::read_text(&self.directory.join("commondir"))
            .map_or_else(|_| self.directory.clone(), |text| self.directory.join(text.trim()));
        let text = bounded::read_text(&common.join("config")).map_err(|_| Unseen::Missing)?;
        let wanted = format!("[remote \"{remote}\"]");
        text.lines()
            .skip_while(|line| line.trim() != wanted)
            .skip(1)
            .take_while(|line| !line.trim_start().starts_with('['))
            .filter_map(|line| line.split_once('='))
            .find(|(key, _)| key.trim() == "url")
            .map(|(_, url)| url.trim().to_owned())
            .ok_or(Unseen::Missing)
    }
}

impl Entry {
    /// Same size and time: what git itself takes for unchanged without reading.
    fn fits(self, meta: &std::fs::Metadata) -> bool {
        let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let size_fits = u64::from(self.size) == meta.len() & u64::from(u32::MAX);
        size_fits
            && modified.is_some_and(|since| {
                since.as_secs() & u64::from(u32::MAX) == u64::from(self.seconds)
                    && (self.nanoseconds == 0 || since.subsec_nanos() == self.nanoseconds)
            })
    }
}

pub(crate) fn git_directory(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    let meta = std::fs::symlink_metadata(&git).ok()?;
    if meta.is_dir() {
        return Some(git);
    }
    if !meta.is_file() || meta.len() > 4096 {
        return None;
    }
    let text = bounded::read_text(&git).ok()?;
    Some(folder.join(text.strip_prefix("gitdir:")?.trim()))
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}

fn folders_of(name: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    name.iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'/')
        .filter_map(|(at, _)| name.get(..at).map(<[u8]>::to_vec))
}

/// What of the index is needed.
struct Parsed {
    tracked: HashMap<Vec<u8>, Entry>,
    /// Repositories that it holds as links.
    links: Vec<Vec<u8>>,
    tree: Option<gix_index::hash::ObjectId>,
}

fn parse(bytes: &[u8]) -> Option<Parsed> {
    let options = gix_index::decode::Options { alloc_limit_bytes: Some(ALLOCATED), ..Default::default() };
    let now = filetime::FileTime::zero();
    let (index, _) = gix_index::State::from_bytes(bytes, now, gix_index::hash::Kind::Sha1, options).ok()?;
    let mut files = HashMap::with_capacity(index.entries().len());
    let mut links = Vec::new();
    for entry in index.entries() {
        let name = entry.path(&index).to_vec();
        if entry.mode == gix_index::entry::Mode::COMMIT {
            links.push(name.clone());
        }
        let stat = entry.stat;
        files
            .insert(name, Entry { seconds: stat.mtime.secs, nanoseconds: stat.mtime.nsecs, size: stat.size });
    }
    let written = index.tree().filter(|tree| {
        tree.num_entries
            .is_some_and(|count| usize::try_from(count).is_ok_and(|count| count == index.entries().len()))
    });
    let tree = written.map(|tree| tree.id);
    Some(Parsed { tracked: files, links, tree })
}
