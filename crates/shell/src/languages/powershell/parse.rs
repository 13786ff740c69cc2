//! PowerShell text into a tree (about_Parsing, about_Language_Keywords, PowerShell 7.4): statements.
//!
//! A recursive reader without backtracking beyond one token, so linear in the text. What it doesn't understand is an
//! error with its place; nesting past [`DEEPEST`] is one too.

use std::rc::Rc;

use super::ast::{Block, Param, Stage, Statement};

/// Deepest nesting that is read.
pub(super) const DEEPEST: u32 = 200;

/// Most operators or members in a row that one value is made of.
const LONGEST_CHAIN: u32 = 256;

/// Why a text can't be read, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) at: usize,
    pub(super) reason: &'static str,
    pub(super) deep: bool,
}

pub(super) type Read<T> = Result<T, Trouble>;

/// Reads a whole text. The statements before the trouble come with it.
pub(super) fn parse(text: &str) -> (Block, Option<Trouble>) {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let mut block = Block { range: (0, text.len()), ..Block::default() };
    let trouble = reader.block_until(None, &mut block).err();
    (block, trouble)
}

pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) depth: u32,
}

pub(super) fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '–' | '—' | '―')
}

pub(super) fn is_single(letter: char) -> bool {
    matches!(letter, '\'' | '‘' | '’' | '‚' | '‛')
}

pub(super) fn is_double(letter: char) -> bool {
    matches!(letter, '"' | '“' | '”' | '„')
}

pub(super) fn is_space(letter: char) -> bool {
    letter != '\n' && letter != '\r' && letter.is_whitespace()
}

impl Reader<'_> {
    pub(super) fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    pub(super) fn eat(&mut self, letter: char) -> bool {
        let eats = self.peek() == Some(letter);
        if eats {
            self.at += letter.len_utf8();
        }
        eats
    }

    pub(super) fn trouble<T>(&self, reason: &'static str) -> Read<T> {
        Err(Trouble { at: self.at, reason, deep: false })
    }

    pub(super) fn expect(&mut self, letter: char, reason: &'static str) -> Read<()> {
        if self.eat(letter) { Ok(()) } else { self.trouble(reason) }
    }

    /// Counts what a value is made of: a row of operators nests as deep as it is long.
    pub(super) fn longer(&self, count: &mut u32) -> Read<()> {
        *count += 1;
        if *count > LONGEST_CHAIN {
            return Err(Trouble {
                at: self.at,
                reason: "a value of more parts than are analysed",
                deep: true,
            });
        }
        Ok(())
    }

    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEEPEST {
            return Err(Trouble { at: self.at, reason: "nested deeper than is analysed", deep: true });
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// White space within a line, comments, and line ends behind a backquote.
    pub(super) fn spaces(&mut self) {
        loop {
            let rest = self.rest();
            match self.peek() {
                Some(letter) if is_space(letter) => {
                    self.bump();
                }
                Some('`') if rest.starts_with("`\n") || rest.starts_with("`\r\n") => {
                    self.at += if rest.starts_with("`\r") { 3 } else { 2 };
                }
                Some('#') => self.at += rest.find('\n').unwrap_or(rest.len()),
                Some('<') if rest.starts_with("<#") => {
                    self.at += rest.find("#>").map_or(rest.len(), |at| at + 2);
                }
                _ => return,
            }
        }
    }

    /// The same, with line ends.
    pub(super) fn lines(&mut self) {
        loop {
            self.spaces();
            if !matches!(self.peek(), Some('\n' | '\r')) {
                return;
            }
            self.bump();
        }
    }

    fn ends(&mut self) {
        loop {
            self.lines();
            if !self.eat(';') {
                return;
            }
        }
    }

    /// Statements up to a closing mark, which is taken.
    pub(super) fn block(&mut self, close: char) -> Read<Rc<Block>> {
        self.deeper(|reader| {
            let mut block = Block { range: (reader.at, reader.at), ..Block::default() };
            reader.block_until(Some(close), &mut block)?;
            block.range.1 = reader.at.saturating_sub(1);
            Ok(Rc::new(block))
        })
    }

    fn block_until(&mut self, close: Option<char>, block: &mut Block) -> Read<()> {
        loop {
            self.ends();
            match self.peek() {
                None if close.is_none() => return Ok(()),
                None => return self.trouble("a bracket stands open"),
                Some(letter) if Some(letter) == close => {
                    self.bump();
                    return Ok(());
                }
                Some(')' | '}') => return self.trouble("a bracket closes nothing"),
                Some(_) => {}
            }
            if self.word_is("param") {
                self.at += "param".len();
                self.lines();
                self.expect('(', "`param` without its list")?;
                block.params = self.params()?;
                continue;
            }
            let before = self.at;
            let statement = self.chain()?;
            block.statements.push(statement);
            if self.at == before {
                return self.trouble("a mark that begins no statement");
            }
            self.spaces();
            match self.peek() {
                None | Some(';' | '\n' | '\r') => {}
                Some(letter) if Some(letter) == close => {}
                // Behind a block a statement may follow at once.
                _ if self
                    .text
                    .get(..self.at)
                    .is_some_and(|before| before.trim_end().ends_with(['}', '&'])) => {}
                Some(_) => return self.trouble("something follows a statement"),
            }
        }
    }

    /// The inside of `param (…)` and of a function's parentheses, up to the closing one.
    fn params(&mut self) -> Read<Vec<Param>> {
        self.deeper(|reader| {
            let mut params = Vec::new();
            let mut switch = false;
            loop {
                reader.lines();
                match reader.peek() {
                    None => return reader.trouble("a list of parameters stands open"),
                    Some(')') => {
                        reader.bump();
                        return Ok(params);
                    }
                    Some(',') => {
                        reader.bump();
                    }
                    // Types and attributes.
                    Some('[') => {
                        let start = reader.at;
                        reader.bracketed()?;
                        let written = reader.text.get(start..reader.at).unwrap_or_default();
                        switch |= written.to_ascii_lowercase().contains("switch");
                    }
                    Some('$') => {
                        reader.bump();
                        let name = reader.variable_name();
                        reader.lines();
                        let default = if reader.eat('=') {
                            reader.lines();
                            Some(reader.expression()?)
                        } else {
                            None
                        };
                        params.push(Param { name, default, switch: std::mem::take(&mut switch) });
                    }
                    Some(_) => return reader.trouble("a parameter that isn't understood"),
                }
            }
        })
    }

    /// Skips `[…]` with what it holds.
    fn bracketed(&mut self) -> Read<()> {
        let mut open = 0_u32;
        let mut quote = None;
        while let Some(letter) = self.bump() {
            match (quote, letter) {
                (Some(end), letter) if end == letter => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(letter),
                (None, '[') => open += 1,
                (None, ']') => {
                    open -= 1;
                    if open == 0 {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
        self.trouble("a bracket stands open")
    }

    /// Whether a keyword stands here as a word of its own.
    fn word_is(&self, word: &str) -> bool {
        let rest = self.rest();
        rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
            && !rest.get(word.len()..).and_then(|rest| rest.chars().next()).is_some_and(|next| {
                next.is_alphanumeric() || matches!(next, '-' | '_' | '.' | ':' | '\\' | '/' | '=')
            })
    }

    fn keyword(&mut self, word: &str) -> bool {
        let is = self.word_is(word);
        if is {
            self.at += word.len();
        }
        is
    }

    /// A statement with those that `&&` and `||` join to it.
    fn chain(&mut self) -> Read<Statement> {
        let first = self.statement()?;
        let mut chain = vec![first];
        loop {
            self.spaces();
            let rest = self.rest();
            if !(rest.starts_with("&&") || rest.starts_with("||")) {
                break;
            }
            self.at += 2;
            self.lines();
            chain.push(self.statement()?);
        }
        // A job of its own.
        if self.peek() == Some('&') {
            self.bump();
        }
        Ok(match <[Statement; 1]>::try_from(chain) {
            Ok([only]) => only,
            Err(chain) => Statement::Chain(chain),
        })
    }

    pub(super) fn statement(&mut self) -> Read<Statement> {
        self.deeper(Self::plain_statement)
    }

    fn plain_statement(&mut self) -> Read<Statement> {
        // A label of a loop.
        if self.peek() == Some(':') {
            self.bump();
            while self.peek().is_some_and(|letter| letter.is_alphanumeric() || letter == '_') {
                self.bump();
            }
            self.lines();
        }
        if self.keyword("if") {
            return self.if_statement();
        }
        for word in ["while", "for"] {
            if self.keyword(word) {
                let around = self.loop_head()?;
                return Ok(Statement::Loop(around, self.braces()?));
            }
        }
        if self.keyword("do") {
            let body = self.braces()?;
            self.lines();
            if !(self.keyword("while") || self.keyword("until")) {
                return self.trouble("`do` without its condition");
            }
            return Ok(Statement::Loop(self.loop_head()?, body));
        }
        if self.word_is("foreach") && self.is_loop_head("foreach") {
            return self.for_each();
        }
        if self.keyword("switch") {
            return self.switch();
        }
        for word in ["try", "trap", "begin", "process", "end", "data", "dynamicparam", "finally"] {
            if self.word_is(word) && self.leads_to_braces(word) {
                return self.parts(word);
            }
        }
        if ["function", "filter", "workflow", "configuration"].iter().any(|word| self.keyword(word)) {
            return self.function();
        }
        for word in ["return", "throw", "exit", "break", "continue"] {
            if self.keyword(word) {
                self.spaces();
                let ends = matches!(self.peek(), None | Some(';' | '\n' | '\r' | '}' | ')'));
                return Ok(Statement::Leave(if ends { None } else { Some(Box::new(self.statement()?)) }));
            }
        }
        if self.word_is("class") || self.word_is("enum") {
            return self.class();
        }
        if self.keyword("using") {
            let rest = self.rest();
            self.at += rest.find(['\n', ';']).unwrap_or(rest.len());
            return Ok(Statement::Pipeline(Vec::new()));
        }
        self.pipeline()
    }

    fn for_each(&mut self) -> Read<Statement> {
        self.keyword("foreach");
        self.lines();
        if self.peek().is_some_and(is_dash) {
            self.bump();
            self.identifier();
            self.lines();
        }
        self.expect('(', "`foreach` without its list")?;
        self.lines();
        self.expect('$', "`foreach` without its variable")?;
        let variable = self.variable_name();
        self.lines();
        if !self.keyword("in") {
            return self.trouble("`foreach` without `in`");
        }
        self.lines();
        let list = Box::new(self.statement()?);
        self.lines();
        self.expect(')', "`foreach` isn't closed")?;
        Ok(Statement::ForEach { variable, list, body: self.braces()? })
    }

    fn function(&mut self) -> Read<Statement> {
        self.lines();
        let start = self.at;
        while self.peek().is_some_and(|letter| !letter.is_whitespace() && !"({".contains(letter)) {
            self.bump();
        }
        let name = self.text.get(start..self.at).unwrap_or_default().to_owned();
        let name = name.rsplit(':').next().unwrap_or_default().to_owned();
        self.lines();
        let params = if self.eat('(') { self.params()? } else { Vec::new() };
        let body = self.braces()?;
        let body = if params.is_empty() {
            body
        } else {
            match Rc::try_unwrap(body) {
                Ok(mut body) => {
                    body.params.splice(0..0, params);
                    Rc::new(body)
                }
                Err(body) => body,
            }
        };
        Ok(Statement::Function { name, body })
    }

    /// `class X { … }`: what its methods hold is read as statements where it can be, else the text isn't understood.
    fn class(&mut self) -> Read<Statement> {
        let rest = self.rest();
        let Some(open) = rest.find('{') else { return self.trouble("a class without a body") };
        self.at += open + 1;
        let mut block = Block { range: (self.at, self.at), ..Block::default() };
        loop {
            self.ends();
            match self.peek() {
                None => return self.trouble("a class stands open"),
                Some('}') => {
                    self.bump();
                    return Ok(Statement::Class(Rc::new(block)));
                }
                Some('[') => self.bracketed()?,
                Some('{') => {
                    self.bump();
                    let body = self.block('}')?;
                    block.statements.push(Statement::Parts(vec![body]));
                }
                Some('(') => {
                    self.bump();
                    self.params()?;
                }
                Some('=') => {
                    self.bump();
                    self.lines();
                    let value = self.statement()?;
                    block.statements.push(value);
                }
                Some(_) => {
                    self.bump();
                }
            }
        }
    }

    fn if_statement(&mut self) -> Read<Statement> {
        let mut branches = Vec::new();
        loop {
            self.lines();
            self.expect('(', "`if` without its condition")?;
            self.lines();
            let condition = self.chain()?;
            self.lines();
            self.expect(')', "a condition isn't closed")?;
            branches.push((condition, self.braces()?));
            let before = self.at;
            self.lines();
            if self.keyword("elseif") {
                continue;
            }
            if self.keyword("else") {
                return Ok(Statement::If(branches, Some(self.braces()?)));
            }
            self.at = before;
            return Ok(Statement::If(branches, None));
        }
    }

    /// `(…)` of a loop: statements between semicolons.
    fn loop_head(&mut self) -> Read<Vec<Statement>> {
        self.lines();
        self.expect('(', "a loop without its condition")?;
        let mut around = Vec::new();
        loop {
            self.ends();
            if self.eat(')') {
                return Ok(around);
            }
            around.push(self.chain()?);
            self.lines();
            if !matches!(self.peek(), Some(')' | ';')) {
                return self.trouble("a loop's condition isn't closed");
            }
        }
    }

    fn is_loop_head(&self, word: &str) -> bool {
        let rest = self.rest().get(word.len()..).unwrap_or_default().trim_start();
        rest.starts_with('(') || rest.starts_with("-parallel") || rest.starts_with("-Parallel")
    }

    fn leads_to_braces(&self, word: &str) -> bool {
        let rest = self.rest().get(word.len()..).unwrap_or_default().trim_start();
        rest.starts_with('{')
            || matches!(word, "trap" | "data") && rest.chars().take(200).any(|letter| letter == '{')
    }

    pub(super) fn braces(&mut self) -> Read<Rc<Block>> {
        self.lines();
        self.expect('{', "a block is missing")?;
        self.block('}')
    }

    fn parts(&mut self, word: &str) -> Read<Statement> {
        self.at += word.len();
        self.lines();
        if self.peek() == Some('[') {
            self.bracketed()?;
        } else if word == "data" && self.peek() != Some('{') {
            self.identifier();
        }
        let mut parts = vec![self.braces()?];
        loop {
            let before = self.at;
            self.lines();
            if self.keyword("catch") {
                loop {
                    self.lines();
                    match self.peek() {
                        Some('[') => self.bracketed()?,
                        Some(',') => {
                            self.bump();
                        }
                        _ => break,
                    }
                }
                parts.push(self.braces()?);
            } else if self.keyword("finally") {
                parts.push(self.braces()?);
            } else {
                self.at = before;
                return Ok(Statement::Parts(parts));
            }
        }
    }

    fn switch(&mut self) -> Read<Statement> {
        self.lines();
        while self.peek().is_some_and(is_dash) {
            self.bump();
            self.identifier();
            self.lines();
        }
        let value = if self.eat('(') {
            self.lines();
            let value = self.statement()?;
            self.lines();
            self.expect(')', "`switch` isn't closed")?;
            value
        } else {
            let target = self.argument()?;
            Statement::Pipeline(vec![Stage::Expr(target, Vec::new())])
        };
        self.lines();
        self.expect('{', "`switch` without cases")?;
        let mut cases = Vec::new();
        loop {
            self.ends();
            if self.eat('}') {
                return Ok(Statement::Switch(Box::new(value), cases));
            }
            let case = self.argument()?;
            cases.push((case, self.braces()?));
        }
    }

    /// Letters, digits and underscores.
    pub(super) fn identifier(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|letter| letter.is_alphanumeric() || letter == '_') {
            self.bump();
        }
        self.text.get(start..self.at).unwrap_or_default().to_owned()
    }
}
