//! Serving HTTP on a listener so that nobody closes the door for others.
//!
//! Connections are counted by peer, by user and in all; whose program is at the other end of a connection to the port,
//! the kernel is asked. One that says nothing is ended after [`HEAD`], and gives way sooner when a new one needs its
//! place, as does one whose request hasn't arrived whole: a flood of silent or slow connections delays nobody. The
//! Unix socket has places of its own, so that whatever happens on the port, hooks are answered. A socket that
//! vanished from its path is bound again.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use doorward::hook::Peer;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::{Notify, watch};
use tower_service::Service as _;

use crate::api::{Arrived, Caller};
use crate::listen::bind_unix;
use crate::tls::Secured;

/// How long a peer may take to send a request's head.
const HEAD: Duration = Duration::from_secs(10);
/// How often it is looked whether a socket is still at its path.
const LOOK: Duration = Duration::from_secs(1);

/// How many connections are open at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places {
    /// Of all peers.
    pub(crate) all: usize,
    /// Of one peer: a process on the Unix socket, a user on the port.
    pub(crate) each: usize,
    /// Of one user of this machine.
    pub(crate) user: usize,
}

/// Places on the Unix socket.
pub(crate) const LOCAL: Places = Places { all: 1_024, each: 128, user: 640 };
/// Places on the port. A console or an agent holds a few, streams included.
pub(crate) const PORT: Places = Places { all: 1_536, each: 512, user: 512 };

/// Where connections come from.
pub(crate) trait Source: Send + 'static {
    type Io: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// The next connection, with who is at its other end. Errors of one connection are not errors of the source.
    fn next(&mut self) -> impl Future<Output = (Self::Io, Caller)> + Send;
}

/// A Unix socket that is bound again when its path is gone.
pub(crate) struct Socket {
    path: PathBuf,
    listener: UnixListener,
    identity: Option<(u64, u64)>,
}

impl Socket {
    /// A listener that is to be found at `path`, and lies at `now` until it is moved there.
    pub(crate) fn new(path: &Path, listener: UnixListener, now: &Path) -> Self {
        Self { path: path.to_owned(), listener, identity: identity(now) }
    }

    fn bind_again(&mut self) {
        if identity(&self.path).is_some() {
            // Still ours, or another service took the place: it answers, so this one has nothing to mend.
            return;
        }
        match bind_unix(&self.path) {
            Ok(bound) => {
                tracing::warn!("{} was removed; it is bound again", self.path.display());
                *self = bound;
            }
            Err(error) => tracing::error!("{} was removed and can't be bound: {error}", self.path.display()),
        }
    }
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    std::fs::symlink_metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

impl Source for Socket {
    type Io = tokio::net::UnixStream;

    async fn next(&mut self) -> (Self::Io, Caller) {
        loop {
            tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        let caller = match stream.peer_cred() {
                            Ok(peer) => Caller::Local(Peer { uid: peer.uid(), pid: peer.pid() }),
                            Err(_) => Caller::Network(None),
                        };
                        return (stream, caller);
                    }
                    Err(error) => wait_after(&error).await,
                },
                () = tokio::time::sleep(LOOK) => {
                    if identity(&self.path) != self.identity {
                        self.bind_again();
                    }
                }
            }
        }
    }
}

impl Source for TcpListener {
    type Io = tokio::net::TcpStream;

    async fn next(&mut self) -> (Self::Io, Caller) {
        loop {
            match self.accept().await {
                Ok((stream, peer)) => {
                    let caller = caller_of(&stream, peer);
                    return (stream, caller);
                }
                Err(error) => wait_after(&error).await,
            }
        }
    }
}

impl Source for Secured {
    type Io = tokio_rustls::server::TlsStream<tokio::net::TcpStream>;

    async fn next(&mut self) -> (Self::Io, Caller) {
        self.accepted().await
    }
}

/// Whose program a connection to the port comes from.
pub(crate) fn caller_of(stream: &tokio::net::TcpStream, peer: SocketAddr) -> Caller {
    Caller::Network(stream.local_addr().ok().and_then(|own| doorward::rooms::mcp_http::user_at(peer, own)))
}

/// Out of descriptors, or the peer is gone already: what is open goes on.
async fn wait_after(error: &io::Error) {
    tracing::debug!("{error}");
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// Serves requests until `stop` says so, then lets the ones under way end.
pub(crate) async fn serve(
    mut source: impl Source,
    router: Router,
    places: Places,
    mut stop: watch::Receiver<bool>,
) {
    let book = Arc::new(Book::new(places));
    let mut connections = tokio::task::JoinSet::new();
    loop {
        let (stream, caller) = tokio::select! {
            accepted = source.next() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        while connections.try_join_next().is_some() {}
        // Dropped where there is no place: the peer holds too many already.
        let Some(place) = book.place(caller) else { continue };
        connections.spawn(connection(stream, caller, router.clone(), place, stop.clone()));
    }
    drop(source);
    while connections.join_next().await.is_some() {}
}

async fn connection(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    caller: Caller,
    router: Router,
    place: Place,
    mut stop: watch::Receiver<bool>,
) {
    let arrived = Arrived(Arc::clone(&place.held.spoke));
    let answer = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(caller));
        request.extensions_mut().insert(arrived.clone());
        router.clone().call(request)
    });
    let mut serving = std::pin::pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .serve_connection(TokioIo::new(stream), answer)
            .with_upgrades()
    );
    let ended = async move {
        let _ = stop.wait_for(|stop| *stop).await;
    };
    tokio::select! {
        // A peer that broke off is nobody's error.
        _ = serving.as_mut() => return,
        () = place.gives_way() => return,
        () = ended => serving.as_mut().graceful_shutdown(),
    }
    let _ = serving.await;
}

/// Who holds which place.
pub(crate) struct Book {
    places: Places,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    all: usize,
    of: HashMap<PeerKey, usize>,
    of_user: HashMap<Option<u32>, usize>,
    /// Every open connection, the oldest first; those that are gone are cleared away as they come up.
    order: VecDeque<std::sync::Weak<Held>>,
}

/// A process of a user on the Unix socket, a user on the port, or nobody that the kernel knows.
type PeerKey = Option<(u32, Option<i32>)>;

/// What is known of an open connection.
struct Held {
    /// It sent a whole request.
    spoke: Arc<AtomicBool>,
    /// Its place is needed.
    give_way: Notify,
}

/// A place that is held, given back when it is dropped.
pub(crate) struct Place {
    held: Arc<Held>,
    key: PeerKey,
    book: Arc<Book>,
}

impl Book {
    pub(crate) fn new(places: Places) -> Self {
        Self { places, state: Mutex::default() }
    }

    /// A place for a connection of this caller; `None` where it holds too many.
    pub(crate) fn place(self: &Arc<Self>, caller: Caller) -> Option<Place> {
        let key = match caller {
            Caller::Local(peer) => Some((peer.uid, peer.pid)),
            Caller::Network(user) => user.map(|uid| (uid, None)),
        };
        let user = key.map(|(uid, _)| uid);
        let mut state = self.lock();
        let held_by_peer = state.of.get(&key).copied().unwrap_or_default();
        let held_by_user = state.of_user.get(&user).copied().unwrap_or_default();
        if held_by_peer >= self.places.each || held_by_user >= self.places.user {
            return None;
        }
        if state.all >= self.places.all && !state.silent_one_gives_way() {
            return None;
        }
        let held = Arc::new(Held { spoke: Arc::default(), give_way: Notify::new() });
        state.all += 1;
        *state.of.entry(key).or_default() += 1;
        *state.of_user.entry(user).or_default() += 1;
        state.order.retain(|held| held.strong_count() > 0);
        state.order.push_back(Arc::downgrade(&held));
        Some(Place { held, key, book: Arc::clone(self) })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // Counts are changed in one go, so a poisoned book is still whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Ends the oldest connection that has said nothing yet.
    fn silent_one_gives_way(&mut self) -> bool {
        let silent = |held: &Arc<Held>| !held.spoke.swap(true, Ordering::Relaxed);
        let found = self.order.iter().filter_map(std::sync::Weak::upgrade).find(silent);
        if let Some(held) = &found {
            held.give_way.notify_one();
        }
        found.is_some()
    }
}

impl Place {
    /// Resolves when the place is needed for another connection.
    pub(crate) async fn gives_way(&self) {
        self.held.give_way.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.book.lock();
        state.all = state.all.saturating_sub(1);
        give_back(&mut state.of, &self.key);
        give_back(&mut state.of_user, &self.key.map(|(uid, _)| uid));
    }
}

/// One less for a key, which is forgotten with its last one.
fn give_back<K: Eq + std::hash::Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            counts.remove(key);
        }
    }
}

/// Raises the limit of open files as far as this process may, so that descriptors don't run out before places do.
pub(crate) fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_connection_gives_way_and_a_peer_has_its_share() {
        let book = Arc::new(Book::new(Places { all: 3, each: 2, user: 9 }));
        let peer = |pid| Caller::Local(Peer { uid: 1_000, pid: Some(pid) });
        let first = book.place(peer(1)).unwrap();
        let second = book.place(peer(1)).unwrap();
        assert!(book.place(peer(1)).is_none(), "a third of one peer");
        second.held.spoke.store(true, Ordering::Relaxed);
        let third = book.place(peer(2)).unwrap();
        third.held.spoke.store(true, Ordering::Relaxed);
        let fourth = book.place(peer(3)).expect("the silent first one gives way");
        assert!(first.held.spoke.load(Ordering::Relaxed), "asked to go, once");
        fourth.held.spoke.store(true, Ordering::Relaxed);
        assert!(book.place(peer(4)).is_none(), "all others are at work");
        drop((first, second));
        assert!(book.place(peer(4)).is_some());
    }

    #[test]
    fn one_user_holds_its_share_by_however_many_processes_and_leaves_the_rest_to_others() {
        let places = Places { all: 8, each: 2, user: 4 };
        let on_socket = |uid, pid| Caller::Local(Peer { uid, pid: Some(pid) });
        for caller in [&on_socket as &dyn Fn(u32, i32) -> Caller, &|uid, _| Caller::Network(Some(uid))] {
            let book = Arc::new(Book::new(places));
            let speak = |place: Place| {
                place.held.spoke.store(true, Ordering::Relaxed);
                place
            };
            let flood: Vec<Place> =
                (0..100).filter_map(|pid| book.place(caller(1_001, pid))).map(speak).collect();
            assert!(flood.len() <= places.user, "{}", flood.len());
            let own: Vec<Place> = (0..2).filter_map(|pid| book.place(caller(1_000, pid))).collect();
            assert_eq!(own.len(), 2, "another user is served as ever");
            drop(flood);
            assert_eq!(book.lock().of_user.len(), 1);
        }
    }

    #[tokio::test]
    async fn the_kernel_tells_whose_connection_it_is() {
        let mut listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let client = tokio::net::TcpStream::connect(address).await.unwrap();
        let (_accepted, caller) = listener.next().await;
        assert_eq!(caller, Caller::Network(Some(rustix::process::getuid().as_raw())));
        drop(client);
    }
}
