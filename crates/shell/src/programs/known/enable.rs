// Generated from knowledge/programs/enable.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "enable",
        "bash(1) 5.2",
        "-a -d -n -p -s -f=file:native",
        "data*",
    )
    ,
];
