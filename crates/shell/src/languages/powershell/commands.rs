//! Commands: what their name stands for, which argument goes to which parameter, and what the parameters' roles say.

use std::rc::Rc;

use doorward_core::intent::{Code, Direction, EnvRead, ReadIntent, WriteMode};

use super::super::Value as Plain;
use super::super::windows::{self, Named};
use super::ast::{Argument, Command};
use super::cmdlets::{self, Act, Cmdlet, Out, Param, Role};
use super::eval::Runner;
use super::value::{Data, HOLE, Value, both};
use crate::deed::{Deeds, Run, Word};

/// A command's arguments by parameter.
#[derive(Debug, Default)]
pub(super) struct Bound {
    pub(super) values: Vec<(&'static str, Value)>,
    /// Switches that are given.
    pub(super) switches: Vec<&'static str>,
    /// What no parameter takes.
    pub(super) rest: Vec<Value>,
    pub(super) piped: Option<Value>,
}

impl Bound {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.switches.contains(&name)
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(Value::shown)
    }
}

/// An argument after its values were computed.
enum Given {
    Named(String, Option<Value>),
    Value(Value),
}

impl Runner<'_> {
    pub(super) fn word(&self, value: &Value) -> Word {
        self.effects.word(&Plain::literal(value.shown()))
    }

    /// A command that the tables of cmdlets judged.
    pub(super) fn judged(&mut self, words: Vec<Word>, deeds: Deeds) {
        let via = self.effects.language.clone();
        self.effects.deeds.runs.push(Run::Judged { words, deeds: Box::new(deeds), via });
    }

    pub(super) fn command(&mut self, command: &Command) -> Value {
        let outer = self.effects.span;
        self.effects.span = self.part(command.range.0, command.range.1);
        let value = self.placed_command(command);
        self.effects.span = outer;
        value
    }

    fn placed_command(&mut self, command: &Command) -> Value {
        let piped = self.piped.take();
        let name = self.expr(&command.name);
        let given = self.given(&command.args);
        match &name.data {
            Data::Script(block) => {
                let block = Rc::clone(block);
                return self.called(&block, given, piped, command.operator == Some('.'));
            }
            Data::Object(class, held) if class == "scriptblock" => {
                let code = held.as_deref().cloned().unwrap_or_else(Value::unknown);
                return self.run_text(&code);
            }
            _ => {}
        }
        let known = match &name.data {
            Data::List(items) if items.len() > 1 => None,
            _ => name.known().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()),
        };
        let Some(text) = known else {
            if name.is(|marks| marks.network) {
                self.find("shell.remote_code", "the command comes from the network");
            }
            self.find("shell.obfuscated", "which command runs can't be seen");
            let words =
                std::iter::once(Value::unknown()).chain(given.into_iter().filter_map(|given| match given {
                    Given::Value(value) | Given::Named(_, Some(value)) => Some(value),
                    Given::Named(..) => None,
                }));
            let words: Vec<Word> = words.map(|word| self.word(&word)).collect();
            self.judged(words, Deeds::default());
            return Value::unknown();
        };
        if name.is(|marks| marks.assembled || marks.decoded) {
            self.find("shell.obfuscated", "the name of the command is put together on the spot");
        }
        if crate::guard::is_look_alike(&text) {
            self.find("shell.invisible", "a command word with look-alike or invisible characters");
        }
        self.named(&text, given, piped, 0)
    }

    fn given(&mut self, args: &[Argument]) -> Vec<Given> {
        let mut given = Vec::new();
        for arg in args {
            match arg {
                Argument::Named(name, value) => {
                    let value = value.as_ref().map(|value| self.expr(value));
                    given.push(Given::Named(name.clone(), value));
                }
                Argument::Value(expr) => {
                    let value = self.expr(expr);
                    given.push(Given::Value(value));
                }
                Argument::Splat(name) => {
                    let value = self.variable(name);
                    match &value.data {
                        Data::Map(pairs) => {
                            given.extend(
                                pairs
                                    .iter()
                                    .map(|(key, value)| Given::Named(key.clone(), Some(value.clone()))),
                            );
                        }
                        Data::List(items) => given.extend(items.iter().cloned().map(Given::Value)),
                        _ => given.push(Given::Value(value)),
                    }
                }
            }
        }
        given
    }

    fn called(
        &mut self,
        block: &Rc<super::ast::Block>,
        given: Vec<Given>,
        piped: Option<Value>,
        shares: bool,
    ) -> Value {
        let mut args = Vec::new();
        let mut given = given.into_iter().peekable();
        while let Some(arg) = given.next() {
            match arg {
                Given::Value(value) => args.push((String::new(), value)),
                Given::Named(name, Some(value)) => args.push((name, value)),
                Given::Named(name, None) => {
                    let lower = name.to_ascii_lowercase();
                    let param = block.params.iter().find(|param| param.name.starts_with(&lower));
                    let is_switch = param.is_none_or(|param| param.switch);
                    let name = param.map_or(name, |param| param.name.clone());
                    match given.next_if(|next| !is_switch && matches!(next, Given::Value(_))) {
                        Some(Given::Value(value)) => args.push((name, value)),
                        _ => args.push((name, Value::text("True"))),
                    }
                }
            }
        }
        if shares && args.is_empty() {
            return self.inline(block, piped.as_ref());
        }
        self.body(block, args, piped)
    }

    /// A command of this name: a function, an alias, a cmdlet, a program.
    fn named(&mut self, name: &str, given: Vec<Given>, piped: Option<Value>, layer: u32) -> Value {
        let lower = name.to_ascii_lowercase();
        let bare = lower.rsplit('\\').next().unwrap_or_default();
        let module = lower.contains('\\')
            && cmdlets::lookup(bare).is_some()
            && !lower.starts_with(['.', '\\'])
            && !lower.contains(':');
        let lower = if module { bare.to_owned() } else { lower };
        if let Some(target) = self.scope.aliases.get(&lower).cloned().filter(|_| layer < 8) {
            if target.contains(HOLE) {
                self.find("shell.obfuscated", "an alias of what can't be seen");
            } else if cmdlets::lookup(&target.to_ascii_lowercase()).is_some_and(|row| row.acts()) {
                self.find("shell.obfuscated", "another name for a command that changes things");
            }
            return self.named(&target, given, piped, layer + 1);
        }
        if let Some(body) = self.scope.functions.get(&lower).cloned() {
            return self.called(&body, given, piped, false);
        }
        let row = cmdlets::lookup(&lower);
        match row {
            Some(row) if cmdlets::is_foreign(&lower) && !fits(row, &given) => self.native(name, given, piped),
            Some(row) => self.cmdlet(row, given, piped),
            None => self.native(name, given, piped),
        }
    }

    fn cmdlet(&mut self, row: &'static Cmdlet, given: Vec<Given>, piped: Option<Value>) -> Value {
        let params = row.params();
        let words = self.words_of(row, &params, &given);
        let outer = std::mem::replace(&mut self.effects.deeds, Deeds { known: true, ..Deeds::default() });
        let harmless = std::mem::replace(&mut self.harmless, true);
        let bound = self.bind(row, &params, given, piped);
        let pretends = bound.has("WhatIf") && row.acts();
        let value = if pretends { Value::null() } else { self.act(row, &params, &bound) };
        let mut own = std::mem::replace(&mut self.effects.deeds, outer);
        let runs = std::mem::take(&mut own.runs);
        let quiet = own.writes.is_empty()
            && own.deletes.is_empty()
            && own.hosts.is_empty()
            && own.privilege.is_empty()
            && own.unknown.is_empty()
            && own.findings.is_empty();
        own.read_only = (row.reads || pretends) && quiet && self.harmless;
        own.plain = own.read_only
            || (own.findings.is_empty()
                && own.deletes.is_empty()
                && own.privilege.is_empty()
                && self.harmless);
        self.harmless &= harmless;
        self.judged(words, own);
        self.effects.deeds.runs.extend(runs);
        value
    }

    /// The words of a cmdlet with its full name and the full names of its parameters.
    fn words_of(&self, row: &'static Cmdlet, params: &[Param], given: &[Given]) -> Vec<Word> {
        let mut words = vec![self.effects.word(&Plain::literal(row.name))];
        for given in given {
            match given {
                Given::Named(name, value) => {
                    let name = cmdlets::parameter(params, name).map_or(name.as_str(), |param| param.name);
                    words.push(self.effects.word(&Plain::literal(format!("-{name}"))));
                    words.extend(value.iter().map(|value| self.word(value)));
                }
                Given::Value(value) => words.push(self.word(value)),
            }
        }
        words
    }

    fn bind(
        &mut self,
        row: &'static Cmdlet,
        params: &[Param],
        given: Vec<Given>,
        piped: Option<Value>,
    ) -> Bound {
        let mut bound = Bound::default();
        let mut free: Vec<Value> = Vec::new();
        let mut given = given.into_iter().peekable();
        while let Some(arg) = given.next() {
            let (name, attached) = match arg {
                Given::Value(value) => {
                    free.push(value);
                    continue;
                }
                Given::Named(name, attached) => (name, attached),
            };
            let Some(param) = cmdlets::parameter(params, &name) else {
                if !cmdlets::is_common(&name) {
                    let message =
                        format!("uses the parameter -{name} of {}, which Doorward does not know", row.name);
                    self.find("shell.unknown_option", message);
                }
                if cmdlets::common_takes_value(&name) && attached.is_none() {
                    given.next_if(|next| matches!(next, Given::Value(_)));
                }
                free.extend(attached.filter(|_| !cmdlets::is_common(&name)));
                continue;
            };
            if param.switch {
                let off = attached
                    .and_then(|value| value.known())
                    .is_some_and(|value| value.eq_ignore_ascii_case("false") || value == "0");
                if !off {
                    bound.switches.push(param.name);
                }
                continue;
            }
            let value = match attached {
                Some(value) => Some(value),
                None => match given.next_if(|next| matches!(next, Given::Value(_))) {
                    Some(Given::Value(value)) => Some(value),
                    _ => None,
                },
            };
            bound.values.push((param.name, value.unwrap_or_else(Value::unknown)));
        }
        // A block goes where blocks are run, wherever it stands.
        if let Some(param) =
            params.iter().find(|param| param.role == Some(Role::Script) && param.position.is_some())
            && bound.get(param.name).is_none()
            && let Some(at) = free.iter().position(|value| matches!(value.data, Data::Script(_)))
        {
            bound.values.push((param.name, free.remove(at)));
        }
        let mut free = free.into_iter();
        let mut positions: Vec<&Param> = params.iter().filter(|param| param.position.is_some()).collect();
        positions.sort_by_key(|param| param.position);
        for param in positions {
            if bound.get(param.name).is_some()
                || params.iter().any(|other| {
                    other.position.is_none()
                        && other.role.is_some()
                        && other.role == param.role
                        && param.position == Some(0)
                        && bound.get(other.name).is_some()
                })
            {
                continue;
            }
            let Some(value) = free.next() else { break };
            bound.values.push((param.name, value));
        }
        bound.rest = free.collect();
        bound.piped = piped;
        bound
    }

    /// What the roles of the parameters say, then what the row's own function adds.
    fn act(&mut self, row: &'static Cmdlet, params: &[Param], bound: &Bound) -> Value {
        let recursive = bound.has("Recurse") || bound.has("Force") && row.name == "Remove-Item";
        let mut content: Option<Value> = None;
        for param in params {
            if let Some(value) = bound.get(param.name)
                && matches!(param.role, Some(Role::Body))
            {
                content = Some(match content {
                    Some(before) => {
                        Value::text(before.shown() + &value.shown()).with(&both(&before.marks, &value.marks))
                    }
                    None => value.clone(),
                });
            }
        }
        let input = bound.piped.clone();
        let content = content.or_else(|| input.clone());
        let mut marks = None;
        let mut reached = Vec::new();
        for param in params {
            let given = bound.get(param.name).cloned();
            let from_pipe = given.is_none()
                && param.piped
                && !params.iter().any(|other| other.role == param.role && bound.get(other.name).is_some());
            let value = match (given, from_pipe) {
                (Some(value), _) => value,
                (None, true) => match &input {
                    Some(input) => piped_path(input),
                    None => continue,
                },
                (None, false) => continue,
            };
            marks = both(&marks, &value.marks);
            let Some(role) = param.role else { continue };
            reached.push(role);
            self.role(role, &value, recursive, content.as_ref(), bound, row);
        }
        for value in &bound.rest {
            marks = both(&marks, &value.marks);
            if let Some(role) =
                params.iter().find(|param| param.position == Some(0)).and_then(|param| param.role)
            {
                self.role(role, value, recursive, content.as_ref(), bound, row);
            }
        }
        // A deleter that is fed what nobody lists.
        match row.act {
            Act::Plain => {}
            Act::Unlisted => self.harmless = false,
            Act::Privilege(message) => {
                self.harmless = false;
                self.privileged(message);
            }
            Act::Finding(code, message) => self.find(code, message),
            Act::Own(act) => {
                if let Some(value) = act(self, bound) {
                    return value;
                }
            }
        }
        let read = self
            .effects
            .deeds
            .reads
            .iter()
            .filter(|read| !read.metadata)
            .map(|read| read.path.text.clone())
            .collect::<Vec<_>>();
        let through = input.as_ref().map_or(&None, |input| &input.marks);
        match row.out {
            Out::Nothing => Value::null(),
            Out::Pass => input.unwrap_or_else(|| Value::unknown().with(&marks)),
            Out::Unknown => Value::unknown().with(&both(&marks, through)),
            Out::Content => Value::unknown().with(through).marked(|marks| {
                for path in read {
                    if !marks.reads.contains(&path) && marks.reads.len() < 32 {
                        marks.reads.push(path);
                    }
                }
            }),
            Out::Network => {
                let urls: Vec<String> =
                    self.effects.deeds.hosts.iter().filter_map(|host| host.url.clone()).collect();
                Value::unknown().marked(|marks| {
                    marks.network = true;
                    marks.urls.extend(urls);
                })
            }
        }
    }

    pub(super) fn privileged(&mut self, message: &str) {
        let span = self.effects.span;
        self.effects.deeds.privilege.push(doorward_core::intent::Privilege {
            kind: doorward_core::intent::PrivilegeKind::Root,
            detail: message.to_owned(),
            span,
        });
        self.harmless = false;
    }

    fn role(
        &mut self,
        role: Role,
        value: &Value,
        recursive: bool,
        content: Option<&Value>,
        bound: &Bound,
        row: &'static Cmdlet,
    ) {
        match role {
            Role::Read => {
                self.reads(value, false);
            }
            Role::Look => {
                self.reads(value, true);
            }
            Role::Write => {
                let mode = if bound.has("Append") { WriteMode::Append } else { WriteMode::Create };
                self.writes(value, mode, content);
            }
            Role::Append => self.writes(value, WriteMode::Append, content),
            Role::Meta => self.writes(value, WriteMode::Metadata, None),
            Role::Delete => self.deletes(value, recursive),
            Role::Url => {
                let method = bound.text("Method").unwrap_or_default().to_ascii_lowercase();
                let sends = ["Body", "InFile", "Form"].iter().any(|name| bound.get(name).is_some())
                    || bound.piped.is_some()
                    || row.name == "Send-MailMessage";
                let direction = match method.as_str() {
                    "" | "get" | "head" | "default" if !sends => Direction::Fetch,
                    _ => Direction::Send,
                };
                let body = both(
                    &content.and_then(|content| content.marks.clone()),
                    &bound.values.iter().fold(None, |marks, (name, value)| {
                        if *name == "Uri" || *name == "OutFile" { marks } else { both(&marks, &value.marks) }
                    }),
                );
                self.contact(value, "https", direction, &Value::null().with(&body));
            }
            Role::Host => self.contact(value, "tcp", Direction::Both, &Value::null()),
            Role::Send => {
                let paths = self.reads(value, false);
                self.effects
                    .deeds
                    .reads
                    .iter_mut()
                    .for_each(|read| read.reaches_host |= paths.contains(&read.path.text));
                if !paths.is_empty() {
                    self.find("shell.upload", "sends a file");
                }
            }
            Role::OutFile => {
                self.writes(value, WriteMode::Create, None);
                if let Some(write) = self.effects.deeds.writes.last_mut() {
                    write.downloaded = true;
                }
            }
            Role::Script => {
                if let Data::Script(block) = &value.data {
                    let (block, piped) = (Rc::clone(block), bound.piped.clone());
                    let item = piped.unwrap_or_else(Value::unknown);
                    self.inline(&block, Some(&item));
                }
            }
            Role::File => {
                for path in self.paths(value) {
                    if let Named::File(path) = path {
                        let code = Code::Language("powershell".to_owned());
                        self.effects.file(&Plain::literal(path), code);
                    }
                }
            }
            // Taken up by `content`, or by the row's own function.
            Role::Body => {}
        }
    }

    /// Where a value leads, each place of it.
    pub(super) fn paths(&mut self, value: &Value) -> Vec<Named> {
        let mut out = Vec::new();
        for item in value.items() {
            match &item.data {
                Data::Files(names) => out.extend(names.iter().map(|name| Named::File(name.clone()))),
                Data::Script(_) | Data::Null => {}
                _ => {
                    let shown = item.shown();
                    if !shown.is_empty() {
                        let named = windows::read(&shown, self.home.as_deref());
                        out.push(match named {
                            Named::File(path) => Named::File(windows::join(&self.scope.folder, &path)),
                            other => other,
                        });
                    }
                }
            }
            if out.len() > 256 {
                break;
            }
        }
        out
    }

    /// Reads what a value names; the files.
    pub(super) fn reads(&mut self, value: &Value, metadata: bool) -> Vec<String> {
        let mut files = Vec::new();
        for named in self.paths(value) {
            match named {
                Named::File(path) => {
                    if windows::is_secret(&path) && !metadata {
                        self.find("shell.secret_read", "reads a file of Windows that holds secrets");
                    }
                    self.effects.read(&Plain::literal(path.clone()));
                    if let Some(read) = self.effects.deeds.reads.last_mut() {
                        read.metadata = metadata;
                    }
                    files.push(path);
                }
                Named::Share { host, path } => {
                    let url = Value::text(format!("smb://{host}/"));
                    self.contact(&url, "smb", Direction::Fetch, &Value::null());
                    files.push(path);
                }
                Named::Registry(key) => {
                    if windows::holds_credentials(&key) {
                        self.find("shell.secret_read", "reads credentials of Windows");
                    }
                }
                Named::Environment(name) => self.effects.env(&name),
                Named::Session | Named::Certificates | Named::Nothing => {}
            }
        }
        files
    }

    pub(super) fn writes(&mut self, value: &Value, mode: WriteMode, content: Option<&Value>) {
        // Nothing written over a file empties it.
        let empties = mode == WriteMode::Create
            && content.and_then(Value::known).is_some_and(|content| content.is_empty());
        let mode = if empties { WriteMode::Truncate } else { mode };
        for named in self.paths(value) {
            match named {
                Named::File(path) => {
                    self.harmless = false;
                    if windows::is_startup(&path) {
                        self.find("shell.persistence", "writes where Windows starts programs by itself");
                    }
                    self.effects.write(&Plain::literal(path), mode);
                    if let (Some(write), Some(content)) = (self.effects.deeds.writes.last_mut(), content) {
                        write.content = content.known().filter(|content| !content.is_empty());
                        write.downloaded = content.is(|marks| marks.network);
                    }
                    if let Some(content) = content {
                        self.carried(content, false);
                    }
                }
                Named::Share { host, .. } => {
                    let url = Value::text(format!("smb://{host}/"));
                    self.contact(&url, "smb", Direction::Send, content.unwrap_or(&Value::null()));
                }
                Named::Registry(key) => self.registry(&key),
                Named::Environment(_) | Named::Session => self.harmless = false,
                Named::Certificates => self.privileged("changes the certificates that Windows trusts"),
                Named::Nothing => {}
            }
        }
    }

    pub(super) fn registry(&mut self, key: &str) {
        if windows::starts_programs(key) {
            self.find(
                "shell.persistence",
                "writes where Windows starts programs by itself, or what guards it",
            );
        }
        self.privileged("changes the registry of Windows");
    }

    pub(super) fn deletes(&mut self, value: &Value, recursive: bool) {
        for named in self.paths(value) {
            match named {
                Named::File(path) => {
                    self.harmless = false;
                    self.effects.delete(&Plain::literal(path), recursive);
                }
                Named::Share { host, path } => {
                    self.effects.delete(&Plain::literal(path), recursive);
                    let url = Value::text(format!("smb://{host}/"));
                    self.contact(&url, "smb", Direction::Send, &Value::null());
                }
                Named::Registry(key) => self.registry(&key),
                Named::Environment(_) | Named::Session => {}
                Named::Certificates => self.privileged("deletes certificates"),
                Named::Nothing => {}
            }
        }
    }

    /// Notes what a value carries out: variables that are printed or sent.
    pub(super) fn carried(&mut self, value: &Value, sent: bool) {
        let Some(marks) = value.marks.clone() else { return };
        let span = self.effects.span;
        for name in &marks.env {
            self.effects.deeds.env_reads.push(EnvRead { name: name.clone(), reaches_host: sent, span });
        }
        if sent {
            for path in &marks.reads {
                self.effects.read(&Plain::literal(path.clone()));
                if let Some(ReadIntent { reaches_host, .. }) = self.effects.deeds.reads.last_mut() {
                    *reaches_host = true;
                }
            }
        }
    }

    /// A host, and what is sent there.
    pub(super) fn contact(&mut self, url: &Value, scheme: &str, direction: Direction, body: &Value) {
        self.harmless = false;
        for item in url.items().iter().take(64) {
            let shown = Plain::literal(item.shown());
            self.effects.host(&shown, scheme, direction);
            let Some(host) = self.effects.deeds.hosts.last_mut() else { continue };
            host.body_from.clear();
            let marks = both(&item.marks, &body.marks).as_deref().cloned().unwrap_or_default();
            host.body_from.extend(marks.reads.iter().cloned());
            host.body_from.extend(marks.env.iter().map(|name| format!("${name}")));
            let sent = Value::null().with(&both(&item.marks, &body.marks));
            self.carried(&sent, true);
        }
    }

    /// A program that is no cmdlet.
    fn native(&mut self, name: &str, given: Vec<Given>, piped: Option<Value>) -> Value {
        self.harmless = false;
        let mut args: Vec<Value> = Vec::new();
        let base = base_name(name);
        let is_powershell = matches!(base.as_str(), "powershell" | "pwsh");
        for given in given {
            match given {
                Given::Named(name, attached) => match attached {
                    Some(value) => {
                        args.push(Value::text(format!("-{name}:{}", value.shown())).with(&value.marks))
                    }
                    None => args.push(Value::text(format!("-{name}"))),
                },
                Given::Value(value) => match &value.data {
                    Data::Script(block) if is_powershell => {
                        let block = Rc::clone(block);
                        return self.body(&block, Vec::new(), piped);
                    }
                    Data::List(_) => args.extend(value.items()),
                    _ => args.push(value),
                },
            }
        }
        let path = match windows::read(name, self.home.as_deref()) {
            Named::File(path) => path,
            _ => name.to_owned(),
        };
        let lower = path.to_ascii_lowercase();
        let code = [(".ps1", "powershell"), (".psm1", "powershell"), (".bat", "cmd"), (".cmd", "cmd")]
            .iter()
            .find(|(ending, _)| {
                lower.ends_with(ending) && (path.contains('/') || !crate::programs::is_known(&base))
            });
        if let Some((_, language)) = code {
            let path = windows::join(&self.scope.folder, &path);
            self.effects.file(&Plain::literal(path), Code::Language((*language).to_owned()));
            return Value::unknown();
        }
        let word = program_word(&path, &base);
        // A program that Unix has too is the one of Windows only where its ending is written.
        let typed = path.rsplit('/').next().unwrap_or(&path);
        let is_meant = |own: &str| {
            own.eq_ignore_ascii_case(&base)
                || !typed.eq_ignore_ascii_case(&base)
                || !crate::programs::is_known(&base)
        };
        let of_windows =
            crate::programs::of_windows(&base).filter(|own| !word.contains('/') && is_meant(own));
        if of_windows.is_some() {
            args.iter().filter_map(Value::known).for_each(|arg| windows::note(self.effects, &arg));
        }
        let word = of_windows.map_or(word, str::to_owned);
        let words: Vec<Value> = std::iter::once(Value::text(word))
            .chain(args.into_iter().map(|arg| slashed(arg, is_powershell)))
            .collect();
        self.external(&words, piped)
    }

    /// Hands words to the tables of programs; what they are made of, or fed, goes along.
    pub(super) fn external(&mut self, words: &[Value], piped: Option<Value>) -> Value {
        self.harmless = false;
        let traced = |value: &Value| {
            value.is(|marks| {
                marks.network || marks.decoded || !marks.reads.is_empty() || !marks.env.is_empty()
            })
        };
        let marks = words.iter().fold(piped.as_ref().and_then(|piped| piped.marks.clone()), |marks, word| {
            both(&marks, &word.marks)
        });
        let is_filter = words.first().is_some_and(|first| crate::programs::is_filter(&first.shown()));
        let fed = piped.as_ref().filter(|piped| {
            // What a program prints can't be seen, and one that only looks for words in it does nothing with it.
            let is_printed = is_filter && piped.known().is_none();
            traced(piped)
                || piped.known().is_some_and(|text| !text.is_empty())
                || !is_printed && !matches!(piped.data, Data::Null)
        });
        if fed.is_none() && !words.iter().any(traced) {
            let span = self.effects.span;
            let words: Vec<Word> = words.iter().map(|word| self.word(word)).collect();
            let folder = self.scope.folder.clone();
            let chdir = (!folder.is_empty()).then(|| {
                let mut word = Word::literal(folder.clone(), span);
                if folder.contains(HOLE) {
                    word.form = doorward_core::intent::Form::Unknown;
                }
                word
            });
            let via = self.effects.language.clone();
            self.effects.deeds.runs.push(Run::Argv {
                words,
                assignments: Vec::new(),
                more_operands: false,
                via,
                place: doorward_core::intent::Place::Local,
                chdir,
                passes_stdin: false,
            });
        } else {
            let mut text = String::new();
            if let Some(piped) = fed {
                text = format!("{} | ", source_of(piped));
            }
            for (at, word) in words.iter().enumerate() {
                if at > 0 {
                    text.push(' ');
                }
                if traced(word) && at > 0 {
                    text.push_str(&format!("\"$({})\"", source_of(word)));
                } else {
                    text.push_str(&quoted(&word.shown()));
                }
            }
            let mut word = self.effects.word(&Plain::literal(text));
            word.assembled = false;
            let via = self.effects.language.clone();
            self.effects.deeds.runs.push(Run::Shell {
                text: word,
                args: Vec::new(),
                via,
                place: doorward_core::intent::Place::Local,
            });
        }
        // What a program that asks the network prints comes from there.
        let name = words.first().map(Value::shown).unwrap_or_default();
        let value = Value::unknown().with(&marks);
        if crate::programs::asked::requests(&name) {
            let url = words.iter().map(Value::shown).find(|word| word.contains("://"));
            return value.marked(|marks| {
                marks.network = true;
                marks.urls.extend(url);
            });
        }
        value
    }
}

/// What a pipeline hands to a path parameter.
fn piped_path(input: &Value) -> Value {
    match &input.data {
        // Lines of a file, or whatever else: names that nobody knows.
        Data::Object(..) | Data::Map(_) => Value::unknown().with(&input.marks),
        _ => input.clone(),
    }
}

/// Whether the arguments are a cmdlet's, and not those of the Unix program of that name.
fn fits(row: &'static Cmdlet, given: &[Given]) -> bool {
    let params = row.params();
    let named: Vec<&String> = given
        .iter()
        .filter_map(|given| if let Given::Named(name, _) = given { Some(name) } else { None })
        .collect();
    named.iter().all(|name| cmdlets::parameter(&params, name).is_some() || cmdlets::is_common(name))
        && !given.iter().any(|given| matches!(given, Given::Value(value) if value.shown().starts_with("--")))
}

/// The program a path ends in, without the endings of Windows, in lower case.
pub(super) fn base_name(name: &str) -> String {
    let base = name.rsplit(['\\', '/']).next().unwrap_or_default().to_ascii_lowercase();
    [".exe", ".cmd", ".bat", ".com"]
        .iter()
        .find_map(|ending| base.strip_suffix(ending))
        .unwrap_or(&base)
        .to_owned()
}

/// Folders of Windows whose programs are the ones they are called.
const SYSTEM: &[&str] = &["/mnt/c/windows/", "/mnt/c/program files", "/mnt/c/programdata/chocolatey/bin/"];

pub(super) fn program_word(path: &str, base: &str) -> String {
    let lower = path.to_ascii_lowercase();
    let system = SYSTEM.iter().any(|folder| lower.starts_with(folder)) && !lower.contains("..");
    if !path.contains('/') || system {
        let original = path.rsplit('/').next().unwrap_or(path);
        let known = crate::programs::is_known(base);
        return if known || lower.ends_with(".exe") { base.to_owned() } else { original.to_owned() };
    }
    path.to_owned()
}

fn slashed(value: Value, keep: bool) -> Value {
    if keep || !matches!(value.data, Data::Text(_)) {
        return value;
    }
    match windows::slash(&value.shown()) {
        Some(path) => Value::text(path).with(&value.marks),
        None => value,
    }
}

fn quoted(text: &str) -> String {
    let plain = !text.is_empty()
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-./:=@%+,".contains(letter));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''").replace(HOLE, "'…'")) }
}

/// A shell command that prints what a value is made of.
fn source_of(value: &Value) -> String {
    let marks = value.marks.as_deref().cloned().unwrap_or_default();
    if let Some(url) = marks.urls.first() {
        return format!("curl -s {}", quoted(url));
    }
    if marks.network {
        return "curl -s …".to_owned();
    }
    if !marks.reads.is_empty() {
        let files: Vec<String> = marks.reads.iter().map(|path| quoted(path)).collect();
        return format!("cat {}", files.join(" "));
    }
    if let Some(name) = marks.env.first() {
        return format!("printf %s \"${name}\"");
    }
    let lines: Vec<String> = value.items().iter().map(Value::shown).collect();
    let text = format!("printf '%s\\n' {}", quoted(&lines.join("\n")));
    if marks.decoded { format!("{text} | base64 -d") } else { text }
}
