// Generated from knowledge/programs/rmdir.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "rmdir zf_rmdir",
        "rmdir(1) coreutils 9.4, compared with 9.1",
        "--ignore-fail-on-non-empty -p|--parents -v|--verbose",
        "delete*",
    )
    ,
];
