//! Parameters: finding their values, and every operator of `${…}`.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::pattern::{self, Anchor};
use super::scan::{self, Bytes};
use super::{Build, Quoting, Site};
use crate::machine::Machine;
use crate::state::{Content, Folder, State};
use crate::value::{HOLE, Value, element, follow_both};

/// What a parameter is.
#[derive(Debug, Clone)]
enum Found {
    Unset,
    /// Not set by the text: the environment may hold it, or nothing does.
    Environment(String),
    One(Value),
    /// `$@`, `${a[@]}`; joined by the first separator if the flag is set (`*`).
    Many(Vec<Value>, bool),
}

/// Variables that have a value in every ordinary shell, so that cutting letters out of them is no secret.
const DEFAULTS: &[(&str, &str)] = &[
    ("BASH", "/bin/bash"),
    ("HOSTTYPE", "x86_64"),
    ("IFS", " \t\n"),
    ("MACHTYPE", "x86_64-pc-linux-gnu"),
    ("OPTIND", "1"),
    ("OSTYPE", "linux-gnu"),
    ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
    ("PS2", "> "),
    ("PS4", "+ "),
    ("SHELL", "/bin/bash"),
];

impl Machine<'_> {
    /// The value of a variable as a scalar; `None` if it is unset or may be.
    pub(crate) fn scalar(&mut self, name: &str, state: &mut State) -> Option<Value> {
        match self.find(name, None, state) {
            Found::One(value) => Some(value),
            Found::Many(values, _) => values.into_iter().next(),
            Found::Environment(name) => Some(Value::environment(&name)),
            Found::Unset => None,
        }
    }

    /// Which of a variable's possible contents this world holds.
    pub(crate) fn content(&mut self, name: &str, state: &State) -> Option<Content> {
        let var = state.var(name)?;
        let index = self.worlds.choose(name, var.may_hold.len());
        match index {
            Some(index) => var.may_hold.get(index).cloned(),
            None => Some(Content::Scalar(Value::unknown())),
        }
    }

    /// The variable a name refers to, through namerefs.
    pub(crate) fn resolve(&mut self, name: &str, state: &State) -> String {
        let mut name = name.to_owned();
        for _ in 0..8 {
            let Some(var) = state.var(&name) else { break };
            if !var.nameref {
                break;
            }
            match self.content(&name, state) {
                Some(Content::Scalar(value)) if value.is_known() && !value.text.is_empty() => {
                    name = value.text
                }
                _ => break,
            }
        }
        name
    }

    fn find(&mut self, name: &str, subscript: Option<(&str, Site<'_>)>, state: &mut State) -> Found {
        if let Some(special) = self.special(name, state) {
            return special;
        }
        let name = self.resolve(name, state);
        // A nameref may itself name an element: `declare -n r='a[0]'`.
        if let (None, Some(open)) = (subscript, name.find('[')) {
            let (array, index) = name.split_at(open);
            let index = index.trim_start_matches('[').trim_end_matches(']');
            let source = crate::source::Source::new(String::new(), None, self.whole);
            let site = Site { source: &source, at: None, span: self.whole };
            return self.find(array, Some((index, site)), state);
        }
        let Some(content) = self.content(&name, state) else {
            if name == "PWD" {
                return self.working_folder(state);
            }
            if name == "HOME" {
                let home = self.options.home.clone().unwrap_or_else(|| "~".to_owned());
                return Found::One(Value::known(home));
            }
            if name == "OLDPWD"
                && let Some(folder) = &state.previous_folder
            {
                return Found::One(self.folder_name(folder, state).map_or_else(Value::unknown, Value::known));
            }
            if let Some((_, value)) = DEFAULTS.iter().find(|(default, _)| *default == name) {
                return Found::One(Value::known(*value));
            }
            // The subscript is evaluated before anybody looks whether there is an array.
            if let Some((index, site)) = subscript.filter(|(index, _)| !matches!(*index, "@" | "*")) {
                self.arithmetic(index, site, state);
            }
            self.worlds.unset_seen = true;
            if self.worlds.unset_is_empty {
                return Found::Unset;
            }
            return Found::Environment(name);
        };
        match (content, subscript) {
            (Content::Unset, _) => Found::Unset,
            (Content::Scalar(value), None) => Found::One(value),
            (Content::Scalar(value), Some((index, site))) => match index {
                "@" | "*" => Found::Many(vec![value], index == "*"),
                _ => match self.arithmetic(index, site, state) {
                    Some(0) => Found::One(value),
                    Some(_) => Found::Unset,
                    None => Found::One(Value::unknown()),
                },
            },
            // zsh gives every element.
            (Content::List(list), None) if self.via.last().is_some_and(|shell| shell == "zsh") => {
                Found::Many(list.into_values().collect(), false)
            }
            (Content::List(list), None) => element(&list, 0).map_or(Found::Unset, Found::One),
            (Content::List(list), Some((index, site))) => match index {
                "@" | "*" => Found::Many(list.into_values().collect(), index == "*"),
                _ => match self.arithmetic(index, site, state) {
                    Some(index) => {
                        let last = list.keys().next_back().copied().unwrap_or(-1);
                        let index = if index < 0 { last + 1 + index } else { index };
                        element(&list, index).map_or(Found::Unset, Found::One)
                    }
                    None => Found::One(Value::unknown()),
                },
            },
            (Content::Map(map), None) => map.get("0").cloned().map_or(Found::Unset, Found::One),
            (Content::Map(map), Some((index, site))) => match index {
                "@" | "*" => Found::Many(map.into_values().collect(), index == "*"),
                _ => {
                    let key = self.unsplit(index, Quoting::Bare, site, state);
                    match key.value().exact() {
                        Some(key) => map.get(key).cloned().map_or(Found::Unset, Found::One),
                        None => Found::One(Value::unknown()),
                    }
                }
            },
        }
    }

    fn working_folder(&self, state: &State) -> Found {
        Found::One(self.folder_name(&state.folder, state).map_or_else(Value::unknown, Value::known))
    }

    /// A folder by a name that still means it after the shell went elsewhere; `None` where there is none.
    pub(crate) fn folder_name(&self, folder: &Folder, state: &State) -> Option<String> {
        let folder = folder.sole()?;
        match &self.options.cwd {
            _ if folder.starts_with('/') => Some(folder.to_owned()),
            Some(cwd) if folder.is_empty() => Some(cwd.clone()),
            Some(cwd) => Some(format!("{cwd}/{folder}")),
            // As a path `./x` is the same as `$PWD/x`, as long as the shell stays where it is.
            None if state.folder.sole() != Some(folder) => None,
            None if folder.is_empty() => Some(".".to_owned()),
            None => Some(folder.to_owned()),
        }
    }

    fn special(&mut self, name: &str, state: &State) -> Option<Found> {
        let positional = state.positional.as_deref();
        Some(match name {
            "@" | "*" => match positional {
                Some(values) => Found::Many(values.get(1..).unwrap_or_default().to_vec(), name == "*"),
                None => Found::Many(vec![Value::unknown()], name == "*"),
            },
            "#" => match positional {
                Some(values) => Found::One(Value::known(values.len().saturating_sub(1).to_string())),
                None => Found::One(Value::unknown()),
            },
            // The last job of this shell: a number nobody knows, and known to be its own.
            "!" => Found::One(Value::known("$!")),
            // The last word of the command before.
            "_" => match self.content("_", state) {
                Some(Content::Scalar(value)) => Found::One(value.clone()),
                _ => Found::One(Value::unknown()),
            },
            "?" | "$" | "-" => Found::One(Value::unknown()),
            "0" => match positional.and_then(|values| values.first()) {
                Some(value) => Found::One(value.clone()),
                None => Found::One(Value::known("bash")),
            },
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => match positional {
                Some(values) => digits
                    .parse::<usize>()
                    .ok()
                    .and_then(|index| values.get(index))
                    .map_or(Found::Unset, |value| Found::One(value.clone())),
                None => Found::One(Value::unknown()),
            },
            _ => return None,
        })
    }

    /// Expands what stands between `${` and `}` (or after a plain `$`).
    pub(crate) fn parameter(
        &mut self,
        inner: &str,
        quoting: Quoting,
        site: Site<'_>,
        state: &mut State,
        build: &mut Build,
    ) {
        let quoted = quoting != Quoting::Bare;
        let Some(parts) = Parts::of(inner) else {
            build.value(&Value::unknown(), quoted);
            return;
        };
        if parts.length {
            let value = self.length(&parts, site, state);
            build.value(&value, quoted);
            return;
        }
        if parts.names {
            let value = self.names_with_prefix(parts.name, state);
            build.value(&value, quoted);
            return;
        }
        let subscript = parts.subscript.map(|(text, offset)| (text, site.inside(offset)));
        let mut found = if parts.indirect && matches!(parts.subscript, Some(("@" | "*", _))) {
            self.keys(parts.name, state)
        } else {
            self.find(parts.name, subscript, state)
        };
        if parts.indirect && !matches!(parts.subscript, Some(("@" | "*", _))) {
            found = match found {
                Found::One(value) if value.is_known() && !value.text.is_empty() => {
                    self.indirect(&value.text, site, state)
                }
                Found::Unset => Found::Unset,
                _ => Found::One(Value::unknown()),
            };
        }
        let found = self.operate(found, &parts, quoting, site, state);
        self.put(found, quoted, state, build);
    }

    /// `${!x}`: the value of `x` names a variable, perhaps with a subscript, which bash evaluates.
    fn indirect(&mut self, target: &str, site: Site<'_>, state: &mut State) -> Found {
        match (target.find('['), target.ends_with(']')) {
            (Some(open), true) => {
                let index = target.get(open + 1..target.len() - 1).unwrap_or_default();
                let site = Site { at: None, ..site };
                self.find(target.get(..open).unwrap_or_default(), Some((index, site)), state)
            }
            _ => self.find(target, None, state),
        }
    }

    fn put(&mut self, found: Found, quoted: bool, state: &mut State, build: &mut Build) {
        match found {
            Found::Unset => {
                build.assembled = true;
                if quoted {
                    build.touch();
                }
            }
            Found::Environment(name) => build.value(&Value::environment(&name), quoted),
            Found::One(value) => {
                self.charge(value.text.len());
                let value = if self.thorough() || value.text.len() < 256 { value } else { Value::unknown() };
                build.value(&value, quoted);
            }
            Found::Many(values, true) if quoted => {
                let separator = self.separators(state).chars().next().map(String::from).unwrap_or_default();
                build.value(&join(&values, &separator), true);
            }
            Found::Many(values, _) => {
                for (index, value) in values.iter().enumerate() {
                    if index > 0 && build.split {
                        build.finish();
                    } else if index > 0 {
                        build.literal(" ", quoted);
                    }
                    build.value(value, quoted);
                }
                build.assembled = true;
            }
        }
    }

    fn length(&mut self, parts: &Parts<'_>, site: Site<'_>, state: &mut State) -> Value {
        let subscript = parts.subscript.map(|(text, offset)| (text, site.inside(offset)));
        match self.find(parts.name, subscript, state) {
            Found::Unset => Value::known("0"),
            Found::Environment(_) => Value::unknown(),
            Found::Many(values, _) if values.iter().all(Value::is_known) => {
                Value::known(values.len().to_string())
            }
            Found::Many(..) => Value::unknown(),
            Found::One(value) => value
                .exact()
                .map_or_else(Value::unknown, |text| Value::known(text.chars().count().to_string())),
        }
    }

    fn names_with_prefix(&self, prefix: &str, state: &State) -> Value {
        let names: Vec<&str> =
            state.vars.keys().filter(|name| name.starts_with(prefix)).map(String::as_str).collect();
        if names.is_empty() { Value::unknown() } else { Value::known(names.join(" ")) }
    }

    fn keys(&mut self, name: &str, state: &State) -> Found {
        let name = self.resolve(name, state);
        let keys = |texts: Vec<String>| Found::Many(texts.into_iter().map(Value::known).collect(), false);
        match self.content(&name, state) {
            Some(Content::List(list)) => keys(list.keys().map(ToString::to_string).collect()),
            Some(Content::Map(map)) => keys(map.keys().cloned().collect()),
            Some(Content::Scalar(_)) => keys(vec!["0".to_owned()]),
            _ => Found::Unset,
        }
    }

    fn operate(
        &mut self,
        found: Found,
        parts: &Parts<'_>,
        quoting: Quoting,
        site: Site<'_>,
        state: &mut State,
    ) -> Found {
        let (operator, argument, offset) = (parts.operator, parts.argument, parts.argument_at);
        let inside = site.inside(offset);
        let quoting_of_word = if quoting == Quoting::Bare { Quoting::Bare } else { Quoting::Double };
        match operator {
            "" => found,
            ":-" | "-" | ":=" | "=" | ":?" | "?" | ":+" | "+" => {
                let colon = operator.starts_with(':');
                let empty = |value: &Value| colon && value.text.is_empty();
                let set = match &found {
                    Found::Unset => false,
                    Found::Environment(_) => {
                        self.worlds.default_seen = true;
                        true
                    }
                    Found::One(value) => !empty(value),
                    Found::Many(values, _) => !values.is_empty() && !values.iter().all(empty),
                };
                if self.worlds.unset_is_empty && !set {
                    self.worlds.default_seen = true;
                }
                match operator.trim_start_matches(':') {
                    "+" if !set => Found::Unset,
                    "+" => self.word_of(argument, quoting_of_word, inside, state),
                    "-" | "=" if set => defaulted(found),
                    _ if set => found,
                    "-" => self.word_of(argument, quoting_of_word, inside, state),
                    "=" => {
                        let found = self.word_of(argument, quoting_of_word, inside, state);
                        if let Found::One(value) = &found {
                            let name = self.resolve(parts.name, state);
                            state.set(&name, value.clone());
                        }
                        found
                    }
                    // `:?` ends the shell when unset, so what follows it only runs with a value.
                    _ => {
                        self.word_of(argument, quoting_of_word, inside, state);
                        Found::Unset
                    }
                }
            }
            "#" | "##" | "%" | "%%" => {
                let pattern = self.pattern_of(argument, inside, state);
                let (front, longest) = (operator.starts_with('#'), operator.len() == 2);
                let partly = |value: &Value| {
                    let text = trimmed_partly(&value.text, pattern.as_deref()?, front, longest)?;
                    Some(Value { text, trail: value.trail.clone() })
                };
                match &found {
                    Found::One(value) if !value.is_known() => match partly(value) {
                        Some(value) => Found::One(value),
                        None => each(found, |_| None),
                    },
                    _ => each(found, |text| {
                        pattern.as_deref().and_then(|pattern| pattern::trim(text, pattern, front, longest))
                    }),
                }
            }
            "/" | "//" | "/#" | "/%" => {
                let anchor = match operator {
                    "//" => Anchor::All,
                    "/#" => Anchor::Front,
                    "/%" => Anchor::Back,
                    _ => Anchor::First,
                };
                let end = slash(argument);
                let (from, with) = argument.split_at(end);
                let pattern = self.pattern_of(from, inside, state);
                let with_text = with.strip_prefix('/').unwrap_or_default();
                let with = self.unsplit(with_text, quoting_of_word, inside.inside(end + 1), state).value();
                let replaced = each(found, |text| {
                    let pattern = pattern.as_deref()?;
                    pattern::replace(text, pattern, with.exact()?, anchor)
                });
                match replaced {
                    Found::One(value) => {
                        Found::One(Value { trail: follow_both(&value.trail, &with.trail), ..value })
                    }
                    other => other,
                }
            }
            "^" | "^^" | "," | ",," | "~" | "~~" => {
                let pattern = self.pattern_of(argument, inside, state).filter(|pattern| !pattern.is_empty());
                let all = operator.len() == 2;
                let kind = operator.chars().next().unwrap_or('^');
                each(found, |text| Some(change_case(text, kind, all, pattern.as_deref())))
            }
            "@" => self.transform(found, argument, site, state),
            _ => self.substring(found, parts.name, argument, inside, state),
        }
    }

    fn word_of(&mut self, text: &str, quoting: Quoting, site: Site<'_>, state: &mut State) -> Found {
        // `${x:-a b}` unquoted is split like any value, so the parts stay in one value here.
        let arg = self.unsplit(text, quoting, site, state);
        Found::One(arg.value())
    }

    /// The text of a pattern: quoted characters are escaped.
    fn pattern_of(&mut self, text: &str, site: Site<'_>, state: &mut State) -> Option<String> {
        let mut build = Build::new(false, String::new(), site.span);
        build.started = true;
        self.expand_into(text, Quoting::Bare, site, state, &mut build);
        if build.hole {
            return None;
        }
        Some(super::guard(&build.text, &build.guarded))
    }

    fn substring(
        &mut self,
        found: Found,
        name: &str,
        argument: &str,
        site: Site<'_>,
        state: &mut State,
    ) -> Found {
        let cut = top_level_colon(argument);
        let (offset, length) = match cut {
            Some(cut) => (argument.get(..cut).unwrap_or_default(), argument.get(cut + 1..)),
            None => (argument, None),
        };
        let offset = self.arithmetic(offset, site, state);
        let length = length.map(|text| self.arithmetic(text, site.inside(cut.unwrap_or(0) + 1), state));
        let range = |count: usize| -> Option<(usize, usize)> {
            let count = i64::try_from(count).ok()?;
            let offset = offset?;
            let from = if offset < 0 { count + offset } else { offset.min(count) };
            let end = match length {
                None => count,
                Some(length) => {
                    let length = length?;
                    if length < 0 { count + length } else { (from.saturating_add(length)).min(count) }
                }
            };
            let from = usize::try_from(from).ok()?;
            Some((from, usize::try_from(end).ok()?.max(from)))
        };
        match found {
            Found::Many(values, joined) => match range(values.len() + usize::from(matches!(name, "@" | "*")))
            {
                // Offsets into `$@` count from `$0`; into an array from its first element.
                Some((from, end)) => {
                    let shift = usize::from(matches!(name, "@" | "*"));
                    let from = from.saturating_sub(shift);
                    let end = end.saturating_sub(shift).min(values.len());
                    Found::Many(values.get(from..end.max(from)).unwrap_or_default().to_vec(), joined)
                }
                None => Found::Many(vec![Value::unknown()], joined),
            },
            found => each(found, |text| {
                let characters: Vec<char> = text.chars().collect();
                match range(characters.len()) {
                    Some((from, end)) => Some(characters.get(from..end).unwrap_or_default().iter().collect()),
                    None if offset.is_some() && length.is_none_or(|length| length.is_some()) => {
                        Some(String::new())
                    }
                    None => None,
                }
            }),
        }
    }

    /// `${x@U}` and kin; `@P` expands the value again, so whatever stands in it runs.
    fn transform(&mut self, found: Found, operator: &str, site: Site<'_>, state: &mut State) -> Found {
        match operator {
            "U" => each(found, |text| Some(text.to_uppercase())),
            "L" => each(found, |text| Some(text.to_lowercase())),
            "u" => each(found, |text| Some(change_case(text, '^', false, None))),
            "E" => each(found, |text| Some(super::ansi::unescape(text, super::Dialect::Quote).text)),
            "Q" => each(found, |text| Some(format!("'{}'", text.replace('\'', "'\\''")))),
            "P" => match found {
                Found::One(value) => {
                    // A value may hold its own `${x@P}`.
                    if !self.step() || !self.enter(site.span) {
                        return Found::One(Value { text: HOLE.to_string(), trail: value.trail });
                    }
                    let site = Site { at: None, ..site };
                    let expanded = self.unsplit(&value.text, Quoting::Body, site, state).value();
                    self.leave();
                    Found::One(Value { trail: follow_both(&value.trail, &expanded.trail), ..expanded })
                }
                other => other,
            },
            _ => each(found, |_| None),
        }
    }

    /// Gives an array its elements.
    pub(crate) fn list_of(values: Vec<Value>) -> Content {
        let list: BTreeMap<i64, Value> = (0_i64..).zip(values).collect();
        Content::List(list)
    }
}

/// Applies an operation to every known text; where it fails or the text is unknown, the result is unknown.
/// `${x%.js}`, `${x##*/}`, `${x%/*}` and `${x%.*}` where only parts of the text are known.
fn trimmed_partly(text: &str, pattern: &str, front: bool, longest: bool) -> Option<String> {
    let unknown = |part: &str| part.contains(crate::value::is_mark);
    match (pattern, front, longest) {
        ("*/", true, true) => text.rsplit_once('/').map(|(_, last)| last.to_owned()),
        ("/*", false, false) => text.rsplit_once('/').map(|(folder, _)| folder.to_owned()),
        (".*", false, false) => {
            let (stem, ending) = text.rsplit_once('.')?;
            (!unknown(ending) && !ending.contains('/')).then(|| stem.to_owned())
        }
        (fixed, ..) if !fixed.contains(['*', '?', '[', '\\', '(']) => {
            let rest = if front { text.strip_prefix(fixed) } else { text.strip_suffix(fixed) };
            rest.map(str::to_owned)
        }
        _ => None,
    }
}

/// A variable of the environment beside which the text says what holds without it. What the shell itself sets is never
/// missing.
fn defaulted(found: Found) -> Found {
    let Found::Environment(name) = found else { return found };
    let mut value = Value::environment(&name);
    if !crate::state::is_set_by_shell(&name)
        && let Some(taint) = value.trail.as_mut().and_then(Rc::get_mut)
    {
        taint.defaulted.insert(name);
    }
    Found::One(value)
}

fn each(found: Found, operation: impl Fn(&str) -> Option<String>) -> Found {
    let apply = |value: Value| {
        let text = value.exact().and_then(&operation).unwrap_or_else(|| HOLE.to_string());
        Value { text, trail: value.trail }
    };
    match found {
        Found::Unset => Found::One(apply(Value::known(""))),
        Found::Environment(name) => Found::One(Value::environment(&name)),
        Found::One(value) => Found::One(apply(value)),
        Found::Many(values, joined) => Found::Many(values.into_iter().map(apply).collect(), joined),
    }
}

fn join(values: &[Value], separator: &str) -> Value {
    let text = values.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().join(separator);
    let trail = values.iter().fold(None, |trail, value| follow_both(&trail, &value.trail));
    Value { text, trail }
}

fn change_case(text: &str, kind: char, all: bool, pattern: Option<&str>) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, character) in text.chars().enumerate() {
        let hit = (all || index == 0)
            && pattern
                .is_none_or(|pattern| pattern::matches_str(pattern, &character.to_string()).unwrap_or(true));
        match (hit, kind) {
            (false, _) => out.push(character),
            (true, '^') => out.extend(character.to_uppercase()),
            (true, ',') => out.extend(character.to_lowercase()),
            (true, _) if character.is_uppercase() => out.extend(character.to_lowercase()),
            (true, _) => out.extend(character.to_uppercase()),
        }
    }
    out
}

/// Index of the `/` between pattern and replacement.
fn slash(text: &str) -> usize {
    let bytes = Bytes(text.as_bytes());
    let mut at = 0;
    while at < bytes.len() {
        match bytes.at(at) {
            b'/' => return at,
            b'\\' => at += 1,
            b'\'' => at = scan::single_quote(bytes, at + 1, false),
            b'"' => at = scan::double_quote(bytes, at + 1),
            b'$' if bytes.at(at + 1) == b'{' => at = scan::braces(bytes, at + 2, false),
            b'$' if bytes.at(at + 1) == b'(' => at = scan::substitution(bytes, at + 2),
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// Index of the `:` between offset and length, not one of a `?:` or inside something nested.
fn top_level_colon(text: &str) -> Option<usize> {
    let bytes = Bytes(text.as_bytes());
    let (mut depth, mut questions) = (0_u32, 0_u32);
    let mut at = 0;
    while at < bytes.len() {
        match bytes.at(at) {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'?' => questions += 1,
            b':' if depth == 0 && questions > 0 => questions -= 1,
            b':' if depth == 0 => return Some(at),
            b'$' if bytes.at(at + 1) == b'{' => at = scan::braces(bytes, at + 2, false),
            b'$' if bytes.at(at + 1) == b'(' => at = scan::substitution(bytes, at + 2),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The parts of an expansion.
#[derive(Debug, PartialEq, Eq)]
struct Parts<'a> {
    length: bool,
    indirect: bool,
    /// `${!prefix*}`
    names: bool,
    name: &'a str,
    subscript: Option<(&'a str, usize)>,
    operator: &'a str,
    argument: &'a str,
    argument_at: usize,
}

const OPERATORS: &[&str] = &[
    ":-", ":=", ":?", ":+", "-", "=", "?", "+", "##", "#", "%%", "%", "//", "/#", "/%", "/", "^^", "^", ",,",
    ",", "~~", "~", "@", ":",
];

impl<'a> Parts<'a> {
    fn of(inner: &'a str) -> Option<Self> {
        let bytes = Bytes(inner.as_bytes());
        let mut at = 0;
        let mut length = false;
        let mut indirect = false;
        if bytes.at(0) == b'#' && inner.len() > 1 && name_end(bytes, 1) > 1 {
            length = true;
            at = 1;
        } else if bytes.at(0) == b'!' && inner.len() > 1 && name_end(bytes, 1) > 1 {
            indirect = true;
            at = 1;
        }
        let end = name_end(bytes, at);
        if end == at {
            return None;
        }
        let name = inner.get(at..end)?;
        at = end;
        let mut subscript = None;
        if bytes.at(at) == b'[' {
            let close = scan::bracket(bytes, at + 1)?;
            subscript = Some((inner.get(at + 1..close)?, at + 1));
            at = close + 1;
        }
        let rest = inner.get(at..)?;
        if indirect && subscript.is_none() && matches!(rest, "*" | "@") {
            return Some(Self {
                length: false,
                indirect,
                names: true,
                name,
                subscript,
                operator: "",
                argument: "",
                argument_at: at,
            });
        }
        let operator = OPERATORS.iter().copied().find(|operator| rest.starts_with(operator)).unwrap_or("");
        if operator.is_empty() && !rest.is_empty() {
            return None;
        }
        if length && !rest.is_empty() {
            return None;
        }
        let argument_at = at + operator.len();
        Some(Self {
            length,
            indirect,
            names: false,
            name,
            subscript,
            operator,
            argument: inner.get(argument_at..)?,
            argument_at,
        })
    }
}

fn name_end(bytes: Bytes<'_>, from: usize) -> usize {
    match bytes.at(from) {
        b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' => from + 1,
        byte if byte.is_ascii_digit() => {
            let mut end = from;
            while bytes.at(end).is_ascii_digit() {
                end += 1;
            }
            end
        }
        _ => {
            let mut end = from;
            while bytes.at(end).is_ascii_alphanumeric() || bytes.at(end) == b'_' {
                end += 1;
            }
            end
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expansions_fall_into_parts() {
        let cases = [
            ("x", (false, false, "x", None, "", "")),
            ("x:-w", (false, false, "x", None, ":-", "w")),
            ("x/a/b", (false, false, "x", None, "/", "a/b")),
            ("x:1:2", (false, false, "x", None, ":", "1:2")),
            ("#x", (true, false, "x", None, "", "")),
            ("#", (false, false, "#", None, "", "")),
            ("!x", (false, true, "x", None, "", "")),
            ("a[1]%.c", (false, false, "a", Some("1"), "%", ".c")),
            ("@:2", (false, false, "@", None, ":", "2")),
            ("x@P", (false, false, "x", None, "@", "P")),
        ];
        for (inner, (length, indirect, name, subscript, operator, argument)) in cases {
            let parts = Parts::of(inner).unwrap();
            assert_eq!(
                (parts.length, parts.indirect, parts.name, parts.subscript.map(|part| part.0)),
                (length, indirect, name, subscript),
                "{inner}"
            );
            assert_eq!((parts.operator, parts.argument), (operator, argument), "{inner}");
        }
        assert_eq!(Parts::of("x y"), None);
    }
}
