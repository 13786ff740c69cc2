//! `doorward observe`: a time in which everything is judged and recorded and only floors stop a call, and what it
//! showed.

use std::path::PathBuf;
use std::process::ExitCode;

use doorward::rooms::core::record::Record;
use doorward_ledger::{Filter, Reader};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::output::{Failure, json_line};
use crate::state::StateOption;

/// Longest observation, and how far back the page looks.
const LONGEST: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Calls that the page shows.
const SHOWN: usize = 10;
/// Records that are counted at most.
const MOST_COUNTED: usize = 100_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How long from now on: `30m`, `2h`, `7d` at most. `off` ends it. Without it: what the observation showed
    time: Option<String>,
    #[command(flatten)]
    state: StateOption,
    /// One line of JSON
    #[arg(long)]
    json: bool,
}

/// What an observation showed.
#[derive(Debug, Serialize)]
struct Observation {
    /// When it ends; absent where none goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<Timestamp>,
    /// Calls that would have been asked about.
    asked: usize,
    /// Calls that would have been stopped.
    stopped: usize,
    /// The last of them.
    last: Vec<Observed>,
}

/// A call that passed because it was only observed.
#[derive(Debug, Serialize)]
struct Observed {
    at: Timestamp,
    code: String,
    tool: String,
    reason: String,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    match args.time.as_deref() {
        None => {}
        Some("off") => set(&args.state, Timestamp::UNIX_EPOCH)?,
        Some(time) => begin(&args.state, time)?,
    }
    let found = look(&args.state)?;
    if args.json {
        json_line(&found)?;
    } else {
        found.show();
    }
    Ok(ExitCode::SUCCESS)
}

/// Begins an observation of this length.
///
/// # Errors
/// The text is no length, or the settings can't be written.
pub(crate) fn begin(state: &StateOption, time: &str) -> Result<(), Failure> {
    let length = length(time).filter(|length| *length > SignedDuration::ZERO && *length <= LONGEST);
    let length = length.ok_or_else(|| {
        let why =
            format!("{time:?} is no time of observation: give 30m, 2h or 7d; seven days are the longest");
        Failure::new("observe.time", why)
    })?;
    // A moment less, so that the longest one doesn't lie beyond the limit by the time it is read.
    set(state, Timestamp::now() + length - SignedDuration::from_secs(1))
}

fn length(text: &str) -> Option<SignedDuration> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let number: i64 = number.parse().ok()?;
    let minutes = match unit {
        "m" => Some(number),
        "h" => number.checked_mul(60),
        "d" => number.checked_mul(24 * 60),
        _ => None,
    };
    minutes.and_then(|minutes| minutes.checked_mul(60)).map(SignedDuration::from_secs)
}

/// Writes the end of the observation into the user's settings.
fn set(state: &StateOption, until: Timestamp) -> Result<(), Failure> {
    let file: PathBuf = state.places().user.ok_or_else(|| {
        Failure::new("observe.no_settings", "there is no file of your own settings; give --state")
    })?;
    doorward::choose::write_text(&file, "modes", "observe_until", &format!("{until:.0}"))?;
    // A setting of the administrator's counts before it, and then this changed nothing.
    let now = Timestamp::now();
    let is_on = state.settings()?.modes.observes(now).is_some();
    if is_on != (until > now) {
        let why = "the administrator's settings say otherwise (`modes.observe_until`), so nothing changes";
        return Err(Failure::new("observe.settled", why));
    }
    Ok(())
}

fn look(state: &StateOption) -> Result<Observation, Failure> {
    let now = Timestamp::now();
    let mut found =
        Observation { until: state.settings()?.modes.observes(now), asked: 0, stopped: 0, last: Vec::new() };
    let log = state.folder().join("ledger");
    if !log.join("origin").exists() {
        return Ok(found);
    }
    let filter =
        Filter { code: Some("observe.*".to_owned()), since: Some(now - LONGEST), ..Filter::default() };
    for stored in Reader::open(&log)?.find(&filter, MOST_COUNTED)? {
        let Some(Record::Decision(decision)) = stored.record() else { continue };
        match decision.code.as_str() {
            "observe.asked" => found.asked += 1,
            "observe.stopped" => found.stopped += 1,
            _ => continue,
        }
        found.last.push(Observed {
            at: decision.time,
            code: decision.code.clone(),
            tool: decision.action.clone(),
            reason: decision.reason.clone(),
        });
    }
    found.last.sort_by_key(|observed| std::cmp::Reverse(observed.at));
    found.last.truncate(SHOWN);
    Ok(found)
}

impl Observation {
    fn show(&self) {
        match self.until {
            Some(until) => anstream::println!(
                "Until {until:.0} everything is judged and recorded, and only floors stop a call.\n\
                 End it now, so that Doorward asks and stops, with: doorward observe off"
            ),
            None => anstream::println!(
                "No observation goes on: Doorward asks and stops. Begin one with: doorward observe 2h"
            ),
        }
        anstream::println!(
            "\nIn the last seven days Doorward would have asked {} times and stopped {}.",
            self.asked,
            self.stopped
        );
        for observed in &self.last {
            anstream::println!("\n  {:.0}  {}", observed.at, observed.tool);
            anstream::println!("  {}", observed.reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_minutes_hours_and_days() {
        assert_eq!(length("30m"), Some(SignedDuration::from_mins(30)));
        assert_eq!(length("2h"), Some(SignedDuration::from_hours(2)));
        assert_eq!(length("7d"), Some(LONGEST));
        for wrong in ["", "h", "2", "2 h", "2w", "9223372036854775807d", "2ä"] {
            assert_eq!(length(wrong), None, "{wrong:?}");
        }
    }
}
