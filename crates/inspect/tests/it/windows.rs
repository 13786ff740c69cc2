//! PowerShell and cmd as shells of a call: tables of commands with the risk they must have, ways to hide plain deeds,
//! and texts that nobody meant.
//!
//! A row of `testdata/windows/*.txt` is a word and a command: `stop` must be HIGH or UNKNOWN, `pass` LOW or MEDIUM,
//! `low` LOW. The rows were written from Microsoft's documentation before anything was judged.

use std::sync::Arc;
use std::time::Instant;

use doorward_core::json::Value;
use doorward_core::risk::SecurityRisk::{self, High, Low, Medium, Unknown};
use doorward_core::session::SessionView;
use doorward_inspect::{EmptyWorld, Inspector, codes, example_call};
use proptest::prelude::*;

fn judged(shell: &str, command: &str) -> (SecurityRisk, String) {
    let mut call = example_call("shell:execute", "command", command).unwrap();
    call.args.insert("shell".to_owned(), Value::from(shell));
    let inspector = Inspector::new(Arc::new(EmptyWorld::at_home("/home/user")));
    let inspected = inspector.inspect(&call, &SessionView::default(), &Default::default());
    (inspected.risk, format!("{:?}", codes(&inspected)))
}

/// Rows that don't fit, and how many rows of each word there are.
fn wrong(shell: &str, table: &str) -> (Vec<(String, String)>, [usize; 3]) {
    let mut counts = [0; 3];
    let mut wrong = Vec::new();
    for row in table.lines().filter(|row| !row.is_empty()) {
        let (word, command) = row.split_once(' ').unwrap();
        let (risk, codes) = judged(shell, command);
        let (at, fits) = match word {
            "low" => (0, risk == Low),
            "pass" => (1, matches!(risk, Low | Medium)),
            "stop" => (2, matches!(risk, High | Unknown)),
            other => panic!("no such word: {other}"),
        };
        counts[at] += 1;
        if !fits {
            wrong.push((word.to_owned(), format!("{row}\n    {risk:?} {codes}")));
        }
    }
    (wrong, counts)
}

fn check(shell: &str, table: &str, least: usize) {
    let (wrong, [low, pass, stop]) = wrong(shell, table);
    let shown: Vec<&str> = wrong.iter().map(|(_, row)| row.as_str()).collect();
    println!("{shell}: {low} read-only, {pass} everyday, {stop} harmful; {} don't fit", wrong.len());
    assert!(low + pass + stop >= least, "{}", low + pass + stop);
    assert!(wrong.is_empty(), "\n{}", shown.join("\n"));
}

#[test]
fn powershell_is_judged_as_powershell() {
    check("powershell", include_str!("../../testdata/windows/powershell.txt"), 150);
}

#[test]
fn cmd_is_judged_as_cmd() {
    check("cmd", include_str!("../../testdata/windows/cmd.txt"), 80);
}

#[test]
fn plain_deeds_are_seen_in_every_dress() {
    let rows: Vec<&str> = include_str!("../../testdata/windows/rewrites.txt").lines().collect();
    assert!(rows.len() >= 40);
    let allowed: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            let (shell, command) = row.split_once(' ').unwrap();
            let (risk, codes) = judged(shell, command);
            (!matches!(risk, High | Unknown)).then(|| format!("{row}\n    {risk:?} {codes}"))
        })
        .collect();
    assert!(allowed.is_empty(), "\n{}", allowed.join("\n"));
}

#[test]
fn deep_nesting_is_refused_and_never_allowed() {
    for shell in ["powershell", "cmd"] {
        for piece in
            ["(", "{", "$(", "@(", "[", "\"$(", "if (1) { ", "& { ", "- ", "!", "@{a=", "$a[", "for %i in ("]
        {
            let text = piece.repeat(100_000);
            let (risk, codes) = judged(shell, &text);
            // Where the marks nest for that shell they are refused; where they are plain letters the name is unknown.
            let nests = shell == "powershell" || piece == "(";
            assert!(
                matches!(risk, Unknown | High) || !nests && risk != Low,
                "{shell} {piece}: {risk:?} {codes}"
            );
        }
    }
}

#[test]
fn long_texts_take_time_in_proportion() {
    for (shell, piece) in [
        ("powershell", "Get-ChildItem src | Where-Object { $_.Length -gt 5 }; "),
        ("powershell", "$a = 'x' + 'y'; "),
        ("powershell", "\"a $b c\"\n"),
        ("cmd", "dir src & "),
        ("cmd", "set a=%a%x\n"),
        ("cmd", "((((a"),
    ] {
        let time = |bytes: usize| {
            let text = piece.repeat(bytes / piece.len());
            let start = Instant::now();
            judged(shell, &text);
            start.elapsed().as_secs_f64()
        };
        time(10_000);
        let (short, long) = (time(100_000), time(1_000_000));
        assert!(long < short * 40.0 + 2.0, "{shell} {piece:?}: {short:.3} s, then {long:.3} s");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_text_panics(
        shell in prop::sample::select(vec!["powershell", "cmd"]),
        text in "[-a-zA-Z0-9(){}'\"`$@%#|&;:<>=+*/.,!^~? é–…\n\t\\[\\]\\\\]{0,80}",
    ) {
        judged(shell, &text);
    }

    #[test]
    fn no_bytes_panic(
        shell in prop::sample::select(vec!["powershell", "cmd"]),
        bytes in prop::collection::vec(any::<u8>(), 0..120),
    ) {
        judged(shell, &String::from_utf8_lossy(&bytes));
    }
}
