//! The flows of a command line: its top-level pipelines, each of which passes bytes on by itself.
//!
//! What one command of a pipeline reads or is given can reach a host that another command of the same pipeline
//! contacts. Two pipelines of one line share bytes only through variables and files. A compound command (a loop, a
//! group) is one flow with the pipeline it belongs to; a text that defines functions, starts a co-process or can't be
//! parsed is one flow as a whole, because what it passes on can't be told from where it is written.

use brush_parser::ast::{self, SourceLocation as _};
use doorward_core::intent::Span;

use crate::source::{Source, parse};

/// Deepest nesting of compound commands that is searched for assignments.
const DEEPEST: usize = 32;

/// One flow of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandFlow {
    /// From its first byte to the beginning of the next flow.
    pub span: Span,
    /// Assignments (`NAME=value`) in front of a command or on their own.
    pub assignments: Vec<Span>,
}

/// The flows of `text`, in order. There is always at least one, and together they cover the text.
#[must_use]
pub fn flows(text: &str) -> Vec<CommandFlow> {
    let whole = CommandFlow { span: Span::new(0, text.len()), assignments: Vec::new() };
    if crate::second::may_be_costly(text) {
        return vec![whole];
    }
    // A rewritten text has other offsets.
    let Ok((program, None)) = parse(text) else { return vec![whole] };
    let source = Source::new(text.to_owned(), Some(0), whole.span);
    let mut search = Search { source: &source, assignments: Vec::new(), defines: false };
    let mut starts = Vec::new();
    for item in program.complete_commands.iter().flat_map(|list| &list.0) {
        let rest = item.0.additional.iter().map(|next| match next {
            ast::AndOr::And(pipeline) | ast::AndOr::Or(pipeline) => pipeline,
        });
        for pipeline in std::iter::once(&item.0.first).chain(rest) {
            search.pipeline(pipeline, 0);
            let Some(loc) = pipeline.location() else { return vec![whole] };
            starts.push(behind_separator(text, source.range(&loc).0));
        }
    }
    let Search { mut assignments, defines, .. } = search;
    assignments.sort_unstable();
    if defines {
        return vec![CommandFlow { assignments, ..whole }];
    }
    if text.contains("<<") {
        // The body of a here-document stands behind the other commands of its line.
        starts.dedup_by(|next, first| !text.get(*first..*next).is_some_and(|between| between.contains('\n')));
    }
    cut(text, &starts, &assignments)
}

/// Whether the text defines a function or starts a co-process, or can't be read so far: later commands of the same
/// shell may then mean something else than their words say.
#[must_use]
pub fn defines_functions(text: &str) -> bool {
    if crate::second::may_be_costly(text) {
        return true;
    }
    let Ok((program, _)) = parse(text) else { return true };
    let source = Source::new(text.to_owned(), Some(0), Span::new(0, text.len()));
    let mut search = Search { source: &source, assignments: Vec::new(), defines: false };
    program.complete_commands.iter().for_each(|list| search.list(list, 0));
    search.defines
}

/// Cuts a text before every start but the first.
fn cut(text: &str, starts: &[usize], assignments: &[Span]) -> Vec<CommandFlow> {
    let mut edges: Vec<usize> = std::iter::once(0).chain(starts.iter().skip(1).copied()).collect();
    edges.push(text.len());
    edges.dedup();
    if edges.len() == 1 {
        edges.push(text.len());
    }
    edges
        .windows(2)
        .filter_map(|pair| match pair {
            [start, end] => {
                let span = Span::new(*start, *end);
                let inside = |other: &&Span| span.start <= other.start && other.start < span.end;
                let assignments = assignments.iter().filter(inside).copied().collect();
                Some(CommandFlow { span, assignments })
            }
            _ => None,
        })
        .collect()
}

/// Redirections in front of a command have no place in the parsed program: the start moves back over them.
fn behind_separator(text: &str, start: usize) -> usize {
    let before = text.get(..start).unwrap_or_default();
    before.rfind([';', '&', '|', '\n']).map_or(0, |at| at + 1)
}

struct Search<'s> {
    source: &'s Source,
    assignments: Vec<Span>,
    /// A function or co-process: what it is given comes from elsewhere.
    defines: bool,
}

impl Search<'_> {
    fn pipeline(&mut self, pipeline: &ast::Pipeline, depth: usize) {
        for command in &pipeline.seq {
            match command {
                ast::Command::Simple(simple) => self.simple(simple),
                ast::Command::Compound(compound, _) if depth < DEEPEST => self.compound(compound, depth + 1),
                ast::Command::Compound(..) | ast::Command::ExtendedTest(..) => {}
                ast::Command::Function(_) => self.defines = true,
            }
        }
    }

    fn simple(&mut self, simple: &ast::SimpleCommand) {
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            if let ast::CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) = item {
                let (start, end) = self.source.range(&assignment.loc);
                self.assignments.push(self.source.span(start, end));
            }
        }
    }

    fn list(&mut self, list: &ast::CompoundList, depth: usize) {
        for item in &list.0 {
            self.pipeline(&item.0.first, depth);
            for next in &item.0.additional {
                let (ast::AndOr::And(pipeline) | ast::AndOr::Or(pipeline)) = next;
                self.pipeline(pipeline, depth);
            }
        }
    }

    fn compound(&mut self, command: &ast::CompoundCommand, depth: usize) {
        use ast::CompoundCommand as Compound;
        match command {
            Compound::Arithmetic(_) => {}
            Compound::ArithmeticForClause(clause) => self.list(&clause.body.list, depth),
            Compound::BraceGroup(group) => self.list(&group.list, depth),
            Compound::Subshell(subshell) => self.list(&subshell.list, depth),
            Compound::ForClause(clause) => self.list(&clause.body.list, depth),
            Compound::CaseClause(clause) => {
                clause
                    .cases
                    .iter()
                    .filter_map(|case| case.cmd.as_ref())
                    .for_each(|list| self.list(list, depth));
            }
            Compound::IfClause(clause) => {
                self.list(&clause.condition, depth);
                self.list(&clause.then, depth);
                for other in clause.elses.iter().flatten() {
                    other.condition.iter().for_each(|list| self.list(list, depth));
                    self.list(&other.body, depth);
                }
            }
            Compound::WhileClause(clause) | Compound::UntilClause(clause) => {
                self.list(&clause.0, depth);
                self.list(&clause.1.list, depth);
            }
            Compound::Coprocess(_) => self.defines = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_falls_into_its_pipelines() {
        for (text, expected) in [
            ("a | b; c", vec!["a | b;", " c"]),
            ("a && b || c | d", vec!["a &&", " b ||", " c | d"]),
            ("a\nb & c", vec!["a\n", "b &", " c"]),
            ("for x in 1; do a; b; done | c; d", vec!["for x in 1; do a; b; done | c;", " d"]),
            ("f() { a; }; f b", vec!["f() { a; }; f b"]),
            ("a <<E && b\nx\nE\nc", vec!["a <<E && b\nx\nE\n", "c"]),
            ("echo 'a; b' ; c", vec!["echo 'a; b' ;", " c"]),
            ("a; 2>/dev/null X=1 b", vec!["a;", " 2>/dev/null X=1 b"]),
            ("'", vec!["'"]),
            ("", vec![""]),
        ] {
            let found = flows(text);
            let texts: Vec<&str> = found.iter().filter_map(|flow| flow.span.of(text)).collect();
            assert_eq!(texts, expected, "{text}");
        }
    }

    #[test]
    fn assignments_are_found_where_they_stand() {
        let text = "A=1 b; if X=2 c; then D=3; fi; echo Y=4";
        let found: Vec<&str> = flows(text)
            .iter()
            .flat_map(|flow| flow.assignments.clone())
            .filter_map(|span| span.of(text))
            .collect();
        assert_eq!(found, ["A=1", "X=2", "D=3"]);
    }
}
