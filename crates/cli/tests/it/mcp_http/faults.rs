//! Peers that stop in the middle, that never stop, and a gateway that is told to end while all of them are there.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use super::http::{Gateway, Server, document};
use super::{ALLOW, NEWER, call, echo, newer, outcomes, until};
use crate::support::Bench;

/// Connections of each kind that stop in the middle.
const STUCK: usize = 60;

/// Files of the gateway that come and go by themselves: a connection kept for the next call, a file being written.
const PASSING: usize = 4;

fn head(gateway: &Gateway, more: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n{more}",
        gateway.port
    )
}

fn beginning(gateway: &Gateway, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", gateway.port)).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

#[test]
fn clients_that_stop_in_the_middle_keep_nobody_waiting_and_leave_nothing_open() {
    let server = Server::with_tools(&["echo"], echo);
    let bench = Bench::new(ALLOW);
    let mut gateway = Gateway::listen(&bench, &["--name", "far", &server.url()]);
    let session = format!("Mcp-Session-Id: {}", gateway.initialize(&json!({})));
    // The first call opens files that stay open.
    gateway.post(&[&session], &call(&json!("first"), "echo", &json!({}))).answer();
    let before = gateway.files();
    let half = head(&gateway, "X-Half: th");
    let short = head(&gateway, "Content-Length: 4096\r\n\r\n{\"jsonrpc\":");
    let stuck: Vec<TcpStream> = ["", &half, &short]
        .into_iter()
        .flat_map(|text| std::iter::repeat_n(text, STUCK))
        .map(|text| beginning(&gateway, text))
        .collect();
    until("they are connected", || gateway.files() + PASSING >= before + 3 * STUCK);
    for number in 0..5 {
        let begun = Instant::now();
        let answer = gateway.post(&[&session], &call(&json!(number), "echo", &json!({"text": "x"}))).answer();
        assert_eq!(answer["id"], json!(number), "{answer}");
        assert!(begun.elapsed() < Duration::from_secs(10), "answered after {:?}", begun.elapsed());
    }
    drop(stuck);
    until("every connection is closed", || gateway.files() <= before + PASSING);
    assert_eq!(gateway.stop(), 0);
    assert_eq!(outcomes(&bench), ["ran"; 6], "half a request is no call");
}

#[test]
fn a_head_that_comes_a_letter_at_a_time_has_thirty_seconds() {
    let server = Server::with_tools(&["echo"], echo);
    let bench = Bench::new(ALLOW);
    let gateway = Gateway::listen(&bench, &["--name", "far", &server.url()]);
    let mut stream = beginning(&gateway, &head(&gateway, "X-Slow: "));
    stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    let begun = Instant::now();
    loop {
        let sent = stream.write_all(b"a");
        let mut answer = [0; 64];
        // Closed is what it comes to: an end, or an error at either side. No letter in time is a timeout.
        let open = match stream.read(&mut answer) {
            Ok(read) => read > 0,
            Err(error) => {
                matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
            }
        };
        if sent.is_err() || !open {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "it is still read");
    }
    assert!(begun.elapsed() > Duration::from_secs(20), "closed after {:?}", begun.elapsed());
    assert!(server.with("tools/call").is_empty());
}

#[test]
fn an_answer_without_an_end_is_cut_off_and_takes_no_memory() {
    let server = Server::with_tools(&["document", "event"], |got, stream| {
        let is_event = got.message()["params"]["name"] == "event";
        let (kind, open): (_, &[u8]) = if is_event {
            ("text/event-stream", b"data: ")
        } else {
            ("application/json", b"{\"jsonrpc\":\"2.0\",\"x\":\"")
        };
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n");
        let mut sent = stream.write_all(head.as_bytes());
        sent = sent.and_then(|()| stream.write_all(format!("{:x}\r\n", open.len()).as_bytes()));
        sent = sent.and_then(|()| stream.write_all(open)).and_then(|()| stream.write_all(b"\r\n"));
        let piece = [b"10000\r\n".as_slice(), &[b'a'; 0x1_0000], b"\r\n"].concat();
        // 256 MiB, unless the gateway hangs up.
        for _ in 0..4_096 {
            if sent.is_err() {
                return;
            }
            sent = stream.write_all(&piece);
        }
        document(stream, "200 OK", &["Content-Type: text/plain"], "it read everything");
    });
    let bench = Bench::new(ALLOW);
    let mut gateway = Gateway::listen(&bench, &["--name", "far", &server.url()]);
    let session = format!("Mcp-Session-Id: {}", gateway.initialize(&json!({})));
    for tool in ["document", "event"] {
        let answer = gateway.post(&[&session], &call(&json!(tool), tool, &json!({}))).answer();
        assert_eq!(answer["id"], json!(tool), "{answer}");
        assert!(answer["error"]["message"].as_str().is_some_and(|why| why.contains("16 MiB")), "{answer}");
    }
    let most = gateway.most_memory_kib();
    assert!(most < 300 << 10, "{most} KiB at most");
    assert_eq!(gateway.stop(), 0);
    assert_eq!(outcomes(&bench).len(), 2, "both calls have an end: {:?}", outcomes(&bench));
}

#[test]
fn a_gateway_that_is_told_to_end_ends_with_calls_and_streams_open() {
    let server = Server::with_tools(&["echo", "hang"], |got, stream| {
        if got.message()["params"]["name"] == "hang" {
            std::thread::sleep(Duration::from_secs(120));
        }
        echo(got, stream);
    });
    let bench = Bench::new(ALLOW);
    let mut gateway = Gateway::listen(&bench, &["--name", "far", &server.url()]);
    let session = format!("Mcp-Session-Id: {}", gateway.initialize(&json!({})));
    gateway.post(&[&session], &call(&json!(1), "echo", &json!({}))).answer();
    let host = format!("Host: 127.0.0.1:{}", gateway.port);
    let kind = "Content-Type: application/json";
    let in_session = call(&json!("in"), "hang", &json!({}));
    let length = format!("Content-Length: {}", in_session.len());
    let first = gateway.open("POST", &[&host, kind, &length, &session], in_session.as_bytes());
    let alone = newer(&json!("alone"), "hang", &json!({}), &json!({}));
    let length = format!("Content-Length: {}", alone.len());
    let headers = [host.as_str(), kind, &length, NEWER[0], NEWER[1], "Mcp-Name: hang"];
    let second = gateway.open("POST", &headers, alone.as_bytes());
    let listening = gateway.open("GET", &[&host, "Accept: text/event-stream", &session], b"");
    let stuck = beginning(&gateway, &head(&gateway, "X-Half: th"));
    until("the server has both calls", || server.with("tools/call").len() == 3);
    let begun = Instant::now();
    assert_eq!(gateway.stop(), 0, "{}", gateway.errors());
    assert!(begun.elapsed() < Duration::from_secs(15), "it ended after {:?}", begun.elapsed());
    drop((first, second, listening, stuck));
    let mut ends = outcomes(&bench);
    ends.sort();
    assert_eq!(ends, ["ran", "unobserved", "unobserved"], "what runs on at the server isn't called done");
}
