//! Files that a command runs: found by the command's words, read through the world or the session's memory, and
//! analysed as part of the command. Bounded in depth, number and size.

use std::collections::BTreeSet;

use doorward_core::effect::JudgedFile;
use doorward_core::intent::{Code, Intent, Origin, SimpleCommand, Span};
use doorward_core::json;
use doorward_core::world::{Unseen, VcsState};
use doorward_paths::lexical;
use doorward_shell::Options;

use crate::git_runs;
use crate::place::Ground;
use crate::recipes;
use crate::risk::{RUNS, Runs, Tally, language_of};

/// A file larger than this isn't analysed.
const FILE_LIMIT: u64 = 256 << 10;
/// Files analysed with one call.
const FILES: usize = 24;
/// Scripts that run scripts.
const DEPTH: u8 = 4;

/// Follows what the commands of an intent run.
pub(crate) struct Follow<'g, 'a> {
    ground: &'g Ground<'a>,
    options: &'g Options,
    seen: BTreeSet<String>,
    /// What was judged, by digest.
    pub(crate) judged: Vec<JudgedFile>,
    /// What the files say, spans at the commands that run them.
    pub(crate) found: Intent,
}

/// A text that is run, with its language.
pub(crate) struct Script {
    pub(crate) language: String,
    pub(crate) text: String,
}

impl<'g, 'a> Follow<'g, 'a> {
    pub(crate) fn new(ground: &'g Ground<'a>, options: &'g Options) -> Self {
        Self { ground, options, seen: BTreeSet::new(), judged: Vec::new(), found: Intent::default() }
    }

    /// Follows every command, and the commands of what they run.
    pub(crate) fn follow(&mut self, commands: &[SimpleCommand], tally: &mut Tally) {
        let mut todo: Vec<(SimpleCommand, u8, Span)> =
            commands.iter().map(|command| (command.clone(), 0, command.span)).collect();
        while let Some((command, depth, span)) = todo.pop() {
            let mut found = Intent::default();
            if let Origin::File(path) = &command.origin {
                let place = self.ground.place(path, crate::place::Use::Read);
                if path.form == doorward_core::intent::Form::Literal {
                    self.file(&place.path, &command.code, span, depth, tally, &mut found);
                } else {
                    self.unseen(&place.path, span, tally);
                }
            }
            let shell = |text: &str| doorward_shell::analyze(text, self.options);
            git_runs::follow(self.ground, &command, span, &shell, tally, &mut found);
            for path in recipes::configured_by(&command, &self.ground.call.cwd) {
                // Only what this session wrote: the project's own build files are its own business.
                if self.ground.session.written.contains_key(&path) {
                    self.file(&path, &Code::None, span, depth, tally, &mut found);
                }
            }
            if let Some(recipe) = recipes::recipe_of(&command, &self.ground.call.cwd) {
                self.recipe(&recipe, span, depth, tally, &mut found);
            }
            if depth < DEPTH {
                todo.extend(found.commands.iter().map(|inner| (inner.clone(), depth + 1, span)));
            } else if found.commands.iter().any(|inner| matches!(inner.origin, Origin::File(_))) {
                self.unseen("scripts nested deeper than is followed", span, tally);
            }
            self.found.absorb(found, span);
        }
    }

    fn unseen(&mut self, what: &str, span: Span, tally: &mut Tally) {
        let case = Runs { seen: false, of_session: false, downloaded: false, outside: false };
        tally.weigh(RUNS, &case, what, span, None);
    }

    /// Content of a file: as it is on disk, else as this session wrote it.
    fn content(&self, path: &str) -> Result<String, Unseen> {
        match self.ground.world.read_text(path, FILE_LIMIT) {
            Ok(text) => Ok(text),
            Err(unseen) => {
                self.ground.session.written.get(path).and_then(|file| file.content.clone()).ok_or(unseen)
            }
        }
    }

    fn file(
        &mut self,
        path: &str,
        code: &Code,
        span: Span,
        depth: u8,
        tally: &mut Tally,
        found: &mut Intent,
    ) {
        if !self.seen.insert(path.to_owned()) {
            return;
        }
        if doorward_paths::is_secret(path) {
            let message = format!("`{path}`: read as code or settings, and holds secrets by its name");
            tally.tell(doorward_core::finding::Finding::new("shell.secret_read", message).at(span));
        }
        let written = self.ground.session.written.get(path);
        let of_session = written.is_some();
        let downloaded = written.is_some_and(|file| file.downloaded);
        let state = self.ground.world.vcs(path);
        // Tracked and unchanged: the project's own script.
        let own_script = state == Ok(VcsState::Clean) && !of_session;
        let within_budget = self.seen.len() <= FILES && depth <= DEPTH;
        let script = if within_budget { self.content(path).ok() } else { None };
        if let Some(text) = &script {
            self.judged.push(JudgedFile { path: path.to_owned(), digest: json::digest(text.as_bytes()) });
        }
        let parsed = script.and_then(|text| {
            let language =
                language_of(code).map(str::to_owned).or_else(|| recipes::language_of_file(path, &text))?;
            Some(Script { language, text })
        });
        let seen = own_script || parsed.is_some();
        let case = Runs { seen, of_session, downloaded, outside: false };
        tally.weigh(RUNS, &case, path, span, None);
        if let Some(script) = parsed.filter(|_| !own_script) {
            found.absorb(self.analyze(&script), span);
        }
    }

    fn recipe(
        &mut self,
        recipe: &recipes::Recipe,
        span: Span,
        depth: u8,
        tally: &mut Tally,
        found: &mut Intent,
    ) {
        let name = format!("{}#{}", recipe.file, recipe.target);
        if !self.seen.insert(name) {
            return;
        }
        if recipe.incidental
            && !recipe.candidates().any(|path| self.ground.session.written.contains_key(&path))
        {
            return;
        }
        let file = recipe.candidates().find_map(|path| self.content(&path).ok().map(|text| (path, text)));
        let Some((path, text)) = file else {
            return self.unseen(&recipe.file, span, tally);
        };
        let of_session = self.ground.session.written.contains_key(&path);
        let own_script = self.ground.world.vcs(&path) == Ok(VcsState::Clean) && !of_session;
        self.judged.push(JudgedFile { path: path.clone(), digest: json::digest(text.as_bytes()) });
        let script = if depth <= DEPTH { recipe.script(&text) } else { None };
        let case =
            Runs { seen: own_script || script.is_some(), of_session, downloaded: false, outside: false };
        tally.weigh(RUNS, &case, &path, span, None);
        if let Some(script) = script.filter(|_| !own_script) {
            found.absorb(self.analyze(&script), span);
        }
    }

    fn analyze(&self, script: &Script) -> Intent {
        let options = Options { arguments: None, ..self.options.clone() };
        if script.language == "shell" {
            doorward_shell::analyze(&script.text, &options)
        } else {
            doorward_shell::analyze_code(&script.language, &script.text, &options)
        }
    }
}

/// A path of the session in a command's own folder.
pub(crate) fn in_folder(cwd: &str, name: &str) -> String {
    lexical::join(cwd, name)
}
