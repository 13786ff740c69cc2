//! Literals that read as command lines: what no row knows the call of may still run them.
//!
//! A row names the calls that run commands; a language has more of them than any table, and some languages have no
//! table. So a literal that is a command line, or the words of one, and that is given to a call which isn't known to
//! treat it as data, is followed as shell text. Whether it is dangerous is judged like any command.

use crate::programs;

use super::rules::{NameRole, is};
use super::{CodeEffects, Value};

/// Whether a literal names a hidden file or the like of a key, which no other text looks like.
fn names_hidden(text: &str) -> bool {
    let last = text.rsplit('/').next().unwrap_or(text);
    let hidden = |part: &str| {
        part.len() > 2 && part.starts_with('.') && part.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic)
    };
    text.len() < 256
        && !text
            .contains(|letter: char| letter.is_whitespace() || matches!(letter, '(' | '{' | '<' | ';' | ','))
        && !text.contains("://")
        && (text.split('/').any(hidden) || last.starts_with("id_") || text.starts_with("/proc/"))
}

/// Follows what a call that nobody knows is given, where it reads as a command line or as the words of one, or names
/// a hidden file: each argument, `None` for one that isn't a text.
pub(super) fn offered(effects: &mut CodeEffects, call: &str, arguments: &[Option<Value>]) {
    let last = call.rsplit(['.', ':', '/']).next().unwrap_or(call);
    let tests = ["assert", "expect", "test", "describe"].iter().any(|word| last.starts_with(word));
    if is(NameRole::Data, last) || tests || last.ends_with("Error") || last.ends_with("Exception") {
        return;
    }
    for (at, text) in arguments.iter().enumerate() {
        let Some(text) = text.as_ref().filter(|text| !text.text.is_empty() && text.text.len() < 4096) else {
            continue;
        };
        if names_hidden(&text.text) && !is(NameRole::About, last) {
            effects.may_read(text);
        } else if is_command_line(&text.text) {
            effects.shell(text);
        } else if at == 0 && names_program(&text.text) {
            let words: Vec<Value> = arguments.iter().map_while(Clone::clone).collect();
            if words.len() > 1 {
                return effects.argv(&words);
            }
        }
    }
}

fn names_program(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or(text);
    let plain = text.starts_with('/') || !text.contains('/');
    plain && !programs::is_word(name) && !name.contains(char::is_whitespace) && programs::is_known(name)
}

/// A program's name and what looks like its words.
pub(super) fn is_command_line(text: &str) -> bool {
    let mut fields = text.split_ascii_whitespace();
    let Some(first) = fields.next() else { return false };
    let rest: Vec<&str> = fields.collect();
    let name = first.rsplit('/').next().unwrap_or(first);
    if rest.is_empty() || !programs::is_known(name) || !first.starts_with('/') && first.contains('/') {
        return false;
    }
    let wordy = programs::is_word(name) && !first.starts_with('/');
    let shelly =
        text.contains([';', '|', '&', '>', '`', '$', '/']) || text.contains(" -") || text.contains(" .");
    shelly || !wordy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_sentences() {
        for text in ["rm -rf x", "/bin/rm x", "cat .env", "git reset --hard", "chmod 777 x", "find . -delete"]
        {
            assert!(is_command_line(text), "{text}");
        }
        for text in [
            "rm",
            "find the file",
            "test failed",
            "make it so",
            "hello world",
            "",
            "cat and dog",
            "sort by name",
        ] {
            assert!(!is_command_line(text), "{text}");
        }
    }
}
