//! Parts and joins of words, spans kept.

use doorward_core::intent::{Form, Span};

use crate::deed::Word;

/// Bytes `from..to` of a word; the span is cut too where the word is written as it reads.
pub(crate) fn slice(word: &Word, from: usize, to: usize) -> Word {
    let text = word.text.get(from..to).unwrap_or_default().to_owned();
    let length = usize::try_from(word.span.end.saturating_sub(word.span.start)).unwrap_or_default();
    let span = if length == word.text.len() {
        let start = usize::try_from(word.span.start).unwrap_or_default();
        Span::new(start + from, start + to)
    } else {
        word.span
    };
    let form = match word.form {
        Form::Unknown if !text.contains('…') => Form::Literal,
        Form::Glob if !text.contains(['*', '?', '[']) => Form::Literal,
        form => form,
    };
    Word { may_split: word.may_split && form == Form::Unknown, text, form, span, ..word.clone() }
}

/// What stands after `prefix`, if the word starts with it.
pub(crate) fn after(word: &Word, prefix: &str) -> Option<Word> {
    word.text.starts_with(prefix).then(|| slice(word, prefix.len(), word.text.len()))
}

/// Both sides of the first `separator`.
pub(crate) fn halves(word: &Word, separator: char) -> Option<(Word, Word)> {
    let at = word.text.find(separator)?;
    Some((slice(word, 0, at), slice(word, at + separator.len_utf8(), word.text.len())))
}

/// The parts between separators.
pub(crate) fn split(word: &Word, separator: char) -> Vec<Word> {
    let mut start = 0;
    let mut parts = Vec::new();
    for (at, _) in word.text.match_indices(separator) {
        parts.push(slice(word, start, at));
        start = at + separator.len_utf8();
    }
    parts.push(slice(word, start, word.text.len()));
    parts
}

/// White-space separated parts, as a program does that splits a command without quoting.
pub(crate) fn fields(word: &Word) -> Vec<Word> {
    split(word, ' ').into_iter().filter(|part| !part.text.trim().is_empty()).collect()
}

/// Words joined by a space, as `eval` and `ssh` do.
pub(crate) fn join(words: &[Word]) -> Option<Word> {
    let (first, rest) = words.split_first()?;
    let mut joined = first.clone();
    for word in rest {
        joined.text.push(' ');
        joined.text.push_str(&word.text);
        joined.span = joined.span.cover(word.span);
        joined.assembled |= word.assembled;
        if word.form == Form::Unknown {
            joined.form = Form::Unknown;
        }
    }
    if joined.form == Form::Glob {
        joined.form = Form::Literal;
    }
    joined.may_split = false;
    Some(joined)
}

/// Another text at the same place.
pub(crate) fn instead(word: &Word, text: impl Into<String>) -> Word {
    Word { text: text.into(), ..word.clone() }
}
