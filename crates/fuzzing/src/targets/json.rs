//! The JSON parser of every event, call and record.

use doorward_core::json::{Limits, Value};

/// Accepted text is written canonically, parses to the same again, and is accepted by every common parser.
pub(super) fn check(bytes: &[u8]) {
    let Ok(value) = Value::parse_bytes(bytes, Limits::default()) else { return };
    let text = value.canonical();
    let again = Value::parse(&text).unwrap_or_else(|error| panic!("{text:?} doesn't read again: {error}"));
    assert_eq!(again, value, "{text:?}");
    assert_eq!(again.canonical(), text);
    assert_eq!(again.digest(), value.digest());
    match serde_json::from_slice::<serde_json::Value>(bytes) {
        Ok(common) => assert_eq!(shape(&value), shape_of(&common), "{text:?}"),
        // A number that doesn't fit a double keeps its digits here.
        Err(error) => assert!(error.to_string().contains("number out of range"), "{text:?}: {error}"),
    }
}

/// Strings and structure, without numbers, whose digits other parsers lose.
fn shape(value: &Value) -> String {
    match value {
        Value::Number(_) => "n".to_owned(),
        Value::Array(items) => format!("[{}]", items.iter().map(shape).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let mut parts: Vec<String> =
                members.iter().map(|(key, value)| format!("{key:?}:{}", shape(value))).collect();
            parts.sort();
            format!("{{{}}}", parts.join(","))
        }
        Value::String(text) => format!("{text:?}"),
        other => other.canonical(),
    }
}

fn shape_of(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Number(_) => "n".to_owned(),
        serde_json::Value::Array(items) => {
            format!("[{}]", items.iter().map(shape_of).collect::<Vec<_>>().join(","))
        }
        serde_json::Value::Object(members) => {
            let mut parts: Vec<String> =
                members.iter().map(|(key, value)| format!("{key:?}:{}", shape_of(value))).collect();
            parts.sort();
            format!("{{{}}}", parts.join(","))
        }
        serde_json::Value::String(text) => format!("{text:?}"),
        other => other.to_string(),
    }
}
