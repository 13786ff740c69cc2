//! What `doorward doctor` and `doorward status` say about the record: whether the log in the state folder is the one
//! that the database remembers.
//!
//! This is the quick part of `doorward audit verify`: identity, signed checkpoints and stored hashes, and not what
//! every record says. It only reads, whether or not the service runs.

use std::path::Path;

use doorward::anchoring::what_to_do;
use doorward_ledger::{VerifyOptions, verify, wiped};
use serde::Serialize;

use super::verify::{Anchors, is_empty};

/// One thing that is wrong with the record.
#[derive(Debug, Serialize)]
pub(crate) struct Alarm {
    /// Stable code.
    pub(crate) code: String,
    /// What is wrong, and what to do.
    pub(crate) message: String,
}

impl Alarm {
    fn new(code: &str, message: &str) -> Self {
        let next = match what_to_do(code) {
            "" => "; see: doorward audit verify",
            next => next,
        };
        Self { code: code.to_owned(), message: format!("{message}{next}") }
    }
}

/// What is wrong with the record of a state folder; empty for a folder that never had one.
pub(crate) fn alarms(state: &Path) -> Vec<Alarm> {
    // Remembered checkpoints first: a log that is being written is then ahead of them, never behind.
    let anchors = match Anchors::of(state) {
        Ok(anchors) => anchors,
        Err(failure) => return vec![Alarm { code: failure.code().to_owned(), message: failure.told() }],
    };
    let dir = state.join("ledger");
    if is_empty(&dir) {
        return anchors.known().iter().map(|anchor| Alarm::new("ledger.wiped", &wiped(anchor))).collect();
    }
    let options = VerifyOptions {
        anchors: anchors.known().to_vec(),
        structure_only: true,
        from: u64::MAX,
        ..VerifyOptions::default()
    };
    let report = match verify(&dir, &options) {
        Ok(report) => report,
        Err(error) => return vec![Alarm::new("ledger.unreadable", &format!("{}: {error}", dir.display()))],
    };
    let damage = report.faults.iter().filter(|fault| !fault.harmless);
    let mut alarms: Vec<Alarm> = damage.map(|fault| Alarm::new(fault.code, &fault.message)).collect();
    // A service that runs is about to store its first checkpoint.
    if anchors.known().is_empty() && report.size > 0 && !report.live {
        let message = format!(
            "the database remembers no checkpoint of this log, which holds {} records: the database was removed or \
             replaced, or the log was brought here; from the next start of the service on it is remembered again",
            report.size
        );
        alarms.push(Alarm { code: "ledger.unremembered".to_owned(), message });
    }
    alarms
}

/// For people.
pub(crate) fn draw(alarms: &[Alarm]) {
    for alarm in alarms {
        anstream::println!("\u{1b}[1;31mALARM\u{1b}[0m  the record: {} ({})", alarm.message, alarm.code);
    }
}
