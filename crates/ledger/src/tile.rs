//! Tiles and entry bundles of C2SP tlog-tiles: names, widths and encoding.

use crate::tree::Hash;

/// Number of hashes in a full tile, and of entries in a full bundle.
pub const WIDTH: u64 = 256;
/// Longest entry that fits into a bundle, in bytes.
pub const MAX_ENTRY: usize = 65_535;
/// Most levels of tiles for a 64-bit size.
pub const LEVELS: u8 = 8;

/// Number of hashes in the partial tile of `level` at `size`; 0 if there is none.
#[must_use]
pub const fn partial_width(size: u64, level: u8) -> u64 {
    full_tiles_hashes(size, level) % WIDTH
}

/// Number of full tiles in `level` at `size`.
#[must_use]
pub const fn full_tiles(size: u64, level: u8) -> u64 {
    full_tiles_hashes(size, level) / WIDTH
}

/// Number of hashes in `level` at `size`: floor(size / 256^level).
#[must_use]
pub const fn full_tiles_hashes(size: u64, level: u8) -> u64 {
    match size.checked_shr(8 * level as u32) {
        Some(hashes) => hashes,
        None => 0,
    }
}

/// `tile/<L>/<N>[.p/<W>]`; a width of 256 (or more) names the full tile.
#[must_use]
pub fn tile_path(level: u8, number: u64, width: u64) -> String {
    format!("tile/{level}/{}", name(number, width))
}

/// `tile/entries/<N>[.p/<W>]`.
#[must_use]
pub fn bundle_path(number: u64, width: u64) -> String {
    format!("tile/entries/{}", name(number, width))
}

fn name(number: u64, width: u64) -> String {
    let mut name = number_path(number);
    if width < WIDTH {
        name.push_str(&format!(".p/{width}"));
    }
    name
}

/// A number in the path of a tile or bundle: `x001/234`.
pub(crate) fn number_path(number: u64) -> String {
    let mut groups = vec![format!("{:03}", number % 1000)];
    let mut rest = number / 1000;
    while rest > 0 {
        groups.push(format!("x{:03}", rest % 1000));
        rest /= 1000;
    }
    groups.reverse();
    groups.join("/")
}

/// The hashes of a tile file. Ignores a rest shorter than 32 bytes; the caller sees it from the file's length.
pub fn hashes(bytes: &[u8]) -> impl Iterator<Item = Hash> + '_ {
    bytes.as_chunks::<32>().0.iter().copied()
}

/// Adds one entry to a bundle: u16 big-endian length, then the entry.
///
/// Callers never pass entries longer than [`MAX_ENTRY`]; such a call adds nothing.
pub fn push_entry(bundle: &mut Vec<u8>, entry: &[u8]) {
    if let Ok(length) = u16::try_from(entry.len()) {
        bundle.extend_from_slice(&length.to_be_bytes());
        bundle.extend_from_slice(entry);
    }
}

/// Iterates over the entries of a bundle. Stops at a length beyond the bundle's end; then [`Entries::rest`] isn't
/// empty.
#[derive(Debug, Clone)]
pub struct Entries<'a> {
    rest: &'a [u8],
}

impl<'a> Entries<'a> {
    /// From the bytes of a bundle.
    #[must_use]
    pub const fn new(bundle: &'a [u8]) -> Self {
        Self { rest: bundle }
    }

    /// The bytes that haven't been read or couldn't be.
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.rest.split_first_chunk::<2>()?;
        let (entry, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
        self.rest = rest;
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_specification() {
        assert_eq!(tile_path(0, 1_234_067, 256), "tile/0/x001/x234/067");
        assert_eq!(tile_path(1, 0, 17), "tile/1/000.p/17");
        assert_eq!(bundle_path(273, 112), "tile/entries/273.p/112");
        assert_eq!(bundle_path(1_000, 256), "tile/entries/x001/000");
    }

    #[test]
    fn a_size_of_70_000_has_the_tiles_of_the_specification() {
        let shape = |level| (full_tiles(70_000, level), partial_width(70_000, level));
        assert_eq!([shape(0), shape(1), shape(2), shape(3)], [(273, 112), (1, 17), (0, 1), (0, 0)]);
        assert_eq!((full_tiles(256, 0), partial_width(256, 0), partial_width(256, 1)), (1, 0, 1));
    }

    #[test]
    fn a_bundle_gives_back_its_entries_and_shows_what_is_cut() {
        let mut bundle = Vec::new();
        let long = vec![b'x'; MAX_ENTRY];
        let all: [&[u8]; 3] = [b"one", b"", &long];
        all.iter().for_each(|entry| push_entry(&mut bundle, entry));
        assert_eq!(Entries::new(&bundle).collect::<Vec<_>>(), all);
        let mut cut = Entries::new(&bundle[..bundle.len() - 1]);
        assert_eq!(cut.by_ref().count(), 2);
        assert!(!cut.rest().is_empty());
    }
}
