//! One pass over one text: each of the sieve's candidates is checked by its rule.

use std::borrow::Cow;

use super::{
    BASE64_BEGIN, BEGIN, CORE_DATA, CURL, CUSTOM, Confidence, Detector, FLAGS, Hit, IDENTIFIED_BY, JWK,
    LOGIN_CALL, MYSQL, NAME, ORACLE, PGPASS, PIPED, PUTTY, RANK_CONTEXT, RANK_CUSTOM, RANK_GENERIC,
    RANK_PROVIDER, Reach, SIGNATURE, SLASHES, TINK, reach,
};
use crate::assign::{self, Assignment, Style};
use crate::charset::{self, at, before, is};
use crate::checksum::{Check, Verdict};
use crate::mask;
use crate::name::{self, Kind};
use crate::pem;
use crate::rules::{self, Rule};
use crate::sieve::Target;
use crate::structure;
use crate::value;
use doorward_core::Severity;

/// Lines around an AWS id in which its secret is searched, and their limit in bytes.
const PAIR_LINES: usize = 5;
pub(super) const PAIR_BYTES: usize = 1024;
/// Limit on three-part token candidates in one word.
const MOST_TOKENS_OF_A_WORD: usize = 128;

/// One pass over one text.
pub(super) struct Pass<'a> {
    pub(super) detector: &'a Detector,
    whole: &'a [u8],
    /// The text that the current rule may read.
    pub(super) text: &'a [u8],
    pub(super) style: Style,
    pub(super) hits: Vec<Hit>,
    /// End of the last candidate's line, including the newline.
    line_end: usize,
    /// End of the last name examined, so that `secret_access_key` is read once.
    name_end: usize,
    /// End of the last word in which a three-part token could begin, and how many could.
    word: (usize, usize),
    pub(super) undecided: Option<usize>,
    pub(super) armour: Option<pem::Body>,
}

impl<'a> Pass<'a> {
    pub(super) fn new(detector: &'a Detector, text: &'a [u8], style: Style) -> Self {
        Self {
            detector,
            whole: text,
            text,
            style,
            hits: Vec::new(),
            line_end: 0,
            name_end: 0,
            word: (0, 0),
            undecided: None,
            armour: None,
        }
    }

    pub(super) fn run(&mut self) {
        self.detector.sieve().candidates(self.whole, |pos, target| self.candidate(pos, target));
        self.text = self.whole;
        self.aws_pairs();
    }

    fn candidate(&mut self, pos: usize, target: Target) {
        if pos >= self.line_end {
            let rest = self.whole.get(pos..).unwrap_or_default();
            self.line_end = memchr::memchr(b'\n', rest).map_or(self.whole.len(), |line| pos + line + 1);
        }
        self.text = match reach(target) {
            Reach::Line => self.whole.get(..self.line_end).unwrap_or_default(),
            Reach::Following | Reach::Armour => self.whole,
        };
        match target {
            NAME => self.name(pos),
            SLASHES => self.slashes(pos),
            BEGIN => self.begin(pos),
            PUTTY => self.putty(pos),
            CURL => self.curl(pos),
            IDENTIFIED_BY => self.identified_by(pos),
            MYSQL => self.mysql(pos),
            SIGNATURE => self.signature(pos),
            BASE64_BEGIN => self.base64_begin(pos),
            TINK => self.key_values(structure::tink_key(self.text, pos)),
            JWK => self.key_values(structure::jwk_private(self.text, pos)),
            LOGIN_CALL => self.login_call(pos),
            CORE_DATA => self.core_data(pos),
            FLAGS => self.flags(pos),
            PIPED => self.piped(pos),
            PGPASS => self.pgpass(pos),
            ORACLE => self.oracle(pos),
            target if target >= CUSTOM => self.custom(pos, usize::from(target - CUSTOM)),
            target => self.provider(pos, usize::from(target)),
        }
    }

    pub(super) fn push(
        &mut self,
        slug: &'static str,
        span: (usize, usize),
        rank: u8,
        confidence: Confidence,
    ) -> Option<&mut Hit> {
        let rule = rules::rule(slug)?;
        self.push_rule(rule, span, rank, confidence)
    }

    fn push_rule(
        &mut self,
        rule: &'static Rule,
        (start, end): (usize, usize),
        rank: u8,
        confidence: Confidence,
    ) -> Option<&mut Hit> {
        let secret = self.whole.get(start..end)?;
        self.hits.push(Hit::of(rule, (start, end), mask::shown(secret), rank, confidence));
        self.hits.last_mut()
    }

    /// Whether no three-part token can begin here, or too many began in the same word. Each candidate reads the
    /// rest of the word, so an unlimited number would take quadratic time.
    fn is_worn_out(&mut self, pos: usize) -> bool {
        if !left_boundary(self.text, pos) {
            return true;
        }
        if pos >= self.word.0 {
            let rest = self.whole.get(pos..).unwrap_or_default();
            let word = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte));
            self.word = (pos + word.count(), 0);
        }
        self.word.1 += 1;
        self.word.1 > MOST_TOKENS_OF_A_WORD
    }

    /// A provider's format.
    fn provider(&mut self, pos: usize, index: usize) {
        let detector = self.detector;
        let Some((rule, shape)) = detector.shapes.get(index) else { return };
        if rule.check == Check::Jwt && self.is_worn_out(pos) {
            return;
        }
        let Some(mut found) = shape.match_at(self.text, pos) else { return };
        if rule.check == Check::Jwt && at(self.text, found.end) == b'.' {
            let Some(end) = further_parts(self.text, found.end) else { return };
            found.end = end;
        }
        if is(at(self.text, found.start), charset::ALNUM | charset::UNDERSCORE)
            && !left_boundary(self.text, found.start)
        {
            return;
        }
        let Some(token) = self.text.get(found.start..found.end) else { return };
        let body = self.text.get(found.body..found.end).unwrap_or_default();
        let verdict = rule.check.verify(token);
        if verdict == Verdict::Reject
            || (found.overlong && verdict != Verdict::Valid)
            || (found.overlong && rule.check == Check::Base32)
        {
            return;
        }
        let fixed = body.len() < 6;
        if !fixed && verdict != Verdict::Valid && filler(body) {
            return;
        }
        // `…_extra` and `name.ico-…`: a longer word that happens to contain the format.
        let (left, right) = (before(self.text, found.start), at(self.text, found.end));
        let digits_only = body.len() >= 20 && body.iter().all(u8::is_ascii_digit);
        if digits_only
            || right == b'_'
                && is(at(self.text, found.end + 1), charset::LOWER)
                && rule.check != Check::CrcBase62
            || left == b'.'
                && found.body - found.start <= 4
                && is(before(self.text, found.start - 1), charset::ALNUM)
        {
            return;
        }
        if rule.check == Check::Jwt
            && token.rsplit(|byte| *byte == b'.').next().is_some_and(|last| {
                last.len() < 20 && last.iter().all(u8::is_ascii_lowercase) && !last.is_empty()
            })
        {
            return;
        }
        let mut tags = Vec::new();
        let example = value::documented(token) && rule.slug.starts_with("aws-");
        let weak = matches!(rule.check, Check::Mixed) && !fixed;
        let words = || !value::random(body, 6) && crate::entropy::language(body).0 > 0.6;
        if example || (weak && (value::placeholder(body) || words())) {
            return;
        }
        let confidence =
            if verdict == Verdict::Valid { Confidence::VerifiedFormat } else { Confidence::Likely };
        // A stream has already released a prefix that ends in a space (`FlyV1 …`) before the token arrives.
        let start = if before(self.text, found.body) == b' ' { found.body } else { found.start };
        let span = (start, found.end);
        match verdict {
            Verdict::Valid => tags.push("checksum:valid"),
            Verdict::Invalid => tags.push("checksum:invalid"),
            Verdict::Unchecked | Verdict::Spoiled | Verdict::Reject => {}
        }
        // Critical types (infrastructure, code, money) are reported even if they look like placeholders.
        let held = value::repeats(body) && !rules::precious(rule.slug);
        if let Some(hit) = self.push_rule(rule, span, RANK_PROVIDER, confidence) {
            if verdict == Verdict::Invalid {
                hit.severity = Severity::Medium;
            }
            hit.tags = tags;
            hit.quiet = held || verdict == Verdict::Spoiled;
        }
    }

    /// Handles a secret-sounding name and its value.
    fn name(&mut self, pos: usize) {
        if pos < self.name_end {
            return;
        }
        if structure::names_a_kubernetes_secret(self.text, pos) {
            for span in structure::kubernetes_values(self.whole, pos) {
                self.push("kubernetes-secret", span, RANK_GENERIC + 1, Confidence::Likely);
            }
        }
        if self.text.trim_ascii_end().last() == Some(&b'>') {
            // The text of an XML element may begin on the next line.
            let blank = self.whole.get(self.line_end..).unwrap_or_default();
            let blank = blank.iter().take(80).take_while(|byte| byte.is_ascii_whitespace()).count();
            let from = self.line_end + blank;
            let line = memchr::memchr(b'\n', self.whole.get(from..).unwrap_or_default());
            self.text =
                self.whole.get(..line.map_or(self.whole.len(), |line| from + line + 1)).unwrap_or_default();
        }
        let found = assign::at_name(self.text, pos, self.style).or_else(|| assign::compared(self.text, pos));
        let header = found.as_ref().is_some_and(|found| matches!(found.kind, Kind::Header | Kind::Cookie));
        let mut holds = !header && found.as_ref().is_some_and(|found| found.holds(self.text));
        // Lazily: the further text is read only if needed.
        let further = || {
            let opens = self.text.trim_ascii_end().last().is_some_and(|last| b"|-+>\"'(".contains(last));
            assign::beside(self.whole, pos, self.style)
                .or_else(|| opens.then(|| assign::below(self.whole, pos)).flatten())
        };
        let further = if header || holds { None } else { further() };
        let elsewhere = further.is_some();
        // Other names on this line are judged independently of later lines.
        if let Some(found) = &found {
            self.name_end = found.name.1;
        }
        let Some(found) = further.or(found) else { return };
        if found.value.1 > self.text.len() {
            // Text after the value's line has no influence.
            let line = memchr::memchr(b'\n', self.whole.get(found.value.1..).unwrap_or_default());
            let end = line.map_or(self.whole.len(), |line| found.value.1 + line + 1);
            self.text = self.whole.get(..end).unwrap_or_default();
        }
        match found.kind {
            Kind::Header => {
                // The text after it was judged with it, including `Bearer`.
                self.name_end = found.value.1;
                return self.header(&found);
            }
            Kind::Cookie => return self.cookie(&found),
            _ => {}
        }
        if self.contextual(&found) {
            return;
        }
        if elsewhere {
            holds = found.holds(self.text);
        }
        if !holds {
            return;
        }
        let quiet = self.negated(found.name)
            || found.kind != Kind::Password
                && self.text.get(found.value.0..found.value.1).is_some_and(value::public)
            || self.documents(found.value)
            || self.is_public(found.name)
            || self.minified(&found)
            || self.in_a_table_of_digests(found.value);
        let slug = match found.kind {
            Kind::Password => "password",
            Kind::Secret => "generic-secret",
            Kind::Token => "generic-token",
            _ => "generic-api-key",
        };
        if let Some(hit) = self.push(slug, found.value, RANK_GENERIC, Confidence::Possible) {
            hit.quiet = quiet;
        }
    }

    /// Whether a name is that of a web analytics key, which every visitor gets.
    fn is_public(&self, (start, end): (usize, usize)) -> bool {
        const KEYS: &[(&str, &str)] = &[
            ("amplitude", "api"),
            ("bugsnag", "api"),
            ("datadog", "client"),
            ("fullstory", "org"),
            ("heap", "app"),
            ("logrocket", "app"),
            ("mixpanel", "token"),
            ("posthog", "project"),
            ("rollbar", "client"),
            ("rudder", "write"),
            ("segment", "write"),
        ];
        const SECRET: &[&str] = &["secret", "private", "personal", "admin", "server", "service"];
        let from = start.saturating_sub(32);
        let head = self.text.get(from..end).unwrap_or_default();
        let head = head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        KEYS.iter().any(|(service, key)| head.contains(service) && head.contains(key))
            && !SECRET.iter().any(|word| head.contains(word))
    }

    /// Values of a Kubernetes secret whose `kind` comes after them.
    fn core_data(&mut self, pos: usize) {
        let colon = pos + 2;
        let Some((indent, encoded)) = structure::core_data(self.text, colon) else { return };
        for (start, end) in structure::values_below(self.text, colon, Some(encoded), indent) {
            let printable = !encoded
                || self.text.get(start..end).is_some_and(|value| {
                    value.len().is_multiple_of(4)
                        && crate::decode::base64(value)
                            .iter()
                            .all(|byte| (b' '..0x7f).contains(byte) || *byte == b'\n')
                });
            if printable {
                self.push("kubernetes-secret", (start, end), RANK_GENERIC + 1, Confidence::Likely);
            }
        }
    }

    /// Whether a non-random value is in a program's documentation comment, which shows how to write one.
    fn documents(&self, (start, end): (usize, usize)) -> bool {
        let head = self.text.get(start.saturating_sub(256)..start).unwrap_or_default();
        let line = head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_start();
        self.style == Style::Source
            && [&b"///"[..], b"//!", b"* "].iter().any(|mark| line.starts_with(mark))
            && !self.text.get(start..end).is_some_and(|value| value::random(value, 10))
    }

    /// Whether the name, or the words right before it, say that no secret follows (`not_a_token`, `Not the API
    /// key:`). A line that merely begins with "Not" says nothing about a later name.
    fn negated(&self, (start, end): (usize, usize)) -> bool {
        const ARTICLES: &[&[u8]] = &[b"the", b"a", b"an", b"your", b"my", b"our", b"any"];
        let head = self.text.get(start.saturating_sub(40)..start).unwrap_or_default();
        let line = head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let mut words = line
            .rsplit(|byte| !byte.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .skip_while(|word| ARTICLES.iter().any(|own| word.eq_ignore_ascii_case(own)));
        let plain = line.iter().all(|byte| byte.is_ascii_alphanumeric() || b" \t#/*-\"'".contains(byte));
        let says = plain && words.by_ref().take(2).any(|word| word.eq_ignore_ascii_case(b"not"));
        says || self.text.get(start..end).is_some_and(name::negated)
    }

    /// Whether quoted hexadecimal is in a table of digests: one of the three lines above has the same behind a name
    /// that suggests no secret.
    pub(super) fn in_a_table_of_digests(&self, (start, end): (usize, usize)) -> bool {
        let quote = before(self.text, start);
        let digest = |value: &[u8]| value.iter().all(u8::is_ascii_hexdigit);
        if !matches!(quote, b'"' | b'\'') || !self.text.get(start..end).is_some_and(digest) {
            return false;
        }
        let head = self.text.get(start.saturating_sub(512)..start).unwrap_or_default();
        head.rsplit(|byte| *byte == b'\n').skip(1).take(3).any(|above| {
            let mut parts = above.rsplit(|byte| *byte == quote);
            let (_, value, _, name) = (parts.next(), parts.next(), parts.next(), parts.next());
            value.is_some_and(|value| value.len() == end - start && digest(value))
                && name.is_some_and(|name| {
                    !name.is_empty()
                        && matches!(name::classify(name), None | Some(Kind::Weak | Kind::Provider))
                })
        })
    }

    /// `{apiKey:"…"}` as in minified browser scripts: a key there is public by design.
    fn minified(&self, found: &Assignment) -> bool {
        found.kind == Kind::Key
            && matches!(before(self.text, found.name.0), b',' | b'{')
            && self.text.get(found.name.1..found.value.0).is_some_and(|gap| matches!(gap, b":\"" | b":'"))
    }

    /// A format that requires its provider's name nearby. A value of another shape is judged like any other.
    fn contextual(&mut self, found: &Assignment) -> bool {
        let (start, end) = found.value;
        let Some(token) = self.text.get(start..end) else { return false };
        if !(10..=2048).contains(&token.len())
            || !token.iter().any(u8::is_ascii_digit)
            || value::masked(token)
            || value::placeholder(token)
            || value::reference(token)
        {
            return false;
        }
        let detector = self.detector;
        let Some(words) = &detector.words else { return false };
        let from = found.name.0.saturating_sub(40);
        let Some(head) = self.text.get(from..found.name.1) else { return false };
        let line = head.iter().rposition(|byte| *byte == b'\n').map_or(from, |cut| from + cut + 1);
        let Some(head) = self.text.get(line..found.name.1) else { return false };
        for word in words.find_overlapping_iter(head) {
            let row =
                detector.near.get(word.pattern().as_usize()).and_then(|row| detector.contextual.get(*row));
            let Some((rule, shapes)) = row else { continue };
            let secret_key = rule.slug == "aws-secret-access-key";
            if !shapes.iter().any(|shape| shape.fits(token)) {
                continue;
            }
            let poor = crate::entropy::distinct(token) < 6 || !token.iter().any(u8::is_ascii_alphabetic);
            if poor || secret_key && (crate::entropy::entropy(token) < 4.0 || value::documented(token)) {
                continue;
            }
            self.push_rule(rule, (start, end), RANK_CONTEXT, Confidence::Likely);
            return true;
        }
        false
    }

    fn custom(&mut self, pos: usize, index: usize) {
        let detector = self.detector;
        let Some(rule) = detector.custom.get(index) else { return };
        let Some((start, end)) = rule.find_around(self.text, pos) else { return };
        let secret = self.text.get(start..end).unwrap_or_default();
        self.hits.push(Hit {
            slug: Cow::Owned(rule.slug().to_owned()),
            severity: rule.severity(),
            start,
            end,
            provider_hosts: &[],
            confidence: Confidence::Likely,
            tags: vec!["custom"],
            shown: mask::shown(secret),
            description: Cow::Owned(rule.description().to_owned()),
            quiet: false,
            rank: RANK_CUSTOM,
            rule: None,
        });
    }

    /// An AWS id is critical if its secret is near; 40 random characters near an id are that secret.
    fn aws_pairs(&mut self) {
        let ids: Vec<(usize, usize)> = self
            .hits
            .iter()
            .filter(|hit| hit.slug == "aws-access-key-id")
            .map(|hit| (hit.start, hit.end))
            .collect();
        for (start, end) in ids {
            let limit = lines_after(self.text, end);
            let mut pos = end;
            let mut paired = false;
            while pos < limit {
                let length = charset::run(self.text, pos, charset::BASE64, 64);
                let span = (pos, pos + length);
                pos += length.max(1);
                if length != 40
                    || is(at(self.text, span.1), charset::EQUALS) && at(self.text, span.1 + 1) == b'='
                {
                    continue;
                }
                let Some(token) = self.text.get(span.0..span.1) else { continue };
                let unnamed = crate::entropy::entropy(token) >= 4.0
                    && !token.iter().all(u8::is_ascii_hexdigit)
                    && !value::documented(token);
                if unnamed && token.iter().any(u8::is_ascii_digit) && token.iter().any(u8::is_ascii_uppercase)
                {
                    paired = true;
                    self.push("aws-secret-access-key", span, RANK_CONTEXT + 1, Confidence::Likely);
                }
            }
            let near =
                |hit: &Hit| hit.slug == "aws-secret-access-key" && hit.start.abs_diff(start) < PAIR_BYTES;
            if (paired || self.hits.iter().any(near))
                && let Some(id) =
                    self.hits.iter_mut().find(|hit| hit.start == start && hit.slug == "aws-access-key-id")
            {
                id.severity = Severity::Critical;
            }
        }
    }
}

/// `xxxx…`, `0000…`, `****`: filler, unlike a low-entropy token.
fn filler(body: &[u8]) -> bool {
    let filling = body
        .iter()
        .filter(|byte| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'0' | b'#' | b'-' | b'_'))
        .count();
    value::masked(body) && filling * 10 >= body.len() * 8
}

/// End of the search for an id's secret: some lines on, limited in bytes.
fn lines_after(text: &[u8], from: usize) -> usize {
    let window = text.get(from..(from + PAIR_BYTES).min(text.len())).unwrap_or_default();
    memchr::memchr_iter(b'\n', window).nth(PAIR_LINES).map_or(from + window.len(), |line| from + line)
}

/// Whether the byte to the left isn't a letter, digit or underscore, unless it ends an escape (`\n`, `%3D`,
/// `\u0022`, `\x3d`).
pub(crate) fn left_boundary(text: &[u8], start: usize) -> bool {
    let left = before(text, start);
    if !is(left, charset::ALNUM | charset::UNDERSCORE) {
        return true;
    }
    let back = |count: usize| start.checked_sub(count).map_or(0, |index| at(text, index));
    let hex = |count: usize| (1..=count).all(|index| back(index).is_ascii_hexdigit());
    (back(2) == b'\\' && matches!(left, b'n' | b't' | b'r' | b'b' | b'f'))
        // A terminal's colour: `\x1b[93m`.
        || (left == b'm' && colour(text, start - 1))
        || (back(3) == b'%' && hex(2))
        || (back(4) == b'\\' && back(3) == b'x' && hex(2))
        || (back(6) == b'\\' && back(5) == b'u' && hex(4))
}

/// Whether the `m` at `pos` ends a terminal colour sequence.
fn colour(text: &[u8], pos: usize) -> bool {
    let digits = text.get(pos.saturating_sub(16)..pos).map_or(0, |head| {
        head.iter().rev().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count()
    });
    before(text, pos - digits) == b'[' && before(text, pos - digits - 1) == 0x1b
}

/// The end of a four- or five-part token whose first three parts end at `pos`: with more parts it is a name, with
/// fewer a sentence.
fn further_parts(text: &[u8], pos: usize) -> Option<usize> {
    let mut end = pos;
    for _ in 0..2 {
        let length = charset::run(text, end + 1, charset::WORD, 8192);
        let part = text.get(end + 1..end + 1 + length).unwrap_or_default();
        let is_word = part.iter().all(u8::is_ascii_lowercase);
        if at(text, end) != b'.' || length < 8 || is_word {
            break;
        }
        end += 1 + length;
    }
    (end > pos && at(text, end) != b'.').then_some(end)
}
