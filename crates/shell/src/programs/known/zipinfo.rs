// Generated from knowledge/programs/zipinfo.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "zipinfo zipnote lsinitramfs",
        "zipinfo(1) 3.0",
        "-# -1 -2 -s -m -l -v -h -M -t -T -z -C -x=data",
        "read data*",
    )
    .taken_over()
    ,
];
