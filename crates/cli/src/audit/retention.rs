//! `doorward audit drop-contents`: removes what was kept beside old decisions. Their records stay.
//!
//! The log says what is dropped before anything is removed, so that `audit verify` can tell it from damage. No agent
//! gets here: a call that runs this command is denied (`inspect`'s floor).

use std::path::Path;
use std::process::ExitCode;

use doorward_ledger::{Log, Options, Reader};
use jiff::{SignedDuration, Timestamp};

use super::verify::Anchors;
use crate::output::{Failure, say};
use crate::people::own_name;

pub(super) fn run(state: &Path, days: u32) -> Result<ExitCode, Failure> {
    let dir = state.join("ledger");
    let age = SignedDuration::from_hours(i64::from(days).saturating_mul(24));
    let since = Timestamp::now().checked_sub(age).unwrap_or(Timestamp::UNIX_EPOCH);
    let before = Reader::open(&dir)?.first_since(since)?;
    let options = Options { anchors: Anchors::of(state)?.known().to_vec(), ..Options::default() };
    let log = Log::open(&dir, options).map_err(|error| {
        let hint = if error.code == "ledger.locked" { "; stop the service first" } else { "" };
        Failure::new(error.code, format!("{error}{hint}; nothing was changed"))
    })?;
    let dropped = log.drop_contents(before, &format!("older than {days} days, by {}", own_name()))?;
    log.close();
    match dropped.index {
        Some(index) => {
            say!("dropped {} bundles, {} bytes; record {index} says so", dropped.bundles, dropped.bytes)
        }
        None => {
            say!("nothing to drop: no whole bundle of 256 records is older than {days} days")
        }
    }
    Ok(ExitCode::SUCCESS)
}
