//! Which suites a run of `cargo xtask test` has: everything, a lane, or one room.

use std::process::Command;

use super::pool::Suite;
use super::programs::{Selection, documentation, has_library, rooms};
use super::{root, tools_dir};

/// A part of the tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Every test.
    All,
    /// No system packages, no clients, no installs, and nothing that takes long.
    Quick,
    /// Every way in, through the built programs, without the clients of others.
    Ways,
    /// The clients of others: agents, frameworks, browsers, conformance suites.
    Clients,
    /// One room.
    Room(String),
}

/// Suites that start clients of others, or need what only installs give: a room, or the beginning of a suite's name.
const CLIENTS: &[&str] = &[
    "cli agents_bound",
    "cli attack",
    "cli claude_code",
    "cli codex_trust",
    "cli mcp_http::agents",
    "cli mcp_http::clients",
    "cli mcp_http::conformance",
    "console",
    "net real_clients",
    "python",
    "typescript",
];

/// Rooms whose integration tests are ways in.
const WAYS: &[&str] = &["cli", "hooks", "server"];

/// Suites that `quick` leaves to the others, because they take long; unit tests of these rooms it has.
const LONG: &[&str] = &["cli", "documentation"];

/// Suites that start first, the longest one first: a long one that starts last runs alone for most of its time.
const FIRST: &[&str] = &["cli attack", "cli conformance", "console", "python", "documentation"];

/// Suites that drive a client at a terminal or in a browser. All others give way to them.
const HURRIED: &[&str] = &[
    "cli agents_bound",
    "cli attack agents",
    "cli claude_code",
    "cli codex_trust",
    "cli mcp_http::agents",
    "console",
];

/// Suites that measure time or memory, so that nothing else may run beside them.
const ALONE: &[&str] = &["cli shared_store", "flows cost", "sandbox units", "secrets cost"];

/// Folders with npm packages, by room.
const NPM: &[(&str, &str)] = &[("console", "console"), ("typescript", "bindings/typescript")];

impl Lane {
    /// The lane or room of this name.
    ///
    /// # Errors
    /// Which names there are.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let mut rooms = rooms();
        rooms.extend(NPM.iter().map(|(room, _)| (*room).to_owned()));
        match name {
            "quick" => Ok(Self::Quick),
            "ways" => Ok(Self::Ways),
            "clients" => Ok(Self::Clients),
            _ if rooms.iter().any(|room| room == name) => Ok(Self::Room(name.to_owned())),
            _ => Err(format!(
                "no lane or room {name:?}\nlanes: quick, ways, clients (without a name: everything)\nrooms: {}",
                rooms.join(", ")
            )),
        }
    }

    /// Whether what `cargo xtask tools` installs is wanted.
    pub(crate) fn installs(&self) -> bool {
        !matches!(self, Self::Quick | Self::Ways)
    }

    /// What cargo has to build; nothing for rooms without Rust.
    pub(crate) fn selection(&self) -> Selection {
        match self {
            Self::Room(room) if NPM.iter().any(|(npm, _)| npm == room) => Selection::of("cli"),
            Self::Room(room) => Selection::of(room),
            _ => Selection::Workspace,
        }
    }

    fn has(&self, suite: &Suite) -> bool {
        let is = |names: &[&str]| names.iter().any(|name| is_of(suite, name));
        match self {
            Self::All => true,
            Self::Quick => !is(CLIENTS) && (!is(LONG) || is_units(suite)),
            Self::Ways => is(WAYS) && !is(CLIENTS) && !is_units(suite),
            Self::Clients => is(CLIENTS),
            Self::Room(room) => suite.room() == room,
        }
    }

    /// The suites of this lane among these of Rust and those beside them: those that run side by side, the long ones
    /// first, and those that run alone.
    pub(crate) fn of(&self, built: Vec<Suite>, filters: &[&str]) -> (Vec<Suite>, Vec<Suite>) {
        let mut suites = built;
        suites.extend(NPM.iter().map(|(room, folder)| npm(room, folder)));
        match self {
            Self::Room(room) if has_library(room) => suites.push(documentation(&self.selection(), room)),
            Self::Room(_) => {}
            _ => suites.push(documentation(&self.selection(), "all")),
        }
        suites.retain(|suite| self.has(suite));
        for suite in &mut suites {
            suite.hurried = HURRIED.iter().any(|name| is_of(suite, name));
        }
        let mut suites: Vec<Suite> =
            suites.into_iter().filter_map(|suite| filtered(suite, filters)).collect();
        suites.sort_by_key(|suite| FIRST.iter().position(|name| is_of(suite, name)).unwrap_or(FIRST.len()));
        suites.into_iter().partition(|suite| !ALONE.iter().any(|name| is_of(suite, name)))
    }
}

/// Whether these are the unit tests of a library or a binary.
fn is_units(suite: &Suite) -> bool {
    suite.name.split(' ').nth(1) == Some("units")
}

/// Whether a name of the tables above means this suite.
fn is_of(suite: &Suite, name: &str) -> bool {
    let rest = suite.name.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':']))
        || suite.name.split_once(' ').is_some_and(|(_, own)| own == name)
}

/// The tests of a suite whose names have one of these words in them; all of a suite that is called so itself.
fn filtered(mut suite: Suite, filters: &[&str]) -> Option<Suite> {
    let has = |text: &str| filters.is_empty() || filters.iter().any(|filter| text.contains(filter));
    if has(&suite.name) {
        return Some(suite);
    }
    suite.tests.retain(|test| has(test));
    (!suite.tests.is_empty()).then_some(suite)
}

/// The tests of a folder with npm packages, against the built binary. Of the console: its build compared with the
/// committed one, the service's rules from outside, its API against its document, and the console in a real browser. Of
/// Node's client: calls, approvals and an agent over the socket and HTTP. Each says loudly what it lacks.
fn npm(room: &str, folder: &str) -> Suite {
    let npm = |words: &[&str]| {
        let mut npm = Command::new("npm");
        npm.args(words).current_dir(root().join(folder));
        npm
    };
    let mut test = npm(&["test"]);
    test.env("DOORWARD", tools_dir().with_file_name("debug").join("doorward"));
    let mut suite = Suite::new(room, "npm", test);
    suite.prepare = Some(npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]));
    suite
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(room: &str, name: &str, tests: &[&str]) -> Suite {
        Suite::new(room, name, Command::new("true"))
            .with(tests.iter().map(|test| (*test).to_owned()).collect())
    }

    fn names(lane: &Lane, filters: &[&str]) -> (Vec<String>, Vec<String>) {
        let built = vec![
            suite("cli", "mcp", &["mcp::a"]),
            suite("cli", "mcp_http::agents", &["mcp_http::agents::a"]),
            suite("cli", "attack", &[]),
            suite("cli", "units of doorward", &["a"]),
            suite("flows", "cost", &["cost::a_flood"]),
            suite("shell", "units", &["words::a_flood", "words::b"]),
        ];
        let names = |suites: Vec<Suite>| {
            suites.iter().map(|suite| format!("{} {}", suite.name, suite.tests.len())).collect::<Vec<_>>()
        };
        let (together, alone) = lane.of(built, filters);
        (names(together), names(alone))
    }

    #[test]
    fn every_lane_has_its_suites_and_all_has_every_one() {
        let (together, alone) = names(&Lane::All, &[]);
        assert_eq!(together.len() + alone.len(), 6 + NPM.len() + 1);
        assert_eq!(together[..2], ["cli attack 0", "console npm 0"], "the long ones first");
        assert_eq!(alone, ["flows cost 1"]);
        assert_eq!(names(&Lane::Quick, &[]).0, ["cli units of doorward 1", "shell units 2"]);
        assert_eq!(names(&Lane::Ways, &[]).0, ["cli mcp 1"]);
        let clients = ["cli attack 0", "console npm 0", "cli mcp_http::agents 1", "typescript npm 0"];
        assert_eq!(names(&Lane::Clients, &[]).0, clients);
        let shell = Lane::named("shell").unwrap();
        assert_eq!(names(&shell, &[]).0, ["shell documentation 0", "shell units 2"]);
        assert_eq!(names(&shell, &["a_flood"]).0, ["shell units 1"]);
        let error = Lane::named("shel").unwrap_err();
        assert!(error.contains("quick, ways, clients") && error.contains("shell"), "{error}");
    }
}
