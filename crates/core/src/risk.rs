//! How bad a call could be: a level, and a score within the level's band.

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// LOW < MEDIUM < HIGH, and UNKNOWN, which has no order. Deliberately not `Ord`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum SecurityRisk {
    /// Not analysed, or not understood. Never rounded down.
    #[default]
    Unknown,
    /// Reads only.
    Low,
    /// Routine changes of the user's data.
    Medium,
    /// Deletion, system commands, privilege, secrets, code from elsewhere.
    High,
}

/// UNKNOWN can't be compared, not even with itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Cannot compare unknown risk levels.")]
pub struct UnknownRisk;

impl SecurityRisk {
    /// All four, in the order of the wire enumeration.
    pub const ALL: [Self; 4] = [Self::Unknown, Self::Low, Self::Medium, Self::High];

    /// Name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "UNKNOWN",
            Self::Low => "LOW",
            Self::Medium => "MEDIUM",
            Self::High => "HIGH",
        }
    }

    /// The level with exactly this wire name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|risk| risk.as_str() == word)
    }

    /// Whether the level isn't UNKNOWN.
    #[must_use]
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Unknown)
    }

    /// Order of two known levels.
    ///
    /// # Errors
    /// [`UnknownRisk`] if either side is UNKNOWN.
    pub fn cmp_known(self, other: Self) -> Result<Ordering, UnknownRisk> {
        match (self.rank(), other.rank()) {
            (Some(left), Some(right)) => Ok(left.cmp(&right)),
            _ => Err(UnknownRisk),
        }
    }

    /// Whether this is riskier than `other`; equal levels count (reflexive).
    ///
    /// # Errors
    /// [`UnknownRisk`] if either side is UNKNOWN, also for UNKNOWN against UNKNOWN.
    pub fn is_riskier(self, other: Self) -> Result<bool, UnknownRisk> {
        Ok(self.cmp_known(other)?.is_ge())
    }

    /// Whether this is strictly riskier than `other`.
    ///
    /// # Errors
    /// As [`SecurityRisk::is_riskier`].
    pub fn is_strictly_riskier(self, other: Self) -> Result<bool, UnknownRisk> {
        Ok(self.cmp_known(other)?.is_gt())
    }

    /// The cautious join: HIGH wins, then UNKNOWN, then the greater level.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::High, _) | (_, Self::High) => Self::High,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Medium, _) | (_, Self::Medium) => Self::Medium,
            (Self::Low, Self::Low) => Self::Low,
        }
    }

    /// The band of scores of this level, inclusive; `None` for UNKNOWN, whose score is null.
    #[must_use]
    pub const fn band(self) -> Option<(u8, u8)> {
        match self {
            Self::Unknown => None,
            Self::Low => Some((0, 39)),
            Self::Medium => Some((40, 79)),
            Self::High => Some((80, 100)),
        }
    }

    /// The level whose band holds `score`; scores over 100 are HIGH.
    #[must_use]
    pub const fn of_score(score: u8) -> Self {
        match score {
            0..=39 => Self::Low,
            40..=79 => Self::Medium,
            _ => Self::High,
        }
    }

    const fn rank(self) -> Option<u8> {
        match self {
            Self::Unknown => None,
            Self::Low => Some(0),
            Self::Medium => Some(1),
            Self::High => Some(2),
        }
    }
}

impl std::fmt::Display for SecurityRisk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::SecurityRisk::{High, Low, Medium, Unknown};
    use super::*;

    #[test]
    fn is_riskier_is_reflexive_and_unknown_compares_with_nothing() {
        for (left, right, reflexive, strict) in [
            (Low, Low, true, false),
            (Low, Medium, false, false),
            (Medium, Low, true, true),
            (High, Medium, true, true),
            (High, High, true, false),
        ] {
            assert_eq!(left.is_riskier(right), Ok(reflexive));
            assert_eq!(left.is_strictly_riskier(right), Ok(strict));
        }
        for risk in SecurityRisk::ALL {
            assert_eq!(Unknown.is_riskier(risk), Err(UnknownRisk));
            assert_eq!(risk.is_riskier(Unknown), Err(UnknownRisk));
        }
    }

    #[test]
    fn join_never_hides_unknown_behind_a_milder_level() {
        assert_eq!(Unknown.join(Low), Unknown);
        assert_eq!(Medium.join(Unknown), Unknown);
        assert_eq!(Unknown.join(High), High);
        assert_eq!(Low.join(Medium), Medium);
    }

    #[test]
    fn bands_cover_every_score_once() {
        for score in 0..=100 {
            let (from, to) = SecurityRisk::of_score(score).band().unwrap();
            assert!((from..=to).contains(&score));
        }
    }
}
