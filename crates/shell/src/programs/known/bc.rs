// Generated from knowledge/programs/bc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "bc units qalc",
        "bc(1) 1.07",
        "\
            -h -i|--interactive -l|--mathlib -w|--warn -s|--standard -q|--quiet -e|--expression=data \
            -f|--file=read -t -v -1 -x|--extended-register",
        "read*",
    )
    .taken_over()
    ,
];
