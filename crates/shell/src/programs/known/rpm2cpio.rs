// Generated from knowledge/programs/rpm2cpio.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "rpm2cpio dpkg-split",
        "rpm2cpio(8) 4.19",
        "",
        "read*",
    )
    .prints(Output::Filtered)
    .taken_over()
    ,
];
