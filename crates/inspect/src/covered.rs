//! What a person's yes covers beside the call itself: the content of every file that was read for the verdict, that the
//! call copies, patches in or runs, and of what those files name in turn: modules, included makefiles, sourced scripts,
//! and the settings of the programs that it runs. A yes counts for the same content only.
//!
//! Followed by names, not by grammars: whatever a followed text names and is a file beside it or in the working folder
//! counts. So a file too many may be covered, and an import of any language is.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use doorward_core::effect::Inspected;
use doorward_core::id::Digest;
use doorward_core::intent::Certainty;
use doorward_core::tool::ToolClass;
use doorward_core::world::{FileKind, Unseen};
use doorward_paths::lexical;

use crate::Inspector;

/// Files that are looked at.
const MOST_FILES: usize = 256;
/// Bytes of one file.
const FILE_LIMIT: u64 = 256 << 10;
/// Names of one file that are tried.
const MOST_NAMES: usize = 2_048;
/// Operands of one command that are looked at.
const MOST_WORDS: usize = 256;
/// Names of a folder that is copied or read whole.
const MOST_IN_FOLDER: usize = 128;
/// Names of a folder that texts are compared with.
const MOST_ENTRIES: usize = 4_096;
/// Stands for what wasn't followed any more.
const MORE: &str = "…";

/// Endings under which languages look for what a text names without one.
const ENDINGS: &[&str] = &[
    "",
    ".py",
    "/__init__.py",
    ".js",
    ".mjs",
    ".cjs",
    ".ts",
    ".tsx",
    ".jsx",
    ".json",
    "/index.js",
    "/index.ts",
    ".rb",
    ".pl",
    ".pm",
    ".php",
    ".sh",
    ".mk",
    ".lua",
    ".rs",
    "/mod.rs",
    ".go",
    ".toml",
    ".yml",
    ".yaml",
];

/// Files of a working folder that decide what ordinary commands run there.
const SETTINGS: &[&str] = &[
    ".cargo/config.toml",
    ".git/config",
    ".npmrc",
    ".pre-commit-config.yaml",
    ".yarnrc.yml",
    "Cargo.toml",
    "GNUmakefile",
    "Makefile",
    "Rakefile",
    "Taskfile.yml",
    "build.gradle",
    "build.rs",
    "composer.json",
    "conftest.py",
    "deno.json",
    "docker-compose.yml",
    "go.mod",
    "jest.config.js",
    "justfile",
    "makefile",
    "meson.build",
    "noxfile.py",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "pytest.ini",
    "setup.cfg",
    "setup.py",
    "sitecustomize.py",
    "tox.ini",
    "tsconfig.json",
    "vite.config.js",
    "vite.config.ts",
    "vitest.config.ts",
    "webpack.config.js",
];

/// Openings of what loads another file, and is followed where a literal name comes next.
const LOADS: &[&str] =
    &["import_module(", "__import__(", "require(", "import(", "load_source(", "run_path(", "dofile("];
/// First words of a line that loads a file by the words behind them.
const LOAD_WORDS: &[&str] = &["source", ".", "include", "-include", "sinclude", "require", "require_once"];

/// Digest over the content that a yes to this call covers, `None` where it covers no file; and whether something of it
/// couldn't be followed to its end.
#[must_use]
pub fn covered(inspector: &Inspector, inspected: &Inspected) -> (Option<Digest>, bool) {
    let mut following = Following {
        inspector,
        seen: BTreeMap::new(),
        waiting: VecDeque::new(),
        known: BTreeSet::new(),
        folders: BTreeMap::new(),
        unfollowed: false,
    };
    let (call, effects) = (&inspected.call, &inspected.effects);
    let cwd = call.cwd.as_str();
    for file in &effects.judged_files {
        following.add(&file.path, true);
    }
    for read in effects.reads.iter().filter(|read| !read.metadata && read.certainty == Certainty::Exact) {
        // A look at the whole working folder isn't what a yes is about.
        if !lexical::is_within(cwd, &read.path) {
            following.add(&read.path, false);
        }
    }
    if matches!(call.class(), ToolClass::Execute) && !effects.executes.is_empty() {
        for name in SETTINGS {
            following.add(&lexical::join(cwd, name), true);
        }
        // Whatever an operand names: programs that no table knows load files too.
        for command in &effects.executes {
            let folder = lexical::join(cwd, &command.folder);
            let words = command.words.iter().filter(|word| !word.starts_with('-')).take(MOST_WORDS);
            for place in words.map(|word| lexical::join(&folder, word)) {
                if matches!(inspector.world().kind(&place), Ok(FileKind::File(_) | FileKind::Link)) {
                    following.add(&place, true);
                }
            }
        }
    }
    following.follow(cwd);
    let (seen, unfollowed) = (following.seen, following.unfollowed);
    let text: String = seen.iter().map(|(path, content)| format!("{path}\0{content}\n")).collect();
    ((!seen.is_empty()).then(|| Digest::of(text.as_bytes())), unfollowed)
}

/// Whether a text that runs loads something whose name only its run knows.
fn loads_by_a_computed_name(text: &str) -> bool {
    let computed = |opening: &&str| {
        text.match_indices(opening).any(|(at, _)| {
            let rest = text.get(at + opening.len()..).unwrap_or_default().trim_start();
            rest.starts_with(|next: char| next.is_alphabetic() || matches!(next, '_' | '$' | '(' | '`' | '@'))
        })
    };
    let by_variable = |line: &str| {
        let mut words = line.split_whitespace();
        words.next().is_some_and(|word| LOAD_WORDS.contains(&word)) && words.any(|word| word.contains('$'))
    };
    LOADS.iter().any(computed) || text.lines().any(by_variable)
}

struct Following<'i> {
    inspector: &'i Inspector,
    /// By path, the digest of the content or why there is none.
    seen: BTreeMap<String, String>,
    waiting: VecDeque<(String, bool)>,
    known: BTreeSet<String>,
    /// Names in folders that were looked at.
    folders: BTreeMap<String, Option<Rc<BTreeSet<String>>>>,
    /// A bound was reached, or a text loads what only its run knows.
    unfollowed: bool,
}

impl Following<'_> {
    /// Another path. `runs`: what the file names may be loaded with it.
    fn add(&mut self, path: &str, runs: bool) {
        if path.starts_with('/') && self.known.insert(path.to_owned()) {
            self.waiting.push_back((path.to_owned(), runs));
        }
    }

    fn follow(&mut self, cwd: &str) {
        while let Some((path, runs)) = self.waiting.pop_front() {
            if self.seen.len() >= MOST_FILES {
                self.seen.insert(MORE.to_owned(), String::new());
                self.unfollowed = true;
                return;
            }
            match self.inspector.world().kind(&path) {
                Ok(FileKind::File(_)) => self.file(&path, runs, cwd),
                Ok(FileKind::Directory) => self.folder(&path),
                Ok(FileKind::Link) => {
                    if let Ok(real) = self.inspector.world().real_path(&path) {
                        self.seen.insert(path, real.clone());
                        self.add(&real, runs);
                    }
                }
                _ => {}
            }
        }
    }

    fn file(&mut self, path: &str, runs: bool, cwd: &str) {
        let text = match self.inspector.world().read_text(path, FILE_LIMIT) {
            Ok(text) => text,
            Err(Unseen::NotLooked) => return,
            // Not a text, or too long: that it is there is all that can be said.
            Err(why) => {
                self.seen.insert(path.to_owned(), format!("{why:?}"));
                self.unfollowed |= runs;
                return;
            }
        };
        self.seen.insert(path.to_owned(), Digest::of(text.as_bytes()).to_string());
        if !runs {
            return;
        }
        self.unfollowed |= loads_by_a_computed_name(&text) || words(&text).nth(MOST_NAMES).is_some();
        let folder = path.rsplit_once('/').map_or("/", |(folder, _)| folder).to_owned();
        for base in [folder.as_str(), cwd] {
            let there = self.entries(base);
            for candidate in names(&text).into_iter().flat_map(candidates) {
                let first = candidate.trim_start_matches("./").split('/').next().unwrap_or_default();
                let place = lexical::join(base, &candidate);
                let may_be =
                    candidate.starts_with("..") || there.as_ref().is_none_or(|there| there.contains(first));
                if may_be
                    && !self.known.contains(&place)
                    && matches!(self.inspector.world().kind(&place), Ok(FileKind::File(_) | FileKind::Link))
                {
                    self.add(&place, true);
                }
            }
        }
    }

    /// The names in a folder; `None` where they can't be had, so that every name is tried.
    fn entries(&mut self, folder: &str) -> Option<Rc<BTreeSet<String>>> {
        if let Some(known) = self.folders.get(folder) {
            return known.clone();
        }
        let names = self.inspector.world().names(folder, MOST_ENTRIES).ok();
        let names = names.map(|names| Rc::new(names.into_iter().collect()));
        self.folders.insert(folder.to_owned(), names.clone());
        names
    }

    fn folder(&mut self, path: &str) {
        match self.inspector.world().names(path, MOST_IN_FOLDER) {
            Ok(names) => {
                for name in names {
                    self.add(&lexical::join(path, &name), false);
                }
            }
            Err(why) => drop(self.seen.insert(path.to_owned(), format!("{why:?}"))),
        }
    }
}

/// Words of a text that could name a file or a module.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let word = |ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '-' | '.' | '/');
    let words = text.split(move |ch| !word(ch)).map(|word| word.trim_end_matches('.'));
    words.filter(|word| (1..=128).contains(&word.len()))
}

/// The first of them, each once.
fn names(text: &str) -> BTreeSet<&str> {
    words(text).take(MOST_NAMES).collect()
}

/// The places that a word could mean below a folder: as it stands, and dots as folders.
fn candidates(name: &str) -> Vec<String> {
    let plain = ENDINGS.iter().map(|ending| format!("{name}{ending}"));
    let module = name.trim_start_matches('.').replace('.', "/");
    let is_module = !name.contains('/') && module != name && !module.is_empty();
    let dotted = ENDINGS.iter().filter(|ending| !ending.is_empty()).map(|ending| format!("{module}{ending}"));
    if is_module { plain.chain(dotted).collect() } else { plain.collect() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{MapWorld, example_call};

    /// The digest of a call in a world of these files.
    fn of(command: &str, files: &[(&str, &str)]) -> Option<Digest> {
        let world = files.iter().fold(MapWorld::new(), |world, (path, text)| world.file(*path, *text));
        let inspector = Inspector::new(Arc::new(world));
        let call = example_call("shell:execute", "command", command).unwrap();
        let inspected = inspector.take(call, Arc::default(), &Default::default());
        covered(&inspector, &inspected).0
    }

    #[test]
    fn a_change_of_anything_that_would_run_or_be_copied_is_another_call() {
        type Row = (&'static str, &'static [(&'static str, &'static str)], &'static str);
        let rows: &[Row] = &[
            ("python3 a.py", &[("a.py", "import helper\nhelper.go()"), ("helper.py", "x = 1")], "helper.py"),
            (
                "python3 a.py",
                &[("a.py", "from lib.deep import go"), ("lib/deep.py", "import more"), ("lib/more.py", "x")],
                "lib/more.py",
            ),
            ("node a.js", &[("a.js", "require('./other')"), ("other.js", "1")], "other.js"),
            ("node a.mjs", &[("a.mjs", "import x from './x.mjs'"), ("x.mjs", "1")], "x.mjs"),
            (
                "make all",
                &[("Makefile", "include rules.mk\nall:\n\techo"), ("rules.mk", "x: \n")],
                "rules.mk",
            ),
            ("bash a.sh", &[("a.sh", ". ./env.sh\n"), ("env.sh", "x=1")], "env.sh"),
            ("cp new.sh run.sh", &[("new.sh", "echo 1"), ("run.sh", "echo 0")], "new.sh"),
            ("git apply fix.patch", &[("fix.patch", "--- a\n+++ b\n")], "fix.patch"),
            (
                "npm test",
                &[("package.json", "{\"scripts\": {\"test\": \"node t.js\"}}"), ("t.js", "1")],
                "t.js",
            ),
            ("pytest", &[("conftest.py", "x = 1"), ("pyproject.toml", "[tool.pytest]")], "conftest.py"),
            ("ruby a.rb", &[("a.rb", "require_relative 'b'"), ("b.rb", "puts 1")], "b.rb"),
        ];
        for (command, files, changed) in rows {
            let at = |path: &str| format!("/workspace/{path}");
            let named: Vec<(String, &str)> = files.iter().map(|(path, text)| (at(path), *text)).collect();
            let plain: Vec<(&str, &str)> = named.iter().map(|(path, text)| (path.as_str(), *text)).collect();
            let before = of(command, &plain);
            assert!(before.is_some(), "{command}");
            assert_eq!(before, of(command, &plain), "{command}: the same content");
            let name = at(changed);
            let other: Vec<(&str, &str)> = plain
                .iter()
                .map(
                    |(path, text)| {
                        if *path == name { (*path, "something else entirely") } else { (*path, *text) }
                    },
                )
                .collect();
            assert_ne!(before, of(command, &other), "{command}: {changed} changed");
            let mut more = plain.clone();
            more.push(("/workspace/notes.md", "nobody names this"));
            assert_eq!(before, of(command, &more), "{command}: what nothing names doesn't matter");
        }
    }
}
