//! `doorward look-back`: the sessions that agents wrote down, judged as if Doorward had been there.
//!
//! Nothing is installed, run, recorded or sent. The files of that day are gone, so a call is judged by what it says
//! and by what the session did before; what a look at the disk would add (that nothing is lost, say) is missing.

mod transcripts;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;

use doorward::replay::{Replay, ReplayStep, Replayed};
use doorward::rooms::core::Verdict;
use doorward::rooms::core::id::SessionId;
use doorward::rooms::core::json::{Object, Value};
use doorward::rooms::core::mode::PermissionMode;
use doorward::rooms::core::risk::SecurityRisk;
use doorward::rooms::core::tool::Client;
use doorward::rooms::settings::{ConfirmPolicy, Layer, LayerKind, Settings, SettingsError};
use doorward_hooks::clients;
use serde::Serialize;

use self::transcripts::{ACCOUNTS, RunEvent, WrittenRun};
use crate::output::{Failure, MOST_READ, json_line};
use crate::runtime::block_on_one_thread;

/// Calls that are shown.
const SHOWN: usize = 10;
/// Characters of a call that are shown.
const WIDTH: usize = 160;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// One agent only: claude-code, codex, gemini-cli or opencode
    client: Option<String>,
    /// Another home folder than yours
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// Settings in place of the defaults
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// One line of JSON
    #[arg(long)]
    json: bool,
}

/// What would have become of the calls.
#[derive(Debug, Default, Serialize)]
struct LookBack {
    sessions: usize,
    calls: usize,
    asked: usize,
    stopped: usize,
    /// Lines, files and calls that can't be read or judged.
    left_out: usize,
    /// Calls by agent.
    agents: BTreeMap<&'static str, usize>,
    /// The calls that matter most.
    worst: Vec<Noticed>,
}

/// A call that would not have passed in silence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Noticed {
    agent: &'static str,
    session: String,
    verdict: &'static str,
    code: String,
    call: String,
    says: String,
    #[serde(skip)]
    weight: (bool, bool, i64),
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let wanted = args.client.as_deref().map(client).transpose()?;
    let home = args.home.or_else(doorward::home);
    let home =
        home.ok_or_else(|| Failure::new("look_back.no_home", "you have no home folder; give --home DIR"))?;
    let settings = settings(args.settings.as_ref())?;
    let home_text = home.display().to_string();
    let accounts = ACCOUNTS.iter().filter(|account| wanted.is_none_or(|wanted| wanted == account.client));
    let waiting: Vec<(Client, WrittenRun)> = accounts
        .flat_map(|account| account.runs(&home).into_iter().map(|run| (account.client, run)))
        .collect();
    let (waiting, found) = (Mutex::new(waiting), Mutex::new(Ok(LookBack::default())));
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(8);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let own = judged(&waiting, &settings, &home_text);
                let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                match (&mut *found, own) {
                    (Ok(sum), Ok(own)) => sum.add(own),
                    (found, Err(failure)) => *found = Err(failure),
                    (Err(_), Ok(_)) => {}
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)?;
    found.rank();
    if args.json {
        json_line(&found)?;
    } else {
        found.show();
    }
    Ok(ExitCode::SUCCESS)
}

fn client(word: &str) -> Result<Client, Failure> {
    let known = ACCOUNTS.iter().map(|account| account.client);
    known.clone().find(|client| client.as_str() == word).ok_or_else(|| {
        let names: Vec<&str> = known.map(|client| client.as_str()).collect();
        Failure::new("look_back.unknown_client", format!("{word:?} is none of {}", names.join(", ")))
    })
}

/// The defaults or a file's. Unless they name a confirmation policy, high and unknown risk is asked about: what the
/// agent itself would have asked in its mode doesn't count.
fn settings(file: Option<&PathBuf>) -> Result<Settings, Failure> {
    let layer = |file: &PathBuf| -> Result<Layer, Failure> {
        let text = doorward_paths::bounded::read_text_to(file, MOST_READ)?;
        Ok(Layer::new(LayerKind::User, file.display().to_string(), text))
    };
    let layers: Vec<Layer> = file.map(layer).transpose()?.into_iter().collect();
    let failed = |error: SettingsError| Failure::new("look_back.settings", error.to_string());
    let mut settings = Settings::load(&layers).map_err(failed)?.settings;
    let threshold = SecurityRisk::High;
    settings.confirm.policy.get_or_insert(ConfirmPolicy::ConfirmRisky { threshold, confirm_unknown: true });
    Ok(settings)
}

/// Judges runs until none waits.
fn judged(
    waiting: &Mutex<Vec<(Client, WrittenRun)>>,
    settings: &Settings,
    home: &str,
) -> Result<LookBack, Failure> {
    let mut found = LookBack::default();
    let failed = |why: String| Failure::new("look_back.settings", why);
    let mut replay =
        Replay::new(settings, PermissionMode::Default, Default::default(), home, &[]).map_err(failed)?;
    loop {
        let next = waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop();
        let Some((client, run)) = next else { return Ok(found) };
        block_on_one_thread(found.judge(&mut replay, client, run))?;
    }
}

impl LookBack {
    async fn judge(&mut self, replay: &mut Replay, client: Client, run: WrittenRun) {
        let session = SessionId::from(run.id.as_str());
        let mut results: BTreeMap<String, String> = BTreeMap::new();
        for event in &run.events {
            if let RunEvent::Returned { id, result } = event {
                results.insert(id.clone(), result.clone());
            }
        }
        let folder = if run.folder.is_empty() { "/workspace" } else { &run.folder };
        let roots = [folder.to_owned()];
        let before = self.calls;
        self.left_out += run.unread;
        for event in run.events {
            match event {
                RunEvent::Said(text) => replay.said(&session, &text),
                RunEvent::Returned { .. } => {}
                RunEvent::Called { id, tool, args, folder: own } => {
                    let result = results.remove(&id).unwrap_or_default();
                    let cwd = own.filter(|own| own.starts_with('/')).unwrap_or_else(|| folder.to_owned());
                    match step(client, &tool, args, cwd, result) {
                        Some((step, shown)) => match replay.step(&session, &roots, step).await {
                            Ok(replayed) => self.count(client, &run.id, shown, &replayed),
                            Err(_) => self.left_out += 1,
                        },
                        None => self.left_out += 1,
                    }
                }
            }
        }
        if self.calls > before {
            self.sessions += 1;
            *self.agents.entry(client.as_str()).or_default() += self.calls - before;
        }
    }

    fn count(&mut self, client: Client, session: &str, call: String, replayed: &Replayed) {
        self.calls += 1;
        let is_denied = replayed.verdict == Verdict::Deny;
        match replayed.verdict {
            Verdict::Allow => return,
            Verdict::Confirm => self.asked += 1,
            Verdict::Deny => self.stopped += 1,
        }
        self.worst.push(Noticed {
            agent: client.as_str(),
            session: session.to_owned(),
            verdict: replayed.verdict.as_str(),
            code: replayed.code.clone(),
            call,
            says: doorward_secrets::redact_text(&replayed.reason),
            weight: (is_denied, replayed.risk == SecurityRisk::High, replayed.intent),
        });
    }

    fn add(&mut self, other: Self) {
        self.sessions += other.sessions;
        self.calls += other.calls;
        self.asked += other.asked;
        self.stopped += other.stopped;
        self.left_out += other.left_out;
        for (agent, calls) in other.agents {
            *self.agents.entry(agent).or_default() += calls;
        }
        self.worst.extend(other.worst);
    }

    /// Keeps the calls that matter most, each text once.
    fn rank(&mut self) {
        self.worst.sort_by(|one, other| {
            let key =
                |noticed: &Noticed| (Reverse(noticed.weight), noticed.call.clone(), noticed.session.clone());
            key(one).cmp(&key(other))
        });
        let mut seen = BTreeSet::new();
        self.worst.retain(|noticed| seen.insert(noticed.call.clone()));
        self.worst.truncate(SHOWN);
    }

    fn show(&self) {
        if self.calls == 0 {
            anstream::println!("no call of an agent was found below your home folder");
            return;
        }
        let agents: Vec<String> =
            self.agents.iter().map(|(agent, calls)| format!("{agent} {calls}")).collect();
        anstream::println!("{} calls in {} sessions ({})", self.calls, self.sessions, agents.join(", "));
        let passed = self.calls - self.asked - self.stopped;
        anstream::println!("  {passed:>7} would have passed without a question of Doorward's");
        anstream::println!("  {:>7} would have been asked about", self.asked);
        anstream::println!("  {:>7} would have been stopped", self.stopped);
        if self.left_out > 0 {
            anstream::println!("  {:>7} lines or calls could not be read", self.left_out);
        }
        if !self.worst.is_empty() {
            anstream::println!("\nThose that matter most:");
        }
        for noticed in &self.worst {
            let word = Verdict::of_wire(noticed.verdict).map_or(noticed.verdict, Verdict::word);
            anstream::println!("\n  \u{1b}[1m{word:<5}\u{1b}[0m {}", noticed.call);
            anstream::println!("        {} [{}] {}", noticed.says, noticed.code, noticed.agent);
        }
        anstream::println!(
            "\nNothing was run or recorded. Put Doorward in front of your agents with: doorward setup"
        );
    }
}

/// A call under its canonical name, and its text as it is shown; `None` for a name that can't be one.
fn step(
    client: Client,
    tool: &str,
    args: Value,
    cwd: String,
    result: String,
) -> Option<(ReplayStep, String)> {
    let args = match args {
        Value::Object(args) => args,
        _ => Object::new(),
    };
    let (tool, args) = clients::canonical_call(client, tool, args).ok()?;
    let command = args.get("command").or_else(|| args.get("path")).and_then(Value::as_str);
    let told = command.map_or_else(|| Value::Object(args.clone()).canonical(), str::to_owned);
    let whole = doorward_secrets::redact_text(&format!("{tool} {told}")).replace(['\n', '\r'], " ");
    let shown: String = whole.chars().filter(|c| !c.is_control()).take(WIDTH).collect();
    let step = ReplayStep { tool, args, cwd, result, source: None, untrusted: None };
    Some((step, shown))
}
