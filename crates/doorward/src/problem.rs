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

/// On one line: the file and line, what is wrong there, and the nearest name or the way out.
fn line_of(error: &dyn Diagnostic) -> String {
    let place = place(error).map(|(file, line)| format!("{file}, line {line}: ")).unwrap_or_default();
    let help = error.help().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{place}{error}{help}")
}

fn place(error: &dyn Diagnostic) -> Option<(String, usize)> {
    let label = error.labels()?.next()?;
    let text = error.source_code()?.read_span(label.inner(), 0, 0).ok()?;
    Some((text.name()?.to_owned(), text.line() + 1))
}

/// The command that mends what keeps Doorward from judging; `None` for the code of a call that was judged.
#[must_use]
pub fn mend_of(code: &str) -> Option<&'static str> {
    let of = |room: &str| code.strip_prefix(room).is_some_and(|rest| rest.starts_with('.'));
    match code {
        "hook.missing" => Some("doorward install CLIENT"),
        "service.unavailable" | "service.broken" | "hook.timeout" => Some("doorward restart"),
        "service.other_user" => Some("doorward install CLIENT, as the user who runs the agent"),
        "policy.load" => Some("doorward config check"),
        _ if of("settings") => Some("doorward config check"),
        _ if of("ledger") || of("store") || of("state") => Some("doorward doctor"),
        _ => None,
    }
}

impl From<LoadError> for Problem {
    fn from(error: LoadError) -> Self {
        Self { code: "policy.load".to_owned(), text: line_of(&error), cause: Some(Box::new(error)) }
    }
}

impl From<LayerError> for Problem {
    fn from(error: LayerError) -> Self {
        let code = error.code();
        let text = match &error {
            LayerError::Unreadable { .. } => error.to_string(),
            LayerError::Settings(settings) => line_of(settings.as_ref()),
        };
        let cause: Option<Box<dyn Diagnostic + Send + Sync>> = match error {
            LayerError::Unreadable { .. } => None,
            LayerError::Settings(error) => Some(error),
        };
        Self { code, text, cause }
    }
}
