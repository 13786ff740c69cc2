//! cmd.exe: command lines and batch files (cmd /?, help FOR, help SET of Windows 11).
//!
//! The text is expanded line by line as cmd does, split into commands outside quotes and carets, and each command is
//! judged by the table of [`own`] or, if it isn't one of those, by the tables of programs. Which command runs must
//! be readable: a name that carets, quotes inside it or slices of variables make is `shell.obfuscated`.

mod expand;
mod own;
mod words;

use std::collections::BTreeMap;

use doorward_core::intent::{Code, WriteMode};

use super::windows::{self, Named};
use super::{CodeEffects, Value};
use crate::deed::{Deeds, Run, Word};
use words::{Command, closing, keyword, quoted, segment, started, with_modifiers, word};

const STEPS: u32 = 20_000;
const DEEPEST: u32 = 40;

/// What the text does.
pub(super) fn describe(effects: &mut CodeEffects, text: &str, home: Option<&str>) {
    let joined = text.replace("\r\n", "\n").replace("^\n", "");
    let mut reader = Batch {
        effects,
        home: home.map(str::to_owned),
        variables: BTreeMap::new(),
        folder: String::new(),
        pushed: Vec::new(),
        steps: STEPS,
        depth: 0,
        harmless: true,
    };
    reader.run(&joined, None);
    let harmless = reader.harmless;
    effects.effect_free = harmless;
}

/// What a pipe hands on.
#[derive(Debug, Clone, Default)]
struct Piped {
    /// A shell command that prints the same, for programs of other tables.
    source: String,
}

pub(super) struct Batch<'e> {
    pub(super) effects: &'e mut CodeEffects,
    home: Option<String>,
    variables: BTreeMap<String, String>,
    folder: String,
    pushed: Vec<String>,
    steps: u32,
    depth: u32,
    harmless: bool,
}

impl Batch<'_> {
    fn run(&mut self, text: &str, piped: Option<Piped>) {
        if self.depth >= DEEPEST {
            self.harmless = false;
            return self.effects.not_understood("shell.too_deep", "nested deeper than is analysed");
        }
        self.depth += 1;
        self.lines(text, piped);
        self.depth -= 1;
    }

    fn lines(&mut self, text: &str, mut piped: Option<Piped>) {
        let mut rest = text;
        while !rest.is_empty() {
            rest = rest.trim_start_matches([' ', '\t', '\n', '\r', '@', '&', ';', ',', '=']);
            if self.steps == 0 {
                self.harmless = false;
                return self
                    .effects
                    .not_understood("shell.too_deep", "takes more steps than are analysed in depth");
            }
            self.steps -= 1;
            if let Some(after) = rest.strip_prefix("||") {
                rest = after;
                continue;
            }
            if rest.starts_with(':') || keyword(rest, "rem").is_some() {
                let end = rest.find('\n').unwrap_or(rest.len());
                rest = rest.get(end..).unwrap_or_default();
                continue;
            }
            if let Some(after) = rest.strip_prefix(')') {
                // What a group's end is followed by: redirections, `else`.
                rest = after;
                continue;
            }
            if let Some(inside) = rest.strip_prefix('(') {
                let Some(end) = closing(inside) else {
                    self.harmless = false;
                    return self.effects.not_understood("shell.parse_error", "a parenthesis stands open");
                };
                let fed = piped.take();
                self.run(inside.get(..end).unwrap_or_default(), fed);
                rest = inside.get(end + 1..).unwrap_or_default();
                if let Some(after) = keyword(rest.trim_start(), "else") {
                    rest = after;
                } else {
                    let end = segment(rest);
                    let command = words::words(rest.get(..end).unwrap_or_default());
                    self.redirected(&command, None);
                    rest = rest.get(end..).unwrap_or_default();
                }
                continue;
            }
            if let Some(after) = keyword(rest, "else") {
                rest = after;
                continue;
            }
            if let Some(after) = keyword(rest, "if") {
                rest = self.condition(after);
                continue;
            }
            if let Some(after) = keyword(rest, "for") {
                match self.loops(after) {
                    Some(after) => rest = after,
                    None => {
                        self.harmless = false;
                        return self
                            .effects
                            .not_understood("shell.parse_error", "a loop that isn't understood");
                    }
                }
                continue;
            }
            let end = segment(rest);
            let own = rest.get(..end).unwrap_or_default();
            rest = rest.get(end..).unwrap_or_default();
            let pipes = rest.starts_with('|') && !rest.starts_with("||");
            let out = self.simple(own, piped.take());
            if pipes {
                piped = Some(out);
                rest = rest.get(1..).unwrap_or_default();
            }
        }
    }

    /// Skips a condition; what it looks at is read.
    fn condition<'t>(&mut self, text: &'t str) -> &'t str {
        let mut rest = text.trim_start();
        loop {
            let (word, after) = word(rest);
            match word.to_ascii_lowercase().as_str() {
                "/i" | "not" => rest = after.trim_start(),
                "exist" => {
                    let (path, after) = words::word(after.trim_start());
                    let path = self.expanded(path);
                    self.looks(path.trim_matches('"'));
                    return after;
                }
                "defined" | "errorlevel" | "cmdextversion" => return words::word(after.trim_start()).1,
                _ => break,
            }
        }
        // `a==b`, `a equ b`; white space may stand around the marks.
        let (left, after) = word(rest);
        if left.contains("==") && !left.ends_with("==") {
            return after;
        }
        let after = if left.ends_with("==") {
            after.trim_start()
        } else {
            let (_, after) = word(after.trim_start());
            after.trim_start()
        };
        word(after).1
    }

    /// `for … in (…) do …`; what is behind it.
    fn loops<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let mut rest = text.trim_start();
        let (mut kind, mut root) = (' ', None);
        while rest.starts_with('/') {
            kind = rest.chars().nth(1)?.to_ascii_lowercase();
            rest = rest.get(2..)?.trim_start();
            if !rest.starts_with('%') && !rest.starts_with('/') {
                let (word, after) = word(rest);
                root = Some(word.trim_matches('"').to_owned());
                rest = after.trim_start();
            }
        }
        let (variable, after) = word(rest);
        let variable = variable.trim_start_matches('%').chars().next()?;
        rest = keyword(after.trim_start(), "in")?.trim_start().strip_prefix('(')?;
        let end = closing(rest)?;
        let set = self.expanded(rest.get(..end)?);
        rest = keyword(rest.get(end + 1..)?.trim_start(), "do")?.trim_start();
        let (body, behind) = match rest.strip_prefix('(') {
            Some(inside) => {
                let end = closing(inside)?;
                (inside.get(..end)?, inside.get(end + 1..)?)
            }
            None => {
                let end = rest.find('\n').unwrap_or(rest.len());
                (rest.get(..end)?, rest.get(end..)?)
            }
        };
        let set = set.trim();
        let items: Vec<String> = match kind {
            'f' => {
                if let Some(command) = set.strip_prefix(['\'', '`']) {
                    self.run(command.trim_end_matches(['\'', '`']), None);
                    vec!["…".to_owned()]
                } else if let Some(text) = set.strip_prefix('"') {
                    let text = text.trim_end_matches('"');
                    let options = root.as_deref().unwrap_or_default();
                    vec![
                        if options.contains("delims") || options.contains("tokens") { "…" } else { text }
                            .to_owned(),
                    ]
                } else {
                    set.split_whitespace().for_each(|file| self.reads(file));
                    vec!["…".to_owned()]
                }
            }
            'l' => vec!["…".to_owned()],
            'r' => {
                let root = root.unwrap_or_default();
                set.split_whitespace()
                    .map(|pattern| format!("{root}\\**\\{pattern}").trim_start_matches('\\').to_owned())
                    .collect()
            }
            _ => set
                .split([' ', ',', ';', '\t', '\n'])
                .filter(|item| !item.is_empty())
                .map(str::to_owned)
                .collect(),
        };
        for item in items.iter().take(16) {
            let bound = body
                .replace(&format!("%%{variable}"), &format!("%{variable}"))
                .split(&format!("%{variable}"))
                .collect::<Vec<_>>()
                .join(item);
            let bound = with_modifiers(&bound, variable, item);
            self.run(&bound, None);
        }
        if items.is_empty() || items.len() > 16 {
            let bound = body.replace(&format!("%%{variable}"), "…").replace(&format!("%{variable}"), "…");
            self.run(&bound, None);
        }
        Some(behind)
    }

    fn expanded(&self, text: &str) -> String {
        expand::expand(text, &self.variables, self.home.as_deref())
    }

    /// One command between operators; what it prints.
    fn simple(&mut self, own: &str, piped: Option<Piped>) -> Piped {
        let expanded = self.expanded(own);
        if expanded != own && self.depth < 8 && segment(&expanded) < expanded.len() {
            // What stood in a variable held operators.
            self.run(&expanded, piped);
            return Piped { source: "printf …".to_owned() };
        }
        let mut command = words::words(&expanded);
        command.hidden |= expand::slices(own.split_whitespace().next().unwrap_or_default());
        self.command(command, piped, &expanded)
    }

    fn command(&mut self, command: Command, piped: Option<Piped>, raw: &str) -> Piped {
        let nothing = Piped { source: "printf …".to_owned() };
        let Some(first) = command.words.first().cloned() else {
            self.redirected(&command, None);
            return nothing;
        };
        if command.hidden {
            self.find("shell.obfuscated", "the name of the command is put together on the spot");
        }
        if first.contains('…') || first.contains(['%', '!']) {
            self.find("shell.obfuscated", "which command runs can't be seen");
        }
        if crate::guard::is_look_alike(&first) && !first.contains('…') {
            self.find("shell.invisible", "a command word with look-alike or invisible characters");
        }
        let mut words = command.words.clone();
        // `del/s`, `cd..`, `echo.`: the name ends where no letter of it may stand.
        if let Some(at) =
            first.find(['/', '.']).filter(|at| *at > 0 && own::is_own(first.get(..*at).unwrap_or_default()))
        {
            let (name, rest) = first.split_at(at);
            if rest.starts_with('/') || matches!(rest, "." | "..") || name.eq_ignore_ascii_case("echo") {
                let rest =
                    if name.eq_ignore_ascii_case("echo") { rest.get(1..).unwrap_or_default() } else { rest };
                words.splice(
                    0..1,
                    [name.to_owned(), rest.to_owned()].into_iter().filter(|word| !word.is_empty()),
                );
            }
        }
        let base = windows::base_name(words.first().map_or("", String::as_str));
        if let Some(set) = keyword(raw.trim_start(), "set") {
            self.set(set);
        }
        let outer = std::mem::replace(&mut self.effects.deeds, Deeds { known: true, ..Deeds::default() });
        let before = std::mem::replace(&mut self.harmless, true);
        let is_path = words.first().is_some_and(|first| first.contains(['\\', '/']));
        let known = self.builtin(&base, &words, raw) || !is_path && own::judge(self, &base, &words);
        let mut own = std::mem::replace(&mut self.effects.deeds, outer);
        if !known {
            let source = self.external(&words, piped.as_ref());
            self.redirected(&command, None);
            return Piped { source };
        }
        let runs = std::mem::take(&mut own.runs);
        own.read_only = self.harmless
            && own.writes.is_empty()
            && own.deletes.is_empty()
            && own.hosts.is_empty()
            && own.privilege.is_empty()
            && own.unknown.is_empty()
            && own.findings.is_empty();
        own.plain = own.findings.is_empty() && own.deletes.is_empty() && own.privilege.is_empty();
        self.harmless &= before;
        let read: Vec<String> =
            own.reads.iter().filter(|read| !read.metadata).map(|read| quoted(&read.path.text)).collect();
        let via = self.effects.language.clone();
        let shown: Vec<Word> = std::iter::once(base.clone())
            .chain(words.iter().skip(1).cloned())
            .map(|word| self.effects.word(&Value::literal(word)))
            .collect();
        self.effects.deeds.runs.push(Run::Judged { words: shown, deeds: Box::new(own), via });
        self.effects.deeds.runs.extend(runs);
        let text = (base == "echo").then(|| words.get(1..).unwrap_or_default().join(" "));
        self.redirected(&command, text.as_deref());
        if let Some(text) = text {
            let printed = format!("printf '%s\\n' {}", quoted(&text));
            return Piped { source: printed };
        }
        if read.is_empty() {
            // Filters pass on what they are fed.
            return piped.unwrap_or(nothing);
        }
        Piped { source: format!("cat {}", read.join(" ")) }
    }

    fn is_system(&self, name: &str) -> bool {
        match windows::read(name, None) {
            Named::File(path) => path.to_ascii_lowercase().starts_with("/mnt/c/windows/"),
            _ => false,
        }
    }

    fn find(&mut self, code: &'static str, message: &str) {
        self.harmless = false;
        self.effects.finding(code, message);
    }

    fn set(&mut self, text: &str) {
        let text = text.trim().trim_matches('"');
        if let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.starts_with('/')) {
            self.variables
                .insert(name.trim_matches('"').to_ascii_lowercase(), value.trim_end_matches('"').to_owned());
        } else if let Some((_, after)) = text
            .split_once(' ')
            .filter(|(option, _)| option.eq_ignore_ascii_case("/p") || option.eq_ignore_ascii_case("/a"))
        {
            let name = after.trim_matches('"').split('=').next().unwrap_or_default();
            self.variables.insert(name.trim().to_ascii_lowercase(), "…".to_owned());
        }
    }

    /// Commands that change how the next are read. False if it is none of them.
    fn builtin(&mut self, base: &str, words: &[String], raw: &str) -> bool {
        let operand = |at: usize| words.iter().skip(1).filter(|word| !word.starts_with('/')).nth(at).cloned();
        match base {
            "cd" | "chdir" | "pushd" => {
                if base == "pushd" {
                    self.pushed.push(self.folder.clone());
                }
                if let Some(folder) = operand(0) {
                    self.folder = self.path(&folder).unwrap_or_else(|| "…".to_owned());
                }
                true
            }
            "popd" => {
                self.folder = self.pushed.pop().unwrap_or_else(|| "…".to_owned());
                true
            }
            "set" => {
                let asks_all = words.len() == 1;
                if asks_all {
                    self.effects.env("*");
                }
                for name in ["path=", "pathext=", "comspec="] {
                    if words.iter().skip(1).any(|word| word.to_ascii_lowercase().starts_with(name)) {
                        self.harmless = false;
                    }
                }
                true
            }
            "call" => {
                let after = keyword(raw.trim_start(), "call").unwrap_or_default().trim_start().to_owned();
                if !after.starts_with(':') {
                    // Its words are expanded once more.
                    self.run(&after.replace("%%", "%"), None);
                }
                true
            }
            "start" => {
                let after = keyword(raw.trim_start(), "start").unwrap_or_default();
                let line = started(after);
                if line.contains("://") && !line.trim_start().contains(' ') {
                    self.effects.host(
                        &Value::literal(line.trim().trim_matches('"')),
                        "https",
                        doorward_core::intent::Direction::Fetch,
                    );
                } else {
                    self.run(&line, None);
                }
                self.harmless = false;
                true
            }
            _ => false,
        }
    }

    /// A path as this machine names it, from where the command runs.
    pub(super) fn path(&self, text: &str) -> Option<String> {
        let home = self.home.as_deref();
        match windows::read(text, home) {
            Named::File(path) | Named::Share { path, .. } => Some(windows::join(&self.folder, &path)),
            _ => None,
        }
    }

    pub(super) fn reads(&mut self, text: &str) {
        let Some(path) = self.path(text) else { return };
        if windows::is_secret(&path) {
            self.find("shell.secret_read", "reads a file of Windows that holds secrets");
        }
        self.effects.read(&Value::literal(path));
    }

    pub(super) fn looks(&mut self, text: &str) {
        if let Some(path) = self.path(text) {
            self.effects.read(&Value::literal(path));
            if let Some(read) = self.effects.deeds.reads.last_mut() {
                read.metadata = true;
            }
        }
    }

    pub(super) fn writes(&mut self, text: &str, mode: WriteMode) {
        let named = windows::read(text, self.home.as_deref());
        if let Named::Share { host, .. } = &named {
            let url = Value::literal(format!("smb://{host}/"));
            self.effects.host(&url, "smb", doorward_core::intent::Direction::Send);
        }
        let Some(path) = self.path(text) else { return };
        self.harmless = false;
        if windows::is_startup(&path) {
            self.find("shell.persistence", "writes where Windows starts programs by itself");
        }
        self.effects.write(&Value::literal(path), mode);
    }

    pub(super) fn deletes(&mut self, text: &str, recursive: bool) {
        if let Some(path) = self.path(text) {
            self.harmless = false;
            self.effects.delete(&Value::literal(path), recursive);
        }
    }

    fn redirected(&mut self, command: &Command, content: Option<&str>) {
        for (target, append) in &command.writes {
            let mode = if *append { WriteMode::Append } else { WriteMode::Create };
            let count = self.effects.deeds.writes.len();
            self.writes(target, mode);
            for write in self.effects.deeds.writes.iter_mut().skip(count) {
                write.redirected = true;
                write.content = content.filter(|content| !content.contains('…')).map(str::to_owned);
            }
        }
        for file in &command.reads {
            self.reads(file);
        }
    }

    /// A program, or a file that is run; the command line that a shell of Unix would run the same with.
    fn external(&mut self, words: &[String], piped: Option<&Piped>) -> String {
        let Some((first, rest)) = words.split_first() else { return String::new() };
        let base = windows::base_name(first);
        let path = self.path(first).filter(|_| first.contains(['\\', '/', ':']));
        let lower = first.to_ascii_lowercase();
        let script = [(".bat", "cmd"), (".cmd", "cmd"), (".ps1", "powershell")].iter().find(|(ending, _)| {
            lower.ends_with(ending) && (path.is_some() || !crate::programs::is_known(&base))
        });
        if let Some((_, language)) = script {
            let path = path.or_else(|| self.path(first)).unwrap_or_else(|| first.clone());
            self.effects.file(&Value::literal(&path), Code::Language((*language).to_owned()));
            return quoted(&path);
        }
        let is_installed = path.as_ref().is_none_or(|path| {
            self.is_system(first) || path.to_ascii_lowercase().starts_with("/mnt/c/program files")
        });
        let of_windows = crate::programs::of_windows(&base).filter(|_| is_installed);
        let name = match path {
            _ if let Some(name) = of_windows => name.to_owned(),
            Some(path) if !is_installed => path,
            Some(_) => base,
            None if crate::programs::is_known(&base) || lower.ends_with(".exe") => base,
            None => first.clone(),
        };
        let is_shell = matches!(name.as_str(), "powershell" | "pwsh" | "cmd");
        let mut all = vec![name];
        for word in rest {
            all.push(windows::slash(word).filter(|_| !is_shell).unwrap_or_else(|| word.clone()));
            if of_windows.is_some() {
                windows::note(self.effects, word);
            }
        }
        let line = all.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        match piped.filter(|piped| !piped.source.is_empty()) {
            Some(piped) => {
                self.effects.shell(&Value::literal(format!("{} | {line}", piped.source)));
            }
            None => {
                let words: Vec<Value> = all.iter().map(Value::literal).collect();
                self.effects.argv(&words);
                if !self.folder.is_empty()
                    && let Some(Run::Argv { chdir, .. }) = self.effects.deeds.runs.last_mut()
                {
                    let mut word = Word { text: self.folder.clone(), ..Word::default() };
                    if self.folder.contains('…') {
                        word.form = doorward_core::intent::Form::Unknown;
                    }
                    *chdir = Some(word);
                }
            }
        }
        line
    }
}

#[cfg(test)]
mod tests;
