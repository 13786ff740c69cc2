//! `doorward check`: judges a call without recording it. Never an authority.

use std::io::{BufRead as _, IsTerminal as _, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use doorward::contract::{self, Simulated};
use doorward::explaining::{Explanation, Way};
use doorward::layers::Places;
use doorward::rooms::core::decision::Verdict;
use doorward::rooms::core::tool::CanonicalTool;
use doorward::rooms::hooks::ClientMode;
use doorward::{Door, Options};
use serde_json::json;

use crate::output::{Failure, exit, json_line};
use crate::runtime::block_on;
use crate::state::StateOption;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A shell command to judge, instead of a request on standard input
    #[arg(value_name = "COMMAND", conflicts_with_all = ["command", "tool", "batch"])]
    text: Option<String>,
    /// The same, as an option
    #[arg(short, long)]
    command: Option<String>,
    /// Another tool, with --args
    #[arg(long, value_name = "NAME", requires = "args", conflicts_with = "command")]
    tool: Option<String>,
    /// The tool's arguments as a JSON object
    #[arg(long, value_name = "JSON")]
    args: Option<String>,
    /// Working directory of the call
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Root of the call; `ro:DIR` and `deny:DIR` too. The working directory and `paths.extra_roots` by default
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<String>,
    /// Permission mode
    #[arg(long, value_name = "MODE", value_parser = ClientMode::claimed)]
    mode: Option<ClientMode>,
    /// Draw the command with its effects under the words, what decided, and what would make it allowed
    #[arg(long)]
    explain: bool,
    /// One line of JSON
    #[arg(long)]
    json: bool,
    /// Requests as JSON Lines on standard input, each with an `id`; one answer a line, in order
    #[arg(long, conflicts_with_all = ["command", "tool"])]
    batch: bool,
    /// Built-in settings only, and no stop of a service
    #[arg(long)]
    no_config: bool,
    #[command(flatten)]
    state: StateOption,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let places = if args.no_config { Places::default() } else { args.state.places() };
    let door = Door::open(Options::simulation(places))?;
    if !args.no_config {
        block_on(door.know_stops(&args.state.folder()))?;
    }
    args.refuse_options_of_a_request()?;
    if args.batch {
        return block_on(batch(&door))?;
    }
    let request = args.request(&door)?;
    let simulated = block_on(contract::simulate(&door, request.as_bytes()))?
        .map_err(|refused| Failure::new(refused.code, refused.message))?;
    let explanation = match args.explain {
        true => Some(block_on(simulated.explanation(&door))?),
        false => None,
    };
    if args.json {
        let mut answer = simulated.to_json();
        if let (Some(explanation), Some(members)) = (&explanation, answer.as_object_mut()) {
            members.insert("explanation".to_owned(), serde_json::to_value(explanation)?);
        }
        json_line(&answer)?;
    } else {
        show(&simulated, explanation.as_ref());
    }
    Ok(ExitCode::from(match simulated.verdict() {
        Verdict::Allow => exit::ALLOW,
        Verdict::Confirm => exit::CONFIRM,
        Verdict::Deny => exit::DENY,
    }))
}

impl Args {
    /// Requests on standard input say mode, folder and roots themselves: the options would be ignored.
    fn refuse_options_of_a_request(&self) -> Result<(), Failure> {
        let is_request = self.batch || self.text.is_none() && self.command.is_none() && self.tool.is_none();
        if is_request && (self.mode.is_some() || self.cwd.is_some() || !self.roots.is_empty()) {
            let hint = "--mode, --cwd and --root don't apply to requests on standard input: write mode, cwd and roots \
                        into the context of each request, or give the command as 'COMMAND'";
            return Err(Failure::new("check.usage", hint));
        }
        Ok(())
    }

    /// The request as the seed contract has it.
    fn request(&self, door: &Door) -> Result<String, Failure> {
        let (tool, arguments) = match (self.text.as_ref().or(self.command.as_ref()), &self.tool) {
            (Some(command), _) => (CanonicalTool::Shell.to_string(), json!({"command": command})),
            (None, Some(tool)) => {
                let text = self.args.as_deref().unwrap_or("{}");
                (tool.clone(), serde_json::from_str(text)?)
            }
            (None, None) => {
                if std::io::stdin().is_terminal() {
                    let hint = "give 'COMMAND', --tool NAME --args JSON, or a request on standard input";
                    return Err(Failure::new("check.usage", hint));
                }
                let mut text = String::new();
                std::io::stdin().lock().take(16 << 20).read_to_string(&mut text)?;
                return Ok(text);
            }
        };
        let cwd = match &self.cwd {
            Some(cwd) => std::path::absolute(cwd)?,
            None => std::env::current_dir()?,
        };
        let roots = if self.roots.is_empty() {
            door.project(None).roots(&cwd).iter().map(ToString::to_string).collect()
        } else {
            self.roots.clone()
        };
        let mut context = json!({"cwd": cwd, "roots": roots});
        if let (Some(mode), Some(members)) = (self.mode, context.as_object_mut()) {
            members.insert("mode".to_owned(), json!(mode.as_str()));
        }
        let user = doorward::hook::user_name(rustix::process::getuid().as_raw());
        Ok(json!({
            "principal": {"id": user},
            "action": "tool:execute",
            "resource": {"type": "tool", "name": tool, "attributes": {"args": arguments}},
            "context": context,
        })
        .to_string())
    }
}

async fn batch(door: &Arc<Door>) -> Result<ExitCode, Failure> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        writeln!(out, "{}", contract::batch_line(door, &line).await)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn show(simulated: &Simulated, explanation: Option<&Explanation>) {
    let word = simulated.verdict().word();
    let colour = match simulated.verdict() {
        Verdict::Allow => "32",
        Verdict::Confirm => "33",
        Verdict::Deny => "31",
    };
    anstream::println!("\u{1b}[1;{colour}m{word}\u{1b}[0m  {} ({})", simulated.reason(), simulated.code());
    let score = simulated.score().map_or_else(|| "-".to_owned(), |score| score.to_string());
    anstream::println!("risk {} (score {score})", simulated.risk());
    if let Some(said) = crate::approvals::guardian(&simulated.to_json()) {
        anstream::println!("guardian {said}");
    }
    let drawing = explanation.and_then(|_| simulated.explain(std::io::stdout().is_terminal()));
    if let Some(drawing) = &drawing {
        anstream::println!("\n{drawing}");
    } else {
        for line in simulated.effect_lines() {
            anstream::println!("  {line}");
        }
    }
    for finding in simulated.findings() {
        let code = &finding.code;
        // What has a place was drawn there.
        if drawing.is_none() || finding.span.is_none() {
            anstream::println!(
                "  \u{1b}[33m{}\u{1b}[0m {code}: {}",
                finding.severity.as_str(),
                finding.message
            );
        }
        if let Some(suggestion) = &finding.suggestion {
            anstream::println!("  \u{1b}[2m{code}: {suggestion}\u{1b}[0m");
        }
    }
    if let Some(explanation) = explanation {
        explain(simulated, explanation);
    }
}

/// What decided, and the ways that were judged to lead further.
fn explain(simulated: &Simulated, Explanation { decided_by, ways }: &Explanation) {
    for (at, line) in decided_by.iter().enumerate() {
        anstream::println!("{:<14}{line}", if at == 0 { "decided by" } else { "" });
    }
    if simulated.verdict() == Verdict::Allow {
        return;
    }
    let list = |title: &str, then: Verdict| {
        let some: Vec<&Way> = ways.iter().filter(|way| way.then == then).collect();
        for (at, way) in some.iter().enumerate() {
            anstream::println!("{:<14}{}", if at == 0 { title } else { "" }, way.change.words());
        }
        !some.is_empty()
    };
    let allowed = list("allowed by", Verdict::Allow);
    if simulated.verdict() == Verdict::Deny {
        list("asked with", Verdict::Confirm);
    }
    if !allowed {
        anstream::println!(
            "{:<14}nothing that was tried: no rule, mode, root, host or narrower command",
            "allowed by"
        );
    }
}
