//! A page of `docs/` as a terminal shows it: headings bold, code indented, tables in columns or one row below the
//! other.

use std::fmt::Write as _;

/// Wider rows than this stand as a title with their last cell below it.
const WIDEST: usize = 110;

/// The page without its Markdown.
pub(super) fn rendered(page: &str) -> String {
    let mut text = String::new();
    let mut code = false;
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            code = !code;
        } else if code {
            let _ = writeln!(text, "    {line}");
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(next) = lines.next_if(|next| next.starts_with('|')) {
                rows.push(cells(next));
            }
            table(&mut text, &rows);
        } else if let Some(title) = line.strip_prefix('#') {
            let _ = writeln!(text, "\u{1b}[1m{}\u{1b}[0m", title.trim_start_matches('#').trim());
        } else {
            let _ = writeln!(text, "{}", spoken(line));
        }
    }
    text
}

fn cells(line: &str) -> Vec<String> {
    line.trim_matches('|').split(" | ").map(|cell| spoken(cell.trim())).collect()
}

fn table(text: &mut String, rows: &[Vec<String>]) {
    let is_rule =
        |row: &&Vec<String>| row.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | '|' | ':')));
    let rows: Vec<&Vec<String>> = rows.iter().filter(|row| !is_rule(row)).collect();
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|at| rows.iter().filter_map(|row| Some(row.get(at)?.chars().count())).max().unwrap_or_default())
        .collect();
    let across = |columns: usize| widths.iter().take(columns).sum::<usize>() + 2 * columns <= WIDEST;
    let narrow = across(columns);
    let in_columns = narrow || across(columns.saturating_sub(1));
    for (at, row) in rows.iter().enumerate() {
        let (on, off) = if at == 0 { ("\u{1b}[1m", "\u{1b}[0m") } else { ("", "") };
        let last = row.len().saturating_sub(1);
        let side_by_side = if narrow { row.len() } else { last };
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths).take(side_by_side) {
            let _ = write!(line, "  {cell:<width$}", width = if in_columns { *width } else { 0 });
        }
        let _ = writeln!(text, "{on}{}{off}", line.trim_end());
        if let Some(cell) = row.get(side_by_side) {
            let _ = writeln!(text, "{on}      {cell}{off}");
        }
    }
}

/// Bold words as a terminal has them, and links as what they are called, with the address where it isn't a page here.
fn spoken(line: &str) -> String {
    let mut bold = false;
    let mut text = String::new();
    for (at, part) in line.split("**").enumerate() {
        if at > 0 {
            bold = !bold;
            text.push_str(if bold { "\u{1b}[1m" } else { "\u{1b}[0m" });
        }
        text.push_str(&unlinked(part));
    }
    text
}

fn unlinked(text: &str) -> String {
    let link = || {
        let middle = text.find("](")?;
        let start = text.get(..middle)?.rfind('[')?;
        let end = middle + text.get(middle..)?.find(')')?;
        let (name, target) = (text.get(start + 1..middle)?, text.get(middle + 2..end)?);
        let shown = if target.ends_with(".md") && !name.ends_with(".md") {
            format!("{name} (docs/{target})")
        } else if name.ends_with(".md") {
            format!("docs/{name}")
        } else {
            format!("{name} ({target})")
        };
        Some(format!("{}{shown}{}", text.get(..start)?, unlinked(text.get(end + 1..)?)))
    };
    link().unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_reads_well_without_its_marks() {
        let page = "# Title\n\nSee [flows.md](flows.md), [Cedar](https://c.example) and **this**.\n\n\
                    ```toml\n# a comment\n[x]\n```\n\n| key | what |\n|---|---|\n| `a` | one |\n| `bcd` | two |\n";
        assert_eq!(
            rendered(page),
            "\u{1b}[1mTitle\u{1b}[0m\n\nSee docs/flows.md, Cedar (https://c.example) and \u{1b}[1mthis\u{1b}[0m.\n\n    \
             # a comment\n    [x]\n\n\u{1b}[1m  key    what\u{1b}[0m\n  `a`    one\n  `bcd`  two\n"
        );
    }

    #[test]
    fn a_wide_table_has_its_last_cell_below() {
        let page =
            format!("| key | shape | what |\n|---|---|---|\n| `a` | text | {} |\n", "long ".repeat(40));
        let text = rendered(&page);
        assert!(text.contains("  `a`  text\n      long long"), "{text}");
    }
}
