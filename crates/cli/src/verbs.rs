//! The short commands: `doorward approve`, `allow`, `ask`, `deny`, `revoke`, `rules`, `stop`, `resume`, `console`.
//!
//! A verb means the same act wherever it stands. `deny` takes a question or a rule: a word that names a question is
//! the question.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Subcommand;
use doorward_hooks::thin::{SOCKET, default_state};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::answers;
use crate::approvals::{text, visible};
use crate::lifecycle;
use crate::output::{Failure, said, say};
use crate::service::expect;
use crate::state::StateOption;

/// In a stop's scope: Doorward's own service.
const SERVICE: &str = "service";
/// The file that signs a browser in, in the state folder.
const SIGN_IN: &str = "sign-in.html";

/// An act of people, on the service of a state folder.
#[derive(Debug, clap::Args)]
pub(crate) struct Act<T: clap::Args> {
    #[command(flatten)]
    what: T,
    #[command(flatten)]
    state: StateOption,
}

impl<T: clap::Args> Act<T> {
    fn socket(&self) -> PathBuf {
        self.state.folder().join(SOCKET)
    }
}

/// `doorward stop`
#[derive(Debug, clap::Args)]
pub(crate) struct Stop {
    /// What to stop: `service` (a hook starts it again), or calls: all, session:ID, agent:NAME, server:NAME
    scope: Option<String>,
    /// Why, for the record
    #[arg(long, default_value = "")]
    reason: String,
    #[command(flatten)]
    state: StateOption,
}

/// `doorward allow`, `doorward ask`
#[derive(Debug, clap::Args)]
pub(crate) struct Rule {
    /// The rules, as a denial prints them: 'shell(cargo publish *)', 'Edit(src/**)'; `doorward help rules`
    #[arg(value_name = "RULE", required = true)]
    rules: Vec<String>,
    #[command(flatten)]
    reach: RuleReach,
    #[command(flatten)]
    state: StateOption,
}

/// `doorward deny`
#[derive(Debug, clap::Args)]
pub(crate) struct Deny {
    /// A question's short name, or a rule: 'shell(git push --force *)'
    what: String,
    /// For a question: also refuse every further call of this session, until a person lets it go on
    #[arg(long)]
    stop: bool,
    #[command(flatten)]
    reach: RuleReach,
    #[command(flatten)]
    state: StateOption,
}

/// Where and how long a rule counts.
#[derive(Debug, clap::Args)]
pub(crate) struct RuleReach {
    /// Only in this project (the working folder unless named); without it in all of yours
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    project: Option<PathBuf>,
    /// Allow for the task of this session only: everyday calls, until the session ends, two hours at most
    #[arg(long, value_name = "ID", conflicts_with = "project")]
    session: Option<String>,
    /// How long: 10m, 2h, 30d; without it until you remove the rule
    #[arg(long = "for", value_name = "TIME", value_parser = span)]
    lasts: Option<SignedDuration>,
    /// Why: for people who meet the rule, or for the agent
    #[arg(long)]
    reason: Option<String>,
    /// Read the passphrase from standard input instead of asking for it
    #[arg(long)]
    passphrase_stdin: bool,
}

/// `doorward rules`
#[derive(Debug, clap::Args)]
pub(crate) struct Rules {
    #[command(subcommand)]
    command: RulesCommand,
    /// State directory of the service, if it isn't the usual one
    #[arg(long, value_name = "DIR", global = true)]
    state: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum RulesCommand {
    /// Your rules: what each says, where it stands, and how many calls of the last week it met
    List {
        /// The rules of the shipped packs and policy files too
        #[arg(long)]
        all: bool,
    },
    /// Take back a rule that was saved
    #[command(alias = "revoke")]
    Remove(answers::Revoke),
}

/// `doorward console`
#[derive(Debug, clap::Args)]
pub(crate) struct Console {
    /// Print the link only; open no browser
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    state: StateOption,
}

/// A time as people write it: `10m`, `2h`, `30d`.
pub(crate) fn span(word: &str) -> Result<SignedDuration, String> {
    let wrong = || "write a time such as 10m, 2h or 30d".to_owned();
    let (number, unit) = word.split_at(word.find(|ch: char| !ch.is_ascii_digit()).unwrap_or(word.len()));
    let number: i64 = number.parse().map_err(|_| wrong())?;
    let seconds = match unit {
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => return Err(wrong()),
    };
    let whole = number.checked_mul(seconds).filter(|seconds| (1..=86_400 * 3660).contains(seconds));
    whole.map(SignedDuration::from_secs).ok_or_else(wrong)
}

pub(crate) fn approve(act: Act<answers::Approve>) -> Result<ExitCode, Failure> {
    answers::approve(&act.socket(), act.what)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn revoke(act: &Act<answers::Revoke>) -> Result<ExitCode, Failure> {
    answers::revoke(&act.socket(), &act.what)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn resume(act: &Act<answers::Resume>) -> Result<ExitCode, Failure> {
    answers::resume(&act.socket(), &act.what)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn stop(args: &Stop) -> Result<ExitCode, Failure> {
    match args.scope.as_deref() {
        Some(SERVICE) => lifecycle::stop(&args.state),
        Some(scope) => {
            answers::stop(&args.state.folder().join(SOCKET), scope, &args.reason)?;
            Ok(ExitCode::SUCCESS)
        }
        None => {
            let why = "say what to stop: `doorward stop all` refuses every call until `doorward resume`; `doorward \
                       stop service` ends the service, which the next call starts again";
            Err(Failure::new("stop.scope", why))
        }
    }
}

/// Saves an allow or ask rule.
pub(crate) fn rule(verdict: &str, args: &Rule) -> Result<ExitCode, Failure> {
    save(&args.state.folder().join(SOCKET), verdict, &args.rules, &args.reach)
}

/// Denies a question, or saves a deny rule.
pub(crate) fn deny(args: &Deny) -> Result<ExitCode, Failure> {
    let socket = args.state.folder().join(SOCKET);
    let is_question = args.what.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && match answers::full(&socket, &args.what) {
            Ok(_) => true,
            Err(failure) if failure.code() == "approval.unknown" => false,
            Err(failure) => return Err(failure),
        };
    if is_question {
        answers::deny(&socket, &args.what, args.reach.reason.as_deref(), args.stop)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.stop {
        return Err(Failure::new(
            "approval.unknown",
            format!("there is no question {}", visible(&args.what)),
        ));
    }
    save(&socket, "deny", std::slice::from_ref(&args.what), &args.reach)
}

fn save(socket: &Path, verdict: &str, rules: &[String], reach: &RuleReach) -> Result<ExitCode, Failure> {
    let passphrase = answers::passphrase(socket, reach.passphrase_stdin)?;
    let project = match &reach.project {
        Some(folder) => Some(
            folder
                .canonicalize()
                .map_err(|error| Failure::new("always.project", format!("{}: {error}", folder.display())))?,
        ),
        None => None,
    };
    let until = reach.lasts.and_then(|lasts| Timestamp::now().checked_add(lasts).ok());
    let until = until.and_then(|until| Timestamp::from_second(until.as_second()).ok());
    let place = project.as_ref().map(|folder| format!(" in {}", folder.display())).unwrap_or_default();
    let place = reach.session.as_ref().map(|id| format!(" for the session {}", visible(id))).unwrap_or(place);
    for rule in rules {
        let draft = json!({
            "verdict": verdict, "rule": rule, "project": project, "reason": reach.reason,
            "passphrase": passphrase, "until": until, "session": reach.session,
        });
        let saved = expect(socket, "POST", "/v1/rules", Some(&draft))?;
        let end = saved.pointer("/saved/0/until").and_then(Value::as_str);
        let end = end.map(|until| format!(" until {until}")).unwrap_or_default();
        let id = saved.pointer("/saved/0/id").and_then(Value::as_str).unwrap_or_default();
        let back = format!("take it back with: doorward rules remove {id}");
        said(&saved, &format!("{verdict} {}{place}{end}\n{back}", visible(rule)));
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn rules(args: &Rules) -> Result<ExitCode, Failure> {
    let socket = args.state.clone().unwrap_or_else(default_state).join(SOCKET);
    let all = match &args.command {
        RulesCommand::Remove(what) => {
            answers::revoke(&socket, what)?;
            return Ok(ExitCode::SUCCESS);
        }
        RulesCommand::List { all } => *all,
    };
    let found = expect(&socket, "GET", "/v1/rules/in-force", None)?;
    let rows = found.get("rules").and_then(Value::as_array).into_iter().flatten();
    let own = |row: &&Value| all || (row.get("rule").is_some() && !text(row, "from").starts_with("pack:"));
    let mut any = false;
    for row in rows.filter(own) {
        any = true;
        let names = [text(row, "rule"), text(row, "policy")];
        let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        let place = match (text(row, "saved"), text(row, "from")) {
            ("", from) => from.to_owned(),
            (saved, _) => format!("doorward rules remove {saved}"),
        };
        let until = row.get("until").and_then(Value::as_str).map(|until| format!("  until {until}"));
        let session = row.pointer("/only/session").and_then(Value::as_str);
        let session = session.map(|id| format!("  for the session {}", visible(id))).unwrap_or_default();
        let met = row.get("n").and_then(Value::as_u64).unwrap_or_default();
        let line = format!(
            "{:<5} {}{session}  met {met} this week{}  \u{1b}[2m{}\u{1b}[0m",
            text(row, "verdict"),
            visible(name),
            until.unwrap_or_default(),
            visible(&place)
        );
        said(row, &line);
    }
    if !any && !crate::output::as_json() {
        say!("no rules of yours; those of the shipped packs: doorward rules list --all");
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens the console in a browser, signed in once; prints the link.
pub(crate) fn console(args: &Console) -> Result<ExitCode, Failure> {
    let state = args.state.folder();
    let link = expect(&state.join(SOCKET), "POST", "/v1/login-link", Some(&json!({})))?;
    let url = text(&link, "url");
    said(&link, url);
    if !args.print && !crate::output::as_json() && open(&state, url)? {
        anstream::eprintln!(
            "opened in your browser; where nothing shows, open the link above, which works once"
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Has the desktop open a page that leads to the console. The link signs in, and others on this machine can read the
/// words of a command: they name a file that only its owner reads.
fn open(state: &Path, url: &str) -> Result<bool, Failure> {
    let desktop = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !desktop {
        return Ok(false);
    }
    let file = std::path::absolute(state)?.join(SIGN_IN);
    let _ = std::fs::remove_file(&file);
    let mut page = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file)?;
    writeln!(
        page,
        "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url={url}\"><a href=\"{url}\">Doorward</a>"
    )?;
    let opened = Command::new("xdg-open").arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).status();
    Ok(opened.is_ok_and(|status| status.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_with_its_unit() {
        assert_eq!(span("10m"), Ok(SignedDuration::from_mins(10)));
        assert_eq!(span("30d"), Ok(SignedDuration::from_hours(720)));
        for wrong in ["", "10", "0m", "m", "-3h", "1w", "99999999999999999999d", "40000d"] {
            assert!(span(wrong).is_err(), "{wrong}");
        }
    }
}
