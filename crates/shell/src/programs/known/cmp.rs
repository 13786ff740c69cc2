// Generated from knowledge/programs/cmp.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "cmp",
        "cmp(1) diffutils 3.10, compared with 3.8",
        "\
            -b|--print-bytes -i|--ignore-initial=num -l|--verbose -n|--bytes=num -s|--quiet|--silent \
            -v|--version",
        "read*",
    )
    ,
];
