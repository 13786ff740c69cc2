//! Publishes journal entries as tiles, bundles and a signed checkpoint.
//!
//! Reads back what the writer made durable, so that tiles are built from the data on disk. Content is appended to the
//! content bundle that belongs to the entry bundle. The order is essential: tiles and bundles are synced first, then
//! the list of checkpoints, then `checkpoint`, then anchors. Only after that may journal segments be removed.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::content::{self, WithContents};
use crate::disk::{self, SegmentFile};
use crate::files::{StoredNodes, names};
use crate::journal::{self, HEADER};
use crate::log::Shared;
use crate::queue::lock;
use crate::tile::{self, WIDTH};
use crate::tree::{self, Edge, Hash, root_of};
use crate::verify::Anchor;

/// Records hashed and written at a time, which limits memory and open files.
const STRETCH: u64 = 8192;
/// Bytes of entries and content read at a time, unless a single record is longer.
const STRETCH_BYTES: usize = 32 << 20;

/// The signed size, and requests for signing more.
#[derive(Debug, Default)]
pub(crate) struct Published {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    signed: u64,
    due: bool,
    /// The round requested by [`crate::Log::checkpoint`]: the current or a coming one.
    asked: u64,
    served: u64,
    error: Option<String>,
    closing: bool,
}

impl Published {
    pub(crate) fn starting_at(signed: u64) -> Self {
        Self { state: Mutex::new(State { signed, ..State::default() }), changed: Condvar::new() }
    }

    pub(crate) fn signed(&self) -> u64 {
        lock(&self.state).signed
    }

    pub(crate) fn wake_if_due(&self, durable: u64, every: u64) {
        let mut state = lock(&self.state);
        if !state.due && durable.saturating_sub(state.signed) >= every {
            state.due = true;
            self.changed.notify_all();
        }
    }

    /// Requests a checkpoint over all durable records, and waits for it.
    pub(crate) fn request(&self) -> Result<u64, String> {
        let mut state = lock(&self.state);
        state.asked += 1;
        let round = state.asked;
        self.changed.notify_all();
        while state.served < round {
            if state.closing {
                return Err("the ledger is closed".to_owned());
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.error.clone().map_or(Ok(state.signed), Err)
    }

    pub(crate) fn close(&self) {
        lock(&self.state).closing = true;
        self.changed.notify_all();
    }
}

pub(crate) struct Publisher {
    shared: Arc<Shared>,
    size: u64,
    edge: Edge,
    /// Hashes of the rightmost, partial tile of each level.
    partial: Vec<Vec<Hash>>,
    bundle: Vec<u8>,
    /// Number and length of the content bundle that was appended to last.
    contents: (u64, u64),
    cursor: Option<Cursor>,
    /// Size of the latest checkpoint, and of the one before.
    signed: u64,
    previous: u64,
    /// Whether a round failed half-way, so that memory no longer matches the signed state.
    stale: bool,
}

impl Publisher {
    /// Resumes from a signed size whose tiles were verified.
    pub(crate) fn load(shared: Arc<Shared>, size: u64) -> io::Result<Self> {
        let files = &shared.files;
        let edge = Edge::load(&StoredNodes::new(files, size), size)?;
        let mut partial = Vec::new();
        for level in 0..tile::LEVELS {
            let width = tile::partial_width(size, level);
            let bytes = match width {
                0 => Vec::new(),
                _ => files.tile(level, tile::full_tiles(size, level), width)?.unwrap_or_default(),
            };
            partial.push(tile::hashes(&bytes).take(width as usize).collect());
        }
        let width = size % WIDTH;
        let stored = if width == 0 { None } else { files.bundle(size / WIDTH, width)? };
        let mut bundle = Vec::new();
        for entry in tile::Entries::new(stored.as_deref().unwrap_or_default()).take(width as usize) {
            tile::push_entry(&mut bundle, entry);
        }
        let contents = (size / WIDTH, mend_contents(&shared, size)?);
        let (signed, previous) = (size, size);
        Ok(Self {
            shared,
            size,
            edge,
            partial,
            bundle,
            contents,
            cursor: None,
            signed,
            previous,
            stale: false,
        })
    }

    pub(crate) fn run(mut self, every: Duration) {
        loop {
            let (round, closing) = self.wait(every);
            let result = self.publish(closing);
            let mut state = lock(&self.shared.published.state);
            state.signed = self.signed;
            state.due = false;
            state.served = state.served.max(round);
            state.error = result.err().map(|error| error.to_string());
            self.shared.publishing(state.error.clone());
            drop(state);
            self.shared.published.changed.notify_all();
            if closing {
                return;
            }
        }
    }

    fn wait(&self, every: Duration) -> (u64, bool) {
        let published = &self.shared.published;
        let until = Instant::now() + every;
        let mut state = lock(&published.state);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero()
                || state.closing
                || state.asked > state.served
                || (state.due && state.error.is_none())
            {
                return (state.asked, state.closing);
            }
            state = published.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Signs all durable records.
    fn publish(&mut self, closing: bool) -> io::Result<()> {
        let to = self.shared.durable.load(Ordering::Acquire);
        if to == self.signed {
            self.drop_segments(closing);
            return Ok(());
        }
        if self.stale {
            let fresh = Self::load(Arc::clone(&self.shared), self.signed)?;
            *self = Self { previous: self.previous, ..fresh };
        }
        self.stale = true;
        self.shared.in_place()?;
        self.extend(to)?;
        self.sign()?;
        self.stale = false;
        self.tidy();
        self.drop_segments(closing);
        Ok(())
    }

    fn extend(&mut self, to: u64) -> io::Result<()> {
        while self.size < to {
            let end = to.min(self.size + STRETCH);
            let mut cursor = match self.cursor.take() {
                Some(cursor) => cursor,
                None => Cursor::open(&self.shared, self.size)?,
            };
            let records = cursor.read(&self.shared, self.size, end)?;
            self.cursor = Some(cursor);
            let shared = Arc::clone(&self.shared);
            let mut round = Round::new(&shared);
            self.put_contents(&records, &mut round)?;
            let leaves: Vec<Hash> =
                records.par_iter().with_min_len(512).map(|(entry, _)| tree::leaf(entry)).collect();
            for ((entry, _), leaf) in records.iter().zip(leaves) {
                tile::push_entry(&mut self.bundle, entry);
                self.edge.push(leaf);
                self.size += 1;
                if let Some(hashes) = self.partial.first_mut() {
                    hashes.push(leaf);
                }
                if self.size.is_multiple_of(WIDTH) {
                    round.put(&tile::bundle_path(self.size / WIDTH - 1, WIDTH), &self.bundle)?;
                    self.bundle.clear();
                    self.roll(&mut round)?;
                }
            }
            if self.size == to {
                self.put_partials(&mut round)?;
            }
            round.sync()?;
        }
        Ok(())
    }

    /// Appends the content of the records from `size` on to its bundles, in one write per bundle.
    fn put_contents(&mut self, records: &[WithContents], round: &mut Round<'_>) -> io::Result<()> {
        let with_content: Vec<(u64, &[u8])> = (self.size..)
            .zip(records)
            .filter(|(_, (_, contents))| !contents.is_empty())
            .map(|(index, (_, contents))| (index, contents.as_slice()))
            .collect();
        for of_bundle in with_content.chunk_by(|(one, _), (other, _)| one / WIDTH == other / WIDTH) {
            let Some((first, _)) = of_bundle.first() else { continue };
            let number = first / WIDTH;
            let length = if self.contents.0 == number { self.contents.1 } else { 0 };
            let mut bytes = Vec::new();
            of_bundle.iter().for_each(|(index, packed)| content::push(&mut bytes, *index, packed));
            round.append(&content::bundle_path(number), length, &bytes)?;
            self.contents = (number, length + bytes.len() as u64);
        }
        Ok(())
    }

    /// Writes the tiles that have just become full, from the bottom up.
    fn roll(&mut self, round: &mut Round<'_>) -> io::Result<()> {
        let mut carry: Option<Hash> = None;
        for (level, hashes) in (0_u8..).zip(&mut self.partial) {
            hashes.extend(carry.take());
            if hashes.len() as u64 != WIDTH {
                break;
            }
            round.put(
                &tile::tile_path(level, tile::full_tiles(self.size, level) - 1, WIDTH),
                hashes.as_flattened(),
            )?;
            carry = Some(root_of(hashes));
            hashes.clear();
        }
        Ok(())
    }

    fn put_partials(&self, round: &mut Round<'_>) -> io::Result<()> {
        // A tile that the latest checkpoint needs exists already and must not be changed.
        let covered: BTreeSet<String> = partials(self.signed).collect();
        for (level, hashes) in (0_u8..).zip(&self.partial).filter(|(_, hashes)| !hashes.is_empty()) {
            let path = tile::tile_path(level, tile::full_tiles(self.size, level), hashes.len() as u64);
            if !covered.contains(&path) {
                round.put(&path, hashes.as_flattened())?;
            }
        }
        if !self.size.is_multiple_of(WIDTH) {
            round.put(&tile::bundle_path(self.size / WIDTH, self.size % WIDTH), &self.bundle)?;
        }
        Ok(())
    }

    fn sign(&self) -> io::Result<()> {
        let root = self.edge.root();
        sign(&self.shared, self.size, &root)?;
        let anchor = Anchor {
            origin: self.shared.origin.clone(),
            vkey: self.shared.vkey.clone(),
            size: self.size,
            root,
        };
        if let Some(remember) = &self.shared.anchor {
            self.shared.anchoring(remember(&anchor).err());
        }
        Ok(())
    }

    /// Removes files that no checkpoint needs any more. Errors are ignored.
    fn tidy(&mut self) {
        let needed: BTreeSet<String> = partials(self.size).chain(partials(self.signed)).collect();
        for path in partials(self.previous).filter(|path| !needed.contains(path)) {
            let _ = self.shared.disk.remove(&self.shared.files.path(&path));
        }
        (self.previous, self.signed) = (self.signed, self.size);
    }

    /// Removes journal segments covered by the checkpoint; the current one only when closing.
    fn drop_segments(&self, closing: bool) {
        let segments = self.shared.files.segments().unwrap_or_default();
        let ends = segments.iter().skip(1).copied().chain(closing.then_some(self.signed));
        for (first, _) in segments.iter().zip(ends).filter(|(_, end)| *end <= self.signed) {
            let _ = self.shared.disk.remove(&self.shared.files.segment_path(*first));
        }
    }
}

/// Truncates content bundles to the signed size: content that an unfinished round appended after it is written again
/// from the journal. Returns the length of the bundle for the next record.
fn mend_contents(shared: &Shared, size: u64) -> io::Result<u64> {
    let number = size / WIDTH;
    for unsigned in number + 1..=shared.durable.load(Ordering::Acquire) / WIDTH {
        let path = shared.files.path(&content::bundle_path(unsigned));
        if path.exists() {
            shared.disk.remove(&path)?;
        }
    }
    let Some(bytes) = shared.files.contents(number)? else { return Ok(0) };
    let path = shared.files.path(&content::bundle_path(number));
    let length = content::length_below(number, &bytes, size);
    if length == 0 {
        shared.disk.remove(&path)?;
    } else if length < bytes.len() {
        shared.disk.truncate(&path, length as u64)?;
    }
    Ok(length as u64)
}

/// Names of the partial tiles and the partial bundle for a size.
fn partials(size: u64) -> impl Iterator<Item = String> {
    let tiles = (0..tile::LEVELS).filter_map(move |level| {
        let width = tile::partial_width(size, level);
        (width > 0).then(|| tile::tile_path(level, tile::full_tiles(size, level), width))
    });
    tiles.chain((!size.is_multiple_of(WIDTH)).then(|| tile::bundle_path(size / WIDTH, size % WIDTH)))
}

/// Appends a checkpoint to the list, then makes it the latest.
pub(crate) fn sign(shared: &Shared, size: u64, root: &Hash) -> io::Result<()> {
    let note = shared.key.sign(size, root);
    let list = shared.files.path(names::LIST);
    let mut sink = shared.disk.append(&list)?;
    let length = std::fs::metadata(&list).map_or(0, |meta| meta.len());
    let written = sink.write_all(format!("{note}\n").as_bytes()).and_then(|()| sink.sync());
    drop(sink);
    if let Err(error) = written {
        // An incomplete note must not be followed by another one.
        shared.disk.truncate(&list, length)?;
        return Err(error);
    }
    let replaced = disk::replace(shared.disk.as_ref(), &shared.files.dir, names::CHECKPOINT, note.as_bytes());
    let latest = || disk::read(&shared.files.path(names::CHECKPOINT));
    if replaced.is_err() && latest().is_ok_and(|latest| latest != note.as_bytes()) {
        // Nothing was signed, so the tiles of this size may be written again; the list must not contain the
        // checkpoint.
        shared.disk.truncate(&list, length)?;
    }
    replaced
}

/// Files of one stretch: all are written before any is synced, which costs far fewer commits of the file system than
/// syncing each at once.
struct Round<'a> {
    shared: &'a Shared,
    files: Vec<Box<dyn SegmentFile>>,
    dirs: BTreeSet<PathBuf>,
    /// Files of this round that aren't synced yet.
    paths: Vec<PathBuf>,
    /// Files that were appended to and aren't synced yet, with their length before.
    appended: Vec<(PathBuf, u64)>,
}

impl<'a> Round<'a> {
    const fn new(shared: &'a Shared) -> Self {
        Self { shared, files: Vec::new(), dirs: BTreeSet::new(), paths: Vec::new(), appended: Vec::new() }
    }

    /// Writes a file.
    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.place(name)?;
        let mut sink = self.shared.disk.create(&path)?;
        self.paths.push(path);
        sink.write_all(bytes)?;
        self.files.push(sink);
        Ok(())
    }

    /// Appends to a file of this length; creates it if the length is 0.
    fn append(&mut self, name: &str, length: u64, bytes: &[u8]) -> io::Result<()> {
        if length == 0 {
            return self.put(name, bytes);
        }
        let path = self.place(name)?;
        let mut sink = self.shared.disk.append(&path)?;
        self.appended.push((path, length));
        sink.write_all(bytes)?;
        self.files.push(sink);
        Ok(())
    }

    /// The path of a file of the log. Creates its directory and marks it for syncing.
    fn place(&mut self, name: &str) -> io::Result<PathBuf> {
        let path = self.shared.files.path(name);
        let dir = path.parent().unwrap_or(&self.shared.files.dir).to_owned();
        if !self.dirs.contains(&dir) && !dir.is_dir() {
            self.shared.disk.make_dir(&dir)?;
            let above = dir.ancestors().skip(1).take_while(|above| above.starts_with(&self.shared.files.dir));
            self.dirs.extend(above.map(PathBuf::from));
        }
        self.dirs.insert(dir);
        Ok(path)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.files.iter().for_each(|file| file.start_sync());
        for file in &mut self.files {
            file.sync()?;
        }
        self.dirs.iter().try_for_each(|dir| self.shared.disk.sync_dir(dir))?;
        self.paths.clear();
        self.appended.clear();
        Ok(())
    }
}

impl Drop for Round<'_> {
    /// Removes the files of a failed round. No checkpoint covers them, the next round writes them again, and on a
    /// full disk they would use space that the journal needs.
    fn drop(&mut self) {
        for path in &self.paths {
            let _ = self.shared.disk.remove(path);
        }
        for (path, length) in &self.appended {
            let _ = self.shared.disk.truncate(path, *length);
        }
    }
}

/// A position in the journal, for reading on after the writer.
struct Cursor {
    file: File,
    offset: u64,
    next: u64,
}

impl Cursor {
    fn open(shared: &Shared, at: u64) -> io::Result<Self> {
        let segments = shared.files.segments()?;
        let first = segments.into_iter().rev().find(|first| *first <= at).ok_or(io::ErrorKind::NotFound)?;
        let file = disk::options().read(true).open(shared.files.segment_path(first))?;
        Ok(Self { file, offset: HEADER as u64, next: first })
    }

    /// The entries `from..to` with their packed contents, all durable. Fewer if they are long, but at least one.
    fn read(&mut self, shared: &Shared, from: u64, to: u64) -> io::Result<Vec<WithContents>> {
        let mut records = Vec::with_capacity(usize::try_from(to.saturating_sub(from)).unwrap_or(0));
        let mut bytes = 0;
        let mut buffer = vec![0; journal::MAX_BATCH];
        while self.next < to && bytes < STRETCH_BYTES {
            let length = read_at_least_some(&self.file, &mut buffer, self.offset)?;
            let whole = buffer.get(..length).unwrap_or_default();
            let mut rest = whole;
            while self.next < to && bytes < STRETCH_BYTES {
                let Some((frame, behind)) = journal::read_frame(rest, self.next) else { break };
                if self.next >= from {
                    bytes += rest.len() - behind.len();
                    records.push((frame.entry.to_vec(), frame.contents.to_vec()));
                }
                self.next += 1;
                rest = behind;
            }
            let used = whole.len() - rest.len();
            self.offset += used as u64;
            if used > 0 || self.next >= to {
                continue;
            }
            // Either a frame longer than the buffer, or the end of this segment.
            match journal::frame_length(whole) {
                Some(needed) if needed > buffer.len() && length == buffer.len() => buffer.resize(needed, 0),
                _ => self.next_segment(shared)?,
            }
        }
        Ok(records)
    }

    /// Continues in the next segment.
    fn next_segment(&mut self, shared: &Shared) -> io::Result<()> {
        let path = shared.files.segment_path(self.next);
        self.file = disk::options().read(true).open(path)?;
        self.offset = HEADER as u64;
        let mut byte = [0];
        if self.file.read_at(&mut byte, self.offset)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}

fn read_at_least_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
        match file.read_at(room, offset + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
