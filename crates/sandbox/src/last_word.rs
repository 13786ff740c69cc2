//! Explains in one sentence what Doorward did to a failed run.
//!
//! Only observed facts: a limit that fired, a protected place that the program tried to change, a link of the
//! working folder whose target is outside the view.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::report::{LimitHit, LimitName, Report, Status};

/// Limit on folder entries checked for links.
const MOST_ENTRIES: usize = 2_000;

impl Report {
    /// Why Doorward made the run fail; `None` if the run didn't fail, or failed for another reason.
    #[must_use]
    pub fn last_word(&self) -> Option<String> {
        if let Some(hit) = self.limits_hit.first() {
            return Some(self.limit(hit));
        }
        if matches!(self.status, Status::Exited { code: 0 } | Status::Killed { .. }) {
            return None;
        }
        if let Some(place) = self.withheld.first() {
            return Some(format!(
                "nothing was written to {}: other programs run what it says, so it stays as it is in the sandbox. \
                 CollectedChange it outside",
                place.display()
            ));
        }
        let (link, target) = self.unseen.first()?;
        Some(format!(
            "{} leads to {}, which isn't to be seen in the sandbox. Show it: doorward run --read {}",
            link.display(),
            target.display(),
            target.display()
        ))
    }

    fn limit(&self, hit: &LimitHit) -> String {
        let LimitHit { limit, peak, allowed } = *hit;
        let ended = matches!(self.status, Status::Killed { .. });
        match limit {
            LimitName::Wall => {
                let more = if allowed < 600_000 { "10m".to_owned() } else { time(allowed.saturating_mul(4)) };
                format!(
                    "stopped after {} of {}. Give it longer: --wall {more}, or sandbox.wall_s in the settings",
                    time(peak),
                    time(allowed)
                )
            }
            LimitName::Cpu => format!(
                "a process used up its {} of processor time. Give it longer: --wall 10m, or sandbox.wall_s in the \
                 settings",
                time(allowed)
            ),
            LimitName::Memory => {
                let more = (allowed.saturating_mul(2) >> 30).max(2);
                let what = if ended { "stopped at" } else { "a process was ended at" };
                format!(
                    "{what} {} of memory. Give it more: --memory {more}G, or sandbox.memory_mb in the settings",
                    size(allowed)
                )
            }
            LimitName::Pids => {
                let more = allowed.saturating_mul(4);
                format!("no more than {allowed} processes at once. Give it more: --processes {more}")
            }
            LimitName::Output => format!("the output was cut after {}", size(allowed)),
            LimitName::Disk => {
                format!("a file, or what lies in the private /tmp and home, reached {}", size(allowed))
            }
            LimitName::Files => format!("no more than {allowed} open files in one process"),
        }
    }
}

/// Milliseconds in a readable form.
fn time(milliseconds: u64) -> String {
    let seconds = Duration::from_millis(milliseconds).as_secs();
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, _) if seconds == 0 => format!("{milliseconds} ms"),
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, 0) => format!("{minutes}m"),
        (0, minutes, seconds) => format!("{minutes}m {seconds}s"),
        (hours, 0, _) => format!("{hours}h"),
        (hours, minutes, _) => format!("{hours}h {minutes}m"),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_048_576 => format!("{bytes} bytes"),
        1_048_576..1_073_741_824 => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    }
}

/// Links of a folder to existing targets that lie in none of the places shown.
pub(crate) fn unseen(folder: &Path, shown: &[PathBuf]) -> Vec<(PathBuf, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_ENTRIES);
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    let mut all: Vec<(PathBuf, PathBuf)> = links
        .filter_map(|link| Some((link.file_name().into(), std::fs::canonicalize(link.path()).ok()?)))
        .filter(|(_, target)| !shown.iter().any(|place| target.starts_with(place)))
        .collect();
    all.sort();
    all.truncate(8);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_units_that_they_know() {
        for (milliseconds, said) in
            [(40, "40 ms"), (30_000, "30 s"), (90_000, "1m 30s"), (600_000, "10m"), (7_200_000, "2h")]
        {
            assert_eq!(time(milliseconds), said);
        }
        for (bytes, said) in
            [(512 << 20, "512 MiB"), (2 << 30, "2 GiB"), (1_610_612_736, "1.5 GiB"), (9, "9 bytes")]
        {
            assert_eq!(size(bytes), said);
        }
    }
}
