//! Whether a call of a server's tool orders a destruction, a transfer, or what is decided for others (a merge): by the
//! tool's name, or by arguments that say what is to be done.

use doorward_core::call::ToolCall;
use doorward_core::finding::Finding;
use doorward_core::json::{Object, Value};
use doorward_core::risk::SecurityRisk;

use super::tool::{CHANGING, READING, STORING, ToolWords, split};

/// Verbs that lose something.
const DESTROYS: &[&str] = &[
    "delete",
    "destroy",
    "drop",
    "erase",
    "flushall",
    "flushdb",
    "kill",
    "purge",
    "remove",
    "revoke",
    "shutdown",
    "terminate",
    "trash",
    "truncate",
    "uninstall",
    "wipe",
];
/// What may be removed without a loss: what somebody put on something and puts on again.
const MARKS: &[&str] = &[
    "assignee",
    "assignees",
    "attendee",
    "bookmark",
    "breakpoint",
    "drag",
    "favorite",
    "filter",
    "follower",
    "highlight",
    "label",
    "labels",
    "like",
    "listener",
    "mark",
    "reaction",
    "reviewer",
    "reviewers",
    "selection",
    "star",
    "tab",
    "tag",
    "tags",
    "watcher",
];
/// What a switch drops without a loss: `drop_duplicates`, `kill_timeout`.
const HARMLESS: &[&str] = &[
    "after",
    "blank",
    "comments",
    "delay",
    "duplicates",
    "empty",
    "na",
    "null",
    "spaces",
    "timeout",
    "whitespace",
];
/// Words of a tool's name that move money.
const PAYS: &[&str] = &[
    "buy", "charge", "donate", "pay", "payment", "payout", "purchase", "refund", "transfer", "wire",
    "withdraw",
];
/// Verbs before a word for money.
const SENDS: &[&str] = &["create", "execute", "make", "send", "submit"];
/// What is sent then.
const MONEY: &[&str] = &["funds", "money", "payment", "payout", "refund", "transaction", "transfer"];
/// Verbs that settle something for everybody who works on it.
const SETTLES: &[&str] = &["accept", "close", "merge"];
/// What is settled then, on a forge or a board.
const SETTLED: &[&str] =
    &["epic", "issue", "milestone", "mr", "pr", "pull", "pullrequest", "mergerequest", "request", "ticket"];
/// Verbs that change what is there.
const ALTERS: &[&str] = &["change", "configure", "edit", "patch", "put", "set", "update"];
/// Values of `state` that close.
const CLOSED: &[&str] = &["close", "closed", "declined", "merged"];
/// Stages of a pipeline that write over a collection (MongoDB 8.0, aggregation stages).
const OVERWRITES: &[&str] = &["$merge", "$out"];
/// Parameters that say what is to be done.
const DEEDS: &[&str] = &["action", "method", "mode", "op", "operation", "verb"];
/// Parameters with an amount.
const AMOUNTS: &[&str] = &["amount", "quantity", "sum", "total", "value"];
/// Parameters with whoever gets it.
const RECIPIENTS: &[&str] = &[
    "account",
    "account_number",
    "beneficiary",
    "destination",
    "iban",
    "payee",
    "recipient",
    "recipient_id",
    "to",
    "to_account",
    "wallet",
];

/// What a call orders, as a finding.
pub(crate) fn order(call: &ToolCall) -> Option<Finding> {
    let tool = ToolWords::of(call);
    let high = |what| Finding::new("tool.ordered", what).with_risk(SecurityRisk::High);
    let destroys = by_name(&tool).or_else(|| by_arguments(&call.args, tool.reads)).map(high);
    destroys.or_else(|| settles(call, &tool).map(|what| Finding::new("tool.ordered", what)))
}

/// A merge or a close of what others work on.
fn settles(call: &ToolCall, tool: &ToolWords) -> Option<String> {
    let has = |list: &[&str]| tool.words.iter().find(|word| list.contains(&word.as_str()));
    if has(ALTERS).is_some() && !tool.reads && publishes(&call.args) {
        return Some("Changes who can see or use it, as its arguments say.".to_owned());
    }
    let state = call.args.get("state").and_then(Value::as_str).filter(|state| CLOSED.contains(state));
    let verb = verb_of(tool).filter(|verb| SETTLES.contains(verb)).or(state.filter(|_| tool.changes));
    verb.filter(|_| !tool.reads && has(SETTLED).is_some())
        .map(|verb| format!("Decides for others who work on it, as its name or arguments say (`{verb}`)."))
}

/// The first word of a tool's name that is a verb: a service may stand in front (`s3_delete_bucket`).
fn verb_of(tool: &ToolWords) -> Option<&str> {
    let lists = [DESTROYS, SETTLES, SENDS, PAYS, CHANGING, STORING, READING];
    tool.words.iter().map(String::as_str).find(|word| lists.iter().any(|list| list.contains(word)))
}

fn by_name(tool: &ToolWords) -> Option<String> {
    let words: Vec<&str> = tool.words.iter().map(String::as_str).collect();
    let (first, last) = (words.first()?, words.last()?);
    if tool.reads {
        return None;
    }
    // Of a longer name the first verb and the last word: `bulk_delete`, `s3_delete_bucket`.
    let verb = [verb_of(tool).unwrap_or(first), last].into_iter().find(|word| DESTROYS.contains(word));
    if let Some(verb) = verb.filter(|_| !words.iter().any(|word| MARKS.contains(word))) {
        return Some(format!("Uses a tool that destroys something, as its name says (`{verb}`)."));
    }
    let sends = SENDS.contains(first) && words.iter().any(|word| MONEY.contains(word));
    let pays = sends || PAYS.contains(first) || words.len() > 1 && PAYS.contains(last);
    pays.then(|| {
        format!("Uses a tool that moves money or ownership, as its name says (`{}`).", words.join(" "))
    })
}

/// `reads`: the tool only tells something, so that a verb is what it looks for; the method of a request stays one.
fn by_arguments(members: &Object, reads: bool) -> Option<String> {
    let lower = |name: &String| name.to_ascii_lowercase();
    for (name, value) in members {
        if OVERWRITES.contains(&name.as_str()) {
            return Some(format!("Orders a destruction: `{name}` writes over a collection."));
        }
        if !reads && let Some(verb) = switched(name, value) {
            return Some(format!("Orders a destruction: it has `{name}`, which says `{verb}`."));
        }
        if let Value::String(text) = value
            && DEEDS.contains(&lower(name).as_str())
            && (!reads || lower(name) == "method")
            && let Some(verb) = split(text).first().filter(|verb| DESTROYS.contains(&verb.as_str()))
        {
            return Some(format!("Orders a destruction: `{name}` says `{verb}`."));
        }
    }
    let named = |list: &[&str], fits: &dyn Fn(&Value) -> bool| {
        members.iter().any(|(name, value)| list.contains(&lower(name).as_str()) && fits(value))
    };
    let names_someone = |value: &Value| value.as_str().is_some_and(|text| !text.trim().is_empty());
    if !reads && named(AMOUNTS, &is_amount) && named(RECIPIENTS, &names_someone) {
        return Some("Orders a transfer: it names an amount and who gets it.".to_owned());
    }
    members.values().find_map(|value| match value {
        Value::Object(members) => by_arguments(members, reads),
        Value::Array(items) => items.iter().find_map(|item| match item {
            Value::Object(members) => by_arguments(members, reads),
            _ => None,
        }),
        _ => None,
    })
}

/// The verb of a member that is itself an order: `{"dropDatabase": 1}`, `{"delete": "users"}`.
fn switched(name: &str, value: &Value) -> Option<String> {
    let is_on = match value {
        Value::Bool(on) => *on,
        Value::Number(number) => number.as_f64() > 0.0,
        Value::String(text) => !text.is_empty() && !matches!(text.as_str(), "false" | "no" | "off" | "none"),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Null => false,
    };
    let words = split(name);
    let spared = words.iter().any(|word| [MARKS, HARMLESS].iter().any(|list| list.contains(&word.as_str())));
    words.into_iter().next().filter(|verb| is_on && !spared && DESTROYS.contains(&verb.as_str()))
}

/// Whether a change makes something public that wasn't: `visibility: "public"`, `private: false`.
fn publishes(members: &Object) -> bool {
    members.iter().any(|(name, value)| match (split(name).last().map(String::as_str), value) {
        (Some("visibility"), Value::String(text)) => text.eq_ignore_ascii_case("public"),
        (Some("private"), Value::Bool(on)) => !on,
        (Some("public" | "archived"), Value::Bool(on)) => *on,
        _ => false,
    })
}

/// A number, alone or with its currency.
fn is_amount(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::String(text) => {
            let bare =
                text.trim().trim_matches(|letter: char| letter.is_alphabetic() || "$€£¥ ".contains(letter));
            !bare.is_empty()
                && text.len() < 32
                && bare.chars().all(|letter| letter.is_ascii_digit() || ",._".contains(letter))
        }
        _ => false,
    }
}
