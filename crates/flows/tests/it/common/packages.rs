//! Files of Rust, npm and Python packages, by the owner of their repository.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

const ENDS: &[&str] = &["rs", "md", "toml", "c", "h", "js", "ts", "py", "txt", "json", "html", "sh", "yml"];

/// Files of the packages in these folders, by package name (without version), for owners that are `wanted`.
#[allow(dead_code, reason = "the measurement reads packages one by one")]
pub(crate) fn by_name(folders: &[PathBuf], wanted: impl Fn(&str) -> bool) -> BTreeMap<String, Vec<PathBuf>> {
    let mut all: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for package in packages(folders) {
        if wanted(&owner(&package)) {
            files(&package, all.entry(name(&package)).or_default());
        }
    }
    all
}

/// The packages in these folders, by name; a folder `@scope` contains further packages.
pub(crate) fn packages(folders: &[PathBuf]) -> Vec<PathBuf> {
    let list = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    let is_scope =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('@'));
    let (scopes, mut all): (Vec<_>, Vec<_>) = folders.iter().flat_map(|one| list(one)).partition(is_scope);
    all.extend(scopes.iter().flat_map(|scope| list(scope)));
    all.sort();
    all
}

/// A package's owner: the owner of its repository, else its own name without version.
pub(crate) fn owner(package: &Path) -> String {
    let manifest = ["Cargo.toml", "package.json", "METADATA"].map(|name| package.join(name));
    let manifest = manifest.iter().find_map(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let place = manifest.lines().filter(|line| line.contains("epository") || line.contains("\"url\""));
    let owner = place.filter_map(|line| {
        let (_, rest) = line.split_once("github.com")?;
        rest.get(1..)?.split('/').next().filter(|owner| !owner.is_empty())
    });
    owner.map(str::to_lowercase).next().unwrap_or_else(|| name(package))
}

/// The name of a package's folder without a version.
fn name(package: &Path) -> String {
    let name = package.file_name().unwrap_or_default().to_string_lossy();
    let version =
        name.match_indices('-').find(|(at, _)| name[at + 1..].starts_with(|ch: char| ch.is_ascii_digit()));
    version.map_or(&*name, |(at, _)| &name[..at]).to_owned()
}

/// A hash by which owners are split into halves.
pub(crate) fn number(owner: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    owner.hash(&mut hasher);
    hasher.finish() >> 7
}

/// Whether a file is documentation and not source code.
pub(crate) fn is_page(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "md" || end == "txt")
}

pub(crate) fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        let is_nested = path.file_name().is_some_and(|name| name == "node_modules");
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !is_nested {
            files(&path, all);
        } else if path.extension().is_some_and(|end| ENDS.iter().any(|one| end == *one)) {
            all.push(path);
        }
    }
}
