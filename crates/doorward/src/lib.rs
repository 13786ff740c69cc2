//! The library people embed: builds the gate from settings.
//!
//! ```
//! use doorward::{Door, Options, contract};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let door = Door::open(Options::simulation(doorward::layers::Places::default()))?;
//! let request = br#"{"principal": {"id": "me"}, "action": "tool:execute",
//!     "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": "rm -rf ~"}}}}"#;
//! let judged = contract::simulate(&door, request).await?;
//! assert_ne!(judged.verdict(), doorward_core::Verdict::Allow);
//! # Ok(()) }
//! ```

/// Version, commit, day and profile of this build. Two builds with the same text are the same program.
pub const BUILD: &str = env!("DOORWARD_BUILD");

pub mod always;
pub mod anchoring;
pub mod approvals;
pub mod attendance;
pub mod bind;
pub mod broker;
pub mod choose;
mod client_rules;
pub mod contract;
mod counters;
mod custody;
mod dialogs;
mod door;
pub mod edit;
pub mod egress;
mod elsewhere;
pub mod entrance;
pub mod explaining;
pub mod hook;
mod inspecting;
mod installation;
pub mod labels;
pub mod layers;
mod links;
mod lints;
pub mod mcp;
mod modes;
pub mod notices;
pub mod origins;
mod own_tools;
mod placeholders;
pub mod posture;
pub mod problem;
pub mod process;
mod project;
mod projects;
mod records;
pub mod replay;
pub mod reviewing;
pub mod rooms;
pub mod saved_rules;
mod seals;
mod secrets;
pub mod served;
pub mod service;
mod sessions;
mod settle;
mod stamps;
mod starting;
pub mod stops;
mod store_watch;
pub mod terminal;
pub mod testing;
pub mod typed;
mod watched;

pub use anchoring::Anchoring;
pub use approvals::Approvals;
pub use attendance::Attendance;
pub use broker::Broker;
pub use custody::Custody;
pub use door::{Door, Health, OpenError};
pub use egress::Egress;
pub use elsewhere::EngineHealth;
pub use installation::{Options, OwnAnalyzers, TOKEN_FILE};
pub use placeholders::Placeholders;
pub use project::Project;
pub use projects::Projects;
pub use records::Records;
pub use sessions::SessionBook;

pub use served::home;
