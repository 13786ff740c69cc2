//! The listening side: a loopback port that accepts requests from programs of this user only.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use doorward_core::Boxed;
use doorward_mcp::relay::Process;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::header::{CONTENT_ENCODING, HeaderMap};
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::exchange::{Outflow, error, status};
use crate::owner::Owners;
use crate::{LONGEST, guard};

/// Limit on concurrent connections; further ones wait.
const CONNECTIONS: usize = 1_024;
/// Limit on concurrent refusals to other users' programs; beyond it connections are closed without an answer.
const REFUSALS: usize = 32;
/// How long a client may take for the head of a request, and for its body.
const HEAD: Duration = Duration::from_secs(30);
const BODY: Duration = Duration::from_secs(60);

/// A request with its body.
pub struct Asked {
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub text: String,
    /// The client's process.
    pub process: Option<Process>,
}

/// A handler for one path.
pub trait Front: Send + Sync {
    /// Handles a message from the client.
    fn post(self: Arc<Self>, asked: Asked) -> Boxed<'static, Response<Outflow>>;

    /// The client opens a stream to listen on (GET).
    fn get(
        self: Arc<Self>,
        headers: HeaderMap,
        process: Option<Process>,
    ) -> Boxed<'static, Response<Outflow>>;

    /// The client ends its session (DELETE).
    fn delete(
        self: Arc<Self>,
        headers: HeaderMap,
        process: Option<Process>,
    ) -> Boxed<'static, Response<Outflow>>;

    /// Serves a discovery document of authorization (`/.well-known/…`). `path` is the requested path, `endpoint`
    /// the path at which the client reaches this front.
    fn about(self: Arc<Self>, path: String, endpoint: String) -> Boxed<'static, Response<Outflow>>;

    /// Records a request that isn't a message.
    fn fault(&self, code: &str, why: &str);
}

/// A bound port.
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

    /// The bound address.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` resolves. Each front answers at its own path.
    pub async fn serve(self, fronts: HashMap<String, Arc<dyn Front>>, stop: impl Future<Output = ()>) {
        let fronts = Arc::new(fronts);
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let refusals = Arc::new(Semaphore::new(REFUSALS));
        let owners = Arc::<Owners>::default();
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
            // Asked before anything else is awaited: the kernel forgets the owner of a closed socket.
            let socket = guard::socket_of_own_user(&stream, peer);
            let place = if socket.is_some() {
                Arc::clone(&room).acquire_owned().await.ok()
            } else {
                Arc::clone(&refusals).try_acquire_owned().ok()
            };
            let Some(place) = place else { continue };
            let (fronts, port) = (Arc::clone(&fronts), self.address.port());
            let owners = Arc::clone(&owners);
            tokio::spawn(async move {
                match socket {
                    None => refuse(stream).await,
                    Some(socket) => {
                        let looked = tokio::task::spawn_blocking(move || owners.of(socket)).await;
                        connection(stream, looked.ok().flatten(), fronts, port).await;
                    }
                }
                drop(place);
            });
        }
    }
}

/// Answers every request of another user's program with the reason for the refusal.
async fn refuse(stream: TcpStream) {
    let why = "mcp.user: this gateway serves the user who started it; another user's program asked";
    let refused = service_fn(move |_: Request<Incoming>| async move {
        Ok::<_, Infallible>(error(StatusCode::FORBIDDEN, "null", -32600, why))
    });
    serve_one(stream, refused).await;
}

async fn connection(
    stream: TcpStream,
    process: Option<Process>,
    fronts: Arc<HashMap<String, Arc<dyn Front>>>,
    port: u16,
) {
    let service = service_fn(move |request| {
        let fronts = Arc::clone(&fronts);
        async move { Ok::<_, Infallible>(answer(request, process, &fronts, port).await) }
    });
    serve_one(stream, service).await;
}

async fn serve_one<S>(stream: TcpStream, service: S)
where
    S: hyper::service::HttpService<Incoming, ResBody = Outflow, Error = Infallible>,
{
    let _ = stream.set_nodelay(true);
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
    process: Option<Process>,
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
    if !is_plain(&path) {
        let why = format!(
            "mcp.path: {path:?} holds `..`, encoded characters or empty parts; write the path plainly"
        );
        return error(StatusCode::NOT_FOUND, "null", -32600, &why);
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
            Ok(text) => front.post(Asked { headers: head.headers, text, process }).await,
            Err((code, name, why)) => {
                front.fault(name, &format!("from the client: {why}"));
                error(code, "null", -32700, &format!("{name}: {why}"))
            }
        },
        Method::GET => front.get(head.headers, process).await,
        Method::DELETE => front.delete(head.headers, process).await,
        _ => status(StatusCode::METHOD_NOT_ALLOWED),
    }
}

/// Discovery documents of authorization below `/.well-known/`, alone or followed by the path of an endpoint.
const ABOUT: &[&str] = &["oauth-authorization-server", "oauth-protected-resource", "openid-configuration"];

/// Whether all servers interpret a path alike: no `.` or `..`, encoded characters, parameters or empty parts.
fn is_plain(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    path.strip_prefix('/').is_some_and(|path| {
        path.split('/')
            .all(|part| !part.is_empty() && !matches!(part, "." | "..") && part.bytes().all(is_plain))
    })
}

/// The endpoint that a discovery document is about: the path after the document's name. Without a path, the only
/// endpoint if there is just one. `None` for other paths.
fn endpoint_of<'a>(rest: &str, endpoints: &[&'a str]) -> Option<&'a str> {
    let suffix = ABOUT.iter().find_map(|name| rest.strip_prefix(name))?;
    match endpoints {
        [only] if suffix.is_empty() => Some(only),
        _ => endpoints.iter().copied().find(|endpoint| *endpoint == suffix),
    }
}

/// Answers a request for a discovery document.
async fn about(
    rest: &str,
    path: &str,
    method: &Method,
    fronts: &HashMap<String, Arc<dyn Front>>,
) -> Response<Outflow> {
    let endpoints: Vec<&str> = fronts.keys().map(String::as_str).collect();
    let endpoint = endpoint_of(rest, &endpoints).filter(|_| method == Method::GET);
    match endpoint.and_then(|endpoint| fronts.get_key_value(endpoint)) {
        Some((endpoint, front)) => Arc::clone(front).about(path.to_owned(), endpoint.clone()).await,
        None => status(StatusCode::NOT_FOUND),
    }
}

type Broken = (StatusCode, &'static str, String);

/// Reads the body as text, up to the limit.
async fn text_of(mut body: Incoming, headers: &HeaderMap) -> Result<String, Broken> {
    if guard::media_type(headers).as_deref() != Some("application/json") {
        let why = "a message comes with one Content-Type: application/json, in UTF-8".to_owned();
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "mcp.type", why));
    }
    if headers.contains_key(CONTENT_ENCODING) {
        let why = "a message comes without a Content-Encoding".to_owned();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_that_every_server_reads_alike_pass() {
        for path in ["/mcp", "/mcp/far", "/.well-known/oauth-protected-resource/mcp"] {
            assert!(is_plain(path), "{path}");
        }
        for path in [
            "",
            "*",
            "/",
            "//mcp",
            "/mcp/",
            "/mcp//x",
            "/./mcp",
            "/mcp/..",
            "/.well-known/oauth-x/../../admin/mcp",
            "/.well-known/oauth-x/%2e%2e/admin",
            "/.well-known/oauth-x/..%2fadmin",
            "/.well-known/oauth-x/..\\admin",
            "/.well-known/oauth-protected-resource;x/mcp",
        ] {
            assert!(!is_plain(path), "{path}");
        }
    }

    #[test]
    fn only_documents_about_signing_in_are_documents_about_signing_in() {
        let (one, two) = (["/mcp"], ["/mcp/far", "/mcp/near"]);
        for name in ABOUT {
            assert_eq!(endpoint_of(name, &one), Some("/mcp"));
            assert_eq!(endpoint_of(&format!("{name}/mcp"), &one), Some("/mcp"));
            assert_eq!(endpoint_of(&format!("{name}/mcp/near"), &two), Some("/mcp/near"));
            assert_eq!(endpoint_of(name, &two), None, "it isn't clear whose");
            for more in ["-x/mcp", "/x/mcp", "/mcp/x", "x", "/"] {
                assert_eq!(endpoint_of(&format!("{name}{more}"), &one), None, "{name}{more}");
            }
        }
        for other in ["oauth-x", "oauth-x/mcp", "openid-x", "security.txt", "", "x/oauth-protected-resource"]
        {
            assert_eq!(endpoint_of(other, &one), None, "{other}");
        }
    }
}
