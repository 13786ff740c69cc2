//! Settings for approvals, the ledger, the service and its connections.

use super::*;

/// Approvals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Approvals {
    /// How long a question stays open, in seconds.
    pub timeout_s: u64,
    /// How long an approval can be used, in seconds.
    pub grant_s: u64,
}

impl Default for Approvals {
    fn default() -> Self {
        Self { timeout_s: 600, grant_s: 600 }
    }
}

section!(Approvals, "approvals", [key("timeout_s", Tighten::Lower), key("grant_s", Tighten::Lower)]);

/// How the ledger stores arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LedgerArgs {
    /// With secrets masked.
    #[default]
    Redacted,
    /// As a digest only.
    Digest,
    /// Not at all.
    None,
}

/// The ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Ledger {
    /// How the ledger stores arguments: `redacted` (secrets masked), as a `digest`, or `none`.
    pub args: LedgerArgs,
    /// How many seconds an allowed call that another process runs may take to report its outcome, before it is
    /// recorded as unobserved.
    pub outcome_s: u32,
    /// Whether the output of a call is kept, with secrets masked and up to 1 MiB, where its decision demands
    /// `log_output`; else only its digest is.
    pub keep_output: bool,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { args: LedgerArgs::Redacted, outcome_s: 24 * 3_600, keep_output: false }
    }
}

section!(Ledger, "ledger", [key("outcome_s", Tighten::Lower)]);

/// How well Doorward is isolated from the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Posture {
    /// Runs as the same user as the agent.
    #[default]
    Personal,
    /// Runs as a user of its own.
    Separate,
    /// The agent runs in Doorward's sandbox.
    Enclosed,
}

/// The service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ServiceSettings {
    /// Loopback port of the HTTP service; 0 disables it.
    pub http_port: u16,
    /// Minimum isolation from the agent: `personal` (same user), `separate` (a user of its own) or `enclosed` (the
    /// agent runs in Doorward's sandbox).
    pub posture: Posture,
    /// PEM file with the certificate chain. With it and `tls_key`, the port accepts only TLS.
    pub tls_certificate: Option<String>,
    /// PEM file with the certificate's private key.
    pub tls_key: Option<String>,
}

impl Default for ServiceSettings {
    fn default() -> Self {
        Self { http_port: 7717, posture: Posture::Personal, tls_certificate: None, tls_key: None }
    }
}

section!(ServiceSettings, "service", [key("posture", Tighten::Along(&["personal", "separate", "enclosed"]))]);

/// The shared store.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Store {
    /// `postgres://…` for several machines. Unset: SQLite in the state directory.
    pub url: Option<String>,
    /// Verifier keys (file `ledger/vkey` in the state directories) of other services on the same store, whose
    /// approvals count here. An answer sealed by no such key and not by this service is refused and reported as
    /// forged.
    pub signers: Vec<String>,
}

section!(Store, "store", []);

/// Entities for AuthZEN.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Authzen {
    /// A JSON file of known entities: `{"subjects": [{type, id, properties}], "resources": […], "actions": […]}`.
    pub directory: Option<String>,
}

section!(Authzen, "authzen", []);

/// Format of a webhook's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WebhookFormat {
    /// `onToolCallRequest` with the members of the contract.
    #[default]
    Json,
    /// A Slack message with a link, for Slack and compatible systems.
    Slack,
}

/// A system that is notified of questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Webhook {
    /// Its name in rules (`@obligations("notify(to=NAME)")`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// URL for messages. Private and loopback hosts need an entry in `net.allowed_hosts`.
    pub url: String,
    /// Format of the messages.
    #[serde(default)]
    pub format: WebhookFormat,
    /// Name of the environment variable with the key that signs messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_env: Option<String>,
}

/// Notifications about questions that wait for a person.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Notify {
    /// The notified systems.
    pub webhooks: Vec<Webhook>,
    /// Address of the console, for links. Unset: the loopback port.
    pub console: Option<String>,
}

section!(Notify, "notify", []);

/// What happens to the tools of an MCP server at first contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FirstSight {
    /// Tools without findings in their definitions are approved; the others wait for a person.
    #[default]
    Clean,
    /// All tools wait for a person.
    Pending,
}

/// The MCP gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Mcp {
    /// Names of servers whose hints are trusted and whose results only trusted people can write.
    pub trusted: Vec<String>,
    /// What happens to the tools of an untrusted MCP server at first contact.
    pub first_sight: FirstSight,
    /// Whether a question that needs one answer is shown in the client's own dialog, if it has one.
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
