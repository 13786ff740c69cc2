//! Settings for analyzers, guardian and ToolShield.

use super::*;

/// How analyzers determine the risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Doorward's rules.
    #[default]
    Default,
    /// OpenHands' rules.
    OpenhandsCompat,
}

/// Analyzers in addition to the effects analyzer, which always runs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Analyzers {
    /// Names: `llm`, `toolshield`, `pattern`, `rail`, `noop`.
    pub list: Vec<String>,
    /// How analyzers determine the risk: `default`, or `openhands-compat` for OpenHands' rules.
    pub profile: Profile,
}

section!(Analyzers, "analyzers", [key("list", Tighten::Add)]);

/// Which calls the guardian reviews.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Review {
    /// Questions that it may settle.
    Asked,
    /// Also calls that a mode allows without asking, unless proved to only read. Same as `asked` without a model.
    #[default]
    Unasked,
    /// Also every other call not proved to only read.
    All,
}

/// Values of `guardian.delegate`. Questions of a rule are delegated by its `@delegate` instead.
pub(super) const DELEGABLE: [&str; 2] = ["mode", "risk"];

/// The verdict if the guardian can't be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnUnavailable {
    /// The call is denied.
    #[default]
    Deny,
    /// A person is asked, if possible.
    Prompt,
}

/// The guardian model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Guardian {
    /// `provider/model`. Unset: the built-in score answers.
    pub model: Option<String>,
    /// URL of its API.
    pub base_url: Option<String>,
    /// Name of the environment variable with its API key.
    pub api_key_env: Option<String>,
    /// Which questions it may settle by approval: `mode`, `risk`. Unset: `["mode"]` once a model is configured, else
    /// none.
    pub delegate: Option<Vec<String>>,
    /// Which calls it reviews: `asked`, questions that it may settle; `unasked`, also calls that acceptEdits,
    /// dontAsk, bypassPermissions or a client's auto mode allows without asking; `all`, also every other call. Calls
    /// proved to only read are never reviewed.
    pub review: Review,
    /// Score from which a person is asked.
    pub prompt_at: u8,
    /// Score from which the call is denied.
    pub deny_at: Option<u8>,
    /// What happens if it can't be reached: `deny`, or `prompt` a person.
    pub on_unavailable: OnUnavailable,
    /// Time limit of an evaluation, in milliseconds.
    pub timeout_ms: u64,
    /// Number of past actions that it sees.
    pub history_window: u32,
    /// Whether it may, if in doubt, read files and list folders inside the roots before it decides.
    pub investigate: bool,
    /// Prices of tokens: a JSON file with dates, kept by the operator. Unset: costs are unknown.
    pub prices: Option<String>,
    /// Instructions of the operator: what it should know and refuse, as text.
    pub policy: Option<String>,
}

impl Default for Guardian {
    fn default() -> Self {
        Self {
            model: None,
            base_url: None,
            api_key_env: None,
            delegate: None,
            review: Review::Unasked,
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
        key("review", Tighten::Along(&["asked", "unasked", "all"])),
        key("prompt_at", Tighten::Lower),
        key("deny_at", Tighten::Lower),
        key("on_unavailable", Tighten::Along(&["prompt", "deny"])),
    ]
);

/// The analyzer `toolshield` (`analyzers.list`). Unset keys take the guardian's values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Toolshield {
    /// `provider/model`. Unset: `guardian.model`, with its URL and key.
    pub model: Option<String>,
    /// URL of its API.
    pub base_url: Option<String>,
    /// Name of the environment variable with its API key.
    pub api_key_env: Option<String>,
    /// Number of past actions that it sees. Unset: `guardian.history_window`.
    pub history_window: Option<u32>,
    /// Text of safety experiences for its system prompt, in place of the stored and shipped ones. Empty: none.
    pub safety_experiences: Option<String>,
    /// What the gateway does with an MCP server for whose tools no experiences are stored.
    pub explore: Explore,
}

/// What the gateway does with an MCP server for whose tools no experiences are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Explore {
    /// Nothing.
    Off,
    /// Explains how to try out the tools, if `analyzers.list` has `toolshield`.
    #[default]
    Offer,
    /// Starts a second instance of the server in the sandbox, tries out its tools, and proposes the resulting rules.
    Auto,
}

section!(Toolshield, "toolshield", []);
