//! Processes and terminals: listing, stopping, multiplexers, power.

use crate::deed::Word;

use super::call::Call;
use super::row::Nature;
use super::word;

pub(in crate::programs) fn multiplexer(call: &mut Call<'_>) {
    let words = call.operands.clone();
    if call.program == "screen" {
        let mut at = 0;
        while let Some(word) = words.get(at) {
            match word.text.as_str() {
                "-S" | "-c" | "-e" | "-h" | "-p" | "-s" | "-t" | "-T" | "-L" => {
                    if matches!(word.text.as_str(), "-c" | "-s")
                        && let Some(file) = words.get(at + 1)
                    {
                        call.run_file(file, "", Vec::new());
                    }
                    at += if word.text == "-L" { 1 } else { 2 };
                }
                "-X" => {
                    let rest = words.get(at + 1..).unwrap_or_default();
                    let runs = rest.first().is_some_and(|verb| {
                        matches!(verb.text.as_str(), "stuff" | "exec" | "screen" | "eval")
                    });
                    if runs && let Some(text) = word::join(rest.get(1..).unwrap_or_default()) {
                        call.run_shell(text);
                    }
                    return;
                }
                "-ls" | "-list" | "-v" => {
                    call.nature = Nature::Reads;
                    return;
                }
                // A cluster such as `-dmS` takes what its last letter takes.
                text if text.starts_with('-') => {
                    at += if text.ends_with(['S', 'c', 'e', 'h', 'p', 's', 't', 'T']) { 2 } else { 1 }
                }
                _ => break,
            }
        }
        let argv = words.get(at..).unwrap_or_default().to_vec();
        if !argv.is_empty() && !words.iter().any(|word| matches!(word.text.as_str(), "-r" | "-x" | "-R")) {
            call.run_argv(argv);
        }
        return;
    }
    if matches!(call.program.as_str(), "dtach" | "abduco") {
        // `dtach -n SOCKET COMMAND`; abduco's `-c NAME COMMAND`.
        let from = words.iter().position(|word| !word.text.starts_with('-')).unwrap_or(words.len());
        return match words.get(from + 1..).unwrap_or_default() {
            [] => call.nature = Nature::Reads,
            argv => call.run_argv(argv.to_vec()),
        };
    }
    if let Some(at) = words.iter().position(|word| word.text == "-c").filter(|_| call.program == "tmux")
        && words.iter().take(at).all(|word| word.text.starts_with('-'))
        && let Some(text) = words.get(at + 1)
    {
        return call.run_shell(text.clone());
    }
    let is_value = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).map(|word| word.text.as_str());
        call.program == "tmux" && before.is_some_and(|before| matches!(before, "-L" | "-S" | "-T" | "-f"))
    };
    let mut places = words.iter().enumerate();
    let verb_at = places.find(|(at, word)| !word.text.starts_with('-') && !is_value(*at)).map(|(at, _)| at);
    let Some(verb_at) = verb_at else { return };
    let verb = words.get(verb_at).map(|verb| verb.text.clone()).unwrap_or_default();
    let rest = words.get(verb_at + 1..).unwrap_or_default();
    match verb.as_str() {
        "ls" | "list-sessions" | "list-windows" | "lsw" | "list-panes" | "capture-pane" | "capturep"
        | "show-options" | "show" | "display-message" | "display" | "info" | "has-session" | "has"
        | "list-keys" | "list-clients" => call.nature = Nature::Reads,
        "send-keys" | "send" => {
            let mut skip = false;
            let text: Vec<Word> = rest
                .iter()
                .filter(|word| {
                    let drop = skip
                        || word.text.starts_with('-')
                        || matches!(word.text.as_str(), "Enter" | "C-m" | "KPEnter");
                    skip = matches!(word.text.as_str(), "-t" | "-N");
                    !drop
                })
                .cloned()
                .collect();
            if let Some(text) = word::join(&text) {
                call.run_shell(text);
            }
        }
        "new-session" | "new" | "new-window" | "neww" | "split-window" | "splitw" | "run-shell" | "run"
        | "if-shell" | "if" | "respawn-pane" | "respawn-window" | "pipe-pane" | "popup" | "display-popup" => {
            let mut at = 0;
            while let Some(word) = rest.get(at) {
                match word.text.as_str() {
                    "-s" | "-n" | "-t" | "-c" | "-x" | "-y" | "-e" | "-F" | "-l" | "-p" => at += 2,
                    text if text.starts_with('-') => at += 1,
                    _ => break,
                }
            }
            if let Some(text) = word::join(rest.get(at..).unwrap_or_default()) {
                call.run_shell(text);
            }
        }
        "source-file" | "source" => {
            if let Some(file) = rest.last() {
                call.run_file(file, "", Vec::new());
            }
        }
        "kill-server" | "kill-session" | "kill-window" | "kill-pane" => {
            call.finding("shell.resource", "ends sessions by name")
        }
        _ => {}
    }
}

/// Converters: what exists is read, the last operand is written.
pub(in crate::programs) fn media(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let after = |names: &[&str]| {
        let at = words.iter().position(|word| names.contains(&word.text.as_str()))?;
        words.get(at + 1).cloned()
    };
    match call.program.as_str() {
        "asciinema" | "vhs" => {
            if let Some(text) = after(&["-c", "--command"]) {
                call.run_shell(text);
            }
        }
        "exiftool" => {
            for name in ["-if", "-if0", "-if2", "-p", "-printFormat", "-userParam"] {
                if let Some(code) = after(&[name]).filter(|code| code.text.contains(['(', '`', '$'])) {
                    call.run_language("perl", code);
                }
            }
        }
        "gs" => {
            if let Some(code) = after(&["-c"]) {
                call.run_language("postscript", code);
            }
        }
        "groff" | "troff" => {
            let unsafe_too = words.iter().any(|word| word.text.starts_with('-') && word.text.contains('U'));
            if unsafe_too && !words.iter().any(|word| word.text.contains(['.', '/'])) {
                call.run_stdin("roff", Vec::new());
            }
        }
        _ => {}
    }
    let files: Vec<Word> = words
        .iter()
        .filter(|word| !word.text.starts_with(['-', '+']) && word.text.contains(['.', '/']))
        .cloned()
        .collect();
    if matches!(call.program.as_str(), "lpstat" | "exiftool" | "evince")
        && !words.iter().any(|word| word.text.contains('='))
    {
        call.nature = Nature::Reads;
        return files.iter().for_each(|file| call.read(file));
    }
    if matches!(call.program.as_str(), "mogrify" | "optipng" | "jpegoptim" | "exiftool") {
        return files.iter().for_each(|file| call.write(file, doorward_core::intent::WriteMode::InPlace));
    }
    call.nature = Nature::Named;
    let Some((last, inputs)) = files.split_last() else { return };
    for input in inputs {
        if input.text.contains("://") {
            call.contact(input, "https", doorward_core::intent::Direction::Fetch, Vec::new());
        } else {
            call.read(input);
        }
    }
    if last.text.contains("://") {
        call.contact(last, "https", doorward_core::intent::Direction::Both, Vec::new());
    } else if inputs.is_empty() || matches!(call.program.as_str(), "lp" | "lpr" | "vlc") {
        call.read(last);
    } else {
        call.write(last, doorward_core::intent::WriteMode::Create);
    }
}
