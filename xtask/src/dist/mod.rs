//! `cargo xtask dist`: everything that is given to people, made of one built program.
//!
//! [`tree`] lays the program out once, with its man pages, completions, licences, list of components and
//! provenance. Each channel packs that one tree in its own form: [`archive`] (tar.gz with the install script, OCI
//! image, devcontainer feature), [`system`] (`.deb`, `.rpm`), [`npm`], [`wheel`]. [`recipes`] writes what only
//! points at the archive, and [`sums`] the checksums and their signature. [`trial`] installs the files on empty
//! copies of this machine. The gate's Python package ([`gate_wheel`]) is built beside them unless a built program
//! is given.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{SHIPPED, cargo, root, run, tools_dir};

mod archive;
mod gate_wheel;
mod npm;
mod recipes;
mod sbom;
mod static_build;
mod sums;
mod system;
mod tree;
mod trial;
mod wheel;

pub(crate) const USAGE: &str = "cargo xtask dist [--program PATH | --profile NAME] [--target TRIPLE] [--key FILE] \
                                [--out DIR] [--try | --only-try]";

/// What is asked for on the command line.
#[derive(Debug, Default)]
struct Order {
    /// A program that is built already.
    program: Option<PathBuf>,
    /// The profile it is built with, if it isn't `dist`.
    profile: Option<String>,
    /// A target for which it is built statically.
    target: Option<String>,
    /// The SSH key that signs the checksums.
    key: Option<PathBuf>,
    /// Where the packages go.
    out: Option<PathBuf>,
    /// Install each package and try it.
    tries: bool,
    /// Only try what an earlier run left in the folder.
    only_tries: bool,
}

impl Order {
    fn read(words: &[&str]) -> Result<Self, String> {
        let mut order = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value; usage: {USAGE}"));
            match *word {
                "--program" => order.program = Some(value()?.into()),
                "--profile" => order.profile = Some((*value()?).to_owned()),
                "--target" => order.target = Some((*value()?).to_owned()),
                "--key" => order.key = Some(value()?.into()),
                "--out" => order.out = Some(value()?.into()),
                "--try" => order.tries = true,
                "--only-try" => order.only_tries = true,
                other => return Err(format!("{other}: there is no such option; usage: {USAGE}")),
            }
        }
        if order.program.is_some() && (order.profile.is_some() || order.target.is_some()) {
            return Err(format!(
                "--program is built already, so it takes no profile or target; usage: {USAGE}"
            ));
        }
        Ok(order)
    }
}

/// Builds the program if none is given, packs it for every channel, and tries the packages if that is wanted.
///
/// # Errors
/// What couldn't be built, packed or installed.
pub(crate) fn dist(words: &[&str]) -> Result<(), String> {
    let order = Order::read(words)?;
    let out = order.out.clone().unwrap_or_else(|| tools_dir().with_file_name("packages"));
    if order.only_tries {
        println!("{}", trial::table(&trial::all(&out)?));
        return Ok(());
    }
    let profile = order.profile.as_deref().unwrap_or(SHIPPED);
    let program = match (&order.program, &order.target) {
        (Some(program), _) => program.clone(),
        (None, Some(target)) => static_build::build(target, profile)?,
        (None, None) => {
            gate_wheel::build_and_try(profile)?;
            let mut build = cargo();
            build.args(["build", "--locked", "--profile", profile, "--package", "doorward-cli"]);
            build.args(["--features", "full"]);
            run(build)?;
            let folder = if profile == "dev" { "debug" } else { profile };
            tools_dir().with_file_name(folder).join("doorward")
        }
    };
    let packages = pack(&program, &out, order.key.as_deref())?;
    for package in &packages {
        println!("{:>9.1} MB  {}", megabytes(package)?, package.display());
    }
    if order.tries {
        println!("\n{}", trial::table(&trial::all(&out)?));
    }
    Ok(())
}

/// Packs a built program for every channel into an empty folder; the packages, in the order they were made.
fn pack(program: &Path, out: &Path, key: Option<&Path>) -> Result<Vec<PathBuf>, String> {
    emptied(out)?;
    let tree = tree::PackageTree::lay(program, &out.join("tree"))?;
    let signer = key.map(sums::signer).transpose()?;
    let archive = archive::tarball(&tree, out)?;
    let mut packages = vec![archive.clone(), archive::install_script(&tree, out, signer.as_deref())?];
    packages.extend(npm::packages(&tree, out)?);
    packages.push(wheel::wheel(&tree, out)?);
    packages.push(system::deb(&tree, out)?);
    packages.extend(system::rpm(&tree, out)?);
    packages.extend(archive::image(&tree, out)?);
    packages.push(archive::feature(&tree, &archive, out)?);
    packages.extend(recipes::write_all(&tree, &archive, out)?);
    packages.extend(sums::write_for(&packages, out, key)?);
    Ok(packages)
}

/// Makes a folder that has nothing in it. One that holds what `dist` didn't make is refused.
fn emptied(out: &Path) -> Result<(), String> {
    const MARK: &str = ".doorward-packages";
    let failed = |error: std::io::Error| format!("{}: {error}", out.display());
    if out.exists() && !out.join(MARK).exists() && out.read_dir().map_err(failed)?.next().is_some() {
        return Err(format!("{} isn't empty and wasn't made by `dist`; give another --out", out.display()));
    }
    if out.exists() {
        std::fs::remove_dir_all(out).map_err(failed)?;
    }
    std::fs::create_dir_all(out).map_err(failed)?;
    std::fs::write(out.join(MARK), "").map_err(failed)
}

fn megabytes(file: &Path) -> Result<f64, String> {
    let bytes = file.metadata().map_err(|error| format!("{}: {error}", file.display()))?.len();
    Ok(f64::from(u32::try_from(bytes / 1000).unwrap_or(u32::MAX)) / 1000.0)
}

/// What a command prints, without the line end.
fn told(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} ended with {}: {why}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// Writes a file and the folders above it.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(path.parent().unwrap_or(path)).map_err(failed)?;
    std::fs::write(path, bytes).map_err(failed)
}

/// Sets a member of a JSON object.
fn put(object: &mut serde_json::Value, name: &str, value: serde_json::Value) {
    if let Some(members) = object.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// A text of `packaging/` with its `@NAME@`s filled in. One that stays empty is an error.
fn filled(name: &str, values: &[(&str, &str)]) -> Result<String, String> {
    let path = root().join("packaging").join(name);
    let mut text = String::from_utf8(read(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
    for (word, value) in values {
        text = text.replace(&format!("@{word}@"), value);
    }
    let left = text
        .split('@')
        .find(|word| word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
    match left {
        Some(word) => Err(format!("{}: nothing fills in @{word}@", path.display())),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_that_makes_no_sense_is_refused() {
        let refused = |words: &[&str]| Order::read(words).unwrap_err();
        assert!(refused(&["--program"]).contains("needs a value"));
        assert!(refused(&["--program", "x", "--target", "y"]).contains("built already"));
        assert!(refused(&["--fast"]).contains("no such option"));
        assert!(Order::read(&["--program", "x", "--try"]).unwrap().tries);
    }

    #[test]
    fn a_folder_with_somebodys_files_is_left_alone() {
        let folder = std::env::temp_dir().join(format!("doorward-dist-{}", std::process::id()));
        write(&folder.join("mine"), b"1").unwrap();
        assert!(emptied(&folder).unwrap_err().contains("isn't empty"));
        assert!(folder.join("mine").exists());
        std::fs::remove_dir_all(&folder).unwrap();
        emptied(&folder).unwrap();
        write(&folder.join("package"), b"1").unwrap();
        emptied(&folder).unwrap();
        assert!(!folder.join("package").exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
