//! What a cmdlet does: what the roles of its parameters say, and what its row adds.

use std::rc::Rc;

use doorward_core::intent::{
    Code, Direction, Install, InstallSource, Privilege, PrivilegeKind, ReadIntent, WriteMode,
};

use super::super::Value as Plain;
use super::super::windows::Named;
use super::bound::Bound;
use super::cmdlets::{CmdletDeed, CmdletOutput, CmdletParameter, CmdletRow, ParameterRole as Role};
use super::eval::Runner;
use super::functions;
use super::value::{Data, Value, both};

impl Runner<'_> {
    /// Does what the parameters' roles say, then what the row adds; what the cmdlet puts out.
    pub(super) fn act(&mut self, row: &'static CmdletRow, bound: &Bound) -> Value {
        let content = content(row, bound).or_else(|| bound.piped.clone());
        let mut marks = None;
        for parameter in row.parameters.all() {
            let Some(value) = value_of(row, parameter, bound) else { continue };
            marks = both(&marks, &value.marks);
            self.role(row, parameter, &value, bound, content.as_ref());
        }
        let first = row.parameters.all().iter().find(|parameter| parameter.position == Some(0));
        for value in &bound.rest {
            marks = both(&marks, &value.marks);
            if let Some(first) = first {
                self.role(row, first, value, bound, content.as_ref());
            }
        }
        for rule in row.rules.iter() {
            let given = |name: &&str| bound.has(name) || bound.get(name).is_some();
            if (rule.given.is_empty() || rule.given.iter().any(given))
                && let Some(value) = self.deed(rule.deed, bound)
            {
                return value;
            }
        }
        self.output(row, bound, &Value::null().with(&marks))
    }

    /// Does what a row says beside its roles; what it puts out, if that is decided here.
    fn deed(&mut self, deed: CmdletDeed, bound: &Bound) -> Option<Value> {
        match deed {
            CmdletDeed::Acts => self.harmless = false,
            CmdletDeed::Privilege(message) => self.privileged(message),
            CmdletDeed::Finding(code, message) => self.find(code, message),
            CmdletDeed::Contacts(scheme) => {
                self.contact(&Value::unknown(), scheme, Direction::Both, &Value::null());
            }
            CmdletDeed::Installs(manager) => {
                self.harmless = false;
                let names = bound.get("Name").map(Value::items).unwrap_or_default();
                self.effects.deeds.installs.push(Install {
                    manager: manager.to_owned(),
                    source: InstallSource::Registry,
                    packages: names.iter().map(Value::shown).collect(),
                    scripts: true,
                    system: false,
                    span: self.effects.span,
                });
            }
            CmdletDeed::Rust(name) => {
                return functions::named(name).and_then(|function| function(self, bound));
            }
        }
        None
    }

    fn output(&mut self, row: &CmdletRow, bound: &Bound, given: &Value) -> Value {
        let through = bound.piped.as_ref().map_or(&None, |input| &input.marks);
        let deeds = &self.effects.deeds;
        match row.prints {
            CmdletOutput::Nothing => Value::null(),
            CmdletOutput::Input => bound.piped.clone().unwrap_or_else(|| Value::unknown().with(&given.marks)),
            CmdletOutput::Other => Value::unknown().with(&both(&given.marks, through)),
            CmdletOutput::Content => Value::unknown().with(through).marked(|marks| {
                for read in deeds.reads.iter().filter(|read| !read.metadata) {
                    if !marks.reads.contains(&read.path.text) && marks.reads.len() < 32 {
                        marks.reads.push(read.path.text.clone());
                    }
                }
            }),
            CmdletOutput::Network => Value::unknown().marked(|marks| {
                marks.network = true;
                marks.urls.extend(deeds.hosts.iter().filter_map(|host| host.url.clone()));
            }),
        }
    }

    pub(super) fn privileged(&mut self, message: &str) {
        let span = self.effects.span;
        self.effects.deeds.privilege.push(Privilege {
            kind: PrivilegeKind::Root,
            detail: message.to_owned(),
            span,
        });
        self.harmless = false;
    }

    fn role(
        &mut self,
        row: &'static CmdletRow,
        parameter: &'static CmdletParameter,
        value: &Value,
        bound: &Bound,
        content: Option<&Value>,
    ) {
        match parameter.role {
            Some(Role::Read) => {
                self.reads(value, false);
            }
            Some(Role::Look) => {
                self.reads(value, true);
            }
            Some(Role::Write) => {
                let mode = if bound.has("Append") { WriteMode::Append } else { WriteMode::Create };
                self.writes(value, mode, content);
            }
            Some(Role::Download) => {
                self.writes(value, WriteMode::Create, None);
                if let Some(write) = self.effects.deeds.writes.last_mut() {
                    write.downloaded = true;
                }
            }
            Some(Role::Append) => self.writes(value, WriteMode::Append, content),
            Some(Role::Meta) => self.writes(value, WriteMode::Metadata, None),
            Some(Role::Delete) => {
                self.deletes(value, row.recursive.iter().any(|switch| bound.has(switch)));
            }
            Some(role @ (Role::Url | Role::UrlSent)) => {
                let direction = if role == Role::UrlSent { Direction::Send } else { direction(row, bound) };
                let body = both(
                    &content.and_then(|content| content.marks.clone()),
                    &sent(row, bound).into_iter().fold(None, |marks, value| both(&marks, &value.marks)),
                );
                self.contact(value, "https", direction, &Value::null().with(&body));
            }
            Some(Role::Host) => self.contact(value, "tcp", Direction::Both, &Value::null()),
            Some(Role::Sent) => {
                let paths = self.reads(value, false);
                let is_sent = |read: &&mut ReadIntent| paths.contains(&read.path.text);
                for read in self.effects.deeds.reads.iter_mut().filter(is_sent) {
                    read.reaches_host = true;
                }
                if !paths.is_empty() {
                    self.find("shell.upload", "sends a file");
                }
            }
            Some(Role::Script) => {
                if let Data::Script(block) = &value.data {
                    let item = bound.piped.clone().unwrap_or_else(Value::unknown);
                    self.inline(&Rc::clone(block), Some(&item));
                }
            }
            Some(Role::File) => {
                for path in self.paths(value) {
                    if let Named::File(path) = path {
                        let code = Code::Language("powershell".to_owned());
                        self.effects.file(&Plain::literal(path), code);
                    }
                }
            }
            // What is written or sent goes along with where it is written or sent to.
            Some(Role::Content | Role::Method | Role::Data) | None => {}
        }
    }
}

/// What is written or sent: the values of all parameters that say so.
fn content(row: &CmdletRow, bound: &Bound) -> Option<Value> {
    let given = row.parameters.iter().filter(|parameter| parameter.role == Some(Role::Content));
    let values = given.filter_map(|parameter| bound.get(parameter.name()));
    values.cloned().reduce(|before, value| {
        Value::text(before.shown() + &value.shown()).with(&both(&before.marks, &value.marks))
    })
}

/// The value that a parameter gets: from its argument, else from the pipeline, else its own.
fn value_of(row: &CmdletRow, parameter: &CmdletParameter, bound: &Bound) -> Option<Value> {
    let given = bound.get(parameter.name()).cloned();
    let other = || bound.has_role(row, parameter.role);
    let piped = || bound.piped.as_ref().filter(|_| parameter.piped && !other()).map(piped_path);
    given.or_else(piped).or_else(|| parameter.default.map(Value::text))
}

/// What a pipeline hands to a path parameter.
fn piped_path(input: &Value) -> Value {
    match &input.data {
        // Lines of a file, or whatever else: names that nobody knows.
        Data::Object(..) | Data::Map(_) => Value::unknown().with(&input.marks),
        _ => input.clone(),
    }
}

/// Whether a request only fetches.
fn direction(row: &CmdletRow, bound: &Bound) -> Direction {
    let of = |role: Role| {
        let parameters = row.parameters.iter().filter(move |parameter| parameter.role == Some(role));
        parameters.filter_map(|parameter| bound.get(parameter.name()))
    };
    let method = of(Role::Method).next().map(Value::shown).unwrap_or_default().to_ascii_lowercase();
    let sends = of(Role::Content).chain(of(Role::Sent)).next().is_some() || bound.piped.is_some();
    match method.as_str() {
        "" | "get" | "head" | "default" if !sends => Direction::Fetch,
        _ => Direction::Send,
    }
}

/// The values that go to the server: all but the address, and where the answer is written.
fn sent<'b>(row: &CmdletRow, bound: &'b Bound) -> Vec<&'b Value> {
    let stays = |name: &str| {
        let own = row.parameters.iter().find(|parameter| parameter.name() == name);
        matches!(own.and_then(|own| own.role), Some(Role::Url | Role::Download))
    };
    bound.values.iter().filter(|(name, _)| !stays(name)).map(|(_, value)| value).collect()
}
