//! What a command that rewrites history or a work tree really loses, as git's own files say.

use doorward_core::intent::{Certainty, Form, HistoryLoss, LossFacts, Untracked};

use super::{MOST_CHANGED, Resolve, SHOWN_FILES};
use crate::place::Use;

impl Resolve<'_, '_> {
    /// A loss as it is once the repository was looked at; `None` where nothing is lost.
    pub(super) fn looked_up(&self, mut loss: HistoryLoss) -> Option<HistoryLoss> {
        let Some(facts) = loss.depends_on.take() else { return Some(loss) };
        let world = self.ground.world;
        if !facts.branches.is_empty() {
            return self.branches_lost(loss, &facts);
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
        let commits = if facts.unpushed { world.unpushed(&cwd) } else { Ok(0) };
        let covered = facts.moves
            && world.untracked(&cwd, Untracked::NotIgnored, 1).map(|found| found.is_empty()) != Ok(true);
        if changed.is_empty() && !staged && !covered && commits == Ok(0) {
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
            Ok(0) => {}
            Ok(1) => parts.push("1 commit that no remote has".to_owned()),
            Ok(count) => parts.push(format!("up to {count} commits that no remote has")),
            Err(_) => parts.push("commits after the target".to_owned()),
        }
        if covered && parts.is_empty() {
            parts.push("files that git doesn't track and the other commit holds".to_owned());
        }
        loss.what = parts.join(", and ");
        Some(loss)
    }

    /// `git branch -D`: nothing is lost where others reach the same commits. Another command of the line that acts
    /// could take these away, so beside one the loss stays.
    fn branches_lost(&self, loss: HistoryLoss, facts: &LossFacts) -> Option<HistoryLoss> {
        let [folder] = facts.changed.as_slice() else { return Some(loss) };
        let alone = folder.form == Form::Literal && self.acts.len() == 1;
        let folder = self.ground.place(folder, Use::Read).path;
        let kept = alone && self.ground.world.is_reached_without(&folder, &facts.branches) == Ok(true);
        if kept { None } else { Some(loss) }
    }
}
