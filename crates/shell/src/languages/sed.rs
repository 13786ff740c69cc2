//! sed scripts: the commands that run, read and write files (sed(1), GNU sed 4.9).

use doorward_core::intent::WriteMode;

use super::{CodeEffects, Value};

/// What the commands of a script do beside editing the stream.
pub(super) fn describe(effects: &mut CodeEffects, text: &str) {
    let letters: Vec<char> = text.chars().collect();
    let mut script = Script { letters: &letters, at: 0 };
    while script.at < letters.len() {
        let before = script.at;
        command(effects, &mut script);
        if script.at == before {
            script.at += 1;
        }
    }
}

struct Script<'a> {
    letters: &'a [char],
    at: usize,
}

impl Script<'_> {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn take(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        Some(letter)
    }

    fn skip(&mut self, what: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&what) {
            self.at += 1;
        }
    }

    fn line(&mut self) -> String {
        let start = self.at;
        self.skip(|letter| letter != '\n');
        self.letters.get(start..self.at).unwrap_or_default().iter().collect::<String>().trim().to_owned()
    }

    /// Text up to an unescaped delimiter, which is eaten; brackets hide it in a pattern.
    fn delimited(&mut self, delimiter: char, pattern: bool) -> String {
        let mut text = String::new();
        let mut bracket = false;
        while let Some(letter) = self.take() {
            match letter {
                '\\' => {
                    text.push(letter);
                    text.extend(self.take());
                    continue;
                }
                '[' if pattern && !bracket => bracket = true,
                ']' if bracket => bracket = false,
                letter if letter == delimiter && !bracket => return text,
                '\n' if pattern => bracket = false,
                _ => {}
            }
            text.push(letter);
        }
        text
    }

    fn address(&mut self) {
        match self.peek() {
            Some('/') => {
                self.at += 1;
                self.delimited('/', true);
                self.skip(|letter| matches!(letter, 'I' | 'M'));
            }
            Some('\\') => {
                self.at += 1;
                if let Some(delimiter) = self.take() {
                    self.delimited(delimiter, true);
                    self.skip(|letter| matches!(letter, 'I' | 'M'));
                }
            }
            Some(letter) if letter.is_ascii_digit() || matches!(letter, '$' | '~' | '+') => {
                self.skip(|letter| letter.is_ascii_digit() || matches!(letter, '$' | '~' | '+'))
            }
            _ => {}
        }
    }
}

fn command(effects: &mut CodeEffects, script: &mut Script<'_>) {
    script.skip(|letter| letter.is_whitespace() || matches!(letter, ';' | '{' | '}'));
    script.address();
    script.skip(|letter| letter == ' ');
    if script.peek() == Some(',') {
        script.at += 1;
        script.skip(|letter| letter == ' ');
        script.address();
    }
    script.skip(|letter| letter.is_whitespace() || letter == '!');
    let Some(letter) = script.take() else { return };
    match letter {
        's' => substitute(effects, script),
        'y' => {
            if let Some(delimiter) = script.take() {
                script.delimited(delimiter, false);
                script.delimited(delimiter, false);
            }
        }
        'e' => {
            let text = script.line();
            if text.is_empty() {
                effects.finding("shell.generated_code", "sed runs the lines it reads");
            } else {
                effects.shell(&Value::literal(text));
            }
        }
        'w' | 'W' => {
            let file = script.line();
            effects.write(&Value::literal(file), WriteMode::Create);
        }
        'r' | 'R' => {
            let file = script.line();
            if file != "/dev/stdin" {
                effects.read(&Value::literal(file));
            }
        }
        'a' | 'i' | 'c' => {
            // Text runs to the end of the line; a backslash continues it.
            loop {
                let line = script.line();
                script.at += 1;
                if !line.ends_with('\\') {
                    break;
                }
            }
        }
        'b' | 't' | 'T' | ':' => script.skip(|letter| letter != '\n' && letter != ';'),
        '#' => script.skip(|letter| letter != '\n'),
        _ => script.skip(|letter| letter.is_ascii_digit()),
    }
}

fn substitute(effects: &mut CodeEffects, script: &mut Script<'_>) {
    let Some(delimiter) = script.take() else { return };
    let pattern = script.delimited(delimiter, true);
    let replacement = script.delimited(delimiter, false);
    let mut executes = false;
    while let Some(flag) = script.peek() {
        match flag {
            'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => script.at += 1,
            'e' => {
                script.at += 1;
                executes = true;
            }
            'w' => {
                script.at += 1;
                let file = script.line();
                effects.write(&Value::literal(file), WriteMode::Create);
                break;
            }
            _ => break,
        }
    }
    if executes {
        // The pattern space is run; where the whole line was replaced by plain text it is what it holds.
        let whole = matches!(pattern.as_str(), ".*" | "^.*" | "^.*$" | ".*$");
        if !whole || replacement.contains(['&', '\\']) {
            effects.finding("shell.generated_code", "sed runs what a substitution makes");
        } else {
            effects.shell(&Value::literal(replacement));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn only_e_w_and_r_reach_out() {
        check(
            "sed",
            &[
                ("s/a/b/g", ""),
                ("10,20p", ""),
                ("/mkfs.ext4/p", ""),
                ("/a[/]b/d", ""),
                ("1e touch x", "sh touch x"),
                ("s/.*/touch x/e", "sh touch x"),
                ("s/x/&/ge", "generated_code"),
                ("s#a#b#w out", "create out"),
                ("w out", "create out"),
                ("$!{/x/r in\n}", "read in"),
                ("a\\\nw x", ""),
                ("s/w x/e y/", ""),
                ("\\,a,w out", "create out"),
                ("y/we/ew/", ""),
            ],
        );
    }
}
