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
