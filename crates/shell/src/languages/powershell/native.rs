//! Programs that PowerShell starts: their words, which the tables of programs judge.

use std::rc::Rc;

use doorward_core::intent::{Code, Direction, Form, Place};

use super::super::Value as Plain;
use super::super::windows::{self, Named};
use super::bound::Given;
use super::eval::Runner;
use super::value::{Data, HOLE, Value, both};
use crate::deed::{Run, Word};

impl Runner<'_> {
    /// A program that isn't a cmdlet.
    pub(super) fn native(&mut self, name: &str, given: Vec<Given>, piped: Option<Value>) -> Value {
        self.harmless = false;
        let mut args: Vec<Value> = Vec::new();
        let base = windows::base_name(name);
        let is_powershell = matches!(base.as_str(), "powershell" | "pwsh");
        for given in given {
            match given {
                Given::Named(name, attached) => match attached {
                    Some(value) => {
                        args.push(Value::text(format!("-{name}:{}", value.shown())).with(&value.marks))
                    }
                    None => args.push(Value::text(format!("-{name}"))),
                },
                Given::Value(value) => match &value.data {
                    Data::Script(block) if is_powershell => {
                        let block = Rc::clone(block);
                        return self.body(&block, Vec::new(), piped);
                    }
                    Data::List(_) => args.extend(value.items()),
                    _ => args.push(value),
                },
            }
        }
        let path = match windows::read(name, self.home.as_deref()) {
            Named::File(path) => path,
            _ => name.to_owned(),
        };
        let lower = path.to_ascii_lowercase();
        let code = [(".ps1", "powershell"), (".psm1", "powershell"), (".bat", "cmd"), (".cmd", "cmd")]
            .iter()
            .find(|(ending, _)| {
                lower.ends_with(ending) && (path.contains('/') || !crate::programs::is_known(&base))
            });
        if let Some((_, language)) = code {
            let path = windows::join(&self.scope.folder, &path);
            self.effects.file(&Plain::literal(path), Code::Language((*language).to_owned()));
            return Value::unknown();
        }
        let word = program_word(&path, &base);
        // A program that Unix has too is the one of Windows only where its ending is written.
        let typed = path.rsplit('/').next().unwrap_or(&path);
        let is_meant = |own: &str| {
            own.eq_ignore_ascii_case(&base)
                || !typed.eq_ignore_ascii_case(&base)
                || !crate::programs::is_known(&base)
        };
        let of_windows =
            crate::programs::of_windows(&base).filter(|own| !word.contains('/') && is_meant(own));
        if of_windows.is_some() {
            args.iter().filter_map(Value::known).for_each(|arg| windows::note(self.effects, &arg));
        }
        let word = of_windows.map_or(word, str::to_owned);
        let words: Vec<Value> = std::iter::once(Value::text(word))
            .chain(args.into_iter().map(|arg| slashed(arg, is_powershell)))
            .collect();
        self.external(&words, piped)
    }

    /// Hands words to the tables of programs; what they are made of, or fed, goes along.
    pub(super) fn external(&mut self, words: &[Value], piped: Option<Value>) -> Value {
        self.harmless = false;
        let traced = |value: &Value| {
            value.is(|marks| {
                marks.network || marks.decoded || !marks.reads.is_empty() || !marks.env.is_empty()
            })
        };
        let marks = words.iter().fold(piped.as_ref().and_then(|piped| piped.marks.clone()), |marks, word| {
            both(&marks, &word.marks)
        });
        let is_filter = words.first().is_some_and(|first| crate::programs::is_filter(&first.shown()));
        let fed = piped.as_ref().filter(|piped| {
            // What a program prints can't be seen, and one that only looks for words in it does nothing with it.
            let is_printed = is_filter && piped.known().is_none();
            traced(piped)
                || piped.known().is_some_and(|text| !text.is_empty())
                || !is_printed && !matches!(piped.data, Data::Null)
        });
        if fed.is_none() && !words.iter().any(traced) {
            let span = self.effects.span;
            let words: Vec<Word> = words.iter().map(|word| self.word(word)).collect();
            let folder = self.scope.folder.clone();
            let chdir = (!folder.is_empty()).then(|| {
                let mut word = Word::literal(folder.clone(), span);
                if folder.contains(HOLE) {
                    word.form = Form::Unknown;
                }
                word
            });
            let via = self.effects.language.clone();
            self.effects.deeds.runs.push(Run::Argv {
                words,
                assignments: Vec::new(),
                more_operands: false,
                via,
                place: Place::Local,
                chdir,
                passes_stdin: false,
            });
        } else {
            let mut text = String::new();
            if let Some(piped) = fed {
                text = format!("{} | ", source_of(piped));
            }
            for (at, word) in words.iter().enumerate() {
                if at > 0 {
                    text.push(' ');
                }
                if traced(word) && at > 0 {
                    text.push_str(&format!("\"$({})\"", source_of(word)));
                } else {
                    text.push_str(&quoted(&word.shown()));
                }
            }
            let mut word = self.effects.word(&Plain::literal(text));
            word.assembled = false;
            let via = self.effects.language.clone();
            self.effects.deeds.runs.push(Run::Shell {
                text: word,
                args: Vec::new(),
                via,
                place: Place::Local,
            });
        }
        // What a program that asks the network prints comes from there.
        let name = words.first().map(Value::shown).unwrap_or_default();
        let value = Value::unknown().with(&marks);
        if crate::programs::asked::requests(&name) {
            let url = words.iter().map(Value::shown).find(|word| word.contains("://"));
            return value.marked(|marks| {
                marks.network = true;
                marks.urls.extend(url);
            });
        }
        value
    }

    /// Starts a program that is named in a value.
    pub(super) fn launch(&mut self, file: &Value, args: Vec<Value>) {
        let Some(name) = file.known().filter(|name| !name.is_empty()) else {
            return self.find("shell.obfuscated", "which program starts can't be seen");
        };
        if file.is(|marks| marks.assembled || marks.decoded) {
            self.find("shell.obfuscated", "the name of the program is put together on the spot");
        }
        if name.contains("://") {
            return self.contact(&Value::text(name), "https", Direction::Fetch, &Value::null());
        }
        let base = windows::base_name(&name);
        let path = match windows::read(&name, self.home.as_deref()) {
            Named::File(path) => path,
            _ => name,
        };
        let lower = path.to_ascii_lowercase();
        if lower.ends_with(".ps1")
            || (lower.ends_with(".bat") || lower.ends_with(".cmd")) && path.contains('/')
        {
            let language = if lower.ends_with(".ps1") { "powershell" } else { "cmd" };
            let path = windows::join(&self.scope.folder, &path);
            return self.effects.file(&Plain::literal(path), Code::Language(language.to_owned()));
        }
        let words: Vec<Value> =
            std::iter::once(Value::text(program_word(&path, &base))).chain(args).collect();
        self.external(&words, None);
    }

    /// A command line as `Run` and `Exec` of `WScript.Shell` take it.
    pub(super) fn command_line(&mut self, line: &Value) {
        if !line.is(|_| true) && line.known().is_none() {
            return self.find("shell.obfuscated", "which program starts can't be seen");
        }
        let words = argument_words(Some(line));
        match words.split_first() {
            Some((first, rest)) => self.launch(first, rest.to_vec()),
            None => self.find("shell.obfuscated", "which program starts can't be seen"),
        }
    }
}

/// Folders of Windows whose programs are the ones they are called.
const SYSTEM: &[&str] = &["/mnt/c/windows/", "/mnt/c/program files", "/mnt/c/programdata/chocolatey/bin/"];

pub(super) fn program_word(path: &str, base: &str) -> String {
    let lower = path.to_ascii_lowercase();
    let system = SYSTEM.iter().any(|folder| lower.starts_with(folder)) && !lower.contains("..");
    if !path.contains('/') || system {
        let original = path.rsplit('/').next().unwrap_or(path);
        let known = crate::programs::is_known(base);
        return if known || lower.ends_with(".exe") { base.to_owned() } else { original.to_owned() };
    }
    path.to_owned()
}

fn slashed(value: Value, keep: bool) -> Value {
    if keep || !matches!(value.data, Data::Text(_)) {
        return value;
    }
    match windows::slash(&value.shown()) {
        Some(path) => Value::text(path).with(&value.marks),
        None => value,
    }
}

fn quoted(text: &str) -> String {
    let plain = !text.is_empty()
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-./:=@%+,".contains(letter));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''").replace(HOLE, "'…'")) }
}

/// A shell command that prints what a value is made of.
fn source_of(value: &Value) -> String {
    let marks = value.marks.as_deref().cloned().unwrap_or_default();
    if let Some(url) = marks.urls.first() {
        return format!("curl -s {}", quoted(url));
    }
    if marks.network {
        return "curl -s …".to_owned();
    }
    if !marks.reads.is_empty() {
        let files: Vec<String> = marks.reads.iter().map(|path| quoted(path)).collect();
        return format!("cat {}", files.join(" "));
    }
    if let Some(name) = marks.env.first() {
        return format!("printf %s \"${name}\"");
    }
    let lines: Vec<String> = value.items().iter().map(Value::shown).collect();
    let text = format!("printf '%s\\n' {}", quoted(&lines.join("\n")));
    if marks.decoded { format!("{text} | base64 -d") } else { text }
}

/// Words of an argument list, which may be one text.
pub(super) fn argument_words(value: Option<&Value>) -> Vec<Value> {
    let items = value.map(Value::items).unwrap_or_default();
    let [only] = items.as_slice() else { return items };
    let shown = only.shown();
    let mut words = Vec::new();
    let (mut word, mut quoted, mut any) = (String::new(), false, false);
    for letter in shown.chars() {
        match letter {
            '"' => {
                quoted = !quoted;
                any = true;
            }
            ' ' | '\t' if !quoted => {
                if any || !word.is_empty() {
                    words.push(Value::text(std::mem::take(&mut word)).with(&only.marks));
                    any = false;
                }
            }
            letter => word.push(letter),
        }
    }
    if any || !word.is_empty() {
        words.push(Value::text(word).with(&only.marks));
    }
    words
}
