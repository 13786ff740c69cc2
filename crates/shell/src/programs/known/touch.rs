// Generated from knowledge/programs/touch.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "touch",
        "touch(1) coreutils 9.4, compared with 9.1",
        "\
            -a -c|--no-create -d|--date=data -f -h|--no-dereference -m -r|--reference=look -t=data \
            --time=data -A=data",
        "meta*",
    )
    ,
];
