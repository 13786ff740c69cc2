// Generated from knowledge/programs/sync.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "sync",
        "sync(1) coreutils 9.4, compared with 9.1",
        "-d|--data -f|--file-system",
        "look*",
    )
    ,
];
