//! The embedded engine: Cedar's semantics, the contract's three decisions, an index in front.

mod annotation;
mod context;
mod engine;
mod entity;
mod evaluate;
mod index;
mod lint;
mod load;
mod mention;
mod nearest;
mod probe;
mod schema;

pub(crate) use annotation::obligation;
pub use annotation::{Annotations, ConfirmKind};
pub use engine::{CedarEngine, Compiled, ListedPolicy, Shadow};
pub use entity::{EntityFacts, EntityRequest};
pub use lint::Lint;
pub(crate) use load::RULES;
pub use load::{LoadError, MODE_DEFAULT, Source};
