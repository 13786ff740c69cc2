//! Tool names: their validity, and names that imitate those of other servers.

use unicode_security::MixedScript as _;

use super::{Listed, ScanFinding, ScanVerdict};
use crate::definition::Definition;

/// Findings in the name by itself.
pub(super) fn alone(server: &str, tool: &Definition) -> Vec<ScanFinding> {
    let name = tool.name.as_str();
    let mut findings = Vec::new();
    let fits = (1..=128).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    if !fits {
        let message = "a tool's name has 1 to 128 characters of A-Z a-z 0-9 _ . -";
        findings.push(ScanFinding::new("name.invalid", ScanVerdict::Review, server, name, None, message));
    }
    if !name.is_ascii() && !name.is_single_script() {
        let message = "mixes letters of several alphabets";
        findings.push(ScanFinding::new("name.confusable", ScanVerdict::Block, server, name, None, message));
    }
    findings
}

/// Names that imitate those of other servers. The finding goes to the later server, or the untrusted one.
pub(super) fn across(servers: &[Listed]) -> Vec<ScanFinding> {
    let mut findings: Vec<ScanFinding> = Vec::new();
    for (at, first) in servers.iter().enumerate() {
        for second in servers.iter().skip(at + 1).filter(|second| second.server != first.server) {
            let swapped = second.trusted && !first.trusted;
            let (known, doubtful) = if swapped { (second, first) } else { (first, second) };
            for tool in &doubtful.tools {
                if claims(&known.server, tool) {
                    let message =
                        format!("has the name that clients give to a tool of the server {}", known.server);
                    let (server, name) = (&doubtful.server, &tool.name);
                    findings.push(ScanFinding::new(
                        "name.claims_server",
                        ScanVerdict::Review,
                        server,
                        name,
                        None,
                        message,
                    ));
                }
                // An equal name is stronger evidence than a similar one.
                let same = known.tools.iter().find(|other| folded(&other.name) == folded(&tool.name));
                let like = same
                    .into_iter()
                    .chain(&known.tools)
                    .find_map(|other| Some((other, likeness(other, tool)?)));
                let Some((other, (code, severity, how))) = like else { continue };
                let known_already = findings
                    .iter()
                    .any(|one| one.code == code && one.tool == tool.name && one.server == doubtful.server);
                if !known_already {
                    let message = format!("{how} `{}` of the server {}", other.name, known.server);
                    findings.push(ScanFinding::new(
                        code,
                        severity,
                        &doubtful.server,
                        &tool.name,
                        None,
                        message,
                    ));
                }
            }
        }
    }
    findings
}

/// Whether a name is another server's with the prefix that clients add to tool names: `github__search`,
/// `mcp__github__search`, `mcp_github_search`, `github.search`.
fn claims(server: &str, tool: &Definition) -> bool {
    let plain = |text: &str| text.to_lowercase().replace(['-', '.', ' '], "_");
    let (name, server) = (plain(&tool.name), plain(server));
    let rest = name.strip_prefix("mcp_").map_or(name.as_str(), |rest| rest.trim_start_matches('_'));
    let is_named = rest
        .strip_prefix(server.as_str())
        .is_some_and(|own| own.starts_with('_') && own.contains(|c| c != '_'));
    // A single separator is an ordinary name; `mcp` in front, a double separator or a dot make it a prefix.
    let is_prefix = rest.len() != name.len()
        || rest.strip_prefix(server.as_str()).is_some_and(|own| own.starts_with("__"))
        || tool.name.to_lowercase().starts_with(&format!("{server}."));
    !server.is_empty() && is_named && is_prefix
}

type Likeness = (&'static str, ScanVerdict, &'static str);

fn likeness(known: &Definition, tool: &Definition) -> Option<Likeness> {
    let (one, other) = (folded(&known.name), folded(&tool.name));
    if one == other {
        return Some(("name.shadow", ScanVerdict::Review, "has the name of"));
    }
    let skeleton = |name: &str| unicode_security::skeleton(name).collect::<String>();
    if !(known.name.is_ascii() && tool.name.is_ascii()) && skeleton(&one) == skeleton(&other) {
        return Some(("name.confusable", ScanVerdict::Block, "looks exactly like"));
    }
    let most = match one.chars().count().min(other.chars().count()) {
        8.. => 2,
        5..=7 => 1,
        _ => return None,
    };
    let distance = strsim::damerau_levenshtein(&one, &other);
    let near = distance <= most && (distance == 1 || resembles(known, tool));
    near.then_some(("name.typosquat", ScanVerdict::Review, "is nearly the name of"))
}

/// Whether the descriptions or parameters of two tools are much the same.
fn resembles(one: &Definition, other: &Definition) -> bool {
    let said = strsim::normalized_damerau_levenshtein(one.description(), other.description());
    (said > 0.7 && !one.description().is_empty())
        || (one.get("inputSchema") == other.get("inputSchema") && one.get("inputSchema").is_some())
}

/// A name as a hasty reader perceives it.
fn folded(name: &str) -> String {
    name.chars().filter(|c| !"_-. ".contains(*c)).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(server: &str, names: &[&str]) -> Listed {
        let tools = names.iter().map(|name| {
            let text = serde_json::json!({"name": name, "description": "Does it.", "inputSchema": {"type": "object"}});
            Definition::of(&text.to_string()).unwrap()
        });
        Listed { server: server.to_owned(), trusted: false, tools: tools.collect() }
    }

    fn codes(first: &Listed, second: &Listed) -> Vec<(String, String)> {
        across(&[first.clone(), second.clone()])
            .into_iter()
            .map(|finding| (finding.code, finding.tool))
            .collect()
    }

    #[test]
    fn a_name_with_another_servers_prefix_claims_to_be_its_tool() {
        let github = listed("github", &["find_issues"]);
        for name in [
            "github__find_issues",
            "mcp__github__find_issues",
            "mcp_github_find_issues",
            "github.find_issues",
            "mcp__GitHub__other",
        ] {
            let found = codes(&github, &listed("other", &[name]));
            assert!(found.contains(&("name.claims_server".to_owned(), name.to_owned())), "{name}: {found:?}");
        }
        for name in ["github_user", "githubber__x", "mcp__other__find", "list", "github", "mcp__github__"] {
            let found = codes(&github, &listed("other", &[name]));
            assert!(!found.iter().any(|(code, _)| code == "name.claims_server"), "{name}: {found:?}");
        }
    }

    #[test]
    fn the_same_server_twice_has_the_same_names_and_no_near_ones() {
        let names = ["get_record", "get_records", "get_recorder"];
        let found = codes(&listed("one", &names), &listed("two", &names));
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.iter().all(|(code, _)| code == "name.shadow"), "{found:?}");
    }
}
