//! How subcommands speak: one line of JSON or text for people, errors with a code and what to do.

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// As a shell reports a program that wrote into a closed pipe. Not 0: a verdict that nobody read is no Allow.
const PIPE_CLOSED: i32 = 141;

/// Whether the command line has `--json`.
static AS_JSON: AtomicBool = AtomicBool::new(false);

/// `--json` was given: from now on every line on standard output is JSON, and an error is JSON on standard error.
pub(crate) fn speak_json() {
    AS_JSON.store(true, Ordering::Relaxed);
}

/// Whether standard output is to be JSON.
pub(crate) fn as_json() -> bool {
    AS_JSON.load(Ordering::Relaxed)
}

/// Whoever reads the output may stop reading (`| head -1`): then the program ends without a word. Rust ignores
/// SIGPIPE, and printing macros panic with the error instead.
pub(crate) fn end_quietly_on_closed_pipe() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let said = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        if said.starts_with("failed printing to") && said.contains("Broken pipe") {
            std::process::exit(PIPE_CLOSED);
        }
        usual(panic);
    }));
}

/// Prints a sentence for people; with `--json`, as `{"message": …}`.
macro_rules! say {
    ($($words:tt)*) => { $crate::output::sentence(&format!($($words)*)) };
}
pub(crate) use say;

/// See [`say`].
pub(crate) fn sentence(text: &str) {
    said(&serde_json::json!({"message": plain(text)}), text);
}

/// Prints what was done or found: the value with `--json`, else the text.
pub(crate) fn said(value: &serde_json::Value, text: &str) {
    if as_json() {
        anstream::println!("{value}");
    } else {
        anstream::println!("{text}");
    }
}

/// Prints a text that other programs read, such as a description or a proof; with `--json`, as `{"text": …}`.
pub(crate) fn document(text: &str) -> Result<(), Failure> {
    if as_json() {
        return json_line(&serde_json::json!({"text": plain(text)}));
    }
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Without colours.
fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
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
        if self.code == CLOSED && nobody_reads() {
            std::process::exit(PIPE_CLOSED);
        }
        if as_json() {
            let error = serde_json::json!({"error": {"code": self.code, "message": plain(&self.message)}});
            anstream::eprintln!("{error}");
            return ExitCode::from(exit::ERROR);
        }
        anstream::eprintln!("\u{1b}[1;31merror\u{1b}[0m \u{1b}[2m[{}]\u{1b}[0m {}", self.code, self.message);
        ExitCode::from(exit::ERROR)
    }
}

/// Code of a write to a reader that is gone: that of standard output, or of another pipe.
const CLOSED: &str = "output.closed";

/// Whether the reader of standard output is gone.
fn nobody_reads() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    let out = std::io::stdout();
    let mut asked = [PollFd::new(&out, PollFlags::OUT)];
    poll(&mut asked, Some(&rustix::event::Timespec::default())).is_ok()
        && asked.iter().any(|one| one.revents().contains(PollFlags::ERR))
}

/// Any error whose text starts with its code (`ledger.locked: …`).
impl<E: std::error::Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let any: &dyn std::error::Error = &error;
        let io = any.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        let json = any.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        if io.or(json) == Some(ErrorKind::BrokenPipe) {
            return Self::new(CLOSED, "what this wrote to has gone away (broken pipe)");
        }
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
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")?;
    Ok(())
}
