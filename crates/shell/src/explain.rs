//! A command with its effects under its words, drawn like a compiler's diagnostic.

use doorward_core::finding::Severity;
use doorward_core::intent::{Intent, Span, WriteMode};

/// Something to say about a part of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Which part.
    pub span: Span,
    /// What to say, one line.
    pub text: String,
    /// How much it matters.
    pub severity: Severity,
}

/// What an intent says about each part of its text, without the world's view of it.
#[must_use]
pub fn labels(intent: &Intent) -> Vec<Label> {
    let mut out = Vec::new();
    let mut put = |span: Span, text: String, severity: Severity| out.push(Label { span, text, severity });
    for read in &intent.reads {
        let verb = if read.metadata { "looks at" } else { "reads" };
        put(read.path.span, format!("{verb} {}", read.path.text), Severity::Low);
    }
    for write in &intent.writes {
        let verb = match write.mode {
            WriteMode::Create => "writes",
            WriteMode::Truncate => "empties",
            WriteMode::Append => "adds to",
            WriteMode::InPlace => "changes",
            WriteMode::Metadata => "changes the mode or times of",
        };
        put(write.path.span, format!("{verb} {}", write.path.text), Severity::Medium);
    }
    for delete in &intent.deletes {
        let all = if delete.recursive { " and all below" } else { "" };
        put(delete.path.span, format!("deletes {}{all}", delete.path.text), Severity::High);
    }
    for host in &intent.hosts {
        put(host.span, format!("contacts {}", host.host), Severity::Medium);
    }
    for privilege in &intent.privilege {
        put(privilege.span, privilege.detail.clone(), Severity::High);
    }
    for loss in &intent.history_loss {
        put(loss.span, loss.what.clone(), Severity::High);
    }
    for install in &intent.installs {
        put(install.span, format!("installs with {}", install.manager), Severity::Medium);
    }
    for unknown in &intent.unknown {
        put(unknown.span, format!("{} [{}]", unknown.reason, unknown.code), Severity::High);
    }
    for finding in &intent.findings {
        let span = finding.span.unwrap_or_default();
        put(span, format!("{} [{}]", finding.message, finding.code), finding.severity);
    }
    out.dedup();
    out
}

/// Draws `command` with `labels` under the words they speak of. `colour` adds ANSI colours.
#[must_use]
pub fn explain(command: &str, labels: &[Label], colour: bool) -> String {
    let mut out = String::new();
    let mut start = 0;
    let mut rest: Vec<&Label> = labels.iter().collect();
    rest.sort_by_key(|label| (label.span.start, std::cmp::Reverse(label.severity), label.span.end));
    let lines: Vec<&str> = command.split('\n').collect();
    let width = lines.len().to_string().len();
    for (number, line) in lines.iter().enumerate() {
        let end = start + line.len();
        out.push_str(&paint(&format!("{:>width$} | ", number + 1), Paint::Dim, colour));
        out.push_str(&visible(line));
        out.push('\n');
        let (here, later): (Vec<&Label>, Vec<&Label>) = rest.into_iter().partition(|label| {
            let at = usize::try_from(label.span.start).unwrap_or(usize::MAX);
            at <= end
        });
        rest = later;
        for label in here {
            let from = usize::try_from(label.span.start).unwrap_or(0).saturating_sub(start);
            let to = usize::try_from(label.span.end).unwrap_or(0).saturating_sub(start).min(line.len());
            let before = columns(line.get(..from.min(line.len())).unwrap_or_default());
            let marked =
                columns(line.get(from.min(line.len())..to.max(from.min(line.len()))).unwrap_or_default())
                    .max(1);
            let mark = format!("{} {}", "^".repeat(marked), label.text);
            out.push_str(&paint(&format!("{:>width$} | ", ""), Paint::Dim, colour));
            out.push_str(&" ".repeat(before));
            out.push_str(&paint(&visible(&mark), Paint::of(label.severity), colour));
            out.push('\n');
        }
        start = end + 1;
    }
    out
}

/// Control and invisible characters by their code, so that a drawing can't be drawn over.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character == '\t' {
            out.push_str("    ");
        } else if character.is_control() || crate::guard::is_invisible(character) {
            out.push_str(&format!("\\u{{{:x}}}", u32::from(character)));
        } else {
            out.push(character);
        }
    }
    out
}

fn columns(text: &str) -> usize {
    visible(text).chars().count()
}

#[derive(Clone, Copy)]
enum Paint {
    Dim,
    Low,
    Medium,
    High,
}

impl Paint {
    fn of(severity: Severity) -> Self {
        match severity {
            Severity::Low => Self::Low,
            Severity::Medium => Self::Medium,
            Severity::High | Severity::Critical => Self::High,
        }
    }
}

fn paint(text: &str, paint: Paint, colour: bool) -> String {
    if !colour {
        return text.to_owned();
    }
    let code = match paint {
        Paint::Dim => "2",
        Paint::Low => "36",
        Paint::Medium => "33",
        Paint::High => "1;31",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_under_their_words() {
        let command = "rm -rf build\ncurl x";
        let labels = [
            Label { span: Span::new(7, 12), text: "deletes build".to_owned(), severity: Severity::High },
            Label { span: Span::new(18, 19), text: "contacts x".to_owned(), severity: Severity::Medium },
        ];
        assert_eq!(
            explain(command, &labels, false),
            "1 | rm -rf build\n  |        ^^^^^ deletes build\n2 | curl x\n  |      ^ contacts x\n"
        );
        assert!(explain(command, &labels, true).contains("\u{1b}[1;31m^^^^^ deletes build\u{1b}[0m"));
    }

    #[test]
    fn a_drawing_cannot_be_drawn_over() {
        assert!(!explain("a\u{1b}[2Jb\u{202e}c", &[], true).contains("\u{1b}[2J"));
    }
}
