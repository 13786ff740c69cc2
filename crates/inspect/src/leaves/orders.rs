//! Whether a call of a server's tool orders a destruction, a transfer, or what is decided for others (a merge): by the
//! tool's name, or by arguments that say what is to be done.

use doorward_core::call::ToolCall;
use doorward_core::effect::{Effects, Scope};
use doorward_core::finding::Finding;
use doorward_core::json::{Object, Value};
use doorward_core::risk::SecurityRisk;

use super::acts;
use super::queries;
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
    "rm",
    "shutdown",
    "terminate",
    "trash",
    "truncate",
    "uninstall",
    "unlink",
    "wipe",
];
/// Endings of their other forms (`deleted`, `deletions`, `removing`).
const ENDINGS: &[&str] = &["", "e", "ed", "es", "ing", "ion", "ions", "s"];
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
/// What a reset empties.
const BASES: &[&str] =
    &["branch", "cluster", "database", "db", "device", "factory", "migrate", "migration", "project"];
/// Words of a tool's name that move money.
const PAYS: &[&str] = &[
    "buy", "charge", "donate", "pay", "payment", "payout", "purchase", "refund", "transfer", "wire",
    "withdraw",
];
/// Verbs, and what they move money or ownership by.
const MOVES: &[(&[&str], &[&str])] = &[
    (
        &["create", "execute", "make", "send", "submit"],
        &["fund", "money", "payment", "payout", "refund", "settlement", "transaction", "transfer"],
    ),
    (&["finalize", "issue", "pay", "send", "submit"], &["bill", "card", "invoice"]),
    (&["close", "limit", "market", "place", "submit"], &["bet", "bid", "order", "position", "trade"]),
];
/// Verbs that settle something for everybody who works on it.
const SETTLES: &[&str] = &["accept", "close", "merge"];
/// What is settled then, on a forge or a board.
const SETTLED: &[&str] =
    &["epic", "issue", "milestone", "mr", "pr", "pull", "pullrequest", "mergerequest", "request", "ticket"];
/// Verbs that change what is there.
const ALTERS: &[&str] = &["change", "configure", "edit", "fork", "patch", "post", "put", "set", "update"];
/// Values of `state` or `status` that close.
const CLOSED: &[&str] = &["abandoned", "close", "closed", "completed", "declined", "merged"];
/// Stages of a pipeline that write over a collection (MongoDB 8.0, aggregation stages).
const OVERWRITES: &[&str] = &["$merge", "$out"];
/// Parameters that say what is to be done.
const DEEDS: &[&str] =
    &["action", "api", "do", "method", "mode", "op", "operation", "subcommand", "type", "verb"];
/// Parameters with an amount.
const AMOUNTS: &[&str] =
    &["amount", "lamports", "qty", "quantity", "satoshi", "sum", "total", "value", "wei"];
/// Parameters with whoever gets it, which only payments have.
const PAYEES: &[&str] =
    &["account_number", "beneficiary", "creditor", "iban", "payee", "recipient_id", "to_account", "wallet"];
/// The same where the amount stands in the same object.
const RECIPIENTS: &[&str] = &["account", "dest", "destination", "recipient", "to"];
/// Verbs that give rights, and what they give them by.
const GRANTS: &[&str] =
    &["add", "attach", "authorize", "create", "edit", "grant", "invite", "put", "set", "share", "update"];
const RIGHTS: &[&str] = &[
    "acl",
    "collaborator",
    "collaborators",
    "firewall",
    "iam",
    "ingress",
    "ownership",
    "permission",
    "permissions",
    "policy",
    "protection",
    "role",
    "webhook",
];
/// First verbs of tools that give out what they keep, and where secrets are kept.
const GIVES: &[&str] = &["export", "fetch", "get", "item", "lookup", "read", "reveal", "show"];
const KEEPERS: &[&str] = &[
    "bitwarden",
    "credential",
    "credentials",
    "keychain",
    "keyring",
    "keyvault",
    "lastpass",
    "password",
    "passwords",
    "secret",
    "secrets",
    "vault",
];
/// Parameters with the addresses to which people are sent with their sign-in.
const REDIRECTS: &[&str] = &["allowed_origins", "callback_url", "callbacks", "redirect_uri", "redirect_uris"];
/// What git and its kin can't take back when it is forced.
const FORCED: &[&str] = &["checkout", "clean", "push", "rebase", "reset", "restore", "switch"];

/// What a call orders, as a finding.
pub(crate) fn order(call: &ToolCall) -> Option<Finding> {
    let tool = ToolWords::of(call);
    let mut members = Vec::new();
    everywhere(&call.args, &mut members);
    let high = |what| Finding::new("tool.ordered", what).with_risk(SecurityRisk::High);
    let tool = tool.with_said(acts::names(&members));
    let named = || tool.said.iter().filter(|words| words.len() > 1).find_map(|words| by_name(words));
    let destroys = by_name(&tool.words)
        .or_else(named)
        .or_else(|| by_arguments(&call.args, &tool))
        .or_else(|| forced(call, &tool))
        .or_else(|| pays(&call.args, tool.reads));
    destroys.map(high).or_else(|| {
        let others = settles(call, &tool).or_else(|| grants(call, &tool)).or_else(|| gives_out(call, &tool));
        let others = others.or_else(|| acts::act(&tool, &members));
        others.map(|what| Finding::new("tool.ordered", what))
    })
}

/// A secret in the arguments of a tool whose texts others read.
pub(crate) fn passes_on(call: &ToolCall, slug: &str) -> Option<Finding> {
    const TELLS: &[&str] = &[
        "add", "ask", "comment", "create", "fetch", "forward", "navigate", "post", "publish", "put", "reply",
        "search", "send", "share", "upload", "web",
    ];
    let tool = ToolWords::of(call);
    let verb = tool.words.iter().find(|word| TELLS.contains(&word.as_str()))?;
    let what = format!("Gives a secret ({slug}) to a service, which others may read there (`{verb}`).");
    Some(Finding::new("tool.ordered", what).with_risk(SecurityRisk::High))
}

/// A file from outside the project that a tool passes on to others.
pub(crate) fn sends_away(call: &ToolCall, effects: &Effects) -> Option<Finding> {
    const PASSES_ON: &[&str] = &["attach", "post", "publish", "send", "share", "upload"];
    let read = effects.reads.iter().find(|read| read.scope == Scope::Outside && !read.metadata)?;
    ToolWords::of(call).says(PASSES_ON)?;
    let what = format!("Sends {}, which is outside your project, to a service.", read.path);
    Some(Finding::new("tool.ordered", what).with_risk(SecurityRisk::High))
}

/// Whether a word is a verb that loses something, in any of its forms.
pub(super) fn destroys(word: &str) -> bool {
    DESTROYS.iter().any(|verb| {
        let stem = verb.strip_suffix('e').unwrap_or(verb);
        word.strip_prefix(stem).is_some_and(|ending| ENDINGS.contains(&ending))
    })
}

/// Every member of the arguments, at any depth, with its name in small letters.
fn everywhere<'v>(members: &'v Object, found: &mut Vec<(String, &'v Value)>) {
    fn inner<'v>(name: &str, value: &'v Value, found: &mut Vec<(String, &'v Value)>) {
        found.push((name.to_owned(), value));
        match value {
            Value::Object(members) => everywhere(members, found),
            Value::Array(items) => items.iter().for_each(|item| inner(name, item, found)),
            _ => {}
        }
    }
    members.iter().for_each(|(name, value)| inner(&name.to_ascii_lowercase(), value, found));
}

/// A push, reset or clean that is told to overwrite: `mode: "hard"`, `force: true`, `+main:main`, `--hard`.
fn forced(call: &ToolCall, tool: &ToolWords) -> Option<String> {
    let mut members = Vec::new();
    everywhere(&call.args, &mut members);
    let says = |word: &str| {
        let word = word.trim_start_matches('-');
        matches!(word, "force" | "hard" | "delete" | "mirror")
    };
    let overwrites = members.iter().any(|(name, value)| match value {
        Value::Bool(on) => *on && says(name),
        Value::String(text) => {
            matches!(name.as_str(), "mode" | "type") && says(text)
                || text.starts_with("--") && says(text)
                || text.strip_prefix('+').is_some_and(|rest| rest.contains(':'))
        }
        _ => false,
    });
    let named = |text: &str| split(text).into_iter().find(|word| FORCED.contains(&word.as_str()));
    let verb = tool.words.iter().find(|word| FORCED.contains(&word.as_str())).cloned();
    // In another tool's texts these are everyday words.
    let of_program =
        || members.iter().filter(|_| tool.takes_words.is_some()).map(|(_, value)| value.as_str());
    let verb = verb.or_else(|| of_program().find_map(|text| named(text.filter(|text| text.len() < 64)?)));
    verb.filter(|_| overwrites && !tool.reads)
        .map(|verb| format!("Orders a forced `{verb}`: what it overwrites is gone."))
}

/// Money: an amount and who gets it, wherever they stand.
fn pays(members: &Object, reads: bool) -> Option<String> {
    let mut all = Vec::new();
    everywhere(members, &mut all);
    let amount = all.iter().any(|(name, value)| AMOUNTS.contains(&name.as_str()) && is_amount(value));
    let payee =
        all.iter().any(|(name, value)| PAYEES.contains(&name.as_str()) && !matches!(value, Value::Null));
    (!reads && amount && payee).then(|| "Orders a transfer: it names an amount and who gets it.".to_owned())
}

/// Rights that others get, or what protects something set aside.
fn grants(call: &ToolCall, tool: &ToolWords) -> Option<String> {
    let has = |list: &[&str]| tool.says(list);
    let mut members = Vec::new();
    everywhere(&call.args, &mut members);
    let open = members.iter().any(|(name, value)| match value {
        Value::String(text) => {
            matches!(text.as_str(), "0.0.0.0/0" | "::/0" | "public-read" | "public-read-write")
                || matches!(text.as_str(), "anyone" | "everyone") && !tool.searches
                || REDIRECTS.contains(&name.as_str()) && text.contains("://")
        }
        Value::Bool(on) => {
            *on && matches!(name.as_str(), "privileged" | "transferownership" | "transfer_ownership")
        }
        Value::Number(count) => {
            tool.says(&["scale"]).is_some() && name == "replicas" && count.as_f64() == 0.0
        }
        _ => false,
    });
    let shared = members.iter().find_map(|(_, value)| value.as_str().filter(|text| acts::is_address(text)));
    if let Some(somebody) = shared.filter(|_| has(&["share"]).is_some() && !tool.reads) {
        return Some(format!("Lets {somebody} see or change something of yours."));
    }
    let key = has(&["key", "keys"]).filter(|_| has(&["access", "api", "deploy", "ssh"]).is_some());
    let right = has(GRANTS).and_then(|_| has(RIGHTS).or(key));
    match right {
        _ if tool.reads => None,
        Some(right) => Some(format!("Changes who may do what, as its name says (`{right}`).")),
        None => open.then(|| "Opens something to others, or stops it, as its arguments say.".to_owned()),
    }
}

/// A secret that a keeper of secrets gives out.
fn gives_out(call: &ToolCall, tool: &ToolWords) -> Option<String> {
    let server = call.tool.mcp_parts().map(|(server, _)| split(server)).unwrap_or_default();
    let first = tool.says(GIVES)?;
    let mut words = server.iter().chain(&tool.words).chain(tool.said.iter().flatten());
    let keeper = words.find(|word| KEEPERS.contains(&word.as_str()) || word.ends_with("password"))?;
    // A vault is also what some editors call a folder of notes.
    let other = ["file", "files", "folder", "list", "metadata", "names", "note", "notes", "tags"];
    (!tool.words.iter().any(|word| other.contains(&word.as_str())))
        .then(|| format!("Gives a secret to the agent, as its name says (`{first}`, `{keeper}`)."))
}

/// A merge or a close of what others work on.
fn settles(call: &ToolCall, tool: &ToolWords) -> Option<String> {
    let has = |list: &[&str]| tool.says(list);
    let is_public = publishes(&call.args) || tool.words.ends_with(&["to".to_owned(), "public".to_owned()]);
    if has(ALTERS).is_some() && !tool.reads && is_public {
        return Some("Changes who can see or use it, as its arguments say.".to_owned());
    }
    let state = ["state", "status"].into_iter().find_map(|name| call.args.get(name).and_then(Value::as_str));
    let state = state.map(str::to_lowercase).filter(|state| CLOSED.contains(&state.as_str()));
    let state = state.as_deref();
    let verb = verb_of(&tool.words).filter(|verb| SETTLES.contains(verb)).or(state.filter(|_| tool.changes));
    verb.filter(|_| !tool.reads && has(SETTLED).is_some())
        .map(|verb| format!("Decides for others who work on it, as its name or arguments say (`{verb}`)."))
}

/// The first word of a tool's name that is a verb: a service may stand in front (`s3_delete_bucket`).
fn verb_of(words: &[String]) -> Option<&str> {
    let sends = MOVES.first().map_or(&[] as &[&str], |(verbs, _)| verbs);
    let lists = [DESTROYS, SETTLES, sends, PAYS, CHANGING, STORING, READING];
    words.iter().map(String::as_str).find(|word| lists.iter().any(|list| list.contains(word)))
}

/// What a name says: that of the tool, or one that its arguments give to what is to be done.
fn by_name(words: &[String]) -> Option<String> {
    let verb = verb_of(words);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (first, last) = (words.first()?, words.last()?);
    if READING.contains(first) {
        return None;
    }
    // Of a longer name the first verb and the last word: `bulk_delete`, `s3_delete_bucket`.
    let verb = [verb.unwrap_or(first), last].into_iter().find(|word| DESTROYS.contains(word));
    if let Some(verb) = verb.filter(|_| !words.iter().any(|word| MARKS.contains(word))) {
        return Some(format!("Uses a tool that destroys something, as its name says (`{verb}`)."));
    }
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.trim_end_matches('s')));
    let resets = words.contains(&"reset") && has(BASES);
    if resets {
        return Some(format!(
            "Uses a tool that destroys something, as its name says (`{}`).",
            words.join(" ")
        ));
    }
    let sends = MOVES.iter().any(|(verbs, moved)| has(verbs) && has(moved));
    let last_pays = PAYS.contains(&last.trim_end_matches('s'));
    let pays = sends || PAYS.contains(first) || words.len() > 1 && last_pays;
    pays.then(|| {
        format!("Uses a tool that moves money or ownership, as its name says (`{}`).", words.join(" "))
    })
}

/// Where the tool only tells something, a verb is what it looks for; the method of a request stays one.
fn by_arguments(members: &Object, tool: &ToolWords) -> Option<String> {
    let lower = |name: &String| name.to_ascii_lowercase();
    let reads = tool.reads;
    for (name, value) in members {
        if OVERWRITES.contains(&name.as_str()) {
            return Some(format!("Orders a destruction: `{name}` writes over a collection."));
        }
        if !reads && let Some(verb) = switched(name, value) {
            return Some(format!("Orders a destruction: it has `{name}`, which says `{verb}`."));
        }
        if let Value::String(text) = value
            && !(tool.tells_people || tool.searches)
            && let Some(what) = queries::order(text)
        {
            return Some(what);
        }
        if let Value::String(text) = value
            && DEEDS.contains(&lower(name).as_str())
            && (!reads || lower(name) == "method")
            && let Some(verb) = deed(text)
        {
            return Some(format!("Orders a destruction: `{name}` says `{verb}`."));
        }
    }
    let named = |list: &[&str], fits: &dyn Fn(&Value) -> bool| {
        members.iter().any(|(name, value)| list.contains(&lower(name).as_str()) && fits(value))
    };
    // `convert(amount, from: "EUR", to: "USD")` names currencies.
    let is_currency = |text: &str| text.len() == 3 && text.bytes().all(|letter| letter.is_ascii_uppercase());
    let names_someone =
        |value: &Value| value.as_str().is_some_and(|text| !text.trim().is_empty() && !is_currency(text));
    if !reads && named(AMOUNTS, &is_amount) && named(RECIPIENTS, &names_someone) {
        return Some("Orders a transfer: it names an amount and who gets it.".to_owned());
    }
    members.values().find_map(|value| match value {
        Value::Object(members) => by_arguments(members, tool),
        Value::Array(items) => items.iter().find_map(|item| match item {
            Value::Object(members) => by_arguments(members, tool),
            _ => None,
        }),
        _ => None,
    })
}

/// The verb of a text that says what is to be done: its first word, or the last of `compute.instances.delete`.
fn deed(text: &str) -> Option<String> {
    let first = split(text).into_iter().next().filter(|verb| destroys(verb));
    first.or_else(|| {
        text.rsplit_once('.').map(|(_, last)| last.to_ascii_lowercase()).filter(|verb| destroys(verb))
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
    words.into_iter().next().filter(|verb| is_on && !spared && destroys(verb))
}

/// Whether a change makes something public that wasn't: `visibility: "public"`, `private: false`.
fn publishes(members: &Object) -> bool {
    members.iter().any(|(name, value)| match (split(name).last().map(String::as_str), value) {
        (Some("visibility"), Value::String(text)) => text.eq_ignore_ascii_case("public"),
        (Some("private"), Value::Bool(on)) => !on,
        (Some("public" | "archived" | "trash" | "trashed"), Value::Bool(on)) => *on,
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
