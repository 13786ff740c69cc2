// Generated from knowledge/programs/comm.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "comm",
        "comm(1) coreutils 9.4, compared with 9.1",
        "\
            -1 -2 -3 --check-order -i --nocheck-order --output-delimiter=data --total -z|--zero-terminated",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
