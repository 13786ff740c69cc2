//! Settings for paths, the shell and the sandbox.

use super::*;

/// Paths.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Paths {
    /// Paths outside the roots: `strict` or `ask`. Unset: `ask` for hooks, `strict` elsewhere.
    pub roots: Option<doorward_core::call::OutsideRoots>,
    /// Roots in addition to the working folder: `P`, `ro:P`, `deny:P`.
    pub extra_roots: Vec<String>,
    /// Further protected names whose changes need a confirmation.
    pub protected: Vec<String>,
    /// Whether absolute paths and `..` are refused.
    pub relative_only: bool,
    /// Roots of network callers by principal, `*` for all others: `P`, `ro:P`, `deny:P`, absolute. A caller without
    /// roots may only name paths that `extra_roots` opens.
    pub callers: BTreeMap<String, Vec<String>>,
}

impl Paths {
    /// The configured roots of a network caller; `None` if there are none.
    #[must_use]
    pub fn of_caller(&self, principal: &str) -> Option<&[String]> {
        self.callers.get(principal).or_else(|| self.callers.get("*")).map(Vec::as_slice)
    }
}

section!(
    Paths,
    "paths",
    [
        key("roots", Tighten::By(|_, new| new == "strict")),
        key("extra_roots", Tighten::Never).joined(),
        key("protected", Tighten::Add),
        key("relative_only", Tighten::ToTrue),
        key("callers", Tighten::Never),
    ]
);

/// Which connectors a command may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Structure {
    /// Any.
    #[default]
    Any,
    /// One pipeline.
    Pipeline,
    /// One simple command.
    Single,
}

/// Shell commands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Shell {
    /// Allowed structure of a command: `any`, one `pipeline`, or a `single` simple command.
    pub structure: Structure,
}

section!(Shell, "shell", [key("structure", Tighten::Along(&["any", "pipeline", "single"]))]);

/// Specs of programs; see docs/knowledge.md.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Knowledge {
    /// Files with specs of your own programs: absolute, or below the home folder with `~/`.
    pub files: Vec<String>,
    /// Files of the project that may only make the judgement of programs stricter; relative to the project.
    pub stricter: Vec<String>,
}

section!(Knowledge, "knowledge", [key("files", Tighten::Never).joined(), key("stricter", Tighten::Add)]);

section!(
    Net,
    "net",
    [
        key("resolve_dns", Tighten::ToTrue),
        key("allowed_only", Tighten::ToTrue),
        key("allowed_hosts", Tighten::Never).joined(),
        key("extra_blocked_hosts", Tighten::Add),
        key("allow_nat64", Tighten::ToFalse),
        key("nat64_prefixes", Tighten::Add),
        key("max_redirects", Tighten::Lower),
        key("dns_timeout_ms", Tighten::Lower),
        key("dangerously_allow_metadata", Tighten::ToFalse),
    ]
);

section!(
    Egress,
    "egress",
    [
        key("mode", Tighten::Along(&["off", "report", "enforce"])),
        key("deny", Tighten::Add),
        key("ask_s", Tighten::Lower),
        key("tcp", Tighten::ToFalse),
        key("intercept", Tighten::ToFalse),
        key("allow_upstream_proxy", Tighten::ToFalse),
        key("upstream_resolves", Tighten::ToFalse),
        key("allow", Tighten::Never).joined(),
        key("ask", Tighten::Never).joined(),
    ]
);

/// The sandbox in which calls run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sandbox {
    /// Minimum tier; without it the call is denied.
    pub min_tier: Tier,
    /// Wall time in seconds; by what runs (see [`RunProfile`]) if absent.
    pub wall_s: Option<u32>,
    /// Memory in MiB; by what runs if absent.
    pub memory_mb: Option<u32>,
}

/// Limits of a run that the settings don't limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunProfile {
    /// Wall time in seconds.
    pub wall_s: u32,
    /// Memory in MiB.
    pub memory_mb: u32,
}

impl RunProfile {
    /// Code given to an interpreter (`python:execute`).
    pub const CODE: Self = Self { wall_s: 30, memory_mb: 512 };
    /// Shell commands: they build and test.
    pub const BUILD: Self = Self { wall_s: 600, memory_mb: 4096 };
}

impl Sandbox {
    /// The limits of code given to an interpreter, or of a shell command.
    #[must_use]
    pub fn profile(&self, code: bool) -> RunProfile {
        let usual = if code { RunProfile::CODE } else { RunProfile::BUILD };
        RunProfile {
            wall_s: self.wall_s.unwrap_or(usual.wall_s),
            memory_mb: self.memory_mb.unwrap_or(usual.memory_mb),
        }
    }
}

/// A project's limit, which may only tighten. If the user set none, it must also tighten the tighter profile.
fn tightens(old: &Value, new: &Value, usual: u32) -> bool {
    let old = old.as_f64().unwrap_or_else(|| f64::from(usual));
    new.as_f64().is_some_and(|new| new <= old)
}

impl Default for Sandbox {
    fn default() -> Self {
        Self { min_tier: Tier::Limited, wall_s: None, memory_mb: None }
    }
}

section!(
    Sandbox,
    "sandbox",
    [
        key("min_tier", Tighten::Along(&["none", "limited", "restricted", "full"])),
        key("wall_s", Tighten::By(|old, new| tightens(old, new, RunProfile::CODE.wall_s))),
        key("memory_mb", Tighten::By(|old, new| tightens(old, new, RunProfile::CODE.memory_mb))),
    ]
);
