//! What programs and calls do, as data: reads the specs under `programs/` and `languages/` and writes the tables that
//! `doorward-shell` is compiled with.
//!
//! A spec is one KDL file. [`parse`] checks it strictly: an unknown key, role or finding code, a missing source or an
//! option that is listed twice is an error that names the file, the line and the nearest key that would be right.
//! [`emit`] turns specs into Rust; its output is checked in, so building `doorward-shell` needs no parser. The
//! examples of each spec are run by a test of `doorward-shell`. `docs/knowledge.md` describes the format.

mod compare;
mod coverage;
mod draft;
mod emit;
mod language;
mod own;
mod parse;
mod spec;
mod vocabulary;

use std::path::{Path, PathBuf};

pub use compare::{Difference, Listed, Takes, compare, read_manual};
pub use coverage::coverage;
pub use draft::draft;
pub use emit::{
    deciding, emit, emit_list, first_spellings, is_bare, is_detail, is_option, option_token, picked_places,
    picks, split,
};
pub use language::{
    Language, LanguageFile, emit_languages, generated_languages, load_languages, parse_language,
    shipped_languages,
};
pub use own::{LONGEST, parse_own};
pub use parse::{SpecError, parse};
pub use spec::{Act, Condition, Example, OptionSpec, Program, Row, Rule, Source, SpecFile};

/// The folder with the specs that are shipped.
#[must_use]
pub fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

/// The generated Rust file of a spec, beside the others in `doorward-shell`.
#[must_use]
pub fn generated(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../crates/shell/src/programs/known/{name}.rs"))
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
