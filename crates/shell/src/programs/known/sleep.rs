// Generated from knowledge/programs/sleep.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "sleep usleep",
        "sleep(1) coreutils 9.4, compared with 9.1",
        "",
        "data*",
    )
    .prints(Output::Nothing)
    .takes(StdinRole::Ignored)
    ,
];
