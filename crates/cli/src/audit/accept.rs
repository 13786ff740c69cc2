//! `doorward audit accept`: a person gives up a log that the database remembers, so that the service starts again
//! after the ledger was lost, or replaced on purpose.
//!
//! What was given up is the first thing the log that stays says. No agent gets here: every call that runs this command
//! is denied (`inspect`'s floor), it needs a terminal, and it needs the name of the log typed out.

use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use doorward::Options;
use doorward::rooms::core::id::RecordId;
use doorward::rooms::core::record::{NoteRecord, Record};
use doorward::rooms::store::Store;
use doorward::service::store_of;
use doorward_ledger::{Anchor, Log, VerifyOptions, verify};

use super::verify::Anchors;
use crate::output::{Failure, say};
use crate::people::own_name;
use crate::runtime::block_on;

pub(super) fn run(state: &Path) -> Result<ExitCode, Failure> {
    let anchors = Anchors::of(state)?;
    let dir = state.join("ledger");
    let lost: Vec<&Anchor> = anchors.known().iter().filter(|anchor| !still_holds(&dir, anchor)).collect();
    if lost.is_empty() {
        let message =
            "the log agrees with every checkpoint that the database remembers: there is nothing to give up";
        return Err(Failure::new("ledger.agrees", message));
    }
    for anchor in &lost {
        ask(anchor)?;
    }
    // The log that stays is opened without them; one that is damaged in itself stays shut, and nothing is forgotten.
    let log = Log::open(&dir, doorward_ledger::Options::default())
        .map_err(|error| Failure::new(error.code, format!("{error}; nothing was changed")))?;
    for anchor in &lost {
        log.append_blocking(given_up(anchor))?;
    }
    log.close();
    let (place, _) = store_of(state, &Options::usual(state));
    block_on(async {
        let store = Store::open(&place).await?;
        for anchor in &lost {
            store.forget_anchor(&anchor.origin).await?;
        }
        store.close().await;
        Ok::<_, Failure>(())
    })??;
    say!("given up, and recorded; start the service again");
    Ok(ExitCode::SUCCESS)
}

/// Whether the log in the directory is the one that is remembered, and still holds what is remembered of it.
fn still_holds(dir: &Path, anchor: &Anchor) -> bool {
    let options =
        VerifyOptions { anchors: vec![anchor.clone()], structure_only: true, ..VerifyOptions::default() };
    let contradicts = |code: &str| ["ledger.replaced", "ledger.rollback", "ledger.fork"].contains(&code);
    verify(dir, &options).is_ok_and(|report| {
        report.origin == anchor.origin && !report.faults.iter().any(|fault| contradicts(fault.code))
    })
}

fn ask(anchor: &Anchor) -> Result<(), Failure> {
    let mut terminal = std::fs::File::options().read(true).write(true).open("/dev/tty").map_err(|_| {
        Failure::new(
            "ledger.terminal",
            "giving up a log needs a person at a terminal, and there is none here",
        )
    })?;
    writeln!(
        terminal,
        "The database remembers the log {} with {} records, and it isn't there as it was.\n\
         If it was removed or changed without your doing, keep everything as it is and find out who did it.\n\
         To give it up, type its name:",
        anchor.origin, anchor.size
    )?;
    let mut line = String::new();
    std::io::BufReader::new(terminal).read_line(&mut line)?;
    if line.trim() == anchor.origin {
        return Ok(());
    }
    Err(Failure::new("ledger.not_given_up", "that isn't its name; nothing was changed"))
}

fn given_up(anchor: &Anchor) -> Record {
    Record::Note(NoteRecord {
        v: 1,
        id: RecordId::fresh(),
        time: jiff::Timestamp::now(),
        code: "ledger.given_up".to_owned(),
        message: format!(
            "{} gave up the log {}, of which the database remembered {} records",
            own_name(),
            anchor.origin,
            anchor.size
        ),
        detail: None,
    })
}
