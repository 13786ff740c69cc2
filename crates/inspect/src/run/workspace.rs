//! Scripts of packages of a workspace, which a command runs by their names.

use doorward_core::intent::{Intent, SimpleCommand, Span};

use super::{Follow, Script, in_file};
use crate::picked::Picked;
use crate::recipes;

impl Follow<'_, '_> {
    /// A package that came with the call: of its scripts, only those run that a word of the command names.
    pub(super) fn is_of_workspace(&self, picked: &Picked, command: &SimpleCommand) -> bool {
        picked.path.ends_with("/package.json")
            && !self.written.contains_key(&picked.path)
            && !command.words.iter().any(|word| word == "lint-staged")
    }

    pub(super) fn scripts(&mut self, path: &str, words: &[String], span: Span, found: &mut Intent) {
        let Ok(text) = self.content(path) else { return };
        let folder = path.rsplit_once('/').map_or("/", |(folder, _)| folder);
        for word in words.iter().skip(1) {
            let name = word.rsplit(':').next().unwrap_or(word);
            let script =
                recipes::package_script(&text, word).or_else(|| recipes::package_script(&text, name));
            let Some(text) = script.filter(|_| self.seen.insert(format!("{path}#{word}"))) else { continue };
            let script = Script { language: "shell".to_owned(), text };
            found.absorb(in_file(path, self.analyze(&script, None, folder, None)), span);
        }
    }
}
