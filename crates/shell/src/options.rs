//! What the caller knows beforehand. Everything is optional: what isn't told is unknown, never assumed safe.

use std::collections::BTreeMap;

use crate::programs::Tools;

/// What the analysis may take as given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
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
    /// Names in the working folder, for globs; empty when not looked up.
    pub names: Vec<String>,
    /// Content of files that earlier calls wrote, by path as an operand of this call would name it.
    pub files: BTreeMap<String, String>,
    /// The client's shell is zsh: `=cmd` and unsplit variables are its own.
    pub zsh: bool,
    /// Positional parameters; `None` for a file whose arguments aren't known.
    pub arguments: Option<Vec<String>>,
    /// Programs that the user, the administrator or the project described.
    pub tools: Tools,
    /// Steps of analysis in depth; past them every command is still listed, with `shell.too_deep`.
    pub nodes: u32,
}

impl Default for Options {
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
            tools: Tools::default(),
            nodes: 20_000,
        }
    }
}
