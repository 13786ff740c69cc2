//! A grant for a task: "edit below src/, run the tests, contact the registry, until this session ends or two hours are
//! over". It is made of rules like every other, for one session, and what it covers is bounded by
//! `doorward_policy::shorthand`: everyday calls only. Here are the scope that a question suggests, and the sentences
//! that a person reads before they agree.

use doorward_policy::shorthand::only_writes;

use super::propose::words;
use super::*;

/// How long a grant for a task counts at most.
const LONGEST: SignedDuration = SignedDuration::from_hours(2);

/// When a grant that is given now ends: as wanted, after two hours at most.
#[must_use]
pub fn task_end(wanted: Option<Timestamp>, now: Timestamp) -> Timestamp {
    let latest = now.checked_add(LONGEST).unwrap_or(now);
    let end = wanted.map_or(latest, |wanted| wanted.min(latest));
    Timestamp::from_second(end.as_second()).unwrap_or(end)
}

/// Why there is no grant for the task that a question belongs to.
pub(super) fn refused(ask: &Ask, is_task: bool) -> Option<(String, String)> {
    (is_task && ask.confirm.level >= 2)
        .then(|| ("task.strict".to_owned(), "what takes a typed phrase is asked every time".to_owned()))
}

/// The scope of the task that a call belongs to: the folders that it writes in, the sub-commands that it runs, the
/// hosts that it contacts. Nothing where shorthand can't say it.
pub(super) fn scope(inspected: &Inspected) -> Vec<String> {
    let (call, effects) = (&inspected.call, &inspected.effects);
    if let Some((server, tool)) = call.tool.mcp_parts() {
        return vec![format!("mcp({server}/{tool})")];
    }
    let mut rules: Vec<Option<String>> = Vec::new();
    let written = effects.writes.iter().filter(|write| write.scope == doorward_core::effect::Scope::Inside);
    rules.extend(written.map(|write| Some(format!("Edit(/{})", folder(inspected, &write.path)?))));
    if call.tool == doorward_core::tool::CanonicalTool::Shell {
        let running = effects.executes.iter().filter(|command| !command.read_only && !only_writes(command));
        rules.extend(running.map(sub_command));
    } else {
        rules.extend(effects.hosts.iter().map(|host| Some(format!("net({})", host.host))));
    }
    let mut rules = rules.into_iter().collect::<Option<Vec<_>>>().unwrap_or_default();
    rules.sort();
    rules.dedup();
    rules
}

/// Everything in the first folder below the root, or the files beside each other in the root itself.
fn folder(inspected: &Inspected, path: &str) -> Option<String> {
    let below =
        |root: &str| path.strip_prefix(root.trim_end_matches('/'))?.strip_prefix('/').map(str::to_owned);
    let (root, rest) = inspected.call.roots.iter().find_map(|root| Some((&root.path, below(&root.path)?)))?;
    let root = root.trim_end_matches('/');
    let pattern = match rest.split_once('/') {
        Some((first, _)) => format!("{root}/{first}/**"),
        None => format!("{root}/*"),
    };
    let plain = !pattern.contains(['?', '[', '\\', ')', '\n']);
    plain.then_some(pattern)
}

/// `shell(cargo test *)`: the program and its sub-command, with any further words; else exactly these words.
fn sub_command(command: &SimpleCommand) -> Option<String> {
    let is_name = |word: &&String| {
        word.chars().all(|ch| ch.is_ascii_alphanumeric() || "-:_".contains(ch))
            && word.starts_with(|ch: char| ch.is_ascii_alphabetic())
    };
    let taken = match command.words.get(1).map(String::as_str) {
        Some("run" | "exec") => 3,
        _ => 2,
    };
    let names = command.words.get(..taken).filter(|words| words.iter().all(|word| is_name(&word)));
    match names {
        Some(names) => Some(format!("shell({} *)", names.join(" "))),
        None => words(&command.words, &command.program, List::Allow, &[]),
    }
}

/// What the rules of a grant let pass, in sentences.
pub(super) fn covers(rules: &[String], project: &str) -> Vec<String> {
    let below = |path: &str| {
        let path = path.strip_prefix('/').unwrap_or(path);
        let near = path.strip_prefix(project.trim_end_matches('/')).filter(|_| !project.is_empty());
        near.map_or(path, |near| near.trim_start_matches('/')).to_owned()
    };
    let sentence = |rule: &String| {
        let (form, inside) = rule.split_once('(').unwrap_or((rule, ""));
        let inside = inside.strip_suffix(')').unwrap_or(inside);
        match (form, inside.strip_suffix("**"), inside.strip_suffix(" *")) {
            ("Edit", Some(folder), _) => format!("writes files below {}", below(folder)),
            ("Edit", None, _) => format!("writes {}", below(inside)),
            ("Read", ..) => format!("reads {}", below(inside)),
            ("net", ..) => format!("contacts {inside}"),
            ("mcp", ..) => format!("calls {} with any arguments", inside.replace('/', ": ")),
            (_, _, Some(command)) => format!("runs {command} with any arguments"),
            _ => format!("runs {inside}"),
        }
    };
    rules.iter().map(sentence).collect()
}

/// What no grant for a task lets pass.
pub(super) fn leaves() -> Vec<String> {
    [
        "deletes files, or loses history",
        "touches files outside the project, protected files or secrets",
        "is rated HIGH or CRITICAL, or can't be understood",
        "is asked about or denied by a rule of yours",
        "comes from another session",
    ]
    .map(str::to_owned)
    .to_vec()
}
