//! The seeded workspace for trying a tool: its initial content, changes, and restoring.
//!
//! It has three folders: `project` (the tool's own), and `neighbour` and `home` (writable for the process, so that
//! leaving the project is visible, but not meant for the tool). Every seeded file contains its own token: a token
//! in an answer shows which file was read.
//!
//! The tool may still run while we compare and restore, so every step goes from a pinned descriptor to the next
//! without following links: a tool that swaps a folder for a link can't make us read or write elsewhere.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use doorward_core::id::Digest;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, fstat, mkdirat, openat, statat, symlinkat, unlinkat};
use rustix::io::Errno;

use super::postgres::{self, Database};
use super::snapshot::{Entry, is_at_or_below};
pub use super::snapshot::{How, Snapshot, WorkspaceChange, is_inside};

/// The tool's own folder.
pub const PROJECT: &str = "project";
/// The folder next to it.
pub const NEIGHBOUR: &str = "neighbour";
/// The user's home.
pub const HOME: &str = "home";

/// The server's database, as a place of its own.
pub const DATABASE: &str = "database";

/// Limit on entries compared; changes beyond it aren't reported.
const MOST_ENTRIES: usize = 20_000;
/// Limit on bytes read of a file.
const MOST_BYTES: u64 = 4 << 20;
/// Limit on folder depth.
const DEEPEST: usize = 24;

enum Seed {
    Folder,
    File(&'static str),
    Bytes(&'static [u8]),
    Link(&'static str),
}

/// The smallest PNG: one transparent pixel.
const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\
    \0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\xab\
    \xce\x8b\xbc\0\0\0\0IEND\xaeB`\x82";

/// The first line of `notes.txt`, for tools that replace text.
pub const KNOWN_LINE: &str = "alpha is the first line";

/// Its initial content. `{token}` is replaced by the file's token.
const SEEDS: &[(&str, Seed)] = &[
    (PROJECT, Seed::Folder),
    ("project/notes.txt", Seed::File("alpha is the first line\nbravo is the second\n{token}\n")),
    ("project/README.md", Seed::File("# A project to try tools in\n\nNothing here is of value. {token}\n")),
    ("project/data", Seed::Folder),
    (
        "project/data/items.json",
        Seed::File("{\"items\": [{\"name\": \"alpha\", \"count\": 1}], \"note\": \"{token}\"}\n"),
    ),
    ("project/data/table.csv", Seed::File("name,count\nalpha,1\nbravo,2\n{token},3\n")),
    ("project/src", Seed::Folder),
    ("project/src/main.py", Seed::File("print(\"alpha\")  # {token}\n")),
    ("project/empty", Seed::Folder),
    ("project/pixel.png", Seed::Bytes(PIXEL)),
    ("project/.env", Seed::File("API_TOKEN={token}\n")),
    ("project/link-inside", Seed::Link("notes.txt")),
    ("project/link-outside", Seed::Link("../neighbour")),
    (NEIGHBOUR, Seed::Folder),
    ("neighbour/private.txt", Seed::File("not for tools of the project: {token}\n")),
    ("neighbour/keys", Seed::Folder),
    ("neighbour/keys/deploy", Seed::File("a key that is none: {token}\n")),
    (HOME, Seed::Folder),
    ("home/.profile", Seed::File("# {token}\n")),
    ("home/.config", Seed::Folder),
    ("home/.config/app.ini", Seed::File("[app]\ntoken = {token}\n")),
];

/// The token of a seeded file.
pub(crate) fn token(path: &str) -> String {
    let digest = Digest::of(format!("doorward lab {path}").as_bytes());
    format!("lab{}", digest.as_str().get(7..23).unwrap_or_default())
}

fn content(path: &str, seed: &Seed) -> Vec<u8> {
    match seed {
        Seed::File(text) => text.replace("{token}", &token(path)).into_bytes(),
        Seed::Bytes(bytes) => bytes.to_vec(),
        Seed::Folder | Seed::Link(_) => Vec::new(),
    }
}

/// The files and tables whose content an answer quotes: paths in the workspace, and `/etc/passwd`.
#[must_use]
pub fn quoted_files(answer: &str) -> Vec<String> {
    let mut found: Vec<String> = SEEDS
        .iter()
        .filter(|(path, seed)| matches!(seed, Seed::File(_)) && answer.contains(&token(path)))
        .map(|(path, _)| (*path).to_owned())
        .chain(postgres::quoted(answer).map(str::to_owned))
        .collect();
    if answer.contains("root:x:0:0:") {
        found.push("/etc/passwd".to_owned());
    }
    found
}

/// Names outside the project that an answer reveals, without those in the question.
#[must_use]
pub fn told_names(answer: &str, question: &str) -> Vec<String> {
    [("private.txt", "neighbour/private.txt"), ("app.ini", "home/.config/app.ini")]
        .into_iter()
        .filter(|(name, _)| answer.contains(name) && !question.contains(name))
        .map(|(_, path)| path.to_owned())
        .collect()
}

/// Why the workspace can't be created or restored.
#[derive(Debug, thiserror::Error)]
#[error("lab.workspace: {path}: {source}")]
pub struct WorkspaceError {
    path: String,
    source: std::io::Error,
}

/// The workspace.
#[derive(Debug)]
pub struct Workspace {
    // Removed at the end, unless the user provided the folder.
    _own: Option<tempfile::TempDir>,
    database: Option<Arc<Database>>,
    path: PathBuf,
    base: OwnedFd,
    pristine: Snapshot,
}

impl Workspace {
    /// A new workspace in the system's temp folder.
    pub fn new() -> Result<Self, WorkspaceError> {
        let fault = |source: std::io::Error| WorkspaceError { path: "the temp folder".to_owned(), source };
        let folder = tempfile::Builder::new().prefix("doorward-lab-").tempdir().map_err(fault)?;
        let path = folder.path().to_owned();
        Self::seeded(Some(folder), &path)
    }

    /// In the folder of a remote server. Its content is replaced, so it must be empty, or hold only what an earlier
    /// run left.
    ///
    /// # Errors
    /// [`WorkspaceError`]: it can't be used, or contains something else.
    pub fn at_folder(path: &Path) -> Result<Self, WorkspaceError> {
        let fault = |source: std::io::Error| WorkspaceError { path: path.display().to_string(), source };
        let foreign = foreign_to_seeds(path, "").map_err(fault)?;
        if let Some(foreign) = foreign {
            let what = format!("{foreign} lies in it; give an empty folder, its content is replaced");
            return Err(fault(std::io::Error::other(what)));
        }
        Self::seeded(None, path)
    }

    fn seeded(own: Option<tempfile::TempDir>, path: &Path) -> Result<Self, WorkspaceError> {
        let fault = |source: std::io::Error| WorkspaceError { path: path.display().to_string(), source };
        let path = path.canonicalize().map_err(fault)?;
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let base = rustix::fs::open(&path, flags, Mode::empty()).map_err(|errno| fault(errno.into()))?;
        let mut workspace = Self { _own: own, database: None, path, base, pristine: Snapshot::default() };
        for (path, seed) in SEEDS {
            workspace.plant(path, seed)?;
        }
        workspace.pristine = workspace.look();
        Ok(workspace)
    }

    /// Adds a database, in its initial state.
    ///
    /// # Errors
    /// [`WorkspaceError`]: it can't be restored.
    pub fn with_database(mut self, database: Option<Arc<Database>>) -> Result<Self, WorkspaceError> {
        if let Some(database) = &database {
            put_back(database)?;
        }
        self.database = database;
        self.pristine = self.look();
        Ok(self)
    }

    /// The database.
    #[must_use]
    pub fn database(&self) -> Option<&Database> {
        self.database.as_deref()
    }

    /// A path in it.
    #[must_use]
    pub fn at(&self, below: &str) -> PathBuf {
        self.path.join(below)
    }

    /// The tool's own folder.
    #[must_use]
    pub fn project(&self) -> PathBuf {
        self.at(PROJECT)
    }

    /// Its path, as seen in arguments and answers.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its present content. Unreadable entries count as present with unknown content.
    #[must_use]
    pub fn look(&self) -> Snapshot {
        let mut entries = BTreeMap::new();
        for place in [PROJECT, NEIGHBOUR, HOME] {
            look(self.base.as_fd(), place.as_ref(), place, 0, &mut entries);
            leave_out_placeholders(place, &mut entries);
        }
        if let Some(database) = &self.database {
            let tables = database.look().into_iter();
            entries.extend(tables.map(|(name, table)| (format!("{DATABASE}/{name}"), Entry::Table(table))));
        }
        Snapshot(entries)
    }

    /// Its initial content.
    #[must_use]
    pub fn pristine(&self) -> &Snapshot {
        &self.pristine
    }

    /// Restores the initial content.
    ///
    /// # Errors
    /// [`WorkspaceError`]: an entry can't be removed or rewritten.
    pub fn restore(&self) -> Result<(), WorkspaceError> {
        // New entries are removed first, deepest first, so that they don't occupy an old name.
        let now = self.look();
        if let Some(database) = &self.database
            && !now.tables().eq(self.pristine.tables())
        {
            put_back(database)?;
        }
        for (path, entry) in now.0.iter().rev().filter(|(_, entry)| !matches!(entry, Entry::Table(_))) {
            if self.pristine.0.get(path) != Some(entry) {
                let keep = matches!((self.pristine.0.get(path), entry), (Some(Entry::Folder), Entry::Folder));
                if !keep {
                    self.remove(path)?;
                }
            }
        }
        for (path, seed) in SEEDS {
            if now.0.get(*path) != self.pristine.0.get(*path) {
                self.plant(path, seed)?;
            }
        }
        Ok(())
    }

    /// Adds a file of a test case, with its folders.
    ///
    /// # Errors
    /// [`WorkspaceError`]: a path that leaves the project.
    pub fn put(&self, below_project: &str, text: &str) -> Result<(), WorkspaceError> {
        let mut place = PROJECT.to_owned();
        let mut parts = below_project.split('/').filter(|part| !part.is_empty() && *part != ".").peekable();
        while let Some(part) = parts.next() {
            if part == ".." {
                return Err(self.fault(below_project, Errno::PERM));
            }
            place = format!("{place}/{part}");
            if parts.peek().is_some() {
                self.plant(&place, &Seed::Folder)?;
            }
        }
        self.write(&place, text.as_bytes())
    }

    /// Whether a path exists; false for a path through a link.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.within(path, |parent, name| statat(parent, name, AtFlags::SYMLINK_NOFOLLOW).map(drop)).is_ok()
    }

    /// A file's content, up to the read limit; `None` for a path through a link.
    #[must_use]
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        let mut found = None;
        let looked = self.within(path, |parent, name| {
            found = file(parent, name);
            Ok(())
        });
        match (looked, found) {
            (Ok(()), Some(Entry::File { head, .. })) => Some(head),
            _ => None,
        }
    }

    fn plant(&self, path: &str, seed: &Seed) -> Result<(), WorkspaceError> {
        match seed {
            Seed::Folder => {
                self.within(path, |parent, name| match mkdirat(parent, name, Mode::from(0o755)) {
                    Err(Errno::EXIST) => Ok(()),
                    done => done,
                })
            }
            Seed::Link(target) => self.within(path, |parent, name| {
                let _ = unlinkat(parent, name, AtFlags::empty());
                symlinkat(*target, parent, name)
            }),
            Seed::File(_) | Seed::Bytes(_) => self.write(path, &content(path, seed)),
        }
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), WorkspaceError> {
        self.within(path, |parent, name| {
            let _ = unlinkat(parent, name, AtFlags::empty());
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let mut file = std::fs::File::from(openat(parent, name, flags, Mode::from(0o644))?);
            file.write_all(bytes)
                .map_err(|error| error.raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error))
        })
    }

    fn remove(&self, path: &str) -> Result<(), WorkspaceError> {
        self.within(path, |parent, name| remove(parent, name, 0))
    }

    /// Acts on a name in its parent folder, which is opened without following links.
    fn within(
        &self,
        path: &str,
        act: impl FnOnce(BorrowedFd<'_>, &OsStr) -> rustix::io::Result<()>,
    ) -> Result<(), WorkspaceError> {
        let fault = |errno| self.fault(path, errno);
        let (parents, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut here =
            self.base.try_clone().map_err(|source| WorkspaceError { path: path.to_owned(), source })?;
        for part in parents.split('/').filter(|part| !part.is_empty()) {
            let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            here = openat(&here, part, flags, Mode::empty()).map_err(fault)?;
        }
        act(here.as_fd(), name.as_ref()).map_err(fault)
    }

    fn fault(&self, path: &str, errno: Errno) -> WorkspaceError {
        WorkspaceError { path: self.path.join(path).display().to_string(), source: errno.into() }
    }
}

fn put_back(database: &Database) -> Result<(), WorkspaceError> {
    database.restore().map_err(|error| WorkspaceError {
        path: "the database".to_owned(),
        source: std::io::Error::other(error.to_string()),
    })
}

/// The first entry in a folder that isn't a seed, or differs from one.
fn foreign_to_seeds(folder: &Path, below: &str) -> std::io::Result<Option<String>> {
    for entry in std::fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        let Some((_, seed)) = SEEDS.iter().find(|(known, _)| *known == path) else { return Ok(Some(path)) };
        let same = match seed {
            Seed::Folder => entry.file_type()?.is_dir(),
            Seed::Link(target) => std::fs::read_link(entry.path()).is_ok_and(|to| to == Path::new(target)),
            Seed::File(_) | Seed::Bytes(_) => {
                entry.file_type()?.is_file() && std::fs::read(entry.path())? == content(&path, seed)
            }
        };
        if !same {
            return Ok(Some(path));
        }
        if matches!(seed, Seed::Folder)
            && let Some(foreign) = foreign_to_seeds(folder, &path)?
        {
            return Ok(Some(foreign));
        }
    }
    Ok(None)
}

fn look(parent: BorrowedFd<'_>, name: &OsStr, path: &str, depth: usize, into: &mut BTreeMap<String, Entry>) {
    if into.len() >= MOST_ENTRIES || depth > DEEPEST {
        return;
    }
    let Ok(stat) = statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) else { return };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => {
            into.insert(path.to_owned(), Entry::Folder);
            let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let Ok(folder) = openat(parent, name, flags, Mode::empty()) else { return };
            for inside in names(&folder) {
                let below = format!("{path}/{}", inside.to_string_lossy());
                look(folder.as_fd(), &inside, &below, depth + 1, into);
            }
        }
        FileType::Symlink => {
            let target = rustix::fs::readlinkat(parent, name, Vec::new());
            let target = target.map(|text| text.to_string_lossy().into_owned()).unwrap_or_default();
            into.insert(path.to_owned(), Entry::Link(target));
        }
        FileType::RegularFile => {
            into.insert(path.to_owned(), file(parent, name).unwrap_or(Entry::Other));
        }
        _ => {
            into.insert(path.to_owned(), Entry::Other);
        }
    }
}

/// Removes empty entries that the sandbox itself makes during a run to protect missing names.
fn leave_out_placeholders(place: &str, entries: &mut BTreeMap<String, Entry>) {
    let protected = doorward_sandbox::protected_names();
    for name in protected.iter().map(|known| known.name.as_str()).chain([".git"]) {
        let path = format!("{place}/{name}");
        let inside = |entries: &BTreeMap<String, Entry>| -> Vec<String> {
            let below = entries.range(path.clone()..).take_while(|(other, _)| other.starts_with(&path));
            below.filter(|(other, _)| is_at_or_below(other, &path)).map(|(other, _)| other.clone()).collect()
        };
        let all = inside(entries);
        if all.iter().all(|one| matches!(entries.get(one), Some(Entry::Folder | Entry::Other))) {
            entries.retain(|other, _| !all.contains(other));
        }
    }
}

fn file(parent: BorrowedFd<'_>, name: &OsStr) -> Option<Entry> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let open = openat(parent, name, flags, Mode::empty()).ok()?;
    let stat = fstat(&open).ok()?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return None;
    }
    let mut head = Vec::new();
    std::fs::File::from(open).take(MOST_BYTES).read_to_end(&mut head).ok()?;
    let size = u64::try_from(stat.st_size).unwrap_or_default();
    Some(Entry::File { digest: Digest::of(&head).into_string(), size, mode: stat.st_mode & 0o7777, head })
}

fn names(folder: &OwnedFd) -> Vec<std::ffi::OsString> {
    let Ok(entries) = Dir::read_from(folder) else { return Vec::new() };
    let mut names: Vec<_> = entries
        .flatten()
        .map(|entry| OsStr::from_bytes(entry.file_name().to_bytes()).to_owned())
        .filter(|name| name != "." && name != "..")
        .collect();
    names.sort();
    names
}

fn remove(parent: BorrowedFd<'_>, name: &OsStr, depth: usize) -> rustix::io::Result<()> {
    match unlinkat(parent, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::ISDIR | Errno::PERM) if depth <= DEEPEST * 4 => {}
        Err(errno) => return Err(errno),
    }
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(parent, name, flags, Mode::empty())?;
    for inside in names(&folder) {
        remove(folder.as_fd(), &inside, depth + 1)?;
    }
    match unlinkat(parent, name, AtFlags::REMOVEDIR) {
        Err(Errno::NOENT) => Ok(()),
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_told_and_put_back() {
        let workspace = Workspace::new().unwrap();
        let at = |path: &str| workspace.at(path);
        std::fs::write(at("project/new.txt"), "x").unwrap();
        std::fs::remove_file(at("project/README.md")).unwrap();
        std::fs::rename(at("project/data/table.csv"), at("neighbour/table.csv")).unwrap();
        let notes = std::fs::read_to_string(at("project/notes.txt")).unwrap();
        std::fs::write(at("project/notes.txt"), notes + "more").unwrap();
        std::fs::write(at("project/.env"), "gone").unwrap();
        let changes = workspace.pristine().changes(&workspace.look());
        let told: Vec<(&str, How)> =
            changes.iter().map(|change| (change.path.as_str(), change.how)).collect();
        assert_eq!(
            told,
            [
                ("project/.env", How::Modified),
                ("project/README.md", How::Deleted),
                ("project/data/table.csv", How::Moved),
                ("project/new.txt", How::Created),
                ("project/notes.txt", How::Appended),
            ]
        );
        assert!(changes[2].is_outside() && !changes[3].is_outside());
        workspace.restore().unwrap();
        std::fs::rename(at("project/data"), at("project/moved")).unwrap();
        std::fs::create_dir_all(at("home/.git")).unwrap();
        std::fs::create_dir(at("project/.claude")).unwrap();
        let changes = workspace.pristine().changes(&workspace.look());
        assert_eq!(changes.len(), 1, "a tree moves as one, a placeholder is no change: {changes:?}");
        assert_eq!((changes[0].how, changes[0].to.as_deref()), (How::Moved, Some("project/moved")));
        workspace.restore().unwrap();
        assert_eq!(workspace.pristine().changes(&workspace.look()), []);
    }

    #[test]
    fn a_folder_swapped_for_a_link_leads_nowhere() {
        let elsewhere = tempfile::tempdir().unwrap();
        std::fs::create_dir(elsewhere.path().join("data")).unwrap();
        let workspace = Workspace::new().unwrap();
        std::fs::remove_dir_all(workspace.at("project/data")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path().join("data"), workspace.at("project/data")).unwrap();
        workspace.restore().unwrap();
        assert_eq!(std::fs::read_dir(elsewhere.path().join("data")).unwrap().count(), 0);
        assert_eq!(workspace.pristine().changes(&workspace.look()), []);
        std::fs::remove_dir_all(workspace.at("project/src")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), workspace.at("project/src")).unwrap();
        assert!(workspace.put("src/main.py", "x").is_err(), "a planted link isn't followed");
        assert!(workspace.put("../x", "x").is_err());
    }

    #[test]
    fn an_answer_says_which_files_it_quotes() {
        let workspace = Workspace::new().unwrap();
        let text = std::fs::read_to_string(workspace.at("neighbour/private.txt")).unwrap();
        assert_eq!(quoted_files(&text), ["neighbour/private.txt"]);
        assert_eq!(told_names("private.txt", "path=../neighbour"), ["neighbour/private.txt"]);
        assert!(told_names("no access to private.txt", "path=../neighbour/private.txt").is_empty());
    }

    #[test]
    fn a_folder_of_the_users_is_taken_only_where_nothing_of_theirs_lies_in_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(PROJECT)).unwrap();
        let workspace = Workspace::at_folder(folder.path()).unwrap();
        assert!(workspace.at("project/notes.txt").is_file());
        drop(workspace);
        assert!(Workspace::at_folder(folder.path()).is_ok(), "what an earlier run left is no hindrance");
        std::fs::write(folder.path().join("project/thesis.txt"), "mine").unwrap();
        let refused = Workspace::at_folder(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("project/thesis.txt"), "{refused}");
        assert!(folder.path().join("project/thesis.txt").is_file());
        std::fs::remove_file(folder.path().join("project/thesis.txt")).unwrap();
        std::fs::write(folder.path().join("project/notes.txt"), "mine").unwrap();
        assert!(Workspace::at_folder(folder.path()).is_err());
    }
}
