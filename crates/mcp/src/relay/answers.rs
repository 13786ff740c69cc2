//! Server messages other than results of calls, and how each answer is cleaned for the client.

use std::io;

use serde_json::value::RawValue;

use super::state::PendingRequest;
use super::{CallEnding, Came, Ended, Relay, SERVER_GONE, Via};
use crate::message::{self, Malformed, Message};
use crate::{clean, dialogs};

/// Methods whose results hold only names and capabilities, which the session needn't remember.
const QUIET: &[&str] = words! {
    "completion/complete" "initialize" "logging/setLevel" "ping" "prompts/list" "resources/list"
    "resources/subscribe" "resources/templates/list" "resources/unsubscribe" "server/discover"
    "tools/list"
};

/// Whether a text must be recorded in the session before the client reads it. Names, capabilities and answers
/// without a request are recorded only if something was found in them.
fn is_worth_knowing(method: Option<&str>, content: &[u8], codes: &[&str]) -> bool {
    let is_quiet = method.is_none_or(|method| QUIET.contains(&method)) && codes.is_empty();
    !is_quiet && !content.is_empty()
}

/// Whether a server's method name may be shown to a client: visible ASCII, not too long.
fn is_name(method: &str) -> bool {
    method.len() <= MOST_METHOD && !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Longest name of a method.
const MOST_METHOD: usize = 128;

impl Relay {
    /// Handles an answer to a request that isn't a call: cleans it, and records it in the session before the client
    /// reads it. An answer that isn't strict JSON isn't forwarded.
    pub(super) async fn read(&self, via: &Via, message: &Message<'_>, method: &str) -> io::Result<()> {
        let source = format!("mcp:{}/{method}", self.options.server);
        let mut shown = self.cleaned(message, &source);
        let mut out = shown.text.take();
        let mut words = None;
        match self.asking(out.as_deref().unwrap_or(message.text)) {
            Ok(None) => {}
            Ok(Some(asked)) => {
                words = asked.words;
                out = asked.text.or(out);
                shown.join(asked.content, &asked.codes);
            }
            Err(malformed) => out = Some(self.unreadable(message, &malformed)),
        }
        if words.is_some() || is_worth_knowing(Some(method), &shown.content, &shown.codes) {
            let (content, codes) = (shown.content, shown.codes);
            let came = Came { method: method.to_owned(), content, codes, asked: words };
            if let Err(error) = self.keeper.came(came).await {
                let why = format!("mcp.unrecorded: what the server answered couldn't be recorded: {error}");
                return via.to_client(&message::error(message.id, SERVER_GONE, &why)).await;
            }
        }
        via.to_client(out.as_deref().unwrap_or(message.text)).await
    }

    /// The server refused a request, or a message without answer, with a text that isn't a message. Returns what
    /// the client may read of it, once recorded.
    ///
    /// # Errors
    /// It couldn't be recorded, so nothing is shown to the client.
    pub async fn refused(&self, id: Option<&str>, text: &str) -> Result<String, String> {
        let cleaned = clean::clean_body(text);
        let (content, codes) = (cleaned.content, cleaned.codes);
        let pending = id.and_then(|id| self.state.take(id));
        match pending {
            Some(PendingRequest { call: Some((decision, tool)), .. }) => {
                let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
                let ending = CallEnding::Failed;
                self.keeper.ended(Ended { decision, tool, ending, content, bytes, codes }).await?;
            }
            other => {
                let method = other.map(|pending| pending.method);
                if is_worth_knowing(method.as_deref(), &content, &codes) {
                    let method = method.unwrap_or_else(|| "http".to_owned());
                    self.keeper.came(Came { method, content, codes, asked: None }).await?;
                }
            }
        }
        Ok(cleaned.result.unwrap_or_else(|| text.to_owned()))
    }

    /// The server's questions in an answer, cleaned and with its name added.
    pub(super) fn asking(&self, text: &str) -> Result<Option<dialogs::Asked>, Malformed> {
        let message = Message::of(text)?;
        let Some(result) = message.result() else { return Ok(None) };
        let Some(asked) = dialogs::in_result(result, &self.options.server)? else { return Ok(None) };
        let text = with_result(&message, asked.text);
        Ok(Some(dialogs::Asked { text, ..asked }))
    }

    /// Handles a notification or request from the server: cleans it and, if it asks the user or the client's model,
    /// adds the server's name. The session records its texts before the client reads them.
    pub(super) async fn server_speaks(&self, via: &Via, message: &Message<'_>) -> io::Result<()> {
        let dropped = |code: &str, why: &str| self.keeper.fault(code, &format!("from the server: {why}"));
        if !is_name(&message.method) {
            dropped("mcp.method", "dropped a message whose `method` isn't a valid name");
            return Ok(());
        }
        let asked = match dialogs::asked(message, &self.options.server) {
            Ok(asked) => asked,
            Err(malformed) => {
                dropped("mcp.malformed", &format!("{malformed}; it was dropped"));
                return Ok(());
            }
        };
        if asked.words.is_some() || !asked.content.is_empty() || !asked.codes.is_empty() {
            let (method, content, codes) = (asked.method, asked.content, asked.codes);
            let came = Came { method, content, codes, asked: asked.words };
            if let Err(error) = self.keeper.came(came).await {
                // Without a record it isn't shown; a server that asked waits for its own time limit.
                dropped("mcp.unrecorded", &format!("`{}` was dropped: {error}", message.method));
                return Ok(());
            }
        }
        via.to_client(asked.text.as_deref().unwrap_or(message.text)).await
    }

    /// An answer prepared for the client: a cleaned result, or an error instead of an unreadable one. Error texts
    /// are cleaned too, because a model reads them like results.
    pub(super) fn cleaned(&self, message: &Message<'_>, source: &str) -> Shown {
        let mut beside = clean::Cleaned::default();
        let envelope = clean::clean_envelope(&message.members, &mut beside);
        let mut shown = match envelope.as_deref().map(Message::of) {
            Some(Ok(cleaned)) => {
                let shown = self.cleaned_answer(&cleaned, source);
                Shown { text: shown.text.or_else(|| envelope.clone()), ..shown }
            }
            _ => self.cleaned_answer(message, source),
        };
        shown.join(beside.content, &beside.codes);
        shown
    }

    fn cleaned_answer(&self, message: &Message<'_>, source: &str) -> Shown {
        let Some(result) = message.result() else {
            let error = message.members.get("error").map_or("null", RawValue::get);
            let cleaned = clean::clean_any(error);
            let text = cleaned.result.map(|error| message.members.with("error", Some(&error)));
            return Shown { text, failed: true, content: cleaned.content, codes: cleaned.codes };
        };
        match clean::clean(result, source) {
            Ok(cleaned) => {
                let text = with_result(message, cleaned.result);
                Shown { text, failed: cleaned.failed, content: cleaned.content, codes: cleaned.codes }
            }
            Err(malformed) => {
                // The client doesn't see it, but it is recorded that the server sent it.
                let cleaned = clean::clean_any(result);
                let text = Some(self.unreadable(message, &malformed));
                Shown { text, failed: true, content: cleaned.content, codes: cleaned.codes }
            }
        }
    }

    /// The error that replaces an unreadable result; also reported to the keeper.
    pub(super) fn unreadable(&self, message: &Message<'_>, malformed: &Malformed) -> String {
        self.keeper.fault("mcp.result", &format!("from the server: {malformed}; it wasn't passed on"));
        let why =
            format!("mcp.result: the server's result can't be read, so it isn't passed on: {malformed}");
        message::error(message.id, SERVER_GONE, &why)
    }
}

/// An answer prepared for the client.
pub(super) struct Shown {
    /// The new message; `None` if nothing changed.
    pub(super) text: Option<String>,
    /// It is an error, reports a tool's failure, or is unreadable.
    pub(super) failed: bool,
    /// Original texts, bounded.
    pub(super) content: Vec<u8>,
    /// Codes of what was found in them.
    pub(super) codes: Vec<&'static str>,
}

impl Shown {
    /// Adds texts and codes from outside the result.
    pub(super) fn join(&mut self, content: Vec<u8>, codes: &[&'static str]) {
        self.content.extend(content);
        let new = codes.iter().filter(|code| !self.codes.contains(code)).copied().collect::<Vec<_>>();
        self.codes.extend(new);
    }
}

/// The message with another result; `None` if it is unchanged.
pub(super) fn with_result(message: &Message<'_>, result: Option<String>) -> Option<String> {
    Some(message.members.with("result", Some(&result?)))
}
