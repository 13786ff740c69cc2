//! Which IPv4 address each kind of reader sees in a host text.
//!
//! The same text is another address to another program: `010.8.8.8` is 8.8.8.8 to the C library and 10.8.8.8
//! to a decimal reader. The guard refuses every spelling but the canonical one; this module says what was
//! meant, for messages, for classes, and for the tests that compare with the real readers.

use std::net::Ipv4Addr;

/// Whether a host without brackets is an IPv4 address in its one canonical spelling (one end dot allowed).
#[must_use]
pub fn canonical_v4(host: &str) -> Option<Ipv4Addr> {
    host.strip_suffix('.').unwrap_or(host).parse().ok()
}

/// Whether the last label makes a WHATWG reader take the host for an IPv4 address: decimal, or `0x` and hex.
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

/// What the C library reads (`inet_aton`): one to four parts, each decimal, octal (`0…`) or hex (`0x…`), the
/// last one filling the rest. Trailing white space and what follows it are ignored.
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

/// What a reader sees that takes every part for decimal, leading zeros or not.
#[must_use]
pub fn decimal(text: &str) -> Option<Ipv4Addr> {
    numbers(text, |part| unsigned(part, 10))
}

/// What a WHATWG reader sees, which also drops one end dot and takes `0x` for zero.
#[must_use]
pub fn whatwg(text: &str) -> Option<Ipv4Addr> {
    match url::Host::parse(text) {
        Ok(url::Host::Ipv4(address)) => Some(address),
        _ => None,
    }
}

/// Every address some reader sees in a host text.
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
