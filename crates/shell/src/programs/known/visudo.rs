// Generated from knowledge/programs/visudo.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "visudo",
        "visudo(8) 1.9.15",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::system::visudo),
            ],
        },
    ])
    .taken_over()
    ,
];
