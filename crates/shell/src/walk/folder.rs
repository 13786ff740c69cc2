//! The shell's working folder, and the two folders that it may be in after a `cd` that may fail.
//!
//! A `cd` into a folder that isn't there fails, and what follows it after `;`, a line end or `||` runs where the shell
//! stood before: `cd target; rm -rf *` then empties the project. So after such a `cd` the shell is in both folders,
//! unless the folder is known to be there. [`State::parted`] keeps the two apart until the next command, so that `&&`,
//! `||` and `if` each go on in the right one.

use std::collections::BTreeSet;
use std::rc::Rc;

use doorward_core::intent::{Certainty, Form, Operand, Place, Span, WriteIntent};

use super::names;
use super::redirect::Redirect;
use crate::machine::Machine;
use crate::programs::asked;
use crate::state::{Folder, State};
use crate::value::{Arg, HOLE, Taint};

/// The two folders that a shell may be in after a command that changes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parted {
    /// Where it is if the command succeeded.
    pub(crate) done: Folder,
    /// Where it is if the command failed.
    pub(crate) failed: Folder,
    /// The command.
    pub(crate) span: Span,
}

impl Parted {
    /// Also what another run of the same command leaves.
    pub(crate) fn join(&mut self, other: &Self) {
        self.done.join(&other.done);
        self.failed.join(&other.failed);
    }
}

/// What a command that doesn't run leaves as it was.
pub(super) struct Before {
    folder: Folder,
    made: Rc<BTreeSet<String>>,
}

impl Before {
    /// As it is before a command with these redirections; `None` where they can't fail.
    pub(super) fn of(redirects: &[Redirect<'_>], state: &State) -> Option<Self> {
        let fails = redirects.iter().any(may_fail);
        fails.then(|| Self { folder: state.folder.clone(), made: Rc::clone(&state.made) })
    }
}

impl Machine<'_> {
    /// `cd`, `chdir`, `pushd`: whether the shell surely goes where it is told.
    pub(super) fn change_folder(&mut self, operands: &[&Arg], span: Span, state: &mut State) -> bool {
        let before = state.folder.clone();
        match operands {
            [] => {
                let home = self.home(state);
                state.folder = if home.contains(HOLE) { Folder::anywhere() } else { Folder::exactly(home) };
            }
            [back] if back.raw == "-" => {
                state.folder = state.previous_folder.clone().unwrap_or(Folder::anywhere());
            }
            [folder] if searches(&folder.raw) && state.var("CDPATH").is_some_and(|var| var.own) => {
                state.folder = Folder::anywhere();
            }
            [folder] => self.enter_folder(folder, state),
            // An error in bash; zsh replaces the first text by the second in the name of its folder.
            _ => state.folder = Folder::anywhere(),
        }
        let back = operands.iter().any(|operand| operand.raw == "-");
        let sure = back && state.previous_folder.is_some()
            || state.folder.pattern.is_none()
                && state.folder.may_be.iter().all(|folder| self.is_there(folder.as_deref(), state));
        match (&mut state.previous_folder, sure) {
            // Where it failed, `cd -` leads where it led before.
            (Some(previous), false) => previous.join(&before),
            (previous, _) => *previous = Some(before.clone()),
        }
        if !sure {
            self.part(before, span, state);
        }
        sure
    }

    /// `pushd` and `popd`: whether the shell surely goes where it is told.
    pub(super) fn stacked_folder(
        &mut self,
        pushes: bool,
        args: &[Arg],
        span: Span,
        state: &mut State,
    ) -> bool {
        let before = state.folder.clone();
        let anywhere = |state: &mut State| {
            state.folder = Folder::anywhere();
            state.folder.join(&before);
            state.pushed = None;
            false
        };
        match (pushes, args.get(1..).unwrap_or_default()) {
            (true, [folder]) if !folder.raw.starts_with(['-', '+']) => {
                let sure = self.change_folder(&[folder], span, state);
                // Where it failed, nothing was put away.
                state.pushed = state.pushed.take().filter(|_| sure).map(|mut pushed| {
                    pushed.push(before.clone());
                    pushed
                });
                sure
            }
            // Without a word it changes places with the latest folder.
            (_, []) => match state.pushed.as_mut().and_then(Vec::pop) {
                Some(folder) => {
                    state.previous_folder = Some(before.clone());
                    state.folder = folder;
                    if let Some(pushed) = state.pushed.as_mut().filter(|_| pushes) {
                        pushed.push(before.clone());
                    }
                    true
                }
                None => anywhere(state),
            },
            // `pushd +2`, `popd -n` and the like turn the list in ways that aren't followed.
            _ => anywhere(state),
        }
    }

    /// Leaves the shell in both folders: in the one it is in, and in `before` if what moved it failed.
    pub(super) fn part(&mut self, before: Folder, span: Span, state: &mut State) {
        if before == state.folder {
            return;
        }
        let done = state.folder.clone();
        state.folder.join(&before);
        state.parted = Some(Parted { done, failed: before, span });
    }

    /// A command whose redirections fail doesn't run at all: then the shell stays where it was, and goes on.
    pub(super) fn may_not_run(&mut self, before: Before, span: Span, state: &mut State) {
        let Before { folder: before, made } = before;
        state.gone = false;
        if !Rc::ptr_eq(&made, &state.made) {
            Rc::make_mut(&mut state.made).retain(|folder| made.contains(folder));
        }
        match state.parted.take() {
            Some(mut parted) => {
                parted.failed.join(&before);
                state.folder.join(&before);
                state.parted = Some(parted);
            }
            None => self.part(before, span, state),
        }
    }

    /// The shell goes on whether or not the last command changed its folder.
    pub(super) fn goes_on(&mut self, state: &mut State) {
        if let Some(parted) = state.parted.take() {
            let command = parted.span.of(&self.original).unwrap_or("cd").to_owned();
            let brief: String = command.chars().take(40).collect();
            self.find_at(
                "shell.cd_may_fail",
                format!("if `{brief}` fails, what follows runs in the folder before it"),
                parted.span,
            );
        }
    }

    /// Enters a folder, lexically.
    pub(super) fn enter_folder(&mut self, operand: &Arg, state: &mut State) {
        let target = &operand.raw;
        if is_new_folder(operand) {
            state.folder = Folder::exactly(target.replace(HOLE, "XXXXXXXXXX"));
            return;
        }
        if operand.word.form != Form::Literal || target.contains(HOLE) {
            let pattern = match (operand.word.form, state.folder.may_be.as_slice()) {
                (Form::Glob, [Some(_)]) if target.contains(HOLE) || target.starts_with('~') => None,
                (Form::Glob, [Some(_)]) if target.starts_with('/') => Some(target.clone()),
                (Form::Glob, [Some(folder)]) if folder.is_empty() => Some(target.clone()),
                (Form::Glob, [Some(folder)]) => Some(format!("{folder}/{target}")),
                _ => None,
            };
            state.folder = Folder { pattern, ..Folder::anywhere() };
            return;
        }
        for folder in &mut state.folder.may_be {
            *folder = match folder.as_deref() {
                _ if target.starts_with(['/', '~']) => Some(target.clone()),
                None => None,
                Some("") => Some(target.clone()),
                Some(folder) => Some(format!("{folder}/{target}")),
            }
            .map(|path| plain_folder(&path));
        }
    }

    /// Whether a folder, relative to where the text starts unless absolute, is surely there when the command runs.
    fn is_there(&self, folder: Option<&str>, state: &State) -> bool {
        let Some(folder) = folder.filter(|_| self.place == Place::Local) else { return false };
        let starts = self.options.cwd.as_deref();
        let around = |path: &str| starts.is_some_and(|start| is_below(start, path));
        if folder.split('/').all(|part| matches!(part, "" | "." | "..")) || around(folder) {
            return true;
        }
        if self.options.home.as_deref() == Some(folder) || folder == "~" || state.made.contains(folder) {
            return true;
        }
        let path = self.absolute(folder);
        !self.taken_away(&path) && self.options.folders.has(&path)
    }

    /// Whether this text deletes or moves a folder, or one around it, as far as it was walked.
    fn taken_away(&self, path: &str) -> bool {
        let covers = |gone: &Operand| {
            let gone_path = self.absolute(&gone.text);
            if gone.form == Form::Literal {
                return is_below(path, &gone_path);
            }
            let known = gone_path.split(['*', '?', '[', '{', '…']).next().unwrap_or_default();
            path.starts_with(known)
        };
        self.intent.deletes.iter().any(|delete| covers(&delete.path))
            || self.intent.writes.iter().filter_map(|write| write.moved_from.as_ref()).any(covers)
    }

    /// The folders that a command surely makes, below the working folder and where nothing else is of their name.
    pub(super) fn folders_made(&self, args: &[Arg], writes: &[WriteIntent], state: &State) -> Vec<String> {
        let name = args.first().map_or("", |first| first.word.text.rsplit('/').next().unwrap_or_default());
        let [Some(folder)] = state.folder.may_be.as_slice() else { return Vec::new() };
        if !asked::makes_folders(name) || self.place != Place::Local || state.certainty != Certainty::Exact {
            return Vec::new();
        }
        let inside = |text: &str| !text.starts_with(['/', '~']) && !text.split('/').any(|part| part == "..");
        writes
            .iter()
            .filter(|write| write.path.form == Form::Literal && inside(&write.path.text))
            .map(|write| match folder.as_str() {
                "" => plain_folder(&write.path.text),
                folder => plain_folder(&format!("{folder}/{}", write.path.text)),
            })
            .filter(|path| self.options.folders.may_make(&self.absolute(path)))
            .collect()
    }

    /// The absolute path of one that is relative to where the text starts; as it stands where that isn't known.
    fn absolute(&self, path: &str) -> String {
        let joined = match (&self.options.cwd, &self.options.home) {
            (_, Some(home)) if path == "~" || path.starts_with("~/") => path.replacen('~', home, 1),
            (Some(start), _) if !path.starts_with(['/', '~']) => format!("{start}/{path}"),
            _ => path.to_owned(),
        };
        names::normal(&joined)
    }
}

/// Whether a word is the name that `mktemp -d` gave: a folder of this text's own in the temp folder.
fn is_new_folder(operand: &Arg) -> bool {
    let made = Taint { new_folder: true, ..Taint::default() };
    operand.trail.as_deref() == Some(&made) && operand.raw == format!("/tmp/tmp.{HOLE}")
}

/// Whether a redirection may fail, so that its command doesn't run.
fn may_fail(redirect: &Redirect<'_>) -> bool {
    match redirect {
        Redirect::File { target, .. } => {
            target.word.form != Form::Literal
                || !matches!(target.raw.as_str(), "/dev/null" | "/dev/stdout" | "/dev/stderr")
        }
        Redirect::Duplicate { descriptor: _, target } => target.is_some_and(|target| target > 2),
        Redirect::Text { .. } | Redirect::Process { .. } => false,
    }
}

/// Whether a name is looked for in the folders of `CDPATH`.
fn searches(folder: &str) -> bool {
    !folder.starts_with(['/', '~']) && !matches!(folder.split('/').next(), Some("." | ".."))
}

/// A folder as [`Folder`] writes it.
fn plain_folder(path: &str) -> String {
    let path = names::normal(path);
    match path.as_str() {
        "." => String::new(),
        _ => path.strip_prefix("./").map(str::to_owned).unwrap_or(path),
    }
}

/// Whether an absolute path is another or lies below it.
fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
