//! Code that a command would run, followed with the interpreter's own budgets.

use std::borrow::Cow;
use std::rc::Rc;

use doorward_core::finding::Finding;
use doorward_core::intent::{
    Certainty, Code, Form, Mention, MentionKind, Origin, Place, SimpleCommand, Span,
};
use doorward_core::risk::SecurityRisk;

use super::Flow;
use super::assign::Assigned;
use super::invoke::Lookup;
use crate::deed::{Run, Word};
use crate::languages;
use crate::machine::{LAYERS, Machine, Snippets};
use crate::programs::{asked, patches};
use crate::state::{State, Written};
use crate::value::{Arg, HOLE, Stream, Trail, Value, follow_both, pattern};

/// Carriers that run their code in the shell itself, so that what it sets stays set.
const IN_SHELL: &[&str] =
    &["eval", "source", ".", "command", "builtin", "exec", "noglob", "nocorrect", "command eval"];

/// The most known operands that `xargs` and kin are followed over one by one.
const MOST_OPERANDS: usize = 64;

impl Machine<'_> {
    /// Follows what a command runs; the output of the last of it, if that is what the command prints.
    pub(crate) fn follow(
        &mut self,
        runs: Vec<Run>,
        args: &[Arg],
        mark: Option<usize>,
        span: Span,
        state: &mut State,
    ) -> Option<Stream> {
        let mut out = None;
        for run in runs {
            let flow = match run {
                Run::Argv { words, assignments, more_operands, via, place, chdir, passes_stdin } => {
                    let command =
                        Wrapped { words, assignments, more_operands, via, place, chdir, passes_stdin };
                    Some(self.wrapped(command, args, mark.is_some(), span, state))
                }
                Run::Shell { text, args: positional, via, place } => {
                    let value = self.adopt_text(&text, args);
                    let positional = self.adopt_all(positional, args).iter().map(Arg::handed_over).collect();
                    Some(self.carried_shell(&value, text.span, positional, &via, place, state))
                }
                Run::Language { language, text, via } => {
                    let value = self.adopt_text(&text, args);
                    self.language(
                        &language,
                        &value,
                        languages::Invocation::default(),
                        text.span,
                        &via,
                        mark,
                        state,
                    );
                    None
                }
                Run::File { path, code, via, args: positional } => {
                    // Words behind the file that nobody handed on are arguments, too, so that they aren't known.
                    let known =
                        !positional.is_empty() || args.last().is_some_and(|last| last.word.text == path.text);
                    let path = self.adopt(path, args);
                    let positional = self.adopt_all(positional, args);
                    self.arguments_known = known;
                    self.run_file(&path, code, &via, &positional, mark, span, state)
                }
                Run::Judged { words, deeds, via } => {
                    let words = self.adopt_all(words, args);
                    let span = words.first().map_or(span, |word| word.word.span);
                    let mark = self.note(&words, &[], span, state);
                    let _ = via;
                    self.apply(*deeds, words.get(..1).unwrap_or_default(), &[], Some(mark), span, state);
                    None
                }
                Run::Stdin { code, via, place, args: positional } => {
                    let name = Value::known("bash");
                    let given = self.adopt_all(positional, args);
                    let given = given.iter().map(Arg::handed_over);
                    let positional: Vec<Value> = std::iter::once(name).chain(given).collect();
                    self.arguments_known = positional.len() > 1
                        || args.len() == 1
                        || args.last().is_some_and(|last| last.raw == "-");
                    let outer = std::mem::replace(&mut self.place, place);
                    let flow = self.run_stdin(&code, &via, positional, mark, span, state);
                    self.place = outer;
                    flow
                }
            };
            if let Some(flow) = flow {
                out = Some(match out {
                    Some(before) => Stream::then(before, flow.out),
                    None => flow.out,
                });
            }
        }
        out
    }

    /// A command inside a wrapper.
    fn wrapped(
        &mut self,
        mut command: Wrapped,
        args: &[Arg],
        listed: bool,
        span: Span,
        state: &mut State,
    ) -> Flow {
        let program = command.via.split(' ').next().unwrap_or_default().to_owned();
        let repeats = asked::runs_for_each(&program);
        let words = self.shared(std::mem::take(&mut command.words), args);
        // Words to which others are added are held once more, and so are those of a wrapper that is listed itself.
        if !self.hands_on(&words, 1 + usize::from(repeats) + 4 * usize::from(listed), span) {
            return Flow::unsure();
        }
        let in_shell = IN_SHELL.contains(&command.via.as_str());
        let mut own = None;
        let inner: &mut State = if in_shell { &mut *state } else { own.insert(state.subshell()) };
        if !command.passes_stdin && !in_shell {
            inner.stdin = Stream::nothing();
        }
        if let Some(folder) = &command.chdir {
            self.enter_folder(&self.adopt(folder.clone(), args), inner);
        }
        let assigned: Vec<Assigned> = command
            .assignments
            .iter()
            .map(|(name, word)| Assigned::scalar(name, self.adopt(word.clone(), args).value(), word.span))
            .collect();
        let outer_place = std::mem::replace(&mut self.place, command.place.clone());
        self.via.push(command.via.clone());
        let flow = if repeats {
            let operands = self.operands_of(&command, args, span, state);
            self.over_operands(&command, words, &assigned, operands, span, state)
        } else {
            let mut words = words;
            if command.more_operands {
                words.to_mut().push(unknown_operand(span, &None));
            }
            self.invoke(&words, &assigned, &[], Lookup::NoFunctions, span, inner)
        };
        // What one command of such a shell writes, the next may run.
        if let Some(own) = own.filter(|_| languages::is_shell(&command.via)) {
            state.files = own.files;
        }
        self.via.pop();
        self.place = outer_place;
        flow
    }

    /// Where a command such as `xargs` gets operands from: standard input, or a file if the commands get that.
    fn operands_of(&self, command: &Wrapped, args: &[Arg], span: Span, state: &State) -> Stream {
        if !command.passes_stdin {
            return state.stdin.clone();
        }
        let at = args.iter().position(|arg| matches!(arg.raw.as_str(), "-a" | "--arg-file"));
        // Other separators than white space: the operands aren't known.
        let separated = |arg: &Arg| {
            arg.raw.starts_with('-')
                && (arg.raw.contains('0') || ["-d", "--d", "--n"].iter().any(|own| arg.raw.starts_with(own)))
        };
        let file = at.and_then(|at| args.get(at + 1)).filter(|_| !args.iter().any(separated));
        match file.and_then(|file| self.written(&self.key(&file.raw, state), state)) {
            Some(Written::Text(text, trail)) => Stream::text(text, trail, span),
            _ => {
                let trail = args.iter().fold(None, |trail, arg| follow_both(&trail, &arg.trail));
                Stream::unknown(trail, span)
            }
        }
    }

    /// `xargs`: standard input gives operands, or stands where a token stood.
    fn over_operands(
        &mut self,
        command: &Wrapped,
        words: Cow<'_, [Arg]>,
        assigned: &[Assigned],
        stream: Stream,
        span: Span,
        state: &mut State,
    ) -> Flow {
        let mut inner = state.subshell();
        if !command.passes_stdin {
            inner.stdin = Stream::nothing();
        }
        let program_only = words.len() == 1 && words.first().is_some_and(|word| word.raw == "echo");
        let operands: Option<Vec<Value>> = stream.known.as_ref().map(|text| {
            let trail = stream.trail.clone();
            operands(text, command.more_operands)
                .into_iter()
                .take(MOST_OPERANDS + 1)
                .map(|text| Value { text, trail: trail.clone() })
                .collect()
        });
        let operands = operands.or_else(|| stream.lines());
        let flow = match operands {
            Some(operands) if operands.len() <= MOST_OPERANDS && command.more_operands => {
                let mut words = words;
                words.to_mut().extend(operands.iter().map(|value| operand(value, stream.span)));
                if program_only && stream.known.is_some() {
                    let text =
                        operands.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().join(" ") + "\n";
                    self.invoke(&words, assigned, &[], Lookup::NoFunctions, span, &mut inner);
                    return Flow { out: Stream::text(text, stream.trail, span), status: Some(true) };
                }
                self.invoke(&words, assigned, &[], Lookup::NoFunctions, span, &mut inner)
            }
            Some(operands) if operands.len() <= MOST_OPERANDS => {
                let mut flow = Flow::done(None);
                for value in &operands {
                    if !self.step() || !self.hands_on(&words, 1, span) {
                        break;
                    }
                    let words: Vec<Arg> = words.iter().map(|word| filled(word, value)).collect();
                    let next = self.invoke(&words, assigned, &[], Lookup::NoFunctions, span, &mut inner);
                    flow = Flow { out: flow.out.then(next.out), status: None };
                }
                flow
            }
            _ => {
                let mut words = words.into_owned();
                if command.more_operands {
                    words.push(unknown_operand(stream.span, &stream.trail));
                } else {
                    for word in &mut words {
                        if word.raw.contains(HOLE) {
                            word.trail = follow_both(&word.trail, &stream.trail);
                        }
                    }
                }
                self.invoke(&words, assigned, &[], Lookup::NoFunctions, span, &mut inner)
            }
        };
        state.files = inner.files;
        flow
    }

    /// Shell text in a carrier.
    fn carried_shell(
        &mut self,
        value: &Value,
        span: Span,
        positional: Vec<Value>,
        via: &str,
        place: Place,
        state: &mut State,
    ) -> Flow {
        let outer = std::mem::replace(&mut self.place, place);
        let flow = if via == "trap" {
            // Runs later, with what holds then, and perhaps between any two commands.
            self.may_set_any_time(value, span, state);
            Rc::make_mut(&mut state.traps).push(value.clone());
            Flow::done(Some(true))
        } else if IN_SHELL.contains(&via) {
            self.code_value(value, via, span, state)
        } else {
            self.in_subshell(state, |machine, inner| {
                inner.positional = Some(Rc::new(with_name(positional)));
                inner.may_lack(&value.text);
                machine.code_value(value, via, span, inner)
            })
        };
        self.place = outer;
        flow
    }

    /// What a trap assigns, a variable may hold at any time from here on.
    fn may_set_any_time(&mut self, value: &Value, span: Span, state: &mut State) {
        let mut world = state.clone();
        let (seen, told_deep) = (std::mem::take(&mut self.intent), self.told_deep);
        self.code_value(value, "trap", span, &mut world);
        // What was said here is forgotten, so it has to be said again.
        (self.intent, self.told_deep) = (seen, told_deep);
        if !Rc::ptr_eq(&state.vars, &world.vars) {
            state.keep_changes_of(&world);
        }
    }

    /// Walks a value as shell text.
    pub(crate) fn code_value(&mut self, value: &Value, via: &str, span: Span, state: &mut State) -> Flow {
        let taint = value.trail.as_deref().cloned().unwrap_or_default();
        if value.text.trim().is_empty() {
            return Flow::done(Some(true));
        }
        if taint.decoded {
            self.find_at("shell.obfuscated", doorward_core::finding::DECODED, span);
        }
        if value.text.trim_matches([HOLE, ' ', '\n', '\t', ';']).is_empty() {
            self.unseen_code(&value.trail, &Code::Shell, via, span);
            if IN_SHELL.contains(&via) {
                state.may_have_changed();
            }
            return Flow { out: Stream::unknown(value.trail.clone(), span), status: None };
        }
        if taint.network {
            self.find_at("shell.remote_code", "code that comes from the network runs", span);
        } else if value.text.contains(HOLE) && value.trail.as_ref().is_none_or(|taint| taint.env.is_empty()) {
            let finding =
                Finding::new("shell.generated_code", "part of this code is only known when it runs");
            self.finding(finding.at(span).with_risk(SecurityRisk::Medium));
        }
        if self.layer >= LAYERS {
            self.unknown("shell.too_many_layers", "code in more layers than are followed", span);
            super::salvage(self, &value.text.clone(), span);
            return Flow::unsure();
        }
        let base = self.locate(&value.text, span);
        self.layer += 1;
        self.via.push(via.to_owned());
        let flow = self.text(&value.text.clone(), base, span, state);
        if value.text.contains(HOLE) && IN_SHELL.contains(&via) {
            state.may_have_changed();
        }
        self.via.pop();
        self.layer -= 1;
        flow
    }

    /// Code nobody can see: what is known of where it comes from decides.
    pub(super) fn unseen_code(&mut self, trail: &Trail, code: &Code, via: &str, span: Span) {
        if trail.is_none() && self.only_runs_when_called(&Value::unknown(), span) {
            return;
        }
        let taint = trail.as_deref().cloned().unwrap_or_default();
        let files = self.files(trail);
        for &index in &taint.reads {
            if let Some(read) = self.intent.reads.get_mut(index) {
                read.reaches_code = true;
            }
        }
        let origin = if taint.network {
            self.find_at("shell.remote_code", format!("code from the network runs in {via}"), span);
            Origin::Network
        } else if taint.settings {
            return self.prints_settings(span);
        } else if let ([file], true) = (files.as_slice(), !(taint.decoded || taint.picked) || is_query(code))
        {
            Origin::File(file.clone())
        } else {
            self.find_at(
                "shell.generated_code",
                format!("code that is only known when it runs, in {via}"),
                span,
            );
            Origin::Generated
        };
        let mut chain = self.via.clone();
        chain.push(via.to_owned());
        // A file is code under its own name, as in `sh FILE`.
        let named = match &origin {
            Origin::File(file) if file.form == Form::Literal => Some(file.text.as_str()),
            _ => None,
        };
        self.intent.commands.push(SimpleCommand {
            words: vec![named.unwrap_or("…").to_owned()],
            unknown_words: if named.is_some() { Vec::new() } else { vec![0] },
            program: named.map_or("…", |file| file.rsplit('/').next().unwrap_or(file)).to_owned(),
            via: chain,
            code: code.clone(),
            origin,
            depth: self.layer + 1,
            span,
            ..SimpleCommand::default()
        });
    }

    fn prints_settings(&mut self, span: Span) {
        let finding = Finding::new("shell.generated_code", "settings printed by a program are evaluated");
        self.finding(finding.at(span).with_risk(SecurityRisk::Medium));
    }

    /// A file written by this text whose content is something else than known text.
    pub(crate) fn made_elsewhere(&mut self, trail: &Trail, span: Span) {
        if trail.as_ref().is_some_and(|taint| taint.network) {
            self.find_at("shell.remote_code", "runs what was just downloaded", span);
        } else if trail.as_ref().is_some_and(|taint| taint.settings && !taint.decoded) {
            self.prints_settings(span);
        } else {
            self.find_at("shell.generated_code", "runs a file whose content this command makes", span);
        }
    }

    /// Code in another language, and the arguments that it is given, if they are known.
    #[allow(clippy::too_many_arguments, reason = "each says something else of the same code")]
    pub(crate) fn language(
        &mut self,
        language: &str,
        value: &Value,
        called: languages::Invocation<'_>,
        span: Span,
        via: &str,
        mark: Option<usize>,
        state: &mut State,
    ) {
        let code = Code::Language(language.to_owned());
        if let Some(command) = mark.and_then(|mark| self.intent.commands.get_mut(mark)) {
            command.code = code.clone();
        }
        let taint = value.trail.as_deref().cloned().unwrap_or_default();
        let before = self.code;
        self.code = Snippets { acting: before.acting + 1, unproven: before.unproven + 1 };
        if value.text.trim_matches([HOLE, ' ', '\n']).is_empty() && !value.text.trim().is_empty() {
            return self.unseen_code(&value.trail, &code, via, span);
        }
        if taint.decoded {
            self.find_at("shell.obfuscated", doorward_core::finding::DECODED, span);
        }
        if taint.network {
            self.find_at("shell.remote_code", "code that comes from the network runs", span);
        }
        if self.layer >= LAYERS || !self.enter(span) {
            return self.unknown("shell.too_many_layers", "code in more layers than are followed", span);
        }
        let shown = value.text.replace(HOLE, "…");
        let mut deeds = if language.starts_with(patches::LANGUAGE) {
            patches::describe(language, &shown, span)
        } else {
            languages::describe(language, &shown, called, span, &self.context)
        };
        // Read by no grammar, it only mentions files.
        let guessed = deeds.reads.iter().filter(|read| {
            read.path.certainty == Certainty::May && read.path.form == Form::Literal && !read.metadata
        });
        deeds.mentions =
            guessed.map(|read| Mention { path: read.path.clone(), kind: MentionKind::Described }).collect();
        if !taint.decoded && !taint.network {
            self.code.acting -= u32::from(deeds.plain);
            self.code.unproven -= u32::from(deeds.read_only);
        }
        self.layer += 1;
        self.via.push(via.to_owned());
        let arg = Arg { trail: value.trail.clone(), ..Arg::from_word(Word::literal(shown, span)) };
        let seen = Seen::of(&self.intent);
        self.in_subshell(state, |machine, inner| machine.apply(deeds, &[arg], &[], None, span, inner));
        if self.code.unproven > before.unproven
            && !taint.decoded
            && !taint.network
            && languages::is_shell(language)
            && seen.only_read(&self.intent)
        {
            // Every command of it is known to only read.
            self.code = before;
        }
        self.via.pop();
        self.layer -= 1;
        self.leave();
    }
}

/// How much stood in an intent.
struct Seen([usize; 9]);

impl Seen {
    fn of(intent: &doorward_core::intent::Intent) -> Self {
        Self([
            intent.commands.len(),
            intent.writes.len(),
            intent.deletes.len(),
            intent.hosts.len(),
            intent.privilege.len(),
            intent.history_loss.len(),
            intent.installs.len(),
            intent.unknown.len(),
            intent.findings.len(),
        ])
    }

    /// Whether only commands were added since, and each of them only reads.
    fn only_read(&self, intent: &doorward_core::intent::Intent) -> bool {
        let Self([commands, before @ ..]) = self;
        let Self([_, now @ ..]) = Self::of(intent);
        *before == now && intent.commands.iter().skip(*commands).all(|command| command.read_only)
    }
}

/// Queries of a database: an unpacked dump is ordinary input there.
pub(super) fn is_query(code: &Code) -> bool {
    matches!(code, Code::Language(language) if asked::is_query_language(language))
}

struct Wrapped {
    words: Vec<Word>,
    assignments: Vec<(String, Word)>,
    more_operands: bool,
    via: String,
    place: Place,
    chdir: Option<Word>,
    passes_stdin: bool,
}

/// `$0` is always there.
pub(super) fn with_name(mut positional: Vec<Value>) -> Vec<Value> {
    if positional.is_empty() {
        positional.push(Value::known("bash"));
    }
    positional
}

fn unknown_operand(span: Span, trail: &Trail) -> Arg {
    let word = Word { text: "…".to_owned(), form: Form::Unknown, may_split: true, assembled: true, span };
    Arg { word, raw: HOLE.to_string(), trail: trail.clone(), quoted: false }
}

pub(crate) fn operand(value: &Value, span: Span) -> Arg {
    let mut word =
        Word { text: pattern(&value.text).replace(HOLE, "…"), assembled: true, span, ..Word::default() };
    if value.text.contains(HOLE) {
        word.form = Form::Unknown;
    } else if !value.is_known() {
        word.form = Form::Glob;
    }
    Arg { word, raw: pattern(&value.text), trail: value.trail.clone(), quoted: true }
}

/// A word in which the replaced token is this operand.
fn filled(word: &Arg, value: &Value) -> Arg {
    if !word.raw.contains(HOLE) {
        return word.clone();
    }
    let raw = word.raw.replace(HOLE, &value.text);
    let filled = Value { text: raw, trail: follow_both(&word.trail, &value.trail) };
    operand(&filled, word.word.span)
}

/// The operands `xargs` makes of its input: words with its own quoting, NUL-separated names, or lines.
fn operands(text: &str, words: bool) -> Vec<String> {
    if text.contains('\0') {
        return text.split('\0').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    }
    if !words {
        return text
            .lines()
            .map(|line| line.trim_start().to_owned())
            .filter(|line| !line.is_empty())
            .collect();
    }
    let mut out = Vec::new();
    let mut current: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), character) if character == open => quote = None,
            (Some(_), character) => current.get_or_insert_default().push(character),
            (None, '\'' | '"') => {
                quote = Some(character);
                current.get_or_insert_default();
            }
            (None, '\\') => current.get_or_insert_default().extend(characters.next()),
            (None, character) if character.is_whitespace() => out.extend(current.take()),
            (None, character) => current.get_or_insert_default().push(character),
        }
    }
    out.extend(current);
    out
}
