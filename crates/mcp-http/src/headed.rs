//! The headers that go from one side to the other, and those that don't.

use doorward_mcp::headers;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};

pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");
pub(crate) const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
pub(crate) const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// What belongs to one connection and not to the message.
const OF_THE_HOP: &[HeaderName] = &[
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::HOST,
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];
/// The same, as names that the library doesn't know.
const OF_THE_HOP_TOO: &[&str] = &["http2-settings", "keep-alive", "proxy-connection"];
/// What isn't passed on besides: a cookie of a loopback address would go to every other port of it.
const LEFT_OUT: &[HeaderName] = &[
    header::ACCEPT_ENCODING,
    header::COOKIE,
    header::EXPECT,
    header::ORIGIN,
    header::REFERER,
    header::SET_COOKIE,
];

/// How the names of headers begin that replace a part of the request.
const OVERRIDES: &[&str] = &[
    "content-",
    "forwarded",
    "method-override",
    "x-forwarded-",
    "x-http-",
    "x-method",
    "x-original-",
    "x-override",
    "x-real-",
    "x-rewrite-",
];

/// How the names of headers begin by which a server would lead a client elsewhere, let other pages in, or have it keep or
/// show something of its own.
const LEADS_AWAY: &[&str] = &[
    "access-control-",
    "alt-",
    "clear-site-data",
    "content-",
    "link",
    "location",
    "nel",
    "refresh",
    "report",
    "sec-",
    "server",
    "service-worker",
    "via",
    "x-accel",
];

/// Headers without those of the connection and those that it names itself.
pub(crate) fn end_to_end(given: &HeaderMap) -> HeaderMap {
    let named: Vec<String> = given
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(|name| name.trim().to_ascii_lowercase()))
        .collect();
    let mut passing = given.clone();
    passing.retain_names(|name| {
        let is_of_hop =
            OF_THE_HOP.contains(name) || LEFT_OUT.contains(name) || OF_THE_HOP_TOO.contains(&name.as_str());
        !(is_of_hop || named.iter().any(|own| own == name.as_str()))
    });
    passing
}

/// A client's headers as they go to the server. Keys come in headers of any name, so that there is no list of those
/// that pass; but a name that a server may take for another one doesn't, and neither does one that would have the server
/// read another method, path or body than was judged.
pub(crate) fn going(given: &HeaderMap) -> HeaderMap {
    let mut going = end_to_end(given);
    going.retain_names(|name| {
        let name = name.as_str();
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let overrides = OVERRIDES.iter().any(|begin| name.starts_with(begin));
        is_plain && !overrides && !headers::is_routing(name)
    });
    going
}

/// A server's headers as they go to the client: what the body is, the gateway says itself, and none holds a secret or
/// orders to a model. The name of a session is a handle, which only goes back to the server.
pub(crate) fn coming(given: &HeaderMap, kind: HeaderValue) -> HeaderMap {
    let mut coming = end_to_end(given);
    coming.retain_names(|name| {
        let leads_away = LEADS_AWAY.iter().any(|begin| name.as_str().starts_with(begin));
        let is_session = name.as_str() == "mcp-session-id";
        !leads_away && (is_session || given.get_all(name).iter().all(is_harmless))
    });
    coming.insert(header::CONTENT_TYPE, kind);
    coming
}

fn is_harmless(value: &HeaderValue) -> bool {
    let Ok(text) = value.to_str() else { return false };
    doorward_secrets::redact_text(text) == text && doorward_mcp::scan::look_at(text).codes.is_empty()
}

/// Leaving headers out by their names.
pub(crate) trait RetainNames {
    fn retain_names(&mut self, keep: impl Fn(&HeaderName) -> bool);
}

impl RetainNames for HeaderMap {
    fn retain_names(&mut self, keep: impl Fn(&HeaderName) -> bool) {
        let gone: Vec<HeaderName> = self.keys().filter(|name| !keep(name)).cloned().collect();
        for name in gone {
            self.remove(name);
        }
    }
}
