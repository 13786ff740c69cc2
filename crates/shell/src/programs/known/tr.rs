// Generated from knowledge/programs/tr.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "tr gtr",
        "tr(1) coreutils 9.4, compared with 9.1",
        "-c|-C|--complement -d|--delete -s|--squeeze-repeats -t|--truncate-set1 -u",
        "data*",
    )
    .prints(Output::Filtered)
    ,
];
