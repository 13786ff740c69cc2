//! Arithmetic: its value, and the code that runs inside it.
//!
//! A name in an expression is evaluated as an expression itself, and a subscript is expanded like a word, so
//! `x='a[$(cmd)]'; ((x))` runs `cmd`. Evaluation follows those names and subscripts; a number it can't know is
//! `None`.

use doorward_core::intent::{Mention, MentionKind};

use super::scan::{self, Bytes};
use super::{Quoting, Site};
use crate::machine::Machine;
use crate::state::{Content, State};
use crate::value::{HOLE, Value, element};

/// How deep names may refer to names, and parentheses nest.
const DEEPEST: u32 = 40;

impl Machine<'_> {
    /// The value of an expression as it is written in `$((…))`, `((…))`, a subscript.
    pub(crate) fn arithmetic(&mut self, text: &str, site: Site<'_>, state: &mut State) -> Option<i64> {
        let trimmed = text.trim();
        if let Ok(number) = trimmed.parse::<i64>()
            && (!trimmed.starts_with('0') || trimmed == "0")
        {
            return Some(number);
        }
        if !self.enter(site.span) {
            return None;
        }
        let expanded = self.unsplit(text, Quoting::Body, site, state).value();
        self.reads_number(&expanded);
        let value = self.expression(&expanded.text.replace('"', ""), site, state, 0);
        self.leave();
        value
    }

    /// A value of which part is what a file says: that is evaluated, too.
    pub(crate) fn reads_number(&mut self, value: &Value) {
        let is_text = |taint: &&std::rc::Rc<crate::value::Taint>| !taint.picked && !taint.network;
        if !value.text.contains(HOLE) || value.trail.as_ref().filter(is_text).is_none() {
            return;
        }
        for path in self.files(&value.trail) {
            let mention = Mention { path, kind: MentionKind::Arithmetic };
            if !self.intent.mentions.contains(&mention) {
                self.intent.mentions.push(mention);
            }
        }
    }

    /// The value of an already expanded expression: a variable's text.
    pub(crate) fn expression(
        &mut self,
        text: &str,
        site: Site<'_>,
        state: &mut State,
        depth: u32,
    ) -> Option<i64> {
        if depth > DEEPEST || !self.step() {
            return None;
        }
        let mut reader = Reader { text, at: 0, site: Site { at: None, ..site }, depth, live: true };
        let value = reader.comma(self, state);
        reader.space();
        if reader.at < text.len() { None } else { value }
    }
}

struct Reader<'t, 's> {
    text: &'t str,
    at: usize,
    site: Site<'s>,
    depth: u32,
    /// False in the branch of `?:`, `&&`, `||` that isn't taken; assignments there are left out.
    live: bool,
}

/// Binary operators by rising precedence.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
    &["**"],
];

const ASSIGNMENTS: &[&str] = &["=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="];

impl Reader<'_, '_> {
    fn space(&mut self) {
        while self.byte().is_ascii_whitespace() {
            self.at += 1;
        }
    }

    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn eat(&mut self, word: &str) -> bool {
        self.space();
        let hit = self.rest().starts_with(word);
        if hit {
            self.at += word.len();
        }
        hit
    }

    fn comma(&mut self, machine: &mut Machine<'_>, state: &mut State) -> Option<i64> {
        let mut value = self.ternary(machine, state);
        while self.eat(",") {
            value = self.ternary(machine, state);
        }
        value
    }

    fn ternary(&mut self, machine: &mut Machine<'_>, state: &mut State) -> Option<i64> {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.at = self.text.len();
            return None;
        }
        let condition = self.binary(0, machine, state);
        let value = if self.eat("?") {
            let live = self.live;
            self.live = live && condition.is_none_or(|value| value != 0);
            let yes = self.ternary(machine, state);
            self.eat(":");
            self.live = live && condition.is_none_or(|value| value == 0);
            let no = self.ternary(machine, state);
            self.live = live;
            if condition? == 0 { no } else { yes }
        } else {
            condition
        };
        self.depth -= 1;
        value
    }

    fn operator(&mut self, level: usize) -> Option<&'static str> {
        self.space();
        let rest = self.rest();
        // The longest operator that stands here, of any level, so that `<` doesn't take half of `<<`.
        let longest = LEVELS
            .iter()
            .flat_map(|operators| operators.iter())
            .chain(ASSIGNMENTS)
            .filter(|operator| rest.starts_with(**operator))
            .max_by_key(|operator| operator.len())?;
        LEVELS.get(level)?.iter().copied().find(|operator| operator == longest)
    }

    fn binary(&mut self, level: usize, machine: &mut Machine<'_>, state: &mut State) -> Option<i64> {
        if level >= LEVELS.len() {
            return self.unary(machine, state);
        }
        let mut left = self.binary(level + 1, machine, state);
        while let Some(operator) = self.operator(level) {
            self.at += operator.len();
            let live = self.live;
            self.live = live
                && match (operator, left) {
                    ("&&", Some(0)) => false,
                    ("||", Some(value)) => value == 0,
                    _ => true,
                };
            let right = self.binary(level + 1, machine, state);
            self.live = live;
            left = apply(operator, left, right);
        }
        left
    }

    fn unary(&mut self, machine: &mut Machine<'_>, state: &mut State) -> Option<i64> {
        self.space();
        self.depth += 1;
        if self.depth > DEEPEST {
            self.at = self.text.len();
            return None;
        }
        let value = match self.byte() {
            b'!' => {
                self.at += 1;
                self.unary(machine, state).map(|value| i64::from(value == 0))
            }
            b'~' => {
                self.at += 1;
                self.unary(machine, state).map(|value| !value)
            }
            b'+' if self.rest().starts_with("++") => {
                self.at += 2;
                self.unary(machine, state).map(|value| value.wrapping_add(1))
            }
            b'-' if self.rest().starts_with("--") => {
                self.at += 2;
                self.unary(machine, state).map(|value| value.wrapping_sub(1))
            }
            b'+' => {
                self.at += 1;
                self.unary(machine, state)
            }
            b'-' => {
                self.at += 1;
                self.unary(machine, state).map(i64::wrapping_neg)
            }
            b'(' => {
                self.at += 1;
                let value = self.comma(machine, state);
                self.eat(")");
                value
            }
            byte if byte.is_ascii_digit() => self.number(),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => self.name(machine, state),
            _ => {
                if self.rest().starts_with(HOLE) {
                    self.at += HOLE.len_utf8();
                    while self.byte().is_ascii_alphanumeric() || self.byte() == b'_' {
                        self.at += 1;
                    }
                } else if self.at < self.text.len() {
                    self.at += self.rest().chars().next().map_or(1, char::len_utf8);
                }
                None
            }
        };
        self.depth -= 1;
        value
    }

    fn number(&mut self) -> Option<i64> {
        let digits: String = self
            .rest()
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '#' | '@' | '_'))
            .collect();
        self.at += digits.len();
        if let Some((base, digits)) = digits.split_once('#') {
            return i64::from_str_radix(digits, base.parse().ok().filter(|base| (2..=36).contains(base))?)
                .ok();
        }
        match digits.strip_prefix('0') {
            None | Some("") => digits.parse().ok(),
            Some(rest) => match rest.strip_prefix(['x', 'X']) {
                Some(hex) => i64::from_str_radix(hex, 16).ok(),
                None => i64::from_str_radix(rest, 8).ok(),
            },
        }
    }

    fn name(&mut self, machine: &mut Machine<'_>, state: &mut State) -> Option<i64> {
        let name: String =
            self.rest().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        self.at += name.len();
        let mut subscript = None;
        if self.byte() == b'[' {
            let bytes = Bytes(self.text.as_bytes());
            let close = scan::bracket(bytes, self.at + 1)?;
            let inner = self.text.get(self.at + 1..close).unwrap_or_default();
            subscript = Some(machine.arithmetic(inner, self.site, state));
            self.at = close + 1;
        }
        let current = |machine: &mut Machine<'_>, state: &mut State, depth: u32, site: Site<'_>| {
            let resolved = machine.resolve(&name, state);
            let value = match (machine.content(&resolved, state)?, subscript) {
                (Content::Unset, _) => return Some(0),
                (Content::Scalar(value), None | Some(Some(0))) => value,
                (Content::List(list), None) => element(&list, 0)?,
                (Content::List(list), Some(index)) => element(&list, index?)?,
                _ => return None,
            };
            if value.text.is_empty() {
                return Some(0);
            }
            machine.reads_number(&value);
            machine.expression(&value.text, site, state, depth + 1)
        };
        if self.rest().starts_with("++") || self.rest().starts_with("--") {
            let plus = self.rest().starts_with('+');
            self.at += 2;
            let value = current(machine, state, self.depth, self.site);
            let next = value.map(|value| if plus { value.wrapping_add(1) } else { value.wrapping_sub(1) });
            self.assign(&name, subscript, next, machine, state);
            return value;
        }
        self.space();
        let rest = self.rest();
        let assignment = ASSIGNMENTS
            .iter()
            .copied()
            .filter(|operator| rest.starts_with(*operator) && !(*operator == "=" && rest.starts_with("==")))
            .max_by_key(|operator| operator.len());
        if let Some(operator) = assignment {
            self.at += operator.len();
            let right = self.ternary(machine, state);
            let value = match operator.strip_suffix('=') {
                Some("") | None => right,
                Some(operation) => {
                    let left = current(machine, state, self.depth, self.site);
                    apply(operation, left, right)
                }
            };
            self.assign(&name, subscript, value, machine, state);
            return value;
        }
        current(machine, state, self.depth, self.site)
    }

    fn assign(
        &self,
        name: &str,
        subscript: Option<Option<i64>>,
        value: Option<i64>,
        machine: &mut Machine<'_>,
        state: &mut State,
    ) {
        if !self.live {
            return;
        }
        let name = machine.resolve(name, state);
        let value = value.map_or_else(Value::unknown, |value| Value::known(value.to_string()));
        match subscript {
            None => state.set(&name, value),
            Some(index) => machine.set_element(&name, index, value, state),
        }
    }
}

fn apply(operator: &str, left: Option<i64>, right: Option<i64>) -> Option<i64> {
    let (left, right) = (left?, right?);
    let truth = |value: bool| Some(i64::from(value));
    match operator {
        "||" => truth(left != 0 || right != 0),
        "&&" => truth(left != 0 && right != 0),
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        "&" => Some(left & right),
        "==" => truth(left == right),
        "!=" => truth(left != right),
        "<=" => truth(left <= right),
        ">=" => truth(left >= right),
        "<" => truth(left < right),
        ">" => truth(left > right),
        "<<" => Some(left.wrapping_shl(u32::try_from(right & 63).unwrap_or(0))),
        ">>" => Some(left.wrapping_shr(u32::try_from(right & 63).unwrap_or(0))),
        "+" => Some(left.wrapping_add(right)),
        "-" => Some(left.wrapping_sub(right)),
        "*" => Some(left.wrapping_mul(right)),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        "**" => left.checked_pow(u32::try_from(right).ok()?),
        _ => None,
    }
}
