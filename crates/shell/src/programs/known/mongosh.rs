// Generated from knowledge/programs/mongosh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "mongosh mongo",
        "mongosh 2.1",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::databases::mongo),
            ],
        },
    ])
    .taken_over()
    ,
];
