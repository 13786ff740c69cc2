//! A server's own questions to the user and to the client's model. They are forwarded with the server's name in them,
//! so that nobody takes them for a question of the client or of Doorward, and cleaned like everything else that it says.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::clean::{Cleaned, clean_envelope, clean_params};
use crate::message::{Malformed, Members, Message, with_member};

/// Methods by which a server asks.
const ASKS: &[&str] = &["elicitation/create", "sampling/createMessage"];
/// Member of `_meta` that names the asking server, for programs.
pub const ASKED_BY: &str = "doorward/asked_by";

/// What a server asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The message, or the result, as the client gets it; `None` where nothing had to change.
    pub text: Option<String>,
    /// The methods.
    pub method: String,
    /// What the user or the model is asked, as it came; `None` where neither is.
    pub words: Option<String>,
    /// All texts as they came.
    pub content: Vec<u8>,
    /// What was found in them.
    pub codes: Vec<&'static str>,
}

/// A server's request as the client gets it: cleaned, and with the server's name where it asks the user or the model.
///
/// # Errors
/// [`Malformed`]: its parameters are no object, or have a member twice.
pub fn asked(message: &Message<'_>, server: &str) -> Result<Asked, Malformed> {
    let mut all = Cleaned::default();
    let mut text = clean_envelope(&message.members, &mut all);
    let mut words = None;
    let params = message.members.get("params").map(RawValue::get);
    if params.is_some() || asks(&message.method) {
        let told = told_apart(params.unwrap_or("{}"), &message.method, server)?;
        if let Some(params) = told.params {
            text = Some(match &text {
                None => message.members.with("params", Some(&params)),
                Some(text) => Members::of(text)?.with("params", Some(&params)),
            });
        }
        words = told.words;
        join(&mut all, told.cleaned);
    }
    Ok(Asked { text, method: message.method.clone(), words, content: all.content, codes: all.codes })
}

/// A result that asks for more input before it is complete (`input_required`, 2026-07-28), each question in it as the
/// client gets it; `None` if it asks nothing.
///
/// # Errors
/// [`Malformed`]: the questions are no object.
pub fn in_result(result: &str, server: &str) -> Result<Option<Asked>, Malformed> {
    let members = Members::of(result)?;
    let requests = members.get("inputRequests").map(RawValue::get).filter(|requests| *requests != "null");
    let Some(requests) = requests else { return Ok(None) };
    let mut out = requests.to_owned();
    let (mut methods, mut words) = (Vec::new(), Vec::new());
    let mut all = Cleaned::default();
    for (key, raw) in Members::of(requests)?.iter() {
        let one = Members::of(raw.get())?;
        let method = one.text("method").unwrap_or_default();
        let mut text = clean_envelope(&one, &mut all);
        let told = told_apart(one.get("params").map_or("{}", RawValue::get), &method, server)?;
        if let Some(params) = told.params {
            text = Some(Members::of(text.as_deref().unwrap_or(raw.get()))?.with("params", Some(&params)));
        }
        if let Some(text) = text {
            out = Members::of(&out)?.with(key, Some(&text));
        }
        methods.push(method);
        words.extend(told.words);
        join(&mut all, told.cleaned);
    }
    if methods.is_empty() {
        return Ok(None);
    }
    let text = (out != requests).then(|| members.with("inputRequests", Some(&out)));
    let words = (!words.is_empty()).then(|| words.join("\n"));
    Ok(Some(Asked { text, method: methods.join(", "), words, content: all.content, codes: all.codes }))
}

fn asks(method: &str) -> bool {
    ASKS.contains(&method)
}

fn join(all: &mut Cleaned, one: Cleaned) {
    all.content.extend(one.content);
    for code in one.codes {
        if !all.codes.contains(&code) {
            all.codes.push(code);
        }
    }
}

/// Parameters of one request of a server.
struct Told {
    /// As the client gets them; `None` where nothing had to change.
    params: Option<String>,
    words: Option<String>,
    cleaned: Cleaned,
}

/// Parameters that are cleaned and, for a question, say who asks.
fn told_apart(params: &str, method: &str, server: &str) -> Result<Told, Malformed> {
    let members = Members::of(params)?;
    let mut cleaned = clean_params(params)?;
    let shown = cleaned.result.take();
    if !asks(method) {
        return Ok(Told { params: shown, words: None, cleaned });
    }
    let by = Value::from(server).to_string();
    let mut out = with_member(shown.as_deref().unwrap_or(params), &["_meta", ASKED_BY], Some(&by))?;
    if method != "elicitation/create" {
        let words = members.get("messages").map_or("", RawValue::get).to_owned();
        return Ok(Told { params: Some(out), words: Some(words), cleaned });
    }
    let words = members.text("message").unwrap_or_default();
    let shown = Members::of(&out)?.text("message").unwrap_or_default();
    let shown = Value::from(format!("[MCP server {server}] {shown}")).to_string();
    out = Members::of(&out)?.with("message", Some(&shown));
    Ok(Told { params: Some(out), words: Some(words), cleaned })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_servers_question_says_whose_it_is_and_keeps_the_rest() {
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Your \u0070assword?","requestedSchema":{"n":1.0}}}"#;
        let asked = asked(&Message::of(text).unwrap(), "far").unwrap();
        assert_eq!(asked.words.as_deref(), Some("Your password?"));
        assert_eq!(
            asked.text.unwrap(),
            concat!(
                r#"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"#,
                r#""message":"[MCP server far] Your password?","requestedSchema":{"n":1.0},"#,
                r#""_meta":{"doorward/asked_by":"far"}}}"#,
            )
        );
    }

    #[test]
    fn no_server_asks_in_anothers_name() {
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[],"_meta":{"doorward/asked_by":"near"}}}"#;
        let text = asked(&Message::of(text).unwrap(), "far").unwrap().text.unwrap();
        assert!(text.contains(r#""doorward/asked_by":"far""#) && !text.contains("near"), "{text}");
    }

    #[test]
    fn questions_in_a_result_say_it_too() {
        let result = concat!(
            r#"{"resultType":"input_required","inputRequests":{"#,
            r#""a":{"method":"elicitation/create","params":{"message":"Name?"}},"#,
            r#""b":{"method":"roots/list","params":{}}},"requestState":"s"}"#,
        );
        let text = in_result(result, "far").unwrap().unwrap().text.unwrap();
        assert!(
            text.contains("[MCP server far] Name?") && text.ends_with(r#""requestState":"s"}"#),
            "{text}"
        );
        assert_eq!(in_result(r#"{"content":[]}"#, "far").unwrap(), None);
    }
}
