// Generated from knowledge/programs/ar.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "ar gar llvm-ar",
        "ar(1) binutils 2.42",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::ar),
            ],
        },
    ])
    .taken_over()
    ,
];
