// Generated from knowledge/programs/gem.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "gem bundle bundler composer",
        "gem(1) 3.4, composer(1) 2.7",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::packages::gem),
            ],
        },
    ])
    .taken_over()
    ,
];
