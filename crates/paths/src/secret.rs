//! Names of files with secrets: one list for path scoping and for the analysis of commands.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::glob;
use crate::key::key;

/// Locations of secrets by the programs that store them there, with their manuals.
const PLACES: &str = include_str!("places.txt");

/// Names that resemble a row of the table but are harmless, by last component.
const HARMLESS: &[&str] =
    &["*.example", "*.sample", "*.template", "*.dist", "*.tpl", "*.pub", "known_hosts", "known_hosts.old"];

/// Names that mark secrets if one of the three folders above is hidden, as settings folders are: `~/.tool/auth.json`.
const TELLING: &[&str] = words! {
    "access-token" "access_token" "access_tokens*" "api-key" "api_key" "apikey" "auth.json" "auth.toml"
    "auth.yaml" "auth.yml" "credential" "credentials" "credentials.*" "oauth.json" "password"
    "passwords" "passwords.*" "secret_key" "secrets" "secrets.*" "token" "token.json" "tokens"
    "tokens.json"
};

/// Hidden folders that contain code, history or test data.
const CODE_FOLDERS: &[&str] =
    &[".git", ".github", ".venv", ".tox", ".nox", ".cargo", ".rustup", ".storybook"];

static HARMLESS_NAMES: LazyLock<Vec<Name>> =
    LazyLock::new(|| HARMLESS.iter().map(|text| Name::of(text)).collect());
static TELLING_NAMES: LazyLock<Vec<Name>> =
    LazyLock::new(|| TELLING.iter().map(|text| Name::of(text)).collect());

/// A component in the table; it may be a pattern.
#[derive(Clone, Copy)]
struct Name {
    text: &'static str,
    shape: Shape,
}

#[derive(Clone, Copy)]
enum Shape {
    /// A fixed name.
    Plain,
    /// One `*` with fixed text on either side, like most patterns of the table. It may match a leading dot.
    OneStar(&'static str, &'static str),
    Wild,
}

impl Name {
    fn of(text: &'static str) -> Self {
        let shape = if !glob::is_pattern(text) {
            Shape::Plain
        } else if text.contains('?') || text.matches('*').count() > 1 {
            Shape::Wild
        } else {
            text.split_once('*').map_or(Shape::Plain, |(head, tail)| Shape::OneStar(head, tail))
        };
        Self { text, shape }
    }

    fn fits(self, own: &str) -> bool {
        match self.shape {
            Shape::Plain => self.text == own,
            Shape::OneStar(head, tail) => {
                own.len() >= head.len() + tail.len() && own.starts_with(head) && own.ends_with(tail)
            }
            Shape::Wild => glob::matches_component(self.text, own),
        }
    }
}

/// Whether the name of a file in a program's settings marks it as a secret.
fn tells(names: &[&str]) -> bool {
    let Some((last, above)) = names.split_last() else { return false };
    let settings = above.iter().rev().take(3);
    settings.clone().any(|name| name.starts_with('.') && name.len() > 2)
        && !above.iter().any(|name| CODE_FOLDERS.contains(name))
        && TELLING_NAMES.iter().any(|name| name.fits(last))
}

struct Row {
    names: Vec<Name>,
    anchored: bool,
    tree: bool,
    /// Whether it lies in a home folder.
    home: bool,
}

/// The patterns of the table of locations.
pub fn patterns() -> impl Iterator<Item = &'static str> {
    PLACES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    patterns()
        .map(|text| Row {
            names: text.split('/').filter(|name| !name.is_empty() && *name != "~").map(Name::of).collect(),
            anchored: text.starts_with('/'),
            tree: text.ends_with('/'),
            home: text.starts_with("~/"),
        })
        .collect()
});

/// Rows by the name that every matching path contains: the row's longest name without wildcards.
static BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static Row>>> = LazyLock::new(|| {
    let mut index: HashMap<_, Vec<_>> = HashMap::new();
    for row in ROWS.iter() {
        index.entry(row.known_by()).or_default().push(row);
    }
    index
});

impl Row {
    /// Empty if every name is a pattern.
    fn known_by(&self) -> &'static str {
        let literal = self.names.iter().map(|name| name.text).filter(|name| !glob::is_pattern(name));
        literal.max_by_key(|name| name.len()).unwrap_or_default()
    }
}

/// Whether the path's name marks secrets.
#[must_use]
pub fn is_secret(path: &str) -> bool {
    let keys: Vec<_> = components(path).map(key).collect();
    let refs: Vec<&str> = keys.iter().map(AsRef::as_ref).collect();
    let Some(last) = refs.last() else { return false };
    if HARMLESS_NAMES.iter().any(|name| name.fits(last)) {
        return false;
    }
    if tells(&refs) {
        return true;
    }
    let absolute = path.starts_with('/');
    let rows = refs.iter().chain(&[""]).filter_map(|name| BY_NAME.get(name)).flatten();
    rows.into_iter().any(|row| fits(row, &refs, absolute, &|own, name, _| name.fits(own)))
}

/// Whether a path with wildcards, or with unknown parts (`…`), was probably written to match a secret.
///
/// A bare wildcard could match anything, so it doesn't count: the pattern must fix about half of the secret's name (a
/// `?` counts half a character). `.e*`, `id_*` and `/etc/sh?dow` count; `*`, `src/*`, `*.json` and `.*` don't.
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
    if !refs.iter().any(|name| glob::is_pattern(name)) {
        return is_secret(pattern);
    }
    ROWS.iter().any(|row| fits(row, &refs, pattern.starts_with('/'), &could_fit))
}

/// Whether reading everything below a folder reads the user's secrets: those of a home folder, of running processes
/// and of containers. Files that only root can read don't count, nor do names that may occur anywhere (`.env`).
///
/// `visible`: names with a leading dot are skipped, as `rg` does without `--hidden`.
#[must_use]
pub fn holds_secrets(folder: &str, home: Option<&str>, visible: bool) -> bool {
    let keys: Vec<_> = components(folder).map(key).collect();
    let base: Vec<&str> = keys.iter().map(AsRef::as_ref).collect();
    let home = home_parts(home);
    absolute_places(home.as_deref()).any(|place| {
        base.len() <= place.len()
            && base.iter().zip(place.iter()).all(|(own, name)| name.is(own))
            && !(visible && place.iter().skip(base.len()).any(|name| name.text().starts_with('.')))
    })
}

/// Whether a pattern with a leading `/` matches a location of the user's secrets, or walks over one (`**`).
#[must_use]
pub fn reaches_secrets(pattern: &str, home: Option<&str>) -> bool {
    let keys: Vec<_> = components(pattern).map(key).collect();
    let parts: Vec<&str> = keys.iter().map(AsRef::as_ref).collect();
    let Some(first) = parts.iter().position(|part| glob::is_pattern(part)) else { return false };
    // A recursive search also lists hidden names.
    let lists = parts.contains(&"**");
    let fits = |own: &str, name: &str| {
        let hidden = lists && name.starts_with('.') && own.starts_with(['*', '?', '[']);
        let own = if hidden { format!(".{}", own.trim_start_matches(['?'])) } else { own.to_owned() };
        glob::overlaps(&own, name)
    };
    let Some(last) = parts.last() else { return false };
    let home = home_parts(home);
    absolute_places(home.as_deref()).any(|place| {
        if place.len() <= first || !parts.iter().take(first).zip(place.iter()).all(|(own, name)| name.is(own))
        {
            return false;
        }
        let rest = || place.iter().skip(first).map(PlaceName::text);
        let own = parts.get(first..).unwrap_or_default();
        match own.iter().position(|part| *part == "**") {
            // `~/**/*.json`: the last name decides, since a folder of secrets may contain any name.
            Some(_) => {
                let leaf = rest().last().unwrap_or_default();
                // Wildcards of the table are removed first: `wallet*` is matched as `wallet`, so that `*.png` doesn't
                // match it.
                *last == "**" || fits(last, &leaf.replace('*', ""))
            }
            None => {
                own.len() == place.len() - first && own.iter().zip(rest()).all(|(own, name)| fits(own, name))
            }
        }
    })
}

fn home_parts(home: Option<&str>) -> Option<Vec<&str>> {
    home.map(|home| components(home).collect())
}

/// A location of the user's secrets, from the root of the file system.
#[derive(Clone, Copy)]
struct Place<'h> {
    /// The components of the home folder that contains it, if any.
    home: &'h [&'h str],
    names: &'static [Name],
}

/// One component of a location.
#[derive(Clone, Copy)]
enum PlaceName<'h> {
    Home(&'h str),
    Table(Name),
}

impl<'h> Place<'h> {
    const fn len(self) -> usize {
        self.home.len() + self.names.len()
    }

    fn iter(self) -> impl Iterator<Item = PlaceName<'h>> {
        let home = self.home.iter().copied().map(PlaceName::Home);
        home.chain(self.names.iter().copied().map(PlaceName::Table))
    }
}

impl<'h> PlaceName<'h> {
    const fn text(self) -> &'h str {
        match self {
            Self::Home(text) => text,
            Self::Table(name) => name.text,
        }
    }

    fn is(self, own: &str) -> bool {
        self.text() == own
            || match self {
                Self::Home(_) => false,
                Self::Table(name) => name.fits(own),
            }
    }
}

/// Rows for home folders, running processes and containers.
static OWN_ROWS: LazyLock<Vec<&'static Row>> = LazyLock::new(|| {
    const RUNTIME: &[&str] = &["proc", "run", "var"];
    const KEPT: &[&str] = &["environ", "secrets", "credentials"];
    let of_runtime = |row: &Row| {
        row.anchored
            && row.names.first().is_some_and(|first| RUNTIME.contains(&first.text))
            && row.names.iter().any(|name| KEPT.contains(&name.text))
    };
    ROWS.iter().filter(|row| row.home || of_runtime(row)).collect()
});

/// The locations of the user's secrets. A folder of secrets is given by its own name. Without a home folder, its rows
/// are left out unless anchored.
fn absolute_places<'h>(home: Option<&'h [&'h str]>) -> impl Iterator<Item = Place<'h>> {
    OWN_ROWS.iter().filter_map(move |row| match (row.home, home) {
        (true, Some(home)) => Some(Place { home, names: &row.names }),
        (true, None) => None,
        (false, _) => Some(Place { home: &[], names: &row.names }),
    })
}

/// `last`: the component that identifies the row. The components before it may be any wildcard that matches.
fn could_fit(own: &str, name: Name, last: bool) -> bool {
    if !glob::is_pattern(own) {
        return name.fits(own);
    }
    let name = name.text;
    // "Any folder" is too vague to count.
    if own == "**" {
        return false;
    }
    // A bare extension names a kind of file: it counts only if the table names that extension.
    let ending = own.strip_prefix("*.").filter(|rest| !glob::is_pattern(rest));
    if last && ending.is_some() {
        return name == own;
    }
    match name.strip_prefix('*') {
        // Otherwise `*.pem` and `a*` would match each other: the suffix itself must be fixed.
        Some(suffix) if last => own.ends_with(suffix),
        _ => {
            let weight = 2 * glob::fixed_characters(own) + own.matches('?').count();
            // A trailing wildcard of the table would match any extension, so only its fixed part counts.
            let fixed = name.trim_end_matches('*');
            let meets = glob::overlaps(own, name) && (!own.starts_with('*') || glob::overlaps(own, fixed));
            meets && (!last || weight >= glob::fixed_characters(name))
        }
    }
}

fn fits(row: &Row, own: &[&str], absolute: bool, same: &dyn Fn(&str, Name, bool) -> bool) -> bool {
    let width = row.names.len();
    let from_here = |from: usize| {
        row.names.iter().enumerate().all(|(offset, name)| {
            own.get(from + offset).is_some_and(|component| same(component, *name, offset + 1 == width))
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

    /// A path that a row of the table matches.
    fn example(pattern: &str) -> String {
        let text = pattern.replace('*', "x").replace('?', "y");
        let text = text.strip_prefix("~/").map_or(text.clone(), |rest| format!("/home/user/{rest}"));
        if text.ends_with('/') { format!("{text}anything") } else { text }
    }

    #[test]
    fn every_place_is_a_secret_and_is_found_from_above() {
        let mut seen = std::collections::BTreeSet::new();
        for block in PLACES.split("\n\n") {
            assert!(block.starts_with("# "), "a block names its programs and manuals: {block}");
        }
        for pattern in patterns() {
            assert!(seen.insert(pattern), "{pattern} twice");
            assert_eq!(pattern, pattern.to_lowercase(), "{pattern}");
            let path = example(pattern);
            assert!(is_secret(&path), "{pattern}: {path}");
            if pattern.starts_with("~/") {
                let folder = path.rsplit_once('/').map(|(folder, _)| folder).unwrap();
                assert!(holds_secrets(folder, Some("/home/user"), false), "{pattern}: {folder}");
                assert!(
                    reaches_secrets(&format!("{folder}/**"), Some("/home/user")) || pattern.ends_with('/'),
                    "{pattern}"
                );
            }
        }
        assert!(seen.len() > 500, "{}", seen.len());
    }

    #[test]
    fn walks_and_patterns_reach_what_a_user_keeps() {
        let home = Some("/home/user");
        for folder in [
            "/",
            "/home",
            "/home/user",
            "/home/user/.config",
            "/home/user/.aws",
            "/proc",
            "/proc/1",
            "/run/secrets",
        ] {
            assert!(holds_secrets(folder, home, false), "{folder}");
        }
        for folder in
            ["/home/user/src", "/etc", "/usr", "/var/log", "/home/user/.config/nvim", "/workspace", "/tmp"]
        {
            assert!(!holds_secrets(folder, home, false), "{folder}");
        }
        assert!(holds_secrets("/home/user/.config/gh", home, true));
        for pattern in [
            "/home/user/.*",
            "/home/user/.*/*",
            "/home/user/.config/*/*",
            "/home/user/.config/gh/*",
            "/home/user/.a*/*",
            "/home/user/**",
            "/home/user/**/.*",
            "/home/user/**/*.json",
            "/**",
            "/proc/*/environ",
            "/home/user/.[a-z]*",
        ] {
            assert!(reaches_secrets(pattern, home), "{pattern}");
        }
        for pattern in [
            "/home/user/*",
            "/home/user/*.md",
            "/home/user/src/*",
            "/home/user/**/*.rs",
            "/etc/*",
            "/workspace/**",
            "/usr/**",
            "/workspace/.*",
        ] {
            assert!(!reaches_secrets(pattern, home), "{pattern}");
        }
    }
}
