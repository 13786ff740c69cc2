//! Selects the headers forwarded in each direction.

use doorward_mcp::headers;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};

pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");
pub(crate) const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
pub(crate) const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// Headers of a single connection (hop-by-hop).
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
/// Further hop-by-hop headers, for which the library has no constant.
const OF_THE_HOP_TOO: &[&str] = &["http2-settings", "keep-alive", "proxy-connection"];
/// Other headers that aren't forwarded: a cookie of a loopback address would be sent to all of its ports.
const LEFT_OUT: &[HeaderName] = &[
    header::ACCEPT_ENCODING,
    header::COOKIE,
    header::EXPECT,
    header::ORIGIN,
    header::REFERER,
    header::SET_COOKIE,
];

/// Prefixes of headers that override a part of the request.
const OVERRIDES: &[&str] = words! {
    "content-" "forwarded" "method-override" "x-forwarded-" "x-http-" "x-method" "x-original-"
    "x-override" "x-real-" "x-rewrite-"
};

/// Prefixes of headers by which a server could redirect a client, admit other pages, or make it store or show
/// something.
const LEADS_AWAY: &[&str] = words! {
    "access-control-" "alt-" "clear-site-data" "content-" "link" "location" "nel" "refresh" "report"
    "sec-" "server" "service-worker" "via" "x-accel"
};

/// Headers without the hop-by-hop ones, fixed or named by `Connection`.
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

/// A client's headers for the server. Keys come in headers of any name, so an allow-list isn't possible. Dropped
/// are names that a server may confuse with others, and headers that would make it use another method, path or body
/// than judged.
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

/// A server's headers for the client. The gateway sets the content type itself and drops headers with secrets or
/// orders to a model. The session id only goes back to the server.
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

/// Removes headers by name.
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
