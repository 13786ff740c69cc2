//! A call through the gate, and its end.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorward_core::approval::{Ask, Presence};
use doorward_core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, Surface, ToolCall, Workplace,
};
use doorward_core::finding::Finding;
use doorward_core::id::{DecisionId, SessionId};
use doorward_core::json::{Limits, Object, Value};
use doorward_core::record::Outcome;
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::{Client, ToolName};
use doorward_gate::{Admission, Done, OutcomeDuty, Outcomes as _, Pending, Permit, Returned};
use doorward_mcp::Definition;
use doorward_mcp::pins::State;
use doorward_mcp::schema::Prepared;
use doorward_settings::Settings;
use doorward_store::{Answered, Answering, Store};

use super::gatekeeper::{Gatekeeper, Known, is_our_program};
use super::known::{Identity, KnownPins, Standing};
use super::{Came, Ending, Finished, Kind, Offered, Offering, Refused, Said, Server, names, watch};
use crate::Door;
use crate::entrance::{Entrance, LabelDuty, misfit};
use crate::hook::Peer;
use crate::process::ClientProcess;
use crate::project::Project;

/// Bytes and nesting of a call's arguments.
const LIMITS: Limits = Limits { bytes: 8 << 20, depth: 64 };
/// Characters of the arguments that a question shows.
const MOST_SHOWN: usize = 600;
/// Calls that are under way, all gateways together.
const MOST: usize = 4_096;

/// Calls that gateways forwarded, until their ends are told.
#[derive(Default)]
pub struct Relayed {
    calls: Mutex<HashMap<DecisionId, Held>>,
    pub(super) known: Known,
    pins: KnownPins,
}

struct Held {
    duty: OutcomeDuty,
    process: ClientProcess,
    session: SessionId,
}

impl Relayed {
    fn lock(&self) -> MutexGuard<'_, HashMap<DecisionId, Held>> {
        // Every critical section is one change of the map, so a poisoned one is still whole.
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many are under way.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Takes a call through the gate. An allowed one is under way until its end is told.
///
/// # Errors
/// [`Refused`]: who asks isn't known, or the pins can't be read.
pub async fn offer(
    door: &Arc<Door>,
    store: &Store,
    peer: Peer,
    offering: Offering,
) -> Result<Offered, Refused> {
    let keeper = Gatekeeper::of(door, peer, offering.client.as_ref())?;
    if door.custody().relayed().len() >= MOST {
        return Err(Refused::new("mcp.busy", format!("{MOST} calls are under way already")));
    }
    let cwd = offering.cwd.clone();
    if !Path::new(&cwd).is_absolute() {
        return Err(Refused::new("mcp.folder", "the working folder has to be an absolute path"));
    }
    let project = door.project(Some(Path::new(&cwd)));
    let pins = &door.custody().relayed().pins;
    let unread = |error: doorward_store::StoreError| Refused::new("mcp.pin", error.to_string());
    let tool = (offering.kind == Kind::Tool).then_some(offering.tool.as_str());
    let mut known = pins.standing(store, &offering.server, tool).await.map_err(unread)?;
    if known.server == Identity::Unseen && tool.is_none() {
        // Its tools can't be listed, or there are none. From now on it is the one that was seen first.
        watch::met(store, &offering.server).await?;
        known = pins.standing(store, &offering.server, tool).await.map_err(unread)?;
    }
    let (call, arguments) = call_of(&project, &keeper, &offering, &known)?;
    let session = call.session.clone();
    match project.admit(call).await {
        Admission::Denied(denial) => Ok(Offered::Denied { code: denial.code, reason: denial.reason }),
        Admission::Pending(Pending { ask, .. }) => Ok(asked(&ask, project.settings())),
        Admission::Admitted(permit) => sent(door, permit, keeper, session, arguments).await,
    }
}

/// Redeems a permit for a gateway.
async fn sent(
    door: &Arc<Door>,
    permit: Permit,
    keeper: Gatekeeper,
    session: SessionId,
    arguments: Option<String>,
) -> Result<Offered, Refused> {
    match permit.redeem() {
        Ok((_, _, duty)) => {
            let id = duty.decision().clone();
            let held = Held { duty, process: keeper.process, session };
            door.custody().relayed().lock().insert(id.clone(), held);
            Ok(Offered::Allowed { id, arguments })
        }
        Err(refused) => {
            let (code, reason) = (refused.finding.code.to_string(), refused.finding.message.clone());
            let closed = refused.duty.close(Outcome::Refused, Done::default()).await;
            closed.map_err(|error| Refused::new(error.code(), error.to_string()))?;
            Ok(Offered::Denied { code, reason })
        }
    }
}

/// The call that an offer is, and its arguments as they are sent where they differ from what came.
fn call_of(
    project: &Project,
    keeper: &Gatekeeper,
    offering: &Offering,
    known: &Standing,
) -> Result<(ToolCall, Option<String>), Refused> {
    let settings = project.settings();
    let tool = tool_name(offering)?;
    let is_tool = offering.kind == Kind::Tool;
    let trusted = settings.mcp.trusted.contains(&offering.server.name);
    let mut found = if is_tool { standing(offering, known) } else { content(offering, known) };
    if is_tool && names::is_reserved(&offering.tool) {
        found.push(floor("name.invalid", "a tool's name can't begin like that of a prompt or a resource"));
    }
    let args = match arguments_of(offering.kind, &offering.arguments) {
        Ok(args) => args,
        Err(finding) => {
            found.push(finding);
            Object::new()
        }
    };
    let caller = Caller {
        principal: Principal { id: keeper.user.clone(), groups: settings.policy.groups_of(&keeper.user) },
        session: keeper.session.clone(),
        client: Client::Mcp,
        surface: Surface::Mcp,
        custody: Custody::Relayed,
    };
    let mut roots = project.roots(Path::new(&offering.cwd));
    roots.extend(offering.roots.iter().map(|root| Root::parse(root)));
    let place = Workplace { cwd: offering.cwd.clone(), roots, outside: OutsideRoots::Strict };
    let known_tool = known.tool.as_deref();
    let schema = known_tool.and_then(|tool| tool.schema.clone());
    let own_label =
        schema.as_ref().is_some_and(|schema| schema.schema().pointer("/properties/security_risk").is_some());
    let label = match offering.labelled {
        _ if !is_tool || own_label => LabelDuty::Argument,
        true => LabelDuty::Owed,
        false => LabelDuty::Volunteered,
    };
    let before = args.clone();
    let entrance = Entrance::new(caller, tool, args, place).settled(None, Prompt::Queue);
    // Arguments of a tool that isn't what was approved are refused for that.
    let schema = schema.filter(|_| found.is_empty());
    let mut call = Entrance { label, schema, ..entrance }.call(settings);
    found.append(&mut call.found);
    call.rewrites = is_tool;
    let tool = known_tool;
    let approved = tool.and_then(|tool| tool.approved.as_ref());
    // What a person says to a prompt or a resource is said about the server as it is started.
    call.pin = if is_tool { tool.and_then(|tool| tool.digest.clone()) } else { known.identity.clone() };
    let arguments = (call.args != before).then(|| call.args_value().canonical());
    found.extend(tool.filter(|tool| !tool.by_person).and_then(|tool| odd(offering, tool.schema.as_deref()?)));
    let says_reading = approved.is_some_and(|definition| definition.hint("readOnlyHint") == Some(true));
    let says_destroying = approved.is_some_and(|definition| definition.hint("destructiveHint") == Some(true));
    // Prompts and resources are texts that a client reads: they run nothing. Whose texts they are is said by the
    // finding `mcp.content` and, once they are read, by the mark of the session.
    call.declared_reading = found.is_empty() && (!is_tool || (trusted && says_reading && !says_destroying));
    if !is_tool && !trusted {
        let why = format!("`{}` is no server of `mcp.trusted` in the settings", offering.server.name);
        found.push(Finding::new("mcp.content", why));
    }
    found.extend(approved.and_then(|definition| destruction(offering, definition)));
    call.found = found;
    Ok((call, arguments))
}

/// Holds a call of `mcp:SERVER/TOOL` that doesn't come through the gateway to the schema that was approved for its
/// arguments.
pub(crate) async fn hold_to_pinned_schema(door: &Door, call: &mut ToolCall) {
    let (Some((server, tool)), Some(broker)) = (call.tool.mcp_parts(), door.approvals().broker()) else {
        return;
    };
    let found = match door.custody().relayed().pins.schema(broker.store(), server, tool).await {
        Ok(schema) => schema.and_then(|schema| misfit(&schema, call)),
        Err(error) => {
            let why = format!("the pins of `{server}` can't be read, so its schema isn't checked: {error}");
            Some(Finding::new("args.unchecked", why).with_risk(SecurityRisk::High))
        }
    };
    call.found.extend(found);
}

/// A schema whose patterns can't be checked, or aren't safe to: the question about the call says so.
fn odd(offering: &Offering, schema: &Prepared) -> Option<Finding> {
    let place = schema.odd().first()?;
    let why = format!(
        "the schema of `{}` has a pattern at {place} that is unsafe or can't be checked here, so this argument may \
         be anything",
        offering.tool
    );
    Some(Finding::new("args.unchecked", why).with_risk(SecurityRisk::High))
}

/// What a definition says that makes a call HIGH. A hint that a tool destroys is believed of every server, whatever else it
/// says of itself; without a hint the call stays MEDIUM, unless name or description order a destruction or a transfer.
fn destruction(offering: &Offering, definition: &Definition) -> Option<Finding> {
    let (server, tool) = (&offering.server.name, &offering.tool);
    let why = if definition.hint("destructiveHint") == Some(true) {
        format!("the server `{server}` says that `{tool}` deletes or overwrites")
    } else {
        let verb = doorward_mcp::scan::orders(definition)?;
        format!("the server `{server}` describes `{tool}` by the word `{verb}`")
    };
    Some(Finding::new("tool.destructive", why).with_risk(SecurityRisk::High))
}

/// The name that rules and records have for what is asked for.
fn tool_name(offering: &Offering) -> Result<ToolName, Refused> {
    let (server, asked) = (&offering.server.name, &offering.tool);
    let name = match offering.kind {
        Kind::Tool => format!("mcp:{server}/{asked}"),
        Kind::Prompt => names::of_prompt(server, asked),
        Kind::Resource => names::of_resource(server, asked),
    };
    ToolName::new(&name).map_err(|error| Refused::new("mcp.name", error.to_string()))
}

/// What is wrong with the server of a prompt or a resource: it isn't the one that was approved.
fn content(offering: &Offering, known: &Standing) -> Vec<Finding> {
    match known.server {
        Identity::Approved => Vec::new(),
        Identity::Other => vec![exchanged(&offering.server.name)],
        Identity::Unseen => {
            let why = format!("nobody looked at the server `{}` yet", offering.server.name);
            vec![floor("pin.unknown", &why)]
        }
    }
}

fn exchanged(server: &str) -> Finding {
    let why = format!(
        "the server `{server}` isn't started as it was when it was approved; a person looks at it with: doorward \
         mcp pins {server}"
    );
    floor("pin.binary", &why)
}

/// What is wrong with the tool as its server lists it now, beside what was approved.
fn standing(offering: &Offering, known: &Standing) -> Vec<Finding> {
    let Server { name, .. } = &offering.server;
    let tool = &offering.tool;
    let look = format!("a person looks at it with: doorward mcp pins {name}");
    let wrong = match &known.tool {
        None => Some(("pin.unknown", format!("the server `{name}` lists no tool `{tool}`"))),
        Some(_) if known.server != Identity::Approved => return vec![exchanged(name)],
        Some(known) => match known.state {
            State::Approved if known.digest.is_some() && known.digest == offering.digest => None,
            State::Approved | State::Changed => {
                Some(("pin.changed", format!("the definition of `{tool}` isn't what was approved; {look}")))
            }
            State::Pending => Some(("pin.pending", format!("nobody approved `{tool}` yet; {look}"))),
        },
    };
    wrong.map(|(code, why)| floor(code, &why)).into_iter().collect()
}

fn floor(code: &str, why: &str) -> Finding {
    let mut finding = Finding::new(code.to_owned(), why.to_owned());
    finding.floor = true;
    finding.blocking = true;
    finding
}

fn arguments_of(kind: Kind, text: &str) -> Result<Object, Finding> {
    let whose = match kind {
        Kind::Tool => "a tool",
        Kind::Prompt => "a prompt",
        Kind::Resource => "a request for a resource",
    };
    match Value::parse_bytes(text.as_bytes(), LIMITS) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(Value::Null) => Ok(Object::new()),
        Ok(_) => Err(floor("args.schema", &format!("the arguments of {whose} are an object"))),
        Err(error) => {
            Err(floor("args.schema", &format!("the arguments can't be read ({}): {error}", error.code())))
        }
    }
}

/// A question as the gateway puts it.
pub(super) fn asked(ask: &Ask, settings: &Settings) -> Offered {
    let (what, args) = would_happen(ask);
    let mut shown: String = args.chars().take(MOST_SHOWN).collect();
    let whole = shown.len() == args.len();
    if !whole {
        // A person who can't see all of it shouldn't agree to it here.
        shown.push_str(" … (cut; the whole is in the console)");
    }
    let message = format!("{what}{shown}? {}", ask.reason);
    let plain = ask.confirm.level <= 1 && ask.confirm.groups.is_empty() && ask.confirm.phrase.is_none();
    let by_client = settings.mcp.elicitation && plain && whole;
    Offered::Asked { question: ask.id.clone(), message, by_client }
}

/// What a yes would let happen: a sentence up to the arguments, and the arguments.
fn would_happen(ask: &Ask) -> (String, String) {
    let args = &ask.args;
    let name = &ask.binding.tool;
    match names::kind_of(name) {
        Kind::Tool => (format!("May `{name}` run with "), args.canonical()),
        Kind::Prompt => {
            let given = args.get("arguments").map_or_else(|| "{}".to_owned(), Value::canonical);
            (format!("May the client get the text of the prompt `{name}`, filled in with "), given)
        }
        Kind::Resource => {
            let uri = args.get("uri").map_or_else(|| args.canonical(), Value::canonical);
            (format!("May the client read the resource `{name}` at the address "), uri)
        }
    }
}

/// Takes the word of the client's dialog, which the gateway that asked passes on.
///
/// # Errors
/// [`Refused`]: not this gateway's question, or one that no dialog answers.
pub async fn answered(door: &Arc<Door>, peer: Peer, said: &Said) -> Result<(), Refused> {
    let keeper = Gatekeeper::of(door, peer, said.client.as_ref())?;
    if !is_our_program(&keeper.process) {
        return Err(Refused::new(
            "mcp.foreign",
            "only Doorward's own gateway passes on what a client's dialog said",
        ));
    }
    let broker = door.approvals().broker();
    let broker = broker.ok_or_else(|| Refused::new("mcp.store", "this service keeps no questions"))?;
    let now = jiff::Timestamp::now();
    let record = broker.store().ask_record(&said.question, now).await;
    let record = record.map_err(|error| Refused::new("mcp.store", error.to_string()))?;
    let unknown = || Refused::new("mcp.question", format!("no question {} of this client", said.question));
    let record = record.filter(|record| record.ask.binding.session == keeper.session).ok_or_else(unknown)?;
    let settings = door.settings();
    let Offered::Asked { by_client: true, .. } = asked(&record.ask, &settings) else {
        return Err(Refused::new("mcp.question", "this question isn't one that a client's dialog answers"));
    };
    let answering = Answering::new(&keeper.user, Presence::ClientDialog, "mcp", said.yes);
    match broker.answer(&said.question, &answering).await {
        Ok(Answered::Settled(_) | Answered::Already(_)) => Ok(()),
        Ok(Answered::Pending { .. }) => {
            Err(Refused::new("approval.level", "another person has to agree too"))
        }
        Ok(Answered::Refused(code)) => Err(Refused::new(code, "the answer isn't accepted")),
        Err(error) => Err(Refused::new("mcp.store", error.to_string())),
    }
}

/// Takes the end of a call that was forwarded. What it brought back reaches the session before its client reads it.
///
/// # Errors
/// [`Refused`]: no such call of this gateway is under way, or its end can't be recorded.
pub async fn ended(door: &Arc<Door>, peer: Peer, finished: Finished) -> Result<(), Refused> {
    let keeper = Gatekeeper::of(door, peer, None)?;
    let held = {
        let mut calls = door.custody().relayed().lock();
        match calls.get(&finished.id) {
            Some(held) if held.process == keeper.process => calls.remove(&finished.id),
            _ => None,
        }
    };
    let unknown = || Refused::new("outcome.unknown", format!("no call {} is under way", finished.id));
    let held = held.ok_or_else(unknown)?;
    let content = STANDARD.decode(&finished.content).unwrap_or_default();
    let source = format!("mcp:{}/{}", finished.server, finished.tool);
    if !content.is_empty() {
        let untrusted = !door.settings().mcp.trusted.contains(&finished.server);
        let returned = Returned { content: &content, source: &source, untrusted };
        let decision = finished.id.clone();
        door.sessions().returned(&held.session, &decision, &returned);
    }
    let outcome = match finished.ending {
        Ending::Ran => Outcome::Ran,
        Ending::Failed => Outcome::Failed,
        Ending::Unobserved => Outcome::Unobserved,
        Ending::NotSent => Outcome::Abandoned,
    };
    let codes: Vec<Value> = finished.codes.iter().map(|code| Value::from(code.as_str())).collect();
    let detail =
        (!codes.is_empty()).then(|| Value::Object(Object::from([("found".to_owned(), Value::Array(codes))])));
    let (output_digest, output) = door.output(&String::from_utf8_lossy(&content));
    let done = Done { output_digest, bytes: finished.bytes, detail, output, ..Done::default() };
    // The client needn't wait for the disk: the session knows, and the record stands before that of the next call.
    let closed = held.duty.close_soon(outcome, done).await;
    closed.map_err(|error| Refused::new(error.code(), error.to_string()))
}

/// Takes what a server said beside its answers to calls, before its client reads it: the session is marked as by a
/// call's result, and questions of the server's own and what was found are recorded.
///
/// # Errors
/// [`Refused`]: who asks isn't known, or nothing can be recorded.
pub fn came(door: &Arc<Door>, peer: Peer, came: &Came) -> Result<(), Refused> {
    let keeper = Gatekeeper::of(door, peer, came.client.as_ref())?;
    let content = STANDARD.decode(&came.content).unwrap_or_default();
    let source = format!("mcp:{}/{}", came.server, came.method);
    let untrusted = !door.settings().mcp.trusted.contains(&came.server);
    let returned = Returned { content: &content, source: &source, untrusted };
    // No call brought it, so that no decision stands for it.
    door.sessions().returned(&keeper.session, &DecisionId::fresh(), &returned);
    if came.asked.is_none() && came.codes.is_empty() {
        return Ok(());
    }
    let records = door.records().ok_or_else(|| Refused::new("ledger.none", "nothing is recorded"))?;
    let from = |method: &str| [("server", came.server.clone()), ("method", method.to_owned())];
    if let Some(asked) = &came.asked {
        let what = format!("the server asks through the client: {asked}");
        records.fault("mcp.dialog", &what, &from(&came.method));
    }
    if !came.codes.is_empty() {
        let what = format!("found in what the server returned: {}", came.codes.join(", "));
        records.fault("mcp.found", &what, &from(&came.method));
    }
    Ok(())
}

/// Closes the calls of gateways that are gone. To be called every now and then.
pub async fn sweep(door: &Arc<Door>) {
    let gone: Vec<Held> = {
        let mut calls = door.custody().relayed().lock();
        let dead = |held: &Held| ClientProcess::of(held.process.pid).is_none_or(|now| now != held.process);
        let ids: Vec<DecisionId> =
            calls.iter().filter(|(_, held)| dead(held)).map(|(id, _)| id.clone()).collect();
        ids.iter().filter_map(|id| calls.remove(id)).collect()
    };
    for held in gone {
        if let Err(error) = held.duty.close(Outcome::Unobserved, Done::default()).await {
            tracing::error!("{error}");
        }
    }
}
