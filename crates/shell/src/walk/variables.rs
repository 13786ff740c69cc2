//! Builtins that set variables: `declare`, `read`, `mapfile`, `printf -v`.

use super::Flow;
use super::assign::{Assigned, NewValue};
use super::builtin::is_option;
use crate::machine::Machine;
use crate::state::{Content, State, Var};
use crate::value::{Arg, HOLE, Stream, Trail, Value};
use doorward_core::intent::Span;
use std::collections::BTreeMap;
use std::rc::Rc;

impl Machine<'_> {
    pub(super) fn declare(&mut self, builtin: &str, args: &[Arg], declared: &[Assigned], state: &mut State) {
        let mut flags = String::new();
        let mut removed = String::new();
        let mut names_only: Vec<(String, Option<Value>, Span)> = Vec::new();
        let mut functions = false;
        for arg in args.iter().skip(1) {
            if let Some(options) = arg.raw.strip_prefix('-').filter(|_| is_option(&arg.raw)) {
                flags.push_str(options);
                functions |= options.contains(['f', 'F']);
                continue;
            }
            if let Some(options) = arg.raw.strip_prefix('+') {
                removed.push_str(options);
                continue;
            }
            if declared
                .iter()
                .any(|assigned| assigned.span == arg.word.span && arg.raw.starts_with(&assigned.name))
            {
                continue;
            }
            match arg.raw.split_once('=') {
                Some((name, value)) => {
                    let value = Value { text: value.to_owned(), trail: arg.trail.clone() };
                    names_only.push((name.to_owned(), Some(value), arg.word.span));
                }
                None => names_only.push((arg.raw.clone(), None, arg.word.span)),
            }
        }
        if functions {
            return;
        }
        let fixed = builtin == "readonly" || flags.contains('r');
        let local = builtin == "local"
            || (matches!(builtin, "declare" | "typeset") && !self.calls.is_empty() && !flags.contains('g'));
        let mut all: Vec<(Assigned, bool)> =
            declared.iter().map(|assigned| (assigned.clone(), true)).collect();
        for (name, value, span) in names_only {
            self.named_value(&name, span, state);
            let name = name.trim_end_matches('+').to_owned();
            let given = value.is_some();
            all.push((Assigned::scalar(&name, value.unwrap_or_default(), span), given));
        }
        let fixed: Vec<String> =
            all.iter().filter(|_| fixed).map(|(assigned, _)| assigned.name.clone()).collect();
        for (assigned, given) in all {
            if local && !state.hidden.iter().any(|(name, _)| *name == assigned.name) {
                let before = state.var(&assigned.name).cloned();
                state.hidden.push((assigned.name.clone(), before));
                if !assigned.append {
                    Rc::make_mut(&mut state.vars).remove(&assigned.name);
                }
            }
            self.attributes(&assigned.name, &flags, &removed, given, state);
            if !given {
                if builtin == "export" || flags.contains('x') {
                    self.exported(&assigned, state);
                }
                continue;
            }
            if flags.contains('n') {
                let mut var = match &assigned.value {
                    NewValue::Scalar(value) => Var::holding(Content::Scalar(value.clone())),
                    NewValue::List(_) => continue,
                };
                var.nameref = true;
                state.set_var(&assigned.name, var);
            } else if let Some(list) = self.list_in_text(&assigned, &flags, state) {
                self.assign(&list, state);
            } else {
                self.assign(&assigned, state);
            }
        }
        fixed.iter().for_each(|name| state.keep(name));
    }

    /// `X=value; export X`: what the variable already holds reaches programs from here on.
    pub(super) fn exported(&mut self, name: &Assigned, state: &mut State) {
        let held = state.var(&name.name).map(|var| var.may_hold.clone()).unwrap_or_default();
        for content in held {
            if let Content::Scalar(value) = content {
                self.carried(&Assigned::scalar(&name.name, value, name.span), state);
            }
        }
    }

    /// `declare -a x='(a b)'`: the text is read as a list.
    pub(super) fn list_in_text(
        &mut self,
        assigned: &Assigned,
        flags: &str,
        state: &mut State,
    ) -> Option<Assigned> {
        let NewValue::Scalar(value) = &assigned.value else { return None };
        let inner = value.exact()?.strip_prefix('(')?.strip_suffix(')')?.to_owned();
        if !flags.contains(['a', 'A']) {
            return None;
        }
        let source = crate::source::Source::new(inner.clone(), None, assigned.span);
        let mut items = Vec::new();
        for part in inner.split_whitespace().take(1024) {
            let raw = crate::source::Raw { text: part, at: None, span: assigned.span };
            items.extend(self.words(raw, &source, state).iter().map(|arg| (None, arg.handed_over())));
        }
        Some(Assigned { value: NewValue::List(items), ..assigned.clone() })
    }

    pub(super) fn attributes(
        &mut self,
        name: &str,
        flags: &str,
        removed: &str,
        given: bool,
        state: &mut State,
    ) {
        if flags.is_empty() && removed.is_empty() {
            return;
        }
        let name = name.split('[').next().unwrap_or(name);
        let mut var = match state.var(name) {
            Some(var) => var.clone(),
            None if flags.contains(['a', 'A', 'i', 'l', 'u', 'n']) || given => Var::holding(Content::Unset),
            None => return,
        };
        if flags.contains('A') && !matches!(var.may_hold.as_slice(), [Content::Map(_)]) {
            var.may_hold = vec![Content::Map(BTreeMap::new())];
        }
        var.integer = (var.integer || flags.contains('i')) && !removed.contains('i');
        var.lower = (var.lower || flags.contains('l')) && !removed.contains('l');
        var.upper = (var.upper || flags.contains('u')) && !removed.contains('u');
        var.nameref = (var.nameref || (flags.contains('n') && !given)) && !removed.contains('n');
        state.set_var(name, var);
    }

    /// `read`: a line of what is known to arrive, split on `IFS`.
    pub(super) fn read_into(&mut self, args: &[Arg], span: Span, state: &mut State) -> Option<bool> {
        let mut names: Vec<(String, Span)> = Vec::new();
        let mut array = None;
        let mut raw_mode = false;
        let mut delimiter = "\n".to_owned();
        let mut limit = None;
        let mut descriptor = 0;
        let mut at = 1;
        while let Some(arg) = args.get(at) {
            let text = arg.raw.as_str();
            if let Some(flags) = text.strip_prefix('-').filter(|flags| !flags.is_empty() && names.is_empty())
            {
                for (index, flag) in flags.char_indices() {
                    if !matches!(flag, 'a' | 'd' | 'i' | 'n' | 'N' | 'p' | 't' | 'u') {
                        raw_mode |= flag == 'r';
                        continue;
                    }
                    let rest = flags.get(index + 1..).unwrap_or_default();
                    let value = if rest.is_empty() {
                        at += 1;
                        args.get(at).map(|arg| arg.raw.clone()).unwrap_or_default()
                    } else {
                        rest.to_owned()
                    };
                    match flag {
                        'a' => array = Some(value),
                        'd' => delimiter = value,
                        'n' | 'N' => limit = value.parse::<usize>().ok(),
                        'u' => descriptor = value.parse().unwrap_or(0),
                        _ => {}
                    }
                    break;
                }
            } else {
                self.named_value(text, arg.word.span, state);
                names.push((text.to_owned(), arg.word.span));
            }
            at += 1;
        }
        let stream = if descriptor == 0 {
            state.stdin.clone()
        } else {
            state.descriptors.get(&descriptor).cloned().unwrap_or_default()
        };
        let trail = stream.trail.clone();
        let Some(text) = stream.known.clone() else {
            if let (Some(lines), None, true) = (stream.lines(), &array, names.len() <= 1) {
                let name = names.first().map_or("REPLY", |(name, _)| name.as_str());
                let mut var = Var::holding(Content::Unset);
                var.may_hold = lines.into_iter().map(Content::Scalar).collect();
                state.set_var(name, var);
                return None;
            }
            let unknown = Value { text: HOLE.to_string(), trail };
            if let Some(array) = array {
                state.set_var(&array, Var::holding(Content::Scalar(unknown.clone())));
            }
            if names.is_empty() {
                names.push(("REPLY".to_owned(), span));
            }
            for (name, _) in names {
                self.assign(&Assigned::scalar(&name, unknown.clone(), span), state);
            }
            return None;
        };
        let ended = text.is_empty();
        let cut = if delimiter.is_empty() { text.find('\0') } else { text.find(delimiter.as_str()) };
        let cut = match (cut, limit) {
            (cut, Some(limit)) => {
                let most = text.char_indices().nth(limit).map_or(text.len(), |(at, _)| at);
                (cut.unwrap_or(text.len()).min(most), 0)
            }
            (Some(cut), None) => (cut, delimiter.len().max(1)),
            (None, None) => (text.len(), 0),
        };
        let line = text.get(..cut.0).unwrap_or_default().to_owned();
        let rest = text.get((cut.0 + cut.1).min(text.len())..).unwrap_or_default().to_owned();
        let complete = cut.1 > 0 || limit.is_some();
        let remaining = Stream { known: Some(rest), ..stream };
        if descriptor == 0 {
            state.stdin = remaining;
        } else {
            Rc::make_mut(&mut state.descriptors).insert(descriptor, remaining);
        }
        let line = if raw_mode { line } else { line.replace("\\\n", "").replace('\\', "") };
        self.distribute(&line, &trail, &names, array.as_deref(), span, state);
        // A last line without its end is still read, though `read` fails on it.
        Some(!ended && complete)
    }

    pub(super) fn distribute(
        &mut self,
        line: &str,
        trail: &Trail,
        names: &[(String, Span)],
        array: Option<&str>,
        span: Span,
        state: &mut State,
    ) {
        let separators = match state.var("IFS") {
            Some(_) => self.scalar("IFS", state).map_or_else(|| " \t\n".to_owned(), |value| value.text),
            None => " \t\n".to_owned(),
        };
        let value = |text: &str| Value { text: text.to_owned(), trail: trail.clone() };
        if let Some(array) = array {
            let values = fields(line, &separators, usize::MAX).iter().map(|field| value(field)).collect();
            state.set_var(array, Var::holding(Self::list_of(values)));
            return;
        }
        if names.is_empty() {
            state.set("REPLY", value(line));
            return;
        }
        let fields = fields(line, &separators, names.len());
        for (index, (name, at)) in names.iter().enumerate() {
            let field = fields.get(index).map(String::as_str).unwrap_or_default();
            let _ = at;
            self.assign(&Assigned::scalar(name, value(field), span), state);
        }
    }

    pub(super) fn map_file(&mut self, args: &[Arg], state: &mut State) {
        let mut strips = false;
        let mut separator = '\n';
        let mut name = "MAPFILE".to_owned();
        let mut at = 1;
        while let Some(arg) = args.get(at) {
            match arg.raw.as_str() {
                "-t" => strips = true,
                "-d" => {
                    at += 1;
                    // An empty separator is the NUL byte.
                    separator = args.get(at).and_then(|arg| arg.raw.chars().next()).unwrap_or('\0');
                }
                attached if attached.starts_with("-d") => {
                    separator = attached.chars().nth(2).unwrap_or('\0');
                }
                "-n" | "-O" | "-s" | "-u" | "-C" | "-c" => at += 1,
                option if is_option(option) => strips |= option.contains('t'),
                other => name = other.to_owned(),
            }
            at += 1;
        }
        let trail = state.stdin.trail.clone();
        let content = match &state.stdin.known {
            Some(text) => {
                let lines = text.split_inclusive(separator).take(1024).map(|line| {
                    let line = if strips { line.strip_suffix(separator).unwrap_or(line) } else { line };
                    Value { text: line.to_owned(), trail: trail.clone() }
                });
                Self::list_of(lines.collect())
            }
            None => match state.stdin.lines() {
                Some(lines) => Self::list_of(lines),
                None => Content::Scalar(Value { text: HOLE.to_string(), trail }),
            },
        };
        state.set_var(&name, Var::holding(content));
    }

    /// `printf -v NAME …`.
    pub(super) fn print_into(
        &mut self,
        args: &[Arg],
        assigned: &[Assigned],
        span: Span,
        state: &mut State,
    ) -> Option<Flow> {
        let first = args.get(1)?;
        let flag = first.raw.strip_prefix("-v")?;
        let (name, rest) = if flag.is_empty() {
            (args.get(2)?.clone(), args.get(3..)?)
        } else {
            let mut name = first.clone();
            name.raw = flag.to_owned();
            (name, args.get(2..)?)
        };
        self.named_value(&name.raw, name.word.span, state);
        let mut print = vec![args.first()?.clone()];
        print.extend(rest.iter().cloned());
        let printed = self.program_call(&print, assigned, span, state);
        let mut value = printed.out.value();
        if let Some(text) = &printed.out.known {
            value.text.clone_from(text);
        }
        let (target, subscript) = match name.raw.split_once('[') {
            Some((target, index)) => (target.to_owned(), Some(index.trim_end_matches(']').to_owned())),
            None => (name.raw.clone(), None),
        };
        let assigned =
            Assigned { name: target, subscript, value: NewValue::Scalar(value), append: false, span };
        self.assign(&assigned, state);
        Some(Flow::done(Some(true)))
    }
}

/// Fields of a line; the last takes the rest.
pub(super) fn fields(line: &str, separators: &str, most: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let blank = |character: char| character.is_whitespace() && separators.contains(character);
    let mut rest = line.trim_matches(blank);
    while !rest.is_empty() {
        if out.len() + 1 == most {
            out.push(rest.to_owned());
            break;
        }
        match rest.find(|character| separators.contains(character)) {
            Some(end) => {
                out.push(rest.get(..end).unwrap_or_default().to_owned());
                let mut tail = rest.get(end..).unwrap_or_default().trim_start_matches(blank);
                if let Some(first) = tail.chars().next().filter(|first| separators.contains(*first)) {
                    tail = tail.get(first.len_utf8()..).unwrap_or_default();
                }
                rest = tail.trim_start_matches(blank);
            }
            None => {
                out.push(rest.to_owned());
                break;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fall_into_fields() {
        assert_eq!(fields("a b  c", " \t\n", 2), ["a", "b  c"]);
        assert_eq!(fields("rm,-rf,d", ",", usize::MAX), ["rm", "-rf", "d"]);
        assert_eq!(fields("a::b", ":", usize::MAX), ["a", "", "b"]);
    }
}
