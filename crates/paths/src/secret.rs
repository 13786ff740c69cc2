//! Names that hold secrets. One list for path scoping and for the analysis of commands.

use std::sync::LazyLock;

use crate::glob;
use crate::key::key;

/// Patterns by components: a leading `/` anchors at the root of the file system, a trailing `/` means the folder
/// and everything below, `*` and `?` are wildcards within a component. Compared by [`key`].
const SECRET: &[&str] = &[
    ".env",
    ".env.*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_ecdsa_sk",
    "id_ed25519_sk",
    ".ssh/",
    ".gnupg/",
    ".password-store/",
    ".aws/credentials",
    ".aws/config",
    ".azure/",
    ".config/gcloud/",
    ".kube/config",
    ".docker/config.json",
    ".netrc",
    ".pgpass",
    ".my.cnf",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".config/gh/hosts.yml",
    ".config/op/",
    ".cargo/credentials*",
    ".gem/credentials",
    ".terraform.d/credentials*",
    ".vault-token",
    "*.tfstate",
    "*.tfstate.backup",
    "*.tfvars",
    "service-account*.json",
    "application_default_credentials.json",
    "secrets.yml",
    "secrets.yaml",
    ".htpasswd",
    // Browser profiles and key rings.
    ".mozilla/",
    ".config/google-chrome/",
    ".config/chromium/",
    ".config/bravesoftware/",
    "login data",
    "logins.json",
    "key4.db",
    "cookies.sqlite",
    ".local/share/keyrings/",
    "library/keychains/",
    // Shell histories.
    ".bash_history",
    ".zsh_history",
    ".sh_history",
    ".ksh_history",
    ".python_history",
    ".psql_history",
    ".mysql_history",
    ".sqlite_history",
    ".rediscli_history",
    ".node_repl_history",
    ".local/share/fish/fish_history",
    // The system's.
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d/",
    "/etc/master.passwd",
    "/etc/krb5.keytab",
    "/etc/ssh/ssh_host_*_key",
    "/proc/*/environ",
    "/proc/*/mem",
    "/proc/kcore",
    "/run/secrets/",
    "/var/run/secrets/",
    "/root/.ssh/",
];

/// What looks like a row above and isn't one: by the last component.
const HARMLESS: &[&str] =
    &["*.example", "*.sample", "*.template", "*.dist", "*.tpl", "*.pub", "known_hosts", "known_hosts.old"];

struct Row {
    names: Vec<&'static str>,
    anchored: bool,
    tree: bool,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    SECRET
        .iter()
        .map(|text| Row {
            names: text.split('/').filter(|name| !name.is_empty()).collect(),
            anchored: text.starts_with('/'),
            tree: text.ends_with('/'),
        })
        .collect()
});

/// Whether the path's name says that it holds secrets.
#[must_use]
pub fn is_secret(path: &str) -> bool {
    let keys: Vec<_> = components(path).map(key).collect();
    let refs: Vec<&str> = keys.iter().map(AsRef::as_ref).collect();
    let Some(last) = refs.last() else { return false };
    if HARMLESS.iter().any(|pattern| name_fits(pattern, last)) {
        return false;
    }
    ROWS.iter().any(|row| fits(row, &refs, path.starts_with('/'), &|own, name, _| name_fits(name, own)))
}

/// Whether a path with wildcards, or with unknown parts (`…`), is written so that a secret is what it fits.
///
/// A wildcard alone could be anything and isn't counted: the pattern must fix about half of the name that it fits
/// (a `?` counts half a character). `.e*`, `id_*` and `/etc/sh?dow` count; `*`, `src/*`, `*.json` and `.*` don't.
#[must_use]
pub fn could_be_secret(pattern: &str) -> bool {
    let keys: Vec<String> = components(pattern).map(|name| key(name).replace('…', "*")).collect();
    let refs: Vec<&str> = keys.iter().map(String::as_str).collect();
    let Some(last) = refs.last() else { return false };
    if HARMLESS
        .iter()
        .any(|harmless| last.ends_with(harmless.trim_start_matches('*')) && harmless.starts_with('*'))
    {
        return false;
    }
    ROWS.iter().any(|row| fits(row, &refs, pattern.starts_with('/'), &could_fit))
}

/// `last`: the component that the row is known by; the ones before it may be any wildcard that fits.
fn could_fit(own: &str, name: &str, last: bool) -> bool {
    if !glob::is_pattern(own) {
        return name_fits(name, own);
    }
    // Any folder at all says nothing about this one.
    if own == "**" {
        return false;
    }
    match name.strip_prefix('*') {
        // `*.pem` against `a*` would fit anything: the suffix itself has to be fixed.
        Some(suffix) if last => own.ends_with(suffix),
        _ => {
            let weight = 2 * glob::fixed_characters(own) + own.matches('?').count();
            glob::overlaps(own, name) && (!last || weight >= glob::fixed_characters(name))
        }
    }
}

fn name_fits(pattern: &str, own: &str) -> bool {
    if glob::is_pattern(pattern) { wild_fits(pattern, own) } else { pattern == own }
}

/// Table patterns have one `*` at most at either side of fixed text, and it may match a leading dot.
fn wild_fits(pattern: &str, own: &str) -> bool {
    match pattern.split_once('*') {
        Some((head, tail)) => {
            own.len() >= head.len() + tail.len() && own.starts_with(head) && own.ends_with(tail)
        }
        None => pattern == own,
    }
}

fn fits(row: &Row, own: &[&str], absolute: bool, same: &dyn Fn(&str, &str, bool) -> bool) -> bool {
    let width = row.names.len();
    let from_here = |from: usize| {
        row.names.iter().enumerate().all(|(offset, name)| {
            own.get(from + offset).is_some_and(|component| same(component, name, offset + 1 == width))
        }) && (row.tree || from + width == own.len())
    };
    if row.anchored {
        return absolute && from_here(0);
    }
    if row.tree {
        return (0..own.len()).any(from_here);
    }
    own.len().checked_sub(width).is_some_and(from_here)
}

fn components(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty() && *name != ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_names() {
        for path in [
            ".env",
            "config/.ENV.production",
            "server.key",
            "/home/u/.ssh/config",
            "/home/u/.ssh",
            ".kube/config",
            "service-account-7.json",
            "/etc/shadow",
            "/proc/self/environ",
            "/proc/1234/mem",
            "terraform.tfstate",
            ".env ",
            ".e\u{200b}nv",
            "secrets.yaml",
        ] {
            assert!(is_secret(path), "{path}");
        }
        for path in [
            "src/env.rs",
            ".env.example",
            ".env.local.sample",
            "id_rsa.pub",
            "/home/u/.ssh/known_hosts",
            "shadow",
            "etc/shadow",
            "docs/keys.md",
            "monkey",
            "config.json",
            "/proc/cpuinfo",
            "environment",
            "",
        ] {
            assert!(!is_secret(path), "{path}");
        }
    }

    #[test]
    fn patterns_count_only_when_what_they_fix_fits_a_secret() {
        for pattern in [
            ".e*",
            ".en?",
            ".??v",
            ".[e]nv",
            ".env*",
            "id_*",
            "*.pem",
            "/etc/sh?dow",
            "/e??/shadow",
            "…/.ssh/id_*",
            "/proc/*/environ",
        ] {
            assert!(could_be_secret(pattern), "{pattern}");
        }
        for pattern in
            ["*", ".*", "src/*", "*.rs", "…", "/etc/*", "*.json", "a*", "…/main.rs", ".env.exa*.example"]
        {
            assert!(!could_be_secret(pattern), "{pattern}");
        }
    }
}
