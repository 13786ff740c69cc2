// Generated from knowledge/programs/tail.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "tail gtail",
        "tail(1) coreutils 9.4, compared with 9.1",
        "\
            -# -c|--bytes=num -F -f --follow?=data --max-unchanged-stats=num -n|--lines=num --pid=num \
            -q|--quiet|--silent -r --retry -s|--sleep-interval=num -v|--verbose -z|--zero-terminated",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
