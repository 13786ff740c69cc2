//! Rules in an agent's instruction file: inserted once between two marks, and removed exactly.
//!
//! The user's own text stays unchanged byte for byte; removing the block restores the original file. A block that was
//! edited by hand is recognised by its digest and isn't changed.

use doorward_core::id::Digest;

const BEGIN: &str = "<!-- doorward:experiences v1 ";
const END: &str = "<!-- /doorward:experiences -->";

/// Why a block can't be replaced or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InjectError {
    /// Its content doesn't match its digest.
    #[error("experiences.edited: the block was changed by hand; take it out by hand, or use --force")]
    Edited,
    /// A mark without its counterpart, or more than one block.
    #[error("experiences.marks: the marks in the file don't pair up")]
    Marks,
}

/// The instruction file of an agent below a home folder.
#[must_use]
pub fn target(agent: &str) -> Option<&'static str> {
    TARGETS.iter().find(|(name, _)| *name == agent).map(|(_, path)| *path)
}

/// The instruction file of an agent below a project.
#[must_use]
pub fn project_target(agent: &str) -> Option<&'static str> {
    PROJECT_TARGETS.iter().find(|(name, _)| *name == agent).map(|(_, path)| *path)
}

/// The beginning of an instruction file that is created only for the rules.
#[must_use]
pub fn head(agent: &str) -> &'static str {
    match agent {
        "cursor" => "---\ndescription: Safety rules for tools\nalwaysApply: true\n---\n",
        "openhands" => "---\nname: doorward\ntype: repo\nversion: 1.0.0\nagent: CodeActAgent\n---\n",
        _ => "",
    }
}

/// Agents with their instruction files, relative to the home folder.
pub const TARGETS: &[(&str, &str)] = &[
    ("claude-code", ".claude/CLAUDE.md"),
    ("codex", ".codex/AGENTS.md"),
    ("gemini-cli", ".gemini/GEMINI.md"),
    ("opencode", ".config/opencode/AGENTS.md"),
    ("openclaw", ".openclaw/workspace/AGENTS.md"),
    ("openhands", ".openhands/microagents/doorward.md"),
];

/// Agents with their instruction files, relative to a project. Source: the agents' documentation, autumn 2026.
pub const PROJECT_TARGETS: &[(&str, &str)] = &[
    ("claude-code", "CLAUDE.md"),
    ("codex", "AGENTS.md"),
    ("gemini-cli", "GEMINI.md"),
    ("opencode", "AGENTS.md"),
    ("copilot", ".github/copilot-instructions.md"),
    ("cursor", ".cursor/rules/doorward.mdc"),
    ("windsurf", ".windsurf/rules/doorward.md"),
    ("openhands", ".openhands/microagents/doorward.md"),
];

/// Marks a block for which the file was created.
const NEW: &str = " new";

/// Inserts the rules into a file, or creates it with the agent's head.
///
/// # Errors
/// [`InjectError`]; nothing is changed then.
pub fn load_into(file: Option<&str>, agent: &str, rules: &str, force: bool) -> Result<String, InjectError> {
    let made = file.is_none_or(made_by_us);
    let before = match file {
        Some(text) => text.to_owned(),
        None => head(agent).to_owned(),
    };
    let text = load(&before, rules, force)?;
    Ok(if made { text.replacen(" -->\n## ", &format!("{NEW} -->\n## "), 1) } else { text })
}

/// Removes the rules. `None`: the file was created for them and contains nothing else, so delete it.
///
/// # Errors
/// [`InjectError`]; nothing is changed then.
pub fn unload_from(file: &str, agent: &str, force: bool) -> Result<Option<String>, InjectError> {
    let made = made_by_us(file);
    let rest = unload(file, force)?;
    Ok((!made || rest != head(agent)).then_some(rest))
}

fn made_by_us(file: &str) -> bool {
    let mark = file.split_once(BEGIN).and_then(|(_, rest)| rest.split_once(" -->"));
    mark.is_some_and(|(mark, _)| mark.ends_with(NEW))
}

/// Inserts the rules, replacing earlier ones. Idempotent.
///
/// # Errors
/// [`InjectError`]; nothing is changed then.
pub fn load(file: &str, rules: &str, force: bool) -> Result<String, InjectError> {
    let rest = unload(file, force)?;
    let body = format!("\n## Safety rules for tools\n\n{}\n", rules.trim_end());
    let digest = Digest::of(body.as_bytes());
    let gap = if rest.is_empty() { "" } else { "\n" };
    Ok(format!("{rest}{gap}{BEGIN}{digest} -->{body}{END}\n"))
}

/// Removes the rules.
///
/// # Errors
/// [`InjectError`]; nothing is changed then.
pub fn unload(file: &str, force: bool) -> Result<String, InjectError> {
    let (begins, ends) = (file.matches(BEGIN).count(), file.matches(END).count());
    if (begins, ends) == (0, 0) {
        return Ok(file.to_owned());
    }
    if (begins, ends) != (1, 1) {
        return Err(InjectError::Marks);
    }
    let (before, rest) = file.split_once(BEGIN).ok_or(InjectError::Marks)?;
    let (digest, rest) = rest.split_once(" -->").ok_or(InjectError::Marks)?;
    let (body, after) = rest.split_once(END).ok_or(InjectError::Marks)?;
    if Digest::of(body.as_bytes()) != digest.trim_end_matches(NEW) && !force {
        return Err(InjectError::Edited);
    }
    let before = before.strip_suffix('\n').unwrap_or(before);
    Ok(format!("{before}{}", after.strip_prefix('\n').unwrap_or(after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taking_out_gives_back_what_was_there_and_putting_in_twice_changes_nothing() {
        for file in ["", "mine", "mine\n", "# a\n\nb\n\n", "<!-- other -->\n"] {
            let once = load(file, "1. a\n2. b", false).unwrap();
            assert_eq!(load(&once, "1. a\n2. b", false).unwrap(), once);
            assert_eq!(unload(&once, false).unwrap(), file);
            let newer = load(&once, "1. c", false).unwrap();
            assert!(!newer.contains("1. a") && unload(&newer, false).unwrap() == file);
        }
    }

    #[test]
    fn a_file_made_for_the_rules_goes_with_them_and_any_other_stays() {
        for (agent, head) in
            [("cursor", "---\ndescription"), ("openhands", "---\nname"), ("codex", "<!-- doorward")]
        {
            let made = load_into(None, agent, "1. a", false).unwrap();
            assert!(made.starts_with(head), "{made}");
            let newer = load_into(Some(&made), agent, "1. b", false).unwrap();
            assert!(newer.contains("1. b") && !newer.contains("1. a"));
            assert_eq!(load_into(Some(&newer), agent, "1. b", false).unwrap(), newer);
            assert_eq!(unload_from(&newer, agent, false).unwrap(), None);
            let own = newer.clone() + "mine\n";
            assert!(unload_from(&own, agent, false).unwrap().unwrap().ends_with("mine\n"));
        }
        let empty = load_into(Some(""), "codex", "1. a", false).unwrap();
        assert_eq!(unload_from(&empty, "codex", false).unwrap().as_deref(), Some(""));
        let kept = load_into(Some("mine"), "cursor", "1. a", false).unwrap();
        assert_eq!(unload_from(&kept, "cursor", false).unwrap().as_deref(), Some("mine"));
    }

    #[test]
    fn what_the_user_writes_behind_the_block_survives_and_an_edited_block_is_left_alone() {
        let mut file = load("before\n", "1. a", false).unwrap();
        file.push_str("behind\n");
        assert_eq!(unload(&file, false).unwrap(), "before\nbehind\n");
        let edited = file.replace("1. a", "1. mine");
        assert_eq!(unload(&edited, false), Err(InjectError::Edited));
        assert_eq!(unload(&edited, true).unwrap(), "before\nbehind\n");
        let broken = file.replace(END, "");
        assert_eq!(load(&broken, "1. a", true), Err(InjectError::Marks));
    }
}
