//! Why a simulated call was answered as it was, and what would make it allowed.
//!
//! A way out is never guessed: each is a change (a rule, a mode, a root, a host, a narrower command) with which the
//! call was judged again, by the same gate, and came out better. Nothing here is an authority.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use doorward_core::Boxed;
use doorward_core::call::{Root, ToolCall};
use doorward_core::decision::{Basis, Decision, Verdict};
use doorward_core::effect::{Effects, HostClass, Inspected, Scope};
use doorward_core::evaluation::{
    Guardian, GuardianContext, GuardianDecision, GuardianEvaluation, GuardianStatus,
};
use doorward_core::finding::{Finding, Severity};
use doorward_core::intent::{Direction, Span, WriteMode};
use doorward_core::json::Value;
use doorward_core::mode::PermissionMode;
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::CanonicalTool;
use doorward_gate::Case;
use doorward_policy::mode;
use doorward_policy::packs::Pack;
use doorward_policy::shorthand::{self, List};
use doorward_settings::{Rule, Settings};
use doorward_shell::Label;
use serde::Serialize;

use crate::always::propose;
use crate::contract::Simulated;
use crate::{Door, Project};

/// Narrower commands that are tried for one call.
const MOST_TRIED: usize = 24;
/// Narrower commands that are told.
const MOST_TOLD: usize = 3;

/// Spellings that do less, and stand for the same intention.
const NARROWER: &[(&str, &str)] = &[
    ("--force", "--force-with-lease"),
    ("push -f", "push --force-with-lease"),
    ("reset --hard", "reset --keep"),
    ("clean -fd", "clean -nd"),
    ("branch -D", "branch -d"),
    ("chmod 777", "chmod 755"),
    ("chmod -R 777", "chmod -R u+rwX"),
    ("chmod a+w", "chmod u+w"),
    ("docker compose down -v", "docker compose down"),
    ("terraform apply -auto-approve", "terraform plan"),
    ("npm publish", "npm publish --dry-run"),
    ("cargo publish", "cargo publish --dry-run"),
];

/// Why, and what else there is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// What decided, one sentence each.
    pub decided_by: Vec<String>,
    /// What would make it allowed, the narrowest first. Empty for a call that is allowed, or that nothing lets pass.
    pub ways: Vec<Way>,
}

/// A change with which the call was judged again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Way {
    /// What to change.
    #[serde(flatten)]
    pub change: Change,
    /// The answer then.
    pub then: Verdict,
}

/// Something a person or an agent could change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Change {
    /// A person's answer to the question.
    Answer {
        /// How it is given.
        how: String,
    },
    /// Rules in `[rules]` of the settings.
    Allow {
        /// In shorthand.
        rules: Vec<String>,
    },
    /// A rule of the settings taken out.
    Without {
        /// `ask` or `deny`.
        list: &'static str,
        /// The rule, as written.
        rule: String,
        /// The file it stands in, where that is known.
        file: Option<String>,
    },
    /// A policy pack left out of `policy.packs`.
    WithoutPack {
        /// Its name.
        pack: String,
    },
    /// Another permission mode.
    Mode {
        /// Which.
        mode: PermissionMode,
    },
    /// One more root (`paths.extra_roots`, or `--root`).
    Root {
        /// The folder.
        path: String,
    },
    /// A host on the list (`net.allowed_hosts`).
    Host {
        /// As it stands in the list.
        host: String,
    },
    /// A command that does less.
    Narrower {
        /// The text.
        command: String,
    },
}

impl Change {
    /// In words, one line; text from the call with nothing in it that could draw over a terminal.
    #[must_use]
    pub fn words(&self) -> String {
        let list = |items: &[String]| items.iter().map(|item| toml(item)).collect::<Vec<_>>().join(", ");
        let text = match self {
            Self::Answer { how } => how.clone(),
            Self::Allow { rules } => format!("a rule: [rules] allow = [{}]", list(rules)),
            Self::Without { list, rule, file } => {
                let file = file.as_deref().map(|file| format!(" in {file}")).unwrap_or_default();
                format!("without the {list} rule {}{file}", toml(rule))
            }
            Self::WithoutPack { pack } => format!("without the pack {pack} in policy.packs"),
            Self::Mode { mode } => format!("mode {mode}"),
            Self::Root { path } => format!("a root: [paths] extra_roots = [{}]", toml(path)),
            Self::Host { host } => format!("a host: [net] allowed_hosts = [{}]", toml(host)),
            Self::Narrower { command } => format!("a narrower command: {command}"),
        };
        text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
    }
}

fn toml(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

impl Simulated {
    /// What decided, and what would make the call allowed. Judges variations of it, without a model and without a
    /// record.
    pub async fn explanation(&self, door: &Arc<Door>) -> Explanation {
        let judged = self.judged();
        let trial = Trial { door, project: door.project(None), judged };
        let ways = if judged.decision().verdict == Verdict::Allow { Vec::new() } else { trial.ways().await };
        Explanation { decided_by: decided_by(judged, &trial.project), ways }
    }

    /// What the call does, under the words that say so, and what was found.
    #[must_use]
    pub fn labels(&self) -> Vec<Label> {
        labels(self.judged().inspected())
    }
}

/// What decided, in words.
fn decided_by(judged: &Case, project: &Project) -> Vec<String> {
    let (decision, inspected, assessment) = (judged.decision(), judged.inspected(), judged.assessment());
    let Decision { code, mode, .. } = decision;
    // What a prompt would have settled was decided before it was turned into a denial.
    let refused_prompt = match code.as_str() {
        "mode.dont_ask" => Some(format!("mode {mode}: what would be asked is refused")),
        "no_approver" => Some("nobody can be asked here, and it takes a person".to_owned()),
        _ => None,
    };
    let mut said: Vec<String> = refused_prompt.into_iter().collect();
    let floor = inspected.findings.iter().any(|finding| finding.floor && finding.code == *code);
    match decision.basis {
        Basis::Finding if floor => {
            said.push(format!("the hard floor ({code}), which no rule, mode or answer lifts"))
        }
        Basis::Finding => said.push(format!("a finding that an allow rule doesn't settle ({code})")),
        Basis::Rule => said.extend(decision.policy.policies.iter().map(|id| named(id, project))),
        Basis::Risk => said.push(format!(
            "the confirmation policy: risk {} is asked about{}",
            assessment.risk,
            carried_by(&inspected.findings, assessment.risk)
        )),
        Basis::Mode => said.push(format!("mode {mode} ({code}), since no rule speaks about it")),
        Basis::Guardian => said.push(format!("the guardian ({code})")),
    }
    if said.is_empty() {
        said.push(format!("policy ({code})"));
    }
    said
}

/// The findings that carry a risk, by code.
fn carried_by(findings: &[Finding], risk: SecurityRisk) -> String {
    let codes: BTreeSet<&str> = findings
        .iter()
        .filter(|finding| finding.risk == Some(risk) && risk != SecurityRisk::Low)
        .map(|finding| finding.code.as_ref())
        .collect();
    if codes.is_empty() {
        String::new()
    } else {
        format!(", from {}", codes.into_iter().collect::<Vec<_>>().join(", "))
    }
}

/// A policy by its id: a rule of the settings by its text and place, anything else as it is.
fn named(id: &str, project: &Project) -> String {
    match rule_of(id, project.settings()) {
        Some(Found::Own { list, rule, .. }) => {
            let file = project.file_of(&rule).map(|file| format!(" in {file}")).unwrap_or_default();
            format!("the {list} rule {rule}{file}")
        }
        Some(Found::Pack { pack, rule }) => format!("the ask rule {rule} of the pack {}", pack.name),
        None if id == "rule.allow" => "an allow rule".to_owned(),
        None => match pack_of(id, project.settings()) {
            Some(pack) => format!("the policy {id} of the pack {}", pack.name),
            None => format!("the policy {id}"),
        },
    }
}

/// Where a rule's policy comes from.
enum Found {
    Own { list: &'static str, place: usize, rule: String },
    Pack { pack: Pack, rule: String },
}

/// The rule that `rule.ask.3` and its kin stand for: the settings' own come first, those of the packs after them.
fn rule_of(id: &str, settings: &Settings) -> Option<Found> {
    let (list, rules, place) = match id.strip_prefix("rule.")?.split_once('.')? {
        ("deny", place) => ("deny", &settings.rules.deny, place),
        ("ask", "maybe") => return None,
        ("ask", place) => match place.strip_prefix("hidden.") {
            Some(place) => ("deny", &settings.rules.deny, place),
            None => ("ask", &settings.rules.ask, place),
        },
        _ => return None,
    };
    let place: usize = place.parse().ok()?;
    if let Some(rule) = rules.get(place) {
        return Some(Found::Own { list, place, rule: text_of(rule).to_owned() });
    }
    let mut left = place.checked_sub(rules.len())?;
    for pack in packs(settings) {
        let own: Vec<String> = pack
            .rules()
            .into_iter()
            .filter(|rule| rule.list.as_str() == list)
            .map(|rule| rule.text)
            .collect();
        match own.get(left) {
            Some(rule) => return Some(Found::Pack { pack, rule: rule.clone() }),
            None => left -= own.len(),
        }
    }
    None
}

fn text_of(rule: &Rule) -> &str {
    match rule {
        Rule::Plain(text) => text,
        Rule::Full(full) => &full.rule,
    }
}

fn packs(settings: &Settings) -> Vec<Pack> {
    Project::packs_of(settings).iter().filter_map(|name| Pack::named(name)).collect()
}

/// The pack whose text holds a policy of this id.
fn pack_of(id: &str, settings: &Settings) -> Option<Pack> {
    packs(settings).into_iter().find(|pack| pack.text.contains(&format!("@id({})", toml(id))))
}

/// The narrowest rules of the user's that would let a call pass which is asked about; `None` where no rule would.
pub(crate) async fn passing_rules(door: &Door, project: Arc<Project>, judged: &Case) -> Option<Vec<String>> {
    let ways = Trial { door, project, judged }.allowed_by_rule().await;
    ways.into_iter().find_map(|way| match way.change {
        Change::Allow { rules } => Some(rules),
        _ => None,
    })
}

/// One call, judged again under changes.
struct Trial<'a> {
    door: &'a Door,
    project: Arc<Project>,
    judged: &'a Case,
}

impl Trial<'_> {
    fn call(&self) -> &ToolCall {
        &self.judged.inspected().call
    }

    /// What the changed settings would answer.
    async fn under(&self, call: ToolCall, change: impl FnOnce(&mut Settings)) -> Option<Decision> {
        let mut settings = self.project.settings().clone();
        change(&mut settings);
        let judge = self.project.trial(self.door.projects().shared(), &settings, Arc::new(NotAsked)).ok()?;
        let session = self.door.sessions().look(&call);
        let judged = judge.simulate(call, session).await.ok()?;
        Some(judged.case().decision().clone())
    }

    /// A way, if the call comes out better by it.
    fn way(&self, change: Change, then: Option<Decision>) -> Option<Way> {
        let then = then?.verdict;
        let before = self.judged.decision().verdict;
        (then != before && then.stricter(before) == before).then_some(Way { change, then })
    }

    async fn ways(&self) -> Vec<Way> {
        let mut ways: Vec<Way> = Vec::new();
        ways.extend(self.answer());
        ways.extend(self.allowed_by_rule().await);
        ways.extend(self.rules_taken_out().await);
        ways.extend(self.modes().await);
        ways.extend(self.roots().await);
        ways.extend(self.hosts().await);
        ways.extend(self.narrower().await);
        ways
    }

    /// A person's answer, where one is asked for.
    fn answer(&self) -> Option<Way> {
        let confirm = self.judged.decision().confirm.as_ref()?;
        let how = match confirm.level {
            0 | 1 => "a person's yes, once or for the session".to_owned(),
            2 => format!("a person who types {}", toml(confirm.phrase.as_deref().unwrap_or("the phrase"))),
            _ => "the yes of a second person".to_owned(),
        };
        Some(Way { change: Change::Answer { how }, then: Verdict::Allow })
    }

    /// The narrowest rules that cover all of it, and one for the program's sub-command.
    async fn allowed_by_rule(&self) -> Vec<Way> {
        let narrow = propose(self.judged.inspected(), List::Allow);
        if narrow.is_empty() {
            return Vec::new();
        }
        let mut with_targets = narrow.clone();
        let writes = &self.judged.inspected().effects.writes;
        let targets = writes.iter().filter(|write| write.scope != Scope::Harmless);
        with_targets.extend(targets.map(|write| format!("Edit(/{})", write.path)));
        with_targets.dedup();
        let wide: Vec<String> = narrow.iter().filter_map(|rule| wider(rule)).collect();
        let mut ways = Vec::new();
        let mut tried: Vec<Vec<String>> = Vec::new();
        for rules in [narrow.clone(), with_targets] {
            if ways.is_empty() && !tried.contains(&rules) {
                ways.extend(self.allow(&rules).await);
                tried.push(rules);
            }
        }
        if wide.len() == narrow.len() && !tried.contains(&wide) {
            ways.extend(self.allow(&wide).await);
        }
        ways
    }

    async fn allow(&self, rules: &[String]) -> Option<Way> {
        let added = rules.iter().cloned().map(Rule::Plain);
        let then = self.under(self.call().clone(), |settings| settings.rules.allow.extend(added)).await;
        self.way(Change::Allow { rules: rules.to_vec() }, then).filter(|way| way.then == Verdict::Allow)
    }

    /// The rules and packs that decided, each left out alone.
    async fn rules_taken_out(&self) -> Vec<Way> {
        if self.judged.decision().basis != Basis::Rule {
            return Vec::new();
        }
        let settings = self.project.settings();
        let mut ways: Vec<Way> = Vec::new();
        for id in &self.judged.decision().policy.policies {
            let found = rule_of(id, settings)
                .or_else(|| pack_of(id, settings).map(|pack| Found::Pack { pack, rule: String::new() }));
            let way = match found {
                Some(Found::Own { list, place, rule }) => {
                    let then = self.under(self.call().clone(), |settings| {
                        let rules =
                            if list == "deny" { &mut settings.rules.deny } else { &mut settings.rules.ask };
                        rules.remove(place);
                    });
                    let then = then.await;
                    let file = self.project.file_of(&rule);
                    self.way(Change::Without { list, rule, file }, then)
                }
                Some(Found::Pack { pack, .. }) => {
                    let rest: Vec<String> =
                        Project::packs_of(settings).into_iter().filter(|name| name != pack.name).collect();
                    let then =
                        self.under(self.call().clone(), |settings| settings.policy.packs = Some(rest)).await;
                    self.way(Change::WithoutPack { pack: pack.name.to_owned() }, then)
                }
                None => None,
            };
            ways.extend(way.filter(|way| !ways.contains(way)));
        }
        ways
    }

    async fn modes(&self) -> Vec<Way> {
        let mut ways = Vec::new();
        let modes = &self.project.settings().modes;
        for other in PermissionMode::ALL {
            if other == self.judged.decision().mode || mode::select(other, modes).is_err() {
                continue;
            }
            let mut call = self.call().clone();
            call.mode = other;
            let then = self.under(call, |_| {}).await;
            ways.extend(self.way(Change::Mode { mode: other }, then));
        }
        ways
    }

    /// The folders of files that lie outside the roots, one at a time.
    async fn roots(&self) -> Vec<Way> {
        let mut ways = Vec::new();
        for folder in folders_outside(&self.judged.inspected().effects) {
            let mut call = self.call().clone();
            call.roots.push(Root::parse(&folder));
            let then = self.under(call, |_| {}).await;
            ways.extend(self.way(Change::Root { path: folder }, then));
        }
        ways
    }

    async fn hosts(&self) -> Vec<Way> {
        let hosts: BTreeSet<String> = self
            .judged
            .inspected()
            .effects
            .hosts
            .iter()
            .filter(|host| {
                !matches!(host.class, HostClass::Allowed | HostClass::Metadata | HostClass::Unknown)
            })
            .map(|host| match host.port {
                Some(port) => format!("{}:{port}", host.host),
                None => host.host.clone(),
            })
            .collect();
        let mut ways = Vec::new();
        for host in hosts {
            let entry = host.clone();
            let then =
                self.under(self.call().clone(), |settings| settings.net.allowed_hosts.push(entry)).await;
            ways.extend(self.way(Change::Host { host }, then));
        }
        ways
    }

    /// Parts of the command, and the command with less in it.
    async fn narrower(&self) -> Vec<Way> {
        let Some(command) = self.call().arg("command") else { return Vec::new() };
        if self.call().tool != CanonicalTool::Shell {
            return Vec::new();
        }
        let mut ways: Vec<Way> = Vec::new();
        for text in less_of(command, &self.judged.inspected().effects) {
            let mut call = self.call().clone();
            call.args.insert("command".to_owned(), Value::String(text.clone()));
            let then = self.under(call, |_| {}).await;
            ways.extend(self.way(Change::Narrower { command: text }, then));
        }
        ways.sort_by_key(|way| way.then != Verdict::Allow);
        ways.truncate(MOST_TOLD);
        ways
    }
}

/// `shell(cargo build -p x)` as `shell(cargo build *)`: the program with its first plain words, whatever follows. None
/// where that would be a rule for a program as a whole.
fn wider(rule: &str) -> Option<String> {
    let words: Vec<&str> = rule.strip_prefix("shell(")?.strip_suffix(')')?.split(' ').collect();
    let plain =
        |word: &&&str| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && !word.starts_with('-');
    let kept: Vec<&str> = words.iter().take(2).take_while(plain).copied().collect();
    let wide = format!("shell({} *)", kept.join(" "));
    let narrow = shorthand::reach(&wide).is_ok_and(|reach| !reach.contains(&"too_wide"));
    (kept.len() == 2 && narrow && wide != rule).then_some(wide)
}

fn folders_outside(effects: &Effects) -> Vec<String> {
    let outside = |scope: Scope| matches!(scope, Scope::Outside | Scope::Escape);
    let reads = effects.reads.iter().filter(|read| outside(read.scope)).map(|read| &read.path);
    let writes = effects.writes.iter().filter(|write| outside(write.scope)).map(|write| &write.path);
    let deletes = effects.deletes.iter().filter(|delete| outside(delete.scope)).map(|delete| &delete.path);
    let mut folders: Vec<String> = Vec::new();
    for path in reads.chain(writes).chain(deletes) {
        let Some(folder) = Path::new(path).parent().map(|folder| folder.display().to_string()) else {
            continue;
        };
        // The whole machine is nobody's root.
        let named = folder.starts_with('/') && folder.matches('/').count() > 1 && !folder.contains('…');
        if named && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders.truncate(MOST_TOLD);
    folders
}

/// Commands that do less than this one: its parts by themselves, the same without an option or without more power, and
/// the narrower spellings. Text only; whether one of them is any good is judged.
fn less_of(command: &str, effects: &Effects) -> Vec<String> {
    let mut less: Vec<String> = Vec::new();
    let mut add = |text: String| {
        let text = text.trim().to_owned();
        if !text.is_empty() && text != command.trim() && !less.contains(&text) {
            less.push(text);
        }
    };
    for (from, to) in NARROWER {
        if command.contains(from) && !command.contains(to) {
            add(command.replacen(from, to, 1));
        }
    }
    let parts: BTreeSet<Span> = effects
        .executes
        .iter()
        .filter(|one| one.depth == 0 && one.via.is_empty())
        .map(|one| one.span)
        .collect();
    if parts.len() > 1 {
        parts.iter().filter_map(|span| span.of(command)).for_each(|text| add(text.to_owned()));
    }
    let mut from = 0;
    for word in command.split_inclusive([' ', '\t']) {
        let (start, end) = (from, from + word.len());
        from = end;
        let word = word.trim_end();
        let drops = word.len() > 1 && word.starts_with('-') || matches!(word, "sudo" | "doas" | "pkexec");
        if drops && let (Some(before), Some(after)) = (command.get(..start), command.get(end..)) {
            add(format!("{before}{after}"));
        }
    }
    less.truncate(MOST_TRIED);
    less
}

/// Effects under their words, with what was found there.
fn labels(inspected: &Inspected) -> Vec<Label> {
    let effects = &inspected.effects;
    let mut told = Told { findings: inspected.findings.iter().collect(), labels: Vec::new() };
    for delete in &effects.deletes {
        let all = if delete.recursive { " and all below it" } else { "" };
        told.effect(delete.span, format!("deletes {}{all}", delete.path), &delete.path, Severity::Medium);
    }
    for write in &effects.writes {
        let verb = match write.mode {
            WriteMode::Create => "writes",
            WriteMode::Truncate => "empties",
            WriteMode::Append => "adds to",
            WriteMode::InPlace => "changes",
            WriteMode::Metadata => "changes the mode or times of",
        };
        told.effect(write.span, format!("{verb} {}", write.path), &write.path, Severity::Medium);
    }
    for read in &effects.reads {
        let verb = if read.metadata { "looks at" } else { "reads" };
        told.effect(read.span, format!("{verb} {}", read.path), &read.path, Severity::Low);
    }
    for host in &effects.hosts {
        let verb = match host.direction {
            Direction::Fetch => "fetches from",
            Direction::Send => "sends to",
            Direction::Both => "talks to",
            Direction::Listen => "listens on",
        };
        told.effect(host.span, format!("{verb} {}", host.host), &host.host, Severity::Medium);
    }
    let findings = std::mem::take(&mut told.findings);
    for finding in findings {
        if let Some(span) = finding.span {
            let text = format!("{} [{}]", finding.sentence(), finding.code);
            told.labels.push(Label { span, text, severity: finding.severity });
        }
    }
    for install in &effects.installs {
        let text = format!("installs with {}", install.manager);
        told.labels.push(Label { span: install.span, text, severity: Severity::Medium });
    }
    // What nothing was said about: it runs, and may change something.
    for command in effects.executes.iter().filter(|command| !command.read_only && command.depth == 0) {
        let said = told
            .labels
            .iter()
            .any(|label| label.severity > Severity::Low && command.span.cover(label.span) == command.span);
        if !said {
            let text = format!("runs {}, which may change something", command.program);
            told.labels.push(Label { span: command.span, text, severity: Severity::Medium });
        }
    }
    told.labels
}

struct Told<'f> {
    /// Not told yet.
    findings: Vec<&'f Finding>,
    labels: Vec<Label>,
}

impl Told<'_> {
    /// An effect with the findings about it, in one line.
    fn effect(&mut self, span: Span, text: String, of: &str, severity: Severity) {
        let mut label = Label { span, text, severity };
        let mut about = Vec::new();
        self.findings.retain(|finding| {
            if finding.span != Some(span) || !finding.message.contains(of) || of.is_empty() {
                return true;
            }
            about.push(format!("{} [{}]", finding.sentence(), finding.code));
            label.severity = label.severity.max(finding.severity);
            false
        });
        if !about.is_empty() {
            label.text = about.join(" ");
        }
        self.labels.push(label);
    }
}

/// Stands in for the guardian while variations are judged: a model isn't asked about what nobody is going to run.
struct NotAsked;

impl Guardian for NotAsked {
    fn evaluate<'a>(&'a self, _: &'a GuardianContext, _: &'a Inspected) -> Boxed<'a, GuardianEvaluation> {
        let fault = GuardianEvaluation::fault(GuardianStatus::Cancelled, "not asked");
        Box::pin(std::future::ready(GuardianEvaluation { decision: GuardianDecision::PromptUser, ..fault }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wider_rule_is_still_for_one_sub_command() {
        for (rule, wide) in [
            ("shell(cargo build -p x)", Some("shell(cargo build *)")),
            ("shell(cargo build)", Some("shell(cargo build *)")),
            ("shell(rm -rf src)", None),
            ("shell(git push --force)", Some("shell(git push *)")),
            ("shell(./run.sh a)", None),
            ("Edit(//a/b)", None),
        ] {
            assert_eq!(wider(rule).as_deref(), wide, "{rule}");
        }
    }

    #[test]
    fn less_is_the_same_with_something_out() {
        let less = less_of("sudo git push --force origin", &Effects::default());
        assert_eq!(
            less,
            ["sudo git push --force-with-lease origin", "git push --force origin", "sudo git push origin"]
        );
    }
}
