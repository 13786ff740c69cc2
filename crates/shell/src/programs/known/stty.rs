// Generated from knowledge/programs/stty.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "stty",
        "stty(1) coreutils 9.4",
        "",
        "data*",
    )
    .style(Style::Raw)
    .taken_over()
    ,
];
