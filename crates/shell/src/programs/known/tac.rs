// Generated from knowledge/programs/tac.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "tac",
        "tac(1) coreutils 9.4, compared with 9.1",
        "-b|--before -r|--regex -s|--separator=data",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
