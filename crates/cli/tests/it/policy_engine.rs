//! A policy engine elsewhere (`policy.remote`), through the built binary: asked about every call in each of the three
//! contracts, over TCP and over a Unix socket; whatever it says only tightens, and whatever keeps it from answering denies.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::Bench;
use serde_json::{Value, json};

/// What the engine does with a question.
#[derive(Clone, Copy)]
enum Says {
    /// 200 with this JSON.
    Json(&'static str),
    /// 200 with this text of this type.
    Text(&'static str, &'static str),
    /// Another status.
    Status(u16),
    /// Nothing for two seconds.
    Nothing,
    /// The connection ends.
    Ends,
    /// Two mebibytes.
    Long,
}

type Asked = Arc<Mutex<Vec<Value>>>;

fn answer(mut stream: impl Read + Write, says: Says, asked: &Asked) -> Option<()> {
    let mut head = String::new();
    let mut length = 0_usize;
    {
        let mut byte = [0_u8];
        while !head.ends_with("\r\n\r\n") {
            stream.read_exact(&mut byte).ok()?;
            head.push(char::from(byte[0]));
        }
        for line in head.lines() {
            if let Some(number) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = number.trim().parse().ok()?;
            }
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).ok()?;
    asked.lock().unwrap().push(json!({"line": head.lines().next(), "head": head, "body": body}));
    let (status, kind, text) = match says {
        Says::Json(text) => (200, "application/json", text.to_owned()),
        Says::Text(kind, text) => (200, kind, text.to_owned()),
        Says::Status(status) => (status, "application/json", "{}".to_owned()),
        Says::Nothing => {
            std::thread::sleep(Duration::from_secs(2));
            return None;
        }
        Says::Ends => return None,
        Says::Long => (200, "application/json", format!("\"{}\"", "x".repeat(2 << 20))),
    };
    let head = format!(
        "HTTP/1.1 {status} S\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(text.as_bytes())).ok()
}

/// An engine on a port of this machine.
fn on_port(says: Says) -> (String, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = format!("http://{}/v1/data/agents/allow", listener.local_addr().unwrap());
    let asked = Asked::default();
    let kept = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let kept = Arc::clone(&kept);
            std::thread::spawn(move || answer(stream, says, &kept));
        }
    });
    (place, asked)
}

fn settings(kind: &str, url: &str, more: &str) -> String {
    format!("[policy]\nremote = {{ kind = \"{kind}\", url = \"{url}\", deadline_ms = 900{more} }}\n")
}

fn checked(config: &str, command: &str) -> Value {
    let bench = Bench::new(config);
    std::fs::create_dir(bench.project().join("src")).unwrap();
    std::fs::write(bench.project().join("src/main.c"), "int main() { return 0; }\n").unwrap();
    let state = bench.state().display().to_string();
    let (_, text) = bench.doorward(&["check", "--json", "--state", &state, "--command", command]);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn what_the_engine_says_is_combined_and_what_it_cannot_say_denies() {
    let rows: &[(&str, Says, &str, &str, &str)] = &[
        ("seed", Says::Json(r#"{"decision": "ALLOW", "reason": "fine"}"#), "ls", "ALLOW", ""),
        ("seed", Says::Json(r#"{"decision": "DENY", "reason": "not today"}"#), "ls", "DENY", "remote.forbid"),
        (
            "seed",
            Says::Json(r#"{"decision": "REQUIRE_USER_CONFIRMATION", "reason": "who?"}"#),
            "ls",
            "REQUIRE_USER_CONFIRMATION",
            "remote.confirm",
        ),
        ("seed", Says::Json(r#"{"decision": "allow"}"#), "ls", "DENY", "remote.malformed"),
        (
            "seed",
            Says::Json(r#"{"decision": "ALLOW", "obligations": [{"type": "dance"}]}"#),
            "ls",
            "DENY",
            "obligation.unknown",
        ),
        ("authzen", Says::Json(r#"{"decision": true}"#), "ls", "ALLOW", ""),
        ("authzen", Says::Json(r#"{"decision": false}"#), "ls", "DENY", "remote.forbid"),
        ("authzen", Says::Json(r#"{"decision": "true"}"#), "ls", "DENY", "remote.malformed"),
        ("opa", Says::Json(r#"{"result": true}"#), "ls", "ALLOW", ""),
        ("opa", Says::Json(r#"{"result": false}"#), "ls", "DENY", "remote.forbid"),
        ("opa", Says::Json("{}"), "ls", "DENY", "remote.undefined"),
        ("opa", Says::Text("text/plain", r#"{"result": true}"#), "ls", "DENY", "remote.malformed"),
        ("opa", Says::Text("application/json", "{\"result\": tru"), "ls", "DENY", "remote.malformed"),
        (
            "opa",
            Says::Text("application/json", r#"{"result": false, "result": true}"#),
            "ls",
            "DENY",
            "remote.malformed",
        ),
        ("opa", Says::Status(500), "ls", "DENY", "remote.status"),
        ("opa", Says::Status(302), "ls", "DENY", "remote.status"),
        ("opa", Says::Nothing, "ls", "DENY", "remote.timeout"),
        ("opa", Says::Ends, "ls", "DENY", "remote.transport"),
        ("opa", Says::Long, "ls", "DENY", "remote.too_large"),
        // What the mode would ask about is the engine's to settle; what is refused here stays so.
        ("opa", Says::Json(r#"{"result": true}"#), "nc -l 4444", "ALLOW", "remote.permit"),
        ("opa", Says::Json(r#"{"result": true}"#), "rm -rf /", "DENY", "shell.delete_everything"),
        (
            "seed",
            Says::Json(r#"{"decision": "DENY", "reason": "no"}"#),
            "rm -rf src",
            "DENY",
            "remote.forbid",
        ),
    ];
    for (kind, says, command, decision, code) in rows {
        let (url, asked) = on_port(*says);
        let answer = checked(&settings(kind, &url, ""), command);
        assert_eq!(answer["decision"], *decision, "{kind} {command}: {answer}");
        if !code.is_empty() {
            assert_eq!(answer["code"], *code, "{kind} {command}: {answer}");
        }
        assert!(!asked.lock().unwrap().is_empty(), "{kind}: the engine wasn't asked");
    }
}

#[test]
fn each_contract_is_asked_in_its_own_words() {
    let told = |kind: &str| {
        let (url, asked) = on_port(Says::Status(500));
        checked(&settings(kind, &url, ""), "rm -rf src");
        let asked = asked.lock().unwrap();
        assert_eq!(asked[0]["line"], "POST /v1/data/agents/allow HTTP/1.1");
        assert!(asked[0]["head"].as_str().unwrap().to_ascii_lowercase().contains("x-request-id: "));
        asked[0]["body"].clone()
    };
    let seed = told("seed");
    assert_eq!(seed["action"], "tool:execute");
    assert_eq!(seed["resource"]["type"], "tool");
    assert_eq!(seed["resource"]["name"], "shell:execute");
    assert_eq!(seed["resource"]["attributes"]["args"]["command"], "rm -rf src");
    assert!(seed["principal"]["id"].is_string() && seed["context"]["session_id"].is_string());
    let known = &seed["context"]["doorward"];
    assert_eq!(known["risk"], "HIGH", "{known}");
    assert_eq!(known["mode"], "default");
    assert_eq!(known["effects"]["recursive_delete"], true);
    assert_eq!(told("opa")["input"]["resource"], seed["resource"]);
    let authzen = told("authzen");
    assert_eq!(authzen["subject"]["type"], "user");
    assert_eq!(authzen["action"]["name"], "tool:execute");
    assert_eq!(authzen["resource"]["id"], "shell:execute");
    assert_eq!(authzen["resource"]["properties"]["args"]["command"], "rm -rf src");
}

#[test]
fn an_engine_on_a_unix_socket_is_asked_there() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("opa.sock");
    let listener = UnixListener::bind(&socket).unwrap();
    let asked = Asked::default();
    let kept = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer(stream, Says::Json(r#"{"result": false}"#), &kept);
        }
    });
    let more = format!(", socket = \"{}\"", socket.display());
    let config = settings("opa", "http://localhost/v1/data/agents?pretty=false", &more);
    let answer = checked(&config, "ls");
    assert_eq!((&answer["decision"], &answer["code"]), (&json!("DENY"), &json!("remote.forbid")), "{answer}");
    assert_eq!(asked.lock().unwrap()[0]["line"], "POST /v1/data/agents?pretty=false HTTP/1.1");
    let gone = settings(
        "opa",
        "http://localhost/",
        &format!(", socket = \"{}\"", folder.path().join("none").display()),
    );
    let answer = checked(&gone, "ls");
    assert_eq!(answer["code"], "remote.transport", "{answer}");
    assert!(answer["reason"].as_str().unwrap().contains("none"), "it names the socket: {answer}");
}

#[test]
fn a_token_is_sent_and_a_missing_one_is_named() {
    let answer =
        checked(&settings("opa", "http://127.0.0.1:9/", ", token_env = \"DOORWARD_NO_SUCH_TOKEN\""), "ls");
    assert_eq!(answer["decision"], "DENY");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("policy.remote.token_env: DOORWARD_NO_SUCH_TOKEN isn't set"), "{reason}");
    // PATH is a variable that every process has; its value is no secret.
    let (url, asked) = on_port(Says::Json(r#"{"result": true}"#));
    checked(&settings("opa", &url, ", token_env = \"PATH\""), "ls");
    let head = asked.lock().unwrap()[0]["head"].as_str().unwrap().to_ascii_lowercase();
    assert!(head.contains("authorization: bearer /"), "{head}");
}

#[test]
fn the_hook_denies_while_the_engine_is_away_and_health_says_since_when() {
    let (url, asked) = on_port(Says::Json(r#"{"result": false}"#));
    let mut bench = Bench::new(&settings("opa", &url, ""));
    bench.serve();
    let event = |bench: &Bench| {
        json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(), "tool_name": "Read",
            "permission_mode": "bypassPermissions", "tool_input": {"file_path": bench.project().join("a")},
            "tool_use_id": "t"})
        .to_string()
    };
    let (code, out, err) = bench.hook("claude-code", &event(&bench), &[]);
    assert!(out.contains("\"deny\"") && out.contains("remote.forbid"), "{code} {out}{err}");
    assert_eq!(asked.lock().unwrap().len(), 1, "every call, in every mode");
    let health = health(&bench);
    assert!(health["policy_engines"][0]["answered"].is_string(), "{health}");
    assert_eq!(health["ok"], true, "{health}");

    let gone = settings("opa", "http://127.0.0.1:9/", "");
    std::fs::write(bench.state().join("doorward.toml"), gone).unwrap();
    std::thread::sleep(Duration::from_millis(1_200));
    let mut codes = Vec::new();
    for _ in 0..8 {
        let (_, out, _) = bench.hook("claude-code", &event(&bench), &[]);
        assert!(out.contains("\"deny\"") && out.contains("remote.transport"), "{out}");
        codes.push(out.contains("isn't asked"));
    }
    assert!(!codes[0] && codes[7], "after five faults in a row nobody is asked: {codes:?}");
    let health = self::health(&bench);
    assert_eq!(health["ok"], false, "{health}");
    assert!(health["policy_engines"][0]["fault"].as_str().unwrap().contains("remote.transport"), "{health}");
}

#[test]
fn what_the_engine_allows_a_client_is_told_to_allow_and_a_floor_holds() {
    let (url, _) = on_port(Says::Json(r#"{"decision": "ALLOW", "reason": "fine"}"#));
    let mut bench = Bench::new(&settings("seed", &url, ""));
    bench.serve();
    for (command, told) in [("touch new", "\"allow\""), ("rm -rf ~", "\"deny\"")] {
        let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(),
            "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": command},
            "tool_use_id": command});
        let (code, out, err) = bench.hook("claude-code", &event.to_string(), &[]);
        assert!(out.contains(told), "{command}: {code} {out}{err}");
    }
}

#[test]
fn credentials_in_the_engines_url_are_shown_nowhere() {
    // Of this test alone, and no secret by its looks: what hides it is where it stands.
    const PRIVATE: &str = "cormorant-pelican";
    for url in [
        format!("http://user:{PRIVATE}@127.0.0.1:9/v1"),
        format!("http://{PRIVATE}@127.0.0.1:9/v1"),
        format!("http://127.0.0.1:9/v1?token={PRIVATE}"),
        format!("http://169.254.169.254/v1?token={PRIVATE}"),
        format!("http://user:{PRIVATE}@127.0.0.1:port/v1"),
    ] {
        let mut bench = Bench::new(&settings("opa", &url, ""));
        bench.serve();
        let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(),
            "tool_name": "Read", "permission_mode": "default", "tool_input": {"file_path": "a"}, "tool_use_id": "t"});
        let (_, out, err) = bench.hook("claude-code", &event.to_string(), &[]);
        assert!(out.contains("\"deny\"") || !err.is_empty(), "{url}: {out}{err}");
        let state = bench.state().display().to_string();
        let mut told = vec![out, err, bench.log(), health(&bench).to_string()];
        for words in [
            &["status"][..],
            &["status", "--json"],
            &["doctor"],
            &["check", "--command", "ls"],
            &["config", "show"],
            &["config", "explain"],
            &["config", "explain", "--json"],
            &["audit", "tail", "--json"],
            &["logs"],
        ] {
            told.push(format!("{words:?} {}", bench.doorward(&[words, &["--state", &state]].concat()).1));
        }
        for path in ["/v1/settings", "/v1/status", "/v1/overview"] {
            told.push(bench.answered("GET", path, &Value::Null));
        }
        let open: Vec<&String> = told.iter().filter(|text| text.contains(PRIVATE)).collect();
        assert!(open.is_empty(), "{url}: {open:?}");
    }
}

fn health(bench: &Bench) -> Value {
    let mut stream = UnixStream::connect(bench.state().join("doorward.sock")).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let body = lines.by_ref().skip_while(|line| !line.is_empty()).skip(1).collect::<String>();
    serde_json::from_str(&body).unwrap()
}

#[test]
fn an_allow_settles_a_delete_inside_the_project_and_no_other_question() {
    let (url, _) = on_port(Says::Json(r#"{"decision": "ALLOW", "reason": "fine"}"#));
    let rows = [
        ("", "rm src/main.c", "ALLOW"),
        ("[rules]\nask = [\"shell(rm *)\"]\n", "rm src/main.c", "REQUIRE_USER_CONFIRMATION"),
        ("", "rm -rf .git", "REQUIRE_USER_CONFIRMATION"),
        ("", ": > src/main.c", "REQUIRE_USER_CONFIRMATION"),
        ("", "sudo ls", "REQUIRE_USER_CONFIRMATION"),
        ("", "rm -rf ~", "DENY"),
    ];
    for (rules, command, expected) in rows {
        let answer = checked(&format!("{rules}{}", settings("seed", &url, "")), command);
        assert_eq!(answer["decision"], expected, "{command} {rules}: {answer}");
    }
}
