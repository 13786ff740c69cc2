//! A remote MCP server, over streamable HTTP.
//!
//! Every message is one POST through the guarded client: a literal loopback address is permitted, other addresses
//! are judged as usual. Answers come as one JSON text or as an event stream; both are converted to the lines of a
//! server on standard streams, so that readers needn't distinguish. Messages are sent in order, each after the
//! previous one was answered.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use doorward_mcp::sse::{Events, StreamPart};
use doorward_net::{ClientLimits, FetchError, FetchRequest, GuardConfig, GuardedClient, LiveGuard};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

/// Largest answer in bytes.
const LARGEST: usize = 16 << 20;
const CONNECT: Duration = Duration::from_secs(10);

/// Address and access of the server.
#[derive(Clone)]
pub(crate) struct Place {
    client: GuardedClient,
    url: String,
    key: Option<String>,
    revision: &'static str,
    /// Time limit of a session.
    whole: Duration,
    /// Session id given by the server.
    session: Arc<Mutex<Option<String>>>,
    /// It can no longer be reached.
    gone: Arc<AtomicBool>,
}

impl Place {
    /// For an address, with the hosts that may be reached.
    ///
    /// # Errors
    /// The problem with the address.
    pub(crate) fn new(
        url: &str,
        key: Option<String>,
        revision: &'static str,
        mut net: GuardConfig,
        (call, whole): (Duration, Duration),
    ) -> Result<Self, String> {
        let parsed = url::Url::parse(url).map_err(|error| format!("{url}: {error}"))?;
        net.allowed_hosts.extend(doorward_guardian::client::loopback_entry(&parsed));
        // A redirect would receive the key.
        net.max_redirects = 0;
        let limits = ClientLimits { total: call, connect: CONNECT, body: LARGEST };
        let client = GuardedClient::new(Arc::new(LiveGuard::from_config(net)))
            .map_err(|error| format!("TLS can't be set up: {error}"))?
            .with_limits(limits);
        let url = url.to_owned();
        Ok(Self { client, url, key, revision, whole, session: Arc::default(), gone: Arc::default() })
    }

    /// Whether it can still be reached, as far as known.
    pub(crate) fn is_there(&self) -> bool {
        !self.gone.load(Ordering::Relaxed)
    }

    /// No more messages follow.
    pub(crate) fn leave(&self) {
        self.gone.store(true, Ordering::Relaxed);
    }

    /// Posts incoming messages one after the other, and writes the answers as lines.
    pub(crate) async fn speak(self, mut messages: mpsc::UnboundedReceiver<String>, whole: Sender<String>) {
        let mut sent = 0;
        let mut listening = None;
        while let Some(message) = messages.recv().await {
            let (heard, first) = oneshot::channel();
            let (place, lines) = (self.clone(), whole.clone());
            tokio::spawn(async move { place.post(message, lines, heard).await });
            let _ = first.await;
            sent += 1;
            // After initialisation and its confirmation; a server may send requests that belong to no call of ours.
            if sent == 2 {
                listening = Some(tokio::spawn(self.clone().listen(whole.clone())));
            }
        }
        if let Some(listening) = listening {
            listening.abort();
        }
        // Tells the server that the session is over; its answer is ignored.
        if self.session().is_some() {
            let request = self.request("DELETE", Vec::new());
            let _ = self.client.fetch(request).await;
        }
    }

    /// Reads the server's own messages, if it offers a stream for them.
    async fn listen(self, lines: Sender<String>) {
        let mut events = Events::default();
        let client = self.client.clone().with_limits(ClientLimits {
            total: self.whole,
            connect: CONNECT,
            body: LARGEST,
        });
        let _ = client
            .fetch_streamed(self.request("GET", Vec::new()), &mut |head, bytes| {
                if head.status != 200 || !is_stream(&head.headers) {
                    return ControlFlow::Break(());
                }
                for text in data(&mut events, bytes) {
                    let _ = lines.send(text.replace(['\r', '\n'], " "));
                }
                ControlFlow::Continue(())
            })
            .await;
    }

    async fn post(self, message: String, lines: Sender<String>, heard: oneshot::Sender<()>) {
        let sent: Value = serde_json::from_str(&message).unwrap_or_default();
        let asks = sent.get("id").filter(|_| sent.get("method").is_some()).cloned();
        let mut heard = Some(heard);
        let mut events = Events::default();
        let mut answered = false;
        let mut plain = Vec::new();
        let hear = |text: &str, answered: &mut bool| {
            let Ok(value) = serde_json::from_str::<Value>(text) else {
                return drop(lines.send(text.split_whitespace().collect::<Vec<_>>().join(" ")));
            };
            let all = match value {
                Value::Array(all) => all,
                one => vec![one],
            };
            for one in all {
                *answered |= one.get("method").is_none() && one.get("id") == asks.as_ref();
                let _ = lines.send(one.to_string());
            }
        };
        let ended = self
            .client
            .fetch_streamed(self.request("POST", message.into_bytes()), &mut |head, bytes| {
                if let Some(heard) = heard.take() {
                    self.remember(&head.headers);
                    let _ = heard.send(());
                }
                if is_stream(&head.headers) {
                    data(&mut events, bytes).iter().for_each(|text| hear(text, &mut answered));
                } else {
                    plain.extend_from_slice(bytes);
                }
                ControlFlow::Continue(())
            })
            .await;
        let problem = match &ended {
            Ok(head) if (200..300).contains(&head.status) => {
                self.remember(&head.headers);
                if !plain.is_empty() {
                    hear(&String::from_utf8_lossy(&plain), &mut answered);
                }
                "the answer ended without a result".to_owned()
            }
            Ok(head) => format!("HTTP {}", head.status),
            Err(error) => {
                if matches!(error, FetchError::Unreachable(_) | FetchError::Refused { .. }) {
                    self.leave();
                }
                error.code()
            }
        };
        let late = matches!(ended, Err(FetchError::Timeout));
        if let Some(id) = asks.as_ref().filter(|_| !answered && !late) {
            let error = json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": problem}});
            let _ = lines.send(error.to_string());
        }
    }

    fn request(&self, method: &str, body: Vec<u8>) -> FetchRequest {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut headers = vec![
            header("content-type", "application/json"),
            header("accept", "application/json, text/event-stream"),
        ];
        if let Some(session) = self.session() {
            headers.push(header("mcp-session-id", &session));
            headers.push(header("mcp-protocol-version", self.revision));
        }
        if let Some(key) = &self.key {
            headers.push(header("authorization", &format!("Bearer {key}")));
        }
        FetchRequest { method: method.to_owned(), url: self.url.clone(), headers, body }
    }

    fn session(&self) -> Option<String> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn remember(&self, headers: &[(String, String)]) {
        let named = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("mcp-session-id"));
        if let Some((_, session)) = named {
            let mut known = self.session.lock().unwrap_or_else(PoisonError::into_inner);
            known.get_or_insert_with(|| session.clone());
        }
    }
}

/// The data of the events that end in a chunk.
fn data(events: &mut Events, chunk: &[u8]) -> Vec<String> {
    let of = |part| if let StreamPart::Event(event) = part { event.data } else { None };
    events.feed(chunk).into_iter().filter_map(of).filter(|data| !data.is_empty()).collect()
}

fn is_stream(headers: &[(String, String)]) -> bool {
    headers.iter().any(|(name, value)| {
        name.eq_ignore_ascii_case("content-type")
            && value.to_ascii_lowercase().starts_with("text/event-stream")
    })
}
