//! Tool calls, from the client's request through the keeper to the server and back, and the list of tools.

use std::io;
use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::answers::with_result;
use super::questions::Settled;
use super::state::{SEAL, elicits};
use super::{Answer, CallEnding, Came, Ended, Gated, Offer, Relay, shown, tools_of};
use super::{Side, ToolStanding, Via};
use crate::headers::{Repeated, STATELESS, VERSION};
use crate::message::{self, Malformed, Members, Message};

/// Limit on pages read of a list.
const MOST_PAGES: usize = 64;
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The parts of a call that the gate needs.
pub(super) struct Call {
    /// The id as written.
    pub(super) id: String,
    kind: Gated,
    /// The name of the tool or prompt, or the URI of the resource.
    pub(super) tool: String,
    pub(super) arguments: String,
    /// Parameters as written.
    pub(super) params: String,
    /// The call's `_meta`.
    pub(super) meta: Value,
}

impl Call {
    fn of(id: &str, message: &Message<'_>) -> Result<Self, Malformed> {
        let params = message.params()?.ok_or(Malformed::Message("a call without `params`"))?;
        params.without_twins_of(&["name", "uri", "arguments", "_meta"])?;
        let kind = Gated::of(&message.method).unwrap_or(Gated::Tool);
        let given = params.get("arguments").map_or("{}", RawValue::get);
        let (tool, arguments) = match kind {
            Gated::Tool => (params.text("name"), given.to_owned()),
            Gated::Prompt => {
                let name = params.get("name").map_or("null", RawValue::get);
                (params.text("name"), format!(r#"{{"name":{name},"arguments":{given}}}"#))
            }
            Gated::Resource => {
                let uri = params.get("uri").map_or("null", RawValue::get);
                (params.text("uri"), format!(r#"{{"uri":{uri}}}"#))
            }
        };
        let tool = tool.ok_or(Malformed::Message(match kind {
            Gated::Tool => "a call without the `name` of a tool",
            Gated::Prompt => "a request without the `name` of a prompt",
            Gated::Resource => "a request without the `uri` of a resource",
        }))?;
        let meta =
            params.get("_meta").and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let params = message.members.get("params").map_or("{}", RawValue::get).to_owned();
        Ok(Self { id: id.to_owned(), kind, tool, arguments, params, meta })
    }

    /// Name of its result's source: the tool, or the method.
    fn source(&self) -> &str {
        if self.kind == Gated::Tool { &self.tool } else { self.kind.method() }
    }

    /// The client uses the revision without sessions.
    pub(super) fn is_stateless(&self) -> bool {
        is_stateless(&self.meta)
    }

    /// The client can show a question contained in an answer.
    pub(super) fn takes_questions(&self) -> bool {
        self.is_stateless() && self.meta.get(CAPABILITIES).is_some_and(elicits)
    }
}

/// Whether a request's `_meta` states the revision without sessions.
fn is_stateless(meta: &Value) -> bool {
    meta.get(VERSION).and_then(Value::as_str).is_some_and(|version| version >= STATELESS)
}

impl Relay {
    /// The parameters that a call repeats in headers, for HTTP. Reads the server's tools first if necessary.
    pub async fn repeated(&self, via: &Via, message: &Message<'_>) -> Vec<Repeated> {
        let Ok(call) = Call::of(message.id, message) else { return Vec::new() };
        if message.method != "tools/call" || !call.is_stateless() {
            return Vec::new();
        }
        // If this fails, the gate reports it.
        if !self.shared.is_listed() && self.list(via, &call.meta).await.is_err() {
            return Vec::new();
        }
        self.shared.repeated(&call.tool)
    }

    /// The same from known tools only.
    #[must_use]
    pub fn repeated_of(&self, message: &Message<'_>) -> Vec<Repeated> {
        Call::of(message.id, message).map(|call| self.shared.repeated(&call.tool)).unwrap_or_default()
    }

    /// Handles one call until it is answered or sent to the server.
    pub(super) async fn call(self: Arc<Self>, via: Via, id: String, text: String) {
        let answer = match self.gate(&via, &id, &text).await {
            Ok(None) => return,
            Ok(Some(answer)) => answer,
            Err(malformed) => message::error(&id, -32602, &malformed.to_string()),
        };
        if self.state.settle(&id) {
            let _ = via.to_client(&answer).await;
        }
    }

    /// Takes a call through the keeper. `None` if it was sent to the server.
    async fn gate(self: &Arc<Self>, via: &Via, id: &str, text: &str) -> Result<Option<String>, Malformed> {
        let message = Message::of(text)?;
        let mut call = Call::of(id, &message)?;
        let mut text = text.to_owned();
        if let Some(opened) = self.opened(&call).await? {
            match opened {
                Ok(params) => {
                    text = message.members.with("params", Some(&params));
                    call.params = params;
                }
                Err(denied) => return Ok(Some(denied)),
            }
        }
        if call.kind == Gated::Tool
            && !self.shared.is_listed()
            && let Err(why) = self.list(via, &call.meta).await
        {
            let reason = format!("the server's tools can't be read, so none is called: {why}");
            return Ok(Some(denial(&call, "mcp.list", &reason, None)));
        }
        // The server's tools are checked before other content of it is read. A server without tools answers once
        // with an error.
        if call.kind != Gated::Tool && self.shared.begins_to_look() {
            let _ = self.list(via, &call.meta).await;
        }
        let (tool, arguments) = (call.tool.clone(), call.arguments.clone());
        let offer = Offer { id: id.to_owned(), kind: call.kind, tool, arguments };
        loop {
            match self.keeper.offer(&offer).await {
                Answer::Allowed { decision, arguments } => {
                    return Ok(self.pass(via, &call, &text, decision, arguments).await);
                }
                Answer::Denied { code, reason } => return Ok(Some(denial(&call, &code, &reason, None))),
                Answer::Asked { question, message, by_client, waits } => {
                    if by_client && call.takes_questions() {
                        return Ok(Some(self.question_in_answer(&call, &question, &message)));
                    }
                    self.state.asks(id, &question);
                    let settled = self.settle(via, &call, &question, &message, by_client, waits).await;
                    self.state.asked(id);
                    match settled {
                        Settled::Yes => {}
                        Settled::No(reason) => {
                            return Ok(Some(denial(&call, "approval.rejected", &reason, None)));
                        }
                        Settled::NotYet => return Ok(Some(pending(&call, &question, &message))),
                        Settled::Cancelled => {
                            return Ok(Some(denial(&call, "approval.cancelled", "cancelled", None)));
                        }
                    }
                }
            }
        }
    }

    /// A repeated call with a person's answer to our question: returns its original parameters if approved, a
    /// denial if not. `None` if it carries no question of ours.
    async fn opened(&self, call: &Call) -> Result<Option<Result<String, String>>, Malformed> {
        let params = Members::of(&call.params)?;
        let Some(state) = params.text("requestState").filter(|state| state.starts_with(SEAL)) else {
            return Ok(None);
        };
        let sealed = self.shared.unseal(&state);
        let fits = sealed.filter(|sealed| {
            sealed.kind == call.kind && sealed.tool == call.tool && sealed.arguments == call.arguments
        });
        let Some(sealed) = fits else {
            self.keeper.fault(
                "grant.seal",
                "a call came with a state that isn't ours, is used up or is of another call",
            );
            return Err(Malformed::Message(
                "grant.seal: `requestState` is used up, too old, or of another call; make the call anew",
            ));
        };
        let responses = params.get("inputResponses").map_or("{}", RawValue::get);
        let said: Value = serde_json::from_str(responses).unwrap_or_default();
        let yes = said_yes(said.get("doorward.approval").unwrap_or(&Value::Null));
        if let Err(why) = self.keeper.answered(&sealed.question, yes).await {
            return Ok(Some(Err(denial(call, "approval.error", &why, None))));
        }
        if !yes {
            return Ok(Some(Err(denial(
                call,
                "approval.rejected",
                "the person who was asked said no",
                None,
            ))));
        }
        Ok(Some(Ok(sealed.params)))
    }

    /// Sends an allowed call to the server. Returns an answer if it couldn't be sent.
    async fn pass(
        &self,
        via: &Via,
        call: &Call,
        text: &str,
        decision: String,
        arguments: Option<String>,
    ) -> Option<String> {
        let changed = match &arguments {
            Some(arguments) => message::with_member(text, &["params", "arguments"], Some(arguments)),
            None => Ok(text.to_owned()),
        };
        let tool = call.source().to_owned();
        let unsent = |decision: String, tool: String| Ended {
            decision,
            tool,
            ending: CallEnding::NotSent,
            content: Vec::new(),
            bytes: 0,
            codes: Vec::new(),
        };
        let text = match changed {
            Ok(text) => text,
            Err(error) => {
                self.end(unsent(decision, tool)).await;
                return Some(denial(call, "mcp.arguments", &error.to_string(), None));
            }
        };
        if !self.state.let_pass(&call.id, &decision, call.source()) {
            self.end(unsent(decision, tool)).await;
            return None;
        }
        if let Err(error) = via.forward(&text).await {
            self.state.take(&call.id)?;
            self.end(unsent(decision, tool)).await;
            let why = format!("mcp.server: the server `{}` can't be reached: {error}", self.options.server);
            self.keeper.fault("mcp.server", &why);
            return Some(message::error(&call.id, super::SERVER_GONE, &why));
        }
        None
    }

    async fn end(&self, ended: Ended) {
        if let Err(error) = self.keeper.ended(ended).await {
            self.keeper.fault("mcp.unrecorded", &error);
        }
    }

    /// Handles the server's answer to an allowed call.
    pub(super) async fn returned(self: Arc<Self>, via: &Via, decision: String, tool: String, text: String) {
        let Ok(message) = Message::of(&text) else { return };
        let source = format!("mcp:{}/{tool}", self.options.server);
        let mut ended = Ended {
            decision,
            tool,
            ending: CallEnding::Failed,
            content: Vec::new(),
            bytes: u64::try_from(text.len()).unwrap_or(u64::MAX),
            codes: Vec::new(),
        };
        let mut shown = self.cleaned(&message, &source);
        if message.result().is_some() && !shown.failed {
            ended.ending = CallEnding::Ran;
        }
        let mut out = shown.text.take();
        match self.asking(out.as_deref().unwrap_or(&text)) {
            Ok(None) => {}
            Ok(Some(asked)) => {
                // Its texts belong to the call; in addition, the question is recorded.
                let came = Came {
                    method: asked.method,
                    content: Vec::new(),
                    codes: asked.codes.clone(),
                    asked: asked.words,
                };
                shown.join(asked.content, &asked.codes);
                out = match self.keeper.came(came).await {
                    Ok(()) => asked.text.or(out),
                    Err(error) => {
                        let why =
                            format!("mcp.unrecorded: the server's question couldn't be recorded: {error}");
                        Some(message::error(message.id, super::SERVER_GONE, &why))
                    }
                };
            }
            Err(malformed) => out = Some(self.unreadable(&message, &malformed)),
        }
        ended.content = shown.content;
        ended.codes = shown.codes;
        if let Err(error) = self.keeper.ended(ended).await {
            // Without a record the client doesn't see the result.
            let why = format!("mcp.unrecorded: the call ran, and its end couldn't be recorded: {error}");
            out = Some(message::error(message.id, super::SERVER_GONE, &why));
        }
        let _ = via.to_client(out.as_deref().unwrap_or(&text)).await;
    }

    /// Handles a tool list: the client sees only what the keeper shows.
    ///
    /// A server that is seen for the first time is read completely. Its first page says nothing about tools on
    /// later pages, so the other pages are read first, on the same route and with the `_meta` of the client's
    /// request.
    pub(super) async fn listed(
        &self,
        via: &Via,
        asked_on: &Via,
        meta: Value,
        message: &Message<'_>,
    ) -> io::Result<()> {
        let has_more = |result| Members::of(result).is_ok_and(|members| members.get("nextCursor").is_some());
        let read = match message.result() {
            Some(result) if has_more(result) && !self.shared.is_listed() => self.list(asked_on, &meta).await,
            _ => Ok(()),
        };
        let out = match (message.result(), read) {
            // The error has already been cleaned and sent.
            (None, _) => return Ok(()),
            (Some(_), Err(why)) => Some(message::error(message.id, -32603, &format!("mcp.list: {why}"))),
            (Some(result), Ok(())) => match self.filtered(result).await {
                Ok(None) => None,
                Ok(Some(result)) => with_result(message, Some(result)),
                Err(why) => Some(message::error(message.id, -32603, &format!("mcp.list: {why}"))),
            },
        };
        // Tools were checked against their pins; the rest of the result hasn't been checked yet.
        match out.as_deref().map(Message::of) {
            None => self.read(via, message, "tools/list").await,
            Some(Ok(filtered)) => self.read(via, &filtered, "tools/list").await,
            Some(Err(malformed)) => via.to_client(&self.unreadable(message, &malformed)).await,
        }
    }

    /// The result of `tools/list` for the client; `None` if unchanged.
    async fn filtered(&self, result: &str) -> Result<Option<String>, String> {
        let members = Members::of(result).map_err(|error| error.to_string())?;
        let tools = tools_of(&members).ok_or("`tools` isn't a list")?;
        let whole = members.get("nextCursor").is_none();
        let standings = self.keeper.seen(&tools, false).await?;
        self.shared.learn_tools(&tools);
        if whole {
            self.shared.list_read();
        }
        let kept: Vec<&str> =
            tools.iter().enumerate().filter_map(|(at, tool)| shown(tool, standings.get(at))).collect();
        let hidden = self.hidden(&standings);
        let claimed = members.get("_meta").is_some_and(|meta| meta.get().contains(HIDDEN));
        if kept == tools && !claimed {
            return Ok(None);
        }
        let mut text = members.with("tools", Some(&format!("[{}]", kept.join(","))));
        if claimed || hidden.is_some() {
            text = message::with_member(&text, &["_meta", HIDDEN], hidden.as_deref())
                .map_err(|error| error.to_string())?;
        }
        // The list is for one client only and may grow at any time, so it must not be cached.
        for (hint, value) in [("cacheScope", json!("private")), ("ttlMs", json!(0))] {
            let members = Members::of(&text).map_err(|error| error.to_string())?;
            if members.get(hint).is_some() {
                text = members.with(hint, Some(&value.to_string()));
            }
        }
        Ok(Some(text))
    }

    /// Tells the client which tools are hidden, so that it doesn't search for them; `None` if there are none.
    fn hidden(&self, standings: &[ToolStanding]) -> Option<String> {
        let tools: Vec<Value> = standings
            .iter()
            .filter_map(|standing| standing.hidden.as_ref())
            .map(|(name, why)| json!({"name": name, "why": why}))
            .collect();
        let look = format!("doorward mcp pins {}", self.options.server);
        (!tools.is_empty()).then(|| json!({"tools": tools, "look": look}).to_string())
    }

    /// Requests the server's tools ourselves: a client may call without listing, and a changed list is read again.
    async fn list(&self, via: &Via, meta: &Value) -> Result<(), String> {
        let mut pages: Vec<String> = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let mut params = Map::new();
            if let Some(cursor) = &cursor {
                params.insert("cursor".to_owned(), json!(cursor));
            }
            if is_stateless(meta) {
                let mut meta = meta.clone();
                if let Some(meta) = meta.as_object_mut() {
                    meta.remove("progressToken");
                }
                params.insert("_meta".to_owned(), meta);
            }
            let params = Value::Object(params);
            let (id, answer) = self.state.ask_ours(Side::Server);
            let sent = via.ask_server(&message::request(&id, "tools/list", &params)).await;
            sent.map_err(|_| "the server is gone".to_owned())?;
            let answer = tokio::time::timeout(self.options.list, answer).await;
            self.state.drop_ours(&id);
            let answer =
                answer.map_err(|_| "it doesn't answer".to_owned())?.map_err(|_| "it is gone".to_owned())?;
            let message = Message::of(&answer).map_err(|error| error.to_string())?;
            let Some(result) = message.result() else {
                return Err("it answers with an error".to_owned());
            };
            let members = Members::of(result).map_err(|error| error.to_string())?;
            cursor = members.text("nextCursor");
            pages.push(result.to_owned());
            if cursor.is_none() {
                break;
            }
        }
        let results: Vec<Members<'_>> = pages.iter().filter_map(|page| Members::of(page).ok()).collect();
        let tools: Vec<&str> = results.iter().filter_map(tools_of).flatten().collect();
        self.keeper.seen(&tools, true).await?;
        self.shared.learn_tools(&tools);
        self.shared.list_read();
        Ok(())
    }

    /// The answer that contains a question: the client shows it and repeats the call.
    fn question_in_answer(&self, call: &Call, question: &str, told: &str) -> String {
        let Some(state) = self.shared.seal(question, call.kind, &call.tool, &call.arguments, &call.params)
        else {
            return denial(call, "approval.busy", "too many questions wait for an answer", None);
        };
        let result = json!({
            "resultType": "input_required",
            "inputRequests": {"doorward.approval": {
                "method": "elicitation/create",
                "params": super::questions::elicitation(told),
            }},
            "requestState": state,
        });
        message::answer(&call.id, &result)
    }
}

/// Whether an elicitation's answer means yes: accepted, with exactly that choice.
pub(super) fn said_yes(answer: &Value) -> bool {
    answer.get("action").and_then(Value::as_str) == Some("accept")
        && answer.pointer("/content/decision").and_then(Value::as_str) == Some("allow_once")
}

/// The `_meta` member of a list that names the tools waiting for a person's review.
///
/// The cleaning removes members that begin with `doorward/`, even after this one was added.
const HIDDEN: &str = "doorward-hidden";
/// JSON-RPC code for a denied prompt or resource.
const DENIED: i64 = -32003;

/// The answer to a denied call: for a tool, a result that the model can read and act on; otherwise an error.
fn denial(call: &Call, code: &str, reason: &str, status: Option<Value>) -> String {
    if call.kind != Gated::Tool {
        let what = call.kind.method();
        let text = format!("Doorward did not let this {what} pass: {reason} ({code})");
        return message::error(&call.id, DENIED, &text);
    }
    let text = format!("Doorward did not let this call pass, and nothing ran: {reason} ({code})");
    let status = status.unwrap_or_else(|| json!({"status": "denied", "code": code}));
    let mut result = json!({
        "content": [{"type": "text", "text": text}],
        "isError": true,
        "_meta": {"doorward/status": status},
    });
    if call.is_stateless()
        && let Some(result) = result.as_object_mut()
    {
        result.insert("resultType".to_owned(), json!("complete"));
    }
    message::answer(&call.id, &result)
}

/// Letters of a question's id that name it to people: its last ones.
const SHORT: usize = 4;

/// The answer to a call that a person can still let pass.
fn pending(call: &Call, question: &str, told: &str) -> String {
    let short = question.len().checked_sub(SHORT).and_then(|at| question.get(at..)).unwrap_or(question);
    let reason = format!(
        "it waits for a person: {told} Question {question}: it is answered in Doorward's console or with `doorward \
         approve {short}`. Make the same call again once it is approved"
    );
    let status = json!({"status": "approval_pending", "id": question, "retry_after_s": 15});
    denial(call, "approval.pending", &reason, Some(status))
}
