//! What a command prints, as far as its own words and its input tell.

use doorward_core::intent::Form;

use super::assign::Assigned;
use crate::machine::Machine;
use crate::producer::{self, Input};
use crate::programs::asked;
use crate::state::{State, Written};
use crate::value::{Arg, HOLE, MOST_NAMES, Stream, active, pattern};

impl Machine<'_> {
    /// What a command prints, when it only turns known text into known text.
    pub(super) fn produce(
        &mut self,
        name: &str,
        args: &[Arg],
        assigned: &[Assigned],
        state: &State,
    ) -> Option<(String, bool)> {
        if !producer::is_one(name) || args.iter().any(|arg| arg.word.form == Form::Glob) {
            return None;
        }
        let words: Vec<&str> = args.iter().skip(1).map(|arg| arg.raw.as_str()).collect();
        let file = |path: &str| -> Option<String> {
            if path == "/dev/null" {
                return Some(String::new());
            }
            if matches!(path, "-" | "/dev/stdin" | "/dev/fd/0") {
                return state.stdin.known.clone();
            }
            match self.written(&self.key(path, state), state)? {
                Written::Text(text, _) => Some(text),
                _ => None,
            }
        };
        let folder = self.folder_name(&state.folder, state).filter(|folder| folder.starts_with('/'));
        // Variables of git's own may name another.
        let work_tree = || {
            let mut set = assigned.iter().map(|own| &own.name).chain(state.vars.keys());
            let is_usual = !set.any(|name| name.starts_with("GIT_"));
            folder.as_ref().filter(|_| is_usual).and_then(|folder| self.options.folders.work_tree(folder))
        };
        let stdin = state.stdin.known.as_deref();
        let input =
            Input { words: &words, stdin, file: &file, folder: folder.as_deref(), work_tree: &work_tree };
        producer::run(name, &input)
    }
}

/// A word of the tables as what a line may be.
pub(super) fn pattern_of(word: &crate::deed::Word) -> String {
    match word.form {
        Form::Literal => word.text.clone(),
        Form::Glob => active(&word.text),
        Form::Unknown => word.text.replace('…', &HOLE.to_string()),
    }
}

/// Names that a command prints as it was given them: `printf '%s\n' *.c`, `realpath x*`.
pub(super) fn printed_names(name: &str, args: &[Arg]) -> Option<Vec<String>> {
    let skipped = asked::printed_from(name)?;
    let names: Vec<&Arg> = args.iter().skip(skipped).filter(|arg| !arg.raw.starts_with('-')).collect();
    let globs = names.iter().any(|arg| arg.word.form == Form::Glob);
    (globs && names.len() <= MOST_NAMES).then(|| names.iter().map(|arg| arg.handed_over().text).collect())
}

/// The lines that a filter lets through, where those it is given are names; `grep` may fix a part of them.
pub(super) fn selected(words: &[&str], args: &[Arg], stdin: &Stream) -> Option<Vec<String>> {
    let names = stdin.names.as_ref()?;
    let wanted = asked::grep_pattern(words);
    let known = args.iter().skip(1).all(|arg| arg.known().is_some());
    let Some(wanted) = wanted.filter(|_| known) else { return Some(names.to_vec()) };
    let mut fits: Vec<String> = Vec::new();
    for name in names.iter() {
        for fit in wanted.narrow(&pattern(name)) {
            if fits.len() < MOST_NAMES && !fits.contains(&fit) {
                fits.push(fit);
            }
        }
    }
    Some(fits.iter().map(|fit| active(fit)).collect())
}
