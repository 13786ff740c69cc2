//! What a program does stands in its description: neither the walk nor the readers of languages may depend on its
//! name. Both hold other words, some of which are names of programs too; each such word is listed here with its reason.

use std::collections::BTreeSet;
use std::path::Path;

/// Words of shells of Unix.
const SHELL: &str = "
    . : alias bash bind break builtin case cd chdir command compgen complete continue declare dirs disown do done
    echo elif else enable esac eval exec exit export false fi for function getopts hash history if in jobs let
    local lua mapfile nocorrect noglob perl popd printf pushd pwd python read readarray readonly return ruby
    select set setopt shell shift shopt source suspend test then time trap true type typeset ulimit umask unalias
    unset unsetopt until wait while
";

/// Words of sentences.
const SENTENCES: &str = "
    code file host invoke just more print say which who write
";

/// Languages, and files of settings, by their names.
const LANGUAGES: &str = "
    awk clisp cmake cmd crontab curl dc ecl ed emacs expect float ftp gdb gnuplot go guile integer ipython lua
    luajit m4 make mysql node octave perl php powershell psql pwsh py3 python python3 r racket rc rg ruby sbcl
    scheme sed sh shell stack tcl tex vim wget xonsh zsh
";

/// Calls, methods, keywords and kinds of values of the languages, and schemes of addresses.
const CALLS: &str = "
    COPY DEL as at autoload base64 basename caller cat chmod chown copy date del dig dir dirname display find format
    git grep hostname https id info init install join last md5 mkdir move next open open2 open3 paste paste0
    playwright pod port readlink realpath redo rename reset rm rmdir script sh. sha256 sleep sort split start
    stat strip sudo sum sync tap timeout times tokens tr tree truncate uniq unlink w
    where zip column net size env
";

/// Commands that cmd carries out itself, and words of PowerShell.
const WINDOWS: &str = "
    csharp csplit erase head lt md ne rd ren runas setlocal tee ver
";

/// Words of these lists that are names of programs, in quotation marks in the code below a folder.
fn names(folder: &str, lists: &[&str]) -> BTreeSet<String> {
    let own: BTreeSet<&str> = lists.iter().flat_map(|list| list.split_ascii_whitespace()).collect();
    let mut found = BTreeSet::new();
    let mut files = 0;
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
                continue;
            }
            files += 1;
            let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
            // The calls of languages are generated from `knowledge/languages`.
            let is_left_out = entry.file_name() == "tests.rs" || entry.file_name() == "known.rs";
            let code = text.split("#[cfg(test)]").next().filter(|_| !is_left_out).unwrap_or_default();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                // A text may hold several words: tables of names are written as one.
                for word in line.split('"').skip(1).step_by(2).flat_map(str::split_ascii_whitespace) {
                    let is_name =
                        word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
                    if is_name && crate::programs::is_known(word) && !own.contains(word) {
                        found.insert(format!("{}: {word}", entry.file_name().display()));
                    }
                }
            }
        }
    }
    assert!(files > 10, "the sources below {folder} are there");
    found
}

#[test]
fn no_programs_name_stands_in_the_walk() {
    let found = names("walk", &[SHELL, SENTENCES, "lua perl python ruby shell zsh"]);
    assert!(found.is_empty(), "names of programs in the walk: {found:#?}");
}

#[test]
fn no_programs_name_stands_in_the_readers_of_languages() {
    let found = names("languages", &[SHELL, SENTENCES, LANGUAGES, CALLS, WINDOWS]);
    assert!(found.is_empty(), "names of programs in the readers of languages: {found:#?}");
}
