//! Pieces of values: windows of a text, the choice of windows to keep, and neighbouring windows that add up to a
//! secret.

use crate::fingerprint::Key;
use crate::forms::Form;

/// Bytes in a window of a secret.
pub(crate) const GRAM: u32 = 6;
/// Bytes in a window of other people's text.
pub(crate) const SHINGLE: u32 = 24;
/// One of this many neighbouring windows is kept.
pub(crate) const WINNOW: usize = 16;

/// Part of a secret: which secret, start and length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Piece {
    pub(crate) secret: u16,
    pub(crate) start: u16,
    pub(crate) length: u16,
}

/// Bytes of a secret covered by the pieces.
pub(crate) fn covered(pieces: &[Piece]) -> usize {
    let mut spans: Vec<(usize, usize)> = pieces
        .iter()
        .map(|piece| (usize::from(piece.start), usize::from(piece.start) + usize::from(piece.length)))
        .collect();
    spans.sort_unstable();
    let (mut sum, mut upto) = (0, 0);
    for (start, end) in spans {
        sum += end.saturating_sub(start.max(upto));
        upto = upto.max(end);
    }
    sum
}

/// Joins neighbouring windows of a secret while a text is searched.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    open: Option<(Piece, usize, Form)>,
    pub(crate) done: Vec<(Piece, Form)>,
}

impl Runs {
    pub(crate) fn add(&mut self, secret: u16, place: u16, at: usize, form: Form) {
        if let Some((piece, last, _)) = &mut self.open
            && piece.secret == secret
            && *last + 1 == at
            && u32::from(piece.start) + u32::from(piece.length) + 1 == u32::from(place) + GRAM
        {
            piece.length = piece.length.saturating_add(1);
            *last = at;
            return;
        }
        self.end();
        let length = u16::try_from(GRAM).unwrap_or_default();
        self.open = Some((Piece { secret, start: place, length }, at, form));
    }

    pub(crate) fn end(&mut self) {
        if let Some((piece, _, form)) = self.open.take()
            && self.done.len() < 4_096
        {
            self.done.push((piece, form));
        }
    }
}

pub(crate) fn rotated(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => (byte - b'a' + 13) % 26 + b'a',
        byte => byte,
    }
}

/// One window of each group of `among` neighbours: the one with the smallest fingerprint, so that the same text
/// gives the same choice. Common windows are skipped.
pub(crate) fn winnowed(key: &Key, normal: &[u8], among: usize) -> Vec<u64> {
    let common = key.common();
    let mut all = Vec::with_capacity(normal.len());
    key.windows(normal, SHINGLE, |_, print| all.push(Some(print).filter(|print| !common.has_window(*print))));
    if all.len() <= among {
        return all.iter().flatten().min().copied().into_iter().collect();
    }
    let mut chosen = Vec::new();
    for window in all.windows(among) {
        if let Some(least) = window.iter().flatten().min()
            && chosen.last() != Some(least)
        {
            chosen.push(*least);
        }
    }
    chosen
}
