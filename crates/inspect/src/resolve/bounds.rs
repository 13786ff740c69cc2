//! How many names of a call are looked up on this machine.
//!
//! A look costs a system call or more, and a call may name hundreds of thousands of files. Past the bound the call is
//! UNKNOWN at once; what nobody may touch is found by its name alone.

use std::path::Path;

use doorward_core::finding::Finding;
use doorward_core::intent::{Form, Operand};
use doorward_paths::lexical;

use super::Resolve;

/// Names of one kind (read, written, deleted) that are looked up.
const MOST_LOOKS: usize = 4096;

impl Resolve<'_, '_> {
    /// The items whose paths are looked up: all of them up to the bound, and of the others those that lead to what
    /// is protected.
    pub(super) fn looked_at<'i, T>(&mut self, items: &'i [T], path: fn(&T) -> &Operand) -> Vec<&'i T> {
        let Some((first, rest)) = items.split_at_checked(MOST_LOOKS).filter(|(_, rest)| !rest.is_empty())
        else {
            return items.iter().collect();
        };
        self.destructive = true;
        let message = format!("names {} files, more than are looked at", items.len());
        let span = rest.first().map(|item| path(item).span).unwrap_or_default();
        self.tally.tell(Finding::new("shell.too_long", message).at(span));
        let guarded = rest.iter().filter(|item| self.is_guarded(path(item))).take(MOST_LOOKS);
        first.iter().chain(guarded.collect::<Vec<_>>()).collect()
    }

    /// Whether a path is a folder that nobody deletes, or protected, by its name.
    fn is_guarded(&self, operand: &Operand) -> bool {
        let path = lexical::join(&self.ground.call.cwd, &self.ground.expand_home(&operand.text));
        let own = || {
            let path = Path::new(&path);
            self.ground.own.protection(path).or_else(|| self.ground.own.inside(path)).is_some()
        };
        operand.form != Form::Literal
            || self.ground.is_everything(&path)
            || doorward_paths::is_secret(&path)
            || doorward_paths::protected::protection(&path).is_some()
            || own()
    }
}
