//! PowerShell's expressions: operators, members, calls, hash tables.

use super::ast::{Expr, Statement};
use super::parse::{Read, Reader, is_dash, is_double, is_single};

/// Operators between two values, from the loosest to the tightest.
const LEVELS: &[&[&str]] = &[
    &["and", "or", "xor"],
    &["band", "bor", "bxor", "shl", "shr"],
    &[
        "eq",
        "ne",
        "gt",
        "ge",
        "lt",
        "le",
        "like",
        "notlike",
        "match",
        "notmatch",
        "replace",
        "contains",
        "notcontains",
        "in",
        "notin",
        "split",
        "join",
        "is",
        "isnot",
        "as",
    ],
];
const FORMAT: &str = "f";

impl Reader<'_> {
    pub(super) fn expression(&mut self) -> Read<Expr> {
        self.deeper(|reader| reader.ternary())
    }

    /// `??` and `? :`, loosest of all.
    fn ternary(&mut self) -> Read<Expr> {
        let condition = self.level(0)?;
        self.spaces();
        if self.rest().starts_with("??") && !self.rest().starts_with("??=") {
            self.at += 2;
            self.lines();
            let other = self.expression()?;
            return Ok(Expr::Binary("??".to_owned(), Box::new(condition), Box::new(other)));
        }
        if self.peek() == Some('?') && self.second().is_some_and(char::is_whitespace) {
            self.bump();
            self.lines();
            let yes = self.expression()?;
            self.lines();
            self.expect(':', "a choice without its other half")?;
            self.lines();
            let no = self.expression()?;
            return Ok(Expr::Binary("?:".to_owned(), Box::new(yes), Box::new(no)));
        }
        Ok(condition)
    }

    fn level(&mut self, level: usize) -> Read<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.sum() };
        let mut left = self.level(level + 1)?;
        let mut count = 0;
        loop {
            self.longer(&mut count)?;
            let Some(operator) = self.dash_operator(operators) else { return Ok(left) };
            let right = self.level(level + 1)?;
            left = Expr::Binary(operator, Box::new(left), Box::new(right));
        }
    }

    /// `-name` of the list, also with the `c` and `i` that say whether case counts; white space behind it is taken.
    fn dash_operator(&mut self, operators: &[&str]) -> Option<String> {
        let before = self.at;
        self.spaces();
        if self.peek().is_some_and(is_dash) {
            self.bump();
            let name = self.identifier().to_ascii_lowercase();
            let known = |name: &str| operators.contains(&name);
            let plain = if known(&name) {
                Some(name.as_str())
            } else {
                name.strip_prefix(['c', 'i']).filter(|name| known(name))
            };
            if let Some(plain) = plain {
                let plain = plain.to_owned();
                self.lines();
                return Some(plain);
            }
        }
        self.at = before;
        None
    }

    fn sum(&mut self) -> Read<Expr> {
        let mut left = self.product()?;
        let mut count = 0;
        loop {
            self.longer(&mut count)?;
            let before = self.at;
            self.spaces();
            let operator = match self.peek() {
                Some('+') if !matches!(self.second(), Some('+' | '=')) => "+",
                Some(letter)
                    if is_dash(letter)
                        && !self
                            .second()
                            .is_some_and(|next| next.is_alphabetic() || next == '=' || is_dash(next)) =>
                {
                    "-"
                }
                _ => {
                    self.at = before;
                    return Ok(left);
                }
            };
            self.bump();
            self.lines();
            let right = self.product()?;
            left = Expr::Binary(operator.to_owned(), Box::new(left), Box::new(right));
        }
    }

    fn product(&mut self) -> Read<Expr> {
        let mut left = self.formatted()?;
        let mut count = 0;
        loop {
            self.longer(&mut count)?;
            let before = self.at;
            self.spaces();
            match self.peek() {
                Some(letter @ ('*' | '/' | '%')) if !matches!(self.second(), Some('=' | '>')) => {
                    self.bump();
                    self.lines();
                    let right = self.formatted()?;
                    left = Expr::Binary(letter.to_string(), Box::new(left), Box::new(right));
                }
                _ => {
                    self.at = before;
                    return Ok(left);
                }
            }
        }
    }

    fn formatted(&mut self) -> Read<Expr> {
        let mut left = self.range()?;
        let mut count = 0;
        while let Some(operator) = self.dash_operator(&[FORMAT]) {
            self.longer(&mut count)?;
            let right = self.range()?;
            left = Expr::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn range(&mut self) -> Read<Expr> {
        let left = self.listed()?;
        let before = self.at;
        self.spaces();
        if self.rest().starts_with("..") {
            self.at += 2;
            self.lines();
            let right = self.listed()?;
            return Ok(Expr::Binary("..".to_owned(), Box::new(left), Box::new(right)));
        }
        self.at = before;
        Ok(left)
    }

    fn listed(&mut self) -> Read<Expr> {
        self.spaces();
        if self.eat(',') {
            return Ok(Expr::List(vec![self.unary()?]));
        }
        let first = self.unary()?;
        let mut items = vec![first];
        loop {
            let before = self.at;
            self.spaces();
            if !self.eat(',') {
                self.at = before;
                break;
            }
            self.lines();
            items.push(self.unary()?);
        }
        Ok(match <[Expr; 1]>::try_from(items) {
            Ok([only]) => only,
            Err(items) => Expr::List(items),
        })
    }

    fn unary(&mut self) -> Read<Expr> {
        self.deeper(|reader| {
            reader.spaces();
            let rest = reader.rest();
            match reader.peek() {
                Some('!') => {
                    reader.bump();
                    Ok(Expr::Unary("not".to_owned(), Box::new(reader.unary()?)))
                }
                Some('+') => {
                    reader.at += if rest.starts_with("++") { 2 } else { 1 };
                    reader.unary()
                }
                Some(letter) if is_dash(letter) => {
                    reader.bump();
                    if reader.peek().is_some_and(is_dash) {
                        reader.bump();
                        return reader.unary();
                    }
                    let name = reader.identifier().to_ascii_lowercase();
                    if name.starts_with(|letter: char| letter.is_ascii_digit()) {
                        return Ok(Expr::Number(format!("-{name}")));
                    }
                    reader.lines();
                    let on = reader.unary()?;
                    Ok(Expr::Unary(if name.is_empty() { "-".to_owned() } else { name }, Box::new(on)))
                }
                Some('[') => {
                    let name = reader.type_name()?;
                    let before = reader.at;
                    reader.spaces();
                    let casts = reader.peek().is_some_and(|next| {
                        "$@('\"[{".contains(next)
                            || is_single(next)
                            || is_double(next)
                            || next.is_ascii_digit()
                            || is_dash(next) && reader.second().is_some_and(|next| next.is_ascii_digit())
                    });
                    if casts {
                        return Ok(Expr::Cast(name, Box::new(reader.unary()?)));
                    }
                    reader.at = before;
                    reader.members(Expr::Type(name))
                }
                _ => {
                    let primary = reader.primary()?;
                    reader.members(primary)
                }
            }
        })
    }

    /// `[System.IO.File]`, without its brackets and spaces.
    fn type_name(&mut self) -> Read<String> {
        let mut open = 0_u32;
        let start = self.at;
        while let Some(letter) = self.bump() {
            match letter {
                '[' => open += 1,
                ']' => {
                    open -= 1;
                    if open == 0 {
                        let name = self.text.get(start + 1..self.at - 1).unwrap_or_default();
                        return Ok(name
                            .chars()
                            .filter(|letter| !letter.is_whitespace() && *letter != '`')
                            .collect());
                    }
                }
                _ => {}
            }
        }
        self.trouble("a type stands open")
    }

    pub(super) fn primary(&mut self) -> Read<Expr> {
        let rest = self.rest();
        match self.peek() {
            Some('$') if rest.starts_with("$(") => {
                self.at += 2;
                Ok(Expr::Statements(self.block(')')?))
            }
            Some('$') => {
                self.bump();
                Ok(Expr::Variable(self.variable_name()))
            }
            Some('(') => {
                self.bump();
                self.lines();
                let inner = self.deeper(Self::statement)?;
                self.lines();
                self.expect(')', "a parenthesis stands open")?;
                Ok(Expr::Paren(Box::new(inner)))
            }
            Some('@') if rest.starts_with("@(") => {
                self.at += 2;
                Ok(Expr::Statements(self.block(')')?))
            }
            Some('@') if rest.starts_with("@{") => {
                self.at += 2;
                self.hash()
            }
            Some('@') if self.second().is_some_and(|next| is_single(next) || is_double(next)) => {
                self.here_string()
            }
            Some('{') => {
                self.bump();
                Ok(Expr::Script(self.block('}')?))
            }
            Some(letter) if is_single(letter) => self.single_quoted(),
            Some(letter) if is_double(letter) => self.double_quoted(),
            Some(letter) if letter.is_ascii_digit() || letter == '.' => {
                let start = self.at;
                while self.peek().is_some_and(|letter| letter.is_alphanumeric())
                    || self.peek() == Some('.') && self.second().is_some_and(|next| next.is_ascii_digit())
                {
                    self.bump();
                }
                if self.at == start {
                    return self.trouble("a value is missing");
                }
                Ok(Expr::Number(self.text.get(start..self.at).unwrap_or_default().to_owned()))
            }
            _ => self.trouble("a value is missing"),
        }
    }

    /// `.name`, `::name`, `(…)`, `[…]` behind a value, as often as they follow.
    pub(super) fn members(&mut self, mut on: Expr) -> Read<Expr> {
        let mut count = 0;
        loop {
            self.longer(&mut count)?;
            let rest = self.rest();
            if rest.starts_with("++") || rest.starts_with("--") && !rest.starts_with("--%") {
                self.at += 2;
                continue;
            }
            if self.peek() == Some('[') {
                self.bump();
                self.lines();
                let index = self.expression()?;
                self.lines();
                self.expect(']', "an index stands open")?;
                on = Expr::Index(Box::new(on), Box::new(index));
                continue;
            }
            let mark = if rest.starts_with("::") || rest.starts_with("?.") {
                2
            } else if rest.starts_with('.') && !rest.starts_with("..") {
                1
            } else {
                // A line that begins with a dot goes on with the value above it.
                let before = self.at;
                if matches!(self.peek(), Some('\n' | '\r' | ' ' | '\t')) {
                    self.lines();
                    let dotted = self.peek() == Some('.') && self.second().is_some_and(char::is_alphabetic);
                    if dotted && self.text.get(before..self.at).is_some_and(|gap| gap.contains('\n')) {
                        continue;
                    }
                }
                self.at = before;
                return Ok(on);
            };
            let next = rest.get(mark..).and_then(|rest| rest.chars().next());
            let named = next.is_some_and(|next| {
                next.is_alphabetic() || "_$(".contains(next) || is_single(next) || is_double(next)
            });
            if !named {
                return Ok(on);
            }
            self.at += mark;
            let name = match self.peek() {
                Some(letter) if letter.is_alphabetic() || letter == '_' => Expr::literal(self.identifier()),
                _ => self.primary()?,
            };
            let name = Box::new(name);
            if self.peek() == Some('(') {
                self.bump();
                let args = self.deeper(|reader| {
                    let mut args = Vec::new();
                    loop {
                        reader.lines();
                        match reader.peek() {
                            Some(')') => {
                                reader.bump();
                                return Ok(args);
                            }
                            Some(',') => {
                                reader.bump();
                            }
                            None => return reader.trouble("a call stands open"),
                            Some(_) => args.push(reader.call_argument()?),
                        }
                    }
                })?;
                on = Expr::Call { on: Box::new(on), name, args };
            } else if self.peek() == Some('{') && matches!(on, Expr::Variable(_) | Expr::Paren(_)) {
                // `.ForEach{ … }`, `.Where{ … }`.
                self.bump();
                let body = self.block('}')?;
                on = Expr::Call { on: Box::new(on), name, args: vec![Expr::Script(body)] };
            } else {
                on = Expr::Member { on: Box::new(on), name };
            }
        }
    }

    /// An argument between commas: no list of its own.
    fn call_argument(&mut self) -> Read<Expr> {
        let mut left = self.argument_sum()?;
        let all: Vec<&str> = LEVELS.iter().flat_map(|level| level.iter().copied()).collect();
        let mut count = 0;
        while let Some(operator) = self.dash_operator(&all) {
            self.longer(&mut count)?;
            let right = self.argument_sum()?;
            left = Expr::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn argument_sum(&mut self) -> Read<Expr> {
        let mut left = self.unary()?;
        let mut count = 0;
        loop {
            self.longer(&mut count)?;
            self.lines();
            if let Some(operator) = self.dash_operator(&[FORMAT]) {
                let right = self.unary()?;
                left = Expr::Binary(operator, Box::new(left), Box::new(right));
                continue;
            }
            let operator = match self.peek() {
                Some(letter @ ('+' | '*' | '/' | '%')) => letter,
                Some('.') if self.rest().starts_with("..") => {
                    self.at += 2;
                    let right = self.unary()?;
                    left = Expr::Binary("..".to_owned(), Box::new(left), Box::new(right));
                    continue;
                }
                Some(letter) if is_dash(letter) && !self.second().is_some_and(char::is_alphabetic) => '-',
                _ => return Ok(left),
            };
            self.bump();
            self.lines();
            let right = self.unary()?;
            left = Expr::Binary(operator.to_string(), Box::new(left), Box::new(right));
        }
    }

    fn hash(&mut self) -> Read<Expr> {
        self.deeper(|reader| {
            let mut pairs = Vec::new();
            loop {
                reader.lines();
                match reader.peek() {
                    Some('}') => {
                        reader.bump();
                        return Ok(Expr::Hash(pairs));
                    }
                    Some(';' | ',') => {
                        reader.bump();
                        continue;
                    }
                    None => return reader.trouble("a table stands open"),
                    Some(_) => {}
                }
                let key = match reader.peek() {
                    Some(letter) if letter.is_alphabetic() || letter == '_' => {
                        let start = reader.at;
                        while reader.peek().is_some_and(|letter| {
                            letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.')
                        }) {
                            reader.bump();
                        }
                        Expr::literal(reader.text.get(start..reader.at).unwrap_or_default())
                    }
                    _ => reader.unary()?,
                };
                reader.lines();
                reader.expect('=', "a table's name without its value")?;
                reader.lines();
                let value: Statement = reader.statement()?;
                pairs.push((key, value));
            }
        })
    }
}
