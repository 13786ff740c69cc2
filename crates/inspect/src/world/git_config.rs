//! What a repository's own git configuration says, without running git: the config of the repository (behind `.git`
//! folders, `gitdir:` files and `commondir`), of a work tree, and what these include.
//!
//! Read with bounds, like every file that a repository can plant. Includes with a condition are read as if it held: a
//! setting that may be in force is in force here.

use std::path::{Path, PathBuf};

use bstr::ByteSlice as _;
use doorward_core::world::{GitSetting, Unseen};
use doorward_paths::{bounded, lexical};
use gix_config::File;
use gix_config::file::{Metadata, init};

/// Files read for one repository, includes among them.
const FILES: usize = 32;
/// Includes that include.
const DEPTH: usize = 8;

/// The repository that git would find from `folder`: its work tree and its git directory.
pub(crate) fn discover(folder: &Path) -> Option<(PathBuf, PathBuf)> {
    folder.ancestors().take(64).find_map(|at| {
        if let Some(directory) = super::git::git_directory(at) {
            return Some((at.to_path_buf(), directory));
        }
        looks_bare(at).then(|| (at.to_path_buf(), at.to_path_buf()))
    })
}

/// What git takes for a git directory: `HEAD`, `objects` and `refs` (gitrepository-layout(5)).
fn looks_bare(folder: &Path) -> bool {
    let is_head = folder.join("HEAD").symlink_metadata().is_ok_and(|meta| !meta.is_dir());
    is_head && folder.join("objects").is_dir() && folder.join("refs").is_dir()
}

/// Every setting of a repository, in the order in which git reads them.
///
/// # Errors
/// [`Unseen::Unreadable`] where a file is there and can't be read or parsed: what it says may be in force.
pub(crate) fn settings(work: &Path, directory: &Path, home: Option<&str>) -> Result<Vec<GitSetting>, Unseen> {
    let mut reading = Reading { work, home, files: 0, found: Vec::new() };
    let common = match bounded::read_text(&directory.join("commondir")) {
        Ok(text) => directory.join(text.trim()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => directory.to_owned(),
        Err(_) => return Err(Unseen::Unreadable),
    };
    reading.file(&common.join("config"), 0)?;
    let own = reading.found.iter().any(|setting| {
        setting.key.eq_ignore_ascii_case("extensions.worktreeconfig") && setting.value != "false"
    });
    if own {
        reading.file(&directory.join("config.worktree"), 0)?;
    }
    Ok(reading.found)
}

struct Reading<'a> {
    work: &'a Path,
    home: Option<&'a str>,
    files: usize,
    found: Vec<GitSetting>,
}

impl Reading<'_> {
    fn file(&mut self, path: &Path, depth: usize) -> Result<(), Unseen> {
        self.files += 1;
        if self.files > FILES || depth > DEPTH {
            return Err(Unseen::TooLarge);
        }
        let bytes = match bounded::read(path) {
            Ok(bytes) => bytes,
            // Git passes over a config or an include that isn't there.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(_) => return Err(Unseen::Unreadable),
        };
        let options = init::Options::default();
        let parsed = File::from_bytes_no_includes(&bytes, Metadata::default(), options)
            .map_err(|_| Unseen::Unreadable)?;
        for section in parsed.sections() {
            let header = section.header();
            let name = header.name().to_string();
            let prefix = match header.subsection_name() {
                Some(sub) => format!("{name}.{}", sub.to_str_lossy()),
                None => name.clone(),
            };
            let body = section.body();
            for key in body.value_names() {
                for value in body.values(&key) {
                    let value = value.to_str_lossy().into_owned();
                    let includes =
                        name.eq_ignore_ascii_case("include") || name.eq_ignore_ascii_case("includeif");
                    if includes && key.eq_ignore_ascii_case("path") {
                        let place = self.included(path, &value);
                        self.file(&place, depth + 1)?;
                    }
                    self.found.push(GitSetting {
                        key: format!("{prefix}.{key}"),
                        value,
                        file: path.display().to_string(),
                        work: self.work.display().to_string(),
                    });
                }
            }
        }
        Ok(())
    }

    fn included(&self, from: &Path, value: &str) -> PathBuf {
        match (value.strip_prefix("~/"), self.home) {
            (Some(rest), Some(home)) => Path::new(home).join(rest),
            _ => {
                let base = from.parent().unwrap_or(from).display().to_string();
                PathBuf::from(lexical::join(&base, value))
            }
        }
    }
}
