//! Redirections: what a command reads and writes through its descriptors.

use std::rc::Rc;

use brush_parser::ast;
use doorward_core::intent::Span;

use super::opened::Device;
use super::{Flow, names};
use crate::deed::Word;
use crate::expand::{Quoting, Site};
use crate::machine::Machine;
use crate::programs::asked;
use crate::source::Source;
use crate::state::{State, Written};
use crate::value::{Arg, Stream};

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
    /// Nowhere, or to another machine.
    Away,
    /// Standard error or another descriptor: only what stands around the command says where that leads.
    Aside,
    /// The opened file of this index.
    File(usize),
    /// The opened process of this index.
    Process(usize),
}

/// Outputs that are kept for redirections around them, at most.
const MOST_ASIDE: usize = 256;

/// What a command's redirections opened.
pub(crate) struct Open<'a> {
    pub(crate) stdin: Option<Stream>,
    out: Sink,
    err: Sink,
    files: Vec<(Arg, bool)>,
    processes: Vec<&'a ast::CompoundList>,
    /// Where other descriptors lead.
    kept: Vec<(i32, Sink)>,
    /// How much had gone aside when it was opened.
    aside: usize,
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
        let flow = if self.enter(span) {
            let flow = self.in_subshell(state, |machine, inner| machine.list(body, source, inner));
            self.leave();
            flow
        } else {
            Flow::unsure()
        };
        self.worlds = worlds;
        flow.out
    }

    /// Opens redirections in order.
    pub(crate) fn open<'a>(&mut self, redirects: Vec<Redirect<'a>>, state: &mut State) -> Open<'a> {
        let mut open = Open {
            stdin: None,
            out: Sink::Out,
            err: if state.merged.contains(&2) { Sink::Out } else { Sink::Aside },
            files: Vec::new(),
            processes: Vec::new(),
            kept: Vec::new(),
            aside: self.aside.len(),
            idle: false,
        };
        for redirect in redirects {
            let (redirect, both) = duplicated(redirect);
            match redirect {
                Redirect::Text { descriptor: 0, stream } => open.stdin = Some(stream),
                Redirect::Text { descriptor, stream } => {
                    Rc::make_mut(&mut state.descriptors).insert(descriptor, stream);
                }
                Redirect::Process { descriptor, body } => {
                    open.processes.push(body);
                    let sink = Sink::Process(open.processes.len() - 1);
                    open.set(descriptor, sink);
                }
                Redirect::Duplicate { descriptor, target } => match target {
                    Some(target) if descriptor == 0 => {
                        open.stdin = Some(state.descriptors.get(&target).cloned().unwrap_or_default());
                        if target == 0 {
                            open.stdin = None;
                        }
                    }
                    Some(target) => {
                        let sink = open.sink_of(target, state);
                        open.set(descriptor, sink);
                        if both {
                            open.err = sink;
                        }
                    }
                    None if descriptor == 0 => open.stdin = Some(Stream::nothing()),
                    None => open.set(descriptor, Sink::Away),
                },
                Redirect::File { descriptor, both, reads, writes, append, target } => {
                    if let Some(stream) = self.device(&target, reads, writes, state) {
                        match stream {
                            Device::Stream(stream) if reads && descriptor == 0 => open.stdin = Some(stream),
                            Device::Stream(stream) => {
                                Rc::make_mut(&mut state.descriptors).insert(descriptor, stream);
                                if writes {
                                    open.set(descriptor, Sink::Away);
                                }
                            }
                            Device::Nowhere => {
                                open.set(descriptor, Sink::Away);
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
                        open.set(descriptor, sink);
                        if both {
                            open.err = sink;
                        }
                    }
                }
            }
        }
        open
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
        let gathers = open.leads_to_out().next().is_some();
        let Open { out, err, files, processes, aside, idle, .. } = open;
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
        if out != Sink::Out {
            self.overwritten(&files, commands_before);
        }
        // What never ends fills whatever it is written to; a device has an end of its own.
        let to_file =
            matches!(out, Sink::File(_)) && files.iter().any(|(target, _)| !target.raw.starts_with("/dev/"));
        let endless = to_file && flow.out.endless.is_some();
        if out != Sink::Out
            && !files.is_empty()
            && let Some(last) = self.intent.commands.iter().skip(commands_before).next_back()
            && (endless || asked::prints_without_end(last))
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
        if matches!(out, Sink::Away | Sink::Aside)
            && self.intent.hosts.iter().any(|host| matches!(host.scheme.as_str(), "tcp" | "udp"))
        {
            self.sent(&flow.out.trail, None, self.whole);
        }
        for (index, body) in processes.iter().enumerate() {
            self.in_subshell(state, |machine, reader| {
                reader.stdin = if out == Sink::Process(index) { flow.out.clone() } else { Stream::default() };
                machine.list(body, source, reader);
            });
        }
        let flow = self.led_out(flow, out);
        if !gathers {
            return flow;
        }
        let written = self.aside.split_off(aside.min(self.aside.len()));
        Flow { out: written.into_iter().fold(flow.out, Stream::then), ..flow }
    }

    /// What is left of the output where it goes to `out`; what goes aside is kept for redirections around it.
    fn led_out(&mut self, flow: Flow, out: Sink) -> Flow {
        match out {
            Sink::Out => return flow,
            Sink::Aside if self.aside.len() < MOST_ASIDE => self.aside.push(flow.out),
            Sink::Aside => {
                let what = "more output to other descriptors than is followed";
                self.unknown("shell.too_many_layers", what, self.whole);
            }
            Sink::Away | Sink::File(_) | Sink::Process(_) => {}
        }
        Flow { out: Stream::nothing(), status: flow.status }
    }

    /// Files that are written by commands that show what was committed: changes since then are lost.
    fn overwritten(&mut self, files: &[(Arg, bool)], commands_before: usize) {
        // `git show HEAD:f > f`: what was committed goes over what was changed since.
        for (target, append) in files {
            let committed = self
                .intent
                .commands
                .iter()
                .skip(commands_before)
                .any(|command| asked::shows_committed(command, target.raw.trim_start_matches("./")));
            if committed && !append {
                let what = format!("uncommitted changes of {}", target.word.text);
                let recoverable_by = doorward_core::intent::RecoverableBy::None;
                let span = target.word.span;
                self.intent.history_loss.push(doorward_core::intent::HistoryLoss {
                    what,
                    recoverable_by,
                    span,
                    depends_on: None,
                });
            }
        }
    }
}

impl Open<'_> {
    fn set(&mut self, descriptor: i32, sink: Sink) {
        match descriptor {
            1 => self.out = sink,
            2 => self.err = sink,
            other => self.kept.push((other, sink)),
        }
    }

    fn sink_of(&self, descriptor: i32, state: &State) -> Sink {
        let kept = || self.kept.iter().rev().find(|(kept, _)| *kept == descriptor).map(|(_, sink)| *sink);
        match descriptor {
            1 => self.out,
            2 => self.err,
            _ => kept().unwrap_or(if state.merged.contains(&descriptor) { Sink::Out } else { Sink::Aside }),
        }
    }

    /// The descriptors beside standard output that lead to where it led.
    pub(crate) fn leads_to_out(&self) -> impl Iterator<Item = i32> + '_ {
        let err = (2, self.err);
        let all = std::iter::once(err).chain(self.kept.iter().copied());
        all.filter(|(_, sink)| *sink == Sink::Out).map(|(descriptor, _)| descriptor)
    }
}

/// A file that is an open descriptor by its name (`/dev/stdout`), as that descriptor; and whether standard error goes
/// there, too.
fn duplicated(redirect: Redirect<'_>) -> (Redirect<'_>, bool) {
    match redirect {
        Redirect::File { descriptor, both, writes: true, ref target, .. } => {
            match names::own_descriptor(&target.raw) {
                Some(own) => (Redirect::Duplicate { descriptor, target: Some(own) }, both),
                None => (redirect, false),
            }
        }
        other => (other, false),
    }
}
