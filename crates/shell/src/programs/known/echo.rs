// Generated from knowledge/programs/echo.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "echo printf print",
        "bash(1) 5.2",
        "",
        "data*",
    )
    .style(Style::Raw)
    .answers()
    .takes(StdinRole::Ignored)
    ,
];
