//! Shells as programs: where the code they run comes from.

use doorward_knowledge::row::Nature;

use crate::deed::Word;

use super::call::Call;
use super::word;

/// POSIX shells: `-c` anywhere among the options, then the text, `$0` and `$@`.
pub(in crate::programs) fn posix(call: &mut Call<'_>) {
    let mut words = call.operands.clone().into_iter();
    let mut rest: Vec<Word> = Vec::new();
    let (mut command, mut stdin, mut checks, mut dot_names) = (false, false, false, false);
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        if text == "--" || text == "-" {
            break;
        }
        if let Some(long) = text.strip_prefix("--") {
            let (name, attached) = match word::halves(&word, '=') {
                Some((name, value)) => (name.text.trim_start_matches('-').to_owned(), Some(value)),
                None => (long.to_owned(), None),
            };
            match name.as_str() {
                "rcfile" | "init-file" => {
                    if let Some(file) = attached.or_else(|| words.next()) {
                        call.run_file(&file, "shell", Vec::new());
                    }
                }
                "norc" | "noprofile" | "posix" | "login" | "verbose" | "restricted" | "debugger"
                | "debug" | "noediting" | "dump-strings" | "dump-po-strings" | "protected" | "wordexp"
                | "pretty-print" | "help" | "version" | "no-rcs" | "no-globalrcs" | "emulate" | "errexit"
                | "xtrace" | "nounset" | "interactive" => {
                    if name == "emulate" && attached.is_none() {
                        words.next();
                    }
                }
                _ => {
                    call.finding(
                        "shell.obfuscated",
                        format!("uses the option --{name} of {}, which Doorward does not know", call.program),
                    );
                    call.deeds.known = false;
                }
            }
            continue;
        }
        let is_option = (text.starts_with('-') || text.starts_with('+')) && text.len() > 1;
        if !is_option {
            rest.push(word);
            break;
        }
        let on = text.starts_with('-');
        let mut takes = 0;
        for letter in text.chars().skip(1) {
            match letter {
                'c' => command = true,
                's' => stdin = true,
                'n' if on => checks = true,
                'o' | 'O' => takes += 1,
                letter if letter.is_ascii_alphanumeric() => {}
                _ => call.deeds.known = false,
            }
        }
        for _ in 0..takes {
            dot_names |= words.next().is_some_and(|option| option.text == "dotglob") && on;
        }
    }
    rest.extend(words);
    if command {
        let mut rest = rest.into_iter();
        if let Some(mut text) = rest.next() {
            if dot_names {
                text.text.insert_str(0, "shopt -s dotglob\n");
            }
            call.transparent();
            let place = call.argv.place.clone();
            call.run_shell_in(text, rest.collect(), place);
        }
        return;
    }
    if checks {
        call.nature = Nature::Reads;
        return rest.iter().take(1).for_each(|file| call.read(file));
    }
    match rest.split_first() {
        Some((file, args)) if !stdin => call.run_file(file, "shell", args.to_vec()),
        _ => {
            call.transparent();
            call.run_stdin("shell", rest);
        }
    }
}

/// Options may be shortened, are not case-sensitive, and may start with a slash.
pub(in crate::programs) fn powershell(call: &mut Call<'_>) {
    const OPTIONS: &[(&str, char)] = &[
        ("command", 'c'),
        ("commandwithargs", 'c'),
        ("encodedcommand", 'e'),
        ("ec", 'e'),
        ("file", 'f'),
        ("executionpolicy", '1'),
        ("ep", '1'),
        ("ex", '1'),
        ("workingdirectory", '1'),
        ("wd", '1'),
        ("windowstyle", '1'),
        ("inputformat", '1'),
        ("outputformat", '1'),
        ("configurationname", '1'),
        ("custompipename", '1'),
        ("settingsfile", '1'),
        ("encodedarguments", '1'),
        ("version", '1'),
        ("psconsolefile", '1'),
        ("noprofile", '0'),
        ("noninteractive", '0'),
        ("nologo", '0'),
        ("noexit", '0'),
        ("noprofileloadtime", '0'),
        ("nop", '0'),
        ("noni", '0'),
        ("login", '0'),
        ("interactive", '0'),
        ("sta", '0'),
        ("mta", '0'),
        ("sshservermode", '0'),
        ("help", '0'),
    ];
    let operands = call.operands.clone();
    let mut words = operands.iter().enumerate();
    while let Some((at, word)) = words.next() {
        let Some(option) = word.text.strip_prefix(['-', '/', '–', '—']).filter(|_| word.text.len() > 1)
        else {
            // Windows PowerShell takes bare words as a command, pwsh as a file.
            if call.program == "pwsh" || word.text.ends_with(".ps1") {
                let args = operands.get(at + 1..).unwrap_or_default().to_vec();
                return call.run_file(word, "powershell", args);
            }
            return run_joined(call, operands.get(at..).unwrap_or_default());
        };
        let option = option.trim_start_matches('-').to_ascii_lowercase();
        let kind = OPTIONS
            .iter()
            .find(|(name, _)| *name == option)
            .or_else(|| OPTIONS.iter().find(|(name, _)| name.starts_with(&option)));
        match kind.map(|(_, kind)| *kind) {
            Some('c') => return run_joined(call, operands.get(at + 1..).unwrap_or_default()),
            Some('e') => {
                let Some(encoded) = operands.get(at + 1) else { return };
                return match decode_utf16(&encoded.text) {
                    Some(text) => {
                        let text = Word { assembled: true, ..word::instead(encoded, text) };
                        call.finding("shell.obfuscated", "the command had to be decoded to see it");
                        call.run_language("powershell", text);
                    }
                    None => call.finding("shell.obfuscated", "an encoded command that can't be decoded"),
                };
            }
            Some('f') => {
                let Some(file) = operands.get(at + 1) else { return };
                let args = operands.get(at + 2..).unwrap_or_default().to_vec();
                return if file.text == "-" {
                    call.run_stdin("powershell", args)
                } else {
                    call.run_file(file, "powershell", args)
                };
            }
            Some('1') => {
                words.next();
            }
            Some(_) => {}
            None => {
                call.finding(
                    "shell.obfuscated",
                    format!("uses the option {} of powershell, which Doorward does not know", word.text),
                );
                call.deeds.known = false;
            }
        }
    }
    call.run_stdin("powershell", Vec::new());
}

fn run_joined(call: &mut Call<'_>, words: &[Word]) {
    match word::join(words) {
        Some(text) if text.text == "-" => call.run_stdin("powershell", Vec::new()),
        Some(text) => call.run_language("powershell", text),
        None => call.run_stdin("powershell", Vec::new()),
    }
}

/// Base64 of UTF-16LE, as `-EncodedCommand` takes it.
pub(crate) fn decode_utf16(text: &str) -> Option<String> {
    use base64::Engine as _;
    let engine = base64::engine::general_purpose::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        base64::engine::GeneralPurposeConfig::new()
            .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
    );
    let bytes = engine.decode(text.trim()).ok()?;
    let units: Vec<u16> = bytes
        .chunks(2)
        .map(|pair| {
            u16::from_le_bytes([
                pair.first().copied().unwrap_or_default(),
                pair.get(1).copied().unwrap_or_default(),
            ])
        })
        .collect();
    String::from_utf16(&units).ok()
}

pub(in crate::programs) fn cmd(call: &mut Call<'_>) {
    let operands = call.operands.clone();
    // Options may stand close together: `/s/c`, `/v:on/c`.
    let at = operands.iter().position(|word| {
        let lower = word.text.to_ascii_lowercase();
        lower.starts_with('/') && lower.split('/').any(|part| part.starts_with('c') || part.starts_with('k'))
    });
    let Some(at) = at else { return call.run_stdin("cmd", Vec::new()) };
    call.transparent();
    let option = operands.get(at).map(|word| word.text.clone()).unwrap_or_default();
    let attached = option
        .to_ascii_lowercase()
        .rfind(['c', 'k'])
        .and_then(|end| option.get(end + 1..))
        .unwrap_or_default();
    let rest = operands.get(at + 1..).unwrap_or_default();
    let text = match (word::join(rest), attached) {
        (Some(text), "") => Some(text),
        (Some(text), attached) => Some(word::instead(&text, format!("{attached} {}", text.text))),
        (None, "") => None,
        (None, attached) => operands.get(at).map(|word| word::instead(word, attached.to_owned())),
    };
    match text {
        Some(text) => call.run_language("cmd", text),
        None => call.run_stdin("cmd", Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;
    use super::decode_utf16;

    #[test]
    fn shells_run_text_files_or_their_input() {
        check(&[
            ("bash -c 'rm x'", "sh rm x; transparent"),
            ("bash -lc 'rm x' zero one", "sh rm x; transparent"),
            ("bash -O extglob -c 'rm x'", "sh rm x; transparent"),
            ("bash -o pipefail -ec 'rm x'", "sh rm x; transparent"),
            ("bash -eo pipefail -c 'rm x'", "sh rm x; transparent"),
            ("bash --norc -c 'rm x'", "sh rm x; transparent"),
            ("bash -c -x 'rm x'", "sh rm x; transparent"),
            ("dash -ec 'rm x'", "sh rm x; transparent"),
            ("bash x.sh a", "file x.sh"),
            ("bash --rcfile r -i", "file r; stdin shell; transparent"),
            ("bash -s a", "stdin shell; transparent"),
            ("sh", "stdin shell; transparent"),
            ("bash -n x.sh", "read x.sh; read-only"),
            ("bash --version", "read-only"),
            ("fish -c 'rm x'", "sh rm x; transparent"),
            ("pwsh -nop -c Remove-Item x", "powershell Remove-Item x"),
            ("powershell -e ZABpAHIA", "obfuscated; powershell dir"),
        ]);
    }

    #[test]
    fn encoded_commands_are_utf16() {
        assert_eq!(decode_utf16("ZABpAHIA").as_deref(), Some("dir"));
        assert_eq!(decode_utf16("%%"), None);
    }
}
