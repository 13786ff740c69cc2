//! What the shell does itself: from bash(1) 5.2, section SHELL BUILTIN COMMANDS.
//!
//! State that a builtin changes (variables, folder, functions) is the interpreter's; here stands what it reads,
//! writes, runs and gives away.

use super::call::Call;
use super::{environment, word};

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
