// Generated from knowledge/programs/kill.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "kill",
        "kill(1) util-linux 2.39",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::processes::kill),
            ],
        },
    ])
    .taken_over()
    ,
];
