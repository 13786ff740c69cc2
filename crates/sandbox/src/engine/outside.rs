//! Resources of a run outside the sandbox, removed when the run ends.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::cgroup::Group;
use crate::error::SandboxError;
use crate::leftover::Before;
use crate::overlay::WriteStore;

/// Resources outside the sandbox; removed when dropped.
#[derive(Debug, Default)]
pub(super) struct Outside {
    pub(super) group: Option<Group>,
    pub(super) stores: Vec<WriteStore>,
    pub(super) folder: Option<Folder>,
    pub(super) gaps: BTreeSet<String>,
    /// State of the writable roots before the run.
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

/// Sixteen random hexadecimal digits.
pub(crate) fn random_name() -> Result<String, SandboxError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| SandboxError::Helper(io::ErrorKind::Other.into()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Creates a folder with a random name that only this user can enter.
pub(crate) fn private_folder(below: Option<&Path>) -> Result<PathBuf, SandboxError> {
    use std::os::unix::fs::DirBuilderExt;
    let below = below.map_or_else(std::env::temp_dir, Path::to_owned);
    let folder = below.join(format!("doorward-{}", random_name()?));
    std::fs::DirBuilder::new().mode(0o700).create(&folder).map_err(SandboxError::Helper)?;
    std::fs::canonicalize(folder).map_err(SandboxError::Helper)
}
