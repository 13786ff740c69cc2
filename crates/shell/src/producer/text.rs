//! Producers that filter text.

use super::{Input, Produced};
use crate::expand::pattern;
use crate::value::LIMIT;

pub(super) fn plain(text: impl Into<String>) -> Option<Produced> {
    Some((text.into(), false))
}

fn disguised(text: String) -> Option<Produced> {
    Some((text, true))
}

pub(super) fn lines_of(lines: &[String]) -> String {
    let mut out = String::new();
    for line in lines {
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Flags and operands; `None` for an option outside `allowed`.
fn operands<'a>(words: &[&'a str], allowed: &str) -> Option<Vec<&'a str>> {
    let mut out = Vec::new();
    let mut only_operands = false;
    for word in words {
        if !only_operands && *word == "--" {
            only_operands = true;
        } else if !only_operands && word.starts_with('-') && word.len() > 1 {
            if !word.chars().skip(1).all(|flag| allowed.contains(flag)) {
                return None;
            }
        } else {
            out.push(*word);
        }
    }
    Some(out)
}

pub(super) fn cat(input: &Input<'_>) -> Option<Produced> {
    let operands = operands(input.words, "u")?;
    plain(input.joined(&operands)?)
}

pub(super) fn tee(input: &Input<'_>) -> Option<Produced> {
    plain(input.stdin?)
}

pub(super) fn rev(input: &Input<'_>) -> Option<Produced> {
    let text = input.filtered(&operands(input.words, "")?)?;
    let ends = text.ends_with('\n');
    let mut out =
        text.lines().map(|line| line.chars().rev().collect::<String>()).collect::<Vec<_>>().join("\n");
    if ends {
        out.push('\n');
    }
    disguised(out)
}

pub(super) fn tac(input: &Input<'_>) -> Option<Produced> {
    let text = input.filtered(&operands(input.words, "")?)?;
    let lines: Vec<String> = text.lines().rev().map(str::to_owned).collect();
    disguised(lines_of(&lines))
}

pub(super) fn sort(input: &Input<'_>) -> Option<Produced> {
    let text = input.filtered(&operands(input.words, "u")?)?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    if input.words.contains(&"-u") {
        lines.dedup();
    }
    plain(lines_of(&lines))
}

pub(super) fn uniq(input: &Input<'_>) -> Option<Produced> {
    if !input.words.is_empty() {
        return None;
    }
    let text = input.filtered(&[])?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.dedup();
    plain(lines_of(&lines))
}

/// The characters a `tr` set stands for.
fn set(text: &str) -> Option<Vec<char>> {
    let unescaped = crate::expand::ansi::unescape(text, crate::expand::ansi::Dialect::Printf).text;
    let characters: Vec<char> = unescaped.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        if character == '[' && characters.get(at + 1) == Some(&':') {
            let name: String = characters.iter().skip(at + 2).take_while(|&&c| c != ':').collect();
            out.extend((0_u8..128).map(char::from).filter(|&candidate| pattern::class(&name, candidate)));
            at += name.chars().count() + 4;
        } else if let (Some('-'), Some(&last)) = (characters.get(at + 1), characters.get(at + 2)) {
            if last < character || u32::from(last) - u32::from(character) > 4096 {
                return None;
            }
            out.extend(character..=last);
            at += 3;
        } else {
            out.push(character);
            at += 1;
        }
    }
    Some(out)
}

pub(super) fn tr(input: &Input<'_>) -> Option<Produced> {
    let (mut complement, mut delete, mut squeeze) = (false, false, false);
    let mut sets = Vec::new();
    for word in input.words {
        match word.strip_prefix('-').filter(|flags| !flags.is_empty() && sets.is_empty()) {
            Some("-delete") => delete = true,
            Some("-complement") => complement = true,
            Some("-squeeze-repeats") => squeeze = true,
            Some("-") => {}
            Some(flags) => {
                for flag in flags.chars() {
                    match flag {
                        'c' | 'C' => complement = true,
                        'd' => delete = true,
                        's' => squeeze = true,
                        't' => {}
                        _ => return None,
                    }
                }
            }
            None => sets.push(*word),
        }
    }
    let text = input.filtered(&[])?;
    let first = set(sets.first()?)?;
    let second = match sets.get(1) {
        Some(text) => set(text)?,
        None => Vec::new(),
    };
    let hit = |character: char| first.contains(&character) != complement;
    if delete {
        return disguised(text.chars().filter(|&character| !hit(character)).collect());
    }
    let mut out = String::with_capacity(text.len());
    let mut last = None;
    for character in text.chars() {
        let mapped = if !hit(character) {
            character
        } else if second.is_empty() {
            if !squeeze {
                return None;
            }
            character
        } else if complement {
            *second.last()?
        } else {
            let index = first.iter().rposition(|&own| own == character)?;
            *second.get(index).or(second.last())?
        };
        let squeezed = squeeze
            && last == Some(mapped)
            && if second.is_empty() { hit(mapped) } else { second.contains(&mapped) };
        if !squeezed {
            out.push(mapped);
        }
        last = Some(mapped);
    }
    // Changing case or line ends hides nothing; a substitution cipher does.
    let spacing = first.iter().all(|character| character.is_whitespace() || character.is_ascii_punctuation());
    let cased = out.eq_ignore_ascii_case(&text);
    Some((out, !cased && !spacing))
}

/// `1-3,5` as predicates on positions from one.
fn ranges(list: &str) -> Option<Vec<(usize, usize)>> {
    list.split(',')
        .map(|part| match part.split_once('-') {
            None => part.parse().ok().map(|number: usize| (number, number)),
            Some((from, to)) => {
                let from = if from.is_empty() { 1 } else { from.parse().ok()? };
                let to = if to.is_empty() { usize::MAX } else { to.parse().ok()? };
                Some((from, to))
            }
        })
        .collect()
}

pub(super) fn cut(input: &Input<'_>) -> Option<Produced> {
    let mut characters = None;
    let mut fields = None;
    let mut delimiter = "\t".to_owned();
    let mut output = None;
    let mut only = false;
    let mut files = Vec::new();
    let mut words = input.words.iter().peekable();
    while let Some(word) = words.next() {
        let mut value = |rest: &str| -> Option<String> {
            if rest.is_empty() { words.next().map(|word| (*word).to_owned()) } else { Some(rest.to_owned()) }
        };
        if let Some(rest) = word.strip_prefix("--characters=").or(word.strip_prefix("--bytes=")) {
            characters = ranges(rest);
        } else if let Some(rest) = word.strip_prefix("--fields=") {
            fields = ranges(rest);
        } else if let Some(rest) = word.strip_prefix("--delimiter=") {
            delimiter = rest.to_owned();
        } else if let Some(rest) = word.strip_prefix("--output-delimiter=") {
            output = Some(rest.to_owned());
        } else if let Some(rest) = word.strip_prefix("-c").or(word.strip_prefix("-b")) {
            characters = Some(ranges(&value(rest)?)?);
        } else if let Some(rest) = word.strip_prefix("-f") {
            fields = Some(ranges(&value(rest)?)?);
        } else if let Some(rest) = word.strip_prefix("-d") {
            delimiter = value(rest)?;
        } else if *word == "-s" {
            only = true;
        } else if word.starts_with('-') && word.len() > 1 {
            return None;
        } else {
            files.push(*word);
        }
    }
    let text = input.filtered(&files)?;
    let within = |ranges: &[(usize, usize)], index: usize| {
        ranges.iter().any(|&(from, to)| (from..=to).contains(&(index + 1)))
    };
    let mut lines = Vec::new();
    for line in text.lines() {
        if let Some(ranges) = &characters {
            lines.push(
                line.chars()
                    .enumerate()
                    .filter(|(index, _)| within(ranges, *index))
                    .map(|(_, c)| c)
                    .collect(),
            );
        } else {
            let ranges = fields.as_ref()?;
            if !line.contains(&delimiter) {
                if !only {
                    lines.push(line.to_owned());
                }
                continue;
            }
            let kept: Vec<&str> = line
                .split(&delimiter)
                .enumerate()
                .filter(|(index, _)| within(ranges, *index))
                .map(|(_, field)| field)
                .collect();
            lines.push(kept.join(output.as_deref().unwrap_or(&delimiter)));
        }
    }
    plain(lines_of(&lines))
}

/// `-n N`, `-N`, `-c N` of `head` and `tail`: (count, by bytes, sign, files).
fn amount<'a>(words: &[&'a str]) -> Option<(usize, bool, char, Vec<&'a str>)> {
    let (mut count, mut bytes, mut sign) = ("10".to_owned(), false, ' ');
    let mut files = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Some(rest) = word.strip_prefix("-n").or(word.strip_prefix("--lines=")) {
            count = if rest.is_empty() { (*words.next()?).to_owned() } else { rest.to_owned() };
        } else if let Some(rest) = word.strip_prefix("-c").or(word.strip_prefix("--bytes=")) {
            bytes = true;
            count = if rest.is_empty() { (*words.next()?).to_owned() } else { rest.to_owned() };
        } else if let Some(rest) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) {
            if matches!(*word, "-q" | "--quiet") {
                continue;
            }
            rest.parse::<usize>().ok()?;
            count = rest.to_owned();
        } else if word.starts_with('+') && word.len() > 1 {
            count = (*word).to_owned();
        } else {
            files.push(*word);
        }
    }
    if let Some(first) = count.chars().next().filter(|first| matches!(first, '+' | '-')) {
        sign = first;
    }
    Some((count.trim_start_matches(['+', '-']).parse().ok()?, bytes, sign, files))
}

pub(super) fn head(input: &Input<'_>) -> Option<Produced> {
    let (count, bytes, sign, files) = amount(input.words)?;
    let text = input.filtered(&files)?;
    if bytes {
        let end = if sign == '-' { text.len().saturating_sub(count) } else { count.min(text.len()) };
        return plain(text.get(..end)?);
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let end = if sign == '-' { lines.len().saturating_sub(count) } else { count.min(lines.len()) };
    plain(lines.get(..end)?.concat())
}

pub(super) fn tail(input: &Input<'_>) -> Option<Produced> {
    let (count, bytes, sign, files) = amount(input.words)?;
    let text = input.filtered(&files)?;
    if bytes {
        let start = if sign == '+' {
            count.saturating_sub(1).min(text.len())
        } else {
            text.len().saturating_sub(count)
        };
        return plain(text.get(start..)?);
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let start = if sign == '+' {
        count.saturating_sub(1).min(lines.len())
    } else {
        lines.len().saturating_sub(count)
    };
    plain(lines.get(start..)?.concat())
}

pub(super) fn fold(input: &Input<'_>) -> Option<Produced> {
    let mut width = 80;
    for word in input.words {
        width = word.strip_prefix("-w").or(word.strip_prefix('-'))?.parse::<usize>().ok()?.max(1);
    }
    let text = input.filtered(&[])?;
    let mut lines = Vec::new();
    for line in text.lines() {
        let characters: Vec<char> = line.chars().collect();
        lines.extend(characters.chunks(width).map(|chunk| chunk.iter().collect::<String>()));
    }
    plain(lines_of(&lines))
}

pub(super) fn paste(input: &Input<'_>) -> Option<Produced> {
    let mut delimiter = "\t".to_owned();
    let mut serial = false;
    for word in input.words {
        match *word {
            "-" => {}
            "-s" => serial = true,
            other => {
                let rest = other.strip_prefix("-s").map(|rest| (true, rest)).unwrap_or((false, other));
                serial |= rest.0;
                let value = if rest.0 { rest.1.strip_prefix('d')? } else { rest.1.strip_prefix("-d")? };
                delimiter = value.trim_matches('\\').to_owned();
            }
        }
    }
    let text = input.filtered(&[])?;
    if !serial {
        return plain(text);
    }
    plain(text.lines().collect::<Vec<_>>().join(&delimiter) + "\n")
}

/// `sed`: substitutions of plain text, `Np`, `N,Mp`, `Nd`.
pub(super) fn sed(input: &Input<'_>) -> Option<Produced> {
    let mut quiet = false;
    let mut extended = false;
    let mut scripts: Vec<String> = Vec::new();
    let mut files = Vec::new();
    let mut words = input.words.iter();
    while let Some(word) = words.next() {
        match *word {
            "-n" | "--quiet" | "--silent" => quiet = true,
            "-E" | "-r" => extended = true,
            "-e" => scripts.push((*words.next()?).to_owned()),
            option if option.starts_with('-') && option.len() > 1 => return None,
            script if scripts.is_empty() => scripts.push(script.to_owned()),
            file => files.push(file),
        }
    }
    let text = input.filtered(&files)?;
    let commands: Vec<String> = scripts.iter().flat_map(|script| split_script(script)).collect();
    let mut out = String::new();
    let mut changed = false;
    for (index, line) in text.lines().enumerate() {
        let mut line = line.to_owned();
        let mut keep = !quiet;
        for command in &commands {
            match edit(command, index + 1, &line, extended)? {
                Edit::Line(new, hit) => {
                    changed |= hit;
                    line = new;
                }
                Edit::Print => {
                    out.push_str(&line);
                    out.push('\n');
                }
                Edit::Delete => keep = false,
                Edit::Nothing => {}
            }
        }
        if keep {
            out.push_str(&line);
            out.push('\n');
        }
        if out.len() > LIMIT {
            return None;
        }
    }
    Some((out, changed))
}

enum Edit {
    Line(String, bool),
    Print,
    Delete,
    Nothing,
}

fn split_script(script: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = script.trim();
    while !rest.is_empty() {
        let start = rest.find(|character: char| character.is_ascii_alphabetic()).unwrap_or(0);
        let end = if rest.get(start..).is_some_and(|command| command.starts_with(['s', 'y'])) {
            let delimiter = rest.get(start + 1..).and_then(|rest| rest.chars().next()).unwrap_or('/');
            let mut seen = 0;
            let mut escaped = false;
            let mut end = rest.len();
            for (at, character) in rest.char_indices().skip_while(|(at, _)| *at <= start) {
                if seen >= 3 && matches!(character, ';' | '\n') {
                    end = at;
                    break;
                }
                if escaped {
                    escaped = false;
                } else if character == '\\' {
                    escaped = true;
                } else if character == delimiter {
                    seen += 1;
                }
            }
            end
        } else {
            rest.find([';', '\n']).unwrap_or(rest.len())
        };
        out.push(rest.get(..end).unwrap_or_default().trim().to_owned());
        rest = rest.get(end + 1..).unwrap_or_default().trim_start();
    }
    out
}

fn edit(command: &str, number: usize, line: &str, extended: bool) -> Option<Edit> {
    let digits = command
        .find(|character: char| !character.is_ascii_digit() && !matches!(character, ',' | '$'))
        .unwrap_or(0);
    let (address, action) = command.split_at(digits);
    let applies = match address.split_once(',') {
        None if address.is_empty() => true,
        None => address.parse::<usize>().ok()? == number,
        Some((from, to)) => {
            let to = if to == "$" { usize::MAX } else { to.parse().ok()? };
            (from.parse().ok()?..=to).contains(&number)
        }
    };
    if !applies {
        return Some(Edit::Nothing);
    }
    match action {
        "p" => Some(Edit::Print),
        "d" => Some(Edit::Delete),
        "" => Some(Edit::Nothing),
        _ => substitute(action, line, extended).map(|(line, hit)| Edit::Line(line, hit)),
    }
}

/// `s/text/text/flags` with a pattern that is plain text, and `y/abc/xyz/`.
fn substitute(action: &str, line: &str, extended: bool) -> Option<(String, bool)> {
    let kind = action.chars().next()?;
    let rest = action.get(1..)?;
    let delimiter = rest.chars().next()?;
    let mut parts: Vec<String> = vec![String::new()];
    let mut characters = rest.chars().skip(1);
    while let Some(character) = characters.next() {
        if character == '\\' {
            let next = characters.next()?;
            if next != delimiter {
                parts.last_mut()?.push('\\');
            }
            parts.last_mut()?.push(next);
        } else if character == delimiter && parts.len() < 3 {
            parts.push(String::new());
        } else {
            parts.last_mut()?.push(character);
        }
    }
    let [from, to, flags] = parts.as_slice() else { return None };
    if kind == 'y' {
        let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
        let map = |character: char| {
            from.iter()
                .position(|&own| own == character)
                .and_then(|index| to.get(index))
                .copied()
                .unwrap_or(character)
        };
        let mapped: String = line.chars().map(map).collect();
        let hit = mapped != line;
        return Some((mapped, hit));
    }
    if kind != 's' || !matches!(flags.as_str(), "" | "g") {
        return None;
    }
    let to = literal(to, "&")?;
    if matches!(from.as_str(), "^" | "$") {
        let out = if from == "^" { format!("{to}{line}") } else { format!("{line}{to}") };
        return Some((out, true));
    }
    let (anchored_front, from) = from.strip_prefix('^').map_or((false, from.as_str()), |rest| (true, rest));
    let (anchored_back, from) = match from.strip_suffix('$') {
        Some(rest) if !rest.ends_with('\\') => (true, rest),
        _ => (false, from),
    };
    if from == "." && !anchored_front && !anchored_back {
        let out: String = match flags.as_str() {
            "g" => line.chars().map(|_| to.as_str()).collect(),
            _ => to.clone() + line.chars().as_str().get(line.chars().next().map_or(0, char::len_utf8)..)?,
        };
        return Some((out, true));
    }
    let magic = if extended { ".*[]+?(){}|" } else { ".*[]" };
    let from = literal(from, magic)?;
    if from.is_empty() {
        return None;
    }
    let hit = line.contains(&from);
    let out = match (anchored_front, anchored_back) {
        (true, true) => {
            if line == from {
                to
            } else {
                line.to_owned()
            }
        }
        (true, false) => {
            line.strip_prefix(&from).map_or_else(|| line.to_owned(), |rest| format!("{to}{rest}"))
        }
        (false, true) => {
            line.strip_suffix(&from).map_or_else(|| line.to_owned(), |rest| format!("{rest}{to}"))
        }
        (false, false) if flags == "g" => line.replace(&from, &to),
        (false, false) => line.replacen(&from, &to, 1),
    };
    Some((out, hit))
}

/// Text without pattern characters; `None` if it has any.
fn literal(text: &str, magic: &str) -> Option<String> {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\\' {
            let next = characters.next()?;
            match next {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                next if next.is_alphanumeric() => return None,
                next => out.push(next),
            }
        } else if magic.contains(character) {
            return None;
        } else {
            out.push(character);
        }
    }
    Some(out)
}
