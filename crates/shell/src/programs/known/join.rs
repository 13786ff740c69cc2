// Generated from knowledge/programs/join.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "join",
        "join(1) coreutils 9.4, compared with 9.1",
        "\
            -1=num -2=num -a=num --check-order -e=data --header -i|--ignore-case -j=num --nocheck-order \
            -o=data -t=data -v=num -z|--zero-terminated",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
