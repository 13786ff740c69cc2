//! Files that a command runs, and code that it reads from its standard input.

use super::follow::{is_query, with_name};
use super::{Flow, names};
use crate::languages::Invocation;
use crate::machine::Machine;
use crate::programs::{asked, embedded::LOOKED_THROUGH};
use crate::state::{State, Written};
use crate::value::{Arg, HOLE, Stream, Trail, Value};
use doorward_core::intent::{Below, Code, Form, Operand, Origin, Place, ReadIntent, SimpleCommand, Span};
use std::rc::Rc;

impl Machine<'_> {
    /// A file that is run.
    #[expect(clippy::too_many_arguments, reason = "the parts of one run request")]
    pub(super) fn run_file(
        &mut self,
        path: &Arg,
        code: Code,
        via: &str,
        positional: &[Arg],
        mark: Option<usize>,
        span: Span,
        state: &mut State,
    ) -> Option<Flow> {
        if matches!(path.raw.as_str(), "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" | "-") {
            let positional = std::iter::once(path).chain(positional).map(Arg::handed_over).collect();
            return self.run_stdin(&code, via, positional, mark, span, state);
        }
        let descriptor = ["/dev/fd/", "/proc/self/fd/"]
            .iter()
            .find_map(|front| path.raw.strip_prefix(front))
            .and_then(|number| number.parse::<i32>().ok());
        if let Some(stream) = descriptor.and_then(|number| state.descriptors.get(&number).cloned()) {
            let positional = std::iter::once(path).chain(positional).map(Arg::handed_over).collect();
            let before = std::mem::replace(&mut state.stdin, stream);
            let flow = self.run_stdin(&code, via, positional, mark, span, state);
            state.stdin = before;
            return flow;
        }
        let mut key = self.key(&path.raw, state);
        // It is looked through where it is known.
        let is_known = |machine: &Self| matches!(machine.written(&key, state), Some(Written::Text(..)));
        if via == LOOKED_THROUGH && !is_known(self) {
            return None;
        }
        // `require './x'` means `x.rb`, `-r ./x` of node `x.js`.
        if self.written(&key, state).is_none()
            && let Some(end) = names::extension(&code)
            && self.written(&format!("{key}{end}"), state).is_some()
        {
            key.push_str(end);
        }
        let sourced = matches!(via, "source" | ".");
        match self.written(&key, state) {
            Some(Written::Text(text, trail)) => {
                let language = match &code {
                    Code::Language(language) => language.clone(),
                    Code::Shell => "shell".to_owned(),
                    Code::None => asked::shebang(&text).0.to_owned(),
                };
                if code == Code::None
                    && !path.raw.contains('/')
                    && language == "shell"
                    && !asked::shebang(&text).1
                {
                    // A build file: its own tool's rules aren't known here, and whoever looks at files has its text.
                    if text.contains(HOLE)
                        || trail.as_ref().is_some_and(|taint| taint.network || taint.decoded)
                    {
                        self.made_elsewhere(&trail, path.word.span);
                        return None;
                    }
                    let operand = self.paths(&path.word, state).into_iter().next()?;
                    self.run_unseen(operand, code, path, via, mark, span);
                    return None;
                }
                let value = Value { text, trail };
                let mut args = vec![path.clone()];
                args.extend(positional.iter().cloned());
                // `source FILE` goes on in the same shell: what it defines stays.
                if language == "shell" && matches!(via, "source" | ".") {
                    return Some(
                        self.returning(state, |machine, state| machine.code_value(&value, via, span, state)),
                    );
                }
                Some(self.script(&key, &language, &value, &args, span, state))
            }
            Some(Written::Unknown(trail)) => {
                self.made_elsewhere(&trail, path.word.span);
                if sourced {
                    state.may_have_changed();
                }
                None
            }
            Some(Written::Same(_)) | None => {
                if sourced {
                    state.may_have_changed();
                }
                if let Some(trail) = self.fetched(&key, state) {
                    self.made_elsewhere(&trail, path.word.span);
                    return None;
                }
                // In each folder that the shell may be in.
                let mut mark = mark;
                for operand in self.paths(&path.word, state) {
                    self.run_unseen(operand, code.clone(), path, via, mark.take(), span);
                }
                None
            }
        }
    }

    /// Whether a path lies in a folder that this text fetched or unpacked from the network.
    pub(crate) fn fetched(&self, key: &str, state: &State) -> Option<Trail> {
        let mut folder = key;
        loop {
            folder = match folder.rsplit_once('/') {
                Some((front, _)) => front,
                // What was unpacked here has a folder of its own, or is named as a file of this one.
                None if key.contains('/') && folder != "." => ".",
                None => return None,
            };
            if let Some(Written::Unknown(trail)) = state.files.get(folder)
                && trail.as_ref().is_some_and(|taint| taint.network)
            {
                return Some(trail.clone());
            }
        }
    }

    pub(super) fn run_unseen(
        &mut self,
        operand: Operand,
        code: Code,
        path: &Arg,
        via: &str,
        mark: Option<usize>,
        span: Span,
    ) {
        // An interpreter reads the file it runs.
        if code != Code::None && operand.place == Place::Local {
            let read = ReadIntent {
                path: operand.clone(),
                metadata: false,
                reaches_host: false,
                reaches_code: true,
                below: Below::default(),
            };
            self.intent.reads.push(read);
        }
        if path.word.form == Form::Unknown && path.raw.trim_matches(HOLE).is_empty() {
            self.find_at("shell.obfuscated", format!("which file {via} runs can't be known"), path.word.span);
        }
        if let Some(command) = mark.and_then(|mark| self.intent.commands.get_mut(mark))
            && command.origin == Origin::Literal
        {
            command.origin = Origin::File(operand);
            if code != Code::None {
                command.code = code;
            }
            return;
        }
        self.intent.commands.push(SimpleCommand {
            words: vec![path.word.text.clone()],
            program: path.word.text.rsplit('/').next().unwrap_or_default().to_owned(),
            via: self.via.iter().cloned().chain([via.to_owned()]).collect(),
            code,
            origin: Origin::File(operand),
            depth: self.layer,
            span,
            ..SimpleCommand::default()
        });
    }

    /// A script whose text is known.
    pub(crate) fn script(
        &mut self,
        name: &str,
        language: &str,
        value: &Value,
        args: &[Arg],
        span: Span,
        state: &mut State,
    ) -> Flow {
        if value.trail.as_ref().is_some_and(|taint| taint.decoded) {
            self.find_at("shell.obfuscated", doorward_core::finding::DECODED, span);
        }
        if language != "shell" {
            let stripped = Value { trail: value.trail.clone(), ..value.clone() };
            let arguments = known_words(args.get(1..).unwrap_or_default().iter().map(Arg::value))
                .filter(|_| self.arguments_known);
            let called = Invocation { script: Some(name), arguments: arguments.as_deref() };
            self.language(language, &stripped, called, span, name, None, state);
            return Flow { out: Stream::unknown(value.trail.clone(), span), status: None };
        }
        self.in_subshell(state, |machine, inner| {
            inner.positional = Some(Rc::new(with_name(args.iter().map(Arg::value).collect())));
            inner.may_lack(&value.text);
            machine.code_value(value, name, span, inner)
        })
    }

    /// Whatever arrives on standard input is run.
    pub(super) fn run_stdin(
        &mut self,
        code: &Code,
        via: &str,
        positional: Vec<Value>,
        mark: Option<usize>,
        span: Span,
        state: &mut State,
    ) -> Option<Flow> {
        let stream = std::mem::take(&mut state.stdin);
        if let Some(command) = mark.and_then(|mark| self.intent.commands.get_mut(mark)) {
            command.code = code.clone();
        }
        if stream.inherited {
            state.stdin = stream;
            return None;
        }
        let at = if stream.span == Span::default() { span } else { stream.span };
        let value = match &stream.known {
            Some(text) => Value { text: text.clone(), trail: stream.trail.clone() },
            None => match stream
                .file
                .as_ref()
                .filter(|_| !stream.network() && (!stream.decoded() || is_query(code)))
            {
                Some(_) => {
                    self.unseen_code(&stream.trail, code, via, at);
                    return None;
                }
                None => Value { text: HOLE.to_string(), trail: stream.trail.clone() },
            },
        };
        match code {
            Code::Language(language) => {
                let arguments = known_words(positional.into_iter().skip(1)).filter(|_| self.arguments_known);
                let called = Invocation { script: None, arguments: arguments.as_deref() };
                self.language(language, &value, called, at, via, mark, state);
                None
            }
            _ => {
                let flow = self.in_subshell(state, |machine, inner| {
                    inner.stdin = Stream::nothing();
                    inner.positional = Some(Rc::new(with_name(positional)));
                    inner.may_lack(&value.text);
                    machine.code_value(&value, via, at, inner)
                });
                Some(flow)
            }
        }
    }
}
/// Words whose text and number are known.
fn known_words(words: impl Iterator<Item = Value>) -> Option<Vec<String>> {
    words.map(|word| (!word.text.contains([HOLE, '*', '?', '['])).then_some(word.text)).collect()
}
