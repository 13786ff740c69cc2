//! The file operations of the writing side, behind a trait so that tests can make each of them fail.
//!
//! Directories are 0700, files 0600; symbolic links are never followed.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::{Advice, OFlags};

/// An open file that is only ever appended to.
pub trait SegmentFile: Send {
    /// As `write(2)`: may write less, or be interrupted.
    ///
    /// # Errors
    /// The system's error.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// As `fdatasync(2)`.
    ///
    /// # Errors
    /// The system's error. After one, data written since the last sync may be lost, even if a later sync succeeds.
    fn sync(&mut self) -> io::Result<()>;

    /// Starts writing to the disk without waiting. If many files are started before any is synced, the first sync
    /// commits the file system's metadata for all; otherwise each sync commits its own.
    fn start_sync(&self) {}

    /// Writes all bytes, continuing after short and interrupted writes.
    ///
    /// # Errors
    /// As [`SegmentFile::write`]; `WriteZero` if nothing could be written.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => rest = rest.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// File operations of the writing side.
pub trait Disk: Send + Sync {
    /// Creates a file for appending, or empties one that no checkpoint covers yet.
    ///
    /// # Errors
    /// The system's error.
    fn create(&self, path: &Path) -> io::Result<Box<dyn SegmentFile>>;

    /// Opens a file for appending; creates it if missing.
    ///
    /// # Errors
    /// The system's error.
    fn append(&self, path: &Path) -> io::Result<Box<dyn SegmentFile>>;

    /// Reads a file's content from the disk itself, dropping the page cache first if possible.
    ///
    /// # Errors
    /// The system's error.
    fn read_back(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Truncates a file and syncs it.
    ///
    /// # Errors
    /// The system's error.
    fn truncate(&self, path: &Path, length: u64) -> io::Result<()>;

    /// As `rename(2)`.
    ///
    /// # Errors
    /// The system's error.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// As `unlink(2)`.
    ///
    /// # Errors
    /// The system's error.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Creates a directory and its parents; it may exist already.
    ///
    /// # Errors
    /// The system's error.
    fn make_dir(&self, path: &Path) -> io::Result<()>;

    /// Makes the entries of a directory durable.
    ///
    /// # Errors
    /// The system's error.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
}

/// The real file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

struct SystemFile(File);

impl SegmentFile for SystemFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn start_sync(&self) {
        // Dirty pages can't be dropped; the kernel then starts writing them.
        let _ = rustix::fs::fadvise(&self.0, 0, None, Advice::DontNeed);
    }
}

/// Options that never follow a link and give permissions to the owner only.
pub(crate) fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    let flags = (OFlags::NOFOLLOW | OFlags::CLOEXEC).bits();
    options.mode(0o600).custom_flags(i32::try_from(flags).unwrap_or(0));
    options
}

/// Reads a whole file; doesn't follow a link.
///
/// # Errors
/// The system's error.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = options().read(true).open(path)?;
    let mut bytes = Vec::with_capacity(file.metadata().map_or(0, |meta| meta.len() as usize));
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a whole file; `None` if it doesn't exist.
///
/// # Errors
/// The system's error, except "not found".
pub fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl Disk for System {
    fn create(&self, path: &Path) -> io::Result<Box<dyn SegmentFile>> {
        let file = options().create(true).write(true).truncate(true).open(path)?;
        Ok(Box::new(SystemFile(file)))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn SegmentFile>> {
        Ok(Box::new(SystemFile(options().create(true).append(true).open(path)?)))
    }

    fn read_back(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut file = options().read(true).open(path)?;
        let _ = rustix::fs::fadvise(&file, 0, None, Advice::DontNeed);
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn truncate(&self, path: &Path, length: u64) -> io::Result<()> {
        let file = options().write(true).open(path)?;
        file.set_len(length)?;
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn make_dir(&self, path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }
}

/// Suffix of a file that is being written.
pub(crate) const TEMPORARY: &str = ".tmp";

/// Writes a file atomically: under a temporary name, synced, then renamed.
///
/// # Errors
/// The system's error.
pub(crate) fn replace(disk: &dyn Disk, dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let temporary = dir.join(format!("{name}{TEMPORARY}"));
    let written = disk.create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync()
    });
    if let Err(error) = written.and_then(|()| disk.rename(&temporary, &dir.join(name))) {
        // On a full disk, the partial file would use space that the next attempt needs.
        let _ = disk.remove(&temporary);
        return Err(error);
    }
    disk.sync_dir(dir)
}
