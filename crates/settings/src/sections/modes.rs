//! Settings for permission modes and confirmation policies.

use jiff::{SignedDuration, Timestamp};

use super::*;

/// The behaviour of `dontAsk`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DontAsk {
    /// Runs calls without asking; refuses dangerous ones.
    #[default]
    Allow,
    /// Refuses every call that would need a question.
    Deny,
}

/// Permission modes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Modes {
    /// The mode in which a session starts.
    pub default: PermissionMode,
    /// The least strict mode that a session may have, whatever it claims.
    pub max: PermissionMode,
    /// Whether `bypassPermissions` is disabled everywhere.
    #[serde(alias = "disableBypass")]
    pub disable_bypass: bool,
    /// What mode `dontAsk` does with the mode's questions: `allow` runs calls without asking and refuses dangerous
    /// ones; `deny` refuses every call that would need a question.
    #[serde(alias = "dontAsk")]
    pub dont_ask: DontAsk,
    /// Until this time everything is judged and recorded, and only floors stop a call (`doorward observe`). A time
    /// that is more than seven days away counts as unset.
    pub observe_until: Option<Timestamp>,
}

/// How long calls may be only observed.
const LONGEST_OBSERVATION: SignedDuration = SignedDuration::from_hours(7 * 24);

impl Modes {
    /// The end of the observation, if one goes on at this time.
    #[must_use]
    pub fn observes(&self, now: Timestamp) -> Option<Timestamp> {
        self.observe_until.filter(|until| now < *until && until.duration_since(now) <= LONGEST_OBSERVATION)
    }
}

impl Default for Modes {
    fn default() -> Self {
        Self {
            default: PermissionMode::Default,
            max: PermissionMode::BypassPermissions,
            disable_bypass: false,
            dont_ask: DontAsk::Allow,
            observe_until: None,
        }
    }
}

const BY_FREEDOM: Tighten =
    Tighten::Along(&["bypassPermissions", "dontAsk", "acceptEdits", "default", "plan"]);

section!(
    Modes,
    "modes",
    [
        key("default", BY_FREEDOM),
        key("max", BY_FREEDOM),
        key("disable_bypass", Tighten::ToTrue),
        key("dont_ask", Tighten::Along(&["allow", "deny"])),
        key("observe_until", Tighten::Never),
    ]
);

/// Which calls need a confirmation because of their risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", deny_unknown_fields)]
pub enum ConfirmPolicy {
    /// Every call.
    AlwaysConfirm {},
    /// No call.
    NeverConfirm {},
    /// Calls with at least this risk.
    ConfirmRisky {
        /// Lowest risk that is confirmed.
        #[serde(default = "high")]
        threshold: SecurityRisk,
        /// Whether UNKNOWN risk is confirmed too.
        #[serde(default = "yes")]
        confirm_unknown: bool,
    },
}

const fn high() -> SecurityRisk {
    SecurityRisk::High
}

const fn yes() -> bool {
    true
}

impl ConfirmPolicy {
    /// Whether it confirms everything that `other` confirms.
    #[must_use]
    pub fn at_least_as_strict_as(self, other: Self) -> bool {
        match (self, other) {
            (Self::AlwaysConfirm {}, _) | (_, Self::NeverConfirm {}) => true,
            (Self::NeverConfirm {}, _) | (_, Self::AlwaysConfirm {}) => false,
            (
                Self::ConfirmRisky { threshold, confirm_unknown },
                Self::ConfirmRisky { threshold: other, confirm_unknown: other_unknown },
            ) => other.is_riskier(threshold).unwrap_or(false) && (confirm_unknown || !other_unknown),
        }
    }
}

/// The confirmation policy.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ConfirmSection {
    /// Unset: `ConfirmRisky` from HIGH on and for UNKNOWN, in addition to the mode. If set to always or never
    /// confirm, it replaces the mode's questions, but not the mode's denials.
    pub policy: Option<ConfirmPolicy>,
}

fn stricter_policy(old: &Value, new: &Value) -> bool {
    let read = |value: &Value| serde_json::from_value::<ConfirmPolicy>(value.clone()).ok();
    let unset = ConfirmPolicy::ConfirmRisky { threshold: SecurityRisk::High, confirm_unknown: true };
    let old = if old.is_null() { Some(unset) } else { read(old) };
    matches!((old, read(new)), (Some(old), Some(new)) if new.at_least_as_strict_as(old))
}

section!(ConfirmSection, "confirm", [key("policy", Tighten::By(stricter_policy))]);
