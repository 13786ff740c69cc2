//! Simple commands of a tree, with the facts determined by their text: base name and literal arguments.

use super::redirect;
use super::tree::{Id, Tree};
use super::word;

/// Children of a command node that aren't arguments.
const NO_ARGUMENT: &[&str] = words! {
    "command_name" "comment" "file_redirect" "heredoc_redirect" "herestring_redirect"
    "redirected_statement" "variable_assignment"
};

/// A simple command in the tree.
#[derive(Debug, Clone)]
pub(super) struct ParsedCommand {
    pub(super) node: Id,
    pub(super) name: Option<Id>,
    pub(super) words: Vec<Id>,
}

/// One argument.
#[derive(Debug, Clone)]
pub(super) struct Argument {
    pub(super) literal: Option<String>,
    pub(super) word: Id,
    /// Whether it can expand to zero or several words.
    pub(super) open: bool,
}

impl Argument {
    /// The literal, if it always stays one word.
    pub(super) fn fixed(&self) -> Option<&str> {
        self.literal.as_deref().filter(|_| !self.open)
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.literal.as_deref() == Some(text)
    }
}

/// A command with everything that its text determines.
#[derive(Debug, Clone)]
pub(super) struct Resolved {
    /// Base name of the program, if known.
    pub(super) basename: Option<String>,
    pub(super) arguments: Vec<Argument>,
    /// Whether it is unclear what runs.
    pub(super) unsure: bool,
    /// Whether the name could mean a shell builtin, because it has no slash.
    pub(super) may_be_builtin: bool,
    /// Whether the name could mean a reserved word, because it isn't quoted either.
    pub(super) may_be_keyword: bool,
}

impl Resolved {
    pub(super) fn is(&self, name: &str) -> bool {
        self.basename.as_deref() == Some(name)
    }

    pub(super) fn folded(&self) -> Option<String> {
        self.basename.as_deref().map(fold)
    }

    /// The same command with fewer arguments.
    pub(super) fn with(&self, arguments: Vec<Argument>) -> Self {
        Self { arguments, ..self.clone() }
    }

    /// Whether the literal options include both recursive and force.
    pub(super) fn deletes_by_force(&self) -> bool {
        Flags::literal(&self.arguments).both()
    }
}

/// Which of `rm`'s two dangerous options are set.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Flags {
    recursive: bool,
    force: bool,
}

impl Flags {
    pub(super) const BOTH: Self = Self { recursive: true, force: true };

    pub(super) const fn both(self) -> bool {
        self.recursive && self.force
    }

    /// From option letters.
    pub(super) fn letters(text: &str) -> Self {
        Self { recursive: text.contains(['r', 'R']), force: text.contains('f') }
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self { recursive: self.recursive || other.recursive, force: self.force || other.force }
    }

    /// From the literal options before `--`.
    pub(super) fn literal(arguments: &[Argument]) -> Self {
        let mut flags = Self::default();
        for text in arguments.iter().filter_map(|argument| argument.literal.as_deref()) {
            flags = match text {
                "--" => break,
                "--recursive" => flags.or(Self { recursive: true, force: false }),
                "--force" => flags.or(Self { recursive: false, force: true }),
                text if text.starts_with("--") => flags,
                text if text.starts_with('-') => flags.or(Self::letters(text)),
                _ => flags,
            };
        }
        flags
    }
}

/// Every simple command, in order of the text.
pub(super) fn commands(tree: &Tree) -> Vec<ParsedCommand> {
    tree.all("command").map(|node| view(tree, node)).collect()
}

fn view(tree: &Tree, node: Id) -> ParsedCommand {
    let mut name = None;
    let mut words = Vec::new();
    for child in tree.named(node) {
        let kind = tree.kind(child);
        if kind == "command_name" {
            name = Some(child);
        } else if name.is_some() && !NO_ARGUMENT.contains(&kind) && !kind.contains("redirect") {
            words.push(child);
        }
    }
    words.extend(redirect::arguments_behind(tree, node));
    words.sort_by_key(|word| tree.at(*word).start);
    ParsedCommand { node, name, words }
}

/// Resolves name and arguments.
pub(super) fn resolve(tree: &Tree, command: &ParsedCommand) -> Resolved {
    let (mut name, mut words) = (command.name, command.words.as_slice());
    // `2>/dev/null rm`: the parser took the descriptor for the name.
    if let (Some(first), Some((second, rest))) = (name, words.split_first())
        && is_decimal(tree.text(first))
        && redirect::of(tree, command, None)
            .iter()
            .any(|found| tree.at(found.node).start == tree.at(first).end)
    {
        (name, words) = (Some(*second), rest);
    }
    let literal = name.and_then(|name| word::literal(tree, name));
    let open = name.is_some_and(|name| word::arity_is_open(tree, name, literal.as_deref()));
    let no_slash = literal.as_deref().is_some_and(|literal| !literal.contains('/'));
    Resolved {
        basename: literal.as_deref().filter(|_| !open).map(|literal| basename(literal).to_owned()),
        arguments: words.iter().map(|word| argument(tree, *word)).collect(),
        unsure: name.is_some() && (literal.is_none() || open),
        may_be_builtin: no_slash,
        may_be_keyword: no_slash && name.map(|name| tree.text(name)) == literal.as_deref(),
    }
}

fn argument(tree: &Tree, id: Id) -> Argument {
    let literal = word::literal(tree, id);
    let open = word::arity_is_open(tree, id, literal.as_deref());
    Argument { literal, word: id, open }
}

/// The part after the last slash.
pub(super) fn basename(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether it consists of digits only.
pub(super) fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Folds case.
pub(super) fn fold(text: &str) -> String {
    text.to_lowercase().replace('ſ', "s").replace('ß', "ss")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(source: &str) -> Vec<Resolved> {
        let tree = Tree::parse(source).unwrap();
        commands(&tree).iter().map(|command| resolve(&tree, command)).collect()
    }

    #[test]
    fn names_lose_quotes_and_folders() {
        for (source, name) in [
            ("rm a", Some("rm")),
            ("/bin/\"rm\" a", Some("rm")),
            ("r\\m a", Some("rm")),
            ("$x a", None),
            ("r* a", None),
            ("2>/dev/null rm a", Some("rm")),
        ] {
            assert_eq!(resolved(source)[0].basename.as_deref(), name, "{source}");
        }
    }

    #[test]
    fn arguments_behind_a_redirect_are_arguments_too() {
        let all = resolved("rm >/dev/null -r -f /");
        assert!(all[0].deletes_by_force());
        let literals: Vec<_> = all[0].arguments.iter().filter_map(|a| a.literal.as_deref()).collect();
        assert_eq!(literals, ["-r", "-f", "/"]);
    }

    #[test]
    fn flags_end_at_two_dashes() {
        for (source, both) in [
            ("rm -rf x", true),
            ("rm -r --force x", true),
            ("rm --recursive -f", true),
            ("rm -- -rf", false),
            ("rm \"--\" -rf", false),
            ("rm -r -- -f", false),
            ("rm --rf", false),
            ("rm -", false),
        ] {
            assert_eq!(resolved(source)[0].deletes_by_force(), both, "{source}");
        }
    }
}
