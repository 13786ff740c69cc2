// Generated from knowledge/programs/basename.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "basename",
        "basename(1) coreutils 9.4, compared with 9.1",
        "-a|--multiple -s|--suffix=data -z|--zero",
        "data*",
    )
    ,
];
