//! Redirections of a command: the source of its input, and whether its output still reaches the pipe.

use std::collections::BTreeMap;

use super::command::{ParsedCommand, is_decimal};
use super::tree::{Id, Tree};
use super::word;

/// A text that is passed to a command, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Source {
    /// Whether there is a text.
    pub(super) there: bool,
    /// The text, if known.
    pub(super) text: Option<String>,
    /// Whether presence or target of the redirection is unknown.
    pub(super) unsure: bool,
}

impl Source {
    pub(super) const NONE: Self = Self { there: false, text: None, unsure: false };
    pub(super) const UNSURE: Self = Self { there: true, text: None, unsure: true };

    pub(super) const fn known(text: String) -> Self {
        Self { there: true, text: Some(text), unsure: false }
    }
}

/// A redirection with the descriptor that it sets.
#[derive(Debug, Clone)]
pub(super) struct Redirect {
    pub(super) node: Id,
    pub(super) descriptor: String,
}

fn is_redirect(tree: &Tree, id: Id) -> bool {
    tree.kind(id).contains("redirect")
}

/// A redirection and those nested in it.
fn nested(tree: &Tree, redirect: Id) -> Vec<Id> {
    let mut found = Vec::new();
    let mut left = vec![redirect];
    while let Some(id) = left.pop() {
        found.push(id);
        let inner =
            tree.named(id).filter(|child| tree.at(*child).field == Some("redirect")).collect::<Vec<_>>();
        left.extend(inner.into_iter().rev());
    }
    found
}

/// Arguments of the command that the parser placed after a redirection.
pub(super) fn arguments_behind(tree: &Tree, command: Id) -> Vec<Id> {
    let mut outer = Vec::new();
    let mut container = command;
    while let Some(parent) = tree.at(container).parent
        && tree.kind(parent) == "redirected_statement"
    {
        outer.extend(tree.named(parent).filter(|child| is_redirect(tree, *child)));
        container = parent;
    }
    let all: Vec<Id> = outer.iter().flat_map(|redirect| nested(tree, *redirect)).collect();
    let starts: std::collections::HashSet<usize> = all.iter().map(|id| tree.at(*id).start).collect();
    let mut found = Vec::new();
    for redirect in all {
        let mut destinations = 0;
        for child in tree.named(redirect) {
            match tree.at(child).field {
                Some("argument") => found.push(child),
                Some("destination") => {
                    let descriptor = is_decimal(tree.text(child)) && starts.contains(&tree.at(child).end);
                    if destinations > 0 && !descriptor {
                        found.push(child);
                    }
                    destinations += 1;
                }
                _ => {}
            }
        }
    }
    found
}

/// The redirections that apply to a command, in order of the text; up to `enclosing`, if given.
pub(super) fn of(tree: &Tree, command: &ParsedCommand, enclosing: Option<Id>) -> Vec<Redirect> {
    let mut found = Vec::new();
    let mut container = command.node;
    let mut reached = enclosing.is_none();
    loop {
        for child in tree.named(container) {
            if is_redirect(tree, child) && tree.kind(child) != "redirected_statement" {
                add(tree, command, child, None, &mut found);
            }
        }
        reached |= Some(container) == enclosing;
        let Some(parent) = tree.at(container).parent else { break };
        let last_of_pipeline =
            || tree.kind(parent) == "pipeline" && tree.named(parent).next_back() == Some(container);
        if reached && tree.kind(parent) != "redirected_statement" && !last_of_pipeline() {
            break;
        }
        container = parent;
    }
    if let Some(parent) = tree.at(command.node).parent
        && tree.kind(parent) == "ERROR"
        && let Some(sibling) = tree.behind(parent)
        && let Some(descriptor) = trailing_descriptor(tree, command, parent, sibling)
    {
        for child in tree.named(parent).filter(|child| is_redirect(tree, *child)) {
            add(tree, command, child, None, &mut found);
        }
        for child in tree.named(sibling).filter(|child| is_redirect(tree, *child)) {
            add(tree, command, child, Some(&descriptor), &mut found);
        }
    }
    found.sort_by_key(|redirect| tree.at(redirect.node).start);
    found
}

fn add(tree: &Tree, command: &ParsedCommand, redirect: Id, first: Option<&str>, found: &mut Vec<Redirect>) {
    for (at, node) in nested(tree, redirect).into_iter().enumerate() {
        let descriptor = match first {
            Some(first) if at == 0 => first.to_owned(),
            _ => descriptor(tree, command, node),
        };
        found.push(Redirect { node, descriptor });
    }
}

/// A descriptor that the parser left in unparsable text just before a redirection.
fn trailing_descriptor(tree: &Tree, command: &ParsedCommand, parent: Id, sibling: Id) -> Option<String> {
    if tree.at(sibling).start != tree.at(parent).end {
        return None;
    }
    let rest = tree.between(tree.at(command.node).end, tree.at(parent).end);
    rest.split_ascii_whitespace().next_back().filter(|last| is_decimal(last)).map(str::to_owned)
}

fn descriptor(tree: &Tree, command: &ParsedCommand, redirect: Id) -> String {
    let text = tree.text(redirect).trim_start();
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if behind.len() < text.len() {
        return text.get(..text.len() - behind.len()).unwrap_or_default().to_owned();
    }
    let start = tree.at(redirect).start;
    if let Some(before) = tree.before(redirect).filter(|before| tree.at(*before).end == start)
        && let Some(last) = tree.text(before).split_ascii_whitespace().next_back()
        && is_decimal(last)
    {
        return last.to_owned();
    }
    for word in &command.words {
        if tree.at(*word).end == start && is_decimal(tree.text(*word)) {
            return tree.text(*word).to_owned();
        }
    }
    if behind.starts_with('<') { "0" } else { "1" }.to_owned()
}

/// `01` is descriptor 1.
fn plain(descriptor: &str) -> String {
    if !is_decimal(descriptor) {
        return descriptor.to_owned();
    }
    match descriptor.trim_start_matches('0') {
        "" => "0".to_owned(),
        rest => rest.to_owned(),
    }
}

/// Whether an argument is the descriptor of the redirection after it.
pub(super) fn is_descriptor(tree: &Tree, literal: &str, word: Id, redirects: &[Redirect]) -> bool {
    redirects.iter().filter(|redirect| plain(literal) == plain(&redirect.descriptor)).any(|redirect| {
        let (end, start) = (tree.at(word).end, tree.at(redirect.node).start);
        end == start
            || tree.before(redirect.node).is_some_and(|before| {
                tree.kind(before) == "ERROR"
                    && tree.text(before) == "<<"
                    && end == tree.at(before).start
                    && tree.at(before).end == start
            })
    })
}

/// Whether standard output still goes to the command's pipe; `None` if undecided.
pub(super) fn reaches_pipe(tree: &Tree, command: &ParsedCommand, enclosing: Option<Id>) -> Option<bool> {
    let mut pipes: BTreeMap<String, Option<bool>> =
        [("1".to_owned(), Some(true)), ("2".to_owned(), Some(false))].into();
    let stands = |pipes: &BTreeMap<String, Option<bool>>, descriptor: &str| {
        pipes.get(descriptor).copied().unwrap_or(Some(false))
    };
    for redirect in of(tree, command, enclosing) {
        let target = plain(&redirect.descriptor);
        let text = tree.text(redirect.node).trim_start_matches(|c: char| c.is_ascii_digit());
        let destination = destination(tree, redirect.node);
        let named = destination.as_deref().and_then(device);
        let goes = match (&named, &destination) {
            (Some(named), _) => stands(&pipes, named),
            (None, None) => None,
            (None, Some(_)) => Some(false),
        };
        if text.starts_with("&>") {
            pipes.insert("1".to_owned(), goes);
            pipes.insert("2".to_owned(), goes);
        } else if text.starts_with(">&") || text.starts_with("<&") {
            let goes = match destination.as_deref() {
                Some("-") => Some(false),
                Some(from) if is_decimal(from) => stands(&pipes, &plain(from)),
                _ => None,
            };
            pipes.insert(target, goes);
        } else {
            pipes.insert(target, goes);
        }
    }
    stands(&pipes, "1")
}

/// The command's standard input: a here-document, a here-string, or the given earlier input.
pub(super) fn standard_input(
    tree: &Tree,
    command: &ParsedCommand,
    before: &Source,
    enclosing: Option<Id>,
) -> Source {
    let mut sources: BTreeMap<String, Source> = BTreeMap::new();
    if before.there {
        sources.insert("0".to_owned(), before.clone());
    }
    for redirect in of(tree, command, enclosing) {
        let target = plain(&redirect.descriptor);
        let text = tree.text(redirect.node).trim_start_matches(|c: char| c.is_ascii_digit());
        let destination = destination(tree, redirect.node);
        let aliased = destination.as_deref().and_then(device).and_then(|alias| sources.get(&alias).cloned());
        let unknown_matters = destination.is_none() && (target == "0" || !sources.is_empty());
        if text.starts_with("<&") || text.starts_with(">&") {
            let copied = match destination.as_deref() {
                Some("-") => None,
                Some(from) if is_decimal(from) => sources.get(&plain(from)).cloned(),
                _ if target == "0" || !sources.is_empty() => Some(Source::UNSURE),
                _ => continue,
            };
            set(&mut sources, target, copied);
        } else if text.starts_with("&>") {
            let copied =
                aliased.or_else(|| (destination.is_none() && !sources.is_empty()).then_some(Source::UNSURE));
            set(&mut sources, "1".to_owned(), copied.clone());
            set(&mut sources, "2".to_owned(), copied);
        } else if is_here_string(tree, redirect.node, text) {
            sources.insert(target, here_string(tree, redirect.node));
        } else if tree.kind(redirect.node) == "heredoc_redirect" {
            sources.insert(target, here_document(tree, redirect.node));
        } else {
            set(&mut sources, target, aliased.or_else(|| unknown_matters.then_some(Source::UNSURE)));
        }
    }
    sources.remove("0").unwrap_or(Source::NONE)
}

fn set(sources: &mut BTreeMap<String, Source>, descriptor: String, source: Option<Source>) {
    match source {
        Some(source) => sources.insert(descriptor, source),
        None => sources.remove(&descriptor),
    };
}

fn destination(tree: &Tree, redirect: Id) -> Option<String> {
    let child = tree.named(redirect).find(|child| tree.at(*child).field == Some("destination"))?;
    word::literal(tree, child)
}

/// The descriptor that a path such as `/dev/fd/1` names.
fn device(path: &str) -> Option<String> {
    match path {
        "/dev/stdin" => return Some("0".to_owned()),
        "/dev/stdout" => return Some("1".to_owned()),
        "/dev/stderr" => return Some("2".to_owned()),
        _ => {}
    }
    let number = path.strip_prefix("/dev/fd/").or_else(|| path.strip_prefix("/proc/self/fd/"))?;
    is_decimal(number).then(|| plain(number))
}

fn is_here_string(tree: &Tree, redirect: Id, text: &str) -> bool {
    tree.kind(redirect) == "herestring_redirect"
        || text.starts_with("<<<")
        || (text.starts_with('<')
            && tree.before(redirect).is_some_and(|before| {
                tree.kind(before) == "ERROR"
                    && tree.at(before).end == tree.at(redirect).start
                    && tree.text(before) == "<<"
            }))
}

fn here_string(tree: &Tree, redirect: Id) -> Source {
    let value = tree.named(redirect).find(|child| {
        !matches!(tree.kind(*child), "file_descriptor" | "ERROR") && !is_redirect(tree, *child)
    });
    match value.and_then(|value| word::literal(tree, value)) {
        Some(text) => Source::known(text),
        None => Source::UNSURE,
    }
}

/// The text of a here-document; unknown if the shell would expand something in it.
fn here_document(tree: &Tree, redirect: Id) -> Source {
    let part = |kind: &str| tree.named(redirect).find(|child| tree.kind(*child) == kind);
    let (Some(start), Some(body), Some(end)) =
        (part("heredoc_start"), part("heredoc_body"), part("heredoc_end"))
    else {
        return Source::UNSURE;
    };
    let text = tree.text(body);
    let quoted = tree.text(start) != tree.text(end);
    if !quoted && (tree.named(body).next().is_some() || text.contains('\\')) {
        return Source::UNSURE;
    }
    Source::known(text.to_owned())
}

/// Whether a redirection contains its own text.
pub(super) fn is_inline(tree: &Tree, redirect: Id) -> bool {
    let mut left = vec![redirect];
    while let Some(id) = left.pop() {
        let text = tree.text(id).trim_start_matches(|c: char| c.is_ascii_digit());
        if matches!(tree.kind(id), "heredoc_redirect" | "herestring_redirect") || text.starts_with("<<<") {
            return true;
        }
        left.extend(tree.named(id).filter(|child| is_redirect(tree, *child)));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compat::command::commands;

    #[test]
    fn output_is_followed_through_redirects() {
        for (source, reaches) in [
            ("a", Some(true)),
            ("a >x", Some(false)),
            ("a 2>&1", Some(true)),
            ("a 2>&1 >x", Some(false)),
            ("a >/dev/stdout", Some(true)),
            ("a >/dev/stderr", Some(false)),
            ("a 3>&1 >x >&3", Some(true)),
            ("a >&-", None),
            ("a &>x", Some(false)),
            ("a >$x", None),
            ("a 2>x", Some(true)),
        ] {
            let tree = Tree::parse(source).unwrap();
            assert_eq!(reaches_pipe(&tree, &commands(&tree)[0], None), reaches, "{source}");
        }
    }

    #[test]
    fn input_is_what_the_last_redirect_gives() {
        for (source, expected) in [
            ("sh", Source::NONE),
            ("sh <<< 'rm -rf /'", Source::known("rm -rf /".into())),
            ("sh <<< \"$x\"", Source::UNSURE),
            ("sh <<'E'\necho $x\nE\n", Source::known("echo $x\n".into())),
            ("sh <<E\necho $x\nE\n", Source::UNSURE),
            ("sh <<< a </dev/null", Source::NONE),
            ("sh 3<<< a <&3", Source::known("a".into())),
            ("sh <&-", Source::UNSURE),
        ] {
            let tree = Tree::parse(source).unwrap();
            let got = standard_input(&tree, &commands(&tree)[0], &Source::NONE, None);
            assert_eq!(got, expected, "{source}");
        }
    }
}
