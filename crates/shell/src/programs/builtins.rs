//! What the shell does itself: from bash(1) 5.2, section SHELL BUILTIN COMMANDS.
//!
//! State that a builtin changes (variables, folder, functions) is the interpreter's; here stands what it reads,
//! writes, runs and gives away.

use doorward_core::intent::WriteMode;

use crate::deed::{Output, StdinRole, Word};

use super::call::Call;
use super::row::{Nature, ProgramRow, Style, reads, works, wrapper};
use super::{environment, word};

const BASH: &str = "bash(1) 5.2";

pub(super) static ROWS: &[ProgramRow] = &[
    reads("echo printf print", BASH, "", "data*").style(Style::Raw).answers().takes(StdinRole::Ignored),
    reads(": true false", BASH, "", "data*")
        .style(Style::Raw)
        .answers()
        .prints(Output::Nothing)
        .takes(StdinRole::Ignored),
    reads(
        "break continue return exit logout shift times suspend caller getopts let dirs jobs bg fg \
        wait disown ulimit unalias compopt unhash rehash limit setopt unsetopt autoload zmodload \
        emulate",
        BASH,
        "",
        "data*",
    )
    .act(shell_state)
    .style(Style::Raw)
    .answers()
    .prints(Output::Nothing)
    .takes(StdinRole::Ignored),
    reads("cd pushd popd chdir z", BASH, "", "data*")
        .style(Style::Raw)
        .answers()
        .prints(Output::Nothing)
        .takes(StdinRole::Ignored),
    reads("test [ [[", "test(1) coreutils 9.4", "", "")
        .style(Style::Raw)
        .answers()
        .act(test)
        .prints(Output::Nothing)
        .takes(StdinRole::Ignored),
    reads(
        "read readarray mapfile",
        BASH,
        "-r -s -e -a=data -d=data -i=data -n=num -N=num -p=data \
        -t=num -u=num -O=num -C=sh -c=num -k -q -A -z",
        "data*",
    )
    .prints(Output::Nothing),
    reads("export declare typeset readonly local integer float", BASH, "", "")
        .style(Style::Raw)
        .answers()
        .act(declare)
        .takes(StdinRole::Ignored),
    reads("unset", BASH, "-f -v -n -m", "data*").act(unset).prints(Output::Nothing),
    reads("set", BASH, "", "").style(Style::Raw).answers().act(set),
    reads("umask", BASH, "-p -S", "data*").act(|call| {
        let opens = call.operands.iter().any(|mask| match mask.text.parse::<u32>() {
            Ok(_) => mask.text.bytes().last().is_some_and(|digit| digit.wrapping_sub(b'0') & 2 == 0),
            Err(_) => mask.text.split(',').any(|part| {
                part.split_once(['=', '+']).is_some_and(|(who, what)| {
                    what.contains('w') && (who.is_empty() || who.contains(['a', 'o']))
                })
            }),
        });
        if opens {
            call.finding("shell.privilege", "lets everybody write what is made from now on");
        }
    }),
    reads("shopt", BASH, "-p -q -s -u -o", "data*"),
    works("alias", BASH, "-p -g -s -L -m -r", "").act(alias),
    wrapper("eval", BASH, "", eval).style(Style::Raw),
    wrapper("exec", BASH, "-c -l -a=data", |call| super::wrappers::tail(call, 0)),
    wrapper("command", BASH, "-p -v -V", |call| {
        if call.any(&["-v", "-V"]) {
            call.nature = Nature::Reads;
            call.deeds.transparent = false;
        } else {
            super::wrappers::tail(call, 0);
        }
    }),
    wrapper("builtin noglob nocorrect", BASH, "", |call| super::wrappers::tail(call, 0)),
    works("source .", BASH, "", "").style(Style::Raw).act(source),
    works("trap", BASH, "-p -l", "").style(Style::Raw).act(trap),
    works("hash", BASH, "-r -l -d -t -p=data", "data*").act(hash),
    works("enable", BASH, "-a -d -n -p -s -f=file:native", "data*"),
    works("bind", BASH, "-l -p -P -s -S -v -V -X -m=data -f=read -q=data -u=data -r=data -x=data", "data*")
        .act(bind),
    works(
        "complete",
        BASH,
        "-a -b -c -d -e -f -g -j -k -p -r -s -u -v -o=data -D -E -I -A=data \
        -C=sh -F=data -G=pat -P=data -S=data -W=data -X=pat",
        "data*",
    )
    .act(word_list),
    reads(
        "compgen",
        BASH,
        "-a -b -c -d -e -f -g -j -k -s -u -v -o=data -A=data -C=sh -F=data -G=pat \
        -P=data -S=data -W=data -X=pat",
        "data*",
    )
    .act(word_list),
    works("fc", BASH, "-l -n -r -s -e=prog", "data*").act(|call| {
        if call.has("-l") {
            call.nature = Nature::Reads
        } else {
            call.finding("shell.obfuscated", "runs a command from the history")
        }
    }),
    reads("history", BASH, "", "").style(Style::Raw).answers().act(history),
    reads(
        "type which whereis whence where",
        "which(1) 2.21",
        "-a|--all -t -p -P -f -b -m -s -S=data \
        -B=data -M=data -u -l -w --skip-alias --skip-dot --show-dot --show-tilde --tty-only \
        --skip-functions",
        "data*",
    )
    .takes(StdinRole::Ignored),
    reads("help apropos whatis", BASH, "-d -m -s=data -r -w -e -a -l -k -f", "data*"),
    reads("time-builtin", BASH, "-p", "data*"),
];

/// `-W LIST`: its words are expanded like any.
fn word_list(call: &mut Call<'_>) {
    let exported = call.has("-e") || call.value("-A").is_some_and(|kind| kind.text == "export");
    if exported && call.program == "compgen" {
        call.remark("shell.env_dump", "prints the names of the environment");
    }
    if let Some(words) = call.value("-W").filter(|words| words.text.contains(['$', '`'])) {
        call.run_shell(word::instead(&words, format!(": {}", words.text)));
    }
}

/// `jobs -x COMMAND` runs a command, `emulate SHELL -c TEXT` of zsh runs text.
fn shell_state(call: &mut Call<'_>) {
    match call.program.as_str() {
        "jobs" if call.first() == Some("-x") => {
            let words = call.operands_from(1);
            call.run_argv(words);
        }
        "emulate" => {
            let at =
                call.operands.iter().position(|word| word.text.starts_with('-') && word.text.ends_with('c'));
            if let Some(text) = at.and_then(|at| call.operand(at + 1)) {
                call.run_shell(text);
            }
        }
        "zmodload" | "autoload" => call.acts = true,
        _ => {}
    }
}

fn test(call: &mut Call<'_>) {
    let operands = call.operands.clone();
    let mut words = operands.iter().peekable();
    while let Some(word) = words.next() {
        let looks = word.text.len() == 2
            && word.text.starts_with('-')
            && word.text.contains([
                'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'k', 'p', 'r', 's', 'u', 'w', 'x', 'G', 'L', 'N',
                'O', 'S',
            ]);
        if looks
            && let Some(path) =
                words.next_if(|next| !matches!(next.text.as_str(), "]" | "]]" | "=" | "==" | "!="))
        {
            call.look(path);
        }
    }
}

fn declare(call: &mut Call<'_>) {
    let operands = call.operands.clone();
    let prints = operands.iter().all(|word| word.text.starts_with('-'));
    let exports = matches!(call.program.as_str(), "export")
        || operands.iter().any(|word| word.text.starts_with('-') && word.text.contains('x'));
    if prints && call.program != "local" && !operands.iter().any(|word| word.text.contains(['f', 'F'])) {
        return call.env_read("*");
    }
    let mut assigned = Vec::new();
    for operand in &operands {
        if let Some((name, value)) = word::halves(operand, '=') {
            wipes_history(call, &name.text, &value.text);
            assigned.push((name.text, value));
        }
    }
    if exports {
        environment::apply(call, &assigned);
    }
}

/// Settings that stop the shell from keeping its history.
fn wipes_history(call: &mut Call<'_>, name: &str, value: &str) {
    let wipes = match name {
        "HISTFILE" => matches!(value, "" | "/dev/null"),
        "HISTSIZE" | "HISTFILESIZE" => value == "0",
        "HISTCONTROL" | "HISTIGNORE" => value == "*" || value == "ignoreboth" || value == "ignorespace",
        _ => false,
    };
    if wipes {
        call.finding("shell.tamper", format!("{name} stops the shell from keeping its history"));
    }
}

fn unset(call: &mut Call<'_>) {
    if call
        .operands
        .iter()
        .any(|name| matches!(name.text.as_str(), "HISTFILE" | "HISTSIZE" | "HISTFILESIZE" | "PROMPT_COMMAND"))
    {
        call.finding("shell.tamper", "stops the shell from keeping its history");
    }
}

fn set(call: &mut Call<'_>) {
    if call.operands.is_empty() {
        return call.env_read("*");
    }
    let mut before = "";
    for word in &call.operands.clone() {
        if before == "+o" && word.text == "history" {
            call.finding("shell.tamper", "stops the shell from keeping its history");
        }
        before = if word.text == "+o" { "+o" } else { "" };
    }
}

fn alias(call: &mut Call<'_>) {
    let defines: Vec<Word> = call.operands.iter().filter(|word| word.text.contains('=')).cloned().collect();
    if defines.is_empty() {
        call.nature = Nature::Reads;
    }
}

fn eval(call: &mut Call<'_>) {
    let mut words = call.operands.clone();
    if words.first().is_some_and(|first| first.text == "--") {
        words.remove(0);
    }
    call.transparent();
    if let Some(text) = word::join(&words) {
        call.run_shell(text);
    }
}

fn source(call: &mut Call<'_>) {
    let mut words = call.operands.clone();
    if words.first().is_some_and(|first| first.text == "--") {
        words.remove(0);
    }
    let Some((file, args)) = words.split_first() else { return };
    if matches!(file.text.as_str(), "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") {
        return call.run_stdin("shell", args.to_vec());
    }
    call.run_file(file, "shell", args.to_vec());
}

fn trap(call: &mut Call<'_>) {
    let mut words = call.operands.clone();
    if words.first().is_some_and(|first| first.text == "--") {
        words.remove(0);
    }
    match words.split_first() {
        None => call.nature = Nature::Reads,
        Some((first, _)) if matches!(first.text.as_str(), "-p" | "-l") => call.nature = Nature::Reads,
        Some((first, rest)) => {
            if first.text.is_empty() || first.text == "-" || rest.is_empty() {
                call.nature = Nature::Reads;
                return;
            }
            call.run_shell(first.clone());
        }
    }
}

fn hash(call: &mut Call<'_>) {
    match call.value("-p") {
        Some(file) => {
            call.remark("shell.shadowed", "another file answers to a known name");
            call.run_file(&file, "", Vec::new());
        }
        None => call.nature = Nature::Reads,
    }
}

fn bind(call: &mut Call<'_>) {
    for binding in call.values("-x") {
        if let Some((_, text)) = word::halves(&binding, ':') {
            let text = word::instead(&text, text.text.trim().trim_matches('"').to_owned());
            call.run_shell(text);
        }
    }
}

fn history(call: &mut Call<'_>) {
    let mut words = call.operands.clone().into_iter();
    while let Some(word) = words.next() {
        let Some(flags) = word.text.strip_prefix('-').filter(|flags| !flags.is_empty()) else { continue };
        for flag in flags.chars() {
            match flag {
                'c' | 'd' => {
                    call.finding("shell.tamper", "wipes the shell's history");
                    if flag == 'd' {
                        words.next();
                    }
                }
                'a' | 'w' => {
                    let file = words.next();
                    call.acts = true;
                    call.beyond_plain = true;
                    match file {
                        Some(file) => {
                            call.write(&file, if flag == 'a' { WriteMode::Append } else { WriteMode::Create })
                        }
                        None => call.write_named("~/.bash_history", WriteMode::Append),
                    }
                }
                'r' | 'n' => {
                    call.acts = true;
                    if let Some(file) = words.next() {
                        call.read(&file);
                    }
                }
                's' | 'p' => {
                    call.acts = true;
                    return;
                }
                _ => call.deeds.known = false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn builtins_run_what_they_are_given() {
        check(&[
            ("echo rm -rf /", "read-only"),
            ("printf %s x", "read-only"),
            ("eval rm x", "sh rm x; transparent"),
            ("command -v rm", "read-only"),
            ("command rm x", "argv rm x; transparent"),
            ("exec -a n rm x", "argv rm x; transparent"),
            ("source x.sh a", "file x.sh"),
            (". /dev/stdin", "stdin shell"),
            ("trap 'rm x' EXIT", "sh rm x"),
            ("trap - EXIT", "read-only"),
            ("mapfile -C 'rm x' a", "sh rm x"),
            ("history -c", "tamper"),
            ("history -a f", "append f"),
            ("set", "env *; env_dump; plain"),
            ("set -e", "read-only"),
            ("export A=1", "read-only"),
            ("export LD_PRELOAD=./x.so", "obfuscated; file ./x.so"),
            ("unset HISTFILE", "tamper"),
            ("[ -f a ]", "look a; read-only"),
            ("hash -p /tmp/x ls", "shadowed; file /tmp/x"),
            ("enable -f ./x.so y", "obfuscated; file ./x.so"),
        ]);
    }

    #[test]
    fn assignments_that_load_or_run_are_said() {
        check(&[
            ("LC_ALL=C ls", "read-only"),
            ("RUST_BACKTRACE=1 ls", "read-only"),
            ("FOO=1 ls", "read-only"),
            ("LD_PRELOAD=./x.so ls", "obfuscated; file ./x.so"),
            ("GIT_SSH_COMMAND='touch x' ls", "sh touch x"),
            ("PAGER=less ls", "read-only"),
            ("NODE_OPTIONS='--require ./x.js' ls", "file ./x.js"),
            ("BASH_ENV=x ls", "file x"),
            ("NODE_TLS_REJECT_UNAUTHORIZED=0 ls", "tamper"),
        ]);
    }
}
