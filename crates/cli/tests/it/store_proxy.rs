//! A TCP way to a database on a Unix socket that fails as networks do: it refuses, or takes everything and says
//! nothing.

use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the way does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Open = 0,
    /// Connections are taken, and nothing goes either way.
    Silent = 1,
    /// Open connections end, and no new one is taken.
    Refusing = 2,
}

pub(crate) struct StoreProxy {
    port: u16,
    way: Arc<AtomicU8>,
    listener: Arc<Mutex<Option<TcpListener>>>,
    target: PathBuf,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl StoreProxy {
    pub(crate) fn to(target: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let proxy = Self {
            port,
            way: Arc::default(),
            listener: Arc::new(Mutex::new(None)),
            target: target.to_owned(),
            open: Arc::default(),
        };
        proxy.listen(listener);
        proxy
    }

    pub(crate) fn url(&self) -> String {
        format!("postgres://doorward@127.0.0.1:{}/postgres?sslmode=disable", self.port)
    }

    pub(crate) fn set(&self, way: Way) {
        let before = self.way.swap(way as u8, Ordering::SeqCst);
        if way == Way::Refusing {
            self.listener.lock().unwrap().take();
            // Wakes the thread that accepts, whose listener closes with it.
            let _ = TcpStream::connect(("127.0.0.1", self.port));
            for stream in self.open.lock().unwrap().drain(..) {
                let _ = stream.shutdown(Shutdown::Both);
            }
        } else if before == Way::Refusing as u8 {
            let listener = (0..100).find_map(|_| {
                std::thread::sleep(Duration::from_millis(20));
                TcpListener::bind(("127.0.0.1", self.port)).ok()
            });
            self.listen(listener.expect("the port is free again"));
        }
    }

    fn listen(&self, listener: TcpListener) {
        *self.listener.lock().unwrap() = Some(listener.try_clone().unwrap());
        let (way, open, target) = (Arc::clone(&self.way), Arc::clone(&self.open), self.target.clone());
        std::thread::spawn(move || {
            while let Ok((client, _)) = listener.accept() {
                if way.load(Ordering::SeqCst) == Way::Refusing as u8 {
                    return;
                }
                open.lock().unwrap().push(client.try_clone().unwrap());
                let (way, target) = (Arc::clone(&way), target.clone());
                std::thread::spawn(move || {
                    // Whoever comes while nothing is said hears nothing, until it is.
                    while way.load(Ordering::SeqCst) == Way::Silent as u8 {
                        std::thread::sleep(Duration::from_millis(10));
                    }
                    let Ok(server) = UnixStream::connect(&target) else { return };
                    let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                    let back = Arc::clone(&way);
                    std::thread::spawn(move || pump(from, to, &way));
                    pump(server, client, &back);
                });
            }
        });
    }
}

/// Copies until either end is closed; holds everything back while the way is silent.
fn pump(mut from: impl std::io::Read, mut to: impl std::io::Write, way: &AtomicU8) {
    let mut buffer = [0; 16 << 10];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        while way.load(Ordering::SeqCst) == Way::Silent as u8 {
            std::thread::sleep(Duration::from_millis(10));
        }
        if way.load(Ordering::SeqCst) == Way::Refusing as u8 || to.write_all(&buffer[..length]).is_err() {
            return;
        }
    }
}
