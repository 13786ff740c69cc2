//! Judge, gate and permit: the path of a call, readable in one sitting.
//!
//! [`Judge`] takes a [`ToolCall`](doorward_core::ToolCall) through inspect → assess → policy → combine → guardian and
//! ends in [`Judged`]: allowed, to be confirmed, or denied, each owning the one `Inspected`. It can't make a permit.
//! [`Gate`] (a judge, sessions, a durable record, people) takes the call through [`Gate::admit`], which ends in
//! [`Admission`]: `Admitted(Permit) | Denied(Denial) | Pending(Pending)`. Nothing that Doorward runs or forwards runs
//! without a [`Permit`]. Only a [`Recorded`] allowed call becomes one, and only a durable append returns that; a
//! permit has no public constructor, can't be cloned, is used by value, and is closed as abandoned when it is
//! dropped.
//!
//! ```compile_fail,E0451
//! // A permit can't be forged: its fields are private.
//! let permit = doorward_gate::Permit { sealed: todo!(), duty: todo!() };
//! ```
//! ```compile_fail,E0624
//! // An allowed call alone doesn't make a permit: it must be recorded, and the constructor is private.
//! fn skip(judged: doorward_gate::AllowedCall) { doorward_gate::Permit::new(judged, todo!(), todo!()); }
//! ```
//! ```compile_fail,E0451
//! // A recorded call can't be forged.
//! fn pretend(judged: doorward_gate::AllowedCall, decision: doorward_gate::DecisionId) {
//!     let recorded = doorward_gate::Recorded { judged, decision, index: 0 };
//! }
//! ```
//! ```compile_fail,E0599
//! // A judge can't make a permit.
//! async fn admit(judge: doorward_gate::Judge, call: doorward_core::ToolCall) { judge.admit(call).await; }
//! ```
//! ```compile_fail,E0382
//! // A permit can't be used twice: redeeming moves it.
//! fn twice(permit: doorward_gate::Permit) {
//!     let first = permit.redeem();
//!     let second = permit.redeem();
//! }
//! ```
//! ```compile_fail,E0382
//! // A permit can't be handed over and then redeemed.
//! fn both(permit: doorward_gate::Permit) {
//!     let told = permit.hand_over();
//!     let run = permit.redeem();
//! }
//! ```
//! ```compile_fail,E0599
//! // A permit can't be copied for later.
//! fn copy(permit: &doorward_gate::Permit) -> doorward_gate::Permit { permit.clone() }
//! ```
//! ```compile_fail,E0451
//! // The sealed call of a permit can't be constructed.
//! fn seal(case: Box<doorward_gate::Case>) { let sealed = doorward_gate::Sealed { case }; }
//! ```
//! ```compile_fail,E0616
//! // A judgement can't be changed after the fact.
//! fn change(judged: doorward_gate::DeniedCall) { judged.0.decision.verdict = doorward_core::Verdict::Allow; }
//! ```

mod combine;
mod gate;
mod judge;
mod judged;
pub mod obligations;
mod open;
mod permit;
mod reason;
mod record;
mod stages;

pub use combine::{Evidence, PHRASE, Settling, combine, with_guardian, without_prompt};
pub use gate::{Admission, Denial, Gate, Pending, Rooms};
pub use judge::{Judge, Review, Stages};
pub use judged::{AllowedCall, CallToConfirm, Case, DeniedCall, Judged};
pub use obligations::Holder;
pub use open::{OUTCOME_LIMIT, OpenPermits, ReportError, Silence};
pub use permit::{Done, OutcomeDuty, Permit, Refused, Sealed};
pub use record::Recorded;
pub use stages::{CoveredContent, Inspect, Notice, Notices, Outcomes, Returned, Sessions, Settle, Turn};
