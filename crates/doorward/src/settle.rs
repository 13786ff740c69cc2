//! Mode, confirmation policy and delegation of the settings, as the gate asks for them.

use doorward_core::assessment::Assessment;
use doorward_core::call::Custody;
use doorward_core::decision::{Basis, Verdict};
use doorward_core::effect::{Inspected, Scope, Tri};
use doorward_core::record::Posture;
use doorward_core::risk::SecurityRisk;
use doorward_gate::{Settle, Settling};
use doorward_policy::confirmation::ConfirmationPolicy;
use doorward_policy::mode::{self, MatrixQuestion};
use doorward_settings::{ConfirmPolicy, Profile, Settings};
use jiff::Timestamp;

/// What the settings say about calls that no rule settles.
#[derive(Debug)]
pub(crate) struct ModeAndPolicy {
    settings: Settings,
    policy: ConfirmationPolicy,
    explicit: bool,
    posture: Posture,
    delegate: Vec<Basis>,
}

impl ModeAndPolicy {
    pub(crate) fn new(settings: &Settings, posture: Posture) -> Self {
        // OpenHands has a confirmation policy always, and no modes beside it.
        let compat = settings.analyzers.profile == Profile::OpenhandsCompat;
        let explicit = settings.confirm.policy.is_some() || compat;
        Self {
            settings: settings.clone(),
            policy: confirmation(settings),
            explicit,
            posture,
            delegate: delegated(settings),
        }
    }
}

impl Settle for ModeAndPolicy {
    fn settling(&self, inspected: &Inspected, assessment: &Assessment) -> Settling {
        let mode = mode::effective(inspected.call.mode, &self.settings.modes);
        let question = MatrixQuestion {
            classes: &inspected.classes,
            mode,
            dont_ask: self.settings.modes.dont_ask,
            risk: assessment.risk,
            score: assessment.score,
            unknown_effects: !inspected.effects.unknown.is_empty() || !assessment.risk.is_known(),
            unbounded: self.posture == Posture::Personal && inspected.call.custody == Custody::Advised,
        };
        let mut answer = mode::unsettled(&question, &self.policy, self.explicit);
        if answer.verdict == Verdict::Confirm && stays_enclosed(inspected) {
            answer =
                mode::Answer { verdict: Verdict::Allow, code: "mode.enclosed", basis: Basis::Mode, ..answer };
        }
        let default = mode::default_for(&question);
        Settling {
            mode,
            verdict: answer.verdict,
            code: answer.code.to_owned(),
            basis: answer.basis,
            fixed: default.fixed,
            delegate: self.delegate.clone(),
            observed: self.settings.modes.observes(Timestamp::now()).is_some(),
        }
    }
}

/// A call of an enclosed agent that Doorward runs and that only works inside the sandbox: it is known what it does, and
/// it touches neither the project's own files nor its history, nor anything beyond this machine. Nothing is lost with
/// the sandbox, so that nobody needs to be asked.
fn stays_enclosed(inspected: &Inspected) -> bool {
    let (call, effects) = (&inspected.call, &inspected.effects);
    call.enclosed
        && call.custody == Custody::Bound
        && effects.unknown.is_empty()
        && effects.history_loss.is_empty()
        && effects.hosts.is_empty()
        && !effects.network
        && effects.writes.iter().all(|write| {
            matches!(write.scope, Scope::Scratch | Scope::Harmless) && write.protection.is_none()
        })
        && effects
            .deletes
            .iter()
            .all(|delete| delete.scope == Scope::Scratch || delete.regenerable == Tri::Yes)
}

/// The confirmation policy in force: the configured one, else the profile's.
fn confirmation(settings: &Settings) -> ConfirmationPolicy {
    let risky = |threshold, unknown| {
        // The settings refuse a threshold of UNKNOWN at load; asking about everything is what is left.
        ConfirmationPolicy::risky(threshold, unknown).unwrap_or(ConfirmationPolicy::AlwaysConfirm)
    };
    match settings.confirm.policy {
        Some(ConfirmPolicy::AlwaysConfirm {}) => ConfirmationPolicy::AlwaysConfirm,
        Some(ConfirmPolicy::NeverConfirm {}) => ConfirmationPolicy::NeverConfirm,
        Some(ConfirmPolicy::ConfirmRisky { threshold, confirm_unknown }) => risky(threshold, confirm_unknown),
        None if settings.analyzers.profile == Profile::OpenhandsCompat => ConfirmationPolicy::NeverConfirm,
        None => risky(SecurityRisk::High, true),
    }
}

/// Confirms the guardian may settle: what is configured, else the mode's once a model is configured.
fn delegated(settings: &Settings) -> Vec<Basis> {
    match &settings.guardian.delegate {
        Some(words) => words
            .iter()
            .filter_map(|word| match word.as_str() {
                "mode" => Some(Basis::Mode),
                "risk" => Some(Basis::Risk),
                _ => None,
            })
            .collect(),
        None if settings.guardian.model.is_some() => vec![Basis::Mode],
        None => Vec::new(),
    }
}
