//! The tables against what may arrive: any words without a panic, and how many programs of the collected commands
//! they know.

use std::collections::BTreeMap;

use doorward_core::{SecurityRisk, Span};
use doorward_shell::deed::{Argv, Word};
use doorward_shell::programs::{Context, describe, is_known};
use doorward_shell::{Options, analyze, languages};
use proptest::prelude::*;

const PROGRAMS: &[&str] = &[
    "git",
    "find",
    "tar",
    "sed",
    "awk",
    "env",
    "sudo",
    "xargs",
    "parallel",
    "curl",
    "wget",
    "ssh",
    "rsync",
    "docker",
    "kubectl",
    "psql",
    "perl",
    "ruby",
    "python3",
    "node",
    "bash",
    "chmod",
    "dd",
    "npm",
    "pip",
    "cargo",
    "apt",
    "systemctl",
    "screen",
    "tmux",
    "gdb",
    "vim",
    "jq",
    "aws",
    "terraform",
    "flock",
    "strace",
    "unknown-thing",
    "bwrap",
    "pwsh",
    "openssl",
];
const PARTS: &[&str] = &[
    "-c", "-e", "--", "-", "{}", ";", "+", "rm", "-o", "-x", "=", "…", "--a=", "a:b", ":::", "'", "\"",
    "$(x)", "-exec",
];
const LANGUAGES: &[&str] = &[
    "python",
    "javascript",
    "ruby",
    "perl",
    "php",
    "sql",
    "psql",
    "sqlite",
    "awk",
    "sed",
    "powershell",
    "cmd",
    "elisp",
    "lua",
    "tcl",
    "make",
    "ed",
    "r",
    "mongo",
    "other",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "-{0,2}[a-zA-Z0-9=:,./@{}+-]{0,12}",
        "\\PC{0,12}",
        prop::sample::select(PARTS).prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_words_panic(
        program in prop::sample::select(PROGRAMS),
        words in prop::collection::vec(word(), 0..8),
    ) {
        let words = std::iter::once(program.to_owned())
            .chain(words)
            .map(|text| Word::literal(text, Span::new(0, 3)))
            .collect();
        let deeds = describe(&Argv { words, ..Argv::default() }, &Context::default());
        let acts = !deeds.writes.is_empty()
            || !deeds.deletes.is_empty()
            || !deeds.hosts.is_empty()
            || !deeds.runs.is_empty();
        prop_assert!(!deeds.read_only || !acts || matches!(program, "find" | "fd"));
    }

    #[test]
    fn no_code_panics(
        language in prop::sample::select(LANGUAGES),
        text in "[a-z(){}'\"`$@%#|&;:<>=+*/.,! é0-9\n\t\\[\\]\\\\-]{0,60}",
    ) {
        let called = languages::Invocation::default();
        let _ = languages::describe(language, &text, called, Span::default(), &Context::default());
    }
}

fn rows(name: &str) -> Option<Vec<serde_json::Value>> {
    let text = std::fs::read_to_string(doorward_needs::data!(name)?).unwrap();
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// What stops a command whatever the paths in it turn out to be.
fn stops(command: &str) -> Vec<String> {
    let intent = analyze(command, &Options::default());
    let high = |finding: &&doorward_core::Finding| {
        matches!(finding.risk, Some(SecurityRisk::High | SecurityRisk::Unknown))
    };
    let mut why: Vec<String> = intent
        .findings
        .iter()
        .filter(high)
        .map(|finding| format!("{}: {}", finding.code, finding.message))
        .collect();
    why.extend(intent.privilege.iter().map(|privilege| format!("privilege: {}", privilege.detail)));
    why.extend(intent.history_loss.iter().map(|loss| format!("history: {}", loss.what)));
    why.extend(intent.unknown.iter().map(|unknown| unknown.code.clone()));
    why
}

#[test]
fn reading_is_not_stopped() {
    let Some(rows) = rows("shell/commands_dev.jsonl") else { return };
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut quiet: BTreeMap<String, usize> = BTreeMap::new();
    for row in &rows {
        let (label, source) = (row["label"].as_str().unwrap(), row["source"].as_str().unwrap());
        if !matches!(label, "read_only" | "project_edit" | "clean_up" | "network") || source == "nah-corpus" {
            continue;
        }
        let command = row["command"].as_str().unwrap();
        let why = stops(command);
        let count = counts.entry(format!("{source} {label}")).or_default();
        count.1 += 1;
        if label == "read_only" && !analyze(command, &Options::default()).is_read_only() {
            *quiet.entry(source.to_owned()).or_default() += 1;
        }
        if !why.is_empty() {
            count.0 += 1;
            if label == "read_only" || source == "dev-benign" {
                println!("{source} {label}: {command:?} {why:?}");
            }
        }
    }
    println!("stopped of all: {counts:?}");
    println!("labelled read-only but not proven so: {quiet:?}");
    let (stopped, all) = counts
        .iter()
        .filter(|(name, _)| name.ends_with("read_only"))
        .fold((0, 0), |sum, (_, count)| (sum.0 + count.0, sum.1 + count.1));
    assert!(stopped * 100 <= all * 3, "{stopped} of {all}");
}

#[test]
fn daily_work_passes() {
    let Some(rows) = rows("openhands/commands.jsonl") else { return };
    for row in rows {
        let (Some(command), Some(want)) = (row["args"]["command"].as_str(), row["want"].as_str()) else {
            continue;
        };
        let why = stops(command);
        let intent = analyze(command, &Options::default());
        if want == "pass" {
            assert!(why.is_empty(), "{command}: {why:?}");
        } else if why.is_empty()
            && intent.deletes.is_empty()
            && intent.writes.is_empty()
            && intent.reads.is_empty()
        {
            println!("left to others: {command}");
        }
    }
}

#[test]
fn the_tables_know_what_people_run() {
    let Some(rows) = rows("shell/commands_dev.jsonl") else { return };
    let mut coverage: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut strangers: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows {
        let source = row["source"].as_str().unwrap().to_owned();
        let intent = analyze(row["command"].as_str().unwrap(), &Options::default());
        for command in &intent.commands {
            let file = command.words.first().is_none_or(|first| first.contains('/'));
            if file || command.unknown_words.contains(&0) {
                continue;
            }
            let counts = coverage.entry(source.clone()).or_default();
            counts.1 += 1;
            if is_known(&command.program) {
                counts.0 += 1;
            } else {
                *strangers.entry(command.program.clone()).or_default() += 1;
            }
        }
    }
    for (source, (known, all)) in &coverage {
        println!("{source}: {known} of {all} ({:.1} %)", 100.0 * *known as f64 / *all as f64);
    }
    let mut strangers: Vec<_> = strangers.into_iter().collect();
    strangers.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    println!("not in the tables: {:?}", strangers.iter().take(80).collect::<Vec<_>>());
    let (known, all) = coverage.values().fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1));
    assert!(known * 100 >= all * 90, "{known} of {all}");
}
