// Generated from knowledge/programs/true.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        ": true false",
        "true(1), bash(1) coreutils 9.1, bash 5.2",
        "",
        "data*",
    )
    .style(Style::Raw)
    .answers()
    .prints(Output::Nothing)
    .takes(StdinRole::Ignored)
    ,
];
