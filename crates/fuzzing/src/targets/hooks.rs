//! Events of coding agents: whatever a client sends, the answer to a call is one that the client obeys.

use doorward_core::json::Value;
use doorward_core::tool::Client;
use doorward_hooks::{Answer, Event, Reply, event, fault, reply};

use super::listed;
use crate::mutate::Mutator;

/// Recorded and documented events of all clients.
const RECORDED: &[&str] = &[
    include_str!("../../../hooks/testdata/claude.jsonl"),
    include_str!("../../../hooks/testdata/codex.jsonl"),
    include_str!("../../../hooks/testdata/copilot.jsonl"),
    include_str!("../../../hooks/testdata/cursor.jsonl"),
    include_str!("../../../hooks/testdata/gemini.jsonl"),
    include_str!("../../../hooks/testdata/windsurf.jsonl"),
];

pub(super) fn check(bytes: &[u8]) {
    for client in Client::ALL.iter().copied() {
        match event(client, bytes) {
            Ok(Event::Call(call)) => {
                let denied = reply(client, &call.event, &Answer::Deny { reason: "no".to_owned() });
                let silent = reply(client, &call.event, &Answer::NoOpinion);
                assert!(well_formed(&denied), "{client:?}: {denied:?}");
                assert!(well_formed(&silent), "{client:?}: {silent:?}");
                assert_ne!(denied, silent, "{client:?} {:?}: a denial is no opinion", call.event);
                assert!(denies(&denied), "{client:?} {:?}: {denied:?}", call.event);
            }
            Ok(_) => {}
            Err(error) => {
                let denied = fault(client, &error.to_string());
                assert!(well_formed(&denied) && denies(&denied), "{client:?}: {denied:?}");
            }
        }
    }
}

/// Whether standard output is empty or one JSON document.
fn well_formed(reply: &Reply) -> bool {
    reply.stdout.is_empty() || Value::parse(reply.stdout.trim_end()).is_ok()
}

/// Whether the answer blocks: by its exit code, or by a word that the client treats as a denial.
fn denies(reply: &Reply) -> bool {
    let words = ["\"deny\"", "\"block\"", "\"DENY\"", "false"];
    (reply.exit == 2 && !reply.stderr.is_empty()) || words.iter().any(|word| reply.stdout.contains(word))
}

pub(super) fn inputs() -> Mutator {
    let rows = RECORDED.iter().flat_map(|text| text.lines());
    let stdin = rows.filter_map(|row| {
        let row: serde_json::Value = serde_json::from_str(row).ok()?;
        row.get("stdin").map(|event| event.to_string().into_bytes())
    });
    listed("hook_event").with_seeds(stdin.collect())
}
