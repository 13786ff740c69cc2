//! What a session remembers of an admitted call: marks, files it wrote with their content, secrets it read,
//! remotes it added. Nothing here forgets: no event clears a mark.

use std::collections::BTreeSet;
use std::sync::Arc;

use doorward_core::effect::{Effects, HostClass, Inspected};
use doorward_core::id::Digest;
use doorward_core::intent::{Code, Intent, Operand, SimpleCommand};

use doorward_core::session::{PastCall, SessionView, WrittenFile};
use doorward_paths::lexical;

/// Content kept of a written file.
const CONTENT_LIMIT: usize = 64 << 10;
/// Files remembered.
const FILES_LIMIT: usize = 512;
/// Content kept over all files: views of a session are copied with every call.
const CONTENT_SUM: usize = 1 << 20;
/// Calls kept for the guardian.
const RECENT: usize = 20;

/// Bytes kept of one earlier call's arguments. A view of the session is made for every call.
const PAST_ARGS: usize = 16 << 10;

/// A secret was read.
pub const SECRET_READ: &str = "secret_read";
/// The environment was printed.
pub const ENV_DUMP: &str = "env_dump";
/// Read something that the settings call private (`[flows] private`).
pub const PRIVATE_READ: &str = "private_read";
/// A walk over a folder read files that hold secrets.
pub const SECRET_WALKED: &str = "secret_walked";
/// A secret stood in the arguments.
pub const SECRET_SEEN: &str = "secret_seen";
/// Bytes came from a host that isn't on the list.
pub const UNTRUSTED_CONTENT: &str = "untrusted_content";
/// A host that isn't on the list was contacted.
pub const EGRESS: &str = "egress";

/// The marks that a call leaves if it is admitted.
#[must_use]
pub fn taints(inspected: &Inspected) -> BTreeSet<String> {
    let found = |test: &dyn Fn(&str) -> bool| inspected.findings.iter().any(|finding| test(&finding.code));
    let read = inspected.effects.reads.iter().any(|read| read.secret && !read.metadata);
    let strange = inspected
        .effects
        .hosts
        .iter()
        .any(|host| !matches!(host.class, HostClass::Allowed | HostClass::Loopback));
    let is_mcp = inspected.call.tool.mcp_parts().is_some();
    [
        (SECRET_READ, read || found(&|code| code == "shell.secret_read")),
        (ENV_DUMP, found(&|code| code == "shell.env_dump")),
        (PRIVATE_READ, found(&|code| code == "flow.private_source")),
        (SECRET_WALKED, found(&|code| code == "shell.secret_walk")),
        (SECRET_SEEN, found(&|code| code.starts_with("secret."))),
        (EGRESS, strange),
        (UNTRUSTED_CONTENT, strange || is_mcp || inspected.call.tool.as_str() == "net:search"),
    ]
    .into_iter()
    .filter(|(_, set)| *set)
    .map(|(name, _)| name.to_owned())
    .collect()
}

/// What a call wrote, by canonical path: kept beside the effects, which carry no content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Path and what is known of the content.
    pub files: Vec<(String, WrittenFile)>,
    /// Git remotes that were added.
    pub remotes: BTreeSet<String>,
}

/// What an intent writes, as far as its text tells. A second part of the same file joins the first; one that can't
/// be known makes the whole unknown.
#[must_use]
pub fn written(intent: &Intent, cwd: &str, before: &SessionView) -> Written {
    let mut out = Written::default();
    for write in &intent.writes {
        let path = canonical(&write.path, cwd);
        let earlier =
            out.files.iter().rev().find(|(known, _)| *known == path).map(|(_, file)| file.content.clone());
        let earlier: Option<Arc<str>> =
            earlier.unwrap_or_else(|| before.written.get(&path).and_then(|file| file.content.clone()));
        let content = match write.mode {
            doorward_core::intent::WriteMode::Append => match (earlier, &write.content) {
                (Some(first), Some(more)) => Some(Arc::from(first.to_string() + more)),
                _ => None,
            },
            doorward_core::intent::WriteMode::Metadata => earlier,
            doorward_core::intent::WriteMode::Truncate => Some(Arc::from("")),
            doorward_core::intent::WriteMode::InPlace => None,
            doorward_core::intent::WriteMode::Create => match &write.moved_from {
                Some(from) => before.written.get(&canonical(from, cwd)).and_then(|file| file.content.clone()),
                None => write.content.as_deref().map(Arc::from),
            },
        };
        let is_metadata = write.mode == doorward_core::intent::WriteMode::Metadata;
        // Marking a file executable writes nothing, and isn't the session's work.
        if is_metadata && !before.written.contains_key(&path) && content.is_none() {
            continue;
        }
        // What a compiler makes was judged by its sources.
        if content.is_none() && is_compiled(intent, &write.path.text) {
            continue;
        }
        let content = content.filter(|text| text.len() <= CONTENT_LIMIT);
        let digest = content.as_ref().map(|text| Digest::of(text.as_bytes()));
        let downloaded = write.downloaded
            || (is_metadata && before.written.get(&path).is_some_and(|file| file.downloaded));
        out.files.push((path, WrittenFile { content, digest, downloaded, ..WrittenFile::default() }));
    }
    out.remotes = intent.commands.iter().filter_map(remote_added).map(str::to_owned).collect();
    out
}

/// Whether a path is the product of a compiler of this call.
fn is_compiled(intent: &Intent, path: &str) -> bool {
    const COMPILERS: &[&str] = &[
        "gcc", "g++", "cc", "c++", "clang", "clang++", "tcc", "rustc", "javac", "ghc", "swiftc", "gfortran",
        "go",
    ];
    intent.commands.iter().filter(|command| COMPILERS.contains(&command.program.as_str())).any(|command| {
        let made = command
            .words
            .windows(2)
            .any(|pair| matches!(pair, [option, name] if option == "-o" && name == path));
        made || command.words.iter().any(|word| word.strip_prefix("-o") == Some(path)) || path == "a.out"
    })
}

fn canonical(path: &Operand, cwd: &str) -> String {
    lexical::join(cwd, &path.text)
}

/// `git remote add NAME URL`, `git remote set-url NAME URL`.
pub(crate) fn remote_added(command: &SimpleCommand) -> Option<&str> {
    let mut words = command.words.iter().map(String::as_str).filter(|word| !word.starts_with('-'));
    let is_remote = command.program == "git" && command.code == Code::None && words.nth(1) == Some("remote");
    (is_remote && matches!(words.next(), Some("add" | "set-url" | "rename"))).then(|| words.next())?
}

/// The name under which a dump of environment variables counts among secrets that were read.
const ENVIRONMENT: &str = "the environment variables";

/// What one call leaves in its session, once it runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deed {
    taints: BTreeSet<String>,
    secrets_read: BTreeSet<String>,
    turn: u64,
    remotes: BTreeSet<String>,
    written: Vec<(String, WrittenFile)>,
    deleted: Vec<String>,
    past: PastCall,
}

impl Deed {
    /// What an inspected call does, with what it writes.
    #[must_use]
    pub fn of(inspected: &Inspected, written: Written) -> Self {
        let call = &inspected.call;
        Self {
            taints: taints(inspected),
            secrets_read: crate::resolve::secret_paths(&inspected.effects).into_iter().collect(),
            turn: inspected.session.turn,
            remotes: written.remotes,
            written: written.files,
            deleted: deleted(&inspected.effects),
            past: PastCall {
                tool: call.tool.to_string(),
                args: bounded(call.args_value().canonical()),
                verdict: String::new(),
                risk: inspected.risk,
            },
        }
    }

    /// Its marks.
    #[must_use]
    pub const fn taints(&self) -> &BTreeSet<String> {
        &self.taints
    }

    /// Adds it to what is known of a session. `verdict` is how it was settled, for the history that the guardian sees.
    pub fn add_to(&self, session: &mut SessionView, verdict: &str) {
        session.calls += 1;
        session.taints.extend(self.taints.iter().cloned());
        session.secrets_read.extend(self.secrets_read.iter().cloned());
        let dumped = self.taints.contains(ENV_DUMP).then(|| ENVIRONMENT.to_owned());
        for secret in self.secrets_read.iter().cloned().chain(dumped) {
            if session.secret_turns.len() < FILES_LIMIT {
                session.secret_turns.entry(secret).or_insert(self.turn);
            }
        }
        session.remotes_added.extend(self.remotes.iter().cloned());
        let length = |file: &WrittenFile| file.content.as_ref().map_or(0, |content| content.len());
        let kept: usize = session.written.values().map(length).sum();
        let mut room = CONTENT_SUM.saturating_sub(kept);
        for (path, file) in &self.written {
            let mut file = file.clone();
            if length(&file) > room {
                file.content = None;
            } else {
                room -= length(&file);
            }
            if session.written.len() < FILES_LIMIT || session.written.contains_key(path) {
                session.written.insert(path.clone(), file);
            }
        }
        for path in &self.deleted {
            session.written.remove(path);
        }
        session.recent.push(PastCall { verdict: verdict.to_owned(), ..self.past.clone() });
        let surplus = session.recent.len().saturating_sub(RECENT);
        session.recent.drain(..surplus);
    }
}

/// At most [`PAST_ARGS`] bytes of an earlier call's arguments: their beginning, their end, and how much is missing.
fn bounded(args: String) -> String {
    if args.len() <= PAST_ARGS {
        return args;
    }
    let head = args.floor_char_boundary(PAST_ARGS * 3 / 4);
    let tail = args.ceil_char_boundary(args.len() - PAST_ARGS / 4);
    let (first, last) = (args.get(..head).unwrap_or_default(), args.get(tail..).unwrap_or_default());
    format!("{first}<truncated omitted_bytes=\"{}\" />{last}", tail - head)
}

/// Files that are surely gone: they aren't there to be run.
fn deleted(effects: &Effects) -> Vec<String> {
    let sure = |delete: &&doorward_core::effect::DeleteEffect| {
        delete.certainty == doorward_core::intent::Certainty::Exact && !delete.recursive
    };
    effects.deletes.iter().filter(sure).map(|delete| delete.path.clone()).collect()
}
