//! Journal segments: the durable write path. A header, then frames with index and checksum; how they are
//! written, and what the end of one may look like after a crash.
//!
//! A frame holds an entry together with the content that the entry names, so that neither can be there without the
//! other. A batch of frames goes out in one write and one sync, and is never longer than [`MAX_BATCH`] unless it is a
//! single frame. So what a crash can spoil is the last batch, by cutting it or by leaving blocks of zeros in it.
//! Anything else that is wrong is damage, never a torn tail.
//!
//! Frame, big-endian: u32 length of the entry ‖ u32 length of the packed content ‖ u32 CRC-32C(both lengths ‖ index ‖
//! entry ‖ content) ‖ u64 index ‖ entry ‖ content.

use sha2::{Digest as _, Sha256};

use crate::content::MAX_CONTENT;
use crate::tile::MAX_ENTRY;
use crate::tree::Hash;

/// Bytes of a segment's header.
pub const HEADER: usize = 64;
/// Bytes before the entry in a frame.
pub const FRAME: usize = 20;
/// The most bytes one write puts out, unless a single frame is longer.
pub const MAX_BATCH: usize = 1 << 20;

const MAGIC: &[u8; 4] = b"DWJ2";
/// Segments whose frames hold no content.
const OLD_MAGIC: &[u8; 4] = b"DWJ1";
const BLOCK: usize = 512;

/// Name of the segment that begins with `first`.
#[must_use]
pub fn segment_name(first: u64) -> String {
    format!("{first:016x}.j")
}

/// The first index a segment's name tells; `None` if it isn't one.
#[must_use]
pub fn first_of_name(name: &str) -> Option<u64> {
    let digits = name.strip_suffix(".j").filter(|digits| digits.len() == 16)?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    u64::from_str_radix(digits, 16).ok().filter(|_| plain)
}

/// The header of a segment.
#[must_use]
pub fn header(origin: &str, first: u64, created_ms: u64) -> [u8; HEADER] {
    let fields: [&[u8]; 6] = [
        MAGIC,
        &0_u32.to_be_bytes(),
        &first.to_be_bytes(),
        &Hash::from(Sha256::digest(origin.as_bytes())),
        &created_ms.to_be_bytes(),
        &[0; 4],
    ];
    let mut bytes = fields.concat();
    bytes.extend_from_slice(&crc32c::crc32c(&bytes).to_be_bytes());
    bytes.try_into().unwrap_or([0; HEADER])
}

/// Whether these are the bytes of a header for this log that begins with `first`.
#[must_use]
pub fn header_fits(bytes: &[u8], origin: &str, first: u64) -> bool {
    let created = bytes.get(48..56).and_then(|field| field.try_into().ok()).map(u64::from_be_bytes);
    created.is_some_and(|created| bytes.get(..HEADER) == Some(header(origin, first, created).as_slice()))
}

/// An entry with its place, and the content that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Index in the log.
    pub index: u64,
    /// The entry.
    pub entry: &'a [u8],
    /// Its contents, packed.
    pub contents: &'a [u8],
}

/// Adds a frame to a batch. An entry of no length or beyond [`MAX_ENTRY`] and content beyond [`MAX_CONTENT`] make no
/// frame; such entries never get here.
pub fn push_frame(batch: &mut Vec<u8>, frame: Frame<'_>) {
    let lengths = (u32::try_from(frame.entry.len()), u32::try_from(frame.contents.len()));
    let (Ok(entry), Ok(contents)) = lengths else { return };
    let (entry, contents, index) = (entry.to_be_bytes(), contents.to_be_bytes(), frame.index.to_be_bytes());
    let sum = checksum([&entry, &contents, &index, frame.entry, frame.contents]).to_be_bytes();
    for part in [&entry[..], &contents, &sum, &index, frame.entry, frame.contents] {
        batch.extend_from_slice(part);
    }
}

fn checksum(parts: [&[u8]; 5]) -> u32 {
    parts.into_iter().fold(0, crc32c::crc32c_append)
}

/// Reads the frame at the start of `bytes` that must have `index`, and what follows it.
#[must_use]
pub fn read_frame(bytes: &[u8], index: u64) -> Option<(Frame<'_>, &[u8])> {
    any_frame(bytes).filter(|(frame, _)| frame.index == index)
}

/// Bytes of the frame at the start of `bytes`, as far as its own lengths can be believed. `None` where they can't, or
/// aren't there.
#[must_use]
pub fn frame_length(bytes: &[u8]) -> Option<usize> {
    let (entry, rest) = bytes.split_first_chunk::<4>()?;
    let contents = rest.first_chunk::<4>()?;
    let entry = usize::try_from(u32::from_be_bytes(*entry)).ok()?;
    let contents = usize::try_from(u32::from_be_bytes(*contents)).ok()?;
    let possible = (1..=MAX_ENTRY).contains(&entry) && contents <= MAX_CONTENT;
    possible.then(|| FRAME.saturating_add(entry).saturating_add(contents))
}

fn any_frame(bytes: &[u8]) -> Option<(Frame<'_>, &[u8])> {
    let (frame, behind) = bytes.split_at_checked(frame_length(bytes)?)?;
    let (entry, rest) = frame.split_first_chunk::<4>()?;
    let (contents, rest) = rest.split_first_chunk::<4>()?;
    let (sum, rest) = rest.split_first_chunk::<4>()?;
    let (index, rest) = rest.split_first_chunk::<8>()?;
    let length = usize::try_from(u32::from_be_bytes(*entry)).ok()?;
    let (body, packed) = rest.split_at_checked(length)?;
    let same = u32::from_be_bytes(*sum) == checksum([entry, contents, index, body, packed]);
    same.then_some((Frame { index: u64::from_be_bytes(*index), entry: body, contents: packed }, behind))
}

/// How a segment ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With a whole frame.
    Clean,
    /// With an unfinished write. What is good ends at the segment's `good` bytes.
    Torn,
    /// With something no crash leaves behind, at this index.
    Bad,
    /// A good frame, but of another index than follows.
    Gap,
    /// Nothing of it was read: an earlier version wrote it.
    Old,
}

/// The frames of one segment.
#[derive(Debug, Clone)]
pub struct Scan {
    /// Index of the first frame.
    pub first: u64,
    /// Index behind the last good frame.
    pub next: u64,
    /// Bytes up to there, header included.
    pub good: usize,
    /// What comes then.
    pub end: End,
}

/// Walks the frames of a segment, giving each entry to `visit` until there is no further good one.
/// `last`: whether it is the last segment, the only one a crash can leave unfinished.
pub fn scan<'a>(
    bytes: &'a [u8],
    origin: &str,
    first: u64,
    last: bool,
    mut visit: impl FnMut(Frame<'a>),
) -> Scan {
    let mut scan = Scan { first, next: first, good: 0, end: End::Clean };
    if !header_fits(bytes, origin, first) {
        // A crash right after creation leaves no header, a part of it, or zeros; never frames behind it.
        let whole = header(origin, first, 0);
        let begun =
            bytes.len() < HEADER && whole.get(..bytes.len().min(48)) == bytes.get(..bytes.len().min(48));
        let torn = last && (begun || (bytes.len() <= HEADER && bytes.iter().all(|byte| *byte == 0)));
        scan.end = match torn {
            true => End::Torn,
            false if bytes.starts_with(OLD_MAGIC) => End::Old,
            false => End::Bad,
        };
        return scan;
    }
    let mut rest = bytes.get(HEADER..).unwrap_or_default();
    while let Some((frame, behind)) = read_frame(rest, scan.next) {
        visit(frame);
        scan.next = scan.next.saturating_add(1);
        rest = behind;
    }
    scan.good = bytes.len().saturating_sub(rest.len());
    scan.end = match (rest.is_empty(), last) {
        (true, _) => End::Clean,
        (false, true) if could_be_torn(rest, scan.good) => End::Torn,
        (false, _) if any_frame(rest).is_some() => End::Gap,
        (false, _) => End::Bad,
    };
    scan
}

/// Whether a crash during the last write can have left these bytes, from `offset` of the segment on, where a
/// frame should begin.
fn could_be_torn(rest: &[u8], offset: usize) -> bool {
    if rest.len() > MAX_BATCH.max(FRAME + MAX_ENTRY + MAX_CONTENT) || any_frame(rest).is_some() {
        return false;
    }
    // A whole frame with a wrong checksum, or a good frame behind the bad one: only a block that never
    // reached the disk explains that.
    has_hole(rest, offset) || !(is_whole(rest) || frame_follows(rest))
}

/// Whether some block of the disk is all zeros as far as it lies in `rest`.
fn has_hole(rest: &[u8], offset: usize) -> bool {
    let head = (BLOCK - offset % BLOCK).min(rest.len());
    let (head, blocks) = rest.split_at_checked(head).unwrap_or((rest, &[]));
    let zeros = |block: &[u8]| !block.is_empty() && block.iter().all(|byte| *byte == 0);
    // Up to three zeros at the border may be the start of a length.
    (head.len() >= 4 && zeros(head)) || blocks.chunks(BLOCK).any(zeros)
}

/// Whether the lengths of the frame are possible and its bytes are all there.
fn is_whole(rest: &[u8]) -> bool {
    frame_length(rest).is_some_and(|length| rest.len() >= length)
}

/// Whether any good frame begins behind the first byte.
fn frame_follows(rest: &[u8]) -> bool {
    (1..rest.len().saturating_sub(FRAME)).any(|at| {
        let tail = rest.get(at..).unwrap_or_default();
        // The two high bytes of an entry's length are zero; this skips almost every position without a checksum.
        tail.starts_with(&[0, 0]) && any_frame(tail).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(frames: u64) -> Vec<u8> {
        let mut bytes = header("log.example/a", 10, 1_700_000_000_000).to_vec();
        for index in 10..10 + frames {
            let entry = format!("entry {index}");
            push_frame(&mut bytes, Frame { index, entry: entry.as_bytes(), contents: b"content" });
        }
        bytes
    }

    fn scanned(bytes: &[u8], last: bool) -> (u64, End) {
        let scan = scan(bytes, "log.example/a", 10, last, |_| {});
        (scan.next, scan.end)
    }

    #[test]
    fn every_cut_of_the_last_segment_is_a_torn_tail_and_of_an_earlier_one_damage() {
        let whole = segment(3);
        assert_eq!(scanned(&whole, true), (13, End::Clean));
        for cut in 0..whole.len() {
            let (next, end) = scanned(&whole[..cut], true);
            let clean = [64, 64 + 35, 64 + 70].contains(&cut);
            assert_eq!(end, if clean { End::Clean } else { End::Torn }, "cut at {cut}");
            assert_eq!(next, 10 + (cut.saturating_sub(64) / 35) as u64);
            assert!(clean || scanned(&whole[..cut], false).1 == End::Bad, "cut at {cut}");
        }
    }

    #[test]
    fn a_flipped_byte_before_good_frames_is_never_a_torn_tail() {
        let whole = segment(5);
        for at in 0..whole.len() - 35 {
            let mut bad = whole.clone();
            bad[at] ^= 1;
            assert!(matches!(scanned(&bad, true).1, End::Bad | End::Gap), "byte {at}");
        }
    }

    #[test]
    fn a_block_of_zeros_inside_the_last_write_is_a_torn_tail() {
        let mut bytes = header("log.example/a", 10, 1).to_vec();
        for index in 10..200 {
            push_frame(&mut bytes, Frame { index, entry: &[b'x'; 50], contents: &[b'y'; 50] });
        }
        bytes[1024..1536].fill(0);
        assert_eq!(scanned(&bytes, true).1, End::Torn);
        assert_eq!(scanned(&bytes, false).1, End::Bad);
    }

    #[test]
    fn a_batch_that_is_one_long_frame_may_be_torn_anywhere() {
        let long = vec![b'y'; 3 << 20];
        let mut bytes = header("log.example/a", 10, 1).to_vec();
        push_frame(&mut bytes, Frame { index: 10, entry: b"entry", contents: &long });
        assert_eq!(scanned(&bytes, true), (11, End::Clean));
        for cut in [HEADER + 1, HEADER + FRAME, HEADER + FRAME + 5, 2 << 20, bytes.len() - 1] {
            assert_eq!(scanned(&bytes[..cut], true), (10, End::Torn), "cut at {cut}");
        }
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        assert_eq!(scanned(&bytes, true), (10, End::Bad), "changed content is damage");
    }

    #[test]
    fn a_segment_of_the_earlier_format_is_named() {
        let mut bytes = header("log.example/a", 10, 1).to_vec();
        bytes[..4].copy_from_slice(OLD_MAGIC);
        assert_eq!(scanned(&bytes, true), (10, End::Old));
    }

    #[test]
    fn another_log_or_another_place_doesnt_fit() {
        let bytes = segment(1);
        assert!(header_fits(&bytes, "log.example/a", 10));
        assert!(!header_fits(&bytes, "log.example/b", 10) && !header_fits(&bytes, "log.example/a", 11));
        assert_eq!(first_of_name(&segment_name(0xabc)), Some(0xabc));
        assert_eq!(first_of_name("0000000000000ABC.j"), None);
    }
}
