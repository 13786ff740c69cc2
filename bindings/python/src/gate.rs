//! The gate inside the process: a door with a store, so that questions last and can be answered from here.

use std::path::PathBuf;
use std::sync::Arc;

use doorward::contract;
use doorward::layers::Places;
use doorward::{Broker, Door, Options};
use doorward_core::approval::{Answer, Ask, Presence, Reach};
use doorward_core::id::{DecisionId, Digest, QuestionId};
use doorward_core::record::{ObligationDone, Outcome};
use doorward_core::session::SessionView;
use doorward_gate::Done;
use doorward_store::{Answered, Answering, AskRecord};
use jiff::{SignedDuration, Timestamp};
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::problem;

/// Questions that a list goes back to.
const MOST: u32 = 200;
/// The longest wait, in seconds: a day.
const LONGEST_WAIT: f64 = 86_400.0;

/// The gate in this process. One per state folder: a second one, or a service on the same folder, is refused.
#[pyclass(frozen, module = "doorward._core")]
pub(crate) struct Gate {
    runtime: Runtime,
    door: Arc<Door>,
    /// Whose threads the runtime has: a process that was forked off has none of them.
    process: u32,
}

impl Gate {
    /// The gate, in the process that opened it.
    fn here(&self) -> PyResult<(&Runtime, &Arc<Door>)> {
        if std::process::id() == self.process {
            return Ok((&self.runtime, &self.door));
        }
        Err(problem(
            "gate.forked",
            "this process was forked off after the gate was opened: use the service from here",
        ))
    }

    fn broker(&self) -> PyResult<&Arc<Broker>> {
        self.door.approvals().broker().ok_or_else(|| problem("no_approver", "this gate keeps no approvals"))
    }
}

/// What became of a call, as its holder tells it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reported {
    outcome: Outcome,
    #[serde(default)]
    exit: Option<i32>,
    #[serde(default)]
    output_digest: Option<Digest>,
    #[serde(default)]
    bytes: u64,
    #[serde(default)]
    obligations: Vec<ObligationDone>,
}

/// An answer to a question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    yes: bool,
    by: String,
    #[serde(default)]
    groups: Vec<String>,
    #[serde(default)]
    dialog: bool,
    #[serde(default)]
    passphrase: Option<String>,
    #[serde(default)]
    typed: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    session: bool,
}

#[pymethods]
impl Gate {
    /// Opens the state folder `state`, with the settings of `settings`, or those that belong to the folder.
    #[new]
    #[pyo3(signature = (state, settings=None))]
    fn open(py: Python<'_>, state: PathBuf, settings: Option<PathBuf>) -> PyResult<Self> {
        py.detach(|| {
            if let Some(file) = &settings {
                // One that a folder lacks has the built-in settings; one that was named has to be there.
                std::fs::File::open(file).map_err(|error| {
                    problem("settings.unreadable", format!("{}: {error}", file.display()))
                })?;
            }
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .thread_name("doorward")
                .enable_all()
                .build()
                .map_err(|error| problem("internal.runtime", error))?;
            let options = match settings {
                Some(file) => Options::at(state.clone(), Places { user: Some(file), ..Places::usual(None) }),
                None => Options::usual(&state),
            };
            let door = runtime.block_on(Door::open_service(&state, options)).map_err(|error| {
                let text = error.to_string();
                let code = text.split_once(": ").map_or("state", |(code, _)| code).to_owned();
                problem(if code.contains(' ') { "state" } else { &code }, text)
            })?;
            Ok(Self { runtime, door, process: std::process::id() })
        })
    }

    /// Decides a request of the contract (JSON) and records the decision; the answer is JSON.
    fn decide(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        let (runtime, door) = self.here()?;
        py.detach(|| {
            let decided = runtime.block_on(contract::decide_embedded(door, request.as_bytes()));
            decided.map(|answer| answer.to_json()).map_err(|error| problem(error.code, error.message))
        })
    }

    /// Judges a request without recording it: what `decide` would say, with risk, findings and effects.
    fn check(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        let (runtime, door) = self.here()?;
        py.detach(|| {
            let judged = runtime.block_on(contract::simulate(door, request.as_bytes()));
            judged
                .map(|judged| judged.to_json().to_string())
                .map_err(|error| problem(error.code, error.message))
        })
    }

    /// Closes an allowed call by what became of it (JSON). Each decision takes one report.
    fn report(&self, py: Python<'_>, id: &str, outcome: &str) -> PyResult<u64> {
        let unknown = "an outcome is ran, failed, killed, refused or abandoned";
        let reported: Reported = serde_json::from_str(outcome)
            .map_err(|error| problem("request.invalid", format!("{unknown}: {error}")))?;
        // These two are said by the gate alone, about what nobody told it.
        if matches!(reported.outcome, Outcome::Released | Outcome::Unobserved) {
            return Err(problem("request.invalid", unknown));
        }
        let (runtime, door) = self.here()?;
        py.detach(|| {
            let records =
                door.records().ok_or_else(|| problem("ledger.none", "this gate keeps no record"))?;
            let done = Done {
                exit: reported.exit,
                output_digest: reported.output_digest,
                bytes: reported.bytes,
                obligations: reported.obligations,
                ..Done::default()
            };
            runtime
                .block_on(records.open().report(&DecisionId::from(id), reported.outcome, done))
                .map_err(|error| problem("outcome.unknown", error))
        })
    }

    /// Questions, open ones alone or settled ones too, as JSON.
    #[pyo3(signature = (all=false))]
    fn approvals(&self, py: Python<'_>, all: bool) -> PyResult<String> {
        let (runtime, _) = self.here()?;
        let broker = self.broker()?;
        py.detach(|| {
            let found = runtime.block_on(async {
                if all {
                    broker.store().asks(MOST).await
                } else {
                    broker.store().pending(Timestamp::now()).await
                }
            });
            let found = found.map_err(|error| problem(error.code(), error))?;
            Ok(Value::from(found.iter().map(view).collect::<Vec<_>>()).to_string())
        })
    }

    /// Waits at most `seconds` for how a question ends, as JSON.
    fn wait(&self, py: Python<'_>, id: &str, seconds: f64) -> PyResult<String> {
        let span = SignedDuration::try_from_secs_f64(seconds.clamp(0.0, LONGEST_WAIT))
            .map_err(|error| problem("request.invalid", error))?;
        let (runtime, door) = self.here()?;
        let broker = self.broker()?;
        py.detach(|| {
            let (outcome, reason) = runtime.block_on(async {
                let until = Timestamp::now().checked_add(span).unwrap_or(Timestamp::MAX);
                match door.approvals().approver().wait(&id.into(), until).await {
                    Answer::Allowed { .. } => ("allowed", None),
                    Answer::Denied { reason, .. } => ("denied", reason),
                    Answer::TimedOut => match broker.store().pending(Timestamp::now()).await {
                        Ok(open) if open.iter().any(|record| record.ask.id == id) => ("pending", None),
                        _ => ("timed_out", None),
                    },
                    Answer::NoApprover => ("no_approver", None),
                    Answer::Error { reason } => ("error", Some(reason)),
                }
            });
            Ok(json!({"id": id, "outcome": outcome, "reason": reason}).to_string())
        })
    }

    /// Answers a question (JSON in, JSON out).
    fn answer(&self, py: Python<'_>, id: &str, answer: &str) -> PyResult<String> {
        let given: Given = serde_json::from_str(answer).map_err(|error| problem("request.invalid", error))?;
        let (runtime, _) = self.here()?;
        let broker = self.broker()?;
        py.detach(|| runtime.block_on(settle(broker, &id.into(), given)))
    }

    /// Sessions, as JSON.
    fn sessions(&self) -> String {
        let sessions: Vec<Value> = self.door.sessions().all().iter().map(session).collect();
        Value::from(sessions).to_string()
    }

    /// How the gate is doing, as JSON.
    fn health(&self, py: Python<'_>) -> String {
        py.detach(|| serde_json::to_string(&self.door.health()).unwrap_or_default())
    }

    /// Writes the outcomes that are owed and closes the record.
    fn close(&self, py: Python<'_>) {
        // Of a process that was forked off there is nothing to close: the gate is its parent's.
        if let Ok((runtime, door)) = self.here() {
            py.detach(|| runtime.block_on(door.close()));
        }
    }
}

async fn settle(broker: &Broker, id: &QuestionId, given: Given) -> PyResult<String> {
    let presence = match &given.passphrase {
        None if given.dialog => Presence::ClientDialog,
        None => Presence::PeerUid,
        Some(passphrase) => {
            let right = broker.store().check_passphrase(&given.by, passphrase, Timestamp::now()).await;
            if !right.map_err(|error| problem(error.code(), error))? {
                let why = "this is not the passphrase, or too many were tried";
                return Err(problem("passphrase.wrong", why));
            }
            Presence::Passphrase
        }
    };
    let answering = Answering {
        groups: given.groups,
        typed: given.typed,
        reason: given.reason,
        reach: if given.session { Reach::Session } else { Reach::Once },
        ..Answering::new(&given.by, presence, "library", given.yes)
    };
    let answered = broker.answer(id, &answering).await.map_err(|error| match error.code() {
        "store.not_found" => {
            problem("approval.unknown", format!("there is no question {id}: approvals() lists the open ones"))
        }
        code => problem(code, error),
    });
    match answered? {
        Answered::Settled(record) | Answered::Already(record) => Ok(view(&record).to_string()),
        Answered::Pending { have, need } => {
            Ok(json!({"id": id, "state": "pending", "have": have, "need": need}).to_string())
        }
        Answered::Refused(code) => Err(problem(code, "the answer isn't taken; the question stays open")),
    }
}

/// A question, with the members that `GET /v1/approvals` gives too.
fn view(record: &AskRecord) -> Value {
    let ask = &record.ask;
    json!({
        "id": ask.id, "state": record.state, "decision": ask.decision, "tool": ask.binding.tool,
        "caller": ask.binding.caller, "session": ask.binding.session, "cwd": ask.binding.cwd,
        "args": Value::from(&ask.args), "reason": ask.reason,
        "security_warning": {"level": ask.warning.level, "message": ask.warning.message},
        "level": ask.confirm.level, "phrase": phrase(ask), "asked_at": record.asked_at,
        "expires": ask.expires, "answered_by": record.answered_by, "presence": record.presence,
        "via": record.via, "answered_at": record.answered_at, "answer_reason": record.reason,
    })
}

/// What has to be typed, if anything.
fn phrase(ask: &Ask) -> Option<String> {
    let needed = ask.confirm.level == 2 || ask.confirm.phrase.is_some();
    needed.then(|| ask.confirm.phrase.clone().unwrap_or_else(|| "I confirm".to_owned()))
}

fn session(view: &SessionView) -> Value {
    json!({
        "id": view.id, "turn": view.turn, "calls": view.calls, "denials": view.denials,
        "minutes": view.minutes, "taints": view.taints,
    })
}
