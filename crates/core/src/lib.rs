//! The shared vocabulary of Doorward: the types that all crates use.
//!
//! A [`ToolCall`] comes in. Its [`Intent`] is what its text says, its [`Effects`] what that means on this machine. A
//! [`Finding`] is a remark or objection, a [`SecurityRisk`] how bad the call could be, a [`Decision`] the result, and
//! a [`Record`](record::Record) what the ledger stores. Nothing here does I/O, reads a clock or knows policies.

pub mod approval;
pub mod arguments;
pub mod assessment;
pub mod call;
pub mod decision;
pub mod effect;
pub mod evaluation;
pub mod finding;
pub mod id;
pub mod intent;
pub mod json;
pub mod kept;
pub mod mode;
pub mod record;
pub mod risk;
pub mod session;
pub mod text;
pub mod tool;
pub mod world;

pub use approval::{Approver, Grant, Presence};
pub use assessment::{Analyzer, AnalyzerVerdict, Assessment};
pub use call::{Custody, Principal, ToolCall};
pub use decision::{Basis, Decision, Obligation, PolicyDecision, PolicyEngine, Tier, Verdict};
pub use effect::Effects;
pub use evaluation::{Guardian, GuardianContext, GuardianEvaluation};
pub use finding::{Code, Finding, Severity};
pub use id::{CallId, DecisionId, Digest, QuestionId, RecordId, SessionId};
pub use intent::{Intent, Span};
pub use mode::PermissionMode;
pub use record::Ledger;
pub use risk::SecurityRisk;
pub use session::SessionView;
pub use tool::{CanonicalTool, Client, ToolClass, ToolName};
pub use world::World;

/// A boxed future, for traits whose implementations may be remote.
pub type Boxed<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;
