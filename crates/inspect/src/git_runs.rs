//! What a repository's own git configuration makes a git command run.
//!
//! `git status` in a folder that somebody else made runs whatever `core.fsmonitor` of that folder's config names; other
//! keys are reached by other sub-commands. What is run this way is an effect of the command like any other. It is
//! settled only for helpers that are known, for commands proved to only read, and for files of the project that are
//! tracked and unchanged; everything else is HIGH. Git never holds the configuration itself, so such a file is read all
//! the same: what would be HIGH in it counts.

use doorward_core::finding::Finding;
use doorward_core::intent::{Code, Intent, Origin, SimpleCommand, Span};
use doorward_core::risk::SecurityRisk;
use doorward_core::world::{GitSetting, Unseen};
use doorward_paths::lexical;
use doorward_shell::programs::git::{self, Invocation, Reached, SettingRuns};

use crate::place::CallContext;
use crate::risk::{RUNS, Runs, Tally};
use crate::world::{CONFIG_LIMIT, settings_among};

/// Programs that repositories name in their configuration as a matter of course, and that run no code of the
/// repository: filters, pagers, diff viewers, editors, signers and credential helpers.
const HELPERS: &[&str] = &[
    "bat",
    "cat",
    "code",
    "delta",
    "diff-highlight",
    "diff-so-fancy",
    "difft",
    "difftastic",
    "emacs",
    "gh",
    "git-crypt",
    "git-credential-cache",
    "git-credential-libsecret",
    "git-credential-manager",
    "git-credential-osxkeychain",
    "git-credential-store",
    "git-lfs",
    "glab",
    "gpg",
    "gpg2",
    "gpgsm",
    "hx",
    "idea",
    "kate",
    "less",
    "meld",
    "micro",
    "more",
    "nano",
    "nbdime",
    "nbstripout",
    "nvim",
    "ssh",
    "ssh-keygen",
    "subl",
    "vi",
    "vim",
    "vimdiff",
    "zed",
];
/// Sub-commands of git itself that helpers are written as.
const GIT_HELPERS: &[&str] = &[
    "credential-cache",
    "credential-libsecret",
    "credential-manager",
    "credential-osxkeychain",
    "credential-store",
    "crypt",
    "lfs",
];
/// The longest hook that is read.
const MOST_READ: u64 = 1 << 20;
/// Folders of which every one is looked at where a loop goes through them.
const MOST_FOLDERS: usize = 256;

/// Sub-commands that neither look at a work tree nor run anything that a setting names.
const QUIET: &[&str] = &["--version", "config", "init", "rev-parse", "var", "version"];

/// How the texts are read that settings name.
pub(crate) struct SettingReader<'r> {
    /// What a shell text says.
    pub(crate) shell: &'r dyn Fn(&str) -> Intent,
    /// What a file says when it runs; `None` where it can't be read.
    pub(crate) script: &'r dyn Fn(&str) -> Option<Intent>,
    /// How bad that would be by itself.
    pub(crate) risk: &'r dyn Fn(Intent) -> SecurityRisk,
}

/// Judges what the settings of the repository in question make this command run.
pub(crate) fn follow(
    ground: &CallContext<'_>,
    command: &SimpleCommand,
    span: Span,
    reading: &SettingReader<'_>,
    tally: &mut Tally,
    found: &mut Intent,
) {
    if command.program != "git" {
        return;
    }
    let invocation = git::invocation(&command.words);
    let Some(subcommand) = &invocation.subcommand else { return };
    if QUIET.contains(&subcommand.as_str()) {
        return;
    }
    let unseen = |why: &str| {
        let message =
            format!("which programs the git configuration of this folder names can't be told ({why})");
        Finding::new("shell.git_config", message).at(span)
    };
    let Some(folders) = folders_of(ground, command, &invocation) else {
        return tally.tell(unseen("the folder isn't known"));
    };
    let mut settings = Vec::new();
    for folder in folders {
        match settings_of(ground, &folder) {
            Ok(found) => settings.extend(found),
            Err(error) => return tally.tell(unseen(&error.to_string())),
        }
    }
    settings.extend(given_hooks(ground, command));
    let shows = ShownByGit::of(&command.words, &settings);
    for setting in &settings {
        let Some((runs, reached)) = git::setting_runs(&setting.key, &setting.value) else { continue };
        if !is_reached(reached, subcommand, &setting.key, &shows) {
            continue;
        }
        match runs {
            SettingRuns::Shell(text) => {
                let intent = (reading.shell)(&text);
                if !is_settled(ground, setting, &intent) {
                    tally.tell(runs_unknown(setting, &text, span));
                    found.absorb(intent, span);
                    continue;
                }
                for script in scripts_of(setting, &intent) {
                    committed(setting, &script, span, reading, tally, found);
                }
            }
            SettingRuns::Hooks(folder) => {
                let place = lexical::join(&setting.work, &folder);
                let Some(HookFiles { texts, own }) = hooks_of(ground, setting, &place) else {
                    tally.tell(runs_unknown(setting, &folder, span));
                    continue;
                };
                texts.iter().for_each(|text| found.absorb((reading.shell)(text), span));
                own.iter().for_each(|hook| committed(setting, hook, span, reading, tally, found));
            }
        }
    }
}

/// The settings of a folder's repository: as they lie there, and as this session wrote them.
fn settings_of(ground: &CallContext<'_>, folder: &str) -> Result<Vec<GitSetting>, Unseen> {
    let written = |path: &str| ground.session.written.get(path).and_then(|file| file.content.as_deref());
    let read_text = |path: &str| match written(path) {
        Some(text) => Ok(text.to_owned()),
        None => ground.world.read_text(path, CONFIG_LIMIT),
    };
    let is_given = |path: &str| written(path).is_some();
    let mut settings = match ground.world.git_settings(folder) {
        Ok(found) => found,
        Err(Unseen::Missing | Unseen::NotLooked) => Vec::new(),
        Err(error) => return Err(error),
    };
    if let Some(found) = settings_among(folder, ground.home.as_deref(), &is_given, &read_text) {
        settings.extend(found?);
    }
    Ok(settings)
}

/// Hooks that the command line itself names: `git -c core.hooksPath=tools/hooks`. Other settings of `-c` are judged
/// with the words of the command.
fn given_hooks(ground: &CallContext<'_>, command: &SimpleCommand) -> Option<GitSetting> {
    let mut words = command.words.iter().zip(command.words.iter().skip(1));
    let (_, given) = words.find(|(option, given)| {
        *option == "-c" && given.to_ascii_lowercase().starts_with("core.hookspath=")
    })?;
    let (key, value) = given.split_once('=')?;
    Some(GitSetting {
        key: key.to_ascii_lowercase(),
        value: value.to_owned(),
        file: "the command line".to_owned(),
        work: lexical::join(&ground.call.cwd, &command.folder),
    })
}

fn runs_unknown(setting: &GitSetting, what: &str, span: Span) -> Finding {
    let message =
        format!("git runs `{what}` with this command, because `{}` in {} says so", setting.key, setting.file);
    Finding::new("shell.git_config", message)
        .at(span)
        .suggest(format!("look at the setting, or take it away: git config --unset {}", setting.key))
}

/// The folders in which git may look for its repository: one, a few, or those that fit a pattern such as `*/`. `None`
/// where they can't be told.
fn folders_of(
    ground: &CallContext<'_>,
    command: &SimpleCommand,
    invocation: &Invocation,
) -> Option<Vec<String>> {
    let Some(pattern) = command.folder.strip_prefix('…').filter(|pattern| !pattern.is_empty()) else {
        return folder_of(ground, &command.folder, invocation).map(|folder| vec![folder]);
    };
    if pattern.contains('\n') {
        return pattern.split('\n').map(|folder| folder_of(ground, folder, invocation)).collect();
    }
    let pattern = pattern.trim_end_matches('/');
    let (parent, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    // Only the last part is looked up: its folder has to be known.
    let is_known = !parent.contains(['*', '?', '[', '{', '…']) && invocation.directory.is_none();
    if !is_known || !invocation.folders.is_empty() || name.contains('…') {
        return None;
    }
    let parent = lexical::join(&ground.call.cwd, parent);
    match ground.world.names(&parent, MOST_FOLDERS) {
        // Every name counts, whatever the pattern says: a superset is safe.
        Ok(names) if names.len() < MOST_FOLDERS => {
            Some(names.iter().map(|name| lexical::join(&parent, name)).collect())
        }
        Ok(_) => None,
        Err(Unseen::Missing | Unseen::NotLooked) => Some(Vec::new()),
        Err(_) => None,
    }
}

/// The folder in which git, run in `start`, would look for its repository; `None` where it isn't known.
fn folder_of(ground: &CallContext<'_>, start: &str, invocation: &Invocation) -> Option<String> {
    let parts = invocation.directory.iter().chain(&invocation.folders);
    if start.contains('…') || parts.clone().any(|part| part.contains('…')) {
        return None;
    }
    let start = lexical::join(&ground.call.cwd, start);
    let folder = invocation.folders.iter().fold(start, |at, part| lexical::join(&at, part));
    Some(match &invocation.directory {
        Some(directory) => lexical::join(&folder, directory),
        None => folder,
    })
}

/// What a git command prints besides its plain answer.
struct ShownByGit {
    signatures: bool,
    pages: bool,
}

impl ShownByGit {
    /// By its words, or by the settings of its formats: `--show-signature`, `%G?` (git-log(1)).
    fn of(words: &[String], settings: &[GitSetting]) -> Self {
        let asks = |text: &str| text.contains("%G") || text.to_ascii_lowercase().contains("signature");
        let formats = |setting: &&GitSetting| match setting.key.to_ascii_lowercase().as_str() {
            "log.showsignature" => setting.value != "false",
            key => (key == "format.pretty" || key.starts_with("pretty.")) && asks(&setting.value),
        };
        Self {
            signatures: words.iter().any(|word| asks(word))
                || settings.iter().any(|setting| formats(&setting)),
            pages: words.iter().any(|word| matches!(word.as_str(), "-p" | "--paginate")),
        }
    }
}

fn is_reached(reached: Reached, subcommand: &str, key: &str, shows: &ShownByGit) -> bool {
    match reached {
        Reached::Always => true,
        Reached::By(subcommands) => {
            subcommands.contains(&subcommand) || shows.pages && key.eq_ignore_ascii_case("core.pager")
        }
        Reached::BySigned(subcommands) => subcommands.contains(&subcommand) || shows.signatures,
        Reached::ByName => key.split_once('.').is_some_and(|(_, name)| name.eq_ignore_ascii_case(subcommand)),
    }
}

/// A file that git held before the session, which a setting makes git run. As a script of the project it is ordinary;
/// but whoever set up this folder chose when it runs, so what would be HIGH in it counts, and what it runs is followed.
fn committed(
    setting: &GitSetting,
    path: &str,
    span: Span,
    reading: &SettingReader<'_>,
    tally: &mut Tally,
    found: &mut Intent,
) {
    let Some(said) = (reading.script)(path) else {
        let case = Runs { seen: false, there: true, of_session: false, downloaded: false, outside: false };
        return tally.weigh(RUNS, &case, path, span, None);
    };
    let is_grave = matches!((reading.risk)(said.clone()), SecurityRisk::High | SecurityRisk::Unknown);
    if is_grave {
        tally.tell(runs_unknown(setting, path, span));
    }
    if is_grave || said.commands.iter().any(|command| matches!(command.origin, Origin::File(_))) {
        found.absorb(said, span);
    }
}

/// The files of the project that a text runs by their path.
fn scripts_of(setting: &GitSetting, intent: &Intent) -> Vec<String> {
    let first = intent.commands.iter().filter_map(|command| command.words.first());
    first.filter(|word| word.contains('/')).map(|word| lexical::join(&setting.work, word)).collect()
}

/// Whether git held a file before the session, where the setting that names it is neither the session's nor the call's.
fn is_held(ground: &CallContext<'_>, setting: &GitSetting, path: &str) -> bool {
    let is_given =
        ground.session.written.contains_key(&setting.file) || ground.world.brought().contains(&setting.file);
    !is_given && ground.is_own_script(path)
}

/// Whether everything in the text is a known helper, only reads, or is a file of the project as it was committed.
fn is_settled(ground: &CallContext<'_>, setting: &GitSetting, intent: &Intent) -> bool {
    let settled = |command: &SimpleCommand| {
        let program = command.program.as_str();
        let first = command.words.first().map_or("", String::as_str);
        if program == "git" {
            return command.words.get(1).is_some_and(|word| GIT_HELPERS.contains(&word.as_str()))
                || command.read_only;
        }
        if first.contains('/') {
            return is_held(ground, setting, &lexical::join(&setting.work, first));
        }
        command.read_only
            || (HELPERS.contains(&program) && command.code == Code::None && command.assignments.is_empty())
    };
    !intent.commands.is_empty() && intent.unknown.is_empty() && intent.commands.iter().all(settled)
}

/// Hooks of a folder.
struct HookFiles {
    /// Texts that a shell runs.
    texts: Vec<String>,
    /// Files that git held before the session.
    own: Vec<String>,
}

/// Husky and kin: the hooks of the project itself behind a folder of generated shims. What this session wrote, or what
/// came with the call, is given as text, to be judged as the shell would run it. `None` where one of them is neither
/// that nor held by git.
fn hooks_of(ground: &CallContext<'_>, setting: &GitSetting, folder: &str) -> Option<HookFiles> {
    let folder = folder.strip_suffix("/_").unwrap_or(folder);
    let mut paths: Vec<String> = match ground.world.names(folder, 64) {
        Ok(names) => names
            .iter()
            .filter(|name| *name != "_" && *name != ".gitignore")
            .map(|name| lexical::join(folder, name))
            .collect(),
        // Nothing is there to run.
        Err(_) if ground.world.kind(folder) == Err(Unseen::Missing) => Vec::new(),
        Err(_) => return None,
    };
    let written = &ground.session.written;
    // Written in this session, also where that isn't on disk yet.
    paths.extend(written.keys().filter(|path| lexical::below(path, folder).is_some()).cloned());
    paths.sort_unstable();
    paths.dedup();
    let brought = ground.world.brought();
    let mut texts = Vec::new();
    let (own, others): (Vec<String>, Vec<String>) =
        paths.into_iter().partition(|path| is_held(ground, setting, path));
    for path in &others {
        let text = match written.get(path) {
            Some(file) => file.content.as_deref().filter(|_| !file.downloaded)?.to_owned(),
            None if brought.contains(path) => ground.world.read_text(path, MOST_READ).ok()?,
            None => return None,
        };
        let is_shell =
            !text.starts_with("#!") || text.lines().next().is_some_and(|line| line.ends_with("sh"));
        texts.push(text);
        if !is_shell {
            return None;
        }
    }
    Some(HookFiles { texts, own })
}
