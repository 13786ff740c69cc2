//! Redirections: what a command reads and writes through its descriptors.

use std::rc::Rc;

use brush_parser::ast;
use doorward_core::intent::{
    Below, Certainty, Direction, Form, HostIntent, Operand, ReadIntent, Span, WriteIntent, WriteMode,
};

use super::{Flow, names};
use crate::deed::Word;
use crate::expand::{Quoting, Site};
use crate::machine::Machine;
use crate::source::Source;
use crate::state::{State, Written};
use crate::value::{Arg, HOLE, LIMIT, Stream, Taint, Trail, follow_both};

/// An evaluated redirection.
pub(crate) enum Redirect<'a> {
    /// `<`, `>`, `>>`, `<>`, `>|`, `&>` and a file.
    File { descriptor: i32, both: bool, reads: bool, writes: bool, append: bool, target: Arg },
    /// `2>&1`, `<&3`, `>&-`.
    Duplicate { descriptor: i32, target: Option<i32> },
    /// A here-document or here-string.
    Text { descriptor: i32, stream: Stream },
    /// `> >(…)`.
    Process { descriptor: i32, body: &'a ast::CompoundList },
}

/// Where a descriptor leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sink {
    /// Where it led before.
    Out,
    /// Standard error, or nowhere.
    Away,
    /// The opened file of this index.
    File(usize),
    /// The opened process of this index.
    Process(usize),
}

/// What a command's redirections opened.
pub(crate) struct Open<'a> {
    pub(crate) stdin: Option<Stream>,
    out: Sink,
    err: Sink,
    files: Vec<(Arg, bool)>,
    processes: Vec<&'a ast::CompoundList>,
    /// No command stands beside the redirections: nothing is written.
    pub(crate) idle: bool,
}

impl Machine<'_> {
    pub(crate) fn redirect<'a>(
        &mut self,
        redirect: &'a ast::IoRedirect,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Option<Redirect<'a>> {
        Some(match redirect {
            ast::IoRedirect::OutputAndError(word, append) => Redirect::File {
                descriptor: 1,
                both: true,
                reads: false,
                writes: true,
                append: *append,
                target: self.single(source.word(word), source, state),
            },
            ast::IoRedirect::HereString(descriptor, word) => {
                let arg = self.single(source.word(word), source, state);
                let mut text = arg.raw.clone();
                text.push('\n');
                Redirect::Text {
                    descriptor: descriptor.unwrap_or(0),
                    stream: Stream::text(text, arg.trail, arg.word.span),
                }
            }
            ast::IoRedirect::HereDocument(descriptor, document) => {
                let raw = source.word(&document.doc);
                let stream = if document.requires_expansion {
                    let site = Site { source, at: raw.at, span: raw.span };
                    let value = self.unsplit(raw.text, Quoting::Body, site, state).value();
                    Stream::text(value.text, value.trail, raw.span)
                } else {
                    Stream::text(document.doc.value.clone(), None, raw.span)
                };
                Redirect::Text { descriptor: descriptor.unwrap_or(0), stream }
            }
            ast::IoRedirect::File(descriptor, kind, target) => {
                self.file_redirect(*descriptor, kind, target, source, state)?
            }
        })
    }

    fn file_redirect<'a>(
        &mut self,
        descriptor: Option<i32>,
        kind: &ast::IoFileRedirectKind,
        target: &'a ast::IoFileRedirectTarget,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Option<Redirect<'a>> {
        use ast::IoFileRedirectKind as Kind;
        let reads = matches!(kind, Kind::Read | Kind::ReadAndWrite | Kind::DuplicateInput);
        let writes = !matches!(kind, Kind::Read | Kind::DuplicateInput);
        let usual = descriptor.unwrap_or(i32::from(!reads));
        Some(match target {
            ast::IoFileRedirectTarget::Fd(target) => {
                Redirect::Duplicate { descriptor: usual, target: Some(*target) }
            }
            ast::IoFileRedirectTarget::Duplicate(word) => {
                let arg = self.single(source.word(word), source, state);
                match arg.known() {
                    Some("-") => Redirect::Duplicate { descriptor: usual, target: None },
                    Some(text) if text.trim_end_matches('-').parse::<i32>().is_ok() => Redirect::Duplicate {
                        descriptor: usual,
                        target: text.trim_end_matches('-').parse().ok(),
                    },
                    // `>& file` is `&> file`.
                    _ => Redirect::File {
                        descriptor: usual,
                        both: writes && descriptor.is_none(),
                        reads,
                        writes,
                        append: false,
                        target: arg,
                    },
                }
            }
            ast::IoFileRedirectTarget::ProcessSubstitution(kind, body) => {
                let (start, end) = source.range(&body.loc);
                let span = source.span(start, end);
                match kind {
                    ast::ProcessSubstitutionKind::Read => {
                        let stream = self.process_stream(&body.list, span, source, state);
                        Redirect::Text { descriptor: usual, stream: Stream { span, ..stream } }
                    }
                    ast::ProcessSubstitutionKind::Write => {
                        Redirect::Process { descriptor: usual, body: &body.list }
                    }
                }
            }
            ast::IoFileRedirectTarget::Filename(word) => Redirect::File {
                descriptor: usual,
                both: false,
                reads,
                writes,
                append: matches!(kind, Kind::Append),
                target: self.single(source.word(word), source, state),
            },
        })
    }

    /// `<(…)`: a file name whose content is the output of the process.
    pub(crate) fn process_to_read(
        &mut self,
        body: &ast::CompoundList,
        span: Span,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Arg {
        let out = self.process_stream(body, span, source, state);
        let name =
            format!("/dev/fd/{}", 63 + state.files.keys().filter(|key| key.starts_with("/dev/fd/")).count());
        let trail = out.trail.clone();
        let written = match out.known {
            Some(text) => Written::Text(text, trail.clone()),
            None => Written::Unknown(trail.clone()),
        };
        Rc::make_mut(&mut state.files).insert(name.clone(), written);
        let mut arg = Arg::from_word(Word::literal(name, span));
        arg.trail = trail;
        arg
    }

    /// What `<(…)` prints.
    fn process_stream(
        &mut self,
        body: &ast::CompoundList,
        span: Span,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Stream {
        use doorward_core::intent::Connector;
        self.intent.connectors.insert(Connector::Substitution);
        let worlds = std::mem::take(&mut self.worlds);
        let mut inner = state.subshell();
        let flow = if self.enter(span) {
            let flow = self.list(body, source, &mut inner);
            self.traps(&mut inner);
            self.leave();
            flow
        } else {
            Flow::unsure()
        };
        self.worlds = worlds;
        state.files = inner.files;
        flow.out
    }

    /// Opens redirections in order.
    pub(crate) fn open<'a>(&mut self, redirects: Vec<Redirect<'a>>, state: &mut State) -> Open<'a> {
        let mut open = Open {
            stdin: None,
            out: Sink::Out,
            err: Sink::Away,
            files: Vec::new(),
            processes: Vec::new(),
            idle: false,
        };
        let mut kept: Vec<(i32, Sink)> = Vec::new();
        for redirect in redirects {
            match redirect {
                Redirect::Text { descriptor: 0, stream } => open.stdin = Some(stream),
                Redirect::Text { descriptor, stream } => {
                    Rc::make_mut(&mut state.descriptors).insert(descriptor, stream);
                }
                Redirect::Process { descriptor, body } => {
                    open.processes.push(body);
                    let sink = Sink::Process(open.processes.len() - 1);
                    set(&mut open, &mut kept, descriptor, sink);
                }
                Redirect::Duplicate { descriptor, target } => match target {
                    Some(target) if descriptor == 0 => {
                        open.stdin = Some(state.descriptors.get(&target).cloned().unwrap_or_default());
                        if target == 0 {
                            open.stdin = None;
                        }
                    }
                    Some(1) => {
                        let sink = open.out;
                        set(&mut open, &mut kept, descriptor, sink);
                    }
                    Some(2) => {
                        let sink = open.err;
                        set(&mut open, &mut kept, descriptor, sink);
                    }
                    Some(target) => {
                        let sink = kept
                            .iter()
                            .rev()
                            .find(|(kept, _)| *kept == target)
                            .map_or(Sink::Away, |(_, sink)| *sink);
                        set(&mut open, &mut kept, descriptor, sink);
                    }
                    None if descriptor == 0 => open.stdin = Some(Stream::nothing()),
                    None => set(&mut open, &mut kept, descriptor, Sink::Away),
                },
                Redirect::File { descriptor, both, reads, writes, append, target } => {
                    if let Some(stream) = self.device(&target, reads, writes, state) {
                        match stream {
                            Device::Stream(stream) if reads && descriptor == 0 => open.stdin = Some(stream),
                            Device::Stream(stream) => {
                                Rc::make_mut(&mut state.descriptors).insert(descriptor, stream);
                                if writes {
                                    set(&mut open, &mut kept, descriptor, Sink::Away);
                                }
                            }
                            Device::Nowhere => {
                                set(&mut open, &mut kept, descriptor, Sink::Away);
                                if both {
                                    open.err = Sink::Away;
                                }
                            }
                        }
                        continue;
                    }
                    if reads {
                        let stream = self.read_stream(&target, state);
                        if descriptor == 0 {
                            open.stdin = Some(stream);
                        } else {
                            Rc::make_mut(&mut state.descriptors).insert(descriptor, stream);
                        }
                    }
                    if writes {
                        open.files.push((target, append));
                        let sink = Sink::File(open.files.len() - 1);
                        set(&mut open, &mut kept, descriptor, sink);
                        if both {
                            open.err = sink;
                        }
                    }
                }
            }
        }
        open
    }

    /// A file that is read through a redirection.
    fn read_stream(&mut self, target: &Arg, state: &mut State) -> Stream {
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
    fn device(&mut self, target: &Arg, reads: bool, writes: bool, state: &mut State) -> Option<Device> {
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
                Device::Stream(Stream::unknown(None, target.word.span))
            }
            "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "/dev/fd/1" | "/dev/fd/2"
            | "/dev/full" => Device::Nowhere,
            _ => return None,
        })
    }

    /// Lets the output of a command flow where its redirections lead, and closes them.
    pub(crate) fn close(
        &mut self,
        open: Open<'_>,
        flow: Flow,
        commands_before: usize,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Flow {
        let Open { out, err, files, processes, idle, .. } = open;
        for (index, (target, append)) in files.iter().enumerate() {
            let takes_out = out == Sink::File(index);
            let takes_err = err == Sink::File(index);
            let empty = if takes_out {
                flow.out.is_nothing() && flow.out.trail.is_none()
            } else {
                idle || !takes_err
            };
            let content = if takes_out && !takes_err { flow.out.known.clone() } else { None };
            let trail = if takes_out { flow.out.trail.clone() } else { None };
            self.write_file(target, *append, empty, content, trail, state);
        }
        // `git show HEAD:f > f`: what was committed goes over what was changed since.
        for (target, append) in &files {
            let committed = self.intent.commands.iter().skip(commands_before).any(|command| {
                let shows = command.words.iter().any(|word| matches!(word.as_str(), "show" | "cat-file"));
                let same = |word: &String| {
                    word.split_once(':').is_some_and(|(_, path)| path == target.raw.trim_start_matches("./"))
                };
                command.program == "git" && shows && command.words.iter().any(same)
            });
            if committed && !append && out != Sink::Out {
                let what = format!("uncommitted changes of {}", target.word.text);
                let recoverable_by = doorward_core::intent::RecoverableBy::None;
                let span = target.word.span;
                self.intent.history_loss.push(doorward_core::intent::HistoryLoss {
                    what,
                    recoverable_by,
                    span,
                });
            }
        }
        // What never ends fills whatever it is written to.
        let endless = |command: &doorward_core::intent::SimpleCommand| {
            let source =
                |word: &String| matches!(word.as_str(), "/dev/zero" | "/dev/urandom" | "/dev/random");
            command.program == "yes"
                || matches!(command.program.as_str(), "cat" | "pv" | "tee")
                    && command.words.iter().any(source)
        };
        if out != Sink::Out
            && !files.is_empty()
            && let Some(last) = self.intent.commands.iter().skip(commands_before).next_back()
            && endless(last)
        {
            let span = last.span;
            self.intent.findings.push(
                doorward_core::finding::Finding::new("shell.resource", "writes to a file without end")
                    .at(span),
            );
        }
        if !files.is_empty() {
            for command in self.intent.commands.iter_mut().skip(commands_before) {
                command.read_only = false;
                command.redirected = true;
            }
        }
        // Descriptors that lead to a host send what is written to them.
        if out == Sink::Away
            && self.intent.hosts.iter().any(|host| matches!(host.scheme.as_str(), "tcp" | "udp"))
        {
            self.sent(&flow.out.trail, None, self.whole);
        }
        for (index, body) in processes.iter().enumerate() {
            let mut reader = state.subshell();
            reader.stdin = if out == Sink::Process(index) { flow.out.clone() } else { Stream::default() };
            self.list(body, source, &mut reader);
            state.files = reader.files;
        }
        if out == Sink::Out { flow } else { Flow { out: Stream::nothing(), status: flow.status } }
    }

    fn write_file(
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
        let content = content.filter(|content| content.len() <= LIMIT);
        let shown = content.as_ref().filter(|content| !content.contains(HOLE)).cloned();
        for path in self.linked(self.paths(&target.word, state), state) {
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
        let open = self.open(evaluated, state);
        let saved = open.stdin.clone().map(|stdin| std::mem::replace(&mut state.stdin, stdin));
        let flow = walk(self, state);
        if let Some(saved) = saved {
            state.stdin = saved;
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

/// The same pattern for names that begin with a dot.
fn dotted(operand: &Operand) -> Option<Operand> {
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

/// What a file of `/dev` is.
enum Device {
    Stream(Stream),
    Nowhere,
}

fn set(open: &mut Open<'_>, kept: &mut Vec<(i32, Sink)>, descriptor: i32, sink: Sink) {
    match descriptor {
        1 => open.out = sink,
        2 => open.err = sink,
        other => kept.push((other, sink)),
    }
}
