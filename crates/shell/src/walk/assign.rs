//! Assignments: `x=v`, `x+=v`, `a=(…)`, `a[i]=v`, and what they carry into programs.

use std::collections::BTreeMap;
use std::rc::Rc;

use brush_parser::ast;
use doorward_core::intent::{Form, Span};

use super::names;
use crate::deed::Word;
use crate::expand::{Quoting, Site};
use crate::machine::Machine;
use crate::source::{Raw, Source};
use crate::state::{Content, State, Var};
use crate::value::{Arg, Value, follow_both};

/// The new value of a variable.
#[derive(Debug, Clone)]
pub(crate) enum NewValue {
    Scalar(Value),
    List(Vec<(Option<Value>, Value)>),
}

/// An evaluated assignment.
#[derive(Debug, Clone)]
pub(crate) struct Assigned {
    pub(crate) name: String,
    pub(crate) subscript: Option<String>,
    pub(crate) value: NewValue,
    pub(crate) append: bool,
    pub(crate) span: Span,
}

impl Assigned {
    pub(crate) fn scalar(name: &str, value: Value, span: Span) -> Self {
        Self { name: name.to_owned(), subscript: None, value: NewValue::Scalar(value), append: false, span }
    }

    /// Whether it can't change what runs.
    pub(crate) fn is_harmless(&self) -> bool {
        let value = match &self.value {
            NewValue::Scalar(value) if !self.append => value.is_known().then_some(value.text.as_str()),
            _ => None,
        };
        match value {
            Some(value) => crate::programs::is_harmless_value(&self.name, value),
            None => names::is_harmless(&self.name),
        }
    }

    /// `NAME=value`, unknown parts shown as `…`.
    pub(crate) fn text(&self) -> String {
        let value = match &self.value {
            NewValue::Scalar(value) => value.text.clone(),
            NewValue::List(items) => {
                format!(
                    "({})",
                    items.iter().map(|(_, item)| item.text.as_str()).collect::<Vec<_>>().join(" ")
                )
            }
        };
        format!("{}={value}", self.name).replace(crate::value::is_mark, "…")
    }

    pub(crate) fn as_arg(&self) -> Arg {
        let mut word = Word::literal(self.text(), self.span);
        let mut raw = word.text.clone();
        let mut trail = None;
        if let NewValue::Scalar(value) = &self.value {
            raw = format!("{}={}", self.name, value.text);
            trail.clone_from(&value.trail);
            if !value.is_known() {
                word.form = Form::Unknown;
            }
        }
        Arg { word, raw, trail, quoted: false }
    }

    /// As an assignment in front of a program.
    pub(crate) fn carried(&self) -> (String, Word) {
        let (text, form) = match &self.value {
            NewValue::Scalar(value) if value.is_known() => (value.text.clone(), Form::Literal),
            NewValue::Scalar(value) => (value.text.replace(crate::value::is_mark, "…"), Form::Unknown),
            NewValue::List(_) => ("…".to_owned(), Form::Unknown),
        };
        (self.name.clone(), Word { text, form, span: self.span, ..Word::default() })
    }
}

/// A part of an assignment, at its place if it stands there letter by letter.
fn within<'a>(whole: Raw<'a>, part: &'a str, at: usize) -> Raw<'a> {
    let stands = whole.text.get(at..).is_some_and(|rest| rest.starts_with(part));
    Raw { text: part, at: whole.at.filter(|_| stands).map(|start| start + at), span: whole.span }
}

fn assignment_start(text: &str) -> usize {
    text.find('(').map_or(0, |open| open + 1)
}

impl Machine<'_> {
    pub(crate) fn assignment(
        &mut self,
        assignment: &ast::Assignment,
        whole: Raw<'_>,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Assigned {
        let span = whole.span;
        let (name, subscript) = match &assignment.name {
            ast::AssignmentName::VariableName(name) => (name.clone(), None),
            ast::AssignmentName::ArrayElementName(name, index) => (name.clone(), Some(index.clone())),
        };
        let value = match &assignment.value {
            ast::AssignmentValue::Scalar(word) => {
                let raw = within(whole, &word.value, whole.text.len().saturating_sub(word.value.len()));
                let mut arg = self.single(raw, source, state);
                // A tilde after `:` expands in assignments.
                if arg.raw.contains(":~/") && !arg.quoted {
                    let home = self.options.home.clone().unwrap_or_else(|| "~".to_owned());
                    arg.raw = arg.raw.replace(":~/", &format!(":{home}/"));
                }
                NewValue::Scalar(arg.value())
            }
            ast::AssignmentValue::Array(items) => {
                let mut list = Vec::new();
                let mut from = assignment_start(whole.text);
                for (key, word) in items {
                    let at = whole
                        .text
                        .get(from..)
                        .and_then(|rest| rest.find(&word.value))
                        .map_or(from, |at| from + at);
                    let raw = within(whole, &word.value, at);
                    from = at + word.value.len();
                    match key {
                        Some(key) => {
                            let key =
                                self.single(within(whole, &key.value, usize::MAX), source, state).value();
                            let value = self.single(raw, source, state).value();
                            list.push((Some(key), value));
                        }
                        None => list.extend(
                            self.words(raw, source, state).iter().map(|arg| (None, arg.handed_over())),
                        ),
                    }
                }
                NewValue::List(list)
            }
        };
        Assigned { name, subscript, value, append: assignment.append, span }
    }

    /// Carries an assignment out.
    pub(crate) fn assign(&mut self, assigned: &Assigned, state: &mut State) {
        let name = self.resolve(&assigned.name, state);
        let (name, nested) = match name.find('[') {
            Some(open) => {
                let index = name.get(open + 1..name.len().saturating_sub(1)).unwrap_or_default().to_owned();
                (name.get(..open).unwrap_or_default().to_owned(), Some(index))
            }
            None => (name, None),
        };
        let subscript = assigned.subscript.clone().or(nested);
        // Arrays that bash keeps its aliases and its table of programs in.
        match (name.as_str(), &subscript, &assigned.value) {
            ("BASH_ALIASES", Some(alias), NewValue::Scalar(value)) => {
                Rc::make_mut(&mut state.aliases).insert(alias.clone(), value.clone());
            }
            ("BASH_CMDS", Some(program), NewValue::Scalar(value)) => {
                Rc::make_mut(&mut state.hashed).insert(program.clone(), value.text.clone());
            }
            // Ignoring some names makes patterns fit hidden ones.
            ("GLOBIGNORE", None, NewValue::Scalar(value)) => state.dot_names |= !value.text.is_empty(),
            _ => {}
        }
        match (&assigned.value, subscript) {
            (NewValue::Scalar(value), None) => self.assign_scalar(&name, value, assigned, state),
            (NewValue::Scalar(value), Some(subscript)) => {
                self.assign_element(&name, &subscript, value, assigned, state);
            }
            (NewValue::List(items), _) => self.assign_list(&name, items, assigned, state),
        }
    }

    fn assign_scalar(&mut self, name: &str, value: &Value, assigned: &Assigned, state: &mut State) {
        let attributes = state.var(name).cloned();
        let mut value = value.clone();
        let integer = attributes.as_ref().is_some_and(|var| var.integer);
        if integer {
            self.reads_number(&value);
            let number = self.evaluate(&value.text, assigned.span, state);
            value.text = number.map_or_else(|| crate::value::HOLE.to_string(), |number| number.to_string());
        }
        // `x+=v` builds on what the text set; a small-letter name that nothing set is empty.
        let unset = state.var(name).is_none() && name.contains(|letter: char| letter.is_ascii_lowercase());
        if assigned.append
            && !unset
            && let Some(before) = self.scalar(name, state)
        {
            if integer {
                let sum = before.text.parse::<i64>().ok().zip(value.text.parse::<i64>().ok());
                value.text = sum.map_or_else(
                    || crate::value::HOLE.to_string(),
                    |(one, two)| one.wrapping_add(two).to_string(),
                );
            } else {
                value.trail = follow_both(&before.trail, &value.trail);
                value.text = format!("{}{}", before.text, value.text);
            }
        }
        if value.text.len() > crate::value::LIMIT {
            value = Value { text: crate::value::HOLE.to_string(), trail: value.trail };
        }
        if let Some(var) = &attributes {
            if var.lower {
                value.text = value.text.to_lowercase();
            }
            if var.upper {
                value.text = value.text.to_uppercase();
            }
        }
        state.set(name, value);
    }

    fn assign_element(
        &mut self,
        name: &str,
        subscript: &str,
        value: &Value,
        assigned: &Assigned,
        state: &mut State,
    ) {
        let source = Source::new(subscript.to_owned(), None, assigned.span);
        let site = Site { source: &source, at: None, span: assigned.span };
        if let Some(Content::Map(mut map)) = self.content(name, state) {
            let key = self.unsplit(subscript, Quoting::Bare, site, state).value();
            let mut value = value.clone();
            if assigned.append
                && let Some(before) = map.get(&key.text)
            {
                value.text = format!("{}{}", before.text, value.text);
            }
            map.insert(key.text, value);
            state.set_var(name, Var::holding(Content::Map(map)));
            return;
        }
        let index = self.arithmetic(subscript, site, state);
        self.set_element(name, index, value.clone(), state);
    }

    fn assign_list(
        &mut self,
        name: &str,
        items: &[(Option<Value>, Value)],
        assigned: &Assigned,
        state: &mut State,
    ) {
        let before = self.content(name, state);
        let content = match before {
            Some(Content::Map(map)) => {
                let mut map = if assigned.append { map } else { BTreeMap::new() };
                let mut pending: Option<String> = None;
                for (key, value) in items {
                    match (key, pending.take()) {
                        (Some(key), _) => {
                            map.insert(key.text.clone(), value.clone());
                        }
                        (None, Some(key)) => {
                            map.insert(key, value.clone());
                        }
                        (None, None) => pending = Some(value.text.clone()),
                    }
                }
                Content::Map(map)
            }
            before => {
                let mut list = match before {
                    Some(Content::List(list)) if assigned.append => {
                        self.charge(list.len() * 8);
                        list
                    }
                    Some(Content::Scalar(value)) if assigned.append => BTreeMap::from([(0, value)]),
                    _ => BTreeMap::new(),
                };
                let mut next = list.keys().next_back().map_or(0, |last| last + 1);
                for (key, value) in items {
                    if let Some(key) = key {
                        match self.evaluate(&key.text, assigned.span, state) {
                            Some(index) => next = index,
                            None => next += 1,
                        }
                    }
                    list.insert(next, value.clone());
                    next += 1;
                }
                Content::List(list)
            }
        };
        let mut var = Var::holding(content);
        if let Some(before) = state.var(name) {
            (var.lower, var.upper, var.integer) = (before.lower, before.upper, before.integer);
        }
        state.set_var(name, var);
    }

    /// Evaluates the text of a value as arithmetic, as `declare -i`, `[[ -eq`, `let` do.
    pub(crate) fn evaluate(&mut self, text: &str, span: Span, state: &mut State) -> Option<i64> {
        let source = Source::new(String::new(), None, span);
        let site = Site { source: &source, at: None, span };
        if !self.enter(span) {
            return None;
        }
        let value = self.expression(text, site, state, 0);
        self.leave();
        value
    }

    /// An assignment on its own to a variable that programs read: the environment may hold it already.
    pub(crate) fn carried(&mut self, assigned: &Assigned, state: &mut State) {
        if !names::may_carry(&assigned.name) {
            return;
        }
        let (name, value) = assigned.carried();
        let argv = crate::deed::Argv {
            words: vec![
                Word::literal("export", assigned.span),
                Word { text: format!("{name}={}", value.text), ..value },
            ],
            ..crate::deed::Argv::default()
        };
        let deeds = crate::programs::describe(&argv, &self.context);
        if !deeds.runs.is_empty() || !deeds.findings.is_empty() || !deeds.hosts.is_empty() {
            self.apply(deeds, &[assigned.as_arg()], &[], None, assigned.span, state);
        }
    }
}
