//! Git directories: a run may write git's state, but nothing that makes git run programs.
//!
//! A hook, a key of the configuration, or a `commondir` file that names another repository's configuration makes
//! the next `git status` outside run a program. So a git directory is mounted read-only, with `objects`, `refs` and
//! `logs` writable over it ([`find`]). Other files that git has to write (`index`, `HEAD`, `rebase-merge`, …) are
//! listed in [`names`], and the keeper writes them on the program's behalf ([`broker`]). A repository that is made
//! during the run can't be mounted over: [`config`] checks whether it would run programs. If the repository of a
//! root lies outside the root, [`elsewhere`] finds it.

pub(crate) mod broker;
pub(crate) mod config;
pub(crate) mod elsewhere;
pub(crate) mod find;
pub(crate) mod names;
pub(crate) mod operations;
