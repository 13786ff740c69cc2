//! The MCP gateway over HTTP. [`doorward_mcp::relay`] knows messages and decides nothing about transports; here are the
//! transports: [`listen`] takes clients in, [`upstream`] reaches a server, [`proxy`] joins the two without changing
//! what neither side has to change, [`sessions`] stands before a server that speaks on pipes (or that a [`bridge`]
//! reaches), and [`bridge`] carries the messages of a client on pipes to a server over HTTP.

pub mod bridge;
mod exchange;
mod guard;
mod headed;
pub mod listen;
pub mod proxy;
mod pump;
pub mod sessions;
pub mod upstream;

pub use bridge::Bridge;
pub use listen::{Front, Listening};
pub use proxy::Proxy;
pub use sessions::{Link, Links, Sessions};
pub use upstream::{BadAddress, Upstream};

/// Longest body of a message in bytes.
pub const LONGEST: usize = doorward_mcp::frame::LONGEST;
