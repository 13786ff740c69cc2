// Generated from knowledge/programs/history.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "history",
        "bash(1) 5.2",
        "",
        "",
    )
    .style(Style::Raw)
    .answers()
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::builtins::history),
            ],
        },
    ])
    .taken_over()
    ,
];
