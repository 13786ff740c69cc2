//! The strict reader behind [`Value::parse`]. Depth and length are bounded.

use std::collections::btree_map::Entry;

use super::{Number, Object, Value, folds_to_duplicate};

/// Upper bounds of the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Length of the text in bytes.
    pub bytes: usize,
    /// Nesting of arrays and objects; a scalar has depth 0.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 8 * 1024 * 1024, depth: 64 }
    }
}

/// The kind of refusal; [`JsonErrorKind::code`] is its stable name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonErrorKind {
    /// Not JSON, more than one document, a byte order mark, bytes that aren't UTF-8.
    Syntax,
    /// Two members with the same key after unescaping and case folding.
    DuplicateKey,
    /// NaN, Infinity, or a malformed number.
    Number,
    /// Nested too deeply.
    Depth,
    /// Longer than allowed.
    TooLong,
}

impl JsonErrorKind {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Syntax => "json.syntax",
            Self::DuplicateKey => "json.duplicate_key",
            Self::Number => "json.number",
            Self::Depth => "json.depth",
            Self::TooLong => "json.too_long",
        }
    }
}

/// Why a text was refused. Quotes no content except a key's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message} at byte {offset}", kind.code())]
pub struct JsonError {
    /// The kind of refusal.
    pub kind: JsonErrorKind,
    /// Byte offset in the text.
    pub offset: usize,
    /// Explanation.
    pub message: String,
}

impl JsonError {
    pub(crate) fn new(kind: JsonErrorKind, offset: usize, message: impl Into<String>) -> Self {
        Self { kind, offset, message: message.into() }
    }

    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }
}

pub(super) fn parse(bytes: &[u8], limits: Limits) -> Result<Value, JsonError> {
    if bytes.len() > limits.bytes {
        return Err(JsonError::new(
            JsonErrorKind::TooLong,
            limits.bytes,
            format!("{} bytes, at most {} are read", bytes.len(), limits.bytes),
        ));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| JsonError::new(JsonErrorKind::Syntax, error.valid_up_to(), "not UTF-8"))?;
    if text.starts_with('\u{feff}') {
        return Err(JsonError::new(JsonErrorKind::Syntax, 0, "a byte order mark"));
    }
    Reader { text, at: 0, depth_left: limits.depth, folds: true }.document()
}

/// Reads Doorward's own output, in which keys that differ only in case (two files of a session, say) are distinct.
pub(super) fn parse_own(bytes: &[u8]) -> Result<Value, JsonError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| JsonError::new(JsonErrorKind::Syntax, error.valid_up_to(), "not UTF-8"))?;
    Reader { text, at: 0, depth_left: Limits::default().depth, folds: false }.document()
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth_left: usize,
    /// Whether keys that differ only in case count as duplicates.
    folds: bool,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<Value, JsonError> {
        self.skip_space();
        let value = self.value()?;
        self.skip_space();
        if self.at < self.text.len() {
            return Err(self.error(JsonErrorKind::Syntax, "text after the document"));
        }
        Ok(value)
    }

    fn error(&self, kind: JsonErrorKind, message: impl Into<String>) -> JsonError {
        JsonError::new(kind, self.at, message)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.at += 1;
        }
        found
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word));
        if found {
            self.at += word.len();
        }
        found
    }

    // Recursion is bounded by `Limits::depth`.
    fn value(&mut self) -> Result<Value, JsonError> {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(Value::String),
            Some(b't') if self.word("true") => Ok(Value::Bool(true)),
            Some(b'f') if self.word("false") => Ok(Value::Bool(false)),
            Some(b'n') if self.word("null") => Ok(Value::Null),
            Some(b'-' | b'0'..=b'9' | b'N' | b'I' | b'+' | b'.') => self.number(),
            Some(_) => Err(self.error(JsonErrorKind::Syntax, "expected a value")),
            None => Err(self.error(JsonErrorKind::Syntax, "the text ends where a value should be")),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, JsonError>) -> Result<Value, JsonError> {
        let Some(left) = self.depth_left.checked_sub(1) else {
            return Err(self.error(JsonErrorKind::Depth, "nested too deeply"));
        };
        self.depth_left = left;
        let value = read(self)?;
        self.depth_left = left + 1;
        Ok(value)
    }

    fn object(&mut self) -> Result<Value, JsonError> {
        let start = self.at;
        self.at += 1;
        let mut members = Object::new();
        self.skip_space();
        if self.eat(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.error(JsonErrorKind::Syntax, "expected a key in quotes"));
            }
            let key_at = self.at;
            let key = self.string()?;
            self.skip_space();
            if !self.eat(b':') {
                return Err(self.error(JsonErrorKind::Syntax, "expected ':'"));
            }
            self.skip_space();
            let value = self.value()?;
            match members.entry(key) {
                Entry::Vacant(free) => drop(free.insert(value)),
                Entry::Occupied(taken) => return Err(duplicate(key_at, taken.key())),
            }
            self.skip_space();
            if self.eat(b'}') {
                break;
            }
            if !self.eat(b',') {
                return Err(self.error(JsonErrorKind::Syntax, "expected ',' or '}'"));
            }
        }
        if self.folds
            && let Some(key) = folds_to_duplicate(members.keys().map(String::as_str))
        {
            return Err(duplicate(start, key));
        }
        Ok(Value::Object(members))
    }

    fn array(&mut self) -> Result<Value, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.eat(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            self.skip_space();
            items.push(self.value()?);
            self.skip_space();
            if self.eat(b']') {
                return Ok(Value::Array(items));
            }
            if !self.eat(b',') {
                return Err(self.error(JsonErrorKind::Syntax, "expected ',' or ']'"));
            }
        }
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'+' | b'-' | b'.' | b'_'))
        {
            self.at += 1;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        Number::parse(text).map(Value::Number).ok_or_else(|| {
            let kind = if text.contains("NaN") || text.contains("Infinity") || text.len() > 300 {
                JsonErrorKind::Number
            } else {
                JsonErrorKind::Syntax
            };
            JsonError::new(kind, start, "not a JSON number")
        })
    }

    fn string(&mut self) -> Result<String, JsonError> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let Some(stop) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)) else {
                return Err(self.error(JsonErrorKind::Syntax, "the text ends inside a string"));
            };
            out.push_str(rest.get(..stop).unwrap_or_default());
            self.at += stop;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                _ => return Err(self.error(JsonErrorKind::Syntax, "a raw control character in a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let byte = self.peek();
        self.at += 1;
        Ok(match byte {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.error(JsonErrorKind::Syntax, "an unknown escape")),
        })
    }

    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let first = self.hex4()?;
        let code = if (0xd800..0xdc00).contains(&first) && self.word("\\u") {
            let second = self.hex4()?;
            if !(0xdc00..0xe000).contains(&second) {
                return Err(self.error(JsonErrorKind::Syntax, "half of a surrogate pair"));
            }
            0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| self.error(JsonErrorKind::Syntax, "half of a surrogate pair"))
    }

    fn hex4(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(self.error(JsonErrorKind::Syntax, "expected four hexadecimal digits"));
        }
        self.at += 4;
        u32::from_str_radix(digits, 16)
            .map_err(|_| self.error(JsonErrorKind::Syntax, "expected hexadecimal digits"))
    }
}

pub(super) fn duplicate(offset: usize, key: &str) -> JsonError {
    let shown: String = key.chars().take(64).collect();
    JsonError::new(JsonErrorKind::DuplicateKey, offset, format!("the key {shown:?} occurs twice"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_other_readers_resolve_silently() {
        for (text, code) in [
            (r#"{"a":1,"a":2}"#, "json.duplicate_key"),
            (r#"{"a":1,"\u0061":2}"#, "json.duplicate_key"),
            (r#"{"path":1,"Path":2}"#, "json.duplicate_key"),
            (r#"{"x":{"s":1,"ſ":2}}"#, "json.duplicate_key"),
            ("NaN", "json.number"),
            ("[-Infinity]", "json.number"),
            ("\u{feff}{}", "json.syntax"),
            ("{} {}", "json.syntax"),
            ("{'a':1}", "json.syntax"),
            ("[1,]", "json.syntax"),
            (r#""\ud800""#, "json.syntax"),
            ("\"a\nb\"", "json.syntax"),
            ("", "json.syntax"),
            ("// x\n1", "json.syntax"),
        ] {
            assert_eq!(Value::parse(text).unwrap_err().code(), code, "{text}");
        }
    }

    #[test]
    fn depth_and_length_are_bounded() {
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Value::parse(&deep(64)).is_ok());
        assert_eq!(Value::parse(&deep(65)).unwrap_err().code(), "json.depth");
        assert_eq!(Value::parse(&"[".repeat(1_000_000)).unwrap_err().code(), "json.depth");
        let limits = Limits { bytes: 4, depth: 1 };
        assert_eq!(Value::parse_bytes(b"12345", limits).unwrap_err().code(), "json.too_long");
    }

    proptest::proptest! {
        #[test]
        fn never_panics_and_agrees_with_serde_json_where_it_accepts(text in "\\PC{0,64}") {
            if let Ok(value) = Value::parse(&text) {
                let other: serde_json::Value = serde_json::from_str(&text).unwrap();
                proptest::prop_assert_eq!(serde_json::Value::from(&value), other);
            }
        }
    }
}
