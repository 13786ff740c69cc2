//! Checks the table of floors in ARCHITECTURE.md: a crate uses only crates of lower floors, and the service and the
//! command line use the library alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Rooms that the command line uses itself, beside the library, with the reason.
const BESIDE_THE_LIBRARY: &[(&str, &str)] = &[
    (
        "guardian",
        "`doorward guardian` tries a model, and `doorward experiences` edits its notes, without a service",
    ),
    ("hooks", "the installer, the thin hook and `doorward exec` are part of this binary"),
    ("lab", "`doorward eval` and `doorward explore` run experiments, not the service"),
    ("ledger", "`doorward audit` checks a log offline, also one of a service that doesn't start"),
    ("net", "`doorward net` tests addresses and runs a proxy of its own"),
    ("paths", "files that the user names on the command line are read within bounds"),
    ("sandbox", "`doorward run` without a service, `guard` and `doctor` hold the sandbox themselves"),
    ("secrets", "`doorward scan` is the scanner"),
    ("server", "`doorward serve` starts it"),
];

/// Crates that aren't part of the product: stand-ins, needs and checks of tests.
const OF_TESTS: &[&str] = &["fuzzing", "needs", "testing"];

/// Floor by room, from the table in ARCHITECTURE.md.
fn floors() -> BTreeMap<String, u8> {
    let text = std::fs::read_to_string(super::root().join("ARCHITECTURE.md")).unwrap();
    let (_, table) = text.split_once("\n## Floors\n").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap_or((table, ""));
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let floor = cells.next()?.parse().ok()?;
        Some((cells.next()?.trim_matches('`').to_owned(), floor))
    };
    table.lines().filter_map(row).collect()
}

/// The room that has a folder of its own, beside what it reads.
const KNOWLEDGE: &str = "knowledge";

fn folder(room: &str) -> std::path::PathBuf {
    let root = super::root();
    if room == KNOWLEDGE { root.join(room) } else { root.join("crates").join(room) }
}

/// Rooms that a crate names in the sections of its manifest that `wanted` takes.
fn uses(room: &str, wanted: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder(room).join("Cargo.toml")).unwrap();
    let mut section = "";
    let mut used = BTreeSet::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        }
        let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
        let own = if name == "doorward" { Some(name) } else { name.strip_prefix("doorward-") };
        used.extend(own.filter(|_| wanted(section)).map(str::to_owned));
    }
    used.retain(|used| !OF_TESTS.contains(&used.as_str()));
    used
}

fn is_dependencies(section: &str) -> bool {
    section.ends_with("dependencies")
}

#[test]
fn a_room_uses_only_rooms_below_it() {
    let floors = floors();
    assert!(floors.len() > 15, "{floors:?}");
    let folders = std::fs::read_dir(super::root().join("crates")).unwrap();
    let mut rooms: BTreeSet<String> =
        folders.map(|item| item.unwrap().file_name().into_string().unwrap()).collect();
    rooms.insert(KNOWLEDGE.to_owned());
    for room in rooms.iter().filter(|room| !OF_TESTS.contains(&room.as_str())) {
        let own =
            floors.get(room).unwrap_or_else(|| panic!("{room} is not in ARCHITECTURE.md's table of floors"));
        for used in uses(room, |section| is_dependencies(section) && !section.contains("dev-")) {
            let below = floors.get(&used).unwrap_or_else(|| panic!("{room} uses {used}, which has no floor"));
            assert!(below < own, "{room} (floor {own}) uses {used} (floor {below})");
        }
    }
    let missing: Vec<&String> = floors.keys().filter(|room| !rooms.contains(*room)).collect();
    assert!(missing.is_empty(), "in the table, but there is no such crate: {missing:?}");
}

#[test]
fn the_service_and_the_command_line_speak_to_the_library_alone() {
    let library = BTreeSet::from(["doorward".to_owned()]);
    assert_eq!(uses("server", is_dependencies), library, "take it from `doorward::rooms`");
    let listed: BTreeSet<String> = BESIDE_THE_LIBRARY.iter().map(|(room, _)| (*room).to_owned()).collect();
    let beside: BTreeSet<String> = uses("cli", is_dependencies).difference(&library).cloned().collect();
    assert_eq!(beside, listed, "take it from `doorward::rooms`, or give a reason here");
    // A manifest may name what nobody uses any more: then the exception is one too many.
    let sources = sources(&super::root().join("crates/cli"));
    for (room, _) in BESIDE_THE_LIBRARY {
        assert!(sources.contains(&format!("doorward_{room}::")), "nothing uses {room} any more");
    }
}

fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for item in std::fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &std::fs::read_to_string(path).unwrap();
        }
    }
    text
}
