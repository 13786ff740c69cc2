//! `[egress]`: what a session may reach through the proxy, as configured. The compiled rules are part of the proxy;
//! the settings deserialise this section with the same struct.
//!
//! Order: `deny` wins; then the guard's names, ports and addresses; then `rules` and `allow`; then `ask`; then the
//! default, which refuses. An entry without a port means 80 and 443 if it permits, and every port if it denies.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::ConfigError;

/// How the rules are applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// No rules; the guard alone.
    Off,
    /// The rules' verdict is recorded but not enforced.
    Report,
    /// The rules are enforced.
    #[default]
    Enforce,
}

impl Mode {
    /// The wire word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Report => "report",
            Self::Enforce => "enforce",
        }
    }
}

/// `[egress]`. Lists accept several entries in one string, separated by commas. A project may tighten the mode and
/// add denials; only the user and the administrator can permit more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EgressConfig {
    /// How the rules are applied: `enforce`, `report` (recorded, not enforced) or `off`.
    pub mode: Mode,
    /// Permitted destinations: `host[:port][=cidr]` or `cidr[:port]`.
    pub allow: Vec<String>,
    /// Denied destinations, whatever else is permitted.
    pub deny: Vec<String>,
    /// Destinations that a person is asked about.
    pub ask: Vec<String>,
    /// Narrower permissions.
    pub rules: Vec<RuleConfig>,
    /// Limits on requests, bytes and tunnels, in total and per host.
    pub budgets: BudgetConfig,
    /// Seconds a connection waits for a person's answer; no answer refuses.
    pub ask_s: u64,
    /// Also listen on loopback TCP, besides the Unix socket.
    pub tcp: bool,
    /// The loopback port; 0 for any free one.
    pub port: u16,
    /// Intercept TLS to the hosts that `credentials` are bound to, with our own certificate authority.
    pub intercept: bool,
    /// Credentials that stay out of the sandbox, by name.
    pub credentials: BTreeMap<String, CredentialConfig>,
    /// Another proxy through which connections are made, `http://host:port`. Verdicts are still made here.
    pub upstream: Option<String>,
    /// Must be true if `upstream` is set.
    pub allow_upstream_proxy: bool,
    /// Send the upstream the name instead of the checked address. The upstream then resolves it again.
    pub upstream_resolves: bool,
}

impl Default for EgressConfig {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            allow: Vec::new(),
            deny: Vec::new(),
            ask: Vec::new(),
            rules: Vec::new(),
            budgets: BudgetConfig::default(),
            ask_s: 300,
            tcp: true,
            port: 0,
            intercept: false,
            credentials: BTreeMap::new(),
            upstream: None,
            allow_upstream_proxy: false,
            upstream_resolves: false,
        }
    }
}

/// A credential for which a child gets a placeholder. The proxy replaces it by the value in the named headers of
/// https requests to the listed hosts, and nowhere else.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CredentialConfig {
    /// The variable that holds the placeholder in the child's environment.
    pub env: String,
    /// File that holds the value. Set either `file` or `from_env`.
    pub file: Option<PathBuf>,
    /// Variable of the proxy's own environment that holds the value.
    pub from_env: Option<String>,
    /// Exact hosts it may go to, `host` or `host:port`; 443 without a port.
    pub hosts: Vec<String>,
    /// Headers that may contain it; `authorization` and `x-api-key` if empty.
    pub headers: Vec<String>,
}

/// A narrow permission.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RuleConfig {
    /// Host pattern, without port.
    pub host: String,
    /// Ports; empty for 80 and 443.
    pub ports: Vec<u16>,
    /// Methods; empty for all. Over https they are visible only with TLS interception, so they apply to http.
    pub methods: Vec<String>,
    /// Paths: `/x` exactly, `/x/**` and all below; empty for all.
    pub paths: Vec<String>,
    /// Roles it applies to; empty for all.
    pub roles: Vec<String>,
    /// Let bytes through that aren't TLS (ssh).
    pub opaque: bool,
}

/// Limits. A missing one doesn't limit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetConfig {
    /// Total requests and tunnels.
    pub requests: Option<u64>,
    /// Requests and tunnels in any one second; more are refused with `rate_limited`.
    pub requests_per_s: Option<u64>,
    /// Bytes per second in each direction; more are delayed.
    pub bytes_per_s: Option<Size>,
    /// Bytes sent by the child.
    pub bytes_up: Option<Size>,
    /// Bytes received by the child.
    pub bytes_down: Option<Size>,
    /// Concurrent tunnels.
    pub tunnels: Option<u64>,
    /// The same for single hosts (canonical name or address).
    pub per_host: BTreeMap<String, HostBudgetConfig>,
}

/// Limits of one host.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HostBudgetConfig {
    /// Total requests and tunnels.
    pub requests: Option<u64>,
    /// Requests and tunnels in any one second; more are refused with `rate_limited`.
    pub requests_per_s: Option<u64>,
    /// Bytes per second in each direction; more are delayed.
    pub bytes_per_s: Option<Size>,
    /// Bytes sent by the child.
    pub bytes_up: Option<Size>,
    /// Bytes received by the child.
    pub bytes_down: Option<Size>,
    /// Concurrent tunnels.
    pub tunnels: Option<u64>,
}

/// A number of bytes, or a string such as `10MiB`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Size {
    /// Bytes.
    Bytes(u64),
    /// `10MiB`, `1GiB`, `64KiB`, `500B`.
    Text(String),
}

impl Size {
    /// As a number of bytes.
    ///
    /// # Errors
    /// [`ConfigError`] for an unknown unit or a number that is too large.
    pub fn bytes(&self) -> Result<u64, ConfigError> {
        let text = match self {
            Self::Bytes(bytes) => return Ok(*bytes),
            Self::Text(text) => text.trim(),
        };
        let wrong = || ConfigError::new(text, "not a size such as `10MiB`");
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (digits, unit) = text.split_at_checked(end).ok_or_else(wrong)?;
        let factor: u64 = match unit.trim() {
            "" | "B" => 1,
            "KiB" => 1 << 10,
            "MiB" => 1 << 20,
            "GiB" => 1 << 30,
            _ => return Err(wrong()),
        };
        digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor)).ok_or_else(wrong)
    }
}
