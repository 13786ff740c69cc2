//! Secrets in the index: each in three forms, every window of six normalised bytes with its position.

use crate::fingerprint::{Key, normalised};
use crate::pieces::{GRAM, Piece, rotated};
use crate::secrets;
use crate::source::Label;
use crate::values::{MOST_GRAMS, Values};

/// A shorter value is too common to be recognised.
const SHORTEST: usize = 8;
/// Limit on bytes kept of one secret; a longer one is recognised by its first part.
const LONGEST: usize = 2_048;
/// Share of it available to values known only by a secret's name.
const MOST_LIKELY_GRAMS: usize = MOST_GRAMS / 4;

/// One form of a secret in the index.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) struct HeldForm {
    pub(crate) source: u16,
    pub(crate) length: u16,
    pub(crate) whole: u64,
    /// It consists of words, parts of which occur in ordinary text: only the whole value identifies it.
    #[serde(default)]
    pub(crate) of_words: bool,
}

impl Values {
    /// Adds a secret's fingerprints.
    pub(crate) fn add_secret(&mut self, key: &Key, source: u16, secret: &str) {
        if normalised(secret.as_bytes()).len() >= SHORTEST && !secrets::is_placeholder(secret) {
            self.add_planted(key, source, secret);
        }
    }

    /// As [`Values::add_secret`], even if the value consists of words.
    pub(crate) fn add_planted(&mut self, key: &Key, source: u16, secret: &str) {
        self.hold_forms(key, source, secret, secrets::is_of_words(secret));
    }

    /// Whether this value is known already.
    pub(crate) fn has_secret(&self, key: &Key, secret: &str) -> bool {
        let normal = normalised(secret.as_bytes());
        let whole = key.whole(normal.get(..LONGEST).unwrap_or(&normal));
        self.secrets.iter().any(|held| held.whole == whole)
    }

    /// Adds a value found under a secret's name, unless the user wrote it.
    pub(crate) fn add_likely(&mut self, key: &Key, source: u16, value: &str, of_words: bool) {
        let normal = normalised(value.as_bytes());
        let of_likely =
            |held: &&HeldForm| self.source(held.source).is_some_and(|of| of.label == Label::Likely);
        let taken: usize = self.secrets.iter().filter(of_likely).map(|held| usize::from(held.length)).sum();
        if taken + 3 * normal.len() > MOST_LIKELY_GRAMS {
            self.full = true;
        } else if !self.said.contains(&key.whole(&normal)) {
            self.hold_forms(key, source, value, of_words);
        }
    }

    fn hold_forms(&mut self, key: &Key, source: u16, secret: &str, of_words: bool) {
        let normal = normalised(secret.as_bytes());
        let reversed: Vec<u8> = normal.iter().rev().copied().collect();
        let rotated: Vec<u8> = normal.iter().map(|byte| rotated(*byte)).collect();
        [normal, reversed, rotated].iter().for_each(|form| self.hold(key, source, form, of_words));
    }

    fn hold(&mut self, key: &Key, source: u16, normal: &[u8], of_words: bool) {
        let normal = normal.get(..LONGEST).unwrap_or(normal);
        let whole = key.whole(normal);
        if let Some(at) = self.secrets.iter().position(|held| held.whole == whole) {
            let label = |number: u16| self.source(number).map(|source| source.label);
            let was_likely =
                label(self.secrets.get(at).map_or(source, |held| held.source)) == Some(Label::Likely);
            // A value that was only likely is now known to be a secret.
            if let Some(held) = self.secrets.get_mut(at).filter(|_| was_likely) {
                held.source = source;
                held.of_words &= of_words;
            }
            return;
        }
        let (Ok(number), Ok(length)) = (u16::try_from(self.secrets.len()), u16::try_from(normal.len()))
        else {
            return;
        };
        if self.grams.len() + normal.len() > MOST_GRAMS {
            self.full = true;
            return;
        }
        self.secrets.push(HeldForm { source, length, whole, of_words });
        let (grams, filter) = (&mut self.grams, &mut self.gram_filter);
        key.windows(normal, GRAM, |at, print| {
            let at = u16::try_from(at).unwrap_or(u16::MAX);
            grams.entry(print).or_insert((number, at));
            filter.add(print, grams.keys().copied());
        });
    }

    /// Whether a piece belongs to a secret of this source.
    pub(crate) fn is_of(&self, piece: &Piece, source: u16) -> bool {
        self.secrets.get(usize::from(piece.secret)).is_some_and(|held| held.source == source)
    }
}
