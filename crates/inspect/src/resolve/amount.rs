//! How much a delete takes: more than a person should agree to by one click.

use doorward_core::effect::{Scope, Tri};
use doorward_core::finding::Finding;
use doorward_core::intent::Form;
use doorward_core::world::{FileKind, VcsState};
use doorward_paths::lexical;

use super::Resolve;
use crate::place::{PlacedPath, Use};

/// Files without a copy from which on a delete is a great one.
const MANY_FILES: u32 = 100;
/// Bytes from which on it is one.
const MANY_BYTES: u64 = 100 << 20;
/// Files and folders that are looked at in a call. A tree with more than these is a great one.
const MOST_LOOKED_AT: u32 = 4_000;
/// Folders that are looked at for whether anything is in them.
const MOST_EMPTY: usize = 200;
/// Names of one folder that are looked at.
const MOST_NAMES: usize = 4_000;

/// What the deletes of a call took together.
#[derive(Debug, Default)]
pub(super) struct Taken {
    files: u32,
    bytes: u64,
    looked_at: u32,
}

impl Resolve<'_, '_> {
    /// The finding about a delete that takes a whole project, a folder of the home, or very many files.
    pub(super) fn great_loss(&mut self, place: &PlacedPath, form: Form, recursive: bool) -> Option<Finding> {
        let placed = matches!(place.scope, Scope::Inside | Scope::Outside);
        if !placed || form == Form::Unknown {
            return None;
        }
        let path = &place.path;
        if recursive && form == Form::Glob && path.ends_with("/.git") {
            let what = format!("Deletes {path}: the whole version history of projects.");
            return Some(Finding::new("shell.delete_much", what));
        }
        let is_folder = form == Form::Literal && self.ground.kind(path) == Some(FileKind::Directory);
        if recursive && is_folder {
            if path.ends_with("/.git") {
                let what = format!("Deletes {path}: the whole version history of the project.");
                return Some(Finding::new("shell.delete_much", what));
            }
            let roots = &self.ground.call.roots;
            if roots.iter().any(|root| lexical::is_within(&root.path, path)) {
                let what = format!("Deletes {path}: your whole project with its history.");
                return Some(Finding::new("shell.delete_much", what));
            }
            let home = self.ground.home.as_deref();
            let above = path.rsplit_once('/').map(|(above, _)| above);
            if home.is_some() && above == home {
                let what = format!("Deletes {path}: a folder of your home with everything in it.");
                return Some(Finding::new("shell.delete_much", what));
            }
        }
        match form {
            Form::Glob => {
                let names = self.ground.expand(path, MOST_NAMES).unwrap_or_default();
                names.iter().for_each(|name| self.count(name, recursive));
            }
            _ => self.count(path, recursive),
        }
        let Taken { files, bytes, looked_at } = self.taken;
        let message = if files > MANY_FILES || looked_at >= MOST_LOOKED_AT {
            format!("Deletes {path}: with it more than {MANY_FILES} files of which git has no copy.")
        } else if bytes > MANY_BYTES {
            format!("Deletes {path}: with it more than {} MB of which git has no copy.", MANY_BYTES >> 20)
        } else {
            return None;
        };
        Some(Finding::new("shell.delete_much", message))
    }

    /// Whether a folder holds nothing but folders, all the way down.
    pub(super) fn holds_nothing(&self, path: &str) -> bool {
        let mut open = vec![path.to_owned()];
        let mut looked_at = 0;
        while let Some(path) = open.pop() {
            looked_at += 1;
            if looked_at > MOST_EMPTY || self.ground.kind(&path) != Some(FileKind::Directory) {
                return false;
            }
            let Ok(names) = self.ground.world.names(&path, MOST_EMPTY) else { return false };
            open.extend(names.iter().map(|name| format!("{path}/{name}")));
        }
        true
    }

    /// Counts what nobody has a copy of.
    fn count(&mut self, path: &str, recursive: bool) {
        let world = self.ground.world;
        let mut open = vec![path.to_owned()];
        while let Some(path) = open.pop() {
            if self.taken.files > MANY_FILES || self.taken.looked_at >= MOST_LOOKED_AT {
                return;
            }
            self.taken.looked_at += 1;
            match self.ground.kind(&path) {
                Some(FileKind::File(size)) if world.vcs(&path) != Ok(VcsState::Clean) => {
                    self.taken.files += 1;
                    self.taken.bytes = self.taken.bytes.saturating_add(size);
                }
                Some(FileKind::Directory) if recursive => {
                    let folder = self.ground.place_text(&path, Use::Delete);
                    let made_again = self.ground.regenerable(&folder, Form::Literal) == Tri::Yes;
                    if made_again || path.ends_with("/.git") {
                        continue;
                    }
                    match world.names(&path, MOST_NAMES) {
                        Ok(names) => open.extend(names.iter().map(|name| format!("{path}/{name}"))),
                        Err(_) => self.taken.looked_at = MOST_LOOKED_AT,
                    }
                }
                _ => {}
            }
        }
    }
}
