// Generated from knowledge/programs/trap.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "trap",
        "bash(1) 5.2",
        "-p -l",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::builtins::trap),
            ],
        },
    ])
    .taken_over()
    ,
];
