//! The mission's requirements, each on every way in: through the built programs, on real input, with the source of every
//! expected answer. `docs/conformance.md` is written by it (`cargo xtask conformance`, or `UPDATE_DOCS=1`).
//!
//! A requirement is a pair: the settings and the call that must end one way, and a neighbour that must end another way.
//! A cell that can't fail proves nothing; here a way in that answers always the same fails one of the two.

mod foreign;
#[path = "../support/judge.rs"]
mod judge;
mod page;
mod requirements;
mod ways;

use std::fmt::Write as _;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use requirements::{REQUIREMENTS, Requirement, Side};
use ways::{WAYS, Way};

/// How one cell ended.
pub enum Cell {
    /// Both sides were answered as they must.
    Holds,
    /// The way in has no such call.
    DoesNotApply(&'static str),
    /// What came instead.
    Fails(String),
}

/// How many requirements are tried at once.
const AT_ONCE: usize = 3;

#[test]
fn every_requirement_holds_on_every_way_in() {
    let next = AtomicUsize::new(0);
    let rows: Mutex<Vec<(usize, Vec<Cell>)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((at, requirement)) = nth(next.fetch_add(1, Ordering::Relaxed)) {
                    let cells = tried(requirement);
                    rows.lock().unwrap().push((at, cells));
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap();
    rows.sort_by_key(|(at, _)| *at);
    let rows: Vec<(&Requirement, Vec<Cell>)> =
        rows.into_iter().map(|(at, cells)| (&REQUIREMENTS[at], cells)).collect();
    let mut wrong = String::new();
    for (requirement, cells) in &rows {
        for (way, cell) in WAYS.iter().zip(cells) {
            if let Cell::Fails(why) = cell {
                writeln!(wrong, "{} by {}:\n  {why}", requirement.name, way.name).unwrap();
            }
        }
    }
    page::write_where_asked(&rows);
    assert!(wrong.is_empty(), "{wrong}");
    page::keep(&rows);
}

/// The requirements that `DOORWARD_REQUIREMENT` names, or all.
fn nth(at: usize) -> Option<(usize, &'static Requirement)> {
    let wanted = std::env::var("DOORWARD_REQUIREMENT").unwrap_or_default();
    REQUIREMENTS.iter().enumerate().filter(|(_, row)| row.name.contains(&wanted)).nth(at)
}

/// Every way in, on both sides of a requirement.
fn tried(requirement: &Requirement) -> Vec<Cell> {
    let sides = [&requirement.holds, &requirement.contrast].map(|side| answers(requirement, side));
    let [held, contrast] = sides;
    held.into_iter()
        .zip(contrast)
        .map(|pair| match pair {
            (Cell::Fails(why), _) | (_, Cell::Fails(why)) => Cell::Fails(why),
            (Cell::DoesNotApply(why), _) | (_, Cell::DoesNotApply(why)) => Cell::DoesNotApply(why),
            (Cell::Holds, Cell::Holds) => Cell::Holds,
        })
        .collect()
}

fn answers(requirement: &Requirement, side: &Side) -> Vec<Cell> {
    let ground = ways::Ground::new(side);
    WAYS.iter().map(|way| answer(way, &ground, requirement, side)).collect()
}

fn answer(way: &Way, ground: &ways::Ground, requirement: &Requirement, side: &Side) -> Cell {
    // For work on one way in: `DOORWARD_WAY` names it, and no page is compared then.
    if std::env::var("DOORWARD_WAY").is_ok_and(|wanted| wanted != way.name) {
        return Cell::DoesNotApply("left out of this run");
    }
    if let Some((_, why)) = requirement.except.iter().find(|(name, _)| *name == way.name) {
        return Cell::DoesNotApply(why);
    }
    // A program that answers in a shape nobody expects, or not at all, fails its own cell and not the others.
    let Ok(told) = std::panic::catch_unwind(AssertUnwindSafe(|| (way.ask)(ground, side))) else {
        return Cell::Fails(format!("{:?} under {:?}: no answer that can be read", side.call, side.settings));
    };
    match told {
        None => Cell::DoesNotApply(way.lacks),
        Some(told) if side.expect.is_met(&told) => Cell::Holds,
        Some(told) => Cell::Fails(format!(
            "{:?} under {:?}: expected {:?}, told {:?}: {}",
            side.call, side.settings, side.expect, told.end, told.text
        )),
    }
}
