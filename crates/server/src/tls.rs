//! TLS on the port. A connection is taken when its handshake is done; handshakes run beside each other, bounded in
//! number and time, so that one that never ends holds up nobody.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::api::Caller;
use crate::connections::{Book, Places, caller_of};
use crate::listen::ListenError;

/// Longest that a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Handshakes at a time.
const MOST: usize = 256;

/// Where the certificate is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tls {
    /// PEM file with the chain.
    pub certificate: PathBuf,
    /// PEM file with its private key.
    pub key: PathBuf,
}

impl Tls {
    /// Reads both files.
    pub(crate) fn config(&self) -> Result<Arc<ServerConfig>, ListenError> {
        let failed = |path: &Path, error: &dyn std::fmt::Display| ListenError::Listen {
            what: path.display().to_string(),
            source: io::Error::new(io::ErrorKind::InvalidData, error.to_string()),
        };
        let chain = CertificateDer::pem_file_iter(&self.certificate)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| failed(&self.certificate, &error))?;
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(|error| failed(&self.key, &error))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
            .map_err(|error| failed(&self.certificate, &error))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

/// Connections whose handshake is done.
pub(crate) struct Secured {
    done: mpsc::Receiver<(TlsStream<TcpStream>, Caller)>,
}

impl Secured {
    pub(crate) fn new(tcp: TcpListener, config: Arc<ServerConfig>) -> io::Result<Self> {
        let (tell, done) = mpsc::channel(MOST);
        tokio::spawn(shake_hands(tcp, TlsAcceptor::from(config), tell));
        Ok(Self { done })
    }
}

async fn shake_hands(
    tcp: TcpListener,
    acceptor: TlsAcceptor,
    tell: mpsc::Sender<(TlsStream<TcpStream>, Caller)>,
) {
    let book = Arc::new(Book::new(Places { all: MOST, each: MOST / 4, user: MOST / 4 }));
    loop {
        let accepted = tokio::select! {
            accepted = tcp.accept() => accepted,
            () = tell.closed() => return,
        };
        let Ok((stream, address)) = accepted else {
            // Out of descriptors, or the peer is gone already: what is open goes on.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let caller = caller_of(&stream, address);
        // Dropped where there is no place: the peer has too many handshakes under way.
        let Some(place) = book.place(caller) else { continue };
        let (acceptor, tell) = (acceptor.clone(), tell.clone());
        tokio::spawn(async move {
            let shaking = tokio::time::timeout(HANDSHAKE, acceptor.accept(stream));
            let shaken = tokio::select! {
                shaken = shaking => shaken,
                () = place.gives_way() => return,
            };
            if let Ok(Ok(stream)) = shaken {
                let _ = tell.send((stream, caller)).await;
            }
        });
    }
}

impl Secured {
    /// The next connection that shook hands.
    pub(crate) async fn accepted(&mut self) -> (TlsStream<TcpStream>, Caller) {
        match self.done.recv().await {
            Some(accepted) => accepted,
            None => std::future::pending().await,
        }
    }
}
