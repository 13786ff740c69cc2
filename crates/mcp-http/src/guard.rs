//! Who may connect to the loopback port. A web page that uses DNS rebinding (its own name now resolves to 127.0.0.1)
//! sends its own name in `Host` and `Origin`. Another user of this machine has another user id.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{HOST, HeaderMap, ORIGIN};

/// Checks `Host` and, where there is one, `Origin` against the port that was bound.
///
/// # Errors
/// Why the request isn't taken.
pub(crate) fn check(headers: &HeaderMap, port: u16) -> Result<(), &'static str> {
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok()).ok_or("the header Host is missing")?;
    if hosts.next().is_some() || !is_own(host, port) {
        return Err("the header Host doesn't name this gateway");
    }
    let mut origins = headers.get_all(ORIGIN).iter();
    let Some(origin) = origins.next() else { return Ok(()) };
    let origin = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
    if origins.next().is_some() || !origin.is_some_and(|authority| is_own(authority, port)) {
        return Err("the header Origin doesn't name this gateway");
    }
    Ok(())
}

/// Whether an authority is this machine's loopback with our port.
fn is_own(authority: &str, port: u16) -> bool {
    let Some((host, given)) = authority.rsplit_once(':') else { return false };
    let is_port = !given.starts_with('0') && given.parse() == Ok(port);
    is_port && (host.eq_ignore_ascii_case("localhost") || matches!(host, "127.0.0.1" | "[::1]"))
}

/// The user whose process holds the other end of a loopback connection; `None` if the kernel doesn't say.
pub(crate) fn user_of(peer: SocketAddr, own: SocketAddr) -> Option<u32> {
    let table = match peer.ip() {
        IpAddr::V4(_) => "/proc/net/tcp",
        IpAddr::V6(_) => "/proc/net/tcp6",
    };
    let rows = std::fs::read_to_string(table).ok()?;
    user_in(&rows, &written(peer), &written(own))
}

/// Columns of a row: its number, the socket's own address, the other end's, state, two pairs of counters, user id.
fn user_in(rows: &str, local: &str, remote: &str) -> Option<u32> {
    rows.lines().skip(1).find_map(|row| {
        let columns: Vec<&str> = row.split_ascii_whitespace().collect();
        let ends = (columns.get(1).copied()?, columns.get(2).copied()?);
        (ends == (local, remote)).then(|| columns.get(7)?.parse().ok()).flatten()
    })
}

/// An address as the kernel's table writes it: words of four bytes in the machine's order.
fn written(address: SocketAddr) -> String {
    let bytes: Vec<u8> = match address.ip() {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    let word = |word: &[u8]| <[u8; 4]>::try_from(word).map_or(0, u32::from_ne_bytes);
    let words: String = bytes.chunks(4).map(|chunk| format!("{:08X}", word(chunk))).collect();
    format!("{words}:{:04X}", address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_with_our_own_port_pass() {
        let headers = |host: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, host.parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().unwrap());
            }
            check(&headers, 8_080)
        };
        for host in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST:8080"] {
            assert!(headers(host, None).is_ok(), "{host}");
            assert!(headers(host, Some(&format!("http://{host}"))).is_ok(), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:8080",
            "localhost",
            "localhost:80",
            "localhost:08080",
            "127.0.0.1.evil.example:8080",
            "127.0.0.2:8080",
            "0.0.0.0:8080",
            "user@localhost:8080",
            "localhost:8080:8080",
            "[::ffff:127.0.0.1]:8080",
            "",
        ] {
            assert!(headers(host, None).is_err(), "{host}");
        }
        for origin in [
            "null",
            "http://evil.example",
            "https://localhost:8080",
            "http://localhost:8080/",
            "http://localhost",
            "",
        ] {
            assert!(headers("localhost:8080", Some(origin)).is_err(), "{origin}");
        }
        let mut twice = HeaderMap::new();
        twice.append(HOST, "localhost:8080".parse().unwrap());
        twice.append(HOST, "evil.example".parse().unwrap());
        assert!(check(&twice, 8_080).is_err());
        assert!(check(&HeaderMap::new(), 8_080).is_err());
    }

    #[test]
    fn the_kernel_tells_whose_connection_it_is() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (accepted, peer) = listener.accept().unwrap();
        let own = rustix::process::getuid().as_raw();
        assert_eq!(user_of(peer, accepted.local_addr().unwrap()), Some(own));
        drop(client);
    }
}
