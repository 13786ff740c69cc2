//! `doorward install CLIENT`, `doorward uninstall CLIENT`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use doorward::rooms::core::tool::Client;
use doorward_hooks::install::{self, InstallError, Target};
use doorward_hooks::thin::{default_state, home_of};
use doorward_hooks::{clients, companion};

use crate::codex;
use crate::output::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// claude-code, codex, gemini-cli, cursor, copilot or windsurf
    client: String,
    /// Write into this project's configuration instead of the user's
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Write into this file
    #[arg(long, value_name = "FILE", conflicts_with = "project")]
    file: Option<PathBuf>,
    /// State directory of the service
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Answer `allow` for calls proved read-only inside the project, which waives the agent's own prompt for them
    #[arg(long)]
    relieve: bool,
    /// Codex skips hooks it doesn't trust: have this Codex trust the hook, in the configuration it was installed in
    #[arg(long, value_name = "CODEX")]
    trust: Option<PathBuf>,
}

pub(crate) fn install(args: Args) -> Result<ExitCode, Failure> {
    let (target, file) = args.place()?;
    let state = args.state.clone().unwrap_or_else(default_state);
    let state = std::path::absolute(&state)?;
    let binary = companion::program()?;
    let change = install::install(target, &file, &install::command(&binary, target.client, &state))?;
    let shown = file.display();
    if change.changed {
        anstream::println!("installed the hook of {} in {shown}", target.client.as_str());
        if let Some(backup) = change.backup {
            anstream::println!("the file as it was: {}", backup.display());
        }
    } else {
        anstream::println!("already installed in {shown}; nothing changed");
    }
    if args.relieve {
        relieve()?;
    }
    let needs_trust = clients::contract(target.client).enclosure.is_some_and(|own| own.needs_trust);
    if let Some(codex) = args.trust.as_ref().filter(|_| needs_trust) {
        codex::trust(codex, file.parent().unwrap_or(Path::new("/")))?;
        anstream::println!("Codex trusts it");
    } else if needs_trust {
        anstream::println!(
            "Codex skips hooks it doesn't trust: open Codex, run /hooks and trust this one, then `doorward doctor codex`"
        );
    }
    anstream::println!("check it with: doorward doctor {}", target.client.as_str());
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn uninstall(args: Args) -> Result<ExitCode, Failure> {
    let (target, file) = args.place()?;
    let change = install::uninstall(target, &file)?;
    let what = if change.changed { "taken out of" } else { "no hook of Doorward was in" };
    anstream::println!("{what} {}", file.display());
    Ok(ExitCode::SUCCESS)
}

impl Args {
    pub(crate) fn place(&self) -> Result<(&'static Target, PathBuf), Failure> {
        place(&self.client, self.project.as_deref(), self.file.as_deref())
    }
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
        return Err(Failure::new(
            "install.unknown_client",
            format!("{client:?} is none of {}", names.join(", ")),
        ));
    };
    let path = match (file, project) {
        (Some(file), _) => file.to_owned(),
        (None, Some(project)) => project.join(target.project_file),
        (None, None) => {
            let uid = rustix::process::getuid().as_raw();
            let home = home_of(uid).ok_or_else(|| {
                Failure::new("install.no_home", format!("user {uid} has no home; give --file"))
            })?;
            home.join(target.user_file)
        }
    };
    Ok((target, path))
}

/// Sets `hooks.relieve = "proven"` in the user's settings if it isn't there.
fn relieve() -> Result<(), Failure> {
    let uid = rustix::process::getuid().as_raw();
    let home =
        home_of(uid).ok_or_else(|| Failure::new("install.no_home", format!("user {uid} has no home")))?;
    let file = home.join(".config/doorward/doorward.toml");
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    if text.contains("relieve") {
        anstream::println!("hooks.relieve is already set in {}", file.display());
        return Ok(());
    }
    if text.contains("[hooks]") {
        return Err(Failure::new(
            "install.edit",
            format!("add relieve = \"proven\" below [hooks] in {}", file.display()),
        ));
    }
    let io = |source| InstallError::Io { file: file.clone(), source };
    if let Some(parent) = file.parent() {
        std::fs::create_dir_all(parent).map_err(io)?;
    }
    let separator = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    std::fs::write(&file, format!("{text}{separator}\n[hooks]\nrelieve = \"proven\"\n")).map_err(io)?;
    anstream::println!("set hooks.relieve = \"proven\" in {}", file.display());
    Ok(())
}
