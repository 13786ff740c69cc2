//! What the shell does itself: from bash(1) 5.2, section SHELL BUILTIN COMMANDS.
//!
//! State that a builtin changes (variables, folder, functions) is the interpreter's; here stands what it reads,
//! writes, runs and gives away.

use doorward_core::intent::WriteMode;

use super::call::Call;
use super::row::Nature;
use super::{environment, word};

pub(in crate::programs) fn umask(call: &mut Call<'_>) {
    let opens = call.operands.iter().any(|mask| match mask.text.parse::<u32>() {
        Ok(_) => mask.text.bytes().last().is_some_and(|digit| digit.wrapping_sub(b'0') & 2 == 0),
        Err(_) => mask.text.split(',').any(|part| {
            part.split_once(['=', '+'])
                .is_some_and(|(who, what)| what.contains('w') && (who.is_empty() || who.contains(['a', 'o'])))
        }),
    });
    if opens {
        call.finding("shell.privilege", "lets everybody write what is made from now on");
    }
}

pub(in crate::programs) fn command(call: &mut Call<'_>) {
    if call.any(&["-v", "-V"]) {
        call.nature = Nature::Reads;
        call.deeds.transparent = false;
    } else {
        super::wrappers::tail(call, 0);
    }
}

/// `-W LIST`: its words are expanded like any.
pub(in crate::programs) fn word_list(call: &mut Call<'_>) {
    let exported = call.has("-e") || call.value("-A").is_some_and(|kind| kind.text == "export");
    if exported && call.program == "compgen" {
        call.remark("shell.env_dump", "prints the names of the environment");
    }
    if let Some(words) = call.value("-W").filter(|words| words.text.contains(['$', '`'])) {
        call.run_shell(word::instead(&words, format!(": {}", words.text)));
    }
}

/// `jobs -x COMMAND` runs a command, `emulate SHELL -c TEXT` of zsh runs text.
pub(in crate::programs) fn shell_state(call: &mut Call<'_>) {
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

pub(in crate::programs) fn test(call: &mut Call<'_>) {
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

pub(in crate::programs) fn declare(call: &mut Call<'_>) {
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

pub(in crate::programs) fn set(call: &mut Call<'_>) {
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

pub(in crate::programs) fn eval(call: &mut Call<'_>) {
    let mut words = call.operands.clone();
    if words.first().is_some_and(|first| first.text == "--") {
        words.remove(0);
    }
    call.transparent();
    if let Some(text) = word::join(&words) {
        call.run_shell(text);
    }
}

pub(in crate::programs) fn source(call: &mut Call<'_>) {
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

pub(in crate::programs) fn trap(call: &mut Call<'_>) {
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

pub(in crate::programs) fn hash(call: &mut Call<'_>) {
    match call.value("-p") {
        Some(file) => {
            call.remark("shell.shadowed", "another file answers to a known name");
            call.run_file(&file, "", Vec::new());
        }
        None => call.nature = Nature::Reads,
    }
}

pub(in crate::programs) fn bind(call: &mut Call<'_>) {
    for binding in call.values("-x") {
        if let Some((_, text)) = word::halves(&binding, ':') {
            let text = word::instead(&text, text.text.trim().trim_matches('"').to_owned());
            call.run_shell(text);
        }
    }
}

pub(in crate::programs) fn history(call: &mut Call<'_>) {
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
