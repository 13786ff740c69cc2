// Generated from knowledge/programs/stat.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "stat gstat",
        "stat(1) coreutils 9.4, compared with 9.1",
        "\
            -c|--format=data --cached=data -f|--file-system -L|--dereference -n --printf=data -r -s \
            -t|--terse -x",
        "look*",
    )
    ,
];
