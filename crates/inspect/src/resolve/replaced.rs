//! What a write takes away: content that stands where it writes, of which nobody else has a copy.
//!
//! Emptying, overwriting and moving away lose what a delete would lose, whatever program does it. They are no loss
//! where nothing stands there, where git has the very content, where a program makes it again, where this session
//! made it, and where a text of the call itself takes its place inside the roots (an edit).

use doorward_core::effect::{Protection, ReadEffect, Scope, Tri};
use doorward_core::intent::{Form, Operand, Place, SimpleCommand, Span, WriteIntent, WriteMode};
use doorward_core::world::{FileKind, Unseen};
use doorward_paths::lexical;

use super::{GLOB_LIMIT, Resolve};
use crate::place::{PlacedPath, Use, Via};

/// A file that is longer is a build's output if its name has no ending.
const TEXT_LIMIT: u64 = 1 << 20;
/// Programs that unpack or copy trees over what lies in a folder.
const OVER_A_FOLDER: &[&str] = &["7z", "7za", "bsdtar", "cpio", "rsync", "tar", "unrar", "unzip"];
/// Programs that put files into a folder under the files' own names.
const INTO_A_FOLDER: &[&str] = &["cp", "gcp", "ginstall", "gmv", "install", "link", "ln", "mv", "scp"];
/// Those that take the place of a link, and don't write through it.
const TAKING_A_PLACE: &[&str] = &["ginstall", "gmv", "install", "ln", "mv"];
/// Their options that keep what is there, ask first, or make a copy of it: cp(1), mv(1), ln(1), install(1), tar(1),
/// rsync(1).
const KEEPING: &[&str] = &[
    "--backup",
    "--ignore-existing",
    "--interactive",
    "--keep-old-files",
    "--no-clobber",
    "--skip-old-files",
    "--update=none",
];

/// A command of the call, as far as its writes ask for it.
pub(super) struct Spoken {
    span: Span,
    program: String,
    /// Nothing that is there is replaced without a question or a copy.
    keeps: bool,
    /// What lies in its sources goes where they go, not the sources under their names.
    spreads: bool,
    /// It makes empty folders.
    makes_folders: bool,
}

impl Spoken {
    pub(super) fn of(command: &SimpleCommand) -> Self {
        let placing = INTO_A_FOLDER.contains(&command.program.as_str());
        // Of `ln` only these letters keep what is there; of `install` none does.
        let keeping: &[char] = match command.program.as_str() {
            "install" => &[],
            "ln" => &['b', 'i'],
            _ if placing => &['n', 'b', 'i'],
            _ => &[],
        };
        let keeps = |word: &String| {
            let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            let spelt = |option: &&str| {
                word.strip_prefix(*option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
            };
            KEEPING.iter().any(spelt) || letters.is_some_and(|letters| letters.contains(keeping))
        };
        let spreads = |word: &String| {
            let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            word == "--no-target-directory"
                || word.ends_with("/.")
                || word == "."
                || letters.is_some_and(|letters| letters.contains('T'))
        };
        Self {
            span: command.span,
            program: command.program.clone(),
            keeps: command.words.iter().skip(1).any(keeps),
            spreads: command.words.iter().skip(1).any(spreads),
            makes_folders: match command.program.as_str() {
                "mkdir" => true,
                "install" => command.words.iter().any(|word| matches!(word.as_str(), "-d" | "--directory")),
                _ => false,
            },
        }
    }
}

impl Resolve<'_, '_> {
    /// The file or folder that is lost by a write, if one is.
    pub(super) fn replaced(&self, write: &WriteIntent, place: &PlacedPath, form: Form) -> Option<String> {
        // What a program makes of a person's file elsewhere, nobody has kept; an edit whose result is known is one.
        let reworked =
            write.mode == WriteMode::InPlace && place.scope == Scope::Outside && write.content.is_none();
        let whole = reworked || matches!(write.mode, WriteMode::Create | WriteMode::Truncate);
        let exact = form == Form::Literal && write.path.place == Place::Local;
        let placed = matches!(place.scope, Scope::Inside | Scope::Outside) && place.protection.is_none();
        let is_edit = place.scope == Scope::Inside
            && write.content.as_ref().is_some_and(|text| !text.trim().is_empty());
        if !whole || !exact || !placed || is_edit || self.ground.via == Via::Argument {
            return None;
        }
        let by = self.spoken_at(write.path.span);
        let compiles = by.is_some_and(|by| doorward_shell::programs::is_compiler(&by.program));
        if by.is_some_and(|by| by.keeps) || compiles && self.is_built(&place.path) {
            return None;
        }
        let program = by.map_or("", |by| by.program.as_str());
        // A link, and a move, take the place of a link that stands there and leave what it leads to.
        let named = lexical::join(&self.ground.call.cwd, &write.path.text);
        if TAKING_A_PLACE.contains(&program) && self.ground.kind(&named) == Some(FileKind::Link) {
            return None;
        }
        if self.is_rewrite(write, place, by) {
            return None;
        }
        if self.ground.kind(&place.path) != Some(FileKind::Directory) {
            return Some(place.path.clone()).filter(|path| self.is_lost(path));
        }
        if place.scope == Scope::Outside && OVER_A_FOLDER.contains(&program) {
            let holds = self.ground.world.names(&place.path, 1).is_ok_and(|names| !names.is_empty());
            return Some(place.path.clone()).filter(|_| holds);
        }
        if !INTO_A_FOLDER.contains(&program) {
            return None;
        }
        let lands = |path: String| Some(lexical::join(&place.path, path.rsplit('/').next()?));
        self.sources(write, by?).filter_map(lands).find(|path| self.is_lost(path))
    }

    /// The protection of what lies in a folder that a write fills: unpacking or copying a tree there replaces whatever
    /// of it lies there, ours too. A container that gets the home folder, or one around it, gets all of the user's;
    /// that is asked about as such.
    pub(super) fn filled(&self, write: &WriteIntent, place: &PlacedPath) -> Option<Protection> {
        let own = |path: &str| self.ground.own.inside(std::path::Path::new(path));
        if write.mode == WriteMode::Metadata || write.path.place != Place::Local {
            return None;
        }
        let by = self.spoken_at(write.path.span);
        let program = by.map_or("", |by| by.program.as_str());
        let home = self.ground.home.as_deref();
        let of_home = home.is_some_and(|home| lexical::is_within(home, &place.path));
        if by.is_some_and(|by| by.makes_folders) || write.mode == WriteMode::InPlace && of_home {
            return None;
        }
        let named: Vec<String> = match by {
            Some(by) if INTO_A_FOLDER.contains(&program) => self.sources(write, by).collect(),
            _ => Vec::new(),
        };
        let is_pattern = |path: &String| path.contains(['*', '?', '[']);
        if named.is_empty() || by.is_some_and(|by| by.spreads) || named.iter().any(is_pattern) {
            return own(&place.path);
        }
        let landed = |path: &String| Some(lexical::join(&place.path, path.rsplit('/').next()?));
        named
            .iter()
            .filter_map(landed)
            .find_map(|path| own(&path).or(self.ground.own.protection(path.as_ref())))
    }

    /// Whether what a compiler would replace looks like what a build left: bytes that are no text, or a text under a
    /// name that builds give to what they make.
    fn is_built(&self, path: &str) -> bool {
        const ENDINGS: &[&str] =
            &["cjs", "css", "d", "html", "i", "ii", "js", "ll", "map", "mjs", "o", "s", "so", "wasm", "xml"];
        let leaf = path.rsplit('/').next().unwrap_or(path);
        let ending = leaf.rsplit_once('.').map(|(_, ending)| ending);
        if ending.is_some_and(|ending| ENDINGS.contains(&ending)) || path.ends_with(".d.ts") {
            return true;
        }
        match self.ground.world.read_text(path, TEXT_LIMIT) {
            Ok(text) => text.contains('\0'),
            Err(Unseen::TooLarge) => ending.is_none(),
            Err(_) => true,
        }
    }

    /// Whether a file's own content is what it gets, changed: `sort -o x x`, `jq . x > y && mv y x`. A redirection
    /// empties the file before the command reads it.
    fn is_rewrite(&self, write: &WriteIntent, place: &PlacedPath, by: Option<&Spoken>) -> bool {
        let read = |read: &&ReadEffect| !read.metadata && read.path == place.path;
        // sort(1) reads everything before it opens its output; others empty the file first.
        let in_command = |by: &Spoken| {
            by.program == "sort"
                && !write.redirected
                && self.effects.reads.iter().filter(read).any(|read| covers(by.span, read.span))
        };
        let made_of_it = || {
            let from = write.moved_from.as_ref().map(|from| self.ground.place(from, Use::Delete).path);
            from.is_some_and(|from| self.ground.is_new(&from))
                && self.effects.reads.iter().any(|own| read(&own))
        };
        write.mode == WriteMode::Create && (by.is_some_and(in_command) || made_of_it())
    }

    /// What a command puts somewhere: the files that it reads or moves.
    fn sources<'r>(&'r self, write: &WriteIntent, by: &'r Spoken) -> impl Iterator<Item = String> + 'r {
        let reads = self.effects.reads.iter().filter(|read| !read.metadata && covers(by.span, read.span));
        let moved = write.moved_from.as_ref().map(|from| self.ground.place(from, Use::Delete).path);
        reads.map(|read| read.path.clone()).chain(moved)
    }

    /// The file or folder outside the roots that a move takes away from its place, if it is somebody's. A pattern takes
    /// what fits it, unless nothing is known to.
    pub(super) fn taken_away(&self, from: &PlacedPath, write: &WriteIntent) -> bool {
        let is_there = || match &write.moved_from {
            Some(Operand { form: Form::Glob, text, .. }) if !text.contains("**") => {
                self.ground.expand(text, GLOB_LIMIT).is_none_or(|names| !names.is_empty())
            }
            Some(Operand { form: Form::Glob | Form::Unknown, .. }) => true,
            _ => self.ground.kind(&from.path).is_some(),
        };
        from.scope == Scope::Outside
            && is_there()
            && self.ground.in_version_control(&from.path) != Tri::Yes
            && !self.ground.is_made_again(from)
    }

    /// Whether version control has the very content that stands at a path.
    pub(super) fn is_kept(&self, path: &str) -> bool {
        self.ground.in_version_control(path) == Tri::Yes
            && self.ground.world.is_staged(&self.ground.call.cwd) == Ok(false)
    }

    /// Says of a protected file what reads it.
    pub(super) fn explain_protection(&mut self, path: &str, from: usize) {
        let Some(why) = doorward_paths::protected::why(path) else { return };
        for finding in self.tally.findings.iter_mut().skip(from).filter(|own| own.code == "path.protected") {
            finding.message = finding.message.replace("that other programs obey", &format!("({why})"));
        }
    }

    fn is_lost(&self, path: &str) -> bool {
        let is_there = matches!(self.ground.kind(path), Some(FileKind::File(size)) if size > 0);
        let disposable =
            [".log", ".tmp"].iter().any(|ending| path.ends_with(ending)) || path.contains("/.cache/");
        // A file of nobody's project: the next run of a command writes its output there again.
        let passing = || {
            let folder = path.rsplit_once('/').map(|(folder, _)| folder);
            self.ground.world.scratch().iter().any(|scratch| folder == Some(scratch.as_str()))
        };
        is_there
            && !disposable
            && self.ground.in_version_control(path) == Tri::No
            && !self.ground.is_own_change(path)
            && !self.ground.is_own_work(path)
            && self.ground.regenerable(&self.ground.place_text(path, Use::Delete), Form::Literal) != Tri::Yes
            && !passing()
    }

    /// Whether a command makes an empty folder there.
    /// Whether content goes into a hidden file of the home folder that a word of the call names. What a program keeps
    /// in its own settings has the span of the whole command.
    pub(super) fn is_setting(&self, write: &WriteIntent, path: &str) -> bool {
        let named = self.spoken_at(write.path.span).is_none_or(|by| by.span != write.path.span);
        let below = self.ground.home.as_deref().and_then(|home| lexical::below(path, home));
        named
            && write.mode != WriteMode::Metadata
            && !self.makes_folder(write)
            && below.is_some_and(crate::risk::system::is_setting_of_home)
    }

    pub(super) fn makes_folder(&self, write: &WriteIntent) -> bool {
        self.spoken_at(write.path.span).is_some_and(|by| by.makes_folders)
    }

    /// The command that a word stands in: the innermost.
    fn spoken_at(&self, word: Span) -> Option<&Spoken> {
        let around = self.spoken.iter().filter(|command| covers(command.span, word));
        around.min_by_key(|command| command.span.end - command.span.start)
    }
}

const fn covers(command: Span, word: Span) -> bool {
    command.start <= word.start && word.end <= command.end
}
