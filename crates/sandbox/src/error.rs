//! Why a run didn't happen. Each variant is a denial or a fault before the program's first instruction; none offers
//! a run with less.

use std::io;

use doorward_core::Tier;

use crate::report::Missing;

/// Why a run didn't happen.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The tier asked for can't be had here.
    #[error("sandbox.tier_unavailable: {} can be had, {} is the least allowed; missing: \
        {}", .attained.as_str(), .wanted.as_str(), list(.missing))]
    TierUnavailable {
        /// The least allowed.
        wanted: Tier,
        /// What can be had.
        attained: Tier,
        /// Everything that is missing, each with what would change it.
        missing: Vec<Missing>,
    },
    /// A stage of the set-up failed. Exit class 125.
    #[error("sandbox.setup_failed: {stage}: {}", io::Error::from_raw_os_error(*.errno))]
    Setup {
        /// Which.
        stage: String,
        /// The kernel's answer.
        errno: i32,
    },
    /// A root isn't absolute, isn't there, or was replaced.
    #[error("sandbox.root: {path}: {reason}")]
    Root {
        /// The root as given.
        path: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A protected name can't be held.
    #[error("sandbox.protected: {path}: {reason}")]
    Protected {
        /// Where.
        path: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// More protected places than mounts are made for.
    #[error("sandbox.too_many_protected: {count}")]
    TooManyProtected {
        /// How many.
        count: usize,
    },
    /// The run asks for something that makes no sense, or not in this tier.
    #[error("sandbox.spec: {0}")]
    Spec(&'static str),
    /// The helper can't be started or went away without an answer.
    #[error("sandbox.helper: {0}")]
    Helper(io::Error),
    /// What is collected beside the roots can't be read or merged.
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

    /// Exit code of a command line that couldn't run something: 125, so that it isn't taken for the program's.
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
