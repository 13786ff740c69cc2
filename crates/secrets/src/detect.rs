//! The detector: one pass of the sieve, a check per candidate, layers of encoding decoded, overlaps resolved.
//!
//! Every hit is decided by its own line and at most [`BEHIND`] bytes before it, never by a later line; only
//! armoured keys continue over lines, and report that ([`Search::armour`]). Streams rely on this, so it is enforced
//! here: a rule gets the text up to the end of its line, unless its row in [`reach`] says that its hits lie further
//! on.

use std::borrow::Cow;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use doorward_core::Severity;

use crate::assign::Style;
use crate::custom::CustomRule;
use crate::decode;
use crate::disguise;
use crate::events;
use crate::name;
use crate::pem;
use crate::rules::{self, Rule};
use crate::shape::{Set2, Shape};
use crate::sieve::{Sieve, Target};

mod keys;
mod logins;
mod oracle;
mod pass;

use pass::Pass;

/// Confidence of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The value looks like one.
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

/// A secret in a text. Holds its position, never its bytes.
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
    /// Masked in all output but not reported: it is in a secret's place, but doesn't fit its known format.
    pub quiet: bool,
    /// Decides between overlapping hits.
    rank: u8,
    rule: Option<&'static Rule>,
}

impl std::fmt::Debug for Hit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {}..{}", self.slug, self.severity.as_str(), self.start, self.end)
    }
}

impl Hit {
    /// Whether it is only a value behind a secret-sounding name.
    pub(crate) fn is_guess(&self) -> bool {
        self.rank <= RANK_GENERIC
    }

    /// Whether it isn't a secret but a run that couldn't be decoded within bounds.
    pub(crate) fn is_undecoded(&self) -> bool {
        self.rank == RANK_UNDECODED
    }

    /// `undecoded-text`: its content wasn't searched.
    pub(crate) fn undecoded(start: usize, end: usize) -> Option<Self> {
        let rule = rules::rule("undecoded-text")?;
        Some(Self::of(rule, (start, end), 0, RANK_UNDECODED, Confidence::Possible))
    }

    fn of(
        rule: &'static Rule,
        (start, end): (usize, usize),
        shown: usize,
        rank: u8,
        confidence: Confidence,
    ) -> Self {
        Self {
            slug: Cow::Borrowed(rule.slug),
            severity: rule.severity,
            start,
            end,
            provider_hosts: rule.hosts,
            confidence,
            tags: Vec::new(),
            shown,
            description: Cow::Borrowed(""),
            quiet: false,
            rank,
            rule: Some(rule),
        }
    }

    /// Whether it is of a kind that tests and manuals invent: a guess, a key, or a token or URL without a provider.
    pub(crate) fn is_common(&self) -> bool {
        self.is_guess()
            || matches!(
                &*self.slug,
                "private-key"
                    | "google-service-account"
                    | "putty-key"
                    | "vapid-key"
                    | "jwt"
                    | "basic-auth"
                    | "db-uri"
                    | "kubernetes-secret"
            )
    }

    /// Whether it is a well-known default password of a local database, as used in continuous integration and
    /// manuals.
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

/// Result of a search.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// Hits in order, none overlapping another.
    pub hits: Vec<Hit>,
    /// A decoding limit was reached: the rest wasn't searched, so "no hit" doesn't mean clean.
    pub truncated_decoding: bool,
    pub(crate) masks: Vec<Mask>,
    /// Start of the last header for which it isn't known yet whether a key follows.
    pub(crate) undecided: Option<usize>,
    /// A key that continues beyond the end of the text.
    pub(crate) armour: Option<pem::Body>,
}

/// Bytes to remove from a text, and how many of them may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mask {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Bytes from `start` that may stay.
    pub shown: usize,
}

impl Search {
    /// Byte ranges to mask, ordered by start. Includes all hits, even quiet or overlapping ones, so that one hit
    /// can't uncover another.
    #[must_use]
    pub fn masks(&self) -> &[Mask] {
        &self.masks
    }
}

/// Finds secrets. Build it once; it is immutable and can be shared.
#[derive(Debug)]
pub struct Detector {
    sieve: Sieve,
    shapes: Vec<(&'static Rule, Shape)>,
    words: Option<AhoCorasick>,
    /// The rows of every context word.
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
const LOGIN_CALL: Target = 60_011;
const CORE_DATA: Target = 60_012;
const FLAGS: Target = 60_013;
const PIPED: Target = 60_014;
const PGPASS: Target = 60_015;
const ORACLE: Target = 60_016;
const CUSTOM: Target = 61_000;

/// Limit on how far a rule looks back from any byte of its hit: the context that a stream keeps.
pub(crate) const BEHIND: usize = 4 * 1024;

/// How far a rule reads after its candidate position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// To the end of the line.
    Line,
    /// Into later lines, for hits there, at most [`BEHIND`] away. Earlier lines are judged without them.
    Following,
    /// To the end of the key.
    Armour,
}

/// The reach of every target. Others stay on their line.
const fn reach(target: Target) -> Reach {
    match target {
        BEGIN | PUTTY => Reach::Armour,
        CURL | TINK | JWK | LOGIN_CALL | CORE_DATA => Reach::Following,
        _ => Reach::Line,
    }
}

/// Starts of names, in either case.
const NAMES: &[&str] = &[
    "pass", "pwd", "secr", "toke", "cred", "key", "auth", "bear", "cook", "psw", "jwt", "pasw", "pssw",
    "priv", "acce",
];

/// Names too short to be searched without the following separator.
const SHORT_NAMES: &[&str] =
    &["pw:", "pw=", "pw\"", "psk=", "psk\"", "pat=", "pat:", "pat\"", "api:", "api="];

const RANK_UNDECODED: u8 = 1;
const RANK_CUSTOM: u8 = 9;
const RANK_PROVIDER: u8 = 7;
const RANK_STRUCTURE: u8 = 6;
const RANK_CONTEXT: u8 = 4;
const RANK_GENERIC: u8 = 2;

impl Default for Detector {
    fn default() -> Self {
        Self::new()
    }
}

impl Detector {
    /// The shipped rules, built once per process.
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

    /// The shipped rules and custom ones.
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
        let exact = |text: &str| quad(text, Set2::Byte);
        let folded = |text: &str| {
            quad(text, |byte| if byte.is_ascii_alphabetic() { Set2::Letter(byte) } else { Set2::Byte(byte) })
        };
        patterns.extend(NAMES.iter().map(|name| (folded(name), NAME)));
        patterns.extend(name::PROVIDERS.iter().map(|word| (quad_bytes(word, Set2::Letter), NAME)));
        patterns.extend(SHORT_NAMES.iter().map(|name| (folded(name), NAME)));
        patterns.extend([
            (exact("://"), SLASHES),
            (exact("BEGI"), BEGIN),
            (exact("Priv"), PUTTY),
            (exact("curl"), CURL),
            (folded("d by"), IDENTIFIED_BY),
            (exact("mysq"), MYSQL),
            (exact("sig="), SIGNATURE),
            (exact("LS0t"), BASE64_BEGIN),
            (exact("tink"), TINK),
            (exact("kty\""), JWK),
            (exact("ta:\n"), CORE_DATA),
            (exact("ta:\r"), CORE_DATA),
            (exact(" -p "), FLAGS),
            (exact(" -P "), FLAGS),
            (exact(" -a "), FLAGS),
            (exact(" -w "), FLAGS),
            (exact(" -pw"), FLAGS),
            (exact("echo"), PIPED),
            (exact("prin"), PIPED),
            (exact(":543"), PGPASS),
            (folded("racl"), ORACLE),
            (folded("qlpl"), ORACLE),
            (folded("expd"), ORACLE),
            (folded("impd"), ORACLE),
            (folded("qlld"), ORACLE),
            (folded("rman"), ORACLE),
            (exact("7z a"), MYSQL),
            (exact("7z x"), MYSQL),
        ]);
        patterns.extend(logins::CALLS.iter().map(|call| (exact(call.anchor), LOGIN_CALL)));
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

    /// Finds secrets in a text of unknown kind: a call's argument, a tool's output, a transcript. Encoded text that
    /// couldn't be searched within bounds counts as one (`undecoded-text`), because it may not be clean.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Hit> {
        let mut hits = self.search_whole(text.as_bytes(), Style::Unknown).hits;
        hits.retain(|hit| !hit.quiet);
        hits
    }

    /// Finds secrets in bytes of a known kind, as in a stream.
    #[must_use]
    pub fn search(&self, text: &[u8], style: Style) -> Search {
        self.search_layers(text, style, false)
    }

    /// The same, plus what only a whole text shows: base64 folded over lines.
    #[must_use]
    pub fn search_whole(&self, text: &[u8], style: Style) -> Search {
        self.search_layers(text, style, true)
    }

    fn search_layers(&self, text: &[u8], style: Style, whole: bool) -> Search {
        let mut pass = Pass::new(self, text, style);
        pass.run();
        let lines = decode::layers(self, text, &mut pass.hits);
        if whole {
            decode::folded(self, text, &lines, &mut pass.hits);
            events::search(self, text, &mut pass.hits);
            let known = pass.hits.len();
            disguise::search(self, text, &mut pass.hits);
            let guesses = pass.hits.split_off(known).into_iter().filter(|hit| !hit.is_guess());
            pass.hits.extend(guesses);
        }
        let Pass { mut hits, undecided, armour, .. } = pass;
        let mut masks: Vec<Mask> =
            hits.iter().map(|hit| Mask { start: hit.start, end: hit.end, shown: hit.shown }).collect();
        masks.sort_unstable();
        settle(&mut hits);
        let truncated_decoding = hits.iter().any(Hit::is_undecoded);
        Search { hits, truncated_decoding, masks, undecided, armour }
    }

    /// Hits in a decoded text and in its own encoded runs.
    pub(crate) fn inner(&self, text: &[u8], depth: usize, budget: &mut decode::Budget) -> Vec<Hit> {
        let mut pass = Pass::new(self, text, Style::Unknown);
        pass.run();
        decode::deeper(self, text, depth, budget, &mut pass.hits);
        pass.hits
    }

    /// Hits in a text joined from pieces.
    pub(crate) fn joined(&self, text: &[u8]) -> Vec<Hit> {
        let mut hits = self.search_layers(text, Style::Unknown, false).hits;
        hits.retain(|hit| !hit.quiet);
        hits
    }

    pub(crate) fn sieve(&self) -> &Sieve {
        &self.sieve
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

/// Orders hits and resolves overlaps: the higher rank wins, then the longer, then the more severe.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rule_that_reads_on_reads_further_than_a_stream_remembers() {
        for reach in [
            crate::structure::REACH,
            crate::structure::OBJECT,
            pass::PAIR_BYTES,
            logins::CURL_LINE,
            logins::CALL,
            pem::PUTTY_HEAD,
        ] {
            assert!(reach + 160 <= BEHIND, "{reach}");
        }
        assert_eq!(reach(NAME), Reach::Line);
    }
}
