//! The escapes of `$'…'`, `echo -e` and `printf`.

/// Which escapes apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `$'…'` (Bash manual, ANSI-C quoting).
    Quote,
    /// `echo -e` and `printf %b`: `\0NNN`, `\c` ends.
    Echo,
    /// A `printf` format: `\NNN`.
    Printf,
}

/// Unescaped text; whether characters were spelled by number; whether `\c` ended all output.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Unescaped {
    pub(crate) text: String,
    pub(crate) numbers: bool,
    pub(crate) ended: bool,
}

/// Undoes the escapes.
pub(crate) fn unescape(text: &str, dialect: Dialect) -> Unescaped {
    if !text.contains('\\') {
        return Unescaped { text: text.to_owned(), ..Unescaped::default() };
    }
    let mut bytes: Vec<u8> = Vec::with_capacity(text.len());
    let mut numbers = false;
    let mut ended = false;
    let mut rest = text.chars().peekable();
    let mut put = [0_u8; 4];
    while let Some(character) = rest.next() {
        if character != '\\' {
            bytes.extend(character.encode_utf8(&mut put).as_bytes());
            continue;
        }
        let Some(escape) = rest.next() else {
            bytes.push(b'\\');
            break;
        };
        match escape {
            'a' => bytes.push(7),
            'b' => bytes.push(8),
            'e' | 'E' => bytes.push(27),
            'f' => bytes.push(12),
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            'v' => bytes.push(11),
            '\\' => bytes.push(b'\\'),
            '\'' | '"' | '?' if dialect != Dialect::Echo => bytes.push(u8::try_from(escape).unwrap_or(b'?')),
            'c' if dialect == Dialect::Quote => {
                numbers = true;
                if let Some(control) = rest.next() {
                    bytes.push(u8::try_from(u32::from(control) & 0x1f).unwrap_or(0));
                }
            }
            'c' => {
                ended = true;
                break;
            }
            'x' => {
                numbers = true;
                let braced = dialect == Dialect::Quote && rest.next_if_eq(&'{').is_some();
                let (value, digits) = number(&mut rest, 16, if braced { 8 } else { 2 });
                if braced {
                    let _ = rest.next_if_eq(&'}');
                }
                if digits == 0 { bytes.extend(b"\\x") } else { bytes.push((value & 0xff) as u8) }
            }
            'u' | 'U' => {
                numbers = true;
                let (value, digits) = number(&mut rest, 16, if escape == 'u' { 4 } else { 8 });
                match char::from_u32(value) {
                    Some(character) if digits > 0 => bytes.extend(character.encode_utf8(&mut put).as_bytes()),
                    _ => bytes.extend(b"\\u"),
                }
            }
            '0'..='7' => {
                if dialect == Dialect::Echo && escape != '0' {
                    // bash's `printf %b` takes `\NNN` too; `echo -e` leaves it. Taking it reads more.
                }
                numbers = true;
                let first = escape.to_digit(8).unwrap_or(0);
                let more = if dialect == Dialect::Echo && escape == '0' { 3 } else { 2 };
                let (value, digits) = number(&mut rest, 8, more);
                bytes.push(((first << (3 * digits)) | value) as u8);
            }
            other => {
                bytes.push(b'\\');
                bytes.extend(other.encode_utf8(&mut put).as_bytes());
            }
        }
    }
    if dialect == Dialect::Quote {
        // A NUL ends the string (bash 5.2).
        if let Some(end) = bytes.iter().position(|&byte| byte == 0) {
            bytes.truncate(end);
        }
    }
    Unescaped { text: String::from_utf8_lossy(&bytes).into_owned(), numbers, ended }
}

fn number(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, most: u32) -> (u32, u32) {
    let (mut value, mut digits) = (0_u32, 0);
    while digits < most {
        let Some(digit) = rest.peek().and_then(|character| character.to_digit(radix)) else { break };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        digits += 1;
        rest.next();
    }
    (value, digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_read_as_in_bash() {
        let cases = [
            (r"\x72\x6d", Dialect::Quote, "rm"),
            (r"\162\155", Dialect::Quote, "rm"),
            (r"\u0072m", Dialect::Quote, "rm"),
            (r"r\'m\n", Dialect::Quote, "r'm\n"),
            (r"\0162m", Dialect::Echo, "rm"),
            (r"\162m", Dialect::Printf, "rm"),
            (r"a\qb", Dialect::Quote, r"a\qb"),
            (r"a\cb", Dialect::Echo, "a"),
        ];
        for (text, dialect, expected) in cases {
            assert_eq!(unescape(text, dialect).text, expected, "{text}");
        }
    }
}
