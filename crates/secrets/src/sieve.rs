//! A single pass over the text that finds few candidates.
//!
//! Every rule has four bytes that each of its matches must contain at a known offset, as four byte sets. The rules
//! are spread over 64 buckets, and a table has, for each byte value and each of the four offsets, the buckets that
//! accept it. Four look-ups and three ANDs per byte then give the buckets that may match: no automaton, no state
//! that misses the cache (8 KiB in all), letter case for free, and construction in microseconds. The rule itself
//! checks each candidate.

use crate::shape::Set2;

/// Identifies the rule of a pattern.
pub(crate) type Target = u16;

/// Candidate positions of many rules at once.
#[derive(Debug)]
pub(crate) struct Sieve {
    rows: Box<[[u64; 4]; 256]>,
    /// Start and end of each bucket in `patterns`.
    buckets: [(u16, u16); BUCKETS],
    patterns: Vec<Pattern>,
    /// The sets and target of every pattern: read only for the few whose bytes match.
    details: Vec<([Set2; 4], Target)>,
}

/// A pattern as one comparison of four bytes. Small: a bucket is one or two cache lines.
#[derive(Debug)]
struct Pattern {
    /// Bits set in the four bytes before comparing: the case of letters.
    fold: u32,
    /// Compared bits.
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

/// Frequency of each byte in program text and prose, per thousand: the cost of accepting it.
static SHARES: [u32; 256] = {
    let mut shares = [1; 256];
    let mut byte = 0_usize;
    while byte < 256 {
        #[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)]
        // constant evaluation, bounded by the loop
        {
            shares[byte] = match byte as u8 {
                b' ' => 160,
                b'e' => 70,
                b't' | b'a' | b'i' | b'n' | b'o' | b'r' | b's' => 48,
                b'c' | b'd' | b'l' | b'p' | b'u' | b'm' | b'_' | b'f' => 24,
                b'a'..=b'z' | b'\n' | b'.' | b',' | b'(' | b')' | b'0' | b'1' | b'"' | b'/' | b':' | b'=' => {
                    11
                }
                b'!'..=b'~' => 4,
                _ => 1,
            };
        }
        byte += 1;
    }
    shares
};

/// A set of bytes and their total frequency.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Bytes {
    members: [u64; 4],
    share: u32,
}

impl Bytes {
    fn of(set: Set2) -> Self {
        let mut own = Self::default();
        match set {
            Set2::Byte(byte) => own.add(byte),
            Set2::Letter(byte) => {
                own.add(byte.to_ascii_lowercase());
                own.add(byte.to_ascii_uppercase());
            }
            Set2::Class(_) | Set2::Any => {
                (0..=255_u8).filter(|byte| set.holds(*byte)).for_each(|byte| own.add(byte));
            }
        }
        own
    }

    fn add(&mut self, byte: u8) {
        if let Some(word) = self.members.get_mut(usize::from(byte >> 6)) {
            let bit = 1 << (byte & 63);
            if *word & bit == 0 {
                *word |= bit;
                self.share += SHARES.get(usize::from(byte)).copied().unwrap_or(1);
            }
        }
    }

    /// The frequency of the union.
    fn share_with(&self, other: &Self) -> u32 {
        if self.share == 0 {
            return other.share;
        }
        let mut share = self.share;
        for (index, (own, other)) in self.members.iter().zip(other.members).enumerate() {
            let mut new = other & !own;
            while new != 0 {
                share += SHARES.get(index * 64 + new.trailing_zeros() as usize).copied().unwrap_or(1);
                new &= new - 1;
            }
        }
        share
    }

    fn join(&mut self, other: &Self) {
        self.share = self.share_with(other);
        for (own, other) in self.members.iter_mut().zip(other.members) {
            *own |= other;
        }
    }
}

/// Expected candidates of a bucket, in a fixed number of positions.
fn passes(bucket: &[Bytes; 4]) -> u64 {
    bucket.iter().map(|bytes| u64::from(bytes.share)).product()
}

/// Additional candidates if a pattern is added.
fn cost(bucket: &[Bytes; 4], pattern: &[Bytes; 4]) -> u64 {
    let joined: u64 = bucket.iter().zip(pattern).map(|(own, more)| u64::from(own.share_with(more))).product();
    joined - passes(bucket)
}

/// Puts every pattern into the bucket where it adds the fewest candidates: a bucket accepts the cross product of
/// its patterns' sets.
fn spread(patterns: Vec<([Set2; 4], Target)>) -> Vec<Vec<(Target, [Set2; 4])>> {
    let mut buckets: Vec<Vec<(Target, [Set2; 4])>> = vec![Vec::new(); BUCKETS];
    let mut open = [[Bytes::default(); 4]; BUCKETS];
    // There are few classes, and expanding one is slow.
    let mut known: Vec<(Set2, Bytes)> = Vec::new();
    let mut bytes_of = |set: Set2| match known.iter().find(|(own, _)| *own == set) {
        Some((_, bytes)) => *bytes,
        None => {
            let bytes = Bytes::of(set);
            if matches!(set, Set2::Class(_) | Set2::Any) {
                known.push((set, bytes));
            }
            bytes
        }
    };
    let mut patterns: Vec<_> =
        patterns.into_iter().map(|(quad, target)| (quad.map(&mut bytes_of), quad, target)).collect();
    // The widest first: they determine the buckets.
    patterns.sort_by_cached_key(|(bytes, quad, target)| {
        (std::cmp::Reverse(passes(bytes)), quad.map(rank), *target)
    });
    let mut last: Option<([Bytes; 4], usize)> = None;
    for (bytes, quad, target) in patterns {
        let place = match last {
            Some((same, place)) if same == bytes => place,
            _ => {
                let costs = open.iter().map(|own| cost(own, &bytes)).enumerate();
                costs.min_by_key(|(_, cost)| *cost).map_or(0, |(place, _)| place)
            }
        };
        last = Some((bytes, place));
        if let (Some(bucket), Some(own)) = (buckets.get_mut(place), open.get_mut(place)) {
            bucket.push((target, quad));
            own.iter_mut().zip(&bytes).for_each(|(own, more)| own.join(more));
        }
    }
    buckets
}

impl Sieve {
    /// Builds the tables.
    pub(crate) fn new(patterns: Vec<([Set2; 4], Target)>) -> Self {
        let buckets = spread(patterns);
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

    /// Calls `found(position, target)` wherever a pattern's four bytes match. Text shorter than four bytes has no
    /// match.
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
