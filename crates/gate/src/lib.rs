//! Permit, admit and the stages as traits: the way of a call, readable in one sitting.
//!
//! [`Gate::admit`] takes a [`ToolCall`](doorward_core::ToolCall) through inspect → assess → judge → settle → record
//! and ends in [`Admission`]: `Admitted(Permit) | Denied(Denial) | Pending(Ask)`. Nothing that Doorward runs or
//! forwards runs without a [`Permit`], and the permit owns what runs: it has no public constructor, can't be
//! cloned, and is used by value.
//!
//! ```compile_fail,E0451
//! // A permit can't be forged: its fields are private.
//! let permit = doorward_gate::Permit { sealed: todo!(), obligations: vec![], duty: todo!() };
//! ```
//! ```compile_fail,E0382
//! // A permit can't be used twice: redeeming moves it.
//! fn twice(permit: doorward_gate::Permit) {
//!     let first = permit.redeem();
//!     let second = permit.redeem();
//! }
//! ```
//! ```compile_fail,E0599
//! // A permit can't be copied for later.
//! fn copy(permit: &doorward_gate::Permit) -> doorward_gate::Permit { permit.clone() }
//! ```
//! ```compile_fail,E0308
//! // An executor takes a permit; a call alone is not one.
//! fn run(permit: doorward_gate::Permit) {}
//! fn execute(call: doorward_core::ToolCall) { run(call) }
//! ```
//! ```compile_fail,E0624
//! // What a permit sealed can't be made by hand either.
//! let sealed = doorward_gate::Sealed::new(todo!(), todo!());
//! ```

pub mod admit;
pub mod judge;
pub mod permit;
pub mod stages;

pub use admit::{Admission, Denial, Gate, Judged, Rooms};
pub use judge::{Settling, Standing, judge};
pub use permit::{DecisionId, Done, OpenPermits, OutcomeDuty, Permit, Refused, Sealed};
pub use stages::{Inspect, Sessions, Settle};
