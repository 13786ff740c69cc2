// Generated from knowledge/programs/atrm.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "atrm",
        "at(1) 3.2.5",
        "-V",
        "data*",
    )
    ,
];
