//! The guardian with a model, through the built binary: what a client is told for each score and each failure, with and
//! without an allow rule of the client's own; what a person who is asked sees; and what the record says.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::Bench;
use serde_json::{Value, json};

/// What the model does when it is asked.
#[derive(Clone, Copy, Debug)]
enum Says {
    Score(u8),
    /// Prose instead of the contract.
    Garbled,
    /// Every request ends with this status.
    Status(u16),
    /// Nothing for longer than the guardian waits.
    Slow,
    /// Nobody listens at the address.
    Unreachable,
}

const REASONING: &str = "It makes a file that nobody asked for.";

type Asked = Arc<Mutex<Vec<String>>>;

/// A server with OpenAI's format: where it is, and the bodies of what it was asked.
fn model(says: Says) -> (String, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = format!("http://{}/v1", listener.local_addr().unwrap());
    let asked = Asked::default();
    if matches!(says, Says::Unreachable) {
        return (place, asked);
    }
    let kept = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let kept = Arc::clone(&kept);
            std::thread::spawn(move || answer(stream, says, &kept));
        }
    });
    (place, asked)
}

fn answer(mut stream: TcpStream, says: Says, asked: &Asked) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 || line == "\r\n" {
            break;
        }
        if let Some(number) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    asked.lock().unwrap().push(String::from_utf8_lossy(&body).into_owned());
    let (status, words) = match says {
        Says::Score(score) => {
            let verdict =
                json!({"risk_score": score, "reasoning": REASONING, "risks": ["outside_scope", "tampering"]});
            (200, verdict.to_string())
        }
        Says::Garbled => (200, "Certainly! That looks fine to me: risk_score 5.".to_owned()),
        Says::Status(status) => (status, String::new()),
        Says::Slow | Says::Unreachable => {
            std::thread::sleep(Duration::from_secs(6));
            return None;
        }
    };
    let text = json!({"id": "x", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": words}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}})
    .to_string();
    let head = format!(
        "HTTP/1.1 {status} S\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(text.as_bytes())).ok()
}

/// Settings with this model, which answers within two seconds or not at all.
fn settings(place: &str, more: &str) -> String {
    format!("[guardian]\nmodel = \"openai/m\"\nbase_url = \"{place}\"\ntimeout_ms = 2000\n{more}")
}

fn bench(config: &str, own_rule: bool) -> Bench {
    let mut bench = Bench::new(config);
    if own_rule {
        let folder = bench.project().join(".claude");
        std::fs::create_dir(&folder).unwrap();
        let rules = json!({"permissions": {"allow": ["Bash(touch *)", "Bash"]}}).to_string();
        std::fs::write(folder.join("settings.json"), rules).unwrap();
    }
    bench.serve();
    bench
}

fn event(bench: &Bench, mode: &str, command: &str) -> String {
    json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(), "tool_name": "Bash",
        "permission_mode": mode, "tool_input": {"command": command}, "tool_use_id": "t"})
    .to_string()
}

fn decision(bench: &Bench) -> Value {
    bench.ledger().into_iter().rfind(|entry| entry["kind"] == "decision").unwrap()
}

/// What the model does; what Claude Code is told; verdict, basis and code of the record; status of the evaluation.
type Expected = (Says, &'static str, &'static str, &'static str, &'static str);

const EXPECTED: &[Expected] = &[
    (Says::Score(10), "allow", "ALLOW", "guardian.approve", "evaluated"),
    (Says::Score(79), "allow", "ALLOW", "guardian.approve", "evaluated"),
    (Says::Score(80), "ask", "REQUIRE_USER_CONFIRMATION", "guardian.prompt_user", "evaluated"),
    (Says::Score(95), "ask", "REQUIRE_USER_CONFIRMATION", "guardian.prompt_user", "evaluated"),
    (Says::Unreachable, "deny", "DENY", "guardian.unavailable", "unavailable"),
    (Says::Slow, "deny", "DENY", "guardian.timed_out", "timed_out"),
    (Says::Garbled, "deny", "DENY", "guardian.invalid_reply", "invalid"),
    (Says::Status(500), "deny", "DENY", "guardian.unavailable", "unavailable"),
];

fn row(&(says, told, verdict, code, status): &Expected, own_rule: bool) {
    let (place, asked) = model(says);
    let bench = bench(&settings(&place, ""), own_rule);
    let (exit, out, err) = bench.hook("claude-code", &event(&bench, "default", "touch new"), &[]);
    let seen = format!("{says:?}, own rule {own_rule}: exit {exit} {out}{err}");
    let reply: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {seen}"));
    let reply = &reply["hookSpecificOutput"];
    assert_eq!(reply["permissionDecision"], told, "{seen}");
    let reason = reply["permissionDecisionReason"].as_str().unwrap_or_default();
    if let (Says::Score(score), "ask") = (says, told) {
        for part in [&format!("{score} of 100"), "outside_scope", "tampering", REASONING] {
            assert!(reason.contains(part), "{part:?} isn't in: {seen}");
        }
    }
    if told == "deny" {
        assert!(reason.contains("guardian could not judge") && reason.contains(code), "{seen}");
        assert!(!reason.contains("HIGH") && !reason.contains("of 100"), "a failure is no score: {seen}");
    }
    let record = decision(&bench);
    assert_eq!((&record["verdict"], &record["code"]), (&json!(verdict), &json!(code)), "{seen}\n{record}");
    assert_eq!(record["basis"], "guardian", "{record}");
    assert_eq!(record["guardian"]["status"], status, "{record}");
    match says {
        Says::Score(score) => {
            assert!(record["guardian"]["score"].as_u64().unwrap() >= u64::from(score), "{record}");
            assert_eq!(record["guardian"]["reasoning"], REASONING, "{record}");
            assert_eq!(record["guardian"]["risks"], json!(["outside_scope", "tampering"]), "{record}");
        }
        _ => assert_eq!(record["guardian"]["score"], Value::Null, "{record}"),
    }
    assert_eq!(asked.lock().unwrap().is_empty(), matches!(says, Says::Unreachable), "{seen}");
}

#[test]
fn each_score_and_failure_reaches_claude_code_and_the_record() {
    std::thread::scope(|scope| {
        for expected in EXPECTED {
            scope.spawn(move || {
                for own_rule in [false, true] {
                    row(expected, own_rule);
                }
            });
        }
    });
}

#[test]
fn a_person_in_the_queue_sees_score_reasoning_and_risks() {
    let (place, _) = model(Says::Score(85));
    let bench = bench(&settings(&place, "\n[hooks]\nask = \"queue\"\n"), false);
    let (_, out, _) = bench.hook("claude-code", &event(&bench, "default", "touch new"), &[]);
    assert!(out.contains("\"deny\"") && out.contains("doorward approve"), "{out}");
    let state = bench.state().display().to_string();
    let listed = bench.ask("GET", "/v1/approvals?all=false", &Value::Null);
    let question = &listed["approvals"][0];
    assert_eq!(question["guardian"]["score"], 85, "{listed}");
    assert_eq!(question["guardian"]["reasoning"], REASONING, "{listed}");
    assert_eq!(question["guardian"]["risks"], json!(["outside_scope", "tampering"]), "{listed}");
    assert_eq!(question["security_warning"]["level"], "HIGH", "{listed}");
    let (_, shown) =
        bench.doorward(&["approvals", "show", question["id"].as_str().unwrap(), "--state", &state]);
    for part in ["85 of 100", "outside_scope, tampering", REASONING, "prompt_user"] {
        assert!(shown.contains(part), "{part:?} isn't in: {shown}");
    }
    let (_, checked) = bench.doorward(&["check", "--state", &state, "--command", "touch new"]);
    for part in ["85 of 100", "outside_scope, tampering", REASONING] {
        assert!(checked.contains(part), "{part:?} isn't in: {checked}");
    }
}

#[test]
fn a_secret_that_the_reviewer_repeats_is_masked_in_the_record_and_towards_the_client() {
    // Put together here, so that no file holds it.
    let secret = format!("ghp_{}", "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = format!("http://{}/v1", listener.local_addr().unwrap());
    let reasoning = format!("It prints {secret}.");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut read = [0; 65_536];
            let _ = stream.read(&mut read);
            let verdict = json!({"risk_score": 90, "reasoning": reasoning, "risks": []}).to_string();
            let text =
                json!({"choices": [{"finish_reason": "stop", "message": {"content": verdict}}]}).to_string();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                text.len()
            );
            let _ = stream.write_all((head + &text).as_bytes());
        }
    });
    let bench = bench(&settings(&place, ""), false);
    let (_, out, _) = bench.hook("claude-code", &event(&bench, "default", "touch new"), &[]);
    assert!(out.contains("It prints") && !out.contains(&secret), "{out}");
    let record = decision(&bench).to_string();
    assert!(record.contains("It prints") && !record.contains(&secret), "{record}");
}

#[test]
fn what_a_mode_lets_run_is_reviewed_and_the_reviewer_knows_the_mode() {
    let (place, asked) = model(Says::Score(85));
    let bench = bench(&settings(&place, ""), false);
    let (_, out, _) = bench.hook("claude-code", &event(&bench, "bypassPermissions", "touch new"), &[]);
    assert!(out.contains("\"ask\"") && out.contains("85 of 100"), "{out}");
    assert!(asked.lock().unwrap()[0].contains(r#"yolo_mode\\\":true"#), "{}", asked.lock().unwrap()[0]);
    drop(bench);

    // A mode that the settings don't allow is told, too; there somebody can be asked.
    let (place, asked) = model(Says::Score(85));
    let bench = self::bench(&settings(&place, "\n[modes]\ndisable_bypass = true\n"), false);
    let (_, out, _) = bench.hook("claude-code", &event(&bench, "bypassPermissions", "touch new"), &[]);
    assert!(out.contains("\"ask\"") && out.contains("85 of 100"), "{out}");
    let told = asked.lock().unwrap()[0].clone();
    assert!(told.contains(r#"mode_of_the_client\\\":\\\"bypassPermissions"#), "{told}");
}

#[test]
fn a_wrong_place_or_a_missing_key_is_named_when_the_settings_load() {
    let rows = [
        ("base_url = \"localhost:11434/v1\"", "guardian.base_url"),
        ("base_url = \"not a url\"", "guardian.base_url"),
        ("base_url = \"http://10.1.2.3/v1\"", "net.allowed_hosts"),
        (
            "base_url = \"http://127.0.0.1:9/v1\"\napi_key_env = \"DOORWARD_NO_SUCH_KEY\"",
            "DOORWARD_NO_SUCH_KEY",
        ),
    ];
    for (lines, named) in rows {
        let mut bench = Bench::new(&format!("[guardian]\nmodel = \"openai/m\"\n{lines}\n"));
        let state = bench.state().display().to_string();
        let (code, text) = bench.doorward(&["config", "check", "--state", &state]);
        assert!(
            code != 0 && text.contains(named) && text.contains("guardian.config"),
            "{lines}: {code} {text}"
        );
        bench.serve();
        let health = bench.ask("GET", "/healthz", &Value::Null);
        assert!(health["ok"] == false && health["problems"].to_string().contains(named), "{lines}: {health}");
        assert!(bench.log().contains(named), "{lines}: {}", bench.log());
        // What nobody needs to ask a model about goes on.
        let (_, out, _) = bench.hook("claude-code", &event(&bench, "default", "ls"), &[]);
        assert!(!out.contains("\"deny\""), "{lines}: {out}");
    }
    let (place, _) = model(Says::Score(10));
    let good = Bench::new(&settings(&place, ""));
    let (code, text) = good.doorward(&["config", "check", "--state", &good.state().display().to_string()]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn health_says_that_the_model_fails_until_it_answers_again() {
    let (place, _) = model(Says::Status(500));
    let bench = bench(&settings(&place, ""), false);
    assert_eq!(bench.ask("GET", "/healthz", &Value::Null)["ok"], true);
    bench.hook("claude-code", &event(&bench, "default", "touch new"), &[]);
    let health = bench.ask("GET", "/healthz", &Value::Null);
    assert!(health["ok"] == false && health["problems"].to_string().contains("guardian"), "{health}");
}
