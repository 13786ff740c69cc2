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
        match name.as_str() {
            "-ex" | "--ex" | "-eval-command" | "--eval-command" | "-iex" | "-o" | "--one-line" | "-O"
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

/// A command of gdb or lldb.
fn gdb_command(call: &mut Call<'_>, text: &Word) {
    if let Some(file) = word::after(text, "set logging file ") {
        return call.write(&file, doorward_core::intent::WriteMode::Append);
    }
    for prefix in ["shell ", "!", "pipe ", "| ", "make ", "platform shell "] {
        if let Some(shell) = word::after(text, prefix) {
            return call.run_shell(shell);
        }
    }
    for prefix in ["python ", "py ", "python-interactive ", "pi ", "script "] {
        if let Some(code) = word::after(text, prefix) {
            return call.run_language("python", code);
        }
    }
    if let Some(file) = word::after(text, "source ") {
        return call.run_file(&file, "gdb", Vec::new());
    }
    let calls = ["call ", "print ", "p ", "expression ", "expr ", "compile "]
        .iter()
        .any(|prefix| text.text.starts_with(prefix));
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
