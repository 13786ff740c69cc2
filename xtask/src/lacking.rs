//! What the tests of a run lacked: counted, listed, and under `DOORWARD_REQUIRE=all` a failure.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The variable that tests append to the file of, see `crates/needs`.
pub(crate) const FILE: &str = "DOORWARD_LACKING";

/// What a machine may lack even where everything is required, by words of the line, each with its reason.
const EXCUSED: &[(&str, &str)] = &[
    ("node-llama-cpp", "a local model is some gigabytes that no registry of packages holds"),
    ("node ≥ 22.21", "the proxy variables of Node need a newer one than systems ship"),
    ("this user may enter every folder", "whoever runs the suite as root, so that it can make users, may"),
    ("too slow for a model", "the machine's speed is no fault of the tree"),
];

/// The lines of one run.
pub(crate) struct Lacking {
    file: PathBuf,
}

impl Lacking {
    /// A new run: what an earlier one left is removed.
    pub(crate) fn new(folder: &Path) -> Self {
        let file = folder.join("lacking.txt");
        let _ = std::fs::remove_file(&file);
        Self { file }
    }

    /// The file that the tests append to.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Lists what was lacking.
    ///
    /// # Errors
    /// Under `required`, how much of it nothing excuses.
    pub(crate) fn tell(&self, required: bool) -> Result<(), String> {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        let lines = counted(&text);
        if lines.is_empty() {
            eprintln!("xtask: every test had what it needs");
            return Ok(());
        }
        eprintln!("xtask: these tests lacked something and showed nothing:");
        for (line, count) in &lines {
            let why = line.excuse().map_or_else(String::new, |why| format!(" (excused: {why})"));
            let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
            eprintln!("  {:4} {}: {}{times}{why}", line.kind, line.place, line.what);
        }
        let missing = lines.keys().filter(|line| line.excuse().is_none()).count();
        match required && missing > 0 {
            true => Err(format!("{missing} tests lacked something, and DOORWARD_REQUIRE=all forbids that")),
            false => Ok(()),
        }
    }
}

/// Notes what a suite outside cargo lacked.
///
/// # Errors
/// When the file can't be written, so that nothing is lost.
pub(crate) fn note(file: &Path, place: &str, what: &str) -> Result<(), String> {
    use std::io::Write as _;
    eprintln!("SKIPPED {place}: {what}");
    let line = format!("tool\t{place}\t{}\n", what.replace(['\n', '\t'], " "));
    let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
    opened
        .and_then(|mut opened| opened.write_all(line.as_bytes()))
        .map_err(|error| format!("{}: {error}", file.display()))
}

/// One lack.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    kind: String,
    place: String,
    what: String,
}

impl Line {
    /// Why it is no failure: rows outside the tree add to a suite that is complete without them.
    fn excuse(&self) -> Option<&'static str> {
        if self.kind == "rows" {
            return Some("rows outside the tree");
        }
        EXCUSED.iter().find(|(words, _)| self.what.contains(words)).map(|(_, why)| *why)
    }
}

fn counted(text: &str) -> BTreeMap<Line, usize> {
    let mut lines = BTreeMap::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, '\t').map(str::to_owned);
        if let (Some(kind), Some(place), Some(what)) = (parts.next(), parts.next(), parts.next()) {
            *lines.entry(Line { kind, place, what }).or_default() += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Lacking, counted};

    #[test]
    fn what_is_lacking_is_counted_and_fails_where_everything_is_required() {
        let folder = std::env::temp_dir().join(format!("doorward-xtask-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let lacking = Lacking::new(&folder);
        assert!(lacking.tell(true).is_ok());
        std::fs::write(lacking.file(), "rows\ta:1\tno rows\ntool\tb:2\tnode-llama-cpp isn't there\n")
            .unwrap();
        assert!(lacking.tell(true).is_ok(), "both are excused");
        std::fs::write(lacking.file(), "tool\tc:3\tno PostgreSQL\ntool\tc:3\tno PostgreSQL\n").unwrap();
        assert!(lacking.tell(false).is_ok());
        assert!(lacking.tell(true).is_err());
        assert_eq!(counted("tool\tc\tx\ntool\tc\tx\n").into_values().collect::<Vec<_>>(), [2]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
