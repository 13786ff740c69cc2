//! Content kept beside the log under its own digest: what is too long for an entry, and the redacted
//! `Inspected` that a decision names.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use doorward_core::json::digest;

use crate::disk::{Disk, TEMPORARY};
use crate::files::names;
use crate::queue::lock;

pub(crate) struct Blobs {
    disk: Arc<dyn Disk>,
    root: PathBuf,
    /// Written, but not yet synced: done before the next checkpoint.
    unsynced: Mutex<Vec<PathBuf>>,
    counter: AtomicU64,
}

impl Blobs {
    pub(crate) fn new(disk: Arc<dyn Disk>, dir: &std::path::Path) -> Self {
        Self { disk, root: dir.join(names::BLOBS), unsynced: Mutex::default(), counter: AtomicU64::new(0) }
    }

    /// Keeps bytes; durable with the next checkpoint. Returns `sha256:…`.
    pub(crate) fn put(&self, bytes: &[u8]) -> io::Result<String> {
        let name = digest(bytes);
        if let Some(path) = self.write(&name, bytes)? {
            lock(&self.unsynced).push(path);
        }
        Ok(name)
    }

    /// Keeps bytes; durable when this returns.
    pub(crate) fn put_synced(&self, bytes: &[u8]) -> io::Result<()> {
        if let Some(path) = self.write(&digest(bytes), bytes)? {
            self.sync_one(&path)?;
        }
        Ok(())
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        let paths = std::mem::take(&mut *lock(&self.unsynced));
        paths.iter().try_for_each(|path| self.sync_one(path))
    }

    fn sync_one(&self, path: &std::path::Path) -> io::Result<()> {
        self.disk.append(path)?.sync()?;
        path.ancestors().skip(1).take(2).try_for_each(|dir| self.disk.sync_dir(dir))
    }

    /// The path, if it wasn't there before.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<Option<PathBuf>> {
        let path = path_of(&self.root, name).ok_or(io::ErrorKind::InvalidInput)?;
        if path.exists() {
            return Ok(None);
        }
        let dir = path.parent().unwrap_or(&self.root);
        if !dir.is_dir() {
            self.disk.make_dir(dir)?;
        }
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        let temporary = self.root.join(format!(".{number}{TEMPORARY}"));
        let written = self.disk.create(&temporary).and_then(|mut file| file.write_all(bytes));
        if let Err(error) = written.and_then(|()| self.disk.rename(&temporary, &path)) {
            // On a full disk the part that was written would take the room that other records need.
            let _ = self.disk.remove(&temporary);
            return Err(error);
        }
        Ok(Some(path))
    }
}

/// `blobs/sha256/ab/<hex>` of a digest; `None` if it isn't one.
pub(crate) fn path_of(root: &std::path::Path, name: &str) -> Option<PathBuf> {
    let hex = name.strip_prefix("sha256:").filter(|hex| hex.len() == 64)?;
    let plain = hex.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    plain.then(|| root.join(hex.get(..2).unwrap_or_default()).join(hex))
}
