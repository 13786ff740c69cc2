//! OpenAI responses.

use serde_json::{Value, json};

use super::{Answer, Posted, Usage, WireQuestion, count, joined, text_or_void};

pub(super) fn request(question: WireQuestion<'_>) -> Posted {
    let input: Vec<Value> = question
        .turns()
        .map(|text| json!({"role": "user", "content": [{"type": "input_text", "text": text}]}))
        .collect();
    let mut body = json!({
        "model": question.model,
        "instructions": question.system,
        "input": input,
        "max_output_tokens": question.max_output,
        "store": false,
    });
    if let Some(members) = body.as_object_mut() {
        if !question.without.temperature {
            members.insert("temperature".to_owned(), json!(0));
        }
        if let Some(schema) = question.schema {
            let format = if question.without.schema {
                json!({"type": "json_object"})
            } else {
                json!({"type": "json_schema", "name": "verdict", "strict": true, "schema": schema})
            };
            members.insert("text".to_owned(), json!({ "format": format }));
        }
    }
    Posted { path: "/responses".to_owned(), headers: Vec::new(), body }
}

pub(super) fn read(value: &Value) -> Answer {
    let usage = Usage {
        input_total: count(value, "/usage/input_tokens"),
        cached_read: count(value, "/usage/input_tokens_details/cached_tokens"),
        cache_write_5m: count(value, "/usage/input_tokens_details/cache_write_tokens"),
        output_total: count(value, "/usage/output_tokens"),
        reasoning: count(value, "/usage/output_tokens_details/reasoning_tokens"),
        ..Usage::default()
    };
    if value.get("status").and_then(Value::as_str) != Some("completed") {
        return Answer::Void("the answer isn't complete", usage);
    }
    let messages: Vec<&Value> = value
        .get("output")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|item| item.get("type").and_then(Value::as_str) == Some("message"))
        .collect();
    let kind = |part: &Value, kind: &str| part.get("type").and_then(Value::as_str) == Some(kind);
    let refused = messages
        .iter()
        .filter_map(|item| item.get("content")?.as_array())
        .flatten()
        .any(|part| kind(part, "refusal"));
    if refused {
        return Answer::Void("the model refused", usage);
    }
    let text = messages
        .iter()
        .map(|item| {
            joined(item.get("content"), |part| {
                part.get("text").filter(|_| kind(part, "output_text"))?.as_str()
            })
        })
        .collect();
    text_or_void(text, usage)
}
