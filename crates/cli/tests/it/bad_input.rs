//! Bad input and a broken machine, through the surfaces a user meets: a clear error with a code, the call denied,
//! nothing lost.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{Bench, DOORWARD};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::{Value, json};

fn event(bench: &Bench, tool: &str, input: &Value) -> String {
    json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(), "tool_name": tool,
        "permission_mode": "bypassPermissions", "tool_input": input, "tool_use_id": "t"})
    .to_string()
}

fn shell(bench: &Bench, command: &str) -> String {
    event(bench, "Bash", &json!({"command": command}))
}

/// What the hook told the client: nothing, a permission decision with its reason, or the text beside exit 2.
fn told(bench: &Bench, event: &str) -> (String, String) {
    let (code, out, err) = bench.hook("claude-code", event, &[]);
    if code == 2 {
        return ("block".to_owned(), err);
    }
    assert_eq!(code, 0, "{out}{err}");
    if out.trim().is_empty() {
        return ("no opinion".to_owned(), String::new());
    }
    let answer: Value = serde_json::from_str(&out).unwrap();
    let specific = &answer["hookSpecificOutput"];
    let text = |key: &str| specific[key].as_str().unwrap_or_default().to_owned();
    (text("permissionDecision"), text("permissionDecisionReason"))
}

fn stopped(answer: &(String, String)) -> bool {
    matches!(answer.0.as_str(), "deny" | "block")
}

/// How many decisions are recorded, and how many of them were closed as nobody's.
fn decided(bench: &Bench) -> (usize, usize) {
    let entries = bench.ledger();
    let decisions = entries.iter().filter(|entry| entry["kind"] == "decision").count();
    let abandoned = entries.iter().filter(|entry| {
        entry["kind"] == "outcome" && entry.to_string().contains("\"outcome\":\"abandoned\"")
    });
    (decisions, abandoned.count())
}

/// `doorward check` with this on standard input.
fn check(bench: &Bench, body: &str) -> (i32, String) {
    let mut child = Command::new(DOORWARD)
        .args(["check", "--json"])
        .current_dir(bench.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(body.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap(), text)
}

/// A request says its own mode, folder and roots: options beside it would be ignored.
#[test]
fn options_beside_a_request_on_standard_input_are_refused() {
    for options in
        [&["--batch", "--mode", "plan"][..], &["--batch", "--cwd", "/"], &["--json", "--root", "/"]]
    {
        let run = Command::new(DOORWARD).arg("check").args(options).stdin(Stdio::null()).output().unwrap();
        let told = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success(), "{options:?}");
        assert!(told.contains("into the context of each request"), "{options:?}: {told}");
    }
}

#[test]
fn a_full_disk_denies_and_loses_nothing() {
    let mut bench = Bench::new("");
    // With the signal ignored, a file that may not grow is an error of the write, as a full disk is.
    bench.serve_by(&mut {
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", DOORWARD]);
        shell
    });
    assert_eq!(told(&bench, &shell(&bench, "ls")).0, "no opinion");
    let service = Pid::from_raw(i32::try_from(bench.service_pid()).unwrap());
    let full = prlimit(service, Resource::Fsize, Rlimit { current: Some(0), maximum: None }).unwrap();
    for command in ["ls", "cat x", "git status"] {
        let answer = told(&bench, &shell(&bench, command));
        assert!(stopped(&answer), "{command}: {answer:?}");
        assert!(answer.1.contains("ledger.unwritable"), "{answer:?}");
    }
    prlimit(service, Resource::Fsize, full).unwrap();
    assert_eq!(told(&bench, &shell(&bench, "pwd")).0, "no opinion", "space again: judged again");
    bench.stop_service();
    let (decided, abandoned) = decided(&bench);
    // A record that was still on its way when there was space again is there, and its permit closed by name.
    assert_eq!(decided - abandoned, 2, "what was answered is recorded: {:#?}", bench.ledger());
    let (code, text) = bench.doorward(&["audit", "verify", "--state", bench.state().to_str().unwrap()]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn what_a_record_names_is_durable_with_it_also_while_bundles_cannot_be_written() {
    let mut bench = Bench::new("");
    bench.serve();
    assert_eq!(told(&bench, &shell(&bench, "ls")).0, "no opinion");
    let contents = bench.state().join("ledger/contents");
    let aside = bench.state().join("ledger/aside");
    let there = contents.is_dir();
    if there {
        std::fs::rename(&contents, &aside).unwrap();
    }
    std::fs::write(&contents, "in the way").unwrap();
    // Record and content are one write to the journal; bundling comes later.
    assert_eq!(told(&bench, &shell(&bench, "pwd")).0, "no opinion");
    std::thread::sleep(std::time::Duration::from_secs(2));
    std::fs::remove_file(&contents).unwrap();
    if there {
        std::fs::rename(&aside, &contents).unwrap();
    }
    assert_eq!(told(&bench, &shell(&bench, "id -u")).0, "no opinion", "there again: bundled again");
    bench.stop_service();
    assert_eq!(decided(&bench).0, 3, "{:#?}", bench.ledger());
    let (code, text) = bench.doorward(&["audit", "verify", "--state", bench.state().to_str().unwrap()]);
    assert_eq!(code, 0, "{text}");
    let last = bench.ledger().into_iter().rfind(|entry| entry["kind"] == "decision").unwrap();
    let id = last["id"].as_str().unwrap();
    let (code, text) =
        bench.doorward(&["audit", "show", id, "--kept", "--state", bench.state().to_str().unwrap()]);
    assert!(code == 0 && text.contains("id -u"), "{code}: {text}");
}

#[test]
fn a_second_instance_is_refused_and_the_first_goes_on() {
    let mut bench = Bench::new("");
    bench.serve();
    let state = bench.state().display().to_string();
    let (code, text) = bench.doorward(&["serve", "--port", "0", "--state", &state]);
    assert_ne!(code, 0);
    assert!(text.contains("[ledger.locked]"), "{text}");
    assert_eq!(told(&bench, &shell(&bench, "ls")).0, "no opinion");
}

#[test]
fn a_state_that_cannot_be_written_stops_calls_and_says_so() {
    let bench = Bench::new("");
    std::fs::remove_dir_all(bench.state()).unwrap();
    std::fs::write(bench.state(), "a file, not a folder").unwrap();
    let state = bench.state().display().to_string();
    let (code, text) = bench.doorward(&["serve", "--port", "0", "--state", &state]);
    assert_eq!(code, 2);
    assert!(text.contains("[state.unwritable]") && text.contains(&state), "{text}");
    let answer = told(&bench, &shell(&bench, "ls"));
    assert!(stopped(&answer) && answer.1.contains("service.unavailable"), "{answer:?}");
}

#[test]
fn settings_that_cannot_be_read_stop_every_call_and_are_drawn_where_they_are_wrong() {
    let rows = [
        ("[rules]\ndeny = [\"shell(touch\"]\n", "policy.load", "shell(touch"),
        ("[hooks]\nreliev = \"proven\"\n", "settings.unknown_key", "relieve"),
        ("[hooks\n", "settings.syntax", "[hooks"),
        ("[policy]\npacks = [\"coding-agents\"]\n", "policy.load", "coding-agent"),
    ];
    for (config, code, shown) in rows {
        let mut bench = Bench::new(config);
        let (exit, drawn) = bench.doorward(&["config", "check", "--state", bench.state().to_str().unwrap()]);
        assert_eq!(exit, 2, "{config}: {drawn}");
        assert!(drawn.contains(code) && drawn.contains(shown), "{config}: {drawn}");
        // The service comes up, says it too, and denies until the file is mended.
        bench.serve();
        let answer = told(&bench, &shell(&bench, "ls"));
        assert!(stopped(&answer) && answer.1.contains(code), "{config}: {answer:?}");
        assert!(bench.log().contains(shown), "{config}: {}", bench.log());
        // An edit is in force a second later.
        let edit = |text: &str| {
            std::fs::write(bench.state().join("doorward.toml"), text).unwrap();
            std::thread::sleep(std::time::Duration::from_secs(1));
        };
        edit("");
        assert_eq!(told(&bench, &shell(&bench, "ls")).0, "no opinion", "{config}: mended");
        // Broken again: what was good stays in force.
        edit(config);
        assert_eq!(told(&bench, &shell(&bench, "ls")).0, "no opinion", "{config}: the last good set stays");
    }
}

#[test]
fn calls_that_cannot_be_read_are_never_allowed() {
    let mut bench = Bench::new("[hooks]\nrelieve = \"proven\"\n[rules]\nallow = [\"shell(ls *)\"]\n");
    bench.serve();
    let duplicated = shell(&bench, "ls").replacen("\"command\"", "\"command\":\"ls\",\"command\"", 1);
    let rows = [
        ("no JSON", "{".to_owned()),
        ("nothing", String::new()),
        ("an array", "[]".to_owned()),
        ("a key twice", duplicated),
        ("a command that is a number", event(&bench, "Bash", &json!({"command": 5}))),
        ("no command", event(&bench, "Bash", &json!({}))),
        ("a file path that is a number", event(&bench, "Write", &json!({"file_path": 5, "content": "x"}))),
        ("a file path that is a number, to read", event(&bench, "Read", &json!({"file_path": 5}))),
        ("a tool without a name", event(&bench, "", &json!({"command": "ls"}))),
    ];
    for (what, event) in rows {
        let answer = told(&bench, &event);
        assert!(stopped(&answer), "{what}: {answer:?}");
        assert!(!answer.1.trim().is_empty(), "{what}: says nothing");
    }
    // Text that no shell could parse is judged as unknown: a person decides, also in bypassPermissions.
    for command in ["ls 'unclosed", "ls $(", "ls | | x", "if ls"] {
        let answer = told(&bench, &shell(&bench, command));
        assert!(answer.0 == "ask" || stopped(&answer), "{command}: {answer:?}");
    }
}

#[test]
fn check_answers_bad_requests_with_a_code_and_exit_2() {
    let bench = Bench::new("");
    let rows = [
        "",
        "{",
        "[1]",
        "{}",
        r#"{"principal": {"id": "a"}, "action": "tool:execute"}"#,
        r#"{"principal": {"id": "a"}, "principal": {"id": "b"}, "action": "tool:execute", "resource": {"type": "tool", "name": "shell:execute"}}"#,
        r#"{"principal": {"id": "a"}, "action": "tool:execute", "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": NaN}}}}"#,
    ];
    for body in rows {
        let (code, text) = check(&bench, body);
        assert!(code == 2 || code == 11, "{body}: {code} {text}");
        assert!(
            text.contains("request.") || text.contains("json.") || text.contains("args."),
            "{body}: {text}"
        );
    }
}

/// A call whose arguments stand where nobody reads them would be judged as one without arguments.
#[test]
fn arguments_in_another_place_are_refused_with_their_place() {
    let bench = Bench::new("");
    let request = |resource: &str| {
        format!(
            r#"{{"principal": {{"id": "a"}}, "action": "tool:execute", "resource": {{{resource}}}, "context": {{}}}}"#
        )
    };
    for resource in [
        r#""type": "tool", "name": "mcp:x/y", "args": {"command": "rm -rf /"}"#,
        r#""type": "tool", "name": "mcp:x/y", "arguments": {"command": "rm -rf /"}"#,
        r#""type": "tool", "name": "mcp:x/y", "attributes": {"parameters": {"command": "rm -rf /"}}"#,
    ] {
        let (code, text) = check(&bench, &request(resource));
        assert_eq!(code, 2, "{text}");
        assert!(text.contains("the arguments stand in `resource.attributes.args`"), "{text}");
    }
}
