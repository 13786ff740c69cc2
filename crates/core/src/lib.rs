//! The words Doorward is spoken in.
//!
//! Every room of the house uses these types and none of its own for the same thing: a [`ToolCall`]
//! comes in, its [`Intent`] is what its text says, its [`Effects`] what that means in this world, a
//! [`Finding`] something worth telling, a [`SecurityRisk`] how bad it could be, a [`Decision`] what was
//! settled and a [`Record`](record::Record) what is kept. Nothing here does I/O, reads a clock or knows a policy.

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
pub use tool::{Client, ToolClass, ToolName};
pub use world::World;

/// A future in a box, for the traits whose implementations may be remote.
pub type Boxed<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;
