//! The gate's JSON reader: strict, exact, bounded.
//!
//! Two readers that disagree about a text are an attack surface. So this one refuses what other readers resolve
//! silently: duplicate keys (also after unescaping and case folding), NaN and Infinity, a byte order mark, a second
//! document, lone surrogates, excessive depth or length. Numbers keep their exact decimal value: `2^53` and
//! `2^53 + 1` stay different, so one approval can't cover two amounts. [`Value::canonical`] follows RFC 8785 except
//! for these exact numbers. Approvals and records are bound to [`Value::digest`].

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::id::Digest;

mod canonical;
mod number;
mod read;

pub use number::Number;
pub use read::{JsonError, JsonErrorKind, Limits};

/// A JSON value with exact numbers and members in order of their keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number by its exact decimal value.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object. Keys are unique by construction.
    Object(Object),
}

/// The members of an object.
pub type Object = BTreeMap<String, Value>;

impl Value {
    /// Reads one document under the default [`Limits`].
    ///
    /// # Errors
    /// [`JsonError`] with the offset and one of the codes `json.syntax`, `json.duplicate_key`, `json.number`,
    /// `json.depth`, `json.too_long`.
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        read::parse(text.as_bytes(), Limits::default())
    }

    /// Reads one document from bytes under the given limits.
    ///
    /// # Errors
    /// As [`Value::parse`]; bytes that aren't UTF-8 are `json.syntax`.
    pub fn parse_bytes(bytes: &[u8], limits: Limits) -> Result<Self, JsonError> {
        read::parse(bytes, limits)
    }

    /// The member of an object; `None` for anything else.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.get(key)
    }

    /// The value at a path of keys.
    #[must_use]
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |value, key| value.get(key))
    }

    /// The string, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The boolean, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn as_number(&self) -> Option<&Number> {
        if let Self::Number(value) = self { Some(value) } else { None }
    }

    /// The number as an `i64`, if it is an integer in range (`1.0` and `1e3` count).
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.as_i64()
    }

    /// The elements, if it is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Self]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    /// The members, if it is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    /// `true` for `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Canonical text: members by UTF-16 code units of their keys, no white space, shortest escapes, exact
    /// decimal numbers.
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        self.write_canonical(&mut out);
        out
    }

    /// `sha256:` and the lower-case hex of SHA-256 over the canonical text.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.canonical().as_bytes())
    }

    /// Calls `visit` on every string value in document order, but not on keys.
    pub fn for_each_string<'a>(&'a self, visit: &mut impl FnMut(&'a str)) {
        match self {
            Self::String(text) => visit(text),
            Self::Array(items) => items.iter().for_each(|item| item.for_each_string(visit)),
            Self::Object(members) => members.values().for_each(|member| member.for_each_string(visit)),
            Self::Null | Self::Bool(_) | Self::Number(_) => {}
        }
    }

    /// A copy with every string value and every key replaced by the result of `map`.
    ///
    /// If two keys become equal, both members are kept: `#2`, `#3` … is appended to the later key.
    #[must_use]
    pub fn map_strings(&self, map: &mut impl FnMut(&str) -> String) -> Self {
        match self {
            Self::String(text) => Self::String(map(text)),
            Self::Array(items) => Self::Array(items.iter().map(|item| item.map_strings(map)).collect()),
            Self::Object(members) => {
                let mut out = Object::new();
                for (key, member) in members {
                    let mapped = map(key);
                    let value = member.map_strings(map);
                    let mut name = mapped.clone();
                    let mut nth = 1_usize;
                    while out.contains_key(&name) {
                        nth = nth.saturating_add(1);
                        name = format!("{mapped}#{nth}");
                    }
                    out.insert(name, value);
                }
                Self::Object(out)
            }
            other => other.clone(),
        }
    }

    fn write_canonical(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(true) => out.push_str("true"),
            Self::Bool(false) => out.push_str("false"),
            Self::Number(number) => out.push_str(number.as_text()),
            Self::String(text) => write_string(text, out),
            Self::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write_canonical(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                let mut keys: Vec<(&String, &Self)> = members.iter().collect();
                if !keys.iter().all(|(key, _)| key.is_ascii()) {
                    keys.sort_by(|left, right| by_utf16(left.0, right.0));
                }
                out.push('{');
                for (index, (key, member)) in keys.into_iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_string(key, out);
                    out.push(':');
                    member.write_canonical(out);
                }
                out.push('}');
            }
        }
    }
}

/// Order of keys in RFC 8785: by UTF-16 code units. Differs from byte order only beyond the BMP.
fn by_utf16(left: &str, right: &str) -> std::cmp::Ordering {
    if left.is_ascii() && right.is_ascii() {
        left.cmp(right)
    } else {
        left.encode_utf16().cmp(right.encode_utf16())
    }
}

/// The canonical text of any serialisable value. Floats use their shortest decimal form.
///
/// # Errors
/// If the value can't be represented as JSON (for example a map with keys that aren't strings).
pub fn canonical_of<T: Serialize>(value: &T) -> Result<String, JsonError> {
    canonical::text_of(value)
}

/// Any serialisable value as a [`Value`].
///
/// # Errors
/// If the value can't be represented as JSON.
pub fn to_value<T: Serialize>(value: &T) -> Result<Value, JsonError> {
    let text = serde_json::to_vec(value)
        .map_err(|error| JsonError::new(JsonErrorKind::Syntax, 0, error.to_string()))?;
    read::parse_own(&text)
}

fn write_string(text: &str, out: &mut String) {
    use fmt::Write as _;
    out.push('"');
    if text.bytes().all(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        out.push_str(text);
        out.push('"');
        return;
    }
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{9}' => out.push_str("\\t"),
            '\u{a}' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\u{d}' => out.push_str("\\r"),
            control if u32::from(control) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.canonical())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Number(Number::from(value))
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}

/// From the value of another reader. Details that it dropped (duplicate keys, digits) can't be recovered.
impl From<serde_json::Value> for Value {
    fn from(value: serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(value) => Self::Bool(value),
            serde_json::Value::Number(number) => {
                Number::parse(&number.to_string()).map_or(Self::Null, Self::Number)
            }
            serde_json::Value::String(text) => Self::String(text),
            serde_json::Value::Array(items) => Self::Array(items.into_iter().map(Self::from).collect()),
            serde_json::Value::Object(members) => {
                Self::Object(members.into_iter().map(|(key, value)| (key, Self::from(value))).collect())
            }
        }
    }
}

/// For libraries that need `serde_json`. Numbers that a double can't represent exactly lose digits.
impl From<&Value> for serde_json::Value {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => number.to_serde(),
            Value::String(text) => Self::String(text.clone()),
            Value::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            Value::Object(members) => {
                Self::Object(members.iter().map(|(key, value)| (key.clone(), Self::from(value))).collect())
            }
        }
    }
}

impl Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Raw text keeps every digit; `serde_json` writes it unchanged.
        let raw =
            serde_json::value::RawValue::from_string(self.canonical()).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Goes through `serde_json::Value`, so that every self-describing format works. Outside input is read by the
        // strict `Value::parse` first.
        serde_json::Value::deserialize(deserializer).map(Self::from)
    }
}

impl schemars::JsonSchema for Value {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Json".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!(true)
    }
}

/// Whether a case-folding reader would take two keys of one object for the same.
pub(crate) fn folds_to_duplicate<'a>(mut keys: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    // Most objects have only lower-case ASCII keys, which are unique already.
    let folded = |key: &str| key.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if keys.clone().all(folded) {
        return None;
    }
    let mut seen = HashSet::new();
    keys.find(|key| !seen.insert(fold(key)))
}

fn fold(key: &str) -> String {
    // Upper-casing, then lower-casing folds ſ → s, K (Kelvin) → k and ß → ss, which lower-casing alone doesn't.
    key.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_form_is_rfc_8785_with_exact_numbers() {
        let cases = [
            (r#"{"b":1,"a":[true,null,"x"]}"#, r#"{"a":[true,null,"x"],"b":1}"#),
            (r#"{"n":1.0}"#, r#"{"n":1}"#),
            (r#"[1e0, 10, 1.50, -0, 0.001]"#, "[1,10,1.5,0,0.001]"),
            ("9007199254740993", "9007199254740993"),
            (r#""\u00e9\u0001\/""#, "\"é\\u0001/\""),
        ];
        for (text, canonical) in cases {
            assert_eq!(Value::parse(text).unwrap().canonical(), canonical, "{text}");
        }
    }

    #[test]
    fn own_values_may_have_keys_that_differ_in_case() {
        let files = BTreeMap::from([("Makefile", 1), ("makefile", 2)]);
        assert_eq!(canonical_of(&files).unwrap(), r#"{"Makefile":1,"makefile":2}"#);
    }

    #[test]
    fn two_amounts_never_share_a_digest() {
        let one = Value::parse(r#"{"amount":9007199254740992}"#).unwrap();
        let other = Value::parse(r#"{"amount":9007199254740993}"#).unwrap();
        assert_ne!(one.digest(), other.digest());
    }

    #[test]
    fn serialising_keeps_every_digit() {
        let text = r#"{"big":123456789012345678901234567890.5}"#;
        let value = Value::parse(text).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
    }

    #[test]
    fn mapping_strings_never_drops_a_member() {
        let value = Value::parse(r#"{"a":"x","b":"y"}"#).unwrap();
        let mapped = value.map_strings(&mut |_| "*".to_owned());
        assert_eq!(mapped.as_object().unwrap().len(), 2);
    }
}
