// Generated from knowledge/programs/gcore.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "gcore coredumpctl crash abrt-cli",
        "gcore(1) 14",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::debug::gcore),
            ],
        },
    ])
    .taken_over()
    ,
];
