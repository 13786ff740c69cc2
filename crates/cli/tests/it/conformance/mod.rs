//! The mission's demands, each on every way in, through the built programs on real input. `docs/conformance.md` is
//! written by it (`cargo xtask conformance`, or `UPDATE_DOCS=1`).
//!
//! Each row is also tried with its feature switched off (`rows.rs`). A cell that is met then as well can't fail, and is
//! named. `cargo xtask conformance --mutate` tries all rows so, every other run a sample.

mod foreign;
mod hooks;
#[path = "../support/judge.rs"]
mod judge;
mod page;
mod rows;
mod ways;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;

use rows::{Call, Off, ROWS, Row, Under};
use ways::{AskedCall, Ground, WAYS, Way};

/// How one cell ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// What must happen happened.
    Holds,
    /// The way in has no such call.
    DoesNotApply(String),
    /// What came instead.
    Fails(String),
}

/// One row's call under settings of one ground.
struct RowTrial {
    row: usize,
    call: Call,
    /// Tried with the feature switched off.
    off: bool,
}

/// What is tried under one set of settings in one mode.
struct Group {
    under: Under,
    mode: String,
    trials: Vec<RowTrial>,
}

/// Cells by row, then by whether the feature was switched off.
type Cells = BTreeMap<(usize, bool), Vec<Cell>>;

/// How many services are asked at once.
const AT_ONCE: usize = 4;
/// One row of so many is tried with its feature switched off, unless all are.
const SAMPLED: usize = 8;

#[test]
fn every_demand_holds_on_every_way_in_and_none_without_its_feature() {
    let queue = Mutex::new(groups());
    let cells: Mutex<Cells> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().pop();
                    let Some(group) = next else { return };
                    let found = tried(&group);
                    // For whoever watches a long run with --nocapture.
                    eprint!("{}", told_wrong(&found));
                    cells.lock().unwrap().extend(found);
                }
            });
        }
    });
    let cells = cells.into_inner().unwrap();
    let wrong = told_wrong(&cells);
    page::write_where_asked(&cells);
    assert!(wrong.is_empty(), "{wrong}");
    page::keep(&cells);
}

/// What failed, and what can't fail.
fn told_wrong(cells: &Cells) -> String {
    let mut wrong = String::new();
    for ((at, off), found) in cells {
        let row = &ROWS[*at];
        for (way, cell) in WAYS.iter().zip(found) {
            let what = format!("{}: {} by {}", row.place, row.says, way.name);
            match cell {
                Cell::Fails(why) if !off => writeln!(wrong, "{what}:\n  {why}").unwrap(),
                Cell::Holds if *off => writeln!(wrong, "{what}: stays green without its feature").unwrap(),
                _ => {}
            }
        }
    }
    wrong
}

/// The rows whose place or text holds the words of `DOORWARD_REQUIREMENT`, or all, by their settings and mode.
fn groups() -> Vec<Group> {
    let wanted = std::env::var("DOORWARD_REQUIREMENT").unwrap_or_default();
    let all = std::env::var_os("DOORWARD_MUTATE").is_some();
    let mut groups: Vec<Group> = Vec::new();
    let mut add = |under: &Under, mode: &str, trial: RowTrial| {
        let same = |group: &&mut Group| group.under.names == under.names && group.mode == mode;
        match groups.iter_mut().find(same) {
            Some(group) => group.trials.push(trial),
            None => {
                groups.push(Group { under: under.clone(), mode: mode.to_owned(), trials: vec![trial] });
            }
        }
    };
    for (row_at, row) in ROWS.iter().enumerate() {
        if !format!("{} {}", row.place, row.says).contains(&wanted) {
            continue;
        }
        add(&row.under, &row.mode, RowTrial { row: row_at, call: row.call.clone(), off: false });
        if !all && row_at % SAMPLED != 0 {
            continue;
        }
        match &row.off {
            Off::Settings(under) => {
                add(under, &row.mode, RowTrial { row: row_at, call: row.call.clone(), off: true });
            }
            Off::Neighbour(call) => {
                add(&row.under, &row.mode, RowTrial { row: row_at, call: call.clone(), off: true });
            }
        }
    }
    groups
}

/// Every way in, for each trial of a group.
fn tried(group: &Group) -> Cells {
    let ground = Ground::new(&group.under, &group.mode);
    let cells = |trial: &RowTrial| {
        let row = &ROWS[trial.row];
        WAYS.iter().enumerate().map(|(at, way)| cell(way, &ground, row, trial, at)).collect::<Vec<_>>()
    };
    group.trials.iter().map(|trial| ((trial.row, trial.off), cells(trial))).collect()
}

fn cell(way: &Way, ground: &Ground, row: &Row, trial: &RowTrial, at: usize) -> Cell {
    // For work on one way in: `DOORWARD_WAY` names it, and no page is compared then.
    if std::env::var("DOORWARD_WAY").is_ok_and(|wanted| wanted != way.name) {
        return Cell::DoesNotApply("left out of this run".to_owned());
    }
    if let Some((_, why)) = row.left_out.iter().find(|(name, _)| name == way.name) {
        return Cell::DoesNotApply(why.clone());
    }
    let session = format!("s{}-{}-{at}", trial.row, trial.off);
    let question = AskedCall { call: &trial.call, mode: &row.mode, session };
    // A program that answers in a shape nobody expects, or not at all, fails its own cell and not the others.
    match std::panic::catch_unwind(AssertUnwindSafe(|| (way.ask)(ground, &question))) {
        Err(_) => Cell::Fails(format!("{:?}: no answer that can be read", trial.call)),
        Ok(Err(lacks)) => Cell::DoesNotApply(lacks.to_owned()),
        Ok(Ok(told)) if row.must.is_met(&told) => Cell::Holds,
        Ok(Ok(told)) => {
            let text: String = told.text.chars().take(600).collect();
            Cell::Fails(format!("{:?} must be {:?}, is {:?}: {text}", trial.call.text, row.must, told.end))
        }
    }
}
