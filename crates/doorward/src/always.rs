//! "Always": the narrowest rule that would have settled a question, shown before it is saved, saved whole or not at
//! all, and taken back by its name.
//!
//! A rule is proposed from what the call was found to do, never from its text: only tokens that are volatile by their
//! form become wildcards. What is shown is checked: the rule covers this call, its example matches, its near miss
//! doesn't, and with it the call is allowed. Rules live in `rules.toml` beside the user's settings, which nobody but
//! Doorward writes; everyone else's deny and ask rules still beat them.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use doorward_core::approval::Ask;
use doorward_core::assessment::{AnalyzerVerdict, Assessment};
use doorward_core::call::Surface;
use doorward_core::decision::Verdict;
use doorward_core::effect::{HostEffect, Inspected};
use doorward_core::finding::Severity;
use doorward_core::id::{DecisionId, Digest};
use doorward_core::intent::{Direction, SimpleCommand};
use doorward_core::json;
use doorward_core::json::Value;
use doorward_core::kept::KeptCall;
use doorward_core::record::{Record, UserDecision};
use doorward_core::tool::CanonicalTool;
use doorward_gate::{Evidence, combine};
use doorward_ledger::Filter;
use doorward_policy::shorthand::{self, List, RuleSet, RuleSource, RuleSources};
use doorward_settings::{Only, Rule, RuleText};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::project::Project;
use crate::projects::Projects;
use crate::saved_rules::{Asked, Saved, SavedRules, entry, list_named};

mod propose;
mod task;

pub use propose::propose;
use propose::{examples, proposed};
pub use task::task_end;

/// Past calls that a preview looks at.
const PAST: usize = 2_000;
/// Rules of one answer at most: one for each simple command.
const MOST_RULES: usize = 16;
/// Earlier calls with a yes that a proposal looks at.
const AGREED: usize = 16;

/// What a person wants saved. What is left out is proposed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wish {
    /// The rules in shorthand; empty: the narrowest that cover the call.
    pub rules: Vec<String>,
    /// Whose calls.
    pub scope: Scope,
    /// How long.
    pub lasts: Lasts,
    /// Never instead of always.
    pub deny: bool,
    /// A scope for the session's task instead of a rule for calls like this one: for this session, two hours at most.
    pub task: bool,
}

/// Whose calls a saved rule is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// This session's.
    Session,
    /// This agent's in this project.
    #[default]
    Agent,
    /// Everyone's in this project.
    Project,
    /// All of this user's.
    User,
}

/// How long a saved rule holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lasts {
    /// An hour.
    #[serde(rename = "1h")]
    Hour,
    /// Until midnight, UTC.
    #[serde(rename = "today")]
    Today,
    /// Thirty days.
    #[default]
    #[serde(rename = "30d")]
    Month,
    /// Until someone takes it back.
    #[serde(rename = "none")]
    Ever,
}

/// A rule as it would be saved, with what it would do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preview {
    /// The rules.
    pub rules: Vec<String>,
    /// `allow`, `ask` or `deny`.
    pub list: &'static str,
    /// Whose calls.
    pub only: Only,
    /// Exclusive end.
    pub until: Option<String>,
    /// Whether it can be saved.
    pub offered: bool,
    /// Why not: a code.
    pub why_not: Option<String>,
    /// In words.
    pub message: Option<String>,
    /// How it reaches beyond this call. With any of these, or a strict reason, it takes a second look.
    pub reach: Vec<String>,
    /// A future call that it covers.
    pub example: Vec<String>,
    /// One that it doesn't.
    pub near_miss: Vec<String>,
    /// A grant for a task: what it would let pass, in sentences. Empty for other rules.
    pub covers: Vec<String>,
    /// What it wouldn't.
    pub leaves: Vec<String>,
    /// Past calls it would have covered.
    pub past: Past,
    /// What will stand in the file.
    pub text: String,
    /// Goes back with the answer: what was shown is what is saved. None where nothing is to be answered.
    pub digest: Option<Digest>,
}

/// A rule that a person wrote, without a question that it came from.
#[derive(Debug, Clone)]
pub struct WrittenRule {
    /// What it does.
    pub list: List,
    /// In shorthand.
    pub rule: String,
    /// Whose calls.
    pub only: Only,
    /// When it ends.
    pub until: Option<Timestamp>,
    /// Whether it is a grant for a task.
    pub task: bool,
}

impl Preview {
    /// As it will be saved.
    pub(crate) fn of_rule(wanted: WrittenRule) -> Self {
        let (example, near) = examples(&wanted.rule).unwrap_or_default();
        let covers =
            if wanted.task { task::covers(std::slice::from_ref(&wanted.rule), "") } else { Vec::new() };
        Self {
            covers,
            leaves: Vec::new(),
            rules: vec![wanted.rule],
            list: wanted.list.as_str(),
            only: wanted.only,
            until: wanted.until.map(|until| until.to_string()),
            offered: true,
            why_not: None,
            message: None,
            reach: Vec::new(),
            example: example.into_iter().collect(),
            near_miss: near.into_iter().collect(),
            past: Past::default(),
            text: String::new(),
            digest: None,
        }
    }
}

/// Past calls under a rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Past {
    /// Looked at.
    pub of: usize,
    /// It would have covered.
    pub covered: usize,
    /// Of which were denied then.
    pub denied: usize,
    /// Of which were asked then.
    pub asked: usize,
}

/// Why a rule can't be had or saved.
#[derive(Debug, thiserror::Error)]
pub enum AlwaysError {
    /// No always for this question, or not this rule.
    #[error("{message}")]
    Refused {
        /// `always.strict`, `always.rule`, `always.too_wide`, `always.uncovered`, `always.asked`, `always.preview`.
        code: &'static str,
        /// In words.
        message: String,
    },
    /// The file can't be read or written; nothing changed.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: String,
        /// Why.
        source: std::io::Error,
    },
}

impl AlwaysError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Refused { code, .. } => code,
            Self::File { .. } => "always.file",
        }
    }

    pub(crate) fn refused(code: &'static str, message: impl Into<String>) -> Self {
        Self::Refused { code, message: message.into() }
    }
}

/// "Always", over the rooms of every project.
pub(crate) struct Always {
    saved: Arc<SavedRules>,
    projects: Arc<Projects>,
}

impl Always {
    pub(crate) const fn new(saved: Arc<SavedRules>, projects: Arc<Projects>) -> Self {
        Self { saved, projects }
    }

    /// The rules that were saved, and what is known of questions.
    pub(crate) fn saved(&self) -> &SavedRules {
        &self.saved
    }

    /// What saving a rule with this answer would do. Blocking: it reads the ledger.
    ///
    /// # Errors
    /// [`AlwaysError`] where there is nothing to show: the call isn't known any more, or the rule doesn't load.
    pub(crate) fn preview_rule(&self, ask: &Ask, wish: &Wish) -> Result<Preview, AlwaysError> {
        let lost = "what this call would do isn't recorded any more, so no rule can be made from it";
        let asked =
            self.saved.asked(&ask.decision).ok_or_else(|| AlwaysError::refused("always.uncovered", lost))?;
        let list = if wish.deny { List::Deny } else { List::Allow };
        let is_task = wish.task && list == List::Allow;
        let mut rules = wish.rules.clone();
        rules.retain(|rule| !rule.trim().is_empty());
        if rules.is_empty() && is_task {
            rules = task::scope(asked.inspected());
        } else if rules.is_empty() {
            let earlier = if list == List::Allow { self.agreed(&asked, ask) } else { Vec::new() };
            rules = proposed(asked.inspected(), list, &earlier, list == List::Allow);
        }
        if rules.len() > MOST_RULES {
            return Err(AlwaysError::refused("always.too_wide", "too many rules for one answer"));
        }
        let now = Timestamp::now();
        let (only, until) = if is_task {
            (only(ask, Scope::Session), Some(task_end(None, now).to_string()))
        } else {
            (only(ask, wish.scope), until(wish.lasts, now))
        };
        let text_of = |rule: &String| rule_text(rule, (&only, until.as_ref()), list, is_task);
        let texts: Vec<RuleText> = rules.iter().map(text_of).collect();
        let sources = sources(list, &texts);
        let set = RuleSet::compile(&sources)
            .map_err(|error| AlwaysError::refused("always.rule", error.to_string()))?;
        let mut reach: Vec<String> = Vec::new();
        if list == List::Allow {
            for text in &texts {
                let codes = shorthand::reach(&text.rule)
                    .map_err(|error| AlwaysError::refused("always.rule", error.to_string()))?;
                let whole = is_task && codes.contains(&shorthand::WHOLE_FOLDER);
                let codes = codes.into_iter().filter(|code| !(whole && *code == "too_wide"));
                reach.extend(codes.map(str::to_owned));
            }
            let secret = asked.inspected().findings.iter().any(|finding| finding.code.starts_with("secret."));
            reach.extend(secret.then(|| "credential_in_reach".to_owned()));
        }
        reach.sort();
        reach.dedup();
        let why_not = if rules.is_empty() {
            Some(("always.uncovered".to_owned(), UNCOVERED.to_owned()))
        } else if list == List::Deny {
            (!meets(&set, asked.inspected())).then(|| {
                ("always.uncovered".to_owned(), "this rule doesn't meet the call it is for".to_owned())
            })
        } else {
            let strict = strict(ask, asked.inspected());
            strict
                .or_else(|| task::refused(ask, is_task))
                .or_else(|| self.unfit(&set, &texts, &reach, &asked))
        };
        let past = if rules.is_empty() { Past::default() } else { self.past(&set, &asked, list) };
        let text: String = texts.iter().map(|text| entry(list, text)).collect();
        let (why_not, message) = why_not.map_or((None, None), |(code, message)| (Some(code), Some(message)));
        let project = ask.binding.project.as_str();
        let (covers, leaves) =
            if is_task { (task::covers(&rules, project), task::leaves()) } else { (Vec::new(), Vec::new()) };
        Ok(Preview {
            covers,
            leaves,
            digest: Some(digest(ask, &rules, wish)?),
            list: list.as_str(),
            offered: why_not.is_none(),
            example: texts.iter().flat_map(|text| text.matches.clone()).collect(),
            near_miss: texts.iter().flat_map(|text| text.not_matches.clone()).collect(),
            rules,
            only,
            until,
            why_not,
            message,
            reach,
            past,
            text,
        })
    }

    /// Why this rule wouldn't let the call pass, or reaches too far.
    fn unfit(
        &self,
        set: &RuleSet,
        texts: &[RuleText],
        reach: &[String],
        asked: &Asked,
    ) -> Option<(String, String)> {
        let no = |code: &str, message: String| Some((code.to_owned(), message));
        if reach.iter().any(|code| code == "too_wide") {
            let why = "a rule for every call of a tool, for any program or for whole folders isn't narrow";
            return no("always.too_wide", why.to_owned());
        }
        if !set.facts(asked.inspected()).covered {
            return no("always.uncovered", UNCOVERED.to_owned());
        }
        let hook = asked.record().surface == Surface::Hook;
        let root = asked.inspected().call.project().filter(|_| hook).map(Path::new);
        let project = self.projects.get(root);
        match project.with_allowed(root, texts, asked.inspected()) {
            Ok((Verdict::Allow, _, _)) => None,
            Ok((_, code, reason)) => {
                no("always.asked", format!("with this rule the call would still not pass ({code}): {reason}"))
            }
            Err(reason) => no("always.rule", reason),
        }
    }

    /// Calls of the same tool by the same caller in the same project that a person said yes to, youngest first: what
    /// changes between them and the call in question is what a rule may leave open.
    fn agreed(&self, asked: &Asked, ask: &Ask) -> Vec<Inspected> {
        let Some(reader) = self.saved.reader() else { return Vec::new() };
        let of_kind = |kind: &str| Filter { kind: Some(kind.to_owned()), ..Filter::default() };
        let answered = reader.find(&of_kind("approval"), PAST).unwrap_or_default();
        let agreed: HashSet<DecisionId> = answered
            .iter()
            .filter_map(|stored| match stored.record()? {
                Record::Approval(answer) if answer.decision == Some(UserDecision::Allowed) => Some(answer.of),
                _ => None,
            })
            .collect();
        if agreed.is_empty() {
            return Vec::new();
        }
        let filter = Filter {
            tool: Some(asked.record().resource.name.clone()),
            principal: Some(ask.binding.caller.clone()),
            ..of_kind("decision")
        };
        let found = reader.find(&filter, PAST).unwrap_or_default();
        let calls = found.iter().filter_map(|stored| {
            let Some(Record::Decision(record)) = stored.record() else { return None };
            if !agreed.contains(&record.id) {
                return None;
            }
            KeptCall::read_inspected(&reader.content(stored.index, &record.inspected).ok()??).ok()
        });
        let project = asked.inspected().call.project();
        calls.filter(|inspected| inspected.call.project() == project).take(AGREED).collect()
    }

    /// Past calls of the same tool that the rule would have met.
    fn past(&self, set: &RuleSet, asked: &Asked, list: List) -> Past {
        let mut past = Past::default();
        let Some(reader) = self.saved.reader() else { return past };
        let filter = Filter {
            kind: Some("decision".to_owned()),
            tool: Some(asked.record().resource.name.clone()),
            ..Filter::default()
        };
        for stored in reader.find(&filter, PAST).unwrap_or_default() {
            let Some(Record::Decision(record)) = stored.record() else { continue };
            let Ok(Some(kept)) = reader.content(stored.index, &record.inspected) else { continue };
            let Ok(inspected) = KeptCall::read_inspected(&kept) else { continue };
            past.of += 1;
            let met =
                if list == List::Allow { set.facts(&inspected).covered } else { meets(set, &inspected) };
            if met && record.id != asked.record().id {
                past.covered += 1;
                past.denied += usize::from(record.verdict == Verdict::Deny);
                past.asked += usize::from(record.verdict == Verdict::Confirm);
            }
        }
        past
    }

    /// Saves what a preview showed, under a new id, whole or not at all.
    ///
    /// # Errors
    /// [`AlwaysError`]: the preview isn't offered, the settings wouldn't load with it, or the file can't be written.
    pub(crate) fn save_rule(
        &self,
        preview: &Preview,
        by: &str,
        reason: &str,
    ) -> Result<Vec<Saved>, AlwaysError> {
        if !preview.offered {
            let message = preview.message.clone().unwrap_or_default();
            return Err(AlwaysError::refused("always.strict", message));
        }
        let list = list_named(preview.list);
        let is_task = !preview.covers.is_empty();
        let fresh: Vec<Saved> = preview
            .rules
            .iter()
            .map(|rule| Saved {
                list: list.as_str(),
                rule: RuleText {
                    reason: Some(reason.to_owned()),
                    id: Some(format!("always-{}", doorward_core::id::fresh().to_lowercase())),
                    by: Some(by.to_owned()),
                    ..rule_text(rule, (&preview.only, preview.until.as_ref()), list, is_task)
                },
                ended: false,
            })
            .collect();
        let added = fresh.clone();
        self.rewrite(move |saved| {
            saved.retain(|rule| !rule.ended);
            saved.extend(added);
        })?;
        Ok(fresh)
    }

    /// Takes a saved rule back. `None` if there is none of that name.
    ///
    /// # Errors
    /// [`AlwaysError`].
    pub(crate) fn revoke_rule(&self, id: &str) -> Result<Option<Saved>, AlwaysError> {
        let mut gone = None;
        self.rewrite(|saved| {
            if let Some(at) = saved.iter().position(|rule| rule.rule.id.as_deref() == Some(id)) {
                gone = Some(saved.remove(at));
            }
        })?;
        Ok(gone)
    }

    /// Takes back the grants for the task of a session that is over. How many there were.
    ///
    /// # Errors
    /// [`AlwaysError`].
    pub(crate) fn end_tasks(&self, session: &str) -> Result<usize, AlwaysError> {
        let is_of = |rule: &Saved| {
            rule.rule.task
                && rule.rule.only.as_ref().and_then(|only| only.session.as_deref()) == Some(session)
        };
        let ended = self.saved.rules()?.iter().filter(|rule| is_of(rule)).count();
        if ended > 0 {
            self.rewrite(|saved| saved.retain(|rule| !is_of(rule)))?;
        }
        Ok(ended)
    }

    /// Changes the file, and puts it in force at once and in the record.
    fn rewrite(&self, change: impl FnOnce(&mut Vec<Saved>)) -> Result<(), AlwaysError> {
        let _alone = self.projects.rewriting();
        self.saved.rewrite(change)?;
        self.projects.look_again();
        let _ = self.projects.get(None);
        Ok(())
    }
}

/// A rule as it is saved, with its example and near miss.
fn rule_text(rule: &str, (only, until): (&Only, Option<&String>), list: List, is_task: bool) -> RuleText {
    let (example, near) = examples(rule).unwrap_or_default();
    RuleText {
        rule: rule.trim().to_owned(),
        matches: example.into_iter().collect(),
        not_matches: near.into_iter().collect(),
        only: (*only != Only::default()).then(|| only.clone()),
        until: until.cloned(),
        alone: list == List::Allow && !is_task,
        task: is_task,
        ..RuleText::default()
    }
}

const UNCOVERED: &str =
    "no narrow rule covers everything this call would do: allow it once or for the session";

/// No always where the reason for asking is a strict one.
fn strict(ask: &Ask, inspected: &Inspected) -> Option<(String, String)> {
    let finding = inspected.findings.iter().find(|finding| {
        let code = finding.code.as_ref();
        finding.blocking
            || ["flow.", "pin.", "text."].iter().any(|kind| code.starts_with(kind))
            || code.starts_with("net.") && (code.contains("metadata") || code.contains("link_local"))
    });
    if let Some(finding) = finding {
        let link_local = finding.code.starts_with("net.") && !finding.blocking;
        let code = if link_local { "link_local_reach".to_owned() } else { finding.code.to_string() };
        return Some((code, format!("no rule for this: {}", finding.message)));
    }
    let local = matches!(
        inspected.call.tool.canonical(),
        Some(CanonicalTool::Shell | CanonicalTool::Read | CanonicalTool::Write | CanonicalTool::Delete)
    );
    let leaves = !local || inspected.effects.network || !inspected.effects.hosts.is_empty();
    let mut secret = false;
    inspected.call.args_value().for_each_string(&mut |text| secret |= looks_secret(text));
    if secret {
        // A rule would write it down, and let it out again and again.
        let code = if leaves { "flow.secret_to_egress" } else { "secret.in_rule" };
        return Some((
            code.to_owned(),
            "no rule for a call that carries what looks like a secret".to_owned(),
        ));
    }
    let roots = &inspected.call.roots;
    let whole = inspected.effects.deletes.iter().any(|delete| {
        let path = delete.path.trim_end_matches('/');
        roots.iter().any(|root| {
            let rest = root.path.trim_end_matches('/').strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    });
    if whole {
        let why = "deleting a whole project is asked every time";
        return Some(("level.CRITICAL".to_owned(), why.to_owned()));
    }
    if ask.confirm.level >= 3 {
        let why = "two people answer this; one person's rule can't";
        return Some(("rule.second_person".to_owned(), why.to_owned()));
    }
    // A few files inside the project are a click, and the user's to settle by a rule.
    if ask.warning.level >= Severity::Critical && ask.confirm.level >= 2 {
        return Some(("level.CRITICAL".to_owned(), "what is critical is asked every time".to_owned()));
    }
    None
}

/// Whether a text holds a secret, or would but for saying that it is an example.
fn looks_secret(text: &str) -> bool {
    let find = |text: &str| !doorward_secrets::Detector::shared().find(text).is_empty();
    text.contains(doorward_secrets::MASK)
        || text.contains("[secret:")
        || find(text)
        || ["EXAMPLE", "example"].iter().any(|word| {
            let other = if word.starts_with('E') { "QZXKWVJ" } else { "qzxkwvj" };
            text.contains(word) && find(&text.replace(word, other))
        })
}

fn meets(set: &RuleSet, inspected: &Inspected) -> bool {
    set.facts(inspected).matched.iter().any(|matched| matched.starts_with("deny:"))
}

pub(crate) fn sources(list: List, texts: &[RuleText]) -> RuleSources {
    let rules = texts
        .iter()
        .map(|text| RuleSource {
            matches: text.matches.clone(),
            not_matches: text.not_matches.clone(),
            only: text.only.clone().unwrap_or_default(),
            until: text.until.clone(),
            alone: text.alone,
            task: text.task,
            ..RuleSource::new(list, text.rule.as_str())
        })
        .collect();
    RuleSources { rules, home: crate::home().map(|home| home.display().to_string()) }
}

fn only(ask: &Ask, scope: Scope) -> Only {
    let binding = &ask.binding;
    let some = |text: &str| Some(text.to_owned());
    match scope {
        Scope::Session => {
            Only { caller: some(&binding.caller), session: some(binding.session.as_str()), project: None }
        }
        Scope::Agent => {
            Only { caller: some(&binding.caller), project: some(&binding.project), session: None }
        }
        Scope::Project => Only { project: some(&binding.project), ..Only::default() },
        Scope::User => Only::default(),
    }
}

fn until(lasts: Lasts, now: Timestamp) -> Option<String> {
    const DAY: i64 = 86_400;
    let end = match lasts {
        Lasts::Hour => now.checked_add(SignedDuration::from_hours(1)).ok()?,
        Lasts::Today => {
            let second = now.as_second();
            Timestamp::from_second(second.checked_sub(second.rem_euclid(DAY))?.checked_add(DAY)?).ok()?
        }
        Lasts::Month => now.checked_add(SignedDuration::from_hours(24 * 30)).ok()?,
        Lasts::Ever => return None,
    };
    Timestamp::from_second(end.as_second()).ok().map(|end| end.to_string())
}

fn digest(ask: &Ask, rules: &[String], wish: &Wish) -> Result<Digest, AlwaysError> {
    let shown = (&ask.id, rules, wish.scope, wish.lasts, wish.deny, wish.task);
    let unnamed = |error: json::JsonError| AlwaysError::refused("internal.digest", error.to_string());
    json::canonical_of(&shown).map(|text| Digest::of(text.as_bytes())).map_err(unnamed)
}

/// The effects' own assessment: a preview asks no model.
pub(crate) fn assessed(inspected: &Inspected) -> Assessment {
    Assessment::fuse(vec![AnalyzerVerdict {
        analyzer: "effects".to_owned(),
        risk: inspected.risk,
        score: inspected.score,
        mandatory: true,
        applies: true,
        findings: inspected.findings.clone(),
        detail: String::new(),
    }])
}

impl Project {
    /// What would be decided about a recorded call if these allow rules were there too: verdict, code, reason.
    fn with_allowed(
        &self,
        root: Option<&Path>,
        texts: &[RuleText],
        inspected: &Inspected,
    ) -> Result<(Verdict, String, String), String> {
        let mut settings = self.settings().clone();
        settings.rules.allow.extend(texts.iter().cloned().map(|text| Rule::Full(Box::new(text))));
        let engine = Self::engine_of(&settings, root)?;
        let assessment = assessed(inspected);
        let settling = self.judge().stages().settle.settling(inspected, &assessment);
        let policy = engine.decide_call(inspected, &assessment, None);
        let decision = combine(Evidence {
            inspected,
            assessment: &assessment,
            policy: &policy,
            settling: &settling,
            grant: None,
        });
        Ok((decision.verdict, decision.code, decision.reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_proposed_form_has_an_example_and_a_near_miss() {
        for rule in [
            "shell(gh run view <int> --log)",
            "shell(git show <hex>)",
            "shell(bash -c 'make test')",
            "shell(git diff *)",
            "Edit(//w/docs/a.md)",
            "Edit(//w/docs/*.md)",
            "Read(//w/a)",
            "net(docs.example)",
            "net(*.docs.example)",
            "mcp(files/write_text)",
            "net(https://docs.example)",
            "call(mcp:db/query {\"sql\":\"SELECT name FROM users WHERE id = <int>\"})",
            "call(mcp:files/write_text {\"path\":\"/w/docs/<name>.md\"})",
            "call(mcp:web/fetch {\"url\":\"https://docs.example/<path>\"})",
            "call(get_fact {})",
        ] {
            let (example, near) = examples(rule).unwrap();
            let source = RuleSource {
                matches: example.into_iter().collect(),
                not_matches: near.into_iter().collect(),
                ..RuleSource::new(List::Allow, rule)
            };
            assert_eq!((source.matches.len(), source.not_matches.len()), (1, 1), "{rule}");
            RuleSet::compile(&RuleSources { rules: vec![source], home: None }).unwrap();
        }
    }

    #[test]
    fn today_ends_at_midnight() {
        let now = "2026-11-22T04:48:31Z".parse().unwrap();
        assert_eq!(until(Lasts::Today, now).as_deref(), Some("2026-11-23T00:00:00Z"));
        assert_eq!(until(Lasts::Ever, now), None);
    }
}
