//! AuthZEN 1.0: evaluation, evaluations, search and discovery.
//!
//! A question about a tool takes the whole way of a call, with nobody asked: what needs a person is `false` with an
//! `access_request`, and a person is asked when the caller requests it (`access`). Questions about other types are
//! decided by the same policies over a configured directory, whose properties the request's own replace.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use doorward::contract::{self, Question as ToolQuestion};
use doorward::rooms::core::approval::Binding;
use doorward::rooms::core::call::Prompt;
use doorward::rooms::core::decision::{Obligation, Verdict};
use doorward::rooms::core::id::RecordId;
use doorward::rooms::core::json::{Limits, Object, Value};
use doorward::rooms::core::record::{NoteRecord, Record};
use doorward::rooms::gate::Admission;
use doorward::rooms::policy::cedar::{EntityFacts, EntityRequest};
use doorward::rooms::policy::request::SeedRequest;
use doorward::rooms::settings::OnNoMatch;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::access;
use crate::api::{Service, malformed, problem};
use crate::body::is_json;

/// Where the metadata is.
pub(crate) const DISCOVERY: &str = "/.well-known/authzen-configuration";
/// Questions of one batch.
const MOST: usize = 1_000;
/// Results of one page at most.
const PAGE: usize = 1_000;
/// Subject types that are the principal of a call.
const CALLERS: [&str; 3] = ["user", "identity", "agent"];

/// Who may do what to what.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Question {
    subject: Entity,
    action: (String, Object),
    resource: Entity,
    context: Object,
}

#[derive(Debug, Clone, PartialEq)]
struct Entity {
    kind: String,
    id: String,
    properties: Object,
}

/// A decision with its context.
pub(crate) struct Answer {
    decision: bool,
    context: serde_json::Map<String, serde_json::Value>,
}

impl Answer {
    fn no(reason: &str) -> Self {
        let mut context = serde_json::Map::new();
        context.insert("reason".to_owned(), json!(reason));
        Self { decision: false, context }
    }

    fn json(&self) -> serde_json::Value {
        if self.context.is_empty() {
            return json!({"decision": self.decision});
        }
        json!({"decision": self.decision, "context": self.context})
    }
}

/// `POST /access/v1/evaluation`
pub(crate) async fn evaluation(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let asked = match read(&headers, &body).and_then(|body| Question::of(&body, &Object::new())) {
        Ok(asked) => asked,
        Err(why) => {
            malformed(&service, "/access/v1/evaluation", &why);
            return echoed(&headers, invalid(&why));
        }
    };
    let answer = decide(&service, &asked).await;
    echoed(&headers, axum::Json(answer.json()).into_response())
}

/// `POST /access/v1/evaluations`
pub(crate) async fn evaluations(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    match batch(&service, &headers, &body).await {
        Ok(answer) => echoed(&headers, axum::Json(answer).into_response()),
        Err(why) => {
            malformed(&service, "/access/v1/evaluations", &why);
            echoed(&headers, invalid(&why))
        }
    }
}

async fn batch(service: &Service, headers: &HeaderMap, body: &[u8]) -> Result<serde_json::Value, String> {
    let body = read(headers, body)?;
    let defaults = body.as_object().ok_or("the body is an object")?;
    let items = match defaults.get("evaluations") {
        None => &[],
        Some(items) => items.as_array().ok_or("evaluations is an array")?,
    };
    let semantic = match body.at(&["options", "evaluations_semantic"]) {
        None => "execute_all",
        Some(word) => word.as_str().ok_or("options.evaluations_semantic is a string")?,
    };
    let stop = match semantic {
        "execute_all" => None,
        "deny_on_first_deny" => Some(false),
        "permit_on_first_permit" => Some(true),
        other => return Err(format!("options.evaluations_semantic is none of ours: {other}")),
    };
    if items.is_empty() {
        let asked = Question::of(&body, &Object::new())?;
        return Ok(decide(service, &asked).await.json());
    }
    if items.len() > MOST {
        return Err(format!("at most {MOST} evaluations"));
    }
    let mut answers = Vec::with_capacity(items.len());
    for item in items {
        let answer = match Question::of(item, defaults) {
            Ok(asked) => decide(service, &asked).await,
            Err(why) => {
                malformed(service, "/access/v1/evaluations", &why);
                Answer::no(&format!("this item is no question: {why}"))
            }
        };
        let last = stop == Some(answer.decision);
        answers.push(answer.json());
        if last {
            break;
        }
    }
    Ok(json!({"evaluations": answers}))
}

/// `POST /access/v1/search/{kind}`: the members of the directory that a question with them in place is `true` for.
pub(crate) async fn search(
    State(service): State<Arc<Service>>,
    Path(kind): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if !["subject", "resource", "action"].contains(&kind.as_str()) {
        return problem(
            StatusCode::NOT_FOUND,
            "authzen.search",
            "a search is for subject, resource or action",
        );
    }
    match found(&service, &kind, &headers, &body).await {
        Ok(answer) => echoed(&headers, axum::Json(answer).into_response()),
        Err(why) => {
            malformed(&service, "/access/v1/search", &why);
            echoed(&headers, invalid(&why))
        }
    }
}

async fn found(
    service: &Service,
    kind: &str,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<serde_json::Value, String> {
    let body = read(headers, body)?;
    let given = body.as_object().ok_or("the body is an object")?;
    let directory = directory(service)?;
    let (candidates, named): (Vec<Value>, &str) = match kind {
        "action" => {
            let actions = directory.get("actions").and_then(Value::as_array).unwrap_or_default();
            let named = |action: &Value| match action.as_str() {
                Some(name) => Value::Object(Object::from([("name".to_owned(), Value::from(name))])),
                None => action.clone(),
            };
            // Of somebody whom the directory doesn't know there is nothing to tell.
            let subject = given.get("subject");
            let known = is_listed(&directory, "subjects", subject);
            (if known { actions.iter().map(named).collect() } else { Vec::new() }, "action")
        }
        kind => {
            let wanted = given.get(kind).ok_or_else(|| format!("{kind} is missing"))?;
            let wanted = wanted.get("type").and_then(Value::as_str).filter(|kind| !kind.is_empty());
            let wanted = wanted.ok_or_else(|| format!("{kind}.type is a string, and not empty"))?;
            let all = directory.get(&format!("{kind}s")).and_then(Value::as_array).unwrap_or_default();
            let own = all.iter().filter(|entity| entity.get("type").and_then(Value::as_str) == Some(wanted));
            (own.cloned().collect(), kind)
        }
    };
    // What isn't searched for has to be whole, also where nothing is a candidate.
    let stand_in = Value::from(json!({"type": "none", "id": "none", "name": "none"}));
    let with = |candidate: &Value| {
        let mut asked = given.clone();
        asked.insert(named.to_owned(), candidate.clone());
        Question::of(&Value::Object(asked), &Object::new())
    };
    with(&stand_in)?;
    let limit = body.at(&["page", "limit"]).and_then(Value::as_i64).unwrap_or(PAGE as i64);
    let limit = usize::try_from(limit).unwrap_or(PAGE).clamp(1, PAGE);
    let token = body.at(&["page", "token"]).and_then(Value::as_str).unwrap_or_default();
    let start: usize =
        if token.is_empty() { 0 } else { token.parse().map_err(|_| "page.token is not ours")? };
    let mut results = Vec::new();
    let mut next = String::new();
    for (at, candidate) in candidates.iter().enumerate().skip(start) {
        if results.len() == limit {
            next = at.to_string();
            break;
        }
        let mut candidate = candidate.clone();
        // The request's properties of what is searched stand for the directory's.
        if let (Some(own), Value::Object(members)) =
            (given.get(named).and_then(|own| own.get("properties")?.as_object().cloned()), &mut candidate)
        {
            members.insert("properties".to_owned(), Value::Object(own));
        }
        if weigh(service, &with(&candidate)?).await {
            results.push(shown(kind, &candidate));
        }
    }
    Ok(json!({"results": results, "page": {"next_token": next}}))
}

/// Whether the directory lists an entity by its type and id. A directory without such a list knows everybody.
fn is_listed(directory: &Value, list: &str, entity: Option<&Value>) -> bool {
    let Some(all) = directory.get(list).and_then(Value::as_array) else { return true };
    let name = |entity: &Value, key: &str| entity.get(key).and_then(Value::as_str).map(str::to_owned);
    let wanted = entity.map(|entity| (name(entity, "type"), name(entity, "id")));
    all.iter().any(|entity| wanted.as_ref() == Some(&(name(entity, "type"), name(entity, "id"))))
}

fn shown(kind: &str, candidate: &Value) -> serde_json::Value {
    let text = |key: &str| candidate.get(key).and_then(Value::as_str).unwrap_or_default();
    if kind == "action" {
        json!({"name": text("name")})
    } else {
        json!({"type": text("type"), "id": text("id")})
    }
}

/// `GET /.well-known/authzen-configuration`
pub(crate) async fn configuration(State(service): State<Arc<Service>>) -> Response {
    let base = base(&service);
    axum::Json(json!({
        "policy_decision_point": base,
        "access_evaluation_endpoint": format!("{base}/access/v1/evaluation"),
        "access_evaluations_endpoint": format!("{base}/access/v1/evaluations"),
        "search_subject_endpoint": format!("{base}/access/v1/search/subject"),
        "search_resource_endpoint": format!("{base}/access/v1/search/resource"),
        "search_action_endpoint": format!("{base}/access/v1/search/action"),
        "access_request_endpoint": format!("{base}{}", access::PATH),
        "capabilities": [],
        "supported_obligations": ["notification", "custom"],
    }))
    .into_response()
}

pub(crate) fn base(service: &Service) -> String {
    let scheme = service.scheme();
    service.address.map_or_else(|| format!("{scheme}localhost"), |address| format!("{scheme}{address}"))
}

impl Question {
    /// Reads a question; an entity that it lacks is the default's, whole.
    pub(crate) fn of(value: &Value, defaults: &Object) -> Result<Self, String> {
        let own = value.as_object().ok_or("a question is an object")?;
        let member = |key: &str| own.get(key).or_else(|| defaults.get(key));
        let object = |key: &str| {
            let value = member(key).ok_or_else(|| format!("{key} is missing"))?;
            value.as_object().ok_or_else(|| format!("{key} is an object"))
        };
        let text = |entity: &Object, path: &str, key: &str| match entity.get(key) {
            Some(Value::String(text)) if !text.is_empty() => Ok(text.clone()),
            _ => Err(format!("{path}.{key} is a string, and not empty")),
        };
        let properties = |entity: &Object, path: &str| match entity.get("properties") {
            None => Ok(Object::new()),
            Some(value) => {
                value.as_object().cloned().ok_or_else(|| format!("{path}.properties is an object"))
            }
        };
        let entity = |path: &str| -> Result<Entity, String> {
            let entity = object(path)?;
            Ok(Entity {
                kind: text(entity, path, "type")?,
                id: text(entity, path, "id")?,
                properties: properties(entity, path)?,
            })
        };
        let action = object("action")?;
        let context = match member("context") {
            None => Object::new(),
            Some(context) => context.as_object().cloned().ok_or("context is an object")?,
        };
        Ok(Self {
            subject: entity("subject")?,
            action: (text(action, "action", "name")?, properties(action, "action")?),
            resource: entity("resource")?,
            context,
        })
    }

    fn is_tool(&self) -> bool {
        self.resource.kind == "tool"
    }

    /// The same question as a request of the contract.
    fn seed(&self, directory: &Value) -> Result<SeedRequest, String> {
        if !CALLERS.contains(&self.subject.kind.as_str()) {
            return Err(format!("no policy permits this: `{}` calls no tools", self.subject.kind));
        }
        let subject = with_directory(directory, "subjects", &self.subject);
        let empty = || Value::Array(Vec::new());
        let groups = subject.properties.get("groups").cloned().unwrap_or_else(empty);
        let args = match self.resource.properties.get("args") {
            None => Value::Object(Object::new()),
            Some(args) => args.clone(),
        };
        let said = |name| Some((name, self.resource.properties.get(name)?.clone()));
        let more = ["sandbox", "schema"].into_iter().filter_map(said);
        let mut context = self.context.clone();
        context.remove("approval");
        // One session for all questions about a subject, unless the caller names one.
        let session = format!("authzen:{}:{}", subject.kind, subject.id);
        context.entry("session_id".to_owned()).or_insert_with(|| Value::from(session));
        let object = |members: Vec<(&str, Value)>| {
            Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
        };
        let request = object(vec![
            ("principal", object(vec![("id", Value::from(subject.id)), ("groups", groups)])),
            ("action", Value::from(self.action.0.clone())),
            (
                "resource",
                object(vec![
                    ("type", Value::from("tool")),
                    ("name", Value::from(self.resource.id.clone())),
                    ("attributes", object(std::iter::once(("args", args)).chain(more).collect())),
                ]),
            ),
            ("context", Value::Object(context)),
        ]);
        SeedRequest::of(&request, &[]).map_err(|refused| refused.to_string())
    }

    /// The same question as a call, asking people or not.
    pub(crate) async fn call(&self, service: &Service, prompt: Prompt) -> Result<ToolQuestion, String> {
        let request = self.seed(&directory(service)?)?;
        Ok(ToolQuestion::of(&service.door, &request, prompt).await)
    }
}

/// Decides and records.
async fn decide(service: &Service, asked: &Question) -> Answer {
    if asked.is_tool() { decide_tool(service, asked).await } else { decide_entities(service, asked).await }
}

async fn decide_tool(service: &Service, asked: &Question) -> Answer {
    let call = match asked.call(service, Prompt::None).await {
        Ok(call) => call,
        Err(why) => return Answer::no(&why),
    };
    let notes = call.notes.clone();
    let admission = contract::admit(&service.door, call).await;
    let mut context = serde_json::Map::new();
    let mut put = |key: &str, value: serde_json::Value| drop(context.insert(key.to_owned(), value));
    if !notes.is_empty() {
        put("notes", json!(notes));
    }
    put("evaluated_at", json!(Timestamp::now()));
    let binding = admission.case().and_then(|case| contract::binding_of(&service.door, case));
    let (decision, code) = match admission {
        Admission::Admitted(permit) => {
            put("obligations", obligations(permit.obligations()));
            put("reason", json!(permit.case().decision().reason));
            put("evaluation_id", json!(permit.hand_over().as_str()));
            (true, String::new())
        }
        Admission::Denied(denial) => {
            let owed = denial.case.as_ref().map(|case| case.decision().obligations.clone());
            put("obligations", obligations(&owed.unwrap_or_default()));
            put("reason", json!(denial.reason));
            put("code", json!(denial.code));
            if let Some(id) = &denial.decision {
                put("evaluation_id", json!(id.as_str()));
            }
            (false, denial.code)
        }
        // Nobody was to be asked, so this isn't reached; it is no yes.
        Admission::Pending(pending) => {
            put("reason", json!(pending.ask.reason));
            (false, "approval.error".to_owned())
        }
    };
    if decision {
        return Answer { decision, context };
    }
    let requestable = code == REQUESTABLE && service.broker.is_some();
    if let Some(presented) = asked.context.get("approval") {
        let (reason, next) = presented_in_vain(service, presented, binding.as_ref(), requestable).await;
        put("reason", json!(reason));
        put("next_action", json!(next));
    }
    if requestable {
        let ends = Timestamp::now().checked_add(open_for(service)).unwrap_or(Timestamp::MAX);
        let endpoint = format!("{}{}", base(service), access::PATH);
        put("access_request", json!({"endpoint": endpoint, "expires_at": ends}));
    }
    Answer { decision, context }
}

/// The code of a denial that a person could turn.
pub(crate) const REQUESTABLE: &str = "no_approver";

/// How long a denial can be asked about.
pub(crate) fn open_for(service: &Service) -> SignedDuration {
    SignedDuration::from_secs(i64::try_from(service.door.settings().approvals.timeout_s).unwrap_or(600))
}

/// Why an approval that was presented didn't help, and what the caller can do.
async fn presented_in_vain(
    service: &Service,
    presented: &Value,
    binding: Option<&Binding>,
    requestable: bool,
) -> (&'static str, &'static str) {
    const UNVERIFIABLE: (&str, &str) = ("approval_unverifiable", "none");
    let id = presented.get("id").and_then(Value::as_str).and_then(|id| id.strip_prefix(access::APPROVAL));
    let (Some(id), Some(binding), Some(broker)) = (id, binding, &service.broker) else { return UNVERIFIABLE };
    let now = Timestamp::now();
    let Ok(Some(record)) = broker.store().ask_record(&id.into(), now).await else { return UNVERIFIABLE };
    if record.ask.binding.caller != binding.caller {
        return UNVERIFIABLE;
    }
    if !requestable {
        return ("policy_denied", "none");
    }
    let own = &record.ask.binding;
    let same = own.tool == binding.tool
        && own.args_digest == binding.args_digest
        && own.session == binding.session
        && own.effects_digest == binding.effects_digest;
    match record.state {
        _ if !same => ("out_of_scope", "request"),
        doorward::rooms::store::AskState::Pending => ("grant_pending", "retry"),
        doorward::rooms::store::AskState::Allowed => ("approval_expired", "request"),
        _ => UNVERIFIABLE,
    }
}

fn obligations(owed: &[Obligation]) -> serde_json::Value {
    let all = owed.iter().enumerate().map(|(at, one)| {
        let own = serde_json::to_value(one).unwrap_or_default();
        let (kind, properties) = match one {
            Obligation::Notify { to, body } => ("notification", json!({"to": to, "body": body})),
            _ => {
                let mut properties = own.as_object().cloned().unwrap_or_default();
                properties.remove("type");
                properties.insert("action".to_owned(), json!(one.name()));
                ("custom", serde_json::Value::Object(properties))
            }
        };
        json!({"id": format!("o{at}"), "type": kind, "properties": properties})
    });
    all.collect()
}

async fn decide_entities(service: &Service, asked: &Question) -> Answer {
    let decision = match entities(service, asked) {
        Ok(decision) => decision,
        Err(why) => return Answer::no(&why),
    };
    // A question that needs a person can't be put for anything but a call.
    let permitted = decision.decision == Verdict::Allow;
    let id = RecordId::fresh();
    let note = Record::Note(NoteRecord {
        v: 1,
        id: id.clone(),
        time: Timestamp::now(),
        code: "authzen.decided".to_owned(),
        message: format!("{} {}", if permitted { "permitted" } else { "denied" }, decision.code),
        detail: Some(Value::from(json!({
            "subject": {"type": asked.subject.kind, "id": asked.subject.id},
            "action": asked.action.0,
            "resource": {"type": asked.resource.kind, "id": asked.resource.id},
            "decision": permitted, "policies": decision.policies, "bundle": decision.bundle,
        }))),
    });
    let kept = match service.door.records() {
        Some(records) => records.append(note).await.map(drop).map_err(|error| error.to_string()),
        None => Err("nothing is recorded here".to_owned()),
    };
    if let Err(error) = kept {
        return Answer::no(&format!("it could not be recorded, so it is denied: {error}"));
    }
    let mut context = serde_json::Map::new();
    context.insert("evaluation_id".to_owned(), json!(id));
    context.insert("reason".to_owned(), json!(decision.reason));
    if !decision.obligations.is_empty() {
        context.insert("obligations".to_owned(), obligations(&decision.obligations));
    }
    Answer { decision: permitted, context }
}

/// The same, decided without a record: for searches.
async fn weigh(service: &Service, asked: &Question) -> bool {
    if asked.is_tool() {
        let Ok(call) = asked.call(service, Prompt::None).await else { return false };
        return contract::weigh(&service.door, call).await == Verdict::Allow;
    }
    entities(service, asked).is_ok_and(|decision| decision.decision == Verdict::Allow)
}

fn entities(
    service: &Service,
    asked: &Question,
) -> Result<doorward::rooms::core::decision::PolicyDecision, String> {
    let directory = directory(service)?;
    let project = service.door.project_for(None, OnNoMatch::Deny);
    let policies = project.policies().ok_or("there are no policies in force")?;
    let entity = |list: &str, entity: &Entity| {
        let Entity { kind, id, properties } = with_directory(&directory, list, entity);
        EntityFacts { kind, id, properties }
    };
    Ok(policies.decide_entities(&EntityRequest {
        subject: entity("subjects", &asked.subject),
        action: asked.action.0.clone(),
        action_properties: asked.action.1.clone(),
        resource: entity("resources", &asked.resource),
        context: asked.context.clone(),
        now: Timestamp::now(),
    }))
}

/// An entity with the directory's properties under its own.
fn with_directory(directory: &Value, list: &str, entity: &Entity) -> Entity {
    let all = directory.get(list).and_then(Value::as_array).unwrap_or_default();
    let is = |known: &&Value, key: &str, own: &str| known.get(key).and_then(Value::as_str) == Some(own);
    let known = all.iter().find(|known| is(known, "type", &entity.kind) && is(known, "id", &entity.id));
    let mut properties =
        known.and_then(|known| known.get("properties")?.as_object().cloned()).unwrap_or_default();
    properties.extend(entity.properties.clone());
    Entity { properties, ..entity.clone() }
}

/// The configured directory; empty where none is. One that can't be read decides nothing.
fn directory(service: &Service) -> Result<Value, String> {
    let Some(file) = service.door.settings().authzen.directory else {
        return Ok(Value::Object(Object::new()));
    };
    let unreadable = |why: String| format!("authzen.directory: {file}: {why}");
    let bytes = std::fs::read(&file).map_err(|error| unreadable(error.to_string()))?;
    Value::parse_bytes(&bytes, Limits::default()).map_err(|error| unreadable(error.to_string()))
}

pub(crate) fn read(headers: &HeaderMap, body: &[u8]) -> Result<Value, String> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !is_json(kind) {
        return Err("the body is application/json".to_owned());
    }
    Value::parse_bytes(body, Limits::default()).map_err(|error| error.to_string())
}

pub(crate) fn invalid(why: &str) -> Response {
    problem(StatusCode::BAD_REQUEST, "request.invalid", why)
}

/// `X-Request-ID` goes back.
pub(crate) fn echoed(asked: &HeaderMap, mut response: Response) -> Response {
    const ID: header::HeaderName = header::HeaderName::from_static("x-request-id");
    let short = |id: &&HeaderValue| id.len() <= 256;
    if let Some(id) = asked.get(ID).filter(short) {
        response.headers_mut().insert(ID, id.clone());
    }
    response
}

/// A question, for the API's document.
pub(crate) fn question_schema() -> serde_json::Value {
    let text = json!({"type": "string", "minLength": 1});
    let entity = json!({
        "type": "object", "required": ["type", "id"],
        "properties": {"type": text, "id": text, "properties": {"type": "object"}},
    });
    json!({
        "type": "object",
        "required": ["subject", "action", "resource"],
        "properties": {
            "subject": entity,
            "resource": entity,
            "action": {
                "type": "object", "required": ["name"],
                "properties": {"name": text, "properties": {"type": "object"}},
            },
            "context": {"type": "object"},
        },
    })
}
