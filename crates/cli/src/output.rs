//! How subcommands speak: one line of JSON or text for people, errors with a code and what to do.

use std::process::ExitCode;

use serde::Serialize;

/// Bytes read of a file that a command line names.
pub(crate) const MOST_READ: u64 = 64 << 20;

/// Exit codes of judging subcommands.
pub(crate) mod exit {
    /// Allowed, or done.
    pub(crate) const ALLOW: u8 = 0;
    /// Needs confirmation.
    pub(crate) const CONFIRM: u8 = 10;
    /// Denied.
    pub(crate) const DENY: u8 = 11;
    /// The question itself was wrong, or something failed.
    pub(crate) const ERROR: u8 = 2;
}

/// An error of a subcommand.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: String,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into() }
    }

    /// Settings or policies that don't load, drawn with the place in their text where there is one.
    pub(crate) fn of_problem(problem: &doorward::problem::Problem) -> Self {
        let text = problem.cause().map_or_else(
            || problem.text().to_owned(),
            |cause| {
                let mut drawn = String::new();
                // Writing to a String can't fail.
                let _ = miette::GraphicalReportHandler::new().render_report(&mut drawn, cause);
                drawn
            },
        );
        Self::new(problem.code(), text)
    }

    /// The stable code.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// In one line, without colours.
    pub(crate) fn told(&self) -> String {
        format!("{} ({})", self.message, self.code)
    }

    /// The same, with the file it is about.
    pub(crate) fn in_file(self, file: &std::path::Path) -> Self {
        Self { message: format!("{}: {}", file.display(), self.message), ..self }
    }

    /// Prints it and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        anstream::eprintln!("\u{1b}[1;31merror\u{1b}[0m \u{1b}[2m[{}]\u{1b}[0m {}", self.code, self.message);
        ExitCode::from(exit::ERROR)
    }
}

/// Any error whose text starts with its code (`ledger.locked: …`).
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let text = error.to_string();
        match text.split_once(": ") {
            Some((code, rest)) if is_code(code) => Self::new(code, rest),
            _ => Self::new("error", text),
        }
    }
}

fn is_code(text: &str) -> bool {
    text.contains('.') && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'.' || byte == b'_')
}

/// One line of JSON.
pub(crate) fn json_line<T: Serialize>(value: &T) -> Result<(), Failure> {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")?;
    Ok(())
}
