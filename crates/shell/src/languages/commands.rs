//! Reads languages whose statements are a command's words, Tcl and CMake, as calls of the tree that is followed.

use super::code::read::{call_of, text, unknown};
use super::code::tree::{Argument, Expr, Stmt};

/// Commands of Tcl whose words in braces are code.
const BODIES: &[&str] =
    &["after", "catch", "eval", "for", "foreach", "if", "namespace", "proc", "try", "uplevel", "while"];

/// Options of `exec` in front of its command (exec(n), expect(1)).
const OPTIONS: &[&str] = &["-ignorestderr ", "-keepnewline ", "-noecho ", "-- "];

/// How deep bodies lie in each other.
const DEEPEST: usize = 16;

/// Reads Tcl: what its commands run is shell text, as its pipes and redirections are those of a shell.
pub(super) fn tcl(source: &str) -> Vec<Stmt> {
    bodies(source, DEEPEST)
}

fn bodies(source: &str, levels: usize) -> Vec<Stmt> {
    let Some(below) = levels.checked_sub(1) else {
        // Deeper than is read: code that nobody saw.
        return vec![Stmt::Do(call_of(Expr::Name("eval".to_owned()), vec![Argument::plain(unknown())]))];
    };
    let mut all = Vec::new();
    for part in source.split(['\n', ';', '[']) {
        let words = words(part);
        let Some(first) = words.first() else { continue };
        if matches!(first.as_str(), "exec" | "spawn" | "system") {
            let command = part.trim_start().strip_prefix(first.as_str()).unwrap_or_default().trim_start();
            let command = OPTIONS.iter().fold(command, |rest, option| rest.trim_start_matches(option));
            let command = at_home(command.trim_end_matches(']')).replace(['{', '}'], "\"");
            all.push(Stmt::Do(call_of(Expr::Name(first.clone()), vec![Argument::plain(text(command))])));
        } else if BODIES.contains(&first.as_str()) && words.iter().skip(1).any(|word| word.contains(' ')) {
            all.extend(
                words.iter().skip(1).filter(|word| word.contains(' ')).flat_map(|body| bodies(body, below)),
            );
        } else {
            all.push(of_words(&words));
        }
    }
    all
}

/// Reads CMake: `name(words)`.
pub(super) fn cmake(source: &str) -> Vec<Stmt> {
    let calls = source.split(')').filter_map(|part| part.split_once('('));
    let named = calls.filter_map(|(name, inside)| Some((name.split_whitespace().next_back()?, inside)));
    named
        .map(|(name, inside)| {
            of_words(&std::iter::once(name.to_owned()).chain(words(inside)).collect::<Vec<_>>())
        })
        .collect()
}

/// A call of the first word, or of both words of a command that has verbs.
fn of_words(words: &[String]) -> Stmt {
    let (name, rest) = match words {
        [file, verb, rest @ ..] if file == "file" => (format!("file.{verb}"), rest),
        [name, rest @ ..] => (name.clone(), rest),
        [] => (String::new(), words),
    };
    let options = ["-force", "--", "-permissions"];
    let rest = rest.iter().filter(|word| !options.contains(&word.as_str()));
    Stmt::Do(call_of(Expr::Name(name), rest.map(|word| Argument::plain(of_word(word))).collect()))
}

/// The words of a command; braces and quotation marks hold one together.
fn words(command: &str) -> Vec<String> {
    let mut all = Vec::new();
    let (mut word, mut depth, mut quoted) = (String::new(), 0_usize, false);
    for letter in command.replace("\\r", " ").replace("\\n", " ").chars() {
        match letter {
            '"' if depth == 0 => quoted = !quoted,
            '{' if depth > 0 || word.is_empty() => {
                depth += 1;
                if depth > 1 {
                    word.push(letter);
                }
            }
            '}' if depth > 0 => {
                depth = depth.saturating_sub(1);
                if depth > 0 {
                    word.push(letter);
                }
            }
            letter if letter.is_whitespace() && depth == 0 && !quoted => {
                if !word.is_empty() {
                    all.push(std::mem::take(&mut word));
                }
            }
            ']' if depth == 0 && !quoted => {}
            letter => word.push(letter),
        }
    }
    if !word.is_empty() {
        all.push(word);
    }
    all
}

/// Where a variable of the environment is the user's home (env(n), cmake-language(7)).
fn at_home(text: &str) -> String {
    ["$::env(HOME)", "$env(HOME)", "$ENV{HOME}"]
        .iter()
        .fold(text.to_owned(), |text, home| text.replace(home, "~"))
}

/// A word; what variables hold isn't known.
fn of_word(word: &str) -> Expr {
    let word = at_home(word);
    match word.split_once('$') {
        Some(("", _)) => unknown(),
        Some((front, _)) => text(format!("{front}…")),
        None => text(word),
    }
}
