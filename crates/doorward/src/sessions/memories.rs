//! Memories of sessions: values and flows, shared by the sessions of one workflow and by a session that is resumed in
//! another process. Sharing a memory can only make verdicts stricter, so a claimed id needs no proof here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use doorward_core::call::ToolCall;
use doorward_core::effect::{HostClass, Inspected};
use doorward_core::finding::Finding;
use doorward_core::id::SessionId;
use doorward_core::intent::Direction;
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::ToolClass;
use doorward_flows::{Arrived, CompletedFlow, Judged, Key, Memory, Step, Then};
use doorward_gate::Returned;
use doorward_inspect::Deed;

use crate::counters::Counting;
use crate::watched::PRIVATE_SOURCE;

/// Most memories in this process; those of idle sessions are kept in the store, if there is one.
const MOST_MEMORIES: usize = 4_096;
/// Most bytes of one result that are searched.
const MOST_RESULT: usize = 256 << 10;

/// What one call adds to the memory, and where its result comes from.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallTrace {
    pub(crate) deed: Deed,
    pub(crate) step: Step,
    pub(crate) origin: Origin,
}

impl From<Deed> for CallTrace {
    fn from(deed: Deed) -> Self {
        Self { deed, ..Self::default() }
    }
}

/// Where a call's result comes from, as far as the call tells.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origin {
    pub(crate) source: String,
    pub(crate) untrusted: bool,
    pub(crate) secret_file: bool,
    pub(crate) private: bool,
    pub(crate) turn: u64,
}

impl Origin {
    /// The origin of a call's result: a file, an address, a server's tool, the output of a program.
    pub(crate) fn of(inspected: &Inspected) -> Self {
        let (call, effects) = (&inspected.call, &inspected.effects);
        let secret_file = effects.reads.iter().any(|read| read.secret && !read.metadata);
        let strange = |class| !matches!(class, HostClass::Allowed | HostClass::Loopback);
        let host =
            effects.hosts.iter().find(|host| strange(host.class) && host.direction != Direction::Listen);
        let from_host = |host: &doorward_core::effect::HostEffect| match call.arg("url") {
            Some(url) => url.to_owned(),
            None => host.host.clone(),
        };
        let downloaded = |path: &str| inspected.session.written.get(path).is_some_and(|file| file.downloaded);
        let read = effects.reads.iter().find(|read| !read.metadata);
        let (source, untrusted) = if call.tool.mcp_parts().is_some() {
            (call.tool.as_str().to_owned(), true)
        } else if call.tool.class() == Some(ToolClass::Network) {
            (call.arg("url").or_else(|| call.arg("query")).unwrap_or("the web").to_owned(), true)
        } else if let Some(host) = host.filter(|_| fetches(inspected)) {
            (from_host(host), true)
        } else if let Some(read) = read {
            (read.path.clone(), downloaded(&read.path))
        } else {
            let program = effects.executes.first().map_or("a call", |command| command.program.as_str());
            (format!("the output of {program}"), false)
        };
        let private = inspected.findings.iter().any(|finding| finding.code == PRIVATE_SOURCE);
        Self { source, untrusted, secret_file, private, turn: inspected.session.turn.max(1) }
    }
}

/// Whether a command shows what a host sends, so that its output is other people's text.
fn fetches(inspected: &Inspected) -> bool {
    const FETCHERS: &[&str] = &[
        "curl", "wget", "http", "https", "xh", "gh", "glab", "lynx", "w3m", "links", "elinks", "aria2c", "nc",
    ];
    inspected.effects.executes.iter().any(|command| FETCHERS.contains(&command.program.as_str()))
}

/// Memories by name.
#[derive(Debug, Default)]
pub(crate) struct Memories {
    by_name: Mutex<HashMap<String, Arc<Mutex<Memory>>>>,
    key: OnceLock<Arc<Key>>,
}

/// The name of a call's memory: its workflow, else its session without the client's process.
pub(crate) fn name_of(call: &ToolCall) -> String {
    match &call.workflow {
        Some(workflow) => format!("workflow {workflow}"),
        None => name_of_session(&call.session),
    }
}

/// The name of a session's memory where it belongs to no workflow. An MCP client's sessions have one memory, by the
/// client's process: a value that one of its servers returned may go to another one in another session.
pub(crate) fn name_of_session(session: &SessionId) -> String {
    let session = session.as_str();
    match session.rsplit_once('@') {
        Some((claimed, process)) if claimed == "mcp" || claimed.starts_with("mcp-") => {
            format!("mcp@{process}")
        }
        Some((claimed, _)) => claimed.to_owned(),
        None => session.to_owned(),
    }
}

impl Memories {
    /// The key of all fingerprints: the store's, or one that is made now.
    pub(crate) fn key(&self) -> Arc<Key> {
        Arc::clone(self.key.get_or_init(|| Arc::new(Key::new(&random()))))
    }

    /// Takes the store's key. `false` if a call came before.
    pub(crate) fn use_key(&self, key: Key) -> bool {
        self.key.set(Arc::new(key)).is_ok()
    }

    /// The memory of this name, if it is here.
    pub(crate) fn find(&self, name: &str) -> Option<Arc<Mutex<Memory>>> {
        self.by_name().get(name).map(Arc::clone)
    }

    /// The memory of this name, which is made if it isn't here.
    pub(crate) fn get(&self, name: &str) -> Arc<Mutex<Memory>> {
        let key = self.key();
        let mut all = self.by_name();
        if all.len() >= MOST_MEMORIES && !all.contains_key(name) {
            // Memories that no session uses can be read from the store again.
            all.retain(|_, memory| Arc::strong_count(memory) > 1);
        }
        Arc::clone(all.entry(name.to_owned()).or_insert_with(|| Arc::new(Mutex::new(Memory::new(key)))))
    }

    fn by_name(&self) -> MutexGuard<'_, HashMap<String, Arc<Mutex<Memory>>>> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes for a key.
pub(crate) fn random() -> [u8; 32] {
    let mut bytes = [0; 32];
    if getrandom::fill(&mut bytes).is_err() {
        // Without randomness the key comes from the time, which others can only guess.
        tracing::error!("the system gives no random bytes for the key of fingerprints");
        let moment = jiff::Timestamp::now().as_nanosecond().to_be_bytes();
        bytes.iter_mut().zip(moment).for_each(|(byte, part)| *byte = part);
    }
    bytes
}

/// Locks a memory. A poisoned lock is no harm: every change only adds, so the memory is consistent after a panic.
pub(crate) fn open(memory: &Mutex<Memory>) -> MutexGuard<'_, Memory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Judges a call by its session's memory, adds the findings, and returns what the call adds to the memory.
pub(crate) fn judge(
    memory: &Mutex<Memory>,
    inspected: &mut Inspected,
    pending: &[&Step],
    counting: &Counting,
) -> Step {
    let memory = open(memory);
    let judged = memory.judge(inspected, pending);
    let counters = judged.as_ref().map(|judged| counting.values(&memory, pending, &judged.step));
    let counters = counters.unwrap_or_default();
    drop(memory);
    let Judged { findings, flows, score, mut step, .. } = match judged {
        Ok(judged) => judged,
        Err(error) => {
            // A call that can't be judged isn't allowed without a question.
            raise(inspected, Finding::new("flow.unavailable", error.to_string()));
            return Step::default();
        }
    };
    // Facts come from the arguments; the inspector found the secrets in them, which are masked here.
    if inspected.findings.iter().any(|finding| finding.code.starts_with("secret.")) {
        step.clean(&crate::secrets::redact);
    }
    for finding in findings {
        let message = crate::secrets::redact(&finding.message);
        raise(inspected, Finding { message, ..finding });
    }
    let asking: Vec<&CompletedFlow> = flows.iter().filter(|flow| flow.then != Then::No).collect();
    if !asking.is_empty() || score > 0 || !counting.is_empty() {
        let names: Vec<String> = asking.iter().map(|flow| flow.rule.clone()).collect();
        let session = inspected.session_mut();
        session.flows.extend(names);
        session.intent = i64::from(score);
        session.counters = counters;
        match inspected.session.digest() {
            Ok(digest) => inspected.session_digest = digest,
            Err(error) => raise(inspected, Finding::new("internal.digest", error.to_string())),
        }
    }
    step
}

/// Adds a finding, and raises the call's risk and score to it.
fn raise(inspected: &mut Inspected, finding: Finding) {
    if finding.risk == Some(SecurityRisk::High) && inspected.risk != SecurityRisk::High {
        inspected.risk = inspected.risk.join(SecurityRisk::High);
        let (from, _) = inspected.risk.band().unwrap_or((0, 0));
        inspected.score = Some(inspected.score.unwrap_or_default().max(from));
    }
    inspected.findings.push(finding);
}

/// Adds a call's result to a memory.
pub(crate) fn returned(memory: &Mutex<Memory>, trace: Option<&CallTrace>, result: &Returned<'_>) {
    let content = result.content.get(..MOST_RESULT).unwrap_or(result.content);
    let text = String::from_utf8_lossy(content);
    let secrets: Vec<std::ops::Range<usize>> =
        doorward_secrets::Detector::shared().find(&text).into_iter().map(|hit| hit.start..hit.end).collect();
    let origin = trace.map(|trace| &trace.origin);
    // A URL may contain a credential, and the source is shown and kept, so it is masked.
    let source = crate::secrets::redact(result.source);
    open(memory).returned(&Arrived {
        content: text.as_bytes(),
        source: &source,
        untrusted: result.untrusted,
        secrets: &secrets,
        secret_file: origin.is_some_and(|origin| origin.secret_file),
        private: origin.is_some_and(|origin| origin.private),
        turn: origin.map_or(0, |origin| origin.turn),
        step: trace.map(|trace| &trace.step),
    });
}
