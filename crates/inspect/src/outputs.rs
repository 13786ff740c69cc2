//! What programs make again: their own outputs, by name and by the file that shows which program it is.
//!
//! What git ignores is not among them: that is what git can't bring back (a database of a local server, a file of
//! settings). A name counts only where its program is at home, so that `build` beside no build file is a folder like any.

use doorward_core::world::World;
use doorward_paths::{key, lexical};

/// A file or folder that a program makes.
struct Output {
    name: &'static str,
    /// Files of which one stands beside it. None needed: the name says enough.
    beside: &'static [&'static str],
    /// A file that it holds itself.
    inside: Option<&'static str>,
}

const fn anywhere(name: &'static str) -> Output {
    Output { name, beside: &[], inside: None }
}

const fn beside(name: &'static str, beside: &'static [&'static str]) -> Output {
    Output { name, beside, inside: None }
}

const fn holding(name: &'static str, inside: &'static str) -> Output {
    Output { name, beside: &[], inside: Some(inside) }
}

const NODE: &[&str] =
    &["package.json", "deno.json", "bun.lockb", "package-lock.json", "pnpm-lock.yaml", "yarn.lock"];
const PYTHON: &[&str] =
    &["pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "noxfile.py", "requirements.txt"];
const GRADLE: &[&str] = &["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

/// By the documentation of each program (and github/gitignore's templates, which name the same folders).
const OUTPUTS: &[Output] = &[
    // mypy, pytest, ruff, CPython: caches whose names no one else uses.
    anywhere(".mypy_cache"),
    anywhere(".pytest_cache"),
    anywhere(".ruff_cache"),
    anywhere("__pycache__"),
    // Gradle, Nox, tox.
    beside(".gradle", GRADLE),
    beside(".nox", PYTHON),
    beside(".tox", PYTHON),
    // Next.js, Nuxt, nyc, Parcel, SvelteKit, Turborepo, Vite.
    beside(".next", NODE),
    beside(".nuxt", NODE),
    beside(".nyc_output", NODE),
    beside(".parcel-cache", NODE),
    beside(".svelte-kit", NODE),
    beside(".turbo", NODE),
    beside(".vite", NODE),
    // Build folders that several programs share a name for.
    beside("build", NODE),
    beside("build", PYTHON),
    beside("build", GRADLE),
    beside(
        "build",
        &["CMakeLists.txt", "configure", "configure.ac", "Makefile", "meson.build", "pubspec.yaml"],
    ),
    beside("coverage", NODE),
    beside("coverage", &["Gemfile", "phpunit.xml", "composer.json"]),
    beside("dist", NODE),
    beside("dist", PYTHON),
    beside("dist", &["Makefile", "goreleaser.yml", ".goreleaser.yml", ".goreleaser.yaml", "stack.yaml"]),
    beside("htmlcov", PYTHON),
    beside("htmlcov", &[".coveragerc"]),
    beside("node_modules", NODE),
    // Cargo, Maven, sbt.
    beside("target", &["Cargo.toml", "pom.xml", "build.sbt"]),
    // A virtual environment says so itself (PEP 405).
    holding(".venv", "pyvenv.cfg"),
    holding("venv", "pyvenv.cfg"),
];

/// Endings of files that a compiler, a program's log or a desktop leaves.
const ENDINGS: &[&str] = &[".o", ".pyc", ".log", ".tmp", "/.DS_Store", "/Thumbs.db"];

/// Whether what lies `below` a root is, or lies in, what a program makes again.
pub(crate) fn is_made_by_a_program(world: &dyn World, root: &str, below: &str) -> bool {
    let named = format!("/{below}");
    if ENDINGS.iter().any(|ending| named.ends_with(ending)) {
        return true;
    }
    let mut folder = root.to_owned();
    for part in below.split('/') {
        let name = key::key(part);
        let fits = |output: &&Output| output.name == name.as_ref() && output.is_at_home(world, &folder, part);
        if OUTPUTS.iter().any(|output| fits(&output)) {
            return true;
        }
        folder = lexical::join(&folder, part);
    }
    false
}

impl Output {
    /// Whether its program is at home in a folder. Where nobody can look, the name has to do.
    fn is_at_home(&self, world: &dyn World, folder: &str, part: &str) -> bool {
        let is_there = |name: &str| world.kind(&lexical::join(folder, name)).is_ok();
        match self.inside {
            _ if world.kind(folder).is_err() => true,
            Some(inside) => is_there(&format!("{part}/{inside}")) || !is_there(part),
            None => self.beside.is_empty() || self.beside.iter().any(|name| is_there(name)),
        }
    }
}
