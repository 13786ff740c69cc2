//! What the caller knows beforehand. Everything is optional: what isn't told is unknown, never assumed safe.

use std::collections::BTreeMap;
use std::fmt;

use crate::programs::Tools;

/// What the analysis may take as given.
#[derive(Debug, Clone)]
pub struct Options<'w> {
    /// Home folder of the user the command would run as.
    pub home: Option<String>,
    /// Absolute working folder; lets `$PWD` be known. Paths in the intent stay relative to it.
    pub cwd: Option<String>,
    /// Variables exported in a persistent shell by earlier calls.
    pub variables: BTreeMap<String, String>,
    /// Functions defined by earlier calls: name to body text (`{ …; }` included or not).
    pub functions: BTreeMap<String, String>,
    /// Aliases defined by earlier calls.
    pub aliases: BTreeMap<String, String>,
    /// All names in the working folder, for globs; empty when they weren't looked up or are too many.
    pub names: Vec<String>,
    /// Content of files that earlier calls wrote, by path as an operand of this call would name it.
    pub files: BTreeMap<String, String>,
    /// The client's shell is zsh: `=cmd` and unsplit variables are its own.
    pub zsh: bool,
    /// Positional parameters; `None` for a file whose arguments aren't known.
    pub arguments: Option<Vec<String>>,
    /// The file that the text stands in.
    pub script: Option<String>,
    /// Programs that the user, the administrator or the project described.
    pub tools: Tools,
    /// Which folders are there: decides whether a `cd` may fail.
    pub folders: Folders<'w>,
    /// Where the text starts, relative to `cwd` unless absolute: a script's folder is its caller's. Empty is `cwd`
    /// itself, `…` a folder that isn't known.
    pub starts_in: String,
    /// Steps of analysis in depth; past them every command is still listed, with `shell.too_deep`.
    pub nodes: u32,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            home: None,
            cwd: None,
            variables: BTreeMap::new(),
            functions: BTreeMap::new(),
            aliases: BTreeMap::new(),
            names: Vec::new(),
            files: BTreeMap::new(),
            zsh: false,
            arguments: Some(Vec::new()),
            script: None,
            tools: Tools::default(),
            folders: Folders::default(),
            starts_in: String::new(),
            nodes: 20_000,
        }
    }
}

/// What stands at a path, as far as it matters to `cd` and `mkdir`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// A folder that the command's user may enter.
    Folder,
    /// Nothing.
    Nothing,
    /// Something else, or nobody knows.
    Unknown,
}

/// What answers a question about an absolute path.
type PathAsked<'w, T> = &'w (dyn Fn(&str) -> T + Sync);

/// Asks about absolute paths. Without anybody to ask nothing is known.
#[derive(Clone, Copy, Default)]
pub struct Folders<'w> {
    standing: Option<PathAsked<'w, Standing>>,
    work_tree: Option<PathAsked<'w, Option<String>>>,
}

impl<'w> Folders<'w> {
    /// Asks `standing` what is at an absolute path.
    #[must_use]
    pub fn known_by(standing: PathAsked<'w, Standing>) -> Self {
        Self { standing: Some(standing), work_tree: None }
    }

    /// Asks `work_tree` for the top folder of the repository that a folder lies in.
    #[must_use]
    pub fn in_repositories(self, work_tree: PathAsked<'w, Option<String>>) -> Self {
        Self { work_tree: Some(work_tree), ..self }
    }

    /// The top folder of the repository that a folder lies in.
    pub(crate) fn work_tree(&self, folder: &str) -> Option<String> {
        self.work_tree.and_then(|work_tree| work_tree(folder))
    }

    /// Whether there surely is a folder of this absolute path.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.at(path) == Standing::Folder
    }

    /// Whether nothing of this path keeps `mkdir` from making a folder there, or one is there already.
    pub(crate) fn may_make(&self, path: &str) -> bool {
        self.at(path) != Standing::Unknown
    }

    fn at(&self, path: &str) -> Standing {
        self.standing.map_or(Standing::Unknown, |standing| standing(path))
    }
}

impl fmt::Debug for Folders<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.standing.is_some() { "Folders(known)" } else { "Folders(unknown)" })
    }
}
