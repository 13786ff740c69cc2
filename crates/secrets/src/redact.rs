//! Removes secrets from a stream.
//!
//! Contract: however the input is cut, the joined output is the same as for one piece, and no byte of a secret
//! beyond the shown prefix is released. This holds by construction: the input is divided into blocks by its own
//! bytes and not by its arrival, and a block is decided once, from itself and earlier text. A block is a number of
//! whole lines, because the result for a line never depends on a later one ([`crate::detect`]). A line too long to
//! hold is divided into pieces, each decided with [`AHEAD`] bytes of the following text. Armoured keys are followed
//! line by line ([`crate::pem`]). Decided bytes are released, except a header for which it isn't known yet whether
//! a key follows, and a tail in which a known value might begin.

use std::borrow::Cow;
use std::sync::Arc;

use doorward_core::json::Value as Json;

use crate::assign::Style;
use crate::charset::{self, before, is};
use crate::detect::{BEHIND, Detector, Mask, Search};
use crate::known::KnownValues;
use crate::mask::{self, MASK};
use crate::name::{self, Kind};
use crate::pem;
use crate::value::{self, Place};

/// Lines of this length are divided. Together with a preceding possible key header, this is the most that a stream
/// holds: 16 KiB.
const LINE: usize = 12 * 1024;
/// Bytes that must follow a byte of such a line before it is released: the longest value in base64, and its name.
const AHEAD: usize = 6 * 1024;
/// Pieces are processed in portions of this size.
const PORTION: usize = 64 * 1024;

const _: () = assert!(LINE + pem::UNDECIDED + pem::GAP <= 16 * 1024);

/// Redacts a stream. Pass it bytes as they arrive; the bytes it returns may be released.
#[derive(Debug)]
pub struct Redactor<'d> {
    detector: &'d Detector,
    known: Option<Arc<KnownValues>>,
    /// Released context, then held bytes.
    buffer: Vec<u8>,
    /// Start of the held part of `buffer`.
    released: usize,
    /// End of the decided part of `buffer`.
    decided: usize,
    /// End of the part searched for known values.
    compared: usize,
    /// Masks from `released` on.
    masks: Vec<Mask>,
    /// End of the last written mask: nothing before it is released.
    masked: usize,
    /// A key that continues.
    armour: Option<pem::Body>,
    /// End of a token that continued beyond its block's view.
    endless: Option<usize>,
    /// Length modulo four of the base64 run that continues at `decided`.
    phase: usize,
    redactions: usize,
    incomplete: bool,
}

/// A part of the input that is decided at once.
struct Block {
    end: usize,
    /// How far rules may read.
    view: usize,
}

impl<'d> Redactor<'d> {
    /// A redactor for this detector's hits.
    #[must_use]
    pub fn new(detector: &'d Detector) -> Self {
        Self {
            detector,
            known: None,
            buffer: Vec::new(),
            released: 0,
            decided: 0,
            compared: 0,
            masks: Vec::new(),
            masked: 0,
            armour: None,
            endless: None,
            phase: 0,
            redactions: 0,
            incomplete: false,
        }
    }

    /// Also removes values known to be secret.
    #[must_use]
    pub fn with_known(mut self, known: Arc<KnownValues>) -> Self {
        self.known = Some(known);
        self
    }

    /// Takes bytes and returns those that may be released.
    #[must_use]
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for portion in bytes.chunks(PORTION) {
            self.buffer.extend_from_slice(portion);
            self.advance(false, &mut out);
        }
        out
    }

    /// Returns the rest.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.advance(true, &mut out);
        out
    }

    /// Number of masked secrets.
    #[must_use]
    pub fn redactions(&self) -> usize {
        self.redactions
    }

    /// Whether encoded text was masked because it couldn't be decoded within bounds.
    #[must_use]
    pub fn incomplete(&self) -> bool {
        self.incomplete
    }

    fn advance(&mut self, last: bool, out: &mut Vec<u8>) {
        while let Some(block) = self.block(last) {
            let held = self.decide(&block);
            self.remember_phase(block.end);
            self.decided = block.end;
            let known = self.compare(&block, last);
            self.emit(held.unwrap_or(block.end).min(known), out);
            self.forget();
        }
        if last {
            self.emit(self.buffer.len(), out);
        }
    }

    /// The next block. It depends only on the bytes, except for how many whole lines it includes.
    fn block(&self, last: bool) -> Option<Block> {
        let rest = self.buffer.get(self.decided..).filter(|rest| !rest.is_empty())?;
        let mut lines = 0;
        for newline in memchr::memchr_iter(b'\n', rest) {
            if newline - lines >= LINE {
                break;
            }
            lines = newline + 1;
        }
        if last && rest.len() - lines < LINE {
            lines = rest.len();
        }
        let (end, view) = if lines > 0 {
            (lines, lines)
        } else if rest.len() >= LINE {
            // Preferably between two words.
            let window = rest.get(..LINE - AHEAD)?;
            let gap = window.iter().rposition(|byte| byte.is_ascii_whitespace() || b",;&".contains(byte));
            (gap.filter(|gap| *gap >= window.len() / 2).map_or(window.len(), |gap| gap + 1), LINE)
        } else {
            return None;
        };
        Some(Block { end: self.decided + end, view: self.decided + view })
    }

    /// Finds the masks of a block. Returns the position from which the text must wait for more, if any.
    fn decide(&mut self, block: &Block) -> Option<usize> {
        let text = self.buffer.get(..block.view).unwrap_or_default();
        if let Some(mut body) = self.armour.take() {
            let before = body.end;
            body.follow(text);
            self.masks.extend(going_on(before, body.end));
            if !body.over {
                let end = body.end;
                self.armour = Some(body);
                return Some(end);
            }
        }
        if let Some(from) = self.endless.take() {
            let end = from + charset::run(text, from, charset::TOKEN, usize::MAX);
            self.masks.extend(going_on(from, end));
            self.endless = (end == block.view).then_some(end);
        }
        let base = self.decided.saturating_sub(BEHIND + (self.phase + 4 - BEHIND % 4) % 4);
        let text = text.get(base..).unwrap_or_default();
        let Search { masks, undecided, armour, truncated_decoding, .. } =
            self.detector.search(text, Style::Unknown);
        self.incomplete |= truncated_decoding;
        let coloured = crate::disguise::coloured(self.detector, text);
        let coloured = coloured.iter().map(|hit| Mask { start: hit.start, end: hit.end, shown: 0 });
        for mask in masks.into_iter().chain(coloured) {
            let mask = Mask { start: base + mask.start, end: base + mask.end, ..mask };
            // A mask that ends earlier was found with its own block.
            if mask.end > self.decided && mask.start < block.end {
                self.masks.push(mask);
                let cut = mask.end == block.view && block.view > block.end;
                if cut && is(before(&self.buffer, block.view), charset::TOKEN) {
                    self.endless = Some(mask.end);
                }
            }
        }
        self.armour = armour.map(|body| body.moved(base));
        self.endless = self.endless.filter(|_| self.armour.is_none());
        undecided.map(|start| base + start).or(self.armour.as_ref().map(|body| body.end))
    }

    /// Remembers the position in a group of four at the end of the block, if a base64 run continues there.
    fn remember_phase(&mut self, end: usize) {
        let block = self.buffer.get(self.decided..end).unwrap_or_default();
        let run = charset::run_back(block, block.len(), charset::ANY_BASE64, block.len());
        let since = if run == block.len() { self.phase + run } else { run };
        self.phase = since % 4;
    }

    /// Searches for known values. Returns the position up to which all are found.
    fn compare(&mut self, block: &Block, last: bool) -> usize {
        let length = self.buffer.len();
        let Some(known) = &self.known else { return length };
        let reach = known.longest() + 4;
        let from = self.compared.saturating_sub(reach);
        let text = self.buffer.get(from..).unwrap_or_default();
        for (start, end) in known.spans(text) {
            if from + end > self.released {
                let shown = mask::shown(text.get(start..end).unwrap_or_default());
                self.masks.push(Mask { start: from + start, end: from + end, shown });
            }
        }
        self.compared = length;
        let whole_lines = block.end == block.view && !known.spans_lines();
        if last || whole_lines { length } else { length.saturating_sub(reach) }
    }

    /// Releases the text up to `until`, masked.
    fn emit(&mut self, until: usize, out: &mut Vec<u8>) {
        if until <= self.released {
            return;
        }
        self.masks.sort_unstable();
        for group in self.masks.chunk_by(|left, right| left.start == right.start) {
            let start = group.first().map_or(until, |mask| mask.start);
            if start >= until {
                break;
            }
            let end = group.iter().map(|mask| mask.end).max().unwrap_or(start);
            let from = self.released.max(self.masked);
            if start >= self.masked && end > from {
                let shown = group.iter().map(|mask| mask.shown).min().unwrap_or(0);
                out.extend_from_slice(self.buffer.get(from..start + shown).unwrap_or_default());
                out.extend_from_slice(MASK.as_bytes());
                self.redactions += 1;
            }
            self.masked = self.masked.max(end);
        }
        let from = self.released.max(self.masked);
        out.extend_from_slice(self.buffer.get(from..until).unwrap_or_default());
        self.released = until;
        self.masks.retain(|mask| mask.start >= until);
    }

    /// Drops bytes that are no longer needed as context.
    fn forget(&mut self) {
        let known =
            self.known.as_ref().map_or(usize::MAX, |known| self.compared.saturating_sub(known.longest() + 8));
        let cut = self.released.min(self.decided.saturating_sub(BEHIND + 4)).min(known);
        if cut < PORTION / 2 {
            return;
        }
        self.buffer.drain(..cut);
        self.released -= cut;
        self.decided -= cut;
        self.compared = self.compared.saturating_sub(cut);
        self.masked = self.masked.saturating_sub(cut);
        self.endless = self.endless.map(|end| end - cut);
        for mask in &mut self.masks {
            mask.start = mask.start.saturating_sub(cut);
            mask.end = mask.end.saturating_sub(cut);
        }
        if let Some(body) = &mut self.armour {
            body.forget(cut);
        }
    }
}

/// A mask that continues the previous one: the byte they share joins them.
fn going_on(from: usize, end: usize) -> Option<Mask> {
    (end > from).then(|| Mask { start: from.saturating_sub(1), end, shown: 0 })
}

/// Removes secrets from a text, by the shipped rules.
#[must_use]
pub fn redact_text(text: &str) -> String {
    Redactor::new(Detector::shared()).text(text).into_owned()
}

/// Removes secrets from a JSON value, in strings and keys, without changing its shape. A key's name counts for its
/// value.
#[must_use]
pub fn redact_value(value: &Json) -> Json {
    redact_json(value, None)
}

impl Redactor<'_> {
    /// Redacts one whole text.
    #[must_use]
    pub fn text<'t>(mut self, text: &'t str) -> Cow<'t, str> {
        let mut out = Vec::with_capacity(text.len());
        let mut cut = Vec::new();
        crate::events::search(self.detector, text.as_bytes(), &mut cut);
        crate::disguise::search(self.detector, text.as_bytes(), &mut cut);
        self.masks.extend(cut.iter().map(|hit| Mask { start: hit.start, end: hit.end, shown: hit.shown }));
        for portion in text.as_bytes().chunks(PORTION) {
            // The last portion waits for the end, so that a short text is decided at once.
            if !self.buffer.is_empty() {
                self.advance(false, &mut out);
            }
            self.buffer.extend_from_slice(portion);
        }
        self.advance(true, &mut out);
        if self.redactions == 0 && out == text.as_bytes() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(String::from_utf8_lossy(&out).into_owned())
    }
}

fn redact_json(value: &Json, key: Option<&str>) -> Json {
    match value {
        Json::String(text) => Json::String(redact_leaf(text, key)),
        Json::Array(items) => {
            let redacted: Vec<Json> = items.iter().map(|item| redact_json(item, key)).collect();
            let whole = redacted == *items && is_one_secret(items);
            let mask = |item: Json| if whole { Json::String(mask::MASK.to_owned()) } else { item };
            Json::Array(redacted.into_iter().map(mask).collect())
        }
        Json::Object(members) => {
            let mut redacted = doorward_core::json::Object::new();
            for (name, member) in members {
                let mut own = redact_text(name);
                while redacted.contains_key(&own) {
                    own.push('*');
                }
                redacted.insert(own, redact_json(member, Some(name)));
            }
            Json::Object(redacted)
        }
        other => other.clone(),
    }
}

/// Whether the strings of a list form one secret only when joined.
fn is_one_secret(items: &[Json]) -> bool {
    const MOST: usize = 4 << 10;
    let pieces: Option<Vec<&str>> = items.iter().map(Json::as_str).collect();
    pieces.is_some_and(|pieces| {
        let whole = pieces.concat();
        pieces.len() > 1 && whole.len() <= MOST && redact_text(&whole) != whole
    })
}

fn redact_leaf(text: &str, key: Option<&str>) -> String {
    let place = Place { quoted: true, loose: false, plain: false };
    let bytes = text.as_bytes();
    let named = key.and_then(|key| name::classify(key.as_bytes())).is_some_and(|kind| match kind {
        Kind::Password => value::password(bytes, place),
        Kind::Secret | Kind::Token | Kind::Key => value::generic(bytes, place),
        Kind::Header | Kind::Cookie | Kind::Weak | Kind::Provider => false,
    });
    if named { mask::masked(bytes) } else { redact_text(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> String {
        ["gh", "p_", "zX8kq2LmWv93Tb7Rp0YdaB", "cDeF1gHiJkLmN9"].concat()
    }

    fn cut(text: &[u8], known: Option<&Arc<KnownValues>>, sizes: impl Iterator<Item = usize>) -> Vec<u8> {
        let mut redactor = Redactor::new(Detector::shared());
        if let Some(known) = known {
            redactor = redactor.with_known(Arc::clone(known));
        }
        let (mut out, mut pos) = (vec![], 0_usize);
        for size in sizes {
            let end = pos.saturating_add(size).min(text.len());
            out.extend(redactor.push(&text[pos..end]));
            pos = end;
            if pos == text.len() {
                break;
            }
        }
        out.extend(redactor.push(&text[pos..]));
        out.extend(redactor.finish());
        out
    }

    #[test]
    fn every_cut_gives_the_same_and_nothing_leaks() {
        let token = token();
        let key: String = (0..20)
            .map(|line| format!("{}\n", "Ab3dEf6hIj9l+/Qr".repeat(4).replace('Q', &line.to_string())))
            .collect();
        let (begin, end) =
            (concat!("-----BEGIN RSA PRIV", "ATE KEY-----"), concat!("-----END RSA PRIV", "ATE KEY-----"));
        let coloured = token.replace("ghp_", "\u{1b}[1;31m\u{1b}[Kghp_\u{1b}[m\u{1b}[K");
        let text = format!(
            "one {token}\nPASSWORD='Tr0ub4dor&3' x\n{begin}\n{key}{end}\nin colour {coloured}\nlast {token}"
        );
        let whole = cut(text.as_bytes(), None, std::iter::once(usize::MAX));
        let shown = String::from_utf8(whole.clone()).unwrap();
        let colour = "\u{1b}[1;31m\u{1b}[K****";
        assert_eq!(
            shown,
            format!("one ghp_****\nPASSWORD='Tr****' x\n{begin}****\nin colour {colour}\nlast ghp_****")
        );
        for size in [1, 2, 3, 7, 64, 1000] {
            assert_eq!(cut(text.as_bytes(), None, std::iter::repeat(size)), whole, "{size}");
        }
        for split in 0..text.len() {
            assert_eq!(cut(text.as_bytes(), None, [split, usize::MAX].into_iter()), whole, "{split}");
        }
    }

    #[test]
    fn an_endless_line_is_bounded_and_still_redacted() {
        let token = token();
        let filler = "aB3,".repeat(30_000);
        let text = format!("{filler}{token},{filler}{token}");
        let whole = cut(text.as_bytes(), None, std::iter::once(usize::MAX));
        assert_eq!(whole.len(), text.len() - 2 * (token.len() - 8));
        let mut redactor = Redactor::new(Detector::shared());
        let mut out = vec![];
        for piece in text.as_bytes().chunks(1000) {
            out.extend(redactor.push(piece));
            assert!(redactor.buffer.len() - redactor.released <= 16 * 1024 + 1000);
        }
        out.extend(redactor.finish());
        assert_eq!(out, whole);
    }

    #[test]
    fn known_values_with_spaces_are_held_across_the_cut() {
        let known = Arc::new(KnownValues::new(["correct horse battery"]).unwrap());
        let text = b"say correct horse battery now, or correct horse only";
        let whole = cut(text, Some(&known), std::iter::once(usize::MAX));
        assert_eq!(String::from_utf8(whole.clone()).unwrap(), "say corr**** now, or correct horse only");
        for split in 0..text.len() {
            assert_eq!(cut(text, Some(&known), [split, usize::MAX].into_iter()), whole, "{split}");
        }
    }

    #[test]
    fn a_list_of_pieces_is_masked() {
        let token = token();
        let pieces = |width: usize| -> Vec<String> {
            token.as_bytes().chunks(width).map(|piece| String::from_utf8_lossy(piece).into_owned()).collect()
        };
        for width in [1, 7, 20] {
            let list = Json::Array(pieces(width).iter().map(|piece| Json::from(piece.as_str())).collect());
            let shown = redact_value(&list).canonical();
            assert!(!shown.chars().any(char::is_alphanumeric), "{width}: {shown}");
        }
        let plain = Json::parse(r#"["one","two","three"]"#).unwrap();
        assert_eq!(redact_value(&plain), plain);
    }

    #[test]
    fn json_keeps_its_shape() {
        let json = Json::parse(&format!(
            r#"{{"password":"Tr0ub4dor&3","n":1,"list":["{}"],"note":"fine"}}"#,
            token()
        ))
        .unwrap();
        assert_eq!(
            redact_value(&json).canonical(),
            r#"{"list":["ghp_****"],"n":1,"note":"fine","password":"Tr****"}"#
        );
    }
}
