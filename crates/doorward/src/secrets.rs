//! The secrets detector where the gate needs it: hits for `inspect`, redaction for everything that is kept or shown.

use std::sync::Arc;

use doorward_core::json::Value;
use doorward_inspect::{SecretFinder, SecretHit};
use doorward_secrets::Detector;

use crate::placeholders::Placeholders;

/// The shared detector, with what only looks like a secret.
#[derive(Debug, Clone, Default)]
pub(crate) struct Secrets {
    placeholders: Arc<Placeholders>,
}

impl Secrets {
    pub(crate) fn knowing(placeholders: &Arc<Placeholders>) -> Self {
        Self { placeholders: Arc::clone(placeholders) }
    }
}

impl SecretFinder for Secrets {
    fn find(&self, text: &str) -> Vec<SecretHit> {
        let placeholders = self.placeholders.within(text);
        Detector::shared()
            .find(text)
            .into_iter()
            // Part of a placeholder is no secret; a longer text around one may be.
            .filter(|hit| !placeholders.iter().any(|range| range.start <= hit.start && hit.end <= range.end))
            .map(|hit| SecretHit {
                slug: hit.slug.to_string(),
                severity: hit.severity,
                start: hit.start,
                end: hit.end,
                provider_hosts: hit.provider_hosts.iter().map(|host| (*host).to_owned()).collect(),
            })
            .collect()
    }
}

/// A text with every secret masked.
pub(crate) fn redact(text: &str) -> String {
    doorward_secrets::redact_text(text)
}

/// A value without its secrets, for what is kept.
pub(crate) fn masked(value: &Value) -> Value {
    by_position(doorward_secrets::redact_value(value), None)
}

/// A value without its secrets, each replaced by its kind and length: `[secret:aws-access-key, 20 characters]`. What
/// stands where a credential stands is one here, though it looks like a sample: a page needs it for nothing.
pub(crate) fn named(value: &Value) -> Value {
    let masked = doorward_secrets::redact_value(value);
    by_position(name_all(value, masked), None)
}

/// Headers and members whose value is a credential; longer names end with one of them.
const CREDENTIALS: &[&str] = &[
    "authorization",
    "cookie",
    "api_key",
    "apikey",
    "access_key",
    "secret_key",
    "private_key",
    "account_key",
    "password",
    "passwd",
    "passphrase",
    "client_secret",
    "access_token",
    "auth_token",
    "bearer_token",
    "refresh_token",
    "id_token",
    "private_token",
    "security_token",
    "session_token",
    "vault_token",
];
/// Words before a credential in a header.
const SCHEMES: &[&str] = &["bearer", "basic", "token", "digest", "apikey"];
/// A shorter value is none.
const SHORTEST: usize = 6;

fn by_position(value: Value, key: Option<&str>) -> Value {
    match value {
        Value::String(text) => Value::String(match key {
            Some(key) if is_credential(key) => hidden(key, &text),
            _ => headers(&text),
        }),
        Value::Array(items) => Value::Array(items.into_iter().map(|item| by_position(item, key)).collect()),
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .map(|(key, member)| {
                    let member = by_position(member, Some(&key));
                    (key, member)
                })
                .collect(),
        ),
        other => other,
    }
}

fn is_credential(key: &str) -> bool {
    let key = key.to_ascii_lowercase().replace('-', "_");
    CREDENTIALS
        .iter()
        .any(|name| key.strip_suffix(name).is_some_and(|front| front.is_empty() || front.ends_with('_')))
}

/// `Bearer [secret:authorization, 20 characters]`. A reference to a variable hides nothing.
fn hidden(key: &str, text: &str) -> String {
    let (scheme, rest) = match text.split_once(' ') {
        Some((scheme, rest)) if SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) => (scheme, rest),
        _ => ("", text),
    };
    let reference = rest.starts_with(['$', '<', '{', '%']) || rest.contains("[secret:");
    if reference || rest.chars().count() < SHORTEST {
        return text.to_owned();
    }
    let blank = if scheme.is_empty() { "" } else { " " };
    format!("{scheme}{blank}{}", placeholder(&key.to_ascii_lowercase(), rest))
}

/// Credentials in headers that a text writes down: `-H 'Authorization: Bearer …'`.
fn headers(text: &str) -> String {
    const NAME: &str = "authorization:";
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.to_ascii_lowercase().find(NAME) {
        let Some((before, after)) = rest.split_at_checked(at + NAME.len()) else { break };
        let value = after.trim_start_matches(' ');
        let blanks = after.len() - value.len();
        let end = value.find(['\'', '"', '`', '\n', '\\', ';', '|']).unwrap_or(value.len());
        let (Some(blanks), Some(own), Some(left)) = (after.get(..blanks), value.get(..end), value.get(end..))
        else {
            break;
        };
        out.push_str(before);
        out.push_str(blanks);
        out.push_str(&hidden("authorization", own));
        rest = left;
    }
    out.push_str(rest);
    out
}

/// Names what was masked; what doesn't align stays masked, so that nothing but the masked text and names leaves.
fn name_all(original: &Value, masked: Value) -> Value {
    match (original, masked) {
        (Value::String(text), Value::String(masked)) if *text != masked => {
            Value::String(name_masks(text, &masked))
        }
        (Value::Array(items), Value::Array(masked)) => {
            Value::Array(items.iter().zip(masked).map(|(item, masked)| name_all(item, masked)).collect())
        }
        (Value::Object(members), Value::Object(masked)) => Value::Object(
            masked
                .into_iter()
                .map(|(key, masked)| match members.get(&key) {
                    Some(member) => (key, name_all(member, masked)),
                    // A key that is a secret itself.
                    None => (key, masked),
                })
                .collect(),
        ),
        (_, masked) => masked,
    }
}

fn name_masks(text: &str, masked: &str) -> String {
    let hits = Detector::shared().find(text);
    if hits.is_empty() {
        // The whole value, by the name it stands under.
        return placeholder("value", text);
    }
    let mut out = String::with_capacity(masked.len());
    let (mut from, mut rest) = (0, masked);
    for hit in hits {
        let (Some(before), Some(secret)) = (text.get(from..hit.start), text.get(hit.start..hit.end)) else {
            continue;
        };
        let Some(behind) = rest.strip_prefix(before) else { break };
        let Some(left) = without_mask(behind, secret) else { break };
        out.push_str(before);
        out.push_str(&placeholder(&hit.slug, secret));
        (from, rest) = (hit.end, left);
    }
    out.push_str(rest);
    out
}

/// What follows the mask of a secret.
fn without_mask<'t>(masked: &'t str, secret: &str) -> Option<&'t str> {
    (0..=4).rev().find_map(|shown| {
        let head = secret.get(..shown)?;
        masked.strip_prefix(head)?.strip_prefix(doorward_secrets::MASK)
    })
}

fn placeholder(kind: &str, secret: &str) -> String {
    format!("[secret:{kind}, {} characters]", secret.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_named_with_its_length_and_never_shown() {
        let key = ["AKIA", "IOSFODNN7EXAMPLE"].concat();
        let token = ["ghp_", "Z9y8X7w6V5u4T3s2R1q0P9o8N7m6L5k4J3i2"].concat();
        let text = format!(
            r#"{{"headers":{{"Authorization":"Bearer {key}"}},"command":"curl -u me:{token} x",
                "password":"Tr0ub4dor&3","list":["{token}",1],"plain":"AKIA****"}}"#
        );
        let shown = named(&Value::parse(&text).unwrap());
        let out = shown.canonical();
        assert!(!out.contains(&key) && !out.contains(&token) && !out.contains("Tr0ub4dor"), "{out}");
        let bearer = shown.at(&["headers", "Authorization"]).and_then(Value::as_str).unwrap();
        assert!(bearer.starts_with("Bearer [secret:") && bearer.contains("20 characters]"), "{out}");
        let password = shown.get("password").and_then(Value::as_str).unwrap();
        assert!(password.starts_with("[secret:") && password.contains("11 characters]"), "{out}");
        assert_eq!(shown.get("plain").and_then(Value::as_str), Some("AKIA****"));
    }

    #[test]
    fn what_stands_where_a_credential_stands_is_hidden() {
        for (text, expected) in [
            (
                r#"{"headers":{"X-Api-Key":"sample-value"}}"#,
                r#"{"headers":{"X-Api-Key":"[secret:x-api-key, 12 characters]"}}"#,
            ),
            (
                r#"{"c":"curl -H 'authorization: token abcdefgh' x"}"#,
                r#"{"c":"curl -H 'authorization: token [secret:authorization, 8 characters]' x"}"#,
            ),
            (
                r#"{"c":"curl -H \"Authorization: Bearer $TOKEN\""}"#,
                r#"{"c":"curl -H \"Authorization: Bearer $TOKEN\""}"#,
            ),
            (r#"{"Authorization":"Basic ${CREDENTIALS}"}"#, r#"{"Authorization":"Basic ${CREDENTIALS}"}"#),
            (
                r#"{"author":"somebody","token_count":"1234567"}"#,
                r#"{"author":"somebody","token_count":"1234567"}"#,
            ),
        ] {
            assert_eq!(named(&Value::parse(text).unwrap()).canonical(), expected);
        }
    }

    #[test]
    fn a_placeholder_is_no_secret_and_hides_none() {
        let placeholder = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
        let real = ["ghp_", "Z9y8X7w6V5u4T3s2R1q0P9o8N7m6L5k4J3i2"].concat();
        let known = Arc::new(Placeholders::default());
        let secrets = Secrets::knowing(&known);
        let command =
            |token: &str| format!("curl -H 'Authorization: Bearer {token}' https://api.github.com/");
        assert!(!secrets.find(&command(&placeholder)).is_empty());
        known.know(&placeholder);
        assert_eq!(secrets.find(&command(&placeholder)).len(), 0);
        assert!(!secrets.find(&command(&real)).is_empty());
        assert!(!secrets.find(&format!("{} {}", command(&placeholder), command(&real))).is_empty());
        known.forget(&placeholder);
        assert!(!secrets.find(&command(&placeholder)).is_empty());
    }
}
