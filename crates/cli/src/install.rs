//! `doorward install CLIENT`, `doorward uninstall CLIENT`.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use doorward::rooms::core::tool::Client;
use doorward::rooms::settings::nearest;
use doorward_hooks::clients;
use doorward_hooks::install::{self, HookCommand, Target};
use doorward_hooks::thin::{SOCKET, default_state, home_of};

use crate::output::{Failure, say};
use crate::people::only_for_people;
use crate::{answers, codex, mcp_install, programs, service, setup};

/// The word that stands for MCP servers in a client's place.
const MCP: &str = "mcp";
/// How the program is called where the client's own `PATH` finds it.
const BY_NAME: &str = "doorward";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Place,
    /// State directory of the service, if it isn't the usual one
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Let the hook start this program itself, instead of a copy in ~/.local/lib/doorward
    #[arg(long)]
    in_place: bool,
    /// The agent doesn't prompt for calls that are proved to only read inside the project (`hooks.relieve`)
    #[arg(long)]
    relieve: bool,
    /// Have Codex trust the hook: it skips hooks that it doesn't trust. CODEX is its program, if it isn't on your PATH
    #[arg(long, value_name = "CODEX", num_args = 0..=1)]
    trust: Option<Option<PathBuf>>,
    /// Ask nothing, also at a terminal
    #[arg(long)]
    no_questions: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Removal {
    #[command(flatten)]
    place: Place,
}

/// Which configuration file is meant.
#[derive(Debug, clap::Args)]
struct Place {
    /// claude-code, codex, gemini-cli, cursor, copilot, windsurf or openhands; `mcp` for the MCP servers of all
    /// agents on this machine
    #[arg(required_unless_present = "all", default_value = "", hide_default_value = true)]
    client: String,
    /// Every agent that is found here, and their MCP servers
    #[arg(long, conflicts_with_all = ["client", "project", "file"])]
    all: bool,
    /// The project's configuration instead of the user's; it names no path, so that others can share it
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Another configuration file than the usual one
    #[arg(long, value_name = "FILE", conflicts_with = "project")]
    file: Option<PathBuf>,
}

impl Place {
    fn find(&self) -> Result<(&'static Target, PathBuf), Failure> {
        place(&self.client, self.project.as_deref(), self.file.as_deref())
    }
}

/// A hook that was put into a configuration file.
pub(crate) struct Hook {
    pub(crate) change: install::Change,
    /// The programs that it starts; `None` where it names no path.
    lasting: Option<programs::Programs>,
}

/// Puts the hook into a configuration file. One that others share names no path of this home.
pub(crate) fn put(
    target: &'static Target,
    file: &Path,
    state: Option<&Path>,
    in_place: bool,
    shared: bool,
) -> Result<Hook, Failure> {
    let lasting = if shared { None } else { Some(programs::lasting(in_place)?) };
    let program = lasting.as_ref().map_or(Path::new(BY_NAME), |programs| &programs.hook);
    let command = HookCommand { program, client: target.client, state, enclosed: false }.to_string();
    Ok(Hook { change: install::install(target, file, &command)?, lasting })
}

pub(crate) fn install(args: Args) -> Result<ExitCode, Failure> {
    if args.place.all {
        return setup::run(setup::Args::unasked(args.in_place, args.relieve, args.own_state()?));
    }
    if args.place.client == MCP {
        return servers(&args.place, Some(&args));
    }
    let (target, file) = args.place.find()?;
    let client = target.client.as_str();
    let state = args.own_state()?;
    let hook = put(target, &file, state.as_deref(), args.in_place, args.place.project.is_some())?;
    let shown = file.display();
    if hook.change.changed {
        say!("installed the hook of {client} in {shown}");
        if let Some(backup) = hook.change.backup {
            say!("the file as it was: {}", backup.display());
        }
    } else {
        say!("already installed in {shown}; nothing changed");
    }
    match &hook.lasting {
        Some(programs) if programs.copied => {
            say!("it starts {}, a copy of this program", programs.hook.display());
        }
        Some(_) => {}
        None => say!(
            "it starts `{BY_NAME}` from the PATH of whoever works in this project; where it isn't there, calls are \
             refused"
        ),
    }
    let questions = Questions { asked: !args.no_questions && at_terminal() };
    if args.relieve || questions.relieve()? {
        relieve(false)?;
    }
    let needs_trust = clients::contract(target.client).enclosure.is_some_and(|own| own.needs_trust);
    let unguarded = if needs_trust { trust(&args, &file, &questions)? } else { None };
    questions.passphrase(&state.unwrap_or_else(default_state))?;
    questions.posture()?;
    say!("check it with: doorward doctor {client}");
    let Some(why) = unguarded else { return Ok(ExitCode::SUCCESS) };
    let project = args.place.project.as_ref();
    let project = project.map(|folder| format!(" --project {}", folder.display())).unwrap_or_default();
    anstream::eprintln!(
        "\n\u{1b}[1;31mNothing is guarded yet:\u{1b}[0m {why}. Have it trust this hook with:\n  doorward install {client} \
         --trust{project}\nor open Codex and trust it under /hooks. `doorward guard -- codex` needs neither."
    );
    Ok(ExitCode::FAILURE)
}

/// Has Codex trust the hook, where the user says so. What is wrong if it doesn't trust it in the end.
fn trust(args: &Args, file: &Path, questions: &Questions) -> Result<Option<&'static str>, Failure> {
    let hooks = codex::Hooks::of(file, args.place.project.as_deref());
    let named = args.trust.as_ref().and_then(Option::as_ref).cloned();
    let Some(program) = named.or_else(codex::program) else {
        if args.trust.is_some() {
            return Err(Failure::new(
                "codex.not_found",
                "no `codex` is on your PATH: give --trust /path/to/codex",
            ));
        }
        return Ok(Some("Codex skips hooks that it doesn't trust, and it isn't on your PATH to be asked"));
    };
    if hooks.is_trusted(&program).unwrap_or(false) {
        say!("Codex trusts it");
        return Ok(None);
    }
    if args.trust.is_none() {
        let wanted = questions.ask(
            "Codex skips hooks that it doesn't trust, and then every call of its runs unguarded. Have it trust this one?",
        )?;
        if !wanted {
            return Ok(Some("Codex skips hooks that it doesn't trust"));
        }
    }
    hooks.trust(&program)?;
    say!("Codex trusts it");
    Ok(None)
}

/// Puts the gateway before the MCP servers in agents' configurations, or, without options of an installation, takes it
/// away.
fn servers(place: &Place, installs: Option<&Args>) -> Result<ExitCode, Failure> {
    let own_state = installs.map(Args::own_state).transpose()?.flatten();
    let state = std::path::absolute(own_state.clone().unwrap_or_else(default_state))?;
    let program = match installs {
        // A file that others share names no path of this home.
        Some(_) if place.project.is_some() => PathBuf::from(BY_NAME),
        Some(args) => gateway(args.in_place)?,
        None => PathBuf::new(),
    };
    let home = own_home().ok();
    let files = mcp_install::files(home.as_deref(), place.project.as_deref(), place.file.as_deref());
    let (mut failed, mut any) = (false, false);
    for file in files {
        let done = match installs {
            Some(_) => mcp_install::wrap(&file, &program, &state, own_state.is_some()),
            None => mcp_install::unwrap(&file, &state),
        };
        for (name, why) in done.iter().flat_map(|changed| &changed.left) {
            say!("{name} in {} is left as it is: {why}", file.display());
        }
        match done {
            Ok(changed) if changed.servers.is_empty() => {}
            Ok(changed) => {
                any = true;
                let how = if installs.is_some() {
                    "the gateway is before"
                } else {
                    "the gateway is taken away from"
                };
                say!("{how} {} in {}", changed.servers.join(", "), changed.file.display());
            }
            Err(failure) => {
                failed = true;
                failure.report();
            }
        }
    }
    if any {
        say!("start the agents anew");
    } else if !failed {
        say!("no MCP server was found that needs a change");
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The program that an MCP server's entry starts.
pub(crate) fn gateway(in_place: bool) -> Result<PathBuf, Failure> {
    Ok(programs::lasting(in_place)?.hook.with_file_name(BY_NAME))
}

pub(crate) fn uninstall(args: Removal) -> Result<ExitCode, Failure> {
    only_for_people(&default_state().join(SOCKET), "taking Doorward out")?;
    remove(args)
}

fn remove(args: Removal) -> Result<ExitCode, Failure> {
    if args.place.all {
        return uninstall_all();
    }
    if args.place.client == MCP {
        return servers(&args.place, None);
    }
    let (target, file) = args.place.find()?;
    let needs_trust = clients::contract(target.client).enclosure.is_some_and(|own| own.needs_trust);
    let trusted = needs_trust.then(|| codex::Hooks::of(&file, args.place.project.as_deref()));
    let keys = trusted.as_ref().map(codex::Hooks::keys).unwrap_or_default();
    let change = install::uninstall(target, &file)?;
    if let Some(hooks) = trusted {
        hooks.distrust(&keys)?;
    }
    let what = if change.changed { "taken out of" } else { "no hook of Doorward was in" };
    say!("{what} {}", file.display());
    if change.changed && !is_any_installed() {
        say!(
            "no agent of yours starts Doorward any more; end its service with `doorward stop service`, and remove the programs \
             with: rm -r ~/{}",
            programs::FOLDER
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Takes the hook of every client and the gateway out of the user's own configuration.
fn uninstall_all() -> Result<ExitCode, Failure> {
    let of = |client: &str| Removal {
        place: Place { client: client.to_owned(), all: false, project: None, file: None },
    };
    let mut ended = remove(of(MCP))?;
    for target in install::targets() {
        let (_, file) = place(target.client.as_str(), None, None)?;
        if install::installed(target, &file).is_ok_and(|entries| !entries.is_empty()) {
            let one = remove(of(target.client.as_str()))?;
            ended = if ended == ExitCode::SUCCESS { one } else { ended };
        }
    }
    Ok(ended)
}

/// Whether the user's own configuration of any client still names the hook.
fn is_any_installed() -> bool {
    install::targets().any(|target| {
        let found =
            place(target.client.as_str(), None, None).map(|(_, file)| install::installed(target, &file));
        matches!(found, Ok(Ok(entries)) if !entries.is_empty())
    })
}

impl Args {
    /// The state directory where it isn't the usual one: then the hook's command line has to name it.
    fn own_state(&self) -> Result<Option<PathBuf>, Failure> {
        let Some(state) = &self.state else { return Ok(None) };
        let state = std::path::absolute(state)?;
        Ok((state != default_state()).then_some(state))
    }
}

/// What a person is asked once, after the hook is in place. Each question has an answer that changes nothing.
pub(crate) struct Questions {
    pub(crate) asked: bool,
}

impl Questions {
    pub(crate) fn ask(&self, question: &str) -> Result<bool, Failure> {
        if !self.asked {
            return Ok(false);
        }
        anstream::print!("\n{question} [y/N] ");
        std::io::stdout().flush()?;
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        Ok(matches!(line.trim(), "y" | "Y" | "yes"))
    }

    pub(crate) fn relieve(&self) -> Result<bool, Failure> {
        self.ask(
            "Most calls of an agent only read. Shall Doorward answer `allow` for those that it proves to only read\n\
             inside the project, so that the agent stops asking you about them?",
        )
    }

    pub(crate) fn passphrase(&self, state: &Path) -> Result<(), Failure> {
        let socket = state.join(SOCKET);
        if !self.asked || doorward_hooks::thin::reach(state).is_err() {
            return Ok(());
        }
        let me = service::expect(&socket, "GET", "/v1/me", None)?;
        if me.get("has_passphrase") == Some(&serde_json::Value::Bool(true)) {
            return Ok(());
        }
        let wanted = self.ask(
            "Set a passphrase? It shows that a person answers, and not the agent in your name. Calls of high risk and\n\
             rules that last are approved in the browser only with it.",
        )?;
        if wanted { answers::set_passphrase(&socket, false, false) } else { Ok(()) }
    }

    pub(crate) fn observe(&self) -> Result<bool, Failure> {
        self.ask(
            "Watch for seven days first? Everything is judged and recorded, and only what must never happen is\n\
             stopped; `doorward observe` then shows what would have been asked, and ends it.",
        )
    }

    fn posture(&self) -> Result<(), Failure> {
        let wanted = self.ask(
            "Doorward runs as you, and so does the agent: code that gets past Doorward's analysis could stop it. A service\n\
             under a user of its own is out of the agent's reach. Show how to set it up, as root?",
        )?;
        if wanted {
            say!("{}", separate());
        }
        Ok(())
    }
}

pub(crate) fn at_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// The commands of docs/separate.md for this user.
fn separate() -> String {
    let uid = rustix::process::getuid().as_raw();
    format!(
        "As root, with the files of the release's folder `packaging`:\n\
         \u{20} install -m 755 doorward doorward-thin /usr/bin/\n\
         \u{20} install -m 644 packaging/systemd/doorward.sysusers /usr/lib/sysusers.d/doorward.conf && systemd-sysusers\n\
         \u{20} install -m 644 packaging/systemd/doorward@.service /etc/systemd/system/\n\
         \u{20} systemctl enable --now doorward@{uid}.service\n\
         \u{20} doorward install claude-code --file /etc/claude-code/managed-settings.json"
    )
}

/// The file of a client: the given one, the project's, or the user's by the password database.
pub(crate) fn place(
    client: &str,
    project: Option<&Path>,
    file: Option<&Path>,
) -> Result<(&'static Target, PathBuf), Failure> {
    let known = Client::from_word(client).and_then(install::target);
    let Some(target) = known else {
        let names: Vec<&str> = install::targets().map(|target| target.client.as_str()).collect();
        return Err(Failure::new("install.unknown_client", unknown_client(client, &names)));
    };
    let path = match (file, project) {
        (Some(file), _) => file.to_owned(),
        (None, Some(project)) => project.join(target.project_file),
        (None, None) => own_home()?.join(target.user_file),
    };
    Ok((target, path))
}

fn unknown_client(client: &str, names: &[&str]) -> String {
    let near = nearest(client, names.iter().copied());
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("{client:?} is none of {}{near}", names.join(", "))
}

pub(crate) fn own_home() -> Result<PathBuf, Failure> {
    let uid = rustix::process::getuid().as_raw();
    home_of(uid)
        .ok_or_else(|| Failure::new("install.no_home", format!("user {uid} has no home; give --file")))
}

/// Sets `hooks.relieve = "proven"` in the user's settings.
pub(crate) fn relieve(quiet: bool) -> Result<(), Failure> {
    let file = own_home()?.join(".config/doorward/doorward.toml");
    doorward::choose::write_text(&file, "hooks", "relieve", "proven")?;
    if !quiet {
        say!("set hooks.relieve = \"proven\" in {}", file.display());
    }
    Ok(())
}
