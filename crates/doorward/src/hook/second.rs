//! A second judge in a client's process: OpenHands calls its hooks first and then its security analyzer, in the same
//! process and about the same call. The analyzer takes over what the hook was told, so that the call is judged,
//! recorded and asked about once.
//!
//! What a caller says about itself proves nothing, so a permit is only given for the identical call of the same
//! conversation, to the very process whose hook asked (as the kernel tells), once, while the call is open, and shortly
//! after the hook. In every other case there is nothing to take over, and the analyzer asks for a decision of its own.

use std::path::Path;

use doorward_core::decision::Verdict;
use doorward_core::tool::Client;
use doorward_hooks::Event;
use doorward_hooks::clients;

use super::{Peer, session_key};
use crate::contract::Response;
use crate::process::ClientProcess;
use crate::{Door, served};

/// What a second judge gets.
#[derive(Debug)]
pub enum Second {
    /// What the hook was told: an open permit, or a denial.
    Told(Response),
    /// The hook was told nothing that this caller may take over.
    Nothing,
    /// The client has no second judge, or what came isn't the event of a call.
    Unreadable(String),
}

/// What the hook of this very process was told about a call, given as the event that the hook got.
#[must_use]
pub fn second(door: &Door, peer: Peer, client: Client, event: &[u8]) -> Second {
    let contract = clients::contract(client);
    if !contract.judges_twice {
        return Second::Unreadable(format!("{} has no second judge beside its hook", contract.title));
    }
    let hook = match doorward_hooks::event(client, event) {
        Ok(Event::Call(hook)) => hook,
        Ok(_) => return Second::Unreadable("this is not the event before a call".to_owned()),
        Err(error) => return Second::Unreadable(error.to_string()),
    };
    let own = peer.pid.and_then(ClientProcess::of).filter(|_| served::may_send_events(peer.uid));
    let (Some(process), Some(records)) = (own, door.records()) else { return Second::Nothing };
    let session = session_key(client, &hook.session, Some(&process));
    let pinned = door.projects().pinned();
    // Whoever names a folder means calls that are judged there.
    let elsewhere = |root: &Path| !hook.cwd.is_empty() && Path::new(&hook.cwd) != root;
    if pinned.known_root(&session).is_none_or(|root| elsewhere(&root)) {
        return Second::Nothing;
    }
    let is_open = |decision: &_| records.open().is_handed_over(decision);
    let Some((told, allowed)) = pinned.calls.take_over(&session, &hook, is_open) else {
        return Second::Nothing;
    };
    Second::Told(Response {
        decision: if allowed { Verdict::Allow } else { Verdict::Deny },
        reason: told.why.reason,
        // The hook meets them: it hears what came back.
        obligations: Vec::new(),
        code: told.why.code,
        policies: told.why.policies,
        confirmation: None,
        notes: Vec::new(),
        record_id: Some(told.decision),
    })
}
