//! The integration tests of `doorward-fuzzing` as one program, so that they are linked once. One module per
//! promise.
#![allow(clippy::panic, missing_docs)]

mod short;
