//! What of a person's own machine a run gets beside the system: a clean environment, the toolchains that stand on
//! `PATH`, git's settings. The same at a terminal and through the service.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use doorward_sandbox::clean_environment;

use crate::hook::user_name;

/// Variables a command gets from the client beside the ones every run gets: where toolchains are, and what terminals
/// and test runners read. None of them makes a program load or run something.
const PASSED_ON: &[&str] =
    &["CI", "CLAUDECODE", "COLORTERM", "COLUMNS", "FORCE_COLOR", "GOPATH", "LINES", "NO_COLOR"];
/// Variables that name a file or a folder of the certificates that a person trusts. They are passed on too.
const CERTIFICATES: &[&str] = &[
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
];

/// Of the home: who the person is for git, and what git leaves out everywhere.
const DOTFILES: &[&str] = &[".gitconfig", ".config/git/config", ".config/git/ignore"];
/// Places that every run sees anyway, or has its own of.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/proc",
    "/sys",
    "/dev",
];
/// Folders of a home that many programs share: they are opened no wider than one program's own part.
const SHARED: &[&str] = &[".local", ".config", ".cache"];
/// Variables that name a toolchain's folder. They are passed on too.
const FOLDERS: &[&str] = &[
    "ASDF_DATA_DIR",
    "CARGO_HOME",
    "FNM_DIR",
    "GOROOT",
    "JAVA_HOME",
    "MISE_DATA_DIR",
    "NVM_DIR",
    "PYENV_ROOT",
    "RUSTUP_HOME",
    "SDKMAN_DIR",
    "VIRTUAL_ENV",
    "VOLTA_HOME",
];
/// Ends of the names of certificates, as `openssl rehash` and distributions give them.
const CERTIFICATE_FILES: &[&str] = &["0", "1", "2", "cer", "crt", "pem"];
/// Entries of one folder of `PATH` that are looked at for links.
const MOST_ENTRIES: usize = 2_000;

/// What a run gets of whoever started it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Its environment.
    pub env: BTreeMap<String, String>,
    /// Places there to be read.
    pub readable: Vec<PathBuf>,
}

impl Surroundings {
    /// Those of a process with this environment.
    #[must_use]
    pub fn of(given: impl IntoIterator<Item = (String, String)>) -> Self {
        let named = PASSED_ON.iter().chain(CERTIFICATES).chain(FOLDERS);
        let also: Vec<String> = named.map(|name| (*name).to_owned()).collect();
        let mut env = clean_environment(given, &also);
        let Some(home) = crate::home() else { return Self { env, readable: Vec::new() } };
        env.insert("HOME".to_owned(), home.display().to_string());
        env.entry("USER".to_owned()).or_insert_with(|| user_name(rustix::process::getuid().as_raw()));
        let mut readable = toolchains(&home, &env);
        let certificates = CERTIFICATES.iter().filter_map(|name| env.get(*name)).map(PathBuf::from);
        readable.extend(certificates.filter(|path| is_certificates(path)));
        Self { env, readable }
    }
}

/// Whether a path can be what it is named to be: certificates aren't secret, and lie in no folder of everything.
fn is_certificates(path: &Path) -> bool {
    let is_secret = |path: &Path| path.to_str().is_none_or(doorward_paths::is_secret);
    let is_certificate = |path: &Path| {
        let end = path.extension().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
        CERTIFICATE_FILES.contains(&end) && !is_secret(path)
    };
    let mut entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    path.is_absolute()
        && !is_secret(path)
        && (path.is_file() || entries.all(|entry| is_certificate(&entry.path())))
}

/// Places that hold the toolchains on `PATH`, where its links really lead, without what is secret in them.
fn toolchains(home: &Path, env: &BTreeMap<String, String>) -> Vec<PathBuf> {
    let mut readable: Vec<PathBuf> = DOTFILES.iter().map(|name| home.join(name)).collect();
    let path = env.get("PATH").map(String::as_str).unwrap_or_default();
    for entry in path.split(':').map(Path::new).filter(|entry| entry.is_absolute()) {
        readable.extend(folder_of(entry, home));
        if entry.starts_with(home.join(".cargo")) {
            readable.push(home.join(".rustup"));
        }
        readable.extend(link_targets(entry).filter_map(|target| place_of(&target, home)));
    }
    let named = FOLDERS.iter().filter_map(|name| env.get(*name)).map(PathBuf::from);
    readable.extend(named.filter(|folder| folder.is_absolute() && !home.starts_with(folder)));
    readable.sort();
    readable.dedup();
    let mut open: Vec<PathBuf> = readable.into_iter().flat_map(without_secrets).collect();
    open.retain(|path| path.exists());
    open
}

/// The folder that a folder of `PATH` belongs to, if it isn't the system's.
fn folder_of(entry: &Path, home: &Path) -> Option<PathBuf> {
    let Ok(below) = entry.strip_prefix(home) else { return prefix(entry, home) };
    if let Some(own) = own_share(entry, home) {
        return Some(own);
    }
    match below.components().next() {
        Some(Component::Normal(first)) if SHARED.iter().any(|shared| first == *shared) => prefix(entry, home),
        // A toolchain's own folder, as `~/.cargo` and `~/.nvm`.
        Some(Component::Normal(first)) if first.as_encoded_bytes().starts_with(b".") => {
            Some(home.join(first))
        }
        _ => prefix(entry, home),
    }
}

/// Where a program that a link leads to is installed.
fn place_of(program: &Path, home: &Path) -> Option<PathBuf> {
    if is_system(program) {
        return None;
    }
    if let Some(own) = own_share(program, home) {
        return Some(own);
    }
    let folder = program.parent()?;
    if folder.ends_with("bin") { prefix(folder, home) } else { Some(program.to_owned()) }
}

/// A program's own folder of `~/.local/share`, which holds what its shims start.
fn own_share(path: &Path, home: &Path) -> Option<PathBuf> {
    let share = home.join(".local/share");
    let name = path.strip_prefix(&share).ok()?.components().next()?;
    Some(share.join(name))
}

/// `X` of `X/bin`, which holds the libraries as well; else the folder itself. Never a whole home, or a top folder.
fn prefix(folder: &Path, home: &Path) -> Option<PathBuf> {
    if is_system(folder) {
        return None;
    }
    let wide = |path: &Path| {
        let depth = path.components().count();
        home.starts_with(path) || depth < 3 || SHARED.iter().any(|shared| path == home.join(shared))
    };
    let above = folder.parent().filter(|above| folder.ends_with("bin") && !wide(above));
    above.map(Path::to_owned).or_else(|| (!home.starts_with(folder)).then(|| folder.to_owned()))
}

fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|top| path.starts_with(top)) || path.parent().is_none()
}

/// Where the links of a folder lead in the end. `/usr/local/bin` is looked at too: what is installed by hand is linked
/// there from everywhere.
fn link_targets(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let own = !is_system(folder) || folder == Path::new("/usr/local/bin");
    let entries = own.then(|| std::fs::read_dir(folder).ok()).flatten();
    let entries = entries.into_iter().flatten().flatten().take(MOST_ENTRIES);
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    links.filter_map(|link| std::fs::canonicalize(link.path()).ok())
}

/// A folder, or its parts where one of them is a secret (`~/.cargo/credentials.toml`).
fn without_secrets(folder: PathBuf) -> Vec<PathBuf> {
    let is_secret = |path: &Path| path.to_str().is_none_or(doorward_paths::is_secret);
    if is_secret(&folder) {
        return Vec::new();
    }
    let parts: Vec<PathBuf> =
        std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    if parts.iter().any(|part| is_secret(part)) {
        return parts.into_iter().filter(|part| !is_secret(part)).collect();
    }
    vec![folder]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(home: &Path, path: &[&str]) -> Vec<String> {
        let path =
            path.iter().map(|entry| home.join(entry).display().to_string()).collect::<Vec<_>>().join(":");
        let env = BTreeMap::from([("PATH".to_owned(), path)]);
        let name = |path: PathBuf| path.strip_prefix(home).unwrap_or(&path).display().to_string();
        toolchains(home, &env).into_iter().map(name).collect()
    }

    fn machine() -> (tempfile::TempDir, PathBuf) {
        let machine = tempfile::tempdir().unwrap();
        let home = machine.path().canonicalize().unwrap().join("home/u");
        for file in [
            ".cargo/bin/cargo",
            ".cargo/config.toml",
            ".cargo/credentials.toml",
            ".rustup/settings.toml",
            ".nvm/versions/node/v22/bin/node",
            ".local/bin/own",
            ".local/share/uv/tools/ruff/bin/ruff",
            ".local/share/mise/shims/node",
            ".local/share/mise/installs/node/22/bin/node",
            ".local/share/keyrings/login.keyring",
            "work/tool/bin/tool",
            "work/secret-plans.txt",
            "notes/say.sh",
            "bin/x",
            ".gitconfig",
            ".ssh/id_ed25519",
            "../../opt/node/bin/node",
            "../../opt/node/lib/x",
        ] {
            let file = home.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "x").unwrap();
        }
        (machine, home)
    }

    #[test]
    fn toolchains_are_found_where_path_and_its_links_lead() {
        let (_machine, home) = machine();
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(home.join(to), home.join(name)).unwrap();
        link(".local/share/uv/tools/ruff/bin/ruff", ".local/bin/ruff");
        link("../../opt/node/bin/node", ".local/bin/node");
        link("notes/say.sh", ".local/bin/say");
        let all = shown(
            &home,
            &[
                ".cargo/bin",
                ".nvm/versions/node/v22/bin",
                ".local/bin",
                ".local/share/mise/shims",
                "work/tool/bin",
                "bin",
            ],
        );
        for name in [
            ".local/share/mise",
            ".gitconfig",
            ".cargo/bin",
            ".cargo/config.toml",
            ".rustup",
            ".nvm",
            ".local/bin",
            ".local/share/uv",
            "notes/say.sh",
            "work/tool",
            "bin",
        ] {
            assert!(all.iter().any(|own| own == name), "{name}: {all:?}");
        }
        assert!(all.iter().any(|own| own.ends_with("/opt/node")), "{all:?}");
    }

    #[test]
    fn no_path_opens_a_home_a_secret_or_what_lies_beside() {
        let (_machine, home) = machine();
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(home.join(to), home.join(name)).unwrap();
        link(".ssh/id_ed25519", ".local/bin/key");
        link(".local/share/keyrings/login.keyring", ".local/bin/ring");
        let all = shown(
            &home,
            &["", ".", "..", "../..", ".ssh", ".cargo/bin", ".local/bin", "work/tool/bin", "bin"],
        );
        let whole = home.display().to_string();
        for own in &all {
            let full = home.join(own);
            assert!(!home.starts_with(&full), "{own} in {all:?}");
            for secret in [
                ".cargo/credentials.toml",
                ".ssh/id_ed25519",
                "work/secret-plans.txt",
                ".local/share/keyrings/login.keyring",
            ] {
                assert!(!home.join(secret).starts_with(&full), "{own} shows {secret} of {whole}");
            }
        }
    }
}
