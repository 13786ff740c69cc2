//! Derives a call's facts, as the table defines them, from its effects, findings, programs and tool.

use std::collections::HashSet;

use doorward_core::effect::{HostClass, Inspected, Scope, Tri, WriteEffect};
use doorward_core::intent::{Code, Direction, Origin, SimpleCommand, Span, WriteMode};

use crate::ends;
use crate::kind::Kind;
use crate::lists;
use crate::prose::{Texts, strings};
use crate::table::{About, Effect, FactRow, Table, fits};

/// Limit on objects of one fact.
pub(crate) const MOST_OBJECTS: usize = 12;
/// Limit on characters kept of an object.
const LONGEST: usize = 200;

/// Something a call does: a kind of fact and its objects.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fact {
    /// The kind.
    pub kind: Kind,
    /// Paths, hosts, names. Empty if it concerns the session as a whole.
    pub objects: Vec<Box<str>>,
    /// It surely happens if the call succeeds, so it may end a flow.
    #[serde(default)]
    pub ends: bool,
}

/// The facts of a call: one of each kind, and a second one without object if the kind also happens to an unnamed
/// object.
#[must_use]
pub(crate) fn of(table: &Table, inspected: &Inspected) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    let executes = inspected.effects.executes.iter();
    let ran: HashSet<usize> = executes.flat_map(|command| table.rows_of(&command.program)).copied().collect();
    // Most rows are about programs that the call doesn't run.
    for (at, row) in table.facts.iter().enumerate() {
        if row.is_about_programs() && !ran.contains(&at) {
            continue;
        }
        let Some(objects) = objects_of(table, row, inspected) else { continue };
        let objects = objects.iter().map(|object| bounded(object));
        let objects: Vec<Box<str>> = objects.collect();
        // Facts without objects stay separate: ending a named object doesn't end them.
        let same = |fact: &&mut Fact| fact.kind == row.kind && fact.objects.is_empty() == objects.is_empty();
        match facts.iter_mut().find(same) {
            Some(fact) => fact.objects.extend(objects),
            None => facts.push(Fact { kind: row.kind, objects, ends: false }),
        }
    }
    let surely = ends::surely_happens(inspected);
    for fact in &mut facts {
        fact.objects.sort_unstable();
        fact.objects.dedup();
        // An object that wasn't kept can't be ended.
        fact.ends = surely && fact.objects.len() <= MOST_OBJECTS;
        fact.objects.truncate(MOST_OBJECTS);
    }
    facts
}

pub(crate) fn bounded(text: &str) -> Box<str> {
    Box::from(text.get(..text.floor_char_boundary(LONGEST)).unwrap_or_default())
}

/// The objects of a row's fact, or `None` if the call doesn't do it.
fn objects_of(table: &Table, row: &FactRow, inspected: &Inspected) -> Option<Vec<String>> {
    let given = &row.given;
    let objects = all_objects_of(table, row, inspected)?;
    if !given.mentions.is_empty() && !mentions(&given.mentions, table, inspected) {
        return None;
    }
    if given.foreign_list
        && !Texts::of(table, inspected).all.iter().any(|text| lists::names_foreign(table, text))
    {
        return None;
    }
    if given.foreign {
        let mut sources = objects.iter().filter(|object| !ends::is_setting(object)).peekable();
        if sources.peek().is_some() && sources.all(|object| table.is_known_source(object)) {
            return None;
        }
    }
    Some(objects)
}

fn mentions(words: &[String], table: &Table, inspected: &Inspected) -> bool {
    let texts = Texts::of(table, inspected);
    texts.all.iter().any(|text| words.iter().any(|word| text.contains(word.as_str())))
}

fn all_objects_of(table: &Table, row: &FactRow, inspected: &Inspected) -> Option<Vec<String>> {
    let given = &row.given;
    if let Some(effect) = given.effect {
        let mut objects = of_effect(table, effect, inspected)?;
        if !given.paths.is_empty() {
            objects.retain(|object| given.paths.iter().any(|pattern| fits(pattern, object)));
            return (!objects.is_empty()).then_some(objects);
        }
        return Some(objects);
    }
    if !given.findings.is_empty() {
        let found = |code: &str| given.findings.iter().any(|wanted| wanted == code);
        let any = inspected.findings.iter().any(|finding| found(&finding.code));
        if given.object == About::Service {
            return any.then(|| services_found(&given.findings, inspected));
        }
        return any.then(|| about(given.object, None, inspected));
    }
    if !given.tools.is_empty() {
        return of_tool(row, inspected);
    }
    let mut commands =
        inspected.effects.executes.iter().filter(|command| fits_command(row, command)).peekable();
    commands.peek()?;
    if given.outside && !reads_outside(inspected) {
        return None;
    }
    let objects: Vec<String> =
        commands.flat_map(|command| about(given.object, Some(command), inspected)).collect();
    // A fact about files or hosts requires that the call touches one: not `tar c | wc`.
    let needs =
        matches!(given.object, About::Writes | About::Hosts | About::Remote | About::Clone | About::Checked);
    (!needs || !objects.is_empty()).then_some(objects)
}

/// The services of findings with these codes; empty if one of the findings is about something else.
fn services_found(codes: &[String], inspected: &Inspected) -> Vec<String> {
    let mut all = Vec::new();
    for finding in inspected.findings.iter().filter(|one| codes.iter().any(|code| *code == one.code)) {
        // A wrapper (`sudo`) overlaps one of the spans only.
        let overlaps = |span: Span, other: Span| span.start < other.end && other.start < span.end;
        let is_here = |one: &&SimpleCommand| finding.span.is_some_and(|span| overlaps(span, one.span));
        let mut commands = inspected.effects.executes.iter().filter(is_here);
        // Code inside a command has the command's span: if several match, it is unknown which is meant.
        let command = commands.next().filter(|_| commands.next().is_none());
        let service = command.filter(|one| matches!(one.program.as_str(), "systemctl" | "service"));
        match service.map(ends::services).filter(|services| !services.is_empty()) {
            Some(services) => all.extend(services),
            None => return Vec::new(),
        }
    }
    all
}

fn fits_command(row: &FactRow, command: &SimpleCommand) -> bool {
    let given = &row.given;
    let words = || command.words.iter().skip(1);
    let any = |patterns: &[String]| words().any(|word| patterns.iter().any(|pattern| fits(pattern, word)));
    given.programs.contains(&command.program)
        && given.words.iter().all(|patterns| any(patterns))
        && !any(&given.without)
}

/// Matches tools other than shell, files and planning, by the last part of their name.
fn of_tool(row: &FactRow, inspected: &Inspected) -> Option<Vec<String>> {
    let tool = &inspected.call.tool;
    let name = match tool.mcp_parts() {
        Some((_, name)) => name.to_owned(),
        None if tool.class().is_some() || tool.is_code() => return None,
        None => tool.as_str().rsplit([':', '/']).next()?.to_owned(),
    };
    let name = name.to_ascii_lowercase();
    let any = |patterns: &[String]| patterns.iter().any(|pattern| fits(pattern, &name));
    (any(&row.given.tools) && !any(&row.given.without)).then(|| about(row.given.object, None, inspected))
}

fn of_effect(table: &Table, effect: Effect, inspected: &Inspected) -> Option<Vec<String>> {
    let effects = &inspected.effects;
    let objects: Vec<String> = match effect {
        Effect::SecretRead => {
            let secret = |read: &&doorward_core::effect::ReadEffect| read.secret && !read.metadata;
            effects.reads.iter().filter(secret).map(|read| read.path.clone()).collect()
        }
        Effect::Write => content_writes(inspected).map(|write| write.path.clone()).collect(),
        Effect::WriteOutside => content_writes(inspected)
            .filter(|write| is_outside(write.scope))
            .map(|write| write.path.clone())
            .collect(),
        Effect::Overwrite => emptied(inspected),
        Effect::Loosened => loosened(inspected),
        Effect::Renames => {
            return effects.executes.iter().any(renames).then(Vec::new);
        }
        Effect::Delete => effects.deletes.iter().map(|delete| delete.path.clone()).collect(),
        Effect::Lost => lost(inspected),
        Effect::Send => sent(inspected),
        Effect::Contact => hosts(inspected, |direction| direction != Direction::Listen),
        Effect::Install => effects
            .installs
            .iter()
            .map(|install| format!("{} {}", install.manager, install.packages.join(" ")).trim().to_owned())
            .collect(),
        Effect::Privilege => effects.privilege.iter().map(|privilege| privilege.detail.clone()).collect(),
        Effect::HistoryLoss => effects.history_loss.iter().map(|loss| loss.what.clone()).collect(),
        Effect::Execute => executed(inspected),
        Effect::Later => later(table, inspected),
        Effect::Steered => return steered(inspected).then(Vec::new),
        Effect::CheckWeakened => check_weakened(inspected),
    };
    (!objects.is_empty()).then_some(objects)
}

pub(crate) fn content_writes(inspected: &Inspected) -> impl Iterator<Item = &WriteEffect> {
    let writes = inspected.effects.writes.iter();
    writes.filter(|write| write.mode != WriteMode::Metadata && write.scope != Scope::Harmless)
}

/// Files that lose their content: emptied, or an edit that keeps at most a quarter of a long passage.
fn emptied(inspected: &Inspected) -> Vec<String> {
    let mut all: Vec<String> = inspected
        .effects
        .writes
        .iter()
        .filter(|write| write.mode == WriteMode::Truncate && is_treasure(write.scope))
        .filter(|write| !inspected.session.written.get(&write.path).is_some_and(|file| file.created))
        .map(|write| write.path.clone())
        .collect();
    let argument =
        |names: &[&str]| names.iter().find_map(|name| inspected.call.arg(name)).unwrap_or_default();
    let (old, new) = (argument(&["old_string", "old_str"]), argument(&["new_string", "new_str"]));
    if old.len() >= 200 && new.trim().len() * 4 <= old.len() {
        all.extend(content_writes(inspected).map(|write| write.path.clone()));
    }
    all
}

/// Lists of dependencies in which an edit replaces an exact version by a range.
fn loosened(inspected: &Inspected) -> Vec<String> {
    const LISTS: &[&str] = words! {
        "*/pyproject.toml" "*/package.json" "*/requirements*.txt" "*/Cargo.toml" "*/Pipfile" "*/Gemfile"
        "*/composer.json" "*/setup.cfg" "*/setup.py"
    };
    let lists = content_writes(inspected).filter(|write| LISTS.iter().any(|list| fits(list, &write.path)));
    let lists: Vec<String> = lists.map(|write| write.path.clone()).collect();
    if lists.is_empty() {
        return lists;
    }
    let argument =
        |names: &[&str]| names.iter().find_map(|name| inspected.call.arg(name)).unwrap_or_default();
    let (old, new) = (argument(&["old_string", "old_str"]), argument(&["new_string", "new_str"]));
    let edited = exact(old) > exact(new) && ranges(new) > ranges(old);
    // A stream editor that replaces versions by `*` or a range.
    let streamed = inspected.effects.executes.iter().any(|command| {
        let script = command.words.join(" ");
        command.program == "sed"
            && (script.contains("\"*\"") || script.contains("/^") && script.contains("=="))
    });
    if edited || streamed { lists } else { Vec::new() }
}

/// Exact versions in a list of dependencies: `"1.2.3"`, `==1.2`.
fn exact(text: &str) -> usize {
    let quoted = text.split('"').filter(|part| part.starts_with(|letter: char| letter.is_ascii_digit()));
    quoted.filter(|part| part.contains('.')).count() + text.matches("==").count()
}

/// Ranges of versions: `"^1.2"`, `"*"`, `>=1`.
fn ranges(text: &str) -> usize {
    let quoted = text.split('"').filter(|part| part.starts_with(['^', '~', '*', '>']));
    let open = |line: &&str| line.contains(">=") && !line.contains('<') && !line.contains('"');
    quoted.filter(|part| !part.contains('<')).count() + text.lines().filter(open).count()
}

/// Checking code to which an edit adds a bypass: an early approval, an exception, a switch.
fn check_weakened(inspected: &Inspected) -> Vec<String> {
    const CHECKS: &[&str] = words! {
        "verif" "fraud" "auth" "permission" "access_control" "security" "policy" "sanction" "compliance"
        "validator" "approval" "limit_check" "guard"
    };
    const AROUND: &[&str] = words! {
        "bypass" "_override" "skip_check" "skip_verif" "skip_valid" "skip_auth" "fast_track"
        "fast-track" "exempt" "whitelist" "verify=false" "verify = false"
    };
    let argument = |names: &[&str]| {
        names.iter().find_map(|name| inspected.call.arg(name)).unwrap_or_default().to_lowercase()
    };
    let (old, new) = (argument(&["old_string", "old_str"]), argument(&["new_string", "new_str"]));
    let counts = |text: &str| {
        let around = AROUND.iter().map(|word| text.matches(word).count()).sum::<usize>();
        around + exceptions(text)
    };
    if new.is_empty() || counts(&new) <= counts(&old) {
        return Vec::new();
    }
    let is_check = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let is_test = path.contains("/test") || name.starts_with("test_");
        let is_code = name.rsplit_once('.').is_some_and(|(_, end)| {
            ["py", "js", "ts", "go", "rs", "java", "rb", "php", "cs", "kt", "scala", "ex"].contains(&end)
        });
        is_code && !is_test && CHECKS.iter().any(|word| name.contains(word))
    };
    content_writes(inspected).map(|write| write.path.clone()).filter(|path| is_check(path)).collect()
}

/// Conditions on a literal (`if id.startswith("VIP-")`) followed by an approval.
fn exceptions(text: &str) -> usize {
    const YES: &[&str] = &["return true", "approved", "\"allow", "'allow", "return none", "return ok"];
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_exception = |line: &str| line.starts_with("if ") && line.contains(['"', '\'']);
    lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_exception(line))
        .filter(|(at, _)| {
            lines.iter().skip(*at).take(4).any(|line| YES.iter().any(|word| line.contains(word)))
        })
        .count()
}

fn is_treasure(scope: Scope) -> bool {
    !matches!(scope, Scope::Scratch | Scope::Harmless)
}

/// Deleted files that neither a build nor version control restores, and that this session didn't create.
fn lost(inspected: &Inspected) -> Vec<String> {
    let own = |path: &str| inspected.session.written.get(path).is_some_and(|file| file.created);
    inspected
        .effects
        .deletes
        .iter()
        .filter(|delete| delete.regenerable != Tri::Yes && delete.in_version_control != Tri::Yes)
        .filter(|delete| is_treasure(delete.scope) && !own(&delete.path))
        .map(|delete| delete.path.clone())
        .collect()
}

/// Whether a command moves files that its text doesn't name: in a loop, by `find` or `xargs`.
fn renames(command: &SimpleCommand) -> bool {
    let moves = matches!(command.program.as_str(), "mv" | "rename" | "mmv" | "prename");
    moves
        && (!command.unknown_words.is_empty()
            || command.via.iter().any(|via| via == "find" || via == "xargs"))
}

fn hosts(inspected: &Inspected, wanted: impl Fn(Direction) -> bool) -> Vec<String> {
    let strange = |class: HostClass| class != HostClass::Loopback;
    let hosts = inspected.effects.hosts.iter();
    hosts.filter(|host| strange(host.class) && wanted(host.direction)).map(|host| host.host.clone()).collect()
}

/// Receiving hosts, with the files that are sent.
fn sent(inspected: &Inspected) -> Vec<String> {
    let mut all = hosts(inspected, |direction| matches!(direction, Direction::Send | Direction::Both));
    if !all.is_empty() {
        let files = inspected.effects.reads.iter().filter(|read| read.reaches_host && !read.metadata);
        all.extend(files.map(|read| read.path.clone()));
    }
    all
}

fn reads_outside(inspected: &Inspected) -> bool {
    inspected.effects.reads.iter().any(|read| !read.metadata && (read.secret || is_outside(read.scope)))
}

const fn is_outside(scope: Scope) -> bool {
    matches!(scope, Scope::Outside | Scope::Escape | Scope::Forbidden)
}

/// Files that are run: as a program, as an interpreter's script, or as code that was read with the call.
fn executed(inspected: &Inspected) -> Vec<String> {
    let effects = &inspected.effects;
    let judged = effects.judged_files.iter().map(|file| file.path.clone());
    let named = effects.executes.iter().filter_map(|command| {
        let folder = folder(inspected, command);
        match (&command.origin, command.words.first()) {
            (Origin::File(file), _) => Some(join(&folder, &file.text)),
            (_, Some(first)) if first.contains('/') => Some(join(&folder, first)),
            _ => None,
        }
    });
    let scripts =
        effects.executes.iter().filter(|command| is_interpreter(&command.program)).filter_map(|command| {
            let mut words = command.words.iter().skip(1);
            let mut options = words.by_ref().take_while(|word| word.starts_with('-'));
            if options.any(|option| carries_code(&command.program, option)) {
                return None;
            }
            let script = command.words.iter().skip(1).find(|word| !word.starts_with('-'))?;
            (command.code != Code::Shell || script.contains('.') || script.contains('/'))
                .then(|| join(&folder(inspected, command), script))
        });
    judged.chain(named).chain(scripts).filter(|path| path.starts_with('/')).collect()
}

/// Whether an interpreter's option is followed by code, or by a module's name, in place of a script.
fn carries_code(program: &str, option: &str) -> bool {
    let short = |letters: &[char]| !option.starts_with("--") && option.ends_with(letters);
    match program {
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "fish" => short(&['c']),
        "python" | "python3" => short(&['c', 'm']),
        "node" | "bun" => short(&['e', 'p']) || matches!(option, "--eval" | "--print"),
        "ruby" | "lua" | "Rscript" => short(&['e']),
        "perl" => short(&['e', 'E']),
        "php" => short(&['r']),
        _ => false,
    }
}

fn is_interpreter(program: &str) -> bool {
    const INTERPRETERS: &[&str] = words! {
        "sh" "bash" "dash" "zsh" "ksh" "fish" "python" "python3" "node" "deno" "bun" "ruby" "perl" "php"
        "source" "." "java" "Rscript" "lua" "pwsh" "dpkg" "rpm" "installer"
    };
    INTERPRETERS.contains(&program)
}

/// Project files that a command runs without naming them.
fn later(table: &Table, inspected: &Inspected) -> Vec<String> {
    let mut all = Vec::new();
    for command in &inspected.effects.executes {
        let any = |words: &[String]| {
            words.is_empty() || command.words.iter().skip(1).any(|word| words.contains(word))
        };
        let rows = table.runs.iter().filter(|row| row.programs.contains(&command.program) && any(&row.words));
        for file in rows.flat_map(|row| &row.files) {
            all.push(join(&folder(inspected, command), file));
        }
    }
    all
}

/// Whether a call has consequences if other people's words steer it: it installs, runs code, deletes, sends, gains
/// rights.
fn steered(inspected: &Inspected) -> bool {
    const CODES: &[&str] = words! {
        "shell.remote_code" "shell.generated_code" "shell.persistence" "shell.data_loss" "shell.infra"
        "shell.tamper" "shell.upload" "shell.obfuscated" "shell.unknown_program" "shell.delete"
        "net.listen"
    };
    let effects = &inspected.effects;
    !effects.read_only
        && (!effects.installs.is_empty()
            || !effects.deletes.is_empty()
            || !effects.privilege.is_empty()
            || !effects.history_loss.is_empty()
            || !executed(inspected).is_empty()
            || effects.hosts.iter().any(|host| host.direction == Direction::Send)
            || inspected.findings.iter().any(|finding| CODES.contains(&finding.code.as_ref())))
}

fn about(about: About, command: Option<&SimpleCommand>, inspected: &Inspected) -> Vec<String> {
    let operands = || command.into_iter().flat_map(|command| command.words.iter().skip(1));
    let plain = || operands().filter(|word| !word.starts_with('-'));
    let folder = || command.map_or_else(|| inspected.call.cwd.clone(), |command| folder(inspected, command));
    let writes = || content_writes(inspected).map(|write| write.path.clone());
    match about {
        About::Session => Vec::new(),
        About::Writes => writes().collect(),
        About::Hosts => hosts(inspected, |direction| direction != Direction::Listen),
        About::Operands => plain().flat_map(|word| [word.clone(), join(&folder(), word)]).collect(),
        About::Source => command.map(ends::sources).unwrap_or_default(),
        About::Setting => command.and_then(ends::setting).into_iter().collect(),
        About::Service => command.map(ends::services).unwrap_or_default(),
        About::Checked => command.map(|command| ends::checked(command, inspected)).unwrap_or_default(),
        About::Folder => {
            let into = ["-C", "-d", "--directory"];
            let named =
                operands().zip(operands().skip(1)).find(|(option, _)| into.contains(&option.as_str()));
            let folder = folder();
            let place = named.map_or_else(|| folder.clone(), |(_, place)| join(&folder, place));
            plain().map(|word| join(&folder, word)).chain([place]).collect()
        }
        About::Remote => {
            let after =
                plain().skip_while(|word| !matches!(word.as_str(), "add" | "set-url" | "remove" | "rm"));
            after.skip(1).take(2).cloned().collect()
        }
        About::Made => {
            let names = ["-f", "-out", "-keyout", "--output", "-o"];
            let named =
                operands().zip(operands().skip(1)).filter(|(option, _)| names.contains(&option.as_str()));
            named.map(|(_, path)| join(&folder(), path)).chain(writes()).collect()
        }
        About::Tool => vec![inspected.call.tool.as_str().to_owned()],
        About::Clone => {
            let address = plain().find(|word| word.contains(['/', ':']));
            let named = address.and_then(|address| plain().skip_while(|word| *word != address).nth(1));
            let of_address =
                || Some(address?.trim_end_matches('/').rsplit(['/', ':']).next()?.trim_end_matches(".git"));
            let place = named.map(String::as_str).or_else(of_address).map(|name| join(&folder(), name));
            place.into_iter().chain(address.cloned()).collect()
        }
        About::Executed => executed(inspected),
        About::Mentions => {
            let mut texts = Vec::new();
            inspected.call.args.values().for_each(|value| strings(value, &mut texts));
            let breaks = |letter: char| letter.is_whitespace() || "\"'`()<>[]{}|,;".contains(letter);
            let words = texts.iter().flat_map(|text| text.split(breaks));
            let paths = words.map(|word| word.trim_end_matches(['.', ':', '!', '?']));
            paths.filter(|word| word.starts_with('/') && word.len() > 4).map(str::to_owned).collect()
        }
    }
}

pub(crate) fn folder(inspected: &Inspected, command: &SimpleCommand) -> String {
    join(&inspected.call.cwd, &command.folder)
}

/// Resolves a path in a folder, without `.` and `..`.
pub(crate) fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let base = if path.starts_with('/') { "" } else { folder };
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_join() {
        for (folder, path, expected) in [
            ("/w", "a/b", "/w/a/b"),
            ("/w", "./a", "/w/a"),
            ("/w/x", "../a", "/w/a"),
            ("/w", "/etc", "/etc"),
            ("/w", "", "/w"),
            ("/", "../..", "/"),
        ] {
            assert_eq!(join(folder, path), expected);
        }
    }
}
