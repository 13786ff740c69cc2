//! Whole-way rows: a rule or a policy set, one command, the product's own analysis, one verdict.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use doorward_core::decision::{PolicyDecision, Verdict};
use doorward_policy::testing::{self, Row};
use serde_json::{Value, json};

fn rows(path: &str) -> Vec<Value> {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn whole(row: &Row) -> testing::RowResult {
    testing::run_row(row, &mut |row, _, request| match testing::compile(row) {
        Ok(compiled) => doorward::testing::whole(row, compiled, request),
        Err(error) => PolicyDecision::deny("policy.load", error.to_string()),
    })
}

/// The verdict for a command under one rule.
fn under_rule(row: &Value) -> PolicyDecision {
    let list = row["effect"].as_str().unwrap();
    let row = json!({
        "id": row["id"], "level": "whole", "policies": {"rules": {list: [row["rule"]]}}, "mode": row["mode"],
        "request": {"principal": {"id": "u"}, "action": "tool:execute",
            "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": row["command"]}}}},
        "expect": "ALLOW",
    });
    whole(&serde_json::from_value(row).unwrap()).decision
}

#[test]
fn no_attack_on_a_rule_is_allowed() {
    let (mut failed, mut strict, mut strict_held) = (Vec::new(), 0, 0);
    for row in rows("testdata/rule_bypass.jsonl") {
        let decision = under_rule(&row);
        if decision.decision == Verdict::Allow {
            failed.push(format!("{} {}: {}", row["id"], row["rule"], row["command"]));
        }
        if row["expect_strict"] == "deny" {
            strict += 1;
            strict_held += usize::from(decision.decision == Verdict::Deny);
        }
    }
    eprintln!("{strict_held} of {strict} visible evasions denied rather than asked about");
    assert!(failed.is_empty(), "{} allowed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_innocent_twin_is_allowed_without_a_question() {
    let mut failed = Vec::new();
    for row in rows("testdata/rule_benign.jsonl") {
        let decision = under_rule(&row);
        if decision.decision != Verdict::Allow {
            failed.push(format!(
                "{} {}: {} → {} {}",
                row["id"], row["rule"], row["command"], decision.code, decision.reason
            ));
        }
    }
    assert!(failed.is_empty(), "{} stopped:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_recorded_decision_comes_out_as_expected() {
    let mut failed = Vec::new();
    let rows = rows("../policy/testdata/decisions.jsonl");
    for row in &rows {
        let result = whole(&serde_json::from_value(row.clone()).unwrap());
        if !result.passed() {
            failed.push(format!("{}: {:?}", result.id, result.failures));
        }
    }
    assert!(failed.is_empty(), "{} of {} failed:\n{}", failed.len(), rows.len(), failed.join("\n"));
}

/// Rows of a table whose verdict isn't what they say: `allow`, `not_allow`, a deny rule that is `met`, or `not_met`.
fn rule_misses(table: &str) -> Vec<String> {
    let mut misses = Vec::new();
    for row in rows(table) {
        let decision = under_rule(&row);
        let met = decision.code.starts_with("rule.");
        let fits = match row["expect"].as_str().unwrap() {
            "allow" => decision.decision == Verdict::Allow,
            "not_allow" => decision.decision != Verdict::Allow,
            "met" => met && decision.decision != Verdict::Allow,
            "not_met" => !met,
            other => panic!("no such expectation: {other}"),
        };
        if !fits {
            misses.push(format!(
                "{} {} {}: {} → {:?} {} {}",
                row["id"],
                row["expect"],
                row["rule"],
                row["command"],
                decision.decision,
                decision.code,
                decision.reason
            ));
        }
    }
    misses
}

#[test]
fn a_rule_covers_nothing_beyond_its_program() {
    let misses = rule_misses("testdata/rule_cover.jsonl");
    assert!(misses.is_empty(), "{} rows:\n{}", misses.len(), misses.join("\n"));
}

#[test]
fn twins_of_what_rules_stop_are_free() {
    let misses = rule_misses("testdata/rule_twins.jsonl");
    assert!(misses.is_empty(), "{} rows:\n{}", misses.len(), misses.join("\n"));
}
