//! The gate's Python package as it is given to people: one wheel, proved in clean environments.
//!
//! One abi3 wheel serves every Python from 3.10 on. It is installed, by itself, into a new environment of each
//! Python that the machine has, and the package's own tests run there against the installed files. Its list of
//! components (CycloneDX, PEP 770) is inside.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{cargo, python, root, run, tools_dir};

/// What builds the wheel.
const MATURIN: &str = "maturin==1.16.0";
/// What each clean environment gets beside the wheel.
const PYTEST: &str = "pytest==9.2.0";
/// Files that have to be in the wheel, by how they end.
const INSIDE: &[&str] = &[
    "doorward/_core.abi3.so",
    "doorward/_core.pyi",
    "doorward/openhands.py",
    "doorward/py.typed",
    ".cyclonedx.json",
];
/// The tests that need no framework.
const TESTS: &[&str] =
    &["tests/test_gate.py", "tests/test_guarding.py", "tests/test_functions.py", "tests/test_documents.py"];

/// Builds the wheel with a profile of the workspace's, and tries it.
///
/// # Errors
/// What couldn't be built or installed, or which Python's tests failed.
pub(super) fn build_and_try(profile: &str) -> Result<(), String> {
    let dir = tools_dir().with_file_name("dist");
    let wheel = build(&dir, profile)?;
    contains(&wheel)?;
    let size = std::fs::metadata(&wheel).map_err(|error| format!("{}: {error}", wheel.display()))?.len();
    let mut binary = cargo();
    binary.args(["build", "--package", "doorward-cli"]);
    run(binary)?;
    let found = python::interpreters();
    if found.is_empty() {
        return Err("no Python from 3.10 on was found, so the wheel wasn't tried".to_owned());
    }
    for (minor, program) in &found {
        tried(&dir.join(format!("clean-3.{minor}")), program, &wheel)?;
    }
    let minors: Vec<String> = found.keys().map(|minor| format!("3.{minor}")).collect();
    println!("{}: {size} bytes, tried in {}", wheel.display(), minors.join(", "));
    Ok(())
}

/// Builds the only wheel in `dir`.
fn build(dir: &Path, profile: &str) -> Result<PathBuf, String> {
    let place = tools_dir().join("python/maturin");
    python::environment(&tools_dir().join("python"), "maturin", Path::new("python3"), &[MATURIN]);
    for old in wheels(dir) {
        std::fs::remove_file(&old).map_err(|error| format!("{}: {error}", old.display()))?;
    }
    let mut maturin = Command::new(place.join("bin/maturin"));
    maturin.args(["build", "--locked", "--profile", profile, "--out"]).arg(dir);
    maturin.arg("--manifest-path").arg(root().join("bindings/python/Cargo.toml")).current_dir(root());
    run(maturin)?;
    match wheels(dir).as_slice() {
        [only] => Ok(only.clone()),
        other => Err(format!("{} wheels in {}, where there should be one", other.len(), dir.display())),
    }
}

fn wheels(dir: &Path) -> Vec<PathBuf> {
    let items = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|item| item.path());
    items.filter(|path| path.extension().is_some_and(|ending| ending == "whl")).collect()
}

/// The wheel is one for every Python, and has what it promises.
fn contains(wheel: &Path) -> Result<(), String> {
    let name = wheel.file_name().unwrap_or_default().to_string_lossy();
    if !name.contains("-cp310-abi3-") {
        return Err(format!("{name} isn't for every Python from 3.10 on"));
    }
    let listed = Command::new("python3").args(["-m", "zipfile", "-l"]).arg(wheel).output();
    let listed = listed.map_err(|error| format!("python3: {error}"))?;
    let text = String::from_utf8_lossy(&listed.stdout);
    let names: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    match INSIDE.iter().find(|wanted| !names.iter().any(|name| name.ends_with(**wanted))) {
        Some(missing) => Err(format!("{name} has no {missing}:\n{text}")),
        None => Ok(()),
    }
}

/// Installs the wheel into a new environment and runs the package's tests against it.
fn tried(place: &Path, program: &Path, wheel: &Path) -> Result<(), String> {
    let dir = tools_dir().join("python");
    let mut made = python::uv(&dir, &["venv", "--clear", "--python"]);
    made.arg(program).arg(place);
    run(made)?;
    let mut installed = python::uv(&dir, &["pip", "install", "--python"]);
    installed.arg(place.join("bin/python")).arg(wheel).arg(PYTEST);
    run(installed)?;
    let mut tests = Command::new(place.join("bin/python"));
    tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(TESTS);
    tests.current_dir(root().join("bindings/python")).env_remove("PYTHONPATH");
    tests.env("DOORWARD", tools_dir().with_file_name("debug").join("doorward"));
    run(tests)?;
    std::fs::remove_dir_all(place).map_err(|error| format!("{}: {error}", place.display()))
}
