//! Relays between two pairs of pipes, to a client and a server that exchange lines.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use doorward_core::Boxed;
use tokio::io::{AsyncRead, AsyncWrite};

use super::{Relay, Route, Side, Via};
use crate::frame::{Frames, LineFrame, Sink};

/// How long to wait for answers of the server after the client is gone.
const AFTER_CLIENT: Duration = Duration::from_secs(2);

/// The writing ends of both sides: the single route between them.
pub struct Pipes<C, S> {
    to_client: Sink<C>,
    to_server: Sink<S>,
}

impl<C, S> Pipes<C, S>
where
    C: AsyncWrite + Unpin + Send + 'static,
    S: AsyncWrite + Unpin + Send + 'static,
{
    /// Uses the writing ends of both sides.
    pub fn new(to_client: C, to_server: S) -> Arc<Self> {
        Arc::new(Self { to_client: Sink::new(to_client), to_server: Sink::new(to_server) })
    }
}

impl<C, S> Route for Pipes<C, S>
where
    C: AsyncWrite + Unpin + Send + 'static,
    S: AsyncWrite + Unpin + Send + 'static,
{
    fn to_client<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(self.to_client.send(text))
    }

    fn forward<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(self.to_server.send(text))
    }

    fn ask_server<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(self.to_server.send(text))
    }
}

/// A connection to a client or server, for sending.
pub trait Outlet: Send + Sync {
    /// Sends a message. An error means that it never arrived.
    fn send<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>>;
}

impl<W: AsyncWrite + Unpin + Send> Outlet for Sink<W> {
    fn send<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(Sink::send(self, text))
    }
}

/// A route made of two outlets.
pub struct Pair {
    /// Towards the client.
    pub client: Arc<dyn Outlet>,
    /// Towards the server.
    pub server: Arc<dyn Outlet>,
}

impl Route for Pair {
    fn to_client<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        self.client.send(text)
    }

    fn forward<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        self.server.send(text)
    }

    fn ask_server<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        self.server.send(text)
    }
}

impl Relay {
    /// Forwards messages between pipes until one side is gone, then closes everything that is open.
    ///
    /// # Errors
    /// Those of the streams.
    pub async fn run<C, S>(
        self: &Arc<Self>,
        pipes: Arc<Pipes<C, S>>,
        from_client: impl AsyncRead + Unpin + Send + 'static,
        from_server: impl AsyncRead + Unpin + Send + 'static,
    ) -> io::Result<Side>
    where
        C: AsyncWrite + Unpin + Send + 'static,
        S: AsyncWrite + Unpin + Send + 'static,
    {
        let via: Via = Arc::clone(&pipes) as Via;
        let mut client = tokio::spawn(Arc::clone(self).read_client(Arc::clone(&via), from_client));
        let mut server = tokio::spawn(Arc::clone(self).read_server(Some(via), from_server));
        let ended = tokio::select! {
            _ = &mut client => Side::Client,
            _ = &mut server => Side::Server,
        };
        self.stop_questions().await;
        self.withdraw_seals().await;
        if ended == Side::Client {
            let _ = pipes.to_server.close().await;
            let _ = tokio::time::timeout(AFTER_CLIENT, &mut server).await;
        }
        client.abort();
        server.abort();
        self.close(ended).await;
        Ok(ended)
    }

    /// Handles the client's lines until it is gone.
    pub async fn read_client(self: Arc<Self>, via: Via, from: impl AsyncRead + Unpin + Send) {
        let mut frames = Frames::new(from);
        while let Ok(Some(frame)) = frames.next().await {
            let done = match frame {
                LineFrame::Line(text) => self.from_client(&via, text).await,
                broken => self.broken_from_client(&via, &broken).await,
            };
            if done.is_err() {
                return;
            }
        }
    }

    /// Handles the server's lines until it is gone. Without a route, [`Relay::route_of`] chooses one for each
    /// message.
    pub async fn read_server(self: Arc<Self>, via: Option<Via>, from: impl AsyncRead + Unpin + Send) {
        let mut frames = Frames::new(from);
        while let Ok(Some(frame)) = frames.next().await {
            match frame {
                LineFrame::Line(text) => {
                    if self.from_server(via.as_ref(), text).await.is_err() && via.is_some() {
                        return;
                    }
                }
                broken => self.broken_from_server(&broken).await,
            }
        }
    }
}
