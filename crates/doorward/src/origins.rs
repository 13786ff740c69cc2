//! Where calls come from, in words that people know: the title of a session, which is the first thing that its user
//! said in it, and the branch that a project is on.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use doorward_core::approval::Ask;
use doorward_core::id::SessionId;
use doorward_core::tool::Client;

use crate::secrets::redact;

/// Characters of a title.
const LONGEST: usize = 80;
/// Characters of a prompt that are looked at.
const LOOKED_AT: usize = 2_000;
/// Sessions whose titles are kept.
const MOST: usize = 10_000;

/// Titles of sessions.
#[derive(Debug, Default)]
pub struct Titles(Mutex<HashMap<SessionId, String>>);

impl Titles {
    /// The user of a session said something. Returns its title if this gave it one.
    pub(crate) fn said(&self, session: &SessionId, text: &str) -> Option<String> {
        let mut titles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if titles.contains_key(session) || titles.len() >= MOST {
            return None;
        }
        let title = title(text)?;
        titles.insert(session.clone(), title.clone());
        Some(title)
    }

    /// The title of a session.
    #[must_use]
    pub fn of(&self, session: &SessionId) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(session).cloned()
    }
}

/// The first line that says something, without secrets, cut between words.
fn title(text: &str) -> Option<String> {
    let text: String = redact(&text.chars().take(LOOKED_AT).collect::<String>());
    let plain = |ch: char| if ch.is_control() { ' ' } else { ch };
    let line = text.lines().map(str::trim).find(|line| line.chars().any(char::is_alphanumeric))?;
    let mut title = String::new();
    for word in line.chars().map(plain).collect::<String>().split_whitespace() {
        let longer = title.chars().count() + 1 + word.chars().count();
        if longer > LONGEST && !title.is_empty() {
            title.push('…');
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.extend(word.chars().take(LONGEST));
    }
    Some(title)
}

/// The coding agent of a session that came through its hooks: their sessions begin with its name.
#[must_use]
pub fn client_of(session: &SessionId) -> Option<&str> {
    let (client, _) = session.as_str().split_once('/')?;
    Client::from_word(client).map(|_| client)
}

/// Who asks, and where: `claude-code in shop`.
#[must_use]
pub fn asker(ask: &Ask) -> String {
    let agent = ask.origin.agent.as_deref().unwrap_or(&ask.binding.caller);
    match Path::new(&ask.binding.project).file_name() {
        Some(project) => format!("{agent} in {}", project.to_string_lossy()),
        None => agent.to_owned(),
    }
}

/// The branch that a project is on. `None` where it is on none, or isn't in git.
pub(crate) fn branch(project: &Path) -> Option<String> {
    let dot = project.ancestors().map(|folder| folder.join(".git")).find(|dot| dot.exists())?;
    let folder = if dot.is_file() {
        let text = std::fs::read_to_string(&dot).ok()?;
        dot.parent()?.join(text.strip_prefix("gitdir:")?.trim())
    } else {
        dot
    };
    let head = std::fs::read_to_string(folder.join("HEAD")).ok()?;
    let branch = head.strip_prefix("ref: refs/heads/")?.trim();
    (!branch.is_empty() && !branch.contains(char::is_control)).then(|| branch.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_first_line_that_says_something_cut_between_words() {
        for (said, wanted) in [
            ("Fix the login page", Some("Fix the login page")),
            ("\n\n---\n  Fix\tthe  page\nand more", Some("Fix the page")),
            ("", None),
            ("***", None),
        ] {
            assert_eq!(title(said).as_deref(), wanted, "{said:?}");
        }
        let long = title(&"word ".repeat(100)).unwrap();
        assert!(long.ends_with("word…") && long.chars().count() <= LONGEST + 1, "{long}");
        assert_eq!(title(&"x".repeat(500)).unwrap().len(), LONGEST);
    }

    #[test]
    fn a_branch_is_read_from_the_project_and_from_a_worktree() {
        let folder = tempfile::tempdir().unwrap();
        let (main, linked) = (folder.path().join("main"), folder.path().join("linked/deep"));
        std::fs::create_dir_all(main.join(".git/worktrees/linked")).unwrap();
        std::fs::create_dir_all(&linked).unwrap();
        assert_eq!(branch(&main), None);
        std::fs::write(main.join(".git/HEAD"), "ref: refs/heads/feature/login\n").unwrap();
        std::fs::write(main.join(".git/worktrees/linked/HEAD"), "ref: refs/heads/other\n").unwrap();
        std::fs::write(folder.path().join("linked/.git"), "gitdir: ../main/.git/worktrees/linked\n").unwrap();
        assert_eq!(branch(&main).as_deref(), Some("feature/login"));
        assert_eq!(branch(&linked).as_deref(), Some("other"));
        std::fs::write(main.join(".git/HEAD"), "f98abd9\n").unwrap();
        assert_eq!(branch(&main), None);
    }
}
