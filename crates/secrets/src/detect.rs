//! The detector: one pass of the sieve, a check per candidate, layers of encoding undone, overlaps settled.
//!
//! Every hit is decided by what stands in its line and in the few lines before it, never by what comes later, but for keys
//! in armour, which say so ([`Hit::open`]). Streams rely on that.

use std::borrow::Cow;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use doorward_core::Severity;

use crate::assign::{self, Assignment, Style};
use crate::charset::{self, at, before, is};
use crate::checksum::{Check, Verdict};
use crate::custom::CustomRule;
use crate::decode;
use crate::mask;
use crate::name::{self, Kind};
use crate::pem;
use crate::rules::{self, Rule};
use crate::shape::{Set2, Shape};
use crate::sieve::{Sieve, Target};
use crate::structure;
use crate::uri;
use crate::value::{self, Place};

/// How sure a hit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The value looks like it.
    Possible,
    /// The format fits.
    Likely,
    /// A checksum or structure proves the format.
    VerifiedFormat,
}

impl Confidence {
    /// The wire word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Possible => "possible",
            Self::Likely => "likely",
            Self::VerifiedFormat => "verified-format",
        }
    }
}

/// A secret in a text. Holds its place, never its bytes.
#[derive(Clone)]
pub struct Hit {
    /// Its type; in the gate the code is `secret.<slug>`.
    pub slug: Cow<'static, str>,
    /// Critical, high or medium.
    pub severity: Severity,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The only hosts its bytes may go to.
    pub provider_hosts: &'static [&'static str],
    /// How sure.
    pub confidence: Confidence,
    /// `checksum:valid`, `decoded:base64`, …
    pub tags: Vec<&'static str>,
    /// How many bytes from `start` may be shown.
    pub shown: usize,
    /// One sentence.
    pub description: Cow<'static, str>,
    /// The text ended inside it.
    pub open: bool,
    /// Masked wherever text leaves, but not reported: it stands where a secret would and doesn't fit what is known of it.
    pub quiet: bool,
    /// What wins where hits overlap.
    rank: u8,
    rule: Option<&'static Rule>,
}

impl std::fmt::Debug for Hit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {}..{}", self.slug, self.severity.as_str(), self.start, self.end)
    }
}

impl Hit {
    /// Whether it is only a value behind a telling name.
    pub(crate) fn is_guess(&self) -> bool {
        self.rank <= RANK_GENERIC
    }

    /// Whether it is a database's stock password on this machine, as continuous integration and manuals write it.
    pub(crate) fn is_stock(&self) -> bool {
        self.slug == "db-uri" && self.severity == Severity::Medium
    }

    /// What to do about it.
    #[must_use]
    pub fn suggestion(&self) -> Cow<'static, str> {
        self.rule.map_or(
            Cow::Borrowed("Revoke it, then refer to it through the environment or a secret store."),
            |rule| Cow::Owned(rule.suggestion()),
        )
    }

    /// One sentence about its type.
    #[must_use]
    pub fn describe(&self) -> Cow<'static, str> {
        match self.rule {
            Some(rule) if self.description.is_empty() => Cow::Owned(rule.description()),
            _ => self.description.clone(),
        }
    }
}

/// What a search came to.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// Hits in order, none overlapping another.
    pub hits: Vec<Hit>,
    /// A bound on decoding was reached: what lies beyond wasn't looked at, so "no hit" doesn't mean clean.
    pub truncated_decoding: bool,
    /// The text ends in a header of which it can't yet be said whether a key follows: held by streams from here on.
    pub undecided: Option<usize>,
}

/// Finds secrets. Build it once; it is immutable and shared freely.
#[derive(Debug)]
pub struct Detector {
    sieve: Sieve,
    shapes: Vec<(&'static Rule, Shape)>,
    words: Option<AhoCorasick>,
    /// For every word, the rows it stands for.
    near: Vec<usize>,
    contextual: Vec<(&'static Rule, Vec<Shape>)>,
    custom: Vec<CustomRule>,
}

const NAME: Target = 60_000;
const SLASHES: Target = 60_001;
const BEGIN: Target = 60_002;
const PUTTY: Target = 60_003;
const CURL: Target = 60_004;
const IDENTIFIED_BY: Target = 60_005;
const MYSQL: Target = 60_006;
const SIGNATURE: Target = 60_007;
const BASE64_BEGIN: Target = 60_008;
const TINK: Target = 60_009;
const JWK: Target = 60_010;
const CUSTOM: Target = 61_000;

/// Starts of names, in either case.
const NAMES: &[&str] = &[
    "pass", "pwd", "secr", "toke", "cred", "key", "auth", "bear", "cook", "psw", "jwt", "pasw", "pssw",
    "priv", "acce",
];

const RANK_CUSTOM: u8 = 9;
const RANK_PROVIDER: u8 = 7;
const RANK_STRUCTURE: u8 = 6;
const RANK_CONTEXT: u8 = 4;
const RANK_GENERIC: u8 = 2;

/// Lines around an AWS id in which its secret is looked for, and the bytes they may take.
const PAIR_LINES: usize = 5;
const PAIR_BYTES: usize = 1024;

impl Default for Detector {
    fn default() -> Self {
        Self::new()
    }
}

impl Detector {
    /// The shipped rules, built once for the process.
    #[must_use]
    pub fn shared() -> &'static Self {
        static SHARED: std::sync::LazyLock<Detector> = std::sync::LazyLock::new(Detector::new);
        &SHARED
    }

    /// The shipped rules.
    #[must_use]
    pub fn new() -> Self {
        Self::with_rules(Vec::new())
    }

    /// The shipped rules and your own.
    #[must_use]
    pub fn with_rules(custom: Vec<CustomRule>) -> Self {
        let mut patterns: Vec<([Set2; 4], Target)> = Vec::new();
        let mut shapes = Vec::new();
        let mut contextual = Vec::new();
        let mut words: Vec<&'static str> = Vec::new();
        let mut near = Vec::new();
        for rule in rules::all() {
            if rule.words.is_empty() {
                for shape in rule.shapes.iter().filter_map(|shape| Shape::parse(shape)) {
                    let target = Target::try_from(shapes.len()).unwrap_or(Target::MAX);
                    patterns.extend(shape.quads().into_iter().map(|quad| (quad, target)));
                    shapes.push((rule, shape));
                }
            } else {
                words.extend(rule.words);
                near.extend(rule.words.iter().map(|_| contextual.len()));
                contextual
                    .push((rule, rule.shapes.iter().filter_map(|shape| Shape::parse_value(shape)).collect()));
            }
        }
        for (word, slug) in PREFIXED {
            if let Some(rule) = rules::rule(slug) {
                words.push(word);
                near.push(contextual.len());
                contextual.push((rule, Vec::new()));
            }
        }
        let exact = |text: &str| quad(text, Set2::Byte);
        let folded = |text: &str| {
            quad(text, |byte| if byte.is_ascii_alphabetic() { Set2::Letter(byte) } else { Set2::Byte(byte) })
        };
        patterns.extend(NAMES.iter().map(|name| (folded(name), NAME)));
        patterns.extend(name::PROVIDERS.iter().map(|word| (quad_bytes(word, Set2::Letter), NAME)));
        patterns.extend(["pw:", "pw=", "pw\"", "api:", "api="].iter().map(|name| (folded(name), NAME)));
        patterns.extend([
            (exact("://"), SLASHES),
            (exact("BEGI"), BEGIN),
            (exact("PuTT"), PUTTY),
            (exact("curl"), CURL),
            (folded("d by"), IDENTIFIED_BY),
            (exact("mysq"), MYSQL),
            (exact("sig="), SIGNATURE),
            (exact("LS0t"), BASE64_BEGIN),
            (exact("tink"), TINK),
            (exact("kty\""), JWK),
        ]);
        for (index, rule) in custom.iter().enumerate() {
            let target = CUSTOM + Target::try_from(index).unwrap_or(0);
            patterns.push((quad_bytes(rule.literal(), Set2::Byte), target));
        }
        let words = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .match_kind(MatchKind::Standard)
            .prefilter(false)
            .build(words)
            .ok();
        Self { sieve: Sieve::new(patterns), shapes, words, near, contextual, custom }
    }

    /// Secrets in a text of unknown kind: a call's argument, a tool's output, a transcript.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Hit> {
        let mut hits = self.search(text.as_bytes(), Style::Unknown).hits;
        hits.retain(|hit| !hit.quiet);
        hits
    }

    /// Secrets in bytes of a known kind.
    #[must_use]
    pub fn search(&self, text: &[u8], style: Style) -> Search {
        let mut budget = decode::Budget::new(text.len());
        let mut search = self.layer(text, style, 0, &mut budget);
        search.truncated_decoding = budget.exhausted();
        settle(&mut search.hits);
        search
    }

    /// One layer: what stands in the text itself, then what its encoded runs hold.
    pub(crate) fn layer(
        &self,
        text: &[u8],
        style: Style,
        depth: usize,
        budget: &mut decode::Budget,
    ) -> Search {
        let mut pass = Pass { detector: self, text, style, hits: Vec::new(), name_end: 0, undecided: None };
        self.sieve.candidates(text, |pos, target| pass.candidate(pos, target));
        pass.aws_pairs();
        let Pass { mut hits, undecided, .. } = pass;
        if depth < decode::DEPTH {
            decode::layers(self, text, depth, budget, &mut hits);
        }
        Search { hits, truncated_decoding: false, undecided }
    }
}

fn quad(text: &str, of: impl Fn(u8) -> Set2) -> [Set2; 4] {
    quad_bytes(text.as_bytes(), of)
}

fn quad_bytes(text: &[u8], of: impl Fn(u8) -> Set2) -> [Set2; 4] {
    let mut quad = [Set2::Any; 4];
    for (slot, byte) in quad.iter_mut().zip(text) {
        *slot = of(*byte);
    }
    quad
}

/// Providers all of whose credentials have the formats listed, so that another value behind their name is not theirs.
const SINGLE_FORMAT: &[&str] = &[
    "gitea-token",
    "deepgram-key",
    "mistral-key",
    "deepseek-key",
    "cohere-key",
    "codecov-token",
    "wandb-key",
    "snyk-token",
    "kagi-key",
    "opsgenie-key",
    "stability-key",
    "elevenlabs-key",
    "netlify-token",
    "supabase-key",
    "elastic-key",
    "minimax-key",
    "bitly-token",
    "upcloud-token",
    "ollama-key",
    "npm-token",
];

/// Providers all of whose credentials begin with their own prefix, and so with the word in the name but another value
/// behind it: cut short or made up.
const PREFIXED: &[(&str, &str)] = &[
    ("telegram", "telegram-bot"),
    ("apify", "apify-token"),
    ("authress", "authress-key"),
    ("settlemint", "settlemint-token"),
    ("midtrans", "midtrans-key"),
    ("stability", "stability-key"),
    ("tailscale", "tailscale-key"),
    ("buildkite", "buildkite-token"),
    ("duffel", "duffel-token"),
    ("easypost", "easypost-token"),
    ("doppler", "doppler-token"),
    ("pulumi", "pulumi-token"),
];

/// What a provider's word near a value says of it.
enum Context {
    /// The value has the provider's format, and was noted.
    Found,
    /// It has none of the provider's formats.
    Mismatched,
    /// No provider is near.
    None,
}

/// One pass over one text.
struct Pass<'a> {
    detector: &'a Detector,
    text: &'a [u8],
    style: Style,
    hits: Vec<Hit>,
    /// End of the last name looked at, so that `secret_access_key` is read once.
    name_end: usize,
    undecided: Option<usize>,
}

impl Pass<'_> {
    fn candidate(&mut self, pos: usize, target: Target) {
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
            TINK => self.key_value(structure::tink_key(self.text, pos)),
            JWK => self.key_value(structure::jwk_private(self.text, pos)),
            target if target >= CUSTOM => self.custom(pos, usize::from(target - CUSTOM)),
            target => self.provider(pos, usize::from(target)),
        }
    }

    fn push(
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
        let secret = self.text.get(start..end)?;
        self.hits.push(Hit {
            slug: Cow::Borrowed(rule.slug),
            severity: rule.severity,
            start,
            end,
            provider_hosts: rule.hosts,
            confidence,
            tags: Vec::new(),
            shown: mask::shown(secret),
            description: Cow::Borrowed(""),
            open: false,
            quiet: false,
            rank,
            rule: Some(rule),
        });
        self.hits.last_mut()
    }

    /// A provider's format.
    fn provider(&mut self, pos: usize, index: usize) {
        let detector = self.detector;
        let Some((rule, shape)) = detector.shapes.get(index) else { return };
        let Some(found) = shape.match_at(self.text, pos) else { return };
        if !left_boundary(self.text, found.start) {
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
        // `…_extra` and `name.ico-…`: a longer word that happens to hold the format.
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
        if rule.check == Check::Jwt && right == b'.' {
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
        // A prefix that ends in a space (`FlyV1 …`) has left before the token came.
        let start = if before(self.text, found.body) == b' ' { found.body } else { found.start };
        let span = (start, found.end);
        match verdict {
            Verdict::Valid => tags.push("checksum:valid"),
            Verdict::Invalid => tags.push("checksum:invalid"),
            Verdict::Unchecked | Verdict::Reject => {}
        }
        if let Some(hit) = self.push_rule(rule, span, RANK_PROVIDER, confidence) {
            if verdict == Verdict::Invalid {
                hit.severity = Severity::Medium;
            }
            hit.tags = tags;
        }
    }

    /// A telling name, and what stands behind it.
    fn name(&mut self, pos: usize) {
        if pos < self.name_end {
            return;
        }
        if structure::names_a_kubernetes_secret(self.text, pos) {
            for span in structure::kubernetes_values(self.text, pos) {
                self.push("kubernetes-secret", span, RANK_GENERIC + 1, Confidence::Likely);
            }
        }
        let Some(found) = assign::at_name(self.text, pos, self.style) else { return };
        self.name_end = found.name.1;
        match found.kind {
            Kind::Header => return self.header(&found),
            Kind::Cookie => return self.cookie(&found),
            _ => {}
        }
        let mismatched = match self.contextual(&found) {
            Context::Found => return,
            Context::Mismatched => true,
            Context::None => false,
        };
        if !found.holds(self.text) {
            return;
        }
        let quiet = mismatched || self.malformed(found.value);
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

    /// A provider's prefix without its format behind it: cut short or a stand-in, most likely.
    fn malformed(&self, (start, end): (usize, usize)) -> bool {
        let Some(value) = self.text.get(start..end) else { return false };
        self.detector.shapes.iter().any(|(_, shape)| shape.begins(value))
    }

    /// A format that needs its provider's word beside it.
    fn contextual(&mut self, found: &Assignment) -> Context {
        let (start, end) = found.value;
        let Some(token) = self.text.get(start..end) else { return Context::None };
        if !(10..=2048).contains(&token.len())
            || !token.iter().any(u8::is_ascii_digit)
            || value::masked(token)
            || value::placeholder(token)
            || value::reference(token)
        {
            return Context::None;
        }
        let detector = self.detector;
        let Some(words) = &detector.words else { return Context::None };
        let from = found.name.0.saturating_sub(40);
        let Some(head) = self.text.get(from..found.name.1) else { return Context::None };
        let line = head.iter().rposition(|byte| *byte == b'\n').map_or(from, |cut| from + cut + 1);
        let Some(head) = self.text.get(line..found.name.1) else { return Context::None };
        let mut near = false;
        for word in words.find_overlapping_iter(head) {
            let row =
                detector.near.get(word.pattern().as_usize()).and_then(|row| detector.contextual.get(*row));
            let Some((rule, shapes)) = row else { continue };
            // The provider's word is in the name itself, and the name says no more than "key" or "token".
            near |= line + word.start() >= found.name.0
                && (shapes.is_empty() || SINGLE_FORMAT.contains(&rule.slug));
            if !shapes.iter().any(|shape| shape.fits(token)) {
                continue;
            }
            let secret_key = rule.slug == "aws-secret-access-key";
            let poor = crate::entropy::distinct(token) < 6 || !token.iter().any(u8::is_ascii_alphabetic);
            if poor || secret_key && (crate::entropy::entropy(token) < 4.0 || value::documented(token)) {
                continue;
            }
            self.push_rule(rule, (start, end), RANK_CONTEXT, Confidence::Likely);
            return Context::Found;
        }
        if near { Context::Mismatched } else { Context::None }
    }

    /// `Authorization: Bearer …`, `Basic …`, `token …`.
    fn header(&mut self, found: &Assignment) {
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
            self.push("bearer-token", (from, to), RANK_GENERIC, Confidence::Possible);
        }
    }

    /// Values of session cookies.
    fn cookie(&mut self, found: &Assignment) {
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

    fn slashes(&mut self, pos: usize) {
        let Some(found) = uri::at_slashes(self.text, pos) else { return };
        let slug = if found.database { "db-uri" } else { "basic-auth" };
        if let Some(hit) = self.push(slug, (found.start, found.end), RANK_STRUCTURE, Confidence::Likely)
            && found.local
        {
            hit.severity = Severity::Medium;
        }
    }

    fn begin(&mut self, pos: usize) {
        match pem::at_begin(self.text, pos) {
            pem::Found::Nothing => {}
            pem::Found::Undecided(start) => self.undecided = self.undecided.or(Some(start)),
            pem::Found::Key(key) => {
                let from = key.start.saturating_sub(2048);
                let service = self
                    .text
                    .get(from..key.start)
                    .is_some_and(|head| memchr::memmem::find(head, b"service_account").is_some());
                let slug = if service { "google-service-account" } else { "private-key" };
                if let Some(hit) =
                    self.push(slug, (key.start, key.end), RANK_STRUCTURE + 2, Confidence::Likely)
                {
                    hit.shown = key.header - key.start;
                    hit.open = key.open;
                    if key.encrypted {
                        hit.severity = Severity::Medium;
                        hit.tags.push("encrypted");
                    }
                }
            }
        }
    }

    fn putty(&mut self, pos: usize) {
        let Some(key) = pem::at_putty(self.text, pos) else {
            let open = self.text.len() - pos < 4096
                && memchr::memmem::find(self.text.get(pos..).unwrap_or_default(), b"Private-MAC").is_none();
            if open && self.text.get(pos..).is_some_and(|rest| rest.starts_with(b"PuTTY-User-Key-File-")) {
                self.undecided = self.undecided.or(Some(pos));
            }
            return;
        };
        if let Some(hit) =
            self.push("putty-key", (key.start, key.end), RANK_STRUCTURE + 2, Confidence::Likely)
        {
            hit.open = key.open;
            if key.encrypted {
                hit.severity = Severity::Medium;
                hit.tags.push("encrypted");
            }
        }
    }

    /// `curl -u user:password`.
    fn curl(&mut self, pos: usize) {
        let window = self.text.get(pos..(pos + 600).min(self.text.len())).unwrap_or_default();
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

    /// `IDENTIFIED BY 'v'`.
    fn identified_by(&mut self, pos: usize) {
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
    fn mysql(&mut self, pos: usize) {
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
    fn signature(&mut self, pos: usize) {
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

    /// A key written as a field of JSON.
    fn key_value(&mut self, span: Option<(usize, usize)>) {
        if let Some(span) = span {
            self.push("private-key", span, RANK_STRUCTURE, Confidence::Likely);
        }
    }

    /// Base64 of a PEM header: the run is a key.
    fn base64_begin(&mut self, pos: usize) {
        if is(before(self.text, pos), charset::BASE64) {
            return;
        }
        let length = charset::run(self.text, pos, charset::BASE64 | charset::EQUALS, 16 * 1024);
        let Some(head) = self.text.get(pos..pos + length.min(64)) else { return };
        let plain = decode::base64(head);
        let private =
            memchr::memmem::find(&plain, b"PRIVATE KEY").is_some() && plain.starts_with(b"-----BEGIN");
        if private
            && length >= 128
            && let Some(hit) =
                self.push("private-key", (pos, pos + length), RANK_STRUCTURE, Confidence::Likely)
        {
            hit.tags.push("decoded:base64");
        }
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
            open: false,
            quiet: false,
            rank: RANK_CUSTOM,
            rule: None,
        });
    }

    /// An AWS id is critical with its secret near, and 40 random characters near an id are that secret.
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

/// `xxxx…`, `0000…`, `****`: filler, as opposed to a low-entropy token.
fn filler(body: &[u8]) -> bool {
    let filling = body
        .iter()
        .filter(|byte| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'0' | b'#' | b'-' | b'_'))
        .count();
    value::masked(body) && filling * 10 >= body.len() * 8
}

/// Where the search for an id's secret ends: some lines on, bounded in bytes.
fn lines_after(text: &[u8], from: usize) -> usize {
    let window = text.get(from..(from + PAIR_BYTES).min(text.len())).unwrap_or_default();
    memchr::memchr_iter(b'\n', window).nth(PAIR_LINES).map_or(from + window.len(), |line| from + line)
}

/// A run of a header's token.
fn token_length(text: &[u8], from: usize) -> usize {
    charset::run(text, from, charset::TOKEN | charset::class(b'K').unwrap_or(0), 8192)
}

/// No letter, digit or underscore to the left, but for the end of an escape (`\n`, `%3D`, `\u0022`, `\x3d`).
pub(crate) fn left_boundary(text: &[u8], start: usize) -> bool {
    let left = before(text, start);
    if !is(left, charset::ALNUM | charset::UNDERSCORE) {
        return true;
    }
    let back = |count: usize| start.checked_sub(count).map_or(0, |index| at(text, index));
    let hex = |count: usize| (1..=count).all(|index| back(index).is_ascii_hexdigit());
    (back(2) == b'\\' && matches!(left, b'n' | b't' | b'r' | b'b' | b'f'))
        || (back(3) == b'%' && hex(2))
        || (back(4) == b'\\' && back(3) == b'x' && hex(2))
        || (back(6) == b'\\' && back(5) == b'u' && hex(4))
}

/// Orders hits and settles overlaps: the higher rank wins, then the longer, then the more severe.
fn settle(hits: &mut Vec<Hit>) {
    if hits.len() < 2 {
        return;
    }
    hits.sort_by(|left, right| {
        (right.rank, right.end - right.start, right.severity, right.confidence)
            .cmp(&(left.rank, left.end - left.start, left.severity, left.confidence))
            .then(left.start.cmp(&right.start))
    });
    let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
    for hit in hits.drain(..) {
        let place = kept.partition_point(|own| own.end <= hit.start);
        let free = kept.get(place).is_none_or(|own| own.start >= hit.end);
        if free {
            kept.insert(place, hit);
        }
    }
    *hits = kept;
}
