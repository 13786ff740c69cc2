//! The service: HTTP API, events, approvals and the embedded console.
//!
//! Two doors, one API. The Unix socket (0600) tells who is calling by the kernel's word: the same user is a trusted
//! local caller. The loopback port knows callers by token only. Hooks come in through the socket alone.

mod access;
mod admin;
mod agents;
mod api;
mod approvals;
mod authzen;
mod body;
mod calls;
mod connections;
mod console;
mod edit;
mod egress;
mod experiences;
mod failures;
mod guardian_setup;
mod in_force;
mod listen;
mod mcp;
mod metrics;
mod notices;
mod outcomes;
mod overview;
mod policies;
mod rate;
mod records;
mod reviews;
mod routes;
mod rules;
mod runs;
mod settings;
mod sign_in;
mod socket;
mod tally;
mod tls;
mod tools;
mod webhook;
mod who;

pub use api::endpoints;
pub use listen::{ListenError, Options, Port, serve};
pub use routes::Endpoint;
pub use sign_in::login_link;
pub use tls::Tls;
