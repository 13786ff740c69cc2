//! The Python environments that the tests of `bindings/python` run in: every Python the machine has, and one for each
//! set of frameworks that fit together. Installed with `uv`, by exact versions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::tools::attempt;

/// The installer. It takes seconds where pip takes minutes.
const UV: &str = "uv==0.13.9";
/// What each environment has.
const TESTS: &[&str] = &["pytest==9.2.0", "mypy==2.4.1"];
/// The least minor version of Python 3 that the package supports, and the newest that is looked for.
const MINORS: std::ops::RangeInclusive<u8> = 10..=14;

/// Frameworks that fit into one environment.
struct Frameworks {
    name: &'static str,
    /// Minor versions of Python 3, the preferred one first.
    minors: &'static [u8],
    packages: &'static [&'static str],
}

const FRAMEWORKS: &[Frameworks] = &[
    Frameworks {
        name: "openhands",
        minors: &[12, 13],
        packages: &[
            "openhands-agent-server==1.58.0",
            "openhands-sdk==1.58.0",
            "openhands-tools==1.58.0",
            "litellm==1.99.4",
            "toolshield==0.1.3",
        ],
    },
    Frameworks {
        name: "frameworks",
        minors: &[12, 13, 11],
        packages: &[
            "agent-hooks-sdk==0.1.0b3",
            "openai-agents==0.24.0",
            "langchain==1.4.7",
            "langgraph==1.2.22",
            "langchain-openai==1.7.3",
            "claude-agent-sdk==0.2.187",
            "pydantic-ai-slim[openai]==2.68.0",
            "smolagents[openai]==1.26.0",
        ],
    },
    // These want another release of the same client library than those above.
    Frameworks {
        name: "frameworks-2",
        minors: &[12, 13, 11],
        packages: &["crewai==1.15.30", "agent-framework-core==1.23.0", "agent-framework-openai==1.17.0"],
    },
];

/// Installs what is missing below `dir/python`. What can't be is a note; its tests say that they lacked it.
pub(crate) fn install(dir: &Path) {
    let dir = dir.join("python");
    let found = interpreters();
    let mut wanted: Vec<(String, &Path, Vec<&str>)> =
        found.iter().map(|(minor, program)| (format!("3.{minor}"), program.as_path(), Vec::new())).collect();
    for frameworks in FRAMEWORKS {
        match frameworks.minors.iter().find_map(|minor| found.get(minor)) {
            Some(program) => {
                wanted.push((frameworks.name.to_owned(), program.as_path(), frameworks.packages.to_vec()));
            }
            None => eprintln!(
                "xtask: no Python 3.{} for {}; tests that need it will say so",
                frameworks.minors.first().copied().unwrap_or_default(),
                frameworks.name
            ),
        }
    }
    for (name, program, mut packages) in wanted {
        packages.extend(TESTS);
        environment(&dir, &name, program, &packages);
    }
}

/// An environment with these packages below `dir`, made anew where it has others.
pub(crate) fn environment(dir: &Path, name: &str, program: &Path, packages: &[&str]) {
    let place = dir.join(name);
    let mark = place.join("installed");
    let listed = packages.join(" ");
    if std::fs::read_to_string(&mark).is_ok_and(|text| text == listed) {
        return;
    }
    eprintln!("xtask: installing for Python's {name}: {listed}");
    attempt(uv(dir, &["venv", "--clear", "--python"]).arg(program).arg(&place));
    let installed =
        attempt(uv(dir, &["pip", "install", "--python"]).arg(place.join("bin/python")).args(packages));
    if installed {
        let _ = std::fs::write(mark, listed);
    }
}

/// The installer with these words; it is installed first where it is missing.
pub(crate) fn uv(dir: &Path, words: &[&str]) -> Command {
    let uv = dir.join("uv/bin/uv");
    if !uv.exists() {
        attempt(Command::new("python3").args(["-m", "venv"]).arg(dir.join("uv")));
        attempt(Command::new(dir.join("uv/bin/pip")).args(["install", "--quiet", UV]));
    }
    // The cache is beside the environments, so that their files are links to it.
    let mut command = Command::new(&uv);
    command.arg("--quiet").args(words).env("UV_CACHE_DIR", dir.join("cache"));
    command
}

/// Interpreters by minor version: those on the path, and those that pyenv keeps.
pub(crate) fn interpreters() -> BTreeMap<u8, PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let named = |folder: PathBuf| {
        let own = MINORS.map(|minor| format!("python3.{minor}")).chain(["python3".to_owned()]);
        own.map(move |name| folder.join(name)).collect::<Vec<_>>()
    };
    let pyenv = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let pyenv = pyenv.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv")));
    let versions = pyenv.and_then(|root| std::fs::read_dir(root.join("versions")).ok());
    let kept = versions.into_iter().flatten().flatten().map(|version| version.path().join("bin"));
    let mut found = BTreeMap::new();
    for program in kept.chain(std::env::split_paths(&path)).flat_map(named) {
        if let Some(minor) = minor_of(&program)
            && MINORS.contains(&minor)
        {
            found.entry(minor).or_insert(program);
        }
    }
    found
}

/// The minor version of a Python 3 that works. A shim that only names one doesn't.
fn minor_of(program: &Path) -> Option<u8> {
    if !program.exists() {
        return None;
    }
    let asked = "import sys; print(sys.version_info.major, sys.version_info.minor)";
    let told =
        Command::new(program).args(["-c", asked]).output().ok().filter(|told| told.status.success())?;
    String::from_utf8(told.stdout).ok()?.trim().strip_prefix("3 ")?.parse().ok()
}
