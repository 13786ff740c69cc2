//! Analyzers, the Guardian and ToolShield.

use super::*;

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
    /// What the analyzers mean for the risk: `default`, or `openhands-compat`, as in OpenHands.
    pub profile: Profile,
}

section!(Analyzers, "analyzers", [key("list", Tighten::Add)]);

/// Which calls the guardian sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Review {
    /// Questions that it may settle.
    Asked,
    /// Also calls that a mode lets run without a person, unless they are proved to only read. Without a model it is as
    /// `asked`.
    #[default]
    Unasked,
    /// Also every other call that isn't proved to only read.
    All,
}

/// Confirms that `guardian.delegate` may name; a rule's own is delegated by its `@delegate`.
pub(super) const DELEGABLE: [&str; 2] = ["mode", "risk"];

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
    /// Which questions its yes may settle: `mode`, `risk`. Unset: `["mode"]` once a model is configured, else none.
    pub delegate: Option<Vec<String>>,
    /// Which calls it judges: `asked`, questions that it may settle; `unasked`, also calls that acceptEdits, dontAsk,
    /// bypassPermissions or a client's auto mode lets run without a person; `all`, also every other call. What is proved
    /// to only read is never judged.
    pub review: Review,
    /// From this score on a person is asked.
    pub prompt_at: u8,
    /// From this score on the call is denied.
    pub deny_at: Option<u8>,
    /// What happens when it can't be reached: `deny`, or `prompt` a person.
    pub on_unavailable: OnUnavailable,
    /// Time limit of an evaluation, in milliseconds.
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
    /// Safety experiences in words, which its system prompt has in place of the kept and shipped ones. Empty: none.
    pub safety_experiences: Option<String>,
    /// What a gateway does before an MCP server of whose tools no experiences are kept.
    pub explore: Explore,
}

/// What a gateway does before an MCP server of whose tools no experiences are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Explore {
    /// Nothing.
    Off,
    /// It says how to try the tools out, where `analyzers.list` has `toolshield`.
    #[default]
    Offer,
    /// It starts the server once more, in the sandbox, and tries its tools out. The rules that come of it are proposed.
    Auto,
}

section!(Toolshield, "toolshield", []);
