//! Read access to a log's directory: names, tiles, bundles, journal segments. Takes no locks and never writes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::content;
use crate::disk;
use crate::journal;
use crate::tile::{self, Entries, WIDTH};
use crate::tree::{Hash, Nodes, root_of};

/// Names in the directory of a log.
pub(crate) mod names {
    pub(crate) const ORIGIN: &str = "origin";
    pub(crate) const KEY: &str = "key";
    pub(crate) const VKEY: &str = "vkey";
    pub(crate) const CHECKPOINT: &str = "checkpoint";
    pub(crate) const LIST: &str = "checkpoints.log";
    pub(crate) const JOURNAL: &str = "journal";
    pub(crate) const LOCK: &str = "lock";
    /// Folder in which earlier versions stored content, one file each.
    pub(crate) const BLOBS: &str = "blobs/sha256";
}

/// Reads the stored parts of one log.
#[derive(Debug, Clone)]
pub(crate) struct Files {
    pub(crate) dir: PathBuf,
}

impl Files {
    pub(crate) fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// A small text file's only line, without line end. `None` if the file doesn't exist.
    pub(crate) fn line(&self, name: &str) -> io::Result<Option<String>> {
        let Some(bytes) = disk::read_if_there(&self.path(name))? else { return Ok(None) };
        let text = String::from_utf8(bytes).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        match text.strip_suffix('\n') {
            Some(line) if !line.contains('\n') => Ok(Some(line.to_owned())),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// The journal's segments by first index.
    pub(crate) fn segments(&self) -> io::Result<Vec<u64>> {
        let listing = match std::fs::read_dir(self.path(names::JOURNAL)) {
            Ok(listing) => listing,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut found = Vec::new();
        for item in listing {
            found.extend(item?.file_name().to_str().and_then(journal::first_of_name));
        }
        found.sort_unstable();
        Ok(found)
    }

    pub(crate) fn segment_path(&self, first: u64) -> PathBuf {
        self.path(names::JOURNAL).join(journal::segment_name(first))
    }

    /// The file of a tile, at this level and number, with at least `width` hashes.
    pub(crate) fn tile(&self, level: u8, number: u64, width: u64) -> io::Result<Option<Vec<u8>>> {
        self.at_least(width, |width| tile::tile_path(level, number, width))
    }

    /// The bundle with at least `width` entries.
    pub(crate) fn bundle(&self, number: u64, width: u64) -> io::Result<Option<Vec<u8>>> {
        self.at_least(width, |width| tile::bundle_path(number, width))
    }

    /// The content bundle of this number. `None` if its records have no content, or it was removed.
    pub(crate) fn contents(&self, number: u64) -> io::Result<Option<Vec<u8>>> {
        disk::read_if_there(&self.path(&content::bundle_path(number)))
    }

    /// The file in which an earlier version stored content of this digest; `None` if it isn't a digest.
    pub(crate) fn blob_path(&self, digest: &str) -> Option<PathBuf> {
        let hex = digest.strip_prefix("sha256:").filter(|hex| hex.len() == 64)?;
        let plain = hex.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        plain.then(|| self.path(names::BLOBS).join(hex.get(..2).unwrap_or_default()).join(hex))
    }

    /// Tries the exact name; then the full file, which replaces partial ones; then any wider partial one.
    fn at_least(&self, width: u64, name: impl Fn(u64) -> String) -> io::Result<Option<Vec<u8>>> {
        for candidate in [width, WIDTH] {
            if let Some(bytes) = disk::read_if_there(&self.path(&name(candidate)))? {
                return Ok(Some(bytes));
            }
        }
        let partials = self.path(&format!("{}.p", name(WIDTH)));
        let Ok(listing) = std::fs::read_dir(&partials) else { return Ok(None) };
        let widest = listing
            .filter_map(|item| item.ok()?.file_name().to_str()?.parse::<u64>().ok())
            .filter(|found| *found < WIDTH)
            .max();
        match widest {
            Some(widest) => disk::read_if_there(&partials.join(widest.to_string())),
            None => Ok(None),
        }
    }
}

/// Hashes of subtrees from the stored tiles, for a tree of `size`. Caches the tiles.
pub(crate) struct StoredNodes<'a> {
    files: &'a Files,
    size: u64,
    read: RefCell<HashMap<(u8, u64), Vec<Hash>>>,
}

impl<'a> StoredNodes<'a> {
    pub(crate) fn new(files: &'a Files, size: u64) -> Self {
        Self { files, size, read: RefCell::new(HashMap::new()) }
    }
}

impl Nodes for StoredNodes<'_> {
    type Error = io::Error;

    fn subtree(&self, level: u32, index: u64) -> io::Result<Hash> {
        let tile_level = u8::try_from(level / 8).unwrap_or(u8::MAX);
        let first = index << (level % 8);
        let (number, from) = (first / WIDTH, (first % WIDTH) as usize);
        let mut read = self.read.borrow_mut();
        let hashes = match read.entry((tile_level, number)) {
            std::collections::hash_map::Entry::Occupied(slot) => slot.into_mut(),
            std::collections::hash_map::Entry::Vacant(slot) => {
                let full = number < tile::full_tiles(self.size, tile_level);
                let width = if full { WIDTH } else { tile::partial_width(self.size, tile_level) };
                let missing = || io::Error::from(io::ErrorKind::NotFound);
                let bytes = self.files.tile(tile_level, number, width)?.ok_or_else(missing)?;
                slot.insert(tile::hashes(&bytes).collect())
            }
        };
        let to = from + (1_usize << (level % 8));
        hashes.get(from..to).map(root_of).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// The `n`th entry of a bundle.
pub(crate) fn nth_entry(bundle: &[u8], n: u64) -> Option<Vec<u8>> {
    Entries::new(bundle).nth(usize::try_from(n).ok()?).map(<[u8]>::to_vec)
}
