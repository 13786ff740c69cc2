//! The acts of people: allow, deny, revoke, stop, resume. `doorward approvals` and the short commands (`doorward
//! approve`) both end here.
//!
//! A person answers what they were shown: the answer carries its digest. A question that nobody named is shown first
//! and agreed to at a terminal, because an agent can put another one meanwhile.

use std::fmt::Write as _;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::Command as Process;

use serde_json::{Value, json};

use crate::approvals::{approvals, details, level_word, text, visible};
use crate::output::{Failure, said, say};
use crate::service::expect;

/// Which question to allow, and how far.
#[derive(Debug, clap::Args)]
pub(crate) struct Approve {
    /// The question's short name, or the end of its id; without it the newest, shown before you agree
    id: Option<String>,
    /// Approve all identical calls of the session, not only this one
    #[arg(long)]
    session: bool,
    /// Show the narrowest rule that would allow such calls; with --save, save it
    #[arg(long, conflicts_with = "session")]
    always: bool,
    /// Allow what belongs to this task, for this session and two hours at most: shows what that would and wouldn't
    /// cover, then asks; --save agrees at once
    #[arg(long, conflicts_with_all = ["session", "always"])]
    task: bool,
    /// With --always: this rule instead of the proposed one; may be given several times
    #[arg(long = "rule", value_name = "RULE", requires = "always")]
    rules: Vec<String>,
    /// With --always, where the rule counts: session, agent (in this project), project or user
    #[arg(long, value_name = "SCOPE", requires = "always")]
    scope: Option<String>,
    /// With --always, how long the rule counts: 1h, today, 30d or none (without end)
    #[arg(long, value_name = "TIME", requires = "always")]
    lasts: Option<String>,
    /// With --always or --task: save what was shown
    #[arg(long)]
    save: bool,
    /// The phrase, if the question demands one; unless given, you are shown it and asked to type it
    #[arg(long, value_name = "PHRASE")]
    typed: Option<String>,
    /// Read the passphrase from standard input instead of asking for it
    #[arg(long)]
    passphrase_stdin: bool,
}

/// What to take back.
#[derive(Debug, clap::Args)]
pub(crate) struct Revoke {
    /// A saved rule's id, as `doorward rules list` prints it, or a question whose approval wasn't used
    what: String,
    /// Read the passphrase from standard input; removing an ask or deny rule needs it
    #[arg(long)]
    passphrase_stdin: bool,
}

/// What may go on.
#[derive(Debug, clap::Args)]
pub(crate) struct Resume {
    /// The stop's scope, as `doorward approvals stops` lists it: all, session:ID, agent:NAME or server:NAME
    #[arg(default_value = "all")]
    scope: String,
    /// The phrase; unless given, you are shown it and asked to type it
    #[arg(long, value_name = "PHRASE")]
    typed: Option<String>,
}

/// Allows a question. Everything that it takes is asked for at once.
pub(crate) fn approve(socket: &Path, wanted: Approve) -> Result<(), Failure> {
    let named = wanted.id.is_some();
    let id = match &wanted.id {
        Some(id) => full(socket, id)?,
        None => newest(socket)?,
    };
    let saves = wanted.always || wanted.task;
    let wish =
        json!({"rules": wanted.rules, "scope": wanted.scope, "lasts": wanted.lasts, "task": wanted.task});
    let preview = match saves {
        true => Some(expect(socket, "POST", &format!("/v1/approvals/{id}/rule"), Some(&wish))?),
        false => None,
    };
    if let Some(preview) = &preview {
        said(preview, &proposal(preview));
        if preview.get("offered") != Some(&Value::Bool(true)) {
            return Err(Failure::new("always.refused", text(preview, "message").to_owned()));
        }
        if !wanted.save && wanted.task && std::io::stdin().is_terminal() {
            agreed("allow all of this for the session? [y/N] ")?;
        } else if !wanted.save {
            say!("nothing is answered or saved yet: say it again with --save");
            return Ok(());
        }
    }
    let shown = expect(socket, "GET", &format!("/v1/approvals/{id}"), None)?;
    let is_open = text(&shown, "state") == "pending";
    let phrase = shown.get("phrase").and_then(Value::as_str).filter(|_| is_open && wanted.typed.is_none());
    if !named || (phrase.is_some() && std::io::stdin().is_terminal()) {
        anstream::eprintln!("{}", details(&shown));
    }
    let typed = match phrase {
        Some(phrase) if std::io::stdin().is_terminal() => {
            Some(asked(&format!("type \u{1b}[1m{}\u{1b}[0m to allow it: ", visible(phrase)))?)
        }
        _ if !named => {
            agreed("allow it? [y/N] ")?;
            wanted.typed
        }
        _ => wanted.typed,
    };
    let passphrase = match wanted.passphrase_stdin {
        true => Some(stdin_line()?),
        false if is_open && takes_passphrase(socket, &shown)? => Some(hidden("passphrase: ")?),
        false => None,
    };
    let reach = match (saves, wanted.session) {
        (true, _) => "always",
        (false, true) => "session",
        (false, false) => "once",
    };
    let mut answer = json!({
        "answer": "yes", "shown": shown.get("shown"), "reach": reach, "typed": typed, "passphrase": passphrase,
    });
    if let (Some(preview), Some(answer)) = (&preview, answer.as_object_mut()) {
        let mut rule = wish;
        if let Some(rule) = rule.as_object_mut() {
            rule.insert("rules".to_owned(), json!(preview.get("rules")));
        }
        answer.insert("rule".to_owned(), rule);
        answer.insert("preview".to_owned(), json!(preview.get("digest")));
    }
    settle(socket, &id, &answer)
}

/// Whether a yes to this question takes the passphrase: a terminal that no agent made is enough for what isn't HIGH.
fn takes_passphrase(socket: &Path, shown: &Value) -> Result<bool, Failure> {
    let me = expect(socket, "GET", "/v1/me", None)?;
    let enough = text(&me, "presence") == "terminal" && matches!(level_word(shown), "LOW" | "MEDIUM");
    Ok(me.get("has_passphrase") == Some(&Value::Bool(true)) && !enough)
}

/// The passphrase of whoever has one: typed unseen, or the first line of standard input.
pub(crate) fn passphrase(socket: &Path, from_stdin: bool) -> Result<Option<String>, Failure> {
    let me = expect(socket, "GET", "/v1/me", None)?;
    match me.get("has_passphrase") == Some(&Value::Bool(true)) {
        true if from_stdin => stdin_line().map(Some),
        true => hidden("passphrase: ").map(Some),
        false => Ok(None),
    }
}

/// Denies a question.
pub(crate) fn deny(socket: &Path, id: &str, reason: Option<&str>, stop: bool) -> Result<(), Failure> {
    let id = full(socket, id)?;
    settle(socket, &id, &json!({"answer": "no", "reason": reason, "stop": stop}))
}

/// Takes back a saved rule, or a yes that wasn't used.
pub(crate) fn revoke(socket: &Path, wanted: &Revoke) -> Result<(), Failure> {
    let what = &wanted.what;
    let is_rule = what.starts_with("always-");
    let (path, id) = if is_rule {
        (format!("/v1/rules/{what}/revoke"), what.clone())
    } else {
        let id = full(socket, what)?;
        (format!("/v1/approvals/{id}/recall"), id)
    };
    let passphrase = if wanted.passphrase_stdin { Some(stdin_line()?) } else { None };
    let take_back = |passphrase: Option<String>| {
        let body = if is_rule { json!({"passphrase": passphrase}) } else { json!({}) };
        expect(socket, "POST", &path, Some(&body))
    };
    match take_back(passphrase) {
        Err(failure) if failure.code() == "grant.presence" && std::io::stdin().is_terminal() => {
            take_back(Some(hidden("passphrase: ")?))?
        }
        done => done?,
    };
    said(&json!({"revoked": id}), &format!("taken back: {id}"));
    Ok(())
}

/// Refuses every call of a scope.
pub(crate) fn stop(socket: &Path, scope: &str, reason: &str) -> Result<(), Failure> {
    expect(socket, "POST", "/v1/stops/new", Some(&json!({"scope": scope, "reason": reason})))?;
    let told = format!("stopped: {scope}; let it go on with: doorward resume {scope}");
    said(&json!({"stopped": scope}), &told);
    Ok(())
}

/// Lets calls of a scope pass again.
pub(crate) fn resume(socket: &Path, wanted: &Resume) -> Result<(), Failure> {
    let scope = &wanted.scope;
    let typed = match &wanted.typed {
        Some(typed) => typed.clone(),
        None => asked(&format!("type \u{1b}[1mI confirm\u{1b}[0m to let calls of {scope} pass again: "))?,
    };
    let lifted = expect(socket, "POST", "/v1/stops/lift", Some(&json!({"scope": scope, "typed": typed})))?;
    let was_stopped = lifted.get("lifted") != Some(&Value::Bool(false));
    let told = if was_stopped { format!("resumed: {scope}") } else { format!("{scope} isn't stopped") };
    said(&json!({"scope": scope, "resumed": was_stopped}), &told);
    Ok(())
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
    say!("the passphrase is set");
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
    let lines = |key: &str| preview.get(key).and_then(Value::as_array).into_iter().flatten();
    let covers = lines("covers").filter_map(Value::as_str).fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "  lets pass what {}", visible(line));
        out
    });
    if !covers.is_empty() {
        let mut out = format!("For this session, until {} at the latest:\n{covers}", text(preview, "until"));
        for line in lines("leaves").filter_map(Value::as_str) {
            let _ = writeln!(out, "  not what {}", visible(line));
        }
        let _ = write!(out, "of {} past calls it covers {}", number("of"), number("covered"));
        return out;
    }
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
    said(&answered, &format!("{}: {id}", text(&answered, "state")));
    Ok(())
}

/// The question that was put last.
fn newest(socket: &Path) -> Result<String, Failure> {
    let found = expect(socket, "GET", "/v1/approvals", None)?;
    let newest = approvals(&found).max_by_key(|one| text(one, "asked_at"));
    let none = || Failure::new("approval.unknown", "no question waits for an answer");
    newest.map(|one| text(one, "id").to_owned()).ok_or_else(none)
}

/// The question whose id ends like this: an open one, else one that was settled.
pub(crate) fn full(socket: &Path, id: &str) -> Result<String, Failure> {
    let unknown =
        || Failure::new("approval.unknown", "there is no such question; see: doorward approvals list");
    let wanted = id.to_ascii_uppercase();
    if wanted.is_empty() {
        return Err(unknown());
    }
    for list in ["/v1/approvals", "/v1/approvals?all=true"] {
        let found = expect(socket, "GET", list, None)?;
        let ids = approvals(&found).map(|approval| text(approval, "id"));
        let mut fitting = ids.filter(|own| own.to_ascii_uppercase().ends_with(&wanted));
        match (fitting.next(), fitting.next()) {
            (Some(one), None) => return Ok(one.to_owned()),
            (Some(_), Some(_)) => {
                return Err(Failure::new(
                    "approval.ambiguous",
                    "more than one ends like this: give more of its id",
                ));
            }
            (None, _) => {}
        }
    }
    Err(unknown())
}

/// A line that a person types after a question. The question goes to standard error: standard output is for results.
fn asked(question: &str) -> Result<String, Failure> {
    if std::io::stdin().is_terminal() {
        anstream::eprint!("{question}");
        std::io::stderr().flush()?;
    }
    stdin_line()
}

/// Goes on only if a person at a terminal says yes.
pub(crate) fn agreed(question: &str) -> Result<(), Failure> {
    if !std::io::stdin().is_terminal() {
        let why = "without a name this asks before it answers, and there is no terminal: name the question";
        return Err(Failure::new("approvals.terminal", why));
    }
    match asked(question)?.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(Failure::new("approvals.not_agreed", "nothing was changed")),
    }
}

pub(crate) fn stdin_line() -> Result<String, Failure> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Reads a line from the terminal without showing it.
pub(crate) fn hidden(prompt: &str) -> Result<String, Failure> {
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
