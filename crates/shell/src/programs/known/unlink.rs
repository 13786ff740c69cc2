// Generated from knowledge/programs/unlink.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "unlink",
        "unlink(1) coreutils 9.4, compared with 9.1",
        "",
        "delete*",
    )
    ,
];
