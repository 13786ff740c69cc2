//! Policy engines, rule shorthands and obligations.

use super::*;

/// What happens to a call that no policy permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnNoMatch {
    /// The permission mode decides.
    Mode,
    /// It is denied.
    Deny,
}

/// Which contract a remote engine speaks.
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

/// A policy engine elsewhere. Its verdict and the local one combine; the stricter wins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Remote {
    /// Its contract.
    pub kind: RemoteKind,
    /// Where to post.
    pub url: String,
    /// For the whole exchange, in milliseconds.
    #[serde(default = "half_a_second")]
    pub deadline_ms: u64,
    /// Name of the environment variable that holds a bearer token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_env: Option<String>,
    /// Unix socket that it listens on; the URL then names the path there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<String>,
}

const fn half_a_second() -> u64 {
    500
}

/// Policies.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Built-in packs: `coding-agent`, `seed-contract`. Unset: what the surface suggests.
    pub packs: Option<Vec<String>>,
    /// Cedar files of your own.
    pub files: Vec<String>,
    /// Unset: `mode` for hooks and local sessions, `deny` for network callers; a pack may state its own.
    pub on_no_match: Option<OnNoMatch>,
    /// An engine elsewhere that is asked too.
    pub remote: Option<Remote>,
    /// Groups of this machine's users, by group: `{ editor = ["alice"] }`. They are the principals of hooks, of the MCP
    /// gateway and of `doorward run`, whose names the kernel tells; callers of the decision point bring their groups
    /// themselves.
    pub groups: BTreeMap<String, Vec<String>>,
}

impl Policy {
    /// The groups that a user of this machine is in.
    #[must_use]
    pub fn groups_of(&self, user: &str) -> Vec<String> {
        let of_user = |(_, members): &(&String, &Vec<String>)| members.iter().any(|member| member == user);
        self.groups.iter().filter(of_user).map(|(group, _)| group.clone()).collect()
    }
}

section!(Policy, "policy", [key("on_no_match", Tighten::By(|_, new| new == "deny"))]);

/// A rule: its shorthand, or a table with the shorthand and more.
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
    /// For people who meet it.
    #[serde(alias = "justification", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Calls it must match, checked at load.
    #[serde(rename = "match", skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<String>,
    /// Calls it must not match, checked at load.
    #[serde(rename = "not_match", skip_serializing_if = "Vec::is_empty")]
    pub not_matches: Vec<String>,
    /// Whose calls it is for. Unset: everyone's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<Only>,
    /// Exclusive end, as RFC 3339. Unset: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Covers a command line only where rules cover all of it: nothing passes beside for being read-only.
    #[serde(skip_serializing_if = "is_unset")]
    pub alone: bool,
    /// Name of a rule that was saved with an answer, to take it back by.
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

/// Whose calls a rule is for: every member that is set has to be the call's.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Only {
    /// Principal id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// Project: the first root that may be written.
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

/// Rules in shorthand. Deny beats ask beats allow, whatever their order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// What needs no question.
    pub allow: Vec<Rule>,
    /// What is always asked.
    pub ask: Vec<Rule>,
    /// What never happens.
    pub deny: Vec<Rule>,
    /// Only the admin layer's `allow` counts.
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

/// What callers of the decision point can be trusted to do: names of obligations by principal, `*` for everybody.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Obligations(BTreeMap<String, Vec<Owed>>);

/// An obligation that a caller may vouch for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Owed {
    /// Runs the call in a sandbox at least this strong.
    Sandbox,
    /// Masks secrets in what comes back.
    RedactOutput,
    /// Records what comes back.
    LogOutput,
    /// Uses the arguments in the answer instead of its own.
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
    /// What this principal vouches for.
    #[must_use]
    pub fn of(&self, principal: &str) -> Vec<String> {
        let own = self.0.get(principal).into_iter().chain(self.0.get("*")).flatten();
        own.map(|owed| owed.as_str().to_owned()).collect()
    }
}

section!(Obligations, "obligations", [key("*", Tighten::Remove)]);

/// What policies can count in a session, by the name under which they read it: `context.count.NAME`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Counters(pub BTreeMap<String, Counter>);

/// How often something happened in a session, with the call that is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// A fact of docs/flows.md, such as `published` or `deleted`.
    pub fact: String,
    /// Calls back from the one that is judged; 0 is the whole session.
    #[serde(default)]
    pub within: u64,
}

section!(Counters, "counters", []);

/// Values and places that sessions watch beside what they find themselves (docs/flows.md).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Flows {
    /// Values that stand in traps and nowhere else. A call that sends one, in whatever form, is refused.
    pub canaries: Vec<String>,
    /// Files, addresses and tools (`mcp:server/tool`) whose content is private; `*` stands for any characters. Sending a
    /// part of it to a host or to another server is asked about.
    pub private: Vec<String>,
}

section!(Flows, "flows", [key("canaries", Tighten::Add), key("private", Tighten::Add)]);
