//! Deletes by which nothing is lost: what isn't there, and what this very call made.

use doorward_core::effect::{Scope, Tri};
use doorward_core::intent::{Certainty, DeleteIntent, Form, Operand, Place, Span, Untracked};
use doorward_core::world::FileKind;
use doorward_paths::lexical;

use super::{GLOB_LIMIT, MOST_CLEANED, Resolve};
use crate::place::Use;

impl Resolve<'_, '_> {
    /// The files that `git clean` would remove, one by one; `None` where they can't be listed.
    pub(super) fn untracked(&self, delete: &DeleteIntent) -> Option<Vec<DeleteIntent>> {
        let selection = delete.untracked.filter(|_| delete.path.form == Form::Literal)?;
        let place = self.ground.place(&delete.path, Use::Delete);
        if place.scope != Scope::Inside || self.ground.kind(&place.path) != Some(FileKind::Directory) {
            return None;
        }
        let found = self.ground.world.untracked(&place.path, selection, MOST_CLEANED).ok()?;
        let listed = found.into_iter().map(|path| {
            let recursive = self.ground.kind(&path) == Some(FileKind::Directory);
            let mut listed = DeleteIntent { recursive, untracked: None, ..delete.clone() };
            listed.path.text = path;
            listed
        });
        Some(listed.filter(|listed| delete.recursive || !listed.recursive).collect())
    }

    /// Whether a pattern fits nothing, in a project that can be seen.
    pub(super) fn fits_nothing(&self, pattern: &Operand) -> bool {
        // Files that came with a call are not all that lies there.
        self.ground.world.brought().is_empty()
            && self.ground.kind(&self.ground.call.cwd) == Some(FileKind::Directory)
            && !pattern.text.contains(['…', '(', '{', '!', '^', '#', '~'])
            && !pattern.text.split('/').any(|name| name == "**")
            && self.ground.expand(&pattern.text, GLOB_LIMIT).is_some_and(|names| names.is_empty())
    }

    /// Whether version control gives back what is deleted: a file that the last commit holds, or a folder with
    /// nothing else in it, ignored files included.
    pub(super) fn comes_back(&self, delete: &DeleteIntent, path: &str, in_version_control: Tri) -> bool {
        let world = self.ground.world;
        let one_file = !delete.recursive || matches!(self.ground.kind(path), Some(FileKind::File(_)));
        let nothing_else =
            || world.untracked(path, Untracked::AndIgnored, 1).is_ok_and(|found| found.is_empty());
        in_version_control == Tri::Yes
            && world.is_staged(&self.ground.call.cwd) == Ok(false)
            && (one_file || !self.ground.is_everything(path) && nothing_else())
    }

    /// Whether this very call makes what it deletes: nothing is there now, and a word before this one writes it or
    /// into it. Where the call makes a link, something else may be reached by the name.
    pub(super) fn is_made_here(&self, delete: &DeleteIntent, path: &str) -> bool {
        delete.path.form == Form::Literal
            && delete.path.place == Place::Local
            && !delete.path.text.ends_with('/')
            && !self.links
            && self.ground.is_new(path)
            && self.effects.writes.iter().any(|write| {
                lexical::is_within(&write.path, path)
                    && write.certainty == Certainty::Exact
                    && write.span.end <= delete.path.span.start
                    && write.span != Span::default()
            })
    }

    /// Whether a delete may reach something else by a name that this very call makes a link of.
    pub(super) fn may_lead_away(&self, delete: &DeleteIntent, path: &str) -> bool {
        self.links
            && self.effects.writes.iter().any(|write| {
                // The name alone is the link; a slash behind it, or more of a path, is what the link leads to.
                let follows = path != write.path || delete.path.text.ends_with('/');
                follows && lexical::is_within(path, &write.path) && write.span.start <= delete.path.span.start
            })
    }
}

/// Whether a program makes one place answer to another name.
pub(super) fn makes_links(program: &str) -> bool {
    matches!(program, "bindfs" | "link" | "ln" | "mount" | "sshfs")
}
