//! `doorward audit`: tail, query, show, verify, receipts and proofs.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use doorward::rooms::core::approval::Presence;
use doorward::rooms::core::record::{ApprovalEvent, ApprovalRecord, Record, UserDecision, VIA_TRANSCRIPT};
use doorward_hooks::thin::default_state;
use doorward_ledger::{Filter, Reader, Stored, VerifyOptions};

use self::verify::Anchors;
use crate::output::{Failure, as_json, document, json_line, say};

mod accept;
pub(crate) mod alarm;
mod retention;
mod verify;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// State directory of the service, or a ledger directory
    #[arg(long, value_name = "DIR", global = true)]
    state: Option<PathBuf>,
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The last records
    Tail {
        /// How many
        #[arg(short = 'n', default_value_t = 20)]
        count: u64,
        /// JSON Lines, the entries as they are
        #[arg(long)]
        json: bool,
        /// Go on as records come
        #[arg(short, long)]
        follow: bool,
    },
    /// Records that match
    Query {
        #[command(flatten)]
        filter: Box<Filters>,
        /// At most so many
        #[arg(long, default_value_t = 100)]
        limit: usize,
        /// JSON Lines, the entries as they are
        #[arg(long)]
        json: bool,
    },
    /// One record, whole
    Show {
        /// Index or id
        record: String,
        /// What was kept beside a decision instead: the facts that rules read, the call and what it would do
        #[arg(long)]
        kept: bool,
    },
    /// Check every record, tile, checkpoint and signature, and what was kept beside the decisions
    Verify {
        /// Verifier key to trust, beside the one in the directory
        #[arg(long = "vkey", value_name = "KEY")]
        vkeys: Vec<String>,
        /// A receipt that has to fit
        #[arg(long = "receipt", value_name = "FILE")]
        receipts: Vec<PathBuf>,
        /// Start at this index
        #[arg(long, default_value_t = 0)]
        from: u64,
        /// Don't compare with the checkpoints that the database remembers
        #[arg(long)]
        no_anchors: bool,
        /// JSON
        #[arg(long)]
        json: bool,
    },
    /// Give up a log that the database remembers, after it was lost or replaced on purpose
    Accept,
    /// Remove what was kept beside old decisions; their records stay, and the log says what was removed
    DropContents {
        /// Days after which it may go
        #[arg(long, value_name = "DAYS")]
        older_than: u32,
    },
    /// Print a proof that one record is in the log
    Receipt {
        /// Index or id
        record: String,
    },
    /// Proof that the log of size A is the beginning of the log of size B
    ProveConsistency {
        /// The smaller size
        old: u64,
        /// The larger size
        new: u64,
    },
}

#[derive(Debug, clap::Args)]
struct Filters {
    /// decision, outcome, approval, policy, start, stop, note
    #[arg(long)]
    kind: Option<String>,
    /// Session
    #[arg(long)]
    session: Option<String>,
    /// Principal
    #[arg(long)]
    principal: Option<String>,
    /// Canonical tool
    #[arg(long)]
    tool: Option<String>,
    /// ALLOW, DENY or REQUIRE_USER_CONFIRMATION
    #[arg(long)]
    verdict: Option<String>,
    /// Code of what decided
    #[arg(long)]
    code: Option<String>,
    /// LOW, MEDIUM, HIGH or UNKNOWN
    #[arg(long)]
    risk: Option<String>,
    /// A policy that decided
    #[arg(long)]
    policy: Option<String>,
    /// From this time (RFC 3339)
    #[arg(long)]
    since: Option<jiff::Timestamp>,
    /// Until this time (RFC 3339)
    #[arg(long)]
    until: Option<jiff::Timestamp>,
    /// Text anywhere in the entry
    #[arg(long)]
    text: Option<String>,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let given = args.state.unwrap_or_else(default_state);
    // A ledger's own directory is good for reading too; its database is beside it.
    let is_ledger = given.join("origin").exists();
    let dir = if is_ledger { given.clone() } else { given.join("ledger") };
    match args.command {
        What::Accept => return accept::run(&given),
        What::DropContents { older_than } if dir.join("origin").exists() => {
            let state = if is_ledger { given.parent().unwrap_or(&given) } else { &given };
            return retention::run(state, older_than);
        }
        What::Verify { vkeys, receipts, from, no_anchors, json } => {
            let receipts = receipts
                .iter()
                .map(|file| doorward_paths::bounded::read_text_to(file, crate::output::MOST_READ))
                .collect::<Result<Vec<_>, _>>()?;
            let state = if is_ledger { given.parent().unwrap_or(&given) } else { &given };
            let anchors = if no_anchors { Anchors::NotWanted } else { Anchors::of(state)? };
            let options = VerifyOptions { vkeys, receipts, from, ..VerifyOptions::default() };
            return verify::run(&dir, options, &anchors, json);
        }
        _ => {}
    }
    if !dir.join("origin").exists() {
        return Err(missing(&dir));
    }
    match args.command {
        What::Tail { count, json, follow } => tail(&dir, count, json, follow)?,
        What::Query { filter, limit, json } => {
            for stored in Reader::open(&dir)?.find(&(*filter).into(), limit)? {
                print(&stored, json)?;
            }
        }
        What::Show { record, kept } => {
            let reader = Reader::open(&dir)?;
            let stored = find(&reader, &record)?;
            let shown = if kept { kept_of(&reader, &stored)? } else { stored.entry };
            let value: serde_json::Value = serde_json::from_slice(&shown)?;
            if as_json() {
                json_line(&value)?;
            } else {
                anstream::println!("{}", serde_json::to_string_pretty(&value)?);
            }
        }
        What::Verify { .. } | What::Accept | What::DropContents { .. } => {}
        What::Receipt { record } => {
            let reader = Reader::open(&dir)?;
            let stored = find(&reader, &record)?;
            let receipt = reader.receipt(stored.index)?.ok_or_else(|| {
                Failure::new(
                    "ledger.unsigned_tail",
                    "no checkpoint covers this record yet; try again in a second",
                )
            })?;
            document(&receipt.to_string())?;
        }
        What::ProveConsistency { old, new } => {
            for hash in Reader::open(&dir)?.prove_consistency(old, new)? {
                let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
                say!("{hex}");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What was kept beside a decision.
fn kept_of(reader: &Reader, stored: &Stored) -> Result<Vec<u8>, Failure> {
    let Some(Record::Decision(record)) = stored.record() else {
        return Err(Failure::new("ledger.nothing_kept", "only decisions have something kept beside them"));
    };
    reader.content(stored.index, &record.inspected)?.ok_or_else(|| {
        let hint = "it is missing, changed or was dropped; `doorward audit verify` says which";
        Failure::new(
            "ledger.nothing_kept",
            format!("what was kept beside record {} can't be read: {hint}", stored.index),
        )
    })
}

/// There is no log in a directory, and nothing says that there should be one.
fn missing(dir: &std::path::Path) -> Failure {
    let hint = "start the service once, or give --state";
    Failure::new("ledger.missing", format!("there is no ledger in {}; {hint}", dir.display()))
}

fn tail(dir: &std::path::Path, count: u64, json: bool, follow: bool) -> Result<(), Failure> {
    let mut reader = Reader::open(dir)?;
    for stored in reader.tail(count)? {
        print(&stored, json)?;
    }
    if !follow {
        return Ok(());
    }
    loop {
        let seen = reader.size();
        std::thread::sleep(std::time::Duration::from_millis(200));
        reader.refresh()?;
        for stored in reader.range(seen, reader.size())? {
            print(&stored, json)?;
        }
    }
}

/// Records that may name one decision: questions, answers, its outcome.
const MOST_NAMED: usize = 64;

fn find(reader: &Reader, record: &str) -> Result<Stored, Failure> {
    let found = match record.parse::<u64>() {
        Ok(index) => reader.get(index)?,
        Err(_) => {
            // Other records name a decision too: the one whose own id it is comes first.
            let filter = Filter { id: Some(record.to_owned()), ..Filter::default() };
            let named = reader.find(&filter, MOST_NAMED)?;
            let is_own = |stored: &Stored| {
                let entry = serde_json::from_slice::<serde_json::Value>(&stored.entry).unwrap_or_default();
                entry.get("id").and_then(serde_json::Value::as_str) == Some(record)
            };
            let own = named.iter().position(is_own).unwrap_or(0);
            named.into_iter().nth(own)
        }
    };
    found.ok_or_else(|| Failure::new("ledger.no_such_record", format!("there is no record {record}")))
}

fn print(stored: &Stored, as_json: bool) -> Result<(), Failure> {
    use std::io::Write as _;
    if as_json {
        let mut out = std::io::stdout().lock();
        out.write_all(&stored.entry)?;
        out.write_all(b"\n")?;
        return Ok(());
    }
    let index = stored.index;
    match stored.record() {
        Some(Record::Decision(record)) => {
            let colour = match record.verdict {
                doorward::rooms::core::Verdict::Allow => "32",
                doorward::rooms::core::Verdict::Deny => "31",
                doorward::rooms::core::Verdict::Confirm => "33",
            };
            let args = record.args.as_ref().map(ToString::to_string).unwrap_or_default();
            let args: String = args.chars().take(120).collect();
            anstream::println!(
                "{index:>6} {} \u{1b}[{colour}m{:<5}\u{1b}[0m {:<7} {} {args}",
                record.time.strftime("%H:%M:%S%.3f"),
                record.verdict.word(),
                record.risk.level,
                record.resource.name,
            );
            anstream::println!("       \u{1b}[2m{} ({})\u{1b}[0m", record.reason, record.code);
        }
        Some(Record::Outcome(record)) => {
            let exit = record.exit.map_or_else(String::new, |exit| format!(", exit {exit}"));
            anstream::println!(
                "{index:>6} {} \u{1b}[2m{:?}{exit}: outcome of {}\u{1b}[0m",
                record.time.strftime("%H:%M:%S%.3f"),
                record.outcome,
                record.of
            );
        }
        Some(Record::Approval(record)) => {
            anstream::println!(
                "{index:>6} {} \u{1b}[2m{} of {}\u{1b}[0m",
                record.time.strftime("%H:%M:%S%.3f"),
                answer(&record),
                record.of
            );
        }
        _ => {
            let value: serde_json::Value = serde_json::from_slice(&stored.entry)?;
            let kind = value.get("kind").and_then(serde_json::Value::as_str).unwrap_or("record");
            let detail =
                ["event", "code", "posture", "message"].iter().filter_map(|key| value.get(*key)?.as_str());
            anstream::println!("{index:>6} {kind} {}", detail.collect::<Vec<_>>().join(" "));
        }
    }
    Ok(())
}

/// What became of a question, in words.
fn answer(record: &ApprovalRecord) -> String {
    let who = match record.presence {
        Some(Presence::ClientDialog) => "a person in the client's dialog".to_owned(),
        _ if record.by.is_empty() => "nobody".to_owned(),
        _ => record.by.clone(),
    };
    match (record.event, record.decision) {
        (ApprovalEvent::Asked, _) => "question put".to_owned(),
        (ApprovalEvent::Answered, Some(UserDecision::Allowed)) => format!("answered Allow by {who}"),
        (ApprovalEvent::Answered, Some(UserDecision::Denied)) => format!("answered Deny by {who}"),
        (ApprovalEvent::Answered, _) => "ended without an answer".to_owned(),
        (ApprovalEvent::Passed, _) => "passed by the client's own rule or mode".to_owned(),
        (ApprovalEvent::Unclear, _) if record.via == VIA_TRANSCRIPT => {
            "refused in the client's dialog, says the client's transcript, which the agent can write"
                .to_owned()
        }
        (ApprovalEvent::Unclear, _) => {
            "refused in the client's dialog, or interrupted while it ran".to_owned()
        }
        (ApprovalEvent::Expired, _) => "question lapsed".to_owned(),
        (ApprovalEvent::Cancelled, _) => "question or answer taken back".to_owned(),
    }
}

impl From<Filters> for Filter {
    fn from(filters: Filters) -> Self {
        Self {
            kind: filters.kind,
            session: filters.session,
            principal: filters.principal,
            tool: filters.tool,
            verdict: filters.verdict,
            code: filters.code,
            risk: filters.risk,
            policy: filters.policy,
            since: filters.since,
            until: filters.until,
            text: filters.text,
            ..Self::default()
        }
    }
}
