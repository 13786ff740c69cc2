//! Verdicts that could get lost between Doorward and the client.

use serde_json::json;

use crate::world::World;
use crate::{Attack, Tried, judged};

pub const ATTACKS: &[Attack] = &[
    Attack {
        class: "emission",
        tries: "a confirm in bypassPermissions mode passes as no opinion",
        run: confirm_in_bypass,
    },
    Attack {
        class: "emission",
        tries: "a critical confirm passes as no opinion in any mode",
        run: critical_in_every_mode,
    },
    Attack {
        class: "emission",
        tries: "the user's allow rule isn't recognised, so people click until they stop reading",
        run: allow_rule_waives,
    },
    Attack {
        class: "emission",
        tries: "the ledger says that a person agreed where the client asked nobody",
        run: nobody_agreed,
    },
    Attack {
        class: "emission",
        tries: "earlier calls are stored again with every call until the disk is full",
        run: history_is_not_stored_again,
    },
];

/// What may come back for a call that has to be asked about where the client asks nobody by itself.
fn stops(decision: &str) -> bool {
    decision == "ask" || decision == "deny"
}

fn confirm_in_bypass(world: &World) -> Tried {
    let user = world.user();
    user.settings("[rules]\nask = [\"shell(touch *)\"]\n");
    let commands = ["touch x", "eval \"$(head -c 9 /dev/urandom)\"", "$X y", "cargo publish", "npm publish"];
    let said: Vec<(&str, String)> =
        commands.iter().map(|text| (*text, user.shell("bypassPermissions", text).decision())).collect();
    judged(said.iter().all(|(_, decision)| stops(decision)), format!("{said:?}"))
}

fn critical_in_every_mode(world: &World) -> Tried {
    let user = world.user();
    let mut said = Vec::new();
    for mode in ["default", "plan", "acceptEdits", "dontAsk", "bypassPermissions"] {
        for command in ["rm -rf .git", "cd .. && rm -rf project", "find . -name .git -exec rm -rf {} +"] {
            said.push((mode, command, user.shell(mode, command).decision()));
        }
    }
    judged(said.iter().all(|(.., decision)| decision == "deny"), format!("{said:?}"))
}

fn allow_rule_waives(world: &World) -> Tried {
    let user = world.user();
    user.settings("[rules]\nallow = [\"shell(cargo test *)\"]\n");
    let by_rule = user.shell("default", "cargo test --workspace").decision();
    let beside = user.shell("default", "cargo build").decision();
    judged(by_rule == "allow" && beside == "none", format!("by the rule: {by_rule}; beside it: {beside}"))
}

fn nobody_agreed(world: &World) -> Tried {
    let user = world.user();
    // Left to the client by mode; its own rule lets it run; nobody saw a dialog.
    let event = user.shell_event("default", "cargo build");
    let first = user.hook("claude-code", &event).decision();
    let mut after = event.clone();
    after["hook_event_name"] = json!("PostToolUse");
    after["tool_response"] = json!({"stdout": ""});
    user.hook("claude-code", &after);
    // The same with a dialog that the client reports.
    let event = user.shell_event("default", "cargo doc");
    user.hook("claude-code", &event);
    let mut dialog = event.clone();
    dialog["hook_event_name"] = json!("PermissionRequest");
    let shown = user.hook("claude-code", &dialog).decision();
    let mut after = event;
    after["hook_event_name"] = json!("PostToolUse");
    after["tool_response"] = json!({"stdout": ""});
    user.hook("claude-code", &after);
    user.end_service();
    let approvals: Vec<_> = user
        .ledger()
        .into_iter()
        .filter(|entry| entry["kind"] == "approval")
        .map(|entry| (entry["event"].clone(), entry["presence"].clone(), entry["decision"].clone()))
        .collect();
    let passed = (json!("passed"), json!("client_rule"), json!(null));
    let answered = (json!("answered"), json!("client_dialog"), json!("allowed"));
    let held = first == "none" && shown == "none" && approvals == [passed, answered];
    judged(held, format!("{first}, {shown}, {approvals:?}"))
}

fn history_is_not_stored_again(world: &World) -> Tried {
    let user = world.user();
    let size = || {
        let out = user.sh("du -sb .local/state/doorward/ledger | cut -f1").stdout;
        String::from_utf8_lossy(&out).trim().parse::<u64>().unwrap()
    };
    // What was just recorded is bundled a moment later: the size counts once it stays.
    let settled = || {
        let mut last = size();
        loop {
            std::thread::sleep(std::time::Duration::from_millis(1_500));
            let now = size();
            if now == last {
                return now;
            }
            last = now;
        }
    };
    for number in 0..20 {
        let content = "some text of no interest\n".repeat(4_200);
        let input = json!({"file_path": user.project().join(format!("f{number}.txt")), "content": content});
        user.hook("claude-code", &user.tool_event("acceptEdits", "Write", input));
    }
    let before = settled();
    for number in 0..10 {
        user.shell("default", &format!("ls -l src{number}"));
    }
    let each = settled().saturating_sub(before) / 10;
    judged(each < 20_000, format!("after 2 MB of writes a small call stores {each} bytes"))
}
