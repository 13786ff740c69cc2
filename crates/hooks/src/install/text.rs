//! Applies a change of JSON settings to their text; unchanged parts keep their layout byte for byte.

use std::collections::HashSet;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstObject, CstRootNode};
use serde_json::{Map, Value};

use crate::jsonc;

/// The text of `after`, made by editing `text`, which contains `before`. If that isn't possible, formats the whole
/// file anew.
pub(super) fn changed(text: &str, before: &Map<String, Value>, after: &Map<String, Value>) -> String {
    let in_place = in_place(text, before, after);
    let holds_after = |text: &String| {
        serde_json::from_str::<Value>(&jsonc::blanked(text))
            .is_ok_and(|value| value.as_object() == Some(after))
    };
    in_place.filter(holds_after).unwrap_or_else(|| {
        let mut fresh = format!("{:#}", Value::Object(after.clone()));
        fresh.push('\n');
        fresh
    })
}

fn in_place(text: &str, before: &Map<String, Value>, after: &Map<String, Value>) -> Option<String> {
    if text.trim().is_empty() {
        return None;
    }
    let root = CstRootNode::parse(text, &ParseOptions::default()).ok()?;
    object(&root.object_value()?, before, after)?;
    Some(root.to_string())
}

fn object(node: &CstObject, before: &Map<String, Value>, after: &Map<String, Value>) -> Option<()> {
    for (name, old) in before {
        let member = node.get(name)?;
        match (old, after.get(name)) {
            (_, None) => member.remove(),
            (old, Some(new)) if old == new => {}
            (Value::Object(old), Some(Value::Object(new))) => object(&member.object_value()?, old, new)?,
            (Value::Array(old), Some(Value::Array(new))) => array(&member.array_value()?, old, new)?,
            (_, Some(new)) => member.set_value(input(new)),
        }
    }
    for (name, new) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        node.append(name, input(new));
    }
    Some(())
}

/// Edits an array; supports removing elements and appending new ones.
fn array(node: &CstArray, before: &[Value], after: &[Value]) -> Option<()> {
    let mut kept = after.iter().peekable();
    let stays: HashSet<usize> = before
        .iter()
        .enumerate()
        .filter(|(_, old)| kept.next_if(|new| new == old).is_some())
        .map(|(index, _)| index)
        .collect();
    for (index, element) in node.elements().into_iter().enumerate() {
        if !stays.contains(&index) {
            element.remove();
        }
    }
    for new in kept {
        node.append(input(new));
    }
    Some(())
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => {
            CstInputValue::Object(members.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}
