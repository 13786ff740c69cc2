//! A client's own rules about shell commands, for calls that it no longer sees as they were written.
//!
//! Measured on Claude Code 2.1.330: its permission rules match the text that a hook put in place of a command, and not
//! the command. So where Doorward runs the call itself, the client's deny and ask rules are read from where it reads
//! them and join ours as a layer that only tightens. A rule that can't be read here denies, by name.

use std::path::{Path, PathBuf};

use doorward_core::tool::Client;
use doorward_paths::bounded;
use doorward_settings::{Layer, LayerKind};
use serde_json::Value;

use crate::process::ClientProcess;

/// Settings of a client that are there and can't be read: they may hold a rule that forbids the call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the client's settings {file} can't be read ({why}), and they may forbid this call; mend or remove them (client.settings)"
)]
pub(crate) struct Unreadable {
    file: String,
    why: String,
}

/// The layers that a session's client adds.
///
/// # Errors
/// [`Unreadable`]: settings that are there and can't be read or aren't JSON.
pub(crate) fn layers(client: Client, root: &Path, process: &ClientProcess) -> Result<Vec<Layer>, Unreadable> {
    if client != Client::ClaudeCode {
        return Ok(Vec::new());
    }
    let environment = process.environment();
    let config = environment.get("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    let config = config.or_else(|| crate::home().map(|home| home.join(".claude")));
    let mut own = vec![PathBuf::from("/etc/claude-code/managed-settings.json")];
    own.extend(config.map(|folder| folder.join("settings.json")));
    let mut layers = Vec::new();
    for file in own {
        let text = bounded::read_text(&file);
        layers.extend(layer_of(&file.display().to_string(), text)?);
    }
    for name in [".claude/settings.json", ".claude/settings.local.json"] {
        let text = bounded::read_text_below(root, Path::new(name));
        layers.extend(layer_of(&root.join(name).display().to_string(), text)?);
    }
    layers.extend(of_words(&process.words(), root)?);
    Ok(layers)
}

/// The layer of one file; none where it isn't there or holds no rules about the shell.
fn layer_of(name: &str, text: std::io::Result<String>) -> Result<Option<Layer>, Unreadable> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let unreadable = |why: String| Unreadable { file: name.to_owned(), why };
    match text {
        Ok(text) => Ok(layer(name, &rules_of(&text).map_err(|error| unreadable(error.to_string()))?)),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(None),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

/// `deny` and `ask` rules about the shell.
type Rules = (Vec<String>, Vec<String>);

fn rules_of(settings: &str) -> Result<Rules, serde_json::Error> {
    let settings = settings.trim_start_matches('\u{feff}').trim();
    let settings: Value = if settings.is_empty() { Value::Null } else { serde_json::from_str(settings)? };
    let list = |name: &str| {
        let all = settings.get("permissions").and_then(|permissions| permissions.get(name));
        let all = all.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        all.map(str::trim).filter(|rule| is_shell(rule)).map(str::to_owned).collect()
    };
    Ok((list("deny"), list("ask")))
}

fn is_shell(rule: &str) -> bool {
    rule == "Bash" || rule.starts_with("Bash(")
}

/// Rules given on the command line: `--settings FILE|JSON`, `--disallowedTools A,B…`.
fn of_words(words: &[String], root: &Path) -> Result<Vec<Layer>, Unreadable> {
    let mut layers = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let (name, joined) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
            _ => (word.as_str(), None),
        };
        match name {
            "--settings" => {
                let Some(value) = joined.or_else(|| words.next().cloned()) else { break };
                let inline = value.trim_start().starts_with('{');
                let text = if inline { Ok(value.clone()) } else { bounded::read_text(&root.join(&value)) };
                let name = if inline { "--settings".to_owned() } else { format!("--settings {value}") };
                layers.extend(layer_of(&name, text)?);
            }
            "--disallowedTools" | "--disallowed-tools" => {
                let mut listed: Vec<String> = joined.into_iter().collect();
                while let Some(value) = words.next_if(|value| !value.starts_with('-')) {
                    listed.push(value.clone());
                }
                let deny =
                    listed.iter().flat_map(|text| rules_in(text)).filter(|rule| is_shell(rule)).collect();
                layers.extend(layer("--disallowedTools", &(deny, Vec::new())));
            }
            _ => {}
        }
    }
    Ok(layers)
}

/// The rules of a list that commas or spaces part, outside of parentheses.
fn rules_in(text: &str) -> Vec<String> {
    let mut depth = 0_u32;
    let mut rules = vec![String::new()];
    for ch in text.chars() {
        match ch {
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (ch == ',' || ch == ' ') {
            rules.push(String::new());
        } else if let Some(rule) = rules.last_mut() {
            rule.push(ch);
        }
    }
    rules.retain(|rule| !rule.is_empty());
    rules
}

/// As a layer of ours; none where there is nothing to add.
fn layer(name: &str, (deny, ask): &Rules) -> Option<Layer> {
    if deny.is_empty() && ask.is_empty() {
        return None;
    }
    // A JSON list of strings is a TOML one.
    let list = |rules: &[String]| serde_json::to_string(rules).unwrap_or_default();
    let text = format!("[rules]\ndeny = {}\nask = {}\n", list(deny), list(ask));
    Some(Layer::new(LayerKind::Project, format!("the client's {name}"), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_tightens_the_shell_is_taken_over() {
        let settings = r#"{"permissions": {"deny": ["Bash(git push:*)", "Read(./.env)", " Bash "], "allow": ["Bash(ls)"], "ask": ["Bash(npm \"x\")"]}}"#;
        let (deny, ask) = rules_of(settings).unwrap();
        assert_eq!(
            (deny.as_slice(), ask.as_slice()),
            (&["Bash(git push:*)".to_owned(), "Bash".to_owned()][..], &["Bash(npm \"x\")".to_owned()][..])
        );
        let layer = layer("x", &(deny, ask)).unwrap();
        let loaded = doorward_settings::Settings::load(&[layer]).unwrap();
        assert_eq!(loaded.settings.rules.deny.len(), 2);
        assert_eq!(loaded.settings.rules.ask[0].text(), "Bash(npm \"x\")");
        assert_eq!(rules_of("  ").unwrap(), (Vec::new(), Vec::new()));
        let refused = layer_of("/w/.claude/settings.json", Ok("{// comment\n}".to_owned())).unwrap_err();
        assert!(refused.to_string().contains("/w/.claude/settings.json"), "{refused}");
        let forbidden = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        assert!(layer_of("x", Err(forbidden)).is_err());
        assert!(layer_of("x", Err(std::io::ErrorKind::NotFound.into())).unwrap().is_none());
    }

    #[test]
    fn rules_of_the_command_line_count_too() {
        let words = |text: &[&str]| text.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let found = of_words(
            &words(&["claude", "--disallowedTools", "Bash(git push *),Edit", "Bash(rm:*)", "-p", "go"]),
            Path::new("/"),
        )
        .unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].text.contains(r#"deny = ["Bash(git push *)","Bash(rm:*)"]"#), "{}", found[0].text);
        let inline =
            of_words(&words(&["claude", r#"--settings={"permissions":{"deny":["Bash"]}}"#]), Path::new("/"))
                .unwrap();
        assert!(inline[0].text.contains(r#"deny = ["Bash"]"#));
    }
}
