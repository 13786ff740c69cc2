//! Files, registry, shares and hosts that a value names, and what is done with them.

use doorward_core::intent::{Direction, EnvRead, ReadIntent, WriteMode};

use super::super::Value as Plain;
use super::super::windows::{self, Named};
use super::eval::Runner;
use super::value::{Data, Value, both};

impl Runner<'_> {
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
}
