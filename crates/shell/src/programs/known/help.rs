// Generated from knowledge/programs/help.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "help apropos whatis",
        "bash(1) 5.2",
        "-d -m -s=data -r -w -e -a -l -k -f",
        "data*",
    )
    .taken_over()
    ,
];
