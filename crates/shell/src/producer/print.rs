//! Producers that print their operands.

use super::{Input, Produced};
use crate::expand::ansi::{self, Dialect};
use crate::value::HOLE;

fn plain(text: impl Into<String>) -> Option<Produced> {
    Some((text.into(), false))
}

pub(super) fn nothing(_: &Input<'_>) -> Option<Produced> {
    plain("")
}

pub(super) fn pwd(input: &Input<'_>) -> Option<Produced> {
    plain(format!("{}\n", input.folder?))
}

/// `git rev-parse --show-toplevel`.
pub(super) fn work_tree(input: &Input<'_>) -> Option<Produced> {
    let asks = matches!(input.words, ["rev-parse", "--show-toplevel"]);
    plain(format!("{}\n", asks.then(input.work_tree)??))
}

pub(super) fn echo(input: &Input<'_>) -> Option<Produced> {
    let (mut newline, mut escapes) = (true, false);
    let mut words = input.words;
    while let Some((first, rest)) = words.split_first() {
        let flags = first.strip_prefix('-').filter(|flags| {
            !flags.is_empty() && flags.chars().all(|flag| matches!(flag, 'n' | 'e' | 'E' | 'r'))
        });
        let Some(flags) = flags else { break };
        for flag in flags.chars() {
            match flag {
                'n' => newline = false,
                'e' => escapes = true,
                _ => escapes = false,
            }
        }
        words = rest;
    }
    let mut text = words.join(" ");
    let mut decoded = false;
    if escapes {
        let unescaped = ansi::unescape(&text, Dialect::Echo);
        decoded = unescaped.numbers;
        text = unescaped.text;
        newline &= !unescaped.ended;
    }
    if newline {
        text.push('\n');
    }
    Some((text, decoded))
}

pub(super) fn printf(input: &Input<'_>) -> Option<Produced> {
    let mut words = input.words;
    if words.first() == Some(&"--") {
        words = words.get(1..)?;
    }
    let (format, mut arguments) = words.split_first()?;
    if format.starts_with('-') && format.len() > 1 {
        return None;
    }
    let mut out = String::new();
    let mut decoded = false;
    loop {
        let before = arguments.len();
        let (used, ended) = once(format, &mut arguments, &mut out, &mut decoded)?;
        if ended
            || arguments.is_empty()
            || arguments.len() == before
            || used == 0
            || out.len() > crate::value::LIMIT
        {
            return Some((out, decoded));
        }
    }
}

/// One pass of the format over the arguments.
fn once(
    format: &str,
    arguments: &mut &[&str],
    out: &mut String,
    decoded: &mut bool,
) -> Option<(usize, bool)> {
    let mut used = 0;
    let mut rest = format;
    while !rest.is_empty() {
        let at = rest.find('%').unwrap_or(rest.len());
        let (literal, tail) = rest.split_at(at);
        let unescaped = ansi::unescape(literal, Dialect::Printf);
        *decoded |= unescaped.numbers;
        out.push_str(&unescaped.text);
        if unescaped.ended {
            return Some((used, true));
        }
        let Some(spec) = tail.strip_prefix('%') else { break };
        let mut characters = spec.char_indices();
        let mut flags = String::new();
        let (conversion, end) = loop {
            let (index, character) = characters.next()?;
            match character {
                '-' | '+' | ' ' | '#' | '0'..='9' | '.' => flags.push(character),
                '*' => return None,
                other => break (other, index + other.len_utf8()),
            }
        };
        rest = spec.get(end..).unwrap_or_default();
        if conversion == '%' {
            out.push('%');
            continue;
        }
        let argument = arguments.first().copied().unwrap_or_default();
        *arguments = arguments.get(1..).unwrap_or_default();
        used += 1;
        let text = match conversion {
            's' => argument.to_owned(),
            'q' => argument.to_owned(),
            'b' => {
                let unescaped = ansi::unescape(argument, Dialect::Echo);
                *decoded |= unescaped.numbers;
                unescaped.text
            }
            'c' => argument.chars().next().map(String::from).unwrap_or_default(),
            'd' | 'i' | 'u' => match argument.strip_prefix(['\'', '"']) {
                Some(character) => {
                    character.chars().next().map(|c| u32::from(c).to_string()).unwrap_or_default()
                }
                None if argument.is_empty() => "0".to_owned(),
                None => parse_number(argument)?.to_string(),
            },
            'x' => format!("{:x}", parse_number(argument)?),
            'X' => format!("{:X}", parse_number(argument)?),
            'o' => format!("{:o}", parse_number(argument)?),
            _ => return None,
        };
        pad(&text, &flags, out)?;
    }
    Some((used, false))
}

fn parse_number(text: &str) -> Option<i64> {
    if let Some(hex) = text.strip_prefix("0x") {
        return i64::from_str_radix(hex, 16).ok();
    }
    match text.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => i64::from_str_radix(octal, 8).ok(),
        _ => text.parse().ok(),
    }
}

fn pad(text: &str, flags: &str, out: &mut String) -> Option<()> {
    let (width, precision) =
        flags.split_once('.').map_or((flags, None), |(width, precision)| (width, Some(precision)));
    let text: String = match precision {
        Some(precision) => text.chars().take(precision.parse().unwrap_or(0)).collect(),
        None => text.to_owned(),
    };
    let left = width.contains('-');
    let zero = width.starts_with('0');
    let digits = width.trim_start_matches(['-', '+', ' ', '#', '0']);
    let width: usize = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    if width > 4096 {
        return None;
    }
    let missing = width.saturating_sub(text.chars().count());
    let filler = if zero && !left { "0" } else { " " }.repeat(missing);
    if left {
        out.push_str(&text);
        out.push_str(&filler);
    } else {
        out.push_str(&filler);
        out.push_str(&text);
    }
    Some(())
}

pub(super) fn seq(input: &Input<'_>) -> Option<Produced> {
    let mut separator = "\n";
    let mut numbers = Vec::new();
    let mut words = input.words.iter();
    while let Some(word) = words.next() {
        match *word {
            "-s" => separator = words.next()?,
            number => numbers.push(number.parse::<i64>().ok()?),
        }
    }
    let (from, step, to) = match numbers.as_slice() {
        [to] => (1, 1, *to),
        [from, to] => (*from, 1, *to),
        [from, step, to] => (*from, *step, *to),
        _ => return None,
    };
    if step == 0 || (to.checked_sub(from)? / step) > 4096 {
        return None;
    }
    let mut items = Vec::new();
    let mut number = from;
    while (step > 0 && number <= to) || (step < 0 && number >= to) {
        items.push(number.to_string());
        number = number.checked_add(step)?;
    }
    let mut out = items.join(separator);
    if !out.is_empty() {
        out.push('\n');
    }
    plain(out)
}

pub(super) fn basename(input: &Input<'_>) -> Option<Produced> {
    let (path, suffix) = match input.words {
        [path] => (*path, ""),
        [path, suffix] if !path.starts_with('-') => (*path, *suffix),
        _ => return None,
    };
    if path.contains(HOLE) || path.starts_with('-') {
        return None;
    }
    let trimmed = path.trim_end_matches('/');
    let base = trimmed.rsplit('/').next().unwrap_or(trimmed);
    let base = if base.is_empty() { "/" } else { base };
    let base = base.strip_suffix(suffix).filter(|rest| !rest.is_empty()).unwrap_or(base);
    plain(format!("{base}\n"))
}

pub(super) fn dirname(input: &Input<'_>) -> Option<Produced> {
    let [path] = input.words else { return None };
    if path.contains(HOLE) || path.starts_with('-') {
        return None;
    }
    let trimmed = path.trim_end_matches('/');
    let folder = match trimmed.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((folder, _)) => folder.trim_end_matches('/'),
        None if trimmed.is_empty() && !path.is_empty() => "/",
        None => ".",
    };
    plain(format!("{folder}\n"))
}

/// `command -v x`, `which x`, `type -p x`: the name stands for itself, whatever path it has.
pub(super) fn which(input: &Input<'_>) -> Option<Produced> {
    let names: Vec<&&str> = input.words.iter().filter(|word| !word.starts_with('-')).collect();
    let [name] = names.as_slice() else { return None };
    if name.contains(HOLE) || name.is_empty() {
        return None;
    }
    // Where it lies, as the system has it.
    const BUILTINS: &[&str] = &[
        "echo", "printf", "test", "[", "cd", "read", "type", "kill", "pwd", "true", "false", "command",
        "eval", "exec", "source", ".", ":", "export", "set", "unset", "trap", "alias", "history", "time",
        "wait", "ulimit", "umask",
    ];
    if crate::programs::is_known(name) && !name.contains('/') && !BUILTINS.contains(name) {
        return plain(format!("/usr/bin/{name}\n"));
    }
    plain(format!("{name}\n"))
}

pub(super) fn mktemp(input: &Input<'_>) -> Option<Produced> {
    let mut folder = None;
    let mut template = None;
    let mut words = input.words.iter();
    while let Some(word) = words.next() {
        match *word {
            "-p" => folder = words.next().copied(),
            "-t" | "-d" | "-q" | "-u" | "-dt" | "-td" | "--directory" => {}
            "--suffix" => {
                words.next();
            }
            option if option.starts_with("--tmpdir=") => folder = option.strip_prefix("--tmpdir="),
            option if option.starts_with('-') => {}
            name => template = Some(name),
        }
    }
    let name = template.unwrap_or("tmp.XXXXXXXXXX");
    let cut = name.find("XXX").unwrap_or(name.len());
    let name = format!("{}{HOLE}", name.get(..cut).unwrap_or_default());
    let outside = name.contains('/')
        || (template.is_some()
            && folder.is_none()
            && !input
                .words
                .iter()
                .any(|word| word.starts_with("-t") || word.contains("t") && word.starts_with("-d")));
    plain(if outside { format!("{name}\n") } else { format!("{}/{name}\n", folder.unwrap_or("/tmp")) })
}
