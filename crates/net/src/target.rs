//! Turns URL text into a [`Target`]: raw checks before any parser, then one parse, then one host.
//!
//! Attacks rely on two programs that parse a URL differently. So text that could be parsed differently is refused
//! first: control characters (WHATWG readers drop them, and a log would show another URL), backslashes and `@` and
//! `%` in the authority, zone ids, ideographic dots, spellings of an address that aren't canonical. The rest of the
//! crate judges only a `Target`, which has exactly one host and port.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::Url;

use crate::code::{Code, Refusal};
use crate::literal;

/// Supported schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    /// Plain HTTP.
    Http,
    /// HTTP over TLS.
    Https,
}

impl Scheme {
    /// The scheme's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// The scheme's default port.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// A host in its one canonical form.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Host {
    /// Lower-case A-labels, no final dot.
    Name(String),
    /// An address.
    Address(IpAddr),
}

impl Host {
    /// Parses a host of an authority: a name, an IPv4 address, or an IPv6 address in brackets.
    ///
    /// # Errors
    /// `malformed_url` or `ambiguous_literal`.
    pub fn parse(raw: &str) -> Result<Self, Refusal> {
        if let Some(rest) = raw.strip_prefix('[') {
            return bracketed(rest).map(|address| Self::Address(address.into()));
        }
        check_host_text(raw)?;
        if let Some(address) = literal::canonical_v4(raw) {
            return Ok(Self::Address(address.into()));
        }
        match url::Host::parse(raw) {
            Ok(url::Host::Domain(name)) => name_of(&name),
            Ok(_) => Err(AMBIGUOUS),
            Err(_) if literal::ends_in_number(raw) => Err(AMBIGUOUS),
            Err(_) => Err(malformed("not a host")),
        }
    }

    /// The form used in an authority: IPv6 in brackets.
    #[must_use]
    pub fn in_authority(&self) -> String {
        match self {
            Self::Address(IpAddr::V6(address)) => format!("[{address}]"),
            _ => self.to_string(),
        }
    }

    /// The name, if it is one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        if let Self::Name(name) = self { Some(name) } else { None }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(address) => write!(f, "{address}"),
        }
    }
}

/// A URL that every reader parses alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Scheme.
    pub scheme: Scheme,
    /// Host.
    pub host: Host,
    /// Port; the scheme's default if none was written.
    pub port: u16,
    /// The different name seen by an IDNA 2003 reader (`ß` as `ss`). Denials apply to it too.
    pub other_name: Option<String>,
    url: Url,
}

impl Target {
    /// Parses an absolute URL.
    ///
    /// # Errors
    /// `scheme`, `userinfo`, `malformed_url` or `ambiguous_literal`.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        check_characters(text)?;
        let (scheme, rest) = split_scheme(text)?;
        let rest = rest.strip_prefix("//").ok_or(malformed("two slashes must follow the scheme"))?;
        let authority = authority(rest)?;
        let (raw_host, _) = split_port(authority)?;
        let host = Host::parse(raw_host)?;
        let mut url = Url::parse(text).map_err(|_| malformed("not a URL"))?;
        agree(&host, &url)?;
        if let Host::Name(name) = &host {
            // Drops the final dot, so that name, SNI, Host and log agree.
            url.set_host(Some(name)).map_err(|_| malformed("not a host"))?;
        }
        let port = url.port().unwrap_or(scheme.default_port());
        Ok(Self { scheme, port, other_name: transitional(raw_host, &host), host, url })
    }

    /// Resolves a `Location` value against this target.
    ///
    /// # Errors
    /// As [`Target::parse`]. Relative and `//host` forms are legal; backslashes and three slashes aren't.
    pub fn join(&self, location: &str) -> Result<Self, Refusal> {
        check_characters(location)?;
        if location.contains('\\') {
            return Err(malformed("backslash in Location"));
        }
        if location.starts_with("///") {
            return Err(malformed("three slashes in Location"));
        }
        if let Some(rest) = location.strip_prefix("//") {
            authority(rest)?;
            return Self::parse(&format!("{}:{location}", self.scheme.as_str()));
        }
        if has_scheme(location) {
            return Self::parse(location);
        }
        let joined = self.url.join(location).map_err(|_| malformed("Location doesn't parse"))?;
        Self::parse(joined.as_str())
    }

    /// A target from the host and port of a `CONNECT` or SOCKS request.
    ///
    /// # Errors
    /// As [`Host::parse`].
    pub fn from_authority(scheme: Scheme, host: &str, port: u16) -> Result<Self, Refusal> {
        // Checked by itself: some text looks like a host only inside a URL.
        Host::parse(host)?;
        Self::parse(&format!("{}://{host}:{port}/", scheme.as_str()))
    }

    /// The URL.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.url
    }

    /// Path and query for a request line.
    #[must_use]
    pub fn path_and_query(&self) -> String {
        match self.url.query() {
            Some(query) => format!("{}?{query}", self.url.path()),
            None => self.url.path().to_owned(),
        }
    }

    /// The value of `Host`, without the scheme's default port.
    #[must_use]
    pub fn host_header(&self) -> String {
        if self.port == self.scheme.default_port() {
            self.host.in_authority()
        } else {
            format!("{}:{}", self.host.in_authority(), self.port)
        }
    }

    /// Scheme, host and port, which define the origin.
    #[must_use]
    pub fn origin(&self) -> (Scheme, &Host, u16) {
        (self.scheme, &self.host, self.port)
    }
}

const AMBIGUOUS: Refusal =
    Refusal::new(Code::AmbiguousLiteral, "an address in a spelling that programs read differently");

const fn malformed(why: &'static str) -> Refusal {
    Refusal::new(Code::MalformedUrl, why)
}

fn check_characters(text: &str) -> Result<(), Refusal> {
    match text.chars().find(|&c| c <= ' ' || ('\u{7f}'..='\u{9f}').contains(&c)) {
        Some(_) => Err(malformed("a space or control character")),
        None => Ok(()),
    }
}

fn split_scheme(text: &str) -> Result<(Scheme, &str), Refusal> {
    let (scheme, rest) = text.split_once(':').ok_or(malformed("no scheme"))?;
    if scheme.eq_ignore_ascii_case("http") {
        Ok((Scheme::Http, rest))
    } else if scheme.eq_ignore_ascii_case("https") {
        Ok((Scheme::Https, rest))
    } else if is_scheme(scheme) {
        Err(Refusal::new(Code::Scheme, "only http and https are spoken"))
    } else {
        Err(malformed("no scheme"))
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Whether a `Location` starts with a scheme (and so isn't relative).
fn has_scheme(text: &str) -> bool {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    text.get(..end).and_then(|head| head.split_once(':')).is_some_and(|(scheme, _)| is_scheme(scheme))
}

/// The authority at the start of `rest`; refused if readers disagree on its end.
fn authority(rest: &str) -> Result<&str, Refusal> {
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = rest.get(..end).unwrap_or(rest);
    if authority.is_empty() {
        return Err(malformed("no host"));
    }
    if authority.contains('\\') {
        return Err(malformed("backslash before the path"));
    }
    if authority.contains('@') {
        return Err(Refusal::new(Code::Userinfo, "a user name in front of the host"));
    }
    if authority.contains('%') {
        return Err(malformed("an encoded host or a zone identifier"));
    }
    Ok(authority)
}

/// Splits an authority without userinfo into host and port.
pub(crate) fn split_port(authority: &str) -> Result<(&str, Option<u16>), Refusal> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let close = rest.find(']').ok_or(malformed("an open bracket"))?;
            let (host, after) = authority.split_at_checked(close + 2).ok_or(malformed("an open bracket"))?;
            match after.strip_prefix(':') {
                Some(port) => (host, Some(port)),
                None if after.is_empty() => (host, None),
                None => return Err(malformed("text after the bracket")),
            }
        }
        None => match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        },
    };
    let port = port.map(parse_port).transpose()?;
    Ok((host, port))
}

fn parse_port(text: &str) -> Result<u16, Refusal> {
    let digits = (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let port = if digits { text.parse().ok() } else { None };
    port.ok_or(malformed("not a port"))
}

/// `rest` follows the opening bracket.
fn bracketed(rest: &str) -> Result<Ipv6Addr, Refusal> {
    rest.strip_suffix(']')
        .and_then(|inner| inner.parse().ok())
        .ok_or(malformed("not an IPv6 address in the brackets"))
}

/// Characters that some readers convert to `.`.
const OTHER_DOTS: &[char] = &['\u{3002}', '\u{ff0e}', '\u{ff61}', '\u{2024}', '\u{fe52}'];

fn check_host_text(raw: &str) -> Result<(), Refusal> {
    if raw.contains(OTHER_DOTS) {
        return Err(malformed("a dot that isn't the full stop"));
    }
    if raw.contains(['\u{200c}', '\u{200d}']) {
        return Err(malformed("a joiner in the host"));
    }
    if literal::with_ascii_digits(raw).is_some_and(|read| literal::ends_in_number(&read)) {
        return Err(AMBIGUOUS);
    }
    if raw.contains(['%', '@', '\\', '/', '?', '#', ':']) {
        return Err(malformed("not a host"));
    }
    check_characters(raw)
}

fn name_of(name: &str) -> Result<Host, Refusal> {
    let name = name.strip_suffix('.').unwrap_or(name);
    if literal::ends_in_number(name) {
        return Err(AMBIGUOUS);
    }
    let fits = |label: &str| (1..=63).contains(&label.len());
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if name.len() > 253 || !name.split('.').all(fits) {
        return Err(malformed("an empty or overlong label"));
    }
    if !name.bytes().all(plain) {
        return Err(malformed("a character that names don't have"));
    }
    Ok(Host::Name(name.to_ascii_lowercase()))
}

/// Checks that the parser saw the same host that was judged.
fn agree(host: &Host, url: &Url) -> Result<(), Refusal> {
    let same = match (host, url.host()) {
        (Host::Name(name), Some(url::Host::Domain(seen))) => seen.strip_suffix('.').unwrap_or(seen) == name,
        (Host::Address(IpAddr::V4(own)), Some(url::Host::Ipv4(seen))) => *own == seen,
        (Host::Address(IpAddr::V6(own)), Some(url::Host::Ipv6(seen))) => *own == seen,
        _ => false,
    };
    if same { Ok(()) } else { Err(AMBIGUOUS) }
}

/// The name as an IDNA 2003 reader converts the deviation characters, if it differs.
fn transitional(raw: &str, host: &Host) -> Option<String> {
    if raw.is_ascii() {
        return None;
    }
    let mapped: String = raw
        .chars()
        .map(|c| match c {
            'ß' | 'ẞ' => "ss".to_owned(),
            'ς' => "σ".to_owned(),
            other => other.to_string(),
        })
        .collect();
    match Host::parse(&mapped) {
        Ok(other) if other != *host => Some(other.to_string()),
        _ => None,
    }
}

/// The address of a literal, with mapped IPv4 unwrapped.
#[must_use]
pub fn unmapped(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => crate::address::mapped(v6).map_or(address, IpAddr::V4),
        IpAddr::V4(_) => address,
    }
}

/// Whether some program would read a host text as a metadata address.
#[must_use]
pub fn reads_as_metadata(raw: &str) -> bool {
    let raw = raw.trim_matches(['[', ']']);
    let read = literal::with_ascii_digits(raw);
    let raw = read.as_deref().unwrap_or(raw);
    let hits = |address: Ipv4Addr| crate::address::is_metadata(address.into());
    literal::readings(raw).any(hits) || raw.parse::<IpAddr>().is_ok_and(crate::address::hides_metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_readers_differ_on_is_refused() {
        use Code::{AmbiguousLiteral as A, MalformedUrl as M, Scheme as S, Userinfo as U};
        for (text, code) in [
            ("http://a b/", M),
            (" http://example.com/", M),
            ("http://exa\tmple.com/", M),
            ("http://example.com/\u{85}", M),
            ("http:example.com/", M),
            ("http:/example.com/", M),
            ("http:///example.com/", M),
            ("http:\\\\example.com", M),
            ("ftp://example.com/", S),
            ("ws://example.com/", S),
            ("javascript:alert(1)", S),
            ("example.com", M),
            ("http://u@example.com/", U),
            ("http://u:p@example.com/", U),
            ("http://example.com\\@127.0.0.1/", M),
            ("http://ex%61mple.com/", M),
            ("http://[fe80::1%25eth0]/", M),
            ("http://[v1.x]/", M),
            ("http://[::1]x/", M),
            ("http://[::1]:x/", M),
            ("http://example.com:/", M),
            ("http://example.com:65536/", M),
            ("http://example.com:٨٠/", M),
            ("http://127。0。0。1/", M),
            ("http://127\u{2024}0\u{2024}0\u{2024}1/", M),
            ("http://①②⑦.0.0.1/", A),
            ("http://0177.0.0.1/", A),
            ("http://0x7f.1/", A),
            ("http://2130706433/", A),
            ("http://134744072/", A),
            ("http://127.0.0.1../", A),
            ("http://a..b/", M),
            ("http://256.256.256.256/", A),
            ("http://1e1.0.0.1/", A),
            ("http://foo.0x4/", A),
            ("http://a!b.com/", M),
        ] {
            assert_eq!(Target::parse(text).map_err(|refusal| refusal.code), Err(code), "{text:?}");
        }
    }

    #[test]
    fn one_canonical_host() {
        for (text, host, port) in [
            ("HTTPS://Example.COM./x", "example.com", 443),
            ("http://8.8.8.8./", "8.8.8.8", 80),
            ("http://[0:0:0:0:0:ffff:8.8.8.8]:8080/", "::ffff:8.8.8.8", 8080),
            ("https://bücher.example/", "xn--bcher-kva.example", 443),
            ("https://ex\u{ad}ample.com/", "example.com", 443),
            ("https://example.com/a\\b", "example.com", 443),
            ("https://r3---sn-x.example.net/", "r3---sn-x.example.net", 443),
            ("https://_dmarc.example.net/", "_dmarc.example.net", 443),
            ("http://example.com#@127.0.0.1/", "example.com", 80),
        ] {
            let target = Target::parse(text).unwrap();
            assert_eq!((target.host.to_string().as_str(), target.port), (host, port), "{text}");
        }
    }

    #[test]
    fn locations_are_checked_raw() {
        let here = Target::parse("https://a.example.com/dir/x").unwrap();
        for (location, url) in [
            ("/b", Some("https://a.example.com/b")),
            ("y?z", Some("https://a.example.com/dir/y?z")),
            ("//b.example.com/", Some("https://b.example.com/")),
            ("https://a.example.com:443/x", Some("https://a.example.com/x")),
            ("?q=http://x", Some("https://a.example.com/dir/x?q=http://x")),
            ("///b.example.com/", None),
            ("\\\\b.example.com", None),
            ("/a\\b", None),
            ("\thttps://b.example.com/", None),
            ("http:b.example.com", None),
            ("//u@b.example.com/", None),
            ("file:///etc/hostname", None),
        ] {
            let joined = here.join(location).ok();
            assert_eq!(joined.as_ref().map(|target| target.url().as_str()), url, "{location:?}");
        }
    }
}
