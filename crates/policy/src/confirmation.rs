//! Confirmation policies: when the risk alone requires a person's confirmation.

use doorward_core::risk::SecurityRisk;
use doorward_settings::ConfirmPolicy;
use serde::{Deserialize, Serialize};

/// A confirmation policy. The wire form is `{"kind": "ConfirmRisky", "threshold": "HIGH", "confirm_unknown": true}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "ConfirmPolicy", into = "ConfirmPolicy")]
pub enum ConfirmationPolicy {
    /// Asks about every call.
    AlwaysConfirm,
    /// Asks about no call.
    NeverConfirm,
    /// Asks from a threshold upwards. Made by [`ConfirmationPolicy::risky`], which rejects UNKNOWN as threshold.
    ConfirmRisky(Risky),
}

/// The validated fields of `ConfirmRisky`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Risky {
    threshold: SecurityRisk,
    confirm_unknown: bool,
}

/// UNKNOWN can't be compared, so it can't be a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Threshold cannot be UNKNOWN: it is LOW, MEDIUM or HIGH")]
pub struct UnknownThreshold;

impl Default for ConfirmationPolicy {
    fn default() -> Self {
        Self::ConfirmRisky(Risky { threshold: SecurityRisk::High, confirm_unknown: true })
    }
}

impl ConfirmationPolicy {
    /// Asks from `threshold` upwards, and about UNKNOWN if `confirm_unknown`.
    pub fn risky(threshold: SecurityRisk, confirm_unknown: bool) -> Result<Self, UnknownThreshold> {
        if !threshold.is_known() {
            return Err(UnknownThreshold);
        }
        Ok(Self::ConfirmRisky(Risky { threshold, confirm_unknown }))
    }

    /// Whether a call of this risk needs a confirmation.
    #[must_use]
    pub fn should_confirm(&self, risk: SecurityRisk) -> bool {
        match self {
            Self::AlwaysConfirm => true,
            Self::NeverConfirm => false,
            Self::ConfirmRisky(Risky { threshold, confirm_unknown }) => {
                risk.is_riskier(*threshold).unwrap_or(*confirm_unknown)
            }
        }
    }
}

impl TryFrom<ConfirmPolicy> for ConfirmationPolicy {
    type Error = UnknownThreshold;

    fn try_from(policy: ConfirmPolicy) -> Result<Self, UnknownThreshold> {
        match policy {
            ConfirmPolicy::AlwaysConfirm {} => Ok(Self::AlwaysConfirm),
            ConfirmPolicy::NeverConfirm {} => Ok(Self::NeverConfirm),
            ConfirmPolicy::ConfirmRisky { threshold, confirm_unknown } => {
                Self::risky(threshold, confirm_unknown)
            }
        }
    }
}

impl From<ConfirmationPolicy> for ConfirmPolicy {
    fn from(policy: ConfirmationPolicy) -> Self {
        match policy {
            ConfirmationPolicy::AlwaysConfirm => Self::AlwaysConfirm {},
            ConfirmationPolicy::NeverConfirm => Self::NeverConfirm {},
            ConfirmationPolicy::ConfirmRisky(Risky { threshold, confirm_unknown }) => {
                Self::ConfirmRisky { threshold, confirm_unknown }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SecurityRisk::{High, Low, Medium, Unknown};

    #[test]
    fn the_truth_tables() {
        // Rows: (risk, expected for thresholds [HIGH, MEDIUM, LOW] with `confirm_unknown`, the same without).
        for (risk, with, without) in [
            (Low, [false, false, true], [false, false, true]),
            (Medium, [false, true, true], [false, true, true]),
            (High, [true, true, true], [true, true, true]),
            (Unknown, [true, true, true], [false, false, false]),
        ] {
            for (index, threshold) in [High, Medium, Low].into_iter().enumerate() {
                for (confirm_unknown, expected) in [(true, with[index]), (false, without[index])] {
                    let policy = ConfirmationPolicy::risky(threshold, confirm_unknown).unwrap();
                    assert_eq!(policy.should_confirm(risk), expected, "{risk} {threshold} {confirm_unknown}");
                }
            }
            assert!(ConfirmationPolicy::AlwaysConfirm.should_confirm(risk));
            assert!(!ConfirmationPolicy::NeverConfirm.should_confirm(risk));
        }
    }

    #[test]
    fn unknown_is_no_threshold_in_code_or_on_the_wire() {
        assert_eq!(ConfirmationPolicy::risky(Unknown, true), Err(UnknownThreshold));
        let wire = r#"{"kind":"ConfirmRisky","threshold":"UNKNOWN"}"#;
        assert!(serde_json::from_str::<ConfirmationPolicy>(wire).is_err());
    }

    #[test]
    fn the_wire_form_round_trips_with_its_defaults() {
        for (text, policy) in [
            (r#"{"kind":"ConfirmRisky"}"#, ConfirmationPolicy::default()),
            (r#"{"kind":"AlwaysConfirm"}"#, ConfirmationPolicy::AlwaysConfirm),
            (r#"{"kind":"NeverConfirm"}"#, ConfirmationPolicy::NeverConfirm),
        ] {
            assert_eq!(serde_json::from_str::<ConfirmationPolicy>(text).unwrap(), policy);
            let written = serde_json::to_string(&policy).unwrap();
            assert_eq!(serde_json::from_str::<ConfirmationPolicy>(&written).unwrap(), policy);
        }
        assert_eq!(
            serde_json::to_string(&ConfirmationPolicy::default()).unwrap(),
            r#"{"kind":"ConfirmRisky","threshold":"HIGH","confirm_unknown":true}"#
        );
        assert!(serde_json::from_str::<ConfirmationPolicy>(r#"{"kind":"Sometimes"}"#).is_err());
    }
}
