//! `doorward plugin build`: folders that Claude Code, Codex and Gemini CLI install as a plugin or extension. Each has
//! the hook, as `install` writes it for a project, and a skill that teaches the agent to read an answer.
//!
//! The hook names no path: it starts `doorward` from the agent's `PATH`, and refuses where that isn't there. Its text
//! stays the same from version to version, so that an agent's trust in it survives an upgrade.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use doorward::rooms::core::tool::Client;
use serde_json::{Value, json};

use crate::install::put;
use crate::output::Failure;

const SKILL: &str = include_str!("SKILL.md");
const ABOUT: &str =
    "The door that every tool call passes through: judges calls, asks a person, keeps a record";
const README: &str = include_str!("README.md");

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Write the plugins of Claude Code and Codex and the extension of Gemini CLI into a folder
    Build {
        /// The folder; it must not be there, or be empty
        folder: PathBuf,
        /// State directory of the service, if it isn't the usual one
        #[arg(long, value_name = "DIR")]
        state: Option<PathBuf>,
    },
}

/// How one agent takes a plugin.
struct Form {
    client: Client,
    /// The folder with the hook and the skill.
    plugin: &'static str,
    /// Files beside them, from the folder of the agent.
    files: fn() -> Vec<(&'static str, Value)>,
    /// What installs it.
    commands: &'static [&'static str],
}

/// Measured of Claude Code 2.1.330, Codex 0.169 and Gemini CLI 0.61.
const FORMS: &[Form] = &[
    Form {
        client: Client::ClaudeCode,
        plugin: "plugin",
        files: || {
            let plugin = json!({"name": "doorward", "source": "./plugin", "description": ABOUT});
            let owner = json!({"name": "Doorward"});
            let market =
                json!({"name": "doorward", "owner": owner, "description": ABOUT, "plugins": [plugin]});
            vec![(".claude-plugin/marketplace.json", market), ("plugin/.claude-plugin/plugin.json", named())]
        },
        commands: &["claude plugin marketplace add ./claude-code", "claude plugin install doorward@doorward"],
    },
    Form {
        client: Client::Codex,
        plugin: "plugin",
        files: || {
            let policy = json!({"installation": "AVAILABLE", "authentication": "ON_INSTALL"});
            let source = json!({"source": "local", "path": "./plugin"});
            let plugin =
                json!({"name": "doorward", "source": source, "policy": policy, "category": "Security"});
            let market = json!({"name": "doorward", "plugins": [plugin]});
            let mut own = named();
            if let Some(members) = own.as_object_mut() {
                members.insert("hooks".to_owned(), json!("./hooks/hooks.json"));
            }
            vec![(".agents/plugins/marketplace.json", market), ("plugin/.codex-plugin/plugin.json", own)]
        },
        commands: &[
            "codex plugin marketplace add ./codex",
            "codex plugin add doorward@doorward",
            "then trust its hook in Codex under /hooks: it skips a hook that it doesn't trust",
        ],
    },
    Form {
        client: Client::GeminiCli,
        plugin: ".",
        files: || vec![("gemini-extension.json", named())],
        commands: &["gemini extensions install ./gemini-cli --consent"],
    },
];

fn named() -> Value {
    json!({
        "name": "doorward", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT,
        "license": "Apache-2.0 OR MIT", "author": {"name": "Doorward"},
    })
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let What::Build { folder, state } = args.command;
    let state = state.map(std::path::absolute).transpose()?;
    let is_free = match folder.read_dir() {
        Ok(mut items) => items.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    };
    if !is_free {
        let why = format!("{} isn't an empty folder; give another one", folder.display());
        return Err(Failure::new("plugin.folder", why));
    }
    for form in FORMS {
        form.build(&folder.join(form.client.as_str()), state.as_deref())?;
    }
    anstream::println!("wrote the plugins; in {}:", folder.display());
    for form in FORMS {
        anstream::println!("\n{}", form.client.as_str());
        form.commands.iter().for_each(|command| anstream::println!("  {command}"));
    }
    Ok(ExitCode::SUCCESS)
}

impl Form {
    fn build(&self, folder: &Path, state: Option<&Path>) -> Result<(), Failure> {
        for (name, value) in (self.files)() {
            write(&folder.join(name), &format!("{value:#}\n"))?;
        }
        let plugin = folder.join(self.plugin);
        write(&plugin.join("skills/doorward/SKILL.md"), SKILL)?;
        write(&plugin.join("README.md"), README)?;
        let hooks = plugin.join("hooks/hooks.json");
        let (target, _) = crate::install::place(self.client.as_str(), None, Some(&hooks))?;
        put(target, &hooks, state, false, true).map(drop)
    }
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::new("plugin.folder", format!("{}: {error}", file.display()));
    std::fs::create_dir_all(file.parent().unwrap_or(file)).map_err(failed)?;
    std::fs::write(file, text).map_err(failed)
}
