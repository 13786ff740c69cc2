//! Journal segments, the durable write path: a header, then frames with index and checksum. Defines how they are
//! written, and which damage at the end a crash can explain.
//!
//! A frame contains an entry together with the content that it names, so that neither exists without the other. A
//! batch of frames is written in one write and one sync, and is never longer than [`MAX_BATCH`] unless it is a single
//! frame. So a crash can only spoil the last batch, by truncating it or by leaving zeroed blocks in it. Any other
//! error is damage, not a torn write.
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
/// Most bytes of one write, unless a single frame is longer.
pub const MAX_BATCH: usize = 1 << 20;

const MAGIC: &[u8; 4] = b"DWJ2";
/// Magic number of segments whose frames have no content.
const OLD_MAGIC: &[u8; 4] = b"DWJ1";
const BLOCK: usize = 512;

/// Name of the segment that starts at index `first`.
#[must_use]
pub fn segment_name(first: u64) -> String {
    format!("{first:016x}.j")
}

/// The first index, from a segment's name; `None` if it isn't such a name.
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

/// Whether these bytes are a header for this log and first index.
#[must_use]
pub fn header_fits(bytes: &[u8], origin: &str, first: u64) -> bool {
    let created = bytes.get(48..56).and_then(|field| field.try_into().ok()).map(u64::from_be_bytes);
    created.is_some_and(|created| bytes.get(..HEADER) == Some(header(origin, first, created).as_slice()))
}

/// An entry with its index and its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalFrame<'a> {
    /// Index in the log.
    pub index: u64,
    /// The entry.
    pub entry: &'a [u8],
    /// Its packed content.
    pub contents: &'a [u8],
}

/// Appends a frame to a batch. Callers never pass an empty entry, an entry longer than [`MAX_ENTRY`] or content
/// longer than [`MAX_CONTENT`]; such a call adds nothing.
pub fn push_frame(batch: &mut Vec<u8>, frame: JournalFrame<'_>) {
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

/// Reads the frame with this `index` from the start of `bytes`; returns it and the rest.
#[must_use]
pub fn read_frame(bytes: &[u8], index: u64) -> Option<(JournalFrame<'_>, &[u8])> {
    any_frame(bytes).filter(|(frame, _)| frame.index == index)
}

/// Length of the frame at the start of `bytes`, according to its length fields. `None` if they are incomplete or out
/// of range.
#[must_use]
pub fn frame_length(bytes: &[u8]) -> Option<usize> {
    let (entry, rest) = bytes.split_first_chunk::<4>()?;
    let contents = rest.first_chunk::<4>()?;
    let entry = usize::try_from(u32::from_be_bytes(*entry)).ok()?;
    let contents = usize::try_from(u32::from_be_bytes(*contents)).ok()?;
    let possible = (1..=MAX_ENTRY).contains(&entry) && contents <= MAX_CONTENT;
    possible.then(|| FRAME.saturating_add(entry).saturating_add(contents))
}

fn any_frame(bytes: &[u8]) -> Option<(JournalFrame<'_>, &[u8])> {
    let (frame, behind) = bytes.split_at_checked(frame_length(bytes)?)?;
    let (entry, rest) = frame.split_first_chunk::<4>()?;
    let (contents, rest) = rest.split_first_chunk::<4>()?;
    let (sum, rest) = rest.split_first_chunk::<4>()?;
    let (index, rest) = rest.split_first_chunk::<8>()?;
    let length = usize::try_from(u32::from_be_bytes(*entry)).ok()?;
    let (body, packed) = rest.split_at_checked(length)?;
    let same = u32::from_be_bytes(*sum) == checksum([entry, contents, index, body, packed]);
    same.then_some((
        JournalFrame { index: u64::from_be_bytes(*index), entry: body, contents: packed },
        behind,
    ))
}

/// State of a segment's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentEnd {
    /// Ends with a complete frame.
    Clean,
    /// The last write is incomplete; valid data ends at offset `good`.
    Torn,
    /// Damage at this index that no crash explains.
    Bad,
    /// A valid frame, but not with the next index.
    Gap,
    /// Written by an earlier version, and not read at all.
    Old,
}

/// The result of scanning a segment.
#[derive(Debug, Clone)]
pub struct Scan {
    /// Index of the first frame.
    pub first: u64,
    /// Index after the last valid frame.
    pub next: u64,
    /// Offset of the end of the valid frames, including the header.
    pub good: usize,
    /// State of the data after that.
    pub end: SegmentEnd,
}

/// Walks the frames of a segment and passes each valid entry to `visit`. `last`: whether this is the last segment,
/// the only one that a crash can leave incomplete.
pub fn scan<'a>(
    bytes: &'a [u8],
    origin: &str,
    first: u64,
    last: bool,
    mut visit: impl FnMut(JournalFrame<'a>),
) -> Scan {
    let mut scan = Scan { first, next: first, good: 0, end: SegmentEnd::Clean };
    if !header_fits(bytes, origin, first) {
        // A crash right after creation leaves no header, a part of it, or zeros; never frames after it.
        let whole = header(origin, first, 0);
        let begun =
            bytes.len() < HEADER && whole.get(..bytes.len().min(48)) == bytes.get(..bytes.len().min(48));
        let torn = last && (begun || (bytes.len() <= HEADER && bytes.iter().all(|byte| *byte == 0)));
        scan.end = match torn {
            true => SegmentEnd::Torn,
            false if bytes.starts_with(OLD_MAGIC) => SegmentEnd::Old,
            false => SegmentEnd::Bad,
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
        (true, _) => SegmentEnd::Clean,
        (false, true) if could_be_torn(rest, scan.good) => SegmentEnd::Torn,
        (false, _) if any_frame(rest).is_some() => SegmentEnd::Gap,
        (false, _) => SegmentEnd::Bad,
    };
    scan
}

/// Whether a crash during the last write can explain these bytes. They begin at `offset` of the segment, where a
/// frame should begin.
fn could_be_torn(rest: &[u8], offset: usize) -> bool {
    if rest.len() > MAX_BATCH.max(FRAME + MAX_ENTRY + MAX_CONTENT) || any_frame(rest).is_some() {
        return false;
    }
    // For a complete frame with a wrong checksum, or a valid frame after the bad one, the only explanation is a block
    // that never reached the disk.
    has_hole(rest, offset) || lost_length(rest, offset) || !(is_whole(rest) || frame_follows(rest))
}

/// Whether the block was lost that ends behind the third byte of this frame's length. Two bytes of it are always zero,
/// so one byte alone tells of the loss: with its value the frame is valid again.
fn lost_length(rest: &[u8], offset: usize) -> bool {
    if BLOCK - offset % BLOCK != 3 || !rest.starts_with(&[0, 0, 0]) {
        return false;
    }
    let mut whole = rest.to_vec();
    (1..=u8::MAX).any(|lost| {
        if let Some(byte) = whole.get_mut(2) {
            *byte = lost;
        }
        any_frame(&whole).is_some()
    })
}

/// Whether some block of the disk, as far as it lies in `rest`, is all zeros.
fn has_hole(rest: &[u8], offset: usize) -> bool {
    let head = (BLOCK - offset % BLOCK).min(rest.len());
    let (head, blocks) = rest.split_at_checked(head).unwrap_or((rest, &[]));
    let zeros = |block: &[u8]| !block.is_empty() && block.iter().all(|byte| *byte == 0);
    // Up to three zeros at the end may be the start of a length.
    (head.len() >= 4 && zeros(head)) || blocks.chunks(BLOCK).any(zeros)
}

/// Whether the frame's lengths are possible and all its bytes are present.
fn is_whole(rest: &[u8]) -> bool {
    frame_length(rest).is_some_and(|length| rest.len() >= length)
}

/// Whether a valid frame begins anywhere after the first byte.
fn frame_follows(rest: &[u8]) -> bool {
    (1..rest.len().saturating_sub(FRAME)).any(|at| {
        let tail = rest.get(at..).unwrap_or_default();
        // The two high bytes of an entry's length are zero; this skips almost every position without computing a
        // checksum.
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
            push_frame(&mut bytes, JournalFrame { index, entry: entry.as_bytes(), contents: b"content" });
        }
        bytes
    }

    fn scanned(bytes: &[u8], last: bool) -> (u64, SegmentEnd) {
        let scan = scan(bytes, "log.example/a", 10, last, |_| {});
        (scan.next, scan.end)
    }

    #[test]
    fn every_cut_of_the_last_segment_is_a_torn_tail_and_of_an_earlier_one_damage() {
        let whole = segment(3);
        assert_eq!(scanned(&whole, true), (13, SegmentEnd::Clean));
        for cut in 0..whole.len() {
            let (next, end) = scanned(&whole[..cut], true);
            let clean = [64, 64 + 35, 64 + 70].contains(&cut);
            assert_eq!(end, if clean { SegmentEnd::Clean } else { SegmentEnd::Torn }, "cut at {cut}");
            assert_eq!(next, 10 + (cut.saturating_sub(64) / 35) as u64);
            assert!(clean || scanned(&whole[..cut], false).1 == SegmentEnd::Bad, "cut at {cut}");
        }
    }

    #[test]
    fn a_flipped_byte_before_good_frames_is_never_a_torn_tail() {
        let whole = segment(5);
        for at in 0..whole.len() - 35 {
            let mut bad = whole.clone();
            bad[at] ^= 1;
            assert!(matches!(scanned(&bad, true).1, SegmentEnd::Bad | SegmentEnd::Gap), "byte {at}");
        }
    }

    #[test]
    fn a_block_of_zeros_inside_the_last_write_is_a_torn_tail() {
        let mut bytes = header("log.example/a", 10, 1).to_vec();
        for index in 10..200 {
            push_frame(&mut bytes, JournalFrame { index, entry: &[b'x'; 50], contents: &[b'y'; 50] });
        }
        bytes[1024..1536].fill(0);
        assert_eq!(scanned(&bytes, true).1, SegmentEnd::Torn);
        assert_eq!(scanned(&bytes, false).1, SegmentEnd::Bad);
    }

    #[test]
    fn a_lost_block_that_held_three_bytes_of_a_length_is_a_torn_tail() {
        let mut bytes = header("log.example/a", 10, 1).to_vec();
        // The next frame begins three bytes in front of a block.
        let filling = 2 * BLOCK - 3 - HEADER - FRAME;
        push_frame(&mut bytes, JournalFrame { index: 10, entry: &vec![b'x'; filling], contents: &[] });
        assert_eq!(bytes.len() % BLOCK, BLOCK - 3);
        let at = bytes.len();
        for index in 11..14 {
            push_frame(&mut bytes, JournalFrame { index, entry: &[b'x'; 600], contents: &[] });
        }
        let mut holed = bytes.clone();
        holed[at..at + 3].fill(0);
        assert_ne!(holed, bytes, "the third byte counts");
        assert_eq!(scanned(&holed, true), (11, SegmentEnd::Torn));
        let mut changed = holed.clone();
        changed[at + FRAME + 10] ^= 1;
        assert_eq!(scanned(&changed, true), (11, SegmentEnd::Bad), "changed content is damage");
    }

    #[test]
    fn a_batch_that_is_one_long_frame_may_be_torn_anywhere() {
        let long = vec![b'y'; 3 << 20];
        let mut bytes = header("log.example/a", 10, 1).to_vec();
        push_frame(&mut bytes, JournalFrame { index: 10, entry: b"entry", contents: &long });
        assert_eq!(scanned(&bytes, true), (11, SegmentEnd::Clean));
        for cut in [HEADER + 1, HEADER + FRAME, HEADER + FRAME + 5, 2 << 20, bytes.len() - 1] {
            assert_eq!(scanned(&bytes[..cut], true), (10, SegmentEnd::Torn), "cut at {cut}");
        }
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        assert_eq!(scanned(&bytes, true), (10, SegmentEnd::Bad), "changed content is damage");
    }

    #[test]
    fn a_segment_of_the_earlier_format_is_named() {
        let mut bytes = header("log.example/a", 10, 1).to_vec();
        bytes[..4].copy_from_slice(OLD_MAGIC);
        assert_eq!(scanned(&bytes, true), (10, SegmentEnd::Old));
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
