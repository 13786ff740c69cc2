//! What the walk asks about a program by its name: which read their input line by line, copy files, print settings for
//! `eval`, unpack archives. The walk itself names no program but the shell and its builtins; a test here says so.

use doorward_core::intent::SimpleCommand;
use doorward_knowledge::row::Nature;

/// Programs that make a copy or link of a file.
pub(crate) const COPIERS: &[&str] = &["cp", "ln", "mv", "install", "link", "gcp", "gln"];

/// Whether a program makes the folders that it is told, or fails.
pub(crate) fn makes_folders(name: &str) -> bool {
    name == "mkdir"
}

/// Whether a command puts no name into a folder but those that it is told.
pub(crate) fn names_what_it_makes(command: &SimpleCommand) -> bool {
    const MAKERS: &[&str] = &["cd", "echo", "mkdir", "printf", "set", "tee", "touch"];
    command.read_only || command.words.first().is_some_and(|word| MAKERS.contains(&word.as_str()))
}

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
        || prints_completions(program, rest)
}

/// Whether a program is asked for its completions: `kubectl completion bash`, `just --completions bash`, `rg --generate
/// complete-bash`. The words of an interpreter are those of its code; a program that reads prints what others wrote.
fn prints_completions(program: &str, words: &[&str]) -> bool {
    let (first, second) =
        (words.first().copied().unwrap_or_default(), words.get(1).copied().unwrap_or_default());
    let is_option = |word: &&str| word.starts_with("--complet");
    let by_option = words.iter().any(is_option) || first == "--generate" && second.starts_with("complet");
    let reads = super::lookup(program).is_some_and(|row| row.nature == Nature::Reads);
    let by_word =
        !reads && first.contains("complet") && !first.starts_with('-') && !first.contains(['/', '.']);
    let interprets = matches!(program, "ash" | "bash" | "dash" | "ksh" | "sh" | "zsh")
        || shebang(&format!("#!{program}")).0 != "shell";
    !interprets && (by_option || by_word)
}

/// Whether a command makes a new folder under the temp folder and prints its name.
pub(crate) fn names_a_new_folder(words: &[&str]) -> bool {
    let Some((program, options)) = words.split_first() else { return false };
    *program == "mktemp"
        && !options.is_empty()
        && options.iter().all(|option| matches!(*option, "-d" | "--directory" | "-q"))
        && options.iter().any(|option| *option != "-q")
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

/// Whether a filter prints nothing, by its own words: `tail -n 0`, `grep -q`, `sed -n ''`, `awk 0`.
pub(crate) fn prints_nothing(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let program = program.rsplit('/').next().unwrap_or(program);
    let first = rest.iter().copied().find(|word| !word.starts_with('-')).unwrap_or_default();
    let short = |flag: char| {
        rest.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(flag))
    };
    match program {
        // What is added to a followed file is printed, too.
        "tail"
            if short('f')
                || short('F')
                || rest.iter().any(|word| word.starts_with("--f") || word.starts_with("--r")) =>
        {
            false
        }
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

/// Programs that put standard input or their operands on standard output as they are.
pub(crate) fn shows_words(name: &str) -> bool {
    matches!(name, "echo" | "printf" | "cat" | "tee" | "print")
}

/// Programs whose output is the file that they read.
pub(crate) fn passes_through(name: &str) -> bool {
    matches!(name, "cat" | "tee")
}

/// Programs that write standard input into their operands.
pub(crate) fn writes_input(name: &str) -> bool {
    name == "tee"
}

/// Programs that make links.
pub(crate) fn links(name: &str) -> bool {
    name == "ln"
}

/// Programs that print their operands, and how many words stand in front of these.
pub(crate) fn printed_from(name: &str) -> Option<usize> {
    match name {
        "echo" | "realpath" | "readlink" => Some(1),
        "printf" => Some(2),
        _ => None,
    }
}

/// Programs that run a command once for each operand or line.
pub(crate) fn runs_for_each(name: &str) -> bool {
    matches!(name, "xargs" | "gxargs" | "parallel")
}

/// Programs that run a command again and again.
pub(crate) fn repeats(name: &str) -> bool {
    name == "watch"
}

/// Programs that send a request whenever they are run.
pub(crate) fn requests(name: &str) -> bool {
    matches!(name, "curl" | "wget" | "nc" | "ncat" | "http" | "xh")
}

/// Programs that reach a host, for loops without end.
pub(crate) const TRANSFERS: &[&str] = &[
    "curl", "wget", "http", "https", "xh", "nc", "ncat", "netcat", "socat", "ping", "dig", "nslookup",
    "host", "telnet", "fetch", "aria2c", "ssh",
];

/// Shells without `((…))`: they read two groups (POSIX 2.9.4.1 leaves it to the shell).
pub(crate) fn lacks_arithmetic_commands(shell: &str) -> bool {
    matches!(shell, "sh" | "dash" | "ash")
}

/// Programs that do nothing but wait.
pub(crate) fn only_waits(name: &str) -> bool {
    name == "sleep"
}

/// Programs that edit files in place by substitutions.
pub(crate) fn edits_in_place(name: &str) -> bool {
    matches!(name, "sed" | "gsed" | "perl")
}

/// Languages in which databases are asked.
pub(crate) fn is_query_language(name: &str) -> bool {
    matches!(name, "sql" | "psql" | "mysql" | "sqlite" | "mongo" | "redis")
}

/// Whether a command prints an archive of what was committed.
pub(crate) fn packs_commits(command: &SimpleCommand) -> bool {
    command.program == "git" && command.words.iter().any(|word| word == "archive")
}

/// Whether a command prints a committed file of this path.
pub(crate) fn shows_committed(command: &SimpleCommand, path: &str) -> bool {
    let shows = command.words.iter().any(|word| matches!(word.as_str(), "show" | "cat-file"));
    let same = |word: &String| word.split_once(':').is_some_and(|(_, own)| own == path);
    command.program == "git" && shows && command.words.iter().any(same)
}

/// Whether a command prints without end.
pub(crate) fn prints_without_end(command: &SimpleCommand) -> bool {
    let source = |word: &String| matches!(word.as_str(), "/dev/zero" | "/dev/urandom" | "/dev/random");
    command.program == "yes"
        || matches!(command.program.as_str(), "cat" | "pv" | "tee") && command.words.iter().any(source)
}

/// Whether a command unpacks an archive into the folder in which it is run.
pub(crate) fn unpacks_here(command: &SimpleCommand) -> bool {
    let first = command.words.get(1).map(String::as_str).unwrap_or_default();
    let elsewhere = command
        .words
        .iter()
        .any(|word| word.starts_with("-C") && word != "-C." || word.starts_with("--directory"));
    let stays = command.words.windows(2).any(|pair| match pair {
        [option, folder] => option == "-C" && matches!(folder.as_str(), "." | "./"),
        _ => false,
    });
    let elsewhere = elsewhere && !stays;
    let extracts = match command.program.as_str() {
        "tar" | "bsdtar" | "gtar" => {
            first.contains('x') && !first.starts_with("--")
                || command.words.iter().any(|word| {
                    word == "--extract"
                        || word.starts_with('-') && !word.starts_with("--") && word.contains('x')
                })
        }
        "cpio" => first.contains('i'),
        _ => false,
    };
    extracts && !elsewhere && !command.words.iter().any(|word| word == "-O" || word.contains("xO"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::is_known;
    use super::shebang;

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

    /// Names that the walk may hold, and why.
    const MAY: &[(&str, &str)] = &[
        (
            "the shell carries these out itself, so the walk is what describes them",
            ": . [ alias break builtin cd chdir command compgen complete continue declare echo eval exec exit export false getopts \
             hash let local mapfile popd printf pushd read readarray readonly return set setopt shift shopt source test \
             trap true typeset unalias unset wait",
        ),
        ("the shells whose language is read", "bash zsh noglob nocorrect"),
        (
            "languages, roles and parts of texts that are also names of programs",
            "code file network shell run in lua perl python ruby",
        ),
    ];

    /// The texts in quotation marks of a file, without its tests and comments.
    fn literals(source: &str) -> Vec<String> {
        let source = source.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = source.lines().map(|line| line.split("//").next().unwrap_or_default());
        lines
            .flat_map(|line| line.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
            .collect()
    }

    #[test]
    fn the_walk_names_no_program() {
        let may: Vec<&str> = MAY.iter().flat_map(|(_, names)| names.split_ascii_whitespace()).collect();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/walk");
        let mut named = Vec::new();
        let mut files = 0;
        for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{error}")) {
            let path = entry.unwrap_or_else(|error| panic!("{error}")).path();
            let source = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}"));
            files += 1;
            for literal in literals(&source) {
                let words: Vec<&str> = literal.split_ascii_whitespace().collect();
                // A sentence holds words that are no programs.
                if !words.is_empty() && words.iter().all(|word| is_known(word) && !word.contains('/')) {
                    let wrong = words.into_iter().filter(|word| !may.contains(word));
                    named.extend(wrong.map(|word| format!("{}: {word}", path.display())));
                }
            }
        }
        assert!(files > 10, "only {files} files were read");
        assert!(named.is_empty(), "move these to `programs`:\n{}", named.join("\n"));
        assert_eq!(literals("matches!(name, \"curl\" | \"tar\") // \"x\""), ["curl", "tar"]);
    }
}
