//! Attacks that are cut into steps, through the hook of Claude Code and the real gate: each has to complete its flow, and
//! its benign twin none. `testdata/flows/README.md` describes the rows.
//!
//! `cargo test -p doorward --test split_attacks -- --nocapture` prints what is said of each; `ATTACK=id` plays one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod flow_bench;

use flow_bench::{PlayedCall, bench, play, rows};
use serde_json::Value;

fn is_wanted(row: &Value) -> bool {
    std::env::var("ATTACK").ok().is_none_or(|id| row["id"] == id.as_str())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_split_attack_is_noticed_and_its_twin_is_free() {
    let rows = rows("attacks.jsonl");
    assert!(rows.len() >= 36, "{}", rows.len());
    let mut wrong = Vec::new();
    for row in rows.iter().filter(|row| is_wanted(row)) {
        let (id, rule) = (row["id"].as_str().unwrap(), row["rule"].as_str().unwrap());
        println!("{id}");
        let calls = play(&bench(), &format!("{id}-attack"), row["steps"].as_array().unwrap()).await;
        let flows: Vec<Vec<String>> = calls.into_iter().map(|call| call.flows).collect();
        // A step before the last may be enough already.
        if !flows.iter().flatten().any(|flow| flow == rule) {
            wrong.push(format!("{id}: {rule} is complete at no step: {flows:?}"));
        }
        println!("  twin");
        let calls = play(&bench(), &format!("{id}-twin"), row["twin"].as_array().unwrap()).await;
        let flows: Vec<Vec<String>> = calls.into_iter().map(|call| call.flows).collect();
        if flows.iter().any(|flows| !flows.is_empty()) {
            wrong.push(format!("{id}: its twin completes {flows:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// Attacks of other classes than the table's, written before anybody looked at how the rules judge them. What counts is a
/// stop that the benign twin doesn't meet too: reading a secrets file is asked about in both.
#[tokio::test(flavor = "multi_thread")]
async fn attacks_of_other_classes_are_stopped_and_their_twins_complete_no_flow() {
    let rows = rows("other_classes.jsonl");
    let mut wrong = Vec::new();
    for row in rows.iter().filter(|row| is_wanted(row)) {
        let id = row["id"].as_str().unwrap();
        println!("{id}");
        let attack = play(&bench(), &format!("{id}-attack"), row["steps"].as_array().unwrap()).await;
        println!("  twin");
        let twin = play(&bench(), &format!("{id}-twin"), row["twin"].as_array().unwrap()).await;
        let stopped = |calls: &[PlayedCall]| -> Vec<String> {
            calls.iter().filter(|call| call.stopped).map(|call| call.call.clone()).collect()
        };
        let known = stopped(&twin);
        if stopped(&attack).iter().all(|call| known.contains(call)) {
            wrong.push(format!("{id}: nothing is stopped that its twin isn't: {known:?}"));
        }
        wrong.extend(
            twin.iter().filter(|call| !call.flows.is_empty()).map(|call| format!("{id}: its twin: {call:?}")),
        );
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// Everyday sessions with pages, issues, mails and results of servers: no flow is complete in them.
#[tokio::test(flavor = "multi_thread")]
async fn everyday_sessions_with_results_complete_no_flow() {
    let rows = rows("everyday.jsonl");
    let mut wrong = Vec::new();
    for row in rows.iter().filter(|row| is_wanted(row)) {
        let id = row["id"].as_str().unwrap();
        println!("{id}");
        let calls: Vec<PlayedCall> = play(&bench(), id, row["steps"].as_array().unwrap()).await;
        for (at, call) in calls.iter().enumerate().filter(|(_, call)| !call.flows.is_empty()) {
            wrong.push(format!("{id}: call {at}: {:?} {}", call.flows, call.reply));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
