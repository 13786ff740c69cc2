//! Path scoping on descriptors: for permitted roots and an agent's path, returns an open descriptor that is provably
//! inside, or the reason for refusal.
//!
//! Text alone decides only about names. Where a path leads is determined by the kernel, on pinned root descriptors
//! (`openat2` with `RESOLVE_BENEATH`, or a walk on a stack of descriptors where that is missing). Names (protected,
//! secret) are compared on the resolved path; kinds and link counts on the opened file. How permission modes use an
//! answer is decided elsewhere.
//!
//! ```
//! use doorward_core::call::{OutsideRoots, Root, RootAccess};
//! use doorward_paths::{Access, Answer, Code, Roots};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = std::env::temp_dir();
//! let root = Root { path: folder.to_string_lossy().into_owned(), access: RootAccess::Write };
//! let roots = Roots::open(&[root])?;
//! let verdict = roots.check("../etc/passwd", &Access::Read, &folder, OutsideRoots::Strict);
//! assert_eq!((verdict.answer, verdict.code), (Answer::Deny, Some(Code::Escape)));
//! # Ok(())
//! # }
//! ```

/// A list of texts, as many a line as fit.
macro_rules! words {
    ($($word:literal)*) => {
        &[$($word),*]
    };
}

pub mod access;
pub mod archive;
pub mod code;
pub mod glob;
pub mod key;
pub mod lexical;
pub mod protected;
pub mod secret;
pub mod text;

#[cfg(target_os = "linux")]
pub mod bounded;
#[cfg(target_os = "linux")]
mod check;
#[cfg(target_os = "linux")]
mod open;
#[cfg(target_os = "linux")]
mod resolve;
#[cfg(target_os = "linux")]
mod root;
#[cfg(target_os = "linux")]
mod row;
#[cfg(target_os = "linux")]
mod walk;

pub use access::Access;
pub use code::{Answer, Code, PathRefusal};
pub use protected::{OwnFiles, PROTECTED, ProtectedName, protection};
pub use secret::{could_be_secret, holds_secrets, is_secret, reaches_secrets};

#[cfg(target_os = "linux")]
pub use check::PathVerdict;
#[cfg(target_os = "linux")]
pub use open::Scoped;
#[cfg(target_os = "linux")]
pub use resolve::Kind;
#[cfg(target_os = "linux")]
pub use root::{PathError, Resolver, Roots};
#[cfg(target_os = "linux")]
pub use row::scope_row;
