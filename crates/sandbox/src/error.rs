//! Reasons why a run didn't happen. Each is a denial or fault before the program's first instruction; none leads to
//! a run with weaker bounds.

use std::io;

use doorward_core::Tier;

use crate::report::Missing;

/// Why a run didn't happen.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// This machine can't provide the required tier.
    #[error("sandbox.tier_unavailable: {} can be had, {} is the least allowed; missing: \
        {}", .attained.as_str(), .wanted.as_str(), list(.missing))]
    TierUnavailable {
        /// The least tier allowed.
        wanted: Tier,
        /// The strongest tier available.
        attained: Tier,
        /// Everything that is missing, each with what would change it.
        missing: Vec<Missing>,
    },
    /// A stage of the set-up failed. Exit class 125.
    #[error("sandbox.setup_failed: {stage}: {}", io::Error::from_raw_os_error(*.errno))]
    Setup {
        /// Name of the stage.
        stage: String,
        /// The kernel's error number.
        errno: i32,
    },
    /// A root isn't absolute, doesn't exist, or was replaced.
    #[error("sandbox.root: {path}: {reason}")]
    Root {
        /// The root as given.
        path: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A protected name can't be protected.
    #[error("sandbox.protected: {path}: {reason}")]
    Protected {
        /// Its path.
        path: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// More protected places than the limit on mounts.
    #[error("sandbox.too_many_protected: {count}")]
    TooManyProtected {
        /// Number of places.
        count: usize,
    },
    /// The request is invalid, or invalid in this tier.
    #[error("sandbox.spec: {0}")]
    Spec(&'static str),
    /// The helper couldn't be started, or ended without an answer.
    #[error("sandbox.helper: {0}")]
    Helper(io::Error),
    /// Collected writes can't be read or merged.
    #[error("sandbox.overlay: {0}")]
    Overlay(String),
}

impl SandboxError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TierUnavailable { .. } => "sandbox.tier_unavailable",
            Self::Setup { .. } => "sandbox.setup_failed",
            Self::Root { .. } => "sandbox.root",
            Self::Protected { .. } => "sandbox.protected",
            Self::TooManyProtected { .. } => "sandbox.too_many_protected",
            Self::Spec(_) => "sandbox.spec",
            Self::Helper(_) => "sandbox.helper",
            Self::Overlay(_) => "sandbox.overlay",
        }
    }

    /// Exit code of a command line that couldn't run the program: 125, so that it isn't mistaken for the program's
    /// own.
    #[must_use]
    pub const fn exit_code(&self) -> i32 {
        125
    }
}

fn list(missing: &[Missing]) -> String {
    let lines: Vec<String> = missing
        .iter()
        .map(|item| format!("{} (errno {}: {})", item.feature, item.errno, item.hint))
        .collect();
    lines.join("; ")
}
