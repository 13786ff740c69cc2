//! Access control of the loopback port. A web page that uses DNS rebinding (its own name now resolves to 127.0.0.1)
//! sends that name in `Host` and `Origin`. Another user of this machine has another user id.

use std::net::SocketAddr;

use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, ORIGIN};
use tokio::net::TcpStream;

use crate::socket;

/// Checks `Host` and, if present, `Origin` against the bound port.
///
/// # Errors
/// Why the request is refused.
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

/// The lower-case media type of a body, from exactly one Content-Type without parameters except `charset=utf-8`.
/// `None` for other headers, which readers interpret differently.
pub(crate) fn media_type(headers: &HeaderMap) -> Option<String> {
    let mut given = headers.get_all(CONTENT_TYPE).iter();
    let (Some(one), None) = (given.next(), given.next()) else { return None };
    let one = one.to_str().ok()?.to_ascii_lowercase();
    let (essence, parameter) = one.split_once(';').unwrap_or((&one, "charset=utf-8"));
    let is_utf8 = matches!(parameter.trim(), "charset=utf-8" | "charset=\"utf-8\"");
    is_utf8.then(|| essence.trim().to_owned())
}

/// The inode of the socket at the other end of a connection, if it belongs to this gateway's own user. An unknown
/// peer is refused, and so is root, unless the gateway runs as root.
pub(crate) fn socket_of_own_user(stream: &TcpStream, peer: SocketAddr) -> Option<u64> {
    let inode = rustix::fs::fstat(stream).ok().map(|stat| stat.st_ino);
    let (Ok(own), Some(inode)) = (stream.local_addr(), inode) else { return None };
    let found = socket::find(peer, own);
    // The client may have reset the connection, and another program may use its port by now. If our own socket is
    // still connected after the query, it was connected throughout, so the answer was about its peer.
    let is_open = socket::find(own, peer).is_some_and(|own| own.inode == inode);
    found.filter(|found| is_open && found.user == rustix::process::getuid().as_raw()).map(|found| found.inode)
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
    fn a_type_is_one_type_in_utf_8() {
        let of = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(CONTENT_TYPE, value.parse().unwrap());
            }
            media_type(&headers)
        };
        for value in
            ["application/json", "Application/JSON; Charset=UTF-8", "application/json;charset=\"utf-8\""]
        {
            assert_eq!(of(&[value]).as_deref(), Some("application/json"), "{value}");
        }
        for values in [
            &[][..],
            &["application/json", "application/json"],
            &["text/plain", "application/json"],
            &["application/json; charset=utf-7"],
            &["application/json; charset=utf-8; x=1"],
            &["application/json; boundary=x"],
            &["application/json;"],
        ] {
            assert_eq!(of(values), None, "{values:?}");
        }
        for value in ["text/plain; a=application/json", "x-text/event-stream", "application/json, text/plain"]
        {
            let kind = of(&[value]);
            assert!(!matches!(kind.as_deref(), Some("application/json" | "text/event-stream")), "{value}");
        }
    }

    /// A connection to our own port: the client's end, and the accepted end with the client's address.
    async fn pair(to: &str) -> (std::net::TcpStream, TcpStream, SocketAddr) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let client = std::net::TcpStream::connect(format!("{to}:{port}")).unwrap();
        let (accepted, peer) = listener.accept().await.unwrap();
        (client, accepted, peer)
    }

    #[tokio::test]
    async fn a_program_of_our_own_is_let_in_over_either_kind_of_socket() {
        for to in ["127.0.0.1", "[::ffff:127.0.0.1]"] {
            let (client, accepted, peer) = pair(to).await;
            assert!(socket_of_own_user(&accepted, peer).is_some(), "{to}");
            let user = socket::find(peer, accepted.local_addr().unwrap()).unwrap().user;
            assert_eq!(user, rustix::process::getuid().as_raw(), "{to}");
            drop(client);
        }
    }

    #[tokio::test]
    async fn a_socket_that_was_closed_belongs_to_nobody() {
        for to in ["127.0.0.1", "[::ffff:127.0.0.1]"] {
            let (client, accepted, peer) = pair(to).await;
            drop(client);
            assert!(socket_of_own_user(&accepted, peer).is_none(), "{to}");
            // The kernel doesn't tell a client that closed one direction from one that is gone.
            let (client, accepted, peer) = pair(to).await;
            client.shutdown(std::net::Shutdown::Write).unwrap();
            assert!(socket_of_own_user(&accepted, peer).is_none(), "{to}");
        }
        let (client, accepted, _) = pair("127.0.0.1").await;
        assert!(socket_of_own_user(&accepted, "127.0.0.1:1".parse().unwrap()).is_none(), "nobody is there");
        drop(client);
    }
}
