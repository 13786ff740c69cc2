//! What a grant for a task covers. A person gives one for a session and a time, by a scope instead of by one call, so
//! it covers everyday calls only: nothing that is HIGH, deleted, lost, outside or protected, and nothing that isn't
//! known.

use doorward_core::effect::{Inspected, Scope};
use doorward_core::finding::{Finding, Severity};
use doorward_core::intent::{Code, Origin, SimpleCommand};
use doorward_core::risk::SecurityRisk;

use super::glob::Places;
use super::{RuleSet, Subject};

/// Programs that only write the files that they name, which the call's effects list (coreutils 9.4, sed 4.9).
const WRITERS: &[&str] = &["cp", "mkdir", "sed", "tee", "touch"];

/// Programs that print, and write only where their output is redirected (coreutils 9.4, grep 3.11).
const PRINTERS: &[&str] = &["cat", "echo", "grep", "head", "printf", "tail", "wc"];

/// Whether a command changes nothing but the files that the call's effects list as written.
#[must_use]
pub fn only_writes(command: &SimpleCommand) -> bool {
    let plain = command.code == Code::None
        && command.origin == Origin::Literal
        && command.via.is_empty()
        && command.unknown_words.is_empty()
        && command.chooses.is_empty();
    let program = command.program.as_str();
    let writes = WRITERS.contains(&program) && !command.read_only;
    plain && (writes || command.redirected && PRINTERS.contains(&program))
}

/// Whether a grant for a task may cover this call at all.
pub(super) fn is_everyday(inspected: &Inspected) -> bool {
    let effects = &inspected.effects;
    let here = |scope: Scope| matches!(scope, Scope::Inside | Scope::Scratch | Scope::Harmless);
    let mild = |finding: &Finding| {
        !finding.blocking
            && finding.severity < Severity::High
            && !matches!(finding.risk, Some(SecurityRisk::High | SecurityRisk::Unknown))
    };
    inspected.findings.iter().all(mild)
        && effects.unknown.is_empty()
        && effects.deletes.is_empty()
        && effects.history_loss.is_empty()
        && effects.privilege.is_empty()
        && effects.reads.iter().all(|read| here(read.scope) && !read.secret)
        && effects.writes.iter().all(|write| here(write.scope) && write.protection.is_none())
}

impl RuleSet {
    /// Whether a command only writes files, and a grant for a task covers all files that the call writes.
    pub(super) fn task_covers_writes(
        &self,
        inspected: &Inspected,
        places: &Places,
        command: &SimpleCommand,
    ) -> bool {
        let edits = |path: &str| {
            self.allowing(inspected).filter(|rule| rule.source.task).any(|rule| match &rule.subject {
                Subject::Edits(edits) => edits.allows(path, places),
                _ => false,
            })
        };
        let writes = &inspected.effects.writes;
        only_writes(command)
            && writes.iter().all(|write| write.scope == Scope::Harmless || edits(&write.path))
            && writes.iter().any(|write| edits(&write.path))
    }
}
