//! placeholder
mod atoms;
pub mod fingerprint;
pub mod forms;
pub mod values;
