//! Reads a log while another process may write it: records by index, the latest, by filter, and proofs.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use doorward_core::id::Digest;
use doorward_core::record::Record;

use crate::content::{self, Contents, WithContents};
use crate::disk;
use crate::files::{Files, StoredNodes, names, nth_entry};
use crate::journal;
use crate::note::{Checkpoint, NoteError};
use crate::queue::lock;
use crate::receipt::Receipt;
use crate::skim::{nanoseconds, skim};
use crate::tile::{Entries, WIDTH};
use crate::tree::{self, Hash};

/// A record with its index.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// Index in the log.
    pub index: u64,
    /// The entry, as hashed.
    pub entry: Vec<u8>,
}

impl Stored {
    /// The record. `None` for entries that aren't Doorward's.
    #[must_use]
    pub fn record(&self) -> Option<Record> {
        serde_json::from_slice(&self.entry).ok()
    }
}

/// A view of a log at the time when it was opened or last refreshed.
#[derive(Debug)]
pub struct Reader {
    files: Files,
    origin: String,
    checkpoint: Checkpoint,
    note: String,
    /// Entries after the checkpoint, with their packed contents.
    tail: Vec<WithContents>,
    /// The content bundle that was read last.
    contents: Mutex<Option<(u64, Arc<Vec<u8>>)>>,
}

impl Reader {
    /// Opens the log in `dir` for reading. Doesn't check signatures; use [`crate::verify()`] for that.
    ///
    /// # Errors
    /// If the directory contains no readable log.
    pub fn open(dir: impl AsRef<Path>) -> io::Result<Self> {
        let files = Files::new(dir.as_ref());
        let origin = files.line(names::ORIGIN)?.ok_or(io::ErrorKind::NotFound)?;
        let (note, checkpoint) = latest(&files)?;
        let mut reader =
            Self { files, origin, checkpoint, note, tail: Vec::new(), contents: Mutex::default() };
        reader.refresh()?;
        Ok(reader)
    }

    /// Updates the view with records appended since.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn refresh(&mut self) -> io::Result<()> {
        // A new checkpoint may remove segments before they are read; then try again.
        for _ in 0..4 {
            (self.note, self.checkpoint) = latest(&self.files)?;
            if let Some(tail) = self.read_tail()? {
                self.tail = tail;
                *lock(&self.contents) = None;
                return Ok(());
            }
        }
        Err(io::Error::other("the log changes faster than it can be read"))
    }

    fn read_tail(&self) -> io::Result<Option<Vec<WithContents>>> {
        let size = self.checkpoint.size;
        let segments = self.files.segments()?;
        let begin = segments.iter().rposition(|first| *first <= size).unwrap_or(0);
        let mut next = size;
        let mut tail = Vec::new();
        for first in segments.iter().skip(begin) {
            let Some(bytes) = disk::read_if_there(&self.files.segment_path(*first))? else { return Ok(None) };
            if *first > next {
                return Ok(None);
            }
            let scan = journal::scan(&bytes, &self.origin, *first, true, |frame| {
                if frame.index >= size {
                    tail.push((frame.entry.to_vec(), frame.contents.to_vec()));
                }
            });
            next = next.max(scan.next);
        }
        Ok(Some(tail))
    }

    /// The log's name.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Number of records, including those after the checkpoint.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.checkpoint.size.saturating_add(self.tail.len() as u64)
    }

    /// The latest checkpoint.
    #[must_use]
    pub const fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The record at an index. `None` after the end.
    ///
    /// # Errors
    /// If its bundle can't be read.
    pub fn get(&self, index: u64) -> io::Result<Option<Stored>> {
        let size = self.checkpoint.size;
        if let Some(behind) = index.checked_sub(size) {
            let entry = usize::try_from(behind).ok().and_then(|at| self.tail.get(at));
            return Ok(entry.map(|(entry, _)| Stored { index, entry: entry.clone() }));
        }
        let bundle = self.bundle(index / WIDTH)?;
        Ok(nth_entry(&bundle, index % WIDTH).map(|entry| Stored { index, entry }))
    }

    fn bundle(&self, number: u64) -> io::Result<Vec<u8>> {
        let width = self.checkpoint.size.saturating_sub(number * WIDTH).min(WIDTH);
        self.files.bundle(number, width)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The last `n` records, oldest first.
    ///
    /// # Errors
    /// If a bundle can't be read.
    pub fn tail(&self, n: u64) -> io::Result<Vec<Stored>> {
        self.range(self.size().saturating_sub(n), self.size())
    }

    /// The existing records of `from..to`.
    ///
    /// # Errors
    /// If a bundle can't be read.
    pub fn range(&self, from: u64, to: u64) -> io::Result<Vec<Stored>> {
        let (signed, to) = (self.checkpoint.size, to.min(self.size()));
        let mut found = Vec::new();
        for number in from / WIDTH..to.min(signed).div_ceil(WIDTH) {
            let bundle = self.bundle(number)?;
            let first = number * WIDTH;
            let entries = (first..signed).zip(Entries::new(&bundle));
            found.extend(
                entries
                    .filter(|(index, _)| (from..to).contains(index))
                    .map(|(index, entry)| Stored { index, entry: entry.to_vec() }),
            );
        }
        let behind = (signed..).zip(&self.tail).filter(|(index, _)| (from..to).contains(index));
        found.extend(behind.map(|(index, (entry, _))| Stored { index, entry: entry.clone() }));
        Ok(found)
    }

    /// The latest records that match, newest first, at most `limit`.
    ///
    /// # Errors
    /// If a bundle can't be read.
    pub fn find(&self, filter: &crate::Filter, limit: usize) -> io::Result<Vec<Stored>> {
        let mut found = Vec::new();
        let mut end = self.size().min(filter.before.unwrap_or(u64::MAX));
        while end > 0 && found.len() < limit {
            let begin = end.saturating_sub(1) / WIDTH * WIDTH;
            let fitting = self.range(begin, end)?.into_iter().rev().filter(|stored| filter.fits(stored));
            found.extend(fitting.take(limit - found.len()));
            end = begin;
        }
        Ok(found)
    }

    /// The receipt of a record under the latest checkpoint. `None` if the record isn't signed yet.
    ///
    /// # Errors
    /// If a tile can't be read.
    pub fn receipt(&self, index: u64) -> io::Result<Option<Receipt>> {
        let size = self.checkpoint.size;
        if index >= size {
            return Ok(None);
        }
        let path = tree::inclusion(&StoredNodes::new(&self.files, size), index, size)?;
        Ok(Some(Receipt { index, path, checkpoint: self.note.clone() }))
    }

    /// The proof that the log of size `new` begins with the log of size `old`.
    ///
    /// # Errors
    /// If a tile can't be read, or a size isn't signed yet.
    pub fn prove_consistency(&self, old: u64, new: u64) -> io::Result<Vec<Hash>> {
        if old > new || new > self.checkpoint.size {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "no such sizes under the latest checkpoint",
            ));
        }
        tree::consistency(&StoredNodes::new(&self.files, self.checkpoint.size), old, new)
    }

    /// The content that the record at `index` names by this digest. `None` if it is missing, was dropped by
    /// retention, or doesn't match its digest.
    ///
    /// # Errors
    /// If its bundle can't be read.
    pub fn content(&self, index: u64, name: &Digest) -> io::Result<Option<Vec<u8>>> {
        let find = |packed: &[u8]| {
            Contents::new(packed).find(|content| Digest::of(content) == *name).map(<[u8]>::to_vec)
        };
        let found = match index.checked_sub(self.checkpoint.size) {
            Some(behind) => {
                let held = usize::try_from(behind).ok().and_then(|at| self.tail.get(at));
                held.and_then(|(_, packed)| find(packed))
            }
            None => self.content_bundle(index / WIDTH)?.and_then(|bundle| {
                let mut records = content::Bundle::new(index / WIDTH, &bundle);
                records.find(|(found, _)| *found == index).and_then(|(_, packed)| find(packed))
            }),
        };
        let earlier = || match self.files.blob_path(name.as_str()) {
            Some(path) => Ok(disk::read_if_there(&path)?.filter(|bytes| Digest::of(bytes) == *name)),
            None => Ok(None),
        };
        found.map_or_else(earlier, |found| Ok(Some(found)))
    }

    fn content_bundle(&self, number: u64) -> io::Result<Option<Arc<Vec<u8>>>> {
        let mut last = lock(&self.contents);
        if let Some((_, bundle)) = last.as_ref().filter(|(held, _)| *held == number) {
            return Ok(Some(Arc::clone(bundle)));
        }
        let read = self.files.contents(number)?.map(Arc::new);
        *last = read.as_ref().map(|bundle| (number, Arc::clone(bundle)));
        Ok(read)
    }

    /// The index of the first record at or after `time`; the log's size if all are older.
    ///
    /// # Errors
    /// If a bundle can't be read.
    pub fn first_since(&self, time: jiff::Timestamp) -> io::Result<u64> {
        let (mut low, mut high) = (0, self.size());
        while low < high {
            let middle = low + (high - low) / 2;
            let stored = self.get(middle)?;
            let at = stored.and_then(|stored| nanoseconds(skim(&stored.entry)?.time));
            // A record without a time counts as newer.
            if at.is_some_and(|at| at < time.as_nanosecond()) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}

fn latest(files: &Files) -> io::Result<(String, Checkpoint)> {
    let note = disk::read(&files.path(names::CHECKPOINT))?;
    let invalid = |error: NoteError| io::Error::new(io::ErrorKind::InvalidData, error);
    let checkpoint = Checkpoint::read_unverified(&note).map_err(invalid)?;
    String::from_utf8(note).map(|note| (note, checkpoint)).map_err(|_| io::ErrorKind::InvalidData.into())
}
