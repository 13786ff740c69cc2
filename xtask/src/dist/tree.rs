//! What every package holds, laid out once below one folder as it lies below `/usr`.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::{read, root, sbom, told, write};

/// Where texts for people lie.
pub(super) const DOC: &str = "share/doc/doorward";

/// Shells with the place of their completions.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "share/bash-completion/completions/doorward"),
    ("zsh", "share/zsh/site-functions/_doorward"),
    ("fish", "share/fish/vendor_completions.d/doorward.fish"),
];

/// Files of this repository with their places.
const COPIED: &[(&str, &str)] = &[
    ("README.md", "share/doc/doorward/README.md"),
    ("LICENSE-APACHE", "share/doc/doorward/LICENSE-APACHE"),
    ("LICENSE-MIT", "share/doc/doorward/LICENSE-MIT"),
    ("packaging/systemd/doorward.sysusers", "lib/sysusers.d/doorward.conf"),
    ("packaging/systemd/doorward@.service", "lib/systemd/system/doorward@.service"),
];

/// The tree of one program.
#[derive(Debug)]
pub(super) struct PackageTree {
    /// The folder that stands for `/usr`.
    pub(super) folder: PathBuf,
    /// Doorward's version.
    pub(super) version: String,
    /// The machine as the kernel names it: `x86_64`, `aarch64`.
    pub(super) machine: &'static str,
    /// The least glibc that the program runs on; none for a static one.
    pub(super) glibc: Option<(u32, u32)>,
    /// Seconds since 1970 of the commit: the time of every file in every package.
    pub(super) time: u64,
}

impl PackageTree {
    /// Lays out a built program, stripped, with all that belongs to it.
    ///
    /// # Errors
    /// What is missing beside the program, or couldn't be written.
    pub(super) fn lay(program: &Path, folder: &Path) -> Result<Self, String> {
        let thin = program.with_file_name("doorward-thin");
        for needed in [program, &thin] {
            if !needed.is_file() {
                return Err(format!(
                    "{} isn't there; build it with: cargo build -p doorward-cli",
                    needed.display()
                ));
            }
        }
        let bin = folder.join("bin");
        for built in [program, &thin] {
            stripped(built, &bin.join(built.file_name().unwrap_or_default()))?;
        }
        let bytes = read(&bin.join("doorward"))?;
        let build = told(Command::new(program).arg("--version"))?;
        let mut words = build.split_whitespace();
        let version = words.nth(1).ok_or(format!("{build:?} names no version"))?.to_owned();
        let commit = Commit::checked_out()?;
        let tree = Self {
            folder: folder.to_owned(),
            version,
            machine: machine(&bytes)?,
            glibc: glibc(&bytes),
            time: commit.time,
        };
        told(Command::new(program).arg("man").arg(folder.join("share/man/man1")))?;
        for (shell, place) in COMPLETIONS {
            let text = told(Command::new(program).args(["completions", shell]))?;
            write(&folder.join(place), text.as_bytes())?;
        }
        for (source, place) in COPIED {
            write(&folder.join(place), &read(&root().join(source))?)?;
        }
        let components = sbom::components()?;
        write(&folder.join(DOC).join("NOTICE"), sbom::notice(&components)?.as_bytes())?;
        let list = sbom::cyclonedx(&components, &tree);
        write(&folder.join(DOC).join("sbom.cdx.json"), list.as_bytes())?;
        let provenance = commit.provenance(&build, &tree)?;
        write(&folder.join(DOC).join("provenance.json"), provenance.as_bytes())?;
        settle(folder, tree.time)?;
        Ok(tree)
    }

    /// What the program needs of the system, in words.
    pub(super) fn floor(&self) -> String {
        match self.glibc {
            Some((major, minor)) => format!("glibc {major}.{minor} or newer"),
            None => "nothing: it is static".to_owned(),
        }
    }

    /// Name of the version and machine in a package's file name.
    pub(super) fn name(&self) -> String {
        format!("doorward-{}-{}-linux", self.version, self.machine)
    }
}

/// Gives every file and folder one time and plain rights, so that the same program gives the same packages.
pub(super) fn settle(folder: &Path, time: u64) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for item in folder.read_dir().map_err(failed)? {
        let path = item.map_err(failed)?.path();
        if path.is_dir() {
            settle(&path, time)?;
            continue;
        }
        let runs = path.parent().is_some_and(|parent| parent.ends_with("bin"));
        let own = path.metadata().map_err(failed)?.permissions().mode();
        let mode = if runs || own & 0o111 != 0 { 0o755 } else { 0o644 };
        std::fs::set_permissions(&path, Permissions::from_mode(mode)).map_err(failed)?;
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(time);
        File::open(&path).and_then(|file| file.set_modified(time)).map_err(failed)?;
    }
    std::fs::set_permissions(folder, Permissions::from_mode(0o755)).map_err(failed)?;
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(time);
    File::open(folder).and_then(|file| file.set_modified(time)).map_err(failed)
}

/// Copies a program without what only debuggers read. A program for another machine is copied as it is if the machine's
/// own `strip` can't read it.
fn stripped(program: &Path, place: &Path) -> Result<(), String> {
    write(place, b"")?;
    if told(Command::new("strip").arg("-o").arg(place).arg(program)).is_err() {
        std::fs::copy(program, place).map_err(|error| format!("{}: {error}", place.display()))?;
    }
    std::fs::set_permissions(place, Permissions::from_mode(0o755)).map_err(|error| error.to_string())
}

/// The machine that an ELF file is for (e_machine, at byte 18).
fn machine(bytes: &[u8]) -> Result<&'static str, String> {
    match (bytes.get(..4), bytes.get(18)) {
        (Some(b"\x7fELF"), Some(62)) => Ok("x86_64"),
        (Some(b"\x7fELF"), Some(183)) => Ok("aarch64"),
        _ => Err("the program is no ELF file for x86_64 or aarch64".to_owned()),
    }
}

/// The newest version of glibc that an ELF file names, which is the least that it runs on.
fn glibc(bytes: &[u8]) -> Option<(u32, u32)> {
    const NAME: &[u8] = b"GLIBC_";
    // A static program has no interpreter, and symbols of no library.
    if !bytes.windows(8).any(|part| part == b"/ld-linu") {
        return None;
    }
    let versions = bytes.windows(NAME.len() + 6).filter(|part| part.starts_with(NAME)).filter_map(|part| {
        let text = std::str::from_utf8(part.get(NAME.len()..)?.split(|byte| *byte == 0).next()?).ok()?;
        let (major, minor) = text.split_once('.')?;
        Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
    });
    versions.max()
}

/// The commit that is checked out.
struct Commit {
    hash: String,
    time: u64,
    is_changed: bool,
}

impl Commit {
    fn checked_out() -> Result<Self, String> {
        let git = |words: &[&str]| told(Command::new("git").args(words).current_dir(root()));
        let both = git(&["log", "-1", "--format=%H %ct"])?;
        let (hash, time) = both.split_once(' ').ok_or(format!("git: {both}"))?;
        let time = time.parse().map_err(|error| format!("git: {both}: {error}"))?;
        let is_changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
        Ok(Self { hash: hash.to_owned(), time, is_changed })
    }

    /// Where the program came from, as JSON.
    fn provenance(&self, build: &str, tree: &PackageTree) -> Result<String, String> {
        let toolchain = told(Command::new("rustc").arg("--version").current_dir(root()))?;
        let provenance = serde_json::json!({
            "name": "doorward",
            "version": tree.version,
            "build": build,
            "commit": self.hash,
            "commit_time": self.time,
            "sources_changed_since": self.is_changed,
            "toolchain": toolchain,
            "machine": tree.machine,
            "needs": tree.floor(),
        });
        Ok(format!("{provenance:#}\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_glibc_floor_is_the_newest_version_that_is_named() {
        let dynamic =
            b"\x7fELF/lib64/ld-linux-x86-64.so.2\0GLIBC_2.9\0..GLIBC_2.34\0GLIBC_2.3.4\0GLIBC_PRIVATE\0    ";
        assert_eq!(glibc(dynamic), Some((2, 34)));
        assert_eq!(glibc(b"\x7fELF GLIBC_2.34\0          "), None, "nothing loads it");
        assert!(machine(b"#!/bin/sh\n            ").is_err());
    }
}
