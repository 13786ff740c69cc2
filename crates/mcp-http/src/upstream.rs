//! The connection to a server at one URL. Connections are reused; redirects aren't followed, cookies aren't sent,
//! and no other host is contacted.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use doorward_net::{Scheme, Target, Tls};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{Builder, SendRequest};
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::guard;

/// How long a connection with its TLS handshake may take.
const CONNECT: Duration = Duration::from_secs(10);
/// Limit on idle connections kept.
const MOST_KEPT: usize = 64;

/// Why an address can't be used for a server.
#[derive(Debug, thiserror::Error)]
pub enum BadAddress {
    /// It isn't an HTTP URL.
    #[error("mcp.address: {0}")]
    Address(String),
    /// Plain HTTP to another machine: anyone on the network path could read tokens and change tools.
    #[error(
        "mcp.plain_http: {0} is reached without TLS, so that anyone on the network path can read tokens and change \
         tools; use https, or give --plain-http if that network is yours alone"
    )]
    Plain(String),
    /// TLS can't be set up.
    #[error("mcp.tls: {0}")]
    Tls(#[from] std::io::Error),
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// The server never got the request.
    #[error("the server can't be reached: {0}")]
    NotSent(String),
    /// The server may have got the request.
    #[error("the server closed the connection before it answered: {0}")]
    Lost(String),
}

type Sender = SendRequest<Full<Bytes>>;

/// The TLS key that a server proved to hold on the first connection. Every later one must prove the same key: a
/// certificate for the server's name alone doesn't make another server the approved one.
#[derive(Debug, Default)]
pub struct ServerKey(OnceLock<String>);

impl ServerKey {
    /// The digest of the key; `None` before the first connection.
    #[must_use]
    pub fn get(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }

    fn check(&self, key: Option<String>) -> std::io::Result<()> {
        let key =
            key.ok_or_else(|| std::io::Error::other("mcp.tls_key: the server showed no certificate"))?;
        if *self.0.get_or_init(|| key.clone()) == key {
            return Ok(());
        }
        Err(std::io::Error::other(
            "mcp.tls_key: the server proved another TLS key than on the first connection of this gateway; start the \
             gateway again and look at the difference with `doorward mcp pins`",
        ))
    }
}

/// A server's address and the connections to it.
pub struct Upstream {
    target: Target,
    tls: Option<Tls>,
    /// Headers added by the gateway, such as a token from its environment.
    own: HeaderMap,
    kept: Mutex<Vec<Sender>>,
    /// Stores the server's key, if it is pinned.
    key: Option<Arc<ServerKey>>,
}

impl Upstream {
    /// A server at an address. `own` are headers sent only to this server. With `key`, every connection has to
    /// prove the same TLS key.
    pub fn of(
        url: &str,
        plain: bool,
        own: &[(String, String)],
        key: Option<Arc<ServerKey>>,
    ) -> Result<Self, BadAddress> {
        let bad = |why: String| BadAddress::Address(format!("{url}: {why}"));
        let target = Target::parse(url).map_err(|refusal| bad(refusal.to_string()))?;
        let tls = match target.scheme {
            Scheme::Https => Some(Tls::system()?),
            Scheme::Http if plain || is_loopback(&target) => None,
            Scheme::Http => return Err(BadAddress::Plain(target.host_header())),
        };
        let mut headers = HeaderMap::new();
        for (name, value) in own {
            let named = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| bad(format!("{name:?} isn't a valid header")))?;
            let mut value = HeaderValue::from_str(value)
                .map_err(|_| bad(format!("the value of {name} can't be sent")))?;
            value.set_sensitive(true);
            headers.insert(named, value);
        }
        Ok(Self { target, tls, own: headers, kept: Mutex::default(), key })
    }

    /// Its URL without the parts that may be secret (user, query).
    #[must_use]
    pub fn shown(&self) -> String {
        format!("{}://{}{}", self.target.scheme.as_str(), self.target.host_header(), self.target.url().path())
    }

    /// Path and query of its endpoint.
    #[must_use]
    pub fn path(&self) -> String {
        self.target.path_and_query()
    }

    /// Path of another URL on the same server; `None` for another server.
    #[must_use]
    pub fn path_of(&self, location: &str) -> Option<String> {
        let other = self.target.join(location).ok()?;
        (other.origin() == self.target.origin()).then(|| other.path_and_query())
    }

    /// The server's own origin, for the `Origin` header.
    #[must_use]
    pub fn origin(&self) -> Option<HeaderValue> {
        HeaderValue::from_str(&format!("{}://{}", self.target.scheme.as_str(), self.target.host_header()))
            .ok()
    }

    /// Sends a request. Redirects are returned as they are.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Response<Incoming>, Failed> {
        let not_sent = |error: &dyn std::fmt::Display| Failed::NotSent(error.to_string());
        let mut request =
            Request::builder().method(method).uri(path).body(Full::new(body)).map_err(|e| not_sent(&e))?;
        *request.headers_mut() = headers;
        let own = request.headers_mut();
        for (name, value) in &self.own {
            own.insert(name, value.clone());
        }
        own.insert(HOST, HeaderValue::from_str(&self.target.host_header()).map_err(|e| not_sent(&e))?);
        // Compressed events couldn't be judged one by one.
        own.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        while let Some(mut sender) = self.take_kept() {
            match sender.try_send_request(request).await {
                Ok(response) => {
                    self.keep(sender);
                    return Ok(response);
                }
                Err(mut failed) => match failed.take_message() {
                    // The server had closed this idle connection, so it didn't get the request.
                    Some(unsent) => request = unsent,
                    None => return Err(Failed::Lost(failed.into_error().to_string())),
                },
            }
        }
        let mut sender = match timeout(CONNECT, self.connect()).await {
            Ok(connected) => connected.map_err(|error| not_sent(&error))?,
            Err(_) => return Err(Failed::NotSent("it took too long".to_owned())),
        };
        match sender.try_send_request(request).await {
            Ok(response) => {
                self.keep(sender);
                Ok(response)
            }
            Err(mut failed) => match failed.take_message() {
                Some(_) => Err(Failed::NotSent(failed.into_error().to_string())),
                None => Err(Failed::Lost(failed.into_error().to_string())),
            },
        }
    }

    fn take_kept(&self) -> Option<Sender> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|sender| !sender.is_closed());
        let at = kept.iter().rposition(Sender::is_ready)?;
        Some(kept.swap_remove(at))
    }

    /// Keeps a connection for reuse; its answer may still be arriving.
    fn keep(&self, sender: Sender) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST_KEPT {
            kept.push(sender);
        }
    }

    async fn connect(&self) -> std::io::Result<Sender> {
        let host = self.target.host.in_authority();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let stream = TcpStream::connect((host, self.target.port)).await?;
        stream.set_nodelay(true)?;
        match &self.tls {
            Some(tls) => {
                let stream = tls.connect(&self.target.host, stream).await?;
                if let Some(pinned) = &self.key {
                    pinned.check(Tls::key_of(&stream))?;
                }
                speak(stream).await
            }
            None => speak(stream).await,
        }
    }
}

async fn speak<S>(stream: S) -> std::io::Result<Sender>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let shaken = Builder::new().max_buf_size(256 << 10).handshake(TokioIo::new(stream)).await;
    let (sender, connection) = shaken.map_err(std::io::Error::other)?;
    tokio::spawn(connection);
    Ok(sender)
}

fn is_loopback(target: &Target) -> bool {
    match &target.host {
        doorward_net::Host::Address(address) => address.is_loopback(),
        doorward_net::Host::Name(name) => name == "localhost",
    }
}

/// The kind of an answer, by its `Content-Type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Json,
    Events,
    Other,
}

pub(crate) fn kind_of(headers: &HeaderMap) -> Kind {
    match guard::media_type(headers).as_deref() {
        Some("application/json") => Kind::Json,
        Some("text/event-stream") => Kind::Events,
        _ => Kind::Other,
    }
}

/// Whether an answer is compressed, although `identity` was asked for.
pub(crate) fn is_packed(headers: &HeaderMap) -> bool {
    let is_identity = |coding: &HeaderValue| {
        coding.to_str().is_ok_and(|coding| coding.trim().eq_ignore_ascii_case("identity"))
    };
    !headers.get_all(CONTENT_ENCODING).iter().all(is_identity)
}
