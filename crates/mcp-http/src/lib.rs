//! The MCP gateway over HTTP. [`doorward_mcp::relay`] judges messages and knows nothing of transports; this crate has
//! the transports. [`listen`] accepts clients. [`upstream`] is the connection to a server. [`proxy`] joins a client and
//! a server that both speak HTTP. [`sessions`] serves clients over HTTP from a server on pipes, or from one behind a
//! [`bridge`]. [`bridge`] carries the messages of a client on pipes to a server over HTTP.

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

/// Longest body of a message in bytes.
pub const LONGEST: usize = doorward_mcp::frame::LONGEST;
