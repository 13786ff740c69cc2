//! The egress proxy on loopback: which requests pass, which are refused and why, and that nothing leaks or hangs if
//! a peer misbehaves.
#![cfg(feature = "proxy")]

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use crate::common::{
    Door, INTERNAL, LONG, PERMITTED, RecordingServer, ScriptedResolver, brief, client_hello, read_all,
};
use doorward_core::{Boxed, Verdict};
use doorward_net::proxy::{AskAnswer, AskEgress, ConfirmEgress, ListenOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Rules that permit `web.example` and `other.example` at this port, if they resolve to the permitted host.
pub fn rules(port: u16, more: &str) -> String {
    format!(
        r#"{{"allow": ["web.example:{port}=127.0.0.2", "other.example:{port}=127.0.0.2"],
            "rules": [{{"host": "ssh.example", "ports": [{port}], "opaque": true}}]{more}}}"#
    )
}

#[tokio::test]
async fn absolute_form() {
    let server = RecordingServer::ok(PERMITTED, 0).await;
    let port = server.address.port();
    let internal = RecordingServer::ok(INTERNAL, port).await;
    let script = ScriptedResolver::new(&[
        ("web.example", &[&[PERMITTED]]),
        ("other.example", &[&[PERMITTED, INTERNAL]]),
        ("inner.example", &[&[INTERNAL]]),
    ]);
    let door = Door::open(&rules(port, r#", "deny": ["*.evil.example"]"#), script).await;
    for (line, host, expected) in [
        (format!("GET http://web.example:{port}/x"), format!("web.example:{port}"), "200"),
        (format!("GET http://WEB.example.:{port}/x"), format!("web.example:{port}"), "200"),
        (format!("GET http://web.example:{port}/x"), "other.example".into(), "host_mismatch"),
        (format!("GET http://web.example:{port}/x"), "web.example".into(), "host_mismatch"),
        (format!("GET http://other.example:{port}/"), format!("other.example:{port}"), "mixed_answer"),
        (format!("GET http://inner.example:{port}/"), format!("inner.example:{port}"), "not_allowlisted"),
        (format!("GET http://a.evil.example:{port}/"), format!("a.evil.example:{port}"), "deny_rule"),
        (format!("GET http://127.0.0.3:{port}/"), format!("127.0.0.3:{port}"), "address_denied:loopback"),
        (format!("GET http://[::ffff:127.0.0.3]:{port}/"), "x".into(), "host_mismatch"),
        ("GET http://169.254.169.254/".into(), "169.254.169.254".into(), "address_denied:metadata"),
        ("GET http://0x7f.1/".into(), "0x7f.1".into(), "ambiguous_literal"),
        ("GET http://localhost/".into(), "localhost".into(), "name_denied"),
        ("GET http://u@web.example/".into(), "web.example".into(), "userinfo"),
        ("GET https://web.example/".into(), "web.example".into(), "scheme"),
        ("GET ftp://web.example/".into(), "web.example".into(), "scheme"),
        (format!("TRACE http://web.example:{port}/"), format!("web.example:{port}"), "method_denied"),
        ("GET /x".into(), "web.example".into(), "400"),
        ("OPTIONS *".into(), "web.example".into(), "400"),
    ] {
        let answer = door.raw(&format!("{line} HTTP/1.1\r\nHost: {host}\r\n{{auth}}\r\n")).await;
        assert!(answer.contains(expected), "{line} {host}: {answer}");
        assert!(!answer.contains("127.0.0.2"), "an address is told: {answer}");
    }
    assert_eq!((server.hits(), internal.hits()), (2, 0));
    let first = server.seen()[0].clone();
    assert!(first.starts_with(&format!("GET /x HTTP/1.1\r\nhost: web.example:{port}\r\n")), "{first}");
    assert!(!first.to_lowercase().contains("proxy-"), "{first}");
}

#[tokio::test]
async fn nobody_without_a_token() {
    let server = RecordingServer::ok(PERMITTED, 0).await;
    let port = server.address.port();
    let door = Door::open(&rules(port, ""), ScriptedResolver::permitted(&["web.example"])).await;
    for auth in ["", "Proxy-Authorization: Basic czEuYzE6MDA=\r\n", "Proxy-Authorization: Bearer x\r\n"] {
        for line in [format!("GET http://web.example:{port}/"), format!("CONNECT web.example:{port}")] {
            let answer =
                door.raw(&format!("{line} HTTP/1.1\r\nHost: web.example:{port}\r\n{auth}\r\n")).await;
            assert!(answer.starts_with("HTTP/1.1 407") && answer.contains("auth_required"), "{answer}");
        }
    }
    let first = door.log.0.lock().unwrap()[0].clone();
    assert_eq!((first.code.as_deref(), first.session.as_str()), (Some("auth_required"), ""));
    assert_eq!((first.method.as_str(), first.verdict), ("GET", Verdict::Deny));
    assert!(first.host.contains("web.example"), "{}", first.host);
    let good = format!("GET http://web.example:{port}/ HTTP/1.1\r\nHost: web.example:{port}\r\n{{auth}}\r\n");
    assert!(door.raw(&good).await.starts_with("HTTP/1.1 200"));
    door.proxy.close_session(&"s1".into());
    assert!(door.raw(&good).await.starts_with("HTTP/1.1 407"));
    assert_eq!(server.hits(), 1);
}

#[tokio::test]
async fn tunnels_speak_in_their_own_name() {
    let server = RecordingServer::start(PERMITTED, 0, |_| "server bytes".to_owned()).await;
    let port = server.address.port();
    let names = ScriptedResolver::permitted(&["web.example", "other.example"]);
    let door = Door::open(&rules(port, ""), names.clone()).await;
    let short = Door::with(&rules(port, ""), names, |parts| parts.limits = brief()).await;
    let own = client_hello("web.example");
    let foreign = client_hello("other.example");
    let split: Vec<Vec<u8>> = own.chunks(7).map(<[u8]>::to_vec).collect();
    for (name, packets, passes) in [
        ("its own name", vec![own.clone()], true),
        ("its own name, in pieces", split, true),
        ("another permitted host's name", vec![foreign], false),
        ("plain HTTP", vec![b"GET / HTTP/1.1\r\nHost: web.example\r\n\r\n".to_vec()], false),
        ("ssh", vec![b"SSH-2.0-x\r\n".to_vec()], false),
        ("nothing", vec![], false),
        ("half a hello", vec![own[..40].to_vec()], false),
    ] {
        let door = if matches!(name, "nothing" | "half a hello") { &short } else { &door };
        let before = server.seen().len();
        let (answer, mut stream) = door.connect(&format!("web.example:{port}")).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{name}: {answer}");
        for packet in packets {
            stream.write_all(&packet).await.unwrap();
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        if passes {
            stream.shutdown().await.unwrap();
        }
        let answer = read_all(&mut stream).await;
        assert_eq!(answer == "server bytes", passes, "{name}: {answer}");
        let until = Instant::now() + LONG;
        while server.seen().len() == before && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let reached = server.seen().last().cloned().unwrap_or_default();
        assert_eq!(!reached.is_empty(), passes, "{name}: {} bytes reached the server", reached.len());
    }
    assert_eq!(door.proxy.metrics().denied().get("sni_mismatch"), Some(&2));
    assert_eq!(short.proxy.metrics().denied().get("sni_mismatch"), Some(&2));
    assert_eq!(
        door.proxy.metrics().denied().get("host_mismatch"),
        Some(&1),
        "the plain request without the port"
    );
    let log = door.log.0.lock().unwrap();
    let cut = log.iter().find(|record| record.code.as_deref() == Some("sni_mismatch")).unwrap();
    assert_eq!((cut.sni.as_deref(), cut.bytes_up, cut.command.as_str()), (Some("other.example"), 0, "c1"));
}

/// Node sends plain HTTP through CONNECT. Exactly one request is accepted, and judged as usual.
#[tokio::test]
async fn plain_requests_in_tunnels() {
    let server = RecordingServer::ok(PERMITTED, 0).await;
    let port = server.address.port();
    let rules = format!(
        r#"{{"allow": ["web.example:{port}=127.0.0.2"], "deny": ["other.example"],
            "rules": [{{"host": "narrow.example", "ports": [{port}], "methods": ["GET"]}}]}}"#
    );
    let door = Door::open(&rules, ScriptedResolver::permitted(&["web.example", "narrow.example"])).await;
    for (host, request, expected) in [
        (
            "web.example",
            format!(
                "GET /a HTTP/1.1\r\nHost: web.example:{port}\r\n\r\nGET /b HTTP/1.1\r\nHost: web.example:{port}\r\n\r\n"
            ),
            "hello",
        ),
        ("web.example", format!("GET /a HTTP/1.1\r\nHost: other.example:{port}\r\n\r\n"), "host_mismatch"),
        (
            "web.example",
            format!("GET http://other.example:{port}/ HTTP/1.1\r\nHost: other.example:{port}\r\n\r\n"),
            "method_denied",
        ),
        (
            "web.example",
            format!("CONNECT other.example:{port} HTTP/1.1\r\nHost: other.example:{port}\r\n\r\n"),
            "method_denied",
        ),
        ("web.example", "GET nothing at all\r\n\r\n".to_owned(), "sni_mismatch"),
    ] {
        let (answer, mut stream) = door.connect(&format!("{host}:{port}")).await;
        assert!(answer.contains(" 200 "), "{answer}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let got = read_all(&mut stream).await;
        assert!(got.contains(expected) && got.matches("HTTP/1.1 ").count() == 1, "{request}: {got}");
    }
    // A rule with methods or paths can't permit a tunnel, whose content isn't visible.
    assert!(door.connect(&format!("narrow.example:{port}")).await.0.contains("method_denied"));
    let reached = || server.seen().into_iter().filter(|seen| !seen.is_empty()).collect::<Vec<String>>();
    let until = Instant::now() + LONG;
    while reached().is_empty() && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let seen = reached();
    assert!(seen.len() == 1 && !seen[0].contains("/b"), "{seen:?}");
}

#[tokio::test]
async fn connect_forms() {
    let server = RecordingServer::ok(PERMITTED, 0).await;
    let port = server.address.port();
    let internal = RecordingServer::ok(INTERNAL, port).await;
    let script = ScriptedResolver::new(&[
        ("web.example", &[&[PERMITTED]]),
        ("other.example", &[&[INTERNAL]]),
        ("ssh.example", &[&["::1".parse().unwrap()]]),
    ]);
    let door = Door::open(&rules(port, ""), script).await;
    for (authority, expected) in [
        (format!("web.example:{port}"), "200"),
        ("web.example".to_owned(), "malformed_url"),
        (format!("u@web.example:{port}"), "userinfo"),
        ("web.example:99999".to_owned(), "malformed_url"),
        ("web.example:443".to_owned(), "not_allowlisted"),
        ("web.example:25".to_owned(), "port_denied"),
        (format!("other.example:{port}"), "address_denied"),
        (format!("ssh.example:{port}"), "address_denied"),
        (format!("127.0.0.3:{port}"), "address_denied:loopback"),
        (format!("[::1]:{port}"), "address_denied:loopback"),
        (format!("[::ffff:7f00:3]:{port}"), "address_denied:loopback"),
        (format!("2130706435:{port}"), "ambiguous_literal"),
        (format!("missing.example:{port}"), "not_allowlisted"),
        (format!("web.example%00:{port}"), "malformed_url"),
        (format!("http://web.example:{port}"), "malformed_url"),
        (door.address().to_string(), "address_denied:loopback"),
    ] {
        let (answer, _) = door.connect(&authority).await;
        let reason =
            answer.lines().find(|line| line.starts_with("X-Doorward-Reason")).unwrap_or(&answer).to_owned();
        assert!(reason.contains(expected), "{authority}: {answer}");
    }
    assert_eq!(internal.hits(), 0);
    let body = door
        .raw(&format!(
            "CONNECT web.example:{port} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n{{auth}}\r\nabc"
        ))
        .await;
    assert!(body.contains("malformed_url"), "{body}");
    let other = door
        .raw(&format!("CONNECT web.example:{port} HTTP/1.1\r\nHost: other.example:{port}\r\n{{auth}}\r\n"))
        .await;
    assert!(other.contains("host_mismatch"), "{other}");
}

/// A request that servers could split differently is never forwarded.
#[tokio::test]
async fn smuggling_pairs() {
    let server = RecordingServer::ok(PERMITTED, 0).await;
    let port = server.address.port();
    let door = Door::open(&rules(port, ""), ScriptedResolver::permitted(&["web.example"])).await;
    let smuggled = "GET /smuggled HTTP/1.1\r\nHost: web.example\r\n\r\n";
    for (name, headers, body) in [
        ("CL.TE", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", format!("0\r\n\r\n{smuggled}")),
        ("TE.CL", "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", format!("0\r\n\r\n{smuggled}")),
        ("two CL", "Content-Length: 0\r\nContent-Length: 50\r\n", smuggled.to_owned()),
        ("CL list", "Content-Length: 0, 50\r\n", smuggled.to_owned()),
        ("signed CL", "Content-Length: +0\r\n", smuggled.to_owned()),
        ("obfuscated TE", "Transfer-Encoding: xchunked\r\n", format!("0\r\n\r\n{smuggled}")),
        ("TE with a space", "Transfer-Encoding : chunked\r\n", format!("0\r\n\r\n{smuggled}")),
        (
            "two TE",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
            format!("0\r\n\r\n{smuggled}"),
        ),
        ("folded TE", "X: y\r\n Transfer-Encoding: chunked\r\n", format!("0\r\n\r\n{smuggled}")),
        ("bare LF", "X: y\nTransfer-Encoding: chunked\r\n", format!("0\r\n\r\n{smuggled}")),
        ("NUL", "X: y\0z\r\n", smuggled.to_owned()),
        ("two Host", "Host: web.example\r\n", smuggled.to_owned()),
        ("pipelined", "", smuggled.to_owned()),
        ("after CL", "Content-Length: 3\r\n", format!("abc{smuggled}")),
        ("after chunks", "Transfer-Encoding: chunked\r\n", format!("3\r\nabc\r\n0\r\n\r\n{smuggled}")),
        ("chunk extension", "Transfer-Encoding: chunked\r\n", format!("3;\nx\r\nabc\r\n0\r\n\r\n{smuggled}")),
        ("chunk size sign", "Transfer-Encoding: chunked\r\n", format!("+3\r\nabc\r\n0\r\n\r\n{smuggled}")),
        ("chunk without end", "Transfer-Encoding: chunked\r\n", format!("3\r\nabcXX0\r\n\r\n{smuggled}")),
        ("trailer", "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\nHost: evil\r\n\r\n".to_owned()),
    ] {
        let answer = door
            .raw(&format!(
                "POST http://web.example:{port}/first HTTP/1.1\r\nHost: web.example:{port}\r\n\
                {{auth}}{headers}\r\n{body}"
            ))
            .await;
        assert!(answer.matches("HTTP/1.1 ").count() <= 1, "{name}: two answers: {answer}");
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    for seen in server.seen() {
        assert!(!seen.contains("smuggled") && !seen.contains("evil"), "{seen}");
    }
    assert!(server.hits() >= 3, "the well-formed ones among them go through");
}

#[tokio::test]
async fn socks5() {
    let server = RecordingServer::start(PERMITTED, 0, |_| "server bytes".to_owned()).await;
    let port = server.address.port();
    let script = ScriptedResolver::permitted(&["web.example", "ssh.example"]);
    let short = Door::with(&rules(port, ""), script.clone(), |parts| parts.limits = brief()).await;
    let door = Door::open(&rules(port, ""), script).await;
    let url = door.token.url("x", "c9", "y");
    let pair = url.strip_prefix("x://").unwrap().strip_suffix("@y").unwrap();
    let (user, token) = pair.split_once(':').unwrap();
    let login = |token: &str| {
        let mut bytes = vec![1, u8::try_from(user.len()).unwrap()];
        bytes.extend(user.bytes());
        bytes.push(u8::try_from(token.len()).unwrap());
        bytes.extend(token.bytes());
        bytes
    };
    let to_name = |command: u8, name: &str| {
        let mut bytes = vec![5, command, 0, 3, u8::try_from(name.len()).unwrap()];
        bytes.extend(name.bytes());
        bytes.extend(port.to_be_bytes());
        bytes
    };
    let to_v4 = [&[5, 1, 0, 1, 127, 0, 0, 3][..], &port.to_be_bytes()].concat();
    let to_v6 = [&[5, 1, 0, 4][..], &[0; 15], &[1], &port.to_be_bytes()].concat();
    for (name, request, expected) in [
        ("permitted", to_name(1, "web.example"), 0),
        ("not listed", to_name(1, "no.example"), 2),
        ("address as a name", to_name(1, "127.0.0.3"), 2),
        ("odd spelling", to_name(1, "0x7f.3"), 2),
        ("IPv4", to_v4, 2),
        ("IPv6", to_v6, 2),
        ("BIND", to_name(2, "web.example"), 7),
        ("UDP", to_name(3, "web.example"), 7),
        ("unknown address type", vec![5, 1, 0, 9], 8),
    ] {
        let mut stream = TcpStream::connect(door.address()).await.unwrap();
        stream.write_all(&[5, 1, 2]).await.unwrap();
        let mut two = [0; 2];
        stream.read_exact(&mut two).await.unwrap();
        assert_eq!(two, [5, 2]);
        stream.write_all(&login(token)).await.unwrap();
        stream.read_exact(&mut two).await.unwrap();
        assert_eq!(two, [1, 0]);
        stream.write_all(&request).await.unwrap();
        let mut answer = [0; 10];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(answer, [5, expected, 0, 1, 0, 0, 0, 0, 0, 0], "{name}");
        if expected == 0 {
            stream.write_all(&client_hello("web.example")).await.unwrap();
            stream.shutdown().await.unwrap();
            assert_eq!(read_all(&mut stream).await, "server bytes");
        }
    }
    for (name, greeting) in [("no auth offered", vec![5, 1, 0]), ("none", vec![5, 0]), ("cut", vec![5])] {
        let mut stream = TcpStream::connect(short.address()).await.unwrap();
        stream.write_all(&greeting).await.unwrap();
        let answer = read_all(&mut stream).await;
        assert!(answer.is_empty() || answer.as_bytes().first() == Some(&5), "{name}");
    }
    let mut stream = TcpStream::connect(door.address()).await.unwrap();
    stream.write_all(&[&[5, 1, 2][..], &login("00")].concat()).await.unwrap();
    assert_eq!(read_all(&mut stream).await.as_bytes(), [5, 2, 1, 1]);
    assert_eq!(server.hits(), 1);
}

struct Answers(AskAnswer, std::sync::atomic::AtomicUsize);

impl ConfirmEgress for Answers {
    fn ask<'a>(&'a self, question: &'a AskEgress) -> Boxed<'a, AskAnswer> {
        assert_eq!((question.host.as_str(), question.command_id.as_str()), ("ask.example", "c1"));
        self.1.fetch_add(1, SeqCst);
        Box::pin(async { self.0 })
    }
}

struct NeverAnswers;

impl ConfirmEgress for NeverAnswers {
    fn ask<'a>(&'a self, _: &'a AskEgress) -> Boxed<'a, AskAnswer> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn questions_hold_the_connection() {
    let server = RecordingServer::ok(PERMITTED, 0).await;
    let port = server.address.port();
    let rules = format!(r#"{{"ask": ["ask.example:{port}=127.0.0.2"]}}"#);
    let get = format!("GET http://ask.example:{port}/ HTTP/1.1\r\nHost: ask.example:{port}\r\n{{auth}}\r\n");
    for (answer, first, asked) in [
        (AskAnswer::Once, "200", 2),
        (AskAnswer::Session, "200", 1),
        (AskAnswer::Always, "200", 1),
        (AskAnswer::Denied, "ask_denied", 2),
    ] {
        let person = Arc::new(Answers(answer, 0.into()));
        let script = ScriptedResolver::permitted(&["ask.example"]);
        let door = Door::with(&rules, script, |parts| parts.confirm = person.clone()).await;
        for _ in 0..2 {
            let got = door.raw(&get).await;
            assert!(got.contains(first), "{answer:?}: {got}");
        }
        assert_eq!(person.1.load(SeqCst), asked, "{answer:?}");
    }
    let script = ScriptedResolver::permitted(&["ask.example"]);
    let door = Door::with(&rules, script.clone(), |parts| {
        (parts.confirm, parts.limits) = (Arc::new(NeverAnswers), brief());
    })
    .await;
    assert!(door.raw(&get).await.contains("ask_timeout"));
    assert_eq!(script.calls.load(SeqCst), 0, "nothing is resolved before the yes");
    assert_eq!(server.hits(), 6);
}

#[tokio::test]
async fn report_lets_through_but_never_inside() {
    let server = RecordingServer::ok(PERMITTED, 0).await;
    let port = server.address.port();
    let internal = RecordingServer::ok(INTERNAL, port).await;
    let script =
        ScriptedResolver::new(&[("web.example", &[&[PERMITTED]]), ("inner.example", &[&[INTERNAL]])]);
    let rules = format!(
        r#"{{"mode": "report", "allow": ["web.example:{port}=127.0.0.2"], "deny": ["web.example"]}}"#
    );
    let door = Door::open(&rules, script).await;
    for (host, expected) in [("web.example", "200"), ("inner.example", "address_denied")] {
        let got = door
            .raw(&format!("GET http://{host}:{port}/ HTTP/1.1\r\nHost: {host}:{port}\r\n{{auth}}\r\n"))
            .await;
        assert!(got.contains(expected), "{host}: {got}");
    }
    let log = door.log.0.lock().unwrap().clone();
    assert_eq!((log[0].verdict, log[0].code.as_deref()), (Verdict::Allow, Some("deny_rule")));
    let denied = log.iter().find(|record| record.verdict == Verdict::Deny).unwrap();
    assert_eq!(denied.code.as_deref(), Some("address_denied:loopback"));
    assert_eq!(internal.hits(), 0);
}

#[tokio::test]
async fn the_socket_is_private_and_gone_afterwards() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("egress.sock");
    let door = Door::open(r#"{}"#, ScriptedResolver::permitted(&[])).await;
    let options = || ListenOptions { unix: Some(path.clone()), ..ListenOptions::default() };
    let listening = door.proxy.listen(options()).await.unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    let mut stream = tokio::net::UnixStream::connect(&path).await.unwrap();
    stream.write_all(b"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    timeout(LONG, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 407"), "{answer}");
    drop(listening);
    assert!(!path.exists());
    // A stale socket of a killed proxy is replaced.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    door.proxy.listen(options()).await.unwrap();
    let beyond = ListenOptions { tcp: Some("0.0.0.0:0".parse().unwrap()), ..ListenOptions::default() };
    assert!(door.proxy.listen(beyond).await.is_err());
}

#[tokio::test]
async fn through_another_proxy_to_the_address_that_was_checked() {
    let server = RecordingServer::ok(PERMITTED, 0).await;
    let port = server.address.port();
    // A plain CONNECT proxy that records its requests.
    let upstream = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = upstream.local_addr().unwrap();
    let asked = Arc::new(std::sync::Mutex::new(vec![]));
    let kept = asked.clone();
    tokio::spawn(async move {
        while let Ok((mut child, _)) = upstream.accept().await {
            let mut head = vec![];
            while !head.ends_with(b"\r\n\r\n") {
                head.push(child.read_u8().await.unwrap());
            }
            let line = String::from_utf8_lossy(&head).lines().next().unwrap().to_owned();
            kept.lock().unwrap().push(line);
            let mut server = TcpStream::connect((PERMITTED, port)).await.unwrap();
            child.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
            tokio::spawn(async move { tokio::io::copy_bidirectional(&mut child, &mut server).await });
        }
    });
    for (resolves, line, by) in [
        ("false", format!("CONNECT 127.0.0.2:{port} HTTP/1.1"), "local"),
        ("true", format!("CONNECT web.example:{port} HTTP/1.1"), "upstream"),
    ] {
        let more = format!(
            r#", "upstream": "http://{at}", "allow_upstream_proxy": true, "upstream_resolves": {resolves}"#
        );
        let script =
            ScriptedResolver::new(&[("web.example", &[&[PERMITTED]]), ("other.example", &[&[INTERNAL]])]);
        let door = Door::open(&rules(port, &more), script).await;
        let get =
            |host: &str| format!("GET http://{host}:{port}/ HTTP/1.1\r\nHost: {host}:{port}\r\n{{auth}}\r\n");
        assert!(door.raw(&get("web.example")).await.contains("hello"));
        assert!(door.raw(&get("other.example")).await.contains("address_denied"), "ours is the verdict");
        assert_eq!(asked.lock().unwrap().drain(..).collect::<Vec<_>>(), [line]);
        let log = door.log.0.lock().unwrap();
        assert_eq!(log[0].resolved_by, by);
        assert_eq!(log[1].dialed.map(|socket| socket.ip()), (by == "local").then_some(PERMITTED));
    }
    assert_eq!(server.hits(), 2);
}

/// ssh has no proxy support: the command given to git joins both directions through CONNECT.
#[tokio::test]
async fn ssh_goes_through_the_proxy() {
    let server = RecordingServer::start(PERMITTED, 0, |_| "SSH-2.0-server\r\n".to_owned()).await;
    let port = server.address.port();
    let door = Door::open(&format!(r#"{{"allow": ["127.0.0.2:{port}"]}}"#), ScriptedResolver::new(&[])).await;
    let variables = door.token.environment("c1", &door.address().to_string(), None);
    for (host, expected) in [("127.0.0.2", "SSH-2.0-server\r\n"), ("127.0.0.3", "")] {
        let mut child = tokio::process::Command::new("bash")
            .args(["-c", r#"bash -c "$DOORWARD_SSH_CONNECT" connect "$0" "$1""#, host, &port.to_string()])
            .envs(variables.clone())
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("bash runs");
        let mut to = child.stdin.take().unwrap();
        let _ = to.write_all(b"SSH-2.0-client\r\n\r\n\r\n").await;
        let output = timeout(LONG, child.wait_with_output()).await.expect("it ends").unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{host}");
        drop(to);
    }
}
