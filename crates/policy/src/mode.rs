//! The permission modes' matrix of default verdicts, for calls that no floor, rule or hook decided.
//!
//! The mode is only the last default. Floors and rules come before it and aren't checked here. Of mode and
//! confirmation policy, the stricter counts ([`unsettled`]).

use std::collections::BTreeSet;

use doorward_core::decision::{Basis, Verdict};
use doorward_core::mode::{CallClass, PermissionMode};
use doorward_core::risk::SecurityRisk;
use doorward_settings::{DontAsk, Modes};

use crate::confirmation::ConfirmationPolicy;

/// A cell of the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// A: allow.
    Allow,
    /// C: confirm.
    Confirm,
    /// D: deny.
    Deny,
    /// R: allow if the risk is known and below HIGH and the score below 80, else deny.
    ByRisk,
    /// A*: allow; but in `personal` posture with custody `advised`, confirm an unknown effect.
    AllowButUnknown,
}

/// From this score on, R denies.
const RISKY_SCORE: u8 = 80;

/// The matrix: a row per class of call, a column per mode in the order of [`PermissionMode::ALL`].
#[rustfmt::skip]
pub const MATRIX: &[(CallClass, [Cell; 5])] = {
    use CallClass as K;
    use Cell::{Allow as A, AllowButUnknown as S, ByRisk as R, Confirm as C, Deny as D};
    &[
        //                                    default plan accept dontAsk bypass
        (K::ReadInsideRoots,                 [A,      A,   A,     A,      A]),
        (K::ReadOutsideRootsOrSensitive,     [C,      C,   C,     D,      S]),
        (K::PathEscape,                      [D,      D,   D,     D,      D]),
        (K::EditInsideRoots,                 [C,      D,   A,     A,      A]),
        (K::EditProtectedAsk,                [C,      D,   C,     D,      S]),
        (K::EditProtectedDenyFileTool,       [D,      D,   D,     D,      D]),
        (K::EditProtectedDenyCommand,        [C,      D,   C,     D,      C]),
        (K::EditOwnFiles,                    [D,      D,   D,     D,      D]),
        (K::EditOutsideRoots,                [C,      D,   C,     D,      S]),
        (K::DeleteRegenerable,               [C,      D,   A,     A,      A]),
        (K::ShellReadOnly,                   [A,      A,   A,     A,      A]),
        // Includes code with a verified sandbox marker.
        (K::ShellOther,                      [C,      D,   C,     R,      S]),
        (K::ShellDestructiveOrUnparseable,   [C,      D,   C,     D,      S]),
        (K::DeleteOther,                     [C,      D,   C,     D,      S]),
        (K::UnknownTool,                     [C,      D,   C,     D,      S]),
        (K::NetAllowlisted,                  [A,      A,   A,     A,      A]),
        (K::NetPublic,                       [C,      C,   C,     A,      A]),
        (K::NetPrivateOrLoopback,            [D,      D,   D,     D,      D]),
        (K::McpReadOnlyTrusted,              [A,      A,   A,     A,      S]),
        (K::McpOther,                        [C,      D,   C,     R,      S]),
        (K::PlanControl,                     [A,      A,   A,     A,      A]),
        (K::LeavePlanOrModeUpward,           [C,      C,   C,     D,      C]),
        (K::CodeWithoutSandbox,              [D,      D,   D,     D,      D]),
    ]
};

/// The cell of a class under a mode. A class without a row is denied.
#[must_use]
pub fn cell(class: CallClass, mode: PermissionMode) -> Cell {
    let column = PermissionMode::ALL.iter().position(|other| *other == mode);
    MATRIX
        .iter()
        .find(|(row, _)| *row == class)
        .and_then(|(_, cells)| cells.get(column?).copied())
        .unwrap_or(Cell::Deny)
}

/// The facts about a call that the matrix needs.
#[derive(Debug, Clone, Copy)]
pub struct MatrixQuestion<'a> {
    /// Rows that apply to the call. If empty, it counts as an unknown tool.
    pub classes: &'a BTreeSet<CallClass>,
    /// The session's mode.
    pub mode: PermissionMode,
    /// The configured behaviour of `dontAsk`.
    pub dont_ask: DontAsk,
    /// Fused risk.
    pub risk: SecurityRisk,
    /// Fused score; the guardian's, if it gave one.
    pub score: Option<u8>,
    /// Whether an effect is unknown.
    pub unknown_effects: bool,
    /// `personal` posture with custody `advised`: Doorward can't limit what the call does.
    pub unbounded: bool,
}

/// The mode's verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// `mode.allow`, `mode.confirm`, `mode.plan`, `mode.dont_ask`, `mode.deny`; `confirm.policy`, `confirm.allow`.
    pub code: &'static str,
    /// The mode's default, or the confirmation policy.
    pub basis: Basis,
    /// The class that decided.
    pub class: CallClass,
    /// Whether no allow rule can lift this denial: plan mode's, or one that every mode gives.
    pub fixed: bool,
}

/// The mode's default for a call: the strictest of the rows that apply.
#[must_use]
pub fn default_for(question: &MatrixQuestion<'_>) -> Answer {
    let unknown = BTreeSet::from([CallClass::UnknownTool]);
    let classes = if question.classes.is_empty() { &unknown } else { question.classes };
    classes
        .iter()
        .map(|class| one_class(question, *class))
        .reduce(|worst, other| {
            let graver = (rank(other.verdict), other.fixed) > (rank(worst.verdict), worst.fixed);
            if graver { other } else { worst }
        })
        .unwrap_or_else(|| answer(Verdict::Deny, question.mode, CallClass::UnknownTool))
}

/// The verdict for a call that no floor and no rule decided.
///
/// An explicitly configured confirmation policy decides alone in modes `default` and `acceptEdits`. It can replace
/// the mode's allow or confirm, but not a denial, nor a question that only a person may answer. Otherwise the
/// stricter of mode default and policy counts. Under `bypassPermissions` the policy is only recorded; under `dontAsk`
/// a question is a denial.
#[must_use]
pub fn unsettled(question: &MatrixQuestion<'_>, policy: &ConfirmationPolicy, explicit: bool) -> Answer {
    let default = default_for(question);
    if default.verdict == Verdict::Deny || question.mode == PermissionMode::BypassPermissions {
        return default;
    }
    let asks = policy.should_confirm(question.risk);
    // A question that only a person may answer remains.
    let person = default.class == CallClass::LeavePlanOrModeUpward;
    let alone = explicit && matches!(question.mode, PermissionMode::Default | PermissionMode::AcceptEdits);
    if alone && !asks && !person {
        let allowed = answer(Verdict::Allow, question.mode, default.class);
        return Answer { code: "confirm.allow", ..allowed };
    }
    match (default.verdict, asks, question.mode) {
        (_, true, PermissionMode::DontAsk) => answer(Verdict::Deny, question.mode, default.class),
        // The risk asks too, so the basis is Risk: a client must not answer it by its own mode.
        (Verdict::Allow | Verdict::Confirm, true, _) if !person => Answer {
            verdict: Verdict::Confirm,
            code: "confirm.policy",
            basis: Basis::Risk,
            class: default.class,
            fixed: false,
        },
        _ => default,
    }
}

fn one_class(question: &MatrixQuestion<'_>, class: CallClass) -> Answer {
    let mode = question.mode;
    let mut cell_here = cell(class, mode);
    if mode == PermissionMode::DontAsk && question.dont_ask == DontAsk::Deny {
        let would_prompt = cell(class, PermissionMode::Default) == Cell::Confirm;
        if cell_here == Cell::ByRisk || would_prompt {
            cell_here = Cell::Deny;
        }
    }
    let verdict = match cell_here {
        Cell::Allow => Verdict::Allow,
        Cell::Confirm => Verdict::Confirm,
        Cell::Deny => Verdict::Deny,
        Cell::ByRisk => {
            let mild = matches!(question.risk, SecurityRisk::Low | SecurityRisk::Medium)
                && question.score.is_none_or(|score| score < RISKY_SCORE);
            if mild { Verdict::Allow } else { Verdict::Deny }
        }
        Cell::AllowButUnknown if question.unbounded && question.unknown_effects => Verdict::Confirm,
        Cell::AllowButUnknown => Verdict::Allow,
    };
    answer(verdict, mode, class)
}

fn answer(verdict: Verdict, mode: PermissionMode, class: CallClass) -> Answer {
    let code = match (verdict, mode) {
        (Verdict::Allow, _) => "mode.allow",
        (Verdict::Confirm, _) => "mode.confirm",
        (Verdict::Deny, PermissionMode::Plan) => "mode.plan",
        (Verdict::Deny, PermissionMode::DontAsk) => "mode.dont_ask",
        (Verdict::Deny, _) => "mode.deny",
    };
    // With strict roots, a finding denies an outside path; a rule that names the path may allow it.
    let everywhere = class != CallClass::PathEscape
        && PermissionMode::ALL.iter().all(|other| cell(class, *other) == Cell::Deny);
    let fixed = verdict == Verdict::Deny && (mode == PermissionMode::Plan || everywhere);
    Answer { verdict, code, basis: Basis::Mode, class, fixed }
}

const fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Allow => 0,
        Verdict::Confirm => 1,
        Verdict::Deny => 2,
    }
}

/// Why a mode is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ModeRefused {
    /// `modes.disable_bypass` is set.
    #[error("mode.bypass_disabled: bypassPermissions is switched off here")]
    BypassDisabled,
    /// It allows more than `modes.max`.
    #[error("mode.over_max: at most {max} is permitted here")]
    OverMax {
        /// The least strict mode permitted.
        max: PermissionMode,
    },
}

impl ModeRefused {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::BypassDisabled => "mode.bypass_disabled",
            Self::OverMax { .. } => "mode.over_max",
        }
    }
}

/// A client's claimed mode, adjusted: capped at `modes.max`, and `default` instead of a disabled bypass. A session in
/// bypass also drops to `default` when bypass is disabled.
#[must_use]
pub fn effective(claimed: PermissionMode, modes: &Modes) -> PermissionMode {
    let capped = claimed.capped(modes.max);
    if capped == PermissionMode::BypassPermissions && modes.disable_bypass {
        PermissionMode::Default.capped(modes.max)
    } else {
        capped
    }
}

/// A mode that a user selects: refused rather than adjusted.
pub fn select(wanted: PermissionMode, modes: &Modes) -> Result<PermissionMode, ModeRefused> {
    if wanted == PermissionMode::BypassPermissions && modes.disable_bypass {
        return Err(ModeRefused::BypassDisabled);
    }
    if wanted.capped(modes.max) != wanted {
        return Err(ModeRefused::OverMax { max: modes.max });
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use PermissionMode::{AcceptEdits, BypassPermissions, Default as Ordinary, DontAsk as DontAskMode, Plan};

    fn question(classes: &BTreeSet<CallClass>, mode: PermissionMode) -> MatrixQuestion<'_> {
        MatrixQuestion {
            classes,
            mode,
            dont_ask: DontAsk::Allow,
            risk: SecurityRisk::Medium,
            score: Some(50),
            unknown_effects: false,
            unbounded: false,
        }
    }

    #[test]
    fn the_table_is_the_document() {
        let document: serde_json::Value =
            serde_json::from_str(include_str!("../testdata/mode_matrix.json")).unwrap();
        let rows = document["classes"].as_object().unwrap();
        for (name, cells) in rows {
            // Some rows of the document have another name here; code with a verified sandbox is part of `ShellOther`.
            let name = match name.as_str() {
                "fs_delete_regenerable" => "delete_regenerable",
                "fs_delete_other" => "delete_other",
                "code_with_verified_sandbox" => "shell_other",
                other => other,
            };
            let class: CallClass = serde_json::from_value(name.into()).unwrap();
            for (mode, expected) in PermissionMode::ALL.into_iter().zip(cells.as_array().unwrap()) {
                let word = match cell(class, mode) {
                    Cell::Allow => "A",
                    Cell::Confirm => "C",
                    Cell::Deny => "D",
                    Cell::ByRisk => "R",
                    Cell::AllowButUnknown => "A*",
                };
                assert_eq!(word, expected.as_str().unwrap(), "{name} {mode}");
            }
        }
        assert_eq!(rows.len(), MATRIX.len() + 1, "every row is in the document");
    }

    #[test]
    fn the_strictest_row_counts_and_no_row_is_an_unknown_tool() {
        let both = BTreeSet::from([CallClass::ReadInsideRoots, CallClass::EditOutsideRoots]);
        assert_eq!(default_for(&question(&both, Ordinary)).verdict, Verdict::Confirm);
        assert_eq!(default_for(&question(&both, Plan)).verdict, Verdict::Deny);
        let none = BTreeSet::new();
        assert_eq!(default_for(&question(&none, Ordinary)).verdict, Verdict::Confirm);
        assert_eq!(default_for(&question(&none, DontAskMode)).verdict, Verdict::Deny);
    }

    #[test]
    fn r_allows_only_what_is_known_to_be_mild() {
        let shell = BTreeSet::from([CallClass::ShellOther]);
        for (risk, score, verdict) in [
            (SecurityRisk::Low, Some(10), Verdict::Allow),
            (SecurityRisk::Medium, Some(79), Verdict::Allow),
            (SecurityRisk::Medium, Some(80), Verdict::Deny),
            (SecurityRisk::Medium, None, Verdict::Allow),
            (SecurityRisk::High, Some(80), Verdict::Deny),
            (SecurityRisk::Unknown, None, Verdict::Deny),
        ] {
            let asked = MatrixQuestion { risk, score, ..question(&shell, DontAskMode) };
            assert_eq!(default_for(&asked).verdict, verdict, "{risk} {score:?}");
        }
    }

    #[test]
    fn dont_ask_deny_refuses_whatever_would_prompt() {
        for (class, verdict) in [
            (CallClass::ReadInsideRoots, Verdict::Allow),
            (CallClass::ShellReadOnly, Verdict::Allow),
            (CallClass::EditInsideRoots, Verdict::Deny),
            (CallClass::DeleteRegenerable, Verdict::Deny),
            (CallClass::NetPublic, Verdict::Deny),
            (CallClass::ShellOther, Verdict::Deny),
            (CallClass::McpOther, Verdict::Deny),
            (CallClass::NetAllowlisted, Verdict::Allow),
        ] {
            let classes = BTreeSet::from([class]);
            let asked = MatrixQuestion { dont_ask: DontAsk::Deny, ..question(&classes, DontAskMode) };
            assert_eq!(default_for(&asked).verdict, verdict, "{class:?}");
        }
    }

    #[test]
    fn bypass_still_asks_about_the_unknown_where_nothing_bounds_it() {
        let shell = BTreeSet::from([CallClass::ShellOther]);
        let unknown = MatrixQuestion { unknown_effects: true, ..question(&shell, BypassPermissions) };
        assert_eq!(default_for(&unknown).verdict, Verdict::Allow);
        assert_eq!(default_for(&MatrixQuestion { unbounded: true, ..unknown }).verdict, Verdict::Confirm);
    }

    #[test]
    fn confirmation_policy_and_mode_the_stricter() {
        let edit = BTreeSet::from([CallClass::EditInsideRoots]);
        let read = BTreeSet::from([CallClass::ReadInsideRoots]);
        let person = BTreeSet::from([CallClass::LeavePlanOrModeUpward]);
        let risky = ConfirmationPolicy::default();
        let always = ConfirmationPolicy::AlwaysConfirm;
        let never = ConfirmationPolicy::NeverConfirm;
        let high = |asked: MatrixQuestion<'_>, policy: &ConfirmationPolicy, explicit: bool| {
            unsettled(
                &MatrixQuestion { risk: SecurityRisk::High, score: Some(90), ..asked },
                policy,
                explicit,
            )
            .verdict
        };
        for (got, expected, what) in [
            (
                high(question(&edit, AcceptEdits), &risky, false),
                Verdict::Confirm,
                "risk asks where the mode allows",
            ),
            (
                high(question(&edit, BypassPermissions), &risky, false),
                Verdict::Allow,
                "bypass: recorded only",
            ),
            (high(question(&edit, DontAskMode), &risky, false), Verdict::Deny, "dontAsk: asking is refusing"),
            (high(question(&edit, Ordinary), &never, true), Verdict::Allow, "explicit Never replaces C"),
            (high(question(&edit, Plan), &never, true), Verdict::Deny, "but never D"),
            (high(question(&read, Ordinary), &always, true), Verdict::Confirm, "explicit Always asks"),
            (
                high(question(&edit, Ordinary), &never, false),
                Verdict::Confirm,
                "a default Never replaces nothing",
            ),
            (
                high(question(&person, Plan), &never, true),
                Verdict::Confirm,
                "leaving plan mode needs a person",
            ),
        ] {
            assert_eq!(got, expected, "{what}");
        }
        let mild = unsettled(&question(&edit, AcceptEdits), &risky, false);
        assert_eq!((mild.verdict, mild.basis), (Verdict::Allow, Basis::Mode));
    }

    #[test]
    fn plan_mode_denials_are_fixed_and_escapes_are_left_to_their_finding() {
        for (class, mode, fixed) in [
            (CallClass::EditInsideRoots, Plan, true),
            (CallClass::ShellOther, DontAskMode, false),
            (CallClass::EditOwnFiles, BypassPermissions, true),
            (CallClass::PathEscape, Ordinary, false),
            (CallClass::PathEscape, Plan, true),
        ] {
            let classes = BTreeSet::from([class]);
            let asked = MatrixQuestion { risk: SecurityRisk::Unknown, ..question(&classes, mode) };
            assert_eq!(default_for(&asked).fixed, fixed, "{class:?} {mode}");
        }
    }

    #[test]
    fn bypass_that_is_switched_off_is_switched_off_at_every_door() {
        let off = Modes { disable_bypass: true, ..Modes::default() };
        assert_eq!(effective(BypassPermissions, &off), Ordinary);
        assert_eq!(select(BypassPermissions, &off), Err(ModeRefused::BypassDisabled));
        assert_eq!(effective(AcceptEdits, &off), AcceptEdits);
        let capped = Modes { max: Plan, disable_bypass: true, ..Modes::default() };
        assert_eq!(effective(BypassPermissions, &capped), Plan);
        assert_eq!(select(Ordinary, &capped), Err(ModeRefused::OverMax { max: Plan }));
    }
}
