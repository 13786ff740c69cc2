//! The staged intent score: each stage of an attack counts once, by its heaviest recent step; a step's weight
//! decays by half-lives. The score explains itself and can only raise the risk.

use crate::kind::Kind;
use crate::rules::Seen;

/// A stage with the points that it adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreStage {
    /// Its name in the table.
    pub name: String,
    /// The points that it adds now.
    pub points: u16,
    /// The turn of its step.
    pub turn: u64,
    /// What that step did.
    pub what: String,
}

/// The score with the call in question, and its stages, the heaviest first. 0 for a call that adds no stage itself.
pub(crate) fn of(seen: &Seen<'_>) -> (u16, Vec<ScoreStage>) {
    let now = |kind: Kind| seen.now.iter().any(|fact| fact.kind == kind);
    if !seen.table.weights.iter().any(|(kind, ..)| now(*kind)) {
        return (0, Vec::new());
    }
    let mut stages: Vec<Option<ScoreStage>> = vec![None; seen.table.signals.len()];
    for (kind, stage, weight) in &seen.table.weights {
        let Some((turn, object)) = seen.latest(*kind) else { continue };
        let points = decayed(*weight, seen.turn.saturating_sub(turn), seen.table.score.half_life);
        let Some(slot) = stages.get_mut(*stage) else { continue };
        if slot.as_ref().is_none_or(|known| known.points < points) && points > 0 {
            let name = seen.table.signals.get(*stage).map(|signal| signal.stage.clone()).unwrap_or_default();
            *slot = Some(ScoreStage { name, points, turn, what: seen.table.phrase(*kind, object) });
        }
    }
    let mut stages: Vec<ScoreStage> = stages.into_iter().flatten().collect();
    stages.sort_by_key(|stage| std::cmp::Reverse(stage.points));
    (stages.iter().map(|stage| stage.points).sum(), stages)
}

/// A weight after some turns, in whole points: halved every `half_life` turns, linear in between.
fn decayed(weight: u16, turns: u64, half_life: u64) -> u16 {
    let half_life = half_life.max(1);
    let halvings = u32::try_from(turns / half_life).unwrap_or(u32::MAX);
    let whole = u64::from(weight).checked_shr(halvings).unwrap_or(0);
    let part = whole * (turns % half_life) / (2 * half_life);
    u16::try_from(whole - part).unwrap_or(u16::MAX)
}

/// The composition of the score, as a sentence.
pub(crate) fn sentence(score: u16, stages: &[ScoreStage]) -> String {
    let parts: Vec<String> =
        stages.iter().map(|stage| format!("turn {} {} ({})", stage.turn, stage.what, stage.points)).collect();
    format!("Adds up with earlier calls to the stages of an attack, {score} points: {}.", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_decay_and_never_grow() {
        assert_eq!(decayed(40, 0, 60), 40);
        assert_eq!(decayed(40, 60, 60), 20);
        assert_eq!(decayed(40, 30, 60), 30);
        assert_eq!(decayed(40, 100_000, 60), 0);
        for turn in 0..500 {
            assert!(decayed(35, turn + 1, 60) <= decayed(35, turn, 60));
        }
    }
}
