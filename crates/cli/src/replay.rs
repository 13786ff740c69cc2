//! `doorward eval replay`: recorded runs judged again, nothing run.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use doorward::rooms::core::Verdict;
use doorward::rooms::core::mode::PermissionMode;
use doorward_lab::replay::{ReplayRates, ReplayedRun, rates, read, replay, settings};
use serde_json::json;

use crate::output::{Failure, MOST_READ, json_line};
use crate::runtime::block_on;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Runs, one JSON object a line (docs/flows.md lists the layouts)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Settings in place of the defaults
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Only the run of this name, with every step
    #[arg(long, value_name = "ID")]
    only: Option<String>,
    /// Every step of every run
    #[arg(long)]
    steps: bool,
    /// One line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let text = doorward_paths::bounded::read_text_to(&args.file, MOST_READ)?;
    let given = match &args.settings {
        Some(file) => {
            Some((file.display().to_string(), doorward_paths::bounded::read_text_to(file, MOST_READ)?))
        }
        None => None,
    };
    let settings = settings(given.as_ref().map(|(name, text)| (name.as_str(), text.clone())))?;
    let mut runs = Vec::new();
    let mut left_out = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let run = match read(line) {
            Ok(run) => run,
            Err(why) => {
                left_out.push(format!("line {}: {why}", at + 1));
                continue;
            }
        };
        if args.only.as_ref().is_some_and(|only| *only != run.id) {
            continue;
        }
        runs.push(
            block_on(replay(&run, &settings, PermissionMode::Default))?.map_err(std::io::Error::other)?,
        );
    }
    let rates = rates(&runs);
    if args.json {
        json_line(&json!({"rates": rates, "runs": runs, "left_out": left_out}))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = std::io::stdout().lock();
    let every = args.steps || args.only.is_some();
    runs.iter().try_for_each(|run| show(&mut out, run, every))?;
    summary(&mut out, &rates)?;
    for why in &left_out {
        writeln!(out, "left out: {why}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show(out: &mut impl std::io::Write, run: &ReplayedRun, every: bool) -> std::io::Result<()> {
    let label = run.label.map_or_else(|| "-".to_owned(), |label| label.to_string());
    let end = match run.stopped_at {
        Some(at) => format!("stopped or asked at step {} of {}", at + 1, run.steps.len()),
        None => format!("free, {} steps", run.steps.len()),
    };
    writeln!(out, "{:<4} {}: {end}, {} questions", label, run.id, run.questions)?;
    for (at, step) in run.steps.iter().enumerate().filter(|(_, step)| every || step.verdict != "ALLOW") {
        let call: String = step.call.chars().take(110).collect();
        writeln!(out, "  {:>3} {:<5} {:<7} {call}", at + 1, word_of(&step.verdict), step.risk)?;
        if step.verdict != "ALLOW" {
            writeln!(out, "      {} [{}] {}", step.reason, step.code, step.flows.join(" "))?;
        }
    }
    Ok(())
}

fn word_of(wire: &str) -> &str {
    match Verdict::of_wire(wire) {
        Some(verdict) => verdict.word(),
        None => wire,
    }
}

fn summary(out: &mut impl std::io::Write, rates: &ReplayRates) -> std::io::Result<()> {
    let share = |part: usize, whole: usize| {
        let tenths = (part * 1_000).checked_div(whole);
        tenths.map_or_else(|| "-".to_owned(), |tenths| format!("{}.{} %", tenths / 10, tenths % 10))
    };
    writeln!(
        out,
        "harmful runs stopped or asked about: {} of {} ({})",
        rates.harmful_noticed,
        rates.harmful,
        share(rates.harmful_noticed, rates.harmful)
    )?;
    writeln!(
        out,
        "benign runs denied: {} of {} ({}); with a question: {}; questions: {} in {} calls ({})",
        rates.benign_denied,
        rates.benign,
        share(rates.benign_denied, rates.benign),
        rates.benign_asked,
        rates.benign_questions,
        rates.benign_calls,
        share(rates.benign_questions, rates.benign_calls)
    )
}
