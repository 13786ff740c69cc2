//! What code in other languages does: tokens and rule tables, no interpreter.
//!
//! [`describe`] finds calls that execute, delete, write, read, contact hosts or read the environment, with the
//! literals they are given; a call whose name can't be decided is `shell.obfuscated`. Shell text and code found inside
//! come back as [`Run`] requests. A snippet with none of these is `code.snippet`.

mod awk;
mod calls;
mod cmd;
mod effect_free;
mod evaluate;
mod habits;
mod literals;
mod powershell;
mod rules;
mod sed;
mod sql;
mod tokens;

use doorward_core::finding::Finding;
use doorward_core::intent::{
    Below, Code, DeleteIntent, Direction, EnvRead, Form, Operand, Place, ReadIntent, Span, WriteIntent,
    WriteMode,
};

use crate::deed::{Deeds, Run, Word};
use crate::programs::Context;

/// What `text` in `language` does.
#[must_use]
pub fn describe(language: &str, text: &str, span: Span, ctx: &Context) -> Deeds {
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
        "m4" | "roff" | "tex" | "postscript" => lines::escapes(&mut effects, text, language),
        "curl" | "wget" => lines::transfer(&mut effects, text, language),
        "dc" => lines::dc(&mut effects, text),
        "ftp" => lines::ftp(&mut effects, text),
        "recipe" => lines::recipe(&mut effects, text),
        // A list of files, one a line.
        "names" => {
            for name in text.split(['\n', '\0']).filter(|name| !name.is_empty()).take(1024) {
                effects.read(&Value::literal(name));
            }
        }
        _ => {
            if matches!(language, "tcl" | "expect") {
                lines::tcl(&mut effects, text);
            }
            if language == "cmake" {
                lines::cmake(&mut effects, text);
            }
            if matches!(language, "python" | "ipython" | "gnuplot" | "xonsh" | "octave") {
                lines::bangs(&mut effects, text);
            }
            calls::describe(&mut effects, text, &rules::of(language));
        }
    }
    reflects(&mut effects, text, language);
    effects.finish()
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

/// Whether a command line is a bare interpreter that runs what it is fed.
pub(crate) fn is_interpreter(command: &str) -> bool {
    const NAMES: &[&str] = &[
        "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "python", "python3", "perl", "ruby", "node",
        "php", "lua",
    ];
    let mut words = command.split_ascii_whitespace();
    let program = words.next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    NAMES.contains(&program) && words.all(|word| matches!(word, "-" | "-s" | "-x" | "-e" | "-i" | "-l"))
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
        let from = self.operand(from);
        self.write(to, WriteMode::Create);
        if let Some(write) = self.deeds.writes.last_mut() {
            write.moved_from = Some(from);
        }
    }

    pub(crate) fn delete(&mut self, path: &Value, recursive: bool) {
        let path = self.operand(path);
        self.deeds.deletes.push(DeleteIntent {
            path,
            recursive,
            force: true,
            own: false,
            ignored_only: false,
            untracked: None,
        });
    }

    pub(crate) fn shell(&mut self, text: &Value) {
        let text = self.word(text);
        let via = self.language.clone();
        self.deeds.runs.push(Run::Shell { text, args: Vec::new(), via, place: Place::Local });
    }

    pub(crate) fn argv(&mut self, words: &[Value]) {
        let words = words.iter().map(|value| self.word(value)).collect();
        let via = self.language.clone();
        self.deeds.runs.push(Run::Argv {
            words,
            assignments: Vec::new(),
            more_operands: false,
            via,
            place: Place::Local,
            chdir: None,
            passes_stdin: false,
        });
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
        let path = self.word(path);
        let via = self.language.clone();
        self.deeds.runs.push(Run::File { path, code, via, args: Vec::new() });
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

    fn finish(mut self) -> Deeds {
        let sends =
            self.deeds.hosts.iter().any(|host| matches!(host.direction, Direction::Send | Direction::Both));
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

mod lines {
    //! Languages whose unit is the line.

    use doorward_core::intent::WriteMode;

    use super::{CodeEffects, Value};

    /// The command of every crontab line.
    pub(super) fn crontab(effects: &mut CodeEffects, text: &str) {
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let skip = if line.starts_with('@') { 1 } else { 5 };
            let command: Vec<&str> = line.split_ascii_whitespace().skip(skip).collect();
            if !command.is_empty() {
                effects.shell(&Value::literal(command.join(" ")));
            }
        }
    }

    /// The recipe lines of a makefile, and what its variables run.
    pub(super) fn make(effects: &mut CodeEffects, text: &str) {
        let joined = text.replace("\\\n", " ");
        for line in joined.lines() {
            if let Some(recipe) = line.strip_prefix('\t').or_else(|| {
                line.split_once(':').and_then(|(_, rest)| rest.split_once(';').map(|(_, recipe)| recipe))
            }) {
                let recipe = recipe.trim_start_matches(['@', '-', '+', ' ']);
                if !recipe.is_empty() {
                    effects.shell(&Value::literal(recipe));
                }
            } else if let Some((_, command)) = line.split_once("!=") {
                effects.shell(&Value::literal(command.trim()));
            }
            for part in line.split("$(shell ").skip(1) {
                effects.shell(&Value::literal(part.split(')').next().unwrap_or_default()));
            }
        }
    }

    /// `exec`, `spawn` and `system` of Tcl: the words behind them are a command's.
    pub(super) fn tcl(effects: &mut CodeEffects, text: &str) {
        for part in text.split(['\n', ';', '[']) {
            let part = part.trim().trim_end_matches(']');
            let command = ["exec ", "spawn ", "system "].iter().find_map(|verb| part.strip_prefix(verb));
            if let Some(command) = command {
                let options = ["-ignorestderr ", "-keepnewline ", "-noecho ", "-- "];
                let command =
                    options.iter().fold(command, |command, option| command.trim_start_matches(option));
                effects.shell(&Value::literal(command.replace(['{', '}'], "\"")));
                continue;
            }
            let words: Vec<Value> = part
                .split_ascii_whitespace()
                .map(|word| Value::literal(word.trim_matches(['{', '}', '"', ']'])))
                .collect();
            let text = |at: usize| words.get(at).map(|word: &Value| word.text.as_str()).unwrap_or_default();
            let value = |at: usize| words.get(at).cloned().unwrap_or_else(Value::unknown);
            match (text(0), text(1)) {
                // `open "|command"` is a pipeline (open(n)).
                ("open", first) if first.starts_with('|') => {
                    let command = part.trim_start_matches("open").trim().trim_matches(['"', '{', '}', '|']);
                    effects.shell(&Value::literal(command));
                }
                ("open", _) if text(2).starts_with(['w', 'a']) => effects.write(&value(1), WriteMode::Create),
                ("open", _) => effects.read(&value(1)),
                ("file", "rename") => effects.move_to(&value(2), &value(3)),
                ("file", "copy") => {
                    effects.read(&value(2));
                    effects.write(&value(3), WriteMode::Create);
                }
                ("file", "attributes") if part.contains("-permissions") => {
                    effects.write(&value(2), WriteMode::Metadata);
                    if let Some(write) = effects.deeds.writes.last_mut() {
                        write.chmod = words.last().map(|mode| mode.text.clone());
                    }
                }
                _ => {}
            }
        }
    }

    /// `file(REMOVE_RECURSE x)` and kin (cmake-commands(7)).
    pub(super) fn cmake(effects: &mut CodeEffects, text: &str) {
        for part in text.split("file(").skip(1) {
            let inside = part.split(')').next().unwrap_or_default();
            let mut words =
                inside.split_ascii_whitespace().map(|word| Value::literal(word.trim_matches('"')));
            let Some(verb) = words.next() else { continue };
            let mut words: Vec<Value> = words.take(64).collect();
            match verb.text.as_str() {
                "REMOVE" => words.iter().for_each(|path| effects.delete(path, false)),
                "REMOVE_RECURSE" => words.iter().for_each(|path| effects.delete(path, true)),
                "READ" | "STRINGS" => words.iter().take(1).for_each(|path| effects.read(path)),
                "WRITE" | "TOUCH" => {
                    words.iter().take(1).for_each(|path| effects.write(path, WriteMode::Create));
                }
                "APPEND" => words.iter().take(1).for_each(|path| effects.write(path, WriteMode::Append)),
                "RENAME" if words.len() > 1 => {
                    let to = words.remove(1);
                    words.iter().take(1).for_each(|from| effects.move_to(from, &to));
                }
                _ => {}
            }
        }
    }

    /// The settings of a downloader, as the options they stand for (curl(1), `--config`; wget(1), `wgetrc`).
    pub(super) fn transfer(effects: &mut CodeEffects, text: &str, program: &str) {
        let mut words = vec![Value::literal(program)];
        let mut named = false;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (name, value) = line.split_once(['=', ':', ' ']).map_or((line, ""), |(name, value)| {
                (name.trim(), value.trim_start_matches(['=', ' ']).trim())
            });
            let name = name.trim_start_matches('-').replace('_', "-");
            let value = value.trim_matches('"');
            if name == "url" {
                named = true;
                words.push(Value::literal(value));
                continue;
            }
            words.push(Value::literal(if name.len() == 1 {
                format!("-{name}")
            } else {
                format!("--{name}")
            }));
            if !value.is_empty() && !matches!(value, "on" | "off") {
                words.push(Value::literal(value));
            }
        }
        if !named {
            // The host is on the command line.
            words.push(Value::unknown());
        }
        effects.argv(&words);
    }

    /// dc(1): `!` runs the rest of its line, unless a comparison follows.
    pub(super) fn dc(effects: &mut CodeEffects, text: &str) {
        for line in text.lines() {
            let mut rest = line;
            while let Some((_, after)) = rest.split_once('!') {
                if !after.starts_with(['<', '>', '=']) {
                    effects.shell(&Value::literal(after.trim()));
                    break;
                }
                rest = after;
            }
        }
        effects.effect_free = !text.contains('…');
    }

    /// What a file transfer client is told, one command a line.
    pub(super) fn ftp(effects: &mut CodeEffects, text: &str) {
        // `!` takes the rest of its line, separators and all.
        let (shells, lines): (Vec<&str>, Vec<&str>) =
            text.lines().map(str::trim).partition(|line| line.starts_with('!'));
        for command in shells {
            effects.shell(&Value::literal(command.trim_start_matches('!').trim()));
        }
        for line in lines.into_iter().flat_map(|line| line.split(';')).map(str::trim) {
            if let Some(command) = line.strip_prefix('!') {
                effects.shell(&Value::literal(command.trim()));
                continue;
            }
            let mut words = line.split_ascii_whitespace();
            match words.next().map(str::to_ascii_lowercase).as_deref() {
                Some("put" | "mput" | "send" | "append" | "reput" | "mirror") => {
                    words.filter(|word| !word.starts_with('-')).take(16).for_each(|file| {
                        effects.read(&Value::literal(file));
                    });
                    effects.host(&Value::unknown(), "ftp", doorward_core::intent::Direction::Send);
                }
                Some("rm" | "mrm" | "delete" | "mdelete" | "rmdir") => {
                    effects.finding("shell.data_loss", "deletes on the server");
                }
                _ => {}
            }
        }
    }

    /// Tasks written as data (a playbook, a task file): what reads as a command line in it.
    pub(super) fn recipe(effects: &mut CodeEffects, text: &str) {
        for line in text.lines().take(4096) {
            for part in line
                .split(['"', '\'', '{', '}', '[', ']'])
                .flat_map(|part| part.split(": "))
                .flat_map(|part| part.split(" = "))
            {
                let part = part.trim().trim_start_matches("- ").trim_end_matches(',');
                if super::literals::is_command_line(part) {
                    effects.shell(&Value::literal(part));
                }
            }
        }
    }

    /// Lines that begin with `!` (IPython, gnuplot): shell text.
    pub(super) fn bangs(effects: &mut CodeEffects, text: &str) {
        for line in text.lines() {
            if let Some(command) = line.trim_start().strip_prefix('!') {
                effects.shell(&Value::literal(command.trim_start_matches('!')));
            }
        }
    }

    /// Text languages with a way out to the shell: `syscmd(…)` of m4(1), `.sy` of groff(7), `\write18{…}` of TeX,
    /// `%pipe%` of Ghostscript; and the files they read in.
    pub(super) fn escapes(effects: &mut CodeEffects, text: &str, language: &str) {
        let (starts, ends): (&[&str], &[char]) = match language {
            "m4" => (&["syscmd(", "esyscmd("], &[')']),
            "roff" => (&[".sy ", ".pso ", "'sy ", "'pso "], &['\n']),
            "tex" => (&["write18{", "ShellEscape{", "input{|", "input|"], &['}']),
            _ => (&["%pipe%"], &[')']),
        };
        for start in starts {
            for rest in text.split(start).skip(1) {
                let command = rest.split(ends).next().unwrap_or_default();
                effects.shell(&Value::literal(command.trim_matches(['`', '\'', '"', ' '])));
            }
        }
        let (reads, ends): (&[&str], &[char]) = match language {
            "m4" => (&["include(", "sinclude(", "undivert("], &[')']),
            "roff" => (&[".so ", ".mso "], &['\n']),
            "tex" => (&["\\input{", "\\include{", "\\verbatiminput{", "\\lstinputlisting{"], &['}']),
            _ => (&[], &[]),
        };
        for start in reads {
            for rest in text.split(start).skip(1) {
                let path = rest.split(ends).next().unwrap_or_default();
                effects.read(&Value::literal(path.trim_matches(['`', '\'', '"', ' '])));
            }
        }
    }

    /// Editor and debugger scripts: `!text` runs a shell, `w file` writes.
    pub(super) fn editor(effects: &mut CodeEffects, text: &str) {
        for raw in text.split(['\n', '\r']) {
            let sources = ["source ", "so ", "runtime "]
                .iter()
                .any(|verb| raw.trim_start_matches([':', ' ']).starts_with(verb));
            if sources && raw.contains("://") {
                effects.finding("shell.remote_code", "loads code from an address");
            }
            let line = raw
                .trim_start_matches([':', ' ', '%', ','])
                .trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '$');
            let shell = ["!", "silent !", "shell ", "r !", "r!", "w !", "e !", "pipe ", "system "]
                .iter()
                .find_map(|prefix| line.strip_prefix(prefix));
            if let Some(shell) = shell {
                effects.shell(&Value::literal(shell));
            } else if let Some(file) = line
                .strip_prefix("w ")
                .or_else(|| line.strip_prefix("W "))
                .or_else(|| line.strip_prefix("wq "))
            {
                effects.write(&Value::literal(file.trim()), WriteMode::Create);
            } else if let Some(file) = line.strip_prefix("r ").or_else(|| line.strip_prefix("e ")) {
                effects.read(&Value::literal(file.trim()));
            } else if let Some(code) = line.strip_prefix("python ").or_else(|| line.strip_prefix("py3 ")) {
                effects.nested("python", &Value::literal(code));
            } else if line == "d" && raw.trim_start_matches([':', ' ']).starts_with(['%', ','])
                || raw.trim() == "1,$d"
                || raw.trim() == "0,$d"
            {
                effects.finding("shell.delete", "deletes every line of what is edited");
            } else if line.contains("system(") {
                effects.finding("shell.obfuscated", "an editor command that can run a shell");
            }
        }
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
                let deeds = describe(language, text, Span::default(), &Context::default());
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
