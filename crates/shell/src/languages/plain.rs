//! Reads code of languages that have no grammar: names, literals, calls and assignments become the tree that is
//! followed.
//!
//! A statement ends with its line or a `;`. Words and marks that say how the code is built are passed over, and what is
//! between them is followed, so that a call is found wherever it is. A text that the grammar of its language can't take
//! is read like this, too.

use super::code::read::{call_of, number, unknown, with_stack};
use super::code::tree::{Argument, Declares, Expr, Pattern, Stmt};
use super::rules::LanguageRow;
use super::tokens::Token;

/// How deep brackets and operands lie in each other.
const DEEPEST: usize = 100;
/// Most operators, members and calls behind one operand; each lies in the next.
const LONGEST: usize = 200;

/// Words in front of an expression that change nothing about what it calls.
const IN_FRONT: &[&str] = &[
    "and", "async", "await", "defer", "do", "else", "elseif", "elsif", "go", "if", "in", "let", "new", "not",
    "or", "return", "then", "throw", "try", "unless", "val", "var", "while", "yield",
];

/// Words that end the arguments of a call without parentheses.
const BEHIND: &[&str] = &["and", "do", "if", "or", "unless"];

/// Forms of Lisp that give a value to a name.
const DEFINES: &[&str] = &["def", "defconst", "define", "defparameter", "defvar", "set!", "setf", "setq"];

/// Reads tokens; the second value says whether something lay deeper than is read.
pub(super) fn read(tokens: &[Token], language: &LanguageRow) -> (Vec<Stmt>, bool) {
    let mut plain = Plain { tokens, at: 0, depth: 0, cut: false, language };
    let statements = plain.statements(None);
    (statements, plain.cut)
}

struct Plain<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    cut: bool,
    language: &'t LanguageRow,
}

impl<'t> Plain<'t> {
    fn ahead(&self, step: usize) -> Option<&'t Token> {
        self.tokens.get(self.at + step)
    }

    fn is(&self, step: usize, mark: char) -> bool {
        self.ahead(step).is_some_and(|token| token.is(mark))
    }

    fn name(&self, step: usize) -> Option<&'t str> {
        self.ahead(step).and_then(Token::name)
    }

    /// Statements up to a mark, which is taken, or up to the end.
    fn statements(&mut self, close: Option<char>) -> Vec<Stmt> {
        let mut all = Vec::new();
        while let Some(token) = self.ahead(0) {
            if close.is_some_and(|close| token.is(close)) {
                self.at += 1;
                break;
            }
            let before = self.at;
            if !matches!(token, Token::Line | Token::Mark(';' | ',' | ')' | ']' | '}')) {
                all.push(self.statement());
            }
            self.at = self.at.max(before + 1);
        }
        all
    }

    fn statement(&mut self) -> Stmt {
        let Some((name, width)) = self.assigned() else { return Stmt::Do(self.expression()) };
        self.at += width;
        Stmt::Assign(Pattern::Name(name.to_owned()), self.expression(), Declares::There)
    }

    /// The name that a statement gives a value to (`let mut x: T = …`, `x <- …`, `x := …`), and how many tokens are in
    /// front of the value.
    fn assigned(&self) -> Option<(&'t str, usize)> {
        let names = (0..8).take_while(|step| self.name(*step).is_some()).count();
        let name = self.name(names.checked_sub(1)?)?;
        let typed = self.is(names, ':') && self.name(names + 1).is_some() && self.is(names + 2, '=');
        let mark = if typed { names + 2 } else { names };
        let two =
            (self.is(mark, '<') && self.is(mark + 1, '-')) || (self.is(mark, ':') && self.is(mark + 1, '='));
        let one = self.is(mark, '=') && !['=', '~', '>'].iter().any(|next| self.is(mark + 1, *next));
        (one || two).then_some((name, mark + if two { 2 } else { 1 }))
    }

    fn expression(&mut self) -> Expr {
        if self.depth >= DEEPEST {
            self.cut = true;
            self.at += 1;
            return unknown();
        }
        self.depth += 1;
        let found = with_stack(|| self.joined());
        self.depth -= 1;
        found
    }

    fn joined(&mut self) -> Expr {
        let mut left = self.operand();
        let mut count = 0;
        while let Some((operator, width)) = self.operator() {
            count += 1;
            if count > LONGEST {
                self.cut = true;
                break;
            }
            self.at += width;
            while self.ahead(0) == Some(&Token::Line) {
                self.at += 1;
            }
            left = Expr::Binary(operator, Box::new(left), Box::new(self.operand()));
        }
        left
    }

    /// An operator that may make a text or a number of its sides: `+`, `++`, `<>`, `..` and `&` all join texts.
    fn operator(&self) -> Option<(char, usize)> {
        let Some(Token::Mark(mark)) = self.ahead(0) else { return None };
        let joins = self.language.lexis.sigils && *mark == '.';
        match mark {
            '+' | '.' if self.is(1, *mark) => Some(('+', 2)),
            '<' if self.is(1, '>') => Some(('+', 2)),
            '&' if !self.is(1, '&') && !self.language.lexis.slashes => Some(('+', 1)),
            '+' => Some(('+', 1)),
            '.' | '^' if joins || matches!(self.ahead(1), Some(Token::Text(_))) => Some(('+', 1)),
            '-' if self.is(1, '>') => None,
            '-' | '*' | '/' | '%' | '^' => Some((*mark, 1)),
            _ => None,
        }
    }

    fn operand(&mut self) -> Expr {
        // `#o777`
        if self.is(0, '#')
            && let Some(digits) = self.name(1).and_then(|name| name.strip_prefix('o'))
        {
            self.at += 2;
            return number(&format!("0o{digits}"));
        }
        // Marks in front (references, negations, symbols, sigils), and words.
        let is_mark = |token: &Token| {
            matches!(token, Token::Mark('&' | '*' | '!' | '@' | '$' | '\\' | '?' | '~' | '-' | '#' | ':'))
        };
        let is_word = |plain: &Self| {
            plain.name(0).is_some_and(|name| IN_FRONT.contains(&name)) && plain.starts_operand(1)
        };
        while self.ahead(0).is_some_and(is_mark) || is_word(self) {
            self.at += 1;
        }
        let Some(token) = self.ahead(0) else { return unknown() };
        let found = match token {
            Token::Text(value) => {
                self.at += 1;
                Expr::Text(value.clone())
            }
            Token::Command(value) => {
                self.at += 1;
                Expr::Command(Box::new(Expr::Text(value.clone())))
            }
            Token::Number(digits) => {
                self.at += 1;
                number(digits)
            }
            Token::Mark('(') if self.language.lisp => return self.form(),
            Token::Mark('(') => {
                let mut items = self.arguments(')');
                if items.len() == 1 { items.remove(0).value } else { list(items) }
            }
            Token::Mark('[') => list(self.arguments(']')),
            Token::Mark('{') => {
                self.at += 1;
                Expr::Block(self.statements(Some('}')))
            }
            Token::Name(_) if self.language.lisp => return Expr::Name(self.symbol()),
            // AppleScript: `do shell script "…"`.
            Token::Name(first) if first == "shell" && self.name(1) == Some("script") => {
                self.at += 2;
                return Expr::Command(Box::new(self.expression()));
            }
            Token::Name(first) => {
                self.at += 1;
                Expr::Name(first.clone())
            }
            Token::Line | Token::Mark(_) => return unknown(),
        };
        if self.language.lisp { found } else { self.continued(found) }
    }

    fn starts_operand(&self, step: usize) -> bool {
        matches!(
            self.ahead(step),
            Some(Token::Text(_) | Token::Name(_) | Token::Number(_) | Token::Command(_))
        ) || ['(', '[', '{', '&', '!', '$'].iter().any(|mark| self.is(step, *mark))
    }

    /// Members, arguments and keys behind an operand.
    fn continued(&mut self, mut found: Expr) -> Expr {
        let mut name = match &found {
            Expr::Name(name) => Some(name.clone()),
            _ => None,
        };
        for _ in 0..LONGEST {
            if let Some(width) = self.member_mark() {
                let member = self.name(width).unwrap_or_default().to_owned();
                self.at += width + 1;
                name = name.map(|name| format!("{name}.{member}"));
                found = Expr::Member(Box::new(found), member);
            } else if let (Some(full), true) = (self.with_colon(name.as_deref()), self.is(0, ':')) {
                self.at += 2;
                name = Some(full.clone());
                found = Expr::Name(full);
            } else if self.is(0, '(') || name.is_some() && self.is(0, '!') && self.is(1, '(') {
                // `println!(…)` is a macro of Rust.
                self.at += usize::from(self.is(0, '!'));
                name = None;
                found = call_of(found, self.arguments(')'));
            } else if name.as_deref().is_some_and(|name| self.is_bare_call(name)) {
                return call_of(found, self.bare_arguments());
            } else if self.is(0, '[') {
                let mut keys = self.arguments(']');
                let key = if keys.is_empty() { unknown() } else { keys.remove(0).value };
                name = None;
                found = Expr::Index(Box::new(found), Box::new(key));
            } else {
                return found;
            }
        }
        self.cut = true;
        found
    }

    /// How many marks lead to a member: `.`, `::`, `->`, `?.`.
    fn member_mark(&self) -> Option<usize> {
        let two = [('.', '.'), (':', ':'), ('-', '>'), ('?', '.')];
        let width = if two.iter().skip(1).any(|(one, other)| self.is(0, *one) && self.is(1, *other)) {
            2
        } else if self.is(0, '.') && !self.language.lexis.sigils {
            1
        } else {
            return None;
        };
        self.name(width).map(|_| width)
    }

    /// Erlang's `file:delete`, if there is a row for it.
    fn with_colon(&self, module: Option<&str>) -> Option<String> {
        let full = format!("{}:{}", module?, self.name(1)?);
        self.language.rule(&full).is_some().then_some(full)
    }

    /// Whether arguments without parentheses follow.
    fn is_bare_call(&self, name: &str) -> bool {
        match self.ahead(0) {
            Some(Token::Text(_)) => self.language.bare,
            Some(Token::Mark('[')) => self.language.bare && self.language.rule(name).is_some(),
            Some(Token::Number(_)) => self.language.bare && self.language.rule(name).is_some(),
            Some(Token::Name(next)) => {
                self.language.bare && self.language.rule(name).is_some() && !BEHIND.contains(&next.as_str())
            }
            _ => false,
        }
    }

    fn bare_arguments(&mut self) -> Vec<Argument> {
        let mut all = vec![Argument::plain(self.expression())];
        while self.is(0, ',') {
            self.at += 1;
            all.push(self.argument());
        }
        all
    }

    /// What is between brackets, of which the first is next.
    fn arguments(&mut self, close: char) -> Vec<Argument> {
        self.at += 1;
        let mut all = Vec::new();
        while let Some(token) = self.ahead(0) {
            if token.is(close) {
                self.at += 1;
                break;
            }
            let before = self.at;
            if !matches!(token, Token::Line | Token::Mark(',' | ';' | ')' | ']' | '}')) {
                // The items of a list may have nothing but blanks between them.
                all.push(if close == ']' { Argument::plain(self.expression()) } else { self.argument() });
            }
            self.at = self.at.max(before + 1);
        }
        all
    }

    /// An argument with its name, if it has one; what stands behind its value up to the next argument is followed.
    fn argument(&mut self) -> Argument {
        let named =
            self.name(0).filter(|_| self.is(1, '=') && !['=', '~', '>'].iter().any(|next| self.is(2, *next)));
        let labelled = self.name(0).is_some() && self.is(1, ':') && !self.is(2, ':');
        if named.is_some() || labelled && self.with_colon(self.name(0)).is_none() {
            self.at += 2;
        }
        let mut parts = vec![self.expression()];
        while let Some(token) = self.ahead(0) {
            if matches!(token, Token::Mark(',' | ';' | ')' | ']' | '}') | Token::Line) {
                break;
            }
            let before = self.at;
            parts.push(self.expression());
            self.at = self.at.max(before + 1);
        }
        let value = if parts.len() == 1 { parts.remove(0) } else { Expr::Opaque(parts) };
        Argument { name: named.map(str::to_owned), spread: false, value }
    }

    /// `(name argument …)` of Lisp.
    fn form(&mut self) -> Expr {
        self.at += 1;
        let name = self.name(0).map(|_| self.symbol());
        let mut parts = Vec::new();
        while let Some(token) = self.ahead(0) {
            if token.is(')') {
                self.at += 1;
                break;
            }
            let before = self.at;
            if !matches!(token, Token::Line) {
                parts.push(self.expression());
            }
            self.at = self.at.max(before + 1);
        }
        match name {
            Some(name) if DEFINES.contains(&name.as_str()) && parts.len() == 2 => {
                match (parts.remove(0), parts.remove(0)) {
                    (Expr::Name(name), value) => Expr::Assign(Box::new(Pattern::Name(name)), Box::new(value)),
                    (first, second) => Expr::Opaque(vec![first, second]),
                }
            }
            Some(name) if matches!(name.as_str(), "list" | "vector") => Expr::List(parts),
            Some(name) => call_of(Expr::Name(name), parts.into_iter().map(Argument::plain).collect()),
            None => Expr::Opaque(parts),
        }
    }

    /// A name of Lisp, which may hold dashes. The name of a package in front counts where a row has it.
    fn symbol(&mut self) -> String {
        let mut name = String::new();
        while let Some(token) = self.ahead(0) {
            match token {
                Token::Name(part) => name.push_str(part),
                Token::Mark(mark @ ('-' | '/' | '*' | ':' | '.' | '!')) => name.push(*mark),
                _ => break,
            }
            self.at += 1;
            if matches!((token, self.ahead(0)), (Token::Name(_), Some(Token::Name(_)))) {
                break;
            }
        }
        match name.rsplit_once(['/', ':']) {
            Some((_, own)) if self.language.rule(&name).is_none() && self.language.rule(own).is_some() => {
                own.to_owned()
            }
            _ => name,
        }
    }
}

fn list(items: Vec<Argument>) -> Expr {
    Expr::List(items.into_iter().map(|item| item.value).collect())
}
