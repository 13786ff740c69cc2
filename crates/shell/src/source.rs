//! A text being read, and how its bytes map onto the text the caller gave.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use brush_parser::{ParserOptions, SourceSpan, ast};
use doorward_core::intent::Span;

use crate::account;

/// One layer of shell text.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) text: String,
    /// Offset of this text in the original, where it stands there letter by letter; else everything points
    /// at `whole`.
    base: Option<usize>,
    whole: Span,
    /// Byte offset of each character; empty for ASCII, where they are the same.
    characters: Vec<u32>,
    /// The simple commands of the text that the walk hasn't met yet, by the character they start at.
    unmet: RefCell<BTreeSet<usize>>,
    /// Where the command words stand that the walk met.
    pub(crate) words: RefCell<BTreeSet<usize>>,
}

impl Source {
    pub(crate) fn new(text: String, base: Option<usize>, whole: Span) -> Rc<Self> {
        let characters = if text.is_ascii() {
            Vec::new()
        } else {
            text.char_indices().map(|(at, _)| u32::try_from(at).unwrap_or(u32::MAX)).collect()
        };
        let (unmet, words) = Default::default();
        Rc::new(Self { text, base, whole, characters, unmet, words })
    }

    /// Says which simple commands the walk has to meet.
    pub(crate) fn expect(&self, places: BTreeSet<usize>) {
        *self.unmet.borrow_mut() = places;
    }

    /// The walk meets a simple command.
    pub(crate) fn met(&self, command: &ast::SimpleCommand) {
        if let Some(place) = account::place(command) {
            self.unmet.borrow_mut().remove(&place);
        }
        if let Some(at) = command.word_or_name.as_ref().and_then(|word| self.word(word).at) {
            self.words.borrow_mut().insert(at);
        }
    }

    /// A simple command that the walk never met.
    pub(crate) fn missed(&self) -> Option<Span> {
        let first = self.unmet.borrow().first().copied()?;
        let at = self.byte(first);
        Some(self.span(at, at))
    }

    /// The span of the original that bytes `start..end` of this text stand for.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        match self.base {
            Some(base) => Span::new(base + start, base + end.min(self.text.len())),
            None => self.whole,
        }
    }

    /// Where byte `at` of this text stands in the original, if it stands there.
    pub(crate) fn origin(&self, at: usize) -> Option<usize> {
        self.base.map(|base| base + at)
    }

    fn byte(&self, character: usize) -> usize {
        if self.characters.is_empty() {
            character.min(self.text.len())
        } else {
            self.characters.get(character).map_or(self.text.len(), |&at| at as usize)
        }
    }

    /// What stands between two places of the original, if this text stands there.
    pub(crate) fn gap(&self, original: std::ops::Range<usize>) -> Option<&str> {
        let base = self.base?;
        self.text.get(original.start.checked_sub(base)?..original.end.checked_sub(base)?)
    }

    /// Byte range of a parsed thing.
    pub(crate) fn range(&self, loc: &SourceSpan) -> (usize, usize) {
        (self.byte(loc.start.index), self.byte(loc.end.index))
    }

    /// A parsed word letter by letter as it is written, line continuations and all.
    pub(crate) fn written<'a>(&'a self, word: &'a ast::Word) -> Raw<'a> {
        let range = word.loc.as_ref().map(|loc| self.range(loc));
        match range.and_then(|(start, end)| Some((start, end, self.text.get(start..end)?))) {
            Some((start, end, text)) => Raw { text, at: Some(start), span: self.span(start, end) },
            None => self.word(word),
        }
    }

    /// A parsed word as text to expand, with the offset of its first byte where it stands here unchanged.
    pub(crate) fn word<'a>(&'a self, word: &'a ast::Word) -> Raw<'a> {
        let Some(loc) = &word.loc else {
            return Raw { text: &word.value, at: None, span: self.whole };
        };
        let (mut start, end) = self.range(loc);
        // A word behind a continued line begins where its letters do, not at the backslash or behind it.
        while let Some(rest) = self.text.get(start..end) {
            let behind = self.text.get(..start).is_some_and(|before| before.ends_with('\\'));
            let line_end = rest.strip_prefix('\n').filter(|_| behind);
            let blank = || rest.strip_prefix("\\\n").or_else(|| rest.strip_prefix([' ', '\t']));
            match line_end.or_else(blank) {
                Some(after) if rest.len() > word.value.len() => start = end - after.len(),
                _ => break,
            }
        }
        let span = self.span(start, end);
        match self.text.get(start..end) {
            Some(slice) if slice == word.value => Raw { text: slice, at: Some(start), span },
            Some(slice) if slice.replace("\\\n", "") == word.value => {
                Raw { text: slice, at: Some(start), span }
            }
            _ => Raw { text: &word.value, at: None, span },
        }
    }
}

/// A word as it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Raw<'a> {
    pub(crate) text: &'a str,
    /// Offset in its source.
    pub(crate) at: Option<usize>,
    pub(crate) span: Span,
}

/// A program, and the text it was read from where that had to be changed for the parser.
pub(crate) type Parsed = (ast::Program, Option<String>);

/// Reads a text as a shell program.
///
/// What bash accepts and brush-parser 0.4.0 doesn't is rewritten to the same meaning and read again.
pub(crate) fn parse(text: &str) -> Result<Parsed, String> {
    if crate::guard::is_endless(text) {
        return Err("a here-document that ends in different places for different readers".to_owned());
    }
    let error = match parse_as(text) {
        Ok(program) => return Ok((program, None)),
        Err(error) => error,
    };
    // `select` has the grammar of `for`; at the same length the spans stay right.
    if let Some(program) = select_as_for(text).and_then(|text| parse_as(&text).ok()) {
        return Ok((program, None));
    }
    // A backslash at the very end stands for itself.
    if text.ends_with('\\')
        && let Ok(program) = parse_as(&format!("{text}\\"))
    {
        return Ok((program, None));
    }
    // A here-document that nothing ends goes on to the end of the text.
    if let Some(tag) = last_here_tag(text)
        && let Ok(program) = parse_as(&format!("{text}\n{tag}\n"))
    {
        return Ok((program, None));
    }
    // `for ((;;))`: the empty condition is true.
    if text.contains("((") && text.contains(";;") {
        let rewritten = text.replace(";;)", "; ;)").replace("((;;", "((; ;").replacen(";;", ";1;", 1);
        for text in [text.replace(";;))", "; ; ))").replace("((;;", "((; ;"), rewritten] {
            if let Ok(program) = parse_as(&text) {
                return Ok((program, Some(text)));
            }
        }
    }
    Err(error)
}

fn parse_as(text: &str) -> Result<ast::Program, String> {
    let mut parser = brush_parser::Parser::new(text.as_bytes(), &ParserOptions::default());
    parser.parse_program().map_err(|error| error.to_string())
}

fn last_here_tag(text: &str) -> Option<&str> {
    let rest = text.get(text.rfind("<<")? + 2..)?;
    let rest = rest.trim_start_matches(['-', ' ', '\t', '\'', '"', '\\']);
    let end =
        rest.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(rest.len());
    rest.get(..end).filter(|tag| !tag.is_empty())
}

fn select_as_for(text: &str) -> Option<String> {
    let mut out = text.to_owned();
    let mut from = 0;
    let mut changed = false;
    while let Some(found) = text.get(from..)?.find("select ") {
        let at = from + found;
        let before = text.get(..at)?.trim_end_matches([' ', '\t']);
        if before.is_empty() || before.ends_with([';', '\n', '&', '|', '(', '{', '!']) {
            out.replace_range(at..at + 6, "for   ");
            changed = true;
        }
        from = at + 7;
    }
    changed.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_reads_as_a_loop() {
        assert!(parse("select x in a b; do echo $x; done").is_ok());
        assert!(parse("echo select x").is_ok());
        assert!(parse("for ((i=0;;i++)); do work & done").is_ok());
        assert!(parse("for ((;;)); do work & done").is_ok());
        assert!(parse("echo a\\").is_ok());
        assert!(parse("cat <<'EOT'\nrm x").is_ok());
    }

    #[test]
    fn characters_map_to_bytes() {
        let text = "echo 'ä' \"b\"";
        let (program, _) = parse(text).unwrap();
        let source = Source::new(text.to_owned(), Some(0), Span::new(0, text.len()));
        let ast::Command::Simple(command) = &program.complete_commands[0].0[0].0.first.seq[0] else {
            panic!()
        };
        let suffix = command.suffix.as_ref().unwrap();
        let ast::CommandPrefixOrSuffixItem::Word(word) = &suffix.0[1] else { panic!() };
        assert_eq!(source.word(word).span.of(text), Some("\"b\""));
    }
}
