//! The account of a text: each simple command that the parser read was walked, or the whole call is UNKNOWN.
//!
//! The walk has bounds (steps, depth, rounds), and shortcuts where a branch can't be taken. So that none of them drops
//! a command without a word, the commands of every text that was parsed are listed beforehand, ticked off as the walk
//! meets them, and compared at the end. Texts inside of texts are also shown to the second parser, as the outermost one
//! is.

use std::collections::BTreeSet;

use brush_parser::ast::{self, SourceLocation as _};

use crate::machine::Machine;
use crate::second::{self, Reach};

/// What names a simple command of a text: the character that it starts at. One that is nothing but redirections has no
/// place of its own.
pub(crate) fn place(command: &ast::SimpleCommand) -> Option<usize> {
    let word = || command.word_or_name.as_ref().and_then(ast::SourceLocation::location);
    command.location().or_else(word).map(|location| location.start.index)
}

/// The places of all simple commands of a program.
pub(crate) fn commands(program: &ast::Program) -> BTreeSet<usize> {
    let mut places = BTreeSet::new();
    program.complete_commands.iter().for_each(|list| of_list(list, &mut places));
    places
}

fn of_list(list: &ast::CompoundList, places: &mut BTreeSet<usize>) {
    for ast::CompoundListItem(commands, _) in &list.0 {
        let others = commands.additional.iter().map(|next| match next {
            ast::AndOr::And(pipeline) | ast::AndOr::Or(pipeline) => pipeline,
        });
        for pipeline in std::iter::once(&commands.first).chain(others) {
            pipeline.seq.iter().for_each(|command| of_command(command, places));
        }
    }
}

fn of_command(command: &ast::Command, places: &mut BTreeSet<usize>) {
    match command {
        ast::Command::Simple(simple) => {
            places.extend(place(simple));
            let before = simple.prefix.iter().flat_map(|prefix| &prefix.0);
            let behind = simple.suffix.iter().flat_map(|suffix| &suffix.0);
            before.chain(behind).for_each(|item| match item {
                ast::CommandPrefixOrSuffixItem::ProcessSubstitution(_, group) => of_list(&group.list, places),
                ast::CommandPrefixOrSuffixItem::IoRedirect(redirect) => of_redirect(redirect, places),
                _ => {}
            });
        }
        ast::Command::Compound(compound, redirects) => {
            of_compound(compound, places);
            of_redirects(redirects.as_ref(), places);
        }
        ast::Command::Function(function) => {
            of_compound(&function.body.0, places);
            of_redirects(function.body.1.as_ref(), places);
        }
        ast::Command::ExtendedTest(_, redirects) => of_redirects(redirects.as_ref(), places),
    }
}

fn of_redirects(redirects: Option<&ast::RedirectList>, places: &mut BTreeSet<usize>) {
    redirects.into_iter().flat_map(|list| &list.0).for_each(|redirect| of_redirect(redirect, places));
}

fn of_redirect(redirect: &ast::IoRedirect, places: &mut BTreeSet<usize>) {
    if let ast::IoRedirect::File(_, _, ast::IoFileRedirectTarget::ProcessSubstitution(_, group)) = redirect {
        of_list(&group.list, places);
    }
}

fn of_compound(compound: &ast::CompoundCommand, places: &mut BTreeSet<usize>) {
    match compound {
        // What is no calculation is read anew, as a text of its own.
        ast::CompoundCommand::Arithmetic(_) => {}
        ast::CompoundCommand::ArithmeticForClause(clause) => of_list(&clause.body.list, places),
        ast::CompoundCommand::BraceGroup(group) => of_list(&group.list, places),
        ast::CompoundCommand::Subshell(group) => of_list(&group.list, places),
        ast::CompoundCommand::ForClause(clause) => of_list(&clause.body.list, places),
        ast::CompoundCommand::CaseClause(clause) => {
            clause.cases.iter().filter_map(|case| case.cmd.as_ref()).for_each(|list| of_list(list, places));
        }
        ast::CompoundCommand::IfClause(clause) => {
            of_list(&clause.condition, places);
            of_list(&clause.then, places);
            for other in clause.elses.iter().flatten() {
                other.condition.iter().for_each(|list| of_list(list, places));
                of_list(&other.body, places);
            }
        }
        ast::CompoundCommand::WhileClause(clause) | ast::CompoundCommand::UntilClause(clause) => {
            of_list(&clause.0, places);
            of_list(&clause.1.list, places);
        }
        ast::CompoundCommand::Coprocess(coprocess) => of_command(&coprocess.body, places),
    }
}

/// Says what of the texts that were read doesn't add up. Whatever is unknown already makes the call UNKNOWN.
/// `of_shell`: the original itself is shell text.
pub(crate) fn settle(machine: &mut Machine<'_>, of_shell: bool) {
    for text in std::mem::take(&mut machine.texts) {
        if !machine.intent.unknown.is_empty() {
            return;
        }
        let (source, nested) = (&text.source, text.nested);
        if let Some(missed) = source.missed() {
            machine.unknown("shell.too_deep", "a command that the analysis didn't reach", missed);
        } else if nested
            && let Some(seen) = second::unseen(&source.text, &source.words.borrow(), Reach::OwnCommands)
        {
            let span = source.span(seen.start as usize, seen.end as usize);
            machine.unknown("shell.parser_difference", "two parsers see different commands", span);
        }
    }
    if of_shell
        && !machine.rewritten
        && machine.intent.unknown.is_empty()
        && let Some(span) = second::unseen(&machine.original.clone(), &machine.starts, Reach::Everything)
    {
        machine.unknown("shell.parser_difference", "two parsers see different commands", span);
    }
}
