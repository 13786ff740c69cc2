//! A whole service over HTTP in a folder of its own, and a client that speaks plain HTTP/1.1 to both its doors.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use doorward::layers::Places;
use doorward::rooms::store::{Role, Store};
use doorward::{Broker, Door, Options};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// Nothing here waits longer.
const PATIENCE: Duration = Duration::from_secs(120);
pub const PASSPHRASE: &str = "correct horse battery";

/// A running service. Stops when dropped.
pub struct Bench {
    pub dir: Arc<tempfile::TempDir>,
    pub door: Arc<Door>,
    pub broker: Option<Arc<Broker>>,
    pub port: SocketAddr,
    runtime: Option<tokio::runtime::Runtime>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    served: Option<tokio::task::JoinHandle<()>>,
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub text: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }
}

impl Bench {
    pub fn new(settings: &str) -> Self {
        Self::at(Arc::new(tempfile::tempdir().unwrap()), Some(settings), true)
    }

    /// With nobody to ask.
    pub fn alone(settings: &str) -> Self {
        Self::at(Arc::new(tempfile::tempdir().unwrap()), Some(settings), false)
    }

    /// Over a folder; settings of `None` stay as they are.
    pub fn at(dir: Arc<tempfile::TempDir>, settings: Option<&str>, people: bool) -> Self {
        let state = dir.path().join("state");
        std::fs::create_dir_all(&state).unwrap();
        if let Some(settings) = settings {
            write_settings(dir.path(), settings);
        }
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let places = Places { user: Some(dir.path().join("doorward.toml")), admin: None };
        let options = Options { state: Some(state.clone()), ..Options::simulation(places) };
        let socket = state.join("doorward.sock");
        let (door, broker) = runtime.block_on(async {
            if !people {
                return (Door::open(options).unwrap(), None);
            }
            let store = Store::open_file(&state.join("doorward.db")).await.unwrap();
            let remembered = doorward::anchoring::Remembered::OfItsFolder;
            let door = Door::open_with_store(options, store, remembered).await.unwrap();
            let broker = door.approvals().broker().cloned();
            (door, broker)
        });
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let (tell, told) = std::sync::mpsc::channel();
        let serving = doorward_server::serve(
            Arc::clone(&door),
            doorward_server::Options {
                agents: socket.parent().map(Into::into),
                socket,
                port: doorward_server::Port::Exactly(0),
                tls: None,
            },
            move |address| tell.send(address.unwrap()).unwrap(),
            async move { drop(stopped.await) },
        );
        let served = runtime.spawn(async move { serving.await.unwrap() });
        let port = told.recv_timeout(PATIENCE).unwrap();
        let (runtime, stop, served) = (Some(runtime), Some(stop), Some(served));
        Self { dir, door, broker, port, runtime, stop, served }
    }

    /// Ends the service and starts another over the same folder.
    pub fn restarted(mut self) -> Self {
        let dir = Arc::clone(&self.dir);
        self.end();
        drop(self);
        Self::at(dir, None, true)
    }

    fn end(&mut self) {
        drop(self.stop.take());
        if let (Some(runtime), Some(served)) = (self.runtime.take(), self.served.take()) {
            let _ = runtime.block_on(async { tokio::time::timeout(PATIENCE, served).await });
            if let Some(broker) = &self.broker {
                runtime.block_on(broker.store().close());
            }
            runtime.shutdown_timeout(Duration::from_secs(5));
        }
    }

    /// Changes the settings; they are in force when this returns.
    pub fn settings(&self, text: &str) {
        write_settings(self.dir.path(), text);
        self.door.projects().look_again();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.as_ref().unwrap().block_on(future)
    }

    pub fn store(&self) -> &Store {
        self.broker.as_ref().unwrap().store()
    }

    /// An account with a passphrase, and a token of it.
    pub fn account(&self, name: &str, role: Role, groups: &[&str]) -> String {
        let groups: Vec<String> = groups.iter().map(|group| (*group).to_owned()).collect();
        self.block_on(async {
            let store = self.store();
            store.put_account(name, role, &groups).await.unwrap();
            if role > Role::Agent {
                store.set_passphrase(name, PASSPHRASE).await.unwrap();
            }
            let ends = Timestamp::now() + SignedDuration::from_hours(1);
            store.new_token(name, "test", ends, None).await.unwrap().secret
        })
    }

    /// Through the socket, as the same user.
    pub fn local(&self, method: &str, path: &str, body: Option<&str>) -> Reply {
        let socket = self.dir.path().join("state/doorward.sock");
        let stream = UnixStream::connect(socket).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        exchange(stream, method, path, &[("host", "doorward")], body)
    }

    /// Through the port, with whatever headers.
    pub fn port(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&str>) -> Reply {
        let stream = TcpStream::connect(self.port).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let host = self.port.to_string();
        let mut all: Vec<(&str, &str)> = Vec::new();
        if !headers.iter().any(|(name, _)| *name == "host") {
            all.push(("host", &host));
        }
        all.extend(headers);
        exchange(stream, method, path, &all, body)
    }

    /// Through the port with a token.
    pub fn with(&self, token: &str, method: &str, path: &str, body: Option<&Value>) -> Reply {
        let bearer = format!("Bearer {token}");
        let body = body.map(Value::to_string);
        self.port(method, path, &[("authorization", &bearer)], body.as_deref())
    }

    /// A yes with the passphrase, and whatever more.
    pub fn answer(&self, token: &str, id: &str, more: Value) -> Reply {
        let mut body = json!({"answer": "yes", "passphrase": PASSPHRASE});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.with(token, "POST", &format!("/v1/approvals/{id}/answer"), Some(&body))
    }

    pub fn pending(&self) -> Vec<Value> {
        self.local("GET", "/v1/approvals", None).json()["approvals"].as_array().unwrap().clone()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.end();
    }
}

fn write_settings(dir: &Path, text: &str) {
    std::fs::write(dir.join("doorward.toml"), text).unwrap();
}

fn exchange(
    mut stream: impl Read + Write,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<&str>,
) -> Reply {
    let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    if let Some(body) = body {
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            head.push_str("content-type: application/json\r\n");
        }
        write!(head, "content-length: {}\r\n", body.len()).unwrap();
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    // A refusal may come, and the connection close, before all of the body is sent.
    let _ = stream.write_all(body.unwrap_or_default().as_bytes());
    let mut raw = Vec::new();
    let mut piece = [0; 16 * 1024];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => raw.extend_from_slice(&piece[..read]),
            Err(_) if !raw.is_empty() => break,
            Err(error) => panic!("{method} {path}: {error}"),
        }
        // A stream of events has no end: its head is enough.
        let text = String::from_utf8_lossy(&raw);
        if text.contains("\r\n\r\n") && text.to_lowercase().contains("content-type: text/event-stream") {
            break;
        }
        if text.starts_with("HTTP/1.1 101") && text.contains("\r\n\r\n") {
            break;
        }
    }
    let text = String::from_utf8_lossy(&raw).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let text = if chunked { unchunked(body) } else { body.to_owned() };
    Reply { status, headers, text }
}

fn unchunked(mut body: &str) -> String {
    let mut out = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || rest.len() < size {
            break;
        }
        out.push_str(&rest[..size]);
        body = rest[size..].trim_start_matches("\r\n");
    }
    out
}
