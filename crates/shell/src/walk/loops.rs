//! Loops: with each known value, or twice where the values are unknown.

use super::invoke::MOST_WIDENINGS;
use super::*;
use crate::expand::Site;
use crate::machine::Machine;
use crate::source::{Raw, Source};
use crate::state::{Content, Entry, State, Var};
use crate::value::{Arg, Stream, Value, active};
use brush_parser::ast::{self};
use doorward_core::intent::Span;
use std::rc::Rc;

/// Rounds of a loop over unknown values, before what still changes from round to round counts as unknown.
const JOINED_ROUNDS: usize = 3;

impl Machine<'_> {
    pub(super) fn for_each(
        &mut self,
        clause: &ast::ForClauseCommand,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Flow {
        let args = match &clause.values {
            Some(words) => {
                words.iter().flat_map(|word| self.words(source.word(word), source, state)).collect()
            }
            None => {
                let site = Raw { text: "\"$@\"", at: None, span: self.whole };
                self.words(site, source, state)
            }
        };
        let mut out = Stream::nothing();
        if args.is_empty() {
            // Nothing to loop over as far as can be told; the body is looked at all the same.
            self.maybe(state, false, |machine, state| machine.list(&clause.body.list, source, state));
            return Flow { out, status: Some(true) };
        }
        let known = args.iter().all(|arg| arg.known().is_some());
        if !self.thorough() {
            return self.list(&clause.body.list, source, state);
        }
        if known && args.len() <= ROUNDS {
            for arg in &args {
                if !self.step() {
                    break;
                }
                state.set(&clause.variable_name, arg.value());
                let flow = self.list(&clause.body.list, source, state);
                self.next_round(state);
                out = out.then(flow.out);
            }
            return Flow { out, status: None };
        }
        let before = state.clone();
        let mut values: Vec<Content> = Vec::new();
        for arg in args.iter().take(ROUNDS) {
            let content = Content::Scalar(loop_value(arg));
            if !values.contains(&content) {
                values.push(content);
            }
        }
        if args.len() > ROUNDS {
            values.push(Content::Scalar(Value::unknown()));
        }
        let mut var = Var::holding(Content::Unset);
        var.may_hold = values;
        state.set_var(&clause.variable_name, var);
        let flow = self.rounds(state, |machine, state| machine.list(&clause.body.list, source, state));
        self.join(state, &before);
        Flow { out: Stream::unknown(flow.out.trail, flow.out.span), status: None }
    }

    /// A loop body that runs an unknown number of times: once, and again if the state changed.
    pub(super) fn rounds(
        &mut self,
        state: &mut State,
        mut body: impl FnMut(&mut Self, &mut State) -> Flow,
    ) -> Flow {
        let entered = state.entry();
        let mut flow = Flow::unsure();
        for round in 0..JOINED_ROUNDS {
            let before = state.clone();
            flow = body(self, state);
            self.next_round(state);
            if Rc::ptr_eq(&before.vars, &state.vars) || !self.thorough() || before.vars == state.vars {
                return flow;
            }
            self.join(state, &before);
            // A counter takes no other way in a later round; a text may (`$next`, which the last round set).
            if round > 0 && !grew_by_text(&before, state) {
                return flow;
            }
        }
        let mut later = state.clone();
        self.later_rounds(&entered, &mut later, body);
        state.files = later.files;
        flow
    }

    /// Walks a loop's body for all rounds that weren't walked one by one: what changed since the loop began isn't known
    /// in them.
    fn later_rounds(
        &mut self,
        entered: &Entry,
        state: &mut State,
        mut body: impl FnMut(&mut Self, &mut State) -> Flow,
    ) {
        for _ in 0..MOST_WIDENINGS {
            state.widen(entered);
            let before = state.entry();
            body(self, state);
            self.next_round(state);
            state.widen(entered);
            if before == state.entry() || !self.thorough() {
                return;
            }
        }
        self.unknown("shell.too_deep", "a loop whose rounds differ more than is analysed", self.whole);
    }

    pub(super) fn looped(
        &mut self,
        clause: &ast::WhileOrUntilClauseCommand,
        wanted: bool,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Flow {
        let ast::WhileOrUntilClauseCommand(condition, body, loc) = clause;
        let mut out = Stream::nothing();
        let mut rounds = 0;
        let left = std::mem::replace(&mut self.left, false);
        let before_loop = self.before_loop();
        let writes_before = self.intent.writes.len();
        let mut endless = false;
        let entered = state.entry();
        loop {
            let before = state.clone();
            let flow = self.condition(condition, source, state);
            self.goes_on(state);
            out = out.then(flow.out);
            let status = if wanted && only_sleeps(condition) { Some(true) } else { flow.status };
            let goes_on = status.map(|status| status == wanted);
            rounds += 1;
            if goes_on == Some(false) && rounds > 1 {
                break;
            }
            if goes_on == Some(false) {
                self.maybe(state, false, |machine, state| machine.list(&body.list, source, state));
                break;
            }
            let consumes = before.stdin != state.stdin || !Rc::ptr_eq(&before.vars, &state.vars);
            let entry = state.clone();
            let flow = self.list(&body.list, source, state);
            self.next_round(state);
            out = out.then(flow.out);
            let moved = consumes || !Rc::ptr_eq(&entry.vars, &state.vars) || entry.stdin != state.stdin;
            if goes_on.is_none() {
                out = Stream::unknown(out.trail, out.span);
                self.join(state, &before);
                if rounds >= 2 || !moved {
                    break;
                }
                continue;
            }
            endless = !moved && !self.left;
            if rounds >= ROUNDS && before.vars != state.vars && !self.left {
                self.later_rounds(&entered, state, |machine, state| machine.list(&body.list, source, state));
                break;
            }
            if self.left || !moved || rounds >= ROUNDS || !self.step() {
                break;
            }
        }
        let (start, end) = source.range(loc);
        let span = source.span(start, end);
        if endless && self.intent.writes.len() > writes_before {
            self.find_at("shell.resource", "writes to a file without end", span);
        }
        if endless {
            self.without_end(before_loop, span);
        }
        self.left = left;
        Flow { out, status: None }
    }

    pub(super) fn arithmetic_for(
        &mut self,
        clause: &ast::ArithmeticForClauseCommand,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Flow {
        let (start, end) = source.range(&clause.loc);
        let site = Site { source, at: None, span: source.span(start, end) };
        let before_loop = self.before_loop();
        let left = std::mem::replace(&mut self.left, false);
        let endless = clause.condition.as_ref().is_none_or(|condition| condition.value.trim().is_empty());
        let mut out = Stream::nothing();
        if let Some(first) = &clause.initializer {
            self.arithmetic(&first.value, site, state);
        }
        let entered = state.entry();
        for round in 0..=ROUNDS {
            let goes_on = match &clause.condition {
                Some(condition) if !condition.value.trim().is_empty() => {
                    self.arithmetic(&condition.value, site, state)
                }
                _ => Some(1),
            };
            if goes_on == Some(0) && round > 0 {
                break;
            }
            if goes_on == Some(0) {
                self.maybe(state, false, |machine, state| machine.list(&clause.body.list, source, state));
                break;
            }
            if round == ROUNDS {
                let body = &clause.body.list;
                self.later_rounds(&entered, state, |machine, state| machine.list(body, source, state));
                break;
            }
            let before = state.clone();
            let flow = self.list(&clause.body.list, source, state);
            self.next_round(state);
            out = out.then(flow.out);
            if let Some(update) = &clause.updater {
                self.arithmetic(&update.value, site, state);
            }
            if goes_on.is_none() {
                self.join(state, &before);
                out = Stream::unknown(out.trail, out.span);
            }
            if (goes_on.is_none() && round >= 1) || self.left || !self.step() {
                break;
            }
        }
        if endless && !self.left {
            self.without_end(before_loop, site.span);
        }
        self.left = left;
        Flow { out, status: None }
    }

    pub(super) fn before_loop(&self) -> BeforeLoop {
        BeforeLoop { commands: self.intent.commands.len(), hosts: self.intent.hosts.len(), jobs: self.jobs }
    }

    /// Says what a loop without end does to the machine or to others.
    pub(super) fn without_end(&mut self, before: BeforeLoop, span: Span) {
        let commands = self.intent.commands.get(before.commands..).unwrap_or_default();
        let transfers = commands.iter().any(|command| asked::TRANSFERS.contains(&command.program.as_str()));
        let strange = |host: &doorward_core::intent::HostIntent| {
            !(host.host == "localhost"
                || host.host.starts_with("127.")
                || host.host == "::1"
                || host.host == "[::1]")
        };
        let hosts = self.intent.hosts.get(before.hosts..).unwrap_or_default().iter().any(strange);
        if transfers && hosts {
            self.find_at("shell.beacon", "contacts a host again and again without end", span);
        }
        if self.jobs > before.jobs || self.parallel > 0 && self.background > 0 {
            self.find_at(
                "shell.resource",
                "a loop without end that runs or starts jobs in the background",
                span,
            );
        }
    }
}

/// Whether a variable may hold something new that isn't a number.
fn grew_by_text(before: &State, now: &State) -> bool {
    now.vars.iter().any(|(name, var)| {
        let known = before.vars.get(name).map_or(&[][..], |var| &var.may_hold);
        var.may_hold.iter().any(|content| !known.contains(content) && !is_number(content))
    })
}

fn is_number(content: &Content) -> bool {
    matches!(content, Content::Scalar(value) if value.text.parse::<i64>().is_ok())
}

/// Counts before a loop.
#[derive(Clone, Copy)]
pub(super) struct BeforeLoop {
    commands: usize,
    hosts: usize,
    jobs: u32,
}

/// Whether a condition is `sleep N`, which succeeds.
pub(super) fn only_sleeps(condition: &ast::CompoundList) -> bool {
    let [ast::CompoundListItem(list, _)] = condition.0.as_slice() else { return false };
    let [ast::Command::Simple(command)] = list.first.seq.as_slice() else { return false };
    list.additional.is_empty()
        && command.word_or_name.as_ref().is_some_and(|word| asked::only_waits(&word.value))
}

/// The value a loop variable takes from a word; a glob stays a pattern.
pub(super) fn loop_value(arg: &Arg) -> Value {
    if arg.word.form != doorward_core::intent::Form::Glob {
        return arg.value();
    }
    Value { text: active(&arg.word.text), trail: arg.trail.clone() }
}
