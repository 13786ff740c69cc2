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
///
/// Marks that don't overlap share a row; what they say hangs below them, the rightmost beside its mark.
#[must_use]
pub fn explain(command: &str, labels: &[Label], colour: bool) -> String {
    let mut out = String::new();
    let mut start = 0;
    let (marks, more) = marks(labels);
    let mut rest = marks.into_iter().peekable();
    let lines: Vec<&str> = command.split('\n').collect();
    let margin = Margin { width: lines.len().to_string().len(), colour };
    for (number, line) in lines.iter().enumerate() {
        let end = start + line.len();
        margin.put(&mut out, &(number + 1).to_string(), &visible(line));
        let here = std::iter::from_fn(|| rest.next_if(|mark| mark.from <= end));
        let mut todo: Vec<Drawn> = here.map(|mark| Drawn::on(line, start, mark)).collect();
        while !todo.is_empty() {
            let (row, other) = apart(todo);
            todo = other;
            hang(&mut out, &margin, &row);
        }
        start = end + 1;
    }
    if more > 0 {
        margin.put(&mut out, "", &format!("… and {more} more"));
    }
    out
}

/// Marks in one drawing; the less severe ones beyond are only counted.
const MOST_MARKS: usize = 48;

/// All that is said of one part of the text.
struct Mark {
    from: usize,
    to: usize,
    texts: Vec<String>,
    severity: Severity,
}

/// Labels of the same part together, in the order of the text, and how many were left out.
fn marks(labels: &[Label]) -> (Vec<Mark>, usize) {
    let mut sorted: Vec<&Label> = labels.iter().collect();
    sorted.sort_by_key(|label| (label.span.start, label.span.end, std::cmp::Reverse(label.severity)));
    let mut out: Vec<Mark> = Vec::new();
    for label in sorted {
        let at = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
        let (from, to) = (at(label.span.start), at(label.span.end));
        match out.last_mut().filter(|mark| (mark.from, mark.to) == (from, to)) {
            Some(mark) if mark.texts.contains(&label.text) => {}
            Some(mark) => mark.texts.push(label.text.clone()),
            None => out.push(Mark { from, to, texts: vec![label.text.clone()], severity: label.severity }),
        }
    }
    let more = out.len().saturating_sub(MOST_MARKS);
    if more > 0 {
        out.sort_by_key(|mark| std::cmp::Reverse(mark.severity));
        out.truncate(MOST_MARKS);
        out.sort_by_key(|mark| (mark.from, mark.to));
    }
    (out, more)
}

/// A mark in columns of the drawn line.
struct Drawn {
    from: usize,
    to: usize,
    texts: Vec<String>,
    severity: Severity,
}

impl Drawn {
    /// The part of a mark that lies on a line which starts at byte `start`.
    fn on(line: &str, start: usize, mark: Mark) -> Self {
        let within = |at: usize| {
            let mut at = at.saturating_sub(start).min(line.len());
            while !line.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (from, to) = (within(mark.from), within(mark.to.max(mark.from)));
        let before = columns(line.get(..from).unwrap_or_default());
        let marked = columns(line.get(from..to).unwrap_or_default()).max(1);
        Self { from: before, to: before + marked, texts: mark.texts, severity: mark.severity }
    }
}

/// The marks that fit into one row, and the others.
fn apart(marks: Vec<Drawn>) -> (Vec<Drawn>, Vec<Drawn>) {
    let (mut row, mut other): (Vec<Drawn>, Vec<Drawn>) = (Vec::new(), Vec::new());
    for mark in marks {
        match row.last() {
            Some(last) if mark.from < last.to + 1 => other.push(mark),
            _ => row.push(mark),
        }
    }
    (row, other)
}

/// Draws a row of marks and, from right to left, what they say.
fn hang(out: &mut String, margin: &Margin, row: &[Drawn]) {
    let Some((last, _)) = row.split_last() else { return };
    let mut line = Painted::new(margin.colour);
    for mark in row {
        let sign = if mark.severity >= Severity::High { "^" } else { "-" };
        line.at(mark.from, &sign.repeat(mark.to - mark.from), mark.severity);
    }
    if let Some(first) = last.texts.first() {
        line.at(last.to + 1, first, last.severity);
    }
    margin.put(out, "", &line.text);
    for (at, mark) in row.iter().enumerate().rev() {
        let inline = usize::from(at + 1 == row.len());
        let left = row.get(..at).unwrap_or_default();
        if inline == 0 {
            let mut bars = Painted::new(margin.colour);
            left.iter().chain([mark]).for_each(|mark| bars.at(mark.from, "|", mark.severity));
            margin.put(out, "", &bars.text);
        }
        for text in mark.texts.iter().skip(inline) {
            let mut line = Painted::new(margin.colour);
            left.iter().for_each(|mark| line.at(mark.from, "|", mark.severity));
            line.at(mark.from, text, mark.severity);
            margin.put(out, "", &line.text);
        }
    }
}

/// What stands left of every line.
struct Margin {
    width: usize,
    colour: bool,
}

impl Margin {
    fn put(&self, out: &mut String, number: &str, text: &str) {
        let width = self.width;
        out.push_str(&paint(&format!("{number:>width$} |"), Paint::Dim, self.colour));
        if !text.is_empty() {
            out.push(' ');
            out.push_str(text);
        }
        out.push('\n');
    }
}

/// A line being filled from left to right.
struct Painted {
    text: String,
    column: usize,
    colour: bool,
}

impl Painted {
    const fn new(colour: bool) -> Self {
        Self { text: String::new(), column: 0, colour }
    }

    fn at(&mut self, column: usize, text: &str, severity: Severity) {
        self.text.push_str(&" ".repeat(column.saturating_sub(self.column)));
        let text = visible(text);
        self.column = column.max(self.column) + text.chars().count();
        self.text.push_str(&paint(&text, Paint::of(severity), self.colour));
    }
}

/// Control and invisible characters by their code, so that a drawing can't be drawn over.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character == '\t' {
            out.push_str("    ");
        } else if character.is_control()
            || crate::guard::is_invisible(character)
            || doorward_core::text::is_unseen(character)
        {
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
            "1 | rm -rf build\n  |        ^^^^^ deletes build\n2 | curl x\n  |      - contacts x\n"
        );
        assert!(explain(command, &labels, true).contains("\u{1b}[1;31m^^^^^\u{1b}[0m"));
    }

    #[test]
    fn marks_of_one_line_share_a_row_and_hang() {
        let label = |from, to, text: &str, severity| Label {
            span: Span::new(from, to),
            text: text.to_owned(),
            severity,
        };
        let command = "curl -s x.example/i | sudo bash";
        let labels = [
            label(22, 31, "runs as root", Severity::High),
            label(22, 31, "code from the network", Severity::High),
            label(8, 19, "contacts x.example", Severity::Medium),
            label(0, 31, "one step up", Severity::High),
        ];
        let drawn = "\
1 | curl -s x.example/i | sudo bash
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ one step up
  |         -----------   ^^^^^^^^^ runs as root
  |         |             code from the network
  |         |
  |         contacts x.example
";
        assert_eq!(explain(command, &labels, false), drawn);
    }

    #[test]
    fn any_span_can_be_drawn() {
        let command = "é\n\tü x\n";
        for from in 0..=command.len() + 2 {
            for to in 0..=command.len() + 2 {
                let label =
                    Label { span: Span::new(from, to), text: "here".to_owned(), severity: Severity::High };
                let _ = explain(command, &[label.clone(), label], true);
            }
        }
    }

    #[test]
    fn a_drawing_cannot_be_drawn_over() {
        assert!(!explain("a\u{1b}[2Jb\u{202e}c", &[], true).contains("\u{1b}[2J"));
    }
}
