//! `onToolCallRequest` as every channel tells it: server-sent events, WebSocket, webhook. The members are the
//! contract's, exactly.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use crate::support::Bench;
use doorward::rooms::store::Role;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};

const ASKS: &str = "[confirm]\npolicy = { kind = 'AlwaysConfirm' }\n";
const PATIENCE: Duration = Duration::from_secs(120);

fn ask(bench: &Bench) -> Value {
    let body = json!({
        "principal": {"id": "agent-a"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": "touch a<b>"}}},
        "context": {"cwd": "/projects/p", "session_id": "s"},
    });
    bench.local("POST", "/v1/decide", Some(&body.to_string())).json()["confirmation"].clone()
}

fn is_the_contracts(event: &Value, asked: &Value) {
    let members: Vec<&str> = event.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["toolName", "args", "confirmationId", "security_warning"], "{event}");
    let warning: Vec<&str> =
        event["security_warning"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(warning, ["level", "message"]);
    for key in ["toolName", "args", "confirmationId", "security_warning"] {
        assert_eq!(event[key], asked[key], "{key}");
    }
}

fn connected(bench: &Bench, head: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(bench.port).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    BufReader::new(stream)
}

/// The data of the next event of this kind.
fn heard(stream: &mut impl std::io::BufRead, kind: &str) -> (Option<u64>, Value) {
    let (mut event, mut id) = (String::new(), None);
    loop {
        let mut line = String::new();
        assert!(stream.read_line(&mut line).unwrap() > 0, "the stream ended");
        if let Some(rest) = line.strip_prefix("event: ") {
            rest.trim().clone_into(&mut event);
        } else if let Some(rest) = line.strip_prefix("id: ") {
            id = rest.trim().parse().ok();
        } else if let Some(rest) = line.strip_prefix("data: ")
            && event == kind
        {
            return (id, serde_json::from_str(rest).unwrap());
        }
    }
}

#[test]
fn events_tell_it_and_resume_where_they_were() {
    let bench = Bench::new(ASKS);
    let token = bench.account("vera", Role::Viewer, &[]);
    let head = |more: &str| {
        format!(
            "GET /v1/events HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n{more}\r\n",
            bench.port
        )
    };
    let mut live = connected(&bench, &head(""));
    heard(&mut live, "hello");
    let asked = ask(&bench);
    let (id, event) = heard(&mut live, "onToolCallRequest");
    is_the_contracts(&event, &asked);
    drop(live);
    let missed = ask(&bench);
    let last = id.unwrap();
    let mut again = connected(&bench, &head(&format!("last-event-id: {last}\r\n")));
    let (later, event) = heard(&mut again, "onToolCallRequest");
    assert!(later.unwrap() > last);
    is_the_contracts(&event, &missed);
}

/// The text of the next frame; what the service sends is short or medium and never masked.
fn frame(stream: &mut impl std::io::Read) -> (u8, String) {
    let mut head = [0; 2];
    stream.read_exact(&mut head).unwrap();
    let length = match head[1] {
        126 => {
            let mut long = [0; 2];
            stream.read_exact(&mut long).unwrap();
            usize::from(u16::from_be_bytes(long))
        }
        short => usize::from(short),
    };
    let mut text = vec![0; length];
    stream.read_exact(&mut text).unwrap();
    (head[0] & 0x0f, String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn a_websocket_tells_the_same() {
    let bench = Bench::new(ASKS);
    let token = bench.account("vera", Role::Viewer, &[]);
    let head = |token: &str| {
        format!(
            "GET /v1/ws HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            bench.port
        )
    };
    let mut stranger = connected(&bench, &head("dw_forged"));
    let mut status = String::new();
    stranger.read_line(&mut status).unwrap();
    assert!(status.contains("401"), "{status}");

    let mut stream = connected(&bench, &head(&token));
    let mut line = String::new();
    while stream.read_line(&mut line).unwrap() > 2 {
        line.clear();
    }
    let (_, hello) = frame(&mut stream);
    assert!(hello.contains("\"event\":\"hello\""), "{hello}");
    let asked = ask(&bench);
    let told = loop {
        let (kind, text) = frame(&mut stream);
        if kind != 1 {
            continue;
        }
        let told: Value = serde_json::from_str(&text).unwrap();
        if told["event"] == "onToolCallRequest" {
            break told;
        }
    };
    is_the_contracts(&told["data"], &asked);
    assert!(told["id"].is_u64());
}

/// One request that was posted: head and body. A connection that brings none is passed over.
fn posted(listener: &TcpListener, answer: &str) -> (String, String) {
    listener.set_nonblocking(true).unwrap();
    let until = std::time::Instant::now() + PATIENCE;
    loop {
        assert!(std::time::Instant::now() < until, "nothing was posted");
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).unwrap();
                if let Some(request) = received(stream, answer) {
                    return request;
                }
            }
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

fn received(mut stream: TcpStream, answer: &str) -> Option<(String, String)> {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut raw = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let read = stream.read(&mut piece).ok().filter(|read| *read > 0)?;
        raw.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&raw).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().unwrap())
        });
        if body.len() >= length.unwrap_or(0) {
            let answer = format!("HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).unwrap();
            return Some((head.to_lowercase(), body.to_owned()));
        }
    }
}

fn header(head: &str, name: &str) -> String {
    let found = head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    found.unwrap_or_else(|| panic!("no {name} in {head}")).to_owned()
}

#[test]
fn a_webhook_is_signed_tried_again_and_a_chat_gets_a_link() {
    let plain = TcpListener::bind("127.0.0.1:0").unwrap();
    let chat = TcpListener::bind("127.0.0.1:0").unwrap();
    let (first, second) = (plain.local_addr().unwrap().port(), chat.local_addr().unwrap().port());
    let bench = Bench::new(&format!(
        "{ASKS}[net]\nallowed_hosts = ['127.0.0.1:{first}', '127.0.0.1:{second}']\n[notify]\n\
         webhooks = [{{ url = 'http://127.0.0.1:{first}/in', secret_env = 'PATH' }}, {{ url = 'http://127.0.0.1:{second}/T0/B0', format = 'slack' }}]\n"
    ));
    let asked = ask(&bench);
    posted(&plain, "503 Busy");
    let (head, body) = posted(&plain, "200 OK");
    assert_eq!(header(&head, "x-doorward-event"), "ontoolcallrequest");
    let time = header(&head, "x-doorward-timestamp");
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(std::env::var("PATH").unwrap().as_bytes()).unwrap();
    mac.update(format!("{time}.{body}").as_bytes());
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(header(&head, "x-doorward-signature"), format!("v1={hex}"));
    is_the_contracts(&serde_json::from_str(&body).unwrap(), &asked);

    let (head, body) = posted(&chat, "200 OK");
    assert!(!head.contains("x-doorward-signature"), "there is no key for this one");
    let message: Value = serde_json::from_str(&body).unwrap();
    let link = message["blocks"][3]["elements"][0]["url"].as_str().unwrap();
    let id = asked["confirmationId"].as_str().unwrap();
    assert_eq!(link, format!("http://{}/#approval={id}", bench.port));
    assert!(!body.contains("mrkdwn"), "what an agent wrote is plain text");
}

#[test]
fn a_webhook_reaches_nothing_that_the_guard_refuses() {
    let inside = TcpListener::bind("127.0.0.1:0").unwrap();
    inside.set_nonblocking(true).unwrap();
    let port = inside.local_addr().unwrap().port();
    let bench = Bench::new(&format!(
        "{ASKS}[notify]\nwebhooks = [{{ url = 'http://127.0.0.1:{port}/secret-path' }}]\n"
    ));
    ask(&bench);
    let until = std::time::Instant::now() + PATIENCE;
    let note = loop {
        let notes = bench.local("GET", "/v1/records?kind=note&text=webhook_failed", None);
        if let Some(note) = notes.json()["records"].as_array().unwrap().first() {
            break note.to_string();
        }
        assert!(std::time::Instant::now() < until, "never told");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(inside.accept().is_err(), "nothing was sent");
    assert!(note.contains("net.") && !note.contains("secret-path"), "{note}");
}

#[test]
fn what_a_rule_wants_told_is_told_and_recorded_or_the_call_is_denied() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("told.cedar");
    let policies = r#"
        @id("told") @obligations("notify(to=ops, body=somebody looks around)")
        permit (principal, action, resource) when { context.effects.executes.contains("ls") };
        @id("lost") @obligations("notify(to=nobody)")
        permit (principal, action, resource) when { context.effects.executes.contains("pwd") };
    "#;
    std::fs::write(&file, policies).unwrap();
    let bench = Bench::new(&format!(
        "[net]\nallowed_hosts = ['127.0.0.1:{port}']\n[policy]\npacks = []\nfiles = ['{}']\n[notify]\n\
         webhooks = [{{ name = 'ops', url = 'http://127.0.0.1:{port}/in' }}]\n",
        file.display()
    ));
    let decide = |command: &str| {
        let body = json!({
            "principal": {"id": "agent-a"}, "action": "tool:execute",
            "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
            "context": {"cwd": "/projects/p", "session_id": "s"},
        });
        bench.local("POST", "/v1/decide", Some(&body.to_string())).json()
    };
    let allowed = decide("ls -l");
    assert_eq!(allowed["decision"], "ALLOW", "{allowed}");
    let (head, body) = posted(&listener, "200 OK");
    assert_eq!(header(&head, "x-doorward-event"), "ontoolcallallowed");
    let told: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((&told["decision"], &told["body"]), (&allowed["record_id"], &json!("somebody looks around")));
    let until = std::time::Instant::now() + PATIENCE;
    loop {
        let notes = bench.local("GET", "/v1/records?kind=note&text=notified", None);
        if !notes.json()["records"].as_array().unwrap().is_empty() {
            break;
        }
        assert!(std::time::Instant::now() < until, "never recorded");
        std::thread::sleep(Duration::from_millis(50));
    }
    let denied = decide("pwd");
    assert_eq!(
        (&denied["decision"], &denied["code"]),
        (&json!("DENY"), &json!("obligation.unmet")),
        "{denied}"
    );
    assert!(denied["reason"].as_str().unwrap().contains("nobody"), "{denied}");
}

#[test]
fn an_allowed_call_is_closed_by_its_report_or_by_the_limit() {
    let bench = Bench::new("[ledger]\noutcome_s = 1\n[rules]\nallow = ['shell(ls *)']\n");
    let decide = || {
        let body = json!({
            "principal": {"id": "agent-a"}, "action": "tool:execute",
            "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": "ls -l"}}},
            "context": {"cwd": "/projects/p", "session_id": "s"},
        });
        bench.local("POST", "/v1/decide", Some(&body.to_string())).json()["record_id"].clone()
    };
    let outcomes = || bench.local("GET", "/v1/records?kind=outcome", None).json()["records"].clone();
    let id = decide();
    let report = |body: &str| {
        bench.local("POST", &format!("/v1/decisions/{}/outcome", id.as_str().unwrap()), Some(body))
    };
    assert_eq!(report(r#"{"outcome": "unobserved"}"#).status, 400, "a caller says what it saw");
    assert_eq!(report(r#"{"outcome": "failed", "exit": 2, "output_digest": "sha256:x"}"#).status, 200);
    assert_eq!(report(r#"{"outcome": "ran"}"#).status, 404, "each decision gets one outcome");
    let text = outcomes().to_string();
    assert!(text.contains("failed") && text.contains("reported_by"), "{text}");

    decide();
    let until = std::time::Instant::now() + PATIENCE;
    while !outcomes().to_string().contains("unobserved") {
        assert!(std::time::Instant::now() < until, "the limit closes it: {}", outcomes());
        std::thread::sleep(Duration::from_millis(100));
    }
    let health = bench.local("GET", "/healthz", None).json();
    assert_eq!(health["open_permits"], 0, "{health}");
}
