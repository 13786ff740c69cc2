//! Names the interpreter itself must know.

use doorward_core::intent::Code;

use crate::programs;

/// Builtins whose operands may be assignments.
pub(crate) const DECLARATIONS: &[&str] = &["declare", "typeset", "local", "export", "readonly"];

/// Programs that make a copy or link of a file.
pub(crate) const COPIERS: &[&str] = &["cp", "ln", "mv", "install", "link", "gcp", "gln"];

/// Programs that make a program of sources.
pub(crate) const COMPILERS: &[&str] = &[
    "gcc",
    "g++",
    "cc",
    "c++",
    "clang",
    "clang++",
    "tcc",
    "rustc",
    "javac",
    "kotlinc",
    "scalac",
    "gfortran",
    "ghc",
    "swiftc",
    "go",
    "zig",
    "nasm",
    "ld",
    "fpc",
    "dmd",
    "ldc2",
    "valac",
    "tsc",
    "ocamlopt",
    "ocamlfind",
    "nim",
    "crystal",
    "v",
];

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

/// What a language's loader adds to the name of a file.
pub(crate) fn extension(code: &Code) -> Option<&'static str> {
    let Code::Language(language) = code else { return None };
    Some(match language.as_str() {
        "ruby" => ".rb",
        "javascript" => ".js",
        "python" => ".py",
        "perl" => ".pm",
        "lua" => ".lua",
        _ => return None,
    })
}

/// Whether a filter prints lines as it got them.
pub(crate) fn selects_lines(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let flags = |letters: &str| {
        rest.iter().any(|word| {
            word.starts_with('-') && !word.starts_with("--") && word.contains(|flag| letters.contains(flag))
        })
    };
    match program.rsplit('/').next().unwrap_or(program) {
        "sort" | "head" | "tail" | "tac" | "shuf" | "tee" | "pv" | "sponge" => true,
        "uniq" => !flags("c"),
        "cat" => !flags("bnEAt"),
        "grep" | "egrep" | "fgrep" | "ggrep" | "rg" | "ag" => !flags("conlLbHTq"),
        _ => false,
    }
}

/// The text that a `grep` over lines asks for, where its pattern is plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GrepPattern {
    text: String,
    starts: bool,
    ends: bool,
}

/// What `grep PATTERN` wants of a line; `None` for another filter, an inverted one, or a pattern that fixes nothing.
pub(crate) fn grep_pattern(words: &[&str]) -> Option<GrepPattern> {
    let (program, rest) = words.split_first()?;
    let program = program.rsplit('/').next().unwrap_or(program);
    if !matches!(program, "grep" | "egrep" | "fgrep" | "ggrep" | "rg" | "ag") {
        return None;
    }
    let options: Vec<&str> = rest.iter().copied().filter(|word| word.starts_with('-')).collect();
    let has = |letter: char, long: &str| {
        options.iter().any(|word| {
            *word == long || !word.starts_with("--") && word.get(1..).is_some_and(|w| w.contains(letter))
        })
    };
    if has('v', "--invert-match") || has('f', "--file") {
        return None;
    }
    let mut operands = rest.iter().copied().filter(|word| !word.starts_with('-'));
    let pattern = operands.next()?;
    let fixed = program == "fgrep" || has('F', "--fixed-strings");
    let whole = has('x', "--line-regexp");
    let mut starts = whole;
    let mut ends = whole;
    let mut text = String::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            _ if fixed => text.push(letter),
            '^' if text.is_empty() => starts = true,
            '$' if letters.peek().is_none() => ends = true,
            '\\' => match letters.next() {
                Some(next) if next.is_ascii_punctuation() => text.push(next),
                // `\b`, `\<` and kin fix nothing of the text.
                Some('b' | 'B' | '<' | '>') => {}
                _ => return None,
            },
            '[' => match (letters.next(), letters.next()) {
                (Some(only), Some(']')) if only != '^' => text.push(only),
                _ => return None,
            },
            '*' | '+' | '?' | '{' | '(' | '|' | ')' => return None,
            // Any letter; taken for what it most likely stands for.
            letter => text.push(letter),
        }
    }
    (!text.is_empty() && !text.contains(['*', '?', '['])).then_some(GrepPattern { text, starts, ends })
}

impl GrepPattern {
    /// The names among those of `pattern` that hold the text.
    pub(crate) fn narrow(&self, pattern: &str) -> Vec<String> {
        let (folder, last) = pattern.rsplit_once('/').unwrap_or(("", pattern));
        if !matches!(last, "*" | "**" | ".*") {
            return vec![pattern.to_owned()];
        }
        if self.starts && self.ends {
            return vec![self.text.clone()];
        }
        let (deeper, name) = self.text.rsplit_once('/').unwrap_or(("", &self.text));
        let mut folder = match (folder, last) {
            ("", "**") => "**".to_owned(),
            (folder, "**") if !folder.ends_with("**") => format!("{folder}/**"),
            (folder, _) => folder.to_owned(),
        };
        if !deeper.is_empty() {
            folder = if folder.is_empty() { deeper.to_owned() } else { format!("{folder}/{deeper}") };
        }
        let place = |name: String| if folder.is_empty() { name } else { format!("{folder}/{name}") };
        let behind = if self.ends { "" } else { "*" };
        let begins = self.starts && deeper.is_empty() || !deeper.is_empty();
        if begins {
            return vec![place(format!("{name}{behind}"))];
        }
        // A text in the middle also stands in a name that starts with a dot.
        let mut fits = vec![place(format!("*{name}{behind}"))];
        if !name.starts_with('.') {
            fits.push(place(format!(".*{name}{behind}")));
        } else {
            fits.push(place(format!("{name}{behind}")));
        }
        fits
    }
}

/// Whether an assignment in front of a command can't change what it does.
pub(crate) fn is_harmless(name: &str) -> bool {
    programs::is_harmless(name)
}

/// Whether a filter prints nothing, by its own words: `tail -n 0`, `grep -q`, `sed -n ''`, `awk 0`.
pub(crate) fn prints_nothing(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let program = program.rsplit('/').next().unwrap_or(program);
    let first = rest.iter().copied().find(|word| !word.starts_with('-')).unwrap_or_default();
    let short = |flag: char| {
        rest.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(flag))
    };
    match program {
        "tail" | "head" => {
            rest.iter().any(|word| matches!(*word, "-n0" | "-c0" | "-0" | "--lines=0" | "--bytes=0"))
                || rest.windows(2).any(|pair| matches!(pair, ["-n" | "-c", "0"]))
        }
        "grep" | "egrep" | "fgrep" | "rg" => {
            short('q') || rest.iter().any(|word| matches!(*word, "--quiet" | "--silent"))
        }
        "cmp" => short('s') || rest.iter().any(|word| matches!(*word, "--quiet" | "--silent")),
        "sed" | "gsed" => short('n') && !short('e') && !short('i') && matches!(first, "" | "d" | "q"),
        "awk" | "gawk" | "mawk" => matches!(first.trim(), "0" | "{}" | "BEGIN{}" | "BEGIN {}" | ""),
        _ => false,
    }
}

/// Whether a path is a descriptor of this process and nothing else: `/dev/fd/../x` leads on.
pub(crate) fn is_descriptor(path: &str) -> bool {
    path.strip_prefix("/dev/fd/")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Commands that the shell carries out itself, whatever `PATH` holds.
pub(crate) fn is_builtin(name: &str) -> bool {
    const NAMES: &str = ": true false echo printf test [ cd pushd popd dirs read mapfile readarray \
        export declare typeset local readonly unset set shift shopt umask let getopts return exit \
        break continue wait jobs times type hash alias unalias pwd";
    NAMES.split_ascii_whitespace().any(|own| own == name)
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
