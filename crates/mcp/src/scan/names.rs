//! Names of tools: what a name must be, and names that could be taken for those of other servers.

use unicode_security::MixedScript as _;

use super::{Finding, Listed, Verdict};
use crate::definition::Definition;

/// What the name shows by itself.
pub(super) fn alone(server: &str, tool: &Definition) -> Vec<Finding> {
    let name = tool.name.as_str();
    let mut findings = Vec::new();
    let fits = (1..=128).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    if !fits {
        let message = "a tool's name has 1 to 128 characters of A-Z a-z 0-9 _ . -";
        findings.push(Finding::new("name.invalid", Verdict::Review, server, name, None, message));
    }
    if !name.is_ascii() && !name.is_single_script() {
        let message = "mixes letters of several alphabets";
        findings.push(Finding::new("name.confusable", Verdict::Block, server, name, None, message));
    }
    findings
}

/// Names that could be taken for those of other servers. The finding is the later server's, or the untrusted one's.
pub(super) fn across(servers: &[Listed]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for (at, first) in servers.iter().enumerate() {
        for second in servers.iter().skip(at + 1).filter(|second| second.server != first.server) {
            let swapped = second.trusted && !first.trusted;
            let (known, doubtful) = if swapped { (second, first) } else { (first, second) };
            for tool in &doubtful.tools {
                let like = known.tools.iter().find_map(|other| Some((other, likeness(other, tool)?)));
                let Some((other, (code, severity, how))) = like else { continue };
                let known_already = findings
                    .iter()
                    .any(|one| one.code == code && one.tool == tool.name && one.server == doubtful.server);
                if !known_already {
                    let message = format!("{how} `{}` of the server {}", other.name, known.server);
                    findings.push(Finding::new(code, severity, &doubtful.server, &tool.name, None, message));
                }
            }
        }
    }
    findings
}

type Likeness = (&'static str, Verdict, &'static str);

fn likeness(known: &Definition, tool: &Definition) -> Option<Likeness> {
    let (one, other) = (folded(&known.name), folded(&tool.name));
    if one == other {
        return Some(("name.shadow", Verdict::Review, "has the name of"));
    }
    let skeleton = |name: &str| unicode_security::skeleton(name).collect::<String>();
    if !(known.name.is_ascii() && tool.name.is_ascii()) && skeleton(&one) == skeleton(&other) {
        return Some(("name.confusable", Verdict::Block, "looks exactly like"));
    }
    let most = match one.chars().count().min(other.chars().count()) {
        8.. => 2,
        5..=7 => 1,
        _ => return None,
    };
    let distance = strsim::damerau_levenshtein(&one, &other);
    let near = distance <= most && (distance == 1 || resembles(known, tool));
    near.then_some(("name.typosquat", Verdict::Review, "is nearly the name of"))
}

/// Whether what two tools say of themselves, or what they take, is much the same.
fn resembles(one: &Definition, other: &Definition) -> bool {
    let said = strsim::normalized_damerau_levenshtein(one.description(), other.description());
    (said > 0.7 && !one.description().is_empty())
        || (one.get("inputSchema") == other.get("inputSchema") && one.get("inputSchema").is_some())
}

/// A name as a hurried reader takes it.
fn folded(name: &str) -> String {
    name.chars().filter(|c| !"_-. ".contains(*c)).flat_map(char::to_lowercase).collect()
}
