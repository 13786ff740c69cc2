//! Explains a call's risk in one sentence for the person who is asked: the finding with that risk, else the analyzer
//! that gave it, else the effects.

use doorward_core::assessment::AnalyzerVerdict;
use doorward_core::effect::Effects;
use doorward_core::finding::Finding;
use doorward_core::risk::SecurityRisk;

use crate::combine::Evidence;

/// Most names in one sentence.
const MOST_NAMED: usize = 3;

/// The worst finding with the call's risk, as a sentence with its code:
/// `Deletes src, which may not come back. (shell.delete)`.
pub(crate) fn because(evidence: Evidence<'_>) -> Option<String> {
    let risk = evidence.assessment.risk;
    let carries = |finding: &&Finding| finding.risk == Some(risk) && risk != SecurityRisk::Low;
    let analyzers = evidence.assessment.by.iter().filter(|one| one.applies && one.risk == risk);
    // The first of the most severe ones, in the order of the effects.
    let worst = |findings: &[Finding]| {
        let found = findings.iter().rev().filter(carries).max_by_key(|finding| finding.severity)?;
        Some(format!("{} ({})", with_suggestion(found), found.code))
    };
    worst(&evidence.inspected.findings)
        .or_else(|| analyzers.clone().find_map(|one| worst(&one.findings)))
        .or_else(|| {
            let is_other = |one: &&AnalyzerVerdict| evidence.inspected.risk != risk && !one.detail.is_empty();
            let one = analyzers.clone().find(is_other)?;
            Some(format!(
                "The analyzer {} rates this {risk}: {}.",
                one.analyzer,
                one.detail.trim_end_matches('.')
            ))
        })
}

/// For a question asked because of the risk alone: the effects of the call.
pub(crate) fn of_risk(evidence: Evidence<'_>) -> String {
    let risk = evidence.assessment.risk;
    because(evidence).unwrap_or_else(|| {
        let does = does(&evidence.inspected.effects);
        format!("{does}: risk {risk}, which your settings ask about.")
    })
}

/// A finding's sentence with its suggestion.
pub(crate) fn with_suggestion(finding: &Finding) -> String {
    match &finding.suggestion {
        Some(suggestion) => {
            format!("{} To make it pass: {}.", finding.sentence(), suggestion.trim_end_matches('.'))
        }
        None => finding.sentence(),
    }
}

/// The gravest effect, as a sentence.
fn does(effects: &Effects) -> String {
    let hosts = effects.hosts.iter().map(|host| host.host.as_str());
    let all = [
        ("Deletes ", effects.deletes.iter().map(|delete| delete.path.as_str()).collect::<Vec<_>>(), ""),
        ("Contacts ", hosts.collect(), ""),
        ("Writes ", effects.writes.iter().map(|write| write.path.as_str()).collect(), ""),
        (
            "Runs ",
            effects.executes.iter().map(|command| command.program.as_str()).collect(),
            if effects.read_only { "" } else { ", which isn't proved to only read" },
        ),
        ("Reads ", effects.reads.iter().map(|read| read.path.as_str()).collect(), ""),
    ];
    let gravest = all.into_iter().find(|(_, names, _)| names.iter().any(|name| !name.is_empty()));
    gravest.map_or_else(
        || "Does something that isn't known before it runs".to_owned(),
        |(verb, mut names, more)| {
            names.retain(|name| !name.is_empty());
            names.dedup();
            let others = names.len().saturating_sub(MOST_NAMED);
            names.truncate(MOST_NAMED);
            let others = if others > 0 { format!(" and {others} more") } else { String::new() };
            format!("{verb}{}{others}{more}", names.join(", "))
        },
    )
}
