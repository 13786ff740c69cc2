//! What points at the download and holds no program itself: the Homebrew formula and the GitHub Action.

use std::path::{Path, PathBuf};

use super::archive::BASE;
use super::tree::PackageTree;
use super::{filled, read, sums, write};

/// Writes both. The formula was never run: there is no Homebrew where it is made.
pub(super) fn write_all(tree: &PackageTree, archive: &Path, out: &Path) -> Result<Vec<PathBuf>, String> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let url = format!("{BASE}/{}/{name}", tree.version);
    let sum = sums::sha256(&read(archive)?);
    let values = [("VERSION", tree.version.as_str()), ("URL", &url), ("SHA256", &sum)];
    let formula = out.join("doorward.rb");
    write(&formula, filled("homebrew/doorward.rb", &values)?.as_bytes())?;
    let action = out.join("action.yml");
    write(&action, filled("action/action.yml", &[])?.as_bytes())?;
    Ok(vec![formula, action])
}
