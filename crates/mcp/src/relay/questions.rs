//! Questions about calls: shows them in the client's dialog if it has one, and waits for an answer from there or
//! elsewhere.

use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::calls::{Call, said_yes};
use super::{Relay, Side, Via, Waited};
use crate::message::{self, Message};

/// Interval of progress messages to a waiting client.
const PROGRESS: Duration = Duration::from_secs(5);

/// Outcome of a question.
pub(super) enum Settled {
    /// Approved: the call is offered again.
    Yes,
    /// Rejected, for this reason.
    No(String),
    /// The client can't wait any longer; the question stays open.
    NotYet,
    /// The client cancelled the call.
    Cancelled,
}

/// Parameters of the elicitation request.
pub(super) fn elicitation(told: &str) -> Value {
    json!({
        "message": told,
        "requestedSchema": {
            "type": "object",
            "properties": {"decision": {
                "type": "string",
                "title": "Decision",
                "description": "allow_once lets this very call pass, one time",
                "enum": ["allow_once", "deny"],
            }},
            "required": ["decision"],
        },
    })
}

impl Relay {
    /// Waits for a person's answer through whichever channel answers first.
    pub(super) async fn settle(
        &self,
        via: &Via,
        call: &Call,
        question: &str,
        told: &str,
        by_client: bool,
        waits: bool,
    ) -> Settled {
        let dialog = by_client && self.state.asks_by_request() && !call.is_stateless();
        if !dialog && !waits {
            self.keeper.withdrawn(question).await;
            return Settled::No(format!(
                "it needs a person's yes, and nobody can be asked: {told} Start the service (`doorward serve`) to be \
                 asked in its console, or allow it by a rule"
            ));
        }
        let until = Instant::now() + self.options.wait;
        let (id, answer) = self.state.ask_ours(Side::Client);
        if dialog {
            let request = message::request(&id, "elicitation/create", &elicitation(told));
            if via.to_client(&request).await.is_err() {
                return Settled::Cancelled;
            }
        }
        let (settled, by_dialog) = tokio::select! {
            // Prefers the channel that is listed first.
            biased;
            said = answer, if dialog => (self.heard(question, said.ok()).await, true),
            settled = self.waited(via, call, question, until, waits) => (settled, false),
        };
        self.state.drop_ours(&id);
        if dialog && !by_dialog && !matches!(settled, Settled::Cancelled) {
            // Answered elsewhere, or too late: the dialog is cancelled.
            let params = json!({"requestId": id, "reason": "answered elsewhere, or too late"});
            let _ = via.to_client(&message::notification("notifications/cancelled", &params)).await;
        }
        if matches!(settled, Settled::NotYet) && !waits {
            self.keeper.withdrawn(question).await;
            return Settled::No(format!(
                "nobody answered in time: {told} Make the same call again to be asked again"
            ));
        }
        settled
    }

    /// Evaluates the answer of the client's dialog.
    async fn heard(&self, question: &str, answer: Option<String>) -> Settled {
        let Some(answer) = answer else { return Settled::Cancelled };
        let result = Message::of(&answer).ok().and_then(|message| {
            serde_json::from_str::<Value>(message.members.get("result").map(RawValue::get)?).ok()
        });
        let yes = result.as_ref().is_some_and(said_yes);
        match self.keeper.answered(question, yes).await {
            Err(why) => Settled::No(why),
            Ok(()) if yes => Settled::Yes,
            Ok(()) => Settled::No("the person who was asked said no".to_owned()),
        }
    }

    /// Waits for an answer from elsewhere until the deadline, sending progress messages to the client.
    async fn waited(&self, via: &Via, call: &Call, question: &str, until: Instant, waits: bool) -> Settled {
        let token = call.meta.get("progressToken").cloned();
        let mut steps = 0_u32;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Settled::NotYet;
            }
            let step = left.min(PROGRESS);
            if waits {
                match self.keeper.wait(question, step).await {
                    Waited::Allowed => return Settled::Yes,
                    Waited::Denied(reason) => return Settled::No(reason),
                    Waited::Pending => {}
                }
            } else {
                tokio::time::sleep(step).await;
            }
            if self.state.is_cancelled(&call.id) {
                return Settled::Cancelled;
            }
            steps += 1;
            // In small steps: the server's own progress continues from here.
            if let Some(token) = &token {
                let params = json!({
                    "progressToken": token,
                    "progress": f64::from(steps) / 1e6,
                    "message": "waits for a person's yes",
                });
                let _ = via.to_client(&message::notification("notifications/progress", &params)).await;
            }
        }
    }
}
