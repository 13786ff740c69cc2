//! Credentials hidden from the agent: the child's environment has a placeholder, and the real value is inserted
//! only in the named headers of https requests to the bound hosts.
//!
//! A placeholder anywhere else (another host, another header, the URL, twice) suggests exfiltration, so the request
//! is refused. A response that contains the real value is cut off before the value is complete. Without the feature
//! `intercept` no credential can be bound, and every vault is empty.
#![cfg_attr(not(feature = "intercept"), allow(dead_code, unreachable_pub))]

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::head::{Headers, RequestHead};
use crate::code::{Code, Refusal};
use crate::target::{Host, split_port};

/// A credential to insert.
#[derive(Clone)]
pub struct Credential {
    /// Its name in records.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Exact hosts it may go to, `host` or `host:port`; 443 without a port.
    pub hosts: Vec<String>,
    /// Headers that may contain it; `authorization` and `x-api-key` if empty.
    pub headers: Vec<String>,
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credential")
            .field("name", &self.name)
            .field("hosts", &self.hosts)
            .finish_non_exhaustive()
    }
}

pub(crate) struct Binding {
    name: String,
    value: String,
    placeholder: String,
    hosts: Vec<(Host, u16)>,
    headers: Vec<String>,
}

/// The credentials of one session.
#[derive(Default)]
pub(crate) struct Vault(RwLock<Vec<Arc<Binding>>>);

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vault")
    }
}

const USUAL_HEADERS: &[&str] = &["authorization", "x-api-key"];
/// Shorter values could occur by chance.
const LEAST_LENGTH: usize = 16;

impl Vault {
    /// Binds a credential and returns its placeholder.
    pub(crate) fn bind(&self, credential: Credential) -> io::Result<String> {
        let invalid = |why| io::Error::new(io::ErrorKind::InvalidInput, why);
        let Credential { name, value, hosts, headers } = credential;
        if value.len() < LEAST_LENGTH || !value.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(invalid("a credential has at least 16 printable ASCII characters"));
        }
        let host = |text: &String| {
            let (host, port) = split_port(text).map_err(|_| invalid("not a host"))?;
            Ok((Host::parse(host).map_err(|_| invalid("not a host"))?, port.unwrap_or(443)))
        };
        let hosts = hosts.iter().map(host).collect::<io::Result<Vec<_>>>()?;
        let headers = if headers.is_empty() {
            USUAL_HEADERS.iter().map(|name| (*name).to_owned()).collect()
        } else {
            headers.iter().map(|name| name.to_ascii_lowercase()).collect()
        };
        let placeholder = placeholder(&value)?;
        let binding = Binding { name, value, placeholder: placeholder.clone(), hosts, headers };
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(Arc::new(binding));
        Ok(placeholder)
    }

    fn all(&self) -> Vec<Arc<Binding>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether any credential is bound to this host and port.
    pub(crate) fn binds(&self, host: &Host, port: u16) -> bool {
        self.all().iter().any(|binding| binding.is_for(host, port))
    }

    /// Inserts the credentials bound to this host. Returns their names, and the values that the response must not
    /// contain.
    ///
    /// # Errors
    /// `secret_misdirected`.
    pub(crate) fn fill(
        &self,
        head: &mut RequestHead,
        to: Option<(&Host, u16)>,
    ) -> Result<(Vec<String>, Option<Watch>), Refusal> {
        let (mut names, mut values) = (vec![], vec![]);
        for binding in self.all() {
            let count = occurrences(head, &binding.placeholder);
            if count == 0 {
                continue;
            }
            let bound = to.is_some_and(|(host, port)| binding.is_for(host, port));
            let filled = bound && count == 1 && binding.fill(&mut head.headers);
            if !filled {
                return Err(Refusal::new(Code::SecretMisdirected, "a credential's placeholder went astray"));
            }
            names.push(binding.name.clone());
            values.push(binding.value.clone().into_bytes());
        }
        let watch = (!values.is_empty()).then(|| Watch { values, tail: Mutex::default() });
        Ok((names, watch))
    }
}

impl Binding {
    fn is_for(&self, host: &Host, port: u16) -> bool {
        self.hosts.iter().any(|(own, at)| own == host && *at == port)
    }

    /// Inserts the value in the single header that contains the placeholder.
    fn fill(&self, headers: &mut Headers) -> bool {
        let named = headers.iter_mut().filter(|(name, _)| self.headers.contains(name));
        for (_, value) in named {
            let Ok(text) = std::str::from_utf8(value) else { continue };
            if text.contains(&self.placeholder) {
                *value = text.replacen(&self.placeholder, &self.value, 1).into_bytes();
                return true;
            }
            if let Some(pair) = basic_pair(text).filter(|pair| pair.contains(&self.placeholder)) {
                let pair = pair.replacen(&self.placeholder, &self.value, 1);
                *value = format!("Basic {}", STANDARD.encode(pair)).into_bytes();
                return true;
            }
        }
        false
    }
}

fn occurrences(head: &RequestHead, placeholder: &str) -> usize {
    let in_headers = head.headers.iter().map(|(name, value)| {
        let text = String::from_utf8_lossy(value);
        let decoded = basic_pair(&text).map_or(0, |pair| pair.matches(placeholder).count());
        text.matches(placeholder).count() + decoded + name.matches(&placeholder.to_ascii_lowercase()).count()
    });
    in_headers.sum::<usize>() + head.uri.matches(placeholder).count()
}

fn basic_pair(value: &str) -> Option<String> {
    let (scheme, encoded) = value.trim().split_once(' ')?;
    let basic = scheme.eq_ignore_ascii_case("basic");
    String::from_utf8(STANDARD.decode(encoded.trim()).ok().filter(|_| basic)?).ok()
}

/// Random characters of the same classes; punctuation, and a short prefix ending in it, is kept.
fn placeholder(value: &str) -> io::Result<String> {
    let kept = value.get(..12).and_then(|head| head.rfind(['_', '-'])).map_or(0, |at| at + 1);
    let mut random = vec![0; value.len()];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let drawn = value.bytes().zip(random).enumerate().map(|(at, (byte, random))| {
        let (first, count) = match byte {
            _ if at < kept => return char::from(byte),
            b'0'..=b'9' => (b'0', 10),
            b'a'..=b'z' => (b'a', 26),
            b'A'..=b'Z' => (b'A', 26),
            other => return char::from(other),
        };
        char::from(first + random % count)
    });
    Ok(drawn.collect())
}

/// Values that a response must not contain.
pub(crate) struct Watch {
    values: Vec<Vec<u8>>,
    /// Tail of the bytes already forwarded, kept so that a value split across chunks is still found.
    tail: Mutex<Vec<u8>>,
}

/// The error for a response that contains a value.
pub(crate) const ECHOED: io::ErrorKind = io::ErrorKind::PermissionDenied;

impl Watch {
    /// Checks bytes before they go to the child.
    pub(crate) fn look(&self, bytes: &[u8]) -> io::Result<()> {
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(bytes);
        let found = |value: &Vec<u8>| tail.windows(value.len()).any(|part| part == value.as_slice());
        if self.values.iter().any(found) {
            return Err(ECHOED.into());
        }
        let longest = self.values.iter().map(Vec::len).max().unwrap_or(0);
        let spare = tail.len().saturating_sub(longest.saturating_sub(1));
        tail.drain(..spare);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::head::parse_request;
    use super::*;
    use crate::target::Host;

    #[test]
    fn placeholders_go_to_one_header_of_one_host() {
        let vault = Vault::default();
        let value = "ghp_0123456789abcdefABCDEF0123456789abcd";
        let credential = Credential {
            name: "github".into(),
            value: value.into(),
            hosts: vec!["api.example".into()],
            headers: vec![],
        };
        let own = vault.bind(credential).unwrap();
        assert!(own.starts_with("ghp_") && own.len() == value.len() && own != value);
        let basic = STANDARD.encode(format!("x:{own}"));
        let bound = Host::parse("api.example").unwrap();
        let other = Host::parse("b.example").unwrap();
        for (lines, to, filled) in [
            (
                format!("Authorization: Bearer {own}\r\n"),
                Some((&bound, 443)),
                Some(format!("Bearer {value}")),
            ),
            (
                format!("Authorization: Basic {basic}\r\n"),
                Some((&bound, 443)),
                Some(format!("Basic {}", STANDARD.encode(format!("x:{value}")))),
            ),
            (format!("Authorization: Bearer {own}\r\n"), Some((&bound, 8443)), None),
            (format!("Authorization: Bearer {own}\r\n"), Some((&other, 443)), None),
            (format!("Authorization: Basic {basic}\r\n"), Some((&other, 443)), None),
            (format!("Authorization: Bearer {own}\r\n"), None, None),
            (format!("X-Other: {own}\r\n"), Some((&bound, 443)), None),
            (format!("Authorization: {own}\r\nX-Api-Key: {own}\r\n"), Some((&bound, 443)), None),
        ] {
            let text = format!("GET / HTTP/1.1\r\nHost: x\r\n{lines}\r\n");
            let mut head = parse_request(text.as_bytes()).unwrap();
            let got =
                vault.fill(&mut head, to).ok().map(|_| String::from_utf8(head.headers[1].1.clone()).unwrap());
            assert_eq!(got, filled, "{lines}");
        }
        let mut in_url =
            parse_request(format!("GET /?{own} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).unwrap();
        assert!(vault.fill(&mut in_url, Some((&bound, 443))).is_err());
    }

    #[test]
    fn values_do_not_come_back_in_pieces() {
        let watch = Watch { values: vec![b"0123456789abcdef".to_vec()], tail: Mutex::default() };
        assert!(watch.look(b"xx0123456").is_ok());
        assert!(watch.look(b"789abcde").is_ok());
        assert!(watch.look(b"f").is_err());
    }
}
