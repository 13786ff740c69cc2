//! The sections of `doorward.toml`: plain values with their defaults and how a project may tighten them.
//!
//! Rooms turn these into their own checked types; nothing here has behaviour beyond merging.

use std::collections::BTreeMap;

use doorward_core::call::Root;
use doorward_core::id::Digest;
use doorward_core::{PermissionMode, SecurityRisk, Tier};
pub use doorward_net::GuardConfig as Net;
pub use doorward_net::egress::EgressConfig as Egress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::SettingsError;
use crate::layer::{Layer, LayerKind};
use crate::merge::{Explained, Merged, Schema};
use crate::section::{Key, Section, Tighten, key};

/// All sections.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// `[modes]`
    pub modes: Modes,
    /// `[confirm]`
    pub confirm: ConfirmSection,
    /// `[policy]`
    pub policy: Policy,
    /// `[rules]`
    pub rules: Rules,
    /// `[obligations]`
    pub obligations: Obligations,
    /// `[hooks]`
    pub hooks: Hooks,
    /// `[paths]`
    pub paths: Paths,
    /// `[shell]`
    pub shell: Shell,
    /// `[net]`
    pub net: Net,
    /// `[egress]`
    pub egress: Egress,
    /// `[sandbox]`
    pub sandbox: Sandbox,
    /// `[analyzers]`
    pub analyzers: Analyzers,
    /// `[guardian]`
    pub guardian: Guardian,
    /// `[toolshield]`
    pub toolshield: Toolshield,
    /// `[approvals]`
    pub approvals: Approvals,
    /// `[ledger]`
    pub ledger: Ledger,
    /// `[service]`
    pub service: Service,
    /// `[store]`
    pub store: Store,
    /// `[authzen]`
    pub authzen: Authzen,
    /// `[notify]`
    pub notify: Notify,
    /// `[mcp]`
    pub mcp: Mcp,
}

/// Settings with the story of where each value is from.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// The values in force.
    pub settings: Settings,
    /// What was merged.
    pub merged: Merged,
    /// `sha256:` over the layers' kinds, names and texts: reload when it changes, not when a file is touched.
    pub identity: String,
}

impl Loaded {
    /// Every key with its value and the layers that set it.
    #[must_use]
    pub fn explain(&self) -> Vec<Explained> {
        self.merged.explain()
    }
}

impl Settings {
    /// The schema of the built-in sections. A room with a section of its own adds it with [`Schema::with`].
    #[must_use]
    pub fn schema() -> Schema {
        Schema::new()
            .with::<Modes>()
            .with::<ConfirmSection>()
            .with::<Policy>()
            .with::<Rules>()
            .with::<Obligations>()
            .with::<Hooks>()
            .with::<Paths>()
            .with::<Shell>()
            .with::<Net>()
            .with::<Egress>()
            .with::<Sandbox>()
            .with::<Analyzers>()
            .with::<Guardian>()
            .with::<Toolshield>()
            .with::<Approvals>()
            .with::<Ledger>()
            .with::<Service>()
            .with::<Store>()
            .with::<Authzen>()
            .with::<Notify>()
            .with::<Mcp>()
    }

    /// Merges the layers, whatever order they come in.
    ///
    /// # Errors
    /// [`SettingsError`]: unknown key, wrong value, a project that loosens, layers that contradict each other.
    pub fn load(layers: &[Layer]) -> Result<Loaded, SettingsError> {
        let mut merged = Self::schema().merge(layers)?;
        if merged.section::<Rules>()?.managed_only {
            merged.retain_items("rules", "allow", LayerKind::Admin);
        }
        let settings = Self {
            modes: merged.section()?,
            confirm: merged.section()?,
            policy: merged.section()?,
            rules: merged.section()?,
            obligations: merged.section()?,
            hooks: merged.section()?,
            paths: merged.section()?,
            shell: merged.section()?,
            net: merged.section()?,
            egress: merged.section()?,
            sandbox: merged.section()?,
            analyzers: merged.section()?,
            guardian: merged.section()?,
            toolshield: merged.section()?,
            approvals: merged.section()?,
            ledger: merged.section()?,
            service: merged.section()?,
            store: merged.section()?,
            authzen: merged.section()?,
            notify: merged.section()?,
            mcp: merged.section()?,
        };
        settings.check()?;
        Ok(Loaded { settings, merged, identity: identity(layers).into_string() })
    }

    fn check(&self) -> Result<(), SettingsError> {
        let conflict = |message: &str| Err(SettingsError::Conflict { message: message.to_owned() });
        if let Some(ConfirmPolicy::ConfirmRisky { threshold: SecurityRisk::Unknown, .. }) =
            self.confirm.policy
        {
            return conflict(
                "confirm.policy: the threshold is LOW, MEDIUM or HIGH; UNKNOWN compares with nothing",
            );
        }
        if let Some(remote) = &self.policy.remote {
            if !remote.url.starts_with("http://") && !remote.url.starts_with("https://") {
                return conflict("policy.remote.url begins with http:// or https://");
            }
            if remote.deadline_ms == 0 || remote.deadline_ms > 60_000 {
                return conflict("policy.remote.deadline_ms is 1 to 60000 milliseconds");
            }
        }
        if self.modes.disable_bypass && self.modes.default == PermissionMode::BypassPermissions {
            return conflict("modes.default is bypassPermissions, which modes.disable_bypass forbids");
        }
        if let Some(word) =
            self.guardian.delegate.iter().flatten().find(|word| !DELEGABLE.contains(&word.as_str()))
        {
            return Err(SettingsError::Conflict {
                message: format!(
                    "guardian.delegate: {word:?} can't be delegated; {} can",
                    DELEGABLE.join(", ")
                ),
            });
        }
        for (principal, roots) in &self.paths.callers {
            let named = |root: &String| Root::parse(root).path.starts_with('/');
            if let Some(root) = roots.iter().find(|root| !named(root)) {
                return Err(SettingsError::Conflict {
                    message: format!("paths.callers: {root:?} of {principal:?} isn't an absolute path"),
                });
            }
        }
        if self.service.tls_certificate.is_some() != self.service.tls_key.is_some() {
            return conflict("service.tls_certificate and service.tls_key go together");
        }
        if self.guardian.prompt_at > 100 || self.guardian.deny_at.is_some_and(|at| at > 100) {
            return conflict("guardian.prompt_at and guardian.deny_at are scores of 0 to 100");
        }
        Ok(())
    }
}

fn identity(layers: &[Layer]) -> Digest {
    let mut parts: Vec<(LayerKind, &str, &str)> =
        layers.iter().map(|layer| (layer.kind, layer.name.as_str(), layer.text.as_str())).collect();
    parts.sort();
    let text = serde_json::to_string(&parts).unwrap_or_default();
    Digest::of(text.as_bytes())
}

/// Implements [`Section`] by its table.
macro_rules! section {
    ($type:ty, $name:literal, [$($key:expr),* $(,)?]) => {
        impl Section for $type {
            const NAME: &'static str = $name;
            const KEYS: &'static [Key] = &[$($key),*];
        }
    };
}

/// What `dontAsk` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DontAsk {
    /// Act without prompting; dangerous things are refused.
    #[default]
    Allow,
    /// Whatever would prompt is refused.
    Deny,
}

/// Permission modes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Modes {
    /// The mode a session starts in.
    pub default: PermissionMode,
    /// No session gets a freer one, whatever it claims.
    pub max: PermissionMode,
    /// `bypassPermissions` can't be selected anywhere.
    #[serde(alias = "disableBypass")]
    pub disable_bypass: bool,
    /// What `dontAsk` means.
    #[serde(alias = "dontAsk")]
    pub dont_ask: DontAsk,
}

impl Default for Modes {
    fn default() -> Self {
        Self {
            default: PermissionMode::Default,
            max: PermissionMode::BypassPermissions,
            disable_bypass: false,
            dont_ask: DontAsk::Allow,
        }
    }
}

const BY_FREEDOM: Tighten =
    Tighten::Along(&["bypassPermissions", "dontAsk", "acceptEdits", "default", "plan"]);

section!(
    Modes,
    "modes",
    [
        key("default", BY_FREEDOM),
        key("max", BY_FREEDOM),
        key("disable_bypass", Tighten::ToTrue),
        key("dont_ask", Tighten::Along(&["allow", "deny"])),
    ]
);

/// When a risk is put to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", deny_unknown_fields)]
pub enum ConfirmPolicy {
    /// Every call.
    AlwaysConfirm {},
    /// No call.
    NeverConfirm {},
    /// Calls from a risk upwards.
    ConfirmRisky {
        /// From this risk on.
        #[serde(default = "high")]
        threshold: SecurityRisk,
        /// Also when the risk isn't known.
        #[serde(default = "yes")]
        confirm_unknown: bool,
    },
}

const fn high() -> SecurityRisk {
    SecurityRisk::High
}

const fn yes() -> bool {
    true
}

impl ConfirmPolicy {
    /// Confirms everything that `other` confirms.
    #[must_use]
    pub fn at_least_as_strict_as(self, other: Self) -> bool {
        match (self, other) {
            (Self::AlwaysConfirm {}, _) | (_, Self::NeverConfirm {}) => true,
            (Self::NeverConfirm {}, _) | (_, Self::AlwaysConfirm {}) => false,
            (
                Self::ConfirmRisky { threshold, confirm_unknown },
                Self::ConfirmRisky { threshold: other, confirm_unknown: other_unknown },
            ) => other.is_riskier(threshold).unwrap_or(false) && (confirm_unknown || !other_unknown),
        }
    }
}

/// The confirmation policy.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ConfirmSection {
    /// Unset: `ConfirmRisky` from HIGH on and for UNKNOWN, beside the mode. A set one that always or never
    /// confirms replaces what the mode would ask, never what it refuses.
    pub policy: Option<ConfirmPolicy>,
}

fn stricter_policy(old: &Value, new: &Value) -> bool {
    let read = |value: &Value| serde_json::from_value::<ConfirmPolicy>(value.clone()).ok();
    let unset = ConfirmPolicy::ConfirmRisky { threshold: SecurityRisk::High, confirm_unknown: true };
    let old = if old.is_null() { Some(unset) } else { read(old) };
    matches!((old, read(new)), (Some(old), Some(new)) if new.at_least_as_strict_as(old))
}

section!(ConfirmSection, "confirm", [key("policy", Tighten::By(stricter_policy))]);

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

/// Where a level-1 question of a hook is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ask {
    /// The client's own dialog.
    #[default]
    Client,
    /// Doorward's queue.
    Queue,
}

/// Whether a proven harmless call waives the client's prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Relieve {
    /// Never.
    #[default]
    Off,
    /// With complete effects, LOW, inside the roots.
    Proven,
}

/// How far a hook goes for shell calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShellCustody {
    /// It advises; the client runs.
    #[default]
    Advise,
    /// The call is rewritten into a ticket that Doorward runs.
    Bind,
}

/// Hooks of coding agents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Hooks {
    /// Who is asked.
    pub ask: Ask,
    /// Which prompts are saved.
    pub relieve: Relieve,
    /// Who runs shell calls.
    pub shell: ShellCustody,
    /// How long a hook waits for a person's answer to a question in Doorward's queue, in seconds. Unset: 20 while
    /// somebody has the console or the list of questions open, else 0.
    pub wait_s: Option<u64>,
}

section!(
    Hooks,
    "hooks",
    [
        key("ask", Tighten::Along(&["client", "queue"])),
        key("relieve", Tighten::Along(&["proven", "off"])),
        key("shell", Tighten::Along(&["advise", "bind"])),
        key("wait_s", Tighten::Lower),
    ]
);

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
    /// Roots of callers over the network, by principal, `*` for everybody else: `P`, `ro:P`, `deny:P`, absolute. A caller
    /// without any may name no path outside what `extra_roots` opens.
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
    /// Which connectors are permitted.
    pub structure: Structure,
}

section!(Shell, "shell", [key("structure", Tighten::Along(&["any", "pipeline", "single"]))]);

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

/// Which meaning of the security analyzers is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Ours.
    #[default]
    Default,
    /// What OpenHands does.
    OpenhandsCompat,
}

/// Analyzers beside the effects analyzer, which always runs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Analyzers {
    /// By name: `llm`, `toolshield`, `pattern`, `rail`, `noop`.
    pub list: Vec<String>,
    /// Which meaning.
    pub profile: Profile,
}

section!(Analyzers, "analyzers", [key("list", Tighten::Add)]);

/// Which calls the guardian sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Review {
    /// Delegable confirms only.
    #[default]
    Delegated,
    /// Also every call that isn't proved read-only.
    All,
}

/// Confirms that `guardian.delegate` may name; a rule's own is delegated by its `@delegate`.
const DELEGABLE: [&str; 2] = ["mode", "risk"];

/// What a guardian that can't be reached amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnUnavailable {
    /// A denial.
    #[default]
    Deny,
    /// A person is asked, if one can be.
    Prompt,
}

/// The guardian model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Guardian {
    /// `provider/model`; unset: the built-in score answers.
    pub model: Option<String>,
    /// Where its API is.
    pub base_url: Option<String>,
    /// Name of the environment variable that holds its key.
    pub api_key_env: Option<String>,
    /// Which confirms its yes may settle. Unset: `["mode"]` once a model is configured, else none.
    pub delegate: Option<Vec<String>>,
    /// Which calls it sees.
    pub review: Review,
    /// From this score on a person is asked.
    pub prompt_at: u8,
    /// From this score on the call is denied.
    pub deny_at: Option<u8>,
    /// When it can't be reached.
    pub on_unavailable: OnUnavailable,
    /// For the whole evaluation, in milliseconds.
    pub timeout_ms: u64,
    /// Past actions it is shown.
    pub history_window: u32,
    /// Lets it read files and list folders inside the roots before it judges what it is in doubt about.
    pub investigate: bool,
    /// What tokens cost: a dated JSON file of the operator's own. Unset: costs are unknown.
    pub prices: Option<String>,
    /// What the operator wants it to know and to refuse, in words.
    pub policy: Option<String>,
}

impl Default for Guardian {
    fn default() -> Self {
        Self {
            model: None,
            base_url: None,
            api_key_env: None,
            delegate: None,
            review: Review::Delegated,
            prompt_at: 80,
            deny_at: None,
            on_unavailable: OnUnavailable::Deny,
            timeout_ms: 90_000,
            history_window: 20,
            investigate: false,
            prices: None,
            policy: None,
        }
    }
}

section!(
    Guardian,
    "guardian",
    [
        key("delegate", Tighten::Remove),
        key("review", Tighten::Along(&["delegated", "all"])),
        key("prompt_at", Tighten::Lower),
        key("deny_at", Tighten::Lower),
        key("on_unavailable", Tighten::Along(&["prompt", "deny"])),
    ]
);

/// The analyzer `toolshield` (`analyzers.list`). What isn't set is the guardian's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Toolshield {
    /// `provider/model`; unset: `guardian.model`, with its place and key.
    pub model: Option<String>,
    /// Where its API is.
    pub base_url: Option<String>,
    /// Name of the environment variable that holds its key.
    pub api_key_env: Option<String>,
    /// How many past actions it is shown, exactly; unset: `guardian.history_window`.
    pub history_window: Option<u32>,
}

section!(Toolshield, "toolshield", []);

/// Approvals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Approvals {
    /// How long a question stays open, in seconds.
    pub timeout_s: u64,
    /// How long a yes may be used, in seconds.
    pub grant_s: u64,
}

impl Default for Approvals {
    fn default() -> Self {
        Self { timeout_s: 600, grant_s: 600 }
    }
}

section!(Approvals, "approvals", [key("timeout_s", Tighten::Lower), key("grant_s", Tighten::Lower)]);

/// How arguments enter the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LedgerArgs {
    /// Without secrets.
    #[default]
    Redacted,
    /// As a digest.
    Digest,
    /// Not at all.
    None,
}

/// The ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Ledger {
    /// How arguments are kept.
    pub args: LedgerArgs,
    /// How many seconds an allowed call that others carry out waits for word of its outcome, before it is recorded as
    /// unobserved.
    pub outcome_s: u32,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { args: LedgerArgs::Redacted, outcome_s: 24 * 3_600 }
    }
}

section!(Ledger, "ledger", [key("outcome_s", Tighten::Lower)]);

/// How far the agent could reach into Doorward itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Posture {
    /// Same user as the agent.
    #[default]
    Personal,
    /// A user of its own.
    Separate,
    /// The agent runs in our sandbox.
    Enclosed,
}

/// The service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Service {
    /// Loopback port of the HTTP service; 0 turns it off.
    pub http_port: u16,
    /// The least posture that is accepted.
    pub posture: Posture,
    /// PEM file with the certificate chain: with it and `tls_key` the port speaks TLS only.
    pub tls_certificate: Option<String>,
    /// PEM file with the certificate's private key.
    pub tls_key: Option<String>,
}

impl Default for Service {
    fn default() -> Self {
        Self { http_port: 7717, posture: Posture::Personal, tls_certificate: None, tls_key: None }
    }
}

section!(Service, "service", [key("posture", Tighten::Along(&["personal", "separate", "enclosed"]))]);

/// Where shared state lives.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Store {
    /// `postgres://…` for several machines; unset: SQLite under the state directory.
    pub url: Option<String>,
}

section!(Store, "store", []);

/// AuthZEN's entities.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Authzen {
    /// A JSON file of known entities: `{"subjects": [{type, id, properties}], "resources": […], "actions": […]}`.
    pub directory: Option<String>,
}

section!(Authzen, "authzen", []);

/// What a webhook carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WebhookFormat {
    /// `onToolCallRequest` with the contract's members.
    #[default]
    Json,
    /// A message for Slack and whatever understands its format, with a link.
    Slack,
}

/// A system that is told of questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Webhook {
    /// The name by which rules have it told (`@obligations("notify(to=NAME)")`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where to post. Private and loopback hosts take an entry in `net.allowed_hosts`.
    pub url: String,
    /// What it carries.
    #[serde(default)]
    pub format: WebhookFormat,
    /// Name of the environment variable that holds the key it is signed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_env: Option<String>,
}

/// Who is told that something waits for a person.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Notify {
    /// Systems that are told.
    pub webhooks: Vec<Webhook>,
    /// Where people reach the console, for links; unset: the loopback port.
    pub console: Option<String>,
}

section!(Notify, "notify", []);

/// What becomes of the tools of an MCP server that is seen for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FirstSight {
    /// Those in whose definitions nothing was found are approved; the others wait for a person.
    #[default]
    Clean,
    /// All wait for a person.
    Pending,
}

/// The MCP gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Mcp {
    /// Names of servers whose hints are believed and whose results nobody else can write.
    pub trusted: Vec<String>,
    /// What becomes of the tools of a server that is seen for the first time and isn't trusted.
    pub first_sight: FirstSight,
    /// A question that a plain yes answers is put to the client's own dialog, where it has one.
    pub elicitation: bool,
}

impl Default for Mcp {
    fn default() -> Self {
        Self { trusted: Vec::new(), first_sight: FirstSight::Clean, elicitation: true }
    }
}

section!(
    Mcp,
    "mcp",
    [
        key("trusted", Tighten::Remove),
        key("first_sight", Tighten::Along(&["clean", "pending"])),
        key("elicitation", Tighten::ToFalse),
    ]
);
