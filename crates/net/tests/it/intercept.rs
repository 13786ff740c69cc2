//! Credentials inserted by the proxy: the server gets the real value, the child never sees it.
#![cfg(feature = "intercept")]

use std::sync::{Arc, Mutex};

use crate::common::{Door, PERMITTED, ScriptedResolver, response};
use doorward_net::proxy::{Credential, Interceptor};
use doorward_net::{Host, Tls};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const VALUE: &str = "sk-live-0123456789abcdefghijABCDEFGHIJ";

#[tokio::test]
async fn the_child_never_sees_the_value() {
    let names = vec!["bound.example".to_owned(), "other.example".to_owned()];
    let key = rcgen::generate_simple_self_signed(names).unwrap();
    let root = key.cert.der().clone();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![root.clone()],
            PrivatePkcs8KeyDer::from(key.signing_key.serialize_der()).into(),
        )
        .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind((PERMITTED, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let seen = Arc::new(Mutex::new(vec![]));
    let kept = seen.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut tls) = acceptor.accept(stream).await else { continue };
            let mut buffer = [0; 8192];
            let read = tls.read(&mut buffer).await.unwrap_or(0);
            let text = String::from_utf8_lossy(&buffer[..read]).into_owned();
            let body = if text.starts_with("GET /echo") { text.clone() } else { "fine".to_owned() };
            kept.lock().unwrap().push(text);
            let _ = tls.write_all(response("200 OK", "", &body).as_bytes()).await;
            let _ = tls.shutdown().await;
        }
    });
    let rules =
        format!(r#"{{"allow": ["bound.example:{port}=127.0.0.2", "other.example:{port}=127.0.0.2"]}}"#);
    let interceptor = Arc::new(Interceptor::new(Tls::with_roots(vec![root.clone()]).unwrap()).unwrap());
    let own = CertificateDer::from_pem_slice(interceptor.ca_pem().as_bytes()).unwrap();
    let script = ScriptedResolver::permitted(&["bound.example", "other.example"]);
    let door = Door::with(&rules, script, |parts| parts.intercept = Some(interceptor)).await;
    let credential = Credential {
        name: "api".into(),
        value: VALUE.into(),
        hosts: vec![format!("bound.example:{port}")],
        headers: vec![],
    };
    let placeholder = door.proxy.bind_credential(&"s1".into(), credential).unwrap();
    let through_ours = Tls::with_roots(vec![own]).unwrap();
    let through_theirs = Tls::with_roots(vec![root]).unwrap();
    for (tls, host, path, header, expected) in [
        (&through_ours, "bound.example", "/x", "authorization: Bearer", "fine"),
        (&through_ours, "bound.example", "/x", "x-other:", "secret_misdirected"),
        (&through_ours, "bound.example", "/echo", "authorization: Bearer", ""),
        (&through_theirs, "other.example", "/x", "x-nothing:", "fine"),
    ] {
        let (answer, stream) = door.connect(&format!("{host}:{port}")).await;
        assert!(answer.contains(" 200 "), "{answer}");
        let mut tls = tls.connect(&Host::parse(host).unwrap(), stream).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n{header} {placeholder}\r\n\r\n");
        tls.write_all(request.as_bytes()).await.unwrap();
        let mut got = vec![];
        let _ = tls.read_to_end(&mut got).await;
        let got = String::from_utf8_lossy(&got).into_owned();
        assert!(got.contains(expected) && !got.contains(VALUE), "{host}{path} {header}: {got}");
    }
    let seen = seen.lock().unwrap().clone();
    assert!(seen[0].contains(&format!("authorization: Bearer {VALUE}\r\n")), "{}", seen[0]);
    assert!(seen.last().unwrap().contains(&placeholder), "other hosts stay opaque");
    let astray = door
        .raw(&format!(
            "GET http://other.example:{port}/?k={placeholder} HTTP/1.1\r\n\
            Host: other.example:{port}\r\n{{auth}}\r\n"
        ))
        .await;
    assert!(astray.contains("secret_misdirected"), "{astray}");
    let log = door.log.0.lock().unwrap();
    assert!(log.iter().any(|record| record.swapped_secrets == ["api"]));
    let kept = serde_json::to_string(&*log).unwrap();
    assert!(!kept.contains(VALUE) && !kept.contains(&placeholder), "{kept}");
}
