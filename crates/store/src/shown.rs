//! Shortens long arguments that are stored with a question.
//!
//! A question's arguments are stored for display. The approval is bound to the digest of the whole arguments, and the
//! ledger has the whole call under the question's decision. So the database needn't store megabytes that nobody can
//! read in a dialog, which would be written twice: to SQLite's write-ahead log and to the file. Omissions are marked
//! in the text and in the warning.

use std::borrow::Cow;

use doorward_core::approval::Ask;
use doorward_core::id::DecisionId;
use doorward_core::json::Value;

/// Arguments longer than this, as JSON in bytes, are shortened.
const MOST_ARGS: usize = 256 << 10;
/// Bytes kept at the beginning and at the end of one long text.
const ENDS: usize = 32 << 10;
/// Bytes kept of all texts together; texts beyond that are left out.
const MOST_TEXT: usize = 192 << 10;
/// Prefix of the note that replaces a part of the arguments.
pub const MARK: &str = "[not shown here: ";

/// The question in the form that is stored, with its arguments shortened if necessary.
pub(crate) fn kept(ask: &Ask) -> Cow<'_, Ask> {
    let size = ask.args.canonical().len();
    if size <= MOST_ARGS {
        return Cow::Borrowed(ask);
    }
    let mut room = MOST_TEXT;
    let mut args = ask.args.map_strings(&mut |text| {
        let short = shortened(text, &ask.decision, room.min(2 * ENDS) / 2);
        room = room.saturating_sub(short.len());
        short
    });
    if args.canonical().len() > MOST_ARGS {
        // Still too long, so the size comes from thousands of small members or from long names.
        args = Value::String(note(size, &ask.decision));
    }
    let mut ask = ask.clone();
    ask.args = args;
    ask.warning.message = format!(
        "{} The arguments are {size} bytes long, and only a part of them is shown; an approval covers all of them.",
        ask.warning.message
    );
    Cow::Owned(ask)
}

fn note(bytes: usize, decision: &DecisionId) -> String {
    format!("{MARK}{bytes} bytes; doorward audit show {decision}]")
}

/// The text, or its beginning and end with a note between them. Never longer than the text itself.
fn shortened(text: &str, decision: &DecisionId, ends: usize) -> String {
    let head = text.floor_char_boundary(ends.min(text.len()));
    let tail = text.ceil_char_boundary(text.len().saturating_sub(ends)).max(head);
    let (first, last) = (text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default());
    let short = format!("{first} {} {last}", note(tail - head, decision));
    if short.len() < text.len() { short } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_long_text_are_kept_and_the_gap_is_named() {
        let text = format!("first {} last", "é".repeat(1 << 20));
        let short = shortened(&text, &"01X".into(), ENDS);
        assert!(short.starts_with("first é") && short.ends_with("é last"), "{}", short.len());
        assert!(short.contains(MARK) && short.contains("doorward audit show 01X]"));
        assert!(short.len() < 2 * ENDS + 200);
        assert_eq!(shortened("short", &"01X".into(), ENDS), "short");
        assert_eq!(
            shortened("short", &"01X".into(), 0),
            "short",
            "a note is never longer than what it stands for"
        );
    }
}
