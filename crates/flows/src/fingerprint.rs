//! Keyed fingerprints of short byte runs, by which a value is recognised without being stored.
//!
//! Text is normalised first: ASCII letters become lower case, and everything that is neither a letter, a digit nor
//! part of a non-ASCII character is left out. The rest is hashed in windows by a cyclic polynomial whose table is
//! derived from a secret key: without the key a fingerprint reveals nothing about the text.

use std::sync::OnceLock;

use sha2::{Digest as _, Sha256};

use crate::common::Common;

/// The key of all fingerprints of an installation. Cheap to share behind an `Arc`.
pub struct Key {
    table: [u64; 256],
    finish: u64,
    common: OnceLock<Common>,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Key").finish_non_exhaustive()
    }
}

impl Key {
    /// The key made of these bytes, which should be random and at least 16.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        let mut table = [0; 256];
        for (byte, slot) in table.iter_mut().enumerate() {
            *slot = derived(bytes, byte);
        }
        Self { table, finish: derived(bytes, 256) | 1, common: OnceLock::new() }
    }

    /// The fingerprint of a whole normalised text.
    #[must_use]
    pub fn whole(&self, normal: &[u8]) -> u64 {
        self.mix(normal.iter().fold(normal.len() as u64, |hash, byte| hash.rotate_left(5) ^ self.of(*byte)))
    }

    /// The fingerprint of a name or address in a canonical form: `https://Host.example/x` and `git@host.example:x`
    /// equal `host.example/x`.
    pub(crate) fn name(&self, name: &str) -> u64 {
        let bare = name.split_once("://").map_or(name, |(_, rest)| rest);
        let bare = bare.strip_prefix("git@").unwrap_or(bare);
        let bare = bare.strip_suffix(".git").unwrap_or(bare);
        self.whole(&normalised(bare.as_bytes()))
    }

    /// Text and names that many unrelated packages have. Built on first use.
    pub(crate) fn common(&self) -> &Common {
        self.common.get_or_init(|| Common::of(self))
    }

    /// Calls `visit` with the position and fingerprint of every window of `width` bytes.
    pub fn windows(&self, normal: &[u8], width: u32, mut visit: impl FnMut(usize, u64)) {
        let length = width as usize;
        let Some((first, _)) = normal.split_at_checked(length) else { return };
        let mut hash = first.iter().fold(0_u64, |hash, byte| hash.rotate_left(1) ^ self.of(*byte));
        visit(0, self.mix(hash));
        for (at, (gone, come)) in normal.iter().zip(normal.iter().skip(length)).enumerate() {
            hash = hash.rotate_left(1) ^ self.of(*gone).rotate_left(width) ^ self.of(*come);
            visit(at + 1, self.mix(hash));
        }
    }

    fn of(&self, byte: u8) -> u64 {
        self.table.get(usize::from(byte)).copied().unwrap_or_default()
    }

    /// Spreads a hash over all bits. Never 0, which stands for "none".
    const fn mix(&self, hash: u64) -> u64 {
        let hash = (hash ^ (hash >> 31)).wrapping_mul(self.finish);
        (hash ^ (hash >> 29)) | 1
    }
}

fn derived(key: &[u8], number: usize) -> u64 {
    let mut hasher = Sha256::new();
    hasher.update(b"doorward flows fingerprint\0");
    hasher.update(u64::try_from(number).unwrap_or(u64::MAX).to_be_bytes());
    hasher.update(key);
    let digest = hasher.finalize();
    digest.iter().take(8).fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

/// A text, normalised for fingerprints.
#[must_use]
pub(crate) fn normalised(text: &[u8]) -> Vec<u8> {
    text.iter()
        .filter(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80)
        .map(u8::to_ascii_lowercase)
        .collect()
}

/// A Bloom filter with one bit for each fingerprint: it may have false positives but no false negatives. It saves a
/// map look-up for almost every window of ordinary text.
#[derive(Debug, Clone, Default)]
pub(crate) struct BloomFilter {
    bits: Vec<u64>,
    held: usize,
}

impl BloomFilter {
    /// Adds a fingerprint. `all` iterates over every fingerprint in the set, for growing the filter.
    pub(crate) fn add(&mut self, print: u64, all: impl Iterator<Item = u64>) {
        if self.held * 16 >= self.bits.len() * 64 {
            self.bits = vec![0; (self.bits.len() * 2).max(64)];
            all.for_each(|print| self.set(print));
        }
        self.held += 1;
        self.set(print);
    }

    /// Whether it may be in the set.
    #[must_use]
    pub(crate) fn may_hold(&self, print: u64) -> bool {
        let (word, bit) = self.place(print);
        self.bits.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// The set of these fingerprints.
    pub(crate) fn of(prints: impl Iterator<Item = u64> + Clone) -> Self {
        let held = prints.clone().count();
        let bits = vec![0; (held / 4 + 64).next_power_of_two()];
        let mut filter = Self { bits, held };
        prints.for_each(|print| filter.set(print));
        filter
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.bits.len() * 8
    }

    /// Whether nothing is in the set.
    #[must_use]
    pub(crate) const fn is_empty(&self) -> bool {
        self.held == 0
    }

    fn set(&mut self, print: u64) {
        let (word, bit) = self.place(print);
        if let Some(bits) = self.bits.get_mut(word) {
            *bits |= bit;
        }
    }

    /// The number of words is a power of two, so masking picks one evenly.
    const fn place(&self, print: u64) -> (usize, u64) {
        let place = (print >> 7) as usize;
        ((place >> 6) & self.bits.len().wrapping_sub(1), 1 << (place & 63))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_the_same_fingerprint_wherever_it_stands() {
        let key = Key::new(b"0123456789abcdef");
        let collect = |text: &[u8]| {
            let mut all = Vec::new();
            key.windows(text, 6, |_, print| all.push(print));
            all
        };
        let (alone, inside) = (collect(b"secret"), collect(b"xxsecretyy"));
        assert_eq!(alone.len(), 1);
        assert_eq!(inside.len(), 5);
        assert_eq!(inside[2], alone[0]);
        assert!(collect(b"short").is_empty());
        let other = Key::new(b"another key of 16");
        let mut print = 0;
        other.windows(b"secret", 6, |_, found| print = found);
        assert_ne!(print, alone[0], "another key gives other fingerprints");
    }

    #[test]
    fn the_filter_knows_what_was_added_after_growing() {
        let key = Key::new(b"0123456789abcdef");
        let prints: Vec<u64> = (0..10_000_u32).map(|n| key.whole(n.to_string().as_bytes())).collect();
        let mut filter = BloomFilter::default();
        for (at, print) in prints.iter().enumerate() {
            filter.add(*print, prints[..at].iter().copied());
        }
        assert!(prints.iter().all(|print| filter.may_hold(*print)));
        let strangers = (10_000..20_000_u32).filter(|n| filter.may_hold(key.whole(n.to_string().as_bytes())));
        assert!(strangers.count() < 1_500, "about one in sixteen may pass");
    }

    #[test]
    fn normalising_leaves_letters_and_digits() {
        assert_eq!(normalised(b"wJal/rX U-t'n'"), b"wjalrxutn");
        assert_eq!(normalised("é".as_bytes()), "é".as_bytes());
    }
}
