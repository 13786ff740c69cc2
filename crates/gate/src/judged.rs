//! What judging a call yields: one of three types, each owning the call and everything that was found out about it.
//!
//! Only an [`AllowedCall`] can become a permit, and only after the ledger recorded it (`record.rs`); the constructors
//! are private to this crate.

use doorward_core::approval::{Binding, Grant};
use doorward_core::assessment::Assessment;
use doorward_core::decision::{Decision, Verdict};
use doorward_core::effect::Inspected;
use doorward_core::evaluation::GuardianEvaluation;
use doorward_core::mode::PermissionMode;

/// A call with everything that was found out and decided about it. It owns the one `Inspected`, which owns the call.
#[derive(Debug)]
pub struct Case {
    pub(crate) inspected: Inspected,
    pub(crate) assessment: Assessment,
    pub(crate) decision: Decision,
    pub(crate) guardian: Option<GuardianEvaluation>,
    pub(crate) grant: Option<Grant>,
    /// The permission mode that held.
    pub(crate) mode: PermissionMode,
    pub(crate) took_us: u64,
}

impl Case {
    /// The call and what it would do.
    #[must_use]
    pub const fn inspected(&self) -> &Inspected {
        &self.inspected
    }

    /// How risky it is.
    #[must_use]
    pub const fn assessment(&self) -> &Assessment {
        &self.assessment
    }

    /// The answer, with its reasons.
    pub const fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The guardian's evaluation, if it was asked.
    #[must_use]
    pub const fn guardian(&self) -> Option<&GuardianEvaluation> {
        self.guardian.as_ref()
    }

    /// The yes that settled it, if one did.
    #[must_use]
    pub const fn grant(&self) -> Option<&Grant> {
        self.grant.as_ref()
    }

    /// How long judging took, in microseconds.
    #[must_use]
    pub const fn took_us(&self) -> u64 {
        self.took_us
    }
}

/// The three ways in which judging ends.
#[derive(Debug)]
#[must_use]
pub enum Judged {
    /// Nothing stands against it. No leave to run yet: that takes a record.
    Allowed(AllowedCall),
    /// A person decides.
    Confirm(CallToConfirm),
    /// It may not run.
    Denied(DeniedCall),
}

/// A call that was judged and may run once it is recorded.
#[derive(Debug)]
pub struct AllowedCall(pub(crate) Box<Case>);

/// A call that a person has to agree to.
#[derive(Debug)]
pub struct CallToConfirm {
    pub(crate) case: Box<Case>,
    /// What a yes is bound to.
    pub(crate) binding: Box<Binding>,
}

/// A call that may not run.
#[derive(Debug)]
pub struct DeniedCall(pub(crate) Box<Case>);

impl Judged {
    /// Sorts a case by its verdict. `binding` is what a yes would be bound to; a confirm without one is a denial, made
    /// by whoever couldn't compute it.
    pub(crate) fn sort(case: Box<Case>, binding: Option<Box<Binding>>) -> Self {
        match (case.decision.verdict, binding) {
            (Verdict::Allow, _) => Self::Allowed(AllowedCall(case)),
            (Verdict::Confirm, Some(binding)) => Self::Confirm(CallToConfirm { case, binding }),
            (Verdict::Confirm, None) | (Verdict::Deny, _) => Self::Denied(DeniedCall(case)),
        }
    }

    /// What was found out and decided.
    #[must_use]
    pub const fn case(&self) -> &Case {
        match self {
            Self::Allowed(call) => &call.0,
            Self::Confirm(call) => &call.case,
            Self::Denied(call) => &call.0,
        }
    }

    /// The same, without the type that says which way it ended.
    #[must_use]
    pub fn into_case(self) -> Case {
        match self {
            Self::Allowed(call) => *call.0,
            Self::Confirm(call) => *call.case,
            Self::Denied(call) => *call.0,
        }
    }

    /// The answer.
    pub const fn verdict(&self) -> Verdict {
        self.case().decision.verdict
    }
}

impl CallToConfirm {
    /// What was found out and decided.
    #[must_use]
    pub const fn case(&self) -> &Case {
        &self.case
    }

    /// What a yes is bound to.
    #[must_use]
    pub const fn binding(&self) -> &Binding {
        &self.binding
    }
}

impl AllowedCall {
    /// What was found out and decided.
    #[must_use]
    pub const fn case(&self) -> &Case {
        &self.0
    }
}

impl DeniedCall {
    /// What was found out and decided.
    #[must_use]
    pub const fn case(&self) -> &Case {
        &self.0
    }
}
