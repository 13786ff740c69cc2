//! Gemini generateContent.

use serde_json::{Value, json};

use super::{Answer, Posted, Usage, WireQuestion, count, joined, text_or_void};

pub(super) fn request(question: WireQuestion<'_>) -> Posted {
    let parts: Vec<Value> = question.turns().map(|text| json!({ "text": text })).collect();
    let mut config = json!({"maxOutputTokens": question.max_output});
    if let Some(members) = config.as_object_mut() {
        if !question.without.temperature {
            members.insert("temperature".to_owned(), json!(0));
        }
        if let Some(schema) = question.schema {
            members.insert("responseMimeType".to_owned(), json!("application/json"));
            if !question.without.schema {
                members.insert("responseJsonSchema".to_owned(), schema.clone());
            }
        }
    }
    let body = json!({
        "systemInstruction": {"parts": [{"text": question.system}]},
        "contents": [{"role": "user", "parts": parts}],
        "generationConfig": config,
    });
    Posted { path: format!("/v1beta/models/{}:generateContent", question.model), headers: Vec::new(), body }
}

pub(super) fn read(value: &Value) -> Answer {
    let reasoning = count(value, "/usageMetadata/thoughtsTokenCount");
    let usage = Usage {
        input_total: count(value, "/usageMetadata/promptTokenCount")
            .saturating_add(count(value, "/usageMetadata/toolUsePromptTokenCount")),
        cached_read: count(value, "/usageMetadata/cachedContentTokenCount"),
        // Thoughts are counted separately from the candidates.
        output_total: count(value, "/usageMetadata/candidatesTokenCount").saturating_add(reasoning),
        reasoning,
        ..Usage::default()
    };
    let blocked = value.pointer("/promptFeedback/blockReason").is_some_and(|reason| !reason.is_null());
    let candidates = value.get("candidates").and_then(Value::as_array).map(Vec::as_slice);
    let candidate = match candidates {
        Some([candidate]) if !blocked => candidate,
        Some([_, _, ..]) => return Answer::Void("the answer has several candidates", usage),
        _ => return Answer::Void("the prompt was blocked", usage),
    };
    if candidate.get("finishReason").and_then(Value::as_str) != Some("STOP") {
        return Answer::Void("the answer was cut or filtered", usage);
    }
    let text = joined(candidate.pointer("/content/parts"), |part| {
        let thought = part.get("thought").and_then(Value::as_bool).unwrap_or(false);
        part.get("text").filter(|_| !thought)?.as_str()
    });
    text_or_void(text, usage)
}
