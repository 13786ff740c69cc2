//! Generates inputs without coverage: seeds and words of the format, cut, repeated, joined and damaged.

/// A pseudo-random number generator (xorshift64), so that a run can be repeated by its seed.
#[derive(Debug, Clone)]
pub struct SeededRandom(u64);

impl SeededRandom {
    /// From a seed; zero is replaced, because the generator would stay at zero.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(if seed == 0 { 0x9e37_79b9_7f4a_7c15 } else { seed })
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `most`; 0 if `most` is 0.
    pub fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.bits() % (most.max(1) as u64)).unwrap_or(0)
    }
}

/// Generates inputs from the seeds and words of a format.
#[derive(Debug, Clone)]
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

/// Boundary values of lengths and counts.
const EDGES: &[u8] = &[0, 1, 0x7f, 0x80, 0xff];

impl Mutator {
    /// From examples of valid input and words of the format.
    #[must_use]
    pub const fn new(seeds: Vec<Vec<u8>>, words: Vec<Vec<u8>>) -> Self {
        Self { seeds, words }
    }

    /// With these seeds in place of its own.
    #[must_use]
    pub fn with_seeds(self, seeds: Vec<Vec<u8>>) -> Self {
        Self { seeds, ..self }
    }

    /// One input.
    pub fn input(&self, random: &mut SeededRandom) -> Vec<u8> {
        match random.below(10) {
            0 => (0..random.below(300)).map(|_| random.bits().to_le_bytes()[0]).collect(),
            1 => self.repeated(random),
            2 | 3 => self.words(random),
            _ => {
                let mut bytes = self.seed(random);
                for _ in 0..=random.below(6) {
                    self.damage(&mut bytes, random);
                }
                bytes
            }
        }
    }

    fn seed(&self, random: &mut SeededRandom) -> Vec<u8> {
        self.seeds.get(random.below(self.seeds.len())).cloned().unwrap_or_default()
    }

    fn word(&self, random: &mut SeededRandom) -> &[u8] {
        self.words.get(random.below(self.words.len())).map_or(b"a", Vec::as_slice)
    }

    fn words(&self, random: &mut SeededRandom) -> Vec<u8> {
        (0..random.below(60)).flat_map(|_| self.word(random).iter().copied()).collect()
    }

    /// One or two words repeated many times: tests depth, and time that grows faster than the input.
    fn repeated(&self, random: &mut SeededRandom) -> Vec<u8> {
        let piece = [self.word(random), self.word(random)].concat();
        let most = if random.below(20) == 0 { 20_000 } else { 300 };
        piece.repeat(random.below(most))
    }

    fn damage(&self, bytes: &mut Vec<u8>, random: &mut SeededRandom) {
        let at = random.below(bytes.len() + 1);
        let end = at + random.below((bytes.len() - at).min(64) + 1);
        match random.below(8) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.truncate(at),
            2 => drop(bytes.splice(at..at, self.word(random).iter().copied())),
            3 => drop(bytes.splice(at..end, self.word(random).iter().copied())),
            4 => {
                let other = self.seed(random);
                let from = random.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend(other.get(from..).unwrap_or_default());
            }
            5 => {
                let again: Vec<u8> = bytes.get(at..end).unwrap_or_default().to_vec();
                drop(bytes.splice(at..at, again));
            }
            6 => {
                if let (Some(byte), Some(edge)) = (bytes.get_mut(at), EDGES.get(random.below(EDGES.len()))) {
                    *byte = *edge;
                }
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
    }
}
