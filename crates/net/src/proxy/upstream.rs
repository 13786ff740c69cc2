//! An upstream proxy. Verdicts are made here: names are resolved and checked first, and by default the upstream
//! gets the checked address.
//!
//! With `upstream_resolves` it gets the name, resolves it again and may reach another address; records then say
//! `resolved_by: upstream`.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::config::ConfigError;
use crate::egress::EgressConfig;
use crate::guard::Dialable;
use crate::target::{Host, Target, split_port};

/// An upstream proxy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UpstreamProxy {
    host: Host,
    port: u16,
    resolves: bool,
}

/// Longest accepted answer to CONNECT in bytes.
const HEAD: usize = 16 << 10;

impl UpstreamProxy {
    /// The configured upstream.
    ///
    /// # Errors
    /// [`ConfigError`]: not `http://host:port`, or not explicitly allowed.
    pub(crate) fn of(config: &EgressConfig) -> Result<Option<Self>, ConfigError> {
        let Some(text) = &config.upstream else { return Ok(None) };
        let wrong = |why| ConfigError::new(text, why);
        if !config.allow_upstream_proxy {
            return Err(wrong(
                "an upstream proxy weakens the guard; say so with allow_upstream_proxy = true",
            ));
        }
        let authority = text.strip_prefix("http://").ok_or_else(|| wrong("write it as http://host:port"))?;
        let (host, port) = split_port(authority.strip_suffix('/').unwrap_or(authority))
            .map_err(|_| wrong("write it as http://host:port"))?;
        let host = Host::parse(host).map_err(|_| wrong("not a host"))?;
        let port = port.filter(|port| *port > 0).ok_or_else(|| wrong("an upstream proxy needs its port"))?;
        Ok(Some(Self { host, port, resolves: config.upstream_resolves }))
    }

    /// The party that resolves names for the connection.
    pub(crate) const fn resolved_by(&self) -> &'static str {
        if self.resolves { "upstream" } else { "local" }
    }

    /// Connects to a checked address through the upstream; returns the address used, if known.
    pub(crate) async fn dial(
        &self,
        target: &Target,
        dialable: &Dialable,
        limit: Duration,
    ) -> io::Result<(TcpStream, Option<SocketAddr>)> {
        let dial = async {
            if self.resolves {
                let authority = format!("{}:{}", target.host.in_authority(), target.port);
                return Ok((self.connect(&authority).await?, None));
            }
            let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
            for socket in dialable.sockets().iter().take(MOST_TRIES) {
                match self.connect(&socket.to_string()).await {
                    Ok(stream) => return Ok((stream, Some(*socket))),
                    Err(error) => last = error,
                }
            }
            Err(last)
        };
        timeout(limit, dial).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    async fn connect(&self, authority: &str) -> io::Result<TcpStream> {
        let mut stream = TcpStream::connect((self.host.to_string(), self.port)).await?;
        stream.set_nodelay(true)?;
        let head = format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n");
        stream.write_all(head.as_bytes()).await?;
        if is_accepted(&read_head(&mut stream).await?) {
            Ok(stream)
        } else {
            Err(io::ErrorKind::ConnectionRefused.into())
        }
    }
}

/// Reads byte by byte, because bytes after the head belong to the tunnel (ssh servers speak first).
async fn read_head(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() > HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
        head.push(stream.read_u8().await?);
    }
    Ok(head)
}

fn is_accepted(head: &[u8]) -> bool {
    head.starts_with(b"HTTP/1.1 200 ") || head.starts_with(b"HTTP/1.0 200 ")
}

const MOST_TRIES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upstream_is_vouched_for_or_an_error() {
        let of = |text: &str, vouched| {
            let config = EgressConfig {
                upstream: Some(text.to_owned()),
                allow_upstream_proxy: vouched,
                ..EgressConfig::default()
            };
            UpstreamProxy::of(&config)
        };
        for (text, vouched, fits) in [
            ("http://proxy.corp:3128", true, true),
            ("http://10.0.0.1:3128/", true, true),
            ("http://[::1]:3128", true, true),
            ("http://proxy.corp:3128", false, false),
            ("https://proxy.corp:3128", true, false),
            ("proxy.corp:3128", true, false),
            ("http://proxy.corp", true, false),
            ("http://u:p@proxy.corp:3128", true, false),
            ("http://proxy.corp:0", true, false),
        ] {
            assert_eq!(of(text, vouched).is_ok_and(|upstream| upstream.is_some()), fits, "{text} {vouched}");
        }
        assert_eq!(UpstreamProxy::of(&EgressConfig::default()), Ok(None));
    }
}
