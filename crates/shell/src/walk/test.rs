//! Tests: `[[ … ]]` and the places where `test` runs code inside a value.

use std::rc::Rc;

use brush_parser::ast;
use doorward_core::intent::Span;

use super::Flow;
use crate::expand::pattern;
use crate::machine::Machine;
use crate::source::{Raw, Source};
use crate::state::State;
use crate::value::{Arg, Stream};

impl Machine<'_> {
    pub(crate) fn extended_test(
        &mut self,
        test: &ast::ExtendedTestExpr,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Flow {
        Flow { out: Stream::nothing(), status: self.truth(test, source, state) }
    }

    fn truth(
        &mut self,
        test: &ast::ExtendedTestExpr,
        source: &Rc<Source>,
        state: &mut State,
    ) -> Option<bool> {
        use ast::ExtendedTestExpr as Test;
        if !self.enter(self.whole) {
            return None;
        }
        let truth = match test {
            Test::And(left, right) => {
                match (self.truth(left, source, state), self.truth(right, source, state)) {
                    (Some(true), Some(true)) => Some(true),
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    _ => None,
                }
            }
            Test::Or(left, right) => {
                match (self.truth(left, source, state), self.truth(right, source, state)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                }
            }
            Test::Not(inner) => self.truth(inner, source, state).map(|truth| !truth),
            Test::Parenthesized(inner) => self.truth(inner, source, state),
            Test::UnaryTest(predicate, word) => {
                let arg = self.tested(word, source, state);
                self.unary_test(predicate, &arg, state)
            }
            Test::BinaryTest(predicate, left, right) => {
                let left = self.tested(left, source, state);
                let right = self.tested(right, source, state);
                self.binary_test(predicate, &left, &right, state)
            }
        };
        self.leave();
        truth
    }

    fn tested(&mut self, word: &ast::Word, source: &Rc<Source>, state: &mut State) -> Arg {
        let raw = source.word(word);
        // A regular expression may hold what isn't a word elsewhere; it is only expanded.
        self.single(Raw { ..raw }, source, state)
    }

    fn unary_test(&mut self, predicate: &ast::UnaryPredicate, arg: &Arg, state: &mut State) -> Option<bool> {
        use ast::UnaryPredicate as Is;
        match predicate {
            Is::StringHasZeroLength => arg.value().exact().map(str::is_empty),
            Is::StringHasNonZeroLength => arg.value().exact().map(|text| !text.is_empty()),
            Is::ShellVariableIsSetAndAssigned => {
                self.named_value(&arg.raw, arg.word.span, state);
                None
            }
            Is::ShellOptionEnabled | Is::ShellVariableIsSetAndNameRef | Is::FdIsOpenTerminal => None,
            _ => {
                self.read(&arg.word, true, state);
                None
            }
        }
    }

    fn binary_test(
        &mut self,
        predicate: &ast::BinaryPredicate,
        left: &Arg,
        right: &Arg,
        state: &mut State,
    ) -> Option<bool> {
        use ast::BinaryPredicate as Are;
        let numbers = |machine: &mut Self, state: &mut State| {
            [left, right].into_iter().for_each(|arg| machine.reads_number(&arg.value()));
            let one = machine.evaluate(&left.raw, left.word.span, state);
            let two = machine.evaluate(&right.raw, right.word.span, state);
            one.zip(two)
        };
        let left_value = left.value();
        let right_value = right.value();
        let texts = left_value.exact().zip(right_value.exact());
        match predicate {
            Are::ArithmeticEqualTo => numbers(self, state).map(|(one, two)| one == two),
            Are::ArithmeticNotEqualTo => numbers(self, state).map(|(one, two)| one != two),
            Are::ArithmeticLessThan => numbers(self, state).map(|(one, two)| one < two),
            Are::ArithmeticLessThanOrEqualTo => numbers(self, state).map(|(one, two)| one <= two),
            Are::ArithmeticGreaterThan => numbers(self, state).map(|(one, two)| one > two),
            Are::ArithmeticGreaterThanOrEqualTo => numbers(self, state).map(|(one, two)| one >= two),
            Are::StringExactlyMatchesPattern | Are::StringDoesNotExactlyMatchPattern => {
                let (text, _) = texts?;
                let hit = if right.quoted {
                    Some(text == right.raw)
                } else {
                    pattern::matches_str(&right.word.text, text)
                };
                let wanted = matches!(predicate, Are::StringExactlyMatchesPattern);
                hit.map(|hit| hit == wanted)
            }
            Are::StringExactlyMatchesString => texts.map(|(one, two)| one == two),
            Are::StringDoesNotExactlyMatchString => texts.map(|(one, two)| one != two),
            Are::StringContainsSubstring => texts.map(|(one, two)| one.contains(two)),
            Are::FilesReferToSameDeviceAndInodeNumbers
            | Are::LeftFileIsNewerOrExistsWhenRightDoesNot
            | Are::LeftFileIsOlderOrDoesNotExistWhenRightDoes => {
                self.read(&left.word, true, state);
                self.read(&right.word, true, state);
                None
            }
            Are::StringMatchesRegex | Are::LeftSortsBeforeRight | Are::LeftSortsAfterRight => None,
        }
    }

    /// A value used as the name of a variable: its subscript is evaluated, and runs what stands in it.
    pub(crate) fn named_value(&mut self, text: &str, span: Span, state: &mut State) {
        if text.contains('[') {
            self.evaluate(text, span, state);
        }
    }

    /// `test` and `[`: `-v` evaluates a subscript.
    pub(crate) fn plain_test(&mut self, args: &[Arg], state: &mut State) -> Option<bool> {
        let mut iter = args.iter().skip(1).peekable();
        while let Some(arg) = iter.next() {
            if arg.raw == "-v"
                && let Some(name) = iter.peek()
            {
                self.named_value(&name.raw, name.word.span, state);
            }
        }
        let words: Option<Vec<&str>> = args.iter().skip(1).map(Arg::known).collect();
        let mut words = words?;
        if args.first().is_some_and(|first| first.raw == "[") {
            words.pop();
        }
        match words.as_slice() {
            [] => Some(false),
            [text] => Some(!text.is_empty()),
            ["-n", text] => Some(!text.is_empty()),
            ["-z", text] => Some(text.is_empty()),
            [left, "=" | "==", right] => Some(left == right),
            [left, "!=", right] => Some(left != right),
            [left, operator @ ("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge"), right] => {
                let (left, right) = (left.parse::<i64>().ok()?, right.parse::<i64>().ok()?);
                Some(match *operator {
                    "-eq" => left == right,
                    "-ne" => left != right,
                    "-lt" => left < right,
                    "-le" => left <= right,
                    "-gt" => left > right,
                    _ => left >= right,
                })
            }
            _ => None,
        }
    }
}
