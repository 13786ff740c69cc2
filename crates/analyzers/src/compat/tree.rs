//! A parsed shell text as a flat tree with indices for parents, fields and kinds, built once.
//!
//! tree-sitter finds a parent by descending from the root, so climbing takes quadratic time in nested text; here it
//! is one look-up. tree-sitter's error recovery is worse than quadratic in text that consists mostly of operators,
//! and can't be interrupted. So the operators of a text and the nodes of its tree are limited; a text over a limit
//! has no tree.

use std::sync::LazyLock;

use tree_sitter::{Language, Parser};

/// Must live as long as the names of its kinds and fields are used.
static BASH: LazyLock<Language> = LazyLock::new(|| tree_sitter_bash::LANGUAGE.into());

/// Most nodes: about what 30,000 characters can produce.
const MOST: usize = 120_000;

/// Most operators. Source code of 30,000 characters has about 2,000. With this limit the worst known text parses in a
/// quarter of a second; 30,000 characters of operators would take a minute.
const MOST_OPERATORS: usize = 3_000;

/// A node's index in its tree. The root is 0.
pub(super) type Id = usize;

/// A text and its nodes.
pub(super) struct Tree {
    text: String,
    nodes: Vec<Node>,
}

/// One node.
#[derive(Default)]
pub(super) struct Node {
    pub(super) kind: &'static str,
    pub(super) field: Option<&'static str>,
    pub(super) named: bool,
    /// Whether the parser recovered from an error inside it.
    pub(super) broken: bool,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) parent: Option<Id>,
    pub(super) children: Vec<Id>,
}

/// Returned for a node that doesn't exist, so that no index can panic.
static NOWHERE: Node = Node {
    kind: "",
    field: None,
    named: false,
    broken: false,
    start: 0,
    end: 0,
    parent: None,
    children: Vec::new(),
};

impl Tree {
    /// Parses a text; `None` if the parser gives no tree over the whole text, or one that is too large.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let operators = text.bytes().filter(|byte| b"()|<[".contains(byte)).count();
        if operators > MOST_OPERATORS {
            return None;
        }
        let mut parser = Parser::new();
        parser.set_language(&BASH).ok()?;
        let parsed = parser.parse(text, None)?;
        if parsed.root_node().end_byte() != text.len() {
            return None;
        }
        let mut tree = Self { text: text.to_owned(), nodes: Vec::new() };
        let mut cursor = parsed.walk();
        let mut above: Vec<Id> = Vec::new();
        loop {
            let node = cursor.node();
            let id = tree.nodes.len();
            if id >= MOST {
                return None;
            }
            let parent = above.last().copied();
            tree.nodes.push(Node {
                kind: BASH.node_kind_for_id(node.kind_id()).unwrap_or_default(),
                field: cursor.field_id().and_then(|id| BASH.field_name_for_id(id.get())),
                named: node.is_named(),
                broken: node.has_error() || node.is_missing(),
                start: node.start_byte(),
                end: node.end_byte(),
                parent,
                children: Vec::new(),
            });
            if let Some(parent) = parent.and_then(|parent| tree.nodes.get_mut(parent)) {
                parent.children.push(id);
            }
            if cursor.goto_first_child() {
                above.push(id);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Some(tree);
                }
                above.pop();
            }
        }
    }

    /// Number of nodes.
    pub(super) fn size(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn at(&self, id: Id) -> &Node {
        self.nodes.get(id).unwrap_or(&NOWHERE)
    }

    pub(super) fn kind(&self, id: Id) -> &'static str {
        self.at(id).kind
    }

    /// The source text of a node.
    pub(super) fn text(&self, id: Id) -> &str {
        let node = self.at(id);
        self.between(node.start, node.end)
    }

    /// A part of the source text.
    pub(super) fn between(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Named children, in order.
    pub(super) fn named(&self, id: Id) -> impl DoubleEndedIterator<Item = Id> + '_ {
        self.at(id).children.iter().copied().filter(|child| self.at(*child).named)
    }

    /// The first child in this field.
    pub(super) fn field(&self, id: Id, field: &str) -> Option<Id> {
        self.at(id).children.iter().copied().find(|child| self.at(*child).field == Some(field))
    }

    /// The named sibling before a node.
    pub(super) fn before(&self, id: Id) -> Option<Id> {
        let parent = self.at(id).parent?;
        self.named(parent).take_while(|sibling| *sibling < id).last()
    }

    /// The named sibling after a node.
    pub(super) fn behind(&self, id: Id) -> Option<Id> {
        let parent = self.at(id).parent?;
        self.named(parent).find(|sibling| *sibling > id)
    }

    /// All named nodes of a kind, in order of the text.
    pub(super) fn all<'t>(&'t self, kind: &'t str) -> impl Iterator<Item = Id> + 't {
        (0..self.nodes.len()).filter(move |id| {
            let node = self.at(*id);
            node.named && node.kind == kind
        })
    }

    /// Whether one node lies inside the other.
    pub(super) fn within(&self, inner: Id, outer: Id) -> bool {
        let (inner, outer) = (self.at(inner), self.at(outer));
        outer.start <= inner.start && inner.end <= outer.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_fields_and_texts_fit_together() {
        let tree = Tree::parse("a | b <x >y").unwrap();
        for id in 0..tree.size() {
            for child in &tree.at(id).children {
                assert_eq!(tree.at(*child).parent, Some(id));
                assert!(tree.within(*child, id));
            }
        }
        let commands: Vec<&str> = tree.all("command").map(|id| tree.text(id)).collect();
        assert_eq!(commands, ["a", "b"]);
        let redirect = tree.all("file_redirect").next().unwrap();
        assert_eq!(tree.field(redirect, "destination").map(|id| tree.text(id)), Some("x"));
        assert!(tree.behind(redirect).is_some_and(|next| tree.before(next) == Some(redirect)));
    }

    #[test]
    fn depth_aborts_nothing() {
        assert!(Tree::parse(&"$(".repeat(2_500)).is_some());
        assert!(Tree::parse(&"$(".repeat(5_000)).is_none());
        assert!(Tree::parse(&"{a,".repeat(10_000)).is_some());
        assert!(Tree::parse("").is_some_and(|tree| tree.size() == 1));
    }
}
