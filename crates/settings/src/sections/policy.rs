//! Settings for policy engines, shorthand rules and obligations.

use super::*;

/// The decision for calls that no policy permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnNoMatch {
    /// The permission mode decides.
    Mode,
    /// It is denied.
    Deny,
}

/// The protocol of a remote policy engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RemoteKind {
    /// The seed contract.
    Seed,
    /// AuthZEN 1.0.
    Authzen,
    /// Open Policy Agent's data API.
    Opa,
}

/// A remote policy engine. The stricter of its verdict and the local one counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Remote {
    /// Its protocol.
    pub kind: RemoteKind,
    /// URL for requests.
    pub url: String,
    /// Time limit of a request, in milliseconds.
    #[serde(default = "half_a_second")]
    pub deadline_ms: u64,
    /// Name of the environment variable with a bearer token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_env: Option<String>,
    /// Unix socket of the engine; the URL then gives the path on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<String>,
}

const fn half_a_second() -> u64 {
    500
}

/// Policies and policy engines.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Built-in packs: `coding-agent`, `seed-contract`. Unset: the surface's default.
    pub packs: Option<Vec<String>>,
    /// Cedar files.
    pub files: Vec<String>,
    /// The decision for calls that no policy permits: `mode` or `deny`. Unset: `mode` for hooks and local sessions,
    /// `deny` for network callers. A pack may have its own.
    pub on_no_match: Option<OnNoMatch>,
    /// A remote engine to ask as well.
    pub remote: Option<Remote>,
    /// Groups of this machine's users: `{ editor = ["alice"] }`. They apply to hooks, the MCP gateway and
    /// `doorward run`, whose user the kernel identifies. Callers of the decision point send their groups themselves.
    pub groups: BTreeMap<String, Vec<String>>,
}

impl Policy {
    /// The groups of a user of this machine.
    #[must_use]
    pub fn groups_of(&self, user: &str) -> Vec<String> {
        let of_user = |(_, members): &(&String, &Vec<String>)| members.iter().any(|member| member == user);
        self.groups.iter().filter(of_user).map(|(group, _)| group.clone()).collect()
    }
}

section!(Policy, "policy", [key("on_no_match", Tighten::By(|_, new| new == "deny"))]);

/// A rule: a shorthand, or a table with the shorthand and options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Rule {
    /// `"shell(git status)"`
    Plain(String),
    /// `{ rule = "shell(git status)", match = ["git status"], reason = "…" }`
    Full(Box<RuleText>),
}

/// A rule with its reason and examples.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RuleText {
    /// The shorthand.
    pub rule: String,
    /// Shown to people when the rule applies.
    #[serde(alias = "justification", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Examples that it must match, checked at load.
    #[serde(rename = "match", skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<String>,
    /// Examples that it must not match, checked at load.
    #[serde(rename = "not_match", skip_serializing_if = "Vec::is_empty")]
    pub not_matches: Vec<String>,
    /// The callers, projects and sessions it applies to. Unset: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<Only>,
    /// When it expires (exclusive), as RFC 3339. Unset: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Whether it covers a command line only if rules cover every command of it, read-only ones included.
    #[serde(skip_serializing_if = "is_unset")]
    pub alone: bool,
    /// Whether it is a grant for a task: it covers everyday calls only, nothing HIGH, deleted, outside or protected,
    /// and answers no question of a pack.
    #[serde(skip_serializing_if = "is_unset")]
    pub task: bool,
    /// Id of a rule that was saved with an answer, for removing it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who saved it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_unset(value: &bool) -> bool {
    !*value
}

/// The calls that a rule applies to: every member that is set must equal the call's.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Only {
    /// Principal id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// Project: the first writable root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

impl Rule {
    /// The shorthand.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Plain(text) => text,
            Self::Full(full) => &full.rule,
        }
    }
}

/// Rules in shorthand. Deny beats ask beats allow, in any order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Calls that need no question.
    pub allow: Vec<Rule>,
    /// Calls that always need a question.
    pub ask: Vec<Rule>,
    /// Calls that are always denied.
    pub deny: Vec<Rule>,
    /// Whether only the admin layer's `allow` rules count.
    pub managed_only: bool,
}

section!(
    Rules,
    "rules",
    [
        key("allow", Tighten::Never).joined(),
        key("ask", Tighten::Add),
        key("deny", Tighten::Add),
        key("managed_only", Tighten::ToTrue),
    ]
);

/// Obligations that callers of the decision point are trusted to meet: names by principal, `*` for everybody.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Obligations(BTreeMap<String, Vec<Owed>>);

/// An obligation that a caller may vouch for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Owed {
    /// Runs the call in a sandbox at least this strong.
    Sandbox,
    /// Masks secrets in results.
    RedactOutput,
    /// Records results.
    LogOutput,
    /// Uses the arguments of the answer instead of its own.
    RewriteArgs,
}

impl Owed {
    /// The obligation's name in a decision.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::RedactOutput => "redact_output",
            Self::LogOutput => "log_output",
            Self::RewriteArgs => "rewrite_args",
        }
    }
}

impl Obligations {
    /// The obligations that this principal is trusted to meet.
    #[must_use]
    pub fn of(&self, principal: &str) -> Vec<String> {
        let own = self.0.get(principal).into_iter().chain(self.0.get("*")).flatten();
        own.map(|owed| owed.as_str().to_owned()).collect()
    }
}

section!(Obligations, "obligations", [key("*", Tighten::Remove)]);

/// Counters of a session, by the name that policies use: `context.count.NAME`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Counters(pub BTreeMap<String, Counter>);

/// Counts calls of a session, including the judged one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// A fact of docs/flows.md, such as `published` or `deleted`.
    pub fact: String,
    /// Number of most recent calls to count; 0 for the whole session.
    #[serde(default)]
    pub within: u64,
}

section!(Counters, "counters", []);

/// Values and places that sessions watch in addition to those they find themselves (docs/flows.md).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Flows {
    /// Values that occur only in traps. A call that sends one, in any form, is refused.
    pub canaries: Vec<String>,
    /// Files, addresses and tools (`mcp:server/tool`) with private content; `*` matches any characters. Sending a
    /// part of it to a host or to another server needs a confirmation.
    pub private: Vec<String>,
}

section!(Flows, "flows", [key("canaries", Tighten::Add), key("private", Tighten::Add)]);
