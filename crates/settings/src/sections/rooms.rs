//! Paths, the shell and the sandbox.

use super::*;

/// Paths.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Paths {
    /// Paths outside the roots: `strict` or `ask`. Unset: `ask` for hooks, `strict` elsewhere.
    pub roots: Option<doorward_core::call::OutsideRoots>,
    /// Roots beside the working folder: `P`, `ro:P`, `deny:P`.
    pub extra_roots: Vec<String>,
    /// Further protected names of the ask class.
    pub protected: Vec<String>,
    /// Refuse absolute paths and `..`.
    pub relative_only: bool,
    /// Roots of callers over the network, by principal, `*` for everybody else: `P`, `ro:P`, `deny:P`, absolute. A
    /// caller without any may name no path outside what `extra_roots` opens.
    pub callers: BTreeMap<String, Vec<String>>,
}

impl Paths {
    /// The roots that the settings give a caller over the network; `None` where they give it none.
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
    /// What a command may consist of: `any`, one `pipeline`, or a `single` simple command.
    pub structure: Structure,
}

section!(Shell, "shell", [key("structure", Tighten::Along(&["any", "pipeline", "single"]))]);

/// Descriptions of programs, as docs/knowledge.md says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Knowledge {
    /// Files that describe programs of your own; absolute, or below the home folder with `~/`.
    pub files: Vec<String>,
    /// Files of the project that may only make judgement of a program stricter; relative to the project.
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

/// The sandbox that calls run in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sandbox {
    /// At least this tier, or the call is denied.
    pub min_tier: Tier,
    /// Wall time in seconds.
    pub wall_s: Option<u32>,
    /// Memory in MiB.
    pub memory_mb: Option<u32>,
}

impl Default for Sandbox {
    fn default() -> Self {
        Self { min_tier: Tier::Limited, wall_s: Some(30), memory_mb: Some(512) }
    }
}

section!(
    Sandbox,
    "sandbox",
    [
        key("min_tier", Tighten::Along(&["none", "limited", "restricted", "full"])),
        key("wall_s", Tighten::Lower),
        key("memory_mb", Tighten::Lower),
    ]
);
