//! The test log: known key, known entries.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::Path;
use std::time::Duration;

use doorward_core::id::DecisionId;
use doorward_ledger::{Entry, Key, Log, Options};
use serde_json::Value;

pub(crate) const ORIGIN: &str = "doorward.example/ledger/test";

pub(crate) fn seed() -> [u8; 32] {
    std::array::from_fn(|n| n as u8)
}

pub(crate) fn key() -> Key {
    Key::from_seed(ORIGIN, &seed())
}

pub(crate) fn entry(n: u64) -> String {
    let verdict = ["ALLOW", "DENY", "REQUIRE_USER_CONFIRMATION"][(n % 3) as usize];
    format!(r#"{{"kind":"decision","n":{n},"v":1,"verdict":"{verdict}"}}"#)
}

/// The rows of a file of `testdata`.
pub(crate) fn rows(name: &str) -> Vec<Value> {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A log with the test key and checkpoints on request only.
pub(crate) fn open(dir: &Path, options: Options) -> Log {
    Log::open(dir, quiet(options)).unwrap()
}

pub(crate) fn quiet(options: Options) -> Options {
    Options {
        origin: Some(ORIGIN.to_owned()),
        seed: Some(seed()),
        checkpoint_records: u64::MAX,
        checkpoint_every: Duration::from_secs(3600),
        ..options
    }
}

/// Appends the test log's entries of these numbers.
pub(crate) fn fill(log: &Log, numbers: std::ops::Range<u64>) {
    let waits: Vec<_> = numbers
        .clone()
        .map(|n| log.append_entry(Entry::from_canonical(entry(n).into_bytes()).unwrap()).unwrap())
        .collect();
    for (n, wait) in numbers.zip(waits) {
        assert_eq!(wait.wait().unwrap(), n);
    }
}

/// Content of decision `n`, of varying length, sometimes over several disk blocks.
pub(crate) fn content(n: u64) -> Vec<u8> {
    format!(r#"{{"facts":{{}},"n":{n},"text":"{}"}}"#, "kept ".repeat((n % 7 * 60) as usize)).into_bytes()
}

/// Decision `n`, a denial, with its content.
pub(crate) fn kept(n: u64) -> Entry {
    let mut record = decision(doorward_core::Verdict::Deny, doorward_core::Custody::Bound);
    record.v = doorward_core::record::DecisionRecord::VERSION;
    record.id = format!("{n:026}").into();
    record.time = jiff::Timestamp::from_second(1_700_000_000 + n as i64).unwrap();
    record.inspected = doorward_core::Digest::of(&content(n));
    let record = doorward_core::record::Record::Decision(Box::new(record));
    Entry::with_content(record, doorward_ledger::ArgsKept::default(), content(n)).unwrap()
}

/// Appends decisions of these numbers with their content.
pub(crate) fn fill_kept(log: &Log, numbers: std::ops::Range<u64>) {
    let waits: Vec<_> = numbers.clone().map(|n| log.append_entry(kept(n)).unwrap()).collect();
    for (n, wait) in numbers.zip(waits) {
        assert_eq!(wait.wait().unwrap(), n);
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    hex(&sha2::Sha256::digest(bytes))
}

/// A decision as the gate writes it.
pub(crate) fn decision(
    verdict: doorward_core::Verdict,
    custody: doorward_core::Custody,
) -> doorward_core::record::DecisionRecord {
    use doorward_core::record::{DecisionRecord, PolicySummary, ResourceName, RiskSummary};
    DecisionRecord {
        v: 1,
        id: DecisionId::fresh(),
        time: jiff::Timestamp::now(),
        surface: doorward_core::call::Surface::Hook,
        custody,
        principal: doorward_core::Principal { id: "user:ana".into(), groups: vec!["dev".into()] },
        agent: Some("coder".into()),
        session: "s1".into(),
        workflow: None,
        call: "toolu_01".into(),
        action: "tool:execute".into(),
        resource: ResourceName { kind: "tool".into(), name: "shell:execute".into() },
        class: doorward_core::ToolClass::Execute,
        args_digest: Some(doorward_core::id::Digest::of(b"{}")),
        args: doorward_core::json::Value::parse(r#"{"command":"cargo test"}"#).ok(),
        inspected: doorward_core::Digest::of(b"inspected"),
        sandbox: None,
        policy: PolicySummary {
            decision: Some(verdict),
            code: "policy.permit".into(),
            reason: "permitted".into(),
            ids: vec!["p1".into()],
            bundle: doorward_core::id::Digest::of(b"bundle").into_string(),
            flips: Vec::new(),
        },
        mode: doorward_core::PermissionMode::Default,
        basis: doorward_core::Basis::Rule,
        risk: RiskSummary { level: doorward_core::SecurityRisk::Medium, score: Some(45), by: Vec::new() },
        guardian: None,
        user: None,
        verdict,
        code: "policy.permit".into(),
        reason: "permitted by p1".into(),
        marks: vec![],
        obligations: Vec::new(),
        took_us: 120,
    }
}
