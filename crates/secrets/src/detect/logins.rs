//! Passwords and tokens in `Authorization`, cookies, URLs, `curl -u`, database clients, signatures.

use super::pass::Pass;
use super::{Confidence, RANK_GENERIC, RANK_STRUCTURE};
use crate::assign::Assignment;
use crate::charset::{self, at, before, is};
use crate::decode;
use crate::uri;
use crate::value::{self, Place};
use doorward_core::Severity;

/// A function that takes a password.
pub(super) struct Call {
    name: &'static [u8],
    /// Four bytes of the name for the sieve, and their offset in it.
    pub(super) anchor: &'static str,
    offset: usize,
    /// Index of the password argument, from 0.
    argument: usize,
}

const fn call(name: &'static str, anchor: &'static str, offset: usize, argument: usize) -> Call {
    Call { name: name.as_bytes(), anchor, offset, argument }
}

/// .NET, Java and Python.
pub(super) const CALLS: &[Call] = &[
    call("NetworkCredential", "kCre", 6, 1),
    call("UsernamePasswordCredentials", "dCre", 15, 1),
    call("DirectoryEntry", "ryEn", 7, 2),
    call("PasswordAuthentication", "dAut", 7, 1),
    call("UsernamePasswordAuthenticationToken", "dAut", 15, 1),
    call("HTTPBasicAuth", "icAu", 7, 1),
    call("HTTPDigestAuth", "stAu", 8, 1),
    call("ConvertTo-SecureString", "ureS", 13, 0),
    call("getConnection", "tCon", 2, 2),
    call("PDO", "PDO(", 0, 2),
    call("mysqli", "qli(", 3, 2),
    call("mysqli_connect", "_con", 6, 2),
    call("login", "gin(", 2, 1),
    call("auth=", "uth=", 1, 1),
    call("BasicAuth", "cAut", 4, 1),
];

/// A flag after which some programs take a password.
struct Flag {
    flag: &'static [u8],
    programs: &'static [&'static [u8]],
}

/// From the programs' manuals. `-p` beside a user flag counts for any program.
const FLAGS: &[Flag] = &[
    Flag { flag: b" -p ", programs: &[b"sshpass", b" -u ", b" -U ", b" --user ", b" --username "] },
    Flag { flag: b" -P ", programs: &[b"zip ", b"sqlcmd", b"bcp ", b"mosquitto_", b"isql "] },
    Flag { flag: b" -a ", programs: &[b"redis-cli"] },
    Flag {
        flag: b" -w ",
        programs: &[b"ldapsearch", b"ldapadd", b"ldapmodify", b"ldapdelete", b"ldapwhoami"],
    },
    Flag { flag: b" -pw ", programs: &[b"plink", b"pscp", b"psftp"] },
];

/// Programs that read a password from a pipe.
const PIPED: &[&[u8]] = &[b"sudo -S", b"chpasswd", b"passwd --stdin", b"--password-stdin"];
/// Length read of such a call.
pub(super) const CALL: usize = 512;

/// Length read of a `curl` command line, continued lines included.
pub(super) const CURL_LINE: usize = 600;

impl Pass<'_> {
    /// `Authorization: Bearer …`, `Basic …`, `token …`.
    pub(super) fn header(&mut self, found: &Assignment) {
        let (start, end) = (found.value.0, found.value.1);
        let scheme = charset::run(self.text, start, charset::WORD, 16);
        let mut from = start;
        if at(self.text, start + scheme) == b' ' && scheme >= 4 {
            from = start + scheme + 1;
        }
        let to = if from == start { end } else { from + token_length(self.text, from) };
        let Some(token) = self.text.get(from..to) else { return };
        let basic =
            self.text.get(start..start + scheme).is_some_and(|word| word.eq_ignore_ascii_case(b"basic"));
        if basic {
            let plain = decode::base64(token);
            let Some(colon) = plain.iter().position(|byte| *byte == b':') else { return };
            let password = plain.get(colon + 1..).unwrap_or_default();
            if password.len() >= 3
                && !uri::stock(password)
                && !value::reference(password)
                && !value::masked(password)
            {
                self.push("basic-auth", (from, to), RANK_STRUCTURE, Confidence::Likely);
            }
        } else if !value::ordered(token)
            && value::generic(token, Place { quoted: true, loose: true, plain: false })
        {
            let digest = self.in_a_table_of_digests((from, to));
            if let Some(hit) = self.push("bearer-token", (from, to), RANK_GENERIC, Confidence::Possible) {
                hit.quiet = digest;
            }
        }
    }

    /// Values of session cookies.
    pub(super) fn cookie(&mut self, found: &Assignment) {
        let from = found.value.0;
        let line = self.text.get(from..(from + 4096).min(self.text.len())).unwrap_or_default();
        let line = line.split(|byte| matches!(byte, b'\n' | b'"' | b'\'')).next().unwrap_or_default();
        let mut offset = from;
        for pair in line.split(|byte| *byte == b';') {
            let start = offset;
            offset += pair.len() + 1;
            let Some(equals) = pair.iter().position(|byte| *byte == b'=') else { continue };
            let name = pair.get(..equals).unwrap_or_default().trim_ascii().to_ascii_lowercase();
            let session = name.ends_with(b"sid")
                || [&b"sess"[..], b"auth", b"token", b"jwt"]
                    .iter()
                    .any(|word| name.windows(word.len()).any(|window| window == *word));
            let secret = pair.get(equals + 1..).unwrap_or_default();
            if session && value::random(secret, 16) && !name.starts_with(b"csrf") {
                let start = start + equals + 1;
                self.push(
                    "session-cookie",
                    (start, start + secret.len()),
                    RANK_GENERIC,
                    Confidence::Possible,
                );
            }
        }
    }

    pub(super) fn slashes(&mut self, pos: usize) {
        let Some(found) = uri::at_slashes(self.text, pos) else { return };
        let slug = if found.database { "db-uri" } else { "basic-auth" };
        // A plain word as password, on this machine, an example's host or one without domain: program text shows
        // URLs like this as samples. In a configuration it is a real password.
        let shown = self.style == crate::assign::Style::Source && found.weak && found.nowhere;
        if let Some(hit) = self.push(slug, (found.start, found.end), RANK_STRUCTURE, Confidence::Likely) {
            // The default password of a local database (`user:password@localhost`) is masked, but not a finding.
            hit.quiet = shown || found.stock;
            if found.stock {
                hit.severity = Severity::Medium;
            }
        }
    }

    /// `curl -u user:password`.
    pub(super) fn curl(&mut self, pos: usize) {
        let window = self.text.get(pos..(pos + CURL_LINE).min(self.text.len())).unwrap_or_default();
        let end = memchr::memchr_iter(b'\n', window)
            .find(|line| before(window, *line) != b'\\')
            .unwrap_or(window.len());
        let line = window.get(..end).unwrap_or_default();
        for dash in memchr::memchr_iter(b'-', line).filter(|dash| before(line, *dash).is_ascii_whitespace()) {
            let word = line.get(dash..).unwrap_or_default();
            let flag = word.iter().take(16).take_while(|byte| **byte > b' ' && **byte != b'=').count();
            let after = match word.get(..flag).unwrap_or_default() {
                b"-u" | b"-U" | b"--user" | b"--proxy-user" => flag + 1,
                [b'-', b'u', ..] => 2,
                _ => continue,
            };
            let mut from = pos + dash + after;
            from += usize::from(matches!(at(self.text, from), b'"' | b'\''));
            self.user_and_password(from);
        }
    }

    /// `user:password` at `from`.
    fn user_and_password(&mut self, from: usize) {
        let rest = self.text.get(from..).unwrap_or_default();
        let length =
            rest.iter().take(256).take_while(|byte| **byte > b' ' && !b"\"'`".contains(byte)).count();
        let pair = rest.get(..length).unwrap_or_default();
        let Some(colon) = pair.iter().position(|byte| *byte == b':') else { return };
        let (user, password) =
            (pair.get(..colon).unwrap_or_default(), pair.get(colon + 1..).unwrap_or_default());
        let (span, holds) = if password.is_empty() {
            ((from, from + colon), value::random(user, 10))
        } else {
            let stand_in = password.len() < 4
                || uri::stock(password)
                || value::reference(password)
                || value::masked(password)
                || value::placeholder(password)
                || password.iter().all(u8::is_ascii_lowercase);
            ((from + colon + 1, from + length), !stand_in)
        };
        if holds {
            self.push("basic-auth", span, RANK_STRUCTURE, Confidence::Likely);
        }
    }

    /// `new NetworkCredential("user", "password")`, `ConvertTo-SecureString "password" -AsPlainText`.
    pub(super) fn login_call(&mut self, pos: usize) {
        let text = self.text;
        let named = CALLS.iter().find_map(|call| {
            let start = pos.checked_sub(call.offset)?;
            let end = start + call.name.len();
            let name = text.get(start..end)? == call.name && !is(before(text, start), charset::WORD);
            name.then_some((call, end))
        });
        let Some((call, end)) = named else { return };
        let window = text.get(end..(end + CALL).min(text.len())).unwrap_or_default();
        let bracket = window.iter().take_while(|byte| **byte == b' ').count();
        let (mut from, bare) = match window.get(bracket) {
            Some(b'(') => (bracket + 1, false),
            Some(_) if call.argument == 0 => (bracket, true),
            _ => return,
        };
        if bare && window.get(from..).is_some_and(|rest| rest.starts_with(b"-String ")) {
            from += 8;
        }
        for argument in 0..=call.argument {
            from += window.get(from..).map_or(0, |rest| {
                rest.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b',').count()
            });
            let Some((start, length)) = quoted(window, from) else { return };
            if argument == call.argument {
                let plain = Place { quoted: true, loose: false, plain: true };
                let secret = window.get(start..start + length).unwrap_or_default();
                if value::password(secret, plain) && !uri::stock(secret) {
                    self.push(
                        "password",
                        (end + start, end + start + length),
                        RANK_GENERIC,
                        Confidence::Likely,
                    );
                }
            }
            from = start + length + 1;
        }
    }

    /// `-u user … -p password` and similar flags of a command line.
    pub(super) fn flags(&mut self, pos: usize) {
        let head = self.text.get(pos.saturating_sub(200)..=pos).unwrap_or_default();
        let line = head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let rest = self.text.get(pos..).unwrap_or_default();
        let Some(found) = FLAGS.iter().find(|flag| rest.starts_with(flag.flag)) else { return };
        let known = found.programs.iter().any(|word| memchr::memmem::find(line, word).is_some());
        if self.style != crate::assign::Style::Source && known {
            self.word_of_a_command(pos + found.flag.len());
        }
    }

    /// A password as a separate word of a command line.
    fn word_of_a_command(&mut self, from: usize) {
        let quote = at(self.text, from);
        let quoted = matches!(quote, b'"' | b'\'');
        let from = from + usize::from(quoted);
        let length = self.text.get(from..).map_or(0, |rest| {
            rest.iter()
                .take(128)
                .take_while(|byte| match quoted {
                    true => **byte != quote && **byte > b' ',
                    false => **byte > b' ' && !b"\"'`;|)".contains(byte),
                })
                .count()
        });
        let place = Place { quoted, loose: false, plain: true };
        if self.text.get(from..from + length).is_some_and(|password| value::password(password, place)) {
            self.push("password", (from, from + length), RANK_GENERIC, Confidence::Likely);
        }
    }

    /// `echo password | sudo -S …`, `echo "user:password" | chpasswd`.
    pub(super) fn piped(&mut self, pos: usize) {
        let line = self.text.get(pos..(pos + 200).min(self.text.len())).unwrap_or_default();
        let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let Some(pipe) = memchr::memchr(b'|', line) else { return };
        let reads = line.get(pipe..).unwrap_or_default();
        if self.style == crate::assign::Style::Source
            || is(before(self.text, pos), charset::WORD)
            || !PIPED.iter().any(|program| memchr::memmem::find(reads, program).is_some())
        {
            return;
        }
        let mut said = line.get(..pipe).unwrap_or_default();
        let mut from = pos;
        while let Some(blank) = said.iter().position(|byte| *byte == b' ') {
            let word = said.get(..blank).unwrap_or_default();
            if from > pos && !word.starts_with(b"-") && !word.trim_ascii_start().starts_with(b"'%") {
                break;
            }
            let next = said.get(blank..).unwrap_or_default();
            let gap = blank + next.iter().take_while(|byte| **byte == b' ').count();
            (said, from) = (said.get(gap..).unwrap_or_default(), from + gap);
        }
        let quote = usize::from(matches!(said.first(), Some(b'"' | b'\'')));
        let user = said
            .iter()
            .position(|byte| *byte == b':')
            .filter(|_| memchr::memmem::find(reads, b"chpasswd").is_some());
        let start = from + user.map_or(quote, |colon| colon + 1);
        let length = self.text.get(start..pos + pipe).map_or(0, |rest| {
            rest.iter().take(128).take_while(|byte| **byte > b' ' && !b"\"'`".contains(byte)).count()
        });
        let place = Place { quoted: true, loose: false, plain: true };
        if self.text.get(start..start + length).is_some_and(|password| value::password(password, place)) {
            self.push("password", (start, start + length), RANK_GENERIC, Confidence::Likely);
        }
    }

    /// `host:5432:database:user:password`, a line of `.pgpass`, with its port at `pos`.
    pub(super) fn pgpass(&mut self, pos: usize) {
        let head = self.text.get(pos.saturating_sub(128)..pos).unwrap_or_default();
        let host = head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = self.text.get(pos + 1..(pos + 400).min(self.text.len())).unwrap_or_default();
        let line = line.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
        let plain = |text: &[u8]| text.iter().all(|byte| is(*byte, charset::WORD) || b".*\\".contains(byte));
        let mut fields = line.splitn(4, |byte| *byte == b':');
        let (Some(port), Some(database), Some(user), Some(password)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return;
        };
        let shaped = !host.is_empty() && plain(host) && port.iter().all(u8::is_ascii_digit);
        let start = pos + 1 + port.len() + database.len() + user.len() + 3;
        let place = Place { quoted: true, loose: false, plain: true };
        if shaped
            && plain(database)
            && plain(user)
            && value::password(password, place)
            && !uri::stock(password)
        {
            self.push("password", (start, start + password.len()), RANK_STRUCTURE, Confidence::Likely);
        }
    }

    /// `IDENTIFIED BY 'v'`.
    pub(super) fn identified_by(&mut self, pos: usize) {
        let head = self.text.get(pos.saturating_sub(9)..pos).unwrap_or_default();
        let quote = at(self.text, pos + 5);
        if !head.eq_ignore_ascii_case(b"identifie") {
            return;
        }
        if !matches!(quote, b'\'' | b'"') {
            let start = pos + 5;
            let length = self.text.get(start..).map_or(0, |rest| {
                rest.iter().take(128).take_while(|byte| **byte > b' ' && !b"\"'`;)\\".contains(byte)).count()
            });
            if self.text.get(start..start + length).is_some_and(|password| value::random(password, 8)) {
                self.push("password", (start, start + length), RANK_GENERIC, Confidence::Likely);
            }
            return;
        }
        let start = pos + 6;
        let rest = self.text.get(start..(start + 130).min(self.text.len())).unwrap_or_default();
        let Some(length) = rest.iter().position(|byte| *byte == quote) else { return };
        if value::password(
            rest.get(..length).unwrap_or_default(),
            Place { quoted: true, loose: false, plain: false },
        ) {
            self.push("password", (start, start + length), RANK_GENERIC, Confidence::Likely);
        }
    }

    /// `mysql … -pPASSWORD`.
    pub(super) fn mysql(&mut self, pos: usize) {
        let window = self.text.get(pos..(pos + 300).min(self.text.len())).unwrap_or_default();
        let line = window.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let Some(flag) = memchr::memmem::find(line, b" -p") else { return };
        let mut from = pos + flag + 3;
        if matches!(at(self.text, from), b'"' | b'\'') {
            from += 1;
        }
        let to = from
            + self.text.get(from..).map_or(0, |rest| {
                rest.iter().take(128).take_while(|byte| **byte > b' ' && !b"\"'`;|".contains(byte)).count()
            });
        if self.text.get(from..to).is_some_and(|password| {
            value::password(password, Place { quoted: true, loose: false, plain: false })
        }) {
            self.push("password", (from, to), RANK_GENERIC, Confidence::Likely);
        }
    }

    /// `sig=` of an Azure shared access signature.
    pub(super) fn signature(&mut self, pos: usize) {
        if !matches!(before(self.text, pos), b'&' | b'?' | b';' | b'"' | b'\'') {
            return;
        }
        let start = pos + 4;
        let length = self.text.get(start..).map_or(0, |rest| {
            rest.iter()
                .take(160)
                .take_while(|byte| is(**byte, charset::BASE64 | charset::EQUALS) || **byte == b'%')
                .count()
        });
        let from = pos.saturating_sub(400);
        let head = self.text.get(from..pos).unwrap_or_default();
        let line = head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let signed = [&b"se="[..], b"sv="].iter().any(|field| memchr::memmem::find(line, field).is_some());
        if length >= 43
            && signed
            && self.text.get(start..start + length).is_some_and(|secret| !value::masked(secret))
        {
            self.push("azure-sas", (start, start + length), RANK_STRUCTURE, Confidence::Likely);
        }
    }
}

/// Start and length of the quoted text that opens at `from`.
fn quoted(window: &[u8], from: usize) -> Option<(usize, usize)> {
    let quote = *window.get(from).filter(|byte| matches!(byte, b'"' | b'\''))?;
    let inner = window.get(from + 1..)?;
    let length = inner.iter().position(|byte| matches!(byte, b'\n') || *byte == quote)?;
    (inner.get(length) == Some(&quote)).then_some((from + 1, length))
}

/// Length of a header's token.
fn token_length(text: &[u8], from: usize) -> usize {
    charset::run(text, from, charset::TOKEN | charset::class(b'K').unwrap_or(0), 8192)
}
