//! Programs nobody described: what can still be said about their words.
//!
//! Plain arguments are MEDIUM. One that takes a command line is a wrapper that isn't in the tables, and hides what runs.

use doorward_core::intent::Direction;

use crate::deed::Word;

use super::call::Call;
use super::lookup;
use super::row::Nature;

/// Sub-command words that many tools share with programs.
const COMMON_WORDS: &str = "test install time watch find diff log env link make build run config exec date split join \
    format check list show get set start stop status info sync watch patch file id who at history help export import \
    apply top less more cut sort script service host dig route ip mount reset clear complete type kill read write \
    login logout shell init sum paste tree last factor expand command local node go yes true false look \
    print mail batch bind jobs wait";

/// Describes a call of a program that isn't in the tables.
pub(crate) fn describe(call: &mut Call<'_>) {
    call.deeds.known = false;
    call.acts = true;
    let words = call.operands.clone();
    if !command_line_of(call, &words) {
        call.finding("shell.unknown_program", format!("{} is not in the tables", call.program));
    }
    for word in &words {
        mention(call, word);
    }
}

/// Follows the command line among the words of something that isn't in the tables; whether there is one.
pub(crate) fn command_line_of(call: &mut Call<'_>, words: &[Word]) -> bool {
    let Some(at) = command_line(words) else { return false };
    call.finding(
        "shell.obfuscated",
        format!("{} is not in the tables and is given a command line", call.program),
    );
    match at {
        CommandLine::Words(from) => call.run_argv(words.get(from..).unwrap_or_default().to_vec()),
        CommandLine::Text(at) => {
            if let Some(text) = words.get(at) {
                call.run_shell(text.clone());
            }
        }
        CommandLine::Code(language, at) => {
            if let Some(text) = words.get(at) {
                call.run_language(language, text.clone());
            }
        }
    }
    true
}

/// What an argument of unknown meaning names: a URL, or a file that may be read.
pub(crate) fn mention(call: &mut Call<'_>, word: &Word) {
    let value = match word.text.split_once('=') {
        Some((option, _)) if option.starts_with('-') => {
            super::word::halves(word, '=').map(|(_, value)| value)
        }
        _ => (!word.text.starts_with('-')).then(|| word.clone()),
    };
    let Some(value) = value else { return };
    let value = super::word::after(&value, "@").unwrap_or(value);
    if value.text.contains("://") {
        call.contact(&value, "https", Direction::Both, Vec::new());
    } else if reads_like_path(&value.text) {
        call.read(&value);
        if let Some(read) = call.deeds.reads.last_mut() {
            read.path.certainty = doorward_core::intent::Certainty::May;
        }
    }
}

fn reads_like_path(text: &str) -> bool {
    !text.contains([' ', '\n', '(', ';', '{'])
        && (text.starts_with(['.', '~', '/']) || text.contains('/') || text.contains('.'))
        && !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

enum CommandLine {
    Words(usize),
    Text(usize),
    Code(&'static str, usize),
}

/// Where a command line starts among the words, if one does.
fn command_line(words: &[Word]) -> Option<CommandLine> {
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1);
        match word.text.as_str() {
            "--" => {
                let next = next?;
                return (is_program(&next.text) || next.text.contains('/') || next.known().is_none())
                    .then_some(CommandLine::Words(at + 1));
            }
            "--python-expr" | "--python-exec" | "--py-expr" if next.is_some() => {
                return Some(CommandLine::Code("python", at + 1));
            }
            "--lua-expr" if next.is_some() => return Some(CommandLine::Code("lua", at + 1)),
            "-c" | "-e" | "-x" | "--command" | "--exec" | "--execute" | "--cmd" | "--eval" | "--run"
            | "--shell" => {
                if let Some(next) = next {
                    if next.text.contains([' ', ';', '|', '&', '`', '$', '\n']) {
                        return Some(CommandLine::Text(at + 1));
                    }
                    if is_program(&next.text) {
                        return Some(CommandLine::Words(at + 1));
                    }
                }
            }
            text if !text.starts_with('-') && !text.contains('=') => {
                if acts_as_program(text) && next.is_some() {
                    return Some(CommandLine::Words(at));
                }
                let mut fields = text.split_ascii_whitespace();
                if let (Some(first), Some(_)) = (fields.next(), fields.next())
                    && acts_as_program(first)
                    && looks_like_shell(text)
                {
                    return Some(CommandLine::Text(at));
                }
            }
            _ => {}
        }
    }
    None
}

/// Text that is a command rather than a sentence that starts with a command's name.
fn looks_like_shell(text: &str) -> bool {
    text.contains([';', '|', '&', '>', '`', '$', '/']) || text.contains(" -")
}

fn is_program(text: &str) -> bool {
    lookup(text.rsplit('/').next().unwrap_or(text)).is_some()
}

fn acts_as_program(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or(text);
    !COMMON_WORDS.split_ascii_whitespace().any(|word| word == name)
        && lookup(name).is_some_and(|row| row.nature != Nature::Reads)
}
