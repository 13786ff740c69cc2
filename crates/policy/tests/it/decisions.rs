//! Decides every row of level `engine` with the embedded engine, with the index and without.

use doorward_core::decision::PolicyDecision;
use doorward_policy::request::SeedRequest;
use doorward_policy::testing::{Row, compile, engine_request, run_row};

fn rows() -> Vec<Row> {
    include_str!("../../testdata/decisions.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

#[test]
fn engine_rows_are_answered_as_expected() {
    let mut failed = Vec::new();
    let mut count = 0;
    for row in rows().iter().filter(|row| row.level == "engine") {
        let result = run_row(row, &mut |_, _, _| PolicyDecision::deny("whole", "not here"));
        count += 1;
        if !result.passed() {
            failed.push(format!("{} {:?}", result.id, result.failures));
        }
    }
    assert_eq!(count, 153);
    assert!(failed.is_empty(), "{} of {count}:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn slices_and_the_whole_set_answer_alike() {
    for row in rows().iter().filter(|row| row.level == "engine") {
        let Some(value) = &row.request else { continue };
        let (Ok(request), Ok(set)) = (SeedRequest::of(value, &row.tools), compile(row)) else { continue };
        let request = engine_request(row, &request, set.identity()).unwrap();
        assert_eq!(set.decide(&request), set.decide_unsliced(&request), "{}", row.id);
    }
}

#[test]
fn rules_that_are_refused_at_load_are_refused_in_rows_too() {
    for row in rows().iter().filter(|row| row.level == "whole") {
        let expects_load = row.expect_code.as_deref() == Some("policy.load");
        assert_eq!(compile(row).is_err(), expects_load, "{}", row.id);
    }
}
