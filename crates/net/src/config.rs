//! The guard's section of the configuration, and its patterns.
//!
//! A section that doesn't parse is an error that names the wrong entry; [`crate::Guard::closed`] then replaces the
//! guard. Grammar: `host[:port][=cidr]` where `host` is a name, `*.x` (subdomains), `**.x` (x and its subdomains),
//! `*` (any name) or an address in canonical spelling.

use std::net::IpAddr;

use ipnet::{IpNet, Ipv6Net};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::address::{NAT64_LENGTHS, NAT64_LOCAL};
use crate::names;
use crate::target::{Host, split_port};

/// `[net]`: reachable hosts. The camelCase names of the seed contract are accepted too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GuardConfig {
    /// Resolve names when a call is judged. Otherwise they are resolved and checked only at connection time.
    #[serde(alias = "resolveDns")]
    pub resolve_dns: bool,
    /// Only hosts in `allowed_hosts` may be reached. With an empty list, none.
    #[serde(alias = "allowedOnly")]
    pub allowed_only: bool,
    /// Exceptions: `host[:port][=cidr]`. An entry overrides the name rule, with a port the port rule, and the
    /// address rule for exactly its network.
    #[serde(alias = "allowedHosts")]
    pub allowed_hosts: Vec<String>,
    /// Names, addresses and networks that are always refused, each with an optional port.
    #[serde(alias = "extraBlockedHosts")]
    pub extra_blocked_hosts: Vec<String>,
    /// Judge `64:ff9b::/96` by the embedded IPv4 address (IPv6-only networks with DNS64).
    #[serde(alias = "allowNat64")]
    pub allow_nat64: bool,
    /// Further NAT64 prefixes of this network (RFC 6052 lengths).
    #[serde(alias = "nat64Prefixes")]
    pub nat64_prefixes: Vec<String>,
    /// Limit on followed redirects.
    #[serde(alias = "maxRedirects")]
    pub max_redirects: u32,
    /// Time limit of a DNS look-up.
    #[serde(alias = "dnsTimeoutMs")]
    pub dns_timeout_ms: u64,
    /// Let entries of `allowed_hosts` reach cloud metadata.
    #[serde(alias = "dangerouslyAllowMetadata")]
    pub dangerously_allow_metadata: bool,
}

impl Default for GuardConfig {
    fn default() -> Self {
        Self {
            resolve_dns: true,
            allowed_only: false,
            allowed_hosts: vec![],
            extra_blocked_hosts: vec![],
            allow_nat64: false,
            nat64_prefixes: vec![],
            max_redirects: 10,
            dns_timeout_ms: 5000,
            dangerously_allow_metadata: false,
        }
    }
}

/// An entry that doesn't parse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{entry}`: {why}")]
pub struct ConfigError {
    /// The entry as written.
    pub entry: String,
    /// What is wrong with it.
    pub why: &'static str,
}

impl ConfigError {
    pub(crate) fn new(entry: &str, why: &'static str) -> Self {
        Self { entry: entry.to_owned(), why }
    }
}

/// The hosts that an entry matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostPattern {
    /// `*`
    AnyName,
    /// `x`
    Exact(String),
    /// `*.x`
    Below(String),
    /// `**.x`
    AtOrBelow(String),
    /// One address.
    Address(IpAddr),
    /// A network, where the grammar allows one.
    Network(IpNet),
}

impl HostPattern {
    fn parse(entry: &str, text: &str) -> Result<Self, ConfigError> {
        if text == "*" {
            return Ok(Self::AnyName);
        }
        if let Some(apex) = text.strip_prefix("**.") {
            return wildcard(entry, apex).map(Self::AtOrBelow);
        }
        if let Some(apex) = text.strip_prefix("*.") {
            return wildcard(entry, apex).map(Self::Below);
        }
        match Host::parse(text) {
            Ok(Host::Name(name)) => Ok(Self::Exact(name)),
            Ok(Host::Address(address)) => Ok(Self::Address(crate::target::unmapped(address))),
            Err(_) => Err(ConfigError::new(entry, "not a host pattern")),
        }
    }

    /// Whether a canonical host matches. Wildcards never match addresses.
    #[must_use]
    pub fn matches(&self, host: &Host) -> bool {
        match (self, host) {
            (Self::AnyName, Host::Name(_)) => true,
            (Self::Exact(own), Host::Name(name)) => own == name,
            (Self::Below(apex), Host::Name(name)) => name != apex && names::is_at_or_below(name, apex),
            (Self::AtOrBelow(apex), Host::Name(name)) => names::is_at_or_below(name, apex),
            (Self::Address(own), Host::Address(address)) => *own == crate::target::unmapped(*address),
            (Self::Network(net), Host::Address(address)) => net.contains(&crate::target::unmapped(*address)),
            _ => false,
        }
    }

    /// Whether an address matches, or lies in the network.
    #[must_use]
    pub fn covers(&self, address: IpAddr) -> bool {
        matches!(self, Self::Address(_) | Self::Network(_)) && self.matches(&Host::Address(address))
    }

    /// Whether an exception for one address or network applies to `address` as written: a mapped spelling isn't the
    /// canonical one of its IPv4 address.
    #[must_use]
    pub fn lifts(&self, address: IpAddr) -> bool {
        match self {
            Self::Address(own) => *own == address,
            Self::Network(net) => net.contains(&address),
            _ => false,
        }
    }

    /// Whether it is a name or wildcard.
    #[must_use]
    pub const fn is_name(&self) -> bool {
        !matches!(self, Self::Address(_) | Self::Network(_))
    }
}

fn wildcard(entry: &str, apex: &str) -> Result<String, ConfigError> {
    let Ok(Host::Name(apex)) = Host::parse(apex) else {
        return Err(ConfigError::new(entry, "a wildcard needs a name behind it"));
    };
    if is_public_suffix(&apex) {
        return Err(ConfigError::new(entry, "a wildcard over a public suffix"));
    }
    Ok(apex)
}

/// Whether names below it can be registered by the public: the ICANN section of the public suffix list.
fn is_public_suffix(name: &str) -> bool {
    if names::is_internal_suffix(name) {
        return false;
    }
    psl::suffix(name.as_bytes())
        .is_none_or(|suffix| suffix == name.as_bytes() && suffix.typ() != Some(psl::Type::Private))
}

/// One entry: hosts, port, and the network it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// As written.
    pub text: String,
    /// Matching hosts.
    pub pattern: HostPattern,
    /// Matching port; `None` for all.
    pub port: Option<u16>,
    /// The network whose addresses it permits.
    pub network: Option<IpNet>,
}

/// Grammar of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grammar {
    /// `host[:port][=cidr]`
    Allow,
    /// `host|address|cidr[:port]`
    Block,
    /// Either: `host[:port][=cidr]` or `cidr[:port]`
    Egress,
}

impl Entry {
    /// Parses one entry.
    ///
    /// # Errors
    /// [`ConfigError`] with the entry and the problem.
    pub fn parse(text: &str, grammar: Grammar) -> Result<Self, ConfigError> {
        let wrong = |why| ConfigError::new(text, why);
        let trimmed = text.trim();
        let (subject, network) = match trimmed.split_once('=') {
            Some(_) if grammar == Grammar::Block => return Err(wrong("a blocked host has no `=network`")),
            Some((subject, network)) => {
                let network = parse_network(network).ok_or_else(|| wrong("not a network after `=`"))?;
                (subject, Some(network))
            }
            None => (trimmed, None),
        };
        if subject.contains('/') {
            if grammar == Grammar::Allow || network.is_some() {
                return Err(wrong("a network is permitted as `host[:port]=network` only"));
            }
            let (net, port) = split_network(subject).ok_or_else(|| wrong("not a network"))?;
            return Ok(Self { text: text.to_owned(), pattern: HostPattern::Network(net), port, network });
        }
        let (host, port) = match subject.parse::<IpAddr>() {
            Ok(IpAddr::V6(address)) => (format!("[{address}]"), None),
            _ => {
                let (host, port) = split_port(subject).map_err(|_| wrong("not `host` or `host:port`"))?;
                (host.to_owned(), port)
            }
        };
        let pattern = HostPattern::parse(text, &host)?;
        if grammar == Grammar::Block && pattern == HostPattern::AnyName {
            return Err(wrong("`*` is for allow lists; use `allowed_only` to close everything else"));
        }
        if network.is_some() && !pattern.is_name() {
            return Err(wrong("an address needs no `=network`"));
        }
        Ok(Self { text: text.to_owned(), pattern, port, network })
    }

    /// Whether the entry matches this host and port.
    #[must_use]
    pub fn matches(&self, host: &Host, port: u16) -> bool {
        self.port.is_none_or(|own| own == port) && self.pattern.matches(host)
    }
}

fn parse_network(text: &str) -> Option<IpNet> {
    let net: IpNet = match text.parse() {
        Ok(net) => net,
        Err(_) => IpNet::from(text.parse::<IpAddr>().ok()?),
    };
    Some(unmapped_network(net.trunc()))
}

/// Converts a network of mapped addresses to its IPv4 network.
fn unmapped_network(net: IpNet) -> IpNet {
    let IpNet::V6(v6) = net else { return net };
    let inner = v6.addr().to_ipv4_mapped().zip(v6.prefix_len().checked_sub(96));
    inner.and_then(|(address, length)| ipnet::Ipv4Net::new(address, length).ok()).map_or(net, IpNet::V4)
}

/// `cidr` or `cidr:port`; an IPv6 network with a port is bracketed: `[2001:db8::/32]:443`.
fn split_network(text: &str) -> Option<(IpNet, Option<u16>)> {
    if let Some(rest) = text.strip_prefix('[') {
        let (net, port) = rest.split_once(']')?;
        let port = if port.is_empty() { None } else { Some(port.strip_prefix(':')?.parse().ok()?) };
        return Some((parse_network(net)?, port));
    }
    if let Some(net) = parse_network(text) {
        return Some((net, None));
    }
    let (net, port) = text.rsplit_once(':')?;
    Some((parse_network(net)?, Some(port.parse().ok()?)))
}

/// Parses a NAT64 prefix.
///
/// # Errors
/// [`ConfigError`] for a length that RFC 6052 doesn't define, or for the local prefix, whose layout is unknown.
pub(crate) fn parse_nat64(text: &str) -> Result<Ipv6Net, ConfigError> {
    let net: Ipv6Net = text.trim().parse().map_err(|_| ConfigError::new(text, "not an IPv6 prefix"))?;
    if !NAT64_LENGTHS.contains(&net.prefix_len()) {
        return Err(ConfigError::new(text, "a NAT64 prefix has 32, 40, 48, 56, 64 or 96 bits"));
    }
    if NAT64_LOCAL.contains(&net) || net.contains(&NAT64_LOCAL) {
        return Err(ConfigError::new(text, "64:ff9b:1::/48 stays closed"));
    }
    Ok(net.trunc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_match_what_they_say() {
        for (entry, host, port, hit) in [
            ("example.com", "example.com", 443, true),
            ("Example.COM.", "example.com", 443, true),
            ("example.com", "a.example.com", 443, false),
            ("*.example.com", "a.b.example.com", 443, true),
            ("*.example.com", "example.com", 443, false),
            ("**.example.com", "example.com", 443, true),
            ("**.example.com", "notexample.com", 443, false),
            ("example.com:8443", "example.com", 443, false),
            ("*", "anything.example", 443, true),
            ("*", "1.1.1.1", 443, false),
            ("10.0.0.1:80", "10.0.0.1", 80, true),
            ("10.0.0.1:80", "[::ffff:10.0.0.1]", 80, true),
            ("::1", "[::1]", 80, true),
            ("[::1]:80", "[::1]", 80, true),
            ("[::1]:80", "[::1]", 81, false),
            ("bücher.example", "xn--bcher-kva.example", 1, true),
            ("*.corp=10.0.0.0/8", "ci.corp", 1, true),
        ] {
            let parsed = Entry::parse(entry, Grammar::Allow).unwrap();
            assert_eq!(parsed.matches(&Host::parse(host).unwrap(), port), hit, "{entry} {host}:{port}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        use Grammar::{Allow, Block, Egress};
        for (entry, grammar) in [
            ("", Allow),
            ("*.com", Allow),
            ("*.co.uk", Allow),
            ("**.uk", Block),
            ("*", Block),
            ("a b", Allow),
            ("010.0.0.1", Block),
            ("127.1", Allow),
            ("10.0.0.0/8", Allow),
            ("10.0.0.0/33", Block),
            ("example.com:99999", Block),
            ("example.com:", Allow),
            ("example.com=", Allow),
            ("example.com=10.0.0.0/64", Allow),
            ("example.com=10.0.0.0/8", Block),
            ("10.0.0.1=10.0.0.0/8", Allow),
            ("a.*.example.com", Allow),
            ("*example.com", Block),
            ("http://example.com", Block),
            ("10.0.0.0/8:0x", Egress),
        ] {
            assert!(Entry::parse(entry, grammar).is_err(), "{entry:?}");
        }
        for (entry, grammar) in [
            ("*.github.io", Allow),
            ("10.0.0.0/8:22", Block),
            ("[fd00::/8]:22", Block),
            ("fd00::/8", Block),
            ("10.2.0.0/16:5432", Egress),
        ] {
            assert!(Entry::parse(entry, grammar).is_ok(), "{entry:?}");
        }
    }

    #[test]
    fn unknown_keys_and_doubles_are_errors() {
        for text in [
            r#"{"allowed_host": []}"#,
            r#"{"allowedHosts": [], "allowed_hosts": []}"#,
            r#"{"allowed_hosts": "x"}"#,
        ] {
            assert!(serde_json::from_str::<GuardConfig>(text).is_err(), "{text}");
        }
    }
}
