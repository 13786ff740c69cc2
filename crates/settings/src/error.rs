//! Errors in settings, with the position in the text.

use std::ops::Range;
use std::sync::Arc;

use miette::{Diagnostic, NamedSource, SourceSpan};

/// Why settings are refused. The active settings stay; without any, every call is denied.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum SettingsError {
    /// Invalid TOML.
    #[error("{message}")]
    #[diagnostic(code("settings.syntax"))]
    Syntax {
        /// The parser's message.
        message: String,
        /// Text of the layer.
        #[source_code]
        source_code: Arc<NamedSource<String>>,
        /// Position.
        #[label("here")]
        span: SourceSpan,
    },
    /// An unknown key.
    #[error("unknown key `{key}`")]
    #[diagnostic(code("settings.unknown_key"))]
    UnknownKey {
        /// The key with its path.
        key: String,
        /// A suggestion.
        #[help]
        help: Option<String>,
        /// Text of the layer.
        #[source_code]
        source_code: Arc<NamedSource<String>>,
        /// Position.
        #[label("not a setting")]
        span: SourceSpan,
    },
    /// An invalid value.
    #[error("`{key}`: {message}")]
    #[diagnostic(code("settings.value"))]
    Value {
        /// The key with its path.
        key: String,
        /// The error.
        message: String,
        /// Text of the layer.
        #[source_code]
        source_code: Arc<NamedSource<String>>,
        /// Position.
        #[label("this value")]
        span: SourceSpan,
    },
    /// A project's layer tries to loosen a setting.
    #[error("a project may only tighten `{key}`: {from} → {to} would loosen it")]
    #[diagnostic(
        code("settings.loosens"),
        help("set it in your own doorward.toml, outside the project, if you mean it")
    )]
    Loosens {
        /// The key with its path.
        key: String,
        /// The active value.
        from: String,
        /// The requested value.
        to: String,
        /// Text of the layer.
        #[source_code]
        source_code: Arc<NamedSource<String>>,
        /// Position.
        #[label("in the project's layer")]
        span: SourceSpan,
    },
    /// Values of the layers contradict each other.
    #[error("{message}")]
    #[diagnostic(code("settings.conflict"))]
    Conflict {
        /// The contradiction.
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
