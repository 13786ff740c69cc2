//! The egress proxy on loopback: slow, endless and half-open peers are cut, and budgets and rates hold.
#![cfg(feature = "proxy")]

use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use crate::common::{
    Door, LONG, PERMITTED, RecordingServer, ScriptedResolver, brief, client_hello, patient, read_all,
    response,
};
use doorward_net::proxy::ProxyLimits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::proxy::rules;

#[tokio::test]
async fn bad_servers_are_bounded() {
    let port = RecordingServer::ok(PERMITTED, 0).await.address.port();
    for (name, answer, expected) in [
        (
            "both framings",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "502",
        ),
        ("two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "502"),
        ("not HTTP", "SSH-2.0-OpenSSH\r\n\r\n", "502"),
        ("switching", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "502"),
        ("split response", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\nevil", "ok"),
        ("endless interim", &"HTTP/1.1 100 Continue\r\n\r\n".repeat(50), "HTTP/1.1 100"),
        (
            "hop headers",
            "HTTP/1.1 200 OK\r\nConnection: x-hop\r\nX-Hop: evil\r\nContent-Length: 2\r\n\r\nok",
            "ok",
        ),
        ("huge head", &format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "a".repeat(80 << 10)), "502"),
        ("cut short", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "short"),
    ] {
        let text = answer.to_owned();
        let server = RecordingServer::start(PERMITTED, 0, move |_| text.clone()).await;
        let own = server.address.port();
        let door = Door::open(&rules(own, ""), ScriptedResolver::permitted(&["web.example"])).await;
        let got = door
            .raw(&format!(
                "GET http://web.example:{own}/ HTTP/1.1\r\nHost: web.example:{own}\r\n{{auth}}\r\n"
            ))
            .await;
        assert!(got.contains(expected) && !got.contains("evil"), "{name}: {got}");
    }
    let _ = port;
}

#[tokio::test]
async fn slow_and_oversized_children_are_cut() {
    let server = RecordingServer::ok(PERMITTED, 0).await;
    let port = server.address.port();
    let names = ScriptedResolver::permitted(&["web.example"]);
    let short = Door::with(&rules(port, ""), names.clone(), |parts| parts.limits = brief()).await;
    // Slowloris: sending a byte now and then doesn't extend the time limit. If it did, this loop wouldn't end.
    let mut slow: Vec<TcpStream> = vec![];
    for _ in 0..50 {
        slow.push(TcpStream::connect(short.address()).await.unwrap());
    }
    let all_cut = async {
        while !slow.is_empty() {
            let mut open = vec![];
            for mut stream in slow.drain(..) {
                let alive = stream.write_all(b"a").await.is_ok();
                let ended = timeout(Duration::from_millis(1), stream.read(&mut [0; 64])).await;
                if alive && ended.is_err() {
                    open.push(stream);
                }
            }
            slow = open;
        }
    };
    timeout(LONG, all_cut).await.expect("slow children hold their connections");
    let door = Door::open(&rules(port, ""), names).await;
    for request in [
        format!("GET http://web.example:{port}/ HTTP/1.1\r\nX: {}\r\n\r\n", "a".repeat(70 << 10)),
        "A".repeat(100 << 10),
    ] {
        assert!(door.raw(&request).await.starts_with("HTTP/1.1 431"), "oversized head");
    }
    let many = "X: y\r\n".repeat(200);
    for (name, request) in [
        ("many headers", format!("GET http://web.example:{port}/ HTTP/1.1\r\n{many}\r\n")),
        ("no request", "\r\n\r\n".to_owned()),
        ("binary", "\u{1}\u{2}\u{3}\r\n\r\n".to_owned()),
        ("CONNECT without version", format!("CONNECT web.example:{port}\r\n\r\n")),
        ("CONNECT with a path", format!("CONNECT web.example:{port}/x HTTP/1.1\r\nHost: x\r\n\r\n")),
        ("CONNECT without target", "CONNECT  HTTP/1.1\r\n\r\n".to_owned()),
        ("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned()),
        ("TLS to the proxy", "\u{16}\u{3}\u{1}".to_owned()),
    ] {
        // An incomplete head ends at the short time limit.
        let door = if request.ends_with("\r\n\r\n") { &door } else { &short };
        let answer = door.raw(&request).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{name}: {answer}");
    }
    assert_eq!(server.hits(), 0);
}

#[tokio::test]
async fn half_open_tunnels_end() {
    let server = RecordingServer::start(PERMITTED, 0, |_| "bye".to_owned()).await;
    let port = server.address.port();
    let door = Door::open(&rules(port, ""), ScriptedResolver::permitted(&["web.example"])).await;
    let hello = client_hello("web.example");
    // The child closes its side; the rest of the server's data still arrives.
    let (_, mut stream) = door.connect(&format!("web.example:{port}")).await;
    stream.write_all(&hello).await.unwrap();
    stream.shutdown().await.unwrap();
    assert_eq!(read_all(&mut stream).await, "bye");
    // A silent tunnel ends after the idle time; a tunnel of a closed session ends at once.
    for close in [false, true] {
        let listener = tokio::net::TcpListener::bind((PERMITTED, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let limits = if close { patient() } else { ProxyLimits { idle: brief().idle, ..patient() } };
        let names = ScriptedResolver::permitted(&["web.example"]);
        let door = Door::with(&rules(port, ""), names, |parts| parts.limits = limits).await;
        let (_, mut stream) = door.connect(&format!("web.example:{port}")).await;
        stream.write_all(&hello).await.unwrap();
        let (mut upstream, _) = listener.accept().await.unwrap();
        let mut got = vec![0; hello.len()];
        upstream.read_exact(&mut got).await.unwrap();
        assert_eq!(got, hello);
        if close {
            door.proxy.close_session(&"s1".into());
        }
        assert_eq!(read_all(&mut stream).await, "");
        let until = Instant::now() + LONG;
        while door.proxy.metrics().tunnels.load(SeqCst) > 0 {
            assert!(Instant::now() < until, "the tunnel is still counted");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        while door.log.0.lock().unwrap().len() < 2 {
            assert!(Instant::now() < until, "its end isn't recorded");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let end = door.log.0.lock().unwrap()[1].end.clone();
        assert_eq!(end.as_deref(), Some(if close { "session_closed" } else { "timeout" }));
    }
}

#[tokio::test]
async fn budgets_end() {
    let server = RecordingServer::start(PERMITTED, 0, |_| response("200 OK", "", &"x".repeat(3000))).await;
    let port = server.address.port();
    let get = format!("GET http://web.example:{port}/ HTTP/1.1\r\nHost: web.example:{port}\r\n{{auth}}\r\n");
    for (budgets, statuses) in [
        (r#"{"requests": 2}"#, ["200", "200", "budget_exceeded"]),
        (r#"{"bytes_down": "4KiB"}"#, ["200", "200", "budget_exceeded"]),
        (r#"{"per_host": {"web.example": {"requests": 1}}}"#, ["200", "budget_exceeded", "budget_exceeded"]),
        (r#"{"bytes_up": 1}"#, ["budget_exceeded", "budget_exceeded", "budget_exceeded"]),
    ] {
        let rules = rules(port, &format!(r#", "budgets": {budgets}"#));
        let door = Door::open(&rules, ScriptedResolver::permitted(&["web.example"])).await;
        for status in statuses {
            let got = door.raw(&get).await;
            assert!(got.contains(status), "{budgets}: {}", got.chars().take(300).collect::<String>());
            assert!(got.len() < 4096 + 300);
        }
    }
    let door = Door::open(
        &rules(port, r#", "budgets": {"tunnels": 1}"#),
        ScriptedResolver::permitted(&["web.example"]),
    )
    .await;
    let authority = format!("web.example:{port}");
    let (first, held) = door.connect(&authority).await;
    let (second, _) = door.connect(&authority).await;
    assert!(first.contains("200") && second.contains("budget_exceeded"), "{first} {second}");
    drop(held);
    let until = Instant::now() + LONG;
    while door.proxy.metrics().tunnels.load(SeqCst) > 0 && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(door.connect(&authority).await.0.contains("200"), "a closed tunnel is given back");
}

#[tokio::test]
async fn a_rate_is_told_as_such() {
    let server = RecordingServer::ok(PERMITTED, 0).await;
    let port = server.address.port();
    let door = Door::open(
        &rules(port, r#", "budgets": {"requests_per_s": 0}"#),
        ScriptedResolver::permitted(&["web.example"]),
    )
    .await;
    let answer = door
        .raw(&format!("GET http://web.example:{port}/ HTTP/1.1\r\nHost: web.example:{port}\r\n{{auth}}\r\n"))
        .await;
    assert!(answer.starts_with("HTTP/1.1 429 ") && answer.contains("rate_limited"), "{answer}");
    assert_eq!(server.hits(), 0);
}
