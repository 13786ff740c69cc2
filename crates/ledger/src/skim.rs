//! Extracts from an entry the few members that its meaning depends on, without parsing the rest.
//!
//! Works on the ledger's canonical form (no white space; top-level members in any order). Other entries have no
//! meaning here, and that isn't an error: other programs' logs are verified by their hashes alone.

use memchr::memchr2;

/// The members needed to check the meaning, as raw text between quotes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Skim<'a> {
    /// `kind`
    pub(crate) kind: &'a [u8],
    /// `id`
    pub(crate) id: &'a [u8],
    /// `time`
    pub(crate) time: &'a [u8],
    /// `of`
    pub(crate) of: &'a [u8],
    /// `outcome`
    pub(crate) outcome: &'a [u8],
    /// `verdict`
    pub(crate) verdict: &'a [u8],
    /// `custody`
    pub(crate) custody: &'a [u8],
    /// `inspected`
    pub(crate) inspected: &'a [u8],
    /// `v`, as written
    pub(crate) version: &'a [u8],
    /// `out_of_line`, as written
    pub(crate) out_of_line: &'a [u8],
}

/// Scans the top level of an entry. `None` if it isn't a JSON object in the ledger's form.
#[must_use]
pub(crate) fn skim(entry: &[u8]) -> Option<Skim<'_>> {
    let mut found = Skim::default();
    let mut rest = entry.strip_prefix(b"{")?;
    if rest == b"}" {
        return Some(found);
    }
    loop {
        let (key, behind) = string(rest)?;
        rest = behind.strip_prefix(b":")?;
        let slot = match key {
            b"kind" => Some(&mut found.kind),
            b"id" => Some(&mut found.id),
            b"time" => Some(&mut found.time),
            b"of" => Some(&mut found.of),
            b"outcome" => Some(&mut found.outcome),
            b"verdict" => Some(&mut found.verdict),
            b"custody" => Some(&mut found.custody),
            b"inspected" => Some(&mut found.inspected),
            _ => None,
        };
        let whole = match key {
            b"v" => Some(&mut found.version),
            b"out_of_line" => Some(&mut found.out_of_line),
            _ => None,
        };
        match (slot, whole, rest.first()?) {
            (Some(slot), _, b'"') => (*slot, rest) = string(rest)?,
            (_, Some(whole), _) => {
                let behind = skip(rest)?;
                *whole = rest.get(..rest.len().saturating_sub(behind.len()))?;
                rest = behind;
            }
            _ => rest = skip(rest)?,
        }
        match rest.split_first()? {
            (b',', behind) => rest = behind,
            (b'}', []) => return Some(found),
            _ => return None,
        }
    }
}

/// Content of a string, and the text after its closing quote.
fn string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let body = text.strip_prefix(b"\"")?;
    let mut at = 0;
    loop {
        let stop = at + memchr2(b'"', b'\\', body.get(at..)?)?;
        if body.get(stop) == Some(&b'"') {
            return Some((body.get(..stop)?, body.get(stop + 1..)?));
        }
        at = stop + 2;
    }
}

/// The text after one value.
fn skip(text: &[u8]) -> Option<&[u8]> {
    let mut depth = 0_usize;
    let mut rest = text;
    loop {
        let (first, behind) = rest.split_first()?;
        match first {
            b'"' => rest = string(rest)?.1,
            b'{' | b'[' => {
                depth += 1;
                rest = behind;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                rest = behind;
            }
            _ => rest = behind,
        }
        if depth == 0 && matches!(rest.first(), Some(b',' | b'}' | b']') | None) {
            return Some(rest);
        }
    }
}

/// A time in the ledger's format (`2026-01-02T03:04:05[.fraction]Z`), in nanoseconds since 1970.
#[must_use]
pub(crate) fn nanoseconds(time: &[u8]) -> Option<i128> {
    let number = |from: usize, to: usize| -> Option<i64> {
        time.get(from..to)?
            .iter()
            .try_fold(0_i64, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0')))
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let fraction = match time.get(19)? {
        b'Z' => 0,
        b'.' => {
            let digits = time.len().checked_sub(21).filter(|digits| (1..=9).contains(digits))?;
            number(20, 20 + digits)? * 10_i64.pow(u32::try_from(9 - digits).ok()?)
        }
        _ => return None,
    };
    if time.last() != Some(&b'Z') || !(1..=12).contains(&month) {
        return None;
    }
    // Days from civil date, by Howard Hinnant's published formula.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second;
    Some(i128::from(seconds) * 1_000_000_000 + i128::from(fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_members_wherever_they_stand() {
        let entry = concat!(
            r#"{"args":{"id":"inner","x":["}",{"of":"y\"}"}]},"id":"A","kind":"outcome","#,
            r#""n":-1.5e3,"of":"B","outcome":"ran"}"#
        )
        .as_bytes();
        let found = skim(entry).unwrap();
        assert_eq!(
            (found.id, found.kind, found.of, found.outcome),
            (&b"A"[..], &b"outcome"[..], &b"B"[..], &b"ran"[..])
        );
        assert_eq!(skim(b"{}"), Some(Skim::default()));
        for bad in [&b""[..], b"[]", b"{", b"{\"a\":1", b"{\"a\":1}x", b"{\"a\":\"", b"{\"a\\", b"{\"a\":{]"]
        {
            assert_eq!(skim(bad), None, "{}", String::from_utf8_lossy(bad));
        }
    }

    #[test]
    fn times_are_read_as_the_library_reads_them() {
        for text in [
            "1970-01-01T00:00:00Z",
            "2026-11-21T23:05:07.123456789Z",
            "2000-02-29T12:00:00.5Z",
            "1969-12-31T23:59:59.25Z",
        ] {
            let stamp: jiff::Timestamp = text.parse().unwrap();
            assert_eq!(nanoseconds(text.as_bytes()), Some(stamp.as_nanosecond()), "{text}");
        }
        for bad in ["", "2026-11-21", "2026-11-21T23:05:07", "2026-11-21T23:05:07.Z", "2026-13-21T23:05:07Z"]
        {
            assert_eq!(nanoseconds(bad.as_bytes()), None, "{bad}");
        }
    }
}
