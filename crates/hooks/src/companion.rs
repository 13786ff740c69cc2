//! The small program `doorward-thin`. Agents start a process for each hook event and each bound call; `doorward-thin`
//! contains only these two commands and so starts much faster. If it is missing or was built from other sources,
//! `doorward` does the same itself.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Name of the full program.
const WHOLE: &str = "doorward";
/// Name of the small program.
const THIN: &str = "doorward-thin";
/// The option that makes it print its [`SOURCES`].
pub const ASK: &str = "--sources";
/// Number of this crate's sources; equal in both programs if they fit together.
pub const SOURCES: &str = env!("DOORWARD_HOOKS_SOURCES");

/// The program that agents should start: the small one if it lies beside this one and was built from the same
/// sources, else this one. Looked up once.
///
/// # Errors
/// The path of the running program is unknown.
pub fn program() -> io::Result<PathBuf> {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return Ok(found.clone());
    }
    let own = std::env::current_exe()?;
    Ok(FOUND.get_or_init(|| beside(&own).unwrap_or(own)).clone())
}

/// The full program, which can run the service. Callable from both programs.
///
/// # Errors
/// The path of the running program is unknown.
pub fn whole() -> io::Result<PathBuf> {
    let own = std::env::current_exe()?;
    Ok(if own.file_name().is_some_and(|name| name == THIN) { own.with_file_name(WHOLE) } else { own })
}

/// Paths of both programs, which must be protected from changes. Starts nothing and doesn't compare sources.
#[must_use]
pub fn both() -> Vec<PathBuf> {
    let own = std::env::current_exe().ok();
    let both = own.into_iter().flat_map(|own| [own.with_file_name(WHOLE), own.with_file_name(THIN), own]);
    both.filter(|path| path.exists()).collect()
}

fn beside(own: &Path) -> Option<PathBuf> {
    let thin = own.with_file_name(THIN);
    let said = Command::new(&thin)
        .arg(ASK)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    (said.status.success() && said.stdout.trim_ascii() == SOURCES.as_bytes()).then_some(thin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_companion_of_the_same_sources_is_used() {
        let dir = tempfile::tempdir().unwrap();
        let own = dir.path().join(WHOLE);
        assert_eq!(beside(&own), None, "none is there");
        let thin = dir.path().join(THIN);
        // Written by a separate process: a handle inherited by another test's fork would make the file busy.
        let says = |text: &str| {
            let write = "printf '#!/bin/sh\\n%s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\"";
            let wrote = Command::new("sh").args(["-c", write, "sh"]).arg(&thin).arg(text).status().unwrap();
            assert!(wrote.success());
        };
        says(&format!("[ \"$1\" = {ASK} ] && echo {SOURCES}"));
        assert_eq!(beside(&own), Some(thin.clone()));
        says("echo 0000000000000000");
        assert_eq!(beside(&own), None, "of other sources");
        says(&format!("echo {SOURCES}; exit 1"));
        assert_eq!(beside(&own), None, "it failed");
    }
}
