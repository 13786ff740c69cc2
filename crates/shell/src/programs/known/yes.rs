// Generated from knowledge/programs/yes.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "yes",
        "yes(1) coreutils 9.4, compared with 9.1",
        "",
        "data*",
    )
    .style(Style::Raw)
    .answers()
    .takes(StdinRole::Ignored)
    ,
];
