//! Rows of `check --batch`: a request, a short row with a `command`, or a path.

use std::collections::BTreeMap;
use std::sync::Arc;

use doorward_core::call::Root;
use doorward_core::json::{Limits, Object, Value};
use doorward_core::tool::CanonicalTool;
use doorward_hooks::clients::ClientMode;
use doorward_policy::request::SeedRequest;
use serde_json::json;

use super::simulate_request;
use crate::Door;

/// Files that a row brings along, by path.
pub(super) type Files = BTreeMap<String, String>;

/// One row of `check --batch`: a request, a short row with a `command`, or a path row, each with an `id`. Always one
/// line of JSON, also for a bad row.
pub async fn batch_line(door: &Arc<Door>, line: &[u8]) -> String {
    let row = match Value::parse_bytes(line, Limits::default()) {
        Ok(row) => row,
        Err(error) => return refused(&serde_json::Value::Null, error.code(), &error.to_string()),
    };
    let id = row.get("id").map_or(serde_json::Value::Null, serde_json::Value::from);
    if row.get("path").is_some() && row.get("principal").is_none() {
        return path_row(&id, &row);
    }
    let files = match files_of(&row) {
        Ok(files) => files,
        Err(message) => return refused(&id, "request.invalid", &message),
    };
    let whole = match short_row(&row) {
        Ok(whole) => whole,
        Err(message) => return refused(&id, "request.invalid", &message),
    };
    match SeedRequest::of(&whole.unwrap_or_else(|| without_own(row)), &[]) {
        Err(error) => refused(&id, error.code, &error.message),
        Ok(request) => match simulate_request(door, &request, files).await {
            Err(error) => refused(&id, error.code, &error.message),
            Ok(simulated) => {
                let mut answer = json!({"id": id});
                if let (Some(answer), serde_json::Value::Object(members)) =
                    (answer.as_object_mut(), simulated.to_json())
                {
                    answer.extend(members);
                }
                answer.to_string()
            }
        },
    }
}

/// A row without the members that are the batch's and not the request's.
fn without_own(mut row: Value) -> Value {
    if let Value::Object(members) = &mut row {
        members.retain(|name, _| !["id", "files"].contains(&name.as_str()));
    }
    row
}

/// The members of a short row: `{"id", "command", "cwd"?, "roots"?, "mode"?, "files"?}`.
const SHORT: &[&str] = &["command", "cwd", "files", "id", "mode", "roots"];

/// A short row as the request that it stands for; `None` where the row is none.
fn short_row(row: &Value) -> Result<Option<Value>, String> {
    let Value::Object(members) = row else { return Ok(None) };
    if members.contains_key("principal") || !members.contains_key("command") {
        return Ok(None);
    }
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let command = members.get("command").and_then(text).ok_or("`command` is a string")?;
    if let Some(unknown) = members.keys().find(|name| !SHORT.contains(&name.as_str())) {
        return Err(format!("unknown member `{unknown}`: a short row has {}", SHORT.join(", ")));
    }
    let mut context = Object::new();
    for name in ["cwd", "mode", "roots"] {
        if let Some(value) = members.get(name) {
            context.insert(name.to_owned(), value.clone());
        }
    }
    if let Some(mode) = members.get("mode")
        && let Err(known) = ClientMode::claimed(mode.as_str().unwrap_or_default())
    {
        return Err(format!("unknown mode {}: it is {known}", mode.canonical()));
    }
    let object = |members: &[(&str, Value)]| {
        Value::Object(members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    };
    let args = object(&[("command", Value::from(command))]);
    let resource = object(&[
        ("type", Value::from("tool")),
        ("name", Value::from(CanonicalTool::Shell.as_str())),
        ("attributes", object(&[("args", args)])),
    ]);
    Ok(Some(object(&[
        ("principal", object(&[("id", Value::from("user"))])),
        ("action", Value::from("tool:execute")),
        ("resource", resource),
        ("context", Value::Object(context)),
    ])))
}

fn files_of(row: &Value) -> Result<Option<Files>, String> {
    let Some(files) = row.get("files") else { return Ok(None) };
    let Value::Object(members) = files else { return Err("`files` maps paths to contents".to_owned()) };
    let content = |(path, value): (&String, &Value)| match value.as_str() {
        Some(text) => Ok((path.clone(), text.to_owned())),
        None => Err(format!("`files`: the content of {path} is a string")),
    };
    members.iter().map(content).collect::<Result<Files, String>>().map(Some)
}

/// A bad row is denied like a bad request.
fn refused(id: &serde_json::Value, code: &str, reason: &str) -> String {
    json!({"id": id, "decision": "DENY", "reason": reason, "code": code, "risk": "UNKNOWN", "score": null,
        "findings": [], "effects": {}, "policies": [], "obligations": [], "micros": 0})
    .to_string()
}

fn path_row(id: &serde_json::Value, row: &Value) -> String {
    let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
    let roots = row.get("roots").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let roots: Vec<Root> = roots.map(Root::parse).collect();
    let (scope, code) = doorward_inspect::scope_row(text("path"), text("op"), &roots, text("cwd"));
    json!({"id": id, "scope": scope.as_str(), "code": code.map(|code| code.as_str())}).to_string()
}
