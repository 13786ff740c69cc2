//! Why settings were refused, with the place in the text.

use std::ops::Range;
use std::sync::Arc;

use miette::{Diagnostic, NamedSource, SourceSpan};

/// A refusal. Any of them keeps the settings that were in force; with none in force everything is denied.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum SettingsError {
    /// Not TOML.
    #[error("{message}")]
    #[diagnostic(code("settings.syntax"))]
    Syntax {
        /// What the parser says.
        message: String,
        /// The layer.
        #[source_code]
        source_code: Arc<NamedSource<String>>,
        /// Where.
        #[label("here")]
        span: SourceSpan,
    },
    /// A key that nobody defines.
    #[error("unknown key `{key}`")]
    #[diagnostic(code("settings.unknown_key"))]
    UnknownKey {
        /// The key with its path.
        key: String,
        /// What may have been meant.
        #[help]
        help: Option<String>,
        /// The layer.
        #[source_code]
        source_code: Arc<NamedSource<String>>,
        /// Where.
        #[label("not a setting")]
        span: SourceSpan,
    },
    /// A value that doesn't fit its key.
    #[error("`{key}`: {message}")]
    #[diagnostic(code("settings.value"))]
    Value {
        /// The key with its path.
        key: String,
        /// What is wrong with it.
        message: String,
        /// The layer.
        #[source_code]
        source_code: Arc<NamedSource<String>>,
        /// Where.
        #[label("this value")]
        span: SourceSpan,
    },
    /// A project's layer tried to loosen.
    #[error("a project may only tighten `{key}`: {from} → {to} would loosen it")]
    #[diagnostic(
        code("settings.loosens"),
        help("set it in your own doorward.toml, outside the project, if you mean it")
    )]
    Loosens {
        /// The key with its path.
        key: String,
        /// The value in force.
        from: String,
        /// The value asked for.
        to: String,
        /// The layer.
        #[source_code]
        source_code: Arc<NamedSource<String>>,
        /// Where.
        #[label("in the project's layer")]
        span: SourceSpan,
    },
    /// The layers together don't make sense.
    #[error("{message}")]
    #[diagnostic(code("settings.conflict"))]
    Conflict {
        /// What doesn't fit.
        message: String,
    },
}

impl SettingsError {
    /// The stable code.
    #[must_use]
    pub const fn code_word(&self) -> &'static str {
        match self {
            Self::Syntax { .. } => "settings.syntax",
            Self::UnknownKey { .. } => "settings.unknown_key",
            Self::Value { .. } => "settings.value",
            Self::Loosens { .. } => "settings.loosens",
            Self::Conflict { .. } => "settings.conflict",
        }
    }
}

pub(crate) fn span(range: Option<Range<usize>>) -> SourceSpan {
    let range = range.unwrap_or(0..0);
    SourceSpan::new(range.start.into(), range.end.saturating_sub(range.start))
}
