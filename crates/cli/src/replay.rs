//! `doorward eval replay`: recorded runs judged again, nothing run.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use doorward::rooms::core::Verdict;
use doorward_lab::replay::{
    RecordedRun, ReplayRates, ReplayedRun, differences, rates, read, replay, settings,
};
use doorward_lab::replay_page::{Replayed, page};
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
    /// Judge the runs under these settings too, and tell which end differently
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Write a page with a picture of every run
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
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
    let (recorded, left_out) = recorded(&text, args.only.as_deref());
    let runs = replayed(&recorded, args.settings.as_ref())?;
    let own = rates(&runs);
    let others = match &args.against {
        Some(file) => {
            let runs = replayed(&recorded, Some(file))?;
            Some((file.display().to_string(), rates(&runs), runs))
        }
        None => None,
    };
    let differing = others.as_ref().map(|(.., others)| differences(&runs, others));
    let name =
        args.settings.as_ref().map_or_else(|| "defaults".to_owned(), |file| file.display().to_string());
    if let Some(file) = &args.html {
        let first = Replayed { name: &name, runs: &runs, rates: &own };
        let second = others.as_ref().map(|(name, rates, runs)| Replayed { name, runs, rates });
        let second = second.as_ref().zip(differing.as_deref());
        std::fs::write(file, page(&first, second))
            .map_err(|error| Failure::new("eval.page", format!("{}: {error}", file.display())))?;
    }
    if args.json {
        let against =
            others.as_ref().map(|(name, rates, runs)| json!({"name": name, "rates": rates, "runs": runs}));
        json_line(&json!({
            "rates": own, "runs": runs, "left_out": left_out, "against": against, "differences": differing,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = std::io::stdout().lock();
    let every = args.steps || args.only.is_some();
    runs.iter().try_for_each(|run| show(&mut out, run, every))?;
    if others.is_some() {
        writeln!(out, "\n{name}:")?;
    }
    summary(&mut out, &own)?;
    if let Some((name, rates, _)) = &others {
        writeln!(out, "\n{name}:")?;
        summary(&mut out, rates)?;
        for difference in differing.iter().flatten() {
            writeln!(out, "{}: {}; then {}", difference.id, difference.before, difference.after)?;
        }
    }
    for why in &left_out {
        writeln!(out, "left out: {why}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The runs of a file, and the lines that can't be read.
fn recorded(text: &str, only: Option<&str>) -> (Vec<RecordedRun>, Vec<String>) {
    let (mut runs, mut left_out) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match read(line) {
            Ok(run) if only.is_none_or(|only| only == run.id) => runs.push(run),
            Ok(_) => {}
            Err(why) => left_out.push(format!("line {}: {why}", at + 1)),
        }
    }
    (runs, left_out)
}

/// The runs under a file's settings, or the defaults.
fn replayed(runs: &[RecordedRun], file: Option<&PathBuf>) -> Result<Vec<ReplayedRun>, Failure> {
    let given = match file {
        Some(file) => {
            Some((file.display().to_string(), doorward_paths::bounded::read_text_to(file, MOST_READ)?))
        }
        None => None,
    };
    let settings = settings(given.as_ref().map(|(name, text)| (name.as_str(), text.clone())))?;
    let judged =
        |run| Ok(block_on(replay(run, &settings, settings.modes.default))?.map_err(std::io::Error::other)?);
    runs.iter().map(judged).collect()
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
        writeln!(out, "  {:>3} {:<5} {:<7} {call}", at + 1, word_of(step.verdict), step.risk)?;
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
