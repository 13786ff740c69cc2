//! What a repository's own git configuration says, without running git: the config of the repository (behind `.git`
//! folders, `gitdir:` files and `commondir`), of a work tree, and what these include.
//!
//! Read with bounds, like every file that a repository can plant. Includes with a condition are read as if it held: a
//! setting that may be in force is in force here.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use bstr::ByteSlice as _;
use doorward_core::world::{GitSetting, Unseen};
use doorward_paths::lexical;
use gix_config::File;
use gix_config::file::{Metadata, init};

/// Files read for one repository, includes among them.
const FILES: usize = 32;
/// The longest given configuration that is read.
pub(crate) const CONFIG_LIMIT: u64 = 1 << 20;
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

/// Reads a file, up to a bound.
pub(crate) type ReadFile<'a> = &'a dyn Fn(&Path) -> io::Result<Vec<u8>>;

/// Every setting of a repository, in the order in which git reads them.
///
/// # Errors
/// [`Unseen::Unreadable`] where a file is there and can't be read or parsed: what it says may be in force.
pub(crate) fn settings(
    work: &Path,
    directory: &Path,
    home: Option<&str>,
    read: ReadFile<'_>,
) -> Result<Vec<GitSetting>, Unseen> {
    let mut reading = Reading { work, home, read, files: 0, found: Vec::new() };
    let common = match read(&directory.join("commondir")) {
        Ok(text) => directory.join(text.to_str_lossy().trim()),
        Err(error) if error.kind() == ErrorKind::NotFound => directory.to_owned(),
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

/// The settings of the repository around a folder whose `.git/config` is among given files; `None` where it isn't.
pub(crate) fn settings_among(
    folder: &str,
    home: Option<&str>,
    is_given: &dyn Fn(&str) -> bool,
    read_text: &dyn Fn(&str) -> Result<String, Unseen>,
) -> Option<Result<Vec<GitSetting>, Unseen>> {
    let has_config = |work: &&Path| is_given(&work.join(".git/config").to_string_lossy());
    let work = Path::new(folder).ancestors().find(has_config)?;
    let read = |path: &Path| match read_text(&lexical::fold(&path.to_string_lossy())) {
        Ok(text) => Ok(text.into_bytes()),
        Err(Unseen::Missing | Unseen::NotLooked) => Err(ErrorKind::NotFound.into()),
        Err(_) => Err(ErrorKind::InvalidData.into()),
    };
    Some(settings(work, &work.join(".git"), home, &read))
}

struct Reading<'a> {
    work: &'a Path,
    home: Option<&'a str>,
    read: ReadFile<'a>,
    files: usize,
    found: Vec<GitSetting>,
}

impl Reading<'_> {
    fn file(&mut self, path: &Path, depth: usize) -> Result<(), Unseen> {
        self.files += 1;
        if self.files > FILES || depth > DEPTH {
            return Err(Unseen::TooLarge);
        }
        let bytes = match (self.read)(path) {
            Ok(bytes) => bytes,
            // Git passes over a config or an include that isn't there.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
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
