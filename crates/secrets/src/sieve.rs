//! One pass over the text that lets almost nothing through.
//!
//! Every rule shows four bytes that each of its matches must have at a known place, as four byte sets. The rules are spread
//! over 64 buckets, and a table row per byte value holds, for each of the four places, the buckets that accept it there. Four
//! look-ups and three ANDs per byte then say which buckets may match: no automaton, no state to miss the cache with (8 KiB in
//! all), letter case for free, and a build that takes microseconds. Whatever passes is checked by the rule itself.

use crate::shape::Set2;

/// What a pattern leads to.
pub(crate) type Target = u16;

/// Candidate positions of many rules at once.
#[derive(Debug)]
pub(crate) struct Sieve {
    rows: Box<[[u64; 4]; 256]>,
    /// Where in `patterns` each bucket begins and ends.
    buckets: [(u16, u16); BUCKETS],
    patterns: Vec<Pattern>,
    /// For every pattern its sets and what it leads to: read only for the few whose bytes fit.
    details: Vec<([Set2; 4], Target)>,
}

/// A pattern as one comparison of four bytes. Small: a bucket is a line or two of the cache.
#[derive(Debug)]
struct Pattern {
    /// Bits of the four bytes that are set before comparing: the case of letters.
    fold: u32,
    /// Bits that are compared.
    mask: u32,
    value: u32,
}

impl Pattern {
    fn new(quad: [Set2; 4]) -> Self {
        let bytes = quad.map(|set| match set {
            Set2::Byte(byte) => [0, 0xff, byte],
            Set2::Letter(byte) => [0x20, 0xff, byte | 0x20],
            Set2::Class(_) | Set2::Any => [0, 0, 0],
        });
        let [fold, mask, value] = [0, 1, 2].map(|place| {
            u32::from_le_bytes(bytes.map(|slot: [u8; 3]| slot.get(place).copied().unwrap_or(0)))
        });
        Self { fold, mask, value }
    }

    fn holds(&self, window: u32) -> bool {
        (window | self.fold) & self.mask == self.value
    }
}

const BUCKETS: usize = 64;
const EXACT_BUCKETS: usize = 24;

/// Puts patterns with the same beginnings together, evenly.
fn spread(patterns: Vec<([Set2; 4], Target)>, buckets: &mut [Vec<(Target, [Set2; 4])>]) {
    let head = |quad: &[Set2; 4]| [rank(quad[0]), rank(quad[1])];
    let mut heads: Vec<[u16; 2]> = patterns.iter().map(|(quad, _)| head(quad)).collect();
    heads.dedup();
    let each = heads.len().div_ceil(buckets.len().max(1)).max(1);
    for (quad, target) in patterns {
        let place = heads.iter().position(|own| *own == head(&quad)).unwrap_or(0) / each;
        if let Some(bucket) = buckets.get_mut(place) {
            bucket.push((target, quad));
        }
    }
}

impl Sieve {
    /// Builds the tables. Patterns with the same beginnings share a bucket, since a bucket accepts the cross product of its patterns.
    pub(crate) fn new(mut patterns: Vec<([Set2; 4], Target)>) -> Self {
        let mut buckets: Vec<Vec<(Target, [Set2; 4])>> = vec![Vec::new(); BUCKETS];
        patterns.sort_by_key(|(quad, target)| (quad.map(rank), *target));
        // A wide slot opens its whole bucket, so patterns with one keep to themselves and get more room.
        let (wide, exact): (Vec<_>, Vec<_>) =
            patterns.into_iter().partition(|(quad, _)| quad.iter().any(|set| set.is_wide()));
        let (few, many) = buckets.split_at_mut(EXACT_BUCKETS);
        spread(exact, few);
        spread(wide, many);
        let mut rows = Box::new([[0_u64; 4]; 256]);
        for (place, bucket) in buckets.iter().enumerate() {
            for (_, quad) in bucket {
                for (byte, row) in (0..=255_u8).zip(rows.iter_mut()) {
                    for (slot, set) in row.iter_mut().zip(quad) {
                        if set.holds(byte) {
                            *slot |= 1 << place;
                        }
                    }
                }
            }
        }
        let mut own = Self { rows, buckets: [(0, 0); BUCKETS], patterns: Vec::new(), details: Vec::new() };
        let place = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
        for (bucket, span) in buckets.into_iter().zip(&mut own.buckets) {
            span.0 = place(own.patterns.len());
            for (target, quad) in bucket {
                own.patterns.push(Pattern::new(quad));
                own.details.push((quad, target));
            }
            span.1 = place(own.patterns.len());
        }
        own
    }

    /// Calls `found(position, target)` wherever a pattern's four bytes stand. Text shorter than four bytes has none.
    pub(crate) fn candidates(&self, text: &[u8], mut found: impl FnMut(usize, Target)) {
        let rows = &*self.rows;
        let (mut one, mut two, mut three) = (0_u64, 0_u64, 0_u64);
        for (index, byte) in text.iter().enumerate() {
            #[allow(clippy::indexing_slicing)] // a u8 indexes 256 rows
            let row = &rows[usize::from(*byte)];
            let hit = three & row[3];
            three = two & row[2];
            two = one & row[1];
            one = row[0];
            if hit != 0 {
                self.hit(text, index - 3, hit, &mut found);
            }
        }
    }

    #[inline(never)]
    fn hit(&self, text: &[u8], pos: usize, mut hit: u64, found: &mut impl FnMut(usize, Target)) {
        let Some(window) = text.get(pos..).and_then(|rest| rest.first_chunk::<4>()) else { return };
        let bytes = u32::from_le_bytes(*window);
        while hit != 0 {
            let bucket = hit.trailing_zeros() as usize;
            hit &= hit - 1;
            let (from, to) = self.buckets.get(bucket).copied().unwrap_or_default();
            let (from, to) = (usize::from(from), usize::from(to));
            for (index, pattern) in self.patterns.get(from..to).into_iter().flatten().enumerate() {
                if pattern.holds(bytes)
                    && let Some((quad, target)) = self.details.get(from + index)
                    && quad.iter().zip(window).all(|(set, byte)| set.holds(*byte))
                {
                    found(pos, *target);
                }
            }
        }
    }
}

fn rank(set: Set2) -> u16 {
    match set {
        Set2::Byte(byte) => u16::from(byte),
        Set2::Letter(byte) => 256 + u16::from(byte),
        Set2::Class(_) => 600,
        Set2::Any => 601,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_every_pattern_is_found() {
        let quad = |text: &[u8; 4]| text.map(Set2::Byte);
        let sieve = Sieve::new(vec![
            (quad(b"ghp_"), 1),
            (quad(b"gho_"), 2),
            ([Set2::Letter(b'k'), Set2::Letter(b'e'), Set2::Letter(b'y'), Set2::Any], 3),
        ]);
        let mut found = vec![];
        sieve.candidates(b"ghp_ KEY= xgho_", |pos, target| found.push((pos, target)));
        assert_eq!(found, [(0, 1), (5, 3), (11, 2)]);
    }
}
