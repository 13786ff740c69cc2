// Generated from knowledge/programs/seq.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "seq factor expr jot",
        "seq(1), factor(1), expr(1), jot(1) coreutils 9.4, compared with 9.1, athena-jot 9.0",
        "",
        "data*",
    )
    .style(Style::Raw)
    .takes(StdinRole::Ignored)
    ,
];
