//! Permission modes, confirmation policies, rules and the policy engine.
//!
//! * [`mode`] is the matrix of the permission modes; [`confirmation`] decides when the risk alone needs a
//!   confirmation.
//! * [`cedar`] is the embedded engine: Cedar's semantics behind an index, the contract's three decisions.
//! * [`shorthand`] has the `allow`, `ask` and `deny` rules, matched on parsed commands.
//! * [`request`] checks a request of the seed contract, [`remote`] reads the answers of remote engines.
//! * [`packs`] has the built-in policies, [`testing`] runs rows of policy tests.
//!
//! Nothing here inspects a call or asks a person: facts come in, a decision goes out.
//!
//! ```
//! use doorward_core::call::Principal;
//! use doorward_core::decision::Verdict;
//! use doorward_core::tool::ToolName;
//! use doorward_policy::cedar::{Compiled, Source};
//! use doorward_policy::facts::{EngineRequest, Facts};
//! use doorward_policy::shorthand::RuleSources;
//! use doorward_settings::OnNoMatch;
//!
//! let text = r#"
//!     @id("base.allow") permit(principal, action in Action::"tool:execute", resource);
//!     @id("delete.confirm") @confirm("click") @reason("Deleting a file may be irreversible.")
//!     forbid(principal, action, resource)
//!     when { !context.effects.deletes.isEmpty() }
//!     unless { context has approval && context.approval.level >= 1 };
//! "#;
//! let set = Compiled::load(&[Source::new("own.cedar", text)], &RuleSources::default(), OnNoMatch::Deny).unwrap();
//! let mut facts = Facts::at("2026-11-21T12:00:00Z".parse().unwrap());
//! facts.effects.deletes.insert("/w/a".into());
//! let decision = set.decide(&EngineRequest {
//!     principal: Principal { id: "user-123".into(), groups: vec![] },
//!     action: "tool:execute".into(),
//!     tool: ToolName::new("fs:delete").unwrap(),
//!     args: Default::default(),
//!     facts,
//!     presented: None,
//! });
//! assert_eq!(decision.decision, Verdict::Confirm);
//! assert!(decision.reason.contains("irreversible"));
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// A list of texts, as many a line as fit.
macro_rules! words {
    ($($word:literal)*) => {
        &[$($word),*]
    };
}

pub mod cedar;
pub mod confirmation;
pub mod facts;
pub mod mode;
pub mod packs;
pub mod remote;
pub mod request;
pub mod shorthand;
pub mod testing;
