//! Names of files that control tools, hooks or agents from outside the project's own build. Writing them needs care.
//!
//! Compared on the resolved path, component by component by [`key`], whether the file exists or not, also in nested
//! repositories. Reading is judged separately ([`crate::secret`]).
//!
//! This table is the only source of these names. It applies to file tools and commands. The sandbox prevents creating
//! or changing names of the classes `Deny` and `Own`, and reports changes of the class `Ask` with a run's outcome.

use std::path::{Path, PathBuf};

use doorward_core::effect::Protection;

use crate::glob;
use crate::key::{is_short_form, key, skeleton};

use Protection::{Ask, Deny, Own};

/// A row of the table: a name that is protected together with everything below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProtectedName {
    /// Consecutive components, in lower case.
    pub names: &'static [&'static str],
    /// Its class.
    pub class: Protection,
    /// Which program reads it, and why a change to it matters.
    pub why: &'static str,
}

const fn row(names: &'static [&'static str], class: Protection, why: &'static str) -> ProtectedName {
    ProtectedName { names, class, why }
}

/// The table. The longest matching row counts; of equal ones, the stricter.
pub const PROTECTED: &[ProtectedName] = &[
    row(&[".doorward"], Own, "Doorward's project folder"),
    row(&["doorward.toml"], Own, "Doorward's configuration"),
    // Includes the file form, `gitdir:`.
    row(&[".git"], Deny, "hooks, config and history of git"),
    row(&[".gitmodules"], Deny, "where submodules are fetched from"),
    row(&[".hg"], Deny, "hooks and configuration of Mercurial"),
    row(&[".jj"], Deny, "configuration of Jujutsu, which names programs"),
    row(&[".claude"], Deny, "settings and hooks of a coding agent"),
    row(&[".cursor"], Deny, "settings and MCP servers of a coding agent (CVE-2025-59944)"),
    row(&[".codex"], Deny, "settings and hooks of a coding agent"),
    row(&[".gemini"], Deny, "settings and hooks of a coding agent"),
    row(&[".qwen"], Deny, "settings and hooks of a coding agent"),
    row(&[".windsurf"], Deny, "settings and hooks of a coding agent"),
    row(&[".continue"], Deny, "settings of a coding agent"),
    row(&[".opencode"], Deny, "plug-ins and settings of a coding agent"),
    row(&[".openhands"], Deny, "hooks and setup scripts of a coding agent"),
    row(&[".kiro"], Deny, "hooks and MCP servers of a coding agent"),
    row(&[".roo"], Deny, "MCP servers of a coding agent"),
    row(&[".vscode"], Deny, "tasks and settings an editor runs"),
    row(&[".vscode", "settings.json"], Ask, "editor settings: programs it runs, what its agent may do"),
    row(&[".vscode", "extensions.json"], Ask, "extensions that the editor offers to install"),
    row(&[".idea"], Deny, "run configurations an editor runs"),
    row(&[".zed"], Deny, "tasks and settings an editor runs"),
    row(&[".devcontainer"], Deny, "commands run on the host when a container opens"),
    row(&[".husky"], Deny, "git hooks"),
    row(&[".mcp.json"], Deny, "servers a client starts"),
    row(&[".envrc"], Deny, "shell code direnv runs on entry"),
    row(&[".github", "workflows"], Ask, "code the forge runs"),
    row(&[".github", "actions"], Ask, "code the forge runs"),
    row(&[".github", "copilot-instructions.md"], Ask, "steers an agent"),
    row(&[".gitlab-ci.yml"], Ask, "code the forge runs"),
    row(&[".circleci"], Ask, "code the forge runs"),
    row(&[".pre-commit-config.yaml"], Ask, "hooks that run on commit"),
    row(&["lefthook.yml"], Ask, "git hooks"),
    row(&["lefthook.yaml"], Ask, "git hooks"),
    row(&[".lefthook.yml"], Ask, "git hooks"),
    row(&[".lefthook.yaml"], Ask, "git hooks"),
    row(&[".lefthook"], Ask, "git hooks"),
    row(&["lefthook-local.yml"], Ask, "git hooks"),
    row(&[".mise.toml"], Ask, "hooks and tools that mise runs on entry"),
    row(&[".mise.local.toml"], Ask, "hooks and tools that mise runs on entry"),
    row(&[".mise"], Ask, "hooks and tools that mise runs on entry"),
    row(&[".tool-versions"], Ask, "tools that asdf and mise run"),
    row(&[".bazelrc"], Ask, "programs and options bazel runs"),
    row(&[".cargo", "config.toml"], Ask, "wrappers and linkers cargo runs"),
    row(&[".cargo", "config"], Ask, "wrappers and linkers cargo runs"),
    row(&[".npmrc"], Ask, "registry, scripts and shell of npm"),
    row(&[".yarnrc"], Ask, "the yarn that is run"),
    row(&[".yarnrc.yml"], Ask, "the yarn that is run"),
    row(&[".pnpmfile.cjs"], Ask, "code pnpm runs"),
    row(&[".bashrc"], Ask, "start-up file"),
    row(&[".bash_profile"], Ask, "start-up file"),
    row(&[".bash_login"], Ask, "start-up file"),
    row(&[".bash_logout"], Ask, "start-up file"),
    row(&[".bash_aliases"], Ask, "start-up file"),
    row(&[".profile"], Ask, "start-up file"),
    row(&[".zshrc"], Ask, "start-up file"),
    row(&[".zshenv"], Ask, "start-up file"),
    row(&[".zprofile"], Ask, "start-up file"),
    row(&[".zlogin"], Ask, "start-up file"),
    row(&[".zlogout"], Ask, "start-up file"),
    row(&[".kshrc"], Ask, "start-up file"),
    row(&[".cshrc"], Ask, "start-up file"),
    row(&[".tcshrc"], Ask, "start-up file"),
    row(&[".login"], Ask, "start-up file"),
    row(&[".inputrc"], Ask, "key bindings that type commands"),
    row(&[".xprofile"], Ask, "start-up file"),
    row(&[".xinitrc"], Ask, "start-up file"),
    row(&[".xsession"], Ask, "start-up file"),
    row(&[".vimrc"], Ask, "code an editor runs"),
    row(&[".exrc"], Ask, "code an editor runs"),
    row(&[".nvim.lua"], Ask, "code an editor runs"),
    row(&[".nvimrc"], Ask, "code an editor runs"),
    row(&[".dir-locals.el"], Ask, "code an editor runs"),
    row(&[".gdbinit"], Ask, "code a debugger runs"),
    row(&[".lldbinit"], Ask, "code a debugger runs"),
    row(&[".pdbrc"], Ask, "code a debugger runs"),
    row(&[".irbrc"], Ask, "code an interpreter runs at its start"),
    row(&[".pryrc"], Ask, "code an interpreter runs at its start"),
    row(&[".rprofile"], Ask, "code an interpreter runs at its start"),
    row(&[".tmux.conf"], Ask, "commands a terminal runs"),
    row(&[".gitconfig"], Ask, "pagers, hooks and helpers git runs"),
    row(&[".config", "git"], Ask, "pagers, hooks and helpers git runs"),
    row(&[".config", "fish"], Ask, "start-up files"),
    row(&["claude.md"], Ask, "steers agents"),
    row(&["claude.local.md"], Ask, "steers agents"),
    row(&["agents.md"], Ask, "steers agents"),
    row(&["gemini.md"], Ask, "steers agents"),
    row(&[".cursorrules"], Ask, "steers agents"),
    row(&[".windsurfrules"], Ask, "steers agents"),
    row(&[".clinerules"], Ask, "steers agents"),
    row(&["sitecustomize.py"], Ask, "code every python of the environment runs"),
    row(&["usercustomize.py"], Ask, "code every python of the environment runs"),
];

/// The protection of a path by its components. `path` is relative to the root, or absolute.
#[must_use]
pub fn protection(path: &str) -> Option<Protection> {
    let keys: Vec<_> = components(path).map(key).collect();
    (0..keys.len())
        .filter_map(|from| best_row(&keys, from, names_match))
        .map(|row| row.class)
        .max_by_key(strictness)
}

/// Which program reads the protected file, and why a change to it matters.
#[must_use]
pub fn why(path: &str) -> Option<&'static str> {
    let keys: Vec<_> = components(path).map(key).collect();
    let rows = (0..keys.len()).filter_map(|from| best_row(&keys, from, names_match));
    rows.max_by_key(|row| strictness(&row.class)).map(|row| row.why)
}

/// Whether the path resembles a protected one by look-alike letters. At most a reason to ask.
#[must_use]
pub fn looks_protected(path: &str) -> bool {
    if path.is_ascii() {
        return false;
    }
    let shapes: Vec<String> =
        components(path).map(|name| skeleton(name).unwrap_or_else(|| key(name).into_owned())).collect();
    let skeletal = shapes.join("/");
    protection(path).is_none() && protection(&skeletal).is_some()
}

/// The protection that a path with wildcards or unknown parts (`…`) may have. The pattern must fix about half of the
/// protected name, so `.gi*` counts and `*` doesn't.
#[must_use]
pub fn possible_protection(pattern: &str) -> Option<Protection> {
    let keys: Vec<_> = components(pattern).map(|name| key(name).replace('…', "*").into()).collect();
    let rows = (0..keys.len()).flat_map(|from| rows_at(&keys, from, could_be));
    rows.map(|row| row.class).max_by_key(strictness)
}

fn could_be(own: &str, name: &str) -> bool {
    if !glob::is_pattern(own) {
        return names_match(own, name);
    }
    let weight = 2 * glob::fixed_characters(own) + own.matches('?').count();
    glob::matches_component(own, name) && weight >= name.chars().count()
}

const fn strictness(class: &Protection) -> u8 {
    match class {
        Ask => 0,
        Deny => 1,
        Own => 2,
    }
}

fn names_match(own: &str, name: &str) -> bool {
    own == name || (own.contains('~') && is_short_form(own, name))
}

/// The row for the names from a position on: the longest, and of equal ones the stricter.
fn best_row(
    keys: &[std::borrow::Cow<'_, str>],
    from: usize,
    fits: impl Fn(&str, &str) -> bool,
) -> Option<&'static ProtectedName> {
    rows_at(keys, from, fits).max_by_key(|row| (row.names.len(), strictness(&row.class)))
}

fn rows_at(
    keys: &[std::borrow::Cow<'_, str>],
    from: usize,
    fits: impl Fn(&str, &str) -> bool,
) -> impl Iterator<Item = &'static ProtectedName> {
    PROTECTED.iter().filter(move |row| {
        row.names
            .iter()
            .enumerate()
            .all(|(offset, name)| keys.get(from + offset).is_some_and(|own| fits(own, name)))
    })
}

fn components(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty() && *name != ".")
}

/// Doorward's own files and other protected locations known to the caller: absolute paths, each including its
/// content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnFiles {
    places: Vec<(PathBuf, Protection)>,
    names: Vec<(PathBuf, Protection)>,
}

impl OwnFiles {
    /// Empty, so only the table applies.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a location.
    #[must_use]
    pub fn with(mut self, place: impl Into<PathBuf>, class: Protection) -> Self {
        self.add(place, class);
        self
    }

    /// Adds a location.
    pub fn add(&mut self, place: impl Into<PathBuf>, class: Protection) {
        self.places.push((place.into(), class));
    }

    /// Adds a name, such as `deploy/prod.yaml`: protected in any folder, including everything below it.
    pub fn add_name(&mut self, name: impl Into<PathBuf>, class: Protection) {
        self.names.push((name.into(), class));
    }

    /// The class of a resolved absolute path, if it lies in one of the locations or below one of the names.
    #[must_use]
    pub fn protection(&self, real: &Path) -> Option<Protection> {
        let is_below = |name: &Path| {
            let wanted: Vec<_> = name.components().collect();
            let parts: Vec<_> = real.components().collect();
            !wanted.is_empty() && parts.windows(wanted.len()).any(|part| part == wanted)
        };
        let places = self.places.iter().filter(|(place, _)| real.starts_with(place));
        places
            .chain(self.names.iter().filter(|(name, _)| is_below(name)))
            .map(|(_, class)| *class)
            .max_by_key(strictness)
    }

    /// The class of the existing locations that a pattern with `**` matches. For a delete (`above`), also if it
    /// matches one of their parent folders. `is_there` tells whether a location exists.
    #[must_use]
    pub fn matched(&self, pattern: &str, above: bool, is_there: &dyn Fn(&str) -> bool) -> Option<Protection> {
        let fits = |place: &str| {
            let matches = if above { glob::matches_path_or_above } else { glob::matches_path };
            matches(pattern, place) && is_there(place)
        };
        let places = self.places.iter().filter(|(place, _)| place.to_str().is_some_and(fits));
        places.map(|(_, class)| *class).max_by_key(strictness)
    }

    /// The class of a location inside `folder`; moving or deleting the folder moves or deletes it too.
    #[must_use]
    pub fn inside(&self, folder: &Path) -> Option<Protection> {
        self.places
            .iter()
            .filter(|(place, _)| place.starts_with(folder))
            .map(|(_, class)| *class)
            .max_by_key(strictness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_protected_wherever_they_stand_and_however_they_are_spelled() {
        for (path, expected) in [
            (".git/config", Some(Deny)),
            ("vendor/lib/.git", Some(Deny)),
            (".GIT/x", Some(Deny)),
            ("git~1/config", Some(Deny)),
            (".git::$INDEX_ALLOCATION/config", Some(Deny)),
            (".github/workflows/ci.yml", Some(Ask)),
            (".github/FUNDING.yml", None),
            (".vscode/settings.json", Some(Ask)),
            (".vscode/Settings.json", Some(Ask)),
            (".vscode/settings.json/x", Some(Ask)),
            (".vscode/tasks.json", Some(Deny)),
            (".vscode", Some(Deny)),
            (".git/.vscode/settings.json", Some(Deny)),
            (".cargo/config.toml", Some(Ask)),
            (".cargo/registry", None),
            ("CLAUDE.md", Some(Ask)),
            (".openhands/hooks.json", Some(Deny)),
            ("openhands/hooks.json", None),
            ("doorward.toml", Some(Own)),
            (".doorward/ledger", Some(Own)),
            (".gitignore", None),
            (".gitattributes", None),
            ("git/config", None),
            ("package.json", None),
            ("Makefile", None),
            ("conftest.py", None),
            ("build.rs", None),
            ("a/.git/../x", Some(Deny)),
        ] {
            assert_eq!(protection(path), expected, "{path}");
        }
        assert!(looks_protected(".gıt/config"));
        assert!(!looks_protected("straße/x"));
    }

    #[test]
    fn a_pattern_has_the_worst_of_what_it_could_match() {
        assert_eq!(possible_protection(".gi*/hooks/x"), Some(Deny));
        assert_eq!(possible_protection("…"), None, "a leading dot has to be written");
        assert_eq!(possible_protection("*.rs"), None);
        assert_eq!(possible_protection("*"), None);
        assert_eq!(possible_protection("*.toml"), None);
        assert_eq!(possible_protection(".clau*/x"), Some(Deny));
        assert_eq!(
            possible_protection(".vscode/setting*.json"),
            Some(Deny),
            "it fits other files there, too"
        );
    }

    #[test]
    fn own_files_reach_below_and_above() {
        let own = OwnFiles::new().with("/home/u/.local/state/doorward", Own);
        assert_eq!(own.protection(Path::new("/home/u/.local/state/doorward/ledger")), Some(Own));
        assert_eq!(own.protection(Path::new("/home/u/.local/state/doorwards")), None);
        assert_eq!(own.inside(Path::new("/home/u/.local")), Some(Own));
    }
}
