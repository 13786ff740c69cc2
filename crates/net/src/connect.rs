//! Dials checked sockets only, never a name, alternating between the address families.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::guard::Dialable;

/// Time before the next address is tried in parallel (RFC 8305 section 5).
const HEAD_START: Duration = Duration::from_millis(250);
/// Limit on addresses tried.
const MAX_ATTEMPTS: usize = 8;

/// Connects to one of the checked sockets.
///
/// # Errors
/// The last attempt's error, or `TimedOut`.
pub async fn dial(dialable: &Dialable, limit: Duration) -> io::Result<TcpStream> {
    match timeout(limit, race(dialable.sockets())).await {
        Ok(connected) => connected,
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

async fn race(sockets: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut waiting = interleaved(sockets);
    let mut running = JoinSet::new();
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    loop {
        if let Some(socket) = waiting.pop_front() {
            running.spawn(attempt(socket));
        } else if running.is_empty() {
            return Err(last);
        }
        let next_in = if waiting.is_empty() { Duration::MAX } else { HEAD_START };
        tokio::select! {
            Some(done) = running.join_next() => match done {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => last = error,
                Err(_) => last = io::ErrorKind::Other.into(),
            },
            () = sleep(next_in) => {}
        }
    }
}

async fn attempt(socket: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(socket).await?;
    // A second safeguard: the address was already checked before dialling.
    if stream.peer_addr()? != socket {
        return Err(io::Error::other("connected elsewhere"));
    }
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Alternates IPv6 and IPv4, starting with the family of the first answer.
fn interleaved(sockets: &[SocketAddr]) -> VecDeque<SocketAddr> {
    let first_is_v6 = sockets.first().is_some_and(SocketAddr::is_ipv6);
    let (mut own, mut other): (VecDeque<SocketAddr>, VecDeque<SocketAddr>) =
        sockets.iter().partition(|socket| socket.is_ipv6() == first_is_v6);
    let mut order = VecDeque::new();
    while order.len() < MAX_ATTEMPTS && !(own.is_empty() && other.is_empty()) {
        order.extend(own.pop_front());
        order.extend(other.pop_front());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_take_turns() {
        let parse = |text: &str| text.parse::<SocketAddr>().unwrap();
        let order = interleaved(&["1.1.1.1:1", "2.2.2.2:1", "[2606::1]:1"].map(parse));
        assert_eq!(order, ["1.1.1.1:1", "[2606::1]:1", "2.2.2.2:1"].map(parse));
    }
}
