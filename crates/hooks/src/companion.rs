//! The small program beside the large one. Agents start the hook, and a bound call, once per call each; `doorward-thin`
//! holds these two alone and starts in a fraction of the time. Where it isn't there, or was built from other sources,
//! `doorward` does it itself.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The large program's name.
const WHOLE: &str = "doorward";
/// The small one's.
const THIN: &str = "doorward-thin";
/// The word that asks it for its [`SOURCES`].
pub const ASK: &str = "--sources";
/// Names the sources of this crate, which both programs speak by.
pub const SOURCES: &str = env!("DOORWARD_HOOKS_SOURCES");

/// The program that agents are told to start: the small one where it stands beside this one and speaks as it does, else
/// this one. Looked for once.
///
/// # Errors
/// This program's own path isn't known.
pub fn program() -> io::Result<PathBuf> {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return Ok(found.clone());
    }
    let own = std::env::current_exe()?;
    Ok(FOUND.get_or_init(|| beside(&own).unwrap_or(own)).clone())
}

/// The large program, from either: the one that can serve.
///
/// # Errors
/// This program's own path isn't known.
pub fn whole() -> io::Result<PathBuf> {
    let own = std::env::current_exe()?;
    Ok(if own.file_name().is_some_and(|name| name == THIN) { own.with_file_name(WHOLE) } else { own })
}

/// Both programs where they lie, whichever of them this is and whether or not they speak alike: what has to be kept from
/// being changed. Starts nothing.
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
        // Written by a process of its own: a handle on it that a neighbour's fork took along would make it busy.
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
