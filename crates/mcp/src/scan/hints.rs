//! Compares a tool's annotations with its name, text and schema. A false hint is worse than none.

use serde_json::Value;

use super::{ScanFinding, ScanVerdict};
use crate::definition::Definition;

/// Verbs of tools that change data.
const CHANGES: &[&str] = words! {
    "write" "create" "update" "delete" "remove" "drop" "truncate" "insert" "exec" "execute" "send"
    "post" "put" "upload" "move" "rename" "erase" "wipe" "purge" "destroy" "overwrite" "append" "edit"
    "modify" "patch" "publish" "deploy" "transfer" "pay" "kill" "terminate" "install" "uninstall"
    "revoke" "grant" "reset" "shutdown" "reboot" "commit" "push" "merge" "save" "store" "set" "add"
    "replace" "trash"
};
/// Verbs of tools that destroy data.
const DESTROYS: &[&str] = words! {
    "delete" "remove" "drop" "truncate" "erase" "wipe" "purge" "destroy" "overwrite" "kill" "terminate"
    "shutdown" "format" "revoke" "trash" "uninstall"
};
/// Verbs that demand a destruction or transfer, whatever else a definition says.
const ORDERS: &[&str] = words! {
    "delete" "destroy" "drop" "erase" "kill" "pay" "purge" "refund" "shutdown" "terminate" "transfer"
    "trash" "truncate" "uninstall" "wipe" "withdraw"
};
/// Words that show that a tool only reads, despite its verb.
const ONLY_READS: &[&str] = words! {
    "read-only" "readonly" "read only" "dry run" "dry-run" "preview" "only select" "without changing"
    "no changes" "rejected"
};
/// Descriptions with these beginnings belong to tools that run any given command or code.
const RUNS: &[&str] =
    &["run a shell", "run shell", "run a command", "run commands", "run any", "run arbitrary", "execute"];
/// Parameters that name an external destination.
const OUTWARD: &[&str] =
    &["url", "uri", "webhook", "endpoint", "host", "hostname", "email", "recipient", "recipients"];

/// Hints that contradict the rest of the definition.
pub(super) fn lies(server: &str, tool: &Definition) -> Vec<ScanFinding> {
    let mut findings = Vec::new();
    let mut add = |code: &str, pointer: &str, message: &str| {
        let pointer = Some(pointer.to_owned());
        findings.push(ScanFinding::new(code, ScanVerdict::Review, server, &tool.name, pointer, message));
    };
    let (reads, destroys) = (tool.hint("readOnlyHint"), tool.hint("destructiveHint"));
    if reads == Some(true) && destroys == Some(true) {
        add("anno.contradiction", "/annotations", "says that it only reads and that it destroys");
    }
    let verbs = verbs(tool);
    let says = |list: &[&str]| verbs.iter().any(|verb| list.contains(&verb.as_str()));
    let text = tool.description().to_lowercase();
    let only_reads = ONLY_READS.iter().any(|words| text.contains(words));
    let runs = RUNS.iter().any(|words| text.starts_with(words));
    if reads == Some(true) && !only_reads && (says(CHANGES) || runs) {
        add(
            "anno.readonly_lie",
            "/annotations/readOnlyHint",
            "says that it only reads, and its name or text that it changes something",
        );
    }
    if destroys == Some(false) && reads != Some(true) && says(DESTROYS) {
        add(
            "anno.destructive_lie",
            "/annotations/destructiveHint",
            "says that it destroys nothing, and its name or text that it does",
        );
    }
    if tool.hint("openWorldHint") == Some(false) && leads_out(tool, &text) {
        add(
            "anno.closed_world_lie",
            "/annotations/openWorldHint",
            "says that it stays inside, and takes a place outside",
        );
    }
    findings
}

/// A tool's verb for a destruction or transfer, from its name or the beginning of its description.
#[must_use]
pub fn orders(tool: &Definition) -> Option<String> {
    let text = tool.description().to_lowercase();
    if ONLY_READS.iter().any(|words| text.contains(words)) {
        return None;
    }
    verbs(tool).into_iter().find(|verb| ORDERS.contains(&verb.as_str()))
}

/// A tool's verbs: the first and last words of its name, and the first word of its description.
fn verbs(tool: &Definition) -> Vec<String> {
    let mut words = split(&tool.name);
    // In `get_set` or `list_updates` the first word decides.
    let reads = |word: &String| {
        matches!(
            word.as_str(),
            "get"
                | "list"
                | "read"
                | "find"
                | "search"
                | "show"
                | "query"
                | "describe"
                | "count"
                | "check"
                | "view"
                | "fetch"
                | "lookup"
                | "explain"
                | "validate"
                | "diff"
                | "status"
        )
    };
    if words.first().is_some_and(reads) {
        words.clear();
    }
    // In longer names only the first and last words are verbs: `file_delete`, `delete_file`.
    let ends = words.len().saturating_sub(1);
    let mut verbs: Vec<String> = words
        .into_iter()
        .enumerate()
        .filter(|(at, _)| *at == 0 || *at == ends)
        .map(|(_, word)| word)
        .collect();
    let first = tool.description().split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty());
    if let Some(first) = first {
        let first = first.to_lowercase();
        let bare = first
            .strip_suffix("es")
            .filter(|bare| CHANGES.contains(bare))
            .or_else(|| first.strip_suffix('s'));
        verbs.push(bare.unwrap_or(&first).to_owned());
        verbs.push(first.clone());
    }
    verbs
}

/// Splits a name at `_ - .` and at capitals.
fn split(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut small_before = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && small_before) {
            words.push(String::new());
        }
        small_before = c.is_lowercase();
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn leads_out(tool: &Definition, text: &str) -> bool {
    let properties = tool.plain_member("inputSchema").and_then(|schema| schema.get("properties").cloned());
    let outward = |(name, property): (&String, &Value)| {
        let format = property.get("format").and_then(Value::as_str);
        OUTWARD.contains(&name.to_lowercase().as_str()) && format != Some("uri-reference")
            || matches!(format, Some("uri" | "url" | "email" | "hostname" | "idn-email" | "idn-hostname"))
    };
    properties.as_ref().and_then(Value::as_object).is_some_and(|members| members.iter().any(outward))
        || ["send an e-mail", "send an email", "http request", "fetch a url", "post to a url"]
            .iter()
            .any(|words| text.contains(words))
}
