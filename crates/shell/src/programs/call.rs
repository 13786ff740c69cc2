//! One command line being described: what the functions beside the tables see and say.

use doorward_core::finding::Finding;
use doorward_core::intent::{
    Below, Certainty, Code, DeleteIntent, Direction, EnvRead, Form, HistoryLoss, HostIntent, Install,
    InstallSource, LossFacts, ModuleLoad, Operand, Place, Privilege, PrivilegeKind, ReadIntent,
    RecoverableBy, Span, WriteIntent, WriteMode,
};
use doorward_core::risk::SecurityRisk;
use doorward_knowledge::row::{Nature, Role};

use crate::deed::{Argv, Deeds, Run, Word};

use super::Context;
use super::parse::{GivenOption, Stranger};
use super::{containers, url, word};

/// A command line, taken apart, and what has been said about it.
pub(crate) struct Call<'a> {
    pub(crate) argv: &'a Argv,
    pub(crate) ctx: &'a Context,
    /// The program's name as looked up.
    pub(crate) program: String,
    /// Sub-commands, first names of their rows.
    pub(crate) path: Vec<&'static str>,
    /// The last sub-command as it was spelled; a row may stand for several.
    pub(crate) spelled: &'static str,
    pub(crate) nature: Nature,
    pub(crate) given: Vec<GivenOption>,
    pub(crate) operands: Vec<Word>,
    pub(crate) dashes_at: Option<usize>,
    pub(crate) strangers: Vec<Stranger>,
    pub(crate) deeds: Deeds,
    /// An option or operand did more than the program's name says.
    pub(crate) beyond_plain: bool,
    /// It isn't a pure reader after all.
    pub(crate) acts: bool,
    /// Code in another language is all that stands between the call and its plain use.
    pub(crate) carries_code: bool,
    /// The row lists no options: its function, or nobody, reads the words.
    pub(crate) reads_own_words: bool,
    /// The function beside its row reads the words, and may not know every option.
    pub(crate) is_raw: bool,
}

/// What `-` and the standard devices are: no file.
fn is_stream(text: &str) -> bool {
    matches!(
        text,
        "-" | "/dev/null"
            | "/dev/stdin"
            | "/dev/stdout"
            | "/dev/stderr"
            | "/dev/tty"
            | "/dev/fd/0"
            | "/dev/fd/1"
    )
}

impl<'a> Call<'a> {
    /// Whether an option of this name was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.given.iter().any(|given| given.name == name)
    }

    /// Whether one of these options was given.
    pub(crate) fn any(&self, names: &[&str]) -> bool {
        self.given.iter().any(|given| names.contains(&given.name))
    }

    /// The last value of an option.
    pub(crate) fn value(&self, name: &str) -> Option<Word> {
        self.given.iter().rev().find(|given| given.name == name).and_then(|given| given.value.clone())
    }

    /// All values of an option.
    pub(crate) fn values(&self, name: &str) -> Vec<Word> {
        self.given.iter().filter(|given| given.name == name).filter_map(|given| given.value.clone()).collect()
    }

    /// The place of the whole command.
    pub(crate) fn span(&self) -> Span {
        let first = self.argv.words.first().map(|word| word.span).unwrap_or_default();
        self.argv.words.last().map_or(first, |last| first.cover(last.span))
    }

    /// The first operand's text, if exactly known.
    pub(crate) fn first(&self) -> Option<&str> {
        self.operands.first().and_then(Word::known)
    }

    /// The operand at a place.
    pub(crate) fn operand(&self, at: usize) -> Option<Word> {
        self.operands.get(at).cloned()
    }

    /// Operands from a place on.
    pub(crate) fn operands_from(&self, at: usize) -> Vec<Word> {
        self.operands.get(at..).unwrap_or_default().to_vec()
    }

    fn path_of(&self, path: &Word) -> Operand {
        let mut operand = path.operand();
        operand.place = self.argv.place.clone();
        if self.argv.certainty == Certainty::May {
            operand.certainty = Certainty::May;
        }
        operand
    }

    pub(crate) fn read(&mut self, path: &Word) {
        self.read_as(path, false);
    }

    /// Reads a file, or a folder with what is below it.
    pub(crate) fn read_below(&mut self, path: &Word, below: Below) {
        let before = self.deeds.reads.len();
        self.read_as(path, false);
        self.deeds.reads.iter_mut().skip(before).for_each(|read| read.below = below);
    }

    /// Reads names, sizes and times only.
    pub(crate) fn look(&mut self, path: &Word) {
        self.read_as(path, true);
    }

    fn read_as(&mut self, path: &Word, metadata: bool) {
        if is_stream(&path.text) || path.text.is_empty() {
            return;
        }
        let path = self.path_of(path);
        self.deeds.reads.push(ReadIntent {
            path,
            metadata,
            reaches_host: false,
            reaches_code: false,
            below: Below::default(),
        });
    }

    pub(crate) fn write(&mut self, path: &Word, mode: WriteMode) {
        if is_stream(&path.text) {
            return;
        }
        let path = self.path_of(path);
        self.deeds.writes.push(WriteIntent {
            path,
            mode,
            content: None,
            downloaded: false,
            chmod: None,
            moved_from: None,
            redirected: false,
        });
    }

    /// Writes what comes from the network.
    pub(crate) fn download(&mut self, path: &Word) {
        let before = self.deeds.writes.len();
        self.write(path, WriteMode::Create);
        self.deeds.writes.iter_mut().skip(before).for_each(|write| write.downloaded = true);
    }

    /// Writes to a path that isn't a word of the command (a default name).
    pub(crate) fn write_named(&mut self, path: &str, mode: WriteMode) {
        let word = Word::literal(path, self.span());
        self.write(&word, mode);
    }

    /// Moves `from` to `to`.
    pub(crate) fn move_to(&mut self, from: &Word, to: &Word) {
        let moved_from = Some(self.path_of(from));
        let before = self.deeds.writes.len();
        self.write(to, WriteMode::Create);
        if self.deeds.writes.len() == before {
            // `mv x /dev/null` loses x.
            return self.delete(from, true, true);
        }
        self.deeds.writes.iter_mut().skip(before).for_each(|write| write.moved_from.clone_from(&moved_from));
    }

    pub(crate) fn delete(&mut self, path: &Word, recursive: bool, force: bool) {
        let path = self.path_of(path);
        self.deeds.deletes.push(DeleteIntent { path, recursive, force, own: false, untracked: None });
    }

    /// Code that is run, outside the program's plain use.
    pub(crate) fn run(&mut self, run: Run) {
        self.beyond_plain = true;
        self.acts = true;
        self.deeds.runs.push(run);
    }

    /// A command that stands beside this one and is judged by itself.
    pub(crate) fn run_apart(&mut self, run: Run) {
        self.beyond_plain = true;
        self.deeds.runs.push(run);
    }

    /// The project's own code, which running this program is for.
    pub(crate) fn run_own(&mut self, path: &str, code: Code) {
        let path = Word::literal(path, self.span());
        let via = self.program.clone();
        self.acts = true;
        self.deeds.runs.push(Run::File { path, code, via, args: Vec::new() });
    }

    /// The name under which runs are reported, with sub-commands.
    pub(crate) fn via(&self) -> String {
        let mut via = self.program.clone();
        for name in &self.path {
            via.push(' ');
            via.push_str(name);
        }
        via
    }

    /// A command line that is run as it stands.
    pub(crate) fn run_argv(&mut self, words: Vec<Word>) {
        let place = self.argv.place.clone();
        self.run_argv_in(words, place);
    }

    pub(crate) fn run_argv_in(&mut self, words: Vec<Word>, place: Place) {
        if words.is_empty() {
            return;
        }
        let via = self.via();
        self.run(Run::Argv {
            words,
            assignments: Vec::new(),
            more_operands: false,
            via,
            place,
            chdir: None,
            passes_stdin: true,
        });
    }

    /// Shell text that is run.
    pub(crate) fn run_shell(&mut self, text: Word) {
        let place = self.argv.place.clone();
        self.run_shell_in(text, Vec::new(), place);
    }

    pub(crate) fn run_shell_in(&mut self, text: Word, args: Vec<Word>, place: Place) {
        let via = self.via();
        self.run(Run::Shell { text, args, via, place });
    }

    /// Code in another language: what it does decides whether the call is still plain.
    pub(crate) fn run_language(&mut self, language: &str, text: Word) {
        let via = self.via();
        self.carries_code = true;
        self.deeds.runs.push(Run::Language { language: language.to_owned(), text, via });
    }

    /// Something is chosen that the program obeys: a server, a configuration, code.
    pub(crate) fn choose(&mut self, option: impl Into<String>) {
        let option = option.into();
        if !self.deeds.chooses.contains(&option) {
            self.deeds.chooses.push(option);
        }
    }

    /// A program named by an option or variable: a command line, or a file that is run.
    pub(crate) fn run_program(&mut self, value: &Word) {
        if value.text.trim().contains(char::is_whitespace) {
            self.run_shell(value.clone());
        } else if super::is_known(&value.text) && !value.text.starts_with('.') {
            self.run_argv(vec![value.clone()]);
        } else {
            self.run_file(value, "", Vec::new());
        }
    }

    /// Native code that is loaded into a program: the system's own is what it is for, anything else nobody can read.
    pub(crate) fn run_native(&mut self, file: &Word) {
        self.run_file(file, "", Vec::new());
        const OWN: [&str; 6] =
            ["/usr/lib/", "/lib/", "/lib64/", "/usr/lib64/", "/usr/local/lib/", "/opt/homebrew/"];
        let installed =
            OWN.iter().any(|folder| file.text.starts_with(folder)) || !file.text.contains(['/', '.']);
        if !installed {
            let message = format!("puts native code into {}", self.via());
            self.finding("shell.obfuscated", message);
        }
    }

    /// Whether what arrives on standard input is known to be empty.
    pub(crate) fn stdin_is_empty(&self) -> bool {
        match &self.argv.stdin {
            crate::deed::Stdin::Known { text, .. } => text.trim().is_empty(),
            crate::deed::Stdin::File(file) => file.text == "/dev/null",
            _ => false,
        }
    }

    /// Files of this call that are changed in place are emptied.
    pub(crate) fn empties(&mut self) {
        self.deeds
            .writes
            .iter_mut()
            .filter(|write| write.mode == WriteMode::InPlace)
            .for_each(|write| write.mode = WriteMode::Truncate);
    }

    /// A file that is run as `language`; `shell` for shell text, empty for a build file or plugin.
    pub(crate) fn run_file(&mut self, path: &Word, language: &str, args: Vec<Word>) {
        if path.text.contains("://") && !path.text.starts_with("file://") {
            self.finding("shell.remote_code", format!("{} runs what an address names", self.via()));
        }
        let via = self.via();
        self.run(Run::File { path: path.clone(), code: code(language), via, args });
    }

    /// A module of a language, by its name or its file (`tests/test_x.py::test_y`).
    pub(crate) fn module(&mut self, name: &Word, language: &str) {
        let text = name.text.split("::").next().filter(|_| language == "python").unwrap_or(&name.text);
        // `app:main` is a name in the module.
        let text = text.split(':').next().filter(|_| language == "python").unwrap_or(text);
        if name.known().is_some() && !text.is_empty() {
            let (language, text, folder) = (language.to_owned(), text.to_owned(), String::new());
            self.deeds.modules.push(ModuleLoad { language, name: text, folder, span: name.span });
        }
    }

    /// Standard input is run as `language`.
    pub(crate) fn run_stdin(&mut self, language: &str, args: Vec<Word>) {
        let via = self.via();
        let place = self.argv.place.clone();
        self.run(Run::Stdin { code: code(language), via, place, args });
    }

    pub(crate) fn finding(&mut self, code: &'static str, message: impl Into<String>) {
        let span = self.span();
        self.deeds.findings.push(Finding::new(code, message).at(span));
    }

    /// A finding that stands for MEDIUM whatever its row says.
    pub(crate) fn remark(&mut self, code: &'static str, message: impl Into<String>) {
        let span = self.span();
        self.deeds.findings.push(Finding::new(code, message).at(span).with_risk(SecurityRisk::Medium));
    }

    pub(crate) fn privilege(&mut self, kind: PrivilegeKind, detail: impl Into<String>) {
        let span = self.span();
        self.deeds.privilege.push(Privilege { kind, detail: detail.into(), span });
    }

    pub(crate) fn loses(&mut self, what: impl Into<String>, recoverable_by: RecoverableBy) {
        let span = self.span();
        self.deeds.history_loss.push(HistoryLoss {
            what: what.into(),
            recoverable_by,
            span,
            depends_on: None,
        });
    }

    /// The same, where a look into the repository tells whether anything is lost.
    pub(crate) fn loses_if(
        &mut self,
        what: impl Into<String>,
        recoverable_by: RecoverableBy,
        depends_on: Option<LossFacts>,
    ) {
        let span = self.span();
        self.deeds.history_loss.push(HistoryLoss { what: what.into(), recoverable_by, span, depends_on });
    }

    pub(crate) fn env_read(&mut self, name: &str) {
        let span = self.span();
        self.deeds.env_reads.push(EnvRead { name: name.to_owned(), reaches_host: false, span });
        if name == "*" {
            self.finding("shell.env_dump", "prints the whole environment");
        }
    }

    /// Variables that a template may name are filled into what is printed.
    pub(crate) fn env_read_quietly(&mut self) {
        let span = self.span();
        self.deeds.env_reads.push(EnvRead { name: "*".to_owned(), reaches_host: false, span });
    }

    pub(crate) fn secret(&mut self, message: impl Into<String>) {
        self.finding("shell.secret_read", message);
    }

    /// A host by URL or, without a scheme, by name and optional port or path.
    pub(crate) fn contact(
        &mut self,
        target: &Word,
        scheme: &str,
        direction: Direction,
        body_from: Vec<String>,
    ) {
        if let Some(file) = url::database_file(target) {
            if !file.text.is_empty() {
                self.write(&file, WriteMode::InPlace);
            }
            return;
        }
        let mut host = url::host(target, scheme, direction);
        host.body_from = body_from;
        self.deeds.hosts.push(host);
    }

    /// A host that isn't in the words: a registry, a daemon's default.
    pub(crate) fn contact_named(&mut self, host: &str, scheme: &str, direction: Direction) {
        if !host.contains('.') && host != "localhost" {
            // Not a name anybody could look up: a word for servers that the program's own settings name.
            self.contact_unknown(scheme, direction);
            if let Some(host) = self.deeds.hosts.last_mut() {
                host.host = format!("servers of {}", self.program);
            }
            return;
        }
        let target = Word::literal(host, self.span());
        self.contact(&target, scheme, direction, Vec::new());
    }

    /// A host nobody can name from the words.
    pub(crate) fn contact_unknown(&mut self, scheme: &str, direction: Direction) {
        let span = self.span();
        self.deeds.hosts.push(HostIntent {
            host: "…".to_owned(),
            form: Form::Unknown,
            port: None,
            scheme: scheme.to_owned(),
            url: None,
            direction,
            body_from: Vec::new(),
            configured_remote: None,
            redirected: false,
            span,
        });
    }

    /// A remote the project's configuration names.
    pub(crate) fn contact_remote(&mut self, remote: &str, scheme: &str, direction: Direction) {
        let span = self.span();
        self.deeds.hosts.push(HostIntent {
            host: remote.to_owned(),
            form: Form::Unknown,
            port: None,
            scheme: scheme.to_owned(),
            url: None,
            direction,
            body_from: Vec::new(),
            configured_remote: Some(remote.to_owned()),
            redirected: false,
            span,
        });
    }

    /// A port is opened.
    pub(crate) fn listen(&mut self, address: &str, port: Option<u16>, scheme: &str) {
        let span = self.span();
        self.deeds.hosts.push(HostIntent {
            host: address.to_owned(),
            form: Form::Literal,
            port,
            scheme: scheme.to_owned(),
            url: None,
            direction: Direction::Listen,
            body_from: Vec::new(),
            configured_remote: None,
            redirected: false,
            span,
        });
    }

    pub(crate) fn install(
        &mut self,
        packages: Vec<String>,
        source: InstallSource,
        scripts: bool,
        system: bool,
    ) {
        let span = self.span();
        let manager = self.program.clone();
        self.acts = true;
        self.deeds.installs.push(Install { manager, packages, source, scripts, system, span });
    }

    /// A word of this program that the tables don't know.
    pub(crate) fn unknown_sub(&mut self, word: &Word) {
        self.deeds.known = false;
        self.acts = true;
        if word.known().is_none() {
            self.finding("shell.obfuscated", format!("which command of {} runs can't be seen", self.program));
        } else {
            let message = format!("uses `{} {}`, which Doorward does not know", self.via(), word.text);
            self.finding("shell.unknown_program", message);
        }
    }

    /// This call is a wrapper: what it runs is judged instead of it.
    pub(crate) fn transparent(&mut self) {
        self.deeds.transparent = true;
    }

    /// The names that arrive on standard input, one a line.
    pub(crate) fn stdin_names(&self) -> Vec<Word> {
        match &self.argv.stdin {
            crate::deed::Stdin::Known { text, span } => text
                .split(['\n', '\0'])
                .filter(|name| !name.is_empty())
                .take(256)
                .map(|name| Word::literal(name, *span))
                .collect(),
            crate::deed::Stdin::Unknown { names, .. } => names.clone(),
            _ => Vec::new(),
        }
    }

    /// What it prints are names that this pattern fits (`**` is any folder below).
    pub(crate) fn lists(&mut self, pattern: impl Into<String>) {
        let mut word = Word::literal(pattern, self.span());
        word.form = Form::Glob;
        self.deeds.lists.push(word);
    }

    /// Every name below a folder, or the folder's own name where it may be a file.
    pub(crate) fn lists_below(&mut self, folder: &Word) {
        let below = format!("{}/**", folder.text.trim_end_matches('/'));
        let is_folder = matches!(folder.text.rsplit('/').next(), Some("" | "." | ".."));
        if !is_folder {
            self.deeds.lists.push(folder.clone());
        }
        let mut word = word::instead(folder, below);
        if word.form == Form::Literal {
            word.form = Form::Glob;
        }
        self.deeds.lists.push(word);
    }

    /// Applies a role to a word.
    pub(crate) fn apply(&mut self, role: Role, value: &Word) {
        let text = value.text.clone();
        if role == Role::Shell && text.is_empty() {
            return;
        }
        let nowhere =
            is_stream(&text) && matches!(role, Role::Write | Role::Download | Role::Append | Role::InPlace);
        if role.acts() && !nowhere && !matches!(role, Role::Lang(_)) {
            self.beyond_plain |= self.nature != Nature::Named;
            self.acts = true;
        }
        match role {
            Role::Data => {}
            Role::Read => self.read(value),
            Role::List => {
                self.read(value);
                let mut named = value.operand();
                named.text = "…".to_owned();
                named.form = Form::Unknown;
                named.certainty = Certainty::May;
                named.place = self.argv.place.clone();
                self.deeds.reads.push(ReadIntent {
                    path: named,
                    metadata: false,
                    reaches_host: false,
                    reaches_code: false,
                    below: Below::default(),
                });
            }
            Role::Look => self.look(value),
            Role::Write => self.write(value, WriteMode::Create),
            Role::Download => self.download(value),
            Role::Append => self.write(value, WriteMode::Append),
            Role::InPlace => self.write(value, WriteMode::InPlace),
            Role::Meta => self.write(value, WriteMode::Metadata),
            Role::Dir => self.write(value, WriteMode::Create),
            Role::Tree => self.read_below(value, Below::Everything),
            Role::Mode => super::coreutils::judge_mode(self, value),
            Role::SshSetting => super::ssh::setting(self, value),
            Role::Saved => {
                self.contact(value, "https", Direction::Fetch, Vec::new());
                self.download(&word::instead(value, super::network::file_name(&text)));
            }
            Role::Remote(sent) => super::git::remote(self, value, sent),
            Role::Delete => self.delete(value, false, false),
            Role::Shell => self.run_shell(value.clone()),
            Role::Expand if text.contains(['$', '`']) => {
                self.run_shell(word::instead(value, format!(": {text}")));
            }
            Role::Expand => {}
            Role::Program if value.text.contains(['\'', '"', ';', '|', '&', '$', '`']) => {
                self.run_shell(value.clone())
            }
            Role::Program => {
                let words = word::fields(value);
                self.run_argv(words);
            }
            Role::Lang("*") => {
                let language = self.program.clone();
                self.run_language(&language, value.clone());
            }
            Role::Lang(language) => self.run_language(language, value.clone()),
            Role::File("*") => {
                let language = self.program.clone();
                self.run_file(value, &language, Vec::new());
            }
            Role::Module(language) => self.module(value, language),
            Role::File("native") => self.run_native(value),
            Role::File(language) => self.run_file(value, language, Vec::new()),
            Role::Config => self.run_file(value, "", Vec::new()),
            // A socket of this machine is no host.
            Role::Host if value.text.starts_with("unix:") => {}
            Role::Host => {
                let scheme = self.program.clone();
                self.contact(value, &scheme, Direction::Both, Vec::new());
            }
            Role::Choose => {}
            Role::Url => self.contact(value, "https", Direction::Fetch, Vec::new()),
            Role::Secret => {}
            Role::Env if text.contains('=') => {}
            Role::Env => self.env_read(&text),
            Role::Source => containers::source(self, value),
            Role::Image => containers::fetch(self, value),
            Role::ImageSent => containers::publish(self, value),
            Role::Mount => containers::mount(self, value),
            Role::Port => containers::publish_port(self, value),
        }
    }

    /// Applies the operand roles of a row.
    pub(crate) fn apply_operands(&mut self, spec: &'static str) {
        let operands = std::mem::take(&mut self.operands);
        let tokens: Vec<&'static str> = spec
            .split_ascii_whitespace()
            .filter_map(|token| match token.split_once('!') {
                Some((role, unless)) => (!unless.split(',').any(|name| self.has(name))).then_some(role),
                None => Some(token),
            })
            .collect();
        let star = tokens.iter().position(|token| token.ends_with('*'));
        let tail = star.map_or(0, |at| tokens.len() - at - 1);
        for (index, operand) in operands.iter().enumerate() {
            let from_end = operands.len() - index;
            let token = match star {
                Some(at) if index < at => tokens.get(index),
                Some(_) if from_end <= tail && operands.len() > tail => tokens.get(tokens.len() - from_end),
                Some(at) => tokens.get(at),
                None => tokens.get(index).or(tokens.last()),
            };
            let role = token.and_then(|token| Role::named(token.trim_end_matches(['*', '?'])));
            match role {
                Some(role) => self.apply(role, operand),
                None => {
                    self.deeds.known = false;
                    self.read(operand);
                }
            }
        }
        self.operands = operands;
    }
}

/// The code kind of a language name.
pub(crate) fn code(language: &str) -> Code {
    match language {
        "" => Code::None,
        "shell" => Code::Shell,
        other => Code::Language(other.to_owned()),
    }
}
