//! The MCP gateway over HTTP. [`doorward_mcp::relay`] judges messages and knows nothing of transports, which are
//! here. [`listen`] accepts clients. [`upstream`] is the connection to a server. [`proxy`] joins a client and a
//! server that both speak HTTP. [`sessions`] serves clients over HTTP from a server on pipes, or from one behind a
//! [`bridge`]. [`bridge`] carries the messages of a client on pipes to a server over HTTP.

/// A list of texts, as many a line as fit.
macro_rules! words {
    ($($word:literal)*) => {
        &[$($word),*]
    };
}

pub mod bridge;
mod exchange;
mod guard;
mod headed;
pub mod listen;
mod owner;
pub mod proxy;
mod pump;
pub mod sessions;
mod socket;
pub mod upstream;

pub use bridge::Bridge;
pub use listen::{Front, Listening};
pub use proxy::Proxy;
pub use sessions::{Link, Links, Sessions};
pub use upstream::{BadAddress, ServerKey, Upstream};

/// The user who owns the open socket at `local` that is connected to `remote`, as the kernel reports; `None` if
/// there is no such socket, it is closed, or the kernel can't be asked about a single socket.
#[must_use]
pub fn user_at(local: std::net::SocketAddr, remote: std::net::SocketAddr) -> Option<u32> {
    socket::asked(local, remote).map(|socket| socket.user)
}

/// Longest body of a message in bytes.
pub const LONGEST: usize = doorward_mcp::frame::LONGEST;
