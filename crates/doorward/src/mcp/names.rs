//! Names of prompts and resources, as rules and records write them: `mcp:SERVER/prompts/NAME` and
//! `mcp:SERVER/resources/URI`. A rule names one, or all with `mcp(SERVER/prompts/*)` and `mcp(SERVER/resources/*)`.

use doorward_core::id::Digest;

use super::Kind;

/// How such names begin, behind the server's.
const PROMPTS: &str = "prompts/";
const RESOURCES: &str = "resources/";
/// Longest name, the server's included; what is longer ends with a digest of itself.
const LONGEST: usize = 250;
/// Letters of that digest.
const DIGEST: usize = 32;

/// Whether a tool's name could be taken for that of a prompt or a resource.
pub(super) fn is_reserved(tool: &str) -> bool {
    tool.starts_with(PROMPTS) || tool.starts_with(RESOURCES)
}

/// What a name stands for, as rules and records write it: `mcp:SERVER/…`.
pub(super) fn kind_of(name: &str) -> Kind {
    let behind = name.split_once('/').map_or("", |(_, behind)| behind);
    if behind.starts_with(PROMPTS) {
        Kind::Prompt
    } else if behind.starts_with(RESOURCES) {
        Kind::Resource
    } else {
        Kind::Tool
    }
}

/// The name of a prompt.
pub(super) fn of_prompt(server: &str, name: &str) -> String {
    written(server, PROMPTS, name)
}

/// The name of a resource.
pub(super) fn of_resource(server: &str, uri: &str) -> String {
    written(server, RESOURCES, uri)
}

/// Characters that names don't have are written `_x` and two hexadecimal digits a byte.
fn written(server: &str, kind: &str, asked: &str) -> String {
    let mut name = format!("mcp:{server}/{kind}");
    let bytes = asked.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        // `_x` itself is written out too, so that no two names become one.
        let stands_for = byte == b'_' && bytes.get(at + 1) == Some(&b'x');
        if !stands_for && (byte.is_ascii_alphanumeric() || b"_.:/-".contains(&byte)) {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("_x{byte:02X}"));
        }
    }
    if name.len() > LONGEST {
        let digest = Digest::of(asked.as_bytes()).into_string();
        let short: String = digest.rsplit(':').next().unwrap_or_default().chars().take(DIGEST).collect();
        name.truncate(LONGEST - DIGEST - 1);
        name.push('-');
        name.push_str(&short);
    }
    name
}

#[cfg(test)]
mod tests {
    use doorward_core::tool::ToolName;

    use super::*;

    #[test]
    fn every_uri_has_a_name_of_its_own_that_a_rule_can_write() {
        let long = |last: &str| format!("test://{}{last}", "a".repeat(400));
        let uris = [
            "test://a",
            "test://a?b=1",
            "test://a_x3Fb=1",
            "test://a_b=1",
            "file:///w/\u{fc}.md",
            "",
            &long("1"),
            &long("2"),
        ];
        let names: Vec<String> = uris.iter().map(|uri| of_resource("notes", uri)).collect();
        assert_eq!(names[1], "mcp:notes/resources/test://a_x3Fb_x3D1");
        for (at, name) in names.iter().enumerate() {
            assert!(ToolName::new(name).is_ok(), "{name}");
            assert!(!names[..at].contains(name), "{name}");
        }
        assert_eq!(of_prompt("notes", "sum up"), "mcp:notes/prompts/sum_x20up");
        assert!(is_reserved("prompts/x") && !is_reserved("prompt"));
        assert_eq!(kind_of("mcp:notes/prompts/sum_x20up"), Kind::Prompt);
        assert_eq!(kind_of(&names[1]), Kind::Resource);
        assert_eq!(kind_of("mcp:notes/resources-list"), Kind::Tool);
    }
}
