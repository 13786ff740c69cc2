//! Reimplements OpenHands' analyzers, so that users can migrate with unchanged verdicts and switch later.
//!
//! [`PatternRules`], [`Rail`] and [`Ensemble`] follow openhands-sdk 1.58.0 (MIT): same rules, same order, same answers
//! on the recorded cases. Known errors are reproduced; `docs/openhands.md` lists where Doorward's own analysis differs.
//! Two differences are intended: the cost is limited, and a text over the limit is UNKNOWN instead of an error; and
//! findings of an ensemble's children are kept.

mod action;
mod command;
mod delete;
mod ensemble;
mod normalise;
mod pattern;
mod rail;
mod redirect;
mod runner;
mod tree;
mod word;
mod wrapper;

pub use action::{Executed, ScannedAction};
pub use delete::{Scanned, scan};
pub use ensemble::{Empty, Ensemble, fuse, risk_of_score};
pub use normalise::normalise;
pub use pattern::{Hit, PatternRules};
pub use rail::Rail;
