//! PowerShell's words and expressions: quotes, here-strings, variables, operators, members.

use super::ast::{Expr, Part, Statement};
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

    fn primary(&mut self) -> Read<Expr> {
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
    fn members(&mut self, mut on: Expr) -> Read<Expr> {
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

    /// A variable's name behind `$`: with its scope or drive, in lower case, without braces.
    pub(super) fn variable_name(&mut self) -> String {
        if self.eat('{') {
            let rest = self.rest();
            let end = rest.find('}').unwrap_or(rest.len());
            let name = rest.get(..end).unwrap_or_default().to_ascii_lowercase();
            self.at += (end + 1).min(rest.len());
            return name;
        }
        if let Some(letter @ ('$' | '?' | '^')) = self.peek() {
            self.bump();
            return letter.to_string();
        }
        let start = self.at;
        while self.peek().is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
            || self.peek() == Some(':')
                && self.at > start
                && self.second().is_some_and(|next| next.is_alphanumeric() || next == '_')
                && !self.text.get(start..self.at).unwrap_or_default().contains(':')
        {
            self.bump();
        }
        self.text.get(start..self.at).unwrap_or_default().to_ascii_lowercase()
    }

    fn single_quoted(&mut self) -> Read<Expr> {
        self.bump();
        let mut text = String::new();
        loop {
            match self.bump() {
                None => return self.trouble("a quote stands open"),
                Some(letter) if is_single(letter) => {
                    if self.peek().is_some_and(is_single) {
                        text.extend(self.bump());
                    } else {
                        return Ok(Expr::literal(text));
                    }
                }
                Some(letter) => text.push(letter),
            }
        }
    }

    fn double_quoted(&mut self) -> Read<Expr> {
        self.bump();
        let mut parts = Parts::default();
        loop {
            match self.peek() {
                None => return self.trouble("a quote stands open"),
                Some(letter) if is_double(letter) => {
                    self.bump();
                    if self.peek().is_some_and(is_double) {
                        parts.text.extend(self.bump());
                    } else {
                        return Ok(parts.whole(false));
                    }
                }
                Some(_) => self.part(&mut parts)?,
            }
        }
    }

    /// `@'…'@` and `@"…"@`, which end where a line begins with the mark.
    fn here_string(&mut self) -> Read<Expr> {
        self.bump();
        let expands = self.peek().is_some_and(is_double);
        self.bump();
        let rest = self.rest();
        let Some(line) = rest.find('\n') else { return self.trouble("a here-string stands open") };
        self.at += line + 1;
        let rest = self.rest();
        let mark = if expands { "\"@" } else { "'@" };
        let (end, gap) = if rest.starts_with(mark) {
            (0, 0)
        } else {
            match rest.find(&format!("\n{mark}")) {
                Some(end) => (end, 1),
                None => return self.trouble("a here-string stands open"),
            }
        };
        let until = self.at + end;
        if !expands {
            let text = self.text.get(self.at..until).unwrap_or_default().trim_end_matches('\r').to_owned();
            self.at = until + gap + mark.len();
            return Ok(Expr::literal(text));
        }
        let mut parts = Parts::default();
        while self.at < until {
            self.part(&mut parts)?;
        }
        if self.at > until {
            return self.trouble("a here-string ends inside a value");
        }
        self.at = until + gap + mark.len();
        Ok(parts.whole(false))
    }

    /// One letter, escape or value of a text in which values are put.
    fn part(&mut self, parts: &mut Parts) -> Read<()> {
        match self.peek() {
            Some('`') => {
                self.bump();
                parts.text.extend(self.escaped());
            }
            Some('$') => {
                if self.rest().starts_with("$(") {
                    self.at += 2;
                    let block = self.block(')')?;
                    parts.value(Expr::Statements(block));
                } else if self.second().is_some_and(|next| next.is_alphanumeric() || "_{?$^".contains(next)) {
                    self.bump();
                    let name = self.variable_name();
                    parts.value(Expr::Variable(name));
                } else {
                    parts.text.extend(self.bump());
                }
            }
            _ => parts.text.extend(self.bump()),
        }
        Ok(())
    }

    /// The letter that a backquote stands in front of.
    fn escaped(&mut self) -> Option<char> {
        let letter = self.bump()?;
        Some(match letter {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\u{1}',
            'a' | 'b' | 'f' | 'v' | 'e' => ' ',
            'u' if self.peek() == Some('{') => {
                let rest = self.rest();
                let end =
                    rest.char_indices().take(10).find(|(_, letter)| *letter == '}').map_or(0, |(at, _)| at);
                let code = rest.get(1..end).and_then(|code| u32::from_str_radix(code, 16).ok());
                match code.and_then(char::from_u32) {
                    Some(letter) => {
                        self.at += end + 1;
                        letter
                    }
                    None => 'u',
                }
            }
            letter => letter,
        })
    }

    /// An argument, with the further ones that commas make a list of.
    pub(super) fn argument_list(&mut self) -> Read<Expr> {
        let first = self.argument()?;
        let mut items = vec![first];
        loop {
            let before = self.at;
            self.spaces();
            if !self.eat(',') {
                self.at = before;
                break;
            }
            self.lines();
            if matches!(self.peek(), None | Some('|' | ';' | ')' | '}')) {
                break;
            }
            items.push(self.argument()?);
        }
        Ok(match <[Expr; 1]>::try_from(items) {
            Ok([only]) => only,
            Err(items) => Expr::List(items),
        })
    }

    /// One argument of a command.
    pub(super) fn argument(&mut self) -> Read<Expr> {
        self.deeper(|reader| {
            let rest = reader.rest();
            match reader.peek() {
                Some('(' | '{') => {
                    let primary = reader.primary()?;
                    reader.members(primary)
                }
                Some('@') if rest.starts_with("@(") || rest.starts_with("@{") => {
                    let primary = reader.primary()?;
                    reader.members(primary)
                }
                Some('@') if reader.second().is_some_and(|next| is_single(next) || is_double(next)) => {
                    reader.here_string()
                }
                Some(letter) if is_single(letter) || is_double(letter) => {
                    let quoted = reader.primary()?;
                    reader.members(quoted)
                }
                Some('$') if !rest.starts_with("$(") => {
                    let before = reader.at;
                    reader.bump();
                    let name = reader.variable_name();
                    let value = reader.members(Expr::Variable(name))?;
                    if reader.ends_word() {
                        return Ok(value);
                    }
                    reader.at = before;
                    reader.word(false)
                }
                _ => reader.word(false),
            }
        })
    }

    fn ends_word(&self) -> bool {
        self.peek().is_none_or(|letter| letter.is_whitespace() || "|;&(){},><".contains(letter))
    }

    /// A word without quotes around it, with what may stand inside. `goes_on`: its first letter was taken.
    pub(super) fn word(&mut self, goes_on: bool) -> Read<Expr> {
        let mut parts = Parts::default();
        let start = self.at;
        let (mut ticked, mut open) = (false, 0_u32);
        loop {
            match self.peek() {
                None => break,
                Some('[') => {
                    open += 1;
                    parts.text.extend(self.bump());
                }
                Some(']') => {
                    open = open.saturating_sub(1);
                    parts.text.extend(self.bump());
                }
                // Types with several arguments, patterns.
                Some(',') if open > 0 => parts.text.extend(self.bump()),
                Some(letter) if letter.is_whitespace() || "|;&(){},<>".contains(letter) => break,
                Some('`') if self.rest().starts_with("`\n") || self.rest().starts_with("`\r\n") => break,
                Some(letter) if is_single(letter) => {
                    ticked |= self.at > start;
                    if let Expr::Literal { text, .. } = self.single_quoted()? {
                        parts.text.push_str(&text);
                    }
                }
                Some(letter) if is_double(letter) => {
                    ticked |= self.at > start;
                    let quoted = self.double_quoted()?;
                    match quoted {
                        Expr::Literal { text, .. } => parts.text.push_str(&text),
                        other => parts.value(other),
                    }
                }
                Some('`') => {
                    ticked = true;
                    self.part(&mut parts)?;
                }
                Some('$') => self.part(&mut parts)?,
                Some(_) => parts.text.extend(self.bump()),
            }
        }
        if self.at == start && !goes_on {
            return self.trouble("a word is missing");
        }
        Ok(parts.whole(ticked))
    }
}

#[derive(Default)]
struct Parts {
    done: Vec<Part>,
    text: String,
}

impl Parts {
    fn value(&mut self, value: Expr) {
        if !self.text.is_empty() {
            self.done.push(Part::Text(std::mem::take(&mut self.text)));
        }
        self.done.push(Part::Value(value));
    }

    fn whole(mut self, ticked: bool) -> Expr {
        if self.done.is_empty() {
            return Expr::Literal { text: self.text, ticked };
        }
        if !self.text.is_empty() {
            self.done.push(Part::Text(self.text));
        }
        Expr::Text(self.done)
    }
}
