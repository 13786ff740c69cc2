//! For tests that need something a machine may not have: a program, a right, rows that aren't in the tree.
//!
//! A test that lacks something passes without having shown anything, so it says so: [`lacking!`] prints a line and
//! appends it to the file that `DOORWARD_LACKING` names. `cargo xtask test` sets that variable, lists the lines at the
//! end, and fails on them where `DOORWARD_REQUIRE=all`.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

/// The variable that names the file.
pub const FILE: &str = "DOORWARD_LACKING";

/// What is lacking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A program, a package, a right of the system.
    Tool,
    /// Development rows that lie outside the tree. The suite is complete without them.
    Rows,
}

/// Says that a test, or a part of one, can't run here. Use [`lacking!`] and [`no_rows!`], which name the place.
#[doc(hidden)]
pub fn say(kind: Kind, place: &str, what: &str) {
    eprintln!("SKIPPED {place}: {what}");
    let Some(file) = std::env::var_os(FILE) else { return };
    let word = match kind {
        Kind::Tool => "tool",
        Kind::Rows => "rows",
    };
    let line = format!("{word}\t{place}\t{}\n", what.replace(['\n', '\t'], " "));
    // One write of one short line: tests of several processes append at once.
    if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(file) {
        let _ = file.write_all(line.as_bytes());
    }
}

/// Says which program or right of the system is lacking, as `format!` would.
#[macro_export]
macro_rules! lacking {
    ($($text:tt)*) => {
        $crate::say($crate::Kind::Tool, concat!(module_path!(), ":", line!()), &format!($($text)*))
    };
}

/// Says which rows outside the tree are lacking, as `format!` would.
#[macro_export]
macro_rules! no_rows {
    ($($text:tt)*) => {
        $crate::say($crate::Kind::Rows, concat!(module_path!(), ":", line!()), &format!($($text)*))
    };
}

/// A file or folder of development data below the folder that `DOORWARD_DATA` names. Use [`data!`], which names the place.
#[doc(hidden)]
#[must_use]
pub fn below_data(place: &str, name: &str) -> Option<PathBuf> {
    let found = std::env::var_os("DOORWARD_DATA").map(|folder| PathBuf::from(folder).join(name));
    match found {
        Some(path) if path.exists() => return Some(path),
        Some(path) => say(Kind::Rows, place, &format!("no {}", path.display())),
        None => say(Kind::Rows, place, &format!("no {name}: DOORWARD_DATA isn't set")),
    }
    None
}

/// The path of development data by its name below the folder that `DOORWARD_DATA` names, or nothing and a line that says
/// so.
#[macro_export]
macro_rules! data {
    ($name:expr) => {
        $crate::below_data(concat!(module_path!(), ":", line!()), $name)
    };
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_are_kept_where_they_are_asked_for() {
        // The variable is this process's own: a child with it set says what it lacks.
        let file = std::env::temp_dir().join(format!("doorward-needs-{}", std::process::id()));
        if std::env::var_os("DOORWARD_NEEDS_CHILD").is_some() {
            crate::lacking!("a {} of the moon", "map");
            return;
        }
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::lines_are_kept_where_they_are_asked_for"])
            .envs([("DOORWARD_NEEDS_CHILD", "1".as_ref()), (crate::FILE, file.as_os_str())])
            .output()
            .unwrap();
        assert!(child.status.success());
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(text.starts_with("tool\tdoorward_needs::tests:"), "{text}");
        assert!(text.ends_with("\ta map of the moon\n"), "{text}");
    }
}
