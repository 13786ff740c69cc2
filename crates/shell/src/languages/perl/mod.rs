//! Reads Perl: the tree of its grammar becomes the tree that is followed.
//!
//! Source: the grammar ts-parser-perl 2.0, whose names of nodes and fields these are. Names keep their sigil (`$x`,
//! `@x`), packages are dotted (`File::Path` is `File.Path`). A list of arguments is flat: arrays and hashes in it are
//! spread. Here-documents are quoted texts already (`code::bearable`).

mod expressions;
pub(super) mod library;

use std::rc::Rc;

use tree_sitter::Node;

use super::Value;
use super::code::read::{Reader, call_of, escape, fields, joined, named, number, text, unknown, with_stack};
use super::code::tree::{Argument, Declares, Each, Expr, Function, Parameter, Pattern, Stmt};
use super::rules::{self, NameRole};

/// Reads a script.
pub(super) fn read(reader: &mut Reader<'_>, root: Node<'_>) -> Vec<Stmt> {
    let mut perl = Perl { reader };
    perl.block(root)
}

struct Perl<'r, 't> {
    reader: &'r mut Reader<'t>,
}

impl<'n> Perl<'_, '_> {
    fn block(&mut self, node: Node<'n>) -> Vec<Stmt> {
        // Functions are there before the first statement runs.
        let (early, late): (Vec<Node<'n>>, Vec<Node<'n>>) =
            named(node).into_iter().partition(|child| child.kind() == "subroutine_declaration_statement");
        early.into_iter().chain(late).flat_map(|child| self.statement(child)).collect()
    }

    fn deeper<T>(&mut self, otherwise: T, read: impl FnOnce(&mut Self) -> T) -> T {
        if !self.reader.enter() {
            return otherwise;
        }
        let found = with_stack(|| read(self));
        self.reader.leave();
        found
    }

    fn statement(&mut self, node: Node<'n>) -> Vec<Stmt> {
        self.deeper(Vec::new(), |perl| perl.statement_within(node))
    }

    fn body(&mut self, node: Node<'n>, field: &str) -> Vec<Stmt> {
        node.child_by_field_name(field).map(|body| self.part_of(body)).unwrap_or_default()
    }

    /// Statements of a block, or an expression as one.
    fn part_of(&mut self, node: Node<'n>) -> Vec<Stmt> {
        let kind = node.kind();
        if kind == "block" {
            return self.block(node);
        }
        if kind.ends_with("_statement") {
            return self.statement(node);
        }
        self.simple(node)
    }

    fn statement_within(&mut self, node: Node<'n>) -> Vec<Stmt> {
        match node.kind() {
            "expression_statement" => named(node).into_iter().flat_map(|child| self.simple(child)).collect(),
            "subroutine_declaration_statement" | "method_declaration_statement" => {
                vec![Stmt::Function(self.function(node))]
            }
            "conditional_statement" | "elsif" => self.conditional(node),
            "for_statement" | "foreach_statement" => {
                let pattern = match node.child_by_field_name("variable") {
                    Some(variable) => self.pattern(variable),
                    None => Pattern::Name("$_".to_owned()),
                };
                let over = node.child_by_field_name("list").map(|list| self.list(list));
                let body = self.body(node, "block");
                vec![Stmt::Loop { pattern: Some(pattern), over, body }]
            }
            "cstyle_for_statement" => {
                let mut all = self.body(node, "initialiser");
                let mut body = self.body(node, "condition");
                body.extend(self.body(node, "block"));
                body.extend(self.body(node, "iterator"));
                all.push(Stmt::Loop { pattern: None, over: None, body });
                all
            }
            "loop_statement" => {
                let mut body = self.body(node, "condition");
                body.extend(self.body(node, "block"));
                vec![Stmt::Loop { pattern: None, over: None, body }]
            }
            "use_statement" => self.uses(node),
            "package_statement" | "comment" | "pod" | "data_section" | "package" => named(node)
                .into_iter()
                .filter(|child| child.kind() == "block")
                .flat_map(|child| self.block(child))
                .collect(),
            "block" | "block_statement" | "source_file" => self.block(node),
            _ => named(node).into_iter().flat_map(|child| self.part_of(child)).collect(),
        }
    }

    /// An expression as a statement, with what may stand behind it (`if`, `for`, `or`).
    fn simple(&mut self, node: Node<'n>) -> Vec<Stmt> {
        match node.kind() {
            "postfix_conditional_expression" => {
                let parts = named(node);
                let mut all = self.body(node, "condition");
                let arm = parts.first().map(|part| self.simple(*part)).unwrap_or_default();
                all.push(Stmt::Branch { arms: vec![arm], or_none: true });
                all
            }
            "postfix_for_expression" => {
                let over = node.child_by_field_name("list").map(|list| self.list(list));
                let body = named(node).first().map(|part| self.simple(*part)).unwrap_or_default();
                vec![Stmt::Loop { pattern: Some(Pattern::Name("$_".to_owned())), over, body }]
            }
            "postfix_loop_expression" => {
                let mut body = self.body(node, "condition");
                body.extend(named(node).first().map(|part| self.simple(*part)).unwrap_or_default());
                vec![Stmt::Loop { pattern: None, over: None, body }]
            }
            "return_expression" => {
                let value = named(node).first().map(|value| self.expression(*value));
                vec![Stmt::Return(value)]
            }
            _ => vec![Stmt::Do(self.expression(node))],
        }
    }

    fn conditional(&mut self, node: Node<'n>) -> Vec<Stmt> {
        let mut all = self.body(node, "condition");
        let mut arms = vec![self.body(node, "block")];
        let mut or_none = true;
        for other in named(node) {
            match other.kind() {
                "elsif" => arms.push(self.statement(other)),
                "else" => {
                    arms.push(self.body(other, "block"));
                    or_none = false;
                }
                _ => {}
            }
        }
        all.push(Stmt::Branch { arms, or_none });
        all
    }

    fn uses(&mut self, node: Node<'n>) -> Vec<Stmt> {
        let module = self.reader.field(node, "module").unwrap_or_default();
        let parts: Vec<Node<'n>> = named(node).into_iter().flat_map(|part| self.parts(part)).collect();
        if module == "lib" {
            let folders = parts.iter().skip(1).map(|part| Argument::plain(self.expression(*part))).collect();
            return vec![Stmt::Do(self.call(library::SEARCHED, folders))];
        }
        if module != "constant" {
            return vec![Stmt::Load(module.to_owned())];
        }
        // `use constant NAME => value`
        match parts.as_slice() {
            [_, name, value] => {
                let name = self.reader.of(*name).to_owned();
                let value = self.expression(*value);
                vec![Stmt::Assign(Pattern::Name(name), value, Declares::Here)]
            }
            _ => Vec::new(),
        }
    }

    /// The items of a list, however it is written.
    fn parts(&mut self, node: Node<'n>) -> Vec<Node<'n>> {
        match node.kind() {
            "list_expression" | "parenthesized_expression" if self.reader.enter() => {
                let within =
                    with_stack(|| named(node).into_iter().flat_map(|part| self.parts(part)).collect());
                self.reader.leave();
                within
            }
            _ => vec![node],
        }
    }

    fn function(&mut self, node: Node<'n>) -> Rc<Function> {
        let name = self
            .reader
            .field(node, "name")
            .unwrap_or_default()
            .rsplit("::")
            .next()
            .unwrap_or_default()
            .to_owned();
        let parameters =
            vec![Parameter { pattern: Pattern::Name("@_".to_owned()), default: None, rest: true }];
        let mut body = Vec::new();
        // `sub f($x, $y = 1) { … }`
        if let Some(signature) = named(node).into_iter().find(|child| child.kind() == "signature") {
            let patterns = named(signature)
                .into_iter()
                .map(|part| {
                    let inner = named(part).first().copied().unwrap_or(part);
                    self.pattern(inner)
                })
                .collect();
            body.push(Stmt::Assign(Pattern::Several(patterns), Expr::Name("@_".to_owned()), Declares::Here));
        }
        body.extend(self.body(node, "body"));
        Rc::new(Function { name, parameters, body })
    }

    fn pattern(&mut self, node: Node<'n>) -> Pattern {
        match node.kind() {
            "scalar" | "array" | "hash" => {
                let name = Pattern::Name(self.variable(node));
                if node.kind() == "array" { Pattern::Rest(Box::new(name)) } else { name }
            }
            "variable_declaration" | "localization_expression" => {
                let several = fields(node, "variables");
                if !several.is_empty() || node.child_by_field_name("variables").is_some() {
                    return Pattern::Several(several.into_iter().map(|part| self.pattern(part)).collect());
                }
                let inner = node.child_by_field_name("variable").or_else(|| named(node).first().copied());
                match inner.map(|inner| self.pattern(inner)) {
                    Some(Pattern::Rest(whole)) => *whole,
                    Some(pattern) => pattern,
                    None => Pattern::Nothing,
                }
            }
            "parenthesized_expression" | "list_expression" => {
                let parts = self.parts(node);
                Pattern::Several(parts.into_iter().map(|part| self.pattern(part)).collect())
            }
            "hash_element_expression" | "array_element_expression" => {
                let (object, key) = self.element(node);
                Pattern::Index(Box::new(object), Box::new(key))
            }
            // `*name = \&function`
            "glob" => match named(node).first() {
                Some(name) if name.kind() == "varname" => Pattern::Name(self.reader.of(*name).to_owned()),
                _ => Pattern::Nothing,
            },
            "bareword" | "function" => Pattern::Name(self.reader.of(node).to_owned()),
            _ => Pattern::Nothing,
        }
    }

    /// The name of a variable, with its sigil.
    fn variable(&mut self, node: Node<'n>) -> String {
        let sigil = match node.kind() {
            "array" => '@',
            "hash" => '%',
            _ => '$',
        };
        let name = named(node).first().map(|name| self.reader.of(*name)).unwrap_or_default();
        format!("{sigil}{}", name.trim_start_matches("main::"))
    }

    /// Container and key of an element.
    fn element(&mut self, node: Node<'n>) -> (Expr, Expr) {
        let is_hash = node.kind() == "hash_element_expression";
        let container = node.child_by_field_name(if is_hash { "hash" } else { "array" });
        let object = match container {
            Some(container) => match named(container).first() {
                Some(name) if named(*name).is_empty() => {
                    let name = self.reader.of(*name);
                    Expr::Name(match (is_hash, name) {
                        (true, "ENV") => "$ENV".to_owned(),
                        (true, name) => format!("%{name}"),
                        (false, name) => format!("@{name}"),
                    })
                }
                Some(name) => named(*name).first().map_or_else(unknown, |inner| self.inner(*inner)),
                None => unknown(),
            },
            None => named(node).first().map_or_else(unknown, |inner| self.expression(*inner)),
        };
        let key = node.child_by_field_name(if is_hash { "key" } else { "index" });
        let key = key.map_or_else(unknown, |key| self.expression(key));
        (object, key)
    }

    /// What stands in `@{…}` and its kin.
    fn inner(&mut self, node: Node<'n>) -> Expr {
        if node.kind() == "block" { Expr::Block(self.block(node)) } else { self.expression(node) }
    }

    fn expression(&mut self, node: Node<'n>) -> Expr {
        self.deeper(unknown(), |perl| perl.expression_within(node))
    }

    fn field(&mut self, node: Node<'n>, name: &str) -> Expr {
        node.child_by_field_name(name).map_or_else(unknown, |node| self.expression(node))
    }

    fn all(&mut self, node: Node<'n>) -> Vec<Expr> {
        named(node).into_iter().map(|part| self.expression(part)).collect()
    }

    /// A list as one value: arrays in it side by side.
    fn list(&mut self, node: Node<'n>) -> Expr {
        let parts = self.parts(node);
        if let [only] = parts.as_slice() {
            let spreads = spreads(*only);
            let value = self.expression(*only);
            return if spreads { value } else { Expr::List(vec![value]) };
        }
        parts.into_iter().fold(Expr::List(Vec::new()), |whole, part| {
            let value = self.expression(part);
            let more = if spreads(part) { value } else { Expr::List(vec![value]) };
            Expr::Binary('+', Box::new(whole), Box::new(more))
        })
    }

    fn arguments(&mut self, node: Node<'n>) -> Vec<Argument> {
        let parts = self.parts(node);
        parts
            .into_iter()
            .map(|part| Argument { name: None, spread: spreads(part), value: self.expression(part) })
            .collect()
    }

    fn arguments_of(&mut self, node: Node<'n>) -> Vec<Argument> {
        fields(node, "arguments").into_iter().flat_map(|list| self.arguments(list)).collect()
    }
}

/// Whether what stands there is as many items as it holds.
fn spreads(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "array"
            | "hash"
            | "map_grep_expression"
            | "sort_expression"
            | "quoted_word_list"
            | "fileglob_expression"
    )
}

fn arguments_values(arguments: Vec<Argument>) -> Vec<Expr> {
    arguments.into_iter().map(|argument| argument.value).collect()
}

/// `File::Path::rmtree` is `File.Path.rmtree`; what the language itself has has no package.
fn dotted(name: &str) -> String {
    let name = name.replace("::", ".");
    for front in ["CORE.GLOBAL.", "CORE.", "main."] {
        if let Some(rest) = name.strip_prefix(front) {
            return rest.to_owned();
        }
    }
    name.trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn values_are_followed_to_what_runs() {
        check(
            "perl",
            &[
                ("my $c = 'rm'; system($c, '-rf', 'x')", "argv rm -rf x"),
                ("sub run { my ($c, @r) = @_; system($c, @r) } run('rm', 'x')", "argv rm x"),
                ("sub gone { my $f = shift; unlink $f } gone($_) for ('a', 'b')", "delete-f a; delete-f b"),
                ("open(my $f, '>', 'out.txt') or die; print $f 'x'; close $f", "create out.txt"),
                ("unlink glob('*.o')", "delete-f *.o"),
                ("my @w = qw(rm -rf x); system(@w)", "argv rm -rf x"),
                ("my $n = 'sys' . 'tem'; &$n('rm x')", "obfuscated; sh rm x"),
                ("my $r = \\&system; $r->('rm x')", "sh rm x"),
                ("my %h = (a => 'rm x'); system($h{a})", "sh rm x"),
                ("my $t = \"rm \" . join(' ', 'a', 'b'); `$t`", "sh rm a b"),
                ("(my $c = 'ez k') =~ tr/a-z/n-za-m/; system($c)", "obfuscated; sh rm x"),
                ("my $x = 'a'; $x =~ s/a/system('rm x')/e", "perl system('rm x')"),
                ("print \"$ENV{HOME}/x\\n\"", "env HOME; read-only"),
                ("my $s = <<'E';\nrm -rf x\nE\nsystem($s)", "sh rm -rf x\n"),
                ("@a = ('rm', '-rf', 'x'); exec { $a[0] } @a", "argv rm -rf x"),
                ("# system('rm x')\nprint 'unlink x'", "read-only"),
            ],
        );
    }
}
