//! The result of judging: one of three types, each owning the call with all its facts.
//!
//! Only an [`AllowedCall`] can become a permit, and only after the ledger recorded it (`record.rs`); the constructors
//! are private to this crate.

use doorward_core::approval::{Binding, Grant};
use doorward_core::assessment::Assessment;
use doorward_core::decision::{Decision, Verdict};
use doorward_core::effect::Inspected;
use doorward_core::evaluation::GuardianEvaluation;
use doorward_core::mode::PermissionMode;

/// A call with all facts and its decision. It owns the only `Inspected`, which owns the call.
#[derive(Debug)]
pub struct Case {
    pub(crate) inspected: Inspected,
    pub(crate) assessment: Assessment,
    pub(crate) decision: Decision,
    pub(crate) guardian: Option<GuardianEvaluation>,
    pub(crate) grant: Option<Grant>,
    /// The active permission mode.
    pub(crate) mode: PermissionMode,
    pub(crate) took_us: u64,
}

impl Case {
    /// The call and what it would do.
    #[must_use]
    pub const fn inspected(&self) -> &Inspected {
        &self.inspected
    }

    /// Its risk.
    #[must_use]
    pub const fn assessment(&self) -> &Assessment {
        &self.assessment
    }

    /// The decision with its reasons.
    pub const fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The guardian's evaluation, if consulted.
    #[must_use]
    pub const fn guardian(&self) -> Option<&GuardianEvaluation> {
        self.guardian.as_ref()
    }

    /// The grant that settled it, if any.
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

/// The three results of judging.
#[derive(Debug)]
#[must_use]
pub enum Judged {
    /// Allowed. Not a permit yet: that requires a record.
    Allowed(AllowedCall),
    /// A person must decide.
    Confirm(CallToConfirm),
    /// It may not run.
    Denied(DeniedCall),
}

/// An allowed call, which may run once it is recorded.
#[derive(Debug)]
pub struct AllowedCall(pub(crate) Box<Case>);

/// A call that a person must approve.
#[derive(Debug)]
pub struct CallToConfirm {
    pub(crate) case: Box<Case>,
    /// What an approval is bound to.
    pub(crate) binding: Box<Binding>,
}

/// A call that may not run.
#[derive(Debug)]
pub struct DeniedCall(pub(crate) Box<Case>);

impl Judged {
    /// Sorts a case by its verdict. `binding` is what an approval would be bound to; a confirm without it is a denial.
    pub(crate) fn sort(case: Box<Case>, binding: Option<Box<Binding>>) -> Self {
        match (case.decision.verdict, binding) {
            (Verdict::Allow, _) => Self::Allowed(AllowedCall(case)),
            (Verdict::Confirm, Some(binding)) => Self::Confirm(CallToConfirm { case, binding }),
            (Verdict::Confirm, None) | (Verdict::Deny, _) => Self::Denied(DeniedCall(case)),
        }
    }

    /// The case.
    #[must_use]
    pub const fn case(&self) -> &Case {
        match self {
            Self::Allowed(call) => &call.0,
            Self::Confirm(call) => &call.case,
            Self::Denied(call) => &call.0,
        }
    }

    /// The case, without the type of its verdict.
    #[must_use]
    pub fn into_case(self) -> Case {
        match self {
            Self::Allowed(call) => *call.0,
            Self::Confirm(call) => *call.case,
            Self::Denied(call) => *call.0,
        }
    }

    /// The verdict.
    pub const fn verdict(&self) -> Verdict {
        self.case().decision.verdict
    }
}

impl CallToConfirm {
    /// The case.
    #[must_use]
    pub const fn case(&self) -> &Case {
        &self.case
    }

    /// What an approval is bound to.
    #[must_use]
    pub const fn binding(&self) -> &Binding {
        &self.binding
    }
}

impl AllowedCall {
    /// The case.
    #[must_use]
    pub const fn case(&self) -> &Case {
        &self.0
    }
}

impl DeniedCall {
    /// The case.
    #[must_use]
    pub const fn case(&self) -> &Case {
        &self.0
    }
}
