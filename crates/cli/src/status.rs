//! `doorward status`: one page on the service, its posture and record, the agents that have the hook, what waits for a
//! person and what is stopped.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use doorward_hooks::thin::{SOCKET, default_state};
use doorward_hooks::{clients, install};
use serde_json::json;

use crate::audit::alarm;
use crate::install::place;
use crate::output::{Failure, exit, json_line};
use crate::{approvals, codex, doctor, lifecycle, service};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// State directory of the service
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Print the token for the HTTP API
    #[arg(long)]
    token: bool,
    /// One line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let state = args.state.unwrap_or_else(default_state);
    if args.token {
        let file = state.join(doorward::TOKEN_FILE);
        let token = std::fs::read_to_string(&file).map_err(|error| {
            Failure::new("status.no_token", format!("{}: {error}; start the service first", file.display()))
        })?;
        anstream::println!("{}", token.trim());
        return Ok(ExitCode::SUCCESS);
    }
    let socket = state.join(SOCKET);
    let page = Page::ask(&socket);
    let alarms = alarm::alarms(&state);
    if args.json {
        json_line(&json!({
            "state": state, "running": page.is_ok(), "health": page.as_ref().ok().map(|page| &page.health),
            "pid": page.as_ref().ok().and_then(|page| page.pid),
            "waiting": page.as_ref().map_or(0, |page| page.waiting.len()),
            "stops": page.as_ref().ok().map(|page| &page.stops), "record": alarms,
        }))?;
    } else {
        match &page {
            Ok(page) => page.draw(&state),
            Err(reason) => {
                let how = match lifecycle::pid_of_service(&socket) {
                    Some(pid) => format!(
                        "doesn't answer, though process {pid} runs ({reason}); end it and start it anew"
                    ),
                    None => format!("doesn't run ({reason}); start it"),
                };
                row("Doorward", &format!("{how} with: doorward restart"));
                if let Some(broken) = doctor::broken(&state) {
                    row("problem", &format!("\u{1b}[31m{}\u{1b}[0m", broken.told()));
                }
                agents();
            }
        }
        alarm::draw(&alarms);
    }
    Ok(ExitCode::from(if page.is_ok() && alarms.is_empty() { exit::ALLOW } else { 1 }))
}

/// `GET /healthz` over the socket.
pub(crate) fn ask(socket: &std::path::Path) -> Result<serde_json::Value, String> {
    use std::io::{Read as _, Write as _};
    let text = |error: std::io::Error| error.to_string();
    let mut stream = std::os::unix::net::UnixStream::connect(socket).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::ConnectionRefused => {
            format!("nothing answers at {}", socket.display())
        }
        _ => error.to_string(),
    })?;
    stream.set_read_timeout(Some(std::time::Duration::from_secs(5))).map_err(text)?;
    stream
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: doorward\r\nConnection: close\r\n\r\n")
        .map_err(text)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(text)?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("a broken answer")?;
    serde_json::from_str(body).map_err(|error| error.to_string())
}

/// What one page tells.
struct Page {
    health: serde_json::Value,
    pid: Option<i32>,
    waiting: Vec<serde_json::Value>,
    stops: Vec<serde_json::Value>,
}

impl Page {
    /// Asks the running service. What can't be told to whoever asks stays empty.
    fn ask(socket: &Path) -> Result<Self, String> {
        let health = ask(socket)?;
        let list = |path: &str, member: &str| -> Vec<serde_json::Value> {
            let found = service::expect(socket, "GET", path, None).unwrap_or_default();
            found.get(member).and_then(serde_json::Value::as_array).cloned().unwrap_or_default()
        };
        Ok(Self {
            health,
            pid: lifecycle::pid_of_service(socket),
            waiting: list("/v1/approvals", "approvals"),
            stops: list("/v1/stops", "stops"),
        })
    }

    fn draw(&self, state: &Path) {
        let text = |name: &str| self.health.get(name).and_then(serde_json::Value::as_str).unwrap_or_default();
        let number = |name: &str| self.health.get(name).and_then(serde_json::Value::as_u64).unwrap_or(0);
        let list = |name: &str| -> Vec<&str> {
            let items = self.health.get(name).and_then(serde_json::Value::as_array).into_iter().flatten();
            items.filter_map(serde_json::Value::as_str).collect()
        };
        let pid = self.pid.map_or_else(String::new, |pid| format!(", process {pid}"));
        row("Doorward", &format!("{} runs{pid}", text("build")));
        if text("build") != doorward::BUILD {
            let says = format!("{} runs, but this program is {}", text("build"), doorward::BUILD);
            row("problem", &format!("\u{1b}[31m{says}; mend it: doorward restart\u{1b}[0m"));
        }
        row("state", &state.display().to_string());
        let console = match text("console") {
            "" => "off: the service has no HTTP port".to_owned(),
            address => format!("{address}  (sign in with: doorward console)"),
        };
        row("console", &console);
        row("posture", &format!("{}: {}", text("posture"), list("posture_reasons").join("; ")));
        let (records, signed) = (number("records"), number("signed"));
        row("record", &format!("records: {records}, signed: {signed}; sessions: {}", number("sessions")));
        for engine in
            self.health.get("policy_engines").and_then(serde_json::Value::as_array).into_iter().flatten()
        {
            row("policy", &engine.to_string());
        }
        agents();
        match self.waiting.as_slice() {
            [] => row("questions", "none waits for you"),
            waiting => row("questions", &format!("{} wait for you: doorward approvals", waiting.len())),
        }
        for stop in &self.stops {
            let (scope, by) = (approvals::text(stop, "scope"), approvals::text(stop, "by"));
            row("stopped", &format!("{scope}, by {by}; let it go on with: doorward resume {scope}"));
        }
        for problem in list("problems") {
            let mend = doctor::mend_of_problem(problem).map(|mend| format!("; mend it: {mend}"));
            row("problem", &format!("\u{1b}[31m{problem}{}\u{1b}[0m", mend.unwrap_or_default()));
        }
        for note in list("notes") {
            row("note", &format!("\u{1b}[33m{note}\u{1b}[0m"));
        }
    }
}

/// The agents whose configuration names the hook.
fn agents() {
    let mut any = false;
    for target in install::targets() {
        let Ok((target, file)) = place(target.client.as_str(), None, None) else { continue };
        let Ok(entries) = install::installed(target, &file) else {
            row("agent", &format!("{}: {} can't be read", target.client.as_str(), file.display()));
            continue;
        };
        if entries.is_empty() {
            continue;
        }
        any = true;
        let missing = target.events.len().saturating_sub(entries.len());
        let how = if missing == 0 { "hook installed" } else { "hook not installed for all its events" };
        row("agent", &format!("{}: {how} in {}", target.client.as_str(), file.display()));
        if clients::contract(target.client).enclosure.is_some_and(|own| own.needs_trust) {
            trust(&file);
        }
    }
    let prove = if any {
        "prove it with: doorward doctor"
    } else {
        "none has the hook: doorward install claude-code"
    };
    row("agents", prove);
}

/// Whether Codex trusts its hook: it skips one that it doesn't trust.
fn trust(file: &Path) {
    let Some(program) = codex::program() else { return };
    let says = match codex::Hooks::of(file, None).is_trusted(&program) {
        Ok(true) => return,
        Ok(false) => "Codex doesn't trust the hook, so its calls run unguarded".to_owned(),
        Err(failure) => format!("Codex can't be asked whether it trusts the hook: {}", failure.message),
    };
    row("problem", &format!("\u{1b}[31m{says}; run: doorward install codex --trust\u{1b}[0m"));
}

fn row(name: &str, text: &str) {
    anstream::println!("{name:<10} {text}");
}
