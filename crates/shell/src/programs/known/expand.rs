// Generated from knowledge/programs/expand.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "expand unexpand",
        "expand(1) coreutils 9.4, compared with 9.1",
        "-# -a|--all --first-only -i|--initial -t|--tabs=num",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
