//! Shell text to intent: what a command says it would do, without any I/O.
//!
//! [`analyze`] reads a command line as bash would: quotes, expansions, variables, functions, pipelines and the code
//! that programs carry in their arguments. What it finds is an [`Intent`](doorward_core::Intent): files read,
//! written and deleted, hosts contacted, commands run, each with the bytes it came from. What it doesn't understand is
//! in `unknown`, with a code; it never answers "nothing" because it didn't understand, and it never opens a file.
//!
//! ```
//! use doorward_shell::{Options, analyze};
//!
//! let intent = analyze("x=r; ${x}m -rf build", &Options::default());
//! assert_eq!(intent.commands[0].words, ["rm", "-rf", "build"]);
//! assert_eq!(intent.deletes[0].path.text, "build");
//! assert!(intent.deletes[0].recursive);
//! ```

mod account;
mod analysis;
pub mod deed;
mod expand;
mod explain;
mod flows;
mod guard;
pub mod languages;
mod machine;
#[cfg(test)]
mod no_programs;
mod options;
mod producer;
pub mod programs;
mod second;
mod source;
mod state;
mod value;
mod walk;

/// The format of the files that describe programs.
pub use doorward_knowledge as knowledge;

pub use analysis::{analyze, analyze_code};
pub use explain::{Label, explain, labels};
pub use flows::{CommandFlow, defines_functions, flows};
pub use options::{Folders, Options, Standing};
