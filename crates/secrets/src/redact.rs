//! Takes secrets out of a stream.
//!
//! Contract: for every way of cutting the input, the outputs joined are the output of one piece, and no byte of a secret
//! beyond the shown prefix leaves. It holds because hits are decided by their line and what stands before ([`crate::detect`]): text is released
//! up to the last white space, with the lines before kept as context; an armoured key is held from its header on; a run
//! without white space is held up to 16 KiB, after which its front leaves once everything a rule could still need is seen.

use std::borrow::Cow;
use std::sync::Arc;

use doorward_core::json::Value as Json;

use crate::assign::Style;
use crate::charset::{self, before, is};
use crate::detect::Detector;
use crate::known::KnownValues;
use crate::mask::{self, MASK};
use crate::name::{self, Kind};
use crate::pem;
use crate::value::{self, Place};

/// What a stream may hold back, beyond the piece just pushed.
const HOLD: usize = 16 * 1024;
/// What must be seen behind a byte of an endless run before it leaves: more than the longest rule in base64.
const AHEAD: usize = 12 * 1024;
/// Lines that stay as context after they left.
const CONTEXT: usize = 4 * 1024;
/// Pieces are worked on in portions of this size.
const PORTION: usize = 64 * 1024;

/// A stream's redactor. Give it bytes as they come, and what it returns may go out.
#[derive(Debug)]
pub struct Redactor<'d> {
    detector: &'d Detector,
    known: Option<Arc<KnownValues>>,
    /// Context that has left, then what is held.
    buffer: Vec<u8>,
    /// Where in `buffer` the held part begins.
    released: usize,
    eating: Option<Eating>,
    redactions: usize,
    incomplete: bool,
}

/// A secret too long to hold: masked already, the rest is swallowed.
#[derive(Debug, Clone, Copy)]
enum Eating {
    Armour,
    Token,
}

impl<'d> Redactor<'d> {
    /// A redactor of what the detector finds.
    #[must_use]
    pub fn new(detector: &'d Detector) -> Self {
        Self {
            detector,
            known: None,
            buffer: Vec::new(),
            released: 0,
            eating: None,
            redactions: 0,
            incomplete: false,
        }
    }

    /// With values known to be secret.
    #[must_use]
    pub fn with_known(mut self, known: Arc<KnownValues>) -> Self {
        self.known = Some(known);
        self
    }

    /// Takes bytes, gives what may leave.
    #[must_use]
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for portion in bytes.chunks(PORTION) {
            self.buffer.extend_from_slice(portion);
            while self.advance(false, &mut out) {}
        }
        out
    }

    /// Gives the rest.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        let mut out = Vec::new();
        while self.advance(true, &mut out) {}
        out
    }

    /// How many secrets were masked.
    #[must_use]
    pub fn redactions(&self) -> usize {
        self.redactions
    }

    /// Whether a bound was reached behind which nothing was looked at: the output must not be taken for clean.
    #[must_use]
    pub fn incomplete(&self) -> bool {
        self.incomplete
    }

    /// Releases what can leave; true if calling again may release more.
    fn advance(&mut self, last: bool, out: &mut Vec<u8>) -> bool {
        if !self.eat(last) {
            return false;
        }
        let Some(goal) = self.goal(last) else { return false };
        let seen = if goal.1 { self.buffer.len() } else { goal.0 };
        let text = self.buffer.get(..seen).unwrap_or_default();
        let search = self.detector.search(text, Style::Unknown);
        self.incomplete |= search.truncated_decoding;
        let mut spans: Vec<(usize, usize, usize)> =
            search.hits.iter().map(|hit| (hit.start, hit.end, hit.shown)).collect();
        if let Some(known) = &self.known {
            spans.extend(
                known
                    .spans(text)
                    .into_iter()
                    .map(|(start, end)| (start, end, mask::shown(text.get(start..end).unwrap_or_default()))),
            );
        }
        let mut until = goal.0;
        if !last {
            let open = search
                .hits
                .iter()
                .filter(|hit| hit.open && hit.end > self.released)
                .map(|hit| hit.start)
                .next();
            let hold =
                [open, search.undecided].into_iter().flatten().filter(|start| *start >= self.released).min();
            if let Some(start) = hold.filter(|start| self.buffer.len() - start <= HOLD) {
                until = until.min(start);
            } else if let Some(start) = open {
                self.eating = Some(Eating::Armour);
                until = until.max(start);
            }
        }
        let merged = merge(spans);
        if !last && self.eating.is_none() {
            // A token that crosses the goal leaves whole, or waits.
            if let Some((start, end, _)) =
                merged.iter().find(|(start, end, _)| *start < until && until < *end)
            {
                if *end < self.buffer.len() {
                    until = *end;
                } else if *start > self.released {
                    until = *start;
                } else {
                    self.eating = Some(Eating::Token);
                    until = *end;
                }
            }
        }
        if self.eating.is_some() {
            until = seen;
        }
        if until <= self.released {
            return false;
        }
        self.emit(until, &merged, out);
        self.forget(until);
        !last && self.eating.is_some()
    }

    /// Swallows the rest of a secret whose mask is out. False when nothing is left to look at.
    fn eat(&mut self, last: bool) -> bool {
        let Some(eating) = self.eating else { return true };
        let held = self.buffer.get(self.released..).unwrap_or_default();
        let eaten = match eating {
            Eating::Armour => {
                let end = memchr::memmem::find(held, b"-----END");
                let run = held.iter().take_while(|byte| pem::may_belong(**byte)).count();
                match end.filter(|end| *end <= run) {
                    Some(end) => {
                        let tail = held.get(end + 8..).unwrap_or_default();
                        match memchr::memmem::find(tail, b"-----") {
                            Some(close) => end + 8 + close + 5,
                            None if tail.len() < 64 && !last => return false,
                            None => run,
                        }
                    }
                    None => run,
                }
            }
            Eating::Token => held.iter().take_while(|byte| is(**byte, charset::TOKEN)).count(),
        };
        let done = eaten < held.len() || last;
        self.released += eaten;
        self.forget(self.released);
        if done {
            self.eating = None;
        }
        done
    }

    /// How far may be released, and whether what lies beyond must be searched too.
    fn goal(&self, last: bool) -> Option<(usize, bool)> {
        let length = self.buffer.len();
        if last {
            return (length > self.released).then_some((length, true));
        }
        let held = self.buffer.get(self.released..)?;
        let white = held.iter().rposition(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r'));
        let mut goal = (white.map_or(self.released, |white| self.released + white + 1), false);
        let ahead = AHEAD.max(self.known.as_ref().map_or(0, |known| known.longest()));
        if length - goal.0 > HOLD.max(ahead + 1024) {
            goal = (length - ahead, true);
        }
        if let Some(hold) = self.known.as_ref().map(|known| known.hold()).filter(|hold| *hold > 0) {
            goal = (goal.0.min(length.saturating_sub(hold)), true);
        }
        (goal.0 > self.released).then_some(goal)
    }

    fn emit(&mut self, until: usize, spans: &[(usize, usize, usize)], out: &mut Vec<u8>) {
        let mut pos = self.released;
        for (start, end, shown) in
            spans.iter().filter(|(start, end, _)| *end > self.released && *start < until)
        {
            if *start >= pos {
                out.extend_from_slice(self.buffer.get(pos..start + shown).unwrap_or_default());
            }
            out.extend_from_slice(MASK.as_bytes());
            self.redactions += 1;
            pos = (*end).min(until);
        }
        out.extend_from_slice(self.buffer.get(pos..until).unwrap_or_default());
        self.released = until;
    }

    /// Drops what is no context any more. A cut inside an encoded run keeps its alignment.
    fn forget(&mut self, until: usize) {
        let mut cut = until.saturating_sub(CONTEXT);
        if cut < CONTEXT && self.buffer.len() < 4 * CONTEXT {
            return;
        }
        if is(before(&self.buffer, cut), charset::ANY_BASE64) {
            let run = charset::run_back(&self.buffer, cut, charset::ANY_BASE64, cut);
            cut -= run % 4;
        }
        self.buffer.drain(..cut);
        self.released -= cut;
    }
}

/// Joins spans that touch or overlap.
fn merge(mut spans: Vec<(usize, usize, usize)>) -> Vec<(usize, usize, usize)> {
    spans.sort_unstable();
    let mut merged: Vec<(usize, usize, usize)> = Vec::with_capacity(spans.len());
    for (start, end, shown) in spans {
        match merged.last_mut() {
            Some(own) if start < own.1 => {
                own.2 = if start == own.0 { own.2.min(shown) } else { own.2 };
                own.1 = own.1.max(end);
            }
            _ => merged.push((start, end, shown)),
        }
    }
    merged
}

/// The text without its secrets, by the shipped rules.
#[must_use]
pub fn redact_text(text: &str) -> String {
    Redactor::new(Detector::shared()).text(text).into_owned()
}

/// A JSON value without its secrets: leaves and keys, the shape unchanged. A key's name counts for its value.
#[must_use]
pub fn redact_value(value: &Json) -> Json {
    redact_json(value, None)
}

impl Redactor<'_> {
    /// One whole text.
    #[must_use]
    pub fn text<'t>(mut self, text: &'t str) -> Cow<'t, str> {
        let mut out = self.push(text.as_bytes());
        while self.advance(true, &mut out) {}
        if self.redactions == 0 && out == text.as_bytes() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(String::from_utf8_lossy(&out).into_owned())
    }
}

fn redact_json(value: &Json, key: Option<&str>) -> Json {
    match value {
        Json::String(text) => Json::String(redact_leaf(text, key)),
        Json::Array(items) => Json::Array(items.iter().map(|item| redact_json(item, key)).collect()),
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
        let text = format!("one {token}\nPASSWORD='Tr0ub4dor&3' x\n{begin}\n{key}{end}\nlast {token}");
        let whole = cut(text.as_bytes(), None, std::iter::once(usize::MAX));
        let shown = String::from_utf8(whole.clone()).unwrap();
        assert_eq!(shown, format!("one ghp_****\nPASSWORD='Tr****' x\n{begin}****\nlast ghp_****"));
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
            assert!(redactor.buffer.len() - redactor.released <= HOLD + 1000);
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
