//! Acts that reach other people or running systems: what a call ends for others, says in a person's name, puts into
//! production, or sets aside of what protects. A question in every mode, like a merge.

use doorward_core::json::Value;

use super::orders::destroys;
use super::tool::{CHANGING, READING, STORING, ToolWords, split};

/// Parameters whose value names what is to be done.
const NAMED: &[&str] = &[
    "action",
    "api",
    "command",
    "function",
    "function_name",
    "method",
    "operation",
    "run_type",
    "service",
    "tool",
    "tool_name",
    "tool_slug",
];
/// First verbs that end, withhold or open something for others.
const ENDS: &[&str] = &[
    "archive",
    "ban",
    "block",
    "cancel",
    "deactivate",
    "decommission",
    "disable",
    "disarm",
    "dismiss",
    "mute",
    "pause",
    "reject",
    "rollback",
    "silence",
    "suspend",
    "unlock",
    "unpublish",
];
/// What one ends and starts again without a loss.
const PASSING: &[&str] = &[
    "animation",
    "build",
    "command",
    "dialog",
    "download",
    "execution",
    "job",
    "media",
    "modal",
    "music",
    "playback",
    "player",
    "popup",
    "process",
    "queue",
    "request",
    "run",
    "search",
    "task",
    "timer",
    "track",
    "upload",
    "video",
    "workflow",
];
/// First verbs that change what runs for others.
const RELEASES: &[&str] = &["deploy", "invoke", "promote", "publish", "redeploy", "release", "restore"];
/// What is settled by a yes.
const APPROVES: &[&str] = &["approve", "endorse", "sign"];
/// Verbs that say something to a person.
const TELLS: &[&str] =
    &["call", "email", "forward", "invite", "mail", "message", "notify", "reply", "send", "sms", "text"];
/// What goes to many people at once.
const MASSES: &[&str] = &["all", "broadcast", "bulk", "campaign", "list", "newsletter"];
/// What acts by itself from then on.
const STANDING: &[&str] = &["automation", "delegate", "filter", "forwarding", "rule", "setting"];
/// Posts that everybody reads.
const POSTS: &[&str] = &["skeet", "toot", "tweet", "tweets"];
/// Verbs that give somebody a part in something, who gets it, and in what.
const JOINS: &[&str] = &["add", "assign", "enroll", "invite", "make"];
const SOMEBODY: &[&str] = &["guest", "member", "user", "users"];
const BODIES: &[&str] =
    &["admin", "admins", "group", "groups", "org", "organization", "role", "roles", "team"];
/// Values of a status that end something.
const ENDED: &[&str] = &[
    "archived",
    "cancelled",
    "canceled",
    "deactivated",
    "deleted",
    "disabled",
    "ignored",
    "resolved",
    "suspended",
    "terminated",
];
/// Parameters that say where something runs, and what people call the place where it counts.
const STAGES: &[&str] =
    &["app", "cluster", "env", "environment", "namespace", "stage", "target", "workspace", "workspace_name"];
const LIVE: &[&str] = &["live", "main-prod", "prod", "production"];
/// Words of tools that work on what runs.
const WORKS: &[&str] = &[
    "apply", "create", "delete", "execute", "import", "reset", "restart", "run", "scale", "start", "stop",
    "update",
];
/// Words of tools that keep what agents obey.
const RULES: &[&str] =
    &["config", "configuration", "memories", "memory", "preferences", "rule", "rules", "setting", "settings"];
/// What loosens the guard of an agent, as its clients spell it.
const LOOSENS: &[&str] = &[
    "--yolo",
    "alloweddirectories",
    "blockedcommands",
    "bypasspermissions",
    "dangerously-bypass-approvals",
    "dangerously-skip-permissions",
    "disableallhooks",
];
/// What protects a place, and what takes that away.
const LOCKS: &[&str] = &["alarm", "door", "doors", "garage", "gate", "lock", "locks", "siren", "valve"];
const OPENS: &[&str] = &["disable", "disarm", "off", "open", "unlock"];
/// Words of tools that press what a page shows, and what pays there.
const PRESSES: &[&str] = &["act", "click", "press", "submit", "tap"];
const PAYING: &[&str] = &["buy", "checkout", "order", "pay", "purchase", "transfer"];
/// The most words of what is pressed.
const LONGEST_LABEL: usize = 16;

/// What a call does to others, if it does. `members`: every member of the arguments, at any depth.
pub(super) fn act(tool: &ToolWords, members: &[(String, &Value)]) -> Option<String> {
    let named = tool.said.iter().filter(|words| words.len() > 1).find_map(|words| by_words(words));
    if tool.reads {
        return named;
    }
    by_words(&tool.words)
        .or(named)
        .or_else(|| tells(tool, members))
        .or_else(|| opens_a_lock(tool, members))
        .or_else(|| ends_by_status(members))
        .or_else(|| works_on_what_is_live(tool, members))
        .or_else(|| loosens(tool, members))
        .or_else(|| presses(tool, members))
}

/// The words of names that arguments give to what is to be done: `tool_slug: "GMAIL_DELETE_MESSAGE"`, and the path of
/// a request that changes something.
pub(super) fn names(members: &[(String, &Value)]) -> Vec<Vec<String>> {
    let changes = members.iter().any(|(name, value)| {
        name == "method"
            && value.as_str().is_some_and(|method| matches!(method, "DELETE" | "PATCH" | "POST" | "PUT"))
    });
    let beside_arguments =
        members.iter().any(|(name, _)| matches!(name.as_str(), "arguments" | "parameters" | "params"));
    let mut members: Vec<_> = members.iter().collect();
    // `{service: "payments", method: "create"}`: of several names the verb stands first.
    members.sort_by_key(|(name, _)| !matches!(name.as_str(), "action" | "method" | "operation"));
    members
        .into_iter()
        .filter_map(|(name, value)| {
            let text =
                value.as_str().filter(|text| text.len() < 96 && !text.contains(char::is_whitespace))?;
            let says = NAMED.contains(&name.as_str())
                || name == "name" && beside_arguments
                || changes && matches!(name.as_str(), "endpoint" | "path");
            says.then(|| split(text)).filter(|words| !words.is_empty())
        })
        .collect()
}

/// What a name says: that of the tool, or one among the arguments.
fn by_words(words: &[String]) -> Option<String> {
    let has = |list: &[&str]| words.iter().find(|word| list.contains(&word.as_str()));
    let verbs = [ENDS, RELEASES, APPROVES, JOINS, READING, WORKS, CHANGING, STORING];
    let verb = words.iter().map(String::as_str).find(|word| verbs.iter().any(|list| list.contains(word)))?;
    let passing = || words.iter().any(|word| PASSING.contains(&word.trim_end_matches('s')));
    if ENDS.contains(&verb) && !passing() {
        return Some(format!(
            "Ends or opens something for others, as its name says (`{}`).",
            words.join(" ")
        ));
    }
    if RELEASES.contains(&verb) {
        return Some(format!("Changes what runs for others, as its name says (`{}`).", words.join(" ")));
    }
    if APPROVES.contains(&verb) {
        return Some(format!("Says yes in your name (`{}`).", words.join(" ")));
    }
    let joins = JOINS.contains(&verb) && has(SOMEBODY).is_some() && has(BODIES).is_some();
    joins.then(|| format!("Changes who may do what, as its name says (`{}`).", words.join(" ")))
}

/// A message to somebody whose address it names, to many, or to everybody.
fn tells(tool: &ToolWords, members: &[(String, &Value)]) -> Option<String> {
    let has = |list: &[&str]| tool.says(list).is_some();
    let forwards = members
        .iter()
        .find(|(name, value)| name.contains("forward") && value.as_str().is_some_and(is_address));
    if let Some((_, address)) = forwards.filter(|_| has(STANDING)) {
        return Some(format!("Has your mail forwarded to {}.", address.as_str().unwrap_or_default()));
    }
    if has(POSTS) {
        return Some("Publishes something in your name.".to_owned());
    }
    if has(&["send"]) && has(MASSES) {
        return Some("Sends a message to many people in your name.".to_owned());
    }
    let tells = has(TELLS) && !has(&["draft"])
        || matches!(tool.words.last().map(String::as_str), Some("message" | "sms"));
    let address = members.iter().find_map(|(_, value)| value.as_str().filter(|text| is_address(text)));
    address.filter(|_| tells).map(|address| format!("Sends a message to {address} in your name."))
}

/// An e-mail address or a telephone number.
pub(super) fn is_address(text: &str) -> bool {
    let mail = text.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !text.contains([' ', '/', ':', '\n'])
    });
    let digits = text.strip_prefix('+').unwrap_or_default();
    mail || digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ')
}

/// A door, a lock or an alarm that is opened or switched off: by the tool's name or any text of its arguments.
fn opens_a_lock(tool: &ToolWords, members: &[(String, &Value)]) -> Option<String> {
    let texts = members.iter().filter_map(|(_, value)| value.as_str().filter(|text| text.len() < 64));
    let words: Vec<String> = texts.flat_map(split).chain(tool.words.iter().cloned()).collect();
    let find = |list: &[&str]| words.iter().find(|word| list.contains(&word.as_str()));
    let verb = find(OPENS)?;
    let lock = find(LOCKS).or(Some(verb).filter(|verb| matches!(verb.as_str(), "disarm" | "unlock")))?;
    Some(format!("Opens or switches off what protects a place (`{lock}`, `{verb}`)."))
}

/// `status: "cancelled"`, `bypassPolicy: true`.
fn ends_by_status(members: &[(String, &Value)]) -> Option<String> {
    members.iter().find_map(|(name, value)| match value {
        Value::String(text) => {
            let ends =
                matches!(name.as_str(), "state" | "status") && ENDED.contains(&text.to_lowercase().as_str());
            ends.then(|| format!("Ends something for others: `{name}` says `{text}`."))
        }
        Value::Bool(true) => {
            name.starts_with("bypass").then(|| format!("Sets a protection aside (`{name}`)."))
        }
        _ => None,
    })
}

/// A change of what runs in production.
fn works_on_what_is_live(tool: &ToolWords, members: &[(String, &Value)]) -> Option<String> {
    let works = tool.words.iter().any(|word| WORKS.contains(&word.as_str())) && !tool.tells_people;
    let is_live = |text: &str| LIVE.contains(&text.to_lowercase().as_str());
    let place = members.iter().find_map(|(name, value)| {
        value.as_str().filter(|text| STAGES.contains(&name.as_str()) && is_live(text))
    });
    place.filter(|_| works).map(|place| format!("Changes what runs in `{place}`."))
}

/// Settings or notes that agents obey, and that say to guard less.
fn loosens(tool: &ToolWords, members: &[(String, &Value)]) -> Option<String> {
    if !tool.words.iter().any(|word| RULES.contains(&word.as_str())) {
        return None;
    }
    let says = |text: &str| {
        let text = text.to_lowercase();
        LOOSENS.iter().find(|word| text.contains(**word)).copied()
    };
    let word = members.iter().find_map(|(name, value)| says(name).or_else(|| says(value.as_str()?)))?;
    Some(format!("Loosens what guards an agent (`{word}`)."))
}

/// A button that deletes or pays.
fn presses(tool: &ToolWords, members: &[(String, &Value)]) -> Option<String> {
    if !tool.words.iter().any(|word| PRESSES.contains(&word.as_str())) {
        return None;
    }
    members.iter().find_map(|(_, value)| {
        let label = value.as_str()?;
        let words = split(label);
        let orders = words.len() <= LONGEST_LABEL
            && words.iter().any(|word| destroys(word) || PAYING.contains(&word.as_str()));
        orders.then(|| format!("Presses what deletes or pays (`{label}`)."))
    })
}
