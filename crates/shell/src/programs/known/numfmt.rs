// Generated from knowledge/programs/numfmt.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "numfmt",
        "numfmt(1) coreutils 9.4, compared with 9.1",
        "\
            -d|--delimiter=data --debug --field=data --format=data --from=data --from-unit=num --grouping \
            --header?=num --invalid=data --padding=num --round=data --suffix=data --to=data --to-unit=num \
            -z|--zero-terminated",
        "data*",
    )
    ,
];
