//! Command lines and code by their look.

use doorward_core::json::Value;
use doorward_shell::programs::is_known;

use super::Role;

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// A command line.
    Command,
    /// Code in a language.
    Code(&'static str),
}

/// Words that sentences have and command lines hardly.
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "an", "and", "are", "because", "but", "by", "can", "could", "does", "doesn't", "don't",
    "every", "from", "has", "have", "how", "i", "into", "is", "isn't", "it", "its", "my", "not", "of", "on",
    "or", "our", "please", "should", "so", "than", "that", "the", "their", "there", "they", "this", "to",
    "vs", "was", "we", "were", "what", "when", "which", "why", "will", "with", "won't", "would", "you",
    "your",
];
/// Programs that act by a sub-command, so that two plain words are a command line.
const ACTING: &[&str] = &[
    "apt",
    "apt-get",
    "aws",
    "az",
    "brew",
    "cargo",
    "crontab",
    "docker",
    "dropdb",
    "dropuser",
    "gcloud",
    "gh",
    "git",
    "glab",
    "halt",
    "helm",
    "kubectl",
    "launchctl",
    "npm",
    "pip",
    "pnpm",
    "podman",
    "poweroff",
    "pulumi",
    "reboot",
    "redis-cli",
    "rm",
    "rmdir",
    "service",
    "shred",
    "shutdown",
    "systemctl",
    "terraform",
    "tofu",
    "yarn",
];
/// Words before the program that a command line is about.
const BEFORE: &[&str] = &["command", "doas", "env", "exec", "nice", "nohup", "sudo", "time"];
/// Words of the shell that a script begins with.
const KEYWORDS: &[&str] = &["!", "(", "[[", "case", "for", "function", "if", "until", "while", "{"];
/// Signs that join commands or send their output somewhere.
const JOINTS: &[&str] = &[" | ", " && ", " || ", "; ", " > ", " >> ", "$(", "|sh", "|bash", " & "];

/// Languages by the names that people give them.
const LANGUAGES: &[(&str, &[&str])] = &[
    ("javascript", &["javascript", "js", "node", "nodejs", "typescript", "ts", "deno", "bun"]),
    ("perl", &["perl"]),
    ("php", &["php"]),
    ("powershell", &["powershell", "pwsh"]),
    ("python", &["python", "python3", "py", "ipython"]),
    ("ruby", &["ruby", "rb"]),
    ("shell", &["bash", "sh", "shell", "zsh"]),
    ("sql", &["sql", "mysql", "postgres", "postgresql", "sqlite"]),
];

/// Signs of code, by language, in the order in which they are looked for.
const SIGNS: &[(&str, &[&str])] = &[
    ("php", &["<?php", "shell_exec(", "passthru("]),
    (
        "python",
        &["__import__(", "def ", "import os", "import shutil", "import sys", "os.system(", "subprocess."],
    ),
    (
        "javascript",
        &[
            "require(",
            "=>",
            "const ",
            "let ",
            "var ",
            "function",
            "console.",
            "document.",
            "window.",
            "process.",
            "child_process",
            "await ",
            "Deno.",
            "Bun.",
            "fs.rm",
            "fs.unlink",
            "fs.read",
            "fs.write",
            "fetch(",
        ],
    ),
    (
        "python",
        &[
            "import ",
            "__import__(",
            "def ",
            "os.",
            "subprocess.",
            "shutil.",
            "open(",
            "exec(",
            "eval(",
            "print(",
            "Path(",
            "pathlib.",
            "with ",
            "requests.",
            "urllib.",
            "socket.",
        ],
    ),
    ("ruby", &["File.", "FileUtils.", "Dir.", "system(", "IO.popen", "puts "]),
];

/// The language of a name.
pub(super) fn language(name: &str) -> Option<&'static str> {
    let name = name.trim().to_ascii_lowercase();
    LANGUAGES.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(language, _)| *language)
}

/// Whether a word is one of a sentence.
pub(super) fn is_function_word(word: &str) -> bool {
    let bare =
        word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '\'').to_ascii_lowercase();
    FUNCTION_WORDS.contains(&bare.as_str())
}

/// What a text is, if as a whole it looks like a command line or like code. `runs`: the tool runs what it is given.
pub(super) fn look(text: &str, role: Role, runs: bool) -> Option<Look> {
    if let Some(line) = text.strip_prefix("#!") {
        let program =
            line.lines().next().unwrap_or_default().split(['/', ' ']).next_back().unwrap_or_default();
        return Some(language(program).filter(|own| *own != "shell").map_or(Look::Command, Look::Code));
    }
    if is_redis(text) {
        return Some(Look::Code("redis"));
    }
    match code(text) {
        Some(language) => Some(Look::Code(language)),
        None => is_command(text, role, runs).then_some(Look::Command),
    }
}

fn is_redis(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    let first = words.next().unwrap_or_default().to_ascii_uppercase();
    matches!(first.as_str(), "FLUSHALL" | "FLUSHDB")
        && words.all(|word| matches!(word.to_ascii_uppercase().as_str(), "ASYNC" | "SYNC"))
}

/// The program of a command line: its first word behind assignments and wrappers.
fn first_of(text: &str) -> Option<&str> {
    let opened = text.trim_start_matches(['(', '{', ' ', '\n', '!']);
    let is_assignment = |word: &str| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
    };
    let word = opened
        .split_ascii_whitespace()
        .take(16)
        .find(|word| !is_assignment(word) && !BEFORE.contains(word) && !word.starts_with('-'))
        .or_else(|| opened.split_ascii_whitespace().next())?;
    Some(word.trim_matches(['"', '\'', '\\']).trim_end_matches([';', '&', '|', ')']))
}

fn is_command(text: &str, role: Role, runs: bool) -> bool {
    let Some(first) = first_of(text) else { return false };
    let is_program = is_known(first);
    let is_file = first.starts_with(['/', '.', '~']) && first.contains('/');
    let is_keyword = text.split_ascii_whitespace().next().is_some_and(|word| KEYWORDS.contains(&word));
    let is_joined = JOINTS.iter().any(|sign| text.contains(sign)) || text.contains('\n');
    let count = text.split_ascii_whitespace().count();
    if role == Role::Command {
        return is_program || is_file || is_keyword || is_joined || runs;
    }
    if runs && role != Role::Prose && (is_program && count > 1 || is_file || is_keyword && is_joined) {
        return true;
    }
    if !(is_program || is_file && is_signed(text) || is_keyword && is_joined) {
        return false;
    }
    if role == Role::Prose && is_sentence(text) {
        return false;
    }
    let alone = matches!(first, "halt" | "poweroff" | "reboot");
    let acts = ACTING.contains(&first) && role != Role::Prose && (alone || (2..=8).contains(&count));
    let as_root = ["sudo ", "doas "].iter().any(|front| text.starts_with(front));
    is_signed(text) || is_joined && is_program || acts || as_root && is_program
}

/// Whether words of a command line stand in a text: an option, a path, a URL, a variable, or a sign that joins.
fn is_signed(text: &str) -> bool {
    JOINTS.iter().any(|sign| text.contains(sign)) || text.split_ascii_whitespace().skip(1).any(is_sign)
}

fn is_sign(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'']);
    let option = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
    option.is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_alphanumeric()))
        || word.starts_with(['/', '~', '$', '*'])
        || word.starts_with("./")
        || word.starts_with("../")
        || word.contains("://")
        || word.starts_with("if=")
        || word.starts_with("of=")
}

/// Whether words outside of quotation marks make it a sentence.
fn is_sentence(text: &str) -> bool {
    let mut quote = None;
    let mut plain = String::new();
    for letter in text.chars().take(4096) {
        match quote {
            Some(open) if open == letter => quote = None,
            Some(_) => continue,
            None if matches!(letter, '"' | '\'' | '`') && plain.ends_with([' ', '=', '(', '\n']) => {
                quote = Some(letter);
            }
            None => plain.push(letter),
        }
    }
    let ends = |word: &str| {
        word.ends_with([',', '?', '!', ':']) && word.len() > 1
            || word.ends_with('.') && word.chars().filter(|letter| letter.is_alphabetic()).count() > 2
    };
    plain.split_whitespace().any(|word| is_function_word(word) || ends(word))
}

/// The language of a text that begins like code.
fn code(text: &str) -> Option<&'static str> {
    if text.starts_with("<?php") {
        return Some("php");
    }
    if text.starts_with("db.") && text.contains('(') {
        return Some("mongo");
    }
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !is_comment(line))?;
    // `f() { rm x; }; f` is the shell's.
    let of_shell = line.split_once("()").is_some_and(|(front, rest)| {
        !front.is_empty() && !front.contains(char::is_whitespace) && rest.trim_start().starts_with('{')
    });
    if of_shell || !(starts_call(line) || starts_statement(line)) {
        return None;
    }
    let holds = |signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
    SIGNS.iter().find(|(_, signs)| holds(signs)).map(|(language, _)| *language)
}

fn is_comment(line: &str) -> bool {
    line.starts_with('#') || line.starts_with("//") || matches!(line, "'use strict';" | "\"use strict\";")
}

/// `name.name(`, `(function`, `(() =>`, `() =>`, `name = name(`.
fn starts_call(line: &str) -> bool {
    let name = |text: &str| {
        !text.is_empty()
            && text.chars().all(|letter| letter.is_alphanumeric() || "_.$".contains(letter))
            && text.starts_with(|letter: char| letter.is_alphabetic() || "_$".contains(letter))
    };
    let line = line.trim_start_matches("await ").trim_start_matches("new ");
    let call = |text: &str| text.split_once('(').is_some_and(|(front, _)| name(front));
    let assigned = line.split_once('=').is_some_and(|(front, value)| {
        name(front.trim()) && front.ends_with(' ') && call(value.trim_start_matches('=').trim())
    });
    call(line)
        || assigned
        || line.starts_with("(function")
        || line.starts_with("(()")
        || line.starts_with("(async")
        || line.starts_with("()")
}

/// A line that begins with a word of a language, in that word's form.
fn starts_statement(line: &str) -> bool {
    let second = |line: &str| line.split_ascii_whitespace().nth(1).unwrap_or_default().to_owned();
    let is_name = |word: &str| {
        !word.is_empty() && word.chars().all(|letter| letter.is_alphanumeric() || "_.,$*".contains(letter))
    };
    let words = line.split_ascii_whitespace().count();
    let word = line.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    match word {
        "import" => {
            words <= 2 || line.contains(" as ") || line.contains(" from ") || line.contains([';', ','])
        }
        "from" => line.contains(" import ") && is_name(&second(line)),
        "const" | "let" | "var" => line.contains('='),
        "def" | "class" | "function" | "async" => line.contains('(') || line.ends_with([':', '{']),
        "with" | "for" | "while" | "if" | "try" => line.ends_with([':', '{']) || line.contains("):"),
        _ => false,
    }
}

/// The words of an argument vector as a command line, if they are one. `named`: their parameter says so.
pub(super) fn words(words: &[&str], named: bool) -> Option<String> {
    let (first, rest) = words.split_first()?;
    let is_program = !first.contains(char::is_whitespace) && is_known(first);
    let counts = is_program && rest.iter().any(|word| is_sign(word)) || named && !rest.is_empty();
    counts.then(|| line_of(words))
}

/// A program's name and the words beside it as one command line.
pub(super) fn joined(program: &str, words: &Value) -> Option<String> {
    let program = program.trim();
    if program.is_empty() || program.contains(char::is_whitespace) || !is_known(program) {
        return None;
    }
    match words {
        Value::String(text) => Some(format!("{program} {text}")),
        Value::Array(items) => {
            let mut all = vec![program];
            all.extend(items.iter().map(Value::as_str).collect::<Option<Vec<&str>>>()?);
            Some(line_of(&all))
        }
        _ => None,
    }
}

/// A program's name among some values, and the words for it in a list among them, as one command line.
pub(super) fn split<'v>(values: impl Iterator<Item = &'v Value> + Clone) -> Option<String> {
    let is_words = |value: &&Value| {
        let Value::Array(items) = value else { return false };
        items.iter().all(|item| item.as_str().is_some())
            && items.iter().filter_map(Value::as_str).any(is_sign)
    };
    let words = values.clone().find(is_words)?;
    values.filter_map(Value::as_str).find_map(|program| joined(program, words))
}

/// Words as the shell would be told them; a home folder by its sign stays one, since many servers expand it.
fn line_of(words: &[&str]) -> String {
    let plain = |word: &str| {
        !word.is_empty()
            && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./~:@%+,".contains(letter))
    };
    let quoted = words.iter().map(|word| match plain(word) {
        true => (*word).to_owned(),
        false => crate::tools::quote(word),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_and_code_are_told_from_sentences() {
        for (text, expected) in [
            ("rm -rf build", Look::Command),
            ("sudo apt-get remove nginx", Look::Command),
            ("FOO=1 make -j4 test", Look::Command),
            ("cd /tmp && ls", Look::Command),
            ("for f in *; do rm \"$f\"; done", Look::Command),
            ("#!/bin/sh\nrm x", Look::Command),
            ("import os\nos.remove('x')", Look::Code("python")),
            ("print(open('x').read())", Look::Code("python")),
            ("require('fs').rmSync('x')", Look::Code("javascript")),
            ("() => document.title", Look::Code("javascript")),
            ("db.users.drop()", Look::Code("mongo")),
            ("flushall", Look::Code("redis")),
        ] {
            for role in [Role::Plain, Role::Prose] {
                assert_eq!(look(text, role, false), Some(expected), "{text} {role:?}");
            }
        }
        for text in [
            "make sure the tests pass first",
            "find large files linux",
            "import the data into the new table",
            "kill the old job before a deploy",
            "rm -rf in the cleanup script is dangerous",
            "Copy ~/.ssh/id_rsa.pub to the server.",
            "Welcome (again)",
            "sort receipts and mail them",
        ] {
            assert_eq!(look(text, Role::Prose, false), None, "{text}");
        }
    }
}
