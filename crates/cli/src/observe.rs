//! `doorward observe` and `doorward pause`: a time in which everything is judged and recorded and only floors stop a
//! call. An observation is planned and shows at its end what would have been asked; a pause is short, takes a person,
//! and is recorded with its reason.

use std::path::PathBuf;
use std::process::ExitCode;

use doorward::rooms::core::record::Record;
use doorward_hooks::thin::SOCKET;
use doorward_ledger::{Filter, Reader};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::json;

use crate::answers::passphrase;
use crate::output::{Failure, json_line, said};
use crate::people::only_for_people;
use crate::service::expect;
use crate::state::StateOption;
use crate::verbs::span;

/// Longest observation, and how far back the page looks.
const LONGEST: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Longest pause.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_hours(1);
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

/// `doorward pause`
#[derive(Debug, clap::Args)]
pub(crate) struct Pause {
    /// How long from now on: `10m`, `1h` at most. `off` ends it
    time: String,
    /// Why, for the record
    #[arg(long, default_value = "")]
    reason: String,
    /// Read the passphrase from standard input instead of asking for it
    #[arg(long)]
    passphrase_stdin: bool,
    #[command(flatten)]
    state: StateOption,
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
        Some(time) => {
            only_for_people(&args.state.folder().join(SOCKET), "an observation")?;
            begin(&args.state, time)?;
        }
    }
    let found = look(&args.state)?;
    if args.json {
        json_line(&found)?;
    } else {
        found.show();
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn pause(args: &Pause) -> Result<ExitCode, Failure> {
    let seconds = match args.time.as_str() {
        "off" => 0,
        time => {
            let length = span(time).ok().filter(|length| *length <= LONGEST_PAUSE).ok_or_else(|| {
                let why = format!(
                    "{time:?} is no time for a pause: give 10m or 1h, the longest; `doorward observe 2h` watches for \
                     longer"
                );
                Failure::new("pause.time", why)
            })?;
            length.as_secs()
        }
    };
    let socket = args.state.folder().join(SOCKET);
    let passphrase = if seconds > 0 { passphrase(&socket, args.passphrase_stdin)? } else { None };
    let body = json!({"seconds": seconds, "reason": args.reason, "passphrase": passphrase});
    let kept = expect(&socket, "POST", "/v1/pause", Some(&body))?;
    let told = if seconds > 0 {
        format!(
            "Paused for {}: only floors stop a call, and everything is recorded. Doorward then asks again by itself.\n\
             End it now with: doorward pause off",
            args.time
        )
    } else {
        "The pause is over: Doorward asks and stops.".to_owned()
    };
    said(&kept, &told);
    Ok(ExitCode::SUCCESS)
}

/// Begins an observation of this length.
///
/// # Errors
/// The text is no length, or the settings can't be written.
pub(crate) fn begin(state: &StateOption, time: &str) -> Result<(), Failure> {
    let length = span(time).ok().filter(|length| *length <= LONGEST).ok_or_else(|| {
        let why =
            format!("{time:?} is no time of observation: give 30m, 2h or 7d; seven days are the longest");
        Failure::new("observe.time", why)
    })?;
    // A moment less, so that the longest one doesn't lie beyond the limit by the time it is read.
    set(state, Timestamp::now() + length - SignedDuration::from_secs(1))
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
