//! The only way out of the network namespace.
//!
//! A socket belongs to the namespace it was made in, whichever process holds it. Init listens on loopback inside
//! and passes the listener out; here, outside, each connection is joined to the egress proxy's Unix socket. No code
//! of the relay runs inside, and no descriptor can pass through it (one side is TCP).

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Limit on concurrent connections of one run; further ones are closed at once.
const MOST: usize = 128;
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A running relay; stops when dropped.
#[derive(Debug)]
pub(crate) struct Relay {
    stop: Arc<AtomicBool>,
}

impl Relay {
    /// Forwards connections at `listener` to the socket at `proxy`.
    pub(crate) fn start(listener: TcpListener, proxy: PathBuf) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        thread::Builder::new().name("sandbox-relay".into()).spawn(move || {
            let open = Arc::new(AtomicUsize::new(0));
            while !stopped.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((inside, _)) if open.load(Ordering::Relaxed) < MOST => {
                        join(inside, &proxy, Arc::clone(&open));
                    }
                    Ok(_) => {}
                    Err(_) => thread::sleep(LOOK_EVERY),
                }
            }
        })?;
        Ok(Self { stop })
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Copies both directions of one connection until both ends are done. The end of the run closes its side.
fn join(inside: TcpStream, proxy: &PathBuf, open: Arc<AtomicUsize>) {
    let Ok(outside) = UnixStream::connect(proxy) else { return };
    let blocking = inside.set_nonblocking(false);
    let copies = (inside.try_clone(), outside.try_clone());
    let (Ok(()), (Ok(inside_again), Ok(outside_again))) = (blocking, copies) else { return };
    open.fetch_add(1, Ordering::Relaxed);
    let up = thread::Builder::new().name("sandbox-relay-up".into()).spawn(move || {
        pass(inside_again, &outside_again);
        let _ = outside_again.shutdown(Shutdown::Write);
    });
    let down = thread::Builder::new().name("sandbox-relay-down".into()).spawn(move || {
        pass(outside, &inside);
        let _ = inside.shutdown(Shutdown::Write);
        if let Ok(up) = up {
            let _ = up.join();
        }
        open.fetch_sub(1, Ordering::Relaxed);
    });
    drop(down);
}

fn pass(mut from: impl Read, mut to: impl Write) {
    let mut buffer = [0; 16 << 10];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) if to.write_all(buffer.get(..length).unwrap_or_default()).is_ok() => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            _ => return,
        }
    }
}
