//! Verdicts that could get lost between Doorward and the client.

use serde_json::json;

use crate::people::at_terminal;
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
        tries: "what can't be undone or leaves the project passes in bypassPermissions mode",
        run: not_undone_in_bypass,
    },
    Attack {
        class: "emission",
        tries: "a question in the queue hangs the agent, reaches nobody, or its yes isn't good for the same call",
        run: queued_question,
    },
    Attack {
        class: "emission",
        tries: "one call becomes several decisions because several events announce it",
        run: one_call_one_decision,
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

/// Commands that lose something, gain privilege, act later or send something away.
const NOT_UNDONE: &[&str] = &[
    "git reset --hard",
    "git clean -fdx",
    "git push --force origin main",
    "rm untracked.txt",
    "sudo apt-get install jq",
    "chmod -R 777 .",
    "echo x >> ~/.bashrc",
    "echo x > CLAUDE.md",
    "gh release create v1 notes.txt",
    "npm publish",
];

fn not_undone_in_bypass(world: &World) -> Tried {
    let user = world.user();
    user.sh("cd project && echo two >> tracked.txt && echo u > untracked.txt && echo n > notes.txt");
    let service = user.serve(&[]);
    let mut wrong = Vec::new();
    let mut said = Vec::new();
    for command in NOT_UNDONE {
        let decision = user.shell("bypassPermissions", command).decision();
        if !stops(&decision) {
            wrong.push(format!("{command}: {decision}"));
        }
        said.push((command, decision));
    }
    // A rule that names what is asked about is the user's yes; one for the whole program isn't.
    for (rule, command, passes) in [
        ("shell(git reset --hard)", "git reset --hard", true),
        ("shell(git *)", "git reset --hard", false),
        ("shell(chmod *)", "chmod -R 777 .", false),
        ("shell(cargo publish)", "cargo publish", true),
        ("shell(cargo *)", "cargo publish", false),
    ] {
        user.settings(&format!("[rules]\nallow = [\"{rule}\"]\n"));
        let decision = user.shell("bypassPermissions", command).decision();
        if stops(&decision) == passes {
            wrong.push(format!("with {rule}, {command}: {decision}"));
        }
    }
    drop(service);
    judged(wrong.is_empty(), format!("wrong: {wrong:?}; {said:?}"))
}

fn queued_question(world: &World) -> Tried {
    let user = world.user();
    user.settings("[rules]\nask = [\"shell(touch *)\"]\n[hooks]\nask = \"queue\"\n");
    // A desktop whose notifications are a file.
    let notified = user.home.join("notified");
    let fake = user.program("notify-send");
    std::fs::write(&fake, format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >> {}\n", notified.display())).unwrap();
    std::fs::set_permissions(&fake, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let service = user.serve(&[]);
    let begun = std::time::Instant::now();
    let first = user.shell("default", "touch x");
    let at_once = begun.elapsed();
    let id = first.reason().split("doorward approve ").nth(1).unwrap_or_default().to_owned();
    let id = id.split('`').next().unwrap_or_default().to_owned();
    let linked = first.reason().contains("/#login=");
    let yes = at_terminal(&user, "work", &format!("doorward approve {id}"), "");
    let again = user.shell("default", "touch x").decision();
    let once = user.shell("default", "touch x").decision();
    let told = std::fs::read_to_string(&notified).unwrap_or_default();
    // The terminal that the agent runs in rings.
    let event = user.home.join("event.json");
    user.write(&event, &user.shell_event("default", "touch y").to_string());
    let line = format!("flock .lock bash -c 'doorward-thin hook claude-code < {}'; sleep 1", event.display());
    let rang = at_terminal(&user, "agent", &line, "").contains('\u{7}');
    user.settings("[rules]\nask = [\"shell(touch *)\"]\n[hooks]\nask = \"queue\"\nwait_s = 2\n");
    let begun = std::time::Instant::now();
    let waited = user.shell("default", "touch z").decision();
    let wait = begun.elapsed();
    drop(service);
    let _ = std::fs::remove_file(&fake);
    let seconds = |span: std::time::Duration| span.as_secs_f32();
    judged(
        first.decision() == "deny"
            && linked
            && seconds(at_once) < 1.5
            && again == "allow"
            && once == "deny"
            && told.contains("Doorward")
            && rang
            && waited == "deny"
            && (1.9..2.9).contains(&seconds(wait)),
        format!(
            "{} after {:.1} s; {yes}; then {again}, then {once}; notified {told:?}, rang {rang}; with wait_s {:.1} s",
            first.reason(),
            seconds(at_once),
            seconds(wait)
        ),
    )
}

fn one_call_one_decision(world: &World) -> Tried {
    let user = world.user();
    // The same event from two installed hooks, then the client's dialog, then what became of it.
    let event = user.shell_event("default", "cargo build");
    let service = user.serve(&[]);
    user.shell("default", "true");
    let (first, second) = std::thread::scope(|scope| {
        let beside = scope.spawn(|| user.hook("claude-code", &event).decision());
        (user.hook("claude-code", &event).decision(), beside.join().unwrap())
    });
    let mut dialog = event.clone();
    dialog["hook_event_name"] = json!("PermissionRequest");
    dialog.as_object_mut().unwrap().remove("tool_use_id");
    user.hook("claude-code", &dialog);
    let mut after = event;
    after["hook_event_name"] = json!("PostToolUse");
    after["tool_response"] = json!({"stdout": ""});
    user.hook("claude-code", &after);
    // Codex describes the command when it asks about it.
    let mut codex = user.shell_event("default", "cargo doc");
    codex["model"] = json!("m");
    user.hook("codex", &codex);
    let mut asked = codex.clone();
    asked["hook_event_name"] = json!("PermissionRequest");
    asked["tool_input"]["description"] = json!("why it is needed");
    asked.as_object_mut().unwrap().remove("tool_use_id");
    user.hook("codex", &asked);
    drop(service);
    let ledger = user.ledger();
    let decisions = ledger.iter().filter(|entry| entry["kind"] == "decision").count();
    let answers =
        ledger.iter().filter(|entry| entry["kind"] == "approval" && entry["event"] == "answered").count();
    judged(
        first == "none" && second == "none" && decisions == 3 && answers == 1,
        format!("{first}, {second}; {decisions} decisions and {answers} answers for three calls"),
    )
}
