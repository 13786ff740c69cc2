//! The rules that decide: those of the shipped packs, of policy files, of the settings, and those that people saved,
//! each with how many calls of the last week it met. And saving a rule that no question asked for.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::Project;
use doorward::always::{WrittenRule, task_end};
use doorward::rooms::core::approval::Presence;
use doorward::rooms::core::kept::KeptCall;
use doorward::rooms::core::record::Record;
use doorward::rooms::ledger::{Filter, Reader};
use doorward::rooms::policy::packs::Pack;
use doorward::rooms::policy::shorthand::{List, RuleSet, RuleSource, RuleSources, WHOLE_FOLDER, reach};
use doorward::rooms::settings::Rule;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{Service, no_people, problem};
use crate::approvals::person;
use crate::body::Body;
use crate::records::read;
use crate::rules::broker_problem;
use crate::who::Who;

/// Decisions of the last week that are looked at, youngest first.
const LOOKED_AT: usize = 2_000;
/// Calls that a tried rule shows as examples.
const EXAMPLES: usize = 5;
/// Characters of a rule at most.
const LONGEST: usize = 2_000;

/// `GET /v1/rules/in-force`
pub(crate) async fn in_force(State(service): State<Arc<Service>>) -> Response {
    let project = service.door.project(None);
    let names = packs(&project);
    let sources = shorthands(&project, &names);
    let found = read(&service, move |dir| weigh(dir, &sources)).await;
    let (met, looked_at) = match found {
        Ok(found) => found,
        Err(response) => return *response,
    };
    let rules = rows(&project, &names, &met);
    Json(json!({
        "rules": rules, "packs": names, "of": looked_at, "on_no_match": on_no_match(&project),
        "problem": project.problem().map(doorward::problem::Problem::text),
    }))
    .into_response()
}

/// What happens to a call that no rule meets: `mode` or `deny`.
fn on_no_match(project: &Project) -> Value {
    project.policies().map_or(Value::Null, |policies| json!(policies.on_no_match()))
}

fn packs(project: &Project) -> Vec<String> {
    Project::packs_of(project.settings())
}

/// The settings' rules, the saved ones among them, then the packs': the order in which their policies are numbered.
fn shorthands(project: &Project, names: &[String]) -> RuleSources {
    let home = doorward::home().map(|home| home.display().to_string());
    let mut sources = RuleSources::of(&project.settings().rules, home);
    sources.rules.extend(names.iter().filter_map(|name| Pack::named(name)).flat_map(|pack| pack.rules()));
    sources
}

/// How often each rule met a call: shorthands by `list:place`, policies by their id.
type Met = HashMap<String, u64>;

fn weigh(dir: PathBuf, sources: &RuleSources) -> std::io::Result<(Met, usize)> {
    let set = RuleSet::compile(sources).unwrap_or_default();
    // Together allow rules say only that a call is covered: each is asked for itself.
    let allowing: Vec<(String, RuleSet)> = sources
        .rules
        .iter()
        .filter(|rule| rule.list == List::Allow)
        .enumerate()
        .filter_map(|(place, rule)| {
            let alone = RuleSources { rules: vec![rule.clone()], home: sources.home.clone() };
            Some((format!("allow:{place}"), RuleSet::compile(&alone).ok()?))
        })
        .collect();
    let mut met = Met::new();
    let looked_at = over_the_week(dir, |record, inspected| {
        for id in &record.policy.ids {
            *met.entry(id.clone()).or_default() += 1;
        }
        let Some(inspected) = inspected else { return };
        for place in set.facts(inspected).matched {
            *met.entry(place).or_default() += 1;
        }
        for (place, rule) in &allowing {
            *met.entry(place.clone()).or_default() += u64::from(rule.facts(inspected).covered);
        }
    })?;
    Ok((met, looked_at))
}

/// Shows the decisions of the last week, youngest first, with what was kept of their calls. Gives how many there were.
fn over_the_week(
    dir: PathBuf,
    mut look: impl FnMut(
        &doorward::rooms::core::record::DecisionRecord,
        Option<&doorward::rooms::core::effect::Inspected>,
    ),
) -> std::io::Result<usize> {
    let since = Timestamp::now().checked_sub(SignedDuration::from_hours(24 * 7)).ok();
    let filter = Filter { kind: Some("decision".to_owned()), since, ..Filter::default() };
    let reader = Reader::open(dir)?;
    let found = reader.find(&filter, LOOKED_AT)?;
    for stored in &found {
        let Some(Record::Decision(record)) = stored.record() else { continue };
        let kept = reader.content(stored.index, &record.inspected).ok().flatten();
        let inspected = kept.and_then(|kept| KeptCall::read_inspected(&kept).ok());
        look(&record, inspected.as_ref());
    }
    Ok(found.len())
}

fn rows(project: &Project, names: &[String], met: &Met) -> Vec<Value> {
    let mut rows = Vec::new();
    let settings = &project.settings().rules;
    for (list, rules) in
        [(List::Deny, &settings.deny), (List::Ask, &settings.ask), (List::Allow, &settings.allow)]
    {
        for (place, rule) in rules.iter().enumerate() {
            let (text, more) = match rule {
                Rule::Plain(text) => (text.as_str(), None),
                Rule::Full(full) => (full.rule.as_str(), Some(full.as_ref())),
            };
            let id = format!("{}:{place}", list.as_str());
            rows.push(json!({
                "verdict": list.as_str(), "rule": text, "n": met.get(&id).copied().unwrap_or_default(),
                "from": project.file_of(text), "saved": more.and_then(|more| more.id.clone()),
                "by": more.and_then(|more| more.by.clone()), "reason": more.and_then(|more| more.reason.clone()),
                "until": more.and_then(|more| more.until.clone()), "only": more.and_then(|more| more.only.clone()),
            }));
        }
    }
    let asked_before = settings.ask.len();
    let mut place = asked_before;
    for pack in names.iter().filter_map(|name| Pack::named(name)) {
        for rule in pack.rules() {
            let n = met.get(&format!("ask:{place}")).copied().unwrap_or_default();
            rows.push(
                json!({"verdict": "ask", "rule": rule.text, "n": n, "from": format!("pack:{}", pack.name)}),
            );
            place += 1;
        }
    }
    if let Some(policies) = project.policies() {
        for known in policies.listed() {
            let forbids = known.forbids && known.annotations.confirm.is_none();
            let verdict = if forbids {
                "deny"
            } else if known.forbids {
                "ask"
            } else {
                "allow"
            };
            rows.push(json!({
                "verdict": verdict, "policy": known.id, "reason": known.annotations.reason,
                "severity": known.annotations.severity, "from": known.source,
                "trial": known.annotations.log_only, "n": met.get(known.id).copied().unwrap_or_default(),
            }));
        }
    }
    rows
}

/// A rule that someone wants.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Draft {
    /// `allow`, `ask` or `deny`.
    #[schemars(extend("enum" = ["allow", "ask", "deny"]))]
    verdict: String,
    /// The rule in shorthand, such as `shell(git fetch *)`.
    #[schemars(length(min = 1, max = 2000))]
    rule: String,
    /// Only for calls of this project's folder.
    #[serde(default)]
    project: Option<String>,
    /// A grant for the task of this session: everyday calls only, until the session ends.
    #[serde(default)]
    session: Option<String>,
    /// When it ends; without it, when someone takes it back.
    #[serde(default)]
    until: Option<Timestamp>,
    /// Why, for people who meet it.
    #[serde(default)]
    reason: Option<String>,
    /// Shows that a person is there.
    #[serde(default)]
    passphrase: Option<String>,
}

impl Draft {
    fn source(&self) -> Result<RuleSource, Box<Response>> {
        let invalid = |why: &str| Box::new(problem(StatusCode::BAD_REQUEST, "request.invalid", why));
        let list = match self.verdict.as_str() {
            "allow" => List::Allow,
            "ask" => List::Ask,
            "deny" => List::Deny,
            _ => return Err(invalid("verdict is allow, ask or deny")),
        };
        let text = self.rule.trim();
        if text.is_empty() || text.chars().count() > LONGEST || text.contains('\n') {
            return Err(invalid("a rule is one line of at most 2,000 characters"));
        }
        let only = self.only();
        let task = self.is_task();
        if task && list != List::Allow {
            return Err(invalid("a grant for a session's task allows; leave `session` out"));
        }
        Ok(RuleSource { only, task, alone: list == List::Allow && !task, ..RuleSource::new(list, text) })
    }

    fn is_task(&self) -> bool {
        self.session.as_ref().is_some_and(|session| !session.is_empty())
    }

    fn only(&self) -> doorward::rooms::settings::Only {
        let project = self.project.clone().filter(|project| !project.is_empty());
        let session = self.session.clone().filter(|session| !session.is_empty());
        doorward::rooms::settings::Only { project, session, ..doorward::rooms::settings::Only::default() }
    }
}

/// `POST /v1/rules/try`: whether a rule loads, how far it reaches, and which calls of the last week it would have met.
pub(crate) async fn try_rule(State(service): State<Arc<Service>>, Body(draft): Body<Draft>) -> Response {
    let source = match draft.source() {
        Ok(source) => source,
        Err(response) => return *response,
    };
    let home = doorward::home().map(|home| home.display().to_string());
    let list = source.list;
    let reached = if list == List::Allow { reach(&source.text) } else { Ok(Vec::new()) };
    let compiled = RuleSet::compile(&RuleSources { rules: vec![source], home });
    let (set, reached) = match (compiled, reached) {
        (Ok(set), Ok(reached)) => (set, reached),
        (Err(error), _) | (_, Err(error)) => {
            return Json(json!({"ok": false, "message": error.message, "help": error.help})).into_response();
        }
    };
    let found = read(&service, move |dir| {
        let place = format!("{}:0", list.as_str());
        let (mut met, mut asked, mut denied) = (0_u64, 0_u64, 0_u64);
        let mut examples: Vec<Value> = Vec::new();
        let of = over_the_week(dir, |record, inspected| {
            let facts = inspected.map(|inspected| set.facts(inspected)).unwrap_or_default();
            if !(facts.covered || (list != List::Allow && facts.matched.contains(&place))) {
                return;
            }
            met += 1;
            asked += u64::from(record.verdict == doorward::rooms::core::decision::Verdict::Confirm);
            denied += u64::from(record.verdict == doorward::rooms::core::decision::Verdict::Deny);
            if examples.len() < EXAMPLES {
                let tool = &record.resource.name;
                examples.push(
                    json!({"id": record.id, "tool": tool, "args": record.args, "verdict": record.verdict}),
                );
            }
        })?;
        Ok(json!({"of": of, "met": met, "asked": asked, "denied": denied, "examples": examples}))
    })
    .await;
    match found {
        Ok(week) => Json(json!({
            "ok": true, "reach": reached, "too_wide": reached.contains(&"too_wide"), "week": week,
        }))
        .into_response(),
        Err(response) => *response,
    }
}

/// `POST /v1/rules`: saves a rule beside those that were saved with an answer. It takes a person, and is recorded
/// first.
pub(crate) async fn save(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Body(draft): Body<Draft>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let source = match draft.source() {
        Ok(source) => source,
        Err(response) => return *response,
    };
    match person(broker, &who, draft.passphrase.as_deref()).await {
        Ok(Presence::PeerUid) => {
            return problem(StatusCode::FORBIDDEN, "grant.presence", "saving a rule takes your passphrase");
        }
        // Whoever has a passphrase loosens nothing without it: the terminal alone answers small questions only.
        Ok(Presence::Terminal) if who.has_passphrase && source.list == List::Allow => {
            return problem(
                StatusCode::FORBIDDEN,
                "grant.presence",
                "saving an allow rule takes your passphrase",
            );
        }
        Ok(_) => {}
        Err(response) => return *response,
    }
    if source.list == List::Allow {
        match reach(&source.text) {
            Ok(codes) if codes.contains(&"too_wide") && !(source.task && codes.contains(&WHOLE_FOLDER)) => {
                let why =
                    "a rule for every call of a tool, for any program or for whole folders isn't narrow";
                return problem(StatusCode::BAD_REQUEST, "always.too_wide", why);
            }
            Ok(_) => {}
            Err(error) => return problem(StatusCode::BAD_REQUEST, "policy.load", &error.message),
        }
    }
    let reason = draft.reason.clone().filter(|reason| !reason.trim().is_empty());
    let reason = reason.unwrap_or_else(|| format!("{} saved it", who.name));
    let wanted = WrittenRule {
        list: source.list,
        rule: source.text,
        only: draft.only(),
        until: if source.task { Some(task_end(draft.until, Timestamp::now())) } else { draft.until },
        task: source.task,
    };
    match service.door.approvals().save_rule(wanted, &who.name, &reason).await {
        Ok(saved) => Json(json!({"saved": saved})).into_response(),
        Err(error) => broker_problem(&error),
    }
}
