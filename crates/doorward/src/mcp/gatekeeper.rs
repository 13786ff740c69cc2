//! Who asks: a gateway's process, the client that it serves, and the session that the client's calls belong to.
//!
//! On pipes the client is the process that started the gateway. Over HTTP a gateway has many clients, and the kernel
//! tells it the process behind each connection. The calls of one MCP session are one session here. What a session
//! remembers of values and marks belongs to the client's process (see `memories::name_of_session` and
//! `sessions::client_of`), so a client that opens a new MCP session sheds nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use doorward_core::id::SessionId;

use super::{Conversation, Refused};
use crate::Door;
use crate::hook::{Peer, user_name};
use crate::process::ClientProcess;

/// Longest name of a session that is taken over.
const LONGEST_ID: usize = 64;
/// Processes that are remembered.
const MOST_KNOWN: usize = 4_096;

/// What was found out about processes: nothing of it changes while they run.
#[derive(Default)]
pub(super) struct Known {
    /// Whether a gateway's process runs this very program.
    ours: Mutex<HashMap<(i32, u64), bool>>,
    /// The agent to which a client's process belongs.
    agents: Mutex<HashMap<(i32, u64), (i32, u64)>>,
    /// The client that started a gateway's process, as long as that has the same parent.
    clients: Mutex<HashMap<(Started, i32), Started>>,
}

/// A process: its number, and when it was started.
type Started = (i32, u64);

/// A value that is looked up once.
fn once<K, V>(map: &Mutex<HashMap<K, V>>, of: K, find: impl FnOnce() -> V) -> V
where
    K: Copy + Eq + std::hash::Hash,
    V: Copy,
{
    // Every critical section is one change of the map, so a poisoned one is still whole.
    if let Some(known) = map.lock().unwrap_or_else(PoisonError::into_inner).get(&of) {
        return *known;
    }
    let found = find();
    let mut map = map.lock().unwrap_or_else(PoisonError::into_inner);
    if map.len() >= MOST_KNOWN {
        map.clear();
    }
    map.insert(of, found);
    found
}

/// The gateway's process and whose it is.
pub(super) struct Gatekeeper {
    pub(super) process: ClientProcess,
    pub(super) user: String,
    /// The session of the client that it serves.
    pub(super) session: SessionId,
}

impl Gatekeeper {
    /// Of a peer of our socket, or of this very process, and of one of its clients.
    pub(super) fn of(door: &Arc<Door>, peer: Peer, client: Option<&Conversation>) -> Result<Self, Refused> {
        let foreign = || Refused::new("mcp.foreign", "the kernel doesn't tell which process asks");
        let (process, parent) = peer.pid.and_then(asking).ok_or_else(foreign)?;
        let user = user_name(peer.uid);
        let known = &door.custody().relayed().known;
        let served = client.and_then(|client| {
            let own = (client.pid?, client.started);
            let of = (process.pid, process.started);
            // Another program could name any process, and leave its own marks behind.
            once(&known.ours, of, || is_our_program(&process))
                .then(|| once(&known.agents, own, || ClientProcess::agent_of(own.0, own.1)))
        });
        let (pid, started) = served.unwrap_or_else(|| {
            once(&known.clients, ((process.pid, process.started), parent), || {
                let client = ClientProcess::of_hook(process.pid).unwrap_or_else(|| process.clone());
                (client.pid, client.started)
            })
        });
        let id: String = client
            .map(|client| client.id.chars().filter(char::is_ascii_alphanumeric).take(LONGEST_ID).collect())
            .unwrap_or_default();
        let session =
            if id.is_empty() { format!("mcp@{pid}.{started}") } else { format!("mcp-{id}@{pid}.{started}") };
        Ok(Self { process, user, session: session.into() })
    }
}

/// The process that asks, with its parent. Of this very process only the parent can change.
fn asking(pid: i32) -> Option<(ClientProcess, i32)> {
    static OWN: OnceLock<Option<ClientProcess>> = OnceLock::new();
    if u32::try_from(pid).is_ok_and(|pid| pid == std::process::id()) {
        let own = OWN.get_or_init(|| ClientProcess::of(pid)).clone()?;
        let parent = rustix::process::getppid().map_or(0, |parent| parent.as_raw_nonzero().get());
        return Some((own, parent));
    }
    ClientProcess::with_parent(pid)
}

/// Whether a process runs this very program: the same file, or a copy of it in another folder.
pub(super) fn is_our_program(process: &ClientProcess) -> bool {
    let (own, other) = ("/proc/self/exe".to_owned(), format!("/proc/{}/exe", process.pid));
    let (Ok(mut own), Ok(mut other)) = (std::fs::File::open(own), std::fs::File::open(other)) else {
        return false;
    };
    is_same(&mut own, &mut other).unwrap_or(false)
}

fn is_same(one: &mut std::fs::File, other: &mut std::fs::File) -> std::io::Result<bool> {
    use std::io::Read as _;
    use std::os::unix::fs::MetadataExt as _;
    let (first, second) = (one.metadata()?, other.metadata()?);
    if (first.dev(), first.ino()) == (second.dev(), second.ino()) {
        return Ok(true);
    }
    if first.len() != second.len() {
        return Ok(false);
    }
    let (mut left, mut right) = (vec![0; 1 << 20], vec![0; 1 << 20]);
    loop {
        let read = one.read(&mut left)?;
        let (Some(left), Some(right)) = (left.get(..read), right.get_mut(..read)) else { return Ok(false) };
        other.read_exact(right)?;
        if left != right {
            return Ok(false);
        }
        if read == 0 {
            return Ok(true);
        }
    }
}
