//! Names and their values: assignments, pairs, calls, flags, headers, elements.
//!
//! Everything is read forward from the name and stays on its line (an XML element's text may begin on the next), so
//! that a stream can decide with the bytes it has seen.

use crate::charset::{self, at, before, is};
use crate::connection;
use crate::name::{self, Kind};
use crate::value::{self, Place};

/// Kind of text around a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// Program text: a value must be in quotes.
    Source,
    /// Configuration, environment dumps, shell: bare values count.
    Config,
    /// Unknown: bare values count if they look random.
    #[default]
    Unknown,
}

/// A name and its value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Assignment {
    pub(crate) kind: Kind,
    /// Byte range of the name.
    pub(crate) name: (usize, usize),
    /// Byte range of the value, without quotes.
    pub(crate) value: (usize, usize),
    pub(crate) quoted: bool,
    /// Only white space separates them.
    pub(crate) spaced: bool,
}

const LONGEST_NAME: usize = 72;
const LONGEST_VALUE: usize = 4096;
/// Longest distance between a name and the beginning of a value compared with it on its left.
const LONGEST_COMPARED: usize = 160;

/// The assignment whose name contains the byte at `pos`, if the name suggests a secret and a value follows.
///
/// If two readings are possible (`name: Type = "v"`, a bare word), the nearer one wins if it is a secret: text
/// after the next white space must not change the result for the text before it.
pub(crate) fn at_name(text: &[u8], pos: usize, style: Style) -> Option<Assignment> {
    let (start, end) = name_around(text, pos);
    if !b"=:([?|+!".contains(&at(text, end))
        && let Some(found) = glued(text, pos, start, end, style)
    {
        return Some(found);
    }
    // `--password-stdin`, `--password-file`: the password isn't here.
    let name = text.get(start..end)?;
    let elsewhere = |text: &[u8]| [&b"-stdin"[..], b"-file", b"-fd"].iter().any(|end| text.starts_with(end));
    let dashed = name.iter().rposition(|byte| *byte == b'-').and_then(|at| name.get(at..));
    if elsewhere(text.get(end..)?) || dashed.is_some_and(elsewhere) {
        return None;
    }
    let constant = text
        .get(start..end)?
        .iter()
        .all(|byte| is(*byte, charset::UPPER | charset::DIGIT | charset::UNDERSCORE));
    let (value_at, operator) = operator(text, end, before(text, start), constant)?;
    // Prose and its code spans: "if you pass `spec=True`". A table's cell may be one.
    let verb = text.get(start..end).is_some_and(|name| {
        name.rsplit(|byte| *byte == b' ').next().is_some_and(|word| word.eq_ignore_ascii_case(b"pass"))
    });
    if operator == Operator::Space && (verb || at(text, value_at) == b'`') {
        return None;
    }
    if let Some(value) = connection::password(text, (start, end)) {
        let kind = Kind::Password;
        return Some(Assignment { kind, name: (start, end), value, quoted: true, spaced: false });
    }
    // In program text most names are dismissed here: without a quote after it, the name needn't be read.
    if style == Style::Source && operator != Operator::Element && !quote_ahead(text, value_at) {
        return None;
    }
    let kind = name::classify(text.get(start..end)?)?;
    let build = |value_at: usize, operator: Operator| {
        let (value, quoted) = value_from(text, value_at, operator)?;
        let quotes_needed = match style {
            Style::Source => operator != Operator::Element,
            Style::Config | Style::Unknown => matches!(operator, Operator::Comma | Operator::Call),
        };
        (quoted || !quotes_needed).then_some(Assignment {
            kind,
            name: (start, end),
            value,
            quoted: quoted || operator == Operator::Element,
            spaced: operator == Operator::Space,
        })
    };
    let near = build(value_at, operator);
    // A header's value isn't a type, whatever it ends with (`Basic …=`).
    if kind == Kind::Header || near.as_ref().is_some_and(|near| near.holds(text)) {
        return near;
    }
    let closed = matches!(at(text, end), b'"' | b'\'');
    typed(text, value_at).filter(|_| !closed).and_then(|value_at| build(value_at, Operator::Assign)).or(near)
}

/// A value before its name: `"v" == name`, `"v".equals(name)`.
pub(crate) fn compared(text: &[u8], pos: usize) -> Option<Assignment> {
    let part = |byte: u8| is(byte, charset::WORD) || byte == b'.';
    let own =
        text.get(pos.saturating_sub(LONGEST_NAME)..pos)?.iter().rev().take_while(|byte| part(**byte)).count();
    let left = text.get(..pos - own)?.trim_ascii_end();
    if !left.ends_with(b"=") && !left.ends_with(b"equals(") {
        return None;
    }
    let (start, end) = name_around(text, pos);
    let head = text.get(start.saturating_sub(LONGEST_COMPARED)..start)?;
    let head = head.rsplit(|byte| *byte == b'\n').next()?;
    let head = [&b"=="[..], b"!=", b".equals("]
        .iter()
        .find_map(|operator| head.trim_ascii_end().strip_suffix(*operator))
        .map(|head| head.strip_suffix(b"=").unwrap_or(head).trim_ascii_end())?;
    let quote = *head.last().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let length = head.iter().rev().skip(1).position(|byte| *byte == quote)?;
    let kind = name::classify(text.get(start..end)?)?;
    let close = start - (text.get(..start)?.iter().rev().position(|byte| *byte == quote)? + 1);
    let value = (close - length, close);
    Some(Assignment { kind, name: (start, end), value, quoted: true, spaced: false })
}

/// A value given by another field than the name: `name: DB_PASSWORD` and `value: v`, `{"key": "X", "value": "v"}`,
/// `variable "x" { default = "v"`, `"x": { "value": "v"`, `<key>X</key><string>v</string>`. It is on the same line
/// or a few lines below; the result doesn't depend on lines after its own.
pub(crate) fn beside(text: &[u8], pos: usize, style: Style) -> Option<Assignment> {
    // A fast check: before most names there can't be a label.
    let word = charset::run_back(text, pos, charset::WORD, LONGEST_NAME);
    let mut left = text.get(pos.saturating_sub(LONGEST_NAME + 24)..pos - word)?;
    if !matches!(left.last(), Some(b'"' | b'\'')) {
        left = left.trim_ascii_end();
        if !matches!(left.last(), Some(b':' | b'=' | b'>' | b'e' | b'.')) {
            return None;
        }
    }
    let (start, end) = name_around(text, pos);
    let head = text.get(start.saturating_sub(24)..start)?;
    let head = head.rsplit(|byte| *byte == b'\n').next()?;
    let quoted = matches!(head.last(), Some(b'"' | b'\''));
    let label = head.get(..head.len() - usize::from(quoted))?.trim_ascii_end();
    let window = text.get(end..(end + BESIDE).min(text.len()))?;
    let window = window.get(usize::from(quoted)..)?;
    let (gap, operator) = if quoted && window.first() == Some(&b'>') {
        (element(window, &[b">", b"<value>"])?, Operator::Element)
    } else if label.strip_suffix(b":").or(label.strip_suffix(b"=")).is_some_and(names_a_field) {
        let value = marker(window, b"value", b"{}[]").or_else(|| marker(window, b"content", b"{}[]>"));
        (value?, Operator::Assign)
    } else if label.ends_with(b"<key>") {
        (element(window, &[b"</key>", b"<string>"])?, Operator::Element)
    } else if label.ends_with(b"variable") {
        (marker(window, b"default", b"}")?, Operator::Assign)
    } else if quoted {
        let blank = window.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b':').count();
        (window.get(blank) == Some(&b'{')).then_some(())?;
        (blank + 1 + marker(window.get(blank + 1..)?, b"value", b"{}[]")?, Operator::Assign)
    } else {
        return None;
    };
    let value_at = end + usize::from(quoted) + gap;
    let line = memchr::memchr(b'\n', text.get(value_at..)?).map_or(text.len(), |line| value_at + line + 1);
    let (value, inner) = value_from(text.get(..line)?, value_at, operator)?;
    let quoted = inner || operator == Operator::Element;
    if style == Style::Source && !quoted {
        return None;
    }
    let kind = name::classify(text.get(start..end)?)?;
    Some(Assignment { kind, name: (start, end), value, quoted, spaced: false })
}

/// Longest distance from a name to the field with its value.
pub(crate) const BESIDE: usize = 320;

/// Labels such as `"name"` or `key`, of a field whose value is a name.
fn names_a_field(label: &[u8]) -> bool {
    let label = label.trim_ascii_end();
    let label = label.strip_suffix(b"\"").or(label.strip_suffix(b"'")).unwrap_or(label);
    [&b"name"[..], b"key"].iter().any(|own| {
        let cut = label.len().saturating_sub(own.len());
        label.get(cut..).is_some_and(|end| end.eq_ignore_ascii_case(own))
            && !is(before(label, cut), charset::WORD)
    })
}

/// The position after `word` and its separator, unless a byte of `closing` comes first.
fn marker(window: &[u8], word: &[u8], closing: &[u8]) -> Option<usize> {
    let place = memchr::memmem::find_iter(window, word).find(|place| {
        !is(before(window, *place), charset::WORD) && !is(at(window, place + word.len()), charset::WORD)
    })?;
    let gap = window.get(..place)?;
    if gap.iter().any(|byte| closing.contains(byte)) || memchr::memchr_iter(b'\n', gap).count() > 6 {
        return None;
    }
    let rest = window.get(place + word.len()..)?;
    let sign = rest.iter().take(8).position(|byte| matches!(byte, b':' | b'='))?;
    let between = rest.get(..sign)?.iter().all(|byte| b" \t\"'".contains(byte));
    between.then_some(place + word.len() + sign + 1)
}

/// The position after elements separated only by white space.
fn element(window: &[u8], tags: &[&[u8]]) -> Option<usize> {
    tags.iter().try_fold(0, |pos, tag| {
        let rest = window.get(pos..)?;
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        rest.get(blank..)?.starts_with(tag).then_some(pos + blank + tag.len())
    })
}

/// Line endings after which the value is on the next line: a YAML block (`name: >-`), a triple-quoted string, a
/// bracket.
const OPENINGS: &[&[u8]] = &[b"|", b"|-", b"|+", b">", b">-", b">+", b"\"\"\"", b"'''", b"("];

/// The value on the next line.
pub(crate) fn below(text: &[u8], pos: usize) -> Option<Assignment> {
    let (start, end) = name_around(text, pos);
    let own = end + memchr::memchr(b'\n', text.get(end..(end + 64).min(text.len()))?)?;
    let opening = text.get(end..own)?.trim_ascii();
    let opening =
        opening.strip_prefix(b"\"").or(opening.strip_prefix(b"'")).unwrap_or(opening).trim_ascii_start();
    let opening = opening.strip_prefix(b":").or(opening.strip_prefix(b"="))?.trim_ascii_start();
    if !OPENINGS.contains(&opening) {
        return None;
    }
    let line = text.get(own + 1..)?.split(|byte| *byte == b'\n').next()?;
    let indent = line.iter().take(80).take_while(|byte| byte.is_ascii_whitespace()).count();
    let quote = usize::from(matches!(line.get(indent), Some(b'"' | b'\'')));
    let value = line.get(indent + quote..)?;
    let length = value.iter().position(|byte| byte.is_ascii_whitespace() || b"\"'".contains(byte));
    let length = length.unwrap_or(value.len());
    let alone = value.get(length..)?.iter().all(|byte| b"\"') ,;\r".contains(byte));
    let kind = name::classify(text.get(start..end)?)?;
    let from = own + 1 + indent + quote;
    let value = (from, from + length);
    (alone && length > 0).then_some(Assignment {
        kind,
        name: (start, end),
        value,
        quoted: true,
        spaced: false,
    })
}

/// Whether a quote opens within the length of a type or wrapper.
fn quote_ahead(text: &[u8], from: usize) -> bool {
    let line = text.get(from..(from + 96).min(text.len())).unwrap_or_default();
    line.iter().take_while(|byte| **byte != b'\n').any(|byte| matches!(byte, b'"' | b'\'' | b'`'))
}

/// A value joined to its name (`hiveage-secret-KEY-…`): the text after the keyword and a separator.
fn glued(text: &[u8], pos: usize, start: usize, end: usize, style: Style) -> Option<Assignment> {
    if style == Style::Source {
        return None;
    }
    let mut cut = pos + text.get(pos..end)?.iter().position(|byte| b"-._".contains(byte))?;
    // The last keyword counts: `secret-KEY-v`.
    for word in [&b"key"[..], b"token", b"secret", b"access", b"private"] {
        let rest = text.get(cut + 1..(cut + 1 + word.len()).min(end)).unwrap_or_default();
        if rest.eq_ignore_ascii_case(word) && matches!(at(text, cut + 1 + word.len()), b'-' | b'.') {
            cut += 1 + word.len();
        }
    }
    let value = text.get(cut + 1..end)?;
    let value_end = cut + 1 + charset::run(text, cut + 1, charset::TOKEN, LONGEST_VALUE);
    let kind = name::classify(text.get(start..cut)?)?;
    let telling = matches!(kind, Kind::Secret | Kind::Token | Kind::Key | Kind::Weak);
    (telling && value.len() >= 16 && value.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3)
        .then_some(Assignment {
            kind: Kind::Key,
            name: (start, cut),
            value: (cut + 1, value_end),
            quoted: false,
            spaced: true,
        })
}

impl Assignment {
    /// Whether the value is a secret by the rules for its kind of name.
    pub(crate) fn holds(&self, text: &[u8]) -> bool {
        let Some(value) = text.get(self.value.0..self.value.1) else { return false };
        let flag = before(text, self.name.0) == b'-' || at(text, self.name.0) == b'-';
        // `Password={v}` between other fields: the braces belong to the connection string.
        let value = match value {
            [b'{', inner @ .., b'}'] if !inner.contains(&b'{') && self.connection_string(text) => inner,
            _ => value,
        };
        let place = Place {
            quoted: self.quoted,
            loose: self.spaced && !flag && !self.quoted && !self.login_line(text) && !self.image_line(text),
            plain: !self.spaced
                && !self.quoted
                && (self.environment_line(text) || self.connection_string(text))
                || !self.spaced && self.beside_a_login(text)
                || self.spaced && !self.quoted && self.image_line(text),
        };
        // `password: String!` of GraphQL, or the beginning of a call (`crypt(salt, …`) cut at white space.
        let type_name = before(text, self.name.0) == b'$' && value.last() == Some(&b'!');
        if !self.quoted && (type_name || call_begins(value)) {
            return false;
        }
        // A name as the value of another name isn't a secret.
        let own_name = text.get(self.name.0..self.name.1).unwrap_or_default();
        if same_word(own_name, value) || self.asks(own_name, text) {
            return false;
        }
        let bare = value::described(own_name) && before(text, self.name.0) != b' ';
        let identifier = value.contains(&b'_')
            && value.iter().all(|byte| is(*byte, charset::LOWER | charset::DIGIT) || *byte == b'_');
        if value.eq_ignore_ascii_case(own_name)
            || (identifier
                && value.last().is_some_and(u8::is_ascii_lowercase)
                && name::classify(value).is_some())
            || (name::classify(value).is_some() && !value.iter().any(u8::is_ascii_digit))
            // Another constant: `%NL80211_ATTR_KEY_IDX`.
            || (self.spaced
                && value.contains(&b'_')
                && value.iter().all(|byte| is(*byte, charset::UPPER | charset::DIGIT) || b"_%&".contains(byte)))
        {
            return false;
        }
        if value::uuid(value) && self.kind != Kind::Password && !name::says_whose(own_name) {
            return false;
        }
        match self.kind {
            Kind::Password => value::password(value, place),
            // `token=abcdef123456…`: behind a generic name this is an example; behind a provider's name it might be
            // real.
            Kind::Secret | Kind::Token | Kind::Key => {
                value::generic(value, place) && !(bare && value::counted_out(value))
            }
            Kind::Weak => {
                let query = matches!(before(text, self.name.0), b'?' | b'&');
                let named = own_name.len() > 3 || query;
                named && value.len() >= 16 && value::generic(value, Place { loose: true, ..place })
            }
            Kind::Header | Kind::Cookie | Kind::Provider => false,
        }
    }

    /// Whether a function parses a value or asks for it (`splitpasswd("a:b")`) instead of setting it.
    fn asks(&self, name: &[u8], text: &[u8]) -> bool {
        const VERBS: &[&[u8]] = &[
            b"split",
            b"parse",
            b"check",
            b"verify",
            b"validate",
            b"read",
            b"prompt",
            b"ask",
            b"find",
            b"strip",
        ];
        at(text, self.name.1) == b'('
            && VERBS
                .iter()
                .any(|verb| name.get(..verb.len()).is_some_and(|head| head.eq_ignore_ascii_case(verb)))
    }

    /// `DB_PASSWORD=…` at the start of a line, after `export` or in a flag of a container.
    fn environment_line(&self, text: &[u8]) -> bool {
        let name = text.get(self.name.0..self.name.1).unwrap_or_default();
        let upper =
            name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
        let left = before(text, self.name.0);
        upper
            && at(text, self.name.1) == b'='
            && (left.is_ascii_whitespace() || left == 0 || escape_letter(text, self.name.0 - 1))
    }

    /// `ENV DB_PASSWORD …` of a Dockerfile, alone on its line.
    fn image_line(&self, text: &[u8]) -> bool {
        let head = text.get(..self.name.0).unwrap_or_default();
        let line = head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let rest = text.get(self.value.1..).unwrap_or_default();
        let tail = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        line.trim_ascii().eq_ignore_ascii_case(b"ENV") && tail.trim_ascii().is_empty()
    }

    /// `;Password=…` between other fields.
    fn connection_string(&self, text: &[u8]) -> bool {
        let from = self.name.0.saturating_sub(160);
        let head = text.get(from..self.name.0).unwrap_or_default();
        let line = head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        at(text, self.name.1) == b'='
            && line.trim_ascii_end().ends_with(b";")
            && line.iter().filter(|byte| **byte == b'=').count() >= 2
    }

    /// Whether a host or database, and a user, were given just before: `$host = "…"; $user = "…"; $password =
    /// "…";`.
    fn beside_a_login(&self, text: &[u8]) -> bool {
        if self.kind != Kind::Password {
            return false;
        }
        let head = text.get(self.name.0.saturating_sub(300)..self.name.0).unwrap_or_default();
        let given = |words: &[&[u8]]| {
            words.iter().any(|word| {
                memchr::memmem::find_iter(head, word).any(|pos| {
                    let rest = head.get(pos + word.len()..).unwrap_or_default();
                    let name = rest
                        .iter()
                        .take_while(|byte| is(**byte, charset::WORD) || **byte == b'\\' || **byte == b'"')
                        .count();
                    let gap = rest.get(name..).unwrap_or_default();
                    let equals = gap.iter().take_while(|byte| **byte == b' ').count();
                    let value = gap.get(equals + 1..).unwrap_or_default();
                    let blank = value.iter().take_while(|byte| b" \\>".contains(byte)).count();
                    gap.get(equals) == Some(&b'=')
                        && value.get(blank).is_some_and(|byte| matches!(byte, b'"' | b'\''))
                })
            })
        };
        given(&[b"user", b"User", b"login", b"USER"])
            && given(&[b"host", b"Host", b"HOST", b"database", b"server", b"Server", b"db"])
    }

    /// `machine … login … password …` of a `.netrc`.
    fn login_line(&self, text: &[u8]) -> bool {
        let from = self.name.0.saturating_sub(120);
        text.get(from..self.name.0).is_some_and(|head| {
            memchr::memmem::find(head, b"login ").is_some()
                && memchr::memmem::find(head, b"machine ").is_some()
        })
    }
}

/// `hashlib.sha256(salt`: a name and an unclosed bracket.
fn call_begins(value: &[u8]) -> bool {
    let name = value.iter().take_while(|byte| is(**byte, charset::WORD) || b".:$".contains(byte)).count();
    name >= 3
        && value.get(name) == Some(&b'(')
        && !value.contains(&b')')
        && value.get(..name).is_some_and(|name| {
            let lower = name.iter().filter(|byte| byte.is_ascii_lowercase() || b"._".contains(byte)).count();
            lower * 4 >= name.len() * 3 && !name.first().is_some_and(u8::is_ascii_digit)
        })
}

/// Whether a value repeats its name except for separators (`PKCS_15_TOKEN`, `pkcs-15Token`).
fn same_word(name: &[u8], value: &[u8]) -> bool {
    let letters = |word: &[u8]| -> Vec<u8> {
        word.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
    };
    let word = letters(value);
    value.len() <= LONGEST_NAME && word.len() * 4 >= value.len() * 3 && letters(name).ends_with(&word)
}

/// The name around `pos`: letters, digits, `_ - . $`, joined with the previous word if a name is written with
/// spaces.
fn name_around(text: &[u8], pos: usize) -> (usize, usize) {
    let part = |byte: u8| is(byte, charset::WORD) || byte == b'.';
    let mut start = pos;
    while start > 0
        && pos - start < LONGEST_NAME
        && part(before(text, start))
        && !escape_letter(text, start - 1)
    {
        start -= 1;
    }
    let mut end = pos;
    while end < text.len() && end - pos < LONGEST_NAME && part(at(text, end)) {
        end += 1;
    }
    // `API key`, `secret access key`: the word to the left says which key.
    if end - start <= 5 && before(text, start) == b' ' && is(before(text, start - 1), charset::LETTER) {
        let mut wider = start - 1;
        while wider > 0 && start - wider < 24 && is(before(text, wider), charset::WORD) {
            wider -= 1;
        }
        start = wider;
    }
    (start, end)
}

/// Whether the byte at `index` is the letter of an escape (`\n`).
fn escape_letter(text: &[u8], index: usize) -> bool {
    before(text, index) == b'\\' && matches!(at(text, index), b'n' | b't' | b'r' | b'b' | b'f')
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Assign,
    Compare,
    Comma,
    Call,
    Element,
    Space,
}

/// The start of the value, and the operator before it.
fn operator(text: &[u8], end: usize, opened: u8, constant: bool) -> Option<(usize, Operator)> {
    let mut pos = end;
    let mut closed = false;
    let mut spaces = 0;
    while pos - end < 48 {
        let byte = at(text, pos);
        let next = at(text, pos + 1);
        match byte {
            b'"' | b'\'' | b'`' | b']' if !closed || byte == b']' => {
                // A quote after white space opens the value.
                if spaces > 0 && byte != b']' {
                    return Some((pos, Operator::Space));
                }
                closed = true;
                pos += 1;
            }
            b'\\' if next == b't' => {
                spaces += 1;
                pos += 2;
            }
            b'\\' if matches!(next, b'"' | b'\'' | b'\\') => {
                closed = true;
                pos += 2;
            }
            b')' if opened == b'(' || closed => pos += 1,
            b' ' | b'\t' => {
                spaces += 1;
                pos += 1;
            }
            b':' if next == b':' => return None,
            b':' | b'=' => {
                let compare = matches!((byte, next), (b'=', b'='));
                let mut value = pos;
                while matches!(at(text, value), b':' | b'=' | b'>' | b'~') && value - pos < 4 {
                    value += 1;
                }
                let operator = if compare { Operator::Compare } else { Operator::Assign };
                return Some((value, operator));
            }
            b'?' | b'|' | b'+' | b'!' if next == b'=' => {
                let operator = if byte == b'!' { Operator::Compare } else { Operator::Assign };
                let strict = usize::from(byte == b'!' && at(text, pos + 2) == b'=');
                return Some((pos + 2 + strict, operator));
            }
            b'|' if next == b'|' && at(text, pos + 2) == b'=' => return Some((pos + 3, Operator::Assign)),
            // Defaults for a failed look-up: `env.NAME || "v"`, `get("NAME") or "v"`.
            b'|' | b'?' if spaces > 0 && next == byte => return Some((pos + 2, Operator::Comma)),
            b'o' if spaces > 0 && closed && next == b'r' && at(text, pos + 2) == b' ' => {
                return Some((pos + 3, Operator::Comma));
            }
            // `"name", "v"`, `setopt(OPTION_NAME, "v")`, Erlang's `{name, "v"}`.
            b',' if closed || constant || opened == b'{' => return Some((pos + 1, Operator::Comma)),
            // The next cell of a table.
            b'|' if spaces > 0 && next == b' ' => return Some((pos + 2, Operator::Space)),
            // `the password is v`.
            b'i' if spaces > 0 && next == b's' && at(text, pos + 2) == b' ' => {
                return Some((pos + 3, Operator::Space));
            }
            b'(' if spaces == 0 => return Some((pos + 1, Operator::Call)),
            b'[' if at(text, pos + 1).is_ascii_digit() || at(text, pos + 1) == b']' => {
                pos += charset::run(text, pos + 1, charset::DIGIT, 6) + 2;
            }
            b'>' if closed && spaces == 0 || matches!(opened, b'<' | b':') => {
                return Some((pos + 1, Operator::Element));
            }
            _ if spaces > 0 && !byte.is_ascii_whitespace() && byte != 0 => {
                return Some((pos, Operator::Space));
            }
            _ => return None,
        }
    }
    None
}

/// The position after a type between a name and its value: `: &'static str = "v"`, ` string = "v"`, ` (str) = "v"`.
fn typed(text: &[u8], from: usize) -> Option<usize> {
    let window = text.get(from..(from + 48).min(text.len()))?;
    let equals =
        window.iter().position(|byte| matches!(byte, b'=' | b'\n' | b'"' | b'`' | b',' | b';' | b'('))?;
    let head = window.get(..equals)?;
    let type_like = head
        .iter()
        .all(|byte| is(*byte, charset::ALNUM | charset::UNDERSCORE) || b" &<>:[]?'*\t.|".contains(byte))
        && head.iter().any(u8::is_ascii_alphabetic);
    let mut value = from + equals + 1;
    if window.get(equals) != Some(&b'=') || !type_like || at(text, value) == b'=' {
        return None;
    }
    while at(text, value) == b' ' {
        value += 1;
    }
    matches!(at(text, value), b'"' | b'\'' | b'`' | b'b' | b'r' | b'@').then_some(value)
}

/// The value at `from`: quoted, quoted inside a wrapper, or bare.
fn value_from(text: &[u8], from: usize, operator: Operator) -> Option<((usize, usize), bool)> {
    let mut start = from;
    let blank = |byte: u8| {
        byte == b' ' || byte == b'\t' || (operator == Operator::Element && (byte == b'\n' || byte == b'\r'))
    };
    while blank(at(text, start)) && start - from < 80 {
        start += 1;
    }
    start += dressing(text, start, operator);
    start += wrapper(text, start)?;
    if let Some(value) = entity_quoted(text, start) {
        return Some((value, true));
    }
    let escaped = at(text, start) == b'\\' && matches!(at(text, start + 1), b'"' | b'\'' | b'\\');
    if escaped {
        while at(text, start) == b'\\' && start - from < 90 {
            start += 1;
        }
    }
    let quote = at(text, start);
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return bare(text, start, operator).map(|value| (value, false));
    }
    start += 1;
    if at(text, start) == quote && at(text, start + 1) == quote {
        start += 2;
    }
    let mut end = start;
    while end - start < LONGEST_VALUE {
        let byte = at(text, end);
        if byte == quote {
            let end = if escaped {
                end - text.get(start..end)?.iter().rev().take_while(|byte| **byte == b'\\').count()
            } else {
                end
            };
            return Some(((start, end), true));
        }
        match byte {
            0 if end >= text.len() => return (end > start).then_some(((start, end), true)),
            b'\n' | b'\r' | 0 => return None,
            b'\\' if !escaped => end += 2,
            _ => end += 1,
        }
    }
    None
}

/// Length of markup before a value: YAML's anchor (`&name v`) and tag (`!!str v`), XML's `<![CDATA[`.
fn dressing(text: &[u8], start: usize, operator: Operator) -> usize {
    const CDATA: &[u8] = b"<![CDATA[";
    const STRING: &[u8] = b"!!str ";
    let rest = text.get(start..).unwrap_or_default();
    match (operator, rest.first()) {
        (Operator::Element, Some(b'<')) if rest.starts_with(CDATA) => CDATA.len(),
        (Operator::Assign, Some(b'!')) if rest.starts_with(STRING) => STRING.len(),
        (Operator::Assign, Some(b'&')) => {
            let name = charset::run(text, start + 1, charset::WORD, LONGEST_NAME);
            if name > 0 && at(text, start + 1 + name) == b' ' { name + 2 } else { 0 }
        }
        _ => 0,
    }
}

/// A value in HTML-encoded quotes (`&quot;v&quot;`).
fn entity_quoted(text: &[u8], start: usize) -> Option<(usize, usize)> {
    let rest = text.get(start..)?;
    let quote =
        [&b"&quot;"[..], b"&#34;", b"&apos;", b"&#39;"].into_iter().find(|quote| rest.starts_with(quote))?;
    let start = start + quote.len();
    let inner = rest.get(quote.len()..(quote.len() + 256).min(rest.len()))?;
    let length = memchr::memmem::find(inner.split(|byte| *byte == b'\n').next()?, quote)?;
    Some((start, start + length))
}

/// Methods whose argument is an option and not the value.
const METHODS: &[&[u8]] = &[
    b"encode",
    b"decode",
    b"format",
    b"split",
    b"join",
    b"replace",
    b"strip",
    b"rstrip",
    b"lstrip",
    b"startswith",
    b"endswith",
    b"starts_with",
    b"ends_with",
    b"contains",
    b"match",
    b"test",
    b"concat",
];

/// Words in the names of functions that fetch or ask for a value.
const FETCHES: &[&[u8]] = &[
    b"env",
    b"get",
    b"read",
    b"load",
    b"find",
    b"config",
    b"fetch",
    b"lookup",
    b"secret",
    b"quer",
    b"select",
    b"prompt",
    b"request",
    b"input",
    b"hash",
    b"translate",
];

/// Length of a wrapper before a quote: `b"`, `String::from("`, `Some("`. `None` if it fetches the value from
/// elsewhere.
fn wrapper(text: &[u8], start: usize) -> Option<usize> {
    let head = text.get(start..(start + 32).min(text.len()))?;
    let word = head
        .iter()
        .take_while(|byte| is(**byte, charset::ALNUM | charset::UNDERSCORE) || b".:@$(".contains(byte))
        .count();
    let quoted = matches!(at(head, word), b'"' | b'\'' | b'`');
    if word == 0 || !quoted {
        return Some(0);
    }
    let wrapper = head.get(..word)?;
    if wrapper.last() == Some(&b'(') {
        let fetches =
            FETCHES.iter().any(|verb| wrapper.windows(verb.len()).any(|own| own.eq_ignore_ascii_case(verb)));
        // `password.encode("latin1")`: the quoted text isn't the value.
        let method = wrapper.get(..word - 1).unwrap_or_default().rsplit(|byte| *byte == b'.').next();
        let changes = wrapper.contains(&b'.') && method.is_some_and(|method| METHODS.contains(&method));
        return (!fetches && !changes).then_some(word);
    }
    Some(if word <= 2 { word } else { 0 })
}

/// An unquoted value: up to white space or a closing byte.
fn bare(text: &[u8], start: usize, operator: Operator) -> Option<(usize, usize)> {
    if operator == Operator::Compare {
        return None;
    }
    let mut end = start;
    while end - start < LONGEST_VALUE {
        match at(text, end) {
            byte if byte <= b' ' => break,
            b'"' | b'\'' | b'`' | b'<' | b'>' | b',' | b';' | b'|' => break,
            b'\\' if matches!(at(text, end + 1), b'n' | b'r' | b't' | b'"' | b'\\') => break,
            b'&' if is(at(text, end + 1), charset::LETTER)
                && charset::run(text, end + 1, charset::WORD, 32) > 0
                && at(text, end + 1 + charset::run(text, end + 1, charset::WORD, 32)) == b'=' =>
            {
                break;
            }
            b')' | b'}' | b']' if !text.get(start..end)?.iter().any(|byte| b"({[".contains(byte)) => break,
            _ => end += 1,
        }
    }
    (end > start).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_writing_it_gives_name_and_value() {
        for text in [
            r#"api_token = "VALUE""#,
            r#"api_token: 'VALUE'"#,
            r#"{"api_token": "VALUE"}"#,
            r#"{\"api_token\": \"VALUE\"}"#,
            r#"String apiToken = "VALUE";"#,
            r#"var apiToken string = "VALUE""#,
            r#"const API_TOKEN: &'static str = "VALUE";"#,
            "apiToken := `VALUE`",
            r#""api_token" => "VALUE""#,
            r#"System.setProperty("API_TOKEN", "VALUE")"#,
            r#"Client(token="VALUE")"#,
            r#"set_token("VALUE")"#,
            r#"token = String::from("VALUE")"#,
            r#"token = b"VALUE""#,
            "<apiToken>\n    VALUE\n</apiToken>",
            "export API_TOKEN=VALUE",
            "api_token ||= 'VALUE'",
            "--token VALUE",
            "--token=VALUE",
            r#"{"config.ini": "API_TOKEN=VALUE\nBACKUP=true"}"#,
            "https://x/?token=VALUE&x=1",
        ] {
            let pos = text.to_ascii_lowercase().find("token").unwrap();
            let found = at_name(text.as_bytes(), pos, Style::Unknown).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(&text[found.value.0..found.value.1], "VALUE", "{text}");
        }
        for text in ["token = getenv(\"VALUE\")", "Token::Value", "token == VALUE", "x.token"] {
            let pos = text.to_ascii_lowercase().find("token").unwrap();
            assert!(at_name(text.as_bytes(), pos, Style::Unknown).is_none(), "{text}");
        }
    }
}
