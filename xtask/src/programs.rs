//! The test programs of the workspace: built by one call of cargo, and taken apart into suites.
//!
//! A suite is what the pool runs as one process: all unit tests of a library or a binary, or one module of a crate's
//! integration tests. So a test that changes what its process has (the current folder, a limit) meets only the tests of its
//! own module, and what takes long is seen by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::pool::Suite;
use super::{cargo, root, without_our_package};

/// Examples that a test runs: `crates/doorward/tests/it/examples.rs`. All others are checked by clippy and not linked.
const EXAMPLES: &[&str] = &["analyzer", "approvals", "embed", "guard_tool"];

/// Suites of attacks: name, classes of attacks (none: those that no other suite names), the accounts that it works with.
const ATTACKS: [(&str, &[&str], &str); 3] = [
    ("attack agents", &["clients", "guardian"], "doorward-three,doorward-four"),
    ("attack itself", &["itself", "links", "repository"], "doorward-five,doorward-six"),
    ("attack", &[], "doorward-one,doorward-two"),
];

/// What is built.
#[derive(Debug, Clone)]
pub(crate) enum Selection {
    /// Every package of the workspace. A lane that runs only some of the tests builds all too: cargo chooses features of
    /// dependencies by what is built together, so a part of the workspace would compile many of them again.
    Workspace,
    /// One room and the packages that its tests start programs of.
    Packages(&'static [&'static str], String),
}

impl Selection {
    /// What a room's tests need beside its own package.
    const BESIDE: &'static [(&'static str, &'static [&'static str])] =
        &[("cli", &["doorward-python"]), ("python", &["doorward-cli"])];

    pub(crate) fn of(room: &str) -> Self {
        let beside =
            Self::BESIDE.iter().find(|(name, _)| *name == room).map_or(&[][..], |(_, beside)| beside);
        Self::Packages(beside, package_of(room))
    }

    /// What a plain build leaves out, and tests need: the first of these packages that is built turns it on.
    const FEATURES: &'static [(&'static str, &'static str)] = &[
        ("doorward-cli", "doorward-cli/full"),
        ("doorward-lab", "doorward-lab/trials"),
        ("doorward-store", "doorward-store/postgres"),
        ("doorward", "doorward/postgres"),
    ];

    /// The words by which cargo selects packages.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = match self {
            Self::Workspace => vec!["--workspace".to_owned()],
            Self::Packages(beside, own) => {
                let names = beside.iter().map(|name| (*name).to_owned()).chain([own.clone()]);
                names.flat_map(|name| ["--package".to_owned(), name]).collect()
            }
        };
        if let Some((_, feature)) = Self::FEATURES.iter().find(|(package, _)| self.has(package)) {
            words.extend(["--features".to_owned(), (*feature).to_owned()]);
        }
        words
    }

    fn has(&self, package: &str) -> bool {
        match self {
            Self::Workspace => true,
            Self::Packages(beside, own) => own == package || beside.contains(&package),
        }
    }
}

/// The package of a room: `shell` is `doorward-shell`.
fn package_of(room: &str) -> String {
    match room {
        "doorward" | "xtask" => room.to_owned(),
        _ => format!("doorward-{room}"),
    }
}

/// Every room: a folder with a package.
pub(crate) fn rooms() -> Vec<String> {
    let folders = std::fs::read_dir(root().join("crates")).into_iter().flatten().flatten();
    let mut rooms: Vec<String> = folders
        .filter(|folder| folder.path().join("Cargo.toml").exists())
        .filter_map(|folder| folder.file_name().into_string().ok())
        .collect();
    rooms.extend(["knowledge", "python", "xtask"].map(str::to_owned));
    rooms.sort();
    rooms
}

/// A program that cargo built.
#[derive(Debug, PartialEq, Eq)]
struct Program {
    room: String,
    /// `lib`, `bin` or `test`, and the target's name.
    kind: String,
    name: String,
    file: PathBuf,
    folder: PathBuf,
}

/// Builds the tests of these packages and gives their suites, in no order.
///
/// # Errors
/// What couldn't be built or listed.
pub(crate) fn suites(selection: &Selection) -> Result<Vec<Suite>, String> {
    let mut suites = Vec::new();
    for program in build(selection)? {
        if (program.kind.as_str(), program.name.as_str()) == ("test", "attack") {
            suites.extend(attacks(&program)?);
        } else {
            suites.extend(split(&program, &listed(&program)?));
        }
    }
    Ok(suites)
}

fn build(selection: &Selection) -> Result<Vec<Program>, String> {
    let mut build = cargo();
    build.args(["build", "--tests", "--message-format=json-render-diagnostics"]).args(selection.words());
    if selection.has("doorward") {
        build.args(EXAMPLES.iter().flat_map(|name| ["--example", name]));
    }
    eprintln!("xtask: {build:?}");
    let output = build.stderr(Stdio::inherit()).output().map_err(|error| format!("{build:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("the tests don't build: cargo ended with {}", output.status));
    }
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(messages.lines().filter_map(built).collect())
}

/// The test program that a line of cargo's messages tells of.
fn built(line: &str) -> Option<Program> {
    let message: Value = serde_json::from_str(line).ok()?;
    let is_test = message.pointer("/profile/test").and_then(Value::as_bool)?;
    let text = |place: &str| message.pointer(place).and_then(Value::as_str).map(str::to_owned);
    let file = text("/executable").filter(|_| is_test)?;
    let folder = PathBuf::from(text("/manifest_path")?).parent()?.to_owned();
    Some(Program {
        room: folder.file_name()?.to_str()?.to_owned(),
        kind: text("/target/kind/0")?,
        name: text("/target/name")?,
        file: file.into(),
        folder,
    })
}

/// How cargo would start it: in the package's folder, with what tests read of cargo's description of the package.
fn run_of(program: &Program) -> Command {
    let mut command = Command::new(&program.file);
    without_our_package(&mut command);
    command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
    command.env("CARGO_PKG_NAME", package_of(&program.room));
    command
}

/// The names of a program's tests.
fn listed(program: &Program) -> Result<Vec<String>, String> {
    let text = list_of(program)?;
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

fn list_of(program: &Program) -> Result<String, String> {
    let mut list = run_of(program);
    let output = list.args(["--list", "--format", "terse"]).output();
    let output = output.map_err(|error| format!("{}: {error}", program.file.display()))?;
    if !output.status.success() {
        return Err(format!("{} doesn't list its tests: {}", program.file.display(), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The attacks in suites that run side by side, each as two users of its own: they mostly wait, for agents, services and
/// settings.
fn attacks(program: &Program) -> Result<Vec<Suite>, String> {
    let listed = list_of(program)?;
    let named = |class: &str| ATTACKS.iter().any(|(_, classes, _)| classes.contains(&class));
    let suite = |(name, classes, users): &(&str, &[&str], &str)| {
        let mut run = run_of(program);
        let own = |class: &&str| if classes.is_empty() { !named(class) } else { classes.contains(class) };
        run.args(listed.lines().filter(own)).env("DOORWARD_ATTACK_USERS", users);
        Suite::new(&program.room, name, run)
    };
    Ok(ATTACKS.iter().map(suite).collect())
}

fn split(program: &Program, tests: &[String]) -> Vec<Suite> {
    if tests.is_empty() {
        return Vec::new();
    }
    if program.kind != "test" {
        let name =
            if program.kind == "bin" { format!("units of {}", program.name) } else { "units".to_owned() };
        return vec![Suite::new(&program.room, &name, run_of(program)).with(tests.to_vec())];
    }
    let mut modules: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for test in tests {
        let module = test.rsplit_once("::").map_or(program.name.as_str(), |(module, _)| module);
        modules.entry(module).or_default().push(test.clone());
    }
    let suite =
        |(module, tests): (&str, Vec<String>)| Suite::new(&program.room, module, run_of(program)).with(tests);
    modules.into_iter().map(suite).collect()
}

/// The examples of the documentation, of all packages at once: cargo compiles them where it runs them.
pub(crate) fn documentation(selection: &Selection, room: &str) -> Suite {
    let mut test = cargo();
    test.args(["test", "--doc", "--no-fail-fast"]).args(match selection {
        Selection::Workspace => selection.words(),
        Selection::Packages(_, own) => vec!["--package".to_owned(), own.clone()],
    });
    Suite::new(room, "documentation", test)
}

/// Whether a room has a library, and so may have examples in its documentation.
pub(crate) fn has_library(room: &str) -> bool {
    let folder = root().join("crates").join(room);
    let folder = if folder.exists() { folder } else { root().join(room) };
    Path::exists(&folder.join("src/lib.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_program_is_told_from_everything_else_that_cargo_builds() {
        let line = |test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/w/crates/shell/Cargo.toml","target":{{"kind":["test"],"name":"it"}},"profile":{{"test":{test}}},"executable":{executable}}}"#
            )
        };
        let program = built(&line(true, "\"/t/it-1\"")).unwrap();
        assert_eq!((program.room.as_str(), program.folder.to_str()), ("shell", Some("/w/crates/shell")));
        assert_eq!(built(&line(false, "\"/t/doorward\"")), None);
        assert_eq!(built(&line(true, "null")), None);
        assert_eq!(built(r#"{"reason":"build-finished","success":true}"#), None);
    }

    #[test]
    fn integration_tests_are_a_suite_a_module_and_units_are_one() {
        let program = |kind: &str| Program {
            room: "cli".into(),
            kind: kind.into(),
            name: "it".into(),
            file: "/t/it".into(),
            folder: "/w".into(),
        };
        let tests = ["mcp::a", "mcp::b", "mcp_http::hostile::c"].map(str::to_owned);
        let names = |suites: Vec<Suite>| suites.into_iter().map(|suite| suite.name).collect::<Vec<_>>();
        assert_eq!(names(split(&program("test"), &tests)), ["cli mcp", "cli mcp_http::hostile"]);
        assert_eq!(names(split(&program("lib"), &tests)), ["cli units"]);
        assert!(split(&program("lib"), &[]).is_empty());
    }

    /// A second program is a second link. `attack` isn't made of `#[test]`s, and Python's tests lie beside its program.
    #[test]
    fn every_crate_has_one_program_of_integration_tests() {
        let mut others = Vec::new();
        for room in rooms() {
            let tests = root().join("crates").join(&room).join("tests");
            let items = std::fs::read_dir(&tests).into_iter().flatten().flatten();
            for name in items.filter_map(|item| item.file_name().into_string().ok()) {
                if !["it", "proptest-regressions"].contains(&name.as_str()) {
                    others.push(format!("{room} {name}"));
                }
            }
        }
        assert_eq!(others, ["cli attack"], "make it a module of tests/it/main.rs");
    }

    /// A file that no `mod` names is never compiled, so its tests would be lost without a word.
    #[test]
    fn every_file_of_integration_tests_is_part_of_its_program() {
        for room in rooms() {
            let folder = root().join("crates").join(&room).join("tests/it");
            let Ok(main) = std::fs::read_to_string(folder.join("main.rs")) else { continue };
            for item in std::fs::read_dir(&folder).unwrap().flatten() {
                let name = item.file_name().into_string().unwrap();
                if let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "main") {
                    assert!(main.contains(&format!("\nmod {module};")), "{}", item.path().display());
                }
            }
        }
    }
}
