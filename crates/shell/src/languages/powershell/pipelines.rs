//! Pipelines and commands of PowerShell: names, arguments, redirections.

use super::ast::{Argument, Command, Expr, Redirect, Stage, Statement};
use super::parse::{Read, Reader, is_dash, is_double, is_single, is_space};

impl Reader<'_> {
    /// A pipeline, or an assignment to its first expression.
    pub(super) fn pipeline(&mut self) -> Read<Statement> {
        let mut stages = Vec::new();
        loop {
            let stage = self.stage(stages.is_empty())?;
            self.spaces();
            if let (Stage::Expr(..), true) = (&stage, stages.is_empty())
                && let Some(operator) = self.assigns()
            {
                let Stage::Expr(target, _) = stage else { return self.trouble("an assignment to nothing") };
                self.lines();
                let value = Box::new(self.statement()?);
                return Ok(Statement::Assign { target, operator, value });
            }
            stages.push(stage);
            if self.peek() == Some('|') && self.second() != Some('|') {
                self.bump();
                self.lines();
                continue;
            }
            // A line may begin with the bar.
            let before = self.at;
            self.lines();
            if self.at > before && self.peek() == Some('|') && self.second() != Some('|') {
                self.bump();
                self.lines();
                continue;
            }
            self.at = before;
            return Ok(Statement::Pipeline(stages));
        }
    }

    fn assigns(&mut self) -> Option<String> {
        let rest = self.rest();
        let operator = ["??=", "+=", "-=", "*=", "/=", "%=", "="]
            .iter()
            .find(|operator| rest.starts_with(**operator) && !rest.starts_with("=="))?;
        self.at += operator.len();
        Some((*operator).to_owned())
    }

    fn stage(&mut self, first: bool) -> Read<Stage> {
        self.spaces();
        let rest = self.rest();
        match self.peek() {
            Some('&') if self.second() != Some('&') => {
                self.bump();
                return self.command(Some('&'));
            }
            Some('.') if self.second().is_some_and(|next| is_space(next) || "($'\"{&".contains(next)) => {
                self.bump();
                return self.command(Some('.'));
            }
            Some(letter) if first && self.begins_expression(letter) => {
                let expr = self.expression()?;
                let mut redirects = Vec::new();
                while let Some(redirect) = self.redirect()? {
                    redirects.push(redirect);
                }
                return Ok(Stage::Expr(expr, redirects));
            }
            // `… | { … }` and the like are expressions too, where they make no sense.
            Some('$' | '(' | '@' | '{') if !rest.starts_with("@{") => {
                let expr = self.expression()?;
                return Ok(Stage::Expr(expr, Vec::new()));
            }
            Some(_) => {}
            None => return self.trouble("a pipeline ends too early"),
        }
        self.command(None)
    }

    fn begins_expression(&self, letter: char) -> bool {
        let rest = self.rest();
        match letter {
            '$' | '(' | '{' | '[' | '!' => true,
            '@' => {
                rest.starts_with("@(")
                    || rest.starts_with("@{")
                    || rest.starts_with("@'")
                    || rest.starts_with("@\"")
            }
            '+' => rest.starts_with("++") || rest.get(1..).is_some_and(starts_number),
            letter if is_single(letter) || is_double(letter) => true,
            letter if is_dash(letter) => {
                let word = rest.get(letter.len_utf8()..).unwrap_or_default();
                rest.starts_with("--") && word.get(1..).is_some_and(|word| word.starts_with('$'))
                    || word.starts_with(['(', '$'])
                    || starts_number(word)
                    || ["not", "bnot", "join", "split", "csplit", "isplit"].iter().any(|own| {
                        word.get(..own.len()).is_some_and(|start| start.eq_ignore_ascii_case(own))
                            && !word.get(own.len()..).unwrap_or_default().starts_with(char::is_alphanumeric)
                    })
            }
            '0'..='9' | '.' => starts_number(rest),
            _ => false,
        }
    }

    fn command(&mut self, operator: Option<char>) -> Read<Stage> {
        self.spaces();
        let start = self.at;
        let name = if operator.is_some() && self.peek() == Some('{') {
            self.bump();
            Expr::Script(self.block('}')?)
        } else {
            self.argument()?
        };
        if matches!(&name, Expr::Literal { text, .. } if text.trim_matches(is_dash).is_empty()) {
            return self.trouble("a command without a name");
        }
        let (mut args, mut redirects) = (Vec::new(), Vec::new());
        loop {
            self.spaces();
            let rest = self.rest();
            match self.peek() {
                None | Some('|' | ';' | '\n' | '\r' | ')' | '}' | '&') => break,
                Some(',') => {
                    // An empty place in a list.
                    self.bump();
                }
                Some(letter) if is_dash(letter) => {
                    if rest.starts_with("--%") {
                        self.stop_parsing(&mut args);
                        continue;
                    }
                    args.push(self.dashed()?);
                }
                Some('@') if self.second().is_some_and(|next| next.is_alphabetic() || next == '_') => {
                    self.bump();
                    let name = self.variable_name();
                    args.push(Argument::Splat(name));
                }
                Some(_) => match self.redirect()? {
                    Some(redirect) => redirects.push(redirect),
                    None => args.push(Argument::Value(self.argument_list()?)),
                },
            }
        }
        Ok(Stage::Command(Command { operator, name, args, redirects, range: (start, self.at) }))
    }

    /// Behind `--%` the words are the program's own, up to the end of the line or a bar.
    fn stop_parsing(&mut self, args: &mut Vec<Argument>) {
        let rest = self.rest();
        let end = rest.find(['\n', '|']).unwrap_or(rest.len());
        let words = rest.get(3..end).unwrap_or_default();
        let mut quoted = false;
        let mut word = String::new();
        for letter in words.chars().chain([' ']) {
            match letter {
                '"' => quoted = !quoted,
                letter if letter.is_whitespace() && !quoted => {
                    if !word.is_empty() {
                        args.push(Argument::Value(Expr::literal(std::mem::take(&mut word))));
                    }
                }
                letter => word.push(letter),
            }
        }
        self.at += end;
    }

    /// `-Name`, `-Name:value`, or a word that merely begins with a dash.
    fn dashed(&mut self) -> Read<Argument> {
        let before = self.at;
        self.bump();
        let is_name = self.peek().is_some_and(|letter| letter.is_alphabetic() || matches!(letter, '_' | '?'));
        if !is_name {
            self.at = before;
            return Ok(Argument::Value(self.argument_list()?));
        }
        let start = self.at;
        while self
            .peek()
            .is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '?' | '-' | '`'))
        {
            self.bump();
        }
        let name = self.text.get(start..self.at).unwrap_or_default().replace('`', "");
        match self.peek() {
            Some(':') => {
                self.bump();
                self.spaces();
                let value = self.argument_list()?;
                Ok(Argument::Named(name, Some(value)))
            }
            None | Some(' ' | '\t' | '\n' | '\r' | ';' | '|' | '&' | ')' | '}' | '{' | '(' | '>' | ',') => {
                Ok(Argument::Named(name, None))
            }
            // `-Dfoo=bar`, `--long=x`, `-a.b`: a program's own option.
            Some(_) => {
                self.at = before;
                self.bump();
                let mut word = self.word(true)?;
                if let Expr::Literal { text, .. } = &mut word {
                    text.insert(0, '-');
                    return Ok(Argument::Value(word));
                }
                let parts = vec![super::ast::Part::Text("-".to_owned()), super::ast::Part::Value(word)];
                Ok(Argument::Value(Expr::Text(parts)))
            }
        }
    }

    /// `>`, `>>`, `2>&1`, `*>`.
    fn redirect(&mut self) -> Read<Option<Redirect>> {
        self.spaces();
        let rest = self.rest();
        let digits =
            rest.strip_prefix(|letter: char| letter.is_ascii_digit() || letter == '*').unwrap_or(rest);
        if !digits.starts_with('>') {
            return Ok(None);
        }
        self.at += rest.len() - digits.len() + 1;
        let append = self.eat('>');
        if self.peek() == Some('&') {
            self.bump();
            self.bump();
            return Ok(Some(Redirect { append, target: Expr::Variable("null".to_owned()) }));
        }
        self.spaces();
        let target = self.argument()?;
        Ok(Some(Redirect { append, target }))
    }
}

/// Whether a number stands here, and not a word that begins with a digit.
fn starts_number(text: &str) -> bool {
    let text = text.trim_start_matches('.');
    let digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if digits.len() == text.len() {
        return false;
    }
    let hex = digits
        .strip_prefix(['x', 'X'])
        .map(|hex| hex.trim_start_matches(|letter: char| letter.is_ascii_hexdigit()));
    let rest = hex.unwrap_or(digits);
    let rest = rest
        .strip_prefix('.')
        .filter(|_| !rest.starts_with(".."))
        .map_or(rest, |rest| rest.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    let rest = ["kb", "mb", "gb", "tb", "KB", "MB", "GB", "TB", "L", "l", "d", "e"]
        .iter()
        .find_map(|unit| rest.strip_prefix(unit))
        .unwrap_or(rest);
    !rest.starts_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '\\' | '/' | '_' | ':'))
}
