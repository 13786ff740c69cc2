//! Converters of pictures, sound, films and documents, whose files are told from their other words by their looks.

use crate::deed::Word;

use super::call::Call;
use super::row::Nature;

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
