//! SOCKS5 (RFC 1928) with user name and password (RFC 1929): CONNECT only, names resolved by the proxy.

use std::net::{Ipv4Addr, Ipv6Addr};

use tokio::time::Instant;

use super::SharedProxy;
use super::access::{AccessRequest, Caller, NotOpened};
use super::reply::send_last;
use super::tunnel::tunnel_target;
use super::wire::{ByteStream, Wire};
use crate::code::{Code, Refusal};

const VERSION: u8 = 5;
const USER_PASSWORD: u8 = 2;
const NO_METHOD: u8 = 0xff;
const CONNECT: u8 = 1;
const SUCCEEDED: u8 = 0;
const NOT_ALLOWED: u8 = 2;
const UNREACHABLE: u8 = 4;
const NO_SUCH_COMMAND: u8 = 7;
const NO_SUCH_ADDRESS: u8 = 8;

impl SharedProxy {
    /// Serves a connection whose first byte is 5.
    pub(crate) async fn serve_socks<S: ByteStream>(&self, mut wire: Wire<S>) {
        let deadline = Instant::now() + self.limits.head_time;
        let Some(caller) = self.socks_caller(&mut wire, deadline).await else { return };
        self.socks_request(wire, deadline, &caller).await;
    }

    async fn socks_caller<S: ByteStream>(&self, wire: &mut Wire<S>, deadline: Instant) -> Option<Caller> {
        let greeting = wire.take(2, deadline).await?;
        let methods = wire.take(usize::from(*greeting.get(1)?), deadline).await?;
        if !methods.contains(&USER_PASSWORD) {
            drop(self.refuse_stranger("SOCKS5", "").await);
            send_last(wire, &[VERSION, NO_METHOD]).await;
            return None;
        }
        wire.send(&[VERSION, USER_PASSWORD]).await.ok()?;
        let start = wire.take(2, deadline).await?;
        let user = wire.take(usize::from(*start.get(1)?), deadline).await?;
        let length = wire.take(1, deadline).await?;
        let token = wire.take(usize::from(*length.first()?), deadline).await?;
        let known = match (String::from_utf8(user), String::from_utf8(token)) {
            (Ok(user), Ok(token)) if start.first() == Some(&1) => self.sessions.authenticate(&user, &token),
            _ => None,
        };
        let Some((session, command)) = known else {
            drop(self.refuse_stranger("SOCKS5", "").await);
            send_last(wire, &[1, 1]).await;
            return None;
        };
        wire.send(&[1, 0]).await.ok()?;
        Some(Caller { session, command })
    }

    async fn socks_request<S: ByteStream>(&self, mut wire: Wire<S>, deadline: Instant, caller: &Caller) {
        let Some((command, destination)) = read_request(&mut wire, deadline).await else { return };
        let Some((host, port)) = destination else {
            return send_last(&mut wire, &answer(NO_SUCH_ADDRESS)).await;
        };
        if command != CONNECT {
            let refusal = Refusal::new(Code::MethodDenied, "SOCKS5 connects; it doesn't bind or relay UDP");
            let _ = self.refuse_text(caller, "SOCKS5", &host, port, refusal).await;
            return send_last(&mut wire, &answer(NO_SUCH_COMMAND)).await;
        }
        let target = match tunnel_target(&host, port) {
            Ok(target) => target,
            Err(refusal) => {
                let _ = self.refuse_text(caller, "SOCKS5", &host, port, refusal).await;
                return send_last(&mut wire, &answer(NOT_ALLOWED)).await;
            }
        };
        match self.open(AccessRequest { caller, method: "SOCKS5", path: None, target }).await {
            Ok(opened) => {
                if wire.send(&answer(SUCCEEDED)).await.is_ok() {
                    self.tunnel(wire, opened, caller).await;
                } else {
                    self.finish(opened.meter, opened.record, "broken", None).await;
                }
            }
            Err(NotOpened::Refused(_)) => send_last(&mut wire, &answer(NOT_ALLOWED)).await,
            Err(NotOpened::Unreachable) => send_last(&mut wire, &answer(UNREACHABLE)).await,
        }
    }
}

/// Command, host and port; no destination if the address type is unknown.
async fn read_request<S: ByteStream>(
    wire: &mut Wire<S>,
    deadline: Instant,
) -> Option<(u8, Option<(String, u16)>)> {
    let head = wire.take(4, deadline).await?;
    let [VERSION, command, 0, kind] = head.as_slice() else { return None };
    let host = match kind {
        1 => {
            let octets: [u8; 4] = wire.take(4, deadline).await?.try_into().ok()?;
            Ipv4Addr::from(octets).to_string()
        }
        3 => {
            let length = wire.take(1, deadline).await?;
            String::from_utf8(wire.take(usize::from(*length.first()?), deadline).await?).ok()?
        }
        4 => {
            let octets: [u8; 16] = wire.take(16, deadline).await?.try_into().ok()?;
            format!("[{}]", Ipv6Addr::from(octets))
        }
        _ => return Some((*command, None)),
    };
    let port: [u8; 2] = wire.take(2, deadline).await?.try_into().ok()?;
    Some((*command, Some((host, u16::from_be_bytes(port)))))
}

/// A reply without bound address, which would reveal the proxy's address.
const fn answer(code: u8) -> [u8; 10] {
    [VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]
}
