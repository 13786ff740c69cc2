//! Attacks on Doorward itself, each run against the built program as an ordinary user of this machine.
//!
//! An attack is a row of a table: its class, what it tries, and a function that tries it and tells what happened. The
//! table is printed at the end; one attack that succeeds, or one that could not be tried while
//! `DOORWARD_REQUIRE=all` is set, fails the suite. `DOORWARD_BIN` names the folder of the programs under attack; without
//! it they are those that cargo built for this test.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub
)]

mod clients;
mod dialogs;
mod emission;
mod guardian;
mod itself;
#[path = "../it/support/judge.rs"]
mod judge;
mod links;
mod marks;
#[allow(dead_code)]
#[path = "../it/support/model.rs"]
mod model;
mod people;
mod repository;
mod sandbox;
mod separate;
mod service;
mod settings;
mod terminal;
mod world;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Instant;

use world::World;

/// What became of an attack.
pub enum Tried {
    /// Doorward held; with what happened.
    Held(String),
    /// The attack succeeded; with what happened.
    Succeeded(String),
    /// It could not be tried here; with what was missing.
    Lacking(String),
}

/// One attack.
pub struct Attack {
    /// Class of the hole it tries.
    pub class: &'static str,
    /// What it tries, as a sentence.
    pub tries: &'static str,
    pub run: fn(&World) -> Tried,
}

/// Held if `held`, else succeeded; with the same account of what happened.
pub fn judged(held: bool, happened: impl Into<String>) -> Tried {
    if held { Tried::Held(happened.into()) } else { Tried::Succeeded(happened.into()) }
}

fn attacks() -> Vec<Attack> {
    let lists = [
        clients::ATTACKS,
        dialogs::ATTACKS,
        emission::ATTACKS,
        guardian::ATTACKS,
        itself::ATTACKS,
        links::ATTACKS,
        marks::ATTACKS,
        people::ATTACKS,
        repository::ATTACKS,
        sandbox::ATTACKS,
        separate::ATTACKS,
        service::ATTACKS,
        settings::ATTACKS,
    ];
    lists.iter().flat_map(|list| list.iter().map(|attack| Attack { ..*attack })).collect()
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--list") {
        let classes: BTreeSet<&str> = attacks().iter().map(|attack| attack.class).collect();
        classes.iter().for_each(|class| println!("{class}"));
        return ExitCode::SUCCESS;
    }
    let filters: Vec<String> = words.into_iter().filter(|word| !word.starts_with('-')).collect();
    let world = World::new();
    let mut failed = 0_usize;
    let mut lacking = 0_usize;
    for attack in attacks() {
        // The name of a class is no word to be looked for in what attacks try.
        let is_class = |filter: &String| attacks().iter().any(|attack| attack.class == filter);
        let chosen = |filter: &String| match is_class(filter) {
            true => attack.class == filter,
            false => attack.tries.contains(filter),
        };
        if !filters.is_empty() && !filters.iter().any(chosen) {
            continue;
        }
        let begun = Instant::now();
        let tried = match &world {
            Ok(world) => std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| (attack.run)(world)))
                .unwrap_or_else(|_| Tried::Succeeded("the attack itself broke off; see above".to_owned())),
            Err(missing) => Tried::Lacking(missing.clone()),
        };
        let (word, happened) = match &tried {
            Tried::Held(happened) => ("held", happened),
            Tried::Succeeded(happened) => ("SUCCEEDED", happened),
            Tried::Lacking(missing) => ("LACKING", missing),
        };
        if let Tried::Lacking(missing) = &tried {
            doorward_needs::say(doorward_needs::Kind::Tool, attack.tries, missing);
        }
        failed += usize::from(matches!(tried, Tried::Succeeded(_)));
        lacking += usize::from(matches!(tried, Tried::Lacking(_)));
        let seconds = begun.elapsed().as_secs_f32();
        println!("{word:9} {:14} {} -> {happened} ({seconds:.1} s)", attack.class, attack.tries);
    }
    println!("attacks: {failed} succeeded, {lacking} could not be tried");
    let required = std::env::var_os("DOORWARD_REQUIRE").is_some_and(|value| value == "all");
    if failed > 0 || (required && lacking > 0) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
