//! Processes and terminals: listing, stopping, multiplexers, power.

use doorward_core::intent::PrivilegeKind;

use crate::deed::Word;

use super::call::Call;
use super::row::Nature;
use super::word;

pub(in crate::programs) fn listing(call: &mut Call<'_>) {
    watched(call);
    let words: Vec<&str> = call.operands.iter().map(|word| word.text.as_str()).collect();
    let changes = match call.program.as_str() {
        "ps" => words.first().is_some_and(|first| {
            !first.starts_with("--") && (first.contains('e') && !first.starts_with('-') || *first == "-E")
        }),
        "nvidia-smi" => words
            .iter()
            .any(|word| matches!(*word, "-r" | "--gpu-reset" | "-pm" | "-pl" | "-ac" | "-c" | "-e")),
        "top" | "htop" => false,
        _ => false,
    };
    if changes && call.program == "ps" {
        return call.env_read("*");
    }
    if changes {
        call.privilege(PrivilegeKind::Kernel, "changes a device");
    }
}

pub(in crate::programs) fn kill(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let mut iter = words.iter().enumerate();
    let mut targets: Vec<Word> = Vec::new();
    while let Some((at, word)) = iter.next() {
        match word.text.as_str() {
            "-l" | "-L" | "--list" | "--table" => {
                call.nature = Nature::Reads;
                return;
            }
            "-s" | "--signal" | "-n" | "-q" | "--queue" | "--timeout" => {
                iter.next();
            }
            "-0" => {
                call.nature = Nature::Reads;
                return;
            }
            "--" => {}
            // `kill -9 -1`: only the first dash word is a signal.
            text if text.starts_with('-') && at == 0 => {}
            _ => targets.push(word.clone()),
        }
    }
    for target in &targets {
        let text = target.text.as_str();
        let own_job = text.starts_with('%') || text == "$!";
        if own_job {
            continue;
        }
        if matches!(text, "-1" | "0" | "1") {
            call.finding("shell.resource", "signals every process");
        } else {
            call.finding("shell.resource", "stops a process that this command didn't start");
        }
    }
}

pub(in crate::programs) fn by_name(call: &mut Call<'_>) {
    let words: Vec<&str> = call.operands.iter().map(|word| word.text.as_str()).collect();
    let kills = match call.program.as_str() {
        "fuser" => words.iter().any(|word| word.starts_with('-') && word.contains('k')),
        "pkill" => !words.contains(&"-0"),
        "killall" => !words.iter().any(|word| matches!(*word, "-l" | "--list" | "-V")),
        _ => true,
    };
    if kills {
        call.finding("shell.resource", "stops processes by name");
    } else {
        call.nature = Nature::Reads;
    }
}

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

/// `pidstat -e PROGRAM ARGS` runs what it measures.
fn watched(call: &mut Call<'_>) {
    if call.program != "pidstat" {
        return;
    }
    if let Some(at) = call.operands.iter().position(|word| word.text == "-e") {
        let words = call.operands_from(at + 1);
        call.run_argv(words);
    }
}

pub(in crate::programs) fn terminal(call: &mut Call<'_>) {
    // Keys go to whatever has the focus, a terminal as likely as not.
    if call.program == "xdotool" && matches!(call.first(), Some("type" | "key")) {
        let text: Vec<Word> =
            call.operands.iter().skip(1).filter(|word| !word.text.starts_with("--")).cloned().collect();
        if let Some(text) = word::join(&text) {
            call.run_shell(text);
        }
    }
    if matches!(call.program.as_str(), "xclip") {
        let files: Vec<Word> =
            call.operands.iter().filter(|word| word.text.contains(['.', '/'])).cloned().collect();
        files.iter().for_each(|file| call.read(file));
    }
    if matches!(call.program.as_str(), "xdotool" | "wall" | "write") && !call.operands.is_empty() {
        call.nature = Nature::Works;
    }
    for option in ["-i", "-in"] {
        if call.program == "xclip"
            && let Some(at) = call.operands.iter().position(|word| word.text == option)
            && let Some(file) = call.operand(at + 1).filter(|file| !file.text.starts_with('-'))
        {
            call.read(&file);
        }
    }
}

pub(in crate::programs) fn desktop(call: &mut Call<'_>) {
    for word in call.operands.clone() {
        if word.text.contains("://") {
            call.contact(&word, "https", doorward_core::intent::Direction::Both, Vec::new());
        } else if !word.text.starts_with('-') {
            call.read(&word);
        }
    }
    if matches!(call.program.as_str(), "code" | "cursor")
        && call.operands.iter().any(|word| word.text.starts_with("--install-extension"))
    {
        call.install(Vec::new(), doorward_core::intent::InstallSource::Registry, true, false);
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

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn processes_are_listed_or_stopped() {
        check(&[
            ("ps -ef", "read-only"),
            ("ps aux", "read-only"),
            ("kill %1", "plain"),
            ("kill -9 1234", "resource"),
            ("kill -9 -1", "resource"),
            ("kill -l", "read-only"),
            ("pkill node", "resource"),
            ("shutdown -h now", "resource"),
            ("tmux send-keys -t x 'rm y' Enter", "sh rm y"),
            ("tmux new -d -s x 'rm y'", "sh rm y"),
            ("screen -dmS x rm y", "argv rm y"),
            ("free -h", "read-only"),
        ]);
    }
}
