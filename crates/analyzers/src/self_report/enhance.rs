//! Adds the label to a tool's schema.

use serde_json::{Map, Value, json};

use super::{FIELD, SUMMARY};

/// The profile that requests the label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enhancement {
    /// In `properties` and in `required`; no summary.
    Default,
    /// In `properties` only, together with a summary.
    OpenhandsCompat,
}

/// Why the label can't be added to a schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnhanceError {
    /// The tool has a parameter of that name with another meaning, which must not be taken over silently.
    #[error("schema.collision: the tool has a parameter `security_risk` of its own")]
    Collision,
    /// The schema isn't that of an object.
    #[error("schema.not_object: the tool's input schema is not that of an object")]
    NotObject,
}

/// The schema with the label; unchanged for a tool annotated as read-only. Idempotent.
pub fn enhance(
    schema: &Value,
    annotations: Option<&Value>,
    profile: Enhancement,
) -> Result<Value, EnhanceError> {
    if annotations.and_then(|hints| hints.get("readOnlyHint")).and_then(Value::as_bool) == Some(true) {
        return Ok(schema.clone());
    }
    let object = schema.as_object().ok_or(EnhanceError::NotObject)?;
    if object.get("type").is_some_and(|kind| kind != "object") {
        return Err(EnhanceError::NotObject);
    }
    let none = Map::new();
    let own = match object.get("properties") {
        None => &none,
        Some(properties) => properties.as_object().ok_or(EnhanceError::NotObject)?,
    };
    if own.get(FIELD).is_some_and(|there| *there != label()) {
        return Err(EnhanceError::Collision);
    }

    let mut properties = Map::new();
    properties.insert(FIELD.to_owned(), label());
    let compat = profile == Enhancement::OpenhandsCompat;
    if compat && own.get(SUMMARY).is_none_or(|there| *there == summary()) {
        properties.insert(SUMMARY.to_owned(), summary());
    }
    for (name, property) in own {
        properties.entry(name.clone()).or_insert_with(|| property.clone());
    }
    let mut enhanced = object.clone();
    enhanced.entry("type").or_insert_with(|| json!("object"));
    enhanced.insert("properties".to_owned(), Value::Object(properties));
    if !compat {
        let mut required = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        if !required.iter().any(|name| name == FIELD) {
            required.insert(0, json!(FIELD));
        }
        enhanced.insert("required".to_owned(), Value::Array(required));
    }
    Ok(Value::Object(enhanced))
}

fn label() -> Value {
    json!({
        "type": "string",
        "enum": ["UNKNOWN", "LOW", "MEDIUM", "HIGH"],
        "description": "How risky this very call is. LOW: only reads. MEDIUM: changes files or data of the project in \
            ways that can be undone. HIGH: deletes, runs system commands, needs privilege, touches secrets or sends \
            data out. UNKNOWN: you can't tell.",
    })
}

fn summary() -> Value {
    json!({"type": "string", "description": "What this call does, in about ten words."})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_comes_first_and_is_required() {
        let schema =
            json!({"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]});
        let once = enhance(&schema, None, Enhancement::Default).unwrap();
        let names: Vec<&String> = once["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["security_risk", "command"]);
        assert_eq!(once["required"], json!(["security_risk", "command"]));
        assert_eq!(enhance(&once, None, Enhancement::Default).unwrap(), once, "twice is once");
    }

    #[test]
    fn compat_adds_a_summary_but_leaves_the_tools_own() {
        let plain = enhance(&json!({"properties": {"a": {}}}), None, Enhancement::OpenhandsCompat).unwrap();
        let names: Vec<&String> = plain["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["security_risk", "summary", "a"]);
        assert_eq!(plain.get("required"), None);
        let own = json!({"properties": {"summary": {"type": "number"}}});
        let kept = enhance(&own, None, Enhancement::OpenhandsCompat).unwrap();
        assert_eq!(kept["properties"]["summary"], json!({"type": "number"}));
    }

    #[test]
    fn read_only_tools_stay_as_they_are_and_collisions_are_errors() {
        let schema = json!({"type": "object"});
        let hints = json!({"readOnlyHint": true});
        assert_eq!(enhance(&schema, Some(&hints), Enhancement::Default).unwrap(), schema);
        let hints = json!({"readOnlyHint": "true"});
        assert_ne!(enhance(&schema, Some(&hints), Enhancement::Default).unwrap(), schema);
        let taken = json!({"properties": {"security_risk": {"type": "integer"}}});
        assert_eq!(enhance(&taken, None, Enhancement::Default), Err(EnhanceError::Collision));
        assert_eq!(enhance(&json!("x"), None, Enhancement::Default), Err(EnhanceError::NotObject));
    }
}
