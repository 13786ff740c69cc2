//! Scans archives on request: gzip, tar and zip, also nested.
//!
//! Their content is untrusted. The number of members, unpacked size and nesting are limited, and reaching a limit
//! makes the scan incomplete. Nothing is written to disk. Members are read as streams, except a zip inside another
//! archive, which is read into memory.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

use flate2::read::MultiGzDecoder;

use super::file;
use super::walk::{Options, Report};
use crate::detect::Detector;

/// Limit on members of one file, nested archives included.
const MEMBERS: usize = 20_000;
/// Limits on the unpacked size of one file: absolute, and as a multiple of its own size.
const UNPACKED: u64 = 1 << 30;
const RATIO: u64 = 200;
/// Limit on nesting.
const DEPTH: usize = 4;
/// Largest nested zip.
const NESTED_ZIP: u64 = 64 << 20;
/// Bytes that show the type of an archive.
const HEAD: usize = 512;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gzip,
    Tar,
    Zip,
}

/// The type by content, because names can be wrong.
fn kind(head: &[u8]) -> Option<Kind> {
    if head.starts_with(&[0x1f, 0x8b, 8]) {
        Some(Kind::Gzip)
    } else if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        Some(Kind::Zip)
    } else if head.get(257..262) == Some(b"ustar") {
        Some(Kind::Tar)
    } else {
        None
    }
}

/// Scans an archive's members; false if the file isn't an archive.
///
/// # Errors
/// If the file itself can't be read.
pub(crate) fn scan(
    detector: &Detector,
    mut opened: &File,
    path: &str,
    options: &Options,
    report: &mut Report,
    buffer: &mut Vec<u8>,
) -> io::Result<bool> {
    let head = peek(&mut opened)?;
    opened.seek(SeekFrom::Start(0))?;
    let Some(kind) = kind(&head) else { return Ok(false) };
    let packed = opened.metadata()?.len();
    let left = Cell::new(UNPACKED.min(packed.saturating_mul(RATIO).max(1 << 20)));
    let mut unpack = Unpack { detector, options, report, buffer, members: MEMBERS, left: &left };
    match kind {
        Kind::Zip => unpack.zip(opened, path, 1),
        Kind::Gzip | Kind::Tar => unpack.stream(&mut opened, kind, path, 1),
    }
    Ok(true)
}

/// The first bytes of a stream.
fn peek(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD);
    reader.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// State of unpacking one file, with the remaining limits.
struct Unpack<'a> {
    detector: &'a Detector,
    options: &'a Options,
    report: &'a mut Report,
    buffer: &'a mut Vec<u8>,
    members: usize,
    left: &'a Cell<u64>,
}

impl Unpack<'_> {
    fn stream(&mut self, reader: &mut dyn Read, kind: Kind, path: &str, depth: usize) {
        match kind {
            Kind::Gzip => {
                let inner = path.strip_suffix(".gz").or_else(|| path.strip_suffix(".tgz")).unwrap_or(path);
                let inner = format!("{path}!{}", inner.rsplit(['/', '!']).next().unwrap_or(inner));
                self.member(&mut MultiGzDecoder::new(reader), &inner, depth);
            }
            Kind::Tar => self.tar(reader, path, depth),
            Kind::Zip => {
                let mut bytes = Vec::new();
                match reader.take(NESTED_ZIP + 1).read_to_end(&mut bytes) {
                    Ok(read) if read as u64 <= NESTED_ZIP => self.zip(Cursor::new(bytes), path, depth),
                    Ok(_) => self.report.skip(path, "a zip too long to look into within another archive"),
                    Err(_) => self.report.skip(path, "archive can't be read"),
                }
            }
        }
    }

    fn tar(&mut self, reader: &mut dyn Read, path: &str, depth: usize) {
        let mut archive = tar::Archive::new(reader);
        let Ok(entries) = archive.entries() else { return self.report.skip(path, "archive can't be read") };
        for entry in entries {
            let Ok(mut entry) = entry else { return self.report.skip(path, "archive can't be read") };
            if entry.header().entry_type().is_file() {
                let name = format!("{path}!{}", String::from_utf8_lossy(&entry.path_bytes()));
                if !self.member(&mut entry, &name, depth) {
                    return;
                }
            }
        }
    }

    fn zip(&mut self, reader: impl Read + Seek, path: &str, depth: usize) {
        let Ok(mut archive) = zip::ZipArchive::new(reader) else {
            return self.report.skip(path, "archive can't be read");
        };
        for index in 0..archive.len() {
            match archive.by_index(index) {
                Ok(mut entry) if entry.is_file() => {
                    let name = format!("{path}!{}", String::from_utf8_lossy(entry.name_raw()));
                    if !self.member(&mut entry, &name, depth) {
                        return;
                    }
                }
                Ok(_) => {}
                Err(_) => self
                    .report
                    .skip(&format!("{path}!#{index}"), "member is encrypted or packed in an unknown way"),
            }
        }
    }

    /// Handles one member: a file or a nested archive. False if a limit was reached.
    fn member(&mut self, reader: &mut dyn Read, path: &str, depth: usize) -> bool {
        let Some(members) = self.members.checked_sub(1) else {
            self.report.skip(path, "archive has more members than are looked at");
            return false;
        };
        self.members = members;
        let left = self.left;
        let mut bounded = Bounded { inner: reader, left };
        let head = match peek(&mut bounded) {
            Ok(head) => head,
            Err(error) => return self.unreadable(path, &error),
        };
        let mut whole = Cursor::new(head.as_slice()).chain(&mut bounded);
        match kind(&head) {
            Some(_) if depth >= DEPTH => self.report.skip(path, "archives nested deeper than is looked at"),
            Some(kind) => self.stream(&mut whole, kind, path, depth + 1),
            None => match file::scan(self.detector, &mut whole, path, self.options, self.buffer) {
                Ok(scanned) => self.report.add(path, scanned),
                Err(error) => return self.unreadable(path, &error),
            },
        }
        self.left.get() > 0
    }

    fn unreadable(&mut self, path: &str, error: &io::Error) -> bool {
        let spent = self.left.get() == 0;
        let reason = if spent {
            "archive unpacks to more than is looked at".to_owned()
        } else {
            format!("can't be read: {}", error.kind())
        };
        self.report.skip(path, &reason);
        !spent
    }
}

/// A reader that fails when its shared limit is reached.
struct Bounded<'r> {
    inner: &'r mut dyn Read,
    left: &'r Cell<u64>,
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.get().checked_sub(read as u64) {
            Some(left) if left > 0 || read == 0 => self.left.set(left),
            _ => {
                self.left.set(0);
                return Err(io::ErrorKind::FileTooLarge.into());
            }
        }
        Ok(read)
    }
}
