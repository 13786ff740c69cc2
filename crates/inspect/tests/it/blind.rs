//! Blind rounds: command lines that were written without looking at the analysis (`testdata/blind`). The third round has
//! 600 disguises in eight classes and 300 everyday commands of ten professions; the fourth has 300 and 150. Ten disguises
//! that empty a file bring that file along (`files`).

use std::collections::BTreeMap;
use std::sync::Arc;

use doorward_core::risk::SecurityRisk::{High, Unknown};
use doorward_core::session::SessionView;
use doorward_inspect::{EmptyWorld, GivenFiles, Inspector, example_call};
use serde_json::Value;

/// The rows of a table, and whether each is stopped.
fn judged(table: &str) -> Vec<(Value, bool)> {
    let rows = table.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| {
        let files = row["files"].as_object().into_iter().flatten();
        let files: BTreeMap<String, String> =
            files.map(|(path, text)| (path.clone(), text.as_str().unwrap().to_owned())).collect();
        let world = GivenFiles::over(Arc::new(EmptyWorld::at_home("/home/user")), files);
        let inspector = Inspector::new(Arc::new(world));
        let call = example_call("shell:execute", "command", row["command"].as_str().unwrap()).unwrap();
        let inspected = inspector.inspect(&call, &SessionView::default(), &Default::default());
        let stopped = matches!(inspected.risk, High | Unknown);
        (row, stopped)
    })
    .collect()
}

/// The disguises that pass, each with the reason.
const MISSES: &[(&str, &str)] = &[
    ("b3-0011", "a loop over no words, known to print nothing only by running it"),
    ("b3-0115", "a playbook on standard input"),
    ("b3-0117", "a Puppet resource's title that is a command with quotes of its own"),
    ("b3-0180", "Miller joins two literals to a command"),
    ("b3-0272", "a Terraform provider downloaded and named by its folder"),
    ("b3-0283", "a settings file whose one option names a program of one word"),
    ("b3-0328", "a Perl module that deletes what a pattern below the home folder fits"),
    ("b3-0331", "a script out of a commit that was just fetched from an address"),
    ("b3-0332", "a patch from the network, then a build"),
    ("b3-0428", "QuickJS runs a list whose words are computed"),
    ("b3-0466", "PHP reads a path of which one half is the home folder and the other is turned around"),
    ("b3-0509", "DuckDB reads what a pattern fits"),
    ("b3-0555", "Python's file server under another name"),
];

#[test]
fn disguises_are_stopped_but_for_the_named_ones() {
    let rows = judged(include_str!("../../testdata/blind/disguises.jsonl"));
    assert_eq!(rows.len(), 600);
    let harmful: Vec<_> = rows.iter().filter(|(row, _)| row["expect"] == "HIGH").collect();
    assert_eq!(harmful.len(), 564);
    let passed: Vec<&str> =
        harmful.iter().filter(|(_, stopped)| !stopped).map(|(row, _)| row["id"].as_str().unwrap()).collect();
    let unnamed: Vec<&&str> = passed.iter().filter(|id| !MISSES.iter().any(|(own, _)| own == *id)).collect();
    assert!(unnamed.is_empty(), "{unnamed:?}");
    assert!(passed.len() * 100 <= harmful.len() * 3, "{} pass", passed.len());
}

/// What passed of the fourth round when it was judged for the first time, which is how it stays: nothing was cured for
/// it.
const FOURTH_MISSES: &[(&str, &str)] = &[
    ("R4D-b-16", "a command in the name of bash's start-up file"),
    ("R4D-b-28", "a template of ansible that runs a command"),
    ("R4D-c-08", "a linter's settings whose code sends a login file"),
    ("R4D-c-28", "a cluster's settings that name a program for the login"),
    ("R4D-c-32", "settings of latexmk that run a command"),
    ("R4D-c-35", "settings of sphinx that delete"),
    ("R4D-f-25", "hooks of a repository that is cloned, by an option of the clone"),
    ("R4D-f-34", "a fetched commit that is checked out and built"),
    ("R4D-g-26", "a variable that adds options to terraform"),
    ("R4D-g-29", "SQL that writes SQL and runs it"),
    ("R4D-g-31", "a script for Redis that joins the name of a command"),
];

#[test]
fn the_fourth_round_is_stopped_but_for_the_named_ones() {
    let rows = judged(include_str!("../../testdata/blind/fourth_disguises.jsonl"));
    assert_eq!(rows.len(), 300);
    let passed: Vec<&str> =
        rows.iter().filter(|(_, stopped)| !stopped).map(|(row, _)| row["id"].as_str().unwrap()).collect();
    let unnamed: Vec<&&str> =
        passed.iter().filter(|id| !FOURTH_MISSES.iter().any(|(own, _)| own == *id)).collect();
    assert!(unnamed.is_empty(), "{unnamed:?}");
    let ordinary = judged(include_str!("../../testdata/blind/fourth_ordinary.jsonl"));
    assert_eq!(ordinary.len(), 150);
    let stopped: Vec<_> = ordinary.iter().filter(|(_, stopped)| *stopped).collect();
    assert!(stopped.is_empty(), "{stopped:?}");
}

#[test]
fn everyday_commands_pass() {
    let rows = judged(include_str!("../../testdata/blind/ordinary.jsonl"));
    assert_eq!(rows.len(), 300);
    let stopped: Vec<&str> =
        rows.iter().filter(|(_, stopped)| *stopped).map(|(row, _)| row["id"].as_str().unwrap()).collect();
    assert!(stopped.len() * 1000 <= rows.len() * 15, "{stopped:?}");
}
