//! What a run needs outside of itself, gone when the run is.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::cgroup::Group;
use crate::error::SandboxError;
use crate::leftover::Before;
use crate::overlay::Store;
use crate::placeholder::Kept;

/// What exists outside for the time of a run; dropped, it is gone.
#[derive(Debug, Default)]
pub(super) struct Outside {
    pub(super) group: Option<Group>,
    /// Placeholders, each with its folder.
    pub(super) placeholders: Vec<(PathBuf, Kept)>,
    pub(super) stores: Vec<Store>,
    pub(super) folder: Option<Folder>,
    pub(super) gaps: BTreeSet<String>,
    /// The writable roots as they were.
    pub(super) before: Before,
}

impl Drop for Outside {
    fn drop(&mut self) {
        if let Some(group) = &self.group {
            group.kill();
            group.remove();
        }
    }
}

#[derive(Debug)]
pub(super) struct Folder(pub(super) PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Sixteen hexadecimal digits nobody can guess.
pub(crate) fn random_name() -> Result<String, SandboxError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| SandboxError::Helper(io::ErrorKind::Other.into()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A folder only we can enter, under a name nobody can guess.
pub(crate) fn private_folder(below: Option<&Path>) -> Result<PathBuf, SandboxError> {
    use std::os::unix::fs::DirBuilderExt;
    let below = below.map_or_else(std::env::temp_dir, Path::to_owned);
    let folder = below.join(format!("doorward-{}", random_name()?));
    std::fs::DirBuilder::new().mode(0o700).create(&folder).map_err(SandboxError::Helper)?;
    std::fs::canonicalize(folder).map_err(SandboxError::Helper)
}
