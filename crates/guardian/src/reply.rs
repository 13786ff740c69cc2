//! Parses the model's reply strictly: exactly one JSON object of the contract.
//!
//! Nothing is searched for or cut out: a brace found by searching may belong to a quoted example, and a part of a
//! text may be someone else's verdict. Any other reply is [`Invalid`], with a reason that quotes no content, so that
//! it may be sent back in the one repair attempt.

use doorward_core::evaluation::GuardianDecision;
use doorward_core::json::{Limits, Object, Value};

/// Longest accepted reply, in bytes.
pub const LONGEST: usize = 16_384;
/// Most nesting: the object, the list of risks, and some room for additional members.
const DEPTH: usize = 4;

/// Whether, in the model's view, the user asked for this target and these side effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Authorization {
    /// Unclear.
    #[default]
    Unknown,
    /// Not requested.
    Low,
    /// Requested in general.
    Medium,
    /// Requested exactly.
    High,
}

/// A valid reply, before the score is computed from it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// How harmful the action is in itself, 0 to 100.
    pub risk_score: u8,
    /// Whether the user asked for it.
    pub user_authorization: Authorization,
    /// Whether the evidence tries to influence the verdict.
    pub injection_evidence: bool,
    /// Risks that it names.
    pub risks: Vec<String>,
    /// Its own decision, if given; can only make the result stricter.
    pub decision: Option<GuardianDecision>,
    /// Explanation; never blank.
    pub reasoning: String,
}

/// Why a reply is invalid. Quotes nothing from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("guardian.invalid_reply: {0}")]
pub struct Invalid(pub &'static str);

/// Parses a reply.
///
/// ```
/// use doorward_guardian::reply::read;
/// let reply = read(r#"{"risk_score": 10, "reasoning": "reads one file", "risks": []}"#)?;
/// assert_eq!(reply.risk_score, 10);
/// assert!(read(r#"Sure! {"risk_score": 10, "reasoning": "r", "risks": []}"#).is_err());
/// # Ok::<(), doorward_guardian::reply::Invalid>(())
/// ```
///
/// # Errors
/// [`Invalid`] unless it is one strict object of the contract, bare or in one code fence.
pub fn read(text: &str) -> Result<Reply, Invalid> {
    if text.chars().count() > LONGEST {
        return Err(Invalid("longer than a verdict can be"));
    }
    let inner = unfenced(text.trim_matches(is_json_space))?;
    let limits = Limits { bytes: LONGEST * 4, depth: DEPTH };
    let value = Value::parse_bytes(inner.as_bytes(), limits)
        .map_err(|_| Invalid("not one strict JSON object with unique keys and nothing around it"))?;
    let Value::Object(members) = value else {
        return Err(Invalid("not a JSON object"));
    };
    if members.keys().any(|key| !KEYS.contains(&key.as_str())) {
        return Err(Invalid("a key that isn't in the contract"));
    }
    Ok(Reply {
        risk_score: score(&members, inner)?,
        user_authorization: authorization(&members)?,
        injection_evidence: match members.get("injection_evidence") {
            None => false,
            Some(value) => value.as_bool().ok_or(Invalid("injection_evidence is no boolean"))?,
        },
        risks: risks(&members)?,
        decision: decision(&members)?,
        reasoning: reasoning(&members)?,
    })
}

/// The key of the score, in both spellings of the contract.
const SCORE: [&str; 2] = ["risk_score", "riskScore"];
const KEYS: &[&str] =
    &[SCORE[0], SCORE[1], "user_authorization", "injection_evidence", "risks", "decision", "reasoning"];

pub(crate) const fn is_json_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Removes a code fence, which must enclose the whole text.
pub(crate) fn unfenced(text: &str) -> Result<&str, Invalid> {
    let Some(rest) = text.strip_prefix("```") else { return Ok(text) };
    let broken = Invalid("a code fence that isn't around the whole");
    let (label, rest) = rest.split_once('\n').ok_or(broken)?;
    if !matches!(label.trim_matches(is_json_space), "" | "json" | "JSON") {
        return Err(broken);
    }
    let inner = rest.strip_suffix("```").ok_or(broken)?.trim_matches(is_json_space);
    if inner.starts_with("```") || inner.ends_with("```") { Err(broken) } else { Ok(inner) }
}

fn score(members: &Object, text: &str) -> Result<u8, Invalid> {
    let key = match SCORE.map(|key| members.contains_key(key)) {
        [true, false] => SCORE[0],
        [false, true] => SCORE[1],
        [true, true] => return Err(Invalid("two scores")),
        [false, false] => return Err(Invalid("risk_score is missing")),
    };
    // The strict value knows only amounts; whether it was written as an integer (not 5.0, 1e1 or -0) is visible only
    // in the text.
    let spelt = serde_json::from_str::<serde_json::Value>(text).ok();
    let score = spelt.as_ref().and_then(|value| value.get(key)?.as_i64());
    u8::try_from(score.ok_or(Invalid("risk_score is no integer"))?)
        .ok()
        .filter(|score| *score <= 100)
        .ok_or(Invalid("risk_score is not 0 to 100"))
}

fn authorization(members: &Object) -> Result<Authorization, Invalid> {
    let Some(value) = members.get("user_authorization") else { return Ok(Authorization::Unknown) };
    match value.as_str() {
        Some("unknown") => Ok(Authorization::Unknown),
        Some("low") => Ok(Authorization::Low),
        Some("medium") => Ok(Authorization::Medium),
        Some("high") => Ok(Authorization::High),
        _ => Err(Invalid("user_authorization isn't one of unknown, low, medium, high")),
    }
}

fn risks(members: &Object) -> Result<Vec<String>, Invalid> {
    let no_list = Invalid("risks is no list of strings");
    let items = members.get("risks").ok_or(Invalid("risks is missing"))?.as_array().ok_or(no_list)?;
    items.iter().map(|item| item.as_str().map(str::to_owned).ok_or(no_list)).collect()
}

fn decision(members: &Object) -> Result<Option<GuardianDecision>, Invalid> {
    let Some(value) = members.get("decision") else { return Ok(None) };
    match value.as_str() {
        Some("approve") => Ok(Some(GuardianDecision::Approve)),
        Some("prompt_user") => Ok(Some(GuardianDecision::PromptUser)),
        Some("deny") => Ok(Some(GuardianDecision::Deny)),
        _ => Err(Invalid("decision isn't one of approve, prompt_user, deny")),
    }
}

fn reasoning(members: &Object) -> Result<String, Invalid> {
    let value = members.get("reasoning").ok_or(Invalid("reasoning is missing"))?;
    let text = value.as_str().ok_or(Invalid("reasoning is no string"))?;
    if text.chars().all(|c| c.is_whitespace() || crate::fence::is_treacherous(c)) {
        return Err(Invalid("reasoning is blank"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID: &str = concat!(
        r#"{"risk_score":42,"user_authorization":"medium","injection_evidence":false,"#,
        r#""risks":["destructive"],"decision":"approve","reasoning":"deletes a build folder"}"#,
    );

    #[test]
    fn the_full_contract_and_the_three_keys_of_the_seed_are_both_valid() {
        let full = read(VALID).unwrap();
        assert_eq!(full.user_authorization, Authorization::Medium);
        assert_eq!(full.decision, Some(GuardianDecision::Approve));
        for key in SCORE {
            let text = format!(r#"{{"{key}":7,"reasoning":"r","risks":[]}}"#);
            assert_eq!(read(&text).unwrap().risk_score, 7);
            assert!(read(&text.replace("7", "7.0")).is_err() && read(&text.replace("7", "101")).is_err());
        }
        assert!(read(r#"{"risk_score":7,"riskScore":7,"reasoning":"r","risks":[]}"#).is_err());
    }

    #[test]
    fn what_is_not_exactly_the_contract_is_no_verdict() {
        let object = r#"{"risk_score":5,"reasoning":"r","risks":[]}"#;
        for text in [
            format!("```json\n```json\n{object}\n```\n```"),
            format!("```json\n{object}\n```\n```json\n{object}\n```"),
            format!("```python\n{object}\n```"),
            format!("```{object}```"),
            format!("```json\n{object}"),
            format!("{object},"),
            format!("[{object}]"),
            format!("{object}\u{a0}"),
            format!("{}{object}", " ".repeat(LONGEST)),
            r#"{"risk_score":5,"reasoning":"r","risks":[],"reasoning":"s"}"#.to_owned(),
            r#"{"risk_score":5,"\u0072isk_score":95,"reasoning":"r","risks":[]}"#.to_owned(),
            r#"{"risk_score":5,"reasoning":"r","risks":[],"decision":"allow"}"#.to_owned(),
            r#"{"risk_score":5,"reasoning":"r","risks":[],"decision":null}"#.to_owned(),
            r#"{"risk_score":5,"reasoning":"r","risks":[],"injection_evidence":"no"}"#.to_owned(),
            r#"{"risk_score":5,"reasoning":"r","risks":[],"user_authorization":"HIGH"}"#.to_owned(),
            r#"{"risk_score":5,"reasoning":"r","risks":[[[[["x"]]]]]}"#.to_owned(),
            "\u{85}".to_owned() + object,
        ] {
            assert!(read(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn no_mutated_byte_reaches_another_field_or_a_panic() {
        let original = read(VALID).unwrap();
        for at in 0..VALID.len() {
            for byte in [b'"', b'{', b'}', b',', b':', b'0', b'9', b'-', b'\\', b' ', b'a', 0xff, 0] {
                let mut bytes = VALID.as_bytes().to_vec();
                bytes[at] = byte;
                let Ok(text) = String::from_utf8(bytes) else { continue };
                let Ok(reply) = read(&text) else { continue };
                // Only one field is affected by the byte, so the others must be the same.
                let same = [
                    reply.risk_score == original.risk_score,
                    reply.user_authorization == original.user_authorization,
                    reply.injection_evidence == original.injection_evidence,
                    reply.risks == original.risks,
                    reply.decision == original.decision,
                    reply.reasoning == original.reasoning,
                ];
                assert!(same.iter().filter(|same| !**same).count() <= 1, "{text}");
            }
        }
    }
}
