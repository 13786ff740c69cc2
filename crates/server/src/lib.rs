//! The service: HTTP API, events, approvals and the embedded console.
//!
//! Two doors, one API. The Unix socket (0600) tells who is calling by the kernel's word: the same user is a trusted
//! local caller. The loopback port knows callers by token only. Hooks come in through the socket alone.

mod agents;
mod api;
mod approvals;
mod console;
mod egress;
mod listen;
mod metrics;
mod policies;
mod rate;
mod records;
mod sign_in;
mod who;

pub use listen::{ListenError, Options, serve};
pub use sign_in::login_link;
