//! Words that the tables took from a command, with what the interpreter knows of them.
//!
//! A wrapper hands on the last of its words: they are a part of the list that it was given, so that a chain of
//! wrappers holds its words once.

use std::borrow::Cow;

use crate::deed::Word;
use crate::machine::Machine;
use crate::value::{Arg, Value, follow_both};

impl Machine<'_> {
    /// A word of this text with its trail, for a word that the tables took from the command.
    pub(crate) fn adopt(&self, word: Word, args: &[Arg]) -> Arg {
        let same = args.iter().find(|arg| arg.word.span == word.span && arg.word.text == word.text);
        if let Some(arg) = same {
            return Arg { word, ..arg.clone() };
        }
        let part = args.iter().find(|arg| arg.word.span == word.span && arg.trail.is_some());
        let trail = part.and_then(|arg| arg.trail.clone());
        Arg { trail, ..Arg::from_word(word) }
    }

    /// Words that the tables took from the command, which mostly are its last: each is looked for there first, and
    /// behind the one before it.
    pub(crate) fn adopt_all(&self, words: Vec<Word>, args: &[Arg]) -> Vec<Arg> {
        let mut next = args.len().saturating_sub(words.len());
        let mut adopted = Vec::with_capacity(words.len());
        for word in words {
            let is_same = |arg: &Arg| arg.word.span == word.span && arg.word.text == word.text;
            let at = match args.get(next).is_some_and(is_same) {
                true => Some(next),
                false => args.iter().position(is_same),
            };
            next = at.map_or(next, |at| at + 1);
            adopted.push(match at.and_then(|at| args.get(at)) {
                Some(arg) => Arg { word, ..arg.clone() },
                None => self.adopt(word, args),
            });
        }
        adopted
    }

    /// The same without a copy, where the words are exactly the command's last.
    pub(crate) fn shared<'a>(&self, words: Vec<Word>, args: &'a [Arg]) -> Cow<'a, [Arg]> {
        let last = args.get(args.len().saturating_sub(words.len())..).unwrap_or_default();
        let are_last =
            last.len() == words.len() && last.iter().zip(&words).all(|(arg, word)| arg.word == *word);
        if are_last { Cow::Borrowed(last) } else { Cow::Owned(self.adopt_all(words, args)) }
    }

    /// A value for text that the tables made of several words.
    pub(crate) fn adopt_text(&self, word: &Word, args: &[Arg]) -> Value {
        let same = args.iter().find(|arg| arg.word.text == word.text && arg.word.span == word.span);
        if let Some(arg) = same {
            return arg.value();
        }
        let trail = args.iter().skip(1).fold(None, |trail, arg| follow_both(&trail, &arg.trail));
        Value { trail, ..Arg::from_word(word.clone()).value() }
    }
}
