//! Checksums and structures in token formats. A valid one proves the format; an invalid one lowers the confidence
//! but never drops the hit.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// Checks of a rule besides its shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// Nothing.
    None,
    /// A weak prefix: the body must mix letters and digits and look random.
    Mixed,
    /// 30 characters, then CRC-32 of them in base62 (GitHub, npm).
    CrcBase62,
    /// CRC-32 of all before the last seven, in base36, with the payload length before it (GitLab routable).
    CrcBase36,
    /// CRC-32 of the first 37 bytes as four little-endian bytes in hex (Grafana service accounts).
    CrcHexLittle,
    /// 40 characters, then CRC-32 of them in hex (Cloudflare).
    CrcHex,
    /// CRC-32 of all before the last eight, in upper hex (Atlassian).
    CrcHexUpper,
    /// Bech32 with the given human-readable part (age).
    Bech32,
    /// A JSON Web Token: the first part is a JSON object with `alg` or `enc`.
    Jwt,
    /// The infix of an OpenAI key is in the middle.
    OpenAi,
    /// Ends in `AA` (Anthropic).
    EndsAa,
    /// Base64 of 17 to 20 digits comes first (Discord).
    Snowflake,
    /// AWS key id: base32 expected.
    Base32,
    /// A Google API key: its decoded bytes always begin with the same two, so that the first letter after `AIzaSy`
    /// is one of four.
    GoogleKey,
}

/// Outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing to check.
    Unchecked,
    /// The structure is valid.
    Valid,
    /// The structure is invalid.
    Invalid,
    /// Almost the format, but without a feature of every real token: masked, not reported.
    Spoiled,
    /// Not a token of this format at all.
    Reject,
}

impl Check {
    /// Checks a whole token.
    pub(crate) fn verify(self, token: &[u8]) -> Verdict {
        let holds = match self {
            Self::None => return Verdict::Unchecked,
            Self::Mixed => {
                return if mixed(token) { Verdict::Unchecked } else { Verdict::Reject };
            }
            Self::CrcBase62 => crc_base62(token),
            Self::CrcBase36 => crc_base36(token),
            Self::CrcHexLittle => crc_hex_little(token),
            Self::CrcHex => crc_hex(token),
            Self::CrcHexUpper => crc_hex_upper(token),
            Self::Bech32 => bech32(token),
            Self::Jwt => return jwt(token),
            Self::GoogleKey => {
                // Google documents `AIzaSy` and 33 characters.
                let usual = token.starts_with(b"AIzaSy");
                return if usual { Verdict::Unchecked } else { Verdict::Spoiled };
            }
            Self::OpenAi => return openai(token),
            Self::EndsAa => {
                return if token.ends_with(b"AA") { Verdict::Valid } else { Verdict::Invalid };
            }
            Self::Snowflake => {
                return if snowflake(token) { Verdict::Valid } else { Verdict::Unchecked };
            }
            Self::Base32 => {
                let body = token.get(4..).unwrap_or_default();
                let base32 = body.iter().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'));
                return if base32 { Verdict::Valid } else { Verdict::Unchecked };
            }
        };
        if holds { Verdict::Valid } else { Verdict::Invalid }
    }

    /// Completes a generated token so that the check passes, if it can be computed. For examples and tests.
    pub(crate) fn complete(self, token: &mut Vec<u8>) {
        let sum = match self {
            Self::CrcBase62 => token
                .len()
                .checked_sub(6)
                .and_then(|cut| Some((cut, radix(crc32fast::hash(token.get(cut - 30..cut)?), 62, 6)))),
            Self::CrcHexLittle => token.len().checked_sub(8).and_then(|cut| {
                let crc = crc32fast::hash(token.get(..cut - 1)?).swap_bytes();
                Some((cut, format!("{crc:08x}").into_bytes()))
            }),
            Self::CrcHex => token.len().checked_sub(8).and_then(|cut| {
                Some((cut, format!("{:08x}", crc32fast::hash(token.get(cut - 40..cut)?)).into_bytes()))
            }),
            Self::CrcHexUpper => token.len().checked_sub(8).and_then(|cut| {
                Some((cut, format!("{:08X}", crc32fast::hash(token.get(..cut)?)).into_bytes()))
            }),
            Self::GoogleKey => Some((4, b"SyA".to_vec()))
                .filter(|_| token.len() == 39)
                .map(|(cut, sum)| (cut, [sum, token.get(7..).unwrap_or_default().to_vec()].concat())),
            _ => None,
        };
        if let Some((cut, sum)) = sum {
            token.truncate(cut);
            token.extend(sum);
        }
    }
}

/// Letters and digits both occur, and not as one block each.
fn mixed(token: &[u8]) -> bool {
    let body = token.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let digits = body.clone().filter(|byte| byte.is_ascii_digit()).count();
    let letters = body.count() - digits;
    digits >= 2 && letters >= 2
}

fn crc_base62(token: &[u8]) -> bool {
    let Some((head, sum)) = token.split_at_checked(token.len().saturating_sub(6)) else { return false };
    let Some(body) = head.len().checked_sub(30).and_then(|cut| head.get(cut..)) else { return false };
    radix(crc32fast::hash(body), 62, 6) == sum
}

fn crc_base36(token: &[u8]) -> bool {
    let Some((head, sum)) = token.split_at_checked(token.len().saturating_sub(7)) else { return false };
    radix(crc32fast::hash(head), 36, 7) == sum
}

fn crc_hex_little(token: &[u8]) -> bool {
    token.get(..37).zip(token.get(38..46)).is_some_and(|(head, sum)| {
        format!("{:08x}", crc32fast::hash(head).swap_bytes()).as_bytes() == sum.to_ascii_lowercase()
    })
}

fn crc_hex(token: &[u8]) -> bool {
    let cut = token.len().saturating_sub(8);
    cut.checked_sub(40)
        .and_then(|from| token.get(from..cut))
        .zip(token.get(cut..))
        .is_some_and(|(body, sum)| format!("{:08x}", crc32fast::hash(body)).as_bytes() == sum)
}

fn crc_hex_upper(token: &[u8]) -> bool {
    token
        .split_at_checked(token.len().saturating_sub(8))
        .is_some_and(|(head, sum)| format!("{:08X}", crc32fast::hash(head)).as_bytes() == sum)
}

fn radix(mut number: u32, base: u32, width: usize) -> Vec<u8> {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut out = vec![b'0'; width];
    for slot in out.iter_mut().rev() {
        let digit = DIGITS.get((number % base) as usize).copied().unwrap_or(b'0');
        *slot = if base == 36 { digit.to_ascii_lowercase() } else { digit };
        number /= base;
    }
    out
}

/// BIP-173, constant 1; the human-readable part is everything before the last `1`.
fn bech32(token: &[u8]) -> bool {
    const SYMBOLS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let token = token.to_ascii_lowercase();
    let Some(cut) = token.iter().rposition(|byte| *byte == b'1') else { return false };
    let (hrp, data) = (token.get(..cut).unwrap_or_default(), token.get(cut + 1..).unwrap_or_default());
    let symbols = data.iter().map(|byte| SYMBOLS.iter().position(|own| own == byte));
    let Some(symbols) = symbols.collect::<Option<Vec<_>>>() else { return false };
    let values = hrp.iter().map(|byte| u32::from(byte >> 5)).chain([0]);
    let values = values.chain(hrp.iter().map(|byte| u32::from(byte & 31)));
    let values = values.chain(symbols.into_iter().filter_map(|symbol| u32::try_from(symbol).ok()));
    let sum = values.fold(1_u32, |sum, value| {
        let top = sum >> 25;
        GENERATOR.iter().enumerate().fold((sum & 0x01ff_ffff) << 5 ^ value, |sum, (bit, term)| {
            if top >> bit & 1 == 1 { sum ^ term } else { sum }
        })
    });
    sum == 1
}

/// The header must be an object that names an algorithm.
fn jwt(token: &[u8]) -> Verdict {
    let mut parts = token.split(|byte| *byte == b'.');
    let json = |part: Option<&[u8]>| {
        let json = URL_SAFE_NO_PAD.decode(part?).ok()?;
        serde_json::from_slice::<serde_json::Value>(&json).ok()
    };
    let head = json(parts.next());
    if !head.is_some_and(|head| head.get("alg").is_some() || head.get("enc").is_some()) {
        return Verdict::Invalid;
    }
    // A payload that begins as an object and ends in noise was altered by an inserted or missing character.
    let payload = parts.next();
    let begins = payload.and_then(|payload| URL_SAFE_NO_PAD.decode(payload.get(..16)?).ok());
    let object = begins.is_some_and(|begins| {
        let name =
            begins.iter().skip(2).take_while(|byte| byte.is_ascii_lowercase() || **byte == b'_').count();
        begins.starts_with(b"{\"") && name >= 2 && begins.get(name + 2..name + 4) == Some(b"\":")
    });
    if object && json(payload).is_none() { Verdict::Spoiled } else { Verdict::Valid }
}

/// `sk-` + N20 + infix + N20, or a scoped key with 20, 58 or 74 on both sides of the infix.
fn openai(token: &[u8]) -> Verdict {
    const INFIX: &[u8] = b"T3BlbkFJ";
    let Some(middle) = memchr::memmem::find(token, INFIX) else { return Verdict::Reject };
    let body = token.iter().skip(3).position(|byte| *byte == b'-').map_or(3, |dash| dash + 4);
    let scoped = token.len() > 60 || body > 3;
    let (left, right) = (middle.saturating_sub(body), token.len() - middle - INFIX.len());
    match (scoped, left, right) {
        (false, 20, 20) | (true, 20, 20) | (true, 58, 58) | (true, 74, 74) => Verdict::Valid,
        (_, left, right) if left >= 15 && right >= 15 => Verdict::Unchecked,
        _ => Verdict::Reject,
    }
}

fn snowflake(token: &[u8]) -> bool {
    let head = token.split(|byte| *byte == b'.').next().unwrap_or_default();
    STANDARD_NO_PAD
        .decode(head)
        .is_ok_and(|id| (17..=20).contains(&id.len()) && id.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_vectors_pass_and_one_changed_character_fails() {
        let q = "Q".repeat(52);
        let qpzr = "QPZR".repeat(13);
        for (check, parts) in [
            (Check::CrcBase62, vec!["ghp_", "Doorward0FakeBody1For2Test3abc", "3O2m5r"]),
            (Check::CrcBase62, vec!["ghp_", "Doorward0FakeBody1Pad2Zero0002", "0245wt"]),
            (Check::CrcBase36, vec!["glpat-", "DoorwardFakePayload-Test_27", ".01.0r", "0tg7bxv"]),
            (Check::CrcBase36, vec!["glpat-", "DoorwardFakePayload-Test_27", ".0r", "104yhwt"]),
            (Check::CrcHexLittle, vec!["glsa_", "DoorwardFakeServiceAccountTok32x", "_", "f34e314d"]),
            (Check::CrcHex, vec!["cfut_", "DoorwardFakeCloudflareTokenBody40charsXY", "202dcb9f"]),
            (Check::CrcHexUpper, vec!["ATATT3", "xFfGF0DoorwardFake-Body_Test=", "8B2F9209"]),
            (Check::CrcHexUpper, vec!["ATBB", "DoorwardFakeBitbucket24c", "5430FD2C"]),
            (Check::Bech32, vec!["AGE-SECRET-KEY-1", &q, "8H00W3"]),
            (Check::Bech32, vec!["AGE-SECRET-KEY-1", &qpzr, "F7LUW3"]),
        ] {
            let mut token = parts.concat().into_bytes();
            assert_eq!(check.verify(&token), Verdict::Valid, "{check:?}");
            let place = parts[0].len() + 5;
            token[place] = if token[place] == b'q' || token[place] == b'Q' { b'P' } else { b'q' };
            assert_eq!(check.verify(&token), Verdict::Invalid, "{check:?}");
        }
    }

    #[test]
    fn a_completed_token_passes() {
        for (check, token) in [
            (Check::CrcBase62, format!("npm_{}", "a".repeat(36))),
            (Check::CrcHex, format!("cfk_{}", "b".repeat(48))),
            (Check::CrcHexUpper, format!("ATBB{}", "c".repeat(32))),
        ] {
            let mut token = token.into_bytes();
            check.complete(&mut token);
            assert_eq!(check.verify(&token), Verdict::Valid, "{check:?}");
        }
    }
}
