//! Functions and methods that a value is computed with: joins, paths, formats and decoders, in whatever language.
//!
//! Functions are told by their last name, since an expression of literals means the same in every language that has
//! them.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::Value;
use super::code::Item;

/// The longest text that is computed, and the longest list.
const LIMIT: usize = 64 * 1024;
const MOST_ITEMS: usize = 4096;
/// As a text, as string conversion gives it; a list is none.
fn shown(item: &Item) -> Option<Value> {
    (!matches!(item, Item::List(_))).then(|| item.shown())
}

/// The items of a list, the letters of a text.
fn items(item: &Item) -> Vec<Item> {
    item.items().unwrap_or_else(|| vec![item.clone()])
}

/// Names that stand for a place.
pub(super) fn place(full: &str) -> Option<&'static str> {
    Some(match full {
        "Path.home"
        | "pathlib.Path.home"
        | "os.homedir"
        | "Dir.home"
        | "process.env.HOME"
        | "os.userInfo.homedir" => "~",
        "__dirname" | "os.getcwd" | "process.cwd" | "Dir.pwd" | "Path.cwd" | "pathlib.Path.cwd"
        | "getcwd" | "os.curdir" | "Deno.cwd" => ".",
        _ => return None,
    })
}

/// A function of literals.
pub(super) fn function(full: &str, last: &str, arguments: &[Item]) -> Option<Item> {
    let first = arguments.first();
    let text = |at: usize| arguments.get(at).and_then(shown);
    let encoding = text(1).map(|value| value.text);
    match last {
        "b64decode" | "standard_b64decode" | "urlsafe_b64decode" | "decodebytes" | "decodestring"
        | "a2b_base64" | "base64_decode" | "decode_base64" | "atob" | "decode64" | "strict_decode64"
        | "urlsafe_decode64" | "FromBase64String" | "base64Decode" => from_base64(&text(0)?.text),
        "b32decode" => from_base32(&text(0)?.text),
        "unhexlify" | "a2b_hex" | "fromhex" | "hex2bin" | "b16decode" => from_hex(&text(0)?.text),
        "str_rot13" => Some(rot13(&text(0)?.text)),
        "decode" if full == "codecs.decode" => from_encoding(&text(0)?.text, &encoding?),
        "from" if full.ends_with("Buffer.from") => match (first?, encoding) {
            (Item::List(items), _) => characters(items),
            (item, Some(encoding)) => from_encoding(&shown(item)?.text, &encoding),
            (item, None) => shown(item).map(Item::Text),
        },
        "from" if full.ends_with("Array.from") => Some(Item::list(items(first?))),
        "decodeURIComponent" | "decodeURI" | "unescape" | "unquote" | "unquote_plus" | "urldecode"
        | "rawurldecode" => from_percent(&text(0)?.text),
        "chr" | "fromCharCode" | "fromCodePoint" | "char" | "bytes" | "bytearray" => match first? {
            Item::Text(value) => Some(Item::Text(value.clone())),
            _ => characters(arguments),
        },
        "pack" => match (text(0)?.text.as_str(), arguments.get(1..)?) {
            ("H*", [item]) => from_hex(&shown(item)?.text),
            ("C*" | "c*" | "U*" | "W*", items) => characters(items),
            _ => None,
        },
        "unpack" if text(0)?.text == "u" => None,
        "join" | "implode" if path_function(full) => path(arguments),
        "join" | "implode" => match arguments {
            [separator, Item::List(items)] => concatenated(items, &shown(separator)?.text),
            [Item::List(items), separator] => concatenated(items, &shown(separator)?.text),
            [separator, items @ ..] => concatenated(items, &shown(separator)?.text),
            [] => None,
        },
        "reversed" => Some(Item::list(items(first?).into_iter().rev().collect())),
        "reverse" | "strrev" => match arguments {
            [Item::List(items)] => Some(Item::list(items.iter().rev().cloned().collect())),
            [item] => method(item.clone(), "reverse", &[]),
            _ => None,
        },
        "lc" | "strtolower" | "lcfirst" => method(first?.clone(), "lower", &[]),
        "uc" | "strtoupper" => method(first?.clone(), "upper", &[]),
        "str" | "String" | "Path" | "PurePath" | "PosixPath" | "PurePosixPath" | "Pathname"
        | "expanduser" | "abspath" | "realpath" | "normpath" | "expand_path" | "resolve" | "fspath"
        | "fsencode" | "encode" | "trim" | "glob" | "iglob" | "strval" | "TextDecoder" | "StringIO"
        | "BytesIO" | "fileURLToPath" | "b" | "quote" | "raw" => {
            if arguments.len() > 1 && arguments.iter().all(|item| matches!(item, Item::Text(_))) {
                return path(arguments);
            }
            shown(first?).map(Item::Text)
        }
        "list" | "tuple" | "sorted" | "array" | "set" => Some(Item::list(items(first?))),
        "split" if full == "shlex.split" => method(first?.clone(), "split", &[]),
        "sprintf" | "format" => formatted(&text(0)?, arguments.get(1..)?),
        "int" | "parseInt" | "Number" | "ord" => match (first?, last) {
            (Item::Number(number), _) => Some(Item::Number(*number)),
            (Item::Text(value), "ord") => {
                value.text.chars().next().map(|letter| Item::Number(i64::from(u32::from(letter))))
            }
            (Item::Text(value), _) => {
                let radix = match arguments.get(1) {
                    Some(Item::Number(radix @ 2..=36)) => u32::try_from(*radix).ok()?,
                    _ => 10,
                };
                i64::from_str_radix(value.text.trim_start_matches("0x"), radix).ok().map(Item::Number)
            }
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn path_function(full: &str) -> bool {
    full.contains("path.") || full.starts_with("File.") || full == "joinpath" || full.ends_with("Path.join")
}

/// A method of a literal.
pub(super) fn method(item: Item, name: &str, arguments: &[Item]) -> Option<Item> {
    let text = |at: usize| arguments.get(at).and_then(shown).map(|value| value.text);
    let changed = |value: &Value, text: String| {
        Some(Item::Text(Value { text, assembled: true, decoded: value.decoded }))
    };
    match (name, &item) {
        ("join", Item::Text(separator)) => match arguments {
            [Item::List(items)] => concatenated(items, &separator.text),
            [Item::Text(value)] => Some(Item::Text(value.clone())),
            _ => None,
        },
        ("join", Item::List(items)) => concatenated(items, &text(0).unwrap_or_default()),
        ("decode" | "toString" | "unpack1" | "unpack" | "decode64", Item::Text(value)) => {
            let found = match text(0) {
                Some(encoding) if value.decoded && matches!(encoding.as_str(), "base64" | "hex") => None,
                Some(encoding) => from_encoding(&value.text, &encoding),
                None => Some(item.clone()),
            }?;
            if name == "unpack" { Some(Item::list(vec![found])) } else { Some(found) }
        }
        ("pack", Item::List(items)) => match (text(0)?.as_str(), items.as_slice()) {
            ("H*", [item]) => from_hex(&shown(item)?.text),
            ("m" | "m0", _) => None,
            ("C*" | "c*" | "U*", items) => characters(items),
            _ => None,
        },
        ("fromhex", Item::Text(_)) => from_hex(&text(0)?),
        ("split", Item::Text(value)) => {
            let parts: Vec<Item> = match text(0) {
                Some(separator) if separator.is_empty() => return Some(Item::list(items(&item))),
                Some(separator) => value.text.split(separator.as_str()).map(Item::text).collect(),
                None => value.text.split_whitespace().map(Item::text).collect(),
            };
            (parts.len() <= MOST_ITEMS).then_some(Item::list(parts))
        }
        ("reverse" | "reversed", Item::Text(value)) => changed(value, value.text.chars().rev().collect()),
        ("reverse" | "reversed", Item::List(items)) => {
            Some(Item::list(items.iter().rev().cloned().collect()))
        }
        ("lower" | "toLowerCase" | "downcase" | "casefold", Item::Text(value)) => {
            changed(value, value.text.to_lowercase())
        }
        ("upper" | "toUpperCase" | "upcase", Item::Text(value)) => changed(value, value.text.to_uppercase()),
        ("swapcase", Item::Text(value)) => changed(
            value,
            value
                .text
                .chars()
                .map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
                .collect(),
        ),
        _ => part(item, name, arguments),
    }
}

/// A method that gives a part of a text, or a text with parts exchanged.
fn part(item: Item, name: &str, arguments: &[Item]) -> Option<Item> {
    let text = |at: usize| arguments.get(at).and_then(shown).map(|value| value.text);
    let changed = |value: &Value, text: String| {
        Some(Item::Text(Value { text, assembled: true, decoded: value.decoded }))
    };
    match (name, &item) {
        ("replace" | "replaceAll" | "gsub" | "sub" | "delete", Item::Text(value)) => {
            let with = if name == "delete" { String::new() } else { text(1)? };
            let from = text(0)?;
            (!from.is_empty()).then(|| changed(value, value.text.replace(&from, &with)))?
        }
        ("concat", _) => {
            let mut parts = vec![item.clone()];
            parts.extend(arguments.iter().cloned());
            concatenated(&parts, "")
        }
        ("format", Item::Text(template)) => formatted(template, arguments),
        ("slice" | "substring" | "substr", Item::Text(value)) => {
            let (Some(Item::Number(from)), to) = (arguments.first(), arguments.get(1)) else { return None };
            let from = usize::try_from(*from).ok()?;
            let most = match to {
                Some(Item::Number(to)) => usize::try_from(*to).ok()?,
                Some(_) => return None,
                None => usize::MAX,
            };
            let most = if name == "substr" { most } else { most.saturating_sub(from) };
            changed(value, value.text.chars().skip(from).take(most).collect())
        }
        ("charAt", Item::Text(value)) => match arguments.first() {
            Some(Item::Number(at)) => {
                changed(value, value.text.chars().nth(usize::try_from(*at).ok()?)?.to_string())
            }
            _ => None,
        },
        ("joinpath", Item::Text(_)) => {
            let mut parts = vec![item.clone()];
            parts.extend(arguments.iter().cloned());
            path(&parts)
        }
        ("strip" | "trim" | "lstrip" | "trimStart" | "rstrip" | "trimEnd", Item::Text(value)) => {
            let chars: Option<Vec<char>> = match arguments {
                [] => None,
                [Item::Text(chars)] => Some(chars.text.chars().collect()),
                // What is taken away isn't known, so what is left isn't either.
                _ => return None,
            };
            let goes = |c: char| chars.as_ref().map_or(c.is_whitespace(), |chars| chars.contains(&c));
            let text = match name {
                "lstrip" | "trimStart" => value.text.trim_start_matches(goes),
                "rstrip" | "trimEnd" => value.text.trim_end_matches(goes),
                _ => value.text.trim_matches(goes),
            };
            if text == value.text { Some(item.clone()) } else { changed(value, text.to_owned()) }
        }
        ("chomp", Item::Text(value)) => match arguments {
            [] => changed(value, value.text.trim_end_matches(['\n', '\r']).to_owned()),
            [Item::Text(end)] => {
                let text = value.text.strip_suffix(end.text.as_str()).unwrap_or(&value.text);
                changed(value, text.to_owned())
            }
            _ => None,
        },
        (
            "encode" | "to_s" | "to_str" | "expanduser" | "resolve" | "absolute" | "as_posix" | "valueOf"
            | "freeze" | "force_encoding" | "to_sym" | "intern" | "copy" | "flat" | "normalize",
            _,
        ) => Some(item.clone()),
        ("shift" | "first", Item::List(items)) => items.first().cloned(),
        ("pop" | "last", Item::List(items)) => items.last().cloned(),
        _ => None,
    }
}

/// Texts in one.
pub(super) fn concatenated(parts: &[Item], separator: &str) -> Option<Item> {
    let mut whole = Value { assembled: parts.len() > 1, ..Value::default() };
    for (index, part) in parts.iter().enumerate() {
        let part = shown(part)?;
        if index > 0 {
            whole.text.push_str(separator);
        }
        whole.text.push_str(&part.text);
        whole.assembled |= part.assembled;
        whole.decoded |= part.decoded;
        if whole.text.len() > LIMIT {
            return None;
        }
    }
    Some(Item::Text(whole))
}

pub(super) fn decoded(text: String) -> Item {
    Item::Text(Value { text, assembled: true, decoded: true })
}

pub(super) fn utf8(bytes: Vec<u8>) -> Option<Item> {
    // Bytes that are no text stay bytes: read as Latin-1, so that a decoder behind can go on.
    Some(decoded(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
    }))
}

pub(super) fn from_base64(text: &str) -> Option<Item> {
    let clean: String = text.chars().filter(|letter| !letter.is_whitespace() && *letter != '=').collect();
    let bytes = STANDARD_NO_PAD.decode(&clean).or_else(|_| URL_SAFE_NO_PAD.decode(&clean)).ok()?;
    utf8(bytes)
}

pub(super) fn from_hex(text: &str) -> Option<Item> {
    let digits: Vec<u8> = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .map(|letter| letter.to_digit(16).map(|digit| digit as u8))
        .collect::<Option<_>>()?;
    let bytes = digits
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => Some(high * 16 + low),
            _ => None,
        })
        .collect::<Option<Vec<u8>>>()?;
    utf8(bytes)
}

pub(super) fn from_base32(text: &str) -> Option<Item> {
    let mut bits = 0_u32;
    let mut count = 0;
    let mut bytes = Vec::new();
    for letter in text.chars().filter(|letter| *letter != '=' && !letter.is_whitespace()) {
        let value = match letter.to_ascii_uppercase() {
            letter @ 'A'..='Z' => u32::from(letter) - u32::from('A'),
            letter @ '2'..='7' => u32::from(letter) - u32::from('2') + 26,
            _ => return None,
        };
        bits = (bits << 5 | value) & 0xffff;
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    utf8(bytes)
}

pub(super) fn rot13(text: &str) -> Item {
    let turned = text.chars().map(|letter| match letter {
        'a'..='m' | 'A'..='M' => char::from_u32(u32::from(letter) + 13).unwrap_or(letter),
        'n'..='z' | 'N'..='Z' => char::from_u32(u32::from(letter) - 13).unwrap_or(letter),
        other => other,
    });
    decoded(turned.collect())
}

pub(super) fn from_percent(text: &str) -> Option<Item> {
    if !text.contains('%') {
        return Some(Item::text(text));
    }
    let mut bytes = Vec::new();
    let raw = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        let code = (byte == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(code) => {
                bytes.push(code);
                at += 3;
            }
            None => {
                bytes.push(byte);
                at += 1;
            }
        }
    }
    utf8(bytes)
}

/// By the name of an encoding.
pub(super) fn from_encoding(text: &str, encoding: &str) -> Option<Item> {
    match encoding.to_ascii_lowercase().replace('_', "").as_str() {
        "base64" | "base64url" | "m" | "m0" => from_base64(text),
        "hex" | "h*" => from_hex(text),
        "rot13" => Some(rot13(text)),
        "utf8" | "utf-8" | "ascii" | "latin1" | "binary" | "ucs2" | "utf16le" | "iso-8859-1" | "a*" => {
            Some(Item::text(text))
        }
        _ => None,
    }
}

pub(super) fn characters(items: &[Item]) -> Option<Item> {
    let mut text = String::new();
    for item in items {
        match item {
            Item::Number(number) => text.push(u32::try_from(*number).ok().and_then(char::from_u32)?),
            Item::List(items) => {
                let Item::Text(inner) = characters(items)? else { return None };
                text.push_str(&inner.text);
            }
            Item::Text(value) => text.push_str(&value.text),
            _ => return None,
        }
    }
    Some(decoded(text))
}

/// Parts of a path; an absolute part begins anew.
pub(super) fn path(parts: &[Item]) -> Option<Item> {
    let mut whole = Value::default();
    for part in parts {
        let part = shown(part)?;
        if part.text.starts_with(['/', '~']) {
            whole.text.clear();
        } else if !whole.text.is_empty() && !whole.text.ends_with('/') {
            whole.text.push('/');
        }
        whole.text.push_str(&part.text);
        whole.assembled |= part.assembled;
        whole.decoded |= part.decoded;
    }
    Some(Item::Text(whole))
}

/// `'%s' % x`, `'{}'.format(x)`: values in the order of their marks.
pub(super) fn formatted(template: &Value, arguments: &[Item]) -> Option<Item> {
    let mut rest = template.text.as_str();
    let mut parts = Vec::new();
    let mut next = arguments.iter();
    while let Some(at) = rest.find(['%', '{']) {
        let (before, mark) = rest.split_at(at);
        parts.push(Item::text(before));
        let (item, width) = if let Some(body) = mark.strip_prefix('{') {
            let (name, _) = body.split_once('}')?;
            let chosen = match name.parse::<usize>() {
                Ok(index) => arguments.get(index),
                Err(_) if name.is_empty() => next.next(),
                Err(_) => return None,
            };
            (chosen?.clone(), name.len() + 2)
        } else {
            match mark.as_bytes().get(1)? {
                b'%' => (Item::text("%"), 2),
                b's' | b'd' | b'r' => (next.next()?.clone(), 2),
                b'c' => (characters(&[next.next()?.clone()])?, 2),
                _ => return None,
            }
        };
        parts.push(item);
        rest = mark.get(width..)?;
    }
    parts.push(Item::text(rest));
    concatenated(&parts, "")
}
