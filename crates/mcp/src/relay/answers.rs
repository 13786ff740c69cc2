//! What a server says beside the results of calls, and what the client may read of any answer.

use std::io;

use serde_json::value::RawValue;

use super::state::Pending;
use super::{Came, Ended, Ending, Relay, SERVER_GONE, Via};
use crate::message::{self, Malformed, Message};
use crate::{clean, dialogs};

/// Methods whose results hold names and abilities, and no content that a session has to remember.
const QUIET: &[&str] = &[
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/list",
    "resources/list",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "tools/list",
];

/// Whether words have to be known to the session before they are read: names and abilities, and what belongs to no
/// request, only where something was found in them.
fn is_worth_knowing(method: Option<&str>, content: &[u8], codes: &[&str]) -> bool {
    let is_quiet = method.is_none_or(|method| QUIET.contains(&method)) && codes.is_empty();
    !is_quiet && !content.is_empty()
}

/// Whether a server's method is a name that a client may read: visible ASCII, not too long.
fn is_name(method: &str) -> bool {
    method.len() <= MOST_METHOD && !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Longest name of a method.
const MOST_METHOD: usize = 128;

impl Relay {
    /// An answer to something that is no call, on its way to the client: cleaned, and known to the session before it is
    /// read. One that can't be read strictly isn't passed on.
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

    /// The server refused a request, or something that has no answer, with words that are no message: what the client
    /// may read of them, after it was recorded.
    ///
    /// # Errors
    /// It couldn't be recorded, so that the client reads nothing of it.
    pub async fn refused(&self, id: Option<&str>, text: &str) -> Result<String, String> {
        let cleaned = clean::clean_body(text);
        let (content, codes) = (cleaned.content, cleaned.codes);
        let pending = id.and_then(|id| self.state.take(id));
        match pending {
            Some(Pending { call: Some((decision, tool)), .. }) => {
                let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
                let ending = Ending::Failed;
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

    /// Questions of the server's own in an answer, cleaned and with its name in them.
    pub(super) fn asking(&self, text: &str) -> Result<Option<dialogs::Asked>, Malformed> {
        let message = Message::of(text)?;
        let Some(result) = message.result() else { return Ok(None) };
        let Some(asked) = dialogs::in_result(result, &self.options.server)? else { return Ok(None) };
        let text = with_result(&message, asked.text);
        Ok(Some(dialogs::Asked { text, ..asked }))
    }

    /// The server notifies the client or asks it something. That passes cleaned and, where the user or the client's model
    /// is asked, says whose question it is. The session knows its words before the client reads them.
    pub(super) async fn server_speaks(&self, via: &Via, message: &Message<'_>) -> io::Result<()> {
        let dropped = |code: &str, why: &str| self.keeper.fault(code, &format!("from the server: {why}"));
        if !is_name(&message.method) {
            dropped("mcp.method", "a message whose `method` is no name; it was dropped");
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
                // Without a record nobody reads it; a server that asked waits until its own limit ends that.
                dropped("mcp.unrecorded", &format!("`{}` was dropped: {error}", message.method));
                return Ok(());
            }
        }
        via.to_client(asked.text.as_deref().unwrap_or(message.text)).await
    }

    /// An answer as the client may read it: a result cleaned, or an error instead of one that can't be read, and the
    /// words of an error, which a model reads like a result's, cleaned too.
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
                // The client doesn't read it; that a server sent it is remembered all the same.
                let cleaned = clean::clean_any(result);
                let text = Some(self.unreadable(message, &malformed));
                Shown { text, failed: true, content: cleaned.content, codes: cleaned.codes }
            }
        }
    }

    /// The error in place of a result that can't be read strictly, which is told to the keeper too.
    pub(super) fn unreadable(&self, message: &Message<'_>, malformed: &Malformed) -> String {
        self.keeper.fault("mcp.result", &format!("from the server: {malformed}; it wasn't passed on"));
        let why =
            format!("mcp.result: the server's result can't be read, so it isn't passed on: {malformed}");
        message::error(message.id, SERVER_GONE, &why)
    }
}

/// An answer as the client may read it.
pub(super) struct Shown {
    /// The message written anew; `None` where nothing had to change.
    pub(super) text: Option<String>,
    /// It is an error, or says that the tool failed, or can't be read.
    pub(super) failed: bool,
    /// Texts as they came, bounded.
    pub(super) content: Vec<u8>,
    /// What was found in them.
    pub(super) codes: Vec<&'static str>,
}

impl Shown {
    /// Adds what was said beside the result.
    pub(super) fn join(&mut self, content: Vec<u8>, codes: &[&'static str]) {
        self.content.extend(content);
        let new = codes.iter().filter(|code| !self.codes.contains(code)).copied().collect::<Vec<_>>();
        self.codes.extend(new);
    }
}

/// The message with another result; `None` where it stays.
pub(super) fn with_result(message: &Message<'_>, result: Option<String>) -> Option<String> {
    Some(message.members.with("result", Some(&result?)))
}
