//! What a command that rewrites history or a work tree really loses, as git's own files say.

use doorward_core::intent::{Certainty, Form, HistoryLoss, LossFacts, Untracked};
use doorward_core::world::{Lost, Unseen};
use doorward_paths::lexical;

use super::{MOST_CHANGED, Resolve, SHOWN_FILES};
use crate::place::Use;

/// A longer file names no branch.
const HEAD_LIMIT: u64 = 4096;

impl Resolve<'_, '_> {
    /// A loss as it is once the repository was looked at; `None` where nothing is lost.
    pub(super) fn looked_up(&self, mut loss: HistoryLoss) -> Option<HistoryLoss> {
        let Some(facts) = loss.depends_on.take() else { return Some(loss) };
        let world = self.ground.world;
        if !facts.branches.is_empty() {
            return self.branches_lost(loss, &facts);
        }
        if let Some(entry) = &facts.stash {
            return self.stash_lost(loss, entry);
        }
        if facts.on_default_branch {
            return self.is_on_default_branch().then_some(loss);
        }
        let mut changed = Vec::new();
        for operand in &facts.changed {
            let place = self.ground.place(operand, Use::Read);
            if operand.form != Form::Literal || operand.certainty != Certainty::Exact {
                return Some(loss);
            }
            match world.changed(&place.path, facts.everywhere, MOST_CHANGED) {
                Ok(found) => changed.extend(found),
                Err(_) => return Some(loss),
            }
        }
        let cwd = facts.changed.first().map(|path| self.ground.place(path, Use::Read).path);
        let cwd = cwd.unwrap_or_else(|| self.ground.call.cwd.clone());
        // What only this session changed, and changed from what a commit holds, is nobody else's work.
        if changed.len() < MOST_CHANGED {
            changed.retain(|path| !self.ground.is_own_change(path));
        }
        let staged = facts.staged && world.is_staged(&cwd) != Ok(false);
        let alone = self.acts.len() == 1;
        let commits = match &facts.target {
            None => Ok(Lost::default()),
            // Another command of the line could take away what still reaches them.
            Some(_) if !alone => Err(Unseen::NotLooked),
            Some(target) => world.left_behind(&cwd, target),
        };
        let covered = facts.moves
            && world.untracked(&cwd, Untracked::NotIgnored, 1).map(|found| found.is_empty()) != Ok(true);
        if changed.is_empty()
            && !staged
            && !covered
            && commits.as_ref().is_ok_and(|lost| lost.commits.is_empty())
        {
            return None;
        }
        let cwd = format!("{}/", self.ground.call.cwd.trim_end_matches('/'));
        let mut parts = Vec::new();
        if !changed.is_empty() {
            let more = if changed.len() > SHOWN_FILES { " and more" } else { "" };
            let names: Vec<&str> = changed
                .iter()
                .take(SHOWN_FILES)
                .map(|path| path.strip_prefix(&cwd).unwrap_or(path))
                .collect();
            parts.push(format!("uncommitted changes of {}{more}", names.join(", ")));
        } else if staged {
            parts.push("changes that were added and not committed".to_owned());
        }
        match commits {
            Ok(lost) if lost.commits.is_empty() => {}
            Ok(lost) => parts.push(format!("{} that no other branch, tag or remote has", named(&lost))),
            Err(_) => parts.push("commits after the target".to_owned()),
        }
        if covered && parts.is_empty() {
            parts.push("files that git doesn't track and the other commit holds".to_owned());
        }
        loss.what = parts.join(", and ");
        Some(loss)
    }

    /// Whether the branch that is checked out has the name of a default branch. Where nobody can look, it hasn't.
    fn is_on_default_branch(&self) -> bool {
        const NAMES: &[&str] =
            &["default", "develop", "main", "master", "prod", "production", "release", "trunk"];
        let world = self.ground.world;
        let folder = self.ground.call.cwd.as_str();
        let work = world.git_settings(folder).ok().and_then(|settings| Some(settings.first()?.work.clone()));
        let work = work.unwrap_or_else(|| folder.to_owned());
        // In a work tree of its own, `.git` is a file that names the folder.
        let directory = match world.read_text(&format!("{work}/.git"), HEAD_LIMIT) {
            Ok(text) => lexical::join(&work, text.trim().trim_start_matches("gitdir:").trim()),
            Err(_) => format!("{work}/.git"),
        };
        let head = world.read_text(&format!("{directory}/HEAD"), HEAD_LIMIT).unwrap_or_default();
        head.trim().strip_prefix("ref: refs/heads/").is_some_and(|branch| NAMES.contains(&branch))
    }

    /// `git branch -D`: nothing is lost where others reach the same commits. Another command of the line that acts
    /// could take these away, so beside one the loss stays.
    fn branches_lost(&self, mut loss: HistoryLoss, facts: &LossFacts) -> Option<HistoryLoss> {
        let [folder] = facts.changed.as_slice() else { return Some(loss) };
        if folder.form != Form::Literal || self.acts.len() != 1 {
            return Some(loss);
        }
        let folder = self.ground.place(folder, Use::Read).path;
        let Ok(lost) = self.ground.world.only_in(&folder, &facts.branches) else { return Some(loss) };
        if lost.commits.is_empty() {
            return None;
        }
        let branches = facts.branches.join(", ");
        loss.what = format!("{} of `{branches}` that no other branch, tag or remote has", named(&lost));
        Some(loss)
    }

    /// `git stash drop`, `clear`: the entries by what they say. A line that stashes first has one more.
    fn stash_lost(&self, mut loss: HistoryLoss, entry: &str) -> Option<HistoryLoss> {
        let Ok(all) = self.ground.world.stashed(&self.ground.call.cwd) else { return Some(loss) };
        if self.acts.len() != 1 {
            return Some(loss);
        }
        if entry == "*" {
            let count = all.len();
            let first = all.first()?;
            let many = if count == 1 { "the 1 entry".to_owned() } else { format!("all {count} entries") };
            loss.what = format!("{many} of the stash, the newest: \"{first}\"");
            return Some(loss);
        }
        let place =
            entry.strip_prefix("stash@{").and_then(|rest| rest.strip_suffix('}')?.parse::<usize>().ok());
        let Some(place) = place else { return Some(loss) };
        loss.what = format!("{entry} (\"{}\")", all.get(place)?);
        Some(loss)
    }
}

/// Commits with their count: "2 commits (f98abd9, c01d4e2)".
fn named(lost: &Lost) -> String {
    let count = lost.commits.len();
    let more = if count > SHOWN_FILES { ", …" } else { "" };
    let names = lost.commits.iter().take(SHOWN_FILES).map(String::as_str).collect::<Vec<_>>().join(", ");
    let up_to = if lost.at_most { "up to " } else { "" };
    let noun = if count == 1 { "commit" } else { "commits" };
    format!("{up_to}{count} {noun} ({names}{more})")
}
