//! The sockets that agents may reach, also from inside our own sandbox: hooks' events on one, tickets on the other.
//!
//! Nothing behind them answers questions, reads the ledger or changes anything: who is at the other end is told by the
//! kernel, and what runs is told by the ticket alone.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path as Captured, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use doorward::Door;
use doorward::bind::{self, Line};
use doorward::hook::{self, Peer};
use doorward::rooms::core::tool::Client;
use doorward::rooms::hooks::ticket::{self, EXEC_SOCKET, Frame, HOOK_SOCKET};
use doorward::rooms::sandbox::Stream;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::api::{Caller, problem, time_left};
use crate::connections::{self, LOCAL, Socket, Source as _};
use crate::listen::{ListenError, bind_unix};

/// Longest event that is read.
const MAX_EVENT: usize = 8 * 1024 * 1024;
/// How long a client may take to present its ticket.
const PRESENT: Duration = Duration::from_secs(10);
/// Pieces of input that wait for a program that doesn't read; past it the run is given up.
const MOST_INPUT: usize = 1_024;
/// Bytes of output in one frame.
const PIECE: usize = 64 * 1024;
/// How often it is looked for tickets that nobody used.
const SWEEP: Duration = Duration::from_secs(1);

/// Opens both sockets below `state` and serves them until the set is dropped.
pub(crate) fn open(
    door: &Arc<Door>,
    state: &Path,
    stop: watch::Receiver<bool>,
) -> Result<JoinSet<()>, ListenError> {
    let folder = ticket::agents(state);
    let failed = |source| ListenError::Listen { what: folder.display().to_string(), source };
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(failed)?;
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).map_err(failed)?;
    let hooks = bind_unix(&folder.join(HOOK_SOCKET))?;
    let tickets = bind_unix(&folder.join(EXEC_SOCKET))?;
    let mut tasks = JoinSet::new();
    let router = Router::new()
        .route("/v1/hook/{client}", post(hook_event))
        .layer(DefaultBodyLimit::max(MAX_EVENT))
        .with_state(Arc::clone(door));
    tasks.spawn(connections::serve(hooks, router, LOCAL, stop));
    tasks.spawn(accept(tickets, Arc::clone(door)));
    let door = Arc::clone(door);
    tasks.spawn(async move {
        loop {
            tokio::time::sleep(SWEEP).await;
            bind::sweep(&door, None).await;
            doorward::mcp::sweep(&door).await;
        }
    });
    Ok(tasks)
}

async fn hook_event(
    State(door): State<Arc<Door>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Captured(client): Captured<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Caller::Local(peer) = caller else {
        return problem(StatusCode::FORBIDDEN, "service.local_only", "hooks come in through the socket");
    };
    let Some(client) = Client::from_word(&client) else {
        return problem(StatusCode::NOT_FOUND, "service.unknown_client", "no such client");
    };
    let left = time_left(&headers);
    axum::Json(hook::answer(&door, own(peer), client, &body, left).await).into_response()
}

/// Only our own user can open the folder these sockets are in, and our sandbox puts them where an agent of that user
/// runs under another number.
fn own(peer: Peer) -> Peer {
    Peer { uid: rustix::process::getuid().as_raw(), ..peer }
}

async fn accept(mut tickets: Socket, door: Arc<Door>) {
    loop {
        let (stream, caller) = tickets.next().await;
        // Nobody without credentials has a ticket.
        let Caller::Local(peer) = caller else { continue };
        let door = Arc::clone(&door);
        tokio::spawn(async move {
            // Whoever breaks off has ended the run; there is nobody to tell.
            let _ = serve(stream, own(peer), &door).await;
        });
    }
}

/// One presentation, from the ticket to the end of its run.
async fn serve(stream: UnixStream, peer: Peer, door: &Arc<Door>) -> io::Result<()> {
    let (mut from, mut to) = stream.into_split();
    let first = tokio::time::timeout(PRESENT, read(&mut from)).await?;
    let Some(Frame::Present(presented)) = first? else { return Err(io::ErrorKind::InvalidData.into()) };
    let (input, mut feed) = if presented.input { pipe_pair()? } else { (None, None) };

    let (gone, hears_gone) = watch::channel(false);
    let gone = Arc::new(gone);
    let (pieces, mut waiting) = mpsc::channel::<Vec<u8>>(MOST_INPUT);
    let writer = tokio::spawn(async move {
        while let Some(piece) = waiting.recv().await {
            let Some(pipe) = &mut feed else { continue };
            if piece.is_empty() || pipe.write_all(&piece).await.is_err() {
                feed = None;
            }
        }
    });
    let lost = Arc::clone(&gone);
    let reader = tokio::spawn(async move {
        while let Ok(Some(Frame::Input(piece))) = read(&mut from).await {
            if pieces.try_send(piece).is_err() {
                break;
            }
        }
        lost.send_replace(true);
    });
    let (frames, mut told) = mpsc::channel::<Frame>(64);
    let speaker = tokio::spawn(async move {
        while let Some(frame) = told.recv().await {
            if to.write_all(&frame.bytes()).await.is_err() {
                gone.send_replace(true);
                return;
            }
        }
    });
    let outward = frames.clone();
    let output = Box::new(move |stream, bytes: Vec<u8>| {
        for piece in bytes.chunks(PIECE) {
            let piece = piece.to_vec();
            let frame = if stream == Stream::Out { Frame::Out(piece) } else { Frame::Err(piece) };
            // Nobody listens any more: the run is being ended already.
            let _ = outward.blocking_send(frame);
        }
    });
    let ended = bind::exec(door, peer, presented, Line { output, input, gone: hears_gone }).await;
    let _ = frames.send(Frame::End(ended)).await;
    drop(frames);
    let _ = speaker.await;
    reader.abort();
    writer.abort();
    Ok(())
}

/// The program's end and ours.
fn pipe_pair() -> io::Result<(Option<OwnedFd>, Option<pipe::Sender>)> {
    let (read, write) = io::pipe()?;
    Ok((Some(OwnedFd::from(read)), Some(pipe::Sender::from_owned_fd(OwnedFd::from(write))?)))
}

async fn read(stream: &mut (impl tokio::io::AsyncRead + Unpin)) -> io::Result<Option<Frame>> {
    let mut head = [0; 5];
    match stream.read_exact(&mut head).await {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let mut body = vec![0; Frame::length(head)?];
    stream.read_exact(&mut body).await?;
    Frame::of(head, body).map(Some)
}
