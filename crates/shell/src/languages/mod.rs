//! What code in other languages does: one tree, one evaluator and tables of calls; nothing is executed.
//!
//! [`describe`] finds calls that execute, delete, write, read, contact hosts or read the environment, with the
//! literals they are given; a call whose name can't be decided is `shell.obfuscated`. Shell text and code found inside
//! come back as [`Run`] requests. A snippet with none of these is `code.snippet`.

mod awk;
mod cmd;
mod code;
mod commands;
mod effect_free;
mod evaluate;
mod go;
mod habits;
mod javascript;
mod lines;
mod literals;
mod lua;
mod perl;
mod php;
mod plain;
mod powershell;
mod python;
mod repeats;
mod ruby;
mod rules;
mod sed;
mod sql;
mod tokens;
pub(crate) mod windows;

use doorward_core::finding::Finding;
use doorward_core::intent::{
    Below, Code, DeleteIntent, Direction, EnvRead, Form, ModuleLoad, Operand, Place, ReadIntent, Span,
    Unknown, WriteIntent, WriteMode,
};

use crate::deed::{Deeds, Run, Word};
pub(crate) use code::has_grammar;

use crate::programs::Context;

/// The names that code gets when it lists a folder. Unlike a shell's `*` they hold hidden names, and code goes through
/// trees: so the world's names never take the pattern's place.
pub(crate) const LISTED: &str = "**";

/// How code is called.
#[derive(Debug, Clone, Copy, Default)]
pub struct Invocation<'a> {
    /// The file that it stands in, if it is one.
    pub script: Option<&'a str>,
    /// What it is given on its command line, if that is known.
    pub arguments: Option<&'a [String]>,
}

/// What `text` in `language` does when it is called like this.
#[must_use]
pub fn describe(language: &str, text: &str, called: Invocation<'_>, span: Span, ctx: &Context) -> Deeds {
    let mut effects = CodeEffects {
        deeds: Deeds { known: true, ..Deeds::default() },
        span,
        language: language.to_owned(),
        effect_free: false,
        only_reads: false,
    };
    match language {
        "sed" => sed::describe(&mut effects, text),
        "awk" => awk::describe(&mut effects, text),
        "sql" | "psql" | "mysql" | "sqlite" => sql::describe(&mut effects, text, language),
        "redis" => sql::redis(&mut effects, text),
        "powershell" => powershell::describe(&mut effects, text, ctx.home.as_deref()),
        "cmd" => cmd::describe(&mut effects, text, ctx.home.as_deref()),
        "crontab" => lines::crontab(&mut effects, text),
        "make" => lines::make(&mut effects, text),
        "ed" | "vim" | "gdb" => lines::editor(&mut effects, text),
        "m4" | "roff" | "tex" | "postscript" => {
            lines::escapes(&mut effects, text, language);
            if language != "m4" {
                unread(&mut effects, text);
            }
        }
        "curl" | "wget" => lines::transfer(&mut effects, text, language),
        "dc" => lines::dc(&mut effects, text),
        "ftp" => lines::ftp(&mut effects, text),
        "recipe" => {
            lines::recipe(&mut effects, text);
            unread(&mut effects, text);
        }
        "console" => lines::console(&mut effects, text),
        "rgrc" => lines::options_of(&mut effects, text, language.trim_end_matches("rc")),
        "nginx" => lines::modules(&mut effects, text),
        "nushell" => {
            lines::externals(&mut effects, text);
            unread(&mut effects, text);
        }
        // A name in an attribute may stand between quotation marks that are written as entities.
        "markup" => {
            let plain = text.replace("&quot;", "\"").replace("&apos;", "'");
            unread(&mut effects, &plain);
        }
        "kakoune" => unread(&mut effects, text),
        // A list of files, one a line.
        "names" => {
            for name in text.split(['\n', '\0']).filter(|name| !name.is_empty()).take(1024) {
                effects.read(&Value::literal(name));
            }
        }
        _ => {
            let rest = matches!(language, "python" | "ipython" | "gnuplot" | "xonsh" | "octave")
                .then(|| lines::bangs(&mut effects, text));
            code::describe(&mut effects, rest.as_deref().unwrap_or(text), called);
            if !rules::is_well_read(language) {
                unread(&mut effects, text);
            }
        }
    }
    reflects(&mut effects, text, language);
    effects.finish()
}

/// Parts of the paths of what runs by itself later, or says who may log in.
const STARTS_LATER: &[&str] = &[
    "/.bash_login",
    "/.bash_profile",
    "/.bashrc",
    "/.config/autostart/",
    "/.profile",
    "/.ssh/authorized_keys",
    "/.zprofile",
    "/.zshenv",
    "/.zshrc",
    "/LaunchAgents/",
    "/LaunchDaemons/",
    "/etc/cron",
    "/etc/ld.so.preload",
    "/etc/passwd",
    "/etc/profile",
    "/etc/rc.local",
    "/etc/sudoers",
    "/etc/systemd/",
    "/var/spool/cron",
];

/// Whether a path is of a file that runs by itself later, or that says who may log in.
pub(crate) fn starts_later(path: &str) -> bool {
    STARTS_LATER.iter().any(|name| path.contains(name))
}

/// What stands in a text that no reader of its language looks at closely: command lines, and the names of files that
/// hold secrets or run at the next start.
fn unread(effects: &mut CodeEffects, text: &str) {
    for command in crate::programs::embedded::commands(text) {
        effects.shell(&Value::literal(command));
    }
    for part in text.split(['"', '\'', '(', ')', '{', '}', '=', '\n', ' ']).take(1024) {
        let part = part.strip_prefix("file://").unwrap_or(part);
        let names_file = part.starts_with(['/', '~']) && !part.contains(char::is_whitespace);
        if !names_file {
            continue;
        }
        let path = Value::literal(part);
        if starts_later(part) {
            effects.write(&path, WriteMode::Create);
        } else {
            effects.may_read(&path);
        }
    }
}

/// Whether it is a shell's language, whose commands are listed one by one.
pub(crate) fn is_shell(language: &str) -> bool {
    matches!(language, "powershell" | "cmd")
}

/// Ways to call what only the running code knows the name of, by language: the marks that together say so, without
/// regard to white space. Sources: the manuals of Emacs Lisp, Common Lisp, R, Tcl and PostgreSQL.
const REFLECTION: &[(&str, &[&str])] = &[
    ("clisp ecl elisp emacs guile lisp racket sbcl scheme", &["(funcall(intern"]),
    ("clisp ecl elisp emacs guile lisp racket sbcl scheme", &["(apply(intern"]),
    ("clisp ecl elisp emacs guile lisp racket sbcl scheme", &["(eval(read"]),
    ("elisp emacs", &["url-insert", "(eval-buffer"]),
    ("elisp emacs", &["url-retrieve", "(eval-"]),
    ("r", &["do.call(paste"]),
    ("r", &["match.fun(paste"]),
    ("r", &["get(paste"]),
    ("r", &["eval(parse("]),
    ("r", &["<-source", "url("]),
    ("tcl expect", &["exec", "[stringreverse"]),
    ("tcl expect", &["eval", "[stringreverse"]),
    ("tcl expect", &["exec", "[format%c"]),
    ("mysql psql sql", &["execute'", "'||'"]),
];

/// Notes code that calls what can't be read from its text.
fn reflects(effects: &mut CodeEffects, text: &str, language: &str) {
    const LONGEST: usize = 64 * 1024;
    let is = |list: &str| list.split(' ').any(|own| own.eq_ignore_ascii_case(language));
    let mut rows = REFLECTION.iter().filter(|(languages, _)| is(languages)).peekable();
    if rows.peek().is_none() || text.len() > LONGEST {
        return;
    }
    let plain: String = text.to_ascii_lowercase().split_whitespace().collect();
    if rows.any(|(_, marks)| marks.iter().all(|mark| plain.contains(mark))) {
        effects.finding("shell.generated_code", "calls what only the running code knows the name of");
    }
}

/// Whether a command line is an interpreter that runs what it is fed, as the tables of programs say.
pub(crate) fn is_interpreter(command: &str) -> bool {
    let words: Vec<Word> =
        command.split_ascii_whitespace().map(|word| Word::literal(word, Span::default())).collect();
    // Longer commands have something of their own to do.
    if words.is_empty() || words.len() > 3 {
        return false;
    }
    let argv = crate::deed::Argv { words, ..crate::deed::Argv::default() };
    let deeds = crate::programs::describe(&argv, &Context::default());
    // A table of times is written first, and what it says runs later.
    let is_table = |code: &Code| matches!(code, Code::Language(language) if language == "crontab");
    deeds.runs.iter().any(|run| matches!(run, Run::Stdin { code, .. } if !is_table(code)))
}

/// Deeds being collected, and what they have in common.
pub(crate) struct CodeEffects {
    pub(crate) deeds: Deeds,
    span: Span,
    language: String,
    /// Every call in it is listed as free of effects.
    effect_free: bool,
    /// Queries that change nothing.
    only_reads: bool,
}

/// A value in code: its text, and whether that is all of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Value {
    /// Unknown parts are `…`.
    pub(crate) text: String,
    /// It was put together from parts.
    pub(crate) assembled: bool,
    /// It had to be decoded.
    pub(crate) decoded: bool,
}

impl Value {
    pub(crate) fn literal(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub(crate) fn unknown() -> Self {
        Self::literal("…")
    }

    pub(crate) fn is_known(&self) -> bool {
        !self.text.contains('…')
    }
}

impl CodeEffects {
    pub(crate) fn word(&self, value: &Value) -> Word {
        Word {
            text: value.text.clone(),
            form: if value.is_known() { Form::Literal } else { Form::Unknown },
            may_split: false,
            assembled: value.assembled,
            span: self.span,
        }
    }

    fn operand(&self, value: &Value) -> Operand {
        let mut operand = self.word(value).operand();
        if value.text.contains(['*', '?']) && value.is_known() {
            operand.form = Form::Glob;
        }
        operand
    }

    pub(crate) fn read(&mut self, path: &Value) {
        let path = self.operand(path);
        self.deeds.reads.push(ReadIntent {
            path,
            metadata: false,
            reaches_host: false,
            reaches_code: false,
            below: Below::default(),
        });
    }

    /// A path given to what nobody described: it may be read there.
    pub(crate) fn may_read(&mut self, path: &Value) {
        let read = |effects: &Self, text: &str| effects.deeds.reads.iter().any(|read| read.path.text == text);
        let named = read(self, &path.text)
            || self.deeds.writes.iter().any(|write| write.path.text == path.text)
            || self.deeds.deletes.iter().any(|delete| delete.path.text == path.text);
        if !named {
            self.read(path);
            if let Some(read) = self.deeds.reads.last_mut() {
                read.path.certainty = doorward_core::intent::Certainty::May;
            }
        }
    }

    pub(crate) fn write(&mut self, path: &Value, mode: WriteMode) {
        if matches!(path.text.as_str(), "/dev/stderr" | "/dev/stdout" | "/dev/null" | "-" | "/dev/tty") {
            return;
        }
        let path = self.operand(path);
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

    pub(crate) fn move_to(&mut self, from: &Value, to: &Value) {
        // What was written beside first, so that it is there whole.
        if code::is_made(&from.text) {
            return self.write(to, WriteMode::Create);
        }
        let from = self.operand(from);
        self.write(to, WriteMode::Create);
        if let Some(write) = self.deeds.writes.last_mut() {
            write.moved_from = Some(from);
        }
    }

    pub(crate) fn delete(&mut self, path: &Value, recursive: bool) {
        let own = code::is_made(&path.text);
        let path = self.operand(path);
        self.deeds.deletes.push(DeleteIntent { path, recursive, force: true, own, untracked: None });
    }

    pub(crate) fn shell(&mut self, text: &Value) {
        let text = self.word(text);
        let via = self.language.clone();
        self.deeds.runs.push(Run::Shell { text, args: Vec::new(), via, place: Place::Local });
    }

    pub(crate) fn argv(&mut self, words: &[Value]) {
        self.argv_in(words, None);
    }

    /// A command that runs in this folder.
    pub(crate) fn argv_in(&mut self, words: &[Value], folder: Option<&Value>) {
        let chdir = folder.map(|folder| self.word(folder));
        let words = words.iter().map(|value| self.word(value)).collect();
        let via = self.language.clone();
        self.deeds.runs.push(Run::Argv {
            words,
            assignments: Vec::new(),
            more_operands: false,
            via,
            place: Place::Local,
            chdir,
            passes_stdin: false,
        });
    }

    /// What the file that was written last holds now, if that is known and all of it.
    pub(crate) fn wrote(&mut self, path: &Value, content: Option<&str>) {
        const LONGEST: usize = 64 * 1024;
        let Some(write) = self.deeds.writes.iter_mut().rev().find(|write| write.path.text == path.text)
        else {
            return;
        };
        // A second piece: only both together are the content.
        write.content = match (write.content.take(), content) {
            (None, Some(content)) if content.len() <= LONGEST => Some(content.to_owned()),
            (Some(before), Some(content)) if before.len() + content.len() <= LONGEST => {
                Some(before + content)
            }
            _ => None,
        };
    }

    /// A command whose standard input is this text.
    pub(crate) fn fed(&mut self, command: &Value, input: &Value) {
        let quoted = input.text.replace('\'', "'\\''").replace('…', "'…'");
        let text = format!("printf '%s\\n' '{quoted}' | {}", command.text);
        self.shell(&Value { text, ..command.clone() });
    }

    pub(crate) fn nested(&mut self, language: &str, text: &Value) {
        if !text.is_known() {
            return self.finding("shell.obfuscated", "code that is made on the spot is run");
        }
        let text = self.word(text);
        let via = self.language.clone();
        self.deeds.runs.push(Run::Language { language: language.to_owned(), text, via });
    }

    pub(crate) fn file(&mut self, path: &Value, code: Code) {
        // Nobody sees what a file that was just made holds.
        let unseen = Value::unknown();
        let path = if code::is_made(&path.text) { &unseen } else { path };
        let path = self.word(path);
        let via = self.language.clone();
        self.deeds.runs.push(Run::File { path, code, via, args: Vec::new() });
    }

    /// A module of the same language, by its name. What nobody knows is told where its name is put together.
    pub(crate) fn module(&mut self, name: &Value) {
        let known = |module: &ModuleLoad| module.name == name.text;
        if name.is_known() && !self.deeds.modules.iter().any(known) {
            let (language, span) = (self.language.clone(), self.span);
            let name = name.text.clone();
            self.deeds.modules.push(ModuleLoad { language, name, folder: String::new(), span });
        }
    }

    /// A folder that modules are looked for in from now on.
    pub(crate) fn module_folder(&mut self, folder: &Value) {
        if folder.is_known() {
            self.deeds.module_folders.push(self.operand(folder));
        }
    }

    pub(crate) fn host(&mut self, target: &Value, scheme: &str, direction: Direction) {
        let word = self.word(target);
        let mut host = crate::programs::host_of(&word, scheme, direction);
        if direction == Direction::Send {
            host.body_from = self.deeds.reads.iter().map(|read| read.path.text.clone()).collect();
        }
        self.deeds.hosts.push(host);
    }

    pub(crate) fn env(&mut self, name: &str) {
        let span = self.span;
        self.deeds.env_reads.push(EnvRead { name: name.to_owned(), reaches_host: false, span });
        if name == "*" {
            self.finding("shell.env_dump", "reads the whole environment");
        }
    }

    pub(crate) fn finding(&mut self, code: &'static str, message: impl Into<String>) {
        let message = message.into();
        if !self.deeds.findings.iter().any(|finding| finding.code == code && finding.message == message) {
            self.deeds.findings.push(Finding::new(code, message).at(self.span));
        }
    }

    /// A part that can't be analysed.
    pub(crate) fn unknown(&mut self, code: &str, reason: String) {
        self.deeds.unknown.push(Unknown { code: code.to_owned(), reason, span: self.span });
    }

    fn finish(mut self) -> Deeds {
        // What a service on this machine is given of the project stays where it was.
        let outside = self.deeds.reads.iter().any(|read| {
            let path = &read.path.text;
            path.starts_with(['/', '~', '$', '…']) || path.contains("..") || path.contains(".env")
        });
        let sends = self.deeds.hosts.iter().any(|host| {
            matches!(host.direction, Direction::Send | Direction::Both)
                && (outside || !habits::is_this_machine(&host.host))
        });
        if sends {
            self.deeds.reads.iter_mut().for_each(|read| read.reaches_host = true);
            self.deeds.env_reads.iter_mut().for_each(|read| read.reaches_host = true);
            let files: Vec<String> = self.deeds.reads.iter().map(|read| read.path.text.clone()).collect();
            for host in self.deeds.hosts.iter_mut().filter(|host| host.direction != Direction::Fetch) {
                if host.body_from.is_empty() {
                    host.body_from.clone_from(&files);
                }
            }
        }
        let nothing = self.deeds.reads.is_empty()
            && self.deeds.writes.is_empty()
            && self.deeds.deletes.is_empty()
            && self.deeds.hosts.is_empty()
            && self.deeds.runs.is_empty()
            && self.deeds.findings.is_empty();
        if nothing
            && !matches!(
                self.language.as_str(),
                "sed" | "awk" | "make" | "crontab" | "m4" | "roff" | "tex" | "postscript"
            )
        {
            self.deeds.read_only = self.effect_free;
            if !self.effect_free {
                self.finding("code.snippet", format!("{} code that does nothing listed", self.language));
            }
        }
        let quiet = self.deeds.findings.iter().all(|finding| finding.code == "code.snippet");
        self.deeds.plain = quiet
            && (self.only_reads || self.deeds.read_only)
            && self.deeds.writes.is_empty()
            && self.deeds.deletes.is_empty()
            && self.deeds.hosts.is_empty()
            && self.deeds.runs.is_empty();
        self.deeds
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Asserts what snippets of a language do.
    pub(crate) fn check(language: &str, rows: &[(&str, &str)]) {
        let wrong: Vec<String> = rows
            .iter()
            .filter_map(|(text, expected)| {
                let mut deeds =
                    describe(language, text, Invocation::default(), Span::default(), &Context::default());
                deeds.modules.clear();
                let found = crate::programs::compact::compact(&deeds);
                (found != *expected).then(|| format!("{text}\n  expected {expected}\n  found    {found}"))
            })
            .collect();
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }

    #[test]
    fn lines_of_makefiles_and_crontabs_are_shell() {
        check("make", &[("a:\n\t@rm x\n", "sh rm x"), ("a: ; rm y", "sh rm y"), ("X != rm z", "sh rm z")]);
        check("crontab", &[("* * * * * rm x\n# no\n@reboot rm y", "sh rm x; sh rm y")]);
        check("ed", &[("!rm x\nw y\nq", "create y; sh rm x")]);
    }
}
