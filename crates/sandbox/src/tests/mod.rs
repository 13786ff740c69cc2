//! Whole runs in this kernel. They are part of the crate because outside it only a permit's executor may start one.
//!
//! Tests under `runs` hold for uid 0 and for ordinary users: they run as the current user, and if that is uid 0,
//! again as uid 1000.
#![allow(unsafe_code)]

mod elsewhere;
mod features;
mod git;
mod languages;
mod outside;
mod permit;
mod probes;
mod protected;
mod published;
mod runs;
mod work;

use std::path::{Path, PathBuf};

use doorward_core::Tier;

use crate::{Engine, Report, Root, Spec};

/// Makes the test binary its own helper, before its `main`, as host binaries do at the start of theirs.
#[used]
#[unsafe(link_section = ".init_array")]
static HELPER: extern "C" fn() = {
    extern "C" fn start() {
        crate::maybe_init();
    }
    start
};

/// A workspace of the current user.
struct Workspace(tempfile::TempDir);

impl Workspace {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    fn shell(&self, command: &str) -> Spec {
        let mut spec = Spec::new("/bin/sh", self.path()).arg("-c").arg(command);
        spec.env.insert("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned());
        spec
    }

    /// Gives the workspace to an ordinary user if needed: uid 0 can't run the restricted tier on its own files.
    fn restricted(&self, command: &str) -> Spec {
        if crate::sys::ids().0 == 0 {
            std::os::unix::fs::chown(self.0.path(), Some(1000), Some(1000)).unwrap();
        }
        let mut spec = self.shell(command);
        (spec.tier, spec.min_tier) = (Tier::Restricted, Tier::Restricted);
        spec
    }
}

fn run(spec: Spec) -> Report {
    Engine::new().run(spec).unwrap_or_else(|error| panic!("{error}"))
}

fn out(report: &Report) -> String {
    String::from_utf8_lossy(&report.stdout).trim_end().to_owned()
}

fn err(report: &Report) -> String {
    String::from_utf8_lossy(&report.stderr).trim_end().to_owned()
}

/// Python with the folders it needs, if this user can read one on this machine.
fn python(folder: &Path, code: &str) -> Option<Spec> {
    let shown = std::process::Command::new("python3")
        .args(["-c", "import sys, os; print(os.path.realpath(sys.executable)); print(sys.base_prefix)"])
        .output()
        .ok()
        .filter(|output| output.status.success());
    let Some(shown) = shown else {
        doorward_needs::lacking!("no python3 that this user can run");
        return None;
    };
    let text = String::from_utf8(shown.stdout).unwrap();
    let mut lines = text.lines();
    let (program, prefix) = (lines.next()?.to_owned(), lines.next()?.to_owned());
    let spec = Spec::new(program, folder).arg("-c").arg(code);
    Some(if prefix.starts_with("/usr") { spec } else { spec.root(Root::read(prefix)) })
}
