// Generated from knowledge/programs/uniq.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "uniq",
        "uniq(1) coreutils 9.4, compared with 9.1",
        "\
            -# --all-repeated?=data -c|--count -D -d|--repeated -f|--skip-fields=num --group?=data \
            -i|--ignore-case -s|--skip-chars=num -u|--unique -w|--check-chars=num -z|--zero-terminated",
        "read write",
    )
    .prints(Output::Filtered)
    ,
];
