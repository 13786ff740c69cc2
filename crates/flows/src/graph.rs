//! Renders a session as text: where data came from, what each turn did with it, where it went.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::memory::Memory;
use crate::table::{Table, TableError};

/// The session as lines of text, one fact per line, by turn; flows are listed under the turn that completed them.
///
/// # Errors
/// [`TableError`] if the built-in table can't be read.
pub fn drawn(memory: &Memory) -> Result<String, TableError> {
    let table = Table::shipped()?;
    let mut turns: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for (kind, events) in &memory.events {
        for event in events {
            let object = event.objects.first().map_or("", |object| object);
            let more = event.objects.len().saturating_sub(1);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            turns.entry(event.turn).or_default().push(format!("{}{more}", table.phrase(*kind, object)));
        }
    }
    let mut out = String::new();
    for (turn, facts) in &turns {
        for (at, fact) in facts.iter().enumerate() {
            let head = if at == 0 { format!("turn {turn}") } else { String::new() };
            let _ = writeln!(out, "{head:>10}  {fact}");
        }
        for flow in memory.flows.iter().filter(|flow| flow.turn == *turn) {
            for (from, what) in &flow.path {
                let _ = writeln!(out, "{:>10}  ┌─ turn {from}: {what}", "");
            }
            let _ = writeln!(out, "{:>10}  └▶ {} [{}]", "", flow.says, flow.rule);
        }
    }
    if !memory.marks.is_empty() {
        let _ = writeln!(out, "\nfiles that hold values of a source");
    }
    for (path, sources) in &memory.marks {
        let from: Vec<&str> = sources
            .iter()
            .filter_map(|source| memory.values.source(*source))
            .map(|source| source.from.as_str())
            .collect();
        let _ = writeln!(out, "{:>10}  {path} ◀ {}", "", from.join(", "));
    }
    if memory.values.full {
        let _ = writeln!(out, "\nThe memory was full: the oldest of other people's texts were forgotten.");
    }
    Ok(out)
}
