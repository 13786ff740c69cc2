//! What the readers of grammars share: text and children of nodes, depth, literals.

use tree_sitter::Node;

use super::tree::{Argument, Call, Expr, Stmt};
use crate::languages::Value;

/// How deep a tree is read.
const DEEPEST: usize = 200;
/// How often a reader may go a level deeper, for each byte of the text and beside that. No text has more nodes; a
/// reader that looks at a part of the tree twice on each level would take for ever without an end.
const LEVELS_PER_BYTE: usize = 8;
const LEVELS: usize = 10_000;

/// A text that is being read.
pub(in crate::languages) struct Reader<'t> {
    pub(in crate::languages) text: &'t str,
    depth: usize,
    /// How many levels may still be entered.
    left: usize,
    /// Whether something was left out.
    cut: bool,
}

impl<'t> Reader<'t> {
    pub(in crate::languages) fn new(text: &'t str) -> Self {
        Self { text, depth: 0, left: LEVELS + text.len() * LEVELS_PER_BYTE, cut: false }
    }

    /// Whether something lay deeper than is read, or there was more of it.
    pub(in crate::languages) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Goes one level deeper; `false` if that is deeper than is read. [`Self::leave`] goes back.
    pub(in crate::languages) fn enter(&mut self) -> bool {
        if self.depth >= DEEPEST || self.left == 0 {
            self.cut = true;
            return false;
        }
        self.left -= 1;
        self.depth += 1;
        true
    }

    /// Comes back from a level that [`Reader::enter`] entered.
    pub(in crate::languages) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Reads one level deeper.
    pub(in crate::languages) fn deeper<T>(&mut self, otherwise: T, read: impl FnOnce(&mut Self) -> T) -> T {
        if !self.enter() {
            return otherwise;
        }
        let found = with_stack(|| read(self));
        self.leave();
        found
    }

    pub(in crate::languages) fn of(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of a field.
    pub(in crate::languages) fn field(&self, node: Node<'_>, name: &str) -> Option<&'t str> {
        node.child_by_field_name(name).map(|node| self.of(node))
    }
}

/// Goes on with enough stack for one more level.
pub(in crate::languages) fn with_stack<T>(within: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, within)
}

/// Children that have a name in the grammar, without comments.
pub(in crate::languages) fn named(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra() || child.is_error()).collect()
}

/// All children of a field.
pub(in crate::languages) fn fields<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).filter(|node| node.is_named()).collect()
}

pub(in crate::languages) fn text(text: impl Into<String>) -> Expr {
    Expr::Text(Value::literal(text))
}

pub(in crate::languages) fn call_of(callee: Expr, arguments: Vec<Argument>) -> Expr {
    Expr::Call(Box::new(Call { callee, arguments }))
}

/// A call of a function by its name.
pub(in crate::languages) fn call_named(name: &str, arguments: Vec<Expr>) -> Expr {
    call_of(Expr::Name(name.to_owned()), arguments.into_iter().map(Argument::plain).collect())
}

/// A value that nobody knows.
pub(in crate::languages) fn unknown() -> Expr {
    Expr::Opaque(Vec::new())
}

/// Parts of a text; one literal is that literal.
pub(in crate::languages) fn joined(mut parts: Vec<Expr>) -> Expr {
    match parts.len() {
        0 => text(""),
        1 if matches!(parts.first(), Some(Expr::Text(_))) => parts.remove(0),
        _ => Expr::Joined(parts),
    }
}

/// The value of a number as languages write it.
pub(in crate::languages) fn number(text: &str) -> Expr {
    let plain = text.replace('_', "").to_ascii_lowercase();
    let plain = plain.trim_end_matches(['l', 'n', 'j']);
    let parsed = if let Some(hex) = plain.strip_prefix("0x") {
        i64::from_str_radix(hex, 16).ok()
    } else if let Some(octal) = plain.strip_prefix("0o") {
        i64::from_str_radix(octal, 8).ok()
    } else if let Some(binary) = plain.strip_prefix("0b") {
        i64::from_str_radix(binary, 2).ok()
    } else if plain.len() > 1 && plain.starts_with('0') && plain.bytes().all(|byte| byte.is_ascii_digit()) {
        i64::from_str_radix(plain, 8).ok()
    } else {
        plain.parse().ok()
    };
    parsed.map_or_else(unknown, Expr::Number)
}

/// The character or characters of an escape in a text (`\n`, `\x41`, `\u{1F600}`, `\101`).
pub(in crate::languages) fn escape(escape: &str) -> String {
    let Some(body) = escape.strip_prefix('\\') else { return escape.to_owned() };
    let code = |digits: &str, radix: u32| {
        u32::from_str_radix(digits.trim_matches(['{', '}']), radix)
            .ok()
            .and_then(char::from_u32)
            .map(String::from)
    };
    let mut letters = body.chars();
    let found = match letters.next() {
        Some('n') => Some("\n".to_owned()),
        Some('t') => Some("\t".to_owned()),
        Some('r') => Some("\r".to_owned()),
        Some('a') => Some("\u{7}".to_owned()),
        Some('b') => Some("\u{8}".to_owned()),
        Some('f') => Some("\u{c}".to_owned()),
        Some('v') => Some("\u{b}".to_owned()),
        Some('e') => Some("\u{1b}".to_owned()),
        Some('\n') => Some(String::new()),
        Some('\r') => Some(String::new()),
        Some('x' | 'u' | 'U') => code(letters.as_str(), 16),
        Some('0'..='7') => code(body, 8),
        Some(_) => Some(body.to_owned()),
        None => None,
    };
    found.unwrap_or_else(|| "…".to_owned())
}

/// Statements of a list of expressions.
pub(in crate::languages) fn each(expressions: Vec<Expr>) -> Vec<Stmt> {
    expressions.into_iter().map(Stmt::Do).collect()
}
