//! Paths among the words of a call of which nothing says what the program does with them: whole words, values of
//! options, and what stands inside a setting or a text (`-sOutputFile=PATH`, `-oPATH`, `flash:r:PATH:r`).
//!
//! They become [`Mention`]s. Whoever looks at the machine says which of them matter: a file that something obeys may be
//! written, and a script or settings from elsewhere may be obeyed.

use doorward_core::intent::{Certainty, Form, Mention, MentionKind};
use doorward_knowledge::row::Nature;

use crate::deed::{Run, Word};

use super::call::Call;
use super::{embedded, word};

/// A longer word isn't looked through, in bytes.
const LONGEST: usize = 64 * 1024;

/// The most paths that are taken out of the words of one call.
const MOST: usize = 64;

/// Characters that end a path inside a setting or a text.
const ENDS: &[char] =
    &['=', ':', ',', ';', '\'', '"', '`', '(', ')', '{', '}', '[', ']', '<', '>', '|', '&', '@', '%', '!'];

/// Adds the paths among the words of a call that nothing was said of.
pub(super) fn note(call: &mut Call<'_>) {
    let described = call.deeds.known && call.strangers.is_empty();
    if call.nature == Nature::Reads && described || embedded::says_all(call) {
        return;
    }
    let opaque = embedded::is_opaque(call);
    let words: Vec<Word> = call.argv.words.iter().skip(1).cloned().collect();
    let mut before = "";
    for own in &words {
        let option = std::mem::replace(&mut before, &own.text);
        let is_value = own.text.starts_with('-') || option.starts_with('-') && !option.contains('=');
        let is_text = own.text.contains(char::is_whitespace);
        if own.text.len() > LONGEST
            || !opaque && (!is_value || is_text)
            || is_text && embedded::is_for_people(own, option)
        {
            continue;
        }
        for path in paths(own) {
            if call.deeds.mentions.len() < MOST && !is_told(call, &path.text) {
                add(call, &path);
            }
        }
    }
}

/// Adds a path of which nobody knows what the program does with it.
pub(super) fn add(call: &mut Call<'_>, path: &Word) {
    // Of a name that isn't known nothing can be said.
    if path.form == Form::Unknown || path.text.contains("**") {
        return;
    }
    let mut operand = path.operand();
    operand.place = call.argv.place.clone();
    operand.certainty = Certainty::May;
    call.deeds.mentions.push(Mention { path: operand, kind: MentionKind::Described });
}

/// Whether a row, or a function beside one, said what happens to a path.
fn is_told(call: &Call<'_>, path: &str) -> bool {
    let deeds = &call.deeds;
    deeds.reads.iter().any(|read| read.path.text == path)
        || deeds.writes.iter().any(|write| write.path.text == path)
        || deeds.deletes.iter().any(|delete| delete.path.text == path)
        || deeds.runs.iter().any(|run| matches!(run, Run::File { path: own, .. } if own.text == path))
        || deeds.mentions.iter().any(|mention| mention.path.text == path)
}

/// The paths from the root, from the home folder or from a hidden folder that a word holds.
fn paths(own: &Word) -> Vec<Word> {
    let mut found = Vec::new();
    let mut start = 0;
    let is_end = |letter: char| letter.is_whitespace() || ENDS.contains(&letter);
    let ends = own.text.match_indices(is_end).map(|(at, text)| (at, text.len()));
    for (at, length) in ends.chain(std::iter::once((own.text.len(), 0))) {
        let piece = word::slice(own, start, at);
        start = at + length;
        let piece = super::unknown::glued(&piece).unwrap_or(piece);
        let text = piece.text.as_str();
        // The home folder, where a later shell or program puts it in.
        if let Some(rest) = text.strip_prefix("$HOME/") {
            let rest = format!("~/{rest}");
            found.push(Word { form: Form::Literal, ..word::instead(&piece, rest) });
        } else if text.starts_with("//") {
            // `file:///home/user/x`; behind another scheme stands a host.
            let is_file = own.text.get(..at - text.len()).is_some_and(|front| front.ends_with("file:"));
            found.extend(is_file.then(|| word::slice(&piece, 2, text.len())));
        } else if text.len() > 2 && text.starts_with(['/', '~', '.']) {
            found.push(piece);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_wherever_they_stand_in_a_word() {
        for (text, expected) in [
            ("/home/u/x", "/home/u/x"),
            ("--out=/home/u/x", "/home/u/x"),
            ("-o/home/u/x", "/home/u/x"),
            ("-o~/x", "~/x"),
            ("flash:r:/home/u/x:r", "/home/u/x"),
            ("rw,file=~/x,size=3", "~/x"),
            ("set output '/home/u/x'; plot y", "/home/u/x"),
            ("write(\"$HOME/.bashrc\")", "~/.bashrc"),
            ("file:///home/u/x", "/home/u/x"),
            ("https://example.org/home/u/x", ""),
            (".git/hooks/pre-commit", ".git/hooks/pre-commit"),
            ("a sentence. No path", ""),
        ] {
            let found: Vec<String> =
                paths(&Word::literal(text, Default::default())).into_iter().map(|path| path.text).collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }
}
