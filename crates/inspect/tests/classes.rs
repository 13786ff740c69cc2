//! Tables of whole classes of commands, each with the innocent twins of what must be stopped.
//!
//! A row of `testdata/classes/*.txt` is a word and a command (`⏎` is a line end): `stop` must be HIGH or UNKNOWN,
//! `told` anything but LOW, `pass` LOW or MEDIUM, `low` LOW. A row of `session_runs.jsonl` names files that an earlier
//! call of the session wrote.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::sync::Arc;

use doorward_core::effect::HostClass;
use doorward_core::risk::SecurityRisk::{self, High, Low, Medium, Unknown};
use doorward_core::session::{SessionView, WrittenFile};
use doorward_inspect::{EmptyWorld, HostJudge, Inspector, JudgedUrl, PlainHosts, example_call};
use serde_json::Value;

/// The built-in judge, and names without a dot are private, as the network's own rules have it.
struct SingleLabelsArePrivate;

impl HostJudge for SingleLabelsArePrivate {
    fn judge_host(&self, host: &str, port: Option<u16>, scheme: &str) -> (HostClass, Option<String>) {
        match PlainHosts.judge_host(host, port, scheme) {
            (HostClass::Public, _) if !host.contains('.') => {
                (HostClass::Private, Some("net.private".to_owned()))
            }
            judged => judged,
        }
    }

    fn judge_url(&self, url: &str) -> JudgedUrl {
        let judged = PlainHosts.judge_url(url);
        let known = ["http", "https", "ssh", "git", "ftp", "sftp", "ws", "wss"];
        let (class, code) = if known.contains(&judged.scheme.as_str()) {
            self.judge_host(&judged.host, judged.port, &judged.scheme)
        } else {
            (HostClass::Refused, Some("net.scheme_denied".to_owned()))
        };
        JudgedUrl { class, code, ..judged }
    }
}

fn inspector() -> Inspector {
    Inspector::new(Arc::new(EmptyWorld::at_home("/home/user"))).with_hosts(Arc::new(SingleLabelsArePrivate))
}

fn fits(word: &str, risk: SecurityRisk) -> bool {
    match word {
        "stop" => matches!(risk, High | Unknown),
        "told" => risk != Low,
        "pass" => matches!(risk, Low | Medium),
        "low" => risk == Low,
        other => panic!("no such word: {other}"),
    }
}

/// Every row of a table whose risk isn't what its word says.
fn misses(table: &str, session: &SessionView) -> Vec<String> {
    let inspector = inspector();
    let rows: Vec<&str> = table.lines().filter(|line| !line.is_empty() && !line.starts_with("## ")).collect();
    assert!(rows.len() > 30, "{} rows", rows.len());
    rows.iter()
        .filter_map(|row| {
            let (word, command) = row.split_once(' ').unwrap();
            let call = example_call("shell:execute", "command", &command.replace('⏎', "\n")).unwrap();
            let inspected = inspector.inspect(&call, session, &Default::default());
            let codes: Vec<&str> = inspected.findings.iter().map(|finding| finding.code.as_ref()).collect();
            (!fits(word, inspected.risk)).then(|| format!("{} {row} {codes:?}", inspected.risk))
        })
        .collect()
}

fn holds(table: &str) {
    let misses = misses(table, &SessionView::default());
    assert!(misses.is_empty(), "{} rows:\n{}", misses.len(), misses.join("\n"));
}

#[test]
fn readers_that_run_code_are_not_low() {
    holds(include_str!("../testdata/classes/reads_that_run.txt"));
}

#[test]
fn a_plain_assignment_of_an_exported_name_is_carried() {
    holds(include_str!("../testdata/classes/exported_names.txt"));
}

#[test]
fn what_one_line_writes_and_runs_is_judged_by_what_it_wrote() {
    holds(include_str!("../testdata/classes/written_then_run.txt"));
}

#[test]
fn options_that_say_what_runs_are_followed_in_any_program() {
    holds(include_str!("../testdata/classes/named_options.txt"));
}

#[test]
fn secrets_are_seen_however_they_are_reached() {
    holds(include_str!("../testdata/classes/secrets_read.txt"));
}

#[test]
fn settings_that_last_and_senses_are_seen() {
    holds(include_str!("../testdata/classes/persist_and_sense.txt"));
}

#[test]
fn false_alarms_are_quiet() {
    holds(include_str!("../testdata/classes/false_alarms.txt"));
}

#[test]
fn what_an_earlier_call_wrote_is_judged_when_it_runs() {
    let inspector = inspector();
    let mut misses = Vec::new();
    for row in include_str!("../testdata/classes/session_runs.jsonl").lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let written = row["files"].as_object().unwrap().iter().map(|(path, text)| {
            let content = Some(text.as_str().unwrap().to_owned());
            (format!("/workspace/{path}"), WrittenFile { content, ..WrittenFile::default() })
        });
        let session = SessionView { written: written.collect(), ..SessionView::default() };
        let call = example_call("shell:execute", "command", row["command"].as_str().unwrap()).unwrap();
        let inspected = inspector.inspect(&call, &session, &Default::default());
        if !fits(row["expect"].as_str().unwrap(), inspected.risk) {
            let codes: Vec<&str> = inspected.findings.iter().map(|finding| finding.code.as_ref()).collect();
            misses.push(format!("{} {row} {codes:?}", inspected.risk));
        }
    }
    assert!(misses.is_empty(), "{} rows:\n{}", misses.len(), misses.join("\n"));
}
