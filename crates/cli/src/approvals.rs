//! `doorward approvals`: the queue on the command line. What answers and takes back is in `answers.rs`.
//!
//! Everything goes through the service, which knows who is asking by the socket. Text of agents and tools is hostile:
//! what would move the cursor, hide or reorder is shown as its code point.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use doorward::rooms::core::text::is_unseen;
use doorward_hooks::thin::{SOCKET, default_state};
use serde_json::Value;

use crate::answers;
use crate::output::{Failure, json_line, said, say};
use crate::service::expect;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// State directory of the service
    #[arg(long, value_name = "DIR", global = true)]
    state: Option<PathBuf>,
    /// Without one: the live queue, answered by keys
    #[command(subcommand)]
    command: Option<What>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Open questions, the riskiest first
    List {
        /// Settled ones too
        #[arg(long)]
        all: bool,
        /// One line of JSON each
        #[arg(long)]
        json: bool,
    },
    /// Everything about one question
    Show {
        /// Its id, or the end of it
        id: String,
    },
    /// Allow a question
    #[command(name = "approve", visible_alias = "allow")]
    Approve(answers::Approve),
    /// Deny a question
    Deny {
        /// Its short name, or the end of its id
        id: String,
        /// Why, for the agent to read
        #[arg(long)]
        reason: Option<String>,
        /// Also refuse every further call of this session, until a person lets it go on
        #[arg(long)]
        stop: bool,
    },
    /// Rules that were saved with an answer
    Rules {
        /// One line of JSON each
        #[arg(long)]
        json: bool,
    },
    /// Take back a saved rule, or an approval that wasn't used
    #[command(alias = "recall")]
    Revoke(answers::Revoke),
    /// Show questions as they come
    Watch,
    /// Set your passphrase. It proves that you are a person; approving HIGH calls needs it
    Passphrase {
        /// Read it from standard input (with an old one on a second line)
        #[arg(long)]
        passphrase_stdin: bool,
        /// The old one is forgotten: set a new one, at a terminal that is older than every agent, asked for twice
        /// with a day in between
        #[arg(long)]
        forgotten: bool,
    },
    /// List what a person stopped
    Stops {
        /// One line of JSON each
        #[arg(long)]
        json: bool,
    },
    /// Refuse every call of a scope until a person lifts it
    Stop {
        /// all, session:ID, agent:NAME or server:NAME
        #[arg(default_value = "all")]
        scope: String,
        /// Why, for the record
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Let calls of a stopped scope pass again; takes a terminal and a phrase that you type
    #[command(alias = "lift")]
    Resume(answers::Resume),
}

/// What `list` says where no question is open.
const NONE_OPEN: &str =
    "No question waits for an answer. `doorward approvals list --all` shows those that were answered.";

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let socket = args.state.unwrap_or_else(default_state).join(SOCKET);
    let Some(command) = args.command else {
        crate::queue::run(&socket)?;
        return Ok(ExitCode::SUCCESS);
    };
    match command {
        What::List { all, json } => list(&socket, all, json)?,
        What::Show { id } => {
            let shown =
                expect(&socket, "GET", &format!("/v1/approvals/{}", answers::full(&socket, &id)?), None)?;
            said(&shown, &details(&shown));
        }
        What::Approve(wanted) => answers::approve(&socket, wanted)?,
        What::Deny { id, reason, stop } => answers::deny(&socket, &id, reason.as_deref(), stop)?,
        What::Revoke(wanted) => answers::revoke(&socket, &wanted)?,
        What::Rules { json } => rules(&socket, json)?,
        What::Watch => watch(&socket)?,
        What::Passphrase { passphrase_stdin, forgotten } => {
            answers::set_passphrase(&socket, passphrase_stdin, forgotten)?
        }
        What::Stops { json } => stops(&socket, json)?,
        What::Stop { scope, reason } => answers::stop(&socket, &scope, &reason)?,
        What::Resume(wanted) => answers::resume(&socket, &wanted)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list(socket: &Path, all: bool, json: bool) -> Result<(), Failure> {
    let found = expect(socket, "GET", &format!("/v1/approvals?all={all}"), None)?;
    for approval in approvals(&found) {
        if json {
            json_line(approval)?;
        } else {
            anstream::println!("{}", line(approval));
        }
    }
    if !json && approvals(&found).next().is_none() {
        anstream::println!("{}", if all { "Nothing was asked yet." } else { NONE_OPEN });
    }
    Ok(())
}

fn rules(socket: &Path, json: bool) -> Result<(), Failure> {
    let found = expect(socket, "GET", "/v1/rules", None)?;
    for rule in found.get("rules").and_then(Value::as_array).into_iter().flatten() {
        if json {
            json_line(rule)?;
            continue;
        }
        let until = rule.get("until").and_then(Value::as_str).unwrap_or("until taken back");
        let (id, list, own) = (text(rule, "id"), text(rule, "list"), visible(text(rule, "rule")));
        anstream::println!("{id}  {list} {own}  {until}  {}", visible(text(rule, "by")));
    }
    Ok(())
}

fn stops(socket: &Path, json: bool) -> Result<(), Failure> {
    let found = expect(socket, "GET", "/v1/stops", None)?;
    for stop in found.get("stops").and_then(Value::as_array).into_iter().flatten() {
        if json {
            json_line(stop)?;
            continue;
        }
        let because = match text(stop, "reason") {
            "" => String::new(),
            reason => format!(": {}", visible(reason)),
        };
        let (scope, by) = (visible(text(stop, "scope")), visible(text(stop, "by")));
        anstream::println!("{scope}  by {by}, {}{because}", text(stop, "at"));
    }
    Ok(())
}

/// New questions as they come, until interrupted.
fn watch(socket: &Path) -> Result<(), Failure> {
    let mut seen = std::collections::BTreeSet::new();
    loop {
        let found = expect(socket, "GET", "/v1/approvals", None)?;
        let open: std::collections::BTreeSet<String> =
            approvals(&found).map(|approval| text(approval, "id").to_owned()).collect();
        for approval in approvals(&found) {
            if !seen.contains(text(approval, "id")) {
                said(approval, &details(approval));
            }
        }
        for gone in seen.difference(&open) {
            say!("settled: {gone}");
        }
        seen = open;
        std::thread::sleep(Duration::from_millis(500));
    }
}

pub(crate) fn approvals(found: &Value) -> impl Iterator<Item = &Value> {
    found.get("approvals").and_then(Value::as_array).into_iter().flatten()
}

fn line(approval: &Value) -> String {
    let level = level(approval);
    let state = text(approval, "state");
    let state = if state == "pending" { String::new() } else { format!(" [{state}]") };
    format!(
        "{}  {level}  {}  {}  {}{state}",
        short(text(approval, "id")),
        who(approval),
        visible(text(approval, "tool")),
        visible(&approval.get("args").unwrap_or(&Value::Null).to_string()),
    )
}

/// Who asks, as people know it: agent, project and branch, and the session's title.
pub(crate) fn who(shown: &Value) -> String {
    let agent = [text(shown, "agent"), text(shown, "caller")].into_iter().find(|name| !name.is_empty());
    let project = text(shown, "project").trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let branch = Some(text(shown, "branch")).filter(|branch| !branch.is_empty());
    let branch = branch.map(|branch| format!(" ({branch})")).unwrap_or_default();
    let title = Some(text(shown, "title")).filter(|title| !title.is_empty());
    let title = title.map(|title| format!(" \u{201c}{title}\u{201d}")).unwrap_or_default();
    let project = if project.is_empty() { String::new() } else { format!(" in {project}{branch}") };
    visible(&format!("{}{project}{title}", agent.unwrap_or_default()))
}

pub(crate) fn details(approval: &Value) -> String {
    let mut out = line_head(approval);
    let _ = writeln!(out, "  {}", who(approval));
    for (name, value) in approval.get("args").and_then(Value::as_object).into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let _ = writeln!(out, "  {}: {}", visible(name), visible(&value));
    }
    for key in ["reason", "caller", "session", "cwd", "expires", "answered_by", "answer_reason"] {
        let value = text(approval, key);
        if !value.is_empty() {
            let _ = writeln!(out, "  \u{1b}[2m{key}: {}\u{1b}[0m", visible(value));
        }
    }
    if let Some(said) = guardian(approval) {
        let _ = writeln!(out, "  \u{1b}[2mguardian: {said}\u{1b}[0m");
    }
    if let Some(phrase) = approval.get("phrase").and_then(Value::as_str) {
        let _ = writeln!(out, "  to allow it: --typed '{}'", visible(phrase));
    }
    out
}

/// What the guardian said, on one line; `None` where it wasn't asked.
pub(crate) fn guardian(shown: &Value) -> Option<String> {
    let said = shown.get("guardian").filter(|said| said.is_object())?;
    let score = ["score", "riskScore"].iter().find_map(|key| said.get(*key)?.as_u64());
    let score = score.map_or_else(|| "no score".to_owned(), |score| format!("{score} of 100"));
    let risks = said.get("risks").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let risks = risks.map(visible).collect::<Vec<_>>().join(", ");
    let risks = if risks.is_empty() { String::new() } else { format!(", risks: {risks}") };
    let (decision, status) = (text(said, "decision"), text(said, "status"));
    let (model, reasoning) = (visible(text(said, "model")), visible(text(said, "reasoning")));
    Some(format!("{score}, {decision} ({status}, {model}){risks}: {reasoning}"))
}

fn line_head(approval: &Value) -> String {
    let state = text(approval, "state");
    let (id, tool) = (text(approval, "id"), visible(text(approval, "tool")));
    let (before, short) = id.split_at(id.len() - short(id).len());
    format!("{before}\u{1b}[1m{short}\u{1b}[0m  {}  {tool}  {state}\n", level(approval))
}

/// How severe it is: LOW, MEDIUM, HIGH or CRITICAL.
pub(crate) fn level_word(approval: &Value) -> &str {
    approval.get("security_warning").map_or("", |warning| text(warning, "level"))
}

/// How people name a question: the end of its id.
pub(crate) fn short(id: &str) -> &str {
    const LETTERS: usize = 4;
    id.len().checked_sub(LETTERS).and_then(|at| id.get(at..)).unwrap_or(id)
}

pub(crate) fn level(approval: &Value) -> String {
    let level = level_word(approval);
    let colour = match level {
        "LOW" => 32,
        "MEDIUM" => 33,
        _ => 31,
    };
    format!("\u{1b}[{colour}m{level:<8}\u{1b}[0m")
}

pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Nothing hidden, nothing moved: control, bidirectional, invisible and tag characters as their code points.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for ch in text.chars() {
        let hidden = ch.is_control() || is_unseen(ch) || matches!(ch, '\u{2028}'..='\u{2029}');
        if hidden && ch != '\n' {
            let _ = write!(out, "<U+{:04X}>", u32::from(ch));
        } else if ch == '\n' {
            out.push_str("\\n");
        } else {
            out.push(ch);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_hides_or_reorders_is_shown_as_its_code_point() {
        for (text, shown) in [
            ("invoice\u{202e}fdp.exe", "invoice<U+202E>fdp.exe"),
            ("rm\u{200b} x", "rm<U+200B> x"),
            ("\u{1b}[2Jgone", "<U+001B>[2Jgone"),
            ("a\r\nb", "a<U+000D>\\nb"),
            ("ok\u{e0072}", "ok<U+E0072>"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }
}
