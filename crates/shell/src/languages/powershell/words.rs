//! PowerShell's words: quotes, here-strings, variables, arguments of commands.

use super::ast::{Expr, Part};
use super::parse::{Read, Reader, is_double, is_single};

impl Reader<'_> {
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

    pub(super) fn single_quoted(&mut self) -> Read<Expr> {
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

    pub(super) fn double_quoted(&mut self) -> Read<Expr> {
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
    pub(super) fn here_string(&mut self) -> Read<Expr> {
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
