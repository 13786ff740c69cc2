//! OpenAI chat completions and compatible servers.

use serde_json::{Value, json};

use super::{Answer, Posted, Usage, WireQuestion, count, text_or_void};

pub(super) fn request(question: WireQuestion<'_>) -> Posted {
    let mut messages = vec![json!({"role": "system", "content": question.system})];
    messages.extend(question.turns().map(|text| json!({"role": "user", "content": text})));
    let mut body = json!({"model": question.model, "messages": messages});
    if let Some(members) = body.as_object_mut() {
        let limit = if question.without.new_limit { "max_tokens" } else { "max_completion_tokens" };
        members.insert(limit.to_owned(), json!(question.max_output));
        if !question.without.temperature {
            members.insert("temperature".to_owned(), json!(0));
        }
        if let Some(schema) = question.schema {
            let format = if question.without.schema {
                json!({"type": "json_object"})
            } else {
                json!({"type": "json_schema",
                    "json_schema": {"name": "verdict", "strict": true, "schema": schema}})
            };
            members.insert("response_format".to_owned(), format);
        }
    }
    Posted { path: "/chat/completions".to_owned(), headers: Vec::new(), body }
}

pub(super) fn read(value: &Value) -> Answer {
    let usage = Usage {
        input_total: count(value, "/usage/prompt_tokens"),
        cached_read: count(value, "/usage/prompt_tokens_details/cached_tokens"),
        output_total: count(value, "/usage/completion_tokens"),
        reasoning: count(value, "/usage/completion_tokens_details/reasoning_tokens"),
        ..Usage::default()
    };
    let choices = value.get("choices").and_then(Value::as_array).map(Vec::as_slice);
    let choice = match choices {
        Some([choice]) => choice,
        Some([_, ..]) => return Answer::Void("the answer has several choices", usage),
        _ => return Answer::Void("the answer has no choice", usage),
    };
    if choice.pointer("/message/refusal").is_some_and(|refusal| !refusal.is_null()) {
        return Answer::Void("the model refused", usage);
    }
    match choice.get("finish_reason").and_then(Value::as_str) {
        Some("length") => return Answer::Void("the answer was cut", usage),
        Some("content_filter") => return Answer::Void("the answer was filtered", usage),
        Some("tool_calls" | "function_call") => return Answer::Void("the model called a tool", usage),
        Some("error") => return Answer::Void("the model failed", usage),
        _ => {}
    }
    let text = choice.pointer("/message/content").and_then(Value::as_str).unwrap_or_default();
    text_or_void(text.to_owned(), usage)
}
