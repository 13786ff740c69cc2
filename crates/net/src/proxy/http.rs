//! Plain HTTP: absolute-form requests, each judged, one per connection.
//!
//! Requests are written anew from what was parsed: our own request line, `Host` from the judged target, end-to-end
//! headers, one framing. Bytes after the message are dropped, so that no second request can be smuggled. Responses
//! are parsed with the same strictness.

use std::io;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

use super::SharedProxy;
use super::access::{AccessRequest, Caller, NotOpened};
use super::body::{BodyRelay, ByteDirection};
use super::credential::{ECHOED, Watch};
use super::head::{Framing, RequestHead, parse_request, parse_response, value, write_headers};
use super::record::AccessRecord;
use super::reply;
use super::session::{Meter, OVER_BUDGET};
use super::wire::{ByteStream, HeadError, Wire};
use crate::code::{Code, Refusal};
use crate::target::{Host, Scheme, Target, split_port};

/// A judged request ready to be sent.
pub(crate) struct Sending {
    pub(crate) target: Target,
    pub(crate) meter: Meter,
    pub(crate) record: AccessRecord,
    /// Inserted credentials that the response must not contain.
    pub(crate) watch: Option<Watch>,
}

impl SharedProxy {
    /// Serves an HTTP connection.
    pub(crate) async fn serve_http<S: ByteStream>(&self, mut wire: Wire<S>) {
        let head = match wire.take_head(self.limits.head, self.limits.head_time).await {
            Ok(head) => head,
            Err(HeadError::Gone) => return,
            Err(HeadError::TooLarge) => {
                let answer = reply::failure("431 Request Header Fields Too Large", "the head is too long");
                return reply::send_last(&mut wire, &answer).await;
            }
        };
        let head = match parse_request(&head) {
            Ok(head) => head,
            Err(why) => return reply::send_last(&mut wire, &reply::failure("400 Bad Request", why)).await,
        };
        let authorization = value(&head.headers, "proxy-authorization");
        let known = authorization.and_then(|value| self.sessions.authenticate_basic(value));
        let Some((session, command)) = known else {
            let refusal = self.refuse_stranger(&head.method, host_text(&head.uri)).await;
            return reply::send_last(&mut wire, &reply::refusal(&refusal, "", 0)).await;
        };
        let caller = Caller { session, command };
        if head.method == "CONNECT" {
            self.serve_connect(wire, &head, &caller).await;
        } else {
            self.serve_absolute(wire, head, &caller).await;
        }
    }

    async fn serve_absolute<S: ByteStream>(&self, mut wire: Wire<S>, mut head: RequestHead, caller: &Caller) {
        if head.uri.starts_with('/') || head.uri == "*" {
            let answer = reply::failure("400 Bad Request", "a proxy takes absolute URLs");
            return reply::send_last(&mut wire, &answer).await;
        }
        let judged = judged_text(&head).and_then(|target| {
            // Credentials are never inserted over plain http, so a placeholder here was misdirected.
            caller.session.vault.fill(&mut head, None)?;
            Ok(target)
        });
        let target = match judged {
            Ok(target) => target,
            Err(refusal) => {
                let host = host_text(&head.uri);
                let refusal = self.refuse_text(caller, &head.method, host, 0, refusal).await;
                return reply::send_last(&mut wire, &reply::refusal(&refusal, "", 0)).await;
            }
        };
        let (host, port) = (target.host.to_string(), target.port);
        let path = target.url().path().to_owned();
        let access = AccessRequest { caller, method: &head.method, path: Some(&path), target };
        match self.open(access).await {
            Ok(opened) => {
                let sending = Sending {
                    target: opened.target,
                    meter: opened.meter,
                    record: opened.record,
                    watch: None,
                };
                self.exchange(wire, head, opened.upstream, sending, caller).await;
            }
            Err(NotOpened::Refused(refusal)) => {
                reply::send_last(&mut wire, &reply::refusal(&refusal, &host, port)).await;
            }
            Err(NotOpened::Unreachable) => {
                reply::send_last(&mut wire, &reply::failure("502 Bad Gateway", "the host doesn't answer"))
                    .await;
            }
        }
    }

    /// Forwards one request and returns the response.
    pub(crate) async fn exchange<S: ByteStream, U: ByteStream>(
        &self,
        wire: Wire<S>,
        head: RequestHead,
        upstream: U,
        sending: Sending,
        caller: &Caller,
    ) {
        let Sending { target, meter, record, watch } = sending;
        let (mut from_child, mut to_child) = wire.split();
        let (mut from_server, mut to_server) = Wire::new(upstream).split();
        let relay = |way, watch| BodyRelay { meter: &meter, way, idle: self.limits.idle, watch };
        let upload = async {
            let mut out = format!(
                "{} {} HTTP/1.{}\r\nhost: {}\r\n",
                head.method,
                target.path_and_query(),
                head.minor,
                target.host_header()
            )
            .into_bytes();
            write_headers(&mut out, &head.headers, head.framing);
            meter.count(ByteDirection::Up, out.len())?;
            to_server.write_all(&out).await?;
            to_server.flush().await?;
            relay(ByteDirection::Up, None).body(&mut from_child, &mut to_server, head.framing).await
        };
        let mut begun = false;
        let down = relay(ByteDirection::Down, watch.as_ref());
        let download = self.respond(&mut from_server, &mut to_child, &down, &head, &mut begun);
        let ended = tokio::time::timeout(self.limits.total, async {
            tokio::pin!(upload, download);
            tokio::select! {
                answered = &mut download => answered,
                () = caller.session.ended() => Err(io::ErrorKind::ConnectionAborted.into()),
                sent = &mut upload => match sent {
                    Ok(()) => tokio::select! {
                        answered = &mut download => answered,
                        () = caller.session.ended() => Err(io::ErrorKind::ConnectionAborted.into()),
                    },
                    // The server may have answered early and closed the connection.
                    Err(error)
                        if matches!(
                            error.kind(),
                            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset
                        ) =>
                    {
                        download.await
                    }
                    Err(error) => Err(error),
                }
            }
        })
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        let (end, cut) = how_it_ended(&ended);
        if ended.is_err() && !begun {
            let answer = match cut {
                Some(code) => {
                    let refusal = Refusal::new(code, "the access was cut");
                    reply::refusal(&refusal, &target.host.to_string(), target.port)
                }
                None => reply::failure("502 Bad Gateway", "no valid answer"),
            };
            let _ = to_child.write_all(&answer).await;
        }
        let _ = to_child.shutdown().await;
        self.finish(meter, record, end, cut).await;
    }

    /// Forwards responses, interim ones included. `begun` is set once bytes went to the child.
    async fn respond<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
        &self,
        from: &mut Wire<R>,
        to: &mut W,
        relay: &BodyRelay<'_>,
        request: &RequestHead,
        begun: &mut bool,
    ) -> io::Result<()> {
        let invalid = || io::Error::from(io::ErrorKind::InvalidData);
        for _ in 0..8 {
            let head = from.take_head(self.limits.head, self.limits.idle).await.map_err(|_| invalid())?;
            let head = parse_response(&head, &request.method).map_err(|_| invalid())?;
            let switches = head.status == 101;
            if switches || (request.minor == 0 && head.framing == Framing::Chunked) {
                return Err(invalid());
            }
            let mut out =
                format!("HTTP/1.{} {} {}\r\n", request.minor, head.status, head.reason).into_bytes();
            write_response_headers(&mut out, &head.headers, head.framing, &request.method);
            if let Some(watch) = relay.watch {
                watch.look(&out)?;
            }
            relay.meter.count(ByteDirection::Down, out.len())?;
            *begun = true;
            to.write_all(&out).await?;
            if head.status >= 200 {
                return relay.body(from, to, head.framing).await;
            }
        }
        Err(invalid())
    }
}

/// How an access ended, and the code of the reason if it was cut off.
pub(crate) fn how_it_ended(ended: &io::Result<()>) -> (&'static str, Option<Code>) {
    match ended.as_ref().map_err(io::Error::kind) {
        Ok(()) => ("done", None),
        Err(OVER_BUDGET) => ("budget", Some(Code::BudgetExceeded)),
        Err(ECHOED) => ("secret_echoed", Some(Code::SecretMisdirected)),
        Err(io::ErrorKind::TimedOut) => ("timeout", None),
        Err(io::ErrorKind::ConnectionAborted) => ("session_closed", None),
        Err(_) => ("broken", None),
    }
}

/// A response to HEAD keeps its stated length.
fn write_response_headers(out: &mut Vec<u8>, headers: &super::head::Headers, framing: Framing, method: &str) {
    let told = value(headers, "content-length").and_then(|text| text.parse().ok());
    match (framing, told) {
        (Framing::Empty, Some(length)) if method == "HEAD" => {
            write_headers(out, headers, Framing::Length(length));
        }
        (Framing::Empty, Some(0)) => write_headers(out, headers, Framing::Length(0)),
        _ => write_headers(out, headers, framing),
    }
}

/// The target of an absolute-form request with a matching `Host`.
fn judged_text(head: &RequestHead) -> Result<Target, Refusal> {
    let target = Target::parse(&head.uri)?;
    if target.scheme != Scheme::Http {
        return Err(Refusal::new(Code::Scheme, "https goes through CONNECT"));
    }
    if head.method == "TRACE" {
        return Err(Refusal::new(Code::MethodDenied, "TRACE would echo what was sent"));
    }
    check_host(head, &target)?;
    Ok(target)
}

/// The host of a refused text, for the record: without credentials, path or query.
pub(crate) fn host_text(uri: &str) -> &str {
    let rest = uri.split_once("//").map_or(uri, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

/// Checks that `Host`, if present, is the judged host and port.
pub(crate) fn check_host(head: &RequestHead, target: &Target) -> Result<(), Refusal> {
    if !head.headers.iter().any(|(name, _)| name == "host") {
        return Ok(());
    }
    let mismatch = || Refusal::new(Code::HostMismatch, "Host isn't the host of the request");
    let text = value(&head.headers, "host").ok_or_else(mismatch)?;
    let (host, port) = split_port(text).map_err(|_| mismatch())?;
    let host = Host::parse(host).map_err(|_| mismatch())?;
    // CONNECT's Host often omits the port.
    let port_fits = match port {
        Some(port) => port == target.port,
        None => head.method == "CONNECT" || target.port == target.scheme.default_port(),
    };
    if host == target.host && port_fits { Ok(()) } else { Err(mismatch()) }
}
