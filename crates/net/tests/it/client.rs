//! The guarded client on loopback: redirects, Host and SNI, limits, slow and lying resolvers.
#![cfg(feature = "proxy")]

use std::net::IpAddr;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{INTERNAL, PERMITTED, RecordingServer, ScriptedResolver, response};
use doorward_net::{ClientLimits, FetchRequest, GuardConfig, GuardedClient, LiveGuard, Resolver, Tls};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

fn client(allowed: &[&str], resolver: Arc<dyn Resolver>) -> GuardedClient {
    let allowed_hosts = allowed.iter().map(|entry| (*entry).to_owned()).collect();
    let config = GuardConfig { allowed_hosts, dns_timeout_ms: 500, ..GuardConfig::default() };
    let limits =
        ClientLimits { total: Duration::from_secs(90), connect: Duration::from_secs(60), body: 10_000 };
    GuardedClient::new(Arc::new(LiveGuard::from_config(config)))
        .unwrap()
        .with_resolver(resolver)
        .with_limits(limits)
}

fn entries(port: u16) -> Vec<String> {
    ["a.example", "b.example", "flip.example"].map(|name| format!("{name}:{port}=127.0.0.2")).to_vec()
}

fn borrowed(entries: &[String]) -> Vec<&str> {
    entries.iter().map(String::as_str).collect()
}

#[tokio::test]
async fn redirects_into_every_class_are_refused() {
    let location = Arc::new(Mutex::new(String::new()));
    let told = location.clone();
    let server = RecordingServer::start(PERMITTED, 0, move |request| {
        if request.starts_with("GET /go") {
            response("302 Found", &format!("Location: {}\r\n", told.lock().unwrap()), "")
        } else {
            response("200 OK", "", "arrived")
        }
    })
    .await;
    let port = server.address.port();
    let internal = RecordingServer::ok(INTERNAL, port).await;
    let v6: IpAddr = "::1".parse().unwrap();
    let script = ScriptedResolver::new(&[
        ("a.example", &[&[PERMITTED]]),
        ("b.example", &[&[PERMITTED]]),
        ("inner.example", &[&[INTERNAL]]),
        ("half.example", &[&[PERMITTED, INTERNAL]]),
        ("six.example", &[&[v6]]),
        ("flip.example", &[&[PERMITTED], &[INTERNAL]]),
        ("empty.example", &[&[]]),
    ]);
    let entries = entries(port);
    let client = client(&borrowed(&entries), script);
    for (to, code) in [
        ("/ok".to_owned(), None),
        (format!("//b.example:{port}/ok"), None),
        (format!("http://b.example:{port}/ok"), None),
        (format!("http://127.0.0.3:{port}/"), Some("net.address_denied:loopback")),
        (format!("http://[::ffff:127.0.0.3]:{port}/"), Some("net.address_denied:loopback")),
        (format!("http://[::1]:{port}/"), Some("net.address_denied:loopback")),
        (format!("http://[64:ff9b::7f00:3]:{port}/"), Some("net.address_denied:nat64")),
        (format!("http://2130706435:{port}/"), Some("net.ambiguous_literal")),
        (format!("http://0177.0.0.3:{port}/"), Some("net.ambiguous_literal")),
        (format!("http://localhost:{port}/"), Some("net.name_denied")),
        ("http://169.254.169.254/latest/".to_owned(), Some("net.address_denied:metadata")),
        ("http://10.0.0.1/".to_owned(), Some("net.address_denied:private")),
        (format!("http://inner.example:{port}/"), Some("net.address_denied")),
        (format!("http://half.example:{port}/"), Some("net.address_denied")),
        (format!("http://six.example:{port}/"), Some("net.address_denied")),
        (format!("http://empty.example:{port}/"), Some("net.dns_failed")),
        (format!("http://missing.example:{port}/"), Some("net.dns_failed")),
        (format!("http://u@b.example:{port}/"), Some("net.userinfo")),
        ("\\\\127.0.0.3\\x".to_owned(), Some("net.malformed_url")),
        ("///127.0.0.3/".to_owned(), Some("net.malformed_url")),
        ("file:///etc/hostname".to_owned(), Some("net.scheme")),
        ("gopher://127.0.0.3/".to_owned(), Some("net.scheme")),
        ("/go".to_owned(), Some("net.redirect_denied")),
    ] {
        location.lock().unwrap().clone_from(&to);
        let fetched = client.fetch(FetchRequest::get(&format!("http://a.example:{port}/go"))).await;
        let got = fetched.as_ref().err().map(doorward_net::FetchError::code);
        assert_eq!(got.as_deref(), code, "{to}");
    }
    // The name is public for the first request and internal for the second.
    location.lock().unwrap().clone_from(&format!("http://flip.example:{port}/ok"));
    let flip = client.fetch(FetchRequest::get(&format!("http://flip.example:{port}/go"))).await;
    assert_eq!(flip.unwrap_err().code(), "net.address_denied");
    assert_eq!(internal.hits(), 0);
    assert!(server.hits() > 20);
}

#[tokio::test]
async fn headers_do_not_cross_origins_and_do_not_come_back() {
    let server = RecordingServer::start(PERMITTED, 0, move |request| {
        let host = request.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or("").to_owned();
        let port = host.rsplit(':').next().unwrap_or("").to_owned();
        let path = request.split(' ').nth(1).unwrap_or("").to_owned();
        match path.as_str() {
            "/1" => response("302 Found", &format!("Location: http://b.example:{port}/2\r\n"), ""),
            "/2" => {
                response("307 Temporary Redirect", &format!("Location: http://a.example:{port}/3\r\n"), "")
            }
            _ => response("200 OK", "", "done"),
        }
    })
    .await;
    let port = server.address.port();
    let entries = entries(port);
    let client = client(&borrowed(&entries), ScriptedResolver::permitted(&["a.example", "b.example"]));
    let headers =
        [("Authorization", "Bearer x"), ("X-Api-Key", "y"), ("Cookie", "z"), ("Accept", "text/plain")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let request =
        FetchRequest { headers: headers.clone(), ..FetchRequest::get(&format!("http://a.example:{port}/1")) };
    let answer = client.fetch(request).await.unwrap();
    assert_eq!((answer.status, answer.body.as_slice(), answer.hops.len()), (200, &b"done"[..], 3));
    tokio::time::sleep(Duration::from_millis(300)).await;
    for seen in server.seen() {
        let first = seen.starts_with("GET /1");
        for name in ["authorization", "x-api-key", "cookie"] {
            assert_eq!(seen.contains(name), first, "{seen}");
        }
        let host = if seen.starts_with("GET /2") { "b.example" } else { "a.example" };
        assert!(
            seen.contains("accept: text/plain") && seen.contains(&format!("host: {host}:{port}")),
            "{seen}"
        );
    }
    for name in ["Host", "Proxy-Authorization", "Transfer-Encoding", "Connection"] {
        let request = FetchRequest {
            headers: vec![(name.to_owned(), "x".to_owned())],
            ..FetchRequest::get(&format!("http://a.example:{port}/3"))
        };
        assert_eq!(client.fetch(request).await.unwrap_err().code(), "net.invalid_request", "{name}");
    }
}

#[tokio::test]
async fn limits_hold() {
    let server = RecordingServer::start(PERMITTED, 0, |request| {
        let length = if request.contains("/big") { 20_000 } else { 9_000 };
        response("200 OK", "", &"x".repeat(length))
    })
    .await;
    let silent = TcpListener::bind((PERMITTED, 0)).await.unwrap();
    let ports = (server.address.port(), silent.local_addr().unwrap().port());
    let allowed = [format!("a.example:{}=127.0.0.2", ports.0), format!("a.example:{}=127.0.0.2", ports.1)];
    let client = client(&borrowed(&allowed), ScriptedResolver::permitted(&["a.example"]));
    for (url, code) in [
        (format!("http://a.example:{}/small", ports.0), None),
        (format!("http://a.example:{}/big", ports.0), Some("net.too_large")),
        (format!("http://a.example:{}/silent", ports.1), Some("net.timeout")),
    ] {
        // Only the silent server gets a time limit of one second.
        let total = Duration::from_secs(if code == Some("net.timeout") { 1 } else { 90 });
        let limits = ClientLimits { total, connect: Duration::from_secs(60), body: 10_000 };
        let client = client.clone().with_limits(limits);
        let got = client.fetch(FetchRequest::get(&url)).await.err().map(|error| error.code());
        assert_eq!(got.as_deref(), code, "{url}");
    }
    let hanging =
        Arc::new(ScriptedResolver { delay: Duration::from_secs(3600), ..ScriptedResolver::default() });
    let client = client.with_resolver(hanging.clone());
    let error = client.fetch(FetchRequest::get(&format!("http://a.example:{}/", ports.0))).await.unwrap_err();
    assert_eq!((error.code().as_str(), hanging.calls.load(SeqCst)), ("net.dns_failed", 1));
}

/// TLS uses the URL's name, and a redirect from https to http is refused.
#[tokio::test]
async fn tls_in_the_hosts_own_name() {
    let key = rcgen::generate_simple_self_signed(vec!["a.example".to_owned()]).unwrap();
    let root = key.cert.der().clone();
    let private = rustls::pki_types::PrivatePkcs8KeyDer::from(key.signing_key.serialize_der());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![root.clone()], private.into())
        .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind((PERMITTED, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let names = Arc::new(Mutex::new(vec![]));
    let seen = names.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut tls) = acceptor.accept(stream).await else { continue };
            seen.lock().unwrap().push(tls.get_ref().1.server_name().map(str::to_owned));
            let mut buffer = [0; 4096];
            let read = tls.read(&mut buffer).await.unwrap_or(0);
            let answer = if buffer[..read].starts_with(b"GET /down") {
                response("302 Found", &format!("Location: http://a.example:{port}/\r\n"), "")
            } else {
                response("200 OK", "", "secure")
            };
            let _ = tls.write_all(answer.as_bytes()).await;
            let _ = tls.shutdown().await;
        }
    });
    let entries = entries(port);
    let client = client(&borrowed(&entries), ScriptedResolver::permitted(&["a.example", "b.example"]))
        .with_tls(Tls::with_roots(vec![root]).unwrap());
    let fetch = async |url: String| client.fetch(FetchRequest::get(&url)).await;
    assert_eq!(fetch(format!("https://a.example:{port}/")).await.unwrap().body, b"secure");
    assert_eq!(
        fetch(format!("https://a.example:{port}/down")).await.unwrap_err().code(),
        "net.redirect_denied"
    );
    assert_eq!(fetch(format!("https://b.example:{port}/")).await.unwrap_err().code(), "net.unreachable");
    assert_eq!(names.lock().unwrap()[..2], [Some("a.example".to_owned()), Some("a.example".to_owned())]);
}

/// Answers, but late.
struct Late(Duration);

impl Resolver for Late {
    fn resolve<'a>(&'a self, _: &'a str) -> doorward_core::Boxed<'a, std::io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            tokio::time::sleep(self.0).await;
            Ok(vec![PERMITTED])
        })
    }
}

#[tokio::test]
async fn a_name_server_slower_than_dns_timeout_ms_is_given_up() {
    let server = RecordingServer::ok(PERMITTED, 0).await;
    let port = server.address.port();
    for (dns_timeout_ms, reached) in [(5_000, true), (100, false)] {
        let allowed_hosts = vec![format!("a.example:{port}=127.0.0.2")];
        let config = GuardConfig { allowed_hosts, dns_timeout_ms, ..GuardConfig::default() };
        let guard = Arc::new(LiveGuard::from_config(config));
        let client =
            GuardedClient::new(guard).unwrap().with_resolver(Arc::new(Late(Duration::from_millis(600))));
        let fetched = client.fetch(FetchRequest::get(&format!("http://a.example:{port}/"))).await;
        assert_eq!(fetched.is_ok(), reached, "{dns_timeout_ms} ms: {fetched:?}");
    }
}
