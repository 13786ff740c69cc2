//! Webhooks: a question told to another system, signed, through the guarded client, tried again while it is open.
//!
//! `json` carries `onToolCallRequest` with exactly the contract's members; `slack` a message with a link to the one
//! question, where a person signs in to answer: a chat can't answer, since a chat name is no identity. The signature
//! is HMAC-SHA-256 over `timestamp.body`; whoever receives refuses old timestamps and repeats of a confirmation id.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use doorward::Broker;
use doorward::origins::asker;
use doorward::rooms::core::approval::Ask;
use doorward::rooms::core::id::QuestionId;
use doorward::rooms::core::text::is_unseen;
use doorward::rooms::net::{ClientLimits, FetchRequest, GuardedClient, LiveGuard};
use doorward::rooms::settings::{Notify, Webhook, WebhookFormat};
use doorward::rooms::store::AskState;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::api::Service;
use crate::approvals::event;
use crate::authzen::base;

/// Waits between tries.
pub(crate) const WAITS: [Duration; 5] = [
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(15),
    Duration::from_secs(60),
    Duration::from_secs(120),
];
/// Least time between looks at the queue.
const LOOK: Duration = Duration::from_millis(500);

/// Tells every open question, once for each receiver that takes it. What was open at a restart is told again.
pub(crate) async fn run(service: Arc<Service>) {
    let Some(broker) = service.broker.clone() else { return };
    let mut changes = broker.changes();
    let mut told: HashSet<QuestionId> = HashSet::new();
    loop {
        let notify = service.door.settings().notify;
        if !notify.webhooks.is_empty() {
            let open = broker.store().pending(Timestamp::now()).await.unwrap_or_default();
            let ids: HashSet<QuestionId> = open.iter().map(|record| record.ask.id.clone()).collect();
            told.retain(|id| ids.contains(id));
            for record in open {
                if told.insert(record.ask.id.clone()) {
                    for hook in &notify.webhooks {
                        let (service, broker) = (Arc::clone(&service), Arc::clone(&broker));
                        let (hook, notify, ask) = (hook.clone(), notify.clone(), record.ask.clone());
                        tokio::spawn(async move { deliver(&service, &broker, &hook, &notify, &ask).await });
                    }
                }
            }
        }
        let mut closing = service.closing.clone();
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return },
            () = tokio::time::sleep(LOOK * 4) => {}
            _ = closing.wait_for(|closing| *closing) => return,
        }
        tokio::time::sleep(LOOK / 10).await;
    }
}

/// Tries until it is taken, the question is closed, or the tries are used up; then the record says so.
async fn deliver(service: &Service, broker: &Broker, hook: &Webhook, notify: &Notify, ask: &Ask) {
    let body = body(service, hook, notify, ask);
    let mut failure = String::new();
    for wait in std::iter::once(Duration::ZERO).chain(WAITS) {
        tokio::time::sleep(wait).await;
        let state = broker.store().ask_record(&ask.id, Timestamp::now()).await;
        if !matches!(state, Ok(Some(record)) if record.state == AskState::Pending) {
            return;
        }
        match send(service, hook, "onToolCallRequest", ask.id.as_str(), &body).await {
            Ok(()) => return,
            Err(why) => failure = why,
        }
        if is_final(&failure) {
            break;
        }
    }
    let told = format!("question {} could not be told to {}: {failure}", ask.id, host(&hook.url));
    if let Err(error) = broker.note("webhook_failed", &told).await {
        tracing::error!("{error}");
    }
    tracing::warn!("{told}");
}

/// What the guard refuses it refuses again.
pub(crate) fn is_final(failure: &str) -> bool {
    failure.starts_with("net.")
        && !failure.starts_with("net.unreachable")
        && !failure.starts_with("net.timeout")
}

/// Posts a signed body. `id` is what a receiver knows repeats by.
pub(crate) async fn send(
    service: &Service,
    hook: &Webhook,
    event: &str,
    id: &str,
    body: &str,
) -> Result<(), String> {
    let config = service.door.settings().net;
    let guard = LiveGuard::from_config(config);
    let limits =
        ClientLimits { total: Duration::from_secs(10), connect: Duration::from_secs(5), body: 64 << 10 };
    let client = GuardedClient::new(Arc::new(guard)).map_err(|error| error.to_string())?.with_limits(limits);
    let mut headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        ("x-doorward-event".to_owned(), event.to_owned()),
        ("x-doorward-id".to_owned(), id.to_owned()),
    ];
    match hook.secret_env.as_deref().map(std::env::var) {
        None => {}
        Some(Ok(secret)) if !secret.is_empty() => {
            let time = Timestamp::now().as_second().to_string();
            headers.push(("x-doorward-signature".to_owned(), signature(&secret, &time, body)));
            headers.push(("x-doorward-timestamp".to_owned(), time));
        }
        // Told that it is signed, and it can't be: then it isn't sent.
        Some(_) => return Err("net.invalid_request: the secret's environment variable is empty".to_owned()),
    }
    let request = FetchRequest {
        method: "POST".to_owned(),
        url: hook.url.clone(),
        headers,
        body: body.as_bytes().to_vec(),
    };
    match client.fetch(request).await {
        Ok(answer) if (200..300).contains(&answer.status) => Ok(()),
        Ok(answer) => Err(format!("it answered {}", answer.status)),
        Err(error) => Err(error.code()),
    }
}

/// `v1=` and HMAC-SHA-256 over the time, a dot and the body, in hex.
fn signature(secret: &str, time: &str, body: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return String::new() };
    mac.update(time.as_bytes());
    mac.update(b".");
    mac.update(body.as_bytes());
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("v1={hex}")
}

fn body(service: &Service, hook: &Webhook, notify: &Notify, ask: &Ask) -> String {
    match hook.format {
        WebhookFormat::Json => event(ask).to_string(),
        WebhookFormat::Slack => {
            let base = notify.console.clone().unwrap_or_else(|| base(service));
            slack(ask, &format!("{}/#approval={}", base.trim_end_matches('/'), ask.id)).to_string()
        }
    }
}

/// A message with the question in plain text and a link. Everything an agent wrote goes into `plain_text`, where
/// nothing is markup.
fn slack(ask: &Ask, link: &str) -> Value {
    let short = |text: &str, most: usize| -> String { visible(text).chars().take(most).collect() };
    let args = short(&ask.args.canonical(), 600);
    let text = format!("{}: {} asks for {}", ask.warning.level.as_str(), asker(ask), ask.binding.tool);
    let plain = |text: String| json!({"type": "plain_text", "text": text, "emoji": false});
    json!({
        // Clients without blocks show this as text; brackets and ampersands are escaped, so it links nothing.
        "text": short(&text, 300).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
        "blocks": [
            {"type": "header", "text": plain(short(&text, 140))},
            {"type": "section", "text": plain(short(&ask.warning.message, 600))},
            {"type": "section", "text": plain(args)},
            {"type": "actions", "elements": [
                {"type": "button", "text": plain("Open the question".to_owned()), "url": link},
            ]},
        ],
    })
}

/// Characters that hide or reorder, as their code points.
pub(crate) fn visible(text: &str) -> String {
    let hides = |ch: char| ch.is_control() || is_unseen(ch) || matches!(ch, '\u{2028}'..='\u{2029}');
    text.chars()
        .map(|ch| if hides(ch) { format!("[U+{:04X}]", u32::from(ch)) } else { ch.to_string() })
        .collect()
}

/// A URL may hold a token in its path: only the host is told.
pub(crate) fn host(url: &str) -> String {
    url.split("://").nth(1).and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or("?").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_hmac_over_time_and_body() {
        // printf '1700000000.{}' | openssl dgst -sha256 -hmac key
        let expected = "v1=9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae";
        assert_eq!(signature("key", "1700000000", "{}"), expected);
    }

    #[test]
    fn only_the_host_of_a_url_is_told() {
        assert_eq!(host("https://hooks.example.com/services/T0/B0/secret?x=1"), "hooks.example.com");
        assert_eq!(visible("a\u{202e}b\nc"), "a[U+202E]b[U+000A]c");
    }
}
