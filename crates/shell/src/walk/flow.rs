//! What the tables say of a command, put into the intent, and the bytes it passes on.

use std::collections::BTreeSet;
use std::rc::Rc;

use doorward_core::intent::{
    Certainty, Direction, EnvRead, Form, Mention, ModuleLoad, Operand, Span, WriteMode,
};

use super::assign::Assigned;
use super::opened::ci_file;
use super::printed::{pattern_of, printed_names, selected};
use super::{Flow, names};
use crate::deed::{Argv, Deeds, Output, Stdin, StdinRole};
use crate::machine::Machine;
use crate::programs::{self, asked};
use crate::state::{State, Written};
use crate::value::{Arg, HOLE, MOST_NAMES, Stream, Taint, Trail, Value, follow_both};

impl Machine<'_> {
    /// A program with these words.
    pub(crate) fn program_call(
        &mut self,
        args: &[Arg],
        assigned: &[Assigned],
        span: Span,
        state: &mut State,
    ) -> Flow {
        let argv = Argv {
            words: args.iter().map(|arg| arg.word.clone()).collect(),
            assignments: assigned.iter().map(Assigned::carried).collect(),
            stdin: self.stdin(&state.stdin),
            place: self.place.clone(),
            certainty: state.certainty,
        };
        let deeds = programs::describe(&argv, &self.context);
        // The commands inside are followed below: their words aren't held once more for each level.
        drop(argv);
        let mark = if deeds.transparent { None } else { Some(self.note(args, assigned, span, state)) };
        self.apply(deeds, args, assigned, mark, span, state)
    }

    /// Whether this command reads variables of the environment that the text set before.
    fn takes_environment(&self, args: &[Arg], state: &State) -> bool {
        !state.carried.is_empty() && !args.first().is_some_and(|first| names::is_builtin(&first.raw))
    }

    fn stdin(&self, stream: &Stream) -> Stdin {
        if stream.inherited {
            return Stdin::Inherited;
        }
        if let Some(text) = &stream.known {
            return Stdin::Known { text: text.replace(HOLE, "…"), span: stream.span };
        }
        if let Some(file) = &stream.file {
            return Stdin::File(file.clone());
        }
        let names = stream.lines().unwrap_or_default();
        let names = names.iter().map(|name| super::follow::operand(name, stream.span).word).collect();
        Stdin::Unknown { network: stream.network(), files: self.files(&stream.trail), names }
    }

    /// The files a trail leads to.
    pub(crate) fn files(&self, trail: &Trail) -> Vec<Operand> {
        trail
            .iter()
            .flat_map(|taint| &taint.reads)
            .filter_map(|&index| self.intent.reads.get(index))
            .map(|read| read.path.clone())
            .collect()
    }

    /// Puts what the tables said into the intent; `mark` is the command's entry.
    pub(crate) fn apply(
        &mut self,
        deeds: Deeds,
        args: &[Arg],
        assigned: &[Assigned],
        mark: Option<usize>,
        span: Span,
        state: &mut State,
    ) -> Flow {
        let Deeds {
            known: _,
            read_only,
            plain,
            plain_upload,
            unlisted,
            plain_with_code,
            read_only_with_code,
            chooses,
            transparent: _,
            reads,
            writes,
            deletes,
            hosts,
            env_reads,
            privilege,
            history_loss,
            installs,
            modules,
            module_folders,
            mentions,
            unknown,
            findings,
            runs,
            output,
            stdin: stdin_role,
            lists,
        } = deeds;
        let carries = assigned.iter().any(|assigned| !assigned.is_harmless())
            || mark.is_some() && self.takes_environment(args, state);
        if let Some(command) = mark.and_then(|mark| self.intent.commands.get_mut(mark)) {
            command.read_only = read_only && !carries;
            command.plain = plain && !carries;
            command.plain_upload = plain_upload && !carries;
            command.unlisted = unlisted && !carries;
            command.chooses = chooses;
            if carries {
                let carried = state.carried.iter().map(|name| format!("{name}=…"));
                command.assignments.extend(carried);
            }
        }
        let flood = self.flood(args, &reads, stdin_role, mark, span, state);
        let mut own_reads = BTreeSet::new();
        for mut read in reads {
            let paths = self.linked(self.placed(read.path.clone(), state), state);
            for path in paths {
                if names::is_descriptor(&path.text) {
                    continue;
                }
                if !read.metadata {
                    own_reads.insert(self.intent.reads.len());
                }
                read.path = path;
                self.intent.reads.push(read.clone());
            }
        }
        let arguments = args.iter().skip(1).fold(None, |trail, arg| follow_both(&trail, &arg.trail));
        let mut passed = follow_both(&arguments, &state.stdin.trail);
        if !own_reads.is_empty() {
            let taint = Taint { reads: own_reads.clone(), ..Taint::default() };
            passed = follow_both(&passed, &Some(Rc::new(taint)));
        }
        let passed_any = !own_reads.is_empty();
        let contacts = !hosts.is_empty();
        let sends_stdin = stdin_role == StdinRole::Sent
            || hosts.iter().any(|host| host.body_from.iter().any(|from| from == "-"));
        let fetches = contacts && hosts.iter().any(|host| host.direction != Direction::Send);
        for mut host in hosts {
            if host.span == Span::default() {
                host.span = span;
            }
            if sends_stdin && host.direction != Direction::Listen {
                for file in self.files(&state.stdin.trail) {
                    if !host.body_from.contains(&file.text) {
                        host.body_from.push(file.text);
                    }
                }
            }
            let strange = !(host.host == "localhost" || host.host.starts_with("127."));
            let transfers = args.first().is_some_and(|first| asked::requests(&first.raw));
            if strange && transfers && self.via.iter().any(|via| asked::repeats(via)) {
                self.find_at("shell.beacon", "contacts a host again and again without end", span);
            }
            self.intent.hosts.push(host);
        }
        if contacts {
            self.sent(&arguments, None, span);
        }
        if sends_stdin {
            self.sent(&state.stdin.trail, Some(Direction::Send), span);
        }
        let folders_made = self.folders_made(args, &writes, state);
        self.writes(writes, args, &passed, fetches, state);
        if !deletes.is_empty() {
            state.made = Rc::default();
        }
        Rc::make_mut(&mut state.made).extend(folders_made);
        // Few words of a long list are of these, so that each name is compared with few.
        let environment = spans_of(args, |taint| !taint.env.is_empty());
        for delete in deletes {
            let original = delete.path.clone();
            for path in self.placed(original, state) {
                // `rm -rf "$X/"*` with `$X` unset deletes from the root.
                if path.form == Form::Unknown && path.text.starts_with("…/") {
                    let mut emptied = delete.clone();
                    emptied.path = path.clone();
                    emptied.path.text.drain(..'…'.len_utf8());
                    // Only if it is empty: never as sure as the same path written out.
                    let known = !emptied.path.text.contains(['…', '*', '?']);
                    emptied.path.form = if known { Form::Literal } else { Form::Unknown };
                    emptied.path.certainty = Certainty::May;
                    if environment.contains(&path.span) {
                        self.intent.deletes.push(emptied);
                    }
                }
                let mut delete = delete.clone();
                delete.path = path;
                self.intent.deletes.push(delete);
            }
        }
        let printed: BTreeSet<String> = env_reads.iter().map(|env| env.name.clone()).collect();
        for env in env_reads {
            self.env_read(&env.name, env.reaches_host || contacts, env.span);
        }
        self.intent.privilege.extend(privilege);
        for mut loss in history_loss {
            if let Some(facts) = &mut loss.depends_on {
                let paths = std::mem::take(&mut facts.changed);
                facts.changed = paths.into_iter().flat_map(|path| self.placed(path, state)).collect();
            }
            self.intent.history_loss.push(loss);
        }
        for install in &installs {
            let place =
                |package: &String| self.fetched(&format!("{}/x", self.key(package, state)), state).is_some();
            let folder = state.folder.may_be.first().and_then(Clone::clone).unwrap_or_default();
            let inside = !folder.is_empty() && self.fetched(&format!("{folder}/x"), state).is_some();
            if inside || install.packages.iter().any(place) {
                self.find_at("shell.remote_code", "installs what was just downloaded", span);
            }
        }
        self.intent.installs.extend(installs);
        let folder = state.folder.as_text();
        self.intent
            .modules
            .extend(modules.into_iter().map(|module| ModuleLoad { folder: folder.clone(), ..module }));
        let module_folders = module_folders.into_iter().flat_map(|path| self.placed(path, state));
        self.intent.module_folders.extend(module_folders.collect::<Vec<_>>());
        for Mention { path, kind } in mentions {
            let placed = self.placed(path, state).into_iter();
            self.intent.mentions.extend(placed.map(|path| Mention { path, kind }));
        }
        for item in unknown {
            self.unknown(&item.code, &item.reason, item.span);
        }
        for finding in findings {
            self.finding(finding);
        }
        let name =
            args.first().map(|first| first.word.text.rsplit('/').next().unwrap_or_default().to_owned());
        let name = name.unwrap_or_default();
        // `cp f /dev/stdout`, `dd of=/dev/stdout`: what it writes to a file is what comes back.
        let writes_out = args.iter().skip(1).any(|arg| {
            let text = arg.word.text.rsplit('=').next().unwrap_or_default();
            matches!(names::own_descriptor(text), Some(1 | 2))
        });
        let output = if writes_out && output == Output::Nothing { Output::Filtered } else { output };
        if asked::shows_words(&name) {
            self.shown(&arguments, span);
        }
        if !printed.is_empty() && output != Output::Nothing {
            // What it prints holds these variables.
            passed = follow_both(&passed, &Some(Rc::new(Taint { env: printed, ..Taint::default() })));
        }
        let mut network = output == Output::Network || (fetches && output != Output::Nothing);
        let code = self.code;
        let ran = self.follow(runs, args, mark, span, state);
        // Code that was read whole and only reads leaves the call what it is without the code.
        if !carries && let Some(command) = mark.and_then(|mark| self.intent.commands.get_mut(mark)) {
            command.read_only |= read_only_with_code && self.code.unproven == code.unproven;
            command.plain |= plain_with_code && self.code.acting == code.acting;
        }
        let produced = self.produce(&name, args, assigned, state);
        let words: Vec<&str> = args.iter().map(|arg| arg.word.text.as_str()).collect();
        if let Some((text, decoded)) = produced {
            let mut trail = passed;
            let new_folder = asked::names_a_new_folder(&words) && state.var("TMPDIR").is_none();
            if decoded || new_folder {
                let taint = Taint { decoded, new_folder, ..Taint::default() };
                trail = follow_both(&trail, &Some(Rc::new(taint)));
            }
            return Flow { out: Stream::text(text, trail, span), status: Some(true) };
        }
        let settings = asked::prints_settings(&words);
        if asked::prints_nothing(&words) && !writes_out {
            return Flow { out: Stream::nothing(), status: None };
        }
        let out = match (output, ran) {
            (_, Some(out)) => {
                network |= out.network();
                out
            }
            (Output::Nothing, None) => Stream::nothing(),
            (Output::Filtered | Output::Decoded, None) => {
                let mut stream = Stream::unknown(passed.clone(), span);
                if asked::passes_through(&name) {
                    let files = self.files(&passed);
                    if let [file] = files.as_slice() {
                        stream.file = Some(file.clone());
                    }
                }
                stream
            }
            _ => Stream::unknown(passed.clone(), span),
        };
        let names = match lists.is_empty() {
            false => Some(lists.iter().take(MOST_NAMES).map(pattern_of).collect()),
            true => printed_names(&name, args).or_else(|| {
                asked::selects_lines(&words).then(|| selected(&words, args, &state.stdin)).flatten()
            }),
        };
        let out = match names {
            Some(names) => Stream { names: Some(Rc::new(names)), known: None, ..out },
            None => out,
        };
        let mut trail = out.trail.clone();
        // What nothing was fed to and no file went into is nothing decoded.
        let decoded = output == Output::Decoded && (passed_any || !state.stdin.inherited);
        let whole = asked::passes_through(&name) || asked::selects_lines(&words);
        // What lists files gives their names.
        let picked = !whole && (output == Output::Filtered || output == Output::Other && out.names.is_none());
        if network || settings || decoded || picked {
            let taint = Taint { network, settings, decoded, picked, ..Taint::default() };
            trail = follow_both(&trail, &Some(Rc::new(taint)));
        }
        let endless = flood.or(out.endless);
        Flow { out: Stream { trail, endless, ..out }, status: None }
    }

    /// An operand of the tables where this command runs.
    fn placed(&self, mut path: Operand, state: &State) -> Vec<Operand> {
        if path.place == doorward_core::intent::Place::Local {
            path.place = self.place.clone();
        }
        if state.certainty == Certainty::May {
            path.certainty = Certainty::May;
        }
        self.resolved(path, state)
    }

    fn writes(
        &mut self,
        writes: Vec<doorward_core::intent::WriteIntent>,
        args: &[Arg],
        passed: &Trail,
        fetches: bool,
        state: &mut State,
    ) {
        if writes.is_empty() {
            return;
        }
        let name =
            args.first().map(|first| first.word.text.rsplit('/').next().unwrap_or_default().to_owned());
        let name = name.unwrap_or_default();
        let copies = asked::COPIERS.contains(&name.as_str());
        let sources: Vec<String> = args
            .iter()
            .skip(1)
            .filter(|arg| !arg.word.text.starts_with('-'))
            .map(|arg| arg.raw.clone())
            .collect();
        // Every file gets a copy of a text that is known.
        let input = state.stdin.known.as_ref().filter(|_| asked::writes_input(&name));
        let input = input.cloned().filter(|text| {
            let span = writes.first().map_or(self.whole, |write| write.path.span);
            self.copies(text, writes.len(), span)
        });
        let inert = super::edit::is_inert(&name, args);
        // Whether a source came from the network, and where the bytes come from with or without that: looked up once,
        // since there may be as many sources as files.
        let mut fetched_source: Option<bool> = None;
        let mut trails: [Option<Trail>; 2] = [None, None];
        for mut write in writes {
            if write.content.is_none() {
                write.content = input.clone().filter(|text| !text.contains(HOLE));
            }
            write.downloaded |= fetches && !copies && write.mode != WriteMode::Metadata;
            let original = write.path.clone();
            if write.moved_from.is_some() {
                state.made = Rc::default();
            }
            let target = args.iter().find(|arg| arg.word.span == original.span);
            let paths = match target.and_then(|arg| ci_file(arg, write.mode, write.content.as_deref())) {
                Some(file) => vec![file],
                None => self.linked(self.placed(original.clone(), state), state),
            };
            for path in paths {
                let mut write = write.clone();
                if let Some(from) = &write.moved_from {
                    write.moved_from = self.placed(from.clone(), state).into_iter().next();
                }
                write.path = path;
                self.intent.writes.push(write);
            }
            if matches!(write.mode, WriteMode::Metadata) {
                continue;
            }
            let key = self.key(&original.text, state);
            // A literal edit leaves the file what it was, but for text that does nothing.
            if write.mode == WriteMode::InPlace && self.written(&key, state).is_none() && inert {
                continue;
            }
            // What a compiler makes of the project's sources is the project's own program; sources of this text are
            // read.
            if asked::COMPILERS.contains(&name.as_str()) && !write.downloaded {
                let made_here: Vec<Written> = sources
                    .iter()
                    .filter_map(|source| self.written(&self.key(source, state), state))
                    .collect();
                let texts: Option<Vec<Value>> = made_here
                    .into_iter()
                    .map(|written| match written {
                        Written::Text(text, trail) if !text.contains(HOLE) => Some(Value { text, trail }),
                        _ => None,
                    })
                    .collect();
                if let Some(texts) = texts {
                    for text in texts {
                        self.language(
                            "native",
                            &text,
                            crate::languages::Invocation::default(),
                            write.path.span,
                            &name,
                            None,
                            state,
                        );
                    }
                    continue;
                }
            }
            if asked::links(&name) {
                self.link(&sources, &original.text, state);
            }
            let written = if copies {
                sources
                    .iter()
                    .rev()
                    .nth(1)
                    .or_else(|| sources.first())
                    .map(|source| Written::Same(source.clone()))
            } else if let Some(text) = input.clone() {
                let before = if write.mode == WriteMode::Append { self.written(&key, state) } else { None };
                match before {
                    Some(Written::Text(old, trail)) => {
                        Some(Written::Text(old + &text, follow_both(&trail, &state.stdin.trail)))
                    }
                    _ => Some(Written::Text(text, state.stdin.trail.clone())),
                }
            } else {
                let is_fetched = |source: &String| match self.written(&self.key(source, state), state) {
                    Some(Written::Unknown(trail) | Written::Text(_, trail)) => {
                        trail.as_ref().is_some_and(|taint| taint.network)
                    }
                    _ => false,
                };
                let any = *fetched_source.get_or_insert_with(|| sources.iter().any(is_fetched));
                let network = write.downloaded || any;
                // What this command fetched may be a source of its next file.
                if write.downloaded && sources.contains(&original.text) {
                    fetched_source = Some(true);
                }
                let [local, fetched] = &mut trails;
                let trail = if network { fetched } else { local };
                let taint = Taint { network, ..Taint::default() };
                let trail = trail.get_or_insert_with(|| follow_both(passed, &Some(Rc::new(taint))));
                Some(Written::Unknown(trail.clone()))
            };
            if let Some(written) = written {
                if copies && let Written::Same(source) = &written {
                    let base = source.rsplit('/').next().unwrap_or(source);
                    let inside = self.key(&format!("{}/{base}", original.text), state);
                    Rc::make_mut(&mut state.files).insert(inside, written.clone());
                }
                Rc::make_mut(&mut state.files).insert(key, written);
            }
        }
    }

    /// Remembers a link that this text makes, by the name it is used by.
    fn link(&mut self, sources: &[String], name: &str, state: &mut State) {
        let target = match sources {
            [.., target, last]
                if last.trim_end_matches('/') == name.trim_end_matches('/')
                    || name.ends_with(last.as_str()) =>
            {
                target
            }
            [target, ..] => target,
            [] => return,
        };
        let key = self.key(name, state);
        let target = match key.rsplit_once('/') {
            Some((folder, _)) if !target.starts_with(['/', '~']) => format!("{folder}/{target}"),
            _ => target.clone(),
        };
        Rc::make_mut(&mut state.links).insert(key, target);
    }

    /// Paths that lead through links of this text, where they lead; the names themselves stay too.
    pub(crate) fn linked(&self, paths: Vec<Operand>, state: &State) -> Vec<Operand> {
        if state.links.is_empty() {
            return paths;
        }
        let mut all = paths;
        for at in 0..all.len() {
            let Some(path) = all.get(at).cloned() else { continue };
            let key = self.key(&path.text, &State::default());
            let target = state.links.iter().find_map(|(link, target)| {
                let rest = key.strip_prefix(link.as_str())?;
                (rest.is_empty() || rest.starts_with('/'))
                    .then(|| format!("{}{rest}", target.trim_end_matches('/')))
            });
            if let Some(text) = target {
                all.push(Operand { text, ..path });
            }
        }
        all
    }

    /// Bytes of this trail reach a host.
    pub(crate) fn sent(&mut self, trail: &Trail, _direction: Option<Direction>, span: Span) {
        let Some(taint) = trail.clone() else { return };
        for &index in &taint.reads {
            if let Some(read) = self.intent.reads.get_mut(index) {
                read.reaches_host = true;
            }
        }
        for name in &taint.env {
            self.env_read(name, true, span);
        }
    }

    /// Bytes of this trail reach the output.
    fn shown(&mut self, trail: &Trail, span: Span) {
        for name in trail.iter().flat_map(|taint| taint.env.clone()).collect::<Vec<_>>() {
            self.env_read(&name, false, span);
        }
    }

    pub(crate) fn env_read(&mut self, name: &str, reaches_host: bool, span: Span) {
        let lately = self.intent.env_reads.iter_mut().rev().take(64);
        let known = lately.into_iter().find(|read| read.name == name && read.span == span);
        match known {
            Some(read) => read.reaches_host |= reaches_host,
            None => self.intent.env_reads.push(EnvRead { name: name.to_owned(), reaches_host, span }),
        }
    }
}

/// Where the words stand whose bytes come from such a place.
fn spans_of(args: &[Arg], is_such: impl Fn(&Taint) -> bool) -> Vec<Span> {
    args.iter().filter(|arg| arg.trail.as_deref().is_some_and(&is_such)).map(|arg| arg.word.span).collect()
}
