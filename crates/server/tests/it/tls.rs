//! TLS on the port: it is spoken, and nothing else; the link, the cookie and the headers say so.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use doorward::layers::Places;
use doorward::rooms::store::Store;
use doorward::{Door, Options};
use doorward_server::Tls;

const PATIENCE: Duration = Duration::from_secs(120);

fn talk(port: SocketAddr, root: &rcgen::Certificate, request: &str) -> String {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(root.der().clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "localhost".try_into().unwrap();
    let mut session = rustls::ClientConnection::new(Arc::new(config), name).unwrap();
    let mut tcp = TcpStream::connect(port).unwrap();
    tcp.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut stream = rustls::Stream::new(&mut session, &mut tcp);
    stream.write_all(request.as_bytes()).unwrap();
    let mut out = Vec::new();
    // The peer may close without saying so.
    let _ = stream.read_to_end(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

#[test]
fn the_port_speaks_tls_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    std::fs::create_dir_all(&state).unwrap();
    let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let tls = Tls { certificate: dir.path().join("own.pem"), key: dir.path().join("own.key") };
    std::fs::write(&tls.certificate, own.cert.pem()).unwrap();
    std::fs::write(&tls.key, own.signing_key.serialize_pem()).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let places = Places { user: Some(dir.path().join("doorward.toml")), admin: None };
    let options = Options { state: Some(state.clone()), ..Options::simulation(places) };
    let door = runtime.block_on(async {
        let store = Store::open_file(&state.join("doorward.db")).await.unwrap();
        let remembered = doorward::anchoring::Remembered::OfItsFolder;
        Door::open_with_store(options, store, remembered).await.unwrap()
    });
    let missing = Tls { key: dir.path().join("none.key"), ..tls.clone() };
    let refused = runtime.block_on(doorward_server::serve(
        Arc::clone(&door),
        doorward_server::Options {
            agents: None,
            socket: state.join("other.sock"),
            port: doorward_server::Port::Exactly(0),
            tls: Some(missing),
        },
        |_| {},
        std::future::ready(()),
    ));
    assert!(refused.is_err(), "a key that can't be read isn't served without");

    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let (tell, told) = std::sync::mpsc::channel();
    let options = doorward_server::Options {
        agents: None,
        socket: state.join("doorward.sock"),
        port: doorward_server::Port::Exactly(0),
        tls: Some(tls),
    };
    let serving = doorward_server::serve(
        Arc::clone(&door),
        options,
        move |address| tell.send(address.unwrap()).unwrap(),
        async move { drop(stopped.await) },
    );
    let served = runtime.spawn(async move { serving.await.unwrap() });
    let port: SocketAddr = told.recv_timeout(PATIENCE).unwrap();
    let base = format!("https://localhost:{}", port.port());
    let link = runtime
        .block_on(doorward_server::login_link(door.approvals().broker().unwrap(), &base, "ana", false))
        .unwrap();
    let code = link.split_once("#login=").unwrap().1;

    // One that says nothing holds up nobody.
    let silent = TcpStream::connect(port).unwrap();
    let host = format!("localhost:{}", port.port());
    let head = |line: &str, more: &str| {
        format!("{line} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{more}\r\n")
    };
    let page = talk(port, &own.cert, &head("GET /", ""));
    assert!(
        page.starts_with("HTTP/1.1 200") && page.to_lowercase().contains("strict-transport-security"),
        "{page}"
    );
    let body = format!("{{\"code\": \"{code}\"}}");
    let more =
        format!("origin: {base}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", body.len());
    let login = talk(port, &own.cert, &(head("POST /v1/login", &more) + &body));
    assert!(login.starts_with("HTTP/1.1 200") && login.contains("\"token\""), "{login}");
    // The same origin without TLS is another one.
    let plain = head("GET /healthz", &format!("origin: http://{host}\r\n"));
    assert!(talk(port, &own.cert, &plain).starts_with("HTTP/1.1 421"));
    let mut bare = TcpStream::connect(port).unwrap();
    bare.set_read_timeout(Some(PATIENCE)).unwrap();
    bare.write_all(head("GET /", "").as_bytes()).unwrap();
    let mut out = Vec::new();
    let _ = bare.read_to_end(&mut out);
    assert!(!String::from_utf8_lossy(&out).contains("HTTP/1.1 200"), "no HTTP without TLS");
    drop((silent, stop));
    runtime.block_on(async { tokio::time::timeout(PATIENCE, served).await.unwrap().unwrap() });
}
