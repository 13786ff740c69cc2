//! `doorward mcp` over HTTP: a server at an address, a port that clients connect to, and the bridges between.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use doorward::rooms::core::Boxed;
use doorward::rooms::mcp::{Outlet, Pair, Relay, Side, Sink, Via};
use doorward::rooms::mcp_http::{
    Bridge, Front, Link, Links, Listening, Proxy, ServerKey, Sessions, Upstream,
};
use serde_json::json;
use tokio::process::ChildStdin;
use tokio::sync::Mutex;

use crate::mcp_server::{Started, checked_name};
use crate::output::Failure;
use crate::{mcp_stdio, serve};

/// How a server at an address is reached.
#[derive(Debug, Clone, Default, clap::Args)]
#[group(skip)]
pub(crate) struct UpstreamArgs {
    /// A header for this server only, with its value from an environment variable: `Authorization=VARIABLE`
    #[arg(long = "header-from", value_name = "HEADER=VARIABLE")]
    header_from: Vec<String>,
    /// A token for this server only, from an environment variable: sent as `Authorization: Bearer …`
    #[arg(long = "bearer-from", value_name = "VARIABLE")]
    bearer_from: Option<String>,
    /// Don't pin the server's TLS key; trust the system's certificate authorities alone
    #[arg(long)]
    any_key: bool,
    /// Speak to a server on another machine without TLS
    #[arg(long)]
    plain_http: bool,
    /// With --listen, the server is one of the oldest kind (HTTP with SSE, 2024-11-05); without --listen this is
    /// detected
    #[arg(long)]
    sse: bool,
}

impl UpstreamArgs {
    /// Whether any was given.
    pub(crate) fn is_given(&self) -> bool {
        !self.header_from.is_empty()
            || self.bearer_from.is_some()
            || self.any_key
            || self.plain_http
            || self.sse
    }

    /// Where the TLS key of the server at this address is kept; `None` where it isn't pinned.
    pub(crate) fn key_of(&self, url: &str) -> Option<Arc<ServerKey>> {
        let is_secured = url.trim_start().to_ascii_lowercase().starts_with("https:");
        (is_secured && !self.any_key).then(Arc::default)
    }

    fn upstream(&self, url: &str, key: Option<Arc<ServerKey>>) -> Result<Arc<Upstream>, Failure> {
        let mut own = Vec::new();
        for given in &self.header_from {
            let wrong = |why: &str| Failure::new("mcp.header", format!("--header-from {given}: {why}"));
            let (name, variable) = given.split_once('=').ok_or_else(|| wrong("write HEADER=VARIABLE"))?;
            let value =
                std::env::var(variable).map_err(|_| wrong("there is no such variable, or it is no text"))?;
            own.push((name.to_owned(), value));
        }
        if let Some(variable) = &self.bearer_from {
            let value = std::env::var(variable).map_err(|_| {
                let why = format!("--bearer-from {variable}: there is no such variable, or it is no text");
                Failure::new("mcp.header", why)
            })?;
            own.push(("Authorization".to_owned(), format!("Bearer {value}")));
        }
        let upstream = Upstream::of(url, self.plain_http, &own, key);
        upstream.map(Arc::new).map_err(|error| {
            let told = error.to_string();
            let (code, why) = told.split_once(": ").unwrap_or(("mcp.address", &told));
            Failure::new(code, why.to_owned())
        })
    }
}

/// What is behind a port.
pub(crate) enum Behind {
    /// A server at an address.
    Address(String, UpstreamArgs, Option<Arc<ServerKey>>),
    /// A server that is started for every session.
    Command(Vec<String>),
}

/// The server's name, from its address: the host, and the port on this machine.
pub(crate) fn name_of(url: &str) -> Result<String, Failure> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let is_own = ["localhost", "127.", "["].iter().any(|own| authority.starts_with(own));
    let host = if is_own { authority } else { authority.split(':').next().unwrap_or_default() };
    let host = ["mcp.", "www."].iter().find_map(|own| host.strip_prefix(own)).unwrap_or(host);
    let name: String =
        host.chars().map(|c| if c == ':' { '-' } else { c }).filter(|c| !matches!(c, '[' | ']')).collect();
    checked_name(&name)
        .map_err(|_| Failure::new("mcp.name", "give the server a name: doorward mcp --name NAME URL"))
}

/// What is pinned of a server itself.
#[derive(Clone)]
pub(crate) enum Identity {
    /// Its command with the digests of its files.
    Command(String),
    /// Its address, and the TLS key that it proved to hold.
    Address(String, Option<Arc<ServerKey>>),
}

impl Identity {
    /// As it is compared with what was approved. A server's key is known once it was spoken to, and its tools are never
    /// looked at before.
    pub(crate) fn now(&self) -> String {
        match self {
            Self::Command(identity) => identity.clone(),
            Self::Address(url, key) => identity_of(url, key.as_ref().and_then(|key| key.get())),
        }
    }
}

/// What is pinned of a server at an address: the address, without what may be a secret in it, and its TLS key.
fn identity_of(url: &str, key: Option<&str>) -> String {
    let address = url.split(['?', '#']).next().unwrap_or(url);
    let address = match (address.split_once("://"), address.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://{rest}"),
        _ => address.to_owned(),
    };
    let mut identity = json!({"url": address});
    if let (Some(key), Some(members)) = (key, identity.as_object_mut()) {
        members.insert("tls_key".to_owned(), json!(key));
    }
    serde_json::to_string_pretty(&identity).unwrap_or_default()
}

/// A client on our pipes before a server at an address.
pub(crate) async fn bridge(
    relay: &Arc<Relay>,
    url: &str,
    args: &UpstreamArgs,
    key: Option<Arc<ServerKey>>,
    name: &str,
) -> Result<i32, Failure> {
    let bridge = Bridge::new(args.upstream(url, key)?, Arc::clone(relay));
    let client: Arc<dyn Outlet> = Arc::new(Sink::new(mcp_stdio::output()));
    let via: Via = Arc::new(Pair { client, server: Arc::clone(&bridge) as Arc<dyn Outlet> });
    relay.listen(Some(Arc::clone(&via)));
    let mut reading = tokio::spawn(Arc::clone(relay).read_client(via, mcp_stdio::input()));
    let ended = tokio::select! {
        _ = &mut reading => Side::Client,
        () = bridge.gone() => Side::Server,
        () = serve::ended() => Side::Client,
    };
    relay.stop_questions().await;
    relay.withdraw_seals().await;
    relay.drained(std::time::Duration::from_secs(2)).await;
    bridge.close().await;
    relay.close(ended).await;
    if ended == Side::Server {
        anstream::eprintln!("doorward: the MCP server `{name}` ended before its client");
        return Ok(1);
    }
    Ok(0)
}

/// One server behind a port.
pub(crate) struct Served {
    /// Where it is found.
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) relay: Arc<Relay>,
    pub(crate) behind: Behind,
}

/// What answers for a server, and how it is ended.
enum Open {
    Proxy(Arc<Proxy>),
    Sessions(Arc<Sessions>),
}

/// Clients on a port.
pub(crate) async fn listen(address: SocketAddr, all: Vec<Served>) -> Result<i32, Failure> {
    let listening = Listening::bind(address)
        .await
        .map_err(|error| Failure::new("mcp.listen", format!("{address}: {error}")))?;
    let mut fronts: HashMap<String, Arc<dyn Front>> = HashMap::new();
    let mut open = Vec::new();
    for Served { path, name, relay, behind } in all {
        anstream::eprintln!("doorward: the MCP server `{name}` is at http://{}{path}", listening.address());
        let links: Arc<dyn Links> = match behind {
            Behind::Address(url, args, key) if !args.sse => {
                let proxy = Proxy::new(args.upstream(&url, key)?, relay);
                fronts.insert(path, Arc::clone(&proxy) as Arc<dyn Front>);
                open.push(Open::Proxy(proxy));
                continue;
            }
            Behind::Address(url, args, key) => Arc::new(Addressed { upstream: args.upstream(&url, key)? }),
            Behind::Command(command) => Arc::new(Children { command, name }),
        };
        let sessions = Sessions::new(relay, links);
        fronts.insert(path, Arc::clone(&sessions) as Arc<dyn Front>);
        open.push(Open::Sessions(sessions));
    }
    listening.serve(fronts, serve::ended()).await;
    for one in open {
        match one {
            Open::Proxy(proxy) => proxy.close().await,
            Open::Sessions(sessions) => sessions.close().await,
        }
    }
    Ok(0)
}

/// Sessions of a server at an address that isn't passed through as it is.
struct Addressed {
    upstream: Arc<Upstream>,
}

impl Links for Addressed {
    fn open(&self, relay: &Arc<Relay>) -> Boxed<'_, Result<Arc<dyn Link>, String>> {
        let bridge: Arc<dyn Link> = Bridge::new(Arc::clone(&self.upstream), Arc::clone(relay));
        Box::pin(std::future::ready(Ok(bridge)))
    }
}

/// A process for every session.
struct Children {
    command: Vec<String>,
    name: String,
}

struct Child {
    input: Sink<ChildStdin>,
    started: Mutex<Option<Started>>,
}

impl Links for Children {
    fn open(&self, relay: &Arc<Relay>) -> Boxed<'_, Result<Arc<dyn Link>, String>> {
        let relay = Arc::clone(relay);
        Box::pin(async move {
            let mut started = Started::of(&self.command).map_err(|failure| failure.told())?;
            let (input, output) = started.pipes().map_err(|failure| failure.told())?;
            let child = Arc::new(Child { input: Sink::new(input), started: Mutex::new(Some(started)) });
            let (ending, name) = (Arc::clone(&child), self.name.clone());
            tokio::spawn(async move {
                Arc::clone(&relay).read_server(None, output).await;
                relay.close(Side::Server).await;
                if let Some(mut started) = ending.started.lock().await.take() {
                    let status = started.end(false).await;
                    anstream::eprintln!(
                        "doorward: the MCP server `{name}` ended before its client ({status})"
                    );
                }
            });
            Ok(child as Arc<dyn Link>)
        })
    }
}

impl Outlet for Child {
    fn send<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(self.input.send(text))
    }
}

impl Link for Child {
    fn close(&self) -> Boxed<'_, ()> {
        Box::pin(async move {
            let started = self.started.lock().await.take();
            let _ = self.input.close().await;
            if let Some(mut started) = started {
                started.end(true).await;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_at_an_address_is_named_by_its_host() {
        let name = |url: &str| name_of(url).unwrap();
        assert_eq!(name("https://mcp.example.com/v1/mcp?key=x"), "example.com");
        assert_eq!(name("https://user:word@tools.example.com:8443/mcp"), "tools.example.com");
        assert_eq!(name("http://127.0.0.1:3001/mcp"), "127.0.0.1-3001");
        assert!(name_of("https:///").is_err());
    }

    #[test]
    fn what_is_pinned_of_an_address_holds_no_secret() {
        for url in ["https://example.com/mcp?key=hidden", "https://me:hidden@example.com/mcp"] {
            let identity = identity_of(url, Some("sha256:k"));
            assert!(!identity.contains("hidden") && identity.contains("example.com/mcp"), "{identity}");
            assert!(identity.contains("sha256:k") && identity != identity_of(url, Some("sha256:l")));
        }
    }
}
