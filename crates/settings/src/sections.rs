//! The sections of `doorward.toml`: plain values with defaults, and how a project may tighten them.
//!
//! Other crates convert these into their own validated types; nothing here has behaviour beyond merging.

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

/// Implements [`Section`] with its table of keys.
macro_rules! section {
    ($type:ty, $name:literal, [$($key:expr),* $(,)?]) => {
        impl Section for $type {
            const NAME: &'static str = $name;
            const KEYS: &'static [Key] = &[$($key),*];
        }
    };
}

mod hooks;
mod judges;
mod modes;
mod policy;
mod rooms;
mod service;

pub use hooks::*;
use judges::DELEGABLE;
pub use judges::*;
pub use modes::*;
pub use policy::*;
pub use rooms::*;
pub use service::*;

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
    /// `[counters]`
    pub counters: Counters,
    /// `[flows]`
    pub flows: Flows,
    /// `[hooks]`
    pub hooks: Hooks,
    /// `[paths]`
    pub paths: Paths,
    /// `[shell]`
    pub shell: Shell,
    /// `[knowledge]`
    pub knowledge: Knowledge,
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
    pub service: ServiceSettings,
    /// `[store]`
    pub store: Store,
    /// `[authzen]`
    pub authzen: Authzen,
    /// `[notify]`
    pub notify: Notify,
    /// `[mcp]`
    pub mcp: Mcp,
}

/// Settings, and the source of each value.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// The active values.
    pub settings: Settings,
    /// The merged layers.
    pub merged: Merged,
    /// `sha256:` over kinds, names and texts of the layers. Reload if it changes; touching a file doesn't change it.
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
    /// The schema of the built-in sections. Add other sections with [`Schema::with`].
    #[must_use]
    pub fn schema() -> Schema {
        Schema::new()
            .with::<Modes>()
            .with::<ConfirmSection>()
            .with::<Policy>()
            .with::<Rules>()
            .with::<Obligations>()
            .with::<Counters>()
            .with::<Flows>()
            .with::<Hooks>()
            .with::<Paths>()
            .with::<Shell>()
            .with::<Knowledge>()
            .with::<Net>()
            .with::<Egress>()
            .with::<Sandbox>()
            .with::<Analyzers>()
            .with::<Guardian>()
            .with::<Toolshield>()
            .with::<Approvals>()
            .with::<Ledger>()
            .with::<ServiceSettings>()
            .with::<Store>()
            .with::<Authzen>()
            .with::<Notify>()
            .with::<Mcp>()
    }

    /// Merges the layers, given in any order.
    ///
    /// # Errors
    /// [`SettingsError`]: an unknown key, an invalid value, a project that loosens, or contradicting layers.
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
            counters: merged.section()?,
            flows: merged.section()?,
            hooks: merged.section()?,
            paths: merged.section()?,
            shell: merged.section()?,
            knowledge: merged.section()?,
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
