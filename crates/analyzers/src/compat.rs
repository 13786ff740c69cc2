//! What the analyzers of OpenHands say, so that people can move over without a change of verdicts and then switch.
//!
//! [`Pattern`], [`Rail`] and [`Ensemble`] follow openhands-sdk 1.58.0 (MIT): same rules, same order, same answers on
//! the cases that were recorded from it. Where they are known to be wrong they are wrong here too; `docs/openhands.md`
//! lists what our own analysis does otherwise. Two things differ by intent: the cost is bounded, and a text over the
//! bound is UNKNOWN instead of an error; and what the children of an ensemble found isn't lost.

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

pub use action::{Action, Executed};
pub use delete::{Scanned, scan};
pub use ensemble::{Empty, Ensemble, fuse, risk_of_score};
pub use normalise::normalise;
pub use pattern::{Hit, Pattern};
pub use rail::Rail;
