//! The providers' wire formats: how to build a request, find the answer in a response, and recognise failures.
//!
//! A format only builds requests and parses responses; [`crate::client`] handles time, retries and trust. Even if a
//! server promises structured output, [`crate::reply`] parses its text strictly.

mod anthropic;
mod gemini;
mod ollama;
mod openai;
mod responses;
pub mod usage;

use std::borrow::Cow;

use doorward_core::json::{JsonErrorKind, Limits};
use serde_json::Value;

pub use usage::{Price, Prices, Usage};

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// OpenAI chat completions and compatible servers.
    OpenAiChat,
    /// OpenAI responses.
    OpenAiResponses,
    /// Anthropic messages.
    Anthropic,
    /// Gemini generateContent.
    Gemini,
    /// Ollama chat.
    Ollama,
}

/// Features that a server doesn't support; remembered per model, so that each is found out only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Without {
    /// A temperature.
    pub temperature: bool,
    /// The schema; then plain JSON mode or a tool is used, depending on the format.
    pub schema: bool,
    /// The newer name of the output limit.
    pub new_limit: bool,
}

/// A question to a model.
#[derive(Debug, Clone, Copy)]
pub struct WireQuestion<'q> {
    /// The provider's name of the model.
    pub model: &'q str,
    /// The static prefix.
    pub system: &'q str,
    /// The beginning that the conversation's next prompt will repeat, split where it grows. Placed before the first
    /// turn.
    pub stays: &'q [String],
    /// The rest, in turns: the prompt, then a note if a repair is requested.
    pub user: &'q [&'q str],
    /// Most output tokens.
    pub max_output: u32,
    /// The schema of the answer; `None` for plain text.
    pub schema: Option<&'q Value>,
    /// Features to leave out.
    pub without: Without,
}

impl WireQuestion<'_> {
    /// The turns as sent; the first one follows the stable part.
    fn turns(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let first = self.user.first().map(|text| match self.stays {
            [] => Cow::Borrowed(*text),
            parts => Cow::Owned(parts.concat() + text),
        });
        first.into_iter().chain(self.user.iter().skip(1).map(|text| Cow::Borrowed(*text)))
    }

    /// Approximate number of input tokens.
    #[must_use]
    pub fn tokens(&self) -> usize {
        let texts = [self.system].into_iter().chain(self.user.iter().copied());
        texts.chain(self.stays.iter().map(String::as_str)).map(crate::fence::tokens).sum()
    }
}

/// An HTTP request to send.
#[derive(Debug, Clone, PartialEq)]
pub struct Posted {
    /// Path, appended to the base URL.
    pub path: String,
    /// Headers, without the key.
    pub headers: Vec<(&'static str, String)>,
    /// Body.
    pub body: Value,
}

/// The meaning of a response with status 200.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A complete text.
    Text(String, Usage),
    /// No verdict: the model refused, or the text was cut or filtered. The reason quotes nothing.
    Void(&'static str, Usage),
    /// Not a response in this format.
    Foreign(&'static str),
}

/// A row of the table of providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provider {
    /// The word before the slash in `provider/model`.
    pub name: &'static str,
    /// Its format.
    pub format: Format,
    /// Its default URL; empty if the operator must give one.
    pub base_url: &'static str,
    /// Environment variable of its key; empty if it needs none.
    pub key_env: &'static str,
}

/// Providers by name. Any other provider uses OpenAI chat at its configured `base_url`.
pub const PROVIDERS: &[Provider] = &[
    provider("openai", Format::OpenAiChat, "https://api.openai.com/v1", "OPENAI_API_KEY"),
    provider("openai-responses", Format::OpenAiResponses, "https://api.openai.com/v1", "OPENAI_API_KEY"),
    provider("anthropic", Format::Anthropic, "https://api.anthropic.com", "ANTHROPIC_API_KEY"),
    provider("gemini", Format::Gemini, "https://generativelanguage.googleapis.com", "GEMINI_API_KEY"),
    provider("ollama", Format::Ollama, "http://127.0.0.1:11434", ""),
    provider("openai-compatible", Format::OpenAiChat, "", ""),
];

const fn provider(
    name: &'static str,
    format: Format,
    base_url: &'static str,
    key_env: &'static str,
) -> Provider {
    Provider { name, format, base_url, key_env }
}

impl Format {
    /// Builds the request for a question.
    #[must_use]
    pub fn request(self, question: WireQuestion<'_>) -> Posted {
        match self {
            Self::OpenAiChat => openai::request(question),
            Self::OpenAiResponses => responses::request(question),
            Self::Anthropic => anthropic::request(question),
            Self::Gemini => gemini::request(question),
            Self::Ollama => ollama::request(question),
        }
    }

    /// Whether the server silently cut the prompt: Ollama does if the context is full.
    #[must_use]
    pub fn cuts_prompt(self, question: WireQuestion<'_>, usage: Usage) -> bool {
        self == Self::Ollama && usage.input_total >= ollama::prompt_room(&question)
    }

    /// The header with the key.
    #[must_use]
    pub fn key_header(self, key: &str) -> (&'static str, String) {
        match self {
            Self::OpenAiChat | Self::OpenAiResponses | Self::Ollama => {
                ("authorization", format!("Bearer {key}"))
            }
            Self::Anthropic => ("x-api-key", key.to_owned()),
            Self::Gemini => ("x-goog-api-key", key.to_owned()),
        }
    }

    /// Parses a response with status 200. Text that isn't JSON, or an error sent with that status, is `Foreign`.
    #[must_use]
    pub fn read(self, body: &[u8]) -> Answer {
        let Ok(value) = serde_json::from_slice::<Value>(body) else {
            let nearly = std::str::from_utf8(body).is_err()
                && serde_json::from_str::<Value>(&String::from_utf8_lossy(body)).is_ok();
            return if nearly {
                Answer::Void("the answer isn't valid UTF-8", Usage::default())
            } else {
                Answer::Foreign("the answer isn't JSON")
            };
        };
        // serde_json would take the last of two equal members, but the provider may have meant the first.
        if doorward_core::json::Value::parse_bytes(body, ENVELOPE)
            .is_err_and(|error| error.kind == JsonErrorKind::DuplicateKey)
        {
            return Answer::Void("the answer has a key twice", Usage::default());
        }
        if value.get("error").is_some_and(|error| !error.is_null()) {
            return Answer::Foreign("the answer is an error");
        }
        match self {
            Self::OpenAiChat => openai::read(&value),
            Self::OpenAiResponses => responses::read(&value),
            Self::Anthropic => anthropic::read(&value),
            Self::Gemini => gemini::read(&value),
            Self::Ollama => ollama::read(&value),
        }
    }
}

/// Limits of a response as JSON; the client limits its length.
const ENVELOPE: Limits = Limits { bytes: usize::MAX, depth: 64 };

/// A count; 0 if missing.
fn count(value: &Value, path: &str) -> u64 {
    value.pointer(path).and_then(Value::as_u64).unwrap_or(0)
}

/// The text, unless it is empty.
fn text_or_void(text: String, usage: Usage) -> Answer {
    if text.is_empty() { Answer::Void("the model gave no text", usage) } else { Answer::Text(text, usage) }
}

/// The texts of the list's parts that `take` selects, joined.
fn joined<'v>(parts: Option<&'v Value>, take: impl Fn(&'v Value) -> Option<&'v str>) -> String {
    parts.and_then(Value::as_array).into_iter().flatten().filter_map(take).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ALL: [Format; 5] =
        [Format::OpenAiChat, Format::OpenAiResponses, Format::Anthropic, Format::Gemini, Format::Ollama];

    fn question(schema: Option<&Value>) -> WireQuestion<'_> {
        WireQuestion {
            model: "m",
            system: "PREFIX",
            stays: &[],
            user: &["CALL"],
            max_output: 800,
            schema,
            without: Without::default(),
        }
    }

    #[test]
    fn each_format_puts_the_question_with_its_own_structured_output() {
        let schema = crate::prompt::schema();
        for (format, path, at) in [
            (Format::OpenAiChat, "/chat/completions", "/response_format/json_schema/schema"),
            (Format::OpenAiResponses, "/responses", "/text/format/schema"),
            (Format::Anthropic, "/v1/messages", "/output_config/format/schema"),
            (Format::Gemini, "/v1beta/models/m:generateContent", "/generationConfig/responseJsonSchema"),
            (Format::Ollama, "/api/chat", "/format"),
        ] {
            let posted = format.request(question(Some(&schema)));
            assert_eq!(posted.path, path);
            assert_eq!(posted.body.pointer(at), Some(&schema), "{format:?}");
            let text = posted.body.to_string();
            assert!(text.find("PREFIX") < text.find("CALL"), "{format:?} {text}");
            let plain = format.request(question(None)).body;
            assert_eq!(plain.pointer(at), None, "{format:?}");
        }
    }

    #[test]
    fn each_format_gives_its_text_and_counts_its_tokens() {
        let rows = [
            (
                Format::OpenAiChat,
                json!({"choices":[{"finish_reason":"stop","message":{"content":"T","refusal":null}}],
                    "usage":{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":80},
                    "completion_tokens":20,"completion_tokens_details":{"reasoning_tokens":5}}}),
                Usage {
                    input_total: 100,
                    cached_read: 80,
                    output_total: 20,
                    reasoning: 5,
                    ..Usage::default()
                },
            ),
            (
                Format::OpenAiResponses,
                json!({"status":"completed","error":null,"output":[{"type":"reasoning","summary":[]},
                    {"type":"message","content":[{"type":"output_text","text":"T"}]}],
                    "usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":80},"output_tokens":20,
                    "output_tokens_details":{"reasoning_tokens":5}}}),
                Usage {
                    input_total: 100,
                    cached_read: 80,
                    output_total: 20,
                    reasoning: 5,
                    ..Usage::default()
                },
            ),
            (
                Format::Anthropic,
                json!({"stop_reason":"end_turn","content":[{"type":"thinking","thinking":"x"},
                    {"type":"text","text":"T"}],"usage":{"input_tokens":10,"cache_creation_input_tokens":30,
                    "cache_creation":{"ephemeral_5m_input_tokens":20,"ephemeral_1h_input_tokens":10},
                    "cache_read_input_tokens":60,"output_tokens":20}}),
                Usage {
                    input_total: 100,
                    cached_read: 60,
                    cache_write_5m: 20,
                    cache_write_1h: 10,
                    output_total: 20,
                    ..Usage::default()
                },
            ),
            (
                Format::Gemini,
                json!({"candidates":[{"finishReason":"STOP","content":{"parts":[{"thought":true,"text":"x"},
                    {"text":"T"}]}}],"usageMetadata":{"promptTokenCount":90,"toolUsePromptTokenCount":10,
                    "cachedContentTokenCount":80,"candidatesTokenCount":15,"thoughtsTokenCount":5}}),
                Usage {
                    input_total: 100,
                    cached_read: 80,
                    output_total: 20,
                    reasoning: 5,
                    ..Usage::default()
                },
            ),
            (
                Format::Ollama,
                json!({"message":{"role":"assistant","content":"T"},"done_reason":"stop","prompt_eval_count":100,
                    "eval_count":20}),
                Usage { input_total: 100, output_total: 20, ..Usage::default() },
            ),
        ];
        for (format, body, usage) in rows {
            let read = format.read(body.to_string().as_bytes());
            assert_eq!(read, Answer::Text("T".into(), usage), "{format:?}");
        }
    }

    #[test]
    fn refusals_cuts_and_filters_are_no_verdict() {
        for (format, body) in [
            (
                Format::OpenAiChat,
                json!({"choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"no"}}]}),
            ),
            (Format::OpenAiChat, json!({"choices":[{"finish_reason":"length","message":{"content":"{}"}}]})),
            (
                Format::OpenAiChat,
                json!({"choices":[{"finish_reason":"content_filter","message":{"content":"{}"}}]}),
            ),
            (Format::OpenAiChat, json!({"choices":[{"finish_reason":"stop","message":{"content":""}}]})),
            (Format::OpenAiChat, json!({"choices":[]})),
            (Format::OpenAiResponses, json!({"status":"incomplete","output":[]})),
            (
                Format::OpenAiResponses,
                json!({"status":"completed","output":[{"type":"message",
                "content":[{"type":"refusal","refusal":"no"}]}]}),
            ),
            (Format::Anthropic, json!({"stop_reason":"refusal","content":[]})),
            (Format::Anthropic, json!({"stop_reason":"max_tokens","content":[{"type":"text","text":"{}"}]})),
            (Format::Anthropic, json!({"stop_reason":"pause_turn","content":[{"type":"text","text":"{}"}]})),
            (Format::Gemini, json!({"promptFeedback":{"blockReason":"SAFETY"}})),
            (
                Format::Gemini,
                json!({"candidates":[{"finishReason":"MAX_TOKENS","content":{"parts":[{"text":"{}"}]}}]}),
            ),
            (Format::Ollama, json!({"message":{"content":"{}"},"done_reason":"length"})),
            (Format::Ollama, json!({"message":{"content":"{}"},"done":false})),
            (
                Format::OpenAiChat,
                json!({"choices":[{"message":{"content":"{}"}},{"message":{"content":"{}"}}]}),
            ),
            (
                Format::OpenAiChat,
                json!({"choices":[{"finish_reason":"tool_calls","message":{"content":"{}"}}]}),
            ),
            (Format::OpenAiChat, json!({"choices":[{"finish_reason":"error","message":{"content":"{}"}}]})),
            (
                Format::Gemini,
                json!({"promptFeedback":{"blockReason":"SAFETY"},
                "candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"{}"}]}}]}),
            ),
            (
                Format::Gemini,
                json!({"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"{}"}]}},
                {"finishReason":"STOP","content":{"parts":[{"text":"{}"}]}}]}),
            ),
            (
                Format::Anthropic,
                json!({"stop_reason":"tool_use","content":[{"type":"tool_use","name":"bash","input":{}}]}),
            ),
            (
                Format::Anthropic,
                json!({"stop_reason":"tool_use","content":[{"type":"tool_use","name":"verdict","input":{}},
                {"type":"tool_use","name":"verdict","input":{}}]}),
            ),
        ] {
            let read = format.read(body.to_string().as_bytes());
            assert!(matches!(read, Answer::Void(..)), "{format:?} {body} {read:?}");
        }
        for format in ALL {
            let twice = br#"{"choices":[],"choices":[{"message":{"content":"{}"}}]}"#;
            assert!(
                matches!(format.read(twice), Answer::Void("the answer has a key twice", _)),
                "{format:?}"
            );
            let garbled = b"{\"message\":{\"content\":\"\xff\"}}";
            assert!(matches!(format.read(garbled), Answer::Void("the answer isn't valid UTF-8", _)));
            for body in ["<html>busy</html>", "", r#"{"error":{"message":"overloaded"}}"#] {
                assert!(matches!(format.read(body.as_bytes()), Answer::Foreign(_)), "{format:?} {body}");
            }
            for body in
                ["{}", "[]", "null", "7", r#"{"choices":7,"output":{},"content":"x","candidates":[[]]}"#]
            {
                assert!(!matches!(format.read(body.as_bytes()), Answer::Text(..)), "{format:?} {body}");
            }
        }
    }
}
