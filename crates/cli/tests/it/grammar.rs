//! One grammar for all subcommands. They are found in the help of the built program, so that a new one is tested by
//! being there: it has a help, takes `--json` or says why not, refuses an unknown option, names the nearest word, and
//! ends quietly when nobody reads its output.

use std::io::Read as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support::{Bench, DOORWARD};

/// Subcommands whose output belongs to another program or protocol: `--json` is refused, with the reason.
const OUTPUT_OF_OTHERS: &[&str] = &["serve", "proxy", "run", "guard", "fetch", "scan", "completions", "mcp"];
/// These are told apart before any option is read: they speak the agent's own form.
const OF_AGENTS: &[&str] = &["hook", "exec"];
/// What each needs to get as far as printing something; the others are tried without operands.
const OPERANDS: &[(&str, &[&str])] = &[
    ("check", &["ls"]),
    ("help", &["exit-codes"]),
    ("net check", &["http://127.0.0.1"]),
    ("guardian score", &["--command", "ls"]),
    ("knowledge show", &["git"]),
    ("policy pack", &["coding-agent"]),
    ("stop", &["all"]),
    ("approvals stop", &["all"]),
    ("allow", &["shell(make lint)"]),
    ("ask", &["shell(make ship)"]),
    ("deny", &["shell(make wipe)"]),
];
/// They change this machine, follow for ever, or run for minutes: only their help is read.
const NOT_RUN: &[&str] = &[
    "approvals",
    "approvals passphrase",
    "approvals watch",
    "config edit",
    "demo",
    "eval",
    "eval attacks",
    "experiences detect",
    "experiences explore",
    "install",
    "restart",
    "sandbox probe",
    "uninstall",
];

fn doorward(bench: &Bench, words: &[&str]) -> Output {
    Command::new(DOORWARD)
        .args(words)
        .env("HOME", bench.home())
        .current_dir(bench.project())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The words of every subcommand, from the help of the one above it.
fn subcommands(bench: &Bench) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(above) = open.pop() {
        let mut words: Vec<&str> = above.iter().map(String::as_str).collect();
        words.push("--help");
        let help = String::from_utf8(doorward(bench, &words).stdout).unwrap();
        let listed: Vec<&str> = if above.is_empty() {
            let topics = help.find("\nTopics").unwrap();
            let lines = help[..topics].lines().filter(|line| line.starts_with("  "));
            lines.filter_map(|line| line.split_whitespace().next()).collect()
        } else if let Some(at) = help.find("\nCommands:\n") {
            let lines = help[at + 11..].lines().take_while(|line| !line.is_empty());
            let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
            names.filter_map(|line| line.split_whitespace().next()).collect()
        } else {
            Vec::new()
        };
        for name in listed.into_iter().filter(|name| above.is_empty() || *name != "help") {
            let mut own = above.clone();
            own.push(name.to_owned());
            open.push(own.clone());
            found.push(own);
        }
    }
    found.sort();
    assert!(found.len() > 60, "{found:?}");
    found
}

/// Each, with its words joined and the words that make it print something.
fn each(bench: &Bench, mut look: impl FnMut(&str, &[&str]) -> Result<(), String>) {
    let mut wrong = Vec::new();
    let all = subcommands(bench);
    for own in &all {
        let name = own.join(" ");
        let words: Vec<&str> = own.iter().map(String::as_str).collect();
        let has_some_below = all.iter().any(|other| other.len() > own.len() && other.starts_with(own));
        if !has_some_below || OUTPUT_OF_OTHERS.contains(&name.as_str()) || name == "approvals" {
            wrong.extend(look(&name, &words).err().map(|why| format!("{name}: {why}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn holds(condition: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(why()) }
}

fn with_operands<'a>(bench: &'a str, name: &str, words: &[&'a str]) -> Vec<&'a str> {
    let mut all = words.to_vec();
    let operands = OPERANDS.iter().find(|(own, _)| *own == name).map_or(&[][..], |(_, operands)| operands);
    all.extend(operands);
    let stateless = ["help", "policy", "sandbox", "mcp", "completions", "guardian", "eval"];
    let checks = ["knowledge check", "guardian test", "mcp pins", "mcp approve", "mcp deny", "mcp scan"];
    if !stateless.contains(&words[0]) && name != "knowledge check" || checks[1..].contains(&name) {
        all.extend(["--state", bench]);
    }
    all
}

#[test]
fn every_subcommand_has_help_and_refuses_what_it_does_not_know() {
    let bench = Bench::new("");
    each(&bench, |name, words| {
        let help = doorward(&bench, &[words, &["--help"]].concat());
        let text = String::from_utf8_lossy(&help.stdout).into_owned();
        let usage = text.contains(&format!("doorward {name}")) || name == "help";
        holds(help.status.success() && usage && help.stderr.is_empty(), || format!("--help: {text}"))?;
        if OF_AGENTS.contains(&name) {
            return Ok(());
        }
        let wrong = doorward(&bench, &[words, &["--no-such-option"]].concat());
        let is_error = wrong.status.code() == Some(2) && wrong.stdout.is_empty() && !wrong.stderr.is_empty();
        holds(is_error, || format!("an unknown option: {wrong:?}"))
    });
}

#[test]
fn with_json_every_line_is_json_and_so_is_an_error() {
    let mut bench = Bench::new("");
    bench.serve();
    let state = bench.state().display().to_string();
    each(&bench, |name, words| {
        if OF_AGENTS.contains(&name) || NOT_RUN.contains(&name) {
            return Ok(());
        }
        let others = OUTPUT_OF_OTHERS.contains(&name);
        let words = if others { words.to_vec() } else { with_operands(&state, name, words) };
        let operand = match name {
            "fetch" => vec!["http://127.0.0.1"],
            "completions" => vec!["bash"],
            "run" | "guard" | "mcp" => vec!["--", "true"],
            _ => Vec::new(),
        };
        // Before the subcommand: behind it, a word could belong to the program that is run.
        let output = doorward(&bench, &[&["--json"], &words[..], &operand].concat());
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        for line in out.lines() {
            holds(serde_json::from_str::<Value>(line).is_ok(), || format!("printed: {line}"))?;
        }
        let code = output.status.code().unwrap();
        holds(matches!(code, 0 | 1 | 2 | 10 | 11), || format!("exit code {code}: {err}"))?;
        if code == 2 && !err.contains("Usage:") {
            let error: Value = serde_json::from_str(err.trim()).map_err(|_| format!("no JSON: {err}"))?;
            let (said, why) = (&error["error"]["code"], &error["error"]["message"]);
            holds(said.is_string() && why.is_string(), || format!("no error: {err}"))?;
            holds(others == (said == "options.json"), || format!("refused: {err}"))
        } else {
            holds(!others, || format!("takes --json, and prints what isn't its own ({code}): {err}"))
        }
    });
}

#[test]
fn nobody_reads_and_the_program_ends_quietly() {
    let mut bench = Bench::new("");
    bench.serve();
    let state = bench.state().display().to_string();
    each(&bench, |name, words| {
        if OF_AGENTS.contains(&name) || NOT_RUN.contains(&name) || OUTPUT_OF_OTHERS.contains(&name) {
            return Ok(());
        }
        let words = with_operands(&state, name, words);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut child = Command::new(DOORWARD)
            .args(&words)
            .env("HOME", bench.home())
            .current_dir(bench.project())
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let code = child.wait().unwrap().code().unwrap();
        // 141: it had something to print. Else it had nothing to print, or said on standard error what is wrong.
        let quiet = !err.contains("panicked") && !err.contains("roken pipe");
        holds(quiet && (code != 141 || err.is_empty()), || format!("{code} {err}"))
    });
    let (code, text) = bench.doorward(&["help", "settings"]);
    assert!(code == 0 && text.lines().count() > 50);
}

#[test]
fn a_mistyped_word_leads_to_the_right_one() {
    let bench = Bench::new("");
    for (words, near) in [
        (&["aprove"][..], "approve"),
        (&["approvals", "aprove"], "approve"),
        (&["audit", "verfy"], "verify"),
        (&["install", "claude-cod"], "claude-code"),
        (&["doctor", "codx"], "codex"),
        (&["help", "mode"], "modes"),
        (&["help", "alowedHosts"], "allowedHosts"),
        (&["check", "ls", "--exlain"], "--explain"),
    ] {
        let output = doorward(&bench, words);
        let text =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(near), "{words:?}: {text}");
    }
}

#[test]
fn stop_says_what_it_stops() {
    let bench = Bench::new("");
    let state = bench.state().display().to_string();
    let (code, text) = bench.doorward(&["stop", "--state", &state]);
    assert!(code == 2 && text.contains("stop all") && text.contains("stop service"), "{text}");
    let (code, text) = bench.doorward(&["stop", "service", "--state", &state]);
    assert!(code == 0 && text.contains("no service runs"), "{text}");
}
