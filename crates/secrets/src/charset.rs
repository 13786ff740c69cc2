//! Character sets of token formats as bit sets. A set is an OR of atoms; one table look-up tests membership.

/// A set of bytes: an OR of the atoms below.
pub(crate) type Set = u32;

const ZERO: Set = 1;
const ONE: Set = 1 << 1;
const TWO_TO_SEVEN: Set = 1 << 2;
const EIGHT_NINE: Set = 1 << 3;
const LOWER_HEX: Set = 1 << 4;
const LOWER_L: Set = 1 << 5;
const LOWER_REST: Set = 1 << 6;
const UPPER_HEX: Set = 1 << 7;
const UPPER_I: Set = 1 << 8;
const UPPER_O: Set = 1 << 9;
const UPPER_REST: Set = 1 << 10;
pub(crate) const UNDERSCORE: Set = 1 << 11;
pub(crate) const DASH: Set = 1 << 12;
const PLUS: Set = 1 << 13;
const SLASH: Set = 1 << 14;
pub(crate) const EQUALS: Set = 1 << 15;
const DOT: Set = 1 << 16;
const TILDE: Set = 1 << 17;
const PERCENT: Set = 1 << 18;
const COLON: Set = 1 << 19;
const COMMA: Set = 1 << 20;

pub(crate) const DIGIT: Set = ZERO | ONE | TWO_TO_SEVEN | EIGHT_NINE;
pub(crate) const LOWER: Set = LOWER_HEX | LOWER_L | LOWER_REST;
pub(crate) const UPPER: Set = UPPER_HEX | UPPER_I | UPPER_O | UPPER_REST;
pub(crate) const LETTER: Set = LOWER | UPPER;
/// Base62.
pub(crate) const ALNUM: Set = DIGIT | LETTER;
/// A byte of a name or of a URL-safe token.
pub(crate) const WORD: Set = ALNUM | UNDERSCORE | DASH;
pub(crate) const HEX: Set = DIGIT | LOWER_HEX;
pub(crate) const ANY_HEX: Set = HEX | UPPER_HEX;
/// Standard base64 without padding.
pub(crate) const BASE64: Set = ALNUM | PLUS | SLASH;
/// Characters of both base64 alphabets, without padding.
pub(crate) const ANY_BASE64: Set = BASE64 | UNDERSCORE | DASH;
/// All token characters; a mask must cover a run of these.
pub(crate) const TOKEN: Set = ANY_BASE64 | DOT | TILDE | EQUALS | PERCENT;

/// The set denoted by a letter of the shape notation (`N{36}`, `H{64}`, …).
pub(crate) const fn class(letter: u8) -> Option<Set> {
    Some(match letter {
        b'N' => ALNUM,
        b'W' => WORD,
        b'H' => HEX,
        b'X' => ANY_HEX,
        b'D' => DIGIT,
        b'L' => LETTER,
        b'U' => UPPER | DIGIT,
        b'A' => UPPER,
        b'l' => LOWER | DIGIT,
        b'a' => LOWER,
        b'B' => BASE64,
        b'P' => BASE64 | EQUALS,
        b'T' => UPPER | TWO_TO_SEVEN,
        b'E' => ALNUM & !(ZERO | UPPER_O | UPPER_I | LOWER_L),
        b'Z' => WORD | EQUALS,
        b'Q' => WORD | TILDE | DOT,
        b'R' => WORD | PERCENT | PLUS | SLASH,
        b'F' => ANY_BASE64 | EQUALS | COMMA,
        b'G' => WORD | DOT | EQUALS,
        b'K' => UPPER_HEX | UPPER_I | UPPER_O | UPPER_REST | TWO_TO_SEVEN | ZERO | ONE | EIGHT_NINE | COLON,
        _ => return None,
    })
}

/// The atom of a byte; 0 if it occurs in no token.
#[inline]
pub(crate) fn atom(byte: u8) -> Set {
    ATOMS.get(usize::from(byte)).copied().unwrap_or(0)
}

/// Whether `byte` is in `set`.
#[inline]
pub(crate) fn is(byte: u8, set: Set) -> bool {
    atom(byte) & set != 0
}

/// The byte at `index`, or NUL (in no set) beyond the end.
#[inline]
pub(crate) fn at(text: &[u8], index: usize) -> u8 {
    text.get(index).copied().unwrap_or(0)
}

/// The byte before `index`, or NUL at the start.
#[inline]
pub(crate) fn before(text: &[u8], index: usize) -> u8 {
    index.checked_sub(1).map_or(0, |index| at(text, index))
}

/// Number of bytes of `set` from `from` on, at most `limit`.
pub(crate) fn run(text: &[u8], from: usize, set: Set, limit: usize) -> usize {
    text.get(from..).map_or(0, |rest| rest.iter().take(limit).take_while(|byte| is(**byte, set)).count())
}

/// Number of bytes of `set` just before `to`, at most `limit`.
pub(crate) fn run_back(text: &[u8], to: usize, set: Set, limit: usize) -> usize {
    text.get(..to).map_or(0, |head| head.iter().rev().take(limit).take_while(|byte| is(**byte, set)).count())
}

static ATOMS: [Set; 256] = {
    let mut atoms = [0; 256];
    let mut byte = 0_usize;
    while byte < 256 {
        #[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)]
        // constant evaluation, bounded by the loop
        {
            atoms[byte] = match byte as u8 {
                b'0' => ZERO,
                b'1' => ONE,
                b'2'..=b'7' => TWO_TO_SEVEN,
                b'8' | b'9' => EIGHT_NINE,
                b'a'..=b'f' => LOWER_HEX,
                b'l' => LOWER_L,
                b'g'..=b'z' => LOWER_REST,
                b'A'..=b'F' => UPPER_HEX,
                b'I' => UPPER_I,
                b'O' => UPPER_O,
                b'G'..=b'Z' => UPPER_REST,
                b'_' => UNDERSCORE,
                b'-' => DASH,
                b'+' => PLUS,
                b'/' => SLASH,
                b'=' => EQUALS,
                b'.' => DOT,
                b'~' => TILDE,
                b'%' => PERCENT,
                b':' => COLON,
                b',' => COMMA,
                _ => 0,
            };
        }
        byte += 1;
    }
    atoms
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_what_their_letters_say() {
        for (letter, members, strangers) in [
            (b'N', "azAZ09", "_-+/="),
            (b'W', "az_-", "+/.="),
            (b'H', "09af", "gAF"),
            (b'T', "AZ27", "0189a"),
            (b'E', "19AHJNPZakmz", "0OIl"),
            (b'Q', "a~._-", "+/"),
        ] {
            let set = class(letter).unwrap();
            assert!(members.bytes().all(|byte| is(byte, set)), "{}", letter as char);
            assert!(strangers.bytes().all(|byte| !is(byte, set)), "{}", letter as char);
        }
    }
}
