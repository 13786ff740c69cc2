//! Texts and lists that code repeats so often that no memory holds them: `'a' * 10**12`, `"x".repeat(1e12)`.
//!
//! Only numbers that are written out are read. Sources: the references of Python 3.12, Ruby 3.3, ECMAScript 2024,
//! Node 22, PHP 8.3, Perl 5.38, Lua 5.4, Go 1.22.

use super::rules::{NameRole, is};
use super::tokens::Token;

/// Bytes or items that no program keeps by intention.
const MOST: f64 = 4e9;

/// How far the brackets of such a call or list are looked for.
const NEAR: usize = 16;

/// Whether a text or list is repeated, or made, that often.
pub(super) fn is_bomb(tokens: &[Token]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let behind = tokens.get(at + 1..).unwrap_or_default();
        match token {
            Token::Text(_) => is_repeated(behind),
            Token::Mark(']') => is_list(tokens, at) && is_repeated(behind),
            // `10**12 * 'a'`
            Token::Number(_) => {
                let repeats = |rest: &[Token]| {
                    matches!(rest, [Token::Mark('*'), Token::Text(_) | Token::Mark('['), ..])
                };
                let (number, used) = amount(tokens.get(at..).unwrap_or_default());
                number >= MOST && repeats(tokens.get(at + used..).unwrap_or_default())
            }
            Token::Name(name) if is(NameRole::Repeats, name) => makes(behind),
            _ => false,
        }
    })
}

/// `* 10**12`, or Perl's `x 1e12`.
fn is_repeated(behind: &[Token]) -> bool {
    match behind {
        [Token::Mark('*'), Token::Mark('*'), ..] => false,
        [Token::Mark('*'), number @ ..] => amount(number).0 >= MOST,
        [Token::Name(operator), number @ ..] if operator == "x" => amount(number).0 >= MOST,
        [Token::Name(operator), ..] => operator
            .strip_prefix('x')
            .and_then(|number| number.parse().ok())
            .is_some_and(|it: f64| it >= MOST),
        _ => false,
    }
}

/// Whether the bracket that closes here opened a list, and no subscript.
fn is_list(tokens: &[Token], close: usize) -> bool {
    let before = tokens.get(..close).unwrap_or_default();
    let Some(open) = before.iter().rev().take(NEAR).position(|token| token.is('[')) else { return false };
    let before = before.len().checked_sub(open + 2).and_then(|at| before.get(at));
    match before {
        None | Some(Token::Line) => true,
        Some(Token::Mark(mark)) => !matches!(mark, ')' | ']'),
        Some(_) => false,
    }
}

/// Whether an argument of a call says so.
fn makes(behind: &[Token]) -> bool {
    let [Token::Mark('('), arguments @ ..] = behind else { return false };
    let end = arguments.iter().take(NEAR).position(|token| token.is(')')).unwrap_or(0);
    let arguments = arguments.get(..end).unwrap_or_default();
    arguments.split(|token| token.is(',')).any(|argument| {
        let (number, used) = amount(argument);
        number >= MOST && used == argument.len()
    })
}

/// The number that the first tokens say, and how many of them: `10**12`, `4 * 1024**3`, `1 << 40`, `1_000_000`. Nought
/// where they say none.
fn amount(tokens: &[Token]) -> (f64, usize) {
    let (mut product, mut used) = factor(tokens);
    if used == 0 {
        return (0.0, 0);
    }
    loop {
        let rest = tokens.get(used..).unwrap_or_default();
        let (operator, right) = match rest {
            [Token::Mark('*'), right @ ..] => (1, right),
            [Token::Mark('<'), Token::Mark('<'), right @ ..] => (2, right),
            _ => return (product, used),
        };
        let (number, more) = factor(right);
        if more == 0 {
            return (product, used);
        }
        product *= if operator == 1 { number } else { number.exp2() };
        used += operator + more;
    }
}

/// A number, or a power of one.
fn factor(tokens: &[Token]) -> (f64, usize) {
    let (base, used) = number(tokens);
    let power = match tokens.get(used..).unwrap_or_default() {
        [Token::Mark('*'), Token::Mark('*'), power @ ..] => Some((2, number(power))),
        [Token::Mark('^'), power @ ..] => Some((1, number(power))),
        _ => None,
    };
    match power {
        Some((marks, (exponent, more))) if used > 0 && more > 0 => (base.powf(exponent), used + marks + more),
        _ => (base, used),
    }
}

/// A number as it is written; the digits behind `_` are a token of their own.
fn number(tokens: &[Token]) -> (f64, usize) {
    let Some(Token::Number(digits)) = tokens.first() else { return (0.0, 0) };
    let digits = digits.trim_end_matches('n');
    match tokens.get(1) {
        Some(Token::Name(more)) if more.starts_with('_') => {
            let whole = format!("{digits}{more}").replace('_', "");
            whole.parse().map_or((0.0, 0), |number| (number, 2))
        }
        _ => match digits.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).map_or((0.0, 0), |number| (number as f64, 1)),
            None => digits.parse().map_or((0.0, 0), |number| (number, 1)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules;
    use super::super::tokens::tokens;
    use super::is_bomb;

    #[test]
    fn what_no_memory_holds_is_told_from_what_is_long() {
        for (language, code, expected) in [
            ("python", "x = 'a' * 10**12", true),
            ("python", "x = 10**12 * 'a'", true),
            ("python", "x = [0] * 10_000_000_000", true),
            ("python", "x = bytearray(4 * 1024**3)", true),
            ("python", "x = b'x' * (1 << 10)", false),
            ("python", "x = 'a' * 1000", false),
            ("python", "print('-' * 80)", false),
            ("python", "x = times[0] * 10**12", false),
            ("python", "x = 5 * 10**12", false),
            ("python", "x = 2 ** 100", false),
            ("python", "itertools.repeat(10, 3)", false),
            ("javascript", "const x = 'x'.repeat(1e12)", true),
            ("javascript", "Buffer.alloc(1024 * 1024 * 1024 * 8)", true),
            ("javascript", "'x'.repeat(80)", false),
            ("ruby", "x = 'a' * 10**12", true),
            ("perl", "my $x = 'a' x 1e12;", true),
            ("perl", "print '-' x 80;", false),
            ("php", "$x = str_repeat('a', 1000000000000);", true),
            ("lua", "x = ('x'):rep(1e12)", true),
            ("lua", "x = string.rep('x', 10^12)", true),
            ("go", "x := strings.Repeat(\"x\", 1000000000000)", true),
        ] {
            assert_eq!(is_bomb(&tokens(code, rules::of(language).lexis)), expected, "{code}");
        }
    }
}
