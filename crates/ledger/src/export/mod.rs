//! Exports records to other formats: OCSF, CEF, OpenTelemetry attributes, JSON Lines. Pure functions;
//! the caller sends the result and remembers what was sent.
//!
//! An attacker may have chosen any text in a record (tool names, arguments), so each format escapes characters that
//! could forge another event.

mod cef;
mod ocsf;
mod otel;

use doorward_core::record::{DecisionRecord, UserDecision};
use doorward_core::{SecurityRisk, Verdict};

pub use cef::cef;
pub use ocsf::{ocsf, ocsf_finding};
pub use otel::attributes;

/// The result of a call, in the terms that the formats share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Disposition {
    Allowed,
    Observed,
    Approved,
    Delayed,
    Blocked,
    Rejected,
    Failed,
}

impl Disposition {
    fn of(decision: &DecisionRecord) -> Self {
        let person = decision.user.as_ref().map(|user| user.decision);
        match (decision.verdict, person) {
            (Verdict::Allow, Some(UserDecision::Allowed)) => Self::Approved,
            (Verdict::Allow, _) if !decision.policy.flips.is_empty() => Self::Observed,
            (Verdict::Allow, _) => Self::Allowed,
            (Verdict::Confirm, _) => Self::Delayed,
            (Verdict::Deny, Some(UserDecision::Denied)) => Self::Rejected,
            (Verdict::Deny, Some(UserDecision::Error)) => Self::Failed,
            (Verdict::Deny, _) if is_fault(&decision.code) => Self::Failed,
            (Verdict::Deny, _) => Self::Blocked,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Allowed => "Allowed",
            Self::Observed => "Logged",
            Self::Approved => "Approved",
            Self::Delayed => "Delayed",
            Self::Blocked => "Blocked",
            Self::Rejected => "Rejected",
            Self::Failed => "Error",
        }
    }
}

/// Whether a denial's code means an error, not a rule.
fn is_fault(code: &str) -> bool {
    ["ledger.", "store.", "service.", "internal."].iter().any(|start| code.starts_with(start))
        || [
            "policy.error",
            "guardian.unavailable",
            "guardian.invalid_reply",
            "guardian.timed_out",
            "guardian.cancelled",
        ]
        .contains(&code)
}

/// Severity in CEF (0–10) and OCSF (1–5). UNKNOWN counts as HIGH.
const fn severities(risk: SecurityRisk) -> (u8, u8) {
    match risk {
        SecurityRisk::Low => (3, 2),
        SecurityRisk::Medium => (5, 3),
        SecurityRisk::High | SecurityRisk::Unknown => (8, 4),
    }
}
