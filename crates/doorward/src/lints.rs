//! What the author of a project's rules and policies should know before the first call.

use doorward_policy::cedar::Lint;
use doorward_policy::shorthand::Programs;
use jiff::Timestamp;

use crate::project::Project;

/// Programs that rules name most often: of two names that are equally near, one of these is meant.
const EVERYDAY: &[&str] = &[
    "apt",
    "aws",
    "bash",
    "brew",
    "bun",
    "cargo",
    "cat",
    "chmod",
    "cp",
    "curl",
    "docker",
    "find",
    "gh",
    "git",
    "go",
    "grep",
    "helm",
    "kubectl",
    "ls",
    "make",
    "mkdir",
    "mv",
    "node",
    "npm",
    "npx",
    "pip",
    "pnpm",
    "psql",
    "pytest",
    "python",
    "python3",
    "rm",
    "rsync",
    "ruff",
    "scp",
    "sed",
    "ssh",
    "sudo",
    "tar",
    "terraform",
    "uv",
    "wget",
    "yarn",
];

/// The programs that the shell analysis knows.
struct Known;

impl Programs for Known {
    fn is_known(&self, name: &str) -> bool {
        doorward_shell::programs::is_known(name)
    }

    fn nearest(&self, name: &str) -> Option<String> {
        let everyday = doorward_settings::nearest(name, EVERYDAY.iter().copied());
        everyday
            .or_else(|| doorward_settings::nearest(name, doorward_shell::programs::names()))
            .map(str::to_owned)
    }
}

impl Project {
    /// Rules and policies in force that can't do what they seem to. Nothing of it keeps them from being loaded.
    #[must_use]
    pub fn lints(&self) -> Vec<Lint> {
        let Some(compiled) = self.policies() else { return Vec::new() };
        let rules = compiled.rules().lints(&Known, Timestamp::now());
        compiled.lints().iter().cloned().chain(rules).collect()
    }
}
