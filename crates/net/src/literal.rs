//! The IPv4 address that each kind of reader sees in a host text.
//!
//! Programs read the same text as different addresses: `010.8.8.8` is 8.8.8.8 to the C library and 10.8.8.8 to a
//! decimal reader. The guard refuses every spelling but the canonical one. The readings here serve messages,
//! classes, and tests that compare them with the real readers.

use std::net::Ipv4Addr;

/// Whether a host without brackets is an IPv4 address in its one canonical spelling (one end dot allowed).
#[must_use]
pub fn canonical_v4(host: &str) -> Option<Ipv4Addr> {
    host.strip_suffix('.').unwrap_or(host).parse().ok()
}

/// Whether the last label makes a WHATWG reader parse the host as IPv4: decimal, or `0x` and hex.
#[must_use]
pub fn ends_in_number(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    let last = host.rsplit('.').next().unwrap_or(host);
    let hex = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
    match hex {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

/// Code points of the digit zero in scripts beyond ASCII (Unicode 16, general category Nd), sorted. One to nine
/// follow each.
const DIGIT_ZEROS: &[u32] = &[
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6,
    0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0,
    0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30,
    0x10d40, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x116d0,
    0x116da, 0x11730, 0x118e0, 0x11950, 0x11bf0, 0x11c50, 0x11d50, 0x11da0, 0x11f50, 0x16130, 0x16a60,
    0x16ac0, 0x16b50, 0x16d70, 0x1ccf0, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0,
    0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0,
];

/// The host with decimal digits of all scripts replaced by ASCII ones; `None` if it has no others. Java's
/// `Integer.parseInt`, Python's `int` and Perl's `\d` accept them all; WHATWG readers accept some.
#[must_use]
pub fn with_ascii_digits(host: &str) -> Option<String> {
    if host.is_ascii() {
        return None;
    }
    let digit = |c: char| {
        let code = u32::from(c);
        let zero = DIGIT_ZEROS.partition_point(|zero| *zero <= code).checked_sub(1);
        let value = code - DIGIT_ZEROS.get(zero?)?;
        char::from_digit(value, 10)
    };
    let read: String = host.chars().map(|c| digit(c).unwrap_or(c)).collect();
    (read != host).then_some(read)
}

/// The reading of the C library (`inet_aton`): one to four parts, each decimal, octal (`0…`) or hex (`0x…`), the
/// last one filling the rest. White space, and everything after it, is ignored.
#[must_use]
pub fn inet_aton(text: &str) -> Option<Ipv4Addr> {
    let text = text.split([' ', '\t', '\n', '\r', '\x0b', '\x0c']).next()?;
    numbers(text, |part| {
        let (digits, radix) = match part.strip_prefix("0x").or_else(|| part.strip_prefix("0X")) {
            Some(hex) => (hex, 16),
            None if part.len() > 1 && part.starts_with('0') => (part, 8),
            None => (part, 10),
        };
        unsigned(digits, radix)
    })
}

/// The reading of a parser that takes every part as decimal, even with leading zeros.
#[must_use]
pub fn decimal(text: &str) -> Option<Ipv4Addr> {
    numbers(text, |part| unsigned(part, 10))
}

/// The reading of a WHATWG parser, which also drops one final dot and reads `0x` as zero.
#[must_use]
pub fn whatwg(text: &str) -> Option<Ipv4Addr> {
    match url::Host::parse(text) {
        Ok(url::Host::Ipv4(address)) => Some(address),
        _ => None,
    }
}

/// All addresses that some reader sees in a host text.
pub fn readings(host: &str) -> impl Iterator<Item = Ipv4Addr> {
    let undotted = host.strip_suffix('.').unwrap_or(host);
    [inet_aton(undotted), decimal(undotted), whatwg(host)].into_iter().flatten()
}

fn unsigned(digits: &str, radix: u32) -> Option<u32> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if plain { u32::from_str_radix(digits, radix).ok() } else { None }
}

fn numbers(text: &str, read: impl Fn(&str) -> Option<u32>) -> Option<Ipv4Addr> {
    let parts: Vec<u32> = text.split('.').map(read).take(5).collect::<Option<_>>()?;
    let (last, leading) = parts.split_last().filter(|_| parts.len() <= 4)?;
    let mut bits: u32 = 0;
    for (part, shift) in leading.iter().zip([24, 16, 8]) {
        bits |= u32::from(u8::try_from(*part).ok()?) << shift;
    }
    let room = u32::MAX.checked_shr(8 * u32::try_from(leading.len()).ok()?).unwrap_or(0);
    (*last <= room).then(|| Ipv4Addr::from_bits(bits | last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script() {
        assert!(DIGIT_ZEROS.is_sorted());
        for (host, read) in [
            ("\u{661}\u{662}\u{667}.\u{660}.\u{660}.\u{661}", Some("127.0.0.1")),
            ("\u{967}\u{966}.\u{966}.\u{966}.\u{967}", Some("10.0.0.1")),
            ("\u{1e951}.example", Some("1.example")),
            ("\u{66a}.example", None),
            ("b\u{fc}cher.example", None),
            ("127.0.0.1", None),
        ] {
            assert_eq!(with_ascii_digits(host).as_deref(), read, "{host}");
        }
    }

    #[test]
    fn readers_disagree_as_measured() {
        // text, C library, decimal reader, WHATWG
        let home = Some(Ipv4Addr::LOCALHOST);
        for (text, aton, dec, web) in [
            ("2130706433", home, home, home),
            ("0x7f000001", home, None, home),
            ("017700000001", home, None, home),
            ("0177.0.0.1", home, Some([177, 0, 0, 1].into()), home),
            ("127.1", home, home, home),
            ("127.0.1", home, home, home),
            (
                "127.65536",
                Some([127, 1, 0, 0].into()),
                Some([127, 1, 0, 0].into()),
                Some([127, 1, 0, 0].into()),
            ),
            ("010.8.8.8", Some([8, 8, 8, 8].into()), Some([10, 8, 8, 8].into()), Some([8, 8, 8, 8].into())),
            ("127.0.0.1.", None, None, home),
            ("0x", None, None, Some([0, 0, 0, 0].into())),
            ("127.16777216", None, None, None),
            ("4294967296", None, None, None),
            ("256.256.256.256", None, None, None),
            ("08.8.8.8", None, Some([8, 8, 8, 8].into()), None),
            ("1.2.3.4.5", None, None, None),
            ("127..0.1", None, None, None),
            ("+127.0.0.1", None, None, None),
            ("example.com", None, None, None),
        ] {
            assert_eq!(inet_aton(text), aton, "inet_aton {text}");
            assert_eq!(decimal(text), dec, "decimal {text}");
            assert_eq!(whatwg(text), web, "whatwg {text}");
        }
    }
}
