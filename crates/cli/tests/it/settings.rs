//! Every setting does what it says: each key is turned once, through the built binary, and what a user sees must change
//! as its row demands. A key without a row fails the test, so that no setting can be accepted and do nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use crate::support::Bench;
use crate::turned;
use crate::turned::{Row, rows};

/// Keys that another test turns, because their effect takes time, two machines or a second user: the file, and the test's
/// name in it.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("egress.ask_s", "crates/doorward/tests/it/egress.rs", "nobody_who_answers_is_a_no"),
    (
        "egress.credentials",
        "crates/doorward/tests/it/egress.rs",
        "credentials_are_placeholders_in_the_environment",
    ),
    (
        "egress.intercept",
        "crates/doorward/tests/it/egress.rs",
        "credentials_are_placeholders_in_the_environment",
    ),
    ("hooks.wait_s", "crates/cli/tests/attack/emission.rs", "queued_question"),
    (
        "policy.groups",
        "crates/cli/tests/it/code_tools.rs",
        "seed_004_only_editors_run_code_and_only_within_the_limits",
    ),
    (
        "toolshield.explore",
        "crates/cli/tests/it/toolshield.rs",
        "the_first_meeting_with_a_server_offers_to_explore_it",
    ),
    (
        "net.dns_timeout_ms",
        "crates/net/tests/it/client.rs",
        "a_name_server_slower_than_dns_timeout_ms_is_given_up",
    ),
    (
        "egress.upstream_resolves",
        "crates/net/tests/it/proxy.rs",
        "through_another_proxy_to_the_address_that_was_checked",
    ),
];

#[test]
fn every_key_has_a_row_and_every_row_a_key() {
    let bench = Bench::new("");
    let (code, text) = bench.doorward(&["config", "explain", "--json"]);
    assert_eq!(code, 0, "{text}");
    let keys: BTreeSet<String> = text
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["key"].as_str().unwrap().to_owned()
        })
        .collect();
    let turned = rows()
        .into_iter()
        .map(|row| row.key.to_owned())
        .chain(ELSEWHERE.iter().map(|(key, ..)| (*key).to_owned()));
    let turned: BTreeSet<String> = turned.collect();
    let without: Vec<_> = keys.difference(&turned).collect();
    // Of a table with free names no key is listed before it is set.
    let unknown: Vec<_> = turned.difference(&keys).filter(|key| !key.ends_with(".*")).collect();
    assert!(without.is_empty(), "keys that no row turns: {without:?}");
    assert!(unknown.is_empty(), "rows for keys that don't exist: {unknown:?}");
}

#[test]
fn tests_named_for_keys_turn_them() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (key, file, test) in ELSEWHERE {
        let text = std::fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let name = key.rsplit('.').next().unwrap();
        assert!(text.contains(&format!("fn {test}(")), "{key}: {file} has no test {test}");
        assert!(text.contains(name), "{key}: {file} never names it");
    }
}

#[test]
fn every_key_changes_what_its_row_demands() {
    let wanted = std::env::var("DOORWARD_KEY").unwrap_or_default();
    let wrong: Mutex<BTreeMap<&str, String>> = Mutex::default();
    let rows: Vec<Row> = rows().into_iter().filter(|row| row.key.starts_with(&wanted)).collect();
    assert!(!rows.is_empty(), "DOORWARD_KEY={wanted}: no such key");
    // Most rows wait for a process, a limit or a time: some at once.
    std::thread::scope(|scope| {
        for some in rows.chunks(rows.len().div_ceil(6)) {
            scope.spawn(|| {
                some.iter().for_each(|row| {
                    if let Err(why) = turn(row) {
                        wrong.lock().unwrap().insert(row.key, why);
                    }
                })
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    let told: Vec<String> = wrong.iter().map(|(key, why)| format!("{key}: {why}")).collect();
    assert!(wrong.is_empty(), "{} keys don't do what their row demands:\n{}", wrong.len(), told.join("\n\n"));
}

fn turn(row: &Row) -> Result<(), String> {
    let (before, expected_before) = turned::observe(row, row.base, row.before);
    let (after, expected_after) = turned::observe(row, row.turned, row.after);
    let short = |text: &str| text.chars().take(1_500).collect::<String>();
    if !before.contains(&expected_before) {
        return Err(format!("before it is turned, {expected_before:?} was expected in: {}", short(&before)));
    }
    if !after.contains(&expected_after) {
        return Err(format!("once it is turned, {expected_after:?} was expected in: {}", short(&after)));
    }
    // What is expected must tell the two apart.
    if before.contains(&expected_after) && after.contains(&expected_before) {
        return Err(format!("nothing tells the two apart: {}", short(&after)));
    }
    Ok(())
}
