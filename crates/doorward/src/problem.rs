//! Why the settings or policies of a project aren't in force, drawn with the place in their text where there is one.

use doorward_policy::cedar::LoadError;
use miette::Diagnostic;

use crate::layers::LayerError;

/// What is wrong, with a stable code.
#[derive(Debug)]
pub struct Problem {
    code: String,
    text: String,
    cause: Option<Box<dyn Diagnostic + Send + Sync>>,
}

impl Problem {
    pub(crate) fn new(code: impl Into<String>, text: impl Into<String>) -> Self {
        Self { code: code.into(), text: text.into(), cause: None }
    }

    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// One line.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The error itself, if it points into a text.
    #[must_use]
    pub fn cause(&self) -> Option<&(dyn Diagnostic + Send + Sync)> {
        self.cause.as_deref()
    }

    /// The same, while what was loaded before stays in force.
    pub(crate) fn but_kept(mut self) -> Self {
        self.text.push_str("; the last good settings and policies stay in force");
        self
    }
}

impl From<LoadError> for Problem {
    fn from(error: LoadError) -> Self {
        Self {
            code: "policy.load".to_owned(),
            text: format!("policy.load: {error}"),
            cause: Some(Box::new(error)),
        }
    }
}

impl From<LayerError> for Problem {
    fn from(error: LayerError) -> Self {
        let (code, text) = (error.code(), error.to_string());
        let cause: Option<Box<dyn Diagnostic + Send + Sync>> = match error {
            LayerError::Unreadable { .. } => None,
            LayerError::Settings(error) => Some(error),
        };
        Self { code, text, cause }
    }
}
