//! What is opened by a redirection: files, devices and streams, and what reading or writing them means.

use super::folder::Before;
use super::{Flow, names};
use crate::deed::Word;
use crate::machine::Machine;
use crate::programs::endless;
use crate::source::Source;
use crate::state::{State, Written};
use crate::value::{Arg, HOLE, LIMIT, Stream, Taint, Trail, follow_both};
use brush_parser::ast;
use doorward_core::intent::{
    Below, Certainty, Direction, Form, HostIntent, Operand, ReadIntent, WriteIntent, WriteMode,
};
use std::rc::Rc;

impl Machine<'_> {
    /// A file that is read through a redirection.
    pub(super) fn read_stream(&mut self, target: &Arg, state: &mut State) -> Stream {
        let span = target.word.span;
        match self.written(&self.key(&target.raw, state), state) {
            Some(Written::Text(text, trail)) => {
                self.read(&target.word, false, state);
                return Stream::text(text, trail, span);
            }
            Some(Written::Unknown(trail)) => {
                self.read(&target.word, false, state);
                return Stream::unknown(trail, span);
            }
            _ => {}
        }
        let index = self.read(&target.word, false, state);
        let taint = Taint { reads: index.into_iter().collect(), ..Taint::default() };
        let file = index.and_then(|index| self.intent.reads.get(index)).map(|read| read.path.clone());
        Stream { file, ..Stream::unknown(follow_both(&Some(Rc::new(taint)), &target.trail), span) }
    }

    /// Files of `/dev` that are no files.
    pub(super) fn device(
        &mut self,
        target: &Arg,
        reads: bool,
        writes: bool,
        state: &mut State,
    ) -> Option<Device> {
        let text = target.raw.as_str();
        for scheme in ["tcp", "udp"] {
            let Some(rest) = text.strip_prefix("/dev/").and_then(|text| text.strip_prefix(scheme)) else {
                continue;
            };
            let Some(rest) = rest.strip_prefix('/') else { continue };
            let (host, port) = rest.split_once('/').unwrap_or((rest, ""));
            let known = !host.contains(HOLE);
            self.intent.hosts.push(HostIntent {
                host: host.replace(HOLE, "…"),
                form: if known { Form::Literal } else { Form::Unknown },
                port: port.parse().ok(),
                scheme: scheme.to_owned(),
                url: None,
                direction: match (reads, writes) {
                    (true, true) => Direction::Both,
                    (true, false) => Direction::Fetch,
                    _ => Direction::Send,
                },
                body_from: if writes { vec!["-".to_owned()] } else { Vec::new() },
                configured_remote: None,
                redirected: true,
                span: target.word.span,
            });
            self.sent(&target.trail, None, target.word.span);
            let taint = Taint { network: true, ..Taint::default() };
            return Some(Device::Stream(Stream::unknown(Some(Rc::new(taint)), target.word.span)));
        }
        Some(match text {
            "/dev/null" if reads && !writes => Device::Stream(Stream::nothing()),
            "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" if reads => Device::Stream(state.stdin.clone()),
            "/dev/zero" | "/dev/urandom" | "/dev/random" | "/dev/tty" if reads && !writes => {
                let stream = Stream::unknown(None, target.word.span);
                Device::Stream(Stream { endless: endless::device(text), ..stream })
            }
            "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "/dev/fd/1" | "/dev/fd/2"
            | "/dev/full" => Device::Nowhere,
            _ => return None,
        })
    }

    pub(super) fn write_file(
        &mut self,
        target: &Arg,
        append: bool,
        empty: bool,
        content: Option<String>,
        trail: Trail,
        state: &mut State,
    ) {
        let key = self.key(&target.raw, state);
        let mode = match (append, empty) {
            (true, _) => WriteMode::Append,
            (false, true) => WriteMode::Truncate,
            (false, false) => WriteMode::Create,
        };
        // Under `set -C` a file that is there stays what it is.
        let surely = append || !state.keeps_files;
        let content = content.filter(|content| content.len() <= LIMIT && surely);
        let shown = content.as_ref().filter(|content| !content.contains(HOLE)).cloned();
        let paths = match ci_file(target, mode, shown.as_deref()) {
            Some(file) => vec![file],
            None => self.linked(self.paths(&target.word, state), state),
        };
        for path in paths {
            self.intent.writes.push(WriteIntent {
                path,
                mode,
                content: shown.clone(),
                downloaded: trail.as_ref().is_some_and(|taint| taint.network),
                chmod: None,
                moved_from: None,
                redirected: true,
            });
        }
        let before = if append { self.written(&key, state) } else { None };
        let written = match (before, content) {
            (None, Some(content)) if !append => Written::Text(content, trail),
            (None, Some(content)) => {
                // Appended to what nobody has seen; what is known of it still counts.
                Written::Text(content, trail)
            }
            (Some(Written::Text(text, old)), Some(content)) if text.len() + content.len() <= LIMIT => {
                Written::Text(text + &content, follow_both(&old, &trail))
            }
            _ => Written::Unknown(trail),
        };
        Rc::make_mut(&mut state.files).insert(key, written);
    }

    /// Walks something under redirections of its own.
    pub(crate) fn redirected(
        &mut self,
        redirects: Option<&ast::RedirectList>,
        source: &Rc<Source>,
        state: &mut State,
        walk: impl FnOnce(&mut Self, &mut State) -> Flow,
    ) -> Flow {
        let Some(redirects) = redirects else { return walk(self, state) };
        let mut evaluated = Vec::new();
        for redirect in &redirects.0 {
            evaluated.extend(self.redirect(redirect, source, state));
        }
        let commands_before = self.intent.commands.len();
        let before = Before::of(&evaluated, state);
        let open = self.open(evaluated, state);
        let saved = open.stdin.clone().map(|stdin| std::mem::replace(&mut state.stdin, stdin));
        let flow = walk(self, state);
        if let Some(saved) = saved {
            state.stdin = saved;
        }
        if let Some(before) = before {
            self.may_not_run(before, self.whole, state);
        }
        self.close(open, flow, commands_before, source, state)
    }

    /// Records a read; its index in the intent.
    pub(crate) fn read(&mut self, word: &Word, metadata: bool, state: &State) -> Option<usize> {
        let mut first = None;
        for path in self.linked(self.paths(word, state), state) {
            if names::is_descriptor(&path.text) || path.text.is_empty() {
                continue;
            }
            first = first.or(Some(self.intent.reads.len()));
            self.intent.reads.push(ReadIntent {
                path,
                metadata,
                reaches_host: false,
                reaches_code: false,
                below: Below::default(),
            });
        }
        first
    }

    /// A path operand in every folder the shell may be in.
    pub(crate) fn paths(&self, word: &Word, state: &State) -> Vec<Operand> {
        let mut operand = word.operand();
        operand.place = self.place.clone();
        if state.certainty == Certainty::May {
            operand.certainty = Certainty::May;
        }
        self.resolved(operand, state)
    }

    /// The same for an operand that the tables made.
    pub(crate) fn resolved(&self, operand: Operand, state: &State) -> Vec<Operand> {
        let anywhere = operand.form == Form::Unknown && operand.text.starts_with('…');
        let absolute = operand.text.starts_with(['/', '~']) || operand.text.contains("://");
        if state.dot_names && operand.form == Form::Glob {
            let dotted = dotted(&operand);
            let plain = State { dot_names: false, ..state.clone() };
            return [operand]
                .into_iter()
                .chain(dotted)
                .flat_map(|operand| self.resolved(operand, &plain))
                .collect();
        }
        if absolute || anywhere || operand.text == "-" {
            return vec![operand];
        }
        state
            .folder
            .may_be
            .iter()
            .map(|folder| match folder.as_deref() {
                Some("") => operand.clone(),
                Some(folder) => {
                    let tail = operand.text.strip_prefix("./").unwrap_or(&operand.text);
                    Operand { text: format!("{}/{tail}", folder.trim_end_matches('/')), ..operand.clone() }
                }
                None => {
                    let form = Form::Unknown;
                    Operand {
                        text: format!("…/{}", operand.text),
                        form,
                        certainty: Certainty::May,
                        ..operand.clone()
                    }
                }
            })
            .collect()
    }

    /// The name under which a file is remembered.
    pub(crate) fn key(&self, path: &str, state: &State) -> String {
        let joined = match state.folder.may_be.first() {
            Some(Some(folder)) if !path.starts_with('/') && !folder.is_empty() => format!("{folder}/{path}"),
            _ => path.to_owned(),
        };
        let normal = names::normal(&joined);
        // `$PWD/x` is `x`.
        let own = self.options.cwd.as_deref().and_then(|cwd| normal.strip_prefix(cwd)?.strip_prefix('/'));
        own.unwrap_or(&normal).trim_start_matches("./").to_owned()
    }

    /// What is known of a file by its key.
    pub(crate) fn written(&self, key: &str, state: &State) -> Option<Written> {
        let mut key = key.to_owned();
        for _ in 0..8 {
            match state.files.get(&key) {
                Some(Written::Same(other)) => {
                    let other_key = self.key(other, state);
                    if !state.files.contains_key(&other_key) && !self.options.files.contains_key(&other_key) {
                        return Some(Written::Same(other.clone()));
                    }
                    key = other_key;
                }
                Some(written) => return Some(written.clone()),
                None => return self.options.files.get(&key).map(|text| Written::Text(text.clone(), None)),
            }
        }
        None
    }
}

/// What a file of `/dev` is.
pub(super) enum Device {
    Stream(Stream),
    Nowhere,
}

/// The same pattern for names that begin with a dot.
pub(super) fn dotted(operand: &Operand) -> Option<Operand> {
    let mut any = false;
    let parts: Vec<String> = operand
        .text
        .split('/')
        .map(|part| {
            let opens = part.starts_with(['*', '?']) && part != "**";
            any |= opens;
            if opens { format!(".{}", part.trim_start_matches('?')) } else { part.to_owned() }
        })
        .collect();
    any.then(|| Operand { text: parts.join("/"), ..operand.clone() })
}

/// The file of a CI runner that a word names by its variable and nothing else, where this text may be appended to it:
/// the runner's own file for outputs, a summary, or the environment of the steps that follow (docs.github.com,
/// workflow commands).
pub(super) fn ci_file(target: &Arg, mode: WriteMode, text: Option<&str>) -> Option<Operand> {
    const NAMES: &[&str] = &["GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"];
    let taint = target.trail.as_deref().filter(|taint| taint.env.len() == 1)?;
    let alone = mode == WriteMode::Append && target.raw.chars().eq([HOLE]);
    let name = NAMES.iter().find(|name| alone && taint.env.contains(**name))?;
    may_be_added(name, text).then(|| Operand { text: format!("${name}"), ..target.word.operand() })
}

/// Whether such a file may get this text: into the environment goes only what is known and changes nothing that runs.
fn may_be_added(name: &str, text: Option<&str>) -> bool {
    match name {
        "GITHUB_ENV" => text.is_some_and(|text| {
            text.lines().filter(|line| !line.trim().is_empty()).all(|line| {
                line.split_once('=').is_some_and(|(name, value)| {
                    !name.contains("<<") && crate::programs::is_harmless_value(name, value)
                })
            })
        }),
        "GITHUB_PATH" => text.is_some(),
        _ => true,
    }
}
