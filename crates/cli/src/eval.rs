//! `doorward eval`: attacks and honest work under several settings in one table; what the settings cost in another.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use doorward_guardian::experiences::Library;
use doorward_guardian::wire::Prices;
use doorward_guardian::{Model, ModelConfig};
use doorward_lab::ask::{Asker, Cap};
use doorward_lab::eval::task::{self, Kind, Task};
use doorward_lab::eval::{Eval, Setting, Summary, summaries};
use doorward_lab::explore::Progress;
use doorward_lab::runner::{Lab, Runner};
use serde_json::json;

use crate::explore::Bar;
use crate::output::{Failure, json_line};
use crate::state::StateOption;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Attack success, completed work, prompts, tokens and cost per setting
    Asr(Asr),
    /// What reviewing costs: honest work alone, tokens by class and the overhead over the first setting
    Cost(Asr),
    /// Judge recorded runs again without running anything: what would be asked about or denied, step by step
    Replay(crate::replay::Args),
}

/// Models a run may ask, and what it may spend.
#[derive(Debug, clap::Args)]
pub(crate) struct Spending {
    /// Prices, a dated JSON file of your own
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Requests at most, of each model
    #[arg(long)]
    max_requests: Option<u32>,
    /// Tokens at most, in and out, of each model
    #[arg(long)]
    max_tokens: Option<u64>,
    /// Dollars at most, of each model; needs --prices
    #[arg(long, value_name = "USD")]
    max_cost: Option<f64>,
}

impl Spending {
    pub(crate) fn cap(&self) -> Cap {
        Cap {
            requests: self.max_requests,
            tokens: self.max_tokens,
            // A float saturates when it becomes a whole number, so nonsense bounds nothing less than it says.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            micro_usd: self.max_cost.map(|usd| (usd * 1_000_000.0) as u64),
        }
    }

    /// `provider/model`, or `provider/model@URL`.
    pub(crate) fn model(&self, text: &str) -> Result<Arc<Model>, Failure> {
        let (name, url) = match text.find("@http") {
            Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..)),
            None => (text, None),
        };
        let prices = match &self.prices {
            Some(file) => serde_json::from_str::<Prices>(&doorward_paths::bounded::read_text_to(
                file,
                crate::output::MOST_READ,
            )?)?,
            None => Prices::default(),
        };
        let config = ModelConfig {
            model: name.to_owned(),
            base_url: url.map(str::to_owned),
            prices,
            max_output: 8_192,
            ..ModelConfig::default()
        };
        Ok(Arc::new(Model::new(config)?))
    }
}

#[derive(Debug, clap::Args)]
struct Asr {
    /// Attacks: a file or folder of tasks (docs/eval.md); the bundled set without any
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Tasks of honest work, for layouts that have no label for it
    #[arg(long, value_name = "PATH")]
    benign: Vec<PathBuf>,
    /// none, self-report, guardrail, guardrail-experiences, native; by default all that are available
    #[arg(long = "setting", value_name = "SETTING")]
    settings: Vec<String>,
    /// The model that acts, `provider/model[@URL]`; without one the tasks' scripts act
    #[arg(long, value_name = "MODEL")]
    executor: Option<String>,
    /// The model that reviews
    #[arg(long, value_name = "MODEL")]
    guard: Option<String>,
    /// The model that judges outcomes which a task's own signs don't settle
    #[arg(long, value_name = "MODEL")]
    judge: Option<String>,
    #[command(flatten)]
    spending: Spending,
    /// Actions in a turn
    #[arg(long, default_value_t = 10)]
    turn_steps: usize,
    /// Actions in all
    #[arg(long, default_value_t = 30)]
    steps: usize,
    /// The folder with the rules of `guardrail-experiences`; the user's own by default, over the shipped seeds
    #[arg(long, value_name = "DIR")]
    experiences: Option<PathBuf>,
    /// Where rows and transcripts go; below the state directory by default
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Begin again, whatever an earlier run left
    #[arg(long)]
    fresh: bool,
    /// One line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    state: StateOption,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let (args, cost_only) = match &args.command {
        What::Asr(args) => (args, false),
        What::Cost(args) => (args, true),
        What::Replay(args) => return crate::replay::run(args),
    };
    let asker = |named: &Option<String>| -> Result<Option<Asker>, Failure> {
        let model = named.as_deref().map(|text| args.spending.model(text)).transpose()?;
        Ok(model.map(|model| Asker::new(model, args.spending.cap())))
    };
    let guard = asker(&args.guard)?;
    let settings = settings(&args.settings, guard.is_some())?;
    let experiences = args.experiences.clone().unwrap_or_else(|| args.state.folder().join("experiences"));
    let mut tasks = tasks(args)?;
    if cost_only {
        tasks.retain(|task| task.kind == Kind::Benign);
    }
    let eval = Eval {
        tasks,
        settings,
        executor: asker(&args.executor)?,
        guard,
        judge: asker(&args.judge)?,
        experiences: Library::seeded().overlaid(Library::load(&experiences)?),
        steps: (args.turn_steps, args.steps),
        out: args.out.clone().unwrap_or_else(|| args.state.folder().join("lab/asr")),
        fresh: args.fresh,
    };
    let runner = Runner::new(Lab::open()?)?;
    let bar = Bar::new(args.json);
    let rows = eval.run(&runner, &mut |done, all, what| {
        bar.hear(&Progress::Begins { steps: all, done });
        bar.hear(&Progress::Step(what));
    })?;
    bar.clear();
    let table = summaries(&rows, &eval.settings);
    let left_out: Vec<&str> = eval.left_out().map(|task| task.id.as_str()).collect();
    if args.json {
        json_line(&json!({"settings": table, "rows": rows, "left_out": left_out, "out": eval.out,
            "executor": args.executor.as_deref().unwrap_or("script"), "guard": args.guard, "judge": args.judge}))?;
    } else {
        let mut out = std::io::stdout().lock();
        if cost_only {
            show_cost(&mut out, args, &table)?;
        } else {
            show(&mut out, args, &table)?;
        }
        if !left_out.is_empty() {
            writeln!(out, "left out, because their services aren't here: {}", left_out.join(", "))?;
        }
        writeln!(out, "rows and transcripts in {}", eval.out.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn tasks(args: &Asr) -> Result<Vec<Task>, Failure> {
    let mut tasks = Vec::new();
    for path in &args.tasks {
        tasks.extend(task::load(path, Kind::Attack)?);
    }
    for path in &args.benign {
        tasks.extend(task::load(path, Kind::Benign)?);
    }
    if tasks.is_empty() {
        tasks = task::bundled()?;
    }
    task::tell_apart(&mut tasks);
    if args.executor.is_none() {
        let unscripted = tasks.iter().find(|task| task.turns.iter().all(|turn| turn.script.is_empty()));
        if let Some(task) = unscripted {
            return Err(Failure::new(
                "eval.executor",
                format!("{} has no script, so a model has to act: --executor provider/model", task.id),
            ));
        }
    }
    Ok(tasks)
}

fn settings(words: &[String], guarded: bool) -> Result<Vec<Setting>, Failure> {
    if words.is_empty() {
        return Ok(Setting::ALL.into_iter().filter(|setting| guarded || !setting.needs_model()).collect());
    }
    let known: Vec<&str> = Setting::ALL.iter().map(|setting| setting.as_str()).collect();
    let named = |word: &String| {
        Setting::from_word(word)
            .ok_or_else(|| Failure::new("eval.setting", format!("{word:?} is none of {}", known.join(", "))))
    };
    words.iter().map(named).collect()
}

fn who(out: &mut impl std::io::Write, args: &Asr) -> std::io::Result<()> {
    writeln!(
        out,
        "executor {}; guard {}; judge {}\n",
        args.executor.as_deref().unwrap_or("script"),
        args.guard.as_deref().unwrap_or("none"),
        args.judge.as_deref().unwrap_or("signs only")
    )
}

fn dollars(micro: Option<u64>) -> String {
    micro.map_or_else(
        || "unknown".to_owned(),
        |micro| format!("{}.{:06}", micro / 1_000_000, micro % 1_000_000),
    )
}

/// Tenths of a percent as text.
fn tenths(part: u64, all: u64) -> Option<String> {
    let tenths = part.saturating_mul(1000).checked_div(all)?;
    Some(format!("{}.{}", tenths / 10, tenths % 10))
}

fn show_cost(out: &mut impl std::io::Write, args: &Asr, table: &[Summary]) -> Result<(), Failure> {
    who(out, args)?;
    writeln!(
        out,
        "{:<22} {:>14} {:>8} {:>11} {:>8} {:>10} {:>12} {:>9} {:>7}",
        "setting",
        "work done",
        "requests",
        "tokens in",
        "cached",
        "tokens out",
        "cost USD",
        "overhead",
        "broken"
    )?;
    let base = table.first().and_then(|line| line.cost_micro_usd);
    for line in table {
        let overhead = match (base, line.cost_micro_usd) {
            (Some(base), Some(cost)) => {
                let sign = if cost < base { '-' } else { '+' };
                tenths(cost.abs_diff(base), base).map(|share| format!("{sign}{share} %"))
            }
            _ => None,
        };
        writeln!(
            out,
            "{:<22} {:>14} {:>8} {:>11} {:>8} {:>10} {:>12} {:>9} {:>7}",
            line.setting.as_str(),
            share(line.completed, line.benign),
            line.requests,
            line.input_total,
            tenths(line.cached_read, line.input_total).map_or_else(|| "-".to_owned(), |share| share + " %"),
            line.output_total,
            dollars(line.cost_micro_usd),
            overhead.as_deref().unwrap_or("-"),
            line.unmeasured
        )?;
    }
    if args.spending.prices.is_none() {
        writeln!(out, "\ncosts need a list of prices: --prices FILE (docs/guardian.md)")?;
    }
    Ok(())
}

fn share(part: usize, all: usize) -> String {
    let percent = (part * 100 + all / 2).checked_div(all).unwrap_or(0);
    format!("{part}/{all} ({percent} %)")
}

fn show(out: &mut impl std::io::Write, args: &Asr, table: &[Summary]) -> Result<(), Failure> {
    who(out, args)?;
    writeln!(
        out,
        "{:<22} {:>14} {:>7} {:>7} {:>14} {:>11} {:>7} {:>17} {:>10}",
        "setting",
        "attack success",
        "prompt",
        "floor",
        "work done",
        "interrupted",
        "prompts",
        "tokens in/out",
        "cost USD"
    )?;
    for line in table {
        let cost = dollars(line.cost_micro_usd);
        writeln!(
            out,
            "{:<22} {:>14} {:>7} {:>7} {:>14} {:>11} {:>7} {:>17} {:>10}",
            line.setting.as_str(),
            share(line.succeeded, line.attacks),
            line.by_prompt,
            line.by_floor,
            share(line.completed, line.benign),
            line.interrupted,
            line.prompts,
            format!("{}/{}", line.input_total, line.output_total),
            cost
        )?;
        if line.unmeasured > 0 {
            writeln!(out, "{:<22} {} rows measure nothing (broken or unjudged)", "", line.unmeasured)?;
        }
    }
    if args.guard.is_none() && args.settings.is_empty() {
        writeln!(out, "\nthe guardrail settings ask a model: --guard provider/model")?;
    }
    Ok(())
}
