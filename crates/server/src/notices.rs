//! Calls that a rule wants told, posted to the webhook of that name; the record says whether it was told.

use std::sync::Arc;
use std::time::Duration;

use doorward::rooms::gate::Notice;
use doorward::rooms::settings::{Webhook, WebhookFormat};
use serde_json::json;
use tokio::sync::mpsc;

use crate::api::Service;
use crate::webhook::{WAITS, host, is_final, send, visible};

/// Tells every notice until the service stops.
pub(crate) async fn run(service: Arc<Service>, mut notices: mpsc::Receiver<Notice>) {
    while let Some(notice) = notices.recv().await {
        let service = Arc::clone(&service);
        tokio::spawn(async move { deliver(&service, &notice).await });
    }
}

async fn deliver(service: &Service, notice: &Notice) {
    let hooks = service.door.settings().notify.webhooks;
    let told = match hooks.iter().find(|hook| hook.name.as_deref() == Some(&notice.to)) {
        None => Err(format!("no webhook is named {:?}", notice.to)),
        Some(hook) => post(service, hook, notice).await,
    };
    let (code, message) = match told {
        Ok(()) => ("notified", format!("decision {} was told to {}", notice.decision.as_str(), notice.to)),
        Err(why) => (
            "notify_failed",
            format!("decision {} could not be told to {}: {why}", notice.decision.as_str(), notice.to),
        ),
    };
    if let Some(broker) = &service.broker
        && let Err(error) = broker.note(code, &message).await
    {
        tracing::error!("{error}");
    }
}

/// Tries until it is taken or the tries are used up.
async fn post(service: &Service, hook: &Webhook, notice: &Notice) -> Result<(), String> {
    let id = notice.decision.as_str();
    let said = notice.body.clone().unwrap_or_else(|| format!("{} was allowed", notice.tool));
    let body = match hook.format {
        WebhookFormat::Json => json!({
            "decision": id,
            "to": notice.to,
            "body": said,
            "toolName": notice.tool,
            "principal": notice.principal,
            "session": notice.session,
        }),
        WebhookFormat::Slack => {
            let text = visible(&format!("{said} ({} by {})", notice.tool, notice.principal));
            json!({"text": text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")})
        }
    }
    .to_string();
    let mut failure = String::new();
    for wait in std::iter::once(Duration::ZERO).chain(WAITS) {
        tokio::time::sleep(wait).await;
        match send(service, hook, "onToolCallAllowed", id, &body).await {
            Ok(()) => return Ok(()),
            Err(why) => failure = why,
        }
        if is_final(&failure) {
            break;
        }
    }
    Err(format!("{}: {failure}", host(&hook.url)))
}
