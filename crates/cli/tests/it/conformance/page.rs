//! `docs/conformance.md`, as the suite found it.

use std::fmt::Write as _;

use super::rows::{End, Off, ROWS, Row, named_settings};
use super::ways::WAYS;
use super::{Cell, Cells};

const HEAD: &str = "# Conformance\n\n\
What the four seeds demand, sentence by sentence, and on which ways in it holds. Written by `cargo xtask conformance`, which drives\n\
every cell through the built programs; the rows are `crates/cli/tests/it/conformance/rows/*.txt`, word for word.\n\n\
✓ holds; a number is the reason why there is nothing to ask. A cell of a coding agent is what its hook tells the client, and where\n\
that is nothing, what the record says; the real clients are driven by `crates/cli/tests/attack/clients.rs` (Claude Code, Codex) and\n\
`bindings/python/tests` (OpenHands), all others by the contract that their makers document. `cargo xtask conformance --mutate`\n\
switches the feature of each row off, as the last column says, and fails for every cell that is met all the same.\n\n\
[mission.md](mission.md) leads from every sentence to its page and tests, also where it isn't a matter of ways in.\n\n";

/// Writes the page where it is asked for, or says that it isn't what was found.
pub fn keep(cells: &Cells) {
    if ["DOORWARD_REQUIREMENT", "DOORWARD_WAY"].iter().any(|name| std::env::var_os(name).is_some()) {
        return;
    }
    let made = page(cells);
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/conformance.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(docs, &made).unwrap();
    }
    let kept = std::fs::read_to_string(docs).unwrap_or_default();
    assert!(kept == made, "docs/conformance.md isn't what was found: run `cargo xtask conformance`");
}

/// Writes the page to the file that `DOORWARD_CONFORMANCE_PAGE` names, also where cells fail: for laying two releases
/// side by side.
pub fn write_where_asked(cells: &Cells) {
    if let Some(file) = std::env::var_os("DOORWARD_CONFORMANCE_PAGE") {
        std::fs::write(file, page(cells)).unwrap();
    }
}

fn page(cells: &Cells) -> String {
    let mut reasons: Vec<&str> = Vec::new();
    let mut out = HEAD.to_owned();
    let names: Vec<&str> = WAYS.iter().map(|way| way.name).collect();
    let mut place = "";
    for ((at, _), found) in cells.iter().filter(|((_, off), _)| !off) {
        let row = &ROWS[*at];
        if row.place != place {
            place = &row.place;
            writeln!(out, "\n## {place}\n\n| it says | the call | {} | without it |", names.join(" | "))
                .unwrap();
            writeln!(out, "|---|---|{}---|", "---|".repeat(WAYS.len())).unwrap();
        }
        write!(out, "| {} | {} |", row.says, told(row)).unwrap();
        for cell in found {
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
        let off = match &row.off {
            Off::Settings(under) => format!("settings: {}", under.names),
            Off::Neighbour(call) => format!("`{}`", call.text),
        };
        writeln!(out, " {} |", off.replace('|', "&#124;")).unwrap();
    }
    out.push_str("\n## Reasons\n\n");
    for (at, why) in reasons.iter().enumerate() {
        writeln!(out, "{}. {why}", at + 1).unwrap();
    }
    out.push_str("\n## Settings\n\n`NAME@ANSWER` is with a model or an engine that answers so.\n\n");
    for (name, text) in named_settings() {
        writeln!(out, "* {name}: `{text}`").unwrap();
    }
    out
}

/// The call with its mode and settings, and what must become of it.
fn told(row: &Row) -> String {
    let label = row.call.label.as_ref().map(|label| format!(" labelled {label}")).unwrap_or_default();
    let under = if row.under.names == "-" { String::new() } else { format!(", {}", row.under.names) };
    let end = match row.must.end {
        End::Runs => "runs",
        End::Asked => "is asked about",
        End::Refused => "is refused",
    };
    let code = if row.must.code.is_empty() { String::new() } else { format!(" ({})", row.must.code) };
    format!("`{}`{label} in {}{under} {end}{code}", row.call.text, row.mode).replace('|', "&#124;")
}
