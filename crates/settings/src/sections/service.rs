//! Approvals, the ledger, the service and what it talks to.

use super::*;

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
    /// How the ledger keeps arguments: `redacted` (secrets masked), as a `digest`, or `none`.
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
    /// The least separation from the agent that is accepted: `personal` (same user), `separate` (a user of its own) or
    /// `enclosed` (the agent runs in Doorward's sandbox).
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
    /// Verifier keys (the file `ledger/vkey` of their state folders) of other services on the same store whose
    /// people's answers count here. An answer that none of them and not this service sealed is refused, and told as
    /// forged.
    pub signers: Vec<String>,
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
