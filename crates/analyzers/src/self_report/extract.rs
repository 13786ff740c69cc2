//! Removes the label from the arguments, in any form that the model gave it.

use doorward_core::finding::Finding;
use doorward_core::json::{JsonError, Object, Value};
use doorward_core::risk::SecurityRisk;

use super::{Enhancement, FIELD};

/// Misspellings that models produce. Source: upstream's own list of renames.
const MISSPELT: [&str; 3] = ["security_rort", "securtiy_risk", "security_riks"];

/// The removed label, and the arguments for the tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Extracted {
    /// Arguments without the label.
    pub args: Object,
    /// The label; UNKNOWN if there is no valid one.
    pub risk: SecurityRisk,
    /// `risk_label.invalid`, if the label isn't one of the four.
    pub finding: Option<Finding>,
}

/// Why the call fails. Only `openhands-compat` fails a call because of its label.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ExtractError {
    /// The arguments aren't JSON, even after escaping raw control characters.
    #[error("{0}")]
    Json(#[from] JsonError),
    /// The label isn't one of the four.
    #[error("risk_label.invalid: `security_risk` must be one of UNKNOWN, LOW, MEDIUM, HIGH")]
    Invalid,
}

/// Removes the label from the arguments, under its name or a known misspelling; `None` if it is missing or `null`.
/// The remaining arguments are for the tool.
pub fn take(args: &mut Object) -> Option<Value> {
    let misspelt: Vec<Value> = MISSPELT.iter().filter_map(|name| args.remove(*name)).collect();
    args.remove(FIELD).into_iter().chain(misspelt).find(|label| !label.is_null())
}

/// Parses the model's arguments and removes the label. It never reaches the tool, even if it wasn't requested. For a
/// read-only tool, or a session without this analyzer, the risk is always UNKNOWN.
pub fn extract(
    arguments: &str,
    read_only: bool,
    on: bool,
    profile: Enhancement,
) -> Result<Extracted, ExtractError> {
    let value = match Value::parse(arguments) {
        Ok(value) => value,
        Err(error) => Value::parse(&escape_controls(arguments)).map_err(|_| error)?,
    };
    let mut args = if let Value::Object(members) = value { members } else { Object::new() };
    let label = take(&mut args);
    args.retain(|_, value| !value.is_null());
    let unlabelled = |args| Extracted { args, risk: SecurityRisk::Unknown, finding: None };
    let Some(label) = label.filter(|_| on && !read_only) else { return Ok(unlabelled(args)) };
    match label.as_str().and_then(SecurityRisk::from_word) {
        Some(risk) => Ok(Extracted { args, risk, finding: None }),
        None if profile == Enhancement::OpenhandsCompat => Err(ExtractError::Invalid),
        None => {
            let message = "the model's risk label is none of LOW, MEDIUM, HIGH, UNKNOWN";
            Ok(Extracted { finding: Some(Finding::new("risk_label.invalid", message)), ..unlabelled(args) })
        }
    }
}

/// Models put raw line ends and tabs into strings. Outside strings they are white space anyway.
fn escape_controls(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len());
    let (mut inside, mut escaped) = (false, false);
    for ch in text.chars() {
        if inside && ch < ' ' {
            let _ = write!(out, "\\u{:04x}", u32::from(ch));
            escaped = false;
            continue;
        }
        match ch {
            '"' if !escaped => inside = !inside,
            _ => {}
        }
        escaped = inside && ch == '\\' && !escaped;
        out.push(ch);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use SecurityRisk::{High, Low, Unknown};

    #[test]
    fn the_label_never_reaches_the_tool() {
        for (arguments, risk, invalid) in [
            (r#"{"command":"ls","security_risk":"LOW"}"#, Low, false),
            (r#"{"command":"ls","securtiy_risk":"HIGH"}"#, High, false),
            (r#"{"command":"ls"}"#, Unknown, false),
            (r#"{"command":"ls","security_risk":null}"#, Unknown, false),
            (r#"{"command":"ls","security_risk":"low"}"#, Unknown, true),
            (r#"{"command":"ls","security_risk":1}"#, Unknown, true),
            ("{\"command\":\"ls\",\"x\":\"a\nb\",\"security_risk\":\"LOW\"}", Low, false),
            ("[1]", Unknown, false),
        ] {
            let got = extract(arguments, false, true, Enhancement::Default).unwrap();
            assert_eq!((got.risk, got.finding.is_some()), (risk, invalid), "{arguments}");
            assert!(!got.args.keys().any(|key| key.starts_with("secur")), "{arguments}");
        }
    }

    #[test]
    fn nobody_asked_nobody_believes() {
        let labelled = r#"{"security_risk":"LOW"}"#;
        for (read_only, on) in [(true, true), (false, false)] {
            let got = extract(labelled, read_only, on, Enhancement::Default).unwrap();
            assert_eq!((got.risk, got.args.len()), (Unknown, 0));
        }
        assert!(extract(r#"{"security_risk":"??"}"#, false, true, Enhancement::OpenhandsCompat).is_err());
        assert!(extract("{", false, true, Enhancement::Default).is_err());
    }
}
