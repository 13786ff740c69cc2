//! Finds forced deletes in the parsed text: `rm` with both options, in nested shells of any depth.
//!
//! *Open* means that the text leaves it undecided: the options belong to a command of unknown name, a wildcard could
//! expand to them, a script can't be determined, or the text is too deep or too large.

use super::command::{Argument, Flags, ParsedCommand, Resolved, commands, resolve};
use super::runner::{self, DEEPEST};
use super::tree::Tree;
use super::word;

/// The result of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scanned {
    /// Whether a forced delete was found.
    pub found: bool,
    /// Whether it is undecided. Never together with `found`.
    pub open: bool,
}

const FOUND: Scanned = Scanned { found: true, open: false };
const OPEN: Scanned = Scanned { found: false, open: true };

/// Most nodes visited for one text and all texts nested in it.
const WORK: usize = 400_000;

/// Scans a text.
#[must_use]
pub fn scan(text: &str) -> Scanned {
    let mut work = WORK;
    // Upstream passes text that isn't Unicode, for which it has no tree. Ours is Unicode, so a missing tree means too
    // large.
    Tree::parse(text).map_or(OPEN, |tree| program(&tree, 0, &mut work))
}

fn program(tree: &Tree, depth: usize, work: &mut usize) -> Scanned {
    let Some(left) = work.checked_sub(tree.size()) else { return OPEN };
    *work = left;
    let mut open = false;
    for command in commands(tree) {
        let resolved = resolve(tree, &command);
        if resolved.deletes_by_force() {
            if resolved.is("rm") {
                return FOUND;
            }
            open |= resolved.basename.is_none() || tree.at(command.node).broken;
        } else if resolved.is("rm") && may_delete_by_force(tree, &resolved) {
            open = true;
        }
        let inner = inside(tree, &command, &resolved, depth, work);
        if inner.found {
            return FOUND;
        }
        open |= inner.open;
    }
    Scanned { found: false, open }
}

/// Shell text that the command itself runs.
fn inside(
    tree: &Tree,
    command: &ParsedCommand,
    resolved: &Resolved,
    depth: usize,
    work: &mut usize,
) -> Scanned {
    let source = runner::source(tree, command, resolved);
    if let Some(text) = source.text.as_deref().filter(|_| source.there) {
        if depth >= DEEPEST {
            return OPEN;
        }
        let inner = Tree::parse(text).map_or(OPEN, |inner| program(&inner, depth + 1, work));
        if inner.found || inner.open {
            return inner;
        }
    }
    let takes_text = runner::is_shell(resolved)
        || matches!(resolved.basename.as_deref(), Some("eval" | "builtin" | "command"));
    if source.unsure || (takes_text && tree.at(command.node).broken) { OPEN } else { Scanned::default() }
}

/// Whether wildcards and braces in the arguments could expand to the options.
fn may_delete_by_force(tree: &Tree, command: &Resolved) -> bool {
    let mut flags = Flags::literal(&command.arguments);
    for argument in command.arguments.iter().take_while(|argument| !argument.is("--")) {
        if argument.open
            && let Some(literal) = argument.literal.as_deref()
        {
            flags = flags.or(possible(tree, argument, literal));
        }
    }
    flags.both()
}

fn possible(tree: &Tree, argument: &Argument, literal: &str) -> Flags {
    let source = tree.text(argument.word);
    let expands = word::expands(source);
    let braces = leading_braces(literal, 0);
    let starts = literal.starts_with('-')
        || (expands.paths && may_start_with_dash(source))
        || (expands.braces && braces.is_some());
    if expands.paths && starts {
        by_wildcard(literal)
    } else if literal.starts_with('-') {
        Flags::letters(literal)
    } else if expands.braces {
        braces.unwrap_or_default()
    } else {
        Flags::default()
    }
}

/// Whether a word with wildcards could expand to a text with a leading dash.
fn may_start_with_dash(source: &str) -> bool {
    let mut quote = None;
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => return c == '-',
            (None, '\\') if chars.peek().is_some() => return chars.peek() == Some(&'-'),
            (None, '\'' | '"') => quote = Some(c),
            (None, c) => return matches!(c, '-' | '*' | '?' | '['),
        }
    }
    false
}

/// Which spellings of the options a wildcard matches.
fn by_wildcard(pattern: &str) -> Flags {
    if pattern.starts_with('-') || pattern.contains("[^") || pattern.contains("[[:") {
        return Flags::BOTH;
    }
    ["-r", "-R", "-f", "-rf", "-fr", "-Rf", "-fR", "--recursive", "--force"]
        .into_iter()
        .filter(|option| fits(option, pattern))
        .map(|option| match option {
            "--recursive" => Flags::letters("r"),
            "--force" => Flags::letters("f"),
            option => Flags::letters(option),
        })
        .fold(Flags::default(), Flags::or)
}

/// Matches `*`, `?` and `[…]` against a whole text.
fn fits(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    // `reached[i]`: the pattern so far matches the first `i` characters.
    let mut reached = vec![false; text.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    let mut at = 0;
    while let Some(c) = pattern.get(at).copied() {
        at += 1;
        if c == '*' {
            let mut any = false;
            for here in &mut reached {
                any |= *here;
                *here = any;
            }
            continue;
        }
        let class = if c == '[' { class(&pattern, at) } else { None };
        let one = |c_text: char| match &class {
            Some((set, negated, _)) => {
                set.iter().any(|(from, to)| (*from..=*to).contains(&c_text)) != *negated
            }
            None => c == '?' || c == c_text,
        };
        if let Some((_, _, end)) = class {
            at = end;
        }
        let mut next = vec![false; text.len() + 1];
        for ((here, c_text), slot) in reached.iter().zip(&text).zip(next.iter_mut().skip(1)) {
            *slot = *here && one(*c_text);
        }
        reached = next;
    }
    reached.last().copied().unwrap_or(false)
}

/// Ranges of a class, whether it is negated, and its end; `None` for an unclosed bracket.
type Class = (Vec<(char, char)>, bool, usize);

fn class(pattern: &[char], from: usize) -> Option<Class> {
    let negated = pattern.get(from) == Some(&'!');
    let from = from + usize::from(negated);
    let end = (from + 1..pattern.len()).find(|at| pattern.get(*at) == Some(&']'))?;
    let inner = pattern.get(from..end)?;
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(low) = inner.get(at).copied() {
        match (inner.get(at + 1), inner.get(at + 2)) {
            (Some('-'), Some(high)) => {
                ranges.push((low, *high));
                at += 3;
            }
            _ => {
                ranges.push((low, low));
                at += 1;
            }
        }
    }
    Some((ranges, negated, end + 1))
}

/// The options that a leading `{…}` could expand to; `None` if it can't expand to an option.
fn leading_braces(literal: &str, depth: usize) -> Option<Flags> {
    let rest = literal.strip_prefix('{')?;
    if depth >= DEEPEST {
        return literal.contains('-').then(|| Flags::letters(literal));
    }
    let mut open = 0_usize;
    let end = rest.char_indices().find_map(|(at, c)| match c {
        '{' => {
            open += 1;
            None
        }
        '}' if open == 0 => Some(at),
        '}' => {
            open -= 1;
            None
        }
        _ => None,
    })?;
    let (alternatives, suffix) = (rest.get(..end)?, rest.get(end + 1..)?);
    let mut found: Option<Flags> = None;
    for alternative in top_level(alternatives) {
        let candidate = format!("{alternative}{suffix}");
        let flags = if candidate.starts_with('-') {
            Some(Flags::letters(&candidate))
        } else {
            leading_braces(&candidate, depth + 1)
        };
        if let Some(flags) = flags {
            found = Some(found.unwrap_or_default().or(flags));
        }
    }
    found
}

/// Splits at commas outside inner braces.
fn top_level(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut open, mut start) = (0_i64, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' => open += 1,
            '}' => open -= 1,
            ',' if open == 0 => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delete_by_force_is_found_and_what_could_be_one_stays_open() {
        let none = Scanned::default();
        for (text, expected) in [
            ("rm -rf /", FOUND),
            ("'rm' -rf / oops(", FOUND),
            ("a; b && /bin/r\\m -r --force x", FOUND),
            ("eval 'rm -rf x'", FOUND),
            ("bash <<< 'rm -rf x'", FOUND),
            ("$x -rf /", OPEN),
            ("foo -rf / \"unclosed", OPEN),
            ("bash -c \"", OPEN),
            ("rm -r -{f,v} x", FOUND),
            ("rm -r {-f,-v} x", OPEN),
            ("rm -r -* x", OPEN),
            ("rm -r ?f x", OPEN),
            ("rm -r [-]f x", OPEN),
            ("rm -r x* y", none),
            ("rm -r {a,f} x", none),
            ("rm -r \"$x\" /", none),
            ("echo \"unclosed", none),
            ("rm -- -rf", none),
            ("", none),
        ] {
            assert_eq!(scan(text), expected, "{text}");
        }
    }

    #[test]
    fn depth_and_size_end_in_open_not_in_low() {
        let mut deep = "ls".to_owned();
        for _ in 0..9 {
            deep = format!("bash -c '{}'", deep.replace('\'', "'\\''"));
        }
        assert_eq!(scan(&deep), OPEN);
        assert_eq!(scan(&"a;".repeat(100_000)), OPEN);
    }

    #[test]
    fn globs_fit_as_the_shell_fits_them() {
        for (text, pattern, expected) in [
            ("-rf", "?rf", true),
            ("-rf", "*", true),
            ("-rf", "[a-]rf", true),
            ("-rf", "[!a]?f", true),
            ("-rf", "[x]rf", false),
            ("-rf", "[rf", false),
            ("--force", "*e", true),
            ("-r", "?", false),
        ] {
            assert_eq!(fits(text, pattern), expected, "{pattern}");
        }
    }
}
