//! Passwords in Oracle's notation `user/password@place`: in a JDBC URL, after a client program, in a `connect`
//! call. Source: Oracle Database JDBC Developer's Guide ("Thin-style Service Name Syntax"), SQL*Plus User's Guide
//! ("logon").

use super::pass::Pass;
use super::{Confidence, RANK_STRUCTURE};
use crate::charset::{self, before, is};
use crate::uri;
use crate::value::{self, Place};

/// Programs whose first plain word is a login, with the part of the name that the sieve searches and its offset.
const PROGRAMS: &[(&[u8], usize)] =
    &[(b"sqlplus", 1), (b"expdp", 0), (b"impdp", 0), (b"sqlldr", 1), (b"rman", 0)];
/// Distance within which a login is searched after its introduction.
const REACH: usize = 300;

impl Pass<'_> {
    /// The login introduced at `pos`: `racl` of `oracle`, or the part of a program's name.
    pub(super) fn oracle(&mut self, pos: usize) {
        let Some(from) = self.after_announcement(pos) else { return };
        let line = self.text.get(from..(from + REACH).min(self.text.len())).unwrap_or_default();
        let line = line.split(|byte| matches!(byte, b'\n' | b';' | b'|')).next().unwrap_or_default();
        let Some((start, end)) = login(line) else { return };
        let Some(password) = line.get(start..end) else { return };
        let place = Place { quoted: true, loose: false, plain: true };
        if value::password(password, place) && !uri::stock(password) {
            self.push("db-uri", (from + start, from + end), RANK_STRUCTURE, Confidence::Likely);
        }
    }

    /// Where the login may begin.
    fn after_announcement(&self, pos: usize) -> Option<usize> {
        let program = PROGRAMS.iter().find_map(|(name, offset)| {
            let start = pos.checked_sub(*offset)?;
            let end = start + name.len();
            let stands = self.text.get(start..end)?.eq_ignore_ascii_case(name)
                && !is(before(self.text, start), charset::WORD)
                && self.text.get(end) == Some(&b' ');
            stands.then_some(end + 1)
        });
        if program.is_some() {
            return program;
        }
        let rest = self.text.get(pos..(pos + 40).min(self.text.len()))?.to_ascii_lowercase();
        let head = self.text.get(pos.saturating_sub(6)..pos)?.to_ascii_lowercase();
        let driver = ["racle:thin:", "racle:oci:", "racle:oci8:", "racle:kprb:"];
        if head.ends_with(b"jdbc:o") {
            return driver.iter().find(|kind| rest.starts_with(kind.as_bytes())).map(|kind| pos + kind.len());
        }
        let calls = ["racle.connect(", "racledb.connect(", "racledb.create_pool("];
        let called = calls.iter().find(|call| rest.starts_with(call.as_bytes()));
        called.filter(|_| head.ends_with(b"o")).map(|call| pos + call.len())
    }
}

/// The password of the first word of the form `user/password@place`; options may come before it.
fn login(line: &[u8]) -> Option<(usize, usize)> {
    let mut from = 0;
    for word in line.split(|byte| *byte == b' ') {
        let start = from;
        from += word.len() + 1;
        let quote = usize::from(matches!(word.first(), Some(b'"' | b'\'')));
        let Some(slash) = memchr::memchr(b'/', word) else { continue };
        let user = word.get(quote..slash)?;
        let named = user.first().is_some_and(u8::is_ascii_alphabetic)
            && user.iter().all(|byte| is(*byte, charset::WORD) || b"$#[]".contains(byte));
        if !named {
            return None;
        }
        let rest = word.get(slash + 1..)?;
        let enclosed = rest.first() == Some(&b'"');
        let begin = usize::from(enclosed);
        let length = match enclosed {
            true => memchr::memchr(b'"', rest.get(1..)?)?,
            false => memchr::memchr(b'@', rest)?,
        };
        let behind = rest.get(begin + length + begin..)?;
        let placed =
            matches!(behind, [b'@', first, ..] if first.is_ascii_alphanumeric() || b"/(".contains(first));
        return placed.then_some((start + slash + 1 + begin, start + slash + 1 + begin + length));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins_are_read() {
        for (line, expected) in [
            ("scott/aB3@//db:1521/orcl", Some("aB3")),
            ("scott/aB3@db:1521:orcl", Some("aB3")),
            ("\"scott/aB3@db\"", Some("aB3")),
            ("-s -L scott/aB3@db.corp/orcl @script", Some("aB3")),
            ("target sys/aB3@orcl", Some("aB3")),
            ("scott/\"a@B3\"@db", Some("a@B3")),
            ("scott/aB3@(DESCRIPTION=(HOST=db))", Some("aB3")),
            ("proxy[scott]/aB3@db", Some("aB3")),
            // Without a place, with a path, without a login.
            ("scott/aB3", None),
            ("/nolog @script", None),
            ("@//db:1521/orcl", None),
            ("./run/it@x", None),
            ("$U/$P", None),
        ] {
            let found = login(line.as_bytes()).map(|(start, end)| line.get(start..end).unwrap());
            assert_eq!(found, expected, "{line}");
        }
    }
}
