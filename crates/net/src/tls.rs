//! TLS to servers: the system's roots, the canonical host name, HTTP/1.1.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use doorward_core::id::Digest;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::target::Host;

/// A TLS client.
#[derive(Clone)]
pub struct Tls {
    config: Arc<ClientConfig>,
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tls")
    }
}

impl Tls {
    /// Uses the system's certificate authorities.
    ///
    /// # Errors
    /// If TLS can't be set up. Missing authorities aren't an error: every handshake then fails.
    pub fn system() -> io::Result<Self> {
        Self::with_roots(rustls_native_certs::load_native_certs().certs)
    }

    /// Uses only these certificate authorities.
    ///
    /// # Errors
    /// If TLS can't be set up.
    pub fn with_roots(roots: Vec<CertificateDer<'static>>) -> io::Result<Self> {
        let mut store = RootCertStore::empty();
        store.add_parsable_certificates(roots);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_root_certificates(store)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { config: Arc::new(config) })
    }

    /// The SHA-256 digest of the server certificate's public key (the `SubjectPublicKeyInfo` of RFC 5280), which
    /// the server proved to hold. It stays the same if a certificate is renewed with the same key.
    #[must_use]
    pub fn key_of(stream: &TlsStream<TcpStream>) -> Option<String> {
        let certificate = stream.get_ref().1.peer_certificates()?.first()?;
        let parsed = ParsedCertificate::try_from(certificate).ok()?;
        Some(Digest::of(parsed.subject_public_key_info().as_ref()).into_string())
    }

    /// Performs the handshake for `host`: SNI and certificate name are the canonical host.
    ///
    /// # Errors
    /// If the handshake fails.
    pub async fn connect(&self, host: &Host, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let name = match host {
            Host::Name(name) => ServerName::try_from(name.clone()).map_err(io::Error::other)?,
            Host::Address(IpAddr::V6(address)) => {
                ServerName::from(crate::target::unmapped(IpAddr::V6(*address)))
            }
            Host::Address(address) => ServerName::from(*address),
        };
        TlsConnector::from(self.config.clone()).connect(name, stream).await
    }
}
