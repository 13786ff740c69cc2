//! `doorward guardian`: the built-in score with its reasons, and a canary question to the configured model.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use doorward::layers::Places;
use doorward::rooms::core::evaluation::{Guardian as _, GuardianContext, GuardianStatus};
use doorward::rooms::core::tool::CanonicalTool;
use doorward::{Door, Options, contract, reviewing};
use doorward_guardian::wire::Prices;
use doorward_guardian::{ModelGuardian, ReviewConfig, builtin};
use serde_json::json;

use crate::output::{Failure, exit, json_line};
use crate::runtime::block_on;
use crate::state::StateOption;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Score a call without any model, with the reasons
    Score {
        /// A shell command
        #[arg(short, long, required_unless_present = "tool")]
        command: Option<String>,
        /// Another tool, with --args
        #[arg(long, value_name = "NAME", requires = "args", conflicts_with = "command")]
        tool: Option<String>,
        /// The tool's arguments as a JSON object
        #[arg(long, value_name = "JSON")]
        args: Option<String>,
        /// One line of JSON
        #[arg(long)]
        json: bool,
    },
    /// Send the configured model one harmless question and show what comes back
    Test {
        /// Prices, a dated JSON file of your own, instead of the settings' `guardian.prices`
        #[arg(long, value_name = "FILE")]
        prices: Option<std::path::PathBuf>,
        /// One line of JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        state: StateOption,
    },
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        What::Score { command, tool, args, json } => score(command, tool, args, json),
        What::Test { prices, json, state } => test(prices, json, &state),
    }
}

fn request(tool: &str, args: &serde_json::Value) -> Result<String, Failure> {
    let cwd = std::env::current_dir()?;
    let user = doorward::hook::user_name(rustix::process::getuid().as_raw());
    Ok(json!({
        "principal": {"id": user},
        "action": "tool:execute",
        "resource": {"type": "tool", "name": tool, "attributes": {"args": args}},
        "context": {"cwd": cwd, "roots": [cwd]},
    })
    .to_string())
}

fn inspected(tool: &str, args: &serde_json::Value) -> Result<contract::Simulated, Failure> {
    let door = Door::open(Options::simulation(Places::default()))?;
    let request = request(tool, args)?;
    block_on(contract::simulate(&door, request.as_bytes()))?
        .map_err(|refused| Failure::new(refused.code, refused.message))
}

fn score(
    command: Option<String>,
    tool: Option<String>,
    args: Option<String>,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    let (tool, args) = match command {
        Some(command) => (CanonicalTool::Shell.to_string(), json!({ "command": command })),
        None => {
            let args = serde_json::from_str(args.as_deref().unwrap_or("{}")).map_err(|error| {
                Failure::new("guardian.args", format!("--args is no JSON object: {error}"))
            })?;
            (tool.unwrap_or_default(), args)
        }
    };
    let simulated = inspected(&tool, &args)?;
    let scored = builtin::score(simulated.judged().inspected());
    if as_json {
        json_line(&scored)?;
    } else {
        let number = scored.score.map_or_else(|| "none".to_owned(), |score| score.to_string());
        anstream::println!("\u{1b}[1m{number}\u{1b}[0m  {}", scored.level);
        if scored.reasons.is_empty() {
            anstream::println!("       nothing of note");
        }
        for reason in &scored.reasons {
            anstream::println!("  {:>3}  {}  \u{1b}[2m{}\u{1b}[0m", reason.points, reason.why, reason.id);
        }
    }
    Ok(ExitCode::from(match scored.score {
        Some(score) if score < 80 => exit::ALLOW,
        _ => exit::CONFIRM,
    }))
}

fn test(prices: Option<std::path::PathBuf>, as_json: bool, state: &StateOption) -> Result<ExitCode, Failure> {
    let settings = state.settings()?;
    let prices: Option<Prices> = match prices {
        Some(file) => Some(serde_json::from_str(&doorward_paths::bounded::read_text_to(
            &file,
            crate::output::MOST_READ,
        )?)?),
        None => None,
    };
    let model = match reviewing::model(&settings) {
        None => {
            let words = "no model is configured (guardian.model): the built-in score answers";
            if as_json {
                json_line(&json!({"status": "evaluated", "model": "builtin", "reasoning": words}))?;
            } else {
                anstream::println!("{words}");
            }
            return Ok(ExitCode::SUCCESS);
        }
        Some(model) => model.map_err(|why| Failure::new("guardian.config", why))?,
    };
    let args = json!({"command": "ls"});
    let simulated = inspected(CanonicalTool::Shell.as_str(), &args)?;
    let config = ReviewConfig {
        timeout: Duration::from_millis(settings.guardian.timeout_ms),
        ..ReviewConfig::default()
    };
    let name = model.name().to_owned();
    // The very prefix of real reviews: what is measured here is what they cost.
    let experiences = state.folder().join(reviewing::EXPERIENCES);
    let prefix = reviewing::prefix(&settings, Some(&experiences));
    let guardian = ModelGuardian::new(Arc::clone(&model), prefix, config);
    let context = GuardianContext {
        tool_name: CanonicalTool::Shell.to_string(),
        content: args.to_string(),
        cwd: "/workspace".to_owned(),
        can_prompt_user: true,
        trusted_messages: vec!["List the files of this folder.".to_owned()],
        ..GuardianContext::default()
    };
    let mut evaluation = block_on(guardian.evaluate(&context, simulated.judged().inspected()))?;
    if let Some(prices) = prices {
        evaluation.spent.cost_micro_usd = prices.cost(&name, &evaluation.spent);
    }
    if as_json {
        json_line(&evaluation)?;
    } else {
        let spent = &evaluation.spent;
        anstream::println!("{name}: {}, {}", word(evaluation.status), word(evaluation.decision));
        anstream::println!("  {}", evaluation.reasoning);
        if !evaluation.flags.is_empty() {
            anstream::println!("  {}", evaluation.flags.join(", "));
        }
        anstream::println!(
            "  {} requests, {} ms, {} tokens in ({} cached), {} out{}",
            spent.attempts,
            spent.latency_ms,
            spent.input_total,
            spent.cached_read,
            spent.output_total,
            if spent.estimated { ", estimated" } else { "" }
        );
        match spent.cost_micro_usd {
            Some(cost) => anstream::println!("  {cost} millionths of a dollar"),
            None => anstream::println!("  cost unknown: {name} isn't in the price list (guardian.prices)"),
        }
    }
    Ok(ExitCode::from(if evaluation.status == GuardianStatus::Evaluated { exit::ALLOW } else { exit::ERROR }))
}

/// The word of the wire.
fn word(value: impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
