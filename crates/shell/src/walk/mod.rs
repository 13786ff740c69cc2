//! The walk over the tree: lists, pipelines, branches and loops, each with what it does to the state.
//!
//! A branch that may not be taken is walked in a copy of the state and joined; a loop over known values is run
//! with each; one over unknown values is walked twice, so that what the first round leaves reaches the second.

use std::rc::Rc;

use brush_parser::ast::{self, SourceLocation as _};
use doorward_core::intent::{Certainty, Connector, SimpleCommand, Span};

use crate::expand::{Quoting, Site, pattern, scan};
use crate::machine::Machine;
use crate::programs::asked;
use crate::source::Source;
use crate::state::{Function, Functions, State};
use crate::value::{Stream, Value, follow_both};

mod adopted;
mod assign;
mod builtin;
mod command;
mod departs;
mod edit;
mod files;
mod flood;
mod flow;
mod folder;
mod follow;
mod invoke;
mod loops;
mod names;
mod opened;
mod printed;
mod redirect;
mod salvage;
mod test;
mod variables;

pub(crate) use folder::Parted;
pub(crate) use invoke::ActiveCall;
pub(crate) use salvage::salvage;

/// Rounds of a loop whose condition is known.
const ROUNDS: usize = 64;

/// What a command leaves: its output, and whether it succeeded.
#[derive(Debug, Clone)]
pub(crate) struct Flow {
    pub(crate) out: Stream,
    /// `None` where success can't be known.
    pub(crate) status: Option<bool>,
}

impl Flow {
    pub(crate) fn done(status: Option<bool>) -> Self {
        Self { out: Stream::nothing(), status }
    }

    pub(crate) fn unsure() -> Self {
        Self { out: Stream::default(), status: None }
    }
}

impl Machine<'_> {
    /// Walks a program.
    pub(crate) fn program(&mut self, program: &ast::Program, source: &Rc<Source>, state: &mut State) -> Flow {
        let mut flow = Flow::done(Some(true));
        for (index, list) in program.complete_commands.iter().enumerate() {
            if index > 0 {
                self.intent.connectors.insert(Connector::Newline);
                self.goes_on(state);
            }
            let next = self.list(list, source, state);
            flow = Flow { out: flow.out.then(next.out), status: next.status };
        }
        flow
    }

    /// Makes a state also what another may be, at the price of what both know.
    pub(crate) fn join(&mut self, state: &mut State, other: &State) {
        self.charge(state.width(other).saturating_mul(4));
        state.join(other);
    }

    pub(crate) fn list(&mut self, list: &ast::CompoundList, source: &Rc<Source>, state: &mut State) -> Flow {
        let mut flow = Flow::done(Some(true));
        let mut previous_end = None;
        for (index, ast::CompoundListItem(commands, separator)) in list.0.iter().enumerate() {
            if index > 0 {
                self.goes_on(state);
            }
            let range = commands.location().map(|loc| source.range(&loc));
            if let (Some(end), Some((start, _))) = (previous_end, range) {
                let between = source.text.get(end..start).unwrap_or_default();
                self.intent.connectors.insert(if between.contains('\n') {
                    Connector::Newline
                } else {
                    Connector::Semicolon
                });
            }
            let next = match separator {
                ast::SeparatorOperator::Sequence => {
                    previous_end = range.map(|(_, end)| end);
                    self.and_or(commands, source, state)
                }
                ast::SeparatorOperator::Async => {
                    previous_end = None;
                    self.intent.connectors.insert(Connector::Background);
                    self.parallel += 1;
                    self.background += 1;
                    self.jobs += 1;
                    let flow = self.in_subshell(state, |machine, job| machine.and_or(commands, source, job));
                    self.background -= 1;
                    self.parallel -= 1;
                    Flow { out: flow.out, status: Some(true) }
                }
            };
            flow = Flow { out: flow.out.then(next.out), status: next.status };
        }
        flow
    }

    fn and_or(&mut self, list: &ast::AndOrList, source: &Rc<Source>, state: &mut State) -> Flow {
        state.parted = None;
        let last = list.additional.len();
        let mut flow = self.checked(last > 0, |machine| machine.pipeline(&list.first, source, state));
        // States in which a chain of `&&` broke off: what follows by another `&&` isn't run in them.
        let mut broken: Vec<State> = Vec::new();
        for (index, next) in list.additional.iter().enumerate() {
            // `&&` goes on where the folder was changed, `||` where it wasn't.
            let parted = state.parted.take().filter(|_| flow.status.is_none());
            let mut failed = None;
            if let Some(Parted { done, failed: stayed, .. }) = parted {
                state.folder = done;
                failed = Some(stayed);
            }
            let (pipeline, wanted) = match next {
                ast::AndOr::And(pipeline) => (pipeline, true),
                ast::AndOr::Or(pipeline) => (pipeline, false),
            };
            if !wanted {
                broken.drain(..).for_each(|other| self.join(state, &other));
            }
            self.intent.connectors.insert(if wanted { Connector::And } else { Connector::Or });
            flow = match flow.status {
                Some(status) if status == wanted => {
                    let next =
                        self.checked(index + 1 < last, |machine| machine.pipeline(pipeline, source, state));
                    Flow { out: flow.out.then(next.out), status: next.status }
                }
                Some(status) => {
                    // Not reached as far as can be told; looked at all the same.
                    self.maybe(state, false, |machine, state| machine.pipeline(pipeline, source, state));
                    Flow { out: flow.out, status: Some(status) }
                }
                None => {
                    // `a && b` is written for `b` to run; `a || b` for the exception.
                    let next = if wanted {
                        let folder = failed.unwrap_or_else(|| state.folder.clone());
                        broken.push(State { folder, ..state.clone() });
                        self.checked(index + 1 < last, |machine| machine.pipeline(pipeline, source, state))
                    } else {
                        self.maybe(state, true, |machine, state| {
                            state.folder = failed.unwrap_or_else(|| state.folder.clone());
                            machine.checked(index + 1 < last, |machine| {
                                machine.pipeline(pipeline, source, state)
                            })
                        })
                    };
                    let trail = follow_both(&flow.out.trail, &next.out.trail);
                    let both = flow.out.is_nothing() && next.out.is_nothing();
                    let out = if both { Stream::nothing() } else { Stream::unknown(trail, next.out.span) };
                    Flow { out, status: None }
                }
            };
        }
        let end = match list.additional.last() {
            Some(ast::AndOr::And(end) | ast::AndOr::Or(end)) => end,
            None => &list.first,
        };
        if state.ends_on_failure
            && self.conditions == 0
            && !end.bang
            && let Some(parted) = state.parted.take()
        {
            state.folder = parted.done;
        }
        broken.iter().for_each(|other| self.join(state, other));
        flow
    }

    /// Walks a command whose failure, where `caught`, something after it looks at.
    fn checked(&mut self, caught: bool, walk: impl FnOnce(&mut Self) -> Flow) -> Flow {
        self.conditions += u32::from(caught);
        let flow = walk(self);
        self.conditions -= u32::from(caught);
        flow
    }

    /// Walks something that may not happen, in a copy of the state; `joined`: its state counts afterwards.
    fn maybe(
        &mut self,
        state: &mut State,
        joined: bool,
        walk: impl FnOnce(&mut Self, &mut State) -> Flow,
    ) -> Flow {
        let mut branch = state.clone();
        branch.certainty = Certainty::May;
        let flow = walk(self, &mut branch);
        branch.certainty = state.certainty;
        if joined {
            self.join(state, &branch);
        } else {
            state.files = branch.files;
        }
        flow
    }

    fn pipeline(&mut self, pipeline: &ast::Pipeline, source: &Rc<Source>, state: &mut State) -> Flow {
        let flow = if let [command] = pipeline.seq.as_slice() {
            self.checked(pipeline.bang, |machine| machine.command(command, source, state))
        } else {
            self.intent.connectors.insert(Connector::Pipe);
            self.parallel += 1;
            let flow = self.stages(&pipeline.seq, source, state);
            self.parallel -= 1;
            flow
        };
        if !pipeline.bang {
            return flow;
        }
        if let Some(parted) = &mut state.parted {
            std::mem::swap(&mut parted.done, &mut parted.failed);
        }
        Flow { status: flow.status.map(|status| !status), ..flow }
    }

    fn stages(&mut self, stages: &[ast::Command], source: &Rc<Source>, state: &mut State) -> Flow {
        let mut flow = Flow { out: state.stdin.clone(), status: None };
        let before = self.intent.commands.len();
        for (index, stage) in stages.iter().enumerate() {
            let mut shell = state.subshell();
            shell.stdin = flow.out;
            flow = self.command(stage, source, &mut shell);
            self.traps(&mut shell);
            state.files = Rc::clone(&shell.files);
            if index + 1 == stages.len() {
                // ksh, zsh and `shopt -s lastpipe` run the last stage in the shell itself.
                shell.stdin = state.stdin.clone();
                shell.traps = Rc::clone(&state.traps);
                self.join(state, &shell);
            }
        }
        self.unpacked_over(before);
        flow
    }

    /// `git archive … | tar x`: what was committed goes over what was changed since, unless it is put elsewhere.
    fn unpacked_over(&mut self, before: usize) {
        let commands = self.intent.commands.get(before..).unwrap_or_default();
        let Some(at) = commands.iter().position(asked::packs_commits) else { return };
        let Some(over) = commands.iter().skip(at + 1).find(|command| asked::unpacks_here(command)) else {
            return;
        };
        let span = over.span;
        self.intent.history_loss.push(doorward_core::intent::HistoryLoss {
            what: "uncommitted changes of what is unpacked over".to_owned(),
            recoverable_by: doorward_core::intent::RecoverableBy::None,
            span,
            depends_on: None,
        });
    }

    pub(crate) fn command(&mut self, command: &ast::Command, source: &Rc<Source>, state: &mut State) -> Flow {
        match command {
            ast::Command::Simple(simple) => self.simple(simple, source, state),
            ast::Command::Compound(compound, redirects) => {
                let span = compound.location().map_or(self.whole, |loc| {
                    let (start, end) = source.range(&loc);
                    source.span(start, end)
                });
                if !self.enter(span) {
                    return Flow::unsure();
                }
                let flow = self.redirected(redirects.as_ref(), source, state, |machine, state| {
                    machine.compound(compound, source, state)
                });
                // Of other compounds it isn't told which of their commands was the last.
                if !matches!(compound, ast::CompoundCommand::BraceGroup(_)) {
                    state.parted = None;
                }
                self.leave();
                flow
            }
            ast::Command::Function(function) => {
                self.define(function, source, state);
                Flow::done(Some(true))
            }
            ast::Command::ExtendedTest(test, redirects) => {
                self.redirected(redirects.as_ref(), source, state, |machine, state| {
                    machine.extended_test(&test.expr, source, state)
                })
            }
        }
    }

    fn define(&mut self, function: &ast::FunctionDefinition, source: &Rc<Source>, state: &mut State) {
        let raw = source.word(&function.fname);
        let name = raw.text.to_owned();
        let program = crate::deed::Argv {
            words: vec![crate::deed::Word::literal(name.clone(), raw.span)],
            ..crate::deed::Argv::default()
        };
        if crate::programs::describe(&program, &self.context).known {
            self.find_at(
                "shell.shadowed",
                format!("a function takes the name of the program {name}"),
                raw.span,
            );
        }
        if !self.thorough() {
            // Only listed: where it is called doesn't matter any more.
            self.called.insert(name);
            self.compound(&function.body.0, source, state);
            return;
        }
        let body = Function { body: Rc::new(function.body.clone()), source: Rc::clone(source) };
        let functions = Functions { bodies: vec![body], surely: true };
        Rc::make_mut(&mut state.functions).insert(name, functions);
    }

    pub(crate) fn compound(
        &mut self,
        compound: &ast::CompoundCommand,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Flow {
        match compound {
            ast::CompoundCommand::Arithmetic(arithmetic) => {
                self.arithmetic_command(arithmetic, source, state)
            }
            ast::CompoundCommand::ArithmeticForClause(clause) => {
                self.looping(state, |machine, state| machine.arithmetic_for(clause, source, state))
            }
            ast::CompoundCommand::BraceGroup(group) => {
                self.intent.connectors.insert(Connector::Subshell);
                self.list(&group.list, source, state)
            }
            ast::CompoundCommand::Subshell(group) => {
                self.intent.connectors.insert(Connector::Subshell);
                self.subshell(&group.list, source, state)
            }
            ast::CompoundCommand::ForClause(clause) => {
                self.looping(state, |machine, state| machine.for_each(clause, source, state))
            }
            ast::CompoundCommand::CaseClause(clause) => self.case(clause, source, state),
            ast::CompoundCommand::IfClause(clause) => self.branch(clause, source, state),
            ast::CompoundCommand::WhileClause(clause) => {
                self.looping(state, |machine, state| machine.looped(clause, true, source, state))
            }
            ast::CompoundCommand::UntilClause(clause) => {
                self.looping(state, |machine, state| machine.looped(clause, false, source, state))
            }
            ast::CompoundCommand::Coprocess(coprocess) => {
                self.intent.connectors.insert(Connector::Background);
                let flow = self.in_subshell(state, |machine, job| {
                    // Its standard input is a pipe that any later command may write to.
                    job.stdin = Stream::unknown(None, machine.whole);
                    machine.command(&coprocess.body, source, job)
                });
                // What it prints can be read through the descriptors in its array; they aren't followed.
                let name = coprocess.name.as_ref().map_or("COPROC", |name| name.value.as_str());
                state.set(name, Value { text: crate::value::HOLE.to_string(), trail: flow.out.trail });
                Flow::done(Some(true))
            }
        }
    }

    /// `((…))`: a calculation, or two subshells that the parser took for one.
    ///
    /// bash reads `((` as arithmetic only if the parenthesis that closes the inner one is followed by another at once
    /// (parse.y, `parse_dparen`); otherwise, and in shells without this command, the text inside runs.
    fn arithmetic_command(
        &mut self,
        arithmetic: &ast::ArithmeticCommand,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Flow {
        let (start, end) = source.range(&arithmetic.loc);
        let text = source.text.get(start..end).unwrap_or_default();
        let calculates = text.starts_with("((")
            && scan::arithmetic(scan::Bytes(text.as_bytes()), 2).is_some_and(|at| at + 2 == text.len());
        let shell = self.via.last().map(String::as_str);
        if !calculates || shell.is_some_and(asked::lacks_arithmetic_commands) {
            let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
            let base = source.origin(start + 1);
            let span = source.span(start, end);
            let flow = self.in_subshell(state, |machine, within| machine.text(inner, base, span, within));
            if !calculates {
                return flow;
            }
        }
        let site = Site { source, at: None, span: self.whole };
        let value = self.arithmetic(&arithmetic.expr.value, site, state);
        Flow::done(value.map(|value| value != 0))
    }

    fn subshell(&mut self, list: &ast::CompoundList, source: &Rc<Source>, state: &mut State) -> Flow {
        let ends_on_failure = state.ends_on_failure;
        self.in_subshell(state, |machine, inner| {
            inner.ends_on_failure = ends_on_failure;
            machine.list(list, source, inner)
        })
    }

    /// Walks a condition: a failure in it is looked at, and doesn't end the shell.
    pub(crate) fn condition(
        &mut self,
        list: &ast::CompoundList,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Flow {
        self.checked(true, |machine| machine.list(list, source, state))
    }

    fn branch(&mut self, clause: &ast::IfClauseCommand, source: &Rc<Source>, state: &mut State) -> Flow {
        let condition = self.condition(&clause.condition, source, state);
        let mut arms: Vec<(Option<&ast::CompoundList>, &ast::CompoundList)> = vec![(None, &clause.then)];
        for arm in clause.elses.iter().flatten() {
            arms.push((arm.condition.as_ref(), &arm.body));
        }
        self.arms(condition, &arms, source, state)
    }

    fn arms(
        &mut self,
        condition: Flow,
        arms: &[(Option<&ast::CompoundList>, &ast::CompoundList)],
        source: &Rc<Source>,
        state: &mut State,
    ) -> Flow {
        let mut out = condition.out;
        let mut status = condition.status;
        let mut sure = Vec::new();
        let (then, entry) = apart(state);
        let mut joined: Option<State> = None;
        for (index, (own_condition, body)) in arms.iter().enumerate() {
            let mut branch = if index == 0 { then.clone() } else { entry.clone() };
            branch.certainty = Certainty::May;
            let taken = if index == 0 {
                status
            } else if let Some(list) = own_condition {
                let flow = self.condition(list, source, &mut branch);
                (branch, _) = apart(&mut branch);
                out = out.then(flow.out);
                if status == Some(true) { Some(false) } else { flow.status }
            } else {
                status.map(|status| !status)
            };
            if taken == Some(true) {
                branch.certainty = entry.certainty;
            }
            let flow = self.list(body, source, &mut branch);
            branch.certainty = entry.certainty;
            out = if taken == Some(true) {
                out.then(flow.out)
            } else if taken == Some(false) {
                out
            } else {
                Stream::unknown(follow_both(&out.trail, &flow.out.trail), flow.out.span)
            };
            sure.push(taken);
            if taken != Some(false) {
                match &mut joined {
                    Some(joined) => self.join(joined, &branch),
                    None => joined = Some(branch),
                }
            }
            if taken == Some(true) {
                status = Some(true);
            } else if taken.is_none() {
                status = None;
            }
        }
        if !sure.contains(&Some(true)) {
            match &mut joined {
                Some(joined) => self.join(joined, &entry),
                None => joined = Some(entry),
            }
        }
        if let Some(joined) = joined {
            *state = joined;
        }
        Flow { out, status: None }
    }

    fn case(&mut self, clause: &ast::CaseClauseCommand, source: &Rc<Source>, state: &mut State) -> Flow {
        let value = self.single(source.word(&clause.value), source, state).value();
        let entry = state.clone();
        let mut joined: Option<State> = None;
        let mut out = Stream::nothing();
        let mut settled = false;
        let mut falls = false;
        for item in &clause.cases {
            let mut hit = Some(false);
            for word in &item.patterns {
                let mut scratch = entry.clone();
                let arg = self.single(source.word(word), source, &mut scratch);
                let matched = match (value.exact(), arg.word.form) {
                    (
                        Some(text),
                        doorward_core::intent::Form::Literal | doorward_core::intent::Form::Glob,
                    ) => {
                        let pattern = if arg.quoted && arg.word.form != doorward_core::intent::Form::Glob {
                            None
                        } else {
                            Some(arg.word.text.as_str())
                        };
                        pattern.map_or(Some(arg.raw == text), |pattern| pattern::matches_str(pattern, text))
                    }
                    _ => None,
                };
                hit = match (hit, matched) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (None, _) | (_, None) => None,
                    _ => Some(false),
                };
            }
            if settled {
                hit = Some(false);
            }
            if falls {
                hit = None;
            }
            let mut branch = entry.clone();
            if hit != Some(true) {
                branch.certainty = Certainty::May;
            }
            if let Some(list) = &item.cmd {
                let flow = self.list(list, source, &mut branch);
                match hit {
                    Some(true) => out = out.then(flow.out),
                    Some(false) => {}
                    None => out = Stream::unknown(follow_both(&out.trail, &flow.out.trail), flow.out.span),
                }
            }
            branch.certainty = entry.certainty;
            if hit != Some(false) {
                match &mut joined {
                    Some(joined) => self.join(joined, &branch),
                    None => joined = Some(branch),
                }
            }
            falls = hit != Some(false) && !matches!(item.post_action, ast::CaseItemPostAction::ExitCase);
            settled |= hit == Some(true) && !falls;
        }
        if !settled {
            match &mut joined {
                Some(joined) => self.join(joined, &entry),
                None => joined = Some(entry),
            }
        }
        if let Some(joined) = joined {
            *state = joined;
        }
        Flow { out, status: None }
    }

    /// Walks the bodies of functions that were defined and never called: a later call may.
    pub(crate) fn uncalled(&mut self, state: &mut State) {
        let functions = Rc::clone(&state.functions);
        for (name, own) in functions.iter() {
            if self.called.contains(name) || self.options.functions.contains_key(name) {
                continue;
            }
            self.called.insert(name.clone());
            let mut inner = state.subshell();
            inner.certainty = Certainty::May;
            inner.positional = None;
            let certain = matches!(name.as_str(), "command_not_found_handle" | "command_not_found_handler");
            if certain {
                inner.certainty = state.certainty;
            }
            let call = if certain { ActiveCall::named } else { ActiveCall::never };
            self.calls.push(call(name.clone()));
            for function in own.bodies.clone() {
                if !self.enter(self.whole) {
                    continue;
                }
                let source = Rc::clone(&function.source);
                self.redirected(function.body.1.as_ref(), &source, &mut inner, |machine, state| {
                    machine.compound(&function.body.0, &source, state)
                });
                self.leave();
            }
            self.traps(&mut inner);
            self.calls.pop();
        }
    }

    /// Text as it would stand inside double quotes, for values that the shell expands again.
    pub(crate) fn expanded_again(&mut self, text: &str, span: Span, state: &mut State) -> Value {
        let source = Source::new(text.to_owned(), None, span);
        let site = Site { source: &source, at: None, span };
        self.unsplit(text, Quoting::Body, site, state).value()
    }
}

/// The states in which the last command succeeded and failed.
fn apart(state: &mut State) -> (State, State) {
    let Some(Parted { done, failed, .. }) = state.parted.take() else {
        return (state.clone(), state.clone());
    };
    (State { folder: done, ..state.clone() }, State { folder: failed, ..state.clone() })
}

/// What makes two entries the same command.
pub(crate) fn identity(command: &SimpleCommand) -> (Vec<String>, Vec<String>, Span, Vec<String>) {
    (command.words.clone(), command.via.clone(), command.span, command.assignments.clone())
}
