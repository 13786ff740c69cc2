//! The Merkle tree of RFC 6962: hashes, the growing edge, and both kinds of proof.
//!
//! Pure computation on hashes; stored nodes are read through [`Nodes`]. Verification follows RFC 9162, sections
//! 2.1.3.2 and 2.1.4.2.

use sha2::{Digest as _, Sha256};

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// Hash of one entry: SHA-256(0x00 ‖ entry).
#[must_use]
pub fn leaf(entry: &[u8]) -> Hash {
    Sha256::new_with_prefix([0]).chain_update(entry).finalize().into()
}

/// Hash of an inner node: SHA-256(0x01 ‖ left ‖ right).
#[must_use]
pub fn node(left: &Hash, right: &Hash) -> Hash {
    Sha256::new_with_prefix([1]).chain_update(left).chain_update(right).finalize().into()
}

/// Root of the empty tree: SHA-256 of nothing.
#[must_use]
pub fn empty() -> Hash {
    Sha256::digest([]).into()
}

/// The right edge of a growing tree: the roots of its complete subtrees, largest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edge {
    size: u64,
    peaks: Vec<(u32, Hash)>,
}

impl Edge {
    /// Number of leaves.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The edge of a stored tree.
    ///
    /// # Errors
    /// The error of the node source.
    pub fn load<N: Nodes>(nodes: &N, size: u64) -> Result<Self, N::Error> {
        let mut edge = Self::default();
        for level in (0..u64::BITS).rev().filter(|level| size >> level & 1 == 1) {
            edge.peaks.push((level, nodes.subtree(level, edge.size >> level)?));
            edge.size = edge.size.saturating_add(1 << level);
        }
        Ok(edge)
    }

    /// Adds one leaf.
    pub fn push(&mut self, leaf: Hash) {
        self.push_subtree(0, leaf);
    }

    /// Adds a complete subtree of `2^level` leaves. The current size must be a multiple of that, else the root is
    /// wrong.
    pub fn push_subtree(&mut self, level: u32, hash: Hash) {
        let (mut level, mut hash) = (level, hash);
        self.size = self.size.saturating_add(1_u64.checked_shl(level).unwrap_or(0));
        while let Some((_, left)) = self.peaks.pop_if(|(peak, _)| *peak == level) {
            hash = node(&left, &hash);
            level = level.saturating_add(1);
        }
        self.peaks.push((level, hash));
    }

    /// The root at this size.
    #[must_use]
    pub fn root(&self) -> Hash {
        self.peaks
            .iter()
            .rev()
            .map(|(_, hash)| *hash)
            .reduce(|right, left| node(&left, &right))
            .unwrap_or_else(empty)
    }
}

/// Root over a list of leaf hashes of any length.
#[must_use]
pub fn root_of(leaves: &[Hash]) -> Hash {
    let mut edge = Edge::default();
    leaves.iter().for_each(|leaf| edge.push(*leaf));
    edge.root()
}

/// Source of the hashes of complete subtrees.
pub trait Nodes {
    /// Error of the source.
    type Error;

    /// Hash of the subtree over leaves `index << level .. (index + 1) << level`.
    ///
    /// # Errors
    /// If the node isn't available.
    fn subtree(&self, level: u32, index: u64) -> Result<Hash, Self::Error>;
}

/// The proof that leaf `index` is in the tree of `size`: siblings from the leaf up.
///
/// # Errors
/// The error of the node source. `index` must be below `size`; otherwise the proof is empty and proves nothing.
pub fn inclusion<N: Nodes>(nodes: &N, index: u64, size: u64) -> Result<Vec<Hash>, N::Error> {
    let (mut low, mut high) = (0_u64, size);
    let mut path = Vec::new();
    if index >= size {
        return Ok(path);
    }
    while high.saturating_sub(low) > 1 {
        let middle = low.saturating_add(split(high.saturating_sub(low)));
        if index < middle {
            path.push(range(nodes, middle, high)?);
            high = middle;
        } else {
            path.push(range(nodes, low, middle)?);
            low = middle;
        }
    }
    path.reverse();
    Ok(path)
}

/// The proof that the tree of `new` leaves begins with the tree of `old` leaves.
///
/// # Errors
/// The error of the node source. If `old` is 0 or not below `new`, the proof is empty, as in RFC 6962.
pub fn consistency<N: Nodes>(nodes: &N, old: u64, new: u64) -> Result<Vec<Hash>, N::Error> {
    let mut proof = Vec::new();
    if old == 0 || old >= new {
        return Ok(proof);
    }
    let (mut low, mut high, mut known) = (0_u64, new, true);
    while high != old {
        let middle = low.saturating_add(split(high.saturating_sub(low)));
        if old <= middle {
            proof.push(range(nodes, middle, high)?);
            high = middle;
        } else {
            proof.push(range(nodes, low, middle)?);
            low = middle;
            known = false;
        }
    }
    if !known {
        proof.push(range(nodes, low, high)?);
    }
    proof.reverse();
    Ok(proof)
}

/// Hash over leaves `low..high`, where `low` is a multiple of the largest power of two not above the length.
///
/// # Errors
/// The error of the node source.
pub fn range<N: Nodes>(nodes: &N, low: u64, high: u64) -> Result<Hash, N::Error> {
    let mut parts = Vec::new();
    let mut at = low;
    while at < high {
        let level = (high - at).ilog2().min(at.checked_ilog2().map_or(u32::MAX, |_| at.trailing_zeros()));
        parts.push(nodes.subtree(level, at >> level)?);
        at = at.saturating_add(1 << level);
    }
    Ok(parts.into_iter().rev().reduce(|right, left| node(&left, &right)).unwrap_or_else(empty))
}

/// Whether `path` proves `leaf` at `index` under `root` of `size` (RFC 9162, 2.1.3.2).
#[must_use]
pub fn verify_inclusion(leaf: &Hash, index: u64, size: u64, path: &[Hash], root: &Hash) -> bool {
    if index >= size {
        return false;
    }
    let (mut at, mut last, mut hash) = (index, size - 1, *leaf);
    for sibling in path {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            hash = node(sibling, &hash);
            while at & 1 == 0 && at != 0 {
                at >>= 1;
                last >>= 1;
            }
        } else {
            hash = node(&hash, sibling);
        }
        at >>= 1;
        last >>= 1;
    }
    last == 0 && hash == *root
}

/// Whether `path` proves that `new_root` of `new` extends `old_root` of `old` (RFC 9162, 2.1.4.2).
#[must_use]
pub fn verify_consistency(old: u64, new: u64, path: &[Hash], old_root: &Hash, new_root: &Hash) -> bool {
    if old == new {
        return path.is_empty() && old_root == new_root;
    }
    if old > new {
        return false;
    }
    if old == 0 {
        return path.is_empty() && *old_root == empty();
    }
    // If the old tree is one complete subtree, its root is the first hash and isn't repeated.
    let whole = old.is_power_of_two();
    let mut rest = path.iter();
    let Some(first) = (if whole { Some(old_root) } else { rest.next() }) else { return false };
    let (mut at, mut last) = (old - 1, new - 1);
    while at & 1 == 1 {
        at >>= 1;
        last >>= 1;
    }
    let (mut from_old, mut from_new) = (*first, *first);
    for sibling in rest {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            from_old = node(sibling, &from_old);
            from_new = node(sibling, &from_new);
            while at & 1 == 0 && at != 0 {
                at >>= 1;
                last >>= 1;
            }
        } else {
            from_new = node(&from_new, sibling);
        }
        at >>= 1;
        last >>= 1;
    }
    last == 0 && from_old == *old_root && from_new == *new_root
}

/// The largest power of two below `n`, for `n` ≥ 2.
const fn split(n: u64) -> u64 {
    match n.saturating_sub(1).checked_ilog2() {
        Some(log) => 1 << log,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Leaves(Vec<Hash>);

    impl Nodes for Leaves {
        type Error = ();

        fn subtree(&self, level: u32, index: u64) -> Result<Hash, ()> {
            let (from, to) = ((index << level) as usize, ((index + 1) << level) as usize);
            self.0.get(from..to).map(definition).ok_or(())
        }
    }

    /// MTH as RFC 6962 defines it, by recursion.
    fn definition(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => empty(),
            [one] => *one,
            many => {
                let (left, right) = many.split_at(split(many.len() as u64) as usize);
                node(&definition(left), &definition(right))
            }
        }
    }

    #[test]
    fn every_proof_of_every_small_tree_holds_and_no_other_does() {
        let leaves: Vec<Hash> = (0_u8..70).map(|n| leaf(&[n])).collect();
        let source = Leaves(leaves.clone());
        for size in 1..=70_u64 {
            let root = root_of(&leaves[..size as usize]);
            assert_eq!(root, definition(&leaves[..size as usize]), "size {size}");
            for index in 0..size {
                let path = inclusion(&source, index, size).unwrap();
                let own = &leaves[index as usize];
                assert!(verify_inclusion(own, index, size, &path, &root), "{index} in {size}");
                assert!(!verify_inclusion(&leaf(b"x"), index, size, &path, &root));
                assert!(index == 0 || !verify_inclusion(own, index - 1, size, &path, &root));
                if let Some((_, shorter)) = path.split_last() {
                    assert!(!verify_inclusion(own, index, size, shorter, &root));
                }
            }
            for old in 1..=size {
                let before = root_of(&leaves[..old as usize]);
                let path = consistency(&source, old, size).unwrap();
                assert!(verify_consistency(old, size, &path, &before, &root), "{old} to {size}");
                assert!(!verify_consistency(old, size, &path, &leaf(b"x"), &root));
                assert!(!verify_consistency(old, size, &path, &before, &leaf(b"x")));
                let mut longer = path.clone();
                longer.push(leaf(b"x"));
                assert!(!verify_consistency(old, size, &longer, &before, &root));
            }
        }
    }

    #[test]
    fn whole_subtrees_can_be_pushed_at_once() {
        let leaves: Vec<Hash> = (0..600_u32).map(|n| leaf(&n.to_be_bytes())).collect();
        let mut edge = Edge::default();
        for full in leaves[..512].chunks(256) {
            edge.push_subtree(8, root_of(full));
        }
        leaves[512..].iter().for_each(|leaf| edge.push(*leaf));
        assert_eq!((edge.size(), edge.root()), (600, root_of(&leaves)));
    }
}
