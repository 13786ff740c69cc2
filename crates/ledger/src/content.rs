//! Content that entries name by digest: a decision's facts and `Inspected`, and parts too long for an entry.
//!
//! A record's content is written in the same journal frame as its entry, so that one sync makes both durable. The
//! publisher moves it to bundles of 256 records (`contents/000`, named like the entry bundles). Its digests are in
//! the entry and so covered by the tree; the bundles aren't, and retention may remove a full one.
//!
//! Numbers are big-endian. Packed content of a record: for each content u32 length ‖ bytes. Bundle: for each record
//! with content u64 index ‖ u32 length ‖ packed content, in ascending order of index.

use crate::skim::skim;
use crate::tile;
use doorward_core::id::Digest;

/// Most bytes of one record's packed content.
pub const MAX_CONTENT: usize = 32 << 20;

/// Bytes before the packed content of a record in a bundle.
const HEAD: usize = 12;

/// An entry with its packed content.
pub(crate) type WithContents = (Vec<u8>, Vec<u8>);

/// Name of the content bundle that belongs to an entry bundle.
#[must_use]
pub fn bundle_path(number: u64) -> String {
    format!("contents/{}", tile::number_path(number))
}

/// Packs the contents of one record. `None` if they are longer than [`MAX_CONTENT`].
pub(crate) fn pack(contents: &[Vec<u8>]) -> Option<Vec<u8>> {
    let mut packed = Vec::with_capacity(contents.iter().map(|content| content.len() + 4).sum());
    for content in contents {
        packed.extend_from_slice(&u32::try_from(content.len()).ok()?.to_be_bytes());
        packed.extend_from_slice(content);
    }
    (packed.len() <= MAX_CONTENT).then_some(packed)
}

/// Iterates over the contents of one record. If [`Contents::rest`] isn't empty at the end, the packed bytes are
/// damaged.
#[derive(Debug, Clone)]
pub struct Contents<'a> {
    rest: &'a [u8],
}

impl<'a> Contents<'a> {
    /// From packed bytes.
    #[must_use]
    pub const fn new(packed: &'a [u8]) -> Self {
        Self { rest: packed }
    }

    /// The bytes that haven't been read or couldn't be.
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Contents<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.rest.split_first_chunk::<4>()?;
        let (content, rest) = rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
        self.rest = rest;
        Some(content)
    }
}

/// Appends the packed content of a record to a bundle.
pub(crate) fn push(bundle: &mut Vec<u8>, index: u64, packed: &[u8]) {
    let Ok(length) = u32::try_from(packed.len()) else { return };
    bundle.extend_from_slice(&index.to_be_bytes());
    bundle.extend_from_slice(&length.to_be_bytes());
    bundle.extend_from_slice(packed);
}

/// Iterates over a content bundle: index and packed content of each record. Stops at a length beyond the bundle's end
/// or at an index that doesn't ascend; then [`Bundle::rest`] isn't empty.
#[derive(Debug, Clone)]
pub struct Bundle<'a> {
    rest: &'a [u8],
    /// Indices allowed for the next record.
    next: std::ops::Range<u64>,
}

impl<'a> Bundle<'a> {
    /// From the bytes of bundle `number`.
    #[must_use]
    pub const fn new(number: u64, bytes: &'a [u8]) -> Self {
        let first = number.saturating_mul(tile::WIDTH);
        Self { rest: bytes, next: first..first.saturating_add(tile::WIDTH) }
    }

    /// The bytes that haven't been read or couldn't be.
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Bundle<'a> {
    type Item = (u64, &'a [u8]);

    fn next(&mut self) -> Option<(u64, &'a [u8])> {
        let (index, rest) = self.rest.split_first_chunk::<8>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let index = u64::from_be_bytes(*index);
        if !self.next.contains(&index) {
            return None;
        }
        let (packed, rest) = rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
        self.rest = rest;
        self.next.start = index.saturating_add(1);
        Some((index, packed))
    }
}

/// Number of bytes in a bundle that belong to records below `size`.
pub(crate) fn length_below(number: u64, bytes: &[u8], size: u64) -> usize {
    Bundle::new(number, bytes)
        .take_while(|(index, _)| *index < size)
        .map(|(_, packed)| packed.len().saturating_add(HEAD))
        .sum()
}

/// The digests of an entry's contents, in packed order.
///
/// Decisions before version 2 named content in separate files, which verification doesn't cover.
pub(crate) fn named(entry: &[u8]) -> Vec<Digest> {
    let Some(found) = skim(entry) else { return Vec::new() };
    let mut names = Vec::new();
    if found.kind == b"decision" && found.version != b"1" && !found.inspected.is_empty() {
        names.push(String::from_utf8_lossy(found.inspected).into_owned().into());
    }
    if !found.out_of_line.is_empty() {
        // An unreadable list is replaced by a name that no content matches.
        names.extend(
            serde_json::from_slice::<Vec<Digest>>(found.out_of_line)
                .unwrap_or_else(|_| vec![String::new().into()]),
        );
    }
    names
}

/// Whether packed content matches an entry: exactly the named digests.
pub(crate) fn fits(names: &[Digest], packed: &[u8]) -> bool {
    let mut contents = Contents::new(packed);
    let same = names.iter().all(|name| contents.next().is_some_and(|content| Digest::of(content) == *name));
    same && contents.rest().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_gives_back_what_was_put_in_and_stops_at_damage() {
        let one = pack(&[b"inspected".to_vec(), Vec::new()]).unwrap();
        let two = pack(&[b"x".to_vec()]).unwrap();
        let mut bytes = Vec::new();
        push(&mut bytes, 256, &one);
        push(&mut bytes, 300, &two);
        let read = |number, bytes| Bundle::new(number, bytes).map(|(index, _)| index).collect::<Vec<_>>();
        assert_eq!(read(1, &bytes), [256, 300]);
        assert_eq!(Contents::new(&one).collect::<Vec<_>>(), [&b"inspected"[..], b""]);
        assert_eq!(read(0, &bytes), [0_u64; 0], "another bundle's records");
        assert_eq!(read(2, &bytes), [0_u64; 0]);
        assert_eq!(length_below(1, &bytes, 300), HEAD + one.len());
        assert_eq!(length_below(1, &bytes, 301), bytes.len());
        for cut in 0..bytes.len() {
            let mut bundle = Bundle::new(1, &bytes[..cut]);
            let whole = usize::from(cut >= HEAD + one.len());
            assert_eq!(bundle.by_ref().count(), whole, "cut at {cut}");
            assert_eq!(bundle.rest().is_empty(), cut == 0 || cut == HEAD + one.len(), "cut at {cut}");
        }
        let mut twice = bytes.clone();
        push(&mut twice, 300, &two);
        assert_eq!(read(1, &twice), [256, 300], "an index doesn't come twice");
    }

    #[test]
    fn only_decisions_of_version_two_and_long_texts_name_content() {
        let names = |text: &str| named(text.as_bytes());
        assert_eq!(names(r#"{"inspected":"sha256:a","kind":"decision","v":2}"#), ["sha256:a"]);
        assert_eq!(
            names(r#"{"inspected":"sha256:a","kind":"decision","out_of_line":["sha256:b"],"v":2}"#),
            ["sha256:a", "sha256:b"]
        );
        assert_eq!(names(r#"{"kind":"note","out_of_line":["sha256:b"],"v":1}"#), ["sha256:b"]);
        for nothing in [
            r#"{"inspected":"sha256:a","kind":"decision","v":1}"#,
            r#"{"args":{"out_of_line":["sha256:b"]},"kind":"outcome","v":2}"#,
            "[]",
        ] {
            assert_eq!(names(nothing), [""; 0], "{nothing}");
        }
        assert_eq!(names(r#"{"kind":"note","out_of_line":"sha256:b"}"#), [""], "named, but nothing fits");
        assert!(!fits(&[String::new().into()], &pack(&[Vec::new()]).unwrap()));
    }

    #[test]
    fn content_fits_only_its_own_names() {
        let (one, two) = (b"one".to_vec(), b"two".to_vec());
        let names = [Digest::of(&one), Digest::of(&two)];
        let packed = |contents: &[Vec<u8>]| pack(contents).unwrap();
        assert!(fits(&names, &packed(&[one.clone(), two.clone()])));
        assert!(fits(&[], &[]));
        for wrong in [vec![], vec![one.clone()], vec![two.clone(), one.clone()], vec![one, two, Vec::new()]] {
            assert!(!fits(&names, &packed(&wrong)), "{wrong:?}");
        }
    }
}
