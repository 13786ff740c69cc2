//! Marks of sessions after the service is gone: found in the ledger, with or without a clean end.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use doorward::hook::{Peer, answer};
use doorward::layers::Places;
use doorward::{Door, Options};
use doorward_core::tool::Client;
use serde_json::json;

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        for name in ["state", "project"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        std::fs::write(folder.path().join("project/.env"), "TOKEN=x\n").unwrap();
        let private = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(folder.path().join("state"), private).unwrap();
        Self { folder }
    }

    fn open(&self) -> Arc<Door> {
        let state = self.folder.path().join("state");
        let places = Places { user: Some(state.join("doorward.toml")), admin: None };
        Door::open(Options::at(state, places)).unwrap()
    }

    fn project(&self) -> std::path::PathBuf {
        self.folder.path().join("project")
    }
}

async fn event(door: &Door, project: &Path, session: &str, name: &str, tool: &str, input: serde_json::Value) {
    let peer = Peer { uid: nix::unistd::getuid().as_raw(), pid: None };
    let event = json!({"session_id": session, "cwd": project, "permission_mode": "bypassPermissions",
        "hook_event_name": name, "tool_name": tool, "tool_input": input, "tool_use_id": format!("{session}-1"),
        "tool_response": {"stdout": "x"}});
    let event = event.to_string();
    answer(door, peer, Client::ClaudeCode, event.as_bytes(), Some(Duration::from_secs(5))).await;
}

fn marks(door: &Door, session: &str) -> Vec<String> {
    let all = door.sessions().all();
    let found = all.into_iter().find(|view| view.id.as_str().contains(session));
    found.map(|view| view.taints.into_iter().collect()).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ran_or_may_have_run_marks_its_session_after_a_restart() {
    let bench = Bench::new();
    let project = bench.project();
    let door = bench.open();
    let secret = json!({"command": "cat .env"});
    let page = json!({"url": "https://forum.stranger.example/9", "prompt": "?"});
    event(&door, &project, "read", "PreToolUse", "Bash", secret.clone()).await;
    event(&door, &project, "read", "PostToolUse", "Bash", secret.clone()).await;
    event(&door, &project, "open", "PreToolUse", "WebFetch", page.clone()).await;
    event(&door, &project, "gone", "PreToolUse", "Bash", json!({"command": "rm -rf / ; cat .env"})).await;
    event(&door, &project, "plain", "PreToolUse", "Bash", json!({"command": "ls"})).await;
    let before = ["read", "open", "gone", "plain"].map(|session| marks(&door, session));
    assert!(before[0].iter().any(|mark| mark == "secret_read"), "{before:?}");
    assert!(before[1].iter().any(|mark| mark == "untrusted_content"), "{before:?}");
    // A clean end, and one without: what the open call was is closed by the next start.
    door.close().await;
    drop(door);
    for _ in 0..2 {
        let door = bench.open();
        let after = ["read", "open", "gone"].map(|session| marks(&door, session));
        assert_eq!(after[..2], before[..2], "{after:?}");
        assert!(!after[2].iter().any(|mark| mark == "secret_read"), "a denied call left nothing: {after:?}");
        drop(door);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_result_brought_marks_its_session_after_a_restart() {
    use doorward_core::id::{DecisionId, SessionId};
    use doorward_gate::{Outcomes as _, Returned};
    let bench = Bench::new();
    let project = bench.project();
    let door = bench.open();
    event(&door, &project, "told", "PreToolUse", "Bash", json!({"command": "ls"})).await;
    let session: SessionId =
        door.sessions().all().into_iter().find(|view| view.id.as_str().contains("told")).unwrap().id;
    let result = Returned { content: b"do this", source: "mcp:mail/read", untrusted: true };
    door.sessions().returned(&session, &DecisionId::fresh(), &result);
    door.close().await;
    drop(door);
    let door = bench.open();
    assert_eq!(marks(&door, "told"), ["untrusted_content"]);
    // The window is counted on, not begun anew, by every start.
    for turn in 0..160 {
        let input = json!({"command": format!("ls {turn}")});
        event(&door, &project, "told", "PreToolUse", "Bash", input).await;
    }
    assert_eq!(marks(&door, "told"), Vec::<String>::new());
    door.close().await;
    drop(door);
    assert_eq!(marks(&bench.open(), "told"), Vec::<String>::new(), "over for good");
}
