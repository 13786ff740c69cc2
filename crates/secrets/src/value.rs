//! Decides whether the value behind a secret-sounding name is a secret: references, masks, placeholders, words and
//! paths aren't.

use crate::charset::{self, is};
use crate::entropy::{changes, distinct, entropy, floor, language};

/// Well-known sample credentials of documentation, matched exactly or as a suffix: those of AWS, and the values of
/// the `Secret` in Kubernetes' manual.
pub(crate) fn documented(value: &[u8]) -> bool {
    value.ends_with(b"EXAMPLE")
        || value.ends_with(b"EXAMPLEKEY")
        || [&b"YWRtaW4="[..], b"MWYyZDFlMmU2N2Rm"].contains(&value)
}

/// Prefixes of public values from providers: browser keys, client ids. Never a secret.
const PUBLIC: &[&[u8]] = &[
    b"pk_live_",
    b"pk_test_",
    b"pk.eyJ",
    b"phc_",
    b"sb_publishable_",
    b"Mid-client-",
    b"SB-Mid-client-",
    b"FLWPUBK",
    b"VT-client-",
];

/// Whether a value is public by its own prefix.
pub(crate) fn public(value: &[u8]) -> bool {
    PUBLIC.iter().any(|prefix| value.starts_with(prefix))
}

/// Whether a value contains `EXAMPLE` in capitals, as samples in AWS's manuals do. One in a billion random values
/// of a thousand bytes contains it by chance.
pub(crate) fn sample(value: &[u8]) -> bool {
    memchr::memmem::find(value, b"EXAMPLE").is_some()
}

/// Whether most bytes repeat the previous one (`aaaa…`, `AAAA-BBBB…`), as in a placeholder.
pub(crate) fn repeats(body: &[u8]) -> bool {
    let pairs = body.iter().zip(body.iter().skip(1));
    pairs.len() >= 10 && pairs.filter(|(left, right)| left == right).count() * 2 >= body.len()
}

/// A mask or filler: at most three different characters, or mostly one of them.
pub(crate) fn masked(body: &[u8]) -> bool {
    let longest_run = body.chunk_by(|left, right| left == right).map(<[u8]>::len).max().unwrap_or(0);
    distinct(body) <= 3 || longest_run * 2 > body.len() || masking_run(body) >= 6
}

/// The longest run of a masking character.
fn masking_run(body: &[u8]) -> usize {
    let runs = body.chunk_by(|left, right| left == right);
    runs.filter(|run| run.first().is_some_and(|sign| b"*#".contains(sign)))
        .map(<[u8]>::len)
        .max()
        .unwrap_or(0)
}

const PLACEHOLDERS: &[&[u8]] = &[
    b"your",
    b"replace",
    b"insert",
    b"changeme",
    b"changeit",
    b"placeholder",
    b"dummy",
    b"todo",
    b"example",
    b"redacted",
    b"xxxx",
    b"yyyy",
    b"sample",
    b"fixme",
    b"goes",
    b"here",
    b"enter",
    b"undefined",
    b"null",
    b"none",
    b"notset",
    b"removed",
    b"hidden",
    b"masked",
    b"fill",
    b"my",
    b"some",
    b"foo",
    b"bar",
    b"baz",
    b"lorem",
    b"omitted",
    b"filtered",
    b"secret_key_here",
];

/// Whether a component of the value is a placeholder word.
pub(crate) fn placeholder(value: &[u8]) -> bool {
    value
        .split(|byte| !byte.is_ascii_alphanumeric())
        .any(|part| PLACEHOLDERS.iter().any(|word| part.eq_ignore_ascii_case(word)))
        || [&b"changeme"[..], b"placeholder", b"replaceme", b"yourpassword", b"xxxxxx", b"notasecret"]
            .iter()
            .any(|word| {
                value.len() < 40 && value.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word))
            })
}

const REFERENCE_PREFIXES: &[&[u8]] = &[
    b"$",
    b"{{",
    b"{%",
    b"<",
    b"%(",
    b"@{",
    b"#{",
    b"&",
    b"*",
    b"process.env",
    b"os.environ",
    b"getenv",
    b"secrets.",
    b"vars.",
    b"var.",
    b"env.",
    b"config.",
    b"op://",
    b"vault:",
    b"arn:",
    b"projects/",
    b"data.",
    b"local.",
    b"module.",
    b"self.",
    b"this.",
    b"ENV[",
    b"os.getenv",
    b"System.",
    b"http://",
    b"https://",
    b"file:",
    b"sha256-",
    b"sha384-",
    b"sha512-",
    b"sha1-",
    b"h1:",
    b"sha256:",
    b"ref+",
    b"keyring:",
    b"aws:",
    b"azure:",
    b"ssm:",
    b"!",
    b"~/",
    b"../",
    b"./",
    b"ssh-rsa",
    b"ssh-ed25519",
    b"data:",
    b"urn:",
    b"tag:",
    b"__",
];

/// A reference to a secret stored elsewhere, or a template's placeholder.
pub(crate) fn reference(value: &[u8]) -> bool {
    let bare = value.trim_ascii_start();
    let bare = bare.strip_prefix(b"\\").unwrap_or(bare);
    let crypt = matches!(bare, [b'$', b'1' | b'2' | b'5' | b'6', ..]);
    (!crypt && REFERENCE_PREFIXES.iter().any(|prefix| bare.starts_with(prefix)))
        || [(b'%', b'%'), (b'[', b']'), (b'@', b'@'), (b'{', b'}')]
            .iter()
            .any(|(first, last)| value.first() == Some(first) && value.last() == Some(last))
        || HOLES.iter().any(|(open, close)| hole(value, open, close))
        || braced(value)
}

/// `share-{portfolio_id}-{kind}`: names in braces, as in format strings.
fn braced(value: &[u8]) -> bool {
    memchr::memchr_iter(b'{', value).any(|open| {
        let inner = value.get(open + 1..).unwrap_or_default();
        let name = inner.iter().take_while(|byte| byte.is_ascii_lowercase() || b"_.".contains(byte)).count();
        name >= 3 && inner.get(name) == Some(&b'}')
    })
}

const HOLES: &[(&[u8], &[u8])] =
    &[(b"${", b"}"), (b"{{", b"}}"), (b"$(", b")"), (b"#{", b"}"), (b"<%", b"%>"), (b"%(", b")")];

/// `${NAME}` and similar: the text between the marks is a name or a call and not random.
fn hole(value: &[u8], open: &[u8], close: &[u8]) -> bool {
    memchr::memmem::find(value, open).is_some_and(|at| {
        let inner = value.get(at + open.len()..).unwrap_or_default();
        let name = memchr::memmem::find(inner, close).and_then(|end| inner.get(..end)).unwrap_or_default();
        !name.is_empty()
            && name.iter().all(|byte| is(*byte, charset::WORD) || b" .:|()'\"/,?[]=".contains(byte))
    })
}

/// A UUID in its usual form.
pub(crate) fn uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// The alphabet of Kubernetes' generated names (`k8s.io/apimachinery/pkg/util/rand`): no vowels, no 0, 1, 3.
const POD: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";

/// The name of a pod or replica set: words, a hash of the template, and five letters (`web-7d9f8b6c5d-x2k4p`).
pub(crate) fn pod(value: &[u8]) -> bool {
    let mut parts = value.rsplit(|byte| *byte == b'-');
    let made = |part: &[u8]| part.iter().all(|byte| POD.contains(byte));
    let (last, hash) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let word = |part: &[u8]| {
        part.len() <= 2
            || part.iter().all(|byte| is(*byte, charset::LOWER | charset::DIGIT)) && language(part).0 >= 0.5
    };
    let mut words = parts.clone();
    last.len() == 5
        && made(last)
        && (5..=10).contains(&hash.len())
        && made(hash)
        && words.next().is_some()
        && parts.all(word)
}

/// A labelled digest (`sha256:…`, `md5:…`), with or without a name before it.
fn digest(value: &[u8]) -> bool {
    let Some(colon) = memchr::memrchr(b':', value) else { return false };
    let (head, sum) = value.split_at(colon);
    let kinds = [&b"md5"[..], b"sha1", b"sha224", b"sha256", b"sha384", b"sha512"];
    kinds.iter().any(|kind| head.ends_with(kind)) && sum.iter().skip(1).all(u8::is_ascii_hexdigit)
}

/// A counting or keyboard sequence as the whole value.
pub(crate) fn counting(value: &[u8]) -> bool {
    const RUNS: &[&[u8]] = &[
        b"01234567890123456789012345678901234567890123456789",
        b"12345678901234567890123456789012345678901234567890",
        b"abcdefghijklmnopqrstuvwxyz",
        b"qwertyuiopasdfghjklzxcvbnm",
        b"98765432109876543210",
    ];
    let lower = value.to_ascii_lowercase();
    RUNS.iter().any(|run| memchr::memmem::find(run, &lower).is_some())
}

/// Mostly letters and digits in alphabetical order (`abcdef123456…`, `a1b2c3…`): a hand-written placeholder. In
/// random text at most one pair in sixteen is in sequence, and never more than half.
pub(crate) fn ordered(value: &[u8]) -> bool {
    let follows = |left: u8, right: u8| {
        let (left, right) = (left.to_ascii_lowercase(), right.to_ascii_lowercase());
        left.is_ascii_alphanumeric() && (right == left + 1 || (left == b'9' && right == b'0'))
    };
    [1, 2].iter().any(|stride| {
        let pairs = value.iter().zip(value.iter().skip(*stride));
        let total = pairs.len();
        total >= 10 && pairs.filter(|(left, right)| follows(**left, **right)).count() * 5 >= total * 3
    })
}

/// The longest part of a value is such a sequence (`prf_test_AbCdEf…`) and most of the value.
pub(crate) fn counted_out(value: &[u8]) -> bool {
    let parts = value.split(|byte| !byte.is_ascii_alphanumeric());
    parts
        .max_by_key(|part| part.len())
        .is_some_and(|part| part.len() >= 16 && part.len() * 2 > value.len() && ordered(part))
}

/// Words of placeholders.
const VOCABULARY: &[&[u8]] = &[
    b"password",
    b"passwd",
    b"passphrase",
    b"secret",
    b"token",
    b"apikey",
    b"key",
    b"api",
    b"access",
    b"private",
    b"auth",
    b"client",
    b"user",
    b"admin",
    b"root",
    b"default",
    b"test",
    b"testing",
    b"fake",
    b"dummy",
    b"sample",
    b"example",
    b"demo",
    b"mock",
    b"value",
    b"string",
    b"some",
    b"your",
    b"my",
    b"the",
    b"this",
    b"is",
    b"a",
    b"an",
    b"not",
    b"real",
    b"super",
    b"very",
    b"app",
    b"server",
    b"service",
    b"bearer",
    b"valid",
    b"invalid",
    b"old",
    b"new",
    b"random",
    b"long",
    b"short",
    b"production",
    b"prod",
    b"dev",
    b"staging",
    b"local",
    b"session",
    b"refresh",
    b"other",
    b"signing",
    b"credential",
    b"pass",
    b"jwt",
];

/// A value composed of such words, with or without a number (`my-test-token-1`): it describes a secret.
pub(crate) fn described(value: &[u8]) -> bool {
    let mut letters = [0_u8; 64];
    let mut length = 0;
    for byte in value.iter().filter(|byte| byte.is_ascii_alphabetic()) {
        let Some(slot) = letters.get_mut(length) else { return false };
        *slot = byte.to_ascii_lowercase();
        length += 1;
    }
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    if length < 4 || digits > 4 {
        return false;
    }
    // Which prefixes consist of whole words.
    let mut whole = [false; 65];
    whole[0] = true;
    for at in 0..length {
        if !whole.get(at).copied().unwrap_or(false) {
            continue;
        }
        let rest = letters.get(at..length).unwrap_or_default();
        for word in VOCABULARY.iter().filter(|word| rest.starts_with(word)) {
            if let Some(slot) = whole.get_mut(at + word.len()) {
                *slot = true;
            }
        }
    }
    whole.get(length).copied().unwrap_or(false)
}

/// Length of a value without its percent escapes.
fn unescaped_length(value: &[u8]) -> usize {
    value.len()
        - 3 * memchr::memchr_iter(b'%', value)
            .filter(|at| {
                value.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            })
            .count()
}

/// Looks like a path, an identifier path or a call rather than a token.
fn path_like(value: &[u8]) -> bool {
    let slashes = value.iter().filter(|byte| **byte == b'/').count();
    let first = value.first().copied().unwrap_or(0);
    let call = value.last() == Some(&b')')
        && value.iter().position(|byte| *byte == b'(').is_some_and(|open| {
            open > 1
                && value
                    .get(..open)
                    .is_some_and(|name| name.iter().all(|byte| is(*byte, charset::WORD) || *byte == b'.'))
        });
    let words = language(value).0;
    let noise = value.len() >= 32 && mixed(value) && words < 0.55;
    !noise
        && ((slashes >= 1 && first == b'/' && words > 0.5)
            || (slashes >= 2 && words > 0.6)
            || call
            || memchr::memmem::find(value, b"()").is_some()
                && !value.iter().any(|byte| b"!@#$%^~".contains(byte))
            || memchr::memmem::find(value, b"->").is_some()
            || memchr::memmem::find(value, b"::").is_some())
}

/// Upper case, lower case and at least three digits.
fn mixed(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_uppercase)
        && value.iter().any(u8::is_ascii_lowercase)
        && value.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3
}

/// Words joined by separators or camel case: every run of four or more letters is language.
fn wordy(value: &[u8]) -> bool {
    let (ratio, pairs) = language(value);
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    if pairs < 3 {
        return false;
    }
    let tail = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == tail && tail <= 4 && pairs >= 5 && ratio >= 0.65 {
        return true;
    }
    if value.len() >= 40 && mixed(value) && ratio < 0.6 {
        return false;
    }
    let share = digits * 100 / value.len().max(1);
    // A few digits at one end (`version2`, `sha256`) are compatible with a word; digits all over aren't.
    let limit = match share {
        0 => 0.62,
        1..=14 => 0.72,
        15..=24 => 0.85,
        _ => 1.01,
    };
    ratio >= limit || (digits == 0 && !value.iter().any(u8::is_ascii_uppercase) && ratio > 0.5)
}

/// Base64 of the first bytes of PNG, JPEG, GIF, zip, PDF, WOFF and WOFF2 files.
const PICTURES: &[&[u8]] = &[b"iVBORw0KGgo", b"/9j/", b"R0lGOD", b"UEsDB", b"JVBERi0", b"d09GR", b"d09GM"];

/// Whether a value can't be a secret, whatever its name.
fn hopeless(value: &[u8]) -> bool {
    reference(value)
        || PICTURES.iter().any(|magic| value.len() > 64 && value.starts_with(magic))
        || masked(value)
        || placeholder(value)
        || documented(value)
        || memchr::memmem::find(value, b"...").is_some()
        || value.iter().any(|byte| byte.is_ascii_whitespace() || byte.is_ascii_control())
}

/// Context of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// In quotes, or the whole text of an XML element.
    pub(crate) quoted: bool,
    /// Only white space separates name and value, or the name is weak: the value itself must look like a secret.
    pub(crate) loose: bool,
    /// A line of an environment (`DB_PASSWORD=…`) or a part of a connection string (`;Password=…;`), where a plain
    /// word may be a password.
    pub(crate) plain: bool,
}

/// Whether a value behind a password's name is a password.
pub(crate) fn password(value: &[u8], place: Place) -> bool {
    let min = if place.quoted { 5 } else { 6 };
    if !(min..=128).contains(&value.len())
        || hopeless(value)
        || counting(value) && value.len() < 6
        || value.len() >= 20 && ordered(value)
    {
        return false;
    }
    let lower = value.iter().any(u8::is_ascii_lowercase);
    let upper = value.iter().any(u8::is_ascii_uppercase);
    let digit = value.iter().any(u8::is_ascii_digit);
    let other = value.iter().any(|byte| !byte.is_ascii_alphanumeric());
    let symbol = value.iter().any(|byte| !byte.is_ascii_alphanumeric() && !b"_-./".contains(byte));
    let classes = [lower, upper, digit, other].iter().filter(|present| **present).count();
    // In an environment line or a connection string a plain word may be a password.
    if place.plain && classes == 1 && lower {
        return value.len() >= 8 && !described(value);
    }
    if classes < 2
        || unescaped_length(value) < 4
        || path_like(value)
        || value.iter().all(|byte| byte.is_ascii_digit() || b".,-:/+".contains(byte))
    {
        return false;
    }
    // Words joined by separators or camel case (`user.password`, `PasswordField`, `admin-password`) are names and
    // not values.
    if !digit && !symbol {
        return !place.loose && upper && lower && !wordy(value) && value.len() >= 8;
    }
    if !digit && symbol {
        let strange =
            value.iter().filter(|byte| !byte.is_ascii_alphanumeric() && !b"_-./".contains(byte)).count();
        let ends_plain = value.last().is_some_and(|byte| b":,;.?=".contains(byte));
        return !place.loose
            && (strange >= 2 || upper)
            && !ends_plain
            && !(wordy(value) && strange < 2 && value.len() > 14);
    }
    if place.loose {
        return random(value, 8);
    }
    // `password1`, `sha256`, `utf-8`, `oauth2`, `step_2_password` behind such a name are words with a number.
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    place.quoted || digits >= 2 || symbol || (upper && lower)
}

/// Whether a value behind the name of a token, key or secret is one.
pub(crate) fn generic(value: &[u8], place: Place) -> bool {
    let min = if place.loose { 16 } else { 10 };
    let max = if place.loose { 512 } else { 2048 };
    if !(min..=max).contains(&value.len()) || hopeless(value) || computed(value) || described(value) {
        return false;
    }
    if pod(value) || digest(value) {
        return false;
    }
    if uuid(value) {
        return distinct(value) > 5;
    }
    // A list of files: `request_key.2 man2/s390_pci_mmio_read.2`.
    if place.loose
        && value.contains(&b'/')
        && value.iter().any(|byte| b"._".contains(byte))
        && !value.iter().any(|byte| b"=~+".contains(byte))
    {
        return false;
    }
    if !value.is_ascii() || value.iter().all(u8::is_ascii_hexdigit) && !value.len().is_multiple_of(2) {
        return false;
    }
    let symbols = value.iter().filter(|byte| !is(**byte, charset::TOKEN)).count();
    if place.quoted && symbols >= 4 && crate::entropy::distinct(value) >= 12 {
        return password(value, place);
    }
    (random(value, min) || prefixed(value)) && !says_words(value)
}

/// Random characters after a short prefix, in another alphabet (`abcd_` and hexadecimal).
fn prefixed(value: &[u8]) -> bool {
    let Some(cut) = value.iter().rposition(|byte| b"_-.".contains(byte)) else { return false };
    let (prefix, body) = value.split_at(cut + 1);
    prefix.len() <= 12 && body.len() >= 24 && random(body, 24)
}

/// Escaped bytes, an expression or a pattern: data of a program and not a login.
fn computed(value: &[u8]) -> bool {
    memchr::memmem::find_iter(value, b"\\x").nth(2).is_some()
        || [&b"||"[..], b"([", b"(?", b"[^", b"[-1]", b"[0-9", b"[a-z", b"[A-Z", b"\\d", b"\\w"]
            .iter()
            .any(|mark| memchr::memmem::find(value, mark).is_some())
}

/// Whether it is base64 of plain words, which isn't a secret.
fn says_words(value: &[u8]) -> bool {
    if value.len() < 12 {
        return false;
    }
    let plain = crate::decode::base64(value);
    plain.len() >= 8
        && plain.iter().all(|byte| byte.is_ascii_alphabetic() || b" .,-_:/\n".contains(byte))
        && language(&plain).0 > 0.6
}

/// Random by entropy, letters and shape; at least `min` long.
pub(crate) fn random(value: &[u8], min: usize) -> bool {
    if value.len() < min || path_like(value) || host_like(value) || counting(value) {
        return false;
    }
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let upper = value.iter().any(u8::is_ascii_uppercase);
    let lower = value.iter().any(u8::is_ascii_lowercase);
    if letters < 2 || (digits == 0 && !(upper && lower)) || digits + letters < value.len() / 2 {
        return false;
    }
    if digits == 0 && changes(value) * 4 < value.len() {
        return false;
    }
    if digits < 2 && value.len() < 12 {
        return false;
    }
    entropy(value) >= floor(value) * 0.98 && !wordy(value)
}

/// A dotted or dashed name whose parts are words (`api.example.com`, `ctrl+shift+down`, `org.slf4j.api`).
fn host_like(value: &[u8]) -> bool {
    let parts = value.split(|byte| b".+-_/:@".contains(byte)).filter(|part| !part.is_empty());
    let (mut words, mut others) = (0, 0);
    for part in parts {
        let letters = part.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        if letters == part.len() && (part.len() <= 3 || language(part).0 >= 0.5)
            || part.len() <= 2
            || (letters > 3 && language(part).0 >= 0.75 && letters * 3 >= part.len() * 2)
        {
            words += part.len();
        } else {
            others += part.len();
        }
    }
    let dotted = value.iter().filter(|byte| **byte == b'.').count() >= 2
        && value.len() < 40
        && value.iter().all(|byte| byte.is_ascii_lowercase() || b".-_0123456789".contains(byte))
        && value.split(|byte| *byte == b'.').all(|part| part.len() < 14)
        && language(value).0 > 0.5;
    dotted || words > others * 2 && words + others < value.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUOTED: Place = Place { quoted: true, loose: false, plain: false };

    #[test]
    fn passwords_and_what_only_stands_where_one_would() {
        for (value, expected) in [
            ("hunter2!", true),
            ("Tr0ub4dor&3", true),
            ("p4Dsr8b", true),
            ("changeme", false),
            ("your_password", false),
            ("${DB_PASSWORD}", false),
            ("********", false),
            ("password", false),
            ("user.password", false),
            ("process.env.PASSWORD", false),
            ("PasswordField", false),
        ] {
            assert_eq!(password(value.as_bytes(), QUOTED), expected, "{value}");
        }
    }

    #[test]
    fn what_is_counted_out_is_ordered_and_noise_is_not() {
        for (value, expected) in [
            (concat!("abcdef1234567890", "abcdef1234567890"), true),
            (concat!("a1B2c3D4e5F6", "g7H8i9J0k1L2"), true),
            (concat!("zX8kq2Lm", "Wv93Tb7Rp0Yd"), false),
            ("abcdef", false),
        ] {
            assert_eq!(ordered(value.as_bytes()), expected, "{value}");
        }
    }

    #[test]
    fn generic_values_must_look_random() {
        for (value, expected) in [
            (concat!("zX8kq2Lm", "Wv93Tb7Rp0Yd"), true),
            (concat!("9f86d081", "884c7d659a2feaa0c55ad015"), true),
            ("ctrl+shift+down", false),
            ("api.openverse.org", false),
            ("getMasterUserPassword", false),
            ("abcdefghijklmnop", false),
            ("prefix||private_key||middle9", false),
            (r"\x9b\xbe\x43\x6b\xa9\x40\xf0\x17", false),
        ] {
            assert_eq!(generic(value.as_bytes(), QUOTED), expected, "{value}");
        }
    }
}
