//! A call that a person approved in the client's dialog and then interrupted while it ran: the client reports nothing of
//! it any more, the record says `unclear` instead of a Yes or a No, and the next call works.

use crate::support::Bench;
use serde_json::{Value, json};

const COMMAND: &str = "echo slow work";

struct Talk {
    bench: Bench,
    /// Number of the person's prompt.
    turn: u32,
}

impl Talk {
    fn new() -> Self {
        let mut bench =
            Bench::new("[rules]\nask = [\"shell(echo slow *)\"]\nallow = [\"shell(echo next)\"]\n");
        bench.serve();
        Self { bench, turn: 1 }
    }

    /// An event of a conversation with Claude Code in its default mode.
    fn event(&self, name: &str, more: &Value) -> Value {
        let mut event = json!({
            "session_id": "talk", "hook_event_name": name, "cwd": self.bench.project(),
            "permission_mode": "default", "prompt_id": format!("p{}", self.turn), "transcript_path": self.bench.file("transcript.jsonl"),
        });
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (code, out, err) = self.bench.hook("claude-code", &event.to_string(), &[]);
        assert_eq!(code, 0, "{name}: {out}{err}");
        serde_json::from_str(&out).unwrap_or_default()
    }

    fn call(&self, name: &str, id: &str, command: &str) -> Value {
        let call = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": id,
            "tool_response": {"stdout": "", "stderr": "", "interrupted": false}});
        self.event(name, &call)["hookSpecificOutput"].clone()
    }

    /// The call is asked about, and the client shows its dialog.
    fn asked(&self, id: &str) {
        let answer = self.call("PreToolUse", id, COMMAND);
        assert_eq!(answer["permissionDecision"], "ask", "{answer}");
        assert_eq!(self.call("PermissionRequest", id, COMMAND), Value::Null, "its own dialog decides");
    }

    /// What the client's transcript holds after a No, or after an interrupt of a call that was running.
    fn transcript(&self, id: &str, interrupted: bool) {
        let result = json!({"type": "user", "toolUseResult": "User rejected tool use", "message": {"role": "user",
            "content": [{"type": "tool_result", "is_error": true, "tool_use_id": id}]}});
        let mut note = json!({"type": "user", "message": {"role": "user",
            "content": [{"type": "text", "text": "[Request interrupted by user for tool use]"}]}});
        if interrupted {
            note["interruptedMessageId"] = json!("msg_1");
        }
        std::fs::write(self.bench.file("transcript.jsonl"), format!("{result}\n{note}\n")).unwrap();
    }

    /// Kinds, events and outcomes of the records about the first call, in their order.
    fn story(&self) -> Vec<String> {
        let entries = self.bench.ledger();
        let first = entries.iter().find(|entry| entry["kind"] == "decision").unwrap();
        let id = first["id"].as_str().unwrap();
        let of = entries.iter().filter(|entry| entry["kind"] != "decision" && entry["of"] == id);
        of.map(|entry| {
            let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
            format!("{} {}{}", text("kind"), text("event"), text("outcome"))
        })
        .collect()
    }

    fn next_call_works(&mut self) {
        self.turn += 1;
        self.event("UserPromptSubmit", &json!({"prompt": "Go on."}));
        let answer = self.call("PreToolUse", "toolu_next", "echo next");
        assert_eq!(answer["permissionDecision"], "allow", "{answer}");
        assert_eq!(self.call("PostToolUse", "toolu_next", "echo next"), Value::Null);
        // The same call is asked about again: an unclear answer is no approval.
        let again = self.call("PreToolUse", "toolu_again", COMMAND);
        assert_eq!(again["permissionDecision"], "ask", "{again}");
    }
}

#[test]
fn an_interrupted_call_is_recorded_as_unclear_and_the_next_call_works() {
    // With the client's transcript, and where it can't be read.
    for with_transcript in [true, false] {
        let mut talk = Talk::new();
        talk.asked("toolu_1");
        if with_transcript {
            talk.transcript("toolu_1", true);
        }
        talk.next_call_works();
        let story = talk.story();
        assert!(story.iter().any(|step| step == "approval unclear"), "{story:?}");
        assert!(story.iter().any(|step| step == "outcome unobserved"), "it may have run: {story:?}");
        assert!(!story.iter().any(|step| step == "approval answered"), "nobody's answer is known: {story:?}");
        let state = talk.bench.state().display().to_string();
        let (code, told) = talk.bench.doorward(&["audit", "tail", "-n", "50", "--state", &state]);
        assert!(code == 0 && told.contains("or interrupted while it ran"), "{told}");
    }
}

/// The agent can write a file and name it as the transcript. One outside the client's own folder isn't read; what a real
/// client's says is tried in the attack suite (`clients`).
#[test]
fn a_no_in_a_file_outside_the_clients_folder_says_nothing() {
    let mut talk = Talk::new();
    talk.asked("toolu_1");
    talk.transcript("toolu_1", false);
    talk.next_call_works();
    assert_eq!(talk.story(), ["approval unclear", "outcome unobserved"]);
    assert!(!talk.bench.ledger().iter().any(|entry| entry["via"] == "client_transcript"));
}
