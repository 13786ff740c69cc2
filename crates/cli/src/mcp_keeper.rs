//! Who decides about a gateway's calls: the service that runs, or a door of the gateway's own.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorward::Options;
use doorward::mcp::own::Own;
use doorward::mcp::{Conversation, Finished, Gateway, Kind, Offered, Offering, Said, Seeing, Seen, Server};
use doorward::rooms::core::Boxed;
use doorward::rooms::mcp::{Answer, CallEnding, Came, Ended, Gated, Keeper, Offer, ToolStanding, Waited};
use doorward_hooks::thin::SOCKET;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::approvals::visible;
use crate::mcp_http::Identity;
use crate::output::Failure;
use crate::service;
use crate::state::StateOption;

/// Folder of own records in the state directory.
const FOLDER: &str = "runs";

/// The keeper of one gateway, or of one of its clients.
#[derive(Clone)]
pub(crate) struct Gatekeeper {
    gate: Arc<Gate>,
    name: String,
    identity: Identity,
    cwd: String,
    roots: Vec<String>,
    gateway: Arc<Gateway>,
    client: Option<Conversation>,
}

enum Gate {
    Service(PathBuf),
    Own(Box<Own>),
}

impl Gatekeeper {
    pub(crate) async fn open(
        state: &StateOption,
        name: &str,
        identity: Identity,
        cwd: PathBuf,
        roots: Vec<String>,
    ) -> Result<Self, Failure> {
        let folder = state.folder();
        let socket = folder.join(SOCKET);
        let gate = if std::os::unix::net::UnixStream::connect(&socket).is_ok() {
            Gate::Service(socket)
        } else {
            let own = folder
                .join(FOLDER)
                .join(format!("mcp-{}", doorward::rooms::core::id::fresh().to_lowercase()));
            let options = Options { beside: Some(folder.clone()), ..Options::at(own, state.places()) };
            Gate::Own(Box::new(Own::open(&Options::usual(&folder), options).await?))
        };
        let cwd = cwd.display().to_string();
        let (gate, gateway, name) = (Arc::new(gate), Arc::default(), name.to_owned());
        Ok(Self { gate, name, identity, cwd, roots, gateway, client: None })
    }

    /// Writes what is owed and closes a record of our own.
    pub(crate) async fn close(&self) {
        if let Gate::Own(own) = &*self.gate {
            own.door().close().await;
        }
    }

    /// Asks the service.
    async fn ask<T: DeserializeOwned>(
        socket: &std::path::Path,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        let (socket, path) = (socket.to_owned(), path.to_owned());
        let body = serde_json::to_value(body)?;
        let asked = tokio::task::spawn_blocking(move || service::expect(&socket, "POST", &path, Some(&body)));
        Ok(serde_json::from_value(asked.await??)?)
    }

    fn server(&self) -> Server {
        Server { name: self.name.clone(), identity: self.identity.now() }
    }

    async fn look(&self, seeing: Seeing) -> Result<Vec<Seen>, String> {
        match &*self.gate {
            Gate::Own(own) => own.seen(&seeing).await.map_err(|refused| refused.to_string()),
            Gate::Service(socket) => {
                let answer: Value =
                    Self::ask(socket, "/v1/mcp/tools", &seeing).await.map_err(|failure| failure.told())?;
                let tools = answer.get("tools").cloned().unwrap_or_default();
                serde_json::from_value(tools).map_err(|error| error.to_string())
            }
        }
    }

    async fn offered(&self, offering: Offering) -> Offered {
        let denied = |code: String, reason: String| Offered::Denied { code, reason };
        match &*self.gate {
            Gate::Own(own) => match own.offer(offering).await {
                Ok(offered) => offered,
                Err(refused) => denied(refused.code, refused.reason),
            },
            Gate::Service(socket) => match Self::ask(socket, "/v1/mcp/calls", &offering).await {
                Ok(offered) => offered,
                Err(failure) => denied(failure.code().to_owned(), failure.message),
            },
        }
    }
}

impl Keeper for Gatekeeper {
    fn of(&self, conversation: &doorward::rooms::mcp::Conversation) -> Arc<dyn Keeper> {
        let client = Conversation {
            id: conversation.id.clone(),
            pid: conversation.process.map(|process| process.pid),
            started: conversation.process.map_or(0, |process| process.started),
        };
        Arc::new(Self { client: Some(client), ..self.clone() })
    }

    fn seen<'a>(&'a self, tools: &'a [&'a str], whole: bool) -> Boxed<'a, Result<Vec<ToolStanding>, String>> {
        Box::pin(async move {
            let seeing = Seeing {
                server: self.server(),
                tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
                cwd: self.cwd.clone(),
            };
            let seen = self.look(seeing).await?;
            self.gateway.keep(&seen, whole);
            for hidden in seen.iter().filter(|one| !one.shown) {
                anstream::eprintln!(
                    "doorward: the tool {:?} of `{}` is hidden: {}; look at it: doorward mcp pins {}",
                    hidden.name,
                    self.name,
                    visible(&hidden.why),
                    self.name
                );
            }
            let standing = |one: Seen| ToolStanding {
                shown: one.shown,
                hidden: (!one.shown).then(|| (visible(&one.name), visible(&one.why))),
                definition: one.definition,
            };
            Ok(seen.into_iter().map(standing).collect())
        })
    }

    fn offer<'a>(&'a self, offer: &'a Offer) -> Boxed<'a, Answer> {
        Box::pin(async move {
            let offering = Offering {
                server: self.server(),
                kind: match offer.kind {
                    Gated::Tool => Kind::Tool,
                    Gated::Prompt => Kind::Prompt,
                    Gated::Resource => Kind::Resource,
                },
                tool: offer.tool.clone(),
                digest: self.gateway.digest(&offer.tool).filter(|_| offer.kind == Gated::Tool),
                arguments: offer.arguments.clone(),
                call: offer.id.as_str().into(),
                cwd: self.cwd.clone(),
                roots: self.roots.clone(),
                labelled: true,
                client: self.client.clone(),
            };
            match self.offered(offering).await {
                Offered::Allowed { id, arguments } => {
                    Answer::Allowed { decision: id.into_string(), arguments }
                }
                Offered::Asked { question, message, by_client } => {
                    let waits = matches!(*self.gate, Gate::Service(_));
                    Answer::Asked { question: question.into_string(), message, by_client, waits }
                }
                Offered::Denied { code, reason } => Answer::Denied { code, reason },
            }
        })
    }

    fn wait<'a>(&'a self, question: &'a str, most: Duration) -> Boxed<'a, Waited> {
        Box::pin(async move {
            let Gate::Service(socket) = &*self.gate else {
                tokio::time::sleep(most).await;
                return Waited::Pending;
            };
            let (socket, path) =
                (socket.clone(), format!("/v1/approvals/{question}/wait?seconds={}", most.as_secs().max(1)));
            let asked =
                tokio::task::spawn_blocking(move || service::expect(&socket, "GET", &path, None)).await;
            let answer = match asked {
                Ok(Ok(answer)) => answer,
                Ok(Err(failure)) => return Waited::Denied(failure.told()),
                Err(error) => return Waited::Denied(error.to_string()),
            };
            let text = |key: &str| answer.get(key).and_then(Value::as_str);
            match text("outcome") {
                Some("allowed") => Waited::Allowed,
                Some("pending") => Waited::Pending,
                other => {
                    let how = other.unwrap_or("no answer");
                    Waited::Denied(
                        text("reason").map_or_else(|| how.to_owned(), |why| format!("{how}: {why}")),
                    )
                }
            }
        })
    }

    fn answered<'a>(&'a self, question: &'a str, yes: bool) -> Boxed<'a, Result<(), String>> {
        Box::pin(async move {
            let said = Said { question: question.into(), yes, client: self.client.clone() };
            match &*self.gate {
                Gate::Own(own) => own.answered(&said).await.map_err(|refused| refused.to_string()),
                Gate::Service(socket) => Self::ask::<Value>(socket, "/v1/mcp/answers", &said)
                    .await
                    .map(drop)
                    .map_err(|failure| failure.told()),
            }
        })
    }

    fn withdrawn<'a>(&'a self, question: &'a str) -> Boxed<'a, ()> {
        Box::pin(async move {
            match &*self.gate {
                Gate::Own(own) => own.withdrawn(question).await,
                Gate::Service(socket) => {
                    // One that was answered meanwhile can't be withdrawn, and needn't be.
                    let _ = Self::ask::<Value>(socket, "/v1/mcp/withdrawals", &json!({"question": question}))
                        .await;
                }
            }
        })
    }

    fn ended<'a>(&'a self, ended: Ended) -> Boxed<'a, Result<(), String>> {
        Box::pin(async move {
            let finished = Finished {
                id: ended.decision.into(),
                server: self.name.clone(),
                tool: ended.tool,
                ending: match ended.ending {
                    CallEnding::Ran => doorward::mcp::Ending::Ran,
                    CallEnding::Failed => doorward::mcp::Ending::Failed,
                    CallEnding::Unobserved => doorward::mcp::Ending::Unobserved,
                    CallEnding::NotSent => doorward::mcp::Ending::NotSent,
                },
                content: STANDARD.encode(&ended.content),
                bytes: ended.bytes,
                codes: ended.codes.iter().map(|code| (*code).to_owned()).collect(),
            };
            match &*self.gate {
                Gate::Own(own) => own.ended(finished).await.map_err(|refused| refused.to_string()),
                Gate::Service(socket) => Self::ask::<Value>(socket, "/v1/mcp/ends", &finished)
                    .await
                    .map(drop)
                    .map_err(|failure| failure.told()),
            }
        })
    }

    fn came<'a>(&'a self, came: Came) -> Boxed<'a, Result<(), String>> {
        Box::pin(async move {
            let said = doorward::mcp::Came {
                server: self.name.clone(),
                method: came.method,
                content: STANDARD.encode(&came.content),
                codes: came.codes.iter().map(|code| (*code).to_owned()).collect(),
                asked: came.asked,
                client: self.client.clone(),
            };
            match &*self.gate {
                Gate::Own(own) => own.came(&said).map_err(|refused| refused.to_string()),
                Gate::Service(socket) => Self::ask::<Value>(socket, "/v1/mcp/contents", &said)
                    .await
                    .map(drop)
                    .map_err(|failure| failure.told()),
            }
        })
    }

    fn fault(&self, code: &str, message: &str) {
        anstream::eprintln!("doorward: {}: {} ({code})", self.name, visible(message));
        match &*self.gate {
            Gate::Own(own) => {
                if let Some(records) = own.door().records() {
                    records.fault(code, message, &[("server", self.name.clone())]);
                }
            }
            Gate::Service(socket) => {
                let socket = socket.clone();
                let body = json!({"server": self.name, "code": code, "message": message});
                tokio::task::spawn_blocking(move || {
                    // Told on standard error already; the record is the service's.
                    let _ = service::call(&socket, "POST", "/v1/mcp/faults", Some(&body));
                });
            }
        }
    }
}
