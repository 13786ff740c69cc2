//! From a denial to the answer, by what the denial printed: the short name, the link for this question, the rule to
//! paste. Everything through the built programs, as the agent's user.

use std::net::TcpStream;
use std::process::{Command, Stdio};

use doorward::Options;
use doorward::rooms::store::{Role, Store};
use doorward::service::store_of;
use serde_json::{Value, json};

use crate::http::Http;
use crate::support::{Bench, DOORWARD};

const QUEUE: &str = "[hooks]\nask = \"queue\"\nwait_s = 0\n[rules]\nask = [\"shell(touch *)\"]\n";

fn bench() -> Bench {
    let mut bench = Bench::new(QUEUE);
    std::fs::write(bench.project().join("notes.txt"), "the only copy\n").unwrap();
    bench.serve();
    bench
}

/// With a passphrase, made for this run.
fn bench_with_passphrase() -> (Bench, String) {
    with_passphrase(QUEUE)
}

/// A service with these settings, and the passphrase of its user, made for this run.
pub(crate) fn with_passphrase(settings: &str) -> (Bench, String) {
    let mut bench = Bench::new(settings);
    std::fs::write(bench.project().join("notes.txt"), "the only copy\n").unwrap();
    let passphrase = format!("horse-{}", bench.state().display()).replace('/', "-");
    let (place, _) = store_of(&bench.state(), &Options::usual(&bench.state()));
    let user = doorward::hook::user_name(rustix::process::getuid().as_raw());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open_file(place.as_ref()).await.unwrap();
        store.put_account(&user, Role::Admin, &[]).await.unwrap();
        store.set_passphrase(&user, &passphrase).await.unwrap();
        store.close().await;
    });
    bench.serve();
    (bench, passphrase)
}

/// What Claude Code is told about a command: its decision and the reason; nothing where Doorward has no opinion.
fn told(bench: &Bench, command: &str) -> (String, String) {
    let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(), "tool_name": "Bash",
        "permission_mode": "default", "tool_input": {"command": command}, "tool_use_id": "t"});
    let (code, out, err) = bench.hook("claude-code", &event.to_string(), &[]);
    assert_eq!(code, 0, "{err}");
    let answer: Value = serde_json::from_str(&out).unwrap_or_default();
    let text = |key: &str| answer["hookSpecificOutput"][key].as_str().unwrap_or_default().to_owned();
    (text("permissionDecision"), text("permissionDecisionReason"))
}

/// The text between two others.
pub(crate) fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?} in {text}"));
    rest.split_once(after).unwrap_or((rest, "")).0
}

/// With the state folder, as words of the program.
pub(crate) fn doorward(bench: &Bench, words: &[&str]) -> (i32, String) {
    let state = bench.state().display().to_string();
    bench.doorward(&[words, &["--state", &state]].concat())
}

/// The same with this passphrase on standard input.
pub(crate) fn doorward_by(bench: &Bench, passphrase: &str, words: &[&str]) -> (i32, String) {
    use std::io::Write as _;
    let mut child = Command::new(DOORWARD)
        .args(words)
        .args(["--passphrase-stdin", "--state"])
        .arg(bench.state())
        .current_dir(bench.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "{passphrase}").unwrap();
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&said).into_owned())
}

/// At a terminal, where this is typed.
fn at_terminal(bench: &Bench, words: &str, typed: &str) -> String {
    use std::io::Write as _;
    let line = format!("{DOORWARD} {words} --state {}", bench.state().display());
    let mut child = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(bench.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    String::from_utf8_lossy(&child.wait_with_output().unwrap().stdout).into_owned()
}

/// The link of a denial: where the console is, the code and the question.
fn link(reason: &str) -> (String, String, String) {
    let address = between(reason, "http://", "/#login=").to_owned();
    let code = between(reason, "/#login=", "&approval=").to_owned();
    let id = between(reason, "&approval=", ";").to_owned();
    (address, code, id)
}

fn to(address: &str, token: Option<String>) -> Http<TcpStream> {
    Http::over(TcpStream::connect(address).unwrap(), address, token)
}

#[test]
fn the_short_name_of_a_denial_answers_its_question_and_the_same_call_passes() {
    let bench = bench();
    let (decision, reason) = told(&bench, "touch one");
    assert_eq!(decision, "deny", "{reason}");
    let short = between(&reason, "`doorward approve ", "`");
    assert_eq!(short.len(), 4, "{reason}");
    let (code, said) = doorward(&bench, &["approve", short]);
    assert!(code == 0 && said.contains("allowed"), "{said}");
    let (decision, reason) = told(&bench, "touch one");
    assert_ne!(decision, "deny", "{reason}");
    let (decision, reason) = told(&bench, "touch two");
    assert_eq!(decision, "deny", "another call is another question: {reason}");
    let (code, said) =
        doorward(&bench, &["deny", between(&reason, "`doorward approve ", "`"), "--reason", "keep it"]);
    assert!(code == 0 && said.contains("denied"), "{said}");
    let (code, said) = doorward(&bench, &["approve", "ZZZZ"]);
    assert!(code == 2 && said.contains("approval.unknown"), "{said}");
}

#[test]
fn without_a_name_the_newest_question_is_shown_and_agreed_to_at_a_terminal_only() {
    let bench = bench();
    told(&bench, "touch one");
    told(&bench, "touch two");
    let (code, said) = doorward(&bench, &["approve"]);
    assert!(code == 2 && said.contains("approvals.terminal"), "{said}");
    let said = at_terminal(&bench, "approve", "n\n");
    assert!(said.contains("touch two") && said.contains("nothing was changed"), "{said}");
    let said = at_terminal(&bench, "approve", "y\n");
    assert!(said.contains("touch two") && said.contains("allowed"), "{said}");
    assert_eq!(told(&bench, "touch one").0, "deny");
    assert_ne!(told(&bench, "touch two").0, "deny");
}

#[test]
fn what_takes_phrase_and_passphrase_asks_for_both_in_one_go() {
    let (bench, passphrase) = bench_with_passphrase();
    assert_eq!(told(&bench, "gh repo delete ada/shop --yes").0, "deny");
    let said = at_terminal(&bench, "approve", &format!("yes\n{passphrase}\n"));
    assert!(said.contains("I confirm") && said.contains("approve.phrase"), "{said}");
    let said = at_terminal(&bench, "approve", "I confirm\nsomething else\n");
    assert!(said.contains("passphrase.wrong"), "{said}");
    let said = at_terminal(&bench, "approve", &format!("I confirm\n{passphrase}\n"));
    assert!(said.contains("allowed"), "{said}");
}

#[test]
fn the_link_of_a_denial_works_once_and_answers_its_own_question_only() {
    let bench = bench();
    let (_, reason) = told(&bench, "touch one");
    let (_, other) = told(&bench, "touch two");
    let ((address, code, id), (_, _, other)) = (link(&reason), link(&other));
    let mut console = to(&address, None);
    let (status, login) = console.send("POST", "/v1/login", &json!({"code": code}));
    assert_eq!(status, 200, "{login}");
    let (status, again) = console.send("POST", "/v1/login", &json!({"code": code}));
    assert_eq!((status, &again["code"]), (401, &json!("login.used")));
    let mut console = to(&address, Some(login["token"].as_str().unwrap().to_owned()));
    let yes = json!({"answer": "yes"});
    for (path, body) in [
        (format!("/v1/approvals/{other}/answer"), yes.clone()),
        ("/v1/stops/new".to_owned(), json!({"scope": "all"})),
        ("/v1/rules".to_owned(), json!({"verdict": "allow", "rule": "shell(make lint)"})),
        ("/v1/passphrase".to_owned(), json!({"passphrase": "correct horse"})),
        ("/v1/login-link".to_owned(), json!({})),
    ] {
        let (status, said) = console.send("POST", &path, &body);
        assert_eq!((status, &said["code"]), (403, &json!("service.forbidden")), "{path}");
    }
    let (status, said) = console.send("GET", &format!("/v1/approvals/{id}"), &Value::Null);
    assert_eq!((status, &said["state"]), (200, &json!("pending")));
    let (status, said) = console.send("POST", &format!("/v1/approvals/{id}/answer"), &yes);
    assert_eq!((status, &said["state"]), (200, &json!("allowed")), "{said}");
    assert_ne!(told(&bench, "touch one").0, "deny");
    assert_eq!(told(&bench, "touch two").0, "deny");
}

#[test]
fn where_there_is_a_passphrase_the_link_proves_no_person() {
    let (bench, passphrase) = bench_with_passphrase();
    let (_, reason) = told(&bench, "rm notes.txt");
    let (address, code, id) = link(&reason);
    let (_, login) = to(&address, None).send("POST", "/v1/login", &json!({"code": code}));
    let mut console = to(&address, Some(login["token"].as_str().unwrap().to_owned()));
    let path = format!("/v1/approvals/{id}/answer");
    let (status, said) = console.send("POST", &path, &json!({"answer": "yes"}));
    assert_eq!((status, &said["code"]), (403, &json!("grant.presence")), "{said}");
    let with = json!({"answer": "yes", "passphrase": passphrase});
    let (status, said) = console.send("POST", &path, &with);
    assert_eq!((status, &said["state"]), (200, &json!("allowed")), "{said}");
}

#[test]
fn the_rule_that_a_denial_prints_can_be_pasted_and_taken_back() {
    let (bench, passphrase) = bench_with_passphrase();
    let (_, reason) = told(&bench, "rm notes.txt");
    let line = between(&reason, "To be asked no more: ", "' ").to_owned() + "'";
    let pasted = line.replace("doorward ", &format!("{DOORWARD} "));
    let pasted = format!(
        "echo {passphrase} | {pasted} --passphrase-stdin --project --for 30d --json --state {}",
        bench.state().display()
    );
    let output = Command::new("sh").args(["-c", &pasted]).current_dir(bench.project()).output().unwrap();
    let saved: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{line}: {output:?}"));
    let id = saved["saved"][0]["id"].as_str().unwrap().to_owned();
    assert!(saved["saved"][0]["until"].is_string(), "{saved}");
    assert_eq!(saved["saved"][0]["only"]["project"], json!(bench.project().canonicalize().unwrap()));
    let (code, listed) = doorward(&bench, &["rules", "list"]);
    assert!(code == 0 && listed.contains(&id) && listed.contains("allow"), "{listed}");
    let passes = |command: &str| {
        (0..40).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            told(&bench, command).0 != "deny"
        })
    };
    assert!(passes("rm notes.txt"), "the pasted rule lets it pass");
    let (code, said) = doorward(&bench, &["rules", "remove", &id]);
    assert!(code == 0 && said.contains("taken back"), "{said}");
    let wide = format!(
        "echo {passphrase} | {DOORWARD} allow 'shell(*)' --passphrase-stdin --state {}",
        bench.state().display()
    );
    let output = Command::new("sh").args(["-c", &wide]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("always.too_wide"), "{output:?}");
    let (code, said) = doorward(&bench, &["allow", "shell(make lint)", "--for", "soon"]);
    assert!(code == 2 && said.contains("10m, 2h or 30d"), "{said}");
}

#[test]
fn the_console_opens_in_a_browser_by_a_file_that_only_its_owner_reads() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = bench();
    let programs = bench.file("bin");
    std::fs::create_dir(&programs).unwrap();
    let opener = programs.join("xdg-open");
    let opened = bench.file("opened");
    std::fs::write(&opener, format!("#!/bin/sh\necho \"$1\" >> {}\n", opened.display())).unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let console = |more: &[&str]| {
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
        let output = Command::new(DOORWARD)
            .args(["console", "--state"])
            .arg(bench.state())
            .args(more)
            .env("PATH", path)
            .env("DISPLAY", ":9")
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert!(console(&["--print"]).contains("/#login="));
    assert!(!opened.exists(), "--print opens nothing");
    let url = console(&[]);
    let file = std::fs::read_to_string(&opened).unwrap().trim().to_owned();
    assert!(!file.contains("login"), "the words of a command are no secret: {file}");
    assert!(std::fs::read_to_string(&file).unwrap().contains(&url));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}
