//! The few things the writing side asks of a file system, behind a trait so that tests can break each of them.
//!
//! Directories are 0700, files 0600, nothing is opened through a symbolic link.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::{Advice, OFlags};

/// An open file that is only ever appended to.
pub trait Sink: Send {
    /// As `write(2)`: may be short, may be interrupted.
    ///
    /// # Errors
    /// As the system's.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// As `fdatasync(2)`.
    ///
    /// # Errors
    /// As the system's. After one, what was written since the last sync may be lost, whatever a later sync
    /// says.
    fn sync(&mut self) -> io::Result<()>;

    /// Starts to bring what was written to the disk, without waiting. Of many files started first and synced
    /// then, the first sync commits the file system's metadata of all; synced one by one, each needs its own.
    fn start_sync(&self) {}

    /// Writes all of it, over short and interrupted writes.
    ///
    /// # Errors
    /// As [`Sink::write`]; a write of nothing is `WriteZero`.
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

/// What the writing side needs of a file system.
pub trait Disk: Send + Sync {
    /// Creates a file (or empties one that no checkpoint covers yet) for appending.
    ///
    /// # Errors
    /// As the system's.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>>;

    /// Opens a file for appending, creating it if it isn't there.
    ///
    /// # Errors
    /// As the system's.
    fn append(&self, path: &Path) -> io::Result<Box<dyn Sink>>;

    /// What is really on the disk: the page cache is dropped first where that is possible.
    ///
    /// # Errors
    /// As the system's.
    fn read_back(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Cuts a file and syncs it.
    ///
    /// # Errors
    /// As the system's.
    fn truncate(&self, path: &Path, length: u64) -> io::Result<()>;

    /// As `rename(2)`.
    ///
    /// # Errors
    /// As the system's.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// As `unlink(2)`.
    ///
    /// # Errors
    /// As the system's.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Creates a directory and its parents; one that is there is fine.
    ///
    /// # Errors
    /// As the system's.
    fn make_dir(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a directory durable.
    ///
    /// # Errors
    /// As the system's.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
}

/// The real one.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

struct SystemFile(File);

impl Sink for SystemFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn start_sync(&self) {
        // Dirty pages can't be dropped: the kernel starts to write them instead.
        let _ = rustix::fs::fadvise(&self.0, 0, None, Advice::DontNeed);
    }
}

/// Options that never follow a link and create for the owner alone.
pub(crate) fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    let flags = (OFlags::NOFOLLOW | OFlags::CLOEXEC).bits();
    options.mode(0o600).custom_flags(i32::try_from(flags).unwrap_or(0));
    options
}

/// Reads a whole file, not through a link.
///
/// # Errors
/// As the system's.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = options().read(true).open(path)?;
    let mut bytes = Vec::with_capacity(file.metadata().map_or(0, |meta| meta.len() as usize));
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a whole file; `None` where there is none.
///
/// # Errors
/// As the system's, other than "not found".
pub fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl Disk for System {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        let file = options().create(true).write(true).truncate(true).open(path)?;
        Ok(Box::new(SystemFile(file)))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
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

/// How the name of a file ends that is being written.
pub(crate) const TEMPORARY: &str = ".tmp";

/// Writes a file under a temporary name, syncs it, and moves it into place: whole or not at all.
///
/// # Errors
/// As the system's.
pub(crate) fn replace(disk: &dyn Disk, dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let temporary = dir.join(format!("{name}{TEMPORARY}"));
    let written = disk.create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync()
    });
    if let Err(error) = written.and_then(|()| disk.rename(&temporary, &dir.join(name))) {
        // On a full disk the part that was written would take the room that the next attempt needs.
        let _ = disk.remove(&temporary);
        return Err(error);
    }
    disk.sync_dir(dir)
}
