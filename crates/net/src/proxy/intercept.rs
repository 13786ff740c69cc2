//! Intercepts TLS to hosts that a credential is bound to, and to no others. Opt-in.
//!
//! The child gets a certificate of our own authority, which lives as long as this proxy; the server's certificate
//! is verified as usual. Inside, one request per connection is judged and written anew.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use rustls::ServerConfig;
use rustls::pki_types::PrivatePkcs8KeyDer;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::SharedProxy;
use super::access::{Caller, Opened};
use super::head::parse_request;
use super::http::Sending;
use super::reply;
use super::wire::{ByteStream, Wire};
use crate::code::{Code, Refusal};
use crate::target::Scheme;
use crate::tls::Tls;

/// A certificate authority that lives as long as the proxy, and the TLS client for servers.
pub struct Interceptor {
    issuer: Issuer<'static, KeyPair>,
    ca_pem: String,
    leaves: Mutex<HashMap<String, Arc<ServerConfig>>>,
    tls: Tls,
}

impl Interceptor {
    /// Creates an authority. `tls` verifies the servers.
    ///
    /// # Errors
    /// If no key or certificate can be made.
    pub fn new(tls: Tls) -> io::Result<Self> {
        let mut params = CertificateParams::new(vec![]).map_err(io::Error::other)?;
        params.distinguished_name.push(DnType::CommonName, "Doorward egress");
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let ca_pem = params.self_signed(&key).map_err(io::Error::other)?.pem();
        Ok(Self { issuer: Issuer::new(params, key), ca_pem, leaves: Mutex::default(), tls })
    }

    /// The authority's certificate, which children must trust in addition to the system's.
    #[must_use]
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }

    fn leaf(&self, host: &str) -> io::Result<Arc<ServerConfig>> {
        let mut leaves = self.leaves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(leaf) = leaves.get(host) {
            return Ok(leaf.clone());
        }
        let mut params = CertificateParams::new(vec![host.to_owned()]).map_err(io::Error::other)?;
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let certificate = params.signed_by(&key, &self.issuer).map_err(io::Error::other)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
            )
            .map_err(io::Error::other)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let config = Arc::new(config);
        leaves.insert(host.to_owned(), config.clone());
        Ok(config)
    }
}

impl SharedProxy {
    /// Serves one request in a tunnel to a host with a bound credential.
    pub(crate) async fn intercept<S: ByteStream>(
        &self,
        wire: Wire<S>,
        opened: Opened,
        caller: &Caller,
        interceptor: &Interceptor,
    ) {
        let Opened { upstream, target: tunnel, meter, mut record, .. } = opened;
        let host = tunnel.host.to_string();
        let accepted = async {
            let acceptor = TlsAcceptor::from(interceptor.leaf(&host)?);
            timeout(self.limits.hello_time, acceptor.accept(wire))
                .await
                .map_err(|_| io::ErrorKind::TimedOut)?
        };
        let Ok(child) = accepted.await else {
            return self.finish(meter, record, "broken", None).await;
        };
        let mut child = Wire::new(child);
        let head = child.take_head(self.limits.head, self.limits.head_time).await;
        let head = head.ok().and_then(|bytes| parse_request(&bytes).ok());
        let judged =
            head.ok_or(Refusal::new(Code::MalformedUrl, "not an HTTP request")).and_then(|mut head| {
                let target = self.request_in_tunnel(&head, &tunnel, Scheme::Https, caller)?;
                let filled = caller.session.vault.fill(&mut head, Some((&tunnel.host, tunnel.port)))?;
                Ok((head, target, filled))
            });
        let (mut head, target, (names, watch)) = match judged {
            Ok(judged) => judged,
            Err(refusal) => {
                reply::send_last(&mut child, &reply::refusal(&refusal, &host, tunnel.port)).await;
                return self.finish(meter, record, "refused", Some(refusal.code)).await;
            }
        };
        record.swapped_secrets = names;
        // Responses must be uncompressed, so that a value in them is found.
        head.headers.retain(|(name, _)| name != "accept-encoding");
        let connected = timeout(self.limits.connect, interceptor.tls.connect(&tunnel.host, upstream)).await;
        match connected {
            Ok(Ok(upstream)) => {
                self.exchange(child, head, upstream, Sending { target, meter, record, watch }, caller).await;
            }
            _ => {
                let answer =
                    reply::failure("502 Bad Gateway", "the host's certificate or TLS can't be accepted");
                reply::send_last(&mut child, &answer).await;
                self.finish(meter, record, "broken", None).await;
            }
        }
    }
}
