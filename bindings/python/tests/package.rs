//! The Python package, tried from Python: in every Python of the machine, with a type checker, and inside real
//! frameworks with a scripted local model. The tests themselves are the `test_*.py` beside this file.
//!
//! The package is laid out as a wheel lays it out: the Python sources with the built library among them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Where cargo puts what it builds: `target/debug`.
fn built() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    own.parent().unwrap().parent().unwrap().to_owned()
}

/// The package, laid out once for all tests of this process.
static PACKAGE: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("doorward");
    std::fs::create_dir(&package).unwrap();
    for item in std::fs::read_dir(sources().join("python/doorward")).unwrap() {
        let item = item.unwrap().path();
        if item.is_file() {
            std::fs::copy(&item, package.join(item.file_name().unwrap())).unwrap();
        }
    }
    let library = built().join("deps/libdoorward_python.so");
    // A link: the library is large, and only read.
    std::os::unix::fs::symlink(library, package.join("_core.abi3.so")).unwrap();
    folder
});

fn sources() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The binary beside this test; `DOORWARD_BIN` names the folder of another one.
fn binary() -> PathBuf {
    let folder = std::env::var_os("DOORWARD_BIN").map_or_else(built, PathBuf::from);
    let binary = folder.join("doorward");
    assert!(binary.exists(), "{} isn't built: cargo build -p doorward-cli", binary.display());
    binary
}

/// The environments that `cargo xtask test` installed.
fn environments() -> PathBuf {
    PathBuf::from(std::env::var_os("DOORWARD_TOOLS").unwrap_or_default()).join("python")
}

/// Python of an environment, with the package to be found.
fn python(name: &str) -> Option<Command> {
    let place = environments().join(name);
    if !place.join("installed").exists() {
        doorward_needs::lacking!("the Python environment {name} (cargo xtask tools)");
        return None;
    }
    // Shells that an agent opens read the start-up files of a home, which may do anything, and for any time.
    let home = PACKAGE.path().join("home");
    std::fs::create_dir_all(&home).unwrap();
    let mut command = Command::new(place.join("bin/python"));
    command
        .current_dir(sources())
        .env("HOME", home)
        .env("PYTHONPATH", PACKAGE.path())
        // Compiled files go beside the package, where they are deleted with it. A framework takes ten seconds to import
        // and half of that with them, so a machine that forbids them to Python doesn't forbid them here.
        .env("PYTHONPYCACHEPREFIX", PACKAGE.path().join("pycache"))
        .env_remove("PYTHONDONTWRITEBYTECODE")
        .env("DOORWARD", binary());
    Some(command)
}

/// Runs Python and returns what it printed.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let told =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{told}");
    told
}

/// Runs test files in an environment; at least `least` tests have to have passed.
fn tests(name: &str, least: usize, modules: &str, files: &[&str]) {
    let Some(mut python) = python(name) else { return };
    python.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).env("DOORWARD_FRAMEWORKS", modules);
    let told = run(python.args(files.iter().map(|file| format!("tests/{file}"))));
    let closing = told.lines().rev().find(|line| line.contains(" passed")).unwrap_or_default();
    let passed: usize = closing.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or_default();
    assert!(passed >= least, "{passed} tests passed in {name}, which are too few:\n{told}");
    eprintln!("{name}: {closing}");
}

#[test]
fn the_package_works_in_every_python_of_the_machine() {
    let found: Vec<String> = std::fs::read_dir(environments())
        .into_iter()
        .flatten()
        .map(|item| item.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("3."))
        .collect();
    if found.is_empty() {
        doorward_needs::lacking!("a Python of at least 3.10 (cargo xtask tools)");
    }
    // Two tests are about rows that aren't part of the project, and say so where they are lacking.
    let rows =
        [doorward_needs::data!("openhands/parity.jsonl"), doorward_needs::data!("openhands/experiences")];
    let least = 66 + rows.iter().flatten().count();
    for name in found {
        let files = ["test_gate.py", "test_guarding.py", "test_functions.py", "test_documents.py"];
        tests(&name, least, "", &files);
    }
}

#[test]
fn the_stubs_are_what_the_library_has_and_all_is_typed() {
    let newest = (10..=14).rev().map(|minor| format!("3.{minor}"));
    let newest = newest.into_iter().find(|name| environments().join(name).join("installed").exists());
    let Some(mut checked) = python(newest.as_deref().unwrap_or("3.12")) else { return };
    run(checked.args(["stubs.py", "--check"]));
    let Some(mut stubtest) = python(newest.as_deref().unwrap_or("3.12")) else { return };
    run(stubtest.args(["-m", "mypy.stubtest", "doorward._core", "--ignore-disjoint-bases"]));
    // Without the frameworks: reading their types too takes minutes. `mypy` in an environment of theirs does that.
    let Some(mut types) = python(newest.as_deref().unwrap_or("3.12")) else { return };
    let cache = tempfile::tempdir().unwrap();
    run(types.env_remove("PYTHONPATH").args(["-m", "mypy", "--cache-dir"]).arg(cache.path()));
}

#[test]
fn openhands_conversations_pass_the_door() {
    tests("openhands", 15, "", &["test_openhands.py"]);
}

#[test]
fn openhands_commands_are_judged_in_a_proved_folder() {
    tests("openhands", 12, "", &["test_openhands_terminal.py"]);
}

#[test]
fn openhands_own_hooks_deny_before_anything_runs() {
    tests("openhands", 12, "", &["test_openhands_hooks.py"]);
}

#[test]
fn the_guardrail_answers_as_the_installed_openhands() {
    tests("openhands", 5, "", &["test_openhands_guardrail.py"]);
}

#[test]
fn hosts_of_the_neutral_hook_contract_pass_the_door() {
    tests("frameworks", 8, "", &["test_agent_hooks.py"]);
}

#[test]
fn agents_of_five_frameworks_pass_the_door() {
    let modules = "agents langchain claude_agent_sdk pydantic_ai smolagents";
    tests("frameworks", 9, modules, &["test_frameworks.py"]);
}

#[test]
fn agents_of_two_more_frameworks_pass_the_door() {
    tests("frameworks-2", 2, "crewai agent_framework", &["test_frameworks.py"]);
}
