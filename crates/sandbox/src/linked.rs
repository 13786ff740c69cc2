//! Finds what a working folder is linked to and needs: packages that `node_modules` links to, and the interpreter that
//! a virtual environment links to.
//!
//! A link is only text, from an archive or a program. It opens a folder only if that is the package or the
//! interpreter's installation that the place of the link promises, of the same owner, and not a home or a folder of
//! the system. Such a folder is shown read-only, without files that have the names of secret files.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Limit on entries of one folder, and on folders found.
const MOST_ENTRIES: usize = 4_000;
const MOST_FOLDERS: usize = 64;
/// Virtual environments, by the names that their tools give them.
const ENVIRONMENTS: &[&str] = &[".venv", "venv", ".virtualenv"];

/// Folders outside a root (a real path) that its links lead to.
pub(crate) fn of(root: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let Ok(owner) = fs::symlink_metadata(root).map(|found| found.uid()) else { return Vec::new() };
    let is_open = |folder: &PathBuf| {
        let own = fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir() && found.uid() == owner);
        let wide = home.is_some_and(|home| home.starts_with(folder)) || folder.components().count() < 4;
        own && !wide && !folder.starts_with(root) && !root.starts_with(folder)
    };
    let mut found: Vec<PathBuf> = Vec::new();
    let mut waiting: Vec<PathBuf> = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for package in packages(&folder).into_iter().filter(is_open) {
            if found.len() < MOST_FOLDERS && !found.iter().any(|own| package.starts_with(own)) {
                // A linked package finds its own dependencies beside itself.
                waiting.push(package.clone());
                found.push(package);
            }
        }
    }
    found.extend(ENVIRONMENTS.iter().filter_map(|name| installation(&root.join(name))).filter(is_open));
    found
}

/// The packages that a folder's `node_modules` links to, scoped ones (`@scope/name`) included.
fn packages(folder: &Path) -> Vec<PathBuf> {
    let links = |folder: &Path| -> Vec<fs::DirEntry> {
        fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_ENTRIES).collect()
    };
    let scoped = links(&folder.join("node_modules")).into_iter().flat_map(|entry| {
        match entry.file_name().as_encoded_bytes().first() {
            Some(b'@') => links(&entry.path()),
            _ => vec![entry],
        }
    });
    let targets = scoped
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()))
        .filter_map(|entry| fs::canonicalize(entry.path()).ok());
    targets.filter(|target| target.join("package.json").is_file()).collect()
}

/// The installation of the Python that a virtual environment links to.
fn installation(environment: &Path) -> Option<PathBuf> {
    let settings = environment.join("pyvenv.cfg");
    let program = fs::canonicalize(environment.join("bin/python")).ok().filter(|_| settings.is_file())?;
    let is_python = program.file_name()?.to_str()?.starts_with("python");
    let folder = program.parent().filter(|folder| is_python && folder.ends_with("bin"))?;
    folder.parent().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_open_packages_and_nothing_else() {
        let machine = tempfile::tempdir().unwrap();
        let home = machine.path().canonicalize().unwrap().join("home/ada");
        for file in [
            "code/app/node_modules/.keep",
            "code/app/node_modules/@own/.keep",
            "code/lib/package.json",
            "code/lib/node_modules/.keep",
            "code/deep/package.json",
            "code/scoped/package.json",
            "code/unlinked/package.json",
            "code/notes/plan.txt",
            "python/3.12/bin/python3.12",
            "code/app/.venv/pyvenv.cfg",
            "package.json",
        ] {
            let file = home.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        fs::create_dir_all(home.join("code/app/.venv/bin")).unwrap();
        let modules = home.join("code/app/node_modules");
        for (target, link) in [
            ("../../lib", "lib"),
            ("../../../scoped", "@own/scoped"),
            ("../../notes", "notes"),
            ("../../..", "home"),
            ("/usr/lib", "system"),
        ] {
            symlink(target, modules.join(link)).unwrap();
        }
        symlink("../../deep", home.join("code/lib/node_modules/deep")).unwrap();
        symlink("../../../../python/3.12/bin/python3.12", home.join("code/app/.venv/bin/python")).unwrap();
        let mut found = of(&home.join("code/app"), Some(&home));
        found.sort();
        let expected = ["code/deep", "code/lib", "code/scoped", "python/3.12"];
        assert_eq!(found, expected.map(|name| home.join(name)));
    }
}
