// Generated from knowledge/programs/mkfifo.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "mkfifo mknod",
        "mkfifo(1) coreutils 9.4",
        "-m|--mode=data -Z --context?=data",
        "write data*",
    )
    .taken_over()
    ,
];
