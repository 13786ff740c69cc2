//! What kind of host a text names. The verdicts of `net` plug in here; the built-in judge only reads literals and
//! names, resolves nothing and is the more cautious where it can't tell.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use doorward_core::effect::HostClass;

/// Judges hosts by their text, without contact.
pub trait HostJudge: Send + Sync {
    /// The class of a host, and the code of the verdict (`net.<reason>`) where it isn't plain.
    fn judge_host(&self, host: &str, port: Option<u16>, scheme: &str) -> (HostClass, Option<String>);

    /// The same for a URL as written, with the canonical host it leads to.
    fn judge_url(&self, url: &str) -> JudgedUrl;
}

/// What a URL leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedUrl {
    /// Canonical host, without port; the text as written where it has none.
    pub host: String,
    /// Port, where told.
    pub port: Option<u16>,
    /// Scheme, lower case.
    pub scheme: String,
    /// Class of the host.
    pub class: HostClass,
    /// Code of the verdict.
    pub code: Option<String>,
}

/// Literals and well-known names; everything else is public.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainHosts;

/// Names under which clouds serve their metadata. Source: the providers' documentation.
const METADATA_NAMES: &[&str] =
    &["metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal"];
/// Addresses of the same: AWS, Azure, GCP, OpenStack and others; ECS; Alibaba; Oracle; AWS over IPv6.
const METADATA_V4: &[Ipv4Addr] = &[
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(192, 0, 0, 192),
];
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);
/// Name endings that never lead to a public host (RFC 6761, RFC 6762, RFC 9476 and habit).
const PRIVATE_ENDINGS: &[&str] = &["local", "internal", "intranet", "lan", "home", "corp", "home.arpa"];

impl HostJudge for PlainHosts {
    fn judge_host(&self, host: &str, _port: Option<u16>, _scheme: &str) -> (HostClass, Option<String>) {
        let class = class_of(host);
        let code = match class {
            HostClass::Metadata => Some("net.metadata".to_owned()),
            HostClass::Private => Some("net.private".to_owned()),
            HostClass::Refused => Some("net.host_invalid".to_owned()),
            _ => None,
        };
        (class, code)
    }

    fn judge_url(&self, url: &str) -> JudgedUrl {
        let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
        let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
        let (host, port) = split_port(place);
        let (class, code) = self.judge_host(host, port, scheme);
        JudgedUrl { host: host.to_ascii_lowercase(), port, scheme: scheme.to_ascii_lowercase(), class, code }
    }
}

fn split_port(place: &str) -> (&str, Option<u16>) {
    if let Some(inner) = place.strip_prefix('[') {
        let (host, rest) = inner.split_once(']').unwrap_or((inner, ""));
        return (host, rest.strip_prefix(':').and_then(|port| port.parse().ok()));
    }
    match place.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') => (host, port.parse().ok()),
        _ => (place, None),
    }
}

fn class_of(host: &str) -> HostClass {
    let host = host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase();
    if host.is_empty() || host.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return HostClass::Refused;
    }
    if host.contains('…') {
        return HostClass::Unknown;
    }
    if METADATA_NAMES.contains(&host.as_str()) {
        return HostClass::Metadata;
    }
    if let Some(address) = address_of(&host) {
        return class_of_address(address);
    }
    if host == "localhost"
        || host.ends_with(".localhost")
        || host == "ip6-localhost"
        || host == "host.docker.internal"
    {
        return HostClass::Loopback;
    }
    let private = PRIVATE_ENDINGS
        .iter()
        .any(|ending| host == *ending || host.strip_suffix(ending).is_some_and(|head| head.ends_with('.')));
    if private { HostClass::Private } else { HostClass::Public }
}

/// An address in any spelling that system resolvers take: dotted, short, octal, hexadecimal, one number.
fn address_of(host: &str) -> Option<IpAddr> {
    if let Ok(address) = host.parse() {
        return Some(address);
    }
    let parts: Vec<u64> = host.split('.').map(number).collect::<Option<_>>()?;
    let (last, high) = parts.split_last()?;
    if parts.len() > 4 || high.iter().any(|part| *part > 255) {
        return None;
    }
    let room = 8 * (4 - high.len());
    if *last >= 1_u64 << room {
        return None;
    }
    let value = high.iter().enumerate().fold(*last, |sum, (index, part)| sum | (part << (24 - 8 * index)));
    u32::try_from(value).ok().map(|bits| IpAddr::V4(Ipv4Addr::from(bits)))
}

fn number(text: &str) -> Option<u64> {
    match text.as_bytes() {
        [] => None,
        [b'0', b'x' | b'X', ..] => u64::from_str_radix(text.get(2..)?, 16).ok(),
        [b'0', _, ..] => u64::from_str_radix(text, 8).ok(),
        _ if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}

fn class_of_address(address: IpAddr) -> HostClass {
    match address {
        IpAddr::V4(v4) => class_of_v4(v4),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => class_of_v4(v4),
            None if v6 == METADATA_V6 => HostClass::Metadata,
            None if v6.is_loopback() || v6.is_unspecified() => HostClass::Loopback,
            None if v6.is_unique_local() || v6.is_unicast_link_local() || v6.is_multicast() => {
                HostClass::Private
            }
            None => HostClass::Public,
        },
    }
}

fn class_of_v4(v4: Ipv4Addr) -> HostClass {
    let [a, b, ..] = v4.octets();
    if METADATA_V4.contains(&v4) {
        HostClass::Metadata
    } else if v4.is_loopback() || v4.is_unspecified() {
        HostClass::Loopback
    } else if v4.is_private()
        || v4.is_link_local()
        || v4.is_multicast()
        || v4.is_broadcast()
        // Shared address space (RFC 6598) and reserved blocks.
        || (a == 100 && (64..128).contains(&b))
        || a == 0
        || a >= 240
    {
        HostClass::Private
    } else {
        HostClass::Public
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use HostClass::{Loopback, Metadata, Private, Public, Refused, Unknown};

    #[test]
    fn hosts_by_text() {
        for (host, expected) in [
            ("example.com", Public),
            ("localhost", Loopback),
            ("127.1", Loopback),
            ("0x7f000001", Loopback),
            ("2130706433", Loopback),
            ("::1", Loopback),
            ("::ffff:127.0.0.1", Loopback),
            ("0177.0.0.1", Loopback),
            ("10.1.2.3", Private),
            ("192.168.0.1", Private),
            ("db.internal", Private),
            ("169.254.169.254", Metadata),
            ("2852039166", Metadata),
            ("metadata.google.internal.", Metadata),
            ("fd00:ec2::254", Metadata),
            ("8.8.8.8", Public),
            ("a…b", Unknown),
            ("", Refused),
        ] {
            assert_eq!(class_of(host), expected, "{host}");
        }
    }

    #[test]
    fn urls_lead_to_the_host_after_user_info() {
        let judged = PlainHosts.judge_url("https://example.com@10.0.0.1:8080/x");
        assert_eq!((judged.host.as_str(), judged.port, judged.class), ("10.0.0.1", Some(8080), Private));
        assert_eq!(PlainHosts.judge_url("http://[::1]:3000/").class, Loopback);
    }
}
