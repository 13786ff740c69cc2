//! Trees that hold what is Doorward's. A call that takes a folder around the state as a whole is refused. One that
//! takes the home folder, or what is around that, means something else: it is asked about, with the folder to leave
//! out.

use doorward_core::effect::Protection;
use doorward_core::finding::Finding;
use doorward_core::intent::SimpleCommand;
use doorward_paths::lexical;
use doorward_shell::programs::git;

use super::{Looks, Said, Walk, below, state};

/// Programs that change permissions or owners, with everything below where they are told so.
const GUARDING: &[&str] = &["chattr", "chcon", "chgrp", "chmod", "chown", "setfacl"];
/// Subcommands of git that change files of the work tree (git(1)).
const CHECKING_OUT: &[&str] = &[
    "am",
    "apply",
    "checkout",
    "checkout-index",
    "cherry-pick",
    "clean",
    "clone",
    "merge",
    "pull",
    "read-tree",
    "rebase",
    "reset",
    "restore",
    "revert",
    "rm",
    "stash",
    "submodule",
    "switch",
];

impl Looks<'_> {
    /// The part of the state that a walk over a folder reaches.
    fn reached(&self, walk: &Walk) -> Option<&str> {
        let places = self.own.state.iter().filter_map(|place| Some((place, below(place, &walk.path)?)));
        let shown = |rest: &str| !walk.visible || !rest.split('/').any(|name| name.starts_with('.'));
        places.filter(|(_, rest)| shown(rest)).map(|(place, _)| place.as_str()).next()
    }

    /// A folder around the state, read with everything below it.
    pub(super) fn walks(&self, walks: &[Walk]) -> Option<Finding> {
        let near = |walk: &&Walk| self.reached(walk).is_some() && !self.is_great(&walk.path);
        let walk = walks.iter().find(near)?;
        Some(state(&walk.path).suggest("name the folders that you mean").at(walk.span))
    }

    /// Greater trees that are read as a whole, each with what to leave out.
    pub(super) fn trees(&self, walks: &[Walk]) -> Vec<Finding> {
        let code = match self.said {
            Said::Command(_) | Said::Code(_) => "shell.secret_read",
            Said::Arguments(_) | Said::Nothing => "path.secret",
        };
        let tree = |walk: &Walk| {
            let place = self.reached(walk).filter(|_| self.is_great(&walk.path))?;
            let message = format!("Reads {}, where Doorward keeps its key and records.", walk.path);
            Some(
                Finding::new(code, message)
                    .suggest(format!("leave out {place}, or name the folders that you mean"))
                    .at(walk.span),
            )
        };
        walks.iter().filter_map(tree).collect()
    }

    /// The folder whose rights or owner a command changes with everything below it, if something of ours lies there.
    fn opened(&self, command: &SimpleCommand) -> Option<String> {
        let recursive = |word: &String| {
            word == "--recursive"
                || word
                    .strip_prefix('-')
                    .is_some_and(|letters| !letters.starts_with('-') && letters.contains('R'))
        };
        if !GUARDING.contains(&command.program.as_str()) || !command.words.iter().any(recursive) {
            return None;
        }
        let is_project =
            |folder: &str| self.call.roots.iter().any(|root| lexical::is_within(folder, &root.path));
        let holds = |folder: &String| {
            self.own.state.iter().any(|own| below(own, folder).is_some())
                || !is_project(folder)
                    && self.files.inside(std::path::Path::new(folder)) == Some(Protection::Own)
        };
        command.words.iter().skip(1).map(|word| self.resolved(word)).find(holds)
    }

    /// Whether a folder is the home folder, or one around it.
    pub(super) fn is_great(&self, folder: &str) -> bool {
        self.home.is_some_and(|home| lexical::is_within(home, folder))
    }

    /// Changes of permissions or owners with everything below a folder of ours, or one around it.
    pub(super) fn opens_state(&self, command: &SimpleCommand) -> Option<Finding> {
        let folder = self.opened(command).filter(|folder| !self.is_great(folder))?;
        let what = format!("Changes the rights or the owner of {folder}, which holds Doorward's own files.");
        Some(Finding::new("path.own_files", what))
    }

    /// The same of a greater tree.
    pub(super) fn opens_tree(&self, command: &SimpleCommand) -> Option<Finding> {
        let folder = self.opened(command).filter(|folder| self.is_great(folder))?;
        let message = format!("Changes the rights or the owner of everything below {folder}.");
        Some(
            Finding::new("shell.privilege", message)
                .suggest("name the folders that you mean")
                .at(command.span),
        )
    }

    /// A work tree outside the roots that holds files of ours, and that git changes.
    pub(super) fn pulls(&self, command: &SimpleCommand) -> Option<Finding> {
        let invocation = git::invocation(&command.words);
        let subcommand = invocation.subcommand.filter(|_| command.program == "git")?;
        if !CHECKING_OUT.contains(&subcommand.as_str()) {
            return None;
        }
        let start = lexical::join(self.cwd, &command.folder);
        let folder =
            invocation.folders.iter().fold(start, |at, part| lexical::join(&at, &self.resolved(part)));
        let is_project = self.call.roots.iter().any(|root| lexical::is_within(&folder, &root.path));
        let holds = self.files.inside(std::path::Path::new(&folder)) == Some(Protection::Own);
        (holds && !is_project).then(|| {
            let what =
                format!("`git {subcommand}` changes files in {folder}, which holds Doorward's own files");
            Finding::new("path.own_files", what)
        })
    }
}
