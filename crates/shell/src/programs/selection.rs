//! Which words an effect of a spec is about, and which part of each: `only`, `unless`, `after` and kin. Also the
//! patterns of conditions.

use crate::deed::Word;

use super::call::Call;
use super::effects::{AFTER_DASHES, AnyOf};
use super::row::Role;
use super::word;

/// Which words, and which part of each.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    /// Only those that fit one of these patterns, unless there is none.
    pub(crate) only: AnyOf,
    /// None that fits one of these.
    pub(crate) unless: AnyOf,
    /// Only operands right behind one of these, for programs whose words are taken as they are.
    pub(crate) behind: AnyOf,
    /// What stands behind one of these marks, with which the word begins.
    pub(crate) after: AnyOf,
    /// Letters left out at the front and at the back of that.
    pub(crate) strip: (&'static str, &'static str),
    /// Options with which a delete is recursive, and forced; `always`.
    pub(crate) recursive: AnyOf,
    pub(crate) force: AnyOf,
}

impl Choice {
    /// Every word, as it is.
    pub(crate) const ALL: Self =
        Self { only: &[], unless: &[], behind: &[], after: &[], strip: ("", ""), recursive: &[], force: &[] };

    fn takes(&self, word: &Word) -> bool {
        (self.only.is_empty() || fits_any(self.only, &word.text)) && !fits_any(self.unless, &word.text)
    }

    /// The parts of a word that are meant: itself, or what stands behind each mark.
    fn parts(&self, word: &Word) -> Vec<Word> {
        if self.after.is_empty() {
            return vec![word.clone()];
        }
        let ends = self.after.iter().filter_map(|mark| end_of(mark, &word.text));
        ends.map(|at| {
            let rest = word.text.get(at..).unwrap_or_default();
            let (front, back) = self.strip;
            let from = rest.len() - rest.trim_start_matches(|letter| front.contains(letter)).len();
            let to = rest.trim_end_matches(|letter| back.contains(letter)).len();
            word::slice(word, at + from, (at + to).max(at + from))
        })
        .collect()
    }

    fn parts_of(&self, words: Vec<Word>) -> Vec<Word> {
        words.iter().filter(|word| self.takes(word)).flat_map(|word| self.parts(word)).collect()
    }
}

/// The operands that are meant: those that were chosen are counted from the first operand on.
pub(crate) fn operands(call: &Call<'_>, from: usize, to_end: bool, choice: &Choice) -> Vec<Word> {
    let behind = from == AFTER_DASHES;
    let start = if behind { call.dashes_at.unwrap_or(from) } else { 0 };
    let mut words = call.operands_from(start);
    if !choice.behind.is_empty() {
        let pairs = words.iter().zip(words.iter().skip(1));
        words = pairs
            .filter(|(before, _)| choice.behind.contains(&before.text.as_str()))
            .map(|(_, word)| word.clone())
            .collect();
    }
    let mut words = choice.parts_of(words);
    let from = if behind { 0 } else { from.min(words.len()) };
    let mut words = words.split_off(from);
    words.truncate(if to_end { usize::MAX } else { 1 });
    words
}

/// Gives words their role.
pub(crate) fn apply(call: &mut Call<'_>, role: Role, words: &[Word], choice: &Choice) {
    let (recursive, force) = (holds(call, choice.recursive), holds(call, choice.force));
    for word in words {
        if role == Role::Delete && (recursive || force) {
            call.delete(word, recursive, force);
        } else {
            call.apply(role, word);
        }
    }
}

/// The values of an option that are meant.
pub(crate) fn values(call: &Call<'_>, option: &str, choice: &Choice) -> Vec<Word> {
    choice.parts_of(call.values(option))
}

/// Whether one of these options was given, or `always` is said.
pub(crate) fn holds(call: &Call<'_>, options: AnyOf) -> bool {
    options.contains(&"always") || call.any(options)
}

/// Whether a value is one of these texts.
pub(crate) fn fits_any(texts: &[&str], value: &str) -> bool {
    texts.iter().any(|text| fits(text, value))
}

/// Whether a value is this text, in which `*` stands for any characters, and `#` for a whole number.
pub(crate) fn fits(text: &str, value: &str) -> bool {
    if !text.contains(['*', '#']) {
        return value == text;
    }
    let (mut pattern, mut rest) = (text, value);
    // Behind the last `*`, and where in the value that was tried.
    let mut again: Option<(&str, &str)> = None;
    loop {
        let step = match pattern.chars().next() {
            None => rest.is_empty().then_some(("", "")),
            Some('*') => {
                pattern = pattern.get(1..).unwrap_or_default();
                if pattern.is_empty() {
                    return true;
                }
                again = Some((pattern, rest));
                continue;
            }
            Some('#') => {
                let behind = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
                (behind.len() < rest.len()).then(|| (pattern.get(1..).unwrap_or_default(), behind))
            }
            Some(letter) => rest
                .strip_prefix(letter)
                .map(|rest| (pattern.get(letter.len_utf8()..).unwrap_or_default(), rest)),
        };
        match (step, again) {
            (Some(("", "")), _) => return true,
            (Some((more, behind)), _) if !more.is_empty() => (pattern, rest) = (more, behind),
            (_, None) => return false,
            (_, Some((behind, tried))) => {
                let mut letters = tried.chars();
                if letters.next().is_none() {
                    return false;
                }
                again = Some((behind, letters.as_str()));
                (pattern, rest) = (behind, letters.as_str());
            }
        }
    }
}

/// Where this mark ends, if the text begins with it; `*` stands for any characters, as few as will do.
fn end_of(mark: &str, text: &str) -> Option<usize> {
    let mut parts = mark.split('*');
    let first = parts.next().filter(|first| text.starts_with(first))?;
    parts.try_fold(first.len(), |at, part| Some(at + text.get(at..)?.find(part)? + part.len()))
}

#[cfg(test)]
mod tests {
    use super::{end_of, fits};

    #[test]
    fn patterns_fit_any_characters_and_numbers() {
        for (pattern, value, fit) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("*", "", true),
            ("a*", "a", true),
            ("*a", "ba", true),
            ("*ab", "aab", true),
            ("*a*b", "xaxbxb", true),
            ("a*b*c", "abxc", true),
            ("a*b*c", "acb", false),
            ("#", "12", true),
            ("#", "", false),
            ("#", "1a", false),
            ("l/#/#", "l/1/20", true),
            ("*#", "a12", true),
            ("*ä*", "xäx", true),
            ("", "", true),
        ] {
            assert_eq!(fits(pattern, value), fit, "{pattern} {value}");
        }
        // No pattern takes long.
        assert!(!fits(&"*a".repeat(40), &"ab".repeat(4_000)));
        assert!(!fits(&"*#".repeat(40), &"b1".repeat(10)));
    }

    #[test]
    fn marks_end_where_the_rest_begins() {
        for (mark, text, end) in [
            ("of=", "of=x", Some(3)),
            ("of=", "if=of=x", None),
            ("*:", "\"\\C-t\":ls", Some(7)),
            ("Exec*=", "ExecStart=/bin/x=y", Some(10)),
            ("+*!", "+G!ls", Some(3)),
        ] {
            assert_eq!(end_of(mark, text), end, "{mark} {text}");
        }
    }
}
