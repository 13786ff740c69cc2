// Generated from knowledge/programs/cut.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "cut",
        "cut(1) coreutils 9.4, compared with 9.1",
        "\
            -b|--bytes=data -c|--characters=data --complement -d|--delimiter=data -f|--fields=data -n \
            --output-delimiter=data -s|--only-delimited -w -z|--zero-terminated",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
