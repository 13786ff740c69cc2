//! Scanning: what is looked at, what is reported, and how.
//!
//! [`run`] walks files, [`staged`] looks at what a commit would add, [`history`] at every blob once; each gives a
//! [`Report`] which [`render`] writes in the format asked for. What can't be read or is over a bound is listed, never
//! passed over in silence.

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
