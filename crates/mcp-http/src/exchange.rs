//! The HTTP answer to one request of a client. It is one JSON document if the answer is the first message, and an
//! event stream otherwise.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use doorward_core::Boxed;
use doorward_mcp::message::{Kind, Message};
use doorward_mcp::relay::Outlet;
use doorward_mcp::sse::Event;
use hyper::body::{Body, Bytes, Frame};
use hyper::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::Value;
use tokio::sync::{Mutex, mpsc};

/// Limit on parts buffered for a slow client; then the writer waits.
const WAITING: usize = 32;

enum AnswerPiece {
    Head(StatusCode, HeaderMap),
    Data(Bytes),
    End,
}

/// State of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Open,
    Events,
    Done,
}

/// The writing half of an answer.
pub(crate) struct Exchange {
    out: mpsc::Sender<AnswerPiece>,
    shape: Mutex<Shape>,
    /// Headers to add to the answer, such as the id of a new session.
    own: HeaderMap,
    /// The revision without sessions (2026-07-28): errors have an HTTP status of their own.
    stateless: bool,
}

/// The reading half.
pub(crate) struct Answer(mpsc::Receiver<AnswerPiece>);

fn gone() -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}

impl Exchange {
    pub(crate) fn new(own: HeaderMap, stateless: bool) -> (Arc<Self>, Answer) {
        let (out, pieces) = mpsc::channel(WAITING);
        (Arc::new(Self { out, shape: Mutex::new(Shape::Open), own, stateless }), Answer(pieces))
    }

    /// Waits until the reader of the answer is gone: the client disconnected, or has all of it.
    pub(crate) async fn gone(&self) {
        self.out.closed().await;
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.out.is_closed()
    }

    async fn put(&self, piece: AnswerPiece) -> io::Result<()> {
        self.out.send(piece).await.map_err(|_| gone())
    }

    async fn head(&self, status: StatusCode, mut headers: HeaderMap) -> io::Result<()> {
        headers.extend(self.own.clone());
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        self.put(AnswerPiece::Head(status, headers)).await
    }

    /// Sends the whole answer; on a stream, as its last event.
    pub(crate) async fn whole(
        &self,
        status: StatusCode,
        mut headers: HeaderMap,
        body: &str,
    ) -> io::Result<()> {
        let mut shape = self.shape.lock().await;
        match *shape {
            Shape::Done => return Err(gone()),
            Shape::Events => self.put(AnswerPiece::Data(Event::of(body).with_data(body).into())).await?,
            Shape::Open => {
                headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
                self.head(status, headers).await?;
                if !body.is_empty() {
                    self.put(AnswerPiece::Data(Bytes::copy_from_slice(body.as_bytes()))).await?;
                }
            }
        }
        *shape = Shape::Done;
        self.put(AnswerPiece::End).await
    }

    /// Sends a JSON document written by the gateway.
    pub(crate) async fn json(&self, status: StatusCode, body: &str) -> io::Result<()> {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        self.whole(status, headers, body).await
    }

    /// Starts a stream with the server's response headers, unless one was started.
    pub(crate) async fn stream(&self, headers: HeaderMap) -> io::Result<()> {
        let mut shape = self.shape.lock().await;
        if *shape == Shape::Open {
            self.head(StatusCode::OK, headers).await?;
            *shape = Shape::Events;
        }
        Ok(())
    }

    /// Sends one event, given as its lines.
    pub(crate) async fn event(&self, lines: String) -> io::Result<()> {
        self.stream(HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"))]))
            .await?;
        let shape = self.shape.lock().await;
        if *shape == Shape::Done {
            return Err(gone());
        }
        self.put(AnswerPiece::Data(lines.into())).await
    }

    /// Ends the answer. If nothing was sent, the answer is `status` alone.
    pub(crate) async fn finish(&self, status: StatusCode) {
        let mut shape = self.shape.lock().await;
        if *shape == Shape::Open {
            let headers = HeaderMap::from_iter([(CONTENT_LENGTH, HeaderValue::from_static("0"))]);
            let _ = self.head(status, headers).await;
        }
        if *shape != Shape::Done {
            *shape = Shape::Done;
            let _ = self.put(AnswerPiece::End).await;
        }
    }
}

impl Outlet for Exchange {
    /// Sends a message of the gateway: an answer as a document, others as an event of a stream.
    fn send<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(async move {
            let message = Message::of(text);
            match &message {
                Ok(message) if message.kind != Kind::Answer => {
                    self.event(Event::of(text).with_data(text)).await
                }
                Ok(message) if self.stateless => self.json(status_of(message), text).await,
                _ => self.json(StatusCode::OK, text).await,
            }
        })
    }
}

/// The HTTP status of an answer in the revision without sessions.
fn status_of(message: &Message<'_>) -> StatusCode {
    let error =
        message.members.get("error").and_then(|error| serde_json::from_str::<Value>(error.get()).ok());
    match error.and_then(|error| error.get("code")?.as_i64()) {
        Some(-32601) => StatusCode::NOT_FOUND,
        Some(-32602 | -32600 | -32022..=-32020) => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

impl Answer {
    /// Waits for status and headers.
    pub(crate) async fn response(mut self) -> Response<Outflow> {
        match self.0.recv().await {
            Some(AnswerPiece::Head(status, headers)) => {
                let mut response = Response::new(Outflow(Source::Pieces(self.0)));
                *response.status_mut() = status;
                *response.headers_mut() = headers;
                response
            }
            _ => status(StatusCode::BAD_GATEWAY),
        }
    }
}

/// The body of an answer.
pub struct Outflow(Source);

enum Source {
    Pieces(mpsc::Receiver<AnswerPiece>),
    Text(Option<Bytes>),
}

impl Body for Outflow {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut self.0 {
            Source::Text(text) => Poll::Ready(text.take().map(|text| Ok(Frame::data(text)))),
            Source::Pieces(pieces) => pieces.poll_recv(context).map(|piece| match piece {
                Some(AnswerPiece::Data(data)) => Some(Ok(Frame::data(data))),
                _ => None,
            }),
        }
    }
}

/// An answer with a status and no body.
pub(crate) fn status(status: StatusCode) -> Response<Outflow> {
    let mut response = Response::new(Outflow(Source::Text(None)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    response
}

/// A JSON-RPC error as an answer.
pub(crate) fn error(code: StatusCode, id: &str, rpc: i64, why: &str) -> Response<Outflow> {
    let text = doorward_mcp::message::error(id, rpc, why);
    let mut response = Response::new(Outflow(Source::Text(Some(Bytes::from(text)))));
    *response.status_mut() = code;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
