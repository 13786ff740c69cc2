//! The record and the database beside it, as a person meets them through the built programs: a ledger that was
//! removed, replaced or rolled back is an alarm, and what a call costs on the disk is bounded.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support;
use crate::support::{Bench, DOORWARD, run};
use serde_json::{Value, json};

fn shell(bench: &Bench, command: &str) -> String {
    json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(), "tool_name": "Bash",
        "permission_mode": "default", "tool_input": {"command": command}, "tool_use_id": "t"})
    .to_string()
}

/// `doorward audit verify --json`: its exit code and what it says.
fn verify(bench: &Bench) -> (i32, Value) {
    let (code, text) =
        bench.doorward(&["audit", "verify", "--json", "--state", bench.state().to_str().unwrap()]);
    (code, serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}")))
}

fn faults(report: &Value) -> Vec<&str> {
    report["faults"].as_array().unwrap().iter().map(|fault| fault["code"].as_str().unwrap()).collect()
}

/// Size of the log that the database remembers.
fn remembered(report: &Value) -> u64 {
    report["anchors"][0]["size"].as_u64().unwrap_or(0)
}

/// Calls until the database remembers more than so many records; gives what it remembers then.
fn call_until_remembered(bench: &Bench, more_than: u64) -> u64 {
    let (code, out, err) = bench.hook("claude-code", &shell(bench, "ls"), &[]);
    assert_eq!(code, 0, "{out}{err}");
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let (code, report) = verify(bench);
        assert_eq!(code, 0, "while the service runs: {report}");
        if remembered(&report) > more_than && report["size"] == report["entries"] {
            return remembered(&report);
        }
        assert!(Instant::now() < until, "never remembered: {report}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn copy(from: &Path, to: &Path) {
    run(Command::new("cp").arg("-a").arg(from).arg(to));
}

/// Names and contents of the files in a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder).unwrap().map(Result::unwrap).filter(|item| item.path().is_file());
    files.map(|item| (item.file_name().into_string().unwrap(), std::fs::read(item.path()).unwrap())).collect()
}

/// The service doesn't start, says why by this code, and calls are denied.
fn refuses_to_start(bench: &Bench, code: &str) {
    let state = bench.state().display().to_string();
    let (exit, text) = bench.doorward(&["serve", "--port", "0", "--state", &state]);
    assert_eq!(exit, 2, "{text}");
    assert!(text.contains(&format!("[{code}]")) && text.contains("doorward audit accept"), "{text}");
    let (exit, out, err) = bench.hook("claude-code", &shell(bench, "touch x"), &[]);
    let denied = exit == 2 || out.contains("\"permissionDecision\":\"deny\"");
    assert!(denied, "{exit} {out}{err}");
    assert!(format!("{out}{err}").contains(code), "the denial says why there is no service: {out}{err}");
    raises_the_alarm(bench, code);
}

/// `doctor` and `status` say it too, by this code, to people and to programs.
fn raises_the_alarm(bench: &Bench, code: &str) {
    let state = bench.state().display().to_string();
    for command in ["doctor", "status"] {
        let (exit, text) = bench.doorward(&[command, "--state", &state]);
        assert_eq!(exit, 1, "{command}: {text}");
        assert!(text.contains("ALARM") && text.contains(&format!("({code})")), "{command}: {text}");
        assert!(text.contains("doorward audit accept"), "{command} says what to do: {text}");
        let (exit, text) = bench.doorward(&[command, "--json", "--state", &state]);
        assert_eq!(exit, 1, "{command}: {text}");
        let told = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        assert!(told.into_iter().any(|line| line["record"][0]["code"] == code), "{command}: {text}");
    }
}

/// `doctor` and `status` have nothing to say about the record.
fn raises_no_alarm(bench: &Bench) {
    let state = bench.state().display().to_string();
    for command in ["doctor", "status"] {
        let (_, text) = bench.doorward(&[command, "--state", &state]);
        assert!(!text.contains("ALARM"), "{command}: {text}");
    }
}

#[test]
fn a_ledger_removed_beside_a_database_that_knows_it_is_an_alarm() {
    let mut bench = Bench::new("");
    bench.serve();
    let known = call_until_remembered(&bench, 1);
    raises_no_alarm(&bench);
    bench.stop_service();
    raises_no_alarm(&bench);
    std::fs::remove_dir_all(bench.state().join("ledger")).unwrap();

    let before = contents(&bench.state());
    let (code, report) = verify(&bench);
    assert_eq!((code, faults(&report)), (1, vec!["ledger.wiped"]), "{report}");
    assert!(remembered(&report) >= known, "{report}");
    assert!(contents(&bench.state()) == before, "verifying only reads");
    refuses_to_start(&bench, "ledger.wiped");
    assert!(!bench.state().join("ledger/tile").exists(), "no fresh log was begun");
}

#[test]
fn another_ledger_in_its_place_is_called_by_name() {
    let mut bench = Bench::new("");
    let mut other = Bench::new("");
    for one in [&mut bench, &mut other] {
        one.serve();
        call_until_remembered(one, 1);
        one.stop_service();
    }
    std::fs::remove_dir_all(bench.state().join("ledger")).unwrap();
    copy(&other.state().join("ledger"), &bench.state());
    let (code, report) = verify(&bench);
    assert_eq!((code, faults(&report)), (1, vec!["ledger.replaced"]), "{report}");
    refuses_to_start(&bench, "ledger.replaced");
}

#[test]
fn a_ledger_rolled_back_to_a_genuine_older_state_is_called_by_name() {
    let mut bench = Bench::new("");
    bench.serve();
    let early = call_until_remembered(&bench, 1);
    bench.stop_service();
    copy(&bench.state().join("ledger"), &bench.file("older"));
    bench.serve();
    call_until_remembered(&bench, early + 2);
    bench.stop_service();
    let (code, report) = verify(&bench);
    assert_eq!(code, 0, "nothing was changed yet: {report}");

    std::fs::remove_dir_all(bench.state().join("ledger")).unwrap();
    copy(&bench.file("older"), &bench.state().join("ledger"));
    let (code, report) = verify(&bench);
    assert_eq!((code, faults(&report)), (1, vec!["ledger.rollback"]), "{report}");
    let state = bench.state().display().to_string();
    let (code, text) = bench.doorward(&["audit", "verify", "--no-anchors", "--state", &state]);
    assert_eq!(code, 0, "in itself the older state is intact: {text}");
    assert!(text.contains("not compared"), "and what wasn't looked at is said: {text}");
    refuses_to_start(&bench, "ledger.rollback");
}

#[test]
fn a_person_at_a_terminal_gives_a_lost_ledger_up_and_that_is_recorded() {
    let mut bench = Bench::new("");
    bench.serve();
    call_until_remembered(&bench, 1);
    bench.stop_service();
    let state = bench.state().display().to_string();
    let name = std::fs::read_to_string(bench.state().join("ledger/origin")).unwrap();
    std::fs::remove_dir_all(bench.state().join("ledger")).unwrap();
    let accept = |typed: &str| {
        let line = format!("{DOORWARD} audit accept --state {state}");
        let mut child = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(format!("{typed}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let without_terminal = Command::new("setsid")
        .args(["--wait", DOORWARD, "audit", "accept", "--state", &state])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&without_terminal.stderr).contains("[ledger.terminal]"));
    let (done, text) = accept("yes");
    assert!(!done && text.contains("nothing was changed"), "{text}");
    refuses_to_start(&bench, "ledger.wiped");
    let (done, text) = accept(name.trim());
    assert!(done, "{text}");
    bench.serve();
    let given_up = |entry: &Value| {
        entry["code"] == "ledger.given_up" && entry["message"].as_str().unwrap().contains(name.trim())
    };
    assert!(bench.ledger().iter().any(given_up), "{:#?}", bench.ledger());
    call_until_remembered(&bench, 1);
}

#[test]
fn a_ledger_whose_database_was_removed_says_so_in_its_next_records() {
    let mut bench = Bench::new("");
    bench.serve();
    call_until_remembered(&bench, 1);
    bench.stop_service();
    for item in std::fs::read_dir(bench.state()).unwrap().map(Result::unwrap) {
        if item.file_name().to_string_lossy().starts_with("doorward.db") {
            std::fs::remove_file(item.path()).unwrap();
        }
    }
    let (code, report) = verify(&bench);
    assert_eq!(code, 0, "{report}");
    assert!(report["compared"].as_str().unwrap().contains("there is no database"), "{report}");
    bench.serve();
    let forgotten = bench.ledger().into_iter().find(|entry| entry["code"] == "ledger.unremembered");
    assert!(forgotten.is_some(), "{:#?}", bench.ledger());
    // From here on it is remembered again.
    call_until_remembered(&bench, 1);
}

#[test]
fn a_database_that_cannot_be_read_is_an_error_not_a_clean_bill() {
    let mut bench = Bench::new("");
    bench.serve();
    call_until_remembered(&bench, 1);
    bench.stop_service();
    std::fs::write(bench.state().join("doorward.db"), "no database").unwrap();
    let (code, text) = bench.doorward(&["audit", "verify", "--state", bench.state().to_str().unwrap()]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("--no-anchors"), "{text}");
}

#[test]
fn a_ledger_removed_under_the_running_service_denies_calls_and_begins_no_second_one() {
    let mut bench = Bench::new("");
    bench.serve();
    call_until_remembered(&bench, 1);
    std::fs::remove_dir_all(bench.state().join("ledger")).unwrap();
    for _ in 0..2 {
        let (exit, out, err) = bench.hook("claude-code", &shell(&bench, "ls"), &[]);
        assert!(exit == 2 || out.contains("\"permissionDecision\":\"deny\""), "{exit} {out}{err}");
    }
    // Longer than the time between two checkpoints.
    std::thread::sleep(Duration::from_millis(1500));
    assert!(!bench.state().join("ledger/checkpoint").exists(), "nothing was signed in its place");
    raises_the_alarm(&bench, "ledger.wiped");
    bench.stop_service();
    refuses_to_start(&bench, "ledger.wiped");
}

/// Bytes of the database with SQLite's files beside it.
fn database_bytes(bench: &Bench) -> u64 {
    let files = std::fs::read_dir(bench.state()).unwrap().map(Result::unwrap);
    files
        .filter(|item| item.file_name().to_string_lossy().starts_with("doorward.db"))
        .map(|item| item.metadata().unwrap().len())
        .sum()
}

#[test]
fn a_question_about_seven_mebibytes_costs_the_database_little_and_says_that_it_is_shortened() {
    let mut bench = Bench::new("");
    bench.serve();
    let command = format!("echo {} # the end", "x y".repeat(7 * 1024 * 1024 / 3));
    // A client that can't ask by itself: the question goes into the queue, and the hook waits for the answer.
    let event = json!({"trajectory_id": "t", "execution_id": "1", "agent_action_name": "pre_run_command",
        "tool_info": {"command_line": command, "cwd": bench.project()}})
    .to_string();
    let before = database_bytes(&bench);
    let mut hook = Command::new(support::THIN)
        .args(["hook", "windsurf", "--state"])
        .arg(bench.state())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    hook.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
    let state = bench.state().display().to_string();
    let until = Instant::now() + Duration::from_secs(60);
    let question = loop {
        let (_, text) = bench.doorward(&["approvals", "list", "--json", "--state", &state]);
        let asked = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        if let Some(question) = asked.into_iter().find(|line| !line["args"].is_null()) {
            break question;
        }
        assert!(Instant::now() < until, "no question: {}", &text[..text.len().min(2000)]);
        std::thread::sleep(Duration::from_millis(100));
    };
    hook.kill().unwrap();
    hook.wait().unwrap();
    let grown = database_bytes(&bench).saturating_sub(before);
    assert!(grown < 1 << 20, "the database grew by {grown} bytes");
    let shown = question["args"].to_string();
    assert!(shown.contains("not shown here") && shown.contains("# the end"), "{}", shown.len());
    let warning = question["security_warning"]["message"].as_str().unwrap();
    assert!(warning.contains("only a part of them is shown"), "{warning}");
    // The record has the whole of it.
    let (code, whole) =
        bench.doorward(&["audit", "show", question["decision"].as_str().unwrap(), "--state", &state]);
    assert_eq!(code, 0, "{}", &whole[..whole.len().min(2000)]);
}

/// A disk of its own, of so many bytes, over the state folder of a service. Only the service and what is started with
/// [`SmallDisk::command`] see it.
struct SmallDisk {
    root: std::path::PathBuf,
}

impl SmallDisk {
    /// Starts the bench's service on it; `None` where this user can't make mounts.
    fn serve(bench: &mut Bench, bytes: u64) -> Option<Self> {
        let possible =
            Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|status| status.success());
        if !possible {
            support::lacking("SmallDisk", "unshare -rm (user and mount namespaces)");
            return None;
        }
        let state = bench.state().display().to_string();
        let mount = format!("mount -t tmpfs -o size={bytes},mode=0700 none {state} && exec \"$@\"");
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", &mount, "sh", DOORWARD]);
        bench.spawn_by(&mut command);
        let disk = Self { root: format!("/proc/{}/root", bench.service_pid()).into() };
        let until = Instant::now() + Duration::from_secs(20);
        while !disk.inside(&bench.state()).join("doorward.sock").exists() {
            assert!(Instant::now() < until, "no service: {}", bench.log());
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(disk)
    }

    /// A path as the service sees it.
    fn inside(&self, path: &Path) -> std::path::PathBuf {
        self.root.join(path.strip_prefix("/").unwrap())
    }

    /// A program that sees what the service sees.
    fn command(&self, bench: &Bench, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["-t", &bench.service_pid().to_string(), "-U", "-m", "--preserve-credentials", program]);
        command
    }
}

/// Files below a folder that have such names as unfinished ones are given.
fn unfinished(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for item in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if item.file_type().unwrap().is_dir() {
            found.extend(unfinished(&item.path()));
        } else if item.file_name().to_string_lossy().ends_with(".tmp") {
            found.push(item.path());
        }
    }
    found
}

#[test]
fn a_full_disk_denies_leaves_nothing_unfinished_and_is_over_when_there_is_room_again() {
    let mut bench = Bench::new("");
    let Some(disk) = SmallDisk::serve(&mut bench, 4 << 20) else { return };
    let hook = |command: &str| {
        let mut child = disk
            .command(&bench, support::THIN)
            .args(["hook", "claude-code", "--state"])
            .arg(bench.state())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(shell(&bench, command).as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code() == Some(2) || text.contains("\"permissionDecision\":\"deny\""), text)
    };
    assert!(!hook("ls").0);
    // More than the disk has room for, with room for everything else.
    for _ in 0..3 {
        let (denied, text) = hook(&format!("echo {}", "x y".repeat(7 * 1024 * 1024 / 3)));
        assert!(denied, "{}", &text[..text.len().min(2000)]);
        assert_eq!(unfinished(&disk.inside(&bench.state().join("ledger"))), Vec::<std::path::PathBuf>::new());
    }
    let (denied, text) = hook("ls");
    assert!(!denied, "a call that fits still passes: {text}");
    // Then no room for anything.
    let filler = disk.inside(&bench.state().join("filler"));
    let filled = std::fs::write(&filler, vec![1; 8 << 20]).unwrap_err();
    assert_eq!(filled.raw_os_error(), Some(28), "the disk is full");
    let mut refused = 0;
    for _ in 0..20 {
        refused += u32::from(hook("ls").0);
        std::thread::sleep(Duration::from_millis(60));
    }
    assert!(refused > 0, "a full disk denies");
    assert_eq!(unfinished(&disk.inside(&bench.state().join("ledger"))), Vec::<std::path::PathBuf>::new());
    std::fs::remove_file(&filler).unwrap();
    let (denied, text) = hook("ls");
    assert!(!denied, "there is room again: {text}");
    std::thread::sleep(Duration::from_millis(1500));
    let output = disk
        .command(&bench, DOORWARD)
        .args(["audit", "verify", "--state"])
        .arg(bench.state())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
