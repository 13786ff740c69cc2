// Generated from knowledge/programs/rev.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "rev",
        "rev(1) util-linux 2.39, compared with 2.38",
        "-0|--zero",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
