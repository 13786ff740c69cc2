//! The first time a gateway stands before a server of whose tools no experiences are kept: exploring them is offered, or,
//! with `toolshield.explore = "auto"`, begun in the background.
//!
//! Exploring starts the server once more, in the sandbox and on a folder made for it. What it finds is proposed: only
//! `doorward experiences accept` makes it count. A server at an address is never explored unasked, because its tools act
//! for real.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use doorward::reviewing::{self, AnalyzerName};
use doorward::rooms::settings::{Explore, Settings};
use doorward_guardian::experiences::{Library, names};
use doorward_hooks::ticket::quoted;

/// How the server that a gateway stands before is reached.
pub(crate) enum Reached<'a> {
    /// Started with this command.
    Command(&'a [String]),
    /// At this address.
    Address(&'a str),
}

/// Offers to explore a server of which nothing is known, or begins to. Whatever goes wrong is said and stops nothing: the
/// gateway judges without experiences, too.
pub(crate) fn meet(state: &Path, settings: &Settings, name: &str, reached: &Reached<'_>) {
    let explore = settings.toolshield.explore;
    let file = names::from_server(name);
    let uses = reviewing::uses(settings, AnalyzerName::ToolShield);
    let wanted = explore == Explore::Auto || (explore == Explore::Offer && uses);
    if !wanted || !names::is_safe(&file) || is_known(state, &file) {
        return;
    }
    let line = match reached {
        Reached::Command(words) => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
        Reached::Address(url) => (*url).to_owned(),
    };
    let log = state.join("lab").join(format!("{file}.log"));
    let offer = format!("doorward experiences explore --mcp {} --name {}", quoted(&line), quoted(name));
    let (true, Reached::Command(words)) = (explore == Explore::Auto, reached) else {
        anstream::eprintln!(
            "doorward: what the tools of `{name}` do is not known yet; try them out: {offer}"
        );
        return;
    };
    if log.exists() {
        // Begun once already: it still runs, or failed, and would fail again each time a client starts.
        anstream::eprintln!(
            "doorward: the tools of `{name}` were tried and no rules came of it: {}",
            log.display()
        );
        return;
    }
    match begin(state, name, &line, words, &log) {
        Ok(()) => anstream::eprintln!(
            "doorward: the tools of `{name}` are tried out in the sandbox: {}; then look at the rules: doorward \
             experiences show {name}",
            log.display()
        ),
        Err(error) => {
            anstream::eprintln!(
                "doorward: the tools of `{name}` couldn't be tried out: {error}; by hand: {offer}"
            );
        }
    }
}

fn is_known(state: &Path, file: &str) -> bool {
    let kept = Library::load(&state.join("experiences")).unwrap_or_default();
    kept.get(file).is_some() || Library::seeded().get(file).is_some()
}

/// Starts `doorward experiences explore` apart from this process, with its words in a log.
fn begin(state: &Path, name: &str, line: &str, words: &[String], log: &Path) -> std::io::Result<()> {
    if let Some(folder) = log.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let log = OpenOptions::new().write(true).create_new(true).mode(0o600).open(log)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["experiences", "--state"]).arg(state);
    command.args(["explore", "--mcp", line, "--name", name]);
    // The server needs the folders of the files that its command names.
    let files = words.iter().map(PathBuf::from).filter(|word| word.is_absolute() && word.is_file());
    for folder in files.filter_map(|file| file.parent().map(Path::to_owned)) {
        command.arg("--read").arg(folder);
    }
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).process_group(0);
    command.spawn().map(drop)
}
