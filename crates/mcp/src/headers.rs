//! The headers of revision 2026-07-28, which repeat parts of a message so that servers can route by them. The gate
//! judges the body. A header that disagrees with the body is refused, and the headers sent to the server are
//! derived from the body.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::message::{Kind, Members, Message};

/// JSON-RPC code for a header that disagrees with the body, or is missing.
pub const MISMATCH: i64 = -32020;
/// The `_meta` member with the protocol version of a message.
pub const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The first revision without sessions, in which every request is complete by itself.
pub const STATELESS: &str = "2026-07-28";

const PROTOCOL: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";
const PARAM: &str = "mcp-param-";

/// A tool parameter that is repeated in a header `Mcp-Param-…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// The property of the input schema.
    pub property: String,
    /// The value of its `x-mcp-header`.
    pub header: String,
}

/// Whether a header is one of these. The gateway writes them itself.
#[must_use]
pub fn is_routing(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == METHOD || name == NAME || name.starts_with(PARAM)
}

/// The protocol version stated in a message.
#[must_use]
pub fn version_of(message: &Message<'_>) -> Option<String> {
    let params = message.params().ok().flatten()?;
    Members::of(params.get("_meta")?.get()).ok()?.text(VERSION)
}

/// Whether a message is of a revision without sessions.
#[must_use]
pub fn is_stateless(message: &Message<'_>) -> bool {
    version_of(message).is_some_and(|version| version.as_str() >= STATELESS)
}

/// Parameters that a tool's definition repeats in headers; invalid annotations are ignored.
#[must_use]
pub fn repeated(definition: &str) -> Vec<Repeated> {
    let Ok(definition) = serde_json::from_str::<Value>(definition) else { return Vec::new() };
    let Some(properties) = definition.pointer("/inputSchema/properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let wanted = properties.iter().filter_map(|(property, schema)| {
        let header = schema.get("x-mcp-header")?.as_str().filter(|header| is_token(header))?;
        let of_plain_type = matches!(schema.get("type")?.as_str()?, "string" | "integer" | "boolean");
        of_plain_type.then(|| Repeated { property: property.clone(), header: header.to_owned() })
    });
    wanted.collect()
}

fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// The headers to send with a message.
#[must_use]
pub fn of(message: &Message<'_>, repeated: &[Repeated]) -> Vec<(String, String)> {
    let mut headers = Vec::new();
    let Some(version) = version_of(message) else { return headers };
    headers.push((PROTOCOL.to_owned(), version));
    if message.kind == Kind::Answer {
        return headers;
    }
    headers.push((METHOD.to_owned(), message.method.clone()));
    if let Some(name) = name_of(message) {
        headers.push((NAME.to_owned(), encoded(&name)));
    }
    for (one, value) in arguments_of(message, repeated) {
        headers.push((format!("{PARAM}{}", one.header.to_ascii_lowercase()), encoded(&value)));
    }
    headers
}

/// The value of `Mcp-Name`.
fn name_of(message: &Message<'_>) -> Option<String> {
    let params = message.params().ok().flatten()?;
    match message.method.as_str() {
        "tools/call" | "prompts/get" => params.text("name"),
        "resources/read" => params.text("uri"),
        _ => None,
    }
}

fn arguments_of<'a>(message: &Message<'_>, repeated: &'a [Repeated]) -> Vec<(&'a Repeated, String)> {
    if message.method != "tools/call" || repeated.is_empty() {
        return Vec::new();
    }
    let params = message.params().ok().flatten();
    let arguments = params.as_ref().and_then(|params| params.get("arguments").map(RawValue::get));
    let Some(arguments) = arguments.and_then(|arguments| Members::of(arguments).ok()) else {
        return Vec::new();
    };
    let value = |raw: &RawValue| match serde_json::from_str::<Value>(raw.get()).ok()? {
        Value::String(text) => Some(text),
        Value::Number(_) => Some(raw.get().to_owned()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    };
    repeated.iter().filter_map(|one| Some((one, value(arguments.get(&one.property)?)?))).collect()
}

/// Why a message is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// JSON-RPC code.
    pub code: i64,
    /// Explanation.
    pub why: String,
}

impl From<String> for Wrong {
    fn from(why: String) -> Self {
        Self { code: MISMATCH, why }
    }
}

/// Checks the headers of a received message. `given` has each header's name and value.
///
/// # Errors
/// The wrong header, described for the client.
pub fn check(message: &Message<'_>, given: &[(String, Vec<u8>)], repeated: &[Repeated]) -> Result<(), Wrong> {
    let named = |name: &str| -> Result<Option<String>, String> {
        let mut found = given.iter().filter(|(own, _)| own.eq_ignore_ascii_case(name));
        let first = found.next();
        if found.next().is_some() {
            return Err(format!("the header {name} occurs twice"));
        }
        let Some((_, value)) = first else { return Ok(None) };
        let value = std::str::from_utf8(value).map_err(|_| format!("the header {name} isn't UTF-8"))?;
        decoded(value.trim_matches([' ', '\t'])).map(Some).map_err(|why| format!("the header {name}: {why}"))
    };
    let version = version_of(message);
    let is_new = version.as_deref().is_some_and(|version| version >= STATELESS);
    let header_is_new = named(PROTOCOL)?.is_some_and(|version| version.as_str() >= STATELESS);
    if !is_new && !header_is_new {
        // Older revisions don't define these headers; they aren't forwarded.
        return Ok(());
    }
    if message.kind != Kind::Request {
        return Ok(());
    }
    if version.is_none() {
        let why = format!("a request of revision {STATELESS} names it in `params._meta`, under {VERSION}");
        return Err(Wrong { code: -32602, why });
    }
    let mut wanted = vec![(PROTOCOL.to_owned(), version), (METHOD.to_owned(), Some(message.method.clone()))];
    wanted.push((NAME.to_owned(), name_of(message)));
    let told = arguments_of(message, repeated);
    for one in repeated {
        let value = told.iter().find(|(own, _)| *own == one).map(|(_, value)| value.clone());
        wanted.push((format!("{PARAM}{}", one.header.to_ascii_lowercase()), value));
    }
    for (name, wanted) in wanted {
        match (named(&name)?, wanted) {
            (None, None) => {}
            (Some(given), Some(wanted)) if given == wanted => {}
            (Some(given), Some(wanted)) if is_same_integer(&given, &wanted) && name.starts_with(PARAM) => {}
            (None, Some(_)) => return Err(format!("the header {name} is missing").into()),
            (Some(_), Some(_) | None) => {
                return Err(format!("the header {name} disagrees with the body").into());
            }
        }
    }
    Ok(())
}

/// Whether two values are equal. Integers have several spellings: `1` and `1.0`.
fn is_same_integer(one: &str, other: &str) -> bool {
    let number =
        |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite() && value.fract() == 0.0);
    matches!((number(one), number(other)), (Some(one), Some(other)) if one == other)
}

const BEGIN: &str = "=?base64?";
const END: &str = "?=";

fn decoded(value: &str) -> Result<String, String> {
    let Some(inner) = value.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END)) else {
        if value.bytes().all(|byte| (0x20..0x7f).contains(&byte) || byte == b'\t') {
            return Ok(value.to_owned());
        }
        return Err("characters other than visible ASCII have to be sent as Base64".to_owned());
    };
    let bytes = STANDARD.decode(inner).map_err(|_| "it isn't Base64".to_owned())?;
    String::from_utf8(bytes).map_err(|_| "it isn't UTF-8".to_owned())
}

fn encoded(value: &str) -> String {
    let plain = value.bytes().all(|byte| (0x20..0x7f).contains(&byte)) && value.trim() == value;
    if plain && !(value.starts_with(BEGIN) && value.ends_with(END)) {
        return value.to_owned();
    }
    format!("{BEGIN}{}{END}", STANDARD.encode(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: &str = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","#,
        r#""arguments":{"region":"Österreich","n":3},"#,
        r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
    );

    fn annotated() -> Vec<Repeated> {
        repeated(
            r#"{"name":"pay","inputSchema":{"type":"object","properties":{
            "region":{"type":"string","x-mcp-header":"Region"},"n":{"type":"integer","x-mcp-header":"N"},
            "o":{"type":"object","x-mcp-header":"O"},"s":{"type":"string","x-mcp-header":"a b"}}}}"#,
        )
    }

    fn given(headers: &[(String, String)]) -> Vec<(String, Vec<u8>)> {
        headers.iter().map(|(name, value)| (name.clone(), value.clone().into_bytes())).collect()
    }

    #[test]
    fn what_we_send_is_what_we_accept() {
        let message = Message::of(CALL).unwrap();
        let own = of(&message, &annotated());
        let expected = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "pay"),
            ("mcp-param-region", "=?base64?w5ZzdGVycmVpY2g=?="),
            ("mcp-param-n", "3"),
        ];
        assert_eq!(own, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(check(&message, &given(&own), &annotated()), Ok(()));
    }

    #[test]
    fn a_header_that_says_something_else_than_the_body_is_refused() {
        let message = Message::of(CALL).unwrap();
        let own = of(&message, &annotated());
        let with = |name: &str, value: &str| {
            let mut headers = own.clone();
            headers.retain(|(own, _)| own != name);
            headers.push((name.to_owned(), value.to_owned()));
            check(&message, &given(&headers), &annotated())
        };
        for (name, value) in [
            ("mcp-method", "ping"),
            ("mcp-method", "TOOLS/CALL"),
            ("mcp-name", "look"),
            ("mcp-name", "=?base64?cGF5?"),
            ("mcp-protocol-version", "2025-11-25"),
            ("mcp-param-region", "=?base64?****?="),
            ("mcp-param-region", "Oesterreich"),
            ("mcp-param-n", "4"),
        ] {
            assert!(with(name, value).is_err(), "{name}: {value}");
        }
        assert_eq!(with("mcp-name", " =?base64?cGF5?= "), Ok(()), "the same in Base64");
        for missing in ["mcp-method", "mcp-name", "mcp-protocol-version", "mcp-param-n"] {
            let headers: Vec<_> = own.iter().filter(|(name, _)| name != missing).cloned().collect();
            assert!(check(&message, &given(&headers), &annotated()).is_err(), "{missing}");
        }
        let mut twice = own.clone();
        twice.push(("Mcp-Name".to_owned(), "pay".to_owned()));
        assert!(check(&message, &given(&twice), &annotated()).is_err());
    }

    #[test]
    fn an_older_message_under_the_newer_header_is_refused() {
        let message =
            Message::of(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay"}}"#).unwrap();
        let newer = [("MCP-Protocol-Version".to_owned(), b"2026-07-28".to_vec())];
        assert!(check(&message, &newer, &[]).is_err());
        let older = [("MCP-Protocol-Version".to_owned(), b"2025-11-25".to_vec())];
        assert_eq!(check(&message, &older, &[]), Ok(()));
    }
}
