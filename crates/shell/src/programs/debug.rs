//! Debuggers, tracers and profilers: they run programs and take scripts.

use doorward_core::intent::PrivilegeKind;
use doorward_knowledge::row::Nature;

use crate::deed::Word;

use super::call::Call;
use super::word;

pub(in crate::programs) fn debugger(call: &mut Call<'_>) {
    let words = call.operands.clone();
    if words.len() == 1
        && words
            .first()
            .is_some_and(|word| matches!(word.text.as_str(), "--version" | "-v" | "version" | "--help"))
    {
        call.nature = Nature::Reads;
        return;
    }
    let mut at = 0;
    let mut argv: Vec<Word> = Vec::new();
    while let Some(word) = words.get(at) {
        let (name, attached) = match word::halves(word, '=').filter(|_| word.text.starts_with('-')) {
            Some((name, value)) => (name.text, Some(value)),
            None => (word.text.clone(), None),
        };
        at += 1;
        let mut value = || {
            attached.clone().or_else(|| {
                at += 1;
                words.get(at - 1).cloned()
            })
        };
        match gdb_option(&call.program, &name) {
            "-ex" | "--ex" | "-iex" | "-eiex" | "--iex" | "--eval-command" | "-o" | "--one-line" | "-O"
                if matches!(call.program.as_str(), "gdb" | "lldb" | "cgdb") =>
            {
                if let Some(text) = value() {
                    gdb_command(call, &text);
                }
            }
            "-x" | "--command" | "-s" | "--source" | "-ix" | "-l" | "--init"
                if matches!(call.program.as_str(), "gdb" | "lldb" | "cgdb" | "frida" | "dlv" | "dtrace") =>
            {
                if let Some(file) = value() {
                    call.run_file(&file, "gdb", Vec::new());
                }
            }
            "-c" | "-n" | "-q" if matches!(call.program.as_str(), "radare2" | "r2" | "rizin") => {
                if let Some(text) = value().filter(|text| text.text.contains('!')) {
                    let text = word::instead(&text, text.text.trim_start_matches('!').to_owned());
                    call.run_shell(text);
                }
            }
            "-n" if call.program == "dtrace" => {
                if let Some(text) = value() {
                    call.run_language("awk", text);
                }
            }
            "-p" | "--pid" | "-P" => {
                value();
                call.privilege(PrivilegeKind::Capability, "attaches to another process");
            }
            "--args" | "--" => {
                argv = words.get(at..).unwrap_or_default().to_vec();
                break;
            }
            "debug" | "test" | "exec" | "attach" | "connect" | "trace" | "record" | "replay"
                if call.program == "dlv" || call.program == "rr" =>
            {
                if name == "attach" {
                    call.privilege(PrivilegeKind::Capability, "attaches to another process");
                }
                if matches!(name.as_str(), "exec" | "record") {
                    argv = words.get(at..).unwrap_or_default().to_vec();
                }
                break;
            }
            text if text.starts_with('-') => {}
            _ => {
                argv = words.get(at - 1..).unwrap_or_default().to_vec();
                break;
            }
        }
    }
    if let Some(program) = argv.first() {
        // A debugger reads the program; it runs it when told to. Either way it is judged as running.
        if call.program == "gdbserver" {
            call.listen(
                "*",
                argv.first()
                    .and_then(|address| address.text.rsplit(':').next().and_then(|port| port.parse().ok())),
                "gdb",
            );
            argv.remove(0);
        } else {
            let _ = program;
        }
        call.run_argv(argv);
    }
}

/// The option of gdb that this is short for: it takes any beginning that no other option has (gdb(1), 14).
fn gdb_option<'n>(program: &str, name: &'n str) -> &'n str {
    const LONG: &[&str] = &[
        "--early-init-command",
        "--early-init-eval-command",
        "--eval-command",
        "--exec",
        "--init-command",
        "--init-eval-command",
        "--command",
        "--core",
        "--configuration",
        "--pid",
    ];
    let word = name.trim_start_matches('-');
    const EXACT: &[&str] = &["eix", "eiex", "ex", "iex", "ix"];
    if !matches!(program, "gdb" | "cgdb") || EXACT.contains(&word) || word.len() < 2 || !name.starts_with('-')
    {
        return name;
    }
    let mut fitting = LONG.iter().filter(|own| own.trim_start_matches('-').starts_with(word));
    match (fitting.next(), fitting.next()) {
        (Some(&"--init-eval-command" | &"--early-init-eval-command"), None) => "--eval-command",
        (Some(&"--init-command" | &"--early-init-command"), None) => "--command",
        (Some(own), None) => own,
        _ => name,
    }
}

/// A command of gdb or lldb.
fn gdb_command(call: &mut Call<'_>, text: &Word) {
    // What `eval` gets is a command again.
    let mut inner = text.text.trim_start();
    while let Some((_, rest)) =
        inner.split_once(char::is_whitespace).filter(|(verb, _)| matches!(*verb, "ev" | "eva" | "eval"))
    {
        inner = rest.trim().trim_matches('"').trim_start();
    }
    let text = &word::instead(text, inner.to_owned());
    if let Some(file) = word::after(text, "set logging file ") {
        return call.write(&file, doorward_core::intent::WriteMode::Append);
    }
    if let Some(file) = word::after(text, "command script import ") {
        return call.run_file(&file, "python", Vec::new());
    }
    for prefix in ["!", "| ", "platform shell "] {
        if let Some(shell) = word::after(text, prefix) {
            return call.run_shell(shell);
        }
    }
    let (verb, rest) = text.text.trim_start().split_once(char::is_whitespace).unwrap_or((&text.text, ""));
    let rest = word::instead(text, rest.trim_start().to_owned());
    // A command may be shortened to what no other one begins with.
    let is_short_for = |own: &str, least: usize| verb.len() >= least && own.starts_with(verb);
    if is_short_for("shell", 3) || is_short_for("pipe", 3) || is_short_for("make", 3) {
        return call.run_shell(rest);
    }
    if is_short_for("python-interactive", 2) || matches!(verb, "pi" | "script") {
        return call.run_language("python", rest);
    }
    if is_short_for("source", 2) {
        return call.run_file(&rest, "gdb", Vec::new());
    }
    // `target remote | COMMAND` starts the other end.
    if let Some((_, shell)) = rest.text.split_once('|').filter(|_| is_short_for("target", 3)) {
        return call.run_shell(word::instead(text, shell.to_owned()));
    }
    let calls = is_short_for("call", 2)
        || is_short_for("print", 1)
        || is_short_for("inspect", 3)
        || is_short_for("output", 2)
        || is_short_for("compile", 3)
        || is_short_for("expression", 2);
    if calls && (text.text.contains("system(") || text.text.contains("exec")) {
        let inner = text
            .text
            .split_once("system(")
            .map(|(_, rest)| rest.trim_end_matches(')').trim_matches('"').to_owned());
        match inner {
            Some(inner) => {
                let inner = word::instead(text, inner);
                call.run_shell(inner);
            }
            None => call.finding("shell.obfuscated", "makes a debugged process run something"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn debuggers_run_commands() {
        check(&[
            ("gdb -batch -ex 'shell rm x'", "sh rm x"),
            ("gdb -nx -ex '!rm x' -ex quit", "sh rm x"),
            ("gdb -ex 'python import os'", "python import os"),
            ("gdb --args ./x y", "argv ./x y"),
            ("gdb -x f", "file f"),
            ("valgrind --leak-check=full ls", "argv ls"),
            ("lldb -o 'platform shell rm x'", "sh rm x"),
        ]);
    }
}
