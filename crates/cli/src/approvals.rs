//! `doorward approvals`: the queue on the command line, and `doorward console`: the way into the browser.
//!
//! Everything goes through the service, which knows who is asking by the socket. Text of agents and tools is hostile:
//! what would move the cursor, hide or reorder is shown as its code point.

use std::fmt::Write as _;
use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, ExitCode};
use std::time::Duration;

use doorward::rooms::core::text::is_unseen;
use doorward_hooks::thin::{SOCKET, default_state};
use serde_json::{Value, json};

use crate::output::{Failure, json_line};
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
    /// Approve a question
    Approve {
        /// Its id, or the end of it
        id: String,
        /// Approve all identical calls of the session, not only this one
        #[arg(long)]
        session: bool,
        /// Show the narrowest rule that would allow such calls; with --save, save it
        #[arg(long, conflicts_with = "session")]
        always: bool,
        /// With --always: this rule instead of the proposed one; may be given several times
        #[arg(long = "rule", value_name = "RULE", requires = "always")]
        rules: Vec<String>,
        /// With --always, where the rule counts: session, agent (in this project), project or user
        #[arg(long, value_name = "SCOPE", requires = "always")]
        scope: Option<String>,
        /// With --always, how long the rule counts: 1h, today, 30d or none (without end)
        #[arg(long, value_name = "TIME", requires = "always")]
        lasts: Option<String>,
        /// With --always: save what was shown
        #[arg(long, requires = "always")]
        save: bool,
        /// The phrase, if the question demands one
        #[arg(long, value_name = "PHRASE")]
        typed: Option<String>,
        /// Read the passphrase from standard input instead of asking for it
        #[arg(long)]
        passphrase_stdin: bool,
    },
    /// Deny a question
    Deny {
        /// Its id, or the end of it
        id: String,
        /// Why, for the agent to read
        #[arg(long)]
        reason: Option<String>,
        /// Also refuse every further call of this session, until a person lifts this
        #[arg(long)]
        stop: bool,
    },
    /// Rules that were saved with an answer
    Rules {
        /// One line of JSON each
        #[arg(long)]
        json: bool,
    },
    /// Take back a saved rule
    Revoke {
        /// Its id, as `rules` lists it
        id: String,
        /// Read the passphrase from standard input; removing a deny rule needs it
        #[arg(long)]
        passphrase_stdin: bool,
    },
    /// Take back an approval that wasn't used
    Recall {
        /// Its id, or the end of it
        id: String,
    },
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
    /// Lift a stop; takes a terminal and a phrase that you type
    Lift {
        /// The stop's scope, as `stops` lists it
        scope: String,
        /// The phrase; unless given, you are shown it and asked to type it
        #[arg(long, value_name = "PHRASE")]
        typed: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Console {
    /// State directory of the service
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
}

/// Prints a link that signs a browser in, once.
pub(crate) fn console(args: Console) -> Result<ExitCode, Failure> {
    let socket = args.state.unwrap_or_else(default_state).join(SOCKET);
    let link = expect(&socket, "POST", "/v1/login-link", Some(&json!({})))?;
    anstream::println!("{}", text(&link, "url"));
    Ok(ExitCode::SUCCESS)
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
        What::List { all, json } => {
            let found = expect(&socket, "GET", &format!("/v1/approvals?all={all}"), None)?;
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
        }
        What::Show { id } => {
            let shown = expect(&socket, "GET", &format!("/v1/approvals/{}", full(&socket, &id)?), None)?;
            anstream::println!("{}", details(&shown));
        }
        What::Approve { id, session, always, rules, scope, lasts, save, typed, passphrase_stdin } => {
            let id = full(&socket, &id)?;
            let wish = json!({"rules": rules, "scope": scope, "lasts": lasts});
            let preview = if always {
                Some(expect(&socket, "POST", &format!("/v1/approvals/{id}/rule"), Some(&wish))?)
            } else {
                None
            };
            if let Some(preview) = &preview {
                anstream::println!("{}", proposal(preview));
                if preview.get("offered") != Some(&Value::Bool(true)) {
                    let why = text(preview, "message").to_owned();
                    return Err(Failure::new("always.refused", why));
                }
                if !save {
                    anstream::println!("nothing is answered or saved yet: say it again with --save");
                    return Ok(ExitCode::SUCCESS);
                }
            }
            let shown = expect(&socket, "GET", &format!("/v1/approvals/{id}"), None)?;
            let me = expect(&socket, "GET", "/v1/me", None)?;
            let passphrase = match (passphrase_stdin, me.get("has_passphrase") == Some(&Value::Bool(true))) {
                (true, _) => Some(stdin_line()?),
                (false, true) => Some(hidden("passphrase: ")?),
                (false, false) => None,
            };
            let mut answer = json!({"answer": "yes", "shown": shown.get("shown")});
            if let Some(answer) = answer.as_object_mut() {
                let reach = if always {
                    "always"
                } else if session {
                    "session"
                } else {
                    "once"
                };
                answer.insert("reach".to_owned(), json!(reach));
                if let Some(preview) = &preview {
                    let rules = preview.get("rules");
                    let rule = json!({"rules": rules, "scope": scope, "lasts": lasts});
                    answer.insert("rule".to_owned(), rule);
                    answer.insert("preview".to_owned(), json!(preview.get("digest")));
                }
                answer.insert("typed".to_owned(), json!(typed));
                answer.insert("passphrase".to_owned(), json!(passphrase));
            }
            settle(&socket, &id, &answer)?;
        }
        What::Deny { id, reason, stop } => {
            let id = full(&socket, &id)?;
            settle(&socket, &id, &json!({"answer": "no", "reason": reason, "stop": stop}))?;
        }
        What::Recall { id } => {
            let id = full(&socket, &id)?;
            expect(&socket, "POST", &format!("/v1/approvals/{id}/recall"), Some(&json!({})))?;
            anstream::println!("taken back: {id}");
        }
        What::Rules { json } => {
            let found = expect(&socket, "GET", "/v1/rules", None)?;
            for rule in found.get("rules").and_then(Value::as_array).into_iter().flatten() {
                if json {
                    json_line(rule)?;
                } else {
                    let until = rule.get("until").and_then(Value::as_str).unwrap_or("until taken back");
                    let (id, list, own) = (text(rule, "id"), text(rule, "list"), visible(text(rule, "rule")));
                    anstream::println!("{id}  {list} {own}  {until}  {}", visible(text(rule, "by")));
                }
            }
        }
        What::Revoke { id, passphrase_stdin } => {
            let passphrase = if passphrase_stdin { Some(stdin_line()?) } else { None };
            let body = json!({"passphrase": passphrase});
            expect(&socket, "POST", &format!("/v1/rules/{id}/revoke"), Some(&body))?;
            anstream::println!("taken back: {id}");
        }
        What::Watch => watch(&socket)?,
        What::Passphrase { passphrase_stdin, forgotten } => {
            set_passphrase(&socket, passphrase_stdin, forgotten)?
        }
        What::Stops { json } => {
            let found = expect(&socket, "GET", "/v1/stops", None)?;
            for stop in found.get("stops").and_then(Value::as_array).into_iter().flatten() {
                if json {
                    json_line(stop)?;
                } else {
                    let because = match text(stop, "reason") {
                        "" => String::new(),
                        reason => format!(": {}", visible(reason)),
                    };
                    let (scope, by) = (visible(text(stop, "scope")), visible(text(stop, "by")));
                    anstream::println!("{scope}  by {by}, {}{because}", text(stop, "at"));
                }
            }
        }
        What::Stop { scope, reason } => {
            expect(&socket, "POST", "/v1/stops/new", Some(&json!({"scope": scope, "reason": reason})))?;
            anstream::println!("stopped: {scope}; lift it with: doorward approvals lift {scope}");
        }
        What::Lift { scope, typed } => {
            let typed = match typed {
                Some(typed) => typed,
                None => {
                    anstream::print!("type \u{1b}[1mI confirm\u{1b}[0m to let calls of {scope} pass again: ");
                    std::io::stdout().flush()?;
                    stdin_line()?
                }
            };
            let lifted =
                expect(&socket, "POST", "/v1/stops/lift", Some(&json!({"scope": scope, "typed": typed})))?;
            match lifted.get("lifted") {
                Some(Value::Bool(false)) => anstream::println!("{scope} isn't stopped"),
                _ => anstream::println!("lifted: {scope}"),
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Sets the passphrase of whoever asks. At a terminal it is typed twice.
pub(crate) fn set_passphrase(socket: &Path, from_stdin: bool, forgotten: bool) -> Result<(), Failure> {
    let me = expect(socket, "GET", "/v1/me", None)?;
    let old_wanted = me.get("has_passphrase") == Some(&Value::Bool(true)) && !forgotten;
    let (new, old) = if from_stdin {
        (stdin_line()?, if old_wanted { stdin_line()? } else { String::new() })
    } else {
        let old = if old_wanted { hidden("old passphrase: ")? } else { String::new() };
        let new = hidden("new passphrase: ")?;
        if hidden("the same again: ")? != new {
            return Err(Failure::new("passphrase.differs", "the two differ; nothing was changed"));
        }
        (new, old)
    };
    expect(
        socket,
        "POST",
        "/v1/passphrase",
        Some(&json!({"passphrase": new, "old": old, "forgotten": forgotten})),
    )?;
    anstream::println!("the passphrase is set");
    Ok(())
}

/// A rule before it is saved.
fn proposal(preview: &Value) -> String {
    let list = |key: &str| -> String {
        let items = preview.get(key).and_then(Value::as_array).into_iter().flatten();
        let items: Vec<String> = items.filter_map(Value::as_str).map(visible).collect();
        items.join(", ")
    };
    let past = preview.get("past").cloned().unwrap_or_default();
    let number = |key: &str| past.get(key).and_then(Value::as_u64).unwrap_or(0);
    let mut out = shown_lines(text(preview, "text").trim());
    for (word, key) in [("matches", "example"), ("doesn't match", "near_miss"), ("reaches further", "reach")]
    {
        let items = list(key);
        if !items.is_empty() {
            let _ = write!(out, "\n{word}: {items}");
        }
    }
    let _ = write!(
        out,
        "\npast calls: {} of {} ({} denied then, {} asked then)",
        number("covered"),
        number("of"),
        number("denied"),
        number("asked")
    );
    out
}

fn shown_lines(text: &str) -> String {
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}

fn settle(socket: &Path, id: &str, answer: &Value) -> Result<(), Failure> {
    let answered = expect(socket, "POST", &format!("/v1/approvals/{id}/answer"), Some(answer))?;
    anstream::println!("{}: {id}", text(&answered, "state"));
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
                anstream::println!("{}", details(approval));
            }
        }
        for gone in seen.difference(&open) {
            anstream::println!("settled: {gone}");
        }
        seen = open;
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// The id that ends like this, among the open ones; anything else as it is.
fn full(socket: &Path, id: &str) -> Result<String, Failure> {
    let found = expect(socket, "GET", "/v1/approvals?all=true", None)?;
    let mut fitting = approvals(&found).map(|approval| text(approval, "id")).filter(|own| own.ends_with(id));
    match (fitting.next(), fitting.next()) {
        (Some(one), None) if !id.is_empty() => Ok(one.to_owned()),
        (Some(_), Some(_)) => Err(Failure::new("approval.ambiguous", "more than one ends like this")),
        _ => Err(Failure::new("approval.unknown", "there is no such question; `doorward approvals list`")),
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
        "{}  {level}  {}  {}{state}",
        text(approval, "id"),
        visible(text(approval, "tool")),
        visible(&approval.get("args").unwrap_or(&Value::Null).to_string()),
    )
}

fn details(approval: &Value) -> String {
    let mut out = line_head(approval);
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
        let _ = writeln!(out, "  to approve it: --typed '{}'", visible(phrase));
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
    format!("\u{1b}[1m{id}\u{1b}[0m  {}  {tool}  {state}\n", level(approval))
}

pub(crate) fn level(approval: &Value) -> String {
    let level = approval.get("security_warning").map_or("", |warning| text(warning, "level"));
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

fn stdin_line() -> Result<String, Failure> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Reads a line from the terminal without showing it.
fn hidden(prompt: &str) -> Result<String, Failure> {
    let terminal = std::fs::File::options().read(true).write(true).open("/dev/tty");
    let mut terminal = terminal.map_err(|_| {
        Failure::new("passphrase.terminal", "there is no terminal to ask on; use --passphrase-stdin")
    })?;
    terminal.write_all(prompt.as_bytes())?;
    let echo = |how: &str| -> std::io::Result<bool> {
        Ok(Process::new("stty").arg(how).stdin(terminal.try_clone()?).status()?.success())
    };
    if !echo("-echo")? {
        return Err(Failure::new("passphrase.terminal", "the terminal can't hide what is typed"));
    }
    let mut line = String::new();
    let read = std::io::BufReader::new(terminal.try_clone()?).read_line(&mut line);
    echo("echo")?;
    terminal.write_all(b"\n")?;
    read?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
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
