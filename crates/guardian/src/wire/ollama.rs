//! Ollama chat. Its server silently cuts long prompts, so requests always set the context size.

use serde_json::{Value, json};

use super::{Answer, Posted, Usage, WireQuestion, count, text_or_void};

pub(super) fn request(question: WireQuestion<'_>) -> Posted {
    let mut messages = vec![json!({"role": "system", "content": question.system})];
    messages.extend(question.turns().map(|text| json!({"role": "user", "content": text})));
    let mut options = json!({"num_ctx": context(&question), "num_predict": question.max_output});
    if let Some(members) = options.as_object_mut()
        && !question.without.temperature
    {
        members.insert("temperature".to_owned(), json!(0));
    }
    let mut body = json!({
        "model": question.model,
        "messages": messages,
        "stream": false,
        "think": false,
        "options": options,
    });
    if let (Some(schema), Some(members)) = (question.schema, body.as_object_mut()) {
        let format = if question.without.schema { json!("json") } else { schema.clone() };
        members.insert("format".to_owned(), format);
    }
    Posted { path: "/api/chat".to_owned(), headers: Vec::new(), body }
}

/// Context size for the prompt plus a quarter, because the estimate differs from the model's own count.
fn context(question: &WireQuestion<'_>) -> usize {
    let prompt = question.tokens();
    let room = prompt + prompt / 4 + usize::try_from(question.max_output).unwrap_or(0);
    room.next_power_of_two().max(4096)
}

/// Most tokens of a prompt that certainly wasn't cut.
pub(super) fn prompt_room(question: &WireQuestion<'_>) -> u64 {
    let output = usize::try_from(question.max_output).unwrap_or(0);
    u64::try_from(context(question).saturating_sub(output)).unwrap_or(u64::MAX)
}

pub(super) fn read(value: &Value) -> Answer {
    let usage = Usage {
        input_total: count(value, "/prompt_eval_count"),
        output_total: count(value, "/eval_count"),
        ..Usage::default()
    };
    let unfinished = value.get("done").and_then(Value::as_bool) == Some(false);
    if unfinished || value.get("done_reason").and_then(Value::as_str) == Some("length") {
        return Answer::Void("the answer was cut", usage);
    }
    let text = value.pointer("/message/content").and_then(Value::as_str).unwrap_or_default();
    text_or_void(text.to_owned(), usage)
}
