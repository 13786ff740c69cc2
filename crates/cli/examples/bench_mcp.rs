//! `cargo xtask bench mcp [CALLS [MANY]]`: what the MCP gateway adds to a call, measured on this machine in one run, in turn with a
//! direct connection and with the proxies of others that `cargo xtask tools` installs.
//!
//! The release binary with its gate and its durable record before a small echo server, over pipes, over HTTP, and as a
//! bridge from pipes to HTTP. Start-up is from the start of the process to the answer to `initialize`. Each turn also
//! writes as much as a record of a call to a file and waits for the disk, so that what the durable record costs alone
//! is a line of its own.
//!
//! `cargo xtask bench mcp sessions [NUMBER]` opens that many sessions over HTTP on one gateway at once (1,000 unless
//! given), each with a call under way at the same time. `cargo xtask bench mcp memory [CALLS]` makes that many calls on
//! one gateway on pipes (200,000 unless given) and tells its memory at each tenth.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const HELLO: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
    r#""capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#
);
const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// Sessions that the echo server began.
static SESSIONS: AtomicUsize = AtomicUsize::new(0);

fn answer(line: &str) -> Option<String> {
    let message: Value = serde_json::from_str(line).ok()?;
    let id = message.get("id")?;
    let result = match message["method"].as_str()? {
        "initialize" => {
            json!({"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "echo", "version": "1"}})
        }
        "tools/list" => json!({"tools": [{"name": "echo", "description": "Says a text again.",
            "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}]}),
        "tools/call" => {
            json!({"content": [{"type": "text", "text": message["params"]["arguments"]["text"]}]})
        }
        _ => json!({}),
    };
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string())
}

fn serve_pipes() {
    for line in std::io::stdin().lines() {
        if let Some(answer) = answer(&line.unwrap()) {
            println!("{answer}");
        }
    }
}

fn serve_http() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || serve_one(stream.unwrap()));
        }
    });
    port
}

fn serve_one(mut stream: TcpStream) {
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some((head, asked)) = message_of(&mut reader) {
        let told = if head.starts_with("POST") { answer(&asked) } else { None };
        let (status, kind, body) = match (&told, head.starts_with("POST")) {
            (Some(told), _) => ("200 OK", "Content-Type: application/json\r\n", told.as_str()),
            (None, true) => ("202 Accepted", "", ""),
            (None, false) => ("405 Method Not Allowed", "", ""),
        };
        let length = body.len();
        // Every session has a name of its own.
        let session = match told.is_some() && asked.contains("\"initialize\"") {
            true => format!("Mcp-Session-Id: bench-{}\r\n", SESSIONS.fetch_add(1, Ordering::Relaxed)),
            false => String::new(),
        };
        let out = format!("HTTP/1.1 {status}\r\n{kind}{session}Content-Length: {length}\r\n\r\n{body}");
        if stream.write_all(out.as_bytes()).is_err() {
            return;
        }
    }
}

fn message_of(reader: &mut BufReader<TcpStream>) -> Option<(String, String)> {
    let (mut head, mut length, mut chunked) = (String::new(), 0, false);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let lower = line.to_ascii_lowercase();
        if let Some(given) = lower.strip_prefix("content-length:") {
            length = given.trim().parse().ok()?;
        }
        chunked |= lower.starts_with("transfer-encoding:");
        if line.trim().is_empty() {
            break;
        }
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    while chunked {
        let mut size = String::new();
        reader.read_line(&mut size).ok()?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        let mut chunk = vec![0; size + 2];
        reader.read_exact(&mut chunk).ok()?;
        body.extend(&chunk[..size]);
        chunked = size > 0;
    }
    Some((head, String::from_utf8(body).ok()?))
}

fn call_of(number: usize) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"call {number}"}}}}}}"#,
        number + 1
    )
}

/// One way to the echo server.
enum Way {
    Pipes {
        child: Child,
        input: ChildStdin,
        output: BufReader<ChildStdout>,
    },
    Http {
        child: Option<Child>,
        port: u16,
        path: &'static str,
        stream: TcpStream,
        reader: BufReader<TcpStream>,
        session: String,
    },
}

impl Way {
    fn pipes(command: &mut Command) -> (Self, Duration) {
        let began = Instant::now();
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut way = Self::Pipes { child, input, output };
        way.round(HELLO);
        let took = began.elapsed();
        way.tell(READY);
        (way, took)
    }

    /// A process that listens at a port, or nothing where one listens already.
    fn http(command: Option<&mut Command>, port: u16, path: &'static str) -> (Self, Duration) {
        let began = Instant::now();
        let child = command.map(|command| {
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        });
        let until = began + Duration::from_secs(60);
        let stream = loop {
            match TcpStream::connect(("127.0.0.1", port)) {
                Ok(stream) => break stream,
                Err(error) => assert!(Instant::now() < until, "port {port}: {error}"),
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        stream.set_nodelay(true).unwrap();
        let reader = BufReader::new(stream.try_clone().unwrap());
        let mut way = Self::Http { child, port, path, stream, reader, session: String::new() };
        way.round(HELLO);
        let took = began.elapsed();
        way.tell(READY);
        (way, took)
    }

    fn connect_anew(&mut self) {
        let Self::Http { port, stream, reader, .. } = self else { panic!("over HTTP only") };
        *stream = TcpStream::connect(("127.0.0.1", *port)).unwrap();
        stream.set_nodelay(true).unwrap();
        *reader = BufReader::new(stream.try_clone().unwrap());
    }

    /// A request over HTTP whose answer is read later.
    fn send(&mut self, line: &str) {
        let Self::Http { port, path, stream, session, .. } = self else { panic!("over HTTP only") };
        let length = line.len();
        let mark = if session.is_empty() { String::new() } else { format!("Mcp-Session-Id: {session}\r\n") };
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nAccept: \
             application/json, text/event-stream\r\n{mark}Content-Length: {length}\r\n\r\n{line}"
        );
        stream.write_all(head.as_bytes()).unwrap();
    }

    fn read(&mut self) -> String {
        let Self::Http { reader, session, .. } = self else { panic!("over HTTP only") };
        let (head, body) = message_of(reader).unwrap();
        if session.is_empty() {
            let given = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("mcp-session-id").then(|| value.trim().to_owned())
            });
            *session = given.unwrap_or_default();
        }
        body
    }

    fn tell(&mut self, line: &str) {
        match self {
            Self::Pipes { input, .. } => writeln!(input, "{line}").unwrap(),
            Self::Http { .. } => drop(self.round(line)),
        }
    }

    fn round(&mut self, line: &str) -> String {
        match self {
            Self::Pipes { input, output, .. } => {
                writeln!(input, "{line}").unwrap();
                let mut told = String::new();
                output.read_line(&mut told).unwrap();
                told
            }
            Self::Http { .. } => {
                self.send(line);
                self.read()
            }
        }
    }

    fn call(&mut self, number: usize) -> Duration {
        let line = call_of(number);
        let began = Instant::now();
        let told = self.round(&line);
        let took = began.elapsed();
        assert!(told.contains(&format!("call {number}")), "{told}");
        took
    }

    fn pid(&self) -> Option<u32> {
        match self {
            Self::Pipes { child, .. } => Some(child.id()),
            Self::Http { child, .. } => child.as_ref().map(Child::id),
        }
    }
}

impl Drop for Way {
    fn drop(&mut self) {
        let child = match self {
            Self::Pipes { child, .. } => Some(child),
            Self::Http { child, .. } => child.as_mut(),
        };
        if let Some(child) = child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Bytes of a record of a small call, as the gateway's own ledger has it.
const RECORD: usize = 2_048;

/// Where the gateways of this run keep their records, so that both wait for the same disk.
fn durable_folder() -> PathBuf {
    std::env::temp_dir()
}

/// CPU seconds and resident kilobytes of a process.
fn cost(pid: u32) -> (f64, u64) {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let columns: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| columns.get(at).and_then(|own| own.parse::<f64>().ok()).unwrap_or(0.0);
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let resident =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().split(' ').next()?.parse().ok());
    ((ticks(11) + ticks(12)) / 100.0, resident.unwrap_or(0))
}

fn told(name: &str, times: &mut [Duration], start: Duration) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "  {name:34} p50 {:7.3}  p95 {:7.3}  p99 {:7.3} ms   start-up {:7.1} ms",
        at(0.5),
        at(0.95),
        at(0.99),
        start.as_secs_f64() * 1e3
    );
}

/// Calls in turn over every way, so that the machine's noise meets all of them alike.
fn compare(what: &str, mut ways: Vec<(String, Way, Duration)>, calls: usize) {
    println!("{what}, {calls} calls each, in turn:");
    for (_, way, _) in &mut ways {
        for number in 0..20 {
            way.call(number);
        }
    }
    let mut times: Vec<Vec<Duration>> = ways.iter().map(|_| Vec::new()).collect();
    let (mut disk, mut durable) = (tempfile::tempfile_in(durable_folder()).unwrap(), Vec::new());
    let before: Vec<f64> = ways.iter().map(|(_, way, _)| way.pid().map_or(0.0, |pid| cost(pid).0)).collect();
    for number in 0..calls {
        for (at, (_, way, _)) in ways.iter_mut().enumerate() {
            times[at].push(way.call(number));
        }
        let began = Instant::now();
        disk.write_all(&[b'x'; RECORD]).unwrap();
        disk.sync_data().unwrap();
        durable.push(began.elapsed());
    }
    durable.sort();
    let alone = |share: f64| durable[((durable.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "  {:34} p50 {:7.3}  p95 {:7.3}  p99 {:7.3} ms   of each call through the gateway",
        "one durable record alone",
        alone(0.5),
        alone(0.95),
        alone(0.99)
    );
    for (at, (name, way, start)) in ways.iter().enumerate() {
        told(name, &mut times[at], *start);
        if let Some(pid) = way.pid().filter(|_| name.starts_with("doorward")) {
            println!("  {:34} CPU {:.3} ms a call", "", (cost(pid).0 - before[at]) * 1e3 / calls as f64);
        }
    }
}

/// Whether a peer's program can be started; where it was installed and can't, that is said.
fn usable(program: &Path, words: &[&str]) -> bool {
    if std::fs::symlink_metadata(program).is_err() {
        return false;
    }
    let tried = Command::new(program).args(words).stdin(Stdio::null()).output();
    let why = match tried {
        Ok(tried) if tried.status.success() => return true,
        Ok(tried) => format!("it ended with {}", tried.status),
        // The kernel says so of a script whose interpreter isn't there.
        Err(error) => {
            format!("{error}; a program whose environment was moved names an interpreter that is gone")
        }
    };
    println!(
        "not measured: {} can't be started: {why}. Install it again: cargo xtask tools",
        program.display()
    );
    false
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("echo") {
        return serve_pipes();
    }
    let mode = std::env::args().nth(1).unwrap_or_default();
    let calls: usize = mode.parse().unwrap_or(1_000);
    let many: usize = std::env::args().nth(2).and_then(|given| given.parse().ok()).unwrap_or(20_000);
    let own = std::env::current_exe().unwrap();
    let binary = std::env::var_os("DOORWARD_BINARY")
        .map_or_else(|| own.ancestors().nth(2).unwrap().join("doorward"), PathBuf::from);
    assert!(binary.exists(), "build it first: cargo build --release -p doorward-cli ({})", binary.display());
    let tools = std::env::var_os("DOORWARD_TOOLS").map(PathBuf::from).unwrap_or_default();
    let folder = tempfile::tempdir().unwrap();
    let mut states = 0;
    let mut gateway = || {
        states += 1;
        let state = folder.path().join(format!("state{states}"));
        std::fs::create_dir_all(&state).unwrap();
        std::fs::write(state.join("doorward.toml"), "[rules]\nallow = [\"mcp(echo/*)\"]\n").unwrap();
        let mut command = Command::new(&binary);
        command.args(["mcp", "--name", "echo", "--state"]).arg(state).current_dir(folder.path());
        command
    };
    let url = format!("http://127.0.0.1:{}/mcp", serve_http());
    let port: u16 = url.split(':').nth(2).and_then(|rest| rest.split('/').next()?.parse().ok()).unwrap();
    let given = |usual: usize| std::env::args().nth(2).and_then(|given| given.parse().ok()).unwrap_or(usual);
    match mode.as_str() {
        "sessions" => {
            let own_port = free_port();
            let address = format!("127.0.0.1:{own_port}");
            return at_once(gateway().args(["--listen", &address, &url]), own_port, given(1_000));
        }
        "memory" => return flat(gateway().arg("--").arg(&own).arg("echo"), given(200_000)),
        _ => {}
    }
    let (fastmcp, mcp_proxy) = (tools.join("fastmcp/bin/python"), tools.join("mcp-proxy/bin/mcp-proxy"));
    let has_fastmcp = usable(&fastmcp, &["-c", "import fastmcp"]);
    let has_mcp_proxy = usable(&mcp_proxy, &["--help"]);
    let script = folder.path().join("proxy.py");
    std::fs::write(&script, PROXY).unwrap();

    let mut ways = Vec::new();
    let mut add = |name: &str, (way, start): (Way, Duration)| ways.push((name.to_owned(), way, start));
    add("direct", Way::pipes(Command::new(&own).arg("echo")));
    add("doorward", Way::pipes(gateway().arg("--").arg(&own).arg("echo")));
    if has_fastmcp {
        add("fastmcp 4.1.2 proxy", Way::pipes(Command::new(&fastmcp).arg(&script).arg("stdio").arg(&own)));
    }
    compare("pipes to pipes", std::mem::take(&mut ways), calls);

    let mut add = |name: &str, (way, start): (Way, Duration)| ways.push((name.to_owned(), way, start));
    add("direct", Way::http(None, port, "/mcp"));
    let own_port = free_port();
    let address = format!("127.0.0.1:{own_port}");
    add("doorward", Way::http(Some(gateway().args(["--listen", &address, &url])), own_port, "/mcp"));
    if has_fastmcp {
        let free = free_port();
        let mut command = Command::new(&fastmcp);
        command.arg(&script).arg("http").arg(&url).arg(free.to_string());
        add("fastmcp 4.1.2 proxy", Way::http(Some(&mut command), free, "/mcp"));
    }
    compare("HTTP to HTTP", std::mem::take(&mut ways), calls);

    let mut add = |name: &str, (way, start): (Way, Duration)| ways.push((name.to_owned(), way, start));
    add("doorward", Way::pipes(gateway().arg(&url)));
    if has_mcp_proxy {
        let mut command = Command::new(&mcp_proxy);
        command.args(["--transport", "streamablehttp"]).arg(&url);
        add("mcp-proxy 0.13.0", Way::pipes(&mut command));
    }
    compare("pipes to HTTP", std::mem::take(&mut ways), calls);

    flat(gateway().arg("--").arg(&own).arg("echo"), many);
}

/// Many calls on one gateway: its memory and processor time on the way.
fn flat(command: &mut Command, calls: usize) {
    let (mut way, _) = Way::pipes(command);
    let pid = way.pid().unwrap();
    println!("one gateway, {calls} calls:");
    let began = Instant::now();
    let step = (calls / 10).max(1);
    for number in 0..calls {
        way.call(number);
        if (number + 1) % step == 0 {
            let (cpu, resident) = cost(pid);
            println!(
                "  after {:7}: {resident} KiB resident, CPU {:.3} ms a call",
                number + 1,
                cpu * 1e3 / (number + 1) as f64
            );
        }
    }
    println!("  {:.0} calls a second", calls as f64 / began.elapsed().as_secs_f64());
}

/// Sessions of one gateway at once, each on a connection of its own: every one is begun before the first is told
/// anything more, and every call is sent before the first answer is read.
fn at_once(command: &mut Command, port: u16, sessions: usize) {
    let (mut first, _) = Way::http(Some(command), port, "/mcp");
    // One client begins before the others, so that the gateway is up.
    first.call(0);
    let pid = first.pid().unwrap();
    let before = cost(pid).1;
    let began = Instant::now();
    let mut ways: Vec<Way> = (0..sessions).map(|_| Way::http(None, port, "/mcp").0).collect();
    println!("{sessions} sessions of one gateway at once:");
    println!("  begun after {:.1} s", began.elapsed().as_secs_f64());
    let open = cost(pid).1;
    for round in 0..3 {
        let began = Instant::now();
        // A connection that was silent for half a minute is closed: each round has connections of its own.
        ways.iter_mut().for_each(Way::connect_anew);
        for (number, way) in ways.iter_mut().enumerate() {
            way.send(&call_of(round * sessions + number));
        }
        let mut last = Duration::ZERO;
        let mut answered = 0;
        for (number, way) in ways.iter_mut().enumerate() {
            let told = way.read();
            answered += usize::from(told.contains(&format!("\"call {}\"", round * sessions + number)));
            last = last.max(began.elapsed());
        }
        assert_eq!(answered, sessions, "every session reads the answer to its own call");
        println!("  round {}: all {answered} calls answered after {:.2} s", round + 1, last.as_secs_f64());
    }
    let (cpu, after) = cost(pid);
    println!(
        "  {before} KiB resident before, {open} once begun, {after} after the calls: {:.1} KiB a session; CPU {:.3} ms \
         a call",
        after.saturating_sub(before) as f64 / sessions as f64,
        cpu * 1e3 / (3 * sessions) as f64
    );
    drop(ways);
    std::thread::sleep(Duration::from_secs(1));
    let sockets = std::fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
    println!("  {sockets} files and sockets are open a second after the clients left");
}

/// The typed proxy of fastmcp, before a command or an address.
const PROXY: &str = r#"
import sys
from fastmcp.server import create_proxy
if sys.argv[1] == "stdio":
    create_proxy({"mcpServers": {"echo": {"command": sys.argv[2], "args": ["echo"]}}}).run(show_banner=False)
else:
    create_proxy(sys.argv[2]).run(transport="http", host="127.0.0.1", port=int(sys.argv[3]), path="/mcp",
                                  show_banner=False)
"#;
