//! For tests that need something a machine may not have: a program, a permission, rows outside the tree.
//!
//! A test that lacks something passes without having tested anything, so it must report that: [`lacking!`] prints a
//! line and appends it to the file named by `DOORWARD_LACKING`. `cargo xtask test` sets that variable, lists the
//! lines at the end, and fails on them if `DOORWARD_REQUIRE=all`.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

/// The variable that names the file.
pub const FILE: &str = "DOORWARD_LACKING";

/// What is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A program, a package, a permission.
    Tool,
    /// Development rows outside the tree. The suite is complete without them.
    Rows,
}

/// Reports that a test, or a part of one, can't run here. Use [`lacking!`] and [`no_rows!`], which add the source
/// position.
#[doc(hidden)]
pub fn say(kind: Kind, place: &str, what: &str) {
    eprintln!("SKIPPED {place}: {what}");
    let Some(file) = std::env::var_os(FILE) else { return };
    let word = match kind {
        Kind::Tool => "tool",
        Kind::Rows => "rows",
    };
    let line = format!("{word}\t{place}\t{}\n", what.replace(['\n', '\t'], " "));
    // A single write of one short line, because tests of several processes append at once.
    if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(file) {
        let _ = file.write_all(line.as_bytes());
    }
}

/// Reports which program or permission is missing; arguments as for `format!`.
#[macro_export]
macro_rules! lacking {
    ($($text:tt)*) => {
        $crate::say($crate::Kind::Tool, concat!(module_path!(), ":", line!()), &format!($($text)*))
    };
}

/// Reports which rows outside the tree are missing; arguments as for `format!`.
#[macro_export]
macro_rules! no_rows {
    ($($text:tt)*) => {
        $crate::say($crate::Kind::Rows, concat!(module_path!(), ":", line!()), &format!($($text)*))
    };
}

/// A file or folder of development data in the folder named by `DOORWARD_DATA`. Use [`data!`], which adds the
/// source position.
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

/// The path of development data in the folder named by `DOORWARD_DATA`; `None`, after a report, if it is missing.
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
        // The variable is set for a child process only, which then reports what it lacks.
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
