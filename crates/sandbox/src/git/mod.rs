//! Git directories: a run may write what git keeps there as state, never what makes git run programs.
//!
//! A hook, a key of the configuration, or a `commondir` file that names another repository's configuration makes the
//! next `git status` outside run a program. So a git directory is mounted read-only, with `objects`, `refs` and `logs`
//! writable over it ([`find`]). What else git has to write (`index`, `HEAD`, `rebase-merge`, …) is listed in [`names`],
//! and the keeper writes it on the program's behalf ([`broker`]). Repositories that didn't exist when the run began
//! can't be mounted over: [`config`] tells whether such a one would run programs. Where the repository of a root lies
//! outside it, [`elsewhere`] finds it.

pub(crate) mod broker;
pub(crate) mod config;
pub(crate) mod elsewhere;
pub(crate) mod find;
pub(crate) mod names;
pub(crate) mod operations;
