//! What can still be listed of a text that no parser understood.

use doorward_core::intent::{SimpleCommand, Span};

use crate::machine::Machine;

/// Lists what looks like commands in a text that no parser understood, so that a deny rule still sees them.
pub(crate) fn salvage(machine: &mut Machine<'_>, text: &str, span: Span) {
    for line in text.split(['\n', ';', '&', '|', '(', ')', '`', '{', '}']).take(4096) {
        let words: Vec<String> = line
            .split_whitespace()
            .map(|word| word.trim_matches(['"', '\'', '\\']).to_owned())
            .filter(|word| !word.is_empty())
            .take(256)
            .collect();
        let Some(first) = words.first() else { continue };
        if matches!(
            first.as_str(),
            "then" | "do" | "done" | "fi" | "else" | "esac" | "if" | "while" | "for" | "case"
        ) && words.len() == 1
        {
            continue;
        }
        let program = first.rsplit('/').next().unwrap_or(first).to_owned();
        machine.intent.commands.push(SimpleCommand {
            words,
            program,
            via: machine.via.clone(),
            depth: machine.layer,
            span,
            ..SimpleCommand::default()
        });
    }
}
