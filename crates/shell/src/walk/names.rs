//! Names the interpreter itself must know.

use crate::programs;

/// Builtins whose operands may be assignments.
pub(crate) const DECLARATIONS: &[&str] = &["declare", "typeset", "local", "export", "readonly"];

/// Programs that make a copy or link of a file.
pub(crate) const COPIERS: &[&str] = &["cp", "ln", "mv", "install", "link", "gcp", "gln"];

/// Commands that print settings for `eval`, by program and the word that makes them do it.
const PRINTERS: &[(&str, &str)] = &[
    ("ssh-agent", ""),
    ("dircolors", ""),
    ("direnv", "hook"),
    ("direnv", "export"),
    ("brew", "shellenv"),
    ("pyenv", "init"),
    ("pyenv", "virtualenv-init"),
    ("rbenv", "init"),
    ("nodenv", "init"),
    ("goenv", "init"),
    ("jenv", "init"),
    ("fnm", "env"),
    ("mise", "activate"),
    ("opam", "env"),
    ("zoxide", "init"),
    ("starship", "init"),
    ("lesspipe", ""),
    ("conda", "shell.bash"),
    ("micromamba", "shell"),
    ("minikube", "docker-env"),
    ("docker-machine", "env"),
    ("keychain", "--eval"),
    ("luarocks", "path"),
];

/// Whether a command prints settings that are meant for `eval`.
pub(crate) fn prints_settings(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let program = program.rsplit('/').next().unwrap_or(program);
    PRINTERS.iter().any(|(name, word)| *name == program && (word.is_empty() || rest.contains(word)))
        || rest.first() == Some(&"completion")
}

/// Whether an assignment in front of a command can't change what it does.
pub(crate) fn is_harmless(name: &str) -> bool {
    programs::is_harmless(name)
}

/// Whether a variable may be one that programs or later shells read.
pub(crate) fn may_carry(name: &str) -> bool {
    !is_harmless(name)
}

/// A path without empty and `.` parts, and with `x/..` taken out.
pub(crate) fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if path.starts_with('/') => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (path.starts_with('/'), joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        // Without a slash a name would be searched for in PATH.
        (false, false) if path.starts_with("./") && !joined.contains('/') => format!("./{joined}"),
        (false, false) => joined,
    }
}

/// The language a script is written in by its first line, `shell` without one; and whether it has one.
pub(crate) fn shebang(text: &str) -> (&'static str, bool) {
    let Some(line) = text.strip_prefix("#!").and_then(|text| text.lines().next()) else {
        return ("shell", false);
    };
    let mut words = line.split_whitespace();
    let mut program = words.next().unwrap_or_default();
    if program.ends_with("/env") {
        program = words.find(|word| !word.starts_with('-') && !word.contains('=')).unwrap_or_default();
    }
    let program = program.rsplit('/').next().unwrap_or_default();
    let stem = program.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    let language = match stem {
        "python" | "pypy" => "python",
        "node" | "nodejs" | "deno" | "bun" => "javascript",
        "ruby" => "ruby",
        "perl" => "perl",
        "php" => "php",
        "awk" | "gawk" | "mawk" => "awk",
        "lua" => "lua",
        "pwsh" => "powershell",
        _ => "shell",
    };
    (language, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_normal() {
        for (path, expected) in [
            ("/usr//bin/./rm", "/usr/bin/rm"),
            ("/bin/../bin/rm", "/bin/rm"),
            ("./x", "./x"),
            ("a/../b", "b"),
            ("../a", "../a"),
            (".", "."),
        ] {
            assert_eq!(normal(path), expected);
        }
    }

    #[test]
    fn first_lines_name_the_language() {
        for (text, expected) in [
            ("#!/bin/sh\n", ("shell", true)),
            ("#!/usr/bin/env -S python3 -u\n", ("python", true)),
            ("rm x", ("shell", false)),
        ] {
            assert_eq!(shebang(text), expected);
        }
    }
}
