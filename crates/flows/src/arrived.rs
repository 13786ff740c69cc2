//! The result of a call, as a memory takes note of it.

use crate::memory::Step;

/// The result of a call.
#[derive(Debug, Clone, Copy)]
pub struct Arrived<'a> {
    /// The bytes.
    pub content: &'a [u8],
    /// Where from, in words.
    pub source: &'a str,
    /// Whether other people can write it.
    pub untrusted: bool,
    /// Credentials in it, as ranges of its text.
    pub secrets: &'a [std::ops::Range<usize>],
    /// It is the content of a file that holds secrets by its name.
    pub secret_file: bool,
    /// The settings call its source private.
    pub private: bool,
    /// The turn of the call.
    pub turn: u64,
    /// What the call did, where it is known.
    pub step: Option<&'a Step>,
}
