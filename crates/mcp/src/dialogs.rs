//! A server's own questions to the user and to the client's model. They are forwarded with the server's name in them,
//! so that nobody takes them for a question of the client or of Doorward.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::clean::clean_any;
use crate::message::{Malformed, Members, Message, with_member};

/// Methods by which a server asks.
const ASKS: &[&str] = &["elicitation/create", "sampling/createMessage"];
/// Member of `_meta` that names the asking server, for programs.
pub const ASKED_BY: &str = "doorward/asked_by";

/// A question that a server asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The message as the client gets it.
    pub text: String,
    /// The method.
    pub method: String,
    /// What is asked, as it came.
    pub words: String,
}

/// A server's request that asks the user or the model, with the server's name added; `None` for any other request.
///
/// # Errors
/// [`Malformed`]: its parameters are no object.
pub fn asked(message: &Message<'_>, server: &str) -> Result<Option<Asked>, Malformed> {
    if !ASKS.contains(&message.method.as_str()) {
        return Ok(None);
    }
    let params = message.members.get("params").map_or("{}", RawValue::get);
    let (params, words) = told_apart(params, &message.method, server)?;
    let text = message.members.with("params", Some(&params));
    Ok(Some(Asked { text, method: message.method.clone(), words }))
}

/// A result that asks for more input before it is complete (`input_required`, 2026-07-28), with the server's name added
/// to each question; `None` if it asks nothing.
///
/// # Errors
/// [`Malformed`]: the questions are no object.
pub fn in_result(result: &str, server: &str) -> Result<Option<Asked>, Malformed> {
    let members = Members::of(result)?;
    let requests = members.get("inputRequests").map(RawValue::get).filter(|requests| *requests != "null");
    let Some(requests) = requests else { return Ok(None) };
    let mut out = requests.to_owned();
    let (mut methods, mut words) = (Vec::new(), Vec::new());
    for (key, raw) in Members::of(requests)?.iter() {
        let one = Members::of(raw.get())?;
        let method = one.text("method").unwrap_or_default();
        if !ASKS.contains(&method.as_str()) {
            continue;
        }
        let (params, told) = told_apart(one.get("params").map_or("{}", RawValue::get), &method, server)?;
        out = Members::of(&out)?.with(key, Some(&one.with("params", Some(&params))));
        methods.push(method);
        words.push(told);
    }
    if methods.is_empty() {
        return Ok(None);
    }
    let text = members.with("inputRequests", Some(&out));
    Ok(Some(Asked { text, method: methods.join(", "), words: words.join("\n") }))
}

/// Parameters that say who asks, and what is asked.
fn told_apart(params: &str, method: &str, server: &str) -> Result<(String, String), Malformed> {
    let members = Members::of(params)?;
    let by = Value::from(server).to_string();
    let mut out = with_member(params, &["_meta", ASKED_BY], Some(&by))?;
    if method != "elicitation/create" {
        let words = members.get("messages").map_or("", RawValue::get).to_owned();
        return Ok((out, words));
    }
    let words = members.text("message").unwrap_or_default();
    let shown = Value::from(words.clone()).to_string();
    let shown = clean_any(&shown).result.unwrap_or(shown);
    let shown: String = serde_json::from_str(&shown).unwrap_or_default();
    let shown = Value::from(format!("[MCP server {server}] {shown}")).to_string();
    out = Members::of(&out)?.with("message", Some(&shown));
    Ok((out, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_servers_question_says_whose_it_is_and_keeps_the_rest() {
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Your \u0070assword?","requestedSchema":{"n":1.0}}}"#;
        let asked = asked(&Message::of(text).unwrap(), "far").unwrap().unwrap();
        assert_eq!(asked.words, "Your password?");
        assert_eq!(
            asked.text,
            r#"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"[MCP server far] Your password?","requestedSchema":{"n":1.0},"_meta":{"doorward/asked_by":"far"}}}"#
        );
    }

    #[test]
    fn no_server_asks_in_anothers_name() {
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[],"_meta":{"doorward/asked_by":"near"}}}"#;
        let asked = asked(&Message::of(text).unwrap(), "far").unwrap().unwrap();
        assert!(
            asked.text.contains(r#""doorward/asked_by":"far""#) && !asked.text.contains("near"),
            "{}",
            asked.text
        );
    }

    #[test]
    fn questions_in_a_result_say_it_too() {
        let result = r#"{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Name?"}},"b":{"method":"roots/list","params":{}}},"requestState":"s"}"#;
        let asked = in_result(result, "far").unwrap().unwrap();
        assert!(
            asked.text.contains("[MCP server far] Name?") && asked.text.ends_with(r#""requestState":"s"}"#),
            "{}",
            asked.text
        );
        assert_eq!(in_result(r#"{"content":[]}"#, "far").unwrap(), None);
    }
}
