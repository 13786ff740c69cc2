//! The links between an agent and its answer, each looked at on its own.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use doorward::problem::mend_of;
use doorward::{Door, Options};
use doorward_hooks::clients::{self, Contract};
use doorward_hooks::install::{self, Target};
use doorward_hooks::thin::{SOCKET, home_of};
use serde::Serialize;
use serde_json::Value;

use super::folder;
use crate::state::StateOption;
use crate::{codex, service, status};

/// Settings that an administrator gives a client, which count before everybody else's.
const MANAGED: &[&str] = &["/etc/claude-code/managed-settings.json", "/etc/gemini-cli/settings.json"];

/// What the system says where a disk is full.
const FULL: &str = "No space left on device";

/// How a link is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// It holds.
    Good,
    /// Calls run unguarded, or nothing works, until it is mended.
    Bad,
    /// It holds, and could be better.
    Note,
}

/// One link.
#[derive(Debug, Serialize)]
pub(crate) struct Link {
    /// What it is.
    pub(super) name: &'static str,
    /// How it is.
    pub(super) state: State,
    /// In words.
    pub(super) says: String,
    /// The command that mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mend: Option<String>,
}

impl Link {
    fn good(name: &'static str, says: impl Into<String>) -> Self {
        Self { name, state: State::Good, says: says.into(), mend: None }
    }

    pub(super) fn bad(name: &'static str, says: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { name, state: State::Bad, says: says.into(), mend: Some(mend.into()) }
    }

    fn note(name: &'static str, says: impl Into<String>, mend: Option<String>) -> Self {
        Self { name, state: State::Note, says: says.into(), mend }
    }

    /// On one line, with what mends it.
    pub(crate) fn told(&self) -> String {
        match &self.mend {
            Some(mend) => format!("{}: {}; mend it: {mend}", self.name, self.says),
            None => format!("{}: {}", self.name, self.says),
        }
    }
}

/// What all clients share: the service, its settings, a person's passphrase.
pub(super) fn own(state: &StateOption) -> Vec<Link> {
    let socket = state.folder().join(SOCKET);
    let mut links = Vec::new();
    let health = status::ask(&socket);
    match &health {
        Err(reason) => links.push(Link::note(
            "service",
            format!("isn't running ({reason}); the first call of an agent starts it"),
            Some("doorward restart".to_owned()),
        )),
        Ok(health) => {
            let build = health.get("build").and_then(Value::as_str).unwrap_or("an unknown build");
            let own = doorward::BUILD;
            links.push(if build == own {
                Link::good("service", format!("{build} answers at {}", socket.display()))
            } else {
                let says = format!("{build} runs, but this program is {own}");
                Link::bad("service", says, "doorward restart")
            });
            let told = |member: &str| -> Vec<String> {
                let list = health.get(member).and_then(Value::as_array).into_iter().flatten();
                list.filter_map(Value::as_str).map(str::to_owned).collect()
            };
            links.extend(told("problems").iter().map(|problem| troubled(problem, state)));
            links.extend(told("notes").into_iter().map(|note| Link::note("service", note, None)));
        }
    }
    if health.is_err() {
        links.extend(folder::broken(&state.folder()));
    }
    // What the service says of its settings is said once.
    let known: Vec<String> = links.iter().map(|link| link.says.clone()).collect();
    links.extend(settings(state, health.is_err()).into_iter().filter(|link| !known.contains(&link.says)));
    if health.is_ok() {
        links.extend(passphrase(&socket));
        links.extend(stopped(&socket));
    }
    links
}

/// What keeps the service from deciding.
fn troubled(problem: &str, state: &StateOption) -> Link {
    if problem.contains(FULL) {
        let folder = state.folder();
        let says = format!("the disk of {} is full, so every call is refused: {problem}", folder.display());
        return Link::bad("record", says, format!("free some of it: df -h {}", folder.display()));
    }
    Link::bad("service", problem, mend_of_problem(problem).unwrap_or("doorward logs"))
}

/// The command that mends what a sentence ends with the code of.
pub(crate) fn mend_of_problem(problem: &str) -> Option<&'static str> {
    last_code(problem).and_then(|code| mend_of(&code)).filter(|mend| *mend != "doorward doctor")
}

/// Whether the settings of the user and the administrator load, and, where no service tells it, what of them reaches no
/// client.
fn settings(state: &StateOption, alone: bool) -> Vec<Link> {
    let mend = "doorward config check";
    let door = match Door::open(Options::simulation(state.places())) {
        Ok(door) => door,
        Err(error) => return vec![Link::bad("settings", error.to_string(), mend)],
    };
    let project = door.project(None);
    if let Some(problem) = project.problem() {
        return vec![Link::bad("settings", format!("{} ({})", problem.text(), problem.code()), mend)];
    }
    let notes = project.notes().iter().filter(|_| alone).map(|note| Link::note("settings", note, None));
    std::iter::once(Link::good("settings", "load")).chain(notes).collect()
}

fn passphrase(socket: &Path) -> Option<Link> {
    let me = service::expect(socket, "GET", "/v1/me", None).ok()?;
    let set = me.get("has_passphrase") == Some(&Value::Bool(true));
    let set_it = || Some("doorward approvals passphrase".to_owned());
    Some(match set {
        true => Link::good("passphrase", "is set"),
        false => Link::note(
            "passphrase",
            "isn't set, so only a terminal shows that a person answers, and the browser can't approve high risk",
            set_it(),
        ),
    })
}

fn stopped(socket: &Path) -> Option<Link> {
    let found = service::expect(socket, "GET", "/v1/stops", None).ok()?;
    let stops = found.get("stops").and_then(Value::as_array)?;
    let scopes: Vec<&str> = stops.iter().filter_map(|stop| stop.get("scope")?.as_str()).collect();
    let first = scopes.first()?;
    let says = format!("a person stopped {}; those calls are refused", scopes.join(", "));
    Some(Link::note("stops", says, Some(format!("doorward resume {first}"))))
}

/// The links of one client, and whether the canary came back as it must.
pub(super) fn of_client(target: &'static Target, file: &Path, project: Option<&Path>) -> (Vec<Link>, bool) {
    let client = target.client.as_str();
    let contract = clients::contract(target.client);
    let mut install = format!("doorward install {client}");
    if let Some(project) = project {
        install.push_str(&format!(" --project {}", project.display()));
    }
    let entries = match install::installed(target, file) {
        Ok(entries) => entries,
        Err(error) => return (vec![Link::bad("hook", error.to_string(), install)], false),
    };
    let mut links = Vec::new();
    let is_there = |event: &&&str| entries.iter().any(|(found, _)| found == **event);
    let missing: Vec<&str> = target.events.iter().filter(|event| !is_there(event)).copied().collect();
    links.push(match missing.as_slice() {
        [] => Link::good("hook", format!("is installed for {}", target.events.join(", "))),
        missing => {
            Link::bad("hook", format!("is not installed for {}", missing.join(", ")), install.as_str())
        }
    });
    for (event, differs) in install::weakened(target, file).unwrap_or_default() {
        let says = format!("isn't as it was installed for {event} ({differs}), so calls may pass it");
        links.push(Link::bad("hook", says, install.as_str()));
    }
    links.extend(switched_off(contract, file, project));
    links.extend(hidden(target, contract, file));
    let Some((_, command)) = entries.first() else { return (links, false) };
    links.push(program(command, &install));
    links.extend(trust(contract, file, project));
    let (canary, reached) = canary(contract, command);
    links.push(canary);
    (links, reached)
}

/// Every settings file of the client that switches hooks off.
fn switched_off(contract: &Contract, file: &Path, project: Option<&Path>) -> Vec<Link> {
    let home = home_of(rustix::process::getuid().as_raw());
    let here = std::env::current_dir().ok();
    let folders = home.iter().map(PathBuf::as_path).chain(project).chain(here.as_deref());
    let named = folders.flat_map(|folder| contract.settings.iter().map(move |name| folder.join(name)));
    let mut files: Vec<PathBuf> =
        named.chain(MANAGED.iter().map(PathBuf::from)).chain([file.to_owned()]).collect();
    files.sort();
    files.dedup();
    let off = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).ok()?;
        let setting = (contract.hooks_off)(&text)?;
        let says = format!("`{setting}` in {}: no hook runs at all", file.display());
        Some(Link::bad("enabled", says, format!("take `{setting}` out of {}", file.display())))
    };
    files.into_iter().filter_map(off).collect()
}

/// What keeps the client from reading the file that the hook is installed in.
fn hidden(target: &Target, contract: &Contract, file: &Path) -> Vec<Link> {
    let own = file.ends_with(target.user_file);
    if !contract.project_hides_user || !own {
        return Vec::new();
    }
    let (title, mut links) = (contract.title, Vec::new());
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if let Some((variable, folder)) = contract.config
        && let Some(moved) = std::env::var_os(variable).filter(|moved| !moved.is_empty())
        && let Some(name) = Path::new(target.user_file).strip_prefix(folder).ok()
        && real(&Path::new(&moved).join(name)) != real(file)
    {
        let other = Path::new(&moved).join(name);
        let says = format!("{variable} is set, so {title} reads {} in place of this file", other.display());
        let mend = format!("doorward install {} --file {}", contract.client.as_str(), other.display());
        links.push(Link::bad("read", says, mend));
    }
    let Ok(here) = std::env::current_dir() else { return links };
    let workspace = here.join(target.project_file);
    if !workspace.exists() || real(&workspace) == real(file) {
        return links;
    }
    let guarded = install::installed(target, &workspace).is_ok_and(|entries| {
        target.events.iter().all(|event| entries.iter().any(|(found, _)| found == event))
            && install::weakened(target, &workspace).is_ok_and(|differs| differs.is_empty())
    });
    links.push(if guarded {
        Link::good("workspace", format!("{} has the hook too", workspace.display()))
    } else {
        let says = format!(
            "{} hides this file: {title} reads only that one in {}, and calls there run unguarded",
            workspace.display(),
            here.display()
        );
        let mend = format!("doorward install {} --file {}", contract.client.as_str(), workspace.display());
        Link::bad("workspace", says, mend)
    });
    links
}

/// Whether the program that the hook names is there.
fn program(command: &str, install: &str) -> Link {
    let Some(program) = install::program_of(command) else {
        return Link::bad("program", format!("the hook's command line names none: {command}"), install);
    };
    if !program.is_absolute() {
        return Link::good("program", format!("`{}` from the client's PATH", program.display()));
    }
    let asked = Command::new(&program).arg(doorward_hooks::companion::ASK).output();
    let lasts = !program.components().any(|part| part.as_os_str() == "target");
    match asked {
        Err(error) => Link::bad("program", format!("{}: {error}", program.display()), install),
        Ok(_) if lasts => Link::good("program", program.display().to_string()),
        Ok(_) => {
            let says =
                format!("{} stands in a build folder, which the next clean-up empties", program.display());
            Link::note("program", says, Some(install.to_owned()))
        }
    }
}

/// Whether the client trusts the hook, where it skips those that it doesn't.
fn trust(contract: &Contract, file: &Path, project: Option<&Path>) -> Option<Link> {
    contract.enclosure.filter(|own| own.needs_trust)?;
    let mut mend = format!("doorward install {} --trust", contract.client.as_str());
    if let Some(project) = project {
        mend.push_str(&format!(" --project {}", project.display()));
    }
    let title = contract.title;
    let Some(program) = codex::program() else {
        let says = format!("isn't known: no `codex` is on your PATH, so {title} can't be asked");
        return Some(Link::note("trust", says, Some(format!("{mend} /path/to/codex"))));
    };
    Some(match codex::Hooks::of(file, project).is_trusted(&program) {
        Ok(true) => Link::good("trust", format!("{title} trusts it")),
        Ok(false) => Link::bad("trust", format!("{title} doesn't trust it: its calls run unguarded"), mend),
        Err(failure) => {
            let says = format!("{title} can't be asked whether it trusts the hook: {}", failure.message);
            Link::bad("trust", says, mend)
        }
    })
}

/// Sends the canary through the configured command line, and says what came back.
fn canary(contract: &Contract, command: &str) -> (Link, bool) {
    let word = random_word();
    let cwd = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")).display().to_string();
    let event = (contract.canary)(&format!("doorward-canary {word}"), &cwd);
    let output = match send(command, &event.to_string()) {
        Ok(output) => output,
        Err(error) => {
            return (Link::bad("canary", format!("the hook can't be started: {error}"), "see above"), false);
        }
    };
    let said = [output.stdout.as_slice(), output.stderr.as_slice()]
        .map(String::from_utf8_lossy)
        .concat()
        .replace('\\', "");
    if said.contains("doctor.canary") && said.contains(&word) {
        return (Link::good("canary", "went through the hook and came back refused, as it must"), true);
    }
    let code = last_code(&said);
    let mend = match code.as_deref() {
        None => "doorward install CLIENT",
        Some("kill_switch") => "doorward resume all",
        Some(code) => mend_of(code).unwrap_or("doorward status"),
    };
    let mend = mend.replace("CLIENT", contract.client.as_str());
    let says = match (&code, output.status.code()) {
        (Some(code), _) if code == "service.problem" && said.contains(FULL) => {
            return (
                Link::bad("canary", "came back refused, like every call: the disk is full", "see above"),
                false,
            );
        }
        (Some(code), _) => {
            format!("came back refused for another reason: {} ({code})", sentence(&said, code))
        }
        (None, Some(126 | 127) | None) => {
            format!("the hook can't be run, and most clients run the call then: {}", said.trim())
        }
        (None, _) => "was not refused: the hook answers, but lets through what it must not".to_owned(),
    };
    (Link::bad("canary", says, mend), false)
}

fn random_word() -> String {
    let mut bytes = [0_u8; 12];
    // Without randomness it is the same word each time, which proves a little less.
    let _ = getrandom::fill(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn send(command: &str, event: &str) -> std::io::Result<Output> {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A hook that ended early is told by its exit code.
        let _ = stdin.write_all(event.as_bytes());
    }
    child.wait_with_output()
}

/// The last `(room.reason)` of a text.
fn last_code(text: &str) -> Option<String> {
    let is_code = |inner: &str| {
        inner.contains('.')
            && inner.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'.' || byte == b'_')
            || inner == "kill_switch"
    };
    text.split('(')
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|inner| is_code(inner))
        .last()
        .map(str::to_owned)
}

/// The sentence before a code.
fn sentence(text: &str, code: &str) -> String {
    let before = text.split(&format!("({code})")).next().unwrap_or(text);
    let begin = before.rfind('"').map_or(0, |at| at + 1);
    before.get(begin..).unwrap_or(before).trim().trim_start_matches("Doorward: ").to_owned()
}
