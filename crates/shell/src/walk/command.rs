//! Simple commands: evaluated in every world their variables allow, then executed on the state.

use std::rc::Rc;

use brush_parser::ast;
use doorward_core::intent::{Certainty, Form, SimpleCommand, Span};

use super::assign::Assigned;
use super::folder::Before;
use super::invoke::Lookup;
use super::redirect::Redirect;
use super::{Flow, names};
use crate::deed::Word;
use crate::machine::{Machine, Worlds};
use crate::source::Source;
use crate::state::State;
use crate::value::{Arg, HOLE, Stream};

/// The most combinations of variable values a command is evaluated in.
const MOST_WORLDS: usize = 64;

/// A simple command after evaluation.
pub(crate) struct Prepared<'a> {
    pub(crate) args: Vec<Arg>,
    pub(crate) assigned: Vec<Assigned>,
    /// Assignments among the operands of a declaration builtin.
    pub(crate) declared: Vec<Assigned>,
    pub(crate) redirects: Vec<Redirect<'a>>,
    /// `>(…)` operands: their bodies read what the command writes to them.
    pub(crate) sinks: Vec<&'a ast::CompoundList>,
    pub(crate) span: Span,
}

impl Machine<'_> {
    pub(crate) fn simple(
        &mut self,
        command: &ast::SimpleCommand,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Flow {
        self.step();
        source.met(command);
        if let Some(start) = command
            .word_or_name
            .as_ref()
            .and_then(|word| source.word(word).at)
            .and_then(|at| source.origin(at))
        {
            self.starts.insert(start);
        }
        // A shell that isn't interactive expands no alias, so both are judged.
        let mut world = (!state.aliases.is_empty()).then(|| state.clone());
        let alias = world.as_mut().and_then(|world| self.aliased(command, source, world));
        let outer = std::mem::take(&mut self.worlds);
        let flow = self.in_every_world(command, source, state);
        self.worlds = outer;
        let (Some(alias), Some(world)) = (alias, world) else { return flow };
        self.join(state, &world);
        either(alias, flow)
    }

    fn in_every_world(
        &mut self,
        command: &ast::SimpleCommand,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Flow {
        self.worlds.collapsed = !self.thorough();
        if !self.thorough() {
            // Listed for the rules: what it would leave to later commands isn't followed any more.
            let mut scratch = state.bare();
            let prepared = self.prepare(command, source, &mut scratch);
            return self.execute(prepared, source, &mut scratch);
        }
        // What its own words assign isn't there yet in another world.
        let before = may_assign(command).then(|| state.clone());
        let prepared = self.prepare(command, source, state);
        if !self.hands_on(&prepared.args, 1, prepared.span) {
            return Flow::unsure();
        }
        let seen = std::mem::take(&mut self.worlds.seen);
        let empty_too = self.worlds.unset_seen && self.empty_matters(&prepared);
        if (seen.is_empty() && !empty_too) || !self.thorough() {
            return self.execute(prepared, source, state);
        }
        let entry = before.unwrap_or_else(|| state.clone());
        let combinations = seen.iter().map(|(_, count)| *count).product::<usize>().max(1);
        let mut flow = self.execute(prepared, source, state);
        let worlds = if combinations > MOST_WORLDS { 1 } else { combinations };
        for unset_is_empty in [false, true] {
            if unset_is_empty && !empty_too {
                break;
            }
            for index in 0..worlds {
                if (index == 0 && !unset_is_empty && combinations <= MOST_WORLDS) || !self.step() {
                    continue;
                }
                self.worlds = Worlds {
                    chosen: choice(&seen, index),
                    unset_is_empty,
                    collapsed: combinations > MOST_WORLDS,
                    ..Worlds::default()
                };
                let mut world = entry.clone();
                world.certainty = Certainty::May;
                let prepared = self.prepare(command, source, &mut world);
                if !self.hands_on(&prepared.args, 1, prepared.span) {
                    break;
                }
                let other = self.execute(prepared, source, &mut world);
                world.certainty = state.certainty;
                self.join(state, &world);
                flow = either(flow, other);
            }
        }
        flow
    }

    /// Whether it changes the command when an unset variable is empty rather than unknown.
    fn empty_matters(&self, prepared: &Prepared<'_>) -> bool {
        if prepared.args.first().is_none_or(|first| first.raw.contains(HOLE)) && !prepared.args.is_empty() {
            return true;
        }
        prepared.args.iter().any(|arg| {
            if !arg.raw.contains(HOLE) {
                return false;
            }
            let small = arg.trail.as_ref().is_some_and(|taint| {
                taint.env.iter().any(|name| name.contains(|c: char| c.is_ascii_lowercase()))
            });
            let rest = arg.raw.trim_start_matches(HOLE);
            self.worlds.default_seen || (small && !rest.is_empty() && !rest.starts_with('/'))
        }) || self.worlds.default_seen
    }

    fn prepare<'a>(
        &mut self,
        command: &'a ast::SimpleCommand,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Prepared<'a> {
        let mut prepared = Prepared {
            args: Vec::new(),
            assigned: Vec::new(),
            declared: Vec::new(),
            redirects: Vec::new(),
            sinks: Vec::new(),
            span: self.whole,
        };
        let mut span: Option<Span> = None;
        let mut declares = false;
        if let Some(word) = &command.word_or_name {
            let raw = source.word(word);
            span = Some(raw.span);
            declares = names::DECLARATIONS.contains(&raw.text);
        }
        let prefix = command.prefix.iter().flat_map(|prefix| &prefix.0).map(|item| (item, true));
        let suffix = command.suffix.iter().flat_map(|suffix| &suffix.0).map(|item| (item, false));
        let mut named = false;
        for (item, leading) in prefix.chain(suffix) {
            if !leading && !named {
                named = true;
                self.name(command, source, state, &mut prepared);
            }
            match item {
                ast::CommandPrefixOrSuffixItem::IoRedirect(redirect) => {
                    if let Some(redirect) = self.redirect(redirect, source, state) {
                        prepared.redirects.push(redirect);
                    }
                }
                ast::CommandPrefixOrSuffixItem::Word(word) => {
                    let raw = source.word(word);
                    span = Some(span.map_or(raw.span, |span| span.cover(raw.span)));
                    prepared.args.extend(self.words(raw, source, state));
                }
                ast::CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                    let raw = source.word(word);
                    let written = source.written(word);
                    span = Some(span.map_or(raw.span, |span| span.cover(raw.span)));
                    if leading {
                        let assigned = self.assignment(assignment, written, source, state);
                        // Without a command it holds at once, and for the assignments after it.
                        if command.word_or_name.is_none() {
                            self.assign(&assigned, state);
                        }
                        prepared.assigned.push(assigned);
                    } else if declares {
                        let assigned = self.assignment(assignment, written, source, state);
                        prepared.args.push(assigned.as_arg());
                        prepared.declared.push(assigned);
                    } else {
                        prepared.args.extend(self.words(raw, source, state));
                    }
                }
                ast::CommandPrefixOrSuffixItem::ProcessSubstitution(kind, body) => {
                    let (start, end) = source.range(&body.loc);
                    let at = source.span(start, end);
                    span = Some(span.map_or(at, |span| span.cover(at)));
                    let mut arg = match kind {
                        ast::ProcessSubstitutionKind::Read => {
                            self.process_to_read(&body.list, at, source, state)
                        }
                        ast::ProcessSubstitutionKind::Write => {
                            prepared.sinks.push(&body.list);
                            Arg::from_word(Word::literal("/dev/fd/62", at))
                        }
                    };
                    // `--file=<(…)` is one word, which the parser takes apart.
                    let front = prepared.args.pop_if(|front| {
                        let gap = front.word.span.end as usize..at.start as usize;
                        front.raw.ends_with('=')
                            && front.raw.starts_with('-')
                            && source.gap(gap).is_some_and(|gap| !gap.contains(char::is_whitespace))
                    });
                    if let Some(front) = front {
                        arg.raw.insert_str(0, &front.raw);
                        arg.word.text.insert_str(0, &front.word.text);
                        arg.word.span = front.word.span.cover(at);
                    }
                    prepared.args.push(arg);
                }
            }
        }
        if !named {
            self.name(command, source, state, &mut prepared);
        }
        prepared.span = span.unwrap_or(self.whole);
        prepared
    }

    fn name(
        &mut self,
        command: &ast::SimpleCommand,
        source: &Rc<Source>,
        state: &mut State,
        prepared: &mut Prepared<'_>,
    ) {
        if let Some(word) = &command.word_or_name {
            let args = self.words(source.word(word), source, state);
            prepared.args.splice(0..0, args);
        }
    }

    /// A command whose word is an alias: its text with the rest of the command behind it.
    fn aliased(
        &mut self,
        command: &ast::SimpleCommand,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Option<Flow> {
        let word = command.word_or_name.as_ref()?;
        let raw = source.word(word);
        let alias = state.aliases.get(raw.text)?.clone();
        let key = format!("alias {}", raw.text);
        if self.calls.iter().any(|call| call.name == key) || !self.thorough() {
            return None;
        }
        let at = raw.at?;
        let end = command
            .suffix
            .as_ref()
            .and_then(ast::SourceLocation::location)
            .map_or(at + raw.text.len(), |loc| source.range(&loc).1);
        let rest = source.text.get(at + raw.text.len()..end).unwrap_or_default();
        let before = word.loc.as_ref().map(|loc| source.range(loc).0).unwrap_or(at);
        let prefix = command
            .prefix
            .as_ref()
            .and_then(ast::SourceLocation::location)
            .map_or("", |loc| source.text.get(source.range(&loc).0..before).unwrap_or_default());
        let text = format!("{prefix} {}{rest}", alias.text);
        if alias.text.contains(HOLE) {
            self.find_at("shell.obfuscated", "an alias whose text can't be known", raw.span);
        }
        self.calls.push(super::ActiveCall::named(key));
        let flow = self.text(&text, None, raw.span, state);
        self.calls.pop();
        Some(flow)
    }

    pub(crate) fn execute(&mut self, prepared: Prepared<'_>, source: &Rc<Source>, state: &mut State) -> Flow {
        let saved = state.stdin.clone();
        let commands_before = self.intent.commands.len();
        let Prepared { args, assigned, declared, redirects, sinks, span } = prepared;
        let before = Before::of(&redirects, state);
        let mut open = self.open(redirects, state);
        open.idle = args.is_empty();
        if let Some(stdin) = &open.stdin {
            state.stdin = stdin.clone();
        }
        let flow = if args.is_empty() {
            for assigned in &assigned {
                self.carried(assigned, state);
            }
            let out = match &open.stdin {
                // `$(< file)` is the content of the file.
                Some(stdin) => stdin.clone(),
                None => Stream::nothing(),
            };
            Flow { out, status: Some(true) }
        } else {
            let flow = self.invoke(&args, &assigned, &declared, Lookup::Everything, span, state);
            for body in sinks {
                self.in_subshell(state, |machine, reader| machine.list(body, source, reader));
            }
            flow
        };
        if let Some(before) = before.filter(|_| !args.is_empty()) {
            self.may_not_run(before, span, state);
        }
        if self.asks_last
            && let Some(last) = args.last()
        {
            state.set("_", last.value());
        }
        let persists = args.len() == 1 && args.first().and_then(Arg::known) == Some("exec");
        if persists {
            let merged: Vec<i32> = open.leads_to_out().collect();
            Rc::make_mut(&mut state.merged).extend(merged);
        }
        let flow = self.close(open, flow, commands_before, source, state);
        if !persists && state.stdin == Stream::default() {
            state.stdin = saved;
        } else if !persists {
            // `read` took a line off a stream that outlives this command only if it wasn't redirected.
            state.stdin = self.restored(saved, state);
        }
        flow
    }

    fn restored(&mut self, saved: Stream, state: &State) -> Stream {
        match (&saved.known, &state.stdin.known) {
            (Some(before), Some(now)) if before.ends_with(now.as_str()) => state.stdin.clone(),
            _ => saved,
        }
    }

    /// Notes a command as it would run; the index of its entry.
    pub(crate) fn note(&mut self, args: &[Arg], assigned: &[Assigned], span: Span, state: &State) -> usize {
        let plain = || args.iter().map(|arg| arg.word.clone()).collect::<Vec<Word>>();
        // Rules about `git push` speak of `git-push` as well.
        let spelled =
            args.first().and_then(|first| crate::programs::spelled(&first.word, plain)).unwrap_or_else(plain);
        let unknown_words = spelled
            .iter()
            .enumerate()
            .filter(|(_, word)| word.form != Form::Literal)
            .filter_map(|(index, _)| u32::try_from(index).ok())
            .collect();
        let words: Vec<String> = spelled.into_iter().map(|word| word.text).collect();
        let program =
            words.first().map(|word| word.rsplit('/').next().unwrap_or(word).to_owned()).unwrap_or_default();
        self.intent.commands.push(SimpleCommand {
            words,
            unknown_words,
            program,
            via: self.via.clone(),
            depth: self.layer,
            assignments: assigned
                .iter()
                .filter(|assigned| !assigned.is_harmless())
                .map(Assigned::text)
                .collect(),
            folder: state.folder.as_text(),
            span,
            ..SimpleCommand::default()
        });
        self.intent.commands.len() - 1
    }
}

/// Whether evaluating the words of a command may set a variable: `x=v`, `${x:=v}`, `$((x = 1))`.
fn may_assign(command: &ast::SimpleCommand) -> bool {
    let items = command.prefix.iter().flat_map(|prefix| &prefix.0);
    let items = items.chain(command.suffix.iter().flat_map(|suffix| &suffix.0));
    let words = items.filter_map(|item| match item {
        ast::CommandPrefixOrSuffixItem::Word(word)
        | ast::CommandPrefixOrSuffixItem::AssignmentWord(_, word) => Some(word),
        _ => None,
    });
    let assigns = |word: &ast::Word| word.value.contains("${") || word.value.contains("((");
    command.word_or_name.is_none() || words.chain(&command.word_or_name).any(assigns)
}

fn choice(seen: &[(String, usize)], index: usize) -> Vec<(String, usize)> {
    let mut rest = index;
    seen.iter()
        .map(|(name, count)| {
            let chosen = rest % count;
            rest /= count;
            (name.clone(), chosen)
        })
        .collect()
}

pub(super) fn either(one: Flow, other: Flow) -> Flow {
    let status = if one.status == other.status { one.status } else { None };
    if one.out == other.out {
        return Flow { out: one.out, status };
    }
    let trail = crate::value::follow_both(&one.out.trail, &other.out.trail);
    Flow { out: Stream::unknown(trail, one.out.span.cover(other.out.span)), status }
}
