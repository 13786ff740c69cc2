//! JSON rows in and out: `{"id", "text" | "text_b64", "path"?}` → `{"id", "findings"}`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::file::find_in_any;
use crate::detect::Detector;

/// Answers one JSON line. A bad row gets `{"id", "error"}`, which never quotes the row.
#[must_use]
pub fn batch_line(line: &str) -> String {
    let row: Value = match serde_json::from_str(line) {
        Ok(row) => row,
        Err(_) => return json!({"id": null, "error": "not a JSON object"}).to_string(),
    };
    let id = row.get("id").cloned().unwrap_or(Value::Null);
    let text = match (row.get("text").and_then(Value::as_str), row.get("text_b64").and_then(Value::as_str)) {
        (Some(text), _) => Ok(text.as_bytes().to_vec()),
        (None, Some(encoded)) => STANDARD.decode(encoded).map_err(|_| "text_b64 is not base64"),
        (None, None) => Err("neither text nor text_b64"),
    };
    match text {
        Ok(text) => {
            let path = row.get("path").and_then(Value::as_str).unwrap_or_default();
            let findings = find_in_any(Detector::shared(), &text, path);
            json!({"id": id, "findings": findings}).to_string()
        }
        Err(reason) => json!({"id": id, "error": reason}).to_string(),
    }
}
