//! Scanning: inputs, reports, and formats.
//!
//! [`run`] scans files, [`staged`] the changes a commit would add, [`history`] every blob once; each returns a
//! [`Report`], which [`render`] writes in the requested format. Everything unreadable or over a limit is listed.

mod allow;
mod archive;
mod baseline;
mod batch;
mod file;
mod finding;
mod git;
mod ignoring;
mod place;
mod report;
mod style;
mod walk;

pub use baseline::{Baseline, BaselineError};
pub use batch::batch_line;
pub use file::scan_reader;
pub use finding::{Finding, find_in};
pub use git::{GitError, history, staged};
pub use report::{Format, render};
pub use style::style_of;
pub use walk::{Options, Progress, Report, Skipped, Stats, Suppressed, run, stream};
