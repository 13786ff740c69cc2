//! Server-sent events (WHATWG HTML, section 9.2), as model servers stream text: a secret may be split over several
//! events.
//!
//! Texts at the same JSON path of the events (`choices.0.delta.content`) are joined in order, and so is data that
//! isn't JSON. A hit in a joined text is masked piece by piece in the original.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::detect::{Detector, Hit, Mask};
use crate::mask::MASK;

/// Least number of events that count as a stream.
const FEWEST: usize = 2;
/// Limit on bytes that a stream holds back until a line of the joined text ends.
const HELD: usize = 16 * 1024;
/// Bytes of whole events kept as context.
const CONTEXT: usize = 8 * 1024;

/// A piece of a joined text with its original position.
struct Piece {
    start: usize,
    end: usize,
    text: String,
}

/// The joined texts of an event stream, by JSON path.
fn joined(text: &[u8]) -> BTreeMap<String, Vec<Piece>> {
    let mut found = BTreeMap::new();
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let start = at;
        at += line.len();
        let Some(data) = line.strip_prefix(b"data:") else { continue };
        let Ok(data) = std::str::from_utf8(data) else { continue };
        let from = start + "data:".len();
        match serde_json::from_str::<Value>(data.trim()) {
            Ok(value) => {
                let mut next = 0;
                leaves(&value, String::new(), &mut |place, leaf| {
                    // Leaves are searched in order, as they are written.
                    let Some((begin, end)) = written(data, next, leaf) else { return };
                    next = end;
                    let piece = Piece { start: from + begin, end: from + end, text: leaf.to_owned() };
                    found.entry(place).or_insert_with(Vec::new).push(piece);
                });
            }
            Err(_) => {
                let text = data.strip_prefix(' ').unwrap_or(data).trim_end_matches(['\r', '\n']);
                let begin = from + data.len() - data.strip_prefix(' ').unwrap_or(data).len();
                let piece = Piece { start: begin, end: begin + text.len(), text: text.to_owned() };
                found.entry(String::new()).or_insert_with(Vec::new).push(piece);
            }
        }
    }
    found
}

/// Calls `take` with every string of a JSON value and its path.
fn leaves(value: &Value, place: String, take: &mut impl FnMut(String, &str)) {
    match value {
        Value::String(text) => take(place, text),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, format!("{place}.{index}"), take);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                leaves(member, format!("{place}.{name}"), take);
            }
        }
        _ => {}
    }
}

/// Position of a leaf in its line, without quotes: after the previous leaf, or else anywhere, because members may
/// have another order.
fn written(line: &str, from: usize, leaf: &str) -> Option<(usize, usize)> {
    let spelled = serde_json::to_string(leaf).ok()?;
    let find = |from: usize| {
        let found = line.get(from..)?.find(&spelled)? + from;
        Some((found + 1, found + spelled.len() - 1))
    };
    find(from).or_else(|| find(0)).or_else(|| {
        // Escaped differently than we do: use the whole line.
        line.contains('\\').then(|| (0, line.trim_end().len()))
    })
}

/// Adds hits in the joined texts of an event stream, one for each piece.
pub(crate) fn search(detector: &Detector, text: &[u8], hits: &mut Vec<Hit>) {
    if memchr::memmem::find_iter(text, b"data:").nth(FEWEST - 1).is_none() {
        return;
    }
    for pieces in joined(text).values().filter(|pieces| pieces.len() >= FEWEST) {
        let whole: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        for hit in detector.joined(whole.as_bytes()) {
            let mut at = 0;
            let touched = pieces.iter().filter(|piece| {
                let (start, end) = (at, at + piece.text.len());
                at = end;
                start < hit.end && hit.start < end
            });
            let touched: Vec<&Piece> = touched.collect();
            // A hit within one piece was found there.
            if touched.len() < 2 {
                continue;
            }
            for piece in touched {
                let mut own = hit.clone();
                (own.start, own.end, own.shown) = (piece.start, piece.end, 0);
                own.tags.push("joined:events");
                hits.push(own);
            }
        }
    }
}

/// Removes secrets from a stream of server-sent events, even if one is split over several events.
///
/// Whole events are released when a line of the text they carry has ended, and at the latest when 16 KiB are held.
#[derive(Debug)]
pub struct EventRedactor<'d> {
    detector: &'d Detector,
    /// Released events kept as context, then held bytes.
    buffer: Vec<u8>,
    released: usize,
    /// End of the last written mask.
    masked: usize,
}

impl<'d> EventRedactor<'d> {
    /// A redactor for this detector's hits.
    #[must_use]
    pub fn new(detector: &'d Detector) -> Self {
        Self { detector, buffer: Vec::new(), released: 0, masked: 0 }
    }

    /// Takes bytes and returns those that may be released.
    #[must_use]
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        for portion in bytes.chunks(HELD) {
            self.buffer.extend_from_slice(portion);
            let until = self.whole_events();
            let held = self.buffer.get(self.released..until).unwrap_or_default();
            if ends_a_line(held) || held.len() > HELD {
                self.emit(until, &mut out);
            }
        }
        out
    }

    /// Returns the rest.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.emit(self.buffer.len(), &mut out);
        out
    }

    /// End of the last complete event.
    fn whole_events(&self) -> usize {
        let held = self.buffer.get(self.released..).unwrap_or_default();
        let ends = [&b"\n\n"[..], b"\n\r\n"];
        let end = ends.iter().filter_map(|end| Some(memchr::memmem::rfind(held, end)? + end.len())).max();
        self.released + end.unwrap_or(0)
    }

    fn emit(&mut self, until: usize, out: &mut Vec<u8>) {
        let text = self.buffer.get(..until).unwrap_or_default();
        let search = self.detector.search_whole(text, crate::Style::Unknown);
        let mut from = self.released.max(self.masked);
        for Mask { start, end, shown } in search.masks().iter().copied() {
            if end <= from {
                continue;
            }
            if start + shown >= from {
                out.extend_from_slice(self.buffer.get(from..start + shown).unwrap_or_default());
            }
            out.extend_from_slice(MASK.as_bytes());
            from = end;
        }
        out.extend_from_slice(self.buffer.get(from..until).unwrap_or_default());
        self.masked = from.max(until);
        self.released = until;
        let cut = event_before(&self.buffer, self.released.saturating_sub(CONTEXT));
        self.buffer.drain(..cut);
        self.released -= cut;
        self.masked -= cut;
    }
}

/// The end of the last event that ends at or before `at`.
fn event_before(text: &[u8], at: usize) -> usize {
    memchr::memmem::rfind(text.get(..at).unwrap_or_default(), b"\n\n").map_or(0, |end| end + 2)
}

/// Whether every text carried by these events ends with a line.
fn ends_a_line(events: &[u8]) -> bool {
    let texts = joined(events);
    let mut changing = texts.values().filter(|pieces| {
        let first = pieces.first().map(|piece| piece.text.as_str());
        pieces.len() < FEWEST || pieces.iter().any(|piece| Some(piece.text.as_str()) != first)
    });
    changing.all(|pieces| pieces.last().is_none_or(|piece| piece.text.ends_with('\n')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> String {
        ["gh", "p_", "zX8kq2LmWv93Tb7Rp0YdaB", "cDeF1gHiJkLmN9"].concat()
    }

    /// A stream that carries `text` in pieces of `size` characters.
    fn stream(text: &str, size: usize, event: impl Fn(&str) -> String) -> String {
        let letters: Vec<char> = text.chars().collect();
        letters.chunks(size).map(|piece| event(&piece.iter().collect::<String>())).collect()
    }

    /// A name, and the event format of a piece.
    type EventShape = (&'static str, fn(&str) -> String);

    fn shapes() -> Vec<EventShape> {
        vec![
            ("chat", |piece| {
                let text = serde_json::to_string(piece).unwrap();
                format!(
                    "data: {{\"id\":\"c1\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":{text}}}}}]}}\n\n"
                )
            }),
            ("messages", |piece| {
                let text = serde_json::to_string(piece).unwrap();
                format!(
                    "event: content_block_delta\ndata: \
                    {{\"type\":\"content_block_delta\",\"delta\":{{\"type\":\"text_delta\",\"text\":{text}}}}}\n\n"
                )
            }),
            ("responses", |piece| {
                let text = serde_json::to_string(piece).unwrap();
                format!("data: {{\"type\":\"response.output_text.delta\",\"delta\":{text}}}\r\n\r\n")
            }),
            ("tool arguments", |piece| {
                let text = serde_json::to_string(piece).unwrap();
                format!(
                    "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"function\":{{\"arguments\":{text}}}}}\
                    ]}}}}]}}\n\n"
                )
            }),
            ("plain", |piece| format!("data: {piece}\n\n")),
        ]
    }

    /// The joined text of the stream.
    fn carried(stream: &str) -> String {
        joined(stream.as_bytes()).into_values().flatten().map(|piece| piece.text).collect()
    }

    #[test]
    fn a_secret_cut_over_events_is_found_and_masked() {
        let token = token();
        for (name, event) in shapes() {
            for size in [1, 3, 7, 11, 16] {
                let text = format!("The-key-is:{token};use-it");
                let stream = stream(&text, size, event);
                assert!(!stream.contains(&token), "{name} {size}");
                assert!(!Detector::shared().find(&stream).is_empty(), "{name} {size}");
                let out = crate::redact_text(&stream);
                assert!(!carried(&out).contains(&token[8..30]), "{name} {size}: {out}");
            }
        }
    }

    #[test]
    fn a_stream_of_events_lets_nothing_out_however_it_arrives() {
        let token = token();
        for (name, event) in shapes().into_iter().take(4) {
            let text = format!("first line\nkey={token}\nlast line\n");
            let stream = stream(&text, 5, event);
            for size in [1, 17, 100, 4000] {
                let mut redactor = EventRedactor::new(Detector::shared());
                let mut out = Vec::new();
                for piece in stream.as_bytes().chunks(size) {
                    out.extend(redactor.push(piece));
                }
                out.extend(redactor.finish());
                let out = String::from_utf8(out).unwrap();
                let carried = carried(&out);
                assert!(
                    !carried.contains(&token[8..16]) && !carried.contains(&token[16..24]),
                    "{name} {size}"
                );
                assert!(
                    carried.contains("first line") && carried.contains("last line"),
                    "{name} {size}: {out}"
                );
            }
        }
    }

    #[test]
    fn events_without_secrets_stay_as_they_are() {
        for (name, event) in shapes() {
            for text in
                ["the pass word of the day is a word", "token count: 12345 of 67890, ok", "a key note"]
            {
                let stream = stream(text, 4, event);
                assert!(Detector::shared().find(&stream).is_empty(), "{name} {text}");
                assert_eq!(crate::redact_text(&stream), stream);
            }
        }
    }
}
