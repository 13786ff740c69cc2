//! `doorward audit verify`: the whole log against itself, and against the checkpoints that the database remembers.
//!
//! The database is only read, whether or not the service runs. What could not be compared is said: silence would look
//! like a log that nobody rolled back.

use std::path::Path;
use std::process::ExitCode;

use doorward::Options;
use doorward::anchoring::what_to_do;
use doorward::rooms::store::Store;
use doorward::service::store_of;
use doorward_ledger::{Anchor, Fault, VerifyOptions, VerifyReport, verify, wiped};
use serde_json::json;

use crate::output::{Failure, json_line};
use crate::runtime::block_on;

/// What the database remembers of a ledger.
pub(super) enum Anchors {
    /// The user asked not to compare.
    NotWanted,
    /// There is no database.
    NoDatabase(String),
    /// As remembered; none for a ledger it never heard of.
    Known(Vec<Anchor>),
}

impl Anchors {
    /// Reads the database of a state folder.
    pub(super) fn of(state: &Path) -> Result<Self, Failure> {
        let (place, remembered) = store_of(state, &Options::usual(state));
        let unreadable = |error: &dyn std::fmt::Display, code: &str| {
            let hint = "verify without it by --no-anchors, which can't see a log that was rolled back";
            Failure::new(
                code,
                format!("the checkpoints that the database remembers can't be read: {error}; {hint}"),
            )
        };
        block_on(async move {
            let store =
                Store::open_to_read(&place).await.map_err(|error| unreadable(&error, error.code()))?;
            let Some(store) = store else { return Ok(Self::NoDatabase(place)) };
            let known = remembered.anchors(&store).await.map_err(|error| unreadable(&error, error.code()))?;
            store.close().await;
            Ok(Self::Known(known))
        })?
    }

    pub(super) fn known(&self) -> &[Anchor] {
        match self {
            Self::Known(known) => known,
            Self::NotWanted | Self::NoDatabase(_) => &[],
        }
    }

    /// One line on what was compared.
    fn told(&self) -> String {
        match self {
            Self::NotWanted => "not compared with the database, as you asked".to_owned(),
            Self::NoDatabase(place) => {
                format!("not compared with remembered checkpoints: there is no database {place}")
            }
            Self::Known(known) if known.is_empty() => {
                "the database remembers no checkpoint of this log".to_owned()
            }
            Self::Known(known) => {
                let sizes: Vec<String> = known.iter().map(|anchor| anchor.size.to_string()).collect();
                format!("as the database remembers it at {} records", sizes.join(", "))
            }
        }
    }
}

pub(super) fn run(
    dir: &Path,
    options: VerifyOptions,
    anchors: &Anchors,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    let options = VerifyOptions { anchors: anchors.known().to_vec(), ..options };
    let report = match anchors.known().first() {
        Some(anchor) if is_empty(dir) => nothing_left(anchor),
        None if !dir.join("origin").exists() && is_empty(dir) => return Err(super::missing(dir)),
        _ => verify(dir, &options)?,
    };
    if as_json {
        let faults: Vec<_> = report.faults.iter().map(fault_as_json).collect();
        json_line(&json!({
            "origin": report.origin, "intact": report.intact(), "size": report.size, "entries": report.entries,
            "trustworthy": report.trustworthy, "checkpoints": report.checkpoints, "open": report.open, "faults": faults,
            "contents": report.contents, "dropped": report.dropped,
            "anchors": anchors.known().iter().map(|anchor| json!({"origin": anchor.origin, "size": anchor.size}))
                .collect::<Vec<_>>(),
            "compared": anchors.told(),
        }))?;
    } else {
        draw(&report, anchors);
    }
    Ok(ExitCode::from(u8::from(!report.intact())))
}

/// Whether nothing of a log is in a directory.
pub(super) fn is_empty(dir: &Path) -> bool {
    let parts = ["origin", "checkpoint", "checkpoints.log", "tile", "key", "vkey"];
    let journal = dir.join("journal").read_dir().is_ok_and(|mut segments| segments.next().is_some());
    !journal && !parts.iter().any(|part| dir.join(part).exists())
}

fn nothing_left(anchor: &Anchor) -> VerifyReport {
    let fault = Fault { code: "ledger.wiped", at: Some(0), message: wiped(anchor), harmless: false };
    VerifyReport { origin: anchor.origin.clone(), faults: vec![fault], ..VerifyReport::default() }
}

fn fault_as_json(fault: &Fault) -> serde_json::Value {
    json!({"code": fault.code, "at": fault.at, "message": fault.message, "harmless": fault.harmless})
}

fn draw(report: &VerifyReport, anchors: &Anchors) {
    let verdict = if report.intact() { "\u{1b}[32mintact\u{1b}[0m" } else { "\u{1b}[31mdamaged\u{1b}[0m" };
    let (entries, size, kept) = (report.entries, report.size, report.contents);
    anstream::println!("{verdict}  {entries} records, signed up to {size}; {}", anchors.told());
    if !report.intact() {
        anstream::println!("  {}: {} checkpoints, {kept} kept texts fit", report.origin, report.checkpoints);
    }
    if !report.open.is_empty() {
        anstream::println!("  {} calls have no outcome yet (--json lists them)", report.open.len());
    }
    for fault in &report.faults {
        let at = fault.at.map_or_else(String::new, |at| format!(" at {at}"));
        anstream::println!("  {}{at}: {}{}", fault.code, fault.message, what_to_do(fault.code));
    }
    if !report.intact() {
        anstream::println!("  still trustworthy: the first {} records", report.trustworthy);
    }
}
