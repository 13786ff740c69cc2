//! Upstream's policy rails: three dangers that are visible only in a command's structure, not in a single word.
//!
//! `fetch-to-exec`: the output of curl or wget reaches a later command of its pipeline. `raw-disk-op`: a file system
//! is created, or `dd` writes to a device. `catastrophic-delete`: forced `rm` on the root, the home folder or a
//! system folder. A structure that can't be followed is UNKNOWN. The cost is limited by nodes, not time.

use doorward_core::Boxed;
use doorward_core::assessment::{Analyzer, AnalyzerVerdict};
use doorward_core::effect::Inspected;
use doorward_core::risk::SecurityRisk;

use super::action::ScannedAction;
use super::command::{ParsedCommand, Resolved, commands, fold, resolve};
use super::pattern::Hit;
use super::redirect::{self, Source};
use super::runner::{self, DEEPEST};
use super::tree::{Id, Tree};
use super::wrapper;

const FETCH_TO_EXEC: &str = "fetch-to-exec";
const RAW_DISK: &str = "raw-disk-op";
const DELETE: &str = "catastrophic-delete";

const FETCHES: &[&str] = &["curl", "wget"];
const CRITICAL: &[&str] = &["/etc", "/usr", "/var", "/home", "/boot"];

/// Most steps for one text and all texts nested in it.
const WORK: usize = 400_000;

/// The analyzer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rail;

impl Rail {
    /// Judges an action.
    #[must_use]
    pub fn judge(self, action: &ScannedAction) -> Hit {
        let executed = action.executed();
        let hit = self.judge_texts(&executed.segments);
        if executed.undecodable && hit.risk == SecurityRisk::Low {
            return Hit::new(SecurityRisk::Unknown, "");
        }
        hit
    }

    /// Judges texts separately, so that a pattern can't span two of them. The first HIGH counts, else the first
    /// UNKNOWN.
    #[must_use]
    pub fn judge_texts(self, texts: &[String]) -> Hit {
        let mut unknown = None;
        for text in texts {
            let hit = judge(text);
            match hit.risk {
                SecurityRisk::High => return hit,
                SecurityRisk::Unknown => unknown = unknown.or(Some(hit)),
                _ => {}
            }
        }
        unknown.unwrap_or(Hit::new(SecurityRisk::Low, ""))
    }
}

impl Analyzer for Rail {
    fn name(&self) -> &'static str {
        "rail"
    }

    fn analyze<'a>(&'a self, inspected: &'a Inspected) -> Boxed<'a, AnalyzerVerdict> {
        let hit = self.judge(&ScannedAction::of(inspected));
        Box::pin(std::future::ready(hit.verdict(self.name())))
    }
}

fn judge(text: &str) -> Hit {
    let mut signals = Signals { work: WORK, ..Signals::default() };
    match Tree::parse(text) {
        Some(tree) => signals.program(&tree, 0, &Source::NONE),
        None => signals.unsure = true,
    }
    let fired = [(signals.fetched, FETCH_TO_EXEC), (signals.raw_disk, RAW_DISK), (signals.deleted, DELETE)];
    match fired.into_iter().find(|(fired, _)| *fired) {
        Some((_, rule)) => Hit::new(SecurityRisk::High, rule),
        None if signals.unsure => Hit::new(SecurityRisk::Unknown, ""),
        None => Hit::new(SecurityRisk::Low, ""),
    }
}

type Pair<'c> = &'c (ParsedCommand, Resolved);

/// Signals found in a text and in nested texts.
#[derive(Debug, Default)]
struct Signals {
    fetched: bool,
    raw_disk: bool,
    deleted: bool,
    unsure: bool,
    work: usize,
}

impl Signals {
    /// Uses up steps; once none are left, the structure counts as impossible to follow.
    fn spend(&mut self, steps: usize) -> bool {
        match self.work.checked_sub(steps) {
            Some(left) => self.work = left,
            None => {
                self.work = 0;
                self.unsure = true;
            }
        }
        self.work > 0
    }

    fn program(&mut self, tree: &Tree, depth: usize, inherited: &Source) {
        if !self.spend(tree.size()) {
            return;
        }
        let mut all = Vec::new();
        for command in commands(tree) {
            let resolved = resolve(tree, &command);
            let wrapped = resolved.basename.as_deref().is_some_and(wrapper::is_one);
            let effective = wrapper::peeled(tree, resolved);
            self.unsure |= wrapped && effective.unsure;
            all.push((command, effective));
        }
        self.unsure |= compound_reads_text(tree, &all);
        self.pipelines(tree, &all, depth);
        if inherited.there {
            self.inherited(tree, &all, inherited, depth);
        }
        for (command, resolved) in &all {
            self.raw_disk(resolved);
            self.delete(tree, resolved);
            let source = runner::source(tree, command, resolved);
            self.unsure |= source.unsure;
            if !source.there {
                continue;
            }
            let passed = if inherited.there && all.len() == 1 {
                redirect::standard_input(tree, command, inherited, Some(0))
            } else {
                Source::NONE
            };
            self.nested(source.text.as_deref(), depth, &passed);
        }
    }

    fn nested(&mut self, text: Option<&str>, depth: usize, inherited: &Source) {
        match text.filter(|_| depth < DEEPEST).and_then(Tree::parse) {
            Some(tree) => self.program(&tree, depth + 1, inherited),
            None => self.unsure = true,
        }
    }

    /// Checks for a shell anywhere in the text that reads the text's own standard input.
    fn inherited(&mut self, tree: &Tree, all: &[(ParsedCommand, Resolved)], source: &Source, depth: usize) {
        let mut run = Vec::new();
        for (command, resolved) in all {
            let piped = runner::piped(tree, command, resolved, source, 0);
            self.unsure |= piped.unsure;
            if piped.there {
                run.push(piped.text);
            }
        }
        match run.as_slice() {
            [] => {}
            [text] if all.len() == 1 => self.nested(text.as_deref(), depth, &Source::NONE),
            _ => self.unsure = true,
        }
    }

    fn pipelines(&mut self, tree: &Tree, all: &[(ParsedCommand, Resolved)], depth: usize) {
        for pipeline in tree.all("pipeline") {
            let stages = stages(tree, pipeline, all);
            let steps = stages.iter().map(|stage| stage.commands.len() + 1).sum();
            if !self.spend(steps) {
                return;
            }
            self.piped_shells(tree, &stages, depth);
            let named = |stage: &PipelineStage<'_>| {
                stage
                    .commands
                    .iter()
                    .any(|(command, _)| command.name.is_some_and(|name| !tree.text(name).is_empty()))
            };
            let last_named = stages.iter().rposition(named);
            for (at, stage) in stages.iter().enumerate().take(stages.len().saturating_sub(1)) {
                if last_named.is_none_or(|last| last <= at) {
                    let broken = tree.at(pipeline).broken || !is_complete(tree, pipeline);
                    self.unsure |= broken && stage.commands.iter().any(|(_, resolved)| is_fetch(resolved));
                    continue;
                }
                for pair in &stage.commands {
                    if self.reaches_later_stage(tree, stage, pair) {
                        self.fetched = true;
                        return;
                    }
                }
            }
        }
    }

    /// Whether the output of a fetch in this stage reaches a later stage of the pipeline.
    fn reaches_later_stage(&mut self, tree: &Tree, stage: &PipelineStage<'_>, pair: Pair<'_>) -> bool {
        let (command, resolved) = pair;
        match self.role(tree, command.node, stage.node) {
            Role::Captured => false,
            Role::Indirect if !is_fetch(resolved) => false,
            Role::Indirect => {
                let direct = self.direct(tree, stage).first().copied();
                let forwards = direct.and_then(|direct| forwards(tree, direct, command.node));
                self.unsure |= forwards.is_none();
                forwards == Some(true)
            }
            Role::Direct => {
                let source = runner::source(tree, command, resolved);
                self.unsure |= source.there || source.unsure;
                if is_fetch(resolved) {
                    return true;
                }
                self.unsure |= resolved.unsure;
                false
            }
        }
    }

    /// Checks text that one stage prints and the next one runs.
    fn piped_shells(&mut self, tree: &Tree, stages: &[PipelineStage<'_>], depth: usize) {
        for pair in stages.windows(2) {
            let [from, to] = pair else { continue };
            let producers = self.direct(tree, from);
            let consumers = self.direct(tree, to);
            let [producer] = producers.as_slice() else {
                self.unsure |= consumers.iter().any(|(_, resolved)| may_be_shell(resolved));
                continue;
            };
            if consumers.is_empty() {
                continue;
            }
            let output = runner::output(tree, &producer.0, &producer.1, from.node);
            if !output.there {
                continue;
            }
            let [(consumer, resolved)] = consumers.as_slice() else {
                self.unsure |= consumers.iter().any(|(_, resolved)| may_be_shell(resolved));
                continue;
            };
            if !runner::is_shell(resolved) && may_be_shell(resolved) {
                self.unsure = true;
                continue;
            }
            let piped = runner::piped(tree, consumer, resolved, &output, to.node);
            self.unsure |= piped.unsure;
            if piped.there {
                self.nested(piped.text.as_deref(), depth, &Source::NONE);
                continue;
            }
            let script = runner::source(tree, consumer, resolved);
            self.unsure |= script.unsure;
            if script.there {
                let input = redirect::standard_input(tree, consumer, &output, Some(to.node));
                if input.there {
                    self.nested(script.text.as_deref(), depth, &input);
                }
            }
        }
    }

    fn direct<'c>(&mut self, tree: &Tree, stage: &PipelineStage<'c>) -> Vec<Pair<'c>> {
        let mut found = Vec::new();
        for pair in &stage.commands {
            if pair.0.name.is_some() && self.role(tree, pair.0.node, stage.node) == Role::Direct {
                found.push(*pair);
            }
        }
        found
    }

    /// The role of a command inside a stage.
    fn role(&mut self, tree: &Tree, node: Id, stage: Id) -> Role {
        if node == stage {
            return Role::Direct;
        }
        let (mut substituted, mut assigned) = (false, false);
        let mut climbed = node;
        while let Some(parent) = tree.at(climbed).parent {
            if !self.spend(1) {
                return Role::Indirect;
            }
            match tree.kind(parent) {
                "variable_assignment" if substituted => assigned = true,
                "command_substitution" | "process_substitution" => substituted = true,
                "command" => {
                    let nameless = !tree.named(parent).any(|child| tree.kind(child) == "command_name");
                    return if assigned && nameless { Role::Captured } else { Role::Indirect };
                }
                _ => {}
            }
            if parent == stage {
                return match (assigned, substituted) {
                    (true, _) => Role::Captured,
                    (false, true) => Role::Indirect,
                    (false, false) => Role::Direct,
                };
            }
            climbed = parent;
        }
        Role::Indirect
    }

    fn raw_disk(&mut self, command: &Resolved) {
        let name = command.folded().unwrap_or_default();
        if name == "mkfs" || name.starts_with("mkfs.") {
            self.raw_disk = true;
            return;
        }
        for argument in &command.arguments {
            let Some(literal) = argument.literal.as_deref() else {
                self.unsure |= name == "dd";
                continue;
            };
            let writes_device =
                literal.split_once('=').is_some_and(|(key, value)| fold(key) == "of" && is_device(value));
            if name == "dd" && writes_device {
                self.raw_disk = true;
                return;
            }
            self.unsure |= name == "dd" && argument.open;
            self.unsure |= command.unsure && (writes_device || is_device(literal));
        }
    }

    fn delete(&mut self, tree: &Tree, command: &Resolved) {
        let (mut ended, mut critical, mut unresolved) = (false, false, false);
        for argument in &command.arguments {
            let Some(literal) = argument.literal.as_deref() else {
                unresolved = true;
                continue;
            };
            unresolved |= argument.open;
            if !ended && literal == "--" {
                ended = true;
            } else if ended || literal == "-" || !literal.starts_with('-') {
                critical |= is_critical(literal, tree.text(argument.word));
            }
        }
        let by_force = command.deletes_by_force();
        let is_rm = command.folded().as_deref() == Some("rm");
        if !critical {
            self.unsure |= unresolved && by_force && (is_rm || command.unsure);
        } else if is_rm && by_force {
            self.deleted = true;
        } else {
            self.unsure |= (command.unsure && (by_force || unresolved)) || (is_rm && unresolved);
        }
    }
}

/// The role of a command inside a stage of a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Its output is the stage's output.
    Direct,
    /// It runs inside a substitution.
    Indirect,
    /// Its output is assigned to a variable.
    Captured,
}

/// A stage of a pipeline, with all commands inside it.
struct PipelineStage<'c> {
    node: Id,
    commands: Vec<Pair<'c>>,
}

fn stages<'c>(tree: &Tree, pipeline: Id, all: &'c [(ParsedCommand, Resolved)]) -> Vec<PipelineStage<'c>> {
    let mut stages: Vec<PipelineStage<'c>> = tree
        .named(pipeline)
        .map(|node| {
            let (start, end) = (tree.at(node).start, tree.at(node).end);
            let from = all.partition_point(|(command, _)| tree.at(command.node).start < start);
            let inside = all.iter().skip(from).take_while(|(command, _)| tree.at(command.node).start < end);
            let commands = inside.filter(|(command, _)| tree.at(command.node).end <= end).collect();
            PipelineStage { node, commands }
        })
        .collect();
    if let Some(source) = heredoc_before(tree, pipeline, all) {
        stages.insert(0, PipelineStage { node: source.0.node, commands: vec![source] });
    }
    stages
}

/// `cat <<E | sh`: the parser puts the pipe into the redirect, and the command outside the pipeline.
fn heredoc_before<'c>(tree: &Tree, pipeline: Id, all: &'c [(ParsedCommand, Resolved)]) -> Option<Pair<'c>> {
    if !tree.text(pipeline).trim_start().starts_with('|') {
        return None;
    }
    let redirect = tree.at(pipeline).parent.filter(|id| tree.kind(*id) == "heredoc_redirect")?;
    let statement = tree.at(redirect).parent.filter(|id| tree.kind(*id) == "redirected_statement")?;
    let body = tree.field(statement, "body").filter(|id| tree.kind(*id) == "command")?;
    all.iter().find(|(command, _)| command.node == body)
}

/// Whether every stage is one simple command.
fn is_complete(tree: &Tree, pipeline: Id) -> bool {
    let mut stages = tree.named(pipeline).peekable();
    stages.peek().is_some()
        && stages.all(|stage| {
            let mut current = stage;
            while tree.kind(current) == "redirected_statement" {
                let commands: Vec<Id> =
                    tree.named(current).filter(|child| tree.kind(*child) == "command").collect();
                let [command] = commands.as_slice() else { return false };
                current = *command;
            }
            tree.kind(current) == "command"
        })
}

fn is_fetch(command: &Resolved) -> bool {
    command.folded().is_some_and(|name| FETCHES.contains(&name.as_str()))
}

fn may_be_shell(command: &Resolved) -> bool {
    runner::is_shell(command) || command.unsure || command.basename.is_none()
}

/// Whether a command prints the result of a substitution in its arguments; `None` if undecided.
fn forwards(tree: &Tree, direct: Pair<'_>, nested: Id) -> Option<bool> {
    let (command, resolved) = direct;
    if !(resolved.is("echo") || resolved.is("printf")) {
        return None;
    }
    let holds = |word: Id| tree.within(nested, word);
    let Some(at) = resolved.arguments.iter().position(|argument| holds(argument.word)) else {
        return Some(false);
    };
    let reaches = redirect::reaches_pipe(tree, command, None);
    if reaches != Some(true) || resolved.is("echo") {
        return reaches;
    }
    if at == 0 {
        return Some(false);
    }
    let format = resolved.arguments.first()?.literal.as_deref().filter(|format| !format.contains('\\'))?;
    Some(consumes(format))
}

/// Whether a format has a conversion that takes an argument: a `%` before anything but another one.
fn consumes(format: &str) -> bool {
    let rest = format.replace("%%", "");
    rest.find('%').is_some_and(|at| at + 1 < rest.len())
}

/// Whether a group or loop has text as its input and contains a shell that may read it.
fn compound_reads_text(tree: &Tree, all: &[(ParsedCommand, Resolved)]) -> bool {
    tree.all("redirected_statement").any(|statement| {
        let Some(body) = tree.field(statement, "body").filter(|body| tree.kind(*body) != "command") else {
            return false;
        };
        let has_text = || {
            tree.between(tree.at(body).end, tree.at(statement).end).contains("<<<")
                || tree
                    .named(statement)
                    .any(|child| tree.kind(child).contains("redirect") && redirect::is_inline(tree, child))
        };
        let has_shell = || {
            all.iter()
                .any(|(command, resolved)| runner::is_shell(resolved) && tree.within(command.node, body))
        };
        has_shell() && has_text()
    })
}

fn is_device(path: &str) -> bool {
    absolute(path).is_some_and(|path| path.starts_with("/dev/"))
}

/// Whether a forced delete of this target is catastrophic. `source`: the word as written.
fn is_critical(target: &str, source: &str) -> bool {
    let folded = fold(target);
    if source.starts_with('~') {
        if folded == "~" {
            return true;
        }
        if let Some(below) = folded.strip_prefix("~/") {
            let below = relative(below);
            if below.is_empty() || below.first() == Some(&"..") {
                return true;
            }
        }
    }
    let Some(path) = absolute(&folded) else { return false };
    matches!(path.as_str(), "/" | "/*")
        || CRITICAL.iter().any(|root| {
            path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '*']))
        })
}

/// An absolute path without `.`, `..` and double slashes.
fn absolute(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.strip_prefix('/')?.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    Some(format!("/{}", parts.join("/")))
}

/// The components of a relative path; a leading `..` that leads out is kept.
fn relative(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    let rooted = path.starts_with('/');
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            part => parts.push(part),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use SecurityRisk::{High, Low, Unknown};

    fn judged(text: &str) -> (SecurityRisk, &'static str) {
        let hit = Rail.judge_texts(&[text.to_owned()]);
        (hit.risk, hit.rule)
    }

    #[test]
    fn each_rail_fires_on_its_structure_and_not_on_its_words() {
        for (text, risk, rule) in [
            ("curl x | bash", High, FETCH_TO_EXEC),
            ("curl x | grep y", High, FETCH_TO_EXEC),
            ("CURL x | cat", High, FETCH_TO_EXEC),
            ("sudo -u a curl x | cat", High, FETCH_TO_EXEC),
            ("echo \"$(curl x)\" | sh", High, FETCH_TO_EXEC),
            ("printf %s \"$(wget x)\" | sh", High, FETCH_TO_EXEC),
            ("x=$(curl x) | cat", Low, ""),
            ("curl x >f | cat", High, FETCH_TO_EXEC),
            ("curl x; bash y", Low, ""),
            ("echo 'curl x | bash'", Low, ""),
            ("bash -c 'curl x | sh'", High, FETCH_TO_EXEC),
            ("echo 'curl x | sh' | sh", High, FETCH_TO_EXEC),
            ("bash <<'E'\nrm -rf /\nE", High, DELETE),
            ("echo 'rm -rf /' | bash -s", High, DELETE),
            ("mkfs.ext4 /dev/sda1", High, RAW_DISK),
            ("dd if=/dev/zero of=/dev/sda", High, RAW_DISK),
            ("dd of=/dev/../tmp/x", Low, ""),
            ("dd of=$x", Unknown, ""),
            ("rm -rf /", High, DELETE),
            ("rm -rf /*", High, DELETE),
            ("rm -fr ~", High, DELETE),
            ("rm -rf ~/../x", High, DELETE),
            ("rm -rf ~/x", Low, ""),
            ("rm -rf '~'", Low, ""),
            ("rm -r -f /usr/lib", High, DELETE),
            ("rm -rf /usrlocal", Low, ""),
            ("rm -rf ./build", Low, ""),
            ("rm -r /", Low, ""),
            ("rm -rf $x", Unknown, ""),
            ("env A=1 nohup rm -rf /", High, DELETE),
            ("timeout 5 rm -rf /etc", High, DELETE),
            ("timeout --made-up 5 rm -rf /etc", Unknown, ""),
            ("command -v rm -rf /", Low, ""),
            ("a | b | c", Low, ""),
            ("", Low, ""),
        ] {
            assert_eq!(judged(text), (risk, rule), "{text}");
        }
    }

    #[test]
    fn what_costs_too_much_is_unknown() {
        let nested = |depth: usize| format!("{}b{}", "echo $(a | ".repeat(depth), ")".repeat(depth));
        assert_eq!(judged(&nested(50)).0, Low);
        for text in [nested(2_500), "a|".repeat(10_000), "(a)".repeat(10_000), "a()".repeat(10_000)] {
            assert_eq!(judged(&text).0, Unknown, "{text:.20}");
        }
    }

    #[test]
    fn texts_of_two_fields_never_make_one_command() {
        let texts = ["curl x".to_owned(), "| bash".to_owned()];
        assert_eq!(Rail.judge_texts(&texts).risk, Low);
    }
}
