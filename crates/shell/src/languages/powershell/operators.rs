//! Operators, casts, indices and the methods of texts (about_Operators, System.String).

use super::eval::Runner;
use super::value::{Data, HOLE, Value, both};

impl Runner<'_> {
    pub(super) fn added(&mut self, left: &Value, right: &Value) -> Value {
        let marks = both(&left.marks, &right.marks);
        match (&left.data, &right.data) {
            (Data::Null, _) => right.clone(),
            (Data::List(items), _) => {
                let mut items = items.to_vec();
                items.extend(right.items());
                items.truncate(4_096);
                Value::list(items).with(&marks)
            }
            _ => {
                if let (Some(left), Some(right)) = (left.number(), right.number()) {
                    // Numbers, or digits of a text: both are assembled the same way where it matters.
                    return Value::text(left.saturating_add(right).to_string()).with(&marks);
                }
                let value = Value::text(left.shown() + &right.shown()).with(&marks);
                let shown = value.shown();
                // A path below a known folder, a message.
                let plain = right.shown().starts_with(['/', '\\', ' '])
                    || shown.contains(' ')
                    || shown.contains("://");
                if plain { value } else { value.assembled() }
            }
        }
    }

    pub(super) fn unary(&mut self, operator: &str, value: &Value) -> Value {
        match operator {
            "join" => joined(value, ""),
            "split" | "csplit" | "isplit" => {
                Value::list(value.shown().split_whitespace().map(Value::text).collect()).with(&value.marks)
            }
            "-" => value.number().map_or_else(Value::unknown, |number| Value::text((-number).to_string())),
            _ => Value::unknown(),
        }
    }

    pub(super) fn binary(&mut self, operator: &str, left: &Value, right: &Value) -> Value {
        let marks = both(&left.marks, &right.marks);
        match operator {
            "+" => self.added(left, right),
            "-" | "/" | "%" | "band" | "bor" | "bxor" | "shl" | "shr" => {
                arithmetic(operator, left, right).with(&marks)
            }
            "*" => match (right.number(), left.known()) {
                (Some(count), Some(text)) if left.number().is_none() => {
                    let count = usize::try_from(count).unwrap_or_default();
                    if text.len().saturating_mul(count) > (64 << 10) {
                        return Value::unknown();
                    }
                    Value::text(text.repeat(count)).with(&marks)
                }
                (Some(count), Some(_)) => {
                    Value::text(left.number().unwrap_or_default().saturating_mul(count).to_string())
                }
                _ => Value::unknown().with(&marks),
            },
            "f" => formatted(left, right).with(&marks).assembled(),
            "join" => joined(left, &right.shown()),
            "split" => split(left, &right.items().first().map(Value::shown).unwrap_or_default()),
            "replace" => {
                let mut parts = right.items().into_iter();
                let from = parts.next().map(|part| part.shown()).unwrap_or_default();
                let to = parts.next().map(|part| part.shown()).unwrap_or_default();
                replaced(left, &from, &to).with(&marks).assembled()
            }
            ".." => match (left.number(), right.number()) {
                (Some(from), Some(to)) if (to - from).abs() <= 4_096 => {
                    let step = if to >= from { 1 } else { -1 };
                    let count = (to - from).abs();
                    Value::list((0..=count).map(|at| Value::text((from + at * step).to_string())).collect())
                }
                _ => Value::unknown(),
            },
            "as" => left.clone(),
            "??" => {
                if matches!(left.data, Data::Null) {
                    right.clone()
                } else {
                    Value::unknown().with(&marks)
                }
            }
            "?:" => Value::unknown().with(&marks),
            // Comparisons of lists pick items.
            _ => match &left.data {
                Data::List(_) | Data::Files(_) => left.clone(),
                _ => Value::unknown(),
            },
        }
    }

    pub(super) fn cast(&mut self, name: &str, value: Value) -> Value {
        let class = super::cmdlets::full_type(name);
        match class.as_str() {
            "system.char" => {
                let letter =
                    value.number().and_then(|number| u32::try_from(number).ok()).and_then(char::from_u32);
                match (letter, value.known()) {
                    (Some(letter), _) => Value::text(letter.to_string()).with(&value.marks).assembled(),
                    (None, Some(text)) => Value::text(text).with(&value.marks),
                    _ => Value::unknown().with(&value.marks).assembled(),
                }
            }
            "system.char[]" => match (&value.data, value.known()) {
                (Data::List(_), _) => {
                    let letters = value.items().into_iter().map(|item| self.cast("char", item)).collect();
                    Value::list(letters).with(&value.marks)
                }
                (_, Some(text)) => Value::list(
                    text.chars().take(8_192).map(|letter| Value::text(letter.to_string())).collect(),
                )
                .with(&value.marks)
                .assembled(),
                _ => value.assembled(),
            },
            "system.int32" | "system.int64" | "system.byte" | "system.uint32" => match value.known() {
                // The number of a letter that was cast.
                Some(text) if value.number().is_none() && text.chars().count() == 1 => {
                    let letter = text.chars().next().map_or(0, u32::from);
                    Value::text(letter.to_string()).with(&value.marks)
                }
                _ => value,
            },
            "system.void" => Value::null(),
            "system.management.automation.scriptblock" => Value::object("scriptblock", Some(value)),
            "system.xml.xmldocument" => Value::unknown().with(&value.marks),
            "system.diagnostics.process" | "system.net.webclient" => Value::object(class, Some(value)),
            "system.management.managementclass" | "wmiclass" => Value::object("wmi", Some(value)),
            "adsi" | "system.directoryservices.directoryentry" => {
                self.harmless = false;
                Value::unknown()
            }
            "system.type" | "type" => {
                let name = value.shown();
                Value::object(format!("type:{}", super::cmdlets::full_type(&name)), None).with(&value.marks)
            }
            _ => value,
        }
    }

    pub(super) fn index(&mut self, value: &Value, index: &Value) -> Value {
        let marks = &value.marks;
        match &value.data {
            Data::Map(pairs) => {
                let key = index.shown().to_ascii_lowercase();
                pairs
                    .iter()
                    .find(|(own, _)| *own == key)
                    .map_or_else(Value::unknown, |(_, value)| value.clone())
            }
            Data::List(_) => {
                let items = value.items();
                let picked = picked(index, items.len(), |at| items.get(at).cloned());
                picked.unwrap_or_else(Value::unknown).with(marks)
            }
            Data::Text(text) if !text.contains(HOLE) => {
                let letters: Vec<char> = text.chars().collect();
                let letter = |at: usize| letters.get(at).map(|letter| Value::text(letter.to_string()));
                picked(index, letters.len(), letter).unwrap_or_else(Value::unknown).with(marks).assembled()
            }
            Data::Files(_) => value.clone(),
            _ => Value::unknown().with(marks),
        }
    }

    /// A method of a text, if it is one and all that it needs is known.
    pub(super) fn text_method(&mut self, value: &Value, method: &str, args: &[Value]) -> Option<Value> {
        let shown = value.shown();
        let arg = |at: usize| args.get(at).map(Value::shown);
        let number =
            |at: usize| args.get(at).and_then(Value::number).and_then(|number| usize::try_from(number).ok());
        let letters = || shown.chars().collect::<Vec<char>>();
        let result = match method {
            "replace" => shown.replace(&arg(0).filter(|from| !from.is_empty())?, &arg(1).unwrap_or_default()),
            "substring" => {
                let (from, length) = (number(0)?, number(1).unwrap_or(usize::MAX));
                letters().iter().skip(from).take(length).collect()
            }
            "tolower" | "tolowerinvariant" => {
                return Some(Value::text(shown.to_lowercase()).with(&value.marks));
            }
            "toupper" | "toupperinvariant" => {
                return Some(Value::text(shown.to_uppercase()).with(&value.marks));
            }
            "trim" => shown.trim_matches(|letter: char| trims(args, letter)).to_owned(),
            "trimstart" => shown.trim_start_matches(|letter: char| trims(args, letter)).to_owned(),
            "trimend" => shown.trim_end_matches(|letter: char| trims(args, letter)).to_owned(),
            "insert" => {
                let mut letters = letters();
                let at = number(0)?.min(letters.len());
                letters.splice(at..at, arg(1)?.chars());
                letters.into_iter().collect()
            }
            "remove" => {
                let letters = letters();
                let from = number(0)?.min(letters.len());
                let until = number(1).map_or(letters.len(), |count| (from + count).min(letters.len()));
                letters.iter().take(from).chain(letters.iter().skip(until)).collect()
            }
            "tostring" | "normalize" | "clone" if args.is_empty() => return Some(value.clone()),
            "tochararray" => {
                let letters =
                    letters().into_iter().take(8_192).map(|letter| Value::text(letter.to_string())).collect();
                return Some(Value::list(letters).with(&value.marks).assembled());
            }
            "split" => {
                let separators: Vec<char> =
                    args.iter().flat_map(|arg| arg.shown().chars().collect::<Vec<_>>()).collect();
                let parts = shown.split(|letter: char| {
                    separators.contains(&letter) || separators.is_empty() && letter.is_whitespace()
                });
                return Some(
                    Value::list(parts.take(4_096).map(Value::text).collect()).with(&value.marks).assembled(),
                );
            }
            "concat" => args.iter().map(Value::shown).collect(),
            _ => return None,
        };
        let marks = args.iter().fold(value.marks.clone(), |marks, arg| both(&marks, &arg.marks));
        Some(Value::text(result).with(&marks).assembled())
    }
}

/// The value of an operator between two numbers.
fn arithmetic(operator: &str, left: &Value, right: &Value) -> Value {
    let (Some(one), Some(other)) = (left.number(), right.number()) else { return Value::unknown() };
    let places = u32::try_from(other).ok();
    let result = match operator {
        "-" => one.checked_sub(other),
        "/" => one.checked_div(other),
        "%" => one.checked_rem(other),
        "band" => Some(one & other),
        "bor" => Some(one | other),
        "bxor" => Some(one ^ other),
        "shl" => places.and_then(|places| one.checked_shl(places)),
        _ => places.and_then(|places| one.checked_shr(places)),
    };
    let value = result.map_or_else(Value::unknown, |result| Value::text(result.to_string()));
    if operator == "bxor" { value.marked(|marks| marks.decoded = true) } else { value }
}

fn split(value: &Value, separator: &str) -> Value {
    match value.known() {
        Some(text) if !separator.is_empty() => {
            let parts = pattern_split(&text, separator).into_iter().take(4_096).map(Value::text);
            Value::list(parts.collect()).with(&value.marks).assembled()
        }
        _ => Value::unknown().with(&value.marks),
    }
}

fn trims(args: &[Value], letter: char) -> bool {
    if args.is_empty() { letter.is_whitespace() } else { args.iter().any(|arg| arg.shown().contains(letter)) }
}

pub(super) fn joined(value: &Value, separator: &str) -> Value {
    let parts: Vec<String> = value.items().iter().map(Value::shown).collect();
    Value::text(parts.join(separator)).with(&value.marks).assembled()
}

/// One item, or those of a list of indices; a negative one counts from the end.
fn picked(index: &Value, count: usize, item: impl Fn(usize) -> Option<Value>) -> Option<Value> {
    let at = |index: &Value| {
        let number = index.number()?;
        let count = i64::try_from(count).ok()?;
        usize::try_from(if number < 0 { count + number } else { number }).ok()
    };
    match &index.data {
        Data::List(_) => {
            let items: Option<Vec<Value>> = index
                .items()
                .iter()
                .map(|index| at(index).map(|at| item(at).unwrap_or_else(Value::null)))
                .collect();
            items.map(Value::list)
        }
        _ => item(at(index)?),
    }
}

/// `'{1}{0}' -f 'a', 'b'`.
fn formatted(format: &Value, values: &Value) -> Value {
    let values = values.items();
    let shown = format.shown();
    let mut out = String::new();
    let mut rest = shown.as_str();
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at..).unwrap_or_default();
        if rest.starts_with("{{") || rest.starts_with("}}") {
            out.extend(rest.chars().next());
            rest = rest.get(2..).unwrap_or_default();
            continue;
        }
        let end = rest.find('}').unwrap_or(rest.len());
        let inside = rest.get(1..end).unwrap_or_default();
        let number = inside.split([',', ':']).next().unwrap_or_default();
        match number.trim().parse::<usize>().ok().and_then(|number| values.get(number)) {
            Some(value) => out.push_str(&value.shown()),
            None => out.push(HOLE),
        }
        rest = rest.get((end + 1).min(rest.len())..).unwrap_or_default();
        if out.len() > (64 << 10) {
            break;
        }
    }
    out.push_str(rest);
    Value::text(out)
}

/// A pattern as plain text, if it is one but for escapes.
fn plain_pattern(pattern: &str) -> Option<String> {
    let mut plain = String::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.push(letters.next().filter(|letter| !letter.is_alphanumeric())?),
            '.' | '*' | '+' | '?' | '[' | '(' | '{' | '^' | '$' | '|' => return None,
            letter => plain.push(letter),
        }
    }
    Some(plain)
}

fn replaced(value: &Value, from: &str, to: &str) -> Value {
    let shown = value.shown();
    if from.is_empty() || to.contains('$') {
        return Value::unknown();
    }
    // A class of single letters, as in `-replace '[xyz]', ''`.
    let letters = from
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .filter(|inside| !inside.contains(['-', '\\', '^', '[']));
    if let Some(letters) = letters {
        let kept = shown
            .chars()
            .map(|letter| if letters.contains(letter) { to.to_owned() } else { letter.to_string() });
        return Value::text(kept.collect::<String>());
    }
    match plain_pattern(from) {
        Some(from) => {
            // Without regard to case.
            let (lower, from) = (shown.to_ascii_lowercase(), from.to_ascii_lowercase());
            let mut out = String::new();
            let mut last = 0;
            for (at, part) in lower.match_indices(&from) {
                out.push_str(shown.get(last..at).unwrap_or_default());
                out.push_str(to);
                last = at + part.len();
            }
            out.push_str(shown.get(last..).unwrap_or_default());
            Value::text(out)
        }
        None => Value::unknown(),
    }
}

fn pattern_split(text: &str, separator: &str) -> Vec<String> {
    let letters = separator
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .filter(|inside| !inside.contains(['-', '\\', '^', '[']));
    if let Some(letters) = letters {
        return text.split(|letter: char| letters.contains(letter)).map(str::to_owned).collect();
    }
    if matches!(separator, "\\s+" | "\\s" | " +") {
        return text.split_whitespace().map(str::to_owned).collect();
    }
    if let Some(several) =
        separator.split('|').map(plain_pattern).collect::<Option<Vec<_>>>().filter(|all| all.len() > 1)
    {
        let mut parts = vec![text.to_owned()];
        for own in several.iter().filter(|own| !own.is_empty()).take(8) {
            parts = parts
                .iter()
                .flat_map(|part| part.split(own.as_str()).map(str::to_owned).collect::<Vec<_>>())
                .collect();
        }
        return parts;
    }
    match plain_pattern(separator) {
        Some(separator) => text.split(separator.as_str()).map(str::to_owned).collect(),
        None => vec![HOLE.to_string()],
    }
}
