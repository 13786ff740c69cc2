//! `doorward hook CLIENT --state DIR`: the process a coding agent spawns for each event. Reads no environment.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use doorward_core::tool::Client;
use doorward_hooks::thin::{Thin, default_state};

/// Below the time-out that `install` writes into the client's configuration.
const DEADLINE: Duration = Duration::from_secs(110);

pub(crate) fn run(mut words: impl Iterator<Item = OsString>) -> ! {
    let client = words.next().and_then(|word| Client::from_word(word.to_str()?));
    let Some(client) = client else {
        // A denial in every client's language: text on standard error, exit 2.
        eprintln!(
            "doorward: hook.usage: no such agent; the hook's command line is broken, run `doorward install`"
        );
        std::process::exit(2);
    };
    let mut state = None;
    let mut deadline = DEADLINE;
    let mut enclosed = false;
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--state") => state = words.next().map(PathBuf::from),
            Some("--enclosed") => enclosed = true,
            Some("--deadline-ms") => {
                let millis = words.next().and_then(|word| word.to_str()?.parse().ok());
                deadline = millis.map_or(DEADLINE, Duration::from_millis).min(DEADLINE);
            }
            _ => {}
        }
    }
    Thin { client, state: state.unwrap_or_else(default_state), deadline, enclosed }.run()
}
