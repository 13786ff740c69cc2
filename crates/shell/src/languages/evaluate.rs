//! The value of an expression made of literals: concatenation, joins, paths and decoders, in whatever language.
//!
//! `''.join(map(chr, [114, 109]))`, `Buffer.from('…', 'base64').toString()`, `Path.home() / '.ssh'`: what such an
//! expression amounts to is computed; anything else has no value. Functions are told by their last name, since an
//! expression of literals means the same in every language that has them.

use std::cell::Cell;
use std::collections::HashMap;

use super::Value;
use super::tokens::Token;

pub(in crate::languages) mod functions;

use functions::{characters, concatenated, formatted, function, has_comma, method, path, place};

/// What an expression amounts to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::languages) enum Item {
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
