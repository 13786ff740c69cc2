//! Words as values: from the raw text of a word to what the shell would make of it.
//!
//! The order is bash's: braces, tilde, parameters, substitutions, arithmetic, splitting on the current `IFS`,
//! quote removal. What can't be known stays in the value as a hole and is never dropped; quoting is kept per
//! character, because an unquoted hole may be no word or many.

use std::collections::BTreeSet;
use std::rc::Rc;

use doorward_core::intent::{Form, Place, Span};

use crate::deed::Word;
use crate::machine::Machine;
use crate::programs::asked;
use crate::programs::endless::MOST_WORDS;
use crate::source::{Raw, Source};
use crate::state::State;
use crate::value::{ACTIVE, Arg, HOLE, Taint, Trail, Value, follow_both, is_mark};

pub(crate) mod ansi;
mod arith;
pub(crate) mod brace;
mod param;
pub(crate) mod pattern;
pub(crate) mod scan;

use ansi::Dialect;
use brace::Expanded;
use scan::Bytes;

/// The most names that are put in for a pattern.
const MOST_GLOBBED: usize = 64;

/// How a piece of text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// Not quoted.
    Bare,
    /// Inside double quotes.
    Double,
    /// The body of a here-document, an arithmetic expression: like double quotes, but `"` is plain.
    Body,
}

/// Where a piece of text stands.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) source: &'a Rc<Source>,
    /// Offset of the piece's first byte in the source, where it stands there unchanged.
    pub(crate) at: Option<usize>,
    /// The word it belongs to.
    pub(crate) span: Span,
}

impl Site<'_> {
    pub(crate) fn inside(self, offset: usize) -> Self {
        Self { at: self.at.map(|at| at + offset), ..self }
    }
}

/// Words under construction.
pub(crate) struct Build {
    pub(crate) args: Vec<Arg>,
    text: String,
    /// Byte positions of quoted pattern characters in `text`.
    guarded: Vec<usize>,
    glob: bool,
    hole: bool,
    loose_hole: bool,
    quoted: bool,
    started: bool,
    assembled: bool,
    trail: Trail,
    split: bool,
    separators: String,
    span: Span,
}

impl Build {
    pub(crate) fn new(split: bool, separators: String, span: Span) -> Self {
        Self {
            args: Vec::new(),
            text: String::new(),
            guarded: Vec::new(),
            glob: false,
            hole: false,
            loose_hole: false,
            quoted: false,
            started: false,
            assembled: false,
            trail: None,
            split,
            separators,
            span,
        }
    }

    pub(crate) fn literal(&mut self, text: &str, quoted: bool) {
        self.started = true;
        if text.contains(ACTIVE.map(|(_, mark)| mark)) {
            // A name that a glob stands for: a pattern again, quoted or not.
            self.glob = true;
            self.quoted |= quoted;
            for character in text.chars() {
                let plain = ACTIVE.iter().find(|(_, mark)| *mark == character);
                self.text.push(plain.map_or(character, |(plain, _)| *plain));
            }
            return;
        }
        if quoted {
            self.quoted = true;
            let from = self.text.len();
            for (at, character) in text.char_indices() {
                if matches!(character, '*' | '?' | '[' | '\\') {
                    self.guarded.push(from + at);
                }
            }
        } else if text.contains(['*', '?', '[']) {
            self.glob = true;
        }
        if text.contains(HOLE) {
            self.hole = true;
            self.loose_hole |= !quoted;
        }
        self.text.push_str(text);
    }

    pub(crate) fn touch(&mut self) {
        self.started = true;
        self.quoted = true;
    }

    pub(crate) fn value(&mut self, value: &Value, quoted: bool) {
        self.assembled = true;
        if value.trail.is_some() {
            self.trail = follow_both(&self.trail, &value.trail);
        }
        if quoted || !self.split {
            if !value.text.is_empty() || quoted {
                self.literal(&value.text, quoted);
            }
            return;
        }
        let mut piece = String::new();
        let mut separated = false;
        for character in value.text.chars() {
            if !self.separators.contains(character) {
                piece.push(character);
                continue;
            }
            if !piece.is_empty() {
                self.literal(&std::mem::take(&mut piece), false);
            } else if !character.is_whitespace() && separated {
                // `a,,b` under IFS=, has an empty word in the middle.
                self.started = true;
            }
            separated = true;
            let trail = self.trail.clone();
            self.finish();
            self.trail = trail;
        }
        if piece.is_empty() {
            if !self.started && separated {
                self.trail = None;
            }
        } else {
            self.literal(&piece, false);
        }
    }

    /// Ends the current word.
    pub(crate) fn finish(&mut self) {
        let assembled = std::mem::take(&mut self.assembled);
        let trail = self.trail.take();
        if std::mem::take(&mut self.started) {
            let raw = std::mem::take(&mut self.text);
            let hole = std::mem::take(&mut self.hole);
            let glob = std::mem::take(&mut self.glob) && is_pattern(&raw, &self.guarded);
            let form = match (hole, glob) {
                (true, _) => Form::Unknown,
                (false, true) => Form::Glob,
                (false, false) => Form::Literal,
            };
            let text = match form {
                Form::Unknown => raw.replace(HOLE, "…"),
                Form::Glob => guard(&raw, &self.guarded),
                Form::Literal => raw.clone(),
            };
            let may_split = std::mem::take(&mut self.loose_hole);
            let quoted = std::mem::take(&mut self.quoted);
            let word = Word { text, form, may_split, assembled: assembled || quoted, span: self.span };
            self.args.push(Arg { word, raw, trail, quoted });
        }
        self.text.clear();
        self.guarded.clear();
        self.quoted = false;
        self.glob = false;
    }
}

/// Whether a text holds an unquoted pattern: `[` only counts with its `]`.
fn is_pattern(text: &str, guarded: &[usize]) -> bool {
    let mut open = false;
    for (at, character) in text.char_indices() {
        if guarded.contains(&at) {
            continue;
        }
        match character {
            '*' | '?' => return true,
            // `@(a|b)` of extglob.
            '(' if text.get(..at).is_some_and(|before| before.ends_with(['@', '+', '!'])) => return true,
            '[' => open = true,
            ']' if open => return true,
            _ => {}
        }
    }
    false
}

fn guard(text: &str, guarded: &[usize]) -> String {
    let mut out = String::with_capacity(text.len() + guarded.len());
    for (at, character) in text.char_indices() {
        if guarded.contains(&at) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// Bytes that mean nothing to the shell wherever they stand in a word.
fn is_plain(raw: &str) -> bool {
    (raw.is_ascii() || !raw.contains(is_mark))
        && raw.bytes().all(|byte| {
            byte.is_ascii_alphanumeric()
                || byte >= 0x80
                || matches!(
                    byte,
                    b'_' | b'.' | b'/' | b':' | b'=' | b',' | b'+' | b'@' | b'^' | b'%' | b'-' | b']' | b'}'
                )
        })
}

impl Machine<'_> {
    /// The words that one word of a command becomes.
    pub(crate) fn words(&mut self, raw: Raw<'_>, source: &Rc<Source>, state: &mut State) -> Vec<Arg> {
        if is_plain(raw.text) {
            return vec![plain(raw)];
        }
        if raw.text.contains("..") && brace::count(raw.text, 0) > MOST_WORDS {
            self.find_at("shell.resource", "makes more words than the memory holds", raw.span);
        }
        match brace::expand(raw.text) {
            Expanded::Words(pieces) => {
                let mut args = Vec::new();
                for piece in &pieces {
                    let piece = Raw { text: piece, at: None, span: raw.span };
                    args.extend(self.split_word(piece, source, state));
                }
                for arg in &mut args {
                    arg.word.assembled = true;
                }
                args
            }
            Expanded::Pattern(text) => {
                let pattern = Raw { text: &text, at: None, span: raw.span };
                self.split_word(pattern, source, state)
            }
            Expanded::Nothing => self.split_word(raw, source, state),
        }
    }

    fn split_word(&mut self, raw: Raw<'_>, source: &Rc<Source>, state: &mut State) -> Vec<Arg> {
        let mut build = Build::new(!self.options.zsh, self.separators(state), raw.span);
        let site = Site { source, at: raw.at, span: raw.span };
        self.expand_into(raw.text, Quoting::Bare, site, state, &mut build);
        build.finish();
        self.globbed(build.args, state)
    }

    /// One word that is neither split nor globbed: assignments, redirection targets, `case` words.
    pub(crate) fn single(&mut self, raw: Raw<'_>, source: &Rc<Source>, state: &mut State) -> Arg {
        if is_plain(raw.text) {
            return plain(raw);
        }
        let site = Site { source, at: raw.at, span: raw.span };
        self.unsplit(raw.text, Quoting::Bare, site, state)
    }

    /// Text read under the given quoting, as one value.
    pub(crate) fn unsplit(&mut self, text: &str, quoting: Quoting, site: Site<'_>, state: &mut State) -> Arg {
        let mut build = Build::new(false, String::new(), site.span);
        build.started = true;
        self.expand_into(text, quoting, site, state, &mut build);
        build.started = true;
        build.finish();
        build.args.pop().unwrap_or_default()
    }

    /// The names that a pattern stands for, where all names of its folder are known. Else the pattern stays: a name
    /// that is missing from the list would go unjudged.
    fn globbed(&self, args: Vec<Arg>, state: &State) -> Vec<Arg> {
        if self.options.names.is_empty() || args.iter().all(|arg| arg.word.form != Form::Glob) {
            return args;
        }
        let Some(written) = self.names_written(state) else { return args };
        let mut out = Vec::with_capacity(args.len());
        for arg in args {
            if arg.word.form != Form::Glob || arg.word.text.contains('/') {
                out.push(arg);
                continue;
            }
            let hidden = arg.word.text.starts_with('.');
            let names: BTreeSet<&str> = self
                .options
                .names
                .iter()
                .map(String::as_str)
                .chain(written.iter().copied())
                .filter(|name| hidden || !name.starts_with('.'))
                .filter(|name| pattern::matches_str(&arg.word.text, name).unwrap_or(true))
                .collect();
            if names.is_empty() || names.len() > MOST_GLOBBED {
                out.push(arg);
                continue;
            }
            for name in names {
                let mut word = Word::literal(name, arg.word.span);
                word.assembled = true;
                out.push(Arg { raw: name.to_owned(), word, trail: arg.trail.clone(), quoted: false });
            }
        }
        out
    }

    /// The names that the text has put into the working folder so far. `None` where that isn't known, or where a
    /// pattern isn't looked up in that folder alone.
    fn names_written(&self, state: &State) -> Option<Vec<&str>> {
        let known = self.intent.commands.iter().all(asked::names_what_it_makes);
        if state.folder.sole() != Some("") || state.dot_names || self.place != Place::Local || !known {
            return None;
        }
        let mut names = Vec::new();
        for write in &self.intent.writes {
            let path = &write.path;
            if path.form != Form::Literal || write.moved_from.is_some() {
                return None;
            }
            let text = match (&self.options.cwd, path.text.starts_with(['/', '~'])) {
                (_, false) => path.text.as_str(),
                (Some(cwd), true) => match path.text.strip_prefix(cwd.as_str()) {
                    Some(below) => below.trim_start_matches('/'),
                    None => continue,
                },
                (None, true) => return None,
            };
            names.extend(text.split('/').find(|part| !matches!(*part, "" | ".")));
        }
        Some(names)
    }

    fn separators(&mut self, state: &mut State) -> String {
        match state.var("IFS") {
            None => " \t\n".to_owned(),
            Some(_) => {
                let value = self.scalar("IFS", state);
                value.map_or_else(|| " \t\n".to_owned(), |value| value.exact().unwrap_or(" \t\n").to_owned())
            }
        }
    }

    /// Expands `text` into `build`.
    pub(crate) fn expand_into(
        &mut self,
        text: &str,
        quoting: Quoting,
        site: Site<'_>,
        state: &mut State,
        build: &mut Build,
    ) {
        let bytes = Bytes(text.as_bytes());
        let bare = quoting == Quoting::Bare;
        let slice = |from: usize, to: usize| text.get(from..to.min(text.len())).unwrap_or_default();
        let mut at = 0;
        if bare {
            at = self.tilde(text, state, build);
        }
        while at < bytes.len() {
            match bytes.at(at) {
                b'\\' => {
                    let next = text.get(at + 1..).and_then(|rest| rest.chars().next());
                    match next {
                        Some('\n') => at += 2,
                        Some(character)
                            if bare
                                || matches!(character, '$' | '`' | '\\')
                                || (character == '"' && quoting == Quoting::Double) =>
                        {
                            build.literal(slice(at + 1, at + 1 + character.len_utf8()), true);
                            build.assembled = true;
                            at += 1 + character.len_utf8();
                        }
                        _ => {
                            build.literal("\\", true);
                            at += 1;
                        }
                    }
                }
                b'\'' if bare => {
                    let end = scan::single_quote(bytes, at + 1, false);
                    build.touch();
                    build.literal(slice(at + 1, end), true);
                    at = end + 1;
                }
                b'"' if bare => {
                    let end = scan::double_quote(bytes, at + 1);
                    build.touch();
                    self.expand_into(slice(at + 1, end), Quoting::Double, site.inside(at + 1), state, build);
                    at = end + 1;
                }
                b'$' => at = self.dollar(text, at, quoting, site, state, build),
                b'`' => {
                    let end = scan::backquote(bytes, at + 1);
                    let inner = slice(at + 1, end);
                    let value = if inner.contains('\\') {
                        let plain = unescape_backquote(inner, quoting == Quoting::Double);
                        self.substitution(&plain, Site { at: None, ..site }, state)
                    } else {
                        self.substitution(inner, site.inside(at + 1), state)
                    };
                    build.value(&value, !bare);
                    at = end + 1;
                }
                b'(' if bare && at > 0 && matches!(bytes.at(at - 1), b'@' | b'?' | b'*' | b'+' | b'!') => {
                    build.literal("(", false);
                    build.glob = true;
                    at += 1;
                }
                _ => {
                    let mut end = at + 1;
                    while end < bytes.len()
                        && !matches!(bytes.at(end), b'\\' | b'\'' | b'"' | b'$' | b'`' | b'(')
                    {
                        end += 1;
                    }
                    build.literal(slice(at, end), !bare);
                    at = end;
                }
            }
        }
    }

    /// What a `$` at `at` starts; the index after it.
    fn dollar(
        &mut self,
        text: &str,
        at: usize,
        quoting: Quoting,
        site: Site<'_>,
        state: &mut State,
        build: &mut Build,
    ) -> usize {
        let bytes = Bytes(text.as_bytes());
        let bare = quoting == Quoting::Bare;
        let slice = |from: usize, to: usize| text.get(from..to.min(text.len())).unwrap_or_default();
        match bytes.at(at + 1) {
            b'\'' if bare => {
                let end = scan::single_quote(bytes, at + 2, true);
                let unescaped = ansi::unescape(slice(at + 2, end), Dialect::Quote);
                build.touch();
                build.assembled = true;
                build.literal(&unescaped.text, true);
                if unescaped.numbers {
                    let decoded = Taint { decoded: true, ..Taint::default() };
                    build.trail = follow_both(&build.trail, &Some(Rc::new(decoded)));
                }
                end + 1
            }
            b'"' if bare => at + 1,
            b'(' => {
                if bytes.at(at + 2) == b'('
                    && let Some(end) = scan::arithmetic(bytes, at + 3)
                {
                    let value = self.arithmetic(slice(at + 3, end), site.inside(at + 3), state);
                    build.value(&number(value), !bare);
                    return end + 2;
                }
                let end = scan::substitution(bytes, at + 2);
                let value = self.substitution(slice(at + 2, end), site.inside(at + 2), state);
                build.value(&value, !bare);
                end + 1
            }
            b'[' => match scan::bracket(bytes, at + 2) {
                Some(end) => {
                    let value = self.arithmetic(slice(at + 2, end), site.inside(at + 2), state);
                    build.value(&number(value), !bare);
                    end + 1
                }
                None => {
                    build.literal("$", !bare);
                    at + 1
                }
            },
            b'{' => {
                let end = scan::braces(bytes, at + 2, quoting != Quoting::Bare);
                let inner = slice(at + 2, end);
                if inner.starts_with([' ', '\n', '\t', '|']) {
                    // bash 5.3: `${ cmd; }` and `${| cmd; }` run in the current shell.
                    let code = inner.trim_start_matches('|');
                    let value = self.substitution(code, Site { at: None, ..site }, state);
                    build.value(&value, !bare);
                } else {
                    self.parameter(inner, quoting, site.inside(at + 2), state, build);
                }
                end + 1
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let mut end = at + 2;
                while bytes.at(end).is_ascii_alphanumeric() || bytes.at(end) == b'_' {
                    end += 1;
                }
                self.parameter(slice(at + 1, end), quoting, site.inside(at + 1), state, build);
                end
            }
            byte if byte.is_ascii_digit()
                || matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') =>
            {
                self.parameter(slice(at + 1, at + 2), quoting, site.inside(at + 1), state, build);
                at + 2
            }
            _ => {
                build.literal("$", !bare);
                at + 1
            }
        }
    }

    /// A leading `~`, `~user`, `~+`, `~-`; the index after it.
    fn tilde(&mut self, text: &str, state: &State, build: &mut Build) -> usize {
        if !text.starts_with('~') {
            return 0;
        }
        let end = text.find('/').unwrap_or(text.len());
        let prefix = text.get(1..end).unwrap_or_default();
        let folder = match prefix {
            "" => Some(self.home(state)),
            "+" => self.folder_name(&state.folder, state),
            "-" => state.previous_folder.as_ref().and_then(|folder| self.folder_name(folder, state)),
            // An entry of the list that `pushd` keeps.
            entry if entry.trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit()) => None,
            "root" => Some("/root".to_owned()),
            user if user
                .chars()
                .all(|character| character.is_ascii_alphanumeric() || "_-.".contains(character)) =>
            {
                // Another user's home: outside wherever it is.
                Some(format!("/home/{user}"))
            }
            _ => return 0,
        };
        build.literal(&folder.unwrap_or_else(|| HOLE.to_string()), true);
        build.quoted = false;
        end
    }

    /// Home, from a variable set in the text, else from the caller, else left as `~`.
    pub(crate) fn home(&mut self, state: &State) -> String {
        if state.var("HOME").is_some() {
            let mut state = state.clone();
            if let Some(value) = self.scalar("HOME", &mut state) {
                return value.text;
            }
        }
        self.options.home.clone().unwrap_or_else(|| "~".to_owned())
    }
}

fn plain(raw: Raw<'_>) -> Arg {
    Arg { word: Word::literal(raw.text, raw.span), raw: raw.text.to_owned(), trail: None, quoted: false }
}

fn number(value: Option<i64>) -> Value {
    value.map_or_else(Value::unknown, |number| Value::known(number.to_string()))
}

/// Inside backquotes a backslash quotes `$`, a backquote and itself, and `"` when they stand in double quotes.
fn unescape_backquote(text: &str, double: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escapes = character == '\\'
            && characters
                .peek()
                .is_some_and(|&next| matches!(next, '$' | '`' | '\\') || (double && next == '"'));
        out.extend(if escapes { characters.next() } else { Some(character) });
    }
    out
}
