//! The TLS key of a server is a part of what was approved: one with another key, whoever signed its certificate, is
//! another server.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};

use super::http::Gateway;
use crate::support::Bench;

/// An authority, and servers' certificates by it.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = params.clone().self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// The settings of a server that holds this key.
    fn server(&self, key: &KeyPair) -> Arc<ServerConfig> {
        let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let certificate = params.signed_by(key, &self.issuer).unwrap().der().clone();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], PrivatePkcs8KeyDer::from(key.serialize_der()).into());
        Arc::new(config.unwrap())
    }
}

/// A server over TLS whose settings can be changed between connections. It answers one request a connection.
fn serve(config: Arc<Mutex<Arc<ServerConfig>>>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let config = Arc::clone(&config.lock().unwrap());
            std::thread::spawn(move || {
                let connection = ServerConnection::new(config).unwrap();
                let mut stream = BufReader::new(StreamOwned::new(connection, stream.unwrap()));
                let (mut length, mut line) = (0, String::new());
                while stream.read_line(&mut line).unwrap_or(0) > 0 && !line.trim().is_empty() {
                    if let Some(given) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                        length = given.trim().parse().unwrap();
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                if stream.read_exact(&mut body).is_err() {
                    return;
                }
                let message: Value = serde_json::from_slice(&body).unwrap_or_default();
                let result = match message["method"].as_str() {
                    Some("tools/list") => json!({"tools": [{"name": "echo", "description": "Does it.",
                        "inputSchema": {"type": "object"}}]}),
                    Some("tools/call") => json!({"content": [{"type": "text", "text": "echoed"}]}),
                    _ => json!({"protocolVersion": "2025-11-25", "capabilities": {},
                        "serverInfo": {"name": "s", "version": "1"}}),
                };
                let body = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                    body.len()
                );
                let stream = stream.get_mut();
                let _ = stream.write_all(format!("{head}{body}").as_bytes());
                stream.conn.send_close_notify();
                let _ = stream.flush();
                // What is closed with something unread takes along what was sent.
                let _ = std::io::copy(stream, &mut std::io::sink());
            });
        }
    });
    port
}

#[test]
fn a_server_with_another_tls_key_is_changed_until_a_person_saw_it_and_a_renewed_certificate_is_not() {
    let authority = Authority::new();
    let (key, other) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    let config = Arc::new(Mutex::new(authority.server(&key)));
    let port = serve(Arc::clone(&config));
    let mut bench = Bench::new(super::ALLOW);
    bench.serve();
    let trusted = bench.file("authority.pem");
    std::fs::write(&trusted, &authority.pem).unwrap();
    let url = format!("https://localhost:{port}/mcp");
    let gateway = |more: &[&str]| {
        let mut words = vec!["--name", "far"];
        words.extend(more);
        words.push(&url);
        Gateway::listen_trusting(&bench, &trusted, &words)
    };
    let called = |gateway: &Gateway| gateway.post(&[], &super::call(&json!(1), "echo", &json!({}))).body;
    let pins = || bench.doorward(&["mcp", "pins", "far", "--state", &bench.state().display().to_string()]).1;
    let first = gateway(&[]);
    assert!(called(&first).contains("echoed"), "{} {}", called(&first), first.errors());
    // The same key in another certificate is the same server.
    *config.lock().unwrap() = authority.server(&key);
    assert!(called(&first).contains("echoed"), "{}", first.errors());
    assert!(called(&gateway(&[])).contains("echoed"));
    assert!(!pins().contains("changed"), "{}", pins());
    // Another key, well signed: the connection is refused while the gateway runs, and changed when it starts anew.
    *config.lock().unwrap() = authority.server(&other);
    let refused = called(&first);
    assert!(
        !refused.contains("echoed") && first.errors().contains("mcp.tls_key"),
        "{refused} {}",
        first.errors()
    );
    let second = gateway(&[]);
    let denied = called(&second);
    assert!(denied.contains("pin.binary") && !denied.contains("echoed"), "{denied}");
    let told = pins();
    assert!(told.contains("changed") && told.contains("tls_key"), "{told}");
    // Nothing changes that by itself, not even the first key.
    assert!(called(&gateway(&[])).contains("pin.binary"));
    // Without a pinned key it is again another identity.
    assert!(called(&gateway(&["--any-key"])).contains("pin.binary"));
    *config.lock().unwrap() = authority.server(&key);
    assert!(called(&gateway(&[])).contains("echoed"), "the approved server is back: {}", pins());
}
