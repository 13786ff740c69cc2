//! Kinds of facts, and sets of them.

/// Limit on kinds of facts: a set of kinds is a 64-bit number.
pub(crate) const MOST_KINDS: usize = 64;

/// A kind of fact, by its index in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Kind(pub(crate) u8);

/// A set of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kinds(pub(crate) u64);

impl Kinds {
    pub(crate) const fn has(self, kind: Kind) -> bool {
        self.0 & (1 << kind.0) != 0
    }

    pub(crate) const fn with(self, kind: Kind) -> Self {
        Self(self.0 | (1 << kind.0))
    }

    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn each(self) -> impl Iterator<Item = Kind> {
        (0..64_u8).map(Kind).filter(move |kind| self.has(*kind))
    }
}
