//! The interpreter's own record: what was found so far, and how much work is left.
//!
//! Every budget is a count, never a clock. When one runs out, analysis in depth stops, `shell.too_deep` says so,
//! and the walk still lists every command of the text.

use std::collections::BTreeSet;
use std::rc::Rc;

use doorward_core::finding::Finding;
use doorward_core::intent::{Connector, Intent, Place, Span, Unknown};

use crate::expand::Site;
use crate::options::Options;
use crate::programs;
use crate::source::{self, Source};
use crate::state::{Content, State, Var};
use crate::value::{Arg, Stream, Value};
use crate::walk::{ActiveCall, Flow};
use crate::{account, guard, second, walk};

/// Layers of code within code (`sh -c`, `eval`, decoded text) that are followed.
pub(crate) const LAYERS: u32 = 8;

/// How deep the walk may nest on the caller's own stack.
pub(crate) const SHALLOW: u32 = 20;

/// How deep it may nest at all.
pub(crate) const DEEP: u32 = 260;

/// Words that may be evaluated and handed on beside two for each byte of the text: no command that people write comes
/// near.
const WORDS: usize = 1 << 18;

/// Commands of so many words are followed and listed all the same, so that rules see them.
const FEW_WORDS: usize = 64;

/// So many bytes of a word cost as much as one more word.
const BYTES_PER_WORD: usize = 32;

/// One choice among the values that variables may have, fixed while a command is evaluated.
#[derive(Debug, Default)]
pub(crate) struct Worlds {
    /// Chosen value by variable.
    pub(crate) chosen: Vec<(String, usize)>,
    /// Variables with several values that were asked for, with how many.
    pub(crate) seen: Vec<(String, usize)>,
    /// A variable was asked for that the text never set.
    pub(crate) unset_seen: bool,
    /// One of them decided an operator such as `:-`.
    pub(crate) default_seen: bool,
    /// Such variables are empty in this world, else unknown.
    pub(crate) unset_is_empty: bool,
    /// Variables with several values are unknown: there were too many combinations.
    pub(crate) collapsed: bool,
}

impl Worlds {
    /// Which of `count` values the variable has; `None` for unknown.
    pub(crate) fn choose(&mut self, name: &str, count: usize) -> Option<usize> {
        if count <= 1 {
            return Some(0);
        }
        if self.collapsed {
            return None;
        }
        if !self.seen.iter().any(|(seen, _)| seen == name) {
            self.seen.push((name.to_owned(), count));
        }
        Some(self.chosen.iter().find(|(chosen, _)| chosen == name).map_or(0, |(_, index)| *index))
    }
}

/// How many snippets of other languages did more than a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Snippets {
    /// They change, run or contact something, or weren't understood.
    pub(crate) acting: u32,
    /// They hold a call that isn't listed as free of effects.
    pub(crate) unproven: u32,
}

/// A text that was parsed.
pub(crate) struct Text {
    pub(crate) source: Rc<Source>,
    /// It isn't a part of the original as the second parser reads that.
    pub(crate) nested: bool,
}

/// The interpreter.
pub(crate) struct Machine<'o> {
    pub(crate) options: &'o Options<'o>,
    pub(crate) context: programs::Context,
    pub(crate) original: Rc<str>,
    pub(crate) whole: Span,
    pub(crate) intent: Intent,
    pub(crate) worlds: Worlds,
    /// Wrappers around the command being looked at, outermost first.
    pub(crate) via: Vec<String>,
    pub(crate) place: Place,
    /// Code layers above the text being walked.
    pub(crate) layer: u32,
    /// Functions being run, outermost first.
    pub(crate) calls: Vec<ActiveCall>,
    /// Functions that were called.
    pub(crate) called: BTreeSet<String>,
    /// Where the command words stand that were visited, in the original.
    pub(crate) starts: BTreeSet<usize>,
    /// A `break`, `return` or `exit` was passed.
    pub(crate) left: bool,
    /// The states in which `break` and `continue` left the loops around the command, and `return` the function.
    pub(crate) left_loops: Vec<State>,
    /// `break` or `continue` was told how many loops to leave.
    pub(crate) leaves_several: bool,
    pub(crate) left_function: Vec<State>,
    /// How many conditions are around the command being looked at: `set -e` doesn't end the shell in them.
    pub(crate) conditions: u32,
    /// What went to standard error and to other descriptors: a redirection around the command may lead it to standard
    /// output.
    pub(crate) aside: Vec<Stream>,
    /// Inside a pipeline or background job, for telling a fork bomb.
    pub(crate) parallel: u32,
    /// Background jobs around the command being looked at, and started so far.
    pub(crate) background: u32,
    pub(crate) jobs: u32,
    /// The texts that were parsed so far.
    pub(crate) texts: Vec<Text>,
    /// A text had to be rewritten for the parser, so places in it can't be compared.
    pub(crate) rewritten: bool,
    /// The text asks for the last word of a command (`$_`).
    pub(crate) asks_last: bool,
    /// Snippets of other languages so far that do more than read, and that do more than compute.
    pub(crate) code: Snippets,
    steps: u32,
    bytes: usize,
    /// How many words may still be evaluated, and handed on by wrappers and functions.
    left_words: usize,
    nested: u32,
    deepest: u32,
    pub(crate) told_deep: bool,
    /// More stack is needed than this thread has; the analysis starts again on one that has it.
    pub(crate) needs_stack: bool,
    /// The arguments of the file that is run are all that were handed on.
    pub(crate) arguments_known: bool,
}

impl<'o> Machine<'o> {
    pub(crate) fn new(text: &str, options: &'o Options<'o>, deepest: u32) -> Self {
        Self {
            options,
            context: programs::Context { home: options.home.clone(), tools: options.tools.clone() },
            original: Rc::from(text),
            whole: Span::new(0, text.len()),
            intent: Intent::default(),
            worlds: Worlds::default(),
            via: Vec::new(),
            place: Place::Local,
            layer: 0,
            calls: Vec::new(),
            called: BTreeSet::new(),
            starts: BTreeSet::new(),
            left: false,
            left_loops: Vec::new(),
            leaves_several: false,
            left_function: Vec::new(),
            conditions: 0,
            aside: Vec::new(),
            parallel: 0,
            background: 0,
            jobs: 0,
            texts: Vec::new(),
            rewritten: false,
            asks_last: text.contains("$_") || text.contains("${_"),
            code: Snippets::default(),
            steps: options.nodes,
            bytes: text.len().saturating_mul(8) + (1 << 20),
            left_words: text.len().saturating_mul(2) + WORDS,
            nested: 0,
            deepest,
            told_deep: false,
            needs_stack: false,
            arguments_known: false,
        }
    }

    /// Takes one step; false when none is left.
    pub(crate) fn step(&mut self) -> bool {
        if self.steps == 0 || self.needs_stack {
            self.too_deep(self.whole, "takes more steps than are analysed in depth");
            return false;
        }
        self.steps -= 1;
        true
    }

    /// Steps taken so far.
    #[cfg(test)]
    pub(crate) fn taken(&self) -> u32 {
        self.options.nodes - self.steps
    }

    /// Takes steps for copying this much text.
    pub(crate) fn charge(&mut self, bytes: usize) {
        self.steps = self.steps.saturating_sub(u32::try_from(bytes / 256).unwrap_or(u32::MAX));
    }

    /// Takes words that are evaluated, or handed on by a wrapper or function, out of the budget for the whole text;
    /// `false`, and said, where they are more than is left.
    pub(crate) fn hands_on(&mut self, words: &[Arg], times: usize, span: Span) -> bool {
        let bytes: usize = words.iter().map(|word| word.raw.len()).sum();
        let price = words.len() + bytes / BYTES_PER_WORD;
        self.spends(price.saturating_mul(times), span) || price <= FEW_WORDS
    }

    /// The same for so many copies of a text.
    pub(crate) fn copies(&mut self, text: &str, times: usize, span: Span) -> bool {
        self.spends((text.len() / BYTES_PER_WORD).saturating_mul(times), span)
    }

    fn spends(&mut self, price: usize, span: Span) -> bool {
        let Some(rest) = self.left_words.checked_sub(price) else {
            self.too_deep(span, "hands on more words than are analysed");
            return false;
        };
        self.left_words = rest;
        true
    }

    /// Whether analysis in depth goes on.
    pub(crate) fn thorough(&self) -> bool {
        self.steps > 0 && !self.needs_stack
    }

    /// Goes one level down; false when that is too deep. Pairs with [`Machine::leave`].
    pub(crate) fn enter(&mut self, span: Span) -> bool {
        if self.needs_stack {
            return false;
        }
        if self.nested >= self.deepest {
            if self.deepest < DEEP {
                self.needs_stack = true;
            } else {
                self.too_deep(span, "nested deeper than is analysed");
            }
            return false;
        }
        self.nested += 1;
        true
    }

    pub(crate) fn leave(&mut self) {
        self.nested = self.nested.saturating_sub(1);
    }

    fn too_deep(&mut self, span: Span, reason: &str) {
        if !self.told_deep {
            self.told_deep = true;
            self.unknown("shell.too_deep", reason, span);
        }
    }

    pub(crate) fn unknown(&mut self, code: &str, reason: &str, span: Span) {
        let unknown = Unknown { code: code.to_owned(), reason: reason.to_owned(), span };
        if !told_lately(&self.intent.unknown, &unknown) {
            self.intent.unknown.push(unknown);
        }
    }

    pub(crate) fn finding(&mut self, finding: Finding) {
        if !told_lately(&self.intent.findings, &finding) {
            self.intent.findings.push(finding);
        }
    }

    pub(crate) fn find_at(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        self.finding(Finding::new(code, message).at(span));
    }

    /// Walks a text in `state`. `base` is its offset in the original where it stands there unchanged.
    pub(crate) fn text(&mut self, text: &str, base: Option<usize>, span: Span, state: &mut State) -> Flow {
        if text.trim().is_empty() {
            return Flow::done(Some(true));
        }
        if text.len() > self.bytes {
            self.bytes = 0;
            self.too_deep(span, "holds more nested text than is analysed");
            return Flow::unsure();
        }
        if !self.enter(span) {
            return Flow::unsure();
        }
        self.bytes -= text.len();
        let flow = self.parsed(text, base, span, state);
        self.leave();
        flow
    }

    fn parsed(&mut self, text: &str, base: Option<usize>, span: Span, state: &mut State) -> Flow {
        if base.is_none() {
            // Text that isn't part of the original was not looked over with it.
            let look = guard::look(text, true);
            if look.depth > SHALLOW && self.deepest < DEEP {
                self.needs_stack = true;
                return Flow::unsure();
            }
            for unknown in look.unknown {
                self.unknown(&unknown.code, &unknown.reason, span);
            }
            for finding in look.findings {
                self.finding(finding.at(span));
            }
            if look.refuse {
                return Flow::unsure();
            }
        }
        let parsed = if second::may_be_costly(text) {
            Err("groups or here-documents that don't close".to_owned())
        } else {
            source::parse(text)
        };
        match parsed {
            Ok((program, rewritten)) => {
                let source = match rewritten {
                    Some(text) => {
                        self.rewritten = true;
                        Source::new(text, None, span)
                    }
                    None => Source::new(text.to_owned(), base, span),
                };
                source.expect(account::commands(&program));
                let nested = self.layer > 0 || base.is_none();
                self.texts.push(Text { source: Rc::clone(&source), nested });
                self.program(&program, &source, state)
            }
            Err(error) => {
                // The parser's own words, without its list of places.
                let error = error.to_string();
                let brief = error.split([';', '(']).next().unwrap_or_default().trim();
                let brief: String = brief.chars().take(60).collect();
                self.unknown("shell.parse_error", &brief, span);
                walk::salvage(self, text, span);
                Flow::unsure()
            }
        }
    }

    /// The offset in the original of a text that is known to stand inside `span`.
    pub(crate) fn locate(&self, text: &str, span: Span) -> Option<usize> {
        let inside = span.of(&self.original)?;
        let start = usize::try_from(span.start).ok()?;
        inside.find(text).map(|at| start + at)
    }

    /// The value of a command substitution.
    pub(crate) fn substitution(&mut self, text: &str, site: Site<'_>, state: &mut State) -> Value {
        self.intent.connectors.insert(Connector::Substitution);
        let base = site.at.and_then(|at| site.source.origin(at));
        let span = base.map_or(site.span, |base| Span::new(base, base + text.len()));
        let worlds = std::mem::take(&mut self.worlds);
        let flow = self.in_subshell(state, |machine, inner| machine.text(text, base, span, inner));
        self.worlds = worlds;
        if flow.out.endless.is_some() {
            self.find_at("shell.resource", "fills the memory with input that never ends", span);
        }
        if text.trim().is_empty() { Value::known("") } else { flow.out.value() }
    }

    /// Walks something in a shell of its own, whose traps run at its end. What it wrote stays written.
    pub(crate) fn in_subshell<T>(
        &mut self,
        state: &mut State,
        walk: impl FnOnce(&mut Self, &mut State) -> T,
    ) -> T {
        let mut inner = state.subshell();
        let walked = walk(self, &mut inner);
        self.traps(&mut inner);
        state.files = inner.files;
        walked
    }

    /// Runs what `trap` left for the end of this shell.
    pub(crate) fn traps(&mut self, state: &mut State) {
        // A trap may set another.
        for _ in 0..LAYERS {
            let traps = std::mem::take(&mut state.traps);
            if traps.is_empty() {
                break;
            }
            for trap in traps.iter() {
                self.code_value(trap, "trap", self.whole, state);
            }
        }
        if !state.traps.is_empty() {
            self.unknown("shell.too_many_layers", "traps that set further traps", self.whole);
        }
    }

    /// Sets an element of an array.
    pub(crate) fn set_element(&mut self, name: &str, index: Option<i64>, value: Value, state: &mut State) {
        let mut content = self.content(name, state).unwrap_or(Content::Unset);
        match (&mut content, index) {
            (Content::Map(map), Some(index)) => {
                map.insert(index.to_string(), value);
            }
            (Content::List(list), Some(index)) => {
                let index = if index < 0 {
                    list.keys().next_back().map_or(0, |last| last + 1 + index)
                } else {
                    index
                };
                list.insert(index, value);
            }
            (Content::Unset, Some(index)) => content = Content::List([(index, value)].into()),
            (Content::Scalar(first), Some(index)) => {
                content = Content::List([(0, first.clone()), (index, value)].into());
            }
            (_, None) => content = Content::Scalar(Value::unknown()),
        }
        state.set_var(name, Var::holding(content));
    }
}

/// Whether something stands among the last that were told. What repeats later is taken out at the end, in one pass:
/// looking through all of it each time would cost the square of the text.
fn told_lately<T: PartialEq>(told: &[T], item: &T) -> bool {
    told.iter().rev().take(64).any(|own| own == item)
}
