// Generated from knowledge/programs/wc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "wc",
        "wc(1) coreutils 9.4, compared with 9.1",
        "\
            -c|--bytes --debug --files0-from=list -l|--lines -L|--max-line-length -m|--chars --total=data \
            -w|--words",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
