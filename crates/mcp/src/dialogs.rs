//! A server's questions to the user and to the client's model. They are forwarded with the server's name added, so
//! that they aren't mistaken for questions of the client or of Doorward, and cleaned like all other texts of the
//! server.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::clean::{Cleaned, clean_envelope, clean_params, decoded};
use crate::message::{Malformed, Members, Message, with_member};

/// Methods that ask the user or the model.
const ASKS: &[&str] = &["elicitation/create", "sampling/createMessage"];
/// Members of a question that a client interprets.
const QUESTION: &[&str] = &["message", "mode", "url"];
/// Member of `_meta` that names the asking server, for programs.
pub const ASKED_BY: &str = "doorward/asked_by";

/// A server's question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The message or result for the client; `None` if nothing changed.
    pub text: Option<String>,
    /// The methods of its questions.
    pub method: String,
    /// The original question to the user or the model; `None` if neither is asked.
    pub words: Option<String>,
    /// All original texts.
    pub content: Vec<u8>,
    /// Codes of what was found in them.
    pub codes: Vec<&'static str>,
}

/// Prepares a server's request for the client: cleans it and adds the server's name to questions for the user or
/// the model.
///
/// # Errors
/// [`Malformed`]: its parameters aren't an object, or have a duplicate member.
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

/// Prepares a result that asks for more input (`input_required`, 2026-07-28), with each of its questions; `None` if
/// it asks nothing.
///
/// # Errors
/// [`Malformed`]: the questions aren't an object.
pub fn in_result(result: &str, server: &str) -> Result<Option<Asked>, Malformed> {
    let members = Members::of(result)?;
    let requests = members.get("inputRequests").map(RawValue::get).filter(|requests| *requests != "null");
    let Some(requests) = requests else { return Ok(None) };
    let asked = Members::of(requests)?;
    let mut changes: Vec<(&str, Option<String>)> = Vec::new();
    let (mut methods, mut words) = (Vec::new(), Vec::new());
    let mut all = Cleaned::default();
    for (key, raw) in asked.iter() {
        let one = Members::of(raw.get())?;
        let method = one.text("method").unwrap_or_default();
        let mut text = clean_envelope(&one, &mut all);
        let told = told_apart(one.get("params").map_or("{}", RawValue::get), &method, server)?;
        if let Some(params) = told.params {
            text = Some(Members::of(text.as_deref().unwrap_or(raw.get()))?.with("params", Some(&params)));
        }
        if let Some(text) = text {
            changes.push((key, Some(text)));
        }
        methods.push(method);
        words.extend(told.words);
        join(&mut all, told.cleaned);
    }
    if methods.is_empty() {
        return Ok(None);
    }
    let text = (!changes.is_empty()).then(|| members.with("inputRequests", Some(&asked.with_all(&changes))));
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

/// Parameters of one request of a server, prepared for the client.
struct Told {
    /// The new parameters; `None` if nothing changed.
    params: Option<String>,
    words: Option<String>,
    cleaned: Cleaned,
}

/// Cleans parameters and, for a question, adds who asks.
fn told_apart(params: &str, method: &str, server: &str) -> Result<Told, Malformed> {
    let members = Members::of(params)?;
    if ASKS.iter().any(|ask| *ask != method && ask.eq_ignore_ascii_case(method)) {
        return Err(Malformed::Message("a method that asks the user or the model, in other letters"));
    }
    if asks(method) {
        members.without_twins_of(QUESTION)?;
    }
    if members.get("url").is_some_and(|url| !is_web(url.get())) && method == "elicitation/create" {
        return Err(Malformed::Message("the member `url` of a question isn't an http or https address"));
    }
    let text =
        |members: &Members<'_>| members.get("message").and_then(|raw| decoded(raw.get())).unwrap_or_default();
    let words = text(&members);
    let own = in_own_name(&words);
    let own = (method == "elicitation/create" && own != words)
        .then(|| members.with("message", Some(&Value::from(own).to_string())));
    let mut cleaned = clean_params(own.as_deref().unwrap_or(params))?;
    let shown = cleaned.result.take().or(own);
    if !asks(method) {
        return Ok(Told { params: shown, words: None, cleaned });
    }
    let by = Value::from(server).to_string();
    let mut out = with_member(shown.as_deref().unwrap_or(params), &["_meta", ASKED_BY], Some(&by))?;
    if method != "elicitation/create" {
        let words = members.get("messages").map_or("", RawValue::get).to_owned();
        return Ok(Told { params: Some(out), words: Some(words), cleaned });
    }
    let shown = text(&Members::of(&out)?);
    let shown = Value::from(format!("[MCP server {server}] {shown}")).to_string();
    out = Members::of(&out)?.with("message", Some(&shown));
    Ok(Told { params: Some(out), words: Some(words), cleaned })
}

/// Removes from a question whatever could disguise its origin: empty lines that push its beginning out of sight,
/// and prefixes like those of the gateway.
fn in_own_name(words: &str) -> String {
    let lines =
        words.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).filter(|line| !line.trim().is_empty());
    let shown = lines.collect::<Vec<_>>().join("\n");
    let mut out = String::with_capacity(shown.len());
    let mut rest = shown.as_str();
    while let Some(at) = rest.find('[') {
        let (before, from) = rest.split_at(at);
        let name = from.trim_start_matches('[').trim_start().to_ascii_lowercase();
        out.push_str(before);
        out.push(if name.starts_with("mcp server") || name.starts_with("doorward") { '(' } else { '[' });
        rest = from.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Whether a JSON string is a web address, and doesn't lead to a program or file.
fn is_web(url: &str) -> bool {
    let url = decoded(url).unwrap_or_default().to_ascii_lowercase();
    url.starts_with("https://") || url.starts_with("http://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_servers_question_says_whose_it_is_and_keeps_the_rest() {
        let text = concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","#,
            r#""params":{"message":"Your \u0070assword?","requestedSchema":{"n":1.0}}}"#,
        );
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
    fn no_part_of_a_question_looks_like_somebody_elses_and_none_is_asked_in_other_letters() {
        let of = |method: &str, params: &str| {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
            asked(&Message::of(&text).unwrap(), "far").map(|asked| asked.text.unwrap())
        };
        let text = of(
            "elicitation/create",
            r#"{"message":"Hi\n\n\n\r\n [MCP server bank] Your word?\n[Doorward] ok [a]"}"#,
        );
        let text = text.unwrap();
        assert!(
            text.contains(r"[MCP server far] Hi\n (MCP server bank] Your word?\n(Doorward] ok [a]"),
            "{text}"
        );
        let half = of("elicitation/create", r#"{"message":"\ud800 Your name?"}"#).unwrap();
        assert!(half.contains("Your name?"), "{half}");
        for (method, params) in [
            ("Elicitation/Create", r#"{"message":"Your word?"}"#),
            ("sampling/createmessage", "{}"),
            ("elicitation/create", r#"{"Message":"Your word?"}"#),
            ("elicitation/create", r#"{"mode":"url","message":"a","url":"javascript:alert(1)"}"#),
            ("elicitation/create", r#"{"mode":"url","message":"a","url":"file:///etc/passwd"}"#),
            ("elicitation/create", r#"{"mode":"url","message":"a","url":7}"#),
        ] {
            assert!(of(method, params).is_err(), "{method} {params}");
        }
        assert!(
            of("elicitation/create", r#"{"mode":"url","message":"a","url":"https://a.example/x"}"#).is_ok()
        );
    }

    #[test]
    fn no_server_asks_in_anothers_name() {
        let text = concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","#,
            r#""params":{"messages":[],"_meta":{"doorward/asked_by":"near"}}}"#,
        );
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
