// Generated from knowledge/programs/atq.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "atq",
        "at(1) 3.2.5",
        "-q=data -V -o=data",
        "data*",
    )
    ,
];
