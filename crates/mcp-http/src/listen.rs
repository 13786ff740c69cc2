//! The listening side: a loopback port that accepts requests from programs of this user only.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use doorward_core::Boxed;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderMap};
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::exchange::{Outflow, error, status};
use crate::{LONGEST, guard};

/// Most connections at once; further ones wait.
const CONNECTIONS: usize = 1_024;
/// How long a client may take for the head of a request, and for its body.
const HEAD: Duration = Duration::from_secs(30);
const BODY: Duration = Duration::from_secs(60);

/// A request with its body.
pub struct Asked {
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub text: String,
}

/// The part of the gateway that answers at one path.
pub trait Front: Send + Sync {
    /// A message of the client's.
    fn post(self: Arc<Self>, asked: Asked) -> Boxed<'static, Response<Outflow>>;

    /// The client opens a stream to listen on (GET).
    fn get(self: Arc<Self>, headers: HeaderMap) -> Boxed<'static, Response<Outflow>>;

    /// The client ends its session (DELETE).
    fn delete(self: Arc<Self>, headers: HeaderMap) -> Boxed<'static, Response<Outflow>>;

    /// A document about signing in (`/.well-known/…`). `path` is the path that was asked for, `endpoint` the path
    /// at which the client reaches this front.
    fn about(self: Arc<Self>, path: String, endpoint: String) -> Boxed<'static, Response<Outflow>>;

    /// Records a request that isn't a message.
    fn fault(&self, code: &str, why: &str);
}

/// A port that is bound.
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
}

impl Listening {
    /// Binds an address of this machine's loopback.
    ///
    /// # Errors
    /// The address isn't on the loopback, or can't be bound.
    pub async fn bind(address: SocketAddr) -> io::Result<Self> {
        if !address.ip().is_loopback() {
            let why = "the gateway listens on this machine's loopback only: 127.0.0.1 or [::1]";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// The address that is listened on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` resolves. Each front answers at its own path.
    pub async fn serve(self, fronts: HashMap<String, Arc<dyn Front>>, stop: impl Future<Output = ()>) {
        let fronts = Arc::new(fronts);
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        tokio::pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = &mut stop => return,
            };
            let Ok((stream, peer)) = accepted else {
                // Most likely out of file descriptors: wait until others are closed.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
            let (fronts, port) = (Arc::clone(&fronts), self.address.port());
            tokio::spawn(async move {
                connection(stream, peer, fronts, port).await;
                drop(place);
            });
        }
    }
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    fronts: Arc<HashMap<String, Arc<dyn Front>>>,
    port: u16,
) {
    let _ = stream.set_nodelay(true);
    let user = stream.local_addr().ok().and_then(|own| guard::user_of(peer, own));
    let own = rustix::process::getuid().as_raw();
    // If the kernel doesn't say who connects, the connection is refused.
    let is_known = user.is_some_and(|user| user == own || user == 0);
    let service = service_fn(move |request| {
        let fronts = Arc::clone(&fronts);
        async move {
            if !is_known {
                return Ok(error(
                    StatusCode::FORBIDDEN,
                    "null",
                    -32600,
                    "mcp.user: this gateway serves the user who started it; another user's program asked",
                ));
            }
            Ok::<_, Infallible>(answer(request, &fronts, port).await)
        }
    });
    let served = Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(256 << 10)
        .serve_connection(TokioIo::new(stream), service);
    // The client went away or broke the protocol; its front already knows of its open requests.
    let _ = served.await;
}

async fn answer(
    request: Request<Incoming>,
    fronts: &HashMap<String, Arc<dyn Front>>,
    port: u16,
) -> Response<Outflow> {
    let path = request.uri().path().to_owned();
    if let Err(why) = guard::check(request.headers(), port) {
        if let Some(front) = fronts.values().next() {
            front.fault("mcp.host", why);
        }
        return error(StatusCode::FORBIDDEN, "null", -32600, &format!("mcp.host: {why}"));
    }
    if let Some(rest) = path.strip_prefix("/.well-known/") {
        return about(rest, &path, request.method(), fronts).await;
    }
    let Some(front) = fronts.get(&path).map(Arc::clone) else {
        let known: Vec<&str> = fronts.keys().map(String::as_str).collect();
        let why = format!("mcp.path: nothing is at {path:?}; this gateway answers at {}", known.join(", "));
        return error(StatusCode::NOT_FOUND, "null", -32600, &why);
    };
    let (head, body) = request.into_parts();
    match head.method {
        Method::POST => match text_of(body, &head.headers).await {
            Ok(text) => front.post(Asked { headers: head.headers, text }).await,
            Err((code, name, why)) => {
                front.fault(name, &format!("from the client: {why}"));
                error(code, "null", -32700, &format!("{name}: {why}"))
            }
        },
        Method::GET => front.get(head.headers).await,
        Method::DELETE => front.delete(head.headers).await,
        _ => status(StatusCode::METHOD_NOT_ALLOWED),
    }
}

/// Answers a request for a document about signing in, by the front whose endpoint ends the path.
async fn about(
    rest: &str,
    path: &str,
    method: &Method,
    fronts: &HashMap<String, Arc<dyn Front>>,
) -> Response<Outflow> {
    let is_known = rest.starts_with("oauth-") || rest.starts_with("openid-");
    let of_path = fronts.iter().filter(|(endpoint, _)| path.ends_with(endpoint.as_str()));
    let longest = of_path.max_by_key(|(endpoint, _)| endpoint.len());
    // A request without the path of an endpoint is clear only if there is one front.
    let only = || fronts.iter().next().filter(|_| fronts.len() == 1);
    match longest.or_else(only) {
        Some((endpoint, front)) if is_known && method == Method::GET => {
            Arc::clone(front).about(path.to_owned(), endpoint.clone()).await
        }
        _ => status(StatusCode::NOT_FOUND),
    }
}

type Broken = (StatusCode, &'static str, String);

/// The body as text, within bounds.
async fn text_of(mut body: Incoming, headers: &HeaderMap) -> Result<String, Broken> {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !given.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
        let why = "a message comes with Content-Type: application/json".to_owned();
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "mcp.type", why));
    }
    let mut bytes = Vec::new();
    let reading = async {
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| (StatusCode::BAD_REQUEST, "mcp.body", error.to_string()))?;
            let Some(data) = frame.data_ref() else { continue };
            if bytes.len().saturating_add(data.len()) > LONGEST {
                let why = "a message of more than 16 MiB".to_owned();
                return Err((StatusCode::PAYLOAD_TOO_LARGE, "mcp.too_long", why));
            }
            bytes.extend_from_slice(data);
        }
        Ok(())
    };
    match timeout(BODY, reading).await {
        Ok(done) => done?,
        Err(_) => return Err((StatusCode::REQUEST_TIMEOUT, "mcp.slow", "the body took too long".to_owned())),
    }
    String::from_utf8(bytes).map_err(|error| {
        let why = format!("a message that isn't UTF-8 at byte {}", error.utf8_error().valid_up_to());
        (StatusCode::BAD_REQUEST, "mcp.utf8", why)
    })
}
