//! Allow rules about deletes: `Delete(build/**)` by path, `shell(rm *)` by a program that only deletes.
//!
//! They settle the pack's question about a delete inside the roots and nothing else: no protected name, no path
//! outside, no loss that needs more than one click.

use doorward_core::effect::{DeleteEffect, Inspected, Scope, Tri};
use doorward_core::intent::{Certainty, SimpleCommand, Span};
use doorward_core::tool::CanonicalTool;

use super::glob::Places;
use super::{List, RuleSet, Subject};

/// Programs that only delete their operands: rm(1), rmdir(1), unlink(1).
const ONLY_DELETE: &[&str] = &["rm", "rmdir", "unlink"];

/// Whether a command only deletes, in ordinary use of its program.
pub(super) fn only_deletes(command: &SimpleCommand) -> bool {
    ONLY_DELETE.contains(&command.program.as_str()) && command.plain && command.unknown_words.is_empty()
}

impl RuleSet {
    /// Whether rules name this deleted path.
    pub(super) fn names_delete(&self, inspected: &Inspected, path: &str, places: &Places) -> bool {
        self.allows(inspected).any(|s| matches!(s, Subject::Deletes(rule) if rule.allows(path, places)))
    }

    /// Whether the command deletes something and rules name every path that it deletes.
    pub(super) fn names_deletes_of(
        &self,
        inspected: &Inspected,
        command: &SimpleCommand,
        places: &Places,
    ) -> bool {
        let mut of_command =
            inspected.effects.deletes.iter().filter(|own| covers(command.span, own.span)).peekable();
        of_command.peek().is_some() && of_command.all(|own| self.names_delete(inspected, &own.path, places))
    }

    /// Whether rules settle the question about all deletes of the call.
    pub(super) fn settles_deletes(&self, inspected: &Inspected, places: &Places) -> bool {
        are_bounded(inspected) && lost(inspected).all(|delete| self.settles(inspected, delete, places))
    }

    fn settles(&self, inspected: &Inspected, delete: &DeleteEffect, places: &Places) -> bool {
        let by = |command: &&SimpleCommand| only_deletes(command) && covers(command.span, delete.span);
        let command = inspected.effects.executes.iter().find(by);
        let rules =
            self.rules.iter().filter(|rule| rule.source.list == List::Allow && rule.is_for(inspected));
        rules.into_iter().any(|rule| match &rule.subject {
            Subject::Deletes(rule) => rule.allows(&delete.path, places),
            Subject::Words(rule) => command.is_some_and(|command| {
                rule.program().is_some_and(|program| ONLY_DELETE.contains(&program)) && rule.allows(command)
            }),
            Subject::Tool(CanonicalTool::Delete) => command.is_none(),
            _ => false,
        })
    }
}

/// What goes and doesn't come back.
fn lost(inspected: &Inspected) -> impl Iterator<Item = &DeleteEffect> {
    inspected.effects.deletes.iter().filter(|delete| {
        delete.regenerable != Tri::Yes && !matches!(delete.scope, Scope::Scratch | Scope::Harmless)
    })
}

/// Whether all that a call loses is deleted by it, inside the roots, under known names that nothing protects.
pub(super) fn are_bounded(inspected: &Inspected) -> bool {
    let effects = &inspected.effects;
    // What is lost by an overwrite or a move isn't among the deletes, and no rule about deletes speaks of it.
    let told = inspected.findings.iter().filter(|finding| finding.code == "shell.delete");
    let is_delete =
        |span: Option<Span>| effects.deletes.iter().any(|delete| Some(delete.span) == span || span.is_none());
    let is_bounded = |delete: &DeleteEffect| {
        delete.scope == Scope::Inside && delete.protection.is_none() && delete.certainty == Certainty::Exact
    };
    lost(inspected).next().is_some()
        && effects.unknown.is_empty()
        && told.map(|finding| finding.span).all(is_delete)
        && lost(inspected).all(is_bounded)
}

const fn covers(command: Span, word: Span) -> bool {
    command.start <= word.start && word.end <= command.end
}
