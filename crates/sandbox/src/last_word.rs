//! Explains in one sentence what Doorward did to a failed run.
//!
//! Only observed facts: a limit that fired, a protected place that the program tried to change, a host that it tried
//! to reach, a path in its words or a link of the working folder that leads outside the view, a file that it made in
//! the private `/tmp`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::observe::Seen;
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
        match self.status {
            Status::Killed { .. } => return None,
            Status::Exited { code: 0 } => return self.gone_with_tmp(),
            _ => {}
        }
        if let Some(place) = self.withheld.first() {
            return Some(format!(
                "nothing was written to {}: other programs run what it says, so it stays as it is in the sandbox. \
                 Change it outside",
                place.display()
            ));
        }
        if let Some(host) = self.refused.first() {
            let name = host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name);
            return Some(format!(
                "no route to {host}: it isn't among the hosts that this run may reach. Add it: doorward run --allow \
                 {name}, or egress.allow in the settings"
            ));
        }
        if let Some(tried) = &self.unreached {
            return Some(tried.to_string());
        }
        let Some((link, target)) = self.unseen.first() else { return self.gone_with_tmp() };
        let shown = if link == target { String::new() } else { format!("{} leads to ", link.display()) };
        let which = if link == target { "" } else { ", which" };
        // Nobody should show a secret, or every home at once.
        let stays = target.to_str().is_none_or(doorward_paths::is_secret) || target.components().count() < 3;
        let cure = if stays { "" } else { ". Show it: doorward run --read " };
        let again = if stays { String::new() } else { target.display().to_string() };
        Some(format!("{shown}{}{which} isn't to be seen in the sandbox{cure}{again}", target.display()))
    }

    /// Names a file that the command mentions and that ended with the private `/tmp`.
    fn gone_with_tmp(&self) -> Option<String> {
        let made = self.made_in_tmp.first()?;
        Some(format!(
            "{} was made in a private /tmp, which ended with this run. To keep it, write it below the working folder",
            made.display()
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

/// An attempt to reach a host without the proxy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct Unreached {
    /// Its address and port; `None` for the search for a name's address.
    pub address: Option<String>,
    /// Whether the run has a proxy.
    pub proxy: bool,
}

impl fmt::Display for Unreached {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.address, self.proxy) {
            (Some(address), false) => write!(to, "no route to {address}: this run has no network")?,
            (None, false) => write!(to, "no host name is looked up: this run has no network")?,
            (Some(address), true) => write!(to, "no route to {address}: the only way out is the proxy")?,
            (None, true) => write!(to, "no host name is looked up here: the only way out is the proxy")?,
        }
        match self.proxy {
            false => write!(to, ". Give it one: doorward run --allow HOST, or egress.allow in the settings"),
            true => write!(to, " that HTTPS_PROXY names, and the program didn't use it"),
        }
    }
}

/// The first host that was tried without the proxy. The view has no name server, so the libraries ask one on loopback.
pub(crate) fn unreached(observed: &[Seen], proxy: bool) -> Option<Unreached> {
    observed.iter().find_map(|seen| {
        let Seen::Address { host, port, .. } = seen else { return None };
        let loopback = host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        let address = match (loopback, *port) {
            (_, 53) => None,
            (true, _) => return None,
            (false, _) => Some(format!("{host}:{port}")),
        };
        Some(Unreached { address, proxy })
    })
}

/// What lies in none of the places shown: paths among the words of the programs that were started, then links of a
/// folder; each with its target.
pub(crate) fn unseen(folder: &Path, shown: &[PathBuf], observed: &[Seen]) -> Vec<(PathBuf, PathBuf)> {
    let words = observed.iter().filter_map(|seen| match seen {
        Seen::Program(words) => words.get(1..),
        _ => None,
    });
    let paths = words.flatten().map(|word| word.split_once('=').map_or(word.as_str(), |(_, value)| value));
    let named = paths.filter(|word| word.contains('/')).filter_map(|word| {
        let target = std::fs::canonicalize(folder.join(word)).ok()?;
        Some((target.clone(), target))
    });
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_ENTRIES);
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    let mut links: Vec<(PathBuf, PathBuf)> = links
        .filter_map(|link| Some((link.file_name().into(), std::fs::canonicalize(link.path()).ok()?)))
        .collect();
    links.sort();
    let is_shown = |target: &Path| shown.iter().any(|at| target.starts_with(at) || at.starts_with(target));
    named.chain(links).filter(|(_, target)| !is_shown(target)).take(8).collect()
}

/// Files of the private `/tmp` that the command names.
pub(crate) fn made_in_tmp(names: &[PathBuf], argv: &[Vec<u8>], shown: &[PathBuf]) -> Vec<PathBuf> {
    let tmp = Path::new("/tmp");
    let is_named = |path: &PathBuf| {
        let text = path.to_string_lossy();
        argv.iter().any(|word| String::from_utf8_lossy(word).contains(&*text))
    };
    let made = names.iter().map(|name| tmp.join(name));
    made.filter(is_named).filter(|path| !shown.iter().any(|place| place.starts_with(path))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_tried_in_vain_is_named() {
        let address = |host: &str, port| Seen::Address { host: host.to_owned(), port, datagram: false };
        let own = address("127.0.0.1", 8080);
        assert_eq!(unreached(std::slice::from_ref(&own), false), None);
        let said = |seen: Seen, proxy| unreached(&[own.clone(), seen], proxy).unwrap().to_string();
        assert!(
            said(address("192.0.2.9", 443), false).starts_with("no route to 192.0.2.9:443: this run has no")
        );
        assert!(said(address("127.0.0.1", 53), false).starts_with("no host name is looked up"));
        assert!(said(address("192.0.2.9", 443), true).contains("HTTPS_PROXY"));
    }

    #[test]
    fn paths_outside_the_view_are_found_in_words() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        for name in ["work/own", "beside/lib", "open/x"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        let words = ["cat", "own", "../open/x", "--from=../beside/lib", "..", "/nowhere/at/all"];
        let seen = Seen::Program(words.map(str::to_owned).to_vec());
        let lib = root.join("beside/lib");
        let shown = [root.join("work"), root.join("open")];
        assert_eq!(unseen(&root.join("work"), &shown, &[seen]), [(lib.clone(), lib)]);
    }

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
