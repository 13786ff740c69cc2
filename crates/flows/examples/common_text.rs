//! Writes the table of common text (`common_text.txt` and `common_names.txt` in OUT): runs of text and names that
//! occur in the documentation of at least four packages.
//!
//! `cargo run --release -p doorward-flows --example common_text -- OUT all|even FOLDER…`, each FOLDER the sources of
//! packages. With `even` only half of their owners are used, so that `false_matches` can test the table on the others.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs
)]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use doorward_flows::Table;

#[path = "../tests/it/common/packages.rs"]
mod packages;

/// Window length in normalised bytes.
const WINDOW: usize = 24;
/// Least number of packages.
const PACKAGES: u8 = 4;
/// Limit on bytes read of one file.
const MOST: usize = 128 << 10;

/// Hosts left out although several packages name them: anyone can publish or receive data there, or register the
/// host.
const NEVER: &[&str] = &[
    "discord.com",
    "discord.gg",
    "example.com",
    "gist.github.com",
    "gitter.im",
    "gmail.com",
    "medium.com",
    "npm.im",
    "observablehq.com",
    "secrets.GITHUB_TOKEN",
    "twitter.com",
    "githubusercontent.com",
    "github.com/sponsors",
    "github.com/user-attachments",
    "web.archive.org",
    "www.reddit.com",
];

/// Whether a name is left out: a mail address, or a name at such a host.
fn is_left_out(name: &str) -> bool {
    let place = name.split_once("://").map_or(name, |(_, rest)| rest);
    let host = place.split('/').next().unwrap_or(place);
    let is_at =
        |known: &&str| host == *known || host.ends_with(&format!(".{known}")) || place.starts_with(known);
    name.contains('@') || NEVER.iter().any(is_at)
}

/// Number of packages with an item; the last package is remembered so that it counts once, however many of its
/// files have the item.
type Seen<T> = HashMap<T, (u8, u32)>;

fn main() {
    let mut words = std::env::args().skip(1);
    let out = PathBuf::from(words.next().expect("a folder for the tables"));
    let is_half = words.next().is_some_and(|word| word == "even");
    let folders: Vec<PathBuf> = words.map(PathBuf::from).collect();
    let by_name = packages::by_name(&folders, |owner| !is_half || packages::number(owner).is_multiple_of(2));
    let (mut windows, mut names): (Seen<u64>, Seen<String>) = Default::default();
    for file in by_name.values().flatten().filter(|file| packages::is_page(file)) {
        let text = read(file);
        each_window(&text, |print, _| {
            windows.entry(print).or_insert((0, u32::MAX));
        });
        let lines = text.lines().filter(|line| line.split_whitespace().count() >= 3);
        for atom in lines.flat_map(doorward_flows::names_in).filter(|name| !is_left_out(name)) {
            names.entry(atom.to_owned()).or_insert((0, u32::MAX));
        }
    }
    for (package, files) in (0..).zip(by_name.values()) {
        for file in files {
            let text = read(file);
            each_window(&text, |print, _| count(windows.get_mut(&print), package));
            for name in doorward_flows::names_in(&text) {
                count(names.get_mut(name), package);
            }
        }
    }
    windows.retain(|_, (packages, _)| *packages >= PACKAGES);
    let common: HashSet<u64> = windows.into_keys().collect();
    let runs = runs(by_name.values().flatten().filter(|file| packages::is_page(file)), &common);
    std::fs::write(out.join("common_text.txt"), runs).expect("the table of text");
    let names: BTreeSet<String> =
        names.into_iter().filter(|(_, (packages, _))| *packages >= PACKAGES).map(|(name, _)| name).collect();
    let lines: String = names.iter().map(|name| format!("{name}\n")).collect();
    std::fs::write(out.join("common_names.txt"), lines).expect("the table of names");
    println!("{} packages, {} windows, {} names", by_name.len(), common.len(), names.len());
}

fn count(seen: Option<&mut (u8, u32)>, package: u32) {
    if let Some((packages, last)) = seen
        && *last != package
    {
        (*packages, *last) = (packages.saturating_add(1), package);
    }
}

fn read(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text[..text.floor_char_boundary(MOST)].to_owned()
}

/// Calls `visit` with each window of the normalised text, and the positions of its first and last byte in the text.
fn each_window(text: &str, mut visit: impl FnMut(u64, (usize, usize))) {
    let (bytes, places): (Vec<u8>, Vec<usize>) = text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| byte.is_ascii_alphanumeric() || *byte >= 0x80)
        .map(|(at, byte)| (byte.to_ascii_lowercase(), at))
        .unzip();
    for (at, window) in bytes.windows(WINDOW).enumerate() {
        let mut hasher = DefaultHasher::new();
        window.hash(&mut hasher);
        visit(hasher.finish(), (places[at], places[at + WINDOW - 1]));
    }
}

/// The longest runs of common windows, each window once, one run per line; runs that act or give orders are left
/// out.
fn runs<'a>(files: impl Iterator<Item = &'a PathBuf>, common: &HashSet<u64>) -> String {
    let (mut written, mut lines) = (HashSet::new(), BTreeMap::new());
    for file in files {
        let text = read(file);
        let mut open: Option<(usize, usize)> = None;
        let mut end = |open: &mut Option<(usize, usize)>| {
            if let Some((from, to)) = open.take() {
                let run = text.get(from..=to).unwrap_or_default();
                let run = run.split_whitespace().collect::<Vec<_>>().join(" ");
                lines.entry(run.to_lowercase()).or_insert(run);
            }
        };
        each_window(&text, |print, (from, to)| {
            if common.contains(&print) && written.insert(print) {
                open = Some((open.map_or(from, |(from, _)| from), to));
            } else {
                end(&mut open);
            }
        });
        end(&mut open);
    }
    let table = Table::shipped().expect("the table of flows");
    let is_inert = |line: &String| !table.commands(line) && !table.instructs(line);
    lines.into_values().filter(is_inert).map(|line| line + "\n").collect()
}
