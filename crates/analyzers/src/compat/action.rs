//! An agent's action in upstream's terms, and the two texts that upstream's analyzers scan.
//!
//! *Executed* is what the agent would do: the strings in the arguments, then the tool's name twice. *Said* is what
//! the agent wrote about it. Each text is limited in length, arguments first, so that a long name can't displace
//! them.

use doorward_core::effect::Inspected;
use doorward_core::json::Value as Strict;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Most characters scanned per text, plus one for each gap between two segments.
const CAP: usize = 30_000;

/// The scanned parts of an action.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ScannedAction {
    /// The tool's name.
    pub tool_name: String,
    /// The tool's name in the model's own call.
    pub tool_call_name: String,
    /// Arguments as written by the model.
    pub arguments: String,
    /// The agent's own summary of the action.
    pub summary: Option<String>,
    /// The agent's stated thoughts, one text each.
    pub thought: Vec<String>,
    /// Its reasoning.
    pub reasoning_content: Option<String>,
}

impl ScannedAction {
    /// The action of an inspected call. The agent's own texts are included only if its surface supplies them, as
    /// `summary`, `reasoning_content` and `thought` in the call's context.
    #[must_use]
    pub fn of(inspected: &Inspected) -> Self {
        let call = &inspected.call;
        let said = |key: &str| call.context.get(key).and_then(Strict::as_str).map(str::to_owned);
        let thought = match call.context.get("thought") {
            Some(Strict::String(text)) => vec![text.clone()],
            Some(Strict::Array(texts)) => {
                texts.iter().filter_map(Strict::as_str).map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        Self {
            tool_name: call.tool.to_string(),
            tool_call_name: call.tool.to_string(),
            arguments: call.args_value().canonical(),
            summary: said("summary"),
            thought,
            reasoning_content: said("reasoning_content"),
        }
    }

    /// The text that would be executed.
    #[must_use]
    pub fn executed(&self) -> Executed {
        let mut body = ScannedBody::default();
        let (arguments, undecodable) = without_lone_surrogates(&self.arguments);
        if !arguments.is_empty() {
            match serde_json::from_str::<Value>(&arguments) {
                Ok(value) => leaves(&value, &mut body),
                Err(_) => body.add(&arguments),
            }
        }
        for name in [&self.tool_name, &self.tool_call_name] {
            if !name.is_empty() {
                body.add(name);
            }
        }
        Executed { segments: body.segments, undecodable }
    }

    /// The agent's own texts about the action.
    #[must_use]
    pub fn said(&self) -> Vec<String> {
        let mut body = ScannedBody::default();
        let one = [&self.summary, &self.reasoning_content];
        for text in one.into_iter().flatten().chain(&self.thought) {
            if !text.is_empty() {
                body.add(text);
            }
        }
        body.segments
    }
}

/// The executed text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Executed {
    /// Its segments; their total length is limited.
    pub segments: Vec<String>,
    /// Whether the arguments contain half a surrogate pair, which no shell can receive unchanged.
    pub undecodable: bool,
}

/// Strings in a JSON value, in the order of its members; keys aren't scanned. serde_json limits the depth.
fn leaves(value: &Value, body: &mut ScannedBody) {
    match value {
        Value::String(text) => body.add(text),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, body)),
        Value::Object(members) => members.values().for_each(|member| leaves(member, body)),
        _ => {}
    }
}

#[derive(Default)]
struct ScannedBody {
    segments: Vec<String>,
    spent: usize,
}

impl ScannedBody {
    fn add(&mut self, text: &str) {
        let gap = usize::from(!self.segments.is_empty());
        let left = CAP.saturating_sub(self.spent + gap);
        if left == 0 {
            return;
        }
        let kept: String = text.chars().take(left).collect();
        self.spent += kept.chars().count() + gap;
        self.segments.push(kept);
    }
}

/// A Rust string can't contain `\ud800` without its other half; upstream's can, so it is marked instead.
fn without_lone_surrogates(json: &str) -> (std::borrow::Cow<'_, str>, bool) {
    let half = |text: &str, from: u32, to: u32| {
        text.strip_prefix("\\u")
            .and_then(|rest| u32::from_str_radix(rest.get(..4)?, 16).ok())
            .is_some_and(|code| (from..=to).contains(&code))
    };
    let mut out = String::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(found) = json.get(at..).and_then(|rest| rest.find('\\')) {
        let here = at + found;
        let rest = json.get(here..).unwrap_or_default();
        if half(rest, 0xd800, 0xdbff) && rest.get(6..).is_some_and(|next| half(next, 0xdc00, 0xdfff)) {
            at = here + 12;
        } else if half(rest, 0xd800, 0xdfff) {
            out.push_str(json.get(kept..here).unwrap_or_default());
            out.push_str("\\ufffd");
            at = here + 6;
            kept = at;
        } else {
            // A backslash and the escaped character, of any width.
            at = here + 1 + rest.chars().nth(1).map_or(0, char::len_utf8);
        }
    }
    if out.is_empty() {
        return (json.into(), false);
    }
    out.push_str(json.get(kept..).unwrap_or_default());
    (out.into(), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executed(arguments: &str) -> Executed {
        ScannedAction { tool_name: "t".into(), arguments: arguments.into(), ..ScannedAction::default() }
            .executed()
    }

    #[test]
    fn the_leaves_come_in_order_and_the_name_last() {
        let body = executed(r#"{"z":"1","a":["2",{"k":"3"}],"n":4,"e":""}"#);
        assert_eq!(body.segments, ["1", "2", "3", "", "t"]);
        assert_eq!(executed("not json").segments, ["not json", "t"]);
        assert_eq!(executed("").segments, ["t"]);
    }

    #[test]
    fn the_cap_counts_the_gaps_and_arguments_come_first() {
        let long = format!(r#"{{"a":"{}","b":"xyz"}}"#, "x".repeat(CAP - 3));
        assert_eq!(executed(&long).segments, ["x".repeat(CAP - 3).as_str(), "xy"]);
        assert_eq!(executed(&format!(r#"{{"a":"{}"}}"#, "ä".repeat(CAP + 9))).segments, ["ä".repeat(CAP)]);
    }

    #[test]
    fn half_a_surrogate_pair_is_marked_and_a_whole_one_is_text() {
        let half = executed(r#"{"a":"x\ud800y"}"#);
        assert_eq!((half.segments, half.undecodable), (vec!["x\u{fffd}y".to_owned(), "t".to_owned()], true));
        let whole = executed(r#"{"a":"\ud83d\ude00"}"#);
        assert_eq!((whole.segments, whole.undecodable), (vec!["😀".to_owned(), "t".to_owned()], false));
        assert!(!executed(r#"{"a":"\\ud800"}"#).undecodable);
    }
}
