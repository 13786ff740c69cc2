//! Producers that decode.

use ::base64::Engine as _;
use ::base64::alphabet;
use ::base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::{Input, Produced};

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

fn text_of(bytes: Vec<u8>) -> Option<Produced> {
    String::from_utf8(bytes).ok().map(|text| (text, true))
}

fn decode64(text: &str) -> Option<Produced> {
    let compact: String = text.chars().filter(|character| !character.is_whitespace()).collect();
    text_of(GeneralPurpose::new(&alphabet::STANDARD, LENIENT).decode(compact.trim_end_matches('=')).ok()?)
}

fn encode64(text: &str, wraps: bool) -> Option<Produced> {
    let encoded = GeneralPurpose::new(&alphabet::STANDARD, GeneralPurposeConfig::new()).encode(text);
    if !wraps {
        return Some((encoded, true));
    }
    let characters: Vec<char> = encoded.chars().collect();
    let lines: Vec<String> = characters.chunks(76).map(|line| line.iter().collect()).collect();
    Some((lines.join("\n") + "\n", true))
}

pub(super) fn base64(input: &Input<'_>) -> Option<Produced> {
    let mut decodes = false;
    let mut wraps = true;
    let mut files = Vec::new();
    let mut words = input.words.iter();
    while let Some(word) = words.next() {
        match *word {
            "-d" | "-D" | "-di" | "-id" | "-i" => decodes |= word.contains(['d', 'D']),
            "-w" => wraps = *words.next()? != "0",
            "-w0" => wraps = false,
            long if long.starts_with("--d") => decodes = true,
            long if long.starts_with("--i") => {}
            long if long.starts_with("--wrap") => wraps = !long.ends_with("=0"),
            option if option.starts_with('-') && option.len() > 1 => return None,
            file => files.push(file),
        }
    }
    let text = input.filtered(&files)?;
    if decodes { decode64(&text) } else { encode64(&text, wraps) }
}

pub(super) fn base32(input: &Input<'_>) -> Option<Produced> {
    let mut files = Vec::new();
    let mut decodes = false;
    for word in input.words {
        match *word {
            "-d" | "-D" | "-di" => decodes = true,
            long if long.starts_with("--d") => decodes = true,
            option if option.starts_with('-') && option.len() > 1 => return None,
            file => files.push(file),
        }
    }
    if !decodes {
        return None;
    }
    let text = input.filtered(&files)?;
    let (mut buffer, mut bits) = (0_u32, 0);
    let mut bytes = Vec::new();
    for character in text.chars().filter(|character| !character.is_whitespace() && *character != '=') {
        let digit = match character {
            'A'..='Z' => u32::from(character) - u32::from('A'),
            '2'..='7' => u32::from(character) - u32::from('2') + 26,
            _ => return None,
        };
        buffer = (buffer << 5 | digit) & 0xf_ffff;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(buffer >> bits & 0xff).ok()?);
        }
    }
    text_of(bytes)
}

/// `xxd -r -p`: plain hexadecimal back to bytes.
pub(super) fn xxd(input: &Input<'_>) -> Option<Produced> {
    let mut reverts = false;
    let mut is_plain = false;
    let mut files = Vec::new();
    for word in input.words {
        match *word {
            "-r" | "-revert" | "--revert" => reverts = true,
            "-p" | "-ps" | "-plain" | "-postscript" | "--plain" => is_plain = true,
            "-rp" | "-pr" | "-r-p" => (reverts, is_plain) = (true, true),
            option if option.starts_with('-') && option.len() > 1 => return None,
            file => files.push(file),
        }
    }
    if !reverts || !is_plain || files.len() > 1 {
        return None;
    }
    let text = input.filtered(&files)?;
    let digits: Vec<u32> = text.chars().filter_map(|character| character.to_digit(16)).collect();
    let bytes = digits
        .chunks_exact(2)
        .map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + digit))
        .map(|byte| u8::try_from(byte).unwrap_or(0))
        .collect();
    text_of(bytes)
}

/// `openssl base64 -d`, `openssl enc -base64 -d`.
pub(super) fn openssl(input: &Input<'_>) -> Option<Produced> {
    let (first, rest) = input.words.split_first()?;
    let mut base64 = *first == "base64";
    if !base64 && *first != "enc" {
        return None;
    }
    let mut decodes = false;
    for word in rest {
        match *word {
            "-base64" | "-a" => base64 = true,
            "-d" => decodes = true,
            "-A" => {}
            _ => return None,
        }
    }
    if !base64 || !decodes {
        return None;
    }
    decode64(&input.filtered(&[])?)
}

#[cfg(test)]
mod tests {
    use crate::producer::{Input, run};

    #[test]
    fn producers_print_what_the_programs_print() {
        let none = |_: &str| None;
        let cases: [(&str, &[&str], Option<&str>, &str); 26] = [
            ("echo", &["-n", "rm"], None, "rm"),
            ("echo", &["-e", "\\x72m"], None, "rm\n"),
            ("printf", &["%s %s\n", "a", "b", "c"], None, "a b\nc \n"),
            ("printf", &["\\162\\155"], None, "rm"),
            ("printf", &["%b", "r\\x6d"], None, "rm"),
            ("printf", &["%02x", "10"], None, "0a"),
            ("printf", &["%.2s", "rmxx"], None, "rm"),
            ("rev", &[], Some("mr"), "rm"),
            ("tr", &["a-z", "b-za"], Some("ql"), "rm"),
            ("tr", &["-d", "x"], Some("rxm"), "rm"),
            ("cut", &["-c2-"], Some("xrm\n"), "rm\n"),
            ("cut", &["-d", ",", "-f2"], Some("a,rm,b\n"), "rm\n"),
            ("head", &["-c", "2"], Some("rmx"), "rm"),
            ("tail", &["-n", "1"], Some("a\nrm\n"), "rm\n"),
            ("sed", &["s/x//g"], Some("rxm\n"), "rm\n"),
            ("sed", &["-n", "2p"], Some("a\nrm\n"), "rm\n"),
            ("sed", &["y/ab/rm/"], Some("ab\n"), "rm\n"),
            ("base64", &["-d"], Some("cm0gLXJmIGE="), "rm -rf a"),
            ("base32", &["-d"], Some("OJWQ===="), "rm"),
            ("xxd", &["-r", "-p"], Some("726d"), "rm"),
            ("openssl", &["base64", "-d"], Some("cm0="), "rm"),
            ("basename", &["/a/rm"], None, "rm\n"),
            ("dirname", &["rm/a"], None, "rm\n"),
            ("seq", &["3"], None, "1\n2\n3\n"),
            ("awk", &["{print $2}"], Some("a rm b\n"), "rm\n"),
            ("which", &["rm"], None, "/usr/bin/rm\n"),
        ];
        for (name, words, stdin, expected) in cases {
            let input = Input { words, stdin, file: &none, folder: None, work_tree: &|| None };
            let printed = run(name, &input).map(|(text, _)| text);
            assert_eq!(printed.as_deref(), Some(expected), "{name} {words:?}");
        }
    }

    #[test]
    fn what_is_not_modelled_is_unknown() {
        let none = |_: &str| None;
        for (name, words, stdin) in [
            ("sed", vec!["s/[a-z]*/x/"], Some("a")),
            ("tr", vec!["-z"], Some("a")),
            ("cat", vec!["file"], None),
            ("rev", vec![], None),
            ("printf", vec!["%*d", "3", "4"], None),
            ("base64", vec!["-d"], Some("/w==")),
        ] {
            let input = Input { words: &words, stdin, file: &none, folder: None, work_tree: &|| None };
            assert_eq!(run(name, &input), None, "{name} {words:?}");
        }
    }
}
