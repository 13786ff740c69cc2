//! Risk analyzers in addition to the effects: self-report, ensembles, upstream compatibility.
//!
//! The effects analyzer is part of every `Inspected` and always counts; the analyzers here are optional.
//! `core::Assessment::fuse` combines verdicts, and no analyzer can lower another's.

/// A list of texts, as many a line as fit.
macro_rules! words {
    ($($word:literal)*) => {
        &[$($word),*]
    };
}

pub mod compat;
pub mod noop;
pub mod self_report;

pub use noop::NoOp;
pub use self_report::SelfReport;

use std::sync::Arc;

use compat::{Ensemble, PatternRules, Rail};
use doorward_core::assessment::Analyzer;

/// Declares the analyzers that `analyzers.list` can name, by Doorward's name and OpenHands' (`effects` has none there).
macro_rules! analyzer_names {
    ($($(#[$doc:meta])* $name:ident = $own:literal | $upstream:literal,)*) => {
        /// An analyzer that the settings can name, by its name or by OpenHands' for the same.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum AnalyzerName {
            $($(#[$doc])* $name,)*
        }

        impl AnalyzerName {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Doorward's name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $own,)* }
            }

            /// OpenHands' class name of the same analyzer; empty where it has none.
            #[must_use]
            pub const fn upstream(self) -> &'static str {
                match self { $(Self::$name => $upstream,)* }
            }

            /// Reads either name.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                let mut all = Self::ALL.iter().copied().filter(|_| !word.is_empty());
                all.find(|name| [name.as_str(), name.upstream()].contains(&word))
            }
        }
    };
}

analyzer_names! {
    /// The effects of the call, which are part of every assessment.
    Effects = "effects" | "",
    /// A guardrail model separate from the actor.
    ToolShield = "toolshield" | "ToolShieldLLMSecurityAnalyzer",
    /// Says nothing.
    NoOp = "noop" | "NoOpSecurityAnalyzer",
    /// The label that the actor's model gave its own call.
    SelfReport = "llm" | "LLMSecurityAnalyzer",
    /// OpenHands' patterns.
    Pattern = "pattern" | "PatternSecurityAnalyzer",
    /// OpenHands' rails.
    Rail = "rail" | "PolicyRailSecurityAnalyzer",
    /// The highest of OpenHands' own.
    Ensemble = "ensemble" | "EnsembleSecurityAnalyzer",
}

impl AnalyzerName {
    /// Creates one; `None` for the effects, and for the one that needs a model, which `doorward` builds.
    #[must_use]
    pub fn made(self) -> Option<Arc<dyn Analyzer>> {
        Some(match self {
            Self::Effects | Self::ToolShield => return None,
            Self::NoOp => Arc::new(NoOp),
            Self::SelfReport => Arc::new(SelfReport),
            Self::Pattern => Arc::new(PatternRules),
            Self::Rail => Arc::new(Rail),
            Self::Ensemble => Arc::new(Ensemble::without_model()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_names_of_an_analyzer_are_read_and_no_other() {
        for name in AnalyzerName::ALL.iter().copied() {
            assert_eq!(AnalyzerName::from_word(name.as_str()), Some(name));
            let upstream = Some(name.upstream()).filter(|word| !word.is_empty());
            assert_eq!(upstream.and_then(AnalyzerName::from_word), upstream.map(|_| name));
        }
        for word in ["", "LLM", "llmsecurityanalyzer", "guardrail"] {
            assert_eq!(AnalyzerName::from_word(word), None, "{word}");
        }
        assert_eq!(AnalyzerName::SelfReport.as_str(), self_report::NAME);
    }
}
