//! awk programs: system(), pipes, redirections, getline, ENVIRON (gawk(1) 5.2).

use doorward_core::intent::{Code, Direction, WriteMode};

use super::{CodeEffects, Value};

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Name(String),
    Text(String),
    Other(char),
    /// `>>`, `|&`
    Pair(char),
    End,
}

impl Token {
    fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// What a program does beside printing.
pub(super) fn describe(effects: &mut CodeEffects, text: &str) {
    let tokens = tokens(text);
    let mut printing = false;
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let rest = tokens.get(at + 1..).unwrap_or_default();
        match token {
            // `@f(…)`: a call by what a variable holds.
            Token::Name(name)
                if name.starts_with('@')
                    && !matches!(name.as_str(), "@load" | "@include" | "@namespace")
                    && rest.iter().take(2).any(|token| *token == Token::Other('(')) =>
            {
                effects.finding("shell.obfuscated", "a call whose name is a value");
            }
            // `ARGV[1] = "file"`: an operand more.
            Token::Name(name) if name == "ARGV" => {
                let set = rest.iter().take(8).position(|token| *token == Token::Other('='));
                if let Some(at) = set
                    && let Some(Token::Text(file)) = rest.get(at + 1)
                {
                    effects.read(&Value::literal(file.clone()));
                }
            }
            Token::Name(name) => match name.as_str() {
                "system" if rest.first() == Some(&Token::Other('(')) => {
                    effects.shell(&text_of(rest.get(1..).unwrap_or_default()))
                }
                "print" | "printf" => {
                    printing = true;
                    depth = 0;
                }
                "getline" => {
                    let from = rest
                        .iter()
                        .position(|token| *token == Token::Other('<'))
                        .filter(|position| *position <= 4);
                    if let Some(from) = from {
                        effects.read(&text_of(rest.get(from + 1..).unwrap_or_default()));
                    }
                }
                "ENVIRON" => match (rest.first(), rest.get(1)) {
                    (Some(Token::Other('[')), Some(Token::Text(name))) => effects.env(&name.clone()),
                    _ => effects.env("*"),
                },
                "@load" | "@include" => {
                    if let Some(Token::Text(file)) = rest.first() {
                        effects.file(&Value::literal(file.clone()), Code::Language("awk".to_owned()));
                    }
                }
                _ => {}
            },
            Token::Other('(') => depth += 1,
            Token::Other(')') => depth = depth.saturating_sub(1),
            Token::Other(';' | '}' | '{') | Token::End => printing = false,
            Token::Other('|') | Token::Pair('|') => piped(effects, &tokens, at, printing),
            Token::Other('>') | Token::Pair('>') if printing && depth == 0 => {
                let target = text_of(rest);
                if let Some(address) = target.text.strip_prefix("/inet") {
                    let host = address.split('/').nth(3).unwrap_or("…").to_owned();
                    effects.host(&Value::literal(host), "tcp", Direction::Both);
                } else {
                    effects.write(
                        &target,
                        if *token == Token::Pair('>') { WriteMode::Append } else { WriteMode::Create },
                    );
                }
                printing = false;
            }
            Token::Text(text) if text.starts_with("/inet") => {
                let host = text.split('/').nth(4).unwrap_or("…").to_owned();
                effects.host(&Value::literal(host), "tcp", Direction::Both);
            }
            _ => {}
        }
        at += 1;
    }
}

/// `command | getline`, `print … | command`: the command, and what an interpreter is fed.
fn piped(effects: &mut CodeEffects, tokens: &[Token], at: usize, printing: bool) {
    let before = tokens.get(..at).unwrap_or_default();
    let rest = tokens.get(at + 1..).unwrap_or_default();
    if rest.first() == Some(&Token::Name("getline".to_owned())) {
        let begins =
            |token: &Token| matches!(token, Token::Other(';' | '{' | '}' | '(' | '=' | ',') | Token::End);
        let start = before.iter().rposition(begins).map_or(0, |start| start + 1);
        command(effects, &text_of(tokens.get(start..at).unwrap_or_default()));
    } else if printing {
        let prints = |token: &Token| matches!(token.name(), Some("print" | "printf"));
        let start = before.iter().rposition(prints).map_or(at, |start| start + 1);
        let shown = tokens.get(start..at).unwrap_or_default();
        // `printf "%s", text`: the text, not how it is laid out.
        let comma = shown.iter().position(|token| *token == Token::Other(','));
        let printed = text_of(shown.get(comma.map_or(0, |at| at + 1)..).unwrap_or_default());
        let sink = text_of(rest);
        // What is printed is what an interpreter at the other end runs.
        if printed.text.is_empty() || !crate::languages::is_interpreter(&sink.text) {
            command(effects, &sink);
        } else {
            effects.fed(&sink, &printed);
        }
    }
}

/// `sort` and kin at the end of a pipe only read.
fn command(effects: &mut CodeEffects, text: &Value) {
    if text.text.starts_with("/inet") {
        return;
    }
    effects.shell(text);
}

/// The concatenation that follows, up to the end of the expression.
fn text_of(tokens: &[Token]) -> Value {
    let mut text = String::new();
    let mut parts = 0;
    let mut depth = 0_usize;
    for token in tokens {
        match token {
            Token::Text(part) => {
                text.push_str(part);
                parts += 1;
            }
            Token::Other('(') => depth += 1,
            Token::Other(')') if depth == 0 => break,
            Token::Other(')') => depth -= 1,
            Token::Other(';' | '}' | '{') | Token::End => break,
            Token::Other('|' | '>' | '<' | ',') | Token::Pair(_) if depth == 0 => break,
            _ => {
                if !text.ends_with('…') {
                    text.push('…');
                }
                parts += 1;
            }
        }
    }
    if text.is_empty() {
        return Value::unknown();
    }
    Value { text, assembled: parts > 1, decoded: false }
}

fn tokens(text: &str) -> Vec<Token> {
    let letters: Vec<char> = text.chars().collect();
    let mut found: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1).copied();
        match letter {
            '#' => {
                while letters.get(at).is_some_and(|letter| *letter != '\n') {
                    at += 1;
                }
                continue;
            }
            '\n' => found.push(Token::End),
            '\\' if next == Some('\n') => at += 1,
            letter if letter.is_whitespace() => {}
            '"' => {
                let (text, end) = quoted(&letters, at + 1);
                at = end;
                found.push(Token::Text(text));
            }
            '/' if !matches!(
                found.last(),
                Some(Token::Name(_) | Token::Text(_) | Token::Other(')' | ']' | '$' | '0'))
            ) || matches!(
                found.last().and_then(Token::name),
                Some("print" | "return" | "in" | "case")
            ) =>
            {
                at = pattern_end(&letters, at + 1);
                found.push(Token::Other('0'));
            }
            letter if letter.is_alphabetic() || letter == '_' || letter == '@' => {
                let start = at;
                at += 1;
                while letters.get(at).is_some_and(|letter| letter.is_alphanumeric() || *letter == '_') {
                    at += 1;
                }
                found.push(Token::Name(letters.get(start..at).unwrap_or_default().iter().collect()));
                continue;
            }
            letter if letter.is_ascii_digit() => found.push(Token::Other('0')),
            '|' if next == Some('|') => {
                at += 1;
                found.push(Token::Other('0'));
            }
            '|' if next == Some('&') => {
                at += 1;
                found.push(Token::Pair('|'));
            }
            '>' if next == Some('>') => {
                at += 1;
                found.push(Token::Pair('>'));
            }
            '>' | '<' | '=' | '!' if next == Some('=') => {
                at += 1;
                found.push(Token::Other('0'));
            }
            letter => found.push(Token::Other(letter)),
        }
        at += 1;
    }
    found
}

/// A text from behind its quotation mark, and where the mark that closes it is.
fn quoted(letters: &[char], from: usize) -> (String, usize) {
    let mut text = String::new();
    let mut at = from;
    while let Some(&letter) = letters.get(at) {
        if letter == '"' {
            break;
        }
        if letter == '\\' {
            at += 1;
            match letters.get(at) {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('x') => {
                    let digits: String = letters
                        .iter()
                        .skip(at + 1)
                        .take(2)
                        .take_while(|letter| letter.is_ascii_hexdigit())
                        .collect();
                    text.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
                    at += digits.len();
                }
                Some('0'..='7') => {
                    let digits: String =
                        letters.iter().skip(at).take(3).take_while(|letter| letter.is_digit(8)).collect();
                    text.extend(u32::from_str_radix(&digits, 8).ok().and_then(char::from_u32));
                    at += digits.len().saturating_sub(1);
                }
                Some(&other) => text.push(other),
                None => {}
            }
        } else {
            text.push(letter);
        }
        at += 1;
    }
    (text, at)
}

/// Where the pattern ends that begins here.
fn pattern_end(letters: &[char], from: usize) -> usize {
    let mut at = from;
    let mut bracket = false;
    while let Some(&letter) = letters.get(at) {
        match letter {
            '\\' => at += 1,
            '[' => bracket = true,
            ']' => bracket = false,
            '/' if !bracket => break,
            '\n' => break,
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn programs_run_pipe_and_redirect() {
        check(
            "awk",
            &[
                ("{print $1}", ""),
                ("$2 ~ /system/ {print $1}", ""),
                ("BEGIN{printf \"%s\\n\", \"a|b\"}", ""),
                ("{s+=$1} END{print s}", ""),
                ("$1 > 5 {print}", ""),
                ("{print ($1 > 2)}", ""),
                ("BEGIN{system(\"touch x\")}", "sh touch x"),
                ("BEGIN{system(\"touch \" \"x\")}", "sh touch x"),
                ("{system($0)}", "sh …"),
                ("BEGIN{\"touch x\" | getline}", "sh touch x"),
                ("{print | \"sort\"}", "sh sort"),
                ("{print > \"x\"}", "create x"),
                ("{print $1 >> \"x\"}", "append x"),
                ("{print > $1}", "create …"),
                ("BEGIN{while((getline l < \".env\")>0) print l}", "read .env"),
                ("BEGIN{print ENVIRON[\"X\"]}", "env X"),
                ("BEGIN{s=\"/inet/tcp/0/a.example/80\"; print \"x\" |& s}", "both a.example; sh …"),
            ],
        );
    }
}
