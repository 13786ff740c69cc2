//! Reads files that an attacker may have planted: settings of a project, policies, files of a repository.
//!
//! Reading always ends and is limited: only regular files, at most [`LIMIT`] bytes, and opening never blocks (as a
//! FIFO without writer would). A project's files are read without following links out of the project, so that a link
//! can't expose a file that the project's author can't read.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{self, Mode, OFlags, ResolveFlags};

/// Most bytes read from one file.
pub const LIMIT: u64 = 1 << 20;

const FLAGS: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Reads a file that may be behind a link (a user's or administrator's own settings).
///
/// # Errors
/// [`io::Error`] if it is missing, isn't a regular file, is longer than [`LIMIT`], or can't be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_to(path, LIMIT)
}

/// As [`read`], with another limit in bytes.
///
/// # Errors
/// As [`read`].
pub fn read_to(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    take(fs::open(path, FLAGS, Mode::empty())?, limit)
}

/// As [`read`], as text.
///
/// # Errors
/// As [`read`], and if the text isn't UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    text(read(path)?)
}

/// As [`read_text`], with another limit in bytes.
///
/// # Errors
/// As [`read_text`].
pub fn read_text_to(path: &Path, limit: u64) -> io::Result<String> {
    text(read_to(path, limit)?)
}

/// Reads a file of a project; no link on the path may lead out of `root`.
///
/// # Errors
/// As [`read`]; also for a link that leads out.
pub fn read_below(root: &Path, below: &Path) -> io::Result<Vec<u8>> {
    let folder = fs::open(root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    match fs::openat2(&folder, below, FLAGS, Mode::empty(), resolve) {
        Ok(file) => take(file, LIMIT),
        // Kernels before 5.6 and some container filters: no final link, and the path to it must be free of links.
        Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => {
            let plain = std::fs::canonicalize(root)?.join(below);
            if std::fs::canonicalize(&plain)? != plain {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a link leads to it"));
            }
            take(fs::open(&plain, FLAGS | OFlags::NOFOLLOW, Mode::empty())?, LIMIT)
        }
        Err(error) => Err(error.into()),
    }
}

/// As [`read_below`], as text.
///
/// # Errors
/// As [`read_below`], and if the text isn't UTF-8.
pub fn read_text_below(root: &Path, below: &Path) -> io::Result<String> {
    text(read_below(root, below)?)
}

fn take(file: OwnedFd, limit: u64) -> io::Result<Vec<u8>> {
    let file = File::from(file);
    let found = file.metadata()?;
    let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, not a file"));
    }
    if !found.is_file() {
        return Err(wrong("it is not a regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    // One extra byte detects a file that is too long, even one that grows while it is read.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
        return Err(wrong(format!("it is longer than {limit} bytes, the most that is read of such a file")));
    }
    Ok(bytes)
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::time::Instant;

    use super::*;

    #[test]
    fn planted_files_neither_hang_nor_fill_the_memory_nor_lead_out() {
        let project = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let at = |name: &str| project.path().join(name);
        std::fs::write(outside.path().join("private"), "private").unwrap();
        std::fs::write(at("plain"), "text").unwrap();
        std::fs::write(at("long"), vec![b'x'; usize::try_from(LIMIT).unwrap() + 1]).unwrap();
        std::fs::write(at("just"), vec![b'x'; usize::try_from(LIMIT).unwrap()]).unwrap();
        std::fs::write(at("binary"), [0xff, 0xfe]).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        symlink("plain", at("inner")).unwrap();
        symlink(outside.path().join("private"), at("out")).unwrap();
        symlink(outside.path(), at("linked")).unwrap();
        symlink("/dev/zero", at("endless")).unwrap();
        symlink("/proc/self/fd/0", at("magic")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("fifo"), Mode::RUSR | Mode::WUSR).unwrap();
        let begun = Instant::now();
        for (name, below, direct) in [
            ("plain", true, true),
            ("inner", true, true),
            ("just", true, true),
            ("binary", false, false),
            ("long", false, false),
            ("folder", false, false),
            ("out", false, true),
            ("linked/private", false, true),
            ("../nothing-of-this-name-stands-here", false, false),
            ("endless", false, false),
            ("magic", false, false),
            ("fifo", false, false),
            ("missing", false, false),
        ] {
            assert_eq!(read_text_below(project.path(), Path::new(name)).is_ok(), below, "{name} below");
            assert_eq!(read_text(&at(name)).is_ok(), direct, "{name}");
        }
        assert!(begun.elapsed().as_secs() < 2, "something waited");
    }
}
