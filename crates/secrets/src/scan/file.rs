//! Scans one file in windows, so that a large file takes only time.

use std::cell::LazyCell;
use std::io::{ErrorKind, Read};

use super::allow;
use super::finding::{Finding, Places, from_hit};
use super::place::{Place, SAMPLE};
use super::style::{is_generated, style_of};
use super::walk::{Options, Suppressed};
use crate::detect::{Detector, Hit};

/// Size of a window.
const WINDOW: usize = 2 << 20;
/// Bytes that two windows share: more than the longest rule and its context.
const OVERLAP: usize = 64 * 1024;
/// Bytes from which the encoding is determined.
const HEAD: usize = 8192;
/// Limit on bytes read of a UTF-16 file, which is converted to UTF-8 as a whole.
const UTF16_LIMIT: usize = 16 << 20;

/// Result for one file.
#[derive(Debug, Default)]
pub(crate) struct Scanned {
    pub(crate) findings: Vec<Finding>,
    pub(crate) suppressed: Vec<Suppressed>,
    pub(crate) bytes: u64,
    /// Why it was skipped or only partly scanned.
    pub(crate) note: Option<&'static str>,
}

/// Scans the content of a reader as the file `path`.
///
/// # Errors
/// If reading fails; the caller then reports the file as unreadable, and hits found so far are lost.
pub fn scan_reader(
    detector: &Detector,
    reader: impl Read,
    path: &str,
    options: &Options,
) -> std::io::Result<Vec<Finding>> {
    Ok(scan(detector, reader, path, options, &mut Vec::new())?.findings)
}

pub(crate) fn scan(
    detector: &Detector,
    mut reader: impl Read,
    path: &str,
    options: &Options,
    buffer: &mut Vec<u8>,
) -> std::io::Result<Scanned> {
    let mut scanned = Scanned::default();
    // Its length stays the same from file to file, so that it is cleared once; unused pages are never touched.
    if buffer.len() != WINDOW {
        *buffer = vec![0; WINDOW];
    }
    let mut filled = 0;
    let mut last = fill(&mut reader, buffer, &mut filled)?;
    scanned.bytes = filled as u64;
    let head = buffer.get(..filled.min(HEAD)).unwrap_or_default();
    match encoding(head) {
        Encoding::Text => {}
        Encoding::Binary => {
            scanned.note = Some("binary");
            return Ok(scanned);
        }
        Encoding::Utf16 { big, mark } => {
            if !last {
                buffer.resize(UTF16_LIMIT, 0);
                last = fill(&mut reader, buffer, &mut filled)?;
                scanned.bytes = filled as u64;
            }
            if !last {
                scanned.note = Some("UTF-16 beyond the limit");
            }
            let bytes = buffer.get(..filled).unwrap_or_default();
            utf16(detector, bytes, big, mark, path, options, &mut scanned);
            return Ok(scanned);
        }
    }
    let style = style_of(path);
    // Computed on demand: few files have a hit whose place matters.
    let generated = LazyCell::new(|| is_generated(path));
    let place = LazyCell::new(|| Place::of(path, &options.paths));
    let (mut base, mut line, mut column) = (0_usize, 1_usize, 1_usize);
    let mut decided = 0_usize;
    loop {
        let text = buffer.get(..filled).unwrap_or_default();
        let search = detector.search_whole(text, style);
        if search.truncated_decoding {
            scanned.note = Some("decoding bound reached");
        }
        let until = if last { filled } else { filled.saturating_sub(OVERLAP / 2) };
        let mut places = Places::new(text, line, column);
        for hit in &search.hits {
            let belongs = base + hit.start >= decided && hit.start < until;
            if !belongs || hit.quiet || hit.severity < options.threshold || (hit.is_guess() && *generated) {
                continue;
            }
            let mut finding = from_hit(hit, text, path, options.key.as_ref(), &mut places);
            finding.byte_start += base;
            finding.byte_end += base;
            let reason = reason(hit, text, &place, options);
            sort_out(finding, reason, options, &mut scanned);
        }
        if last {
            return Ok(scanned);
        }
        decided = base + until;
        let cut = filled.saturating_sub(OVERLAP);
        (line, column) = Places::new(text, line, column).at(cut);
        buffer.copy_within(cut..filled, 0);
        base += cut;
        filled -= cut;
        last = fill(&mut reader, buffer, &mut filled)?;
        scanned.bytes = (base + filled) as u64;
    }
}

/// Why a finding doesn't count: a comment allows it, or its place explains it.
fn reason(
    hit: &Hit,
    text: &[u8],
    place: &LazyCell<Place, impl FnOnce() -> Place>,
    options: &Options,
) -> Option<String> {
    let allowed = options.allow_comments.then(|| allow::reason(text, hit.start, &hit.slug)).flatten();
    allowed.or_else(|| (!options.samples && place.explains(hit, text)).then(|| SAMPLE.to_owned()))
}

/// Adds a finding to the reported or the suppressed ones: allowed by a comment, explained by its place, or accepted
/// earlier.
pub(crate) fn sort_out(finding: Finding, reason: Option<String>, options: &Options, scanned: &mut Scanned) {
    if let Some(reason) = reason {
        scanned.suppressed.push(Suppressed { finding, reason });
    } else if options.baseline.as_ref().is_some_and(|baseline| baseline.holds(&finding)) {
        scanned.suppressed.push(Suppressed { finding, reason: "in the baseline".to_owned() });
    } else {
        scanned.findings.push(finding);
    }
}

/// Reads until the buffer is full or the input ends; true at the end.
fn fill(reader: &mut impl Read, buffer: &mut [u8], filled: &mut usize) -> std::io::Result<bool> {
    while let Some(free) = buffer.get_mut(*filled..).filter(|free| !free.is_empty()) {
        match reader.read(free) {
            Ok(0) => return Ok(true),
            Ok(read) => *filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

enum Encoding {
    Text,
    Binary,
    Utf16 { big: bool, mark: usize },
}

/// Detects UTF-16 by its byte order mark or the positions of NULs; any other NUL means binary.
fn encoding(head: &[u8]) -> Encoding {
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        return Encoding::Utf16 { big: head.first() == Some(&0xfe), mark: 2 };
    }
    if memchr::memchr(0, head).is_none() {
        return Encoding::Text;
    }
    let nuls = |parity: usize| head.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, half) = (nuls(0), nuls(1), head.len() / 2);
    match (even * 10, odd * 10) {
        (even, odd) if odd >= half * 7 && even <= half && half > 4 => Encoding::Utf16 { big: false, mark: 0 },
        (even, odd) if even >= half * 7 && odd <= half && half > 4 => Encoding::Utf16 { big: true, mark: 0 },
        _ => Encoding::Binary,
    }
}

fn utf16(
    detector: &Detector,
    bytes: &[u8],
    big: bool,
    mark: usize,
    path: &str,
    options: &Options,
    scanned: &mut Scanned,
) {
    let text = text_of(bytes, big, mark);
    let original = |at: usize| mark + 2 * text.get(..at).map_or(0, |head| head.encode_utf16().count());
    let mut places = Places::new(text.as_bytes(), 1, 1);
    for hit in &detector.search_whole(text.as_bytes(), style_of(path)).hits {
        if hit.quiet || hit.severity < options.threshold {
            continue;
        }
        let mut finding = from_hit(hit, text.as_bytes(), path, options.key.as_ref(), &mut places);
        finding.byte_start = original(hit.start);
        finding.byte_end = original(hit.end);
        finding.tags.push("decoded:utf-16".to_owned());
        let place = LazyCell::new(|| Place::of(path, &options.paths));
        let reason = reason(hit, text.as_bytes(), &place, options);
        sort_out(finding, reason, options, scanned);
    }
}

/// Converts UTF-16 to UTF-8.
fn text_of(bytes: &[u8], big: bool, mark: usize) -> String {
    let units = bytes.get(mark..).unwrap_or_default().chunks_exact(2).map(|pair| match pair {
        [first, second] if big => u16::from_be_bytes([*first, *second]),
        [first, second] => u16::from_le_bytes([*first, *second]),
        _ => 0,
    });
    char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Findings in bytes that may be UTF-16. Bytes of an unknown encoding are searched unchanged.
pub(crate) fn find_in_any(detector: &Detector, bytes: &[u8], path: &str) -> Vec<Finding> {
    let style = style_of(path);
    let Encoding::Utf16 { big, mark } = encoding(bytes.get(..bytes.len().min(HEAD)).unwrap_or_default())
    else {
        return super::find_in(detector, bytes, path, style, None);
    };
    let text = text_of(bytes, big, mark);
    let mut findings = super::find_in(detector, text.as_bytes(), path, style, None);
    let original = |at: usize| mark + 2 * text.get(..at).map_or(0, |head| head.encode_utf16().count());
    for finding in &mut findings {
        finding.byte_start = original(finding.byte_start);
        finding.byte_end = original(finding.byte_end);
        finding.tags.push("decoded:utf-16".to_owned());
    }
    findings
}
