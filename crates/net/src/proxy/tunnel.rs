//! Tunnels, by CONNECT or SOCKS5. The ClientHello must name the tunnel's host.
//!
//! TLS in the name of another host than the tunnel's is domain fronting (ATT&CK T1090.004). The first bytes are
//! checked before any of them is forwarded. Bytes that aren't TLS pass only if a rule permits it, or as one HTTP
//! request, which is judged and written anew.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout_at};

use super::SharedProxy;
use super::access::{AccessRequest, Caller, NotOpened, Opened};
use super::body::ByteDirection;
use super::head::{RequestHead, parse_request};
use super::hello::{self, Hello};
use super::http::{Sending, check_host, host_text, how_it_ended};
use super::reply;
use super::rules::{RuleRequest, Said};
use super::session::Meter;
use super::wire::{ByteStream, Wire};
use crate::code::{Code, Refusal};
use crate::target::{Host, Scheme, Target, split_port};

const ESTABLISHED: &[u8] = b"HTTP/1.1 200 Connection established\r\n\r\n";

impl SharedProxy {
    pub(crate) async fn serve_connect<S: ByteStream>(
        &self,
        mut wire: Wire<S>,
        head: &RequestHead,
        caller: &Caller,
    ) {
        let target = match connect_target(head) {
            Ok(target) => target,
            Err(refusal) => {
                let host = host_text(&head.uri);
                let refusal = self.refuse_text(caller, "CONNECT", host, 0, refusal).await;
                return reply::send_last(&mut wire, &reply::refusal(&refusal, "", 0)).await;
            }
        };
        let (host, port) = (target.host.to_string(), target.port);
        let access = AccessRequest { caller, method: "CONNECT", path: None, target };
        match self.open(access).await {
            Ok(opened) => {
                if wire.send(ESTABLISHED).await.is_ok() {
                    self.tunnel(wire, opened, caller).await;
                } else {
                    self.finish(opened.meter, opened.record, "broken", None).await;
                }
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

    /// Runs an open tunnel to its end.
    pub(crate) async fn tunnel<S: ByteStream>(&self, mut wire: Wire<S>, mut opened: Opened, caller: &Caller) {
        if !opened.opaque {
            let first = self.first_bytes(&mut wire).await;
            opened.record.sni = match &first {
                Hello::Tls(name) => name.clone(),
                _ => None,
            };
            let fits = match &first {
                Hello::Tls(name) => names_target(name.as_deref(), &opened.target),
                Hello::NotTls if looks_like_http(wire.buffered()) => {
                    return self.plain_in_tunnel(wire, opened, caller).await;
                }
                _ => false,
            };
            if !fits {
                let Opened { meter, record, .. } = opened;
                return self.finish(meter, record, "refused", Some(Code::SniMismatch)).await;
            }
        }
        #[cfg(feature = "intercept")]
        if let Some(interceptor) = self.intercept.clone()
            && !opened.opaque
            && caller.session.vault.binds(&opened.target.host, opened.target.port)
        {
            return self.intercept(wire, opened, caller, &interceptor).await;
        }
        let Opened { upstream, meter, record, .. } = opened;
        let ended = self.relay(wire, upstream, &meter, caller).await;
        let (end, cut) = how_it_ended(&ended);
        self.finish(meter, record, end, cut).await;
    }

    async fn first_bytes<S: ByteStream>(&self, wire: &mut Wire<S>) -> Hello {
        let deadline = Instant::now() + self.limits.hello_time;
        loop {
            let read = hello::read(wire.buffered());
            if read != Hello::Incomplete {
                return read;
            }
            let more = timeout_at(deadline, wire.fill()).await;
            if wire.buffered().len() > hello::MAX_HELLO || !matches!(more, Ok(Ok(1..))) {
                return Hello::Malformed;
            }
        }
    }

    /// One HTTP request inside a tunnel (Node tunnels http too), judged as if it had come in absolute form.
    async fn plain_in_tunnel<S: ByteStream>(&self, mut wire: Wire<S>, opened: Opened, caller: &Caller) {
        let head = wire.take_head(self.limits.head, self.limits.head_time).await;
        let head = head.ok().and_then(|bytes| parse_request(&bytes).ok());
        let judged =
            head.ok_or(Refusal::new(Code::SniMismatch, "neither TLS nor HTTP")).and_then(|mut head| {
                let target = self.request_in_tunnel(&head, &opened.target, Scheme::Http, caller)?;
                caller.session.vault.fill(&mut head, None)?;
                Ok((head, target))
            });
        match judged {
            Ok((head, target)) => {
                let sending = Sending { target, meter: opened.meter, record: opened.record, watch: None };
                self.exchange(wire, head, opened.upstream, sending, caller).await;
            }
            Err(refusal) => {
                let answer = reply::refusal(&refusal, &opened.target.host.to_string(), opened.target.port);
                reply::send_last(&mut wire, &answer).await;
                self.finish(opened.meter, opened.record, "refused", Some(refusal.code)).await;
            }
        }
    }

    pub(crate) fn request_in_tunnel(
        &self,
        head: &RequestHead,
        tunnel: &Target,
        scheme: Scheme,
        caller: &Caller,
    ) -> Result<Target, Refusal> {
        if !head.uri.starts_with('/') || matches!(head.method.as_str(), "CONNECT" | "TRACE") {
            return Err(Refusal::new(Code::MethodDenied, "not a request for a path"));
        }
        let authority = tunnel.host.in_authority();
        let text = format!("{}://{authority}:{}{}", scheme.as_str(), tunnel.port, head.uri);
        let target = Target::parse(&text)?;
        check_host(head, &target)?;
        let rules = self.rules_of(&caller.session);
        let request = Some((head.method.as_str(), target.url().path()));
        match rules.judge(RuleRequest { target: &target, request, roles: &caller.session.spec.roles }) {
            Said::Deny(refusal) => Err(refusal),
            // The person was already asked about the tunnel.
            Said::Allow { .. } | Said::Ask { .. } => Ok(target),
        }
    }

    async fn relay<S: ByteStream>(
        &self,
        mut wire: Wire<S>,
        upstream: TcpStream,
        meter: &Meter,
        caller: &Caller,
    ) -> io::Result<()> {
        let early = wire.drain();
        let (child_reads, child_writes) = tokio::io::split(wire.stream);
        let (server_reads, mut server_writes) = upstream.into_split();
        let activity = AtomicU64::new(0);
        let up = async {
            if !early.is_empty() {
                meter.flow(ByteDirection::Up, early.len()).await?;
                server_writes.write_all(&early).await?;
            }
            pump(child_reads, server_writes, meter, ByteDirection::Up, &activity).await
        };
        let down = pump(server_reads, child_writes, meter, ByteDirection::Down, &activity);
        tokio::select! {
            ended = async { tokio::try_join!(up, down) } => ended.map(|_| ()),
            () = caller.session.ended() => Err(io::ErrorKind::ConnectionAborted.into()),
            () = quiet(&activity, self.limits.idle) => Err(io::ErrorKind::TimedOut.into()),
            () = sleep(self.limits.total) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

/// Buffer size per direction: least and most.
const LEAST: usize = 8 << 10;
const MOST: usize = 64 << 10;

/// Copies one direction and forwards its end, so that half-closed connections work.
async fn pump<R, W>(
    mut from: R,
    mut to: W,
    meter: &Meter,
    way: ByteDirection,
    activity: &AtomicU64,
) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut buffer = vec![0; LEAST];
    loop {
        let read = from.read(&mut buffer).await?;
        if read == 0 {
            return to.shutdown().await;
        }
        activity.fetch_add(1, Relaxed);
        meter.flow(way, read).await?;
        to.write_all(buffer.get(..read).unwrap_or_default()).await?;
        activity.fetch_add(1, Relaxed);
        // Busy tunnels get a larger buffer; idle ones give it back.
        if read == buffer.len() && read < MOST {
            buffer = vec![0; read * 2];
        } else if read < buffer.len() / 16 && buffer.len() > LEAST {
            buffer = vec![0; LEAST];
        }
    }
}

/// Resolves when neither direction had traffic for `idle`.
async fn quiet(activity: &AtomicU64, idle: Duration) {
    loop {
        let before = activity.load(Relaxed);
        sleep(idle).await;
        if activity.load(Relaxed) == before {
            return;
        }
    }
}

/// Whether the bytes can be the start of a request line.
fn looks_like_http(bytes: &[u8]) -> bool {
    let method: Vec<u8> = bytes.iter().copied().take_while(u8::is_ascii_uppercase).collect();
    (1..=16).contains(&method.len()) && matches!(bytes.get(method.len()), None | Some(b' '))
}

fn connect_target(head: &RequestHead) -> Result<Target, Refusal> {
    let malformed = |why| Refusal::new(Code::MalformedUrl, why);
    if head.framing != super::head::Framing::Empty {
        return Err(malformed("CONNECT has no body"));
    }
    if head.uri.contains('@') {
        return Err(Refusal::new(Code::Userinfo, "a user name in front of the host"));
    }
    let (host, port) = split_port(&head.uri)?;
    let port = port.ok_or(malformed("CONNECT names a port"))?;
    let target = tunnel_target(host, port)?;
    check_host(head, &target)?;
    Ok(target)
}

/// The target of a tunnel. Port 80 counts as http, all others as https.
pub(crate) fn tunnel_target(host: &str, port: u16) -> Result<Target, Refusal> {
    let scheme = if port == Scheme::Http.default_port() { Scheme::Http } else { Scheme::Https };
    Target::from_authority(scheme, host, port)
}

/// Whether the TLS server name is the tunnel's host. It may be missing only for addresses.
fn names_target(name: Option<&str>, target: &Target) -> bool {
    match name {
        Some(name) => Host::parse(name).is_ok_and(|host| host == target.host),
        None => matches!(target.host, Host::Address(_)),
    }
}
