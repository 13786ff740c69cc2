//! Words of a call that a rule picks: by place, by option, or behind another word; as far as their texts fit.
//!
//! Rules give them a role ([`give`]), name servers by them ([`contact`]) or packages ([`words`]).

use doorward_core::intent::Direction;
use doorward_knowledge::effect::{AnyOf, Pick};
use doorward_knowledge::row::Role;

use crate::deed::{Run, StdinRole, Word};

use super::call::Call;
use super::effects::fits;
use super::word;

/// Whether a word is meant, and what of it.
fn picked(pick: &Pick, word: &Word) -> Option<Word> {
    let text = word.text.as_str();
    let any = |patterns: &[&str]| patterns.iter().any(|pattern| fits(pattern, text));
    if !pick.fits.is_empty() && !any(&pick.fits) || any(&pick.except) {
        return None;
    }
    if pick.after.is_empty() {
        return Some(word.clone());
    }
    let marks = pick.after.iter().map(|mark| mark.replace(BLANK, " "));
    let found = marks.filter_map(|mark| Some((text.find(&mark)?, mark.len())));
    // Of two that begin at the same place, the longer one.
    let (at, length) = found.min_by_key(|(at, length)| (*at, usize::MAX - length))?;
    Some(word::slice(word, at + length, text.len()))
}

/// What stands for a blank in patterns, which blanks separate.
pub(crate) const BLANK: char = '␣';

/// Words at one place.
fn at(call: &Call<'_>, place: &str) -> Vec<Word> {
    if let Some(before) = place.strip_prefix('>') {
        return behind(call, before);
    }
    if let Some(option) = place.strip_suffix("://") {
        let words = if option.is_empty() { call.operands.clone() } else { call.values(option) };
        return words.into_iter().filter(|word| word.text.contains("://")).collect();
    }
    match place {
        "lock" => Vec::new(),
        "stdin" => call.stdin_names(),
        "last" => call.operands.last().cloned().into_iter().collect(),
        "--" => call.dashes_at.map(|at| call.operands_from(at)).unwrap_or_default(),
        option if option.starts_with('-') => call.values(option),
        place => match (place.strip_suffix("..").unwrap_or(place).parse(), place.ends_with("..")) {
            (Ok(from), true) => call.operands_from(from),
            (Ok(at), false) => call.operand(at).into_iter().collect(),
            (Err(_), _) => Vec::new(),
        },
    }
}

/// The words behind `name`, or attached to it if it is an option: with `=`, or to one of a single letter as it is.
fn behind(call: &Call<'_>, name: &str) -> Vec<Word> {
    let words = call.argv.words.get(1..).unwrap_or_default();
    let mut found: Vec<Word> = words
        .windows(2)
        .filter(|pair| is(pair.first(), name))
        .filter_map(|pair| pair.last().cloned())
        .collect();
    if name.starts_with('-') {
        let rests = words.iter().filter_map(|own| word::after(own, name));
        found.extend(rests.filter_map(|rest| match word::after(&rest, "=") {
            Some(value) => Some(value),
            // `-oNAME`.
            None => (name.len() == 2 && !rest.text.is_empty()).then_some(rest),
        }));
    }
    found
}

fn is(word: Option<&Word>, text: &str) -> bool {
    word.is_some_and(|word| word.text == text)
}

/// All words that are meant.
pub(super) fn words(call: &Call<'_>, pick: &Pick) -> Vec<Word> {
    pick.at.iter().flat_map(|place| at(call, place)).filter_map(|word| picked(pick, &word)).collect()
}

/// Those of the first place where one stands.
fn first_words(call: &Call<'_>, pick: &Pick) -> Vec<Word> {
    let places = pick.at.iter().map(|place| at(call, place));
    let mut found =
        places.map(|words| words.iter().filter_map(|word| picked(pick, word)).collect::<Vec<_>>());
    found.find(|words| !words.is_empty()).unwrap_or_default()
}

/// The words have this role, without these letters at their front and back.
pub(super) fn give(call: &mut Call<'_>, pick: &Pick, role: Role, [front, back]: [&str; 2]) {
    for word in words(call, pick) {
        let text = word.text.as_str();
        let from = text.len() - text.trim_start_matches(|letter| front.contains(letter)).len();
        let to = text.trim_end_matches(|letter| back.contains(letter)).len();
        apply(call, role, &word::slice(&word, from, to.max(from)));
    }
}

/// Whether one of these options was given, or `always` is said.
pub(super) fn holds(call: &Call<'_>, options: AnyOf) -> bool {
    options.contains(&"always") || call.any(&options)
}

/// A role that a rule gives. The rules of a program and those of its command may both say that a word is run.
fn apply(call: &mut Call<'_>, role: Role, word: &Word) {
    if role == Role::Choose {
        return call.choose(word.text.clone());
    }
    let runs = matches!(role, Role::Shell | Role::Program | Role::Lang(_) | Role::File(_) | Role::Config);
    let said = |run: &Run| match run {
        Run::Shell { text, .. } | Run::Language { text, .. } => text == word,
        Run::File { path, .. } => path == word,
        Run::Argv { words, .. } => words.first() == Some(word),
        Run::Judged { .. } | Run::Stdin { .. } => false,
    };
    if !(runs && call.deeds.runs.iter().any(said)) {
        call.apply(role, word);
    }
}

/// Values of an option that are settings, `key=value` or `key value`, with commas or blanks between them: those of
/// these keys have a role. With `alone` a value that holds no setting has it, too.
pub(super) fn part(call: &mut Call<'_>, option: &str, keys: AnyOf, role: Role, alone: bool) {
    for value in call.values(option) {
        if alone && !value.text.contains('=') {
            apply(call, role, &value);
            continue;
        }
        let fields: Vec<Word> =
            word::fields(&value).iter().flat_map(|field| word::split(field, ',')).collect();
        let settings: Vec<Word> = fields
            .iter()
            .flat_map(|field| match word::halves(field, '=') {
                Some((key, value)) => vec![key, value],
                None => vec![field.clone()],
            })
            .collect();
        for pair in settings.windows(2) {
            if let [key, value] = pair
                && keys.contains(&key.text.as_str())
            {
                apply(call, role, value);
            }
        }
    }
}

/// The server that the words name, else the usual one (`…` if that isn't known). `port` names words in the same way.
pub(super) fn contact(
    call: &mut Call<'_>,
    pick: &Pick,
    scheme: &str,
    direction: Direction,
    port: AnyOf,
    otherwise: &str,
) {
    let before = call.deeds.hosts.len();
    let hosts = first_words(call, pick);
    // A path is a socket of this machine.
    for host in hosts.iter().filter(|host| !host.text.starts_with('/')) {
        // `http :8000/x`: a port of this machine.
        let here = host.text.starts_with(':').then(|| word::instead(host, format!("localhost{}", host.text)));
        call.contact(here.as_ref().unwrap_or(host), scheme, direction, Vec::new());
    }
    if hosts.is_empty() {
        match otherwise {
            "" => {}
            "…" => call.contact_unknown(scheme, direction),
            host => call.contact_named(host, scheme, direction),
        }
    }
    let port = self::port(call, port);
    if let (Some(port), true) = (port, call.deeds.hosts.len() > before)
        && let Some(host) = call.deeds.hosts.last_mut()
    {
        host.port = Some(port);
    }
}

/// A port by the words that name it, or by its number.
pub(super) fn port(call: &Call<'_>, places: AnyOf) -> Option<u16> {
    let named = places.iter().flat_map(|place| at(call, place)).find_map(|port| port.text.parse().ok());
    named.or_else(|| places.iter().find_map(|place| place.parse().ok().filter(|port| *port > 9)))
}

/// What stands on standard input goes to these hosts.
pub(super) fn sends_stdin(call: &mut Call<'_>, first_host: usize) {
    call.deeds.hosts.iter_mut().skip(first_host).for_each(|host| host.body_from.push("-".to_owned()));
    call.deeds.stdin = StdinRole::Sent;
}

/// Where a command begins among the operands.
pub(super) fn command(call: &Call<'_>) -> usize {
    let last = call.operands.len().saturating_sub(1);
    let known = |word: &Word| word.text == "--" || super::is_known(&word.text);
    let at = call.operands.iter().position(known).unwrap_or(last);
    at + usize::from(call.operands.get(at).is_some_and(|word| word.text == "--"))
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns_fit_words() {
        for (pattern, word, expected) in [
            ("a*c", "abc", true),
            ("a*c", "ab", false),
            ("*.js", "x.js", true),
            ("*␣*", "a b", true),
            ("*␣*", "ab", false),
            ("#", "12", true),
            ("#", "10.0.0.1", false),
            ("~select*", "SELECT 1", true),
            ("~*", "x", false),
            ("~*", "~x", true),
            ("~/x*", "~/xy", true),
            ("~/x*", "/xy", false),
        ] {
            assert_eq!(fits(pattern, word), expected, "{pattern} {word}");
        }
    }
}
