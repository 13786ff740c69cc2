//! What programs, calls and cmdlets do, as data: reads the specs under `programs/`, `languages/` and `cmdlets/` and
//! makes rows of them, by which `doorward-shell` judges.
//!
//! A spec is one KDL file. [`parse()`] checks it strictly: an unknown key, role or finding code, a missing source or an
//! option that is listed twice is an error that names the file, the line and the nearest key that would be right.
//! [`rows`] makes [`ProgramRow`]s of a spec. What is shipped is packed into one text of bytes when `doorward-shell` is
//! built ([`pack()`]), and each row is unpacked when it is first asked for ([`Shipped`]). The examples of each spec are
//! run by a test of `doorward-shell`. `docs/knowledge.md` describes the format.

mod acts;
pub mod calls;
pub mod cmdlet;
mod compare;
mod coverage;
mod document;
mod draft;
pub mod effect;
mod language;
mod list;
mod make;
mod own;
mod pack;
mod parse;
pub mod row;
mod spec;
mod vocabulary;

use std::path::{Path, PathBuf};

pub use compare::{Difference, Listed, Takes, compare, read_manual};
pub use coverage::coverage;
pub use draft::draft;
pub use language::{Language, LanguageFile, load_languages, parse_language, shipped_languages};
pub use list::List;
pub use make::rows;
pub use own::{LONGEST, parse_own};
pub use pack::{NamedRow, Shipped, Unpackable, pack};
pub use parse::{SpecError, parse};
pub use row::ProgramRow;
pub use spec::{Act, Condition, Example, OptionSpec, Program, Row, Rule, Source, SpecFile};

/// The folder with the specs that are shipped.
#[must_use]
pub fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

/// Reads every spec of a folder, in the order of their names.
///
/// # Errors
/// The first file that can't be read or is wrong.
pub fn load(folder: &Path) -> Result<Vec<SpecFile>, SpecError> {
    files(folder)?.iter().map(|(name, text)| parse(name, text)).collect()
}

/// Name and text of every KDL file of a folder, in the order of the names.
fn files(folder: &Path) -> Result<Vec<(String, String)>, SpecError> {
    let unreadable = |path: &Path, error: std::io::Error| SpecError {
        file: path.display().to_string(),
        line: 1,
        message: error.to_string(),
    };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(|error| unreadable(folder, error))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "kdl"))
        .collect();
    paths.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, error))?;
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Ok((name, text))
    };
    paths.iter().map(read).collect()
}
