//! The value of an expression made of literals: concatenation, joins, paths and decoders, in whatever language.
//!
//! `''.join(map(chr, [114, 109]))`, `Buffer.from('…', 'base64').toString()`, `Path.home() / '.ssh'`: what such an
//! expression amounts to is computed; anything else has no value. Functions are told by their last name, since an
//! expression of literals means the same in every language that has them.

use std::cell::Cell;
use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::Value;
use super::tokens::Token;

/// What an expression amounts to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Text(Value),
    List(Vec<Item>),
    Number(i64),
}

/// The longest text that is computed, and the longest list.
const LIMIT: usize = 64 * 1024;
const MOST_ITEMS: usize = 4096;
/// How deep expressions are followed.
const DEEPEST: usize = 32;

/// What is known where an expression stands.
pub(super) struct Scope<'a> {
    pub(super) values: &'a HashMap<String, Value>,
    pub(super) lists: &'a HashMap<String, Vec<Value>>,
    /// Local name to full name.
    pub(super) names: &'a HashMap<String, String>,
    /// `.` joins texts (Perl, PHP).
    pub(super) dot_joins: bool,
    /// Calls may leave the parentheses out.
    pub(super) bare: bool,
    /// Tokens that may still be looked at.
    pub(super) budget: &'a Cell<usize>,
}

/// The value of all of `tokens`.
pub(super) fn evaluate(tokens: &[Token], scope: &Scope<'_>) -> Option<Item> {
    let mut parser = Parser { tokens, at: 0, depth: 0, scope, bound: Vec::new() };
    let item = parser.expression()?;
    parser.skip_lines();
    (parser.at == tokens.len()).then_some(item)
}

struct Parser<'t, 's, 'a> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    scope: &'s Scope<'a>,
    /// Variables of comprehensions.
    bound: Vec<(String, Item)>,
}

impl Item {
    fn text(text: impl Into<String>) -> Self {
        Self::Text(Value::literal(text))
    }

    /// As a text, as string conversion gives it.
    fn shown(&self) -> Option<Value> {
        match self {
            Self::Text(value) => Some(value.clone()),
            Self::Number(number) => Some(Value::literal(number.to_string())),
            Self::List(_) => None,
        }
    }

    fn items(self) -> Vec<Self> {
        match self {
            Self::List(items) => items,
            Self::Text(value) => value
                .text
                .chars()
                .take(MOST_ITEMS)
                .map(|letter| {
                    Self::Text(Value { text: letter.to_string(), assembled: true, decoded: value.decoded })
                })
                .collect(),
            number => vec![number],
        }
    }
}

/// Texts in one.
fn concatenated(parts: &[Item], separator: &str) -> Option<Item> {
    let mut whole = Value { assembled: parts.len() > 1, ..Value::default() };
    for (index, part) in parts.iter().enumerate() {
        let part = part.shown()?;
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

fn decoded(text: String) -> Item {
    Item::Text(Value { text, assembled: true, decoded: true })
}

fn utf8(bytes: Vec<u8>) -> Option<Item> {
    // Bytes that are no text stay bytes: read as Latin-1, so that a decoder behind can go on.
    Some(decoded(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
    }))
}

fn from_base64(text: &str) -> Option<Item> {
    let clean: String = text.chars().filter(|letter| !letter.is_whitespace() && *letter != '=').collect();
    let bytes = STANDARD_NO_PAD.decode(&clean).or_else(|_| URL_SAFE_NO_PAD.decode(&clean)).ok()?;
    utf8(bytes)
}

fn from_hex(text: &str) -> Option<Item> {
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

fn from_base32(text: &str) -> Option<Item> {
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

fn rot13(text: &str) -> Item {
    let turned = text.chars().map(|letter| match letter {
        'a'..='m' | 'A'..='M' => char::from_u32(u32::from(letter) + 13).unwrap_or(letter),
        'n'..='z' | 'N'..='Z' => char::from_u32(u32::from(letter) - 13).unwrap_or(letter),
        other => other,
    });
    decoded(turned.collect())
}

fn from_percent(text: &str) -> Option<Item> {
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
fn from_encoding(text: &str, encoding: &str) -> Option<Item> {
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

fn characters(items: &[Item]) -> Option<Item> {
    let mut text = String::new();
    for item in items {
        match item {
            Item::Number(number) => text.push(u32::try_from(*number).ok().and_then(char::from_u32)?),
            Item::List(items) => {
                let Item::Text(inner) = characters(items)? else { return None };
                text.push_str(&inner.text);
            }
            Item::Text(value) => text.push_str(&value.text),
        }
    }
    Some(decoded(text))
}

/// Parts of a path; an absolute part begins anew.
fn path(parts: &[Item]) -> Option<Item> {
    let mut whole = Value::default();
    for part in parts {
        let part = part.shown()?;
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
fn formatted(template: &Value, arguments: &[Item]) -> Option<Item> {
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

impl Parser<'_, '_, '_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, mark: char) -> bool {
        self.peek().is_some_and(|token| token.is(mark))
    }

    fn eat(&mut self, mark: char) -> bool {
        let found = self.is(mark);
        self.at += usize::from(found);
        found
    }

    fn skip_lines(&mut self) {
        while matches!(self.peek(), Some(Token::Line)) {
            self.at += 1;
        }
    }

    fn expression(&mut self) -> Option<Item> {
        let budget = self.scope.budget;
        budget.set(budget.get().checked_sub(1)?);
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let item = self.sum();
        self.depth -= 1;
        item
    }

    fn sum(&mut self) -> Option<Item> {
        let mut left = self.operand()?;
        loop {
            self.skip_lines();
            let budget = self.scope.budget;
            budget.set(budget.get().checked_sub(1)?);
            let Some(Token::Mark(mark)) = self.peek() else { return Some(left) };
            let mark = *mark;
            match mark {
                '.' if self.tokens.get(self.at + 1).is_some_and(|next| next.is('.')) => self.at += 2,
                '.' if !self.scope.dot_joins => return Some(left),
                '+' | '.' | '/' | '%' | '-' | '*' | '^' | '|' => self.at += 1,
                _ => return Some(left),
            }
            let right = self.operand()?;
            left = match (left, mark, right) {
                (Item::Number(one), '+', Item::Number(other)) => Item::Number(one.checked_add(other)?),
                (Item::Number(one), '-', Item::Number(other)) => Item::Number(one.checked_sub(other)?),
                (Item::Number(one), '*', Item::Number(other)) => Item::Number(one.checked_mul(other)?),
                (Item::Number(one), '^', Item::Number(other)) => Item::Number(one ^ other),
                (Item::Number(one), '|', Item::Number(other)) => Item::Number(one | other),
                (Item::List(mut one), '+', Item::List(other)) if one.len() + other.len() <= MOST_ITEMS => {
                    one.extend(other);
                    Item::List(one)
                }
                (one @ Item::Text(_), '/', other @ Item::Text(_)) => path(&[one, other])?,
                (Item::Text(template), '%', Item::List(arguments)) => formatted(&template, &arguments)?,
                (Item::Text(template), '%', argument) => formatted(&template, &[argument])?,
                (one, '+' | '.', other) => concatenated(&[one, other], "")?,
                _ => return None,
            };
        }
    }

    fn operand(&mut self) -> Option<Item> {
        self.skip_lines();
        let mut item = self.primary()?;
        loop {
            match self.peek() {
                Some(Token::Mark('.' | '?' | '-' | ':')) if self.member_follows() => {
                    let name = self.member()?;
                    self.arguments_or_none(&name, &mut item)?;
                }
                Some(Token::Mark('[')) => {
                    self.at += 1;
                    item = self.indexed(item)?;
                }
                _ => return Some(item),
            }
        }
    }

    /// `.name`, `?.name`, `->name`, `::name`
    fn member_follows(&self) -> bool {
        let name = |offset: usize| matches!(self.tokens.get(self.at + offset), Some(Token::Name(_)));
        match (self.peek(), self.tokens.get(self.at + 1)) {
            (Some(Token::Mark('.')), _) if !self.scope.dot_joins => name(1),
            (Some(Token::Mark('?')), Some(Token::Mark('.')))
            | (Some(Token::Mark('-')), Some(Token::Mark('>')))
            | (Some(Token::Mark(':')), Some(Token::Mark(':'))) => name(2),
            _ => false,
        }
    }

    fn member(&mut self) -> Option<String> {
        let rest = self.tokens.get(self.at..)?;
        let at = rest.iter().take(3).position(|token| matches!(token, Token::Name(_)))?;
        self.at += at + 1;
        rest.get(at).and_then(Token::name).map(str::to_owned)
    }

    fn arguments_or_none(&mut self, name: &str, item: &mut Item) -> Option<()> {
        let arguments = if self.eat('(') { self.list(')')? } else { Vec::new() };
        *item = method(item.clone(), name, &arguments)?;
        Some(())
    }

    /// `[i]`, `[a:b]`, `[::-1]`
    fn indexed(&mut self, item: Item) -> Option<Item> {
        let mut bounds = [None, None, None];
        let mut at = 0;
        while !self.eat(']') {
            if self.eat(':') {
                at += 1;
                continue;
            }
            match self.expression()? {
                Item::Number(number) => *bounds.get_mut(at)? = Some(number),
                _ => return None,
            }
        }
        let is_text = matches!(item, Item::Text(_));
        let items = item.items();
        let length = i64::try_from(items.len()).ok()?;
        let place = |index: i64| usize::try_from(if index < 0 { length + index } else { index }.max(0)).ok();
        if at == 0 {
            return items.get(place(bounds.first().copied().flatten()?)?).cloned();
        }
        let [from, to, step] = bounds;
        let chosen: Vec<Item> = match step {
            Some(-1) if from.is_none() && to.is_none() => items.into_iter().rev().collect(),
            None | Some(1..) => {
                let (from, to) = (place(from.unwrap_or(0))?, place(to.unwrap_or(length))?);
                let by = usize::try_from(step.unwrap_or(1)).ok()?;
                items.into_iter().take(to).skip(from).step_by(by).collect()
            }
            Some(_) => return None,
        };
        if is_text { concatenated(&chosen, "") } else { Some(Item::List(chosen)) }
    }

    fn primary(&mut self) -> Option<Item> {
        let token = self.peek()?.clone();
        self.at += 1;
        match token {
            Token::Text(mut value) => {
                // Neighbours are one text.
                while let Some(Token::Text(next)) = self.peek() {
                    value.text.push_str(&next.text);
                    value.assembled = true;
                    self.at += 1;
                }
                Some(Item::Text(value))
            }
            Token::Number(number) => parse_number(&number).map(Item::Number),
            Token::Mark('-') => match self.operand()? {
                Item::Number(number) => Some(Item::Number(-number)),
                _ => None,
            },
            Token::Mark('(') => {
                let single = self.tokens.get(self.at..).unwrap_or_default();
                let is_tuple = has_comma(single);
                let mut items = self.list(')')?;
                if items.len() == 1 && !is_tuple { items.pop() } else { Some(Item::List(items)) }
            }
            Token::Mark('[') => Some(Item::List(self.list(']')?)),
            Token::Name(name) => self.named(&name),
            _ => None,
        }
    }

    /// The items up to the closing mark, which is taken.
    fn list(&mut self, close: char) -> Option<Vec<Item>> {
        if let Some(items) = self.comprehension(close) {
            return Some(items);
        }
        let mut items = Vec::new();
        loop {
            self.skip_lines();
            if self.eat(close) {
                return Some(items);
            }
            // `key=value`, `key: value`
            let keyword = matches!(self.peek(), Some(Token::Name(_)))
                && self.tokens.get(self.at + 1).is_some_and(|next| next.is('=') || next.is(':'));
            if keyword {
                self.at += 2;
            }
            items.push(self.expression()?);
            self.skip_lines();
            if items.len() > MOST_ITEMS || !self.eat(',') && !self.is(close) {
                return None;
            }
        }
    }

    /// `expression for name in list`
    fn comprehension(&mut self, close: char) -> Option<Vec<Item>> {
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let mut depth = 0_usize;
        let mut found = None;
        for (offset, token) in rest.iter().enumerate().take(256) {
            match token {
                Token::Mark('(' | '[' | '{') => depth += 1,
                Token::Mark(')' | ']' | '}') if depth == 0 => break,
                Token::Mark(')' | ']' | '}') => depth -= 1,
                Token::Mark(',') if depth == 0 => break,
                Token::Name(name) if depth == 0 && name == "for" => {
                    found = Some(offset);
                    break;
                }
                _ => {}
            }
        }
        let at = found?;
        let body = rest.get(..at)?;
        let variable = rest.get(at + 1)?.name()?.to_owned();
        if rest.get(at + 2)?.name()? != "in" {
            return None;
        }
        let start = self.at;
        self.at += at + 3;
        let Some(items) = self.expression().map(Item::items).filter(|_| self.eat(close)) else {
            self.at = start;
            return None;
        };
        let mut results = Vec::new();
        for item in items.into_iter().take(MOST_ITEMS) {
            let mut bound = self.bound.clone();
            bound.push((variable.clone(), item));
            let mut inner = Parser { tokens: body, at: 0, depth: self.depth + 1, scope: self.scope, bound };
            results.push(inner.expression()?);
        }
        // A generator is one argument, a list in brackets its own items.
        Some(if close == ']' { results } else { vec![Item::List(results)] })
    }

    fn named(&mut self, first: &str) -> Option<Item> {
        if matches!(first, "new" | "await" | "return" | "b" | "r" | "u") {
            return self.operand();
        }
        let plain = first.trim_start_matches(['$', '@']);
        if let Some((_, item)) = self.bound.iter().rev().find(|(name, _)| name == first || name == plain) {
            return Some(item.clone());
        }
        let calls = self.is('(');
        if !calls {
            if let Some(value) = self.scope.values.get(first) {
                return Some(Item::Text(value.clone()));
            }
            if let Some(list) = self.scope.lists.get(first) {
                return Some(Item::List(list.iter().cloned().map(Item::Text).collect()));
            }
        }
        let mut full = self.scope.names.get(first).cloned().unwrap_or_else(|| first.to_owned());
        while self.member_follows() {
            let before = self.at;
            let Some(member) = self.member() else { break };
            full = format!("{full}.{member}");
            // `process.env.HOME`
            if !self.is('(') && !self.member_follows() && !self.is('[') && place(&full).is_none() {
                self.at = before;
                return None;
            }
        }
        if let Some(known) = place(&full) {
            if self.eat('(') {
                self.list(')')?;
            }
            return Some(Item::text(known));
        }
        if matches!(full.as_str(), "os.environ" | "ENV" | "$ENV") && self.is('[') {
            self.at += 1;
            let name = self.expression()?.shown()?;
            return (self.eat(']') && name.text == "HOME").then(|| Item::text("~"));
        }
        let last = full.rsplit('.').next().unwrap_or(&full).to_owned();
        if self.eat('(') {
            // `map(chr, list)`
            if last == "map" && self.peek().and_then(Token::name).is_some_and(|name| name == "chr") {
                self.at += 1;
                let items = (self.eat(',')).then(|| self.list(')')).flatten()?;
                return Some(Item::List(vec![characters(&items)?]));
            }
            let arguments = self.list(')')?;
            return function(&full, &last, &arguments);
        }
        let starts_argument = matches!(self.peek(), Some(Token::Text(_) | Token::Name(_) | Token::Number(_)));
        if self.scope.bare && starts_argument && self.depth < DEEPEST {
            let mut arguments = vec![self.expression()?];
            while self.eat(',') {
                arguments.push(self.expression()?);
            }
            return function(&full, &last, &arguments);
        }
        None
    }
}

/// Names that stand for a place.
fn place(full: &str) -> Option<&'static str> {
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

fn has_comma(tokens: &[Token]) -> bool {
    let mut depth = 0_usize;
    for token in tokens.iter().take(256) {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') if depth == 0 => return false,
            Token::Mark(')' | ']' | '}') => depth -= 1,
            Token::Mark(',') if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

/// An integer as the script languages write it.
pub(super) fn parse_number(text: &str) -> Option<i64> {
    let clean = text.replace('_', "").to_ascii_lowercase();
    let (digits, radix) = if let Some(rest) = clean.strip_prefix("0x") {
        (rest, 16)
    } else if let Some(rest) = clean.strip_prefix("0o") {
        (rest, 8)
    } else if let Some(rest) = clean.strip_prefix("0b") {
        (rest, 2)
    } else if clean.len() > 1 && clean.starts_with('0') {
        (clean.as_str(), 8)
    } else {
        (clean.as_str(), 10)
    };
    i64::from_str_radix(digits, radix).ok()
}

/// A function of literals.
fn function(full: &str, last: &str, arguments: &[Item]) -> Option<Item> {
    let first = arguments.first();
    let text = |at: usize| arguments.get(at).and_then(Item::shown);
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
            (item, Some(encoding)) => from_encoding(&item.shown()?.text, &encoding),
            (item, None) => item.shown().map(Item::Text),
        },
        "from" if full.ends_with("Array.from") => Some(Item::List(first?.clone().items())),
        "decodeURIComponent" | "decodeURI" | "unescape" | "unquote" | "unquote_plus" | "urldecode"
        | "rawurldecode" => from_percent(&text(0)?.text),
        "chr" | "fromCharCode" | "fromCodePoint" | "char" | "bytes" | "bytearray" => match first? {
            Item::Text(value) => Some(Item::Text(value.clone())),
            _ => characters(arguments),
        },
        "pack" => match (text(0)?.text.as_str(), arguments.get(1..)?) {
            ("H*", [item]) => from_hex(&item.shown()?.text),
            ("C*" | "c*" | "U*" | "W*", items) => characters(items),
            _ => None,
        },
        "unpack" if text(0)?.text == "u" => None,
        "join" | "implode" if path_function(full) => path(arguments),
        "join" | "implode" => match arguments {
            [separator, Item::List(items)] => concatenated(items, &separator.shown()?.text),
            [Item::List(items), separator] => concatenated(items, &separator.shown()?.text),
            [separator, items @ ..] => concatenated(items, &separator.shown()?.text),
            [] => None,
        },
        "reversed" => Some(Item::List(first?.clone().items().into_iter().rev().collect())),
        "reverse" | "strrev" => match arguments {
            [Item::List(items)] => Some(Item::List(items.iter().rev().cloned().collect())),
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
            first?.shown().map(Item::Text)
        }
        "list" | "tuple" | "sorted" | "array" | "set" => Some(Item::List(first?.clone().items())),
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

fn path_function(full: &str) -> bool {
    full.contains("path.") || full.starts_with("File.") || full == "joinpath" || full.ends_with("Path.join")
}

/// A method of a literal.
fn method(item: Item, name: &str, arguments: &[Item]) -> Option<Item> {
    let text = |at: usize| arguments.get(at).and_then(Item::shown).map(|value| value.text);
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
            if name == "unpack" { Some(Item::List(vec![found])) } else { Some(found) }
        }
        ("pack", Item::List(items)) => match (text(0)?.as_str(), items.as_slice()) {
            ("H*", [item]) => from_hex(&item.shown()?.text),
            ("m" | "m0", _) => None,
            ("C*" | "c*" | "U*", items) => characters(items),
            _ => None,
        },
        ("fromhex", Item::Text(_)) => from_hex(&text(0)?),
        ("split", Item::Text(value)) => {
            let parts: Vec<Item> = match text(0) {
                Some(separator) if separator.is_empty() => return Some(Item::List(item.items())),
                Some(separator) => value.text.split(separator.as_str()).map(Item::text).collect(),
                None => value.text.split_whitespace().map(Item::text).collect(),
            };
            (parts.len() <= MOST_ITEMS).then_some(Item::List(parts))
        }
        ("reverse" | "reversed", Item::Text(value)) => changed(value, value.text.chars().rev().collect()),
        ("reverse" | "reversed", Item::List(items)) => {
            Some(Item::List(items.iter().rev().cloned().collect()))
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
        (
            "encode" | "strip" | "trim" | "rstrip" | "lstrip" | "chomp" | "to_s" | "to_str" | "expanduser"
            | "resolve" | "absolute" | "as_posix" | "valueOf" | "freeze" | "force_encoding" | "to_sym"
            | "intern" | "copy" | "flat" | "normalize",
            _,
        ) => Some(item.clone()),
        ("shift" | "first", Item::List(items)) => items.first().cloned(),
        ("pop" | "last", Item::List(items)) => items.last().cloned(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn literals_are_computed_whatever_hides_them() {
        check(
            "python",
            &[
                ("import os;os.system('r'+'m x')", "sh rm x"),
                ("import os;os.system(''.join(['rm',' x']))", "sh rm x"),
                ("import os;os.system('x mr'[::-1])", "sh rm x"),
                ("import os;os.system('%s %s' % ('rm','x'))", "sh rm x"),
                ("import os;os.system('{} {}'.format('rm','x'))", "sh rm x"),
                ("import os;os.system(''.join(chr(c) for c in [114,109,32,120]))", "obfuscated; sh rm x"),
                ("import os;os.system(''.join(map(chr,[114,109,32,120])))", "obfuscated; sh rm x"),
                ("import os,base64;os.system(base64.b64decode('cm0geA=='))", "obfuscated; sh rm x"),
                ("import os;os.system(bytes.fromhex('726d2078').decode())", "obfuscated; sh rm x"),
                ("import os,codecs;os.system(codecs.decode('ez k','rot13'))", "obfuscated; sh rm x"),
                ("print(open(chr(46)+'env').read())", "read .env; obfuscated"),
                ("from pathlib import Path; print((Path('.')/'.env').read_text())", "read ./.env"),
                (
                    "from pathlib import Path; p=Path.home()/'.ssh'/'id_rsa'; p.read_text()",
                    "read ~/.ssh/id_rsa",
                ),
                ("import os; open(os.path.join('a','.env'))", "read a/.env"),
                ("import subprocess as s; s.run('rm -rf x'.split())", "argv rm -rf x"),
                ("import subprocess; c=['rm','x']; subprocess.call(c)", "argv rm x"),
            ],
        );
        check(
            "javascript",
            &[
                (
                    "require('fs').readFileSync(Buffer.from('LmVudg==','base64').toString())",
                    "read .env; obfuscated",
                ),
                ("require('fs').readFileSync(['.e','nv'].join(''))", "read .env"),
                ("require('fs').readFileSync('vne.'.split('').reverse().join(''))", "read .env"),
                ("require('fs').readFileSync(String.fromCharCode(46,101,110,118))", "read .env; obfuscated"),
                (
                    "eval(atob('cmVxdWlyZSgnZnMnKS5ybVN5bmMoJ2EnKQ=='))",
                    "obfuscated; obfuscated; javascript require('fs').rmSync('a')",
                ),
            ],
        );
        check(
            "perl",
            &[
                ("system(pack('H*','726d2078'))", "obfuscated; sh rm x"),
                ("system(join(' ','rm','x'))", "sh rm x"),
                ("system 'r'.'m x'", "sh rm x"),
            ],
        );
        check("ruby", &[("system(['726d2078'].pack('H*'))", "obfuscated; sh rm x")]);
        check("php", &[("system(base64_decode('cm0geA=='));", "obfuscated; sh rm x")]);
    }
}
