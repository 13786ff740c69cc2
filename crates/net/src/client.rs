//! The guarded client, used by `net:fetch` and `doorward fetch`.
//!
//! Every hop is judged, resolved once, checked completely, and dialled at a checked socket. The name isn't resolved
//! again and no connection is kept, so a check is never reused. No proxy from the environment, no cookies, no
//! automatic decompression. Time, hops, head and body are limited.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderName, HeaderValue};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;

use crate::code::{Code, Refusal};
use crate::connect::dial;
use crate::live::LiveGuard;
use crate::redirect::{self, Outgoing};
use crate::resolve::{Resolver, SystemResolver, lookup};
use crate::target::{Scheme, Target};
use crate::tls::Tls;

/// Limits of a fetch.
#[derive(Debug, Clone)]
pub struct ClientLimits {
    /// Time for the whole fetch, redirects included.
    pub total: Duration,
    /// Time for one connection attempt, TLS included.
    pub connect: Duration,
    /// Bytes of the body.
    pub body: usize,
}

impl Default for ClientLimits {
    fn default() -> Self {
        Self { total: Duration::from_secs(60), connect: Duration::from_secs(10), body: 16 << 20 }
    }
}

/// A request.
#[derive(Debug, Clone, Default)]
pub struct FetchRequest {
    /// Method; `GET` if empty.
    pub method: String,
    /// URL text as received.
    pub url: String,
    /// Headers.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: Vec<u8>,
}

impl FetchRequest {
    /// A plain GET.
    #[must_use]
    pub fn get(url: &str) -> Self {
        Self { url: url.to_owned(), ..Self::default() }
    }
}

/// One request that was sent.
#[derive(Debug, Clone)]
pub struct Hop {
    /// Its URL.
    pub url: String,
    /// Addresses that the name resolved to, for the ledger.
    pub resolved: Vec<IpAddr>,
    /// The dialled socket, for the ledger.
    pub dialed: Option<SocketAddr>,
    /// Status of the answer.
    pub status: u16,
}

/// A response.
#[derive(Debug, Clone)]
pub struct FetchResponse {
    /// Status.
    pub status: u16,
    /// Final URL.
    pub url: String,
    /// Headers, names in lower case. Values that aren't UTF-8 are read lossily.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: Vec<u8>,
    /// Every request, the last one included.
    pub hops: Vec<Hop>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The guard refused.
    #[error("{refusal}")]
    Refused {
        /// The refusal.
        refusal: Refusal,
        /// Host, if the text has one.
        host: String,
        /// Port.
        port: u16,
        /// Number of redirects followed before.
        after: usize,
    },
    /// The request can't be sent.
    #[error("invalid_request: {0}")]
    Invalid(&'static str),
    /// No connection or no answer.
    #[error("unreachable: {0}")]
    Unreachable(String),
    /// A time limit was exceeded.
    #[error("timeout: the answer took too long")]
    Timeout,
    /// The body exceeds the limit, in bytes.
    #[error("too_large: the body is longer than {0} bytes")]
    TooLarge(usize),
}

impl FetchError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> String {
        match self {
            Self::Refused { refusal, .. } => format!("net.{}", refusal.public_code()),
            Self::Invalid(_) => "net.invalid_request".to_owned(),
            Self::Unreachable(_) => "net.unreachable".to_owned(),
            Self::Timeout => "net.timeout".to_owned(),
            Self::TooLarge(_) => "net.too_large".to_owned(),
        }
    }
}

/// Headers the client sets itself, or that would change how the message is framed or routed.
const OWN_HEADERS: &[&str] =
    &["host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect"];

/// A client that reaches only what the guard permits.
#[derive(Clone)]
pub struct GuardedClient {
    guard: Arc<LiveGuard>,
    resolver: Arc<dyn Resolver>,
    tls: Tls,
    limits: ClientLimits,
}

impl GuardedClient {
    /// Uses the system's resolver and certificate authorities.
    ///
    /// # Errors
    /// If TLS can't be set up.
    pub fn new(guard: Arc<LiveGuard>) -> io::Result<Self> {
        let resolver = Arc::new(SystemResolver::default());
        Ok(Self { guard, resolver, tls: Tls::system()?, limits: ClientLimits::default() })
    }

    /// Sets another resolver.
    #[must_use]
    pub fn with_resolver(mut self, resolver: Arc<dyn Resolver>) -> Self {
        self.resolver = resolver;
        self
    }

    /// Sets other certificate authorities.
    #[must_use]
    pub fn with_tls(mut self, tls: Tls) -> Self {
        self.tls = tls;
        self
    }

    /// Sets other limits.
    #[must_use]
    pub const fn with_limits(mut self, limits: ClientLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Judges a URL and resolves its name without contacting the host: `doorward net check URL`.
    ///
    /// # Errors
    /// The [`Refusal`].
    pub async fn check(&self, url: &str) -> Result<Target, Refusal> {
        let guard = self.guard.load();
        let cleared = guard.judge_url(url)?;
        if guard.config().resolve_dns {
            lookup(&cleared, &*self.resolver, guard.dns_timeout()).await.map_err(|failed| failed.refusal)?;
        }
        Ok(cleared.target().clone())
    }

    /// Sends a request and follows redirects, each judged like the first.
    pub async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        timeout(self.limits.total, self.fetch_untimed(request)).await.map_err(|_| FetchError::Timeout)?
    }

    /// Like [`GuardedClient::fetch`], but passes the body to `hear` as it arrives, until it ends or `hear` stops
    /// it; for streams. The returned body is empty.
    pub async fn fetch_streamed(
        &self,
        request: FetchRequest,
        hear: &mut (dyn FnMut(&FetchResponse, &[u8]) -> ControlFlow<()> + Send),
    ) -> Result<FetchResponse, FetchError> {
        let streamed = async {
            let (head, mut body) = self.reach(request).await?;
            let mut read = 0_usize;
            while let Some(frame) = body.frame().await {
                let frame = frame.map_err(unreachable)?;
                let Some(data) = frame.data_ref() else { continue };
                read = read.saturating_add(data.len());
                if read > self.limits.body {
                    return Err(FetchError::TooLarge(self.limits.body));
                }
                if hear(&head, data).is_break() {
                    break;
                }
            }
            Ok(head)
        };
        timeout(self.limits.total, streamed).await.map_err(|_| FetchError::Timeout)?
    }

    async fn fetch_untimed(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        let (head, body) = self.reach(request).await?;
        Ok(FetchResponse { body: read_body(body, self.limits.body).await?, ..head })
    }

    /// Sends the request and follows redirects up to the last response's headers.
    async fn reach(&self, request: FetchRequest) -> Result<(FetchResponse, Incoming), FetchError> {
        let body = Bytes::from(request.body);
        let target = Target::parse(&request.url).map_err(|refusal| FetchError::Refused {
            refusal,
            host: String::new(),
            port: 0,
            after: 0,
        })?;
        let mut current = Outgoing {
            target,
            method: if request.method.is_empty() {
                "GET".into()
            } else {
                request.method.to_ascii_uppercase()
            },
            headers: checked_headers(request.headers)?,
            has_body: !body.is_empty(),
        };
        let mut hops = vec![];
        loop {
            let refused = |refusal: Refusal, at: &Target, after: usize| FetchError::Refused {
                refusal,
                host: at.host.to_string(),
                port: at.port,
                after,
            };
            let (hop, response) = self.send(&current, &body, hops.len()).await?;
            let status = hop.status;
            hops.push(hop);
            let location = response.headers().get(hyper::header::LOCATION);
            if let Some(location) = location.filter(|_| redirect::is_redirect(status)) {
                let guard = self.guard.load();
                if hops.len() > usize::try_from(guard.config().max_redirects).unwrap_or(usize::MAX) {
                    return Err(refused(redirect::too_many(), &current.target, hops.len() - 1));
                }
                let location = std::str::from_utf8(location.as_bytes()).map_err(|_| {
                    refused(
                        Refusal::new(Code::MalformedUrl, "Location isn't text"),
                        &current.target,
                        hops.len(),
                    )
                })?;
                let next = redirect::follow(&current, status, location);
                current = next.map_err(|refusal| refused(refusal, &current.target, hops.len()))?;
                continue;
            }
            let headers = response.headers().iter();
            let headers = headers
                .map(|(name, value)| {
                    (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
                })
                .collect();
            let url = current.target.url().to_string();
            let head = FetchResponse { status, url, headers, body: Vec::new(), hops };
            return Ok((head, response.into_body()));
        }
    }

    async fn send(
        &self,
        outgoing: &Outgoing,
        body: &Bytes,
        after: usize,
    ) -> Result<(Hop, hyper::Response<Incoming>), FetchError> {
        let target = &outgoing.target;
        let refused = |refusal| FetchError::Refused {
            refusal,
            host: target.host.to_string(),
            port: target.port,
            after,
        };
        let guard = self.guard.load();
        let cleared = guard.judge(target.clone()).map_err(refused)?;
        let resolved = lookup(&cleared, &*self.resolver, guard.dns_timeout())
            .await
            .map_err(|failed| refused(failed.refusal))?;
        let request = build(outgoing, body)?;
        let stream = dial(&resolved.dialable, self.limits.connect).await.map_err(unreachable)?;
        let dialed = stream.peer_addr().ok();
        let response = match target.scheme {
            Scheme::Http => exchange(stream, request).await?,
            Scheme::Https => {
                let shake = self.tls.connect(&target.host, stream);
                let stream = timeout(self.limits.connect, shake).await.map_err(|_| FetchError::Timeout)?;
                exchange(stream.map_err(unreachable)?, request).await?
            }
        };
        let hop = Hop {
            url: target.url().to_string(),
            resolved: resolved.answers,
            dialed,
            status: response.status().as_u16(),
        };
        Ok((hop, response))
    }
}

fn checked_headers(headers: Vec<(String, String)>) -> Result<Vec<(String, String)>, FetchError> {
    headers
        .into_iter()
        .map(|(name, value)| {
            let name = name.to_ascii_lowercase();
            if OWN_HEADERS.contains(&name.as_str()) || name.starts_with("proxy-") {
                return Err(FetchError::Invalid("a header that isn't the caller's to set"));
            }
            Ok((name, value))
        })
        .collect()
}

fn build(outgoing: &Outgoing, body: &Bytes) -> Result<hyper::Request<Full<Bytes>>, FetchError> {
    let target = &outgoing.target;
    let mut builder = hyper::Request::builder()
        .method(outgoing.method.as_str())
        .uri(target.path_and_query())
        .header(hyper::header::HOST, target.host_header());
    for (name, value) in &outgoing.headers {
        let name = HeaderName::from_bytes(name.as_bytes());
        let value = HeaderValue::from_str(value);
        let (Ok(name), Ok(value)) = (name, value) else {
            return Err(FetchError::Invalid("a header that can't be sent"));
        };
        builder = builder.header(name, value);
    }
    let body = if outgoing.has_body { body.clone() } else { Bytes::new() };
    builder.body(Full::new(body)).map_err(|_| FetchError::Invalid("a method or path that can't be sent"))
}

async fn exchange<S>(
    stream: S,
    request: hyper::Request<Full<Bytes>>,
) -> Result<hyper::Response<Incoming>, FetchError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (mut sender, connection) = hyper::client::conn::http1::Builder::new()
        .max_buf_size(64 << 10)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(unreachable)?;
    tokio::spawn(connection);
    sender.send_request(request).await.map_err(unreachable)
}

async fn read_body(mut body: Incoming, limit: usize) -> Result<Vec<u8>, FetchError> {
    let mut read = vec![];
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(unreachable)?;
        let Some(data) = frame.data_ref() else { continue };
        if read.len() + data.len() > limit {
            return Err(FetchError::TooLarge(limit));
        }
        read.extend_from_slice(data);
    }
    Ok(read)
}

/// Describes the error without the address.
fn unreachable(error: impl std::error::Error + 'static) -> FetchError {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(current) = source {
        if let Some(io) = current.downcast_ref::<io::Error>() {
            return FetchError::Unreachable(io.kind().to_string());
        }
        source = current.source();
    }
    FetchError::Unreachable("no valid answer".to_owned())
}
