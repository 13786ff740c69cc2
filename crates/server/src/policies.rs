//! Policies, settings and sessions over HTTP: looking and trying. What other people wrote in a session may be cleared.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::contract;
use doorward::rooms::core::approval::Presence;
use doorward::rooms::core::id::SessionId;
use doorward::rooms::core::session::SessionView;
use doorward::rooms::ledger::Reader;
use doorward::rooms::policy::cedar::{Compiled, Source};
use doorward::rooms::policy::shorthand::{List, RuleSet, RuleSource, RuleSources};
use doorward::rooms::settings::OnNoMatch;
use doorward::rooms::settings::without_credentials;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{Service, no_people, problem};
use crate::body::Body;
use crate::records::read;
use crate::rules::broker_problem;
use crate::tally::by_session;
use crate::who::Who;

/// `POST /v1/simulate`: what would be decided, recorded nowhere.
pub(crate) async fn simulate(State(service): State<Arc<Service>>, body: Bytes) -> Response {
    match contract::simulate(&service.door, &body).await {
        Ok(simulated) => {
            let mut answer = simulated.to_json();
            if let Some(answer) = answer.as_object_mut() {
                let judged = simulated.judged();
                answer.insert("effect_lines".to_owned(), json!(simulated.effect_lines()));
                answer.insert("nearest".to_owned(), json!(judged.decision().policy.nearest));
                answer.insert("guardian".to_owned(), json!(judged.guardian()));
                answer.insert("analyzers".to_owned(), json!(judged.assessment().by));
            }
            Json(answer).into_response()
        }
        Err(error) => problem(StatusCode::BAD_REQUEST, error.code, &error.message),
    }
}

/// A policy text.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Draft {
    /// The text.
    text: String,
    /// What it is: Cedar, or rules in shorthand for one of the lists, one a line.
    #[serde(default)]
    form: Form,
}

/// What a text is.
#[derive(Deserialize, JsonSchema, Clone, Copy, Default)]
#[serde(rename_all = "lowercase")]
enum Form {
    /// Policies.
    #[default]
    Cedar,
    /// Rules that allow.
    Allow,
    /// Rules that ask.
    Ask,
    /// Rules that deny.
    Deny,
}

/// `POST /v1/policies/validate`: whether a text would load, and where not.
pub(crate) async fn validate(Body(draft): Body<Draft>) -> Response {
    let list = match draft.form {
        Form::Cedar => None,
        Form::Allow => Some(List::Allow),
        Form::Ask => Some(List::Ask),
        Form::Deny => Some(List::Deny),
    };
    let refused = match list {
        None => {
            let source = Source::new("draft.cedar", draft.text.clone());
            let loaded = Compiled::load(&[source], &RuleSources::default(), OnNoMatch::Mode);
            loaded.err().map(|error| (place(&draft.text, error.span.offset()), error))
        }
        Some(list) => {
            let lines = (1..).zip(draft.text.lines()).filter(|(_, line)| !line.trim().is_empty());
            lines.into_iter().find_map(|(number, line)| {
                let rules = vec![RuleSource::new(list, line.trim())];
                let error = RuleSet::compile(&RuleSources { rules, home: None }).err()?;
                Some(((number, 1), error))
            })
        }
    };
    match refused {
        None => Json(json!({"ok": true})).into_response(),
        Some(((line, column), error)) => Json(json!({
            "ok": false, "code": "policy.load", "message": error.message, "help": error.help,
            "line": line, "column": column,
        }))
        .into_response(),
    }
}

/// Line and column of a byte, both from one.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before.get(start..).unwrap_or_default().chars().count() + 1)
}

/// `GET /v1/policies`: what is in force.
pub(crate) async fn policies(State(service): State<Arc<Service>>) -> Response {
    let project = service.door.project(None);
    Json(json!({
        "bundle": project.bundle(),
        "problem": project.problem().map(doorward::problem::Problem::text),
        "packs": project.settings().policy.packs,
        "files": project.settings().policy.files,
        "rules": project.settings().rules,
    }))
    .into_response()
}

/// `GET /v1/settings`: the values in force, URLs without what may be credentials in them. Where the store is stays
/// here: its URL may hold a password. `notes` says what of them reaches no client, and the key that lets it.
pub(crate) async fn settings(State(service): State<Arc<Service>>) -> Response {
    let mut settings = serde_json::to_value(service.door.settings()).unwrap_or(Value::Null);
    if let Some(settings) = settings.as_object_mut() {
        settings.remove("store");
        settings.insert("notes".to_owned(), json!(service.door.project(None).notes()));
    }
    Json(without_credentials(&settings)).into_response()
}

/// `GET /v1/sessions`
pub(crate) async fn sessions(State(service): State<Arc<Service>>) -> Response {
    // Where nothing is recorded there are no numbers, and sessions all the same.
    let tallies = read(&service, |dir| by_session(&Reader::open(dir)?)).await.unwrap_or_default();
    let shown = |view: &SessionView| {
        let mut shown = brief(view);
        if let Some(shown) = shown.as_object_mut() {
            shown.insert("title".to_owned(), json!(service.door.sessions().titles().of(&view.id)));
            shown.insert("tally".to_owned(), json!(tallies.get(view.id.as_str())));
        }
        shown
    };
    let sessions: Vec<Value> = service.door.sessions().all().iter().map(shown).collect();
    Json(json!({"sessions": sessions})).into_response()
}

/// `GET /v1/sessions/{id}`
pub(crate) async fn session(State(service): State<Arc<Service>>, Path(id): Path<SessionId>) -> Response {
    match service.door.sessions().get(&id) {
        Some(view) => {
            let mut shown = brief(&view);
            if let Some(shown) = shown.as_object_mut() {
                shown.insert("recent".to_owned(), json!(view.recent));
                shown.insert("written".to_owned(), json!(view.written.keys().collect::<Vec<_>>()));
                let sessions = service.door.sessions();
                shown.insert("flows".to_owned(), json!(sessions.flows(&id)));
                shown.insert("graph".to_owned(), json!(sessions.drawn(&id).unwrap_or_default()));
            }
            Json(shown).into_response()
        }
        None => problem(StatusCode::NOT_FOUND, "session.unknown", "there is no such session"),
    }
}

/// `POST /v1/sessions/{id}/clear`: a person says that other people's text no longer counts. An agent can't say that.
pub(crate) async fn clear_session(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Path(id): Path<SessionId>,
) -> Response {
    if who.presence == Presence::PeerUid {
        let why = "clearing a session takes a person: unlock with your passphrase, or do it at a terminal";
        return problem(StatusCode::FORBIDDEN, "grant.presence", why);
    }
    let Some(view) = service.door.sessions().get(&id) else {
        return problem(StatusCode::NOT_FOUND, "session.unknown", "there is no such session");
    };
    let Some(broker) = &service.broker else { return no_people() };
    // Recorded first: what can't be recorded isn't cleared.
    let told = format!(
        "{} clears other people's text from session {id} ({})",
        who.name,
        view.taints.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
    );
    if let Err(error) = broker.note_cleared(&id, &told).await {
        return broker_problem(&error);
    }
    if !service.door.sessions().clear(&id) {
        return problem(StatusCode::NOT_FOUND, "session.unknown", "there is no such session");
    }
    Json(json!({"cleared": id, "by": who.name})).into_response()
}

fn brief(view: &SessionView) -> Value {
    json!({
        "id": view.id, "turn": view.turn, "calls": view.calls, "denials": view.denials,
        "minutes": view.minutes, "taints": view.taints,
    })
}
