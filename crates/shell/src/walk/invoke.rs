//! What a command word stands for: a function, a file of this text, a builtin, a program; each of them where it may be
//! several.

use std::borrow::Cow;
use std::rc::Rc;

use doorward_core::finding::Finding;
use doorward_core::intent::{Form, Span};

use super::assign::Assigned;
use super::command::either;
use super::{Flow, names};
use crate::guard;
use crate::machine::Machine;
use crate::programs::asked;
use crate::state::{Entry, Function, Functions, State, Written};
use crate::value::{Arg, HOLE, Value};

/// How many levels of a function that calls itself are walked one by one, unless each has fewer arguments than the one
/// before. What a deeper level may do is walked once, with arguments and variables unknown where levels differ.
const MOST_REENTRIES: usize = 2;

/// How many rounds or levels are walked with more and more unknown, until a last one adds nothing.
pub(super) const MOST_WIDENINGS: usize = 8;

/// How deep functions may call functions.
const MOST_CALLS: usize = 48;

/// The words of a call are held until it ends, as words of its caller and as parameters: they cost more than words
/// that a wrapper only hands on.
const CALL: usize = 4;

/// The arguments of a function or script; `None` where they aren't known.
pub(crate) type Positional = Option<Rc<Vec<Value>>>;

fn length(arguments: &Positional) -> usize {
    arguments.as_ref().map_or(usize::MAX, |values| values.len())
}

/// A function or alias whose body is being walked.
#[derive(Debug, Clone)]
pub(crate) struct ActiveCall {
    pub(crate) name: String,
    positional: Positional,
    /// What was known when it was called.
    entry: Entry,
    /// It stands for every deeper call of the same function.
    widened: bool,
    /// Nothing calls it: its body is only looked at.
    uncalled: bool,
}

impl ActiveCall {
    /// A call that takes no arguments of its own: an alias, or a function that is only listed.
    pub(crate) fn named(name: String) -> Self {
        Self { name, positional: None, entry: Entry::default(), widened: false, uncalled: false }
    }

    /// A function that nothing calls, so that nobody gives it arguments.
    pub(crate) fn never(name: String) -> Self {
        Self { uncalled: true, ..Self::named(name) }
    }
}

/// How a command word is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// Functions, builtins, programs.
    Everything,
    /// `command`, wrappers: no functions.
    NoFunctions,
}

impl Machine<'_> {
    /// Runs evaluated words.
    pub(crate) fn invoke(
        &mut self,
        args: &[Arg],
        assigned: &[Assigned],
        declared: &[Assigned],
        lookup: Lookup,
        span: Span,
        state: &mut State,
    ) -> Flow {
        if !self.enter(span) {
            return Flow::unsure();
        }
        let flow = self.invoked(args, assigned, declared, lookup, span, state);
        self.leave();
        flow
    }

    fn invoked(
        &mut self,
        args: &[Arg],
        assigned: &[Assigned],
        declared: &[Assigned],
        lookup: Lookup,
        span: Span,
        state: &mut State,
    ) -> Flow {
        let Some(first) = args.first() else { return Flow::done(Some(true)) };
        let at = first.word.span;
        if first.word.form != Form::Literal {
            return self.unresolved(args, assigned, span, state);
        }
        if first.trail.as_ref().is_some_and(|taint| taint.decoded) {
            // Escapes inside the word itself are read exactly, so a rule for the program may still cover it.
            let written =
                at.of(&self.original).is_some_and(|text| text.contains("$'") && !text.contains(['`', '(']));
            let code = if written && first.trail.as_ref().is_some_and(|taint| taint.reads.is_empty()) {
                "shell.encoded_word"
            } else {
                "shell.obfuscated"
            };
            self.find_at(code, "text had to be decoded to see which command runs", at);
        }
        if guard::is_look_alike(&first.raw) {
            self.find_at("shell.invisible", "a command word with look-alike or invisible characters", at);
        }
        if first.raw.starts_with('=') && first.raw.len() > 1 && !first.quoted {
            self.find_at("shell.obfuscated", "zsh replaces =name by the path of a program", at);
        }
        let name = first.raw.clone();
        if lookup == Lookup::Everything
            && let Some(functions) = state.functions.get(&name).cloned()
        {
            return self.one_of(&name, &functions, args, (assigned, declared), span, state);
        }
        // The file may not be executable, a builtin isn't looked for, and a shell may keep no table of programs: then
        // it is the usual one.
        let named = !name.contains('/') && (state.hashed.contains_key(&name) || own_path(state));
        let usual = named.then(|| state.clone());
        let found = self.named_elsewhere(&name, args, assigned, span, state);
        let Some(mut world) = usual else {
            return match found {
                Some(flow) => flow,
                None => self.usual(&name, args, assigned, declared, lookup, span, state),
            };
        };
        let usual = self.usual(&name, args, assigned, declared, lookup, span, &mut world);
        match found {
            Some(flow) => {
                self.join(state, &world);
                either(flow, usual)
            }
            None => {
                *state = world;
                usual
            }
        }
    }

    /// A command word that this text gave another meaning: a file it wrote, or an entry of the table of programs.
    fn named_elsewhere(
        &mut self,
        name: &str,
        args: &[Arg],
        assigned: &[Assigned],
        span: Span,
        state: &mut State,
    ) -> Option<Flow> {
        if let Some(flow) = self.written_program(name, args, assigned, span, state) {
            return Some(flow);
        }
        let path = state.hashed.get(name)?.clone();
        let named = first_as(args, |first| {
            first.word.text = names::normal(&path);
            first.raw = path;
        });
        Some(self.program_call(&named, assigned, span, state))
    }

    /// A builtin or a program by its usual name.
    #[expect(clippy::too_many_arguments, reason = "the parts of one command")]
    fn usual(
        &mut self,
        name: &str,
        args: &[Arg],
        assigned: &[Assigned],
        declared: &[Assigned],
        lookup: Lookup,
        span: Span,
        state: &mut State,
    ) -> Flow {
        let path = name.contains('/').then(|| names::normal(name));
        let path = path.filter(|path| args.first().is_some_and(|first| first.word.text != *path));
        let args = match path {
            Some(path) => Cow::Owned(first_as(args, |first| first.word.text = path)),
            None => Cow::Borrowed(args),
        };
        match self.builtin(name, &args, assigned, declared, lookup, span, state) {
            Some(flow) => flow,
            None => self.program_call(&args, assigned, span, state),
        }
    }

    /// A name that stands for functions: each of them, and the program where it may stand for none.
    fn one_of(
        &mut self,
        name: &str,
        functions: &Functions,
        args: &[Arg],
        (assigned, declared): (&[Assigned], &[Assigned]),
        span: Span,
        state: &mut State,
    ) -> Flow {
        let entry = state.clone();
        let mut flow: Option<Flow> = None;
        for function in &functions.bodies {
            let mut world = entry.clone();
            let next = self.call(name, function, args, assigned, span, &mut world);
            match flow.take() {
                None => {
                    *state = world;
                    flow = Some(next);
                }
                Some(before) => {
                    self.join(state, &world);
                    flow = Some(either(before, next));
                }
            }
        }
        if functions.surely {
            return flow.unwrap_or_else(Flow::unsure);
        }
        let mut world = entry;
        let next = self.invoke(args, assigned, declared, Lookup::NoFunctions, span, &mut world);
        self.join(state, &world);
        flow.map_or_else(Flow::unsure, |flow| either(flow, next))
    }

    /// A command word that can't be known.
    fn unresolved(&mut self, args: &[Arg], assigned: &[Assigned], span: Span, state: &mut State) -> Flow {
        let Some(first) = args.first() else { return Flow::unsure() };
        let at = first.word.span;
        if first.trail.as_ref().is_some_and(|taint| taint.network) {
            self.find_at("shell.remote_code", "the command comes from the network", at);
        }
        if self.only_runs_when_called(&first.value(), at) {
            return Flow::unsure();
        }
        let defaulted = first
            .trail
            .as_ref()
            .filter(|taint| taint.is_defaulted() && first.raw.trim_matches(HOLE).is_empty());
        if let Some(name) = defaulted.and_then(|taint| taint.env.first()) {
            // What runs where nobody set that variable is walked as well.
            let message = format!("another program runs if the variable {name} names one");
            self.finding(Finding::new("shell.unknown_program", message).at(at));
            return Flow::unsure();
        }
        // What `deeds` says of unknown programs comes from the tables; this says it even if they don't.
        self.find_at("shell.obfuscated", "which command runs can't be known", at);
        self.program_call(args, assigned, span, state)
    }

    /// Whether a text is nothing but what a function would be given, and nothing calls that function here.
    pub(super) fn only_runs_when_called(&mut self, text: &Value, span: Span) -> bool {
        let given = text.trail.is_none() && text.text.chars().all(|letter| matches!(letter, HOLE | ' '));
        let only = given && self.calls.first().is_some_and(|call| call.uncalled);
        if only {
            let message = "a function that nothing calls here would run what it is given";
            self.finding(Finding::new("shell.unknown_program", message).at(span));
        }
        only
    }

    fn call(
        &mut self,
        name: &str,
        function: &Function,
        args: &[Arg],
        assigned: &[Assigned],
        span: Span,
        state: &mut State,
    ) -> Flow {
        self.called.insert(name.to_owned());
        let active = self.calls.iter().filter(|call| call.name == name).count();
        if active > 0 && self.parallel > 0 {
            self.find_at("shell.resource", "a function that starts itself again and again", span);
        }
        if !self.step() || !self.hands_on(args, CALL, span) {
            return Flow::unsure();
        }
        if self.calls.len() >= MOST_CALLS {
            self.unknown("shell.too_deep", "functions that call functions deeper than is analysed", span);
            return Flow::unsure();
        }
        let mut values: Positional =
            Some(Rc::new(args.iter().enumerate().map(|(index, arg)| argument(index, arg)).collect()));
        let mut widened = false;
        let last = self.calls.iter().rev().find(|call| call.name == name);
        let shorter = last.is_some_and(|last| length(&values) < length(&last.positional));
        if active >= MOST_REENTRIES && !shorter {
            // Deeper levels are walked as one, with what differs between levels unknown, until nothing more differs.
            widened = true;
            if let Some(first) = self.calls.iter().find(|call| call.name == name).cloned() {
                if first.positional != values {
                    values = None;
                }
                state.widen(&first.entry);
            }
            let covered = |call: &ActiveCall| {
                call.widened && call.name == name && call.positional == values && call.entry == state.entry()
            };
            if self.calls.iter().any(covered) {
                return Flow::unsure();
            }
            if active >= MOST_REENTRIES + MOST_WIDENINGS {
                self.unknown("shell.too_deep", "a function calls itself with ever new values", span);
                return Flow::unsure();
            }
        }
        let call = ActiveCall {
            positional: values.clone(),
            entry: state.entry(),
            widened,
            ..ActiveCall::named(name.to_owned())
        };
        let positional = std::mem::replace(&mut state.positional, values);
        for assigned in assigned {
            self.assign(assigned, state);
        }
        let hidden = std::mem::take(&mut state.hidden);
        self.calls.push(call);
        let source = Rc::clone(&function.source);
        let flow = self.returning(state, |machine, state| {
            machine.redirected(function.body.1.as_ref(), &source, state, |machine, state| {
                machine.compound(&function.body.0, &source, state)
            })
        });
        self.calls.pop();
        for (name, var) in std::mem::replace(&mut state.hidden, hidden).into_iter().rev() {
            match var {
                Some(var) => state.set_var(&name, var),
                None => {
                    Rc::make_mut(&mut state.vars).remove(&name);
                }
            }
        }
        state.positional = positional;
        flow
    }

    /// A command word that names a file this text wrote, copied or linked.
    fn written_program(
        &mut self,
        name: &str,
        args: &[Arg],
        assigned: &[Assigned],
        span: Span,
        state: &mut State,
    ) -> Option<Flow> {
        if state.files.is_empty() && self.options.files.is_empty() {
            return None;
        }
        let searched = name.contains('/') || own_path(state);
        if !searched {
            return None;
        }
        let mut candidates = vec![self.key(name, state)];
        if !name.contains('/') {
            let path = self.scalar("PATH", &mut state.clone());
            let path = path.map(|value| value.text).unwrap_or_default();
            candidates =
                path.split(':').take(32).map(|folder| self.key(&format!("{folder}/{name}"), state)).collect();
        }
        let (key, written) =
            candidates.into_iter().find_map(|key| self.written(&key, state).map(|written| (key, written)))?;
        match written {
            Written::Same(program) => {
                // A copy of a file beside it, and not of what the search path has under that name.
                let program = if program.contains('/') { program } else { format!("./{program}") };
                let named = first_as(args, |first| {
                    first.raw.clone_from(&program);
                    first.word.text = program;
                });
                self.via.push(name.to_owned());
                let flow = self.invoke(&named, assigned, &[], Lookup::NoFunctions, span, state);
                self.via.pop();
                Some(flow)
            }
            Written::Text(text, trail) => {
                let (language, _) = asked::shebang(&text);
                let value = Value { text, trail };
                Some(self.script(&key, language, &value, args, span, state))
            }
            Written::Unknown(trail) => {
                self.made_elsewhere(&trail, args.first()?.word.span);
                Some(self.program_call(args, assigned, span, state))
            }
        }
    }
}

/// The words of a command, whose first was changed.
fn first_as(args: &[Arg], change: impl FnOnce(&mut Arg)) -> Vec<Arg> {
    let mut args = args.to_vec();
    if let Some(first) = args.first_mut() {
        change(first);
    }
    args
}

/// Whether this text set where programs are looked for.
fn own_path(state: &State) -> bool {
    state.var("PATH").is_some_and(|var| var.own)
}

fn argument(index: usize, arg: &Arg) -> Value {
    if index == 0 {
        return Value::known("bash");
    }
    arg.handed_over()
}
