//! `cargo xtask`: the chores of this workspace.
//!
//! `test` installs what the tests need, by package name, builds them once, and runs them side by side: every test, a lane
//! of them, or one room's. `dist` builds and tries what is given to
//! people. `bench NAME` runs one of the benches whose figures stand in docs/figures.md. Nothing here is needed to build or
//! run Doorward.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

mod dist;
#[cfg(test)]
mod floors;
mod home;
mod lacking;
mod lanes;
#[cfg(test)]
mod licences;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod names;
mod pool;
mod programs;
mod python;
mod report;
mod runnable;
mod size;
mod tools;

use lacking::Lacking;
use lanes::Lane;

/// Benches by name: package and example.
const BENCHES: &[(&str, &str, &str)] = &[
    ("bind", "doorward-cli", "bench_bind"),
    ("decisions", "doorward-cli", "bench_decisions"),
    ("fuzz", "doorward-fuzzing", "fuzz"),
    ("gate", "doorward-cli", "bench_gate"),
    ("growth", "doorward-cli", "bench_growth"),
    ("shell", "doorward-shell", "bench_shell"),
    ("inspect", "doorward-inspect", "corpus"),
    ("paths", "doorward-paths", "bench_paths"),
    ("secrets", "doorward-secrets", "bench_secrets"),
    ("net", "doorward-net", "bench_net"),
    ("sandbox", "doorward-sandbox", "bench_sandbox"),
    ("policy", "doorward-policy", "bench_policy"),
    ("ledger", "doorward-ledger", "bench_ledger"),
    ("mcp", "doorward-cli", "bench_mcp"),
];

/// The profile of what is given to people, which every bench measures.
const SHIPPED: &str = "dist";

/// Beginnings of the variables by which `cargo run` describes this package.
const OF_OUR_PACKAGE: &[&str] =
    &["CARGO_BIN_", "CARGO_CRATE_", "CARGO_MANIFEST_", "CARGO_PKG_", "CARGO_PRIMARY_"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test", rest @ ..] => test(rest),
        ["setup"] => {
            tools::system();
            Ok(())
        }
        ["tools"] => tools::install(&tools_dir()).map(drop),
        ["attack", rest @ ..] => attack(rest),
        ["conformance"] => conformance(false),
        ["conformance", "--mutate"] | ["bench", "conformance"] => conformance(true),
        ["verdicts"] => verdicts(),
        ["size"] => size::size(),
        ["dist", rest @ ..] => dist::dist(rest),
        ["bench"] => Err(usage()),
        ["bench", name, rest @ ..] => bench(name, rest),
        _ => Err(usage()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let benches: Vec<&str> = BENCHES.iter().map(|(name, ..)| *name).collect();
    format!(
        "usage: cargo xtask test                install what the tests need and run them all\n       \
         cargo xtask test quick          no system packages, no clients: three minutes after a build\n       \
         cargo xtask test ways           every way in, without the clients of others\n       \
         cargo xtask test clients        the clients of others: agents, frameworks, browsers\n       \
         cargo xtask test ROOM [FILTER…] the tests of one crate, or those with FILTER in their names\n       \
         cargo xtask setup            install the system packages that the tests need (apt-get, as root)\n       \
         cargo xtask tools            install these, and npm and Python packages below target/tools\n       \
         cargo xtask attack [FILTER…] attack the release build as two ordinary users\n       \
         cargo xtask conformance      what the mission demands on every way in; writes docs/conformance.md\n       \
         cargo xtask conformance --mutate the same, and each demand again without its feature\n       \
         cargo xtask verdicts         draw the page of all verdicts anew, and print which moved\n       \
         cargo xtask size             build the program as it is shipped, and hold its size to the budget\n       \
         {}   build what is given to people\n       \
         cargo xtask bench NAME […]   one of {}",
        dist::USAGE,
        benches.join(", ")
    )
}

/// Builds the tests once and runs their suites side by side: everything, or the lane or room that comes first.
fn test(words: &[&str]) -> Result<(), String> {
    let (lane, filters) = match words.split_first() {
        Some((name, filters)) => (Lane::named(name)?, filters),
        None => (Lane::All, words),
    };
    let begun = Instant::now();
    // What is downloaded doesn't keep the processors busy, so it comes while cargo compiles.
    let (tools, built) = std::thread::scope(|scope| {
        let tools =
            scope.spawn(|| if lane.installs() { tools::install(&tools_dir()) } else { Ok(Vec::new()) });
        let built = programs::suites(&lane.selection());
        (tools.join().unwrap_or_else(|_| Err("installing broke off".to_owned())), built)
    });
    let (mut env, built) = (tools?, built?);
    eprintln!("xtask: built in {:.0} s", begun.elapsed().as_secs_f32());
    let lacking = Lacking::new(&tools_dir());
    env.push((lacking::FILE.to_owned(), lacking.file().display().to_string()));
    env.extend(home::new(&tools_dir().with_file_name("home"))?);
    // The same run twice is the same run; whoever looks for new cases sets another seed, or runs the fuzzers.
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        env.push(("PROPTEST_RNG_SEED".to_owned(), "1".to_owned()));
    }
    let (mut together, mut alone) = lane.of(built, filters);
    if together.is_empty() && alone.is_empty() {
        return Err(format!("no test of this part has {} in its name", filters.join(" or ")));
    }
    together.iter_mut().chain(&mut alone).for_each(|suite| suite.envs(&env));
    let logs = tools_dir().with_file_name("suites");
    std::fs::create_dir_all(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
    let begun = Instant::now();
    let mut ended = pool::run(together, alone, &logs, report::told);
    for suite in &ended {
        if let Some(lacked) = &suite.lacked {
            lacking::note(lacking.file(), &suite.name, lacked)?;
        }
    }
    let passed = report::closing(&mut ended, begun.elapsed());
    let required = std::env::var_os("DOORWARD_REQUIRE").is_some_and(|value| value == "all");
    // A lane without installs lacks what they bring, and says so.
    let complete = lacking.tell(required && lane.installs());
    let wrong: Vec<String> = [passed, complete].into_iter().filter_map(Result::err).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\nxtask: ")) }
}

/// The attack suite against the release build. `test` runs the same suite against the build for tests.
fn attack(filters: &[&str]) -> Result<(), String> {
    let env = tools::install(&tools_dir())?;
    let mut build = cargo();
    build.args(["build", "--release", "--package", "doorward-cli", "--features", "full"]);
    run(build)?;
    let mut attack = cargo();
    attack.args(["test", "--package", "doorward-cli", "--features", "full", "--test", "attack", "--"]);
    attack.args(filters).envs(env).env("DOORWARD_BIN", tools_dir().with_file_name("release"));
    run(attack)
}

/// What the mission demands, on every way in; writes docs/conformance.md. `test` compares the page with what it finds.
/// Mutated, each demand is tried again with its feature switched off, where a cell that is met all the same fails; `test`
/// does so for a sample.
fn conformance(mutated: bool) -> Result<(), String> {
    // The Python package is a way in; its library is built as the tests of the workspace build it.
    let mut library = cargo();
    library.args(["build", "--package", "doorward-python"]);
    run(library)?;
    let mut cargo = cargo();
    cargo
        .args([
            "test",
            "--package",
            "doorward-cli",
            "--features",
            "full",
            "--test",
            "it",
            "conformance::every",
        ])
        .env("UPDATE_DOCS", "1");
    if mutated {
        cargo.env("DOORWARD_MUTATE", "1");
    }
    run(cargo)
}

fn bench(name: &str, rest: &[&str]) -> Result<(), String> {
    let (_, package, example) = BENCHES
        .iter()
        .find(|(known, ..)| *known == name)
        .ok_or_else(|| format!("no bench {name:?}\n{}", usage()))?;
    let env = tools::install(&tools_dir())?;
    if package == &"doorward-cli" {
        let mut binary = cargo();
        binary.args(["build", "--profile", SHIPPED, "--package", package, "--features", "full"]);
        run(binary)?;
    }
    let mut bench = cargo();
    bench.args(["run", "--profile", SHIPPED, "--package", package, "--example", example]);
    if package == &"doorward-cli" {
        bench.args(["--features", "full"]);
    }
    run_with(bench, rest, env)
}

/// Runs a program that cargo builds, with these arguments of its own.
fn run_with(mut cargo: Command, rest: &[&str], env: Vec<(String, String)>) -> Result<(), String> {
    cargo.arg("--").args(rest).envs(env);
    run(cargo)
}

/// Draws the page of all verdicts anew, and prints which moved.
fn verdicts() -> Result<(), String> {
    let mut draw = cargo();
    draw.args(["test", "--package", "doorward-inspect", "--test", "it", "verdicts::", "--", "--nocapture"]);
    draw.env("UPDATE_VERDICTS", "1");
    run(draw)
}

fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    // With them, build scripts that watch them (ring's) would run again after each change between `cargo build` and
    // `cargo xtask`, and all that depends on their crates would be compiled again.
    without_our_package(&mut cargo);
    cargo
}

/// Takes out the variables by which the cargo that runs this program describes its package.
fn without_our_package(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| OF_OUR_PACKAGE.iter().any(|prefix| name.starts_with(prefix))) {
            command.env_remove(name);
        }
    }
}

fn run(mut command: Command) -> Result<(), String> {
    eprintln!("xtask: {command:?}");
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{:?} ended with {status}", command.get_program())) }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or_else(|| Path::new(".")).to_owned()
}

fn tools_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from).join("tools")
}

#[cfg(test)]
mod tests {
    #[test]
    fn cargo_run_knows_what_to_run() {
        let told = super::cargo().args(["metadata", "--no-deps", "--format-version", "1"]).output().unwrap();
        let text = String::from_utf8(told.stdout).unwrap();
        let members =
            text.split_once("\"workspace_default_members\":[").unwrap().1.split_once(']').unwrap().0;
        assert!(members.contains("crates/cli") && !members.contains(','), "{members}");
    }

    /// Every attack and test that SECURITY.md names is there.
    #[test]
    fn security_names_tests_that_exist() {
        let text = std::fs::read_to_string(super::root().join("SECURITY.md")).unwrap();
        let attacks: String = std::fs::read_dir(super::root().join("crates/cli/tests/attack"))
            .unwrap()
            .map(|item| std::fs::read_to_string(item.unwrap().path()).unwrap())
            .collect();
        let (_, claims) = text.split_once("\n## Claims\n").unwrap();
        let (claims, _) = claims.split_once("\n## ").unwrap();
        let rows: Vec<&str> = claims.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
        assert!(rows.len() > 15, "the table of claims: {} rows", rows.len());
        for row in rows {
            let tests = row.split(" | ").nth(2).unwrap();
            assert!(tests.contains(['"', '`']), "no test is named: {row}");
            for quoted in tests.split('"').skip(1).step_by(2) {
                assert!(attacks.contains(&format!("tries: \"{quoted}\"")), "no attack {quoted:?}");
            }
            for path in tests.split('`').skip(1).step_by(2) {
                let (file, name) = path.split_once("::").unwrap_or((path, ""));
                let source = std::fs::read_to_string(super::root().join(file));
                let source = source.unwrap_or_else(|error| panic!("{file}: {error}"));
                assert!(source.contains(&format!("fn {name}")), "{path}");
            }
        }
    }
}
