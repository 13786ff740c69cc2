//! `docs/conformance.md`, as the suite found it.

use std::fmt::Write as _;

use super::Cell;
use super::requirements::Requirement;
use super::ways::{WAYS, docs};

const HEAD: &str = "# Conformance\n\n\
What the mission demands, and on which ways in it holds. Written by `cargo xtask conformance`, which drives every cell through the\n\
built programs: the settings and the call that must end one way, and a neighbour that must end otherwise (`crates/cli/tests/it/conformance/`\n\
has both, word for word). ✓ holds; a number is the reason why there is nothing to ask.\n\n";

/// Writes the page where it is asked for, or says that it isn't what was found.
pub fn keep(rows: &[(&Requirement, Vec<Cell>)]) {
    if ["DOORWARD_REQUIREMENT", "DOORWARD_WAY"].iter().any(|name| std::env::var_os(name).is_some()) {
        return;
    }
    let made = page(rows);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(docs(), &made).unwrap();
    }
    let kept = std::fs::read_to_string(docs()).unwrap_or_default();
    assert!(kept == made, "docs/conformance.md isn't what was found: run `cargo xtask conformance`");
}

/// Writes the page to the file that `DOORWARD_CONFORMANCE_PAGE` names, also where cells fail: for laying two releases
/// side by side.
pub fn write_where_asked(rows: &[(&Requirement, Vec<Cell>)]) {
    if let Some(file) = std::env::var_os("DOORWARD_CONFORMANCE_PAGE") {
        std::fs::write(file, page(rows)).unwrap();
    }
}

fn page(rows: &[(&Requirement, Vec<Cell>)]) -> String {
    let mut reasons: Vec<&str> = Vec::new();
    let mut out = HEAD.to_owned();
    let names: Vec<&str> = WAYS.iter().map(|way| way.name).collect();
    writeln!(out, "| requirement | {} |", names.join(" | ")).unwrap();
    writeln!(out, "|---|{}", "---|".repeat(WAYS.len())).unwrap();
    for (requirement, cells) in rows {
        write!(out, "| {} |", requirement.name).unwrap();
        for cell in cells {
            let shown = match cell {
                Cell::Holds => "✓".to_owned(),
                Cell::Fails(_) => "✗".to_owned(),
                Cell::DoesNotApply(why) => {
                    let at = reasons.iter().position(|known| known == why).unwrap_or_else(|| {
                        reasons.push(why);
                        reasons.len() - 1
                    });
                    (at + 1).to_string()
                }
            };
            write!(out, " {shown} |").unwrap();
        }
        out.push('\n');
    }
    out.push('\n');
    for (at, why) in reasons.iter().enumerate() {
        writeln!(out, "{}. {why}", at + 1).unwrap();
    }
    out.push_str("\n## Where each demand comes from\n\n");
    for (requirement, _) in rows {
        writeln!(out, "* {}: {}", requirement.name, requirement.source).unwrap();
    }
    out
}
