//! Builtins that change the shell: folder, variables, functions, aliases, traps, descriptors.
//!
//! What a builtin reads, writes or runs is said by the tables like for any program; here stands only what it
//! does to the state, and the code that runs inside its operands.

use std::collections::BTreeMap;
use std::rc::Rc;

use doorward_core::intent::{Certainty, Form, Span};

use super::assign::{Assigned, NewValue};
use super::command::Lookup;
use super::{Flow, names};
use crate::machine::Machine;
use crate::state::{Content, Folder, State, Var};
use crate::value::{Arg, HOLE, Stream, Trail, Value};

impl Machine<'_> {
    /// Carries out a builtin; `None` if there is none of this name.
    #[expect(clippy::too_many_arguments, reason = "the parts of one command")]
    pub(crate) fn builtin(
        &mut self,
        name: &str,
        args: &[Arg],
        assigned: &[Assigned],
        declared: &[Assigned],
        lookup: Lookup,
        span: Span,
        state: &mut State,
    ) -> Option<Flow> {
        let status = match name {
            ":" | "true" | "echo" => Some(true),
            "false" => Some(false),
            "cd" | "chdir" => {
                let operand = args.iter().skip(1).find(|arg| !is_option(&arg.raw) || arg.raw == "-");
                let flow = self.describe_only(args, assigned, span, state);
                self.change_folder(operand, state);
                return Some(Flow { status: Some(true), ..flow });
            }
            "pushd" | "popd" => {
                let flow = self.describe_only(args, assigned, span, state);
                match args.get(1) {
                    Some(folder) if name == "pushd" => self.change_folder(Some(folder), state),
                    _ => {
                        let back = state.previous_folder.clone().unwrap_or(Folder::anywhere());
                        state.previous_folder = Some(std::mem::replace(&mut state.folder, back));
                    }
                }
                return Some(Flow { status: Some(true), ..flow });
            }
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                self.declare(name, args, declared, state);
                Some(true)
            }
            "unset" => {
                for arg in args.iter().skip(1).filter(|arg| !is_option(&arg.raw)) {
                    self.named_value(&arg.raw, arg.word.span, state);
                    Rc::make_mut(&mut state.vars).remove(&arg.raw);
                    if args.get(1).is_some_and(|arg| arg.raw == "-f") || !state.vars.contains_key(&arg.raw) {
                        Rc::make_mut(&mut state.functions).remove(&arg.raw);
                    }
                }
                Some(true)
            }
            "read" => {
                // `IFS=: read a b`: the separators hold for this command only.
                let own = assigned.iter().rfind(|assigned| assigned.name == "IFS").cloned();
                let before = state.var("IFS").cloned();
                if let Some(own) = &own {
                    self.assign(own, state);
                }
                let status = self.read_into(args, span, state);
                if own.is_some() {
                    match before {
                        Some(var) => state.set_var("IFS", var),
                        None => {
                            Rc::make_mut(&mut state.vars).remove("IFS");
                        }
                    }
                }
                status
            }
            "mapfile" | "readarray" => {
                self.map_file(args, state);
                Some(true)
            }
            "printf" => {
                if let Some(flow) = self.print_into(args, assigned, span, state) {
                    return Some(flow);
                }
                Some(true)
            }
            "set" => {
                self.set_options(args, span, state);
                Some(true)
            }
            "shift" => {
                let by = args
                    .get(1)
                    .map_or(Some(1), |arg| arg.known().and_then(|text| text.parse::<usize>().ok()));
                if let (Some(positional), Some(by)) = (state.positional.as_mut(), by) {
                    let positional = Rc::make_mut(positional);
                    let last = (1 + by).min(positional.len());
                    if positional.len() > 1 {
                        positional.drain(1..last);
                    }
                } else {
                    state.positional = None;
                }
                None
            }
            "getopts" => {
                self.get_options(args, state);
                None
            }
            "alias" => {
                for arg in args.iter().skip(1) {
                    if let Some((name, text)) = arg.raw.split_once('=') {
                        self.shadows(name, arg.word.span);
                        let value = Value { text: text.to_owned(), trail: arg.trail.clone() };
                        Rc::make_mut(&mut state.aliases).insert(name.to_owned(), value);
                    }
                }
                Some(true)
            }
            "unalias" => {
                for arg in args.iter().skip(1) {
                    Rc::make_mut(&mut state.aliases).remove(&arg.raw);
                }
                Some(true)
            }
            "shopt" | "setopt" => {
                let has = |words: &[&str]| args.iter().skip(1).any(|arg| words.contains(&arg.raw.as_str()));
                if has(&["dotglob", "globdots", "dot_glob"]) && (name == "setopt" || has(&["-s"])) {
                    state.dot_names = true;
                }
                Some(true)
            }
            "hash" => {
                if let (Some("-p"), Some(file), Some(name)) =
                    (args.get(1).and_then(Arg::known), args.get(2), args.get(3))
                {
                    Rc::make_mut(&mut state.hashed).insert(name.raw.clone(), file.raw.clone());
                }
                Some(true)
            }
            "let" => {
                for arg in args.iter().skip(1) {
                    self.evaluate(&arg.raw, arg.word.span, state);
                }
                None
            }
            "test" | "[" => self.plain_test(args, state),
            "wait" => {
                if let Some(at) = args.iter().position(|arg| arg.raw == "-p")
                    && let Some(name) = args.get(at + 1)
                {
                    self.named_value(&name.raw, name.word.span, state);
                }
                None
            }
            "break" | "return" | "exit" => {
                self.left = true;
                Some(true)
            }
            "command" | "builtin" | "exec" if args.len() > 1 => {
                return self.inner_command(name, args, assigned, span, state);
            }
            "exec" => return Some(self.keep_redirections(args, assigned, span, state)),
            "complete" | "compgen" => return None,
            _ => return None,
        };
        let _ = lookup;
        let flow = self.describe_only(args, assigned, span, state);
        Some(Flow { status, ..flow })
    }

    fn describe_only(&mut self, args: &[Arg], assigned: &[Assigned], span: Span, state: &mut State) -> Flow {
        self.program_call(args, assigned, span, state)
    }

    fn shadows(&mut self, name: &str, span: Span) {
        if crate::programs::is_known(name) {
            self.find_at("shell.shadowed", format!("an alias takes the name of the program {name}"), span);
        }
    }

    /// `command x`, `builtin x`, `exec x`: the same shell goes on with `x`.
    fn inner_command(
        &mut self,
        name: &str,
        args: &[Arg],
        assigned: &[Assigned],
        span: Span,
        state: &mut State,
    ) -> Option<Flow> {
        let mut at = 1;
        while let Some(arg) = args.get(at) {
            match arg.raw.as_str() {
                "--" => {
                    at += 1;
                    break;
                }
                "-a" if name == "exec" => at += 2,
                option if is_option(option) => {
                    if name == "command" && option.contains(['v', 'V']) {
                        return None;
                    }
                    at += 1;
                }
                _ => break,
            }
        }
        let rest = args.get(at..).unwrap_or_default().to_vec();
        if rest.is_empty() {
            return None;
        }
        if rest.first().is_some_and(|first| first.word.form == Form::Literal) && guard_tables(name) {
            self.via.push(name.to_owned());
            let flow = self.invoke(rest, assigned, &[], Lookup::NoFunctions, span, state);
            self.via.pop();
            return Some(flow);
        }
        None
    }

    /// `exec` with redirections only: they stay.
    fn keep_redirections(
        &mut self,
        args: &[Arg],
        assigned: &[Assigned],
        span: Span,
        state: &mut State,
    ) -> Flow {
        self.program_call(args, assigned, span, state)
    }

    fn change_folder(&mut self, operand: Option<&Arg>, state: &mut State) {
        let before = state.folder.clone();
        match operand {
            Some(operand) if operand.raw == "-" => {
                state.folder = state.previous_folder.clone().unwrap_or(Folder::anywhere());
            }
            Some(operand) => self.enter_folder(operand, state),
            None => {
                let home = self.options.home.clone().unwrap_or_else(|| "~".to_owned());
                state.folder = Folder::exactly(home);
            }
        }
        state.previous_folder = Some(before);
    }

    /// Enters a folder, lexically.
    pub(crate) fn enter_folder(&mut self, operand: &Arg, state: &mut State) {
        let target = &operand.raw;
        if operand.word.form != Form::Literal || target.contains(HOLE) {
            let pattern = match (operand.word.form, state.folder.may_be.as_slice()) {
                (Form::Glob, [Some(_)]) if target.contains(HOLE) || target.starts_with('~') => None,
                (Form::Glob, [Some(_)]) if target.starts_with('/') => Some(target.clone()),
                (Form::Glob, [Some(folder)]) if folder.is_empty() => Some(target.clone()),
                (Form::Glob, [Some(folder)]) => Some(format!("{folder}/{target}")),
                _ => None,
            };
            state.folder = Folder { pattern, ..Folder::anywhere() };
            return;
        }
        for folder in &mut state.folder.may_be {
            *folder = match folder.as_deref() {
                _ if target.starts_with(['/', '~']) => Some(target.clone()),
                None => None,
                Some("") => Some(target.clone()),
                Some(folder) => Some(format!("{folder}/{target}")),
            }
            .map(|path| {
                let path = names::normal(&path);
                match path.as_str() {
                    "." => String::new(),
                    _ => path.strip_prefix("./").map(str::to_owned).unwrap_or(path),
                }
            });
        }
    }

    fn declare(&mut self, builtin: &str, args: &[Arg], declared: &[Assigned], state: &mut State) {
        let mut flags = String::new();
        let mut removed = String::new();
        let mut names_only: Vec<(String, Option<Value>, Span)> = Vec::new();
        let mut functions = false;
        for arg in args.iter().skip(1) {
            if let Some(options) = arg.raw.strip_prefix('-').filter(|_| is_option(&arg.raw)) {
                flags.push_str(options);
                functions |= options.contains(['f', 'F']);
                continue;
            }
            if let Some(options) = arg.raw.strip_prefix('+') {
                removed.push_str(options);
                continue;
            }
            if declared
                .iter()
                .any(|assigned| assigned.span == arg.word.span && arg.raw.starts_with(&assigned.name))
            {
                continue;
            }
            match arg.raw.split_once('=') {
                Some((name, value)) => {
                    let value = Value { text: value.to_owned(), trail: arg.trail.clone() };
                    names_only.push((name.to_owned(), Some(value), arg.word.span));
                }
                None => names_only.push((arg.raw.clone(), None, arg.word.span)),
            }
        }
        if functions {
            return;
        }
        let local = builtin == "local"
            || (matches!(builtin, "declare" | "typeset") && !self.calls.is_empty() && !flags.contains('g'));
        let mut all: Vec<(Assigned, bool)> =
            declared.iter().map(|assigned| (assigned.clone(), true)).collect();
        for (name, value, span) in names_only {
            self.named_value(&name, span, state);
            let name = name.trim_end_matches('+').to_owned();
            let given = value.is_some();
            all.push((Assigned::scalar(&name, value.unwrap_or_default(), span), given));
        }
        for (assigned, given) in all {
            if local && !state.hidden.iter().any(|(name, _)| *name == assigned.name) {
                let before = state.var(&assigned.name).cloned();
                state.hidden.push((assigned.name.clone(), before));
                if !assigned.append {
                    Rc::make_mut(&mut state.vars).remove(&assigned.name);
                }
            }
            self.attributes(&assigned.name, &flags, &removed, given, state);
            if !given {
                if builtin == "export" || flags.contains('x') {
                    self.exported(&assigned, state);
                }
                continue;
            }
            if flags.contains('n') {
                let mut var = match &assigned.value {
                    NewValue::Scalar(value) => Var::holding(Content::Scalar(value.clone())),
                    NewValue::List(_) => continue,
                };
                var.nameref = true;
                state.set_var(&assigned.name, var);
            } else if let Some(list) = self.list_in_text(&assigned, &flags, state) {
                self.assign(&list, state);
            } else {
                self.assign(&assigned, state);
            }
        }
    }

    /// `X=value; export X`: what the variable already holds reaches programs from here on.
    fn exported(&mut self, name: &Assigned, state: &mut State) {
        let held = state.var(&name.name).map(|var| var.may_hold.clone()).unwrap_or_default();
        for content in held {
            if let Content::Scalar(value) = content {
                self.carried(&Assigned::scalar(&name.name, value, name.span), state);
            }
        }
    }

    /// `declare -a x='(a b)'`: the text is read as a list.
    fn list_in_text(&mut self, assigned: &Assigned, flags: &str, state: &mut State) -> Option<Assigned> {
        let NewValue::Scalar(value) = &assigned.value else { return None };
        let inner = value.exact()?.strip_prefix('(')?.strip_suffix(')')?.to_owned();
        if !flags.contains(['a', 'A']) {
            return None;
        }
        let source = crate::source::Source::new(inner.clone(), None, assigned.span);
        let mut items = Vec::new();
        for part in inner.split_whitespace().take(1024) {
            let raw = crate::source::Raw { text: part, at: None, span: assigned.span };
            items.extend(self.words(raw, &source, state).iter().map(|arg| (None, arg.value())));
        }
        Some(Assigned { value: NewValue::List(items), ..assigned.clone() })
    }

    fn attributes(&mut self, name: &str, flags: &str, removed: &str, given: bool, state: &mut State) {
        if flags.is_empty() && removed.is_empty() {
            return;
        }
        let name = name.split('[').next().unwrap_or(name);
        let mut var = match state.var(name) {
            Some(var) => var.clone(),
            None if flags.contains(['a', 'A', 'i', 'l', 'u', 'n']) || given => Var::holding(Content::Unset),
            None => return,
        };
        if flags.contains('A') && !matches!(var.may_hold.as_slice(), [Content::Map(_)]) {
            var.may_hold = vec![Content::Map(BTreeMap::new())];
        }
        var.integer = (var.integer || flags.contains('i')) && !removed.contains('i');
        var.lower = (var.lower || flags.contains('l')) && !removed.contains('l');
        var.upper = (var.upper || flags.contains('u')) && !removed.contains('u');
        var.nameref = (var.nameref || (flags.contains('n') && !given)) && !removed.contains('n');
        state.set_var(name, var);
    }

    /// `read`: a line of what is known to arrive, split on `IFS`.
    fn read_into(&mut self, args: &[Arg], span: Span, state: &mut State) -> Option<bool> {
        let mut names: Vec<(String, Span)> = Vec::new();
        let mut array = None;
        let mut raw_mode = false;
        let mut delimiter = "\n".to_owned();
        let mut limit = None;
        let mut descriptor = 0;
        let mut at = 1;
        while let Some(arg) = args.get(at) {
            let text = arg.raw.as_str();
            if let Some(flags) = text.strip_prefix('-').filter(|flags| !flags.is_empty() && names.is_empty())
            {
                for (index, flag) in flags.char_indices() {
                    if !matches!(flag, 'a' | 'd' | 'i' | 'n' | 'N' | 'p' | 't' | 'u') {
                        raw_mode |= flag == 'r';
                        continue;
                    }
                    let rest = flags.get(index + 1..).unwrap_or_default();
                    let value = if rest.is_empty() {
                        at += 1;
                        args.get(at).map(|arg| arg.raw.clone()).unwrap_or_default()
                    } else {
                        rest.to_owned()
                    };
                    match flag {
                        'a' => array = Some(value),
                        'd' => delimiter = value,
                        'n' | 'N' => limit = value.parse::<usize>().ok(),
                        'u' => descriptor = value.parse().unwrap_or(0),
                        _ => {}
                    }
                    break;
                }
            } else {
                self.named_value(text, arg.word.span, state);
                names.push((text.to_owned(), arg.word.span));
            }
            at += 1;
        }
        let stream = if descriptor == 0 {
            state.stdin.clone()
        } else {
            state.descriptors.get(&descriptor).cloned().unwrap_or_default()
        };
        let trail = stream.trail.clone();
        let Some(text) = stream.known.clone() else {
            if let (Some(lines), None, true) = (stream.lines(), &array, names.len() <= 1) {
                let name = names.first().map_or("REPLY", |(name, _)| name.as_str());
                let mut var = Var::holding(Content::Unset);
                var.may_hold = lines.into_iter().map(Content::Scalar).collect();
                state.set_var(name, var);
                return None;
            }
            let unknown = Value { text: HOLE.to_string(), trail };
            if let Some(array) = array {
                state.set_var(&array, Var::holding(Content::Scalar(unknown.clone())));
            }
            if names.is_empty() {
                names.push(("REPLY".to_owned(), span));
            }
            for (name, _) in names {
                self.assign(&Assigned::scalar(&name, unknown.clone(), span), state);
            }
            return None;
        };
        let ended = text.is_empty();
        let cut = if delimiter.is_empty() { text.find('\0') } else { text.find(delimiter.as_str()) };
        let cut = match (cut, limit) {
            (cut, Some(limit)) => {
                let most = text.char_indices().nth(limit).map_or(text.len(), |(at, _)| at);
                (cut.unwrap_or(text.len()).min(most), 0)
            }
            (Some(cut), None) => (cut, delimiter.len().max(1)),
            (None, None) => (text.len(), 0),
        };
        let line = text.get(..cut.0).unwrap_or_default().to_owned();
        let rest = text.get((cut.0 + cut.1).min(text.len())..).unwrap_or_default().to_owned();
        let complete = cut.1 > 0 || limit.is_some();
        let remaining = Stream { known: Some(rest), ..stream };
        if descriptor == 0 {
            state.stdin = remaining;
        } else {
            Rc::make_mut(&mut state.descriptors).insert(descriptor, remaining);
        }
        let line = if raw_mode { line } else { line.replace("\\\n", "").replace('\\', "") };
        self.distribute(&line, &trail, &names, array.as_deref(), span, state);
        // A last line without its end is still read, though `read` fails on it.
        Some(!ended && complete)
    }

    fn distribute(
        &mut self,
        line: &str,
        trail: &Trail,
        names: &[(String, Span)],
        array: Option<&str>,
        span: Span,
        state: &mut State,
    ) {
        let separators = match state.var("IFS") {
            Some(_) => self.scalar("IFS", state).map_or_else(|| " \t\n".to_owned(), |value| value.text),
            None => " \t\n".to_owned(),
        };
        let value = |text: &str| Value { text: text.to_owned(), trail: trail.clone() };
        if let Some(array) = array {
            let values = fields(line, &separators, usize::MAX).iter().map(|field| value(field)).collect();
            state.set_var(array, Var::holding(Self::list_of(values)));
            return;
        }
        if names.is_empty() {
            state.set("REPLY", value(line));
            return;
        }
        let fields = fields(line, &separators, names.len());
        for (index, (name, at)) in names.iter().enumerate() {
            let field = fields.get(index).map(String::as_str).unwrap_or_default();
            let _ = at;
            self.assign(&Assigned::scalar(name, value(field), span), state);
        }
    }

    fn map_file(&mut self, args: &[Arg], state: &mut State) {
        let mut strips = false;
        let mut separator = '\n';
        let mut name = "MAPFILE".to_owned();
        let mut at = 1;
        while let Some(arg) = args.get(at) {
            match arg.raw.as_str() {
                "-t" => strips = true,
                "-d" => {
                    at += 1;
                    // An empty separator is the NUL byte.
                    separator = args.get(at).and_then(|arg| arg.raw.chars().next()).unwrap_or('\0');
                }
                attached if attached.starts_with("-d") => {
                    separator = attached.chars().nth(2).unwrap_or('\0');
                }
                "-n" | "-O" | "-s" | "-u" | "-C" | "-c" => at += 1,
                option if is_option(option) => strips |= option.contains('t'),
                other => name = other.to_owned(),
            }
            at += 1;
        }
        let trail = state.stdin.trail.clone();
        let content = match &state.stdin.known {
            Some(text) => {
                let lines = text.split_inclusive(separator).take(1024).map(|line| {
                    let line = if strips { line.strip_suffix(separator).unwrap_or(line) } else { line };
                    Value { text: line.to_owned(), trail: trail.clone() }
                });
                Self::list_of(lines.collect())
            }
            None => match state.stdin.lines() {
                Some(lines) => Self::list_of(lines),
                None => Content::Scalar(Value { text: HOLE.to_string(), trail }),
            },
        };
        state.set_var(&name, Var::holding(content));
    }

    /// `printf -v NAME …`.
    fn print_into(
        &mut self,
        args: &[Arg],
        assigned: &[Assigned],
        span: Span,
        state: &mut State,
    ) -> Option<Flow> {
        let first = args.get(1)?;
        let flag = first.raw.strip_prefix("-v")?;
        let (name, rest) = if flag.is_empty() {
            (args.get(2)?.clone(), args.get(3..)?)
        } else {
            let mut name = first.clone();
            name.raw = flag.to_owned();
            (name, args.get(2..)?)
        };
        self.named_value(&name.raw, name.word.span, state);
        let mut print = vec![args.first()?.clone()];
        print.extend(rest.iter().cloned());
        let printed = self.program_call(&print, assigned, span, state);
        let mut value = printed.out.value();
        if let Some(text) = &printed.out.known {
            value.text.clone_from(text);
        }
        let (target, subscript) = match name.raw.split_once('[') {
            Some((target, index)) => (target.to_owned(), Some(index.trim_end_matches(']').to_owned())),
            None => (name.raw.clone(), None),
        };
        let assigned =
            Assigned { name: target, subscript, value: NewValue::Scalar(value), append: false, span };
        self.assign(&assigned, state);
        Some(Flow::done(Some(true)))
    }

    fn set_options(&mut self, args: &[Arg], span: Span, state: &mut State) {
        let mut at = 1;
        let mut positional = None;
        while let Some(arg) = args.get(at) {
            match arg.raw.as_str() {
                "--" | "-" => {
                    positional = Some(at + 1);
                    break;
                }
                "-o" if args.get(at + 1).is_some_and(|arg| arg.raw == "xtrace") => {
                    state.trace = true;
                    at += 1;
                }
                "-o" | "+o" => at += 1,
                option if option.starts_with('-') && option.len() > 1 => state.trace |= option.contains('x'),
                option if option.starts_with('+') => {}
                _ => {
                    positional = Some(at);
                    break;
                }
            }
            at += 1;
        }
        if let Some(from) = positional {
            let mut values = vec![Value::known("bash")];
            for arg in args.iter().skip(from) {
                values.push(arg.handed_over());
            }
            let split = args.iter().skip(from).any(|arg| arg.word.may_split);
            state.positional = if split { None } else { Some(Rc::new(values)) };
        }
        if state.trace {
            self.trace(span, state);
        }
    }

    /// Under `set -x` the shell expands `PS4` before each command.
    pub(crate) fn trace(&mut self, span: Span, state: &mut State) {
        if let Some(value) = self.scalar("PS4", state).filter(|value| value.text.contains(['$', '`'])) {
            let certainty = std::mem::replace(&mut state.certainty, Certainty::May);
            self.expanded_again(&value.text, span, state);
            state.certainty = certainty;
        }
    }

    fn get_options(&mut self, args: &[Arg], state: &mut State) {
        let Some(name) = args.get(2) else { return };
        let values: Option<Vec<Value>> = if args.len() > 3 {
            Some(args.iter().skip(3).map(Arg::value).collect())
        } else {
            state.positional.as_ref().map(|values| values.get(1..).unwrap_or_default().to_vec())
        };
        // Which option is met in which round isn't followed: each letter and argument may be.
        let mut letters = vec![Content::scalar("?")];
        let mut arguments = vec![Content::Unset];
        for value in values.iter().flatten() {
            if let Some(flags) = value.text.strip_prefix('-') {
                letters.extend(flags.chars().take(1).map(|flag| Content::scalar(&flag.to_string())));
                let attached: String = flags.chars().skip(1).collect();
                if !attached.is_empty() {
                    arguments.push(Content::scalar(&attached));
                }
            } else {
                arguments.push(Content::Scalar(value.clone()));
            }
        }
        if values.is_none() {
            letters.push(Content::Scalar(Value::unknown()));
            arguments.push(Content::Scalar(Value::unknown()));
        }
        let mut var = Var::holding(Content::Unset);
        var.may_hold = letters;
        state.set_var(&name.raw, var.clone());
        var.may_hold = arguments;
        state.set_var("OPTARG", var);
    }
}

/// Whether the words behind this builtin are looked up like a command here.
fn guard_tables(name: &str) -> bool {
    matches!(name, "command" | "builtin" | "exec")
}

fn is_option(text: &str) -> bool {
    text.starts_with('-') && text.len() > 1
}

/// Fields of a line; the last takes the rest.
fn fields(line: &str, separators: &str, most: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let blank = |character: char| character.is_whitespace() && separators.contains(character);
    let mut rest = line.trim_matches(blank);
    while !rest.is_empty() {
        if out.len() + 1 == most {
            out.push(rest.to_owned());
            break;
        }
        match rest.find(|character| separators.contains(character)) {
            Some(end) => {
                out.push(rest.get(..end).unwrap_or_default().to_owned());
                let mut tail = rest.get(end..).unwrap_or_default().trim_start_matches(blank);
                if let Some(first) = tail.chars().next().filter(|first| separators.contains(*first)) {
                    tail = tail.get(first.len_utf8()..).unwrap_or_default();
                }
                rest = tail.trim_start_matches(blank);
            }
            None => {
                out.push(rest.to_owned());
                break;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fall_into_fields() {
        assert_eq!(fields("a b  c", " \t\n", 2), ["a", "b  c"]);
        assert_eq!(fields("rm,-rf,d", ",", usize::MAX), ["rm", "-rf", "d"]);
        assert_eq!(fields("a::b", ":", usize::MAX), ["a", "", "b"]);
    }
}
