// Generated from knowledge/programs/time-builtin.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "time-builtin",
        "bash(1) 5.2",
        "-p",
        "data*",
    )
    ,
];
