// Generated from knowledge/programs/cd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "cd pushd popd chdir z",
        "bash(1) 5.2",
        "",
        "data*",
    )
    .style(Style::Raw)
    .answers()
    .prints(Output::Nothing)
    .takes(StdinRole::Ignored)
    ,
];
