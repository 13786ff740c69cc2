// Generated from knowledge/programs/dirname.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "dirname",
        "dirname(1) coreutils 9.4, compared with 9.1",
        "-z|--zero",
        "data*",
    )
    ,
];
