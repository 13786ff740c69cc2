//! What stands for `eval` and `experiences explore` in a build without the feature `lab`: a message that says how to get
//! them.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::output::Failure;

/// Whatever was asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<OsString>,
}

/// # Errors
/// Always `lab.not_built`.
pub(crate) fn run(_: &Args) -> Result<ExitCode, Failure> {
    Err(Failure::new(
        "lab.not_built",
        "this build can't try tools or settings: take a released build, or build with `--features lab`",
    ))
}
