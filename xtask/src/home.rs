//! The home folder that tests run with: new for every run, and with an identity for git. What lies in the home of whoever
//! runs them (settings of agents, keys, folders with many files) changes verdicts, and tests must not change it.

use std::path::{Path, PathBuf};

/// Folders of tools that are found by way of the home folder: the variable that names each, and where it is without one.
/// They stay where they are, so that compilers and packages are found there.
const TOOLS: &[(&str, &str)] = &[
    ("CARGO_HOME", ".cargo"),
    ("PYENV_ROOT", ".pyenv"),
    ("RUSTUP_HOME", ".rustup"),
    ("npm_config_cache", ".npm"),
];

/// Variables that name folders which are below the home folder otherwise.
const BELOW: &[(&str, &str)] = &[
    ("XDG_CACHE_HOME", ".cache"),
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_STATE_HOME", ".local/state"),
];

const GIT: &str =
    "[user]\n\tname = Tests of Doorward\n\temail = tests@doorward.example\n[init]\n\tdefaultBranch = main\n";

/// Makes the folder anew and gives the variables that lead to it.
///
/// # Errors
/// What couldn't be made.
pub(crate) fn new(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let error = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(error)?;
    }
    std::fs::create_dir_all(folder).map_err(error)?;
    std::fs::write(folder.join(".gitconfig"), GIT).map_err(error)?;
    let mut env = vec![("HOME".to_owned(), folder.display().to_string())];
    env.extend(
        BELOW.iter().map(|(name, place)| ((*name).to_owned(), folder.join(place).display().to_string())),
    );
    env.push(("GIT_CONFIG_NOSYSTEM".to_owned(), "1".to_owned()));
    let real = std::env::var_os("HOME").map(PathBuf::from);
    for (name, place) in TOOLS {
        let there = real.as_ref().map(|home| home.join(place)).filter(|place| place.exists());
        if let Some(there) = there.filter(|_| std::env::var_os(name).is_none()) {
            env.push(((*name).to_owned(), there.display().to_string()));
        }
    }
    Ok(env)
}
