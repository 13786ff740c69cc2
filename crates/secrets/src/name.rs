//! Classifies names: `DB_PASSWORD`, `apiKey` and `stripe-secret-key` suggest secrets; `tokenizer` and `key_id`
//! don't.
//!
//! Names are split at separators and camel-case changes and compared by whole components.

/// Kind of secret that a name suggests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Password,
    Secret,
    Token,
    Key,
    /// `Authorization` and similar headers: the value begins with a scheme.
    Header,
    /// A cookie header or a session name.
    Cookie,
    /// Only a provider's name: only that provider's own format counts.
    Provider,
    /// A key of unknown use (`elevenlabs_key`, `key`): only a value that can hardly be anything else counts.
    Weak,
}

const PASSWORD: &[&[u8]] = &[
    b"password",
    b"passwd",
    b"pwd",
    b"passphrase",
    b"pass",
    b"passcode",
    b"pw",
    b"psw",
    b"passw",
    b"passwort",
    b"passwords",
    b"pswd",
    b"paswd",
    b"psk",
    b"storepass",
    b"keypass",
    b"pswrd",
    b"pasword",
    b"psswd",
    b"passwds",
];
const SECRET: &[&[u8]] =
    &[b"secret", b"secrets", b"credential", b"credentials", b"creds", b"cred", b"secrete"];
const TOKEN: &[&[u8]] =
    &[b"token", b"tokens", b"bearer", b"jwt", b"pat", b"accesstoken", b"authtoken", b"oauth"];
const KEYED: &[&[u8]] = &[
    b"api",
    b"access",
    b"secret",
    b"private",
    b"signing",
    b"encryption",
    b"master",
    b"auth",
    b"shared",
    b"account",
    b"service",
    b"license",
    b"consumer",
    b"deploy",
    b"sdk",
    b"app",
    b"application",
    b"client",
    b"webhook",
    b"hmac",
    b"jwt",
    b"aes",
    b"crypt",
    b"crypto",
    b"cipher",
    b"admin",
    b"root",
    b"server",
    b"storage",
    b"subscription",
    b"integration",
    b"personal",
    b"apps",
    b"decryption",
    b"token",
    b"rest",
];
/// Compound components, written as one word.
const GLUED: &[(&[u8], Kind)] = &[
    (b"password", Kind::Password),
    (b"passwd", Kind::Password),
    (b"passphrase", Kind::Password),
    (b"dbpass", Kind::Password),
    (b"userpass", Kind::Password),
    (b"adminpass", Kind::Password),
    (b"mysqlpass", Kind::Password),
    (b"rootpass", Kind::Password),
    (b"smtppass", Kind::Password),
    (b"dbpwd", Kind::Password),
    (b"secret", Kind::Secret),
    (b"apikey", Kind::Key),
    (b"secretkey", Kind::Key),
    (b"accesskey", Kind::Key),
    (b"authkey", Kind::Key),
    (b"privatekey", Kind::Key),
    (b"accountkey", Kind::Key),
    (b"signingkey", Kind::Key),
    (b"masterkey", Kind::Key),
    (b"appkey", Kind::Key),
    (b"secretid", Kind::Key),
    (b"token", Kind::Token),
];
const VETO_LAST: &[&[u8]] = &[
    b"id",
    b"ids",
    b"name",
    b"names",
    b"path",
    b"file",
    b"dir",
    b"url",
    b"urls",
    b"uri",
    b"host",
    b"port",
    b"header",
    b"prefix",
    b"suffix",
    b"type",
    b"types",
    b"kind",
    b"ttl",
    b"length",
    b"len",
    b"size",
    b"count",
    b"min",
    b"max",
    b"limit",
    b"policy",
    b"hash",
    b"digest",
    b"algorithm",
    b"alg",
    b"field",
    b"fields",
    b"label",
    b"placeholder",
    b"hint",
    b"regex",
    b"pattern",
    b"format",
    b"version",
    b"expiry",
    b"expires",
    b"expiration",
    b"created",
    b"ref",
    b"arn",
    b"location",
    b"manager",
    b"mgr",
    b"realm",
    b"encode",
    b"decode",
    b"format",
    b"split",
    b"join",
    b"replace",
    b"strip",
    b"startswith",
    b"endswith",
    b"match",
    b"contains",
    b"store",
    b"provider",
    b"endpoint",
    b"enabled",
    b"disabled",
    b"required",
    b"rotation",
    b"env",
    b"var",
    b"index",
    b"accessor",
    b"method",
    b"message",
    b"error",
    b"status",
    b"class",
    b"selector",
    b"title",
    b"text",
    b"description",
    b"link",
    b"page",
    b"generator",
    b"validator",
    b"reset",
    b"confirmation",
    b"set",
    b"list",
    b"map",
    b"map_",
    b"schema",
    b"mode",
    b"scope",
    b"scopes",
    b"timeout",
    b"valid",
    b"user",
    b"username",
    b"checksum",
    b"fingerprint",
    b"thumbprint",
    b"email",
    b"date",
    b"time",
    b"exists",
    b"missing",
    b"invalid",
    b"icon",
    b"button",
    b"form",
    b"input",
    b"code",
    b"public",
    b"strength",
    b"encoding",
    b"encrypted",
    b"hashed",
    b"salt",
    b"chars",
    b"alphabet",
    b"charset",
    b"characters",
    b"board",
    b"down",
    b"up",
    b"press",
    b"event",
    b"binding",
    b"word",
    b"vault",
    b"at",
    b"on",
    b"changed",
    b"updated",
    b"expired",
    b"requirements",
    b"rules",
    b"model",
];
const VETO_FIRST: &[&[u8]] = &[
    b"public",
    b"primary",
    b"foreign",
    b"partition",
    b"sort",
    b"cache",
    b"idempotency",
    b"dedupe",
    b"object",
    b"hot",
    b"row",
    b"group",
    b"shard",
    b"lookup",
    b"i18n",
    b"page",
    b"next",
    b"continue",
    b"sync",
    b"cursor",
    b"csrf",
    b"max",
    b"num",
    b"min",
    b"publishable",
    b"pub",
    b"show",
    b"hide",
    b"has",
    b"is",
    b"forgot",
    b"reset",
    b"xsrf",
    b"anti",
    b"socket",
    b"websocket",
];

/// Providers whose keys are often stored under their bare name (`cloudflare: "…"`). The sieve searches their first
/// four letters.
pub(crate) const PROVIDERS: &[&[u8]] = &[
    b"cloudflare",
    b"sonar",
    b"telnyx",
    b"postmark",
    b"sourcegraph",
    b"telegram",
    b"twilio",
    b"netlify",
    b"heroku",
    b"fastly",
    b"mailgun",
    b"datadog",
    b"newrelic",
    b"sentry",
    b"airtable",
    b"wandb",
    b"snyk",
    b"codecov",
    b"algolia",
    b"pagerduty",
    b"opsgenie",
    b"deepgram",
];

const LONGEST: usize = 72;

/// The kind that `name` suggests; `None` for an ordinary name.
pub(crate) fn classify(name: &[u8]) -> Option<Kind> {
    let mut lower = [0_u8; LONGEST];
    let mut bounds = [(0_usize, 0_usize); 16];
    let mut parts = 0;
    let name = name.get(name.len().saturating_sub(LONGEST)..)?;
    let mut previous = 0_u8;
    let mut open = false;
    for (index, byte) in name.iter().enumerate() {
        *lower.get_mut(index)? = byte.to_ascii_lowercase();
        if !byte.is_ascii_alphanumeric() {
            open = false;
            previous = *byte;
            continue;
        }
        let next_lower = name.get(index + 1).is_some_and(u8::is_ascii_lowercase);
        let hump = byte.is_ascii_uppercase()
            && (previous.is_ascii_lowercase() || (previous.is_ascii_uppercase() && next_lower));
        if !open || hump {
            if parts == bounds.len() {
                bounds.copy_within(1.., 0);
                parts -= 1;
            }
            *bounds.get_mut(parts)? = (index, index + 1);
            parts += 1;
            open = true;
        } else if let Some(bound) = bounds.get_mut(parts.checked_sub(1)?) {
            bound.1 = index + 1;
        }
        previous = *byte;
    }
    let part = |index: usize| -> &[u8] {
        let (from, to) = bounds.get(index).copied().unwrap_or((0, 0));
        let part = lower.get(from..to).unwrap_or_default();
        let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == part.len() { part } else { part.get(..part.len() - digits).unwrap_or_default() }
    };
    let last = part(parts.checked_sub(1)?);
    if among(VETO_LAST, last) || among(VETO_FIRST, part(0)) {
        return None;
    }
    let mut weak = None;
    for index in (0..parts).rev() {
        let (own, left) = (part(index), index.checked_sub(1).map_or(&b""[..], part));
        if own == b"authorization" || own == b"authenticate" {
            return Some(Kind::Header);
        }
        if own == b"cookie" {
            return Some(Kind::Cookie);
        }
        // `passValue`, `PassThrough`: to pass something on.
        let verb = own == b"pass"
            && index == 0
            && bounds.get(1).is_some_and(|next| parts > 1 && next.0 == 4)
            && ![&b"phrase"[..], b"key", b"code", b"wort"].contains(&part(1));
        if among(PASSWORD, own) && !verb || (own == b"word" && left == b"pass") {
            return Some(Kind::Password);
        }
        if among(TOKEN, own) {
            return if among(VETO_FIRST, left) { None } else { Some(Kind::Token) };
        }
        if own == b"key" || own == b"keys" {
            if among(KEYED, left) {
                return Some(Kind::Key);
            }
            if among(VETO_FIRST, left) {
                return None;
            }
            weak = Some(Kind::Weak);
        }
        if [&b"api"[..], b"auth", b"private", b"access"].contains(&own) {
            weak = Some(Kind::Weak);
        }
        if among(SECRET, own) {
            return Some(Kind::Secret);
        }
        if let Some((_, kind)) = GLUED.iter().find(|(glued, _)| own.ends_with(glued)) {
            return Some(*kind);
        }
    }
    weak.or_else(|| {
        let lower = lower.get(..name.len())?;
        let known = |from: usize| {
            let rest = lower.get(from..).unwrap_or_default();
            PROVIDERS.iter().any(|word| word.first() == rest.first() && rest.starts_with(word))
        };
        (0..lower.len()).any(known).then_some(Kind::Provider)
    })
}

/// Whether a name denies being a secret (`not_a_token`). It may be wrong or deliberately false, so the value is
/// masked all the same.
pub(crate) fn negated(name: &[u8]) -> bool {
    [&b"not"[..], b"non", b"no"].iter().any(|word| {
        name.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
            && !name.get(word.len()).is_some_and(u8::is_ascii_lowercase)
    })
}

/// Component names whose values are identifiers, even beside "key" or "token".
const IDENTIFIERS: &[&[u8]] = &[
    b"batch",
    b"cache",
    b"continuation",
    b"correlation",
    b"csrf",
    b"cursor",
    b"device",
    b"event",
    b"guid",
    b"id",
    b"idempotency",
    b"instance",
    b"job",
    b"message",
    b"nonce",
    b"object",
    b"page",
    b"request",
    b"row",
    b"run",
    b"session",
    b"span",
    b"state",
    b"sync",
    b"task",
    b"tenant",
    b"trace",
    b"uuid",
    b"xsrf",
];

/// Whether a name includes what its credential is for (`api_key`, `coda_token`): behind such a name even a UUID is
/// a secret, because providers issue them. Behind a plain `token` or `key`, or a request's, a UUID is an
/// identifier.
pub(crate) fn says_whose(name: &[u8]) -> bool {
    const WHOLE: &[&[u8]] =
        &[b"apikey", b"apitoken", b"authtoken", b"accesstoken", b"accesskey", b"clientsecret"];
    let mut count = 0;
    for word in name.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let humps = word.chunk_by(|left, right| !(left.is_ascii_lowercase() && right.is_ascii_uppercase()));
        if humps.clone().any(|part| is_one_of(IDENTIFIERS, part)) {
            return false;
        }
        count += humps.count() + usize::from(is_one_of(WHOLE, word));
    }
    count >= 2
}

fn is_one_of(list: &[&[u8]], word: &[u8]) -> bool {
    list.iter().any(|own| own.eq_ignore_ascii_case(word))
}

fn among(list: &[&[u8]], word: &[u8]) -> bool {
    list.iter().any(|own| own.len() == word.len() && own.first() == word.first() && *own == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_deny_itself() {
        for (name, denies) in
            [("not_a_token", true), ("nonSecret", true), ("notary_key", false), ("node_key", false)]
        {
            assert_eq!(negated(name.as_bytes()), denies, "{name}");
        }
    }

    #[test]
    fn whole_components_decide() {
        for (name, kind) in [
            ("DB_PASSWORD", Some(Kind::Password)),
            ("dbpassword", Some(Kind::Password)),
            ("userPwd", Some(Kind::Password)),
            ("aws_secret_access_key", Some(Kind::Key)),
            ("apiKey", Some(Kind::Key)),
            ("APIKey", Some(Kind::Key)),
            ("stripe-secret", Some(Kind::Secret)),
            ("AWSToken", Some(Kind::Token)),
            ("Authorization", Some(Kind::Header)),
            ("elevenlabs_key", Some(Kind::Weak)),
            ("cloudflare", Some(Kind::Provider)),
            ("X3_PSWD", Some(Kind::Password)),
            ("tokenizer", None),
            ("compass", None),
            ("monkey", None),
            ("author", None),
            ("secret_name", None),
            ("tokenType", None),
            ("primary_key", None),
            ("next_page_token", None),
            ("csrfToken", None),
        ] {
            assert_eq!(classify(name.as_bytes()), kind, "{name}");
        }
    }
}
