//! What programs make again: their own outputs, by name and by the file that shows which program it is.
//!
//! What git ignores is not among them: that is what git can't bring back (a database of a local server, a file of
//! settings). A name counts only where its program is at home, so that `build` beside no build file is a folder like any.

use doorward_core::world::{VcsState, World};
use doorward_paths::{key, lexical};

/// A file or folder that a program makes.
struct Output {
    name: &'static str,
    /// Files of which one stands beside it. None needed: the name says enough.
    beside: &'static [&'static str],
    /// A file that it holds itself.
    inside: Option<&'static str>,
    /// Others use the name, too: only where git ignores it besides.
    ignored: bool,
}

const fn anywhere(name: &'static str) -> Output {
    Output { name, beside: &[], inside: None, ignored: false }
}

const fn beside(name: &'static str, beside: &'static [&'static str]) -> Output {
    Output { name, beside, inside: None, ignored: false }
}

const fn ignored(name: &'static str, beside: &'static [&'static str]) -> Output {
    Output { name, beside, inside: None, ignored: true }
}

const fn holding(name: &'static str, inside: &'static str) -> Output {
    Output { name, beside: &[], inside: Some(inside), ignored: false }
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
        &[
            "CMakeLists.txt",
            "build.sh",
            "configure",
            "configure.ac",
            "Makefile",
            "meson.build",
            "pubspec.yaml",
        ],
    ),
    beside("coverage", NODE),
    beside("coverage", &["Gemfile", "phpunit.xml", "composer.json"]),
    beside("dist", NODE),
    beside("dist", PYTHON),
    beside("dist", &["Makefile", "goreleaser.yml", ".goreleaser.yml", ".goreleaser.yaml", "stack.yaml"]),
    beside("htmlcov", PYTHON),
    beside("htmlcov", &[".coveragerc"]),
    beside("node_modules", NODE),
    beside("cdk.out", &["cdk.json"]),
    beside("dbt_packages", &["dbt_project.yml"]),
    beside("elm-stuff", &["elm.json"]),
    beside("zig-out", &["build.zig"]),
    // Cargo, dbt, Maven, sbt.
    beside("target", &["Cargo.toml", "dbt_project.yml", "pom.xml", "build.sbt"]),
    // A virtual environment says so itself (PEP 405).
    holding(".venv", "pyvenv.cfg"),
    holding("venv", "pyvenv.cfg"),
];

/// Names that others use, too, beside the file of the program that makes them.
const SHARED: &[Output] = &[
    ignored("_build", &["conf.py", "dune-project", "mix.exs"]),
    ignored("_site", &["_config.yml"]),
    ignored("bin", &["go.mod", "Makefile"]),
    ignored("book", &["book.toml"]),
    ignored("build", &["platformio.ini", "west.yml", "prj.conf", "sdkconfig", "justfile"]),
    ignored("deps", &["mix.exs"]),
    ignored("logs", &["dbt_project.yml"]),
    ignored("out", NODE),
    ignored("out", &["CMakeLists.txt", "Makefile"]),
    ignored("public", &["hugo.toml", "hugo.yaml", "config.toml", "gatsby-config.js"]),
    ignored("resources", &["hugo.toml", "hugo.yaml", "config.toml"]),
    ignored("site", &["mkdocs.yml"]),
    ignored("vendor", &["composer.json", "Gemfile", "go.mod", "Cargo.toml"]),
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
        let egg = name.ends_with(".egg-info") && beside("", PYTHON).is_at_home(world, &folder, part);
        if egg || OUTPUTS.iter().chain(SHARED).any(|output| fits(&output)) {
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
        let is_ignored = || world.vcs(&lexical::join(folder, part)) == Ok(VcsState::Ignored);
        match self.inside {
            _ if self.ignored && !is_ignored() => false,
            _ if world.kind(folder).is_err() => true,
            Some(inside) => is_there(&format!("{part}/{inside}")) || !is_there(part),
            None => self.beside.is_empty() || self.beside.iter().any(|name| is_there(name)),
        }
    }
}
