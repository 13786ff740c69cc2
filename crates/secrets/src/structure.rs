//! Secrets recognised by the surrounding document: Kubernetes secrets, Tink key sets, JSON Web Keys.
//!
//! Read forward from the word that identifies the document, within a limit: more than a stream's context isn't
//! read.

use crate::charset::{self, at, before, is};
use crate::value;

/// How far a document is read.
pub(crate) const REACH: usize = 3 * 1024;

/// Whether the byte at `pos` is in the `Secret` of a `kind: Secret`.
pub(crate) fn names_a_kubernetes_secret(text: &[u8], pos: usize) -> bool {
    let word = text.get(pos..pos + 6).unwrap_or_default();
    let head = text.get(pos.saturating_sub(10)..pos).unwrap_or_default();
    let head = head.trim_ascii_end();
    let head = head.strip_suffix(b"\"").or(head.strip_suffix(b"'")).unwrap_or(head).trim_ascii_end();
    word.eq_ignore_ascii_case(b"secret")
        && (head.ends_with(b"kind:") || head.ends_with(b"kind\":"))
        && !is(at(text, pos + 6), charset::WORD)
}

/// Whether the `data:` or `stringData:` with its colon at `colon` follows Kubernetes' core API version, as in the
/// output of `kubectl get secret -o yaml`, which is sorted so that `kind` comes last. Returns its indent and
/// whether values are base64.
pub(crate) fn core_data(text: &[u8], colon: usize) -> Option<(usize, bool)> {
    let head = text.get(colon.saturating_sub(96)..colon)?;
    let mut lines = head.rsplit(|byte| *byte == b'\n');
    let (own, above) = (lines.next()?, lines.next()?);
    let version: Vec<u8> = above.iter().filter(|byte| !b" \t\r\"'".contains(byte)).copied().collect();
    let indent = own.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let encoded = own.get(indent..)? == b"data";
    (version == b"apiVersion:v1" && (encoded || own.get(indent..)? == b"stringData"))
        .then_some((indent, encoded))
}

/// Values below `data:` and `stringData:` of the document identified at `pos`.
pub(crate) fn kubernetes_values(text: &[u8], pos: usize) -> Vec<(usize, usize)> {
    values_below(text, pos, None, 0)
}

/// Values of the section that begins at `pos`, and of later ones in its document.
pub(crate) fn values_below(
    text: &[u8],
    pos: usize,
    mut encoded: Option<bool>,
    mut outer: usize,
) -> Vec<(usize, usize)> {
    let mut values = Vec::new();
    let end = (pos + REACH).min(text.len());
    let mut line_start = pos
        + memchr::memchr(b'\n', text.get(pos..end).unwrap_or_default()).map_or(end - pos, |line| line + 1);
    while line_start < end {
        let line_end = line_start
            + memchr::memchr(b'\n', text.get(line_start..end).unwrap_or_default())
                .unwrap_or(end - line_start);
        let line = text.get(line_start..line_end).unwrap_or_default();
        let indent = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let body = line.trim_ascii();
        if body.starts_with(b"---") {
            break;
        }
        if matches!(body, b"data:" | b"stringData:") {
            (encoded, outer) = (Some(body == b"data:"), indent);
        } else if indent <= outer && !body.is_empty() {
            encoded = None;
        } else if let Some(encoded) = encoded
            && let Some(colon) = body.iter().position(|byte| *byte == b':')
        {
            let mut start = line_start + indent + colon + 1;
            while matches!(at(text, start), b' ' | b'\'' | b'"') {
                start += 1;
            }
            let length = text.get(start..line_end).map_or(0, |rest| {
                rest.iter().take_while(|byte| **byte > b' ' && !matches!(byte, b'\'' | b'"')).count()
            });
            let secret = text.get(start..start + length).unwrap_or_default();
            let plain = if encoded { crate::decode::base64(secret) } else { secret.to_vec() };
            if plain.len() >= 6
                && !value::masked(secret)
                && !value::documented(secret)
                && !value::reference(secret)
                && !value::placeholder(&plain)
            {
                values.push((start, start + length));
            }
        }
        line_start = line_end + 1;
    }
    values
}

/// How far the object of a JSON Web Key is read.
pub(crate) const OBJECT: usize = 2048;

/// The key material of a Tink key set entry with `tink` in its type at `pos`.
pub(crate) fn tink_key(text: &[u8], pos: usize) -> Vec<(usize, usize)> {
    if !text.get(..pos).is_some_and(|head| head.ends_with(b"google.crypto.")) {
        return Vec::new();
    }
    let window = text.get(pos..(pos + 160).min(text.len())).unwrap_or_default();
    let field = memchr::memmem::find(window, b"value").map(|field| pos + field + 5);
    field.and_then(|field| quoted_base64(text, field)).into_iter().collect()
}

/// The private parts (`d`, the primes, `k` of a symmetric key) of a JSON Web Key with its `kty` at `pos`.
pub(crate) fn jwk_private(text: &[u8], pos: usize) -> Vec<(usize, usize)> {
    if before(text, pos) != b'"' {
        return Vec::new();
    }
    // Earlier fields count if they are on the same line: a stream has released earlier lines.
    let head = text.get(pos.saturating_sub(OBJECT)..pos).unwrap_or_default();
    let start = pos - head.iter().rev().take_while(|byte| !matches!(byte, b'{' | b'\n')).count();
    let window = text.get(start..(pos + OBJECT).min(text.len())).unwrap_or_default();
    let object = window.split(|byte| *byte == b'}').next().unwrap_or_default();
    [&b"\"d\""[..], b"\"k\"", b"\"p\"", b"\"q\"", b"\"dp\"", b"\"dq\"", b"\"qi\""]
        .iter()
        .filter_map(|name| Some(start + memchr::memmem::find(object, name)? + name.len()))
        .filter_map(|field| quoted_base64(text, field))
        .collect()
}

/// The base64 after a field's closing quote, colon and opening quote, escaped or not.
fn quoted_base64(text: &[u8], field: usize) -> Option<(usize, usize)> {
    let gap = text.get(field..)?.iter().take(16).take_while(|byte| b"\\\": \t\n".contains(byte)).count();
    let start = field + gap;
    let length = charset::run(text, start, charset::ANY_BASE64 | charset::EQUALS, 8192);
    (gap > 0 && length >= 20).then_some((start, start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_kubernetes_secret_are_found_below_its_kind() {
        let text =
            b"kind: Secret\nmetadata:\n  name: x\ndata:\n  extra: YWRtaW46cGFzc3dvcmQ=\n  hole: ${X}\ntype: \
            Opaque\n";
        let pos = memchr::memmem::find(text, b"Secret").unwrap();
        assert!(names_a_kubernetes_secret(text, pos));
        let values = kubernetes_values(text, pos);
        assert_eq!(values.len(), 1);
        assert_eq!(&text[values[0].0..values[0].1], b"YWRtaW46cGFzc3dvcmQ=");
    }

    #[test]
    fn key_material_in_json() {
        let value = "GhBcKD0QJVkaSbbF".repeat(2);
        let tink =
            format!(r#"{{"typeUrl":"type.googleapis.com/google.crypto.tink.AesGcmKey","value":"{value}"}}"#);
        let (start, end) = tink_key(tink.as_bytes(), tink.find("tink").unwrap())[0];
        assert_eq!(&tink[start..end], value);
        let jwk = format!(r#"{{"kty": "EC", "d": "{value}"}}"#);
        let (start, end) = jwk_private(jwk.as_bytes(), jwk.find("kty").unwrap())[0];
        assert_eq!(&jwk[start..end], value);
        let sorted = format!(r#"{{"crv": "X", "d": "{value}", "kty": "EC"}}"#);
        assert_eq!(jwk_private(sorted.as_bytes(), sorted.find("kty").unwrap()).len(), 1);
    }
}
