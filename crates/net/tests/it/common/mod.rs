//! Scripted names and observed servers on loopback, shared by the integration tests.
//!
//! 127.0.0.2 represents a permitted host (an entry permits exactly that address); every other loopback address
//! represents an internal one. Servers count their connections.
#![allow(dead_code)]

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use doorward_core::Boxed;
use doorward_net::proxy::record::{AccessLog, AccessRecord};
use doorward_net::proxy::{
    EgressConfig, EgressProxy, EgressRules, ListenOptions, Listening, ProxyLimits, ProxyParts, ProxyToken,
    SessionSpec,
};
use doorward_net::{Guard, GuardConfig, LiveGuard, Resolver};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

/// Time after which a test reports a hang.
pub const LONG: Duration = Duration::from_secs(90);
pub const PERMITTED: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
pub const INTERNAL: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 3));

/// A resolver that answers by script: each name has a list of answers, the last of which repeats.
#[derive(Default)]
pub struct ScriptedResolver {
    pub rows: Mutex<HashMap<String, VecDeque<Vec<IpAddr>>>>,
    pub calls: AtomicUsize,
    pub delay: Duration,
}

impl ScriptedResolver {
    pub fn new(rows: &[(&str, &[&[IpAddr]])]) -> Arc<Self> {
        let rows = rows
            .iter()
            .map(|(name, answers)| {
                ((*name).to_owned(), answers.iter().map(|answer| answer.to_vec()).collect())
            })
            .collect();
        Arc::new(Self { rows: Mutex::new(rows), ..Self::default() })
    }

    pub fn permitted(names: &[&str]) -> Arc<Self> {
        let rows = names.iter().map(|name| ((*name).to_owned(), VecDeque::from([vec![PERMITTED]]))).collect();
        Arc::new(Self { rows: Mutex::new(rows), ..Self::default() })
    }
}

impl Resolver for ScriptedResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Boxed<'a, std::io::Result<Vec<IpAddr>>> {
        self.calls.fetch_add(1, SeqCst);
        let answer = {
            let mut rows = self.rows.lock().unwrap();
            rows.get_mut(name)
                .and_then(|row| if row.len() > 1 { row.pop_front() } else { row.front().cloned() })
        };
        let delay = self.delay;
        Box::pin(async move {
            tokio::time::sleep(delay).await;
            answer.ok_or_else(|| std::io::ErrorKind::NotFound.into())
        })
    }
}

/// A server that answers every connection and keeps what it read.
pub struct RecordingServer {
    pub address: SocketAddr,
    pub hits: Arc<AtomicUsize>,
    pub seen: Arc<Mutex<Vec<String>>>,
}

impl RecordingServer {
    /// `answer` gets the request (head and following bytes) and returns the whole response.
    pub async fn start(
        ip: IpAddr,
        port: u16,
        answer: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((ip, port)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (hits, seen) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(vec![])));
        let (own_hits, own_seen, answer) = (hits.clone(), seen.clone(), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                own_hits.fetch_add(1, SeqCst);
                tokio::spawn(serve_one(stream, own_seen.clone(), answer.clone()));
            }
        });
        Self { address, hits, seen }
    }

    pub async fn ok(ip: IpAddr, port: u16) -> Self {
        Self::start(ip, port, |_| response("200 OK", "", "hello")).await
    }

    pub fn hits(&self) -> usize {
        self.hits.load(SeqCst)
    }

    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

async fn serve_one(
    mut stream: TcpStream,
    seen: Arc<Mutex<Vec<String>>>,
    answer: Arc<impl Fn(&str) -> String + Send + Sync + 'static>,
) {
    let mut bytes = vec![];
    let mut chunk = [0; 4096];
    while !is_complete(&bytes) {
        match timeout(LONG, stream.read(&mut chunk)).await {
            Ok(Ok(read @ 1..)) => bytes.extend_from_slice(&chunk[..read]),
            _ => break,
        }
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let reply = answer(&text);
    let _ = stream.write_all(reply.as_bytes()).await;
    // Further bytes would be a second request.
    while let Ok(Ok(read @ 1..)) = timeout(Duration::from_millis(100), stream.read(&mut chunk)).await {
        bytes.extend_from_slice(&chunk[..read]);
    }
    seen.lock().unwrap().push(String::from_utf8_lossy(&bytes).into_owned());
}

fn is_complete(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    if head.contains("transfer-encoding: chunked") {
        return body.ends_with("0\r\n\r\n");
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    length.is_none_or(|length| body.len() >= length.trim().parse().unwrap_or(0))
}

pub fn response(status: &str, extra: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{extra}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

/// A log that keeps records in memory.
#[derive(Default)]
pub struct Kept(pub Mutex<Vec<AccessRecord>>);

impl AccessLog for Kept {
    fn decided<'a>(&'a self, record: &'a AccessRecord) -> Boxed<'a, Result<(), String>> {
        self.0.lock().unwrap().push(record.clone());
        Box::pin(async { Ok(()) })
    }

    fn ended<'a>(&'a self, record: &'a AccessRecord) -> Boxed<'a, ()> {
        self.0.lock().unwrap().push(record.clone());
        Box::pin(async {})
    }
}

/// A running proxy with one session.
pub struct Door {
    pub proxy: EgressProxy,
    pub listening: Listening,
    pub token: ProxyToken,
    pub log: Arc<Kept>,
}

impl Door {
    pub async fn open(rules: &str, resolver: Arc<dyn Resolver>) -> Self {
        Self::with(rules, resolver, |_| {}).await
    }

    pub async fn with(
        rules: &str,
        resolver: Arc<dyn Resolver>,
        adjust: impl FnOnce(&mut ProxyParts),
    ) -> Self {
        let rules: EgressConfig = serde_json::from_str(rules).unwrap();
        let guard = Arc::new(LiveGuard::new(Guard::new(GuardConfig::default()).unwrap()));
        let log = Arc::new(Kept::default());
        let mut parts = ProxyParts {
            resolver,
            log: log.clone(),
            limits: patient(),
            ..ProxyParts::new(guard, EgressRules::new(&rules).unwrap())
        };
        adjust(&mut parts);
        let proxy = EgressProxy::new(parts);
        let options = ListenOptions { tcp: Some("127.0.0.1:0".parse().unwrap()), ..ListenOptions::default() };
        let listening = proxy.listen(options).await.unwrap();
        let spec =
            SessionSpec { session: "s1".into(), roles: vec!["reader".into()], ..SessionSpec::default() };
        let token = proxy.open_session(spec).unwrap();
        Self { proxy, listening, token, log }
    }

    pub fn address(&self) -> SocketAddr {
        self.listening.tcp.unwrap()
    }

    /// `Basic …`
    pub fn authorization(&self) -> String {
        use base64::Engine as _;
        let url = self.token.url("http", "c1", "x");
        let pair = url.strip_prefix("http://").unwrap().strip_suffix("@x").unwrap().to_owned();
        format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(pair))
    }

    /// Sends raw bytes, `{auth}` replaced by the header, and reads everything that comes back.
    pub async fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address()).await.unwrap();
        let auth = format!("Proxy-Authorization: {}\r\n", self.authorization());
        let _ = stream.write_all(request.replace("{auth}", &auth).as_bytes()).await;
        read_all(&mut stream).await
    }

    /// Opens a tunnel; returns the status line and the stream.
    pub async fn connect(&self, authority: &str) -> (String, TcpStream) {
        let mut stream = TcpStream::connect(self.address()).await.unwrap();
        let auth = self.authorization();
        let head = format!(
            "CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\nProxy-Authorization: {auth}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = vec![];
        let mut byte = [0; 1];
        while !answer.ends_with(b"\r\n\r\n") {
            match timeout(LONG, stream.read(&mut byte)).await {
                Ok(Ok(1)) => answer.extend_from_slice(&byte),
                _ => break,
            }
        }
        (String::from_utf8_lossy(&answer).into_owned(), stream)
    }
}

/// Limits that a busy machine doesn't reach, so that they don't end an access by accident.
pub fn patient() -> ProxyLimits {
    ProxyLimits {
        head_time: Duration::from_secs(40),
        hello_time: Duration::from_secs(40),
        connect: Duration::from_secs(40),
        idle: Duration::from_secs(40),
        ask: Duration::from_secs(40),
        ..ProxyLimits::default()
    }
}

/// Limits of one second, for tests of the limits.
pub fn brief() -> ProxyLimits {
    ProxyLimits {
        head_time: Duration::from_millis(800),
        hello_time: Duration::from_millis(800),
        idle: Duration::from_millis(800),
        ask: Duration::from_millis(300),
        ..patient()
    }
}

pub async fn read_all(stream: &mut TcpStream) -> String {
    let mut answer = vec![];
    let _ = timeout(LONG, stream.read_to_end(&mut answer)).await.expect("the answer hangs");
    String::from_utf8_lossy(&answer).into_owned()
}

/// A ClientHello that asks for `name`, made by a real TLS client.
pub fn client_hello(name: &str) -> Vec<u8> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    let name = rustls::pki_types::ServerName::try_from(name.to_owned()).unwrap();
    let mut connection = rustls::ClientConnection::new(Arc::new(config), name).unwrap();
    let mut hello = vec![];
    connection.write_tls(&mut hello).unwrap();
    hello
}
