//! Files on disk that a command picks up by itself, other than those that git held as they are before the session: they
//! came with an archive, a download or another program, and nobody looked at them.
//!
//! Looked for in the command's folder, in the folders above it up to the repository's own, and where its words lead.
//! Bounded in folders, names and files.

use std::collections::BTreeMap;

use doorward_core::intent::SimpleCommand;
use doorward_core::session::WrittenFile;
use doorward_core::world::{FileKind, VcsState};
use doorward_paths::lexical;

use super::rows::OnDisk;
use super::{CommandWords, Picked, is_like};
use crate::place::CallContext;

/// A file larger than this isn't read.
const FILE_LIMIT: u64 = 256 << 10;
/// Names of a folder that patterns are compared with.
const MOST_NAMES: usize = 4096;
/// Files that are looked at for one command.
const MOST_FILES: usize = 24;
/// Folders that are looked at for one command.
const MOST_PLACES: usize = 16;
/// Words of a file of settings that may name another file.
const MOST_MENTIONS: usize = 128;
/// Settings longer than this name no files that are looked at.
const LONGEST_SETTINGS: usize = 64 << 10;
/// Languages of files that say in settings what else is loaded.
const SETTINGS: &[&str] = &["ant", "groovy", "maven", "recipe"];
/// Endings of files that settings name to have them run or loaded.
const LOADED: &[&str] = &[
    ".cjs", ".exs", ".gradle", ".jar", ".js", ".kts", ".lua", ".mjs", ".php", ".pl", ".py", ".rb", ".sh",
    ".ts",
];
/// Words of a line of settings that names what is loaded without an ending.
const LOADS: &[&str] = &["-p ", "\"paths\"", "backend", "extension", "loader", "plugin", "require", "-r "];
/// Folders of the system: what is installed there no project brought.
const INSTALLED: &[&str] =
    &["/bin/", "/dev/", "/lib/", "/lib64/", "/nix/", "/opt/", "/proc/", "/sbin/", "/sys/", "/usr/"];

/// The files that a command obeys in `folder`, where it runs.
pub(crate) fn by(ground: &CallContext<'_>, command: &SimpleCommand, folder: &str) -> Vec<Picked> {
    let asked = CommandWords::of(command);
    let patterns: Vec<&str> = asked
        .rows()
        .filter(|row| row.on_disk != OnDisk::Nothing)
        .flat_map(|row| row.files.split_ascii_whitespace())
        .collect();
    let loads = super::PYTHON.split_ascii_whitespace().any(|own| asked.programs.contains(&own));
    if folder.contains('…') || patterns.is_empty() && !loads {
        return Vec::new();
    }
    let mut looking = ObeyedFiles { ground, found: Vec::new() };
    for place in places(ground, &asked.words, folder) {
        let mut files = BTreeMap::new();
        for pattern in &patterns {
            looking.fitting(&place, pattern, &asked.programs, &mut files);
        }
        if loads && place.is_own {
            looking.modules(&place.path, command, &mut files);
        }
        let picked = super::by(command, &place.path, &files);
        for own in &picked {
            if own.language.is_some_and(|language| SETTINGS.contains(&language)) {
                looking.mentioned(&place.path, files.get(&own.path));
            }
        }
        looking.found.extend(picked);
    }
    looking.found
}

/// Whether a file was made by a tool rather than written: it lies among installed packages, or git ignores it.
pub(crate) fn is_installed(ground: &CallContext<'_>, path: &str) -> bool {
    path.contains("/node_modules/") || ground.world.vcs(path) == Ok(VcsState::Ignored)
}

/// Whether something is there that git didn't hold as it is before the session, and that this session didn't write.
pub(crate) fn is_strange(ground: &CallContext<'_>, path: &str) -> bool {
    matches!(ground.kind(path), Some(FileKind::File(_) | FileKind::Link))
        && !ground.session.written.contains_key(path)
        && !ground.is_own_script(path)
}

/// A folder that a program looks in.
struct SearchedFolder {
    path: String,
    /// It runs there.
    is_own: bool,
    /// It looks for what fits a pattern there, not only for fixed names.
    searched: bool,
}

/// The folder where a command runs, those above it up to the repository's own, and those of its words.
fn places(ground: &CallContext<'_>, words: &[&str], folder: &str) -> Vec<SearchedFolder> {
    let mut places: Vec<SearchedFolder> =
        vec![SearchedFolder { path: folder.to_owned(), is_own: true, searched: true }];
    let mut add = |path: &str, searched: bool| {
        if places.len() < MOST_PLACES && !places.iter().any(|own| own.path == path) {
            places.push(SearchedFolder { path: path.to_owned(), is_own: false, searched });
        }
    };
    for word in words.iter().skip(1).filter(|word| !word.starts_with('-') && !word.contains('…')) {
        let path = lexical::join(folder, word);
        match ground.kind(&path) {
            Some(FileKind::Directory) => add(&path, true),
            Some(FileKind::File(_)) => {
                let above = path.match_indices('/').rev().filter_map(|(at, _)| path.get(..at));
                above
                    .take_while(|above| lexical::below(above, folder).is_some())
                    .for_each(|above| add(above, false));
            }
            _ => {}
        }
    }
    let above: Vec<&str> = std::path::Path::new(folder)
        .ancestors()
        .take(MOST_PLACES)
        .filter_map(std::path::Path::to_str)
        .collect();
    let root = above.iter().position(|above| ground.kind(&lexical::join(above, ".git")).is_some());
    above.iter().take(root.map_or(0, |root| root + 1)).for_each(|above| add(above, false));
    places
}

struct ObeyedFiles<'g, 'a> {
    ground: &'g CallContext<'a>,
    found: Vec<Picked>,
}

impl ObeyedFiles<'_, '_> {
    /// Takes the files of a folder that fit a row's pattern.
    fn fitting(
        &self,
        place: &SearchedFolder,
        pattern: &str,
        programs: &[&str],
        files: &mut BTreeMap<String, WrittenFile>,
    ) {
        // Of installed programs, the one that is called.
        if let Some(folder) = pattern.strip_suffix("/**") {
            for program in programs {
                self.take(&lexical::join(&place.path, &format!("{folder}/{program}")), files);
            }
            return;
        }
        let of_word = pattern.strip_prefix("{}/");
        if of_word.is_some() && place.is_own {
            return;
        }
        let pattern = of_word.unwrap_or(pattern);
        if !pattern.contains('*') {
            return self.take(&lexical::join(&place.path, pattern), files);
        }
        if !place.searched {
            return;
        }
        let (below, leaf) = pattern.rsplit_once('/').unwrap_or(("", pattern));
        let folder = lexical::join(&place.path, below);
        let names = self.ground.world.names(&folder, MOST_NAMES).unwrap_or_default();
        for name in names.iter().filter(|name| is_like(leaf, name)) {
            self.take(&lexical::join(&folder, name), files);
        }
    }

    /// Takes the files of a folder that take the place of a module which the words of Python load: `-m json.tool`,
    /// `import json`.
    fn modules(&self, folder: &str, command: &SimpleCommand, files: &mut BTreeMap<String, WrittenFile>) {
        let words = &command.words;
        let at = words.iter().position(|word| word == "-m").map(|at| at + 1);
        // `python -m x` may be listed as what `x` is, with python around it.
        let at = at.or_else(|| command.via.iter().any(|via| via.starts_with("py")).then_some(0));
        let module = at.and_then(|at| words.get(at)).map(|module| module.replace('.', "/"));
        let code = words
            .iter()
            .filter(|word| word.contains("import"))
            .flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
        let first = module.iter().filter_map(|module| module.split('/').next());
        for name in first.chain(code).filter(|name| !name.is_empty()).take(MOST_MENTIONS) {
            for file in [format!("{name}.py"), format!("{name}/__init__.py")] {
                self.take(&lexical::join(folder, &file), files);
            }
        }
        if let Some(module) = module {
            for file in [format!("{module}.py"), format!("{module}/__main__.py")] {
                self.take(&lexical::join(folder, &file), files);
            }
        }
    }

    fn take(&self, path: &str, files: &mut BTreeMap<String, WrittenFile>) {
        if files.len() < MOST_FILES && !files.contains_key(path) && is_strange(self.ground, path) {
            let content = self.ground.world.read_text(path, FILE_LIMIT).ok().map(Into::into);
            files.insert(path.to_owned(), WrittenFile { content, ..WrittenFile::default() });
        }
    }

    /// Takes the files that settings name to have them run or loaded: `plugins = ./x.py`, `yarnPath: y.cjs`, a folder
    /// of programs.
    fn mentioned(&mut self, folder: &str, settings: Option<&WrittenFile>) {
        let text =
            settings.and_then(|file| file.content.as_deref()).filter(|text| text.len() < LONGEST_SETTINGS);
        let mut left = MOST_MENTIONS;
        for line in text.unwrap_or_default().lines() {
            let loads = LOADS.iter().any(|word| line.contains(word));
            let marks = |letter: char| letter.is_whitespace() || "\"'=,;:()[]{}<>`".contains(letter);
            for word in line.split(marks).filter(|word| !word.is_empty()) {
                let has_ending = LOADED.iter().any(|ending| word.ends_with(ending));
                let is_path = word.contains('/') && !word.contains("//");
                if !has_ending && !is_path && !loads {
                    continue;
                }
                let Some(rest) = left.checked_sub(1) else { return };
                left = rest;
                self.named(&lexical::join(folder, word), has_ending, loads);
            }
        }
    }

    /// A file or a folder that settings name.
    fn named(&mut self, path: &str, has_ending: bool, loads: bool) {
        let leaf = path.rsplit('/').next().unwrap_or(path);
        match self.ground.kind(path) {
            Some(FileKind::Directory) => {
                for folder in [lexical::join(path, "bin"), path.to_owned()] {
                    // A tool may stand in the folder itself, beside what else its archive holds.
                    let is_program = |name: &&String| folder != path || loads && !name.contains('.');
                    let names = self.ground.world.names(&folder, MOST_FILES).unwrap_or_default();
                    let programs = names.iter().filter(is_program);
                    programs.for_each(|name| self.pick(&lexical::join(&folder, name)));
                }
            }
            Some(_) if has_ending || !leaf.contains('.') => self.pick(path),
            Some(_) => {}
            None if loads => {
                [".py", ".rb", ".js"].iter().for_each(|ending| self.pick(&format!("{path}{ending}")));
            }
            None => {}
        }
    }

    fn pick(&mut self, path: &str) {
        if INSTALLED.iter().any(|folder| path.starts_with(folder)) {
            return;
        }
        let is_known = self.found.iter().any(|own| own.path == path);
        if !is_known && self.found.len() < MOST_FILES && is_strange(self.ground, path) {
            self.found.push(Picked { path: path.to_owned(), language: None, names_only: false });
        }
    }
}
