//! Files that a command runs: found by the command's words, read through the world or the session's memory, and
//! analysed as part of the command. Bounded in depth, number and size.

use std::collections::{BTreeMap, BTreeSet};

use doorward_core::effect::{JudgedFile, Scope};
use doorward_core::finding::Finding;
use doorward_core::id::Digest;
use doorward_core::intent::{
    Code, DeleteIntent, Form, Intent, ModuleLoad, Operand, Origin, SimpleCommand, Span, Unknown,
};

use doorward_core::risk::SecurityRisk;
use doorward_core::session::WrittenFile;
use doorward_core::world::{FileKind, Unseen};
use doorward_paths::lexical;
use doorward_shell::Options;

use crate::copied::Copied;
use crate::git_runs;
use crate::hosts::Hosts;
use crate::loads;
use crate::picked::{self, Picked};
use crate::place::CallContext;
use crate::readable;
use crate::recipes;
use crate::resolve::Resolve;
use crate::risk::{RUNS, Runs, Tally, language_of};
use crate::session::Written;
use crate::tools::CallKind;

mod mentioned;
mod workspace;

/// A file larger than this isn't analysed.
const FILE_LIMIT: u64 = 256 << 10;
/// Files analysed with one call.
const FILES: usize = 24;
/// Scripts that run scripts.
const DEPTH: u8 = 4;
/// How deep the project's own modules are followed.
const OWN_DEPTH: u8 = 1;

/// Follows what the commands of an intent run.
pub(crate) struct Follow<'g, 'a> {
    ground: &'g CallContext<'a>,
    options: &'g Options<'g>,
    hosts: &'g Hosts,
    /// Files that this session wrote, this call included.
    written: BTreeMap<String, WrittenFile>,
    /// Those, and the files that were brought along with the call: a program picks up what it finds among them.
    around: BTreeMap<String, WrittenFile>,
    /// Those that this very call writes: what is on disk is what they were.
    own: BTreeSet<String>,
    seen: BTreeSet<String>,
    /// Folders that modules are looked for in, beside the usual ones.
    searched: Vec<String>,
    /// What the call copies or packs before it runs something.
    copied: Copied,
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

/// A file that is run.
#[derive(Clone, Copy)]
struct Ran<'f> {
    path: &'f str,
    code: &'f Code,
    /// Where it runs, relative to the call's folder unless absolute.
    folder: &'f str,
    /// What it is given, if that is known.
    arguments: Option<&'f [String]>,
    /// The command whose file it is.
    by: Option<&'f SimpleCommand>,
}

impl<'f> Ran<'f> {
    /// One whose language its name tells.
    fn module(path: &'f str, folder: &'f str) -> Self {
        Self { path, code: &Code::None, folder, arguments: None, by: None }
    }
}

impl<'g, 'a> Follow<'g, 'a> {
    pub(crate) fn new(
        ground: &'g CallContext<'a>,
        options: &'g Options<'g>,
        hosts: &'g Hosts,
        own: Written,
    ) -> Self {
        let mut written = ground.session.written.clone();
        // What it writes without saying what may come after the run; the analysis of the text tells which.
        let known: Vec<(String, WrittenFile)> =
            own.files.into_iter().filter(|(_, file)| file.content.is_some()).collect();
        let paths = known.iter().map(|(path, _)| path.clone()).collect();
        written.extend(known);
        let mut around: BTreeMap<String, WrittenFile> = brought(ground).collect();
        around.extend(written.iter().map(|(path, file)| (path.clone(), file.clone())));
        Self {
            ground,
            options,
            hosts,
            written,
            around,
            own: paths,
            seen: BTreeSet::new(),
            searched: Vec::new(),
            copied: Copied::default(),
            judged: Vec::new(),
            found: Intent::default(),
        }
    }

    /// Follows every command, and the commands of what they run.
    pub(crate) fn follow(&mut self, intent: &Intent, tally: &mut Tally) {
        let mut todo: Vec<(SimpleCommand, u8, Span)> =
            intent.commands.iter().map(|command| (command.clone(), 0, command.span)).collect();
        self.copied = Copied::of(intent, self.ground);
        let (folders, by_itself) = loads::searched(self.ground, &intent.commands);
        self.searched.extend(folders);
        self.search(&intent.module_folders);
        for module in intent.modules.iter().chain(&by_itself) {
            let mut found = Intent::default();
            self.load(module, None, module.span, 0, tally, &mut found);
            todo.extend(found.commands.iter().map(|inner| (inner.clone(), 1, module.span)));
            self.found.absorb(found, module.span);
        }
        self.mentioned(intent);
        while let Some((command, depth, span)) = todo.pop() {
            let mut found = Intent::default();
            // Where it runs: what it finds by itself, it finds there.
            let folder = lexical::join(&self.ground.call.cwd, &command.folder);
            let recipe = recipes::recipe_of(&command, &folder);
            if let Origin::File(path) = &command.origin {
                let place = self.ground.place(path, crate::place::Use::Read);
                let is_recipe = |recipe: &recipes::Recipe| recipe.candidates().any(|file| file == place.path);
                if recipe.as_ref().is_some_and(is_recipe) {
                    // Of this file the recipe alone runs.
                } else if self.searched.contains(&place.path) {
                    // A folder of modules: what is loaded from it is followed by name.
                } else if path.form == doorward_core::intent::Form::Literal {
                    let arguments = arguments_of(&command, &path.text);
                    let by = Some(&command);
                    let (path, code, folder) = (place.path.as_str(), &command.code, command.folder.as_str());
                    let run = Ran { path, code, folder, arguments, by };
                    self.file(run, span, depth, tally, &mut found);
                } else {
                    self.unseen(&place.path, span, tally);
                }
            }
            self.set_by_git(&command, span, tally, &mut found);
            let mut picked = picked::by(&command, &self.ground.call.cwd, &self.around);
            if folder != self.ground.call.cwd {
                picked.extend(picked::by(&command, &folder, &self.around));
            }
            let strange = picked::disk::by(self.ground, &command, &folder);
            let is_known = |own: &Picked| own.names_only || self.around.contains_key(&own.path);
            picked.extend(strange.into_iter().filter(|own| !is_known(own)));
            for picked in picked {
                if self.is_of_workspace(&picked, &command) {
                    self.scripts(&picked.path, &command.words, span, &mut found);
                    continue;
                }
                self.picked(&picked, &command, span, depth, tally, &mut found);
            }
            self.modules(&command, span, depth, tally, &mut found);
            for module in std::mem::take(&mut found.modules) {
                self.load(&module, None, span, depth + 1, tally, &mut found);
            }
            if let Some(recipe) = recipe {
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

    /// What the settings of a repository make a git command run.
    fn set_by_git(&mut self, command: &SimpleCommand, span: Span, tally: &mut Tally, found: &mut Intent) {
        let shell = |text: &str| doorward_shell::analyze(text, self.options);
        let script = |path: &str| {
            let text = self.content(path).ok()?;
            let language = recipes::language_of_file(path, &text)?;
            Some(self.analyze(&Script { language, text }, Some(path), "", None))
        };
        let reading =
            git_runs::SettingReader { shell: &shell, script: &script, risk: &|said| self.risk(said) };
        git_runs::follow(self.ground, command, span, &reading, tally, found);
    }

    /// How bad what a text says would be by itself.
    fn risk(&self, said: Intent) -> SecurityRisk {
        let mut resolved = Resolve::new(self.ground, self.hosts, CallKind::Command);
        resolved.take(said);
        resolved.tally.risk
    }

    /// Modules of the session that the script of an interpreter loads. The script itself was analysed with the command.
    fn modules(
        &mut self,
        command: &SimpleCommand,
        span: Span,
        depth: u8,
        tally: &mut Tally,
        found: &mut Intent,
    ) {
        if self.around.is_empty() || !picked::interprets(&command.program) {
            return;
        }
        let folder = lexical::join(&self.ground.call.cwd, &command.folder);
        let script = command.words.iter().skip(1).find(|word| !word.starts_with('-') && word.contains('.'));
        let Some(path) = script.map(|word| lexical::join(&folder, word)) else { return };
        let Ok(text) = self.content(&path) else { return };
        for module in picked::imported(&text, &self.around) {
            if module.path != path {
                self.file(Ran::module(&module.path, &command.folder), span, depth + 1, tally, found);
            }
        }
    }

    /// Folders that code adds to those where modules are looked for.
    fn search(&mut self, folders: &[Operand]) {
        let placed = folders.iter().filter(|folder| folder.form == Form::Literal);
        let placed = placed.map(|folder| self.ground.place(folder, crate::place::Use::Read).path);
        self.searched.extend(placed.collect::<Vec<_>>());
    }

    /// A module that is loaded by name, by a command or by the file `by`, if the project has it. Of the project's own
    /// modules only those are followed that the call itself leads to: the budget is for what nobody committed.
    fn load(
        &mut self,
        module: &ModuleLoad,
        by: Option<&str>,
        span: Span,
        depth: u8,
        tally: &mut Tally,
        found: &mut Intent,
    ) {
        let folder = lexical::join(&self.ground.call.cwd, &module.folder);
        // Relative imports lead into the folders above.
        let above = by.into_iter().flat_map(|file| std::path::Path::new(file).ancestors().skip(1).take(3));
        let beside = above.filter_map(std::path::Path::to_str).map(str::to_owned);
        let folders: Vec<String> =
            beside.chain(std::iter::once(folder)).chain(self.searched.iter().cloned()).collect();
        let is_there = |path: &str| self.is_there(path);
        // `unittest discover -p 'test_*.py'`
        let named = if module.name.contains('*') {
            self.ground.expand(&module.name, FILES).unwrap_or_default()
        } else {
            loads::files_of(module, &folders, &is_there)
        };
        for path in named {
            let code = match module.language.as_str() {
                "compiler" => Code::None,
                language => Code::Language(language.to_owned()),
            };
            if depth > OWN_DEPTH && !self.written.contains_key(&path) && self.ground.is_own_script(&path) {
                continue;
            }
            let ran = Ran { path: &path, code: &code, folder: &module.folder, arguments: None, by: None };
            self.file(ran, span, depth, tally, found);
        }
    }

    fn is_there(&self, path: &str) -> bool {
        self.around.contains_key(path)
            || matches!(self.ground.kind(path), Some(FileKind::File(_) | FileKind::Link))
    }

    /// Whether a path is a device, pipe or socket, which holds no text that could be read before.
    fn is_stream(&self, path: &str) -> bool {
        let is_device = path.starts_with("/dev/") && path != "/dev/null";
        is_device || self.ground.kind(path) == Some(FileKind::Special) && path != "/dev/null"
    }

    fn unseen(&mut self, what: &str, span: Span, tally: &mut Tally) {
        if self.ground.is_new(&lexical::join(&self.ground.call.cwd, what)) {
            return tell_absent(what, span, tally);
        }
        let case = Runs { seen: false, there: false, of_session: false, downloaded: false, outside: false };
        tally.weigh(RUNS, &case, what, span, None);
    }

    /// Content of a file: as it is on disk, else as this session wrote it.
    fn content(&self, path: &str) -> Result<String, Unseen> {
        let written = || {
            let file = self.written.get(path)?;
            file.content.as_deref().map(str::to_owned)
        };
        if self.own.contains(path) {
            return written().ok_or(Unseen::NotLooked);
        }
        self.ground.world.read_text(path, FILE_LIMIT).or_else(|unseen| written().ok_or(unseen))
    }

    fn file(&mut self, ran: Ran<'_>, span: Span, depth: u8, tally: &mut Tally, found: &mut Intent) {
        let Ran { path, code, folder, arguments, by } = ran;
        // With other arguments it may do something else.
        let call = match arguments {
            Some(arguments) => format!("{path}\0{}", arguments.join("\0")),
            None => path.to_owned(),
        };
        if self.seen.contains(path) || !self.seen.insert(call) {
            return;
        }
        for source in self.copied.sources(path, &|path| self.is_there(path)) {
            self.file(Ran { path: &source, ..ran }, span, depth + 1, tally, found);
        }
        if doorward_paths::is_secret(path) {
            let message = format!("`{path}`: read as code or settings, and holds secrets by its name");
            tally.tell(doorward_core::finding::Finding::new("shell.secret_read", message).at(span));
        }
        let written = self.written.get(path);
        let of_session = written.is_some();
        let downloaded = written.is_some_and(|file| file.downloaded);
        let own_script = !of_session && self.ground.is_own_script(path);
        let within_budget = self.seen.len() <= FILES && depth <= DEPTH;
        let script = if within_budget { self.content(path).ok() } else { None };
        if let Some(text) = script.as_ref().filter(|_| !self.own.contains(path)) {
            self.judged.push(JudgedFile { path: path.to_owned(), digest: Digest::of(text.as_bytes()) });
        }
        // What stands out in a text is found whatever its language.
        let text = script.clone().filter(|text| !text.contains('\0'));
        let parsed = script.and_then(|text| {
            let text =
                by.map_or_else(|| text.clone(), |command| recipes::asked_for(command, path, text.clone()));
            if recipes::is_of_container(path) {
                return Some(Script { language: "shell".to_owned(), text: recipes::container_script(&text) });
            }
            let named =
                recipes::language_of_extension(code, path).or_else(|| language_of(code).map(str::to_owned));
            let named = named.or_else(|| recipes::language_of_file(path, &text));
            let (language, text) = match named {
                Some(language) if language == "notebook" => readable::readable(&language, &text)?,
                Some(language) => (language, text),
                None => readable::readable(picked::reads_as(path)?, &text)?,
            };
            Some(Script { language, text })
        });
        let seen = own_script || parsed.is_some();
        if !seen && self.is_stream(path) {
            found.unknown.push(Unknown {
                code: "shell.generated_code".to_owned(),
                reason: format!("runs what {path} gives, which is only known when it runs"),
                span,
            });
        }
        let case = Runs { seen, there: text.is_some(), of_session, downloaded, outside: false };
        if !seen && !of_session && self.ground.is_new(path) {
            tell_absent(path, span, tally);
        } else {
            tally.weigh(RUNS, &case, path, span, None);
        }
        let Some(script) = parsed else {
            if let Some(text) = text.filter(|_| !own_script) {
                let script = Script { language: "markup".to_owned(), text };
                found.absorb(self.analyze(&script, None, folder, None), span);
            }
            return;
        };
        // What the project's own script loads may still be the session's.
        for module in picked::imported(&script.text, &self.around) {
            self.file(Ran::module(&module.path, folder), span, depth + 1, tally, found);
        }
        let mut said = in_file(path, self.analyze(&script, Some(path), folder, arguments));
        self.search(&std::mem::take(&mut said.module_folders));
        for module in std::mem::take(&mut said.modules) {
            self.load(&module, Some(path), span, depth + 1, tally, found);
        }
        found.absorb(if own_script { self.ruin(said) } else { said }, span);
    }

    /// Of what the project's own script does, the deletes that lead out of the project: no commit makes those ordinary.
    fn ruin(&self, said: Intent) -> Intent {
        let leads_out = |path: &Operand| {
            let place = self.ground.place(path, crate::place::Use::Delete);
            self.ground.is_everything(&place.path) || matches!(place.scope, Scope::Outside | Scope::Escape)
        };
        let is_ruin = |delete: &DeleteIntent| {
            delete.recursive && !delete.own && delete.path.form != Form::Unknown && leads_out(&delete.path)
        };
        let deletes = said.deletes.into_iter().filter(is_ruin).collect();
        Intent { deletes, ..Intent::default() }
    }

    /// A file that the session wrote and the command picks up.
    fn picked(
        &mut self,
        picked: &Picked,
        command: &SimpleCommand,
        span: Span,
        depth: u8,
        tally: &mut Tally,
        found: &mut Intent,
    ) {
        let folder = command.folder.as_str();
        let is_strange = !self.around.contains_key(&picked.path);
        if is_strange && picked::disk::is_installed(self.ground, &picked.path) {
            return self.installed(picked, folder, span, found);
        }
        let Some(language) = picked.language else {
            return self.file(Ran::module(&picked.path, folder), span, depth, tally, found);
        };
        if !self.seen.insert(format!("{}#{language}", picked.path))
            || depth > DEPTH
            || self.seen.len() > FILES
        {
            return;
        }
        let written = self.written.get(&picked.path);
        let of_session = written.is_some();
        let downloaded = written.is_some_and(|file| file.downloaded);
        let text = self.content(&picked.path).ok();
        if let Some(text) = text.as_ref().filter(|_| !self.own.contains(&picked.path)) {
            let digest = Digest::of(text.as_bytes());
            self.judged.push(JudgedFile { path: picked.path.clone(), digest });
        }
        let hands_over = match language {
            "compose" => Some(readable::compose as fn(&str) -> _),
            "hugo" => Some(readable::hugo as fn(&str) -> _),
            _ => None,
        };
        if let Some(hands_over) = hands_over {
            for (code, message) in text.iter().flat_map(|text| hands_over(text)) {
                tally.tell(Finding::new(code, message).at(span));
            }
            return;
        }
        let text = text.map(|text| recipes::asked_for(command, &picked.path, text));
        let code = text.as_deref().and_then(|text| readable::readable(language, text));
        let case =
            Runs { seen: code.is_some(), there: text.is_some(), of_session, downloaded, outside: false };
        let is_settings = is_strange && code.as_ref().is_some_and(|(language, _)| language == "recipe");
        let said = code.map(|(language, text)| {
            self.analyze(&Script { language, text }, Some(&picked.path), folder, None)
        });
        // Settings that run nothing are settings.
        if is_settings && said.as_ref().is_some_and(runs_nothing) {
            return;
        }
        tally.weigh(RUNS, &case, &picked.path, span, None);
        if let Some(mut said) = said {
            // A test writes into folders of its own that only exist while it runs.
            said.writes.retain(|write| !write.path.text.starts_with('…'));
            found.absorb(said, span);
        }
    }

    /// A file that an installation made: as of the project's own, only deletes count that lead out of the project.
    fn installed(&mut self, picked: &Picked, folder: &str, span: Span, found: &mut Intent) {
        if self.seen.len() > FILES || !self.seen.insert(picked.path.clone()) {
            return;
        }
        let Ok(text) = self.content(&picked.path) else { return };
        self.judged.push(JudgedFile { path: picked.path.clone(), digest: Digest::of(text.as_bytes()) });
        let named = picked.language.map(str::to_owned);
        if let Some(language) = named.or_else(|| recipes::language_of_file(&picked.path, &text)) {
            let said = self.analyze(&Script { language, text }, Some(&picked.path), folder, None);
            found.absorb(self.ruin(said), span);
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
        let is_strange =
            |path: &str| self.around.contains_key(path) || picked::disk::is_strange(self.ground, path);
        if recipe.incidental && !recipe.candidates().any(|path| is_strange(&path)) {
            return;
        }
        let file = recipe.candidates().find_map(|path| self.content(&path).ok().map(|text| (path, text)));
        let Some((path, text)) = file else {
            return self.unseen(&recipe.file, span, tally);
        };
        let of_session = self.written.contains_key(&path);
        let own_script = !of_session && self.ground.is_own_script(&path);
        if !self.own.contains(&path) {
            self.judged.push(JudgedFile { path: path.clone(), digest: Digest::of(text.as_bytes()) });
        }
        let script = if depth <= DEPTH { recipe.script(&text) } else { None };
        let case = Runs {
            seen: own_script || script.is_some(),
            there: true,
            of_session,
            downloaded: false,
            outside: false,
        };
        tally.weigh(RUNS, &case, &path, span, None);
        if let Some(script) = script {
            let folder = if recipe.folder() == self.ground.call.cwd { "" } else { recipe.folder() };
            let said = in_file(&path, self.analyze(&script, None, folder, None));
            found.absorb(if own_script { self.ruin(said) } else { said }, span);
        }
    }

    /// What a text says it would do in `folder`, which is relative to the call's unless absolute.
    fn analyze(
        &self,
        script: &Script,
        path: Option<&str>,
        folder: &str,
        arguments: Option<&[String]>,
    ) -> Intent {
        let arguments = arguments.filter(|_| script.language != "shell").map(<[String]>::to_vec);
        let options = Options {
            arguments,
            script: path.map(str::to_owned),
            starts_in: folder.to_owned(),
            ..self.options.clone()
        };
        if script.language == "shell" {
            doorward_shell::analyze(&script.text, &options)
        } else {
            doorward_shell::analyze_code(&script.language, &script.text, &options)
        }
    }
}

/// What the text of a file says; what of it isn't understood names the file.
fn in_file(path: &str, mut said: Intent) -> Intent {
    for unread in said.unknown.iter_mut().filter(|unread| unread.code == "shell.parse_error") {
        unread.reason = format!("{}, in {path}", unread.reason);
    }
    said
}

/// Whether settings say nothing that acts.
fn runs_nothing(said: &Intent) -> bool {
    said.commands.is_empty()
        && said.deletes.is_empty()
        && said.writes.is_empty()
        && said.unknown.is_empty()
        && said.findings.iter().all(|finding| finding.code == "code.snippet")
}

/// The files that were brought along with a call.
fn brought(ground: &CallContext<'_>) -> impl Iterator<Item = (String, WrittenFile)> {
    ground.world.brought().into_iter().map(|path| {
        let content = ground.world.read_text(&path, FILE_LIMIT).ok().map(Into::into);
        (path, WrittenFile { content, ..WrittenFile::default() })
    })
}

/// What a command gives to the script of an interpreter, where every word of it is known.
fn arguments_of<'c>(command: &'c SimpleCommand, script: &str) -> Option<&'c [String]> {
    if !matches!(command.code, Code::Language(_)) || !command.unknown_words.is_empty() {
        return None;
    }
    let at = command.words.iter().position(|word| word == script)?;
    let arguments = command.words.get(at + 1..)?;
    arguments.iter().all(|word| !word.contains(['…', '*', '?', '['])).then_some(arguments)
}

/// A path of the session in a command's own folder.
pub(crate) fn in_folder(cwd: &str, name: &str) -> String {
    lexical::join(cwd, name)
}

/// Says of a file that would run that nothing is there.
fn tell_absent(path: &str, span: Span, tally: &mut Tally) {
    let message = format!("Would run or obey {path}, which is not there now.");
    tally.tell(doorward_core::finding::Finding::new("shell.file_unseen", message).at(span));
}
