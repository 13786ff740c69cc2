//! Approvals over HTTP: the queue, one question, its answer, and the kill switch.

use std::cmp::Reverse;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::Broker;
use doorward::rooms::core::approval::{Answer, Ask, Presence, Reach};
use doorward::rooms::core::finding::Severity;
use doorward::rooms::core::id::{Digest, QuestionId};
use doorward::rooms::core::json;
use doorward::rooms::store::{Answered, Answering, AskRecord, AskState};
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{Service, no_people, problem, store_problem};
use crate::body::{Body, Params};
use crate::edit::replace;
use crate::rules::{Asked, broker_problem};
use crate::tally::NEEDLESS;
use crate::who::Who;

/// The phrase where a rule names none.
pub(crate) const PHRASE: &str = "I confirm";
/// Settled questions that a list goes back to.
const MOST: u32 = 200;
/// Longest that one request waits.
const LONGEST_WAIT: i64 = 60;

/// Which questions.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// Settled ones too.
    #[serde(default)]
    all: bool,
}

/// `GET /v1/approvals`: open questions, the riskiest first, the oldest first inside a level.
pub(crate) async fn list(State(service): State<Arc<Service>>, Params(which): Params<Which>) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    if !which.all {
        service.door.approvals().attendance().looked();
    }
    let found = if which.all {
        broker.store().asks(MOST).await
    } else {
        broker.store().pending(Timestamp::now()).await
    };
    match found {
        Ok(mut records) => {
            if !which.all {
                records.sort_by_key(|record| Reverse(record.ask.warning.level));
            }
            let shown: Vec<Value> = records.iter().map(|record| waited(broker, record)).collect();
            Json(json!({"approvals": shown})).into_response()
        }
        Err(error) => store_problem(&error),
    }
}

/// `GET /v1/approvals/{id}`: one question, with the decision it belongs to.
pub(crate) async fn show(State(service): State<Arc<Service>>, Path(id): Path<QuestionId>) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let record = match known(broker, &id).await {
        Ok(record) => record,
        Err(response) => return *response,
    };
    let mut shown = waited(broker, &record);
    let decision = crate::records::decision(&service, record.ask.decision.clone()).await;
    let (door, id) = (Arc::clone(&service.door), record.ask.decision.clone());
    let asked = tokio::task::spawn_blocking(move || door.asked(&id)).await.ok().flatten();
    if let Some(shown) = shown.as_object_mut() {
        shown.extend(decision.map(|decision| ("decision_record".to_owned(), decision)));
        if let Some(asked) = asked {
            let inspected = asked.inspected();
            shown.insert("effects".to_owned(), crate::calls::effects(inspected));
            shown.insert("findings".to_owned(), json!(inspected.findings));
        }
    }
    Json(shown).into_response()
}

/// How long to wait.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Waiting {
    /// Seconds, at most 60.
    #[serde(default)]
    #[schemars(range(min = 0, max = 60))]
    seconds: i64,
}

/// `GET /v1/approvals/{id}/wait`: how it ended, for the side that waits. Tells no more than that.
pub(crate) async fn wait(
    State(service): State<Arc<Service>>,
    Path(id): Path<QuestionId>,
    Params(waiting): Params<Waiting>,
) -> Response {
    let span = SignedDuration::from_secs(waiting.seconds.clamp(0, LONGEST_WAIT));
    let until = Timestamp::now().checked_add(span).unwrap_or(Timestamp::MAX);
    let (outcome, reason) = match service.door.approvals().approver().wait(&id, until).await {
        Answer::Allowed { .. } => ("allowed", None),
        Answer::Denied { reason, .. } => ("denied", reason),
        Answer::TimedOut => {
            let open = match &service.broker {
                Some(broker) => broker.store().ask_record(&id, Timestamp::now()).await.ok().flatten(),
                None => None,
            };
            let pending = open.is_some_and(|record| record.state == AskState::Pending);
            (if pending { "pending" } else { "timed_out" }, None)
        }
        Answer::NoApprover => ("no_approver", None),
        Answer::Error { reason } => ("error", Some(reason)),
    };
    Json(json!({"id": id, "outcome": outcome, "reason": reason})).into_response()
}

/// An answer.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Given {
    /// Yes or no.
    answer: Word,
    /// How far a yes reaches.
    #[serde(default)]
    reach: Reach,
    /// The phrase, where one is asked for.
    #[serde(default)]
    typed: Option<String>,
    /// For the agent to read.
    #[serde(default)]
    reason: Option<String>,
    /// The rule to save with it, where it reaches always.
    #[serde(default)]
    rule: Option<Asked>,
    /// Digest of the rule's preview, as it was shown.
    #[serde(default)]
    preview: Option<String>,
    /// Shows that a person is there, for this answer alone.
    #[serde(default)]
    passphrase: Option<String>,
    /// Digest of what the person was shown, as `GET` told it.
    #[serde(default)]
    shown: Option<Digest>,
    /// With a no: nothing of this session runs until a person lifts it.
    #[serde(default)]
    stop: bool,
    /// With a yes to an edited call: the question it was edited from, which is answered with no.
    #[serde(default)]
    instead_of: Option<QuestionId>,
}

/// Shows that a person is there.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Confirming {
    /// The passphrase.
    pub(crate) passphrase: Option<String>,
}

/// Yes or no.
#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Word {
    /// Go ahead.
    Yes,
    /// Don't.
    No,
}

/// A question as the store has it; else the response that says why there is none.
pub(crate) async fn known(broker: &Broker, id: &QuestionId) -> Result<AskRecord, Box<Response>> {
    let found = broker.store().ask_record(id, Timestamp::now()).await;
    found.map_err(|error| Box::new(store_problem(&error)))?.ok_or_else(|| Box::new(unknown()))
}

/// `POST /v1/approvals/{id}/answer`
pub(crate) async fn answer(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Path(id): Path<QuestionId>,
    Body(given): Body<Given>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let known = match known(broker, &id).await {
        Ok(known) => known,
        Err(response) => return *response,
    };
    if given.shown.as_ref().is_some_and(|shown| digest(&known.ask).as_ref() != Some(shown)) {
        return problem(StatusCode::CONFLICT, "grant.preview", "what was shown is not what is asked");
    }
    if (given.reach == Reach::Always) != given.rule.is_some() {
        let why = "an always saves a rule: look at its preview and give both back";
        return problem(StatusCode::BAD_REQUEST, "always.rule", why);
    }
    let yes = given.answer == Word::Yes;
    // The agent's own account is nobody else, whichever user the service runs as.
    let who = match who.presence {
        Presence::OtherUid if who.name == known.ask.binding.caller => {
            Who { presence: Presence::PeerUid, ..who }
        }
        _ => who,
    };
    let presence = match person(broker, &who, given.passphrase.as_deref()).await {
        Ok(presence) => presence,
        Err(response) => return *response,
    };
    // Whoever comes late is told of the first answer, unlocked or not.
    let open = known.state == AskState::Pending;
    let proves_less = match presence {
        Presence::PeerUid => true,
        // Whoever has a passphrase shows with it that a person is there; a terminal is enough for small things.
        Presence::Terminal => known.ask.warning.level >= Severity::High,
        _ => false,
    };
    if open && yes && proves_less && who.has_passphrase {
        return refused("grant.presence", &known);
    }
    let grant_s = i64::try_from(service.door.settings().approvals.grant_s).unwrap_or(600);
    let answering = Answering {
        groups: who.groups.clone(),
        reach: given.reach,
        typed: given.typed,
        reason: given.reason,
        lifetime: SignedDuration::from_secs(grant_s),
        ..Answering::new(&who.name, presence, who.via, yes)
    };
    let replaced = match replaced(broker, &known, given.instead_of.as_ref()).await {
        Ok(replaced) => replaced,
        Err(response) => return *response,
    };
    let answered = match &given.rule {
        None => broker.answer(&id, &answering).await.map(|answered| (answered, Vec::new())),
        Some(asked) => match asked.wish() {
            Ok(wish) => {
                let shown = given.preview.as_deref().unwrap_or_default();
                service.door.approvals().answer_with_rule(&known, answering, &wish, shown).await
            }
            Err(response) => return *response,
        },
    };
    let (answered, saved) = match answered {
        Ok(answered) => answered,
        Err(error) => return broker_problem(&error),
    };
    if !yes && given.stop {
        let scope = format!("session:{}", known.ask.binding.session);
        if let Err(error) = broker.stop(&scope, &who.name, "denied with stop").await {
            return problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string());
        }
    }
    if let (Answered::Settled(record), Some(first)) = (&answered, replaced)
        && yes
    {
        let args = record.ask.args.canonical();
        if let Err(response) = replace(broker, &who, presence, &first, &args).await {
            return *response;
        }
    }
    match answered {
        Answered::Settled(record) => {
            let mut shown = view(&record);
            if let Some(shown) = shown.as_object_mut().filter(|_| !saved.is_empty()) {
                shown.insert("saved".to_owned(), json!(saved));
            }
            Json(shown).into_response()
        }
        Answered::Pending { have, need } => {
            let body = json!({"id": id, "state": "pending", "have": have, "need": need});
            (StatusCode::ACCEPTED, Json(body)).into_response()
        }
        Answered::Already(record) => {
            let same = record.answered_by == who.name
                && record.state == if yes { AskState::Allowed } else { AskState::Denied };
            let status = if same { StatusCode::OK } else { StatusCode::CONFLICT };
            (status, Json(view(&record))).into_response()
        }
        Answered::Refused(code) => refused(code, &known),
    }
}

/// The question that an edited one stands for: of the same caller, session and tool.
async fn replaced(
    broker: &Broker,
    edited: &AskRecord,
    id: Option<&QuestionId>,
) -> Result<Option<AskRecord>, Box<Response>> {
    let Some(id) = id else { return Ok(None) };
    let first = known(broker, id).await?;
    let (own, other) = (&edited.ask.binding, &first.ask.binding);
    if own.caller != other.caller || own.session != other.session || own.tool != other.tool {
        let why = "an edited call stands for one of the same caller, session and tool";
        return Err(Box::new(problem(StatusCode::CONFLICT, "edit.other", why)));
    }
    Ok(Some(first))
}

/// How it is known that a person answers: their passphrase, given now or lately, else their credential alone.
pub(crate) async fn person(
    broker: &Broker,
    who: &Who,
    passphrase: Option<&str>,
) -> Result<Presence, Box<Response>> {
    let Some(passphrase) = passphrase else { return Ok(who.presence) };
    match broker.store().check_passphrase(&who.name, passphrase, Timestamp::now()).await {
        Ok(true) => {
            crate::sign_in::is_known(broker, &who.name).await;
            Ok(Presence::Passphrase)
        }
        Ok(false) => {
            let why = "this is not the passphrase, or too many were tried";
            Err(Box::new(problem(StatusCode::FORBIDDEN, "passphrase.wrong", why)))
        }
        Err(error) => Err(Box::new(store_problem(&error))),
    }
}

/// `POST /v1/approvals/{id}/recall`: takes back a yes that wasn't used.
pub(crate) async fn recall(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Path(id): Path<QuestionId>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let record = match known(broker, &id).await {
        Ok(record) => record,
        Err(response) => return *response,
    };
    match broker.recall(&record, &who.name).await {
        Ok(true) => Json(json!({"id": id, "recalled": true})).into_response(),
        Ok(false) => problem(StatusCode::CONFLICT, "grant.used", "there is no unused yes to take back"),
        Err(error) => problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string()),
    }
}

/// `POST /v1/approvals/{id}/needless`: a person says that they needn't have been asked. It is recorded and counted;
/// what would spare the question is a rule, which they are shown.
pub(crate) async fn needless(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Path(id): Path<QuestionId>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let record = match known(broker, &id).await {
        Ok(record) => record,
        Err(response) => return *response,
    };
    match broker.note(NEEDLESS, record.ask.decision.as_str()).await {
        Ok(()) => Json(json!({"id": id, "needless": true, "by": who.name})).into_response(),
        Err(error) => broker_problem(&error),
    }
}

/// `GET /v1/stops`
pub(crate) async fn stops(State(service): State<Arc<Service>>) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    match broker.store().stops().await {
        Ok(stops) => {
            let stops: Vec<Value> = stops
                .iter()
                .map(|stop| json!({"scope": stop.scope, "by": stop.by, "reason": stop.reason, "at": stop.at}))
                .collect();
            Json(json!({"stops": stops})).into_response()
        }
        Err(error) => store_problem(&error),
    }
}

/// What to stop, or to lift the stop of.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stopping {
    /// `all`, `session:ID`, `agent:NAME` or `server:NAME`.
    #[schemars(regex(pattern = r"^(all|session:.+|agent:.+|server:.+)$"))]
    scope: String,
    /// Why.
    #[serde(default)]
    reason: String,
    /// The phrase, to lift.
    #[serde(default)]
    typed: String,
}

/// `POST /v1/stops`: stopping is easy.
pub(crate) async fn stop(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Body(stopping): Body<Stopping>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let known = ["session:", "agent:", "server:"];
    if stopping.scope != doorward::stops::ALL && !known.iter().any(|kind| stopping.scope.starts_with(kind)) {
        let why = "a scope is all, session:ID, agent:NAME or server:NAME";
        return problem(StatusCode::BAD_REQUEST, "stop.scope", why);
    }
    match broker.stop(&stopping.scope, &who.name, &stopping.reason).await {
        Ok(()) => Json(json!({"stopped": stopping.scope})).into_response(),
        Err(error) => problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string()),
    }
}

/// `POST /v1/stops/lift`: lifting takes the phrase.
pub(crate) async fn lift(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Body(lifting): Body<Stopping>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    if lifting.typed.trim() != PHRASE {
        return problem(StatusCode::FORBIDDEN, "approve.phrase", "type: I confirm");
    }
    if who.presence == Presence::PeerUid {
        let why = "lifting a stop takes a person: unlock with your passphrase, or do it at a terminal";
        return problem(StatusCode::FORBIDDEN, "grant.presence", why);
    }
    match broker.lift(&lifting.scope, &who.name).await {
        Ok(lifted) => Json(json!({"lifted": lifted})).into_response(),
        Err(error) => problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string()),
    }
}

/// A question, and whether its caller still waits for the answer.
fn waited(broker: &Broker, record: &AskRecord) -> Value {
    let mut shown = view(record);
    if let Some(shown) = shown.as_object_mut() {
        let waits = record.state == AskState::Pending && broker.is_waited_for(&record.ask.id);
        shown.insert("waiting".to_owned(), Value::Bool(waits));
    }
    shown
}

/// A question as every channel shows it.
pub(crate) fn view(record: &AskRecord) -> Value {
    let ask = &record.ask;
    let mut shown = json!({
        "id": ask.id, "state": record.state, "decision": ask.decision, "event": event(ask),
        "tool": ask.binding.tool, "server": ask.binding.server, "caller": ask.binding.caller,
        "session": ask.binding.session, "agent": ask.origin.agent, "branch": ask.origin.branch,
        "title": ask.origin.title, "project": ask.binding.project, "cwd": ask.binding.cwd,
        "args": Value::from(&ask.args), "reason": ask.reason,
        "security_warning": {"level": ask.warning.level, "message": ask.warning.message},
        "level": ask.confirm.level, "phrase": phrase(ask), "groups": ask.confirm.groups,
        "policies": ask.confirm.policies, "shown": digest(ask),
        "asked_at": record.asked_at, "expires": ask.expires,
        "answered_by": record.answered_by, "presence": record.presence, "via": record.via,
        "answered_at": record.answered_at, "answer_reason": record.reason, "votes": record.votes,
        "guardian": ask.guardian,
    });
    // A number that JSON readers round is told as text too: what a yes is bound to is the exact one.
    if let Some(shown) = shown.as_object_mut().filter(|_| rounds(&ask.args)) {
        shown.insert("args_text".to_owned(), ask.args.canonical().into());
    }
    shown
}

/// Whether a value holds a number that isn't what it was after it went through a common reader of JSON.
fn rounds(value: &json::Value) -> bool {
    match value {
        json::Value::Number(number) => {
            let common = Value::from(value).to_string();
            common != number.as_text()
        }
        json::Value::Array(items) => items.iter().any(rounds),
        json::Value::Object(members) => members.values().any(rounds),
        _ => false,
    }
}

/// `onToolCallRequest` of the contract, member for member.
pub(crate) fn event(ask: &Ask) -> Value {
    json!({
        "toolName": ask.binding.tool,
        "args": Value::from(&ask.args),
        "confirmationId": ask.id,
        "security_warning": {"level": ask.warning.level, "message": ask.warning.message},
    })
}

/// What has to be typed, if anything.
pub(crate) fn phrase(ask: &Ask) -> Option<String> {
    let needed = ask.confirm.level == 2 || ask.confirm.phrase.is_some();
    needed.then(|| ask.confirm.phrase.clone().unwrap_or_else(|| PHRASE.to_owned()))
}

/// Of everything a person is shown; none for a question that has no canonical text, which no answer fits.
pub(crate) fn digest(ask: &Ask) -> Option<Digest> {
    json::canonical_of(ask).ok().map(|text| Digest::of(text.as_bytes()))
}

fn refused(code: &str, record: &AskRecord) -> Response {
    let phrase = phrase(&record.ask).unwrap_or_else(|| PHRASE.to_owned());
    let why = match code {
        "approve.phrase" => format!("type exactly: {phrase}"),
        "approver.self" => "whoever asked can't be the one who agrees".to_owned(),
        "approver.group" => format!("only a member of {} may answer", record.ask.confirm.groups.join(", ")),
        "grant.presence" => "give your passphrase: a credential alone is not a person".to_owned(),
        _ => "this answer can't be taken".to_owned(),
    };
    problem(StatusCode::FORBIDDEN, code, &why)
}

pub(crate) fn unknown() -> Response {
    problem(StatusCode::NOT_FOUND, "approval.unknown", "there is no such question")
}
