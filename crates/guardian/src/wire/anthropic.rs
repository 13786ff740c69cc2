//! Anthropic messages. Without support for schemas a single tool is used instead.
//!
//! A cached prefix ends at a mark, and is found again if a later request has exactly the same blocks up to there. So
//! the stable part is sent in the blocks by which it grows, with marks after the static prefix, after the user's
//! words and after the last earlier action. The next request then finds this one's last mark a block or two before
//! its own.

use serde_json::{Value, json};

use super::{Answer, Posted, Usage, WireQuestion, count, joined, text_or_void};

/// The tool that replaces structured output.
const TOOL: &str = "verdict";

pub(super) fn request(question: WireQuestion<'_>) -> Posted {
    let marked = [0, question.stays.len().wrapping_sub(1)];
    let stays = question.stays.iter().enumerate().map(|(at, text)| {
        if marked.contains(&at) {
            json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}})
        } else {
            json!({"type": "text", "text": text})
        }
    });
    let content: Vec<Value> =
        stays.chain(question.user.iter().map(|text| json!({"type": "text", "text": text}))).collect();
    let mut body = json!({
        "model": question.model,
        "max_tokens": question.max_output,
        "system": [{"type": "text", "text": question.system, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": content}],
    });
    if let Some(members) = body.as_object_mut() {
        if !question.without.temperature {
            members.insert("temperature".to_owned(), json!(0));
        }
        match question.schema {
            Some(schema) if question.without.schema => {
                members.insert("tools".to_owned(), json!([{"name": TOOL, "input_schema": schema}]));
                let choice = json!({"type": "tool", "name": TOOL, "disable_parallel_tool_use": true});
                members.insert("tool_choice".to_owned(), choice);
            }
            Some(schema) => {
                let format = json!({"format": {"type": "json_schema", "schema": schema}});
                members.insert("output_config".to_owned(), format);
            }
            None => {}
        }
    }
    let headers = vec![("anthropic-version", "2023-06-01".to_owned())];
    Posted { path: "/v1/messages".to_owned(), headers, body }
}

pub(super) fn read(value: &Value) -> Answer {
    let written = count(value, "/usage/cache_creation_input_tokens");
    let hour = count(value, "/usage/cache_creation/ephemeral_1h_input_tokens").min(written);
    let cached_read = count(value, "/usage/cache_read_input_tokens");
    let usage = Usage {
        input_total: count(value, "/usage/input_tokens").saturating_add(written).saturating_add(cached_read),
        cached_read,
        cache_write_5m: written - hour,
        cache_write_1h: hour,
        output_total: count(value, "/usage/output_tokens"),
        ..Usage::default()
    };
    match value.get("stop_reason").and_then(Value::as_str) {
        Some("refusal") => return Answer::Void("the model refused", usage),
        Some("max_tokens" | "model_context_window_exceeded") => {
            return Answer::Void("the answer was cut", usage);
        }
        Some("pause_turn") => return Answer::Void("the answer was paused", usage),
        _ => {}
    }
    let kind = |part: &Value, kind: &str| part.get("type").and_then(Value::as_str) == Some(kind);
    let parts = value.get("content");
    let calls: Vec<&Value> =
        parts.and_then(Value::as_array).into_iter().flatten().filter(|part| kind(part, "tool_use")).collect();
    match calls.as_slice() {
        [] => {}
        [call] if call.get("name").and_then(Value::as_str) == Some(TOOL) => {
            return text_or_void(call.get("input").map(Value::to_string).unwrap_or_default(), usage);
        }
        _ => return Answer::Void("the model called another tool, or several", usage),
    }
    let text = joined(parts, |part| part.get("text").filter(|_| kind(part, "text"))?.as_str());
    text_or_void(text, usage)
}
