//! A client and a server that speak HTTP byte by byte, so that a test says exactly what is on the wire.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Bench, DOORWARD};

/// The gateway on a port of its own.
pub struct Gateway {
    child: Child,
    pub port: u16,
    errors: PathBuf,
}

impl Gateway {
    /// With these words after `doorward mcp --state … --listen …`.
    pub fn listen(bench: &Bench, words: &[&str]) -> Self {
        Self::listen_as(bench, None, words)
    }

    /// The same with this certificate authority beside nobody else's.
    pub fn listen_trusting(bench: &Bench, authority: &std::path::Path, words: &[&str]) -> Self {
        let mut command = Command::new(DOORWARD);
        command.env("SSL_CERT_FILE", authority).env_remove("SSL_CERT_DIR");
        Self::started(bench, command, words)
    }

    /// The same as another user.
    pub fn listen_as(bench: &Bench, user: Option<u32>, words: &[&str]) -> Self {
        let mut command = Command::new(DOORWARD);
        if let Some(user) = user {
            command.uid(user).gid(user).env("HOME", bench.home());
        }
        Self::started(bench, command, words)
    }

    fn started(bench: &Bench, mut command: Command, words: &[&str]) -> Self {
        let errors = bench.file("gateway.log");
        let child = command
            .args(["mcp", "--state"])
            .arg(bench.state())
            .args(["--listen", "127.0.0.1:0"])
            .args(words)
            .current_dir(bench.project())
            .env("TOKEN", "Bearer of-the-environment")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&errors).unwrap())
            .spawn()
            .unwrap();
        let mut gateway = Self { child, port: 0, errors };
        let until = Instant::now() + Duration::from_secs(30);
        while gateway.port == 0 {
            let told = gateway.errors();
            let rest = told.split_once("is at http://127.0.0.1:").map(|(_, rest)| rest.to_owned());
            gateway.port = rest
                .and_then(|rest| rest.split_once('/').and_then(|(port, _)| port.parse().ok()))
                .unwrap_or_default();
            assert!(Instant::now() < until, "it doesn't listen: {told}");
            std::thread::sleep(Duration::from_millis(20));
        }
        gateway
    }

    pub fn errors(&self) -> String {
        std::fs::read_to_string(&self.errors).unwrap_or_default()
    }

    /// Files and sockets that it has open.
    pub fn files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).map(Iterator::count).unwrap_or_default()
    }

    /// The most memory that it ever had at once, in KiB.
    pub fn most_memory_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// SIGTERM, and its exit code.
    pub fn stop(&mut self) -> i32 {
        crate::support::run(Command::new("kill").arg(self.child.id().to_string()));
        self.child.wait().unwrap().code().unwrap_or(-1)
    }

    /// A request with the headers that every client sends.
    pub fn post(&self, headers: &[&str], body: &str) -> Answer {
        let mut all = vec!["Content-Type: application/json", "Accept: application/json, text/event-stream"];
        all.extend(headers);
        self.ask("POST", &all, body.as_bytes())
    }

    pub fn ask(&self, method: &str, headers: &[&str], body: &[u8]) -> Answer {
        let host = format!("Host: 127.0.0.1:{}", self.port);
        let length = format!("Content-Length: {}", body.len());
        let mut all = vec![host.as_str(), length.as_str()];
        all.extend(headers);
        self.raw(method, &all, body)
    }

    /// A request with exactly these headers.
    pub fn raw(&self, method: &str, headers: &[&str], body: &[u8]) -> Answer {
        Answer::of(self.open(method, headers, body))
    }

    pub fn open(&self, method: &str, headers: &[&str], body: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let head = format!("{method} /mcp HTTP/1.1\r\n{}\r\n\r\n", headers.join("\r\n"));
        // A gateway that refuses reads no further.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        stream
    }

    /// Begins a session: its name.
    pub fn initialize(&self, capabilities: &Value) -> String {
        let body = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"}}});
        let answer = self.post(&[], &body.to_string());
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.header("mcp-session-id").unwrap_or_default()
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer, read as far as its head.
pub struct Answer {
    pub status: u16,
    pub head: Vec<String>,
    /// The whole body of a document; empty for a stream.
    pub body: String,
    reader: BufReader<TcpStream>,
    chunk: usize,
}

impl Answer {
    pub fn of(stream: TcpStream) -> Self {
        let mut reader = BufReader::new(stream);
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            let read = reader.read_line(&mut line).unwrap_or(0);
            if read == 0 || line.trim().is_empty() {
                break;
            }
            head.push(line.trim().to_owned());
        }
        let status = head.first().and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap_or(0);
        let mut answer = Self { status, head, body: String::new(), reader, chunk: 0 };
        if let Some(length) = answer.header("content-length").and_then(|length| length.parse().ok()) {
            let mut body = vec![0; length];
            answer.reader.read_exact(&mut body).unwrap();
            answer.body = String::from_utf8(body).unwrap();
        } else if !answer.is_stream() && status != 0 {
            while let Some(line) = answer.line() {
                answer.body += &line;
            }
        }
        answer
    }

    pub fn header(&self, name: &str) -> Option<String> {
        let of = |line: &String| {
            let (own, value) = line.split_once(':')?;
            own.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        };
        self.head.iter().find_map(of)
    }

    pub fn is_stream(&self) -> bool {
        self.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"))
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {:?} {}", self.head, self.body))
    }

    /// A line of a chunked body; `None` at its end.
    fn line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        loop {
            if self.chunk == 0 {
                let mut size = String::new();
                self.reader.read_line(&mut size).ok()?;
                self.chunk = usize::from_str_radix(size.trim(), 16).ok().filter(|size| *size > 0)?;
            }
            let mut byte = [0];
            self.reader.read_exact(&mut byte).ok()?;
            line.extend(byte);
            self.chunk -= 1;
            if self.chunk == 0 {
                let mut end = String::new();
                self.reader.read_line(&mut end).ok()?;
            }
            if byte == [b'\n'] || self.chunk == 0 && !self.is_stream() {
                return Some(String::from_utf8(line).unwrap());
            }
        }
    }

    /// The lines of the next event with data; `None` at the end of the stream.
    pub fn event(&mut self) -> Option<(String, Value)> {
        let (mut lines, mut data) = (String::new(), String::new());
        loop {
            let line = self.line()?;
            if line == "\n" && !data.is_empty() {
                return Some((lines, serde_json::from_str(&data).unwrap()));
            }
            if let Some(part) = line.strip_prefix("data:") {
                data += part.trim();
            }
            lines += &line;
        }
    }

    /// The answer to the request, wherever it is: the document, or the event that is one.
    pub fn answer(&mut self) -> Value {
        if !self.is_stream() {
            return self.json();
        }
        while let Some((_, message)) = self.event() {
            if message.get("method").is_none() {
                return message;
            }
        }
        panic!("the stream ended without an answer: {:?}", self.head)
    }
}

/// A request as a server got it.
#[derive(Debug, Clone)]
pub struct Got {
    pub head: Vec<String>,
    pub body: String,
}

impl Got {
    pub fn message(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> Option<String> {
        let of = |line: &String| {
            let (own, value) = line.split_once(':')?;
            own.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        };
        self.head.iter().find_map(of)
    }
}

/// A server on the loopback that answers as it is told.
pub struct Server {
    pub port: u16,
    pub got: Arc<Mutex<Vec<Got>>>,
}

impl Server {
    pub fn new(answer: impl Fn(&Got, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let got = Arc::<Mutex<Vec<Got>>>::default();
        let (all, answer) = (Arc::clone(&got), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (all, answer) = (Arc::clone(&all), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream.unwrap(), &all, &*answer));
            }
        });
        Self { port, got }
    }

    /// One that lists tools and answers `tools/call` as it is told.
    pub fn with_tools(
        names: &'static [&'static str],
        call: impl Fn(&Got, &mut TcpStream) + Send + Sync + 'static,
    ) -> Self {
        Self::new(move |got, stream| {
            let message = got.message();
            let id = &message["id"];
            let result = match message["method"].as_str() {
                Some("initialize") => json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                    "serverInfo": {"name": "s", "version": "1"}}),
                Some("tools/list") => {
                    let tool = |name: &&str| {
                        json!({"name": name, "description": "Does it.",
                        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}})
                    };
                    json!({"tools": names.iter().map(tool).collect::<Vec<_>>(), "resultType": "complete"})
                }
                Some("tools/call") => return call(got, stream),
                _ => return document(stream, "202 Accepted", &["Content-Length: 0"], ""),
            };
            let body = json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string();
            let session: &[&str] = if message["method"] == "initialize" {
                &["Mcp-Session-Id: session-of-the-server"]
            } else {
                &[]
            };
            let mut headers = vec!["Content-Type: application/json"];
            headers.extend(session);
            document(stream, "200 OK", &headers, &body);
        })
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    /// What came with this method.
    pub fn with(&self, method: &str) -> Vec<Got> {
        self.got.lock().unwrap().iter().filter(|got| got.message()["method"] == method).cloned().collect()
    }
}

fn serve(stream: TcpStream, all: &Mutex<Vec<Got>>, answer: &dyn Fn(&Got, &mut TcpStream)) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    loop {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if line.trim().is_empty() {
                break;
            }
            head.push(line.trim().to_owned());
        }
        let mut got = Got { head, body: String::new() };
        let length = got.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        got.body = String::from_utf8(body).unwrap();
        all.lock().unwrap().push(got.clone());
        answer(&got, &mut stream);
    }
}

/// Writes a document. With `Content-Length` among the headers it isn't counted.
pub fn document(stream: &mut TcpStream, status: &str, headers: &[&str], body: &str) {
    let mut head = format!("HTTP/1.1 {status}\r\n");
    for header in headers {
        head += &format!("{header}\r\n");
    }
    if !head.contains("Content-Length") {
        head += &format!("Content-Length: {}\r\n", body.len());
    }
    let _ = stream.write_all(format!("{head}\r\n{body}").as_bytes());
}

/// Writes a stream of events in exactly these chunks, and its end.
pub fn stream_of(stream: &mut TcpStream, chunks: &[&[u8]]) {
    let _ = stream.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    for chunk in chunks {
        let _ = stream.write_all(format!("{:x}\r\n", chunk.len()).as_bytes());
        let _ = stream.write_all(chunk).and_then(|()| stream.write_all(b"\r\n"));
        let _ = stream.flush();
        std::thread::sleep(Duration::from_millis(15));
    }
    let _ = stream.write_all(b"0\r\n\r\n");
}
