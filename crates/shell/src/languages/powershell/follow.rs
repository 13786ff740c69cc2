//! Pipelines and expressions, evaluated as far as the text decides them.

use std::rc::Rc;

use doorward_core::intent::WriteMode;

use super::ast::{Expr, Part, Redirect, Stage};
use super::eval::Runner;
use super::value::{Data, Value, both};

impl Runner<'_> {
    /// What a pipeline puts out; each stage is handed what the one before put out.
    pub(super) fn pipeline(&mut self, stages: &[Stage]) -> Value {
        let mut flow: Option<Value> = None;
        for stage in stages {
            let before = std::mem::replace(&mut self.piped, flow.take());
            flow = Some(match stage {
                Stage::Expr(expr, redirects) => {
                    let value = self.expr(expr);
                    let value = match (&self.piped, &value.data) {
                        // A block that stands behind a bar.
                        (Some(piped), Data::Script(block)) => {
                            let (block, piped) = (Rc::clone(block), piped.clone());
                            self.inline(&block, Some(&piped))
                        }
                        _ => value,
                    };
                    self.redirected(redirects, &value);
                    value
                }
                Stage::Command(command) => {
                    let value = self.command(command);
                    self.redirected(&command.redirects, &value);
                    value
                }
            });
            self.piped = before;
        }
        flow.unwrap_or_else(Value::null)
    }

    fn redirected(&mut self, redirects: &[Redirect], value: &Value) {
        for redirect in redirects {
            let target = self.expr(&redirect.target);
            let mode = if redirect.append { WriteMode::Append } else { WriteMode::Create };
            let count = self.effects.deeds.writes.len();
            self.writes(&target, mode, Some(value));
            for write in self.effects.deeds.writes.iter_mut().skip(count) {
                write.redirected = true;
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Value {
        if !self.enter() {
            self.harmless = false;
            return Value::unknown();
        }
        let value = self.plain_expr(expr);
        self.leave();
        value
    }

    fn plain_expr(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Literal { text, ticked } => {
                let value = Value::text(text.clone());
                if *ticked { value.assembled() } else { value }
            }
            Expr::Number(text) => Value::text(text.clone()),
            Expr::Text(parts) => self.text(parts),
            Expr::Variable(name) => self.variable(name),
            Expr::List(items) => {
                let items = items.iter().map(|item| self.expr(item)).collect();
                Value::list(items)
            }
            Expr::Statements(block) => {
                let value = self.statements(&block.statements);
                if matches!(value.data, Data::Null) { Value::list(Vec::new()) } else { value }
            }
            Expr::Paren(statement) => self.statement(statement),
            Expr::Hash(pairs) => {
                let pairs = pairs
                    .iter()
                    .map(|(key, value)| (self.expr(key).shown().to_ascii_lowercase(), self.statement(value)))
                    .collect::<Vec<_>>();
                let marks = pairs.iter().fold(None, |marks, (_, value)| both(&marks, &value.marks));
                Value { data: Data::Map(Rc::new(pairs)), marks }
            }
            Expr::Script(block) => Value { data: Data::Script(Rc::clone(block)), marks: None },
            Expr::Type(name) => Value::object(format!("type:{}", super::cmdlets::full_type(name)), None),
            Expr::Cast(name, inner) => {
                let value = self.expr(inner);
                self.cast(name, value)
            }
            Expr::Unary(operator, inner) => {
                let value = self.expr(inner);
                self.unary(operator, &value)
            }
            Expr::Binary(operator, left, right) => {
                let left = self.expr(left);
                let right = self.expr(right);
                self.binary(operator, &left, &right)
            }
            Expr::Member { on, name } => {
                let object = self.expr(on);
                let name = self.expr(name);
                self.member(&object, &name)
            }
            Expr::Call { on, name, args } => {
                let object = self.expr(on);
                let name = self.expr(name);
                let args = args.iter().map(|arg| self.expr(arg)).collect::<Vec<_>>();
                self.call(&object, &name, &args)
            }
            Expr::Index(on, index) => {
                let value = self.expr(on);
                let index = self.expr(index);
                self.index(&value, &index)
            }
        }
    }

    /// A text with values in it.
    fn text(&mut self, parts: &[Part]) -> Value {
        let mut text = String::new();
        let mut marks = None;
        let mut letters = 0;
        for part in parts {
            match part {
                Part::Text(own) => {
                    letters += own.len();
                    text.push_str(own);
                }
                Part::Value(value) => {
                    let value = self.expr(value);
                    marks = both(&marks, &value.marks);
                    text.push_str(&value.shown());
                }
            }
            if text.len() > (64 << 10) {
                break;
            }
        }
        let value = Value::text(text).with(&marks);
        // `"$x"` alone is `$x`; a path below a known folder is no riddle either.
        let riddle = parts.len() > 1 && !(letters > 1 && value.shown().contains(['/', '\\', ' ', ':']));
        if riddle { value.assembled() } else { value }
    }
}
