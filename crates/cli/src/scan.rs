//! `doorward scan`: secrets in files, staged changes, history, or standard input.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use doorward::rooms::core::Severity;
use doorward_hooks::thin::default_state;
use doorward_secrets::scan::{self, Baseline, Format, Options, Report};
use doorward_secrets::{Detector, FingerprintKey};
use indicatif::{ProgressBar, ProgressStyle};

use crate::output::Failure;

#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub(crate) struct Args {
    /// Files and folders; `-` for standard input
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// Rows `{"id", "text" | "text_b64", "path"?}` on standard input, one answer a line
    #[arg(long)]
    batch: bool,
    /// What is staged in git, for a pre-commit hook
    #[arg(long, conflicts_with = "history")]
    staged: bool,
    /// Every version git knows
    #[arg(long)]
    history: bool,
    /// With --history: which commits, as `git log` takes it
    #[arg(long, requires = "history")]
    range: Option<String>,
    /// text, json, jsonl, sarif or html
    #[arg(long, default_value = "text")]
    format: Format,
    /// Write the report here
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Findings accepted before
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Accept everything found now: write it to the baseline file
    #[arg(long, requires = "baseline")]
    update_baseline: bool,
    /// Report keys, passwords and tokens of no provider in tests, examples and manuals, too
    #[arg(long)]
    all: bool,
    /// Least severity: medium, high or critical
    #[arg(long, default_value = "medium")]
    severity: String,
    /// Leave out paths that match, as in .gitignore
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Look into gzip, tar and zip files
    #[arg(long)]
    archives: bool,
    /// Scan everything that ignore files leave out, not only files with names of secrets (`.env`)
    #[arg(long)]
    no_ignore: bool,
    /// Comments in the files accept nothing
    #[arg(long)]
    no_allow_comments: bool,
    /// No progress bar
    #[arg(short, long)]
    quiet: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    if args.batch {
        return batch();
    }
    let detector = Detector::shared();
    let options = args.options()?;
    let folder = args.paths.first().cloned().unwrap_or_else(|| PathBuf::from("."));
    let report = if args.staged {
        scan::staged(detector, &folder, &options)?
    } else if args.history {
        scan::history(detector, &folder, args.range.as_deref(), &options)?
    } else if args.paths.iter().any(|path| path.as_os_str() == "-") {
        // What a person pastes or another program pipes in stands in no place.
        scan::stream(detector, std::io::stdin().lock(), "stdin", &options)
    } else {
        walk(detector, &options, args.quiet)
    };
    if args.update_baseline
        && let Some(file) = &args.baseline
    {
        let accepted: Vec<_> = report
            .findings
            .iter()
            .chain(report.suppressed.iter().filter(|known| !known.is_sample()).map(|known| &known.finding))
            .cloned()
            .collect();
        Baseline::save(file, &accepted)?;
        anstream::eprintln!("{} findings accepted in {}", accepted.len(), file.display());
        return Ok(ExitCode::SUCCESS);
    }
    let text = scan::render(&report, args.format);
    match &args.output {
        Some(file) => std::fs::write(file, text)?,
        None => std::io::stdout().lock().write_all(text.as_bytes())?,
    }
    // A report of no lines could as well be a scan that looked at nothing.
    if report.findings.is_empty() && args.format == Format::Text && !args.quiet {
        let files = report.stats.files;
        anstream::eprintln!("no secrets found in {files} file{}", if files == 1 { "" } else { "s" });
    }
    if report.samples() > 0 && !args.quiet {
        anstream::eprintln!(
            "{} more in tests, examples and manuals don't count; --all shows them",
            report.samples()
        );
    }
    Ok(ExitCode::from(report.exit_code()))
}

impl Args {
    fn options(&self) -> Result<Options, Failure> {
        let threshold = match self.severity.as_str() {
            "medium" => Severity::Medium,
            "high" => Severity::High,
            "critical" => Severity::Critical,
            other => {
                return Err(Failure::new(
                    "scan.severity",
                    format!("{other:?} is none of medium, high, critical"),
                ));
            }
        };
        let baseline = match &self.baseline {
            Some(file) if file.exists() => {
                Some(Baseline::load(file).map_err(|error| Failure::from(error).in_file(file))?)
            }
            Some(file) if !self.update_baseline => {
                let hint = "make it with --update-baseline";
                return Err(Failure::new("scan.baseline", format!("{} isn't there; {hint}", file.display())));
            }
            _ => None,
        };
        // Fingerprints are keyed, so that a baseline tells nobody which secret it accepts.
        let key = if self.baseline.is_some() {
            let state = default_state();
            std::fs::create_dir_all(&state)?;
            Some(FingerprintKey::load_or_create(&state.join("fingerprint.key"))?)
        } else {
            None
        };
        Ok(Options {
            paths: self.paths.clone(),
            threshold,
            key,
            baseline,
            allow_comments: !self.no_allow_comments,
            samples: self.all,
            ignore_files: !self.no_ignore,
            secret_names: doorward_paths::secret::is_secret,
            exclude: self.exclude.clone(),
            archives: self.archives,
            threads: 0,
        })
    }
}

fn walk(detector: &Detector, options: &Options, quiet: bool) -> Report {
    if quiet || !std::io::stderr().is_terminal() {
        return scan::run(detector, options, &|_| {});
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} files, {msg}") {
        bar.set_style(style);
    }
    let (bytes, found) = (AtomicU64::new(0), AtomicU64::new(0));
    let report = scan::run(detector, options, &|done| {
        bar.inc(1);
        let bytes = bytes.fetch_add(done.bytes, Ordering::Relaxed).saturating_add(done.bytes);
        let now = u64::try_from(done.findings).unwrap_or(0);
        let found = found.fetch_add(now, Ordering::Relaxed).saturating_add(now);
        bar.set_message(format!("{} MB, {found} found  {}", bytes / 1_000_000, done.path.display()));
    });
    bar.finish_and_clear();
    report
}

fn batch() -> Result<ExitCode, Failure> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line?;
        if !line.iter().all(u8::is_ascii_whitespace) {
            writeln!(out, "{}", scan::batch_line(&String::from_utf8_lossy(&line)))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
