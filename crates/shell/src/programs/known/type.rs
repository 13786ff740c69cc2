// Generated from knowledge/programs/type.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "type which whereis whence where",
        "which(1) 2.21",
        "\
            -a|--all -t -p -P -f -b -m -s -S=data -B=data -M=data -u -l -w --skip-alias --skip-dot \
            --show-dot --show-tilde --tty-only --skip-functions",
        "data*",
    )
    .takes(StdinRole::Ignored)
    .taken_over()
    ,
];
