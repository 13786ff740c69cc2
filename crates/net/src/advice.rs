//! Judges the host in a call's text, for effects: no DNS, any scheme.
//!
//! This is advice and enforces nothing: the proxy and the client check what a name resolves to. A host's class
//! includes the reading of any program, so a spelling that some program reads as a metadata address is
//! [`HostClass::Metadata`] even if it isn't canonical.

use doorward_core::effect::HostClass;

use crate::code::{Code, Refusal};
use crate::guard::Guard;
use crate::names;
use crate::target::{self, Host, Scheme, Target, split_port};

/// Verdict on the text of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostVerdict {
    /// Canonical name or address; as written if it has no canonical form.
    pub host: String,
    /// Port, if written or implied by the scheme.
    pub port: Option<u16>,
    /// Class of the host.
    pub class: HostClass,
    /// `net.<code>`, unless plainly allowed.
    pub code: Option<String>,
}

impl HostVerdict {
    fn refused(host: &str, port: Option<u16>, class: HostClass, refusal: &Refusal) -> Self {
        Self { host: host.to_owned(), port, class, code: Some(format!("net.{}", refusal.public_code())) }
    }
}

/// Schemes with an authority, and their ports. The web's port rules apply only to http and https.
const OTHER_SCHEMES: &[(&str, Option<u16>)] = &[
    ("ssh", Some(22)),
    ("git", Some(9418)),
    ("git+ssh", Some(22)),
    ("ftp", Some(21)),
    ("ftps", Some(990)),
    ("sftp", Some(22)),
    ("scp", Some(22)),
    ("rsync", Some(873)),
    ("ws", Some(80)),
    ("wss", Some(443)),
    ("smtp", Some(25)),
    ("telnet", Some(23)),
    ("ldap", Some(389)),
    ("redis", Some(6379)),
    ("postgres", Some(5432)),
    ("postgresql", Some(5432)),
    ("mysql", Some(3306)),
    ("mariadb", Some(3306)),
    ("mongodb", Some(27017)),
    ("mongodb+srv", None),
    ("rediss", Some(6379)),
    ("amqp", Some(5672)),
    ("amqps", Some(5671)),
    ("tcp", None),
    ("udp", None),
];

/// Judges a host with an optional port, as a command names it. `scheme` is `https`, `ssh`, `tcp`, …
#[must_use]
pub fn judge_host(guard: &Guard, host: &str, port: Option<u16>, scheme: &str) -> HostVerdict {
    let web = match scheme.to_ascii_lowercase().as_str() {
        "http" => Some(Scheme::Http),
        "https" => Some(Scheme::Https),
        _ => None,
    };
    let implied =
        || OTHER_SCHEMES.iter().find(|(word, _)| scheme.eq_ignore_ascii_case(word)).and_then(|row| row.1);
    let port = port.or_else(|| web.map(Scheme::default_port)).or_else(implied);
    let bare_v6 = host.contains(':') && !host.starts_with('[');
    let written = if bare_v6 { format!("[{host}]") } else { host.to_owned() };
    let parsed = match Host::parse(&written) {
        Ok(parsed) => parsed,
        Err(refusal) => return unreadable(host, port, &refusal),
    };
    // The web's port rules don't apply to other schemes.
    let judged_port = if web.is_some() { port.unwrap_or(443) } else { 443 };
    let target = Target::from_authority(web.unwrap_or(Scheme::Https), &written, judged_port);
    let verdict = target.and_then(|target| guard.judge(with_port(target, port, web)).map(drop));
    let canonical = parsed.to_string();
    match verdict {
        Ok(()) => HostVerdict { host: canonical, port, class: permitted(guard, &parsed, port), code: None },
        Err(refusal) => HostVerdict::refused(&canonical, port, class_of(&parsed, &refusal), &refusal),
    }
}

/// Judges a URL of any scheme.
#[must_use]
pub fn judge_url(guard: &Guard, url: &str) -> HostVerdict {
    let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    if is_web || !OTHER_SCHEMES.iter().any(|(word, _)| scheme.eq_ignore_ascii_case(word)) {
        return judge_web_url(guard, url);
    }
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host_port = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    match split_port(host_port) {
        Ok((host, port)) => judge_host(guard, host, port, scheme),
        Err(refusal) => unreadable(host_port, None, &refusal),
    }
}

fn judge_web_url(guard: &Guard, url: &str) -> HostVerdict {
    match Target::parse(url) {
        Ok(target) => {
            judge_host(guard, &target.host.in_authority(), Some(target.port), target.scheme.as_str())
        }
        Err(refusal) => {
            let rest = url.split_once(':').map_or(url, |(_, rest)| rest).trim_start_matches(['/', '\\']);
            let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
            let host_port = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            let host = split_port(host_port).map_or(host_port, |(host, _)| host);
            unreadable(host, None, &refusal)
        }
    }
}

fn with_port(mut target: Target, port: Option<u16>, web: Option<Scheme>) -> Target {
    if web.is_none() && port.is_some_and(|port| !names::is_denied_port(port)) {
        target.port = port.unwrap_or(target.port);
    }
    target
}

fn unreadable(host: &str, port: Option<u16>, refusal: &Refusal) -> HostVerdict {
    let class = if host.contains('…') {
        HostClass::Unknown
    } else if target::reads_as_metadata(host) {
        HostClass::Metadata
    } else {
        HostClass::Refused
    };
    // The text may contain credentials before the host; only the host is kept.
    HostVerdict::refused(host, port, class, refusal)
}

fn permitted(guard: &Guard, host: &Host, port: Option<u16>) -> HostClass {
    if guard.lists(host, port) { HostClass::Allowed } else { HostClass::Public }
}

fn class_of(host: &Host, refusal: &Refusal) -> HostClass {
    match (refusal.code, host) {
        (Code::NameDenied, Host::Name(name)) => names::denied_name(name).unwrap_or(HostClass::Private),
        (_, Host::Address(address)) if crate::address::hides_metadata(*address) => HostClass::Metadata,
        (Code::AddressDenied, _) => refusal.class.map_or(HostClass::Refused, |class| class.host_class()),
        _ => HostClass::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use HostClass::{Allowed, Loopback, Metadata, Private, Public, Refused, Unknown};

    #[test]
    fn hosts_of_commands() {
        let guard = Guard::default();
        for (host, port, scheme, class, code) in [
            ("github.com", None, "ssh", Public, None),
            ("github.com", Some(22), "https", Refused, Some("net.port_denied")),
            ("localhost", Some(3000), "http", Loopback, Some("net.name_denied")),
            ("127.0.0.1", Some(3000), "http", Loopback, Some("net.address_denied:loopback")),
            ("0.0.0.0", None, "http", Loopback, Some("net.address_denied:this_network")),
            ("::1", None, "http", Loopback, Some("net.address_denied:loopback")),
            ("10.1.2.3", Some(5432), "tcp", Private, Some("net.address_denied:private")),
            ("db.internal", None, "postgres", Private, Some("net.name_denied")),
            ("nas", None, "ssh", Private, Some("net.name_denied")),
            ("169.254.169.254", None, "http", Metadata, Some("net.address_denied:metadata")),
            ("0xa9fea9fe", None, "http", Metadata, Some("net.ambiguous_literal")),
            ("2852039166", None, "tcp", Metadata, Some("net.ambiguous_literal")),
            ("::a9fe:a9fe", None, "http", Metadata, Some("net.address_denied:compatible")),
            ("metadata.google.internal", None, "http", Metadata, Some("net.name_denied")),
            ("0x7f000001", None, "http", Refused, Some("net.ambiguous_literal")),
            ("…", None, "http", Unknown, Some("net.malformed_url")),
            ("a b", None, "http", Refused, Some("net.malformed_url")),
        ] {
            let verdict = judge_host(&guard, host, port, scheme);
            assert_eq!((verdict.class, verdict.code.as_deref()), (class, code), "{host}");
        }
    }

    #[test]
    fn urls_of_commands() {
        let guard =
            Guard::new(serde_json::from_str(r#"{"allowed_hosts":["127.0.0.1:3000","docs.rs"]}"#).unwrap());
        let guard = guard.unwrap();
        for (url, host, port, class) in [
            ("https://docs.rs/url", "docs.rs", Some(443), Allowed),
            ("https://example.com/", "example.com", Some(443), Public),
            ("http://127.0.0.1:3000/", "127.0.0.1", Some(3000), Allowed),
            ("ssh://git@github.com/x/y", "github.com", Some(22), Public),
            ("git://10.0.0.1/x", "10.0.0.1", Some(9418), Private),
            ("ftp://user:pw@example.com/x", "example.com", Some(21), Public),
            ("https://user:pw@example.com/x", "example.com", None, Refused),
            ("http://u@169.254.169.254/", "169.254.169.254", None, Metadata),
            ("file:///etc/passwd", "", None, Refused),
            ("data:text/plain,x", "", None, Refused),
        ] {
            let verdict = judge_url(&guard, url);
            assert_eq!(verdict.class, class, "{url}");
            if !host.is_empty() {
                assert_eq!((verdict.host.as_str(), verdict.port), (host, port), "{url}");
            }
            assert!(!verdict.host.contains("pw"), "{url}");
        }
    }
}
